"""Resampled cases, their average precision and their operating points, without sorting any of them
again.

The list is a row of steps: a gap of other cases, then relevant ones. Cases inside a gap or a step
are exchangeable, so a sample is told by how many of its draws fall into each: a multinomial over
few cells. A case drawn several times stands in several places next to each other, as cases of
almost equal scores would (as ties the copies would count in each other's precision and double its
bias): a step of untied relevant cases, drawn w times after t cases of which fp are others, adds
Σ_{c=1..w} (1 - fp / (t + c)) = w - fp (H(t + w) - H(t)), H the harmonic numbers. Cases that are
tied in the data stay tied: a block adds w times the precision at its end. Real weights and groups
have no cells: all copies of a case are one block.
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
from precall.native.twin_heights import accepted
from precall.native.twin_resampling import LEAST_WEIGHT, Int32
from precall.stats.blocks import Blocks, Cases
from precall.stats.resample.batches import random_words
from precall.stats.resample.multinomial import Cells, Words

#: Numbers in one batch of paths.
_BATCH_OF_PATHS = 1 << 21
#: ... and of how often units are drawn.
_BATCH_OF_UNITS = 1 << 23
#: Cells of samples whose paths are made at a time: these stay in the processor's cache, and take
#: the same memory again.
_NEAR_AT_HAND = 1 << 15


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """Steps of a list: other cases before each, relevant ones, and other ones in the same block."""

    gap: Int64
    hits: Int64
    tied: Int64
    block: Bool
    rest: int
    missed: int

    @property
    def cells(self) -> Int64:
        """Sizes: all gaps, all hits, tied others of blocks, the gap below the last step, missed
        items.
        """
        return np.concatenate(
            (self.gap, self.hits, self.tied[self.block], [self.rest, self.missed])
        )

    @property
    def kinds(self) -> list[Int64]:
        """The relevant cells, and the others."""
        size, count = len(self.gap), len(self.cells)
        relevant = np.append(np.arange(size, 2 * size), count - 1)
        return [relevant, np.append(np.arange(size), np.arange(2 * size, count - 1))]


def steps(blocks: Blocks, joined: bool = True) -> Steps:
    """The steps of a list of whole cases; where `joined`, untied relevant cases that follow each
    other are one step.

    Examples
    --------
    >>> found = steps(Blocks(np.array([1, 1, 0, 2, 0]), np.array([0, 0, 3, 1, 2])))
    >>> found.gap.tolist(), found.hits.tolist(), found.tied.tolist(), found.rest
    ([0, 3], [2, 2], [0, 1], 2)
    """
    positive, negative = (np.asarray(part, np.int64) for part in (blocks.positive, blocks.negative))
    rows = positive.nonzero()[0]
    hits, tied = positive[rows], negative[rows]
    # The others up to the end of each; by slices: np.diff and np.concatenate take longer than the
    # rest.
    ends = negative.cumsum()[rows]
    gap = ends - tied
    gap[1:] -= ends[:-1]
    block = (hits > 1) | (tied > 0)
    below = int(negative.sum() - (ends[-1] if len(rows) else 0)), int(blocks.missed)
    if not joined:
        return Steps(gap, hits, tied, block, *below)
    # Neighbours without a gap between them are one step.
    lead = np.ones(len(rows), np.bool_)
    lead[1:] = (gap[1:] > 0) | block[1:] | block[:-1]
    first = np.flatnonzero(lead)
    return Steps(gap[first], np.add.reduceat(hits, first), tied[first], block[first], *below)


def replicates(
    blocks: Blocks, samples: int, rng: np.random.Generator, stratified: bool = False
) -> Float64:
    """Average precision of samples of the cases, drawn with replacement; those without a relevant
    case are drawn again.

    Where `stratified`, relevant and other cases are drawn by themselves, as many as there are of
    each.
    """
    if blocks.cases is not None and stratified:
        raise UsageError(
            argument="stratified",
            what="not with real weights or groups",
            remedy="leave one of them out",
        )
    if blocks.cases is not None:
        weighed = Weighed(blocks.cases, int(blocks.missed))

        def drawn(count: int) -> Float64:
            return weighed.precisions(*weighed.streams(count, rng))
    else:
        way = steps(blocks)
        cells = Cells(way.cells, way.kinds if stratified else None)

        def drawn(count: int) -> Float64:
            return cells.precisions(way.block, count, rng)

    values = np.zeros(0)
    while lacking := samples - len(values):
        more = drawn(lacking)
        values = np.append(values, more[~np.isnan(more)])
    return values


class Weighed:
    """Cases with real weights, or in groups, to be drawn one by one: what the kernel takes.

    Parameters
    ----------
    cases : the cases.
    missed : missed items, of which none is in a group.
    """

    def __init__(self, cases: Cases, missed: int = 0) -> None:
        order = np.argsort(cases.block, kind="stable")
        listed = np.arange(len(order)) if cases.group is None else cases.group
        self.units, self.missed, self.cases = int(listed.max(initial=-1)) + 1, missed, cases
        weight, relevant = cases.weight[order], cases.relevant[order]
        end = np.cumsum(np.bincount(cases.block))
        stops = np.flatnonzero(np.bincount(cases.block[cases.relevant]))
        self.tables = Cells(np.ones(self.units, np.int64), fixed=False).tables
        self.list = (
            listed[order].astype(np.int32),
            np.where(relevant, weight, 0.0),
            np.where(relevant, 0.0, weight),
            np.append(0, end)[stops],
            end[stops],
        )

    @property
    def batch(self) -> int:
        """How many samples' paths are held at a time."""
        return max(1, _BATCH_OF_PATHS // max(len(self.list[-1]), 1))

    def streams(self, samples: int, rng: np.random.Generator) -> tuple[Words, Int64]:
        """Where the random stream of each sample begins, and how many units it draws, in a column;
        the rest is missed items.
        """
        whole = self.units + self.missed
        units = whole - rng.binomial(whole, self.missed / max(whole, 1), samples)
        return random_words(rng, samples), units[:, None]

    def paths(self, seed: Words, units: Int64) -> list[Float64]:
        """As `native.twin_resampling.draw_paths` gives them, and how many missed items each sample
        has.
        """
        paths = kernel().draw_paths(
            seed, units.ravel(), *self.tables, self.units, *self.list, thread_count()
        )
        return [*paths, self._missed(units)]

    def precisions(self, seed: Words, units: Int64, apart: bool = False) -> Float64:
        """Average precision; where `apart`, copies of a case that stands alone follow one
        another.
        """
        gain, hits = kernel().draw_gains(
            seed, units.ravel(), *self.tables, self.units, *self.list, apart, thread_count()
        )
        relevant = hits + self._missed(units)
        return np.where(relevant > 0, gain / np.maximum(relevant, LEAST_WEIGHT), np.nan)

    def areas(self, seed: Words, units: Int64, part: float | None = None) -> Float64:
        """Area under ROC, or its `part` up to a false positive rate; NaN where all are of one
        class.
        """
        areas, size = [np.zeros(0)], self.batch
        for start in range(0, len(seed), size):
            tp, fp, before, hits, others, missed = self.paths(
                seed[start : start + size], units[start : start + size]
            )
            areas.append(_areas(tp, fp, before, hits + missed, others, part, 1))
        return np.concatenate(areas)

    def ranking(self) -> tuple[Int32, Int64, Int64, Int64]:
        """As `native.twin_winning.count_wins` takes it, of weights that are all 1."""
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

    def _missed(self, units: Int64) -> Float64:
        return np.asarray(self.units + self.missed - units.sum(axis=1), np.float64)


def areas(
    lists: Sequence[Weighed], seed: Words, units: Int64, part: float | None = None
) -> list[Float64]:
    """Areas under ROC of lists of the same units, or their `part` up to a false positive rate; NaN
    where one class is all.
    """
    one = lists[0]
    if part is not None or any(np.any(each.cases.weight != 1) for each in lists):
        return [each.areas(seed, units, part) for each in lists]
    rankings = [each.ranking() for each in lists]
    found = [np.zeros((len(lists), 0))]
    size = max(1, _BATCH_OF_UNITS // max(one.units, 1))
    # The kernel counts 64 samples side by side.
    size -= size % 64 if size > 64 else 0
    for start in range(0, len(seed), size):
        some = slice(start, start + size)
        drawn = kernel().draw_cells(
            seed[some], units[some].ravel(), *one.tables, one.units, thread_count()
        )
        values = []
        for ranking in rankings:
            twice, hits, others = kernel().count_wins(
                drawn.ravel(), one.units, *ranking, thread_count()
            )
            with np.errstate(invalid="ignore"):
                values.append(twice / 2 / ((hits + one._missed(units[some])) * others))
        found.append(np.array(values))
    return list(np.concatenate(found, axis=1))


def _areas(
    tp: Float64,
    fp: Float64,
    before: Float64,
    relevant: Float64,
    other: Float64,
    part: float | None,
    axis: int,
) -> Float64:
    """Areas under ROC of paths, thresholds along `axis`, or their `part` up to a false positive
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
class Path:
    """Counts accepted at each threshold that a relevant case has, best first, one column per
    sample.

    `before` is what of `fp` stands above the threshold's own block; of `relevant` and `other` there
    are so many in a sample.
    """

    tp: Float64
    fp: Float64
    before: Float64
    relevant: Float64
    other: Float64

    @property
    def precision(self) -> Float64:
        """TP / accepted; 0 where nothing is."""
        return np.asarray(self.tp / np.maximum(self.tp + self.fp, LEAST_WEIGHT))

    def f(self, square: float) -> Float64:
        """F at every threshold; `square` is β²."""
        whole = square * self.relevant + self.tp + self.fp
        return np.asarray((1 + square) * self.tp / np.maximum(whole, LEAST_WEIGHT))

    def area(self, part: float) -> Float64:
        """The part of the area under ROC up to a false positive rate; NaN where all are of one
        class.
        """
        return _areas(self.tp, self.fp, self.before, self.relevant, self.other, part, 0)

    def at(self, row: Int64, column: Int64) -> Path:
        """One row only: of each of these columns the threshold chosen there."""
        tp, fp, before = (part[row, column][None] for part in (self.tp, self.fp, self.before))
        return Path(tp, fp, before, self.relevant[column], self.other[column])


def observed(blocks: Blocks) -> Path:
    """The path of the data themselves, as one column."""
    parts = list(observed_by_parts(blocks))
    if len(parts) == 1:
        return parts[0]
    tp, fp, before = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("tp", "fp", "before")
    )
    return Path(tp, fp, before, parts[0].relevant, parts[0].other)


def observed_by_parts(blocks: Blocks) -> Iterator[Path]:
    """The same of some blocks at a time."""
    unit, whole = blocks.cases_per_weight(), (blocks.relevant - blocks.missed, blocks.other)
    if blocks.positive.dtype.kind == "f":
        # Real weights as the last threshold adds them up.
        whole = float(blocks.tp[-1]), float(blocks.fp[-1])
    relevant, other = (
        np.array([unit * whole[0] + unit * blocks.missed]),
        np.array([unit * whole[1]]),
    )
    for part, hits, others in blocks.parts():
        rows = blocks.positive[part].nonzero()[0]
        tp, fp = (unit * counts[rows, None].astype(np.float64) for counts in (hits, others))
        before = fp - unit * blocks.negative[part][rows, None].astype(np.float64)
        yield Path(tp, fp, before, relevant, other)


def accepted_at(paths: Iterable[Path], rows: Int64) -> Path:
    """Some rows of the path of the data themselves, of which there are some at a time."""
    columns, start, last = np.zeros((3, len(rows), 1)), 0, rows.max(initial=-1)
    for path in paths:
        if not start and last < len(path.tp):
            return Path(path.tp[rows], path.fp[rows], path.before[rows], path.relevant, path.other)
        inside = (rows >= start) & (rows < start + len(path.tp))
        at = rows[inside] - start
        columns[:, inside] = path.tp[at], path.fp[at], path.before[at]
        start += len(path.tp)
    return Path(columns[0], columns[1], columns[2], path.relevant, path.other)


def resampled(blocks: Blocks, samples: int, rng: np.random.Generator) -> Iterator[Path]:
    """Paths of samples of the cases with replacement, in batches, as `redrawn`; those without a
    relevant case come, too.
    """
    if blocks.cases is not None:
        weighed, unit = Weighed(blocks.cases, int(blocks.missed)), blocks.cases_per_weight()
        for start in range(0, samples, weighed.batch):
            *drawn, missed = weighed.paths(
                *weighed.streams(min(weighed.batch, samples - start), rng)
            )
            tp, fp, before, hits, others = (unit * part.T for part in drawn)
            yield Path(tp, fp, before, hits + unit * missed, others)
        return
    way = steps(blocks, joined=False)
    cells = Cells(way.cells)
    size = max(1, min(samples, _BATCH_OF_PATHS // len(way.cells)))
    # Two at least: of one alone NumPy does not see which way it lies, and might add up in another
    # order.
    few = max(2, _NEAR_AT_HAND // len(way.cells))
    for start in range(0, samples, size):
        batch = cells.draw(min(size, samples - start), rng)
        for row in range(0, len(batch), few):
            yield _path(way, batch[row : row + few])


def heights_resampled(
    blocks: Blocks, share: Float64, of_others: bool, samples: int, rng: np.random.Generator
) -> tuple[Float64, Float64]:
    """Of samples of cases without weights: relevant cases accepted where shares of the cases are
    reached, and of how many.
    """
    way = steps(blocks, joined=False)
    return Cells(way.cells).heights(way.block, share, of_others, samples, rng)


def best_resampled(
    blocks: Blocks, square: float, samples: int, rng: np.random.Generator
) -> tuple[Int64, Path]:
    """Of as many samples the threshold of greatest F, the first of equal ones, and what it accepts;
    `square` is β².

    The blocks are `thinned` ones.
    """
    # By trial with such lengths draws are fewest: those by stretches, and those of cases where the
    # greatest F may be.
    count, root = len(blocks.positive) - 1, math.isqrt(int(blocks.relevant + blocks.other))
    ladder, sizes = stretched(
        blocks, max(1, min(1 << count.bit_length() // 3, count // max(2 * root, 1)))
    )
    row, tp, fp, relevant = Cells(sizes).best(ladder, square, samples, rng)
    accepted, wrong = tp[None].astype(np.float64), fp[None].astype(np.float64)
    return row, Path(accepted, wrong, wrong, relevant.astype(np.float64), wrong[0])


def stretched(blocks: Blocks, length: int) -> tuple[Ladder, Int64]:
    """The steps of `thinned` blocks in stretches of so many, and the sizes of their cells.

    Examples
    --------
    >>> ladder, sizes = stretched(
    ...     Blocks(np.array([1, 1, 0, 2, 0]), np.array([0, 0, 3, 1, 2])).thinned(), 2
    ... )
    >>> ladder.start.tolist(), ladder.others.tolist(), ladder.hits.tolist(), sizes.tolist()
    ([0, 2, 3], [0, 0, 4], [1, 1, 2], [0, 4, 2, 2, 2, 0])
    """
    hits, others, count = blocks.positive[:-1], blocks.negative[:-1], len(blocks.positive) - 1
    start = np.append(np.arange(0, count, length), count)
    sums = [
        np.add.reduceat(part, start[:-1], dtype=np.int64) if count else part
        for part in (others, hits)
    ]
    return Ladder(start, others, hits), np.concatenate(
        (*sums, [blocks.negative[-1], int(blocks.missed)])
    )


def _path(way: Steps, drawn: np.ndarray) -> Path:
    """Of samples x cells. A sample's numbers stay side by side in memory: sums along it are what
    takes the time.
    """
    tp, fp, before = (part.astype(np.float64).T for part in accepted(drawn, way.block))
    if not len(way.gap):
        tp = fp = before = np.zeros((1, len(drawn)))
    return Path(tp, fp, before, tp[-1] + drawn[:, -1], fp[-1] + drawn[:, -2])
