"""What is given by unit, as a dict, a Series or a column → arrays, and how people's units were
chosen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeGuard

import numpy as np

from precall.core.arguments import check_column
from precall.core.errors import Fact, UsageError
from precall.core.ragged import Float64, Int64
from precall.core.text import as_text
from precall.read.values import has_value
from precall.stats.double_sampling import Choice

#: With at most this many different probabilities, units of equal probability are a stratum.
_STRATA = 8


def choice_of(
    names: Sequence[Any],
    seen: Any,
    unit: str,
    *,
    probability: object,
    strata: object,
    groups: object,
) -> Choice:
    """How people's units were chosen.

    Parameters
    ----------
    names : the units.
    seen : whether people judged the unit.
    unit : the noun of a unit.
    probability : by unit, for all units or for people's.
    strata : by unit.
    groups : by unit.
    """
    group = None if groups is None else codes_of(groups, names, "groups", unit)
    if probability is not None and strata is not None:
        raise UsageError(
            argument="strata",
            what="says the same as probability",
            remedy="pass one of them",
        )
    if strata is not None:
        stratum = codes_of(strata, names, "strata", unit)
        return Choice.of(seen, stratum=stratum, group=group)
    if probability is None:
        return Choice.of(seen, group=group)
    chance = _numbers(probability, names, seen, unit)
    distinct, code = np.unique(chance, return_inverse=True)
    if not np.isnan(chance).any() and 1 < len(distinct) <= _STRATA:
        drawn = np.bincount(code[seen], minlength=len(distinct))
        if drawn.min() >= 2:
            return Choice.of(seen, stratum=code.astype(np.int64), group=group)
    return Choice.of(seen, chance=chance[seen], group=group)


def by_unit(given: object, names: Sequence[Any], argument: str, unit: str) -> list[Any]:
    """What is given for each unit, None for those that it lacks."""
    if isinstance(given, Mapping):
        named: Any = given
    else:  # where labels went by position, an index would put others beside them
        named = None if isinstance(names, range) else _by_index(argument, given, unit)
    if named is not None:
        if any(isinstance(name, str) for name in names):
            # What was read has texts for names, whatever they were before.
            named = {as_text(name): value for name, value in named.items()}
        column = [named.get(name) for name in names]
    else:
        is_column = isinstance(given, Iterable) and not isinstance(given, str)
        is_column = is_column and getattr(given, "ndim", 1) == 1
        column = list(given) if is_column else []  # type: ignore[call-overload]
        are_named = any(isinstance(name, str) for name in names)
        if not is_column or are_named:
            other = "" if are_named else f", or a column with one for each {unit}"
            raise UsageError(
                argument=argument, allowed=f"a dict by {unit}, {{{unit}: value}}{other};", got=given
            )
        if len(column) != len(names):
            raise UsageError(
                argument=argument,
                allowed=f"one for each of {len(names)} {unit}s;",
                got=Fact(f"{len(column)}"),
            )
    return [value if has_value(value) else None for value in column]


def column_of_units(given: object, names: Sequence[Any], argument: str, unit: str) -> Float64:
    """A number of each unit, NaN where none is given.

    Parameters
    ----------
    given : by unit, or a column.
    names : the units.
    argument : what it was given as.
    unit : the noun of a unit.
    """
    column: Any = given if _is_plain(given) else by_unit(given, names, argument, unit)
    if len(column) != len(names):
        raise UsageError(
            argument=argument,
            allowed=f"one number for each of {len(names)} {unit}s",
            got=Fact(f"{len(column)}"),
        )
    return _with_gaps(argument, column)


def _by_index(argument: str, given: object, unit: str) -> dict[Any, Any] | None:
    """A Series by its index; None if it is none."""
    if getattr(given, "ndim", 0) != 1 or not hasattr(given, "to_dict"):
        return None
    index: Any = getattr(given, "index", None)
    if index is None or callable(index):
        return None
    if not index.is_unique:
        raise UsageError(
            argument=argument,
            what=f"{unit} {{got}} is in its index twice",
            got=as_text(index[index.duplicated()][0]),
            remedy=f"give each {unit} one row, or pass .reset_index(drop=True)",
        )
    by_name: dict[Any, Any] = given.to_dict()
    return by_name


def codes_of(given: object, names: Sequence[Any], argument: str, unit: str) -> Int64:
    """A number of each unit's group or stratum: 0, 1, ... in the order of the units.

    Parameters
    ----------
    given : by unit.
    names : the units.
    argument : what it was given as.
    unit : the noun of a unit.
    """
    values = by_unit(given, names, argument, unit)
    missing = [name for name, value in zip(names, values, strict=True) if value is None]
    if missing:
        raise UsageError(
            argument=argument,
            what=f"{unit} {{got}} has none",
            got=missing[0],
            remedy=f"give every {unit} one",
        )
    places: dict[Any, int] = {}
    try:
        return np.array([places.setdefault(value, len(places)) for value in values], np.int64)
    except TypeError:  # a list, which no dict takes for a key
        raise UsageError(
            argument=argument, allowed=f"texts or numbers by {unit};", got=values[0]
        ) from None


def _numbers(given: object, names: Sequence[Any], seen: Any, unit: str) -> Float64:
    """Probabilities of all units, NaN where none is given."""
    values = by_unit(given, names, "probability", unit)
    own = [value for value, inside in zip(values, seen, strict=True) if inside]
    if None in own:
        lacking = [name for name, inside in zip(names, seen, strict=True) if inside]
        raise UsageError(
            argument="probability",
            what=f"{unit} {{got}} has none",
            got=lacking[own.index(None)],
            remedy=f"give it for every {unit} that people judged",
        )
    numbers = np.full(len(values), np.nan)
    given_for = [place for place, value in enumerate(values) if value is not None]
    numbers[given_for] = [
        _as_number("probability", values[place], names[place], unit) for place in given_for
    ]
    # Of others 0 says that people could not judge it, which no weight makes up for.
    odd = np.flatnonzero(~np.isnan(numbers) & ~((numbers > 0) & (numbers <= 1)))
    if len(odd):
        worst = float(numbers[odd].max())
        raise UsageError(
            argument="probability",
            allowed="in (0, 1]",
            got=Fact(f"{numbers[odd[0]]:g} for {unit} {names[odd[0]]!r}"),
            remedy=(
                "divide percentages by 100"
                if worst > 1
                else f"leave out every {unit} that people could not be given"
            ),
        )
    return numbers


def _as_number(argument: str, value: Any, name: Any, unit: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise UsageError(
            argument=argument,
            allowed=f"a number for each {unit};",
            got=Fact(f"{value!r} for {unit} {name!r}"),
        ) from None


def columns_of(people: object, judge: object) -> tuple[Sequence[Any], Float64, Float64]:
    """Units, people's number of each and the judge's; NaN where there is none. Units that have no
    names are a `range`.

    Parameters
    ----------
    people : a dict by unit, or a column.
    judge : likewise.
    """
    named = [
        given if isinstance(given, Mapping) else _by_index(argument, given, "unit")
        for argument, given in (("people", people), ("judge", judge))
    ]
    own, other = named
    if own is not None and other is not None:
        names: Sequence[Any] = [
            *other,
            *(name for name in own if name not in other and has_value(own[name])),
        ]
        columns = [[each.get(name) for name in names] for each in (own, other)]
    else:
        columns = [_as_column("people", people), _as_column("judge", judge)]
        names = range(len(columns[0]))
        if len(columns[1]) != len(names):
            raise UsageError(
                argument="judge",
                allowed=f"a number for each of {len(names)} units",
                got=Fact(f"{len(columns[1])}"),
            )
    numbers, others = (
        _with_gaps(argument, column)
        for argument, column in zip(("people", "judge"), columns, strict=True)
    )
    return names, numbers, others


def is_column(given: object) -> TypeGuard[Iterable[Any]]:
    """Whether it can be read as one column of values."""
    is_one = isinstance(given, Iterable) and getattr(given, "ndim", 1) == 1
    return is_one and not isinstance(given, Mapping | str)


def _as_column(argument: str, given: Any) -> Any:
    if not is_column(given):
        raise UsageError(
            argument=argument,
            allowed="a column of numbers, or a dict by unit for people and for the judge;",
            got=given,
        )
    if _is_plain(given):
        return given
    column: list[Any] = list(given)
    return column


def _is_plain(column: Any) -> bool:
    """Whether it is an array of numbers, whose gaps are NaN."""
    return type(column) is np.ndarray and column.dtype.kind in "biuf"


def _with_gaps(argument: str, column: Any) -> Float64:
    """The numbers of a column, NaN where it has none."""
    if _is_plain(column):
        numbers = check_column(argument, column)
    else:
        there = [place for place, value in enumerate(column) if has_value(value)]
        numbers = np.full(len(column), np.nan)
        values = [column[place] for place in there]
        try:
            numbers[there] = check_column(argument, values)
        except UsageError:
            _refuse_words(argument, values)
            raise
    infinite = np.flatnonzero(np.isinf(numbers))
    if len(infinite):
        raise UsageError(
            argument=argument,
            what=f"has an infinite number, {{got}} at position {infinite[0]}",
            got=float(numbers[infinite[0]]),
            remedy="give finite numbers, and None or NaN where there is none",
        )
    return numbers


def _refuse_words(argument: str, values: Iterable[Any]) -> None:
    """Name the value that is no number."""
    for value in values:
        try:
            float(value)
        except (TypeError, ValueError, OverflowError):
            raise UsageError(
                argument=argument,
                allowed="numbers, and None where there is none;",
                got=value,
                remedy="write labels such as yes and no as 1 and 0",
            ) from None


def check_all_judged(names: Sequence[Any], seen: Any, judge: Float64, unit: str = "unit") -> None:
    """Refuse units that the judge did not label.

    Parameters
    ----------
    names : the units.
    seen : whether people labelled the unit.
    judge : the judge's number of each, NaN where there is none.
    unit : the noun of a unit.
    """
    lacking = np.flatnonzero(np.isnan(judge))
    if not len(lacking):
        return
    is_swapped = seen.all()
    raise UsageError(
        argument="judge",
        what=f"{unit} {{got}} has no number",
        got=names[lacking[0]],
        remedy=(
            "people come first and the judge second"
            if is_swapped
            else f"let the judge label every {unit}"
        ),
    )


def check_binary(numbers: Float64, argument: str, allowed: str) -> None:
    """Refuse numbers other than 0 and 1.

    Parameters
    ----------
    numbers : labels or decisions.
    argument : what they were given as.
    allowed : what they must be, in words.
    """
    odd = numbers[(numbers != 0) & (numbers != 1)]
    if len(odd):
        raise UsageError(argument=argument, allowed=f"{allowed};", got=float(odd[0]))
