"""Scored cases on Spark, however they are shuffled and split, have the numbers of one machine, to
the bit, on both routes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import precall as pc
from precall.native import kernel, twin
from tests.laws.routes import ASKED, by, cases, numbers

pa = pytest.importorskip("pyarrow", reason="NOT TESTED: precall.spark, as PyArrow is not installed")
ROUTES = ("gaps", "range")


def tables(truth: Any, score: Any, part: Any) -> list[Any]:
    """A table for each part, some of them without any case."""
    return [pa.table({"y": truth[part == each], "s": score[part == each]}) for each in range(6)]


@settings(max_examples=60, deadline=None)
@given(cases(), st.integers(1, 20))
def test_by_tasks_of_this_process(given: tuple[Any, Any, Any], rows: int) -> None:
    import precall.spark as ps
    from tests.spark.local_frames import LocalFrame

    wanted = numbers(pc.curve(*given[:2]))
    for each in {kernel(), twin}:
        for route in ROUTES:
            with by(each):
                made = ps.curve(LocalFrame(tables(*given), rows), "y", "s", route=route, **ASKED)
                assert numbers(made) == wanted, route


@settings(max_examples=3, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(cases(), st.integers(1, 4))
def test_by_spark(session: Any, given: tuple[Any, Any, Any], parts: int) -> None:
    import precall.spark as ps

    truth, score, _ = given
    frame = session.createDataFrame(pa.table({"y": truth, "s": score})).repartition(parts)
    for route in ROUTES:
        assert numbers(ps.curve(frame, "y", "s", route=route, **ASKED)) == numbers(
            pc.curve(truth, score)
        ), route


def test_parts_have_all_cases() -> None:
    truth, score = np.array([True, False, True]), np.arange(3.0)
    assert sum(map(len, tables(truth, score, np.array([5, 0, 5])))) == 3
