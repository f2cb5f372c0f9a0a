"""The conclusion of a result in a sentence, for the head of a page."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from precall.core.text import number
from precall.results.blocks import format_bounds


class _Bounded(Protocol):
    """An object with two ends, such as an interval."""

    @property
    def ends(self) -> tuple[float, float]: ...


class Sentence(NamedTuple):
    """A sentence for the head of a page. It begins with the `lead`, which is bold."""

    text: str
    lead: str = ""


def describe_value(value: float, interval: _Bounded | None = None) -> str:
    """A value with its interval, as text.

    Examples
    --------
    >>> describe_value(0.5)
    '0.5000'
    """
    return number(value) + format_bounds(None if interval is None else interval.ends)
