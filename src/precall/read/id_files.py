"""Files with one id a line: the ids of a list in their order, and problems with them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Set
from functools import partial
from typing import Any

from precall.core.errors import Among, DataError, Kind, Many, Mistake, UsageError, empty_path
from precall.core.text import MARK, is_utf8
from precall.read import values
from precall.read.columns import Ids
from precall.read.problems import IDS, NOT_UTF8, NUL, PADDING, Findings, nothing_in
from precall.read.sources import contents, label_of

#: Fields, separated as in TREC text.
_FIELD = re.compile(rb"[^ \t\r]+")
_ALONE = (
    "write one id a line, without blanks inside; of qrels and runs make `precall eval QRELS RUN`"
)


def read_ids(path: str) -> list[str]:
    """The ids in a file, one a line, in its order.

    Blanks around an id and blank lines are no part of it, as in TREC text.

    Parameters
    ----------
    path : of text in UTF-8, perhaps compressed; `-` is standard input.

    Raises
    ------
    DataError
        There is no id, one stands there twice, or a line is something else; all problems are
        listed, up to 20.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "ranked.txt"
    ...     _ = path.write_text("x\\na\\ny\\n")
    ...     read_ids(str(path))
    ['x', 'a', 'y']
    """
    if not path:
        raise empty_path()
    label = label_of(path)
    read = partial(ids_of_lines, label)
    return read(contents(path, label, read))


def ids_of_lines(label: str, data: bytes) -> list[str]:
    """The ids in a text of one id a line; see `read_ids`."""
    data = data.removeprefix(MARK)
    problems = _Problems(label)
    ids: list[str] = []
    # Lines are checked one by one only if something is wrong with the text.
    is_text = is_utf8(data)
    for line, text in enumerate(data.split(b"\n"), 1):
        fields = _FIELD.findall(text)
        if not fields:
            continue
        if b"\0" in text:
            problems.add(line, NUL)
        elif not (is_text or is_utf8(text)):
            problems.add(line, NOT_UTF8)
        elif len(fields) > 1:
            allowed = Among("a list has", ["one id a line"])
            mistake = Mistake("{got}", _ALONE, got=Many(len(fields), "field"), allowed=allowed)
            problems.add(line, mistake, "fields")
        else:
            ids.append(fields[0].decode())
            problems.add_id(line, ids[-1])
    problems.check(bool(ids))
    return ids


def checked_ids(ids_given: object, name: str, ordered: bool = False) -> list[str]:
    """Ids as texts: strings and integers, each once, in order. The ids of a set are sorted; a set
    is refused if `ordered`.

    Examples
    --------
    >>> checked_ids(["b", 7], "ranked"), checked_ids({"b", "a"}, "relevant")
    (['b', '7'], ['a', 'b'])
    """
    if isinstance(ids_given, bytes | Mapping) or not isinstance(ids_given, Iterable):
        remedy = "give the ids in a list; of grades and scores make pc.evaluate"
        raise UsageError(
            argument=name,
            allowed="ids or the path of a file of them",
            got=Kind(ids_given),
            remedy=remedy if isinstance(ids_given, Mapping) else "",
        )
    if isinstance(ids_given, Set) and ordered:
        raise UsageError(
            argument=name,
            allowed="in order",
            got=Kind(ids_given),
            why="which has none",
            remedy="give a list",
        )
    problems = _Problems(name)
    ids: list[str] = []
    for position, value in enumerate(values.as_list(ids_given), 1):
        text = values.identifier(value, name)
        if not isinstance(text, str):
            if isinstance(value, str) and not value:
                mistake = Mistake(
                    "is an empty text, which is no id", "name it, or remove it", got=value
                )
            else:
                mistake = Mistake(
                    "is {got}", "write it as a string", got=values.Typed(value), allowed=IDS
                )
            problems.add(position, mistake, f"{mistake.what} {type(value).__name__}")
            continue
        ids.append(text)
        problems.add_id(position, text)
    problems.check(bool(ids))
    if len(rows := Ids.of(ids).padding()):
        mistake = Mistake(
            "id {got} is among ids that are whole numbers from 0 on", PADDING, got="-1"
        )
        problems.add(int(rows[0]) + 1, mistake)
        problems.check(True)
    # Sorted, as the order of a set differs between processes.
    return sorted(ids) if isinstance(ids_given, Set) else ids


class _Problems:
    """Problems of a list, and where each id first occurs."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._findings = Findings()
        self._first: dict[str, int] = {}

    def add(self, line: int, mistake: Mistake, kind: str = "") -> None:
        """Add a mistake; those of the same `kind` differ only in their values."""
        self._findings.add(line, mistake, kind or mistake.what)

    def add_id(self, line: int, item: str) -> None:
        first = self._first.setdefault(item, line)
        if first != line:
            remedy = PADDING if item == "-1" else "remove one of them"
            mistake = Mistake(
                "id {got} is there twice (first at {first})", remedy, got=item, first=first
            )
            self.add(line, mistake, f"twice; {remedy}")

    def check(self, any_id: bool) -> None:
        """Raise if anything is wrong."""
        if not any_id and not self._findings.total:
            self.add(0, nothing_in("id", "a list has"))
        if self._findings.total:
            facts: Any = self._findings.merge()
            problems = [
                mistake.of(self._label, line or None, kind=kind if line else None)
                for line, mistake, kind in facts.problems
            ]
            raise DataError(problems, facts.total)
