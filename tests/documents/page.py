"""docs/documents.md from the table of items: `python -m tests.documents.page`."""

from __future__ import annotations

from pathlib import Path

from tests.documents.items import SOURCES, Source

PAGE = Path(__file__).resolve().parents[2] / "docs" / "documents.md"
_HEAD = """<!-- Written by `python -m tests.documents.page`; do not edit. -->
# What the documents define, and the call for it

Five documents define what this project computes. Each item of theirs, the call, and the number, which is theirs (or, where
they err, the right one; the pages on [LingPipe](lingpipe.md), [text categorization](categorization.md) and
[random selection](null.md) tell). The tests compute every line. What other words of theirs mean is in the
[glossary](glossary.md), and `precall explain WORD` says it.
"""


def page() -> str:
    """The text of the page."""
    return "\n".join([_HEAD, *map(_section, SOURCES)])


def _section(source: Source) -> str:
    lines = [
        f"## {source.title}\n",
        "```python",
        *(f">>> {line}" for line in source.data.strip().splitlines()),
        "```\n",
    ]
    lines += [
        f"At the command line: `{source.command}`.\n",
        "| item | call | number |",
        "| :-- | :-- | :-- |",
    ]
    lines += [f"| {item.name} | `{item.call}` | {item.number} |" for item in source.items]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
