"""EF and BEDROC of lists made at random are those that RDKit gives."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import precall as pc

RECORDED = json.loads(
    (Path(__file__).resolve().parents[1] / "data" / "rdkit" / "recorded.json").read_text()
)
LISTS = RECORDED["lists"]


@pytest.mark.parametrize("recorded", LISTS, ids=[f"{i}" for i in range(len(LISTS))])
def test_recorded_lists(recorded):
    size, hits = recorded["size"], recorded["hits"]
    ranking = pc.Hits.of(hits, retrieved=size, relevant=len(hits))
    curve = pc.curve(np.isin(np.arange(1, size + 1), hits), -np.arange(size))
    asked = [
        (f"{name}({parameter}={given})", value)
        for name, parameter in (("BEDROC", "alpha"), ("EF", "share"))
        for given, value in recorded[name].items()
    ]
    assert len(asked) == 9
    for name, value in asked:
        assert pc.measure(name)(ranking).tolist() == pytest.approx([value], rel=1e-10)
        assert curve.value(name) == pytest.approx(value, rel=1e-10)


def test_ranks_are_rounded_up_exactly():
    """RDKit's .07 x 100 is more than 7 in floating point, and rounded up to 8 (docstring of EF)."""
    ranking = pc.Hits.of([7, 8], retrieved=100, relevant=2)
    assert pc.measure("EF(share=0.07)")(ranking).tolist() == [pytest.approx(100 / 14)]
    assert pc.measure("EF@7%")(ranking).tolist() == pc.measure("EF@7.5%")(ranking) * 8 / 7 / 2


def test_alphas_that_only_round_are_refused():
    with pytest.raises(pc.MeasureError, match="alpha must be a number from 1e-6 to 1e6, got 1e-16"):
        pc.measure("BEDROC(alpha=1e-16)")
    # As alpha falls to 0 it is the area under ROC.
    curve = pc.curve([1, 0, 1, 0, 0, 0], [6, 5, 4, 3, 2, 1])
    assert curve.value("BEDROC(alpha=1e-6)") == pytest.approx(curve.value("AUC"), abs=1e-6)
    assert pc.measure("EF@.5%") == pc.measure("EF(share=0.005)")
