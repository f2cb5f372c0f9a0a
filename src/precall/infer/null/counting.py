"""Counts as they are given: checked once, with messages that say what is allowed."""

from __future__ import annotations

from typing import Any

import numpy as np

from precall.errors import UsageError
from precall.ragged import Int64


def count(name: str, given: object, least: int = 0, most: int | None = None) -> int:
    """A whole number in least ... most.

    Examples
    --------
    >>> count("items", 5, 1)
    5
    >>> count("relevant", 6, 1, 5)
    Traceback (most recent call last):
    precall.errors.UsageError: relevant: must be an integer in 1..5, got 6
    """
    allowed = f">= {least}" if most is None else f"in {least}..{most}"
    whole = isinstance(given, int | np.integer) and not isinstance(given, bool | np.bool_)
    if not whole or int(given) < least or (most is not None and int(given) > most):  # type: ignore[call-overload]
        raise UsageError(f"{name}: must be an integer {allowed}, got {given!r}")
    return int(given)  # type: ignore[call-overload, no-any-return]


def counts_of(name: str, given: Any, total: int) -> Int64:
    """Whole numbers >= 1 that add up to `total`."""
    values = np.asarray(given)
    if values.ndim != 1 or values.dtype.kind not in "iu" or not len(values) or values.min() < 1:
        raise UsageError(f"{name}: must be a list of integers >= 1, got {given!r}")
    if values.sum() != total:
        raise UsageError(f"{name}: must add up to the {total} items, got {int(values.sum())}")
    return values.astype(np.int64)
