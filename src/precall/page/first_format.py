"""Records of `precall.page/1`, and of pages whose conventions are in the signature only, as those
of today.

Notes, headlines and how p was found were sentences then, which are taken apart here, once; and what
pages did not have is told from what they have.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from precall.core.notes import plain
from precall.plot.shared import logit
from precall.results.sentence import Sentence

#: How p was found, behind it; and how the verdict of gates began.
_HOW, _JUDGED = (
    re.compile(r"p (<=|=) \S+ \((.*)\)", re.DOTALL),
    re.compile("(?:Failed|Passed)(?=: )"),
)


def upgraded(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record with all that one of today has."""
    if not isinstance(record.get("warnings"), list):
        return dict(record)
    rest = {name: value for name, value in record.items() if name != "warnings"}
    for section in rest["sections"]:
        for law in section.get("laws", ()):
            law |= _found(law.pop("how"))
        for gate in section.get("gates", ()):
            gate["notes"] = plain(map(str, gate["notes"]))
        if section["kind"] == "systems" and "pairs" in section:
            of = range(len(section["pairs"]["compared"]))
            section["pairs"] = {
                "against": [_best(section, i) for i in of],
                "baseline": False,
            } | section["pairs"]
        if section["kind"] in ("curves", "categories"):
            section["systems"] = [_digits(system) for system in section["systems"]]
        for pair in section.get("pairs", ()) if section["kind"] != "systems" else ():
            pair |= {"method": {"name": pair["how"]}, "notes": plain(map(str, pair["notes"]))}
    notes, headline = (
        plain(map(str, record["warnings"])),
        [_sentence(str(text)) for text in rest["headline"]],
    )
    return rest | {"notes": notes, "headline": headline}


def signed(signature: str) -> dict[str, str]:
    """What the numbers of a section rest on, by name, which pages said in the signature only."""
    parts = [part.partition(" ") for part in signature.split(" | ")]
    return {name: text for name, _, text in parts if name}


def _found(how: str) -> dict[str, Any]:
    found = _HOW.fullmatch(how)
    return {
        "method": found[2] if found else how,
        "error": None,
        "bound": bool(found and found[1] == "<="),
    }


def _sentence(text: str) -> dict[str, str]:
    """Bold was what stood in front of a semicolon, or the verdict of gates."""
    judged = _JUDGED.match(text)
    return Sentence(
        text, judged[0] if judged else text.partition("; ")[0] if "; " in text else ""
    )._asdict()


def _best(section: Mapping[str, Any], measure: int) -> int:
    """What the others are held against where there is no baseline."""
    means = np.array([line[measure] for line in section["mean"]], np.float64)
    return int(
        np.argmax(np.nan_to_num((section["measures"][measure]["best"] or 1) * means, nan=-np.inf))
    )


def _digits(system: Mapping[str, Any]) -> dict[str, Any]:
    """A score whose thresholds have all their digits."""
    threshold = np.array(system["threshold"], np.float64)
    ends = logit.ends(threshold)
    return {"digits": np.full(len(threshold), 17.0), "logit": ends and list(ends), **system}
