"""A margin that is not below the range of its measure is refused; a run that is equal in every
topic passes.

Older tests of margins took such between 0 and 1 and runs that differ; equal runs were held against
baselines only.
"""

import pytest

import precall as pc
from precall.core.notes.of_comparisons import EqualTopics
from precall.testing import assert_not_worse

QRELS = {f"q{i}": {"x": 1, "z": 1} for i in range(4)}
RUN = {topic: {"x": 2.0, "y": 1.0, "z": 0.5} for topic in QRELS}
REPORT = pc.evaluate(QRELS, {"old": RUN, "new": RUN}, ["AP", "NumRelRet"])
WRONG = (
    r"a margin of {} is not below the range of AP \(0 to 1\), so that no loss could fail; .* 5 "
    r"points are \.05"
)


@pytest.mark.parametrize("margin", [1, 5.0])
@pytest.mark.parametrize("name", ["AP", "any"])
def test_gates(margin, name) -> None:
    with pytest.raises(pc.UsageError, match=f"worse: {WRONG.format(margin if margin == 1 else 5)}"):
        pc.compare.gates(REPORT, {name: margin})


@pytest.mark.parametrize("margin", [5, {"AP": 5}])
def test_baselines(margin, tmp_path) -> None:
    with pytest.raises(pc.UsageError, match=f"margin: {WRONG.format(5)}"):
        assert_not_worse(REPORT, tmp_path / "base.json", margin=margin, update=True)


def test_where_there_is_no_upper_end(tmp_path) -> None:
    assert pc.compare.gates(REPORT, {"NumRelRet": 5}).passed
    assert assert_not_worse({"a": 3, "b": 4}, tmp_path / "base.json", margin=2, update=True).passed
    logarithms = pc.evaluate(QRELS, {"old": RUN, "new": RUN}, ["GMAP"])
    assert pc.compare.gates(logarithms, {"GMAP": 1.5}).passed


@pytest.mark.parametrize("margin", [0.01, None])
def test_equal_runs_pass(margin) -> None:
    (gate,) = pc.compare.gates(REPORT, {"AP": margin}).gates
    assert gate.passed and gate.value == 0
    assert gate.text == f"AP: {EqualTopics('', ('new', 'old'), 4)}: not worse"
