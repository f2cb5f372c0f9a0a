"""Checks of arguments that several parts take, each worded once: what was got, what is allowed, what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from precall.errors import UsageError

#: Squares of greater and smaller weights of recall, times counts, leave float64.
_LEAST_BETA = 1e-100
#: So many labels or names are listed.
_LISTED = 20


def is_number(value: Any) -> bool:
    """Whether it is a number of Python or NumPy; truth values are none."""
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def listing(values: Sequence[Any]) -> str:
    """Labels or names as an error lists them: as Python writes them, so that 1 and '1' differ; the first of many.

    Examples
    --------
    >>> listing(["a", 1]), listing(range(100)).count(",")
    ("'a', 1", 20)
    """
    return ", ".join(map(repr, values[:_LISTED])) + (", ..." if len(values) > _LISTED else "") or "none"


def check_beta(beta: Any) -> float:
    """The weight of recall in F, if it is a number > 0 whose square float64 holds.

    Examples
    --------
    >>> check_beta(np.int64(2))
    2.0
    """
    if not is_number(beta) or not beta > 0:
        raise UsageError(f"beta: must be a number > 0, got {beta!r}")
    try:
        weight = float(beta)
    except OverflowError:
        weight = np.inf
    if not _LEAST_BETA <= weight <= 1 / _LEAST_BETA:
        raise UsageError(
            f"beta: must be a number > 0, from {_LEAST_BETA:g} to {1 / _LEAST_BETA:g}, got {weight:g}; "
            "F of a greater one is recall, of a smaller one precision"
        )
    return weight
