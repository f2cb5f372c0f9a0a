"""From the facts a kernel or reader found to sentences: what was got, what is allowed, what to
do.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from operator import itemgetter
from shlex import quote
from string import Formatter
from typing import Any

from precall.core.errors import PROBLEM_LIMIT, DataError, Malformed, Problem
from precall.core.text import letters, listing, many
from precall.native.literals import INTEGER, NUMBER
from precall.read.columns import NAMES, QRELS, RUN, Ids, Request, Subject, lowest_is_best
from precall.read.sources import ARCHIVES, CHANGED, STANDARD_INPUT

#: Texts of an input are quoted up to this length, the kernels' limit.
SHOWN = 60

# Messages name arguments as Python spells them; the command line turns them into its options.
CHOOSE = 'remove one or pass ⟨duplicates="first", "last" or "best"⟩'
#: What to do about an id that is none.
PADDING = "FAISS and other vector indexes write -1 where they found nothing: leave it out"
#: What to do where a score or a grade is wanted and the other is there.
SWAPPED = {
    "score": "this looks like qrels: check which is the run",
    "grade": "this looks like a run: check which is the qrels",
}
#: How a table is told apart from TREC text, where it has a name and where it has none.
_BY_NAME = "give a table a name ending in .csv, .tsv or .jsonl"
_BY_FORMAT = 'pass ⟨format="csv", "tsv" or "jsonl"⟩ for a table'

Fact = tuple[Any, ...]
#: What is wrong, and what to do.
Words = tuple[str, str]


def show_text(text: object) -> str:
    """Text of an input as it may be printed: quoted, unprintable characters escaped, cut short."""
    if isinstance(text, bytes):
        whole = len(text) < SHOWN
        # A cut may have gone through a character; what is left of it is no fault of the input.
        word = text.decode("utf-8", "backslashreplace" if whole else "ignore")
    else:
        word = str(text)
        whole = len(word) <= SHOWN
        word = word if whole else word[: SHOWN - 3]
    quoted = repr(word)
    return quoted if whole else f"{quoted[:-1]}...{quoted[-1]}"


def listed(names: Sequence[object]) -> str:
    """Names of columns, as many as fit."""
    return listing(names, show_text)


def _known(role: str) -> set[str]:
    """The names of a role, as `letters` writes them."""
    return set(NAMES[role].split())


def no_column(missing: Sequence[object], there: Sequence[object]) -> Words:
    """What is wrong where columns are not there, and what to do if the heading is parted by
    something else than cells are.
    """
    what = (
        f"no column {' and no column '.join(map(show_text, missing))}, the columns are "
        f"{listed(there)}"
    )
    for mark, name in (("\t", "tabs"), (";", "semicolons"), ("|", "bars"), (",", "commas")):
        if len(there) == 1 and mark in str(there[0]):
            return (
                what,
                f"cells look parted by {name}: write a .csv with commas, or a .tsv with tabs",
            )
    return what, ""


def words_of_duplicate_column(name: object, count: int) -> Words:
    """What is wrong where one column is wanted, and so many have its name."""
    return (
        f"{count} columns are called {show_text(name)}, one is allowed",
        "rename or remove the others",
    )


def advice_on_columns(subject: Subject, there: Sequence[object], missing: Sequence[object]) -> str:
    """What to do when columns are not found among those that are there."""
    names = {letters(str(name)) for name in there}
    if all(names & _known(role) for role in ("retrieved", "gold")):
        return "rows of lists are read by pc.read_lists (--lists)"
    other = "grade" if subject is RUN else "score"
    if list(missing) == [subject.value] and all(
        names & _known(role) for role in ("topic", "item", other)
    ):
        held = next(name for name in there if letters(str(name)) in _known(other))
        pair = f'⟨columns={{"{subject.value}": "{held}"}}⟩'
        return f"{SWAPPED[subject.value]}; if {show_text(held)} is its {subject.value}, pass {pair}"
    pairs = ", ".join(f'"{role}": ...' for role in subject.columns)
    no_scores = [name for name in there if lowest_is_best(str(name))] if subject is RUN else []
    # A score that is missed must not be looked for there.
    hint = ""
    if no_scores:
        hint = (
            f"; of {show_text(no_scores[0])} the lowest is the best by its name: pass "
            "⟨lower_is_better=True⟩ to rank by it"
        )
    return f"name them with ⟨columns={{{pairs}}}⟩{hint}"


def alike(some: Iterable[str], known: Collection[str], what: str) -> str:
    """What to do if ids are written alike but for how Unicode has their letters, or for blanks;
    empty if they are not.
    """

    def plain(text: str) -> str:
        return unicodedata.normalize("NFC", text)

    forms: tuple[tuple[Callable[[str], str], str], ...] = (
        (
            plain,
            (
                f"the {what} ids differ in how Unicode writes letters: normalize both, as "
                "unicodedata.normalize('NFC', id)"
            ),
        ),
        (
            lambda text: plain(text).strip(),
            f"the {what} ids differ in blanks at their ends: strip both",
        ),
        (
            lambda text: plain(text).strip().casefold(),
            f"the {what} ids differ in capital letters: write both alike",
        ),
    )
    listed = list(some)
    for form, todo in forms:
        if not set(map(form, listed)).isdisjoint(map(form, known)):
            return todo
    return ""


def no_common_topic(
    run: tuple[str, Sequence[str] | Ids], qrels: tuple[str, Sequence[str] | Ids]
) -> Problem:
    """What is wrong where no topic of a run is in the qrels; of both the source and the topics."""

    def sample(ids: Sequence[str] | Ids) -> str:
        return ", ".join(show_text(ids[i]) for i in range(min(3, len(ids))))

    return Problem(
        run[0],
        None,
        (
            f"no topic of the run is in the qrels {qrels[0]} (run: {sample(run[1])}; qrels: "
            f"{sample(qrels[1])})"
        ),
        alike([run[1][i] for i in range(min(3, len(run[1])))], list(qrels[1]), "topic")
        or "check that both are of one collection and write topic ids alike",
    )


class Findings:
    """Facts collected while reading: all are counted, the first are kept."""

    def __init__(self) -> None:
        self.facts: list[Fact] = []
        self.total = 0

    def add(self, line: int, *fact: object) -> None:
        """One more fact: kind and details, in any order of lines."""
        self.total += 1
        self.facts.append((line, *fact))
        # A file of nothing but problems does not fill the memory with them.
        if len(self.facts) > 50 * PROBLEM_LIMIT:
            self.facts = _first(self.facts)

    def merged(self, other: Malformed | None = None) -> Malformed:
        """These and those of a kernel, in the order of lines."""
        if other is None:
            return Malformed(_first(self.facts), self.total)
        # That all rows are bad is not worth saying beside what is bad about them.
        facts = [fact for fact in other.problems if not (self.total and fact[1] == "empty")]
        total = self.total + other.total - (len(other.problems) - len(facts))
        return Malformed(_first([*self.facts, *facts]), total)


def _first(facts: list[Fact]) -> list[Fact]:
    return sorted(facts, key=itemgetter(0))[:PROBLEM_LIMIT]


def renumber_facts(bad: Malformed, line_of: Callable[[int], int]) -> Malformed:
    """The facts of a kernel about rows, from 1, with the lines of these (from 0) in place of their
    numbers.
    """
    facts: list[Fact] = list(bad.problems)
    for at, (row, kind, *details) in enumerate(facts):
        if kind in ("duplicate", "conflict"):
            details[2] = line_of(details[2] - 1)
        facts[at] = (line_of(row - 1) if row else 0, kind, *details)
    return Malformed(facts, bad.total)


def data_error(bad: Malformed, request: Request, unit: str = "line") -> DataError:
    """The error that says these facts; `unit` is what the input is made of: "line", "row" or
    "topic".
    """
    facts: list[Fact] = list(bad.problems)
    problems = []
    is_run = request.subject is QRELS and _are_scores(facts)
    for number, kind, *details in facts:
        (what, todo), advice = _words(kind, request, unit, details)
        if is_run and todo == FRACTION:
            todo = advice = f"{SWAPPED['grade']}; if these are grades, {FRACTION}"
        line, row = (number or None, None) if unit == "line" else (None, number or None)
        is_of_topic = (
            unit == "topic" or kind in _OF_TOPICS or (kind in _OF_VALUES and len(details) > 1)
        )
        alike = (kind, advice, *_told_apart(kind, details)) if number or is_of_topic else None
        problems.append(Problem(request.label, line, what, todo, row, alike))
    return DataError(problems, bad.total)


def _told_apart(kind: str, details: list[Any]) -> list[Any]:
    """Those details of a fact that are equal for facts that are told together."""
    return details[2:] if kind == "said" else [details[place] for place in _TELLING.get(kind, ())]


def _words(kind: str, request: Request, unit: str, details: list[Any]) -> tuple[Words, str]:
    """What is wrong and what to do; and the latter without the values that it may name."""
    subject = request.subject
    if kind in _WRITERS:
        words = _WRITERS[kind](request, unit, *details)
        return words, words[1]
    # Of a value in a dict come topic and item too, as there is no line to name, and the value as
    # Python writes it.
    within = len(details) > 1
    about = f"topic {show_text(details[0])}, item {show_text(details[1])}: " if within else ""
    got = str(details[-1]) if within else show_text(*details) if details else ""
    if within and len(got) == SHOWN:  # where kernels cut
        got = f"{got[:-3]}..."
    columns = ", ".join(subject.columns)
    known = {"unit": unit, "value": subject.value, "columns": columns, "about": about, "got": got}
    what, todo = _TEMPLATES[kind]
    if kind in ("grade", "dict-grade") and _fraction(got) is not None:
        todo = FRACTION.replace("{", "{{").replace("}", "}}")
    advice = "" if kind == "said" else todo
    return (
        _FORMATTER.format(what, *details, **known),
        _FORMATTER.format(todo, *details, **known),
    ), advice


def _fraction(got: str) -> float | None:
    """The number that stands for a grade, if it is between whole ones."""
    match = re.match(r"'?([+-]?[0-9]*\.[0-9]+(?:[eE][+-]?[0-9]+)?)(?![0-9.])", got)
    number = 0.0 if match is None else float(match[1])
    return number if number % 1 > 0 else None


def _are_scores(facts: Iterable[Fact]) -> bool:
    """Whether what is no whole grade is like scores: two or more that all differ, or a great one;
    not quarters.

    Examples
    --------
    >>> (
    ...     _are_scores([(1, "grade", b"0.31"), (2, "grade", b"0.2")]),
    ...     _are_scores([(1, "grade", b"0.5"), (2, "grade", b"1.5")]),
    ... )
    (True, False)
    """
    numbers = [
        number
        for _, kind, *details in facts
        if kind in _OF_GRADES and (number := _fraction(_plain(details[-1]))) is not None
    ]
    if any(abs(number) > _GREATEST for number in numbers):
        return True
    return 1 < len(numbers) == len(set(numbers)) and any(number * 4 % 1 for number in numbers)


def _plain(got: object) -> str:
    return got.decode("utf-8", "replace") if isinstance(got, bytes) else str(got)


class _Quoting(Formatter):
    """Formats `{0!q}` as `show_text` does."""

    def convert_field(self, value: Any, conversion: str | None) -> Any:
        return show_text(value) if conversion == "q" else super().convert_field(value, conversion)


def _fields(request: Request, unit: str, there: Any) -> Words:
    subject = request.subject
    todo = (
        f"separate them by blanks, or {_BY_FORMAT if request.label == STANDARD_INPUT else _BY_NAME}"
    )
    if subject.value == "score" and there == 4:
        todo = SWAPPED["score"]
    elif subject.value == "grade" and there == 6:
        todo = SWAPPED["grade"]
    elif subject is RUN and there == 3 and not request.label.endswith(ARCHIVES):  # awk reads none
        todo = of_ms_marco(request.label)
    return f"{many(there, 'field')}, {subject.line} has {subject.fields} ({subject.layout})", todo


def of_ms_marco(path: str) -> str:
    """What to do about a run of three columns without a heading: query, passage and rank, as MS
    MARCO has them.
    """
    parted = "-F, " if path.endswith(".csv") else ""
    given, made = (
        quote(name)
        for name in ((path, f"{path}.run") if path != STANDARD_INPUT else ("RUN", "RUN.run"))
    )
    line = f"""awk {parted}'{{print $1, "Q0", $2, $3, -$3, "run"}}' {given} > {made}"""
    return f"if these are query, passage and rank, as of MS MARCO, make TREC text of it: {line}"


def _cells(request: Request, unit: str, there: Any, expected: Any) -> Words:
    todo = "give every row as many, and quote those that hold a separator"
    return f"{many(there, 'cell')}, the header has {expected}", todo


def _absent(request: Request, unit: str, name: Any, there: Any) -> Words:
    return f"no {show_text(name)}, there are {listed(there)}", advice_on_columns(
        request.subject, there, [name]
    )


def _value(request: Request, unit: str, got: Any) -> Words:
    if request.subject.value == "score":
        return f"score {got} is not a number", NUMBER
    whole = "give a whole number such as 0, 1 or -1"
    return f"grade {got} is not an integer", FRACTION if _fraction(str(got)) is not None else whole


def _key(request: Request, unit: str, *details: Any) -> Words:
    *topic, got = details
    name, place = ("item", f"topic {show_text(*topic)}: ") if topic else ("topic", "")
    if got == repr(""):
        return f"{place}an empty text is no {name}", f"name the {name}, or remove it"
    if got[:1] in ("'", '"'):
        return (
            f"{place}{name} {got} is not text that UTF-8 can encode",
            "remove the lone surrogates",
        )
    return f"{place}{name} {got} is neither str nor int", f"use str({name}) as the key"


def _twice(request: Request, unit: str, *details: Any) -> Words:
    *topic, key = details
    name, place = ("item", f"topic {show_text(*topic)}: ") if topic else ("topic", "")
    what = f"{place}{name} {show_text(key)} is there as str and as int, which are one id"
    return what, "remove one or rename it"


def _empty(request: Request, unit: str) -> Words:
    noun = "topic" if unit == "topic" else f"data {unit}"
    return f"no {noun}, {request.subject.plural} at least one", "check that it was written"


_FORMATTER = _Quoting()
#: Of text that is none, wherever it is read.
NUL = (
    "NUL byte, text has none",
    "write it as text in UTF-8; what is UTF-16, with iconv -f utf-16 -t utf-8",
)
NOT_UTF8 = (
    "bytes that are not UTF-8",
    "convert the file, for instance with iconv -f latin1 -t utf-8",
)


def todo_of_twice(item: Any) -> str:
    """What to do about an item that a topic has twice."""
    return PADDING if item in (-1, "-1", b"-1") else CHOOSE


def _duplicate(request: Request, unit: str, topic: Any, item: Any, first: Any) -> Words:
    what = f"topic {show_text(topic)} has item {show_text(item)} twice (first at {unit} {first})"
    return what, todo_of_twice(item)


_WRITERS: dict[str, Callable[..., Words]] = {
    "fields": _fields,
    "cells": _cells,
    "absent": _absent,
    "value": _value,
    "dict-topic": _key,
    "dict-item": _key,
    "dict-twice": _twice,
    "duplicate": _duplicate,
    "empty": _empty,
}
#: Rounding would change the number that comes of grades such as .5.
FRACTION = (
    "number the grades, such as 1 for 0.5 and 2 for 1, and say what each earns by gains=, as in "
    "nDCG(gains={1:0.5,2:1})"
)
_RANGE = "-2147483648 to 2147483647"
#: What is wrong and what to do, by kind, to be filled in with the details of the fact; `!q` quotes.
_TEMPLATES: dict[str, Words] = {
    "missing": ("no value in column {0!q}", "fill it in or remove the {unit}"),
    "id": ("column {0!q} holds {1}, an id is a string or an integer", "write it as a string"),
    "list": (
        "column {0!q} holds lists, an id is a string or an integer",
        (
            "give each id a row, as frame.explode({0!q}) does; lists of gold and retrieved ids go "
            "to pc.read_lists (--lists)"
        ),
    ),
    "surrogate": (
        "column {0!q} holds {1}, which UTF-8 cannot encode",
        "remove the lone surrogates",
    ),
    "column": ("column {0!q} holds {1}, allowed are {2}", "cast it to {2}"),
    "row": ("got {0}, a row is ({columns})", "give three values in every row"),
    "said": ("{0}", "{1}"),
    "changed": CHANGED,
    "nul": NUL,
    "utf8": NOT_UTF8,
    "nan": (
        "{about}score is NaN, which has no place in an order",
        "give a number (inf and -inf are allowed) or remove it",
    ),
    "score": ("score {got} is not a number", NUMBER),
    "dict-score": ("{about}score {got} is not a number", "pass a number, such as float(score)"),
    "score-range": (
        "{about}score {got} is beyond float64 (about 1.8e308)",
        "write inf or -inf if that is meant",
    ),
    "float32-range": (
        "{about}score {got} is beyond float32 (about 3.4e38)",
        'pass ⟨score_dtype="float64"⟩',
    ),
    "inexact": ("{about}score {got} is not exact as float64", "give ranks, or round it"),
    "grade": ("grade {got} is not an integer", INTEGER),
    "dict-grade": ("{about}grade {got} is not an integer", INTEGER),
    "grade-range": (
        f"{{about}}grade {{got}} is beyond 32 bits ({_RANGE})",
        "write a smaller grade",
    ),
    "dict-items": (
        "topic {0!q} holds an object of type {1}, allowed is a dict or a list of items",
        "pass {{topic: {{item: {value}}}}} or {{topic: [item, ...]}}",
    ),
    # Rows of Spark have no numbers.
    "spark-null": ("{about}the {got} is null", "fill it in or remove the {unit}"),
    "spark-duplicate": ("topic {0!q} has item {1!q} twice", CHOOSE),
    "spark-conflict": ("topic {0!q} has item {1!q} with grade {2}, and with grade {3}", CHOOSE),
    "conflict": (
        "topic {0!q} has item {1!q} with grade {4}, and at {unit} {2} with grade {3}",
        CHOOSE,
    ),
}
#: Kinds of facts that are about a topic, and those that are if they have more details than the
#: value.
_OF_TOPICS = frozenset(
    (
        "dict-topic",
        "dict-item",
        "dict-twice",
        "dict-items",
        "duplicate",
        "conflict",
        "spark-null",
        "spark-duplicate",
        "spark-conflict",
    )
)
_OF_VALUES = frozenset(
    (
        "nan",
        "dict-score",
        "score-range",
        "float32-range",
        "inexact",
        "dict-grade",
        "grade-range",
    )
)
#: Kinds of facts about grades that are no whole numbers; and what no grade with a fraction goes
#: beyond.
_OF_GRADES = frozenset(("value", "grade", "dict-grade"))
_GREATEST = 10
#: Details by which facts of one kind are told apart, such as the column; all others are values.
_TELLING = {
    "missing": (0,),
    "id": (0,),
    "list": (0,),
    "surrogate": (0,),
    "column": (0,),
    "absent": (0,),
    "dict-items": (1,),
    "spark-null": (-1,),
}
#: Every kind of fact.
KINDS = frozenset((*_WRITERS, *_TEMPLATES))
