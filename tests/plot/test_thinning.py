"""Curves of many points lose points, and no area."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from precall.cases import curve, thinning
from precall.measures import Measure
from precall.plot import (
    ROC,
    AgainstRank,
    AgainstThreshold,
    PrecisionRecall,
    PrecisionRecallGain,
    ScoresByClass,
    files,
)
from tests.peers import peer

peer("matplotlib", "matplotlib is not installed: no picture was drawn")

AREAS = ("step", "interpolated", "trapezoid", "davis-goadrich")


def cases(size, share, apart, seed, digits=None):
    rng = np.random.default_rng(seed)
    relevant = rng.random(size) < share
    score = rng.normal(relevant * apart, 1)
    return curve(relevant, score if digits is None else score.round(digits))


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize(
    ("share", "apart", "digits"),
    [(0.5, 1, None), (0.01, 2, None), (0.001, 0, None), (0.2, -1, None), (0.1, 1, 4)],
)
def test_areas_stay(share, apart, digits):
    whole = cases(200_000, share, apart, 3, digits)
    few = thinning.thin(whole)
    assert len(few) < min(len(whole) / 2, 30_000)
    for name in AREAS:
        assert abs(few.area_under_pr(name) - whole.area_under_pr(name)) <= thinning.TOLERANCE
    assert abs(few.area_under_roc() - whole.area_under_roc()) <= thinning.TOLERANCE


def test_the_bound_holds_for_any_rows():
    rng = np.random.default_rng(4)
    for seed in range(60):
        whole = cases(300, 0.3, 0.5, seed)
        rows = np.unique([0, len(whole) - 1, *rng.integers(0, len(whole), 40)])
        few, bound = thinning.part(whole, rows), thinning.bound_loss(whole, rows)
        for name in ("step", "interpolated", "trapezoid"):
            assert abs(few.area_under_pr(name) - whole.area_under_pr(name)) <= bound + 1e-12
        assert abs(few.area_under_roc() - whole.area_under_roc()) <= bound + 1e-12
    assert thinning.bound_loss(whole, np.arange(len(whole))) == 0


def test_where_the_grid_is_too_coarse_the_curve_decides(monkeypatch):
    monkeypatch.setattr(thinning, "_STEPS", 10)
    monkeypatch.setattr(thinning, "_RATIO", 1.0)
    whole = cases(20_000, 0.3, 1, 5)
    assert thinning.bound_loss(whole, thinning.grid_rows(whole)) > thinning.TOLERANCE
    few = thinning.thin(whole)
    assert abs(few.average_precision() - whole.average_precision()) <= thinning.TOLERANCE


def test_small_curves_are_drawn_as_they_are():
    whole = cases(3000, 0.3, 1, 6)
    assert thinning.thin(whole) is whole


def test_columns_keep_what_is_seen():
    rng = np.random.default_rng(8)
    x, y = np.sort(rng.random(50_000)), rng.normal(size=50_000)
    rows = thinning.rows_to_draw(x, [y], columns=100)
    assert len(rows) <= 400 and rows[0] == 0 and rows[-1] == len(x) - 1
    column = np.minimum((x - x[0]) / (x[-1] - x[0]) * 100, 99).astype(int)
    for place in range(100):
        inside, drawn = y[column == place], y[rows][column[rows] == place]
        assert (drawn.min(), drawn.max()) == (inside.min(), inside.max())
    np.testing.assert_array_equal(
        x[rows][::-1], x[::-1][thinning.rows_to_draw(x[::-1], [y[::-1]], columns=100)]
    )


@pytest.mark.nightly
def test_pictures_of_many_cases_have_few_points():
    whole = cases(300_000, 0.1, 1, 9)
    x = np.asarray(PrecisionRecall.from_curve(whole).plot().line_.get_xdata())
    y = np.asarray(PrecisionRecall.from_curve(whole).plot().line_.get_ydata())
    assert len(x) < 30_000
    assert abs(np.sum(np.diff(x) * y[1:]) - whole.average_precision()) <= thinning.TOLERANCE
    roc = ROC.from_curve(whole).plot().line_
    assert (
        abs(np.trapezoid(roc.get_ydata(), roc.get_xdata()) - whole.area_under_roc())
        <= thinning.TOLERANCE
    )
    for kind in (AgainstThreshold, AgainstRank):
        for line in kind.from_curve(whole).plot().lines_.values():
            assert len(line.get_xdata()) <= 6 * thinning.COLUMNS


@pytest.fixture(scope="module")
def million():
    return cases(1_000_000, 0.1, 1, 12)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("kind", "most"),
    [
        (PrecisionRecall, 12_000),
        (ROC, 12_000),
        (PrecisionRecallGain, 4 * thinning.COLUMNS),
        (AgainstRank, 4 * thinning.COLUMNS),
        (AgainstThreshold, 6 * thinning.COLUMNS),
        (ScoresByClass, 0),
    ],
)
def test_corners_and_files_do_not_grow_with_the_cases(million, kind, most):
    display = kind.from_curve(million).plot()
    assert max((len(line.get_xdata()) for line in display.ax_.get_lines()), default=0) <= most
    assert len(files.render(display.figure_, ".svg")) < 900_000


@pytest.mark.nightly
def test_no_number_of_all_points_is_made_twice(million, monkeypatch):
    """What takes the time of a picture of 10⁷ cases are passes over all of them."""
    asked, measured = [], Measure.of_table

    def whole(self, table):
        asked.append((self.name, np.size(table.tp)))
        return measured(self, table)

    monkeypatch.setattr(Measure, "of_table", whole)
    for kind in (
        PrecisionRecall,
        ROC,
        PrecisionRecallGain,
        AgainstRank,
        AgainstThreshold,
        ScoresByClass,
    ):
        asked.clear()
        kind.from_curve(million).plot()
        passes = [name for name, size in asked if size > len(million) / 2]
        # What neither only grows nor only falls.
        assert passes == {AgainstThreshold: ["P", "F"], AgainstRank: ["P"]}.get(kind, [])


def test_the_bound_holds_for_many_cases(million):
    few = thinning.thin(million)
    assert thinning.bound_loss(million, thinning.grid_rows(million)) <= thinning.TOLERANCE / 2
    for name in AREAS:
        assert abs(few.area_under_pr(name) - million.area_under_pr(name)) <= thinning.TOLERANCE
    assert abs(few.area_under_roc() - million.area_under_roc()) <= thinning.TOLERANCE


@pytest.mark.parametrize("kind", ["i", "f"])
def test_columns_of_powers_keep_what_is_seen(kind):
    x = np.unique(np.random.default_rng(9).integers(1, 10**6, 60_000)).astype(
        np.int64 if kind == "i" else float
    )
    y = np.random.default_rng(10).normal(size=len(x))
    rows = thinning.rows_to_draw(x, [y], columns=100, log=True)
    assert len(rows) <= 400 and rows[0] == 0 and rows[-1] == len(x) - 1
    edges = np.geomspace(x[0], x[-1], 101)
    for low, high in pairwise(edges[1:-1].tolist()):
        inside, drawn = (x >= low) & (x < high), (x[rows] >= low) & (x[rows] < high)
        if inside.any():
            assert (y[rows][drawn].min(), y[rows][drawn].max()) == (
                y[inside].min(),
                y[inside].max(),
            )
