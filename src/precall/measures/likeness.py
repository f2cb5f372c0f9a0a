"""Suggestions for an unknown name: the measures and words nearest in meaning, not in letters."""

from __future__ import annotations

import math
import re

from precall.core.text import letters
from precall.measures.words import Word, word, words

#: Words without a meaning of their own.
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
#: The least share of a text's weight that a suggestion must have in common with it.
_SHARED = 0.5


def nearest(text: str, names: dict[str, tuple[str, str]]) -> list[str]:
    """At most three suggestions for a text that names no measure, nearest in meaning first.

    A suggestion is a measure, or where more is explained. `names` has for each name of a measure,
    in lower case, the suggestion and the measure's summary.
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
    # A typing error leaves nearly all letters. A short name with most letters is another name.
    meant = {name.lower(): each.measure for each in words() if each.measure for name in each.names}
    for suggestion_by_name in ({name: shown for name, (shown, _) in names.items()}, meant):
        if near := difflib.get_close_matches(text.lower(), suggestion_by_name, 3, 0.75):
            return list(dict.fromkeys(suggestion_by_name[name] for name in near))
    return _alike(text, names)


def _explain_word(each: Word, name: str = "") -> str:
    """The measure that a word means, or else where the word is explained."""
    return each.measure or f"`precall explain {name or each.names[0]}`"


def _alike(text: str, names: dict[str, tuple[str, str]]) -> list[str]:
    """Measures and words whose names or meanings share rare words with the text."""
    words_by_suggestion: dict[str, set[str]] = {}
    # If several names belong to one measure, the first is suggested.
    first: dict[str, str] = {}
    for name, (shown, summary) in names.items():
        own = first.setdefault(summary, shown)
        words_by_suggestion.setdefault(own, set()).update(_parts(f"{name} {summary}"))
    for each in words():
        own = _explain_word(each)
        own = first.get(names[own.lower()][1], own) if own.lower() in names else own
        words_by_suggestion.setdefault(own, set()).update(
            _parts(f"{' '.join(each.names)} {each.meaning}")
        )
    typed_words = _parts(text)
    weight = {
        one: 1 / (1 + sum(one in parts for parts in words_by_suggestion.values()))
        for one in typed_words
    }
    shares = {
        shown: math.fsum(weight[one] for one in typed_words & parts)
        for shown, parts in words_by_suggestion.items()
    }
    best = sorted(shares, key=lambda shown: -shares[shown])[:2]
    return [
        shown
        for shown in best
        if shares[shown] > 0 and shares[shown] >= _SHARED * math.fsum(weight.values())
    ]


def _parts(text: str) -> set[str]:
    """The words of a text, or of a name such as HitRate, in lower case."""
    parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+|\d+", text)
    return {
        each.lower().removesuffix("s")
        for each in parts
        if each.lower() not in _EMPTY and len(each) > 1
    }
