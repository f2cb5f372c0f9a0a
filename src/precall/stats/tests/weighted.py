"""Comparisons of systems whose topics have weights, by the randomization test and by Student's t.

If two systems are equal, the difference of a topic has either sign, whatever its weight is. So the
randomization test of Σ w d over all choices of signs is as exact as that of Σ d. Its bounds follow
as there (`signflip.RandomSigns`): a shift of all differences is not rejected as long as enough of
the means over subsets of topics lie on the other side of it, and these means are weighted.
Student's t takes the standard error and the degrees of freedom of `WeightedMean`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from precall.core.methods import NO_DIFFERENCE, Method
from precall.core.notes import Note
from precall.core.ragged import Float64
from precall.stats import quantiles
from precall.stats.resample.batches import TOLERANCE, p_of_samples
from precall.stats.scipy import special
from precall.stats.skewness import keep_if_concerned
from precall.stats.tests import DECLARED, signflip
from precall.stats.tests.comparisons import Comparison, Mirror, is_significant, opposite
from precall.stats.tests.paired import (
    PairedOptions,
    Result,
    cut_to_reach,
    no_bounds,
    notes,
    notes_of_both,
    range_of_values,
    why_no_interval,
)
from precall.stats.tests.pairing import differences
from precall.stats.weighted_topics import WeightedMean, weighted_mean

if TYPE_CHECKING:
    from precall.stats.tests.many import FamilyOfPairs


def compare_weighted(family: FamilyOfPairs, weights: Float64, test: str) -> list[Comparison]:
    """Comparisons of the pairs of a family whose topics have these weights."""
    gaps = [differences(family.values[:, i], family.values[:, j]) for i, j in family.column_pairs]
    if test == "t":
        results = [_t(each, weights, family.choices) for each in gaps]
    else:
        results = _randomization(family, weights, gaps)
    open_ended = any(each.edges is not None and math.isinf(each.edges[0]) for each in results)
    limits = range_of_values(family.measure, family.values) if open_ended else None
    means = [weighted_mean(column, weights) for column in family.values.T]
    return [
        _comparison(family, weights, test, pair, means, each, result, limits)
        for pair, each, result in zip(family.column_pairs, gaps, results, strict=True)
    ]


def _comparison(
    family: FamilyOfPairs,
    weights: Float64,
    test: str,
    pair: tuple[int, int],
    means: list[float],
    gaps: Float64,
    result: Result,
    limits: tuple[float, float] | None,
) -> Comparison:
    choices, size = family.choices, len(gaps)
    found = WeightedMean.of(gaps, weights) if size > 1 else None
    centre = weighted_mean(gaps, weights)
    spread = math.nan if found is None else found.deviation
    ordered = np.sort(gaps)
    why = why_no_interval(ordered, spread)
    edges = result.edges or (math.nan, math.nan)
    low, high, range_notes = (None, None, ()) if why else cut_to_reach(*edges, choices, limits)
    has_bounds = low is not None and not all(map(math.isinf, edges))

    def remarks_on(each: Float64) -> list[Note]:
        return notes(each, test, choices, spread)

    remarks, swapped = (
        keep_if_concerned((*each, *range_notes), result.p, choices.level, has_bounds)
        for each in notes_of_both(ordered, remarks_on)
    )
    better = gaps if family.higher_is_better else -gaps
    wins, losses = int(np.count_nonzero(better > 0)), int(np.count_nonzero(better < 0))
    effect = centre / spread if spread > 0 else None if gaps.any() else 0.0
    return Comparison(
        names=(family.names[pair[0]], family.names[pair[1]]),
        measure=family.measure,
        values=(means[pair[0]], means[pair[1]]),
        difference=centre,
        low=low,
        high=high,
        level=choices.level,
        p=result.p,
        test=test,
        method=result.method,
        size=size,
        wins=wins,
        ties=size - wins - losses,
        losses=losses,
        statistic=centre if result.statistic is None else result.statistic,
        effect=effect,
        higher_is_better=family.higher_is_better,
        notes=remarks,
        mirror=Mirror(
            result.method,
            opposite(centre if result.statistic is None else result.statistic),
            swapped,
        ),
        seed=result.seed,
        interval=DECLARED[test].interval,
        interval_resamples=None if low is None else result.resamples,
        no_interval="" if low is not None else why or no_bounds(ordered, test, choices),
    )


def _t(gaps: Float64, weights: Float64, choices: PairedOptions) -> Result:
    if not gaps.any():
        return Result(1.0, NO_DIFFERENCE, 0.0)
    found = WeightedMean.of(gaps, weights) if len(gaps) > 1 else None
    if found is None or not found.error:
        p, method = signflip.exact_tail(gaps * weights) or (1.0, NO_DIFFERENCE)
        return Result(p, method, math.copysign(math.inf, float(gaps[0])))
    value = found.mean / found.error
    p = max(2 * float(special().stdtr(found.freedom, -abs(value))), signflip.LEAST)
    half = quantiles.t(choices.level, found.freedom) * found.error
    method = Method("Student's t", freedom=found.freedom)
    return Result(p, method, value, (found.mean - half, found.mean + half))


def _randomization(family: FamilyOfPairs, weights: Float64, gaps: list[Float64]) -> list[Result]:
    choices = family.choices
    # Of size 1 in the mean, so that no tolerance depends on how weights are scaled.
    scaled = weights * (len(weights) / math.fsum(weights.tolist()))
    budget = signflip.AFFORDABLE // len(gaps)
    exact = [signflip.exact_tail(each * scaled, affordable=budget) for each in gaps]
    results: list[Result | None] = [None] * len(gaps)
    for columns, numbers in family.blocks():
        signs = _WeightedSigns.of(family.values[:, columns], scaled, choices)
        for number in numbers:
            i, j = (columns.index(column) for column in family.column_pairs[number])
            results[number] = signs.result(i, j, exact[number], choices.level)
    return list(filter(None, results))


@dataclass(frozen=True, slots=True, eq=False)
class _WeightedSigns:
    """Random signs of topics x columns with weights: for each choice, the weighted sums of the
    columns over the topics whose sign is flipped, and the sums of the weights of these.
    """

    totals: Float64
    sizes: Float64
    """Sums of the absolute weighted values of each column."""
    sums: Float64
    inside: Float64
    outside: Float64
    is_proper: Float64
    """Whether some topics are flipped and others not, for each choice."""
    method: Method

    @classmethod
    def of(cls, values: Float64, weights: Float64, choices: PairedOptions) -> _WeightedSigns:
        rows = len(values)
        weighted = values * weights[:, None]
        table = np.column_stack((weighted, weights))
        parts, seed = signflip.draw_subsets(
            lambda subsets: signflip.sums_of(table, subsets), rows, choices.resamples, choices.rng
        )
        *sums, inside = np.concatenate(parts, axis=1)
        outside = float(weights.sum()) - inside
        # Subsets of hardly any weight, or of hardly less than all, bound no shift: the mean over
        # them is rounding.
        least = TOLERANCE * float(weights.sum())
        return cls(
            weighted.sum(axis=0),
            np.abs(weighted).sum(axis=0),
            np.array(sums),
            inside,
            outside,
            np.asarray((inside > least) & (outside > least)),
            signflip.method_of_signs(rows, len(inside), seed),
        )

    def result(self, i: int, j: int, exact: tuple[float, Method] | None, level: float) -> Result:
        """The test of a pair of columns: p, the one in `exact` if there is one, and its bounds."""
        gap, total = self.sums[i] - self.sums[j], float(self.totals[i] - self.totals[j])
        near = TOLERANCE * float(self.sizes[i] + self.sizes[j])
        reached = np.count_nonzero(np.abs(total - 2 * gap) >= abs(total) - near)
        p, method = exact or (float(p_of_samples(reached, len(gap))), self.method)
        one = gap[self.is_proper] / self.inside[self.is_proper]
        other = (total - gap[self.is_proper]) / self.outside[self.is_proper]
        low, high = self._bounds(one, other, level)
        rows = float(self.inside[0] + self.outside[0])

        def beyond(side: int) -> float:
            means = side * np.concatenate((one, other))
            least = float(means[means > near / rows].min(initial=math.inf))
            return side * least if math.isfinite(least) else 0.0

        edges = signflip.reconcile_bounds(low, high, is_significant(p, level), total / rows, beyond)
        return Result(p, method, None, edges, self.method.seed, resamples=self.method.resamples)

    def _bounds(self, one: Float64, other: Float64, level: float) -> tuple[float, float]:
        """Means of subsets and of their complements, of a rank from either end; infinite if too few
        choices were made.
        """
        draws = len(self.inside)
        rank = math.floor((1 - level) * (draws + 1) + 1e-9) - 1 - (draws - len(one))
        if not 0 <= rank < len(one):
            return -math.inf, math.inf
        lower, upper = np.minimum(one, other), np.maximum(one, other)
        # + 0.0 turns -0.0 into 0.0.
        return (
            float(np.partition(lower, rank)[rank]) + 0.0,
            float(np.partition(upper, -rank - 1)[-rank - 1]) + 0.0,
        )
