"""Areas of samples that are drawn by units: wins against pairs gone through, native against twin,
wrong columns.
"""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from precall.native import twin
from precall.stats.blocks import Cases
from precall.stats.resample.resampling import WeightedCases, areas
from tests.native.kernels import ABSENT, EITHER, bits, native


def cases(rng, size, units, values):
    block = np.unique(rng.integers(0, values, size), return_inverse=True)[1]
    unit = np.unique(rng.integers(0, units, size), return_inverse=True)[1]
    return Cases(block, rng.random(size) < 0.4, np.ones(size), unit)


def drawn_of(rng, samples, units, most):
    return rng.integers(0, most, (samples, units), np.int32, endpoint=True)


@EITHER
@pytest.mark.parametrize("values", [3, 10**6])
@pytest.mark.parametrize(("samples", "most"), [(1, 2), (70, 2), (130, 255), (5, 256), (5, 10**6)])
def test_against_all_pairs(kernel, values, samples, most):
    rng = np.random.default_rng(samples)
    of = cases(rng, 30, 9, values)
    units = int(of.group.max()) + 1
    drawn = drawn_of(rng, samples, units, most)
    twice, hits, others = kernel.count_wins(drawn.ravel(), units, *WeightedCases(of).ranking(), 1)
    times = drawn[:, of.group].astype(np.int64)
    above = 2 * (of.block[:, None] < of.block) + (of.block[:, None] == of.block)
    expected = [
        row[of.relevant] @ above[np.ix_(of.relevant, ~of.relevant)] @ row[~of.relevant]
        for row in times
    ]
    assert twice.tolist() == expected
    assert hits.tolist() == times[:, of.relevant].sum(axis=1).tolist()
    assert others.tolist() == times[:, ~of.relevant].sum(axis=1).tolist()


@ABSENT
@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**32),
    st.integers(1, 60),
    st.integers(1, 9),
    st.sampled_from([2, 9, 10**6]),
    st.integers(0, 140),
    st.sampled_from([1, 255, 256, 2**31 - 1]),
    st.integers(1, 3),
)
def test_native_equals_twin(seed, size, units, values, samples, most, threads):
    rng = np.random.default_rng(seed)
    of = cases(rng, size, units, values)
    units = int(of.group.max()) + 1
    given_ = (
        drawn_of(rng, samples, units, most).ravel(),
        units,
        *WeightedCases(of).ranking(),
        threads,
    )
    assert bits(native.count_wins(*given_)) == bits(twin.count_wins(*given_))


@pytest.mark.parametrize("missed", [0, 4])
@pytest.mark.parametrize("values", [3, 10**6])
def test_areas_are_those_of_paths(missed, values, monkeypatch):
    """To the last digit, and however many samples are counted at one time."""
    rng = np.random.default_rng(2)
    of = [cases(rng, 90, 90, values) for _ in range(2)]
    of[1] = Cases(of[1].block, of[0].relevant, of[0].weight, of[0].group)
    both = [WeightedCases(each, missed) for each in of]
    streams = both[0].streams(300, rng)
    for batch in (1 << 23, 1 << 13, 1):
        monkeypatch.setattr("precall.stats.resample.resampling._BATCH_OF_UNITS", batch)
        for ours, one in zip(areas(both, *streams), both, strict=True):
            assert np.array_equal(ours, one.areas(*streams), equal_nan=True)
    heavy = [
        WeightedCases(Cases(each.block, each.relevant, 2.5 * each.weight, each.group), missed)
        for each in of
    ]
    assert np.array_equal(areas(heavy, *streams)[1], heavy[1].areas(*streams), equal_nan=True)


@EITHER
@pytest.mark.parametrize(
    ("name", "wrong", "said"),
    [
        ("units", 0, "units: too many, or not of one length"),
        ("units", 2**31, "units: too many, or not of one length"),
        ("drawn", [1, 1, 1], "units: too many, or not of one length"),
        ("drawn", [1, -1], "counts: must be >= 0"),
        ("unit", [0, 2, 1], "there is no such cell"),
        ("unit", [0, -1, 1], "there is no such cell"),
        ("unit", [0, 1], "stops: must ascend"),
        ("first", [1, 2], "columns differ in length"),
        ("middle", [], "columns differ in length"),
        ("last", [3, 3], "columns differ in length"),
        ("first", [-1], "stops: must ascend"),
        ("first", [3], "stops: must ascend"),
        ("middle", [0], "stops: must ascend"),
        ("last", [1], "stops: must ascend"),
        ("last", [4], "stops: must ascend"),
    ],
)
def test_wrong_columns_are_refused(kernel, name, wrong, said):
    given_ = {
        "drawn": np.array([1, 2], np.int32),
        "units": 2,
        "unit": np.array([0, 1, 1], np.int32),
        "first": np.array([1]),
        "middle": np.array([2]),
        "last": np.array([3]),
        "threads": 1,
    }
    assert [part.tolist() for part in kernel.count_wins(**given_)] == [[4], [2], [3]]
    changed = np.array(wrong, given_[name].dtype) if isinstance(wrong, list) else wrong
    with pytest.raises(ValueError, match=said):
        kernel.count_wins(**given_ | {name: changed})


@ABSENT
def test_signatures_are_equal():
    for argument in inspect.signature(twin.count_wins).parameters:
        assert argument in (native.count_wins.__doc__ or "")
