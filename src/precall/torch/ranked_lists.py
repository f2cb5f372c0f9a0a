"""The metric of ranked lists: any measure of retrieval, from scores, grades and queries of rows."""

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
    undefined : how the mean treats queries without a relevant row: "zero" counts them as 0, as
        torchmetrics' default does; "omit" leaves them out; "error" refuses them.

    Notes
    -----
    The state has all rows, because lists need them: 20 bytes each. torchmetrics leaves ties in the
    order that its sort happens to give.

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
        """Add rows: the score, grade (0 or more) and query of each."""
        if not preds.shape == target.shape == indexes.shape:
            got = ", ".join(str(tuple(tensor.shape)) for tensor in (preds, target, indexes))
            raise UsageError(
                argument="preds, target and indexes", allowed="of one shape", got=Fact(got)
            )
        if indexes.is_floating_point() or (
            target.is_floating_point() and bool((target != target.floor()).any())
        ):
            raise UsageError(
                argument="target and indexes",
                allowed="whole numbers",
                remedy="number the grades, and say what each gains by gains= in the measure's name",
            )
        columns = {"indexes": indexes, "score": wide(preds), "grade": target}
        for name, tensor in columns.items():
            rows = getattr(self, name)
            setattr(self, name, torch.cat((rows, tensor.reshape(-1).to(rows.device, rows.dtype))))

    def compute(self) -> Tensor:
        """The mean over queries, float64; NaN, with a warning, if there is no query."""
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
