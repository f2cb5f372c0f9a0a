"""The estimate of an interval, and the values of a comparison, are the area of the curve to the
last digit.

The old tests compared them to within 1e-12, so that nobody saw a page print one number beside a
chart and another beside its interval. Degrees of freedom of areas divided by 0 where one weight was
next to 1e149: all weights of the old tests were alike.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import precall as pc

pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
PART = 0.3
#: Names of a measure → that of a curve, and its interval.
AREAS = {
    "AP": (pc.Curve.average_precision, pc.interval.average_precision),
    "AUC": (pc.Curve.area_under_roc, pc.interval.area_under_roc),
    f"AUC(max_fpr={PART})": (
        lambda curve: curve.area_under_roc(PART),
        lambda *cases, **given: pc.interval.partial_area_under_roc(*cases, max_fpr=PART, **given),
    ),
}
KINDS = ("plain", "whole weights", "real weights", "missed", "groups", "groups of real weights")


def drawn(seed: int, decimals: int, kind: str) -> tuple[np.ndarray, list[np.ndarray], dict, dict]:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(20, 200))
    relevant = rng.random(size) < 0.3
    relevant[:2] = True, False
    scores = [np.round(rng.normal(size=size) + relevant, decimals) for _ in "ab"]
    given = {
        "whole weights": {"weights": rng.integers(1, 4, size)},
        "missed": {"missed": 2},
        "real weights": {"weights": rng.uniform(0.1, 3, size)},
        "groups of real weights": {"weights": rng.uniform(0.1, 3, size)},
    }.get(kind, {})
    groups = {"groups": rng.integers(0, size // 4, size)} if "groups" in kind else {}
    return relevant, scores, given, groups


# A part that ends between two hits: its last stretch began at another row where blocks of other
# cases were one.
@pytest.mark.nightly
@example(seed=18, decimals=3, kind="plain")
@given(seed=st.integers(0, 2**32), decimals=st.integers(0, 3), kind=st.sampled_from(KINDS))
@pytest.mark.parametrize("name", AREAS)
def test_are_the_curves(name, seed, decimals, kind):
    relevant, scores, given, groups = drawn(seed, decimals, kind)
    of_curve, interval = AREAS[name]
    values = [of_curve(pc.curve(relevant, score, **given)) for score in scores]
    made = [interval(relevant, score, **given, **groups) for score in scores]
    assert [each.estimate for each in made] == values
    assert all(each.low is None or each.low <= each.estimate <= each.high for each in made)
    test = "influence" if name == "AP" else "delong"
    compared = pc.compare.cases(relevant, *scores, name, test=test, **given, **groups)
    assert list(compared.values) == values


def test_one_weight_next_to_the_greatest():
    weights = [0.29, 0.58, 0.5, 0.45, 1.458e149]
    interval = pc.interval.area_under_roc(
        [1, 0, 0, 0, 1], [0.57, -0.51, -0.12, 0.21, -0.58], weights=weights
    )
    assert interval.low == 0 <= interval.estimate < interval.high
