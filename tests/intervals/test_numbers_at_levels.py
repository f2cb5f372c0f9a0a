"""Intervals of precision and depth at a recall, and of recall at a precision: bounds computed anew
case by case, what they were before, and what they do in groups, ties, and at the ends.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.core.errors import UsageError
from precall.core.notes.of_intervals import FewCases, NoSureThreshold
from precall.stats.quantiles import t as student
from tests.noticed import noticed, warned


def drawn(size: int = 400, share: float = 0.25, seed: int = 1, apart: float = 1.5) -> Any:
    rng = np.random.default_rng(seed)
    relevant = rng.random(size) < share
    return relevant, rng.normal(size=size) + apart * relevant


def wilson(hits: float, size: int, z: float) -> tuple[float, float]:
    """The two roots of (hits - size p)² = z² size p (1 - p)."""
    a, b, c = size**2 + z**2 * size, -(2 * hits * size + z**2 * size), hits**2
    root = math.sqrt(max(b * b - 4 * a * c, 0.0))
    return (-b - root) / 2 / a, (-b + root) / 2 / a


def others_above(relevant: Any, score: Any, hits: float) -> float:
    """Other cases above the score of a relevant case, between cases by straight lines."""
    own, other = np.sort(score[relevant])[::-1], score[~relevant]
    above = [0.0, *(float((other > one).sum()) for one in own), float(len(other))]
    first = min(math.floor(hits), len(above) - 2)
    return above[first] + (hits - first) * (above[first + 1] - above[first])


def by_hand(relevant: Any, score: Any, recall: float, level: float = 0.95) -> Any:
    """Bounds of the number of other cases above the score of a recall, and of the precision."""
    count, rest = int(relevant.sum()), int((~relevant).sum())
    z = student(level, min(count, rest) - 1)
    low, high = (count * end for end in wilson(recall * count, count, z))
    middle = others_above(relevant, score, recall * count + 0.5)
    ends = others_above(relevant, score, low + 0.5), others_above(relevant, score, high + 1)
    fewest, most = (rest * end for end in wilson(middle, rest, z))
    root = math.sqrt
    down = math.hypot(root(middle) - root(ends[0]), root(middle) - root(max(fewest, 0.0)))
    up = math.hypot(root(ends[1]) - root(middle), root(most) - root(middle))
    few, many = max(root(middle) - down, 0.0) ** 2, (root(middle) + up) ** 2
    hits, error = recall * count, z * root(1 / count + 1 / rest)

    def precision(others: float, sign: float) -> float:
        if others and middle:
            far = math.hypot(math.log(others / middle), error)
            others = middle * math.exp(sign * far)
        return hits / (hits + others)

    return middle, (few, many), (precision(many, 1), precision(few, -1))


@pytest.mark.parametrize("level", [0.9, 0.95])
@pytest.mark.parametrize("recall", [0.1, 0.3, 0.5, 0.8, 0.97])
def test_bounds_of_precision_and_depth_at_a_recall(recall: float, level: float) -> None:
    for seed in range(3):
        relevant, score = drawn(seed=seed)
        middle, (few, many), precision = by_hand(relevant, score, recall, level)
        curve = pc.curve(relevant, score)
        found = pc.interval(curve, f"PAtRecall(recall={recall})", level=level)
        assert found.method == "woodruff"
        assert found.ends == pytest.approx(precision, rel=1e-9)
        count, size = int(relevant.sum()), len(relevant)
        z, rest = student(level, min(count, size - count) - 1), size - count
        moved = z * size * abs(recall - middle / rest) * math.sqrt(count * rest / size**3)
        depth = recall * count + middle
        down = math.hypot(middle - few, moved) if few else middle + moved
        up = math.hypot(many - middle, moved)
        found = pc.interval(curve, f"KAtRecall(recall={recall})", level=level)
        assert found.ends == pytest.approx((max(depth - down, 1), min(depth + up, size)), rel=1e-9)


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("precision", [0.3, 0.6, 0.8, 0.9, 0.99])
def test_recall_at_a_precision_has_the_recalls_whose_precision_may_be_that(
    precision: float,
) -> None:
    for seed in range(3):
        relevant, score = drawn(seed=seed, apart=2.0)
        curve = pc.curve(relevant, score)
        found = pc.interval(curve, f"RAtPrecision(precision={precision})")
        count = int(relevant.sum())
        bounds = [by_hand(relevant, score, hits / count)[2] for hits in range(1, count + 1)]
        surely = [
            hits
            for hits, (low, _) in enumerate(bounds, 1)
            if low > precision and hits <= found.estimate * count + 1e-9
        ]
        maybe = [hits for hits, (_, high) in enumerate(bounds, 1) if high >= precision]
        assert found.low == pytest.approx((surely[-1] - 1) / count if surely else 0)
        assert found.high == pytest.approx(min(maybe[-1] + 1, count) / count)
        assert bool(noticed(found, NoSureThreshold)) == (found.low == 0)


def test_where_relevant_cases_stand_out_both_sides_are_seen() -> None:
    """40 % of the relevant cases far above all others: the precision at recall .4 was 1 with
    bounds by the ranks around it, and 65 % of the intervals held the truth. Normal scores, which
    the record had, have no such places.
    """
    relevant = np.zeros(4000, bool)
    relevant[:40] = True
    relevant[40::66] = True
    curve = pc.curve(relevant, -np.arange(4000.0))
    found = pc.interval(curve, "PAtRecall(recall=0.4)")
    # By 1.96 standard errors of the place, .1 to both sides: no other case, or 30 times 10.
    assert found.low < 0.2 and found.high == 1


@pytest.mark.parametrize("name", ["PAtRecall(recall=0.5)", "RAtPrecision(precision=0.6)"])
def test_groups_widen_as_much_as_their_cases_are_alike(name: str) -> None:
    relevant, score = drawn(600)
    single = pc.interval(pc.curve(relevant, score), name)
    times = np.repeat(np.arange(600), 4)
    copied = pc.interval(pc.curve(relevant[times], score[times]), name, groups=times)
    naive = pc.interval(pc.curve(relevant[times], score[times]), name)
    assert copied.high - copied.low == pytest.approx(single.high - single.low, rel=0.12)
    assert naive.high - naive.low < 0.7 * (copied.high - copied.low)


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_missed_items_are_below_all_ranks() -> None:
    """What is never found is no threshold's: the recall at a low precision ends with the last hit,
    and the precision at a recall that the next sample may not reach goes down to 0.
    """
    relevant, score = drawn()
    curve = pc.curve(relevant, score, missed=20)
    count = int(relevant.sum())
    found = pc.interval(curve, "RAtPrecision(precision=0.1)")
    assert found.estimate == count / (count + 20)
    assert found.high == pytest.approx(
        wilson(count, count + 20, student(0.95, count + 20 - 1))[1], rel=1e-9
    )
    assert pc.interval(curve, f"PAtRecall(recall={count / (count + 20) - 0.01})").low == 0


def test_a_precision_that_no_threshold_has() -> None:
    relevant = np.arange(90) % 3 == 2
    curve = pc.curve(relevant, -np.arange(90.0))
    with warned(NoSureThreshold):
        found = pc.interval(curve, "RAtPrecision(precision=0.9)")
    assert found.estimate == found.low == 0 < found.high < 0.2
    assert noticed(found, NoSureThreshold)[0].precision == 0.9
    every = pc.interval(curve, "RAtPrecision(precision=0.01)")
    assert every.estimate == every.high == 1 and every.low < 1


def test_few_cases_are_noted_and_methods_are_named() -> None:
    curve = pc.curve(*drawn(60, 0.2))
    with warned(FewCases):
        pc.interval(curve, "PAtRecall(recall=0.5)")
    assert pc.intervals.methods("RAtPrecision(precision=0.9)")[0] == "woodruff"
    for method in ("logit", "bca"):
        with pytest.raises(UsageError):
            pc.interval(curve, "PAtRecall(recall=0.5)", method=method)
    named = pc.interval(pc.curve(*drawn()), "R@P=0.5")
    assert named.measure == "RAtPrecision(precision=0.5)"


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_recall_at_a_precision_with_heavy_others() -> None:
    """If one of ten others is sampled, the step between relevant cases was taken as long as one of
    all cases, and 47 to 67 % of intervals held the truth. The record had no weights at levels.
    """
    rng = np.random.default_rng(5)
    truth, held = 0.535, 0
    for _ in range(60):
        relevant = rng.random(4000) < 0.05
        score = rng.normal(size=4000) + 2.0 * relevant
        kept = relevant | (rng.random(4000) < 0.1)
        weight = np.where(relevant, 1.0, 10 + 1e-9)[kept]
        curve = pc.curve(relevant[kept], score[kept], weights=weight)
        low, high = pc.interval(curve, "RAtPrecision(precision=0.5)").ends
        held += low <= truth <= high
    assert held >= 52
