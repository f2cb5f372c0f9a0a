"""docs/why/documents.md from the table of items: `python -m tests.documents.page`."""

from __future__ import annotations

from pathlib import Path

from tests.documents.items import Item, Source
from tests.documents.sources import SOURCES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "why" / "documents.md"
_HEAD = """<!-- Written by `python -m tests.documents.page`; do not edit. -->
# What the documents define, and the call for it

Five documents define what this project computes, and two more define how systems are compared. Each line of this page is
one definition: its place in the document, the call and the command that compute it, and the number. The number is printed in the
document, or was computed by hand from its definition. If the document is wrong, the line says so and has the correct number;
[errata](errata.md) explains it. Only words in quotation marks are quoted from the documents.

Tests run every call and every command. `precall explain WORD` leads from a document's word to the call, and the
[glossary](../glossary.md) lists all words. For more, see the pages on [LingPipe](../coming-from/lingpipe.md),
[text categorization](../how-to/categories.md), [random selection](../how-to/chance.md) and [comparing](../how-to/compare.md).
"""  # noqa: E501


def page() -> str:
    """The text of the page."""
    return "\n".join([_HEAD, *map(_section, SOURCES)])


def _section(source: Source) -> str:
    lines = [f"## {source.title}\n", "```python", *_typed(source.data), "```\n"]
    if source.files:
        read = ", ".join(map(_file, source.files.items()))
        lines.append(f"The commands read these variables from files: {read}.\n")
    lines += [
        "| where in the document | item | call and command | number and printed line |",
        "| :-- | :-- | :-- | :-- |",
    ]
    return "\n".join([*lines, *map(_row, source.items), ""])


def _typed(data: str) -> list[str]:
    """Lines as they are typed; one that begins a block is followed by an empty one."""
    lines: list[str] = []
    for line in data.strip().splitlines():
        lines.append(f">>> {line}")
        if line.startswith(("def ", "for ")):
            lines.append("...")
    return lines


def _file(named: tuple[str, str]) -> str:
    name, columns = named
    if not columns.startswith("dict("):
        return f"`{name}` (the ids of `{columns}`, one a line)"
    return f"`{name}` (columns `{columns.removeprefix('dict(').removesuffix(')')}`)"


def _row(item: Item) -> str:
    call, number = f"`{item.call}`", item.number
    if item.command:
        call, number = f"{call}<br>`{item.command}`", f"{number}<br>`{item.prints}`"
    return f"| {item.place} | {item.name} | {call} | {number} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
