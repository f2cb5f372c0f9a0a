"""Rooms that were slow, before and now: the table of the issue that named them, its calls at its
sizes.

Every call runs in child processes, in turns with an installation of another version: processor
seconds, the least of all runs, and bytes a case at the peak, beyond what was there before. Of
commands: whole processes, less those of a small file. A row is met where the ratio of both versions
is at most that of the seconds wanted to those of the issue's day, or, where the issue says so, a
ratio to another part in this run. `python bench/rooms.py --against FOLDER [--only ROW ...]`
"""

from __future__ import annotations

import argparse
import fnmatch
import itertools
import json
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import growth
import record
import timing

if TYPE_CHECKING:
    from rooms_calls import Room

#: Runs of one call in one child go on for so many seconds; a part that took longer than
#: `timing.SLOW` is run once only.
BUDGET = 0.5
#: On so small data a call is made first, so that nothing is imported while it is measured.
SMALL = 50
#: Versions; the other one may be missing.
NEW, OLD = "new", "old"
#: What the least of all runs is taken of; `start` is taken off.
LEAST = ("seconds", "start", "bytes")

Taken = dict[str, Any]


def given(n: int) -> Any:
    """Data of `n`, whose files all children share."""
    from growth_data import Data

    data = Data(n)
    data.folder = Path(os.environ["PRECALL_ROOMS"]) / str(n)
    data.folder.mkdir(exist_ok=True)
    return data


def child(row: str, part: str, small: bool) -> Taken:
    """A call in this process; what the version that is imported here cannot do is said."""
    try:
        from rooms_calls import ROWS

        room = ROWS[row][part]
        assert not isinstance(room.make, tuple)
        data = given(SMALL if small else room.n)
        taken = growth.measured(room.make, given(SMALL), data, 0 if small else BUDGET)
        return taken | {"room": room.room(data) if room.room else None}
    except Exception as error:
        return {"failed": f"{type(error).__name__}: {error}".splitlines()[0]}


def called(row: str, part: str, env: Mapping[str, str], small: bool) -> Taken:
    """The same in a child of its own."""
    typed = [sys.executable, __file__, "--child", row, part, *(["--small"] if small else [])]
    taken: Taken = json.loads(timing.once(timing.Job(part, typed, env))[3].splitlines()[-1])
    return taken


def command(*typed: str) -> tuple[float, int]:
    """Processor seconds and peak of a command. Linux counts to a process what its parent had: so
    this one is small.
    """
    _, seconds, peak, _ = timing.once(
        timing.Job(typed[0], [sys.executable, "-W", "ignore", "-m", "precall", *typed])
    )
    return seconds, peak


def ran(part: str, room: Room, env: Mapping[str, str], small: bool) -> Taken:
    """A command, less the same one on a small file."""

    def once(n: int) -> tuple[float, int]:
        data = given(n)
        typed = [data.file(one[:-1]) if one.endswith(":") else one for one in room.make]  # type: ignore[union-attr]
        typed = [str(data.folder / one) if one == "page.html" else one for one in typed]
        whole = timing.Job(part, [sys.executable, __file__, "--command", *typed], env)
        seconds, peak = json.loads(timing.once(whole)[3])
        return seconds, peak

    seconds, peak = once(SMALL if small else room.n)
    start = once(room.small) if room.small else (0.0, peak)
    wanted = room.room(given(SMALL)) if room.room else None
    return {
        "seconds": seconds,
        "start": start[0],
        "bytes": peak - start[1] if room.small else None,
        "room": wanted,
    }


def in_turns(
    row: str, part: str, room: Room, envs: Mapping[str, Mapping[str, str]], repeat: int, small: bool
) -> Taken:
    """Least seconds and bytes of each version, which run in turns."""
    least: dict[str, Taken] = {}
    for _ in range(repeat):
        for version, env in envs.items():
            known = least.get(version)
            if (version == OLD and not room.ours) or (
                known and ("failed" in known or known["seconds"] > timing.SLOW)
            ):
                continue
            taken = (
                ran(part, room, env, small)
                if isinstance(room.make, tuple)
                else called(row, part, env, small)
            )
            if known and "failed" not in taken:
                taken |= {
                    what: min(known[what], taken[what])
                    for what in ("seconds", "bytes")
                    if taken[what] is not None
                }
            least[version] = taken
    return least


def seconds(taken: Taken, version: str) -> float | None:
    """Of a version that ran and did not fail, the start-up taken off."""
    found = taken.get(version, {})
    return (
        max(found["seconds"] - found.get("start", 0.0), growth.TICK) if "seconds" in found else None
    )


def verdict(room: Room, taken: Taken, of_row: Mapping[str, Taken]) -> tuple[str, bool | None]:
    """What is wanted, and whether it is met; None where nothing is, or what it is held against did
    not run.
    """
    new, old = seconds(taken, NEW), seconds(taken, OLD)
    if room.beside:
        factor, name = room.beside
        base = seconds(of_row.get(name, {}), NEW)
        known = new is not None and base is not None
        is_ = f", is {new / base:.2g}" if known else ""  # type: ignore[operator]
        return f"{factor:.2g} x {name}{is_}", new <= factor * base if known else None  # type: ignore[operator]
    if room.today is None or room.wanted is None:
        return "", None
    ratio = room.wanted / room.today
    return f"{ratio:.2g}", None if new is None or old is None else new / old <= ratio


HEADING = [
    "part",
    "n",
    "old s",
    "new s",
    "new/old",
    "wanted",
    "met",
    "old B",
    "new B",
    "wanted B",
    "met",
]
MET = {True: "yes", False: "NO", None: ""}


def line(part: str, room: Room, of_row: Mapping[str, Taken], n: int) -> list[str]:
    """A line of the table; bytes are those of a case."""
    taken = of_row[part]
    new, old = seconds(taken, NEW), seconds(taken, OLD)
    wanted, met = verdict(room, taken, of_row)
    most = taken.get(NEW, {}).get("room")
    each = {version: taken.get(version, {}).get("bytes") for version in (OLD, NEW)}
    a_case = {version: None if value is None else value / n for version, value in each.items()}
    within = None if most is None or a_case[NEW] is None else a_case[NEW] <= most
    return [
        part,
        f"{n:,}",
        *("" if one is None else f"{one:.3g}" for one in (old, new)),
        f"{new / old:.2g}" if new and old else "",
        wanted,
        MET[met],
        *("" if one is None else f"{one:.0f}" for one in (a_case[OLD], a_case[NEW], most)),
        MET[within],
    ]


def arguments() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument(
        "--against",
        type=Path,
        help="folder with the other version, as pip install --target leaves it",
    )
    parser.add_argument("--records", type=Path, default=record.HERE / "records")
    parser.add_argument("--only", action="append", help="rows, * for any end; repeat for more")
    parser.add_argument(
        "--repeat", type=int, default=3, help="children of each version and part (default 3)"
    )
    parser.add_argument("--quick", action="store_true", help="small sizes, and no record")
    return parser.parse_args()


def measured(row: str, envs: Mapping[str, Mapping[str, str]], options: argparse.Namespace) -> Taken:
    """A row of the issue, printed as a table of its parts."""
    from rooms_calls import ROWS

    parts, taken, failed = ROWS[row], {}, []
    for part, room in parts.items():
        taken[part] = in_turns(row, part, room, envs, options.repeat, options.quick)
        sys.stderr.write(f"{row}: {part}\n")
    lines = [
        line(part, room, taken, SMALL if options.quick else room.n) for part, room in parts.items()
    ]
    print(record.table(f"rooms: {row}", HEADING, lines), flush=True)
    for part, version in itertools.product(taken, envs):
        if text := taken[part].get(version, {}).get("failed"):
            failed.append(f"{part}, {version}: {text}")
    print("".join(f"failed: {one}\n" for one in failed), end="")
    return {"parts": taken, "table": [HEADING, *lines], "failed": failed}


def main() -> None:
    """Measure, print and record."""
    from rooms_calls import ROWS

    options = arguments()
    envs = {NEW: {"PYTHONPATH": os.environ.get("PYTHONPATH", "")}}
    if options.against:
        envs[OLD] = {"PYTHONPATH": str(options.against.resolve())}
    rows = [row for row in ROWS if any(fnmatch.fnmatch(row, one) for one in options.only or ["*"])]
    with tempfile.TemporaryDirectory() as place:
        os.environ.update(growth.ALONE, PRECALL_ROOMS=place)
        results = {row: measured(row, envs, options) for row in rows}
    if not options.quick:
        print("record:", record.write(options.records, "rooms", results))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        print(json.dumps(child(*sys.argv[2:4], small="--small" in sys.argv)))
    elif sys.argv[1:2] == ["--command"]:
        print(json.dumps(command(*sys.argv[2:])))
    else:
        main()
