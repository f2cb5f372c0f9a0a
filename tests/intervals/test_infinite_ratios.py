"""LR+ without false positives had the interval inf to inf by drawn samples; two such systems
differed by 0, and their samples, inf - inf, were called 0/0; and an undefined LR- counted in means
as 0, which is its best value.

The old tests had no infinite estimate beside drawn samples, and no category that accepts
everything.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import precall as pc
from precall.core.counts import Counts
from precall.core.notes.of_intervals import (
    FewItems,
    FewOfAKind,
    UndefinedInterval,
    UndefinedSamples,
)
from tests.noticed import noticed, warned
from tests.registries import lend

TRUTH = [1] * 20 + [0] * 20
SURE = [1] * 15 + [0] * 25
SLOW = [1] * 10 + [0] * 30
MIXED = [1] * 15 + [0] * 20 + [1] * 5


@pytest.mark.parametrize("method", ["bca", "percentile"])
def test_an_infinite_ratio_has_no_interval_of_samples(method: str) -> None:
    with warned(UndefinedInterval) as told:
        found = pc.interval(pc.decisions(TRUTH, SURE), "LR+", method=method)
    assert told[0].facts == {"subject": "LR+", "reason": "all resamples are infinite"}
    assert found.estimate == np.inf and (found.low, found.high) == (None, None)
    # The posterior of its cells has a lower end, and samples with false positives have both.
    with warned(FewOfAKind) as few:
        assert 1 < pc.interval(pc.decisions(TRUTH, SURE), "LR+").low < np.inf
    assert few[0].facts == {
        "subject": "LR+",
        "seen": 0,
        "fewest": 5,
        "noun": "FP",
        "effect": "wide",
    }
    assert 1 < pc.interval(pc.decisions(TRUTH, MIXED), "LR+", method=method).low < np.inf


@pytest.mark.parametrize("method", ["bca", "percentile"])
def test_equal_infinite_ratios_differ_by_nothing_in_samples_too(method: str) -> None:
    found = pc.compare.decisions(TRUTH, SURE, SLOW, "LR+", interval=method)
    assert found.values == (np.inf, np.inf) and found.difference == 0
    assert (found.low, found.high) == (
        None,
        None,
    ) and found.no_interval == "all resamples have the same difference"
    assert not noticed(found, UndefinedSamples)


def test_an_infinite_and_a_finite_ratio() -> None:
    found = pc.compare.decisions(TRUTH, SURE, MIXED, "LR+", interval="percentile")
    assert found.difference == np.inf and (found.low is None or found.low > 0)


def test_an_undefined_negative_ratio_counts_as_that_of_a_test_that_tells_nothing() -> None:
    """Of "b" nothing is relevant; of "a" it is (1/2) / (1/1)."""
    made = pc.decisions(["a", "a", "c"], ["a", "b", "c"])
    each = made.value("LR-", "each")
    assert np.isnan(each[1]) and each[0] == 0.5 and each[2] == 0
    assert made.value("LR-", "macro") == np.mean([0.5, 1, 0])
    assert made.value("LR-", "macro", undefined="omit") == 0.25
    assert pc.decisions([{"a"}, {"b"}], [{"a", "b"}] * 2).value("LR-", "macro") == 1


def test_so_does_an_undefined_positive_ratio() -> None:
    """It was 0, worse than chance, so that a category that no item has, or that nobody accepts,
    spoilt the mean.
    """
    made = pc.decisions(["a", "a", "b", "b"], ["a", "b", "b", "a"], ["a", "b", "c"])
    each = made.value("LR+", "each")
    assert each[0] == each[1] == 1 and np.isnan(each[2])
    assert made.value("LR+", "macro") == 1
    made = pc.decisions(["a", "a", "a", "b", "c"], ["a", "a", "b", "b", "a"])
    assert made.value("LR+", "macro") == pytest.approx(np.mean([(2 / 3) / (1 / 2), 1 / (1 / 4), 1]))
    assert made.value("LR+", "macro", undefined="omit") == pytest.approx(
        np.mean([(2 / 3) / (1 / 2), 4])
    )


def test_fallout_counts_its_greatest() -> None:
    """Everything is of "a", so that no item is wrongly accepted."""
    assert pc.decisions([{"a"}, {"a", "b"}], [{"a"}, {"a"}]).value("Fallout", "macro") == 0.5


def test_a_declaration_says_what_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    lend(monkeypatch)

    @pc.measure(
        "Cost", of=Counts, range=(0, np.inf), direction=-1, zero=7, undefined="there is no hit"
    )
    def cost(c: Counts) -> np.ndarray:
        """False positives for each true one."""
        return c.fp / c.tp

    assert pc.decisions(["a", "b"], ["a", "a"]).value("Cost", "macro") == (1 + 7) / 2


def test_student_of_few_items_says_so_and_stays_in_range() -> None:
    found = pc.compare.decisions(
        [1, 0, 1, 0], [1, 0, 1, 1], [1, 1, 0, 0], "Accuracy", interval="percentile"
    )
    assert (found.low, found.high) == (-1, 1)
    (note,) = noticed(found, FewItems)
    assert note.facts == {"subject": "accuracy", "items": 4, "noun": "item", "effect": "miss"}
    assert "-1.0000 to 1.0000" in str(found)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        many = pc.compare.decisions(
            [1, 0] * 20, [1, 0] * 20, [1, 1] * 20, "Accuracy", interval="bca"
        )
    assert many.low > 0 and not noticed(many, FewItems)
