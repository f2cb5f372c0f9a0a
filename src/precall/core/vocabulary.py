"""The words of what is evaluated: TREC runs have topics, qrels and runs; lists of ids have queries,
gold and systems.

The vocabulary follows from one fact, `input` of the conventions, which travels with every result.
Templates name things by their words for runs: `{topics:topic}` counts them, `{:qrels}` is a word
alone. A note keeps the vocabulary in which it was made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace

from precall.core.text import many, noun_of

#: The convention that says what was evaluated; it is absent for runs.
INPUT = "input"
#: The convention `scores` of lists that are ids only.
NO_SCORES = "none"


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """What people call topics, qrels and runs.

    Parameters
    ----------
    name : the `input` of conventions that it belongs to; "" for runs.
    words : other words, by those for runs.
    heads : other names of conventions in signatures.
    usual : conventions that signatures leave out, with the values that need not be said.

    Examples
    --------
    >>> LISTS.count(2, "topic"), LISTS.word("qrels"), RUNS.word("qrels")
    ('2 queries', 'gold', 'qrels')
    """

    name: str
    words: Mapping[str, str] = field(default_factory=dict)
    heads: Mapping[str, str] = field(default_factory=dict)
    usual: Mapping[str, str] = field(default_factory=dict)

    def word(self, word: str) -> str:
        """The word for a thing, or for several things.

        Parameters
        ----------
        word : the word for runs, such as "topic" or "topics".
        """
        return self.words.get(word, word)

    def count(self, count: int, noun: str, nouns: str = "") -> str:
        """A number of things: "2 topics", "2 queries".

        Parameters
        ----------
        count : how many.
        noun : the word for runs of one thing.
        nouns : that of several things, if it does not end in s.
        """
        return many(count, self.word(noun), self.word(nouns or f"{noun}s"))

    def noun(self, count: int, noun: str, nouns: str = "") -> str:
        """The noun of `count`, without the number.

        Parameters
        ----------
        count, noun, nouns : see `count`.
        """
        return noun_of(count, self.word(noun), self.word(nouns or f"{noun}s"))

    def describe(self, conventions: Mapping[str, str]) -> dict[str, str]:
        """The conventions as people read them: without those that are usual, under their names.

        Parameters
        ----------
        conventions : all conventions by name.

        Examples
        --------
        >>> LISTS.describe({"input": "lists", "qrels": "a.jsonl", "grade": ">=1"})
        {'lists': 'a.jsonl'}
        """
        # Scores have an order of equal ones; lists of ids alone have neither.
        usual = {**self.usual, **({"ties": ""} if conventions.get("scores") == NO_SCORES else {})}
        return {
            self.heads.get(name, name): text
            for name, text in conventions.items()
            if name != INPUT and usual.get(name) not in ("", text)
        }


RUNS = Vocabulary("")
LISTS = Vocabulary(
    "lists",
    {
        "topic": "query",
        "topics": "queries",
        "qrels": "gold",
        "run": "system",
        "runs": "systems",
        "judged": "in the gold",
    },
    {"qrels": "lists"},
    {"topics": "qrels", "grade": ">=1", "scores": ""},
)
#: Lists of ids whose gold is in qrels.
LISTS_WITH_QRELS = replace(LISTS, name="lists with qrels", heads={"qrels": "gold"})
_BY_NAME = {vocabulary.name: vocabulary for vocabulary in (RUNS, LISTS, LISTS_WITH_QRELS)}
#: The vocabulary in which notes are made now.
VOCABULARY: ContextVar[Vocabulary] = ContextVar("vocabulary", default=RUNS)


def find_vocabulary(name: str) -> Vocabulary:
    """The vocabulary of this name; that of runs for a name of another version.

    Examples
    --------
    >>> find_vocabulary("lists").word("topics")
    'queries'
    """
    return _BY_NAME.get(name, RUNS)


def vocabulary_of(conventions: Mapping[str, str]) -> Vocabulary:
    """The vocabulary of results with these conventions."""
    return find_vocabulary(conventions.get(INPUT, ""))


@contextmanager
def speaking(vocabulary: Vocabulary) -> Iterator[None]:
    """Context in which notes are made in a vocabulary."""
    token = VOCABULARY.set(vocabulary)
    try:
        yield
    finally:
        VOCABULARY.reset(token)
