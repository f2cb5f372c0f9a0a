"""Measures without a closed form have a mean over ties of curves, too; and formulas whose error
shows in long blocks only are not taken for linear.

Why the old tests missed it: they enumerated orders of retrieval runs, and only asked that a curve
refuses; and the formulas that declared to average by themselves without doing so were wrong for
blocks of two already.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.core.errors import MeasureError, TiesUnresolved
from precall.location.hits import Hits

RNG = np.random.default_rng(2)
SCORES = RNG.integers(0, 4, (7, 3)).astype(float)
TRUTH = (RNG.random((7, 3)) < 0.5).astype(int)


def mean_over_orders(name: str, relevant: Any, score: Any) -> float:
    """By writing out all orders of all cases."""
    found = []
    for order in itertools.permutations(range(len(score))):
        if all(score[a] >= score[b] for a, b in itertools.pairwise(order)):
            places = [rank for rank, case in enumerate(order, 1) if relevant[case]]
            hits = Hits.of(places, retrieved=len(score), relevant=int(np.sum(relevant)))
            found.append(float(pc.measure(name)(hits)[0]))
    return math.fsum(found) / len(found)


@pytest.mark.parametrize(
    "name", ["IAP", "IPrec(recall=0.5)", "AP", "RR", "yaap", "P@2", "AP(norm=found)@3"]
)
def test_of_curves_and_categories(name: str) -> None:
    expected = [mean_over_orders(name, TRUTH[:, column], SCORES[:, column]) for column in range(3)]
    of_curves = [
        float(pc.measure(name)(pc.curve(TRUTH[:, column], SCORES[:, column]).hits("expected"))[0])
        for column in range(3)
    ]
    status = pc.categorize(TRUTH, SCORES)
    assert of_curves == pytest.approx(expected, abs=1e-12, nan_ok=True)
    assert status.by_category(name, ties="expected").values == pytest.approx(
        expected, abs=1e-12, nan_ok=True
    )


def test_several_rankings_and_none() -> None:
    run = {t: {f"d{i}": float(score) for i, score in enumerate(SCORES[:, t])} for t in range(3)}
    qrels = {t: {f"d{i}": int(one) for i, one in enumerate(TRUTH[:, t])} for t in range(3)}
    located = pc.locate(
        {str(t): one for t, one in qrels.items()},
        {str(t): one for t, one in run.items()},
        ties="expected",
    )
    np.testing.assert_allclose(
        pc.measure("IAP")(located.hits()), pc.measure("IAP")(located), atol=1e-12
    )
    nothing = pc.curve([0, 0], [1, 1], missed=1).hits("expected")
    assert pc.measure("IAP")(nothing)[0] == 0


def test_too_many_orders_are_refused() -> None:
    y = np.arange(40) % 2
    with pytest.raises(
        TiesUnresolved, match="IAP: the ranking has more than 50000 orders of tied items"
    ):
        pc.measure("IAP")(pc.curve(y, np.zeros(40)).hits("expected"))


@pytest.mark.parametrize("said", [{"linear": True}, {"closed": "hypergeometric"}])
def test_what_is_wrong_in_long_blocks_only(said: dict[str, Any]) -> None:
    with pytest.raises(
        MeasureError, match=r"LongBlocks: declared .* it gives 0.5 where the mean .* is 0.416667"
    ):

        @pc.measure("LongBlocks", sources=["ours"], **said)
        def share_at_the_top(hits: Any) -> Any:
            return hits.within(1) / np.maximum(hits.within(2), 1)
