"""The null distribution of nDCG: grades permuted over the ranks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from precall.core.arguments import check_choice, check_whole
from precall.core.errors import UsageError
from precall.core.ragged import Float64, Int64
from precall.core.rng import Rng, seed_of, suggest_our_names
from precall.stats.null.distribution import Accuracy, Drawn, NullDistribution
from precall.stats.null.tail.moments import central_sums, linear_shape
from precall.stats.null.tail.random_placements import LONG, draw

GAINS = ("linear", "exp")
#: Arrangements that are listed one by one, at most; and permutations that are drawn by default.
_LISTED, _DRAWN = 500_000, 100_000
#: Up to this many different gains are placed one after another; more are shuffled.
_ALIKE = 16
#: If each permutation draws more numbers than this, the default ones take more than two seconds.
_MANY = 700
#: Items, at most: the discounts of all ranks are listed, some gigabytes for more items.
_LARGEST = 10**8
#: 2^grade - 1 loses its digits below the first grade, and 2^grade leaves float64 some way above the
#: second.
_FLAT, _STEEPEST = 2.0**-20, 900


@dataclass(frozen=True, repr=False)
class Graded(Drawn):
    """nDCG of grades at random ranks; see `ndcg`."""

    items: int
    gains: tuple[float, ...]
    cutoff: int
    permutations: int | None
    seed: int

    @property
    def name(self) -> str:
        return f"{self._quantity}, {len(self.gains)} of {self.items} items with a gain"

    @property
    def _quantity(self) -> str:
        return "nDCG" if self.cutoff == self.items else f"nDCG@{self.cutoff}"

    @property
    def sample_size(self) -> int:
        """How many permutations are drawn."""
        return _DRAWN if self.permutations is None else self.permutations

    @property
    def approximate(self) -> Accuracy:
        if self._few:
            return Accuracy("enumeration of arrangements")
        return self._accuracy("permutations")

    @cached_property
    def _scaled_gains(self) -> Float64:
        return scale_gains(np.array(self.gains))

    @cached_property
    def _discounts(self) -> Float64:
        discounts = np.zeros(self.items)
        discounts[: self.cutoff] = 1 / np.log2(np.arange(2, self.cutoff + 2))
        return discounts

    @cached_property
    def _different(self) -> tuple[Float64, Int64]:
        """The different gains and how often each occurs, the rarest first."""
        gains, counts = np.unique(self._scaled_gains, return_counts=True)
        order = np.argsort(counts, kind="stable")
        return gains[order], counts[order]

    @cached_property
    def _ideal(self) -> float:
        best = np.sort(self._scaled_gains)[::-1][: self.cutoff]
        return float((best * self._discounts[: len(best)]).sum())

    @cached_property
    def _sums(self) -> tuple[list[float], list[float], float]:
        """Central power sums of gains and of discounts to order 4, and the mean."""
        gains = self._scaled_gains
        middle = gains.sum() / self.items
        away, rest = gains - middle, self.items - len(gains)
        a = [float((away**k).sum() + rest * (-middle) ** k) for k in range(5)]
        d = self._discounts / self._ideal
        return a, central_sums(d), float(middle * d.sum())

    def _moments(self) -> tuple[float, float]:
        a, b, mean = self._sums
        return mean, a[2] * b[2] / (self.items - 1) if self.items > 1 else 0.0

    def _shape(self) -> tuple[float, float]:
        a, b, _ = self._sums
        return linear_shape(self.items, a, b)

    @property
    def _few(self) -> bool:
        ways = 1.0
        for i in range(len(self.gains)):
            ways *= self.items - i
        return ways <= _LISTED

    @property
    def _sparse(self) -> bool:
        """Whether ranks are drawn for the items with a gain, instead of an order of all items."""
        return self.items > _MANY and len(self.gains) ** 2 < self.items

    @cached_property
    def _mass(self) -> tuple[Float64, Float64] | None:
        """The values of all arrangements; None if there are many."""
        if not self._few:
            return None
        sums, used = np.zeros(1), np.zeros((1, self.items), np.bool_)
        for gain in self._scaled_gains.tolist():
            row, rank = np.nonzero(~used)
            sums = sums[row] + gain * self._discounts[rank]
            used = used[row]
            used[np.arange(len(row)), rank] = True
        return np.sort(sums / self._ideal), np.full(len(sums), 1 / len(sums))

    @cached_property
    def _sample(self) -> Float64:
        """The values of random permutations, ascending."""
        numbers = 2 * len(self.gains) if self._sparse else self.items
        if self.permutations is None and numbers > _MANY:
            raise UsageError(
                argument="permutations",
                what=f"{_DRAWN:,} of {self.items:,} items take long",
                remedy=("simulate fewer, or confirm the number: ndcg(..., permutations=10_000)"),
            )
        return super()._sample

    def _draw(self, size: int, rng: np.random.Generator) -> Float64:
        gains, values = self._scaled_gains, np.empty(size)
        if self._sparse or self.items > LONG:
            rows = [
                self._sum_at_ranks(rank - 1, rng)
                for rank in draw(self.items, len(gains), size, rng)
            ]
            return np.concatenate([np.empty(0), *rows]) / self._ideal
        batch = max(1, 2**22 // self.items)
        for start in range(0, size, batch):
            stop = min(start + batch, size)
            shuffled = rng.permuted(
                np.broadcast_to(self._discounts, (stop - start, self.items)), axis=1
            )
            values[start:stop] = (shuffled[:, : len(gains)] * gains).sum(axis=1)
        return values / self._ideal

    def _sum_at_ranks(self, rank: Int64, rng: np.random.Generator) -> Float64:
        """Sums of discounted gains, if the items with a gain stand at these ranks, a row per
        ranking, in random order.
        """
        gains, counts = self._different
        if self._sparse or len(gains) > _ALIKE:
            return np.asarray(
                (self._discounts[rng.permuted(rank, axis=1)] * self._scaled_gains).sum(axis=1)
            )
        total = np.zeros(len(rank))
        for gain, count in zip(gains[:-1].tolist(), counts[:-1].tolist(), strict=True):
            chosen = np.zeros(rank.shape, np.bool_)
            places = [*draw(rank.shape[1], count, len(rank), rng)]
            np.put_along_axis(chosen, np.concatenate(places) - 1, True, axis=1)
            total += gain * self._discounts[rank[chosen]].reshape(len(rank), count).sum(axis=1)
            rank = rank[~chosen].reshape(len(rank), -1)
        # The most frequent gain has the ranks that are left.
        return np.asarray(total + gains[-1] * self._discounts[rank].sum(axis=1))


def scale_gains(gains: Float64) -> Float64:
    """Divide gains by the power of two next to the greatest: nDCG keeps all digits, and nothing
    over- or underflows.

    Examples
    --------
    >>> scale_gains(np.array([3.0, 1.0])), scale_gains(np.array([1e308, 1e308]))
    (array([0.75, 0.25]), array([0.55626846, 0.55626846]))
    """
    return np.asarray(np.ldexp(gains, -np.frexp(gains.max())[1]))


def _steep(grades: Float64) -> Float64:
    """2^grade - 1; divided by a power of two if grades are too great for float64."""
    scale = max(float(np.floor(grades.max())) - _STEEPEST, 0.0)
    small = np.expm1(np.minimum(grades, _FLAT) * np.log(2)) * np.exp2(-scale)
    return np.asarray(np.where(grades < _FLAT, small, np.exp2(grades - scale) - np.exp2(-scale)))


@suggest_our_names
def ndcg(
    n: int,
    grades: object,
    *,
    gain: str = "linear",
    cutoff: int | None = None,
    permutations: int | None = None,
    rng: Rng = 0,
) -> NullDistribution:
    """The null distribution of nDCG when the items stand in random order: exact moments, and tails
    by permutation.

    nDCG is the sum of gain / log2(rank + 1), divided by its greatest value. This is a linear
    permutation statistic: its four moments are exact (Pitman 1938), in one pass over the ranks.

    Parameters
    ----------
    n : items in the ranking.
    grades : the grades of the items that have one, >= 0; all others have grade 0. At least one is
        positive.
    gain : "linear" (the grade, as trec_eval) or "exp" (2^grade - 1).
    cutoff : count only the first `cutoff` ranks.
    permutations : how many are drawn for tails if there are more than half a million arrangements:
        p = (c+1)/(B+1), never 0. The default is 100,000. With more than 700 items, many of which
        have a gain, the default is refused, and you must give a number.
    rng : seed or generator of the permutations; the seed is part of the result.

    Raises
    ------
    UsageError
        No grade is positive (nDCG is undefined), there are more grades than items, or more than 10⁸
        items.

    Examples
    --------
    >>> null = ndcg(4, [2, 1])
    >>> round(null.mean, 6), round(null.sf(1.0), 6)
    (0.730238, 0.083333)
    """
    n = check_whole("n", n, 1, _LARGEST)
    try:
        numbers = np.asarray(grades, np.float64)
    except (TypeError, ValueError, OverflowError):
        numbers = np.zeros(())
    if (
        numbers.ndim != 1
        or not len(numbers)
        or len(numbers) > n
        or not (np.isfinite(numbers) & (numbers >= 0)).all()
    ):
        raise UsageError(argument="grades", allowed=f"1 to {n} numbers >= 0", got=grades)
    if not (numbers > 0).any():
        raise UsageError(
            argument="grades",
            what="none is positive, so nDCG is undefined",
            remedy="give at least one",
        )
    check_choice("gain", gain, GAINS)
    k = n if cutoff is None else min(check_whole("cutoff", cutoff, 1), n)
    value = numbers if gain == "linear" else _steep(numbers)
    draws = None if permutations is None else check_whole("permutations", permutations, 1)
    return Graded(n, tuple(value[numbers > 0].tolist()), k, draws, seed_of(rng))
