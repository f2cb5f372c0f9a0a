"""Scored cases of any size: the passes over their batches, and spooling of batches that can be read
only once.

Pass 1 keeps relevant scores. Pass 2 counts other cases between them
(`precall.cases.between_scores`). One more pass finds the scores next to requested counts of cases.
If the data can be read only once, its other cases are spooled to a file on disk. Relevant scores
that memory does not hold go to buckets (`precall.cases.buckets`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from precall.cases.between_scores import (
    Gaps,
    RelevantScores,
    Rows,
    choose,
    in_order,
    own_thresholds,
)
from precall.cases.buckets import Buckets
from precall.cases.case_batches import Batch, Seen
from precall.cases.curves import Curve
from precall.cases.scored_cases import Scores, orient, refuse_heavy
from precall.cases.spooling import Once, Shelf
from precall.cases.threshold_search import Sample, Within
from precall.core.errors import UsageError
from precall.core.ragged import Bool, Float64, Int64

if TYPE_CHECKING:
    import numpy.typing as npt


#: Bytes of a distinct relevant score and its counts, in both passes; and the number of scores that
#: are held whatever the bound.
_BYTES, LEAST = 150, 1 << 16
#: Most other cases that wait to be counted.
_MANY = 1 << 23


#: A score and group, its gap, how many cases of the gap are accepted, and the range in which they
#: are found.
Lacking: TypeAlias = tuple[Any, int, Any, Within]
_AGAIN = "batches must be the same each time that they are read"
#: A function that returns all batches each time it is called; or only once, and then they are
#: spooled.
Batches = Callable[[], Iterable[Batch]]


class _Waiting:
    """Other cases that wait to be counted until they outnumber the edges several times: each edge
    is looked up among them.
    """

    def __init__(self, gaps: Gaps) -> None:
        self._gaps = gaps
        self._most = min(8 * len(gaps.edges), _MANY)
        self._room: Any = np.zeros(0, np.float32)
        self._cases = 0

    def add(self, relevant: Bool, score: Scores, weights: object = None) -> None:
        """Add a batch of cases."""
        if weights is not None or len(score) > self._most:
            self._gaps.add(relevant, score, weights)
            return
        others = choose(~relevant, score)
        if self._cases + len(others) > len(self._room) or score.dtype != self._room.dtype:
            self.count()
            if not len(self._room) or score.dtype != self._room.dtype:
                self._room = np.empty(self._most, score.dtype)
        self._room[self._cases : self._cases + len(others)] = others
        self._cases += len(others)

    def count(self) -> None:
        """Count the waiting cases."""
        score, self._cases = self._room[: self._cases], 0
        self._gaps.count(in_order(score, score), None)


@dataclass(slots=True)
class ScanRequest:
    """What was requested of a scan in addition to points that depend on relevant scores."""

    thresholds: tuple[float, ...] = ()
    accepted: tuple[int, ...] = ()
    """Requested counts of accepted cases."""
    missed: int = 0
    higher_is_better: bool = True
    memory: int = 1 << 30
    """Bytes that distinct relevant scores may take; the rest goes to disk."""
    progress: Callable[[int, int], None] | None = None
    """Called with (pass, cases read) after each batch."""


@dataclass(slots=True)
class Scan:
    """The passes over batches of cases; `curves` runs them.

    Parameters
    ----------
    batches : returns them again for each pass, or only once.
    again : whether it returns them again.
    """

    batches: Batches
    again: bool
    asked: ScanRequest
    known: dict[tuple[str, str], RelevantScores] = field(default_factory=dict)
    passes: int = 0
    seen: Seen = field(default_factory=Seen)
    """Totals of pass 1."""
    _samples: dict[tuple[str, str], Sample] = field(default_factory=dict)
    _buckets: dict[tuple[str, str], Buckets] = field(default_factory=dict)

    def curves(self) -> dict[tuple[str, str], Curve]:
        """The curve of each score and group."""
        with Shelf() as shelf:
            spool = None if self.again else Once(shelf, LEAST)
            self._count_relevant(spool, shelf)
            counts = {key: self._between(key, scores) for key, scores in self.known.items()}
            waiting = {
                key: _Waiting(count) for key, count in counts.items() if isinstance(count, Gaps)
            }
            near = {key: self._guess_ranges(key, count) for key, count in counts.items()}
            for key, *cases in self._read(spool):
                waiting.get(key, counts[key]).add(*cases)
                for within in near[key]:
                    within.add(*cases)
            for key in waiting:
                waiting[key].count()
            gaps = {
                key: count.gaps(self._thresholds(count.dtype))
                if isinstance(count, Buckets)
                else count
                for key, count in counts.items()
            }
            rows = self._scores_at_counts(gaps, near, spool)
        return self._curves(gaps, rows)

    def _curves(
        self, gaps: Mapping[Any, Gaps], rows: Mapping[Any, dict[int, Rows]]
    ) -> dict[Any, Curve]:
        """The curves by all counts. If weights are real in one group they are real in all, as when
        a column is read whole.
        """
        kind = np.float64 if self.seen.real else np.int64
        request, weighted, notes = self.asked, self.seen.weighted, self.seen.kinds.notes()
        curves = {
            key: self._with_given_scores(
                gap.curve(request.missed, weighted, rows.get(key), self._accept_points(gap), kind)
            )
            for key, gap in gaps.items()
        }
        return {key: replace(curve, noticed=notes) for key, curve in curves.items()}

    def _with_given_scores(self, curve: Curve) -> Curve:
        """The curve with thresholds as the scores were given."""
        if self.asked.higher_is_better or curve.asked is None:
            return curve
        # In place, because thresholds may be larger than memory.
        np.subtract(0.0, curve.threshold, out=curve.threshold)
        own = frozenset(orient(threshold, False) for threshold in curve.asked.thresholds)
        return replace(curve, asked=curve.asked._replace(thresholds=own), higher_is_better=False)

    def _between(self, part: tuple[str, str], known: RelevantScores) -> Gaps | Buckets:
        """What counts the other cases in pass 2: in memory, or on disk."""
        buckets = self._buckets.get(part)
        if buckets is None:
            return self._among(known)
        buckets.keep(known)
        return buckets

    def _among(self, known: RelevantScores) -> Gaps:
        dtype = known.dtype or np.float64
        return Gaps.among(*known.distinct_scores(), self._thresholds(dtype), dtype)

    def _accept_points(self, gap: Gaps | Buckets) -> set[int]:
        """Counts of accepted cases whose neighbouring scores are needed: where precision equals
        recall, and the requested ones.
        """
        return {gap.total + self.asked.missed, *self.asked.accepted}

    def _thresholds(self, dtype: object) -> Float64:
        oriented = (
            orient(threshold, self.asked.higher_is_better) for threshold in self.asked.thresholds
        )
        return own_thresholds(oriented, dtype)

    def _count_relevant(self, spool: Once | None, shelf: Shelf) -> None:
        """Pass 1: keep the relevant scores."""
        self.passes = 1
        for batch in self.batches():
            self.seen.add(batch, self.again)
            refuse_heavy(self.seen.weight)
            for key, *columns in batch.parts():
                cases = self._turn(columns)
                self.known.setdefault(key, RelevantScores()).add(*cases)
                self._samples.setdefault(key, Sample()).add(cases[1])
            if spool is not None:
                spool.append(batch)
            self._bound(shelf)
            self._tell(self.seen.cases)

    def _bound(self, shelf: Shelf) -> None:
        """Move relevant scores to disk if they exceed memory."""
        most = max(self.asked.memory // _BYTES, LEAST)
        if sum(scores.size for scores in self.known.values()) <= most:
            return
        for scores in self.known.values():
            scores.distinct_scores()
        if 2 * sum(scores.size for scores in self.known.values()) > most:
            for key, scores in self.known.items():
                self._buckets.setdefault(key, Buckets(shelf, most)).keep(scores)

    def _read(self, spool: Once | None) -> Iterator[tuple[Any, ...]]:
        """The cases of each score and group, in a further pass."""
        self.passes += 1
        seen = Seen()
        for batch in self.batches() if spool is None else spool:
            for key, *columns in batch.parts():
                if key not in self.known:
                    raise UsageError(
                        argument="batches",
                        what="{got} was not there before",
                        got=key[1] or key[0],
                        remedy=_AGAIN,
                    )
                yield key, *self._turn(columns)
            seen.add(batch, self.again)
            self._tell(seen.cases)
        if self.again:
            self.seen.refuse_change("batches", seen, _AGAIN)

    def _turn(self, columns: list[Any]) -> tuple[Bool, npt.NDArray[Any], Int64 | Float64 | None]:
        relevant, score, weights = columns
        return relevant, orient(score, self.asked.higher_is_better), weights

    def _tell(self, cases: int) -> None:
        if self.asked.progress is not None:
            self.asked.progress(self.passes, cases)

    def _guess_ranges(self, part: tuple[str, str], gap: Gaps | Buckets) -> list[Within]:
        """Ranges of scores to keep in pass 2, so that no further pass is needed. Nothing is guessed
        with weights, as their sums are no counts of cases.
        """
        if self.seen.weighted:
            return []
        guesses = (self._samples[part].around(count) for count in self._accept_points(gap))
        return [within for within in guesses if within is not None]

    def _scores_at_counts(
        self, gaps: Mapping[Any, Gaps], near: Mapping[Any, list[Within]], spool: Once | None
    ) -> dict[Any, dict[int, Rows]]:
        """The scores next to each requested count of cases, and next to the count of all relevant
        cases, if it is reached inside a gap.

        One more pass, unless they were guessed.
        """
        lacking: list[Lacking] = []
        rows: dict[Any, dict[int, Rows]] = {key: {} for key in gaps}
        for key, gap in gaps.items():
            for at, inside in map(gap.place, self._accept_points(gap)):
                ends = gap.ends(at) if at >= 0 else (None, None)
                guess = next((within for within in near[key] if within.holds(*ends)), None)
                if at >= 0 and guess is None:
                    lacking.append((key, at, inside, Within(*ends)))
                elif at >= 0 and guess is not None:
                    rows[key].setdefault(at, []).extend(guess.rows(*ends, inside))
        self._look(lacking, spool)
        for key, at, inside, within in lacking:
            rows[key].setdefault(at, []).extend(within.rows(within.low, within.high, inside))
        return rows

    def _look(self, lacking: list[Lacking], spool: Once | None) -> None:
        """Keep the other cases in the ranges that are still lacking."""
        for key, *cases in self._read(spool) if lacking else ():
            for looked, _, _, within in lacking:
                if looked == key:
                    within.add(*cases)
