"""Intervals of a curve whose cases have weights.

"A curve of real weights no longer knows its cases" was the answer, whatever the measure, though the
same labels, scores and weights had intervals by the functions of AP and AUC, and on the command
line.
"""

from __future__ import annotations

import copy

import numpy as np
import pytest

import precall as pc

RNG = np.random.default_rng(1)
TRUTH = RNG.random(400) < 0.3
SCORE = (RNG.normal(size=400) + 1.2 * TRUTH).round(2)
WEIGHTS = np.where(SCORE < 0.5, 2.5, 1.0) + RNG.random(400) / 10
OF_THRESHOLDS = ["BEP", "BEP(method=linear)", "BEP(method=max-min)", "IAP", "AUPRG"]
OF_AREAS = ["AP", "AUC", "MaxF", "AUC(max_fpr=0.1)", "Gini"]
OF_RANKS = ["P@10", "R@20", "AP@30", "EF@10%", "BEDROC", "Rprec", "PAtRecall(recall=0.5)", "RR"]

pytestmark = pytest.mark.filterwarnings("ignore::precall.core.errors.PrecallWarning")


@pytest.mark.parametrize("groups", [None, np.arange(400) // 4])
def test_areas_are_those_of_their_functions(groups):
    options = {} if groups is None else {"groups": groups}
    curve = pc.curve(TRUTH, SCORE, weights=WEIGHTS)
    for name, function in (
        ("AP", pc.interval.average_precision),
        ("AUC", pc.interval.area_under_roc),
    ):
        assert pc.interval(curve, name, **options) == function(
            TRUTH, SCORE, weights=WEIGHTS, **options
        )
    found = pc.interval(curve)
    assert found["AP"] == pc.interval(curve, "AP")
    assert {"BEP(method=nearest)", "IAP"} <= set(found)


@pytest.mark.parametrize("measure", [*OF_THRESHOLDS, *OF_AREAS])
def test_a_unit_of_weights_changes_nothing(measure):
    """Weights are amounts: their ratios count, and equal ones count as cases."""
    one, other = (
        pc.interval(pc.curve(TRUTH, SCORE, weights=factor * WEIGHTS), measure)
        for factor in (1.0, 7.0)
    )
    assert one.low < one.estimate < one.high
    assert one.ends == pytest.approx(other.ends, rel=1e-9)
    equal = pc.interval(pc.curve(TRUTH, SCORE, weights=np.full(400, 2.5)), measure)
    counted = pc.interval(pc.curve(TRUTH, SCORE), measure).ends
    # Weighted cases are resampled one by one, counted ones by their counts.
    assert equal.ends == pytest.approx(counted, rel=0.03 if measure == "MaxF" else 1e-6)


@pytest.mark.parametrize("measure", OF_THRESHOLDS)
def test_the_error_is_that_of_resampled_cases(measure):
    """A case drawn twice has twice its weight, as in a Hájek ratio."""
    rng = np.random.default_rng(2)
    values = [
        pc.curve(TRUTH, SCORE, weights=WEIGHTS * rng.poisson(1.0, 400)).value(measure)
        for _ in range(300)
    ]
    error = pc.interval(pc.curve(TRUTH, SCORE, weights=WEIGHTS), measure).standard_error
    assert error == pytest.approx(float(np.std(values)), rel=0.25)


@pytest.mark.parametrize("measure", OF_RANKS)
def test_weights_are_no_ranks(measure):
    with pytest.raises(pc.UsageError, match="ranks need whole counts.*AP, AUC, BEP"):
        pc.interval(pc.curve(TRUTH, SCORE, weights=WEIGHTS), measure)


def test_low_scores_and_missed_cases():
    curve = pc.curve(TRUTH, -SCORE, weights=WEIGHTS, missed=7.5, higher_is_better=False)
    found = pc.interval.average_precision(TRUTH, SCORE, weights=WEIGHTS, missed=7.5)
    assert pc.interval(curve, "AP").ends == found.ends


def test_cases_that_changed_or_are_not_there():
    score = SCORE.copy()
    curve = pc.curve(TRUTH, score, weights=WEIGHTS)
    assert pc.interval(copy.deepcopy(curve), "AP") == pc.interval(curve, "AP")
    counts = pc.Curve(curve.threshold, curve.tp, curve.fp, weighted=True)
    with pytest.raises(pc.UsageError, match="does not know its cases"):
        pc.interval(counts, "AP")
    score[:] = 1.5
    with pytest.raises(pc.UsageError, match="changed since"):
        pc.interval(curve, "AP")


def test_whole_weights_have_groups():
    times, group = RNG.integers(1, 4, 400), np.arange(400) // 4
    found = pc.interval(pc.curve(TRUTH, SCORE, weights=times), "AP", groups=group)
    every = [np.repeat(column, times) for column in (TRUTH, SCORE, group)]
    assert found.ends == pytest.approx(
        pc.interval(pc.curve(*every[:2]), "AP", groups=every[2]).ends, rel=1e-9
    )
