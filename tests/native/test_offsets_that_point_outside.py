"""Columns whose offsets point outside in their middle: refused by both kernels.

Only the first and the last offset were looked at; any other was read as it was, and the process
ended. The old tests gave bad ends only, as that was what the kernel looked for.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from precall.native import twin
from tests.native.kernels import EITHER

pytestmark = EITHER

RUN = twin.run_from_dict({"q1": {"a": 3.0, "b": 3.0, "c": 1.0}, "q2": {"d": 1.0}}, False)
QRELS = twin.qrels_from_dict({"q1": {"b": 1, "c": 0}, "q3": {"a": 2}})
TOPIC_START, ROW_START, ITEM_START = 1, 2, 4
FAR = 2**62


def spoiled(start: Any) -> list[Any]:
    """All ways to make one offset wrong: before the beginning, behind the end, or behind the next
    one.
    """
    found = [start[:0]]
    for place in range(len(start)):
        for wrong in (-1, -FAR, FAR, int(start[-1]) + 1):
            bad = start.copy()
            bad[place] = wrong
            found.append(bad)
    return found


@pytest.mark.parametrize("place", [TOPIC_START, ROW_START, ITEM_START])
@pytest.mark.parametrize("which", ["run", "qrels"])
def test_locate(kernel: ModuleType, place: int, which: str) -> None:
    given = {"run": RUN, "qrels": QRELS}
    assert kernel.locate(*RUN, *QRELS, False, 1)[2].tolist() == [1, 2]
    for start in spoiled(given[which][place]):
        columns: list[Any] = list(given[which])
        columns[place] = start
        both = {**given, which: columns}
        with pytest.raises(ValueError, match="offsets do not fit|differ in length"):
            kernel.locate(*both["run"], *both["qrels"], False, 1)


@pytest.mark.parametrize("place", [1, 3])
@pytest.mark.parametrize("function", ["group_run", "group_qrels"])
def test_group(kernel: ModuleType, function: str, place: int) -> None:
    topics, items = np.frombuffer(b"q1q1q2", np.uint8), np.frombuffer(b"abcde", np.uint8)
    starts = np.array([0, 2, 4, 6]), np.array([0, 1, 3, 5])
    value = np.arange(3, dtype=np.float64 if function == "group_run" else np.int64)
    columns: list[Any] = [topics, starts[0], items, starts[1], value]
    assert getattr(kernel, function)(*columns, "error", 1)[2].tolist() == [0, 2, 3]
    for start in spoiled(columns[place]):
        with pytest.raises(ValueError, match="offsets do not fit"):
            getattr(kernel, function)(*columns[:place], start, *columns[place + 1 :], "error", 1)
    for short in (value[:2], np.append(value, value[:1])):
        with pytest.raises(ValueError, match="columns differ in length"):
            getattr(kernel, function)(*columns[:4], short, "error", 1)


def test_nan_among_the_scores(kernel: ModuleType) -> None:
    # An order with NaN in it is none, and sorting by it may leave the array.
    rows = 100
    run = list(twin.run_from_dict({"q": {f"d{i}": float(i % 7) for i in range(rows)}}, False))
    qrels = twin.qrels_from_dict({"q": {f"d{i}": 1 for i in range(rows)}})
    run[5] = np.where(np.arange(rows) % 3 == 0, np.nan, run[5])
    with pytest.raises(ValueError, match="NaN has no place in an order"):
        kernel.locate(*run, *qrels, False, 1)
