"""Pictures take what people type: short names of looks, one point alone; and refuse what they
cannot draw, saying why.
"""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import precall as pc
from precall import plot
from precall.core.errors import UsageError
from tests.peers import peer

peer("matplotlib")


CURVE = pc.curve([1, 0, 1, 0, 1], [5.0, 4.0, 3.0, 2.0, 1.0])
DISPLAYS = {
    "pr": lambda: plot.PrecisionRecall.from_curve(CURVE),
    "roc": lambda: plot.ROC.from_curve(CURVE),
    "gain": lambda: plot.PrecisionRecallGain.from_curve(CURVE),
    "ranks": lambda: plot.AgainstRank.from_curve(CURVE),
    "thresholds": lambda: plot.AgainstThreshold.from_curve(CURVE),
    "eleven": lambda: plot.ElevenPoint.from_curves({"a": CURVE}),
    "law": lambda: plot.NullDensity([0.0, 1.0], [1.0, 1.0]),
    "coverage": lambda: plot.Coverage([1, 2], {"a": [0.9, 0.95]}),
    "power": lambda: plot.Power([1, 2], {"a": [0.9, 0.95]}),
    "means": lambda: plot.SystemMeans(["a"], [0.5], [0.4], [0.6]),
    "pairs": lambda: plot.PairDifferences(["a - b"], [0.5], [0.4], [0.6]),
}


@pytest.mark.nightly(keep=5)
@pytest.mark.parametrize("kind", DISPLAYS)
def test_short_names_of_looks(kind):
    line = DISPLAYS[kind]().plot(lw=3, ls=":", c="red").line_
    assert (line.get_linewidth(), line.get_linestyle(), line.get_color()) == (3, ":", "red")


@pytest.mark.parametrize(
    "display",
    [
        lambda: plot.ScoresByClass.from_curve(CURVE),
        lambda: plot.TopicDifferences({"q": 1.0}, {"q": 2.0}),
        lambda: plot.TopicScatter({"q": 1.0}, {"q": 2.0}),
    ],
)
def test_short_names_of_areas(display):
    display().plot(lw=3, ec="red")


@pytest.mark.parametrize("maker", [plot.PrecisionRecall, plot.ROC, plot.AgainstThreshold])
def test_one_point_alone(maker):
    point = CURVE.at(accept=2)
    display = maker.from_curve(CURVE).plot(points=point)
    assert display.legend_.get_texts()[-1].get_text() == "threshold 4"


@pytest.mark.nightly
@pytest.mark.parametrize("low", [False, True])
def test_the_greatest_floats_stand_for_infinity(low, tmp_path):
    far = np.finfo(float).max
    curve = pc.curve([1, 0, 1, 0], [far, 2.0, 1.0, -far], higher_is_better=not low)
    steps = plot.AgainstThreshold.from_curve(curve).plot()
    assert sorted(steps.line_.get_xdata().tolist()) == [1.0, 2.0]
    assert plot.ScoresByClass.from_curve(curve).plot(bins=2).edges_.tolist() == [1.0, 1.5, 2.0]
    steps.save(tmp_path / "a.svg")


def test_infinite_values_of_topics_are_left_out_and_counted():
    first, second = {"a": np.inf, "b": 1.0, "c": np.nan}, {"a": 1.0, "b": 2.0, "c": 1.0}
    for maker in (plot.TopicDifferences, plot.TopicScatter):
        display = maker(first, second).plot()
        assert (display.topics, display.left_out) == (["b"], 2)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: plot.SystemMeans.from_intervals({}), "intervals: none given"),
        (
            lambda: plot.SystemMeans.from_intervals({"a": _interval()}, {"b": "x"}),
            "letters: none of 'a'",
        ),
        (lambda: plot.PrecisionRecall.from_curves({1: CURVE, "1": CURVE}), "two have one name"),
        (
            lambda: plot.Coverage([1, 2], {"a": [0.3, 0.4]}, errors=[1, 2, 3]),
            "errors: 'a' must have one or",
        ),
        (lambda: DISPLAYS["pr"]().plot(lw=1, linewidth=2), "lw, linewidth: are the same"),
    ],
)
def test_messages(call, said):
    with pytest.raises(UsageError, match=said.replace("(", r"\(")):
        call()


def _interval():
    return pc.Interval(0.5, 0.4, 0.6, 0.95, "t")


@pytest.mark.nightly
def test_a_file_is_whole_or_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "a.svg"
    path.write_bytes(b"old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        DISPLAYS["pr"]().save(path)
    assert path.read_bytes() == b"old" and [one.name for one in tmp_path.iterdir()] == ["a.svg"]


def test_counts_have_all_their_digits():
    relevant = np.zeros(2_000_001, np.bool_)
    relevant[:3] = True
    display = plot.ScoresByClass.from_curve(pc.curve(relevant, relevant * 1.0)).plot()
    assert [one.get_text() for one in display.legend_.get_texts()] == [
        "relevant, 3 cases",
        "other, 1999998 cases",
    ]


@pytest.mark.nightly
def test_what_pages_share_needs_no_matplotlib():
    """Pages are made where it is not installed."""
    code = """
import pkgutil, sys
from importlib import import_module
sys.modules["matplotlib"] = None
import precall.plot.shared, precall.page
for package in (precall.plot.shared, precall.page):
    for module in pkgutil.iter_modules(package.__path__):
        import_module(f"{package.__name__}.{module.name}")
light = ("precall.plot.pictures",)
assert not [name for name in sys.modules if name.startswith(("matplotlib.", "precall.plot.")) and "shared" not in name and name not in light]
"""  # noqa: E501
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
