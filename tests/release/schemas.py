"""Documents held against the schemas in docs/published/schemas."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from tests.peers import peer

jsonschema = peer("jsonschema")

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "published" / "schemas"


@cache
def validator(form: str) -> jsonschema.Draft202012Validator:
    """Of a form such as "precall.report/2"."""
    name = form.removeprefix("precall.").replace("/", "-")
    schema = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def problems(document: Any) -> list[str]:
    """Where a document is not as its schema, the most telling place first."""
    found = validator(document["format"]).iter_errors(document)
    return [
        f"{error.json_path}: {error.message[:300]}"
        for error in sorted(found, key=jsonschema.exceptions.relevance)
    ]
