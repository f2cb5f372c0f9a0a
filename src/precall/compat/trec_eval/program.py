"""The program: options, files, topics, values and lines, in trec_eval's order of steps."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, TextIO

import numpy as np

from precall.compat.trec_eval import inputs
from precall.compat.trec_eval.arguments import Options, help_text, parse
from precall.compat.trec_eval.families import Family, families
from precall.compat.trec_eval.inputs import (
    INPUT,
    NO_TOPIC,
    TOPIC,
    Exit,
    ReadQrels,
    Results,
    show_topic,
)
from precall.compat.trec_eval.preferences import topic_of
from precall.compat.trec_eval.rankings import Rankings, with_placeholders
from precall.core.conventions import FLOOR
from precall.core.errors import NoCommonTopic
from precall.core.ragged import Float64, total
from precall.core.text import encode_utf8, shorten_quotations, visible
from precall.location.located import locate, note_nothing_judged
from precall.read.columns import Qrels, Run

#: The format that measures are computed from, by the format of the judgements.
_FORMATS = {"qrels": "qrels", "qrels_jg": "qrels_jg", "prefs": "prefs", "qrels_prefs": "prefs"}
#: trec_eval's z-score for a missing value.
_MISSING = -1000000.0


def main(argv: list[str], stdout: TextIO, stderr: TextIO, *, version: str = "10.0") -> int:
    """Run trec_eval.

    Parameters
    ----------
    argv : the arguments, without the program's name.
    stdout, stderr : where values and messages go.
    version : "10.0" or "9.0.8"; `--as` in `argv` goes before it.

    Returns
    -------
    int
        The exit code that trec_eval would have.

    Examples
    --------
    >>> import io, sys
    >>> main(["-m", "nonsense", "qrels.txt", "run.txt"], sys.stdout, io.StringIO())
    1
    """
    try:
        options = parse(argv, version)
        if options.help:
            _write(stdout, help_text(options))
        else:
            _evaluate(options, stdout, stderr)
    except Exit as end:
        if end.message:
            _say(stderr, end.message.rstrip("\n") + "\n")
        return end.code
    return 0


def _write(stream: TextIO, text: str) -> None:
    """Write text whose ids may be any bytes; on a terminal control characters are escaped."""
    text = visible(text, "\t") if stream.isatty() else text
    buffer = getattr(stream, "buffer", None)
    if buffer is None:
        stream.write(text)
        return
    stream.flush()
    try:
        data = text.encode(errors="surrogateescape")
    except UnicodeEncodeError:  # a lone surrogate from Python input; files cannot have one
        data = encode_utf8(text)
    buffer.write(data)
    buffer.flush()


def _say(stderr: TextIO, text: str) -> None:
    """Write a message; if that fails, the exit code and the values stay as they are."""
    with suppress(OSError):
        _write(stderr, visible(shorten_quotations(text)))


@dataclass
class _Task:
    """The evaluation: the topics in order, up to the first that cannot be evaluated."""

    options: Options
    results: Results = field(init=False)
    judged: dict[bytes, Any] = field(default_factory=dict)
    """Judgements by topic; their type depends on the format."""
    positive: int = 0
    qrels: Qrels | None = None
    repeats: frozenset[bytes] = frozenset()
    topics: list[bytes] = field(default_factory=list)
    missing: list[bytes] = field(default_factory=list)
    end: str = ""
    """Why the topic after the last of `topics` cannot be evaluated."""
    note: str = ""
    """Notes of our own, which trec_eval does not print."""

    def cut(self, place: int, why: str) -> None:
        """Stop before a topic."""
        self.topics, self.end = self.topics[:place], f"trec_eval: {why}"


@dataclass(frozen=True)
class _Measured:
    """A family's values: one array, or list of texts, per printed name."""

    family: Family
    names: tuple[str, ...]
    values: list[Any]


def _evaluate(options: Options, stdout: TextIO, stderr: TextIO) -> None:
    task = _read(options)
    reference = None if options.zscores is None else inputs.read_zscores(options.zscores)
    wanted = set(options.measure_names)
    requests = [
        (family, *family.parse(options.parameters.get(name)))
        for name, family in families(options.version).items()
        if name in wanted
    ]
    _choose_topics(task)
    _check_topics(
        task,
        {family.rel for family, *_ in requests} - {""},
        {f.name: parameters for f, _, parameters in requests},
    )
    measured = _measure(task, requests)
    if task.note:
        _say(stderr, f"trec_eval: {task.note}\n")
    if reference is not None:
        measured = [_standardize(column, reference, task.topics) for column in measured]
    if options.query:
        _write(stdout, _lines_of_topics(measured, task.topics, reference is not None))
    if task.end:
        raise Exit(TOPIC, task.end)
    if not task.topics:
        raise Exit(NO_TOPIC, "trec_eval: no queries with both results and relevance info")
    if not options.no_summary:
        _write(stdout, _lines_of_all(measured, task, reference is not None))


def _read(options: Options) -> _Task:
    """Read judgements, then results, each in its format."""
    kind, version = options.rel_format, options.version
    if kind not in _FORMATS:
        raise Exit(
            INPUT, f"trec_eval: illegal rel_format '{kind}'; allowed are {', '.join(_FORMATS)}"
        )
    path, results_path = options.files
    task = _Task(options)
    if kind == "qrels":
        task.qrels, task.positive, task.repeats = inputs.read_judgements(path, version)
        task.judged = dict.fromkeys(task.qrels.topics.bytes_of_each())
    elif kind == "qrels_jg":
        task.judged, task.positive = inputs.read_judged_groups(path, version)
    else:
        task.judged = inputs.read_preferences(path, version, kind == "prefs")
    if options.results_format != "trec_results":
        message = (
            f"illegal retrieval results format '{options.results_format}'; allowed is trec_results"
        )
        raise Exit(INPUT, f"trec_eval: {message}")
    task.results = inputs.read_results(results_path, version)
    return task


def _choose_topics(task: _Task) -> None:
    """Choose the topics as the version does.

    10.0 goes through the qrels and stops at a topic without results, unless -c is given; 9.0.8
    goes through the run.
    """
    options, retrieved = task.options, set(task.results.run.topics.bytes_of_each())
    for topic in sorted(
        task.judged if options.version == "10.0" else retrieved & task.judged.keys()
    ):
        if options.topic is not None and topic != options.topic:
            continue
        if topic not in retrieved:
            if not options.complete:
                task.end = (
                    f"trec_eval: {show_topic(topic)} of the qrels is not in the results; -c "
                    "allows for it"
                )
                return
            task.missing.append(topic)
        task.topics.append(topic)


def _check_topics(task: _Task, needed: set[str], parameters: dict[str, Any]) -> None:
    """Stop before the first topic that trec_eval refuses."""
    if not needed:
        return
    if needed != {_FORMATS[task.options.rel_format]} and task.topics:
        task.cut(0, f"a measure cannot be calculated from {task.options.rel_format}")
    if len(parameters.get("utility", (0,) * 4)) != 4 and task.topics:
        task.cut(0, "utility: needs 4 coefficients")
    for index, topic in enumerate(task.topics):
        if topic in task.repeats or task.results.repeats.get(topic, np.inf) <= task.options.depth:
            where = "qrels" if topic in task.repeats else "results"
            task.cut(index, f"duplicate docs in {show_topic(topic)} of the {where}")
            return
    if task.qrels is not None and task.topics:
        index = task.qrels.topics.bytes_of_each().index(task.topics[0])
        if np.all(task.qrels.grade[slice(*task.qrels.row_start[index : index + 2])] < 0):
            task.cut(
                0, f"can't calculate measures: nothing is judged in {show_topic(task.topics[0])}"
            )


def _measure(task: _Task, asked: list[tuple[Family, tuple[str, ...], Any]]) -> list[_Measured]:
    """The values of all topics."""
    source = _source(task) if task.topics and any(family.rel for family, *_ in asked) else None
    if not task.topics:
        return []
    measured = []
    with np.errstate(divide="ignore", invalid="ignore"):
        for family, names, parameters in asked:
            values = [] if family.compute is None else family.compute(source, parameters)
            # A list of texts (relstring) is one value; a list of arrays has one per printed name.
            values = [values] if values and isinstance(values[0], str) else list(values)
            measured.append(_Measured(family, names, values))
    _settle(task, measured)
    return measured


def _strangers(qrels: Any, run: Any) -> str:
    """The note that no retrieved item is judged because ids are written differently."""
    try:
        return note_nothing_judged(qrels, run, locate(qrels, run)) or ""
    except NoCommonTopic as error:
        return str(error)


def _source(task: _Task) -> Any:
    """The data from which measures of the format are computed."""
    run = with_placeholders(task.results.run, task.missing) if task.missing else task.results.run
    kind = _FORMATS[task.options.rel_format]
    if kind == "prefs":
        return _preferences(task, inputs.ranked_items(run))
    if task.qrels is not None:
        ranked = _rank(task.options, task.qrels, run, task.topics)
        if not len(ranked.located.rank):
            task.note = _strangers(task.qrels, task.results.run)
        return ranked
    groups = np.array([len(task.judged[topic]) for topic in task.topics], np.int64)
    judged = []
    for index in range(int(groups.max())):
        places = np.flatnonzero(groups > index)
        topics = [task.topics[row] for row in places.tolist()]
        qrels = _join_qrels([task.judged[topic][index] for topic in topics])
        judged.append((_rank(task.options, qrels, run, topics), places))
    return judged


def _join_qrels(parts: list[ReadQrels]) -> Qrels:
    """The qrels of all topics, joined from qrels of one topic each."""
    qrels = parts[0].qrels
    for each in parts[1:]:
        more = each.qrels
        qrels = Qrels(
            qrels.topics.join(more.topics),
            np.append(qrels.row_start, qrels.row_start[-1] + len(more.grade)),
            qrels.items.join(more.items),
            np.append(qrels.grade, more.grade),
        )
    return qrels


def _rank(options: Options, qrels: Qrels, run: Run, topics: list[bytes]) -> Rankings:
    """Locate the judged items of `topics`, each of which is in both the qrels and the run."""
    located = locate(qrels, run)
    index_by_topic = {topic: index for index, topic in enumerate(qrels.topics.bytes_of_each())}
    located = located.select(np.array([index_by_topic[topic] for topic in topics], np.int64))
    if options.depth < int(located.retrieved.max(initial=0)):
        located = located.truncated(options.depth)
    if options.judged_only:
        located = located.condensed()
    return Rankings(located, options.level, options.collection, options.version)


def _preferences(task: _Task, ranking: dict[bytes, list[bytes]]) -> list[Any]:
    topics = []
    for index, topic in enumerate(task.topics):
        try:
            topics.append(topic_of(task.judged[topic], ranking[topic][: task.options.depth]))
        except Exit as end:
            task.topics, task.end = task.topics[:index], end.message
            break
    return topics


def _settle(task: _Task, measured: list[_Measured]) -> None:
    """Undo the placeholders of missing topics in some measures, which 10.0 chooses by name."""
    missing = set(task.missing)
    rows = [index for index, topic in enumerate(task.topics) if topic in missing]
    for column in measured:
        for name, value in zip(column.names, column.values, strict=False):
            if name == "relstring":
                for row in rows:
                    value[row] = ""
            elif rows and (name in ("num_ret", "utility", "rbp_resid") or name.startswith("unj")):
                value[rows] = 0


def _standardize(
    column: _Measured, reference: dict[tuple[bytes, str], tuple[float, float]], topics: list[bytes]
) -> _Measured:
    """A family's values as z-scores by the reference's mean and deviation; texts stay."""
    if not column.values or column.family.summary == "":
        return column

    def score(topic: bytes, name: str, value: float) -> float:
        mean, spread = reference.get((topic, name), (math.nan, 0.0))
        if spread:
            return (value - mean) / spread
        return 0.0 if value == mean else _MISSING

    values = [
        np.array(
            [score(topic, name, float(value)) for topic, value in zip(topics, cells, strict=True)]
        )
        for name, cells in zip(column.names, column.values, strict=True)
    ]
    return replace(column, values=values)


def _template(family: Family, name: str, standardized: bool) -> str:
    """The format of a line with a topic and a value."""
    label = f"{name:<22}".replace("%", "%%")
    if family.summary == "":
        return f"{label}\t%s\t'%s'\n"
    if standardized:
        return f"Z{label}\t%s\t%6.4f\n"
    return f"{label}\t%s\t%d\n" if family.integer else f"{label}\t%s\t%6.4f\n"


def _lines_of_topics(measured: list[_Measured], topics: list[bytes], standardized: bool) -> str:
    columns = [
        (
            _template(column.family, name, standardized),
            value if isinstance(value, list) else value.tolist(),
        )
        for column in measured
        if column.family.per_topic
        for name, value in zip(column.names, column.values, strict=True)
    ]
    templates = [template for template, _ in columns]
    rows = zip(*(values for _, values in columns), strict=True)
    return "".join(
        template % (topic.decode(errors="surrogateescape"), value)
        for topic, row in zip(topics, rows, strict=False)
        for template, value in zip(templates, row, strict=True)
    )


def _lines_of_all(measured: list[_Measured], task: _Task, standardized: bool) -> str:
    complete = task.options.complete
    topics = len(task.judged) if complete else len(task.topics)
    lines = []
    for column in measured:
        family = column.family
        if family.summary == "run":
            lines.append(
                f"{'runid':<22}\tall\t{task.results.tag.decode(errors='surrogateescape')}\n"
            )
        elif family.summary == "topics":
            lines.append(_template(family, "num_q", standardized) % ("all", topics))
        elif family.summary == "relevant" and complete:
            lines.append(_template(family, column.names[0], standardized) % ("all", task.positive))
        elif family.summary:
            for name, values in zip(column.names, column.values, strict=True):
                overall = _over_topics(family.summary, values, topics)
                lines.append(_template(family, name, standardized) % ("all", overall))
    return "".join(lines)


def _over_topics(kind: str, values: Float64, topics: int) -> float:
    summed = total(values)
    if kind in ("sum", "relevant"):
        return summed
    if kind == "geometric":
        # 9.0.8 has no values for the topics that are missing with -c.
        return math.exp((summed + (topics - len(values)) * math.log(FLOOR)) / topics)
    return summed / topics
