"""Double sampling: one number for all units from a judge, and for a random choice of them from
people.

The regression estimator (Cochran, Sampling Techniques, chapter 12) uses the judge's numbers of all
units to correct the mean of people's. Any judge keeps it valid, a bad one only widens the interval;
what must hold is that people's units were chosen at random.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from precall.core.ragged import Bool, Float64, Int64, mean

#: A spread of the judge's numbers below this share of their size is rounding.
_ROUNDING = 1e-12
#: No leverage counts for more: the one unit that decides the slope would have no residual left.
_MOST_LEVERAGE = 0.95
#: Degrees of freedom that a few large residuals or groups leave at least, those of the slope among
#: them.
LEAST_FREEDOM = 6.0


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """The units that people judged, and how they were chosen.

    Attributes
    ----------
    seen : whether people judged the unit, for each of the N units.
    share : weight of each unit of people in the mean of its stratum's part; they sum to 1.
    chance : with what probability each unit of people was chosen.
    stratum : the stratum of each of the N units, 0, 1, ....
    parts : the share of all units that each stratum has.
    group : the group of each of the N units; None if each unit is one.
    are_weighted : whether units were chosen with unequal probabilities.
    """

    seen: Bool
    share: Float64
    chance: Float64
    stratum: Int64
    parts: Float64
    group: Int64 | None = None
    are_weighted: bool = False

    @classmethod
    def of(
        cls,
        seen: Bool,
        *,
        chance: Float64 | None = None,
        stratum: Int64 | None = None,
        group: Int64 | None = None,
    ) -> Choice:
        """The choice of the units in `seen`.

        Parameters
        ----------
        seen : whether people judged the unit.
        chance : with what probability each unit of people was chosen; None for all alike, or alike
            in each stratum.
        stratum : the stratum of each unit; None for one.
        group : the group of each unit; None for none.
        """
        if chance is not None and chance.min() == chance.max():
            chance = None
        size = len(seen)
        strata = np.zeros(size, np.int64) if stratum is None else stratum
        parts = np.bincount(strata) / size
        own = strata[seen]
        if chance is None:
            chosen = np.bincount(own, minlength=len(parts))
            rate = chosen / np.maximum(np.bincount(strata), 1)
            weight, probability = 1 / chosen[own], rate[own]
        else:
            weight, probability = 1 / chance, chance
        total = np.bincount(own, weight, minlength=len(parts))
        share = parts[own] * weight / total[own]
        return cls(seen, share, probability, strata, parts, group, chance is not None)

    @property
    def size(self) -> int:
        """Number of all units."""
        return len(self.seen)

    @property
    def own(self) -> Int64:
        """The stratum of each unit of people."""
        return self.stratum[self.seen]

    @property
    def groups(self) -> int:
        """How many groups people's units are of; how many units, if each is one."""
        return len(self.share) if self.group is None else len(np.unique(self.group[self.seen]))

    @property
    def is_plain(self) -> bool:
        """Whether all units were chosen alike, each by itself."""
        return not self.are_weighted and self.is_alone and len(self.parts) == 1

    @property
    def is_alone(self) -> bool:
        """Whether each unit was chosen by itself, not with those of its group."""
        return self.group is None or int(self.group.max()) + 1 == self.size

    @property
    def effective(self) -> float:
        """How many units of people, chosen alike, would tell as much (Kish 1965)."""
        if not self.are_weighted:
            return float(len(self.share))
        return float(self.share.sum() ** 2 / (self.share**2).sum())

    def scarce_stratum(self, least: float) -> tuple[int, float] | None:
        """The stratum that carries most of the variance, if all strata vary alike: how many of
        people's units it has, and its share of all units. None if the variance has `least` degrees
        of freedom or more.

        Parameters
        ----------
        least : degrees of freedom, by Satterthwaite.
        """
        if len(self.parts) == 1:
            return None
        drawn = np.bincount(self.own, minlength=len(self.parts))
        variance = self.parts**2 / drawn
        freedom = float(variance.sum() ** 2 / (variance**2 / np.maximum(drawn - 1, 1)).sum())
        if freedom >= least:
            return None
        worst = int(np.argmax(variance))
        return int(drawn[worst]), float(self.parts[worst])


class CorrectedMean(NamedTuple):
    """The corrected mean, with its standard error and degrees of freedom.

    `slope` is what one more by the judge adds; `bias` is how much the judge alone says too much,
    and `error_of_bias` its standard error. `residuals` are what people's numbers differ by from the
    regression.
    """

    estimate: float
    error: float
    freedom: float
    slope: float
    bias: float
    error_of_bias: float
    residuals: Float64


def corrected_mean(
    people: Float64, judge: Float64, choice: Choice, *, these: bool
) -> CorrectedMean:
    """The mean over all units, of people's numbers of some of them and the judge's of all.

    With ȳ and f̄ the means of people and of the judge over people's units, f̄_N that of the judge
    over all, and b the slope: θ = ȳ + b (f̄_N - f̄), in each stratum, with one slope for all.
    Residuals are divided by the root of 1 - leverage (HC2).

    Parameters
    ----------
    people : people's number of each unit of `choice.seen`.
    judge : the judge's number of every unit.
    choice : which units people judged, and how they were chosen.
    these : whether the mean is that of these units, had people judged all; else that of the
        population which they are drawn from.
    """
    if choice.is_plain:
        return _of_plain_choice(people, judge, choice, these)
    own, share, strata = choice.own, choice.share, len(choice.parts)
    each = np.bincount(own, share, minlength=strata)  # sums to the share of the stratum
    inside = judge[choice.seen]
    of_people = np.bincount(own, share * people, minlength=strata) / each
    of_judge = np.bincount(own, share * inside, minlength=strata) / each
    of_all = np.bincount(choice.stratum, judge, minlength=strata) / np.bincount(choice.stratum)
    y, f = people - of_people[own], inside - of_judge[own]
    # The judge explains what varies within strata; where the mean is most uncertain it counts most.
    weight = _weights_of_slope(choice)
    squares = float(weight @ f**2)
    has_slope = squares > _ROUNDING * float(weight @ (inside**2 + 1))
    slope = float(weight @ (f * y)) / squares if has_slope else 0.0
    away = float(choice.parts @ (of_all - of_judge))
    estimate = float(choice.parts @ of_people) + slope * away
    leverage: Float64 = share / each[own] + (weight * f**2 / squares if has_slope else 0.0)
    if choice.group is not None:  # a group that decides the mean or the slope pulls it to itself
        inside_of = choice.group[choice.seen]
        leverage = np.bincount(inside_of, leverage).astype(np.float64)[inside_of]
    residual = y - slope * f
    # Of unequal weights a few units decide the slope, and only HC3 keeps up with them.
    kept = 1 - np.minimum(leverage, _MOST_LEVERAGE)
    grown = residual / (kept if choice.are_weighted else np.sqrt(kept))
    expected = of_people[choice.stratum] + slope * (judge - of_judge[choice.stratum])
    by_slope = weight * f * grown * (away / squares) if has_slope else np.zeros(len(y))
    variance = _Variance(choice, share * grown, share * residual, by_slope)
    error = variance.of(None if these else expected - estimate)
    bias = float(choice.parts @ of_all) - estimate
    error_of_bias = variance.of(None if these else expected - judge + bias)
    return CorrectedMean(
        estimate,
        error,
        variance.freedom(strata + has_slope),
        slope,
        bias,
        error_of_bias,
        residual,
    )


def _of_plain_choice(people: Float64, judge: Float64, choice: Choice, these: bool) -> CorrectedMean:
    """The same of units chosen alike, in a fifth of the time: of ten runs and ten measures it is
    asked for a thousand times.
    """
    n, size = len(people), len(judge)
    inside = judge[choice.seen]
    of_people, of_judge, of_all = mean(people), mean(inside), mean(judge)
    y, f = people - of_people, inside - of_judge
    squares = float(f @ f)
    has_slope = squares > _ROUNDING * (float(inside @ inside) + n)
    away = of_all - of_judge
    if has_slope:
        slope = float(f @ y) / squares
        residual = y - slope * f
        f2 = f * f
        kept = 1 - np.minimum(f2 / squares + 1 / n, _MOST_LEVERAGE)
        e2 = residual * residual / kept
        by_slope = (away / squares) ** 2 * float(f2 @ e2)
    else:
        slope, residual, by_slope = 0.0, y, 0.0
        e2 = y * y / (1 - min(1 / n, _MOST_LEVERAGE))
    estimate = of_people + slope * away
    spread = float(e2.sum()) / n
    error = bias = (1 - n / size) * spread / n + by_slope
    if not these:
        centred = judge - of_all
        by_judge = float(centred @ centred) / size**2
        error += spread / size + slope**2 * by_judge
        bias += spread / size + (slope - 1) ** 2 * by_judge
    return CorrectedMean(
        estimate,
        math.sqrt(error),
        max(float(n - 1 - has_slope), 1.0),
        slope,
        of_all - estimate,
        math.sqrt(bias),
        residual,
    )


def people_alone(people: Float64, choice: Choice, *, these: bool) -> CorrectedMean:
    """The mean of people's numbers without the judge.

    Parameters
    ----------
    people : people's number of each unit of `choice.seen`.
    choice : which units people judged, and how they were chosen.
    these : see `corrected_mean`.
    """
    return corrected_mean(people, np.zeros(choice.size), choice, these=these)


def _weights_of_slope(choice: Choice) -> Float64:
    if choice.are_weighted or len(choice.parts) == 1:
        return choice.share
    drawn = np.bincount(choice.own, minlength=len(choice.parts))
    total = np.bincount(choice.stratum)
    left = 1 / drawn - 1 / total
    if not left.any():  # people judged all units
        left = 1 / drawn
    return (choice.parts**2 * left / np.maximum(drawn - 1, 1))[choice.own]


class _Variance:
    """The variance of the mean: what the choice of people's units adds, and, of a population, what
    the choice of all units adds.
    """

    def __init__(self, choice: Choice, part: Float64, residual: Float64, by_slope: Float64) -> None:
        self.choice, self.part, self.residual, self.by_slope = choice, part, residual, by_slope
        self.group, self.groups = choice.group, float(choice.groups)

    def freedom(self, taken: int) -> float:
        """Degrees of freedom, at least 1.

        Parameters
        ----------
        taken : how many the slope and the means of strata take.
        """
        units = self.groups
        if self.choice.are_weighted:
            units = self._freedom_of_weights()
        elif self.group is not None:
            units = min(units, max(self._freedom_of_groups(), LEAST_FREEDOM))
        left = min(self.choice.effective, units) - taken
        if len(self.choice.parts) > 1:
            left = min(left, self._freedom_of_strata())
        return max(left, 1.0)

    def _freedom_of_weights(self) -> float:
        """Where people's units have unequal weights few of them may carry the variance, and
        residuals far out tell so: Satterthwaite's 2 V² / (Σ φ⁴ - V² / n) for V = Σ φ², which is n
        for normal residuals and equal weights.
        """
        part = self.part
        if self.group is not None:
            sums = np.bincount(self.group[self.choice.seen], part)
            part = sums[sums != 0]
        squares = part**2
        variance = float(squares.sum())
        spread = float((squares**2).sum()) - variance**2 / max(len(part), 1)
        if spread <= _ROUNDING * variance**2:
            return self.groups
        return min(self.groups, max(2 * variance**2 / spread, LEAST_FREEDOM))

    def _freedom_of_groups(self) -> float:
        """Where few groups are large they carry the variance: Satterthwaite's (Σ s²)² / Σ s⁴ for
        shares s of people's units, which is the number of groups if they are equal.
        """
        assert self.group is not None
        squares = np.bincount(self.group[self.choice.seen], self.choice.share) ** 2
        return float(squares.sum() ** 2 / (squares**2).sum())

    def _freedom_of_strata(self) -> float:
        """Where few units stand for a large stratum, they alone tell the variance: Satterthwaite's
        V² / Σ V_h² / (n_h - 1). A variance of two units is often small by chance, and would then
        hide that; so the lesser of that of the variances found and of alike ones counts.
        """
        choice, own, strata = self.choice, self.choice.own, len(self.choice.parts)
        drawn = np.bincount(own, minlength=strata)
        if self.group is not None:
            pairs = np.unique(np.stack([own, self.group[choice.seen]]), axis=1)
            drawn = np.bincount(pairs[0], minlength=strata)
        found = np.bincount(own, self.part**2, minlength=strata)
        least = math.inf
        for variance in (found, choice.parts**2 / drawn):
            squares = float((variance**2 / np.maximum(drawn - 1, 1)).sum())
            if squares > 0:
                least = min(least, float(variance.sum()) ** 2 / squares)
        return least

    def of(self, rest: Float64 | None) -> float:
        """The standard error; `rest` are the deviations of all units from the mean as far as the
        judge tells them, None if the units are not drawn from any population.
        """
        part, size = self.part, self.choice.size
        if self.group is None:
            sampled = float(((1 - self.choice.chance) * part**2).sum() + (self.by_slope**2).sum())
            if rest is None:
                return math.sqrt(sampled)
            within = float((self.choice.share / size) @ (part / self.choice.share) ** 2)
            # One slope for all strata leaves residuals that vary with the judge's numbers.
            both = 2 * float(self.residual @ rest[self.choice.seen]) / size
            return math.sqrt(sampled + max(within + mean(rest**2) / size + both, 0.0))
        seen = self.group[self.choice.seen]
        if rest is None:
            sums = np.bincount(seen, part * np.sqrt(1 - self.choice.chance))
        else:
            sums = np.bincount(self.group, rest / size)
            sums[: seen.max() + 1] += np.bincount(seen, part)
        slopes = np.bincount(seen, self.by_slope)
        return math.sqrt(float((sums**2).sum() + (slopes**2).sum()))


class Agreement(NamedTuple):
    """How a judge's labels agree with people's, on the units that both labelled.

    Each of `agreement` and `kappa` is (value, standard error). `table` has the shares of units by
    people's label (rows: not relevant, relevant) and the judge's (columns).
    """

    agreement: tuple[float, float]
    kappa: tuple[float, float]
    false_positives: float
    false_negatives: float
    table: Float64
    units: int


def agreement(
    people: Bool, judge: Bool, weight: Float64 | None = None, group: Int64 | None = None
) -> Agreement:
    """Agreement and kappa, with standard errors by their influences, summed by group.

    Parameters
    ----------
    people : people's labels.
    judge : the judge's, of the same units.
    weight : 1 / the probability with which each unit was chosen; None for all alike.
    group : the group of each unit, such as its topic; None if each unit is one.
    """
    weights = np.ones(len(people)) if weight is None else weight
    total = weights.sum()
    cell = people.astype(np.int64) * 2 + judge
    sums = np.bincount(cell, weights, minlength=4).reshape(2, 2)
    share, table = weights / total, sums / total
    observed = float(np.trace(sums) / total)
    rows, columns = sums.sum(axis=1) / total, sums.sum(axis=0) / total
    by_chance = float(rows @ columns)
    of_agreement = (people == judge) - observed
    expected = rows[judge.astype(np.int64)] + columns[people.astype(np.int64)] - 2 * by_chance
    with np.errstate(divide="ignore", invalid="ignore"):
        kappa = float(np.divide(observed - by_chance, 1 - by_chance))
        of_kappa = (of_agreement - (1 - kappa) * expected) / (1 - by_chance)
        false_positives, false_negatives = np.divide([table[0, 1], table[1, 0]], rows).tolist()

    def error(influence: Float64) -> float:
        parts = share * influence
        if group is not None:
            parts = np.bincount(group, parts)
        return math.sqrt(float((parts**2).sum()))

    return Agreement(
        (observed, error(of_agreement)),
        (kappa, error(of_kappa)),
        false_positives,
        false_negatives,
        table,
        len(people),
    )
