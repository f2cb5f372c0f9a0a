"""The averages of object detection: COCO's 101 points, and PASCAL VOC's 11 and all points.

The tables have for each detection, best first, whether a true object was matched at IoU .5, as
pycocotools matched them.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import precall as pc
from tests.conftest import ROOT

RECORDED = json.loads((ROOT / "tests/data/spans/detections.json").read_text())
#: Numbers of objects for which ten of the doubles that pycocotools compares with lie above a recall
#: that is just reached.
_JUST_REACHED = {10, 20, 50}


def curve_of(case: dict[str, Any]) -> pc.Curve:
    matched = case["matched"]
    missed = case["npos"] - sum(matched)
    return pc.curve(matched, np.arange(len(matched), 0, -1.0), missed=missed)


@pytest.mark.parametrize("case", RECORDED["tables"], ids=lambda case: case["name"])
def test_areas_are_those_of_pycocotools_and_voc(case: dict[str, Any]) -> None:
    if not case["matched"]:
        pytest.skip("nothing was detected: 0 there")
    curve = curve_of(case)
    if case["npos"] not in _JUST_REACHED:
        assert curve.area_under_pr("101-point") == pytest.approx(case["AP50"], abs=1e-12)
    if case["voc_all_point"] is not None:
        assert curve.area_under_pr("interpolated") == pytest.approx(case["voc_all_point"])
    if case["voc_eleven_point"] is not None and case["npos"] not in _JUST_REACHED:
        assert curve.area_under_pr("11-point") == pytest.approx(case["voc_eleven_point"])


def test_a_recall_that_is_just_reached_counts() -> None:
    """Ten objects, seven found first: 71 levels are reached, of which pycocotools misses .7."""
    curve = pc.curve([1] * 7, np.arange(7, 0, -1.0), missed=3)
    assert curve.area_under_pr("101-point") == pytest.approx(71 / 101)


def test_it_is_between_steps_and_all_points() -> None:
    """With more levels the mean nears the area."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        labels = rng.random(300) < 0.3
        curve = pc.curve(labels, rng.random(300))
        area = curve.area_under_pr("interpolated")
        assert abs(curve.area_under_pr("101-point") - area) <= 1 / 101
        weighted = pc.curve(labels, curve.cases[1], weights=np.full(300, 0.1))  # type: ignore[index]
        assert weighted.area_under_pr("101-point") == pytest.approx(
            curve.area_under_pr("101-point"), abs=0.02
        )


def test_it_is_a_measure_of_rankings_too() -> None:
    name = "AreaPR(method=101-point)"
    report = pc.evaluate(
        {"t": {"a": 1, "b": 1, "c": 1}}, {"t": {"a": 3.0, "x": 2.0, "b": 1.0}}, name
    )
    # Recall 0 to .33 at precision 1, to .66 at 2/3, then nothing.
    assert report.runs[0].values[0, 0] == pytest.approx((34 + 33 * 2 / 3) / 101)
