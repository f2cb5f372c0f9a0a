"""Frames and columns of pandas with topics, or topics and items, in their index."""

from __future__ import annotations

from typing import Any

from precall.core.errors import UsageError
from precall.read.column_names import column_of
from precall.read.columns import Request, lowest_is_best

_ADVICE = "name them and make columns of them: .rename_axis([{}]).reset_index()"


def out_of_index(source: Any, request: Request) -> Any:
    """The frame with its index as columns; None if there is no topic in the index.

    UsageError if two levels have no names, as it is then unknown which holds topics.
    """
    index = getattr(source, "index", None)
    names = getattr(index, "names", None)
    if names is None or callable(index) or not hasattr(source, "reset_index"):
        return None
    if hasattr(source, "to_frame") and not hasattr(source, "columns"):
        if len(names) < 2:
            return None
        source = source.to_frame(_value(source.name, request))
    there = set(source.columns)
    levels = [name for name in names if name is not None and name not in there]
    if len(names) > 1 and None in names:
        roles = ", ".join(
            f"'{role}'" for role in (*request.subject.columns[:2], *["..."] * (len(names) - 2))
        )
        raise UsageError(
            f"{request.label}: its index has levels without names", remedy=_ADVICE.format(roles)
        )
    return source.reset_index(levels) if levels else None


def _value(name: Any, request: Request) -> str:
    """The name of a column of values: its own if it says what it holds, else "score" or "grade"."""
    value = request.subject.value
    has_meaning = isinstance(name, str) and (
        lowest_is_best(name)
        or any(column_of(role, [name], request.label) for role in (value, "rank"))
    )
    return name if has_meaning else value
