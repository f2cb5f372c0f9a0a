"""Sizes of studies of diagnostic accuracy: cases for a share, such as sensitivity, for an area
under ROC, for two areas, and for decisions of two systems with a margin.

`precall.compare.power` has these functions.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from precall.core.arguments import (
    check_count,
    check_level,
    check_number,
    check_positive,
    check_share,
    choose,
)
from precall.core.errors import Fact, UsageError
from precall.core.ragged import Int64
from precall.stats import quantiles
from precall.stats.intervals.proportion import wilson
from precall.stats.scipy import special, stats
from precall.stats.tests.least_size import least_size, too_many
from precall.stats.tests.tango import score_statistic

#: If a design needs more cases than this, it is hopeless.
MOST = 10**6
#: Exact power rises and falls a little from one size to the next, so this number of sizes in a row
#: must have it.
_IN_A_ROW = 10
#: Sizes that are tried at once.
_BATCH = 4096
_REMEDY = "ask for a greater width, difference or margin"
_least = partial(least_size, first=2, most=MOST, remedy=_REMEDY)
#: Laws of scores by which the variance of an area is known.
LAWS = ("normal", "exponential", "obuchowski")
#: Shares of samples that are left out on each side.
_TAIL = 1e-12


def of_proportion(cases: int, expected: float, lowest: float, level: float = 0.95) -> float:
    """Exact probability that the lower bound of Wilson's interval is above `lowest`.

    Examples
    --------
    >>> round(of_proportion(112, 0.9, 0.8), 3)
    0.851
    """
    cases = check_count("cases", cases)
    check_positive(cases=cases)
    _check_order(expected, lowest)
    return float(_power_of_proportion(np.array([cases]), expected, lowest, check_level(level))[0])


def _power_of_proportion(cases: Int64, expected: float, lowest: float, level: float) -> Any:
    # Wilson's bound is above `lowest` if the score test rejects it.
    spread = quantiles.z(level) * np.sqrt(cases * lowest * (1 - lowest))
    least = np.ceil(cases * lowest + spread + 1e-9)
    return stats().binom.sf(least - 1, cases, expected)


def cases_for_proportion(
    expected: float,
    *,
    width: float | None = None,
    lowest: float | None = None,
    prevalence: float = 1.0,
    power: float = 0.8,
    level: float = 0.95,
) -> int:
    """Cases needed to know a share, such as a sensitivity: for a Wilson interval of this width, or
    to show that the share is above `lowest`.

    Parameters
    ----------
    expected : the share that is expected, in (0, 1).
    width : greatest mean width of the interval, over the samples with the expected share.
    lowest : the share that the lower bound must exceed, with the probability `power`. It is exact,
        and this size and the next nine have it.
    prevalence : share of the patients who are such cases; the result is then a number of patients,
        among whom that many cases are expected. For specificity it is 1 minus the prevalence.

    References
    ----------
    Buderer, "Statistical methodology: I. Incorporating the prevalence of disease into the sample
    size calculation for sensitivity and specificity", Academic Emergency Medicine 3, 1996. His
    formula has Wald's interval, which is too narrow for shares near 1.

    Examples
    --------
    >>> cases_for_proportion(0.9, width=0.1), cases_for_proportion(0.9, lowest=0.8)
    (139, 112)
    >>> cases_for_proportion(0.9, lowest=0.8, prevalence=0.1)
    1120
    """
    level = check_level(level)
    check_level(power, "power", 0.8)
    expected = _inside("expected", expected)
    share = check_share("prevalence", prevalence, nonzero=True)
    if (width is None) == (lowest is None):
        raise UsageError(
            argument="width and lowest",
            allowed="one of both: a width of the interval, or what its lower bound must exceed",
            got=Fact("both" if width is not None else "neither"),
        )
    if width is not None:
        check_positive(width=width)
        needed = _least(lambda cases: _mean_width(cases, expected, level) <= width)
    else:
        needed = _first_in_a_row(expected, _check_order(expected, lowest), power, level)
    # 1e-9, because .3 / .1 is more than 3.
    return math.ceil(needed / share - 1e-9)


def _inside(name: str, share: object) -> float:
    """A share that is neither 0 nor 1."""
    return check_level(share, name, 0.9)


def _check_order(expected: float, lowest: object) -> float:
    """The lowest share, which is below the expected one."""
    expected, least = _inside("expected", expected), _inside("lowest", lowest)
    if not least < expected:
        raise UsageError(
            argument="lowest",
            allowed=f"below the expected {expected:g}",
            got=Fact(f"{least:g}"),
            remedy="no number of cases shows that a value is above itself",
        )
    return least


def _mean_width(cases: int, expected: float, level: float) -> float:
    """Mean width of Wilson's interval over samples with this share."""
    binomial = stats().binom
    hits = np.arange(
        binomial.ppf(_TAIL, cases, expected), binomial.ppf(1 - _TAIL, cases, expected) + 1
    )
    ends = np.array([wilson(hit, cases, level) for hit in hits.tolist()])
    return float(binomial.pmf(hits, cases, expected) @ (ends[:, 1] - ends[:, 0]))


def _first_in_a_row(expected: float, lowest: float, power: float, level: float) -> int:
    """The first size from which on a row of sizes has the power."""
    for begin in range(1, MOST, _BATCH):
        sizes = np.arange(begin, begin + _BATCH + _IN_A_ROW - 1)
        enough = _power_of_proportion(sizes, expected, lowest, level) >= power
        rows = np.lib.stride_tricks.sliding_window_view(enough, _IN_A_ROW).all(axis=1)
        if rows.any():
            return begin + int(rows.argmax())
    raise too_many(MOST, _REMEDY)


# --- One area ---


def variance_of_area(area: float, relevant: float, other: float, law: str = "normal") -> float:
    """Variance of the estimate of an area under ROC from so many relevant and other cases.

    `law` is that of the scores: "normal" with equal spreads, "exponential" (Hanley & McNeil 1982),
    or "obuchowski", the approximation of Obuchowski (1994) for rating scales, which is too great
    for continuous scores.

    Examples
    --------
    >>> round(variance_of_area(0.8, 50, 100) ** 0.5, 4)
    0.0378
    """
    if law == "obuchowski":
        return _obuchowski(area, other / relevant) / relevant
    if law == "exponential":
        both, one = area / (2 - area), 2 * area**2 / (1 + area)
    else:
        # The chance that two other cases are both below a relevant one: normal with correlation
        # 1/2.
        both = one = area - 2 * float(special().owens_t(_bend(area), math.sqrt(1 / 3)))
    of_relevant, of_other = (relevant - 1) * (both - area**2), (other - 1) * (one - area**2)
    return (area * (1 - area) + of_relevant + of_other) / (relevant * other)


def _bend(area: float) -> float:
    """The normal quantile of an area."""
    return quantiles.normal(min(max(area, 1e-12), 1 - 1e-12))


def _obuchowski(area: float, ratio: float) -> float:
    """Obuchowski's variance of an area times the number of relevant cases, with the digits of the
    paper and of pROC.
    """
    a = 1.414 * _bend(area)
    return 0.0099 * math.exp(-(a**2) / 2) * ((5 * a**2 + 8) + (a**2 + 8) / ratio)


def others_for(relevant: int, ratio: float) -> int:
    """The other cases of a study with this number of them per relevant case."""
    return math.ceil(ratio * relevant - 1e-9)


def of_area(
    relevant: int,
    other: int,
    expected: float,
    lowest: float = 0.5,
    level: float = 0.95,
    law: str = "normal",
) -> float:
    """Power to show that an area under ROC is above `lowest`, by the normal approximation.

    Parameters
    ----------
    expected : the area that is expected.
    lowest : the area that the lower bound must exceed; .5 is chance.
    law : see `cases_for_area`.

    Examples
    --------
    >>> round(of_area(62, 62, 0.9, 0.8), 3)
    0.803
    """
    relevant, other = check_count("relevant", relevant), check_count("other", other)
    check_positive(relevant=relevant, other=other)
    _check_order(expected, lowest)
    law = choose("law", law, LAWS)
    return _power_of_area(relevant, other, expected, lowest, check_level(level), law)


def _power_of_area(
    relevant: float, other: float, expected: float, lowest: float, level: float, law: str
) -> float:
    at_lowest, at_expected = (
        math.sqrt(variance_of_area(area, relevant, other, law)) for area in (lowest, expected)
    )
    excess = expected - lowest - quantiles.z(level) * at_lowest
    return quantiles.normal_share(excess / at_expected)


def cases_for_area(
    expected: float,
    lowest: float = 0.5,
    *,
    ratio: float = 1.0,
    power: float = 0.8,
    level: float = 0.95,
    law: str = "normal",
) -> tuple[int, int]:
    """Relevant and other cases needed to show that an area under ROC is above `lowest`.

    Parameters
    ----------
    expected : the area that is expected.
    lowest : the area that the lower bound must exceed; .5 is chance.
    ratio : other cases per relevant case.
    law : how scores vary: "normal" (equal spreads in both classes), "exponential", or
        "obuchowski", the formula of pROC's `power.roc.test`. It is for rating scales; continuous
        scores need fewer cases.

    References
    ----------
    Obuchowski, Lieber & Wians, "ROC curves in clinical chemistry", Clinical Chemistry 50, 2004;
    Hanley & McNeil, "The meaning and use of the area under a ROC curve", Radiology 143, 1982.

    Examples
    --------
    >>> cases_for_area(0.9, 0.8)
    (62, 62)
    >>> cases_for_area(0.73, ratio=1.7, power=0.95, law="obuchowski")
    (30, 51)
    """
    _check_order(expected, lowest)
    check_positive(ratio=ratio)
    level, law = check_level(level), choose("law", law, LAWS)
    check_level(power, "power", 0.8)
    if law == "obuchowski":
        # As pROC rounds: each class by itself.
        exact = _cases_by_obuchowski(expected, lowest, ratio, power, level)
        return math.ceil(exact), math.ceil(exact * ratio)

    def enough(relevant: int) -> bool:
        other = others_for(relevant, ratio)
        return _power_of_area(relevant, other, expected, lowest, level, law) >= power

    relevant = _least(enough)
    return relevant, others_for(relevant, ratio)


def _cases_by_obuchowski(
    expected: float, lowest: float, ratio: float, power: float, level: float
) -> float:
    """Relevant cases by the formula of Obuchowski (2004), as pROC computes them."""
    spreads = [math.sqrt(_obuchowski(area, ratio)) for area in (lowest, expected)]
    needed = quantiles.z(level) * spreads[0] + quantiles.normal(power) * spreads[1]
    return (needed / (expected - lowest)) ** 2


# --- Two areas of the same cases ---


def of_areas(
    relevant: int,
    other: int,
    area_a: float,
    area_b: float,
    *,
    correlation: float = 0.5,
    margin: float = 0.0,
    level: float = 0.95,
) -> float:
    """Power to show that two areas under ROC differ, or that the first is not worse by the margin;
    see `cases_for_areas`.

    Examples
    --------
    >>> round(of_areas(100, 100, 0.85, 0.85, margin=0.1, correlation=0.5), 3)
    0.959
    """
    relevant, other = check_count("relevant", relevant), check_count("other", other)
    check_positive(relevant=relevant, other=other)
    _check_areas(area_a, area_b, correlation, margin)
    return _power_of_areas(relevant, other, area_a, area_b, correlation, margin, check_level(level))


def _check_areas(area_a: float, area_b: float, correlation: float, margin: float) -> None:
    _inside("area_a", area_a)
    _inside("area_b", area_b)
    if not -1 < check_number("correlation", correlation) < 1:
        raise UsageError(
            argument="correlation", allowed="between -1 and 1", got=Fact(f"{correlation:g}")
        )
    check_number("margin", margin)
    if margin < 0 or not (area_a - area_b + margin if margin else area_a != area_b) > 0:
        raise UsageError(
            argument="area_a, area_b and margin",
            allowed="two areas that differ, or an area_a above area_b - margin",
            got=Fact(f"{area_a:g}, {area_b:g}, {margin:g}"),
        )


def _power_of_areas(
    relevant: float,
    other: float,
    area_a: float,
    area_b: float,
    correlation: float,
    margin: float,
    level: float,
) -> float:
    effect = area_a - area_b + margin if margin else abs(area_a - area_b)
    step = (effect if margin else area_a - area_b) / 2
    # Under the hypothesis both areas are moved alike, so that the systems can be swapped.
    spreads = []
    for first, second in ((area_a - step, area_b + step), (area_a, area_b)):
        one, two = (
            variance_of_area(min(max(area, 1e-9), 1 - 1e-9), relevant, other)
            for area in (first, second)
        )
        spreads.append(math.sqrt(one + two - 2 * correlation * math.sqrt(one * two)))
    return quantiles.normal_share((effect - quantiles.z(level) * spreads[0]) / spreads[1])


def cases_for_areas(
    area_a: float,
    area_b: float,
    *,
    correlation: float = 0.5,
    margin: float = 0.0,
    ratio: float = 1.0,
    power: float = 0.8,
    level: float = 0.95,
) -> tuple[int, int]:
    """Relevant and other cases needed to show that two areas under ROC differ, or that the first is
    not worse.

    Scores are normal with equal spreads in both classes. The test is two-sided at 1 - level, or
    with a margin one-sided at half of that. The power is that of DeLong's test; with a margin the
    default test of `compare.equivalence` has up to 5 points less.

    Parameters
    ----------
    area_a : the area that is expected of the first system.
    area_b : that of the second.
    correlation : of the two estimates of the area. It is less than that of the scores within a
        class: if that is .5, about .42 for areas of .85 and .39 for areas of .9. 0 is for two
        cohorts of this size each.
    margin : the loss that does not matter; 0 tests whether the areas differ.
    ratio : other cases per relevant case.

    Examples
    --------
    >>> cases_for_areas(0.85, 0.75), cases_for_areas(0.85, 0.85, margin=0.1)
    ((76, 76), (59, 59))
    """
    _check_areas(area_a, area_b, correlation, margin)
    check_positive(ratio=ratio)
    level = check_level(level)
    check_level(power, "power", 0.8)

    def enough(relevant: int) -> bool:
        other = others_for(relevant, ratio)
        found = _power_of_areas(relevant, other, area_a, area_b, correlation, margin, level)
        return found >= power

    relevant = _least(enough)
    return relevant, others_for(relevant, ratio)


# --- Decisions of two systems about the same items ---


def items_by_connor(only_a: float, only_b: float, power: float = 0.8, level: float = 0.95) -> int:
    """Items that McNemar's test needs, by the formula of Connor (1987).

    It is for the chi-squared test without a correction; `items` is for the exact test, which needs
    more.

    References
    ----------
    Connor, "Sample size for testing differences in proportions for the paired-sample design",
    Biometrics 43, 1987.

    Examples
    --------
    >>> items_by_connor(0.15, 0.05)
    155
    """
    either, difference = _check_discordant(only_a, only_b)
    check_level(power, "power", 0.8)
    if not difference:
        raise no_size()
    spread = quantiles.z(check_level(level)) * math.sqrt(either)
    spread += quantiles.normal(power) * math.sqrt(either - difference**2)
    return math.ceil((spread / difference) ** 2)


def _check_discordant(only_a: float, only_b: float) -> tuple[float, float]:
    """The share of items on which the systems differ, and the difference of the systems."""
    first, second = check_share("only_a", only_a), check_share("only_b", only_b)
    if first + second > 1:
        raise no_shares(only_a, only_b)
    return first + second, first - second


def no_size() -> UsageError:
    """The error about the size for a difference of 0."""
    return UsageError(
        argument="only_a and only_b",
        what="are equal; no number of items shows a difference of equal systems",
    )


def no_shares(only_a: float, only_b: float) -> UsageError:
    """The error about shares that cannot belong to the same items."""
    return UsageError(
        argument="only_a and only_b",
        allowed="shares of items with a sum in 0..1",
        got=Fact(f"{only_a}, {only_b}"),
    )


def of_margin(
    items: int, only_a: float, only_b: float, margin: float, level: float = 0.95
) -> float:
    """Exact power to show that the first system's share of right decisions is not worse by the
    margin.

    The test is Tango's, one-sided at (1 - level) / 2.

    Examples
    --------
    >>> round(of_margin(300, 0.05, 0.05, 0.05), 3)
    0.745
    """
    check_positive(items=items)
    items = check_count("items", items)
    either, _ = _check_discordant(only_a, only_b)
    check_positive(1, margin=margin)
    return _power_of_margin(items, only_a, either, margin, check_level(level))


def _power_of_margin(
    items: int, only_a: float, either: float, margin: float, level: float
) -> float:
    binomial = stats().binom
    discordant = np.arange(
        binomial.ppf(_TAIL, items, either), binomial.ppf(1 - _TAIL, items, either) + 1
    )
    # The least count of the first system's that shows it: the statistic rises with the count.
    low, high = np.full(len(discordant), -1.0), discordant + 1
    while (high - low).max() > 1:
        middle = np.floor((low + high) / 2)
        z = score_statistic(middle, discordant - middle, items, -margin)
        reached = z >= quantiles.z(level)
        low, high = np.where(reached, low, middle), np.where(reached, middle, high)
    share = only_a / either if either else 0.0
    shown = binomial.sf(high - 1, discordant, share)
    return float(binomial.pmf(discordant, items, either) @ shown)


def items_for_margin(
    only_a: float, only_b: float, margin: float, power: float = 0.8, level: float = 0.95
) -> int:
    """Items needed to show that the first system's share of right decisions, such as its
    sensitivity, is not worse by the margin.

    For sensitivity the items are the relevant ones, for specificity the others. The test is
    Tango's, one-sided at (1 - level) / 2, and the power is exact.

    Parameters
    ----------
    margin : the loss that does not matter, in (0, 1).

    References
    ----------
    Tango, "Equivalence test and confidence interval for the difference in proportions for the
    paired-sample design", Statistics in Medicine 17, 1998.

    Examples
    --------
    >>> items_for_margin(0.05, 0.05, 0.05)
    339
    """
    either, difference = _check_discordant(only_a, only_b)
    check_positive(1, margin=margin)
    level = check_level(level)
    check_level(power, "power", 0.8)
    if not difference + margin > 0:
        raise UsageError(
            argument="margin",
            allowed=f"above the expected loss of {-difference:g}",
            got=Fact(f"{margin:g}"),
        )
    return _least(lambda size: _power_of_margin(size, only_a, either, margin, level) >= power)
