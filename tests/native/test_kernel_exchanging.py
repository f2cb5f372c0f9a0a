"""Exchanges of ranks: differences against lists written out, with weights and without, native
against twin, wrong columns.
"""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from precall.native import twin
from precall.stats.tests.exchange import Exchange, exchange, join_pairs
from tests.native.kernels import ABSENT, EITHER, bits, native
from tests.peers import peer

stats = peer("scipy.stats")


def columns(lists: Exchange, moved, area):
    moved = np.asarray(moved, np.int32)
    return (
        np.ravel(moved),
        lists.start,
        lists.base,
        lists.every,
        lists.slot,
        lists.coin,
        len(lists.coins),
        area,
    )


def ranks(score):
    """Twice the mean rank, so that it is whole."""
    return np.rint(2 * stats.rankdata(-np.asarray(score))).astype(np.int64)


def value(relevant, rank, area):
    """AP with blocks as wholes, or area under ROC, by loops."""
    hits, others = rank[relevant], rank[~relevant]
    if area:
        won = [
            np.mean((others > hit) + (others == hit) / 2) if len(others) else np.nan for hit in hits
        ]
        return np.mean(won) if won else np.nan
    return (
        np.mean([np.sum(hits <= hit) / np.sum(rank <= hit) for hit in hits])
        if len(hits)
        else np.nan
    )


@pytest.mark.nightly(keep=3)
@EITHER
@pytest.mark.parametrize("area", [False, True])
@pytest.mark.parametrize("tied", [False, True])
def test_groups_against_lists_written_out(kernel, area, tied):
    rng = np.random.default_rng(5)
    for _ in range(20):
        size = int(rng.integers(4, 20))
        relevant = np.append([True, False], rng.random(size - 2) < 0.4)
        scores = rng.integers(0, 4, (2, size)) if tied else rng.random((2, size))
        first, second = ranks(scores[0]), ranks(scores[1])
        unit = np.unique(rng.integers(0, 5, size), return_inverse=True)[1]
        lists = exchange(relevant, first, second, unit)
        if not len(lists.coins):
            continue
        moved = rng.integers(0, 2, (len(lists.coins), 9), dtype=np.int32)
        ours = kernel.exchange_differences(*columns(lists, moved, area))
        # Which coin is whose group does not show; every set of groups has its difference, with each
        # sign.
        every = []
        for chosen in range(2 ** (int(unit.max()) + 1)):
            up = (chosen >> unit & 1) == 1
            here, there = np.where(up, first, second), np.where(up, second, first)
            every.append(value(relevant, here, area) - value(relevant, there, area))
        assert all(np.min(np.abs(np.array(every) - ours[i])) < 1e-12 for i in range(9))
        all_up = kernel.exchange_differences(*columns(lists, np.ones((len(lists.coins), 1)), area))
        assert all_up == pytest.approx([every[-1]], abs=1e-12)


@EITHER
@pytest.mark.parametrize("area", [False, True])
def test_items_that_are_alike_count_as_often_as_they_are_up(kernel, area):
    """Three others at ranks 1 and 3 or 3 and 1; a relevant item at 2 in both, and another at 1
    or 4.
    """
    relevant = np.array([False] * 3 + [True, True])
    first, second = np.array([1, 1, 1, 2, 1]), np.array([3, 3, 3, 2, 4])
    lists = exchange(relevant, first, second)
    assert sorted(lists.coins.tolist()) == [1, 3]
    hit, others = lists.coins.tolist().index(1), lists.coins.tolist().index(3)
    for up in range(4):
        for hit_up in range(2):
            moved = np.zeros((2, 1), np.int32)
            moved[hit], moved[others] = hit_up, up
            here = np.where(np.append(np.arange(3) < up, [True, hit_up == 1]), first, second)
            expected = value(relevant, here, area) - value(relevant, first + second - here, area)
            assert kernel.exchange_differences(*columns(lists, moved, area)) == pytest.approx(
                [expected], abs=1e-15
            )


@ABSENT
@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**32),
    st.integers(2, 60),
    st.integers(0, 11),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_native_equals_twin(seed, size, draws, area, grouped, tied):
    rng = np.random.default_rng(seed)
    relevant = rng.random(size) < 0.4
    scores = rng.integers(0, 5, (2, size)) if tied else rng.random((2, size))
    unit = np.unique(rng.integers(0, 7, size), return_inverse=True)[1] if grouped else None
    lists = exchange(relevant, ranks(scores[0]), ranks(scores[1]), unit)
    if len(lists.coins):
        moved = rng.integers(0, lists.coins[:, None] + 1, (len(lists.coins), draws), dtype=np.int32)
        given_ = columns(lists, moved, area)
        assert bits((native.exchange_differences(*given_),)) == bits(
            (twin.exchange_differences(*given_),)
        )


@EITHER
@pytest.mark.parametrize("area", [False, True])
def test_differences_of_several_pairs_are_added_up(kernel, area):
    """One of them orders all items alike and has no coin, as in the first list where all are up."""
    rng = np.random.default_rng(3)
    pairs, alone = [], []
    for size in (5, 12, 8):
        relevant = np.append([True, False], rng.random(size - 2) < 0.4)
        first, second = (ranks(rng.random(size)) for _ in range(2))
        pairs.append(exchange(relevant, first, first if size == 12 else second))
    moved = [
        rng.integers(0, pair.coins[:, None] + 1, (len(pair.coins), 7), dtype=np.int32)
        for pair in pairs
    ]
    for pair, up in zip(pairs, moved, strict=True):
        alone.append(
            kernel.exchange_differences(*columns(pair, up, area)) if len(up) else np.zeros(7)
        )
    together = kernel.exchange_differences(*columns(join_pairs(pairs), np.concatenate(moved), area))
    assert together == pytest.approx(np.sum(alone, axis=0), abs=1e-15)
    if native is not None:
        given_ = columns(join_pairs(pairs), np.concatenate(moved), area)
        assert bits((native.exchange_differences(*given_),)) == bits(
            (twin.exchange_differences(*given_),)
        )


@EITHER
@pytest.mark.parametrize(
    ("name", "wrong", "said"),
    [
        ("moved", [1, 0, 1], "coins: too many, or not of one length"),
        ("coins", 0, "coins: too many, or not of one length"),
        ("coins", 2**31, "coins: too many, or not of one length"),
        ("coins", 1, "there is no such coin"),
        ("base", [0] * 5, "starts do not divide the column"),
        ("start", [0, 5], "starts do not divide the column"),
        ("start", [1, 6], "starts do not divide the column"),
        ("start", [0, 7, 6], "starts do not divide the column"),
        ("start", [], "starts do not divide the column"),
        ("start", [0, 4, 6], "slots: must be two for each"),
        ("start", [0, 0, 6], "slots: must be two for each"),
        ("every", [0] * 7, "columns differ in length"),
        ("slot", [0], "columns differ in length"),
        ("slot", [0, 6], "there is no such cell"),
        ("slot", [-1, 0], "there is no such cell"),
        ("coin", [0, 2], "there is no such coin"),
        ("coin", [-3, 0], "there is no such coin"),
        ("coin", [0], "columns differ in length"),
    ],
)
def test_wrong_columns_are_refused(kernel, name, wrong, said):
    given_ = {
        "moved": np.array([1, 0, 1, 1], np.int32),
        "start": np.array([0, 6]),
        "base": np.array([0, 0, 1, 0, 0, 0], np.int32),
        "every": np.array([1, 0, 1, 2, 0, 0], np.int32),
        "slot": np.array([0, 3], np.int32),
        "coin": np.array([0, -2], np.int32),
        "coins": 2,
        "area": False,
    }
    assert kernel.exchange_differences(**given_).shape == (2,)
    changed = np.array(wrong, given_[name].dtype) if isinstance(wrong, list) else wrong
    with pytest.raises(ValueError, match=said):
        kernel.exchange_differences(**given_ | {name: changed})


@ABSENT
def test_signatures_are_equal():
    for argument in inspect.signature(twin.exchange_differences).parameters:
        assert argument in (native.exchange_differences.__doc__ or "")


def weighed(lists: Exchange, moved, area):
    return (
        np.ravel(np.asarray(moved, np.int32)),
        lists.base,
        lists.slot,
        lists.coin,
        lists.weight,
        lists.coins.astype(np.int32),
        area,
    )


def weighed_value(relevant, rank, weight, area):
    """AP with blocks as wholes, or area under ROC, of weighted items by loops."""
    total = 0.0
    for hit, heavy in zip(rank[relevant], weight[relevant], strict=True):
        if area:
            lost, other = rank[~relevant], weight[~relevant]
            total += heavy * (other[lost > hit].sum() + other[lost == hit].sum() / 2)
        else:
            total += heavy * weight[relevant & (rank <= hit)].sum() / weight[rank <= hit].sum()
    return total / weight[relevant].sum() / (weight[~relevant].sum() if area else 1)


@pytest.mark.nightly
@EITHER
@pytest.mark.parametrize("area", [False, True])
@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("grouped", [False, True])
def test_weighted_items_against_lists_written_out(kernel, area, tied, grouped):
    rng = np.random.default_rng(6)
    for turn in range(20):
        size = int(rng.integers(4, 10))
        relevant = np.append([True, False], rng.random(size - 2) < 0.4)
        scores = rng.integers(0, 4, (2, size)) if tied else rng.random((2, size))
        weight = rng.random(size) + 0.1 if turn % 2 else np.where(relevant, 1.0, 50.0)
        first, second = ranks(scores[0]), ranks(scores[1])
        unit = np.unique(rng.integers(0, 5, size), return_inverse=True)[1] if grouped else None
        lists = exchange(relevant, first, second, unit, weight)
        if not len(lists.coins):
            continue
        moved = rng.integers(0, lists.coins[:, None] + 1, (len(lists.coins), 9), dtype=np.int32)
        ours = kernel.exchange_weights(*weighed(lists, moved, area))
        every, member = [], np.arange(size) if unit is None else unit
        for chosen in range(2 ** (int(member.max()) + 1)):
            up = (chosen >> member & 1) == 1
            here, there = np.where(up, first, second), np.where(up, second, first)
            every.append(
                weighed_value(relevant, here, weight, area)
                - weighed_value(relevant, there, weight, area)
            )
        assert all(np.min(np.abs(np.array(every) - ours[i])) < 1e-12 for i in range(9))


@EITHER
@pytest.mark.parametrize("area", [False, True])
@pytest.mark.parametrize("grouped", [False, True])
def test_equal_weights_are_none(kernel, area, grouped):
    rng = np.random.default_rng(7)
    relevant = rng.random(60) < 0.3
    scores = rng.integers(0, 25, (2, 60))
    unit = np.arange(60) // 4 if grouped else None
    plain = exchange(relevant, ranks(scores[0]), ranks(scores[1]), unit)
    heavy = exchange(relevant, ranks(scores[0]), ranks(scores[1]), unit, np.full(60, 2.5))
    assert plain.coins.tolist() == heavy.coins.tolist()
    moved = rng.integers(0, plain.coins[:, None] + 1, (len(plain.coins), 50), dtype=np.int32)
    ours = kernel.exchange_weights(*weighed(heavy, moved, area))
    assert ours == pytest.approx(
        kernel.exchange_differences(*columns(plain, moved, area)), abs=1e-13
    )


def test_alike_items_of_one_weight_are_one_row():
    relevant = np.array([True, False, False, False, False])
    first, second = np.array([2, 1, 1, 1, 3]), np.array([2, 3, 3, 3, 3])
    lists = exchange(relevant, first, second, None, np.array([1.0, 2.0, 2.0, 3.0, 2.0]))
    assert sorted(lists.coins.tolist()) == [1, 2]


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("heavy", [False, True])
def test_items_and_groups_in_another_order_are_the_same_exchanges(grouped, heavy):
    rng = np.random.default_rng(8)
    relevant, scores = rng.random(50) < 0.4, rng.integers(0, 20, (2, 50))
    unit = rng.integers(0, 9, 50) if grouped else None
    weight = rng.choice([0.1, 0.2, 0.7, 5.3], 50) if heavy else None
    known = []
    for _ in range(4):
        order, name = rng.permutation(50), rng.permutation(9)
        first, second = map(ranks, scores)
        group = None if unit is None else np.unique(name[unit], return_inverse=True)[1][order]
        lists = exchange(
            relevant[order],
            first[order],
            second[order],
            group,
            None if weight is None else weight[order],
        )
        parts = (lists.coins, lists.base, lists.every, lists.slot, lists.coin, lists.weight)
        known.append([None if part is None else part.tolist() for part in parts])
    assert all(other == known[0] for other in known)


@ABSENT
@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**32),
    st.integers(2, 60),
    st.integers(0, 20),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_native_equals_twin_with_weights(seed, size, draws, area, grouped, tied):
    rng = np.random.default_rng(seed)
    relevant = rng.random(size) < 0.4
    scores = rng.integers(0, 5, (2, size)) if tied else rng.random((2, size))
    unit = np.unique(rng.integers(0, 7, size), return_inverse=True)[1] if grouped else None
    weight = rng.choice([0.1, 0.3, 1e9], size) if tied else rng.exponential(size=size)
    lists = exchange(relevant, ranks(scores[0]), ranks(scores[1]), unit, weight)
    if len(lists.coins):
        moved = rng.integers(0, lists.coins[:, None] + 1, (len(lists.coins), draws), dtype=np.int32)
        given_ = weighed(lists, moved, area)
        assert bits((native.exchange_weights(*given_),)) == bits((twin.exchange_weights(*given_),))


@EITHER
@pytest.mark.parametrize(
    ("name", "wrong", "said"),
    [
        ("moved", [1, 0, 1], "coins: too many, or not of one length"),
        ("units", [], "coins: too many, or not of one length"),
        ("units", [1], "there is no such coin"),
        ("base", [0] * 5, "slots: must be two for each"),
        ("base", [0] * 8, "slots: must be two for each"),
        ("slot", [0], "columns differ in length"),
        ("weight", [0.5], "columns differ in length"),
        ("slot", [0, 6], "there is no such cell"),
        ("slot", [-1, 0], "there is no such cell"),
        ("coin", [0, 2], "there is no such coin"),
        ("coin", [-3, 0], "there is no such coin"),
        ("coin", [0], "columns differ in length"),
    ],
)
def test_wrong_columns_with_weights_are_refused(kernel, name, wrong, said):
    given_ = {
        "moved": np.array([1, 0, 1, 1], np.int32),
        "base": np.array([0, 0, 1.5, 0, 0, 0]),
        "slot": np.array([0, 3], np.int32),
        "coin": np.array([0, -2], np.int32),
        "weight": np.array([0.5, 2.0]),
        "units": np.array([1, 1], np.int32),
        "area": False,
    }
    assert kernel.exchange_weights(**given_).shape == (2,)
    changed = np.array(wrong, given_[name].dtype)
    with pytest.raises(ValueError, match=said):
        kernel.exchange_weights(**given_ | {name: changed})


@ABSENT
def test_signatures_with_weights_are_equal():
    for argument in inspect.signature(twin.exchange_weights).parameters:
        assert argument in (native.exchange_weights.__doc__ or "")
