"""Exchanges of decisions: totals against coins tossed one by one, native against twin, wrong
columns.
"""

from __future__ import annotations

import inspect
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from precall.native import twin
from tests.native.kernels import ABSENT, EITHER, bits, native

MASK = 2**64 - 1


def word(seed, number):
    """Of SplitMix64."""
    state = (seed + 0x9E3779B97F4A7C15 * (number + 1)) & MASK
    state = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & MASK
    state = ((state ^ state >> 27) * 0x94D049BB133111EB) & MASK
    return state ^ state >> 31


def tossed(start, kind, change, units, seed, draws):
    """Unit by unit and draw by draw."""
    words = -(-draws // 64)
    owner = np.repeat(np.arange(len(units)), units).tolist()
    totals = np.zeros((len(start) - 1, draws), np.int64)
    for total, (begin, end) in enumerate(pairwise(start.tolist())):
        more = dict(zip(kind[begin:end].tolist(), change[begin:end].tolist(), strict=True))
        for unit, own in enumerate(owner):
            for draw in range(draws):
                up = word(seed, unit * words + draw // 64) >> draw % 64 & 1
                totals[total, draw] += up * more.get(own, 0)
    return totals.astype(np.int32)


def columns(rng, kinds, totals, most_change, most_units, draws):
    chosen = [np.flatnonzero(rng.random(kinds) < rng.random()) for _ in range(totals)]
    kind = np.concatenate([np.zeros(0, np.int64), *chosen]).astype(np.int32)
    return {
        "start": np.cumsum([0, *map(len, chosen)]).astype(np.int64),
        "kind": kind,
        "change": rng.integers(-most_change, most_change, len(kind), np.int32, endpoint=True),
        "units": rng.integers(1, most_units, kinds, np.int32, endpoint=True),
        "seed": int(rng.integers(2**63)),
        "draws": draws,
    }


@EITHER
@pytest.mark.parametrize(("most", "units"), [(1, 1), (1, 3), (7, 20), (2**31 - 1, 9)])
@pytest.mark.parametrize("draws", [0, 1, 64, 65, 130])
def test_against_coins_tossed_one_by_one(kernel, most, units, draws):
    given_ = columns(np.random.default_rng(draws), 9, 3, most, units, draws)
    ours = kernel.exchange_totals(**given_)
    assert ours.dtype == np.int32 and ours.shape == (3, draws)
    assert np.array_equal(ours, tossed(**given_))


@ABSENT
@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**32),
    st.integers(0, 90),
    st.integers(0, 4),
    st.sampled_from([1, 2, 2**31 - 1]),
    st.sampled_from([1, 9, 400]),
    st.sampled_from([1, 63, 64, 65, 200, 2049]),
)
def test_native_equals_twin(seed, kinds, totals, most, units, draws):
    given_ = columns(np.random.default_rng(seed), kinds, totals, most, units, draws)
    assert bits((native.exchange_totals(**given_),)) == bits((twin.exchange_totals(**given_),))


@ABSENT
@pytest.mark.parametrize("units", [1, 5])
def test_more_kinds_than_are_tossed_at_one_time(units):
    given_ = columns(np.random.default_rng(1), 2500, 3, 2, units, 100)
    assert bits((native.exchange_totals(**given_),)) == bits((twin.exchange_totals(**given_),))


@EITHER
def test_all_units_of_a_kind_are_tossed(kernel):
    """4096 of them, and one: of 3000 draws the mean is within five standard errors of the half."""
    given_ = {
        "start": np.array([0, 2, 3]),
        "kind": np.array([0, 1, 0], np.int32),
        "change": np.array([1, -1, 2], np.int32),
        "units": np.array([4096, 1], np.int32),
        "seed": 3,
        "draws": 3000,
    }
    both, double = kernel.exchange_totals(**given_)
    assert abs(double.mean() - 4096) < 5 * 64 / 3000**0.5 and abs(double.std() / 64 - 1) < 0.1
    assert set((both - double // 2).tolist()) == {-1, 0}


@EITHER
@pytest.mark.parametrize(
    ("name", "wrong", "said"),
    [
        ("start", [0, 2], "starts do not divide the column"),
        ("start", [1, 3], "starts do not divide the column"),
        ("start", [0, 4, 3], "starts do not divide the column"),
        ("start", [], "starts do not divide the column"),
        ("change", [1, 1], "columns differ in length"),
        ("kind", [0, 1], "starts do not divide the column"),
        ("kind", [0, 2, 1], "there is no such cell"),
        ("kind", [-1, 1, 1], "there is no such cell"),
        ("kind", [1, 0, 1], "kinds: must ascend"),
        ("kind", [1, 1, 1], "kinds: must ascend"),
        ("units", [1], "there is no such cell"),
        ("units", [1, 0], "units: must be 1 to 4096"),
        ("units", [4097, 1], "units: must be 1 to 4096"),
        ("draws", -1, "counts: must be >= 0, and below"),
        ("draws", 2**31, "counts: must be >= 0, and below"),
    ],
)
def test_wrong_columns_are_refused(kernel, name, wrong, said):
    given_ = {
        "start": np.array([0, 2, 3]),
        "kind": np.array([0, 1, 1], np.int32),
        "change": np.array([1, -1, 2], np.int32),
        "units": np.array([3, 1], np.int32),
        "seed": 0,
        "draws": 2,
    }
    assert kernel.exchange_totals(**given_).shape == (2, 2)
    changed = np.array(wrong, given_[name].dtype) if isinstance(wrong, list) else wrong
    with pytest.raises(ValueError, match=said):
        kernel.exchange_totals(**given_ | {name: changed})


@ABSENT
def test_signatures_are_equal():
    for argument in inspect.signature(twin.exchange_totals).parameters:
        assert argument in (native.exchange_totals.__doc__ or "")
