"""Planned numbers of labels, and samples with their probabilities, against simulation.

`python -m tests.coverage.judge_plans` writes tests/coverage/records/judge_plans.json and two tables
in docs/why/judge.md: widths and powers that were planned beside those of simulated samples, and
the coverage of intervals whose topics were drawn as `judge.sample` draws them.
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from precall.judges.learning import Question, learn_pair, learn_value
from precall.stats.double_planning import Design
from precall.stats.double_sampling import Choice
from precall.stats.stratified_choice import allocate, draw, strata_by, weights_of
from tests.coverage import judges

ROOT = Path(__file__).resolve().parents[2]
RECORD = Path(__file__).with_name("records") / "judge_plans.json"
PAGE = ROOT / "docs" / "why" / "judge.md"
MARKS = {
    "plans": ("<!-- plans -->", "<!-- end of plans -->"),
    "samples": ("<!-- samples -->", "<!-- end of samples -->"),
}
DRAWS, MANY = 2000, 60_000
Floats = Any


class Planned(NamedTuple):
    """Topics of `tests.coverage.judges`, and what is planned: a width, or the power of seeing a
    difference.
    """

    name: str
    situation: judges.Situation
    width: float = 0.0
    power: float = 0.0
    difference: float = 0.05


class Sampled(NamedTuple):
    """Topics of two systems that share many items, of which some are drawn for people."""

    name: str
    topics: int
    by_people: int
    by: str
    of_difference: bool = False
    known: str = "drawn"
    """Of which topics the probability is known: of those drawn, as in the file, or of all."""


_BOTH_WAYS = judges.Situation("errors both ways", "P@10", 200, 0)
_TOO_MUCH = judges.Situation("takes too much", "nDCG@10", 300, 0, 0.02, 0.35)
_UNLIKE = judges.Situation("errors that differ by topic", "AP", 200, 0, 0.1, 0.2, 0.9)
_FAVOUR = judges.Situation(
    "difference, judge favours one", "P@10", 200, 0, 0.05, 0.2, difference=True
)
PLANNED = (
    Planned("errors both ways", _BOTH_WAYS, 0.12),
    Planned("errors both ways", _BOTH_WAYS, 0.09),
    Planned("takes too much", _TOO_MUCH, 0.12),
    Planned("errors that differ by topic", _UNLIKE, 0.12),
    Planned("these topics only", _BOTH_WAYS._replace(of="these"), 0.1),
    Planned("difference, judge favours one", _FAVOUR, 0.12),
    Planned("difference, judge favours one", _FAVOUR, power=0.8, difference=0.08),
    Planned("difference, judge favours one", _FAVOUR, power=0.5, difference=0.08),
)
SAMPLED = (
    Sampled("mean", 200, 30, "alike"),
    Sampled("mean", 200, 30, "judge"),
    Sampled("mean", 60, 12, "judge"),
    Sampled("mean", 200, 30, "judge", known="all"),
    Sampled("mean", 200, 30, "systems"),
    Sampled("difference of runs much alike", 200, 30, "alike", of_difference=True),
    Sampled("difference of runs much alike", 200, 30, "systems", of_difference=True),
    Sampled("difference of runs much alike", 200, 30, "systems", True, "all"),
    Sampled("difference of runs much alike", 400, 60, "systems", of_difference=True),
    Sampled("rare label, judge gives chances", 2000, 100, "alike"),
    Sampled("rare label, judge gives chances", 2000, 100, "judge"),
    Sampled("rare label, judge gives chances", 2000, 100, "doubt"),
    Sampled("rare label, judge gives chances", 2000, 100, "doubt", known="all"),
    Sampled("rare label, judge gives chances", 2000, 200, "doubt"),
)


def design_of(of: judges.Situation) -> tuple[Design, float]:
    """The design of a situation, from very many of its topics, and its true mean."""
    people, judge = judges.numbers(np.random.default_rng(1), of, MANY)
    y, f = (side[0] - side[1] if of.difference else side[0] for side in (people, judge))
    correlation = float(np.corrcoef(y, f)[0, 1])
    design = Design(of.topics, float(y.std()), correlation, of.of == "these", 0.95)
    return design, float(y.mean())


def simulate_plan(planned: Planned, draws: int = DRAWS) -> dict[str, Any]:
    """What was planned, and what samples of that size have."""
    of = planned.situation
    rng = np.random.default_rng(zlib.crc32(repr(planned).encode()))
    design, mean = design_of(of)
    labels = (
        design.labels_for_width(planned.width)
        if planned.width
        else design.labels_for_difference(planned.difference, planned.power)
    )
    assert labels is not None
    width = seen_differences = 0.0
    for _ in range(draws):
        people, judge = judges.numbers(rng, of, of.topics)
        seen = np.zeros(of.topics, np.bool_)
        seen[rng.choice(of.topics, labels, replace=False)] = True
        asked = Question(Choice.of(seen), of.of, 0.95)
        own = people[:, seen]
        if of.difference:
            pair = learn_pair(tuple(own), tuple(judge), asked, ("a", "b"), of.measure, True)
            width += pair.high - pair.low
            # As if the systems differed by so much: the mean is shifted, its interval with it.
            seen_differences += not pair.low <= mean - planned.difference <= pair.high
        else:
            value = learn_value(own[0], judge[0], asked, of.measure, (-np.inf, np.inf))
            width += value.high - value.low
    return {
        "name": planned.name,
        "measure": of.measure,
        "topics": of.topics,
        "labels": labels,
        "goal": "width" if planned.width else "power",
        "planned": planned.width or planned.power,
        "simulated": (width if planned.width else seen_differences) / draws,
        "draws": draws,
    }


class _Topics(NamedTuple):
    """Numbers of people and of the judge, and how far systems disagree or the judge doubts."""

    people: Floats
    judge: Floats
    number: Floats
    spread: Floats


def _topics(rng: np.random.Generator, of: Sampled, size: int) -> _Topics:
    if "label" in of.name:
        chance = rng.beta(0.1, 1.0, size)
        people = (rng.random(size) < chance).astype(float)
        # It is sure of itself, more than it should be.
        told = 1 / (1 + np.exp(-1.3 * (np.log(chance / (1 - chance)) + rng.normal(0, 0.4, size))))
        return _Topics(people[None], told[None], told, np.sqrt(told * (1 - told)))
    ability = rng.normal(0.2, 0.9, (size, 1))
    chance = 1 / (1 + np.exp(-ability))
    shared = rng.binomial(10, rng.beta(0.8, 0.15, size))  # of ten items both systems return
    relevant = rng.random((size, 20)) < np.hstack(
        [np.repeat(chance, 10, 1), 0.85 * chance.repeat(10, 1)]
    )
    wrong = rng.random((size, 20)) < np.where(relevant, 0.1, 0.15)
    by_judge = relevant ^ wrong
    rank = np.arange(10)
    is_shared = rank < shared[:, None]
    sides = []
    for labels in (relevant, by_judge):
        first = labels[:, :10]
        second = np.where(is_shared, first, labels[:, 10:])
        sides.append(np.stack([first.mean(axis=1), second.mean(axis=1)]))
    # The variance of two counts, 1/10 and 0, is 1/200, of 2 (10 - shared) items.
    spread = np.sqrt(2 * (10 - shared) / 200)
    return _Topics(*sides, sides[1].mean(axis=0), spread)


def simulate_sample(of: Sampled, draws: int = DRAWS) -> dict[str, Any]:
    """Shares of intervals that hold the truth, and their mean width."""
    rng = np.random.default_rng(zlib.crc32(repr(of).encode()))

    def sign(both: Floats) -> Floats:
        return both[0] - both[1] if of.of_difference else both[0]

    truth = float(sign(_topics(np.random.default_rng(1), of, 5 * MANY).people).mean())
    held, width = 0, 0.0
    for _ in range(draws):
        topics = _topics(rng, of, of.topics)
        by_spread = of.by in ("systems", "doubt")
        weight = weights_of(topics.spread) if by_spread else None
        stratum = np.zeros(of.topics, np.int64)
        if of.by != "alike":
            by = topics.spread if by_spread else topics.number
            stratum = strata_by(by, of.by_people, weight)
        drawn, probability = draw(stratum, allocate(stratum, of.by_people, weight), rng)
        seen = np.zeros(of.topics, np.bool_)
        seen[drawn] = True
        choice = (
            Choice.of(seen, stratum=stratum)
            if of.known == "all"
            else Choice.of(seen, chance=probability[seen])
        )
        asked = Question(choice, "population", 0.95)
        own = topics.people[:, seen]
        found: Any
        if of.of_difference:
            found = learn_pair(tuple(own), tuple(topics.judge), asked, ("a", "b"), "P@10", True)
        else:
            found = learn_value(own[0], topics.judge[0], asked, "P@10", (0.0, 1.0))
        held += found.low <= truth <= found.high
        width += found.high - found.low
    return {**of._asdict(), "covers": held / draws, "width": width / draws, "draws": draws}


def table_of_plans(cells: list[dict[str, Any]]) -> list[str]:
    """The planned numbers as a table of the page."""
    lines = [
        "| situation | measure | topics | wanted | labels planned | simulated |",
        "|:--|:--|--:|:--|--:|--:|",
    ]
    for cell in cells:
        goal = cell["goal"]
        lines.append(
            f"| {cell['name']} | {cell['measure']} | {cell['topics']} | {goal} "
            f"{cell['planned']:g} | {cell['labels']} | {cell['simulated']:.3f} |"
        )
    return lines


def table_of_samples(cells: list[dict[str, Any]]) -> list[str]:
    """The samples as a table of the page."""
    lines = [
        "| to learn | topics | by people | drawn by | probabilities of | covers | width |",
        "|:--|--:|--:|:--|:--|--:|--:|",
    ]
    lines += [
        f"| {cell['name']} | {cell['topics']} | {cell['by_people']} | `{cell['by']}` "
        f"| {'the file' if cell['known'] == 'drawn' else 'all'} | {cell['covers']:.1%} "
        f"| {cell['width']:.3f} |"
        for cell in cells
    ]
    return lines


def tables(record: dict[str, Any]) -> dict[str, list[str]]:
    """The tables of the page, by their marks."""
    return {
        "plans": table_of_plans(record["plans"]),
        "samples": table_of_samples(record["samples"]),
    }


def main() -> None:
    record = {
        "plans": [simulate_plan(planned) for planned in PLANNED],
        "samples": [simulate_sample(sampled) for sampled in SAMPLED],
    }
    parts = (
        f'"{name}": [\n  ' + ",\n  ".join(json.dumps(cell) for cell in cells) + "\n ]"
        for name, cells in record.items()
    )
    RECORD.write_text("{" + ",\n ".join(parts) + "}\n", encoding="utf-8")
    page = PAGE.read_text(encoding="utf-8")
    for name, lines in tables(record).items():
        start, end = MARKS[name]
        before, rest = page.split(start)
        page = before + "\n".join([start, "", *lines, "", end]) + rest.split(end)[1]
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
