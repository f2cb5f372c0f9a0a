"""Names of measures as people write them: AP, P@10, AP(grade=2)@100, nDCG(gains={1:3,2:9})@10."""

from __future__ import annotations

import re

from precall.errors import MeasureError

_NAME = re.compile(
    r"(?P<base>[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*[+-]?)(\((?P<inside>.*)\))?(@(?P<at>[^()@]+))?"
)
#: Commas that part parameters, not those inside {...}.
_COMMA = re.compile(r",(?![^{]*\})")


def parse(text: str) -> tuple[str, dict[str, str], str | None]:
    """Split a name into (base, parameters as text, what follows @).

    Examples
    --------
    >>> parse("nDCG(gains={1:3,2:9})@10")
    ('nDCG', {'gains': '{1:3,2:9}'}, '10')
    >>> parse("AP")
    ('AP', {}, None)
    """
    match = _NAME.fullmatch(re.sub(r"\s+", "", text))
    if match is None:
        raise MeasureError(f"{text!r} is not a measure's name; write NAME, NAME@k or NAME(parameter=value)@k")
    given: dict[str, str] = {}
    for part in _COMMA.split(match["inside"] or ""):
        if not part:
            continue
        key, sign, value = part.partition("=")
        if not sign or not value or key in given:
            raise MeasureError(
                f"{text}: got {part!r} in the brackets; write each parameter once, as name=value"
            )
        given[key] = value.strip("'\"")
    return match["base"], given, match["at"]
