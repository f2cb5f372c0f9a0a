"""Sums of values redrawn and shuffled: by hand, by counting what can come out, native against twin, wrong arguments."""

from __future__ import annotations

import inspect
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from precall.infer.compare import tukey
from precall.infer.resample.batches import whole
from precall.native import twin
from tests.unit.kernels import ABSENT, EITHER, bits, native

#: The first words of seed 1234567, as published with SplitMix64.
WORDS = [6457827717110365317, 3203168211198807973]
#: Chances of counts below are a few thousandths off at most.
SEED = 77


@EITHER
@pytest.mark.parametrize("size", [4, 5, 300])
def test_two_draws_a_word(kernel, size):
    """Against whole numbers of Python; an odd number of draws leaves a half of the last word."""
    values = np.random.default_rng(size).integers(-(2**40), 2**40, size)
    words, expected = iter(twin_words(1234567, 400)), []
    for _ in range(2):
        drawn, word = [], 0
        for draw in range(size):
            word = word * size % 2**64 if draw % 2 else next(words)
            drawn.append(word * size >> 64)
        expected.append(values[drawn].sum())
    assert kernel.redraw_sums(values, 1234567, 2).tolist() == expected


@ABSENT
def test_one_draw_a_word_of_very_many_values():
    """More than 2^22, where the twin goes too many steps; what is drawn is added up."""
    size = 2**22 + 1
    values = np.arange(size)
    state = np.uint64(3) + np.arange(1, size + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    word = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    word ^= word >> np.uint64(31)
    upper = (word >> np.uint64(32)) * np.uint64(size) + (
        ((word & np.uint64(2**32 - 1)) * np.uint64(size)) >> np.uint64(32)
    )
    assert native.redraw_sums(values, 3, 1).tolist() == [int((upper >> np.uint64(32)).sum())]


@EITHER
def test_shuffle_by_hand(kernel):
    """Fisher and Yates from the last place down: two rows of three columns, and once more."""

    def shuffled(values, word):
        values = list(values)
        for place, half in ((2, word & 0xFFFFFFFF), (1, word >> 32)):
            other = half * (place + 1) >> 32
            values[place], values[other] = values[other], values[place]
        return values

    rows, seed = [[1, 10, 100], [2, 30, 500]], 1234567 - 0x9E3779B97F4A7C15
    words = twin_words(seed % 2**64, 4)
    assert words[1:3] == WORDS
    # Of each row first the order of what is shuffled again, then the shuffle.
    orders = [shuffled(range(3), words[0]), shuffled(range(3), words[2])]
    singles = [shuffled(rows[0], words[1]), shuffled(rows[1], words[3])]
    once = np.sum(singles, axis=0)
    again = np.sum([np.array(row)[order] for row, order in zip(singles, orders, strict=True)], axis=0)
    drawn = kernel.shuffle_ranges(np.ravel(rows), 3, seed % 2**64, 1, 1)
    assert drawn.tolist() == [np.ptp(once), np.ptp(again)]


def twin_words(seed, count):
    """Words of SplitMix64 as published, in whole numbers of Python."""
    words = []
    for _ in range(count):
        seed = (seed + 0x9E3779B97F4A7C15) % 2**64
        word = (seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        word = (word ^ (word >> 27)) * 0x94D049BB133111EB % 2**64
        words.append(word ^ (word >> 31))
    return words


@EITHER
def test_all_samples_are_as_likely(kernel):
    drawn = kernel.redraw_sums(np.array([0, 1, 5]), SEED, 54_000)
    value, count = np.unique(drawn, return_counts=True)
    expected = [sum(chosen) for chosen in product((0, 1, 5), repeat=3)]
    assert set(value.tolist()) == set(expected)
    chance = np.array([expected.count(sum_) / 27 for sum_ in value.tolist()])
    assert np.abs(count / 54_000 - chance).max() < 5 * (0.25 / 54_000) ** 0.5


@EITHER
@pytest.mark.parametrize("columns", [2, 3, 4])
def test_all_orders_are_as_likely(kernel, columns):
    """One shuffled row beside one that cannot be told: what its range can be."""
    row, fixed = 3 ** np.arange(columns), np.arange(columns)
    ranges = [np.ptp(np.array(order) + other) for order in permutations(row) for other in permutations(fixed)]
    drawn = kernel.shuffle_ranges(np.append(row, fixed), columns, SEED, 20_000, 3)[:20_000]
    value, count = np.unique(drawn, return_counts=True)
    chance = np.array([ranges.count(range_) / len(ranges) for range_ in value.tolist()])
    assert chance.sum() == pytest.approx(1)
    assert np.abs(count / 20_000 - chance).max() < 5 * (0.25 / 20_000) ** 0.5


@EITHER
def test_shuffles_that_serve_again_are_as_likely_and_independent(kernel):
    """Of many batches of one shuffle that serves twice: each pair of ranges as often as two independent ones."""
    table = np.array([0, 1, 5, 0, 2, 3])
    drawn = np.array([kernel.shuffle_ranges(table, 3, seed, 1, 1) for seed in range(4000)])
    first, second = (drawn[:, i] for i in (0, 1))
    ranges = [np.ptp(np.add(a, b)) for a in permutations(table[:3]) for b in permutations(table[3:])]
    chance = {value: ranges.count(value) / len(ranges) for value in set(ranges)}
    for a, of_a in chance.items():
        for b, of_b in chance.items():
            seen = np.mean((first == a) & (second == b))
            assert abs(seen - of_a * of_b) < 5 * (of_a * of_b / 4000) ** 0.5


@ABSENT
@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(-(2**63), 2**63 - 1), max_size=24), st.integers(1, 30), st.integers(0, 20),
    st.integers(0, 5), st.integers(0, 2**64 - 1),
)  # fmt: skip
def test_native_equals_twin(values, columns, shuffles, again, seed):
    """Sums that exceed 64 bits wrap around in both."""
    value = np.array(values, np.int64)
    table = np.resize(value, len(value) * columns) if len(value) else value
    for name, given_ in (
        ("redraw_sums", (value, seed, shuffles)),
        ("shuffle_ranges", (table, columns, seed, shuffles, again)),
    ):
        assert bits((getattr(native, name)(*given_),)) == bits((getattr(twin, name)(*given_),))


@ABSENT
def test_many_columns_and_rows():
    value = np.random.default_rng(3).integers(-(2**50), 2**50, 900 * 130)
    for columns in (3, 130, 900):
        given_ = value, columns, 5, 9, 2
        assert bits((native.shuffle_ranges(*given_),)) == bits((twin.shuffle_ranges(*given_),))


@EITHER
def test_wrong_arguments_are_refused(kernel):
    value = np.arange(6)
    for columns in (0, -1, 4, 2**16):
        with pytest.raises(ValueError, match="columns: too many, or not of one length"):
            kernel.shuffle_ranges(value, columns, 1, 2, 3)
    for again in (-1, 65):
        with pytest.raises(ValueError, match="again: must be 0 to 64"):
            kernel.shuffle_ranges(value, 3, 1, 2, again)
    for sums in (-1, 2**31):
        with pytest.raises(ValueError, match="counts: must be >= 0"):
            kernel.shuffle_ranges(value, 3, 1, sums, 1)
        with pytest.raises(ValueError, match="counts: must be >= 0"):
            kernel.redraw_sums(value, 1, sums)
    assert kernel.redraw_sums(value[:0], 1, 3).tolist() == [0, 0, 0]
    assert kernel.shuffle_ranges(value[:0], 3, 1, 2, 0).tolist() == [0, 0]


@ABSENT
def test_signatures_are_equal():
    for name in ("redraw_sums", "shuffle_ranges"):
        for argument in inspect.signature(getattr(twin, name)).parameters:
            assert argument in (getattr(native, name).__doc__ or "")


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_whole_numbers_add_up(scale):
    values = scale * np.random.default_rng(1).normal(size=1000)
    units, unit = whole(values, 1000)
    assert np.abs(units).sum() < 2**62
    assert np.ldexp(units, unit) == pytest.approx(values, rel=0, abs=1e-15 * np.abs(values).max())
    assert whole(np.zeros(3), 3)[0].tolist() == [0, 0, 0]


def test_ranges_are_those_of_all_shuffles():
    matrix = np.array([[0.1, 0.4, 0.2], [0.9, 0.3, 0.3], [0.5, 0.6, 0.1]])
    every = [
        np.ptp(np.sum(rows, axis=0))
        for rows in product(*(list(permutations(row)) for row in matrix.tolist()))
    ]
    drawn = tukey.ranges(matrix, np.random.default_rng(2), 40_000)
    assert len(drawn) == 40_000 and (np.diff(drawn) >= 0).all()
    for edge in np.unique(np.round(every, 9)):
        assert np.mean(drawn > edge - 1e-6) == pytest.approx(np.mean(np.array(every) > edge - 1e-6), abs=0.02)
