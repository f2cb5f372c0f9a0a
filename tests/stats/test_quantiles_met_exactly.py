"""Quantiles at levels that P(X <= x) meets exactly: sums of probabilities were off by up to 3e-11,
so the next value was given.

Old tests asked for quantiles at levels between two sums, or of so few values that their sums had no
rounding to speak of.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import accumulate
from math import comb

import numpy as np
import pytest

import precall as pc
from precall.core.ragged import running_sums
from precall.stats.null.mean_over_rankings import Mean
from precall.stats.null.tail import enumeration


def _counts(null: object, whole: int) -> tuple[np.ndarray, np.ndarray]:
    """Values as they are listed, equal ones as one, and how many of all placements are up to
    each.
    """
    values, chance = null._atoms()  # type: ignore[attr-defined]
    ways = np.rint(chance * whole).astype(np.int64)
    assert ways.sum() == whole and np.abs(chance * whole - ways).max() < 1e-6
    last = np.append(np.diff(values) > 1e-12 * values[1:], True)
    return values[last], np.cumsum(ways)[last]


@pytest.mark.nightly(keep=5)
@pytest.mark.parametrize(
    ("items", "relevant"),
    [(33, 4), (68, 3), (131, 3), (49, 4), (22, 11), (2000, 2), (20, 17), (10**6, 1)],
)
def test_average_precision(items, relevant):
    null, whole = pc.null.average_precision(items, relevant), comb(items, relevant)
    values, below = _counts(null, whole)
    for q in (
        Fraction(1, 40),
        Fraction(1, 4),
        Fraction(1, 2),
        Fraction(3, 4),
        Fraction(39, 40),
        Fraction(9, 10),
    ):
        place = int(np.searchsorted(below, -(-q * whole // 1)))
        assert null.ppf(float(q)) == pytest.approx(values[place], rel=1e-12), q
    # Every level that is met, as it rounds to a float.
    some = np.unique(np.linspace(0, len(values) - 1, 500).astype(int))
    assert null.ppf(below[some] / whole) == pytest.approx(values[some], rel=1e-12)
    assert null.cdf(values[some]) == pytest.approx(below[some] / whole, rel=1e-12)


def test_the_middle_of_four_in_33():
    null = pc.null.average_precision(33, 4)
    # 39,897 of 40,920 placements are .975 of them.
    assert (
        null.ppf(0.975) == null.interval(0.95).high == pytest.approx(0.5024961597542242, rel=1e-15)
    )


def test_counted_exactly():
    """Against fractions, without anything of the list that is asked."""
    ways = enumeration.fractions(14, 5, 14, "relevant")
    values, sums = list(ways), list(accumulate(ways.values()))
    null = pc.null.average_precision(14, 5)
    assert null.ppf([float(one) for one in sums]) == pytest.approx(
        [float(one) for one in values], rel=1e-12
    )


@pytest.mark.parametrize(
    "null",
    [
        pc.null.hits(300, 40, 100),
        pc.null.precision(50, 20, 10),
        pc.null.location(200, 5, 2),
        pc.null.reciprocal_rank(300, 4),
        pc.null.area_under_roc(20, 8),
        pc.null.average_precision(12, 4, cutoff=5, norm="found"),
        pc.null.average_precision(12, 4, blocks=[1, 2, 3, 3, 2, 1]),
        pc.null.ndcg(6, [1, 1]),
        Mean((pc.null.average_precision(8, 3), pc.null.average_precision(9, 2))),
        pc.null.test(pc.Hits.of([1, 5], retrieved=90, relevant=7)).null,
    ],
)
def test_other_exact_distributions(null):
    """The quantile at each level that is met is the value that meets it."""
    try:
        ways = null.pmf()
    except pc.UsageError:
        ways = Counter()
        for value, chance in zip(*null._atoms(), strict=True):
            ways[round(float(value), 12)] += Fraction(float(chance)).limit_denominator(10**5)
    values, sums = list(ways), list(accumulate(ways.values()))
    known = [i for i in range(len(sums)) if 1e-9 < sums[i] < 1 - 1e-9]
    assert known
    levels = [float(sums[i]) for i in known]
    assert null.ppf(levels) == pytest.approx([float(values[i]) for i in known], rel=1e-9)


@pytest.mark.nightly
def test_running_sums():
    rng = np.random.default_rng(0)
    for size in (0, 1, 999, 1000, 1001, 1024, 1025, 10_000, 99_999):
        values = rng.random(size)
        sums = running_sums(values)
        assert sums == pytest.approx(
            np.cumsum(values.astype(np.longdouble)).astype(float), rel=1e-14
        )
        assert np.all(np.diff(sums) >= 0) and sums.shape == (size,)
