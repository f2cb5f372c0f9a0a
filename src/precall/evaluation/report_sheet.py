"""Report → a sheet.

json (`"format": "precall.report/2"`): `verdict`, which of several runs is best by which measure;
`measures`, each with its canonical `name`, by which values are found, the names by which it was
`asked` for, its aggregate and which end is best; `runs`, each with `counts`, `mean`, `undefined`
(number of topics in which a measure is undefined), `notes` if there are warnings, and, if
requested, `interval` (of averages: low, high, level, method) and `per_topic`; with bounds over
labels of unjudged items, `unjudged` (number of items), `bounds` (of averages: lowest, highest, and
the number of topics in which the measure is undefined for some labels) and `per_topic_bounds`.

csv: one row per run, topic and measure; the measure has the name that was requested. `aggregate` is
empty for a topic's value. For an average it says which, and `topic` is "all". (A topic may be named
"all", so only `aggregate` distinguishes them.) With intervals the averages also have the columns
low, high and level; sums have none. With bounds over labels of unjudged items, values of topics and
averages also have the columns lowest and highest. Topics with weights have a column weight, and in
json all `weights` by topic.

A file name that is not UTF-8 is written with escapes, as the table does: `caf\\xe9.run` is
`caf\\udce9.run`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.core.errors import UsageError
from precall.core.notes import Note, Notes
from precall.core.notes import notes_to_json as plain_notes
from precall.core.notes.of_runs import JudgeNext
from precall.core.ragged import Float64
from precall.core.text import encode_utf8, list_names, number, printable
from precall.core.vocabulary import vocabulary_of
from precall.evaluation.report import Report, RunValues, interval_in, order_of_runs, refuse_weights
from precall.measures.lookup import head_of
from precall.results.blocks import Block, Cell, LazyData, LazyLines, LazyRows, Line, Paper, leaders
from precall.results.sentence import describe_value
from precall.results.sheets import Sheet

if TYPE_CHECKING:
    from precall.evaluation.extremes import Extremes
    from precall.results.layout import Layout
    from precall.stats.intervals.interval import Interval, Intervals

_LIMITS = ("low", "high", "level")
_EXTREMES = ("lowest", "highest")
#: Number of topics whose rows are written at a time.
_TOGETHER = 1024
#: Number of measures that the sentence about a run names.
_TOLD = 3
_ENDS = {1: "high", -1: "low", 0: None}


def report_sheet(
    report: Report,
    per_topic: bool = False,
    intervals: Intervals | None = None,
    bounds: bool = True,
) -> Sheet:
    """The sheet of a report: averages with their intervals; with `per_topic`, first the values of
    each topic.

    The best average of a measure is marked, unless averages are over different topics. `intervals`
    are those of the averages, if the report has none. Without `bounds` the table of those over
    labels of unjudged items is left out.
    """
    if intervals is not None:
        report = replace(report, intervals=intervals)
    word = vocabulary_of(report.conventions).word
    averages = Block(
        "",
        (word("run"), *report.heads, word("topics")),
        tuple(_averages(report)),
        best=_directions(report) if report.comparable else (),
    )
    has_bounds = report.lowest is not None
    weighs = per_topic and bool(report.weights)
    topics = sum(len(run.topics) for run in report.runs) * per_topic
    rows = (topics + len(report.runs)) * len(report.measures)
    return Sheet(
        "precall.report/2",
        {name: _to_utf8(text) for name, text in report.conventions.items()},
        (
            *([_topics(report, topics)] if per_topic else []),
            averages,
            *([_bounds(report)] if has_bounds and bounds else []),
            *([_of_groups(report)] if report.groups else []),
        ),
        report.notes if not has_bounds else Notes((*report.notes, *_judge_next(report))),
        LazyData(partial(_body, report, per_topic)),
        (
            "run",
            "topic",
            "measure",
            "aggregate",
            "value",
            *_LIMITS[: 3 * (report.intervals is not None)],
            *_EXTREMES[: 2 * has_bounds],
            *(["weight"] if weighs else []),
            *(["group"] if report.groups else []),
        ),
        LazyRows(
            partial(_columns_with_groups if report.groups else _columns, report, per_topic, weighs),
            rows + len(report.groups) * len(report.runs) * len(report.measures),
        ),
        _to_utf8(_verdict(report)),
        source=report,
        paper=partial(_paper, report, averages),
    )


def _to_utf8(text: str) -> str:
    return text if text.isascii() else encode_utf8(text).decode()


def _paper(report: Report, averages: Block, layout: Layout) -> Paper:
    # Imported here, because few results are printed for papers.
    from precall.stats.tests.paper import paper_of_report

    paper = paper_of_report(report, averages, layout)
    if report.lowest is not None:
        paper = paper._replace(
            caption=f"{paper.caption} Bounds are over all labels of unjudged items.",
            blocks=(*paper.blocks, _bounds(report)),
        )
    if report.groups:
        paper = paper._replace(blocks=(*paper.blocks, _of_groups(report)))
    return paper


def _verdict(report: Report) -> str:
    """A sentence on which run is best by which measure; empty for one run, and if means are over
    different topics.
    """
    if len(report.runs) < 2 or not report.comparable:
        return ""
    best: dict[str, list[str]] = {}
    for line, (name, direction) in enumerate(zip(report.heads, _directions(report), strict=True)):
        means = [float(run.mean[line]) for run in report.runs]
        chosen = leaders(means, direction)
        if chosen:
            runs = list_names([report.runs[index].name for index in sorted(chosen)])
            best.setdefault(runs, []).append(f"{name} ({number(means[min(chosen)])})")
    clauses = [
        (
            f"{runs} by "
            f"{list_names([*names[:_TOLD], f'{len(names) - _TOLD} more'] if len(names) > _TOLD + 1 else names)}"  # noqa: E501
        )
        for runs, names in best.items()
    ]
    return printable(f"Best on average, not tested: {'; '.join(clauses)}.") if clauses else ""


def _directions(report: Report) -> tuple[int, ...]:
    return report.best or (0,) * len(report.measures)


def _cells(report: Report, values: Float64) -> Iterator[list[Any]]:
    """Lines of values as shown, from a row per measure; counts, which are summed over topics, have
    no decimals.
    """
    sums = [column for column, aggregate in enumerate(report.aggregates) if aggregate == "sum"]
    for line in values.T.tolist():
        for column in sums:
            if line[column].is_integer():
                line[column] = int(line[column])
        yield line


def _averages(report: Report) -> Iterator[Line]:
    for run in report.runs:
        intervals = [interval_in(report, run.name, name) for name in report.measures]
        ends = (None if interval is None else interval.ends for interval in intervals)
        cells = next(_cells(report, run.mean[:, None]))
        yield Line(_to_utf8(run.name), (*cells, run.counts.topics), 0, (*ends, None))


def _bounds(report: Report) -> Block:
    """The bounds of the averages over all labels of unjudged items."""
    lines = []
    for run in report.runs:
        assert run.extremes is not None
        ends = np.stack((run.extremes.mean_lowest, run.mean, run.extremes.mean_highest), axis=1)
        for head, *cells in zip(report.heads, *_cells(report, ends), strict=True):
            lines.append(Line(_to_utf8(run.name), (head, *cells)))
    heading = (vocabulary_of(report.conventions).word("run"), "measure", "lowest", "value")
    return Block("over all labels of unjudged items", (*heading, "highest"), tuple(lines), left=2)


def _of_groups(report: Report) -> Block:
    """The averages of each group of topics; with several runs, side by side."""
    several = len(report.runs) > 1
    word = vocabulary_of(report.conventions).word
    lines = []
    for group, part in report.groups.items():
        for line in _averages(part):
            name = _to_utf8(group)
            if several:
                line = line._replace(values=[line.name, *line.values], ends=(None, *line.ends))
            lines.append(line._replace(name=name))
    heading = ("group", *([word("run")] if several else []), *report.heads, word("topics"))
    return Block("", heading, tuple(lines), left=1 + several)


def _columns_with_groups(
    report: Report, per_topic: bool, weighs: bool
) -> Iterator[tuple[Iterable[Cell], ...]]:
    """One row per value, with those of groups; the last column is the group."""
    extremes = () if report.lowest is None else _EXTREMES
    for columns in _columns(report, per_topic, weighs):
        *first, last = (list(column) for column in columns)
        yield *first, last, [None] * len(last)
    for group, part in report.groups.items():
        for columns in _columns(part, False, weighs):
            *first, last = (list(column) for column in columns)
            empty = ([None] * len(last) for _ in extremes)
            yield *first, last, *empty, [_to_utf8(group)] * len(last)


def _judge_next(report: Report) -> list[Note]:
    """A note on what to judge next, for the first measure of the best run."""
    run, measure = report.runs[order_of_runs(report)[0]].name, report.heads[0]
    found = report.judge_next(measure, run)
    if found is None:
        return []
    note = JudgeNext(run, measure, found.item, found.topic, found.width, found.at_most)
    return [note.in_words_of(vocabulary_of(report.conventions))]


def _topics(report: Report, size: int) -> Block:
    """The values by topic; with several runs, the run's name comes first."""
    several = len(report.runs) > 1
    word = vocabulary_of(report.conventions).word
    heading = (*([word("run")] if several else []), word("topic"), *report.heads)
    return Block(
        "", heading, LazyLines(partial(_topic_lines, report), size), left=1 + several, long=True
    )


def _topic_lines(report: Report) -> Iterator[Line]:
    several = len(report.runs) > 1
    for run in report.runs:
        name = _to_utf8(run.name)
        for topic, cells in zip(run.topics, _cells(report, run.values), strict=True):
            yield Line(name, [topic, *cells]) if several else Line(topic, cells)


def _columns(report: Report, per_topic: bool, weighs: bool) -> Iterator[tuple[Iterable[Cell], ...]]:
    """One row per value: the columns of some topics at a time, then those of the averages; the last
    has the weights of topics, if wanted.
    """
    names, limits = report.heads, _LIMITS if report.intervals is not None else ()
    bounds = () if report.lowest is None else _EXTREMES
    for run in report.runs:
        for first in range(0, len(run.topics), _TOGETHER) if per_topic else ():
            topics = [topic for topic in run.topics[first : first + _TOGETHER] for _ in names]
            values = run.values[:, first : first + _TOGETHER].T.ravel().tolist()
            empty = (repeat(None, len(topics)) for _ in ("aggregate", *limits))
            extremes = [
                getattr(run.extremes, name)[:, first : first + _TOGETHER].T.ravel().tolist()
                for name in bounds
            ]
            measures = names * (len(topics) // len(names))
            weights = [[report.weights[topic] for topic in topics]] if weighs else []
            yield (
                repeat(_to_utf8(run.name), len(topics)),
                topics,
                measures,
                next(empty),
                values,
                *empty,
                *extremes,
                *weights,
            )
        intervals = [interval_in(report, run.name, name) for name in report.measures]
        ends = [[getattr(interval, end, None) for interval in intervals] for end in limits]
        alike = [[text] * len(names) for text in (_to_utf8(run.name), "all")]
        extremes = [getattr(run.extremes, f"mean_{name}").tolist() for name in bounds]
        means, none = run.mean.tolist(), [[None] * len(names)] * weighs
        yield *alike, names, report.aggregates, means, *ends, *extremes, *none


@dataclass(frozen=True, slots=True, eq=False)
class _PerTopic(Mapping[str, dict[str, float]]):
    """The values of a run by topic and measure, computed on access."""

    run: RunValues
    measures: tuple[str, ...]

    def __getitem__(self, topic: str) -> dict[str, float]:
        by_topic: dict[str, dict[str, float]] = dict(self.items())
        return by_topic[topic]

    def __iter__(self) -> Iterator[str]:
        return iter(self.run.topics)

    def __len__(self) -> int:
        return len(self.run.topics)

    def items(self) -> Any:
        """Topics with their values, in order."""
        values = map(dict, map(zip, repeat(self.measures), self.run.values.T.tolist()))
        return zip(self.run.topics, values, strict=True)

    def values(self) -> Any:
        """The values of each topic, in order."""
        return (values for _, values in self.items())


def _body(report: Report, per_topic: bool) -> dict[str, Any]:
    measures = [
        {
            "name": name,
            "asked": [heading for heading, canonical in report.asked.items() if canonical == name],
            "aggregate": aggregate,
            "best": _ENDS[direction],
        }
        for name, aggregate, direction in zip(
            report.measures, report.aggregates, _directions(report), strict=True
        )
    ]
    runs = [_of_run(report, run, per_topic) for run in report.runs]
    body: dict[str, Any] = {"measures": measures, "runs": runs}
    if report.weights:
        body["weights"] = {_to_utf8(topic): weight for topic, weight in report.weights.items()}
    if report.groups:
        body["groups"] = {
            _to_utf8(group): [_of_run(part, run, False) for run in part.runs]
            for group, part in report.groups.items()
        }
    return body


def _of_run(report: Report, run: RunValues, per_topic: bool) -> dict[str, Any]:
    """The values of a run as plain data."""

    def by_measure(values: Iterable[object]) -> dict[str, Any]:
        return dict(zip(report.measures, values, strict=True))

    body: dict[str, Any] = {
        "name": _to_utf8(run.name),
        "counts": asdict(run.counts),
        "mean": by_measure(run.mean.tolist()),
        "undefined": by_measure(run.undefined),
    }
    if run.said:
        body["notes"] = plain_notes(run.said)
    if report.intervals is not None:
        intervals = {name: interval_in(report, run.name, name) for name in report.measures}
        body["interval"] = {
            name: _interval_fields(interval)
            for name, interval in intervals.items()
            if interval is not None
        }
    if run.extremes is not None:
        found = run.extremes
        body["unjudged"] = int(found.unjudged.sum())
        columns = (found.mean_lowest.tolist(), found.mean_highest.tolist(), found.undefined)
        body["bounds"] = by_measure(
            dict(zip((*_EXTREMES, "undefined"), ends, strict=True))
            for ends in zip(*columns, strict=True)
        )
    if per_topic:
        body["per_topic"] = _PerTopic(run, report.measures)
    if per_topic and run.extremes is not None:
        body["per_topic_bounds"] = {
            topic: by_measure(dict(zip(_EXTREMES, ends, strict=True)) for ends in pairs)
            for topic, pairs in zip(run.topics, _pairs(run.extremes), strict=True)
        }
    return body


def _pairs(extremes: Extremes) -> Iterator[list[list[float]]]:
    """By topic, the extremes of each measure."""
    yield from np.stack((extremes.lowest.T, extremes.highest.T), axis=2).tolist()


def _interval_fields(interval: Interval) -> dict[str, object]:
    fields: dict[str, object] = {name: getattr(interval, name) for name in (*_LIMITS, "method")}
    if interval.resamples:
        fields |= {"resamples": interval.resamples, "seed": interval.seed}
    if interval.notes:
        fields["notes"] = plain_notes(interval.notes)
    return fields


def summarize_report(report: Report) -> str:
    """A sentence on the value of the best run by the first measure, for runs that were not
    compared, or without a defined p.
    """
    best = report.runs[order_of_runs(report)[0]]
    measure = report.measures[0]
    reached = describe_value(float(best.mean[0]), interval_in(report, best.name, measure))
    topics = vocabulary_of(report.conventions).count(best.counts.topics, "topic")
    return f"{best.name} reaches {report.heads[0]} {reached}, {topics}."


def trec_lines(sheet: Sheet) -> str:
    """The lines of trec_eval; with several runs, the averages of each begin with its `runid`."""
    report: Report = sheet.source
    if report.intervals is not None:
        raise UsageError(
            "⟨format='trec'⟩ has no place for intervals", remedy="choose 'csv' or 'json'"
        )
    if report.lowest is not None:
        raise UsageError(
            argument="format",
            got="trec",
            what="has no place for bounds over labels",
            remedy="choose 'csv' or 'json'",
        )
    refuse_weights(report, "⟨format='trec'⟩", "choose 'csv' or 'json'")
    index = {name: column for column, name in enumerate(report.measures)}
    unasked = [name for name in report.measures if name not in report.asked.values()]
    columns = [
        (head_of(name, canonical), index[canonical]) for name, canonical in report.asked.items()
    ]
    columns += [(name, index[name]) for name in unasked]
    heads = [
        (f"{name:<22s}\t", column, report.aggregates[column] == "sum") for name, column in columns
    ]

    def block(topic: str, values: list[float]) -> list[str]:
        return [
            f"{head}{topic}\t{values[column]:{'.0f' if is_count and values[column].is_integer() else '6.4f'}}"  # noqa: E501
            for head, column, is_count in heads
        ]

    lines: list[str] = []
    per_topic = any(block.long for block in sheet.blocks)
    for run in report.runs:
        for topic, values in (
            zip(run.topics, run.values.T.tolist(), strict=True) if per_topic else ()
        ):
            lines += block(_field(topic), values)
        if len(report.runs) > 1:
            lines.append(f"{'runid':<22s}\tall\t{_field(run.name)}")
        lines += block("all", run.mean.tolist())
    return "\n".join(lines) + "\n"


def _field(text: str) -> str:
    # Ids from tables and frames may contain the separators of these fields.
    return encode_utf8(text).decode().translate({9: "\\t", 10: "\\n", 13: "\\r"})
