"""Metrics of curves: average precision, areas, precision-recall curves, any measure of rankings."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from precall.cases.curves import Curve
from precall.cases.tally import from_counts
from precall.core.counts import Counts
from precall.core.notes import collect_notes
from precall.measures import measure as named_measure
from precall.torch.counting import Tally, merge_parts, tally
from precall.torch.tasks import Exact, Tasks

#: The number of rows that are collected before they are merged; twice the number of distinct scores
#: if that is more.
_WAITING = 1 << 16


class _OfScores(Exact):
    """A metric whose state is the distinct scores and their counts.

    A score takes at most 28 bytes; scores of 16 bits have at most 65,536 values per group.
    """

    _columns: ClassVar[Any] = (
        ("group", torch.int64),
        ("score", torch.float32),
        ("relevant", torch.int64),
        ("other", torch.int64),
    )
    group: Tensor
    score: Tensor
    relevant: Tensor
    other: Tensor

    def __init__(
        self,
        task: str = "binary",
        *,
        num_classes: int | None = None,
        num_labels: int | None = None,
        average: str | None = "macro",
        undefined: str = "omit",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._tasks = Tasks(task, num_classes, num_labels, average, undefined)
        self._room = _WAITING

    def update(self, preds: Tensor, target: Tensor) -> None:
        """Count a batch of cases.

        Parameters
        ----------
        preds : scores, on any device, of any floating type; NaN is refused. The shape is (cases,)
            or (cases, classes).
        target : 0 and 1, of the same shape; for "multiclass" the class of each case.
        """
        counted = tally(*self._tasks.cases(preds, target))
        self._set(
            Tally(*map(_join_rows, self._rows(), (column.to(self.device) for column in counted)))
        )
        if len(self.score) > self._room:
            self._set(merge_parts([self._rows()]))
            self._room = max(_WAITING, 2 * len(self.score))

    def _rows(self) -> Tally:
        return Tally(self.group, self.score, self.relevant, self.other)

    def _set(self, rows: Tally) -> None:
        self.group, self.score, self.relevant, self.other = rows

    def curves(self) -> list[Curve]:
        """The curve of each class or label, or of all together, as `precall.curve` makes it."""
        rows = self._rows()
        if self._tasks.average == "micro":
            rows = rows._replace(group=torch.zeros_like(rows.group))
        group, score, relevant, other = (column.cpu().numpy() for column in merge_parts([rows]))
        groups = 1 if self._tasks.average == "micro" else self._tasks.groups
        ends = np.searchsorted(group, np.arange(groups + 1))
        # Rows ascend within a group; curves need the best score first.
        cuts = [slice(*both) for both in pairwise(ends)]
        return [
            from_counts(score[cut][::-1], relevant[cut][::-1], other[cut][::-1]) for cut in cuts
        ]


def _join_rows(known: Tensor, more: Tensor) -> Tensor:
    wide = torch.promote_types(known.dtype, more.dtype)
    return torch.cat((known.to(wide), more.to(wide)))


class CurveMeasure(_OfScores):
    """Any measure of a ranking of cases, by its name: exact, whatever the batches and processes.

    A measure of ranks ("AP", "AUC", "BEP", "AreaPR(method=trapezoid)", "P@10") is computed from all
    cases as one ranking. For a measure of counts ("F1", "MCC") the value is the best of any
    threshold, as for `Curve.at(max=)`.

    Parameters
    ----------
    measure : a name of `precall measures`.
    task : "binary", "multiclass" (each class against the rest) or "multilabel".
    num_classes : the number of classes, for "multiclass".
    num_labels : the number of labels, for "multilabel".
    average : "macro", "weighted" (by relevant cases), "micro" (all cases together) or None, a value
        for each.
    undefined : how means treat undefined values: "omit" them as torchmetrics does, or "zero", or
        "error". A single undefined value, or that of no cases, is NaN, with a warning.
    ties : for measures that need an order of equal scores, as for `Curve.value`: None ("expected"
        for these), "block", "expected", "best" or "worst".

    Notes
    -----
    torchmetrics' own AveragePrecision maps scores outside 0..1 through a sigmoid, whose rounding
    makes ties; scores are not transformed here. Scores of float16 and bfloat16 have at most 65,536
    values, so the state is at most 1.8 MB per class, whatever the number of cases.

    Examples
    --------
    >>> metric = CurveMeasure("AUC")
    >>> metric.update(torch.tensor([0.9, 0.8, 0.7]), torch.tensor([1, 0, 1]))
    >>> metric.compute()
    tensor(0.5000, dtype=torch.float64)
    """

    def __init__(
        self, measure: str, task: str = "binary", *, ties: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(task, **kwargs)
        self._measure, self._ties = named_measure(measure), ties

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]
        """Whether a great value is a good one."""
        return self._measure.declaration.direction > 0

    def compute(self) -> Tensor:
        """The value, float64; of `average=None` those of each class."""
        with collect_notes():
            curves = self.curves()
            values = np.array([self._value(each) for each in curves], np.float64)
        weights = np.array([each.relevant for each in curves], np.float64)
        return self._tasks.average_groups(values, weights, self._measure.name)

    def _value(self, made: Curve) -> float:
        if self._measure.declaration.of is Counts:
            return made.at(max=self._measure).value
        return made.value(self._measure, self._ties)


class AveragePrecision(CurveMeasure):
    """Average precision, as by `precall.average_precision`; parameters are those of `CurveMeasure`.

    Examples
    --------
    >>> metric = AveragePrecision()
    >>> metric.update(torch.tensor([0.9, 0.8]), torch.tensor([1, 0]))
    >>> metric.update(torch.tensor([0.7]), torch.tensor([1]))
    >>> metric.compute()
    tensor(0.8333, dtype=torch.float64)
    """

    def __init__(self, task: str = "binary", **kwargs: Any) -> None:
        super().__init__("AP", task, **kwargs)


class AreaUnderROC(CurveMeasure):
    """Area under the ROC curve, as by `precall.area_under_roc`.

    Parameters are those of `CurveMeasure`.

    Examples
    --------
    >>> metric = AreaUnderROC("multiclass", num_classes=3, average=None)
    >>> metric.update(
    ...     torch.tensor([[0.8, 0.1, 0.1], [0.2, 0.5, 0.3], [0.5, 0.4, 0.1]]),
    ...     torch.tensor([0, 1, 2]),
    ... )
    >>> metric.compute()
    tensor([1.0000, 1.0000, 0.2500], dtype=torch.float64)
    """

    def __init__(self, task: str = "binary", **kwargs: Any) -> None:
        super().__init__("AUC", task, **kwargs)


class PrecisionRecallCurve(_OfScores):
    """Precision, recall and thresholds, in torchmetrics' order.

    Thresholds ascend, and the point (1, 0) comes last. Parameters are those of `CurveMeasure`. For
    several classes without "micro" each of the three is a list of tensors. Recall is NaN if nothing
    is relevant.

    Examples
    --------
    >>> metric = PrecisionRecallCurve()
    >>> metric.update(torch.tensor([0.9, 0.8, 0.7]), torch.tensor([1, 0, 1]))
    >>> metric.compute()[1]
    tensor([1.0000, 0.5000, 0.5000, 0.0000], dtype=torch.float64)
    """

    def __init__(self, task: str = "binary", *, average: str | None = None, **kwargs: Any) -> None:
        super().__init__(task, average=average, **kwargs)

    def compute(self) -> tuple[Any, Any, Any]:
        """Precision, recall and thresholds."""
        parts = [self._points(each) for each in self.curves()]
        if len(parts) == 1:
            return parts[0]
        precision, recall, threshold = map(list, zip(*parts, strict=True))
        return precision, recall, threshold

    @staticmethod
    def _points(made: Curve) -> tuple[Tensor, Tensor, Tensor]:
        with collect_notes():
            precision, recall = (
                np.append(values[:0:-1], end)
                for values, end in ((made.precision, 1.0), (made.recall, 0.0))
            )
        return (
            torch.from_numpy(precision),
            torch.from_numpy(recall),
            torch.from_numpy(made.threshold[:0:-1].copy()),
        )
