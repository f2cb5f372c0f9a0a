"""Groups are numbered by their names, so that the same groups give the same draws, however they are
passed.

Arrays of integers were sorted, lists and texts were numbered as they first came: the same groups in
a list had other bounds than in an array, and another order of the cases other ones again. The old
tests passed arrays only.
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc

pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
RNG = np.random.default_rng(3)
GROUPS = RNG.integers(0, 12, 80)
RELEVANT = RNG.random(80) < 0.4
SCORE, OTHER = (np.round(RNG.normal(size=80) + RELEVANT, 1) for _ in "ab")
SAME = {
    "list": GROUPS.tolist(),
    "texts": [f"g{group:02d}" for group in GROUPS],
    "floats": GROUPS.astype(float),
    "integers as texts": GROUPS.astype(str),
    "array of texts": np.array([f"g{group:02d}" for group in GROUPS]),
    "objects": GROUPS.astype(object),
}
CALLS = {
    "bca": lambda *given, groups: pc.interval.average_precision(
        *given, groups=groups, method="bca", resamples=300
    ),
    "max F": lambda *given, groups: pc.interval.max_f(*given, groups=groups, resamples=300),
    "band": lambda *given, groups: pc.interval.roc_band(*given, groups=groups, resamples=100),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("kind", SAME)
def test_are_one(call, kind):
    wanted = CALLS[call](RELEVANT, SCORE, groups=GROUPS).to_dict()
    assert CALLS[call](RELEVANT, SCORE, groups=SAME[kind]).to_dict() == wanted


@pytest.mark.parametrize("kind", SAME)
def test_of_two_systems(kind):
    def compared(groups):
        return pc.compare.cases(
            RELEVANT, SCORE, OTHER, "AUC", groups=groups, test="bootstrap", resamples=300
        ).to_dict()

    assert compared(SAME[kind]) == compared(GROUPS)


def test_names_of_several_kinds_stay_in_their_order():
    mixed = [1, "a", 1, "b"]
    interval = pc.interval.average_precision(
        [1, 0, 1, 0], [4, 3, 2, 1], groups=mixed, method="bca", resamples=100
    )
    assert interval.estimate == pytest.approx((1 + 2 / 3) / 2)


@pytest.mark.nightly
@pytest.mark.parametrize("measure", ["P@5", "R@5", "P@17"])
def test_values_of_two_tops_are_the_curves(measure):
    rng = np.random.default_rng(0)
    for _ in range(60):
        relevant = rng.random(30) < 0.4
        relevant[:2] = True, False
        scores = [np.round(rng.normal(size=30), digits) for digits in (0, 1)]
        values = pc.compare.cases(relevant, *scores, measure, resamples=10).values
        assert list(values) == [
            pc.curve(relevant, score).value(measure, "expected") for score in scores
        ]
