"""Which weights of cases are allowed: finite, not negative, and such that sums and products of them
stay numbers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from precall.core.ragged import Bool

#: Products of two sums of weights stay finite, and those of two weights above zero.
MOST, LEAST = 1e150, 1 / 1e150
#: What to do about one that is no number, or none of these.
FINITE = "give a finite number >= 0"


class Unfit(NamedTuple):
    """Weights that are not allowed."""

    cases: Bool
    allowed: str
    remedy: str


def unfit_weights(weights: npt.NDArray[Any]) -> Unfit | None:
    """Those that are not allowed, of one kind; None if all are."""
    if len(weights) and float(weights.min()) >= LEAST and float(weights.max()) < MOST:
        return None  # as nearly all are
    wrong = ~(np.isfinite(weights) & (weights >= 0))
    if wrong.any():
        return Unfit(wrong, "finite numbers >= 0", FINITE)
    slight = (weights > 0) & (weights < np.float64(LEAST))
    if slight.any():  # their products are no longer numbers but 0
        return Unfit(slight, f"0 and numbers >= {LEAST:g}", "multiply all by one number")
    return None


def weights_of_kinds(relevant: Bool, weights: npt.NDArray[Any]) -> tuple[int, int] | None:
    """What each relevant case and each other one weighs, if these are two whole numbers, such as 1
    and 20.
    """
    if weights.dtype.kind == "f":
        return None
    kinds = [of[of > 0] for of in (weights[relevant], weights[~relevant])]
    if any(len(of) < 2 or of.min() != of.max() for of in kinds):
        return None
    one, other = (int(of[0]) for of in kinds)
    return None if one == other else (one, other)


def total_weight(weights: npt.NDArray[Any]) -> float:
    """Their sum, perhaps infinite."""
    with np.errstate(over="ignore"):
        return float(np.sum(weights, dtype=np.float64))


def too_heavy(total: float) -> tuple[str, str] | None:
    """What is wrong with the sum of weights, and what to do; None if nothing is."""
    if total < MOST:
        return None
    return f"their sum must be less than {MOST:g}", "divide all by one number"
