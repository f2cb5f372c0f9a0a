"""Operating points of resampled cases: how many are accepted, and how many of them are relevant, at each
threshold of the data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from precall.infer.blocks import Blocks
from precall.infer.resample.multinomial import Cells
from precall.infer.resample.resampling import Steps, redrawn, steps
from precall.ragged import Float64, Int64

#: Numbers in one batch of samples.
_BATCH = 1 << 21
#: In the place of no weight at all; weights may be small.
_LEAST = 1e-300


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """Counts accepted at each threshold that a relevant case has, best first, one column per sample.

    `before` is what of `fp` stands above the threshold's own block; `relevant` and `other` are how many there are
    of each kind in a sample.
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
    """Paths of samples of the cases with replacement, in batches; those without a relevant case come, too.

    Groups are drawn as a whole; real weights stay with their cases.
    """
    if blocks.cases is not None:
        for hits, others, missed in redrawn(blocks, samples, rng):
            yield _weighed(hits, others, missed, blocks)
        return
    way = steps(blocks, joined=False)
    cells = Cells(way.cells)
    size = max(1, min(samples, _BATCH // len(way.cells)))
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
