"""The contingency table at every threshold of a curve, and the measures of counts there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from precall.counts import Counts
from precall.curves.tally import Count
from precall.measures import Measure, of_counts
from precall.measures import measure as named_measure
from precall.ragged import Float64

if TYPE_CHECKING:
    from precall.location.hits import Hits

_PRECISION, _RECALL, _SPECIFICITY = (named_measure(name) for name in ("P", "R", "Specificity"))


class Counted:
    """What follows from `tp`, `fp` and `missed`; formulas of counts take it as they take `Counts`."""

    __slots__ = ()

    tp: Count
    fp: Count
    missed: int | float

    if TYPE_CHECKING:

        def hits(self, ties: str = "block") -> Hits: ...

    @property
    def relevant(self) -> int | float:
        """Relevant items that exist, scored or missed."""
        return self.tp[-1].item() + self.missed  # type: ignore[no-any-return]

    @property
    def other(self) -> int | float:
        """Cases that are not relevant."""
        return self.fp[-1].item()  # type: ignore[no-any-return]

    @property
    def fn(self) -> Count:
        """Relevant items not accepted, missed ones included."""
        return np.asarray(self.relevant - self.tp)

    @property
    def tn(self) -> Count:
        """Other cases not accepted."""
        return np.asarray(self.fp[-1] - self.fp)

    @property
    def accepted(self) -> Count:
        """TP + FP."""
        return np.asarray(self.tp + self.fp)

    @property
    def rejected(self) -> Count:
        """FN + TN."""
        return np.asarray(self.fn + self.tn)

    @property
    def total(self) -> int | float:
        """All that exist: cases, and missed relevant items."""
        return self.relevant + self.other

    def wide(self) -> Counts:
        """See `Counts.wide`."""
        return Counts(self.tp, self.fp, self.fn, self.tn).wide()

    @property
    def precision(self) -> Float64:
        """TP / (TP + FP); NaN where nothing is accepted."""
        return _PRECISION.of_table(self)

    @property
    def recall(self) -> Float64:
        """TP / relevant; NaN where nothing is relevant."""
        return _RECALL.of_table(self)

    @property
    def rejection_recall(self) -> Float64:
        """TN / (TN + FP), the specificity; NaN where everything is relevant."""
        return _SPECIFICITY.of_table(self)

    def values(self, measure: str | Measure) -> Float64:
        """A measure of counts at every threshold; NaN where it is undefined.

        Examples
        --------
        >>> from precall import curve
        >>> curve([0, 1, 0, 1], [0.9, 0.8, 0.4, 0.3]).values("F").round(4)
        array([0.    , 0.    , 0.5   , 0.4   , 0.6667])
        """
        return of_counts(measure).of_table(self)

    def measured(self, measure: Measure, ties: str = "block") -> Any:
        """A measure of counts at every threshold, or a measure of rankings of the cases as one; for `measure(curve)`."""
        if measure.declaration.of is Counts:
            return measure.of_table(self)
        return float(measure(self.hits(ties))[0])
