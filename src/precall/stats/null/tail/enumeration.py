"""Exact distributions by listing: every placement of the hits and every count of hits per block in
small cases, the best placements in large cases.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from math import comb, fsum, lcm
from typing import Any

import numpy as np

from precall.core.ragged import Float64, Int64, spread
from precall.stats.null.tail.hypergeometric import probabilities
from precall.stats.null.tail.moments import harmonic

#: How many placements are listed one by one, at most.
PLACEMENTS = 3_000_000
#: The same with exact fractions; and the binary digits of all of these, at most.
_FRACTIONS, _DIGITS = 200_000, 2**27


def patterns(items: int, relevant: int, cutoff: int) -> int:
    """The number of placements of hits among the first `cutoff` ranks, or a large number if there
    are far too many to list.
    """
    low, high = _ends(items, relevant, cutoff)
    if cutoff < items and cutoff > 40 and high - low > 4:
        return int(2**cutoff)
    total = 0
    # Placements with smaller numbers of hits are all listed on the way.
    for hits in range(low if low == high else 0, high + 1):
        # The exact number for millions of items would take longer to compute than to refuse.
        if min(hits, cutoff - hits) > 64:
            return 2**64
        total += comb(cutoff, hits)
    return total


def _ends(items: int, relevant: int, cutoff: int) -> tuple[int, int]:
    return max(0, relevant - (items - cutoff)), min(relevant, cutoff)


@lru_cache(maxsize=8)
def enumerate_placements(
    items: int, relevant: int, cutoff: int, norm: str
) -> tuple[Float64, Float64]:
    """AP of every placement among the first `cutoff` ranks, ascending, and the probabilities."""
    low, high = _ends(items, relevant, cutoff)
    chance = probabilities(items, [relevant], cutoff, low, high)[0].tolist()
    sums = _sums(low, high, cutoff)
    if low == high:
        return np.sort(sums[0]) / _over(norm, low, relevant, cutoff), np.full(
            len(sums[0]), 1 / len(sums[0])
        )
    values = np.concatenate(
        [part / _over(norm, h, relevant, cutoff) for h, part in enumerate(sums, low)]
    )
    chances = np.concatenate(
        [np.full(len(part), p / len(part)) for p, part in zip(chance, sums, strict=True)]
    )
    order = np.argsort(values)
    return values[order], chances[order]


def _sums(low: int, high: int, cutoff: int, over: int = 1, exact: bool = False) -> list[Any]:
    """S of all placements with low ... high hits, an array per number: floats, or exact numerators
    over `over`.
    """
    if low == high and 2 * low > cutoff:
        # Misses are fewer than hits: the i-th miss at rank M takes away H_n - H_{M-1} - i/M.
        below = np.zeros(cutoff + 1, np.object_ if exact else np.float64)
        for rank in range(cutoff, 0, -1):
            below[rank - 1] = below[rank] + (over // rank if exact else 1 / rank)
        losses = _sum_choices(
            cutoff - low,
            cutoff,
            lambda i, t: (i * over // t if exact else i / t) - below[t - 1],
            exact,
            True,
        )[-1]
        return [losses + low * over]
    sums = _sum_choices(
        high, cutoff, lambda i, t: i * over // t if exact else i / t, exact, low == high
    )
    return sums[low:]


def _sum_choices(
    count: int, ranks: int, term: Callable[[int, int], Any], exact: bool, last_only: bool
) -> list[Any]:
    """Sums of term(i, rank) over all choices of 0, 1, ... `count` ranks, ordered by the last rank.

    The sums over i ranks with the last rank t are one term plus the sums over i - 1 ranks before t,
    which stand at the beginning. With `last_only`, choices that leave no room for the rest are left
    out.
    """
    kind = np.object_ if exact else np.float64
    chosen = [np.zeros(1, kind)]
    ends = [1] * (ranks + 1)
    for i in range(1, count + 1):
        top = ranks - (count - i) if last_only else ranks
        parts, after = [np.zeros(0, kind)], [0] * (ranks + 1)
        for rank in range(i, top + 1):
            parts.append(chosen[-1][: ends[rank - 1]] + term(i, rank))
            after[rank] = after[rank - 1] + ends[rank - 1]
        chosen.append(np.concatenate(parts))
        ends = after
    return chosen


def most_fractions(items: int, relevant: int, cutoff: int) -> int:
    """The number of placements up to which there are exact fractions: these have a binary digit or
    two for each rank and each hit.
    """
    return min(_FRACTIONS, _DIGITS // (cutoff + 2 * min(relevant, items - relevant)))


def fractions(items: int, relevant: int, cutoff: int, norm: str) -> dict[Fraction, Fraction]:
    """The exact distribution: each value of AP and its probability, ascending."""
    denominator = lcm(*range(1, cutoff + 1))
    low, high = _ends(items, relevant, cutoff)
    all_of_them = comb(items, relevant)
    # With a common denominator, values are integers, which sort and add a hundred times as fast as
    # fractions.
    common = lcm(*(_over(norm, hits, relevant, cutoff) for hits in range(low, high + 1)))
    ways: Counter[int] = Counter()
    for hits, sums in enumerate(_sums(low, high, cutoff, denominator, exact=True), low):
        factor = common // _over(norm, hits, relevant, cutoff)
        others = comb(items - cutoff, relevant - hits)
        for total, count in Counter(sums.tolist()).items():
            ways[total * factor] += count * others
    return {
        Fraction(value, denominator * common): Fraction(count, all_of_them)
        for value, count in sorted(ways.items())
    }


def _over(norm: str, hits: int, relevant: int, cutoff: int) -> int:
    return {"found": max(hits, 1), "min": min(relevant, cutoff), "relevant": relevant}[norm]


def placements_from_top(items: int, relevant: int, s: float, most: int = 100_000) -> int | None:
    """The number of placements with S >= s; None if more than `most` partial ones would have to be
    examined.

    Hits are placed one after another. The i-th may stand as far down as S can still reach s, with
    all later hits at the ranks right behind it. The ranks of the last hit are counted, not listed.

    Examples
    --------
    >>> placements_from_top(1000, 3, 3.0), placements_from_top(1000, 3, 2.5)
    (1, 4)
    """
    # The caller has allowed for the rounding of s; this allows for that of the sums made here.
    target = s * (1 - 1e-13)
    rank, total = np.zeros(1, np.int64), np.zeros(1)
    for i in range(1, relevant):
        count = _furthest(items, relevant, i, rank, target - total) - rank
        if count.sum() > most:
            return None
        owner, rank = spread(rank + 1, count)
        total = total[owner] + i / rank
    return int((_furthest(items, relevant, relevant, rank, target - total) - rank).sum())


#: With fewer ranks than this many times the placements, all ranks are computed once instead of a
#: binary search for each placement.
_HALVINGS = 8


def _furthest(items: int, relevant: int, i: int, rank: Int64, need: Float64) -> Int64:
    """The last rank of hit i after `rank` such that hits i, i + 1, ... at consecutive ranks from
    there add at least `need`.
    """
    most, j = items - relevant + i, np.arange(i, relevant + 1)
    rows = max(2**22 // len(j), 1)

    def best(first: Int64) -> Float64:
        batches = [first[begin : begin + rows, None] for begin in range(0, len(first), rows)]
        return np.concatenate([(j / (batch + (j - i))).sum(axis=1) for batch in batches])

    if most < _HALVINGS * len(rank):
        # The sum falls with the rank, and one sum per rank is less work than some per placement.
        return np.maximum(np.searchsorted(-best(np.arange(1, most + 1)), -need, "right"), rank)
    low, high = rank.copy(), np.full(len(rank), most)
    while np.any(low < high):
        middle = (low + high + 1) // 2
        enough = best(middle) >= need
        low, high = np.where(enough, middle, low), np.where(enough, high, middle - 1)
    return np.asarray(low, np.int64)


#: How many states (hits so far, sum so far) are followed exactly, at most.
_STATES = 1_000_000
#: How many pairs of hits before and in a block there are, at most.
_MOVES = 200_000
#: If blocks are many, this many hits in different blocks have more placements than can be followed.
_TOO_MANY = 6
#: How many states are made on the way, at most.
_MADE = 20_000_000
#: Sums that differ relatively by less are equal; with some millions of items, different sums differ
#: by little more.
_ROUNDING = 1e-13
#: Half the distance of floats below 1.
_HALF = 2.0**-54
#: How many exact sums are added up, at most.
_ADDED = 100_000


def follow_blocks(
    items: int, relevant: int, blocks: tuple[int, ...], a: Float64, b: Float64, c: Float64
) -> tuple[Float64, Float64] | None:
    """Every sum and its probability, ascending; None if there are too many states on the way."""
    if relevant == 1:
        return merge(b, np.array(blocks) / items)
    if items - relevant == 1 and a.any():
        return _with_one_miss(items, np.array(blocks), a, b, c)
    if comb(len(blocks), min(relevant, items - relevant, _TOO_MANY)) > 100 * _STATES:
        return None
    states = {0: (np.zeros(1), np.ones(1))}
    rank = count = 0
    for i, size in enumerate(blocks):
        more = min(size, relevant) + 1
        now = sum(len(sums) for sums, _ in states.values()) * more
        count += now
        if now > 4 * _STATES or count > _MADE or len(states) * more > _MOVES:
            return None
        after: dict[int, list[tuple[Float64, Float64]]] = {}
        for h, (sums, chance) in states.items():
            high = min(size, relevant - h)
            share = probabilities(items - rank, [relevant - h], size, 0, high)[0]
            for q in np.flatnonzero(share > 0).tolist():
                add = a[i] * q * h + b[i] * q + c[i] * q * (q - 1)
                after.setdefault(h + q, []).append((sums + add, chance * share[q]))
        states = {
            h: merge(*map(np.concatenate, zip(*parts, strict=True))) for h, parts in after.items()
        }
        rank += size
        if sum(len(sums) for sums, _ in states.values()) > _STATES:
            return None
    return states[relevant]


def _with_one_miss(
    items: int, size: Int64, a: Float64, b: Float64, c: Float64
) -> tuple[Float64, Float64]:
    """The same for a single miss, from what it loses in its block and behind it; this stays exact
    in very long lists.
    """
    hits, before = size - 1.0, np.cumsum(size) - size
    behind = np.cumsum((a * size)[::-1])[::-1] - a * size
    loss = hits * (1 - a * before - b - c * (hits - 1)) + behind
    order = np.argsort(-loss, kind="stable")
    return items - 1 - loss[order], size[order] / items


Term = tuple[Fraction, Fraction, Fraction]


def exact_terms(sizes: Iterable[int], ties: str) -> Iterable[Term]:
    """The exact a, b and c of each block: q hits in it, with h hits above the block, add
    q (a h + b + c (q - 1)) to the sum of precisions.
    """
    rank = 0
    for size in sizes:
        if ties == "block":
            yield (Fraction(1, rank + size),) * 3
        else:
            shares = [Fraction(1, size * (rank + order)) for order in range(1, size + 1)]
            share = sum(shares, Fraction(0))
            # Another hit in the block stands above a hit of this order with probability
            # order / (size - 1).
            above = sum((order * share for order, share in enumerate(shares)), Fraction(0))
            yield share, share, above / max(size - 1, 1)
        rank += size


def list_sums(
    relevant: int, sizes: Iterable[int], terms: Iterable[Term]
) -> dict[Fraction, int] | None:
    """Every exact sum and the number of its placements; None if that takes too many additions."""
    # With a common denominator, sums are integers, which add a hundred times as fast as fractions.
    sizes, terms = list(sizes), list(terms)
    denominator = lcm(*(coefficient.denominator for term in terms for coefficient in term))
    states: dict[int, Counter[int]] = {0: Counter({0: 1})}
    added, left = 0, sum(sizes)
    for size, term in zip(sizes, terms, strict=True):
        left -= size
        a, b, c = (
            coefficient.numerator * (denominator // coefficient.denominator) for coefficient in term
        )
        after: dict[int, Counter[int]] = {}
        for h, sums in states.items():
            for q in range(max(0, relevant - h - left), min(size, relevant - h) + 1):
                added += len(sums)
                if added > _ADDED:
                    return None
                into, add = after.setdefault(h + q, Counter()), q * (a * h + b + c * (q - 1))
                ways = comb(size, q)
                for total, count in sums.items():
                    into[total + add] += count * ways
        states = after
    return {Fraction(total, denominator): count for total, count in states[relevant].items()}


def merge(sums: Float64, chance: Float64) -> tuple[Float64, Float64]:
    """Join states with equal sums, ascending; sums that differ only by rounding are equal."""
    order = np.argsort(sums, kind="stable")
    sums, chance = sums[order], chance[order]
    new = np.concatenate(([True], np.diff(sums) > _ROUNDING * np.maximum(sums[1:], 1)))
    return sums[new], np.add.reduceat(chance, np.flatnonzero(new))


def sets_from_top(items: int, relevant: int, ap: float, most: int = 100_000) -> int | None:
    """The number of sets of misses that leave this AP or more; None if more than `most` partial
    ones would have to be examined.

    Examples
    --------
    >>> sets_from_top(1000, 998, 1.0), sets_from_top(1000, 998, 997.9979 / 998)
    (1, 4)
    """
    misses = items - relevant
    # Any AP that rounds to this float is allowed. The loss is compared, because floats of the sum
    # that is left are too coarse.
    allowed = relevant * (1 - ap + _HALF) + 1e-13
    least = [_loss(items, i, np.array([float(relevant + i)]))[0] for i in range(1, misses + 1)]
    rank, loss = np.zeros(1, np.int64), np.zeros(1)
    for i in range(1, misses + 1):
        room = allowed - loss - fsum(least[i:])
        low, high = rank + 1, np.full(len(rank), relevant + i + 1)
        while np.any(low < high):
            middle = (low + high) // 2
            enough = _loss(items, i, middle.astype(np.float64)) <= room
            enough |= middle > relevant + i
            low, high = np.where(enough, low, middle + 1), np.where(enough, middle, high)
        count = relevant + i + 1 - low
        if i == misses:
            break
        if count.sum() > most:
            return None
        owner, rank = spread(low, count)
        loss = loss[owner] + _loss(items, i, rank.astype(np.float64))
    return int(count.sum())


def _loss(items: int, i: int, place: Float64) -> Float64:
    """The loss by the i-th miss at rank `place`: H_n - H_place - (i - 1) / place."""
    # Harmonic numbers by Euler-Maclaurin at half steps, except after low ranks.
    a, b = place + 0.5, items + 0.5
    far = [
        1 / y**2 * (1 / 24 - 1 / y**2 * (7 / 960 - 31 / 8064 / y**2)) for y in (a, np.float64(b))
    ]
    rest = np.log1p((items - place) / a) + far[1] - far[0]
    for rank in np.unique(place[place < 32]).tolist():
        rest[place == rank] = harmonic(int(rank), items - int(rank))[0]
    return np.asarray(rest - (i - 1) / place, np.float64)
