"""All kinds of notes, and notes read back from JSON."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from math import inf, nan
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from precall.core.notes.facts import KINDS, Note, Quoted
from precall.core.vocabulary import find_vocabulary

#: Types of the values of notes, also in lists.
_FACTS = frozenset({str, int, float, bool, NoneType})
#: Spellings of numbers that JSON does not have.
_WRITTEN: Mapping[str | None, float] = {None: nan, "inf": inf, "-inf": -inf}
#: Whole numbers from here on are out of range.
_WHOLE = 1 << 63
#: Names of types in messages, except that of float64.
_WORDS: Mapping[type, str] = {str: "text", int: "whole number", bool: "yes or no"}


class DamagedNote(ValueError):
    """A part of a note in JSON that no version could have written: which part, and what is wrong
    with it.
    """

    def __init__(self, place: str, what: str) -> None:
        super().__init__(f"{place} {what}".lstrip())
        self.place: str = place
        self.what: str = what

    def inside(self, place: str) -> DamagedNote:
        """The same error for a note at a place inside something else."""
        return DamagedNote(f"{place}.{self.place}".rstrip("."), self.what)


def note_from_json(document: Any) -> Note:
    """A note from JSON, which another version may have written. If its kind is unknown or has other
    fields here, only its sentence is kept.

    Raises
    ------
    DamagedNote
        It is no note, or a value in it is not of the kind that its field has.

    Examples
    --------
    >>> values = {"words": "odd"}
    >>> note_from_json({"kind": "quoted", "subject": "a", "values": values, "text": "a: odd"})
    Quoted(subject='a', words='odd')
    >>> note_from_json({"kind": "quoted", "values": {"words": 3}, "text": "3"})
    Traceback (most recent call last):
    precall.core.notes.catalogue.DamagedNote: values.words is no text
    """
    _require(isinstance(document, Mapping), "", "is no object")
    text = document.get("text")
    _require(isinstance(text, str), "text", "is no text")
    name, subject = document.get("kind", ""), document.get("subject", "")
    _require(isinstance(name, str), "kind", "is no text")
    _require(isinstance(subject, str), "subject", "is no text")
    within, values = document.get("within", []), document.get("values", {})
    vocabulary = document.get("vocabulary", "")
    _require(isinstance(vocabulary, str), "vocabulary", "is no text")
    _require(_are_texts(within), "within", "is no list of texts")
    _require(isinstance(values, Mapping), "values", "is no object")
    for field, value in values.items():
        _require(_is_fact(value), f"values.{field}", "is no fact")
    kind = catalogue().get(name)
    types = {} if kind is None else _types(kind)
    if kind is None or not types.keys() >= values.keys():
        return Quoted("", text)
    facts = {
        field: _value(types[field], value, f"values.{field}") for field, value in values.items()
    }
    try:
        note: Note = kind(subject=subject, **facts)
    # A required field is missing, or a word has no sentence in this version.
    except (TypeError, ValueError, LookupError, AttributeError):
        return Quoted("", text)
    for outer in reversed(within):
        note = note.within(outer)
    return note.in_words_of(find_vocabulary(vocabulary))


def _require(holds: bool, path: str, fault: str) -> None:
    if not holds:
        raise DamagedNote(path, fault)


def _are_texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(element, str) for element in value)


def _is_fact(value: object) -> bool:
    return all(map(_is_fact, value)) if isinstance(value, list | tuple) else type(value) in _FACTS


@cache
def _types(kind: type[Note]) -> dict[str, object]:
    """The types of the fields under `values`."""
    hints = get_type_hints(kind)
    return {name: hints[name] for name in kind.__dataclass_fields__ if name != "subject"}


def _value(kind: Any, value: Any, path: str) -> Any:
    """A value of this type from its form in JSON."""
    inner = get_args(kind)
    match get_origin(kind):
        case origin if origin in (Union, UnionType):
            if value is None and NoneType in inner:
                return None
            for alternative in (
                alternative for alternative in inner if alternative is not NoneType
            ):
                with suppress(DamagedNote):
                    return _value(alternative, value, path)
            raise DamagedNote(path, "is of another kind")
        case origin if origin is tuple:
            _require(isinstance(value, list | tuple), path, "is no list")
            element_types = inner[:1] * len(value) if inner[-1] is Ellipsis else inner
            _require(len(element_types) == len(value), path, f"has not {len(element_types)} parts")
            return tuple(
                _value(alternative, element, f"{path}[{i}]")
                for i, (alternative, element) in enumerate(zip(element_types, value, strict=True))
            )
    if kind is float:
        if value is None or (isinstance(value, str) and value in _WRITTEN):
            return _WRITTEN[value]
        _require(type(value) in (int, float), path, "is no number")
        _require(type(value) is float or abs(value) < _WHOLE, path, "is out of range")
        return value
    _require(
        isinstance(value, str) if kind is str else type(value) is kind,
        path,
        f"is no {_WORDS[kind]}",
    )
    _require(kind is not int or 0 <= value < _WHOLE, path, "is out of range")
    return value


def catalogue() -> Mapping[str, type[Note]]:
    """Every kind of note, by its name."""
    from pathlib import Path

    for path in sorted(Path(__file__).parent.glob("of_*.py")):
        import_module(f".{path.stem}", __package__)
    return KINDS
