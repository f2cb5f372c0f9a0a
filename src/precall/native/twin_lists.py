"""Lists of texts → ids in one blob."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from precall.core.ragged import Bytes, Int64, offsets, pack_texts

#: What holds texts one after another; arrays only of objects.
_LISTS = (list, tuple, set, frozenset)


def texts_of_lists(lists: list[Any], distinct: bool) -> tuple[Bytes, Int64, Int64, bool] | None:
    """The texts of all lists, where each starts, where each list begins among them, and, if
    `distinct`, whether a list has a text twice.

    None where anything is no list, tuple, set or array of objects, or holds anything but texts
    that UTF-8 can encode; subclasses of these do not count.
    """
    cells = [_cells(one) for one in lists]
    if any(one is None for one in cells):
        return None
    texts = list(chain.from_iterable(cells))  # type: ignore[arg-type]
    if not set(map(type, texts)) <= {str}:
        return None
    try:
        blob, start = pack_texts([text.encode() for text in texts])
    except UnicodeEncodeError:
        return None
    sizes = np.fromiter(map(len, cells), np.int64, len(cells))  # type: ignore[arg-type]
    repeats = distinct and any(len(set(one)) < len(one) for one in cells if one)
    return blob, start, offsets(sizes), repeats


def _cells(one: Any) -> list[Any] | None:
    if type(one) in _LISTS:
        return list(one)
    is_column = type(one) is np.ndarray and one.ndim == 1 and one.dtype == object
    return one.tolist() if is_column else None
