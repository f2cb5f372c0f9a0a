"""Integers beyond 2^53 beside a float in rows or columns of `categorize`, and weights that float64
does not hold.

NumPy and frames make floats of all cells as soon as one is a float, and two different scores were
tied. The old tests had one column of scores, looked at weights of ordinary kinds, and gave broken
Arrow data to curves and runs only.
"""

from __future__ import annotations

import struct
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import precall as pc

ODD = 2**53 + 1
ROWS = {"a": [ODD, ODD - 1, 3], "b": [0.5, 1.5, 2.5]}
TRUTH = ["a", "b", "a"]
LARGE = "integers beyond 2\\*\\*53 are not exact as float64; {} them first"


class OnlyArrow:
    """A table that speaks Arrow and nothing else."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)


def matrices(rows: dict[str, list[Any]]) -> dict[str, Any]:
    pandas, polars, arrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    listed = [list(row) for row in zip(*rows.values(), strict=True)]
    kinds = [("a", type(rows["a"][0])), ("b", float)]
    return {
        "lists": listed,
        "tuples": tuple(map(tuple, listed)),
        "pandas": pandas.DataFrame(rows),
        "polars": polars.DataFrame(rows),
        "pyarrow": arrow.table(rows),
        "arrow": OnlyArrow(arrow.table(rows)),
        "structured": np.array(list(map(tuple, listed)), kinds),
    }


@pytest.mark.parametrize(
    "kind", ["lists", "tuples", "pandas", "polars", "pyarrow", "arrow", "structured"]
)
def test_scores_of_categories(kind: str) -> None:
    with pytest.raises(pc.UsageError, match=LARGE.format("rank")):
        pc.categorize(TRUTH, matrices(ROWS)[kind])
    for first in (2**53, 2.0**60):
        kept = matrices({**ROWS, "a": [first, 2 * first / 3 if first > 2**53 else 2, 3]})[kind]
        assert pc.categorize(TRUTH, kept).score.reshape(-1, 2)[0, 0] == first


def test_rows_of_unequal_length() -> None:
    with pytest.raises(
        pc.DataError, match="scores: item 1 has 1 score, and most of the others have 2"
    ):
        pc.categorize(TRUTH, [[1, 2], [3], [4, 5]])


DOORS = {
    "curve": lambda weights: pc.curve([1, 0, 1], [3.0, 2.0, 1.0], weights=weights),
    "AP": lambda weights: pc.average_precision([1, 0, 1], [3.0, 2.0, 1.0], weights=weights),
    "AUC": lambda weights: pc.area_under_roc([1, 0, 1], [3.0, 2.0, 1.0], weights=weights),
    "interval": lambda weights: pc.interval.average_precision(
        [1, 0, 1], [3.0, 2.0, 1.0], weights=weights
    ),
}


@pytest.mark.parametrize("door", ["curve", "AP", "AUC", "interval"])
@pytest.mark.parametrize(
    "weights",
    [
        [ODD, 1, 1],
        [ODD, 1, 0.5],
        np.array([ODD, 1, 1], np.uint64),
        [Fraction(1, 3), 1, 1],
        np.array([1, 2, 3]) / np.longdouble(3),
    ],
)
def test_weights_that_are_not_kept(door: str, weights: Any) -> None:
    if isinstance(weights, np.ndarray) and weights.dtype == np.longdouble == np.float64:
        pytest.skip("long doubles are float64 here")
    with pytest.raises(
        pc.UsageError, match=r"^weights: .*(round them first|so round the weights first)"
    ):
        DOORS[door](weights)


@pytest.mark.parametrize(
    "weights",
    [
        [Fraction(1, 2), 1, 1],
        np.array([0.5, 1, 1], np.longdouble),
        ["0.5", "1", "1"],
        [Decimal("0.5"), 1, 1],
        [np.float32(0.5), 1, 1],
    ],
)
def test_weights_that_are_kept(weights: Any) -> None:
    assert pc.average_precision([1, 0, 1], [3.0, 2.0, 1.0], weights=weights) == pytest.approx(
        pc.average_precision([1, 0, 1], [3.0, 2.0, 1.0], weights=[0.5, 1, 1]), abs=0
    )
    assert pc.curve([1, 0, 1], [3.0, 2.0, 1.0], weights=[2**52, 2**52, 2]).tp.dtype == np.float64


def broken() -> dict[str, Any]:
    arrow = pytest.importorskip("pyarrow")
    far = arrow.py_buffer(struct.pack("<4i", 0, 2**30, 2, 3))
    texts = arrow.Array.from_buffers(arrow.utf8(), 3, [None, far, arrow.py_buffer(b"abcdef")])
    lists = arrow.Array.from_buffers(
        arrow.list_(arrow.utf8()), 3, [None, far], children=[arrow.array(list("abc"))]
    )
    return {
        "texts": texts,
        "lists": lists,
        "chunks": arrow.chunked_array([texts]),
        "rows": [texts, texts, texts],
        "table": arrow.table({"a": texts, "b": arrow.array(list("abc"))}),
    }


@pytest.mark.parametrize("kind", ["texts", "lists", "chunks", "rows", "table"])
def test_broken_columns_of_pyarrow(kind: str) -> None:
    given, labels, matrix = broken()[kind], list("abc"), np.ones((3, 3))
    doors = [
        lambda: pc.decisions(given, labels),
        lambda: pc.decisions(labels, given),
        lambda: pc.decisions(labels, labels, given),
        lambda: pc.categorize(given, matrix),
        lambda: pc.categorize(labels, given),
        lambda: pc.categorize(labels, matrix, given),
        lambda: pc.compare.decisions(labels, given, labels),
        lambda: pc.compare.cases([1, 0, 1], [3, 2, 1], [1, 2, 3], groups=given),
        lambda: pc.compare.paired(given, [1, 2, 3]),
        lambda: pc.compare.many(given),
        lambda: pc.interval.mean(given),
    ]
    for door in doors:
        with pytest.raises(pc.DataError, match="the Arrow data is broken: "):
            door()
