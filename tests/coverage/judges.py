"""Coverage of intervals of means whose labels are partly a judge's.

`python -m tests.coverage.judges` writes tests/coverage/records/judges.json and the table in
docs/why/judge.md. Rankings are drawn label by label: each topic has a chance of relevance of its
own, people's labels follow it, and the judge errs as the situation says.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from precall.judges.learning import Question, learn_pair, learn_value
from precall.stats.double_sampling import Choice

ROOT = Path(__file__).resolve().parents[2]
RECORD = Path(__file__).with_name("records") / "judges.json"
PAGE = ROOT / "docs" / "why" / "judge.md"
DRAWS, DEPTH, MANY = 2000, 20, 60_000
Floats = Any


class Situation(NamedTuple):
    """Topics of which people judge some; the judge misses relevant items and takes others for
    relevant, with these chances of each topic.
    """

    name: str
    measure: str
    topics: int
    by_people: int
    misses: float = 0.1
    takes: float = 0.1
    unlike: float = 0.0
    """How unlike topics are in the judge's errors."""
    chosen: str = "alike"
    of: str = "population"
    difference: bool = False


SITUATIONS = (
    Situation("errors both ways", "P@10", 150, 30),
    Situation("errors both ways", "nDCG@10", 150, 30),
    Situation("errors both ways", "AP", 400, 25),
    Situation("errors both ways", "RR", 150, 50),
    Situation("takes too much", "P@10", 300, 30, 0.02, 0.35),
    Situation("takes too much", "AP", 80, 15, 0.02, 0.35),
    Situation("errors that differ by topic", "nDCG@10", 200, 25, 0.1, 0.2, 0.9),
    Situation("nearly always right", "P@10", 100, 20, 0.01, 0.01),
    Situation("tells nothing", "P@10", 120, 20, 0.5, 0.5),
    Situation("always wrong", "P@10", 120, 20, 0.95, 0.95),
    Situation("few topics by people", "P@10", 100, 10),
    Situation("few topics by people", "RR", 60, 12),
    Situation("chosen in two strata", "AP", 200, 40, chosen="strata"),
    Situation("chosen by the judge's value", "P@10", 300, 40, chosen="weights"),
    Situation("groups of five topics", "P@10", 200, 60, chosen="groups"),
    Situation("these topics only", "AP", 100, 40, of="these"),
    Situation("difference, judge favours one", "P@10", 200, 40, 0.05, 0.2, difference=True),
    Situation("difference, judge favours one", "nDCG@10", 120, 25, 0.05, 0.2, difference=True),
    Situation("labels 0 and 1", "15 % ones", 300, 30),
    Situation("labels 0 and 1", "10 % ones", 300, 30, 0.2, 0.2),
    Situation("labels 0 and 1", "5 % ones", 1000, 100, 0.2, 0.05),
    Situation("labels 0 and 1", "50 % ones", 200, 20, 0.02, 0.35),
    Situation("labels 0 and 1", "15 % ones", 200, 60, of="these"),
    Situation("labels 0 and 1 in unlike strata", "16 % ones", 1000, 60, 0.2, chosen="unlike"),
    Situation("labels 0 and 1 in unlike strata", "12 % ones", 300, 60, chosen="unlike", of="these"),
)


def _labels(rng: np.random.Generator, of: Situation, topics: int) -> tuple[Floats, Floats]:
    """Labels by people and by the judge, topics x ranks, of a system that puts relevant items
    first.
    """
    groups = np.repeat(rng.normal(0, 0.8 * (of.chosen == "groups"), -(-topics // 5)), 5)[:topics]
    ability = rng.normal(0.2, 0.9, topics) + groups
    chance = 1 / (1 + np.exp(-(ability[:, None] - np.linspace(0, 2, DEPTH))))
    people = rng.random(chance.shape) < chance
    shift = of.unlike * rng.normal(0, 1, (topics, 1))
    misses, takes = (
        1 / (1 + np.exp(-(np.log(share / (1 - share)) + shift))) for share in (of.misses, of.takes)
    )
    wrong = rng.random(chance.shape) < np.where(people, misses, takes)
    return people, people ^ wrong


def _values(labels: Floats, measure: str) -> Floats:
    """The measure of each topic, from its definition."""
    labels = labels.astype(float)
    rank = np.arange(1, DEPTH + 1)
    if measure == "P@10":
        return labels[:, :10].mean(axis=1)
    if measure == "RR":
        return (labels / rank).max(axis=1)
    if measure == "AP":
        found = labels.cumsum(axis=1)
        return (labels * found / rank).sum(axis=1) / np.maximum(found[:, -1], 1)
    gain = 1 / np.log2(rank + 1)
    best = np.cumsum(gain)[np.minimum(labels.sum(axis=1), 10).astype(int) - 1]
    return np.where(labels.any(axis=1), labels[:, :10] @ gain[:10] / best, 0.0)


def numbers(rng: np.random.Generator, of: Situation, topics: int) -> tuple[Floats, Floats]:
    """A number per topic by people and by the judge; of a difference, both systems'."""
    if of.measure.endswith("ones"):
        share = int(of.measure.split()[0]) / 100
        if of.chosen == "unlike":
            share *= np.where(_is_large(topics), 0.5, 3)
        truth = rng.random((1, topics)) < share
        wrong = rng.random((1, topics)) < np.where(truth, of.misses, of.takes)
        return truth.astype(float), (truth ^ wrong).astype(float)
    pairs = [_labels(rng, of, topics)]
    if of.difference:  # another system, of which the judge takes less
        pairs.append(_labels(rng, of._replace(takes=0.02, misses=0.2), topics))
    people, judge = (
        np.array([_values(pair[side], of.measure) for pair in pairs]) for side in (0, 1)
    )
    return people, judge


def _is_large(topics: int) -> Floats:
    """Whether a topic is of the large one of two unlike strata, which has few ones and labels."""
    return np.arange(topics) < topics * 4 // 5


def _choice(rng: np.random.Generator, of: Situation, judge: Floats) -> Choice:
    size = len(judge)
    if of.chosen == "weights":
        wanted = 0.3 + judge
        chance = np.minimum(of.by_people * wanted / wanted.sum(), 1)
        seen = rng.random(size) < chance
        return Choice.of(seen, chance=chance[seen])
    if of.chosen in ("strata", "unlike"):
        is_large = np.argsort(np.argsort(judge, kind="stable")) < size * 3 // 4
        of_large = of.by_people // 2
        if of.chosen == "unlike":
            is_large, of_large = _is_large(size), of.by_people // 4
        stratum = is_large.astype(np.int64)
        seen = np.zeros(size, np.bool_)
        for each, labels in ((0, of.by_people - of_large), (1, of_large)):
            where = np.flatnonzero(stratum == each)
            seen[rng.choice(where, labels, replace=False)] = True
        return Choice.of(seen, stratum=stratum)
    if of.chosen == "groups":
        group = np.arange(size) // 5
        drawn = rng.choice(group.max() + 1, of.by_people // 5, replace=False)
        return Choice.of(np.isin(group, drawn), group=group)
    seen = np.zeros(size, np.bool_)
    seen[rng.choice(size, of.by_people, replace=False)] = True
    return Choice.of(seen)


def simulate(of: Situation, draws: int = DRAWS) -> dict[str, Any]:
    """Shares of intervals that hold the truth, with their widths, beside people alone and the
    judge alone.
    """
    seed = zlib.crc32(repr(of).encode())
    rng = np.random.default_rng(seed)
    sign: Callable[[Floats], Floats] = (
        (lambda x: x[0] - x[1]) if of.difference else (lambda x: x[0])
    )
    people, judge = numbers(np.random.default_rng(1), of, MANY)
    means = float(sign(people).mean()), float(sign(judge).mean())
    held = {"corrected": 0, "people": 0, "judge": 0, "bias": 0}
    width = {"corrected": 0.0, "people": 0.0}
    noted = 0
    for _ in range(draws):
        people, judge = numbers(rng, of, of.topics)
        choice = _choice(rng, of, judge[0])
        asked = Question(choice, of.of, 0.95)
        own = people[:, choice.seen]
        if of.difference:
            pair = learn_pair(tuple(own), tuple(judge), asked, ("a", "b"), of.measure, True)
            found: Any = pair
            bias, notes = pair.favour, pair.notes
        else:
            found = learn_value(own[0], judge[0], asked, of.measure, (0.0, 1.0))
            bias, notes = found.bias, found.notes
        these = float(sign(people).mean())
        truth = these if of.of == "these" else means[0]
        of_bias = float(sign(judge).mean()) - these if of.of == "these" else means[1] - means[0]
        alone = found.people_alone
        of_judge = sign(judge)
        half = 1.98 * of_judge.std(ddof=1) / np.sqrt(of.topics)
        is_held = found.low <= truth <= found.high
        held["corrected"] += is_held
        held["people"] += alone.low <= truth <= alone.high
        held["judge"] += bool(abs(of_judge.mean() - truth) <= half)
        held["bias"] += bias.low <= of_bias <= bias.high
        width["corrected"] += found.high - found.low
        width["people"] += alone.high - alone.low
        noted += bool(notes) and not is_held
    shares = {name: count / draws for name, count in held.items()}
    return {
        **of._asdict(),
        "draws": draws,
        "held": shares,
        "width": {name: total / draws for name, total in width.items()},
        "missed without a note": 1 - shares["corrected"] - noted / draws,
    }


def table(cells: list[dict[str, Any]]) -> list[str]:
    """The record as a table of the page."""
    lines = [
        "| situation | measure | topics | by people | covers | width | people alone | width | "
        "judge alone | its bias |",
        "|:--|:--|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for cell in cells:
        held, width = cell["held"], cell["width"]
        lines.append(
            f"| {cell['name']} | {cell['measure']} | {cell['topics']} | {cell['by_people']} "
            f"| {held['corrected']:.1%} | {width['corrected']:.3f} | {held['people']:.1%} "
            f"| {width['people']:.3f} | {held['judge']:.1%} | {held['bias']:.1%} |"
        )
    return lines


def write_table(
    record: Path,
    mark: str,
    cells: list[dict[str, Any]],
    table: Callable[[list[dict[str, Any]]], list[str]],
    page: Path = PAGE,
) -> None:
    """Write a record, and its table between two marks of a page."""
    lines = ",\n  ".join(json.dumps(cell) for cell in cells)
    record.write_text(f'{{"cells": [\n  {lines}\n ]}}\n', encoding="utf-8")
    start, end = f"<!-- {mark} -->", f"<!-- end of {mark} -->"
    before, rest = page.read_text(encoding="utf-8").split(start)
    after = rest.split(end)[1]
    told = "\n".join([start, "", *table(cells), "", end])
    page.write_text(before + told + after, encoding="utf-8")


def main() -> None:
    write_table(RECORD, "coverage", [simulate(situation) for situation in SITUATIONS], table)


if __name__ == "__main__":
    main()
