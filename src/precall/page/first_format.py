"""Converts records of `precall.page/1`, and of pages whose conventions are in the signature only,
to the current format.

In these, notes, headlines and methods of p were sentences. They are parsed here, once; missing
fields are derived from the others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from precall.core.notes import notes_to_json
from precall.plot.shared import logit
from precall.results.sentence import Sentence

#: The method of p, which followed it; and the first word of the verdict of gates.
_HOW, _JUDGED = (
    re.compile(r"p (<=|=) \S+ \((.*)\)", re.DOTALL),
    re.compile("(?:Failed|Passed)(?=: )"),
)


def upgrade(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record with all fields of the current format."""
    if not isinstance(record.get("warnings"), list):
        return dict(record)
    rest = {name: value for name, value in record.items() if name != "warnings"}
    for section in rest["sections"]:
        for law in section.get("laws", ()):
            law |= _found(law.pop("how"))
        for gate in section.get("gates", ()):
            gate["notes"] = notes_to_json(map(str, gate["notes"]))
        if section["kind"] == "systems" and "pairs" in section:
            of = range(len(section["pairs"]["compared"]))
            section["pairs"] = {
                "against": [_best(section, i) for i in of],
                "baseline": False,
            } | section["pairs"]
        if section["kind"] in ("curves", "categories"):
            section["systems"] = [_digits(system) for system in section["systems"]]
        for pair in section.get("pairs", ()) if section["kind"] != "systems" else ():
            pair |= {
                "method": {"name": pair["how"]},
                "notes": notes_to_json(map(str, pair["notes"])),
            }
    notes, headline = (
        notes_to_json(map(str, record["warnings"])),
        [_sentence(str(text)) for text in rest["headline"]],
    )
    return rest | {"notes": notes, "headline": headline}


def facts_of_signature(signature: str) -> dict[str, str]:
    """The conventions of a section by name, which old pages have in the signature only."""
    parts = [convention.partition(" ") for convention in signature.split(" | ")]
    return {name: text for name, _, text in parts if name}


def _found(how: str) -> dict[str, Any]:
    match = _HOW.fullmatch(how)
    return {
        "method": match[2] if match else how,
        "error": None,
        "bound": bool(match and match[1] == "<="),
    }


def _sentence(text: str) -> dict[str, str]:
    """A sentence with its bold lead: the text before a semicolon, or the verdict of gates."""
    judged = _JUDGED.match(text)
    return Sentence(
        text, judged[0] if judged else text.partition("; ")[0] if "; " in text else ""
    )._asdict()


def _best(section: Mapping[str, Any], measure: int) -> int:
    """The system that the others are compared with, if there is no baseline."""
    means = np.array([line[measure] for line in section["mean"]], np.float64)
    return int(
        np.argmax(np.nan_to_num((section["measures"][measure]["best"] or 1) * means, nan=-np.inf))
    )


def _digits(system: Mapping[str, object]) -> dict[str, Any]:
    """A score whose thresholds have all their digits."""
    threshold = np.array(system["threshold"], np.float64)
    ends = logit.ends(threshold)
    return {"digits": np.full(len(threshold), 17.0), "logit": ends and list(ends), **system}
