"""The plan of a comparison: computes the one of power, topics, items and difference that was not
given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from precall.core.arguments import HUGE, check_level, check_positive, check_share
from precall.core.errors import Fact, UsageError
from precall.core.notes import Note
from precall.core.ragged import Float64
from precall.core.rng import Rng, seed_of
from precall.results.equality import Equal
from precall.results.sheets import Presented
from precall.stats.tests import power as designs
from precall.stats.tests.paired import deviation as deviation_of
from precall.stats.tests.screens import measure_of_screen

Facts: TypeAlias = dict[str, float | int]
Goal: TypeAlias = Mapping[str, float]
#: Options of each design besides power, level and rng; others would have no effect and are refused.
_TAKES = {
    "runs": ("measures", "difference", "topics", "width"),
    "decisions": ("only_a", "only_b", "items", "margin", "prevalence"),
    "proportion": ("proportion", "width", "lowest", "prevalence", "cases"),
    "area": ("area", "than", "lowest", "correlation", "margin", "ratio", "prevalence", "cases"),
    "screen": ("screen", "read", "items", "prevalence", "separation", "area", "odds"),
    "systems": ("systems", "variance", "difference", "topics"),
    "topics": ("deviation", "difference", "topics", "width"),
}
_WHY = {
    "runs": "the runs say what the deviation is",
    "decisions": "⟨only_a=⟩ and ⟨only_b=⟩ plan a comparison of decisions",
    "proportion": "⟨proportion=⟩ plans a study of a share, such as a sensitivity",
    "area": "⟨area=⟩ plans a study of areas under ROC",
    "screen": "⟨screen=⟩ plans a list of which a share is read",
    "systems": "⟨systems=⟩ and ⟨variance=⟩ plan an analysis of variance",
    "topics": "the design is that of the paired t test",
}


@dataclass(frozen=True, slots=True, eq=False)
class Plan(Equal, Presented):
    """What a comparison needs, or what it can show.

    Parameters
    ----------
    designs : by the test, or by the measure of runs: the quantities that were given, and those that
        follow from them, by name.
    power : the probability of detecting a difference.
    level : 1 minus the significance level.
    seed : seed of the simulation, which as `rng=` gives the same digits again; None if nothing was
        simulated.
    notes : what was noticed about the data of the pilot.
    """

    designs: Mapping[str, Facts]
    power: float
    level: float
    seed: int | None = None
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        return f"<Plan: {', '.join(self.designs)}, power {self.power:g}, level {self.level:.12g}>"


def plan(
    pilots: Mapping[str, Float64] | None = None,
    *,
    power: float = 0.8,
    level: float = 0.95,
    rng: Rng = 0,
    **all_options: Any,
) -> Plan:
    """Plan a comparison; see `precall.compare.plan`, which reads pilots (differences per topic, by
    measure) from runs.
    """
    options = {name: value for name, value in all_options.items() if value is not None}
    design = _design(pilots, options)
    if unused := [f"⟨{name}=⟩" for name in options if name not in _TAKES[design]]:
        raise UsageError(_WHY[design], remedy=f"leave {' and '.join(unused)} out")
    seed = seed_of(rng)
    level = check_level(level)
    designs.check_power(power)
    goal = {"power": power, "level": level}
    if design == "screen":
        screen = measure_of_screen("screen", options.pop("screen"))
        facts = _plan_screen(goal, seed, screen, **options)
        return Plan({"screen": facts}, power, level, seed if screen == "AP" else None)
    if pilots is None:
        title, facts_of = _DESIGNS[design]
        if design == "decisions" and "margin" in options:
            title = "Tango's test"
        return Plan({title: facts_of(goal, **options)}, power, level)
    options.pop("measures", None)
    designs_of_pilots = {
        name: _plan_from_pilot(name, pilot, goal, seed, **options) for name, pilot in pilots.items()
    }
    return Plan(designs_of_pilots, power, level, seed if "difference" in options else None)


def _design(pilots: Mapping[str, Float64] | None, options: Mapping[str, object]) -> str:
    """The design that the given options call for."""
    if pilots is not None:
        return "runs"
    for design in ("screen", "proportion", "area"):
        if design in options:
            return design
    if options.keys() & {"only_a", "only_b", "items"}:
        return "decisions"
    return "systems" if options.keys() & {"systems", "variance"} else "topics"


def _plan_topics(
    goal: Goal,
    deviation: float | None = None,
    difference: float | None = None,
    topics: int | None = None,
    width: float | None = None,
) -> Facts:
    if deviation is None:
        raise UsageError(
            "give ⟨deviation=⟩, or QRELS and two runs to take it from; ⟨systems=⟩ with "
            "⟨variance=⟩; or ⟨only_a=⟩ and ⟨only_b=⟩"
        )
    check_positive(HUGE, deviation=deviation)
    facts: Facts = {"deviation": deviation}
    if width is not None:
        facts["width"] = width
        facts["topics for the width"] = designs.topics_for_interval(
            width, deviation**2, goal["level"]
        )
    if difference is not None:
        facts["difference"] = difference
        facts["topics needed"] = designs.topics(difference, deviation, **goal)
    if topics is not None:
        facts["topics"] = topics
        facts["least difference detected"] = designs.detectable(topics, deviation, **goal)
        if difference is not None:
            facts["power"] = designs.of_t(topics, difference, deviation, goal["level"])
    if len(facts) == 1:
        raise UsageError("give a target: ⟨difference=⟩, ⟨topics=⟩ or ⟨width=⟩")
    return facts


def _plan_from_pilot(
    measure: str,
    pilot: Float64,
    goal: Goal,
    seed: int | None,
    topics: int | None = None,
    **options: Any,
) -> Facts:
    spread = deviation_of(pilot)
    if len(pilot) < 2:
        raise UsageError(
            argument=measure,
            what="the runs share one topic",
            remedy="a deviation needs at least two",
        )
    if not spread > 0:
        problem = "the runs differ alike in every topic, so there is no deviation to plan with"
        raise UsageError(argument=measure, what=problem)
    size = topics or len(pilot)
    facts: Facts = {"pilot topics": len(pilot), "pilot difference": float(pilot.mean())}
    facts |= _plan_topics(goal, spread, topics=size, **options)
    if "difference" in options:
        chance, error = designs.of_randomization(
            pilot, options["difference"], size, goal["level"], rng=seed
        )
        facts |= {"power of randomization": chance, "its standard error": error}
    return facts


def _plan_systems(
    goal: Goal,
    systems: int | None = None,
    variance: float | None = None,
    difference: float | None = None,
    topics: int | None = None,
) -> Facts:
    if systems is None or variance is None or difference is None:
        raise UsageError(
            "⟨systems=⟩ needs ⟨variance=⟩ (within systems) and ⟨difference=⟩ (of best and worst)"
        )
    facts: Facts = {"systems": systems, "difference": difference, "variance": variance}
    facts["topics needed"] = designs.topics_for_anova(systems, difference, variance, **goal)
    if topics is not None:
        facts["topics"] = topics
        facts["power"] = designs.of_anova(topics, systems, difference, variance, goal["level"])
    return facts


def _plan_decisions(
    goal: Goal,
    only_a: float | None = None,
    only_b: float | None = None,
    items: int | None = None,
    margin: float | None = None,
    prevalence: float | None = None,
) -> Facts:
    if only_a is None or only_b is None:
        raise UsageError("⟨only_a=⟩ and ⟨only_b=⟩ belong together", remedy="give both")
    only_a, only_b = check_share("only_a", only_a), check_share("only_b", only_b)
    facts: Facts = {"only a right": only_a, "only b right": only_b}
    if margin is not None:
        facts["margin"] = margin
        facts["items needed"] = designs.items_for_margin(only_a, only_b, margin, **goal)
    elif only_a != only_b or items is None:
        facts["items needed"] = designs.items(only_a, only_b, **goal)
        facts["by Connor's formula"] = designs.items_by_connor(only_a, only_b, **goal)
    if prevalence is not None and "items needed" in facts:
        facts |= _patients(int(facts["items needed"]), prevalence)
    if items is not None:
        level, shares = goal["level"], (only_a, only_b)
        chance = (
            designs.of_mcnemar(items, *shares, level)
            if margin is None
            else designs.of_margin(items, *shares, margin, level)
        )
        facts |= {"items": items, "power": chance}
    return facts


def _patients(cases: int, prevalence: float) -> Facts:
    """How many patients have so many relevant cases among them, on average."""
    share = check_share("prevalence", prevalence, nonzero=True)
    # 1e-9, because .3 / .1 is more than 3.
    return {"prevalence": share, "patients needed": math.ceil(cases / share - 1e-9)}


def _plan_proportion(
    goal: Goal,
    proportion: float,
    width: float | None = None,
    lowest: float | None = None,
    prevalence: float | None = None,
    cases: int | None = None,
) -> Facts:
    if width is None and lowest is None:
        raise UsageError(
            argument="proportion",
            what="needs a target",
            remedy="give ⟨width=⟩ of the interval, or ⟨lowest=⟩, which it must exceed",
        )
    facts: Facts = {"proportion": proportion}
    if width is not None:
        facts["width"] = width
        facts["cases for the width"] = designs.cases_for_proportion(
            proportion, width=width, level=goal["level"]
        )
        if prevalence is not None and lowest is None:
            facts |= _patients(int(facts["cases for the width"]), prevalence)
    if lowest is not None:
        facts["lowest"] = lowest
        facts["cases needed"] = designs.cases_for_proportion(proportion, lowest=lowest, **goal)
        if prevalence is not None:
            facts |= _patients(int(facts["cases needed"]), prevalence)
    if cases is not None:
        if lowest is None:
            raise UsageError(argument="cases", what="needs ⟨lowest=⟩", remedy="give both")
        chance = designs.of_proportion(cases, proportion, lowest, goal["level"])
        facts |= {"cases": cases, "power": chance}
    return facts


def _plan_areas(
    goal: Goal,
    area: float,
    than: float | None = None,
    lowest: float | None = None,
    correlation: float | None = None,
    margin: float | None = None,
    ratio: float | None = None,
    prevalence: float | None = None,
    cases: int | None = None,
) -> Facts:
    if prevalence is not None:
        if ratio is not None:
            raise UsageError(
                argument="ratio", what="⟨prevalence=⟩ says the same", remedy="leave one of them out"
            )
        share = check_level(prevalence, "prevalence", 0.1)
        ratio = (1 - share) / share
    ratio = 1.0 if ratio is None else ratio
    facts: Facts = {"area": area}
    if than is None:
        for name, value in (("correlation", correlation), ("margin", margin)):
            if value is not None:
                raise UsageError(
                    argument=name,
                    what="is of two areas",
                    got=Fact(f"{value:g}"),
                    remedy="give the other area as ⟨than=⟩",
                )
        lowest = 0.5 if lowest is None else lowest
        facts["lowest"] = lowest
        relevant, other = designs.cases_for_area(
            area, lowest, ratio=ratio, power=goal["power"], level=goal["level"]
        )
    else:
        if lowest is not None:
            raise UsageError(
                argument="lowest", what="is of one area", remedy="leave it or ⟨than=⟩ out"
            )
        pair = {
            "correlation": 0.5 if correlation is None else correlation,
            "margin": margin or 0.0,
        }
        facts |= {"than": than, "correlation": pair["correlation"]}
        facts |= {"margin": pair["margin"]} if pair["margin"] else {}
        relevant, other = designs.cases_for_areas(area, than, ratio=ratio, **pair, **goal)
    facts |= {"relevant cases needed": relevant, "other cases needed": other}
    if lowest is not None:
        rated, _ = designs.cases_for_area(
            area,
            lowest,
            ratio=ratio,
            law="obuchowski",
            power=goal["power"],
            level=goal["level"],
        )
        facts["pROC's relevant cases, for ratings"] = rated
    if cases is not None:
        others, level = math.ceil(ratio * cases - 1e-9), goal["level"]
        if than is not None:
            chance = designs.of_areas(cases, others, area, than, **pair, level=level)
        else:
            chance = designs.of_area(cases, others, area, facts["lowest"], level)
        facts |= {"cases": cases, "power": chance}
    return facts


def _plan_screen(
    goal: Goal,
    seed: int | None,
    screen: str,
    read: float | None = None,
    items: int | None = None,
    prevalence: float | None = None,
    **effect: Any,
) -> Facts:
    if prevalence is None:
        raise UsageError(
            argument="prevalence",
            what="none given; a screen needs it",
            remedy="give the share of its items that is relevant",
        )
    if screen == "AP" and read is not None:
        raise UsageError(argument="read", what="AP reads the whole list", remedy="leave it out")
    share = 0.1 if read is None else check_share("read", read, nonzero=True)
    facts: Facts = {
        "prevalence": prevalence,
        **({} if screen == "AP" else {"read": share}),
        **effect,
    }
    if items is None:
        needed, relevant = designs.screen(
            prevalence,
            share,
            screen,
            **effect,
            power=goal["power"],
            level=goal["level"],
            rng=seed,
        )
        return facts | {"items needed": needed, "relevant items": relevant}
    relevant = max(1, round(prevalence * items))
    chance = designs.of_screen(
        items, relevant, share, screen, **effect, level=goal["level"], rng=seed
    )
    return facts | {"items": items, "relevant items": relevant, "power": chance}


_DESIGNS: dict[str, tuple[str, Callable[..., Facts]]] = {
    "decisions": ("McNemar's test", _plan_decisions),
    "proportion": ("Wilson's interval", _plan_proportion),
    "area": ("area under ROC", _plan_areas),
    "systems": ("analysis of variance", _plan_systems),
    "topics": ("paired t test", _plan_topics),
}
