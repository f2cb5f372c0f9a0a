"""A number as `ap=` was read as a text of so many decimals: .5 was taken as .45, the least number
that rounds to it.

Older tests gave texts and fractions.
"""

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_null import NoSuchValue


@pytest.mark.parametrize("value", [0.5, np.float64(0.5), 0.27])
def test_where_values_are_too_many_to_list(value) -> None:
    (setting,) = pc.null.describe(2000, 500, ap=value).settings
    assert setting.taken == (value, None)
    assert setting.outcome.p == pc.null.average_precision(2000, 500).sf(value)
    (typed,) = pc.null.describe(2000, 500, ap="0.27").settings
    assert typed.taken[0] == pytest.approx(0.265)


def test_where_they_are_listed() -> None:
    (setting,) = pc.null.describe(8, 3, ap=11 / 12 + 1e-16).settings
    assert setting.taken[1] is None and setting.outcome.p == pytest.approx(2 / 56)
    (setting,) = pc.null.describe(8, 3, ap=0.9).settings
    assert setting.taken == (0.9, NoSuchValue("AP", "0.9", rounded=False))
    (setting,) = pc.null.describe(8, 3, ap="0.9").settings
    assert setting.taken[0] != 0.9


def test_other_measures() -> None:
    (setting,) = pc.null.describe(20, 5, precision=0.6, at=5).settings
    (typed,) = pc.null.describe(20, 5, precision="0.6", at=5).settings
    assert setting.outcomes == typed.outcomes
    (setting,) = pc.null.describe(20, 5, auc=0.7).settings
    assert setting.outcomes["auc"][0].value == pytest.approx(0.7, abs=1e-12)


@pytest.mark.parametrize("value", [1.5, -0.1, float("nan"), float("inf")])
def test_others_are_refused(value) -> None:
    with pytest.raises(pc.UsageError, match=r"ap: must be in 0\.\.1, got"):
        pc.null.describe(8, 3, ap=value)
