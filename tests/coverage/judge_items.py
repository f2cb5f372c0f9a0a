"""Coverage of means of topics of which people labelled single items.

`python -m tests.coverage.judge_items` writes tests/coverage/records/judge_items.json and a table in
docs/why/judge.md.
"""

from __future__ import annotations

import math
import zlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from precall.core.notes import collect_notes
from precall.stats import quantiles
from precall.stats.single_labels import corrected_labels
from tests.coverage import judges

RECORD = Path(__file__).with_name("records") / "judge_items.json"
MARK = "items"
DRAWS, MANY, DEPTH = 2000, 200_000, 10
Floats = Any


class Situation(NamedTuple):
    """Topics with ten items each, of which people label some."""

    name: str
    measure: str
    topics: int
    labels: int
    """How many of ten items of each topic, on average."""
    misses: float = 0.1
    takes: float = 0.1
    chosen: str = "of each topic"
    difference: bool = False


SITUATIONS = (
    Situation("errors both ways", "P@10", 100, 3),
    Situation("errors both ways", "DCG@10", 100, 3),
    Situation("errors both ways", "P@10", 100, 3, chosen="of all alike"),
    Situation("takes too much", "P@10", 60, 2, 0.02, 0.35),
    Situation("takes too much", "P@10", 60, 2, 0.02, 0.35, chosen="by the judge's label"),
    Situation("few labels", "P@10", 30, 1),
    Situation("always wrong", "P@10", 100, 3, 0.95, 0.95),
    Situation("tells nothing", "P@10", 100, 3, 0.5, 0.5),
    Situation("difference, judge favours one", "P@10", 100, 3, 0.05, 0.3, difference=True),
)


def _fixed(of: Situation) -> Floats:
    """What a relevant item counts for at each rank; of a difference, in ten items the other system
    has the last five first.
    """
    rank = np.arange(1, DEPTH + 1)
    fixed = np.full(DEPTH, 1 / DEPTH) if of.measure == "P@10" else 1 / np.log2(1 + rank)
    if not of.difference:
        return fixed
    return np.where(rank <= DEPTH // 2, 1, -1) * 2 * fixed


def _draw(rng: np.random.Generator, of: Situation, topics: int) -> tuple[Floats, Floats]:
    ability = rng.normal(0.2, 0.9, (topics, 1))
    people = rng.random((topics, DEPTH)) < 1 / (1 + np.exp(-(ability - np.linspace(0, 1, DEPTH))))
    wrong = rng.random(people.shape) < np.where(people, of.misses, of.takes)
    if of.difference:  # it takes more of one system
        wrong[:, DEPTH // 2 :] &= rng.random((topics, DEPTH // 2)) < 0.3
    return people, people ^ wrong


def _chosen(rng: np.random.Generator, of: Situation, judge: Floats) -> tuple[Floats, Floats]:
    """Which items people label, and with what chance."""
    if of.chosen == "by the judge's label":
        chance = np.where(judge, 1.5, 0.75)
        chance *= of.labels / DEPTH / chance.mean()
        return rng.random(judge.shape) < chance, chance
    chance = np.full(judge.shape, of.labels / DEPTH)
    if of.chosen == "of all alike":
        seen = np.zeros(judge.size, np.bool_)
        seen[rng.choice(judge.size, len(judge) * of.labels, replace=False)] = True
        return seen.reshape(judge.shape), chance
    order = np.argsort(rng.random(judge.shape), axis=1)
    return order < of.labels, chance


def simulate(of: Situation, draws: int = DRAWS) -> dict[str, Any]:
    """Shares of intervals that hold the truth, and widths: corrected, by people's labels alone, and
    the judge alone; and how far the corrected mean is off on average.
    """
    rng = np.random.default_rng(zlib.crc32(repr(of).encode()))
    fixed = _fixed(of)
    truth = float((_draw(np.random.default_rng(1), of, MANY)[0] @ fixed).mean())
    topic = np.repeat(np.arange(of.topics), DEPTH)
    half = quantiles.t(0.95, of.topics - 1.0) / math.sqrt(of.topics)
    held, width = np.zeros(3), np.zeros(3)
    off = 0.0
    for _ in range(draws):
        people, judge = _draw(rng, of, of.topics)
        seen, chance = _chosen(rng, of, judge)
        y = np.where(seen, people, np.nan).ravel()
        corrected = corrected_labels(y, judge.ravel().astype(np.int64), chance.ravel(), topic)
        sides = (
            corrected.reshape(people.shape) @ fixed,
            np.where(seen, people / chance, 0.0) @ fixed,
            judge @ fixed,
        )
        for side, values in enumerate(sides):
            reach = half * values.std(ddof=1)
            held[side] += abs(values.mean() - truth) <= reach
            width[side] += 2 * reach
        off += sides[0].mean() - truth
    names = ("corrected", "people", "judge")
    return {
        **of._asdict(),
        "draws": draws,
        "held": dict(zip(names, (held / draws).tolist(), strict=True)),
        "width": dict(zip(names, (width / draws).tolist(), strict=True)),
        "off": off / draws,
    }


def table(cells: list[dict[str, Any]]) -> list[str]:
    """The record as a table of the page."""
    lines = [
        "| situation | measure | topics | labels of ten | chosen | covers | width | people alone | "
        "width | judge alone |",
        "|:--|:--|--:|--:|:--|--:|--:|--:|--:|--:|",
    ]
    for cell in cells:
        held, width = cell["held"], cell["width"]
        lines.append(
            f"| {cell['name']} | {cell['measure']} | {cell['topics']} | {cell['labels']} "
            f"| {cell['chosen']} | {held['corrected']:.1%} | {width['corrected']:.3f} "
            f"| {held['people']:.1%} | {width['people']:.3f} | {held['judge']:.1%} |"
        )
    return lines


def main() -> None:
    with collect_notes():
        cells = [simulate(situation) for situation in SITUATIONS]
    judges.write_table(RECORD, MARK, cells, table)


if __name__ == "__main__":
    main()
