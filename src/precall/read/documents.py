"""JSON: one object that is a run or qrels, as MTEB and BEIR save them, or a list of rows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from itertools import islice
from numbers import Number
from typing import Any

from precall.core.errors import DataError, Problem
from precall.core.notes import Note
from precall.core.notes.of_reading import PartOfFile
from precall.core.text import MARK
from precall.read.problems import listed, show_text
from precall.read.sources import contents
from precall.read.tables import Repeating, key_twice, why_no_json
from precall.read.values import json_number

#: Values of an object that are looked at to see what it is.
_LOOKED_AT = 8
_EXAMPLE = '{"topic": {"item": 1}}'


def read_document(path: str, label: str) -> tuple[Any, tuple[Note, ...]]:
    """The mapping or the list of rows in a file of JSON, and what to say of where in it that is.

    MTEB saves predictions by subset and split: of what is nested so there may be one.
    """
    data = contents(path, label, partial(_refuse_no_json, label))
    try:
        document = json.loads(
            data.removeprefix(MARK),
            parse_float=json_number,
            object_pairs_hook=lambda pairs: _object(pairs, label),
        )
    except DataError:
        raise
    except (ValueError, RecursionError) as error:
        where = f" at line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        todo = f"write {_EXAMPLE}, or name its true format"
        raise DataError(
            [Problem(label, None, f"not JSON ({why_no_json(error)}{where})", todo)]
        ) from None
    if isinstance(document, dict) and {"task_name", "scores"} <= document.keys():
        what = "results of MTEB, which are means; a run is in what it predicted"
        raise DataError(
            [
                Problem(
                    label,
                    None,
                    what,
                    "name the file that mteb.evaluate(prediction_folder=...) writes",
                )
            ]
        )
    names: list[str] = []
    while isinstance(document, dict) and _depth(document) > 2:
        parts = {name: part for name, part in document.items() if _depth(part) > 1}
        if len(parts) > 1:
            what = f"holds {listed(list(parts))}, one run or one set of judgements is read"
            inside = _keys([*names, *_way_in(parts)])
            todo = f"save each in a file of its own, or give json.load(file){inside} in Python"
            raise DataError([Problem(label, None, what, todo)])
        name, document = parts.popitem()
        names.append(name)
    if not isinstance(document, dict | list):
        what = (
            f"{type(document).__name__} at its top, a run or qrels are an object or a list of rows"
        )
        raise DataError([Problem(label, None, what, f"write {_EXAMPLE}")])
    return document, (PartOfFile("", tuple(map(show_text, names))),) if names else ()


def _refuse_no_json(label: str, lines: bytes) -> None:
    """Refuse by its beginning what may have no end."""
    if lines.removeprefix(MARK).lstrip()[:1] not in (b"", b"{", b"["):
        what = "not JSON (no object and no list at its beginning)"
        raise DataError([Problem(label, None, what, f"write {_EXAMPLE}, or name its true format")])


def _object(pairs: list[tuple[str, Any]], label: str) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise DataError([Problem(label, None, *key_twice(Repeating(pairs).twice[0]))])
    return made


def refuse_deep_mapping(
    given: Mapping[Any, Any], label: str, above: tuple[object, ...] = ()
) -> None:
    """Refuse a mapping of runs or qrels in the place of one, as MTEB has them; `above` are the keys
    that lead to it.
    """
    values = [
        value
        for items in islice(given.values(), _LOOKED_AT)
        if isinstance(items, Mapping)
        for value in islice(items.values(), _LOOKED_AT)
    ]
    if any(isinstance(value, Number) for value in values) or _depth(given) <= 2:
        return
    what = "the dicts are nested deeper than {topic: {item: value}}"
    todo = f"pass the part that is so, such as given{_keys([*above, *_way_in(given)])}"
    raise DataError([Problem(label, None, what, todo)])


def _way_in(part: Mapping[Any, Any]) -> list[object]:
    """The keys that lead to a run in what is nested deeper."""
    keys: list[object] = []
    while _depth(part) > 2:
        key, part = max(islice(part.items(), _LOOKED_AT), key=lambda named: _depth(named[1]))
        keys.append(key)
    return keys


def _keys(names: list[object]) -> str:
    return "".join(f"[{name!r}]" for name in names)


def _depth(part: Any) -> int:
    """How many objects lie in one another, a list being the last; by the first few of each."""
    if isinstance(part, list):
        return 1
    if not isinstance(part, Mapping):
        return 0
    return 1 + max(map(_depth, islice(part.values(), _LOOKED_AT)), default=0)
