"""However cases are shuffled, split and merged, and whichever kernel counts them, the numbers are
equal to the bit.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

import precall as pc
from precall.native import kernel, twin
from tests.laws.routes import by, cases, numbers, scanned


@pytest.mark.nightly
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(cases())
def test_all_routes_of_one_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: tuple[Any, Any, Any]
) -> None:
    from precall.cases import scanning

    monkeypatch.setattr(scanning, "LEAST", 5)
    truth, score, part = given
    with by(twin):
        wanted = numbers(pc.curve(truth, score))
    for each in {kernel(), twin}:
        with by(each):
            assert numbers(pc.curve(truth, score)) == wanted
            for route, curve in scanned(truth, score, part, tmp_path):
                assert numbers(curve) == wanted, (route, each)
