"""Frames of pandas are read where PyArrow is not installed.

pandas makes Arrow streams by way of PyArrow, which the tests' environment has; so old tests never
met the traceback that a new user had who had installed only precall and pandas.
"""

from __future__ import annotations

from typing import Any

import pytest

import precall as pc
from tests.peers import peer

pd = peer("pandas", "pandas is not installed: its frames are not read")


def test_runs_and_qrels(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(self: Any, requested_schema: Any = None) -> Any:
        raise ImportError("`Import pyarrow` failed.")

    qrels = pd.DataFrame({"topic": ["q", "q", "é"], "item": ["a", "b", "c"], "grade": [1, 0, 1]})
    run = pd.DataFrame(
        {"topic": ["q", "q", "é"], "item": ["b", "a", "c"], "score": [2.0, 1.0, 3.0]}
    )
    known = pc.evaluate(qrels, run, ["AP"]).mean
    monkeypatch.setattr(pd.Series, "__arrow_c_stream__", absent, raising=False)
    monkeypatch.setattr(pd.DataFrame, "__arrow_c_stream__", absent, raising=False)
    assert pc.evaluate(qrels, run, ["AP"]).mean == known == {"AP": 0.75}
