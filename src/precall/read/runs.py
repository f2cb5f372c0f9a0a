"""What a caller passed as runs: one run in any form, several runs by name, or lists matched by
position. This is decided here, once.
"""

from __future__ import annotations

import numbers
import os
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Any, NamedTuple, NoReturn, TypeAlias

from precall.core.arguments import has_default_index
from precall.core.errors import Fact, UsageError
from precall.core.ragged import materialize
from precall.core.text import as_text, short_repr

#: Names of a run and of lists that have none of their own.
NAME, LIST_NAME = "run", "retrieved"


class SingleRun(NamedTuple):
    """A single run, and whether its name is its own."""

    name: str
    source: object
    has_name: bool = False

    @property
    def sources(self) -> dict[str, Any]:
        """The source of the run, by its name."""
        return {self.name: self.source}


class RunsByName(NamedTuple):
    """Runs by name."""

    sources: dict[str, object]

    @property
    def has_name(self) -> bool:
        """True: several runs are told apart by their names."""
        return True


GivenRuns: TypeAlias = SingleRun | RunsByName


def as_runs(source: object) -> GivenRuns:
    """One run, a mapping of several, or a list of paths or of results of reading.

    Examples
    --------
    >>> as_runs({"q1": {"a": 1.0}})
    SingleRun(name='run', source={'q1': {'a': 1.0}}, has_name=False)
    >>> as_runs({"bm25": {"q1": {"a": 1.0}}}).sources.keys(), as_runs(["a.run", "b.run"]).sources
    (dict_keys(['bm25']), {'a': 'a.run', 'b': 'b.run'})
    """
    source = materialize(source)
    return next(make(source) for holds, make in _RULES if holds(source))


def _has_names(source: object) -> bool:
    """Whether it is {name: run}. {topic: {item: score}}, {topic: [item, ...]} and {(topic, item):
    score} are one run.
    """
    return isinstance(source, Mapping) and not _is_run(source)


def _is_run(source: Mapping[Any, object]) -> bool:
    for key, inner in source.items():
        if not isinstance(inner, Mapping):
            if isinstance(key, tuple) and isinstance(inner, numbers.Number):
                return True
            return is_list(inner) and _are_rankings(source.values())
        for item, value in inner.items():
            return not (isinstance(value, Mapping) or is_list(value) or isinstance(item, tuple))
    return True


def _is_numbers(source: Any) -> bool:
    """Whether it holds labels or scores of cases, in a list or in a column whose rows have no
    names.
    """
    if _is_several(source):
        return isinstance(source[0], numbers.Number)
    if (
        getattr(getattr(source, "dtype", None), "kind", "") not in tuple("biuf")
        or getattr(source, "ndim", 0) != 1
    ):
        return False
    return len(source) > 0 and (not hasattr(source, "index") or has_default_index(source.index))


def _is_several(source: object) -> bool:
    """Whether it is a list whose elements are not parts of one run."""
    return isinstance(source, list | tuple) and bool(source) and not _is_part(source[0])


def _is_part(element: object) -> bool:
    """Whether the first element of a list is a part of one run: a list of ids, a row, or a dict of
    items, but not a run.
    """
    if not isinstance(element, Mapping):
        return is_list(element)
    from precall.read.column_names import is_row

    return is_row(element) or not any(
        isinstance(value, Mapping) or is_list(value) for value in element.values()
    )


def _refuse_numbers(source: Any) -> NoReturn:
    first = next(iter(source.tolist() if hasattr(source, "tolist") else source))
    remedy = (
        "labels and scores of cases go to pc.curve(labels, scores), decisions to "
        "pc.decisions(truth, predicted)"
    )
    raise UsageError(
        argument="run",
        got=Fact(f"a list of numbers such as {short_repr(first)}"),
        why="not rankings",
        remedy=remedy,
    )


def _of_mapping(runs_by_name: Mapping[Any, object]) -> RunsByName:
    for name, run in runs_by_name.items():
        if isinstance(run, Mapping):
            from precall.read.documents import refuse_deep_mapping
            from precall.read.mappings import is_of_mteb

            if not is_of_mteb(run):
                refuse_deep_mapping(run, "dict", (name,))
    return RunsByName({as_text(name): run for name, run in runs_by_name.items()})


def _of_list(sources: Sequence[object]) -> RunsByName:
    names = names_of(sources)
    if len(set(names)) < len(names):
        remedy = "⟨pass {name: run, ...} with¦rename one: they need⟩ different names"
        raise UsageError(f"two runs have one name: {', '.join(names)}", remedy=remedy)
    return RunsByName(dict(zip(names, sources, strict=True)))


#: The first rule whose condition holds decides.
_RULES: tuple[tuple[Callable[[Any], bool], Callable[[Any], GivenRuns]], ...] = (
    (_has_names, _of_mapping),
    (_is_numbers, _refuse_numbers),
    (_is_several, _of_list),
    (
        lambda source: True,
        lambda source: SingleRun(_own_name(source) or NAME, source, bool(_own_name(source))),
    ),
)


def names_of(sources: Sequence[object]) -> list[str]:
    """The names of runs: their own, or those of their files without the ending; whole paths if two
    names are equal.
    """
    names = [*map(_name_of, sources)]
    return [
        os.fspath(source)
        if names.count(name) > 1 and isinstance(source, str | os.PathLike)
        else name
        for source, name in zip(sources, names, strict=True)
    ]


def _name_of(source: object) -> str:
    return _own_name(source) or NAME


def _own_name(source: object) -> str:
    """The name of a run, or that of its file; empty if it has none."""
    from precall.read.sources import stem

    if isinstance(source, str | os.PathLike):
        return stem(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else ""


def match_lists(qrels: object, runs: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Judgements and runs; lists of lists are matched by position: list i of the qrels goes with
    list i of a run.
    """
    texts = [name for name, source in runs.items() if isinstance(source, str)]
    if isinstance(qrels, Mapping) and texts and runs.keys() <= set(map(as_text, qrels)):
        message = f"topic {short_repr(texts[0])} holds the text {{got}}"
        remedy = "give each topic a list of items, best first, or {item: score}"
        raise UsageError(argument="run", what=message, got=runs[texts[0]], remedy=remedy)
    if (
        texts
        and isinstance(qrels, list | tuple | Set)
        and all(isinstance(item, str) for item in qrels)
    ):
        remedy = "pass [gold] and [retrieved], a list for each query"
        raise UsageError(argument="lists of ids", what="these belong to one query", remedy=remedy)
    if not any(map(is_list, (qrels, *runs.values()))):
        return qrels, runs
    from precall.read.id_lists import number_lists

    return number_lists(qrels, runs)


def is_list(value: object) -> bool:
    """Whether something holds ids one after another; see `id_lists.is_list`."""
    # Most values are decided without importing the module.
    arrays = ("tolist", "to_list", "fetchnumpy")
    if not (isinstance(value, list | tuple | Set) or any(hasattr(value, name) for name in arrays)):
        return False
    from precall.read import id_lists

    return id_lists.is_list(value)


def _are_rankings(cells: Iterable[object]) -> bool:
    from precall.read import id_lists

    return id_lists.are_rankings(cells)
