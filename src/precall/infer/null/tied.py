"""The law of AP under ties: blocks of equal score stay where they are, labels are permuted over the items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb, sqrt

import numpy as np

from precall.errors import UsageError
from precall.infer.null.distribution import SMALLEST, Accuracy, Law
from precall.infer.null.tail.atoms import Table
from precall.infer.null.tail.blockwise import Blocks, coefficients, cumulants_of, joined, moments_of
from precall.infer.null.tail.draws import probabilities
from precall.infer.null.tail.enumeration import TOLERANCE
from precall.infer.null.tail.runs import tails_of
from precall.infer.null.tail.staircase import Tails
from precall.ragged import Float64, Int64

TIES = ("expected", "block")
#: States (hits so far, sum so far) that are followed exactly, at most.
_STATES = 1_000_000
#: Pairs of hits before and in a block, at most.
_MOVES = 200_000
#: So many hits in different blocks are in more places than can be followed, when blocks are many.
_TOO_MANY = 6
#: States that are made on the way, at most.
_MADE = 4_000_000
#: Exact fractions are added up so many times, of so many items, at most.
_ADDED, _ITEMS = 100_000, 1000
#: What a convolution leaves out, so that it knows nothing below.
_LEAST = 1e-12


def tied(items: int, relevant: int, blocks: Int64, ties: str) -> Law:
    """The law of AP with these blocks; see `average_precision`.

    Examples
    --------
    >>> law = tied(4, 2, np.array([1, 3]), "expected")
    >>> round(law.mean, 6), {round(x, 6): round(law.sf(x), 6) for x in (0.5, 0.8)}
    (0.680556, {0.5: 1.0, 0.8: 0.5})
    """
    if ties not in TIES:
        raise UsageError(f"ties: got {ties!r}, allowed are {', '.join(TIES)}")
    return Tied(items, relevant, coefficients(blocks, ties), ties)


@dataclass(frozen=True, eq=False, repr=False)
class Tied(Law):
    """AP of `relevant` of `items` in `blocks` of equal score, labels permuted; see `average_precision`."""

    items: int
    relevant: int
    blocks: Blocks
    ties: str
    _known = _LEAST

    @property
    def name(self) -> str:
        return f"AP ({self.ties}) in {len(self.blocks.size)} blocks, {self.relevant} of {self.items} items relevant"

    @cached_property
    def _exact_moments(self) -> tuple[float, float]:
        return moments_of(self.items, self.relevant, self.blocks)

    def _moments(self) -> tuple[float, float]:
        return self._exact_moments

    def _shape(self) -> tuple[float, float]:
        states = self._states
        if states is None:
            return cumulants_of(0, self.relevant, joined(self.blocks))[2:]
        mean, var = self._moments()
        if not var > 0:
            return float("nan"), float("nan")
        away = (states[0] - mean) / sqrt(var)
        return float((states[1] * away**3).sum()), float((states[1] * away**4).sum()) - 3

    def _ends(self) -> tuple[float, float]:
        return 0.0, 1.0

    @cached_property
    def _states(self) -> tuple[Float64, Float64] | None:
        a, b, c = (one.astype(np.float64) for one in (self.blocks.a, self.blocks.b, self.blocks.c))
        states = followed(self.items, self.relevant, tuple(self.blocks.size.tolist()), a, b, c)
        return None if states is None else (states[0] / self.relevant, states[1])

    def _atoms(self) -> tuple[Float64, Float64] | None:
        return self._states

    def pmf(self) -> dict[Fraction, Fraction]:
        """Every value of AP and its probability, as exact fractions; only where there are few."""
        if self.items > _ITEMS:
            return super().pmf()
        sizes = self.blocks.size.tolist()
        ways = listed(self.relevant, sizes, exact_terms(sizes, self.ties))
        if ways is None:
            return super().pmf()
        whole = comb(self.items, self.relevant)
        return {total / self.relevant: Fraction(ways[total], whole) for total in sorted(ways)}

    @cached_property
    def _table(self) -> Tails | Table:
        return tails_of(self.items, self.relevant, self.blocks, self._exact_moments)

    def _heavy(self) -> tuple[Float64, Float64] | None:
        if not isinstance(self._table, Table):
            return None
        values, masses = self._table.heavy()
        return values / self.relevant, masses

    @property
    def approximate(self) -> Accuracy:
        """How `sf` is found and how good it is: false where it is exact."""
        if self._states is not None:
            return Accuracy("enumeration of counts per block")
        return Accuracy("convolution over blocks", 0.02, 1e-6)

    def _at_least(self, x: Float64) -> Float64:
        x = np.asarray(x * (1 - TOLERANCE) - 1e-300, np.float64)
        if self._states is not None:
            values, chance = self._states
            tail = np.concatenate((np.cumsum(chance[::-1])[::-1], [0.0]))
            place = np.searchsorted(values, x)
            return np.where(place < len(values), np.clip(tail[place], SMALLEST, 1.0), 0.0)
        result = np.where(x <= 0, 1.0, 0.0)
        inside = (x > 0) & (x <= 1)
        if not inside.any():
            return result
        p = self._table(x[inside] * self.relevant)
        result[inside] = np.maximum(p, _LEAST)
        return result

    def _above(self, x: Float64) -> Float64:
        return self._at_least(np.asarray(x * (1 + 2 * TOLERANCE) + 2e-300, np.float64))

    def _draw(self, size: int, rng: np.random.Generator) -> Float64:
        a, b, c = (one.astype(np.float64) for one in (self.blocks.a, self.blocks.b, self.blocks.c))
        found = np.empty(size)
        batch = max(1, 2**22 // len(self.blocks.size))
        for start in range(0, size, batch):
            now = min(batch, size - start)
            q = rng.multivariate_hypergeometric(
                self.blocks.size, self.relevant, now, method="marginals"
            ).astype(float)
            before = np.cumsum(q, axis=1) - q
            found[start : start + now] = (a * q * before + b * q + c * q * (q - 1)).sum(axis=1)
        return found / self.relevant


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
        now = sum(len(one[0]) for one in states.values()) * more
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
        if sum(len(one[0]) for one in states.values()) > _STATES:
            return None
    sums, chance = states[relevant]
    return sums, chance


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
            above = sum((place * one for place, one in enumerate(shares)), Fraction(0))
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
    new = np.concatenate(([True], np.diff(sums) > 1e-11 * np.maximum(sums[1:], 1)))
    return sums[new], np.add.reduceat(chance, np.flatnonzero(new))
