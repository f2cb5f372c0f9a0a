"""Null distributions of break-even, enrichment, 11-point precision, BEDROC and greatest F: against
all placements, the measures themselves, and draws.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import precall as pc
from precall.measures.registry import find
from precall.stats.null.of_ranks import law_of
from tests.peers import peer

#: A distribution, and the name of its measure.
LAWS: dict[str, Any] = {
    "BEP": pc.null.break_even,
    "BEP(method=max-min)": lambda n, m, **more: pc.null.break_even(n, m, method="max-min", **more),
    "BEP(method=linear)": lambda n, m, **more: pc.null.break_even(n, m, method="linear", **more),
    "IAP": pc.null.eleven_point,
    "MaxF": pc.null.max_f,
    "MaxF(beta=2)": lambda n, m, **more: pc.null.max_f(n, m, beta=2, **more),
    "BEDROC": pc.null.bedroc,
    "BEDROC(alpha=5)": lambda n, m, **more: pc.null.bedroc(n, m, alpha=5, **more),
    "RAtPrecision(precision=0.4)": lambda n, m, **more: pc.null.recall_at_precision(
        n, m, 0.4, **more
    ),
    "RAtPrecision(precision=0.9)": lambda n, m, **more: pc.null.recall_at_precision(
        n, m, 0.9, **more
    ),
    "EF@20%": lambda n, m, **_: pc.null.enrichment(n, m, 0.2),
}


def every_value(name: str, n: int, m: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The measure of each placement of m hits among n ranks, by curves."""
    values = []
    for ranks in combinations(range(n), m):
        labels = [int(place in ranks) for place in range(n)]
        values.append(pc.curve(labels, range(n, 0, -1)).value(name))
    return np.sort(values)


@pytest.mark.parametrize("name", LAWS)
@given(st.integers(2, 8), st.integers(1, 4))
def test_the_distribution_is_that_of_all_placements(name: str, n: int, m: int) -> None:
    m = min(m, n - 1)
    null, values = LAWS[name](n, m), every_value(name, n, m)
    assert null.mean == pytest.approx(values.mean())
    assert null.var == pytest.approx(values.var(), abs=1e-12)
    for x in values:
        assert null.sf(float(x)) == pytest.approx((values >= x - 1e-9).mean())
        assert null.cdf(float(x)) == pytest.approx((values <= x + 1e-9).mean())
    if values.var() > 1e-9:
        away = (values - values.mean()) / values.std()
        assert null.skewness == pytest.approx((away**3).mean(), abs=1e-6)
        assert null.kurtosis == pytest.approx((away**4).mean() - 3, abs=1e-6)


@pytest.mark.parametrize("name", LAWS)
def test_many_placements_are_those_of_draws(name: str) -> None:
    null = LAWS[name](120, 9, **({} if name == "EF@20%" else {"orders": 4000}))
    rng = np.random.default_rng(1)
    drawn = []
    for _ in range(1500):
        labels = np.zeros(120, int)
        labels[rng.choice(120, 9, replace=False)] = 1
        drawn.append(pc.curve(labels, -np.arange(120)).value(name))
    error = np.std(drawn) / 1500**0.5
    assert abs(null.mean - np.mean(drawn)) < 5 * error + 5 * getattr(null, "mean_error", 0)
    for x in np.quantile(drawn, [0.5, 0.9]):
        share = np.mean(np.array(drawn) >= x - 1e-9)
        assert null.sf(float(x)) == pytest.approx(share, abs=0.05)
    assert null.rvs(5, rng=3).tolist() == null.rvs(5, rng=3).tolist()


def test_tails_of_the_greatest_f_are_exact() -> None:
    null = pc.null.max_f(60, 6)
    draws = pc.null.max_f(60, 6, orders=1000, rng=2).rvs(200_000, rng=5)
    assert not null.approximate
    for x in (0.25, 1 / 3, 0.5, 0.7):
        assert null.sf(x) == pytest.approx((draws >= x - 1e-12).mean(), abs=0.005)
    assert null.sf(12 / 66) == 1
    assert null.sf(1.0) == pytest.approx(1 / 50063860)
    assert null.sf(1.01) == 0


def test_a_precision_of_the_whole_list_is_always_reached() -> None:
    for n, m, precision in ((50, 10, 0.2), (7, 7, 1.0), (9, 2, 0.0)):
        null = pc.null.recall_at_precision(n, m, precision)
        assert (null.mean, null.var, null.sf(1.0)) == (1, 0, 1)
    # 100,000 items take no longer than the ranks that can be precise enough.
    null = pc.null.recall_at_precision(100_000, 50, 0.5)
    assert null.sf(0.02) == pytest.approx(2 * 50 / 100_000, rel=0.02)


def test_drawn_tails_say_how_many_were_drawn_and_their_error() -> None:
    null = pc.null.eleven_point(500, 20, orders=1000)
    tail = null.tail(0.2)
    assert "1000 random orders, seed 0" in tail.method
    assert f"standard error {(tail.p * (1 - tail.p) / 1000) ** 0.5:.1g}" in tail.method
    assert null.mean_error == pytest.approx(null.std / 1000**0.5)
    assert pc.null.bedroc(500, 20).mean_error == 0
    assert pc.null.eleven_point(9, 3).mean_error == 0


@pytest.mark.parametrize(
    "name",
    [
        "IAP",
        "BEP",
        "MaxF",
        "MaxF(beta=2)",
        "BEDROC",
        "BEDROC(alpha=5)",
        "RAtPrecision(precision=0.6)",
    ],
)
def test_rankings_are_tested_by_them(name: str) -> None:
    hits = pc.Hits.of([[1, 2, 5], [3, 4, 9]], retrieved=[12, 10], relevant=3)
    tested = pc.null.test(hits, name)
    assert [each.value for each in tested.rankings if each] == pc.measure(name)(hits).tolist()
    for outcome, n in zip(tested.rankings, (12, 10), strict=True):
        assert outcome is not None
        values = every_value(name, n, 3)
        assert outcome.p == pytest.approx((values >= outcome.value - 1e-9).mean())
    assert 0 < tested.p < 1
    curve = pc.curve([1, 1, 0, 0, 1, 0], [6, 5, 4, 3, 2, 1])
    assert pc.null.test(curve, name).p == pytest.approx(
        (every_value(name, 6, 3) >= curve.value(name) - 1e-9).mean()
    )


def test_rankings_that_are_not_whole_are_refused() -> None:
    missed = pc.Hits.of([1, 2], retrieved=9, relevant=3)
    with pytest.raises(pc.UsageError, match="IAP has a null distribution if all items are ranked"):
        pc.null.test(missed, "IAP")
    with pytest.raises(pc.UsageError):
        pc.null.test(pc.Hits.of([1, 2], retrieved=9, relevant=2), "BEDROC(population=100)")
    with pytest.raises(pc.UsageError, match="beta"):
        pc.null.test(pc.Hits.of([1, 2], retrieved=9, relevant=2), "MaxF(alpha=0.2)")


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: pc.null.break_even(5, 6), "m"),
        (lambda: pc.null.break_even(5, 2, method="x"), "method"),
        (lambda: pc.null.enrichment(5, 2, 0), "share"),
        (lambda: pc.null.recall_at_precision(5, 2, 1.1), "precision"),
        (lambda: pc.null.bedroc(5, 5), "m"),
        (lambda: pc.null.bedroc(5, 2, alpha=-1), "alpha"),
        (lambda: pc.null.max_f(5, 2, beta=-1), "beta"),
        (lambda: pc.null.eleven_point(5, 0), "m"),
        (lambda: pc.null.eleven_point(5, 2, orders=1), "orders"),
        (lambda: pc.null.eleven_point(10**9, 2), "n"),
    ],
)
def test_refusals(call: Any, argument: str) -> None:
    with pytest.raises(pc.UsageError) as caught:
        call()
    assert caught.value.argument == argument


@pytest.mark.parametrize(("n", "m"), [(12, 4), (60, 15), (300, 120)])
def test_ks_has_smirnovs_exact_p(n: int, m: int) -> None:
    """KS was refused by `null.test`."""
    drawn = np.random.default_rng(n)
    labels = drawn.permutation(np.arange(n) < m)
    score = drawn.normal(size=n) + 0.4 * labels
    found = pc.null.test(pc.curve(labels, score), "KS")
    peer_p = peer("scipy.stats").ks_2samp(score[labels], score[~labels], "less", method="exact")
    assert found.p == pytest.approx(peer_p.pvalue, rel=1e-10)
    assert found.combined.value == pytest.approx(pc.curve(labels, score).value("KS"))


def test_the_distribution_of_ks_is_that_of_all_placements() -> None:
    values = every_value("KS", 9, 3)
    null = law_of(find("KS"), 9, 3)
    assert null.mean == pytest.approx(values.mean())
    for x in values:
        assert null.sf(float(x)) == pytest.approx((values >= x - 1e-9).mean())


def test_gini_is_tested_by_auc() -> None:
    with pytest.raises(pc.UsageError, match="take AUC: Gini is 2 AUC - 1"):
        pc.null.test(pc.curve([1, 0, 1], [3, 2, 1]), "Gini")
