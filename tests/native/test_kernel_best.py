"""Thresholds of greatest F of samples: the twin by hand, the native kernel against the twin, wrong
columns.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from precall.native import twin
from precall.stats.blocks import Blocks
from precall.stats.resample.multinomial import Cells
from precall.stats.resample.resampling import make_ladder
from tests.native.kernels import ABSENT, EITHER, bits, native, same

SEEDS = np.array([0, 1, 2**64 - 1, 0x9E3779B97F4A7C15], np.uint64)


def arguments(seeds, ladder, sizes):
    """Of `draw_best` but for the last two, where nothing is drawn apart."""
    cells = Cells(sizes)
    targets = np.tile(np.array(cells.totals), len(seeds))
    columns = (column.astype(np.int32) for column in (ladder.others, ladder.hits))
    return seeds, targets, *cells.tables, ladder.start, *columns


@EITHER
def test_greatest_f_of_a_sample_by_hand(kernel):
    """The draws of a stretch are given to its steps, those of stretches of one step are theirs."""
    others, hits = np.array([2, 0, 0], np.int32), np.array([1, 3, 2], np.int32)
    found = Cells(np.array([2, 0, 1, 5, 1, 2]), [np.array([i]) for i in range(6)])
    best = kernel.draw_best(
        SEEDS[:1], np.array(found.totals), *found.tables, np.array([0, 1, 3]), others, hits, 1.0, 1
    )
    # 6 of 8 relevant cases are accepted, and 2 others; F is 12 / 16 there and less above.
    assert [part.tolist() for part in best][1:] == [[6], [2], [8]]
    # Three draws take three words; the next ones, 6457817727110365317, 3203168211198807973,
    # 9817491932198370423 of 2^64, choose cases 1, 0 and 1 of 3: one of the first step, two of the
    # last.
    tables = (
        np.zeros(0, np.int32),
        np.zeros(1, np.int64),
        np.zeros(0, np.int32),
        np.zeros(0, np.uint64),
        np.zeros(1, np.int64),
        np.array([1], np.int32),
        np.array([0, 1]),
        np.zeros(2, np.int64),
    )
    seed = np.array([(1234567 - 3 * 0x9E3779B97F4A7C15) % 2**64], np.uint64)
    step = np.array([0, 3]), np.zeros(3, np.int32), np.array([1, 0, 2], np.int32)
    for square, expected in ((1.0, [2, 3, 0, 3]), (0.0, [0, 1, 0, 3])):
        made = kernel.draw_best(seed, np.array([3]), *tables, *step, square, 1)
        assert [part.tolist() for part in made] == [[number] for number in expected]


@pytest.mark.nightly
@ABSENT
@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 60)), min_size=1, max_size=30),
    st.integers(0, 3),
    st.integers(0, 2**32),
    st.sampled_from([0.0, 0.3, 1.0, 4.0]),
)
def test_native_finds_what_the_twin_finds(rows, missed, seed, square):
    blocks = Blocks(np.array([a for a, _ in rows]), np.array([b for _, b in rows]), missed).thin()
    seeds = np.random.default_rng(seed).integers(0, 2**64 - 1, 7, dtype=np.uint64, endpoint=True)
    for length in (1, 2, 5, 30):
        given_ = arguments(seeds, *make_ladder(blocks, length))
        for threads in (1, 3):
            assert same("draw_best", *given_, square, threads)


@ABSENT
@pytest.mark.parametrize("tied", [False, True])
def test_greatest_f_of_long_lists_by_several_threads(tied):
    rng = np.random.default_rng(5)
    hits = np.sort(rng.random(20_000)) + rng.random(20_000) < 1
    more = rng.integers(0, 3, 20_000) if tied else 0
    blocks = Blocks(hits * 1 + more, ~hits * 1 + more).thin()
    # Steps of short stretches have a byte each.
    for length in (32, 255, 256):
        given_ = arguments(
            rng.integers(0, 2**64 - 1, 12, dtype=np.uint64), *make_ladder(blocks, length)
        )
        expected = bits(twin.draw_best(*given_, 1.0, 1))
        for threads in (1, 2, 5):
            assert bits(native.draw_best(*given_, 1.0, threads)) == expected


@EITHER
@pytest.mark.parametrize(
    ("name", "wrong", "said"),
    [
        ("start", [0, 1, 2], "starts do not divide the column"),
        ("start", [0, 0, 3], "stretches: must have steps"),
        ("others", [1, 2], "starts do not divide the column"),
        ("hits", [1, 2], "columns differ in length"),
        ("others", [1, -1, 2], "counts: must be >= 0, and below 2\\^31 together"),
        ("hits", [2**30, 2**30, 1], "counts: must be >= 0, and below 2\\^31 together"),
        ("others", [1, 0, 0], "cells: there are none to draw from"),
        ("hits", [1, 0, 0], "cells: there are none to draw from"),
    ],
)
def test_wrong_ladders_are_refused(kernel, name, wrong, said):
    cells = Cells(np.array([1, 2, 1, 2, 1, 1]))
    columns = {
        "start": np.array([0, 1, 3]),
        "others": np.array([1, 0, 2], np.int32),
        "hits": np.ones(3, np.int32),
    }
    given_ = SEEDS, np.full(4, 8), *cells.tables
    assert len(kernel.draw_best(*given_, **columns, square=1.0, threads=1)[0]) == 4
    with pytest.raises(ValueError, match=said):
        kernel.draw_best(
            *given_, **columns | {name: np.array(wrong, columns[name].dtype)}, square=1.0, threads=1
        )


@EITHER
def test_nothing_to_draw_from(kernel):
    none = np.zeros(0, np.int32)
    best = kernel.draw_best(
        SEEDS,
        np.zeros(4, np.int64),
        *Cells(np.array([0, 0])).tables,
        np.zeros(1, np.int64),
        none,
        none,
        1.0,
        2,
    )
    assert [part.tolist() for part in best] == [[0] * 4] * 4
