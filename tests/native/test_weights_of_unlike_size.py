"""Weights of which some are much less than others: what is a difference of their sums has none of
their digits.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import precall as pc
from precall.compat import sklearn
from precall.core.counts import Counts

SMALL = [1e-3, 1e-9, 1e-14, 1e-20, 1e-100]


@pytest.mark.filterwarnings("ignore:.positive_likelihood_ratio")
@pytest.mark.parametrize("small", SMALL)
def test_likelihood_ratio(small):
    # All others weigh 1e-14 and are rejected, a third of the relevant is missed: LR- was .340, of
    # 1e-20 it was 0.
    truth, predicted = [0, 1, 1], [0, 1, 0]
    _, ratio = sklearn.class_likelihood_ratios(truth, predicted, sample_weight=[small, 2, 1])
    assert ratio == pytest.approx(1 / 3, rel=1e-15)


@pytest.mark.parametrize("small", SMALL)
def test_kappa(small):
    # TN 1, TP and FN small: 2 TP TN / (accepted other + relevant rejected); was NaN from 1e-16 on.
    kappa = sklearn.cohen_kappa_score([1, 0, 1], [1, 0, 0], sample_weight=[small, 1, small])
    assert kappa == pytest.approx(2 * small / (small + 2 * small * (1 + small)), rel=1e-14)


@pytest.mark.parametrize("small", SMALL)
def test_matthews_correlation(small):
    # TP 2, FN 1, TN small; was NaN from 1e-16 on.
    found = sklearn.matthews_corrcoef([0, 1, 1], [0, 1, 0], sample_weight=[small, 2, 1])
    assert found == pytest.approx((2 * small / (3 * (1 + small))) ** 0.5, rel=1e-14)


#: Of the label 0 nearly all is weighed: eight cases of four labels, of which two are missed and one
#: other taken for 0.
TRUTH, PREDICTED = [0, 0, 1, 1, 2, 2, 3, 3], [0, 1, 1, 2, 2, 0, 3, 3]


@pytest.mark.parametrize("small", [*SMALL, 1 / 3])
@pytest.mark.parametrize("great", range(8))
def test_several_labels(great, small):
    # Of squares of sums less others MCC was .1174 for .1177 at 1e-14, kappa .7773 for .7761; from
    # 1e-16 on NaN or infinite.
    weights = [small * (1 + case / 7) for case in range(8)]
    weights[great] = 1.0
    kappa, correlation = of_fractions(weights)
    assert sklearn.cohen_kappa_score(TRUTH, PREDICTED, sample_weight=weights) == pytest.approx(
        kappa, rel=1e-13, abs=0
    )
    found = sklearn.matthews_corrcoef(TRUTH, PREDICTED, sample_weight=weights)
    assert found == pytest.approx(correlation, rel=1e-13, abs=0)


def of_fractions(weights: list[float]) -> tuple[float, float]:
    """Kappa and Gorodkin's R_K from the margins."""
    exact = [Fraction(weight) for weight in weights]
    n = sum(exact)
    true, predicted = (
        [
            sum((w for w, label in zip(exact, labels, strict=True) if label == k), Fraction())
            for k in range(4)
        ]
        for labels in (TRUTH, PREDICTED)
    )
    right = sum(w for w, a, b in zip(exact, TRUTH, PREDICTED, strict=True) if a == b)
    chance = sum(t * p for t, p in zip(true, predicted, strict=True))
    spread = (n * n - sum(t * t for t in true)) * (n * n - sum(p * p for p in predicted))
    shared = n * right - chance
    return float(shared / (n * n - chance)), math.copysign(
        math.sqrt(shared * shared / spread), shared
    )


def test_matthews_of_what_is_right_is_1():
    # It was 1.0000000000000002 or less than 1 of half of such tables.
    for sizes in product(range(1, 6), repeat=3):
        labels = [name for name, size in zip("abc", sizes, strict=True) for _ in range(size)]
        assert pc.decisions(labels, labels).value("MCC") == 1
        assert sklearn.matthews_corrcoef(labels, labels) == 1


@pytest.mark.parametrize("name", ["MCC", "kappa", "FM", "Jaccard"])
@pytest.mark.parametrize("unit", [2.0**-490, 2.0**-270, 2.0**270, 2.0**480])
def test_unit_of_weights(name, unit):
    # MCC of a table was infinite where all weighed 1e-80, and 0 where all weighed 1e80: only unlike
    # weights were tried.
    truth, predicted, weights = (
        np.array([1, 1, 1, 0, 0, 1, 0]),
        np.array([1, 1, 0, 0, 1, 1, 0]),
        np.arange(1.5, 8.5),
    )
    usual = Counts(*of_cells(truth, predicted, weights))
    other = Counts(*of_cells(truth, predicted, weights * unit))
    assert pc.measure(name)(other) == pc.measure(name)(usual) != 0
    if name == "MCC":
        found = sklearn.matthews_corrcoef(truth, predicted, sample_weight=weights * unit)
        assert found == pc.measure(name)(usual)[0]
        along, usually = (
            pc.measure(name)(pc.curve(truth, weights, weights=weights * by)) for by in (unit, 1.0)
        )
        assert np.array_equal(along, usually, equal_nan=True) and np.nanmax(along) > 0


def of_cells(truth, predicted, weights):
    return (
        np.array([weights[(truth == t) & (predicted == p)].sum()])
        for t, p in ((1, 1), (0, 1), (1, 0), (0, 0))
    )
