"""Bounds by influences beside a p by exchanges: of twelve relevant items R@50 had p .116 and an
interval that leaves out 0, and nothing was said, as old tests looked at notes of the test alone.
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_comparisons import (
    BoundsAgainstP,
    NarrowAtRank,
    RoughBounds,
    RoughOfClass,
    SpeaksForTheOther,
)
from tests.noticed import noticed


def lists(relevant: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """2,000 items in the order of their scores, and in any order; half of the relevant ones are
    early in the first.
    """
    labels = np.zeros(2000, np.bool_)
    labels[np.arange(relevant // 2) * 3] = True
    labels[500 + 40 * np.arange(relevant - relevant // 2)] = True
    score = np.arange(2000, 0, -1.0)
    return labels, score, np.random.default_rng(2).permutation(score)


@pytest.mark.parametrize(
    ("measure", "by"), [("R@50", "mover"), ("P@50", "mover"), ("AP", "influence")]
)
def test_few_items_are_named_whatever_the_test(measure: str, by: str) -> None:
    found = pc.compare.cases(*lists(12), measure)
    assert found.test == "permutation" and found.interval == by
    assert [note.values for note in noticed(found, RoughBounds)] == [{"items": 12}]
    of_influence = pc.compare.cases(*lists(12), measure, test="influence")
    assert not noticed(of_influence, (RoughBounds, BoundsAgainstP))
    assert not noticed(pc.compare.cases(*lists(24), measure), RoughBounds)


@pytest.mark.parametrize("measure", ["R@50", "P@50", "EF@10%"])
def test_influences_at_a_rank_may_be_narrow(measure: str) -> None:
    of_influence = pc.compare.cases(*lists(24), measure, test="influence")
    assert of_influence.interval == "influence" and noticed(of_influence, NarrowAtRank)
    assert not noticed(pc.compare.cases(*lists(24), measure), NarrowAtRank)
    assert not noticed(pc.compare.cases(*lists(24), "AP", test="influence"), NarrowAtRank)


def test_bounds_and_p_that_disagree_are_named() -> None:
    labels, score, other = lists(12)
    seen = set()
    for test in ("permutation", "fisher", "influence"):
        for level in (0.9, 0.95, 0.97, 0.98, 0.99):
            found = pc.compare.cases(labels, score, other, "R@10", test=test, level=level)
            contains = found.low <= 0 <= found.high
            disagree = contains == found.significant
            assert disagree == bool(noticed(found, BoundsAgainstP))
            assert not (disagree and test == "influence")
            for note in noticed(found, BoundsAgainstP):
                assert note.values == {"p": found.p, "contains": contains, "holds": True}
            seen.add(disagree)
    assert seen == {True, False}


def test_a_threshold_has_bounds_of_another_method() -> None:
    """Four relevant items that the first accepts alone: p 1/8, and bounds above 0."""
    labels = [1] * 6 + [0] * 6
    found = pc.compare.cases(labels, [1] * 5 + [0] * 7, [0] * 4 + [1] + [0] * 7, "R", threshold=1)
    assert found.p == 1 / 8 and found.low > 0
    assert [note.values["contains"] for note in noticed(found, BoundsAgainstP)] == [False]


def test_an_area_has_the_note_of_its_test() -> None:
    found = pc.compare.cases(*lists(12), "AUC")
    assert noticed(found, RoughOfClass) and not noticed(found, RoughBounds)


@pytest.mark.parametrize("measure", ["accuracy", "F", "MCC"])
@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_bounds_of_decisions_that_disagree_with_p(measure: str, method: str) -> None:
    """5 to 7 of 50 pairs had no word of it: bounds were added without a look at p."""
    seen = set()
    for seed in range(12):
        rng = np.random.default_rng(seed)
        truth = rng.random(60) < 0.5
        first, second = (np.where(rng.random(60) < share, truth, ~truth) for share in (0.9, 0.74))
        for level in (0.9, 0.95, 0.99):
            columns = (truth.astype(int), first.astype(int), second.astype(int))
            found = pc.compare.decisions(*columns, measure, interval=method, level=level)
            contains = found.low <= 0 <= found.high
            notes = noticed(found, BoundsAgainstP)
            expected = {"p": found.p, "contains": contains, "holds": True}
            assert [note.values for note in notes] == [expected] * (contains == found.significant)
            assert noticed(found.swap(), BoundsAgainstP) == notes
            seen.add(bool(notes))
    assert seen == {True, False}


@pytest.mark.parametrize("test", ["sign", "wilcoxon"])
def test_a_mean_beside_signs_or_ranks(test: str) -> None:
    """The interval is of the mean; p may say another thing, and nothing was said."""
    seen = set()
    for seed in range(150):
        rng = np.random.default_rng(seed)
        first = rng.random(15)
        second = np.clip(first - 0.08 + rng.normal(0, 0.18, 15), 0, 1)
        found = pc.compare.paired(first, second, test=test, measure="AP")
        contains = found.low <= 0 <= found.high
        notes = noticed(found, BoundsAgainstP)
        if noticed(found, SpeaksForTheOther):
            assert not notes
            continue
        expected = {"p": found.p, "contains": contains, "holds": False}
        assert [note.values for note in notes] == [expected] * (contains == found.significant)
        assert noticed(found.swap(), BoundsAgainstP) == notes
        many = pc.compare.many({"a": first, "b": second}, test=test, measure="AP")
        assert noticed(many.pairs[0], BoundsAgainstP) == notes
        seen.add(bool(notes))
    assert seen == {True, False}
