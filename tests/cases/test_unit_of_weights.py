"""The unit of weights changes nothing: weights that add up to less than 1 are those that add up to
more.

The old tests had weights near 1. Of small ones areas of a simplified curve moved beyond the
tolerance, sums of weights were shown as 0.0000, and a page compared the sum of the weights with the
number of scores, and said that some scores are equal.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import precall as pc
from precall.cases.thinning import grid_rows, thin
from precall.core.notes.of_curves import EqualScores
from precall.page.record import read_record
from tests.noticed import noticed

UNITS = (2.0**-60, 2.0**-7, 2.0**40)


def drawn(seed: int, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    relevant = rng.random(size) < 0.3
    relevant[:2] = True, False
    return relevant, np.round(rng.normal(size=size) + relevant, 2), rng.uniform(0.1, 3, size)


@given(
    seed=st.integers(0, 2**32),
    unit=st.sampled_from(UNITS),
    tolerance=st.sampled_from([0.1, 0.01, 1e-3]),
)
def test_the_same_points_are_kept(seed, unit, tolerance):
    relevant, score, weights = drawn(seed, 200)
    curve, other = (pc.curve(relevant, score, weights=weights * each) for each in (1, unit))
    few, few_of_other = curve.simplify(tolerance), other.simplify(tolerance)
    assert few.threshold.tolist() == few_of_other.threshold.tolist()
    assert abs(few_of_other.average_precision() - other.average_precision()) <= tolerance
    assert abs(few_of_other.area_under_roc() - other.area_under_roc()) <= tolerance


@pytest.mark.parametrize("unit", UNITS)
def test_long_curves_are_thinned_alike(unit):
    relevant, _, weights = drawn(1, 30_000)
    score = np.random.default_rng(2).normal(size=30_000) + relevant
    curve, other = (pc.curve(relevant, score, weights=weights * each) for each in (1, unit))
    assert grid_rows(curve).tolist() == grid_rows(other).tolist()
    assert thin(curve).threshold.tolist() == thin(other).threshold.tolist()
    assert len(thin(other)) < 15_000


@pytest.mark.parametrize(
    ("unit", "sums"), [(1.0, ("16.4", "3.6")), (1e-9, ("1.64e-08", "3.6e-09"))]
)
def test_sums_are_shown(unit, sums, tmp_path):
    weights = np.array([0.1, 2.5, 1.0, 5.8, 7.0]) * unit
    curve = pc.curve([1, 1, 1, 0, 0], [5, 4, 3, 2, 1], weights=weights)
    shown = curve.to_markdown().splitlines()
    cells = {
        line.split("|")[1].strip(): line.split("|")[2].strip()
        for line in shown
        if line.count("|") > 2
    }
    assert (cells["cases"], cells["relevant (positives)"]) == sums
    page = pc.report({"a": curve}, path=tmp_path / "page.html")
    assert f"the cases weigh {sums[0]}, {sums[1]} of it relevant" in page.read_text()


def test_a_sum_of_weights_is_no_number_of_cases(tmp_path):
    for weights, told in (([2.5, 1.5, 1.7], False), ([1, 1, 1], False), ([2, 1, 1], True)):
        path = tmp_path / f"{weights[0]}.html"
        pc.report({"a": pc.curve([1, 0, 1], [3, 2, 1], weights=weights)}, path=path)
        assert bool(noticed(read_record(path), EqualScores)) == told
