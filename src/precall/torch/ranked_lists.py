"""Metrics of ranked lists: any measure of retrieval, from scores, grades and the query of each
row.
"""

from __future__ import annotations

from typing import Any, ClassVar

import torch
from torch import Tensor

from precall.core.errors import Fact, UsageError
from precall.evaluation.api import evaluate
from precall.measures import measure as named_measure
from precall.torch.counting import wide
from precall.torch.tasks import Exact


class ListMeasure(Exact):
    """The mean of a measure of ranked lists over queries: "nDCG@10", "AP", "RR", "R@100", "P@5".

    Parameters
    ----------
    measure : a name of `precall measures`.
    ties : order of equal scores in a list: "expected" (the mean over all orders), "best", "worst"
        or "input".
    undefined : what the mean does about queries without a relevant row: "zero" counts them as 0, as
        torchmetrics' default does, "omit" leaves them out, "error" refuses.

    Notes
    -----
    The state is all rows, as lists need: 20 bytes each. torchmetrics breaks ties by the order of
    rows that its sort leaves.

    Examples
    --------
    >>> metric = ListMeasure("RR")
    >>> queries = torch.tensor([0, 0, 1, 1])
    >>> metric.update(
    ...     torch.tensor([0.9, 0.8, 0.3, 0.7]), torch.tensor([0, 1, 0, 1]), indexes=queries
    ... )
    >>> metric.compute()
    tensor(0.7500, dtype=torch.float64)
    """

    _columns: ClassVar[Any] = (
        ("indexes", torch.int64),
        ("score", torch.float64),
        ("grade", torch.int64),
    )
    indexes: Tensor
    score: Tensor
    grade: Tensor

    def __init__(
        self, measure: str, *, ties: str = "expected", undefined: str = "zero", **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self._measure, self._ties, self._undefined = named_measure(measure).name, ties, undefined

    def update(self, preds: Tensor, target: Tensor, indexes: Tensor) -> None:
        """Add rows: score, grade (0 or more) and query of each."""
        if not preds.shape == target.shape == indexes.shape:
            got = ", ".join(str(tuple(given.shape)) for given in (preds, target, indexes))
            raise UsageError(
                argument="preds, target and indexes", allowed="of one shape", got=Fact(got)
            )
        if indexes.is_floating_point() or (
            target.is_floating_point() and bool((target != target.floor()).any())
        ):
            raise UsageError(argument="target and indexes", allowed="whole numbers")
        columns = {"indexes": indexes, "score": wide(preds), "grade": target}
        for name, given in columns.items():
            known = getattr(self, name)
            setattr(self, name, torch.cat((known, given.reshape(-1).to(known.device, known.dtype))))

    def compute(self) -> Tensor:
        """The mean over queries, float64; NaN, with a warning, where there is none."""
        if not len(self.indexes):
            from precall.core.notes import warn
            from precall.core.notes.of_curves import UndefinedCases

            warn(UndefinedCases(str(self._measure), "no rows"))
            return torch.tensor(float("nan"), dtype=torch.float64)
        topics = self.indexes.cpu().numpy()
        items = torch.arange(len(topics)).numpy()
        qrels = {"topic": topics, "item": items, "grade": self.grade.cpu().numpy()}
        run = {"topic": topics, "item": items, "score": self.score.cpu().numpy()}
        report = evaluate(qrels, run, [self._measure], ties=self._ties, undefined=self._undefined)
        return torch.tensor(report.mean[self._measure], dtype=torch.float64)
