"""The normal limit of AP under random selection: its error is what it states, against the exact
distribution.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import precall as pc
from precall.stats.null.asymptotic import Asymptotic, is_smooth
from precall.stats.null.mean_over_rankings import Mean
from precall.stats.null.tail import moments
from tests.oracle import characteristic, random_selection

Z = np.arange(-6, 7.01, 0.125)
SHARES = (0.02, 0.1, 0.25, 0.45, 0.6, 0.7, 0.8, 0.9, 0.95)
GRID = [(n, round(n * share)) for n in (120, 400) for share in SHARES] + [
    (1000, 300),
    (3000, 300),
    (3000, 30),
]


def error(null, exact):
    """The greatest relative error of both tails, down to where it is stated; nothing where it is
    not.
    """
    stated, x = null.approximate, null.mean + Z * null.std
    if not np.isfinite(stated.error):
        return None
    upper = (exact <= 0.5) & (exact >= stated.least)
    lower = (exact >= 0.5) & (1 - exact >= stated.least)
    assert upper.any() and lower.any()
    above = np.abs(null.sf(x) / np.maximum(exact, 1e-300) - 1)[upper]
    below = np.abs(null.cdf(x) / np.maximum(1 - exact, 1e-300) - 1)[lower]
    return max(above.max(), below.max())


def exact(null):
    return characteristic.average_precision(
        null.items, null.relevant, Z, null.mean, null.std, null.cutoff
    )


@pytest.mark.nightly(keep=4)
@pytest.mark.parametrize(("items", "relevant"), GRID)
def test_its_error_is_at_most_what_is_stated(items, relevant):
    null = pc.null.average_precision(items, relevant)
    limit = null.asymptotic()
    if np.isfinite(limit.approximate.error):
        assert error(limit, exact(null)) <= limit.approximate.error == 0.02


def test_it_is_stated_for_long_lists_and_not_for_few_hits():
    stated = [
        np.isfinite(pc.null.average_precision(n, m).asymptotic().approximate.error) for n, m in GRID
    ]
    assert sum(stated) >= 12
    for items, relevant in ((3000, 30), (1000, 100), (40, 20), (10**9, 1000), (12, 12)):
        limit = pc.null.average_precision(items, relevant).asymptotic()
        known = limit.approximate
        assert (known.method, known.error) == ("Cornish-Fisher expansion", np.inf)
    # The share of relevant items where it has no skewness is no exception.
    assert 0.01 < pc.null.average_precision(250, 200).asymptotic().approximate.least < 0.05
    least = [
        pc.null.average_precision(n, n // 4).asymptotic().approximate.least
        for n in (2000, 8000, 10**6)
    ]
    assert least == sorted(least, reverse=True) and least[2] == 1e-6
    assert least[0] == pytest.approx(0.0278, abs=1e-4)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("items", "relevant", "cutoff"),
    [(400, 200, 60), (400, 120, 300), (500, 450, 200), (2000, 200, 1500), (300, 150, 100)],
)
def test_at_a_cutoff(items, relevant, cutoff):
    for norm in ("relevant", "min"):
        null = pc.null.average_precision(items, relevant, cutoff, norm)
        scale = null._over / relevant
        tail = characteristic.average_precision(
            items, relevant, Z, null.mean * scale, null.std * scale, cutoff
        )
        assert error(null.asymptotic(), tail) < 0.02


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("items", "relevant", "count"),
    [
        (150, (3, 90), 30),
        (100, (3, 60), 15),
        (20, (1, 19), 60),
        (60, (50, 59), 30),
        (10, (4, 5), 100),
    ],
)
def test_means_over_rankings(items, relevant, count):
    many = np.random.default_rng(4).integers(*relevant, count).tolist()
    parts = tuple(pc.null.average_precision(items, m) for m in many)
    null = Mean(parts)

    def function(w):
        each = {m: characteristic.function(items, m, w / (m * count)) for m in set(many)}
        return np.prod([each[m] for m in many], axis=0)

    limit = Asymptotic(null, is_smooth([items] * count, [part.var for part in parts]), True)
    tail = characteristic.tails(null.mean, null.std, function, Z)
    assert error(limit, tail) <= limit.approximate.error == 0.03


def test_values_that_are_apart_are_not_smooth():
    # Two items, one of them relevant: AP is 1 or 1/2, and a mean over them has steps of its own.
    assert not is_smooth([2] * 50, [0.0625] * 50)
    assert not is_smooth([40], [0.001]) and is_smooth([50], [0.001])
    assert is_smooth([10] * 20, [0.03] * 20) and not is_smooth([10] * 19, [0.03] * 19)
    # A few such steps are smeared by many long rankings, and constants do not count.
    assert is_smooth([1000] * 200 + [2], [0.002] * 200 + [0.06])
    assert not is_smooth([1000] * 40 + [2], [0.002] * 40 + [0.06])
    assert is_smooth([1000, 3], [0.002, 0.0]) and not is_smooth([3], [0.0])


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize(("items", "relevant"), [(250, 25), (300, 240), (400, 160)])
def test_the_convolution_against_the_characteristic_function(items, relevant):
    null = pc.null.average_precision(items, relevant)
    tail = exact(null)
    x, seen = null.mean + Z * null.std, tail > 1e-6
    assert null.sf(x)[seen] == pytest.approx(tail[seen], rel=0.01)


def test_the_characteristic_function_against_every_placement():
    # The oracle's oracle: E exp(i w S) as a sum over the placements.
    law = random_selection.law(9, 4)
    w = np.array([0.3, 2.0, 11.0])
    true = sum(float(p) * np.exp(1j * w * 4 * float(value)) for value, p in law.items())
    assert characteristic.function(9, 4, w) == pytest.approx(true, abs=1e-13)


@pytest.mark.nightly
def test_long_lists_have_it_by_default():
    null, less = pc.null.average_precision(10**9, 10**8), pc.null.average_precision(10**8, 10**7)
    known = null.approximate
    assert (known.method, known.error, known.least) == ("Cornish-Fisher expansion", 0.02, 1e-6)
    for z in (-4, -2, 0, 2, 4):
        # At 10^8 the ranks are still convolved.
        assert less.sf(less.mean + z * less.std) == pytest.approx(
            less.asymptotic().sf(less.mean + z * less.std), rel=5e-3
        )
        x = null.mean + z * null.std
        assert null.sf(x) == pytest.approx(null.asymptotic().sf(x), rel=1e-6)
        assert null.cdf(x) == pytest.approx(null.asymptotic().cdf(x), rel=1e-6)
    tail = null.tail(null.mean + 3 * null.std)
    assert (tail.method, tail.error, tail.bound) == ("Cornish-Fisher expansion", 0.02, False)
    assert null.cdf(null.ppf(0.025)) == pytest.approx(0.025, rel=1e-6)
    assert null.sf(null.critical(0.95)) <= 0.05
    with pytest.raises(
        pc.UsageError, match="beyond 100,000,000 p is known for many relevant items"
    ):
        pc.null.average_precision(10**9, 1000).sf(0.5)


def test_what_it_answers():
    null = pc.null.average_precision(1000, 400).asymptotic()
    assert (null.mean, null.var) == pc.null.average_precision(1000, 400)._moments()
    assert null.skewness == pc.null.average_precision(1000, 400).skewness
    assert "AP, 400 of 1000 items relevant, asymptotic" in repr(null)
    x = np.linspace(0, 1, 400)
    assert np.all(np.diff(null.sf(x)) <= 0) and np.all(np.diff(null.cdf(x)) >= 0)
    assert null.sf(0) == 1 and null.cdf(1) == 1 and null.sf(1.1) == 0
    drawn = null.rvs(20_000, rng=3)
    assert abs(drawn.mean() - null.mean) < 4 * null.std / 20_000**0.5
    assert drawn.std() == pytest.approx(null.std, rel=0.03)
    np.testing.assert_array_equal(drawn, null.rvs(20_000, rng=3))
    # Far from normal it still is a distribution.
    odd = pc.null.average_precision(10**6, 3).asymptotic()
    assert np.all(np.diff(odd.sf(x)) <= 0) and not np.isfinite(odd.approximate.error)
    constant = pc.null.average_precision(7, 7).asymptotic()
    assert (constant.sf(1.0), constant.cdf(0.9)) == (1.0, 0.0)
    with pytest.raises(pc.UsageError, match=r"asymptotic\(\): is not available .*relevant"):
        pc.null.average_precision(1000, 400, 100, "found").asymptotic()


def hits(count, rng, retrieved=200, relevant=(5, 80), found=1.0):
    """Rankings of some items each, in random order."""
    places, rows, totals = [], [], []
    for row in range(count):
        m = int(rng.integers(*relevant))
        places += (np.sort(rng.choice(retrieved, m, replace=False)) + 1).tolist()
        rows += [row] * m
        totals.append(round(m / found))
    qrels = {str(row): {} for row in range(count)}
    for row, place in zip(rows, places, strict=True):
        qrels[str(row)][f"d{place}"] = 1
    for row, (total, judged) in enumerate(zip(totals, qrels.values(), strict=True)):
        judged.update({f"missed{row}-{i}": 1 for i in range(total - len(judged))})
    return pc.locate(
        qrels, {row: [f"d{i}" for i in range(1, retrieved + 1)] for row in qrels}
    ).hits()


@pytest.mark.nightly
@pytest.mark.parametrize(("measure", "found"), [("AP", 1.0), ("AP@150", 1.0), ("AP", 0.7)])
def test_of_rankings(measure, found):
    given = hits(12, np.random.default_rng(8), found=found)
    slow = pc.null.test(given, measure)
    fast = pc.null.test(given, measure, method="asymptotic")
    assert fast.combined.value == slow.combined.value and fast.effect == pytest.approx(slow.effect)
    assert fast.missed == slow.missed
    assert fast.p == pytest.approx(slow.p, rel=0.02)
    assert fast.combined.tail.method == "Cornish-Fisher expansion"
    for one, other in zip(fast.rankings, slow.rankings, strict=True):
        assert one.value == other.value and one.effect == pytest.approx(other.effect)
        if np.isfinite(one.tail.error):
            assert one.p == pytest.approx(other.p, rel=0.02)
    alone = pc.null.test(
        hits(1, np.random.default_rng(8), relevant=(70, 80)), measure, method="asymptotic"
    )
    assert alone.combined == alone.rankings[0]


def test_what_has_no_limit_here():
    given = hits(3, np.random.default_rng(1))
    for measure in ("P@5", "Rprec", "RR", "AUC"):
        with pytest.raises(pc.UsageError, match=f"method: asymptotic .* AP .*, got {measure}"):
            pc.null.test(given, measure, method="asymptotic")
    tied = pc.curve([1, 0, 0, 1], [3, 3, 2, 1])
    with pytest.raises(pc.UsageError, match="got tied scores"):
        pc.null.test(tied, method="asymptotic")
    with pytest.raises(pc.UsageError, match="method: got 'normal', allowed are"):
        pc.null.test(given, method="normal")
    # A ranking whose hits were all missed has an AP of 0, always.
    none = pc.Hits.of([], retrieved=30, relevant=2)
    assert pc.null.test(none, method="asymptotic").p == 1


@pytest.mark.parametrize(
    ("items", "relevant"),
    [(10**6, 10**5), (10**6, 5 * 10**5), (10**6, 8 * 10**5), (10**7, 9 * 10**6)],
)
def test_the_limit_of_the_skewness(items, relevant):
    # Exact here; where extended floats lose it, the limit is taken.
    found = pc.null.average_precision(items, relevant).skewness
    near = 15 * math.log(items) ** 2 / min(relevant, items - relevant) ** 1.5
    assert found == pytest.approx(moments.limit_skewness(items, relevant), abs=near)


def test_the_limit_is_not_taken_where_it_is_far():
    assert math.isnan(moments.limit_skewness(10**9, 10**4))
    assert pc.null.average_precision(10**12, 10**11).skewness == pytest.approx(2.3333e-5, rel=1e-3)
    assert pc.null.average_precision(10**12, 10**12 - 400).skewness == pytest.approx(-0.1, rel=1e-4)
