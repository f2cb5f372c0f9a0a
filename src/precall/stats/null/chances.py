"""What random selection makes of the measures of a scored list, and of their means over groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from precall.stats.null.significance import Outcome, combined, of_curve


class Chances(NamedTuple):
    """AP and area under ROC of a curve when its cases stand in random order, None where one is
    undefined.

    Parameters
    ----------
    outcomes : by measure; missed cases lower a value and what chance makes of it alike.
    level : of the interval of chance.
    """

    outcomes: Mapping[str, Outcome | None]
    level: float

    @classmethod
    def of(cls, curve: Any, level: float) -> Chances:
        """Equal scores are one block, as in the curve's own AP."""
        return cls({name: of_curve(curve, name, "block") for name in ("AP", "AUC")}, level)

    @classmethod
    def combined(cls, parts: Sequence[Chances]) -> Chances:
        """The means over the groups in which a measure is defined, against the null distributions
        of such means.
        """
        outcomes: dict[str, Outcome | None] = {}
        for name in parts[0].outcomes:
            defined = [outcome for part in parts if (outcome := part.outcomes[name]) is not None]
            outcomes[name] = combined(defined) if defined else None
        return cls(outcomes, parts[0].level)


def by_group(curves: Mapping[str, Any], level: float, grouped: bool) -> dict[str | None, Chances]:
    """Of the curve of each group, and of the means over them, called None, where there are
    groups.
    """
    chances: dict[str | None, Chances] = {
        group: Chances.of(curve, level) for group, curve in curves.items()
    }
    if grouped:
        chances[None] = Chances.combined(list(chances.values()))
    return chances
