"""Pictures of one curve: against its thresholds, of its scores, against rank."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Any, Self

from precall.curves import Curve, curve
from precall.drawing.thinning import FAR
from precall.plot.display import Display
from precall.plot.systems import checked


class OneCurve(Display):
    """A picture of one curve.

    Parameters
    ----------
    curve : of what `precall.curve` returns.
    higher_is_better : False where the curve was made with it, so that thresholds are shown as the scores were.
    """

    def __init__(self, curve: Curve, higher_is_better: bool = True) -> None:
        checked(curve, "")
        self.curve = curve
        self.higher_is_better = higher_is_better

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.curve!r}>"

    @classmethod
    def from_curve(cls, curve: Curve, higher_is_better: bool = True) -> Self:
        """Of a curve."""
        return cls(curve, higher_is_better)

    @classmethod
    def from_cases(cls, relevant: Any, score: Any, **options: Any) -> Self:
        """Of scored cases, as `precall.curve` takes them."""
        return cls(curve(relevant, score, **options), options.get("higher_is_better", True))

    def _rows_above(self, threshold: float, or_at: bool = False) -> int:
        """How many rows have a greater threshold, or one as great; by bisection, without a copy of them all."""
        beyond = bisect_right if or_at else bisect_left
        return beyond(self.curve.threshold, -threshold, key=lambda one: -float(one))

    def _finite(self) -> slice:
        """Rows whose threshold has a place on an axis: neither infinite nor beyond 1e300, which stands for that."""
        return slice(self._rows_above(FAR, True), self._rows_above(-FAR))

    def _shown(self, threshold: Any) -> Any:
        # Of low scores that are good the curve holds the negatives.
        return threshold if self.higher_is_better else -threshold + 0.0
