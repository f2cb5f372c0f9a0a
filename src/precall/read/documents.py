"""JSON documents: one object that is a run or qrels, as MTEB and BEIR save them, or a list of
rows.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import islice
from numbers import Number
from typing import Any

from precall.core.errors import Among, DataError, Kind, Mistake, Several
from precall.core.notes import Note
from precall.core.notes.of_reading import PartOfFile
from precall.core.text import MARK
from precall.read.cbor import is_cbor, read_cbor
from precall.read.problems import show_text
from precall.read.sources import BeginsLikeJSON, contents
from precall.read.tables import Repeating, key_twice, no_json
from precall.read.values import json_number

#: How many values of an object are inspected to see what it is.
_LOOKED_AT = 8
_EXAMPLE = '{"topic": {"item": 1}}'
_REMEDY = f"write {_EXAMPLE}, or name its true format"


def read_document(path: str, label: str) -> tuple[Any, tuple[Note, ...]]:
    """The mapping or the list of rows in a JSON file, and a note if it is nested in other objects.

    MTEB saves predictions by subset and split: nested objects may hold one run only.
    """
    document = parse_document(contents(path, label, BeginsLikeJSON(label, _REMEDY)), label, _REMEDY)
    if isinstance(document, dict) and {"task_name", "scores"} <= document.keys():
        raise Mistake(
            "results of MTEB, which are means; a run is in what it predicted",
            "name the file that mteb.evaluate(prediction_folder=...) writes",
        ).error(label)
    if isinstance(document, dict) and str(document.get("format", "")).startswith("precall."):
        raise Mistake(
            "{got}, a result of precall, which holds no ranking",
            "name the run or the qrels that it was made from",
            got=document["format"],
        ).error(label)
    names: list[str] = []
    if isinstance(document, dict):
        document, names = _only_part(document, label, of_file=True)
    if not isinstance(document, dict | list):
        raise Mistake(
            "{got} at its top",
            f"write {_EXAMPLE}",
            got=Kind(document),
            allowed=Among("a run or qrels are", ["an object or a list of rows"]),
        ).error(label)
    return document, _note_of(names)


def run_of_mteb(
    document: Mapping[Any, Any], label: str
) -> tuple[Mapping[Any, Any], tuple[Note, ...]]:
    """The one run in what MTEB predicted, and a note on its names; DataError if there are
    several.
    """
    run, names = _only_part(document, label, of_file=False)
    return run, _note_of(names)


def _note_of(names: list[str]) -> tuple[Note, ...]:
    return (PartOfFile("", tuple(map(show_text, names))),) if names else ()


def _only_part(document: Any, label: str, of_file: bool) -> tuple[Any, list[str]]:
    """The one run or set of judgements within nested objects, and the names that lead to it;
    DataError if there are several.
    """
    names: list[str] = []
    while isinstance(document, Mapping) and _depth(document) > 2:
        nested = {name: value for name, value in document.items() if _depth(value) > 1}
        if len(nested) > 1:
            inside = _keys([*names, *_way_in(nested)])
            remedy = f"pass one of them, such as given{inside}"
            if of_file:
                remedy = (
                    f"save each in a file of its own, or give json.load(file){inside} in Python; "
                    "of several runs give a file each: precall eval gold.json bm25.json dense.json"
                )
            raise Mistake(
                "holds {got}, one run or one set of judgements is read",
                remedy,
                got=Several(list(nested)),
            ).error(label)
        name, document = nested.popitem()
        names.append(name)
    return document, names


def parse_document(data: bytes, label: str, remedy: str) -> Any:
    """The content of a JSON document; `remedy` says what to write instead of what is none.

    Numbers that float64 does not hold are kept as they were written. ranx writes CBOR to a file
    called .json.lz4, which is read as what it is.
    """
    if is_cbor(data):
        return read_cbor(data, label)
    try:
        return json.loads(
            data.removeprefix(MARK),
            parse_float=json_number,
            object_pairs_hook=lambda pairs: _object(pairs, label),
        )
    except DataError:
        raise
    except (ValueError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        if isinstance(error, json.JSONDecodeError) and error.msg == "Extra data":
            remedy = 'pass ⟨format="jsonl"⟩ if each line is an object'
        raise no_json(error, "line", line, remedy).error(label) from None


def _object(pairs: list[tuple[str, Any]], label: str) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        raise key_twice(Repeating(pairs).twice[0]).error(label)
    return mapping


def refuse_deep_mapping(
    mapping: Mapping[Any, object], label: str, above: tuple[object, ...] = ()
) -> None:
    """Refuse a mapping that holds several runs or qrels, as MTEB has them; `above` are the keys
    that lead to it.
    """
    values = [
        value
        for items in islice(mapping.values(), _LOOKED_AT)
        if isinstance(items, Mapping)
        for value in islice(items.values(), _LOOKED_AT)
    ]
    if any(isinstance(value, Number) for value in values) or _depth(mapping) <= 2:
        return
    remedy = f"pass the part that is so, such as given{_keys([*above, *_way_in(mapping)])}"
    raise Mistake("the dicts are nested deeper than {topic: {item: value}}", remedy).error(label)


def _way_in(mapping: Mapping[Any, Any]) -> list[object]:
    """The keys that lead to a run in a mapping that is nested deeper."""
    keys: list[object] = []
    while _depth(mapping) > 2:
        key, mapping = max(islice(mapping.items(), _LOOKED_AT), key=lambda pair: _depth(pair[1]))
        keys.append(key)
    return keys


def _keys(names: list[object]) -> str:
    return "".join(f"[{name!r}]" for name in names)


def _depth(value: object) -> int:
    """How deep objects are nested, a list being the last level; judged by the first few values of
    each.
    """
    if isinstance(value, list):
        return 1
    if not isinstance(value, Mapping):
        return 0
    return 1 + max(map(_depth, islice(value.values(), _LOOKED_AT)), default=0)
