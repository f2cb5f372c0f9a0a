"""Docstrings as they are written here, read: `name : what it is` is prose, and types are those of
the annotations.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

#: Sections whose lines are `name : prose`, continued by lines that are indented.
LISTS = ("Parameters", "Attributes")
#: Sections whose lines are a type, and under it, indented, prose.
TYPED = ("Returns", "Yields", "Raises", "Warns")
PROSE = ("Notes", "References", "See Also")
_ITEM = re.compile(r"(\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: : (.*))?$")


@dataclass(frozen=True)
class Item:
    """Names that are described together, and the lines that do."""

    names: tuple[str, ...]
    prose: tuple[str, ...]


@dataclass
class Docstring:
    """A docstring in its parts."""

    summary: str = ""
    body: list[str] = field(default_factory=list)
    lists: dict[str, list[Item]] = field(default_factory=dict)
    prose: dict[str, list[str]] = field(default_factory=dict)
    examples: list[str] = field(default_factory=list)

    def items(self, section: str) -> list[Item]:
        """The items of a section, none if there is none."""
        return self.lists.get(section, [])

    def names(self, section: str = "Parameters") -> list[str]:
        """What a section names, in its order."""
        return [name for item in self.items(section) for name in item.names]


def read(text: str | None) -> Docstring:
    """A docstring by its sections."""
    parts = _sections(inspect.cleandoc(text or "").splitlines())
    lead = parts.pop("")
    end = lead.index("") if "" in lead else len(lead)
    docstring = Docstring(" ".join(lead[:end]), lead[end + 1 :])
    for title, lines in parts.items():
        if title in LISTS:
            docstring.lists[title] = list(_named(lines))
        elif title in TYPED:
            docstring.lists[title] = list(_typed(lines))
        elif title == "Examples":
            docstring.examples = lines
        elif title in PROSE:
            docstring.prose[title] = lines
        else:
            raise ValueError(f"a docstring has a section {title!r}: {docstring.summary}")
    return docstring


def _sections(lines: list[str]) -> dict[str, list[str]]:
    parts: dict[str, list[str]] = {"": []}
    title, skipped = "", False
    for line, below in pairwise([*lines, ""]):
        if skipped:
            skipped = False
        elif line and below and set(below) == {"-"}:
            title, skipped = line, True
            parts[title] = []
        else:
            parts[title].append(line)
    return {name: _trimmed(part) for name, part in parts.items()}


def _trimmed(lines: list[str]) -> list[str]:
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    while lines and not lines[0].strip():
        lines = lines[1:]
    return lines


def _named(lines: list[str]) -> Iterator[Item]:
    names: tuple[str, ...] = ()
    prose: list[str] = []
    for line in lines:
        match = _ITEM.match(line)
        if match:
            if names:
                yield Item(names, tuple(_trimmed(prose)))
            names = tuple(name.strip(" *") for name in match[1].split(","))
            prose = [match[2]] if match[2] else []
        else:
            prose.append(line.removeprefix("    "))
    if names:
        yield Item(names, tuple(_trimmed(prose)))


def _typed(lines: list[str]) -> Iterator[Item]:
    head, prose = "", []
    for line in lines:
        if line and not line.startswith(" "):
            if head:
                yield Item((head,), tuple(_trimmed(prose)))
            head, prose = line, []
        else:
            prose.append(line.removeprefix("    "))
    if head:
        yield Item((head,), tuple(_trimmed(prose)))
