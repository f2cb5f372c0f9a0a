"""A fault that one door refuses, every door refuses; one that is noted is noted at all (docs/reference/doors.md)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("polars")
pytest.importorskip("pyarrow")
doors = pytest.importorskip("tests.doors")
DOORS, FAULTS, NONE, outcome = doors.DOORS, doors.FAULTS, doors.NONE, doors.outcome

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_comes_to_the_same_at_every_door(fault: str, door: str) -> None:
    assert outcome(fault, door) in (FAULTS[fault].outcome, NONE)


@pytest.mark.parametrize("fault", FAULTS)
def test_most_doors_can_hold_a_fault(fault: str) -> None:
    assert sum(outcome(fault, door) != NONE for door in DOORS) >= 8


@pytest.mark.skipif(not (ROOT / "docs").is_dir(), reason="the docs are not here")
def test_the_table_is_current(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(ROOT / "docs" / "door_page.py"), str(tmp_path)], check=True, cwd=ROOT)
    kept = (ROOT / "docs" / "reference" / "doors.md").read_text(encoding="utf-8")
    assert (tmp_path / "doors.md").read_text(encoding="utf-8") == kept, "python docs/door_page.py"
