"""What --at says: a condition that an operating point is chosen by."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from precall.errors import UsageError

ALLOWED = "threshold=S, recall=R, precision=P, accept=N, cost=fp:1,fn:20, max=MEASURE"
_COSTS = ("tp", "fp", "fn", "tn")


def condition(text: str) -> dict[str, Any]:
    """The argument of `Curve.at` that a text says.

    Raises
    ------
    UsageError
        The text is of no known form, or its number is not allowed.

    Examples
    --------
    >>> condition("recall=.9"), condition("cost=fp:1,fn:20"), condition("accept=500")
    ({'recall': 0.9}, {'cost': {'fp': 1.0, 'fn': 20.0}}, {'accept': 500})
    """
    name, equals, value = (part.strip() for part in text.partition("="))
    known: dict[str, Callable[[str, str], Any]] = {
        "threshold": _threshold, "recall": _share, "precision": _share, "accept": _count, "cost": _cost,
        "max": _measure,
    }  # fmt: skip
    if not equals or name not in known:
        raise UsageError(f"--at: got {text!r}, allowed are {ALLOWED}")
    return {name: known[name](text, value)}


def conditions(texts: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """All conditions by the texts that say them."""
    twice = [text for text in texts if texts.count(text) > 1]
    if twice:
        raise UsageError(f"--at {twice[0]} was given {len(twice)} times; give each condition once")
    return {text: condition(text) for text in texts}


def _number(text: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if number != number:
        raise UsageError(f"--at {text}: {value!r} is not a number; allowed are {ALLOWED}")
    return number


def _threshold(text: str, value: str) -> float:
    return _number(text, value)


def _share(text: str, value: str) -> float:
    number = _number(text, value)
    if not 0 <= number <= 1:
        raise UsageError(f"--at {text}: must be in 0..1, got {value}")
    return number


def _measure(text: str, value: str) -> str:
    from precall.measures import of_counts

    try:
        return of_counts(value).name
    except UsageError as error:
        raise UsageError(f"--at {text}: {error}") from None


def _count(text: str, value: str) -> int:
    number = _number(text, value)
    if number < 0 or not number.is_integer():
        raise UsageError(f"--at {text}: must be a count >= 0, got {value}")
    return int(number)


def _cost(text: str, value: str) -> dict[str, float]:
    costs: dict[str, float] = {}
    for part in value.split(","):
        name, colon, price = (piece.strip() for piece in part.partition(":"))
        if not colon or name not in _COSTS or name in costs:
            raise UsageError(
                f"--at {text}: got {part!r}, allowed are {', '.join(_COSTS)}, each once with its cost"
            )
        costs[name] = _number(text, price)
        if math.isinf(costs[name]):
            raise UsageError(f"--at {text}: the cost of {name} must be finite")
    return costs
