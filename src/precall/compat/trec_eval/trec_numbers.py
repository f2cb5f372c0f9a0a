"""Numbers as C's atol and atof take them: the longest prefix that is one, else 0."""

from __future__ import annotations

import re

_WHOLE = re.compile(rb"[ \t\n\v\f\r]*([+-]?[0-9]+)")
_HEXADECIMAL = rb"0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?[0-9]+)?"
_DECIMAL = rb"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_REAL = re.compile(
    rb"[ \t\n\v\f\r]*([+-]?(?:" + _HEXADECIMAL + rb"|" + _DECIMAL + rb"|(?i:infinity|inf|nan)))"
)
_LONGEST = 2**63


def whole(text: str | bytes) -> int:
    """What atol reads: `23.4` is 23, `rel` is 0; what a long cannot hold is clamped to it."""
    match = _WHOLE.match(_raw(text))
    return max(-_LONGEST, min(_LONGEST - 1, int(match[1]))) if match else 0


def real(text: str | bytes) -> float:
    """What atof reads: `0.5x` is .5, `score` is 0, hexadecimal, infinite and NaN as they say."""
    match = _REAL.match(_raw(text))
    if match is None:
        return 0.0
    number = match[1].decode()
    if "x" in number.lower():
        try:
            return float.fromhex(number)
        except OverflowError:
            return float("-inf") if number.startswith("-") else float("inf")
    return float(number)


def _raw(text: str | bytes) -> bytes:
    return text.encode(errors="surrogateescape") if isinstance(text, str) else text
