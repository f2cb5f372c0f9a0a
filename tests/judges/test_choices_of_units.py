"""How people's units were chosen, said in two ways, comes to the same. Coverage by lines found that
no test gave groups with strata or with unequal chances, nor read what one value says of the judge.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import precall as pc

DRAWN = np.random.default_rng(3)
SIZE = 200
TRUTH = DRAWN.random(SIZE) < 0.4
JUDGE = {
    unit: float(truth if DRAWN.random() < 0.8 else not truth) for unit, truth in enumerate(TRUTH)
}
CHANCE = {unit: 0.5 if unit < 100 else 0.2 for unit in range(SIZE)}
UNEQUAL = {unit: float(0.2 + 0.6 * DRAWN.random()) for unit in range(SIZE)}
STRATA = {unit: int(unit < 100) for unit in range(SIZE)}
PEOPLE = {unit: float(TRUTH[unit]) for unit in range(SIZE) if DRAWN.random() < CHANCE[unit]}
ALONE = {unit: unit for unit in range(SIZE)}


def judged(**how: Any) -> tuple[float, float, float]:
    found = pc.judge.values(PEOPLE, JUDGE, **how)
    return found.estimate, *found.ends


@pytest.mark.parametrize("more", [{}, {"groups": {unit: unit // 4 for unit in range(SIZE)}}])
@pytest.mark.parametrize("of", ["population", "these"])
def test_two_probabilities_are_two_strata(of: str, more: dict[str, Any]) -> None:
    assert judged(of=of, probability=CHANCE, **more) == judged(of=of, strata=STRATA, **more)


@pytest.mark.parametrize("more", [{}, {"probability": UNEQUAL}])
def test_groups_of_one_unit_are_units(more: dict[str, Any]) -> None:
    alone, apart = judged(of="these", groups=ALONE, **more), judged(of="these", **more)
    assert alone == pytest.approx(apart, rel=1e-12)


@pytest.mark.parametrize(
    ("of", "more"),
    [
        ("population", {}),
        ("population", {"probability": UNEQUAL}),
        ("these", {"strata": STRATA}),
    ],
)
def test_groups_that_are_alike_widen_the_interval(of: str, more: dict[str, Any]) -> None:
    pairs = {unit: unit // 2 for unit in range(2 * SIZE)}
    people = {2 * unit + copy: label for unit, label in PEOPLE.items() for copy in (0, 1)}
    judge = {2 * unit + copy: label for unit, label in JUDGE.items() for copy in (0, 1)}
    twice = {
        name: {2 * unit + copy: value for unit, value in each.items() for copy in (0, 1)}
        for name, each in more.items()
    }
    once = pc.judge.values(PEOPLE, JUDGE, of=of, **more)
    grouped = pc.judge.values(people, judge, of=of, groups=pairs, **twice)
    apart = pc.judge.values(people, judge, of=of, **twice)
    # The slope weighs strata by n - 1, so copies move it a little.
    assert grouped.estimate == pytest.approx(once.estimate, rel=1e-3)
    width, of_once, of_apart = (np.ptp(each.ends) for each in (grouped, once, apart))
    # Two copies tell what one does, not what two units would.
    assert width == pytest.approx(of_once, rel=0.03)
    assert of_apart < 0.8 * width


def test_people_who_judged_all_units_leave_nothing_open() -> None:
    every = {unit: float(truth) for unit, truth in enumerate(TRUTH)}
    for more in ({}, {"strata": STRATA}):
        found = pc.judge.values(every, JUDGE, of="these", **more)
        assert found.estimate == pytest.approx(TRUTH.mean(), rel=1e-12)
        assert np.ptp(found.ends) < 1e-12


def test_one_value_says_how_far_the_judge_is_off() -> None:
    harsh = {unit: 0.5 * label for unit, label in JUDGE.items()}
    low = pc.judge.values(PEOPLE, harsh, measure="accuracy")
    high = pc.judge.values(PEOPLE, {unit: 1 - label / 2 for unit, label in JUDGE.items()})
    assert low.bias is not None
    assert high.bias is not None
    assert low.bias.high < 0 < high.bias.low
    assert f"too little by {-low.bias.estimate:.4f}" in str(low.sheet())
    assert f"too much by {high.bias.estimate:.4f}" in str(high.sheet())
    other = low.complement("error")
    assert other.estimate == 1 - low.estimate
    assert other.ends == (1 - low.ends[1], 1 - low.ends[0])
    assert other.bias is not None
    assert other.bias.ends == (-low.bias.ends[1], -low.bias.ends[0])
    assert other.judge_alone == 1 - low.judge_alone
    assert f"too much by {-low.bias.estimate:.4f}" in str(other.sheet())


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_runs_are_told_with_whom_the_judge_favours() -> None:
    """The judge calls what the second system retrieves relevant, so it has that system first."""
    topics = [f"q{number}" for number in range(60)]
    hits = {topic: int(DRAWN.random() < 0.8) for topic in topics}
    people = {topic: {"a": hits[topic], "b": int(DRAWN.random() < 0.3)} for topic in topics[:40]}
    judge = {topic: {"a": int(DRAWN.random() < 0.4), "b": 1} for topic in topics}
    runs = {name: {topic: {name[0]: 1.0} for topic in topics} for name in ("ace", "bad")}
    found = pc.judge(people, judge, runs, ["P@1"])
    (pair,) = found.pairs
    assert (pair.better, pair.favoured) == ("ace", "bad")
    told = str(found.sheet())
    assert "better than bad (" in told
    assert "The judge alone has bad first: it favours bad over ace by" in told
    assert "The judge favours bad." in str(pair.sheet())
