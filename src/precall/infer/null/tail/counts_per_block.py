"""Every count of hits per block of equal score, followed block by block: sums and their probabilities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from math import comb

import numpy as np

from precall.infer.null.tail.hypergeometric import probabilities
from precall.ragged import Float64

#: States (hits so far, sum so far) that are followed exactly, at most.
_STATES = 1_000_000
#: Pairs of hits before and in a block, at most.
_MOVES = 200_000
#: So many hits in different blocks are in more places than can be followed, when blocks are many.
_TOO_MANY = 6
#: States that are made on the way, at most.
_MADE = 4_000_000
#: Sums that differ relatively by less are equal; of some millions of items true ones differ by little more.
_ROUNDING = 1e-13
#: Exact fractions are added up so many times, at most.
_ADDED = 100_000


def followed(
    items: int, relevant: int, blocks: tuple[int, ...], a: Float64, b: Float64, c: Float64
) -> tuple[Float64, Float64] | None:
    """Every sum and its probability, ascending; None where there are too many states on the way."""
    if relevant == 1:
        return merged(b, np.array(blocks) / items)
    if comb(len(blocks), min(relevant, items - relevant, _TOO_MANY)) > 100 * _STATES:
        return None
    states = {0: (np.zeros(1), np.ones(1))}
    rank = made = 0
    for i, size in enumerate(blocks):
        more = min(size, relevant) + 1
        now = sum(len(sums) for sums, _ in states.values()) * more
        made += now
        if now > 4 * _STATES or made > _MADE or len(states) * more > _MOVES:
            return None
        after: dict[int, list[tuple[Float64, Float64]]] = {}
        for h, (sums, chance) in states.items():
            high = min(size, relevant - h)
            share = probabilities(items - rank, [relevant - h], size, 0, high)[0]
            for q in np.flatnonzero(share > 0).tolist():
                add = a[i] * q * h + b[i] * q + c[i] * q * (q - 1)
                after.setdefault(h + q, []).append((sums + add, chance * share[q]))
        states = {h: merged(*map(np.concatenate, zip(*parts, strict=True))) for h, parts in after.items()}
        rank += size
        if sum(len(sums) for sums, _ in states.values()) > _STATES:
            return None
    return states[relevant]


Term = tuple[Fraction, Fraction, Fraction]


def exact_terms(sizes: Iterable[int], ties: str) -> Iterable[Term]:
    """What q hits of a block below h others add to the sum of precisions: q (a h + b + c (q - 1))."""
    rank = 0
    for size in sizes:
        if ties == "block":
            yield (Fraction(1, rank + size),) * 3
        else:
            shares = [Fraction(1, size * (rank + place)) for place in range(1, size + 1)]
            share = sum(shares, Fraction(0))
            # Of the other hits in the block a hit at this place has so many above it on average.
            above = sum((place * share for place, share in enumerate(shares)), Fraction(0))
            yield share, share, above / max(size - 1, 1)
        rank += size


def listed(relevant: int, sizes: Iterable[int], terms: Iterable[Term]) -> dict[Fraction, int] | None:
    """Every sum, exactly, and how many placements have it; None where too much is to be added up.

    Examples
    --------
    >>> {str(total): ways for total, ways in (listed(2, [1, 3], exact_terms([1, 3], "expected")) or {}).items()}
    {'1': 3, '31/18': 3}
    """
    states: dict[int, Counter[Fraction]] = {0: Counter({Fraction(0): 1})}
    added, left = 0, sum(sizes := list(sizes))
    for size, (a, b, c) in zip(sizes, terms, strict=True):
        left -= size
        after: dict[int, Counter[Fraction]] = {}
        for h, sums in states.items():
            for q in range(max(0, relevant - h - left), min(size, relevant - h) + 1):
                added += len(sums)
                if added > _ADDED:
                    return None
                into, add, ways = (
                    after.setdefault(h + q, Counter()),
                    q * (a * h + b + c * (q - 1)),
                    comb(size, q),
                )
                for total, count in sums.items():
                    into[total + add] += count * ways
        states = after
    return dict(states[relevant])


def merged(sums: Float64, chance: Float64) -> tuple[Float64, Float64]:
    """States of equal sum as one, ascending; sums that differ by rounding only are equal."""
    order = np.argsort(sums, kind="stable")
    sums, chance = sums[order], chance[order]
    new = np.concatenate(([True], np.diff(sums) > _ROUNDING * np.maximum(sums[1:], 1)))
    return sums[new], np.add.reduceat(chance, np.flatnonzero(new))
