"""Real weights in scans: light cases keep their digits beside heavy ones, and groups of whole
weights are as in the whole.

Weights between two relevant scores were differences of sums from the lowest score on: what weighs
.001 above cases of 1000 had errors of 1e-9, and of weights 10^9 times each other precisions were
wrong by half. The old tests had weights of about 1.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import precall as pc


@pytest.mark.parametrize("how", ["batches", "once", "buckets"])
@pytest.mark.parametrize("ratio", [1e3, 1e9, 1e15])
def test_light_cases_above_heavy_ones(how: str, ratio: float) -> None:
    made = np.random.default_rng(0)
    size = 2000
    truth, score = made.random(size) < 0.1, made.random(size).round(3)
    weights = np.where(score > 0.5, 1 / ratio, ratio) * (0.5 + made.random(size))
    parts: Any = [(truth[at], score[at], weights[at]) for at in np.array_split(np.arange(size), 3)]
    given, memory = iter(parts) if how == "once" else parts, 1 if how == "buckets" else None
    curve = pc.ScoredCases.scan(given, memory=memory).curve()
    order = np.argsort(-score)
    cells = [Fraction(0), Fraction(0)]
    known = {}
    for case in order.tolist():
        cells[not truth[case]] += Fraction(weights[case].item())
        known[score[case].item()] = tuple(map(float, cells))
    wanted = np.array([known[threshold] for threshold in curve.threshold[1:].tolist()])
    np.testing.assert_allclose(np.stack((curve.tp[1:], curve.fp[1:]), 1), wanted, rtol=1e-13)


def test_a_group_of_whole_weights_beside_one_of_real_ones() -> None:
    """A batch of it, which has whole weights only, is of the kind of the whole column."""
    columns = {
        "y": [1, 0, 1, 0],
        "s": [3.0, 2.0, 3.0, 2.0],
        "w": [2, 1, 0.5, 1],
        "g": ["a", "a", "b", "b"],
    }
    halves = [{name: column[at : at + 2] for name, column in columns.items()} for at in (0, 2)]
    asked: dict[str, Any] = {"label": "y", "score": "s", "weight": "w", "group": "g"}
    whole, scanned = (
        pc.ScoredCases.scan(given, **asked).curves()["s"] for given in ([columns], halves)
    )
    for group in ("a", "b"):
        assert repr(scanned[group].areas()) == repr(whole[group].areas())
        assert scanned[group].tp.dtype == whole[group].tp.dtype
