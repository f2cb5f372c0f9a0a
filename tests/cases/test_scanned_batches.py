"""Batches that differ from each other: in types, in what they call groups, and in their labels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall import ScoredCases


@pytest.mark.parametrize("weighted", [False, True])
def test_values_that_are_equal_in_another_type_are_no_change(weighted: bool) -> None:
    class Widened:
        times = 0

        def __iter__(self) -> Iterator[Any]:
            self.times += 1
            kind, zero = ((np.float32, 0.0), (np.float64, -0.0))[self.times % 2]
            score = np.array([zero, 0.5, 0.25, zero, np.inf], kind)
            yield [1, 0, 1, 0, 0], score, *([np.array([1, 2, 1, 1, 1], kind)] * weighted)

    weights = [1, 2, 1, 1, 1] if weighted else None
    expected = pc.average_precision([1, 0, 1, 0, 0], [0.0, 0.5, 0.25, 0.0, np.inf], weights=weights)
    assert ScoredCases.scan(Widened()).average_precision() == expected


def test_groups_that_are_called_alike_keep_all_cases() -> None:
    batch = {
        "y": [1, 0, 1, 0],
        "s": [1.0, 2.0, 3.0, 4.0],
        "g": np.array([1, "1", True, "true"], object),
    }
    parts = ScoredCases.scan([batch], label="y", score="s", group="g").parts["s"]
    assert {name: made.total for name, made in parts.items()} == {"1": 3, "true": 1}


@pytest.mark.parametrize("late", [0, -1])
def test_labels_0_and_minus_1_in_two_batches(late: int) -> None:
    batches = [([1, -1 - late], [0.5, 0.4]), ([1, 1], [0.5, 0.1]), ([late, 1], [0.5, 0.4])]
    with pytest.raises(
        pc.DataError, match="batch 2: relevant: both 0 and -1 are labels; write 0/1 or -1/1"
    ):
        ScoredCases.scan(batches)


def test_break_even_of_whole_weights_beyond_exact_sums() -> None:
    rng = np.random.default_rng(0)
    truth, weight, score = (
        np.arange(60) % 2 == 0,
        rng.integers(1, 2**53 // 3, 60),
        rng.normal(size=60),
    )
    scanned = ScoredCases.scan(
        [(truth[at : at + 1], score[at : at + 1], weight[at : at + 1]) for at in range(60)]
    )
    whole = pc.curve(truth, score, weights=weight)
    assert scanned.curve().value("BEP") == pytest.approx(whole.value("BEP"), rel=1e-12)
