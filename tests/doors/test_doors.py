"""A fault that one door refuses, every door refuses; one that is noted is noted at all
(docs/reference/doors.md).
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.peers import peer

peer("polars")
peer("pyarrow")

doors = pytest.importorskip("tests.doors")
subject = pytest.importorskip("tests.doors.subject")

ROOT = Path(__file__).resolve().parents[2]
FAULTS = [(name, fault) for name, each in doors.SUBJECTS.items() for fault in each.faults]


@pytest.mark.nightly(keep=12)
@pytest.mark.parametrize(("name", "fault"), FAULTS)
def test_each_fault_comes_to_the_same_at_every_door(name: str, fault: str) -> None:
    asked = doors.SUBJECTS[name]
    wanted, came = asked.faults[fault], {door: asked.come(fault, door) for door in asked.doors}
    there = {door: each for door, each in came.items() if each.outcome != subject.NONE}
    assert {door: each.outcome for door, each in there.items()} == {
        door: wanted.expected(door) for door in there
    }
    assert len(there) >= 4
    # What is taken has the same numbers everywhere.
    for alike in (True, False):
        values = {
            door: repr(
                sorted(each.values.items()) if isinstance(each.values, dict) else each.values
            )
            for door, each in there.items()
            if each.outcome != subject.REFUSED and wanted.is_usual(door) is alike
        }
        assert len(set(values.values())) < 2, values


def what_becomes(table: str) -> list[str]:
    """Its lines without the cells of which doors can hold a value: the versions of their libraries
    differ in that.
    """
    return ["|".join(line.split("|")[:3]) for line in table.splitlines()]


@pytest.mark.nightly
@pytest.mark.skipif(not (ROOT / "docs").is_dir(), reason="the docs are not here")
def test_the_table_is_current(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, str(ROOT / "docs" / "door_page.py"), str(tmp_path)], check=True, cwd=ROOT
    )
    kept = (ROOT / "docs" / "reference" / "doors.md").read_text(encoding="utf-8")
    assert what_becomes((tmp_path / "doors.md").read_text(encoding="utf-8")) == what_becomes(
        kept
    ), "python docs/door_page.py"
