"""The page of JSON's forms, made of their schemas."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .text import escaped, title

SCHEMAS = Path(__file__).resolve().parents[2] / "published" / "schemas"
LEAD = """Every JSON document names its form, and the version of that, in ``format``. A form may get new keys in a minor
version; a key that is lost, or means something else, makes a new version of the form. What each key holds is in the schema
of the form, which tests hold every document against."""  # noqa: E501


def pages() -> dict[str, str]:
    """File name → text."""
    return {"json.rst": "\n".join(_lines()) + "\n"}


def _lines() -> Iterator[str]:
    yield from (
        title("JSON"),
        "",
        LEAD,
        "",
        ".. list-table::",
        "   :class: names",
        "   :widths: auto",
    )
    yield from ("   :header-rows: 1", "", "   * - form", "     - what it is", "     - keys")
    for path in sorted(SCHEMAS.glob("*.json")):
        schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        # A file beside the pages, which is no page.
        yield f"   * - `{schema['title']} <../../schemas/{path.name}>`__"
        yield f"     - {escaped(schema.get('description', ''))}"
        yield (
            "     - "
            f"{', '.join(f'``{key}``' for key in schema.get('properties', {}) if key != 'format')}"
        )
    yield ""
