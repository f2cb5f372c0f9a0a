"""Values of two or more systems, put side by side: by topic id where there are ids, else by
position.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from precall.core.arguments import check_choice, check_column, check_kind, check_rows
from precall.core.errors import DataError, Fact, Kind, Problem, UsageError
from precall.core.notes import Note
from precall.core.notes.of_comparisons import TopicsLeftOut
from precall.core.ragged import Float64
from precall.core.text import as_text, unequal
from precall.core.undefined import check_undefined, treated
from precall.stats.resample.batches import TOLERANCE

UNPAIRED = ("error", "drop")


class UnpairedTopics(DataError):
    """A system lacks topics that another has."""


def check_two(names: tuple[str, str]) -> tuple[str, str]:
    """The names of two systems, which must differ, as texts."""
    pair = tuple(map(as_text, check_kind("names", names, Collection, "a pair of names")))
    if len(pair) != 2 or pair[0] == pair[1]:
        raise UsageError(argument="names", allowed="two different ones", got=names)
    return pair


def aligned(
    given: Mapping[str, Any], unpaired: str = "error", undefined: str = "omit"
) -> tuple[Float64, Sequence[Any], int]:
    """Values as topics x systems, the ids of the topics, and how many topics were left out.

    `given` are values per topic by the system's name: {topic id: value} for all, or a column for
    all. What is done about topics that a system lacks, or of which a value is NaN, see
    `precall.compare.paired`.
    """
    check_choice("unpaired", unpaired, UNPAIRED)
    check_undefined(undefined)
    by_id = [isinstance(values, Mapping) for values in given.values()]
    if any(by_id) and not all(by_id):
        kinds = dict.fromkeys(str(Kind(values)) for values in given.values())
        raise UsageError(
            "give values by topic id for all systems, or columns for all;",
            got=Fact(" and ".join(kinds)),
        )
    ids: Sequence[Any]
    matrix, ids, dropped = _by_id(given, unpaired) if all(by_id) else _by_place(given)
    if len(matrix) and np.isfinite(matrix).all():
        return matrix, ids, dropped
    _refuse(given, ids, np.isinf(matrix), "is infinite", "leave the topic out")
    if undefined == "error":
        _refuse(given, ids, np.isnan(matrix), "is undefined", "pass ⟨undefined='omit' or 'zero'⟩")
    if undefined == "zero":
        matrix = treated(matrix, undefined)
    keep = ~np.asarray(np.isnan(matrix).any(axis=1), np.bool_)
    if not keep.any():
        what = "no topic has a value for all systems"
        raise DataError(
            [Problem(", ".join(given), None, what, "check that topic ids are written alike")]
        )
    chosen = [topic for topic, kept in zip(ids, keep.tolist(), strict=True) if kept]
    return matrix[keep], chosen, dropped + int((~keep).sum())


def _by_place(given: Mapping[str, Any]) -> tuple[Float64, Sequence[Any], int]:
    check_rows(**given)
    columns = {name: check_column(name, values) for name, values in given.items()}
    if sizes := unequal({name: len(values) for name, values in columns.items()}):
        raise UsageError(
            f"values must be paired, one of each system per topic, but {sizes}",
            remedy="pass {topic id: value} instead",
        )
    matrix = _beside(list(columns.values()))
    return matrix, range(len(matrix)), 0


def _beside(columns: list[Float64]) -> Float64:
    """A row per topic, whose values lie together; np.stack takes three times as long for few
    topics.
    """
    return np.array(columns).T.copy()


def _by_id(given: Mapping[str, Mapping[Any, Any]], unpaired: str) -> tuple[Float64, list[Any], int]:
    every = dict.fromkeys(topic for values in given.values() for topic in values)
    shared = [topic for topic in every if all(topic in values for values in given.values())]
    if len(shared) < len(every) and unpaired == "error":
        alone = next(
            topic for topic in every if not all(topic in values for values in given.values())
        )
        lacking = next(name for name, values in given.items() if alone not in values) or "''"
        count = len(every) - len(shared)
        what, it = f"topic {alone!r} is missing", "it a value"
        if count > 1:
            what, it = f"topic {alone!r} and {count - 1} more are not in every run", "them values"
        if not shared and len({frozenset(map(str, values)) for values in given.values()}) == 1:
            todo = "write the ids of all systems as texts, or all as numbers: 1 is not '1'"
            raise DataError([Problem(lacking, None, what, todo)])
        todo = f"give {it}, or pass ⟨unpaired='drop'⟩ to leave such topics out"
        raise UnpairedTopics([Problem(lacking, None, what, todo)])
    rows = [
        check_column(name, [values[topic] for topic in shared]) for name, values in given.items()
    ]
    return _beside(rows), shared, len(every) - len(shared)


def _refuse(given: Mapping[str, Any], ids: Sequence[Any], bad: Any, what: str, todo: str) -> None:
    names, cells = list(given), np.argwhere(bad).tolist()
    problems = [
        Problem(names[system] or "''", None, f"topic {ids[topic]!r} {what}", todo, kind=what)
        for topic, system in cells
    ]
    if problems:
        raise DataError(problems)


def differences(first: Float64, second: Float64) -> Float64:
    """First minus second, exactly 0 where they are equal but for rounding."""
    gaps = first - second
    gaps[np.abs(gaps) <= TOLERANCE * np.maximum(np.abs(first), np.abs(second))] = 0.0
    return gaps


def tell_left_out(dropped: int) -> list[Note]:
    """What is to be known of topics that could not be compared."""
    return [TopicsLeftOut("", dropped)] if dropped else []
