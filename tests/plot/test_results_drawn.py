"""Pictures of topics, means, laws and simulations, from plain numbers and from what looks like
results.
"""

from __future__ import annotations

import math
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from precall import UsageError, curve, evaluate, null
from precall.plot import (
    Coverage,
    ElevenPoint,
    NullDensity,
    PairDifferences,
    Power,
    SystemMeans,
    TopicDifferences,
    TopicScatter,
)
from tests.peers import peer

peer("matplotlib", "matplotlib is not installed: no picture was drawn")

QRELS = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}, "q4": {"a": 1}}
RUNS = {
    "one": {"q1": {"a": 1.0}, "q2": {"b": 2.0, "a": 1.0}, "q3": {"a": 1.0}, "q4": {"b": 1.0}},
    "two": {"q1": {"b": 2.0, "a": 1.0}, "q2": {"a": 1.0}, "q3": {"a": 1.0}},
}
REPORT = evaluate(QRELS, RUNS, ["AP", *ElevenPoint.MEASURES])


def texts(display):
    return [text.get_text() for text in display.legend_.get_texts()]


class TestTopics:
    def test_differences_of_a_report(self):
        display = TopicDifferences.from_report(REPORT, "AP", "one", "two").plot()
        assert display.order_ == ["q1", "q3", "q2"] and display.differences_.tolist() == [
            0.5,
            0,
            -0.5,
        ]
        bars = {
            name: [(bar.get_x() + 0.4, bar.get_height()) for bar in made]
            for name, made in display.lines_.items()
        }
        assert bars == {"one": [(0, 0.5)], "two": [(2, -0.5)]}
        assert texts(display) == ["one is greater: 1", "two is greater: 1", "equal: 1"]
        assert [label.get_text() for label in display.ax_.get_xticklabels()] == ["q1", "q3", "q2"]
        assert display.ax_.get_ylabel() == "AP, one - two" and display.left_out == 1
        hatched = {bar.get_hatch() for made in display.lines_.values() for bar in made}
        assert len(hatched) == 2, "told apart without colour"

    def test_scatter(self):
        display = TopicScatter.from_report(REPORT, "AP", "one", "two").plot()
        assert display.line_.get_offsets().tolist() == [[1, 0.5], [0.5, 1], [1, 1]]
        assert texts(display)[-1] == "above: 1, below: 1"
        assert display.ax_.get_aspect() == 1 and display.ax_.get_lines()[
            0
        ].get_xydata().tolist() == [
            [0, 0],
            [1, 1],
        ]

    def test_values_beyond_one_get_other_limits(self):
        ax = TopicScatter({"a": -2.0, "b": 5.0}, {"a": 1.0, "b": 3.0}).plot().ax_
        assert ax.get_xlim() == ax.get_ylim() and ax.get_xlim()[0] < -2 and ax.get_xlim()[1] > 5

    def test_topics_are_paired_by_name(self):
        one, two = {"a": 0.1, "b": 0.2, "c": 0.3, "x": 1.0}, {"c": 0.4, "b": math.nan, "a": 0.1}
        display = TopicDifferences(one, two)
        assert (display.topics, display.left_out) == (["a", "c"], 2)

    def test_many_topics_are_not_named(self):
        one = {f"q{i}": i / 100 for i in range(100)}
        display = TopicDifferences(one, dict.fromkeys(one, 0.5)).plot()
        assert not display.ax_.get_xticklabels() and display.ax_.get_xlabel() == "100 topics"

    @pytest.mark.parametrize(
        ("call", "said"),
        [
            (
                lambda: TopicScatter.from_report(REPORT, "AP", "one", "six"),
                "no run 'six'; there are one, two",
            ),
            (
                lambda: TopicScatter.from_report(REPORT, "RR", "one", "two"),
                "no measure 'RR'; there are AP, ",
            ),
            (lambda: TopicScatter({"a": 1.0}, {"b": 1.0}), "have no topic in common"),
        ],
    )
    def test_messages(self, call, said):
        with pytest.raises(UsageError, match=said):
            call()


class TestElevenPoint:
    def test_of_a_report_and_of_curves(self):
        display = ElevenPoint.from_report(REPORT).plot()
        assert list(display.lines_) == texts(display) == ["one", "two"]
        wanted = [REPORT.mean["two", name] for name in ElevenPoint.MEASURES]
        assert display.lines_["two"].get_ydata().tolist() == wanted
        assert display.line_.get_xdata() == pytest.approx([i / 10 for i in range(11)])
        c = curve([0, 1, 1], [3, 2, 1])
        np.testing.assert_array_equal(
            ElevenPoint.from_curves({"c": c}).plot().line_.get_ydata(), c.eleven_point()
        )
        single = evaluate(QRELS, RUNS["one"], ElevenPoint.MEASURES)
        assert len(ElevenPoint.from_report(single).runs) == 1

    def test_messages(self):
        with pytest.raises(UsageError, match=r"eleven values each, 'a' has the shape \(2,\)"):
            ElevenPoint({"a": [1, 2]})
        with pytest.raises(UsageError, match=r"evaluate with ElevenPoint.MEASURES"):
            ElevenPoint.from_report(evaluate(QRELS, RUNS, "AP"))
        with pytest.raises(UsageError, match="none given"):
            ElevenPoint({})


class TestIntervals:
    def test_means_with_letters(self):
        intervals = {
            "a": SimpleNamespace(estimate=0.2, low=0.1, high=0.35),
            "b": SimpleNamespace(value=0.4, low=0.3, high=0.5),
        }
        display = SystemMeans.from_intervals(intervals, {"a": "x", "b": "y"}).plot(
            measure="mean AP"
        )
        assert (
            display.order_
            == [label.get_text() for label in display.ax_.get_yticklabels()]
            == ["b", "a"]
        )
        whiskers = [path.vertices.tolist() for path in display.ax_.collections[0].get_paths()]
        assert whiskers == [[[0.3, 0], [0.5, 0]], [[0.1, 1], [0.35, 1]]]
        assert [text.get_text() for text in display.ax_.texts] == ["y", "x"]
        assert display.ax_.get_ylim()[0] > display.ax_.get_ylim()[1], "best on top"
        assert SystemMeans(["a", "b"], [1, 2]).plot(ascending=None).order_ == ["a", "b"]
        assert SystemMeans(["a", "b"], [2, 1]).plot(ascending=True).order_ == ["b", "a"]

    def test_pairs(self):
        pairs = [
            SimpleNamespace(names=("a", "b"), difference=0.2, low=0.1, high=0.3),
            SimpleNamespace(names=("a", "c"), difference=-0.1, low=-0.3, high=0.1),
        ]
        display = PairDifferences.from_pairs(pairs).plot()
        assert display.lines_["differs"].get_xydata().tolist() == [[0.2, 0]]
        assert display.lines_["may not"].get_xydata().tolist() == [[-0.1, 1]]
        assert texts(display) == ["0 is outside", "0 is inside"]

    @pytest.mark.parametrize(
        ("call", "said"),
        [
            (lambda: SystemMeans([], []), "names: none given"),
            (
                lambda: SystemMeans(["a"], [1, 2]),
                r"values: must be one for each of 1 names, got an array of shape \(2,\)",
            ),
            (lambda: SystemMeans(["a"], [1], letters=["x", "y"]), "letters: must be one for each"),
            (lambda: SystemMeans(["a"], [1], [2], [3]), "low, high: must be below and above"),
            (lambda: PairDifferences.from_pairs([]), "pairs: none given"),
        ],
    )
    def test_messages(self, call, said):
        with pytest.raises(UsageError, match=said):
            call()


class Law:
    """Uniform on 0..1, which looks like one of `precall.null`."""

    mean, std = 0.5, 12**-0.5

    def sf(self, x):
        return np.clip(1 - np.asarray(x), 0, 1)

    def tail(self, x):
        return SimpleNamespace(p=1 - x)

    def zhang_su(self):
        return SimpleNamespace(mean=0.4, std=0.3)


class TestNullDensity:
    def test_density_of_a_law(self):
        display = NullDensity.of(Law(), drawn=[0.1, 0.5, 0.6, 0.9], observed=0.9).plot()
        inside = display.line_.get_xydata()[5:-40]
        np.testing.assert_allclose(inside[(inside[:, 0] > 0.1) & (inside[:, 0] < 0.9), 1], 1)
        wanted = [
            "exact density",
            "4 random rankings",
            "normal of the same mean and variance",
            "normal, Zhang & Su (2012)",
        ]
        assert texts(display) == [*wanted, "observed 0.9, p = 0.1"]
        published = display.lines_["normal, Zhang & Su (2012)"]
        x, y = published.get_data()
        at = int(np.argmin(np.abs(x - 0.4)))
        assert y[at] == pytest.approx(1 / (0.3 * math.sqrt(2 * math.pi)), rel=1e-3)
        drawn = display.lines_["drawn"].get_data()
        assert np.sum(drawn.values * np.diff(drawn.edges)) == pytest.approx(1)
        shaded = display.ax_.collections[-1].get_paths()[0].vertices[:, 0]
        assert shaded.min() >= 0.89

    def test_masses(self):
        class Few(Law):
            def pmf(self):
                return {Fraction(1, 2): Fraction(1, 3), Fraction(1): Fraction(2, 3)}

        display = NullDensity.of(Few(), observed=1.0).plot()
        assert display.line_.get_xydata().tolist() == [[0.5, 1 / 3], [1, 2 / 3]]
        assert display.ax_.get_ylabel() == "probability" and texts(display)[0] == "exact mass"
        stems = [len(lines.get_segments()) for lines in display.ax_.collections]
        assert stems == [1, 1], "what is observed or more is of another colour"

    @pytest.mark.parametrize(
        ("call", "said"),
        [
            (lambda: NullDensity([1, 2], [1]), "x, height: must be arrays of one length"),
            (lambda: NullDensity([2, 1], [1, 1]), "x: must ascend"),
            (
                lambda: NullDensity([1, 2], [1, 1], normals={"n": (0, 0)}),
                "'n' must have a standard deviation > 0",
            ),
        ],
    )
    def test_messages(self, call, said):
        with pytest.raises(UsageError, match=said):
            call()


class TestSimulated:
    def test_coverage(self):
        display = Coverage(
            [10, 50], {"logit": [0.94, 0.95], "wald": [0.8, 0.9]}, {"logit": [0.01, 0.02]}
        ).plot(level=0.9)
        assert display.lines_["wald"].get_xydata().tolist() == [[10, 0.8], [50, 0.9]]
        assert texts(display) == ["logit", "wald", "0.93 to 0.97", "nominal 0.9"]
        bars = display.ax_.collections[0].get_segments()
        np.testing.assert_allclose(
            [bar[:, 1] for bar in bars],
            [[0.94 - 0.0196, 0.94 + 0.0196], [0.95 - 0.0392, 0.95 + 0.0392]],
        )

    def test_power(self):
        display = Power([0, 1], {"t": [0.05, 1]}).plot(log=False, across="difference")
        assert texts(display) == ["t", "level 0.05"] and display.ax_.get_xlabel() == "difference"

    def test_messages(self):
        with pytest.raises(UsageError, match="'a' must be in 0..1"):
            Power([1], {"a": [1.5]})
        with pytest.raises(UsageError, match=r"'a' must have \(1,\) values"):
            Power([1], {"a": [0.5, 0.5]})
        with pytest.raises(UsageError, match="none given"):
            Coverage([1], {})


class TestLawsOfAllMeasures:
    @pytest.mark.parametrize(
        ("null", "mass"),
        [
            (null.hits(2000, 500, 300), True),
            (null.location(2000, 10, 3), False),
            (null.location(20, 10, 3), True),
            (null.location(2000, 500, 200), False),
            (null.reciprocal_rank(2000, 10), False),
            (null.area_under_roc(800, 300), False),
        ],
        ids=lambda one: getattr(one, "name", one),
    )
    def test_they_have_most_of_their_mass_in_the_picture(self, null, mass):
        """Laws of counts and ranks lie beyond 1, where every null was cut off."""
        display = NullDensity.of(null)
        assert display.mass == mass
        shown = display.height.sum() if mass else np.trapezoid(display.height, display.x)
        # What is smoothed loses half of a window at the null's ends.
        assert (0.99 if mass else 0.85) < shown < 1.001
        assert display.x[0] < null.mean < display.x[-1]

    def test_two_blocks_are_masses(self):
        """Their AP stands at uneven places: a line through windows of them was a comb."""
        found = null.test(
            curve([1] * 40 + [0] * 60, [2] * 30 + [1] * 10 + [2] * 20 + [1] * 40),
            "AP",
            ties="block",
        )
        display = NullDensity.of(found.combined.null)
        assert (
            display.mass
            and 20 < len(display.x) <= 41
            and display.height.sum() == pytest.approx(1, abs=1e-4)
        )

    def test_a_line_does_not_go_up_and_down_between_atoms(self):
        found = null.location(2000, 500, 200)
        height = NullDensity.of(found).height
        best = int(np.argmax(height))
        assert np.all(np.diff(height[: best + 1]) >= -1e-15) and np.all(
            np.diff(height[best:]) <= 1e-15
        )


def test_pairs_without_an_interval_are_not_said_to_hold_0():
    display = PairDifferences(["a", "b"], [0.2, 0.1], [math.nan, 0.05], [math.nan, 0.2]).plot()
    assert display.lines_["no interval"].get_xdata().tolist() == [0.2]
    assert (
        display.lines_["may not"].get_xdata().tolist() == [] and texts(display)[-1] == "no interval"
    )
