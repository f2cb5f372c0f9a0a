"""`compare.unpaired`: compares one measure of two cohorts, which have no case in common."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any

from precall.cases import Curve
from precall.cases.intervals import blocks_in_groups, interval_of_list
from precall.core.arguments import check_kind, check_level, choose
from precall.core.errors import Fact, Mistake, UsageError
from precall.core.methods import Method
from precall.core.notes import Note, collect_notes
from precall.core.notes.of_comparisons import (
    RoughOfClass,
    SymmetricNearOne,
    UndefinedP,
    UnlikePrevalence,
)
from precall.core.text import many
from precall.measures import Measure
from precall.measures.areas import part_of
from precall.measures.registry import find
from precall.stats.blocks import Blocks
from precall.stats.intervals.interval import Interval
from precall.stats.intervals.mover import TwoEstimates
from precall.stats.tests import ELSEWHERE, INSTEAD, OF_COHORTS
from precall.stats.tests.comparisons import Comparison, bounds, notes_on_bounds, with_head
from precall.stats.tests.pairing import check_two
from precall.stats.tests.two_areas import AreaWithBounds, TwoAreas, why_undefined

#: Intervals of the difference.
INTERVALS = ("mover", "t")
#: With fewer cases of a class, Student's distribution is a rough approximation.
_FEW = 20
#: If one cohort's share of relevant cases is so many times that of the other, it is told.
_UNLIKE = 1.1
#: With a greater area the symmetric interval can be too narrow.
_NEAR_ONE = 0.9
#: Whole measures whose intervals are computed at any level without resampling.
_MEASURES = ("AUC", "AP")
#: Bisections for p if each needs the whole interval anew.
_STEPS = 24


def unpaired(
    first: Curve,
    second: Curve,
    measure: str | Measure = "AUC",
    *,
    test: str | None = None,
    interval: str = "mover",
    groups: tuple[object, object] | None = None,
    level: float = 0.95,
    names: tuple[str, str] = ("a", "b"),
) -> Comparison:
    """Compare two cohorts, such as women and men, or two hospitals, by a measure of their curves.

    The cohorts have no case in common. For two scores of the same cases use `compare.cases`.

    Parameters
    ----------
    first : curve of the first cohort, as `precall.curve` makes it.
    second : curve of the second cohort.
    measure : "AUC", "AUC(max_fpr=.2)" or "AP".
    test : test of no difference, two-sided:

        - "delong", the default for AUC and only for it: DeLong's variances, and Student's t with
          Welch's degrees of freedom, as pROC's `roc.test(paired=FALSE)`;
        - "mover", the default for other measures: p is 1 minus the level at which the interval of
          the difference ends at 0.
    interval : "mover" (default): from the intervals of both cohorts (Zou & Donner 2008); of AUC
        those on the log-odds scale, with Student's t for the number of cases of the scarcer class.
        "t", for AUC: symmetric, of the same test as p. It covers too little if an area is near 1.
    groups : the groups of the cases of either cohort, such as their patients, as a pair. A patient
        belongs to one cohort only.
    level : nominal coverage of the interval; p is significant at 1 - level.
    names : of the cohorts.

    Returns
    -------
    Comparison
        `size` is the number of cases of both. Scores of either cohort may have their own scale and
        direction.

    Raises
    ------
    DataError
        A cohort has no relevant case, or no other.
    UsageError
        The measure has no such interval, or an option is not allowed.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson, Biometrics 44, 1988; Zou & Donner, "Construction of confidence
    limits about effect measures", Statistics in Medicine 27, 2008. Coverage: docs/why/tests.md.

    Examples
    --------
    >>> from precall import compare, curve
    >>> women = curve([1, 1, 0, 1, 0, 0] * 10, range(60, 0, -1))
    >>> men = curve([0, 1, 1, 0, 1, 0] * 10, range(60, 0, -1))
    >>> found = compare.unpaired(women, men, names=("women", "men"))
    >>> round(found.difference, 4), round(found.p, 4), round(found.low, 4)
    (0.0333, 0.7561, -0.1811)
    """
    names, level = check_two(names), check_level(level)
    for argument, curve in (("first", first), ("second", second)):
        check_kind(argument, curve, Curve, "a curve, as pc.curve makes it")
    name = _name_of(measure)
    if name not in _MEASURES and part_of(measure) is None:
        raise UsageError(
            argument="measure",
            got=str(measure),
            allowed=("AUC", "AUC(max_fpr=...)", "AP"),
            remedy="of others compare the intervals, pc.interval(curve, measure)",
        )
    tests = OF_COHORTS[name] if name in OF_COHORTS else OF_COHORTS["AP"]
    test = tests[0] if test is None else choose("test", test, tests, ELSEWHERE, INSTEAD)
    interval = choose("interval", interval, INTERVALS)
    if interval == "t" and name != "AUC":
        raise UsageError(
            argument="interval", what="'t' is of the area under ROC", remedy="take 'mover'"
        )
    both = [
        blocks_in_groups(curve, group)
        for curve, group in zip((first, second), pair_of_groups(groups), strict=True)
    ]
    for cohort, blocks in zip(names, both, strict=True):
        if not (blocks.relevant and blocks.other):
            raise Mistake(
                "{got} case of cohort {cohort} is relevant",
                "check the labels, or name the positive one",
                got=Fact("every" if blocks.relevant else "no"),
                cohort=cohort,
            ).error("relevant")
    compared = (
        _of_areas(both, test, interval, level, names)
        if name == "AUC"
        else _of_intervals(both, measure, level, names)
    )
    return with_head(compared, measure)


def _name_of(measure: object) -> str:
    """ "AUC" for a whole area under ROC, else the name."""
    if part_of(measure) is not None:
        return "part of AUC"
    return find(check_kind("measure", measure, str | Measure, "a measure")).declaration.name


def pair_of_groups(groups: object) -> tuple[object, object]:
    """The groups of either cohort."""
    if groups is None:
        return None, None
    pair = tuple(check_kind("groups", groups, Sequence, "the groups of either cohort, as a pair"))
    if len(pair) != 2:
        raise UsageError(
            argument="groups",
            allowed="a pair: the groups of the cases of either cohort",
            got=Fact(f"{many(len(pair), 'thing')}"),
        )
    return pair[0], pair[1]


def _of_areas(
    both: list[Blocks], test: str, interval: str, level: float, names: tuple[str, str]
) -> Comparison:
    """The comparison of two areas under ROC."""
    areas = [AreaWithBounds.of(blocks) for blocks in both]
    pair, notes = TwoAreas(areas[0], areas[1]), _notes([area.notes for area in areas], names)
    facts: dict[str, Any] = {}
    values = [area.value for area in areas]
    if pair.why:
        return _undefined("AUC", values, pair.why, both, level, names, notes, test)
    if not pair.error:
        # Both areas are at an end, where only their bounds say how sure they are.
        test, interval = "mover", "mover"
    freedom = pair.freedom if pair.error else math.inf
    if test == "delong":
        p = min(1.0, 2 * pair.tail(0.0, freedom))
        method = Method("Student's t", freedom=freedom)
        facts["statistic"] = pair.estimates.difference / pair.error
        few = min(area.trials for area in areas)
        notes += [RoughOfClass("", few, False)] if few < _FEW else []
    else:
        p, method = pair.estimates.p(), Method("MOVER")
    ends = pair.bounds_by_t(level, freedom) if interval == "t" else pair.estimates.bounds(level)
    if interval == "t" and max(values) > _NEAR_ONE:
        notes.append(SymmetricNearOne("", max(values)))
    return _comparison(
        "AUC",
        values,
        ends,
        p,
        both,
        level=level,
        names=names,
        notes=notes,
        test=test,
        method=method,
        interval=interval,
        agrees=(test, interval) in (("delong", "t"), ("mover", "mover")),
        **facts,
    )


def _of_intervals(
    both: list[Blocks], measure: str | Measure, level: float, names: tuple[str, str]
) -> Comparison:
    """The comparison by the intervals of any measure."""

    def make(blocks: Blocks, level: float) -> Interval:
        with collect_notes():
            interval = interval_of_list(blocks, measure, None, "a cohort", level=level)
        assert isinstance(interval, Interval)
        return interval

    found = [make(blocks, level) for blocks in both]
    values = [interval.estimate for interval in found]
    notes = _notes([interval.notes for interval in found], names)
    name = measure if isinstance(measure, str) else measure.name
    if part_of(measure) is None:
        shares = [each.relevant / max(each.relevant + each.other, 1) for each in both]
        if max(shares) > _UNLIKE * min(shares):
            notes.append(UnlikePrevalence(name, *shares))
    if why := next(
        (why_undefined(each.notes) or "no interval" for each in found if each.low is None), ""
    ):
        return _undefined(name, values, why, both, level, names, notes, "mover")

    def bounds_at(blocks: Blocks, level: float) -> tuple[float, float]:
        interval = make(blocks, level)
        if interval.low is None or interval.high is None:
            return interval.estimate, interval.estimate
        return interval.low, interval.high

    at_level = [lru_cache(partial(bounds_at, blocks)) for blocks in both]
    pair = TwoEstimates(values[0], values[1], at_level[0], at_level[1], steps=_STEPS)
    return _comparison(
        name,
        values,
        pair.bounds(level),
        pair.p(),
        both,
        level=level,
        names=names,
        notes=notes,
        test="mover",
        method=Method("MOVER"),
        interval="mover",
        agrees=True,
    )


def _notes(noticed: Sequence[Sequence[Note]], names: tuple[str, str]) -> list[Note]:
    """What was noticed about the intervals, by the names of the cohorts."""
    return [note.within(name) for name, notes in zip(names, noticed, strict=True) for note in notes]


def _comparison(
    measure: str,
    values: Sequence[float],
    ends: tuple[float, float],
    p: float,
    both: Sequence[Blocks],
    *,
    notes: Sequence[Note],
    agrees: bool,
    level: float,
    **facts: Any,
) -> Comparison:
    low, high = bounds(*ends)
    against = () if agrees else notes_on_bounds((low, high), p, level, holds=False)
    every = _notes([each.notes for each in both], facts["names"])
    return Comparison(
        measure=measure,
        values=(values[0], values[1]),
        difference=values[0] - values[1],
        low=low,
        high=high,
        level=level,
        p=p,
        size=round(math.fsum(each.relevant + each.other for each in both)),
        notes=(*every, *notes, *against),
        unit="cases",
        **facts,
    )


def _undefined(
    measure: str,
    values: Sequence[float],
    why: str,
    both: Sequence[Blocks],
    level: float,
    names: tuple[str, str],
    notes: list[Note],
    test: str,
) -> Comparison:
    """The comparison if a cohort has no interval."""
    return _comparison(
        measure,
        values,
        (math.nan, math.nan),
        math.nan,
        both,
        level=level,
        names=names,
        notes=[*notes, UndefinedP("", why, False)],
        test=test,
        method=Method("undefined", undefined=why),
        interval="mover",
        no_interval=why,
        agrees=True,
    )
