"""Measures of ranks, read off a curve: its blocks of equal scores are those of one ranking."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.errors import TiesUnresolved, UsageError
from precall.location.hits import Hits
from precall.ragged import Int64

if TYPE_CHECKING:
    from precall.curves.path import Curve

#: Up to so many hits, ranks of single hits are told.
_SINGLE = 1 << 24
TIES = ("block", "expected", "best", "worst")


def check_ties(ties: str) -> None:
    """Raise unless it is an order of ties that curves have."""
    if ties not in TIES:
        raise UsageError(f"ties: got {ties!r}, allowed are {', '.join(TIES)}")


def hits(curve: Curve, ties: str) -> Hits:
    """One ranking: blocks of hits, with `missed` among the relevant items."""
    check_ties(ties)
    if curve.tp.dtype.kind != "i":
        raise UsageError("ranks need whole counts; these cases have real weights")
    tp: Int64 = curve.tp.astype(np.int64, copy=False)
    accepted = tp + curve.fp.astype(np.int64, copy=False)
    rows = np.flatnonzero(np.diff(tp)) + 1
    first, last, count = accepted[rows - 1] + 1, accepted[rows], tp[rows] - tp[rows - 1]
    if ties in ("best", "worst"):
        if int(count.sum()) <= _SINGLE:
            first = last = _extreme(first, last, count, ties == "best")
            count = np.ones(len(first), np.int64)
        else:
            # Blocks of hits only, of which every order is the same.
            first, last = (first, first + count - 1) if ties == "best" else (last - count + 1, last)
            ties = "expected"
    retrieved, relevant = accepted[-1:], np.array([int(curve.relevant)], np.int64)
    population = retrieved + int(curve.missed)
    return Hits(first, last, count, np.zeros(len(first), np.int64), retrieved, relevant, population, ties)


def _extreme(first: Int64, last: Int64, count: Int64, best: bool) -> Int64:
    place = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
    return np.repeat(first if best else last - count + 1, count) + place


def average_precision(curve: Curve, ties: str) -> float:
    """Mean over relevant items of the precision at their ranks."""
    found = hits(curve, ties)
    return float(found.precision_sum()[0] / curve.relevant) if curve.relevant else float("nan")


def _cutoff(k: Any) -> int:
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise UsageError(f"k: must be an integer >= 1, got {k!r}")
    return int(k)


@contextmanager
def _said(what: str) -> Iterator[None]:
    """Say which ties there are here: a curve does not know the order of its cases."""
    try:
        yield
    except TiesUnresolved:
        raise TiesUnresolved(
            f"{what} depends on the order inside a block of equal scores; choose ties='expected', 'best' or 'worst'"
        ) from None


def _within(curve: Curve, k: int, ties: str) -> float:
    with _said(f"what is among the first {k}"):
        return float(hits(curve, ties).within(_cutoff(k))[0])


def precision_at(curve: Curve, k: int, ties: str) -> float:
    """Share of the first k ranks that are hits."""
    return float(_within(curve, k, ties) / k)


def recall_at(curve: Curve, k: int, ties: str) -> float:
    """Share of the relevant items in the first k ranks."""
    curve.warn_undefined("recall")
    found = _within(curve, k, ties)
    return found / curve.relevant if curve.relevant else float("nan")


def r_precision(curve: Curve, ties: str) -> float:
    """Precision at rank R."""
    curve.warn_undefined("R-precision")
    return precision_at(curve, int(curve.relevant), ties) if curve.relevant else float("nan")


def reciprocal_rank(curve: Curve, ties: str) -> float:
    """1 / rank of the first hit."""
    with _said("the rank of the first hit"):
        return float(hits(curve, ties).reciprocal_first()[0])
