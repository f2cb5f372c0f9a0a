"""Retrieved sets, which have no order: measures of sets take them, others refuse them."""

from __future__ import annotations

from typing import Any

import pytest

import precall as pc
from precall.core.errors import DataError

GOLD = {"q1": {"a", "b"}, "q2": {"c"}}


@pytest.mark.parametrize(
    "found",
    [{"q1": {"a", "x"}, "q2": {"c", "y", "z"}}, {"q1": frozenset("ax"), "q2": ["c", "y", "z"]}],
)
def test_sets_are_measured(found: Any) -> None:
    report = pc.evaluate(GOLD, found, ["SetP", "SetR", "SetF", "SetAP", "NumRet"])
    listed = {topic: sorted(items) for topic, items in found.items()}
    assert dict(report.mean) == dict(pc.evaluate(GOLD, listed, [*report.measures]).mean)
    assert report.mean["SetP"] == pytest.approx((1 / 2 + 1 / 3) / 2)
    assert report.mean["SetR"] == 0.75


def test_lists_of_sets_and_several_runs() -> None:
    lists = pc.evaluate([["a", "b"], ["c"]], [{"a"}, {"c", "d"}], ["SetP"])
    assert lists.mean["SetP"] == 0.75
    several = pc.evaluate(
        GOLD, {"one": {"q1": {"a"}, "q2": {"c"}}, "two": {"q1": {"x"}, "q2": {"c"}}}, "SetP"
    )
    assert (several.mean["one", "SetP"], several.mean["two", "SetP"]) == (1, 0.5)


@pytest.mark.parametrize(
    ("measures", "options"),
    [
        (["SetP", "P@2"], {}),
        (["AP"], {}),
        (None, {}),
        (["SetP"], {"depth": 1}),
    ],
)
def test_where_the_order_counts_sets_are_refused(measures: Any, options: dict[str, Any]) -> None:
    with pytest.raises(DataError, match="no order"):
        pc.evaluate(GOLD, {"q1": {"a"}, "q2": {"c"}}, measures, **options)
