"""Report → text: table, json, csv, markdown, latex, trec; and the registry as list, page and explanation."""

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
    bold : table only: mark the best value of a column by ANSI bold instead of a star.
    width : table only: columns of the terminal.
    intervals : of the averages, what `pc.interval(report)` gave: printed beside them. trec has no place for them.

    Examples
    --------
    >>> from precall import evaluate
    >>> report = evaluate({"q1": {"a": 1}}, {"q1": {"a": 1.0, "b": 2.0}}, ["AP"])
    >>> print(rendered(report, "csv"), end="")
    format,run,topic,measure,aggregate,value
    precall.report/1,run,all,AP,mean,0.5
    """
    if form == "table":
        from precall.reporting.screen import table

        return table(report, per_topic=per_topic, bold=bold, width=width, intervals=intervals)
    if form == "trec":
        from precall.reporting.data import trec

        if intervals is not None:
            raise UsageError("format='trec' has no place for intervals; choose 'csv' or 'json'")
        return trec(report, per_topic=per_topic)
    if form in ("json", "csv"):
        from precall.reporting import data

        return {"json": data.json, "csv": data.csv}[form](report, per_topic=per_topic, intervals=intervals)
    if form in ("markdown", "latex"):
        from precall.reporting import documents

        document = {"markdown": documents.markdown, "latex": documents.latex}[form]
        return document(report, per_topic=per_topic, intervals=intervals)
    raise UsageError(f"format: got {form!r}, allowed are {', '.join(FORMATS)}")


__all__ = ["FORMATS", "rendered"]
