"""Results and digits are the same on every Python.

Tests ran on 3.11 only. There a tuple with NaN equals itself (by identity), and builtin `sum` adds
floats one after the other; from 3.13 and 3.12 on neither holds.
"""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import numpy as np
import pytest

import precall as pc
from precall.cases.points import OperatingPoint
from precall.core.methods import Method
from precall.stats.intervals.interval import Interval
from precall.stats.null import average
from precall.stats.null.mean_over_rankings import Mean
from precall.stats.null.tail.moments import harmonic
from precall.stats.tests.comparisons import Comparison
from precall.stats.tests.equivalence import Gate

NAN = float("nan")


def results():
    yield Interval(NAN, NAN, NAN, 0.95, "influence", "AP")
    yield pc.interval.precision(30, 50)
    yield OperatingPoint(NAN, 0.5, 0, 0, 0, 3)
    yield Gate(("a", "b"), "AP", None, True, NAN, "p is undefined")


def test_results_equal_their_copies():
    for one in results():
        for other in (copy.copy(one), pickle.loads(pickle.dumps(one))):
            assert one == other and hash(one) == hash(other), one
    assert len(set(results())) == 4


def test_undefined_is_not_zero_and_kinds_differ():
    one = Interval(NAN, 0.0, 1.0, 0.95, "wilson")
    assert one != Interval(0.0, NAN, 1.0, 0.95, "wilson")
    assert one != Interval(NAN, 0.0, 1.0, 0.9, "wilson")
    assert one != (NAN, 0.0, 1.0, 0.95, "wilson", "", "", None, 0, None)


def test_optional_numbers_are_none():
    assert pc.interval.f(30, 5, 9).standard_error is None
    constant = pc.compare.paired([0.5, 0.7, 0.9], [0.25, 0.45, 0.65], test="sign")
    assert constant.effect is None and constant.to_dict()["effect"] is None
    plain = Comparison(
        ("a", "b"), "AP", (0.5, 0.5), 0.0, None, None, 0.95, 1.0, "sign", Method("no difference"), 2
    )
    assert (
        plain.statistic is None and plain.effect is None and "d " not in str(plain).splitlines()[-1]
    )


def test_sums_of_floats_are_correctly_rounded():
    for rank in (4, 10, 31, 64):
        exact = sum(Fraction(1, t) for t in range(1, rank + 1))
        # 1/t is rounded before it is added, so a unit of the last place is allowed; of 4 it is the
        # nearest number.
        assert harmonic(rank)[0] == pytest.approx(float(exact), rel=2.3e-16)
    assert harmonic(4)[0] == 25 / 12


def test_order_of_laws_does_not_matter():
    laws = [pc.null.average_precision(items, 3) for items in (10, 7, 23, 12, 90, 31)]
    for turned in (laws[::-1], laws[2:] + laws[:2]):
        assert Mean(tuple(turned)).mean == Mean(tuple(laws)).mean
        assert Mean(tuple(turned)).var == Mean(tuple(laws)).var


def test_builtin_sum_of_floats_is_noticed():
    called = {"__name__": "precall.somewhere"}
    with pytest.raises(AssertionError, match="use math.fsum"):
        eval("sum([0.1, 0.2])", called)
    with pytest.raises(AssertionError, match="use math.fsum"):
        eval("sum(x for x in v)", called | {"v": [1, np.float64(0.2)]})
    assert eval("sum(x > 0 for x in (1.0, 2.0))", called) == 2
    assert eval("sum([0.5, 0.25])", {"__name__": "tests"}) == 0.75


@pytest.mark.nightly
def test_probabilities_of_few_hits_are_not_added_by_builtin_sum(monkeypatch):
    # The numbers of hits of norm="found" were: a law that the sums above do not meet.
    def of_whole_numbers(numbers, start=0):
        numbers = list(numbers)
        assert not any(type(one) is float for one in numbers)
        return sum(numbers, start)

    monkeypatch.setattr(average, "sum", of_whole_numbers, raising=False)
    assert 0 < pc.null.average_precision(2000, 50, cutoff=30, norm="found").cdf(0.0) < 1
