"""The order in which two systems are taken, so that swapping them gives the mirrored result to the
last digit.

Random numbers are used in some order, and sums are rounded. If a statistic depends on the order of
the systems, the data decide which system is taken first, and the result is mirrored if that is not
the order of the call.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

UInt64 = npt.NDArray[np.uint64]


def is_second_first(straight: npt.NDArray[Any], swapped: npt.NDArray[Any]) -> bool | None:
    """Whether the second system is taken first; None if the data are the same either way.

    Parameters
    ----------
    straight : a number for each unit that encodes both systems' data there, in the order of the
        call.
    swapped : the same with the systems in the other order.

    Examples
    --------
    >>> gaps = np.array([0.25, -0.5, 0.0])
    >>> (
    ...     is_second_first(gaps, -gaps),
    ...     is_second_first(-gaps, gaps),
    ...     is_second_first(np.array([1.0, -1.0]), np.array([-1.0, 1.0])),
    ... )
    (True, False, None)
    """
    in_call_order, in_other_order = np.sort(straight), np.sort(swapped)
    where_unequal = np.flatnonzero(in_call_order != in_other_order)
    return (
        bool(in_call_order[where_unequal[0]] < in_other_order[where_unequal[0]])
        if len(where_unequal)
        else None
    )


def codes(*columns: npt.NDArray[Any]) -> UInt64:
    """A hash for each row of columns of 64 bits: rows with equal hashes are equal, except with
    probability 2^-64.

    Examples
    --------
    >>> found = codes(np.array([1, 2, 1]), np.array([0.5, 0.5, 0.5]))
    >>> bool(found[0] == found[2]), bool(found[0] == found[1])
    (True, False)
    """
    mixed = np.zeros(len(columns[0]), np.uint64)
    for column in columns:
        wide = column if column.dtype.itemsize == 8 else column.astype(np.int64)
        # The finalizer of splitmix64.
        mixed = (mixed ^ np.ascontiguousarray(wide).view(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(27)
    return mixed


def codes_of_groups(rows: UInt64, group: npt.NDArray[Any]) -> UInt64:
    """A hash for each group of rows, which does not depend on the order of the rows."""
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    return np.add.reduceat(codes(rows)[order], starts) if len(rows) else rows


def bounds_in_call_order(low: float, high: float, turned: bool | None) -> tuple[float, float]:
    """The bounds of the difference in the order of the call.

    `turned` says whether the systems were exchanged; None if the data are the same either way.

    Examples
    --------
    >>> bounds_in_call_order(-0.25, 0.5, True), bounds_in_call_order(-0.25, 0.5, None)
    ((-0.5, 0.25), (-0.375, 0.375))
    """
    if turned is None:
        return -(high - low) / 2, (high - low) / 2
    # Not -low, which could be -0.0.
    return (0.0 - high, 0.0 - low) if turned else (low, high)
