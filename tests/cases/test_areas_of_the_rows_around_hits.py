"""The areas of a curve look at the rows around its hits only, and give the digits of all rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.core.counts import around_hits
from precall.measures import areas


@pytest.mark.parametrize("weights", ["none", "whole", "real"])
@pytest.mark.parametrize("digits", [1, 15])
@pytest.mark.parametrize("share", [0.01, 0.1, 0.3])
@pytest.mark.parametrize("count", [2, 60, 3_000, 150_000])
def test_digits_are_those_of_all_rows(count: int, share: float, digits: int, weights: str) -> None:
    rng = np.random.default_rng(count)
    relevant = rng.random(count) < share
    relevant[:2] = True, False
    score = (rng.random(count) + relevant * rng.random()).round(digits)
    heavy: dict[str, Any] = {"none": None, "whole": rng.integers(1, 4, count)}
    given = pc.curve(
        relevant, score, missed=int(count > 60), weights=heavy.get(weights, rng.random(count))
    )
    table = given.areas().to_dict()
    found = dict(zip(table["area"], table["value"], strict=True))
    for name, area in areas.PR_METHODS.items():
        if weights == "real" and name == "davis-goadrich-discrete":
            continue
        assert found[f"pr {name}"] == area(given)
    for name in areas.ROC_METHODS:
        assert found[f"roc {name}"] == areas.area_under_roc(given, method=name)


def test_few_rows_are_left_of_a_sparse_curve() -> None:
    relevant = np.zeros(10_000, np.bool_)
    relevant[::500] = True
    given = pc.curve(relevant, np.arange(10_000.0))
    left = around_hits(given)
    assert len(left.tp) < 50 and (left.relevant, left.other) == (given.relevant, given.other)
    dense = pc.curve(np.arange(10_000) % 2 == 0, np.arange(10_000.0))
    assert around_hits(dense) is dense
