"""Areas of cases that are too few or of one kind have no interval, and say why. Coverage by lines
found that no test reached this.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import precall as pc
from precall.core.notes.of_intervals import UndefinedInterval, UndefinedMeasure
from tests.noticed import noticed

SCORES = [float(score) for score in range(10)]
BOTH, LONE = [0, 1] * 5, [1] + [0] * 9


def _part(labels: list[int], **more: Any) -> Any:
    return pc.interval.partial_area_under_roc(labels, SCORES, 0.5, **more)


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize(
    ("ask", "why"),
    [
        (lambda: pc.interval.average_precision([0] * 10, SCORES, missed=3), "no relevant case"),
        (lambda: _part([0] * 10), "nothing is relevant"),
        (lambda: _part([1] * 10), "there is no other case"),
    ],
)
def test_an_area_of_one_kind_is_undefined(ask: Callable[[], Any], why: str) -> None:
    found = ask()
    assert math.isnan(found.estimate)
    assert (found.low, found.high) == (None, None)
    (note,) = noticed(found, UndefinedMeasure)
    assert note.reason.startswith(why)


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize(
    ("ask", "value"),
    [
        (lambda: _part(BOTH, groups=[1] * 10), 0.18),
        (lambda: _part(LONE), 0.0),
        (lambda: _part(LONE, groups=range(10)), 0.0),
    ],
)
def test_a_part_of_an_area_without_variance_has_no_interval(
    ask: Callable[[], Any], value: float
) -> None:
    found = ask()
    assert found.estimate == pytest.approx(value)
    assert (found.low, found.high) == (None, None)
    assert noticed(found, UndefinedInterval)
