"""A curve as one ranking: its blocks of equal scores are those of the ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from precall.checks import check_choice
from precall.errors import UsageError
from precall.location.hits import Hits
from precall.measures.areas import hit_rows
from precall.ragged import Int64

if TYPE_CHECKING:
    from precall.curves.path import Curve

#: Up to so many hits, ranks of single hits are told.
_SINGLE = 1 << 24
TIES = ("block", "expected", "best", "worst")


def hits(curve: Curve, ties: str) -> Hits:
    """One ranking: blocks of hits, with `missed` among the relevant items."""
    check_choice("ties", ties, TIES)
    if curve.tp.dtype.kind != "i":
        raise UsageError("ranks need whole counts; these cases have real weights")
    tp: Int64 = curve.tp.astype(np.int64, copy=False)
    accepted = tp + curve.fp.astype(np.int64, copy=False)
    rows = hit_rows(curve)
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
