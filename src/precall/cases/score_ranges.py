"""Counts of cases between scores, split by ranges of scores and joined again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.cases.between_scores import Gaps
from precall.cases.spooling import Shelf, room

if TYPE_CHECKING:
    import numpy.typing as npt


def pieces(gaps: Gaps, size: int) -> Iterator[Gaps]:
    """Split into pieces of `size` neighbouring edges, the lowest first; only the last piece knows
    the best other case.
    """
    for begin in range(0, max(len(gaps.edges), 1), size):
        end = begin + size
        is_last = end >= len(gaps.edges)
        rows = slice(begin, end + is_last)
        piece = Gaps(gaps.edges[begin:end], gaps.hits[begin:end], gaps.asked, gaps.dtype)
        piece.equal = gaps.equal[begin:end]
        # A piece has no case above its last edge: those cases are counted below the first edge of
        # the next piece.
        piece.between = gaps.between[rows] if is_last else np.append(gaps.between[rows], 0)
        piece.least = gaps.least[rows] if is_last else np.append(gaps.least[rows], np.inf)
        piece.top = gaps.top if is_last else piece.top
        yield piece


def join_pieces(parts: Sequence[Gaps]) -> Gaps:
    """Join pieces that follow each other, the lowest first; the gaps at which two pieces meet
    become one.

    Examples
    --------
    >>> gaps = Gaps(np.array([0.25, 0.5]), np.array([1, 2]))
    >>> gaps.add(np.array([False, False]), np.array([0.3, 0.25]))
    >>> again = join_pieces(list(pieces(gaps, 1)))
    >>> again.between, again.least
    (array([0, 1, 0]), array([inf, 0.3, inf]))
    """
    edges, hits = (
        np.concatenate([getattr(piece, name) for piece in parts]) for name in ("edges", "hits")
    )
    thresholds = sorted({score for piece in parts for score in piece.asked})
    joined = Gaps(edges, hits, thresholds, np.result_type(*(piece.dtype for piece in parts)))
    begin = 0
    for piece in parts:
        add_piece(joined, begin, piece)
        begin += len(piece.edges)
    return joined


def on_disk(
    parts: Iterable[Gaps], asked: Iterable[float], dtype: npt.DTypeLike, kind: npt.DTypeLike
) -> Gaps:
    """Join pieces on disk, one after another, if memory does not hold them all; the curve will be
    on disk as well.

    `kind` is the type of all counts.
    """
    joined = Gaps(np.zeros(0), np.zeros(0, kind), asked, dtype)
    kinds = (np.float64, kind, kind, kind, np.float64)
    with ExitStack() as opened:
        shelves = [opened.enter_context(Shelf()) for _ in kinds]
        _fill(shelves, joined, parts, np.dtype(kind))
        joined.edges, joined.hits, joined.equal, joined.between, joined.least = (
            shelf.whole(each) for shelf, each in zip(shelves, kinds, strict=True)
        )
    joined.room = room
    return joined


def _fill(shelves: list[Shelf], made: Gaps, parts: Iterable[Gaps], kind: Any) -> None:
    """Write the columns of all pieces, one after another."""
    open_gap, least = kind.type(0), np.float64(np.inf)
    for piece in parts:
        between = piece.between.astype(
            kind
        )  # a piece without cases has whole numbers, whatever the weights are
        # The gap below the first score also holds what lay above the last score of the piece
        # before.
        between[0] += open_gap
        piece.least[0] = min(piece.least[0], least)
        open_gap, least = between[-1], piece.least[-1]
        made.raise_top(*piece.top)
        counts = (
            column.astype(kind, copy=False) for column in (piece.hits, piece.equal, between[:-1])
        )
        for column, shelf in zip((piece.edges, *counts, piece.least[:-1]), shelves, strict=True):
            shelf.put(column)
    for last, shelf in zip((open_gap, least), shelves[3:], strict=True):
        shelf.put(np.array([last]))


def add_piece(gaps: Gaps, begin: int, piece: Gaps) -> None:
    """Add the counts of a piece to the edges from `begin` on."""
    end = begin + len(piece.equal)
    if piece.between.dtype.kind == "f" and gaps.between.dtype.kind != "f":
        gaps.equal, gaps.between = gaps.equal.astype(np.float64), gaps.between.astype(np.float64)
    gaps.equal[begin:end] += piece.equal
    gaps.between[begin : end + 1] += piece.between
    np.minimum(gaps.least[begin : end + 1], piece.least, out=gaps.least[begin : end + 1])
    gaps.raise_top(*piece.top)
