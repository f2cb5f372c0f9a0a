"""Resampled cases, their average precision and their operating points, without sorting samples.

The list is a sequence of steps: a gap of other cases, then relevant ones. Cases inside a gap or a
step are exchangeable, so a sample is described by the number of its draws in each: a multinomial
over few cells.

Copies of a case that is drawn several times have successive ranks, as cases of almost equal scores
would. (As ties, the copies would count in each other's precision and double its bias.) So a step of
untied relevant cases, drawn w times after t cases of which fp are others, adds
Σ_{c=1..w} (1 - fp / (t + c)) = w - fp (H(t + w) - H(t)) with the harmonic numbers H. Cases that are
tied in the data stay tied: a block adds w times the precision at its end. With real weights or
groups there are no cells, and all copies of a case are one block.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from precall.core.errors import UsageError
from precall.core.ragged import Bool, Float64, Int64
from precall.native import kernel, thread_count
from precall.native.twin_best import Ladder
from precall.native.twin_heights import accepted_counts
from precall.native.twin_resampling import LEAST_WEIGHT, Int32
from precall.stats.blocks import Blocks, Cases
from precall.stats.resample.batches import random_words
from precall.stats.resample.multinomial import Cells, KernelTables, Words

#: Numbers in one batch of paths.
_BATCH_OF_PATHS = 1 << 21
#: Numbers in one batch of counts of drawn units.
_BATCH_OF_UNITS = 1 << 23
#: Cells of samples whose paths are computed at a time: these fit in the processor's cache, and
#: their memory is used again.
_NEAR_AT_HAND = 1 << 15


@dataclass(frozen=True, slots=True, eq=False)
class ListSteps:
    """Steps of a list: per step the other cases before it, its relevant cases, and the other cases
    in the same block.
    """

    gap: Int64
    hits: Int64
    tied: Int64
    block: Bool
    rest: int
    missed: int

    @property
    def cells(self) -> Int64:
        """Sizes of the cells: all gaps, all hits, tied others of blocks, the gap below the last
        step, missed items.
        """
        return np.concatenate(
            (self.gap, self.hits, self.tied[self.block], [self.rest, self.missed])
        )

    @property
    def kinds(self) -> list[Int64]:
        """Indices of the relevant cells, and of the others."""
        size, count = len(self.gap), len(self.cells)
        relevant = np.append(np.arange(size, 2 * size), count - 1)
        return [relevant, np.append(np.arange(size), np.arange(2 * size, count - 1))]


def steps(blocks: Blocks, joined: bool = True) -> ListSteps:
    """The steps of a list without real weights; if `joined`, successive untied relevant cases are
    one step.

    Examples
    --------
    >>> found = steps(Blocks(np.array([1, 1, 0, 2, 0]), np.array([0, 0, 3, 1, 2])))
    >>> found.gap.tolist(), found.hits.tolist(), found.tied.tolist(), found.rest
    ([0, 3], [2, 2], [0, 1], 2)
    """
    positive, negative = (
        np.asarray(column, np.int64) for column in (blocks.positive, blocks.negative)
    )
    rows = positive.nonzero()[0]
    hits, tied = positive[rows], negative[rows]
    # The others up to the end of each step. By slices, because np.diff and np.concatenate take
    # longer than the rest.
    ends = negative.cumsum()[rows]
    gap = ends - tied
    gap[1:] -= ends[:-1]
    block = (hits > 1) | (tied > 0)
    below = int(negative.sum() - (ends[-1] if len(rows) else 0)), int(blocks.missed)
    if not joined:
        return ListSteps(gap, hits, tied, block, *below)
    # Neighbours without a gap between them are one step.
    lead = np.ones(len(rows), np.bool_)
    lead[1:] = (gap[1:] > 0) | block[1:] | block[:-1]
    first = np.flatnonzero(lead)
    return ListSteps(gap[first], np.add.reduceat(hits, first), tied[first], block[first], *below)


def replicates(
    blocks: Blocks, samples: int, rng: np.random.Generator, stratified: bool = False
) -> Float64:
    """Average precision of samples of the cases, drawn with replacement; samples without a relevant
    case are drawn again.

    If `stratified`, relevant and other cases are drawn separately, each as many as there are.
    """
    if blocks.cases is not None and stratified:
        raise UsageError(
            argument="stratified",
            what="cannot be combined with real weights or groups",
            remedy="leave one of them out",
        )
    if blocks.cases is not None:
        weighed = WeightedCases(blocks.cases, int(blocks.missed))

        def draw(count: int) -> Float64:
            return weighed.precisions(*weighed.streams(count, rng))
    else:
        list_steps = steps(blocks)
        cells = Cells(list_steps.cells, list_steps.kinds if stratified else None)

        def draw(count: int) -> Float64:
            return cells.precisions(list_steps.block, count, rng)

    values = np.zeros(0)
    while missing := samples - len(values):
        more = draw(missing)
        values = np.append(values, more[~np.isnan(more)])
    return values


class WeightedCases:
    """Cases with real weights or in groups, as the kernel takes them to draw units one by one.

    A unit is a group, or a case if there are no groups.

    Parameters
    ----------
    cases : the cases.
    missed : missed items, none of which is in a group.
    """

    def __init__(self, cases: Cases, missed: int = 0) -> None:
        order = np.argsort(cases.block, kind="stable")
        listed = np.arange(len(order)) if cases.group is None else cases.group
        self.units: int = int(listed.max(initial=-1)) + 1
        self.missed: int = missed
        self.cases: Cases = cases
        weight, relevant = cases.weight[order], cases.relevant[order]
        end = np.cumsum(np.bincount(cases.block))
        stops = np.flatnonzero(np.bincount(cases.block[cases.relevant]))
        self.tables: KernelTables = Cells(np.ones(self.units, np.int64), fixed=False).tables
        self.list: tuple[Int32, Float64, Float64, Int64, Int64] = (
            listed[order].astype(np.int32),
            np.where(relevant, weight, 0.0),
            np.where(relevant, 0.0, weight),
            np.append(0, end)[stops],
            end[stops],
        )

    @property
    def batch(self) -> int:
        """Number of samples whose paths are in memory at a time."""
        return max(1, _BATCH_OF_PATHS // max(len(self.list[-1]), 1))

    def streams(self, samples: int, rng: np.random.Generator) -> tuple[Words, Int64]:
        """The seed of the random stream of each sample, and the number of units that it draws, as a
        column; its other draws are missed items.
        """
        draws = self.units + self.missed
        units = draws - rng.binomial(draws, self.missed / max(draws, 1), samples)
        return random_words(rng, samples), units[:, None]

    def paths(self, seed: Words, units: Int64) -> list[Float64]:
        """The columns of `native.twin_resampling.draw_paths`, and the number of missed items of
        each sample.
        """
        paths = kernel().draw_paths(
            seed, units.ravel(), *self.tables, self.units, *self.list, thread_count()
        )
        return [*paths, self._missed_counts(units)]

    def precisions(self, seed: Words, units: Int64, apart: bool = False) -> Float64:
        """Average precision of each sample; if `apart`, copies of an untied case have successive
        ranks.
        """
        gain, hits = kernel().draw_gains(
            seed, units.ravel(), *self.tables, self.units, *self.list, apart, thread_count()
        )
        relevant = hits + self._missed_counts(units)
        return np.where(relevant > 0, gain / np.maximum(relevant, LEAST_WEIGHT), np.nan)

    def areas(self, seed: Words, units: Int64, part: float | None = None) -> Float64:
        """Area under ROC of each sample, or `part` of it up to a false positive rate; NaN if all
        cases are of one class.
        """
        areas, size = [np.zeros(0)], self.batch
        for start in range(0, len(seed), size):
            tp, fp, before, hits, others, missed = self.paths(
                seed[start : start + size], units[start : start + size]
            )
            areas.append(_areas(tp, fp, before, hits + missed, others, part, 1))
        return np.concatenate(areas)

    def ranking(self) -> tuple[Int32, Int64, Int64, Int64]:
        """The list as `native.twin_winning.count_wins` takes it; all weights must be 1."""
        cases = self.cases
        order = np.lexsort((~cases.relevant, cases.block))
        listed = order if cases.group is None else cases.group[order]
        size = np.bincount(cases.block)
        hits, first = (
            np.bincount(cases.block[cases.relevant], minlength=len(size)),
            np.cumsum(size) - size,
        )
        stops = np.flatnonzero(hits)
        first = first[stops]
        return listed.astype(np.int32), first, first + hits[stops], first + size[stops]

    def _missed_counts(self, units: Int64) -> Float64:
        return np.asarray(self.units + self.missed - units.sum(axis=1), np.float64)


def areas(
    lists: Sequence[WeightedCases], seed: Words, units: Int64, part: float | None = None
) -> list[Float64]:
    """Areas under ROC of samples of several lists of the same units, or their `part` up to a false
    positive rate; NaN if all cases are of one class.
    """
    first = lists[0]
    if part is not None or any(np.any(each.cases.weight != 1) for each in lists):
        return [each.areas(seed, units, part) for each in lists]
    rankings = [each.ranking() for each in lists]
    batches = [np.zeros((len(lists), 0))]
    size = max(1, _BATCH_OF_UNITS // max(first.units, 1))
    # The kernel counts 64 samples side by side.
    size -= size % 64 if size > 64 else 0
    for start in range(0, len(seed), size):
        batch = slice(start, start + size)
        draws = kernel().draw_cells(
            seed[batch], units[batch].ravel(), *first.tables, first.units, thread_count()
        )
        values = []
        for ranking in rankings:
            twice, hits, others = kernel().count_wins(
                draws.ravel(), first.units, *ranking, thread_count()
            )
            with np.errstate(invalid="ignore"):
                values.append(twice / 2 / ((hits + first._missed_counts(units[batch])) * others))
        batches.append(np.array(values))
    return list(np.concatenate(batches, axis=1))


def _areas(
    tp: Float64,
    fp: Float64,
    before: Float64,
    relevant: Float64,
    other: Float64,
    part: float | None,
    axis: int,
) -> Float64:
    """Areas under ROC of paths with thresholds along `axis`, or their `part` up to a false positive
    rate.
    """
    others = np.expand_dims(other, axis)
    if part is None:
        below = others - (fp + before) / 2
    else:
        room, size = part * others - before, fp - before
        within = np.clip(room, 0.0, size)
        share = np.divide(within, size, out=(room > 0).astype(np.float64), where=size > 0)
        below = share * (room - within / 2)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(
            (np.diff(tp, axis=axis, prepend=0) * below).sum(axis=axis) / (relevant * other)
        )


@dataclass(frozen=True, slots=True, eq=False)
class SamplePaths:
    """Counts accepted at the threshold of each relevant case, best first, one column per sample.

    `before` is the part of `fp` above the threshold's own block; `relevant` and `other` are the
    numbers of cases in a sample.
    """

    tp: Float64
    fp: Float64
    before: Float64
    relevant: Float64
    other: Float64

    @property
    def precision(self) -> Float64:
        """TP / accepted; 0 if nothing is accepted."""
        return np.asarray(self.tp / np.maximum(self.tp + self.fp, LEAST_WEIGHT))

    def f(self, square: float) -> Float64:
        """F at every threshold; `square` is β²."""
        denominator = square * self.relevant + self.tp + self.fp
        return np.asarray((1 + square) * self.tp / np.maximum(denominator, LEAST_WEIGHT))

    def area(self, part: float) -> Float64:
        """The part of the area under ROC up to a false positive rate; NaN if all cases are of one
        class.
        """
        return _areas(self.tp, self.fp, self.before, self.relevant, self.other, part, 0)

    def at(self, row: Int64, column: Int64) -> SamplePaths:
        """A path of one row: for each given column, the counts at the given row."""
        tp, fp, before = (counts[row, column][None] for counts in (self.tp, self.fp, self.before))
        return SamplePaths(tp, fp, before, self.relevant[column], self.other[column])


def path_of_data(blocks: Blocks) -> SamplePaths:
    """The path of the data themselves, as one column."""
    paths = list(paths_of_parts(blocks))
    if len(paths) == 1:
        return paths[0]
    tp, fp, before = (
        np.concatenate([getattr(path, name) for path in paths]) for name in ("tp", "fp", "before")
    )
    return SamplePaths(tp, fp, before, paths[0].relevant, paths[0].other)


def paths_of_parts(blocks: Blocks) -> Iterator[SamplePaths]:
    """The path of the data themselves, slice of blocks by slice."""
    unit, totals = blocks.cases_per_weight(), (blocks.relevant - blocks.missed, blocks.other)
    if blocks.positive.dtype.kind == "f":
        # For real weights, the sums at the last threshold: then rounding is the same.
        totals = float(blocks.tp[-1]), float(blocks.fp[-1])
    relevant, other = (
        np.array([unit * totals[0] + unit * blocks.missed]),
        np.array([unit * totals[1]]),
    )
    for slice_, hits, others in blocks.parts():
        rows = blocks.positive[slice_].nonzero()[0]
        tp, fp = (unit * counts[rows, None].astype(np.float64) for counts in (hits, others))
        before = fp - unit * blocks.negative[slice_][rows, None].astype(np.float64)
        yield SamplePaths(tp, fp, before, relevant, other)


def rows_of_paths(paths: Iterable[SamplePaths], rows: Int64) -> SamplePaths:
    """The given rows of the path of the data themselves, whose parts come one after another."""
    columns, start, last = np.zeros((3, len(rows), 1)), 0, rows.max(initial=-1)
    for path in paths:
        if not start and last < len(path.tp):
            return SamplePaths(
                path.tp[rows], path.fp[rows], path.before[rows], path.relevant, path.other
            )
        is_inside = (rows >= start) & (rows < start + len(path.tp))
        at = rows[is_inside] - start
        columns[:, is_inside] = path.tp[at], path.fp[at], path.before[at]
        start += len(path.tp)
    return SamplePaths(columns[0], columns[1], columns[2], path.relevant, path.other)


def resample_paths(blocks: Blocks, samples: int, rng: np.random.Generator) -> Iterator[SamplePaths]:
    """Paths of samples of the cases with replacement, in batches; samples without a relevant case
    are included.
    """
    if blocks.cases is not None:
        weighed, unit = WeightedCases(blocks.cases, int(blocks.missed)), blocks.cases_per_weight()
        for start in range(0, samples, weighed.batch):
            *columns, missed = weighed.paths(
                *weighed.streams(min(weighed.batch, samples - start), rng)
            )
            tp, fp, before, hits, others = (unit * column.T for column in columns)
            yield SamplePaths(tp, fp, before, hits + unit * missed, others)
        return
    list_steps = steps(blocks, joined=False)
    cells = Cells(list_steps.cells)
    size = max(1, min(samples, _BATCH_OF_PATHS // len(list_steps.cells)))
    # At least two: for a single row NumPy cannot tell the memory order, and might add up in another
    # order.
    at_a_time = max(2, _NEAR_AT_HAND // len(list_steps.cells))
    for start in range(0, samples, size):
        batch = cells.draw(min(size, samples - start), rng)
        for row in range(0, len(batch), at_a_time):
            yield _path(list_steps, batch[row : row + at_a_time])


def resample_heights(
    blocks: Blocks, share: Float64, of_others: bool, samples: int, rng: np.random.Generator
) -> tuple[Float64, Float64]:
    """For samples of cases without weights: relevant cases accepted when shares of the cases are
    reached, and the totals that they are shares of.
    """
    list_steps = steps(blocks, joined=False)
    return Cells(list_steps.cells).heights(list_steps.block, share, of_others, samples, rng)


def resample_best(
    blocks: Blocks, square: float, samples: int, rng: np.random.Generator
) -> tuple[Int64, SamplePaths]:
    """The threshold of greatest F in each sample (the first of equal ones), and the counts that it
    accepts; `square` is β².

    The blocks must come from `Blocks.thin`.
    """
    # By trial, these lengths need the fewest draws: those of stretches, plus those of single cases
    # in stretches that may hold the greatest F.
    count, root = len(blocks.positive) - 1, math.isqrt(int(blocks.relevant + blocks.other))
    ladder, sizes = make_ladder(
        blocks, max(1, min(1 << count.bit_length() // 3, count // max(2 * root, 1)))
    )
    row, tp, fp, relevant = Cells(sizes).best(ladder, square, samples, rng)
    accepted, wrong = tp[None].astype(np.float64), fp[None].astype(np.float64)
    return row, SamplePaths(accepted, wrong, wrong, relevant.astype(np.float64), wrong[0])


def make_ladder(blocks: Blocks, length: int) -> tuple[Ladder, Int64]:
    """The steps of blocks from `Blocks.thin` in stretches of `length`, and the sizes of their
    cells.

    Examples
    --------
    >>> ladder, sizes = make_ladder(
    ...     Blocks(np.array([1, 1, 0, 2, 0]), np.array([0, 0, 3, 1, 2])).thin(), 2
    ... )
    >>> ladder.start.tolist(), ladder.others.tolist(), ladder.hits.tolist(), sizes.tolist()
    ([0, 2, 3], [0, 0, 4], [1, 1, 2], [0, 4, 2, 2, 2, 0])
    """
    hits, others, count = blocks.positive[:-1], blocks.negative[:-1], len(blocks.positive) - 1
    start = np.append(np.arange(0, count, length), count)
    sums = [
        np.add.reduceat(column, start[:-1], dtype=np.int64) if count else column
        for column in (others, hits)
    ]
    return Ladder(start, others, hits), np.concatenate(
        (*sums, [blocks.negative[-1], int(blocks.missed)])
    )


def _path(list_steps: ListSteps, draws: np.ndarray) -> SamplePaths:
    """The paths of samples x cells.

    The numbers of a sample stay side by side in memory, because sums along them take most of the
    time.
    """
    tp, fp, before = (
        column.astype(np.float64).T for column in accepted_counts(draws, list_steps.block)
    )
    if not len(list_steps.gap):
        tp = fp = before = np.zeros((1, len(draws)))
    return SamplePaths(tp, fp, before, tp[-1] + draws[:, -1], fp[-1] + draws[:, -2])
