"""Two lists whose cases come in groups: what counts is how many groups hold either class.

Older tests drew both classes in every group, where the number of groups is that of the class; with
all relevant cases of two patients among forty, p was of the normal distribution and of 42 groups.
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_comparisons import RoughOfGroups, UndefinedP
from precall.core.notes.of_intervals import FewGroups
from precall.core.ragged import Float64, Int64
from tests.noticed import noticed


def drawn(rng: np.random.Generator, sick: int, well: int) -> tuple[Int64, Float64, Float64, Int64]:
    """60 relevant cases of `sick` patients and 240 others; neither score is better, but patients
    differ.
    """
    relevant = np.r_[np.ones(60, np.int64), np.zeros(240, np.int64)]
    spread = np.r_[np.arange(60) % sick, sick + rng.integers(0, well, 240)] if well else None
    groups = rng.integers(0, sick, 300) if spread is None else spread
    score, pull = (
        rng.normal(0, 1, 300) + 1.2 * relevant,
        0.8 * rng.normal(0, 1, groups.max() + 1)[groups] * relevant,
    )
    noise = rng.normal(0, 0.5, (2, 300))
    return relevant, score + pull + noise[0], score - pull + noise[1], groups


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize(("sick", "well"), [(2, 40), (3, 40), (5, 40), (3, 0), (5, 0), (20, 0)])
def test_equal_areas_are_seldom_called_different(sick: int, well: int) -> None:
    rng, rejected, outside = np.random.default_rng(sick + well), 0, 0
    for _ in range(100):
        relevant, a, b, groups = drawn(rng, sick, well)
        comparison = pc.compare.cases(relevant, a, b, "AUC", groups=groups)
        rejected += comparison.p <= 0.05
        assert comparison.low is not None and comparison.high is not None
        outside += not comparison.low <= 0 <= comparison.high
    assert rejected <= 12 and outside <= 12
    if sick < 8:
        assert noticed(comparison, RoughOfGroups)[0].effective < 8


def test_a_class_in_one_group_has_no_variance() -> None:
    relevant, a, b, groups = drawn(np.random.default_rng(1), 1, 40)
    comparison = pc.compare.cases(relevant, a, b, "AUC", groups=groups)
    assert np.isnan(comparison.p) and comparison.low is None
    assert "all items of a class are of one group" in noticed(comparison, UndefinedP)[0].reason


@pytest.mark.nightly
def test_intervals_of_average_precision_know_few_groups() -> None:
    rng, outside = np.random.default_rng(3), 0
    for _ in range(60):
        relevant, a, b, groups = drawn(rng, 3, 0)
        comparison = pc.compare.cases(relevant, a, b, "AP", groups=groups, resamples=20)
        assert comparison.low is not None and comparison.high is not None
        outside += not comparison.low <= 0 <= comparison.high
    assert outside <= 9
    assert [round(note.effective) for note in noticed(comparison, FewGroups)] == [3]
