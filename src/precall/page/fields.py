"""Pages → plain data for JSON, field by field; `precall.page.reading` converts back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from types import NoneType
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.page.sections import Section, SectionTable, kind_of
from precall.results.blocks import AtMost, Threshold

if TYPE_CHECKING:
    from precall.stats.intervals.interval import Interval
    from precall.stats.intervals.tuned import TunedInterval
    from precall.stats.tests.comparisons import Comparison
    from precall.stats.tests.gating import Gates

#: Types that JSON writes unchanged.
_LEAVES = frozenset({str, int, float, bool, NoneType, np.ndarray})


def to_plain_data(value: Any) -> Any:
    """Any part of a page as plain data; columns stay arrays.

    Examples
    --------
    >>> from precall.results.sentence import Sentence
    >>> to_plain_data([Sentence("a is best.", "a")])
    [{'text': 'a is best.', 'lead': 'a'}]
    """
    kind = type(value)
    if kind in _LEAVES:
        return value
    if kind is list or kind is tuple:
        return (
            value
            if _LEAVES.issuperset(map(type, value))
            else [to_plain_data(element) for element in value]
        )
    if kind is dict:
        return {name: to_plain_data(element) for name, element in value.items()}
    for parent in kind.__mro__:
        if parent.__name__ in _WRITERS:
            return _WRITERS[parent.__name__](value)
    return _data(value) if is_dataclass(value) else value


def _data(value: Any) -> dict[str, Any]:
    written: dict[str, Any] = {"kind": value.kind} if isinstance(value, Section) else {}
    for field in fields(value):
        field_value = getattr(value, field.name)
        if "flat" in field.metadata:
            written |= to_plain_data(field_value)
        elif field_value is not None or not field.metadata:
            written[field.name] = to_plain_data(field_value)
        elif "empty" in field.metadata:
            written[field.name] = {}
    return written


def _interval_data(interval: Interval | TunedInterval) -> dict[str, Any]:
    from precall.cases.curve_sheet import cells_beside

    names = ("estimate", "low", "high", "level", "method")
    return {name: getattr(interval, name) for name in names} | cells_beside(interval)


def _pair_data(pair: Comparison) -> dict[str, Any]:
    from precall.stats.tests.comparisons import data_of_pair

    return data_of_pair(pair)


def _gates_data(judged: Gates) -> list[dict[str, Any]]:
    from precall.stats.tests.gating import facts

    return list(map(facts, judged.gates))


def _table_data(table: SectionTable) -> dict[str, Any]:
    lines = []
    for line in table.lines:
        kind = kind_of(line)
        # Special numbers carry their kind, because they are shown differently; a threshold for low
        # scores does, too.
        flags: dict[str, Any] = {"exact": True} if issubclass(kind, Threshold) else {}
        flags |= {"at most": True} if kind is AtMost else {}
        bounds = (
            zip(*(ends or (None, None) for ends in line.ends), strict=True) if line.ends else ()
        )
        flags |= {name: list(column) for name, column in zip(("low", "high"), bounds, strict=False)}
        lines.append({"name": line.name, "values": list(line.values), "best": line.best} | flags)
    data = {"title": table.title, "heading": list(table.heading), "lines": lines}
    return data | ({"intervals": table.intervals} if table.intervals else {})


#: By the name of the class, so that a page of one kind of results need not import all others.
_WRITERS: dict[str, Callable[[Any], Any]] = {
    # The words in a record are those of Python, whoever writes it.
    "Note": lambda note: note.to_dict("python"),
    "Sentence": lambda sentence: sentence._asdict(),
    "Comparison": _pair_data,
    "Gates": _gates_data,
    "Interval": _interval_data,
    "SectionTable": _table_data,
}
