"""Labels that are texts and sums of weights are looked at over all tasks, as one machine does over
all batches.
"""

from __future__ import annotations

import pytest

import precall as pc

pa = pytest.importorskip("pyarrow", reason="NOT TESTED: precall.spark, as PyArrow is not installed")
pytest.importorskip("pyspark", reason="NOT TESTED: precall.spark, as PySpark is not installed")

import precall.spark as ps  # noqa: E402
from tests.spark.local_frames import LocalFrame  # noqa: E402

Y, S = [1, 0, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.3, 0.2, 0.1]


def curve(labels: list[str], weights: list[float]) -> pc.Curve:
    """In two tasks."""
    parts = [
        pa.table({"y": labels[rows], "s": S[rows], "w": weights[rows]})
        for rows in (slice(0, 3), slice(3, 6))
    ]
    return ps.curve(LocalFrame(parts, 3), "y", "s", weight="w")


def test_labels_that_are_texts() -> None:
    made = curve(list(map(str, Y)), [1.0] * 6)
    assert made.average_precision() == pc.average_precision(Y, S, weights=[1.0] * 6)
    with pytest.raises(pc.DataError, match="both 0 and -1 are labels"):
        curve(["1", "0", "1", "-1", "1", "-1"], [1.0] * 6)


def test_weights_that_are_too_heavy_together() -> None:
    with pytest.raises(pc.UsageError, match="weights: their sum must be less than"):
        curve(list(map(str, Y)), [0.2e150] * 6)
