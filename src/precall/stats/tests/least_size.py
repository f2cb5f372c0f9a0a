"""The least size of a study that is enough."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

from precall.core.errors import UsageError


def least_size(
    enough: Callable[[int], bool], first: int, most: int, remedy: str, noun: str = ""
) -> int:
    """The least size that is enough, by bisection; every greater size should also be enough.

    More than `most` (of what the noun says) are refused with this remedy.

    Examples
    --------
    >>> least_size(lambda size: size**2 > 50, 2, 100, "")
    8
    """
    high = first
    while not enough(high):
        high *= 2
        if high > most:
            raise too_many(most, remedy, noun)
    return bisect_left(range(high), True, max(first, high // 2), high, key=enough)


def too_many(most: int, remedy: str, noun: str = "") -> UsageError:
    """The error if more than `most` would be needed."""
    needed = f"{most:,} {noun}".rstrip()
    return UsageError(f"more than {needed} would be needed", remedy=remedy)
