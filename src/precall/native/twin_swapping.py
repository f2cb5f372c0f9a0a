"""Decisions that are exchanged at random, in NumPy: the work of `swapping.cpp`, 64 draws at
once.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from precall.core.ragged import divides_whole
from precall.native.twin_resampling import Int32, Int64, Words, distance_of, mix_bits

_MOST, _MOST_UNITS = 2**31 - 1, 4096
_FOUR, _SIXTEEN = np.uint64(0x0001000100010001), np.uint64(0xFFFF)


def exchange_totals(
    start: Int64, kind: Int32, change: Int32, units: Int32, seed: int, draws: int
) -> Int32:
    """For each total and draw: the sum of the changes by all exchanged units; a coin decides for
    each unit.

    Kind i has `units[i]` units. Total i has the entries start[i] to start[i + 1]: the `kind` of
    each, which ascend, and the `change` by every exchanged unit of that kind. Sums have 32 bits and
    wrap around.

    Units are numbered in the order of kinds. With w words of one bit per draw, unit u has the words
    u w and so on of SplitMix64: draw i takes bit i mod 64, lowest first, of word i div 64.
    """
    if not divides_whole(start, len(kind)):
        raise ValueError("starts do not divide the column")
    if len(change) != len(kind):
        raise ValueError("columns differ in length")
    if np.any(kind < 0) or np.any(kind >= len(units)):
        raise ValueError("there is no such cell")
    totals = list(pairwise(start.tolist()))
    if any(
        np.any(kind[begin + 1 : end] <= kind[begin : end - 1])
        for begin, end in totals
        if end > begin
    ):
        raise ValueError("kinds: must ascend")
    if np.any(units < 1) or np.any(units > _MOST_UNITS):
        raise ValueError(f"units: must be 1 to {_MOST_UNITS}")
    if not 0 <= draws <= _MOST:
        raise ValueError("counts: must be >= 0, and below 2^31")
    result, words = np.zeros((len(totals), draws), np.int32), -(-draws // 64)
    first = np.uint64(seed) + distance_of(np.arange(int(units.sum(dtype=np.int64))) * words)
    lead = np.cumsum(units, dtype=np.int64) - units
    # Small whole numbers are exact as float32, whose products are faster.
    most = int((np.abs(change.astype(np.int64)) * units[kind]).sum())
    number_type: Any = np.float32 if most < 2**24 else np.int64
    changes = [change[begin:end].astype(number_type) for begin, end in totals]
    for word in range(words):
        number = _count_bits(mix_bits(first + distance_of(word + 1)), lead)[: draws - 64 * word]
        by_kind = np.ascontiguousarray(number.T, number_type)
        for total, (begin, end) in enumerate(totals):
            some = changes[total] @ by_kind.take(kind[begin:end], axis=0)
            result[total, 64 * word : 64 * word + 64] = some.astype(np.int32)
    return result


def _count_bits(words: Words, lead: Int64) -> npt.NDArray[np.uint16]:
    """Bits x kinds: for how many units of a kind each bit is up; `lead` is the first unit of each
    kind.
    """
    number = np.zeros((64, len(lead)), np.uint16)
    if len(lead):
        # Four bits of a word are counted at once, in fields of sixteen bits each.
        for bit in range(16):
            sums = np.add.reduceat((words >> np.uint64(bit)) & _FOUR, lead)
            for field in range(4):
                number[16 * field + bit] = (sums >> np.uint64(16 * field)) & _SIXTEEN
    return number
