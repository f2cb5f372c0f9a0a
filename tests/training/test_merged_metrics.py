"""Metrics that are updated by parts and merged have the numbers of the whole, to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import precall as pc
from tests.laws.routes import cases

torch = pytest.importorskip(
    "torch", reason="NOT TESTED: precall.torch, as PyTorch is not installed"
)
pytest.importorskip(
    "torchmetrics", reason="NOT TESTED: precall.torch, as torchmetrics is not installed"
)

import precall.torch as pt  # noqa: E402


@settings(max_examples=40, deadline=None)
@given(cases())
def test_merged_metrics(given: tuple[Any, Any, Any]) -> None:
    truth, score, part = given
    whole = pc.curve(truth, score)
    for name, kind in {"AP": pt.AveragePrecision, "AUC": pt.AreaUnderROC}.items():
        metrics = [kind() for _ in range(3)]
        for each in np.unique(part):
            own = part == each
            metrics[each % 3].update(
                torch.from_numpy(score[own]), torch.from_numpy(truth[own]).int()
            )
        metrics[0].merge_state(metrics[1])
        metrics[0].merge_state(metrics[2])
        assert metrics[0].compute().item() == whole.value(name)
