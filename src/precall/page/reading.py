"""Plain data → pages, field by field, with checks that name the position of an error;
`precall.page.fields` is the reverse.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from functools import cache
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from precall.core.notes import DamagedNote, Note, note_from_json
from precall.page.sections import (
    Categories,
    Column,
    Counts,
    CurvesSection,
    Misfit,
    Section,
    SectionTable,
    Systems,
    Tables,
    require,
)
from precall.results.blocks import AtMost, Line, Threshold
from precall.results.sentence import Sentence
from precall.stats.intervals.interval import Interval
from precall.stats.intervals.tuned import TunedInterval
from precall.stats.null.distribution import Tail
from precall.stats.tests.comparisons import Comparison
from precall.stats.tests.equivalence import Gate
from precall.stats.tests.gating import Gates
from precall.stats.tests.verdict import BETTER, NOT_SHOWN, WORSE

T = TypeVar("T")

_KINDS: dict[str, type[Section]] = {
    kind.kind: kind for kind in (Systems, CurvesSection, Categories, Tables)
}
#: Whole numbers from this on are refused as out of range.
_WHOLE = 1 << 63


def made_from(kind: type[T], data: Any, place: str = "", **known: Any) -> T:
    """An object of this class from its data; raises `Misfit` if a part is missing or does not fit.

    Parameters
    ----------
    known : fields that the data does not have under their names.
    """
    _check_object(data, place)
    hints, values = _types(kind), dict(known)  # type: ignore[arg-type]
    for own in fields(kind):  # type: ignore[arg-type]
        name = own.name
        inside = f"{place}.{name}".lstrip(".")
        if name in known:
            continue
        if "flat" in own.metadata:
            values[name] = made_from(hints[name], data, place)
        elif "empty" in own.metadata and isinstance(data.get(name), dict) and not data[name]:
            values[name] = None
        elif name in data:
            values[name] = _read(hints[name], data[name], inside)
        elif own.default is MISSING and own.default_factory is MISSING:
            raise Misfit(inside, "is missing")
    instance = kind(**values)
    if hasattr(instance, "fit"):
        instance.fit(place)
    return instance


@cache
def _types(kind: type) -> dict[str, Any]:
    # Imported on use: kinds of results that sections may hold.
    namespace = {"Comparison": Comparison, "Gates": Gates, "Interval": Interval, "Tail": Tail}
    return get_type_hints(kind, localns=namespace, include_extras=True)


def _check_object(data: object, place: str) -> None:
    require(isinstance(data, Mapping), place or "it", "is no object")


def _read(kind: Any, data: Any, place: str) -> Any:
    """A value of this type."""
    if kind in _READERS:
        return _READERS[kind](data, place)
    inner = get_args(kind)
    match get_origin(kind):
        case origin if origin in (UnionType, Union):
            return None if data is None else _read(inner[0], data, place)
        case origin if origin in (list, tuple):
            require(isinstance(data, list), place, "is no list")
            if origin is tuple and inner[-1] is not Ellipsis:
                require(len(data) == len(inner), place, f"has not {len(inner)} parts")
            if inner[0] is str:
                require(set(map(type, data)) <= {str}, place, "has a part that is no text")
                return origin(data)
            return origin(
                _read(inner[0], element, f"{place}[{i}]") for i, element in enumerate(data)
            )
        case origin if origin is dict:
            _check_object(data, place)
            return {
                name: _read(inner[1], element, f"{place}.{name}") for name, element in data.items()
            }
    return made_from(kind, data, place)


def _of_type(kind: type, words: str) -> Callable[[Any, str], Any]:
    def read(data: object, place: str) -> Any:
        require(type(data) is kind, place, f"is no {words}")
        return data

    return read


def _number(data: Any, place: str) -> float:
    if data is None or (isinstance(data, str) and data in ("inf", "-inf")):
        return float("nan" if data is None else data)
    require(type(data) in (int, float), place, "is no number")
    require(type(data) is float or abs(data) < _WHOLE, place, "is out of range")
    return data  # type: ignore[no-any-return]


def _column(data: Any, place: str) -> Column:
    if isinstance(data, np.ndarray):
        return data
    require(isinstance(data, list), place, "is no list of numbers")
    return np.array([_number(value, place) for value in data], np.float64)


def _counts(data: object, place: str) -> Column:
    column = _column(data, place)
    return (
        column.astype(np.int64)
        if isinstance(data, list) and set(map(type, data)) <= {int}
        else column
    )


def _note(data: object, place: str) -> Note:
    try:
        return note_from_json(data)
    except DamagedNote as damaged:
        inside = damaged.inside(place)
        raise Misfit(inside.place, inside.what) from None


def _sentence(data: Any, place: str) -> Sentence:
    _check_object(data, place)
    return Sentence(*(_read(str, data.get(name), f"{place}.{name}") for name in Sentence._fields))


def _table(data: Any, place: str) -> SectionTable:
    _check_object(data, place)
    require(isinstance(lines := data.get("lines"), list), f"{place}.lines", "is no list")
    lines_read = [_line(line, f"{place}.lines[{i}]") for i, line in enumerate(lines)]
    data = {name: element for name, element in data.items() if name != "lines"}
    return made_from(SectionTable, data, place, lines=tuple(lines_read))


def _line(data: Any, place: str) -> Line:
    _check_object(data, place)
    kind = AtMost if "at most" in data else Threshold if "exact" in data else None
    require(isinstance(cells := data.get("values"), list), f"{place}.values", "is no list")
    values = []
    for cell in cells:
        if not isinstance(cell, str) or cell in ("inf", "-inf"):
            number = _number(cell, f"{place}.values")
            cell = kind(number) if kind is not None and isinstance(number, float) else number
        values.append(cell)
    ends: tuple[tuple[float, float] | None, ...] = ()
    if "low" in data:
        bounds = [_read(list[float], data.get(name), f"{place}.{name}") for name in ("low", "high")]
        require(
            len(bounds[0]) == len(bounds[1]) == len(values), place, "has bounds of other values"
        )
        ends = tuple(
            None if low != low or high != high else (low, high)
            for low, high in zip(*bounds, strict=True)
        )
    name, best = (
        _read(kind, data.get(key), f"{place}.{key}") for key, kind in (("name", str), ("best", int))
    )
    require(best in (-1, 0, 1), f"{place}.best", "is none of -1, 0, 1")
    return Line(name, tuple(values), best, ends)


def _comparison(data: Any, place: str) -> Comparison:
    _check_object(data, place)
    names, values = (
        tuple(_read(kind, data.get(key), f"{place}.{key}") for key in keys)
        for kind, keys in ((str, ("a", "b")), (float, ("value_a", "value_b")))
    )
    comparison = made_from(Comparison, data, place, names=names, values=values)
    # The outcome says whether low values are good, and whether the test favoured the other system.
    outcome = data.get("outcome")
    against = (outcome == BETTER and comparison.difference < 0) or (
        outcome == WORSE and comparison.difference > 0
    )
    contrary = outcome == NOT_SHOWN and comparison.significant and bool(comparison.difference)
    more = {"higher_is_better": not against, "contrary": contrary}
    return made_from(Comparison, data, place, names=names, values=values, **more)


def _gates(data: Any, place: str) -> Gates:
    require(isinstance(data, list), place, "is no list")
    gates = []
    for i, gate in enumerate(data):
        inside = f"{place}[{i}]"
        _check_object(gate, inside)
        names = tuple(_read(str, gate.get(key), f"{inside}.{key}") for key in ("a", "b"))
        value = float(_read(float, gate.get("value"), f"{inside}.value"))
        why = _read(str, gate.get("text"), f"{inside}.text")
        gates.append(made_from(Gate, gate, inside, names=names, value=value, why=why))
    return Gates(tuple(gates))


def _interval(data: Any, place: str) -> Interval:
    _check_object(data, place)
    return made_from(TunedInterval if "threshold" in data else Interval, data, place)


def _section(data: Any, place: str) -> Section:
    _check_object(data, place)
    kind = data.get("kind")
    require(
        isinstance(kind, str) and kind in _KINDS, f"{place}.kind", f"is none of {', '.join(_KINDS)}"
    )
    extra = {}
    if "conventions" not in data:
        from precall.page.first_format import facts_of_signature

        extra["conventions"] = facts_of_signature(
            _read(str, data.get("signature", ""), f"{place}.signature")
        )
    return made_from(_KINDS[kind], data, place, **extra)


_READERS: dict[Any, Callable[[Any, str], Any]] = {
    Any: lambda data, place: data,
    str: _of_type(str, "text"),
    int: _of_type(int, "whole number"),
    bool: _of_type(bool, "yes or no"),
    float: _number,
    Column: _column,
    Counts: _counts,
    Note: _note,
    Sentence: _sentence,
    SectionTable: _table,
    Comparison: _comparison,
    Gates: _gates,
    Interval: _interval,
    Section: _section,
}
