"""The threshold of one list of scores, cross-validated: the list is a table of one category."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from precall.cases.scored_cases import members
from precall.cases.tally import holds_same_cases, oriented_cases
from precall.core.arguments import check_rows
from precall.core.errors import Fact, Mistake, UsageError
from precall.hard_decisions import policies
from precall.hard_decisions.cross_validation import cross_validate
from precall.hard_decisions.membership import BINARY, Membership
from precall.hard_decisions.pivots import Status

if TYPE_CHECKING:
    from precall.cases import Curve
    from precall.core.rng import Rng
    from precall.hard_decisions.cross_validation import CrossValidation
    from precall.measures import Measure

#: Policies that one list of scores can learn.
_OF_ONE_LIST = ("max", "break-even", "proportion")


def cross_validate_curve(
    given: Curve,
    method: str,
    *,
    folds: int,
    measure: str | Measure | None,
    groups: object,
    rng: Rng,
) -> CrossValidation:
    """Learn the threshold of one list of scores; see `Curve.cross_validate`."""
    name, option = policies.parse(method)
    if name not in _OF_ONE_LIST:
        raise UsageError(
            argument="method",
            got=method,
            allowed=("max-f", "max:MEASURE", "break-even", "proportion"),
        )
    if measure is None:
        measure = "F1" if name != "max" or option.lower() == "f" else option
    if given.cases is None or not holds_same_cases(given):
        raise UsageError(
            argument="cross_validate",
            what="the curve does not know its cases, or they have changed since",
            remedy="make it by ⟨pc.curve(labels, scores)⟩, without weights",
        )
    if groups is not None and given.missed:
        raise UsageError(
            argument="groups",
            what="missed cases are in no group",
            remedy="leave ⟨missed=⟩ or the groups out",
        )
    check_rows(relevant=given._rows, groups=groups)
    relevant, score = oriented_cases(given)
    if relevant.all() or not relevant.any():
        raise Mistake(
            "{got} case is relevant",
            "check the labels, or name the positive one",
            got=Fact("every" if relevant.any() else "no"),
        ).error("relevant")
    member = None if groups is None else members(groups, len(relevant), "groups")
    if member is not None:
        member = np.unique(member, return_inverse=True)[1]
    # Missed cases are relevant items without a score.
    scored, items = len(relevant), len(relevant) + int(given.missed)
    keys = np.concatenate([np.flatnonzero(relevant), np.arange(scored, items)])
    truth = Membership(items, (BINARY,), keys, "binary", notes=given.notes)
    place = np.arange(scored) if given.missed else None
    return cross_validate(
        Status(truth, score, place),
        method,
        folds=folds,
        measure=measure,
        groups=member,
        rng=rng,
        higher_is_better=given.higher_is_better,
    )
