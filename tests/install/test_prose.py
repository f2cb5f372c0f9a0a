"""What `make prose` finds hard to read, and what it leaves alone."""

from __future__ import annotations

import pytest

from tests.prose import MOST_WORDS, PATTERNS, faults, found, sentences, texts

LONG = " ".join(["word"] * MOST_WORDS) + " is read twice."
EXAMPLES = {
    "of which": "There are 30 topics, of which 3 are missing.",
    "so many": "With so many topics the test is exact.",
    "what is as a noun": "The page is of what is missing.",
    "few as a verdict": "Four topics are few.",
    "in the place of": "It is given in the place of the run.",
    "trailing too": "It needs SciPy, too.",
    "where for if": "Where there is no compiler it runs on NumPy.",
    "without a verb": "A release on the site with a part of it.",
    f"over {MOST_WORDS} words": LONG,
}


@pytest.mark.parametrize(("fault", "sentence"), EXAMPLES.items())
def test_each_fault_is_found(fault: str, sentence: str) -> None:
    assert fault in list(faults(sentence))


def test_every_pattern_has_an_example() -> None:
    assert PATTERNS.keys() <= EXAMPLES.keys()


@pytest.mark.parametrize(
    "sentence",
    [
        "Only 4 topics: with skewed values the true coverage is below 95 %.",
        "Tell `curve.at` the recall you need, and it returns the operating point.",
        "More topics help.",
    ],
)
def test_plain_sentences_have_none(sentence: str) -> None:
    assert list(faults(sentence)) == []


def test_code_tables_and_headings_are_no_sentences() -> None:
    page = "# Of which\n\n```python\nof which\n```\n\n| of which |\n\nIt is short. It `is`.\n"
    assert list(sentences(page)) == ["It is short.", "It X."]


def test_pages_help_and_notes_are_looked_at() -> None:
    """It prints the counts with `-s`; their number fails nothing."""
    named = dict(texts())
    assert {"README.md", "docs/index.md", "precall compare --help"} <= named.keys()
    assert any(name.startswith("note ") for name in named)
    assert all(sentence for _, _, sentence in found(named.items()))
