"""Areas of scored cases from people's labels of some and a judge's of all.

Every case counts as two: a relevant one of mass w and another one of mass 1 - w. A model m of the
judge's label and the scores says how likely the case is relevant; people's labels y, which were
given with probability π, correct it: w = m + (y - m) / π where there is one, else m. Its mean is y,
whatever the model. Numbers of accepted cases stay exact. The model is a logistic regression, fitted
to the labels of other folds than the case's own, so that no label is in its own prediction.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from precall.core.counts import by_mcclish
from precall.core.ragged import Float64, Int64
from precall.stats import influence
from precall.stats.blocks import Blocks
from precall.stats.double_sampling import Choice

_FOLDS, _STEPS = 5, 50
#: Ridges that are tried; the one that predicts the labels of other folds best is taken.
_RIDGES = (1.0, 0.1, 0.01)
#: With more different values than this, a column also counts by its ranks.
_FEW_VALUES = 10
_FARTHEST = 30.0
#: Cases whose probabilities are computed at once.
_ROWS = 1 << 14
#: Standardized values farther out count as this.
_MOST = 4.0


class Masses(NamedTuple):
    """How relevant each case is taken to be.

    `mass` has the corrections by people's labels, `expected` is the model alone, and `noise` the
    variance that the choice of people's cases gives to the mass.
    """

    mass: Float64
    expected: Float64
    noise: Float64


def masses_of(people: Float64, judge: Float64, scores: Sequence[Float64], choice: Choice) -> Masses:
    """The masses of all cases.

    Parameters
    ----------
    people : people's labels, of the cases of `choice.seen`.
    judge : the judge's label of every case.
    scores : the scores of every case, by each system.
    choice : which cases people labelled, and how they were chosen.
    """
    columns = [feature for column in (judge, *scores) for feature in _features(column)]
    features = np.stack([np.ones(choice.size), *columns], axis=1)
    at = np.flatnonzero(choice.seen)
    fold = _folds(people, features[at], choice)
    inside = features[at]
    others = fold != np.arange(_FOLDS)[:, None]
    fits = _fits(inside, people, others * (choice.share / choice.share.mean()))
    best = min(fits, key=lambda each: _loss(inside, people, choice.share * ~others, each))
    mean = np.empty(choice.size)
    for start in range(0, choice.size, _ROWS):  # what fits into a cache takes an eighth of the time
        part = slice(start, start + _ROWS)
        mean[part] = _probability(features[part] @ best.T).mean(axis=1)
    own = _probability(np.einsum("np,np->n", inside, best[fold]))
    mean[at] = own
    mass, noise = mean.copy(), np.zeros(choice.size)
    correction = (people - own) / choice.chance
    mass[at] += correction
    noise[at] = correction**2 * (1 - choice.chance)
    return Masses(mass, mean, noise)


def _fits(features: Float64, labels: Float64, weight: Float64) -> list[Float64]:
    """The coefficients of each fold's model, folds x features, with each ridge; each begins at the
    one before it.

    Parameters
    ----------
    features : cases x features.
    labels : of the cases.
    weight : of each case in each fold's model, folds x cases.
    """
    found = [np.zeros((len(weight), features.shape[1]))]
    for ridge in _RIDGES:
        found.append(_logistic(features, labels, weight, ridge, found[-1]))
    return found[1:]


def _loss(features: Float64, labels: Float64, weight: Float64, coefficients: Float64) -> float:
    """Minus the logarithm of the likelihood of labels that a fold's model was not fitted to."""
    share = _probability(coefficients @ features.T)
    return -float((weight * np.log(np.where(labels == 1, share, 1 - share))).sum())


def _features(column: Float64) -> list[Float64]:
    """A column with mean 0 and variance 1; of many values also the log-odds of their ranks.

    Either alone can fail: scores may have far tails, and ranks hide a gap between relevant and
    other cases.
    """
    features = [_standardize(column)]
    values, code, count = np.unique(column, return_inverse=True, return_counts=True)
    if len(values) > _FEW_VALUES:
        share = (np.cumsum(count) - count / 2)[code] / len(column)
        features.append(_standardize(np.log(share / (1 - share))))
    return features


def _standardize(column: Float64) -> Float64:
    spread = float(column.std())
    centred = column - column.mean()
    clipped: Float64 = np.clip(centred / spread, -_MOST, _MOST) if spread > 0 else centred
    return clipped


def _folds(people: Float64, features: Float64, choice: Choice) -> Int64:
    """The fold of each of people's cases: dealt out in the order of labels and features, so that
    folds are alike and do not depend on the order of the cases. Those of a group are in one fold.
    """
    # By the sum of all features, as the order of systems must not matter.
    keys = (features[:, 1], features[:, 1:].sum(axis=1).round(9), choice.chance, people)
    if choice.group is None:
        fold = np.empty(len(people), np.int64)
        fold[np.lexsort(keys)] = np.arange(len(people)) % _FOLDS
        return fold
    group = np.unique(choice.group[choice.seen], return_inverse=True)[1]
    size = np.bincount(group)
    sums = [np.bincount(group, key) for key in keys]
    of_group = np.empty(len(size), np.int64)
    of_group[np.lexsort((*sums, size))] = np.arange(len(size)) % _FOLDS
    return of_group[group]


def _logistic(
    features: Float64, labels: Float64, weight: Float64, penalty: float, start: Float64
) -> Float64:
    """Coefficients of logistic regressions with a ridge on all but the intercept, by Newton's
    method; those of all folds at once.
    """
    ridge = np.full(features.shape[1], penalty)
    ridge[0] = 1e-6
    coefficients = start
    for _ in range(_STEPS):
        share = _probability(coefficients @ features.T)
        slope = (weight * (labels - share)) @ features - ridge * coefficients
        curved = (weight * share * (1 - share))[:, :, None] * features
        curvature = np.matmul(features.T, curved) + np.diag(ridge)
        step = np.linalg.solve(curvature, slope[:, :, None])[:, :, 0]
        # A long step would throw a fold of one kind of labels far away.
        longest = np.abs(step).max(axis=1, keepdims=True)
        coefficients = coefficients + step * np.minimum(1.0, 5.0 / np.maximum(longest, 1e-300))
        if longest.max() < 1e-7:
            break
    return coefficients


def _probability(odds: Float64) -> Float64:
    share: Float64 = 1 / (1 + np.exp(-np.clip(odds, -_FARTHEST, _FARTHEST)))
    return share


@dataclass(frozen=True, slots=True)
class Area:
    """Average precision, or the area under ROC: all of it, its part up to a false positive rate, or
    that on McClish's scale.
    """

    name: str
    part: float | None = None
    mcclish: bool = False

    @property
    def is_whole_roc(self) -> bool:
        """Whether it counts all places of the order alike."""
        return self.name == "AUC" and self.part is None

    def reported(self, value: float) -> float:
        """The value that users see, of an area in [0, 1]."""
        if self.part is not None and self.mcclish:
            return by_mcclish(value * self.part, self.part)
        return self.stretched(value)

    def stretched(self, difference: float) -> float:
        """The same of a difference, or of a standard error."""
        if self.part is None:
            return difference
        stretch = 0.5 / (1 - self.part / 2) if self.mcclish else self.part
        return difference * stretch


class Measured(NamedTuple):
    """An area in [0, 1], and the influence of a relevant and of another case with the rank of each
    case.
    """

    value: float
    up: Float64
    down: Float64


def measure_masses(
    relevant: Float64,
    other: Float64,
    block: Int64,
    area: Area,
    noise: Float64 | None = None,
) -> Measured:
    """An area of cases with masses, and its influences.

    Average precision counts a relevant case in the precision at its own place, and of masses the
    mean of w² is more than that of w. What that adds, Σ noise / A / R for A accepted cases, is
    taken off.

    Parameters
    ----------
    relevant : the relevant mass of each case.
    other : its other mass.
    block : its place in the order of scores, 0 for the highest one; equal scores share one.
    area : what is measured.
    noise : see `Masses`; None if labels are certain.
    """
    size = int(block.max()) + 1
    hits = np.bincount(block, relevant, size).astype(np.float64)
    others = np.bincount(block, other, size).astype(np.float64)
    if area.name == "AUC" and area.part is not None:
        value, up, down = _part_under_roc(hits, others, area.part)
        return Measured(value / area.part, up[block] / area.part, down[block] / area.part)
    blocks = Blocks(hits, others)
    if area.name == "AUC":
        found = influence.area_under_roc(blocks)
        return Measured(found.value, found.positive[block], found.negative[block])
    with np.errstate(invalid="ignore", divide="ignore"):
        found = influence.average_precision(blocks)
        value = found.value
        if noise is not None:
            accepted = np.cumsum(hits + others)
            value -= float(np.bincount(block, noise, size) @ (1 / accepted)) / float(hits.sum())
        return Measured(value, found.positive[block], found.negative[block])


def _part_under_roc(hits: Float64, others: Float64, part: float) -> tuple[float, Float64, Float64]:
    """The area up to a false positive rate, and its influences: a relevant case has the share of
    others below it within the part, another case the share of relevant ones above it.

    Masses below 0 let the curve turn back for a step, so the part ends where the greatest rate so
    far passes it.
    """
    relevant, rest = float(hits.sum()), float(others.sum())
    tp, fp = np.cumsum(hits), np.maximum.accumulate(np.cumsum(others))
    limit = part * rest
    before = np.concatenate(([0.0], fp[:-1]))
    width = fp - before
    room = limit - before
    share = np.divide(
        np.clip(room, 0.0, width), width, out=(room > 0).astype(np.float64), where=width > 0
    )
    won = share * (np.maximum(room, 0.0) - share * width / 2) / rest
    first = min(int(np.searchsorted(fp, limit)), len(fp) - 1)
    above = tp - hits
    height = above[first] + share[first] * hits[first]
    lost = (share * (above + share * hits / 2 - height) + part * height) / relevant
    value = float(hits @ won) / relevant
    return value, (won - value) / relevant, (lost - value) / rest


def freedom_of(people: Float64, choice: Choice, influences: Float64) -> float:
    """Degrees of freedom of the variance: one less than the scarcer kind of labels, and than the
    groups; or fewer, if few labels carry the variance (Satterthwaite).

    Parameters
    ----------
    people : people's labels.
    choice : how they were chosen.
    influences : of each case, or of each group.
    """
    relevant = float(people.sum())
    # Unequal weights count as their effective number.
    shrunk = choice.effective / len(people)
    kinds = min(relevant, len(people) - relevant) * shrunk
    squares = influences**2
    variance = float(squares.sum())
    spread = float((squares**2).sum()) - variance**2 / choice.groups
    tails = 2 * variance**2 / spread if spread > 0 else math.inf
    return max(min(kinds - 1, choice.groups - 1, tails), 2.0)
