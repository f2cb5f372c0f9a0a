"""What a name that is unknown may mean: of measures and words the nearest in meaning, not in
letters.
"""

from __future__ import annotations

import math
import re

from precall.core.text import letters
from precall.measures.words import Word, word, words

#: Words that say nothing by themselves.
_EMPTY = frozenset(
    (
        "an",
        "and",
        "are",
        "as",
        "at",
        "by",
        "for",
        "in",
        "is",
        "it",
        "its",
        "of",
        "on",
        "or",
        "per",
        "than",
        "the",
        "to",
    )
)
#: The least share of a text's weight that a suggestion has in common with it.
_SHARED = 0.5


def nearest(text: str, names: dict[str, tuple[str, str]]) -> list[str]:
    """What a text that names no measure may mean, nearest in meaning first, at most three:
    measures, or where more is told.

    `names` has for each name of a measure, in small letters, what is to be suggested and the
    measure's summary.
    """
    import difflib

    if same := word(text):
        return [_explain_word(same, text)]
    heads = {summary.partition(":")[0]: shown for shown, summary in reversed(names.values())}
    by_letters = {
        letters(name): shown
        for name, shown in (heads | {name: shown for name, (shown, _) in names.items()}).items()
    }
    if (plain := letters(text)) in by_letters:
        return [by_letters[plain]]
    # A slip of the pen has nearly all letters; short names that have most are other names.
    meant = {name.lower(): each.measure for each in words() if each.measure for name in each.names}
    for known in ({name: shown for name, (shown, _) in names.items()}, meant):
        if near := difflib.get_close_matches(text.lower(), known, 3, 0.75):
            return list(dict.fromkeys(known[name] for name in near))
    return _alike(text, names)


def _explain_word(each: Word, name: str = "") -> str:
    """The measure that a word is, or else where the word is explained."""
    return each.measure or f"`precall explain {name or each.names[0]}`"


def _alike(text: str, names: dict[str, tuple[str, str]]) -> list[str]:
    """Measures and words in whose names and meanings rare words of the text stand."""
    told: dict[str, set[str]] = {}
    # Of several names of one measure the first is suggested.
    first: dict[str, str] = {}
    for name, (shown, summary) in names.items():
        own = first.setdefault(summary, shown)
        told.setdefault(own, set()).update(_parts(f"{name} {summary}"))
    for each in words():
        own = _explain_word(each)
        own = first.get(names[own.lower()][1], own) if own.lower() in names else own
        told.setdefault(own, set()).update(_parts(f"{' '.join(each.names)} {each.meaning}"))
    asked = _parts(text)
    weight = {part: 1 / (1 + sum(part in parts for parts in told.values())) for part in asked}
    shares = {
        shown: math.fsum(weight[part] for part in asked & parts) for shown, parts in told.items()
    }
    best = sorted(shares, key=lambda shown: -shares[shown])[:2]
    return [
        shown
        for shown in best
        if shares[shown] > 0 and shares[shown] >= _SHARED * math.fsum(weight.values())
    ]


def _parts(text: str) -> set[str]:
    """The words of a text or of a name such as HitRate, in small letters."""
    parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+|\d+", text)
    return {
        part.lower().removesuffix("s")
        for part in parts
        if part.lower() not in _EMPTY and len(part) > 1
    }
