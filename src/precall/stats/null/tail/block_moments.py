"""Sums of blocks of equal score, as parts of S = m AP: coefficients, and moments to order 4.

With q hits in a block of g items after r ranks and H hits, the block adds a q H + b q + c q (q-1)
to S. For the mean over orders inside the block (McSherry & Najork 2008), a = b =
(H_{r+g} - H_r)/g and c = (g - (r+1)(H_{r+g} - H_r))/(g(g-1)), in harmonic numbers. If the block is
taken as a whole, a = b = c = 1/(r+g).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from math import comb, factorial
from typing import Any, TypeAlias

import numpy as np

from precall.core.ragged import Float64, Int64
from precall.stats.null.tail import moments
from precall.stats.null.tail.moments import (
    Levels,
    Wide,
    add_increments,
    standardise,
    starting_levels,
)

#: With more blocks than this, floats of 64 bits are used: they give some 9 digits of the variance.
_MANY = 100_000
#: How many blocks have their first two moments added up at once: the arrays fit into the cache.
_AT_ONCE = 4096
#: With more blocks than this, small late ones are joined for skewness and kurtosis.
_FOLLOWED = 500
#: Joined blocks have this share of their first rank.
_SHARE = 0.02

#: Extended floats, or floats of 64 bits.
Floats: TypeAlias = Any


@dataclass(frozen=True, eq=False)
class TiedBlocks:
    """Consecutive blocks: their sizes, the ranks of their last items, and a, b, c."""

    size: Int64
    end: Int64
    a: Floats
    b: Floats
    c: Floats

    def __getitem__(self, part: slice) -> TiedBlocks:
        return TiedBlocks(self.size[part], self.end[part], self.a[part], self.b[part], self.c[part])

    @property
    def terms(self) -> tuple[Float64, Float64, Float64]:
        """a, b, c in floats of 64 bits."""
        a, b, c = (values.astype(np.float64) for values in (self.a, self.b, self.c))
        return a, b, c

    def precisions(self, hits: Float64) -> Float64:
        """The sum of the precision at all hits, given the number of hits in each block: for each
        row of `hits`, which is a ranking.
        """
        a, b, c = self.terms
        before = np.cumsum(hits, axis=-1) - hits
        return np.asarray((a * hits * before + b * hits + c * hits * (hits - 1)).sum(axis=-1))

    @cached_property
    def rank(self) -> int:
        """Items before the blocks."""
        return int(self.end[0] - self.size[0])

    @cached_property
    def items(self) -> int:
        """Items in all blocks."""
        return int(self.end[-1]) - self.rank

    def misses(self, before: int = 0) -> tuple[float, TiedBlocks]:
        """The sum over the blocks without misses in them, and the blocks with the coefficients that
        misses have: they add to that sum as hits add to S.

        `before` misses stand before the blocks.
        """
        g = self.size.astype(self.a.dtype)
        r = self.end - self.size
        pairs = self.a * g
        below = pairs.sum() - np.cumsum(pairs)
        b = -self.a * r - self.b - 2 * self.c * (g - 1) - below
        perfect = (pairs * (r - before) + self.b * g + self.c * g * (g - 1)).sum()
        return float(perfect), TiedBlocks(self.size, self.end, self.a, b, self.c)


def coefficients(size: Int64, ties: str, rank: int = 0) -> TiedBlocks:
    """The blocks of these sizes after `rank` items, with their coefficients."""
    wide = size.astype(np.longdouble)
    last = rank + np.cumsum(size)
    end = last.astype(np.longdouble)
    if ties == "block":
        return TiedBlocks(size, last, 1 / end, 1 / end, 1 / end)
    inside = moments.reciprocals(end - wide, wide)
    with np.errstate(divide="ignore", invalid="ignore"):
        c = np.where(size > 1, (wide - (end - wide + 1) * inside) / (wide * (wide - 1)), 0)
    return TiedBlocks(size, last, inside / wide, inside / wide, c)


def powers(blocks: TiedBlocks, before: int = 0) -> tuple[Wide, Wide]:
    """E[S] and E[S²] of the sum over the blocks after `before` hits, as coefficients of p_0 ...
    p_4.

    A product of falling factorials of the hits in different blocks has the expectation p_k times
    the same product of the sizes, with k its total order. So every product below is a row of
    coefficients, with a column per block.
    """
    sums = np.zeros((2, 5), np.longdouble)
    carried: list[Any] = [np.longdouble(0), *np.zeros((2, 5, 1), np.longdouble)]
    for start in range(0, len(blocks.size), _AT_ONCE):
        sums += _powers(blocks[start : start + _AT_ONCE], before, carried)
    return sums[0], sums[1]


def _powers(blocks: TiedBlocks, hits: int, carried: list[Any]) -> Wide:
    """The same for a slice of the blocks.

    `carried` has the ranks, E[S] and E[S H] of the blocks before, and is updated.
    """
    a, c = blocks.a, blocks.c
    b = blocks.b + hits * a
    g = blocks.size.astype(a.dtype)
    r = carried[0].astype(a.dtype) + np.cumsum(g) - g
    carried[0] = r[-1] + g[-1]
    g2, r2 = g * (g - 1), r * (r - 1)
    g3, g4 = g2 * (g - 2), g2 * (g - 2) * (g - 3)

    def row(*coefficients: Any) -> Wide:
        rows = np.zeros((5, len(g)), a.dtype)
        for order, values in enumerate(coefficients, 1):
            rows[order] = values
        return rows

    def times(factor: Wide, order: int, values: Wide) -> Wide:
        raised = np.zeros_like(values)
        raised[order:] = values[: 5 - order]
        return raised * factor

    def before(values: Wide, index: int) -> Wide:
        until = np.cumsum(values, axis=1) + carried[index].astype(a.dtype)
        carried[index] = until[:, -1:]
        return np.asarray(until - values)

    x = row(b * g, a * g * r + c * g2)
    total = before(x, 1)
    # With X the sum of a block, in falling factorials q(2) = q (q-1), ...: X H, with q H² =
    # q H(2) + q H; and X q, with q² = q(2) + q and q q(2) = q(3) + 2 q(2).
    xh = row(0, a * g * r + b * g * r, a * g * r2 + c * g2 * r)
    xq = row(b * g, a * g * r + b * g2 + 2 * c * g2, a * g2 * r + c * g3)
    with_hits = before(times(g, 1, total) + xh + xq, 2)
    square = row(
        b * b * g,
        (a * a + 2 * a * b) * g * r + b * b * g2 + 4 * b * c * g2 + 2 * c * c * g2,
        a * a * (g2 * r + g * r2)
        + 2 * a * b * g2 * r
        + 4 * a * c * g2 * r
        + 2 * b * c * g3
        + 4 * c * c * g3,
        a * a * g2 * r2 + 2 * a * c * g3 * r + c * c * g4,
    )
    cross = times(a * g, 1, with_hits) + times(b * g, 1, total) + times(c * g2, 2, total)
    return np.stack((x.sum(axis=1), (square + 2 * cross).sum(axis=1)))


def moments_of(items: int, relevant: int, blocks: TiedBlocks) -> tuple[float, float]:
    """Mean and variance of AP, exactly, in one pass over the blocks."""
    some = (
        TiedBlocks(blocks.size, blocks.end, *blocks.terms) if len(blocks.size) > _MANY else blocks
    )
    # Hits or misses, whichever are fewer, as in `cumulants_of`.
    perfect, count = 0.0, relevant
    if 2 * relevant > items:
        (perfect, some), count = some.misses(), items - relevant
    p = np.array(moments.products(items, np.longdouble(count), 4), np.longdouble)
    mean, second = ((one * p).sum() for one in powers(some))
    return float((perfect + mean) / relevant), max(float((second - mean * mean) / relevant**2), 0.0)


def cumulants_of(before: int, hits: int, blocks: TiedBlocks) -> tuple[float, float, float, float]:
    """Mean, variance, skewness and excess kurtosis of the sum over the blocks, with `hits` hits in
    them and `before` hits before.

    It counts hits or misses, whichever are fewer: powers of a sum over nearly all items leave no
    digits.
    """
    if 2 * hits <= blocks.items:
        return standardise(_rows(before, blocks), blocks.items, hits)
    misses = blocks.rank - before
    perfect, some = blocks.misses(misses)
    loss = standardise(_rows(misses, some), blocks.items, blocks.items - hits)
    return perfect + loss[0], *loss[1:]


def join_late_blocks(
    blocks: TiedBlocks, most: int = _FOLLOWED, share: float = _SHARE
) -> TiedBlocks:
    """Join late blocks that are small compared with their rank, if there are more than `most`; some
    hundred are left.

    Joined blocks count with the mean over their orders. This hardly changes variance, skewness and
    kurtosis: with the default share, the ranks of hits stay the same to two per cent.
    """
    if len(blocks.size) <= most:
        return blocks
    stops, at, last = [], 0, blocks.rank
    while at < len(blocks.end):
        wanted = np.searchsorted(blocks.end, last + max(int(share * last), 1), "right")
        at = max(int(wanted), at + 1)
        stops.append(at - 1)
        last = int(blocks.end[at - 1])
    wide = coefficients(np.diff(blocks.end[stops], prepend=blocks.rank), "expected", blocks.rank)
    alone = blocks.size[stops] == wide.size
    own = ((blocks.a, wide.a), (blocks.b, wide.b), (blocks.c, wide.c))
    return TiedBlocks(
        wide.size, wide.end, *(np.where(alone, here[stops], other) for here, other in own)
    )


def _rows(before: int, blocks: TiedBlocks) -> list[Any]:
    """Coefficients of E[S], ..., E[S^4] in p_0, p_1, ..., as if the numbers of hits in blocks were
    independent.
    """
    size = blocks.size.astype(np.longdouble)
    factorials = [np.ones_like(size)]
    for j in range(8):
        factorials.append(factorials[-1] * np.maximum(size - j, 0))
    after = add_increments(starting_levels(before), partial(_increments, blocks, factorials))
    return [after[a, 0] for a in range(1, 5)]


def _increments(blocks: TiedBlocks, factorials: list[Wide], before: Levels, a: int, b: int) -> Wide:
    """The increase of E[S^a H^b] by each block: moments before it times those of its own hits."""
    result = np.zeros((2 * a + b + 1, len(blocks.size)), np.longdouble)
    for i in range(a + 1):
        for power, own in _moments_of_block(i, b, blocks, factorials).items():
            if i == 0 and power == b:
                continue
            source = before[a - i, power]
            for j, factor in enumerate(own):
                if factor is not None:
                    result[j : j + len(source)] += comb(a, i) * factor * source
    return result


def _moments_of_block(
    i: int, b: int, blocks: TiedBlocks, factorials: list[Wide]
) -> dict[int, list[Any]]:
    """E[(a q H + b q + c q (q-1))^i (H + q)^b] of a block: by power of H, the coefficients of a
    polynomial in p.
    """
    result: dict[int, list[Any]] = {}
    for x, y, z, w, weight in _terms(i, b):
        own = result.setdefault(x + b - w, [None] * (2 * i + b + 1))
        factor = weight * blocks.a**x * (blocks.b - blocks.c) ** y * blocks.c**z
        for j in range(i + z + w + 1):
            number = _partitions(i + z + w, j)
            if number:
                own[j] = number * factor * factorials[j] + (0 if own[j] is None else own[j])
    return result


@lru_cache(maxsize=64)
def _terms(i: int, b: int) -> list[tuple[int, int, int, int, int]]:
    """The terms of (a q H + (b - c) q + c q²)^i (H + q)^b: exponents x, y, z of the three summands,
    exponent w of q in the second factor, and the number of times.
    """
    terms = []
    for x in range(i + 1):
        for y in range(i + 1 - x):
            z = i - x - y
            ways = factorial(i) // (factorial(x) * factorial(y) * factorial(z))
            terms += [(x, y, z, w, ways * comb(b, w)) for w in range(b + 1)]
    return terms


@lru_cache(maxsize=128)
def _partitions(k: int, j: int) -> int:
    """Stirling number of the second kind: q^k is the sum over j of these times the falling
    factorials of q.
    """
    if k == j:
        return 1
    return 0 if j == 0 or j > k else j * _partitions(k - 1, j) + _partitions(k - 1, j - 1)
