"""Metrics for training loops: equal to the library's numbers, to torchmetrics', and over processes
however uneven.
"""

from __future__ import annotations

import copy
import os
import pickle
import socket
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_curves import UndefinedCases, UndefinedGroups
from tests.noticed import warned

torch = pytest.importorskip(
    "torch", reason="NOT TESTED: precall.torch, as PyTorch is not installed"
)
pytest.importorskip(
    "torchmetrics", reason="NOT TESTED: precall.torch, as torchmetrics is not installed"
)
from torchmetrics import classification, retrieval  # noqa: E402

import precall.torch as pt  # noqa: E402

HERE = Path(__file__).parent


def cases(size: int = 500, seed: int = 0) -> tuple[Any, Any]:
    """Scores with ties, and labels."""
    made = torch.Generator().manual_seed(seed)
    score = torch.randn(size, generator=made).round(decimals=1)
    return score, (torch.rand(size, generator=made) < 0.3).int()


@pytest.mark.parametrize("kind", ["float32", "float64", "float16", "bfloat16"])
def test_batches_give_the_numbers_of_the_whole(kind: str) -> None:
    score, label = cases()
    score = score.to(getattr(torch, kind))
    score[0], score[1], score[2], score[3] = float("inf"), -float("inf"), 0.0, -0.0
    metrics = [
        pt.AveragePrecision(),
        pt.AreaUnderROC(),
        pt.CurveMeasure("BEP"),
        pt.CurveMeasure("MCC"),
    ]
    for part in torch.arange(500).split(77):
        for metric in metrics:
            metric.update(score[part], label[part])
    whole = pc.curve(label.numpy(), score.double().numpy())
    wanted = [whole.value("AP"), whole.value("AUC"), whole.value("BEP"), whole.at(max="MCC").value]
    assert [metric.compute().item() for metric in metrics] == wanted


def test_scores_of_16_bits_are_counted_as_others_are() -> None:
    score, label = cases(5000)
    for kind in (torch.float16, torch.bfloat16):
        half, wide = pt.AveragePrecision(), pt.AveragePrecision()
        half.update(score.to(kind), label)
        wide.update(score.to(kind).float(), label)
        for mine, theirs in zip(half.curves(), wide.curves(), strict=True):
            assert mine == theirs


def test_the_state_is_bounded_by_distinct_scores() -> None:
    metric = pt.AveragePrecision()
    for seed in range(300):
        metric.update(*cases(1000, seed))
    assert len(metric.score) < 2**16 + 1000


@pytest.mark.parametrize("average", ["macro", "weighted", None])
def test_classes_are_those_of_torchmetrics(average: str | None) -> None:
    made = torch.Generator().manual_seed(1)
    preds, target = torch.rand(300, 4, generator=made), torch.randint(0, 4, (300,), generator=made)
    several = {"num_classes": 4, "average": average}
    pairs = [
        (
            pt.AveragePrecision("multiclass", **several),
            classification.MulticlassAveragePrecision(**several),
        ),
        (pt.AreaUnderROC("multiclass", **several), classification.MulticlassAUROC(**several)),
        (
            pt.CountsMeasure("F1", "multiclass", **several),
            classification.MulticlassF1Score(**several),
        ),
    ]
    for ours, theirs in pairs:
        ours.update(preds, target)
        theirs.update(preds, target)
        assert torch.allclose(ours.compute().float(), theirs.compute(), atol=1e-6)


@pytest.mark.parametrize("average", ["macro", "micro", "weighted", None])
def test_labels_are_those_of_torchmetrics(average: str | None) -> None:
    made = torch.Generator().manual_seed(2)
    preds, target = (
        torch.rand(300, 3, generator=made),
        (torch.rand(300, 3, generator=made) < 0.3).int(),
    )
    several = {"num_labels": 3, "average": average}
    pairs = [
        (
            pt.AveragePrecision("multilabel", **several),
            classification.MultilabelAveragePrecision(**several),
        ),
        (
            pt.CountsMeasure("F1", "multilabel", **several),
            classification.MultilabelF1Score(**several),
        ),
    ]
    for ours, theirs in pairs:
        ours.update(preds, target)
        theirs.update(preds, target)
        assert torch.allclose(ours.compute().float(), theirs.compute(), atol=1e-6)


def test_points_of_the_curve_are_those_of_torchmetrics() -> None:
    score, label = cases()
    ours, theirs = pt.PrecisionRecallCurve(), classification.BinaryPrecisionRecallCurve()
    for metric in (ours, theirs):
        metric.update(score.sigmoid(), label)
    for mine, other in zip(ours.compute(), theirs.compute(), strict=True):
        assert torch.allclose(mine.float(), other.float())


def test_lists_are_those_of_torchmetrics() -> None:
    made = torch.Generator().manual_seed(3)
    query, score = torch.randint(0, 20, (400,), generator=made), torch.rand(400, generator=made)
    grade = torch.randint(0, 2, (400,), generator=made)
    pairs = [
        ("nDCG@10", retrieval.RetrievalNormalizedDCG(top_k=10)),
        ("AP", retrieval.RetrievalMAP()),
        ("RR", retrieval.RetrievalMRR()),
        ("P@5", retrieval.RetrievalPrecision(top_k=5)),
    ]
    for name, theirs in pairs:
        ours = pt.ListMeasure(name)
        for part in torch.arange(400).split(150):
            ours.update(score[part], grade[part], query[part])
        theirs.update(score, grade, indexes=query)
        assert ours.compute().item() == pytest.approx(theirs.compute().item(), abs=1e-6)


@pytest.mark.filterwarnings("ignore:The ``compute`` method:UserWarning")
# torch 2.4 says so of what it does itself when a tensor is unpickled.
@pytest.mark.filterwarnings("ignore:You are using `torch.load`:FutureWarning")
def test_states_are_merged_pickled_saved_reset_and_copied() -> None:
    score, label = cases()
    wanted = pc.average_precision(label.numpy(), score.numpy())
    first, second = pt.AveragePrecision(), pt.AveragePrecision()
    first.update(score[:200], label[:200])
    second.update(score[200:], label[200:])
    first.merge_state(second)
    assert first.compute().item() == wanted
    for other in (pickle.loads(pickle.dumps(first)), copy.deepcopy(first), first.to("cpu")):
        assert other.compute().item() == wanted
    first.persistent(True)
    loaded = pt.AveragePrecision()
    loaded.persistent(True)
    loaded.load_state_dict(first.state_dict())
    loaded.update(score[:0], label[:0])
    assert loaded.compute().item() == wanted
    first.reset()
    with warned(UndefinedCases) as told:
        assert np.isnan(first.compute().item())
    assert [note.subject for note in told] == ["AP"]


def test_what_is_undefined_is_left_out_and_said() -> None:
    preds, target = torch.rand(10, 3), torch.zeros(10, dtype=torch.int64)
    metric = pt.AveragePrecision("multiclass", num_classes=3)
    metric.update(preds, target)
    with warned(UndefinedGroups) as told:
        assert metric.compute().item() == 1.0
    assert [(note.subject, note.undefined, note.groups) for note in told] == [("AP", 2, 3)]
    strict = pt.AveragePrecision("multiclass", num_classes=3, undefined="error")
    strict.update(preds, target)
    with (
        pytest.raises(pc.DataError, match="AP of 2 groups is undefined"),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        strict.compute()


@pytest.mark.parametrize(
    ("made", "given", "what"),
    [
        (lambda: pt.AveragePrecision(), ([0.5, float("nan")], [0, 1]), "1 of 2 scores are NaN"),
        (lambda: pt.AveragePrecision(), ([0.5, 0.25], [0, 2]), "target: must be 0 or 1"),
        (lambda: pt.AveragePrecision(), ([0.5], [0, 1]), "must be of one shape"),
        (
            lambda: pt.AveragePrecision("multiclass", num_classes=2),
            ([0.5], [0]),
            r"shape \(cases, 2\)",
        ),
        (
            lambda: pt.AveragePrecision("multiclass", num_classes=2),
            ([[0.5, 0.5]], [2]),
            r"target: must be in 0\.\.1, got 2",
        ),
        (
            lambda: pt.AveragePrecision("multiclass"),
            None,
            "num_classes: a multiclass task needs it",
        ),
        (lambda: pt.AveragePrecision("binray"), None, "task: "),
    ],
)
def test_what_is_refused(made: Any, given: Any, what: str) -> None:
    with pytest.raises(pc.PrecallError, match=what):
        made().update(*(torch.tensor(column) for column in given))


def port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.mark.parametrize(
    ("world", "kind"), [(2, "float32"), (4, "float32"), (2, "float64"), (4, "mixed")]
)
def test_processes_however_uneven(world: int, kind: str) -> None:
    """Of gloo; one process has no batch at all, and scores of others may be wider."""
    environment = os.environ | {
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(port()),
        "GLOO_SOCKET_IFNAME": "lo",
        "WORLD_SIZE": str(world),
        "PYTHONPATH": os.pathsep.join(sys.path),
        "OMP_NUM_THREADS": "1",
    }
    command = [sys.executable, str(HERE / "worker.py"), kind]
    workers = [
        subprocess.Popen(
            command, env=environment | {"RANK": str(rank)}, stdout=subprocess.PIPE, text=True
        )
        for rank in range(world)
    ]
    told = [worker.communicate(timeout=120)[0] for worker in workers]
    assert [worker.returncode for worker in workers] == [0] * world
    parts = [cases(100 + 50 * rank, rank) for rank in range(world) if rank != 1]
    score, label = (torch.cat(columns).numpy() for columns in zip(*parts, strict=True))
    wanted = (
        f"{pc.average_precision(label, score)!r} {pc.decisions(label, score >= 0.5).value('F1')!r}"
    )
    assert {line.strip() for line in told} == {wanted}
