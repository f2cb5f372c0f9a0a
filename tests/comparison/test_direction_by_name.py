"""Comparisons of raw values take the direction from the name of their measure. Tests of losses went
through reports, which know it, or passed `higher_is_better=False`.
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc
from precall.measures import registry
from tests.registries import lend

LOW = np.linspace(0.1, 0.4, 30)
HIGH = LOW + 0.2 + 0.05 * np.cos(np.arange(30))


@pytest.mark.parametrize("measure", ["E@2", "E", "error", "Coverage"])
def test_low_values_of_a_loss_win(measure: str) -> None:
    found = pc.compare.paired(LOW, HIGH, measure=measure)
    assert not found.higher_is_better and found.wins == 30
    assert found.verdict.best == "a"
    several = pc.compare.many({"a": LOW, "b": HIGH, "c": HIGH + 0.1}, measure=measure)
    assert several.verdicts[measure].best == "a"
    assert pc.compare.equivalence(LOW, HIGH, 0.1, kind="not worse", measure=measure).shown
    assert not pc.compare.equivalence(HIGH, LOW, 0.1, kind="not worse", measure=measure).shown


@pytest.mark.parametrize("measure", ["value", "AP", "clicks", "NumRet"])
def test_high_values_of_others_win(measure: str) -> None:
    assert pc.compare.paired(LOW, HIGH, measure=measure).verdict.best == "b"


def test_what_is_passed_counts() -> None:
    assert pc.compare.paired(LOW, HIGH, measure="E", higher_is_better=True).verdict.best == "b"
    assert pc.compare.paired(LOW, HIGH, measure="AP", higher_is_better=False).verdict.best == "a"


def test_without_any_difference_no_least_margin_is_told() -> None:
    # It was "least margin 0.0000 by t", where t is undefined.
    equal, unlike = pc.compare.equivalence(LOW, LOW, 0.1), pc.compare.equivalence(LOW, HIGH, 0.1)
    assert "least margin" not in str(equal) and "least margin" in str(unlike)


def test_a_name_that_is_no_measures_is_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it may mean was looked up twice in every comparison of values without a name: 6 of 6.3
    ms.
    """
    looked: list[str] = []
    hint = registry._hint
    monkeypatch.setattr(
        registry, "_hint", lambda base, all_: looked.append(base) or hint(base, all_)
    )
    registry.REGISTRY.directions.pop("visits", None)
    for _ in range(2):
        assert pc.compare.paired(LOW, HIGH, measure="visits").verdict.best == "b"
        seen, looked = looked, []
    assert seen == [] and registry.REGISTRY.directions["visits"] == 0


def test_a_measure_that_is_declared_later_has_its_direction(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lend(monkeypatch)
    assert registry.direction_of("Waiting") == 0

    @pc.measure("Waiting", range=(1, 10), direction=-1, undefined="nothing is relevant")
    def first_rank(hits):
        """Rank of the first relevant item."""
        return hits.location.astype(float)

    assert registry.direction_of("Waiting") == -1
