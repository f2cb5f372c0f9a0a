"""What an item of a document is: source → place and words → call → number, and the command with the
line that it prints.
"""

from __future__ import annotations

from typing import NamedTuple


class Item(NamedTuple):
    """One item: where it stands, its name, the call and its number, or several; a command and the
    lines that it prints.
    """

    place: str
    """Where it stands, and a few words of it: in quotation marks they are the document's."""
    name: str
    call: str
    number: str
    """Of the document, with the digits that are compared; or what is right where it errs, and
    `place` says so.
    """
    command: str = ""
    prints: str = ""
    """Words that stand side by side in a line of what the command prints; a slash parts lines."""


class Source(NamedTuple):
    """A document: its title, the data of its examples as lines of Python, and the files that
    commands read, and items.
    """

    title: str
    data: str
    files: dict[str, str]
    """Name of a file: an expression of its columns, by name, or of its lines, in terms of the
    data.
    """
    items: tuple[Item, ...]
