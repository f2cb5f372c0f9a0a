"""Costs, margins, betas and missed cases at the ends of float64: computed as in fractions, or
refused.

`at(cost=)` of 1e308 added up to infinity, which every threshold equalled; with 2**50 missed cases
the greatest F is 1e-14, which an absolute tolerance took for that of accepting nothing. Older tests
had units from 1e-140 to 1e140 for all costs at once, and few missed cases.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import copysign

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import precall as pc

ENDS = [5e-324, 1e-310, 1e-200, 1e-50, 1.0, 3.7, 1e50, 1e200, 1.7e308]
CASES = st.lists(st.tuples(st.booleans(), st.integers(0, 9)), min_size=2, max_size=14)


def signed_square(x: Fraction, y: Fraction) -> Fraction:
    """x / sqrt(y), in the order of its values."""
    return Fraction(int(copysign(1, x))) * x * x / y


EXACT: dict[str, Callable[..., Fraction]] = {
    "F": lambda tp, fp, fn, tn: Fraction(2 * tp, 2 * tp + fp + fn),
    "F(beta=0.5)": lambda tp, fp, fn, tn: Fraction(5 * tp, 5 * tp + 4 * fp + fn),
    "R": lambda tp, fp, fn, tn: Fraction(tp, tp + fn),
    "Jaccard": lambda tp, fp, fn, tn: Fraction(tp, tp + fp + fn),
    "Accuracy": lambda tp, fp, fn, tn: Fraction(tp + tn, tp + fp + fn + tn),
    "Error": lambda tp, fp, fn, tn: -Fraction(fp + fn, tp + fp + fn + tn),
    "BalancedAccuracy": lambda tp, fp, fn, tn: Fraction(tp, tp + fn) + Fraction(tn, fp + tn),
    "YoudenJ": lambda tp, fp, fn, tn: Fraction(tp, tp + fn) - Fraction(fp, fp + tn),
    "kappa": lambda tp, fp, fn, tn: Fraction(
        2 * (tp * tn - fp * fn), (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn)
    ),
    "MCC": lambda tp, fp, fn, tn: signed_square(
        Fraction(tp * tn - fp * fn), Fraction((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    ),
    "FowlkesMallows": lambda tp, fp, fn, tn: Fraction(tp * tp, (tp + fp) * (tp + fn)),
    "Utility(3,-2)": lambda tp, fp, fn, tn: Fraction(3 * tp - 2 * fp),
}


def best_threshold(curve: pc.Curve, value: Callable[..., Fraction]) -> float:
    """The first threshold of the greatest value, in fractions; float64 does not tell 1 - 1e-15 from
    1 - 2e-15.
    """
    relevant, other = int(curve.relevant), int(curve.other)
    values = []
    for tp, fp in zip(curve.tp.tolist(), curve.fp.tolist(), strict=True):
        try:
            values.append(value(tp, fp, relevant - tp, other - fp))
        except ZeroDivisionError:
            values.append(None)
    greatest = max(value for value in values if value is not None)
    least = greatest - Fraction(4e-15 if value is not EXACT["MCC"] else 8e-15) * abs(greatest)
    return next(
        float(t)
        for t, value in zip(curve.threshold, values, strict=True)
        if value is not None and value >= least
    )


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize("missed", [0, 2**30, 2**50, 2**53 - 64])
@pytest.mark.parametrize("name", EXACT)
@given(cases=CASES)
def test_thresholds_are_the_best_in_fractions(
    name: str, missed: int, cases: list[tuple[bool, int]]
) -> None:
    labels, scores = map(list, zip(*cases, strict=True))
    if len(set(labels)) < 2 or (name == "MCC" and len(set(scores)) < 2):
        return
    curve = pc.curve(labels, scores, missed=missed)
    assert curve.at(max=name).threshold == best_threshold(curve, EXACT[name])


def test_the_greatest_f_of_many_missed() -> None:
    curve = pc.curve([1, 0, 1, 1, 0], [5, 4, 3, 2, 1], missed=2**50)
    best = curve.max_f()
    assert best.threshold == 2 and best.value == 2 * 3 / (4 + 3 + 2**50)
    assert curve.max_f(2.0).threshold == 2 and pc.measure("MaxF")(curve) == best.value
    assert curve.at(max="YoudenJ").threshold == 5 and curve.at(max="YoudenJ").value == 1 / (
        3 + 2**50
    )


def test_a_few_errors_among_very_many_cases() -> None:
    """Their share is 1e-15, and was equal to twice that."""
    weights = [1, 1, 2**51, 2**51]
    curve = pc.curve([1, 1, 0, 0], [4, 3, 2, 1], weights=weights)
    assert curve.at(max="Error").threshold == 3 and curve.at(max="Error").value == 0
    curve = pc.curve([1, 0, 1, 0], [4, 3, 2, 1], weights=[1, 2, 1, 2**52])
    assert curve.at(max="Error").threshold == 4


@example(cases=[(False, 1), (True, 0)], prices=(5e-324, 5e-324, 1e-310, 1e-200))
@given(cases=CASES, prices=st.tuples(*[st.sampled_from([*ENDS, *(-end for end in ENDS), 0.0])] * 4))
def test_costs_are_least_in_fractions(
    cases: list[tuple[bool, int]], prices: tuple[float, ...]
) -> None:
    labels, scores = map(list, zip(*cases, strict=True))
    if len(set(labels)) < 2:
        return
    curve = pc.curve(labels, scores)
    names = ("tp", "fp", "fn", "tn")
    exact = [
        sum(Fraction(price) * count for price, count in zip(prices, cells, strict=True))
        for cells in zip(*(getattr(curve, name).tolist() for name in names), strict=True)
    ]
    sizes = [
        sum(abs(Fraction(price)) * count for price, count in zip(prices, cells, strict=True))
        for cells in zip(*(getattr(curve, name).tolist() for name in names), strict=True)
    ]
    cost = dict(zip(names, prices, strict=True))
    try:
        found = curve.at(cost=cost)
    except pc.UsageError as error:
        is_beyond = abs(min(exact)) > Fraction(1.7e308)
        some = [abs(Fraction(price)) for price in prices if price]
        are_apart = min(some) < max(some) / 2**1400
        said = (
            "the least total cost is beyond float64"
            if is_beyond
            else "differ by more than float64 can tell"
        )
        assert said in str(error) or are_apart  # noqa: PT017
        assert is_beyond or are_apart
        return
    row = curve.threshold.tolist().index(found.threshold)
    # No other is less by more than rounding.
    assert all(
        exact[row] <= other + Fraction(1e-14) * max(sizes[row], size)
        for other, size in zip(exact, sizes, strict=True)
    )


def test_a_great_cost_hides_no_small_one() -> None:
    """Once both cases are accepted nothing costs anything; a missed one cost 1, lost in 1e20."""
    curve = pc.curve([0, 1], [2, 1])
    found = curve.at(cost={"fn": 1, "tn": 1e20})
    assert found.threshold == 1 and found.value == 0
    found = curve.at(cost={"fp": 1, "tp": 1e20, "fn": 1e20})
    assert found.threshold == np.inf and found.value == 1e20


@pytest.mark.parametrize("unit", [2.0**-1060, 2.0**-500, 2.0**500, 2.0**1020])
def test_a_power_of_two_changes_no_threshold(unit: float) -> None:
    rng = np.random.default_rng(4)
    labels, scores = rng.random(200) < 0.4, rng.normal(size=200)
    curve = pc.curve(labels, scores)
    for false, missed in product((1.0, 1.5, 7.0), (1.0, 3.0, 5.0)):
        usual = curve.at(cost={"fp": false, "fn": missed})
        if unit < 2.0**1000:
            found = curve.at(cost={"fp": false * unit, "fn": missed * unit})
            assert (found.threshold, found.value) == (usual.threshold, usual.value * unit)
        else:
            with pytest.raises(
                pc.UsageError,
                match="cost: the least total cost is beyond float64, got .*; divide all by one",
            ):
                curve.at(cost={"fp": false * unit, "fn": missed * unit})


def test_costs_of_the_issue() -> None:
    curve = pc.curve([1, 0, 1, 0], [3, 2, 1, 0.5])
    assert curve.at(cost={"fp": 1e308, "fn": 1e308}).threshold == 3
    assert curve.at(cost={"fp": 1e308, "fn": 1.0}).threshold == 3
    assert curve.at(cost={"fp": 1.0, "fn": 1e308}).threshold == 1


@pytest.mark.parametrize("value", [1e101, 1e160, 1.7e308])
def test_plans_and_margins_beyond_cubes_are_refused(value: float) -> None:
    """An OverflowError of Python, and a RuntimeWarning of NumPy."""
    values = [0.1, 0.2, 0.3, 0.5], [0.2, 0.1, 0.2, 0.6]
    for call in (
        lambda: pc.compare.plan(width=1, deviation=value),
        lambda: pc.compare.plan(topics=9, deviation=value),
        lambda: pc.compare.equivalence(*values, value),
        lambda: pc.compare.equivalence(*values, value, test="randomization"),
    ):
        with pytest.raises(pc.UsageError, match=r"must be a number > 0 and <= 1e\+100, got"):
            call()
