"""Report → a sheet, and trec_eval's columns.

json (`"format": "precall.report/1"`): `measures`, each with its aggregate and which end is best; `runs`, each with
`counts`, `mean`, `undefined` (topics where a measure is undefined), `notes` where something was warned of, and, if asked
for, `interval` (of averages: low, high, level, method) and `per_topic`.

csv: one row per run, topic and measure. `aggregate` is empty for a topic's value; for an average it says
which, and `topic` is "all". (A topic may be called "all", so `aggregate` is what tells them apart.)
With intervals the averages have the columns low, high and level, too; sums have none.

trec: `measure  topic  value` as trec_eval prints them, a line for each name that was asked for.

A file name that is not UTF-8 is written with escapes, as the table does: `caf\\xe9.run` is `caf\\udce9.run`.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from precall.results import Report, RunValues
from precall.sheet.sheets import Block, Cell, Line, Sheet
from precall.text import encoded

if TYPE_CHECKING:
    from precall.infer.interval.interval import Interval
    from precall.intervals.table import Intervals

FORMAT = "precall.report/1"
_ENDS = {1: "high", -1: "low", 0: None}


def report_sheet(report: Report, per_topic: bool = False, intervals: Intervals | None = None) -> Sheet:
    """The sheet of a report: averages with their intervals, and before them the values of each topic if asked for.

    The best average of a measure is marked, but for averages over different topics. `intervals` are those of the
    averages, if the report has none.

    Examples
    --------
    >>> from precall import evaluate
    >>> runs = {"x": {"q1": {"a": 1.0, "b": 2.0}}, "y": {"q1": {"a": 1.0}}}
    >>> report_sheet(evaluate({"q1": {"a": 1}}, runs, ["AP", "R@2"])).blocks[0].leaders()
    [frozenset(), frozenset({0})]
    """
    if intervals is not None:
        report = replace(report, intervals=intervals)
    asked = report.intervals is not None
    directions = report.best or (0,) * len(report.measures)
    lines, parts = [], []
    tidy: list[tuple[Cell, ...]] = []
    for run in report.runs:
        found = [report.bounds(run.name, name) for name in report.measures]
        ends = tuple(None if one is None else (one.low, one.high) for one in found)
        means = run.mean.tolist()
        lines.append(Line(_plain(run.name), (*_cells(report, means), run.counts.topics), 0, (*ends, None)))
        parts.append(_body(report, run, per_topic, found if asked else None))
        tidy += _topic_rows(report, run, asked) if per_topic else []
        tidy += [
            (_plain(run.name), "all", name, aggregate, value, *_limits(one, asked))
            for name, aggregate, value, one in zip(report.measures, report.aggregates, means, found, strict=True)
        ]  # fmt: skip
    best = directions if report.comparable else ()
    averages = Block("", ("run", *report.measures, "topics"), tuple(lines), best=best)
    measures = [
        {"name": name, "asked": [one for one, canonical in report.asked.items() if canonical == name],
         "aggregate": aggregate, "best": _ENDS[direction]}
        for name, aggregate, direction in zip(report.measures, report.aggregates, directions, strict=True)
    ]  # fmt: skip
    return Sheet(
        FORMAT, {name: _plain(text) for name, text in report.conventions.items()},
        (*([_topics(report)] if per_topic else []), averages), tuple(map(_plain, report.notes())),
        {"measures": measures, "runs": parts},
        ("run", "topic", "measure", "aggregate", "value", *_LIMITS[: 3 * asked]), tuple(tidy),
    )  # fmt: skip


_LIMITS = ("low", "high", "level")


def _plain(text: str) -> str:
    return encoded(text).decode()


def _limits(one: Interval | None, asked: bool) -> tuple[Cell, ...]:
    return () if not asked else (None,) * 3 if one is None else (one.low, one.high, one.level)


def _cells(report: Report, values: list[float]) -> list[Cell]:
    """Values as they are shown: counts, which are summed over topics, without decimals."""
    return [
        int(value) if aggregate == "sum" and value.is_integer() else value
        for value, aggregate in zip(values, report.aggregates, strict=True)
    ]


def _topics(report: Report) -> Block:
    """The values by topic; the run's name stands first if there are several."""
    several = len(report.runs) > 1
    lines = []
    for run in report.runs:
        name = _plain(run.name)
        for topic, values in zip(run.topics, run.values.T.tolist(), strict=True):
            cells = tuple(_cells(report, values))
            lines.append(Line(name, (topic, *cells)) if several else Line(topic, cells))
    heading = (*(["run"] if several else []), "topic", *report.measures)
    return Block("", heading, tuple(lines), left=1 + several, long=True)


def _topic_rows(report: Report, run: RunValues, asked: bool) -> list[tuple[Cell, ...]]:
    name, limits = _plain(run.name), _limits(None, asked)
    return [
        (name, topic, measure, None, value, *limits)
        for topic, values in zip(run.topics, run.values.T.tolist(), strict=True)
        for measure, value in zip(report.measures, values, strict=True)
    ]


def _body(
    report: Report, run: RunValues, per_topic: bool, found: list[Interval | None] | None
) -> dict[str, Any]:
    """A run as data."""

    def named(values: list[Any]) -> dict[str, Any]:
        return dict(zip(report.measures, values, strict=True))

    body: dict[str, Any] = {
        "name": _plain(run.name), "counts": asdict(run.counts), "mean": named(run.mean.tolist()),
        "undefined": named(list(run.undefined)),
    }  # fmt: skip
    if run.said:
        body["notes"] = list(map(_plain, run.said))
    if found is not None:
        body["interval"] = {name: _told(one) for name, one in named(found).items() if one is not None}
    if per_topic:
        body["per_topic"] = dict(zip(run.topics, map(named, run.values.T.tolist()), strict=True))
    return body


def _told(found: Interval) -> dict[str, object]:
    told: dict[str, object] = {
        "low": found.low, "high": found.high, "level": found.level, "method": found.method,
    }  # fmt: skip
    if found.resamples:
        told |= {"resamples": found.resamples, "seed": found.seed}
    if found.notes:
        told["notes"] = list(found.notes)
    return told


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
    return _plain(text).translate({9: "\\t", 10: "\\n", 13: "\\r"})
