"""Suggestions for an unknown name: the measures and words nearest in meaning, not in letters."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import NamedTuple

from precall.core.text import letters
from precall.measures.words import Word, similar_word, word, words

#: Words without a meaning of their own, also those of questions.
_EMPTY = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "between",
        "by",
        "calculate",
        "compute",
        "define",
        "definition",
        "difference",
        "do",
        "does",
        "explain",
        "find",
        "for",
        "formula",
        "get",
        "how",
        "i",
        "in",
        "is",
        "it",
        "its",
        "many",
        "me",
        "mean",
        "meaning",
        "much",
        "my",
        "of",
        "on",
        "or",
        "per",
        "tell",
        "than",
        "that",
        "the",
        "this",
        "to",
        "versus",
        "vs",
        "was",
        "were",
        "what",
        "when",
        "which",
        "why",
        "with",
        "you",
    ]
)
#: Words that stand beside the name of many measures, and tell none of them from another.
_COMMON = frozenset(
    [
        "average",
        "averaged",
        "avg",
        "coefficient",
        "curve",
        "document",
        "error",
        "first",
        "index",
        "item",
        "level",
        "list",
        "loss",
        "mean",
        "measure",
        "median",
        "metric",
        "number",
        "overall",
        "point",
        "rank",
        "rate",
        "ratio",
        "relevant",
        "result",
        "retrieved",
        "score",
        "statistic",
        "test",
        "total",
        "value",
    ]
)
#: Between the names of several measures.
_BETWEEN = re.compile(r"\s*(?:,|/|&|\b(?:and|or|versus|vs\.?)\b)\s*")
#: The least share of a text's weight that a suggestion must have in common with it; and how much a
#: word counts that only its meaning has, not its names.
_SHARED, _IN_MEANING = 0.6, 0.4
#: How much a common word counts; and the share of what the best suggestion has in common that
#: another must have.
_OF_COMMON, _OF_BEST = 0.3, 0.75
#: One letter in this many may be mistyped.
_LETTERS_PER_ERROR = 4


class NamedMeasure(NamedTuple):
    """A measure by one of its names: the suggestion, and its title and summary."""

    shown: str
    title: str
    summary: str


def nearest(text: str, names: dict[str, NamedMeasure]) -> list[str]:
    """At most three suggestions for a text that names no measure, nearest in meaning first.

    A suggestion is a measure, or where more is explained. `names` has the measures by their names
    in lower case.
    """
    titles = {named.title: named.shown for named in reversed(names.values())}
    by_letters = {
        letters(name): shown
        for name, shown in (titles | {name: named.shown for name, named in names.items()}).items()
    }

    def find(text: str) -> str:
        if same := word(text) or similar_word(text):
            return _explain_word(same, text)
        return by_letters.get(letters(text), "")

    core = without_common_words(text)
    spellings = (text, re.sub(r"\d+", "k", text), without_common_words(text, at_end=False), core)
    if same := next(filter(None, map(find, spellings)), ""):
        return [same]
    several = [find(part) or find(without_common_words(part)) for part in _BETWEEN.split(core)]
    if all(several):
        return list(dict.fromkeys(several))[:3]
    plain = letters(text)
    meant = {letters(name): _explain_word(each) for each in words() for name in each.names}
    for suggestion_by_name in (by_letters, meant):
        if near := find_misspelled(plain, suggestion_by_name):
            return list(dict.fromkeys(suggestion_by_name[name] for name in near))[:3]
    return _alike(text, names)


def without_common_words(text: str, at_end: bool = True) -> str:
    """A text without empty and common words at its beginning, and at its end unless that is kept;
    without the number of ranks.

    Examples
    --------
    >>> without_common_words("What is the mean recall at 10?")
    'recall'
    """
    parts = re.sub(r"\W+$|(?:@|\b(?:at|top|first)\b)\W*(?:\d+|k)\b", "", text.lower()).split()
    while parts and _is_common(parts[0]):
        del parts[0]
    while parts and at_end and _is_common(parts[-1]):
        del parts[-1]
    return " ".join(parts)


def _is_common(part: str) -> bool:
    return not {part, part.removesuffix("s")}.isdisjoint(_EMPTY | _COMMON)


def find_misspelled(typed: str, names: Iterable[str]) -> list[str]:
    """The names that differ from a text by the fewest typing errors, if these are few.

    Other names of that length are other names: a name of three letters, or one that begins with
    another letter and differs in one more.
    """
    most = len(typed) // _LETTERS_PER_ERROR
    errors = {
        name: _typing_errors(typed, name)
        for name in names
        if len(name) > 2 and abs(len(name) - len(typed)) <= most
    }
    errors = {
        name: count
        for name, count in errors.items()
        if count <= (most if name[0] == typed[0] else min(most, 1))
    }
    return [name for name, count in errors.items() if count == min(errors.values())]


def _typing_errors(typed: str, meant: str) -> int:
    """How many letters must be added, left out, replaced or exchanged with the next one."""
    before: list[int] = []
    last = list(range(len(meant) + 1))
    for i, letter in enumerate(typed, 1):
        now = [i]
        for j, other in enumerate(meant, 1):
            least = min(last[j] + 1, now[-1] + 1, last[j - 1] + (letter != other))
            if i > 1 < j and letter == meant[j - 2] and typed[i - 2] == other:
                least = min(least, before[j - 2] + 1)
            now.append(least)
        before, last = last, now
    return last[-1]


def _explain_word(each: Word, name: str = "") -> str:
    """The measure that a word means, or else where the word is explained."""
    return each.measure or f"`precall explain {name or each.names[0]}`"


def _alike(text: str, names: dict[str, NamedMeasure]) -> list[str]:
    """Measures and words that share rare words with the text: in their names, or less so in their
    meanings.
    """
    named: dict[str, set[str]] = {}
    meanings: dict[str, set[str]] = {}
    # If several names belong to one measure, the first is suggested.
    first: dict[str, str] = {}
    for name, each_named in names.items():
        own = first.setdefault(each_named.summary, each_named.shown)
        named.setdefault(own, set()).update(_parts(f"{name} {each_named.title}"))
        meanings.setdefault(own, set()).update(_parts(each_named.summary))
    for each in words():
        own = _explain_word(each)
        own = first.get(names[own.lower()].summary, own) if own.lower() in names else own
        named.setdefault(own, set()).update(_parts(" ".join(each.names)))
        meanings.setdefault(own, set()).update(_parts(each.meaning))
    typed_words = _parts(text)
    weight = {
        one: (_OF_COMMON if one in _COMMON else 1)
        / (1 + sum(one in named[shown] | meanings[shown] for shown in named))
        for one in typed_words
    }
    shares = {
        shown: math.fsum(
            weight[one] * (1 if one in named[shown] else _IN_MEANING)
            for one in typed_words & (named[shown] | meanings[shown])
        )
        for shown in named
    }
    best = sorted(shares, key=lambda shown: -shares[shown])[:2]
    telling = typed_words - _COMMON
    least = max(_SHARED * math.fsum(weight.values()), _OF_BEST * shares[best[0]])
    return [
        shown
        for shown in best
        if shares[shown] >= least
        and named[shown] & telling
        and 2 * len(telling & (named[shown] | meanings[shown])) > len(telling)
    ]


def _parts(text: str) -> set[str]:
    """The words of a text, or of a name such as HitRate, in lower case."""
    parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+|\d+", text)
    return {
        each.lower().removesuffix("s")
        for each in parts
        if each.lower() not in _EMPTY and len(each) > 1
    }
