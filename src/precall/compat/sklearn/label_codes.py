"""The labels that occur, and the index of each case's label."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from precall.core.errors import UsageError
from precall.core.ragged import Int64, encode_labels

Array = npt.NDArray[Any]
#: Texts of at most _SHORT characters, if there are at least _MANY, are told apart by hashes of
#: _BITS bits.
_SHORT, _MANY, _BITS = 32, 4096, 12
#: If the least and the greatest label differ by less than this, each label is searched for by
#: itself.
_NEAR = 5
#: Numbers of this size or more, and dates, are sorted instead of counted.
_FAR = 2**62
#: 2^64 over the golden ratio: products with it are spread over the high bits.
_ODD = np.uint64(0x9E3779B97F4A7C15)


def distinct(values: Array) -> tuple[Array, Int64]:
    """The labels that occur, ascending, and the index of each value's label.

    It is fast for small numbers and for texts.
    """
    if values.dtype.kind in "OUT":
        return _coded_texts(values)
    integers = _whole(values)
    low, high = (0, _FAR) if integers is None else (int(integers.min()), int(integers.max()))
    if integers is None or high - low >= max(8 * len(integers), 256) or max(high, -low) >= _FAR:
        labels, code = np.unique(values, return_inverse=True)
        return labels, code.astype(np.int64, copy=False)
    above = np.subtract(integers, integers.dtype.type(low), dtype=np.int64, casting="unsafe")
    used = np.bincount(above, minlength=high - low + 1) > 0
    code = above if used.all() else (np.cumsum(used) - 1)[above]
    return (np.flatnonzero(used) + low).astype(values.dtype), code


def _whole(values: Array) -> Array | None:
    """The values as integers; None if they are not whole numbers that can be counted."""
    if values.dtype.kind in "iu":
        return values
    if values.dtype.kind == "b":
        return values.view(np.uint8)
    if values.dtype.kind != "f" or not bool(
        np.all((values == np.floor(values)) & (np.abs(values) < _FAR))
    ):
        return None
    return values.astype(np.int64)


def occurring(values: Array) -> Array:
    """The labels that occur, ascending."""
    if not values.size:
        return values.ravel()
    if values.dtype.kind in "biu":
        # For 10^7 labels, computing also their indices would take ten times as long.
        low, high = ends = int(values.min()), int(values.max())
        if high - low < _NEAR:
            near = range(low, high + 1)
            return np.array(
                [one for one in near if one in ends or (values == one).any()], values.dtype
            )
    return distinct(values.ravel())[0]


def unite(true: Array, predicted: Array) -> Array:
    """The labels of both, ascending; of equal labels that of the truth: 1 and 1.0 are 1."""
    if np.array_equal(true, predicted):
        return true
    if true.dtype == predicted.dtype != np.dtype(object):
        return np.union1d(true, predicted)
    return np.asarray(sorted(dict.fromkeys([*true.tolist(), *predicted.tolist()])))


def are_texts(labels: Array) -> bool:
    """Whether labels are texts; others are numbers."""
    return labels.dtype.kind in "OUT"


def _coded_texts(values: Array) -> tuple[Array, Int64]:
    """`distinct` for texts."""
    codes = _by_number(values) if values.dtype.kind == "U" else None
    if codes is not None:
        return codes
    try:
        labels, code = encode_labels(values.tolist())
        order = sorted(range(len(labels)), key=labels.__getitem__)
    except TypeError:
        raise UsageError("Mix of label input types (string and number)") from None
    rank = np.empty(len(labels), np.int64)
    rank[order] = np.arange(len(labels))
    names = np.asarray(
        [labels[i] for i in order], object if values.dtype == object else values.dtype
    )
    return names, rank[code]


def _by_number(values: Array) -> tuple[Array, Int64] | None:
    """`distinct` for many short texts, by a hash of each, without Python strings.

    None if two different texts have the same hash.
    """
    width = values.dtype.itemsize // 4
    if not 0 < width <= _SHORT or len(values) < _MANY:
        return None
    points = np.ascontiguousarray(values).view(np.uint32).reshape(len(values), width)
    number = np.zeros(len(values), np.uint64)
    for column in range(width):
        number += points[:, column]
        number *= _ODD
    number >>= np.uint64(64 - _BITS)
    at = number.astype(np.int64)
    row = np.full(1 << _BITS, -1)
    row[at] = np.arange(len(values))
    used = np.flatnonzero(row >= 0)
    labels = values[row[used]]
    order = np.argsort(labels)
    code = np.zeros(1 << _BITS, np.int64)
    code[used[order]] = np.arange(len(used))
    labels, codes = labels[order], code[at]
    return (labels, codes) if bool(np.all(labels[codes] == values)) else None
