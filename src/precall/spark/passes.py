"""What workers do: each pass over the cases of a task makes rows, and rows of many tasks are merged
into fewer.

Nothing is counted here that `precall.cases.gaps` does not count on one machine.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from precall.cases.gaps import Gaps, RelevantScores, counted
from precall.cases.gaps import merged as together
from precall.cases.guesses import Sample, Within
from precall.cases.pieces import pieces
from precall.core.ragged import Float64
from precall.spark.carrying import Row, batches_of, packed, rows_of_table, table_of, unpacked
from precall.spark.given_rows import Facts, Wanted, batches_of_cases
from precall.version import __version__

#: By score and group, as in `Scan`.
Part: TypeAlias = tuple[str, str]
#: What is asked for in each bucket of a score.
Thresholds: TypeAlias = Mapping[tuple[str, int], list[float]]
#: What is looked for in each part: other cases between two scores; None at an open end.
Ends: TypeAlias = Mapping[Part, list[tuple[float | None, float | None]]]
#: So many edges, or scores, are in one row.
PIECE = 1 << 18
#: More sampled scores of a task are of no use for bounds.
_QUANTILES = 256
_OF_ALL = ("", "", 0)
#: What is wrong with a worker is known by this word.
OTHER_VERSION = "precall.spark: the worker"


def version() -> tuple[str, str]:
    """Of precall and Python: other ones would count otherwise, or not at all."""
    return __version__, ".".join(map(str, sys.version_info[:2]))


def check_version(expected: tuple[str, str]) -> None:
    """Refuse to work for a driver that has other ones."""
    if version() != expected:
        raise RuntimeError(f"{OTHER_VERSION} has {version()}, the driver {expected}")


@dataclass(frozen=True, slots=True)
class First:
    """Pass 1: distinct relevant scores of each part, a sample of all scores, and what the cases
    are.
    """

    wanted: Wanted
    version: tuple[str, str] = field(default_factory=version)

    def __call__(self, given: Iterable[pa.RecordBatch]) -> Iterator[Row]:
        """The rows of a task."""
        facts, known, samples = Facts(), dict[Part, RelevantScores](), dict[Part, Sample]()
        for batch in batches_of_cases(self.wanted, given, facts):
            for part, relevant, score, weights in batch.parts():
                known.setdefault(part, RelevantScores()).add(relevant, score, weights)
                samples.setdefault(part, Sample()).add(score)
        for part, scores in known.items():
            score, count = scores.counted()
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
            yield Row("sample", *part, 0, len(chosen), packed(sample))
            thin = chosen[
                np.linspace(0, len(chosen) - 1, min(len(chosen), _QUANTILES)).astype(np.int64)
            ]
            yield Row("quantiles", *part, 0, len(chosen), packed(thin, count.sum().item()))
        yield Row("facts", *_OF_ALL, facts.cases, packed(facts))


class Look:
    """The cases of a task, one part of a batch after the other, and what is looked for among
    them.
    """

    def __init__(self, wanted: Wanted, near: Ends) -> None:
        self.wanted, self.withins, self.facts = wanted, within_of(near), Facts()

    def cases(self, given: Iterable[pa.RecordBatch]) -> Iterator[tuple[Part, Any, Any, Any]]:
        """Part, labels, scores and weights."""
        for batch in batches_of_cases(self.wanted, given, self.facts):
            for part, relevant, score, weights in batch.parts():
                for within in self.withins.get(part, ()):
                    within.add(relevant, score, weights)
                yield part, relevant, score, weights

    def rows(self) -> Iterator[Row]:
        """After all cases: what they are, and what was looked for."""
        yield Row("facts", *_OF_ALL, self.facts.cases, packed(self.facts))
        yield from _within_rows(self.withins)


@dataclass(frozen=True, slots=True)
class Between:
    """Pass 2 of the route `gaps`: other cases between the relevant scores, and those beside the
    counts that are asked for.
    """

    wanted: Wanted
    edges: Mapping[Part, Float64]
    near: Ends
    version: tuple[str, str] = field(default_factory=version)

    def __call__(self, given: Iterable[pa.RecordBatch]) -> Iterator[Row]:
        """The rows of a task; pieces without any case are left out, but the last, which knows the
        best one.
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
    """Pass 2 of the route `range`: every case goes to the bucket of its score, as runs of scores
    and counts.

    `cuts` are, by score, the least of each bucket but the first, so that equal scores share a
    bucket.
    """

    wanted: Wanted
    cuts: Mapping[str, Float64]
    near: Ends
    version: tuple[str, str] = field(default_factory=version)

    def __call__(self, given: Iterable[pa.RecordBatch]) -> Iterator[Row]:
        """The rows of a task."""
        looked = Look(self.wanted, self.near)
        for part, relevant, score, weights in looked.cases(given):
            best, *counts = (column[::-1] for column in counted(relevant, score, weights))
            ends = np.searchsorted(best, self.cuts[part[0]], "left")
            starts = np.concatenate(([0], ends, [len(best)]))
            for place in np.flatnonzero(np.diff(starts)).tolist():
                cut = slice(starts[place], starts[place + 1])
                runs = [_some(best[cut], count[cut]) for count in counts]
                size = sum(len(run[0]) for run in runs)
                yield Row("run", *part, place, size, packed(*runs[0], *runs[1], score.dtype.str))
        yield from looked.rows()


@dataclass(frozen=True, slots=True)
class Looked:
    """Another pass: other cases between scores that are looked for."""

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
    """The function of `mapInArrow`; `read` makes the cases of what it is given."""

    def run(given: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        check_version(task.version)
        yield from batches_of(task(given if read is None else read(given)))

    return run


def merger(thresholds: Thresholds) -> Any:
    """The function of `applyInArrow`; `thresholds` are those that are asked for, by score and
    bucket.
    """

    def merge(table: pa.Table) -> pa.Table:
        return table_of(merged(rows_of_table(table), thresholds))

    return merge


def merged(rows: Iterable[Row], thresholds: Thresholds) -> Iterator[Row]:
    """Rows of one kind and place as one of each part; runs become counts at and between the
    relevant scores of a bucket.
    """
    parts: dict[tuple[str, str, str, int], list[Row]] = {}
    for row in rows:
        parts.setdefault(row[:4], []).append(row)
    for (kind, score, part, place), alike in parts.items():
        if kind == "facts":
            facts = facts_of(alike)
            yield Row("facts", *_OF_ALL, facts.cases, packed(facts))
        elif kind == "within":
            within = Within(None, None)
            add_within(within, alike)
            yield _within_row((score, part), place, within)
        elif kind == "gaps":
            gaps = gaps_of(alike[0])
            for row in alike[1:]:
                gaps.merge(gaps_of(row))
            yield gap_row((score, part), place, gaps)
        else:
            yield from _bucket_rows((score, part), place, alike, thresholds.get((score, place), ()))


def _bucket_rows(
    part: Part, place: int, rows: list[Row], thresholds: Iterable[float]
) -> Iterator[Row]:
    """The counts of a bucket; relevant cases and the others were sent apart."""
    known = RelevantScores()
    others: list[tuple[Any, Any]] = []
    for row in rows:
        score, hits, other, count, dtype = unpacked(row.state)
        known.dtype = np.result_type(known.dtype or dtype, dtype)
        if len(score):
            known.add_counted(score.astype(np.float64), hits)
        if len(other):
            others.append((other.astype(np.float64), count))
    gaps = Gaps.of(known, thresholds)
    if others:
        gaps.count(*together(others))
    for at, piece in enumerate(pieces(gaps, PIECE)):
        state = packed(
            piece.edges, piece.hits, *_counts(piece), piece.asked, np.dtype(piece.dtype).str
        )
        yield Row("bucket", *part, (place << 20) + at, len(piece.edges), state)


def bucket_of(row: Row) -> Gaps:
    """The counts of a bucket, or of a piece of it."""
    edges, hits, *counts, asked, dtype = unpacked(row.state)
    return _with_counts(Gaps(edges, hits, asked, np.dtype(dtype)), counts)


def gaps_of(row: Row) -> Gaps:
    """The counts of a row between edges that the driver knows; here all of them are called 0."""
    counts = unpacked(row.state)
    edges = np.zeros(len(counts[0]))
    return _with_counts(Gaps(edges, np.zeros(len(edges), np.int64)), counts)


def gap_row(part: Part, place: int, gaps: Gaps) -> Row:
    """The other way round."""
    return Row("gaps", *part, place, len(gaps.edges), packed(*_counts(gaps)))


def _counts(gaps: Gaps) -> tuple[Any, ...]:
    return gaps.equal, gaps.between, gaps.least, gaps.top


def _with_counts(gaps: Gaps, counts: Iterable[Any]) -> Gaps:
    gaps.equal, gaps.between, gaps.least, gaps.top = counts
    return gaps


def _gap_rows(part: Part, gaps: Gaps) -> Iterator[Row]:
    parts = list(pieces(gaps, PIECE))
    for place, piece in enumerate(parts):
        if piece is parts[-1] or piece.equal.any() or piece.between.any():
            yield gap_row(part, place, piece)


def facts_of(rows: Iterable[Row]) -> Facts:
    """What all tasks have seen."""
    facts = Facts(tasks=0)
    for row in rows:
        facts.merge(unpacked(row.state)[0])
    return facts


def within_of(near: Ends) -> dict[Part, list[Within]]:
    """What looks between these scores."""
    return {part: [Within(*ends) for ends in several] for part, several in near.items()}


def add_within(within: Within, rows: Iterable[Row]) -> None:
    """Add what tasks have seen."""
    for row in rows:
        score, count = unpacked(row.state)
        within.add_counted(score, count)


def _within_rows(withins: Mapping[Part, list[Within]]) -> Iterator[Row]:
    for part, several in withins.items():
        for place, within in enumerate(several):
            row = _within_row(part, place, within)
            if row.size:
                yield row


def _within_row(part: Part, place: int, within: Within) -> Row:
    score, count = within.counted()
    return Row("within", *part, place, len(score), packed(score, count))


def relevant_of(rows: Iterable[Row]) -> RelevantScores:
    """The relevant scores of one part, of all tasks."""
    known = RelevantScores()
    for row in rows:
        score, count, dtype = unpacked(row.state)
        known.dtype = np.result_type(known.dtype or dtype, dtype)
        known.add_counted(score.astype(np.float64), count)
    return known


def sample_of(rows: Iterable[Row]) -> Sample:
    """The sample of one part, of all tasks."""
    sample = Sample()
    for row in rows:
        sample.merge(unpacked(row.state)[0])
    return sample


def _run(score: Any, count: Any, dtype: Any) -> bytes:
    # float32 scores are exact in half the bytes.
    return packed(score.astype(dtype), count, np.dtype(dtype).str)


def _some(score: Any, count: Any) -> tuple[Any, Any]:
    held = count > 0
    return score[held], count[held]
