"""Scores of every type of torch, and metrics beside each other."""

from __future__ import annotations

from typing import Any

import pytest

import precall as pc

torch = pytest.importorskip(
    "torch", reason="NOT TESTED: precall.torch, as PyTorch is not installed"
)
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


def test_half_precision_of_many_classes_takes_no_more_than_its_cases(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A histogram of each class is 1 MiB, whatever the batch: a thousand classes took 2 GB and
    seconds each time.
    """
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
        (
            lambda: pt.CountsMeasure("F1", "multiclass", num_classes=2),
            (_MISSING.expand(2, 2),),
            "2 of 4 scores are NaN",
        ),
    ],
)
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
        "a": 1.0,
        "b": 2 / 3,
        "c": 1 / 3,
    }


#: One of every metric, and how it is updated.
METRICS: dict[str, tuple[Any, bool]] = {
    "CountsMeasure": (lambda: pt.CountsMeasure("F1"), False),
    "MCC": (lambda: pt.CountsMeasure("MCC", threshold=0.6), False),
    "AveragePrecision": (lambda: pt.AveragePrecision(), False),
    "AreaUnderROC": (lambda: pt.AreaUnderROC(), False),
    "CurveMeasure": (lambda: pt.CurveMeasure("MaxF"), False),
    "PrecisionRecallCurve": (lambda: pt.PrecisionRecallCurve(), False),
    "ListMeasure": (lambda: pt.ListMeasure("nDCG@10"), True),
}


class _Model(torch.nn.Module):
    """A module with a metric, as Lightning's are."""

    def __init__(self, metric: Any) -> None:
        super().__init__()
        self.layer, self.metric = torch.nn.Linear(2, 1), metric


def _of_module(change: Any) -> Any:
    return lambda metric: change(_Model(metric))


#: Ways in which types are changed, and by whom.
WAYS: dict[str, Any] = {
    **{
        f"set_dtype({kind})": lambda metric, kind=kind: metric.set_dtype(getattr(torch, kind))
        for kind in ("float16", "bfloat16", "float64", "int8")
    },
    "set_dtype by name": lambda metric: metric.set_dtype("torch.HalfTensor"),
    **{
        f"to({kind})": lambda metric, kind=kind: metric.to(getattr(torch, kind))
        for kind in ("float16", "bfloat16")
    },
    **{name: lambda metric, name=name: getattr(metric, name)() for name in ("half", "double")},
    "type": lambda metric: metric.type(torch.float16),
    **{
        f"{name} of a module": _of_module(lambda module, name=name: getattr(module, name)())
        for name in ("half", "bfloat16")
    },
    "to of a module": _of_module(lambda module: module.to(dtype=torch.float16)),
}


def _batch(of_lists: bool) -> tuple[Any, ...]:
    made = torch.Generator().manual_seed(1)
    # More relevant cases than float16 counts, and scores that it makes equal.
    score = torch.rand(5000, generator=made, dtype=torch.float64)
    label = (torch.rand(5000, generator=made) < score).long()
    return (score, label, torch.arange(5000) // 20) if of_lists else (score, label)


def _is_equal(mine: Any, theirs: Any) -> bool:
    if isinstance(mine, tuple):
        return all(map(_is_equal, mine, theirs))
    return mine.dtype == theirs.dtype and torch.equal(mine, theirs)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", METRICS)
def test_no_type_that_is_asked_for_changes_a_digit(name: str, way: str) -> None:
    """set_dtype made the counts floats: in float16 F1 was .7158 for .7148, later 0 or NaN; in
    bfloat16 a TypeError.

    Old tests changed the types of scores that metrics were given.
    """
    make, of_lists = METRICS[name]
    batch, usual = _batch(of_lists), make()
    usual.update(*batch)
    usual.update(*batch)
    wanted = usual.compute()
    before, between = make(), make()
    WAYS[way](before)
    before.update(*batch)
    before.update(*batch)
    between.update(*batch)
    WAYS[way](between)
    between.update(*batch)
    for metric in (before, between):
        assert {key: getattr(metric, key).dtype for key in metric._defaults} == {
            key: getattr(usual, key).dtype for key in usual._defaults
        }
        assert _is_equal(metric.compute(), wanted)
        metric.reset()
        metric.update(*batch)
        WAYS[way](metric)
        once = make()
        once.update(*batch)
        assert _is_equal(metric.compute(), once.compute())


@pytest.mark.parametrize(
    "way", [way for way in WAYS if way.startswith(("set_dtype", "to(", "half"))]
)
def test_no_type_of_a_collection_changes_a_digit(way: str) -> None:
    """Nor where metrics share states, nor beside those of torchmetrics, which change theirs."""
    ours = {name: make for name, (make, of_lists) in METRICS.items() if not of_lists}
    metrics = torchmetrics.MetricCollection({name: make() for name, make in ours.items()})
    theirs = torchmetrics.MetricCollection(
        {"mean": torchmetrics.classification.BinaryF1Score(), "F1": pt.CountsMeasure("F1")}
    )
    batch = _batch(False)
    metrics.update(*batch)
    for collection in (metrics, theirs):
        WAYS[way](collection)
    metrics.update(*batch)
    values = metrics.compute()
    for name, make in ours.items():
        usual = make()
        usual.update(*batch)
        usual.update(*batch)
        mine = [values[key] for key in values if key == name or key.startswith(f"{name}_")]
        wanted = usual.compute()
        assert all(
            map(
                _is_equal,
                mine[0] if isinstance(mine[0], tuple) else mine,
                wanted if isinstance(wanted, tuple) else [wanted],
            )
        )
    assert theirs["F1"].counts.dtype == torch.int64


def test_half_precision_of_two_hundred_thousand_cases() -> None:
    score = torch.rand(200_000, generator=torch.Generator().manual_seed(2))
    label = (score > 0.3).long()
    usual, half = pt.CountsMeasure("F1"), pt.CountsMeasure("F1")
    half.set_dtype(torch.float16)
    for metric in (usual, half):
        metric.update(score, label)
    assert half.compute().item() == usual.compute().item() > 0.8
