"""Messages for the facts that a kernel or reader found: what was given, what is allowed, and what
to do.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from operator import itemgetter
from shlex import quote
from typing import Any, NamedTuple

from precall.core.errors import (
    NAN,
    PROBLEM_LIMIT,
    Among,
    DataError,
    Fact,
    Labels,
    Malformed,
    Many,
    Mistake,
    Problem,
    Several,
    fill_template,
)
from precall.core.text import letters, short_repr, without_invisible
from precall.core.vocabulary import VOCABULARY
from precall.native.literals import GRADE, NUMBER
from precall.read.columns import NAMES, RUN, Ids, Request, Subject, lowest_is_best
from precall.read.sources import ARCHIVES, CHANGED, STANDARD_INPUT

#: Kernels cut texts of an input to this length.
SHOWN = 60

# Messages name arguments as Python spells them; the command line replaces them by its options.
CHOOSE = 'remove one or pass ⟨duplicates="first", "last" or "best"⟩'
#: What to do about an id that stands for nothing.
PADDING = "FAISS and other vector indexes write -1 where they found nothing: leave it out"
#: What to do if scores are expected and grades are found, or the reverse.
SWAPPED = {
    "score": "this looks like qrels: check which is the run",
    "grade": "this looks like a run: name the qrels first, then the runs",
}
#: How to mark a file as a table, and not TREC text: by its name, or by an option if it has none.
_BY_NAME = "give a table a name ending in .csv, .tsv or .jsonl"
_BY_FORMAT = 'pass ⟨format="csv", "tsv" or "jsonl"⟩ for a table'

#: The line of a fact, its kind and its details.
Found = tuple[Any, ...]


def _detail(text: object) -> object:
    """The value that a detail of a fact stands for: bytes as text, which a kernel may have cut."""
    if not isinstance(text, bytes):
        return text
    if len(text) < SHOWN:
        return text.decode("utf-8", "backslashreplace")
    # A cut may have split a character; its remainder is not a fault of the input.
    quoted = short_repr(text.decode("utf-8", "ignore"))
    return Fact(f"{quoted[:-1]}...{quoted[-1]}")


def _python_code(text: str) -> Fact:
    """The detail of a fact that is written as in Python, which a kernel may have cut."""
    return Fact(f"{text[:-3]}..." if len(text) == SHOWN else text)


def show_text(text: object) -> str:
    """A text of an input as it can be printed: quoted, unprintable characters escaped,
    shortened.
    """
    value = _detail(text)
    return str(value) if isinstance(value, Fact) else short_repr(str(value))


def _usual_names(role: str) -> set[str]:
    """The usual names of a role, as `letters` writes them."""
    return set(NAMES[role].split())


def no_column(missing: Sequence[object], columns: Sequence[object], todo: str) -> Mistake:
    """The mistake that columns are missing; `todo` is what to do unless the header has another
    separator than the cells.
    """
    return Mistake(
        "no column {got}",
        advice_on_separator(columns) or todo,
        got=missing[0] if len(missing) == 1 else Several(missing, " and no column "),
        allowed=Labels("the columns are", columns),
    )


def advice_on_separator(columns: Sequence[object]) -> str:
    """What to do if a header of one column has another separator than the cells; empty if not."""
    if len(columns) != 1:
        return ""
    header = str(columns[0])
    for mark, name in (("\t", "tabs"), (";", "semicolons"), ("|", "bars"), (",", "commas")):
        if mark in header:
            return _parted_by(name)
    return _parted_by("blanks") if len(header.split()) > 1 else ""


def _parted_by(name: str) -> str:
    return f"cells look parted by {name}: write a .csv with commas, or a .tsv with tabs"


def refuse_repeated(names: Sequence[object], label: str) -> None:
    """Raise if two of the columns of a file or frame have one name."""
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise duplicate_column(twice, names.count(twice)).error(label)


def duplicate_column(name: object, count: int) -> Mistake:
    """The mistake that several columns have the name of a wanted one."""
    return Mistake(
        "{count} columns are called {got}, one is allowed",
        "rename or remove the others",
        got=name,
        count=count,
    )


def advice_on_columns(subject: Subject, there: Sequence[object], missing: Sequence[object]) -> str:
    """What to do if columns are not found among the existing ones."""
    names = {letters(str(name)) for name in there}
    if all(names & _usual_names(role) for role in ("retrieved", "gold")):
        return "rows of lists are read by pc.read_lists (--lists)"
    other = "grade" if subject is RUN else "score"
    if list(missing) == [subject.value] and all(
        names & _usual_names(role) for role in ("topic", "item", other)
    ):
        held = next(name for name in there if letters(str(name)) in _usual_names(other))
        pair = f'⟨columns={{"{subject.value}": "{held}"}}⟩'
        return f"{SWAPPED[subject.value]}; if {show_text(held)} is its {subject.value}, pass {pair}"
    pairs = ", ".join(f'"{role}": ...' for role in subject.columns)
    no_scores = [name for name in there if lowest_is_best(str(name))] if subject is RUN else []
    # A missing score must not be looked for in such a column.
    hint = ""
    if no_scores:
        hint = (
            f"; of {show_text(no_scores[0])} the lowest is the best by its name: pass "
            "⟨lower_is_better=True⟩ to rank by it"
        )
    return f"name them with ⟨columns={{{pairs}}}⟩{hint}"


#: At most this many topics of a run are compared with those of the qrels, to say how they differ.
_COMPARED = 50
#: A whole number as pandas writes it if its column has gaps or other numbers are not whole.
_DECIMAL = re.compile(r"\A(-?[0-9]+)\.0+\Z")
#: Zeros before a whole number, which programs lose that read ids as numbers.
_ZEROS = re.compile(r"\A0+(?=[0-9]+\Z)")


def without_zeros(text: str) -> str:
    """A whole number without zeros before it; any other text unchanged."""
    return _ZEROS.sub("", text)


def advice_on_spelling(some: Iterable[str], others: Collection[str], what: str) -> str:
    """What to do if ids differ only in how Unicode writes letters, in blanks, in characters that
    are not seen, in capitals, in a decimal point or in leading zeros; empty if they do not.

    Examples
    --------
    >>> advice_on_spelling(["1.0"], ["1", "2"], "topic").partition(":")[0]
    'the topic ids differ in a decimal point, as 1.0 and 1'
    """

    def compose(text: str) -> str:
        return unicodedata.normalize("NFC", text)

    def bare(text: str) -> str:
        return compose(without_invisible(text)).strip()

    forms: tuple[tuple[Callable[[str], str], str], ...] = (
        (
            compose,
            (
                f"the {what} ids differ in how Unicode writes letters: normalize both, as "
                "unicodedata.normalize('NFC', id)"
            ),
        ),
        (
            lambda text: compose(text).strip(),
            f"the {what} ids differ in blanks at their ends: strip both",
        ),
        (
            bare,
            (
                f"the {what} ids differ in characters that are not seen, such as U+200B and byte "
                "order marks: remove these"
            ),
        ),
        (
            lambda text: bare(text).casefold(),
            f"the {what} ids differ in capital letters: write both alike",
        ),
        (
            lambda text: _DECIMAL.sub(r"\1", bare(text)),
            (
                f"the {what} ids differ in a decimal point, as 1.0 and 1: write both as whole "
                "numbers (pandas adds it to a column with gaps; its type Int64 does not)"
            ),
        ),
        (
            lambda text: without_zeros(bare(text)),
            (
                f"the {what} ids differ in zeros before the number, as 007 and 7: read both as "
                "texts (pandas by dtype=str)"
            ),
        ),
    )
    listed = list(some)
    for form, remedy in forms:
        if not set(map(form, listed)).isdisjoint(map(form, others)):
            return remedy
    return ""


def no_common_topic(
    run: tuple[str, Sequence[str] | Ids], qrels: tuple[str, Sequence[str] | Ids]
) -> Problem:
    """The problem that no topic of a run is in the qrels; `run` and `qrels` are pairs of a source
    and its topics.
    """

    def sample(ids: Sequence[str] | Ids) -> Several:
        return Several([ids[i] for i in range(min(3, len(ids)))])

    remedy = advice_on_spelling(
        [run[1][i] for i in range(min(_COMPARED, len(run[1])))], list(qrels[1]), "topic"
    )
    return Mistake(
        "no topic of the run is in the qrels {qrels:s} (run: {got}; qrels: {topics})",
        remedy or "check that both belong to one collection and spell topic ids alike",
        got=sample(run[1]),
        qrels=qrels[0],
        topics=sample(qrels[1]),
    ).of(run[0])


class Findings:
    """Facts collected while reading: all are counted, the first are kept."""

    def __init__(self) -> None:
        self.facts: list[Found] = []
        self.total: int = 0

    def add(self, line: int, *fact: object) -> None:
        """Add a fact: its kind and details. Lines may come in any order."""
        self.total += 1
        self.facts.append((line, *fact))
        # A file full of problems must not fill the memory.
        if len(self.facts) > 50 * PROBLEM_LIMIT:
            self.facts = _first(self.facts)

    def merge(self, other: Malformed | None = None) -> Malformed:
        """These facts and those of a kernel, in the order of lines."""
        if other is None:
            return Malformed(_first(self.facts), self.total)
        # If rows are bad, it need not be said that there are no good ones.
        facts = [fact for fact in other.problems if not (self.total and fact[1] == "empty")]
        total = self.total + other.total - (len(other.problems) - len(facts))
        return Malformed(_first([*self.facts, *facts]), total)


def _first(facts: list[Found]) -> list[Found]:
    return sorted(facts, key=itemgetter(0))[:PROBLEM_LIMIT]


def renumber_facts(bad: Malformed, line_of: Callable[[int], int]) -> Malformed:
    """The facts of a kernel about rows, numbered from 1, with the lines of the rows (from 0)
    instead of their numbers.
    """
    facts: list[Found] = list(bad.problems)
    for at, (row, kind, *details) in enumerate(facts):
        if kind in ("duplicate", "conflict"):
            details[2] = line_of(details[2] - 1)
        facts[at] = (line_of(row - 1) if row else 0, kind, *details)
    return Malformed(facts, bad.total)


def data_error(bad: Malformed, request: Request, unit: str = "line") -> DataError:
    """The error with the messages of these facts; `unit` is what the input consists of: "line",
    "row" or "topic".
    """
    facts: list[Found] = list(bad.problems)
    problems = []
    for number, kind, *details in facts:
        mistake, advice = _mistake(kind, request, unit, details)
        remedy = mistake.todo
        is_first = (number, unit) == (1, "line") and not request.columns
        if is_first and kind == request.subject.value:
            remedy = f"{remedy}; if this line is a heading, {_as_table(request)}"
        line, row = (number or None, None) if unit == "line" else (None, number or None)
        is_of_topic = (
            unit == "topic" or kind in _OF_TOPICS or (kind in _OF_VALUES and len(details) > 1)
        )
        alike = (kind, advice, *_details_of_kind(kind, details)) if number or is_of_topic else None
        problems.append(mistake.advise(remedy).of(request.label, line, row, alike))
    return DataError(problems, bad.total)


def _details_of_kind(kind: str, details: list[Any]) -> list[Any]:
    """The details that are equal for facts on one line of the message."""
    return (
        details[1:]
        if kind == "said"
        else [details[index] for index in _DISTINGUISHING_DETAILS.get(kind, ())]
    )


def _topic() -> str:
    """The word for topics: those of lists are queries."""
    return VOCABULARY.get().word("topic")


def _mistake(kind: str, request: Request, unit: str, details: list[Any]) -> tuple[Mistake, str]:
    """The mistake that a fact tells of, and what to do without any values."""
    if kind == "said":
        return details[0], ""
    if kind in _WRITERS:
        mistake = _WRITERS[kind](request, unit, *details)
        return mistake, mistake.todo
    template = _TEMPLATES[kind]
    # Facts about a value in a dict also have its topic and item, as there is no line to name, and
    # the value as Python writes it.
    is_in_dict = template.details == "value" and len(details) > 1
    names = ["topic", "item", "got"] if is_in_dict else template.names
    values = dict(zip(names, map(_detail, details), strict=False))
    if is_in_dict:
        values["got"] = _python_code(str(details[-1]))
    if template.got is not None:
        values["got"] = template.got
    remedy = template.todo
    # pandas writes NaN for cells without a list.
    if kind == "dict-items" and details[1] in ("float", "NoneType"):
        remedy = NO_RESULTS
    types = values.get("types")
    words = {"unit": unit, "value": request.subject.value}
    mistake = Mistake(
        template.what,
        fill_template(remedy, {**words, **values}),
        allowed=Among("allowed are", [types]) if types else template.allowed,
        **words,
        **values,
    )
    return mistake.prefix(_IN_DICT, noun=_topic()) if is_in_dict else mistake, remedy


def _fields(request: Request, unit: str, count: int) -> Mistake:
    subject = request.subject
    from_pipe = request.label == STANDARD_INPUT  # it has no name that tells its format
    remedy = ""
    if subject.value == "score" and count == 4:
        remedy = SWAPPED["score"]
    elif subject.value == "grade" and count == 6:
        remedy = SWAPPED["grade"]
    elif subject is RUN and count == 3 and not request.label.endswith(ARCHIVES):  # awk reads none
        remedy = of_ms_marco(request.label)
    if from_pipe or not remedy:
        remedy = f"{remedy or 'separate them by blanks'}, or {_as_table(request)}"
    if subject.value == "grade" and count == 1:
        remedy += "; for lists of ids use ⟨pc.ranking(relevant, ranked)¦`precall ranking`⟩"
    layout = Among(f"{subject.line} has", [f"{subject.fields} ({subject.layout})"])
    return Mistake("{got}", remedy, got=Many(count, "field"), allowed=layout)


def _as_table(request: Request) -> str:
    """What to do about a table that was read as TREC text."""
    return _BY_FORMAT if request.label == STANDARD_INPUT else _BY_NAME


def of_ms_marco(path: str) -> str:
    """What to do about a run of three columns without a header: query, passage and rank, the format
    of MS MARCO.
    """
    separator_option = "-F, " if path.endswith(".csv") else ""
    source, target = (
        quote(name)
        for name in ((path, f"{path}.run") if path != STANDARD_INPUT else ("RUN", "RUN.run"))
    )
    line = f"""awk {separator_option}'{{print $1, "Q0", $2, $3, -$3, "run"}}' {source} > {target}"""
    return (
        "if these are query, passage and rank, as of MS MARCO, make TREC text of it (of a score "
        f"instead of a rank with $3 for -$3): {line}"
    )


def _cells(request: Request, unit: str, count: int, expected: int) -> Mistake:
    remedy = "give every row as many, and quote those that hold a separator"
    return Mistake(
        "{got}", remedy, got=Many(count, "cell"), allowed=Among("the header has", [expected])
    )


def _row(request: Request, unit: str, row: str) -> Mistake:
    layout = Among("a row is", [f"({', '.join(request.subject.columns)})"])
    return Mistake("", "give three values in every row", got=Fact(row), allowed=layout)


def _longer_row(request: Request, unit: str, row: str) -> Mistake:
    mistake = _row(request, unit, row)
    return mistake.advise(f"{mistake.todo}; rows with more must be dicts that name them")


def no_key(name: object, names: Sequence[object], todo: str) -> Mistake:
    """The mistake that an object has no such key."""
    return Mistake("no {got}", todo, got=name, allowed=Labels("there are", names))


def _absent(request: Request, unit: str, name: Any, names: Any) -> Mistake:
    return no_key(name, names, advice_on_columns(request.subject, names, [name]))


def _value(request: Request, unit: str, got: str) -> Mistake:
    remedy = NUMBER
    if request.subject.value != "score":
        remedy = "give a number such as 0, 1, -1 or 4.5"
    template = _TEMPLATES["score" if request.subject.value == "score" else "grade"]
    return Mistake(template.what, remedy, got=Fact(got))


def _key(request: Request, unit: str, *details: Any) -> Mistake:
    *topic, got = details
    name = "item" if topic else _topic()
    if got == repr(""):
        mistake = Mistake(
            "an empty text is no {name:s}", f"name the {name}, or remove it", got="", name=name
        )
    elif got[:1] in ("'", '"'):
        mistake = Mistake(
            "{name:s} {got} is not text that UTF-8 can encode",
            "remove the lone surrogates",
            got=Fact(got),
            name=name,
        )
    else:
        mistake = Mistake(
            "{name:s} {got} is neither str nor int",
            f"use str({name}) as the key",
            got=Fact(got),
            name=name,
        )
    return _in_topic(mistake, topic)


def _in_topic(mistake: Mistake, topic: Sequence[object]) -> Mistake:
    """A mistake within a topic, if one is given."""
    if not topic:
        return mistake
    return mistake.prefix("{noun:s} {topic}: ", noun=_topic(), topic=_detail(*topic))


def _twice(request: Request, unit: str, *details: Any) -> Mistake:
    *topic, key = details
    mistake = Mistake(
        "{name:s} {got} is there as str and as int, which are one id",
        "remove one or rename it",
        got=str(key),
        name="item" if topic else _topic(),
    )
    return _in_topic(mistake, topic)


def _empty(request: Request, unit: str) -> Mistake:
    noun = "topic" if unit == "topic" else f"data {unit}"
    return nothing_in(noun, request.subject.plural)


def nothing_in(noun: str, plural: str) -> Mistake:
    """The mistake that an input has no such thing; `plural` are those that have one, with the verb:
    "qrels have".
    """
    return Mistake(
        "no {noun:s}, {plural:s} at least one",
        "check that it was written",
        noun=noun,
        plural=plural,
    )


#: Problems of files that are no text, in any reader.
NUL = Mistake(
    "NUL byte, text has none",
    "write it as text in UTF-8; convert UTF-16 with iconv -f utf-16 -t utf-8",
)
NOT_UTF8 = Mistake(
    "bytes that are not UTF-8",
    "convert the file, for instance with iconv -f latin1 -t utf-8",
)


def todo_of_twice(item: object) -> str:
    """What to do about an item that a topic has twice."""
    return PADDING if item in (-1, "-1", b"-1") else CHOOSE


def _duplicate(request: Request, unit: str, topic: object, item: object, first: int) -> Mistake:
    return Mistake(
        "{noun:s} {topic} has item {got} twice (first at {unit:s} {first})",
        todo_of_twice(item),
        got=_detail(item),
        topic=_detail(topic),
        noun=_topic(),
        unit=unit,
        first=first,
    )


def _changed(request: Request, unit: str) -> Mistake:
    return CHANGED


def _nul(request: Request, unit: str) -> Mistake:
    return NUL


def _not_utf8(request: Request, unit: str) -> Mistake:
    return NOT_UTF8


_WRITERS: dict[str, Callable[..., Mistake]] = {
    "changed": _changed,
    "nul": _nul,
    "utf8": _not_utf8,
    "row": _row,
    "longer row": _longer_row,
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
#: What to do about a fraction where only whole grades are known.
FRACTION = (
    "number the grades, such as 1 for 0.5 and 2 for 1, and say what each earns by gains=, as in "
    "nDCG(gains={1:0.5,2:1})"
)
_RANGE = "-2147483648 to 2147483647"
#: How messages tell the place of a value in a dict.
_IN_DICT = "{noun:s} {topic}, item {item}: "
#: What an id may be.
IDS = Among("an id is", ["a string or an integer"])


class _Template(NamedTuple):
    """How facts of a kind are told.

    Parameters
    ----------
    what, todo, allowed : see `Problem`.
    details : the names of the details; "value" of those that also have a topic and an item, if they
        are about a dict.
    got : what all facts of the kind got.
    """

    what: str
    todo: str
    details: str = "value"
    allowed: Among | str = ""
    got: Fact | None = None

    @property
    def names(self) -> list[str]:
        return ["got"] if self.details == "value" else self.details.split()


#: How facts are told, by their kind.
_TEMPLATES: dict[str, _Template] = {
    "missing": _Template(
        "no value in column {column}", "fill it in or remove the {unit:s}", "column"
    ),
    "id": _Template(
        "column {column} holds {got:s}", "write it as a string", "column got", allowed=IDS
    ),
    "list": _Template(
        "column {column} holds {got}",
        (
            "give each id a row, as frame.explode({column}) does; lists of gold and retrieved ids "
            "go to pc.read_lists (--lists)"
        ),
        "column",
        allowed=IDS,
        got=Fact("lists"),
    ),
    "surrogate": _Template(
        "column {column} holds {got:s}, which UTF-8 cannot encode",
        "remove the lone surrogates",
        "column got",
    ),
    "column": _Template(
        "column {column} holds {got:s}",
        "cast it to {types:s}",
        "column got types",
    ),
    "nan": _Template(
        "score is {got}, which has no place in an order",
        "give a number (inf and -inf are allowed) or remove it",
        got=NAN,
    ),
    "score": _Template("score {got} is not a number", NUMBER),
    "dict-score": _Template("score {got} is not a number", "pass a number, such as float(score)"),
    "score-range": _Template(
        "score {got} is beyond float64 (about 1.8e308)", "write inf or -inf if that is meant"
    ),
    "float32-range": _Template(
        "score {got} is beyond float32 (about 3.4e38)", 'pass ⟨score_dtype="float64"⟩'
    ),
    "inexact": _Template("score {got} is not exact as float64", "give ranks, or round it"),
    "grade": _Template("grade {got} is not a number", GRADE),
    "dict-grade": _Template("grade {got} is not a number", GRADE),
    "negative-grade": _Template(
        "grade {got} is below 0 and not whole",
        "write -1 if nobody judged the item, or raise all grades so that none is below 0; if these "
        "are scores, name the qrels first, then the runs",
    ),
    "spark-fraction": _Template("grade {got} is no whole number, and Spark needs these", FRACTION),
    "grade-range": _Template(
        f"grade {{got}} is beyond 32 bits ({_RANGE})", "write a smaller grade"
    ),
    "dict-items": _Template(
        "topic {topic} holds an object of type {got:s}",
        "pass {topic: {item: {value:s}}} or {topic: [item, ...]}",
        "topic got",
        allowed=Among("allowed is", ["a dict or a list of items"]),
    ),
    # Rows of Spark are not numbered.
    "spark-null": _Template("the {got} is null", "fill it in or remove the {unit:s}"),
    "spark-duplicate": _Template("topic {topic} has item {got} twice", CHOOSE, "topic got"),
    "spark-conflict": _Template(
        "topic {topic} has item {got} with grade {second}, and with grade {first}",
        CHOOSE,
        "topic got second first",
    ),
    "conflict": _Template(
        "topic {topic} has item {got} with grade {second}, and at {unit:s} {line} with grade "
        "{first}",
        CHOOSE,
        "topic got line first second",
    ),
}
#: Kinds of facts about a topic, and kinds that are about one if they have more details than the
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
        "negative-grade",
        "spark-fraction",
        "grade-range",
    )
)
#: What to write instead of a list of results that is missing.
NO_RESULTS = 'write a list of ids such as ["d1", "d2"], or [] if there are none'
#: The details that distinguish facts of one kind, such as the column; all others are values.
_DISTINGUISHING_DETAILS = {
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
KINDS = frozenset(("said", *_WRITERS, *_TEMPLATES))
