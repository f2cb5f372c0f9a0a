"""Whether scores are turned: relevant cases score worse than others, as where low scores are good
and nobody said so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from precall.core.notes import Note
from precall.core.notes.of_curves import TurnedScores

if TYPE_CHECKING:
    from precall.cases.path import Curve

#: Relevant and other cases of each block of equal score, the best block first.
Blocks: TypeAlias = tuple[np.ndarray[Any, np.dtype[Any]], np.ndarray[Any, np.dtype[Any]]]


def are_turned(lists: Iterable[Blocks]) -> bool:
    """Whether the area under ROC, in each of one list or more, is further below .5 than chance
    takes it, missed cases aside.

    By four standard deviations, which ties lessen, of the sum over the lists of pairs that are in
    order. Sums of weights that are no counts have no such deviation.

    Examples
    --------
    >>> up, down = np.array([0] * 30 + [1] * 30), np.array([1] * 30 + [0] * 30)
    >>> are_turned([(up, down)]), are_turned([(down, up)]), are_turned([(up, down), (down, up)])
    (True, False, False)
    """
    apart = variance = 0.0
    for positive, negative in lists:
        if positive.dtype.kind == "f":
            return False
        hits, others = float(positive.sum()), float(negative.sum())
        below = others - np.cumsum(negative) + negative / 2
        apart += float(positive @ below) - hits * others / 2
        variance += hits * others * (hits + others + 1) / 12
    return apart < -4 * math.sqrt(variance)


def turned_scores(
    lists: Iterable[Blocks], higher_is_better: bool, name: str = ""
) -> tuple[Note, ...]:
    """That scores of this name are turned, if they are."""
    return (TurnedScores(name, higher_is_better),) if are_turned(lists) else ()


def notes_of_curve(curve: Curve) -> tuple[Note, ...]:
    """What is to be known of the labels and scores of a curve."""
    return *curve.notes, *turned_scores(
        [(np.diff(curve.tp), np.diff(curve.fp))], curve.higher_is_better
    )
