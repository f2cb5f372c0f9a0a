"""One scored list as blocks of equal score, best first: everything its curve measures depend on."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from precall.core.counts import ROWS
from precall.core.errors import UsageError
from precall.core.notes import Note
from precall.core.ragged import Bool, Float64, Int64

#: Up to this many cases are few. If they hold more than this share of the squared weights,
#: intervals without a warning covered 91-93 % (docs/how-to/intervals.md).
MOST, _MUCH = 10, 0.4
#: A mean rank this many standard errors away is hardly by chance: weights that have nothing to do
#: with scores exceed it in 0.5 %.
_ELSEWHERE = 3

Count: TypeAlias = npt.NDArray[Any]


def inner(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> float:
    """Σ a b, without the products in memory that `ragged.weighted_sum` makes. Not by `@`, whose
    threads cost more than they gain if others also use the processors.
    """
    return float(np.einsum("i,i", a, b))


@dataclass(frozen=True, slots=True, eq=False)
class Cases:
    """Block, label, weight and group of each case, which groups and real weights need.

    In `Blocks` of one list the cases are sorted by block; for two lists they are in the order of
    the items.
    """

    block: Int64
    relevant: Bool
    weight: Float64
    group: Int64 | None = None

    def sort_by_block(self) -> Cases:
        """The cases by block, so that neither sums nor samples depend on how they were listed."""
        order = np.empty(len(self.block), np.int64)
        if int(self.block.max(initial=-1)) + 1 == len(order):
            # Without ties the block numbers are the ranks.
            order[self.block] = np.arange(len(order))
        else:
            columns: list[npt.NDArray[Any]] = [] if self.group is None else [self.group]
            if np.any(self.weight != self.weight[0]):
                columns.append(self.weight)
            order = np.lexsort((*columns, 2 * self.block + self.relevant))
        group = None if self.group is None else self.group[order]
        return Cases(self.block[order], self.relevant[order], self.weight[order], group)


@dataclass(frozen=True, eq=False)
class Blocks:
    """Relevant and other cases per block of equal score, best first.

    Parameters
    ----------
    positive, negative : cases per block, or sums of their weights; counts of long lists have the
        narrowest type that holds them.
    missed : relevant items that were never scored; they rank below everything.
    real : whether weights are real: then each row of `cases` is one case, however heavy, and the
        variance is that of sampling weights. Integers repeat a case.
    cases : the cases themselves, if groups or real weights are given.
    scores : function that returns the score of each block that holds a relevant case, on the
        user's scale; None if the scores are not known.
    higher_is_better : whether high scores are good on that scale.
    notes : notes on the labels, scores and weights.
    """

    positive: npt.NDArray[Any]
    negative: npt.NDArray[Any]
    missed: int | float = 0
    real: bool = False
    cases: Cases | None = None
    scores: Callable[[], npt.NDArray[Any]] | None = None
    higher_is_better: bool = True
    notes: tuple[Note, ...] = ()

    @property
    def tp(self) -> Float64:
        """Relevant cases in this block and above."""
        return self._sums[0].astype(np.float64, copy=False)

    @property
    def fp(self) -> Float64:
        """Other cases in this block and above."""
        return self._sums[1].astype(np.float64, copy=False)

    def rows(self) -> list[slice]:
        """Slices of the blocks, of at most `ROWS` each.

        Sums of real weights depend on where they are cut (rounding), so those are one slice.
        """
        count = len(self.positive)
        if count <= ROWS or self.positive.dtype.kind != "i":
            return [slice(0, count)]
        return [slice(begin, begin + ROWS) for begin in range(0, count, ROWS)]

    def parts(
        self, upwards: bool = False
    ) -> Iterator[tuple[slice, npt.NDArray[Any], npt.NDArray[Any]]]:
        """The slices of `rows`, each with its running sums of relevant and of other cases from the
        top.

        The best slice comes first or, if `upwards`, last.
        """
        rows = self.rows()
        if len(rows) == 1:
            yield rows[0], *self._sums
            return
        sums = np.array(
            [[column[each].sum() for each in rows] for column in (self.positive, self.negative)]
        )
        above = sums.cumsum(axis=1) - sums
        for i in reversed(range(len(rows))) if upwards else range(len(rows)):
            yield (
                rows[i],
                self.positive[rows[i]].cumsum() + above[0, i],
                self.negative[rows[i]].cumsum() + above[1, i],
            )

    @cached_property
    def _sums(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        return self.positive.cumsum(), self.negative.cumsum()

    @cached_property
    def relevant(self) -> float:
        """Relevant items that exist."""
        return float(self.positive.sum() + self.missed)

    @cached_property
    def other(self) -> float:
        """Cases that are not relevant."""
        return float(self.negative.sum())

    def thin(self) -> Blocks:
        """The blocks that hold a relevant case; blocks of other cases only are merged into the next
        of these.

        Average precision stays the same. Lists that hold their cases one by one stay as they are.
        """
        return self._merge(_thin)

    def join(self) -> Blocks:
        """The blocks after neighbours with the same single kind of cases are merged.

        The area under ROC stays the same. Lists that hold their cases one by one stay as they are.
        """
        merged = self._merge(_join)
        # A block of several scores has none of its own.
        return merged if merged is self else replace(merged, scores=None)

    def _merge(self, merge: Callable[[Count, Count], tuple[Count, Count]]) -> Blocks:
        if self.cases is not None or not len(self.positive):
            return self
        rows = self.rows()
        if len(rows) == 1:
            positive, negative = merge(self.positive, self.negative)
            return replace(self, positive=positive, negative=negative)
        # The last block of a slice may continue in the next slice.
        columns: tuple[list[Any], list[Any]] = [], []
        last: Any = np.zeros((2, 0), np.int64)
        for slice_ in rows:
            slice_counts = [
                np.concatenate(pair)
                for pair in zip(last, (self.positive[slice_], self.negative[slice_]), strict=True)
            ]
            merged = merge(slice_counts[0], slice_counts[1])
            for column, counts in zip(columns, merged, strict=True):
                column.append(narrow(counts[:-1]))
            last = merged[0][-1:], merged[1][-1:]
        positive, negative = (
            np.concatenate([*column, narrow(end)])
            for column, end in zip(columns, last, strict=True)
        )
        return replace(self, positive=positive, negative=negative)

    def squares(self, rows: slice = slice(None)) -> tuple[Float64, Float64]:
        """Weights of the squared influences of each block of `rows`: cases, or sums of squared real
        weights.
        """
        if not self.real or self.cases is None:
            return self.positive[rows].astype(np.float64), self.negative[rows].astype(np.float64)
        cases = self.cases
        positive, negative = kinds_of_groups(
            cases.relevant, cases.weight**2, cases.block, len(self.positive)
        )
        return positive[rows], negative[rows]

    def sizes(self) -> tuple[float, float]:
        """The numbers of independent relevant and other cases; for real weights (Σw)² / Σw²."""
        if not self.real:
            return self.relevant, self.other
        squares = [float(column.sum()) for column in self.squares()]
        sums = (self.relevant - self.missed, self.other)
        positive, negative = (
            a * a / square if square else 0.0 for a, square in zip(sums, squares, strict=True)
        )
        return positive + self.missed, negative

    def heavier(self) -> float:
        """How many times heavier other cases are than relevant ones.

        The weight of a kind is Σ w² / Σ w, the mean weight of its cases as random units of weight
        meet them.
        """
        if not self.real or self.cases is None:
            return 1.0
        hits = self.relevant - self.missed
        positive, negative = (float(column.sum()) for column in self.squares())
        return negative / self.other * hits / positive if self.other and hits else 1.0

    def _weight_goes_with_score(self) -> bool:
        """Whether the cases above the mean weight of a kind rank elsewhere than its other cases, by
        the rank-sum test.
        """
        cases = self.cases
        assert cases is not None
        for kind in (True, False):
            weight, block = (
                cases.weight[cases.relevant == kind],
                cases.block[cases.relevant == kind],
            )
            heavy = weight > weight.mean() if len(weight) else np.zeros(0, np.bool_)
            heavy_count, size = int(np.count_nonzero(heavy)), len(heavy)
            if 0 < heavy_count < size:
                block_sizes = np.bincount(block)
                rank = np.cumsum(block_sizes)[block] - (block_sizes[block] - 1) / 2
                rank_difference = rank[heavy].mean() - (size + 1) / 2
                if abs(rank_difference) > _ELSEWHERE * math.sqrt(
                    (size - heavy_count) * (size + 1) / (12 * heavy_count)
                ):
                    return True
        return False

    def lone_kind(self) -> str:
        """Why the variance of a kind of cases is unknown: there is one case, or one group has all
        of them; else empty.
        """
        cases = self.cases
        if cases is not None and cases.group is not None:
            kinds = (cases.group[cases.relevant == kind] for kind in (True, False))
            return (
                "all cases of a kind are of one group"
                if 1 in {len(np.unique(of)) for of in kinds}
                else ""
            )
        sizes = self.relevant, self.other
        if self.real and cases is not None:
            hits = int(np.count_nonzero(cases.relevant))
            sizes = float(hits + self.missed), float(len(cases.relevant) - hits)
        return "one case of a kind has no variance" if 1 in sizes else ""

    def cases_per_weight(self) -> float:
        """Effective number of cases in a weight of 1: 1 if weights repeat a case, Σw / Σw² if they
        are real.
        """
        if not self.real or self.cases is None:
            return 1.0
        return float(self.cases.weight.sum() / inner(self.cases.weight, self.cases.weight))

    @property
    def has_groups(self) -> bool:
        """Whether cases come in groups."""
        return self.cases is not None and self.cases.group is not None

    def groups(self) -> int:
        """The number of groups."""
        if self.cases is None or self.cases.group is None:
            raise UsageError(argument="groups", what="there are none")
        return int(self.cases.group.max(initial=-1)) + 1

    def effective_groups(self) -> float:
        """The effective number of groups of uneven size."""
        cases = self.cases
        assert cases is not None and cases.group is not None
        return effective_groups(cases.relevant, cases.weight, cases.group)

    def heavy(self) -> int | None:
        """Number of cases that weigh over twice the mean of their kind, in the kind that has fewer
        of them, but has any.

        It is 0 if one kind has such cases and no case of the other kind has half the greatest
        weight: such cases may have been missed. It is None if weights are even in both kinds or
        have nothing to do with scores; intervals of those cover like others. It is at most ten if
        the ten heaviest cases of a kind hold over 40 % of its squared weights.
        """
        if not self.real or self.cases is None:
            return None
        weights_by_kind = (self.cases.weight[self.cases.relevant == kind] for kind in (True, False))
        kinds = [weight for weight in weights_by_kind if len(weight)]
        if not self._weight_goes_with_score():
            return None
        greatest = max((float(weight.max()) for weight in kinds), default=0.0)
        counts = [int(np.count_nonzero(weight > 2 * weight.mean())) for weight in kinds]
        # If a whole kind has half of the greatest weight, it is heavy as well.
        is_lacking = [
            2 * weight.max() < greatest
            for count, weight in zip(counts, kinds, strict=True)
            if not count
        ]
        if any(counts) and any(is_lacking):
            return 0
        if any(counts) and any(_share_of_heaviest(weight) > _MUCH for weight in kinds):
            counts.append(MOST)
        return min((heavy_count for heavy_count in counts if heavy_count), default=None)

    def few_heavy_relevant(self) -> int | None:
        """Number of relevant cases that weigh over twice their mean, if they are few and hold over
        40 % of the squared weights; else None.

        The share of relevant cases, and with it AP, depends on how many of these were drawn,
        wherever they rank. No sample can tell whether heavy cases exist of which none was drawn.
        """
        if not self.real or self.cases is None:
            return None
        weight = self.cases.weight[self.cases.relevant]
        count = int(np.count_nonzero(weight > 2 * weight.mean())) if len(weight) else 0
        return count if 0 < count <= MOST and _share_of_heaviest(weight, count) > _MUCH else None


def _thin(positive: Count, negative: Count) -> tuple[Count, Count]:
    rows, below = positive.nonzero()[0], negative.cumsum()
    # The others up to each of these, and all. np.append and np.diff would take longer than the
    # rest.
    hits, others = np.zeros(len(rows) + 1, positive.dtype), np.empty(len(rows) + 1, below.dtype)
    hits[:-1], others[:-1], others[-1] = positive[rows], below[rows], below[-1]
    others[1:] -= below[rows]
    return hits, others


def _join(positive: Count, negative: Count) -> tuple[Count, Count]:
    has_relevant, has_others = positive > 0, negative > 0
    lead = has_relevant & has_others
    lead[1:] |= (has_relevant[1:] != has_relevant[:-1]) | (has_others[1:] != has_others[:-1])
    lead[0] = True
    start = np.flatnonzero(lead)
    return np.add.reduceat(positive, start), np.add.reduceat(negative, start)


#: A slice of blocks, with a number for the relevant and for the other cases of each.
Part = tuple[slice, Float64, Float64]


class CountsByPart:
    """Two numbers per block, of its relevant and of its other cases, slice by slice.

    A single slice is computed once and kept. Several slices are computed whenever they are needed:
    those of a long list would take more memory than its cases.
    """

    def __init__(self, blocks: Blocks, make: Callable[[], Iterator[Part]]) -> None:
        self._make = make
        self._kept = list(make()) if len(blocks.rows()) == 1 else None

    @classmethod
    def of(cls, blocks: Blocks, positive: Float64, negative: Float64) -> CountsByPart:
        """From the numbers of all blocks, which are known already."""
        rows = blocks.rows()
        return cls(
            blocks, lambda: ((slice_, positive[slice_], negative[slice_]) for slice_ in rows)
        )

    def __iter__(self) -> Iterator[Part]:
        return self._make() if self._kept is None else iter(self._kept)

    def whole(self) -> tuple[Float64, Float64]:
        """The numbers of all blocks."""
        parts = sorted(self, key=lambda piece: piece[0].start)
        if len(parts) == 1:
            return parts[0][1:]
        return np.concatenate([piece[1] for piece in parts]), np.concatenate(
            [piece[2] for piece in parts]
        )


def narrow(counts: Count) -> Count:
    """Counts as the narrowest whole numbers that hold them.

    Examples
    --------
    >>> narrow(np.array([0, 127])).dtype, narrow(np.array([128])).dtype
    (dtype('int8'), dtype('int16'))
    """
    most = int(counts.max(initial=0))
    kind = next(
        (kind for kind in (np.int8, np.int16, np.int32) if most <= np.iinfo(kind).max), np.int64
    )
    return counts.astype(kind, copy=False)


def _share_of_heaviest(weight: Float64, count: int = MOST) -> float:
    """Share of the squared weights that the `count` heaviest cases hold."""
    square = np.sort(weight**2)
    return float(square[-count:].sum() / square.sum()) if len(square) else 0.0


def effective_groups(relevant: Bool, weight: Float64, group: Int64) -> float:
    """Effective number of groups of uneven size: (Σw)² / Σw² with w a group's cases of the scarcer
    kind.

    Examples
    --------
    >>> relevant = np.array([True, True, True, False, False])
    >>> round(effective_groups(relevant, np.ones(5), np.array([0, 0, 1, 2, 3])), 6)
    1.8
    """
    kind = kinds_of_groups(relevant, weight, group, int(group.max(initial=-1)) + 1)
    return float((kind.sum(axis=1) ** 2 / np.maximum((kind**2).sum(axis=1), 1e-300)).min())


def kinds_of_groups(relevant: Bool, weight: npt.NDArray[Any], group: Int64, groups: int) -> Float64:
    """Weight of the relevant and of the other cases (two rows) in every group, or block."""
    weights_by_kind = (np.where(relevant == kind, weight, 0.0) for kind in (True, False))
    return np.stack(
        [np.bincount(group, weights=values, minlength=groups) for values in weights_by_kind]
    )
