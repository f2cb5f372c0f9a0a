"""Average precision of many groups in one call: each is that of its cases alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_curves import UndefinedGroups
from tests.noticed import warned


@pytest.mark.parametrize("kind", [int, str, "pandas", "polars", tuple])
def test_each_group_is_as_if_alone(kind: Any) -> None:
    draw = np.random.default_rng(3)
    truth, score, group = (
        draw.random(900) < 0.3,
        np.round(draw.normal(size=900), 1),
        draw.integers(0, 40, 900),
    )
    given: Any = group if kind is int else [f"g{one}" for one in group.tolist()]
    if kind in ("pandas", "polars"):
        given = pytest.importorskip(kind).Series(given)
    if kind is tuple:
        given = tuple(given)
    values = pc.average_precision(truth, score, groups=given)
    assert len(values) == 40
    for number in range(40):
        mine = group == number
        label = number if kind is int else f"g{number}"
        assert values[label] == pc.average_precision(truth[mine], score[mine])


def test_a_group_without_relevant_cases_is_undefined_and_said() -> None:
    with warned(UndefinedGroups) as told:
        values = pc.average_precision([1, 0, 0], [1.0, 2.0, 3.0], groups=[1, 1, 2])
    assert values[1] == 0.5 and np.isnan(values[2])
    assert [note.values for note in told] == [
        {"undefined": 1, "groups": 2, "reason": "nothing is relevant"}
    ]


def test_low_scores_may_be_good_and_labels_may_be_words() -> None:
    values = pc.average_precision(
        ["y", "n", "n", "y"],
        [1.0, 2.0, 1.0, 2.0],
        positive="y",
        higher_is_better=False,
        groups=["a", "a", "b", "b"],
    )
    assert values == {"a": 1.0, "b": 0.5}


@pytest.mark.parametrize(
    ("more", "what"),
    [({"missed": 1}, "missed items and weights"), ({"weights": [1, 1]}, "missed items")],
)
def test_what_is_of_one_list_is_refused(more: Any, what: str) -> None:
    with pytest.raises(pc.UsageError, match=what):
        pc.average_precision([1, 0], [1.0, 2.0], groups=[1, 2], **more)


def test_groups_of_another_length() -> None:
    with pytest.raises(pc.UsageError, match="groups: must be one per item"):
        pc.average_precision([1, 0], [1.0, 2.0], groups=[1])
