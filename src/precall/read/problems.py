"""From the facts a kernel or reader found to sentences: what was got, what is allowed, what to do."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from precall.errors import PROBLEM_LIMIT, DataError, Malformed, Problem
from precall.read.columns import Int64
from precall.read.sources import CHANGED, STANDARD_INPUT
from precall.read.subjects import RUN, Request, Subject, is_rank

#: Texts of an input are quoted up to this length, the kernels' limit.
SHOWN = 60
#: Names of columns that a message lists.
LISTED = 20

# Messages name arguments as Python spells them; the command line turns them into its options.
CHOOSE = 'remove one or pass duplicates="first", "last" or "best"'
#: How a table is told apart from TREC text, where it has a name and where it has none.
_BY_NAME = "give a table a name ending in .csv, .tsv or .jsonl"
_BY_FORMAT = 'pass format="csv", "tsv" or "jsonl" for a table'
NUMBER = "write a number such as 12.5, -3e-4 or inf (no commas, underscores or hexadecimal)"
INTEGER = "write an integer such as 0, 1 or -1"

Fact = tuple[object, ...]


def shown(text: object) -> str:
    """Text of an input as it may be printed: quoted, unprintable characters escaped, cut short."""
    if isinstance(text, bytes):
        whole = len(text) < SHOWN
        # A cut may have gone through a character; what is left of it is no fault of the input.
        word = text.decode("utf-8", "backslashreplace" if whole else "ignore")
        return repr(word) if whole else _cut(word)
    word = str(text)
    return repr(word) if len(word) <= SHOWN else _cut(word[: SHOWN - 3])


def _cut(word: str) -> str:
    quoted = repr(word)
    return f"{quoted[:-1]}...{quoted[-1]}"


def listed(names: Sequence[object]) -> str:
    """Names of columns, as many as fit."""
    return ", ".join(map(shown, names[:LISTED])) + (", ..." if len(names) > LISTED else "") or "none"


def naming(subject: Subject, there: Sequence[object]) -> str:
    """What to do when a column is not found among those that are there."""
    pairs = ", ".join(f'"{role}": ...' for role in subject.columns)
    ranks = [name for name in there if is_rank(str(name))] if subject is RUN else []
    # A score that is missed must not be looked for there: the lowest rank is the best.
    warning = f"; {shown(ranks[0])} is no score, its negative is" if ranks else ""
    return f"name them with columns={{{pairs}}}{warning}"


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

    def merged(self, other: Malformed) -> Malformed:
        """These and those of a kernel, in the order of lines."""
        # That all rows are bad is not worth saying beside what is bad about them.
        facts = [fact for fact in other.problems if not (self.total and fact[1] == "empty")]
        total = self.total + other.total - (len(other.problems) - len(facts))
        return Malformed(_first([*self.facts, *facts]), total)


def _first(facts: list[Fact]) -> list[Fact]:
    return sorted(facts, key=lambda fact: _number(fact[0]))[:PROBLEM_LIMIT]


def _number(value: object) -> int:
    assert isinstance(value, int)
    return value


def renumbered(bad: Malformed, line: Int64) -> Malformed:
    """The facts of a kernel about rows, with the numbers of rows replaced by those of lines."""
    facts: list[Fact] = []
    for row, kind, *details in bad.problems:
        if kind in ("duplicate", "conflict"):
            details[2] = int(line[_number(details[2]) - 1])
        facts.append((int(line[_number(row) - 1]) if row else 0, kind, *details))
    return Malformed(facts, bad.total)


def data_error(bad: Malformed, request: Request, unit: str = "line") -> DataError:
    """The error that says these facts; `unit` is what the input is made of: "line", "row" or "topic"."""
    problems = []
    for place, kind, *details in bad.problems:
        what, todo = _WORDS[str(kind)](request.subject, unit, details)
        number = _number(place)
        if request.label == STANDARD_INPUT:
            todo = todo.replace(_BY_NAME, _BY_FORMAT)
        if unit == "line":
            problems.append(Problem(request.label, number or None, what, todo))
        else:
            source = f"{request.label}, row {number}" if number else request.label
            problems.append(Problem(source, None, what, todo))
    return DataError(problems, bad.total)


_Words = tuple[str, str]
_Writer = Callable[[Subject, str, list[object]], _Words]


def _fields(subject: Subject, unit: str, details: list[object]) -> _Words:
    (found,) = details
    todo = f"separate them by blanks, or {_BY_NAME}"
    if subject.value == "score" and found == 4:
        todo = "this looks like qrels: check which file is the run"
    elif subject.value == "grade" and found == 6:
        todo = "this looks like a run: check which file is the qrels"
    fields = "1 field" if found == 1 else f"{found} fields"
    return f"{fields}, {subject.line} has {subject.fields} ({subject.layout})", todo


def _cells(subject: Subject, unit: str, details: list[object]) -> _Words:
    found, expected = details
    cells = "1 cell" if found == 1 else f"{found} cells"
    return (
        f"{cells}, the header has {expected}",
        "give every row as many, and quote those that hold a separator",
    )


def _missing(subject: Subject, unit: str, details: list[object]) -> _Words:
    (column,) = details
    return f"no value in column {shown(column)}", f"fill it in or remove the {unit}"


def _absent(subject: Subject, unit: str, details: list[object]) -> _Words:
    name, there = details
    assert isinstance(there, list)
    return f"no {shown(name)}, there are {listed(there)}", naming(subject, there)


def _identifier(subject: Subject, unit: str, details: list[object]) -> _Words:
    column, got = details
    return f"column {shown(column)} holds {got}, an id is a string or an integer", "write it as a string"


def _surrogate(subject: Subject, unit: str, details: list[object]) -> _Words:
    column, got = details
    return f"column {shown(column)} holds {got}, which UTF-8 cannot encode", "remove the lone surrogates"


def _value(subject: Subject, unit: str, details: list[object]) -> _Words:
    (got,) = details
    if subject.value == "score":
        return f"score {got} is not a number", NUMBER
    return f"grade {got} is not an integer", "give an integer such as 0, 1 or -1, neither text nor float"


def _column(subject: Subject, unit: str, details: list[object]) -> _Words:
    name, got, allowed = details
    return f"column {shown(name)} holds {got}, allowed are {allowed}", f"cast it to {allowed}"


def _row(subject: Subject, unit: str, details: list[object]) -> _Words:
    (got,) = details
    return f"got {got}, a row is ({', '.join(subject.columns)})", "give three values in every row"


def _said(subject: Subject, unit: str, details: list[object]) -> _Words:
    what, todo = details
    return str(what), str(todo)


def _nan(subject: Subject, unit: str, details: list[object]) -> _Words:
    what = "score is NaN, which has no place in an order"
    return _about(details) + what, "give a number (inf and -inf are allowed) or remove it"


def _about(details: list[object]) -> str:
    """Which topic and item, where there is no line to name."""
    return f"topic {shown(details[0])}, item {shown(details[1])}: " if len(details) > 1 else ""


def _literal(what: str, todo: str) -> _Writer:
    def words(subject: Subject, unit: str, details: list[object]) -> _Words:
        # From a dict come topic and item too, and the value as Python writes it.
        text = str(details[-1]) if len(details) > 1 else shown(details[0])
        return _about(details) + what.format(text), todo

    return words


def _key(what: str) -> _Writer:
    def words(subject: Subject, unit: str, details: list[object]) -> _Words:
        place = f"topic {shown(details[0])}: " if len(details) > 1 else ""
        got = str(details[-1])
        if got[:1] in ("'", '"'):
            return f"{place}{what} {got} is not text that UTF-8 can encode", "remove the lone surrogates"
        return f"{place}{what} {got} is neither str nor int", f"use str({what}) as the key"

    return words


def _twice(subject: Subject, unit: str, details: list[object]) -> _Words:
    place = f"topic {shown(details[0])}: " if len(details) > 1 else ""
    what = "item" if len(details) > 1 else "topic"
    text = shown(details[-1])
    return f"{place}{what} {text} is there as str and as int, which are one id", "remove one or rename it"


def _inner(subject: Subject, unit: str, details: list[object]) -> _Words:
    topic, got = details
    layout = f"{{topic: {{item: {subject.value}}}}}"
    return f"topic {shown(topic)} holds an object of type {got}, allowed is a dict of items", f"pass {layout}"


def _duplicate(subject: Subject, unit: str, details: list[object]) -> _Words:
    topic, item, first = details
    return f"topic {shown(topic)} has item {shown(item)} twice (first at {unit} {first})", CHOOSE


def _conflict(subject: Subject, unit: str, details: list[object]) -> _Words:
    topic, item, first, before, grade = details
    pair = f"topic {shown(topic)} has item {shown(item)}"
    return f"{pair} with grade {grade}, and at {unit} {first} with grade {before}", CHOOSE


def _empty(subject: Subject, unit: str, details: list[object]) -> _Words:
    noun = "topic" if unit == "topic" else f"data {unit}"
    return f"no {noun}, {subject.plural} at least one", "check that it was written"


_RANGE = "-2147483648 to 2147483647"
_WORDS: dict[str, _Writer] = {
    "fields": _fields,
    "cells": _cells,
    "missing": _missing,
    "absent": _absent,
    "id": _identifier,
    "surrogate": _surrogate,
    "value": _value,
    "column": _column,
    "row": _row,
    "said": _said,
    "changed": lambda *_: CHANGED,
    "nul": lambda *_: ("NUL byte, text has none", "write it as text in UTF-8"),
    "utf8": lambda *_: (
        "bytes that are not UTF-8",
        "convert the file, for instance with iconv -f latin1 -t utf-8",
    ),
    "nan": _nan,
    "score": _literal("score {} is not a number", NUMBER),
    "dict-score": _literal("score {} is not a number", "pass a number, such as float(score)"),
    "score-range": _literal(
        "score {} is beyond float64 (about 1.8e308)", "write inf or -inf if that is meant"
    ),
    "grade": _literal("grade {} is not an integer", INTEGER),
    "float32-range": _literal("score {} is beyond float32 (about 3.4e38)", 'pass score_dtype="float64"'),
    "inexact": _literal("score {} is not exact as float64", "give ranks, or round it"),
    "dict-grade": _literal("grade {} is not an integer", "pass an integer, such as int(grade)"),
    "grade-range": _literal(f"grade {{}} is beyond 32 bits ({_RANGE})", "write a smaller grade"),
    "dict-topic": _key("topic"),
    "dict-item": _key("item"),
    "dict-items": _inner,
    "dict-twice": _twice,
    "duplicate": _duplicate,
    "conflict": _conflict,
    "empty": _empty,
}
