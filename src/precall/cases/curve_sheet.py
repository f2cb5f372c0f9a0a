"""Curves → a sheet: all numbers of the curves of some scores side by side, optionally by group and
compared with chance.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.cases import Curve
from precall.cases.group_values import Column, ValuesOfGroups, as_list, measure_groups
from precall.cases.points import NotReached, point
from precall.cases.points_sheet import (
    DETAILS_OF_POINT,
    ROWS_OF_POINT,
    block_of_points,
    blocks_of_point,
    cell_of_threshold,
    cells_of_point,
)
from precall.cases.ranking_curves import GroupCurves
from precall.cases.scan import ScannedCases
from precall.cases.table import CurveChoices, MeasuredCases, measure_cases
from precall.core.conventions import describe_conventions
from precall.core.counts import Counts
from precall.core.errors import Mistake, TiesUnresolved
from precall.core.notes import Note, collect_notes, notes_of
from precall.core.notes.of_curves import (
    BreakEvenBeforeHits,
    NeedsWholeCounts,
    NeverReached,
    ScoresNotCounted,
    TurnedScores,
)
from precall.core.notes.of_decisions import UndefinedIn
from precall.core.notes.of_null import PByChance
from precall.core.text import format_count, many
from precall.core.undefined import COUNT_THEM, apply_undefined
from precall.measures import Measure, of_counts
from precall.measures.best_points import BREAK_EVEN, is_left_early
from precall.measures.registry import find
from precall.results.blocks import (
    COUNTS,
    GOOD_SIDE,
    AtMost,
    Block,
    Bound,
    Cell,
    Cells,
    LazyLines,
    LazyRows,
    Line,
    Threshold,
    cells_of,
    good_side,
)
from precall.results.sentence import Sentence, describe_value
from precall.results.sheets import Sheet
from precall.stats.tests.verdict import verdict_of

if TYPE_CHECKING:
    from precall.stats.intervals.interval import Interval
    from precall.stats.null.chances import Chances
    from precall.stats.tests.comparisons import Comparison

_LEFT = re.compile(r"(.* )?thresholds?")
_BEST = {
    "cost": -1,
    **dict.fromkeys(("threshold", "accepted", "tp", "fp", "fn", "tn"), 0),
}
_INTERVAL = "interval"
#: The section of values under random selection.
CHANCE = "random selection"
#: Values of an operating point in data; the specificity has the name of LingPipe as well.
_AT = (*ROWS_OF_POINT, "E", "specificity", "rejection recall", "accuracy", "error")
#: Measures by the headings of these values.
_HEADINGS = {
    "precision": "P",
    "recall": "R",
    "F": "F",
    "E": "E",
    "specificity": "Specificity",
    "accuracy": "Accuracy",
    "error": "Error",
}
#: Second names of values that data has under two names: LingPipe's, and the measure's own. They are
#: not printed.
_TWICE = {"rejection recall", *_HEADINGS.values()} - set(_HEADINGS)
#: Sections about whole curves; their values are labelled by name alone, without the section.
_NAMED = ("counts", "measures", "areas")
#: Number of operating points shown below the values of a curve, from both ends; `points()` has all.
_POINTS = 10
_NO_BEST = re.compile(r"max F (precision|recall)|.* threshold|prevalence")
#: Names of the lines of a table, if they are not those of the data.
_PRINTED = {"relevant": "relevant (positives)", "prevalence": "prevalence (random AP)"}
#: The headings of details that have intervals, by their measures.
_PRINTED_MEASURES = {
    **{find(f"BEP(method={method})").name: f"break-even {method}" for method in BREAK_EVEN},
    "Rprec": "R-precision",
    "IAP": "pr 11-point",
}
_BOUNDS_OF_DETAILS = tuple(
    f"{name}{end}" for name in _PRINTED_MEASURES.values() for end in ("", " low", " high")
)
#: Number of groups in the short answer. That about several scores, points or intervals has only
#: means.
_GROUPS = 8
#: Values that a table of groups leaves to its details.
_BESIDE_BEST = ("max F precision", "max F recall")
#: Groups whose rows are made together.
_PART = 1 << 10
#: Counts and measures that the short answer leaves out.
_DETAILS = ("thresholds", *(f"break-even {method}" for method in BREAK_EVEN), "R-precision", "RR")


def values(curve: Curve, choices: CurveChoices) -> tuple[Cells, list[Note]]:
    """All values of one curve, in sections, and the notes about them."""
    notes: list[Note] = []
    if curve.asked is not None:
        notes.append(ScoresNotCounted("", str(curve.asked.read)))
    with collect_notes():
        # Lines show `undef` for undefined values; a warning for each would add nothing.
        table = curve.areas().to_dict()
        areas = dict(zip(table["area"], table["value"], strict=True))
        sections: Cells = {
            "counts": {
                "cases": (curve.tp[-1] + curve.fp[-1]).item(),
                "relevant": curve.relevant,
                "missed": curve.missed,
                "thresholds": np.nan if curve.asked is not None else len(curve) - 1,
            },
            "measures": _measures(curve, choices, areas, notes),
            "areas": areas,
            "11-point": {
                f"{i / 10:.1f}": value for i, value in enumerate(curve.eleven_point().tolist())
            },
        }
        for name, condition in choices.at.items():
            sections[f"at {name}"] = _point_cells(curve, condition, choices, name, notes)
    return {name: _in_units(cells) for name, cells in sections.items()}, notes


def _in_units(cells: dict[str, Cell]) -> dict[str, Cell]:
    """Cells with sums of weights as they are written, since the unit of weights is arbitrary."""
    return {
        name: Threshold(value) if name in COUNTS and isinstance(value, float) else value
        for name, value in cells.items()
    }


def _measures(
    curve: Curve, choices: CurveChoices, areas: Mapping[str, Any], notes: list[Note]
) -> dict[str, Cell]:
    best = curve.max_f()
    cells: dict[str, Cell] = {
        "prevalence": point(curve, -1, np.nan).of("Prevalence"),
        "AP": areas["pr step"],
        "AUC": areas["roc trapezoid"],
        "max F": best.value,
        "max F threshold": cell_of_threshold(best),
        "max F precision": best.precision,
        "max F recall": best.recall,
    }
    notes += curve.notes
    cells |= _best_cells(curve, choices)
    cells |= {f"break-even {method}": curve.break_even(method) for method in BREAK_EVEN}
    if curve.tp.dtype.kind == "i":
        cells |= {
            "R-precision": curve.r_precision(choices.ties),
            "RR": curve.reciprocal_rank(choices.ties),
        }
    else:
        cells |= {"R-precision": np.nan, "RR": np.nan}
        notes.append(NeedsWholeCounts("", ("R-precision", "RR")))
    for measure in choices.measures:
        # Do not repeat a value that is shown already.
        if measure.declaration.of is not Counts and measure.name not in cells:
            cells[measure.name] = _of_ranks(curve, measure, choices.ties, notes)
    return cells


def _best_cells(curve: Curve, choices: CurveChoices) -> dict[str, Cell]:
    """The best value of each requested measure of counts, and its threshold."""
    cells: dict[str, Cell] = {}
    for measure in choices.of_counts:
        best = curve.at(max=measure)
        name = _extreme(measure)
        cells |= {name: best.value, f"{name} threshold": cell_of_threshold(best)}
    return cells


def _of_ranks(curve: Curve, measure: Measure, ties: str, notes: list[Note]) -> float:
    """A measure of ranks by blocks of equal score, as the curve's own measures are; if it needs an
    order, by the rule `ties`.
    """
    if curve.tp.dtype.kind != "i" and not measure.has_blocks:
        notes.append(NeedsWholeCounts("", (measure.head,)))
        return np.nan
    return curve.value(measure, None if measure.has_blocks else ties)


def _point_cells(
    curve: Curve, condition: Mapping[str, Any], choices: CurveChoices, name: str, notes: list[Note]
) -> dict[str, Cell]:
    try:
        point = curve.at(**condition)
    except NotReached as error:
        notes.append(NeverReached("", name, error.most, error.lacking))
        names = [*_AT, *(measure.name for measure in choices.of_counts)]
        return dict.fromkeys(names + ["cost"] * ("cost" in condition), np.nan)
    notes += point._notes_of_choice()
    cells = cells_of_point(point)
    cells["rejection recall"] = cells["specificity"]
    cells = {name: cells[name] for name in _AT}
    cells |= {measure.name: point.of(measure) for measure in choices.of_counts}
    return cells | ({"cost": Threshold(point.value)} if "cost" in condition else {})


def scanned_sheet(scanned: ScannedCases, **choices: Any) -> Sheet:
    """The sheet of scanned cases: counts, measures, areas and 11 points of every score."""
    return measured_sheet(measure_cases(scanned), **choices)


def measured_sheet(measured: MeasuredCases, **choices: Any) -> Sheet:
    """The sheet of scores by name, each with its curves by group; a single group named "" means no
    groups.
    """
    chosen = replace(measured.choices, **choices)
    values_of_scores, notes = _by_group(measured, chosen)
    notes += measured.remarks
    groups = _CellsByGroup(values_of_scores)
    is_ungrouped = list(groups) == [""]
    headed, heads = _measures_by_heading(chosen), _heads(chosen)
    requested = frozenset(measure.name for measure in chosen.measures)
    body: dict[str, Any] = {"scores": groups[""]} if is_ungrouped else {"groups": groups}
    blocks: list[Block] = []
    more: list[tuple[Cell, ...]] = []
    if is_ungrouped:
        blocks = _blocks("", groups[""], headed, heads, requested)
    else:
        means = {
            score: _mean(_columns(values), chosen, score, measured.source, notes)
            for score, values in values_of_scores.items()
        }
        for score, mean in means.items():
            notes += [
                note.within(f"{score}, mean over groups")
                for note in _add_requested(measured, score, None, mean)
            ]
        body["mean"] = means
        blocks = _blocks(
            f"mean over {many(len(groups), 'group')} (counts: sum)", means, headed, heads, requested
        )
        for score, values in values_of_scores.items():
            title = "" if len(means) == 1 else score
            blocks += _blocks_of_groups(title, values, heads, requested)
        more = _rows("all", means, "mean", heads)
    columns = ("score", "group", "section", "measure", "aggregate", "value")
    of_details = tuple(dict.fromkeys(note for note in notes if _is_of_details(note, requested)))
    sheet = Sheet(
        "precall.curve/2",
        dict(measured.conventions),
        tuple(replace(block, legends=of_details) if block.detail else block for block in blocks),
        tuple(dict.fromkeys(notes)),
        body,
        columns,
        LazyRows(partial(_rows_of_groups, groups, heads, more), _count_rows(groups) + len(more)),
    )
    if not measured.comparisons:
        return sheet
    from precall.stats.tests.comparison_sheet import with_cases

    return with_cases(sheet, measured.comparisons)


def _is_of_details(note: Note, requested: frozenset[str]) -> bool:
    """Whether a note is only about values that the short answer leaves out."""
    if isinstance(note, NeedsWholeCounts):
        return not requested.intersection(note.measures) and set(note.measures) <= set(_DETAILS)
    if isinstance(note, BreakEvenBeforeHits):
        return not any(name.startswith("BEP") for name in requested)
    if note.subject in _PRINTED_MEASURES:
        return note.subject not in requested
    # The number of distinct scores stands among the details.
    return isinstance(note, ScoresNotCounted)


class _CellsByGroup(Mapping[str, dict[str, Cells]]):
    """Group → score → all values of its curve, made when they are read."""

    def __init__(self, scores: Mapping[str, Mapping[str, Cells]]) -> None:
        self.scores = scores
        self._names = next(iter(scores.values()), {})

    def __getitem__(self, group: str) -> dict[str, Cells]:
        return {score: values[group] for score, values in self.scores.items()}

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _columns(values: Mapping[str, Cells]) -> dict[str, dict[str, list[Any]]]:
    """Section → name → the values of all groups."""
    if isinstance(values, ValuesOfGroups):
        return {
            section: {name: as_list(column) for name, column in line.items()}
            for section, line in values.columns.items()
        }
    parts = list(values.values())
    return {
        section: {name: [cells[section].get(name) for cells in parts] for name in line}
        for section, line in parts[0].items()
    }


def _by_group(
    measured: MeasuredCases, choices: CurveChoices
) -> tuple[dict[str, Mapping[str, Cells]], list[Note]]:
    """Score → group → all values of its curve; and the notes about them."""
    scores: dict[str, Mapping[str, Cells]] = {}
    notes: list[Note] = []
    for score, by_group in measured.curves.items():
        at_once = not (measured.intervals or measured.chances)
        if at_once and isinstance(by_group, GroupCurves) and by_group.is_small:
            scores[score], of_groups = _of_groups(score, by_group, choices)
            notes += of_groups
            continue
        groups: dict[str, Cells] = {}
        if early := sum(map(is_left_early, by_group.values())):
            several = "" if "" in by_group else "groups"
            notes.append(BreakEvenBeforeHits(score, early, len(by_group), several))
        for group, curve in by_group.items():
            name = f"{score}{f', group {group}' if group else ''}"
            try:
                sections, own = values(curve, choices)
            except TiesUnresolved as error:
                raise TiesUnresolved(f"{name}: {error.marked}") from None
            own += _add_requested(measured, score, group, sections)
            groups[group] = sections
            notes += notes_of(name, own)
        scores[score] = groups
    return scores, notes


def _of_groups(
    score: str, curves: GroupCurves, choices: CurveChoices
) -> tuple[ValuesOfGroups, list[Note]]:
    """All values of the curves of a score, and the notes about them; what was requested beyond
    what every curve has is chosen curve by curve.
    """
    of_ranks = [
        each
        for each in choices.measures
        if each.declaration.of is not Counts and each.name not in ("AP", "AUC")
    ]
    with collect_notes():
        try:
            by_section = measure_groups(curves, choices.ties, of_ranks)
        except TiesUnresolved:
            for group, curve in curves.items():
                try:
                    values(curve, choices)
                except TiesUnresolved as error:
                    raise TiesUnresolved(f"{score}, group {group}: {error.marked}") from None
            raise
        best: dict[str, list[Cell]] = {}
        points: dict[str, dict[str, list[Cell]]] = {f"at {name}": {} for name in choices.at}
        notes: list[Note] = []
        if by_section.early:
            notes.append(BreakEvenBeforeHits(score, by_section.early, len(curves), "groups"))
        for group, is_turned in zip(curves, by_section.turned.tolist(), strict=True):
            own: list[Note] = [TurnedScores("", curves.higher_is_better)] if is_turned else []
            if choices.of_counts or choices.at:
                curve = curves[group]
                for name, cell in _best_cells(curve, choices).items():
                    best.setdefault(name, []).append(cell)
                for name, condition in choices.at.items():
                    cells = _point_cells(curve, condition, choices, name, own)
                    for of_point, cell in _in_units(cells).items():
                        points[f"at {name}"].setdefault(of_point, []).append(cell)
            notes += notes_of(f"{score}, group {group}", own)
    columns: dict[str, Mapping[str, Column]] = {
        "counts": by_section.counts,
        "measures": {**by_section.best_f, **best, **by_section.break_even, **by_section.of_ranks},
        "areas": by_section.areas,
        "11-point": by_section.levels,
        **points,
    }
    return ValuesOfGroups(curves.index, columns), notes


def _rows_of_groups(
    groups: _CellsByGroup, heads: Mapping[str, str], more: list[tuple[Cell, ...]]
) -> Iterator[list[Any]]:
    """All rows, in parts, so that those of many groups need not be in memory at once."""
    names = list(groups)
    for first in range(0, len(names), _PART):
        rows = [
            row
            for group in names[first : first + _PART]
            for row in _rows(group, groups[group], None, heads)
        ]
        yield list(zip(*rows, strict=True))
    if more:
        yield list(zip(*more, strict=True))


def _count_rows(groups: _CellsByGroup) -> int:
    """The number of rows of all groups."""
    size = 0
    for values in groups.scores.values():
        if not isinstance(values, ValuesOfGroups):
            size += sum(len(_rows("", {"": cells}, None, {})) for cells in values.values())
            continue
        for line in values.columns.values():
            size += len(values) * len(line)
            lists = [column for column in line.values() if isinstance(column, list)]
            size += sum(
                any(isinstance(cell, AtMost) for cell in row) for row in zip(*lists, strict=True)
            )
    return size


def _blocks_of_groups(
    title: str,
    values: Mapping[str, Cells],
    heads: Mapping[str, str],
    requested: frozenset[str],
) -> list[Block]:
    """The blocks of `_blocks`, with a line for each group and the names as columns."""
    first, columns = next(iter(values.values())), _columns(values)
    is_missed = any(columns["counts"]["missed"])
    # Points and intervals of the mean already fill a screen.
    _, *others, _, _ = _parts(first, is_missed, requested)
    is_alone = not (title or others or _points(first))

    def lines(names: list[tuple[str, str]]) -> Iterator[Line]:
        chosen = (columns[section][name] for section, name in names)
        return map(Line, values, zip(*chosen, strict=True))

    blocks = []
    for corner, pairs, detail in _parts_of_groups(first, is_missed, requested):
        is_short = corner == "measure" and is_alone
        shown = [pair for pair in pairs if pair[1] not in _TWICE]
        heading = [
            f"area {name}" if section == "areas" else heads.get(name, name)
            for section, name in shown
        ]
        about = "" if corner == "measure" else corner
        blocks.append(
            Block(
                ": ".join(filter(None, (title, about))),
                ("group", *heading),
                LazyLines(partial(lines, shown), len(values)),
                long=True,
                detail=detail or ("" if is_short else "values of each group"),
                first=_GROUPS,
            )
        )
    return blocks


def _parts_of_groups(
    first: Cells, is_missed: bool, requested: frozenset[str]
) -> list[tuple[str, list[tuple[str, str]], str]]:
    """The parts of `_parts` for lines of groups, those of chosen points before them: the corner of
    each, its columns as (section, name), and what it is called where it is left out.
    """
    parts: list[tuple[str, list[tuple[str, str]], str]] = [
        (
            section,
            [(section, name) for name in first[section] if (name in DETAILS_OF_POINT) == is_detail],
            ", ".join(DETAILS_OF_POINT) if is_detail else "",
        )
        for section in _points(first)
        for is_detail in (False, True)
    ]
    in_short, *others, more, levels = _parts(first, is_missed, requested)
    # A line of few columns fits on a screen.
    beside = [pair for pair in in_short[1] if pair[1] in _BESIDE_BEST and pair[0] == "measures"]
    return [
        *parts,
        (in_short[0], [pair for pair in in_short[1] if pair not in beside], ""),
        *others,
        (more[0], beside + more[1], more[2]),
        levels,
    ]


def _points(first: Cells) -> list[str]:
    """The sections of chosen points."""
    return [section for section in first if section.startswith("at ")]


def _add_requested(
    measured: MeasuredCases, score: str, group: str | None, sections: Cells
) -> list[Note]:
    """Add the requested intervals and values under chance to the cells of a group, or of the mean
    over groups.
    """
    if measured.intervals:
        sections[_INTERVAL] = _bounds(measured.intervals[score][group])
    if not measured.chances:
        return []
    sections[CHANCE] = chance_cells(measured.chances[score][group])
    return _how(measured.chances[score][group])


def one_curve_sheet(
    curve: Curve,
    at: Mapping[str, Mapping[str, object]] | None = None,
    ties: str = "expected",
    undefined: str = "zero",
    measures: str | Measure | Iterable[str | Measure] = (),
) -> Sheet:
    """The sheet of one curve, with its first and last operating points; see `Choices`."""
    several = [measures] if isinstance(measures, str | Measure) else measures
    chosen = CurveChoices(at or {}, ties, undefined, tuple(map(find, several)))
    conventions = describe_conventions(
        **good_side(curve.higher_is_better),
        ties=chosen.ties_text,
    )
    sheet = measured_sheet(MeasuredCases({"curve": {"": curve}}, "curve", chosen, conventions))
    if curve.asked is not None:  # a scanned curve has no row for every threshold
        return sheet
    points = curve.points(*chosen.of_counts)
    return sheet.sheet(
        blocks=(
            *sheet.blocks,
            replace(
                block_of_points(points, points.parts[0], _POINTS, "operating points"),
                detail="operating points",
            ),
        )
    )


def chance_cells(chances: Chances) -> dict[str, Cell]:
    """For each measure the mean and interval under chance, the value minus that mean, and p."""
    cells: dict[str, Cell] = {}
    for name, outcome in chances.outcomes.items():
        values, p = [np.nan] * 4, np.nan
        if outcome is not None:
            middle, p = outcome.null.interval(chances.level), outcome.p
            values = [outcome.null.mean, middle.low, middle.high, outcome.effect]
        names = ("by chance", "by chance low", "by chance high", "over chance")
        cells |= {f"{name} {heading}": value for heading, value in zip(names, values, strict=True)}
        # Like thresholds, because a small p rounded to four decimals would be 0.
        is_bound = outcome is not None and outcome.tail.bound
        cells[f"{name} p"] = (Bound if is_bound else Threshold)(p)
    return cells


def _how(chances: Chances) -> list[Note]:
    """Notes on how each p that is not exact was computed."""
    return [
        PByChance(name, *outcome.tail.facts)
        for name, outcome in chances.outcomes.items()
        if outcome is not None and outcome.tail.error
    ]


def _bounds(intervals: Mapping[str, Interval]) -> dict[str, Cell]:
    cells: dict[str, Cell] = {}
    for measure, interval in intervals.items():
        name = _PRINTED_MEASURES.get(measure, measure)
        cells |= zip(
            (name, f"{name} low", f"{name} high"), (interval.estimate, *interval.ends), strict=True
        )
        cells |= {f"{name} {heading}": cell for heading, cell in cells_beside(interval).items()}
    return cells


def cells_beside(interval: Interval) -> dict[str, Cell]:
    """Values shown next to the bounds of an interval: its threshold, and the number of samples
    drawn.
    """
    threshold = getattr(interval, "threshold", None)
    kind = Threshold if getattr(interval, "higher_is_better", True) else AtMost
    cells: dict[str, Cell] = {} if threshold is None else {"threshold": kind(threshold)}
    return cells | ({"resamples": interval.resamples} if interval.resamples else {})


def _measures_by_heading(choices: CurveChoices) -> dict[str, Measure]:
    """Measures by the headings of their columns: those at points, and the requested ones of whole
    curves.
    """
    headed = {heading: of_counts(name) for heading, name in _HEADINGS.items()}
    headed |= {name: find(name) for name in ("AP", "AUC", "R-precision", "RR")}
    headed |= {measure.name: measure for measure in choices.measures}
    return headed | {_extreme(measure): measure for measure in choices.of_counts}


def _extreme(measure: Measure) -> str:
    """The heading of a measure's best value along a curve."""
    return f"{'min' if measure.declaration.direction < 0 else 'max'} {measure.name}"


def _heads(choices: CurveChoices) -> dict[str, str]:
    """Printed names of requested measures whose printed name differs from their own."""
    heads = {measure.name: measure.head for measure in choices.measures}
    for measure in choices.of_counts:
        name = _extreme(measure)
        heads[name] = name.replace(measure.name, measure.head)
        heads[f"{name} threshold"] = f"{heads[name]} threshold"
    return heads


def _blocks(
    title: str,
    scores: Mapping[str, Cells],
    headed: Mapping[str, Measure],
    heads: Mapping[str, str],
    requested: frozenset[str],
) -> list[Block]:
    """Blocks of the sheet: the chosen points; the most important values of whole curves; intervals
    and values under random selection, if wanted; then details.
    """
    first = next(iter(scores.values()))
    points = _points(first)
    printed = {**_PRINTED, **heads}

    def block(corner: str, names: Iterable[tuple[str, str]], detail: str = "") -> Block:
        lines = tuple(
            Line(
                f"area {name}" if section == "areas" else printed.get(name, name),
                tuple(of_score[section].get(name) for of_score in scores.values()),
                _best(section, name, headed),
            )
            for section, name in names
            if name not in _TWICE
        )
        return Block(title, (corner, *scores), lines, detail=detail)

    blocks: list[Block] = []
    for section in points:
        cells = {
            score: {name: cell for name, cell in sections[section].items() if name not in _TWICE}
            for score, sections in scores.items()
        }
        best = partial(_best, section, headed=headed)
        blocks += blocks_of_point(cells, section, title, best, heads)
    is_missed = any(bool(sections["counts"]["missed"]) for sections in scores.values())
    return blocks + [block(*part) for part in _parts(first, is_missed, requested)]


def _parts(
    first: Cells, is_missed: bool, requested: frozenset[str]
) -> list[tuple[str, list[tuple[str, str]], str]]:
    """The tables of whole curves: the corner of each, its values by section and name, and what it
    adds to the short answer.
    """
    points = _points(first)

    def is_detail(section: str, name: str) -> bool:
        if name == "missed":
            return not is_missed
        # The best F is a point, and a table of chosen points leaves it out.
        best_f = bool(points) and name.startswith("max F")
        return section == "areas" or name in details or best_f

    details = {*_DETAILS} - requested
    bounds = {*_BOUNDS_OF_DETAILS}
    measure_columns = [(section, name) for section in _NAMED for name in first[section]]
    parts = [("measure", [pair for pair in measure_columns if not is_detail(*pair)], "")]
    parts += [
        (section, [(section, name) for name in first[section] if name not in bounds], "")
        for section in list(first)[4:]
        if section not in points
    ]
    of_details = [(_INTERVAL, name) for name in first.get(_INTERVAL, {}) if name in bounds]
    more = [pair for pair in measure_columns if is_detail(*pair)]
    levels = [("11-point", name) for name in first["11-point"]]
    return [
        *parts,
        ("more measures", more, "break-even and areas"),
        *([(_INTERVAL, of_details, "break-even and areas")] if of_details else []),
        ("precision at recall", levels, "precision at 11 levels of recall"),
    ]


def _best(section: str, name: str, headed: Mapping[str, Measure]) -> int:
    """Which end of a line is best, if any: at a point as its measure declares; for whole curves the
    greatest value by default.
    """
    if section in ("counts", "11-point") or _NO_BEST.fullmatch(name):
        return 0
    if section in _NAMED:
        if name.startswith(("min ", "max ")):
            return -1 if name.startswith("min ") else 1
    elif name in _BEST or " " in name:
        return _BEST.get(name, 0)
    return headed[name].declaration.direction if name in headed else 1


def _rows(
    group: str, scores: Mapping[str, Cells], aggregate: str | None, heads: Mapping[str, str]
) -> list[tuple[Cell, ...]]:
    """A line for each value; if low scores are good, a line after the first threshold of a section
    says so.
    """
    rows: list[tuple[Cell, ...]] = []
    for score, sections in scores.items():
        low: set[str] = set()
        for section, name, value in cells_of(sections):
            of_group = "sum" if aggregate and name in COUNTS else aggregate
            rows.append((score, group, section, heads.get(name, name), of_group, value))
            if isinstance(value, AtMost) and section not in low:
                low.add(section)
                rows.append((score, group, section, GOOD_SIDE, aggregate, 0))
    return rows


def _mean(
    columns: Mapping[str, Mapping[str, list[Any]]],
    choices: CurveChoices,
    score: str,
    source: str,
    notes: list[Note],
) -> Cells:
    """The mean over groups; notes name the values that are undefined in some groups."""
    headed = _measures_by_heading(choices)
    undefined: dict[tuple[int, str], dict[str, None]] = {}
    mean: Cells = {}
    for section, line in columns.items():
        if section in (_INTERVAL, CHANCE):
            # A mean of bounds is no bound; means have their own intervals and their own null
            # distribution.
            continue
        mean[section] = {}
        for name, column in line.items():
            if _LEFT.fullmatch(name):
                continue
            lost = _lost(column)
            label = _label(section, name, lost, line)
            is_roc = section == "areas" and name.startswith("roc ")
            measure = _area_under_roc() if is_roc else headed.get(name)
            policy = (
                choices.undefined
                if measure is None
                else measure.declaration.policy(choices.undefined)
            )
            if name not in _TWICE:
                handling = policy if policy == choices.undefined else "left out"
                undefined.setdefault((lost, handling), {})[label] = None
            wrong = Mistake(
                "{score:s}: {measure:s} is undefined in {count} of {groups} groups",
                COUNT_THEM,
                score=score,
                measure=label,
                count=lost,
                groups=len(column),
            )
            kept = apply_undefined(
                np.array(column, np.float64),
                policy,
                zero=0.0 if measure is None else measure.declaration.zero,
                source=source,
                what=lambda *_, wrong=wrong: wrong,
            )
            # Thresholds are no measures and are not averaged; all other values are.
            if name in COUNTS:
                mean[section][name] = _sum(column)
            else:
                mean[section][name] = float(np.mean(kept)) if len(kept) else np.nan
    for (lost, handling), names in undefined.items():
        if lost:
            notes.append(
                UndefinedIn(score, tuple(names), lost, "group" if lost == 1 else "groups", handling)
            )
    return {section: _in_units(cells) for section, cells in mean.items()}


def _label(section: str, name: str, lost: int, line: Mapping[str, list[Any]]) -> str:
    """The name that a note uses for a value undefined in `lost` groups."""
    # If some groups never reach the point, all its values are undefined there, and the note names
    # only the point.
    of_point = section.startswith("at ") and lost != _lost(line["tp"])
    return f"{section} {name}" if of_point else name if section in _NAMED else section


def _sum(column: list[Cell]) -> Cell:
    """The sum of a column of counts; an integer if all counts are integers."""
    defined: list[Any] = [value for value in column if value == value]
    are_whole = all(isinstance(value, int) for value in defined)
    return sum(defined) if are_whole else math.fsum(defined)


def _area_under_roc() -> Measure:
    return find("AUC")


def _lost(column: list[Cell]) -> int:
    return sum(value != value for value in column)


def summarize_curves(
    curves: Mapping[str, Curve],
    pairs: Sequence[Comparison],
    intervals: Mapping[str, Mapping[str, Interval]],
) -> list[Sentence]:
    """A sentence on how the score of the greatest average precision differs from the others; if
    they were not compared, on the average precision that it reaches.
    """

    def number_or_gap(value: float) -> float:
        return value if value == value else -np.inf

    best = max(curves, key=lambda name: number_or_gap(curves[name].average_precision()))
    curve = curves[best]
    cases, hits = (curve.tp[-1] + curve.fp[-1]).item(), curve.tp[-1].item()
    # Missed items are not among the scored cases.
    relevant = f"{format_count(hits)} of the cases are relevant"
    noun = "case" if cases == 1 else "cases"
    size = f"{format_count(cases)} {noun}, {format_count(hits)} of them relevant"
    if isinstance(cases, float):
        relevant = size = (
            f"the cases weigh {format_count(cases)}, {format_count(hits)} of it relevant"
        )
    size += f", and {format_count(curve.missed)} relevant never scored" if curve.missed else ""
    rivals = [pair for pair in pairs if best in pair.names and pair.measure == "AP"]
    if len(rivals) == len(curves) - 1 > 0:
        means = {name: each.average_precision() for name, each in curves.items()}
        verdict = verdict_of(rivals, means, unit="cases")
        return (
            [Sentence(f"{text[:-1]}; {relevant}.", verdict.lead)] if (text := verdict.text) else []
        )
    value = curve.average_precision()
    if value != value:
        return [Sentence(f"The average precision of {best} is undefined, {size}.")]
    reached = describe_value(value, intervals.get(best, {}).get("AP"))
    return [Sentence(f"{best} reaches an average precision of {reached}, {size}.")]
