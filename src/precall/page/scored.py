"""Turns scored cases into a section: curves with operating points, intervals, bands, comparisons
and null distributions.

Scores for several categories give the measures of each category, their averages, the decisions, and
curves of all pairs of item and category together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.cases.curve_sheet import summarize_curves
from precall.cases.intervals import OF_LISTS, blocks_of_curve, intervals_of_blocks
from precall.cases.intervals import blocks_of as cases_of
from precall.cases.table import (
    CaseTable,
    CurveChoices,
    MeasuredCases,
    compare_scores,
    describe_table,
)
from precall.core.arguments import check_kind, check_level
from precall.core.conventions import describe_conventions, good_scores, signature
from precall.core.errors import UsageError
from precall.core.notes import Note, collect_notes, notes_of, run_and_collect, warn
from precall.core.notes.of_curves import EqualScores, NeverScored, ReadInBatches
from precall.core.notes.of_pages import NoBands
from precall.core.text import many, short_repr
from precall.hard_decisions import Status, Thresholds
from precall.hard_decisions.categories_sheet import (
    SAID,
    categories_sheet,
    decisions_sheet,
    place_intervals,
    senses,
    summarize_categories,
    summarize_decisions,
)
from precall.intervals import interval
from precall.native import kernel_name
from precall.page.kept_points import operating_points
from precall.page.operating import AGAINST
from precall.page.record import law_of
from precall.page.sections import (
    Categories,
    CurvesSection,
    Law,
    Scored,
    SectionBounds,
    SectionPart,
    Tables,
)
from precall.page.tables import interval_at, tables_of
from precall.page.threshold import sentences
from precall.results.sentence import Sentence
from precall.stats.intervals.bands import Band, band
from precall.stats.null import test
from precall.stats.tests.comparisons import correct_for_number

if TYPE_CHECKING:
    from precall.cases import Curve
    from precall.cases.curves import Parts
    from precall.cases.scan import ScannedCases
    from precall.core.rng import Rng
    from precall.hard_decisions import Decisions
    from precall.stats.blocks import Blocks
    from precall.stats.intervals.interval import Interval
    from precall.stats.tests.comparisons import Comparison

    Placed = dict[tuple[str, str, str], Interval]

#: Up to this many scores, all pairs are compared; with more, only the score of greatest AP with
#: each of the others.
_COMPARED = 4
#: Operating points in a page: of all systems together, and the least number for one system.
POINTS, FEWEST = 1200, 150
#: Bands resample all thresholds. Beyond this many cases they take minutes and are as thin as the
#: line.
_BANDED = 2_000_000
#: Number of categories with a curve beside the pooled one; more lines could not be told apart.
_DRAWN = 5
_POOLED = "all pairs together"


def section_of_cases(
    table: CaseTable | ScannedCases,
    curves_by_score: Parts[Curve] | None = None,
    *,
    correction: str = "holm",
    level: float,
    rng: int,
) -> SectionPart[CurvesSection]:
    """The section of several scores of the same cases, with comparisons. `correction` adjusts p for
    the pairs of a measure; `curves_by_score` are the curves of the table, if they exist already.
    """
    if curves_by_score is None:
        curves_by_score = table.curves()
    parts = {
        (name, group): curve for name, of in curves_by_score.items() for group, curve in of.items()
    }
    names = join_names(parts) if table.grouped else list(table.scores)
    curves = dict(zip(names, parts.values(), strict=True))
    pairs: list[Comparison] = []
    if table.paired:
        each = compare_scores(table.in_memory("compare"), _pairs(curves), level, rng)
        for measure in dict.fromkeys(pair.measure for pair in each):
            pairs += correct_for_number(
                [pair for pair in each if pair.measure == measure], correction
            )
    conventions = describe(table.source, level, rng, **table.asked, ties=CurveChoices().ties_text)
    blocks = None
    if isinstance(table, CaseTable) and table.clusters is not None:
        blocks = {name: parts[""] for name, parts in table.blocks(curves_by_score).items()}
    section = of_curves(curves, level, rng, table.drawn, conventions, pairs, blocks)
    return section._replace(notes=[*table.notes, *section.notes])


def of_measured(measured: MeasuredCases, level: float, rng: int) -> SectionPart[CurvesSection]:
    """The section of scores that were measured by `measure_cases`."""
    parts = {
        (name, group): curve for name, of in measured.curves.items() for group, curve in of.items()
    }
    is_grouped = any(len(of) > 1 or "" not in of for of in measured.curves.values())
    names = join_names(parts) if is_grouped else list(measured.curves)
    curves = dict(zip(names, parts.values(), strict=True))
    return of_curves(curves, level, rng, True, measured.conventions, measured.comparisons)


def _pairs(curves: Mapping[str, Curve]) -> list[tuple[str, str]]:
    """The pairs to compare."""
    if len(curves) <= _COMPARED:
        return list(combinations(curves, 2))
    best, *others = sorted(curves, key=lambda name: -curves[name].average_precision())
    return [(best, name) for name in others]


def join_names(parts: Iterable[tuple[str, str]]) -> list[str]:
    """Names of scores and groups, joined to one name each; different pairs get different names.

    Examples
    --------
    >>> join_names([("a", "1")]), join_names([("a", "b, c"), ("a, b", "c")])
    (['a, 1'], ["'a', 'b, c'", "'a, b', 'c'"])
    """
    pairs = list(parts)
    # If no part contains a comma and a space, the first ", " always ends the name of the score.
    plain = not any(", " in name for pair in pairs for name in pair)
    return [", ".join(pair if plain else map(repr, pair)) for pair in pairs]


def describe(source: str, level: float, rng: int, **more: str | None) -> dict[str, str]:
    """The conventions of the numbers in a table."""
    return describe_table(source, **more) | {"level": f"{level:.12g}", "seed": str(rng)}


def of_curves(
    curves: Mapping[str, Curve],
    level: float,
    rng: int,
    chance: bool = True,
    conventions: Mapping[str, str] | None = None,
    comparisons: Sequence[Comparison] = (),
    in_groups: Mapping[str, Blocks] | None = None,
) -> SectionPart[CurvesSection]:
    """The section of some curves. Intervals, bands and null distributions are computed from the
    curves themselves, or from blocks that know which cases were drawn together.

    Without `chance` there is no random selection: weighted cases cannot be drawn one by one.
    """
    high = _is_high_good(curves)
    intervals: dict[str, dict[str, Interval]] = {}
    bands: dict[str, dict[str, Band]] = {}
    distributions: list[Law] = []
    notes: list[Note] = []

    def keep_notes(name: str, make: Callable[..., object], *given: Any) -> Any:
        result, remarks = run_and_collect(partial(make, *given))
        notes.extend(notes_of(name, remarks))
        return result

    for name, curve in curves.items():
        if (blocks := blocks_to_draw(curve)) is not None:
            blocks = blocks if in_groups is None else in_groups[name]
            intervals[name] = keep_notes(name, intervals_of_blocks, blocks, level, rng)
            if curve.asked is None:
                bands[name] = keep_notes(name, bands_of, blocks, level, rng)
            else:
                notes.append(ReadInBatches(name))
            distributions += keep_notes(name, _distributions, name, curve) if chance else []
    conventions = conventions or describe_conventions(
        good=good_scores(high), ties="block", level=f"{level:.12g}", seed=rng, kernel=kernel_name()
    )
    section = part_of(curves, intervals, bands, comparisons, distributions, conventions)
    return section._replace(notes=[*section.notes, *notes])


def _is_high_good(curves: Mapping[str, Curve]) -> bool:
    """Whether high scores are good. All curves of a section must agree, because it states this once
    for all thresholds.
    """
    by_end = {curve.higher_is_better: name for name, curve in curves.items()}
    if len(by_end) > 1:
        raise UsageError(
            argument="report",
            what=(f"low scores are good in {{got}} and high ones in {short_repr(by_end[True])}"),
            got=by_end[False],
            remedy=(
                "give the curves as a list of two, [{...}, {...}], each of which has a part of "
                "the page"
            ),
        )
    return next(iter(by_end))


def blocks_to_draw(curve: Curve) -> Blocks | None:
    """The blocks of a curve; None if its weights are not whole, or all cases have one class,
    because nothing is drawn at random then.
    """
    alike = curve.tp.dtype.kind != "i" or not curve.tp[-1] or not curve.other
    return None if alike else blocks_of_curve(curve)


def bands_of(blocks: Blocks, level: float, rng: Rng) -> dict[str, Band]:
    """Simultaneous bands of the precision-recall and the ROC curve."""
    count = len(blocks.positive)
    if count >= _BANDED:
        warn(NoBands("", count))
        return {}
    return {kind: band(blocks, kind, level=level, rng=rng) for kind in ("pr", "roc")}


def _distributions(name: str, curve: Curve) -> list[Law]:
    """AP against its null distribution: the same cases in random order, with the blocks of equal
    scores kept.
    """
    try:
        outcomes = test(curve, "AP", ties="block")
    except UsageError:
        return []
    return [law_of(name, "average precision", outcomes.combined)]


def part_of(
    curves: Mapping[str, Curve],
    intervals: Mapping[str, Mapping[str, Interval]] | None = None,
    bands: Mapping[str, Mapping[str, Band]] | None = None,
    comparisons: Sequence[Comparison] = (),
    distributions: Sequence[Law] = (),
    conventions: Mapping[str, str] | None = None,
) -> SectionPart[CurvesSection]:
    """The section of curves by name of the score, with the intervals (by measure) and bands (by
    kind) that exist.
    """
    intervals, bands, conventions = intervals or {}, bands or {}, dict(conventions or {})
    parts: dict[str, Mapping[str, Curve]] = {name: {"": each} for name, each in curves.items()}
    sheet = MeasuredCases(parts, "scores", CurveChoices(), conventions).sheet()
    most, systems, remarks = max(POINTS // len(curves), FEWEST), [], []
    areas = {name: sheet.body["scores"][name]["measures"]["AP"] or 0.0 for name in curves}
    best = max(areas, key=lambda name: np.nan_to_num(areas[name]))
    for index, (name, curve) in enumerate(curves.items()):
        values = sheet.body["scores"][name]
        points = operating_points(curve, most, index < AGAINST or name == best)
        systems.append(
            Scored(
                name=name,
                points=points,
                measures={
                    measure: np.nan if value is None else value
                    for measure, value in (*values["counts"].items(), *values["measures"].items())
                },
                intervals=dict(intervals.get(name, {})),
                bands={
                    kind: SectionBounds(
                        x=of.x,
                        low=of.low,
                        high=of.high,
                        level=of.level,
                        kind=of.kind,
                        method=of.method,
                    )
                    for kind, of in bands.get(name, {}).items()
                },
            )
        )
        remarks += _remarks(name, curve)
    section = CurvesSection(
        good="high" if _is_high_good(curves) else "low",
        systems=systems,
        pairs=list(comparisons),
        laws=list(distributions),
        blocks=tables_of(sheet),
        signature=signature(conventions),
        conventions=conventions,
    )
    for pair in comparisons:
        remarks += [*pair.shared, *notes_of(pair.measure, pair.own_notes)]
    headline = [
        *summarize_curves(curves, comparisons, intervals),
        *map(Sentence, sentences(section)),
    ]
    return SectionPart(section, headline, [*sheet.notes, *remarks])


def _remarks(name: str, curve: Curve) -> list[Note]:
    size, blocks = (curve.tp[-1] + curve.fp[-1]).item(), len(curve) - 1
    remarks: list[Note] = []
    # Weights may have any sum, so they do not tell the number of cases.
    if curve.tp.dtype.kind == "i" and blocks < size:
        remarks.append(EqualScores(name, size, blocks))
    if curve.missed:
        remarks.append(NeverScored(name, curve.missed))
    return remarks


def section_of_categories(
    status: Status,
    policy: str | Thresholds | None = None,
    undefined: str = "zero",
    *,
    level: float,
    rng: int,
    source: str = "",
    asked: Mapping[str, str | None] | None = None,
) -> SectionPart[Categories]:
    """The section of scores of many categories: the tables, and the curves of all pairs together
    and of the worst categories.

    Decisions are made by `policy`. Without one, the best category is chosen if each item has one.
    The page states `source` and the columns `asked` for.

    Examples
    --------
    >>> from precall import categorize
    >>> status = categorize(["a", "b", "b"] * 20, [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]] * 20)
    >>> section, headline, _ = section_of_categories(status, level=0.95, rng=0)
    >>> section.kind, [one.name for one in section.systems]
    ('categories', ['all pairs together', 'a', 'b'])
    >>> headline[0].text
    'Mean average precision of 2 categories 1.0000, of all pairs together 0.9167.'
    """
    check_kind("status", status, Status, "what pc.categorize() returns")
    level = check_level(level)
    if policy is not None:
        check_kind(
            "policy", policy, (str, Thresholds), "the name of one, or what thresholds() returns"
        )
    single = bool(np.all(status.truth.per_item() == 1))
    chosen = policy or ("rank:1" if single else None)
    learned = status.thresholds(chosen, undefined=undefined) if isinstance(chosen, str) else chosen
    policy_told = None if learned is None else learned.policy
    asked = {
        **(asked or {}),
        "policy": policy_told if policy else None,
        "ties": "block",
        "undefined": undefined,
        **senses(),
    }
    conventions = describe(source, level, rng, **asked) | (
        {} if policy_told is None else {"policy": policy_told}
    )
    section, remarks = run_and_collect(
        partial(_categories, status, conventions, undefined, learned, level, rng)
    )
    return section._replace(notes=[*section.notes, *remarks])


def _categories(
    status: Status,
    conventions: dict[str, str],
    undefined: str,
    learned: Thresholds | None,
    level: float,
    rng: Rng,
) -> SectionPart[Categories]:
    sheet = categories_sheet(status, learned, undefined, conventions)
    policy = None if learned is None else learned.policy
    intervals, notes = intervals_of_categories(status, level)
    if learned is not None:
        of_decisions, more = intervals_of_decisions(status.decide(learned), level, rng)
        intervals, notes = intervals | of_decisions, notes + more
    values = status.by_category("AP").values
    names = [str(name) for name in status.categories]
    order = sorted(range(len(names)), key=lambda i: (values[i] != values[i], values[i]))
    wanted = set(order[:_DRAWN])
    each = {
        names[i]: curve for i, curve in enumerate(status.curves()) if i in wanted and curve.relevant
    }
    pooled = _POOLED
    while pooled in each:
        pooled = f"({pooled})"
    drawn = part_of({pooled: status.pooled()} | each, conventions=conventions).section
    section = Categories(
        good=drawn.good,
        systems=drawn.systems,
        pairs=[],
        blocks=tables_of(sheet, intervals),
        signature=drawn.signature,
        conventions=drawn.conventions,
        title="Categories",
        shown=len(each),
        of=len(names),
        policy=policy,
    )
    headline = [Sentence(summarize_categories(sheet.body["averages"], len(names)))]
    if policy is not None:
        decided = summarize_decisions(sheet.body["decisions"], partial(interval_at, intervals))
        headline.append(Sentence(f"Decided by {policy}: {decided}."))
    return SectionPart(section, headline, [*sheet.notes, *notes])


def decisions_section(
    decisions: Decisions, undefined: str = "zero", *, level: float = 0.95, rng: Rng = 0
) -> SectionPart[Tables]:
    """Hard decisions: contingency tables, precision, recall and F of each category, and their
    averages.
    """
    sheet = decisions_sheet(decisions, undefined, {})
    intervals, notes = intervals_of_decisions(decisions, level, rng)
    conventions = {"undefined": undefined, "level": f"{level:.12g}"}
    section = Tables(
        title="Decisions",
        blocks=tables_of(sheet, intervals),
        signature=signature(conventions),
        conventions=conventions,
    )
    averages = summarize_decisions(sheet.body, partial(interval_at, intervals))
    sentence = Sentence(f"{averages}, {many(decisions.truth.items, 'item')}.")
    return SectionPart(section, [sentence], [*sheet.notes, *notes])


def intervals_of_categories(status: Status, level: float) -> tuple[Placed, list[Note]]:
    """Intervals of AP and the area under ROC, of each category and of all pairs as one list.

    Intervals of all pairs resample items. A mean over categories has none, because categories share
    their items.
    """
    intervals: Placed = {}
    notes: list[Note] = []
    lists = {
        ("category", str(name)): blocks_to_draw(curve)
        for name, curve in zip(status.categories, status.curves(), strict=True)
    }
    if not status.pooled().missed:
        lists["average", "micro"] = cases_of(status.relevant, status.score, groups=status.item)
    for key, blocks in lists.items():
        for measure in ("AP", "AUC") if blocks is not None else ():
            with collect_notes():
                intervals[(*key, measure)] = interval_ = OF_LISTS[measure](blocks, level=level)
            notes += notes_of(key[1], interval_.notes)
    return intervals, notes


def intervals_of_decisions(
    decisions: Decisions, level: float, rng: Rng
) -> tuple[Placed, list[Note]]:
    """Intervals for decisions: of the shares of each category, and of averages of F."""
    with collect_notes():
        intervals_by_key = interval(decisions, level=level, rng=rng)
    intervals: Placed = {}
    for (section_name, name, column), interval_ in place_intervals(
        decisions, intervals_by_key
    ).items():
        intervals[section_name, name, column] = interval_
        if section_name == "category":
            # Tables have the label of a yes or no; the data have its usual name.
            intervals[section_name, decisions.truth.label or name, column] = interval_
        elif section_name == "measure":
            intervals[section_name, SAID[name, "exact"], column] = interval_
    return intervals, list(intervals_by_key.notes)
