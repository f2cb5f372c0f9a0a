"""Many multinomial samples at once: how often each cell is drawn in samples of n items from n.

Drawn directly a cell costs a binomial number, some 140 ns. Here every cell first gets a Poisson number of
a little less than its size, read from a table by 16 random bits; the few draws that a sample then lacks are
drawn one by one. Poisson numbers given their sum are multinomial, so the result is exactly so, too; a
sample whose Poisson numbers exceed n (one of 30,000) is drawn again.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from precall.ragged import Float64, Int64

Int32 = npt.NDArray[np.int32]
#: Standard deviations of the sum by which the Poisson numbers stay below n.
_MARGIN = 4.0
#: Sizes are drawn as sums of 16^j times 0..15; what is left above this comes from NumPy's Poisson.
_LARGEST = 16**3
_BITS = 1 << 16
_UNSURE = np.iinfo(np.uint16).max


class Cells:
    """Cells of given sizes, n items in all; `draw` gives how often each is hit by n draws.

    Examples
    --------
    >>> drawn = Cells(np.array([3, 1, 4])).draw(2, np.random.default_rng(1))
    >>> drawn.shape, drawn.sum(axis=0)
    ((3, 2), array([8, 8]))
    """

    def __init__(self, sizes: Int64) -> None:
        self.sizes = sizes
        self.total = int(sizes.sum())
        self.cell = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
        self.keep = max(1 - _MARGIN / math.sqrt(max(self.total, 1)), 0.0)
        self.parts = list(_parts(sizes, self.keep)) if self.keep > 0 else []

    def draw(self, samples: int, rng: np.random.Generator) -> Int32:
        """Cells x samples, each column a multinomial draw of n items."""
        found = self._poisson(samples, rng)
        lacking = self.total - found.sum(axis=0, dtype=np.int64)
        while (lacking < 0).any():
            again = np.flatnonzero(lacking < 0)
            found[:, again] = self._poisson(len(again), rng)
            lacking = self.total - found.sum(axis=0, dtype=np.int64)
        which = np.repeat(np.arange(samples), lacking)
        if self.total:
            cell = self.cell[rng.integers(0, self.total, len(which))]
            np.add.at(found.reshape(-1), cell * np.int64(samples) + which, np.int32(1))
        return found

    def _poisson(self, samples: int, rng: np.random.Generator) -> Int32:
        found = np.zeros((len(self.sizes), samples), np.int32)
        for cells, table in self.parts:
            if table is None:
                left = self.sizes[cells] // _LARGEST * _LARGEST
                found[cells] += rng.poisson((left * self.keep)[:, None], (len(cells), samples)).astype(
                    np.int32
                )
                continue
            step = max(1, (1 << 18) // samples)
            for start in range(0, len(cells), step):
                some = cells[start : start + step]
                found[some] += table.draw((len(some), samples), rng)
        return found


def _parts(sizes: Int64, keep: float) -> Iterator[tuple[Int64, Poisson | None]]:
    """Which cells get a Poisson number of which mean."""
    unit = 1
    while unit < _LARGEST:
        digit = sizes // unit % 16
        for value in range(1, 16):
            cells = np.flatnonzero(digit == value)
            if len(cells):
                yield cells, Poisson(value * unit * keep)
        unit *= 16
    large = np.flatnonzero(sizes >= _LARGEST)
    if len(large):
        yield large, None


class Poisson:
    """Poisson numbers by a table of 65536 entries; where an entry does not decide, more bits do."""

    def __init__(self, mean: float) -> None:
        top = int(mean + 12 * math.sqrt(mean) + 40)
        k = np.arange(top + 1)
        logs = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, top + 1)))))
        self.below: Float64 = np.cumsum(np.exp(k * math.log(mean) - mean - logs))
        # The number for u in [0, 1) is how many of `below` are <= u: the same all over an entry, or unsure.
        scaled = np.minimum(self.below, 1.0) * _BITS
        first = np.cumsum(np.bincount(np.ceil(scaled).astype(np.int64), minlength=_BITS + 1))[:_BITS]
        last = np.cumsum(np.bincount(np.floor(scaled).astype(np.int64), minlength=_BITS + 1))[:_BITS]
        self.table = np.where(first == last, first, _UNSURE).astype(np.uint16)

    def draw(self, shape: tuple[int, int], rng: np.random.Generator) -> npt.NDArray[np.uint16]:
        """An array of that shape."""
        count = shape[0] * shape[1]
        words = rng.integers(0, 2**64 - 1, -(-count // 4), dtype=np.uint64, endpoint=True)
        index = words.view(np.uint16)[:count]
        found = self.table.take(index)
        unsure = np.flatnonzero(found == _UNSURE)
        if len(unsure):
            place = (index[unsure] + rng.random(len(unsure))) / _BITS
            least = np.searchsorted(self.below, place, side="right")
            found[unsure] = np.minimum(least, len(self.below) - 1)
        return found.reshape(shape)
