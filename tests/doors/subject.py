"""What each subject of the table has: doors, faults, and what is to become of each fault at every
door.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Collection, Mapping
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import precall as pc
from precall.cli.main import run
from precall.core.notes import run_and_collect
from tests.peers import peer

pl = peer("polars")
pa = peer("pyarrow")

#: What cannot stand at a door at all, such as a pair twice in a dict.
NONE = "-"
REFUSED, TAKEN = "refused", "taken"
#: By a note, whose kind says of what.
UNDEFINED = "undefined"
#: What libraries raise where they cannot hold something.
_CANNOT = (OverflowError, TypeError, ValueError, pa.ArrowException, pl.exceptions.PolarsError)


class Difference(NamedTuple):
    """What is right at some doors, and not at others."""

    doors: Collection[str]
    called: str
    """All of these doors in a word or two."""
    outcome: str
    why: str


class Fault(NamedTuple):
    """What is given, perhaps with something wrong, and what is to become of it."""

    given: Any
    """Rows of a run or of qrels, or columns."""
    outcome: str
    """Refused, taken, or the kinds of notes."""
    asked: Mapping[str, Any] = {}
    """What the reader is asked for."""
    elsewhere: Difference | None = None

    def but(self, elsewhere: Difference) -> Fault:
        """The same with what is right elsewhere."""
        return self._replace(elsewhere=elsewhere)

    def expected(self, door: str) -> str:
        """What is to become of it at a door."""
        return (
            self.outcome
            if self.elsewhere is None or self.is_usual(door)
            else self.elsewhere.outcome
        )

    def is_usual(self, door: str) -> bool:
        """Whether it comes to the same there as at most doors."""
        return self.elsewhere is None or door not in self.elsewhere.doors


class Door(NamedTuple):
    """A form that data come in, and the call that takes it."""

    hold: Callable[[Fault, Path], Any]
    """What is given, perhaps a file in the folder; None where the form cannot hold it."""
    take: Callable[[Any, Fault], Any]
    """The numbers that are made of it."""


class Came(NamedTuple):
    """What became of a fault at a door."""

    outcome: str
    """As expected, or that it cannot stand there."""
    values: Any = None
    """The numbers, if it was not refused."""


class Subject(NamedTuple):
    """One part of the table."""

    title: str
    text: str
    """What stands before its doors."""
    doors: Mapping[str, Door]
    faults: Mapping[str, Fault]
    kinds: Collection[str] | None = None
    """Kinds of notes that are told of; None for all."""

    def come(self, name: str, door: str) -> Came:
        """What becomes of a fault at a door."""
        return _come(self.doors[door], self.faults[name], self.kinds)


def _come(door: Door, fault: Fault, kinds: Collection[str] | None) -> Came:
    with tempfile.TemporaryDirectory() as folder:
        try:
            given = door.hold(fault, Path(folder))
        except _CANNOT:
            return Came(NONE)
        if given is None:
            return Came(NONE)
        try:
            values, notes = run_and_collect(lambda: door.take(given, fault))
        except (pc.DataError, pc.UsageError):
            return Came(REFUSED)
    there = [note.kind for note in notes if kinds is None or note.kind in kinds]
    told = dict.fromkeys(UNDEFINED if kind.startswith("undefined-") else kind for kind in there)
    return Came(", ".join(told) or TAKEN, values)


def command(*arguments: str) -> Any:
    """What a command prints as JSON; an error of it is a refusal."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run([*arguments, "--format", "json"])
    if code in (1, 2):
        raise pc.DataError([])
    assert code == 0, err.getvalue()
    return json.loads(out.getvalue())
