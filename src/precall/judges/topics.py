"""Runs, and the judgements of people and of a judge → a number per topic by each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from precall.core.arguments import check_choice
from precall.core.conventions import Conventions
from precall.core.errors import Fact, Many, Mistake, UsageError
from precall.core.notes import Note, collect_notes
from precall.core.notes.of_judges import LabelsOfJudgeAlone, UnlikeGrades
from precall.core.ragged import Bool, Float64, Int64, offsets
from precall.evaluation.api import evaluate_by, measures_of, read_runs_of
from precall.evaluation.report import Report, data_notes
from precall.measures import Measure
from precall.native import thread_count
from precall.read.columns import Ids, Qrels
from precall.read.readers import columns_for_source, read_qrels
from precall.stats.double_sampling import Agreement, agreement

#: What counts for an item without people's label, in a topic that people judged.
UNJUDGED = ("zero", "judge", "error")
#: If more of what the judge labelled has no label by people, people judged items, not topics.
_MOST_WITHOUT = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class JudgedTopics:
    """A number of each topic by people and by the judge, for each run and measure.

    Attributes
    ----------
    report : the report by the judge's labels.
    topics : the topics that count.
    seen : whether people judged the topic.
    people : by run and measure, people's numbers of the topics that they judged.
    judge : likewise the judge's of all topics.
    agreement : of the labels in the topics that people judged.
    notes : what was noticed.
    sources : where the labels of people and of the judge are from, as far as they have a name.
    """

    report: Report
    topics: list[str]
    seen: Bool
    people: Mapping[tuple[str, str], Float64]
    judge: Mapping[tuple[str, str], Float64]
    agreement: Agreement | None
    notes: tuple[Note, ...]
    sources: dict[str, str]


def judge_topics(
    people: object,
    judge: object,
    run: object,
    measures: str | Measure | Iterable[str | Measure] | None,
    conventions: Conventions,
    unjudged: str,
    threads: int | None,
    progress: Callable[[int, int, str], None] | None = None,
) -> JudgedTopics:
    """Measure every topic by the labels of both.

    Parameters
    ----------
    people : people's qrels, of some topics.
    judge : the judge's, of all topics.
    run : one run, or several.
    measures : what is measured.
    conventions : those of `evaluate`.
    unjudged : what counts for an item without people's label.
    threads : see `precall.evaluate`.
    progress : see `precall.evaluate`.
    """
    check_choice("unjudged", unjudged, UNJUDGED)
    check_conventions(conventions)
    threads = thread_count(threads)
    by_people, by_judge = (
        read_labels(source, conventions, threads, name)
        for source, name in ((people, "people"), (judge, "judge"))
    )
    by_people = labelled_only(by_people)
    if not len(by_people):
        raise Mistake(
            "no grade is 0 or more", "a grade below 0 says that nobody judged the item"
        ).error(by_people.source)
    _check_topics(by_people, by_judge)
    runs = read_runs_of(run, conventions, threads)
    settled = conventions_of_read(conventions)
    with collect_notes():
        report = evaluate_by(settled, by_judge, runs, measures, 0, threads, progress)
        counted, notes = _note_unlabelled(
            by_people, by_judge, runs, report, settled, unjudged, threads
        )
        own = evaluate_by(settled, counted, runs, list(report.measures), 0, threads, None)
    _check_aggregates(report)
    topics = topics_of_all(report)
    check_labels(topics, by_judge)
    has_people = set(by_people.topics) & set(own.runs[0].topics)
    seen = np.array([topic in has_people for topic in topics], np.bool_)
    judged, labelled = {}, {}
    for measure in report.measures:
        all_values, own_values = report.values_by_run(measure), own.values_by_run(measure)
        for name in runs:
            judged[name, measure] = np.array([all_values[name][topic] for topic in topics])
            labelled[name, measure] = np.array(
                [own_values[name][topic] for topic in topics if topic in has_people], np.float64
            )
    scales = _scales(by_people, by_judge)
    return JudgedTopics(
        report,
        topics,
        seen,
        labelled,
        judged,
        _agreement(by_people, by_judge, conventions.grade),
        (*data_notes(report), *notes, *scales),
        {
            name: qrels.source
            for name, qrels in (("people", by_people), ("judge", by_judge))
            if qrels.source != "qrels"
        },
    )


def conventions_of_read(conventions: Conventions) -> Conventions:
    """The conventions without those of reading, for what is read already."""
    return replace(conventions, columns=None, run_column=None, lower_is_better=False)


def check_conventions(conventions: Conventions) -> None:
    """Refuse those with which numbers by people and by the judge do not belong together."""
    if conventions.undefined == "omit":
        raise UsageError(
            argument="undefined",
            got="omit",
            what="topics that only one of them leaves out have no number to correct",
            remedy="take 'zero', or 'error'",
        )
    if conventions.ties == "random":
        raise UsageError(
            argument="ties",
            got="random",
            what="one order would be drawn for people and another for the judge",
            remedy="take 'docno', or 'expected'",
        )


def _check_aggregates(report: Report) -> None:
    for measure, aggregate in zip(report.measures, report.aggregates, strict=True):
        if aggregate != "mean":
            raise UsageError(
                argument="measures",
                got=measure,
                what=f"has the aggregate {aggregate}, and a judge corrects means",
                remedy="name measures that are averaged",
            )


def read_labels(source: object, conventions: Conventions, threads: int, name: str) -> Qrels:
    """The labels of people, or of the judge.

    Parameters
    ----------
    source : qrels in any form.
    conventions : how they are read.
    threads : see `precall.evaluate`.
    name : the argument that they are.
    """
    qrels = read_qrels(
        source,
        duplicates=conventions.duplicates,
        threads=threads,
        columns=columns_for_source(source, conventions.columns),
    )
    if qrels.listed:
        raise UsageError(
            argument=name,
            what="lists say which items are relevant, not which were judged",
            remedy="give grades: {topic: {item: grade}}",
        )
    return qrels


def _rows(qrels: Qrels) -> Int64:
    """The topic of each row."""
    return np.repeat(np.arange(len(qrels)), np.diff(qrels.row_start))


def labelled_only(qrels: Qrels) -> Qrels:
    """Judgements without those below 0, which say that an item was not judged."""
    kept = qrels.grade >= 0
    if kept.all():
        return qrels
    sizes = np.bincount(_rows(qrels)[kept], minlength=len(qrels))
    has_some = np.flatnonzero(sizes)
    return replace(
        qrels,
        topics=qrels.topics.take(has_some),
        row_start=offsets(sizes[has_some]),
        items=qrels.items.take(np.flatnonzero(kept)),
        grade=qrels.grade[kept],
    )


def _check_topics(people: Qrels, judge: Qrels) -> None:
    remedy = "let the judge label every topic, or leave these out"
    own, known = set(people.topics), set(judge.topics)
    if not own & known:
        remedy = "check that both are of one collection and spell topic ids alike"
    elif known < own:
        remedy = "people come first and the judge, who labels every topic, second"
    _refuse_lacking([topic for topic in people.topics if topic not in known], judge, remedy)


def check_labels(topics: list[str], judge: Qrels) -> None:
    """Refuse topics of runs alone, which count with topics='run'."""
    known = set(judge.topics)
    remedy = "let the judge label every topic, or pass ⟨topics='qrels'⟩"
    _refuse_lacking([topic for topic in topics if topic not in known], judge, remedy)


def _refuse_lacking(unknown: list[str], judge: Qrels, remedy: str) -> None:
    if not unknown:
        return
    mistake = Mistake("topic {got} is not in the judge's labels", remedy, got=unknown[0])
    if len(unknown) > 1:
        mistake = mistake.suffix(", nor are {others}", others=Many(len(unknown) - 1, "other"))
    raise mistake.error(judge.source)


def topics_of_all(report: Report) -> list[str]:
    """The topics of all runs; an error if runs have different ones."""
    if not report.comparable:
        raise UsageError(
            argument="topics",
            what="runs have different topics",
            got=report.conventions.get("topics"),
            remedy="pass ⟨topics='qrels'⟩, so that a topic that a run lacks counts as empty",
        )
    return list(report.runs[0].topics)


def _scales(people: Qrels, judge: Qrels) -> list[Note]:
    tops = [qrels.grade.max(initial=0).item() for qrels in (people, judge)]
    return [UnlikeGrades("", *tops)] if tops[0] != tops[1] and max(tops) > 1 else []


def labels_of(qrels: Qrels, topics: set[str]) -> dict[tuple[str, str], float]:
    """The grade of each item of some topics."""
    names, items = qrels.topics.tolist(), qrels.items.tolist()
    rows = _rows(qrels).tolist()
    return {
        (names[topic], item): grade
        for topic, item, grade in zip(rows, items, qrels.grade.tolist(), strict=True)
        if names[topic] in topics
    }


def _agreement(people: Qrels, judge: Qrels, grade: float) -> Agreement | None:
    """Of the items that both labelled, by topic."""
    own = labels_of(people, set(people.topics))
    other = labels_of(judge, set(people.topics))
    both = [pair for pair in own if other.get(pair, -1) >= 0]
    if not both:
        return None
    place = {topic: index for index, topic in enumerate(people.topics)}
    return agreement(
        np.array([own[pair] >= grade for pair in both]),
        np.array([other[pair] >= grade for pair in both]),
        group=np.array([place[topic] for topic, _ in both], np.int64),
    )


def _note_unlabelled(
    people: Qrels,
    judge: Qrels,
    runs: Mapping[str, Any],
    report: Report,
    conventions: Conventions,
    unjudged: str,
    threads: int,
) -> tuple[Qrels, list[Note]]:
    """People's labels as they count, and a note on items that only the judge labelled, as deep as
    each measure looks.
    """
    chosen, _, _ = measures_of(list(report.measures), conventions.grade)
    depths = {measure.parameters.get("cutoff") for measure in chosen}
    names = {depth: "Judged" if depth is None else f"Judged@{depth}" for depth in depths}
    asked = [*names.values(), "NumRet"]
    by_people, by_judge = (
        evaluate_by(conventions, qrels, runs, asked, 0, threads, None) for qrels in (people, judge)
    )
    without = total = 0
    judged = set(people.topics)
    for depth, name in names.items():
        own, other = (each.values_by_run(name) for each in (by_people, by_judge))
        sizes = by_judge.values_by_run("NumRet")
        for run in runs:
            for topic, share in own[run].items():
                if topic not in judged:  # one of the run, with topics='run'
                    continue
                size = sizes[run].get(topic, 0.0)
                seen = size if depth is None else min(size, depth)
                labelled = round(other[run].get(topic, 0.0) * seen)
                total += labelled
                without += max(labelled - round(share * seen), 0)
    if not without:
        return people, []
    if unjudged == "error" or (unjudged == "zero" and without > _MOST_WITHOUT * total):
        raise UsageError(
            argument="people",
            got=Fact(f"labels of {total - without:,} of {total:,} items that the judge labelled"),
            allowed="labels of whole topics, as deep as the measures look;",
            remedy=(
                "let people judge these items too, pass ⟨unjudged='judge'⟩ to take the judge's "
                "label where people gave none, or ask pc.judge.items if single items were drawn at "
                "random"
            ),
        )
    note = LabelsOfJudgeAlone("", without, total, unjudged)
    return (_filled(people, judge) if unjudged == "judge" else people), [note]


def _filled(people: Qrels, judge: Qrels) -> Qrels:
    """People's labels, and the judge's of other items in the topics that people judged."""
    topics = people.topics.tolist()
    grades = labels_of(judge, set(topics)) | labels_of(people, set(topics))
    by_topic: dict[str, list[tuple[str, float]]] = {topic: [] for topic in topics}
    for (topic, item), grade in grades.items():
        by_topic[topic].append((item, grade))
    rows = [row for rows in by_topic.values() for row in rows]
    return replace(
        people,
        row_start=offsets(np.array([len(rows) for rows in by_topic.values()], np.int64)),
        items=Ids.of([item for item, _ in rows]),
        grade=np.array([grade for _, grade in rows], np.result_type(people.grade, judge.grade)),
    )
