"""The program: options, files, topics, values, lines, in the order in which trec_eval goes about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TextIO

import numpy as np

from precall.compat.trec_eval import inputs
from precall.compat.trec_eval import printing as output
from precall.compat.trec_eval.arguments import Options, parsed
from precall.compat.trec_eval.exits import INPUT, NO_TOPIC, TOPIC, Exit
from precall.compat.trec_eval.families import Family, families
from precall.compat.trec_eval.help import help_text
from precall.compat.trec_eval.judgement_groups import JudgementGroups
from precall.compat.trec_eval.preferences import topic_of
from precall.compat.trec_eval.printing import Measured
from precall.compat.trec_eval.trec_rankings import Rankings, ranked, with_placeholders
from precall.errors import NoCommonTopic
from precall.location.located import locate, strangers
from precall.read.columns import Qrels

_FORMATS = {"qrels": "qrels", "qrels_jg": "qrels_jg", "prefs": "prefs", "qrels_prefs": "prefs"}


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
        options = parsed(argv, version)
        if options.help:
            output.write(stdout, help_text(options))
        else:
            _evaluate(options, stdout, stderr)
    except Exit as end:
        if end.message:
            output.write(stderr, end.message.rstrip("\n") + "\n")
        return end.code
    return 0


@dataclass
class _Task:
    """What is evaluated: the topics in order, up to one that cannot be."""

    options: Options
    results: inputs.Results = field(init=False)
    judged: dict[bytes, Any] = field(default_factory=dict)
    """Judgements by topic; what they are depends on the format."""
    positive: int = 0
    qrels: Qrels | None = None
    repeats: frozenset[bytes] = frozenset()
    topics: list[bytes] = field(default_factory=list)
    missing: list[bytes] = field(default_factory=list)
    end: str = ""
    """Why the topic after the last of `topics` cannot be evaluated."""
    note: str = ""
    """What trec_eval does not say."""


def _evaluate(options: Options, stdout: TextIO, stderr: TextIO) -> None:
    task = _read(options)
    reference = None if options.zscores is None else inputs.read_zscores(options.zscores)
    table = families(options.version)
    wanted = set(options.requested)
    asked = [
        (family, *family.given(options.parameters.get(name)))
        for name, family in table.items()
        if name in wanted
    ]
    _choose_topics(task)
    _check_topics(task, {family.rel for family, *_ in asked} - {""}, {f.name: given for f, _, given in asked})
    measured = _measured(task, asked)
    if task.note:
        output.write(stderr, f"trec_eval: {task.note}\n")
    names = [topic.decode(errors="surrogateescape") for topic in task.topics]
    if reference is not None:
        measured = [output.zscores(column, reference, task.topics) for column in measured]
    if options.query:
        output.write(stdout, output.blocks(measured, names, reference is not None))
    if task.end:
        raise Exit(TOPIC, task.end)
    if not names:
        raise Exit(NO_TOPIC, "trec_eval: no queries with both results and relevance info")
    if options.summary:
        number = len(task.judged) if options.complete else len(names)
        positive = task.positive if options.complete else None
        lines = output.summary(
            measured, len(names), number, positive, task.results.tag, reference is not None
        )
        output.write(stdout, lines)


def _measured(task: _Task, asked: list[tuple[Family, tuple[str, ...], Any]]) -> list[Measured]:
    """The values of all topics."""
    source = _source(task) if any(family.rel for family, *_ in asked) else None
    if not task.topics:
        return []
    with np.errstate(divide="ignore", invalid="ignore"):
        measured = [
            Measured(
                family, names, [] if family.compute is None else _arrays(family.compute(source, parameters))
            )
            for family, names, parameters in asked
        ]
    _settle(task, measured)
    return measured


def _arrays(values: Any) -> list[Any]:
    # A list of texts (relstring) is one value; a list of arrays is one per printed name.
    return [values] if values and isinstance(values[0], str) else list(values)


def _read(options: Options) -> _Task:
    """Judgements, then results; each in its format."""
    kind, version = options.rel_format, options.version
    if kind not in _FORMATS:
        raise Exit(INPUT, f"trec_eval: illegal rel_format '{kind}'; allowed are {', '.join(_FORMATS)}")
    path, results_path = options.files
    task = _Task(options)
    if kind == "qrels":
        judged = inputs.read_judged(path, version)
        task.qrels, task.positive, task.repeats = judged.qrels, judged.positive, judged.repeats
        task.judged = dict.fromkeys(judged.qrels.topics.encoded())
    elif kind == "qrels_jg":
        task.judged, task.positive = inputs.read_judged_groups(path, version)
    else:
        task.judged = inputs.read_preferences(path, version, kind == "prefs")
    if options.results_format != "trec_results":
        what = f"illegal retrieval results format '{options.results_format}'; allowed is trec_results"
        raise Exit(INPUT, f"trec_eval: {what}")
    task.results = inputs.read_results(results_path, version)
    return task


def _choose_topics(task: _Task) -> None:
    """10.0 goes through the qrels, and stops at a topic without results unless -c; 9.0.8 through the run."""
    options, retrieved = task.options, set(task.results.run.topics.encoded())
    for topic in sorted(task.judged if options.version == "10.0" else retrieved & task.judged.keys()):
        if options.topic is not None and topic != options.topic:
            continue
        if topic not in retrieved:
            if not options.complete:
                name = topic.decode(errors="replace")
                task.end = f"trec_eval: topic '{name}' of the qrels is not in the results; -c allows for it"
                return
            task.missing.append(topic)
        task.topics.append(topic)


def _check_topics(task: _Task, needed: set[str], parameters: dict[str, Any]) -> None:
    """Cut the topics before the first that trec_eval refuses."""
    if not needed:
        return
    if needed != {_FORMATS[task.options.rel_format]} and task.topics:
        kind = task.options.rel_format
        task.topics, task.end = [], f"trec_eval: a measure cannot be calculated from {kind}"
    if len(parameters.get("utility", (0,) * 4)) != 4 and task.topics:
        task.topics, task.end = [], "trec_eval: utility: needs 4 coefficients"
    for index, topic in enumerate(task.topics):
        name = topic.decode(errors="replace")
        if topic in task.repeats or task.results.repeats.get(topic, np.inf) <= task.options.depth:
            where = "qrels" if topic in task.repeats else "results"
            task.end = f"trec_eval: duplicate docs in topic '{name}' of the {where}"
            task.topics = task.topics[:index]
            return
    if task.qrels is not None and task.topics and _unjudged(task.qrels, task.topics[0]):
        name = task.topics[0].decode(errors="replace")
        task.topics, task.end = (
            [],
            f"trec_eval: can't calculate measures: nothing is judged in topic '{name}'",
        )


def _unjudged(qrels: Qrels, topic: bytes) -> bool:
    place = qrels.topics.encoded().index(topic)
    return bool(np.all(qrels.grade[qrels.row_start[place] : qrels.row_start[place + 1]] < 0))


def _strangers(qrels: Any, run: Any) -> str:
    """That no retrieved item is judged, as ids are written otherwise."""
    try:
        return strangers(qrels, run, locate(qrels, run))
    except NoCommonTopic as error:
        return str(error)


def _source(task: _Task) -> Any:
    """What the measures of the format are computed from."""
    if not task.topics:
        return None
    run = with_placeholders(task.results.run, task.missing) if task.missing else task.results.run
    kind = _FORMATS[task.options.rel_format]
    if kind == "prefs":
        return _preferences(task, inputs.ranked_items(run))
    if kind == "qrels":
        whole = _ranked(task, task.qrels, run, task.topics)
        if not len(whole.located.rank):
            task.note = _strangers(task.qrels, task.results.run)
        return whole
    place = {topic: index for index, topic in enumerate(task.topics)}
    groups = np.array([len(task.judged[topic]) for topic in task.topics], np.int64)
    rankings, chosen = [], []
    for index in range(int(groups.max())):
        some = [topic for topic in task.topics if len(task.judged[topic]) > index]
        qrels = _joined([task.judged[topic][index].qrels for topic in some])
        rankings.append(_ranked(task, qrels, run, some))
        chosen.append(np.array([place[topic] for topic in some]))
    return JudgementGroups(rankings, chosen, groups)


def _joined(parts: list[Qrels]) -> Qrels:
    """Qrels of one topic each, put together."""
    topics, items = parts[0].topics, parts[0].items
    for part in parts[1:]:
        topics, items = topics.joined(part.topics), items.joined(part.items)
    row_start = np.concatenate(([0], np.cumsum([len(part.grade) for part in parts])))
    return Qrels(topics, row_start, items, np.concatenate([part.grade for part in parts]))


def _ranked(task: _Task, qrels: Any, run: Any, topics: list[bytes]) -> Rankings:
    given = task.options
    return ranked(
        qrels, run, topics, given.depth, given.judged_only, given.level, given.collection, given.version
    )  # fmt: skip


def _preferences(task: _Task, ranking: dict[bytes, list[bytes]]) -> list[Any]:
    topics = []
    for index, topic in enumerate(task.topics):
        try:
            topics.append(topic_of(task.judged[topic], ranking[topic][: task.options.depth]))
        except Exit as end:
            task.topics, task.end = task.topics[:index], end.message
            break
    return topics


def _settle(task: _Task, measured: list[Measured]) -> None:
    """10.0 takes back, from some measures by name, what the placeholder of a missing topic brought in."""
    if not task.missing:
        return
    missing = set(task.missing)
    rows = [index for index, topic in enumerate(task.topics) if topic in missing]
    for column in measured:
        for name, value in zip(column.names, column.values, strict=False):
            if name == "relstring":
                for row in rows:
                    value[row] = ""
            elif name in ("num_ret", "utility", "rbp_resid") or name.startswith("unj"):
                value[rows] = 0
