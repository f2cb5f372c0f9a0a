"""Long lists are looked at some blocks at a time: what comes of it is what all blocks at once
give.
"""

from __future__ import annotations

import warnings
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import precall as pc
from precall.cases import intervals as cases_module
from precall.cases.intervals import blocks_of, intervals_of_blocks
from precall.core.notes import Quoted
from precall.stats import blocks as blocks_module
from precall.stats import influence
from precall.stats.blocks import Blocks, narrow
from precall.stats.intervals import tuned
from precall.stats.resample.resampling import path_of_data

LABELS = st.lists(st.booleans(), min_size=3, max_size=40)


def with_rows(rows: int, make: Any) -> Any:
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        patch.setattr(blocks_module, "ROWS", rows)
        patch.setattr(cases_module, "ROWS", rows)
        return make()


def exact(relevant: Any, score: Any, missed: int) -> list[Any]:
    """What is equal digit for digit."""
    blocks = blocks_of(relevant, score, missed=missed)
    lists, areas = blocks.thin(), blocks.join()
    columns = [*counts(lists), *counts(areas)]
    for known in (influence.average_precision(lists), influence.area_under_roc(areas)):
        columns += [known.value, known.positive.tolist(), known.negative.tolist()]
    for beta in (0.5, 1.0):
        interval = tuned.max_f(blocks, beta, rng=3, resamples=100)
        columns += [
            interval.estimate,
            interval.low,
            interval.high,
            interval.row,
            interval.naive.estimate,
        ]
    return columns


def near(relevant: Any, score: Any, missed: int) -> list[float]:
    """What is equal but for the order of sums."""
    blocks = blocks_of(relevant, score, missed=missed)
    lists, areas = blocks.thin(), blocks.join()
    precision, area = influence.average_precision(lists), influence.area_under_roc(areas)
    sums = [
        *(influence.variance(lists, precision, stratified) for stratified in (False, True)),
        *(influence.bias(lists, stratified) for stratified in (False, True)),
        influence.variance(areas, area, True),
        *influence.of_kinds(areas, area),
    ]
    bounds = [interval.ends for interval in intervals_of_blocks(blocks, 0.9, 1).values()]
    return [*sums, *(end for pair in bounds for end in pair)]


def counts(blocks: Blocks) -> tuple[list[int], list[int]]:
    return blocks.positive.tolist(), blocks.negative.tolist()


@pytest.mark.nightly
@settings(max_examples=60, deadline=None)
@given(
    LABELS,
    st.integers(1, 6),
    st.integers(0, 2),
    st.sampled_from([1, 2, 3, 7]),
    st.integers(0, 2**32),
)
def test_parts_are_the_whole(labels, values, missed, rows, seed):
    # Two of each: of one alone the variance is undefined, and what stands for it magnifies
    # rounding.
    relevant = np.array([True, False, True, False, *labels])
    score = np.random.default_rng(seed).integers(0, 4**values, len(relevant)).astype(float)
    given_ = relevant, score, missed
    assert with_rows(rows, lambda: exact(*given_)) == with_rows(1000, lambda: exact(*given_))
    parts, whole = (with_rows(size, lambda: near(*given_)) for size in (rows, 1000))
    assert parts == pytest.approx(whole, rel=1e-11, abs=1e-14, nan_ok=True)


@pytest.mark.parametrize("digits", [4, 16])
def test_long_lists_by_the_definition(digits):
    """DeLong's variance of more blocks than are looked at together, from every case's share of the
    other kind.
    """
    rng = np.random.default_rng(4)
    relevant = rng.random(100_000) < 0.3
    score = (rng.normal(size=100_000) + relevant).round(digits)
    hits, others = np.sort(score[relevant]), np.sort(score[~relevant])
    won = [
        (np.searchsorted(b, a) + np.searchsorted(b, a, "right")) / 2 / len(b)
        for a, b in ((hits, others), (others, hits))
    ]
    interval = pc.interval.area_under_roc(relevant, score, method="delong")
    assert interval.estimate == pytest.approx(won[0].mean(), rel=1e-12)
    assert interval.standard_error**2 == pytest.approx(
        sum(np.var(each, ddof=1) / len(each) for each in won), rel=1e-4
    )
    assert len(blocks_of(relevant, score).join().rows()) > 1


def test_a_part_without_hits_and_gaps_longer_than_a_part():
    relevant = np.zeros(200, bool)
    relevant[[0, 1, 150, 199]] = True
    score = -np.arange(200.0)
    whole = with_rows(1000, lambda: exact(relevant, score, 1))
    for rows in (1, 5, 20):
        assert with_rows(rows, lambda: exact(relevant, score, 1)) == whole


def test_counts_of_long_lists_are_narrow_and_never_wrap_around():
    hits = np.array([100, 27, 1, 0, 2**20, 0, 3] * 5)
    others = np.array([0, 127, 128, 40_000, 5, 0, 1] * 5)
    whole = Blocks(hits, others, 2)
    small = with_rows(4, lambda: Blocks(narrow(hits), narrow(others), 2))
    assert (small.positive.dtype, small.negative.dtype) == (np.int32, np.int32)
    for name in ("thin", "join"):
        expected = counts(getattr(whole, name)())
        made = with_rows(4, getattr(small, name))
        assert counts(made) == expected
        assert made.positive.dtype.kind == "i"
    assert (small.relevant, small.other) == (whole.relevant, whole.other)


def test_real_weights_are_one_part():
    """Their sums depend on where they are added."""
    rng = np.random.default_rng(2)
    relevant, score, weights = rng.random(50) < 0.4, rng.normal(size=50), rng.random(50)
    interval = lambda: pc.interval.average_precision(relevant, score, weights=weights)  # noqa: E731
    assert with_rows(3, interval) == with_rows(1000, interval)
    # The last threshold accepts all that is relevant, to the last digit.
    path = path_of_data(blocks_of(relevant, score, weights))
    assert path.tp[-1, 0] == path.relevant[0]


def test_blocks_that_join_keep_all_that_is_true_of_them():
    blocks = Blocks(
        np.array([1, 0, 2, 1]),
        np.array([0, 3, 0, 0]),
        missed=2,
        scores=lambda: np.array([4.0, 2.0, 1.0]),
        higher_is_better=False,
        notes=(Quoted("", "odd"),),
    )
    for name in ("thin", "join"):
        made = getattr(blocks, name)()
        left = {part.name: getattr(made, part.name) for part in fields(made)}
        expected = {part.name: getattr(blocks, part.name) for part in fields(blocks)}
        # Blocks that are joined have several scores.
        expected["scores"] = blocks.scores if name == "thin" else None
        for column in ("positive", "negative"):
            assert left.pop(column).sum() == expected.pop(column).sum()
        assert left == expected
