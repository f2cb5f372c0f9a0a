"""Notes of few topics counted those without a difference: 8 topics that differ beside 32 that do
not had none, and t rejected equal means in 14 % of such samples.

The old tests of skewed topics had no ties, or so many topics that those that differed were enough.
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_comparisons import (
    EqualTopics,
    FewToRedraw,
    FewToShowSkewness,
    LeastP,
    OfSkewness,
    RejectsNothing,
    SkewedDifferences,
    UnseenDifferences,
)
from precall.stats.skewness import remarkable
from precall.stats.tests.equivalence import gate
from tests.noticed import noticed

#: One in five topics differs, most by a small loss, few by a win three times as great: the mean
#: is 0.
LAW = ([0.0, -1 / 6, 1 / 2], [0.8, 0.15, 0.05])
EIGHT = np.r_[np.zeros(32), [-0.1, -0.2, -0.15, -0.05, 0.1, 0.2, 0.1, 0.25]]


@pytest.mark.nightly
@pytest.mark.parametrize("test", ["randomization", "t"])
@pytest.mark.parametrize("size", [30, 40, 60])
def test_rejections_of_tied_topics_are_noted(test: str, size: int) -> None:
    drawn = np.random.default_rng(size).choice(LAW[0], p=LAW[1], size=(size, 600))
    rejected = np.array(
        [
            pc.compare.paired(column, np.zeros(size), test=test, resamples=999).p <= 0.05
            for column in drawn.T
        ]
    )
    silent = rejected & ~remarkable(drawn, test)
    assert silent.mean() < 0.01
    if (test, size) == ("t", 30):
        assert rejected.mean() > 0.12


@pytest.mark.parametrize("test", ["randomization", "t", "wilcoxon"])
def test_few_topics_that_differ_are_told_by_number(test: str) -> None:
    (note,) = noticed(pc.compare.paired(EIGHT, np.zeros(40), test=test), FewToShowSkewness)
    assert note.values == {
        "topics": 40,
        "differ": 8,
        "test": test,
        "noun": "topics",
        "interval": True,
    }
    both = pc.compare.many(
        {"a": EIGHT, "b": np.zeros(40), "c": EIGHT[::-1]}, test=test, resamples=999
    )
    assert ("a - b", 40, 8) in [
        (*note.context, note.topics, note.differ) for note in noticed(both, FewToShowSkewness)
    ]


def test_skewness_that_concerns_neither_p_nor_the_bounds_is_not_noted() -> None:
    """A note that p may be too small stood beside p 1, and bounds that leave out nothing."""
    first = [0.2, 0.1, 0.4, 0.3]
    alike = pc.compare.paired(first, [0.1, 0.2, 0.2, 0.5])
    assert alike.p == 1 and noticed(alike, RejectsNothing) and not noticed(alike, OfSkewness)
    # Without bounds only what is rejected may be a false rejection.
    for size, is_noted in ((5, False), (6, True)):
        shifted = pc.compare.paired([0.5] * size, [0.4] * size)
        assert shifted.low is None and (shifted.p <= 0.05) is is_noted
        assert bool(noticed(shifted, OfSkewness)) is is_noted
    # In all forms of the call.
    several = pc.compare.many({"a": first, "b": [0.1, 0.2, 0.2, 0.5], "c": [0.4, 0.1, 0.2, 0.3]})
    assert not noticed(several, OfSkewness)


def test_skewness_is_noted_beside_a_large_p_with_bounds() -> None:
    gain = np.array([-0.04] * 9 + [0.3])
    found = pc.compare.paired(gain, np.zeros(10))
    (note,) = noticed(found, SkewedDifferences)
    assert found.p > 0.5 and found.low is not None and note.interval
    (note,) = noticed(pc.compare.equivalence(gain, np.zeros(10), 0.01), SkewedDifferences)
    assert note.interval


def test_equivalence_and_gates_count_the_same() -> None:
    for kind in ("equivalent", "not worse"):
        found = pc.compare.equivalence(EIGHT, np.zeros(40), 0.1, kind=kind)
        assert [(note.topics, note.differ) for note in noticed(found, FewToShowSkewness)] == [
            (40, 8)
        ]
    lost = -np.sort(np.abs(EIGHT))
    for gain, margin in ((EIGHT, 0.1), (lost, None)):
        held = gate(pc.compare.paired(gain, np.zeros(40)), gain, margin)
        (note,) = noticed(held, FewToShowSkewness)
        assert (note.topics, note.differ, note.interval) == (40, 8, margin is not None)
    # What is not significant is no false alarm.
    held = gate(pc.compare.paired(EIGHT, np.zeros(40)), EIGHT, None)
    assert held.passed and not noticed(held, OfSkewness)


def test_one_topic_that_differs() -> None:
    gap = np.r_[np.zeros(49), 0.5]
    least, note = pc.compare.paired(gap, np.zeros(50)).notes
    # What limits p comes first.
    assert isinstance(least, LeastP) and least.least == 1
    assert isinstance(note, FewToShowSkewness) and (note.topics, note.differ) == (50, 1)


def test_many_that_differ_are_no_fewer_for_ties() -> None:
    even = np.r_[np.zeros(500), np.random.default_rng(1).normal(size=60)]
    for test in ("randomization", "t", "bootstrap"):
        assert pc.compare.paired(even, np.zeros(560), test=test, resamples=999).notes == ()


def test_the_bootstrap_counts_them() -> None:
    gap = np.r_[np.zeros(60), np.random.default_rng(3).normal(size=30)]
    notes = pc.compare.paired(gap, np.zeros(90), test="bootstrap", resamples=999).notes
    assert [(note.topics, note.differ) for note in noticed(notes, FewToRedraw)] == [(90, 30)]


def test_a_gate_counts_signs_that_can_change() -> None:
    # It promised to fail with a loss of .05 or so, though signs of three topics are never
    # significant.
    gap = np.r_[np.zeros(40), -0.1, -0.2, 0.05]
    found = gate(pc.compare.paired(gap, np.zeros(43), names=("new", "old")), gap)
    assert "With the 3 of 43 topics that differ no loss could have failed" in found.text
    assert "It would have failed with a loss above" not in found.text


@pytest.mark.parametrize("kind", ["equivalent", "not worse"])
@pytest.mark.parametrize(("size", "share"), [(1, "95 %"), (3, "63 %"), (40, "7.2 %")])
def test_equivalence_of_no_change_says_so(kind: str, size: int, share: str) -> None:
    same = np.full(size, 0.5)
    found = pc.compare.equivalence(same, same, 0.05, kind=kind, names=("new", "old"))
    (equal,), (unseen,) = noticed(found, EqualTopics), noticed(found, UnseenDifferences)
    assert found.notes[:2] == (equal, unseen)
    assert (equal.systems, equal.topics, unseen.topics) == (("new", "old"), size, size)
    assert f"{unseen.percent:.2g} %" == share
    # As gates say it.
    held = gate(pc.compare.paired(same, same, names=("new", "old"), measure="AP"), same - same)
    assert found.notes[0] in held.text
