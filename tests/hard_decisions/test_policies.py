"""Policies accept what sorting all pairs by group, score and place would accept."""

from __future__ import annotations

import tracemalloc
from fractions import Fraction
from math import floor
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from precall.cases import curve
from precall.core.errors import UsageError
from precall.hard_decisions import categorize, pivots, policies
from tests.peers import peer

sparse = peer("scipy.sparse")

SCORES = (-np.inf, -1.0, -0.0, 0.0, 0.25, 0.5, 1e30, 1e300, np.inf)


def best(group, member, score, quota):
    """By sorting: the `quota` best of each group, of equal scores the first members."""
    order = np.lexsort((member, -score, group))
    ordered = group[order]
    chosen = np.zeros(len(order), bool)
    chosen[order] = np.arange(len(order)) - np.searchsorted(ordered, ordered) < quota[ordered]
    return chosen


def expected(status, thresholds):
    """Keys of the pairs that are accepted."""
    items, values = status.truth.items, thresholds.values
    pairs = status.item, status.category
    if thresholds.kind == "score":
        with np.errstate(over="ignore"):
            least = values.astype(status.score.dtype)[pairs[1]]
        accepted = (status.score >= least) & ~np.isposinf(values)[pairs[1]]
    elif thresholds.kind == "rank":
        accepted = best(*pairs, status.score, np.full(items, int(values[0])))
    else:
        shares = [Fraction(value).limit_denominator(10**6) for value in values.tolist()]
        quota = np.array([floor(share * items + Fraction(1, 2)) for share in shares], np.int64)
        accepted = best(*pairs[::-1], status.score, quota)
    return (pairs[0] * max(len(status.categories), 1) + pairs[1])[accepted]


@st.composite
def tables(draw):
    """Truth and scores of up to 12 items in up to 5 categories, with many ties."""
    items, categories = draw(st.integers(0, 12)), draw(st.integers(0, 5))
    cells = st.lists(
        st.sampled_from(SCORES), min_size=items * categories, max_size=items * categories
    )
    true = st.lists(st.booleans(), min_size=items * categories, max_size=items * categories)
    dtype = draw(st.sampled_from([np.float32, np.float64]))
    with np.errstate(over="ignore"):
        score = np.array(draw(cells)).astype(dtype)
    return np.array(draw(true), bool).reshape(items, categories), score.reshape(items, categories)


METHODS = (
    "rank:1",
    "rank:2",
    "rank:9",
    "pcut:.3",
    "pcut",
    "pcut:9",
    "fixed:0",
    "fixed:0.3",
    "fixed:1e300",
    "max-f",
    "bep",
)


def learned_by(method, status):
    """Thresholds, if the score +inf is none of them."""
    try:
        return status.thresholds(method)
    except UsageError:
        assert method in ("max-f", "bep") and np.isposinf(status.score).any()
        return reject()


@given(tables(), st.sampled_from(METHODS), st.sampled_from([1, 7, 1 << 20]))
def test_ties_are_decided_by_place(table, method, cells):
    truth, score = table
    status = categorize(truth, score)
    thresholds = learned_by(method, status)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(policies, "_CELLS", cells)
        decided = status.decide(thresholds)
    assert decided.predicted.keys.tolist() == expected(status, thresholds).tolist()
    assert decided.predicted.keys.dtype == np.int64


@given(tables(), st.sampled_from(METHODS), st.data())
def test_pairs_without_a_score_are_not_accepted(table, method, data):
    truth, score = table
    stored = np.array(
        data.draw(st.lists(st.booleans(), min_size=score.size, max_size=score.size)), bool
    )
    places = np.nonzero(stored.reshape(score.shape))
    status = categorize(truth, sparse.coo_array((score[places], places), shape=score.shape))
    thresholds = learned_by(method, status)
    assert (
        status.decide(thresholds).predicted.keys.tolist() == expected(status, thresholds).tolist()
    )


def test_more_categories_than_there_are():
    status = categorize([[1, 0], [0, 1]], [[0.1, 0.1], [0.2, 0.3]])
    assert status.decide(status.thresholds("rank:1e30")).predicted.keys.tolist() == [0, 1, 2, 3]


@given(tables(), st.sampled_from(["category", "item"]), st.sampled_from([1, 9, 1 << 20]))
def test_curves_are_made_a_few_at_a_time(table, pivot, cases):
    truth, score = table
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pivots, "_CASES", cases)
        made = list(categorize(truth, score).curves(pivot))
    rows = (truth, score) if pivot == "item" else (truth.T, score.T)
    assert len(made) == len(rows[0])
    for path, true, scores in zip(made, *rows, strict=True):
        alone = curve(true, scores)
        for column in ("threshold", "tp", "fp"):
            assert getattr(path, column).tolist() == getattr(alone, column).tolist()
        assert path.missed == alone.missed


@pytest.mark.nightly
@pytest.mark.parametrize("method", ["rank:1", "rank:3", "pcut", "fixed:.999"])
def test_deciding_takes_less_memory_than_the_scores(method):
    rng = np.random.default_rng(1)
    score = rng.random((300, 20_000), np.float32)
    status = categorize((rng.random(score.shape) < 0.001).astype(np.int8), score)
    thresholds = status.thresholds(method)
    tracemalloc.start()
    try:
        assert len(status.decide(thresholds).predicted.keys)
        assert tracemalloc.get_traced_memory()[1] < score.nbytes
    finally:
        tracemalloc.stop()


@given(tables(), st.sampled_from([0, 0.5, 1, 3, 1e6]), st.sampled_from([1, 9, 1 << 20]))
def test_thresholds_of_few_items_are_those_of_curves(table, beta, cells):
    truth, score = table
    status = categorize(truth, score)
    learned = []
    for few in (8, -1):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(policies, "_FEW", few)
            patch.setattr(policies, "_CELLS", cells)
            learned.append(policies._of_points(status, status._paths("category"), beta)[0])
    assert list(map(repr, learned[0].tolist())) == list(map(repr, learned[1].tolist()))


@pytest.mark.parametrize("factor", [0.25, 0.5, 0.75, 1.25, 1.5, 2.5])
def test_half_an_item_is_one(factor):
    """Also where the share of the items falls short of it in floating point: 2.5 of 7 items were
    2.
    """
    for items in (7, 9, 11, 14, 50):
        score = np.arange(items * items, dtype=float).reshape(items, items)
        truth = np.arange(items)[:, None] <= np.arange(items)  # the i-th category has i + 1 items
        status = categorize(truth, score)
        decided = status.decide(status.thresholds(f"pcut:{factor}")).predicted.per_category()
        wanted = [
            min(floor(Fraction(r) * Fraction(factor) + Fraction(1, 2)), items)
            for r in range(1, items + 1)
        ]
        assert decided.tolist() == wanted


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize("block", [2, 3, 8, 10**6])
@given(
    st.integers(1, 5).flatmap(
        lambda rows: st.tuples(
            arrays(
                np.float32, st.tuples(st.just(rows), st.integers(1, 60)), elements=st.integers(0, 6)
            ),
            arrays(np.int64, rows, elements=st.integers(0, 4)),
        )
    )
)
def test_the_few_best_of_a_row_are_found_by_blocks(block, case):
    """Of equal scores the first, however many are as good as the best of blocks."""
    score, quota = case
    with patch.object(policies, "_BLOCK", block):
        chosen = policies._best(score, quota)
    for row, wanted, found in zip(score.tolist(), quota.tolist(), chosen, strict=True):
        best = sorted(range(len(row)), key=lambda place: (-row[place], place))[:wanted]
        assert np.flatnonzero(found).tolist() == sorted(best)
