"""Whether scores are turned: relevant cases score worse than others.

That happens if low scores are good and the caller did not say so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from precall.core.notes import Note
from precall.core.notes.of_curves import TurnedScores

if TYPE_CHECKING:
    from precall.cases.curves import Curve

#: Relevant and other cases of each block of equal score, the best block first.
Blocks: TypeAlias = tuple[np.ndarray[Any, np.dtype[Any]], np.ndarray[Any, np.dtype[Any]]]


def has_wrong_direction(lists: Iterable[Blocks]) -> bool:
    """Whether the area under ROC of one or more lists is further below .5 than by chance; missed
    cases do not count.

    The test statistic is the number of pairs in the right order, summed over the lists. It must be
    four standard deviations below its mean; ties lessen the deviation. Sums of weights that are not
    counts have no such deviation, so the answer for them is no.

    Examples
    --------
    >>> up, down = np.array([0] * 30 + [1] * 30), np.array([1] * 30 + [0] * 30)
    >>> lists = [(up, down)], [(down, up)], [(up, down), (down, up)]
    >>> tuple(map(has_wrong_direction, lists))
    (True, False, False)
    """
    excess = variance = 0.0
    for positive, negative in lists:
        if positive.dtype.kind == "f":
            return False
        hits, others = float(positive.sum()), float(negative.sum())
        below = others - np.cumsum(negative) + negative / 2
        excess += float(positive @ below) - hits * others / 2
        variance += hits * others * (hits + others + 1) / 12
    return excess < -4 * math.sqrt(variance)


def turned_scores(
    lists: Iterable[Blocks], higher_is_better: bool, name: str = ""
) -> tuple[Note, ...]:
    """The note that scores of this name are turned; empty if they are not."""
    return (TurnedScores(name, higher_is_better),) if has_wrong_direction(lists) else ()


def notes_of_curve(curve: Curve) -> tuple[Note, ...]:
    """The notes of a curve's labels and scores."""
    return *curve.notes, *turned_scores(
        [(np.diff(curve.tp), np.diff(curve.fp))], curve.higher_is_better
    )
