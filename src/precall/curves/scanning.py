"""Scored cases of any size: the passes over their batches, and what is kept of those that come only once.

Pass 1 keeps relevant scores, pass 2 counts other cases between them (`precall.curves.gaps`), and one more looks for the
scores beside the counts of cases that are asked for. What can be read once only is spooled: other cases to a file on disk.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, Any, NamedTuple, TypeAlias

import numpy as np

from precall.curves.cases import Scores, Weights
from precall.curves.gaps import Gaps, RelevantScores, Rows, Sample, Within
from precall.curves.path import Curve
from precall.errors import UsageError
from precall.ragged import Bool, Int64

#: A distinct relevant score and its counts, in both passes.
_BYTES = 96


class Batch(NamedTuple):
    """Some cases: labels, scores by name, weights, and the rows of each group."""

    relevant: Bool
    scores: Mapping[str, Scores]
    weights: Weights | None = None
    groups: Mapping[str, Int64] | None = None

    def parts(self) -> Iterator[tuple[tuple[str, str], Bool, Scores, Weights | None]]:
        """The cases of each score and group."""
        rows: Mapping[str, Any] = {"": slice(None)} if self.groups is None else self.groups
        for group, chosen in rows.items():
            weights = None if self.weights is None else self.weights[chosen]
            for name, score in self.scores.items():
                yield (name, group), self.relevant[chosen], score[chosen], weights


#: A part, its gap, how many cases of it are accepted, and what is found there.
Lacking: TypeAlias = tuple[Any, int, Any, Within]
#: What gives all batches, each time that it is called; or once only, and then they are spooled.
Batches = Callable[[], Iterable[Batch]]


@dataclass(slots=True)
class Asked:
    """What a scan is asked for beside what depends on relevant scores."""

    thresholds: tuple[float, ...] = ()
    accepted: tuple[int, ...] = ()
    """Counts of cases that a threshold accepts."""
    missed: int = 0
    higher_is_better: bool = True
    memory: int = 1 << 30
    """Bytes that distinct relevant scores may take."""
    progress: Callable[[int, int], None] | None = None
    """Called with (pass, cases read) after each batch."""


@dataclass(slots=True)
class Scan:
    """The passes over batches of cases; `curves` makes them.

    Parameters
    ----------
    batches : gives them anew for each pass, or once only.
    again : whether it gives them anew.
    """

    batches: Batches
    again: bool
    asked: Asked
    known: dict[tuple[str, str], RelevantScores] = field(default_factory=dict)
    passes: int = 0
    cases: int = 0
    _samples: dict[tuple[str, str], Sample] = field(default_factory=dict)
    _weighted: bool = False

    def curves(self) -> dict[tuple[str, str], Curve]:
        """The curve of each score and group."""
        with _spool(self.again) as spool:
            self._count_relevant(spool)
            gaps = {part: Gaps.of(known, self._thresholds()) for part, known in self.known.items()}
            near = {part: self._guessed(part, gap) for part, gap in gaps.items()}
            for part, *cases in self._read(spool):
                gaps[part].add(*cases)
                for within in near[part]:
                    within.add(*cases)
            rows = self._beside(gaps, near, spool)
        return {
            part: gap.curve(self.asked.missed, self._weighted, rows.get(part), self._accepted(gap))
            for part, gap in gaps.items()
        }

    def _accepted(self, gap: Gaps) -> set[int]:
        """Where precision equals recall, and as asked."""
        return {gap.hits.sum().item() + self.asked.missed, *self.asked.accepted}

    def _thresholds(self) -> tuple[float, ...]:
        sign = 1 if self.asked.higher_is_better else -1
        return tuple(sign * threshold for threshold in self.asked.thresholds)

    def _count_relevant(self, spool: Spool | None) -> None:
        """Pass 1."""
        self.passes = 1
        for batch in self.batches():
            self.cases += len(batch.relevant)
            self._weighted |= batch.weights is not None
            for part, *columns in batch.parts():
                cases = self._turned(columns)
                self.known.setdefault(part, RelevantScores()).add(*cases)
                self._samples.setdefault(part, Sample()).add(cases[1])
            if spool is not None:
                spool.append(batch)
            size = sum(known.size for known in self.known.values()) * _BYTES
            if size > self.asked.memory:
                raise UsageError(
                    f"memory: {size // _BYTES:,} distinct scores of relevant cases take {size:,} bytes, and "
                    f"{self.asked.memory:,} are allowed; allow more, or give scores in float32, of which fewer are distinct"
                )
            self._tell(self.cases)

    def _read(self, spool: Spool | None) -> Iterator[tuple[Any, ...]]:
        """The cases of each part, once more."""
        self.passes += 1
        cases = 0
        for batch in self.batches() if spool is None else spool:
            for part, *columns in batch.parts():
                if part not in self.known:
                    raise UsageError("batches: they must be the same each time that they are read")
                yield part, *self._turned(columns)
            cases += len(batch.relevant)
            self._tell(cases)

    def _turned(self, columns: list[Any]) -> tuple[Any, ...]:
        relevant, score, weights = columns
        return relevant, score if self.asked.higher_is_better else -score, weights

    def _tell(self, cases: int) -> None:
        if self.asked.progress is not None:
            self.asked.progress(self.passes, cases)

    def _guessed(self, part: tuple[str, str], gap: Gaps) -> list[Within]:
        """Scores to keep in pass 2, so that no further one is needed; weights are no counts of cases, and are not guessed."""
        if self._weighted:
            return []
        guesses = (self._samples[part].around(count) for count in self._accepted(gap))
        return [within for within in guesses if within is not None]

    def _beside(
        self, gaps: Mapping[Any, Gaps], near: Mapping[Any, list[Within]], spool: Spool | None
    ) -> dict[Any, dict[int, Rows]]:
        """The scores beside a count of cases that is asked for, or that of all relevant ones, where it is reached in a gap.

        One more pass, unless they were guessed.
        """
        lacking: list[Lacking] = []
        rows: dict[Any, dict[int, Rows]] = {part: {} for part in gaps}
        for part, gap in gaps.items():
            for at, inside in map(gap.place, self._accepted(gap)):
                ends = gap.ends(at) if at >= 0 else (None, None)
                guess = next((within for within in near[part] if within.holds(*ends)), None)
                if at >= 0 and guess is None:
                    lacking.append((part, at, inside, Within(*ends)))
                elif at >= 0 and guess is not None:
                    rows[part].setdefault(at, []).extend(guess.rows(*ends, inside))
        self._look(lacking, spool)
        for part, at, inside, within in lacking:
            rows[part].setdefault(at, []).extend(within.rows(within.low, within.high, inside))
        return rows

    def _look(self, lacking: list[Lacking], spool: Spool | None) -> None:
        """Other cases between the scores that are looked for."""
        for part, *cases in self._read(spool) if lacking else ():
            for looked, _, _, within in lacking:
                if looked == part:
                    within.add(*cases)


class Spool:
    """Other cases in a file that has no name, so that nothing is left of it whatever happens.

    Of each batch: how many cases, then its columns as they are.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._heads: list[tuple[int, list[tuple[str, str]], str | None, list[tuple[str, int]] | None]] = []

    def append(self, batch: Batch) -> None:
        """One more batch."""
        rest = ~batch.relevant
        groups = None
        order: Any = np.flatnonzero(rest)
        if batch.groups is not None:
            chosen = {name: rows[rest[rows]] for name, rows in batch.groups.items()}
            groups = [(name, len(rows)) for name, rows in chosen.items()]
            order = np.concatenate([np.zeros(0, np.int64), *chosen.values()])
        columns = {name: score[order] for name, score in batch.scores.items()}
        weights = None if batch.weights is None else batch.weights[order]
        kinds = [(name, column.dtype.str) for name, column in columns.items()]
        self._heads.append((len(order), kinds, None if weights is None else weights.dtype.str, groups))
        for column in (*columns.values(), *([] if weights is None else [weights])):
            self._file.write(np.ascontiguousarray(column).data)

    def __iter__(self) -> Iterator[Batch]:
        self._file.flush()
        self._file.seek(0)
        for size, kinds, weight, groups in self._heads:
            scores: dict[str, Any] = {name: self._column(size, kind) for name, kind in kinds}
            weights: Any = None if weight is None else self._column(size, weight)
            rows = None
            if groups is not None:
                ends = np.cumsum([0, *(count for _, count in groups)])
                rows = {name: np.arange(ends[i], ends[i + 1]) for i, (name, _) in enumerate(groups)}
            yield Batch(np.zeros(size, np.bool_), scores, weights, rows)

    def _column(self, size: int, kind: str) -> Any:
        dtype = np.dtype(kind)
        return np.frombuffer(self._file.read(size * dtype.itemsize), dtype)


@contextmanager
def _spool(again: bool) -> Iterator[Spool | None]:
    if again:
        yield None
        return
    try:
        with tempfile.TemporaryFile() as file:
            yield Spool(file)
    except OSError as error:
        raise _no_room(error) from error


def _no_room(error: OSError) -> OSError:
    folder = tempfile.gettempdir()
    what = f"{error.strerror or error}, spooling cases that can be read once only; set TMPDIR to a folder with room"
    return OSError(error.errno, what, folder)
