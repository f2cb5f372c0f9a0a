"""Sums over random subsets of topics, the greatest gaps, the outermost means: by hand, native
against twin, wrong arguments.
"""

from __future__ import annotations

import inspect
import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from precall.native import twin
from tests.native.kernels import ABSENT, EITHER, bits, native

NAMES = ("sum_subsets", "greatest_gaps", "rank_means")


def every_subset(rows):
    """All of them, as the kernel reads them, and as lists of rows."""
    lists = [[row for row in range(rows) if number >> row & 1] for number in range(2**rows)]
    numbers = np.arange(2**rows, dtype="<u8")
    groups = -(-rows // 8)
    return np.ascontiguousarray(numbers.view(np.uint8).reshape(-1, 8)[:, :groups].T).ravel(), lists


@EITHER
@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (3, 2), (5, 4), (9, 5), (10, 9)])
def test_sums_of_every_subset(kernel, rows, columns):
    """Whole numbers, whose sums are exact."""
    values = np.random.default_rng(rows).integers(-1000, 1000, (rows, columns)).astype(float)
    subset, lists = every_subset(rows)
    sums = kernel.sum_subsets(values.ravel(), columns, subset).reshape(columns, -1)
    expected = [values[chosen].sum(axis=0) for chosen in lists]
    assert sums.T.tolist() == [one.tolist() for one in expected]


@EITHER
def test_sums_are_near_those_of_other_orders(kernel):
    rng = np.random.default_rng(1)
    values, subset = rng.normal(size=(250, 11)), rng.integers(0, 256, (32, 700), dtype=np.uint8)
    taken = np.unpackbits(subset, axis=0, bitorder="little")[:250]
    sums = kernel.sum_subsets(values.ravel(), 11, subset.ravel()).reshape(11, -1)
    assert np.abs(sums - values.T @ taken).max() < 1e-12 * np.abs(values).sum(axis=0).max()


@EITHER
@pytest.mark.parametrize("columns", [1, 4, 5, 9, 13])
@pytest.mark.parametrize(
    ("rows", "draws"), [(1, 1), (7, 9), (8, 8), (250, 700), (253, 5000), (2045, 13)]
)
def test_a_column_of_ones_counts_the_rows(kernel, rows, columns, draws):
    """Bits beyond the last row do not count, and the other columns are as without it."""
    rng = np.random.default_rng(rows)
    values, subset = rng.normal(size=(rows, columns)), rng.integers(0, 256, (-(-rows // 8), draws))
    values[:, -1], subset = 1.0, subset.astype(np.uint8)
    sums = kernel.sum_subsets(values.ravel(), columns, subset.ravel()).reshape(columns, draws)
    taken = np.unpackbits(subset, axis=0, bitorder="little")[:rows]
    assert sums[-1].tolist() == taken.sum(axis=0).tolist()
    for column in range(columns - 1):
        alone = kernel.sum_subsets(values[:, column].copy(), 1, subset.ravel())
        assert alone.tobytes() == sums[column].tobytes()


@EITHER
def test_the_greatest_gap_is_that_of_all_pairs(kernel):
    rng = np.random.default_rng(2)
    for columns, draws in ((2, 1), (3, 16), (7, 100)):
        sums = rng.normal(size=(columns, draws))
        pairs = list(combinations(range(columns), 2))
        weight = rng.random(len(pairs))
        first, second = np.array(pairs, np.int32).T.copy()
        found = kernel.greatest_gaps(sums.ravel(), columns, first, second, weight)
        expected = [
            max(
                abs((sums[i, draw] - sums[j, draw]) * w)
                for (i, j), w in zip(pairs, weight, strict=True)
            )
            for draw in range(draws)
        ]
        assert found.tolist() == expected
    # No pair, or none that is a number, is as great as 0.
    assert (
        kernel.greatest_gaps(np.ones(6), 2, first[:0], first[:0], weight[:0]).tolist() == [0.0] * 3
    )
    gaps = kernel.greatest_gaps(
        np.array([np.nan, np.inf, 1.0, np.nan, np.inf, -1.0]), 2, *np.int32([[0], [1]]), np.ones(1)
    )
    assert gaps.tolist() == [0.0, 0.0, 2.0]


@pytest.mark.nightly(keep=3)
@EITHER
@pytest.mark.parametrize("rows", [2, 3, 6, 9])
def test_means_are_those_of_all_subsets(kernel, rows):
    """Against fractions: all subsets and their complements, of which the kernel sees one each."""
    values = np.random.default_rng(rows).integers(-64, 64, (rows, 2)) / 8
    gaps = [Fraction(float(a)) - Fraction(float(b)) for a, b in values]
    subset, lists = every_subset(rows - 1)
    subset, lists = subset.reshape(-1, 2 ** (rows - 1))[:, 1:].ravel(), lists[1:]
    counted = np.column_stack((values, np.ones(rows)))
    sums = kernel.sum_subsets(
        counted.ravel(),
        3,
        np.pad(
            subset.reshape(-(-(rows - 1) // 8), -1),
            ((0, -(-rows // 8) - -(-(rows - 1) // 8)), (0, 0)),
        ).ravel(),
    )
    size = sums[2 * len(lists) :].copy()
    total = sum(gaps)
    means = []
    for chosen in lists:
        inside = sum(gaps[row] for row in chosen)
        means += [inside / len(chosen), (total - inside) / (rows - len(chosen))]
    pair = np.int32([0]), np.int32([1])
    for rank in range(-1, len(lists) + 2):
        reached, low, high = kernel.rank_means(
            sums, 3, *pair, size, rows, np.array([float(total)]), np.array([1e-12]), rank, 1
        )
        far = [abs(total - 2 * sum(gaps[row] for row in chosen)) >= abs(total) for chosen in lists]
        assert reached.tolist() == [sum(far)]
        if 0 <= rank < len(lists):
            ordered = sorted(means)
            assert low[0] == pytest.approx(float(ordered[rank]), rel=1e-14)
            assert high[0] == pytest.approx(float(ordered[-1 - rank]), rel=1e-14)
        else:
            assert math.isnan(low[0]) and math.isnan(high[0])


@EITHER
def test_subsets_of_nothing_and_of_everything_have_no_mean(kernel):
    gaps = np.array([1.0, 2.0, 6.0])
    subset = np.array([0, 7, 1, 0, 6], np.uint8)
    sums = kernel.sum_subsets(np.column_stack((gaps, np.zeros(3), np.ones(3))).ravel(), 3, subset)
    found = [
        kernel.rank_means(
            sums,
            3,
            *np.int32([[0], [1]]),
            sums[10:].copy(),
            3,
            np.array([9.0]),
            np.zeros(1),
            rank,
            1,
        )
        for rank in (0, 1, 2)
    ]
    # 1 and 4 of the one that are left, 4 and 1 of the other; all signs or none leave the sum as
    # far.
    assert [float(one[1][0]) for one in found[:2]] == [1.0, 1.0]
    assert [float(one[2][0]) for one in found[:2]] == [4.0, 4.0]
    assert math.isnan(found[2][1][0]) and [one[0].tolist() for one in found] == [[3]] * 3


@ABSENT
@settings(max_examples=80, deadline=None)
@given(st.data())
def test_native_equals_twin(data):
    rows, columns, draws = (data.draw(st.integers(1, most)) for most in (100, 12, 40))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    pick = data.draw(st.sampled_from(["normal", "tenths", "huge"]))
    values = {
        "normal": rng.normal(size=(rows, columns)),
        "tenths": rng.integers(-3, 4, (rows, columns)) / 10,
        "huge": rng.normal(size=(rows, columns)) * 1e297,
    }[pick]
    subset = rng.integers(0, 256, (-(-rows // 8), draws), dtype=np.uint8).ravel()
    given_ = values.ravel(), columns, subset
    sums = native.sum_subsets(*given_)
    assert bits((sums,)) == bits((twin.sum_subsets(*given_),))
    first, second = (rng.integers(0, columns, 5).astype(np.int32) for _ in "ab")
    weighed = sums, columns, first, second, rng.random(5)
    assert bits((native.greatest_gaps(*weighed),)) == bits((twin.greatest_gaps(*weighed),))
    size = native.sum_subsets(np.ones(rows), 1, subset)
    total = values[:, first].sum(axis=0) - values[:, second].sum(axis=0)
    ranked = sums, columns, first, second, size, rows, total, np.full(5, 1e-12)
    rank = data.draw(st.integers(-1, draws))
    assert bits(native.rank_means(*ranked, rank, 2)) == bits(twin.rank_means(*ranked, rank, 1))


@ABSENT
@pytest.mark.parametrize("draws", [1, 500, 1023, 1025, 1999, 5000, 8191, 8193, 12_000])
def test_numbers_of_draws_are_ranked_as_by_the_twin(draws):
    """Around where the kernel begins to look among few of them."""
    rng = np.random.default_rng(draws)
    values = np.column_stack((rng.normal(size=(30, 2)), np.ones(30)))
    subset = rng.integers(0, 256, (4, draws), dtype=np.uint8)
    sums = native.sum_subsets(values.ravel(), 3, subset.ravel())
    pair, total = np.int32([[0], [1]]), values[:, :1].sum(axis=0) - values[:, 1:2].sum(axis=0)
    for rank in sorted({0, draws // 20, draws // 2, draws - 1}):
        given_ = sums, 3, *pair, sums[2 * draws :].copy(), 30, total, np.full(1, 1e-12), rank, 2
        assert bits(native.rank_means(*given_)) == bits(twin.rank_means(*given_))


@ABSENT
@pytest.mark.parametrize("share", [0.001, 0.05, 0.5, 0.99])
def test_many_draws_are_ranked_as_by_the_twin(share):
    """So many that the kernel looks among few of them; in whatever order they are drawn."""
    rng = np.random.default_rng(5)
    for made in ("any", "sorted", "equal"):
        values = np.column_stack((rng.normal(size=(30, 3)), np.ones(30)))
        if made == "equal":
            values[:, 0] = values[:, 1] + (np.arange(30) == 3)
        subset = rng.integers(0, 256, (4, 20_000), dtype=np.uint8)
        if made == "sorted":  # what the first draws show is nothing like the others
            subset = subset[
                :, np.argsort(native.sum_subsets(values.ravel(), 4, subset.ravel())[:20_000])
            ].copy()
        sums = native.sum_subsets(values.ravel(), 4, subset.ravel())
        first, second = np.int32([0, 0, 1]), np.int32([1, 2, 2])
        total = values[:, first].sum(axis=0) - values[:, second].sum(axis=0)
        given_ = (
            sums,
            4,
            first,
            second,
            sums[60_000:].copy(),
            30,
            total,
            np.full(3, 1e-12),
            int(share * 20_000),
        )
        assert bits(native.rank_means(*given_, 3)) == bits(twin.rank_means(*given_, 1))


@EITHER
def test_wrong_arguments_are_refused(kernel):
    value, pair = np.arange(6.0), (np.int32([0]), np.int32([1]))
    for columns in (0, -1, 4, 7):
        with pytest.raises(ValueError, match="columns: too many, or not of one length"):
            kernel.sum_subsets(value, columns, np.zeros(3, np.uint8))
    with pytest.raises(ValueError, match="subsets: too many, or not of one length"):
        kernel.sum_subsets(np.arange(20.0), 2, np.zeros(3, np.uint8))
    with pytest.raises(ValueError, match="columns: too many"):
        kernel.greatest_gaps(value, 4, *pair, np.ones(1))
    with pytest.raises(ValueError, match="there is no such cell"):
        kernel.greatest_gaps(value, 1, *pair, np.ones(1))
    with pytest.raises(ValueError, match="columns differ in length"):
        kernel.greatest_gaps(value, 2, *pair, np.ones(2))
    one = np.ones(1)
    with pytest.raises(ValueError, match="columns differ in length"):
        kernel.rank_means(value, 2, *pair, np.ones(2), 3, one, one, 0, 1)
    for spoilt in (np.nan, np.inf, 1e301):
        with pytest.raises(ValueError, match="sums: must be finite, and at most 1e300"):
            kernel.rank_means(np.r_[value[:5], spoilt], 2, *pair, np.ones(3), 3, one, one, 0, 1)
        with pytest.raises(ValueError, match="sums: must be finite, and at most 1e300"):
            kernel.rank_means(value, 2, *pair, np.ones(3), 3, spoilt * one, one, -1, 1)
    assert kernel.sum_subsets(value, 2, np.zeros(0, np.uint8)).tolist() == []


@ABSENT
def test_signatures_are_equal():
    for name in NAMES:
        for argument in inspect.signature(getattr(twin, name)).parameters:
            assert argument in (getattr(native, name).__doc__ or "")
