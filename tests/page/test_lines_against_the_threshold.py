"""The page draws precision, recall and F against the threshold where they are, and its slider
reaches every percent of recall.

Why the old tests missed it: thinning was tested by the areas of precision-recall and ROC, which it
keeps, and the charts against the threshold were drawn from the same points without a look at their
heights.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.page.operating import curves, points
from precall.page.scored import part_of
from precall.plot.shared import logit

#: As wide as a chart in dots.
WIDTH = 276


def cases(kind: str) -> pc.Curve:
    rng = np.random.default_rng(3)
    if kind == "rare":  # 60 of 60,000, far up
        y = np.arange(60_000) < 60
        return pc.curve(y, rng.normal(size=len(y)) + 2 * y)
    if kind == "skewed":  # most scores next to 0, as of a classifier that is sure
        y = rng.random(40_000) < 0.3
        return pc.curve(y, 1 / (1 + np.exp(-rng.normal(-4, 3, len(y)) - 3 * y)))
    if kind == "infinite":
        y = rng.random(20_000) < 0.2
        score = rng.normal(size=len(y)) + y
        score[:5], score[-5:] = np.inf, -np.inf
        return pc.curve(y, score, missed=100)
    if kind == "weighted":
        y = rng.random(20_000) < 0.2
        return pc.curve(y, rng.normal(size=len(y)) + y, weights=rng.random(len(y)))
    y = rng.random(20_000) < 0.2
    return pc.curve(y, rng.normal(size=len(y)) + y)


KINDS = ("plain", "rare", "skewed", "infinite", "weighted")


def across(one: dict[str, Any], threshold: Any) -> Any:
    """Where thresholds stand on the axis that is drawn."""
    return logit.along(threshold, *one.points.logit) if one.points.logit else threshold


def lines(threshold: Any, columns: dict[str, Any], at: Any) -> dict[str, Any]:
    """Heights of lines in steps: a threshold accepts what the next score above it accepts."""
    row = np.searchsorted(-threshold, -at, side="right") - 1
    return {name: column[row] for name, column in columns.items()}


@pytest.mark.nightly
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("good", [True, False])
def test_heights_are_those_of_the_curve(kind: str, good: bool) -> None:
    curve = cases(kind)
    given = (
        curve if good else replace(curve, threshold=0.0 - curve.threshold, higher_is_better=False)
    )
    systems = part_of({"one": given, "two": given}).section.systems
    for one in systems[: 1 + good]:
        assert len(one.points.tp) < len(curve) / 4
        sign = 1 if good else -1
        page = points(one.points.curve()) | {"threshold": across(one, sign * one.points.threshold)}
        true = {
            "precision": curve.precision,
            "recall": curve.recall,
            "F": 2 * curve.tp / (curve.relevant + curve.tp + curve.fp),
        }
        places = across(one, curve.threshold)
        finite = across(one, curve.threshold[np.isfinite(curve.threshold)].astype(float))
        wide = (finite[0] - finite[-1]) / WIDTH
        at = np.linspace(finite[-1], finite[0], 3 * WIDTH)
        drawn = lines(page["threshold"], {name: page[name] for name in true}, at)
        for place, x in enumerate(at.tolist()):
            near = slice(*(np.searchsorted(-places, [-x - wide, -x + wide]) + np.array([-1, 1])))
            for name, column in true.items():
                low, high = np.nanmin(column[near]), np.nanmax(column[near])
                assert low - 1e-12 <= drawn[name][place] <= high + 1e-12, (name, x)


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize("kind", KINDS)
def test_the_greatest_and_the_least_of_each_column_are_there(kind: str) -> None:
    curve = cases(kind)
    one = part_of({"one": curve}).section.systems[0]
    kept = np.isin(curve.threshold, one.points.threshold)
    finite = np.isfinite(curve.threshold)
    assert (one.points.logit is not None) == (kind == "skewed")
    x = across(one, curve.threshold[finite])
    column = np.clip(((x - x[-1]) / (x[0] - x[-1]) * 300).astype(int), 0, 299)
    f = 2 * curve.tp / (curve.relevant + curve.tp + curve.fp)
    for height in (curve.precision[finite], f[finite]):
        for part in np.unique(column)[1:-1]:
            inside = np.flatnonzero(column == part)[1:-1]
            if len(inside):
                there = height[inside][kept[finite][inside]]
                # Columns may begin a score apart, where an end is the extreme.
                ends = height[[inside[0] - 1, inside[-1] + 1]]
                assert max(*there, *ends) >= height[inside].max() - 1e-12
                assert min(*there, *ends) <= height[inside].min() + 1e-12


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("systems", [1, 6])
def test_the_slider_reaches_every_percent_of_recall(kind: str, systems: int) -> None:
    curve = cases(kind)
    section = part_of({f"s{i}": curve for i in range(systems)}).section
    for one in section.systems:
        there = set(zip(one.points.tp.tolist(), one.points.fp.tolist(), strict=True))
        for percent in range(101):
            try:
                point = curve.at(recall=percent / 100)
            except pc.UsageError:
                assert curve.missed
                continue
            assert (point.tp, point.fp) in there, percent


def test_precision_recall_and_roc_are_drawn_from_points_kept_for_them() -> None:
    """What is kept for the thresholds has other cases behind the last hit, where precision of that
    recall is lower.
    """
    curve = cases("plain")
    section = part_of({"one": curve}).section
    one = section.systems[0]
    drawn = np.asarray(one.points.drawn)
    assert len(drawn) <= 1200 + 3 and len(drawn) < len(one.points.tp)
    few = replace(section, systems=[replace(one, points=replace(one.points, drawn=None))])
    assert curves(section, "k") != curves(few, "k")
    whole = part_of({"one": pc.curve([1, 0, 1], [3, 2, 1])}).section
    assert whole.systems[0].points.drawn is None


def test_the_first_block_is_reached() -> None:
    """`curve.at(recall=0)` accepts the first block; of curves that no chart shows against the
    threshold it was left out.

    The curves above keep that block for other reasons.
    """
    y = np.arange(30_000) == 777
    curve = pc.curve(y, np.random.default_rng(1).normal(size=len(y)))
    for one in part_of({f"s{i}": curve for i in range(7)}).section.systems:
        there = set(zip(one.points.tp.tolist(), one.points.fp.tolist(), strict=True))
        assert (curve.at(recall=0).tp, curve.at(recall=0).fp) in there
