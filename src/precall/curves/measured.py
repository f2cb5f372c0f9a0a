"""The contingency table at every threshold of a curve, and the measures of counts there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from precall.counts import Counts, Path
from precall.errors import TiesUnresolved
from precall.measures import Measure, of_counts
from precall.measures import measure as named_measure
from precall.notes import warn
from precall.ragged import Float64

if TYPE_CHECKING:
    from precall.location.hits import Hits

_PRECISION, _RECALL, _SPECIFICITY = (named_measure(name) for name in ("P", "R", "Specificity"))


class Measured(Path):
    """Measures of a curve: those of counts at each of its thresholds, and those of its cases as one ranking."""

    __slots__ = ()

    if TYPE_CHECKING:

        def hits(self, ties: str = "block") -> Hits: ...

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

    def value(self, measure: str | Measure, ties: str = "block") -> float:
        """A measure of ranks, of the cases as one ranking: "AUC", "BEP(method=linear)", "P@10"; NaN where it is undefined.

        Parameters
        ----------
        measure : a name of `precall measures`, or what `pc.measure` returned. Measures of counts have a value at every
            threshold: see `values`; their best one is `at(max=)`.
        ties : cases of equal score are one block, accepted or rejected together ("block", the default; a measure that
            needs their order raises); "expected" is the mean over random orders inside blocks, "best" and "worst" the
            extremes.

        Examples
        --------
        >>> from precall import curve
        >>> c = curve([0, 1, 0, 1], [0.9, 0.8, 0.4, 0.3])
        >>> c.value("AUC"), c.value("AP"), c.value("BEP"), c.value("P@2")
        (0.25, 0.5, 0.5, 0.5)
        """
        chosen = (named_measure(measure) if isinstance(measure, str) else measure).of_rankings()
        return self._value(chosen, ties)

    def _value(self, measure: str | Measure, ties: str, what: str = "") -> float:
        """The same; a warning says `what` is undefined."""
        chosen = named_measure(measure) if isinstance(measure, str) else measure
        value: float = self.measured(chosen, ties)
        if value != value:
            why = (
                "nothing is relevant"
                if not self.relevant
                else "everything is relevant"
                if not self.other
                else ""
            )
            warn(f"{what or chosen.name} is undefined (NaN): {why or chosen.declaration.undefined}")
        return value

    def measured(self, measure: Measure, ties: str = "block") -> Any:
        """A measure of counts at every threshold, or one of ranks of the cases as one ranking; for `measure(curve)`."""
        if measure.declaration.of is Counts:
            return of_counts(measure).of_table(self)
        if ties != "block":
            return float(measure(self.hits(ties))[0])
        in_blocks = measure.of_path(self)
        try:
            return float(measure(self.hits())[0]) if in_blocks is None else in_blocks
        except TiesUnresolved:
            # A curve does not know the order of its cases.
            raise TiesUnresolved(
                f"{measure.name} depends on the order inside a block of equal scores; choose ties='expected', 'best' or 'worst'"
            ) from None
