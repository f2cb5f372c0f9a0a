"""Intervals of the numbers of one scored list other than its areas, such as precision at a rank,
break-even or the enrichment of a screen: estimates of their values over an unlimited sample. A rank
is taken as that share of the list.

The influences of the cases give the variance. Bounds are symmetric on the log-odds scale, with
Student's t. If errors or hits are rare, a bound changes gradually into Wilson's, for as many trials
as the value depends on.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from precall.core.notes import warn
from precall.core.notes.of_intervals import (
    Biased,
    FewDecide,
    FewScores,
    NoSureThreshold,
    OneItemDecides,
    StartsBeforeHits,
)
from precall.core.ragged import Float64
from precall.measures import Measure
from precall.stats import influence, quantiles
from precall.stats.blocks import Blocks, inner
from precall.stats.intervals.areas import (
    BIASED,
    FEWEST_GROUPS,
    UNEVEN,
    UNSEEN,
    assumptions_of,
    blend,
    warn_of_skewed_groups,
)
from precall.stats.intervals.at_levels import bounds_at_level, bounds_of_hits, is_at_place
from precall.stats.intervals.interval import (
    Interval,
    around,
    estimating,
    undefined,
    warn_of_few,
)
from precall.stats.intervals.proportion import wilson
from precall.stats.list_influences import Influences, has_one_item, influences_of

#: With fewer relevant or other cases, coverage can leave 93-97 % (docs/how-to/intervals.md).
FEWEST = 20
#: With fewer cases that the value depends on, or fewer expected errors or hits among them, the
#: interval is mostly Wilson's.
_FEWEST_TRIALS, _ERRORS = 10, 2
#: The precision-recall-gain curve begins at a recall equal to the prevalence. If fewer relevant
#: cases are above that, the first ones decide most of its area.
_FEWEST_AT_START = 5
#: If more than this share of the variance is of single items, coverage was 88-92 %.
_MUCH = 0.25
#: With fewer different scores of each relevant case, coverage at levels of recall was 89-92 %.
_SCORES = 0.5
#: Degrees of freedom of each relevant case that tells the density at a cut.
_OF_NEAR = 2
_ROUNDING = 1e-12
_WHOLE_LIST = "the whole list is in the top, so it is the same for every list"
_NO_VARIANCE = "its variance is 0, as all scores are equal"


@estimating("number of a list")
def number_of_list(
    blocks: Blocks, measure: Measure, value: float, *, level: float = 0.95, method: str = "logit"
) -> Interval:
    """Interval of a measure of one scored list, whose value is known."""
    return _interval(blocks, measure, value, level, method)


@estimating("number at a level")
def number_at_level(
    blocks: Blocks, measure: Measure, value: float, *, level: float = 0.95, method: str = "woodruff"
) -> Interval:
    """Interval of a number at a rank, of precision or depth at a recall, or of recall at a
    precision.
    """
    return _interval(blocks, measure, value, level, method)


def maker_of(measure: Measure) -> Callable[..., Interval]:
    """The function that computes the interval of a measure of one list."""
    return number_at_level if is_at_place(measure) else number_of_list


def _interval(
    blocks: Blocks, measure: Measure, value: float, level: float, method: str
) -> Interval:
    name = measure.name
    if has_one_item(measure):
        warn(OneItemDecides(name))
        return Interval(value, None, None, level, method, name)
    if math.isnan(value):
        why = "too few relevant cases were scored" if blocks.other else "everything is relevant"
        why = why if blocks.relevant else "nothing is relevant"
        return undefined(name, why, level, method)
    if not blocks.positive.any():
        return undefined(name, "no relevant case was scored", level, method, value)
    if blocks.has_groups and blocks.groups() < 2:
        return undefined(name, "it needs at least two groups", level, method, value)
    if not blocks.other:
        return undefined(name, "everything is relevant", level, method, value)
    if lone := blocks.lone_kind():
        return undefined(name, lone, level, method, value)
    found = influences_of(blocks, measure, value)
    variance = influence.variance(found.blocks, found.influence, stratified=False)
    error = math.sqrt(max(variance, 0.0) + found.unseen)
    share = value / found.most
    is_inside = share < 1 - _ROUNDING and (share > _ROUNDING or not found.odds)
    least = _ROUNDING * (abs(value) if found.odds else found.most)
    is_whole = not blocks.missed and blocks.relevant + blocks.other <= found.top < math.inf
    if is_whole and error <= _ROUNDING * abs(value):
        return undefined(name, _WHOLE_LIST, level, method, value)
    if error <= least and is_inside and not is_at_place(measure):
        return undefined(name, _NO_VARIANCE, level, method, value)
    low, high = bounds_of(found, measure, value, error, level)
    _warn(name, found, value, error, is_at_place(measure))
    if measure.declaration.name == "RAtPrecision" and not low:
        warn(NoSureThreshold(name, measure.parameters["precision"]))
    assumptions = assumptions_of(blocks.has_groups, False, blocks.real)
    return Interval(
        value,
        min(low, value),
        max(high, value),
        level,
        method,
        name,
        assumptions,
        standard_error=error,
    )


def bounds_of(
    found: Influences, measure: Measure, value: float, error: float, level: float
) -> tuple[float, float]:
    """The bounds of a number with its standard error."""
    at_level = bounds_at_level(found, measure, value, freedom(found), level)
    if at_level is not None:
        return at_level
    low, high = _bounds(found, value, error, level)
    # Where the ranks end with cases that stand out, the density at the cut is that of both sides.
    ends = bounds_of_hits(found, measure, value, freedom(found), level) or (low, high)
    return min(low, ends[0]), max(high, ends[1])


def _bounds(found: Influences, value: float, error: float, level: float) -> tuple[float, float]:
    quantile = quantiles.t(level, freedom(found))
    if not found.odds:
        apart = found.most - value
        far = apart + found.one_above * _unseen(found.blocks)
        if apart <= _ROUNDING * found.most:
            trials = _trials(found)
            return min(found.most * wilson(trials, trials, level)[0], found.most - far), found.most
        factor = math.exp(min(quantile * error / apart, 700.0))
        # Above few relevant cases G of the recall is steep, and that of a few is too high on
        # average. All others above all relevant cases are the least value there is.
        near = max(min(apart, found.most - found.hopeful), 0.0)
        low = max(found.most - far * factor, min(_least_gain_area(found.blocks, level), value))
        return low, found.most - near / factor
    trials, share = _trials(found), min(max(value / found.most, 0.0), 1.0)
    if not _ROUNDING < share < 1 - _ROUNDING:
        trials = min(trials, *found.blocks.sizes())
        low, high = wilson(round(share) * trials, trials, level)
    else:
        centre = share - min(max(found.bias / found.most, 0.0), share / 2)
        low, high = around(centre, error / found.most, quantile)
        if math.isfinite(trials):
            ends = wilson(share * trials, trials, level)
            low = blend(low, min(low, ends[0]), trials * (1 - share))
            high = 1 - blend(1 - high, min(1 - high, 1 - ends[1]), trials * share)
    low, high = found.most * low, found.most * high
    top, filled = _independent(found.blocks, found.top), min(max(value / found.full, 0.0), 1.0)
    if math.isfinite(top):
        # Few of many relevant cases are in the top, and hardly any case there is an error.
        low = max(low / found.full, 0.0)
        least = wilson(filled * top, top, level)[0]
        low = found.full * blend(low, min(low, least), top * (1 - filled))
        # The full value is of these cases; it is greater if fewer of all are relevant.
        share = found.blocks.relevant / (found.blocks.relevant + found.blocks.other)
        cases = _independent(found.blocks, found.blocks.relevant + found.blocks.other)
        high = min(high, max(value, found.full * share / wilson(share * cases, cases, level)[0]))
    return low, high


def _unseen(blocks: Blocks) -> float:
    """The weight of other cases above every relevant one that the sample may lack, where other
    cases are heavier: few of them were sampled, or none.
    """
    if blocks.heavier() - 1 <= UNEVEN:
        return 0.0
    return UNSEEN * float(blocks.squares()[1].sum()) / blocks.other


def _least_gain_area(blocks: Blocks, level: float) -> float:
    """The least AUPRG of a population whose share of relevant cases may be as low as Wilson's
    bound.
    """
    cases = _independent(blocks, blocks.relevant + blocks.other)
    share = blocks.relevant / (blocks.relevant + blocks.other)
    low = wilson(share * cases, cases, level)[0]
    return 1 - (1 + low) / (2 * low)


def _trials(found: Influences) -> float:
    """The number of independent cases, or effective groups, that the value depends on."""
    return _independent(found.blocks, found.trials)


def _independent(blocks: Blocks, weight: float) -> float:
    """Cases of this weight as a number of independent cases: effective groups, if fewer."""
    cases = weight * blocks.cases_per_weight()
    if math.isinf(cases):
        return cases
    return min(cases, blocks.effective_groups()) if blocks.has_groups else cases


def freedom(found: Influences) -> float:
    """Degrees of freedom of the variance: one less than the cases of the scarcer kind, or fewer if
    a few cases have much of the influence.
    """
    blocks = found.blocks
    cases = blocks.cases
    if cases is not None and cases.group is not None:
        each = influence.per_case(blocks, found.influence)
        sums = influence.sums_of_groups(each, cases.relevant, cases.weight, cases.group)
        return influence.freedom_of_groups(sums, blocks.effective_groups())
    of_cases = _freedom_of_cases(found) if found.uneven else math.inf
    near = _OF_NEAR * found.near * blocks.cases_per_weight()
    return max(min(min(blocks.sizes()) - 1, of_cases, near), 1.0)


def _freedom_of_cases(found: Influences) -> float:
    """A quarter of Satterthwaite's degrees of freedom, 2 / (Σ ψ⁴ / (Σ ψ²)² - 1 / n), ψ the
    influences.

    A quarter was chosen by simulation (docs/why/intervals.md); it matters if few cases decide.
    """
    blocks, parts = found.blocks, found.influence
    kinds = [(parts.positive, blocks.positive), (parts.negative, blocks.negative)]
    if blocks.cases is not None:
        each = influence.per_case(blocks, parts)
        kinds = [(each, each * 0 + 1)]
    squares, fourths, number = 0.0, 0.0, 0.0
    most = max(float(abs(column).max(initial=0.0)) for column, _ in kinds) or 1.0
    for column, times in kinds:
        square: Float64 = (column / most) ** 2
        squares += inner(square, times)
        fourths += inner(square**2, times)
        number += float(times.sum())
    excess = fourths / max(squares**2, 1e-300) - 1 / max(number, 1.0)
    return 0.5 / excess if excess > 0 else math.inf


def _warn(name: str, found: Influences, value: float, error: float, at_level: bool) -> None:
    """Warn if the interval is rough: of few cases, near an end, or biased.

    Bounds at a level need no density of relevant cases there, and are as Wilson's if errors are
    few.
    """
    blocks, trials = found.blocks, _trials(found)
    unit = blocks.cases_per_weight()
    if warn_of_few(name, blocks, FEWEST, FEWEST_GROUPS, weights=True):
        return
    scores = int(np.count_nonzero(blocks.positive))
    few_scores = scores < _SCORES * (blocks.relevant - blocks.missed) * unit
    if found.at_levels and few_scores and not at_level:
        warn(FewScores(name, blocks.relevant * unit, scores))
        return
    if warn_of_skewed_groups(name, blocks, found.influence) or at_level:
        return
    share = value / found.most
    if not found.odds:
        start = blocks.relevant**2 / (blocks.relevant + blocks.other)
        if start * unit < _FEWEST_AT_START:
            warn(StartsBeforeHits(name, start))
        return
    of_single_items = found.more > _MUCH * error**2
    few_errors = trials * min(share, 1 - share) < _ERRORS
    if of_single_items or trials < _FEWEST_TRIALS or few_errors:
        warn(FewDecide(name, trials, value))
    elif found.bias > BIASED * error:
        warn(Biased(name, found.bias, error, "more"))
