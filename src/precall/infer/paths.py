"""Operating points of resampled cases: how many are accepted, and how many of them are relevant, at each
threshold of the data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from precall.errors import UsageError
from precall.infer.blocks import Blocks
from precall.infer.multinomial import Cells
from precall.infer.resampling import Steps, steps
from precall.ragged import Float64

#: Numbers in one batch of samples.
_BATCH = 1 << 21


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """Counts accepted at each threshold that a relevant case has, best first, one column per sample.

    `relevant` and `other` are how many there are of each kind in a sample.
    """

    tp: Float64
    fp: Float64
    relevant: Float64
    other: Float64

    @property
    def precision(self) -> Float64:
        """TP / accepted; 0 where nothing is."""
        return np.asarray(self.tp / np.maximum(self.tp + self.fp, 1.0))

    def f(self, square: float) -> Float64:
        """F at every threshold; `square` is β²."""
        whole = square * self.relevant + self.tp + self.fp
        return np.asarray((1 + square) * self.tp / np.maximum(whole, 1.0))


def observed(blocks: Blocks) -> Path:
    """The path of the data themselves, as one column."""
    way = steps(blocks, joined=False)
    return _path(way, way.cells[:, None])


def resampled(blocks: Blocks, samples: int, rng: np.random.Generator) -> Iterator[Path]:
    """Paths of samples of the cases with replacement, in batches; those without a relevant case come, too."""
    if blocks.cases is not None:
        raise UsageError("weights, groups: not for tuned thresholds and bands; leave them out")
    way = steps(blocks, joined=False)
    cells = Cells(way.cells)
    size = max(1, min(samples, _BATCH // len(way.cells)))
    for start in range(0, samples, size):
        yield _path(way, cells.draw(min(size, samples - start), rng).T)


def _path(way: Steps, drawn: np.ndarray) -> Path:
    size = len(way.gap)
    hits, wrong = drawn[size : 2 * size].astype(np.float64), drawn[:size].astype(np.float64)
    wrong[way.block] += drawn[2 * size : 2 * size + np.count_nonzero(way.block)]
    tp, fp = np.cumsum(hits, axis=0), np.cumsum(wrong, axis=0)
    if not size:
        tp = fp = np.zeros((1, drawn.shape[1]))
    return Path(tp, fp, tp[-1] + drawn[-1], fp[-1] + drawn[-2])
