"""The page draws a chart against the threshold on the axis that the picture of the same scores has.

Of more thresholds than a page holds it looked at those that it keeps, which are even across a
linear axis and so are seldom crowded. Older tests had few thresholds, all of which are kept.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.page.kept_points import operating_points
from precall.plot import AgainstThreshold

MADE = np.random.default_rng(0)


@pytest.mark.nightly
@pytest.mark.parametrize("low_is_good", [False, True])
@pytest.mark.parametrize("shape", [(0.1, 1.0), (0.2, 0.2), (0.5, 1.5)])
def test_the_page_has_the_axis_of_the_picture(
    shape: tuple[float, float], low_is_good: bool, tmp_path: Path
) -> None:
    score = MADE.beta(*shape, 20_000)
    relevant = MADE.random(len(score)) < (1 - score if low_is_good else score) * 0.3
    curve = pc.curve(relevant, score, higher_is_better=not low_is_good)
    page = pc.report(curve, tmp_path / "page.html")
    drawn = AgainstThreshold.from_curve(curve).plot()
    crowded = 'data-scale="logit"' in page.read_text(encoding="utf-8")
    assert crowded == (drawn.ax_.get_xscale() == "logit") == (shape != (0.5, 1.5))


def test_points_are_kept_across_the_axis_that_is_drawn() -> None:
    score = MADE.beta(0.1, 1, 20_000)
    points = operating_points(pc.curve(MADE.random(len(score)) < score * 0.3, score), 600)
    low, high = points.logit
    within = score[(score > low) & (score < high)]
    kept = points.threshold[(points.threshold > low) & (points.threshold < high)]
    assert len(kept) < len(within) / 4
    places, dots = np.log(within / (1 - within)), np.sort(np.log(kept / (1 - kept)))
    after = np.clip(np.searchsorted(dots, places), 1, len(dots) - 1)
    away = np.minimum(np.abs(places - dots[after - 1]), np.abs(places - dots[after]))
    # No score is further from a point than a few of the 300 columns are wide.
    assert away.max() < 0.01 * np.ptp(places)
