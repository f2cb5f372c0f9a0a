"""Plain text as reStructuredText."""

from __future__ import annotations

import re


def escaped(text: str) -> str:
    """Text in which reStructuredText finds nothing: stars, bars, backticks, addresses, and
    underscores behind a word.
    """
    text = text.replace("\\", "\\\\")
    text = re.sub(r"([*|`@])", r"\\\1", text)
    return re.sub(r"(?<=\w)_(?=\W|$)", r"\\_", text)


def title(text: str, line: str = "=") -> str:
    """A heading."""
    text = escaped(text)
    return f"{text}\n{line * len(text)}"
