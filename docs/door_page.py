"""docs/reference/doors.md, made by the tests: `python docs/door_page.py [FOLDER]`, in the root of
the repository.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from precall.results.forms import pipes  # noqa: E402
from tests.doors import SUBJECTS, Subject  # noqa: E402
from tests.doors.subject import NONE, Fault  # noqa: E402

_HEAD = """<!-- Written by `python docs/door_page.py`; do not edit. -->
# One fault, every door

precall reads data in many forms: files, tables of several libraries, and lists. This page calls each way in a *door*. A fault in the data has the
same outcome at every door:

* refused: there is an error;
* taken: the data are used;
* undefined: the value is NaN, with a note that says why;
* the kind of a [note](../notes.md), such as `ids-unlike`: the data are used, and the result has this note.

For example, each door for runs refuses a score that is NaN. Tests gave the same data to each door, and recorded these tables. If doors differ on
purpose, a number in brackets leads to the reason.
"""  # noqa: E501
#: More doors that cannot hold something are counted.
_MOST = 8


def page() -> str:
    """The text of the page."""
    return "\n".join([_HEAD, *map(_section, SUBJECTS.values())])


def _section(subject: Subject) -> str:
    rows, reasons = (
        [],
        list(
            dict.fromkeys(each.elsewhere.why for each in subject.faults.values() if each.elsewhere)
        ),
    )
    for name, fault in subject.faults.items():
        found = {door: subject.come(name, door).outcome for door in subject.doors}
        there = {door: came for door, came in found.items() if came != NONE}
        lacking = [door for door in found if door not in there]
        rows.append([name, _outcome(fault, there, reasons), str(len(there)), _cannot(lacking)])
    doors = "; ".join(subject.doors)
    table = pipes(["fault", "outcome", "doors", "doors that cannot hold it"], rows, "llrl")
    why = "".join(
        f"\n{number}. {text[:1].upper()}{text[1:]}." for number, text in enumerate(reasons, 1)
    )
    why = f"\nReasons:\n{why}\n" if reasons else ""
    return (
        f"## {subject.title}\n\n{subject.text}The {len(subject.doors)} doors are: {doors}.\n\n"
        f"{table}\n{why}"
    )


def _outcome(fault: Fault, found: dict[str, str], reasons: list[str]) -> str:
    """What came, and what came elsewhere, with the number of its reason."""
    usual = ", ".join(sorted({came for door, came in found.items() if fault.is_usual(door)}))
    other = fault.elsewhere
    if other is None:
        return usual
    there = ", ".join(sorted({came for door, came in found.items() if not fault.is_usual(door)}))
    return f"{usual}; {other.called}: {there} ({reasons.index(other.why) + 1})"


def _cannot(lacking: list[str]) -> str:
    return f"{len(lacking)} others" if len(lacking) > _MOST else "; ".join(lacking)


if __name__ == "__main__":
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "reference"
    (place / "doors.md").write_text(page(), encoding="utf-8", newline="\n")
