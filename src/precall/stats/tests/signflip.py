"""The distribution of a sum of differences whose signs are random, for the randomization test and
for signed ranks.

If two systems are equal, a topic's difference has either sign with equal probability. So the sum
over topics is compared with the sums for all 2^n choices of signs, or for a random sample of these.
A choice is the subset of topics whose sign is flipped.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import gcd
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from precall.core.methods import NO_DIFFERENCE, Method
from precall.core.ragged import Float64, Int64
from precall.core.rng import Rng, generator_and_seed
from precall.native import kernel, thread_count
from precall.stats.resample.batches import TOLERANCE, p_of_samples, run_batches, sum_batches
from precall.stats.tests import MOST_SIGNS

_T = TypeVar("_T")
Subsets = npt.NDArray[np.uint8]

ENUMERATED = 20
HALVED = MOST_SIGNS
#: Number of additions that an exact answer may cost: well under a second.
AFFORDABLE = 3 * 10**8
#: Decimal units to try before common fractions.
_DECIMALS = (1, 10, 100, 1000, 10**4, 10**5)
_DENOMINATOR = 1000
_LARGEST = 10**6
#: After so many topics chances that have become 0 are left out.
_TRIMMED = 256
#: Up to this many topics all choices are enumerated, even if fewer resamples were requested.
_ALWAYS_ALL = 14
LEAST = float(np.finfo(np.float64).smallest_subnormal)
_BATCH = 4096


def exact_tail(
    difference: Float64, alternative: str = "two-sided", affordable: int = AFFORDABLE
) -> tuple[float, Method] | None:
    """The exact p-value of the sum of differences, and how it was found; None if that costs too
    much.

    "two-sided" counts sums at least as far from 0, "greater" sums at least as great, "less" sums at
    most as great. Equal sums count; sums within 1e-12 of the scale are equal. Zeros do not matter,
    whatever sign they get.
    """
    non_zero = difference[difference != 0]
    size = len(non_zero)
    if not size:
        return 1.0, NO_DIFFERENCE
    if alternative == "less":
        non_zero = -non_zero
    # In this order rounding does not depend on which system comes first.
    non_zero = non_zero[np.argsort(np.abs(non_zero), kind="stable")]
    scale = float(np.abs(non_zero).sum())
    observed = math.fsum(non_zero.tolist())
    method = Method("enumerated", exact=True, drawn="signs", units=size)
    if size <= ENUMERATED and 2**size <= affordable:
        return _share_as_extreme(_all_signed_sums(non_zero), observed, scale, alternative), method
    units = _on_grid(non_zero, affordable)
    if units is not None:
        # With more than a thousand topics the least p-values underflow, but they are not 0.
        return max(_by_convolution(units, alternative), LEAST), replace(method, by="convolution")
    if size <= HALVED and 40 * 2 ** (size // 2 + 1) <= affordable:
        return _by_halves(non_zero, observed, scale, alternative), replace(method, by="halves")
    return None


def _all_signed_sums(moved: Float64) -> Float64:
    total = np.zeros(1)
    for gap in moved.tolist():
        total = np.concatenate((total + gap, total - gap))
    return total


def _share_as_extreme(sums: Float64, observed: float, scale: float, alternative: str) -> float:
    if alternative == "two-sided":
        sums, observed = np.abs(sums), abs(observed)
    return float(np.count_nonzero(sums >= observed - TOLERANCE * scale) / len(sums))


def _by_halves(moved: Float64, observed: float, scale: float, alternative: str) -> float:
    """The p-value by meeting in the middle: from the sums of two halves, one of them sorted."""
    first, second = _all_signed_sums(moved[::2]), np.sort(_all_signed_sums(moved[1::2]))
    near = TOLERANCE * scale
    reach = abs(observed) if alternative == "two-sided" else observed
    least = np.sort(reach - near - first)
    count = len(first) * len(second) - int(np.searchsorted(second, least, "left").sum())
    if alternative != "two-sided":
        return float(count / 2 ** len(moved))
    # The distribution is symmetric about 0; if the observed sum is 0, both tails are the whole of
    # it.
    return 1.0 if reach <= near else float(2 * count / 2 ** len(moved))


def _on_grid(moved: Float64, affordable: int) -> Int64 | None:
    """The differences as multiples of their unit, if they have one and the grid is affordable."""
    size, total = len(moved), float(np.abs(moved).sum())
    for unit in _DECIMALS:
        if size * total * unit > affordable:
            break
        if (units := _multiples(moved, unit)) is not None:
            return units
    from fractions import Fraction

    common = 1
    for gap in set(np.abs(moved).tolist()):
        denominator = Fraction(gap).limit_denominator(_DENOMINATOR).denominator
        common = common * denominator // gcd(common, denominator)
        if common > _LARGEST or size * total * common > affordable:
            return None
    return _multiples(moved, common)


def _multiples(moved: Float64, unit: int) -> Int64 | None:
    # The first difference mostly suffices to show that this is no unit.
    first = float(moved[0])
    if abs(first * unit - round(first * unit)) > TOLERANCE * max(abs(first), 1) * unit:
        return None
    scaled = moved * unit
    rounded = np.rint(scaled)
    if np.any(np.abs(scaled - rounded) > TOLERANCE * np.maximum(np.abs(moved), 1) * unit) or np.any(
        rounded == 0
    ):
        return None
    return rounded.astype(np.int64)


def _by_convolution(units: Int64, alternative: str) -> float:
    """The p-value from the distribution of the sum, built topic by topic on a grid of integers."""
    units = units // np.gcd.reduce(units)
    total, observed = int(np.abs(units).sum()), int(units.sum())
    # chance[k]: probability that the differences with a plus sign add up to k, so that the sum is
    # 2k - total. It is symmetric to the last bit, so that only its first half is built.
    chance = np.zeros(total + 1)
    chance[0] = 1.0
    reached = first = 0
    for number, step in enumerate(np.abs(units).tolist()):
        half, more = reached // 2, (reached + step) // 2
        last = min(more, reached)
        chance[half + 1 : last + 1] = chance[reached - last : reached - half][::-1]
        if first + step <= more:
            chance[first + step : more + 1] += chance[first : more - step + 1].copy()
        chance[first : more + 1] *= 0.5
        reached += step
        if number % _TRIMMED == _TRIMMED - 1:
            # The least chances underflow to 0, and stay there.
            first += int((chance[first : more + 1] != 0).argmax())
    chance[total // 2 + 1 :] = chance[: total - total // 2][::-1]
    if alternative != "two-sided":
        return float(min(1.0, chance[(observed + total) // 2 :].sum()))
    return (
        1.0 if observed == 0 else float(min(1.0, 2 * chance[(abs(observed) + total) // 2 :].sum()))
    )


def draw_subsets(
    work: Callable[[Subsets], _T], rows: int, resamples: int, rng: Rng
) -> tuple[list[_T], int | None]:
    """Results of `work` on batches of subsets of `rows` rows, and the seed; None if all subsets
    were enumerated.

    All are enumerated if they are no more than would be drawn: every subset except the empty one
    and those with the last row, which are complements of others. Subsets are bits, eight rows to a
    byte, with the bytes of all draws side by side.
    """
    groups = -(-rows // 8)
    if rows <= _ALWAYS_ALL or (rows < 63 and 2 ** (rows - 1) - 1 <= resamples):
        all_subsets = np.arange(1, 2 ** (rows - 1), dtype="<u8")
        batches = (
            all_subsets[begin : begin + _BATCH]
            for begin in range(0, max(len(all_subsets), 1), _BATCH)
        )
        return [
            work(np.ascontiguousarray(batch.view(np.uint8).reshape(-1, 8)[:, :groups].T))
            for batch in batches
        ], None
    generator, seed = generator_and_seed(rng)

    def work_on_draws(generator: np.random.Generator, size: int) -> _T:
        return work(_draw_bits(rows, generator, size))

    return list(run_batches(work_on_draws, generator, resamples, _BATCH)), seed


def _draw_bits(rows: int, rng: np.random.Generator, size: int) -> Subsets:
    """The bytes that `rng.integers(0, 256, dtype=np.uint8)` draws, by words in half the time."""
    shape = -(-rows // 8), size
    # Of other generators the words are not their bytes one after another.
    if not isinstance(rng.bit_generator, np.random.PCG64):
        return rng.integers(0, 256, size=shape, dtype=np.uint8)
    words = rng.integers(0, 2**64 - 1, -(-math.prod(shape) // 8), np.uint64, endpoint=True)
    return words.astype("<u8", copy=False).view(np.uint8)[: math.prod(shape)].reshape(shape)


def sums_of(values: Float64, subsets: Subsets) -> Float64:
    """Sums of the columns over each subset of the rows: columns x draws."""
    sums: Float64 = kernel().sum_subsets(
        np.ascontiguousarray(values).ravel(), values.shape[1], subsets.ravel()
    )
    return sums.reshape(values.shape[1], -1)


def method_of_signs(rows: int, draws: int, seed: int | None) -> Method:
    """The method by which a distribution of random signs was found."""
    if seed is None:
        return Method("enumerated", exact=True, drawn="signs", units=rows)
    return Method("sampled", drawn="signs", resamples=draws, seed=seed)


@dataclass(frozen=True, slots=True, eq=False)
class RandomSigns:
    """Random signs of topics x columns: for each choice, the sums of the columns over the topics
    whose sign is flipped.

    Subtract a shift from the differences. A choice of signs brings their mean at least as far from
    0 if and only if the mean over the flipped topics, or that over the others, lies on the other
    side of the shift (Hartigan 1969, typical values). So the shifts that the test does not reject
    lie between two of these means.
    """

    values: Float64
    sums: Float64
    seed: int | None

    @classmethod
    def of(cls, values: Float64, resamples: int, rng: Rng) -> RandomSigns:
        """All choices of signs, or a random sample of them, the same for all columns."""
        rows = len(values)
        values_and_ones = np.column_stack((values, np.ones(rows)))
        sums_by_batch, seed = draw_subsets(
            lambda subsets: sums_of(values_and_ones, subsets), rows, resamples, rng
        )
        return cls(values, np.concatenate(sums_by_batch, axis=1), seed)

    def of_columns(self, first: int, values: Float64) -> RandomSigns:
        """The same signs of some columns, from the given one on, as if drawn for these alone."""
        columns = [*range(first, first + values.shape[1]), len(self.sums) - 1]
        return RandomSigns(values, self.sums[columns], self.seed)

    @property
    def draws(self) -> int:
        """Number of choices, without the observed one."""
        return int(self.sums.shape[1])

    @property
    def method(self) -> Method:
        """How p is found from them."""
        return method_of_signs(len(self.values), self.draws, self.seed)

    def rank(self, level: float) -> int:
        """Rank, counted from 0 from either end, of the mean that bounds the shifts that are not
        rejected; below 0 if there is none.
        """
        size, rows = self.sums[-1], len(self.values)
        # With all signs flipped, or none, the mean is always as far from the shift.
        trivial_count = int(np.count_nonzero((size == 0) | (size == rows)))
        return math.floor((1 - level) * (self.draws + 1) + 1e-9) - 1 - trivial_count

    def pairs(
        self, first: object, second: object, near: Float64, level: float | None = None
    ) -> tuple[Float64, Float64, Float64]:
        """Two-sided p of pairs of columns, and the bounds of the differences that are not rejected
        at the level; infinite if none is rejected.
        """
        first, second = (np.asarray(side, np.int32) for side in (first, second))
        total = self.values.sum(axis=0)
        rank = -1 if level is None else self.rank(level)
        reached, low, high = kernel().rank_means(
            self.sums.ravel(),
            len(self.sums),
            first,
            second,
            self.sums[-1],
            len(self.values),
            total[first] - total[second],
            near,
            rank,
            thread_count(),
        )
        if rank < 0:
            low, high = np.full(len(first), -math.inf), np.full(len(first), math.inf)
        return p_of_samples(reached, self.draws), low, high

    def one_sided_p(self, column: int, side: int, near: float) -> float:
        """p that a column's sum is as great as observed, or as small if `side` is -1."""
        total = side * float(self.values[:, column].sum())
        reached = np.count_nonzero(total - 2 * side * self.sums[column] >= total - near)
        return float(p_of_samples(reached, self.draws))

    def beyond(self, first: int, second: int, side: int, near: float) -> float:
        """The mean over a subset, for a pair of columns, that is nearest to 0 on the given side; 0
        if there is none.
        """
        gap, size, rows = self.sums[first] - self.sums[second], self.sums[-1], len(self.values)
        is_proper = (size > 0) & (size < rows)
        gap, size = gap[is_proper], size[is_proper]
        total = float(self.values[:, first].sum() - self.values[:, second].sum())
        means = side * np.concatenate((gap / size, (total - gap) / (rows - size)))
        return (
            side * float(means[means > near].min(initial=math.inf)) if (means > near).any() else 0.0
        )


def reconcile_bounds(
    low: float, high: float, significant: bool, centre: float, beyond: Callable[[int], float]
) -> tuple[float, float]:
    """Bounds that are adjusted to hold 0 if and only if p is not significant.

    The bounds come from drawn signs, while p may be exact, or may count sums that are equal up to
    rounding.
    """
    if not significant:
        return min(low, 0.0), max(high, 0.0)
    if low <= 0 <= high:
        return (beyond(1) or centre, high) if centre > 0 else (low, beyond(-1) or centre)
    return low, high


def sampled_tail(
    differences: Float64, rng: np.random.Generator, resamples: int, alternative: str = "two-sided"
) -> Float64:
    """Sampled p-values of several columns of differences (pairs x columns), with the same signs for
    all.
    """
    # The given signs do not matter, because signs are random. In this order of absolute values
    # neither the order of the topics nor that of the systems matters.
    size = np.sort(np.abs(differences), axis=0)
    observed = differences.sum(axis=0) * (-1 if alternative == "less" else 1)
    total_size = size.sum(axis=0)
    near = TOLERANCE * total_size
    threshold = np.abs(observed) - near if alternative == "two-sided" else observed - near

    def count(generator: np.random.Generator, draws: int) -> Int64:
        total = total_size[:, None] - 2 * sums_of(size, _draw_bits(len(size), generator, draws))
        if alternative == "two-sided":
            np.abs(total, out=total)
        return np.asarray(np.count_nonzero(total >= threshold[:, None], axis=1), np.int64)

    return p_of_samples(sum_batches(count, rng, resamples, _BATCH), resamples)
