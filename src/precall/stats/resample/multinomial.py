"""Many multinomial samples at once: how often each cell is drawn in samples of n items from n.

Every cell gets a Poisson number with a mean a little below its size. The few draws that a sample
then lacks are drawn one by one. If the Poisson numbers exceed n (one sample in 700) they are drawn
again. Poisson numbers given their sum are multinomial, so the result is exactly multinomial.

The kernel does the drawing; this module makes its tables, whose memory grows with the number of
items. For very many items the numbers are drawn cell by cell instead, each as a binomial of the
remaining draws.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence, Sized
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from precall.core.ragged import Bool, Float64, Int64
from precall.native import kernel, thread_count
from precall.native.twin_best import Ladder, best
from precall.native.twin_heights import heights
from precall.native.twin_resampling import losses
from precall.stats.resample.batches import random_words

T = TypeVar("T", bound=np.generic)
Int32: TypeAlias = npt.NDArray[np.int32]
Words: TypeAlias = npt.NDArray[np.uint64]
#: The tables of a kernel; `native.twin_resampling` documents them.
KernelTables: TypeAlias = tuple[Int32, Int64, Int32, Words, Int64, Int32, Int64, Int64]
#: The mean of the Poisson numbers' sum is below n by this many standard deviations; the second is
#: for samples whose number of draws is random.
_MARGIN, _WIDE_MARGIN = 3.0, 6.0
#: A size is drawn as a sum of Poisson numbers for its hexadecimal digits, and for multiples of
#: this.
_LARGEST = 16**3
#: Greatest number of items that get tables; and numbers in one batch if there are more.
MOST_TABLED = 1 << 25
_BATCH = 1 << 20


class Cells:
    """Cells of given sizes; `draw` returns how often each is drawn in samples of all items.

    Parameters
    ----------
    sizes : items of each cell.
    strata : groups of cells that are drawn separately, each with as many draws as it has items; by
        default all cells together.
    fixed : whether a sample has as many draws as there are items; else their number is random, but
        about as large.

    Examples
    --------
    >>> drawn = Cells(np.array([3, 1, 4])).draw(2, np.random.default_rng(1))
    >>> drawn.shape, drawn.sum(axis=1)
    ((2, 3), array([8, 8]))
    """

    def __init__(
        self, sizes: Int64, strata: Sequence[Int64] | None = None, fixed: bool = True
    ) -> None:
        self.sizes = sizes
        groups: list[Int64] = [np.arange(len(sizes))] if strata is None else list(strata)
        self.groups: list[Int64] = groups
        self.totals: list[int] = [int(sizes[group].sum()) for group in groups]
        self.tabled: bool = sum(self.totals) <= max(MOST_TABLED, len(sizes))
        if not self.tabled:
            return
        poisson_of_group = [
            list(_poisson_parts(sizes, group, _MARGIN if fixed else _WIDE_MARGIN))
            for group in groups
        ]
        poissons = [poisson for of_group in poisson_of_group for poisson in of_group]
        # One number per item, at once in the narrow type that the kernel takes.
        owner = (np.repeat(group.astype(np.int32), sizes[group]) for group in groups)
        # The arguments of the kernel; `native.twin_resampling` documents them.
        self.tables: KernelTables = (
            *_join([cells for cells, _, _ in poissons], np.int32),
            np.array([least for _, least, _ in poissons], np.int32),
            *_join([below for _, _, below in poissons], np.uint64),
            *_join([*owner], np.int32),
            _starts(poisson_of_group),
        )

    def draw(self, samples: int, rng: np.random.Generator) -> Int32 | Int64:
        """Samples x cells, each row a multinomial draw."""
        if not self.tabled:
            return self._cell_by_cell(samples, rng)
        arguments = *self._draw_seeds(samples, rng), *self.tables
        return kernel().draw_cells(*arguments, len(self.sizes), thread_count())

    def precisions(self, block: Bool, samples: int, rng: np.random.Generator) -> Float64:
        """Average precision of each sample; the cells are those of `resampling.ListSteps`."""
        if not self.tabled:
            return np.concatenate(
                [_precisions(drawn, block) for drawn in self._batches(samples, rng)]
            )
        arguments = *self._draw_seeds(samples, rng), *self.tables
        return kernel().draw_precisions(*arguments, block, thread_count())

    def best(
        self, ladder: Ladder, square: float, samples: int, rng: np.random.Generator
    ) -> tuple[Int64, ...]:
        """The step of greatest F in each sample: its number, the counts that it accepts, and the
        number of relevant cases.

        The cells are those of the stretches of a `ladder`.
        """
        if not self.tabled:
            chosen = [
                best(drawn, random_words(rng, len(drawn)), ladder, square)
                for drawn in self._batches(samples, rng, len(ladder.hits))
            ]
            return tuple(np.concatenate(column) for column in zip(*chosen, strict=True))
        arguments = *self._draw_seeds(samples, rng), *self.tables
        return kernel().draw_best(
            *arguments,
            ladder.start,
            ladder.others.astype(np.int32, copy=False),
            ladder.hits.astype(np.int32, copy=False),
            square,
            thread_count(),
        )

    def heights(
        self, block: Bool, share: Float64, of_others: bool, samples: int, rng: np.random.Generator
    ) -> tuple[Float64, Float64]:
        """Relevant cases accepted in each sample when shares of the cases are reached, and the
        totals that they are shares of.

        The cells are those of `resampling.ListSteps`.
        """
        if not self.tabled:
            reached = [
                heights(drawn, block, share, of_others)
                for drawn in self._batches(samples, rng, len(block))
            ]
            hits, totals = (np.concatenate(column) for column in zip(*reached, strict=True))
            return hits, totals
        arguments = *self._draw_seeds(samples, rng), *self.tables
        return kernel().draw_heights(*arguments, block, share, of_others, thread_count())

    def _batches(self, samples: int, rng: np.random.Generator, more: int = 0) -> Iterator[Int64]:
        """The samples in batches of at most `_BATCH` numbers; each sample takes `more` numbers
        besides its cells.
        """
        size = max(1, _BATCH // (len(self.sizes) + more))
        return (
            self._cell_by_cell(min(size, samples - begin), rng) for begin in range(0, samples, size)
        )

    def _cell_by_cell(self, samples: int, rng: np.random.Generator) -> Int64:
        drawn = np.zeros((samples, len(self.sizes)), np.int64)
        for group, total in zip(self.groups, self.totals, strict=True):
            # The largest last, so that rounding in 1 minus the other shares does not matter.
            ascending = group[np.argsort(self.sizes[group], kind="stable")]
            if total:
                drawn[:, ascending] = rng.multinomial(total, self.sizes[ascending] / total, samples)
        return drawn

    def _draw_seeds(self, samples: int, rng: np.random.Generator) -> tuple[Words, Int64]:
        """The seed of the random stream of each sample, and its number of draws."""
        draws = np.empty((samples, len(self.totals)), np.int64)
        draws[:] = self.totals
        return random_words(rng, samples), draws.ravel()


def _precisions(drawn: Int64, block: Bool) -> Float64:
    total, relevant, loss = losses(drawn, block, _harmonic_gain)
    values: Float64 = np.where(
        relevant > 0, (total - loss.sum(axis=1)) / np.maximum(relevant, 1), np.nan
    )
    return values


def _harmonic_gain(before: Int64, hits: Int64) -> Float64:
    """H(before + hits) - H(before) for the harmonic numbers H: from 1000 on by the Euler-Maclaurin
    series.
    """
    table = np.concatenate(([0.0], np.cumsum(1.0 / np.arange(1, 1001))))
    first, after = np.maximum(before, 1000), np.maximum(before + hits, 1000)
    series = np.log1p((after - first) / first)
    for power, factor in ((1, 0.5), (2, -1 / 12)):
        series += factor * (
            1.0 / after.astype(np.float64) ** power - 1.0 / first.astype(np.float64) ** power
        )
    return np.asarray(
        table[np.minimum(before + hits, 1000)] - table[np.minimum(before, 1000)] + series
    )


def _join(parts: Sequence[npt.NDArray[Any]], kind: type[T]) -> tuple[npt.NDArray[T], Int64]:
    """All parts one after another, and the start of each."""
    if len(parts) == 1:
        return parts[0].astype(kind, copy=False), _starts(parts)
    return np.concatenate([np.zeros(0, kind), *parts], dtype=kind, casting="unsafe"), _starts(parts)


def _starts(parts: Sequence[Sized]) -> Int64:
    return np.array([0, *accumulate(len(part) for part in parts)], np.int64)


def _poisson_parts(sizes: Int64, group: Int64, margin: float) -> Iterator[tuple[Int64, int, Words]]:
    """The cells of a group that get a number from each Poisson distribution, with its tables by
    `poisson`.
    """
    own = sizes[group]
    keep = 1 - margin / math.sqrt(max(int(own.sum()), 1))
    if keep <= 0:
        return
    unit, largest = 1, int(own.max())
    while unit < _LARGEST and unit <= largest:
        digit = own // unit % 16
        ordered, ends = group[digit.argsort(kind="stable")], np.bincount(digit).cumsum().tolist()
        for value, (begin, end) in enumerate(pairwise(ends), 1):
            if begin < end:
                yield ordered[begin:end], *poisson(value * unit * keep)
        unit *= 16
    if largest >= _LARGEST:
        yield np.repeat(group, own // _LARGEST), *poisson(_LARGEST * keep)


@cache
def _log_factorials() -> Float64:
    """log n! for n = 0, 1, ... as far as the tables go."""
    return np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, _LARGEST + 1024)))))


@lru_cache(maxsize=256)
def poisson(mean: float) -> tuple[int, Words]:
    """A Poisson distribution as the kernel draws it: the least number, and the words at which
    the number increases by one.

    Examples
    --------
    >>> least, below = poisson(1.0)
    >>> least, (below[:3] / 2**64).round(4)
    (0, array([0.3679, 0.7358, 0.9197]))
    """
    reach = 12 * math.sqrt(mean)
    k = np.arange(max(int(mean - reach), 0), int(mean + reach + 40) + 1)
    chance = np.exp(k * math.log(mean) - mean - _log_factorials()[k])
    share = np.cumsum(chance) / chance.sum() * 2.0**64
    below = share[share < 2.0**64].astype(np.uint64)
    unreachable = int(np.count_nonzero(below == 0))
    return int(k[0]) + unreachable, below[unreachable:]
