"""What is equal in fractions, and differs in the last digit of floats, is equal.

Youden's J of two thresholds, 1/3 - 0 and 1 - 2/3, made the one that accepts more the best; and the
standard error of an area that is the same in every group, 1e-17, an interval. The old tests
compared such values with the same formula in floats.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import precall as pc
from precall.core.notes.of_intervals import UndefinedInterval
from tests.noticed import warned

CASES = st.lists(st.tuples(st.booleans(), st.integers(0, 9)), min_size=2, max_size=14)


def youden(tp, fp, fn, tn):
    return Fraction(tp, tp + fn) + Fraction(tn, fp + tn) - 1


def balanced(tp, fp, fn, tn):
    return (Fraction(tp, tp + fn) + Fraction(tn, fp + tn)) / 2


def test_the_best_of_equals_accepts_least():
    curve = pc.curve([0, 0, 1, 1, 1, 0], [0.05, 0.54, 0.99, 0.13, 0.51, 0.63])
    assert curve.at(max="YoudenJ").threshold == 0.99
    # 3 x .1 and 1 x .3 are one price.
    assert pc.curve([0, 1, 1, 1], [4, 3, 2, 1]).at(cost={"fp": 0.3, "fn": 0.1}).threshold == np.inf


@pytest.mark.parametrize("unit", [1.0, 1e-15, 1e-16, 1e-140, 1e140])
def test_costs_and_utilities_have_any_unit(unit):
    """A tolerance of 4e-15 whatever the unit made all thresholds equal where costs were smaller."""
    curve = pc.curve([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])
    assert curve.at(cost={"fp": unit, "fn": 5 * unit}).threshold == 3
    if unit < 1e100:
        assert curve.at(max=f"Utility({unit!r},{-unit!r})").threshold == 5
    weighed = pc.curve([1] * 4 + [0] * 3, [7, 6, 5, 4, 3, 2, 1], weights=[unit] * 7)
    assert weighed.at(cost={"fp": 1, "fn": 5}).threshold == 4
    assert weighed.at(max="YoudenJ").threshold == 4


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "exact"), [("YoudenJ", youden), ("BalancedAccuracy", balanced)])
@given(cases=CASES)
def test_thresholds_are_the_best_in_fractions(name, exact, cases):
    labels, scores = map(list, zip(*cases, strict=True))
    if len(set(labels)) < 2:
        return
    curve = pc.curve(labels, scores)
    relevant, other = int(curve.relevant), int(curve.other)
    values = [
        exact(tp, fp, relevant - tp, other - fp)
        for tp, fp in zip(curve.tp.tolist(), curve.fp.tolist(), strict=True)
    ]
    assert curve.at(max=name).threshold == curve.threshold[values.index(max(values))]
    status = pc.categorize(np.array(labels)[:, None], np.array(scores, float)[:, None])
    chosen = status.decide(status.thresholds(f"max:{name}")).counts()
    assert exact(*(int(part[0]) for part in (chosen.tp, chosen.fp, chosen.fn, chosen.tn))) == max(
        values
    )


@pytest.mark.parametrize("times", [2, 3, 4, 6, 7])
def test_groups_that_are_alike_have_no_interval(times):
    rows = np.repeat(np.arange(3), times)
    label, score, group = (
        np.array([1, 0, 1])[rows],
        np.array([2, 2, 1])[rows],
        np.array([3, 2, 3])[rows],
    )
    with warned(UndefinedInterval) as told:
        assert pc.interval.area_under_roc(label, score, groups=group).low is None
    assert told[0].reason == "all cases of a kind are of one group"
