"""Measures of a scored list, and their means over groups, compared with random selection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from precall.stats.null.significance import Outcome, combined, is_tested, outcome_of_curve


class Chances(NamedTuple):
    """Outcomes of AP, the area under ROC and further measures of a curve, against cases in random
    order; None if undefined.

    Parameters
    ----------
    outcomes : by measure; missed cases lower a value and its null distribution alike.
    level : level of the interval of the null distribution.
    """

    outcomes: Mapping[str, Outcome | None]
    level: float

    @classmethod
    def of(cls, curve: object, level: float, measures: Iterable[str] = ()) -> Chances:
        """The outcomes of a curve; equal scores are one block, as in the curve's own AP."""
        names = dict.fromkeys(("AP", "AUC", *filter(is_tested, measures)))
        return cls({name: outcome_of_curve(curve, name, "block") for name in names}, level)

    @classmethod
    def combined(cls, parts: Sequence[Chances]) -> Chances:
        """The mean over the groups in which a measure is defined, against the null distribution of
        that mean.
        """
        outcomes: dict[str, Outcome | None] = {}
        for name in parts[0].outcomes:
            defined = [
                outcome for chances in parts if (outcome := chances.outcomes[name]) is not None
            ]
            outcomes[name] = combined(defined) if defined else None
        return cls(outcomes, parts[0].level)


def by_group(
    curves: Mapping[str, object], level: float, grouped: bool, measures: Sequence[str] = ()
) -> dict[str | None, Chances]:
    """Chances of the curve of each group and, if there are groups, of the means over them under
    None.
    """
    chances: dict[str | None, Chances] = {
        group: Chances.of(curve, level, measures) for group, curve in curves.items()
    }
    if grouped:
        chances[None] = Chances.combined(list(chances.values()))
    return chances
