"""Spans → a sheet: a line for each type, averages, and what SemEval counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from precall.core.conventions import describe_conventions
from precall.core.notes import Note, run_and_collect
from precall.core.notes.of_decisions import UndefinedIn
from precall.core.notes.of_spans import SpansSeen
from precall.core.text import as_text, many, number
from precall.hard_decisions.categories_sheet import (
    COLUMNS,
    add_bounds,
    list_categories,
    name_bounds,
    shorten_headings,
)
from precall.measures import Measure, of_counts
from precall.results.blocks import Cell, Cells, Row, block_of, cells_of
from precall.results.sheets import Sheet
from precall.spans.api import Spans
from precall.stats.intervals.interval import Intervals

_AVERAGES = ("micro", "macro", "weighted")
_USUAL = {"precision": "P", "recall": "R", "F1": "F"}
_CELLS = ("TP", "FP", "FN")


def spans_sheet(
    spans: Spans,
    undefined: str = "zero",
    conventions: dict[str, str] | None = None,
    measures: str | Iterable[str | Measure] = (),
    intervals: Intervals | None = None,
) -> Sheet:
    """The report of spans, with further `measures` of counts; `intervals` are those of
    `pc.interval(spans)`.
    """
    several = [measures] if isinstance(measures, str) else measures
    more = [of_counts(name) for name in several]
    columns: dict[str, Any] = {**_USUAL, **{measure.head: measure for measure in more}}
    types: Cells = {as_text(name): {} for name in spans.categories}
    averages: Cells = {name: {} for name in _AVERAGES}
    notes: list[Note] = [*spans.notes]
    for head, measure in columns.items():
        for row, value in zip(types.values(), spans.value(measure, "each"), strict=True):
            row[head] = float(value)
        for name, row in averages.items():
            row[head], remarks = run_and_collect(partial(spans.value, measure, name, undefined))
            notes += remarks
        lost = spans.undefined_in(measure)
        if lost:
            notes.append(UndefinedIn("", (head,), lost, "categories", undefined, len(types)))
    counts, support = spans.counts(), spans.support()
    for place, row in enumerate(types.values()):
        row["support"] = int(support[place])
        for head, cells in zip(_CELLS, (counts.tp, counts.fp, counts.fn), strict=True):
            row[head] = cells[place].item()
    outcomes = spans.outcomes().to_dict()
    tidy: list[Row] = [(name, head, None, value) for name, head, value in cells_of(types)]
    tidy += [("all", head, way, value) for way, head, value in cells_of(averages)]
    tidy += list(_rows_of_outcomes(outcomes))
    true, guessed = (int(cells.sum()) for cells in (support, counts.accepted))
    seen = SpansSeen("", len(spans.units), true, guessed)
    sheet = Sheet(
        "precall.spans/2",
        {
            **(describe_conventions(undefined=undefined) if conventions is None else conventions),
            "match": spans.match,
            **({} if spans.scheme is None else {"scheme": spans.scheme}),
        },
        (
            *list_categories(block_of("type", types), [block_of("average", averages)]),
            replace(block_of("match", _by_match(outcomes)), detail="what SemEval 2013 counts"),
        ),
        tuple(dict.fromkeys((seen, *notes))),
        {"types": types, "averages": averages, "outcomes": outcomes},
        ("category", "measure", "average", "value"),
        tuple(tidy),
        _verdict(spans),
    )
    return sheet if intervals is None else _with_bounds(sheet, intervals)


def _verdict(spans: Spans) -> str:
    """A sentence on how many spans were found, and how many of the predicted ones are right."""
    total = spans.counts("micro")
    found, accepted, relevant = (
        total.tp.item(),
        total.accepted.item(),
        total.relevant.item(),
    )
    if not accepted + relevant:
        return ""
    f = number(spans.f(average="micro"))
    return (
        f"Micro-F1 {f}: {found:g} of {many(int(relevant), 'true span')} found, "
        f"{int(accepted)} predicted."
    )


def _by_match(outcomes: Mapping[str, list[Any]]) -> Cells:
    """The outcomes of all types by rule."""
    return {match: cells for match, category, cells in _rows_by_match(outcomes) if category is None}


def _rows_by_match(
    outcomes: Mapping[str, list[Any]],
) -> Iterator[tuple[str, str | None, dict[str, Cell]]]:
    """The rule, the type and the outcomes of each row; of all types together the type is None.

    The first row of a rule is that of all types: a type may be called "all", too.
    """
    names = [name for name in outcomes if name not in ("match", "category")]
    before: str | None = None
    for row, (match, category) in enumerate(
        zip(outcomes["match"], outcomes["category"], strict=True)
    ):
        cells = {name: outcomes[name][row] for name in names}
        yield match, category if match == before else None, cells
        before = match


def _rows_of_outcomes(outcomes: Mapping[str, list[Any]]) -> Iterable[Row]:
    """Lines of csv: the measure is named after its rule; those of all types are sums of counts,
    as micro averages are.
    """
    for match, category, cells in _rows_by_match(outcomes):
        first, way = ("all", "micro") if category is None else (category, None)
        for name, value in cells.items():
            yield (first, f"{match} {name}", way, value)


def _with_bounds(sheet: Sheet, intervals: Intervals) -> Sheet:
    """The sheet with the bounds of types and of averages."""
    parts: dict[str, Cells] = {"type": {}, "average": {}}
    rows: list[Row] = []
    for key, interval in intervals.items():
        part, name, column = _place(key)
        named = name_bounds(COLUMNS.get(column, column), interval)
        parts[part].setdefault(name, {}).update(named)
        first, way = ("all", name) if part == "average" else (name, None)
        rows += [(first, bound, way, end) for bound, end in named.items()]
    shown: dict[str, Cells] = {}
    for part, of in parts.items():
        columns = dict.fromkeys(name for row in of.values() for name in row)
        shown[part] = {
            name: shorten_headings({column: row.get(column) for column in columns})
            for name, row in of.items()
        }
    blocks = [block_of(part, of) for part, of in shown.items() if of]
    by_key = {f"{part}s": of for part, of in parts.items()}
    return add_bounds(sheet, intervals, by_key, blocks, rows)


def _place(key: Any) -> tuple[str, str, str]:
    """Where an interval belongs: the part, the line, the column."""
    if isinstance(key, tuple):
        return "type", as_text(key[0]), str(key[1])
    way, _, measure = str(key).partition("-")
    return "average", way, measure
