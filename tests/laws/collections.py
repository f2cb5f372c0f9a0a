"""Made-up collections: ties, negative grades, unjudged items, empty rankings, topics on one side only."""

from __future__ import annotations

import os
from dataclasses import dataclass

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

#: Many times more examples, and fresh ones each time: LAWS_FACTOR=20 pytest tests/laws
FACTOR = int(os.environ.get("LAWS_FACTOR", "1"))

# Ids whose order differs between bytes, UTF-16 units, numbers and case.
ITEMS = ("a", "B", "d1", "d10", "d9", "é", "zz", "\uffee", "\U00010330", "-7")
TOPICS = ("1", "10", "9", "t é")
SCORES = (2.0, 1.0, 1.0 + 2**-40, 0.0, -0.0, -3.5, float("inf"), float("-inf"))
FEW_SCORES = (2.0, 1.0)
GRADES = (-2, -1, 0, 0, 1, 1, 2, 3)


def examples(number: int) -> settings:
    """Hypothesis settings: `number` examples, the same ones every time unless LAWS_FACTOR asks for more."""
    quiet = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    return settings(
        max_examples=number * FACTOR, deadline=None, derandomize=FACTOR == 1, suppress_health_check=quiet
    )


@dataclass(frozen=True)
class Collection:
    """Judgements and scores, by topic and item."""

    qrels: dict[str, dict[str, int]]
    run: dict[str, dict[str, float]]

    @property
    def topics(self) -> list[str]:
        """Those of the qrels, then those only in the run."""
        return [*self.qrels, *(topic for topic in self.run if topic not in self.qrels)]

    @property
    def highest(self) -> int:
        """Greatest grade of all, or 0."""
        return max((grade for grades in self.qrels.values() for grade in grades.values()), default=0)

    def judged(self, topic: str) -> dict[str, int]:
        return self.qrels.get(topic, {})

    def scores(self, topic: str) -> dict[str, float]:
        return self.run.get(topic, {})


@st.composite
def collections(draw, scores=SCORES, topics=TOPICS, depth=len(ITEMS)) -> Collection:
    """Collections of up to four topics; at least one is on both sides."""
    both = draw(st.lists(st.sampled_from(topics), min_size=1, max_size=3, unique=True))
    rest = [topic for topic in topics if topic not in both]
    in_qrels = both + draw(st.lists(st.sampled_from(rest), unique=True, max_size=1)) if rest else both
    others = [topic for topic in topics if topic not in in_qrels]
    in_run = both + draw(st.lists(st.sampled_from(others), unique=True, max_size=1)) if others else both
    judgements = st.dictionaries(st.sampled_from(ITEMS), st.sampled_from(GRADES), max_size=len(ITEMS))
    ranking = st.dictionaries(st.sampled_from(ITEMS), st.sampled_from(scores), max_size=depth)
    return Collection(
        {topic: draw(judgements) for topic in draw(st.permutations(in_qrels))},
        {topic: draw(ranking) for topic in draw(st.permutations(in_run))},
    )


def tied(depth: int = 6) -> st.SearchStrategy[Collection]:
    """One topic whose items share two scores: few enough orders to write all of them out."""
    return collections(scores=FEW_SCORES, topics=TOPICS[:1], depth=depth)
