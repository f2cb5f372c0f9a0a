"""The work of workers: each pass over a task's cases makes rows, and rows of tasks are merged.

All counting is that of `precall.cases.between_scores`, as on one machine.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from precall.cases.between_scores import Gaps, RelevantScores, count_scores
from precall.cases.between_scores import merge as together
from precall.cases.score_ranges import pieces
from precall.cases.threshold_search import Sample, Within
from precall.core.ragged import Float64
from precall.spark.serialize import Row, batches_of, pack, rows_of_table, table_of, unpack
from precall.spark.validate import Facts, Wanted, batches_of_cases
from precall.version import __version__

#: A score column and a group, as in `Scan`.
Part: TypeAlias = tuple[str, str]
#: The requested thresholds in each bucket of a score.
Thresholds: TypeAlias = Mapping[tuple[str, int], list[float]]
#: The intervals of scores in which each part's other cases are counted; None is an open end.
Ends: TypeAlias = Mapping[Part, list[tuple[float | None, float | None]]]
#: The number of edges, or scores, in one row.
PIECE = 1 << 18
#: The number of sampled scores per task; more would not improve the bounds of buckets.
_QUANTILES = 256
_OF_ALL = ("", "", 0)
#: The beginning of the message by which the driver recognises a worker of another version.
OTHER_VERSION = "precall.spark: the worker"


def version() -> tuple[str, str]:
    """The versions of precall and Python; workers of others might count differently, or fail."""
    return __version__, ".".join(map(str, sys.version_info[:2]))


def check_version(expected: tuple[str, str]) -> None:
    """Raise if the driver's versions differ from ours."""
    if version() != expected:
        raise RuntimeError(f"{OTHER_VERSION} has {version()}, the driver {expected}")


@dataclass(frozen=True, slots=True)
class First:
    """Pass 1: the distinct relevant scores of each part, a sample of all scores, and facts."""

    wanted: Wanted
    version: tuple[str, str] = field(default_factory=version)

    def __call__(self, given: Iterable[pa.RecordBatch]) -> Iterator[Row]:
        """The rows of a task."""
        facts, scores_by_part, samples = Facts(), dict[Part, RelevantScores](), dict[Part, Sample]()
        for batch in batches_of_cases(self.wanted, given, facts):
            for part, relevant, score, weights in batch.parts():
                scores_by_part.setdefault(part, RelevantScores()).add(relevant, score, weights)
                samples.setdefault(part, Sample()).add(score)
        for part, scores in scores_by_part.items():
            score, count = scores.distinct_scores()
            for begin in range(0, max(len(score), 1), PIECE):
                cut = slice(begin, begin + PIECE)
                facts.distinct += len(score[cut])
                yield Row(
                    "relevant",
                    *part,
                    begin,
                    len(score[cut]),
                    _run(score[cut], count[cut], scores.dtype),
                )
            sample = samples[part]
            chosen = np.sort(sample.scores())
            facts.sampled += len(chosen)
            yield Row("sample", *part, 0, len(chosen), pack(sample))
            thin = chosen[
                np.linspace(0, len(chosen) - 1, min(len(chosen), _QUANTILES)).astype(np.int64)
            ]
            yield Row("quantiles", *part, 0, len(chosen), pack(thin, count.sum().item()))
        yield Row("facts", *_OF_ALL, facts.cases, pack(facts))


class Look:
    """The cases of a task by part, and the counts in the intervals that are looked for."""

    def __init__(self, wanted: Wanted, near: Ends) -> None:
        self.wanted: Wanted = wanted
        self.withins: dict[Part, list[Within]] = within_of(near)
        self.facts: Facts = Facts()

    def cases(self, given: Iterable[pa.RecordBatch]) -> Iterator[tuple[Part, Any, Any, Any]]:
        """Part, labels, scores and weights of each part of each batch."""
        for batch in batches_of_cases(self.wanted, given, self.facts):
            for part, relevant, score, weights in batch.parts():
                for within in self.withins.get(part, ()):
                    within.add(relevant, score, weights)
                yield part, relevant, score, weights

    def rows(self) -> Iterator[Row]:
        """The rows after all cases: their facts, and the counts in the intervals."""
        yield Row("facts", *_OF_ALL, self.facts.cases, pack(self.facts))
        yield from _within_rows(self.withins)


@dataclass(frozen=True, slots=True)
class Between:
    """Pass 2 of the route `gaps`: other cases between the relevant scores.

    Cases near the requested counts of accepted cases are counted also.
    """

    wanted: Wanted
    edges: Mapping[Part, Float64]
    near: Ends
    version: tuple[str, str] = field(default_factory=version)

    def __call__(self, given: Iterable[pa.RecordBatch]) -> Iterator[Row]:
        """The rows of a task.

        Pieces without a case are left out, except the last piece, which has the best score.
        """
        gaps = {
            part: Gaps(edges, np.zeros(len(edges), np.int64)) for part, edges in self.edges.items()
        }
        looked = Look(self.wanted, self.near)
        for part, *cases in looked.cases(given):
            if part in gaps:
                gaps[part].add(*cases)
        for part, counts in gaps.items():
            yield from _gap_rows(part, counts)
        yield from looked.rows()


@dataclass(frozen=True, slots=True)
class Spread:
    """Pass 2 of the route `range`: every case goes to the bucket of its score.

    Cases are sent as runs of scores and counts. `cuts` has by score the least value of each bucket
    except the first, so equal scores share a bucket.
    """

    wanted: Wanted
    cuts: Mapping[str, Float64]
    near: Ends
    version: tuple[str, str] = field(default_factory=version)

    def __call__(self, given: Iterable[pa.RecordBatch]) -> Iterator[Row]:
        """The rows of a task."""
        looked = Look(self.wanted, self.near)
        for part, relevant, score, weights in looked.cases(given):
            best, *counts = (column[::-1] for column in count_scores(relevant, score, weights))
            ends = np.searchsorted(best, self.cuts[part[0]], "left")
            starts = np.concatenate(([0], ends, [len(best)]))
            for bucket in np.flatnonzero(np.diff(starts)).tolist():
                cut = slice(starts[bucket], starts[bucket + 1])
                runs = [_some(best[cut], count[cut]) for count in counts]
                size = sum(len(run[0]) for run in runs)
                yield Row("run", *part, bucket, size, pack(*runs[0], *runs[1], score.dtype.str))
        yield from looked.rows()


@dataclass(frozen=True, slots=True)
class Looked:
    """Another pass: other cases in the intervals that are looked for."""

    wanted: Wanted
    near: Ends
    version: tuple[str, str] = field(default_factory=version)

    def __call__(self, given: Iterable[pa.RecordBatch]) -> Iterator[Row]:
        """The rows of a task."""
        looked = Look(self.wanted, self.near)
        for _ in looked.cases(given):
            pass
        yield from looked.rows()


Pass: TypeAlias = First | Between | Spread | Looked


def worker(task: Pass, read: Any = None) -> Any:
    """The function for `mapInArrow`; `read` converts its input to cases."""

    def run(given: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        check_version(task.version)
        yield from batches_of(task(given if read is None else read(given)))

    return run


def merger(thresholds: Thresholds) -> Any:
    """The function for `applyInArrow`; `thresholds` are the requested ones by score and bucket."""

    def merge(table: pa.Table) -> pa.Table:
        return table_of(merge_rows(rows_of_table(table), thresholds))

    return merge


def merge_rows(rows: Iterable[Row], thresholds: Thresholds) -> Iterator[Row]:
    """One row of each part from the rows of one kind and place.

    Runs of scores become counts at and between the relevant scores of a bucket.
    """
    parts: dict[tuple[str, str, str, int], list[Row]] = {}
    for row in rows:
        parts.setdefault(row[:4], []).append(row)
    for (kind, score, part, position), alike in parts.items():
        if kind == "facts":
            facts = facts_of(alike)
            yield Row("facts", *_OF_ALL, facts.cases, pack(facts))
        elif kind == "within":
            within = Within(None, None)
            add_within(within, alike)
            yield _within_row((score, part), position, within)
        elif kind == "gaps":
            gaps = gaps_of(alike[0])
            for row in alike[1:]:
                gaps.merge(gaps_of(row))
            yield gap_row((score, part), position, gaps)
        else:
            yield from _bucket_rows(
                (score, part), position, alike, thresholds.get((score, position), ())
            )


def _bucket_rows(
    part: Part, place: int, rows: list[Row], thresholds: Iterable[float]
) -> Iterator[Row]:
    """The counts of a bucket; relevant and other cases were sent in separate rows."""
    relevant_scores = RelevantScores()
    others: list[tuple[Any, Any]] = []
    for row in rows:
        score, hits, other, count, dtype = unpack(row.state)
        relevant_scores.dtype = np.result_type(relevant_scores.dtype or dtype, dtype)
        if len(score):
            relevant_scores.add_distinct(score.astype(np.float64), hits)
        if len(other):
            others.append((other.astype(np.float64), count))
    gaps = Gaps.of(relevant_scores, thresholds)
    if others:
        gaps.count(*together(others))
    for at, piece in enumerate(pieces(gaps, PIECE)):
        state = pack(
            piece.edges, piece.hits, *_counts(piece), piece.asked, np.dtype(piece.dtype).str
        )
        yield Row("bucket", *part, (place << 20) + at, len(piece.edges), state)


def bucket_of(row: Row) -> Gaps:
    """The counts of a bucket, or of a piece of it."""
    edges, hits, *counts, requested, dtype = unpack(row.state)
    return _with_counts(Gaps(edges, hits, requested, np.dtype(dtype)), counts)


def gaps_of(row: Row) -> Gaps:
    """The counts of a row between edges that only the driver knows; the edges here are 0."""
    counts = unpack(row.state)
    edges = np.zeros(len(counts[0]))
    return _with_counts(Gaps(edges, np.zeros(len(edges), np.int64)), counts)


def gap_row(part: Part, place: int, gaps: Gaps) -> Row:
    """The row for counts; `gaps_of` reads it."""
    return Row("gaps", *part, place, len(gaps.edges), pack(*_counts(gaps)))


def _counts(gaps: Gaps) -> tuple[Any, ...]:
    return gaps.equal, gaps.between, gaps.least, gaps.top


def _with_counts(gaps: Gaps, counts: Iterable[Any]) -> Gaps:
    gaps.equal, gaps.between, gaps.least, gaps.top = counts
    return gaps


def _gap_rows(part: Part, gaps: Gaps) -> Iterator[Row]:
    parts = list(pieces(gaps, PIECE))
    for position, piece in enumerate(parts):
        if piece is parts[-1] or piece.equal.any() or piece.between.any():
            yield gap_row(part, position, piece)


def facts_of(rows: Iterable[Row]) -> Facts:
    """The facts of all tasks."""
    facts = Facts(tasks=0)
    for row in rows:
        facts.merge(unpack(row.state)[0])
    return facts


def within_of(near: Ends) -> dict[Part, list[Within]]:
    """Counters for the intervals of scores in `near`."""
    return {part: [Within(*ends) for ends in several] for part, several in near.items()}


def add_within(within: Within, rows: Iterable[Row]) -> None:
    """Add the counts of tasks."""
    for row in rows:
        score, count = unpack(row.state)
        within.add_distinct(score, count)


def _within_rows(withins: Mapping[Part, list[Within]]) -> Iterator[Row]:
    for part, several in withins.items():
        for position, within in enumerate(several):
            row = _within_row(part, position, within)
            if row.size:
                yield row


def _within_row(part: Part, place: int, within: Within) -> Row:
    score, count = within.distinct_scores()
    return Row("within", *part, place, len(score), pack(score, count))


def relevant_of(rows: Iterable[Row]) -> RelevantScores:
    """The relevant scores of one part, from all tasks."""
    result = RelevantScores()
    for row in rows:
        score, count, dtype = unpack(row.state)
        result.dtype = np.result_type(result.dtype or dtype, dtype)
        result.add_distinct(score.astype(np.float64), count)
    return result


def sample_of(rows: Iterable[Row]) -> Sample:
    """The sample of one part, from all tasks."""
    sample = Sample()
    for row in rows:
        sample.merge(unpack(row.state)[0])
    return sample


def _run(score: Any, count: Any, dtype: Any) -> bytes:
    # float32 scores stay float32: exact, with half the bytes.
    return pack(score.astype(dtype), count, np.dtype(dtype).str)


def _some(score: Any, count: Any) -> tuple[Any, Any]:
    held = count > 0
    return score[held], count[held]
