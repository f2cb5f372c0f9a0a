"""Coverage of intervals of AP and area under ROC whose labels are partly a judge's.

`python -m tests.coverage.judged_cases` writes tests/coverage/records/judged_cases.json and its
table in docs/why/judge.md. Cases are those of `judged_decisions`, and a system is its score.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from precall.judges.cases import learn_cases
from precall.judges.learning import Question
from precall.measures.registry import find
from precall.stats.double_sampling import Choice
from tests.coverage.judged_decisions import Floats, Tally, draw_cases, table
from tests.coverage.judges import write_table

RECORD = Path(__file__).with_name("records") / "judged_cases.json"
MARK = "coverage of scored cases"
DRAWS, MANY = 1000, 1_000_000


class Situation(NamedTuple):
    """Cases, of which people label some; the judge misses and takes with these chances."""

    name: str
    measure: str
    cases: int
    by_people: int
    relevant: float = 0.3
    misses: float = 0.15
    takes: float = 0.1
    quality: float = 1.5
    by_score: float = 0.0
    chosen: str = "alike"
    of: str = "population"
    scored: bool = False
    difference: bool = False


SITUATIONS = (
    Situation("30 % relevant", "AP", 2000, 200),
    Situation("30 % relevant", "AUC", 2000, 100),
    Situation("30 % relevant, these cases", "AP", 2000, 200, of="these"),
    Situation("30 % relevant, these cases", "AUC", 2000, 400, of="these"),
    Situation("few labels", "AP", 1000, 80),
    Situation("few labels", "AUC", 600, 60),
    Situation("takes too much", "AP", 2000, 200, misses=0.02, takes=0.35),
    Situation("errors depend on the score", "AP", 2000, 200, by_score=1.5),
    Situation("errors depend on the score", "AUC", 2000, 200, by_score=1.5),
    Situation("tells nothing", "AP", 2000, 200, misses=0.5, takes=0.5),
    Situation("always wrong", "AUC", 2000, 200, misses=0.95, takes=0.95),
    Situation("nearly always right", "AP", 1500, 150, misses=0.01, takes=0.01),
    Situation("good system", "AUC", 1500, 150, quality=3.5),
    Situation("good system", "AP", 1500, 150, quality=3.5),
    Situation("gives probabilities", "AP", 2000, 200, scored=True),
    Situation("5 % relevant", "AP", 4000, 500, 0.05),
    Situation("10 % relevant", "AUC", 3000, 300, 0.1),
    Situation("first tenth of false positives", "AUC(max_fpr=0.1)", 2000, 300),
    Situation("20 and 80 of two strata", "AP", 2000, 200, chosen="strata"),
    Situation("chosen by the score", "AP", 2000, 200, 0.1, chosen="weights"),
    Situation("chosen by the score", "AUC", 2000, 200, chosen="weights"),
    Situation("40 of 200 groups of ten", "AP", 2000, 400, chosen="groups"),
    Situation("25 of 100 groups of ten", "AUC", 1000, 250, chosen="groups"),
    Situation("judge favours one of two", "AP", 2000, 200, by_score=1.5, difference=True),
    Situation("judge favours one of two", "AUC", 2000, 300, by_score=1.5, difference=True),
)


def _choice(rng: np.random.Generator, of: Situation, score: Floats, group: Floats) -> Choice:
    size = len(score)
    if of.chosen == "weights":
        wanted = 0.2 + 1 / (1 + np.exp(-score))
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
    seen[rng.choice(size, of.by_people, replace=False)] = True
    return Choice.of(seen)


def value(labels: Floats, score: Floats, measure: str) -> float:
    """The measure from its definition, without ties."""
    ordered = labels[np.argsort(-score, kind="stable")]
    tp, rank = np.cumsum(ordered), np.arange(1, len(ordered) + 1)
    relevant, others = tp[-1], len(labels) - tp[-1]
    if measure == "AP":
        return float((ordered * tp / rank).sum() / relevant)
    most = 0.1 if "max_fpr" in measure else 1.0
    below = np.maximum(most * others - (rank - tp), 0.0)
    return float((ordered * below).sum() / relevant / others)


def simulate(of: Situation, draws: int = DRAWS) -> dict[str, Any]:
    """Shares of intervals that hold the truth, with their widths."""
    rng = np.random.default_rng(zlib.crc32(repr(of).encode()))
    measure = find(of.measure)

    def truth_of(labels: Floats, score: Floats, other: Floats) -> float:
        first = value(labels, score, of.measure)
        return first - value(labels, other, of.measure) if of.difference else first

    people, judge, score, other, _ = draw_cases(np.random.default_rng(2), of, MANY)
    overall, by_judge = truth_of(people, score, other), truth_of(judge, score, other)
    tally = Tally()
    for _ in range(draws):
        people, judge, score, other, group = draw_cases(rng, of, of.cases)
        systems = {"a": score, "b": other} if of.difference else {"a": score}
        choice = _choice(rng, of, score, group)
        asked = Question(choice, of.of, 0.95, "case")
        values, pairs = learn_cases(people[choice.seen], judge, systems, [measure], asked)
        these = of.of == "these"
        truth = truth_of(people, score, other) if these else overall
        (found,) = pairs if of.difference else [values["a", measure.name]]
        tally.add(found, truth, found.judge_alone if these else by_judge)
    return {**of._asdict(), **tally.shares(draws)}


def main() -> None:
    write_table(RECORD, MARK, [simulate(situation) for situation in SITUATIONS], table)


if __name__ == "__main__":
    main()
