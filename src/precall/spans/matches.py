"""Which predicted span is taken for which true one, and what that counts for.

Equal spans are found at once by sorting. The few others are matched unit by unit. The
result does not depend on the order of the spans; that of nervaluate does, as each prediction takes
the first true span that it overlaps.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from precall.core.ragged import Int64
from precall.spans.tags import SpanColumns

#: What a predicted span must have in common with a true one: all; its ends; its ends, or half of it
#: counts; its type, and one place.
MATCHES = ("strict", "boundary", "partial", "type")
#: What a pair, or a span alone, counts for: correct, incorrect, partly correct, missing, spurious.
OUTCOMES = ("COR", "INC", "PAR", "MIS", "SPU")
_COR, _INC, _PAR, _MIS, _SPU = range(len(OUTCOMES))


class Matched(NamedTuple):
    """Rows of a true and a predicted span that are a pair; of a span alone, the other row is -1."""

    true: Int64
    predicted: Int64


def equal_pairs(true: SpanColumns, predicted: SpanColumns) -> tuple[Int64, Int64]:
    """Rows of true and of predicted spans that are equal, each row once: of a span that is there
    several times, as many as both have.

    Examples
    --------
    >>> spans = [SpanColumns(*(np.array(column) for column in zip(*rows))) for rows in (
    ...     [(0, 0, 0, 2), (0, 1, 3, 4)], [(0, 1, 3, 4), (0, 1, 3, 4), (1, 0, 0, 2)])]
    >>> [rows.tolist() for rows in equal_pairs(*spans)]
    [[1], [0]]
    """
    both = SpanColumns(*(np.concatenate(pair) for pair in zip(true, predicted, strict=True)))
    side = np.repeat([0, 1], [len(true.unit), len(predicted.unit)])
    row = np.concatenate([np.arange(len(true.unit)), np.arange(len(predicted.unit))])
    order = np.lexsort((row, side, both.kind, both.end, both.start, both.unit))
    same = np.zeros(len(order), np.bool_)
    if len(order):
        same[1:] = np.all([np.diff(column[order]) == 0 for column in both], axis=0)
    group = np.cumsum(~same)
    # The n-th of one side goes with the n-th of the other.
    key = group * 2 + side[order]
    first = np.searchsorted(key, key)
    nth = np.arange(len(order)) - first
    place = group * (len(order) + 1) + nth
    ours, theirs = (np.flatnonzero(side[order] == which) for which in (0, 1))
    _, at, beside = np.intersect1d(
        place[ours], place[theirs], assume_unique=True, return_indices=True
    )
    return row[order][ours[at]], row[order][theirs[beside]]


def match_spans(true: SpanColumns, predicted: SpanColumns) -> Matched:
    """Which predicted span is taken for which true one, the same by every rule.

    Equal spans are matched first, then those with equal ends, then those that share the most
    places. Among equals the first true span in order of start, end and type goes first, then the
    first predicted one.

    Examples
    --------
    >>> spans = [SpanColumns(*(np.array(column) for column in zip(*rows))) for rows in (
    ...     [(0, 0, 0, 2), (0, 1, 3, 6)], [(0, 0, 0, 2), (0, 1, 4, 6), (0, 1, 8, 9)])]
    >>> pairs = match_spans(*spans)
    >>> [OUTCOMES[number] for number in outcomes_of(pairs, *spans, "partial")]
    ['COR', 'PAR', 'SPU']
    """
    pairs = [np.stack(equal_pairs(true, predicted))]
    free = [
        np.setdiff1d(np.arange(len(side.unit)), taken, assume_unique=True)
        for side, taken in zip((true, predicted), pairs[0], strict=True)
    ]
    more = list(_overlapping(true, predicted, free))
    if more:
        pairs.append(np.array(more, np.int64).T)
        free = [
            np.setdiff1d(rows, taken, assume_unique=True)
            for rows, taken in zip(free, pairs[-1], strict=True)
        ]
    pairs.append(np.stack((free[0], np.full(len(free[0]), -1))))
    pairs.append(np.stack((np.full(len(free[1]), -1), free[1])))
    return Matched(*np.concatenate(pairs, axis=1).astype(np.int64))


def outcomes_of(pairs: Matched, true: SpanColumns, predicted: SpanColumns, match: str) -> Int64:
    """What each pair and each span alone counts for by a rule, by its place in `OUTCOMES`."""
    outcome = np.where(pairs.true < 0, _SPU, _MIS)
    both = (pairs.true >= 0) & (pairs.predicted >= 0)
    ours, theirs = true.chosen(pairs.true[both]), predicted.chosen(pairs.predicted[both])
    alike = ours.kind == theirs.kind
    ends = (ours.start == theirs.start) & (ours.end == theirs.end)
    right = {"strict": alike & ends, "boundary": ends, "partial": ends, "type": alike}[match]
    outcome[both] = np.where(right, _COR, _PAR if match == "partial" else _INC)
    return outcome


def _overlapping(
    true: SpanColumns, predicted: SpanColumns, free: list[Int64]
) -> Iterator[tuple[int, int]]:
    """Pairs of spans that are not equal but overlap, each span once."""
    sides = [dict(_by_unit(side, rows)) for side, rows in zip((true, predicted), free, strict=True)]
    for unit in sides[0].keys() & sides[1].keys():
        taken: tuple[set[int], set[int]] = (set(), set())
        for _, _, _, ours, theirs in sorted(
            _candidates(true, predicted, sides[0][unit], sides[1][unit])
        ):
            if ours not in taken[0] and theirs not in taken[1]:
                taken[0].add(ours)
                taken[1].add(theirs)
                yield ours, theirs


def _by_unit(side: SpanColumns, rows: Int64) -> Iterator[tuple[int, list[int]]]:
    """The rows of each unit, in order of start, end and type."""
    order = rows[np.lexsort((side.kind[rows], side.end[rows], side.start[rows], side.unit[rows]))]
    units, first = np.unique(side.unit[order], return_index=True)
    for unit, part in zip(units.tolist(), np.split(order, first[1:]), strict=False):
        yield unit, part.tolist()


def _candidates(
    true: SpanColumns, predicted: SpanColumns, ours: list[int], theirs: list[int]
) -> Iterator[tuple[tuple[int, int], int, int, int, int]]:
    """Pairs that overlap, with the keys by which the better ones come first."""
    for place, gold in enumerate(ours):
        for other, guess in enumerate(theirs):
            start = max(true.start[gold], predicted.start[guess])
            shared = int(min(true.end[gold], predicted.end[guess]) - start)
            if shared <= 0:
                continue
            ends = bool(
                true.start[gold] == predicted.start[guess]
                and true.end[gold] == predicted.end[guess]
            )
            yield (-ends, -shared), place, other, gold, guess
