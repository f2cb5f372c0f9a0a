"""Report → data for programs: json, csv, and trec_eval's columns. Values keep every digit in json and csv.

json (`"format": "precall.report/1"`): `conventions`; `measures`, each with its aggregate and which end
is best; `runs`, each with `counts`, `mean`, `undefined` (topics where a measure is undefined) and, if asked
for, `per_topic`. An undefined value is null; an infinite one is the text "inf" or "-inf", JSON has no other.

csv: one row per run, topic and measure. `aggregate` is empty for a topic's value; for an average it says
which, and `topic` is "all". (A topic may be called "all", so `aggregate` is what tells them apart.)
An undefined value is empty. The first column is the version of the layout, `precall.report/1`; the
conventions are in json only.

trec: `measure  topic  value` as trec_eval prints them, measures under the names they were asked for.
"""

from __future__ import annotations

import math
from typing import Any

from precall.results import Report, RunValues

FORMAT = "precall.report/1"


def json(report: Report, *, per_topic: bool = False) -> str:
    """The whole report as one JSON object."""
    import json as encoder

    ends = {1: "high", -1: "low", 0: None}
    asked: dict[str, list[str]] = {name: [] for name in report.measures}
    for name, canonical in report.asked.items():
        asked[canonical].append(name)
    best = report.best or (0,) * len(report.measures)
    whole = {
        "format": FORMAT,
        "conventions": dict(report.conventions),
        "measures": [
            {"name": name, "asked": asked[name], "aggregate": aggregate, "best": ends[direction]}
            for name, aggregate, direction in zip(report.measures, report.aggregates, best, strict=True)
        ],
        "runs": [_run(report, run, per_topic) for run in report.runs],
    }
    return encoder.dumps(whole, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _run(report: Report, run: RunValues, per_topic: bool) -> dict[str, Any]:
    count = run.counts
    counts = {
        "topics": count.topics, "missing": count.missing, "unjudged": count.unjudged,
        "without_relevant": count.without_relevant, "tied": count.tied, "dropped": count.dropped,
    }  # fmt: skip
    said = {
        "name": run.name,
        "counts": counts,
        "mean": _values(report, run.mean.tolist()),
        "undefined": dict(zip(report.measures, run.undefined, strict=True)),
    }
    if per_topic:
        columns = run.values.T.tolist()
        said["per_topic"] = {
            topic: _values(report, line) for topic, line in zip(run.topics, columns, strict=True)
        }
    return said


def _values(report: Report, line: list[float]) -> dict[str, float | str | None]:
    return {name: _exact(value) for name, value in zip(report.measures, line, strict=True)}


def _exact(value: float) -> float | str | None:
    if math.isnan(value):
        return None
    return str(value) if math.isinf(value) else value


def csv(report: Report, *, per_topic: bool = False) -> str:
    """One row per run, topic and measure."""
    import csv as writer
    import io

    stream = io.StringIO()
    rows = writer.writer(stream, lineterminator="\n")
    rows.writerow(["format", "run", "topic", "measure", "aggregate", "value"])
    for run in report.runs:
        if per_topic:
            for topic, line in zip(run.topics, run.values.T.tolist(), strict=True):
                for name, value in zip(report.measures, line, strict=True):
                    rows.writerow([FORMAT, run.name, topic, name, "", _digits(value)])
        for name, aggregate, value in zip(report.measures, report.aggregates, run.mean.tolist(), strict=True):
            rows.writerow([FORMAT, run.name, "all", name, aggregate, _digits(value)])
    return stream.getvalue()


def _digits(value: float) -> str:
    return "" if math.isnan(value) else repr(value)


def trec(report: Report, *, per_topic: bool = False) -> str:
    """trec_eval's lines; each run begins with its `runid` if there are several."""
    asked: dict[str, str] = {}
    for name, canonical in report.asked.items():
        asked.setdefault(canonical, name)
    names = [asked.get(name, name) for name in report.measures]
    whole = [aggregate == "sum" for aggregate in report.aggregates]
    lines = []
    for run in report.runs:
        if per_topic:
            for topic, line in zip(run.topics, run.values.T.tolist(), strict=True):
                lines += [
                    _line(name, topic, value, flag)
                    for name, value, flag in zip(names, line, whole, strict=True)
                ]
        if len(report.runs) > 1:
            lines.append(f"{'runid':<22s}\tall\t{run.name}")
        lines += [
            _line(*cells) for cells in zip(names, ["all"] * len(names), run.mean.tolist(), whole, strict=True)
        ]
    return "\n".join(lines) + "\n"


def _line(name: str, topic: str, value: float, whole: bool) -> str:
    text = f"{value:.0f}" if whole and value.is_integer() else f"{value:6.4f}"
    return f"{name:<22s}\t{topic}\t{text}"
