"""Decisions in categories, and scores of categories → sheets: a line per category, averages, and
values over all categories.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.core.conventions import describe_conventions
from precall.core.notes import Note, collect_notes, notes_of, run_and_collect
from precall.core.notes.of_curves import BreakEvenBeforeHits
from precall.core.notes.of_decisions import (
    DecidedBy,
    ItemsSeen,
    LearnedHere,
    MicroOfAllPairs,
    NothingToLearn,
    ReachedByTuning,
    UndefinedIn,
)
from precall.core.notes.of_intervals import UndefinedMeasure
from precall.core.ragged import mean
from precall.core.text import many, number
from precall.hard_decisions import Decisions, Status, Thresholds
from precall.hard_decisions.distances import tell_order
from precall.hard_decisions.membership import BINARY
from precall.hard_decisions.outcomes import Summary
from precall.hard_decisions.pivots import are_learned_from, lacks_for_hand_till
from precall.measures import Measure, of_counts
from precall.measures.best_points import is_left_early
from precall.results.blocks import (
    Block,
    Cell,
    Cells,
    Line,
    Row,
    Threshold,
    block_of,
    block_of_values,
    cells_of,
)
from precall.results.sentence import describe_value
from precall.results.sheets import Sheet

if TYPE_CHECKING:
    from precall.stats.intervals.interval import Interval, Intervals

#: Measures of each category's table, and averaged. Accuracy is over its cells here; the heading of
#: averages says so.
_OF_TABLES = ("accuracy", "error", "E")
_OF_CELLS = {"accuracy": "cell accuracy", "error": "cell error"}
#: The name of the number of items in a category.
_SUPPORT = "support"
_HEADING = ("precision", "recall", "F1", _SUPPORT, "TP", "FP", "FN", "TN")
#: Headings by a measure of all decisions and its average.
SAID = {
    ("accuracy", "exact"): "accuracy (items all right)",
    ("error", "exact"): "error (items not all right)",
    ("accuracy", "micro"): "cell accuracy (all cells)",
    ("error", "micro"): "cell error (all cells)",
    ("accuracy", "macro"): "cell accuracy (mean of categories)",
    ("error", "macro"): "cell error (mean of categories)",
    ("F1", "macro"): "macro-F1 (mean of F1)",
    ("F1", "macro-of-means"): "macro-F1 (F1 of means)",
}
#: Names of averages that have a line already.
_AGAIN = (
    "macro-F",
    *(f"{way}-{name}" for way in ("micro", "macro") for name in ("Accuracy", "Error")),
)
#: More categories than these are details, and their averages stand first.
_LISTED = 20
#: Measures of each category's ranking.
OF_CATEGORIES = ("AP", "AUC", "break-even", "max-f", "11-point")
_HAND_TILL = "Hand-Till AUC"
_LEVELS = tuple(f"{i / 10:.1f}" for i in range(11))
_OVER = {"category": "categories", "item": "items"}


def decisions_sheet(
    decisions: Decisions,
    undefined: str = "zero",
    conventions: dict[str, str] | None = None,
    measures: str | Iterable[str | Measure] = (),
    baselines: bool = False,
    intervals: Intervals | None = None,
    prevalence: float | None = None,
) -> Sheet:
    """The report of decisions, with the contingency tables, accuracy, error, both macro-F, and
    further `measures` of counts; `baselines` adds the trivial rejector and acceptor, `intervals`
    are those of `pc.interval(decisions)`. With a `prevalence`, the predictive values and measures
    that depend on it are also those of a population with this share of relevant items.
    """
    summary, binary = decisions.report(undefined), decisions.truth.kind == "binary"
    categories, averages = _summarize(decisions, summary)
    wholes, orders = _overall(decisions, undefined), list[Note]()
    for name in _OF_TABLES:
        _add(name, of_counts(name), decisions, undefined, (categories, averages))
    several = [measures] if isinstance(measures, str) else measures
    more = dict.fromkeys(of_counts(name, averaged=True) for name in several)
    for measure in more:
        orders += _add_measure(measure, decisions, undefined, (categories, averages), wholes)
    of_population: dict[str, float] = {}
    if prevalence is not None:
        from precall.hard_decisions.intervals import values_at_prevalence

        of_population = values_at_prevalence(decisions, more, prevalence)
        wholes |= {name: {"all": value} for name, value in of_population.items()}
    heads = {measure.name: measure.head for measure in more}
    # The accuracy of one category is over its cells: no "subset accuracy", say.
    of_items = [one.name for one in more if one.declaration.items is not None and not binary]
    columns = heads | {name: name for name in of_items}
    # The lines of accuracy and error are details, unless they were asked for.
    again = [name for name in _AGAIN if name == "macro-F" or name not in heads]
    shown = {name: ways for name, ways in wholes.items() if binary or name not in again}
    overall = {
        SAID.get((measure, way), heads.get(measure, measure)): value
        for measure, way, value in cells_of(shown)
    }
    # One row per value; values of a category have no average.
    rows: list[Row] = [
        (name, measure, None, value) for name, measure, value in cells_of(categories)
    ]
    rows += [("all", measure, way, value) for way, measure, value in cells_of(averages)]
    headings = {row[1:3] for row in rows}
    of_all = [("all", *row) for row in cells_of(wholes) if row[:2] not in headings]
    tidy = tuple(
        (of, named.get(str(measure), measure), *rest)
        for some, named in ((rows, columns), (of_all, heads))
        for of, measure, *rest in some
    )
    sheet = Sheet(
        "precall.decisions/2",
        describe_conventions(undefined=undefined) if conventions is None else conventions,
        _blocks(
            decisions,
            categories,
            averages,
            overall,
            [*heads.values(), *columns.values(), *of_population],
            columns,
        ),
        (*summary.notes, *orders),
        {"categories": categories, "averages": averages, "measures": wholes},
        ("category", "measure", "average", "value"),
        tidy,
        describe_accuracy(decisions),
    )
    if intervals is not None:
        sheet = _with_bounds(sheet, decisions, intervals, heads, columns)
    if baselines:
        return _with_baselines(sheet, {"decided": decisions}, decisions.baselines(), undefined)
    return sheet


#: What the names of values at a stated prevalence have in common.
AT_PREVALENCE = " at prevalence "
#: How names of intervals end that hold together.
JOINTLY = " jointly"
#: Columns and averages of the sheet by the names that intervals of decisions have.
COLUMNS = {"f": "F1"}
_AVERAGED = {"micro-f": "micro", "macro-f": "macro"}
#: Headings of bounds in print.
_SHORT = {
    f"{name} {bound}": f"{name[0].upper()} {bound}"
    for name in ("precision", "recall")
    for bound in ("low", "high")
}


def shorten_headings(row: Mapping[str, Cell]) -> dict[str, Cell]:
    """Bounds by the headings that they have in print."""
    return {_SHORT.get(heading, heading): end for heading, end in row.items()}


def place_intervals(
    decisions: Decisions, intervals: Mapping[Any, Interval]
) -> dict[tuple[str, str, str], Interval]:
    """Intervals by the place of their values in the sheet: heading, line, column."""
    places: dict[tuple[str, str, str], Interval] = {}
    for key, interval in intervals.items():
        # Yes-or-no decisions have one category, which has no name in the keys.
        is_binary = decisions.truth.kind == "binary"
        default = str(decisions.categories[0]) if is_binary else ""
        name, measure = map(str, key) if isinstance(key, tuple) else (default, str(key))
        if measure in _AVERAGED:
            places["average", _AVERAGED[measure], "F1"] = interval
        elif (
            measure == "accuracy"
            or AT_PREVALENCE in measure
            or measure.endswith(JOINTLY)
            or not name
        ):
            places["measure", measure, "value"] = interval
        else:
            places["category", name, COLUMNS.get(measure, measure)] = interval
    return places


def _with_bounds(
    sheet: Sheet,
    decisions: Decisions,
    intervals: Intervals,
    heads: Mapping[str, str],
    columns: Mapping[str, str],
) -> Sheet:
    """The sheet with the bounds of categories, averages and measures after their values. Headings
    of measures are `heads`, those of columns `columns`.
    """
    parts: dict[str, Cells] = {"category": {}, "average": {}, "measure": {}}
    of_all = sheet.body["measures"]
    rows: list[Row] = []
    for (section_name, name, column), interval in place_intervals(decisions, intervals).items():
        if section_name == "measure":
            head = heads.get(name, name)
            parts[section_name][head] = dict(zip(("low", "high"), interval.ends, strict=True))
            way = next(iter(of_all.get(name, {"all": None})))
            rows += [("all", bound, way, end) for bound, end in name_bounds(head, interval).items()]
            continue
        named = name_bounds(columns.get(column, column), interval)
        parts[section_name].setdefault(name, {}).update(named)
        first, way = ("all", name) if section_name == "average" else (name, None)
        rows += [(first, bound, way, end) for bound, end in named.items()]
    printed = decisions.truth.label if decisions.truth.kind == "binary" else ""
    # Short headings, so that the bounds of all three stand in one table.
    by_name: Cells = {
        printed or name: shorten_headings(row) for name, row in parts["category"].items()
    }
    shown = {**parts, "category": by_name}
    blocks = [block_of(section_name, of) for section_name, of in shown.items() if of]
    if len(parts["category"]) > _LISTED:
        blocks[0] = replace(blocks[0], detail="the intervals of each category")
    keys = {"category": "categories", "average": "averages", "measure": "measures"}
    by_key = {keys[section_name]: of for section_name, of in parts.items()}
    return add_bounds(sheet, intervals, by_key, blocks, rows)


def name_bounds(column: str, interval: Interval) -> Mapping[str, float]:
    """The bounds of a value by the headings of their columns."""
    low, high = interval.ends
    return {f"{column} low": low, f"{column} high": high}


def add_bounds(
    sheet: Sheet,
    intervals: Intervals,
    bounds: Mapping[str, Cells],
    blocks: Iterable[Block],
    rows: Iterable[Row],
) -> Sheet:
    """The sheet with the bounds of intervals, as data, as tables before the details, and as rows
    of csv.
    """
    short = [block for block in sheet.blocks if not block.detail]
    details = [block for block in sheet.blocks if block.detail]
    return replace(
        sheet,
        blocks=(*short, *blocks, *details),
        tidy=(*sheet.tidy, *rows),
        notes=tuple(dict.fromkeys((*sheet.notes, *intervals.notes))),
        body={**sheet.body, "intervals": dict(bounds)},
    )


def _add_measure(
    measure: Measure,
    decisions: Decisions,
    undefined: str,
    tables: tuple[Cells, Cells],
    wholes: Cells,
) -> list[Note]:
    """Add a measure to the tables of categories and averages and to the values over all items;
    return the notes about it.
    """
    binary = decisions.truth.kind == "binary"
    value, remarks = run_and_collect(partial(decisions.value, measure, undefined=undefined))
    notes = [*remarks]
    if isinstance(value, float):
        wholes[measure.name] = {measure.average or "all": value}
    if measure.is_ordered and not binary:
        notes.append(tell_order(measure, decisions.categories))
    if measure.average or measure.is_ordered:
        return notes
    _, remarks = run_and_collect(partial(_add, measure.name, measure, decisions, undefined, tables))
    notes += remarks
    rows = tables[0].values()
    lost = sum(row[measure.name] != row[measure.name] for row in rows)
    if lost and not binary and measure.declaration.policy(undefined) == undefined:
        notes.append(UndefinedIn("", (measure.head,), lost, "categories", undefined, len(rows)))
    return notes


def _summarize(decisions: Decisions, summary: Summary) -> tuple[Cells, Cells]:
    """Category → measure → value, with the contingency tables; and the same for the averages."""
    rows: list[tuple[str, dict[str, Cell]]] = [
        (name, dict(zip(_HEADING, values, strict=False))) for name, *values in summary.rows
    ]
    table = decisions.table.to_dict()
    counts = zip(*(table[name.lower()] for name in _HEADING[4:]), strict=True)
    # A category may have the name of an average; the two are distinguished by their position.
    categories: Cells = {
        name: {**row, **dict(zip(_HEADING[4:], cells, strict=True))}
        for (name, row), cells in zip(rows, counts, strict=False)
    }
    return categories, dict(rows[summary.categories :])


def _with_baselines(
    sheet: Sheet, decided: dict[str, Decisions], trivial: dict[str, Decisions], undefined: str
) -> Sheet:
    """The sheet with the trivial rejector and acceptor, next to the decisions if there are any."""
    sheets = {
        name: decisions_sheet(decisions, undefined, {}) for name, decisions in trivial.items()
    }
    rows = (_name_baseline(name, row) for name, of in sheets.items() for row in of.tidy)
    notes = (
        note for name, of in sheets.items() for note in notes_of(name, _without_items(of.notes))
    )
    blocks = (*sheet.blocks, *_baselines(decided | trivial, undefined))
    return replace(
        sheet,
        blocks=blocks,
        notes=(*sheet.notes, *notes),
        tidy=(*sheet.tidy, *rows),
        body={**sheet.body, "baselines": {name: of.body for name, of in sheets.items()}},
    )


def _without_items(notes: Iterable[Note]) -> list[Note]:
    """Notes of decisions that are shown next to others on the same items."""
    return [note for note in notes if not isinstance(note, ItemsSeen)]


def _name_baseline(name: str, row: Row) -> Row:
    """A row of csv of a baseline, with its name before the measure."""
    category, measure, *rest = row
    return (category, f"{name} {measure}", *rest)


#: Values by which decisions are compared with the baselines: measure, average (none for binary
#: decisions), name.
_AGAINST = (
    ("P", "micro", "micro-P"),
    ("R", "micro", "micro-R"),
    ("F", "micro", "micro-F1"),
    ("F", "macro", "macro-F1"),
    ("accuracy", None, SAID["accuracy", "exact"]),
    ("accuracy", "micro", SAID["accuracy", "micro"]),
)


def _baselines(systems: Mapping[str, Decisions], undefined: str) -> tuple[Block, ...]:
    """Accuracy and F1 of each category, and averages, for the decisions and the baselines."""
    first = next(iter(systems.values()))
    names = list(map(str, first.categories))
    blocks = []
    with collect_notes():
        for title, measure in (("accuracy", "accuracy"), ("F1", "F")):
            columns = [
                np.atleast_1d(system.value(measure, "each")).tolist() for system in systems.values()
            ]
            lines = tuple(
                Line(name, row, 1)
                for name, row in zip(names, zip(*columns, strict=True), strict=False)
            )
            blocks.append(
                Block(
                    f"{title} of each category",
                    ("category", *systems),
                    lines,
                    detail="baselines of each category",
                )
            )
        rows = [
            Line(
                label, [system.value(measure, average, undefined) for system in systems.values()], 1
            )
            for measure, average, label in _AGAINST
            if first.truth.kind != "binary" or average != "macro"
        ]
    return (*blocks, Block("", ("average", *systems), tuple(rows)))


def _blocks(
    decisions: Decisions,
    categories: Cells,
    averages: Cells,
    overall: Mapping[str, Cell],
    requested: Sequence[str],
    columns: Mapping[str, str],
) -> tuple[Block, ...]:
    """The categories, their averages and the requested measures; with many categories the averages
    first. Then the details.
    """
    printed = {BINARY: decisions.truth.label or BINARY} if decisions.truth.kind == "binary" else {}
    by_name: Cells = {
        printed.get(name, name): {columns.get(key, key): cell for key, cell in row.items()}
        for name, row in categories.items()
    }
    means: Cells = {
        way: {_OF_CELLS.get(key, columns.get(key, key)): cell for key, cell in row.items()}
        for way, row in averages.items()
    }
    short = {*_HEADING, *requested}

    def split(rows: Cells, is_short: bool) -> Cells:
        return {
            name: {key: cell for key, cell in row.items() if (key in short) == is_short}
            for name, row in rows.items()
        }

    of_means = [block_of("average", split(means, True))] if means else []
    blocks = list_categories(block_of("category", split(by_name, True)), of_means)
    if values := {name: value for name, value in overall.items() if name in requested}:
        blocks.append(block_of_values(("measure", "value"), values))
    detail = "cell accuracy, error, E and both macro-F1" if means else "error and E"
    details = [block_of("average", split(means, False))] if means else []
    details.append(block_of("category", split(by_name, False)))
    rest = {name: value for name, value in overall.items() if name not in requested}
    # The sentence of the short answer has the number of items.
    seen = (ItemsSeen("", decisions.truth.items),)
    details.append(replace(block_of_values(("measure", "value"), rest), legends=seen))
    return *blocks, *(replace(block, detail=detail) for block in details)


def list_categories(
    categories: Block, averages: Sequence[Block], legends: Sequence[Note] = ()
) -> list[Block]:
    """The categories, then their averages. Many categories are a detail, and the averages stand
    first.
    """
    blocks = [categories, *averages]
    if averages and len(categories.lines) > _LISTED:
        blocks = [
            *averages,
            replace(
                categories, detail=f"the {many(len(categories.lines), 'category', 'categories')}"
            ),
        ]
    return [replace(blocks[0], legends=tuple(legends)), *blocks[1:]]


def describe_accuracy(decisions: Decisions) -> str:
    """A sentence on the share of items that are right; empty without items."""
    items = decisions.truth.items
    if not items:
        return ""
    accuracy = decisions.accuracy()
    with_all = " in all categories" if decisions.truth.kind == "multi" else ""
    if decisions.weights is not None:
        return f"Accuracy {number(accuracy)} by weight, of {many(items, 'item')}{with_all}."
    right = f"{round(accuracy * items)} of {many(items, 'item')} right{with_all}"
    return f"Accuracy {number(accuracy)}: {right}."


def _overall(decisions: Decisions, undefined: str) -> Cells:
    """Accuracy and error, and F1 averaged both ways: measure → average → value."""
    if decisions.truth.kind == "binary":
        return {"accuracy": {"all": decisions.accuracy()}, "error": {"all": decisions.error()}}
    ways = ("exact", "micro", "macro")
    return {
        "accuracy": {way: decisions.accuracy(way, undefined) for way in ways},
        "error": {way: decisions.error(way, undefined) for way in ways},
        "F1": {
            way: decisions.f(average=way, undefined=undefined)
            for way in ("macro", "macro-of-means")
        },
    }


def _add(
    name: str, measure: Measure, decisions: Decisions, undefined: str, tables: tuple[Cells, Cells]
) -> None:
    """Add a column to the categories and the averages."""
    categories, averages = tables
    with collect_notes():
        # Undefined values are reported with the averages.
        each = np.atleast_1d(decisions.value(measure, "each")).tolist()
    for row, value in zip(categories.values(), each, strict=True):
        row[name] = value
    for average, row in averages.items():
        row[name] = decisions.value(measure, average, undefined)


def summary_sheet(summary: Summary) -> Sheet:
    """Precision, recall, F1 and support of each category, and their averages."""
    rows = [Line(name, tuple(values)) for name, *values in summary.rows]
    parts = {"category": rows[: summary.categories], "average": rows[summary.categories :]}
    blocks = [
        Block("", (corner, *_HEADING[:4]), tuple(lines)) for corner, lines in parts.items() if lines
    ]
    seen = [note for note in summary.notes if isinstance(note, ItemsSeen)]
    table = summary.table.to_dict()
    return Sheet(
        "precall.summary/2",
        describe_conventions(undefined=summary.undefined),
        tuple(list_categories(blocks[0], blocks[1:], seen)),
        summary.notes,
        {"rows": table},
        tuple(table),
        tuple(zip(*table.values(), strict=True)),
    )


def senses(pivot: str = "category") -> dict[str, str]:
    """The senses in which the sheet shows measures that have several; see `precall explain`."""
    return {"break-even": "nearest", "11 points": f"mean over {_OVER[pivot]}"}


def categories_sheet(
    status: Status,
    policy: str | Thresholds | None = None,
    undefined: str = "zero",
    conventions: dict[str, str] | None = None,
    pivot: str = "category",
    fit_on: Status | None = None,
    tune: str | None = None,
    baselines: bool = False,
    intervals: Intervals | None = None,
) -> Sheet:
    """The sheet of scores of many categories; with a policy, its thresholds and what they decide.

    `policy` may be thresholds learned before; otherwise they are learned as by `Status.thresholds`.
    `pivot` says what is averaged over, "category" or "item": it applies to the 11 points, and
    "item" adds the means over items of all other measures. `baselines` adds the trivial rejector
    and acceptor to the decisions; `intervals` are those of `pc.interval(status)`.
    """
    if isinstance(policy, str):
        policy = status.thresholds(policy, fit_on, tune=tune, undefined=undefined)
    if conventions is None:
        chosen = None if policy is None else policy.policy
        conventions = describe_conventions(
            policy=chosen, ties="block", undefined=undefined
        ) | senses(pivot)
    sheet = _rankings_sheet(status, undefined, conventions, pivot)
    if intervals is not None:
        sheet = _with_intervals(sheet, intervals)
    if policy is not None:
        return _with_decisions(sheet, status, policy, undefined, baselines, intervals is None)
    if not baselines:
        return sheet
    bare = replace(sheet, blocks=(), tidy=(), body={})
    beside = _with_baselines(bare, {}, status.baselines(), undefined)
    return replace(
        sheet,
        blocks=(*sheet.blocks, *beside.blocks),
        body={**sheet.body, "decisions": beside.body},
        tidy=(*sheet.tidy, *(("decisions", *row) for row in beside.tidy)),
    )


def _with_intervals(sheet: Sheet, intervals: Intervals) -> Sheet:
    """The sheet with the bounds of each category's measures after the measures."""
    rows: Cells = {}
    for (name, measure), interval in intervals.items():
        low, high = interval.ends
        rows.setdefault(name, {}).update({f"{measure} low": low, f"{measure} high": high})
    tidy = (("intervals", name, bound, None, value) for name, bound, value in cells_of(rows))
    return replace(
        sheet,
        blocks=(sheet.blocks[0], block_of("category", rows), *sheet.blocks[1:]),
        tidy=(*sheet.tidy, *tidy),
        notes=tuple(dict.fromkeys((*sheet.notes, *intervals.notes))),
        body={**sheet.body, "intervals": rows},
    )


def _rankings_sheet(
    status: Status, undefined: str, conventions: dict[str, str], pivot: str
) -> Sheet:
    """The sheet of the measures of rankings, 11 points, and Hand and Till's area."""
    notes = [ItemsSeen("", status.truth.items), *status.notes]
    by_name, averages = _measure(status, undefined, notes, pivot)
    eleven = {form: _eleven_points(status, form, pivot, undefined) for form in ("yang", "trec")}
    empty = int(np.count_nonzero(status.truth.per_item() == 0))
    if pivot == "item" and empty:
        notes.append(UndefinedIn("", ("11 points",), empty, "items", undefined, status.truth.items))
    hand_till = _hand_till(status, undefined, notes)
    points: Cells = {
        level: {form: line[level] for form, line in eleven.items()} for level in eleven["yang"]
    }
    area = block_of_values(("measure", "value"), {_HAND_TILL: hand_till})
    levels = block_of(f"precision at recall, mean over {_OVER[pivot]}", points)
    is_of_area = [note.subject == _HAND_TILL for note in notes]
    blocks = (
        *list_categories(
            _with_support(block_of("category", by_name)),
            [_with_support(block_of("average", averages))],
            notes[:1],
        ),
        replace(area, detail=_HAND_TILL, legends=tuple(compress(notes, is_of_area))),
        replace(levels, detail="precision at 11 levels of recall"),
    )
    tidy = (
        *(("categories", name, measure, None, value) for name, measure, value in cells_of(by_name)),
        *(("categories", "all", measure, way, value) for way, measure, value in cells_of(averages)),
        *(("eleven_point", "all", level, form, value) for form, level, value in cells_of(eleven)),
        ("categories", "all", _HAND_TILL, "macro", hand_till),
    )
    return Sheet(
        "precall.categories/2",
        conventions,
        blocks,
        tuple(notes),
        {
            "categories": by_name,
            "averages": averages,
            "eleven_point": eleven,
            "hand_till": hand_till,
        },
        ("section", "category", "measure", "average", "value"),
        tidy,
    )


def _with_support(block: Block) -> Block:
    """The table with the number of items under the name that it has in tables of decisions."""
    heads = (_SUPPORT if head == "items" else head for head in block.heading)
    return replace(block, heading=tuple(heads))


def thresholds_sheet(thresholds: Thresholds) -> Sheet:
    """The sheet of thresholds; its JSON is the file that `read_thresholds` reads."""
    rows = zip(
        thresholds.table["category"], map(Threshold, thresholds.values.tolist()), strict=True
    )
    block = Block(
        "",
        ("category", _HEADINGS[thresholds.kind]),
        tuple(Line(name, (value,)) for name, value in rows),
    )
    body = {field.name: getattr(thresholds, field.name) for field in fields(thresholds)}
    del body["notes"]
    body |= {"values": thresholds.values.tolist(), "categories": list(thresholds.categories)}
    table = thresholds.table.to_dict()
    return Sheet(
        "precall.thresholds/1",
        describe_conventions(policy=thresholds.policy),
        (block,),
        (*_notes_of_learning(thresholds), *thresholds.notes),
        body,
        tuple(table),
        tuple(zip(*table.values(), strict=True)),
    )


#: Headings by the kind of thresholds.
_HEADINGS = {"score": "least score", "rank": "categories per item", "proportion": "share of items"}


def _notes_of_learning(thresholds: Thresholds, status: Status | None = None) -> tuple[Note, ...]:
    """Notes on the data that the thresholds were learned from, and whether they decide about the
    same data.
    """
    policy, decided = thresholds.policy, status is not None
    if not thresholds.learned:
        return (DecidedBy("", policy, decided),)
    source = thresholds.source or "others" * decided
    first: Note = DecidedBy("", policy, decided, source, thresholds.items)
    if status is not None and are_learned_from(status, thresholds):
        first = LearnedHere("", policy)
    if thresholds.reached is None:
        return (first,)
    return first, ReachedByTuning("", thresholds.tuned, thresholds.reached)


def _with_decisions(
    sheet: Sheet,
    status: Status,
    learned: Thresholds,
    undefined: str,
    baselines: bool,
    are_rankings_details: bool,
) -> Sheet:
    """The sheet with thresholds and the decisions that they make."""
    decided = decisions_sheet(status.decide(learned), undefined, {}, baselines=baselines)
    kind = learned.kind
    numbers = list(map(Threshold, learned.matched(status.categories).values.tolist()))
    # A single number for all categories is named "all".
    names = ["all"] if kind == "rank" else list(map(str, status.categories))
    thresholds: dict[str, Cell] = dict(zip(names, numbers, strict=True))
    notes = [*_notes_of_learning(learned, status), *_without_items(decided.notes)]
    if "fit on" in sheet.conventions and not learned.learned:
        notes.append(NothingToLearn(learned.method))
    column = {"scut": "max-f", "bep": "break-even"}.get(
        learned.method.lower(), learned.method.lower()
    )
    if column in OF_CATEGORIES and not learned.tuned:
        notes.append(MicroOfAllPairs("", column))
    added = {
        "thresholds": {
            "policy": learned.method,
            "kind": kind,
            "values": thresholds,
            "tuned": learned.tuned or None,
            "number": learned.number,
            "learned_from": learned.source or None,
        },
        "decisions": decided.body,
    }
    rankings = list(sheet.blocks)
    if are_rankings_details:
        # The decisions are the answer.
        rankings = [replace(block, detail="measures of the rankings") for block in rankings]
        of_all_pairs = tuple(note for note in notes if isinstance(note, MicroOfAllPairs))
        rankings[1] = replace(rankings[1], legends=of_all_pairs)
    cut = block_of_values(("category", _HEADINGS[kind]), thresholds)
    if len(thresholds) > _LISTED:
        cut = replace(cut, detail="the thresholds")
    return replace(
        sheet,
        verdict=decided.verdict,
        body={**sheet.body, **added},
        blocks=(
            *rankings,
            cut,
            *decided.blocks,
        ),
        notes=tuple(dict.fromkeys((*sheet.notes, *notes))),
        tidy=(
            *sheet.tidy,
            *(("thresholds", name, kind, None, value) for name, value in thresholds.items()),
            *(("decisions", *row) for row in decided.tidy),
        ),
    )


def _measure(status: Status, undefined: str, notes: list[Note], pivot: str) -> tuple[Cells, Cells]:
    """Category → measure → value, and the same for the averages."""
    names, sizes = list(map(str, status.categories)), status.truth.per_category().tolist()
    by_name: Cells = {name: {"items": size} for name, size in zip(names, sizes, strict=True)}
    if status.truth.unlabelled is not None:
        for row, labelled in zip(by_name.values(), status.labelled.tolist(), strict=True):
            row["labelled"] = labelled
    if early := int(status.by_category(is_left_early).values.sum()):
        notes.append(BreakEvenBeforeHits("", early, len(names), "categories"))
    ways = ("macro", "micro", "samples") if pivot == "item" else ("macro", "micro")
    averages: Cells = {way: {"items": sum(sizes)} for way in ways}
    for measure in OF_CATEGORIES:
        per_category = status.by_category(measure)
        for name, value in zip(names, per_category.values.tolist(), strict=True):
            by_name[name][measure] = value
        if lost := per_category.undefined:
            policy = undefined if undefined != "zero" or per_category.chance_is_zero else "left out"
            notes.append(UndefinedIn("", (measure,), lost, "categories", policy, len(names)))
        with collect_notes():
            averages["macro"][measure] = per_category.mean(undefined)
            averages["micro"][measure] = status.micro(measure)
            if pivot == "item":
                averages["samples"][measure] = status.by_item(measure).mean(undefined)
    return by_name, averages


def _eleven_points(status: Status, form: str, pivot: str, undefined: str) -> dict[str, Cell]:
    points = status.eleven_point(pivot, form, undefined)
    return {**dict(zip(_LEVELS, points.tolist(), strict=True)), "mean": mean(points)}


def _hand_till(status: Status, undefined: str, notes: list[Note]) -> float:
    """Hand and Till's area; undefined, with a note, if items have none or several categories."""
    if lacking := lacks_for_hand_till(status):
        notes.append(UndefinedMeasure(_HAND_TILL, lacking))
        return float("nan")
    with collect_notes() as heard:
        # As in a direct call, which leaves out pairs of categories without items.
        value = status.hand_till("omit" if undefined == "zero" else undefined)
    notes += heard
    return value


def summarize_categories(averages: Mapping[str, Mapping[str, float]], count: int) -> str:
    """A sentence on the average precision of scores of categories, averaged both ways."""
    macro, micro = (number(averages[way]["AP"]) for way in ("macro", "micro"))
    return f"Mean average precision of {count} categories {macro}, of all pairs together {micro}."


def summarize_decisions(
    body: Mapping[str, Any], interval_at: Callable[[tuple[str, str, str], float], Interval | None]
) -> str:
    """A sentence on the F1 of decisions; with several categories, averaged both ways.

    Parameters
    ----------
    body : body of their sheet.
    interval_at : returns the interval of a value in a block (its lines, the name of one, a column),
        if there is one.
    """
    values = body["averages"] or body["categories"]
    places = [("average", way, f"{way}-averaged F1") for way in ("micro", "macro")]
    if not body["averages"]:
        places = [("category", name, "F1") for name in values]
    parts = []
    for block, name, words in places:
        value = values[name]["F1"]
        interval = interval_at((block, name, "F1"), value)
        parts.append(f"{words} {describe_value(value, interval)}")
    return ", ".join(parts)
