"""What is given as runs is one run or several, told in one place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.read.runs import RunsByName, SingleRun, as_runs
from tests.peers import peer

pd = peer("pandas")

ONE: dict[str, Any] = {
    "items with scores": {"q": {"a": 1.0}},
    "items in order": {"q": ["a", "b"]},
    "no topic": {},
    "topics without items": {"q": {}, "r": {"a": 1.0}},
    "pairs": {("q", "a"): 1.0},
    "rows": [("q", "a", 1.0)],
    "rows by name": [{"topic": "q", "item": "a", "score": 1.0}],
    "lists": [["a", "b"], ["c"]],
    "dicts of items": [{"a": 1.0}],
    "a frame": pd.DataFrame({"topic": ["q"], "item": ["a"], "score": [1.0]}),
    "a path": "x.run",
    "another path": Path("x.run"),
    "what was read": pc.read_run({"q": {"a": 1.0}}),
    "what is called later": dict,
}
SEVERAL: dict[str, Any] = {
    "of paths": ["a.run", "b.run"],
    "by name": {"a": {"q": {"x": 1.0}}, "b": "b.run"},
    "of what was read": [pc.read_run({"q": {"a": 1.0}}, name=name) for name in "ab"],
    "frames by name": {"a": pd.DataFrame({"topic": ["q"]}), "b": "b.run"},
    "rows by name of a run": {"a": [("q", "x", 1.0)], "b": [("q", "x", 1.0)]},
    "lists by name of a run": {"a": [["x"]], "b": [["y"]]},
}


@pytest.mark.parametrize("given", ONE.values(), ids=ONE)
def test_one_run(given: Any) -> None:
    made = as_runs(given)
    assert isinstance(made, SingleRun) and next(iter(made.sources.values())) is given


@pytest.mark.parametrize("given", SEVERAL.values(), ids=SEVERAL)
def test_several_runs(given: Any) -> None:
    made = as_runs(given)
    assert isinstance(made, RunsByName) and list(made.sources) == ["a", "b"]


@pytest.mark.parametrize("given", [[1, 0], (0.5, 0.25), np.array([1.0]), pd.Series([1, 0])])
def test_numbers_are_no_runs(given: Any) -> None:
    with pytest.raises(pc.UsageError, match="got a list of numbers such as"):
        as_runs(given)
