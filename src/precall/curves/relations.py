"""How F and the break-even average relate at one operating point.

(P + R) / 2 is what break-even is measured by where precision and recall differ. With T = P / R its
difference from F has the sign of (T - 1) (β² T - 1). So the weighted harmonic mean F is the greater
of the two only between T = 1 and T = 1 / β²; for β = 1 it never is.
"""

from __future__ import annotations

from dataclasses import dataclass

from precall.checks import check_beta, check_recall
from precall.errors import UsageError
from precall.presented import Presented


@dataclass(frozen=True, slots=True)
class MeanVersusF(Presented):
    """The arithmetic mean of precision and recall beside their F.

    `greater` is "mean", "f" or "neither"; `why` names the case.
    """

    mean: float
    f: float
    greater: str
    why: str


def f_versus_break_even(precision: float, recall: float, beta: float = 1.0) -> MeanVersusF:
    """Which is greater, (P + R) / 2 or F, and why.

    Parameters
    ----------
    precision, recall : of one operating point, in 0..1.
    beta : weight of recall in F, >= 0; of 0, F is precision.

    Examples
    --------
    >>> f_versus_break_even(0.25, 1.0, beta=3.0)
    MeanVersusF(mean=0.625, f=0.7692307692307693, greater='f', why='P < R and β > 1/√T = 2')
    >>> f_versus_break_even(0.25, 1.0).greater
    'mean'
    """
    if not 0 <= precision <= 1:
        raise UsageError(f"precision: must be in 0..1, got {precision}")
    check_recall(recall)
    f = weighted_mean(precision, recall, beta)
    greater, why = _case(precision, recall, beta)
    return MeanVersusF((precision + recall) / 2, f, greater, why)


def weighted_mean(precision: float, recall: float, beta: float) -> float:
    """F of a precision and a recall, their weighted harmonic mean; 0 where both are, precision where β = 0.

    Examples
    --------
    >>> weighted_mean(0.5, 1.0, 1), weighted_mean(0.5, 0.0, 0), weighted_mean(0.0, 0.0, 2)
    (0.6666666666666666, 0.5, 0.0)
    """
    square = check_beta(beta) ** 2
    whole = square * precision + recall
    if not square:
        return precision
    return (1 + square) * precision * recall / whole if whole else 0.0


def _case(precision: float, recall: float, beta: float) -> tuple[str, str]:
    """The three cases: P = R, P > R, P < R."""
    if precision == recall:
        return "neither", "P = R: both are P"
    side = "P > R" if precision > recall else "P < R"
    if not beta:
        return ("f" if precision > recall else "mean"), f"{side} and β = 0, so F is P"
    if not precision or not recall:
        return "mean", f"{side} and one of them is 0, so F is 0"
    # 1/√T is the β at which both are equal.
    turn = (recall / precision) ** 0.5
    difference = beta**2 * precision - recall
    if difference == 0:
        return "neither", f"{side} and β = 1/√T = {turn:.4g}"
    sign = ">" if difference > 0 else "<"
    greater = "mean" if (precision > recall) == (difference > 0) else "f"
    return greater, f"{side} and β {sign} 1/√T = {turn:.4g}"
