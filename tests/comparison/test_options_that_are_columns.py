"""Options of `pc.compare` and `pc.interval` that are columns.

Arrays as `groups=` of `pc.compare(y, a, b)` were compared with a default, which NumPy refuses; the
old tests called `pc.compare.cases`. Curves forgot the names of pandas' rows, and took groups in
another order by position.
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc
from tests.peers import peer

pandas, polars = peer("pandas"), peer("polars")

RNG = np.random.default_rng(0)
LABELS = (RNG.random(120) < 0.3).astype(int)
FIRST, SECOND = (RNG.random(120) + share * LABELS for share in (0.5, 0.3))
GROUPS = np.repeat(np.arange(40), 3)


@pytest.mark.parametrize("column", ["array", "Series", "Categorical", "polars"])
def test_groups_and_weights_of_two_systems_may_be_any_column(column: str) -> None:
    make = {
        "array": np.asarray,
        "Series": lambda values: pandas.Series(values),
        "Categorical": lambda values: pandas.Categorical(values),
        "polars": lambda values: polars.Series(values),
    }[column]
    found = pc.compare(LABELS, FIRST, SECOND, "AUC", groups=make(GROUPS))
    assert found == pc.compare.cases(LABELS, FIRST, SECOND, "AUC", groups=GROUPS)
    curves = pc.curve(LABELS, FIRST), pc.curve(LABELS, SECOND)
    assert pc.compare(*curves, "AUC", groups=make(GROUPS)).p == found.p
    if column != "Categorical":
        weights = np.linspace(0.5, 1.5, 120)
        weighed = pc.compare(LABELS, FIRST, SECOND, "AUC", weights=make(weights))
        assert weighed == pc.compare.cases(LABELS, FIRST, SECOND, "AUC", weights=weights)


@pytest.mark.filterwarnings("ignore::precall.core.notes.of_intervals.SkewedGroupsWarning")
def test_curves_keep_the_names_of_rows() -> None:
    rows = [f"i{number}" for number in range(120)]
    label, first, second, group = (
        pandas.Series(values, index=rows) for values in (LABELS, FIRST, SECOND, GROUPS)
    )
    curve = pc.curve(label, first)
    in_order = pc.interval(curve, "AUC", groups=group)
    assert in_order == pc.interval(pc.curve(LABELS, FIRST), "AUC", groups=GROUPS)
    turned = group[::-1]
    with pytest.raises(pc.UsageError, match=r"relevant and groups: both name the rows"):
        pc.interval(curve, "AUC", groups=turned)
    with pytest.raises(pc.UsageError, match=r"relevant and groups: both name the rows"):
        pc.compare(curve, pc.curve(label, second), "AUC", groups=turned)
    # An array has no names, and is taken by position.
    assert pc.interval(curve, "AUC", groups=group.to_numpy()) == in_order
