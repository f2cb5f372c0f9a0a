"""Decisions → a sheet: a line per category, the averages, and what is said of all decisions together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from precall.contingency import Decisions
from precall.contingency.outcomes import Summary
from precall.measures import Measure
from precall.notes import listening
from precall.sheet.sheets import Block, Cell, Line, Row, Sheet, block_of, cells_of, describe_conventions

FORMAT = "precall.decisions/1"

#: Name → column → value.
Rows: TypeAlias = dict[str, dict[str, Cell]]

_HEADING = ("precision", "recall", "F1", "support", "TP", "FP", "FN", "TN")


def decisions_sheet(
    decisions: Decisions,
    undefined: str = "zero",
    conventions: dict[str, str] | None = None,
    more: Sequence[Measure] = (),
) -> Sheet:
    """The report of decisions with the contingency tables, accuracy, error and both macro-F, and `more` measures of counts.

    Examples
    --------
    >>> from precall.contingency import decisions
    >>> sheet = decisions_sheet(decisions(["a", "b", "b"], ["a", "b", "a"]), "zero", {})
    >>> sheet.body["averages"]["macro"]["F1"], sheet.body["measures"]["accuracy"]["exact"]
    (0.6666666666666666, 0.6666666666666666)
    """
    summary = decisions.report(undefined)
    rows: list[tuple[str, dict[str, Cell]]] = [
        (name, dict(zip(_HEADING, values, strict=False))) for name, *values in summary.rows
    ]
    # A category may be called like an average, so they are told apart by their place.
    categories: Rows = {
        name: {**row, **counts} for (name, row), counts in zip(rows, _counts(decisions), strict=False)
    }
    averages: Rows = dict(rows[summary.categories :])
    measures = overall(decisions, undefined)
    for measure in more:
        _add(measure, decisions, undefined, (categories, averages, measures))
    if conventions is None:
        conventions = describe_conventions(undefined=undefined)
    notes = [f"{decisions.truth.items} items"]
    notes += summary.note.split(" | ")[2:]
    return Sheet(
        FORMAT, conventions, tuple(_blocks(categories, averages, measures)), tuple(notes),
        {"categories": categories, "averages": averages, "measures": measures},
        ("category", "measure", "average", "value"), tuple(tidied(categories, averages, measures)),
    )  # fmt: skip


def _counts(decisions: Decisions) -> list[dict[str, Cell]]:
    table = decisions.table.to_dict()
    columns = (table["tp"], table["fp"], table["fn"], table["tn"])
    return [dict(zip(_HEADING[4:], line, strict=True)) for line in zip(*columns, strict=True)]


def overall(decisions: Decisions, undefined: str) -> Rows:
    """Accuracy and error, and F1 averaged both ways: by measure, then by average."""
    if decisions.truth.kind == "binary":
        return {"accuracy": {"all": decisions.accuracy()}, "error": {"all": decisions.error()}}
    ways = ("exact", "micro", "macro")
    values: Rows = {
        "accuracy": {way: decisions.accuracy(way, undefined) for way in ways},
        "error": {way: decisions.error(way, undefined) for way in ways},
    }
    values["F1"] = {
        way: decisions.f(average=way, undefined=undefined) for way in ("macro", "macro-of-means")
    }  # fmt: skip
    return values


#: How a measure and its average are called.
SAID = {
    ("accuracy", "exact"): "accuracy (items all right)", ("error", "exact"): "error (items not all right)",
    ("accuracy", "micro"): "cell accuracy (all cells)", ("error", "micro"): "cell error (all cells)",
    ("accuracy", "macro"): "cell accuracy (mean of categories)", ("error", "macro"): "cell error (mean of categories)",
    ("F1", "macro"): "macro-F1 (mean of F1)", ("F1", "macro-of-means"): "macro-F1 (F1 of means)",
}  # fmt: skip


def _blocks(categories: Rows, averages: Rows, measures: Rows) -> list[Block]:
    tables = {"category": categories, "average": averages}
    lines = [Line(SAID.get((measure, way), measure), (value,)) for measure, way, value in cells_of(measures)]
    return [
        *(block_of(corner, rows) for corner, rows in tables.items() if rows),
        Block("", ("measure", "value"), tuple(lines)),
    ]


def _add(measure: Measure, decisions: Decisions, undefined: str, tables: tuple[Rows, Rows, Rows]) -> None:
    """A column of the categories and the averages, and what the measure is of all together where it is one number."""
    categories, averages, measures = tables
    with listening():
        whole, each = decisions.value(measure), np.atleast_1d(decisions.value(measure, "each")).tolist()
        if isinstance(whole, float):
            measures[measure.name] = {"all": whole}
        for row, value in zip(categories.values(), each, strict=True):
            row[measure.name] = value
        for average, row in averages.items():
            row[measure.name] = decisions.value(measure, average, undefined)


def tidied(categories: Rows, averages: Rows, measures: Rows) -> list[Row]:
    """One row per value: category, measure, average, value; a category's value has no average."""
    rows: list[Row] = [(name, measure, None, value) for name, measure, value in cells_of(categories)]
    rows += [("all", measure, way, value) for way, measure, value in cells_of(averages)]
    known = {row[1:3] for row in rows}
    return rows + [("all", *row) for row in cells_of(measures) if row[:2] not in known]


def summary_sheet(summary: Summary) -> Sheet:
    """Precision, recall, F1 and support of each category, and their averages."""
    rows = [Line(name, tuple(values)) for name, *values in summary.rows]
    parts = {"category": rows[: summary.categories], "average": rows[summary.categories :]}
    blocks = (Block("", (corner, *_HEADING[:4]), tuple(lines)) for corner, lines in parts.items() if lines)
    table = summary.table.to_dict()
    return Sheet(
        "precall.summary/1", describe_conventions(), tuple(blocks), (summary.note,), {"rows": table},
        tuple(table), tuple(zip(*table.values(), strict=True)),
    )  # fmt: skip
