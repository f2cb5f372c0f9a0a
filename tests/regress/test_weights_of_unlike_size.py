"""Weights of which some are much less than others: what is a difference of their sums has none of their digits."""

from __future__ import annotations

import pytest

from precall.compat import sklearn

SMALL = [1e-3, 1e-9, 1e-14, 1e-20, 1e-100]


@pytest.mark.filterwarnings("ignore:.positive_likelihood_ratio")
@pytest.mark.parametrize("small", SMALL)
def test_likelihood_ratio(small):
    # All others weigh 1e-14 and are rejected, a third of the relevant is missed: LR- was .340, of 1e-20 it was 0.
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
