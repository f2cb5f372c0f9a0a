"""Posteriors, power and equivalence: closed forms, simulation, statsmodels."""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc
from precall.stats.tests.bayes import _shares
from tests.comparison import oracle
from tests.peers import peer

stats = peer("scipy.stats")
plans = peer("statsmodels.stats.power")
weightstats = peer("statsmodels.stats.weightstats")

BAYES, POWER = pc.compare.bayes, pc.compare.power
DRAWS = 200_000


@pytest.mark.nightly(keep=3)
@pytest.mark.parametrize("beta", [1.0, 2.0, 0.5])
@pytest.mark.parametrize("counts", [(8, 2, 4), (40, 3, 60), (0, 1, 1)])
def test_posterior_of_f_is_that_of_gamma_draws(beta, counts):
    # Goutte & Gaussier 2005, section 3: F from three gamma variates.
    rng = np.random.default_rng(1)
    u, v, w = (rng.gamma(count + 0.5, size=DRAWS) for count in counts)
    drawn = (1 + beta**2) * u / ((1 + beta**2) * u + v + beta**2 * w)
    found = BAYES.f(*counts, beta=beta)
    assert found.mean == pytest.approx(drawn.mean(), abs=6 * drawn.std() / DRAWS**0.5 + 2e-4)
    for q in (0.025, 0.5, 0.975):
        assert (drawn <= found.ppf(q)).mean() == pytest.approx(q, abs=0.004)
        assert found.cdf(found.ppf(q)) == pytest.approx(q, abs=1e-9)
    assert found.greater(BAYES.f(*counts, beta=beta)) == pytest.approx(0.5, abs=1e-6)
    assert found.sf(0.3) == pytest.approx(1 - found.cdf(0.3))


def test_posteriors_of_p_and_r_are_beta():
    assert BAYES.precision(8, 2).interval(0.9) == pytest.approx(stats.beta(8.5, 2.5).interval(0.9))
    assert BAYES.recall(8, 4, prior=1).mean == pytest.approx(9 / 14, abs=1e-5)
    assert BAYES.precision(8, 2).greater(BAYES.precision(8, 2)) == pytest.approx(0.5, abs=1e-9)
    rng = np.random.default_rng(2)
    greater = (rng.beta(30.5, 10.5, DRAWS) > rng.beta(25.5, 15.5, DRAWS)).mean()
    assert BAYES.precision(30, 10).greater(BAYES.precision(25, 15)) == pytest.approx(
        greater, abs=0.005
    )
    assert "P: mean 0.77" in str(BAYES.precision(8, 2))


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize(
    ("one", "other"), [((1, 1), (300_000, 700_000)), ((5, 3), (3000, 7000)), ((0, 0), (0, 5))]
)
def test_posteriors_of_unequal_sureness(one, other):
    # Nodes over the quantiles of the vaguer of two laws meet the surer one as a step, and miss by
    # some 1e-3.
    odds = np.linspace(-40, 40, 200_001)
    share = 1 / (1 + np.exp(-odds))
    vague, sure = BAYES.precision(*one), BAYES.precision(*other)
    log = sure.a * np.log(share) + sure.b * np.log1p(-np.minimum(share, 1 - 1e-16))
    weight = np.exp(log - log.max())
    by_hand = float((weight * stats.beta.sf(share, vague.a, vague.b)).sum() / weight.sum())
    assert vague.greater(sure) == pytest.approx(by_hand, abs=1e-6)
    assert sure.greater(vague) == pytest.approx(1 - by_hand, abs=1e-6)


def test_posterior_of_f_has_the_quantiles_of_its_interval():
    for counts in ((8, 0, 40), (40, 3, 60), (5, 200, 0)):
        for beta in (0.2, 5.0):
            found = pc.interval.f(*counts, beta=beta, prior=0.5)
            by_hand = BAYES.f(*counts, beta=beta).interval()
            assert by_hand == pytest.approx((found.low, found.high), abs=2e-5)


def test_three_outcomes():
    rng = np.random.default_rng(3)
    drawn = rng.dirichlet([12.5, 4.5, 84.5], DRAWS)
    found = BAYES.outcomes(12, 4, 84)
    assert found.greater == pytest.approx((drawn[:, 0] > drawn[:, 1]).mean(), abs=0.002)
    assert found.greater == BAYES.outcomes(12, 4, 0).greater and found.greater + found.less == 1
    assert BAYES.outcomes(5, 5).greater == pytest.approx(0.5)


def test_bayesian_sign_test_is_that_of_dirichlet_draws():
    rng = np.random.default_rng(4)
    a, b = rng.random(20), rng.random(20)
    rope = 0.1
    found = BAYES.sign(a, b, rope)
    alpha = [(a - b > rope).sum(), (np.abs(a - b) <= rope).sum() + 1, (a - b < -rope).sum()]
    share = np.bincount(rng.dirichlet(alpha, DRAWS).argmax(axis=1), minlength=3) / DRAWS
    assert (found.greater, found.equivalent, found.less) == pytest.approx(tuple(share), abs=0.004)
    none = BAYES.sign(a, b, 0.0)
    assert none.equivalent == 0 and none.greater + none.less == 1
    assert BAYES.sign(a, a).equivalent == pytest.approx(1.0)
    turned = BAYES.sign(b, a, rope)
    assert (turned.less, turned.greater) == pytest.approx((found.greater, found.less))


def test_bayesian_signed_ranks():
    # Benavoli et al. 2017, equation 7, with loops: weights of topics, pairs above, within and below
    # twice the rope.
    rng = np.random.default_rng(5)
    a, b = rng.random(8), rng.random(8)
    z = [0.0, *(a - b)]
    rope, wins = 0.05, np.zeros(3)
    for _ in range(3000):
        w = rng.dirichlet([0.5] + [1.0] * 8)
        share = np.zeros(3)
        for i, x in enumerate(z):
            for j, y in enumerate(z):
                share[0 if x + y > 2 * rope else 2 if x + y < -2 * rope else 1] += w[i] * w[j]
        wins[share.argmax()] += 1
    found = BAYES.signed_rank(a, b, rope, rng=1)
    assert (found.greater, found.equivalent, found.less) == pytest.approx(
        tuple(wins / 3000), abs=0.05
    )
    assert found.greater == BAYES.signed_rank(a, b, rope, rng=1).greater and "signed-rank" in str(
        found
    )
    assert BAYES.signed_rank(a, b, 0.0, rng=1).equivalent == 0


def test_bayesian_signed_ranks_take_twice_the_rope():
    # Pairs of topics have sums of .12 or .06: within twice a rope of .07, and .12 above it once.
    found = BAYES.signed_rank([0.06] * 9, [0.0] * 9, 0.07, rng=1)
    assert found.equivalent == 1.0 and found.greater == 0.0
    assert BAYES.signed_rank([0.06] * 9, [0.0] * 9, 0.05, rng=1).greater > 0.95


@pytest.mark.parametrize("rope", [0.0, 0.05, 0.1])
@pytest.mark.parametrize(("size", "digits"), [(1, 1), (2, 1), (40, 1), (40, 17), (40, 0)])
def test_shares_of_pairs_are_those_of_the_table_of_all_pairs(rope, size, digits):
    """Pairs on the edge, equal values and zeros among them: as the test was computed before."""
    rng = np.random.default_rng(size)
    z = np.sort(np.append(rng.normal(0, 0.3, size).round(digits), 0.0))
    weight = rng.dirichlet(np.ones(size + 1), 20)
    sums = z[:, None] + z
    near = 1e-12 * max(np.abs(sums).max(), 2 * rope)
    for sign, share in zip((1, -1), _shares(z, 2 * rope)(weight), strict=True):
        over = sign * sums - 2 * rope
        table = np.where(over > near, 1.0, np.where(over >= -near, 0.5, 0.0))
        assert share == pytest.approx(((weight @ table) * weight).sum(axis=1), abs=1e-13)


def test_errors_of_posteriors():
    for call, said in (
        (lambda: BAYES.f(-1, 2, 3), "tp: must be a count in 0"),
        (lambda: BAYES.f(1, 2, 3, beta=-1), "beta: must be"),
        (lambda: BAYES.precision(1, 2, prior=0), "prior: must be"),
        (lambda: BAYES.sign([1, 2], [2, 1], rope=-1), "rope: must be"),
    ):
        with pytest.raises(pc.UsageError, match=said):
            call()


def test_power_of_t_is_that_of_statsmodels():
    # Cohen 1988, table 2.4 and G*Power: 34 pairs for d = .5, 199 for d = .2, 15 for d = .8, at 5 %
    # and power .8.
    assert [POWER.topics(d, 1.0) for d in (0.5, 0.2, 0.8)] == [34, 199, 15]
    for topics, d in ((10, 0.5), (50, 0.3), (400, 0.1)):
        theirs = plans.TTestPower().power(d, topics, 0.05)
        assert POWER.of_t(topics, 2 * d, 2.0) == pytest.approx(theirs, rel=1e-6)
        assert POWER.of_t(topics, POWER.detectable(topics, 3.0), 3.0) == pytest.approx(
            0.8, abs=1e-9
        )
    assert POWER.of_t(100, 5.0, 1.0) == 1.0 and POWER.of_t(20, 0.0, 1.0) == pytest.approx(0.05)


def of_t_by_quadrature(topics, difference, level):
    """The chance of t beyond its bound, given the deviation that was found, averaged over that
    deviation.
    """
    edge, far = stats.t.isf((1 - level) / 2, topics - 1), difference * topics**0.5
    law = stats.chi(topics - 1, scale=(topics - 1) ** -0.5)
    spread = np.linspace(law.ppf(1e-14), law.isf(1e-14), 100_001)
    chance = stats.norm.sf(edge * spread - far) + stats.norm.cdf(-edge * spread - far)
    return float(np.trapezoid(chance * law.pdf(spread), spread))


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize("topics", [2, 3, 5, 10, 50])
def test_power_of_t_far_from_no_difference(topics):
    # SciPy's noncentral t gives NaN for the tail on the other side, and min(1, NaN) was 1.
    for difference in (0.0, 1.0, 3.0, 12.0, 1e5):
        for level in (0.9, 0.95, 0.99, 0.999):
            by_hand = of_t_by_quadrature(topics, difference, level)
            assert POWER.of_t(topics, difference, 1.0, level) == pytest.approx(by_hand, abs=1e-5)
    assert POWER.of_t(2, 12.0, 1.0, 0.99) < 0.22
    assert POWER.topics(12.0, 1.0, level=0.99) == 3
    assert POWER.detectable(topics, 1.0, 0.03) == 0  # it was 1e-18
    least = POWER.detectable(topics, 1.0, 0.8, 0.999)
    assert POWER.of_t(topics, least, 1.0, 0.999) == pytest.approx(0.8, abs=1e-9)


def test_power_of_anova_is_that_of_statsmodels():
    for systems, difference, variance in ((2, 0.1, 0.05), (10, 0.1, 0.05), (3, 0.2, 0.1)):
        f = (difference**2 / (2 * variance * systems)) ** 0.5
        total = plans.FTestAnovaPower().solve_power(
            effect_size=f, alpha=0.05, power=0.8, k_groups=systems
        )
        assert POWER.topics_for_anova(systems, difference, variance) == int(
            np.ceil(total / systems)
        )


@pytest.mark.nightly
def test_width_of_intervals_by_simulation():
    topics = POWER.topics_for_interval(0.5, 1.0)
    rng = np.random.default_rng(6)
    for count, sign in ((topics, -1), (topics - 1, 1)):
        spread = rng.normal(size=(100_000, count)).std(axis=1, ddof=1).mean()
        width = 2 * stats.t.isf(0.025, count - 1) * spread / count**0.5
        assert sign * (width - 0.5) > -0.001


def test_power_of_mcnemar_is_that_of_all_tables():
    for items, a, b in ((20, 0.3, 0.1), (37, 0.25, 0.05), (12, 0.6, 0.2)):
        assert POWER.of_mcnemar(items, a, b) == pytest.approx(
            oracle.mcnemar_power(items, a, b, 0.05), abs=1e-9
        )
    needed = POWER.items(0.15, 0.05)
    assert POWER.of_mcnemar(needed, 0.15, 0.05) >= 0.8 > POWER.of_mcnemar(needed - 1, 0.15, 0.05)


def test_power_of_randomization_is_near_that_of_t():
    pilot = np.random.default_rng(7).normal(size=200)
    pilot = (pilot - pilot.mean()) / pilot.std(ddof=1)
    power, error = POWER.of_randomization(pilot, 0.5, topics=34, rng=1, simulations=800)
    assert power == pytest.approx(POWER.of_t(34, 0.5, 1.0), abs=4 * error)
    size, error = POWER.of_randomization(pilot, 0.0, topics=34, rng=2, simulations=800)
    assert size == pytest.approx(0.05, abs=4 * error)
    assert POWER.of_randomization(pilot, 0.5, 20, rng=3, simulations=50) == POWER.of_randomization(
        pilot, 0.5, 20, rng=3, simulations=50
    )


def test_power_of_randomization_has_the_deviation_of_the_pilot():
    # Redrawn from -1 and 1 as they are, topics 1.2 ± 1 all have one sign, and power is 1. Of 1.2 ±
    # √2 one other sign makes p 4/64, so that all six topics must be above 0: a chance of 1/64.
    power, error = POWER.of_randomization(
        [-1.0, 1.0], 1.2, topics=6, rng=1, simulations=1000, resamples=9999
    )
    assert power == pytest.approx(1 / 64, abs=5 * error)


def test_errors_of_plans():
    for call, said in (
        (lambda: POWER.topics(0.0, 1.0), "difference: must be a number > 0"),
        (lambda: POWER.topics(1e-9, 1.0), "more than 100,000,000 would be needed"),
        (lambda: POWER.topics(0.5, 1.0, power=1.0), "power: must be"),
        (lambda: POWER.of_t(1, 0.5, 1.0), "topics: must be 2 or more"),
        (lambda: POWER.items(0.1, 0.1), "only_a and only_b: are equal"),
        (lambda: POWER.of_mcnemar(10, 0.9, 0.9), "shares of items"),
        (lambda: POWER.of_anova(5, 1, 0.1, 1.0), "2 systems and 2 topics"),
        (lambda: POWER.of_randomization([1.0], 0.1), "differences: must be 2"),
    ):
        with pytest.raises(pc.UsageError, match=said):
            call()


def test_equivalence_is_that_of_statsmodels():
    rng = np.random.default_rng(8)
    a = rng.random(25)
    b = a + rng.normal(0.01, 0.05, 25)
    found = pc.compare.equivalence(a, b, 0.04)
    p, low, high = weightstats.ttost_paired(a, b, -0.04, 0.04)
    assert (found.p, found.p_low, found.p_high) == pytest.approx((p, low[1], high[1]))
    assert (found.low, found.high) == pytest.approx(stats.ttest_rel(a, b).confidence_interval(0.9))
    # The least margin is where p is exactly 5 %.
    assert pc.compare.equivalence(a, b, found.needed).p == pytest.approx(0.05)
    gate = pc.compare.equivalence(a, b, 0.04, kind="not worse")
    assert gate.p == found.p_low and pc.compare.equivalence(
        a, b, gate.needed, kind="not worse"
    ).p == pytest.approx(0.05)


def test_equivalence_without_normal_laws():
    rng = np.random.default_rng(9)
    a = rng.random(12)
    b = a + rng.normal(0.0, 0.02, 12)
    for test in ("randomization", "wilcoxon"):
        found = pc.compare.equivalence(a, b, 0.03, test=test)
        assert (
            found.shown
            and found.p_low == pc.compare.paired(a + 0.03, b, test=test, alternative="greater").p
        )
    same = pc.compare.equivalence(a, a, 0.01)
    assert same.p == 2**-12 and same.shown and same.needed == 0.0
    assert not pc.compare.equivalence([0.5], [0.5], 0.1).shown


def test_low_values_may_be_good():
    a, b = np.array([0.1, 0.2, 0.15, 0.3, 0.2]), np.array([0.3, 0.4, 0.3, 0.5, 0.45])
    worse = pc.compare.equivalence(a, b, 0.05, kind="not worse")
    better = pc.compare.equivalence(a, b, 0.05, kind="not worse", higher_is_better=False)
    assert not worse.shown and better.shown and better.difference == worse.difference < 0
    assert "not shown to be not worse" in str(worse)
    for choices, said in (
        ({"margin": 0}, "margin: must be a number > 0"),
        ({"margin": 1, "kind": "better"}, "kind: got 'better'"),
        ({"margin": 1, "test": "sign"}, "test: got 'sign'"),
    ):
        with pytest.raises(pc.UsageError, match=said):
            pc.compare.equivalence(a, b, **choices)
