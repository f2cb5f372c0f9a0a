"""`pc.interval` of several measures by name, and of one ranking."""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc

pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
RNG = np.random.default_rng(5)
LABELS = RNG.random(200) < 0.4
CURVE = pc.curve(LABELS, RNG.normal(size=200) + LABELS)
RUNS = pc.evaluate(
    {f"q{i}": {"a": 1} for i in range(9)},
    {
        name: {f"q{i}": ["a", "b"] if i % by else ["b", "a"] for i in range(9)}
        for name, by in (("x", 2), ("y", 3))
    },
    ["AP", "RR", "P@1"],
)
KINDS = list("abcabcabbc" * 8)
DECIDED = pc.decisions(KINDS, KINDS[3:] + KINDS[:3])


def test_of_a_curve():
    found = pc.interval(CURVE, ["AUC", "AP"], rng=3, method=None)
    assert list(found) == ["AUC", "AP"]
    assert all(found[name] == pc.interval(CURVE, name, rng=3) for name in found)
    drawn = pc.interval(CURVE, ("AP",), method="percentile", rng=4, resamples=300)
    assert drawn["AP"] == pc.interval(CURVE, "AP", method="percentile", rng=4, resamples=300)


def test_of_several_runs_and_categories():
    found = pc.interval(RUNS, ["AP", "P@1"])
    assert list(found) == [("x", "AP"), ("y", "AP"), ("x", "P@1"), ("y", "P@1")]
    assert found["x", "AP"] == pc.interval(RUNS, "AP")["x", "AP"]
    each = pc.interval(DECIDED, ["P", "accuracy"])
    assert list(each) == [("a", "P"), ("b", "P"), ("c", "P"), "accuracy"]
    assert each["b", "P"] == pc.interval(DECIDED, "P")["b"] and "category" in str(each)


def test_of_a_ranking():
    ranked = [f"d{i}" for i in range(30)]
    made = pc.ranking(["d1", "d4", "d7", "d9", "d20", "x"], ranked)
    assert pc.interval(made, "AP") == pc.interval(made.curve, "AP")
    assert pc.null.test(made) == pc.null.test(made.curve)


def test_on_a_page(tmp_path):
    made = pc.ranking(["b", "d"], ["a", "b", "c", "d", "e"])
    pc.report(made, tmp_path / "ranking.html")
    pc.report(made.curve, tmp_path / "curve.html")
    assert (tmp_path / "ranking.html").read_bytes() == (tmp_path / "curve.html").read_bytes()


@pytest.mark.parametrize("measure", [[], [3], ["AP", "nothing"]])
def test_refused(measure):
    with pytest.raises(pc.PrecallError, match="measure"):
        pc.interval(CURVE, measure)
