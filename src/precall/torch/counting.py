"""Counts of cases by score, as the kernel makes them, by torch on the device of the tensors."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from precall.cases.scored_cases import numbers
from precall.core.errors import NAN, Mistake

_HALF = (torch.float16, torch.bfloat16)
#: The number of values that scores of 16 bits can have.
_VALUES = 1 << 16
#: The most cells per case of a histogram. With more it takes longer than sorting the cases, and
#: unbounded memory if there are many classes.
_CELLS = 16


class Tally(NamedTuple):
    """The distinct scores of each group, and the relevant and other cases of each score.

    Rows of a group are adjacent, and scores ascend within it.
    """

    group: Tensor
    score: Tensor
    relevant: Tensor
    other: Tensor

    @classmethod
    def empty(cls, device: torch.device | str = "cpu") -> Tally:
        """The tally of no cases."""
        none = torch.zeros(0, dtype=torch.int64, device=device)
        return cls(none, torch.zeros(0, dtype=torch.float32, device=device), none, none)


def tally(group: Tensor, score: Tensor, relevant: Tensor) -> Tally:
    """Count the cases of one batch.

    Many scores of 16 bits are counted in a histogram, others by sorting.

    Examples
    --------
    >>> made = tally(
    ...     torch.tensor([0, 0, 0]),
    ...     torch.tensor([0.5, 0.5, 0.25]),
    ...     torch.tensor([True, False, True]),
    ... )
    >>> made.score.tolist(), made.relevant.tolist(), made.other.tolist()
    ([0.25, 0.5], [1, 1], [0, 1])
    """
    refuse_nan(score)
    groups = int(group.max()) + 1 if len(group) else 0
    if score.dtype in _HALF and 2 * _VALUES * groups <= _CELLS * len(score):
        return _histogram(group, score, relevant, groups)
    one = relevant.to(torch.int64)
    return _merge_rows(Tally(group, wide(score), one, 1 - one))


def merge_parts(parts: list[Tally]) -> Tally:
    """The sum of several tallies, with each score of a group once."""
    return _merge_rows(Tally(*(torch.cat(_alike(columns)) for columns in zip(*parts, strict=True))))


def _alike(columns: tuple[Tensor, ...]) -> list[Tensor]:
    wide = torch.float64 if any(column.dtype == torch.float64 for column in columns) else None
    return [column if wide is None else column.to(wide) for column in columns]


def wide(score: Tensor) -> Tensor:
    """The scores as float32 or float64, which hold them exactly; adding 0 turns -0 into 0."""
    if score.dtype in _HALF:
        score = score.to(torch.float32)
    elif score.dtype not in (torch.float32, torch.float64):
        score = torch.from_numpy(numbers(score.detach().cpu(), "score")).to(score.device)
    return score.detach() + 0.0


def refuse_nan(score: Tensor) -> None:
    """Raise if scores are NaN; the message has their number."""
    missing = torch.isnan(score)
    if bool(missing.any()):
        count = int(missing.sum())
        raise Mistake(
            "{count} of {scores} scores are {got}",
            "remove the cases, or find out why the model gives none",
            got=NAN,
            count=count,
            scores=missing.numel(),
        ).error("preds")


def _histogram(group: Tensor, score: Tensor, relevant: Tensor, groups: int) -> Tally:
    """The tally of scores of 16 bits, with a cell for each bit pattern, group and class."""
    bits = (score.detach() + 0.0).view(torch.int16).to(torch.int64) & (_VALUES - 1)
    code = (group * _VALUES + bits) * 2 + relevant.to(torch.int64)
    counts = torch.bincount(code, minlength=2 * _VALUES * groups).reshape(-1, 2)
    held = counts.sum(1).nonzero().flatten()
    patterns = (held % _VALUES).to(torch.int32)
    values = (
        torch.where(patterns >= _VALUES // 2, patterns - _VALUES, patterns)
        .to(torch.int16)
        .view(score.dtype)
    )
    return _merge_rows(
        Tally(held // _VALUES, values.to(torch.float32), counts[held, 1], counts[held, 0])
    )


def _merge_rows(rows: Tally) -> Tally:
    """The tally with rows of equal group and score added up."""
    if not len(rows.score):
        return rows
    score, order = torch.sort(rows.score)
    group = rows.group[order]
    if bool((group != group[0]).any()):
        group, inner = torch.sort(group, stable=True)
        score, order = score[inner], order[inner]
    leads = torch.ones(len(score), dtype=torch.bool, device=score.device)
    leads[1:] = (score[1:] != score[:-1]) | (group[1:] != group[:-1])
    start = leads.nonzero().flatten()
    last = torch.cat((start[1:] - 1, start.new_tensor([len(score) - 1])))
    counts = []
    for column in (rows.relevant, rows.other):
        below = column[order].cumsum(0)[last]
        counts.append(torch.diff(below, prepend=below.new_zeros(1)))
    return Tally(group[start], score[start], counts[0], counts[1])
