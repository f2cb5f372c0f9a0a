"""Bounds of a share: the mean of labels 0 and 1 that people gave to some units, with a judge's
numbers of all.

Student's bounds are symmetric, and their error comes from the same few labels: if 15 % of the units
are ones, 30 labels covered 91 %. A judge's error that no label shows adds nothing to it.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from precall.core.ragged import Float64, Int64
from precall.stats import quantiles
from precall.stats.double_sampling import Choice, CorrectedMean, corrected_mean
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
    are_kinds: bool = True,
) -> ShareBounds | None:
    """Bounds of the mean `found`; None if it is no share, or if its labels have no spread: all are
    equal and the judge tells nothing of them, or the judge explains them all.

    If units were chosen alike, or alike in each stratum, and the judge says one of two things, each
    stratum has these two kinds of units, with W the share of a kind and p that of ones in it.
    Jeffreys' bounds of each p are combined by the squares of their distances (MOVER; Zou & Donner
    2008), to which a population adds the variance of W. If it says more than two things, the kinds
    are the strata, and squares count as far as the judge does not explain labels. Otherwise bounds
    are Wilson's for as many labels as would have this error.

    Parameters
    ----------
    found : the corrected mean.
    people : people's label of each unit of `choice.seen`.
    judge : the judge's number of every unit; equal ones if people count alone.
    choice : which units people labelled, and how they were chosen.
    level : nominal coverage.
    these : whether only these units count.
    are_kinds : whether bounds of kinds are combined, if there are at most two.
    """
    if not ((people == 0) | (people == 1)).all():
        return None
    if has_kinds(choice):
        has_two = len(np.unique(judge)) <= 2
        kind = _kinds(judge if has_two else np.zeros(choice.size), choice)
        is_open = not np.ptp(people)  # equal labels are no sign that the judge is right
        is_right = not is_open and not (np.abs(found.residuals) > _ROUNDING).any()
        if is_right or (is_open and not kind.any()):
            return None
        if are_kinds and (has_two or len(choice.parts) > 1):
            return _by_kind(found, people, judge, kind, choice, level, these)
    share = min(max(found.estimate, 0.0), 1.0)
    spread = share * (1 - share)
    if not spread or not found.error:
        return None
    # Student's quantile instead of the normal one is as if there were fewer labels.
    wider = (quantiles.z(level) / quantiles.t(level, found.freedom)) ** 2
    labels = spread / found.error**2 * wider
    return ShareBounds(wilson(share * labels, labels, level), None)


def has_kinds(choice: Choice) -> bool:
    """Whether units are of kinds: chosen alike, each by itself, or in strata.

    Parameters
    ----------
    choice : how people's units were chosen.
    """
    return not choice.are_weighted and (choice.is_alone or len(choice.parts) > 1)


def _kinds(judge: Float64, choice: Choice) -> Int64:
    """The kind of each unit: its stratum and what the judge says. A stratum is of one kind if the
    judge says one thing of all that people labelled there, and if people labelled all units.
    """
    said = np.unique(judge, return_inverse=True)[1].astype(np.int64)
    strata = np.arange(len(choice.parts))
    least, most = (np.full(len(strata), start) for start in (np.iinfo(np.int64).max, -1))
    np.minimum.at(least, choice.own, said[choice.seen])
    np.maximum.at(most, choice.own, said[choice.seen])
    is_one = (least == most) | choice.seen.all()
    both = choice.stratum * (said.max() + 1) + np.where(is_one[choice.stratum], 0, said)
    return np.unique(both, return_inverse=True)[1].astype(np.int64)


def _by_kind(
    found: CorrectedMean,
    people: Float64,
    judge: Float64,
    kind: Int64,
    choice: Choice,
    level: float,
    these: bool,
) -> ShareBounds:
    """Bounds of the mean, from those of the share of ones in each kind.

    Parameters
    ----------
    found : the corrected mean.
    people : people's labels.
    judge : the judge's number of every unit.
    kind : the kind of every unit.
    choice : which units people labelled.
    level : nominal coverage.
    these : whether only these units count.
    """
    own, total = kind[choice.seen], np.bincount(kind)
    said = np.bincount(kind, judge) / total
    part = total / total.sum()
    drawn = np.bincount(own)
    ones = np.bincount(own, people)
    share = ones / drawn
    alike = _labels_as_one(found, people, judge, choice, these)
    ends = np.array(
        [
            BOUNDS["jeffreys"](*counts, level)
            for counts in zip(ones / alike, drawn / alike, strict=True)
        ]
    )
    unexplained = _unexplained(found, people - share[own], judge, choice)
    left, rest = 1 - drawn / total if these else np.ones(len(total)), 0.0
    if unexplained is not None:
        # Student's quantile instead of the normal one, as the slope is of these labels.
        wider = (quantiles.t(level, found.freedom) / quantiles.z(level)) ** 2
        left, rest = left * unexplained * wider, float(np.mean((judge - said[kind]) ** 2))
    below, above = (float((part * gap) ** 2 @ left) for gap in np.abs(ends.T - share))

    def around(
        estimate: float, each: Float64, slope: float, below: float, above: float
    ) -> tuple[float, float]:
        between = float(part @ (each - part @ each) ** 2) + slope**2 * rest
        by_sizes = 0.0 if these else quantiles.z(level) ** 2 * between / choice.size
        # One slope for all strata moves the estimate from the middle, but not out of the bounds.
        middle = float(part @ each) if unexplained is None else estimate
        low, high = middle - math.sqrt(below + by_sizes), middle + math.sqrt(above + by_sizes)
        return min(low, estimate), max(high, estimate)

    low, high = around(found.estimate, share, found.slope, below, above)
    of_bias = around(found.bias, said - share, found.slope - 1, above, below)
    return ShareBounds((max(low, 0.0), min(high, 1.0)), of_bias)


def _unexplained(
    found: CorrectedMean, deviations: Float64, judge: Float64, choice: Choice
) -> Float64 | None:
    """By stratum, the part of the variance of labels that a judge who says more than two things
    leaves; None if the judge says fewer, as then kinds tell labels apart.

    It is that of all strata, or of its own if that is more. Equal labels leave all of it: they do
    not show what the judge has to say of others.

    Parameters
    ----------
    found : the corrected mean.
    deviations : of people's labels from the mean of their stratum.
    judge : the judge's number of every unit.
    choice : which units people labelled.
    """
    if len(np.unique(judge)) <= 2 or not found.slope or choice.seen.all():
        return None
    weight, strata = choice.share**2, len(choice.parts)
    squares, residuals = (
        np.bincount(choice.own, weight * each**2, minlength=strata)
        for each in (deviations, found.residuals)
    )
    if not squares.any():
        return None
    own = np.divide(residuals, squares, out=np.ones(strata), where=squares > 0)
    return np.clip(own, residuals.sum() / squares.sum(), 1.0)


def _labels_as_one(
    found: CorrectedMean,
    people: Float64,
    judge: Float64,
    choice: Choice,
    these: bool,
) -> float:
    """How many labels of a group tell as much as one of a unit that was chosen by itself."""
    if choice.is_alone:
        return 1.0
    if not found.error:
        return len(people) / choice.groups
    apart = corrected_mean(people, judge, replace(choice, group=None), these=these)
    return max((found.error / apart.error) ** 2, 1.0)
