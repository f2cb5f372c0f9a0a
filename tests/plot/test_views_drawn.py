"""Pictures of lift, cumulative gain, DET and cost curves: the artists hold the tables' numbers, and
axes say what they are.
"""

from __future__ import annotations

import numpy as np
import pytest

from precall import UsageError, curve
from precall.plot import DET, CostCurve, CumulativeGain, Lift, PrecisionRecall
from tests.peers import peer

peer("matplotlib", "matplotlib is not installed: no picture was drawn")
figure = peer("matplotlib.figure")

TRUTH = [0, 1, 0, 1, 1, 0, 0, 0, 1, 0]
SCORE = [5, 5, 4, 4, 4, 3, 2, 2, 1, 1]
OTHER = [1, 9, 2, 8, 5, 3, 3, 7, 6, 5]
ONE, TWO = curve(TRUTH, SCORE), curve(TRUTH, OTHER)
KINDS = {"lift": Lift, "cumulative-gain": CumulativeGain, "det": DET, "cost": CostCurve}
VIEWS = {name: kind._view for name, kind in KINDS.items()}


def data(line):
    return np.asarray(line.get_xdata(), float), np.asarray(line.get_ydata(), float)


def texts(display):
    return [text.get_text() for text in display.legend_.get_texts()]


@pytest.mark.nightly(keep=4)
@pytest.mark.parametrize(("name", "kind"), KINDS.items())
@pytest.mark.parametrize("c", [ONE, TWO, curve(TRUTH, SCORE, missed=3)])
def test_the_line_goes_through_the_table(name, kind, c):
    view = VIEWS[name]
    display = c.plot(name)
    assert type(display) is kind and (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == (
        view.across,
        view.upwards,
    )
    x, y = data(display.line_)
    table = getattr(c, view.method)()
    wanted = [np.asarray(table[column], float) for column in view.columns]
    if name == "det":
        inside = (wanted[0] > 0) & (wanted[0] < 1) & (wanted[1] > 0) & (wanted[1] < 1)
        wanted = [column[inside] for column in wanted]
    drawn = set(zip(x.round(12).tolist(), y.round(12).tolist(), strict=True))
    assert set(zip(*(column.round(12).tolist() for column in wanted), strict=True)) <= drawn
    if name != "lift":
        assert len(x) == len(wanted[0])


def test_lift_inside_a_block_is_what_chance_delivers():
    """Of four equal scores two are relevant: any share of them holds as large a share of the
    hits.
    """
    x, y = data(curve([1, 0, 1, 0, 0, 0], [2, 2, 2, 2, 1, 1]).plot("lift").line_)
    gain = np.interp(x, [0, 4 / 6, 1], [0, 1, 1])
    np.testing.assert_allclose(y * x, gain, atol=1e-12)
    assert len(x) > 100


def test_two_normal_distributions_are_a_straight_line_of_deviates():
    """Martin et al. (1997): normal scores of equal variance have slope -1 on the scale of
    deviates.
    """
    from statistics import NormalDist

    normal = NormalDist()
    share = [(i + 0.5) / 400 for i in range(400)]
    score = [normal.inv_cdf(p) + shift for shift in (0.0, 2.0) for p in share]
    display = curve([0] * 400 + [1] * 400, score).plot("det")
    x, y = (
        display.ax_.transScale.transform(np.column_stack(data(display.line_)))[:, i] for i in (0, 1)
    )
    slope, height = np.polyfit(x, y, 1)
    assert (slope, height) == (pytest.approx(-1, abs=0.02), pytest.approx(-2, abs=0.02))
    assert float(texts(display)[0].removeprefix("equal error rate ")) == pytest.approx(
        normal.cdf(-1), abs=2e-3
    )


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize(("name", "kind"), KINDS.items())
def test_chance_perfect_and_points(name, kind):
    display = kind.from_curves({"a": ONE, "b$": TWO}).plot(
        points={"a": {"best": ONE.at(max="MCC")}}
    )
    said = texts(display)
    assert (
        said[0].startswith("a (")
        and said[1].startswith(r"b\$ (")
        and said[-1].startswith("a, best (threshold")
    )
    assert ("perfect" in said) == (VIEWS[name].perfect is not None) and VIEWS[name].words in said
    assert len(display.ax_.get_lines()) == len(said)
    bare = kind.from_curve(ONE).plot(
        figure.Figure().add_subplot(), chance=False, perfect=False, legend=False
    )
    assert len(bare.ax_.get_lines()) == 1 and bare.legend_ is None
    folds = kind.from_folds([ONE, TWO], "x").plot()
    assert texts(folds)[0].startswith("x, mean of folds (") and texts(folds)[1].startswith(
        "x, 2 folds ("
    )


@pytest.mark.nightly
def test_a_point_is_where_the_curve_is():
    point = TWO.at(max="MCC")
    for name in ("lift", "cumulative-gain"):
        display = TWO.plot(name, points=point)
        (x,), (y,) = data(display.ax_.get_lines()[-1])
        assert np.isclose(np.stack(data(display.line_)).T, (x, y)).all(axis=1).any(), name
    det = TWO.plot("det", points={"best": TWO.at(recall=0.75), "no miss": TWO.at(recall=1)})
    (x,), (y,) = data(det.ax_.get_lines()[-2])
    assert np.isclose(np.stack(data(det.line_)).T, (x, y)).all(axis=1).any()
    assert data(det.ax_.get_lines()[-1])[1] == det.ax_.get_ylim()[0], (
        "a rate of 0 stands at the edge"
    )
    cost = TWO.plot("cost", points=point)
    ends = data(cost.ax_.get_lines()[-1])
    assert ends[0].tolist() == [0, 1] and ends[1].tolist() == [
        1 - point.rejection_recall,
        1 - point.recall,
    ]


def test_perfect_scores_draw_what_is_perfect():
    best = curve([1, 1, 0, 0, 0], [5, 4, 3, 2, 1])
    for name in ("lift", "cumulative-gain"):
        lines = best.plot(name).ax_.get_lines()
        x, y = data(lines[0])
        np.testing.assert_allclose(np.interp(x, *data(lines[1])), y, atol=0.03)


def test_what_cannot_be_drawn():
    every = curve([1, 1], [2, 1])
    for name in ("det", "cost"):
        with pytest.raises(
            UsageError, match=f"everything is relevant in the curve, so it has no {name} curve"
        ):
            every.plot(name)
    with pytest.raises(
        UsageError, match="no threshold of the curve both misses something and raises a false alarm"
    ):
        curve([1, 0], [2, 1]).plot("det")
    with pytest.raises(UsageError, match="view: got 'sheep', allowed are pr, roc, gain, lift"):
        ONE.plot("sheep")
    assert isinstance(ONE.plot(), PrecisionRecall)


@pytest.mark.parametrize(("name", "kind"), KINDS.items())
def test_the_best_are_highlighted(name, kind):
    """Of errors and costs low is good: the worst of three is grey."""
    worst = curve(TRUTH, [-score for score in OTHER])
    display = kind.from_curves({"worst": worst, "one": ONE, "two": TWO}).plot(
        highlight=2, title="three"
    )
    assert (
        set(list(display.lines_)[:2]) == {"one", "two"}
        and display.ax_.get_title(loc="left") == "three"
    )


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize("name", KINDS)
def test_many_cases_are_few_points(name):
    rng = np.random.default_rng(2)
    relevant = rng.random(100_000) < 0.05
    whole = curve(relevant, rng.normal(relevant * 1.5, 1))
    x, y = data(whole.plot(name).line_)
    assert 20 < len(x) < 13_000
    table = getattr(whole, VIEWS[name].method)()
    wanted = [np.asarray(table[column], float) for column in VIEWS[name].columns]
    inside = (wanted[0] >= x[0]) & (wanted[0] <= x[-1])
    far = (np.abs(np.interp(wanted[0], x, y) - wanted[1]) / np.maximum(wanted[1], 1))[inside]
    # Lift of the very best few goes up and down by whole cases.
    assert np.quantile(far, 0.99) < 0.005
