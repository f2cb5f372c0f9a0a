"""Equality of results by their content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np


class Equal:
    """Equality by content: arrays by their elements, where an undefined value (NaN) equals
    another.
    """

    __slots__ = ()

    def _compared_parts(self) -> Sequence[Any]:
        """The values that are compared."""
        return [getattr(self, field.name) for field in fields(self) if field.compare]  # type: ignore[arg-type]

    def __eq__(self, other: object) -> bool:
        return _same(self, other) if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash(
            (
                type(self),
                *(value for value in _parts(self) if isinstance(value, _PLAIN) and value == value),
            )
        )


#: Types of values that enter the hash of a result.
_PLAIN = str | int | float | None


def _parts(value: Any) -> Sequence[Any]:
    if isinstance(value, list | tuple):
        return value
    if isinstance(value, Equal):
        return value._compared_parts()
    return [getattr(value, field.name) for field in fields(value) if field.compare]


def _same(a: object, b: object) -> bool:
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return False
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return a.keys() == b.keys() and all(_same(a[key], b[key]) for key in a)
    if type(a) is type(b) and (isinstance(a, list | tuple | Equal) or is_dataclass(a)):
        mine, theirs = _parts(a), _parts(b)
        return len(mine) == len(theirs) and all(map(_same, mine, theirs))
    return bool(a == b or (a != a and b != b))
