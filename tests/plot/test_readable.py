"""Pictures that are read: on dark grounds, with many lines, where scores crowd; titles, legends,
and errors in words.
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc
from precall import plot
from precall.plot.shared import styles
from tests.peers import peer

colors = peer("matplotlib.colors")
figures = peer("matplotlib.figure")
style = peer("matplotlib.style")

RNG = np.random.default_rng(0)
TRUTH = RNG.random(200) < 0.3
SCORE = RNG.normal(size=200) + 1.5 * TRUTH
ONE = pc.curve(TRUTH, SCORE)
MANY = {f"c{k:02d}": pc.curve(TRUTH, RNG.normal(size=200) + 0.2 * k * TRUTH) for k in range(20)}
NULL = pc.null.average_precision(items=60, relevant=8)
DISPLAYS = {
    "pr": lambda: (plot.PrecisionRecall.from_curve(ONE), {"points": ONE.max_f(), "iso_f": [0.5]}),
    "roc": lambda: (plot.ROC.from_curve(ONE), {"bands": ([0.1, 0.5], [0.1, 0.4], [0.5, 0.9])}),
    "gain": lambda: (plot.PrecisionRecallGain.from_curve(ONE), {}),
    "ranks": lambda: (plot.AgainstRank.from_curve(ONE), {"budgets": [20]}),
    "thresholds": lambda: (plot.AgainstThreshold.from_curve(ONE), {"points": ONE.max_f()}),
    "scores": lambda: (plot.ScoresByClass.from_curve(ONE), {}),
    "eleven": lambda: (plot.ElevenPoint.from_curves({"a": ONE}), {}),
    "null": lambda: (plot.NullDensity.of(NULL, observed=0.4, drawn=RNG.random(99)), {}),
    "coverage": lambda: (plot.Coverage([1, 2], {"a": [0.9, 0.95]}), {"accepted": None}),
    "power": lambda: (plot.Power([1, 2], {"a": [0.9, 0.95]}), {}),
    "means": lambda: (plot.SystemMeans(["a"], [0.5], [0.4], [0.6]), {}),
    "pairs": lambda: (plot.PairDifferences(["a - b"], [0.5], [-0.4], [0.6]), {}),
    "differences": lambda: (plot.TopicDifferences({"p": 1.0, "q": 0.2}, {"p": 0.5, "q": 0.5}), {}),
    "scatter": lambda: (plot.TopicScatter({"p": 1.0, "q": 0.2}, {"p": 0.5, "q": 0.5}), {}),
}


def texts(display):
    return [text.get_text().replace("\n", " ") for text in display.legend_.get_texts()]


def luminance(colour):
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour[:3]
    ]
    return float(np.dot(linear, [0.2126, 0.7152, 0.0722]))


def worst_contrast(display):
    """Of the lines, edges and words against the ground of the axes, by WCAG."""
    from matplotlib.colors import to_rgba

    ground = luminance(to_rgba(display.ax_.get_facecolor()))
    drawn = [line.get_color() for line in display.ax_.get_lines()]
    drawn += [patch.get_edgecolor() for patch in display.ax_.patches]
    drawn += [text.get_color() for text in display.ax_.texts]
    drawn += [text.get_color() for text in display.legend_.get_texts()] if display.legend_ else []
    lights = [luminance(to_rgba(colour)) for colour in drawn]
    return min((max(light, ground) + 0.05) / (min(light, ground) + 0.05) for light in lights)


@pytest.mark.nightly
@pytest.mark.parametrize("kind", DISPLAYS)
def test_dark_styles_are_readable(kind):
    # Lines of equal F and random draws lie behind everything, and are faint on purpose.
    display, given = DISPLAYS[kind]()
    given.pop("iso_f", None)
    if kind == "null":
        display.drawn = None
    with style.context("dark_background"):
        shown = display.plot(**given)
        assert worst_contrast(shown) >= 3
        assert colors.to_hex(shown.figure_.get_facecolor()) == "#000000"
    assert worst_contrast(display.plot(**given)) >= 3
    assert styles.colour(0) == styles.COLOURS[0]


def test_the_ground_is_that_of_the_axes():
    figure = figures.Figure()
    dark, light, clear = figure.subplots(1, 3)
    dark.set_facecolor("#202020")
    assert plot.ROC.from_curve(ONE).plot(dark).line_.get_color() == styles.ON_DARK[0]
    assert plot.ROC.from_curve(ONE).plot(light).line_.get_color() == styles.COLOURS[0]
    clear.set_facecolor("none")
    figure.set_facecolor("none")
    with style.context({"text.color": "white"}):
        assert plot.ROC.from_curve(ONE).plot(clear).line_.get_color() == styles.ON_DARK[0]
    assert plot.ROC.from_curve(ONE).plot(clear).line_.get_color() == styles.COLOURS[0]
    assert plot.ROC.from_curve(ONE).plot(dark, color="navy").line_.get_color() == "navy"


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize("kind", DISPLAYS)
def test_titles_and_errors_in_words(kind):
    display, given = DISPLAYS[kind]()
    assert display.plot(title="a $ b", **given).ax_.get_title(loc="left") == r"a \$ b"
    name = type(display).__name__
    with pytest.raises(
        pc.UsageError,
        match=f"colour: is no argument of {name}.plot; allowed are ax, .*did you mean color",
    ):
        display.plot(colour="red", **given)
    with pytest.raises(pc.UsageError, match=f"{name}.plot: .*(color|reddish).*give another look"):
        display.plot(color="reddish", **given)


@pytest.mark.nightly
@pytest.mark.parametrize(
    "kind",
    [plot.PrecisionRecall, plot.ROC, plot.PrecisionRecallGain, plot.AgainstRank, plot.ElevenPoint],
)
def test_of_many_lines_the_best_have_a_colour(kind):
    display = kind.from_curves(MANY).plot(highlight=3)
    measured = {
        plot.ROC: lambda c: c.area_under_roc(),
        plot.PrecisionRecallGain: lambda c: c.area_under_pr("gain"),
        plot.ElevenPoint: lambda c: float(c.eleven_point().mean()),
    }.get(kind, lambda c: c.average_precision())
    best = sorted(sorted(MANY, key=lambda name: -measured(MANY[name]))[:3])
    names = list(dict.fromkeys(key[0] if isinstance(key, tuple) else key for key in display.lines_))
    assert names[:3] == best and set(names) == set(MANY)
    coloured = {name for name, line in _lines(display) if line.get_color() != styles.GUIDE}
    assert coloured == set(best)
    assert sum(text == "17 others" for text in texts(display)) == 1
    assert {
        name
        for name, line in _lines(kind.from_curves(MANY).plot(highlight="c01"))
        if line.get_color() != styles.GUIDE
    } == {"c01"}
    assert "14 others" in texts(kind.from_curves(MANY).plot())
    assert not any("others" in text for text in texts(kind.from_curves(MANY).plot(highlight="all")))


def _lines(display):
    return [
        (key[0] if isinstance(key, tuple) else key, line) for key, line in display.lines_.items()
    ]


@pytest.mark.parametrize(
    ("highlight", "said"),
    [
        ("x", "highlight: no 'x'; there are c00, "),
        (["c01", "y"], "no 'y'"),
        (-1, "highlight: must be"),
        (1.5, "highlight: must be"),
    ],
)
def test_what_cannot_be_highlighted(highlight, said):
    with pytest.raises(pc.UsageError, match=said):
        plot.ROC.from_curves(MANY).plot(highlight=highlight)


def test_marks_have_the_colour_of_their_line():
    points = {"c05": [MANY["c05"].max_f()]}
    display = plot.PrecisionRecall.from_curves(MANY).plot(highlight=["c03", "c05"], points=points)
    assert (
        display.ax_.get_lines()[-1].get_color()
        == display.lines_["c05"].get_color()
        == styles.COLOURS[1]
    )


def test_many_folds_have_the_least_and_the_greatest():
    folds = [pc.curve(TRUTH[k::12], SCORE[k::12]) for k in range(12)]
    values = [c.average_precision() for c in folds]
    said = texts(plot.PrecisionRecall.from_folds(folds).plot())
    assert said[1] == f"12 folds (AP {min(values):.3f} to {max(values):.3f})"


class TestLegends:
    def test_in_an_empty_corner_and_the_figure_keeps_its_size(self):
        display = plot.ROC.from_curve(pc.curve([1, 1, 0, 0], [4, 3, 2, 1])).plot()
        axes, legend = display.ax_.get_window_extent(), display.legend_.get_window_extent()
        assert axes.x0 < legend.x0 and legend.x1 < axes.x1 and legend.y1 < (axes.y0 + axes.y1) / 2
        assert display.figure_.get_size_inches().tolist() == [5.0, 4.4]

    def test_below_where_it_is_narrow(self):
        figure = figures.Figure(figsize=(3, 3), layout="constrained")
        display = plot.PrecisionRecall.from_curve(ONE, "a system").plot(
            figure.subplots(), bands=([0, 1], [0, 0], [1, 1])
        )
        figure.draw_without_rendering()
        axes, legend = display.ax_.get_window_extent(), display.legend_.get_window_extent()
        assert legend.y1 < display.ax_.xaxis.get_tightbbox().y0 and axes.width > 100
        assert legend.x0 >= 0 and legend.x1 <= 300

    def test_beside_a_square_in_a_wide_figure(self):
        figure = figures.Figure(figsize=(9, 3), layout="constrained")
        display = plot.PrecisionRecall.from_curve(ONE).plot(
            figure.subplots(), bands=([0, 1], [0, 0], [1, 1])
        )
        figure.draw_without_rendering()
        assert display.legend_.get_window_extent().x0 > display.ax_.get_window_extent().x1


class TestCrowdedScores:
    RARE = 1 / (1 + np.exp(6 - SCORE))

    def test_thresholds_are_on_logits(self):
        curve = pc.curve(TRUTH, self.RARE)
        display = plot.AgainstThreshold.from_curve(curve).plot()
        assert display.ax_.get_xscale() == "logit"
        np.testing.assert_array_equal(display.lines_["recall"].get_xdata(), curve.threshold[:0:-1])
        low, high = display.ax_.get_xlim()
        assert 0 < low < self.RARE.min() and self.RARE.max() < high < 1
        assert (
            plot.AgainstThreshold.from_curve(curve).plot(scale="linear").ax_.get_xscale()
            == "linear"
        )
        assert plot.AgainstThreshold.from_curve(ONE).plot().ax_.get_xscale() == "linear"

    def test_zero_and_one_stand_at_the_ends(self):
        score = np.concatenate(([0.0, 1.0], self.RARE[2:]))
        for low in (False, True):
            curve = pc.curve(TRUTH, score, higher_is_better=not low)
            display = plot.AgainstThreshold.from_curve(curve).plot()
            x = display.lines_["recall"].get_xdata()
            assert (min(x), max(x)) == pytest.approx(display.ax_.get_xlim())

    def test_bins_hold_every_case(self):
        score = np.concatenate(([0.0, 1.0], self.RARE[2:]))
        display = plot.ScoresByClass.from_cases(TRUTH, score).plot(bins=9, share=False)
        assert display.ax_.get_xscale() == "logit" and len(display.edges_) == 10
        assert sum(heights.sum() for heights in display.heights_.values()) == 200
        inner = [
            int(np.sum((score >= a) & (score < b)))
            for a, b in zip(display.edges_[1:-2], display.edges_[2:-1], strict=True)
        ]
        assert (display.heights_["relevant"] + display.heights_["other"])[1:-1].tolist() == inner

    def test_what_has_no_logits(self):
        with pytest.raises(pc.UsageError, match='scale: "logit" needs scores in 0..1'):
            plot.AgainstThreshold.from_curve(ONE).plot(scale="logit")
        with pytest.raises(
            pc.UsageError, match="scale: got 'log', allowed are None, linear, logit"
        ):
            plot.AgainstThreshold.from_curve(ONE).plot(scale="log")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: plot.ROC.from_curve(ONE).plot(points=3),
            "points: must be operating points, .*, got int",
        ),
        (
            lambda: plot.ROC.from_curve(ONE).plot(points={"a": 3}),
            "points: must be operating points, .*, got int",
        ),
        (
            lambda: plot.PrecisionRecall.from_curve(ONE).plot(iso_f=["a"]),
            r"iso_f: must be in \(0, 1\), got 'a'",
        ),
        (
            lambda: plot.AgainstRank.from_curve(ONE).plot(budgets=["a"]),
            "budgets: must be ranks > 0, got 'a'",
        ),
        (
            lambda: plot.Coverage([1, 2], {"a": [0.9, 0.95]}).plot(accepted=3),
            "accepted: must be two shares",
        ),
        (lambda: plot.Coverage([1], 3), "shares: must be {method: share at each setting}, got int"),
        (lambda: plot.ROC.from_curves(3), "curves: must be a curve .*, got int"),
        (
            lambda: plot.ROC.from_folds(3),
            "folds: each must be a curve or .labels, scores., got int",
        ),
        (lambda: plot.ElevenPoint.from_curves(3), "curves: must be {name: curve}, got int"),
        (lambda: plot.TopicScatter(3, 4), "first, second: must be {topic: value}, got int"),
    ],
)
def test_wrong_arguments_are_told_in_words(call, said):
    with pytest.raises(pc.UsageError, match=said):
        call()


def test_one_of_several_stands_for_itself():
    assert "recall" in plot.AgainstThreshold.from_curve(ONE).plot(measures="recall").lines_
    assert plot.AgainstRank.from_curve(ONE).plot(budgets=9).ax_.get_lines()[-1].get_xdata() == [
        9,
        9,
    ]
    assert plot.PrecisionRecall.from_curve(ONE).plot(iso_f=0.5).ax_.texts[0].get_text() == "F 0.5"
