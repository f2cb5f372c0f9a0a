"""The common base of all metrics: tasks, averages, and states that uneven processes synchronise."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor
from torchmetrics import Metric
from torchmetrics.utilities.data import dim_zero_cat
from torchmetrics.utilities.distributed import gather_all_tensors

from precall.core.arguments import check_choice, check_whole
from precall.core.errors import Fact, Mistake, Shape, UsageError
from precall.core.notes import warn
from precall.core.notes.of_curves import UndefinedCases, UndefinedGroups
from precall.core.ragged import Float64
from precall.core.undefined import COUNT_THEM, apply_undefined, check_undefined

TASKS = ("binary", "multiclass", "multilabel")
AVERAGES = ("macro", "weighted", "micro", "none")


class Exact(Metric):
    """A metric whose states are rows of whole numbers.

    The result does not depend on the order of the rows of all processes.
    """

    full_state_update: bool = False
    is_differentiable: bool = False
    _columns: ClassVar[tuple[tuple[str, torch.dtype], ...]] = ()

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        for name, dtype in self._columns:
            self.add_state(name, default=torch.zeros(0, dtype=dtype), dist_reduce_fx="cat")

    def _apply(self, fn: Callable[[Tensor], Tensor], *rest: Any, **more: Any) -> Any:
        """Move states to other devices, but keep their types: half precision cannot hold counts.

        So `set_dtype`, `half` and `to(dtype)` of a metric, a collection, or a module that contains
        the metric do not change the types.
        """

        def move(state: Tensor) -> Tensor:
            result = fn(state)
            return result if result.dtype == state.dtype else state.to(result.device)

        return super()._apply(move, *rest, **more)

    def _sync_dist(
        self,
        dist_sync_fn: Callable[..., list[Tensor]] = gather_all_tensors,
        process_group: Any | None = None,
    ) -> None:
        """Gather the rows of all processes.

        A process without cases has no rows, which torchmetrics' own synchronisation does not allow.
        """
        gathered = partial(dist_sync_fn, group=process_group or self.process_group)
        for name, reduce in self._reductions.items():
            own = getattr(self, name)
            if own.is_floating_point():
                # Gathered tensors must have one type, and the scores of another process may be
                # wider.
                is_wide = torch.tensor([own.dtype == torch.float64], device=own.device).to(
                    torch.int64
                )
                own = own.to(torch.float64) if any(map(int, gathered(is_wide))) else own
            parts = gathered(own)
            setattr(self, name, reduce(parts if reduce is dim_zero_cat else torch.stack(parts)))


class Tasks:
    """The task of a metric: how cases are grouped, and how values are averaged.

    A task has binary labels, one of several classes, or several labels.

    Parameters
    ----------
    task : "binary", "multiclass" (each class against the rest) or "multilabel".
    num_classes, num_labels : the number of classes or labels.
    average : "macro", "weighted" (by relevant cases), "micro" (all cases together) or "none", a
        value for each.
    undefined : how macro means treat undefined values: "omit" them as torchmetrics does, or "zero",
        or "error".
    """

    def __init__(
        self,
        task: str,
        num_classes: int | None,
        num_labels: int | None,
        average: str | None,
        undefined: str,
    ) -> None:
        check_choice("task", task, TASKS)
        check_choice("average", average or "none", AVERAGES)
        check_undefined(undefined)
        self.task: str = task
        self.average: str = average or "none"
        self.undefined: str = undefined
        self.groups: int = 1
        for name, needed, number in (
            ("num_classes", "multiclass", num_classes),
            ("num_labels", "multilabel", num_labels),
        ):
            if task == needed:
                if number is None:
                    raise UsageError(argument=name, what=f"a {task} task needs it")
                self.groups = check_whole(name, number, 2)

    def cases(self, preds: Tensor, target: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The group, score and relevance of each case."""
        if self.task == "binary":
            _same_shape(preds, target)
            score, relevant = preds.reshape(-1), _relevance(target.reshape(-1))
            return torch.zeros(len(score), dtype=torch.int64, device=score.device), score, relevant
        if preds.ndim != 2 or preds.shape[1] != self.groups:
            raise UsageError(
                argument="preds",
                allowed=f"of shape (cases, {self.groups})",
                got=Shape(tuple(preds.shape)),
            )
        group = torch.arange(self.groups, device=preds.device)
        if self.task == "multilabel":
            _same_shape(preds, target)
            relevant = _relevance(target)
        else:
            relevant = one_hot(target, len(preds), self.groups)
        return group.expand(len(preds), -1).reshape(-1), preds.reshape(-1), relevant.reshape(-1)

    def average_groups(self, values: Float64, weights: Float64, name: str) -> Tensor:
        """The mean over groups, or all values."""
        if self.average == "none" and self.groups > 1:
            return torch.from_numpy(values)
        missing = np.isnan(values)
        if missing.any():
            several = len(values) > 1
            warn(
                UndefinedGroups(name, int(missing.sum()), len(values))
                if several
                else UndefinedCases(name)
            )
        if missing.all():
            return torch.tensor(float("nan"), dtype=torch.float64)
        kept = apply_undefined(
            values,
            self.undefined,
            source="preds",
            what=lambda first, count: Mistake(
                "{measure:s} of {count} groups is undefined", COUNT_THEM, measure=name, count=count
            ),
        )
        heavy = weights[~missing] if len(kept) < len(values) else weights
        mean = np.average(
            kept, weights=heavy if self.average == "weighted" and heavy.any() else None
        )
        return torch.tensor(float(mean), dtype=torch.float64)


def one_hot(target: Tensor, cases: int, classes: int) -> Tensor:
    """A table of booleans, cases by classes: whether each case is of each class."""
    if target.shape != (cases,) or target.is_floating_point():
        raise UsageError(
            argument="target",
            allowed=f"{cases} whole numbers of classes",
            got=Fact(f"{target.dtype} {tuple(target.shape)}"),
        )
    if len(target) and not 0 <= int(target.min()) <= int(target.max()) < classes:
        got = f"{int(target.min())}..{int(target.max())}"
        raise UsageError(argument="target", allowed=f"in 0..{classes - 1}", got=Fact(got))
    return target[:, None] == torch.arange(classes, device=target.device)


def _same_shape(preds: Tensor, target: Tensor) -> None:
    if preds.shape != target.shape:
        raise UsageError(
            argument="preds and target",
            allowed="of one shape",
            got=Fact(f"{tuple(preds.shape)} and {tuple(target.shape)}"),
        )


def _relevance(target: Tensor) -> Tensor:
    """Labels as booleans."""
    if target.dtype == torch.bool:
        return target
    relevant = target == 1
    if not bool((relevant | (target == 0)).all()):
        raise UsageError(argument="target", allowed="0 or 1")
    return relevant
