"""The mean of a measure over all orders of tied items, by writing every order out.

For measures without a closed form. All distinct orders of the judged items of each ranking are laid
side by side as rankings of their own, measured in one call, and averaged. Orders that only swap
items of equal grade are one; all distinct ones are equally likely.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from precall import ragged
from precall.errors import TiesUnresolved
from precall.location.located import Located
from precall.ragged import Float64, Int64

if TYPE_CHECKING:
    from precall.declare.declaration import Measure

#: Orders of one ranking that are still written out.
LIMIT = 50_000
#: Rows written out at a time; bounds memory.
BATCH = 4_000_000

Placement = tuple[tuple[int, ...], ...]


def mean_over_orders(measure: Measure, values: Callable[[Located], Float64], located: Located) -> Float64:
    """Exact mean over the orders of each ranking; raises `TiesUnresolved` where there are too many."""
    start = ragged.starts(located.ranking, len(located)).tolist()
    result = np.empty(len(located))
    batch: list[int] = []
    placements: list[Int64] = []
    for index in range(len(located)):
        ranks = _orders(measure, located, index, start[index], start[index + 1])
        batch.append(index)
        placements.append(ranks)
        if sum(ranks.size for ranks in placements) > BATCH or index == len(located) - 1:
            result[batch] = _averaged(values, located, batch, placements)
            batch, placements = [], []
    return result


def _averaged(
    values: Callable[[Located], Float64], located: Located, batch: list[int], placements: list[Int64]
) -> Float64:
    repeats = np.array([len(ranks) for ranks in placements])
    laid = located.select(np.repeat(np.array(batch), repeats))
    rank = np.concatenate([ranks.ravel() for ranks in placements]) if placements else laid.rank
    order = np.lexsort((rank, laid.ranking))
    fields = {name: getattr(laid, name)[order] for name in ("row", "grade")}
    rank = rank[order]
    resolved = replace(laid, rank=rank, first=rank, last=rank, ties="docno", **fields)
    owner = np.repeat(np.arange(len(batch)), repeats)
    return np.asarray(ragged.sums(values(resolved), owner, len(batch)) / repeats, np.float64)


def _orders(measure: Measure, located: Located, index: int, a: int, b: int) -> Int64:
    """Ranks of the rows a..b of one ranking, a line per distinct order."""
    choices: list[list[Placement]] = []
    rows: list[list[int]] = []
    number = 1
    row = a
    while row < b:
        end = row
        while end < b and located.first[end] == located.first[row]:
            end += 1
        grades = located.grade[row:end]
        classes = [(row + np.flatnonzero(grades == level)).tolist() for level in np.unique(grades)]
        size = int(located.last[row] - located.first[row]) + 1
        number *= _count(size, [len(c) for c in classes])
        if number > LIMIT:
            raise TiesUnresolved(
                f"{measure.name}: topic {located.topics[index]!r} has more than {LIMIT} orders of tied items, and "
                "their mean has no closed form; choose ties='random' (with several seeds) or another"
            )
        choices.append(list(_placements(int(located.first[row]), size, [len(c) for c in classes])))
        rows.append([r for c in classes for r in c])
        row = end
    ranks = np.empty((number, b - a), np.int64)
    for line, chosen in enumerate(itertools.product(*choices)):
        for block, placement in zip(rows, chosen, strict=True):
            ranks[line, np.array(block) - a] = [rank for places in placement for rank in places]
    return ranks


def _count(size: int, classes: list[int]) -> int:
    number = 1
    for members in classes:
        number *= math.comb(size, members)
        size -= members
    return number


def _placements(first: int, size: int, classes: list[int]) -> list[Placement]:
    """Every choice of ranks for each class of equal grades within a block."""

    def place(free: tuple[int, ...], rest: list[int]) -> list[Placement]:
        if not rest:
            return [()]
        found: list[Placement] = []
        for chosen in itertools.combinations(free, rest[0]):
            left = tuple(rank for rank in free if rank not in chosen)
            found += [(chosen, *more) for more in place(left, rest[1:])]
        return found

    return place(tuple(range(first, first + size)), classes)
