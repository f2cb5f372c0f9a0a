"""The sentence that a result comes to, at the head of a page."""

from __future__ import annotations

from typing import NamedTuple

from precall.core.text import number
from precall.results.blocks import beside


class Sentence(NamedTuple):
    """A sentence for the head of a page; it begins with the `lead`, which is bold."""

    text: str
    lead: str = ""


def worded(value: float, ends: tuple[float, float] | None = None) -> str:
    """A value with the ends of its interval.

    Examples
    --------
    >>> worded(0.5)
    '0.5000'
    """
    return number(value) + beside(ends)
