"""Coverage of intervals of measures of counts whose labels are partly a judge's.

`python -m tests.coverage.judged_decisions` writes tests/coverage/records/judged_decisions.json and
its table in docs/why/judge.md. Each case has a score, the more the likelier it is relevant; a
system accepts the highest; the judge errs as the situation says.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from precall.core.counts import Counts
from precall.judges.decisions import learn_decisions
from precall.judges.learning import Question
from precall.judges.results import JudgedPair, JudgedValue
from precall.measures.registry import of_counts
from precall.stats.double_sampling import Choice
from tests.coverage.judges import write_table

RECORD = Path(__file__).with_name("records") / "judged_decisions.json"
MARK = "coverage of decisions"
DRAWS, MANY, RESAMPLES = 1000, 2_000_000, 1500
Floats = Any


class Situation(NamedTuple):
    """Cases, of which people label some; the judge misses and takes with these chances."""

    name: str
    measure: str
    cases: int
    by_people: int
    relevant: float = 0.3
    """Share of relevant cases."""
    misses: float = 0.15
    takes: float = 0.1
    quality: float = 2.0
    """How far scores of relevant cases lie above those of others."""
    by_score: float = 0.0
    """How much the judge's errors depend on the score."""
    accepts: float = 0.3
    """Share of cases that the system accepts."""
    chosen: str = "alike"
    of: str = "population"
    scored: bool = False
    """Whether the judge gives a probability."""
    difference: bool = False


SITUATIONS = (
    Situation("30 % relevant", "F", 2000, 200),
    Situation("30 % relevant, these cases", "F", 2000, 200, of="these"),
    Situation("few labels", "P", 1000, 50),
    Situation("few labels", "R", 1000, 50),
    Situation("very few labels", "Accuracy", 300, 20),
    Situation("takes too much", "MCC", 2000, 100, misses=0.02, takes=0.35),
    Situation("errors depend on the score", "Specificity", 2000, 500, by_score=1.5),
    Situation("errors depend on the score", "F", 2000, 150, by_score=1.5),
    Situation("tells nothing", "F", 2000, 200, misses=0.5, takes=0.5),
    Situation("always wrong", "F", 2000, 200, misses=0.95, takes=0.95),
    Situation("nearly always right", "F", 1500, 100, misses=0.01, takes=0.01),
    Situation("nearly always right", "P", 1500, 60, misses=0.01, takes=0.01),
    Situation("good system", "Accuracy", 1000, 100, quality=5, misses=0.05, takes=0.05),
    Situation("good system", "MCC", 1000, 150, quality=4),
    Situation("gives probabilities", "F", 2000, 200, scored=True),
    Situation("3 % relevant", "R", 5000, 200, 0.03, accepts=0.04),
    Situation("3 % relevant", "F", 5000, 500, 0.03, accepts=0.04),
    Situation("3 % relevant, 50 of each cell", "R", 5000, 200, 0.03, accepts=0.04, chosen="cells"),
    Situation("20 and 80 of two strata", "F", 2000, 100, chosen="strata"),
    Situation("chosen by the score", "F", 2000, 200, chosen="weights"),
    Situation("chosen by the score", "R", 3000, 300, 0.1, accepts=0.1, chosen="weights"),
    Situation("chosen by the score, these cases", "P", 2000, 200, chosen="weights", of="these"),
    Situation("40 of 200 groups of ten", "F", 2000, 400, chosen="groups"),
    Situation("15 of 100 groups of ten", "Accuracy", 1000, 150, chosen="groups"),
    Situation("judge favours one of two", "F", 2000, 200, by_score=1.5, difference=True),
    Situation("judge favours one of two", "Accuracy", 1000, 100, by_score=1.5, difference=True),
    Situation("most of these cases", "R", 400, 300, of="these"),
)


def draw_cases(rng: np.random.Generator, of: Any, size: int) -> tuple[Floats, ...]:
    """People's labels, the judge's, decisions of two systems, the score and the group."""
    group = np.arange(size) // 10
    alike = of.chosen == "groups"
    level = rng.normal(0, 1.2 * alike, group[-1] + 1)[group]
    chance = 1 / (1 + np.exp(-(np.log(of.relevant / (1 - of.relevant)) + level)))
    people = (rng.random(size) < chance).astype(float)
    score = of.quality * people + rng.normal(0, 1, size) + 0.3 * level
    other = of.quality * people + rng.normal(0, 1, size)
    shift = of.by_score * (score - of.quality / 2)
    misses, takes = (
        1 / (1 + np.exp(-(np.log(share / (1 - share)) + sign * shift)))
        for share, sign in ((of.misses, -1), (of.takes, 1))
    )
    says = np.where(rng.random(size) < np.where(people == 1, misses, takes), 1 - people, people)
    if of.scored:
        noise = says * 1.5 - 0.75 + rng.normal(0, 1, size)
        says = np.round(1 / (1 + np.exp(-noise)), 2)
    return people, says, score, other, group


def _cuts(of: Situation) -> tuple[float, float]:
    _, _, score, other, _ = draw_cases(np.random.default_rng(1), of, MANY // 4)
    return tuple(float(np.quantile(each, 1 - of.accepts)) for each in (score, other))  # type: ignore[return-value]


def _choice(
    rng: np.random.Generator,
    of: Situation,
    judge: Floats,
    accepted: Floats,
    score: Floats,
    group: Floats,
) -> Choice:
    size = len(judge)
    if of.chosen == "weights":
        wanted = 0.3 + 1 / (1 + np.exp(-score))
        chance = np.minimum(of.by_people * wanted / wanted.sum(), 1)
        seen = rng.random(size) < chance
        return Choice.of(seen, chance=chance[seen])
    if of.chosen == "groups":
        drawn = rng.choice(group[-1] + 1, of.by_people // 10, replace=False)
        return Choice.of(np.isin(group, drawn), group=group)
    seen = np.zeros(size, np.bool_)
    if of.chosen == "strata":
        stratum = (score > np.median(score)).astype(np.int64)
        for each, count in ((0, of.by_people // 5), (1, of.by_people - of.by_people // 5)):
            seen[rng.choice(np.flatnonzero(stratum == each), count, replace=False)] = True
        return Choice.of(seen, stratum=stratum)
    if of.chosen == "cells":
        for each in range(4):
            where = np.flatnonzero(judge * 2 + accepted == each)
            seen[rng.choice(where, min(of.by_people // 4, len(where)), replace=False)] = True
        return Choice.of(seen)
    seen[rng.choice(size, of.by_people, replace=False)] = True
    return Choice.of(seen)


def _value(measure: Any, people: Floats, accepted: Floats) -> float:
    cells = (
        float(np.sum(which))
        for which in (
            (people == 1) & accepted,
            (people == 0) & accepted,
            (people == 1) & ~accepted,
            (people == 0) & ~accepted,
        )
    )
    return float(measure.of_table(Counts(*(np.array([cell]) for cell in cells)))[0])


class Tally:
    """How often intervals hold what is true, and how wide they are."""

    def __init__(self) -> None:
        self.held = {"corrected": 0, "people": 0, "bias": 0}
        self.missed = {"above": 0, "below": 0}
        self.width = {"corrected": 0.0, "people": 0.0}
        self.noted = 0

    def add(self, found: JudgedValue | JudgedPair, truth: float, of_judge: float) -> None:
        """Add an interval; the judge alone would have said `of_judge`."""
        bias = found.favour if isinstance(found, JudgedPair) else found.bias
        alone = found.people_alone
        assert alone is not None
        is_held = found.low <= truth <= found.high
        self.missed["above"] += found.low > truth
        self.missed["below"] += found.high < truth
        self.held["corrected"] += is_held
        self.held["people"] += alone.low <= truth <= alone.high
        self.held["bias"] += bias is not None and bool(bias.low <= of_judge - truth <= bias.high)
        self.width["corrected"] += found.high - found.low
        self.width["people"] += alone.high - alone.low
        self.noted += bool(found.notes) and not is_held

    def shares(self, draws: int) -> dict[str, Any]:
        """The shares and mean widths."""
        shares = {name: count / draws for name, count in self.held.items()}
        return {
            "draws": draws,
            "held": shares,
            "above": self.missed["above"] / draws,
            "below": self.missed["below"] / draws,
            "width": {name: total / draws for name, total in self.width.items()},
            "missed without a note": 1 - shares["corrected"] - self.noted / draws,
        }


def simulate(of: Situation, draws: int = DRAWS) -> dict[str, Any]:
    """Shares of intervals that hold the truth, with their widths."""
    rng = np.random.default_rng(zlib.crc32(repr(of).encode()))
    measure, cuts = of_counts(of.measure), _cuts(of)

    def truth_of(labels: Floats, score: Floats, other: Floats) -> float:
        first = _value(measure, labels, score >= cuts[0])
        return first - _value(measure, labels, other >= cuts[1]) if of.difference else first

    people, judge, score, other, _ = draw_cases(np.random.default_rng(2), of, MANY)
    overall, by_judge = truth_of(people, score, other), truth_of((judge >= 0.5) * 1.0, score, other)
    tally = Tally()
    for _ in range(draws):
        people, judge, score, other, group = draw_cases(rng, of, of.cases)
        accepted = np.array([score >= cuts[0], other >= cuts[1]][: 1 + of.difference])
        choice = _choice(rng, of, judge, accepted[0], score, group)
        asked = Question(choice, of.of, 0.95, "case")
        values, pairs = learn_decisions(
            people[choice.seen],
            judge,
            dict(zip("ab", accepted, strict=False)),
            [measure],
            asked,
            int(rng.integers(2**31)),
            RESAMPLES,
        )
        these = truth_of(people, score, other)
        truth = these if of.of == "these" else overall
        of_judge = truth_of((judge >= 0.5) * 1.0, score, other) if of.of == "these" else by_judge
        (found,) = pairs if of.difference else [values["a", measure.name]]
        tally.add(found, truth, of_judge)
    return {**of._asdict(), **tally.shares(draws), "judge alone": by_judge - overall}


def table(cells: list[dict[str, Any]]) -> list[str]:
    """The record as a table of the page."""
    lines = [
        "| situation | measure | cases | by people | covers | width | people alone | width "
        "| its bias |",
        "|:--|:--|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for cell in cells:
        held, width = cell["held"], cell["width"]
        bias = "" if cell["scored"] else f"{held['bias']:.1%}"
        lines.append(
            f"| {cell['name']} | {cell['measure']} | {cell['cases']} | {cell['by_people']} "
            f"| {held['corrected']:.1%} | {width['corrected']:.3f} | {held['people']:.1%} "
            f"| {width['people']:.3f} | {bias} |"
        )
    return lines


def main() -> None:
    write_table(RECORD, MARK, [simulate(situation) for situation in SITUATIONS], table)


if __name__ == "__main__":
    main()
