"""What is drawn does not depend on how cases and items are listed: many of equal score, in groups,
with weights.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import precall as pc

pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
SIZE = 400


def shuffles() -> list[Any]:
    return [np.arange(SIZE), *(np.random.default_rng(seed).permutation(SIZE) for seed in (1, 2))]


def tied() -> tuple[Any, ...]:
    """Labels, two scores of few values, groups, and weights of few values."""
    rng = np.random.default_rng(5)
    relevant = rng.random(SIZE) < 0.3
    a = np.round(rng.normal(size=SIZE) + relevant)
    b = np.round(a + rng.normal(size=SIZE) * 0.5)
    return relevant, a, b, rng.integers(0, SIZE // 5, SIZE), np.round(rng.random(SIZE), 1) + 0.1


@pytest.mark.parametrize("given", [("groups",), ("weights",), ("weights", "groups")])
@pytest.mark.parametrize("measure", ["AP", "AUC", "AUC(max_fpr=0.2)"])
def test_two_scores_are_redrawn_alike(measure: str, given: tuple[str, ...]) -> None:
    relevant, a, b, group, weight = tied()
    known = {"groups": group, "weights": weight}
    found = set()
    for order in shuffles():
        options: dict[str, Any] = {name: known[name][order] for name in given}
        pair = pc.compare.cases(
            relevant[order], a[order], b[order], measure, test="bootstrap", resamples=200, **options
        )
        found.add((pair.p, *np.round([pair.low or 0.0, pair.high or 0.0], 12)))
    assert len(found) == 1


@pytest.mark.parametrize("grouped", [False, True])
def test_weighted_cases_are_redrawn_alike(grouped: bool) -> None:
    relevant, score, _, group, weight = tied()
    found = []
    for order in shuffles():
        given: tuple[Any, ...] = relevant[order], score[order]
        options: dict[str, Any] = {"weights": weight[order]} | (
            {"groups": group[order]} if grouped else {}
        )
        few: dict[str, Any] = options | {"resamples": 200}
        made = [
            pc.interval.average_precision(*given, method=way, **few)
            for way in ("percentile", "bca")
        ]
        best, band = pc.interval.max_f(*given, **few), pc.interval.pr_band(*given, **few)
        row = [end for interval in (*made, best) for end in interval.ends]
        found.append([*row, *np.ravel([band.low, band.high])])
    for other in found[1:]:
        np.testing.assert_allclose(other, found[0], rtol=1e-12)


@pytest.mark.parametrize("measure", ["MCC", "kappa", "Accuracy"])
def test_means_over_items_are_exchanged_alike(measure: str) -> None:
    rng = np.random.default_rng(8)
    truth, group = rng.integers(0, 7, SIZE), rng.integers(0, 60, SIZE)
    a, b = (np.where(rng.random(SIZE) < 0.7, truth, rng.integers(0, 7, SIZE)) for _ in range(2))
    found = {
        (pair.p, *pair.values)
        for pair in (
            pc.compare.decisions(
                truth[order],
                a[order],
                b[order],
                measure,
                average="samples",
                groups=group[order],
                resamples=2000,
            )
            for order in shuffles()
        )
    }
    assert len(found) == 1


def test_many_categories_have_a_p() -> None:
    """The number of all totals that there can be is beyond floats."""
    rng, many = np.random.default_rng(0), 1000
    truth = np.arange(4 * many) % many
    a, b = (
        np.where(rng.random(4 * many) < 0.8, truth, 0),
        np.where(rng.random(4 * many) < 0.7, truth, 1),
    )
    pair = pc.compare.decisions(truth, a, b, "F", average="macro", resamples=50)
    assert pair.p == pytest.approx(1 / 51) and pair.difference > 0
