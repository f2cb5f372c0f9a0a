"""Intervals of differences of P@k and R@k held 83 to 92 % of differences where ranks end with
relevant cases that stand out, without a note: all situations that were simulated had scores that
thin out evenly. Tests by influence rejected too often there.
"""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import precall as pc
from precall.stats.intervals.at_ranks import both_ends
from precall.stats.intervals.mover import mover, on_ellipse
from tests.coverage import tops


def lists(rng: np.random.Generator, count: int = 1000) -> tuple[np.ndarray, ...]:
    """A fourth of the cases is relevant; by either score about 60 of them stand out, by chance."""
    relevant = np.arange(count) < count // 4
    scores = rng.standard_normal((2, count))
    for score in scores:
        score[rng.choice(count // 4, 60, replace=False)] += 9
    return relevant, *scores


@pytest.mark.parametrize("measure", ["P", "R"])
def test_more_or_fewer_cases_can_stand_out(measure: str) -> None:
    """All 60 of either list are relevant, behind them every fourth. In another sample 45 of one
    list and 75 of the other may stand out.
    """
    relevant, a, b = lists(np.random.default_rng(1))
    found = pc.compare.cases(relevant, a, b, f"{measure}@60", resamples=99)
    over = {"P": 60, "R": 250}[measure]
    assert found.difference == 0 and found.interval == "mover"
    assert found.high > 10 / over and found.low < -10 / over
    # The test by influences takes the same cut in every sample.
    other = pc.compare.cases(relevant, a, b, f"{measure}@60", test="influence")
    assert other.interval == "influence" and other.high < found.high


@pytest.mark.parametrize("groups", [None, np.arange(1000) // 2])
@pytest.mark.parametrize("measure", ["P@60", "R@60"])
def test_influences_keep_their_level(measure: str, groups: np.ndarray | None) -> None:
    """Of equal systems with which other cases stand out, 15 to 31 % were rejected at 5 %, without a
    note: nearly all cases of one top only are relevant, and their variance was nearly 0. All sizes
    that were simulated were of even scores.
    """
    rng, rejected = np.random.default_rng(5), 0
    for _ in range(120):
        relevant, *scores = lists(rng)
        for score in scores:
            # Not 60 of them, but each by chance.
            out = np.arange(1000) < 250
            score[out] = rng.standard_normal(250) + 9 * (rng.random(250) < 60 / 250)
        found = pc.compare.cases(relevant, *scores, measure, test="influence", groups=groups)
        rejected += found.p <= 0.05
    assert rejected <= 120 * 0.05 + 3 * math.sqrt(120 * 0.05 * 0.95)


@pytest.mark.parametrize("more", [{}, {"missed": 30}, {"groups": np.arange(6000) // 3}])
def test_enrichment_of_long_lists_is_compared_as_recall(more: dict[str, object]) -> None:
    """Above 5,000 items the default was the test by influences, whose bounds held 90 % of
    differences where cases stand out.
    """
    relevant, a, b = lists(np.random.default_rng(6), 6000)
    items = 6000 + int(str(more.get("missed", 0)))
    depth = math.ceil(items * 0.01)
    found = pc.compare.cases(relevant, a, b, "EF@1%", resamples=199, **more)
    recall = pc.compare.cases(relevant, a, b, f"R@{depth}", resamples=199, **more)
    assert (found.test, found.interval) == ("permutation", "mover")
    assert (found.p, found.method) == (recall.p, recall.method)
    scale = items / depth
    # Missed items are part of the share, but not of the list that is cut at a rank.
    for name in ("difference", "low", "high"):
        assert getattr(found, name) == pytest.approx(scale * getattr(recall, name), abs=1e-3)
    assert found.statistic == pytest.approx(recall.statistic, abs=0.001)
    asked = pc.compare.cases(relevant, a, b, "EF@1%", test="permutation", resamples=199, **more)
    assert asked.p == found.p


@pytest.mark.parametrize("measure", ["P@60", "R@60"])
def test_order_of_systems_and_cases(measure: str) -> None:
    relevant, a, b = lists(np.random.default_rng(2))
    b = b + 0.5 * relevant
    found, mirrored = (
        pc.compare.cases(relevant, *pair, measure, resamples=9) for pair in ((a, b), (b, a))
    )
    assert (found.low, found.high) == (-mirrored.high, -mirrored.low)
    order = np.random.default_rng(3).permutation(len(a))
    moved = pc.compare.cases(relevant[order], a[order], b[order], measure, resamples=9)
    assert (moved.low, moved.high) == pytest.approx((found.low, found.high), rel=1e-12)


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.9])
def test_even_bounds_make_those_of_mover(correlation: float) -> None:
    """Zou & Donner's: bounds that are as far from the value as the level says."""
    first, second = (
        lambda moved, at=at, half=half: at + half * moved for at, half in ((0.6, 0.1), (0.5, 0.08))
    )
    known = mover((0.6, *both_ends(first)), (0.5, *both_ends(second)), correlation)
    assert on_ellipse(first, second, correlation) == pytest.approx(known, abs=0.002)


def test_the_whole_list_has_no_difference() -> None:
    relevant, a, b = lists(np.random.default_rng(4), 300)
    found = pc.compare.cases(relevant, a, b, "P@300", resamples=9)
    assert found.difference == 0 and (found.low is None or found.high - found.low < 0.01)


@pytest.mark.parametrize("measure", ["P@40", "P@100", "R@40", "R@100"])
@pytest.mark.parametrize("missed", [0, 2])
def test_whole_lists_and_lists_of_one_order_have_no_interval(measure: str, missed: int) -> None:
    """Recall at the last rank had bounds of -.3 and .3, precision behind it of 4e-9: influences on
    a whole list are 0, or as large as rounding. Lists of one order were tried at early ranks only.
    """
    rng = np.random.default_rng(3)
    relevant = rng.random(40) < 0.3
    score = rng.standard_normal(40) + relevant
    for other in (score, 2 * score, rng.standard_normal(40)):
        found = pc.compare.cases(relevant, score, other, measure, missed=missed, resamples=9)
        assert (found.difference, found.low, found.high, found.p) == (0, None, None, 1)


@pytest.mark.parametrize("cutoff", [5, 20, 45, 90])
def test_rounded_correlation_of_equal_tops(cutoff: int) -> None:
    """The root of a rounded 1 - r² made bounds of ±1e-8 where both tops have the same cases."""
    relevant, a, b = lists(np.random.default_rng(6), 300)
    low = np.argsort(a)[:100]
    b[:] = a
    b[low] = a[low[::-1]]
    found = pc.compare.cases(relevant, a, b, f"P@{cutoff}", resamples=9)
    assert (found.difference, found.low, found.high) == (0, None, None)


@pytest.mark.parametrize("more", [{}, {"missed": 3}, {"groups": np.arange(200) // 2}])
@pytest.mark.parametrize("measure", ["R@10", "EF@5%"])
def test_full_tops_with_other_hits_have_bounds(measure: str, more: dict[str, object]) -> None:
    """Recall had no interval, or one of rounding, where P@10 had [-.27, .27]: its influences, which
    are of the number of relevant cases alone, are equal.
    """
    rng = np.random.default_rng(0)
    relevant = np.arange(200) < 100
    a, b = (rng.standard_normal(200) + 8 * relevant for _ in "ab")
    precision = pc.compare.cases(relevant, a, b, "P@10", resamples=9, **more)
    found = pc.compare.cases(relevant, a, b, measure, resamples=9, **more)
    over = found.values[0] / precision.values[0]
    assert found.low is not None and found.high is not None and precision.high is not None
    assert found.low == pytest.approx(-found.high)
    assert 0.8 < found.high / (over * precision.high) < 2
    top = np.argsort(a)[-20:]
    b[top] = a[top] + 20
    same = pc.compare.cases(relevant, a, b, measure, resamples=9, **more)
    assert (same.difference, same.low, same.high) == (0, None, None)


def test_the_record_of_coverage() -> None:
    cells = json.loads(tops.RECORD.read_text(encoding="utf-8"))["cells"]
    assert [cell["situation"] for cell in cells[::3]] == [of.name for of in tops.SITUATIONS]
    assert all(cell["samples"] >= 800 and cell["covered"] >= 0.93 for cell in cells)
    assert "\n".join(tops.table(cells)) in tops.PAGE.read_text(encoding="utf-8")


@pytest.mark.nightly
@pytest.mark.parametrize("number", [7, 9])
def test_coverage_anew(number: int) -> None:
    for cell in tops.simulate(tops.SITUATIONS[number], 200):
        assert cell["covered"] >= 0.93 - 3 * math.sqrt(0.05 * 0.95 / 200)
