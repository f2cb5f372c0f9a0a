"""Values of two or more systems, put side by side: by topic id where there are ids, else by position."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from precall.checks import check_choice
from precall.errors import DataError, Problem, UsageError
from precall.infer.resample.batches import TOLERANCE
from precall.ragged import Float64
from precall.undefined import check_undefined, treated

UNPAIRED = ("error", "drop")


def check_two(names: tuple[str, str]) -> None:
    """Refuse equal names of two systems."""
    if len(set(names)) != 2:
        raise UsageError(f"names: must be two different ones, got {names!r}")


def aligned(
    given: Mapping[str, Any], unpaired: str = "error", undefined: str = "omit"
) -> tuple[Float64, list[Any], int]:
    """Values as topics x systems, the ids of the topics, and how many topics were left out.

    Parameters
    ----------
    given : by the system's name, values per topic: {topic id: value} for all, or a column for all.
    unpaired : what is done about topics that a system lacks: "error", or "drop" them (and count them).
    undefined : about topics where a value is NaN: "omit" them, count NaN as "zero", or "error".

    Raises
    ------
    UsageError
        Columns of unequal length, ids for some only, or a choice that is not allowed.
    DataError
        A topic is not there for all, or is undefined, and that was to be an error; or none is left.

    Examples
    --------
    >>> aligned({"a": {"q1": 0.5, "q2": 0.25}, "b": {"q2": 1.0, "q1": 0.0}})[0]
    array([[0.5 , 0.  ],
           [0.25, 1.  ]])
    """
    check_choice("unpaired", unpaired, UNPAIRED)
    check_undefined(undefined)
    by_id = [isinstance(values, Mapping) for values in given.values()]
    if any(by_id) and not all(by_id):
        raise UsageError("give values by topic id for all systems, or columns for all; got some of each")
    ids: list[Any]
    matrix, ids, dropped = _by_id(given, unpaired) if all(by_id) else _by_place(given)
    infinite = np.isinf(matrix)
    if infinite.any():
        raise _bad(given, ids, np.argwhere(infinite), "is infinite", "leave the topic out")
    missing = np.isnan(matrix)
    if undefined == "error" and missing.any():
        raise _bad(given, ids, np.argwhere(missing), "is undefined", "pass undefined='omit' or 'zero'")
    if undefined == "zero":
        matrix = treated(matrix, undefined)
    keep = ~np.asarray(np.isnan(matrix).any(axis=1), np.bool_)
    if not keep.any():
        what = "no topic has a value for all systems"
        raise DataError([Problem(", ".join(given), None, what, "check that topic ids are written alike")])
    chosen = [topic for topic, kept in zip(ids, keep.tolist(), strict=True) if kept]
    return matrix[keep], chosen, dropped + int((~keep).sum())


def _by_place(given: Mapping[str, Any]) -> tuple[Float64, list[Any], int]:
    columns = {name: column(values, name) for name, values in given.items()}
    sizes = {name: len(values) for name, values in columns.items()}
    if len(set(sizes.values())) > 1:
        listed = ", ".join(f"{name} has {size}" for name, size in sizes.items())
        raise UsageError(
            f"values must be paired, one of each system per topic, but {listed}; pass {{topic id: value}} instead"
        )
    matrix = np.stack(list(columns.values()), axis=1)
    return matrix, list(range(len(matrix))), 0


def column(values: Any, name: str) -> Float64:
    """One column of numbers as float64."""
    try:
        numbers = np.asarray(values, np.float64)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{name}: must be numbers, one per topic ({error})") from None
    if numbers.ndim != 1:
        raise UsageError(f"{name}: must be one column of values, got an array of shape {numbers.shape}")
    return numbers


def _by_id(given: Mapping[str, Mapping[Any, Any]], unpaired: str) -> tuple[Float64, list[Any], int]:
    every = dict.fromkeys(topic for values in given.values() for topic in values)
    shared = [topic for topic in every if all(topic in values for values in given.values())]
    if len(shared) < len(every) and unpaired == "error":
        alone = next(topic for topic in every if not all(topic in values for values in given.values()))
        lacking = next(name for name, values in given.items() if alone not in values)
        count = len(every) - len(shared)
        what = f"topic {alone!r} is missing" + (f", and {count - 1} more are not there for all" * (count > 1))
        raise DataError(
            [
                Problem(
                    lacking, None, what, "give it a value, or pass unpaired='drop' to leave such topics out"
                )
            ]
        )
    rows = [column([values[topic] for topic in shared], name) for name, values in given.items()]
    return np.stack(rows, axis=1), shared, len(every) - len(shared)


def _bad(given: Mapping[str, Any], ids: Sequence[Any], cells: Any, what: str, todo: str) -> DataError:
    names = list(given)
    problems = [
        Problem(names[system], None, f"topic {ids[topic]!r} {what}", todo) for topic, system in cells.tolist()
    ]
    return DataError(problems[:20], len(problems))


def mean(values: Any) -> float:
    """The correctly rounded sum over the number of values: as `evaluate` averages, and whatever their order.

    Examples
    --------
    >>> mean([0.1] * 10)
    0.1
    """
    return math.fsum(values) / len(values)


def differences(first: Float64, second: Float64) -> Float64:
    """First minus second, exactly 0 where they are equal but for rounding.

    Examples
    --------
    >>> differences(np.array([0.3]), np.array([0.1 + 0.2]))
    array([0.])
    """
    gaps = first - second
    gaps[np.abs(gaps) <= TOLERANCE * np.maximum(np.abs(first), np.abs(second))] = 0.0
    return gaps
