"""Samples of cases and blocks of scores: the twin by hand, the native kernel against the twin,
wrong columns.
"""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from precall.native import twin, twin_resampling
from precall.stats.blocks import Blocks
from precall.stats.resample.multinomial import Cells
from precall.stats.resample.resampling import steps
from tests.native.kernels import ABSENT, EITHER, bits, native, same

SEEDS = np.array([0, 1, 2**64 - 1, 0x9E3779B97F4A7C15], np.uint64)


@EITHER
def test_words_are_those_of_splitmix(kernel):
    """The first words of seed 1234567, as published with the generator, choose among 2^31 - 1
    draws' owners.
    """
    words = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    size = 1000
    tables = (
        np.zeros(0, np.int32),
        np.zeros(1, np.int64),
        np.zeros(0, np.int32),
        np.zeros(0, np.uint64),
        np.zeros(1, np.int64),
        np.arange(size, dtype=np.int32),
        np.array([0, size]),
        np.zeros(2, np.int64),
    )
    drawn = kernel.draw_cells(np.array([1234567], np.uint64), np.array([5]), *tables, size, 1)
    expected = np.bincount([word * size >> 64 for word in words], minlength=size)
    assert drawn.tolist() == [expected.tolist()]


@EITHER
def test_numbers_count_the_thresholds_reached(kernel):
    """One place, whose number is 3 and one more from half of all words on; the words of seed
    1234567 are known.
    """
    tables = (
        np.array([0, 0], np.int32),
        np.array([0, 2]),
        np.array([3], np.int32),
        np.array([2**63], np.uint64),
        np.array([0, 1]),
        np.array([1], np.int32),
        np.array([0, 1]),
        np.array([0, 1]),
    )
    # 6.4e18 and 3.2e18 are below 2^63 = 9.2e18: twice 3, and one more is lacking.
    assert kernel.draw_cells(
        np.array([1234567], np.uint64), np.array([7]), *tables, 2, 1
    ).tolist() == [[6, 1]]
    # Where six are too many, the two next words give 4 and 3, and so on: never 5.
    with pytest.raises(ValueError, match="the Poisson numbers exceed the draws"):
        kernel.draw_cells(np.array([1234567], np.uint64), np.array([5]), *tables, 2, 1)


@EITHER
def test_precision_of_a_sample_by_hand(kernel):
    """Two steps, the first one a block: every draw falls on the only case of its stratum."""
    cells = np.array([1, 2, 1, 3, 1, 2, 1])  # gaps, relevant, others in the block, rest, missed
    found = Cells(cells, [np.array([i]) for i in range(7)])
    value = kernel.draw_precisions(
        SEEDS[:1], np.array(found.totals), *found.tables, np.array([True, False]), 1
    )
    # The block ends after 1 + 1 + 1 cases; the relevant ones of the second step follow 1 + 1 + 2
    # others. One is missed.
    expected = (1 / 3 + sum((1 + c) / (5 + c) for c in (1, 2, 3))) / 5
    assert value.tolist() == [pytest.approx(expected, rel=1e-14)]


@ABSENT
@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 300)), min_size=1, max_size=30),
    st.integers(0, 3),
    st.integers(0, 2**32),
    st.booleans(),
)
def test_native_equals_twin(rows, missed, seed, stratified):
    blocks = Blocks(np.array([a for a, _ in rows]), np.array([b for _, b in rows]), missed)
    path = steps(blocks)
    cells = Cells(path.cells, path.kinds if stratified else None)
    seeds = np.random.default_rng(seed).integers(0, 2**64 - 1, 7, dtype=np.uint64, endpoint=True)
    target = np.tile(np.array(cells.totals), 7)
    for threads in (1, 3):
        assert same("draw_cells", seeds, target, *cells.tables, len(path.cells), threads)
        assert same("draw_precisions", seeds, target, *cells.tables, path.block, threads)


@ABSENT
@pytest.mark.parametrize("tied", [False, True])
def test_long_lists_by_several_threads(tied):
    rng = np.random.default_rng(3)
    hits = rng.random(20_000) < 0.3
    more = rng.integers(0, 3, 20_000) if tied else 0
    path = steps(Blocks(hits * 1 + more, ~hits * 1 + more))
    sizes = path.cells.copy()
    sizes[5] = 50_000  # twelve times what one table gives, and the rest
    cells = Cells(sizes)
    seeds = rng.integers(0, 2**64 - 1, 12, dtype=np.uint64)
    target = np.repeat(np.array(cells.totals), 12)
    expected = twin.draw_precisions(seeds, target, *cells.tables, path.block, 1)
    for threads in (1, 2, 5):
        assert bits(
            (native.draw_precisions(seeds, target, *cells.tables, path.block, threads),)
        ) == bits((expected,))


@EITHER
@pytest.mark.parametrize(
    ("name", "wrong", "said"),
    [
        ("target", [-1], "counts: must be >= 0"),
        ("target", [2**31], "below 2\\^31 together"),
        ("target", [3, 4], "columns differ in length"),
        ("place", [0, 3], "there is no such cell"),
        ("place", [-1, 1], "there is no such cell"),
        ("place_start", [0, 3], "starts do not divide"),
        ("place_start", [], "starts do not divide"),
        ("place_start", [0, 1, 2], "columns differ in length"),
        ("least", [-1], "counts: must be >= 0"),
        ("least", [9], "the Poisson numbers exceed the draws"),
        ("below", [9, 8], "thresholds: must ascend"),
        ("below", [9], "starts do not divide"),
        ("below_start", [2, 0], "starts do not divide"),
        ("owner", [0, 1, 3], "there is no such cell"),
        ("owner", [0, 1], "starts do not divide"),
        ("owner_start", [0, 0, 3], "columns differ in length"),
        ("stratum", [0, 2], "starts do not divide"),
        ("cells", -1, "cells: too many, or too few"),
        ("cells", 2**31, "cells: too many, or too few"),
    ],
)
def test_wrong_columns_are_refused(kernel, name, wrong, said):
    columns = {
        "seed": np.array([1], np.uint64),
        "target": np.array([3]),
        "place": np.array([0, 1], np.int32),
        "place_start": np.array([0, 2]),
        "least": np.array([0], np.int32),
        "below": np.array([2**62, 2**63], np.uint64),
        "below_start": np.array([0, 2]),
        "owner": np.array([0, 1, 2], np.int32),
        "owner_start": np.array([0, 3]),
        "stratum": np.array([0, 1]),
        "cells": 3,
        "threads": 1,
    }
    assert kernel.draw_cells(**columns).sum() == 3
    given = np.array(wrong, columns[name].dtype) if isinstance(columns[name], np.ndarray) else wrong
    with pytest.raises(ValueError, match=said):
        kernel.draw_cells(**columns | {name: given})


def weighed(weights, labels, blocks, cells):
    """A list for `draw_paths`, of blocks of so many cases."""
    end, weights = np.cumsum(blocks), np.array(weights, np.float64)
    hit = np.array(labels, np.bool_)
    stops = np.array(
        [i for i, size in enumerate(blocks) if hit[end[i] - size : end[i]].any()], np.int64
    )
    first = (end - blocks)[stops]
    return (
        np.array(cells, np.int32),
        np.where(hit, weights, 0.0),
        np.where(hit, 0.0, weights),
        first,
        end[stops],
    )


@EITHER
def test_paths_and_gains_by_hand(kernel):
    """Each cell is all of its stratum, so that its cases count as often as is drawn from it: 2, 1
    and 3 times.
    """
    tables = Cells(np.ones(3, np.int64), [np.array([i]) for i in range(3)]).tables
    drawn = SEEDS[:1], np.array([2, 1, 3]), *tables, 3
    list_ = weighed([1, 0.5, 2, 4, 1], [0, 1, 0, 1, 0], [1, 3, 1], [0, 1, 2, 0, 1])
    tp, fp, before, hits, others = kernel.draw_paths(*drawn, *list_, 1)
    # The block has .5 x 1 and 4 x 2 relevant, 2 x 3 others, and 1 x 2 others above it.
    assert [part.tolist() for part in (tp, fp, before)] == [[[8.5]], [[8.0]], [[2.0]]]
    assert (hits.tolist(), others.tolist()) == ([8.5], [9.0])
    gain, relevant = kernel.draw_gains(*drawn, *list_, True, 1)
    assert (gain.tolist(), relevant.tolist()) == ([8.5 * (8.5 / 16.5)], [8.5])
    # The only case of a block that is drawn twice: one copy below the other, or as one block; 1
    # stands above it, 2 beside it.
    list_ = weighed([1, 2, 1], [1, 1, 0], [1, 1, 1], [1, 0, 1])
    gain, _ = kernel.draw_gains(*drawn, *list_, True, 1)
    assert gain.tolist() == [1 + 2 + 2]
    list_ = weighed([1, 2, 1], [0, 1, 0], [1, 1, 1], [1, 0, 1])
    for apart, expected in ((True, 2 * (2 / 3) + 2 * (4 / 5)), (False, 4 * (4 / 5))):
        assert kernel.draw_gains(*drawn, *list_, apart, 1)[0].tolist() == [expected]
    nothing = kernel.draw_gains(SEEDS[:1], np.zeros(3, np.int64), *tables, 3, *list_, False, 1)
    assert [part.tolist() for part in nothing] == [[0.0], [0.0]]


@pytest.mark.nightly
@ABSENT
@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.lists(
            st.tuples(st.booleans(), st.floats(0, 1e300), st.integers(0, 6)), min_size=1, max_size=4
        ),
        max_size=12,
    ),
    st.integers(0, 2**32),
)
def test_native_paths_equal_those_of_the_twin(blocks, seed):
    cases = [case for block in blocks for case in block]
    labels, weights, cells = (
        (list(column) for column in zip(*cases, strict=True)) if cases else ([], [], [])
    )
    list_ = weighed(weights, labels, np.array([len(block) for block in blocks], np.int64), cells)
    rng = np.random.default_rng(seed)
    seeds, target = (
        rng.integers(0, 2**64 - 1, 5, dtype=np.uint64, endpoint=True),
        rng.integers(3, 9, 5),
    )
    for name, more in (("draw_paths", ()), ("draw_gains", (False,)), ("draw_gains", (True,))):
        given_ = seeds, target, *Cells(np.ones(7, np.int64)).tables, 7, *list_, *more
        expected = bits(getattr(twin, name)(*given_, 1))
        assert all(bits(getattr(native, name)(*given_, threads)) == expected for threads in (1, 3))


@ABSENT
def test_paths_of_many_cases_by_several_threads():
    rng = np.random.default_rng(3)
    size = 30_000
    blocks = np.bincount(np.sort(rng.integers(0, 20_000, size)), minlength=20_000)
    list_ = weighed(rng.lognormal(size=size), rng.random(size) < 0.3, blocks, rng.permutation(size))
    seeds, target = rng.integers(0, 2**64 - 1, 9, dtype=np.uint64), np.full(9, size)
    for name, more in (("draw_paths", ()), ("draw_gains", (False,)), ("draw_gains", (True,))):
        given_ = seeds, target, *Cells(np.ones(size, np.int64)).tables, size, *list_, *more
        expected = bits(getattr(twin, name)(*given_, 1))
        assert all(
            bits(getattr(native, name)(*given_, threads)) == expected for threads in (1, 2, 5)
        )


@EITHER
@pytest.mark.parametrize(("name", "more"), [("draw_paths", ()), ("draw_gains", (True,))])
@pytest.mark.parametrize(
    ("place", "wrong", "said"),
    [
        (0, [0, 1, 3], "there is no such cell"),
        (0, [0, -1, 1], "there is no such cell"),
        (0, [0, 1], "columns differ in length"),
        (1, [1.0], "columns differ in length"),
        (2, [1.0, 2.0], "columns differ in length"),
        (3, [0], "columns differ in length"),
        (3, [-1, 1], "stops: must ascend"),
        (3, [0, 0], "stops: must ascend"),
        (3, [2, 1], "stops: must ascend"),
        (4, [1, 4], "stops: must ascend"),
        (4, [1, 0], "stops: must ascend"),
        (4, [2**62, 2], "stops: must ascend"),
    ],
)
def test_wrong_lists_are_refused(kernel, name, more, place, wrong, said):
    list_ = list(weighed([1, 2, 3], [1, 1, 0], np.array([1, 1, 1]), [0, 1, 2]))
    drawn = SEEDS, np.full(4, 3), *Cells(np.ones(3, np.int64)).tables, 3
    assert len(getattr(kernel, name)(*drawn, *list_, *more, 1)[0]) == 4
    list_[place] = np.array(wrong, list_[place].dtype)
    with pytest.raises(ValueError, match=said):
        getattr(kernel, name)(*drawn, *list_, *more, 1)


@EITHER
def test_nothing_to_draw_from(kernel):
    empty = Cells(np.zeros(0, np.int64))
    assert kernel.draw_cells(SEEDS, np.zeros(4, np.int64), *empty.tables, 0, 2).shape == (4, 0)
    assert kernel.draw_cells(SEEDS[:0], np.zeros(0, np.int64), *empty.tables, 0, 2).shape == (0, 0)
    none = kernel.draw_precisions(
        SEEDS, np.zeros(4, np.int64), *Cells(np.array([0, 0])).tables, np.zeros(0, np.bool_), 2
    )
    assert none.shape == (4,) and np.isnan(none).all()
    with pytest.raises(ValueError, match="there are none to draw from"):
        kernel.draw_cells(SEEDS, np.ones(4, np.int64), *empty.tables, 0, 2)


@ABSENT
def test_signatures_are_equal():
    for name in (
        "draw_cells",
        "draw_precisions",
        "draw_best",
        "draw_heights",
        "draw_paths",
        "draw_gains",
        "blocks",
    ):
        said = getattr(native, name).__doc__ or ""
        for argument in inspect.signature(getattr(twin, name)).parameters:
            assert argument in said
    assert twin.draw_cells is twin_resampling.draw_cells


@EITHER
def test_blocks_are_numbered_from_the_best(kernel):
    relevant = np.array([1, 0, 0, 1, 1, 0, 1], np.bool_)
    block, hits, others, nan = kernel.blocks(
        relevant, np.array([0.5, 0.9, 0.5, -0.0, 0.0, -np.inf, np.inf]), 2
    )
    assert (block.tolist(), nan) == ([2, 1, 2, 3, 3, 4, 0], -1)
    assert (hits.tolist(), others.tolist()) == ([1, 0, 1, 2, 0], [0, 1, 1, 0, 1])
    assert kernel.blocks(relevant[:3], np.array([1.0, np.nan, np.nan]), 1)[3] == 1
    assert [part.tolist() for part in kernel.blocks(relevant[:0], np.zeros(0), 1)[:3]] == [
        [],
        [],
        [],
    ]


@pytest.mark.nightly(keep=8)
@ABSENT
@pytest.mark.parametrize("kind", ["even", "skewed", "tied", "constant", "close", "one far out"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", [1, 50, 3000, 100_000])
def test_blocks_of_many_scores(kind, dtype, size):
    even = np.random.default_rng(size).random(size)
    score = {
        "even": even,
        "skewed": np.exp(20 * even),
        "tied": np.round(even, 2),
        "constant": np.full(size, 0.5),
        "close": 0.5 + even * 1e-9,
        "one far out": np.append(even[1:], 1e30),
    }[kind].astype(dtype)
    relevant = np.random.default_rng(size + 1).random(size) < 0.3
    expected = bits(twin.blocks(relevant, score, 1))
    for threads in (1, 2, 3):
        assert bits(native.blocks(relevant, score, threads)) == expected
