"""Net benefit of a risk at each threshold, over nothing, over accepting all or over another risk.

A case counts 1 if it is relevant and accepted, -w if it is not relevant and accepted, with w = t /
(1 - t), and 0 if it is not accepted; what the other rule has for the same case is subtracted. The
net benefit is the mean over the cases. So its influence is the case's value minus that mean, and
the difference of two rules is known far better than each (Vickers, Van Calster & Steyerberg 2023
say why it is the difference that matters).

Bounds of a sample of independent cases are quantiles of the mean under a Dirichlet distribution of
the kinds of cases. Their counts are raised by 1/2 for kinds that pull towards the bound and for
those that count 0, and by 1/6 for kinds that pull away: as in `cell_posterior`, so that one or no
error does not promise too much. A kind of weighted cases counts as many as would have its sum of
weights with its error, each of the same weight. Influences alone cover 80 % where a few heavy cases
make the difference. If the prevalence is fixed, relevant and other cases are two
samples; their Wilson bounds are combined by MOVER (Zou & Donner 2008). At a fixed prevalence
groups, weights and the difference of two risks have the variance of influences.

Cases in groups count as many independent ones as would have the error of the groups (Rao & Scott
1992); of influences alone, 84 % of the intervals held where 3 % of the decisions differ. If few
groups have a kind of case, they do not show how alike the cases of a group are, and half of them
are taken as alike.

A simultaneous band holds at all thresholds together: its bounds are as far out as the quantile of
the greatest deviation, in standard errors, of Gaussian multipliers of the influences (sup-t,
Montiel Olea & Plagborg-Møller 2019). Sums of these at several thresholds have the covariance of
the estimates, so they are drawn from it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from precall.core.ragged import Bool, Float64, Int64
from precall.stats import quantiles
from precall.stats.intervals import bayesian
from precall.stats.intervals.proportion import wilson
from precall.stats.resample.bootstrap import quantiles_of

#: Additions to the counts of kinds of cases; see above.
_NEAR, _FAR = 1 / 6, 1 / 2
#: If a kind of case is in fewer groups, these tell little of the error.
_FEWEST_OF_A_KIND = 5
#: A variance below this share of the greatest is rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Benefits:
    """What each kind of case counts at each threshold.

    Cases with the same label and the same decisions are one kind: only sums of weights matter.

    Parameters
    ----------
    relevant : label of each kind.
    gain : cases of a kind accepted by the rule (1) or by the one subtracted (-1), at each
        threshold: kinds x thresholds.
    odds : w of each threshold.
    weight, square : sums of weights of the cases of a kind, and of their squares (of counts, the
        counts again).
    cases : the number of all cases.
    prevalence : the share of relevant cases, if it is fixed instead of that of the sample.
    signs : what `gain` can be: 1 if nothing is subtracted, -1 if accepting all is, or both.
    kind, group, weights : of each case, if there are groups.
    is_weighted : whether weights are real.
    """

    relevant: Bool
    gain: Int64
    odds: Float64
    weight: Float64
    square: Float64
    cases: float
    prevalence: float | None
    signs: tuple[int, ...]
    is_weighted: bool = False
    kind: Int64 | None = None
    group: Int64 | None = None
    weights: Float64 | None = None

    @classmethod
    def of(
        cls,
        relevant: Bool,
        above: Int64,
        other_above: Int64,
        odds: Float64,
        prevalence: float | None,
        signs: tuple[int, ...],
        weights: npt.NDArray[np.float64] | npt.NDArray[np.int64] | None = None,
        group: Int64 | None = None,
    ) -> Benefits:
        """From each case's label, and the number of thresholds that either rule accepts it at."""
        size = len(odds) + 1
        code, kind = np.unique((relevant * size + above) * size + other_above, return_inverse=True)
        heavy = np.ones(len(relevant)) if weights is None else weights.astype(np.float64)
        is_weighted = weights is not None and weights.dtype.kind == "f"
        # Sums of sorted weights do not depend on the order of the cases.
        order = np.lexsort((heavy, kind)) if is_weighted else np.arange(len(kind))
        weight, square = (
            np.bincount(kind[order], column[order], len(code)).astype(np.float64)
            for column in (heavy, heavy**2 if is_weighted else heavy)
        )
        places = np.arange(size - 1)
        gain = (code[:, None] // size % size > places).astype(np.int64) - (
            code[:, None] % size > places
        )
        return cls(
            code >= size * size,
            gain,
            odds,
            weight,
            square,
            float(len(kind) if is_weighted else heavy.sum()),
            prevalence,
            signs,
            is_weighted,
            None if group is None else kind,
            group,
            None if group is None else heavy,
        )

    @cached_property
    def values(self) -> Float64:
        """What each kind of case counts at each threshold."""
        return np.asarray(self.gain * np.where(self.relevant[:, None], 1.0, -self.odds))

    @cached_property
    def _sides(self) -> list[tuple[Bool, float]]:
        """The samples whose means are added, with the share of each: all cases, or by label."""
        if self.prevalence is None:
            return [(np.ones(len(self.weight), np.bool_), 1.0)]
        return [(self.relevant, self.prevalence), (~self.relevant, 1 - self.prevalence)]

    @cached_property
    def _means(self) -> list[Float64]:
        return [
            np.einsum("i,ij->j", self.weight[side], self.values[side]) / self.weight[side].sum()
            for side, _ in self._sides
        ]

    @cached_property
    def estimate(self) -> Float64:
        """The net benefit at each threshold."""
        terms = (share * mean for (_, share), mean in zip(self._sides, self._means, strict=True))
        return np.asarray(sum(terms), np.float64)

    @cached_property
    def _influences(self) -> Float64:
        """By how much a case of each kind moves the estimate, for a weight of 1."""
        moved = np.zeros(self.values.shape)
        for (side, share), mean in zip(self._sides, self._means, strict=True):
            moved[side] = share * (self.values[side] - mean) / self.weight[side].sum()
        return moved

    @cached_property
    def groups(self) -> int:
        """The number of groups; 0 without groups."""
        return 0 if self.group is None else int(self.group.max(initial=-1)) + 1

    @cached_property
    def covariance(self) -> Float64:
        """The covariance of the estimates at all thresholds."""
        if self.group is None:
            moved = self._influences * np.sqrt(self.square)[:, None]
            # Of a fixed prevalence they are two binomial variances.
            is_binomial = self.prevalence is not None and not self.is_weighted
            factor = 1.0 if is_binomial or self.cases < 2 else self.cases / (self.cases - 1)
        else:
            assert self.kind is not None and self.weights is not None
            sums = self._influences[self.kind] * self.weights[:, None]
            order = np.lexsort((self.weights, self.kind, self.group))
            moved = np.stack(
                [np.bincount(self.group[order], column[order], self.groups) for column in sums.T],
                axis=1,
            )
            factor = self.groups / (self.groups - 1) if self.groups > 1 else math.nan
        return np.asarray(factor * np.einsum("ij,ik->jk", moved, moved))

    @cached_property
    def error(self) -> Float64:
        """The standard error at each threshold."""
        return np.sqrt(np.diagonal(self.covariance))

    @property
    def method(self) -> str:
        """How bounds are found."""
        if self.prevalence is None:
            return "split-dirichlet" if self.group is None else "rao-scott"
        if self.group is not None or self.is_weighted:
            return "influence"
        # Of the rule alone, or over accepting all, each label has one proportion.
        return "mover" if len(self.signs) == 1 else "influence"

    def reach(self, level: float, rng: np.random.Generator, samples: int) -> float:
        """How many standard errors a band reaches that holds at all thresholds together."""
        root = _root(self.covariance)
        kept = self.error > 0
        if not kept.any():
            return self._single_reach(level)
        drawn = np.einsum("ij,kj->ik", rng.standard_normal((samples, len(root))), root[kept])
        greatest = np.max(np.abs(drawn) / self.error[kept], axis=1)
        if self.groups:
            freedom = self.groups - 1
            greatest *= np.sqrt(freedom / rng.chisquare(freedom, samples))
        (found,) = quantiles_of(greatest, (level,))
        return max(found, self._single_reach(level))

    def _single_reach(self, level: float) -> float:
        return quantiles.t(level, self.groups - 1) if self.groups else quantiles.z(level)

    def bounds(self, level: float, reach: float | None = None) -> tuple[Float64, Float64]:
        """The bounds at each threshold: of each alone at this level, or as far out as `reach`."""
        if self.method == "influence":
            far = (self._single_reach(level) if reach is None else reach) * self.error
            return self.estimate - far, self.estimate + far
        if self.groups and reach is None:
            reach = self._single_reach(level)
        tail = (1 - level) / 2 if reach is None else quantiles.normal_share(-reach)
        ends: Callable[[int, float], tuple[float, float]] = (
            self._dirichlet if self.prevalence is None else self._mover
        )
        low, high = np.array([ends(place, tail) for place in range(len(self.odds))]).T
        return np.minimum(low, self.estimate), np.maximum(high, self.estimate)

    def _dirichlet(self, place: int, tail: float) -> tuple[float, float]:
        gain, odds = self.gain[:, place], float(self.odds[place])
        every = np.ones(len(gain), np.bool_)
        kinds = [(0.0, gain == 0, every)]
        for sign in self.signs:
            for label, each in ((self.relevant, 1.0), (~self.relevant, -odds)):
                kinds.append((sign * each, label & (gain == sign), label | (gain == sign)))
        value = np.array([each for each, *_ in kinds])
        size = np.array([self._heaviness(of, like) for _, of, like in kinds])
        count = np.array([float(self.weight[of].sum()) for _, of, _ in kinds]) / size
        count /= self._effect(place)
        ends = []
        for side, share in ((1, tail), (-1, 1 - tail)):
            added = np.where(side * value > 0, _NEAR, _FAR)
            sizes = size if self.is_weighted else None
            ends.append(bayesian.quantile(value, count + added, share, sizes))
        return ends[0], ends[1]

    def _effect(self, place: int) -> float:
        """How many times greater the variance in groups is than that of as many independent cases;
        at least 1.
        """
        if self.group is None:
            return 1.0
        assert self.kind is not None and self.weights is not None
        alone = float((self._influences[:, place] ** 2 * self.square).sum())
        effect = max(float(self.covariance[place, place]) / alone, 1.0) if alone else 1.0
        counts = self.gain[self.kind, place] != 0
        rarest = min(len(np.unique(self.group[cases])) for cases in (counts, ~counts))
        if rarest < _FEWEST_OF_A_KIND:
            size = np.bincount(self.group, self.weights, self.groups)
            effect = max(effect, (1 + float((size**2).sum() / self.square.sum())) / 2)
        return effect

    def _heaviness(self, of: Bool, like: Bool) -> float:
        """The weight at which cases of equal weight have the same sum as these cases, with the same
        error; if there are none, that of cases like them in label or decisions.
        """
        if not self.is_weighted:
            return 1.0
        for cases in (of, like, slice(None)):
            if total := float(self.weight[cases].sum()):
                return float(self.square[cases].sum()) / total
        return 1.0

    def _mover(self, place: int, tail: float) -> tuple[float, float]:
        """The bounds from those of the share of relevant cases and of the share of others that the
        rules differ in.
        """
        assert self.prevalence is not None
        (sign,) = self.signs
        below = above = 0.0
        for (side, share), unit in zip(self._sides, (1.0, -float(self.odds[place])), strict=True):
            total = float(self.weight[side].sum())
            hits = float(self.weight[side & (self.gain[:, place] != 0)].sum())
            least, most = wilson(hits, total, 1 - 2 * tail)
            scale = share * unit * sign
            down, up = sorted((scale * (least - hits / total), scale * (most - hits / total)))
            below, above = below + down**2, above + up**2
        estimate = float(self.estimate[place])
        return estimate - math.sqrt(below), estimate + math.sqrt(above)


def _root(covariance: Float64) -> Float64:
    """A lower triangular matrix whose product with its transpose is the covariance, which may be
    singular. Not by LAPACK, whose last digits depend on the processor.
    """
    size = len(covariance)
    root, least = np.zeros((size, size)), _ROUNDING * float(np.max(np.diagonal(covariance)))
    for place in range(size):
        rest = covariance[place:, place] - np.einsum(
            "ij,j->i", root[place:, :place], root[place, :place]
        )
        if rest[0] > least:
            root[place:, place] = rest / math.sqrt(rest[0])
    return root
