"""Results → sheets → text; and the registry as list, page and explanation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from precall.errors import UsageError

if TYPE_CHECKING:
    from precall.intervals.table import Intervals
    from precall.results import Report

FORMATS = ("table", "csv", "json", "markdown", "latex", "trec")


def rendered(
    report: Report, form: str = "table", *, per_topic: bool = False, bold: bool = False, width: int = 80,
    intervals: Intervals | None = None,
) -> str:  # fmt: skip
    """A report as text that ends with a newline.

    Parameters
    ----------
    form : one of `FORMATS`.
    per_topic : also each topic's values, before the averages.
    bold, width : see `precall.sheet.sheets.rendered`.
    intervals : of the averages, what `pc.interval(report)` gave: printed beside them. trec has no place for them.

    Examples
    --------
    >>> from precall import evaluate
    >>> report = evaluate({"q1": {"a": 1}}, {"q1": {"a": 1.0, "b": 2.0}}, ["AP"])
    >>> print(rendered(report, "csv"), end="")
    format,run,topic,measure,aggregate,value
    precall.report/1,run,all,AP,mean,0.5
    """
    from precall.sheet import sheets
    from precall.sheet.reports import report_sheet, trec

    if form not in FORMATS:
        raise UsageError(f"format: got {form!r}, allowed are {', '.join(FORMATS)}")
    if form == "trec":
        if intervals is not None:
            raise UsageError("format='trec' has no place for intervals; choose 'csv' or 'json'")
        return trec(report, per_topic=per_topic)
    return sheets.rendered(report_sheet(report, per_topic, intervals), form, bold=bold, width=width)


__all__ = ["FORMATS", "rendered"]
