"""Whether scores are turned: relevant cases score worse than others.

That happens if low scores are good and the caller did not say so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np

from precall.core.notes import Note
from precall.core.notes.of_curves import TurnedScores

#: How many relevant and other cases score at least this much: zero first, then a row for each block
#: of equal score, the best block first.
Sums: TypeAlias = tuple[np.ndarray[Any, np.dtype[Any]], np.ndarray[Any, np.dtype[Any]]]
#: Products of whole numbers below it are exact, even if their sums overflow on the way.
_EXACT = 2**62


def has_wrong_direction(lists: Iterable[Sums]) -> bool:
    """Whether the area under ROC of one or more lists is further below .5 than by chance; missed
    cases do not count.

    The test statistic is the number of pairs in the right order, summed over the lists. It must be
    four standard deviations below its mean; ties lessen the deviation. Sums of weights that are not
    counts have no such deviation, so the answer for them is no.

    Examples
    --------
    >>> up, down = np.array([0] * 31 + [*range(1, 31)]), np.array([*range(31)] + [30] * 30)
    >>> lists = [(up, down)], [(down, up)], [(up, down), (down, up)]
    >>> tuple(map(has_wrong_direction, lists))
    (True, False, False)
    """
    excess = variance = 0.0
    for tp, fp in lists:
        if tp.dtype.kind == "f":
            return False
        hits, others = tp[-1].item(), fp[-1].item()
        if hits * others >= _EXACT:
            tp, fp = tp.astype(np.float64), fp.astype(np.float64)
        # Twice the area under the steps' diagonals, minus the whole, by summation by parts.
        excess += (fp[1:].dot(tp[:-1]).item() - fp[:-1].dot(tp[1:]).item()) / 2
        variance += hits * others * (hits + others + 1) / 12
    return excess < -4 * math.sqrt(variance)


def sums_of_counts(counts: np.ndarray[Any, np.dtype[Any]]) -> np.ndarray[Any, np.dtype[Any]]:
    """How many cases score at least this much, zero first.

    Examples
    --------
    >>> sums_of_counts(np.array([2, 0, 3], np.uint8))
    array([0, 2, 2, 5])
    """
    sums = np.zeros(len(counts) + 1, np.float64 if counts.dtype.kind == "f" else np.int64)
    np.cumsum(counts, out=sums[1:])
    return sums


def turned_scores(
    lists: Iterable[Sums], higher_is_better: bool, name: str = ""
) -> tuple[Note, ...]:
    """The note that scores of this name are turned; empty if they are not."""
    return (TurnedScores(name, higher_is_better),) if has_wrong_direction(lists) else ()


class NotesOfScores:
    """Notes of labels and scores: what was noticed when they were read, and whether the scores are
    turned. The latter takes a look at all of them, so it is left until the notes are read.

    Examples
    --------
    >>> counts = np.array([0] * 31 + [*range(1, 31)]), np.array([*range(31)] + [30] * 30)
    >>> [note.kind for note in NotesOfScores((), counts, True).read()]
    ['turned-scores']
    """

    __slots__ = ("_all", "_higher_is_better", "_noticed", "_sums")

    def __init__(
        self, noticed: tuple[Note, ...], sums: Sums | None = None, higher_is_better: bool = True
    ) -> None:
        self._noticed = self._all = noticed
        self._sums = sums
        self._higher_is_better = higher_is_better

    def read(self) -> tuple[Note, ...]:
        """All notes. The counts are released, so that the notes of a point keep no curve alive."""
        # Threads may read at the same time; they find the same.
        sums = self._sums
        if sums is not None:
            self._all = (*self._noticed, *turned_scores([sums], self._higher_is_better))
            self._sums = None
        return self._all

    def __reduce__(self) -> tuple[object, ...]:
        return NotesOfScores, (self.read(),)
