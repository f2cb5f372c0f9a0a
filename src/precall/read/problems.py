"""From the facts a kernel or reader found to sentences: what was got, what is allowed, what to do."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from precall.errors import PROBLEM_LIMIT, DataError, Malformed, Problem
from precall.read.columns import Int64
from precall.read.subjects import Request, Subject

#: Texts of an input are quoted up to this length, the kernels' limit.
SHOWN = 60
CHOOSE = "remove one or pass --duplicates first|last|best"
NUMBER = "write a number such as 12.5, -3e-4 or inf (no commas, underscores or hexadecimal)"
INTEGER = "write an integer such as 0, 1 or -1"

Fact = tuple[object, ...]


def shown(text: object) -> str:
    """Text of an input as it may be printed: quoted, unprintable characters escaped, cut short."""
    if isinstance(text, bytes):
        whole = len(text) < SHOWN
        # A cut may have gone through a character; what is left of it is no fault of the input.
        text = text.decode("utf-8", "surrogateescape" if whole else "ignore")
        return repr(text) if whole else repr(text)[:-1] + "...'"
    word = str(text)
    return repr(word) if len(word) <= SHOWN else repr(word[: SHOWN - 3])[:-1] + "...'"


def printable(name: str | os.PathLike[str]) -> str:
    """A file name as it may be printed."""
    text = os.fspath(name)
    return text if text.isprintable() else repr(text)[1:-1]


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
        facts = [fact for fact in other.problems if not (self.total and fact[1] == "empty")]
        total = self.total + other.total - (len(other.problems) - len(facts))
        return Malformed(_first([*self.facts, *facts]), total)


def _first(facts: list[Fact]) -> list[Fact]:
    return sorted(facts, key=_line)[:PROBLEM_LIMIT]


def _line(fact: Fact) -> int:
    line = fact[0]
    assert isinstance(line, int)
    return line


def renumbered(bad: Malformed, line: Sequence[int] | Int64) -> Malformed:
    """The facts of a kernel about rows, with the row numbers replaced by those of lines."""

    def at(row: object) -> int:
        assert isinstance(row, int)
        return int(line[row - 1]) if row else 0

    facts: list[Fact] = []
    for row, kind, *details in bad.problems:
        if kind in ("duplicate", "conflict"):
            details[2] = at(details[2])
        facts.append((at(row), kind, *details))
    return Malformed(facts, bad.total)


def data_error(bad: Malformed, request: Request, *, rows: bool = False, label: str | None = None) -> DataError:
    """The error that says these facts; `rows` when places are rows rather than lines."""
    source = request.label if label is None else label
    unit = "row" if rows else "line"
    problems = []
    for line, kind, *details in bad.problems:
        what, todo = WORDS[str(kind)](request.subject, unit, details)
        place = f"{source}, row {line}" if rows and line else source
        problems.append(Problem(place, None if rows or not isinstance(line, int) or not line else line, what, todo))
    return DataError(problems, bad.total)


Words = tuple[str, str]


def _fields(subject: Subject, unit: str, details: list[object]) -> Words:
    (found,) = details
    todo = "separate them by blanks, or give a table a name ending in .csv, .tsv or .jsonl"
    if subject.noun == "run" and found == 4:
        todo = "this looks like qrels: check which file is the run"
    elif subject.noun == "qrels" and found == 6:
        todo = "this looks like a run: check which file is the qrels"
    fields = "1 field" if found == 1 else f"{found} fields"
    return f"{fields}, {subject.line} has {subject.fields} ({subject.layout})", todo


def _cells(subject: Subject, unit: str, details: list[object]) -> Words:
    found, expected = details
    return (
        f"{found} cell{'' if found == 1 else 's'}, the header has {expected}",
        "give every row a cell for every column, and quote cells that hold a separator",
    )


def _missing(subject: Subject, unit: str, details: list[object]) -> Words:
    (column,) = details
    return f"no value in column {shown(column)}", f"fill it in or remove the {unit}"


def _absent(subject: Subject, unit: str, details: list[object]) -> Words:
    name, there, columns = details
    assert isinstance(there, list) and isinstance(columns, tuple)
    wanted = ",".join(f"{role}=..." for role in columns)
    return f"no {shown(name)}, there are {', '.join(map(shown, there[:20])) or 'none'}", f"name them with --columns {wanted}"


def _value(subject: Subject, unit: str, details: list[object]) -> Words:
    (got,) = details
    if subject.value == "score":
        return f"score {got} is not a number", "give a number, not a text that looks like one"
    return f"grade {got} is not an integer", "give an integer such as 0, 1 or -1, neither text nor float"


def _column(subject: Subject, unit: str, details: list[object]) -> Words:
    name, got, allowed, target = details
    return f"column {shown(name)} holds {got}, allowed are {allowed}", f"cast it to {target}"


def _row(subject: Subject, unit: str, details: list[object]) -> Words:
    (got,) = details
    return f"got {got}, a row is ({', '.join(subject.columns)})", "give three values in every row"


def _identifier(subject: Subject, unit: str, details: list[object]) -> Words:
    column, got = details
    return f"column {shown(column)} holds {got}, an id is a string or an integer", "write it as a string"


def _broken(subject: Subject, unit: str, details: list[object]) -> Words:
    what, todo = details
    return str(what), str(todo)


def _nan(subject: Subject, unit: str, details: list[object]) -> Words:
    place = f"topic {shown(details[0])}, item {shown(details[1])}: " if details else ""
    return f"{place}score is NaN, which has no place in an order", "give a number (inf and -inf are allowed) or remove it"


def _number(kind: str) -> Callable[[Subject, str, list[object]], Words]:
    what, todo = {
        "score": ("score {} is not a number", NUMBER),
        "score-range": ("score {} is beyond what float64 holds (about 1.8e308)", "write inf or -inf if that is meant"),
        "grade": ("grade {} is not an integer", INTEGER),
        "grade-range": ("grade {} is beyond 32 bits (-2147483648 to 2147483647)", "write a smaller grade"),
    }[kind]

    def words(subject: Subject, unit: str, details: list[object]) -> Words:
        # From a dict come topic and item too, and the value as Python writes it.
        if len(details) == 1:
            return what.format(shown(details[0])), todo
        return f"topic {shown(details[0])}, item {shown(details[1])}: {what.format(details[2])}", todo

    return words


def _duplicate(subject: Subject, unit: str, details: list[object]) -> Words:
    topic, item, first = details
    return f"topic {shown(topic)} has item {shown(item)} twice (first at {unit} {first})", CHOOSE


def _conflict(subject: Subject, unit: str, details: list[object]) -> Words:
    topic, item, first, before, grade = details
    return (
        f"topic {shown(topic)} has item {shown(item)} with grade {grade}, and at {unit} {first} with grade {before}",
        CHOOSE,
    )


def _empty(subject: Subject, unit: str, details: list[object]) -> Words:
    noun = "topic" if unit == "dict" else f"data {unit}"
    return f"no {noun}, a {subject.noun} has at least one".replace("a qrels has", "qrels have"), "check that it was written"


def _key(kind: str) -> Callable[[Subject, str, list[object]], Words]:
    def words(subject: Subject, unit: str, details: list[object]) -> Words:
        place = "" if kind == "topic" else f"topic {shown(details[0])}: "
        return (
            f"{place}{kind} {details[-1]} is not a str that UTF-8 can encode",
            f"pass str({kind}) as the key, without lone surrogates",
        )

    return words


def _inner(subject: Subject, unit: str, details: list[object]) -> Words:
    topic, got = details
    return (
        f"topic {shown(topic)} holds {got}, allowed is a dict {{item: {subject.value}}}",
        f"pass {{topic: {{item: {subject.value}}}}}",
    )


WORDS: dict[str, Callable[[Subject, str, list[object]], Words]] = {
    "fields": _fields, "cells": _cells, "missing": _missing, "id": _identifier, "broken": _broken, "absent": _absent,
    "value": _value, "column": _column, "row": _row,
    "nul": lambda subject, unit, details: (
        "NUL byte, text has none", "write the file again as text (compressed files are named .gz or .zst)"),
    "utf8": lambda subject, unit, details: (
        "bytes that are not UTF-8", "convert the file, for instance with iconv -f latin1 -t utf-8"),
    "score": _number("score"), "score-range": _number("score-range"), "nan": _nan,
    "grade": _number("grade"), "grade-range": _number("grade-range"),
    "dict-score": _number("score"), "dict-grade": _number("grade"),
    "duplicate": _duplicate, "conflict": _conflict, "empty": _empty,
    "dict-topic": _key("topic"), "dict-item": _key("item"), "dict-items": _inner,
}  # fmt: skip
