"""Resampled cases, their average precision and their operating points, without sorting any of them again.

The list is a row of steps: a gap of other cases, then relevant ones. Cases inside a gap or a step are exchangeable, so a sample
is told by how many of its draws fall into each: a multinomial over few cells. A case drawn several times stands in several
places next to each other, as cases of almost equal scores would (as ties the copies would count in each other's precision and
double its bias): a step of untied relevant cases, drawn w times after t cases of which fp are others, adds
Σ_{c=1..w} (1 - fp / (t + c)) = w - fp (H(t + w) - H(t)), H the harmonic numbers. Cases that are tied in the data stay tied: a
block adds w times the precision at its end. Real weights and groups have no cells: all copies of a case are one block.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from precall.errors import UsageError
from precall.infer.blocks import Blocks
from precall.infer.resample.multinomial import Cells
from precall.ragged import Bool, Float64, Int64

#: Numbers in one batch of samples, and of their paths.
_BATCH, _BATCH_OF_PATHS = 1 << 20, 1 << 21
#: In the place of no weight at all; weights may be small.
_LEAST = 1e-300


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
        """Sizes: all gaps, all hits, tied others of blocks, the gap below the last step, missed items."""
        return np.concatenate((self.gap, self.hits, self.tied[self.block], [self.rest, self.missed]))

    @property
    def kinds(self) -> list[Int64]:
        """The relevant cells, and the others."""
        size, count = len(self.gap), len(self.cells)
        relevant = np.append(np.arange(size, 2 * size), count - 1)
        return [relevant, np.append(np.arange(size), np.arange(2 * size, count - 1))]


def steps(blocks: Blocks, joined: bool = True) -> Steps:
    """The steps of a list of whole cases; where `joined`, untied relevant cases that follow each other are one step.

    Examples
    --------
    >>> found = steps(Blocks(np.array([1, 1, 0, 2, 0]), np.array([0, 0, 3, 1, 2])))
    >>> found.gap.tolist(), found.hits.tolist(), found.tied.tolist(), found.rest
    ([0, 3], [2, 2], [0, 1], 2)
    """
    positive, negative = (np.asarray(part, np.int64) for part in (blocks.positive, blocks.negative))
    rows = np.flatnonzero(positive)
    others = np.concatenate(([0], np.cumsum(negative)))
    hits, tied = positive[rows], negative[rows]
    before = others[rows]
    gap = np.diff(before - np.concatenate(([0], np.cumsum(tied)[:-1])), prepend=0) if len(rows) else before
    block = (hits > 1) | (tied > 0)
    # Neighbours without a gap between them are one step.
    lead = np.ones(len(rows), np.bool_)
    if joined:
        lead[1:] = (gap[1:] > 0) | block[1:] | block[:-1]
    first = np.flatnonzero(lead)
    rest = int(others[-1] - gap.sum() - tied.sum())
    return Steps(
        gap[first], np.add.reduceat(hits, first), tied[first], block[first], rest, int(blocks.missed)
    )


def replicates(blocks: Blocks, samples: int, rng: np.random.Generator, stratified: bool = False) -> Float64:
    """Average precision of samples of the cases, drawn with replacement; those without a relevant case are drawn again.

    Where `stratified`, relevant and other cases are drawn by themselves, as many as there are of each.
    """
    if blocks.cases is not None and stratified:
        raise UsageError("stratified: not with real weights or groups; leave one of them out")
    if blocks.cases is not None:

        def drawn(count: int) -> Float64:
            return np.concatenate([_precisions(*sample) for sample in redrawn(blocks, count, rng)])
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


def redrawn(
    blocks: Blocks, samples: int, rng: np.random.Generator
) -> Iterator[tuple[Float64, Float64, Float64]]:
    """Relevant and other weight of every block (samples x blocks), and missed items, in batches of samples."""
    cases = blocks.cases
    assert cases is not None
    unit = np.arange(len(cases.block)) if cases.group is None else cases.group
    order = np.argsort(cases.block, kind="stable")
    start = np.searchsorted(cases.block[order], np.arange(len(blocks.positive)))
    positive = np.where(cases.relevant, cases.weight, 0.0)[order]
    negative = np.where(cases.relevant, 0.0, cases.weight)[order]
    unit, units = unit[order], int(unit.max(initial=-1)) + 1
    missed = int(blocks.missed)
    # Missed items are all alike: where they are very many, only their number is drawn.
    counted = 0 if missed > _BATCH else missed
    every = units + counted
    size = max(1, min(samples, _BATCH // (every + len(order))))
    for begin in range(0, samples, size):
        count = min(size, samples - begin)
        alike = np.zeros(count, np.int64)
        if missed > counted:
            alike = rng.binomial(units + missed, missed / (units + missed), count)
        draws = units + missed - alike
        drawn = rng.integers(0, every, int(draws.sum())) + every * np.repeat(np.arange(count), draws)
        times = np.bincount(drawn, minlength=count * every).reshape(count, every)
        each = times[:, unit].astype(np.float64)
        hits, others = positive * each, negative * each
        if len(start) < len(order):
            hits, others = (np.add.reduceat(part, start, axis=1) for part in (hits, others))
        yield hits, others, (times[:, units:].sum(axis=1) + alike).astype(np.float64)


def _precisions(hits: Float64, others: Float64, missed: Float64) -> Float64:
    tp = np.cumsum(hits, axis=1)
    share = tp / np.maximum(tp + np.cumsum(others, axis=1), _LEAST)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.einsum("ij,ij->i", hits, share) / (tp[:, -1] + missed))


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """Counts accepted at each threshold that a relevant case has, best first, one column per sample.

    `before` is what of `fp` stands above the threshold's own block; of `relevant` and `other` there are so many in a sample.
    """

    tp: Float64
    fp: Float64
    before: Float64
    relevant: Float64
    other: Float64

    @property
    def precision(self) -> Float64:
        """TP / accepted; 0 where nothing is."""
        return np.asarray(self.tp / np.maximum(self.tp + self.fp, _LEAST))

    def f(self, square: float) -> Float64:
        """F at every threshold; `square` is β²."""
        whole = square * self.relevant + self.tp + self.fp
        return np.asarray((1 + square) * self.tp / np.maximum(whole, _LEAST))

    def at(self, row: Int64, column: Int64) -> Path:
        """One row only: of each of these columns the threshold chosen there."""
        tp, fp, before = (part[row, column][None] for part in (self.tp, self.fp, self.before))
        return Path(tp, fp, before, self.relevant[column], self.other[column])


def observed(blocks: Blocks) -> Path:
    """The path of the data themselves, as one column."""
    if blocks.cases is not None:
        hits, others = (np.asarray(part, np.float64)[None] for part in (blocks.positive, blocks.negative))
        return _weighed(hits, others, np.array([float(blocks.missed)]), blocks)
    way = steps(blocks, joined=False)
    return _path(way, way.cells[None])


def resampled(blocks: Blocks, samples: int, rng: np.random.Generator) -> Iterator[Path]:
    """Paths of samples of the cases with replacement, in batches, as `redrawn`; those without a relevant case come, too."""
    if blocks.cases is not None:
        for hits, others, missed in redrawn(blocks, samples, rng):
            yield _weighed(hits, others, missed, blocks)
        return
    way = steps(blocks, joined=False)
    cells = Cells(way.cells)
    size = max(1, min(samples, _BATCH_OF_PATHS // len(way.cells)))
    for start in range(0, samples, size):
        yield _path(way, cells.draw(min(size, samples - start), rng))


def _weighed(hits: Float64, others: Float64, missed: Float64, blocks: Blocks) -> Path:
    """Of samples x blocks of weights; real ones in effective numbers of cases."""
    rows = np.flatnonzero(blocks.positive)
    unit = blocks.cases_per_weight()
    tp, fp = (unit * np.cumsum(part, axis=1) for part in (hits, others))
    before = fp - unit * others
    hit, wrong, above = (np.ascontiguousarray(part[:, rows]).T for part in (tp, fp, before))
    return Path(hit, wrong, above, tp[:, -1] + unit * missed, fp[:, -1])


def _path(way: Steps, drawn: np.ndarray) -> Path:
    """Of samples x cells. A sample's numbers stay side by side in memory: sums along it are what takes the time."""
    size = len(way.gap)
    wrong, tied = drawn[:, :size], drawn[:, 2 * size : 2 * size + np.count_nonzero(way.block)]
    if tied.size:
        wrong = wrong.copy()
        wrong[:, way.block] += tied
    tp, fp = (np.cumsum(part, axis=1, dtype=np.float64).T for part in (drawn[:, size : 2 * size], wrong))
    before = fp
    if tied.size:
        before = fp.copy(order="K")
        before[way.block] -= tied.T
    if not size:
        tp = fp = before = np.zeros((1, len(drawn)))
    return Path(tp, fp, before, tp[-1] + drawn[:, -1], fp[-1] + drawn[:, -2])
