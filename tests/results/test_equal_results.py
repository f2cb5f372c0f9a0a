"""Two results of the same call are equal, NaN and arrays compared by what they hold; results of
other data are not.

Older tests compared fields one by one; results with arrays were equal to themselves only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cases import Bounds

RNG = np.random.default_rng(1)
A, B = RNG.random(30), RNG.random(30)
LABEL, SCORE = (RNG.random(200) < 0.4).astype(int), RNG.random(200)
QRELS = {f"q{i}": {"a": 1, "b": 0} for i in range(12)} | {"z": {"c": 0}}
RUN = {f"q{i}": {"a": float(i % 3), "b": 1.0} for i in range(12)} | {"z": {"c": 1.0}}


def binned(shift: float = 0.0) -> Any:
    cases = pc.ScoredCases(bins=10)
    cases.add(LABEL, np.clip(SCORE + shift, 0, 1))
    return cases.average_precision()


MADE: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "Comparison": (lambda: pc.compare.paired(A, B), lambda: pc.compare.paired(A, B + 0.1)),
    "Comparisons": (
        lambda: pc.compare.many(np.column_stack((A, B, A * B))),
        lambda: pc.compare.many(np.column_stack((A, B, A + B))),
    ),
    "Equivalence": (
        lambda: pc.compare.equivalence(A, B, margin=0.3),
        lambda: pc.compare.equivalence(A, B, margin=0.2),
    ),
    "Plan": (
        lambda: pc.compare.plan(difference=0.1, deviation=0.2),
        lambda: pc.compare.plan(difference=0.1, deviation=0.3),
    ),
    "JudgePlan": (
        lambda: pc.judge.plan(deviation=0.2, correlation=0.5, units=100, width=0.1),
        lambda: pc.judge.plan(deviation=0.2, correlation=0.6, units=100, width=0.1),
    ),
    "JudgeSample": (
        lambda: pc.judge.sample([0.1, 0.5] * 20, n=12),
        lambda: pc.judge.sample([0.1, 0.5] * 20, n=12, rng=1),
    ),
    "Summary": (
        lambda: pc.decisions([0, 1, 1], [0, 1, 0]).report(),
        lambda: pc.decisions([0, 1, 1], [0, 1, 1]).report(),
    ),
    "Report": (
        lambda: pc.evaluate(QRELS, RUN, ["AP", "RR"], interval=True, topics="both"),
        lambda: pc.evaluate(QRELS, RUN, ["AP"], topics="both"),
    ),
    "Curve": (lambda: pc.curve(LABEL, SCORE), lambda: pc.curve(1 - LABEL, SCORE)),
    "Band": (
        lambda: pc.interval.pr_band(LABEL, SCORE),
        lambda: pc.interval.pr_band(LABEL, SCORE, level=0.9),
    ),
    "Bounds": (binned, lambda: binned(0.05)),
    # They were equal to themselves only, long after the others.
    "Decisions": (
        lambda: pc.decisions(["a", "b", "b"], ["a", "b", "a"]),
        lambda: pc.decisions(["a", "b", "b"], ["a", "a", "a"]),
    ),
    "Hits": (
        lambda: pc.Hits.of([1, 3], retrieved=5, relevant=2),
        lambda: pc.Hits.of([1, 3], retrieved=5, relevant=3),
    ),
    "Status": (
        lambda: pc.categorize(["a", "b"], [[0.9, 0.1], [0.2, 0.8]]),
        lambda: pc.categorize(["a", "b"], [[0.9, 0.1], [0.2, 0.7]]),
    ),
}


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("kind", MADE)
def test_equal_calls_make_equal_results(kind: str) -> None:
    make, other = MADE[kind]
    one, again, different = make(), make(), other()
    assert type(one).__name__ == kind
    assert one is not again and one == again and hash(one) == hash(again)
    assert one != different and one != "another thing" and len({one, again, different}) == 2


def test_what_is_undefined_is_equal() -> None:
    nan = float("nan")
    assert Bounds(nan, nan, nan) == Bounds(float("nan"), nan, nan)
    assert Bounds(0.0, 0.5, 1.0) == (0.0, 0.5, 1.0)
