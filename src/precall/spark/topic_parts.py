"""The work of workers on runs: some whole topics at a time, measured as on one machine.

The rows of a topic are adjacent, including those of the qrels. Faulty rows are reported, not
raised: Spark would retry a task with an exception three times, and then show a Java stack trace.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from precall.core import ragged
from precall.core.conventions import Conventions
from precall.core.errors import Malformed, PrecallError
from precall.core.ragged import Float64, Int64
from precall.evaluation.per_topic import TopicValues, topic_values
from precall.location.located import Located, locate_judged
from precall.measures import Measure
from precall.native import kernel
from precall.read.columns import Ids, Parsed, Qrels, Run
from precall.spark.passes import check_version, version
from precall.spark.row_problems import RowProblems

#: The number of rows that are read at a time, if they belong to several topics.
ROWS = 1 << 18
#: The columns that come back, for Spark: values by run and topic, or another answer of a worker.
SHAPE = (
    "run string, topic string, in_qrels boolean, in_run boolean, retrieved bigint, relevant "
    "bigint, found bigint, tied boolean, values array<double>, attainable array<double>, "
    "told binary"
)
_SCHEMA = pa.schema(
    [
        ("run", pa.string()),
        ("topic", pa.string()),
        ("in_qrels", pa.bool_()),
        ("in_run", pa.bool_()),
        ("retrieved", pa.int64()),
        ("relevant", pa.int64()),
        ("found", pa.int64()),
        ("tied", pa.bool_()),
        ("values", pa.list_(pa.float64())),
        ("attainable", pa.list_(pa.float64())),
        ("told", pa.binary()),
    ]
)

#: The name of the run of empty rankings. A topic for which a run retrieves nothing counts as an
#: empty ranking, which is measured once for all runs.
EMPTY = None


@dataclass(frozen=True, slots=True)
class Work:
    """The evaluation of each topic, as sent to workers."""

    chosen: list[Measure]
    conventions: Conventions
    greatest: int
    """The greatest grade of all qrels, which some measures use."""
    name: str | None
    """The name of the run; None if a column names several."""
    whole: bool
    """Whether scores were integers of 64 bits."""
    version: tuple[str, str] = field(default_factory=version)

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The function for `mapInArrow`."""
        check_version(self.version)
        problems = RowProblems(self.whole, self.conventions.score_dtype == "float32")
        for rows in whole_topics(map(problems.keep_valid_rows, batches)):
            key = next(batch.column("topic")[0].as_py() for batch in rows if batch.num_rows)
            yield from _TopicPart(self, problems, key).measured(rows)
        if facts := problems.facts():
            yield _answer_of("problems", facts)


def whole_topics(batches: Iterable[pa.RecordBatch]) -> Iterator[list[pa.RecordBatch]]:
    """Many rows at a time, sorted by topic; all rows of a topic come together."""
    held: list[pa.RecordBatch] = []
    count = 0
    for batch in batches:
        count += batch.num_rows
        if count >= ROWS and batch.num_rows:
            topics = batch.column("topic")
            # The start of the last topic; if it fills the batch, it may have begun before.
            cut = pc.index(topics, topics[-1]).as_py()
            if cut:
                yield [*held, batch.slice(0, cut)]
                batch = batch.slice(cut)
                held, count = [], batch.num_rows
        held.append(batch)
    if any(batch.num_rows for batch in held):
        yield held


@dataclass(slots=True)
class _TopicPart:
    """Some topics of a worker."""

    work: Work
    problems: RowProblems
    key: str
    """The first topic, which identifies this part."""
    qrels: Qrels = field(init=False)

    def measured(self, rows: list[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The values of all runs by topic, then those of empty rankings; or the problems."""
        sides: list[tuple[str | None, list[pa.RecordBatch]]] = [(EMPTY, _where(rows, None))]
        sides += [(name, _where(rows, name)) for name in self._names(rows)]
        rows.clear()
        try:
            judged = self._group(sides[0][1], None)
            self.qrels = Qrels(*judged[:3], judged.value.astype(np.int64), dropped=judged.dropped)
            yield _answer_of("judgements dropped", judged.dropped)
            for name, own in sides[1:]:
                yield from self._of_run(name, self._group(own, name))
            yield from self._of_run(EMPTY, _nothing())
        except Malformed as bad:
            self.problems.add_repeated_items(bad)
        except PrecallError as error:
            yield _answer_of("raised", error)

    def _names(self, rows: list[pa.RecordBatch]) -> list[str]:
        if self.work.name is not None:
            return [self.work.name]
        several = {name for batch in rows for name in pc.unique(batch.column("run")).to_pylist()}
        return sorted(several - {None})

    def _group(self, batches: list[pa.RecordBatch], run: str | None) -> Parsed:
        """The rows of one run, or of the qrels, by topic."""
        topics, items, value = _columns(batches)
        if not len(value):
            return _nothing()
        texts, duplicates = (
            (topics.data, topics.start, items.data, items.start),
            self.work.conventions.duplicates,
        )
        if run is None:
            return Parsed.of(*kernel().group_qrels(*texts, value.astype(np.int64), duplicates, 1))
        return Parsed.of(*kernel().group_run(*texts, value, duplicates, 1))

    def _of_run(self, name: str | None, parsed: Parsed) -> Iterator[pa.RecordBatch]:
        run = Run(*parsed[:3], parsed.value, dropped=parsed.dropped)
        ties = self.work.conventions.ties
        located = locate_judged(self.qrels, run, ties == "input", 1)
        if name is not EMPTY:
            yield _answer_of("dropped", name, parsed.dropped)
            if (both := located.in_qrels & located.in_run).any() and not len(located.rank):
                yield _answer_of("unlike", name, *_examples(self.qrels, run, int(np.argmax(both))))
        if ties == "random":
            # Random draws of a topic depend on those of the topic before, so the driver makes them.
            yield _answer_of("located", name, self.key, replace(located, row=located.row * 0))
            return
        located = located if ties in ("docno", "input") else located.resolve(ties)
        values = topic_values(
            _with_greatest(located, self.work.greatest), self.work.chosen, self.work.conventions
        )
        kept = np.flatnonzero(located.in_qrels if name is EMPTY else located.in_run)
        yield values_by_topic(name, located, values, kept)


def values_by_topic(
    name: str | None, located: Located, known: TopicValues, kept: Int64
) -> pa.RecordBatch:
    """A row for each of a run's topics."""
    count = len(kept)
    columns = {
        "run": pa.array([name] * count, pa.string()),
        "topic": located.topics.take(kept).tolist(),
        "in_qrels": known.in_qrels[kept],
        "in_run": known.in_run[kept],
        "retrieved": known.retrieved[kept],
        "relevant": known.relevant[kept],
        "found": ragged.counts(located.ranking, len(located))[kept],
        "tied": known.tied[kept],
        "told": pa.nulls(count, pa.binary()),
        "values": _lists_of(known.values[:, kept]),
        "attainable": _lists_of(known.attainable[:, kept]),
    }
    return pa.RecordBatch.from_pydict(columns, schema=_SCHEMA)


def _lists_of(rows: Float64) -> pa.ListArray:
    """The columns of a matrix as lists."""
    ends = np.arange(rows.shape[1] + 1, dtype=np.int32) * np.int32(len(rows))
    return pa.ListArray.from_arrays(ends, np.ascontiguousarray(rows.T).ravel())


def _answer_of(kind: str, *details: Any) -> pa.RecordBatch:
    """An answer of a worker other than values."""
    columns = {name: [None] for name in _SCHEMA.names} | {
        "told": [pickle.dumps((kind, *details), 5)]
    }
    return pa.RecordBatch.from_pydict(columns, schema=_SCHEMA)


def _where(rows: list[pa.RecordBatch], run: str | None) -> list[pa.RecordBatch]:
    """The rows of one run, or of the qrels."""

    def of_run(batch: pa.RecordBatch) -> Any:
        other = pc.invert(batch.column("judged"))
        return (
            pc.and_(other, pc.equal(batch.column("run"), run))
            if "run" in batch.schema.names
            else other
        )

    return [
        batch.filter(batch.column("judged") if run is None else of_run(batch)) for batch in rows
    ]


def _columns(batches: list[pa.RecordBatch]) -> tuple[Ids, Ids, Float64]:
    """Topics, items and values; the batches are freed."""
    topics, items, values = [], [], []
    for batch in batches:
        topics.append(batch.column("topic"))
        items.append(batch.column("item"))
        values.append(batch.column("value").to_numpy())
    batches.clear()
    return _ids(topics), _ids(items), np.concatenate([np.zeros(0), *values])


def _ids(columns: list[Any]) -> Ids:
    """Texts of Arrow as one blob; the columns are freed."""
    parts = []
    for column in filter(len, columns):
        _, places, text = column.buffers()
        kind = np.int64 if pa.types.is_large_string(column.type) else np.int32
        start = np.frombuffer(places, kind)[column.offset : column.offset + len(column) + 1]
        parts.append(Ids(np.frombuffer(text or b"", np.uint8), start.astype(np.int64)))
    columns.clear()
    return Ids.concatenate(parts)


def _nothing() -> Parsed:
    none = Ids(np.zeros(0, np.uint8), np.zeros(1, np.int64))
    return Parsed(none, np.zeros(1, np.int64), none, np.zeros(0))


def _with_greatest(located: Located, grade: int) -> Located:
    """The rankings and one more, of no topic, with an item of the greatest grade of all qrels.

    Measures that use the greatest grade then see that of all qrels.
    """
    number = len(located)

    def longer(values: Any, *more: Any) -> Any:
        return np.append(values, np.array(more, values.dtype))

    return replace(
        located,
        topics=located.topics.join(Ids.of([""])),
        in_qrels=longer(located.in_qrels, False),
        in_run=longer(located.in_run, False),
        retrieved=longer(located.retrieved, 0),
        total_ranking=longer(located.total_ranking, number),
        total_grade=longer(located.total_grade, grade),
        total_count=longer(located.total_count, 1),
    )


def _examples(qrels: Qrels, run: Run, place: int) -> tuple[str, str, str]:
    """The topic at `place` of the qrels, which both have, and the least item of each in it."""
    topic = qrels.topics[place]
    return (
        topic,
        _least(run.items, run.row_start, run.topics.tolist().index(topic)),
        _least(qrels.items, qrels.row_start, place),
    )


def _least(items: Ids, row_start: Int64, place: int) -> str:
    return min(Ids(items.data, items.start[row_start[place] : row_start[place + 1] + 1]))
