"""The number of topics or items that a comparison needs, and what a given number of them can
show.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from precall.core.arguments import (
    check_column,
    check_count,
    check_level,
    check_number,
    check_positive,
    check_share,
    check_whole,
)
from precall.core.errors import Fact, UsageError
from precall.core.ragged import Float64
from precall.core.rng import Rng, generator_and_seed, suggest_our_names
from precall.stats import quantiles
from precall.stats.noncentral import FAR, power_of_t
from precall.stats.scipy import stats
from precall.stats.tests import signflip
from precall.stats.tests.least_size import least_size
from precall.stats.tests.paired import deviation
from precall.stats.tests.screens import of_screen as of_screen
from precall.stats.tests.screens import screen as screen
from precall.stats.tests.sizes import cases_for_area as cases_for_area
from precall.stats.tests.sizes import cases_for_areas as cases_for_areas
from precall.stats.tests.sizes import cases_for_proportion as cases_for_proportion
from precall.stats.tests.sizes import items_by_connor as items_by_connor
from precall.stats.tests.sizes import items_for_margin as items_for_margin
from precall.stats.tests.sizes import no_shares, no_size
from precall.stats.tests.sizes import of_area as of_area
from precall.stats.tests.sizes import of_areas as of_areas
from precall.stats.tests.sizes import of_margin as of_margin
from precall.stats.tests.sizes import of_proportion as of_proportion

#: If a design needs more topics or items than this, it is hopeless.
MOST = 10**8


def check_power(power: float) -> float:
    """The power, checked to be a probability."""
    return check_level(power, "power", 0.8)


def of_t(topics: int, difference: float, deviation: float, level: float = 0.95) -> float:
    """Power of the two-sided paired t test for a mean difference of either sign, given the standard
    deviation of differences.

    Examples
    --------
    >>> round(of_t(34, 0.5, 1.0), 4)
    0.8078
    """
    check_positive(topics=topics, deviation=deviation)
    check_number("difference", difference)
    level = check_level(level)
    if topics < 2:
        raise UsageError(argument="topics", allowed="2 or more", got=Fact(topics))
    # Python's floats, because NumPy's narrower ones keep fewer digits, and SciPy takes no integers
    # beyond 64 bits.
    size = float(topics)
    noncentrality = abs(float(difference)) / float(deviation) * size**0.5
    return power_of_t(noncentrality, size - 1, level)


def topics(difference: float, deviation: float, power: float = 0.8, level: float = 0.95) -> int:
    """Topics that a paired t test needs to detect a difference: Sakai's t-test-based design.

    Examples
    --------
    >>> topics(0.5, 1.0), topics(0.2, 1.0), topics(0.8, 1.0)
    (34, 199, 15)
    """
    check_positive(difference=abs(check_number("difference", difference)), deviation=deviation)
    check_power(power)
    return _least(lambda count: of_t(count, difference, deviation, level) >= power, 2)


#: The least count that is enough.
_least = functools.partial(
    least_size, most=MOST, remedy="ask for a greater difference, or a greater width"
)


def detectable(topics: int, deviation: float, power: float = 0.8, level: float = 0.95) -> float:
    """Least mean difference that a paired t test of `topics` topics detects with this power.

    It is 0 for a power of 1 - level or less, which the test has even without a difference.

    Examples
    --------
    >>> round(detectable(50, 0.1), 4)
    0.0404
    """
    check_power(power)
    low, high = 0.0, deviation
    if of_t(topics, low, deviation, level) >= power:
        return low
    while of_t(topics, high, deviation, level) < power:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (
            (low, middle) if of_t(topics, middle, deviation, level) >= power else (middle, high)
        )
    return high


@suggest_our_names
def of_randomization(
    differences: object,
    difference: float,
    topics: int | None = None,
    level: float = 0.95,
    simulations: int = 1000,
    resamples: int = 1999,
    rng: Rng = 0,
) -> tuple[float, float]:
    """Power of the randomization test by simulation from a pilot, and its standard error.

    Topics are redrawn from the pilot's differences, shifted to the mean difference to be detected.
    So their shape, which the t test does not use, is kept. They are stretched by √(n/(n - 1)),
    because otherwise their variance would be smaller than in `of_t`.

    Parameters
    ----------
    differences : differences of the pilot, one per topic, at least 2.
    difference : mean difference to be detected.
    topics : topics of the planned comparison (default: as many as the pilot).
    simulations : number of simulated comparisons.
    resamples : number of sampled signs in each.

    Examples
    --------
    >>> pilot = np.random.default_rng(1).normal(size=40)
    >>> power, error = of_randomization(pilot, 1.0, topics=20, simulations=200, rng=1)
    >>> power > 0.95, error < 0.02
    (True, True)
    """
    pilot = np.sort(check_column("differences", differences))
    simulations = check_whole("simulations", simulations, 1)
    resamples = check_whole("resamples", resamples, 1)
    check_number("difference", difference)
    size = len(pilot) if topics is None else check_whole("topics", topics, 1, MOST)
    if len(pilot) < 2 or np.isnan(pilot).any():
        raise UsageError(argument="differences", allowed="2 numbers or more, none of them NaN")
    level = check_level(level)
    generator, _ = generator_and_seed(rng)
    centred = (pilot - pilot.mean()) * (len(pilot) / (len(pilot) - 1)) ** 0.5 + difference
    drawn = centred[generator.integers(0, len(pilot), size=(size, simulations))]
    rejected = 0
    # Columns of one table share their signs, which does not change any single test.
    for begin in range(0, simulations, 64):
        batch = drawn[:, begin : begin + 64]
        rejected += int(
            (
                signflip.sampled_tail(batch, generator.spawn(1)[0], resamples) <= 1 - level + 1e-12
            ).sum()
        )
    power = rejected / simulations
    return power, float(np.sqrt(max(power * (1 - power), 0.25 / simulations) / simulations))


def of_anova(
    topics: int, systems: int, difference: float, variance: float, level: float = 0.95
) -> float:
    """Power of one-way analysis of variance when the best and the worst system differ by
    `difference`.

    This is the least favourable case: all other systems are in the middle, with λ = topics ·
    difference² / (2 · variance).

    Examples
    --------
    >>> round(of_anova(53, 3, 0.25 * 6**0.5, 1.0), 3)
    0.805
    """
    check_positive(topics=topics, systems=systems, difference=difference, variance=variance)
    if systems < 2 or topics < 2:
        raise UsageError(
            "there must be 2 systems and 2 topics or more", got=Fact(f"{systems} and {topics}")
        )
    difference, variance = float(difference), float(variance)
    above, below = float(systems) - 1, float(systems) * (float(topics) - 1)
    critical_f = float(stats().f.isf(1 - check_level(level), above, below))
    noncentrality = float(topics) * difference / (2 * variance) * difference
    if noncentrality > FAR**2:
        return float(stats().chi2.cdf(below * (noncentrality / above / critical_f), below))
    return float(stats().ncf.sf(critical_f, above, below, noncentrality))


def topics_for_anova(
    systems: int, difference: float, variance: float, power: float = 0.8, level: float = 0.95
) -> int:
    """Topics needed to distinguish the best and the worst of several systems: Sakai's ANOVA design.

    `variance` is that within systems: the residual of `precall.compare.many(...).anova`.

    References
    ----------
    Sakai, "Topic set size design", Information Retrieval Journal 19, 2016.

    Examples
    --------
    >>> topics_for_anova(2, 0.1, 0.05), topics_for_anova(10, 0.1, 0.05)
    (80, 158)
    """
    check_power(power)
    return _least(lambda count: of_anova(count, systems, difference, variance, level) >= power, 2)


def topics_for_interval(width: float, variance: float, level: float = 0.95) -> int:
    """Topics needed for an interval of a mean difference no wider than `width` on average: Sakai's
    design.

    `variance` is that of the differences. The expected width is 2 t E(s)/√n, and the expected
    standard deviation of n = φ + 1 normal differences is √(variance · 2/φ) Γ((φ + 1)/2)/Γ(φ/2).

    Examples
    --------
    >>> topics_for_interval(0.5, 1.0)
    64
    """
    check_positive(width=width, variance=variance)
    level = check_level(level)
    width, variance = float(width), float(variance)

    def enough(count: int) -> bool:
        freedom = count - 1
        shrunk = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2))
        spread = math.sqrt(variance * 2 / freedom) * shrunk
        return 2 * quantiles.t(level, freedom) * spread / math.sqrt(count) <= width

    return _least(enough, 2)


def of_mcnemar(items: int, only_a: float, only_b: float, level: float = 0.95) -> float:
    """Exact power of McNemar's exact test of two systems, given the shares of items on which only
    one is right.

    Examples
    --------
    >>> round(of_mcnemar(200, 0.15, 0.05), 3)
    0.875
    """
    check_positive(items=items)
    items = check_count("items", items)
    either = check_share("only_a", only_a) + check_share("only_b", only_b)
    if not 0 < either <= 1:
        raise no_shares(only_a, only_b)
    tail = (1 - check_level(level)) / 2
    binomial = stats().binom
    low, high = int(binomial.ppf(1e-12, items, either)), int(binomial.ppf(1 - 1e-12, items, either))
    discordant = np.arange(low, high + 1)
    # Reject if the smaller count is at most `edge`, the greatest count whose lower tail is at most
    # half the significance level.
    edge = binomial.ppf(tail, discordant, 0.5)
    edge = np.where(binomial.cdf(edge, discordant, 0.5) <= tail, edge, edge - 1)
    share = only_a / either
    reject = binomial.cdf(edge, discordant, share) + binomial.sf(
        discordant - edge - 1, discordant, share
    )
    return float((binomial.pmf(discordant, items, either) * np.where(edge >= 0, reject, 0.0)).sum())


def items(only_a: float, only_b: float, power: float = 0.8, level: float = 0.95) -> int:
    """Items that McNemar's exact test needs to distinguish two systems.

    The power of an exact test of counts rises in steps and falls a little between them. This is a
    count that reaches the power while one item fewer does not.

    Examples
    --------
    >>> items(0.15, 0.05)
    168
    """
    check_power(power)
    if check_share("only_a", only_a) == check_share("only_b", only_b):
        raise no_size()
    return _least(lambda count: of_mcnemar(count, only_a, only_b, level) >= power, 2)


def of_data(differences: Float64, power: float, level: float) -> float:
    """Least mean difference that a t test of these topics detects, from their own standard
    deviation; 0 if they do not vary.
    """
    spread = deviation(differences)
    return detectable(len(differences), spread, power, level) if spread > 0 else spread
