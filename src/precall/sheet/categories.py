"""Decisions in categories, and scores of them → sheets: a line per category, averages, and what is one number of all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from precall.contingency import Decisions, Status
from precall.contingency.outcomes import Summary
from precall.conventions import describe_conventions
from precall.errors import UsageError
from precall.measures import Measure, of_counts
from precall.measures.best_points import LEFT_EARLY, is_left_early
from precall.notes import listening
from precall.ragged import mean
from precall.sheet.sheets import (
    Block,
    Cell,
    Cells,
    Line,
    Row,
    Sheet,
    Threshold,
    block_of,
    block_of_values,
    cells_of,
)

#: Of each category's table, and averaged; accuracy is of its cells here.
_OF_TABLES = ("accuracy", "error", "E")
_HEADING = ("precision", "recall", "F1", "support", "TP", "FP", "FN", "TN")
#: How a measure of all decisions and its average are called.
SAID = {
    ("accuracy", "exact"): "accuracy (items all right)", ("error", "exact"): "error (items not all right)",
    ("accuracy", "micro"): "cell accuracy (all cells)", ("error", "micro"): "cell error (all cells)",
    ("accuracy", "macro"): "cell accuracy (mean of categories)", ("error", "macro"): "cell error (mean of categories)",
    ("F1", "macro"): "macro-F1 (mean of F1)", ("F1", "macro-of-means"): "macro-F1 (F1 of means)",
}  # fmt: skip
#: Measures of each category's ranking.
MEASURES = ("AP", "AUC", "break-even", "max-f", "11-point")
_LEVELS = tuple(f"{i / 10:.1f}" for i in range(11))
_OVER = {"category": "categories", "item": "items"}


def decisions_sheet(
    decisions: Decisions, undefined: str = "zero", conventions: dict[str, str] | None = None,
    more: Sequence[Measure] = (),
) -> Sheet:  # fmt: skip
    """The report of decisions with the contingency tables, accuracy, error and both macro-F, and `more` measures of counts."""
    summary = decisions.report(undefined)
    rows: list[tuple[str, dict[str, Cell]]] = [
        (name, dict(zip(_HEADING, values, strict=False))) for name, *values in summary.rows
    ]
    table = decisions.table.to_dict()
    counts = zip(*(table[name.lower()] for name in _HEADING[4:]), strict=True)
    # A category may be called like an average, so they are told apart by their place.
    categories: Cells = {
        name: {**row, **dict(zip(_HEADING[4:], cells, strict=True))}
        for (name, row), cells in zip(rows, counts, strict=False)
    }
    averages: Cells = dict(rows[summary.categories :])
    measures = _overall(decisions, undefined)
    for name in _OF_TABLES:
        _add(name, of_counts(name), decisions, undefined, (categories, averages))
    for measure in more:
        with listening():
            if isinstance(whole := decisions.value(measure), float):
                measures[measure.name] = {"all": whole}
        _add(measure.name, measure, decisions, undefined, (categories, averages))
    overall = {SAID.get((measure, way), measure): value for measure, way, value in cells_of(measures)}
    blocks = _lines(categories, averages)
    # One row per value; a category's value has no average.
    tidy: list[Row] = [(name, measure, None, value) for name, measure, value in cells_of(categories)]
    tidy += [("all", measure, way, value) for way, measure, value in cells_of(averages)]
    told = {row[1:3] for row in tidy}
    tidy += [("all", *row) for row in cells_of(measures) if row[:2] not in told]
    return Sheet(
        "precall.decisions/1", describe_conventions(undefined=undefined) if conventions is None else conventions,
        (*blocks, block_of_values(("measure", "value"), overall)),
        (f"{decisions.truth.items} items", *summary.note.split(" | ")[2:]),
        {"categories": categories, "averages": averages, "measures": measures},
        ("category", "measure", "average", "value"), tuple(tidy),
    )  # fmt: skip


def _lines(categories: Cells, averages: Cells) -> list[Block]:
    """The categories in two blocks, for 80 columns, the averages between them."""
    parts = [
        {name: {key: cell for key, cell in row.items() if (key in _HEADING) == first} for name, row in categories.items()}
        for first in (True, False)
    ]  # fmt: skip
    named = (("category", parts[0]), ("average", averages), ("category", parts[1]))
    return [block_of(corner, rows) for corner, rows in named if rows]


def _overall(decisions: Decisions, undefined: str) -> Cells:
    """Accuracy and error, and F1 averaged both ways: by measure, then by average."""
    if decisions.truth.kind == "binary":
        return {"accuracy": {"all": decisions.accuracy()}, "error": {"all": decisions.error()}}
    ways = ("exact", "micro", "macro")
    return {
        "accuracy": {way: decisions.accuracy(way, undefined) for way in ways},
        "error": {way: decisions.error(way, undefined) for way in ways},
        "F1": {way: decisions.f(average=way, undefined=undefined) for way in ("macro", "macro-of-means")},
    }


def _add(
    name: str, measure: Measure, decisions: Decisions, undefined: str, tables: tuple[Cells, Cells]
) -> None:
    """A column of the categories and the averages."""
    categories, averages = tables
    with listening():
        each = np.atleast_1d(decisions.value(measure, "each")).tolist()
        for row, value in zip(categories.values(), each, strict=True):
            row[name] = value
        for average, row in averages.items():
            row[name] = decisions.value(measure, average, undefined)


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


def senses(pivot: str = "category") -> dict[str, str]:
    """In which of their senses the sheet has measures that have several; see `precall explain`."""
    return {"break-even": "nearest", "11 points": f"mean over {_OVER[pivot]}"}


def categories_sheet(
    status: Status, policy: str | None = None, undefined: str = "zero", conventions: dict[str, str] | None = None,
    pivot: str = "category",
) -> Sheet:  # fmt: skip
    """The sheet of scores of many categories; with a policy, its thresholds and what they decide.

    `pivot` says what the 11 points are averaged over: "category" or "item".
    """
    notes = [f"{status.truth.items} items"]
    by_name, averages = _measured(status, undefined, notes)
    eleven = {form: _eleven(status, form, pivot, undefined) for form in ("yang", "trec")}
    empty = np.count_nonzero(status.truth.per_item() == 0)
    if pivot == "item" and empty:
        notes.append(f"11 points undefined in {empty} of {status.truth.items} items ({undefined})")
    hand_till = _hand_till(status, undefined, notes)
    points: Cells = {level: {form: line[level] for form, line in eleven.items()} for level in eleven["yang"]}
    blocks = (
        block_of("category", by_name), block_of("average", averages),
        block_of_values(("measure", "value"), {"Hand-Till AUC": hand_till}),
        block_of(f"precision at recall, mean over {_OVER[pivot]}", points),
    )  # fmt: skip
    tidy = (
        *(("categories", name, measure, None, value) for name, measure, value in cells_of(by_name)),
        *(("categories", "all", measure, way, value) for way, measure, value in cells_of(averages)),
        *(("eleven_point", "all", level, form, value) for form, level, value in cells_of(eleven)),
        ("categories", "all", "Hand-Till AUC", "macro", hand_till),
    )
    if conventions is None:
        conventions = describe_conventions(policy=policy, ties="block", undefined=undefined) | senses(pivot)
    sheet = Sheet(
        "precall.categories/1", conventions, blocks, tuple(notes),
        {"categories": by_name, "averages": averages, "eleven_point": eleven, "hand_till": hand_till},
        ("section", "category", "measure", "average", "value"), tidy,
    )  # fmt: skip
    return sheet if policy is None else _with_decisions(sheet, status, policy, undefined)


def _with_decisions(sheet: Sheet, status: Status, policy: str, undefined: str) -> Sheet:
    """The sheet with the thresholds of a policy, and what they decide."""
    learned = status.thresholds(policy)
    decided, kind = decisions_sheet(status.decide(learned), undefined, {}), learned.kind
    numbers = list(map(Threshold, learned.values.tolist()))
    # One number of all categories is called "all".
    names = ["all"] if kind == "rank" else list(map(str, learned.categories))
    thresholds: dict[str, Cell] = dict(zip(names, numbers, strict=kind != "rank"))
    heading = {"score": "least score", "rank": "categories per item", "proportion": "share of items"}[kind]
    notes = (
        f"decided by {policy}{', learned from these same items' if learned.learned else ''}",
        *decided.notes[1:],
    )
    if kind == "score" and learned.learned:
        notes += (
            f"micro {policy} of the averages is of all pairs as one list, with one threshold; what is decided, and its "
            "micro P, R and F, has a threshold per category",
        )
    told = {"thresholds": {"policy": policy, "kind": kind, "values": thresholds}, "decisions": decided.body}
    return replace(
        sheet, body={**sheet.body, **told},
        blocks=(*sheet.blocks, block_of_values(("category", heading), thresholds), *decided.blocks),
        notes=(*sheet.notes, *notes),
        tidy=(
            *sheet.tidy, *(("thresholds", name, kind, None, value) for name, value in thresholds.items()),
            *(("decisions", *row) for row in decided.tidy),
        ),
    )  # fmt: skip


def _measured(status: Status, undefined: str, notes: list[str]) -> tuple[Cells, Cells]:
    """Category → measure → value, and the same of the averages."""
    names, sizes = list(map(str, status.categories)), status.truth.per_category().tolist()
    by_name: Cells = {name: {"items": size} for name, size in zip(names, sizes, strict=True)}
    if early := int(status.by_category(is_left_early).values.sum()):
        notes.append(f"{LEFT_EARLY} (in {early} of {len(names)} categories)")
    averages: Cells = {way: {"items": sum(sizes)} for way in ("macro", "micro")}
    for measure in MEASURES:
        per_category = status.by_category(measure)
        for name, value in zip(names, per_category.values.tolist(), strict=True):
            by_name[name][measure] = value
        if lost := per_category.undefined:
            notes.append(f"{measure} undefined in {lost} of {len(names)} categories ({undefined})")
        averages["macro"][measure] = per_category.mean(undefined)
        with listening():
            averages["micro"][measure] = status.micro(measure)
    return by_name, averages


def _eleven(status: Status, form: str, pivot: str, undefined: str) -> dict[str, Cell]:
    points = status.eleven_point(pivot, form, undefined)
    return {**dict(zip(_LEVELS, points.tolist(), strict=True)), "mean": mean(points)}


def _hand_till(status: Status, undefined: str, notes: list[str]) -> float:
    """Undefined, and said so, where items have none or several categories."""
    with listening() as told:
        try:
            value = status.hand_till(undefined)
        except UsageError as error:
            notes.append(f"Hand-Till AUC is undefined: {str(error).partition(': ')[2]}")
            return float("nan")
    notes += told
    return value
