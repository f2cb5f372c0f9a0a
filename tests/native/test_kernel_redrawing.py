"""Sums of values redrawn: by hand, by counting what can come out, native against twin, wrong
arguments.
"""

from __future__ import annotations

import inspect
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from precall.native import twin
from precall.stats.resample.batches import to_integers
from tests.native.kernels import ABSENT, EITHER, bits, native

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


@pytest.mark.nightly
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


@ABSENT
@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(-(2**63), 2**63 - 1), max_size=24),
    st.integers(0, 20),
    st.integers(0, 2**64 - 1),
)
def test_native_equals_twin(values, samples, seed):
    """Sums that exceed 64 bits wrap around in both."""
    given_ = np.array(values, np.int64), seed, samples
    assert bits((native.redraw_sums(*given_),)) == bits((twin.redraw_sums(*given_),))


@EITHER
def test_wrong_arguments_are_refused(kernel):
    value = np.arange(6)
    for sums in (-1, 2**31):
        with pytest.raises(ValueError, match="counts: must be >= 0"):
            kernel.redraw_sums(value, 1, sums)
    assert kernel.redraw_sums(value[:0], 1, 3).tolist() == [0, 0, 0]


@ABSENT
def test_signatures_are_equal():
    for argument in inspect.signature(twin.redraw_sums).parameters:
        assert argument in (native.redraw_sums.__doc__ or "")


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_whole_numbers_add_up(scale):
    values = scale * np.random.default_rng(1).normal(size=1000)
    units, unit = to_integers(values, 1000)
    assert np.abs(units).sum() < 2**62
    assert np.ldexp(units, unit) == pytest.approx(values, rel=0, abs=1e-15 * np.abs(values).max())
    assert to_integers(np.zeros(3), 3)[0].tolist() == [0, 0, 0]
