"""Tests of a margin for the systems, or cohorts, of a table."""

from __future__ import annotations

from typing import Any

from precall.comparison.api import compare
from precall.core.errors import Fact, UsageError
from precall.core.notes import run_and_warn
from precall.core.text import many
from precall.hard_decisions.table_io import (
    check_columns,
    name_sides,
    read_cohorts,
    read_labels,
    read_scores,
)
from precall.measures import Measure
from precall.stats.tests.equivalence import Equivalence


def scores_within(
    path: str,
    truth: str,
    systems: tuple[str, ...],
    measure: str | Measure | None = None,
    *,
    cohorts: str | None = None,
    positive: str | None = None,
    groups: str | None = None,
    higher_is_better: bool = True,
    format: str | None = None,
    **choices: Any,
) -> Equivalence:
    """The test of a margin for two columns of scores, or for one in two cohorts.

    Parameters
    ----------
    path, truth, positive, groups, higher_is_better, format : see `compare_cases` of `table_io`.
    systems : the columns of the scores.
    measure : "AUC", the default.
    cohorts : the column of the cohorts.
    choices : `margin`, `kind`, `test` and `level`, see `precall.compare.equivalence`.
    """
    if cohorts is not None:
        found = read_cohorts(
            path, truth, systems[0], cohorts, positive, groups, higher_is_better, format
        )
        names = _two(tuple(found.curves), "cohort")
        return compare.equivalence(
            *(found.curves[name] for name in names),
            measure=measure or "AUC",
            names=names,
            groups=found.groups_of(names),
            paired=False,
            **choices,
        )
    a, b = _two(systems, "system")
    check_columns(truth, (a, b), "label", "score")
    wanted: list[tuple[str, str | None]] = [
        ("truth=¦--label", truth),
        *name_sides((a, b), "score"),
        ("groups=", groups),
        ("weight=", None),
        ("cohorts=", None),
    ]
    (scores, read), _ = run_and_warn(lambda: read_scores(path, wanted, positive, format))
    return compare.equivalence(
        read["relevant"],
        scores[a],
        scores[b],
        measure=measure or "AUC",
        names=(a, b),
        groups=read["groups"],
        higher_is_better=higher_is_better,
        **choices,
    )


def decisions_within(
    path: str,
    truth: str,
    systems: tuple[str, ...],
    measure: str | Measure | None = None,
    *,
    positive: str | None = None,
    groups: str | None = None,
    format: str | None = None,
    **choices: Any,
) -> Equivalence:
    """The test of a margin for two columns of decisions; see `scores_within`."""
    a, b = _two(systems, "system")
    check_columns(truth, (a, b), "truth", "decision")
    wanted = [("truth=", truth), *name_sides((a, b), "decision")]
    (gold, first, second), member, _ = read_labels(
        path, wanted, None, positive, None, format, groups
    )
    if measure is None:
        raise UsageError(
            argument="measure",
            what="of decisions none is the usual one",
            remedy="name R, specificity or accuracy",
        )
    return compare.equivalence(
        gold, first, second, measure=measure, names=(a, b), groups=member, **choices
    )


def _two(names: tuple[str, ...], noun: str) -> tuple[str, str]:
    """Two names; a margin is tested for one pair."""
    if len(names) != 2:
        raise UsageError(
            argument="margin",
            what=f"is tested between two {noun}s",
            got=Fact(many(len(names), noun)),
            remedy="test each pair by itself",
        )
    return names[0], names[1]
