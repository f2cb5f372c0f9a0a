"""Sheets of plans, and of what people label next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from precall.core.conventions import describe_conventions
from precall.core.text import many, number
from precall.judges.plans import Facts, JudgePlan
from precall.judges.sampling import JudgeSample
from precall.results.blocks import Block, Cell, Line, Threshold
from precall.results.sheets import Sheet

#: With more designs than these, only the one that takes most is said in words.
_SAID = 3


def plan_sheet(plan: JudgePlan) -> Sheet:
    """The sheet of a plan: a table for each thing that was asked, with a row for each design."""
    designs = {name: dict(facts) for name, facts in plan.designs.items()}
    first = next(iter(designs.values()))
    blocks, told = [], []
    for goal in ("width", "difference"):
        if goal in first:
            blocks.append(_goal_block(designs, goal, plan.unit))
            told.append(_tell_goal(designs, goal, plan))
    if "labels" in first:
        blocks.append(_block_of_labels(designs, plan.unit))
        told.append(_tell_labels(designs, plan))
    blocks.append(_assumed(designs))
    return Sheet(
        "precall.judge-plan/2",
        describe_conventions(of=plan.of, level=f"{plan.level:.12g}", power=f"{plan.power:g}"),
        tuple(blocks),
        plan.notes,
        {"designs": designs, "unit": plan.unit},
        ("design", "quantity", "value"),
        tuple((name, *row) for name, facts in designs.items() for row in facts.items()),
        "\n".join(told),
    )


def _goal_block(designs: Mapping[str, Facts], goal: str, unit: str) -> Block:
    heads = {
        f"labels for the {goal}": f"{unit}s by people",
        f"without the judge for the {goal}": "without the judge",
        f"units for the {goal}": f"{unit}s in all",
    }
    shown = [name for name in heads if any(name in facts for facts in designs.values())]
    title = "" if goal == "width" else "to see the difference"
    lines = tuple(
        Line(design, tuple(facts.get(name) for name in shown)) for design, facts in designs.items()
    )
    return Block(title, ("design", *[heads[name] for name in shown]), lines)


def _block_of_labels(designs: Mapping[str, Facts], unit: str) -> Block:
    names = ("labels", "expected width", "least difference seen")
    shown = [name for name in names if any(name in facts for facts in designs.values())]
    heads = [f"{unit}s by people" if name == "labels" else name for name in shown]
    lines = tuple(
        Line(design, tuple(facts.get(name) for name in shown)) for design, facts in designs.items()
    )
    return Block("", ("design", *heads), lines)


def _assumed(designs: Mapping[str, Facts]) -> Block:
    names = ("deviation", "correlation", "units", "pilot labels")
    shown = [name for name in names if any(name in facts for facts in designs.values())]
    lines = tuple(
        Line(design, tuple(facts.get(name) for name in shown)) for design, facts in designs.items()
    )
    return Block("", ("design", *shown), lines, detail="what the plan is made of")


def _tell_goal(designs: Mapping[str, Facts], goal: str, plan: JudgePlan) -> str:
    """How many labels it takes, in a sentence for each design, or for the one that takes most."""
    if len(designs) <= _SAID:
        return "\n".join(_tell_one(name, facts, goal, plan) for name, facts in designs.items())
    most = max(designs, key=lambda name: _labels_of(designs[name], goal))
    return f"The most of {len(designs)} designs: {_tell_one(most, designs[most], goal, plan)}"


def _labels_of(facts: Facts, goal: str) -> float:
    labels = facts[f"labels for the {goal}"]
    if labels is None:  # no number is enough, and most is what takes most units
        return 1e9 + float(facts[f"units for the {goal}"] or 0)
    return labels


def _tell_one(name: str, facts: Facts, goal: str, plan: JudgePlan) -> str:
    size, unit = f"{facts[goal]:g}", plan.unit
    what = (
        f"an interval of width {size}"
        if goal == "width"
        else f"a difference of {size} with power {plan.power:g}"
    )
    labels, units = facts[f"labels for the {goal}"], facts["units"]
    if labels is None:
        verb = "gives" if goal == "width" else "shows"
        return (
            f"{name}: no number of labels of these {units} {unit}s {verb} {what}; that takes more "
            f"than {facts[f'units for the {goal}']} {unit}s."
        )
    verb = "give" if goal == "width" else "show"
    alone = facts[f"without the judge for the {goal}"]
    return (
        f"{name}: {labels} of {many(int(units or 0), unit)} by people {verb} {what}; without the "
        f"judge {alone} would."
    )


def _tell_labels(designs: Mapping[str, Facts], plan: JudgePlan) -> str:
    lines = []
    for name, facts in list(designs.items())[: None if len(designs) <= _SAID else 1]:
        told = (
            f"{name}: {facts['labels']} of {facts['units']} {plan.unit}s by people give an "
            f"interval of width {number(facts['expected width'])}"
        )
        if "least difference seen" in facts:
            least = number(facts["least difference seen"])
            told += f", and show differences of {least} or more with power {plan.power:g}"
        lines.append(told + ".")
    return "\n".join(lines)


def sample_sheet(sample: JudgeSample) -> Sheet:
    """The sheet of a sample. Its rows as CSV are the file that people fill in."""
    unit = sample.unit
    strata = _strata(sample)
    lines = tuple(
        Line(name, (size, drawn, Threshold(round(probability, 4))))
        for name, (size, drawn, probability) in strata.items()
    )
    columns: tuple[str, ...] = (unit, "stratum", "probability", "grade")
    rows: list[tuple[Cell, ...]] = []
    told = f"{len(sample.drawn)} of {len(sample.probability)} {unit}s to label"
    if sample.items is None:
        rows += [
            (str(name), sample.stratum[name], sample.probability[name], None)
            for name in sample.drawn
        ]
    else:
        columns = (unit, "item", "stratum", "probability", "grade")
        rows += [
            (str(name), item, sample.stratum[name], sample.probability[name], None)
            for name in sample.drawn
            for item in sample.items[name]
        ]
        told += f", {len(rows):,} items"
    body = {
        "drawn": [str(name) for name in sample.drawn],
        "probability": {str(name): chance for name, chance in sample.probability.items()},
        "stratum": {str(name): stratum for name, stratum in sample.stratum.items()},
        "items": None
        if sample.items is None
        else {str(name): list(items) for name, items in sample.items.items()},
        "by": sample.by,
        "unit": unit,
        "measure": sample.measure,
    }
    return Sheet(
        "precall.judge-sample/2",
        dict(sample.conventions) or describe_conventions(),
        (Block("", ("stratum", f"{unit}s", "drawn", "probability"), lines),),
        sample.notes,
        body,
        columns,
        tuple(rows),
        told + ".",
    )


def _strata(sample: JudgeSample) -> dict[str, tuple[int, int, float]]:
    """By stratum: its units, those that were drawn, and their probability."""
    names = list(dict.fromkeys(sample.stratum.values()))
    place = {name: index for index, name in enumerate(names)}
    sizes = _count([place[name] for name in sample.stratum.values()], len(names))
    drawn = _count([place[sample.stratum[name]] for name in sample.drawn], len(names))
    chance = {sample.stratum[name]: p for name, p in sample.probability.items()}
    return {
        name: (sizes[index], drawn[index], chance[name])
        for index, name in sorted(enumerate(names), key=lambda pair: pair[1])
    }


def _count(codes: Sequence[int], size: int) -> list[int]:
    counts: list[int] = np.bincount(codes, minlength=size).tolist()
    return counts
