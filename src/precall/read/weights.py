"""The weights of cases: they must be finite, not negative, and such that their sums and products
stay numbers. Some weights repeat a case.
"""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from precall.core.arguments import is_whole
from precall.core.errors import Among, Mistake
from precall.core.notes import Note
from precall.core.notes.of_intervals import WeightsRepeatCases
from precall.core.ragged import Bool, Float64, Int64
from precall.native.literals import EXACT, WHOLE

#: Within these limits products of two sums of weights stay finite, and those of two weights stay
#: above zero.
MOST, LEAST = 1e150, 1 / 1e150
#: What to do about a weight that is not such a number.
FINITE = "give a finite number >= 0"


class Unfit(NamedTuple):
    """Weights that are not allowed."""

    cases: Bool
    allowed: str
    remedy: str

    def mistake(self, what: str, weight: float) -> Mistake:
        """The mistake of one of them."""
        return Mistake(what, self.remedy, got=weight, allowed=Among("allowed are", [self.allowed]))


def unfit_weights(weights: npt.NDArray[Any]) -> Unfit | None:
    """The weights that are not allowed, for one reason; None if all are allowed."""
    if len(weights) and float(weights.min()) >= LEAST and float(weights.max()) < MOST:
        return None  # the common case
    wrong = ~(np.isfinite(weights) & (weights >= 0))
    if wrong.any():
        return Unfit(wrong, "finite numbers >= 0", FINITE)
    slight = (weights > 0) & (weights < np.float64(LEAST))
    if slight.any():  # their products would be 0
        return Unfit(slight, f"0 and numbers >= {LEAST:g}", "multiply all by one number")
    return None


def counts_or_real(weights: Float64, cells: object) -> Int64 | Float64:
    """Weights as int64 if they repeat cases, so that their sums are exact; else unchanged.

    `cells` are the weights as they were given. If their sum exceeds 2^53 it is not exact, and the
    weights stay real.

    Examples
    --------
    >>> counts_or_real(np.array([1.0, 20.0]), [1, 20]).dtype.kind
    'i'
    >>> counts_or_real(np.array([1.0, 20.0]), ["1", "20.0"]).dtype.kind
    'f'
    """
    if repeat_cases(cells) and total_weight(np.abs(weights)) <= EXACT:
        return weights.astype(np.int64)
    return weights


def repeat_cases(cells: Any) -> bool:
    """Whether weights repeat cases: all are integers by type, or texts written as integers. All
    others, including whole floats, are sampling weights.
    """
    kind = getattr(getattr(cells, "dtype", None), "kind", "O")
    if kind in "biuf":
        return kind != "f"
    return all(map(_is_integer, cells.tolist() if isinstance(cells, np.ndarray) else cells))


def _is_integer(cell: object) -> bool:
    if isinstance(cell, str | bytes):
        text = cell if isinstance(cell, str) else cell.decode("latin-1")
        return re.fullmatch(WHOLE, text) is not None
    return is_whole(cell) or isinstance(cell, bool | np.bool_)


class _WeightsOfKind(NamedTuple):
    """Cases of one kind: how many have a weight above 0, and the least and the greatest of these
    weights.
    """

    cases: int = 0
    least: float = math.inf
    most: float = 0.0

    @classmethod
    def of(cls, weights: npt.NDArray[Any]) -> _WeightsOfKind:
        there = weights[weights > 0]
        return cls(len(there), int(there.min()), int(there.max())) if len(there) else cls()

    @classmethod
    def of_ones(cls, cases: int) -> _WeightsOfKind:
        return cls(cases, 1, 1) if cases else cls()

    def plus(self, more: _WeightsOfKind) -> _WeightsOfKind:
        return _WeightsOfKind(
            self.cases + more.cases, min(self.least, more.least), max(self.most, more.most)
        )


class KindsOfWeights(NamedTuple):
    """The weights of relevant cases and of others; they can be merged in any order."""

    relevant: _WeightsOfKind = _WeightsOfKind()
    other: _WeightsOfKind = _WeightsOfKind()
    real: bool = False
    """Whether some weights are real, or not known."""

    @classmethod
    def of(cls, relevant: Bool, weights: npt.NDArray[Any] | None) -> KindsOfWeights:
        """The weights of some cases; without weights each case weighs 1."""
        if weights is None:
            hits = int(np.count_nonzero(relevant))
            return cls(_WeightsOfKind.of_ones(hits), _WeightsOfKind.of_ones(len(relevant) - hits))
        if weights.dtype.kind == "f":
            return cls(real=True)
        return cls(_WeightsOfKind.of(weights[relevant]), _WeightsOfKind.of(weights[~relevant]))

    def join(self, more: KindsOfWeights) -> KindsOfWeights:
        """The weights of both together."""
        relevant, other = self.relevant.plus(more.relevant), self.other.plus(more.other)
        return KindsOfWeights(relevant, other, self.real or more.real)

    def notes(self) -> tuple[Note, ...]:
        """A note if all relevant cases are repeated equally often, and all others as well, but
        another number of times: weights such as 1 and 20 look like sampling weights.
        """
        kinds = (self.relevant, self.other)
        if self.real or any(of.cases < 2 or of.least != of.most for of in kinds):
            return ()
        one, other = (int(of.least) for of in kinds)
        return () if one == other else (WeightsRepeatCases("", one, other),)


def total_weight(weights: npt.NDArray[Any]) -> float:
    """The sum of the weights, which may be infinite."""
    with np.errstate(over="ignore"):
        return float(np.sum(weights, dtype=np.float64))


def too_heavy(total: float) -> Mistake | None:
    """The mistake of a sum of weights; None if it is allowed."""
    if total < MOST:
        return None
    allowed = f"their sum must be less than {MOST:g}"
    return Mistake(allowed, "divide all by one number", got=total)
