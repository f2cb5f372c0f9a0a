"""Paired tests of two systems: published examples, exact enumeration, SciPy, and laws."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import precall as pc
from precall.core.notes.of_comparisons import DifferencesAlike, LeastP, SkewedDifferences
from precall.stats.tests import paired as module
from precall.stats.tests import signflip
from tests.comparison import oracle
from tests.noticed import noticed, shown
from tests.peers import peer

stats = peer("scipy.stats")

TESTS = ("randomization", "t", "wilcoxon", "sign", "bootstrap")
GRID = st.lists(st.tuples(st.integers(0, 10), st.integers(0, 10)), min_size=1, max_size=9)


def compare(a, b, **choices):
    return pc.compare.paired(a, b, **{"rng": 1, "resamples": 2000, **choices})


def test_darwins_plants():
    # Fisher 1935, section 21: 863 of the 2^15 = 32,768 sums are as great, and t = 2.148.
    found = compare(oracle.CROSSED, oracle.SELFED, alternative="greater")
    assert found.p == 863 / 2**15 and found.how == "all 2^15 signs"
    assert compare(oracle.CROSSED, oracle.SELFED).p == 2 * 863 / 2**15
    t = compare(oracle.CROSSED, oracle.SELFED, test="t")
    assert round(t.statistic, 3) == 2.148 and round(t.p, 4) == 0.0497


def test_students_sleep():
    # Student 1908 has odds 666 to 1, P = .9985; R prints t = -4.0621, df = 9, p-value = 0.002833,
    # CI -2.459886 -0.700114.
    found = compare(oracle.SLEEP_1, oracle.SLEEP_2, test="t")
    assert (round(found.statistic, 4), round(found.p, 6)) == (-4.0621, 0.002833)
    assert (round(found.low, 6), round(found.high, 6)) == (-2.459886, -0.700114)
    assert (
        round(1 - compare(oracle.SLEEP_1, oracle.SLEEP_2, test="t", alternative="less").p, 4)
        == 0.9986
    )


def test_hollander_and_wolfe():
    # R: V = 40, p-value = 0.01953, alternative greater.
    found = compare(oracle.BEFORE, oracle.AFTER, test="wilcoxon", alternative="greater")
    assert (found.statistic, round(found.p, 5)) == (40, 0.01953)
    assert compare(oracle.BEFORE, oracle.AFTER, test="wilcoxon").p == float(2 * Fraction(10, 512))


@pytest.mark.nightly
@given(GRID)
def test_exact_p_is_that_of_all_signs(pairs):
    a, b = ([one / 10 for one in side] for side in zip(*pairs, strict=True))
    apart = [Fraction(x, 10) - Fraction(y, 10) for x, y in pairs]
    assert compare(a, b).p == pytest.approx(float(oracle.randomization(apart)), rel=1e-12)
    assert compare(a, b, test="wilcoxon").p == pytest.approx(
        float(oracle.wilcoxon(apart)), rel=1e-12
    )
    wins, losses = sum(one > 0 for one in apart), sum(one < 0 for one in apart)
    assert compare(a, b, test="sign").p == pytest.approx(
        float(oracle.sign(wins, losses)), rel=1e-12
    )


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_ways_to_be_exact_agree(alternative):
    rng = np.random.default_rng(3)
    for size in (2, 5, 12, 17):
        apart = np.round(rng.normal(0.2, 1, size), 2) + 0.001
        whole = signflip._share_as_extreme(
            signflip._all_signed_sums(apart), apart.sum(), np.abs(apart).sum(), "greater"
        )
        turned = -apart if alternative == "less" else apart
        units = signflip._on_grid(turned, 10**8)
        halves = signflip._by_halves(turned, turned.sum(), np.abs(apart).sum(), alternative)
        exact = signflip.exact_tail(apart, alternative)[0]
        assert signflip._by_convolution(units, alternative) == pytest.approx(exact, rel=1e-12)
        assert halves == pytest.approx(exact, rel=1e-12)
        if alternative == "greater":
            assert exact == whole


def test_thirty_five_topics_are_halved_and_fifty_convolved():
    rng = np.random.default_rng(4)
    apart = rng.normal(0.3, 1, 35)
    found = signflip.exact_tail(apart)
    assert str(found[1]) == "all 2^35 signs, by halves"
    sampled = signflip.sampled_tail(apart[:, None], rng, 100_000)[0]
    assert found[0] == pytest.approx(sampled, abs=5 * (sampled / 100_000) ** 0.5)
    tenths = np.round(rng.normal(0.1, 0.3, 50), 1)
    exact, method = signflip.exact_tail(tenths)
    assert method.by == "convolution"
    assert exact == pytest.approx(signflip.sampled_tail(tenths[:, None], rng, 100_000)[0], abs=0.01)
    assert signflip.exact_tail(rng.normal(size=60)) is None


def test_common_fractions_are_a_grid():
    # Differences of R@k with 3 and 7 relevant items have the unit 1/21.
    apart = np.array([1 / 3, -1 / 7, 2 / 3, 3 / 7, -1 / 3] * 10)
    exact, method = signflip.exact_tail(apart)
    assert method.by == "convolution"
    thousandths = np.array([7, -3, 14, 9, -7] * 10)
    assert exact == signflip.exact_tail(thousandths / 1000)[0]


def test_far_tails_are_not_zero():
    assert 0 < compare(np.ones(3000) * 0.5, np.zeros(3000)).p < 1e-300
    assert (
        0
        < compare(np.ones(60) + np.random.default_rng(1).normal(size=60) / 100, np.zeros(60)).p
        == 1 / 2001
    )


def test_against_scipy():
    rng = np.random.default_rng(5)
    for size in (6, 30):
        a, b = rng.random(size), rng.random(size)
        for alternative in ("two-sided", "greater", "less"):
            choices = {"alternative": alternative}
            t = stats.ttest_rel(a, b, **choices)
            found = compare(a, b, test="t", **choices)
            assert (found.p, found.statistic) == pytest.approx((t.pvalue, t.statistic), rel=1e-10)
            ranks = stats.wilcoxon(a, b, method="exact", **choices).pvalue
            assert compare(a, b, test="wilcoxon", **choices).p == pytest.approx(ranks, rel=1e-10)
            signs = stats.binomtest(int((a > b).sum()), size, **choices).pvalue
            assert compare(a, b, test="sign", **choices).p == pytest.approx(signs, rel=1e-10)
        low, high = stats.ttest_rel(a, b).confidence_interval()
        assert (found.low, found.high) == pytest.approx((low, high))
    theirs = stats.permutation_test(
        (a[:10], b[:10]),
        lambda x, y: np.mean(x - y),
        permutation_type="samples",
        n_resamples=np.inf,
    )
    assert compare(a[:10], b[:10]).p == pytest.approx(theirs.pvalue, rel=1e-12)


def test_a_long_wilcoxon_is_normal():
    rng = np.random.default_rng(6)
    a, b = rng.normal(0.1, 1, 400), rng.normal(0, 1, 400)
    found = compare(a, b, test="wilcoxon")
    assert found.how == "normal approximation"
    assert found.p == pytest.approx(stats.wilcoxon(a, b, method="approx").pvalue, rel=1e-9)


def test_bootstrap_is_what_it_says():
    # Of two topics 1 and 3 the redrawn means are 1, 2, 2, 3; shifted by 2 two of four are 1 from 0,
    # and none is 2.
    found = compare([1.0, 3.0], [0.0, 0.0], test="bootstrap", resamples=50_000)
    assert found.p == 1 / 50_001
    found = compare([0.0, 2.0], [0.0, 0.0], test="bootstrap", resamples=50_000)
    assert found.p == pytest.approx(0.5, abs=0.01)
    assert (found.low, found.high) == (0.0, 2.0)


@pytest.mark.parametrize("test", TESTS)
def test_equal_systems(test):
    found = compare([0.3, 0.5, 0.1 + 0.2], [0.3, 0.5, 0.3], test=test)
    assert (found.p, found.difference, found.low, found.high) == (1.0, 0.0, None, None)
    assert (found.wins, found.ties, found.losses, found.effect) == (0, 3, 0, 0.0)


@pytest.mark.parametrize("test", TESTS)
def test_swapping_the_systems_turns_the_sign_only(test):
    rng = np.random.default_rng(7)
    a, b = rng.random(12), rng.random(12)
    one, other = compare(a, b, test=test), compare(b, a, test=test)
    assert one.p == pytest.approx(other.p, abs=0.02 if test == "bootstrap" else 1e-12)
    assert one.difference == -other.difference and (one.wins, one.losses) == (
        other.losses,
        other.wins,
    )


def test_differences_without_variance_are_a_defined_case():
    found = compare([0.5, 0.6, 0.7, 0.9], [0.4, 0.5, 0.6, 0.8], test="t")
    assert found.p == 2 / 2**4 and found.statistic == float("inf")
    (note,) = noticed(found, DifferencesAlike)
    assert note.values == {"reason": "all topics differ by the same amount", "by_signs": True}
    assert found.effect is None and (found.low, found.high) == (None, None)
    assert compare([0.5], [0.4], test="t").p == 1.0


def test_topics_are_paired_by_id():
    a, b = {"q1": 0.1, "q2": 0.9, "q3": 0.5}, {"q3": 0.4, "q2": 0.8, "q1": 0.0}
    assert compare(a, b).difference == pytest.approx(0.1)
    assert compare(a, b, test="t").p == 0.25
    with pytest.raises(
        pc.DataError, match="b: topic 'q4' is missing; give it a value, or pass unpaired='drop'"
    ):
        compare({**a, "q4": 1.0}, b)
    dropped = compare({**a, "q4": 1.0}, b, unpaired="drop")
    assert (dropped.size, dropped.left_out) == (3, 1) and "1 topic left out" in str(dropped)
    with pytest.raises(pc.UsageError, match="got dict and"):
        compare(a, [1, 2, 3])
    with pytest.raises(pc.UsageError, match="must be paired, .* a has 3, b has 2"):
        compare([1, 2, 3], [1, 2])


def test_undefined_values():
    a, b = [0.5, float("nan"), 0.7, 0.2], [0.4, 0.1, 0.5, 0.3]
    assert (compare(a, b).size, compare(a, b).left_out) == (3, 1)
    assert compare(a, b, undefined="zero").values[0] == pytest.approx(1.4 / 4)
    with pytest.raises(pc.DataError, match="a: topic 1 is undefined"):
        compare(a, b, undefined="error")
    with pytest.raises(pc.DataError, match="no topic has a value for all"):
        compare([float("nan")], [1.0])
    with pytest.raises(pc.DataError, match="is infinite"):
        compare([float("inf"), 1.0], [1.0, 2.0])


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"test": "z"}, "test: got 'z', allowed are randomization"),
        ({"alternative": "both"}, "alternative: got 'both'"),
        ({"level": 95}, "level: must be a number between 0 and 1"),
        ({"resamples": 0}, "resamples: must be an integer >= 1"),
        ({"unpaired": "x"}, "unpaired: got 'x'"),
        ({"names": ("a", "a")}, "names: must be two different ones"),
        ({"rng": -1}, "rng: must be a seed"),
    ],
)
def test_wrong_choices(choices, said):
    a = np.random.default_rng(1).random(60)
    with pytest.raises(pc.UsageError, match=said):
        compare(a, a[::-1] ** 2, **choices)


@pytest.mark.parametrize("test", ["randomization", "bootstrap"])
def test_a_seed_gives_the_same_digits_whatever_the_threads(test, monkeypatch):
    rng = np.random.default_rng(8)
    a, b = rng.random(70), rng.random(70)
    found = []
    for threads in ("1", "2", "3"):
        monkeypatch.setenv("PRECALL_THREADS", threads)
        found.append(compare(a, b, test=test, rng=11, resamples=20_000))
    assert len({(one.p, one.low, one.high) for one in found}) == 1
    assert found[0].seed == 11
    assert compare(a, b, test=test, rng=12, resamples=20_000).p != found[0].p


def test_notes():
    rng = np.random.default_rng(9)
    skewed = rng.exponential(size=12) ** 2
    found = compare(skewed, np.zeros(12), test="t")
    (note,) = noticed(found, SkewedDifferences)
    assert (note.topics, note.differ, note.test) == (12, 12, "t") and shown(str(found), note)
    normal = rng.normal(0.2, 1, 60)
    assert compare(normal, np.zeros(60), test="t").notes == ()
    found = compare([1, 2, 3, 4], [0, 0, 0, 1])
    (note,) = noticed(found, LeastP)
    assert (note.differ, note.least) == (4, 0.125) and shown(str(found), note)
    assert not noticed(compare([1, 2, 3, 4, 5, 6], [0, 0, 0, 1, 1, 1]), LeastP)


def test_a_comparison_is_frozen_and_not_a_tuple():
    found = compare([1, 2, 3], [1, 1, 1])
    with pytest.raises(AttributeError):
        found.p = 0.0
    with pytest.raises(TypeError):
        iter(found)
    assert found.superiority == (2 + 0.5) / 3
    assert found.to_dict()["difference"] == 1.0 and "p 0.500" in repr(found)
    assert module.effect(np.array([1.0, 2.0, 3.0]), 1.0) == 2.0


@given(
    st.lists(st.floats(-1, 1, allow_subnormal=False), min_size=2, max_size=10), st.integers(-20, 20)
)
def test_the_scale_does_not_matter(values, power):
    apart = np.array(values)
    exact, scaled = signflip.exact_tail(apart), signflip.exact_tail(apart * 2.0**power)
    assert exact[0] == scaled[0]
