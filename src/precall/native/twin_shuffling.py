"""Sums of values that are redrawn or shuffled at random, in NumPy: what `shuffling.cpp` does, many at once.

Values are whole numbers, so that their sums are exact in any order. Word j of a seed is that of SplitMix64 after j steps. It is
two draws of n values, or one where n is large: the upper half of word x n, of 128 bits, and that of the lower half x n. So
each is even but for 2^-20. Of shuffles it is two dice of 32 bits, the lower first: a die of n sides is even
but for n / 2^32.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from precall.native.twin_resampling import Int64, Words, distance_of, mixed, upper

_MOST, _MOST_COLUMNS, _MOST_AGAIN, _MOST_OF_TWO = 2**31 - 1, 2**16 - 1, 64, 2**22
#: Numbers at one time.
_BATCH = 1 << 17


def redraw_sums(value: Int64, seed: int, samples: int) -> Int64:
    """Sums of samples with replacement, each as large as there are values."""
    _check(value, samples)
    sums, size = np.zeros(samples, np.int64), np.uint64(len(value))
    each = 2 if size <= _MOST_OF_TWO else 1
    first = np.uint64(seed) + distance_of(np.arange(samples) * -(-len(value) // each))
    word = first
    for draw in range(len(value)):
        word = word * size if draw % each else mixed(first + distance_of(draw // each + 1))
        sums += value.take(upper(word, size).astype(np.int64))
    return sums


def shuffle_ranges(value: Int64, columns: int, seed: int, shuffles: int, again: int) -> Int64:
    """Greatest less least column sum of a table whose rows are each shuffled by themselves.

    Of so many shuffles, and behind them `again` times as many: those shuffled once more, in the same way for all. Shuffle i of
    row r has the words behind those of r (again + shuffles) + i others, those of all first.
    """
    _check(value, shuffles)
    if not 1 <= columns <= _MOST_COLUMNS or len(value) % columns:
        raise ValueError("columns: too many, or not of one length")
    if not 0 <= again <= _MOST_AGAIN:
        raise ValueError("again: must be 0 to 64")
    total = np.zeros((again + 1, columns, shuffles), np.int64)
    for row, part in _rows(value.reshape(-1, columns), (again + shuffles) * columns):
        first = (row * (again + shuffles))[:, None]
        places = np.broadcast_to(np.arange(columns)[:, None, None], (columns, len(row), again))
        order = _shuffled(places, seed, first + np.arange(again))
        listed = np.broadcast_to(part.T[:, :, None], (columns, len(row), shuffles))
        shuffled = _shuffled(listed, seed, first + again + np.arange(shuffles))
        total[0] += shuffled.sum(axis=1)
        for more in range(again):
            total[1 + more] += shuffled[order[:, :, more], np.arange(len(row))].sum(axis=1)
    ranges: Int64 = (total.max(axis=1) - total.min(axis=1)).ravel()
    return ranges


def _check(value: Int64, sums: int) -> None:
    if len(value) > _MOST or not 0 <= sums <= _MOST:
        raise ValueError("counts: must be >= 0, and below 2^31")


def _rows(table: Int64, numbers: int) -> Iterator[tuple[Int64, Int64]]:
    """Rows with where they stand, as many at one time as batches allow of so many numbers each."""
    step = max(1, _BATCH // numbers) if numbers else len(table) + 1
    for begin in range(0, len(table), step):
        part = table[begin : begin + step]
        yield np.arange(begin, begin + len(part)), part


def _shuffled(values: Int64, seed: int, number: Int64) -> Int64:
    """Shuffled along the first axis, each by its number, from the last place down."""
    places = values.reshape(len(values), -1).copy()
    flat, each = places.ravel(), np.arange(places.shape[1])
    for die, place in zip(
        _dice(seed, number.ravel(), len(places) - 1), range(len(places) - 1, 0, -1), strict=True
    ):
        other = _sides(die, place + 1) * len(each) + each
        held = flat.take(other)
        flat[other] = places[place]
        places[place] = held
    return places.reshape(values.shape)


def _dice(seed: int, number: Int64, dice: int) -> Iterator[Words]:
    """So many dice for each number, two a word; those of one number follow those of the one before."""
    first = np.uint64(seed) + distance_of(number * ((dice + 1) // 2))
    for die in range(dice):
        if die % 2 == 0:
            word = mixed(first + distance_of(die // 2 + 1))
        yield word >> np.uint64(32) if die % 2 else word & np.uint64(0xFFFFFFFF)


def _sides(dice: Words, sides: int) -> Int64:
    return ((dice * np.uint64(sides)) >> np.uint64(32)).astype(np.int64)
