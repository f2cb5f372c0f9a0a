"""Measures of a user on curves of scanned cases: exact, or refused.

A measure of counts that is best between two relevant scores had its value at one of them, without a
word, and one of the path was of the rows that are kept. The old tests asked scans for our own
measures, none of which is best there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.measures import Counts, CountsExample, Example, Path, measure
from tests.registries import lend

MADE = np.random.default_rng(0)
TRUTH, SCORE = MADE.random(1000) < 0.01, MADE.random(1000)


@pytest.fixture(autouse=True)
def _own(monkeypatch: pytest.MonkeyPatch) -> None:
    lend(monkeypatch)
    table = CountsExample(tp=2, fp=3, fn=1, tn=4, value=0)

    @measure("NearHalf", of=Counts, sources=["ours"], range=(-1e9, 0), example=table)
    def near_half(c: Counts) -> Any:
        """How near to half of all are accepted."""
        return -np.abs(c.accepted - c.total / 2)

    @measure(
        "FarFromHalf", of=Counts, sources=["ours"], range=(0, 1e9), direction=-1, example=table
    )
    def far_from_half(c: Counts) -> Any:
        """The same where low is good."""
        return np.abs(c.accepted - c.total / 2)

    @measure(
        "Gain3",
        of=Counts,
        sources=["ours"],
        range=(-1e9, 1e9),
        example=CountsExample(tp=2, fp=3, fn=1, tn=4, value=27),
    )
    def gain(c: Counts) -> Any:
        """Hits are worth so much."""
        return 15.0 * c.tp - c.fp

    @measure(
        "MeanPrecision",
        sources=["ours"],
        range=(0, 1),
        example=Example(hits=[1], retrieved=2, value=0.75),
    )
    def mean_precision(path: Path) -> Any:
        """Of all thresholds."""
        return np.mean(path.tp[1:] / path.accepted[1:])


def test_what_is_best_between_two_relevant_scores_is_refused() -> None:
    curve = pc.ScoredCases.scan([(TRUTH, SCORE)]).curve()
    for name in ("NearHalf", "FarFromHalf"):
        with pytest.raises(
            pc.UsageError, match=f"max: {name}, which may be best between two relevant scores"
        ):
            curve.at(max=name)
    with pytest.raises(
        pc.UsageError, match="MeanPrecision: what looks along all thresholds needs all cases"
    ):
        curve.value("MeanPrecision")


def test_what_is_best_at_one_of_them_is_exact() -> None:
    whole, scanned = pc.curve(TRUTH, SCORE), pc.ScoredCases.scan([(TRUTH, SCORE)]).curve()
    assert repr(scanned.at(max="Gain3")) == repr(whole.at(max="Gain3"))
