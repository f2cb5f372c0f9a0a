"""The workers' answers about runs, joined: values by run and topic, or problems of the rows."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from precall.core import ragged
from precall.core.errors import DataError, Malformed, NoCommonTopic
from precall.core.notes import Note, warn
from precall.core.notes.of_reading import NothingJudged
from precall.core.ragged import Bool, Float64
from precall.evaluation.per_topic import (
    RunOrigin,
    TopicValues,
    averaged_of,
    limited,
    run_values,
    topic_values,
)
from precall.evaluation.report import RunValues
from precall.location.located import Located
from precall.measures import Measure
from precall.read.columns import QRELS, RUN, Ids, request
from precall.read.problems import data_error, no_common_topic
from precall.spark.topic_parts import Work, values_by_topic

#: The columns of a run and topic before the values.
_FACTS = ("in_qrels", "in_run", "retrieved", "relevant", "found", "tied")


class Answers:
    """The answers to one evaluation.

    Raises
    ------
    DataError
    Rows are faulty, or there is none.
    """

    def __init__(self, table: pa.Table, work: Work, seed: int) -> None:
        is_told = pc.is_valid(table["told"])
        self._values = table.filter(pc.invert(is_told))
        self._told: dict[str, list[Any]] = {}
        for cell in table["told"].filter(is_told).to_pylist():
            kind, *details = pickle.loads(cell)
            self._told.setdefault(kind, []).append(details)
        self._refuse()
        self._work, self._seed, self._tables = work, seed, list[pa.Table]()
        self.names: list[str] = sorted({name for name, _ in self._of("dropped")})
        if not self.names:
            raise _wrong(False, [(0, "empty")], 1)

    def _of(self, kind: str, run: str | None = None) -> list[Any]:
        """The answers of a kind, for all runs or for one."""
        return [details for details in self._told.get(kind, []) if run is None or details[0] == run]

    def _refuse(self) -> None:
        problems: dict[bool, tuple[list[Any], int]] = {}
        for (counts,) in self._of("problems"):
            for judged, (facts, total) in counts.items():
                before, count = problems.get(judged, ([], 0))
                problems[judged] = ([*before, *facts], count + total)
        if problems:
            answered = [
                problem
                for judged, (facts, total) in sorted(problems.items())
                for problem in _wrong(judged, facts, total).problems
            ]
            raise DataError(answered, sum(total for _, total in problems.values()))
        if errors := self._of("raised"):
            raise min((error for (error,) in errors), key=str)

    def of_run(self, name: str, said: tuple[Note, ...]) -> RunValues:
        """One run's part of the report."""
        table = self._table(name).sort_by([("in_qrels", "descending"), ("topic", "ascending")])
        topics = _arrays(table, self._work.chosen)
        self._check(table, topics)
        averaged = averaged_of(
            self._work.conventions, topics.in_qrels, topics.in_run, topics.relevant
        )
        ids = table["topic"].filter(pa.array(averaged)).to_pylist()
        if (unlike := self._of("unlike", name)) and not pc.any(
            pc.greater(table["found"], 0)
        ).as_py():
            _, _, retrieved, judged = min(unlike)
            note = NothingJudged(name, retrieved, judged)
            said = (*said, note)
            warn(note)
        dropped = sum(count for _, count in self._of("dropped", name))
        judgements = sum(count for (count,) in self._of("judgements dropped"))
        origin = RunOrigin(name, "run", dropped, judgements, said)
        self._keep(name, table, topics, averaged)
        return run_values(topics, ids, origin, self._work.chosen, self._work.conventions)

    def table(self) -> pa.Table:
        """A row for every requested run and topic."""
        return pa.concat_tables(self._tables)

    def _table(self, name: str) -> pa.Table:
        """The rows for all topics of a run and of the qrels."""
        if self._work.conventions.ties == "random":
            return self._draw(name)
        own = self._values.filter(pc.equal(self._values["run"], name))
        empty = self._values.filter(pc.is_null(self._values["run"]))
        lacking = pc.invert(pc.is_in(empty["topic"], value_set=own["topic"].combine_chunks()))
        return pa.concat_tables([own, empty.filter(lacking)])

    def _draw(self, name: str) -> pa.Table:
        """The rows for orders that are drawn at random, one topic after another."""
        parts = {
            key: located_topic for run, key, located_topic in self._of("located") if run is None
        }
        parts |= {key: located_topic for _, key, located_topic in self._of("located", name)}
        located = _join_rankings([parts[key] for key in sorted(parts)]).resolve(
            "random", self._seed
        )
        values = topic_values(located, self._work.chosen, self._work.conventions)
        batch = values_by_topic(name, located, values, np.arange(len(located)))
        return pa.Table.from_batches([batch])

    def _check(self, table: pa.Table, topics: TopicValues) -> None:
        """Refuse runs and qrels without a row, or without a topic in common."""
        for judged, there in ((True, topics.in_qrels), (False, topics.in_run)):
            if not there.any():
                raise _wrong(judged, [(0, "empty")], 1)
        if not (topics.in_qrels & topics.in_run).any():
            first = [
                table["topic"].filter(pa.array(there))[:3].to_pylist()
                for there in (topics.in_run, topics.in_qrels)
            ]
            raise NoCommonTopic([no_common_topic(("run", first[0]), ("qrels", first[1]))])

    def _keep(self, name: str, table: pa.Table, topics: TopicValues, averaged: Bool) -> None:
        columns: dict[str, Any] = {
            "run": pa.array([name] * len(table), pa.string()),
            "topic": table["topic"],
        }
        columns |= {fact: table[fact] for fact in _FACTS[:2]} | {"averaged": averaged}
        columns |= {fact: table[fact] for fact in _FACTS[2:]}
        for measure, line in zip(self._work.chosen, topics.values, strict=True):
            columns[measure.name] = pa.array(line, mask=~averaged)
        self._tables.append(pa.table(columns))


def _wrong(judged: bool, facts: list[Any], total: int) -> DataError:
    """The error for faulty rows of runs, or of the qrels."""
    reading = request(*((QRELS, "qrels") if judged else (RUN, "run")), "error", 1)
    return data_error(Malformed(sorted(facts, key=repr), total), reading, "row")


def _arrays(table: pa.Table, chosen: list[Measure]) -> TopicValues:
    facts = {name: table[name].to_numpy() for name in _FACTS if name != "found"}
    facts |= {
        name: _rows_of(table, name, len(measures))
        for name, measures in (("values", chosen), ("attainable", limited(chosen)))
    }
    return TopicValues(**facts)


def _rows_of(table: pa.Table, column: str, count: int) -> Float64:
    """The matrix whose columns are lists of `count` numbers."""
    lists = table[column].combine_chunks().flatten().to_numpy().reshape(len(table), count)
    return np.ascontiguousarray(lists.T)


def _join_rankings(parts: list[Located]) -> Located:
    """The rankings of all parts, one after another."""
    begin = ragged.offsets(np.array([len(each) for each in parts]))

    def shift(name: str) -> Any:
        return np.concatenate(
            [getattr(each, name) + at for each, at in zip(parts, begin[:-1], strict=True)]
        )

    names = (
        "in_qrels",
        "in_run",
        "retrieved",
        "row",
        "grade",
        "rank",
        "first",
        "last",
        "total_grade",
        "total_count",
    )
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(each, name) for each in parts]) for name in names
    }
    columns |= {name: shift(name) for name in ("ranking", "total_ranking")}
    return replace(
        parts[0], topics=Ids.of([topic for each in parts for topic in each.topics]), **columns
    )
