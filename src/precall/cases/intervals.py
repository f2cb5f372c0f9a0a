"""Labels and scores as users hold them → blocks of equal score; and the intervals of one scored
list.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from precall.cases import Curve
from precall.cases.curves import Count
from precall.cases.scored_cases import check_cases, members, missed_count, refuse_nan, weight
from precall.cases.tally import holds_same_cases, oriented_cases, path, weighted_cases
from precall.core.arguments import check_rows
from precall.core.counts import ROWS, Counts, hit_rows
from precall.core.errors import Among, MeasureError, UsageError
from precall.core.notes import collect_notes, run_and_warn, warn
from precall.core.notes.of_intervals import NoneOfList
from precall.core.rng import Rng
from precall.measures import Measure
from precall.measures.areas import part_of
from precall.measures.registry import find, meant, refuse_parameter
from precall.read.weights import KindsOfWeights
from precall.stats.blocks import Blocks, Cases, narrow
from precall.stats.influence import rank_items
from precall.stats.intervals import areas, list_numbers, tuned
from precall.stats.intervals.at_levels import is_at_place
from precall.stats.intervals.interval import (
    MAX_F,
    Interval,
    Intervals,
    measures_with_method,
    options_of,
    refuse_unknown_options,
)
from precall.stats.intervals.methods import METHODS
from precall.stats.list_influences import NAMES, has_influences, has_one_item

if TYPE_CHECKING:
    import numpy.typing as npt

#: Measures of one scored list by name, and the functions that compute their intervals.
OF_LISTS: dict[str, Callable[..., Interval]] = {
    "AP": areas.average_precision,
    "AUC": areas.area_under_roc,
    MAX_F: tuned.max_f,
}
#: Other names of these measures.
_ALSO = {"max-F": MAX_F, "MaxF": MAX_F, "KS": tuned.KS}
#: Further measures of a curve that have intervals if none is named: those that a curve prints.
_PRINTED = ("BEP", "BEP(method=max-min)", "BEP(method=linear)", "Rprec", "IAP")
#: The value of a measure of a list.
Value = Callable[[Measure], float]


def blocks_of(
    relevant: object,
    score: object,
    weights: object = None,
    missed: int | float = 0,
    positive: object = None,
    higher_is_better: bool = True,
    groups: object = None,
) -> Blocks:
    """The blocks of one scored list; errors are those of `curve`.

    Examples
    --------
    >>> blocks = blocks_of([1, 0, 1, 0], [3.0, 2.0, 2.0, 1.0])
    >>> blocks.positive.tolist(), blocks.negative.tolist()
    ([1, 1, 0], [0, 1, 1])
    """
    check_rows(relevant=relevant, weights=weights, groups=groups)
    (truth, value), notes = run_and_warn(
        lambda: check_cases(relevant, score, positive, higher_is_better)
    )

    def scores() -> npt.NDArray[Any]:
        kept = truth if weights is None else truth & (heavy > 0)
        distinct = np.unique(value[kept])[::-1]
        # `-distinct` would turn 0 into -0.
        return distinct if higher_is_better else 0 - distinct

    missed = missed_count(missed, weights is not None)
    if groups is not None and missed:
        raise UsageError(
            argument="groups",
            what="missed items are in no group",
            remedy="leave ⟨groups=⟩ or ⟨missed=⟩ out",
        )
    if weights is None and groups is None:
        blocks = _of_path(*path(truth, value)[1:], missed)
        return replace(blocks, scores=scores, higher_is_better=higher_is_better, notes=notes)
    refuse_nan(value)
    heavy = np.ones(len(value), np.int64) if weights is None else weight(weights, len(value))
    keep, real = heavy > 0, heavy.dtype.kind == "f"
    member = None
    if groups is not None:
        group, of_groups = run_and_warn(lambda: members(groups, len(value)))
        member, notes = np.unique(group[keep], return_inverse=True)[1], (*notes, *of_groups)
    kept, kept_heavy = truth[keep], heavy[keep]
    wide = kept_heavy.astype(np.float64)
    # Without weights the cases are counted; whole weights are summed exactly.
    block, ranking = rank_items(kept, value[keep], None if weights is None else wide)
    hits, others = (
        counts.astype(heavy.dtype, copy=False) for counts in (ranking.positive, ranking.negative)
    )
    cases = Cases(block, kept, wide, member).sort_by_block() if real or groups is not None else None
    notes = (*notes, *KindsOfWeights.of(truth, heavy).notes())
    return Blocks(hits, others, missed, real, cases, scores, higher_is_better, notes)


def blocks_of_curve(curve: Curve) -> Blocks:
    """The blocks that a curve was made from; real weights need those of each case."""
    if curve.tp.dtype.kind != "i":
        return _of_weighted_cases(curve)

    def scores() -> npt.NDArray[Any]:
        return curve.threshold[hit_rows(curve)]

    blocks = _of_path(curve.tp, curve.fp, curve.missed)
    higher_is_better, notes = curve.higher_is_better, curve.noticed
    return replace(blocks, scores=scores, higher_is_better=higher_is_better, notes=notes)


def _of_path(tp: Count, fp: Count, missed: int | float) -> Blocks:
    """The blocks of a path. Consecutive blocks without relevant cases are joined: no measure
    distinguishes them, and they are usually most of the blocks.
    """
    if len(tp) <= ROWS:
        return Blocks(*_between_hits(tp, fp), missed)
    parts = [
        [
            narrow(cases)
            for cases in _between_hits(tp[begin : begin + ROWS + 1], fp[begin : begin + ROWS + 1])
        ]
        for begin in range(0, len(tp) - 1, ROWS)
    ]
    positive, negative = map(np.concatenate, zip(*parts, strict=True))
    return Blocks(positive, negative, missed)


def _between_hits(tp: Count, fp: Count) -> tuple[Count, Count]:
    has_hits = tp[1:] != tp[:-1]
    kept = np.ones(len(tp), np.bool_)
    # Rows with new hits, and the rows directly above them.
    kept[1:-1] = has_hits[:-1] | has_hits[1:]
    rows = np.flatnonzero(kept)
    return np.diff(tp[rows]), np.diff(fp[rows])


def intervals_of_blocks(
    blocks: Blocks,
    level: float,
    rng: Rng,
    method: str = "logit",
    value: Value | None = None,
    measures: Iterable[Measure] = (),
) -> dict[str, Interval]:
    """The intervals that commands and pages show for one scored list; `method` is that of average
    precision.

    With the function that has the values of measures, also those of further printed measures, and
    of the `measures` that have intervals.
    """
    intervals = {
        name: _make_interval(name, blocks, {"level": level, "rng": rng}, method)
        for name in OF_LISTS
    }
    if value is None:
        return intervals
    without: list[str] = []
    for measure in dict.fromkeys((*_printed(blocks), *measures)):
        if part_of(measure) is not None:
            intervals[measure.name] = areas.partial_area_under_roc(
                blocks, *(part_of(measure) or ())[1:], level=level
            )
        elif (beta := _beta_meant(measure)) is not None:
            found = tuned.max_f(blocks, beta, level=level, rng=rng)
            intervals[found.measure or measure.name] = found
        elif _is_ks(measure):
            intervals[tuned.KS] = tuned.youden(blocks, level=level, rng=rng)
        elif _is_gini(measure):
            intervals[measure.name] = _gini(intervals["AUC"], measure)
        elif _has_number(measure) and (measure.has_blocks or not blocks.real):
            intervals[measure.name] = list_numbers.maker_of(measure)(
                blocks, measure, value(measure), level=level
            )
        elif measure.declaration.name != "MaxF" and measure.name not in OF_LISTS:
            without.append(measure.name)
    if without:
        warn(NoneOfList("", tuple(without)))
    return intervals


def _printed(blocks: Blocks) -> list[Measure]:
    """The further measures whose intervals are shown unasked; those of ranks need whole counts."""
    measures = map(find, _PRINTED)
    return [measure for measure in measures if measure.has_blocks or not blocks.real]


def _has_number(measure: Measure) -> bool:
    """Whether a measure of a list has an interval by influences, or is known to have none."""
    is_greatest = measure.declaration.name in ("MaxF", "KS")
    return not is_greatest and (has_influences(measure) or has_one_item(measure))


def _is_gini(measure: Measure) -> bool:
    """Whether a measure is Gini's coefficient, which is 2 AUC - 1."""
    return measure.declaration.name == "Gini"


def _is_ks(measure: Measure) -> bool:
    """Whether a measure is the greatest recall minus false positive rate of a list."""
    return measure.declaration.name == "KS" and measure.parameters["population"] is None


def _gini(area: Interval, measure: Measure) -> Interval:
    """The interval of Gini's coefficient from that of the area."""
    estimate, low, high = (2 * value - 1 for value in (area.estimate, *area.ends))
    error = None if area.standard_error is None else 2 * area.standard_error
    return replace(
        area, estimate=estimate, low=low, high=high, measure=measure.name, standard_error=error
    )


def _known(measure: object) -> Measure | None:
    """The measure that is meant, if it is one."""
    if measure is None:
        return None
    try:
        return find(measure)  # type: ignore[arg-type]
    except MeasureError:
        return None


def _refuse(measure: object, allowed: Among) -> NoReturn:
    """Raise for a measure without an interval of one list."""
    refuse_parameter(measure)
    found, remedy = _known(measure), ""
    if found is not None and found.declaration.of is Counts:
        remedy = (
            f"decide at a threshold, and write pc.interval(pc.decisions(...), {str(measure)!r})"
        )
    raise UsageError(
        argument="measure",
        got=measure,
        allowed=allowed,
        remedy=remedy,
    )


def _beta_meant(measure: object) -> float | None:
    """The β of the greatest F that is meant, if it has one of its own."""
    try:
        found = None if measure is None else find(measure)  # type: ignore[arg-type]
    except MeasureError:
        return None
    if found is None or found.declaration.name != "MaxF" or found.name == "MaxF":
        return None
    beta, alpha = found.parameters["beta"], found.parameters["alpha"]
    return float(beta) if alpha is None else math.sqrt(1 / alpha - 1) if alpha else None


def interval_of_curve(
    given: Curve, measure: object = None, *, groups: object = None, **options: Any
) -> Interval | Intervals:
    """Intervals of a curve: of one measure, or of all. Each measure gets the options and the method
    that it takes.
    """
    blocks = blocks_in_groups(given, groups)
    return interval_of_list(blocks, measure, interval_of_curve, value=given.measured, **options)


def blocks_in_groups(given: Curve, groups: object = None) -> Blocks:
    """The blocks that a curve was made from, with the groups of its cases if they are given."""
    check_rows(relevant=given._rows, groups=groups)
    if groups is None:
        return blocks_of_curve(given)
    if given.weighted:
        return _of_weighted_cases(given, groups)
    return blocks_of(*_cases(given), groups=groups)


def _of_weighted_cases(given: Curve, groups: object = None) -> Blocks:
    """The blocks of a curve that keeps the weight of each case; sums do not tell them."""
    kept = weighted_cases(given)
    if kept is None:
        raise UsageError(
            "this curve of weights does not know its cases, or they have changed since",
            remedy="make it by pc.curve(labels, scores, weights=...), or give these to "
            "pc.interval.average_precision or .area_under_roc",
        )
    relevant, score, weights = kept
    return blocks_of(
        relevant,
        score,
        weights,
        missed=given.missed,
        higher_is_better=given.higher_is_better,
        groups=groups,
    )


def _cases(given: Curve) -> tuple[Any, Any]:
    """The labels and scores of a curve; without them the group of a case is unknown."""
    if given.missed or given.cases is None or not holds_same_cases(given):
        problem = "this curve does not know its cases, or they have changed since"
        problem = "missed items are in no group" if given.missed else problem
        raise UsageError(
            argument="groups",
            what=problem,
            remedy="give labels and scores to pc.interval.area_under_roc(..., groups=)",
        )
    return oriented_cases(given)


def interval_of_list(
    blocks: Blocks,
    measure: Any = None,
    caller: Callable[..., Any] | None = None,
    what: str = "a curve",
    /,
    value: Value | None = None,
    **options: Any,
) -> Interval | Intervals:
    """Intervals of a list's blocks: of one measure, or of all. An error about an option also lists
    those that the `caller` takes itself; one about the measure says `what` has the list. Measures
    other than areas need the function that has their `value`.
    """
    callers = () if caller is None else (caller,)
    number = _known(measure)
    if number is not None and _is_gini(number):
        return _gini(interval_of_list(blocks, "AUC", caller, what, **options), number)  # type: ignore[arg-type]
    if value is not None and number is not None and _has_number(number):
        make = list_numbers.maker_of(number)
        refuse_unknown_options(options, make, *callers)
        own = {key: options[key] for key in ("level", "method") if key in options}
        return make(blocks, number, value(number), **own)
    if number is not None and _is_ks(number):
        refuse_unknown_options(options, tuned.youden, *callers)
        return tuned.youden(blocks, **options)
    if (area := part_of(measure)) is not None:
        refuse_unknown_options(options, areas.partial_area_under_roc, *callers)
        return areas.partial_area_under_roc(blocks, *area[1:], **options)
    if (beta := _beta_meant(measure)) is not None:
        refuse_unknown_options(options, tuned.max_f, *callers)
        return tuned.max_f(blocks, beta, **options)
    measure = meant(measure, (*OF_LISTS, *_ALSO))
    measure = _ALSO.get(measure or "", measure)
    if measure is not None and measure not in tuple(OF_LISTS):
        numbers = () if value is None else ("P@k", "R@k", *NAMES, "Gini")
        allowed = (*OF_LISTS, *(name for name in numbers if _ALSO.get(name) not in OF_LISTS))
        _refuse(measure, Among(f"allowed for {what} are", allowed))
    names = [name for name in OF_LISTS if measure in (None, name)]
    method = options.pop("method", None)
    names_with_method = measures_with_method(method, {name: _methods(name) for name in names})
    refuse_unknown_options(options, *(OF_LISTS[name] for name in names), *callers)
    if measure is not None:
        return _make_interval(measure, blocks, options, names_with_method.get(measure))
    with collect_notes():
        intervals = {
            name: _make_interval(name, blocks, options, names_with_method.get(name))
            for name in names
        }
        if value is not None:
            level = {"level": options["level"]} if "level" in options else {}
            intervals |= {
                number.name: list_numbers.number_of_list(blocks, number, value(number), **level)
                for number in _printed(blocks)
            }
    return Intervals(intervals, _ALSO).aloud()


def _make_interval(
    name: str, blocks: Blocks, options: dict[str, Any], method: str | None
) -> Interval:
    """The interval of one measure, with those of the options, and the method, that it takes."""
    make = OF_LISTS[name]
    own = {key: value for key, value in options.items() if key in options_of(make)}
    return make(blocks, **own, **({"method": method} if method in _methods(name) else {}))


def methods_of(measure: Measure) -> tuple[str, ...]:
    """The interval methods of a measure for one scored list; none for measures whose only intervals
    are of means over topics.
    """
    if part_of(measure) is not None:
        return METHODS["part of AUC"]
    if _is_gini(measure):
        return METHODS["AUC"]
    if _is_ks(measure):
        return METHODS["tuned threshold"]
    if _has_number(measure):
        return METHODS["number at a level" if is_at_place(measure) else "number of a list"]
    name = _ALSO.get(measure.declaration.name, measure.declaration.name)
    return _methods(name) if name in OF_LISTS else ()


def _methods(name: str) -> tuple[str, ...]:
    return METHODS["tuned threshold" if name == MAX_F else name]
