"""Posteriors from bare counts: of measures of one table, and of wins, ties and losses.

The shares of the cells have a Dirichlet distribution with a prior weight in each cell. Proportions
are then Beta, and F is a quotient of gammas (Goutte & Gaussier 2005). Other measures, such as MCC,
are integrated over the cells without sampling.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from precall.core.arguments import check_kind, check_level, check_number, is_number
from precall.core.counts import Counts, PopulationUnknown
from precall.core.errors import UsageError
from precall.core.methods import Method
from precall.core.ragged import Float64, weighted_sum
from precall.measures import Measure, of_counts
from precall.results.equality import Equal
from precall.results.sheets import Presented, Table
from precall.stats.intervals.cell_posterior import posterior_quantiles
from precall.stats.scipy import special
from precall.stats.tests import bayes
from precall.stats.tests.bayes import Posterior, ThreeWay

#: The measures of a table, and those of one whose true negatives are unknown.
USUAL = ("P", "R", "F", "Specificity", "NPV", "Accuracy", "BalancedAccuracy", "MCC")
WITHOUT_TN = ("P", "R", "F", "Jaccard")
_CELLS = ("tp", "fp", "fn", "tn")
#: Steps of bisection for a quantile of a difference, which is then known to 1e-14.
_STEPS = 48


@dataclass(frozen=True, slots=True, eq=False)
class CountPosteriors(Equal, Presented):
    """What is known of measures after counting one table.

    Attributes
    ----------
    counts : tp, fp, fn and tn; tn is None if nobody knows it.
    prior : weight of each cell beforehand.
    level : level of the credible intervals.
    measures : names of the measures.
    value : value of each measure in the table itself; NaN is undefined.
    low : lower end of the credible interval of each measure, with equal tails.
    median : median of each posterior.
    high : upper end of the interval.
    """

    counts: tuple[float, float, float, float | None]
    prior: float
    level: float
    measures: tuple[str, ...]
    value: Float64
    low: Float64
    median: Float64
    high: Float64

    @property
    def table(self) -> Table:
        """Columns measure, value, low, median, high."""
        columns: dict[str, Any] = {"measure": list(self.measures), "value": self.value}
        return Table(columns | {"low": self.low, "median": self.median, "high": self.high})


def counts(
    tp: float,
    fp: float,
    fn: float,
    tn: float | None = None,
    measures: Sequence[str | Measure] | None = None,
    *,
    prior: float = 0.5,
    level: float = 0.95,
) -> CountPosteriors:
    """What is known of precision, recall, F and other measures after counting one table.

    Parameters
    ----------
    tp : relevant items that were accepted.
    fp : other items that were accepted.
    fn : relevant items that were rejected.
    tn : other items that were rejected; None if nobody knows how many exist.
    measures : measures of counts, such as "MCC" or "F(beta=2)". None is precision, recall, F,
        specificity, NPV, accuracy, balanced accuracy and MCC; without `tn` P, R, F and Jaccard.
    prior : weight of each of the four cells beforehand, > 0; 1/2 is Jeffreys', 1 is flat.
    level : level of the credible intervals, in (0, 1).

    Returns
    -------
    CountPosteriors
        Bounds of proportions and F are those of `precision`, `recall` and `f`. They are credible
        intervals; those of `precall.interval` cover the true value at their level, also after few
        errors.

    Raises
    ------
    UsageError
        A count or the prior is outside of its range, or a measure needs `tn`.
    MeasureError
        There is no such measure of counts.
    MissingExtra
        SciPy is not installed.

    Examples
    --------
    >>> found = counts(80, 20, 30, 870)
    >>> found.measures[:3], found.low[:3].round(4).tolist()
    (('P', 'R', 'F'), [0.7137, 0.6389, 0.6909])
    """
    given = {"tp": tp, "fp": fp, "fn": fn} | ({} if tn is None else {"tn": tn})
    weight = bayes.check_counted(prior, **given)
    level = check_level(level)
    usual = WITHOUT_TN if tn is None else USUAL
    check_kind("measures", measures, (type(None), Iterable), "names of measures")
    chosen = [of_counts(each) for each in (usual if measures is None else measures)]
    if not chosen:
        raise UsageError(argument="measures", allowed="names of measures", got=[])
    cells = tuple(float(count) for count in given.values())
    if tn is None:
        _refuse_without_tn(chosen)
    tail = (1 - level) / 2
    rows = [_quantiles(each, cells, weight, (tail, 0.5, 1 - tail)) for each in chosen]
    low, median, high = np.array(rows, np.float64).T
    values = np.array([_value(each, np.array(cells)[:, None])[0] for each in chosen], np.float64)
    names = tuple(each.name for each in chosen)
    return CountPosteriors((tp, fp, fn, tn), weight, level, names, values, low, median, high)


def _refuse_without_tn(measures: Sequence[Measure]) -> None:
    for measure in measures:
        try:
            _value(measure, np.ones((3, 1)))
        except PopulationUnknown:
            raise UsageError(
                argument="tn",
                what=f"{measure.name} depends on the items that were neither relevant nor accepted",
                remedy="give their number, or leave the measure out",
            ) from None


def _value(measure: Measure, cells: Float64) -> Float64:
    """The measure of tables; cells x tables, without tn if nobody knows it."""
    with np.errstate(all="ignore"):
        return np.asarray(measure.of_table(Counts(*cells)), np.float64).reshape(-1)


def _quantiles(
    measure: Measure, cells: tuple[float, ...], prior: float, shares: tuple[float, ...]
) -> list[float]:
    exact = _exact(measure, cells, prior)
    if exact is not None:
        return [float(exact.ppf(share)) for share in shares]
    size = len(cells)
    # A measure without tn depends on the ratios of the other cells alone.
    shape = [cell + prior for cell in cells] + [1.0] * (4 - size)
    return posterior_quantiles(
        lambda table: _value(measure, np.stack([getattr(table, name) for name in _CELLS[:size]])),
        shape,
        math.fsum(cells) or 1.0,
        shares,
    )


def _exact(measure: Measure, cells: tuple[float, ...], prior: float) -> Posterior | None:
    """The posterior of a proportion or of F; None for any other measure."""
    declared, count_of = measure.declaration, dict(zip(_CELLS, cells, strict=False))
    if declared.name == "F":
        tp, fp, fn = cells[:3]
        return bayes.f(tp, fp, fn, measure.parameters["beta"], prior)
    if declared.proportion is None:
        return None
    sides = [names.split() for names in declared.proportion]
    if any(name not in count_of for names in sides for name in names):
        return None
    ours, others = (math.fsum(count_of[name] + prior for name in names) for names in sides)
    return bayes.certain(measure.name, ours, others)


@dataclass(frozen=True, slots=True)
class WinPosterior(Presented):
    """What is known of two systems after counting wins, ties and losses of the first.

    Attributes
    ----------
    wins : how often the first won.
    ties : how often neither did.
    losses : how often the second won.
    prior : weights of a win, a tie and a loss beforehand.
    rope : differences of the shares of wins and losses up to this count as none.
    level : level of the credible interval.
    difference : expected share of wins minus that of losses.
    low : lower end of its credible interval, which has equal tails.
    high : upper end of the interval.
    better : probabilities that this difference is above the region, within it, and below.
    most : probabilities that wins, ties or losses have the greatest share: the Bayesian sign test.
    """

    wins: float
    ties: float
    losses: float
    prior: tuple[float, float, float]
    rope: float
    level: float
    difference: float
    low: float
    high: float
    better: ThreeWay
    most: ThreeWay


def wins(
    wins: float,
    ties: float,
    losses: float,
    *,
    prior: float | Sequence[float] = 0.5,
    rope: float = 0.0,
    level: float = 0.95,
) -> WinPosterior:
    """The probability that a system that won, tied and lost so often is better, practically equal,
    or worse.

    The shares of wins, ties and losses among all possible topics (or items, or matches) have a
    Dirichlet distribution. Better means: the share of wins exceeds that of losses by more than
    `rope`, the region of practical equivalence. All probabilities are exact.

    Parameters
    ----------
    wins : how often the first system was better, >= 0.
    ties : how often neither was.
    losses : how often the second was better.
    prior : weight of each beforehand: one number > 0, or three numbers >= 0 for wins, ties and
        losses. (0, 1, 0) is that of the sign test of Benavoli et al. (2017), as in `sign`.
    rope : difference of the two shares that counts as none, in [0, 1).
    level : level of the credible interval, in (0, 1).

    Returns
    -------
    WinPosterior

    Raises
    ------
    UsageError
        A count or an option is outside of its range.
    MissingExtra
        SciPy is not installed.

    Examples
    --------
    >>> found = wins(30, 50, 20, rope=0.02)
    >>> [round(chance, 4) for chance in (found.better.greater, found.better.equivalent)]
    [0.8711, 0.0845]
    >>> round(found.difference, 4), round(found.low, 4), round(found.high, 4)
    (0.0985, -0.0383, 0.2335)
    """
    given = {"wins": wins, "ties": ties, "losses": losses}
    bayes.check_counted(1.0, **given)
    weights = _weights(prior)
    check_number("rope", rope, 0)
    if rope >= 1:
        raise UsageError(argument="rope", allowed="in [0, 1)", got=rope)
    level, edge = check_level(level), float(rope)
    shape = tuple(
        float(count) + weight for count, weight in zip(given.values(), weights, strict=True)
    )
    if not any(shape):
        raise UsageError(argument="prior", what="nothing was counted, and nothing is known before")
    first, same, second = shape
    greater, less = (_exceeding(*sides, same, edge) for sides in ((first, second), (second, first)))
    size = int(wins + ties + losses)
    # Without a region nothing is equal, unless neither wins nor losses can occur.
    equal = max(0.0, 1 - greater - less) if edge or not first + second else 0.0
    better = ThreeWay(greater, equal, less, edge, _METHOD, size)
    most = ThreeWay(*bayes.greatest_share(list(shape)), edge, _METHOD, size)
    tail = (1 - level) / 2
    low, high = (_quantile(first, second, same, share) for share in (tail, 1 - tail))
    middle = (first - second) / math.fsum(shape)
    counted = (wins, ties, losses)
    return WinPosterior(*counted, weights, edge, level, middle, low, high, better, most)


_METHOD = Method("Dirichlet", exact=True)


def _weights(prior: object) -> tuple[float, float, float]:
    if is_number(prior) and 0 < float(prior) < np.inf:  # type: ignore[arg-type]
        return (float(prior),) * 3  # type: ignore[arg-type]
    if (
        isinstance(prior, Sequence)
        and not isinstance(prior, str)
        and len(prior) == 3
        and all(is_number(each) and 0 <= float(each) < np.inf for each in prior)
    ):
        first, same, second = map(float, prior)
        return first, same, second
    raise UsageError(
        argument="prior",
        allowed="a number > 0, or three numbers >= 0 for wins, ties and losses",
        got=prior,
    )


def _exceeding(first: float, second: float, same: float, edge: float) -> float:
    """P(π1 - π2 > edge) for edge >= 0, the shares having a Dirichlet distribution of these shapes.

    With s = π1 + π2 ~ Beta(first + second, same) and u = π1 / s ~ Beta(first, second), which are
    independent, the difference is s (2u - 1).
    """
    if not first:
        return 0.0
    beyond = special().betaincc
    of_both = float(beyond(first + second, same, edge)) if same else 1.0
    if not second:
        return of_both
    if not same:
        return float(beyond(first, second, (1 + edge) / 2))
    if not edge:
        return float(beyond(first, second, 0.5))
    nodes, _, weight = bayes.quantile_nodes()
    s = special().betainccinv(first + second, same, of_both * nodes)
    chances = beyond(first, second, np.minimum((1 + edge / np.maximum(s, edge)) / 2, 1.0))
    return of_both * weighted_sum(np.asarray(chances), weight)


def _quantile(first: float, second: float, same: float, share: float) -> float:
    """A quantile of π1 - π2, by bisection."""

    def below(x: float) -> float:
        if x >= 0:
            return 1 - _exceeding(first, second, same, x)
        return _exceeding(second, first, same, -x)

    low, high = -1.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) < share else (low, middle)
    return (low + high) / 2
