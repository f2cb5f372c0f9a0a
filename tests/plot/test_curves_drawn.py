"""Pictures of curves: the artists hold the curve's numbers, and the axes say what they are."""

from __future__ import annotations

import math

import numpy as np
import pytest

from precall import PrecallWarning, UsageError, curve
from precall.plot import (
    DET,
    ROC,
    AgainstRank,
    AgainstThreshold,
    PrecisionRecall,
    PrecisionRecallGain,
    ScoresByClass,
)
from tests.peers import peer

figures = peer("matplotlib.figure", "matplotlib is not installed: no picture was drawn")

TRUTH = [0, 1, 0, 1, 1, 0, 0, 0, 1, 0]
SCORE = [5, 5, 4, 4, 4, 3, 2, 2, 1, 1]
OTHER = [1, 9, 2, 8, 7, 3, 3, 4, 6, 5]
ONE, TWO = curve(TRUTH, SCORE), curve(TRUTH, OTHER)
# Of one false positive rate that is neither 0 nor 1: a half, and a third.
HALF, THIRD = curve([0, 1, 1, 0], [4, 3, 2, 1]), curve([0, 1, 1, 0, 0], [5, 4, 3, 2, 1])
KINDS = (PrecisionRecall, ROC, PrecisionRecallGain, AgainstRank)


def data(line):
    return np.asarray(line.get_xdata(), float), np.asarray(line.get_ydata(), float)


def texts(display):
    return [text.get_text() for text in display.legend_.get_texts()]


def area_of_steps(line):
    """The area under what is seen of a line drawn in steps that hold from the x before."""
    assert line.get_drawstyle() == "steps-pre"
    x, y = data(line)
    return float(np.sum(np.diff(x) * y[1:]))


class TestPrecisionRecall:
    @pytest.mark.parametrize("c", [ONE, TWO, curve(TRUTH, SCORE, missed=3)])
    def test_the_line_is_the_curve_and_its_area_average_precision(self, c):
        line = PrecisionRecall.from_curve(c).plot().line_
        x, y = data(line)
        np.testing.assert_array_equal(x[1:], c.pr()["recall"])
        np.testing.assert_array_equal(y[1:], c.pr()["precision"])
        assert x[0] == 0
        assert area_of_steps(line) == pytest.approx(c.average_precision(), rel=1e-12)

    def test_interpolated(self):
        display = PrecisionRecall.from_curve(TWO).plot(form="interpolated")
        assert area_of_steps(display.line_) == pytest.approx(
            TWO.area_under_pr("interpolated"), rel=1e-12
        )
        assert np.all(np.diff(data(display.line_)[1]) <= 0)
        both = PrecisionRecall.from_curve(TWO).plot(form="both")
        assert area_of_steps(both.line_) == area_of_steps(display.line_)
        assert texts(both)[:2] == ["raw", "interpolated"]
        raw = both.ax_.get_lines()[0]
        assert area_of_steps(raw) == pytest.approx(TWO.average_precision(), rel=1e-12)

    def test_prevalence_is_that_of_all_systems_or_of_none(self):
        display = PrecisionRecall.from_curve(curve(TRUTH, SCORE, missed=2)).plot()
        assert (
            display.ax_.get_lines()[-1].get_ydata() == [0.5, 0.5]
            and texts(display)[-1] == "prevalence 0.5"
        )
        assert len(PrecisionRecall.from_curve(ONE).plot(prevalence=False).ax_.get_lines()) == 1
        unlike = PrecisionRecall.from_curves({"a": ONE, "b": curve([1, 0], [2, 1])}).plot()
        assert not any("prevalence" in text for text in texts(unlike))

    @pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
    def test_lines_of_equal_f(self, beta):
        display = PrecisionRecall.from_curve(ONE).plot(iso_f=(0.2, 0.7), beta=beta)
        lines = [
            line for line in display.ax_.get_lines() if str(line.get_gid()).startswith("iso-f")
        ]
        assert len(lines) == 2
        for f, line in zip((0.2, 0.7), lines, strict=True):
            r, p = data(line)
            np.testing.assert_allclose((1 + beta**2) * p * r / (beta**2 * p + r), f)
            assert p[0] == pytest.approx(1) and r[-1] == 1 and np.all(p <= 1 + 1e-12)

    def test_points_are_where_they_are(self):
        best, at = ONE.max_f(), TWO.at(recall=0.5)
        display = PrecisionRecall.from_curves({"one": ONE, "two": TWO}).plot(
            points={"one": {"max F": best}, "two": [at]}
        )
        first, second = display.ax_.get_lines()[-2:]
        assert data(first) == ([best.recall], [best.precision])
        assert data(second) == ([at.recall], [at.precision])
        assert second.get_color() == display.lines_["two"].get_color()
        assert first.get_marker() != second.get_marker()
        assert texts(display)[-2:] == ["one, max F (threshold 4)", "two, threshold 8"]
        alone = PrecisionRecall.from_curve(ONE).plot(points={"max F": best})
        assert texts(alone)[-1] == "max F (threshold 4)"

    def test_bands_of_arrays_and_of_objects(self):
        class Band:
            x, low, high, level, kind = (
                np.array([0.1, 0.9]),
                np.array([0.2, 0.1]),
                np.array([0.8, 0.7]),
                0.9,
                "pointwise",
            )

        display = PrecisionRecall.from_curves({"one": ONE, "two": TWO}).plot(
            bands={"two": [Band, ([0.1, 0.9], [0, 0], [1, 1])]}
        )
        tinted = display.ax_.collections
        corners = tinted[0].get_paths()[0].vertices
        assert {(0.1, 0.2), (0.9, 0.1), (0.1, 0.8), (0.9, 0.7)} <= set(map(tuple, corners.tolist()))
        assert {"two, 90 % pointwise band", "two, band"} <= set(texts(display))
        assert not np.array_equal(tinted[0].get_facecolor(), tinted[1].get_facecolor())

    def test_several_systems_differ_in_colour_and_dashes(self):
        display = PrecisionRecall.from_curves({"one": ONE, "two": TWO, "three": ONE}).plot()
        looks = [(line.get_color(), str(line._dash_pattern)) for line in display.lines_.values()]
        assert len({colour for colour, _ in looks}) == len({dashes for _, dashes in looks}) == 3
        assert texts(display)[:2] == [
            f"one (AP {ONE.average_precision():.3f})",
            f"two (AP {TWO.average_precision():.3f})",
        ]

    def test_the_line_can_be_told(self):
        line = PrecisionRecall.from_curve(ONE).plot(color="red", linewidth=5).line_
        assert line.get_color() == "red" and line.get_linewidth() == 5

    def test_made_from_cases(self):
        one = PrecisionRecall.from_cases(
            ["y" if one else "n" for one in TRUTH], SCORE, positive="y", missed=1
        )
        assert area_of_steps(one.plot().line_) == pytest.approx(
            curve(TRUTH, SCORE, missed=1).average_precision()
        )
        several = PrecisionRecall.from_cases(TRUTH, {"s": SCORE, "t": OTHER}).plot()
        assert list(several.lines_) == ["s", "t"] and several.line_ is several.lines_["s"]
        assert list(PrecisionRecall.from_curves([ONE, TWO]).systems) == ["1", "2"]


class TestFolds:
    FOLDS = (ONE, TWO, curve([1, 0, 0, 1, 0], [5, 4, 3, 3, 1]))

    def test_the_mean_of_the_steps_has_the_mean_area(self):
        display = PrecisionRecall.from_folds(self.FOLDS).plot()
        wanted = np.mean([c.average_precision() for c in self.FOLDS])
        assert area_of_steps(display.line_) == pytest.approx(wanted, rel=1e-12)
        each = ", ".join(f"{c.average_precision():.3f}" for c in self.FOLDS)
        said = [f"mean of folds (AP {wanted:.3f})", f"3 folds (AP {each})", "prevalence 0.4"]
        assert [text.replace("\n", " ") for text in texts(display)] == said
        folds = display.ax_.get_lines()[:3]
        assert [area_of_steps(line) for line in folds] == pytest.approx(
            [c.average_precision() for c in self.FOLDS]
        )

    def test_a_fold_that_ends_early_counts_as_nothing_there(self):
        folds = (curve([1], [1.0], missed=1), ONE)
        line = PrecisionRecall.from_folds(folds).plot().line_
        assert area_of_steps(line) == pytest.approx(
            np.mean([c.average_precision() for c in folds]), rel=1e-12
        )

    @pytest.mark.parametrize("axes", ["false positive rate", "recall"])
    def test_the_mean_of_the_lines_has_the_mean_area(self, axes):
        x, y = data(ROC.from_folds(self.FOLDS).plot(axes=axes).line_)
        wanted = np.mean([c.area_under_roc() for c in self.FOLDS])
        assert abs(np.trapezoid(y, x)) == pytest.approx(wanted, rel=1e-12)

    def test_labels_and_scores_are_folds_too(self):
        display = ROC.from_folds([(TRUTH, SCORE), (TRUTH, OTHER)], name="bm25").plot()
        values = [curve(TRUTH, score).area_under_roc() for score in (SCORE, OTHER)]
        assert texts(display)[:2] == [
            f"bm25, mean of folds (AUC {np.mean(values):.3f})",
            f"bm25, 2 folds (AUC {values[0]:.3f}, {values[1]:.3f})",
        ]

    def test_gain(self):
        display = PrecisionRecallGain.from_folds(self.FOLDS).plot()
        x, y = data(display.line_)
        assert x[0] == pytest.approx(0, abs=1e-12) and x[-1] == 1
        assert np.trapezoid(y, x) == pytest.approx(
            np.mean([c.area_under_pr("gain") for c in self.FOLDS]), rel=1e-12
        )


class TestROC:
    def test_every_convention_shows_the_same_points(self):
        rate, rejected, turned = (
            ROC.from_curve(ONE).plot(axes=axes)
            for axes in ("false positive rate", "specificity", "recall")
        )
        x, y = data(rate.line_)
        np.testing.assert_array_equal(y, ONE.recall)
        np.testing.assert_allclose(x, 1 - ONE.specificity, atol=1e-15)
        np.testing.assert_allclose(data(rejected.line_), (1 - x, y))
        np.testing.assert_allclose(data(turned.line_), (y, 1 - x))
        assert rejected.ax_.get_xlim()[0] > rejected.ax_.get_xlim()[1], (
            "from 1 down to 0, as pROC has it"
        )
        names = [(d.ax_.get_xlabel(), d.ax_.get_ylabel()) for d in (rate, rejected, turned)]
        wanted = [
            ("false positive rate", "recall"),
            ("specificity", "recall"),
            ("recall", "specificity"),
        ]
        assert names == wanted
        assert np.trapezoid(y, x) == pytest.approx(ONE.area_under_roc(), rel=1e-12)
        assert texts(rate) == [f"AUC {ONE.area_under_roc():.3f}", "chance"]

    def test_the_axis_has_its_name_by_lingpipe_too(self):
        ours, theirs = (
            ROC.from_curve(ONE).plot(axes=axes) for axes in ("specificity", "rejection recall")
        )
        np.testing.assert_array_equal(data(ours.line_), data(theirs.line_))
        assert theirs.ax_.get_xlabel() == "specificity"

    def test_points_and_bands_turn_with_the_axes(self):
        point = ONE.max_f()
        for axes, place in (
            ("false positive rate", (1 - point.specificity, point.recall)),
            ("specificity", (point.specificity, point.recall)),
            ("recall", (point.recall, point.specificity)),
        ):
            display = ROC.from_curve(ONE).plot(
                axes=axes, points=[point], bands=([0.25, 0.5], [0.1, 0.2], [0.6, 0.7])
            )
            assert data(display.ax_.get_lines()[-1]) == (
                pytest.approx([place[0]]),
                pytest.approx([place[1]]),
            )
        assert {(0.1, 0.75), (0.7, 0.5)} <= set(
            map(tuple, display.ax_.patches[0].get_xy().tolist())
        )


def test_gain_is_the_table():
    line = PrecisionRecallGain.from_curve(TWO).plot().line_
    table = TWO.gain()
    np.testing.assert_array_equal(data(line), (table["recall_gain"], table["precision_gain"]))


class TestAgainstThreshold:
    def at(self, line, threshold):
        """The height that is seen at a threshold."""
        x, y = data(line)
        order = np.argsort(x, kind="stable")
        # From the x before: in the order drawn, so that it depends on which way that goes.
        assert line.get_drawstyle() == "steps-pre"
        if x[0] <= x[-1]:
            return y[order][np.searchsorted(x[order], threshold)]
        return y[order][np.searchsorted(x[order], threshold, side="right") - 1]

    @pytest.mark.parametrize("good", [True, False])
    def test_the_steps_are_what_at_returns(self, good):
        score = [1.0 * one for one in (OTHER if good else [10 - one for one in OTHER])]
        display = AgainstThreshold.from_cases(TRUTH, score, higher_is_better=good).plot(
            measures=["precision", "recall", "F", "specificity"], beta=2
        )
        for threshold in (2.0, 2.5, 4.0, 6.3, 8.0):
            accepted = [(one >= threshold) if good else (one <= threshold) for one in score]
            tp = sum(a and b for a, b in zip(accepted, TRUTH, strict=True))
            fp = sum(accepted) - tp
            wanted = {
                "precision": tp / (tp + fp),
                "recall": tp / 4,
                "specificity": 1 - fp / 6,
                "F": 5 * tp / (4 * 4 + tp + fp),
            }
            assert {
                name: self.at(line, threshold) for name, line in display.lines_.items()
            } == pytest.approx(wanted)

    def test_infinite_scores_have_no_place(self):
        display = AgainstThreshold.from_cases([1, 0, 1, 0], [math.inf, 2, 1, -math.inf]).plot()
        assert data(display.line_)[0].tolist() == [1, 2]
        with pytest.raises(UsageError, match="all scores are infinite"):
            AgainstThreshold.from_cases([1, 0], [math.inf, -math.inf]).plot()

    def test_points(self):
        low = curve(TRUTH, [-one for one in SCORE], higher_is_better=False)
        display = AgainstThreshold.from_curve(low).plot(points={"max F": low.max_f()})
        assert texts(display) == ["precision", "recall", "F1", "max F (threshold \u2264 -4)"]
        assert data(display.ax_.get_lines()[-1])[0].tolist() == [-4, -4]


class TestScoresByClass:
    def test_every_case_is_in_a_bin(self):
        for good in (True, False):
            display = ScoresByClass.from_cases(TRUTH, OTHER, higher_is_better=good).plot(
                bins=4, share=False
            )
            for name, kind in (("relevant", 1), ("other", 0)):
                scores = [s for s, y in zip(OTHER, TRUTH, strict=True) if y == kind]
                np.testing.assert_array_equal(
                    display.heights_[name], np.histogram(scores, display.edges_)[0]
                )
                values = display.lines_[name].get_data()
                np.testing.assert_array_equal(values.values, display.heights_[name])
                np.testing.assert_array_equal(values.edges, [1, 3, 5, 7, 9])

    def test_shares(self):
        display = ScoresByClass.from_cases(TRUTH, OTHER).plot(bins=[0, 5, 6, 10])
        assert {name: values.sum() for name, values in display.heights_.items()} == pytest.approx(
            {"relevant": 1, "other": 1}
        )
        assert texts(display) == ["relevant, 4 cases", "other, 6 cases"]
        weighted = ScoresByClass.from_cases([1, 0], [1, 2], weights=[0.5, 2]).plot(share=False)
        assert weighted.heights_["relevant"].sum() == 0.5

    @pytest.mark.parametrize("bins", [0, 1.5, True, [1], [2, 1], "fd"])
    def test_wrong_bins(self, bins):
        with pytest.raises((UsageError, ValueError), match="bins|convert"):
            ScoresByClass.from_curve(ONE).plot(bins=bins)


class TestAgainstRank:
    def test_the_steps_are_what_at_returns(self):
        display = AgainstRank.from_curve(ONE).plot(log=False)
        for name in ("recall", "precision"):
            line = display.lines_["", name]
            x, y = data(line)
            assert line.get_drawstyle() == "steps-post"
            for k in range(2, 11):
                point = ONE.at(accept=k)
                assert y[np.searchsorted(x, k, side="right") - 1] == getattr(point, name)

    def test_several(self):
        display = AgainstRank.from_curves({"a": ONE, "b": TWO}).plot(
            measures=["recall"], budgets=[3]
        )
        assert texts(display) == ["a", "b"] and display.ax_.get_ylabel() == "recall"
        assert display.ax_.get_lines()[-1].get_xdata() == [3, 3]
        assert AgainstRank.from_curve(ONE).plot().ax_.get_xscale() == "linear"
        assert AgainstRank.from_curve(ONE).plot(log=True).ax_.get_xscale() == "log"
        display = AgainstRank.from_curves({"a": ONE, "b": TWO}).plot()
        assert len(texts(display)) == 4
        # Also without colours no two lines look alike.
        looks = {(str(line._dash_pattern), line.get_marker()) for line in display.lines_.values()}
        assert len(looks) == 4


@pytest.mark.parametrize("kind", KINDS)
def test_axes_that_are_given_are_drawn_on(kind):
    figure = figures.Figure(figsize=(9, 4))
    left, right = figure.subplots(1, 2)
    display = kind.from_curves({"a": ONE, "b": TWO}).plot(right)
    assert display.ax_ is right and display.figure_ is figure
    assert not left.get_lines() and figure.get_size_inches().tolist() == [9, 4]


@pytest.mark.parametrize("kind", [PrecisionRecall, ROC, PrecisionRecallGain])
def test_unit_squares(kind):
    ax = kind.from_curve(TWO).plot().ax_
    assert ax.get_aspect() == 1
    assert [*ax.get_xlim(), *ax.get_ylim()] == pytest.approx([0, 1, 0, 1], abs=0.011)
    assert (
        ax.get_xticks().tolist()
        == ax.get_yticks().tolist()
        == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1])
    )
    assert not ax.spines["top"].get_visible() and not ax.spines["right"].get_visible()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: PrecisionRecall({}), "curves: none given"),
        (
            lambda: PrecisionRecall.from_curves({"a": [1, 2]}),
            "curves: must be a curve .*, got list of 'a'",
        ),
        (
            lambda: PrecisionRecall.from_curve(curve([0], [1])),
            "nothing is relevant in the curve, so",
        ),
        (lambda: PrecisionRecall.from_curve(curve([], [], missed=1)), "no case was scored"),
        (
            lambda: PrecisionRecall.from_folds([3]),
            "folds: each must be a curve or .labels, scores., got int",
        ),
        (
            lambda: PrecisionRecall.from_curve(ONE).plot(form="x"),
            "form: got 'x', allowed are raw, interpolated, both",
        ),
        (
            lambda: PrecisionRecall.from_curve(ONE).plot(iso_f=[1]),
            r"iso_f: must be in \(0, 1\), got 1",
        ),
        (
            lambda: PrecisionRecall.from_curve(ONE).plot(beta=-1),
            "beta: must be 0, or a number from .*, got -1",
        ),
        (
            lambda: PrecisionRecall.from_curve(ONE).plot("ax"),
            "ax: must be the axes of matplotlib or None, got str",
        ),
        (
            lambda: PrecisionRecall.from_curve(ONE).plot(points={"x": {"a": ONE.max_f()}}),
            "points: no system 'x'",
        ),
        (lambda: PrecisionRecall.from_curve(ONE).plot(bands={"x": ()}), "bands: no system 'x'"),
        (
            lambda: PrecisionRecall.from_curve(ONE).plot(bands=[7]),
            "bands: must have x, low and high, got int",
        ),
        (
            lambda: PrecisionRecall.from_curve(ONE).plot(bands=([1, 2], [1], [2, 3])),
            "bands: .* arrays of one length",
        ),
        (
            lambda: ROC.from_curve(ONE).plot(axes="pROC"),
            "axes: got 'pROC', allowed are false positive rate, ",
        ),
        (
            lambda: ROC.from_curve(curve([1, 1], [1, 2])).plot(),
            "everything is relevant in the curve, so it has no ROC",
        ),
        (lambda: PrecisionRecallGain.from_curve(curve([1, 1], [1, 2])).plot(), "has no gain"),
        (
            lambda: AgainstThreshold.from_curve(ONE).plot(measures=["AP"]),
            "AP is a measure of rankings; allowed are",
        ),
        (lambda: AgainstThreshold.from_curve(ONE).plot(measures=[]), "measures: got none"),
        (lambda: AgainstThreshold.from_curve(ONE).plot(beta=-1), "beta: must be"),
        (lambda: AgainstRank.from_curve(ONE).plot(measures=["AP"]), "AP is a measure of rankings"),
        (lambda: AgainstRank.from_folds([ONE, TWO]).plot(), "folds: have no common ranks"),
        (
            lambda: DET.from_folds([HALF, THIRD]).plot(),
            "folds: .* no common range",
        ),
    ],
)
def test_messages(call, said):
    with pytest.raises(UsageError, match=said):
        call()


def test_undefined_is_refused_before_anything_warns(recwarn):
    with pytest.raises(UsageError):
        PrecisionRecall.from_cases([0, 0], [1, 2])
    assert not [one for one in recwarn if issubclass(one.category, PrecallWarning)]
