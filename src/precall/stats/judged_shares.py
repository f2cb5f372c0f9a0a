"""Bounds of a share: the mean of labels 0 and 1 that people gave to some units, with a judge's
numbers of all.

Student's bounds are symmetric, and their error comes from the same few labels: if 15 % of the units
are ones, 30 labels covered 91 %. A judge's error that no label shows adds nothing to it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from precall.core.ragged import Float64, Int64
from precall.stats import quantiles
from precall.stats.double_sampling import Choice, CorrectedMean
from precall.stats.intervals.proportion import BOUNDS, wilson

#: Residuals below this are rounding.
_ROUNDING = 1e-12


class ShareBounds(NamedTuple):
    """Bounds of the share, and of how much the judge alone says too much; None if only Student's
    apply to the latter.
    """

    share: tuple[float, float]
    bias: tuple[float, float] | None


def share_bounds(
    found: CorrectedMean,
    people: Float64,
    judge: Float64,
    choice: Choice,
    *,
    level: float,
    these: bool,
    has_kinds: bool = True,
) -> ShareBounds | None:
    """Bounds of the mean `found`; None if it is no share, or if its labels have no spread: all are
    equal and the judge tells nothing of them, or the judge explains them all.

    If units were chosen alike and the judge says one of two things, the mean is Σ W p over these
    two kinds of units, W the share of the kind and p that of ones in it. Jeffreys' bounds of each p
    are combined by the squares of their distances (MOVER; Zou & Donner 2008), to which a population
    adds the variance of W. Otherwise they are Wilson's for as many labels as would have this error.

    Parameters
    ----------
    found : the corrected mean.
    people : people's label of each unit of `choice.seen`.
    judge : the judge's number of every unit; equal ones if people count alone.
    choice : which units people labelled, and how they were chosen.
    level : nominal coverage.
    these : whether only these units count.
    has_kinds : whether bounds of kinds are combined, if there are at most two.
    """
    if not ((people == 0) | (people == 1)).all():
        return None
    if choice.is_plain:
        kind = np.unique(judge, return_inverse=True)[1].astype(np.int64)
        own = kind[choice.seen]
        # The judge tells nothing of what people labelled, or there is nothing left to tell.
        if not np.ptp(own) or choice.seen.all():
            own, kind = own * 0, kind * 0
        is_open = not np.ptp(people)  # equal labels are no sign that the judge is right
        is_right = not is_open and not (np.abs(found.residuals) > _ROUNDING).any()
        if is_right or (is_open and not kind.any()):
            return None
        if has_kinds and kind.max() <= 1:
            said = np.bincount(kind, judge) / np.bincount(kind)
            return _by_kind(people, own, np.bincount(kind), said, level, these)
    share = min(max(found.estimate, 0.0), 1.0)
    spread = share * (1 - share)
    if not spread or not found.error:
        return None
    # Student's quantile instead of the normal one is as if there were fewer labels.
    wider = (quantiles.z(level) / quantiles.t(level, found.freedom)) ** 2
    labels = spread / found.error**2 * wider
    return ShareBounds(wilson(share * labels, labels, level), None)


def _by_kind(
    people: Float64, own: Int64, total: Int64, said: Float64, level: float, these: bool
) -> ShareBounds:
    """Bounds of Σ W p, from those of each p.

    Parameters
    ----------
    people : people's labels.
    own : the kind of each of their units.
    total : how many units of each kind there are.
    said : the judge's mean of each kind.
    level : nominal coverage.
    these : whether only these units count.
    """
    part = total / total.sum()
    drawn = np.bincount(own)
    ones = np.bincount(own, people)
    share = ones / drawn
    ends = np.array(
        [BOUNDS["jeffreys"](*counts, level) for counts in zip(ones, drawn, strict=True)]
    )
    left = 1 - drawn / total if these else np.ones(len(total))
    below, above = (float((part * gap) ** 2 @ left) for gap in np.abs(ends.T - share))

    def around(each: Float64, below: float, above: float) -> tuple[float, float]:
        middle = float(part @ each)
        by_sizes = 0.0 if these else float(part @ (each - middle) ** 2) / int(total.sum())
        by_sizes *= quantiles.z(level) ** 2
        return middle - math.sqrt(below + by_sizes), middle + math.sqrt(above + by_sizes)

    low, high = around(share, below, above)
    return ShareBounds((max(low, 0.0), min(high, 1.0)), around(said - share, above, below))
