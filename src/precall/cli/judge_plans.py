"""`precall judge --next` and `--width`: what people label next, and how much they must label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from precall.core.conventions import Conventions
from precall.core.errors import UsageError
from precall.results.sheets import Sheet

#: Options of a plan and of a sample, and those that neither reads.
PLANNED = ("width", "difference", "labels")
SAMPLED = ("by", "seed")
_OF_JUDGED = ("of", "unjudged", "items", "probability", "groups", "level")


def refuse_others(is_sample: bool, is_plan: bool, is_of_cases: bool = False) -> None:
    """Refuse typed options that what is asked does not read.

    Parameters
    ----------
    is_sample : whether --next is given.
    is_plan : whether one of `PLANNED` is.
    is_of_cases : whether cases are measured, for which --seed is also of draws.
    """
    context = click.get_current_context()
    names = {str(option.name): option.opts[-1] for option in context.command.params}
    typed = [
        name
        for name in names
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    ]
    for name in typed:
        if is_sample and name in (*_OF_JUDGED, *PLANNED, "power", "plot"):
            raise UsageError(
                argument=names[name],
                what="does not change what people label next",
                remedy="leave it out, or leave out --next",
            )
        if is_plan and name == "plot":
            raise UsageError(
                argument="--plot",
                what="draws what was measured, and a plan is asked for",
                remedy="leave one of them out",
            )
        if not is_sample and not is_of_cases and name in SAMPLED:
            raise UsageError(
                argument=names[name],
                what="is for what people label next",
                remedy="also give --next N, or leave it out",
            )
        if not is_plan and name == "power":
            raise UsageError(
                argument="--power",
                what="is for a plan",
                remedy="also give --difference or --labels, or leave it out",
            )


def sample_sheet(
    inputs: Sequence[str],
    measures: Sequence[str],
    conventions: Conventions,
    strata: Mapping[str, Any],
    typed: Mapping[str, Any],
) -> Sheet:
    """The sheet of what people label next.

    Parameters
    ----------
    inputs : the judge's labels, and the runs.
    measures : names, one at most.
    conventions : those of `evaluate`.
    strata : the argument of strata, if it is given.
    typed : the other options.
    """
    from precall.judges.sampling import sample

    if len(measures) != 1:
        raise UsageError(
            argument="--measure",
            what="one measure says how deep people must label",
            remedy="name the one that looks deepest",
        )
    return sample(
        inputs[0],
        list(inputs[1:]),
        measures[0],
        n=typed["next_"],
        by=typed["by"] or "alike",
        rng=typed["seed"] or 0,
        threads=typed["threads"],
        **strata,
        **conventions.keywords(),
    ).sheet()


def plan_sheet(pilot: Any, typed: Mapping[str, Any]) -> Sheet:
    """The sheet of the plan of which the measured runs are the pilot.

    Parameters
    ----------
    pilot : what was measured.
    typed : the options.
    """
    asked = {name: typed[name] for name in (*PLANNED, "power") if typed[name] is not None}
    sheet: Sheet = pilot.plan(**asked).sheet()
    return sheet
