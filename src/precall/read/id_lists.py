"""Lists of ids, as retrievers return them and people write them: {query: [ids]}, and lists of
lists.

A list of retrieved ids is in order, best first: its scores are -1, -2, ... All ids in a list (or
set) of gold ids have grade 1. Ordinary lists become columns at once; others become dicts, which the
kernel reads.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, KeysView, Mapping, Sequence, Set
from itertools import chain
from os import PathLike
from typing import Any

import numpy as np

from precall.core.arguments import SHORT_FLOATS, as_array_like, is_number, is_relation_of_one
from precall.core.errors import Among, DataError, Kind, Mistake, UsageError
from precall.core.ragged import Int64, offsets
from precall.core.text import letters, unequal
from precall.core.vocabulary import VOCABULARY
from precall.native import kernel
from precall.read.column_names import column_of, is_row
from precall.read.columns import NAMES, RUN, Ids, Parsed, Request, fields_of
from precall.read.problems import Findings, data_error, todo_of_twice
from precall.read.values import Typed, describe_value, identifier, is_missing

#: A mapping with more keys than this has topics as keys, not names of columns.
_MOST_COLUMNS = 30


def is_list(cell: object) -> bool:
    """Whether something holds ids in a sequence or a set: not a text, a mapping, a frame or one
    number.
    """
    if isinstance(cell, list | tuple | Set) or is_relation_of_one(cell):
        return True
    sized = hasattr(cell, "__len__") and (hasattr(cell, "tolist") or hasattr(cell, "to_list"))
    return sized and getattr(cell, "ndim", 1) > 0


def as_python(cell: object) -> Any:
    """The content of an array or column as Python objects; anything else unchanged."""
    if is_relation_of_one(cell):
        return as_python(as_array_like(cell))
    for name in ("tolist", "to_list", "to_pylist"):
        if hasattr(cell, name):
            return getattr(cell, name)()
    return cell


def are_rankings(cells: Iterable[Any]) -> bool:
    """Whether the values of a mapping are lists of ids (or of pairs, which are refused), so that
    its keys are topics.

    Lists of lists, or of rows, are whole runs; the keys of their mapping are names of runs.
    """
    for cell in cells:
        if not is_list(cell) or _is_table(cell):
            return False
        if not len(cell):
            continue
        if getattr(cell, "ndim", 1) != 1:
            return False
        if isinstance(cell, Set):
            return True
        first = next(iter(cell))
        if isinstance(first, Mapping):
            return not is_row(first)
        return not is_list(first) or (isinstance(first, tuple) and len(first) == 2)
    return True


def sets_as_lists(source: object) -> object:
    """The retrieved sets of a run as lists in some order, for measures that no order changes;
    anything else unchanged.

    Examples
    --------
    >>> sets_as_lists({"q": {"b", "a"}}), sets_as_lists([{"a"}, ["x"]])
    ({'q': ['a', 'b']}, [['a'], ['x']])
    """

    def as_list(cell: object) -> object:
        is_set = isinstance(cell, Set) and not isinstance(cell, KeysView)
        return sorted(cell, key=str) if is_set else cell  # type: ignore[call-overload]

    if isinstance(source, Mapping):
        return {topic: as_list(cell) for topic, cell in source.items()}
    return [*map(as_list, source)] if isinstance(source, list | tuple) else source


def _is_table(source: object) -> bool:
    """Whether it is an array with named fields, or a column with topics and items in its index."""
    return bool(fields_of(source)) or getattr(getattr(source, "index", None), "nlevels", 1) > 1


class _DictMaker:
    """Makes dicts of lists, and collects the problems."""

    def __init__(self, request: Request) -> None:
        self.request, self.of_run = request, request.subject is RUN
        self.findings = Findings()
        self.dropped = 0
        self._scores: list[float] = []

    def mapping(self, topic: object, cell: object) -> Any:
        """The items of a topic with their values; anything but a list or a mapping is left for the
        kernel to refuse.
        """
        if isinstance(cell, Mapping):
            return cell if isinstance(cell, dict) else dict(cell)
        if not is_list(cell):
            return cell
        if self.of_run and isinstance(cell, Set) and not isinstance(cell, KeysView):
            mistake = Mistake(
                "what was retrieved is a {got}, which has no order",
                "give its items in a list, best first, or ask for SetP, SetR and SetF alone",
                got=Kind(cell),
            )
            self._add(topic, mistake, "set")
            return {}
        ids = self._ids(topic, cell)
        if not self.of_run:
            judged = dict.fromkeys(ids, 1)
            self.dropped += len(ids) - len(judged)
            return judged
        return self._score_by_rank(topic, ids)

    def _ids(self, topic: object, cell: object) -> Any:
        ids = cell if isinstance(cell, list | tuple | Set) else as_python(cell)
        kinds = set(map(type, ids))
        if kinds == {int}:
            return list(map(str, ids))
        if kinds <= {str}:
            return ids
        for item in ids:
            if isinstance(identifier(item, ""), tuple) and not isinstance(item, str):
                mistake = Mistake(
                    "a list of ids holds {got}", _advice_on_item(item), got=Typed(item)
                )
                self._add(topic, mistake, type(item).__name__)
                return []
        return ids

    def _score_by_rank(self, topic: object, ids: Sequence[object]) -> dict[Any, float]:
        scores = self._scores
        # If scores are negated, as those of dicts in the same run are, ranks stay positive and are
        # negated later.
        sign = 1.0 if self.request.lowest_first else -1.0
        scores.extend(sign * rank for rank in range(len(scores) + 1, len(ids) + 1))
        ranked = dict(zip(ids, scores, strict=False))
        if len(ranked) == len(ids):
            return ranked
        if self.request.duplicates == "error":
            first: dict[Any, int] = {}
            for rank, item in enumerate(ids, 1):
                if first.setdefault(item, rank) != rank:
                    mistake = Mistake(
                        "has item {got} twice (at ranks {first} and {rank})",
                        todo_of_twice(item),
                        got=item,
                        first=first[item],
                        rank=rank,
                    )
                    self._add(topic, mistake, "twice", mistake.todo, mark=" ")
        self.dropped += len(ids) - len(ranked)
        if self.request.duplicates == "last":
            return ranked
        return dict(zip(reversed(ids), reversed(scores[: len(ids)]), strict=True))

    def _add(self, topic: object, mistake: Mistake, *kind: str, mark: str = ": ") -> None:
        """Add a mistake with a topic; `mark` stands behind its name."""
        noun = VOCABULARY.get().word("topic")
        within = mistake.prefix("{noun:s} {topic}" + mark, noun=noun, topic=topic)
        self.findings.add(0, "said", within, *kind)


def _advice_on_item(strange: object) -> str:
    """What to do about an item that is no id."""
    if isinstance(strange, Mapping):
        named = (
            key for key in strange if isinstance(key, str) and letters(key) in NAMES["item"].split()
        )
        key = next(named, "id")
        return f"give the id of each, in order, such as [hit[{key!r}] for hit in hits]"
    if isinstance(strange, list) and strange and all(isinstance(each, str) for each in strange):
        return "give one flat list of ids"
    if isinstance(strange, tuple | list) and len(strange) == 2:
        return "pass {id: score} for ids with scores, or the ids alone in order"
    if is_missing(strange) or isinstance(strange, float | list | tuple | Set):
        return "give ids, which are texts or integers"
    return "give the id of each, in order, such as [hit.id for hit in hits]"


def rows_of_columns(source: Mapping[Any, object]) -> list[dict[str, Any]] | None:
    """The rows of {name of column: its values}, as data sets give them; None for a mapping of
    topics.

    Columns have equal length; there are at most `_MOST_COLUMNS`, with one of topics and one of
    items.
    """
    names = list(source)
    if not 1 < len(names) <= _MOST_COLUMNS or not all(isinstance(name, str) for name in names):
        return None
    topic = column_of("topic", names, "dict")
    if (
        topic is None
        or column_of("item", [name for name in names if name != topic], "dict") is None
    ):
        return None
    # Floats of fewer bits keep their type, as grades are the decimals that they show.
    given: Collection[Any] = source.values()
    columns = [
        list(column) if getattr(column, "dtype", None) in SHORT_FLOATS else as_python(column)
        for column in given
    ]
    if (
        not all(isinstance(column, list | tuple) for column in columns)
        or len(set(map(len, columns))) > 1
    ):
        return None
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def lists_to_dicts(
    source: Mapping[Any, object], request: Request
) -> tuple[dict[Any, Any], int, bool]:
    """{topic: {item: value}} for {topic: [items]}, how many repeated items were dropped, and
    whether any value is a list.

    Topics may also have dicts. DataError for a value that is no list of ids, and for repeated items
    in a list of a run unless `duplicates` says which to keep.
    """
    maker = _DictMaker(request)
    dicts = {
        str(topic) if type(topic) is int and str(topic) not in source else topic: maker.mapping(
            topic, cell
        )
        for topic, cell in source.items()
    }
    if maker.findings.total:
        raise data_error(maker.findings.merge(), request, "topic")
    return dicts, maker.dropped, any(map(is_list, source.values()))


def read_plain_lists(source: Mapping[Any, Any], request: Request) -> Parsed | None:
    """Columns of {topic: [items]} if all is ordinary: lists of texts or of integers, no item twice
    in one; else None.
    """
    of_run = request.subject is RUN
    lists = [
        cell.tolist() if type(cell) is np.ndarray and cell.ndim == 1 else cell
        for cell in source.values()
    ]
    if not set(map(type, lists)) <= (_PLAIN if of_run else {*_PLAIN, set, frozenset}):
        return None
    topics = _texts(list(source))
    packed = _packed(lists)
    if topics is None or packed is None:
        return None
    items, row_start = packed
    if not of_run:
        return Parsed(topics, row_start, items, np.ones(len(items), np.int64), listed=True)
    sizes = np.diff(row_start)
    if request.float32 and sizes.max(initial=0) > _EXACT_FLOAT32:
        return None
    ranks = np.arange(1, len(items) + 1) - np.repeat(row_start[:-1], sizes)
    return Parsed(topics, row_start, items, -ranks.astype(np.float64), listed=True)


def _packed(lists: list[Any]) -> tuple[Ids, Int64] | None:
    """The items of all lists, and where each list begins; None if anything is unusual, or an item
    twice in one.
    """
    if (texts := kernel().texts_of_lists(lists, True)) is None:
        items = _texts(list(chain.from_iterable(lists)))
        if items is None or sum(map(len, map(set, lists))) < len(items):
            return None
        return items, offsets(np.fromiter(map(len, lists), np.int64, len(lists)))
    data, start, row_start, repeats = texts
    return None if repeats or not len(start) - 1 else (Ids(data, start), row_start)


_PLAIN = {list, tuple}
#: Float32 has all whole numbers up to here.
_EXACT_FLOAT32 = 1 << 24


def _texts(ids: list[Any]) -> Ids | None:
    """Ids that are all texts, or all integers."""
    kinds = set(map(type, ids))
    if kinds not in ({str}, {int}):
        return None
    try:
        return Ids.of(ids if kinds == {str} else list(map(str, ids)))
    except ValueError:  # thousands of digits, or what UTF-8 cannot encode
        return None


def number_lists(gold: Any, runs: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Lists of lists as {number: list}, if gold and runs are such; anything else unchanged.

    Rows (topic, item, value) are tuples. Lists of lists are lists of ids, whatever is in third
    place. Tuples with three elements are rows, unless the other sources are lists of lists.
    """
    gold = _column_of_lists("gold", gold)
    columns_of_runs = {name: _column_of_lists(name, run) for name, run in runs.items()}
    sources = {"the gold": gold} | {f"run {name!r}": run for name, run in columns_of_runs.items()}
    kinds = set(map(_kind_of, sources.values()))
    if (
        "lists" in kinds
        and isinstance(gold, list | tuple)
        and gold
        and isinstance(gold[0], str | int)
    ):
        message = (
            f"the gold is a list of ids such as {describe_value(gold[0])}, each query needs a list "
            "of its own"
        )
        raise UsageError(
            argument="lists of lists",
            what=message,
            remedy="pass [[id] for id in gold] if each has one",
        )
    if "lists" not in kinds or None in kinds:
        _refuse_mixed_forms(sources)
        return gold, columns_of_runs
    if sizes := unequal({name: len(source) for name, source in sources.items()}):
        remedy = "give every query a list, an empty one where nothing was retrieved"
        if "rows" in kinds:
            remedy = "rows (topic, item, value) are tuples, such as list(map(tuple, rows))"
        raise UsageError(
            argument="lists of lists",
            what=f"list i of the gold goes with list i of a run, but {sizes}",
            remedy=remedy,
        )
    return _number_list("gold", gold), {
        name: _number_list(f"run {name!r}", run) for name, run in columns_of_runs.items()
    }


def _refuse_mixed_forms(sources: Mapping[str, Any]) -> None:
    """Refuse lists of lists together with lists by topic, or with paths; lists of three elements
    may be rows.
    """
    lists = [
        name
        for name, source in sources.items()
        if _kind_of(source) == "lists" and any(len(cell) != 3 for cell in source)
    ]
    topics = [name for name, source in sources.items() if isinstance(source, Mapping)]
    if lists and topics:
        message = (
            f"{lists[0]} is a list of lists, whose topics have no names, and those of {topics[0]} "
            "have"
        )
        raise UsageError(message, remedy="give both as {topic: [ids]}, or both as lists of lists")
    paths = [name for name, source in sources.items() if isinstance(source, str | PathLike)]
    if lists and paths:
        remedy = "give the lists by topic, {topic: [ids]}"
        if lists[0] == "the gold":
            remedy = f"pass [[id] for id in run] if each query has one, or {remedy}"
        raise UsageError(
            argument="lists of lists",
            what=(
                f"{lists[0]} is one, and {paths[0]} is {describe_value(sources[paths[0]])}, which "
                "is read as a path"
            ),
            remedy=remedy,
        )


class Numbered(dict[str, Any]):
    """Lists without names, by their numbers."""


def _number_list(label: str, lists: Sequence[object]) -> Numbered:
    problems = []
    for number, cell in enumerate(lists):
        if isinstance(cell, list | tuple) and len(set(map(type, cell))) > 1:
            mistake = Mistake(
                "list {number} holds {got} and others",
                "give lists of ids; rows (topic, item, value) are tuples in a list",
                got=Typed(cell[0]),
                allowed=Among("ids of one list are", ["all text or all integers"]),
                number=number,
            )
            problems.append(mistake.of(label))
    if problems:
        raise DataError(problems)
    return Numbered((str(number), cell) for number, cell in enumerate(lists))


def _kind_of(source: object) -> str | None:
    """ "lists" for a list of lists, "rows" for a list of tuples that may be rows, None for anything
    else.
    """
    if not isinstance(source, list | tuple) or not source:
        return None
    if any(isinstance(cell, tuple) for cell in source):
        three = all(
            (isinstance(cell, tuple | list) and len(cell) == 3) or hasattr(cell, "_fields")
            for cell in source
        )
        if three:
            return "rows"
    if (isinstance(source[0], Mapping) and is_row(source[0])) or _are_longer_rows(source):
        return "rows"
    return "lists" if all(is_list(cell) or isinstance(cell, Mapping) for cell in source) else None


def _are_longer_rows(source: Sequence[object]) -> bool:
    """Whether all lists are as long, longer than rows are, and have both texts and numbers, as no
    list of ids has. As rows they are refused with what a row is.
    """
    lengths = {len(cell) if isinstance(cell, tuple | list) else 0 for cell in source}
    return min(lengths) > 3 and len(lengths) == 1 and all(map(_is_mixed, source))


def _is_mixed(cell: Any) -> bool:
    return any(isinstance(part, str) for part in cell) and any(map(is_number, cell))


def _column_of_lists(name: str, source: object) -> Any:
    """An array or column with a list per query, as lists; {name: list} if its index has names."""
    if is_relation_of_one(source):
        return as_python(source)
    if (
        isinstance(source, list | tuple | Mapping)
        or hasattr(source, "columns")
        or not is_list(source)
    ):
        return source
    if isinstance(source, Set) or _is_table(source):
        return source
    cells = as_python(source)
    index = (
        as_python(source.index) if hasattr(source, "index") and not callable(source.index) else None
    )
    if index is None or index == list(range(len(cells))):
        return cells
    if len(set(index)) < len(index):
        raise UsageError(
            argument=name,
            what="its index names a query twice",
            remedy="give each query a row of its own",
        )
    return dict(zip(index, cells, strict=True))
