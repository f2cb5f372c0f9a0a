"""`precall compare --plot`: which picture, of what, and refused before anything is read."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.plot import PairDifferences, SystemMeans, TopicDifferences, TopicScatter
from tests.cli.scored import refused
from tests.peers import peer

peer("matplotlib", "matplotlib is not installed: no picture was drawn")
peer("scipy", "SciPy is not installed: nothing was compared")

TOPICS = [f"t{i:02}" for i in range(14)]
START = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
TWO = ("compare", "c.qrels", "old.run", "new.run", "-m", "AP", "-m", "P@5", "--seed", "1")


@pytest.fixture(autouse=True)
def runs(folder):
    rng = np.random.default_rng(1)
    judged = "".join(f"{t} 0 d{i} {int(i < 3)}\n" for t in TOPICS for i in range(12))
    Path("c.qrels").write_text(judged, encoding="utf-8")
    for name, shift in (("old", 1.5), ("new", 0.0), ("alike", 1.6)):
        lines = [
            f"{t} Q0 d{i} 1 {rng.normal() + shift * (i < 3):.6f} {name}\n"
            for t in TOPICS
            for i in range(12)
        ]
        Path(f"{name}.run").write_text("".join(lines), encoding="utf-8")


@pytest.fixture
def drawn(monkeypatch):
    """The displays that are drawn."""
    found = []
    for kind in (TopicDifferences, TopicScatter, SystemMeans, PairDifferences):

        def plot(self, *given, original=kind.plot, **named):
            found.append(self)
            return original(self, *given, **named)

        monkeypatch.setattr(kind, "plot", plot)
    return found


@pytest.mark.nightly
@pytest.mark.parametrize("form", START)
def test_the_table_stays_as_it_is(precall, form):
    plain = precall(*TWO)
    assert precall(*TWO, "--plot", f"a.{form}") == plain
    assert Path(f"a.{form}").read_bytes().startswith(START[form])
    assert not list(Path().glob(".*")), "no file left over"


def test_two_runs_are_drawn_topic_by_topic(precall, drawn):
    assert precall(*TWO, "--plot", "a.svg").code == 0
    report = pc.evaluate("c.qrels", ["old.run", "new.run"], "AP")
    old, new = (run.values[0] for run in report.runs)
    assert isinstance(drawn[0], TopicDifferences)
    np.testing.assert_array_equal(np.sort(drawn[0].differences_), np.sort(old - new))
    said = Path("a.svg").read_text(encoding="utf-8")
    assert "<!-- AP, old - new -->" in said, "signs are those of the table"
    assert f"<!-- old is greater: {np.sum(old > new)} -->" in said


def test_a_scatter(precall, drawn):
    assert precall(*TWO, "--plot", "a.svg", "--plot-kind", "scatter").code == 0
    assert isinstance(drawn[0], TopicScatter) and drawn[0].names == ("old", "new")


def test_several_runs_are_means_with_letters(precall, drawn):
    assert precall(*TWO, "alike.run", "--plot", "a.svg", "--level", "0.9").code == 0
    report = pc.evaluate("c.qrels", ["old.run", "new.run", "alike.run"], "AP")
    intervals = pc.interval(report, level=0.9)
    assert {one.method for one in intervals.values()} == {"bayesian-bootstrap"}  # of 14 topics
    found = drawn[0]
    assert isinstance(found, SystemMeans) and found.names == ["old", "new", "alike"]
    for row, name in enumerate(found.names):
        one = intervals[name, "AP"]
        assert (found.values[row], found.low[row], found.high[row]) == pytest.approx(
            (one.estimate, one.low, one.high), rel=1e-12
        )
    assert found.letters == ["a", "b", "a"]
    assert "<!-- mean AP, 90 % -->" in Path("a.svg").read_text(encoding="utf-8")


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize(
    "more", [("--correction", "tukey"), ("--baseline", "old"), ("--plot-kind", "pairs")]
)
def test_pairs_have_the_intervals_of_the_table(precall, drawn, more):
    assert precall(*TWO, "alike.run", *more, "--plot", "a.svg").code == 0
    choices = {"rng": 1} | ({} if more[0] == "--plot-kind" else {more[0][2:]: more[1]})
    wanted = pc.compare("c.qrels", ["old.run", "new.run", "alike.run"], "AP", **choices).pairs
    assert isinstance(drawn[0], PairDifferences)
    assert list(zip(drawn[0].values, drawn[0].low, drawn[0].high, strict=True)) == [
        (one.difference, one.low, one.high) for one in wanted
    ]
    words = "difference in AP, Tukey's 95 %" if "tukey" in more else "difference in AP, 95 %"
    assert f"<!-- {words} -->" in Path("a.svg").read_text(encoding="utf-8")


def test_geometric_means_are_compared_as_logarithms(precall, drawn):
    options = (
        "compare",
        "c.qrels",
        "old.run",
        "new.run",
        "alike.run",
        "-m",
        "GMAP",
        "--plot",
        "a.svg",
    )
    assert precall(*options).code == 0
    api = pc.compare("c.qrels", ["old.run", "new.run", "alike.run"], "GMAP").means["GMAP"]
    assert np.exp(drawn[0].values).tolist() == pytest.approx([api[name] for name in drawn[0].names])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--plot", "a.jpg"), r"--plot a\.jpg: a picture's name must end in \.png, \.svg, \.pdf"),
        (("--plot", "absent/a.png"), "--plot absent/a.png: there is no directory .*"),
        (
            ("--plot", "a.png", "-o", "./a.png"),
            r"--output \./a\.png: there is no form for \.png; .*",
        ),
        (("--plot-kind", "means"), "--plot-kind: applies to --plot FILE; also give --plot FILE"),
    ],
)
def test_refused_before_anything_is_read(precall, options, message):
    refused(precall("compare", "missing.qrels", "a.run", "b.run", *options), message)


@pytest.mark.parametrize("kind", ["differences", "scatter"])
def test_topics_are_of_two_runs(precall, kind):
    outcome = precall(*TWO, "alike.run", "--plot", "a.png", "--plot-kind", kind)
    refused(
        outcome,
        re.escape(f"--plot-kind: {kind} draws two runs, got 3; name two, or draw means or pairs"),
    )
    assert not Path("a.png").exists()
