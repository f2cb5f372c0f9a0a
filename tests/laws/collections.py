"""Made-up collections: ties, negative grades, unjudged items, empty rankings, topics on one side
only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

import precall as pc

# Ids whose order differs between bytes, UTF-16 units, numbers and case.
ITEMS = ("d10", "d9", "B", "a", "\uffee", "\U00010330", "é", "d1", "-7", "zz")
ALL = len(ITEMS)
TOPICS = ("1", "10", "9", "t é")
SCORES = (2.0, 1.0, 1.0 + 2**-40, 0.0, -0.0, -3.5, float("inf"), float("-inf"))
FEW_SCORES = (2.0, 1.0)
GRADES = (1, 0, 2, -1, 3, 1, 0, -2)


def examples(number: int) -> settings:
    """Settings for a law: `number` examples, and as many times more as the profile has hundreds."""
    quiet = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    count = number * max(settings().max_examples // 100, 1)
    return settings(max_examples=count, deadline=None, suppress_health_check=quiet)


@dataclass(frozen=True)
class Collection:
    """Judgements and scores, by topic and item."""

    qrels: dict[str, dict[str, int]]
    run: dict[str, dict[str, float]]
    kept: dict[str, pc.Located] = field(default_factory=dict, compare=False, repr=False)

    def located(self, ties: str) -> pc.Located:
        """Where the judged items stand; found once per order of ties."""
        if ties not in self.kept:
            self.kept[ties] = pc.locate(
                self.qrels, self.run, ties=ties, rng=0 if ties == "random" else None
            )
        return self.kept[ties]

    @property
    def topics(self) -> list[str]:
        """Those of the qrels, then those only in the run."""
        return [*self.qrels, *(topic for topic in self.run if topic not in self.qrels)]

    @property
    def highest(self) -> int:
        """Greatest grade of all, or 0."""
        return max(
            (grade for grades in self.qrels.values() for grade in grades.values()), default=0
        )

    def judged(self, topic: str) -> dict[str, int]:
        return self.qrels.get(topic, {})

    def scores(self, topic: str) -> dict[str, float]:
        return self.run.get(topic, {})


def decoded(digits: Sequence[int], values: Sequence[Any]) -> dict[str, Any]:
    """A dict from a digit per item: 0 leaves the item out, d gives it values[d - 1]."""
    # Drawn as digits, not as dictionaries: those took longer to draw than all measures to compute.
    return {item: values[digit - 1] for item, digit in zip(ITEMS, digits, strict=False) if digit}


def digits(values: Sequence[Any], most: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, len(values)), min_size=most, max_size=most)


def shuffled(what: dict[str, Any], seed: int) -> dict[str, Any]:
    """The same entries in another order."""
    keys = list(what)
    Random(seed).shuffle(keys)
    return {key: what[key] for key in keys}


@st.composite
def collections(draw, scores=SCORES, topics=TOPICS, depth=ALL) -> Collection:
    """Collections of up to four topics; at least one is on both sides."""
    sides = draw(st.lists(st.sampled_from(("both", "qrels", "run")), max_size=len(topics) - 1))
    order = draw(st.integers(0, 1000))
    qrels, run = {}, {}
    for topic, side in zip(topics, ["both", *sides], strict=False):
        if side != "run":
            qrels[topic] = decoded(draw(digits(GRADES, ALL)), GRADES)
        if side != "qrels":
            run[topic] = shuffled(decoded(draw(digits(scores, depth)), scores), order)
    return Collection(shuffled(qrels, order), shuffled(run, order + 1))


def tied(depth: int = 6) -> st.SearchStrategy[Collection]:
    """One topic whose items share two scores: few enough orders to write all of them out."""
    return collections(scores=FEW_SCORES, topics=TOPICS[:1], depth=depth)


def fixed(
    number: int, scores: Sequence[float] = SCORES, topics: Sequence[str] = TOPICS, depth: int = ALL
) -> list[Collection]:
    """The same made-up collections every time, for tests of the tests."""
    random, made = Random(number), []

    def some(values: Sequence[Any], most: int) -> dict[str, Any]:
        # As many items as chance has it: empty topics and full ones.
        return decoded(
            [random.randint(0, len(values)) for _ in range(random.randint(0, most))], values
        )

    for seed in range(number):
        qrels = {topic: some(GRADES, len(ITEMS)) for topic in topics}
        run = {topic: shuffled(some(scores, depth), seed) for topic in topics}
        made.append(Collection(shuffled(qrels, seed), shuffled(run, seed + 1)))
    return made
