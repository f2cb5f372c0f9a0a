"""What was given as runs is asked here, once: one run, whatever holds it, several by name, or lists
by the place of each.
"""

from __future__ import annotations

import numbers
import os
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Any, NamedTuple, NoReturn, TypeAlias

from precall.core.arguments import is_numbered
from precall.core.errors import UsageError
from precall.core.ragged import unrolled
from precall.core.text import as_text


class OneRun(NamedTuple):
    """A run that was given alone."""

    name: str
    source: Any

    @property
    def sources(self) -> dict[str, Any]:
        """What holds it, by its name."""
        return {self.name: self.source}


class SeveralRuns(NamedTuple):
    """Runs by name."""

    sources: dict[str, Any]


GivenRuns: TypeAlias = OneRun | SeveralRuns


def as_runs(given: Any) -> GivenRuns:
    """One run, a mapping of several, or a list of paths or of what was read.

    Examples
    --------
    >>> as_runs({"q1": {"a": 1.0}})
    OneRun(name='run', source={'q1': {'a': 1.0}})
    >>> as_runs({"bm25": {"q1": {"a": 1.0}}}).sources.keys(), as_runs(["a.run", "b.run"]).sources
    (dict_keys(['bm25']), {'a': 'a.run', 'b': 'b.run'})
    """
    given = unrolled(given)
    return next(make(given) for holds, make in _RULES if holds(given))


def _is_named(given: Any) -> bool:
    """{name: run}; {topic: {item: score}}, {topic: [item, ...]} and {(topic, item): score} are one
    run.
    """
    return isinstance(given, Mapping) and not _is_run(given)


def _is_run(given: Mapping[Any, Any]) -> bool:
    for key, inner in given.items():
        if not isinstance(inner, Mapping):
            if isinstance(key, tuple) and isinstance(inner, numbers.Number):
                return True
            return is_list(inner) and _is_ranked(given.values())
        for item, value in inner.items():
            return not (isinstance(value, Mapping) or is_list(value) or isinstance(item, tuple))
    return True


def _is_numbers(given: Any) -> bool:
    """Labels or scores of cases, in a list or a column whose rows have no names."""
    if _is_several(given):
        return isinstance(given[0], numbers.Number)
    if (
        getattr(getattr(given, "dtype", None), "kind", "") not in tuple("biuf")
        or getattr(given, "ndim", 0) != 1
    ):
        return False
    return len(given) > 0 and (not hasattr(given, "index") or is_numbered(given.index))


def _is_several(given: Any) -> bool:
    """A list of what are no parts of one run."""
    return isinstance(given, list | tuple) and bool(given) and not _is_part(given[0])


def _is_part(given: Any) -> bool:
    """Whether the first of a list is a part of one run: a list of ids, a row, or a dict of items,
    and not a run.
    """
    if not isinstance(given, Mapping):
        return is_list(given)
    from precall.read.naming import is_row

    return is_row(given) or not any(
        isinstance(value, Mapping) or is_list(value) for value in given.values()
    )


def _refuse_numbers(given: Any) -> NoReturn:
    first = next(iter(given.tolist() if hasattr(given, "tolist") else given))
    todo = (
        "labels and scores of cases go to pc.curve(labels, scores), decisions to "
        "pc.decisions(truth, predicted)"
    )
    raise UsageError(
        argument="run", what=f"got a list of numbers such as {first!r}, not rankings", remedy=todo
    )


def _of_mapping(given: Mapping[Any, Any]) -> SeveralRuns:
    for name, run in given.items():
        if isinstance(run, Mapping):
            from precall.read.documents import refuse_deep_mapping

            refuse_deep_mapping(run, "dict", (name,))
    return SeveralRuns({as_text(name): run for name, run in given.items()})


def _of_list(given: Sequence[Any]) -> SeveralRuns:
    names = names_of(given)
    if len(set(names)) < len(names):
        todo = "pass {name: run, ...} with different names"
        raise UsageError(f"two runs have one name: {', '.join(names)}", remedy=todo)
    return SeveralRuns(dict(zip(names, given, strict=True)))


#: The first that holds decides.
_RULES: tuple[tuple[Callable[[Any], bool], Callable[[Any], GivenRuns]], ...] = (
    (_is_named, _of_mapping),
    (_is_numbers, _refuse_numbers),
    (_is_several, _of_list),
    (lambda given: True, lambda given: OneRun(_name_of(given), given)),
)


def names_of(sources: Sequence[Any]) -> list[str]:
    """What runs are called: by their own names or their files', without the ending; by whole paths
    where two are alike.
    """
    names = [*map(_name_of, sources)]
    return [
        os.fspath(source)
        if names.count(name) > 1 and isinstance(source, str | os.PathLike)
        else name
        for source, name in zip(sources, names, strict=True)
    ]


def _name_of(source: Any) -> str:
    from precall.read.sources import stem

    if isinstance(source, str | os.PathLike):
        return stem(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) and name else "run"


def beside(qrels: Any, runs: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Judgements and runs, lists of lists by the number of each: list i of the qrels goes with list
    i of a run.
    """
    texts = [name for name, source in runs.items() if isinstance(source, str)]
    if isinstance(qrels, Mapping) and texts and runs.keys() <= set(map(as_text, qrels)):
        what = f"topic {texts[0]!r} holds the text {runs[texts[0]]!r}"
        todo = "give each topic a list of items, best first, or {item: score}"
        raise UsageError(argument="run", what=what, remedy=todo)
    if (
        texts
        and isinstance(qrels, list | tuple | Set)
        and all(isinstance(item, str) for item in qrels)
    ):
        todo = "pass [gold] and [retrieved], a list for each query"
        raise UsageError(argument="lists of ids", what="these are of one query", remedy=todo)
    if not any(map(is_list, (qrels, *runs.values()))):
        return qrels, runs
    from precall.read.id_lists import number_lists

    return number_lists(qrels, runs)


def is_list(given: Any) -> bool:
    """Whether something holds ids one after another; see `id_lists.is_list`."""
    # Most are told without the module.
    arrays = ("tolist", "to_list", "fetchnumpy")
    if not (isinstance(given, list | tuple | Set) or any(hasattr(given, name) for name in arrays)):
        return False
    from precall.read import id_lists

    return id_lists.is_list(given)


def _is_ranked(cells: Iterable[Any]) -> bool:
    from precall.read import id_lists

    return id_lists.are_rankings(cells)
