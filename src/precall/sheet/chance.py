"""What AP and the area under ROC of a curve are when its cases stand in random order: a section of a sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from precall.curves import Curve
from precall.infer.null.significance import Outcome, of_curve
from precall.infer.null.significance import combined as together
from precall.sheet.sheets import Cell, Threshold

#: The measures of the section.
#: Those that have a null distribution.
MEASURES = ("AP", "AUC")


@dataclass(frozen=True, slots=True)
class Chances:
    """Outcomes by measure, None where one is undefined.

    Parameters
    ----------
    outcomes : of the cases that have a score.
    share : of the relevant cases, those that have one: missed ones lower a value and what chance makes of it alike.
    level : of the interval of chance.
    """

    outcomes: Mapping[str, Outcome | None]
    share: float
    level: float

    @classmethod
    def of(cls, curve: Curve, level: float) -> Chances:
        """Equal scores are one block, as in the curve's own AP.

        Examples
        --------
        >>> from precall.curves import curve
        >>> cells = Chances.of(curve([1, 1, 0, 0], [4, 3, 2, 1]), 0.95).cells()
        >>> round(cells["AP by chance"], 4), cells["AUC p"]
        (0.6806, 0.16666666666666666)
        """
        scored = curve.tp[-1].item()
        outcomes = {name: of_curve(curve, name, "block") for name in MEASURES}
        return cls(outcomes, scored / curve.relevant if curve.relevant else 0.0, level)

    def cells(self) -> dict[str, Cell]:
        """Mean and interval of chance, value less mean, and p, for each measure."""
        cells: dict[str, Cell] = {}
        for name, outcome in self.outcomes.items():
            values = [np.nan] * 5 if outcome is None else self._values(outcome)
            names = ("by chance", "by chance low", "by chance high", "over chance")
            cells |= {f"{name} {what}": value for what, value in zip(names, values[:4], strict=True)}
            # In four decimals a small p would be 0.
            cells[f"{name} p"] = Threshold(values[4])
        return cells

    def _values(self, outcome: Outcome) -> list[float]:
        middle = outcome.null.interval(self.level)
        values = (outcome.null.mean, middle.low, middle.high, outcome.effect)
        return [*(self.share * value for value in values), outcome.p]

    def remarks(self) -> list[str]:
        """How p was found where it is not exact."""
        return [
            f"{name} by chance: {outcome.tail}"
            for name, outcome in self.outcomes.items()
            if outcome is not None and outcome.tail.error
        ]


def combined(parts: Sequence[Chances]) -> Chances:
    """The means over the groups in which a measure is defined, against the null distributions of such means."""
    outcomes: dict[str, Outcome | None] = {}
    for name in MEASURES:
        defined = [outcome for part in parts if (outcome := part.outcomes[name]) is not None]
        outcomes[name] = together(defined) if defined else None
    return Chances(outcomes, 1.0, parts[0].level)
