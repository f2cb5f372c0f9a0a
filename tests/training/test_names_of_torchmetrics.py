"""The page for users of torchmetrics: what it writes in a row gives the number that torchmetrics
gives.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.compat import sklearn as sk

torch = pytest.importorskip(
    "torch", reason="NOT TESTED: precall.torch, as PyTorch is not installed"
)
pytest.importorskip(
    "torchmetrics", reason="NOT TESTED: precall.torch, as torchmetrics is not installed"
)
from torchmetrics import classification, retrieval  # noqa: E402

import precall.torch as pt  # noqa: E402

PAGE = Path(__file__).parents[2] / "docs" / "coming-from" / "torchmetrics.md"
#: Rows without a number of their own, and why.
WITHOUT = {
    "BinaryAveragePrecision(thresholds=100)": "bins are approximate in both, by other edges",
    "BinaryPrecisionRecallCurve()": "points, compared below",
    "BinaryROC()": "points, compared below",
    "BootStrapper(metric)": "draws of its own",
}


def rows() -> list[list[list[str]]]:
    """The code in each of the first three columns."""
    text = PAGE.read_text(encoding="utf-8")
    table = [line.strip("|").split("|")[:3] for line in text.splitlines() if line.startswith("| `")]
    return [[re.findall(r"`([^`]+)`", cell) for cell in cells] for cells in table]


def calls() -> list[Any]:
    """Each name of torchmetrics, its place in its cell, and the calls of ours beside it."""
    return [
        pytest.param(name, place, loop, function, id=name)
        for theirs, loop, function in rows()
        for place, name in enumerate(theirs)
        if name not in WITHOUT
    ]


def data(name: str) -> dict[str, Any]:
    """Scores and labels as the metric wants them: continuous, so that no two are equal."""
    made = torch.Generator().manual_seed(len(name))
    if name.startswith("Multiclass"):
        target, preds = (
            torch.randint(0, 10, (400,), generator=made),
            torch.rand(400, 10, generator=made),
        )
        preds[torch.arange(400), target] += 0.3
        preds = preds.softmax(1)
        decided = preds.argmax(1)
    else:
        target = (
            torch.rand((400, 5) if name.startswith("Multilabel") else 400, generator=made) < 0.3
        ).int()
        preds = torch.rand(target.shape, generator=made) * 0.6 + target * 0.4 * torch.rand(
            target.shape, generator=made
        )
        decided = preds >= 0.5
    given = {"preds": preds, "target": target}
    if name.startswith("Retrieval"):
        given["indexes"] = torch.randint(0, 100, (400,), generator=made)
    return given | {"decided": decided}


def names(given: dict[str, Any]) -> dict[str, Any]:
    """What the page's third column calls what."""
    target, preds = given["target"], given["preds"]
    made = {"pc": pc, "sk": sk, "target": target, "preds": preds}
    if "indexes" in given:
        rows = {"topic": given["indexes"].numpy(), "item": np.arange(len(target))}
        return made | {
            "qrels": rows | {"grade": target.numpy()},
            "run": rows | {"score": preds.numpy()},
        }
    made["d"] = pc.decisions(target, given["decided"])
    if preds.ndim == 2:
        return made | {"s": pc.categorize(target, preds)}
    return made | {"c": pc.curve(target, preds)}


def value(answer: Any) -> Any:
    """The number, or numbers, of an answer of ours."""
    if isinstance(answer, pc.Report):
        return list(answer.mean.values())
    return (
        answer.compute().numpy() if isinstance(answer, pt.CurveMeasure | pt.ListMeasure) else answer
    )


@pytest.mark.parametrize(("name", "place", "loop", "function"), calls())
def test_what_the_page_writes_gives_the_number_of_torchmetrics(
    name: str, place: int, loop: list[str], function: list[str]
) -> None:
    given = data(name)
    batch = {column: given[column] for column in ("preds", "target", "indexes") if column in given}
    theirs = eval(name, vars(classification) | vars(retrieval))(**batch)
    wanted = np.asarray(theirs[0] if isinstance(theirs, tuple) else theirs, np.float64)
    assert np.all(np.isfinite(wanted)) and wanted.any()
    if loop and not loop[0].startswith("metric."):
        metric = eval(loop[place], {"pt": pt})
        metric.update(**batch)
        np.testing.assert_allclose(metric.compute(), wanted, atol=2e-6)
    one = function[place] if len(function) > 1 else function[0]
    answer = value(eval(one, names(given)))
    np.testing.assert_allclose(
        answer[place] if isinstance(answer, list) else answer, wanted, atol=2e-6
    )


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [(classification.BinaryPrecisionRecallCurve, "pr"), (classification.BinaryROC, "roc")],
)
def test_points_of_ours_are_among_those_of_torchmetrics(theirs: Any, ours: str) -> None:
    given = data("Binary")
    first, second, _ = (
        column.double().numpy() for column in theirs()(given["preds"], given["target"])
    )
    points = {"pr": (second, first), "roc": (second, 1 - first)}[ours]
    recall, other = list(
        getattr(pc.curve(given["target"], given["preds"]), ours)().columns.values()
    )[:2]
    assert len(recall) == int(given["target"].sum())
    for point in zip(recall, other, strict=True):
        assert np.abs(np.subtract(np.transpose(points), point)).max(1).min() < 1e-6


def test_a_score_equal_to_the_threshold_is_accepted_here_only() -> None:
    preds, target = torch.tensor([0.5, 0.2]), torch.tensor([1, 0])
    ours = pt.CountsMeasure("R", threshold=0.5)
    ours.update(preds, target)
    assert (ours.compute(), classification.BinaryRecall(threshold=0.5)(preds, target)) == (1, 0)


def test_every_row_is_compared_or_says_why_not() -> None:
    known = [name for theirs, _, _ in rows() for name in theirs]
    assert len(known) == len(set(known)) > 30 and set(WITHOUT) <= set(known)
