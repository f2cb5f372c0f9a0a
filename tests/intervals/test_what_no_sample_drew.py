"""Intervals that said nothing where a few of all, hardly any of them drawn, decide: each is named
by a fact of the data.
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_intervals import FarEndUnseen, FewHeavyCases, MuchOptimism, RareCategory
from tests.noticed import noticed
from tests.peers import peer

pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")


def kinds(found: pc.Interval) -> set[type]:
    return {type(note) for note in found.notes}


@pytest.mark.parametrize("method", ["t", "bca", "percentile"])
def test_values_near_one_end(method: str) -> None:
    """Of 30 values in .97..1 beside 4 % zeros t covered 71 %: most samples have no zero."""
    values = np.linspace(0.97, 1, 30)
    found = pc.interval.mean(values, range=(0, 1), method=method)
    (note,) = [note for note in found.notes if isinstance(note, FarEndUnseen)]
    assert note.values_seen == 30 and note.end == 0
    assert note.moved == pytest.approx(0.1 * values.mean())
    assert FarEndUnseen not in kinds(
        pc.interval.mean(values, range=(0, 1), method="bayesian-bootstrap")
    )
    assert FarEndUnseen not in kinds(pc.interval.mean(values, method=method))


@pytest.mark.parametrize(("low", "high"), [(2, 3), (0.5, 2), (8, 8)])
def test_values_all_over_their_range_are_left_alone(low: float, high: float) -> None:
    values = np.random.default_rng(1).beta(low, high, 50)
    assert FarEndUnseen not in kinds(pc.interval.mean(values, range=(0, 1)))


def _decided(items: int, shares: list[float], wrong: float = 0.25) -> pc.Decisions:
    rng = np.random.default_rng(2)
    truth = rng.choice(len(shares), items, p=shares)
    replaced = rng.random(items) < wrong
    return pc.decisions(truth, np.where(replaced, rng.integers(0, len(shares), items), truth))


@pytest.mark.parametrize(
    ("measure", "average"), [("BalancedAccuracy", None), ("R", "macro"), ("P", "macro")]
)
def test_mean_over_categories_of_which_one_is_rare(measure: str, average: str | None) -> None:
    """With eight items of a category a mean of recalls covered 87 to 89 % in silence."""
    chosen = {} if average is None else {"average": average}
    rare = pc.interval(_decided(400, [0.9, 0.08, 0.02]), measure, resamples=100, rng=1, **chosen)
    even = pc.interval(_decided(400, [0.5, 0.3, 0.2]), measure, resamples=100, rng=1, **chosen)
    assert RareCategory in kinds(rare) and RareCategory not in kinds(even)


def test_the_rare_category_is_named() -> None:
    """Only how rare it is was said, and people had to look for it."""
    labels = np.array(["art", "law", "war"])
    decided = _decided(400, [0.9, 0.08, 0.02], wrong=0.02)
    truth, predicted = labels[decided.truth.category], labels[decided.predicted.category]
    named = pc.decisions(truth, predicted)
    of = [
        pc.interval(named, "BalancedAccuracy", resamples=100, rng=1),
        pc.interval.macro_f(named),
        pc.interval.macro_f(named.confusion()),
        pc.interval.macro_f(peer("pandas").crosstab(truth, predicted)),
        pc.interval.macro_f(named.confusion().counts),
    ]
    rare = [note for interval in of for note in noticed(interval, RareCategory)]
    assert [note.category for note in rare] == ["war"] * 4 + [None]


def test_means_by_items_are_left_alone() -> None:
    found = pc.interval(
        _decided(400, [0.9, 0.08, 0.02]), "R", average="weighted", resamples=100, rng=1
    )
    assert RareCategory not in kinds(found)


def _scored(cases: int, share: float, apart: float, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    relevant = rng.random(cases) < share
    return relevant, rng.normal(size=cases) + apart * relevant


def test_threshold_of_scores_that_hardly_part_the_kinds() -> None:
    """91 to 92 % were covered in silence: samples tell too little of what choosing the threshold
    gains.
    """
    weak = [
        pc.interval.max_f(*_scored(2000, 0.06, 0.3, seed), resamples=200, rng=1)
        for seed in range(10)
    ]
    good = [
        pc.interval.max_f(*_scored(2500, 0.1, 1.5, seed), resamples=200, rng=1)
        for seed in range(10)
    ]
    assert sum(MuchOptimism in kinds(found) for found in weak) >= 6
    assert sum(MuchOptimism in kinds(found) for found in good) <= 2
    for found in weak:
        for note in found.notes:
            assert note.optimism == found.optimism > 0.17 * note.width


def test_threshold_of_few_heavy_cases() -> None:
    """Relevant cases of low scores are kept one in ten: without a note 73 % of intervals held the F
    of the threshold.
    """
    relevant, score = _scored(3000, 0.1, 1.5)
    chance = np.where(score > 1, 1.0, 0.1)
    kept = chance == 1
    # Two heavy ones leave an effective number that is no reason for a note.
    kept[np.flatnonzero(relevant & (chance < 1))[:2]] = kept[
        np.flatnonzero(~relevant & (chance < 1))[::10]
    ] = True
    found = pc.interval.max_f(relevant[kept], score[kept], weights=1 / chance[kept], resamples=100)
    (note,) = [note for note in found.notes if isinstance(note, FewHeavyCases)]
    assert note.cases == np.count_nonzero(relevant[kept] & (score[kept] <= 1))


def test_operator_of_a_threshold() -> None:
    relevant, score = _scored(400, 0.3, 1.0)
    high = pc.interval.max_f(relevant, score, rng=1, resamples=100)
    low = pc.interval.max_f(relevant, -score, rng=1, resamples=100, higher_is_better=False)
    curve = pc.curve(relevant, -score, higher_is_better=False)
    again = pc.interval(curve, "max F on new cases", rng=1, resamples=100)
    assert (high.higher_is_better, low.higher_is_better, again.higher_is_better) == (
        True,
        False,
        False,
    )
    assert low.threshold == again.threshold == -high.threshold
    assert "threshold <= " in str(low).splitlines()[0] and "<=" not in str(high)


def test_operator_of_a_fixed_threshold() -> None:
    """The data said that high scores are accepted, whichever are."""
    relevant, score = _scored(400, 0.3, 1.0)
    low = pc.interval.precision_at_threshold(relevant, -score, -0.5, higher_is_better=False)
    assert low.higher_is_better is False and low.to_dict()["higher_is_better"] is False
    assert pc.interval.precision_at_threshold(relevant, score, 0.5).higher_is_better
