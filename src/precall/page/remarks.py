"""Notes as a list: of each kind one sentence that explains it, and below it what it was said of."""

from __future__ import annotations

import re
from collections.abc import Sequence

from precall.page.markup import element, escaped

#: What a note is about, told by its words; its title; and what it means for who reads the numbers.
_KINDS = (
    (
        r"ties that matter|equal scores in another order", "Ties",
        "Items of equal score have no order of their own; the rule for ties (see the signature) gives them one, and another "
        "order would give other values.",
    ),
    (
        "a gate with", "Gates",
        "Without a margin a gate fails on a loss that is more than chance; with one it fails unless such a loss is ruled out.",
    ),
    (
        "cannot be compared", "Different topics",
        "An average over easier topics is higher whatever the system, so these averages say nothing about which is better.",
    ),
    (
        "of the qrels missing", "Missing topics",
        "The run has no items for topics that were judged; they count as empty rankings only where all judged topics count.",
    ),
    ("not in the qrels", "Unjudged topics", "Nobody judged items for these topics of the run, so they are left out."),
    (
        "without relevant items", "Nothing to find",
        "Where no item of a topic is relevant, most measures are undefined there, whatever the system does.",
    ),
    (r"undefined in \d", "Undefined values",
        "The measure has no value for these topics; the note says what averages do about it.",
   ),
    ("dropped", "Repeated rows", "An item or a judgement stood there more than once; one of them counts."),
    (
        "no p below", "Few differences",
        "So few topics differ that even if all of them spoke for one system, it could be by chance.",
    ),
    (
        r"interval of .* undefined|there is no interval", "No interval",
        "An interval is learned from how values vary; where all are alike, or there is but one, they do not tell.",
    ),
    (
        r"can cover more", "Wide intervals",
        "They cover the truth more often than their level says, so they are wider than they would have to be.",
    ),
    (
        "of equal score are one block", "Equal scores",
        "No threshold tells cases of equal score apart: they are accepted or rejected together.",
    ),
    (
        r"rejects equal means too often|show no skewness", "Skewed differences",
        "A few topics differ far more than the rest, so p may be too small or miss what rare topics would show.",
    ),
    (
        r"are few|is much for|can cover less|only two values", "Rough intervals",
        "Values are few, or some lie far from the rest, so an interval can miss the truth more often than its level says.",
    ),
)  # fmt: skip
#: More notes of a kind stand folded.
_OPEN = 2


def remarks(notes: Sequence[str]) -> str:
    """A list of kinds of notes, in the order in which they are first met.

    Examples
    --------
    >>> remarks(["all is well"])
    '<ul class="remarks"><li>all is well</li></ul>'
    >>> "<strong>Ties.</strong> Items of equal" in remarks(["a: 3 topics with ties that matter"])
    True
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for note in notes:
        title, meaning = next(
            ((kind, text) for words, kind, text in _KINDS if re.search(words, note)), ("", "")
        )
        groups.setdefault((title or note, meaning), []).append(note)
    return element(
        "ul", *(_group(title, meaning, texts) for (title, meaning), texts in groups.items()), class_="remarks"
    )


def _group(title: str, meaning: str, texts: Sequence[str]) -> str:
    if not meaning:
        return element("li", escaped(texts[0]))
    listed = element("ul", *(element("li", escaped(text)) for text in texts))
    if len(texts) > _OPEN:
        listed = element("details", element("summary", f"{len(texts)} notes"), listed)
    return element("li", element("strong", f"{title}."), " ", escaped(meaning), listed)
