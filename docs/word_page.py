"""docs/glossary.md, written from the table of words: `python docs/word_page.py [FOLDER]`."""

from __future__ import annotations

import sys
from pathlib import Path

from precall.measures.words import Word, words
from precall.results.forms import pipes

_HEAD = """<!-- Written by `python docs/word_page.py`; do not edit. -->
# Glossary

These are the words of precall's code, documentation, commands and errors: one word for each concept. `precall explain WORD` explains each of them,
and each measure.
"""  # noqa: E501
_DOCUMENTS = """
## Words of the literature

These words come from LingPipe's documentation, from the literature on text categorization and retrieval, and from Zhang & Su (2012). The last column
names the measure, command or call in precall.
"""  # noqa: E501
_PRINTED = """
## Words that commands print

Measures have [pages of their own](measures/README.md).
"""


def page() -> str:
    """The text of the page."""
    project = [[", ".join(word.names), word.symbol, word.meaning] for word in words("project")]
    printed = [[", ".join(word.names), word.meaning] for word in words("printed")]
    return "\n".join(
        [
            _HEAD,
            pipes(["word", "symbol", "meaning"], project, "lll"),
            _DOCUMENTS,
            pipes(
                ["word", "meaning", "here"],
                [_of_document(word) for word in words("documents")],
                "lll",
            ),
            _PRINTED,
            pipes(["word", "meaning"], printed, "ll"),
            "",
        ]
    )


def _of_document(word: Word) -> list[str]:
    measure, rest = word.measure, word.here.removeprefix(word.measure)
    return [", ".join(word.names), word.meaning, (f"`{measure}`" if measure else "") + rest]


if __name__ == "__main__":
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    (place / "glossary.md").write_text(page(), encoding="utf-8", newline="\n")
