"""Scores of every type of torch, and metrics beside each other."""

from __future__ import annotations

from typing import Any

import pytest

import precall as pc

torch = pytest.importorskip("torch", reason="NOT TESTED: precall.torch, as PyTorch is not installed")
torchmetrics = pytest.importorskip(
    "torchmetrics", reason="NOT TESTED: precall.torch, as torchmetrics is not installed"
)

import precall.torch as pt  # noqa: E402
from precall.torch import counting  # noqa: E402

SCORES, LABELS = [0.5, 0.25, 0.75, 0.5, 0.125, 1.0], [1, 0, 0, 1, 1, 1]


@pytest.mark.parametrize("kind", ["float8_e4m3fn", "float8_e5m2", "uint8", "int64", "bool"])
def test_scores_of_narrow_types_and_whole_numbers(kind: str) -> None:
    score = (torch.tensor(SCORES) * 8).to(getattr(torch, kind))
    metric = pt.AveragePrecision()
    metric.update(score, torch.tensor(LABELS))
    assert metric.compute().item() == pc.average_precision(LABELS, score.double().numpy())


def test_half_precision_of_many_classes_takes_no_more_than_its_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    """A histogram of each class is 1 MiB, whatever the batch: a thousand classes took 2 GB and seconds each time."""
    monkeypatch.setattr(torch, "bincount", None)
    metric = pt.AveragePrecision("multiclass", num_classes=1000, average=None)
    metric.update(torch.eye(4, 1000).bfloat16(), torch.arange(4))
    assert metric.compute()[:4].tolist() == [1.0] * 4


def test_both_ways_of_counting_half_precision_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    score = torch.randn(500, generator=torch.Generator().manual_seed(0)).half()
    given = torch.arange(500) % 3, score, score > 0
    sorted_ = counting.tally(*given)
    monkeypatch.setattr(counting, "_CELLS", 1 << 20)
    for mine, theirs in zip(counting.tally(*given), sorted_, strict=True):
        assert torch.equal(mine, theirs)


_LARGE = torch.tensor([2**53, 2**53 + 1])
_MISSING = torch.tensor([0.25, float("nan")])


@pytest.mark.parametrize(
    ("made", "given", "what"),
    [
        (lambda: pt.AveragePrecision(), (_LARGE,), "integers beyond 2"),
        (lambda: pt.ListMeasure("AP"), (_LARGE, torch.tensor([0, 0])), "integers beyond 2"),
        (lambda: pt.AveragePrecision(), (torch.tensor([1j, 2]),), "must be real numbers"),
        (lambda: pt.CountsMeasure("F1"), (_MISSING,), "1 of 2 scores are NaN"),
        (lambda: pt.CountsMeasure("F1", "multiclass", num_classes=2), (_MISSING.expand(2, 2),), "2 of 4 scores are NaN"),
    ],
)  # fmt: skip
def test_scores_that_would_be_others_are_refused(made: Any, given: Any, what: str) -> None:
    with pytest.raises(pc.PrecallError, match=what):
        made().update(given[0], torch.tensor([0, 1]), *given[1:])


def test_thresholds_side_by_side_in_a_collection() -> None:
    """Its metrics share a state where states are alike after the first batch."""
    thresholds = {"a": 0.5, "b": 0.6, "c": 0.6000000000000001}
    metrics = torchmetrics.MetricCollection(
        {name: pt.CountsMeasure("R", threshold=value) for name, value in thresholds.items()}
    )
    for score in ([0.9, 0.1], [0.55, 0.1], [0.6, 0.1]):
        metrics.update(torch.tensor(score, dtype=torch.float64), torch.tensor([1, 0]))
    assert {name: value.item() for name, value in metrics.compute().items()} == {
        "a": 1.0, "b": 2 / 3, "c": 1 / 3
    }  # fmt: skip
