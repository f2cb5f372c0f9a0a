"""`bench/rooms.py`: what it says of two versions is right, and every part can be called."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import precall
from tests.peers import peer

BENCH = Path(__file__).resolve().parents[2] / "bench"
HERE = Path(precall.__file__).parents[1]

for needed in ("sklearn", "polars"):
    peer(needed, f"{needed} is not installed: calls that need it were not made")


@pytest.fixture(autouse=True)
def found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))


def taken(new: float, old: float | None = None, **more: float) -> dict[str, dict[str, float]]:
    both = {"new": {"seconds": new, **more}}
    return both if old is None else both | {"old": {"seconds": old, **more}}


def test_what_a_part_is_held_against_is_another_of_its_row():
    from rooms_calls import ROWS

    assert len(ROWS) == 18 and sum(map(len, ROWS.values())) > 80
    for row, parts in ROWS.items():
        for part, room in parts.items():
            assert room.beside is None or room.beside[1] in parts, (row, part)
            assert (room.wanted is None) or (room.today is not None and room.wanted < room.today), (
                row,
                part,
            )


def test_met_is_a_ratio_to_the_other_version_or_to_another_part():
    from rooms import verdict
    from rooms_calls import Room

    halved = Room(("about",), 1, today=10.0, wanted=5.0)
    assert verdict(halved, taken(1.0, 2.0), {}) == ("0.5", True)
    assert verdict(halved, taken(1.1, 2.0), {}) == ("0.5", False)
    assert verdict(halved, taken(1.1), {}) == ("0.5", None)
    assert verdict(halved, {"new": {"failed": "x"}, "old": {"seconds": 1.0}}, {}) == ("0.5", None)  # type: ignore[dict-item]
    assert verdict(halved, taken(1.4, 2.0, start=0.5), {}) == ("0.5", False), (
        "0.9 to 1.5, beyond the start-up"
    )
    assert verdict(halved, taken(1.2, 2.0, start=0.5), {}) == ("0.5", True)
    twice = Room(("about",), 1, today=10.0, wanted=5.0, beside=(2.0, "plain"))
    assert verdict(twice, taken(3.0, 3.0), {"plain": taken(1.5)}) == ("2 x plain, is 2", True)
    assert verdict(twice, taken(3.1, 9.0), {"plain": taken(1.5)}) == ("2 x plain, is 2.1", False)
    assert verdict(twice, taken(3.1, 9.0), {}) == ("2 x plain", None)
    assert verdict(Room(("about",), 1), taken(1.0, 2.0), {}) == ("", None)


def test_bytes_are_those_of_a_case():
    from rooms import line
    from rooms_calls import Room

    row = {
        "part": {
            "new": {"seconds": 1.0, "bytes": 300, "room": 40},
            "old": {"seconds": 2.0, "bytes": 900},
        }
    }
    cells = ["part", "10", "2", "1", "0.5", "", "", "90", "30", "40", "yes"]
    assert line("part", Room(("about",), 10), row, 10) == cells
    assert line("part", Room(("about",), 10), row, 5)[-4:] == ["180", "60", "40", "NO"]


def test_what_a_version_cannot_do_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    import rooms_calls
    from rooms import child

    monkeypatch.setenv("PRECALL_ROOMS", str(tmp_path))
    monkeypatch.setattr(
        rooms_calls, "ROWS", {"row": {"part": rooms_calls.Room(lambda d: d.nothing, 60)}}
    )
    assert child("row", "part", True) == {
        "failed": "AttributeError: 'Data' object has no attribute 'nothing'"
    }


@pytest.mark.nightly
@pytest.mark.skipif(
    sys.platform != "linux", reason="peaks of memory were not measured: Linux tells them"
)
def test_quick(tmp_path: Path):
    asked = ["case tables", "null", "Located.pairs"]
    only = [part for name in asked for part in ("--only", name)]
    done = subprocess.run(
        [
            sys.executable,
            str(BENCH / "rooms.py"),
            "--quick",
            "--repeat",
            "1",
            "--against",
            str(HERE),
            *only,
        ],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(HERE)},
    )
    assert "failed" not in done.stdout, done.stdout
    tables = done.stdout.split("rooms: ")[1:]
    assert [table.splitlines()[0] for table in tables] == asked
    for table in tables:
        for cells in (row.split() for row in table.splitlines()[2:] if row):
            assert len(cells) >= 5, table
