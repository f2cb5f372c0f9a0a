"""Report → data for programs: json, csv, and trec_eval's columns. Values keep every digit in json and csv.

json (`"format": "precall.report/1"`): `conventions`; `measures`, each with its aggregate and which end
is best; `runs`, each with `counts`, `mean`, `undefined` (topics where a measure is undefined), `notes` where
something was warned of, and, if asked for, `interval` (of averages: low, high, level, method) and `per_topic`. An
undefined value is null; an infinite one is the text "inf" or "-inf", JSON has no other.

csv: one row per run, topic and measure. `aggregate` is empty for a topic's value; for an average it says
which, and `topic` is "all". (A topic may be called "all", so `aggregate` is what tells them apart.)
An undefined value is empty. With intervals the averages have the columns low, high and level, too; sums have
none. The first column is the version of the layout, `precall.report/1`; the
conventions are in json only.

trec: `measure  topic  value` as trec_eval prints them, a line for each name that was asked for.

A file name that is not UTF-8 is written with escapes, as the table does: `caf\\xe9.run` is `caf\\udce9.run`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from precall.reporting.rows import bounds
from precall.results import Report, RunValues
from precall.text import encoded, quoted

if TYPE_CHECKING:
    from precall.infer.interval import Interval
    from precall.intervals.table import Intervals

FORMAT = "precall.report/1"


def json(report: Report, *, per_topic: bool = False, intervals: Intervals | None = None) -> str:
    """The whole report as one JSON object, a line for each measure and topic."""
    import json as encoder

    # Not dumps(indent=...): it is many times slower, and one number a line is no easier to read.
    encode = encoder.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
    ends = {1: "high", -1: "low", 0: None}
    asked: dict[str, list[str]] = {name: [] for name in report.measures}
    for name, canonical in report.asked.items():
        asked[canonical].append(name)
    best = report.best or (0,) * len(report.measures)
    measures = [
        encode({"name": name, "asked": asked[name], "aggregate": aggregate, "best": ends[direction]})
        for name, aggregate, direction in zip(report.measures, report.aggregates, best, strict=True)
    ]
    runs = [_run(report, run, per_topic, intervals, encode) for run in report.runs]
    parts = [
        f'"format": {encode(FORMAT)}',
        f'"conventions": {encode({name: _encodable(text) for name, text in report.conventions.items()})}',
        '"measures": [\n  ' + ",\n  ".join(measures) + "\n ]",
        '"runs": [\n  ' + ",\n  ".join(runs) + "\n ]",
    ]
    return "{\n " + ",\n ".join(parts) + "\n}\n"


def _run(
    report: Report,
    run: RunValues,
    per_topic: bool,
    intervals: Intervals | None,
    encode: Callable[[object], str],
) -> str:
    count = run.counts
    counts = {
        "topics": count.topics, "missing": count.missing, "unjudged": count.unjudged,
        "without_relevant": count.without_relevant, "tied": count.tied, "dropped": count.dropped,
        "judgements_dropped": count.judgements_dropped,
    }  # fmt: skip
    said = [
        f'"name": {encode(_encodable(run.name))}',
        f'"counts": {encode(counts)}',
        f'"mean": {encode(_values(report, run.mean.tolist()))}',
        f'"undefined": {encode(dict(zip(report.measures, run.undefined, strict=True)))}',
    ]
    if run.said:
        said.append(f'"notes": {encode([_encodable(text) for text in run.said])}')
    if intervals is not None:
        known = {name: bounds(report, run.name, name, intervals) for name in report.measures}
        told = {name: _told(one) for name, one in known.items() if one is not None}
        said.append(f'"interval": {encode(told)}')
    if per_topic:
        lines = [
            f"{encode(topic)}: {encode(_values(report, line))}"
            for topic, line in zip(run.topics, run.values.T.tolist(), strict=True)
        ]
        said.append('"per_topic": {\n    ' + ",\n    ".join(lines) + "\n   }")
    return "{" + ",\n   ".join(said) + "}"


def _told(found: Interval) -> dict[str, object]:
    told: dict[str, object] = {"low": _exact(found.low), "high": _exact(found.high), "level": found.level}
    told["method"] = found.method
    if found.resamples:
        told |= {"resamples": found.resamples, "seed": found.entropy}
    if found.notes:
        told["notes"] = list(found.notes)
    return told


def _values(report: Report, line: list[float]) -> dict[str, float | str | None]:
    return dict(zip(report.measures, map(_exact, line), strict=True))


def _exact(value: float) -> float | str | None:
    if math.isfinite(value):
        return value
    return None if value != value else str(value)


def csv(report: Report, *, per_topic: bool = False, intervals: Intervals | None = None) -> str:
    """One row per run, topic and measure; with intervals also columns low, high and level."""
    names = [quoted(name) for name in report.measures]
    more = intervals is not None
    lines = ["format,run,topic,measure,aggregate,value" + ",low,high,level" * more]
    for run in report.runs:
        head = f"{FORMAT},{quoted(_encodable(run.name))}"
        for topic, values in zip(run.topics, run.values.T.tolist(), strict=True) if per_topic else ():
            begin = f"{head},{quoted(topic)}"
            lines += [
                f"{begin},{name},,{_digits(value)}" + ",,," * more
                for name, value in zip(names, values, strict=True)
            ]
        for place, (aggregate, value) in enumerate(zip(report.aggregates, run.mean.tolist(), strict=True)):
            found = bounds(report, run.name, report.measures[place], intervals)
            ends = (
                ",,," if found is None else f",{_digits(found.low)},{_digits(found.high)},{found.level}"
            ) * more
            lines.append(f"{head},all,{names[place]},{aggregate},{_digits(value)}{ends}")
    return "\n".join(lines) + "\n"


def _encodable(text: str) -> str:
    return encoded(text).decode()


def _digits(value: float) -> str:
    return "" if value != value else repr(value)


def trec(report: Report, *, per_topic: bool = False) -> str:
    """trec_eval's lines; each run's averages begin with its `runid` if there are several runs."""
    place = {name: column for column, name in enumerate(report.measures)}
    unasked = [name for name in report.measures if name not in report.asked.values()]
    columns = [(name, place[canonical]) for name, canonical in report.asked.items()]
    columns += [(name, place[name]) for name in unasked]
    heads = [(f"{name:<22s}\t", column, report.aggregates[column] == "sum") for name, column in columns]

    def block(topic: str, values: list[float]) -> list[str]:
        return [
            f"{head}{topic}\t{values[column]:{'.0f' if whole and values[column].is_integer() else '6.4f'}}"
            for head, column, whole in heads
        ]

    lines: list[str] = []
    for run in report.runs:
        for topic, values in zip(run.topics, run.values.T.tolist(), strict=True) if per_topic else ():
            lines += block(_field(topic), values)
        if len(report.runs) > 1:
            lines.append(f"{'runid':<22s}\tall\t{_field(run.name)}")
        lines += block("all", run.mean.tolist())
    return "\n".join(lines) + "\n"


def _field(text: str) -> str:
    # Ids of tables and frames may hold what parts the fields here.
    return _encodable(text).translate({9: "\\t", 10: "\\n", 13: "\\r"})
