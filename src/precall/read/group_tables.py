"""The group of each topic, such as its language, or its weight, or the system of each run: of lines
of text, a table, a JSON object or a data frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from precall.core.arguments import check_kind
from precall.core.errors import DataError, Fact, Many, Mistake, Problem, Several, UsageError
from precall.core.text import MARK, as_text, is_folder, is_utf8
from precall.read.cases import Reader, read_columns
from precall.read.column_names import column_of
from precall.read.columns import Choice, Request
from precall.read.documents import parse_document
from precall.read.formats import DOCUMENT, SEPARATOR, TABLES
from precall.read.json_tables import REMEDY
from precall.read.problems import NOT_UTF8, Findings, data_error, no_column, nothing_in
from precall.read.select_columns import CASES, choose_by_name, separator_of
from precall.read.sources import contents, format_of, label_of
from precall.read.tables import cells_of, header_of
from precall.read.values import is_there


@dataclass(frozen=True, slots=True)
class Grouping:
    """What is grouped.

    Attributes
    ----------
    noun, group : a noun for what is grouped, and for a group.
    roles : those whose usual names the column of the former may have.
    choosing : how the command takes a column of groups, in a remedy.
    """

    noun: str
    group: str
    roles: tuple[str, ...]
    choosing: str = ""


TOPICS = Grouping("topic", "group", ("topic", "query"), "⟨¦name the column, FILE:COLUMN, or ⟩")
WEIGHTS = Grouping("topic", "weight", ("topic", "query"))
RUNS = Grouping("run", "system", ("run",))
#: What to do about a topic that has no group.
_ONE = "give it one group, or leave it out"


def check_groups(by: object) -> dict[str, str]:
    """The group of each topic, as texts: of a dict, a pandas Series by its index, or a data frame.

    Examples
    --------
    >>> check_groups({1: "long", 2: "short"})
    {'1': 'long', '2': 'short'}
    """
    what = "{topic: group}, a pandas Series whose index has the topics, or a data frame"
    groups: dict[str, str] = {}
    for topic, group in pairs_of(by, TOPICS, "by", what):
        if not is_there(group) or isinstance(group, list | tuple | set | dict):
            raise Mistake("topic {topic} has no group", _ONE, got=group, topic=topic).error("by")
        name = as_text(topic)
        if (before := groups.setdefault(name, as_text(group))) != as_text(group):
            raise _two_groups(TOPICS, name, before, as_text(group)).error("by")
    if not groups:
        raise UsageError(argument="by", got=by, allowed="the group of at least one topic")
    if isinstance(by, Mapping) and len(groups) < len(by):
        raise UsageError(argument="by", what="two topics have one name as text")
    return groups


def pairs_of(
    given: Any, grouping: Grouping, argument: str, allowed: str, forms: Any = Mapping
) -> Iterable[tuple[Any, Any]]:
    """Topics and what each has, of a dict, a Series, a data frame or another of the `forms`; none
    of the topics is missing.
    """
    pairs = [*_pairs_of(given, grouping, argument, allowed, forms)]
    for topic, group in pairs:
        if not is_there(topic):
            raise _no_topic(grouping, group).error(argument)
    return pairs


def _pairs_of(
    given: Any, grouping: Grouping, argument: str, allowed: str, forms: Any
) -> Iterable[tuple[Any, Any]]:
    kind = type(given)
    if getattr(given, "ndim", 0) == 1 and hasattr(given, "index") and hasattr(given, "items"):
        return given.items()  # type: ignore[no-any-return]
    # One column has a type.
    is_stream = hasattr(kind, "__arrow_c_stream__") and not {"dtype", "type"} & {*dir(kind)}
    if hasattr(kind, "columns") or hasattr(kind, "column_names") or is_stream:
        return _of_frame(given, grouping, argument)
    check_kind(argument, given, forms, allowed)
    if isinstance(given, Mapping):
        return given.items()
    pairs = [*given]
    for pair in pairs:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise UsageError(argument=argument, got=pair, allowed=allowed)
    return pairs


def _of_frame(given: Any, grouping: Grouping, argument: str) -> Iterable[tuple[Any, Any]]:
    """The rows of a data frame: its column of topics, and that of what they have."""
    from precall.read.arrow_streams import by_polars
    from precall.read.frames import native_of, to_narwhals

    frame = to_narwhals(native_of(given), argument)
    if not hasattr(frame, "columns"):
        need = "reading a table that speaks Arrow only needs Polars"
        frame = to_narwhals(by_polars(given, argument, need, ""), argument)
    frame = frame.collect() if hasattr(frame, "collect") else frame
    topic, group = _choice(grouping, argument, None)([str(name) for name in frame.columns])
    return zip(frame[topic].to_list(), frame[group].to_list(), strict=True)


def read_groups(
    path: str, grouping: Grouping = TOPICS, column: str | None = None
) -> dict[str, str]:
    """The group of each topic in a file: a table with a heading that has a column of topics, a JSON
    object, or a topic and its group on each line, with a tab or a blank between them (in CSV a
    comma). A group may have blanks.

    Parameters
    ----------
    path : where the file is; it may be compressed, and `-` is standard input.
    grouping : what is grouped.
    column : that of the groups in a table. None is the one with a usual name, or the only one
        beside the topics.

    Raises
    ------
    DataError
        A line has no group, a topic has two, there is none, or there is no such column.
    """
    label = label_of(path)
    kind = "parquet" if is_folder(path) else format_of(path, None)
    if kind not in TABLES:
        if column is not None:
            raise _without_heading(grouping, label, column)
        return groups_of_lines(contents(path, label), label, grouping)
    if kind in SEPARATOR:
        data = contents(path, label)
        if not _has_heading(data, kind, label, grouping):
            if column is not None:
                raise _without_heading(grouping, label, column)
            is_csv = kind == "csv"
            return (_of_cells if is_csv else groups_of_lines)(data, label, grouping)
    if kind == DOCUMENT and column is None:
        document = parse_document(contents(path, label), label, REMEDY)
        if isinstance(document, dict) and not any(
            isinstance(cell, list | dict) for cell in document.values()
        ):
            return {as_text(key): as_text(cell) for key, cell in _filled(document, label)}
    return read_group_column(path, _choice(grouping, label, column), grouping, None)


def read_group_column(
    path: str, choose: Choice, grouping: Grouping, format: str | None
) -> dict[str, str]:
    """The group of each topic in a table; a topic may have several rows, if they agree.

    Parameters
    ----------
    path : where the table is.
    choose : gives the columns of topics and of groups.
    grouping : what is grouped.
    format : that of the table (default: from the path's ending).
    """
    chosen: list[str] = []

    def choose_two(names: list[str]) -> list[str]:
        chosen[:] = choose(names)
        return chosen

    def build(reader: Reader) -> dict[str, str]:
        topics, groups = (reader.texts(name) for name in chosen)
        found: dict[str, str] = {}
        for row, (topic, group) in enumerate(zip(topics, groups, strict=True)):
            if (before := found.setdefault(topic, group)) != group:
                mistake = _two_groups(grouping, topic, before, group)
                reader.add(row, chosen[1], mistake, f"two {topic}")
        reader.check()
        return found

    return read_columns(path, choose_two, build, {}, format)


def _choice(grouping: Grouping, label: str, column: str | None) -> Choice:
    """A function that gives the columns of topics and of groups."""

    def choose(names: list[str]) -> list[str]:
        key = _key_of(names, grouping, label)
        if key is None:
            todo = f"call the column of {grouping.noun}s {grouping.noun}"
            raise no_column([grouping.noun], names, todo).error(label)
        left = [name for name in names if name != key]
        if column is not None and column not in left:
            raise no_column([column], names, "name one of them").error(label)
        group = column or column_of(grouping.group, left, label)
        if group is None and len(left) != 1:
            raise Mistake(
                "{got} may all hold the {group:s}s" if left else "no column of {group:s}s",
                f"{grouping.choosing}call it {grouping.group}",
                got=Several(left),
                group=grouping.group,
            ).error(label)
        return choose_by_name([("by", key), ("by", group or left[0])], label)(names)

    return choose


def _key_of(names: Sequence[str], grouping: Grouping, label: str) -> str | None:
    """The column of topics; None if no name is known as one."""
    found = (column_of(role, names, label) for role in grouping.roles)
    return next(filter(None, found), None)


def _has_heading(data: bytes, kind: str, label: str, grouping: Grouping) -> bool:
    """Whether the first line of CSV or TSV names the column of topics."""

    def choose(names: list[str], _: int) -> None:
        if _key_of(names, grouping, label) is None:
            raise no_column([grouping.noun], names, "").error(label)

    first = header_of(data, separator_of(data, kind, choose))
    return first is not None and _key_of(first[0], grouping, label) is not None


def _no_topic(grouping: Grouping, group: object) -> Mistake:
    return Mistake(
        "the {noun} with {group} {got} is missing",
        f"name the {grouping.noun} of each {grouping.group}",
        got=group,
        noun=Fact(grouping.noun),
        group=Fact(grouping.group),
    )


def _without_heading(grouping: Grouping, label: str, column: str) -> DataError:
    return Mistake(
        "it has no heading, so no column {got}",
        f"write the names of the columns above them, one of them {grouping.noun}, in a .csv or "
        ".tsv",
        got=column,
    ).error(label)


def _two_groups(grouping: Grouping, name: str, first: str, second: str) -> Mistake:
    return Mistake(
        "{noun:s} {got} has two {group:s}s, {first} and {second}",
        f"give each {grouping.noun} one {grouping.group}",
        got=name,
        first=first,
        second=second,
        noun=grouping.noun,
        group=grouping.group,
    )


def _filled(document: Mapping[str, Any], label: str) -> Iterable[tuple[str, Any]]:
    """The pairs of a JSON object, of which none is null or empty."""
    for topic, group in document.items():
        if not topic:
            raise _no_topic(TOPICS, group).error(label)
        if not is_there(group):
            raise Mistake("topic {topic} has no group", _ONE, got=group, topic=topic).error(label)
        yield topic, group


def groups_of_lines(data: bytes, label: str, grouping: Grouping) -> dict[str, str]:
    """The group of each topic in text without a heading."""
    lines = []
    problems = []
    for line, text in enumerate(data.removeprefix(MARK).split(b"\n"), 1):
        if not is_utf8(text):
            problems.append(NOT_UTF8.of(label, line, kind="utf-8"))
            continue
        words = text.decode().strip()
        if words:
            topic, _, group = words.partition("\t") if "\t" in words else words.partition(" ")
            lines.append((line, topic, group.strip()))
    return _collect(lines, problems, label, grouping)


def _of_cells(data: bytes, label: str, grouping: Grouping) -> dict[str, str]:
    """The same of CSV without a heading."""
    findings, lines = Findings(), list[tuple[int, str, str]]()

    def take_first(cells: list[str], line: int) -> Sequence[int]:
        if len(cells) != len((grouping.noun, grouping.group)):
            raise Mistake(
                "{got} without a heading",
                f"write a {grouping.noun} and its {grouping.group} on each line, or name the "
                f"columns above them, one of them {grouping.noun}",
                got=Many(len(cells), "column"),
            ).error(label)
        lines.append((line, *cells))  # type: ignore[arg-type]
        return range(len(cells))

    separator = separator_of(data, "csv", _refuse_one)
    lines += [
        (line, topic, group)
        for topic, group, line in cells_of(data, separator, take_first, findings)
    ]
    if findings.total:
        raise data_error(findings.merge(), Request(CASES, label, "error", 1))
    return _collect(
        [(line, topic.strip(), group.strip()) for line, topic, group in lines], [], label, grouping
    )


def _refuse_one(cells: list[str], _: int) -> None:
    """Refuse cells that are not parted, so that another separator is tried."""
    if len(cells) == 1:
        raise no_column(["group"], cells, "").error("")


def _collect(
    lines: Iterable[tuple[int, str, str]], problems: list[Problem], label: str, grouping: Grouping
) -> dict[str, str]:
    """The group of each topic, from lines without a heading."""
    groups: dict[str, str] = {}
    noun, group_noun = Fact(grouping.noun), Fact(grouping.group)
    todo = (
        f"write a {grouping.noun} and its {grouping.group} on each line, with a tab or a blank "
        "between them"
    )
    for line, topic, group in lines:
        if not group:
            mistake = Mistake(
                "a {noun} without a {group}", todo, got=topic, noun=noun, group=group_noun
            )
            problems.append(mistake.of(label, line, kind="group"))
        elif topic in groups:
            mistake = Mistake(
                "{noun} {got} is there twice",
                "remove one of the lines",
                got=topic,
                noun=noun,
            )
            problems.append(mistake.of(label, line, kind="twice"))
        groups[topic] = group
    if problems:
        raise DataError(problems, len(problems))
    if not groups:
        raise nothing_in(grouping.noun, f"a file of {grouping.group}s has").error(label)
    return groups
