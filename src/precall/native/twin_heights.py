"""What samples of cases accept where shares of them are reached, in NumPy; the kernel's are in
`resampling.cpp`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from precall.native.twin_resampling import LEAST_WEIGHT, Float64, Int32, Int64, Urns, Words, samples

#: More cases than a sample has, so that the samples of a batch lie apart on one line.
_APART = 1 << 33


def draw_heights(
    seed: Words,
    target: Int64,
    place: Int32,
    place_start: Int64,
    least: Int32,
    below: Words,
    below_start: Int64,
    owner: Int32,
    owner_start: Int64,
    stratum: Int64,
    block: npt.NDArray[np.bool_],
    share: Float64,
    of_others: bool,
    threads: int,
) -> tuple[Float64, Float64]:
    """Relevant cases accepted where shares of the cases are reached, and what they are parts of:
    samples x shares, of both.

    Of relevant cases: at the first step by which so many are accepted, else at the last; parts of
    all that is accepted. Of others: as many relevant ones as can be without more of them, in a
    block in proportion; parts of all relevant cases. Cells are those of `draw_precisions`.
    """
    cells = 2 * len(block) + int(np.count_nonzero(block)) + 2
    urns = Urns(place, place_start, least, below, below_start, owner, owner_start, stratum, cells)
    if np.any(np.diff(share, prepend=0.0, append=2.0) < 0) or np.any(np.isnan(share)):
        raise ValueError("shares: must ascend, from 0 to 2")
    none = np.zeros((0, len(share)))
    parts = [
        heights(drawn, block, share, of_others)
        for drawn, *_ in samples(urns, seed, target, len(block))
    ]
    hits, whole = (np.concatenate([none, *(part[i] for part in parts)]) for i in range(2))
    return hits, whole


def heights(
    drawn: npt.NDArray[Any], block: npt.NDArray[np.bool_], share: Float64, of_others: bool
) -> tuple[Float64, Float64]:
    """What `draw_heights` says of samples x cells."""
    if not len(block):
        block = np.zeros(1, np.bool_)
        drawn = np.pad(drawn, ((0, 0), (2, 0)))
    tp, fp, before = accepted(drawn, block)
    relevant, other = tp[:, -1] + drawn[:, -1], fp[:, -1] + drawn[:, -2]
    sample, last = np.arange(len(drawn))[:, None], len(block) - 1
    if not of_others:
        row = np.minimum(_first(tp, share, relevant, beyond=False), last)
        hits = tp[sample, row].astype(np.float64)
        return hits, hits + fp[sample, row]
    row = _first(fp, share, other, beyond=True)
    end = np.minimum(row, last)
    hits = between(
        np.where(row > 0, tp[sample, row - 1], 0),
        tp[sample, end],
        before[sample, end],
        fp[sample, end],
        share * other[:, None],
    )
    return hits, np.broadcast_to(relevant[:, None].astype(np.float64), hits.shape)


def between(above: Any, below: Any, before: Any, after: Any, reached: Float64) -> Float64:
    """Relevant cases accepted with so many others, of a block that has `above` and `before` on top
    of it: in proportion.
    """
    inside, size = np.zeros(reached.shape), after - before
    np.divide(np.maximum(reached - before, 0.0), size, out=inside, where=size > 0)
    return np.asarray(above + inside * (below - above), np.float64)


def accepted(drawn: npt.NDArray[Any], block: npt.NDArray[np.bool_]) -> tuple[Any, Any, Any]:
    """Relevant cases and others up to each step, and the others before its block: samples x steps,
    of the type of `drawn`.
    """
    size = len(block)
    wrong, tied = drawn[:, :size], drawn[:, 2 * size : 2 * size + np.count_nonzero(block)]
    if tied.size:
        wrong = wrong.copy()
        wrong[:, block] += tied
    # Integers, which add up in a quarter of the time, and to the same.
    tp, fp = (
        np.cumsum(part, axis=1, dtype=drawn.dtype) for part in (drawn[:, size : 2 * size], wrong)
    )
    before = fp
    if tied.size:
        before = fp.copy()
        before[:, block] -= tied
    return tp, fp, before


def _first(along: Any, share: Float64, size: Any, beyond: bool) -> Int64:
    """By sample and share, the first step by which so many of `size` are accepted, or more than so
    many.
    """
    whole = np.maximum(size, LEAST_WEIGHT)[:, None]

    def reached(number: Int64) -> npt.NDArray[np.bool_]:
        return np.asarray(number / whole > share if beyond else ~(number / whole < share))

    product = share * whole
    number = (np.floor(product) if beyond else np.ceil(product)).astype(np.int64)
    # Products are rounded: perhaps one less does, or one more is needed.
    number -= (number > 0) & reached(number - 1)
    number += ~reached(number)
    samples, steps = along.shape
    apart = np.arange(samples)[:, None]
    line = (along + apart * _APART).ravel()
    return np.asarray(np.searchsorted(line, number + apart * _APART) - steps * apart)
