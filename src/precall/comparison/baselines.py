"""Baselines: a report's values by topic in a file, and gates that compare later reports with them.

The file is JSON (`"format": "precall.baseline/2"`). `precall` is the version that wrote it, and
`conventions` are those that the values depend on. `measures` say how topics are averaged, which end
is good, and by which other names they were `asked` for. `notes` are those about the runs. `runs`
have the values by topic, a line for each topic, in the order of their ids; an undefined value is
null. The same report gives the same bytes.
Files of format 1, which have no notes, can be read as well.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from precall.comparison.reports import (
    ANY,
    check_margins,
    chosen_measures,
    compare_runs,
    gate_of_measure,
)
from precall.core.arguments import check_level, check_whole, choose
from precall.core.conventions import SCORE_DTYPES
from precall.core.errors import (
    Cause,
    DataError,
    Labels,
    Mistake,
    UsageError,
    map_problems,
)
from precall.core.notes import DamagedNote, Note, note_from_json, notes_to_json
from precall.core.notes.of_runs import UndefinedTopics
from precall.core.saving import save
from precall.core.text import file_name, printable
from precall.core.vocabulary import INPUT, NO_SCORES, speaking, vocabulary_of
from precall.evaluation.report import Report, RunCounts, RunValues, data_notes, refuse_weights
from precall.read.own_json import BeyondFloat64, mistake_in_json, number_of, parse_json
from precall.read.sources import contents
from precall.stats.tests import ELSEWHERE, INSTEAD, TESTS
from precall.stats.tests.equivalence import Gate, gate_of_equal_systems, limit_of_signs
from precall.version import __version__

_ANY_VERSION = "precall.baseline/"
FORMAT = f"{_ANY_VERSION}2"
_READ = (FORMAT, f"{_ANY_VERSION}1")
#: Conventions of a report that do not change its values.
_NO_CHOICE = ("precall", "qrels", "kernel", "interval")
_ENDS = {1: "high", -1: "low", 0: None}
#: Subject of notes about a baseline.
_BASELINE = "baseline"
#: Most topics that a message lists.
_LISTED = 5


def conventions_of(report: Report) -> dict[str, str]:
    """The conventions that the values of a report depend on."""
    return {name: text for name, text in report.conventions.items() if name not in _NO_CHOICE}


def as_baseline(report: Report) -> bytes:
    """The content of a report's baseline file."""
    refuse_weights(report, "a baseline")
    # Names by which measures were asked for, if they have others of their own.
    asked = {
        own: {"asked": [typed for typed, name in report.asked.items() if name == own]}
        for typed, own in report.asked.items()
        if typed != own
    }
    measures = {
        name: {"aggregate": aggregate, "best": _ENDS[best], "undefined": _cell(zero)}
        | asked.get(name, {})
        for name, aggregate, best, zero in zip(
            report.measures, report.aggregates, report.best, report.zeros, strict=True
        )
    }
    runs = []
    for run in report.runs:
        values = dict(zip(run.topics, run.values.T.tolist(), strict=True))
        lines = (
            f"   {json.dumps(topic)}: {json.dumps(list(map(_cell, values[topic])))}"
            for topic in sorted(values)
        )
        runs.append(f"  {json.dumps(run.name)}: {{\n" + ",\n".join(lines) + "\n  }")
    named = ",\n".join(
        f"  {json.dumps(name)}: {json.dumps(facts)}" for name, facts in measures.items()
    )
    head = {"format": FORMAT, "precall": __version__, "conventions": conventions_of(report)}
    lines = (f" {json.dumps(name)}: {json.dumps(value)},\n" for name, value in head.items())
    notes = ",".join(f"\n  {json.dumps(note)}" for note in notes_to_json(data_notes(report)))
    text = (
        f'{{\n{"".join(lines)} "measures": {{\n{named}\n }},\n "notes": [{notes}\n ],\n'
        f' "runs": {{\n'
    )
    return (text + ",\n".join(runs) + "\n }\n}\n").encode()


def write_baseline(report: Report, path: str | os.PathLike[str]) -> None:
    """Write a report as a baseline, completely or not at all; `read_baseline` returns the same
    values.

    Raises
    ------
    DataError
        The path is a file that is no baseline. It may be the run itself, and is left unchanged.
    """
    # An empty file, as made by mktemp, holds nothing that could be lost. A path that is no regular
    # file is not read.
    if Path(path).is_file() and Path(path).stat().st_size:
        with map_problems(
            lambda problem: problem._replace(todo="name another file, or remove it first")
        ):
            _contents(path, lambda form: str(form).startswith(_ANY_VERSION))
    save(as_baseline(report), path)


def read_baseline(path: str | os.PathLike[str]) -> Report:
    """The report that a baseline was written from, as far as its values go.

    Raises
    ------
    DataError
        The file is no baseline, or one of a later version.
    """
    content = _contents(path, _READ.__contains__)
    try:
        return _report(content)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        kind = "" if isinstance(error, DamagedNote) else f"{type(error).__name__}: "
        mistake = Mistake("is damaged ({kind:s}{got})", _WRITE_AGAIN, kind=kind, got=Cause(error))
        raise mistake.error(printable(os.fsdecode(path))) from None


_WRITE_AGAIN = "write it again from the run that is the new baseline"
_NO_BASELINE = Mistake("is no baseline of precall", _WRITE_AGAIN)


def _contents(path: str | os.PathLike[str], known: Callable[[object], bool]) -> Mapping[str, Any]:
    """The content of a baseline file of a known format; DataError for any other file."""
    label = printable(os.fsdecode(path))
    try:
        # The value that an undefined one counts as may be NaN, which earlier versions wrote as
        # `NaN`.
        data = contents(file_name(path), label, partial(_refuse_other, label))
        content: Mapping[str, Any] = parse_json(data, constant=float)
        form = content["format"]
    except DataError:
        raise
    except BeyondFloat64 as error:
        raise mistake_in_json(error, _WRITE_AGAIN).error(label) from None
    except (ValueError, TypeError, KeyError, RecursionError):
        raise _NO_BASELINE.error(label) from None
    if not known(form):
        allowed = Labels("known is", [FORMAT])
        mistake = Mistake("has the format {got}", _WRITE_AGAIN, got=form, allowed=allowed)
        raise mistake.error(label)
    return content


def _refuse_other(label: str, lines: bytes) -> None:
    """Raise if the beginning shows that it is another file: the file may have no end."""
    if not lines.lstrip().startswith(b"{"):
        raise _NO_BASELINE.error(label)


def _report(told: Mapping[str, Any]) -> Report:
    facts = told["measures"].values()
    ends = {text: best for best, text in _ENDS.items()}
    runs = []
    notes = [_note(note, f"notes[{i}]") for i, note in enumerate(told.get("notes", ()))]
    of_runs = {
        name: tuple(note for note in notes if name in _places(note)[:1]) for name in told["runs"]
    }
    for name, topics in told["runs"].items():
        values = np.array([list(map(number_of, row)) for row in topics.values()], np.float64).T
        values = values.reshape(len(facts), len(topics))
        counts = RunCounts(len(topics), 0, 0, 0, 0, 0)
        runs.append(
            RunValues(
                name,
                list(topics),
                values,
                np.full(len(facts), np.nan),
                (0,) * len(facts),
                counts,
                of_runs[name],
            )
        )
    return Report(
        tuple(runs),
        tuple(told["measures"]),
        tuple(str(fact["aggregate"]) for fact in facts),
        {
            "precall": str(told["precall"]),
            **{str(name): str(text) for name, text in told["conventions"].items()},
        },
        best=tuple(ends[fact["best"]] for fact in facts),
        zeros=tuple(number_of(fact["undefined"]) for fact in facts),
        asked={
            str(typed): own
            for own, fact in told["measures"].items()
            for typed in fact.get("asked", ())
        },
        assumed=tuple(note for note in notes if not any(note in own for own in of_runs.values())),
    )


def _note(told: object, place: str) -> Note:
    try:
        return note_from_json(told)
    except DamagedNote as damaged:
        raise damaged.inside(place) from None


def _places(note: Note) -> tuple[str, ...]:
    """The subjects of a note, outermost first."""
    return (*note.context, note.subject)


def notes_of_baseline(baseline: Report, measures: Collection[str]) -> list[Note]:
    """Notes about the runs of a baseline, as notes of the baseline; notes about undefined values
    only for these measures.
    """
    return [
        _of_baseline(note, "" if len(baseline.runs) > 1 else baseline.runs[0].name)
        for note in data_notes(baseline)
        if not isinstance(note, UndefinedTopics)
        or any(baseline.name_of(name) in measures for name in note.measures)
    ]


def _of_baseline(note: Note, run: str) -> Note:
    """The note with the baseline as its subject instead of its only run; with several runs, the run
    within the baseline.
    """
    if run and note.context[:1] == (run,):
        alone: Note = type(note)(**note.facts).in_words_of(note.vocabulary)
        for name in reversed((_BASELINE, *note.context[1:])):
            alone = alone.within(name)
        return alone
    if run and note.subject == run and not note.context:
        of_baseline = type(note)(**note.facts | {"subject": _BASELINE})
        return of_baseline.in_words_of(note.vocabulary)
    return note.within(_BASELINE)


def _cell(value: float) -> float | str | None:
    return value if math.isfinite(value) else None if value != value else str(value)


def report_of_values(values: Mapping[Any, float]) -> Report:
    """{topic: value} as a report of one measure named "value", whose high values are good."""
    topics = {str(topic): float(value) for topic, value in values.items()}
    if len(topics) < len(values):
        raise UsageError(
            argument="report",
            what="two topics have one name as text",
            remedy="name them differently",
        )
    row = np.array([list(topics.values())], np.float64)
    counts = RunCounts(len(topics), 0, 0, 0, 0, 0)
    undefined = (int(np.isnan(row).sum()),)
    run = RunValues("values", list(topics), row, row.mean(axis=1), undefined, counts)
    return Report((run,), ("value",), ("mean",), {"undefined": "omit"}, best=(1,), zeros=(0.0,))


def differences_between(report: Report, baseline: Report) -> list[str]:
    """Reasons why a report and a baseline cannot be compared, a sentence each; empty if they
    can.
    """
    differences = [*_unlike("conventions", _choices(report), _choices(baseline))]
    # Both may have been asked for by other names; those of the report are the ones that are known.
    heads = {
        name: head
        for held in (baseline, report)
        for name, head in zip(held.measures, held.heads, strict=True)
    }
    now, then = (
        {heads.get(name, name): fact for name, fact in _measures(held).items()}
        for held in (report, baseline)
    )
    differences += _unlike("measures", now, then)
    if len(report.runs) > 1 or len(baseline.runs) > 1:
        differences += _unlike(
            "runs", {run.name: "" for run in report.runs}, {run.name: "" for run in baseline.runs}
        )
    if differences:
        return differences
    for run, old in pairs(report, baseline):
        differences += _missing(f"topics of {run.name}", run.topics, old.topics)
    return differences


def _choices(report: Report) -> dict[str, str]:
    """The conventions without those that say only how lists of ids are called; older baselines of
    such lists have the scores that were made of places.
    """
    choices = conventions_of(report)
    choices.pop(INPUT, None)
    if choices.get("scores") == NO_SCORES:
        choices["scores"] = SCORE_DTYPES[0]
    return choices


def pairs(report: Report, baseline: Report) -> list[tuple[RunValues, RunValues]]:
    """Each run with its counterpart in the baseline: by name, or, if both have a single run,
    whatever its name.
    """
    if len(report.runs) == len(baseline.runs) == 1:
        return [(report.runs[0], baseline.runs[0])]
    run_by_name = {run.name: run for run in baseline.runs}
    return [(run, run_by_name[run.name]) for run in report.runs]


def _measures(report: Report) -> dict[str, str]:
    zeros = report.zeros or (0.0,) * len(report.measures)
    facts = zip(report.aggregates, report.best, zeros, strict=True)
    # The value that an undefined one counts as is included only if it is not 0.
    return {
        name: f"{aggregate}, {_ENDS[best] or 'neither end'} is best"
        + f", undefined is {zero:g}" * (zero != 0)
        for name, (aggregate, best, zero) in zip(report.measures, facts, strict=True)
    }


def _unlike(what: str, now: Mapping[str, str], then: Mapping[str, str]) -> list[str]:
    """Differences of two mappings: names that one side lacks, and names with another meaning
    there.
    """
    other = [
        f"{name} is {now[name]!r}, in the baseline {then[name]!r}"
        for name in now
        if name in then and now[name] != then[name]
    ]
    return [*_missing(what, now, then), *([f"{what}: {'; '.join(other)}"] if other else [])]


def _missing(what: str, now: Iterable[str], then: Iterable[str]) -> list[str]:
    here, there = dict.fromkeys(now), dict.fromkeys(then)
    only = {
        "the baseline lacks": [name for name in here if name not in there],
        "only the baseline has": [name for name in there if name not in here],
    }
    parts = [f"{verb} {_list_names(names)}" for verb, names in only.items() if names]
    return [f"{what}: {'; '.join(parts)}"] if parts else []


def _list_names(names: list[str]) -> str:
    shown = ", ".join(map(repr, names[:_LISTED]))
    return shown + (f" and {len(names) - _LISTED} more" if len(names) > _LISTED else "")


def check_choices(
    report: Report,
    margins: Mapping[str, float | None],
    *,
    level: float,
    test: str,
    resamples: int,
) -> None:
    """Raise if a choice of `gates_of` is not allowed."""
    check_margins(report, margins, "margin")
    check_level(level)
    choose("test", test, TESTS, ELSEWHERE, INSTEAD)
    check_whole("resamples", resamples, 1)


def gates_of(
    report: Report,
    baseline: Report,
    margins: Mapping[str, float | None],
    *,
    level: float,
    test: str,
    resamples: int,
    rng: int,
) -> list[Gate]:
    """A gate for each run and measure of `margins`: is the run not worse than its counterpart in
    the baseline?
    """
    judged = []
    for run, old in pairs(report, baseline):
        name = "baseline" if run.name != "baseline" else "old baseline"
        both = replace(report, runs=(replace(old, name=name), run), intervals=None, assumed=())
        for measure, margin in margins.items():
            judged.append(
                _gate(both, measure, margin, level=level, test=test, resamples=resamples, rng=rng)
            )
    return judged


def _gate(both: Report, measure: str, margin: float | None, **how: Any) -> Gate:
    old, new = both.runs
    line = both.measures.index(measure)
    values = both.values_by_run(measure)
    if values[old.name] == values[new.name] or _equal(old, new, line):
        head, words = both.heads[line], vocabulary_of(both.conventions)
        with speaking(words):
            equal = gate_of_equal_systems(
                (new.name, old.name),
                measure,
                margin,
                len(new.topics),
                "" if head == measure else head,
                limit_of_signs(how["test"], (1 - how["level"]) / 2),
            )
        return replace(equal, words=words)
    compared = compare_runs(
        both,
        [measure],
        test=how["test"],
        correction="none",
        baseline=old.name,
        level=how["level"],
        rng=how["rng"],
        resamples=how["resamples"],
        unpaired="error",
    )
    (gate,) = gate_of_measure(
        both, compared, measure, margin, rng=how["rng"], resamples=how["resamples"]
    )
    return gate


def _equal(old: RunValues, new: RunValues, line: int) -> bool:
    """Whether nothing changed, including undefined values."""
    before, now = (
        dict(zip(run.topics, run.values[line].tolist(), strict=True)) for run in (old, new)
    )
    return all(
        before[topic] == value or (before[topic] != before[topic] and value != value)
        for topic, value in now.items()
    )


def judged_measures(report: Report, measures: object) -> list[str]:
    """The measures that are gates: those named, or all measures that have a good end."""
    if measures is None or measures == ANY:
        chosen = [name for name, best in zip(report.measures, report.best, strict=True) if best]
        if not chosen:
            problem = f"of {', '.join(report.measures)} neither high nor low values are good"
            raise UsageError(
                argument="measures",
                what=problem,
                remedy="also measure something else, such as 'AP'",
            )
        return chosen
    return chosen_measures(report, measures)
