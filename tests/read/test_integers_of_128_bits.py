"""Integers that NumPy does not have, and differences of times, which are integers to it.

Columns of 128 bits ended in errors of Polars and nanoarrow, a time difference as a count in one of
NumPy, and as a cutoff, seed or id it was taken. The old tests had the types that NumPy has, and no
times where counts are wanted.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cases.table import read_cases
from tests.peers import peer

polars = peer("polars")

TIME = np.timedelta64(3, "s")


def wide(*numbers: int | None, kind: str = "Int128") -> Any:
    if not hasattr(polars, kind):
        pytest.skip(f"this Polars has no {kind}")
    return polars.Series(numbers, dtype=getattr(polars, kind))


@pytest.mark.parametrize("kind", ["Int128", "UInt128"])
def test_columns_of_cases(kind: str) -> None:
    truth, score = wide(1, 0, 1, 0, kind=kind), wide(4, 3, 2, 1, kind=kind)
    plain = pc.curve([1, 0, 1, 0], [4, 3, 2, 1], weights=[4, 3, 2, 1])
    curve = pc.curve(truth, score, weights=score)
    assert curve.tp.dtype == np.int64
    assert (curve.tp.tolist(), curve.threshold.tolist()) == (
        plain.tp.tolist(),
        plain.threshold.tolist(),
    )
    assert pc.average_precision(truth, score, positive=0) == pc.average_precision(
        [0, 1, 0, 1], [4, 3, 2, 1]
    )
    assert pc.decisions(truth, truth).counts().tp.tolist() == [2]
    assert pc.decisions(
        polars.DataFrame({"a": truth}), polars.DataFrame({"a": truth})
    ).counts().tp.tolist() == [2]


@pytest.mark.parametrize("column", ["y", "s", "w", "g"])
@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_columns_of_files(column: str, ending: str, tmp_path: Path) -> None:
    """A file with such a column of cases, even without a row, ended in an error of Polars."""
    plain = polars.DataFrame(
        {"y": [1, 0, 1, 0], "s": [4, 3, 2, 2], "w": [1, 2, 3, 1], "g": [7, 7, 8, 8]}
    )
    whole = pc.ScoredCases.scan(plain, label="y", score="s", group="g", weight="w")
    path, write = (
        tmp_path / f"cases.{ending}",
        "write_parquet" if ending == "parquet" else "write_ipc",
    )
    getattr(plain.with_columns(**{column: wide(*plain[column])}), write)(path)
    columns: dict[str, Any] = {"label": "y", "group": "g", "weight": "w"}
    assert pc.ScoredCases.scan(path, score="s", **columns).curves() == whole.curves()
    assert read_cases(str(path), scores=["s"], **columns).curves() == whole.curves()
    getattr(plain.with_columns(**{column: wide(*plain[column])})[:0], write)(path)
    with pytest.raises(pc.DataError, match="no data row"):
        pc.ScoredCases.scan(path, score="s", **columns)


def test_matrices() -> None:
    frame = polars.DataFrame({"a": wide(4, 3, 2, 2**60), "b": [1.5, 2.5, 3.0, 4.0]})
    status = pc.categorize(["a", "b", "a", "b"], frame)
    assert status.micro("AUC") == pc.categorize(
        ["a", "b", "a", "b"], frame.cast(polars.Float64)
    ).micro("AUC")
    with pytest.raises(pc.UsageError, match=r"score: integers beyond 2\*\*53 are not exact"):
        pc.categorize(["a", "b", "a", "b"], frame.with_columns(a=wide(4, 3, 2, 2**53 + 1)))


def test_what_is_refused() -> None:
    for beyond in (2**53 + 1, 2**100 + 1):
        with pytest.raises(pc.UsageError, match=r"score: integers beyond 2\*\*53 are not exact"):
            pc.curve([1, 0], wide(beyond, 1))
    with pytest.raises(pc.DataError, match="case 1 is missing"):
        pc.curve(wide(1, None), [2, 1])
    with pytest.raises(pc.DataError, match="case 1 is NaN"):
        pc.curve([1, 0], wide(2, None))
    with pytest.raises(pc.DataError, match="item 1 has no label"):
        pc.decisions(wide(1, None), wide(1, 0))


def test_runs_and_qrels() -> None:
    frame = polars.DataFrame(
        {"topic": wide(1, 1), "item": wide(1, 2), "score": wide(2, 1), "grade": wide(0, 1)}
    )
    assert pc.evaluate(frame, frame, ["RR"])["RR"] == 0.5


@pytest.mark.parametrize(
    "time", [TIME, np.datetime64("2020"), np.timedelta64("NaT", "s")], ids=repr
)
def test_times_are_no_numbers(time: Any) -> None:
    truth, score = [1, 0, 1, 0], [4.0, 3.0, 2.0, 1.0]
    for asked in (
        lambda: pc.curve(truth, score, missed=time),
        lambda: pc.curve(truth, score, missed=time, weights=score),
        lambda: pc.average_precision(truth, score, missed=time),
        lambda: pc.interval((truth, score), "AP", rng=time),
        lambda: pc.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, depth=time),
        lambda: pc.read_run([("q", time, 1.0)]),
        lambda: pc.read_run([(time, "a", 1.0)]),
        lambda: pc.read_run({"q": {time: 1.0}}),
        lambda: pc.ScoredCases(bins=time),
    ):
        with pytest.raises((pc.UsageError, pc.DataError)):
            asked()


def test_a_long_double_is_a_count_if_it_is_exact() -> None:
    curve = pc.curve([1, 0], [2, 1], weights=[1.5, 1.0], missed=np.longdouble(1.5))
    assert curve.relevant == 3.0
    if np.finfo(np.longdouble).eps < np.finfo(float).eps:
        with pytest.raises(pc.UsageError, match="missed: must be a count >= 0"):
            pc.curve([1, 0], [2, 1], weights=[1.5, 1.0], missed=np.longdouble("0.1"))
