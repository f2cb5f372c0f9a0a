"""A recall that is to be reached: one check, and one point of it, of hits as of curves.

The old tests tried NaN, infinity and negative recalls on hits, and 1.5 on curves only; each had its
own oracle, and no test set one beside the other, at 0 or at what cannot be reached.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import precall as pc
from precall.cases import curve
from precall.core.notes.of_intervals import UndefinedInterval
from precall.stats.tests import bayes
from tests.noticed import warned

RECALLS = st.sampled_from((0, 0.1, 0.3, 1 / 3, 0.5, 0.7, 0.9, 1))


@pytest.mark.nightly
@given(st.lists(st.booleans(), max_size=25), st.integers(0, 3), RECALLS)
def test_curves_and_hits_agree(relevant: list[bool], missed: int, recall: float) -> None:
    c = curve(np.array(relevant, bool), -np.arange(len(relevant), dtype=float), missed=missed)
    hits = c.hits()
    k, precision = hits.k_at_recall(recall)[0], hits.precision_at_recall(recall)[0]
    if not c.relevant or c.tp[-1] < hits.needed(recall)[0]:
        assert math.isnan(precision) and k == 0
        with pytest.raises(pc.UsageError, match=f"recall: {recall} is never reached"):
            c.at(recall=recall)
        return
    point = c.at(recall=recall)
    assert (point.precision, point.tp + point.fp) == pytest.approx((precision, k), nan_ok=True)


def test_recall_0_is_the_first_block() -> None:
    c = curve([0, 0, 1, 1], [3.0, 3.0, 2.0, 1.0])
    point = c.at(recall=0)
    assert (point.threshold, point.tp, point.fp, point.precision, point.value) == (
        3.0,
        0,
        2,
        0.0,
        0.0,
    )


def test_nothing_relevant_is_never_reached() -> None:
    # The cutoff was 1 at any recall: 0 of 0 hits are found at once. The test above did not look at
    # it where precision is NaN.
    hits = pc.Hits.of([[], [1]], retrieved=3, relevant=[0, 1])
    for recall in (0, 0.5, 1):
        assert hits.k_at_recall(recall).tolist() == [0, 1]
        assert np.array_equal(hits.precision_at_recall(recall), [np.nan, 1], equal_nan=True)


def test_the_interval_at_recall_0_is_of_the_first_block() -> None:
    # It was refused, where `Curve.at` takes it; the old tests set them side by side at .7 only.
    rng = np.random.default_rng(1)
    relevant = rng.random(300) < 0.4
    score = np.round(rng.standard_normal(300) + relevant, 0)
    found = pc.interval.precision_at_threshold(relevant, score, recall=0)
    assert found.naive.estimate == curve(relevant, score).at(recall=0).precision
    assert found.low <= found.estimate <= found.high
    with warned(UndefinedInterval) as told:
        worst = pc.interval.precision_at_threshold([0, *relevant], [9, *score], recall=0)
    assert [note.reason for note in told] == ["the first block holds nothing relevant"]
    assert worst.estimate == curve([0, *relevant], [9, *score]).at(recall=0).precision == 0


@pytest.mark.parametrize("recall", [1.5, -0.1, math.nan, "x", True, None])
def test_refused(recall: float) -> None:
    hits = pc.Hits.of([1], retrieved=2, relevant=1)
    for asked in (hits.k_at_recall, hits.precision_at_recall, hits.needed):
        with pytest.raises(pc.UsageError, match=r"recall: must be (a number )?in 0\.\.1, got"):
            asked(recall)
    if recall is not None:
        with pytest.raises(pc.UsageError, match=r"recall: must be (a number )?in 0\.\.1, got"):
            curve([0, 1], [1, 2]).at(recall=recall)


def test_the_interval_of_recall_takes_what_its_posterior_takes() -> None:
    """Found 80, overlooked 30: 80 of 110. It said that fn is needed; the old tests gave all four
    counts, or fn by name.
    """
    found, posterior = pc.interval.recall(80, 30), bayes.recall(80, 30)
    assert found.estimate == 80 / 110
    assert found == pc.interval.recall(80, fn=30) == pc.interval.recall(tp=80, fp=5, fn=30, tn=7)
    jeffreys = pc.interval.recall(80, 30, method="jeffreys")
    assert (jeffreys.low, jeffreys.high) == pytest.approx(posterior.interval())
    assert pc.interval.precision(80, 30).estimate == 80 / 110
    with pytest.raises(TypeError):
        pc.interval.recall(80, 10, 30)  # type: ignore[misc]
