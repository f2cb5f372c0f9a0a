"""ir_measures' rows, and the reading of qrels and runs into columns from all forms it takes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from precall.compat.ir_measures.objects import Measure
from precall.core.errors import Among, DataError, Fact, Kind, Mistake, UsageError
from precall.core.notes import warn
from precall.core.notes.of_reading import LastCounts
from precall.native import literals
from precall.read.columns import Qrels, Run
from precall.read.grades import refuse_fractions
from precall.read.mappings import is_empty
from precall.read.readers import read_qrels, read_run
from precall.read.sources import contents, label_of
from precall.read.subtopic_rows import read_subtopics


class Qrel(NamedTuple):
    """A judgement.

    Parameters
    ----------
    query_id : the topic.
    doc_id : the item.
    relevance : the grade.
    iteration : the subtopic, if the qrels have subtopics.

    Examples
    --------
    >>> Qrel("q1", "d1", 2).relevance
    2
    """

    query_id: str
    doc_id: str
    relevance: int
    iteration: str = "0"


class ScoredDoc(NamedTuple):
    """An item that a run retrieved.

    Parameters
    ----------
    query_id : the topic.
    doc_id : the item.
    score : its score.

    Examples
    --------
    >>> ScoredDoc("q1", "d1", 0.5).score
    0.5
    """

    query_id: str
    doc_id: str
    score: float


class Metric(NamedTuple):
    """The value of a measure for a topic; `iter_calc` gives them.

    Attributes
    ----------
    query_id : the topic.
    measure : the measure.
    value : its value.

    Examples
    --------
    >>> from precall.compat.ir_measures import P
    >>> print(Metric("q1", P@5, 0.2).measure)
    P@5
    """

    query_id: str
    measure: Measure
    value: float


class CalcResults(NamedTuple):
    """Aggregated numbers by measure, and the values of each topic.

    Attributes
    ----------
    aggregated : {measure: its number for all topics}; what `Measure.calc` returns has that number
        alone.
    per_query : the values per topic.
    """

    aggregated: Any
    per_query: list[Metric]


def read_trec_qrels(file: object) -> Iterator[Qrel]:
    """The judgements of qrels as TREC writes them, one by one.

    Parameters
    ----------
    file : a path (also of a compressed file), an open file, or the text itself.

    Raises
    ------
    DataError
        A line is malformed.

    Examples
    --------
    >>> list(read_trec_qrels("q1 0 d1 2\\nq1 0 d2 0\\n"))[0]
    Qrel(query_id='q1', doc_id='d1', relevance=2, iteration='0')
    """
    for topic, iteration, item, grade in _fields(
        file, 4, "topic, iteration, item, grade", 3, _read_grade
    ):
        yield Qrel(topic, item, grade, iteration)


def read_trec_run(file: object) -> Iterator[ScoredDoc]:
    """The items of a run as TREC writes it, one by one.

    Parameters
    ----------
    file : a path (also of a compressed file), an open file, or the text itself.

    Raises
    ------
    DataError
        A line is malformed.

    Examples
    --------
    >>> list(read_trec_run("q1 Q0 d1 1 0.5 tag\\n"))
    [ScoredDoc(query_id='q1', doc_id='d1', score=0.5)]
    """
    for topic, _, item, _, score, _ in _fields(
        file, 6, "topic, Q0, item, rank, score, tag", 4, float
    ):
        yield ScoredDoc(topic, item, score)


def _read_grade(text: str) -> int:
    """A grade, which may be written as 1.0, as in all TREC text; else ValueError."""
    number = literals.grade(text)
    if not isinstance(number, int):
        raise ValueError
    return number


def _fields(file: object, number: int, layout: str, place: int, read: Any) -> Iterator[list[Any]]:
    lines, label = _lines(file)
    for line, text in enumerate(lines, 1):
        fields: list[Any] = text.split()
        if not fields:
            continue
        try:
            if len(fields) != number:
                raise ValueError
            fields[place] = read(fields[place])
        except ValueError:
            allowed = Among("a line has", [f"{number} fields: {layout}"])
            mistake = Mistake("", "write it so", got=text.strip(), allowed=allowed)
            raise DataError([mistake.of(label, line)]) from None
        yield fields


def _lines(file: Any) -> tuple[Iterable[str], str]:
    if hasattr(file, "read"):
        return file, str(getattr(file, "name", "file"))
    if isinstance(file, str) and "\n" in file:
        return file.split("\n"), "text"
    path = os.fspath(file)
    return contents(path, label_of(path), lambda _: None).decode().split("\n"), path


@dataclass(frozen=True)
class Judgements:
    """Qrels as columns, None if they are empty, and a function that returns rows with subtopics."""

    qrels: Qrels | None
    told: Callable[[], Iterable[tuple[Any, Any, Any, int]]]

    @cached_property
    def rows(self) -> list[tuple[Any, Any, Any, int]]:
        """(topic, subtopic, item, grade) of each judgement; the subtopic is "0" if not given."""
        return list(self.told())


def _read_whole(source: object, **how: str) -> Qrels:
    """Qrels with whole grades."""
    qrels = read_qrels(source, **how)  # type: ignore[arg-type]
    refuse_fractions(qrels.grade, qrels.source, "ir_measures")
    return qrels


def judgements(qrels: object) -> Judgements:
    """Read qrels: {topic: {item: grade}}, a frame, rows with named fields, or what
    `precall.read_qrels` takes.
    """
    if isinstance(qrels, Qrels | str | os.PathLike):
        read = _read_whole(qrels)
        return Judgements(
            read,
            partial(_of_columns, read)
            if isinstance(qrels, Qrels)
            else lambda: read_subtopics(qrels).rows,
        )
    if isinstance(qrels, Mapping):
        any_rows = not all(map(is_empty, qrels.values()))
        return Judgements(_read_whole(qrels) if any_rows else None, partial(_of_mapping, qrels))
    *columns, subtopics = _columns(qrels, ("query_id", "doc_id", "relevance"), "iteration")
    rows = list(zip(*columns, strict=True))
    merged = _read_whole(rows, duplicates="last") if rows else None
    several = ["0"] * len(rows) if subtopics is None else subtopics
    if merged is not None and merged.dropped and len(set(several)) == 1:
        warn(LastCounts("qrels", merged.dropped))
    topics, items, grades = columns
    return Judgements(merged, lambda: zip(topics, several, items, grades, strict=True))


def _of_columns(qrels: Qrels) -> Iterator[tuple[Any, Any, Any, int]]:
    topics = np.repeat(np.array(qrels.topics.tolist(), object), np.diff(qrels.row_start)).tolist()
    for topic, item, grade in zip(topics, qrels.items.tolist(), qrels.grade.tolist(), strict=True):
        yield topic, "0", item, grade


def _of_mapping(qrels: Mapping[Any, Mapping[Any, Any]]) -> Iterator[tuple[Any, Any, Any, int]]:
    return (
        (topic, "0", item, grade)
        for topic, grades in qrels.items()
        for item, grade in grades.items()
    )


def run_of(run: object) -> Run | None:
    """Read a run in the same forms; None if it is empty."""
    if isinstance(run, Run | str | os.PathLike):
        return read_run(run)
    if isinstance(run, Mapping):
        return None if all(map(is_empty, run.values())) else read_run(run)
    *columns, _ = _columns(run, ("query_id", "doc_id", "score"))
    rows = list(zip(*columns, strict=True))
    return read_run(rows) if rows else None


def _columns(data: Any, names: tuple[str, ...], more: str = "") -> list[Any]:
    """The columns of a frame, or the fields of rows, by name.

    The optional column `more` comes last, or None if the data lack it.
    """
    if hasattr(data, "columns"):
        import narwhals

        frame = narwhals.from_native(data, eager_only=True)
        _check_names("frame", frame.columns, names)
        return [frame[name].to_list() if name in frame.columns else None for name in (*names, more)]
    if isinstance(data, str | bytes) or not isinstance(data, Iterable):
        allowed = (
            "{topic: {item: value}}",
            f"a data frame or rows with the fields {', '.join(names)}",
        )
        raise UsageError(got=Kind(data), allowed=allowed)
    rows = list(data)
    for row in rows[:1]:
        _check_names("rows", getattr(row, "_fields", ()), names)
    has_more = bool(rows) and hasattr(rows[0], more)
    try:
        columns = [
            [getattr(row, name) for row in rows] for name in (*names, *([more] if has_more else []))
        ]
    except AttributeError as error:
        raise UsageError(
            argument="rows",
            what=str(error),
            remedy=f"give all of them the fields {', '.join(names)}",
        ) from None
    return columns if has_more else [*columns, None]


def _check_names(what: str, have: Iterable[str], names: tuple[str, ...]) -> None:
    if missing := [name for name in names if name not in have]:
        got = ", ".join(map(str, have)) or "none with names"
        raise UsageError(
            argument=what,
            what=f"no {', '.join(missing)} among the columns",
            got=Fact(got),
            remedy="ir_measures calls them so",
        )
