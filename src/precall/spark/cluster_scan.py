"""Scored cases on Spark: each pass of `Scan` is a job, and the counts of its tasks are merged."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np

from precall.cases.between_scores import Gaps, RelevantScores
from precall.cases.buckets import Buckets
from precall.cases.curves import Curve
from precall.cases.scanning import LEAST, Lacking, Scan
from precall.cases.score_ranges import add_piece, join_pieces, on_disk
from precall.cases.scored_cases import refuse_heavy
from precall.cases.threshold_search import Within
from precall.core.errors import DataError, Fact, Mistake, UsageError
from precall.core.ragged import Float64
from precall.read.binary_labels import BOTH
from precall.spark.jobs import collect, stream
from precall.spark.passes import (
    PIECE,
    Between,
    Ends,
    First,
    Looked,
    Part,
    Spread,
    Thresholds,
    add_within,
    bucket_of,
    facts_of,
    gaps_of,
    merger,
    relevant_of,
    sample_of,
)
from precall.spark.serialize import SHAPE, Row, unpack
from precall.spark.sources import FileFeed, FrameFeed
from precall.spark.validate import Facts, Wanted

#: The most relevant scores that are sent to every task. If there are more, cases go to buckets.
EDGES = 1 << 22
#: Cases per bucket; bytes of counts that the driver merges by itself; sampled scores, and counts,
#: that it takes at once.
BUCKET, _MERGED, _SAMPLED, _AT_ONCE = 1 << 23, 1 << 26, 1 << 24, 1 << 23
#: Bytes of a distinct relevant score until its curve is made; its bytes in the message to every
#: task; the largest such message that Spark Connect takes.
_BYTES, _SENT, TAKEN = 96, 8, 1 << 27


@dataclass(slots=True)
class ClusterScan(Scan):
    """The passes of a scan, each over all tasks."""

    feed: FrameFeed | FileFeed = field(kw_only=True)
    wanted: Wanted = field(kw_only=True)
    route: str | None = field(kw_only=True, default=None)
    facts: Facts = field(default_factory=Facts)
    #: The dtype of each score column.
    _kinds: dict[str, Any] = field(default_factory=dict)

    def curves(self) -> dict[Part, Curve]:
        """The curve of each score and group."""
        with _keep_frame(self.feed.rows(First(self.wanted))) as first:
            answers = collect(first.where("kind in ('facts', 'quantiles')"))
            self._look_at(answers)
            if self.route is None:
                most = min(
                    EDGES, TAKEN // _SENT if self.feed.remote else EDGES, self._relevant_in_memory
                )
                self.route = "gaps" if self.facts.distinct <= most else "range"
            if self.facts.sampled <= _SAMPLED:
                self._samples = _by_part(collect(first.where("kind = 'sample'")), sample_of)
            if self.route == "gaps":
                self._refuse_too_many(self.facts.distinct)
                self.known: dict[Part, RelevantScores] = _by_part(
                    collect(first.where("kind = 'relevant'")), relevant_of
                )
        self.passes: int = 2
        gaps, near = self._by_gaps() if self.route == "gaps" else self._by_range(answers)
        return self._curves(gaps, self._scores_at_counts(gaps, near, None))

    @property
    def _relevant_in_memory(self) -> int:
        """The number of relevant scores that memory holds."""
        return max(self.asked.memory // _BYTES, LEAST)

    def _look_at(self, rows: list[Row]) -> None:
        """Keep the facts of pass 1; refuse faulty data."""
        self.facts = facts_of(row for row in rows if row.kind == "facts")
        self.seen: Facts = self.facts
        _refuse_wrong(self.facts, self.feed.name, self.wanted)

    def _by_gaps(self) -> tuple[dict[Part, Gaps], dict[Part, list[Within]]]:
        """The route "gaps": every task counts the other cases between all relevant scores."""
        gaps = {part: self._among(relevant_scores) for part, relevant_scores in self.known.items()}
        self._refuse_too_large(sum(len(gap.edges) for gap in gaps.values()) * _SENT)
        near = {part: self._guess_ranges(part, gap) for part, gap in gaps.items()}
        task = Between(self.wanted, {part: gap.edges for part, gap in gaps.items()}, _ends(near))
        counts = self.feed.rows(task)
        # The driver merges few counts faster than a shuffle does.
        if 24 * self.facts.tasks * sum(len(gap.edges) for gap in gaps.values()) > _MERGED:
            counts = _shuffle(counts, {})
        rows = collect(counts)
        self._refuse_change(rows)
        for row in rows:
            if row.kind == "gaps":
                add_piece(gaps[row.score, row.part], row.place * PIECE, gaps_of(row))
        _add_near(near, rows)
        return gaps, near

    def _by_range(self, told: list[Row]) -> tuple[dict[Part, Gaps], dict[Part, list[Within]]]:
        """The route "range": all cases go to buckets by their scores and are counted there."""
        quantiles = [row for row in told if row.kind == "quantiles"]
        cuts = _cuts(quantiles, max(math.ceil(self.facts.cases / BUCKET), 2 * self.facts.tasks, 8))
        hits = _by_part(
            quantiles, lambda rows: np.sum([unpack(row.state)[1] for row in rows]).item()
        )
        near = {part: self._guessed_of(part, count) for part, count in hits.items()}
        requested = self._thresholds_of(quantiles, cuts)
        with _keep_frame(
            _shuffle(self.feed.rows(Spread(self.wanted, cuts, _ends(near))), requested)
        ) as buckets:
            rows = collect(buckets.where("kind in ('facts', 'within')"))
            self._refuse_change(rows)
            _add_near(near, rows)
            counts = buckets.where("kind = 'bucket'")
            sizes = counts.groupBy("score", "part").agg({"size": "sum"}).collect()
            if sum(size for *_, size in sizes) <= self._relevant_in_memory:
                bucket_rows = sorted(collect(counts), key=_order)
                gaps = {
                    part: join_pieces([gap for _, gap in self._in_order(part, rows, requested)])
                    for part, rows in _parts(bucket_rows)
                }
            else:
                gaps = self._on_disk(counts.orderBy("score", "part", "place"), requested)
        for part in hits:  # parts whose cases all have weight 0 are in no bucket
            gaps.setdefault(part, self._among(RelevantScores()))
        return gaps, near

    def _on_disk(self, counts: object, asked: Thresholds) -> dict[Part, Gaps]:
        """The counts on disk, one bucket after another, if memory cannot hold them."""
        kind = np.float64 if self.seen.real else np.int64
        gaps_by_part = {}
        for part, rows in _parts(stream(counts)):
            dtype = self._kinds[part[0]]
            buckets = (gap for _, gap in self._in_order(part, rows, asked))
            gaps_by_part[part] = on_disk(buckets, self._thresholds(dtype).tolist(), dtype, kind)
        return gaps_by_part

    def _in_order(
        self, part: Part, rows: Iterable[Row], asked: Thresholds
    ) -> Iterator[tuple[int, Gaps]]:
        """The buckets of a part, the lowest first.

        A bucket without cases still has its requested thresholds.
        """
        lacking = {
            bucket: thresholds for (score, bucket), thresholds in asked.items() if score == part[0]
        }
        for row in rows:
            bucket = row.place >> 20
            for before in sorted(each for each in lacking if each < bucket):
                yield before, self._without_cases(part, lacking.pop(before))
            lacking.pop(bucket, None)
            yield bucket, bucket_of(row)
        for after in sorted(lacking):
            yield after, self._without_cases(part, lacking[after])

    def _without_cases(self, part: Part, thresholds: list[float]) -> Gaps:
        none = RelevantScores()
        none.dtype = self._kinds[part[0]]
        return Gaps.of(none, thresholds)

    def _thresholds_of(self, quantiles: list[Row], cuts: Mapping[str, Float64]) -> Thresholds:
        """The requested thresholds by score and bucket, in the type of the scores.

        Thresholds are compared in that type.
        """
        by_bucket: dict[tuple[str, int], list[float]] = {}
        self._kinds = {row.score: unpack(row.state)[0].dtype for row in quantiles}
        for score, dtype in self._kinds.items():
            for threshold in self._thresholds(dtype).tolist():
                bucket = int(np.searchsorted(cuts[score], threshold, "right"))
                by_bucket.setdefault((score, bucket), []).append(threshold)
        return by_bucket

    def _guessed_of(self, part: Part, hits: object) -> list[Within]:
        """`_guess_ranges` before the gaps are known."""
        return self._guess_ranges(part, Gaps(np.zeros(1), np.array([hits])))

    def _guess_ranges(self, part: Part, gap: Gaps | Buckets) -> list[Within]:
        # Without super(): it fails in dataclasses with slots, which are made as new classes.
        return Scan._guess_ranges(self, part, gap) if part in self._samples else []

    def _look(self, lacking: list[Lacking], spool: object) -> None:
        if not lacking:
            return
        self.passes += 1
        near: dict[Part, list[Within]] = {}
        for part, _, _, within in lacking:
            near.setdefault(part, []).append(within)
        rows = collect(self.feed.rows(Looked(self.wanted, _ends(near))))
        self._refuse_change(rows)
        _add_near(near, rows)

    def _refuse_change(self, rows: list[Row]) -> None:
        again = facts_of(row for row in rows if row.kind == "facts")
        remedy = "it must give the same rows each time: persist or write what is random or changes"
        self.facts.refuse_change("df", again, remedy)

    def _refuse_too_large(self, size: int) -> None:
        """Refuse a message that Spark Connect would fail on, with an error that is hard to read."""
        if self.feed.remote and size > TAKEN:
            raise UsageError(
                argument="route",
                what=(
                    f"the relevant scores make each task {size:,} bytes, and Spark Connect takes "
                    f"{TAKEN:,} (spark.connect.grpc.maxInboundMessageSize)"
                ),
                remedy="use route='range', or leave the choice to precall",
            )

    def _refuse_too_many(self, edges: int) -> None:
        if edges > self._relevant_in_memory:
            raise UsageError(
                argument="route",
                what=(
                    f"{edges:,} distinct scores of relevant cases take {edges * _BYTES:,} bytes "
                    f"of the driver, and {self.asked.memory:,} are allowed"
                ),
                remedy="use route='range', which puts them to disk, or allow more by memory=",
            )


@contextmanager
def _keep_frame(frame: Any) -> Iterator[Any]:
    """A context with a data frame that is computed once."""
    frame.persist()
    try:
        yield frame
    finally:
        frame.unpersist()


def _shuffle(rows: Any, asked: Thresholds) -> Any:
    return rows.groupBy("kind", "score", "place").applyInArrow(merger(asked), SHAPE)


def _order(row: Row) -> tuple[str, str, int]:
    return row.score, row.part, row.place


def _parts(rows: Iterable[Row]) -> Iterator[tuple[Part, Iterator[Row]]]:
    """The rows of each part; rows of one part must be adjacent."""
    return groupby(rows, key=lambda row: (row.score, row.part))


def _by_part(rows: Iterable[Row], make: Any) -> dict[Part, Any]:
    parts: dict[Part, list[Row]] = {}
    for row in rows:
        parts.setdefault((row.score, row.part), []).append(row)
    return {part: make(alike) for part, alike in parts.items()}


def _ends(near: Mapping[Part, list[Within]]) -> Ends:
    return {
        part: [(within.low, within.high) for within in several] for part, several in near.items()
    }


def _add_near(near: Mapping[Part, list[Within]], rows: Iterable[Row]) -> None:
    for row in rows:
        if row.kind == "within":
            add_within(near[row.score, row.part][row.place], [row])


def _cuts(quantiles: list[Row], buckets: int) -> dict[str, Float64]:
    """By score the least value of each bucket except the first.

    The buckets hold about the same number of cases.
    """
    cuts = {}
    for name in dict.fromkeys(row.score for row in quantiles):
        parts = [
            (unpack(row.state)[0].astype(np.float64), row.size)
            for row in quantiles
            if row.score == name
        ]
        score = np.concatenate([sampled for sampled, _ in parts])
        weight = np.concatenate(
            [np.full(len(sampled), size / len(sampled)) for sampled, size in parts if len(sampled)]
        )
        order = np.argsort(score, kind="stable")
        below = np.cumsum(weight[order])
        at = np.searchsorted(below, np.linspace(0, below[-1], buckets + 1)[1:-1])
        cuts[name] = np.unique(score[order][at] + 0.0)
    return cuts


def _refuse_wrong(facts: Facts, source: str, wanted: Wanted) -> None:
    """Raise for nulls, NaN and labels that are not allowed, with their numbers."""
    wrong = sorted(facts.wrong.items())
    if wrong:
        lost = dict.fromkeys(wanted.scores, ", or count those that are relevant by ⟨missed=⟩")
        raise DataError(
            [
                Mistake(
                    "column {column}: {count:,} of {cases:,} cases are {got}",
                    f"fill it in or remove these cases{lost.get(name, '')}",
                    got=Fact(fault),
                    column=name,
                    count=count,
                    cases=facts.cases,
                ).of(source)
                for (name, fault), count in wrong
            ]
        )
    if facts.problems:
        remedy = "its numbers count the cases of a part of the data"
        raise DataError(
            [Mistake("{reason:s}", remedy, reason=problem).of(source) for problem in facts.problems]
        )
    refuse_heavy(facts.weight)
    zeros, minus = facts.others[0], facts.others[-1]
    if zeros and minus:
        mistake = BOTH.prefix("column {column}: ", column=wanted.label).suffix(
            ", of {zeros:,} and {minus:,} of {cases:,} cases",
            zeros=zeros,
            minus=minus,
            cases=facts.cases,
        )
        raise mistake.error(source)
