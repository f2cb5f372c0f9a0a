"""What samples of cases accept when shares of them are reached, in NumPy; the kernel has it in
`resampling.cpp`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from precall.native.twin_resampling import LEAST_WEIGHT, Float64, Int32, Int64, Urns, Words, samples

#: More cases than any sample has, so that the samples of a batch do not overlap on one line.
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
    """The relevant cases accepted when shares of the cases are reached, and the totals they are
    parts of: both samples x shares.

    For shares of relevant cases: at the first step that accepts so many, or at the last; parts of
    all accepted cases. For shares of the others: the most relevant cases that are possible without
    more of them, in proportion inside a block; parts of all relevant cases. Cells are those of
    `draw_precisions`.
    """
    cells = 2 * len(block) + int(np.count_nonzero(block)) + 2
    urns = Urns(place, place_start, least, below, below_start, owner, owner_start, stratum, cells)
    if np.any(np.diff(share, prepend=0.0, append=2.0) < 0) or np.any(np.isnan(share)):
        raise ValueError("shares: must ascend, from 0 to 2")
    none = np.zeros((0, len(share)))
    results = [
        heights(drawn, block, share, of_others)
        for drawn, *_ in samples(urns, seed, target, len(block))
    ]
    hits, totals = (np.concatenate([none, *(columns[i] for columns in results)]) for i in range(2))
    return hits, totals


def heights(
    drawn: npt.NDArray[Any], block: npt.NDArray[np.bool_], share: Float64, of_others: bool
) -> tuple[Float64, Float64]:
    """The result of `draw_heights` for samples x cells."""
    if not len(block):
        block = np.zeros(1, np.bool_)
        drawn = np.pad(drawn, ((0, 0), (2, 0)))
    tp, fp, before = accepted_counts(drawn, block)
    relevant, other = tp[:, -1] + drawn[:, -1], fp[:, -1] + drawn[:, -2]
    sample, last = np.arange(len(drawn))[:, None], len(block) - 1
    if not of_others:
        row = np.minimum(_first_step_with_share(tp, share, relevant, beyond=False), last)
        hits = tp[sample, row].astype(np.float64)
        return hits, hits + fp[sample, row]
    row = _first_step_with_share(fp, share, other, beyond=True)
    end = np.minimum(row, last)
    hits = between(
        np.where(row > 0, tp[sample, row - 1], 0),
        tp[sample, end],
        before[sample, end],
        fp[sample, end],
        share * other[:, None],
    )
    return hits, np.broadcast_to(relevant[:, None].astype(np.float64), hits.shape)


def between(
    above: npt.NDArray[Any],
    below: npt.NDArray[Any],
    before: npt.NDArray[Any],
    after: npt.NDArray[Any],
    reached: Float64,
) -> Float64:
    """Relevant cases accepted with so many others, in proportion inside a block that has `above`
    and `before` on top of it.
    """
    inside, size = np.zeros(reached.shape), after - before
    np.divide(np.maximum(reached - before, 0.0), size, out=inside, where=size > 0)
    return np.asarray(above + inside * (below - above), np.float64)


def accepted_counts(
    drawn: npt.NDArray[Any], block: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Relevant cases and others up to each step, and the others before its block: samples x steps,
    of the type of `drawn`.
    """
    size = len(block)
    wrong, tied = drawn[:, :size], drawn[:, 2 * size : 2 * size + np.count_nonzero(block)]
    if tied.size:
        wrong = wrong.copy()
        wrong[:, block] += tied
    # Sums of integers are exact and take a quarter of the time.
    tp, fp = (
        np.cumsum(column, axis=1, dtype=drawn.dtype)
        for column in (drawn[:, size : 2 * size], wrong)
    )
    before = fp
    if tied.size:
        before = fp.copy()
        before[:, block] -= tied
    return tp, fp, before


def _first_step_with_share(along: Any, share: Float64, size: Any, beyond: bool) -> Int64:
    """For each sample and share, the first step by which this share of `size` is accepted, or more
    than it if `beyond`.
    """
    total = np.maximum(size, LEAST_WEIGHT)[:, None]

    def reaches(number: Int64) -> npt.NDArray[np.bool_]:
        return np.asarray(number / total > share if beyond else ~(number / total < share))

    product = share * total
    number = (np.floor(product) if beyond else np.ceil(product)).astype(np.int64)
    # Products are rounded, so one less may suffice, or one more may be needed.
    number -= (number > 0) & reaches(number - 1)
    number += ~reaches(number)
    samples, steps = along.shape
    apart = np.arange(samples)[:, None]
    line = (along + apart * _APART).ravel()
    return np.asarray(np.searchsorted(line, number + apart * _APART) - steps * apart)
