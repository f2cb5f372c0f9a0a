"""The distribution of a sum of scores drawn without replacement, if a few large blocks hold nearly
all items.

The sum over the large blocks takes few values, or lies on a lattice. The other items spread each of
these values into a cluster, which may be narrower than a cell of a grid over all sums. So the ways
to draw are followed: how many items come from each large block, and from each group of blocks
between two large ones. Given the numbers from the groups, each item counts by the excess of its
score over the least score of its group. The sum of these has a distribution of its own, which is
only as wide as the groups. It is listed if it has few values, computed by power sums for up to
`FEW` items, and for more by a series about the normal distribution.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, fsum, log2
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from precall.core.ragged import Float64, Int64
from precall.stats.null.tail.hypergeometric import probabilities, span
from precall.stats.null.tail.moments import label_powers, linear_shape

#: With more items than this outside the large blocks, power sums take longer than a series about
#: the normal distribution.
FEW = 40
#: A block is large if it has this share of the items outside larger ones; and the number of large
#: blocks, at most.
_LARGE, _MOST = 0.05, 6
#: Ways to draw from large blocks and groups: at most in the end and on the way; less probable ones
#: are left out.
_WAYS, _MADE, _LEAST = 300_000, 4_000_000, 1e-15
#: Sums that are listed for one distribution and for all, at most; points of all grids; points of
#: one grid, if there are many.
_SUMS, _ALL, _POINTS, _FEWEST = 30_000, 2_000_000, 2**22, 2**9
#: How many of the most probable values are kept, at most.
_HEAVY = 60_000

#: Blocks of a group: their sizes, and their scores minus the least score of the group.
Group: TypeAlias = tuple[Int64, Float64]


@dataclass(frozen=True, slots=True, eq=False)
class Outside:
    """The distributions of the sum over the items outside the large blocks, for each way to draw
    from groups.
    """

    step: float
    """Common step of the scores."""
    listed: dict[int, tuple[Float64, Float64]]
    """Ascending sums, and P(sum >= this one) for each, with 0 after the last."""
    cell: float
    row: dict[int, int]
    tails: Float64
    """P(sum >= k cell) in the row of a way."""
    shape: dict[int, tuple[float, float, float, float]]
    """Mean, standard deviation, skewness and excess kurtosis."""

    def __call__(self, way: int, u: Float64) -> Float64:
        """P(sum >= u) for each u that is not a possible sum."""
        if way in self.listed:
            values, tail = self.listed[way]
            return np.asarray(tail[np.searchsorted(values, u)], np.float64)
        # The first sum that counts. If not all are on the grid: half-way to the one before.
        first = np.ceil(u / self.step) * self.step
        if way not in self.row:
            return _series(first - self.step / 2, *self.shape[way])
        position = (
            first / self.cell
            if self.cell == self.step
            else (first - self.step / 2) / self.cell + 0.5
        )
        position = np.clip(position, 0.0, self.tails.shape[1] - 2.0)
        below = position.astype(np.int64)
        fraction = position - below
        tail = self.tails[self.row[way]]
        return np.asarray((1 - fraction) * tail[below] + fraction * tail[below + 1], np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """P(sum >= x), added up over the ways to draw from large blocks and groups."""

    outside: Outside
    ways: list[tuple[int, Float64, Float64]]
    """For each way to draw from groups: its number, the least sums over all items, and their
    probabilities.
    """
    values: Float64
    chance: Float64
    """The most probable of the listed sums, ascending, and their probabilities."""

    def __call__(self, x: Float64, above: bool = False) -> Float64:
        """P(sum >= x) for each x that is not a possible sum, so that P(sum > x) is the same."""
        tails = [
            fsum(float(chance @ self.outside(way, value - sums)) for way, sums, chance in self.ways)
            for value in x.tolist()
        ]
        return np.array(tails, np.float64)

    def shift(self, by: float) -> Clusters:
        """The distribution of the sum plus `by`."""
        ways = [(way, sums + by, chance) for way, sums, chance in self.ways]
        return Clusters(self.outside, ways, self.values + by, self.chance)


def clusters(size: Int64, scores: Float64, drawn: int) -> Clusters | None:
    """The distribution of the sum of scores over `drawn` items; None if there are too many ways to
    draw them.

    The blocks stand in the order of their `scores`.
    """
    order = np.argsort(-size, kind="stable")
    large = 1
    while large < min(len(size), _MOST) and size[order[large]] > _LARGE * size[order[large:]].sum():
        large += 1
    for some in range(large, 0, -1):
        apart = np.sort(order[:some])
        groups = _groups(size, scores, apart)
        urns = [(int(sizes.sum()), least) for sizes, _, least in groups]
        held = sorted(zip(size[apart].tolist(), scores[apart].tolist(), strict=True))
        ways = _ways(urns, held, drawn)
        # A large block that is left to the groups makes steps, which the series for many items
        # cannot have.
        if ways is not None and (some == large or ways[0].sum(axis=0).max() <= FEW):
            counts, first = np.unique(ways[0], axis=1, return_inverse=True)
            if counts.shape[1] * _FEWEST <= 2 * _POINTS:
                return _join_clusters(
                    [group[:2] for group in groups], counts, first.ravel(), *ways[1:]
                )
    return None


def _groups(size: Int64, scores: Float64, apart: Int64) -> list[tuple[Int64, Float64, float]]:
    """The groups of blocks between those at `apart`: sizes, scores minus the least score of the
    group, and this least score.
    """
    bounds = [0, *(apart + 1).tolist()], [*apart.tolist(), len(size)]
    groups = []
    for a, b in zip(*bounds, strict=True):
        if b > a:
            least = float(scores[a:b].min())
            groups.append((size[a:b], scores[a:b] - least, least))
    return groups


def _join_clusters(
    groups: list[Group], counts: Int64, way: Int64, value: Float64, chance: Float64
) -> Clusters:
    order = np.argsort(way, kind="stable")
    bounds = np.searchsorted(way[order], np.arange(counts.shape[1] + 1))
    parts = [
        (k, value[order[a:b]], chance[order[a:b]])
        for k, (a, b) in enumerate(zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True))
    ]
    outside = _outside(groups, counts)
    return Clusters(outside, parts, *_heavy(outside, parts))


def _ways(
    urns: list[tuple[int, float]], held: list[tuple[int, float]], drawn: int
) -> tuple[Int64, Float64, Float64] | None:
    """All ways to draw: the items from each urn, the sum of scores, and the probability.

    Ways that differ only in the blocks `held` are one if they have the same sum. None if there are
    too many ways.
    """
    left = sum(size for size, _ in urns) + sum(size for size, _ in held)
    state = np.zeros((len(urns) + 1, 1), np.int64)
    value, chance = np.zeros(1), np.ones(1)
    for i, (size, score) in enumerate([*urns, *held]):
        drawing = drawn - state[-1]
        if size == left:
            # The last block takes all draws that are left.
            owner, q = np.arange(len(value)), drawing
        else:
            draws, column = np.unique(drawing, return_inverse=True)
            ends = [span(left, int(items), size) for items in (draws[0], draws[-1])]
            low, high = min(end[0] for end in ends), max(end[1] for end in ends)
            if len(value) * (high - low + 1) > _MADE:
                return None
            more = probabilities(left, draws, size, low, high)[column.ravel()] * chance[:, None]
            owner, q = np.nonzero(more > _LEAST)
            chance, q = more[owner, q], q + low
        value, state = value[owner] + q * score, state[:, owner]
        state[-1] += q
        if i < len(urns):
            state[i] = q
        state, value, chance = _merge(state, value, chance)
        left -= size
    return None if len(value) > _WAYS else (state[:-1], value, chance)


def _merge(state: Any, value: Float64, chance: Float64) -> tuple[Any, Float64, Float64]:
    """Join the ways with equal counts and equal sums, which are multiples of 1/2; ascending."""
    order = np.lexsort((value, *state))
    state, value, chance = state[:, order], value[order], chance[order]
    new = (np.diff(state, axis=1) != 0).any(axis=0) | (np.diff(value) > 0.25)
    first = np.flatnonzero(np.concatenate(([True], new)))
    return state[:, first], value[first], np.add.reduceat(chance, first)


def _outside(groups: list[Group], counts: Int64) -> Outside:
    """The distributions of the sum over items of the groups, one for each column of `counts`."""
    twice = [np.rint(2 * scores).astype(np.int64) for _, scores in groups]
    step = float(max(np.gcd.reduce(np.concatenate([np.zeros(1, np.int64), *twice])), 1)) / 2
    total = counts.sum(axis=0)
    lists = [
        _list_few(*group, int(most)) for group, most in zip(groups, counts.max(axis=1), strict=True)
    ]
    listed: dict[int, tuple[Float64, Float64]] = {}
    count = 0
    for way in np.argsort(total, kind="stable").tolist():
        values = _sums(lists, counts[:, way].tolist())
        count += _ALL if values is None else len(values[0])
        if values is None or count > _ALL:
            break
        listed[way] = values
    others = [way for way in range(len(total)) if way not in listed]
    few = [way for way in others if total[way] <= FEW]
    tails, cell = _by_power_sums(groups, counts[:, few], step)
    shape = {way: _moments(groups, counts[:, way].tolist()) for way in others if total[way] > FEW}
    return Outside(step, listed, cell, {way: i for i, way in enumerate(few)}, tails, shape)


def _by_power_sums(groups: list[Group], counts: Int64, step: float) -> tuple[Float64, float]:
    """The tail of the sum on a grid, a row for each column of counts; and the cell of the grid."""
    if not counts.size:
        return np.zeros((0, 2)), step
    points = 2 ** int(log2(max(_POINTS / counts.shape[1], _FEWEST)))
    longest = max(
        float(counts.T.astype(np.float64).dot([scores.max() for _, scores in groups]).max()), step
    )
    cell = max(step, longest / (points - 4))
    points = min(points, 2 ** (ceil(longest / cell) + 3).bit_length())
    result = np.zeros((counts.shape[1], points + 2))
    product = np.ones((counts.shape[1], points // 2 + 1), np.complex128)
    for (size, scores), some in zip(groups, counts, strict=True):
        shares = split(scores, size / size.sum(), cell, points)
        for node, transforms in elementary(shares, int(size.sum()), int(some.max())):
            product[:, node] *= transforms[some]
    for row, one in enumerate(product):
        mass = np.fft.irfft(np.conj(one), points)
        result[row, :points] = np.cumsum(mass[::-1])[::-1]
    return result, cell


def _list_few(size: Int64, scores: Float64, most: int) -> list[tuple[Float64, Float64]]:
    """The sums over 0, 1, ... `most` items and their probabilities, as long as there are few."""
    lists = []
    # The sums over k items, the number of ways to make each, the last score that was taken, and the
    # items of this score that are left.
    sums, ways = np.zeros(1), np.ones(1)
    last, left = np.zeros(1, np.int64), size[:1].copy()
    for k in range(most + 1):
        lists.append((sums, ways / ways.sum()))
        if len(sums) * len(size) > _SUMS * 10 or k == most:
            break
        owner, taken = np.nonzero(np.arange(len(size)) >= last[:, None])
        again = (taken == last[owner]) & (k > 0)
        more = np.where(again, left[owner], size[taken])
        some = np.flatnonzero(more > 0)
        owner, taken, more, again = owner[some], taken[some], more[some], again[some]
        # There are C(size, q) ways to take q items of one score: the q-th item makes them
        # (size - q + 1) / q times as many.
        used = np.where(again, size[taken] - more + 1, 1)
        sums, ways = sums[owner] + scores[taken], ways[owner] * more / used
        last, left = taken, more - 1
    return lists


def _sums(
    lists: list[list[tuple[Float64, Float64]]], counts: list[int]
) -> tuple[Float64, Float64] | None:
    """The sums over `counts` items of the groups, ascending, and their tail; None if there are
    many.
    """
    sums, chance = np.zeros(1), np.ones(1)
    for by_count, count in zip(lists, counts, strict=True):
        if count >= len(by_count) or len(sums) * len(by_count[count][0]) > _SUMS:
            return None
        value, share = by_count[count]
        sums, chance = np.add.outer(sums, value).ravel(), np.outer(chance, share).ravel()
    order = np.argsort(sums, kind="stable")
    return sums[order], np.append(np.cumsum(chance[order][::-1])[::-1], 0.0)


def _moments(groups: list[Group], counts: list[int]) -> tuple[float, float, float, float]:
    """Mean, standard deviation, skewness and excess kurtosis; cumulants add up over groups."""
    cumulants = np.zeros(4)
    for (size, scores), j in zip(groups, counts, strict=True):
        items, weight = int(size.sum()), size.astype(np.float64)
        mean = float(weight @ scores) / items
        labels = label_powers(items, j)
        powers = [float(weight @ (scores - mean) ** k) for k in range(5)]
        variance = powers[2] * labels[2] / max(items - 1, 1)
        skewness, kurtosis = np.nan_to_num(linear_shape(items, powers, labels)).tolist()
        cumulants += (j * mean, variance, skewness * variance**1.5, kurtosis * variance**2)
    mean, variance, third, fourth = cumulants.tolist()
    if not variance > 0:
        return mean, 0.0, 0.0, 0.0
    return mean, variance**0.5, third / variance**1.5, fourth / variance**2


def _series(u: Float64, mean: float, deviation: float, skewness: float, kurtosis: float) -> Float64:
    """P(sum >= u) by Edgeworth's series.

    Its error is to be compared with the clusters above, not with the tail of one cluster.
    """
    from precall.stats.null.tail.by_rank import scipy

    if not deviation:
        return np.where(u <= mean, 1.0, 0.0)
    z = np.clip((u - mean) / deviation, -12.0, 12.0)
    density = np.exp(-z * z / 2) / np.sqrt(2 * np.pi)
    terms = (
        skewness / 6 * (z * z - 1)
        + kurtosis / 24 * (z**3 - 3 * z)
        + skewness**2 / 72 * (z**5 - 10 * z**3 + 15 * z)
    )
    return np.asarray(np.clip(scipy("special").ndtr(-z) + density * terms, 0.0, 1.0), np.float64)


def _heavy(outside: Outside, ways: list[tuple[int, Float64, Float64]]) -> tuple[Float64, Float64]:
    """The most probable of the listed sums, ascending, and their probabilities."""
    values, masses = [np.zeros(0)], [np.zeros(0)]
    for way, sums, chance in ways:
        if way in outside.listed and len(sums) * len(outside.listed[way][0]) <= _ALL:
            value, tail = outside.listed[way]
            values.append(np.add.outer(sums, value).ravel())
            masses.append(np.outer(chance, -np.diff(tail)).ravel())
    value, mass = np.concatenate(values), np.concatenate(masses)
    kept = np.argsort(-mass, kind="stable")[:_HEAVY]
    kept = kept[np.argsort(value[kept], kind="stable")]
    return value[kept], mass[kept]


Complex: TypeAlias = npt.NDArray[np.complex128]

#: How many nodes are worked on at once.
_AT_ONCE = 2**12


def split(scores: Float64, weight: Float64, cell: float, points: int) -> Float64:
    """The weights on the points 0, 1, ... of a cyclic grid, each split between two points so that
    its mean stays.
    """
    position = scores / cell
    # Rounding must not split a score that is on a point.
    below = np.floor(position + 1e-9).astype(np.int64)
    fraction = np.maximum(position - below, 0.0)
    fraction[fraction < 1e-7] = 0.0
    shares = np.bincount(below % points, weight * (1 - fraction), points)
    return np.asarray(
        shares + np.bincount((below + 1) % points, weight * fraction, points), np.float64
    )


def elementary(shares: Float64, items: int, most: int) -> Iterator[tuple[Int64, Complex]]:
    """E[exp(i t sum)] over k = 0 ... `most` of `items` with these shares of scores: batches of
    nodes t, with a row for each k.

    With e_k the elementary symmetric polynomials of the exponentials of the N items, and p_r their
    power sums, k e_k is the sum over r of (-1)^(r-1) e_(k-r) p_r (Newton's identities). The code
    has e_k / C(N, k) and p_r / N. The power sums are one transform of the histogram of scores,
    looked up at multiples of t.
    """
    points = len(shares)
    power = points * np.fft.ifft(shares)
    factors = _factors(items, most)
    for node in np.array_split(np.arange(points // 2 + 1), max(1, points // _AT_ONCE)):
        powers = power[np.arange(1, most + 1)[:, None] * node % points]
        transforms = np.ones((most + 1, len(node)), np.complex128)
        for k in range(1, most + 1):
            transforms[k] = np.einsum(
                "r,rn,rn->n", factors[k], transforms[k - 1 :: -1][:k], powers[:k]
            )
        yield node, transforms


def _factors(items: int, most: int) -> list[Float64]:
    """The factors (-1)^(r-1) N/k C(N, k-r) / C(N, k) for r = 1 ... k, by k."""
    factors = [np.zeros(0)]
    for k in range(1, most + 1):
        i = np.arange(k, 0, -1.0)
        # C(N, i-1) / C(N, i) = i / (N-i+1)
        factors.append(np.cumprod(-i / np.maximum(items - i + 1, 1)) * -items / k)
    return factors
