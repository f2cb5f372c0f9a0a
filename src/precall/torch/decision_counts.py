"""The metric of hard decisions: any measure of counts."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from precall.core.counts import Counts
from precall.measures import of_counts
from precall.torch.counting import refuse_nan
from precall.torch.tasks import Exact, Tasks, one_hot


class CountsMeasure(Exact):
    """Any measure of counts of decisions, by its name: "P", "F1", "MCC", "kappa", "F(beta=2)".

    Parameters
    ----------
    measure : a name of `precall measures --of counts`.
    task : "binary", "multiclass" (each class against the rest) or "multilabel".
    threshold : scores of at least this are accepted. Scores are not transformed, so logits need a
        threshold of logits. A multiclass decision is the first class of the greatest score.
    num_classes : the number of classes, for "multiclass".
    num_labels : the number of labels, for "multilabel".
    average : "macro", "weighted" (by relevant cases), "micro" (of the sums of counts) or None, a
        value for each.
    undefined : how macro means treat undefined values: "omit" them, or "zero", or "error".

    Examples
    --------
    >>> metric = CountsMeasure("F1")
    >>> metric.update(torch.tensor([0.9, 0.8, 0.2]), torch.tensor([1, 0, 1]))
    >>> metric.compute()
    tensor(0.5000, dtype=torch.float64)
    """

    counts: Tensor

    def __init__(
        self,
        measure: str,
        task: str = "binary",
        *,
        threshold: float = 0.5,
        num_classes: int | None = None,
        num_labels: int | None = None,
        average: str | None = "macro",
        undefined: str = "omit",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._measure, self._threshold = of_counts(measure), float(threshold)
        self._tasks = Tasks(task, num_classes, num_labels, average, undefined)
        self.add_state(
            "counts",
            default=torch.zeros(4, self._tasks.groups, dtype=torch.int64),
            dist_reduce_fx="sum",
        )
        # A MetricCollection merges metrics whose states are equal after a batch. The bits of the
        # threshold, as small whole numbers in the state, keep metrics of different thresholds
        # apart.
        bits = torch.tensor([self._threshold], dtype=torch.float64).view(torch.int16).long()
        self.add_state("bits_of_threshold", default=bits, dist_reduce_fx="max")

    def update(self, preds: Tensor, target: Tensor) -> None:
        """Count a batch of decisions.

        `preds` are scores; for "multiclass" they are scores of each class, or classes.
        """
        refuse_nan(preds)
        groups = self._tasks.groups
        if self._tasks.task == "multiclass":
            chosen = preds.argmax(1) if preds.ndim == 2 else preds
            accepted, relevant = (
                one_hot(classes, len(preds), groups) for classes in (chosen, target)
            )
        else:
            _, score, relevant = self._tasks.cases(preds, target)
            accepted, relevant = (
                (column).reshape(-1, groups) for column in (score >= self._threshold, relevant)
            )
        cells = (
            accepted & relevant,
            accepted & ~relevant,
            ~accepted & relevant,
            ~accepted & ~relevant,
        )
        self.counts = self.counts + torch.stack([cell.sum(0) for cell in cells]).to(
            self.counts.device
        )

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]
        """Whether a great value is a good one."""
        return self._measure.declaration.direction > 0

    def compute(self) -> Tensor:
        """The value, float64; of `average=None` those of each class."""
        table = Counts(*self.counts.cpu().numpy())
        if self._tasks.average == "micro":
            table = table.sum()
        values = np.asarray(self._measure.of_table(table), np.float64)
        return self._tasks.average_groups(
            values, table.relevant.astype(np.float64), self._measure.name
        )
