"""docs/reference/doors.md, made by the tests: `python docs/door_page.py [FOLDER]`, in the root of the repository."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from precall.sheet.printing import pipes  # noqa: E402
from tests.doors import DOORS, FAULTS, NONE, outcome  # noqa: E402

_HEAD = """<!-- Written by `python docs/door_page.py`; do not edit. -->
# One fault, every door

Runs and qrels come in many forms, and a fault comes to the same in each: it is refused by an error, noted by a
[note](../notes.md) of the kind that stands here, or taken. The table is what the tests did with the same rows at each door;
"-" is what a form cannot hold, such as an item twice in a dict.
"""


def page() -> str:
    """The text of the page."""
    rows = []
    for fault in FAULTS:
        found = {door: outcome(fault, door) for door in DOORS}
        lacking = [door for door, came in found.items() if came == NONE]
        came = dict.fromkeys(came for came in found.values() if came != NONE)
        rows.append([fault, ", ".join(came), str(len(DOORS) - len(lacking)), ", ".join(lacking) or ""])
    doors = ", ".join(DOORS)
    table = pipes(["what is given", "what becomes of it", "doors", "cannot hold it"], rows, "llrl")
    return f"{_HEAD}\nThe doors are {doors}.\n\n{table}\n"


if __name__ == "__main__":
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "reference"
    (place / "doors.md").write_text(page(), encoding="utf-8", newline="\n")
