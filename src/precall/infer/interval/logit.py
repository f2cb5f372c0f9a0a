"""Intervals of shares: plainly, and on the log-odds scale, symmetric there and inside 0..1 on the share's own."""

from __future__ import annotations

import math


def expit(odds: float) -> float:
    """The share of which these are the log-odds.

    Examples
    --------
    >>> expit(0.0), expit(-1000.0)
    (0.5, 0.0)
    """
    return 1 / (1 + math.exp(-odds)) if odds > -700 else 0.0


def log_odds(value: float) -> float:
    """log(value / (1 - value)); infinite at 0 and 1.

    Examples
    --------
    >>> log_odds(0.5), log_odds(1.0)
    (0.0, inf)
    """
    if value <= 0:
        return -math.inf
    return math.inf if value >= 1 else math.log(value / (1 - value))


def cut(value: float, half: float) -> tuple[float, float]:
    """value ± half, cut to 0..1.

    Examples
    --------
    >>> cut(0.75, 0.5)
    (0.25, 1.0)
    """
    return max(value - half, 0.0), min(value + half, 1.0)


def around(value: float, error: float, quantile: float) -> tuple[float, float]:
    """The bounds quantile · error / (value (1 - value)) around the log-odds of a value in (0, 1).

    Examples
    --------
    >>> low, high = around(0.5, 0.1, 1.96)
    >>> round(low, 4), round(high, 4)
    (0.3135, 0.6865)
    """
    half = quantile * error / (value * (1 - value))
    odds = log_odds(value)
    return expit(odds - half), expit(odds + half)
