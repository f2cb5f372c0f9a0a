"""Laws under random selection, the slow way: every placement with fractions, plain and weighted
simulation.

Nothing here comes from precall.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import comb, lcm

import numpy as np


@cache
def law(items, relevant, cutoff=None, norm="relevant"):
    """{value: probability} over all placements."""
    found, whole = {}, lcm(*range(1, items + 1))
    for hits in combinations(range(1, items + 1), relevant):
        inside = sum(cutoff is None or rank <= cutoff for rank in hits)
        over = {
            "relevant": relevant,
            "min": min(relevant, cutoff or relevant),
            "found": max(inside, 1),
        }[norm]
        total = sum(
            i * whole // rank for i, rank in enumerate(hits, 1) if cutoff is None or rank <= cutoff
        )
        found[total, over] = found.get((total, over), 0) + 1
    result = {}
    for (total, over), times in found.items():
        value = Fraction(total, whole * over)
        result[value] = result.get(value, 0) + Fraction(times, comb(items, relevant))
    return dict(sorted(result.items()))


def moments(found):
    """Mean, variance, skewness and excess kurtosis of {value: probability}."""
    mean = sum(value * p for value, p in found.items())
    two, three, four = (
        float(sum((value - mean) ** k * p for value, p in found.items())) for k in (2, 3, 4)
    )
    if not two:
        return float(mean), 0.0, np.nan, np.nan
    return float(mean), two, three / two**1.5, four / two**2 - 3


def tail(found, x):
    """P(X >= x)."""
    return float(sum(p for value, p in found.items() if value >= x))


@cache
def tied_law(blocks, relevant, ties):
    """AP with blocks of equal score, labels permuted over the items: {value: probability}."""
    items = sum(blocks)
    owner = [i for i, size in enumerate(blocks) for _ in range(size)]
    found = {}
    for hits in combinations(range(items), relevant):
        counts = tuple(sum(owner[item] == i for item in hits) for i in range(len(blocks)))
        value = (tied_expected if ties == "expected" else tied_whole)(blocks, counts)
        found[value] = found.get(value, 0) + Fraction(1, comb(items, relevant))
    return dict(sorted(found.items()))


@cache
def tied_expected(blocks, counts):
    """Mean AP over all orders inside the blocks."""
    total, start, before = Fraction(0), 0, 0
    for size, hits in zip(blocks, counts, strict=True):
        orders = set(permutations([1] * hits + [0] * (size - hits)))
        for order in orders:
            ranks = [start + i for i, label in enumerate(order, 1) if label]
            total += sum(
                (Fraction(before + i, rank) for i, rank in enumerate(ranks, 1)), Fraction(0)
            ) / len(orders)
        start, before = start + size, before + hits
    return total / before


def tied_whole(blocks, counts):
    """AP where each block is retrieved at once."""
    total, end, found = Fraction(0), 0, 0
    for size, hits in zip(blocks, counts, strict=True):
        end, found = end + size, found + hits
        total += Fraction(hits * found, end)
    return total / found


def blocks_after(rank, before, blocks, hits, ties):
    """What blocks after `rank` items and `before` hits add to m AP, with `hits` in them: {sum:
    probability}.
    """
    owner = [i for i, size in enumerate(blocks) for _ in range(size)]
    # Items before, as a block of its own that holds the hits before and is not counted.
    found = {}
    for chosen in combinations(range(len(owner)), hits):
        counts = (before, *(sum(owner[item] == i for item in chosen) for i in range(len(blocks))))
        whole = (tied_expected if ties == "expected" else tied_whole)((rank, *blocks), counts) * (
            before + hits
        )
        first = (
            (tied_expected if ties == "expected" else tied_whole)((rank,), (before,)) * before
            if before
            else 0
        )
        found[whole - first] = found.get(whole - first, 0) + Fraction(1, comb(len(owner), hits))
    return found


def three_hits(items, s):
    """P(1/a + 2/b + 3/c >= s), a < b < c the ranks of three hits: every a and b, and the last c
    that is enough.
    """
    total = 0
    for a in range(1, items - 1):
        b = np.arange(a + 1, items)
        need = s * (1 - 1e-13) - 1 / a - 2 / b
        last = np.where(
            need <= 0, items, np.minimum(np.floor(3 / np.where(need <= 0, 1, need)), items)
        )
        found = np.maximum(last - b, 0).sum()
        if not found:
            break
        total += found
    return total / comb(items, 3)


def simulated(items, relevant, size, seed):
    """AP of random rankings, each a shuffled list of labels."""
    rng = np.random.default_rng(seed)
    labels = np.zeros(items, np.int8)
    labels[:relevant] = 1
    values = np.empty(size)
    rank = np.arange(1, items + 1)
    for i in range(size):
        order = rng.permutation(labels)
        values[i] = np.sum(np.cumsum(order) / rank * order) / relevant
    return values


def weighted_rare(items, relevant, x, size, seed):
    """P(AP >= x) and its standard error: ranks drawn half log-uniformly, half uniformly, and
    weighted.
    """
    rng = np.random.default_rng(seed)
    rank = np.arange(1, items + 1)
    density = 0.5 / rank / np.sum(1 / rank) + 0.5 / items
    drawn = np.sort(rng.choice(rank, (size, relevant), p=density / density.sum()), axis=1)
    # The number of ordered ways of distinct ranks, over the density of the draw; twice the same
    # rank: 0.
    log = -np.log(density[drawn - 1]).sum(axis=1) - np.log(items - np.arange(relevant)).sum()
    weight = np.where((np.diff(drawn, axis=1) == 0).any(axis=1), 0.0, np.exp(log))
    value = (np.arange(1, relevant + 1) / drawn).sum(axis=1) / relevant
    part = weight * (value >= x * (1 - 1e-12))
    return part.mean(), part.std(ddof=1) / size**0.5


def weighted_dense(items, relevant, x, size, seed, tilt):
    """The same where hits are many: placements tilted towards early ranks by Savage's scores.

    P(placement) is proportional to exp(tilt sum of scores); it is drawn rank by rank, its
    normalisation being an elementary symmetric polynomial.
    """
    rng = np.random.default_rng(seed)
    score = np.cumsum(1 / np.arange(items, 0, -1.0))[::-1]
    level = tilt * (score - 1)
    ways = np.full((items + 1, relevant + 1), -np.inf)
    ways[items, 0] = 0
    for rank in range(items - 1, -1, -1):
        ways[rank] = ways[rank + 1]
        ways[rank, 1:] = np.logaddexp(ways[rank, 1:], level[rank] + ways[rank + 1, :-1])
    uniform = sum(np.log(items - i) - np.log(i + 1) for i in range(relevant))
    left, found, value, tilted = (
        np.full(size, relevant),
        np.zeros(size),
        np.zeros(size),
        np.zeros(size),
    )
    for rank in range(items):
        some = left > 0
        chance = np.zeros(size)
        chance[some] = np.exp(level[rank] + ways[rank + 1, left[some] - 1] - ways[rank, left[some]])
        hit = rng.random(size) < chance
        found += hit
        value += hit * found / (rank + 1)
        tilted += hit * level[rank]
        left -= hit
    part = np.exp(ways[0, relevant] - uniform - tilted) * (value / relevant >= x * (1 - 1e-12))
    return part.mean(), part.std(ddof=1) / size**0.5


def simulated_cutoff(items, relevant, cutoff, norm, size, seed):
    """AP at a cutoff of random rankings: hits rank by rank, as long as ranks count."""
    rng = np.random.default_rng(seed)
    left, total = np.full(size, relevant), np.zeros(size)
    for rank in range(1, cutoff + 1):
        hit = rng.random(size) * (items - rank + 1) < left
        left = left - hit
        total += hit * (relevant - left) / rank
    over = {
        "relevant": relevant,
        "min": min(relevant, cutoff),
        "found": np.maximum(relevant - left, 1),
    }[norm]
    return total / over


def weighted_cutoff(items, relevant, cutoff, x, size, seed):
    """P(AP at a cutoff >= x) and its standard error, for each x: more hits, at earlier ranks, and
    weighted.
    """
    rng = np.random.default_rng(seed)
    counts = np.arange(1, min(relevant, cutoff, 60) + 1)
    chance = [
        comb(cutoff, j) * comb(items - cutoff, relevant - j) / comb(items, relevant)
        for j in counts.tolist()
    ]
    drawn = np.power(chance, 0.4)
    drawn /= drawn.sum()
    rank = np.arange(1, cutoff + 1)
    density = 0.7 / rank / np.sum(1 / rank) + 0.3 / cutoff
    sums = np.zeros((len(x), 2))
    for count, times, true, share in zip(
        counts.tolist(), rng.multinomial(size, drawn), chance, drawn, strict=True
    ):
        some = np.minimum(
            np.searchsorted(np.cumsum(density), rng.random((times, count))) + 1, cutoff
        )
        some = np.sort(some, axis=1)
        log = -np.log(density[some - 1]).sum(axis=1) - np.log(cutoff - np.arange(count)).sum()
        weight = np.where((np.diff(some, axis=1) == 0).any(axis=1), 0.0, np.exp(log) * true / share)
        value = (np.arange(1, count + 1) / some).sum(axis=1)
        part = weight * (value >= np.asarray(x)[:, None] * relevant * (1 - 1e-11))
        sums += np.stack((part.sum(axis=1), (part**2).sum(axis=1)), axis=1)
    mean = sums[:, 0] / size
    return mean, np.sqrt(np.maximum(sums[:, 1] / size - mean**2, 0) / size)


def simulated_blocks(blocks, relevant, kind, size, seed):
    """AP ("expected", "block") or area under ROC ("area") of labels permuted over blocks of equal
    score.
    """
    rng = np.random.default_rng(seed)
    items, rank, before, total = sum(blocks), 0, np.zeros(size), np.zeros(size)
    for block in blocks:
        left = relevant - before
        hits = rng.hypergeometric(
            left.astype(int), (items - rank - left).astype(int), block
        ).astype(float)
        if kind == "area":
            others_below = items - rank - block - (left - hits)
            total += hits * others_below + hits * (block - hits) / 2
        elif kind == "block":
            total += hits * (before + hits) / (rank + block)
        else:
            places = np.arange(1, block + 1)
            once = np.sum(1 / (rank + places)) / block
            # Of the other hits in the block, a hit at place i has (i - 1) / (block - 1) of them
            # above it, on average.
            pairs = np.sum((places - 1) / (rank + places)) / (block * max(block - 1, 1))
            total += hits * (before + 1) * once + hits * (hits - 1) * pairs
        rank, before = rank + block, before + hits
    return total / (relevant * (items - relevant) if kind == "area" else relevant)


def at_values(drawn, often=5):
    """(value, share at it or above, share at it or below): at some quantiles, and at the most
    frequent values.
    """
    _, index, times = np.unique(np.round(drawn, 12), return_index=True, return_counts=True)
    some = np.sort(drawn)[[int(len(drawn) * (1 - p)) for p in (0.97, 0.8, 0.5, 0.2, 0.05, 0.01)]]
    for x in [*some, *drawn[index[np.argsort(-times)[:often]]]]:
        near = 1e-10 * max(abs(x), 1e-6)
        yield float(x), np.mean(drawn >= x - near), np.mean(drawn <= x + near)
