"""Writes the JSON Schemas of every document that precall writes: `python docs/schemas.py`, into
docs/published/schemas.

They are declared in docs/schema_forms.py: a text names a type below, several with `|` between them;
`[x]` is a list of x; a dict is an object of these names, of which those that end in `?` may be
missing, and of others only where there is `"*": x`; a tuple is one of several. What a class of
precall declares is taken from there. `tests/release/test_schemas.py` and
`tests/cli/test_both_ways.py` hold every result and every command against them.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "published" / "schemas"

TYPES: dict[str, dict[str, Any]] = {
    "text": {"type": "string"},
    "count": {"type": "integer", "minimum": 0},
    "whole": {"type": "integer"},
    "flag": {"type": "boolean"},
    "null": {"type": "null"},
    "any": {},
    "share": {"type": "number", "minimum": 0, "maximum": 1},
    "end": {"enum": ["high", "low", None]},
    "value": {
        "description": "All digits; null where it is undefined, a text where it is infinite.",
        "anyOf": [{"type": "number"}, {"enum": ["inf", "-inf"]}, {"type": "null"}],
    },
    "cell": {
        "description": (
            "A name, or a number with all digits; null where it is undefined or there is none."
        ),
        "type": ["string", "number", "boolean", "null"],
    },
}
#: A note: what was noticed, as data and in words.
NOTE = {
    "kind": "text",
    "subject": "text",
    "within?": ["text"],
    "vocabulary?": "text",
    "values": {"*": ("cell", ["cell"], [["cell"]], {"*": "cell"})},
    "text": "text",
}
#: Forms that are as they were first.
FIRST = dict.fromkeys(("about", "explain", "measures", "thresholds"), 1)
#: Types that are large enough to be named once in each schema.
NAMED = ("value", "cell")


def schema(told: Any) -> dict[str, Any]:
    """A declaration as JSON Schema."""
    if isinstance(told, str):
        parts = [
            {"$ref": f"#/$defs/{name}"} if name in NAMED else dict(TYPES[name])
            for name in told.split("|")
        ]
        return parts[0] if len(parts) == 1 else {"anyOf": parts}
    if isinstance(told, list):
        return {"type": "array", "items": schema(told[0])}
    if isinstance(told, tuple):
        return {"anyOf": [schema(part) for part in told]}
    if "const" in told:
        return dict(told)
    named = {name: part for name, part in told.items() if name != "*"}
    made: dict[str, Any] = {"type": "object"}
    if named:
        made["properties"] = {name.rstrip("?"): schema(part) for name, part in named.items()}
        made["required"] = [name for name in named if not name.endswith("?")]
    return made | {"additionalProperties": schema(told["*"]) if "*" in told else False}


def of_hint(hint: str) -> str:
    """The type of a field that precall declares, as sheets tell it: what is neither number nor text
    is told in words.
    """
    known = {"float": "value", "int": "whole", "bool": "flag", "None": "null"}
    parts = dict.fromkeys(known.get(part, "text") for part in hint.split(" | "))
    return "|".join(part for part in parts if not (part == "null" and "value" in parts))


def of_fields(kind: type, **others: Any) -> dict[str, Any]:
    """The fields of a class, some of them of another type."""
    names = kind._fields if hasattr(kind, "_fields") else [field.name for field in fields(kind)]
    return {name: others.get(name) or of_hint(_declared(kind, name)) for name in names}


def of_facts(kind: type) -> dict[str, Any]:
    """A result without a form of its own: its fields and properties, as `facts_sheet` tells
    them.
    """
    told = of_fields(kind)
    for name, member in vars(kind).items():
        if isinstance(member, property):
            told[name] = of_hint(member.fget.__annotations__["return"])
    return {
        name: part
        for name, part in told.items()
        if name not in ("notes", "table") and name[0] != "_"
    }


def _declared(kind: type, name: str) -> str:
    """As it is written, in the class or in one that it is made from."""
    told = next(
        base.__annotations__[name]
        for base in kind.__mro__
        if name in vars(base).get("__annotations__", {})
    )
    return str(getattr(told, "__forward_arg__", told))


def document(name: str, title: str, body: Any, *, of_sheet: bool = True) -> dict[str, Any]:
    """The schema of a form; that of a result has conventions and notes, and may have a verdict."""
    home = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
    form = f"precall.{name}/{FIRST.get(name, 2)}"
    head: dict[str, Any] = {"format": {"const": form}}
    if of_sheet:
        head |= {"verdict?": "text", "conventions": {"*": "text"}, "notes": [NOTE]}
    made = schema(tuple(head | part for part in body) if isinstance(body, tuple) else head | body)
    text = json.dumps(made)
    named = {each: TYPES[each] for each in NAMED if f"#/$defs/{each}" in text}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{home['Documentation']}schemas/{file_of(name)}",
        "title": form,
        "description": title,
        **made,
        **({"$defs": named} if named else {}),
    }


def all_documents() -> dict[str, dict[str, Any]]:
    """The name of each file → its schema."""
    sys.path.insert(0, str(ROOT / "docs"))
    from schema_forms import FILES, FORMS

    made = {name: document(name, title, body) for name, (title, body) in FORMS.items()}
    made |= {
        name: document(name, title, body, of_sheet=False) for name, (title, body) in FILES.items()
    }
    return {file_of(name): told for name, told in sorted(made.items())}


def file_of(name: str) -> str:
    """The file of a form."""
    return f"{name}-{FIRST.get(name, 2)}.json"


def main(
    write: Callable[[Path, str], object] = lambda path, text: path.write_text(
        text, encoding="utf-8"
    ),
) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, told in all_documents().items():
        write(FOLDER / name, json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
