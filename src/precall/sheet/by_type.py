"""The sheet of every result, by its type; and files whose form is told by their endings."""

from __future__ import annotations

import os
from functools import singledispatch
from pathlib import Path
from typing import Any

from precall.contingency import Decisions, Status
from precall.curves import Curve
from precall.errors import UsageError
from precall.infer.compare.comparisons import Comparison, Comparisons
from precall.infer.compare.planning import Plan
from precall.infer.interval.interval import Interval
from precall.infer.null.distribution import Law
from precall.intervals.table import Intervals
from precall.results import Presented, Report
from precall.saving import save as saved
from precall.sheet.categories import categories_sheet, senses
from precall.sheet.comparisons import compare_sheet, comparison_sheet, plan_sheet
from precall.sheet.curves import Choices, curve_sheet
from precall.sheet.decisions import decisions_sheet
from precall.sheet.distributions import law_sheet
from precall.sheet.reports import report_sheet
from precall.sheet.sheets import Block, Line, Sheet, Threshold, rendered
from precall.text import encoded, printable
from precall.version import __version__

_ENDINGS = {
    ".txt": "table",
    ".csv": "csv",
    ".json": "json",
    ".md": "markdown",
    ".tex": "latex",
    ".html": "html",
}


def save(result: Presented, path: str | os.PathLike[str]) -> None:
    """Write a result in the form that the file's ending tells."""
    form = _ENDINGS.get(Path(path).suffix.lower())
    if form is None:
        *first, last = _ENDINGS
        raise UsageError(f"{printable(os.fspath(path))}: the name must end in {', '.join(first)} or {last}")
    if form == "html":
        text = f'<!doctype html>\n<meta charset="utf-8">\n<title>precall</title>\n{result._repr_html_()}\n'
    else:
        text = rendered(result.sheet(), form)
    saved(encoded(text), path)


def _said(**more: str) -> dict[str, str]:
    return {"precall": __version__, **more}


@singledispatch
def sheet_of(result: Any, **choices: Any) -> Sheet:
    """The sheet of a result."""
    raise TypeError(f"{type(result).__name__} has no tables")


sheet_of.register(Report, report_sheet)
sheet_of.register(Comparisons, compare_sheet)
sheet_of.register(Comparison, comparison_sheet)
sheet_of.register(Plan, plan_sheet)


@sheet_of.register
def _of_curve(result: Curve, **choices: Any) -> Sheet:
    chosen = Choices(**choices)
    said = _said(ties=f"block (R-precision, RR: {chosen.ties})")
    return curve_sheet({"curve": {"": result}}, chosen, said, "curve")


@sheet_of.register
def _of_decisions(result: Decisions, undefined: str = "zero") -> Sheet:
    return decisions_sheet(result, undefined, _said(undefined=undefined))


@sheet_of.register
def _of_status(
    result: Status, policy: str | None = None, undefined: str = "zero", pivot: str = "category"
) -> Sheet:
    said = _said(**({} if policy is None else {"policy": policy}), ties="block", undefined=undefined)
    return categories_sheet(result, policy, undefined, said | senses(pivot), pivot)


@sheet_of.register
def _of_law(result: Law) -> Sheet:
    return law_sheet(result, _said(null="random selection"))


@sheet_of.register
def _of_interval(result: Interval) -> Sheet:
    return _of_intervals(Intervals({result.measure or "value": result}))


@sheet_of.register
def _of_intervals(result: Intervals) -> Sheet:
    table = result.table.to_dict()
    rows = list(zip(*table.values(), strict=True))
    # Without runs or categories their column is empty.
    first = 0 if any(table[next(iter(table))]) else 1
    lines = [Line(row[first], (*row[first + 1 : 5], Threshold(row[5]), row[6])) for row in rows]
    heading = tuple(table)[first:-1]
    return Sheet(
        "precall.intervals/1", _said(), (Block("", heading, tuple(lines), left=2 - first),), result.notes,
        {key: value for key, value in result.to_dict().items() if key != "notes"}, tuple(table), tuple(rows),
    )  # fmt: skip
