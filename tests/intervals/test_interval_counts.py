"""Intervals of counts: proportions, F and E, averaged F."""

from __future__ import annotations

import math

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_intervals import (
    FewItems,
    FewOfAKind,
    NoSpread,
    ShortForFew,
    UndefinedMeasure,
    WaldForFew,
)
from precall.hard_decisions import decisions
from precall.stats.intervals.methods import METHODS
from tests.noticed import warned
from tests.oracle import counted_intervals as oracle
from tests.peers import peer

stats = peer("scipy.stats")
proportion = peer("statsmodels.stats.proportion")

THEIRS = {
    "wilson": "wilson",
    "clopper-pearson": "beta",
    "jeffreys": "jeffreys",
    "agresti-coull": "agresti_coull",
    "wald": "normal",
}
CASES = [(7, 20), (1, 29), (12, 13), (500, 1000), (6, 100), (99_990, 100_000)]


@pytest.fixture
def quiet():
    """What is warned of is tested by name below."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PrecallWarning)
        yield


def test_every_method_of_proportions_is_computed_anew():
    assert set(THEIRS) == set(METHODS["proportion"]), "compare its bounds with others"


def ends(found):
    return (found.low, found.high)


@pytest.mark.usefixtures("quiet")
class TestProportion:
    @pytest.mark.parametrize("method", THEIRS)
    @pytest.mark.parametrize(("hits", "total"), CASES)
    @pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
    def test_statsmodels_says_the_same(self, method, hits, total, level):
        found = pc.interval.proportion(hits, total, level=level, method=method)
        low, high = proportion.proportion_confint(hits, total, 1 - level, THEIRS[method])
        assert ends(found) == pytest.approx((max(low, 0), min(high, 1)), rel=1e-9)
        assert (found.estimate, found.level, found.method) == (hits / total, level, method)

    @pytest.mark.parametrize("method", ["wilson", "clopper-pearson"])
    @pytest.mark.parametrize("sample", oracle.NEWCOMBE)
    def test_published(self, method, sample):
        found = pc.interval.proportion(*sample, method=method)
        assert ends(found) == pytest.approx(oracle.NEWCOMBE[sample][method], abs=5.1e-5)

    @pytest.mark.parametrize("method", ["wilson", "clopper-pearson", "jeffreys", "agresti-coull"])
    def test_the_ends(self, method):
        none, every = (pc.interval.proportion(hits, 8, method=method) for hits in (0, 8))
        assert none.low == 0 and every.high == 1
        assert none.high == pytest.approx(1 - every.low)
        assert 0.2 < none.high < 0.45

    def test_exact_coverage(self):
        """Clopper-Pearson never covers less than the level; Wilson does so on both sides of it."""
        n = 40
        for p in (0.02, 0.1, 0.3, 0.5):
            chance = stats.binom.pmf(np.arange(n + 1), n, p)
            held = {
                method: sum(
                    c
                    for k, c in enumerate(chance)
                    if p in pc.interval.proportion(k, n, method=method)
                )
                for method in ("clopper-pearson", "wilson")
            }
            assert held["clopper-pearson"] >= 0.95
            assert 0.9 < held["wilson"] <= held["clopper-pearson"] + 1e-12


class TestCounts:
    def test_each_uses_its_own_counts(self):
        counts = {"tp": 30, "fp": 10, "fn": 20, "tn": 140}
        for name, share in (
            ("precision", (30, 40)),
            ("recall", (30, 50)),
            ("accuracy", (170, 200)),
        ):
            found = getattr(pc.interval, name)(**counts)
            assert ends(found) == ends(pc.interval.proportion(*share))
            assert found.measure == name

    def test_undefined(self):
        with warned(UndefinedMeasure) as told:
            found = pc.interval.precision(0, 0)
        assert [(note.subject, note.reason) for note in told] == [
            ("precision", "there are no trials (0/0)")
        ]
        assert found.low is None and math.isnan(found.estimate)

    @pytest.mark.parametrize(
        ("call", "said"),
        [
            (lambda: pc.interval.proportion(3, 2), "hits: must be at most the total of 2, got 3"),
            (lambda: pc.interval.proportion(-1, 2), "hits: must be a count >= 0, got -1"),
            (lambda: pc.interval.proportion(1.5, 2), "hits: must be a count >= 0, got 1.5"),
            (
                lambda: pc.interval.proportion(1, 2, level=95),
                "level: must be a number between 0 and 1.* got 95",
            ),
            (
                lambda: pc.interval.proportion(1, 2, method="magic"),
                "method: got 'magic', allowed are wilson",
            ),
            (lambda: pc.interval.recall(3), "fn: recall needs it"),
            (lambda: pc.interval.accuracy(3, 1, 1), "tn: accuracy needs it"),
            (
                lambda: pc.interval.f(3, 1, 1, beta=-1),
                "beta: must be 0, or a number from .*, got -1",
            ),
            (lambda: pc.interval.f(3, 1, 1, prior=0), "prior: must be a number > 0"),
            (
                lambda: pc.interval.f(9, 9, 9, method="monte-carlo", resamples=5),
                "resamples: must be an integer",
            ),
            (lambda: pc.interval.f(9, 9, 9, method="monte-carlo", rng="x"), "rng: must be a seed"),
            (lambda: pc.interval.micro_f([[1, 2, 3]]), "confusion matrix: must be square"),
            (lambda: pc.interval.micro_f([[1, -2], [0, 1]]), "must hold counts >= 0, got -2"),
        ],
    )
    def test_what_is_refused(self, call, said):
        with pytest.raises(pc.UsageError, match=said):
            call()

    def test_warnings(self):
        with warned(WaldForFew):
            pc.interval.proportion(10, 20, method="wald")
        with warned(ShortForFew) as told:
            pc.interval.proportion(2, 20)
        assert [(note.hits, note.total, note.fewest) for note in told] == [(2, 20, 5)]
        with warned(FewOfAKind) as told:
            pc.interval.f(3, 9, 9)
        assert told[0].facts == {
            "subject": "F1",
            "seen": 3,
            "fewest": 5,
            "noun": "TP",
            "effect": "wide",
        }


class TestF:
    def test_published(self):
        """Goutte & Gaussier's posterior of F for 10 hits, 10 false positives and no miss."""
        found = pc.interval.f(10, 10, 0, prior=0.5)
        assert ends(found) == pytest.approx((0.4436788853637509, 0.8191624213920835), abs=1e-5)
        assert pc.compare.bayes.f(10, 10, 0).cdf(0.6559184310683688) == pytest.approx(
            0.5, rel=1e-12
        )

    @pytest.mark.nightly(keep=1)
    @pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
    @pytest.mark.parametrize("counts", [(6, 3, 2), (20, 5, 9)])
    def test_the_law_is_that_of_three_gammas(self, counts, beta):
        for value in (0.3, 0.6, 0.8):
            ours = pc.compare.bayes.f(*counts, beta).cdf(value)
            assert ours == pytest.approx(
                oracle.f_posterior_cdf(value, *counts, beta, 0.5), abs=1e-7
            )

    @pytest.mark.nightly
    @pytest.mark.parametrize("beta", [0.5, 1.0, 3.0])
    def test_sampling_agrees(self, beta):
        for prior in (None, 0.5, 2.0):
            exact = pc.interval.f(30, 12, 9, beta, prior=prior)
            drawn = pc.interval.f(
                30, 12, 9, beta, prior=prior, method="monte-carlo", rng=7, resamples=200_000
            )
            assert ends(drawn) == pytest.approx(ends(exact), abs=2e-3)
        drawn = pc.interval.f(30, 12, 9, beta, method="monte-carlo", rng=7, resamples=400_000)
        exact = pc.interval.f(30, 12, 9, beta)
        assert ends(drawn) == pytest.approx(ends(exact), abs=1.5e-3)
        assert (drawn.seed, drawn.resamples) == (7, 400_000)
        assert drawn == pc.interval.f(
            30, 12, 9, beta, method="monte-carlo", rng=7, resamples=400_000
        )

    def test_beta_near_one_is_the_closed_form(self):
        near, closed = (ends(pc.interval.f(30, 12, 9, beta)) for beta in (1 + 1e-9, 1.0))
        assert near == pytest.approx(closed, abs=1e-8)

    def test_delta_is_the_derivative(self):
        """The variance of the log-odds, from derivatives taken numerically over a multinomial."""
        counts, beta = np.array([30.0, 12, 9, 50]), 2.0

        def odds(c):
            return math.log((1 + beta**2) * c[0] / (c[1] + beta**2 * c[2]))

        n = counts.sum()
        step = 1e-4
        slope = np.array(
            [(odds(counts + step * e) - odds(counts - step * e)) / (2 * step) for e in np.eye(4)]
        )
        variance = slope @ (np.diag(counts) - np.outer(counts, counts) / n) @ slope
        found = pc.interval.f(30, 12, 9, beta, method="delta")
        half = (math.log(found.high / (1 - found.high)) - math.log(found.low / (1 - found.low))) / 2
        assert half == pytest.approx(1.959963984540054 * math.sqrt(variance), rel=1e-6)

    def test_e_is_the_complement(self):
        f, e = pc.interval.f(30, 12, 9, 2), pc.interval.e(30, 12, 9, 2)
        assert (e.estimate, e.low, e.high) == (1 - f.estimate, 1 - f.high, 1 - f.low)
        assert e.measure == "E2"

    @pytest.mark.usefixtures("quiet")
    def test_ends(self):
        assert pc.interval.f(0, 4, 4).low == 0 < pc.interval.f(0, 4, 4).high
        assert pc.interval.f(9, 0, 0).high == 1 > pc.interval.f(9, 0, 0).low > 0.5
        assert pc.interval.f(9, 0, 0, method="delta").low is None
        assert math.isnan(pc.interval.f(0, 0, 0).estimate)


TABLE = [[30, 5, 2], [4, 40, 1], [1, 3, 14]]


class TestAveragedF:
    def test_takahashi(self):
        table = np.array(TABLE)
        accuracy = np.trace(table) / table.sum()
        micro = pc.interval.micro_f(TABLE, method="wald")
        assert ends(micro) == pytest.approx(
            oracle.wald(accuracy, accuracy * (1 - accuracy) / 100, 0.95)
        )
        each = 2 * np.diag(table) / (table.sum(0) + table.sum(1))
        macro = pc.interval.macro_f(TABLE, method="wald", level=0.9)
        assert macro.estimate == pytest.approx(each.mean())
        assert ends(macro) == pytest.approx(
            oracle.wald(each.mean(), oracle.takahashi_macro_variance(table), 0.9)
        )
        assert macro.standard_error == pytest.approx(pc.interval.macro_f(TABLE).standard_error)

    @pytest.mark.parametrize("seed", range(4))
    @pytest.mark.usefixtures("quiet")
    def test_variances_as_published(self, seed):
        """The closed formulas that Takahashi et al. publish with their article, on tables of any
        size.
        """
        size = 2 + seed
        table = np.random.default_rng(seed).integers(1, 30, (size, size)) + 20 * np.eye(
            size, dtype=int
        )
        for name, variance in zip(
            ("micro_f", "macro_f"), oracle.takahashi_published(table), strict=True
        ):
            found = getattr(pc.interval, name)(table, method="wald")
            assert found.standard_error == pytest.approx(variance**0.5, rel=1e-10)
        assert oracle.takahashi_macro_variance(table) == pytest.approx(
            oracle.takahashi_published(table)[1]
        )

    def test_decisions_are_their_table(self):
        truth = np.repeat([0, 0, 0, 1, 1, 1, 2, 2, 2], np.ravel(TABLE))
        said = np.repeat([0, 1, 2] * 3, np.ravel(TABLE))
        found = decisions(truth.tolist(), said.tolist(), [0, 1, 2])
        for name in ("micro_f", "macro_f"):
            one = getattr(pc.interval, name)
            assert ends(one(found)) == pytest.approx(ends(one(TABLE)), rel=1e-12)
            assert one(found).estimate == pytest.approx(found.f(average=name[:5]))

    @pytest.mark.parametrize("average", ["micro", "macro"])
    def test_several_categories_per_item(self, average):
        """The jackknife over items, written with the library's own F, comes to nearly the same
        error.
        """
        rng = np.random.default_rng(3)
        truth = rng.random((120, 4)) < [0.5, 0.3, 0.2, 0.4]
        said = truth ^ (rng.random(truth.shape) < 0.2)
        whole = getattr(pc.interval, f"{average}_f")(decisions(truth, said))
        assert whole.estimate == pytest.approx(decisions(truth, said).f(average=average))
        keep = ~np.eye(120, dtype=bool)
        left = [decisions(truth[row], said[row]).f(average=average) for row in keep]
        error = math.sqrt(119 * np.var(left))
        assert whole.standard_error == pytest.approx(error, rel=0.03)

    def test_perfect_and_few(self):
        with warned(NoSpread) as told:
            found = pc.interval.macro_f([[40, 0], [0, 40]])
        assert [(note.estimate, note.items) for note in told] == [(1, 80)]
        assert found.high == 1 and found.low == pytest.approx(80 / (80 + 1.959963984540054**2))
        with warned(FewItems) as few:
            pc.interval.micro_f([[5, 1], [1, 5]])
        assert [(note.items, note.noun) for note in few] == [(12, "item")]
