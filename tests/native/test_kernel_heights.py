"""What samples accept where shares of the cases are reached: by hand, case by case, the native
kernel against the twin.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from precall.native import twin
from precall.stats.blocks import Blocks
from precall.stats.intervals.bands import band
from precall.stats.resample import multinomial
from precall.stats.resample.multinomial import Cells
from precall.stats.resample.resampling import steps
from tests.native.kernels import ABSENT, EITHER, bits, native, same

SEEDS = np.array([0, 1, 2**64 - 1, 0x9E3779B97F4A7C15], np.uint64)
#: Of the relevant cases, or of the others.
KINDS = pytest.mark.parametrize("of_others", [False, True])


def sampled(way, seeds):
    """What every function that draws from such cells is given first."""
    cells = Cells(way.cells)
    return seeds, np.tile(np.array(cells.totals), len(seeds)), *cells.tables


@EITHER
@pytest.mark.parametrize(
    ("of_others", "share", "hits", "whole"),
    [
        (False, [1 / 5, 0.21, 4 / 5, 1], [1, 4, 4, 4], [3, 8, 8, 8]),
        (True, [0, 1 / 6, 1.5 / 6, 2 / 6, 4 / 6, 1], [0, 0, 0.5, 1, 4, 4], [5] * 6),
    ],
)
def test_shares_by_hand(kernel, of_others, share, hits, whole):
    """A block of one case of each kind after one other, then three relevant ones after two; one is
    missed.
    """
    cells = Cells(np.array([1, 2, 1, 3, 1, 2, 1]), [np.array([i]) for i in range(7)])
    reached = kernel.draw_heights(
        SEEDS[:1],
        np.array(cells.totals),
        *cells.tables,
        np.array([True, False]),
        np.array(share, float),
        of_others,
        1,
    )
    assert [part.tolist() for part in reached] == [[hits], [whole]]


def case_by_case(counts, block, share, of_others):
    """The same of one sample, by fractions: what is accepted after each block, then where the share
    lies.
    """
    size = len(block)
    tied = iter(counts[2 * size : -2])
    rows, tp, fp = [(0, 0)], 0, 0
    for gap, hits, together in zip(counts[:size], counts[size : 2 * size], block, strict=True):
        # The others of a gap are accepted one by one before the block.
        rows += [(tp, fp + 1 + i) for i in range(gap)]
        fp += gap
        tp, fp = tp + hits, fp + (next(tied) if together else 0)
        rows.append((tp, fp))
    relevant, other = tp + counts[-1], fp + counts[-2]
    if not of_others:
        ends = [
            row
            for row, hits in zip(rows[1:], np.diff([row[0] for row in rows]), strict=True)
            if hits
        ]
        return next(
            ((hits, hits + wrong) for hits, wrong in ends if hits >= share * relevant), None
        )
    at = share * other
    below = [row for row in rows if row[1] <= at][-1]
    above = next((row for row in rows if row[1] > at), below)
    inside = (at - below[1]) / Fraction(above[1] - below[1]) if above[1] > below[1] else 0
    return below[0] + inside * (above[0] - below[0]), relevant


ROWS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 12)), min_size=1, max_size=12)


@pytest.mark.nightly
@KINDS
@settings(max_examples=60, deadline=None)
@given(
    ROWS,
    st.integers(0, 3),
    st.integers(0, 2**32),
    st.lists(st.integers(1, 40), min_size=1, max_size=6),
)
def test_shares_are_reached_where_they_are_case_by_case(of_others, rows, missed, seed, fortieths):
    way = steps(
        Blocks(np.array([a for a, _ in rows]), np.array([b for _, b in rows]), missed), joined=False
    )
    seeds = np.random.default_rng(seed).integers(0, 2**64 - 1, 3, dtype=np.uint64, endpoint=True)
    shares = [Fraction(number, 40) for number in sorted(fortieths)]
    drawn = sampled(way, seeds)
    counts = twin.draw_cells(*drawn, len(way.cells), 1)
    # Shares are rounded to float64; the sizes of samples here are whole numbers below 300.
    share = np.array([float(one) for one in shares])
    reached = twin.draw_heights(*drawn, way.block, share, of_others, 1)
    for sample, hits, whole in zip(counts.tolist(), *reached, strict=True):
        for at, *heights in zip(shares, hits, whole, strict=True):
            expected = case_by_case(sample, way.block, at, of_others)
            if expected is not None:
                assert heights == pytest.approx(
                    [float(part) for part in expected], rel=1e-9, abs=1e-9
                )


@ABSENT
@KINDS
@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 300)), min_size=1, max_size=30),
    st.integers(0, 3),
    st.integers(0, 2**32),
    st.lists(st.floats(0, 2) | st.sampled_from([0.0, 0.05, 0.5, 1.0, 5e-324]), max_size=9),
)
def test_native_finds_what_the_twin_finds(of_others, rows, missed, seed, shares):
    way = steps(
        Blocks(np.array([a for a, _ in rows]), np.array([b for _, b in rows]), missed), joined=False
    )
    seeds = np.random.default_rng(seed).integers(0, 2**64 - 1, 7, dtype=np.uint64, endpoint=True)
    for threads in (1, 3):
        assert same(
            "draw_heights",
            *sampled(way, seeds),
            way.block,
            np.array(sorted(shares)),
            of_others,
            threads,
        )


@ABSENT
@KINDS
def test_long_lists_by_several_threads(of_others):
    rng = np.random.default_rng(5)
    hits, more = rng.random(20_000) < 0.3, rng.integers(0, 3, 20_000)
    way = steps(Blocks(hits + more, ~hits + more), joined=False)
    drawn = sampled(way, rng.integers(0, 2**64 - 1, 12, dtype=np.uint64))
    given_ = *drawn, way.block, np.arange(1, 20) / 20, of_others
    expected = bits(twin.draw_heights(*given_, 1))
    for threads in (1, 2, 5):
        assert bits(native.draw_heights(*given_, threads)) == expected


@EITHER
@pytest.mark.parametrize(
    "wrong", [[0.5, 0.4], [-0.1], [2.1], [float("nan")], [0.1, float("nan"), 1]]
)
def test_wrong_shares_are_refused(kernel, wrong):
    drawn = sampled(steps(Blocks(np.array([1, 1]), np.array([1, 0]))), SEEDS)
    with pytest.raises(ValueError, match="shares: must ascend, from 0 to 2"):
        kernel.draw_heights(*drawn, np.array([True, False]), np.array(wrong, float), False, 1)


@EITHER
@KINDS
def test_nothing_to_draw_from(kernel, of_others):
    none = SEEDS, np.zeros(4, np.int64), *Cells(np.array([0, 0])).tables
    reached = kernel.draw_heights(*none, np.zeros(0, np.bool_), np.array([0.5, 1]), of_others, 2)
    assert [part.tolist() for part in reached] == [[[0, 0]] * 4] * 2
    for part in kernel.draw_heights(*none, np.zeros(0, np.bool_), np.zeros(0), of_others, 2):
        assert part.shape == (4, 0)


@pytest.mark.parametrize("curve", ["pr", "roc"])
def test_bands_of_cells_drawn_one_by_one(curve, monkeypatch):
    """Where there are too many items for tables the numbers come from NumPy: other draws, the same
    band but for chance.
    """
    rng = np.random.default_rng(1)
    blocks = Blocks(rng.integers(0, 9, 60), rng.integers(0, 9, 60))
    tabled = band(blocks, curve, resamples=16_000)
    monkeypatch.setattr(multinomial, "MOST_TABLED", 0)
    single = band(blocks, curve, resamples=16_000)
    assert not np.array_equal(single.low, tabled.low)
    for bound in ("low", "high"):
        assert getattr(single, bound) == pytest.approx(getattr(tabled, bound), abs=0.02)
