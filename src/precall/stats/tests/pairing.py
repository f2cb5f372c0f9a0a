"""Values of two or more systems, aligned by topic id if there are ids, else by position."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from precall.core.arguments import check_choice, check_column, check_kind, check_rows
from precall.core.errors import DataError, Fact, Kind, Mistake, UsageError
from precall.core.notes import Note
from precall.core.notes.of_comparisons import TopicsLeftOut
from precall.core.ragged import Bool, Float64
from precall.core.text import as_text, unequal
from precall.core.undefined import apply_undefined, check_undefined
from precall.measures.registry import direction_of
from precall.stats.resample.batches import TOLERANCE

UNPAIRED = ("error", "drop")


class UnpairedTopics(DataError):
    """A system lacks topics that another has."""


def check_two(names: tuple[str, str]) -> tuple[str, str]:
    """The names of two systems as texts; they must differ."""
    pair = tuple(map(as_text, check_kind("names", names, Collection, "a pair of names")))
    if len(pair) != 2 or pair[0] == pair[1]:
        raise UsageError(argument="names", allowed="two different ones", got=names)
    return pair


def is_high_good(measure: object, given: bool | None) -> bool:
    """Whether high values are good: as it was given, else as the measure of that name says."""
    if given is not None:
        return given
    return not isinstance(measure, str) or direction_of(measure) >= 0


def align_values(
    given: Mapping[str, Any], unpaired: str = "error", undefined: str = "omit"
) -> tuple[Float64, Sequence[Any], int]:
    """Values as topics x systems, the ids of the topics, and the number of topics left out.

    `given` has values per topic by the system's name: {topic id: value} for all systems, or a
    column for all. `precall.compare.paired` says how topics are treated that a system lacks, or
    that have a NaN.
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
    ids: Sequence[object]
    matrix, ids, dropped = (
        _align_by_id(given, unpaired) if all(by_id) else _align_by_position(given)
    )
    if len(matrix) and np.isfinite(matrix).all():
        return matrix, ids, dropped
    _refuse(given, ids, np.isinf(matrix), "infinite", "leave the topic out")
    if undefined == "error":
        _refuse(given, ids, np.isnan(matrix), "undefined", "pass ⟨undefined='omit' or 'zero'⟩")
    if undefined == "zero":
        matrix = apply_undefined(matrix, undefined)
    is_complete = ~np.asarray(np.isnan(matrix).any(axis=1), np.bool_)
    if not is_complete.any():
        raise Mistake(
            "no topic has a value for all systems", "check that topic ids are written alike"
        ).error(", ".join(given))
    chosen = [topic for topic, is_kept in zip(ids, is_complete.tolist(), strict=True) if is_kept]
    return matrix[is_complete], chosen, dropped + int((~is_complete).sum())


def _align_by_position(values_by_name: Mapping[str, object]) -> tuple[Float64, Sequence[Any], int]:
    check_rows(**values_by_name)
    columns = {name: check_column(name, values) for name, values in values_by_name.items()}
    if sizes := unequal({name: len(values) for name, values in columns.items()}):
        raise UsageError(
            f"values must be paired, one for each system per topic, but {sizes}",
            remedy="pass {topic id: value} instead",
        )
    matrix = _stack_columns(list(columns.values()))
    return matrix, range(len(matrix)), 0


def _stack_columns(columns: list[Float64]) -> Float64:
    """Columns as a table with a row per topic, contiguous in memory; np.stack takes three times as
    long for few topics.
    """
    return np.array(columns).T.copy()


def _align_by_id(
    values_by_name: Mapping[str, Mapping[Any, object]], unpaired: str
) -> tuple[Float64, list[Any], int]:
    first, *others = values_by_name.values()
    if all(values.keys() == first.keys() for values in others):
        shared = all_topics = list(first)  # the usual case, without a look at each topic
    else:
        all_topics = list(dict.fromkeys(itertools.chain(*values_by_name.values())))
        shared = [
            topic
            for topic in all_topics
            if all(topic in values for values in values_by_name.values())
        ]
    if len(shared) < len(all_topics) and unpaired == "error":
        raise _error_of_missing_topics(values_by_name, all_topics, len(shared))
    rows = [
        check_column(name, list(map(values.__getitem__, shared)))
        for name, values in values_by_name.items()
    ]
    return _stack_columns(rows), shared, len(all_topics) - len(shared)


def _error_of_missing_topics(
    values_by_name: Mapping[str, Mapping[Any, object]], topics: Iterable[Any], shared: int
) -> DataError:
    """The error on topics without a value in some system; `shared` topics have one in all."""
    lacking = [
        topic for topic in topics if not all(topic in values for values in values_by_name.values())
    ]
    first = lacking[0]
    system = next(name for name, values in values_by_name.items() if first not in values) or "''"
    spelled = {frozenset(map(str, values)) for values in values_by_name.values()}
    if len(lacking) > 1:
        what = "topic {got} and {others} more are not in every run"
    else:
        what = "topic {got} is missing"
    if not shared and len(spelled) == 1:
        remedy = "write the ids of all systems as texts, or all as numbers: 1 is not '1'"
    else:
        values = "them values" if len(lacking) > 1 else "it a value"
        remedy = f"give {values}, or pass ⟨unpaired='drop'⟩ to leave such topics out"
    kind = DataError if not shared and len(spelled) == 1 else UnpairedTopics
    return kind([Mistake(what, remedy, got=first, others=len(lacking) - 1).of(system)])


def _refuse(
    values_by_name: Mapping[str, Any], ids: Sequence[object], bad: Bool, what: str, remedy: str
) -> None:
    names, cells = list(values_by_name), np.argwhere(bad).tolist()
    problems = [
        Mistake("topic {topic} is {got}", remedy, got=Fact(what), topic=ids[topic]).of(
            names[system] or "''", kind=what
        )
        for topic, system in cells
    ]
    if problems:
        raise DataError(problems)


def differences(first: Float64, second: Float64) -> Float64:
    """First minus second; exactly 0 if they differ only by rounding."""
    gaps = first - second
    gaps[np.abs(gaps) <= TOLERANCE * np.maximum(np.abs(first), np.abs(second))] = 0.0
    return gaps


def tell_left_out(dropped: int) -> list[Note]:
    """The note on topics that could not be compared, if there are any."""
    return [TopicsLeftOut("", dropped)] if dropped else []
