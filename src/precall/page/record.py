"""The record: all numbers of a page as data, and how they stand in its JSON.

A page is drawn from its record and holds it, so that what is read off the page can be read back without loss.
`"format": "precall.page/1"`, then `title`, `headline`, `warnings`, `command`, `versions`, `files` and `sections`. An
undefined value is null, an infinite one the text "inf" or "-inf". Of columns of numbers, the long ones stand as
{"f8": base64 of little-endian float64} where that is shorter than their digits, and those of few different values
as {"f8": these values, "at": base64 of a byte for each number, which of them it is}; all are exact.

The element that holds the JSON has the SHA-256 of its text, so that a page of which a digit was changed is not told
again as if it had been made so. That is no signature: who changes a page on purpose can change both.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from precall.errors import DataError, Problem
from precall.ragged import Float64
from precall.sheet.forms import exact
from precall.text import file_name, printable

FORMAT = "precall.page/1"
#: Shorter columns are always written digit by digit.
_LONG = 8
#: Different values that a byte can tell apart.
_FEW = 256
#: What could end a script element, begin a comment in it, or end a line of JavaScript.
_UNSAFE = {one: f"\\u{ord(one):04x}" for one in "<>&\u2028\u2029"}
_EMBEDDED = re.compile(
    r'<script type="application/json" id="record"(?: data-sha256="([0-9a-f]{64})")?>(.*?)</script>', re.DOTALL
)
_PARTS = {
    "title": str, "headline": list, "warnings": list, "command": str, "versions": dict, "files": list, "sections": list,
}  # fmt: skip

AGAIN = "make the page again"

Record: TypeAlias = dict[str, Any]


class Part(NamedTuple):
    """A section of a page."""

    section: dict[str, Any]
    headline: list[str]
    """Sentences for the head of the page."""
    notes: list[str]
    """What a reader of the numbers should know."""


def record(
    title: str, headline: Sequence[str], warnings: Sequence[str], sections: Sequence[Mapping[str, Any]], *,
    command: str = "", files: Sequence[Mapping[str, Any]] = (),
) -> Record:  # fmt: skip
    """A record of these sections, with the versions that they were computed by."""
    from precall.machine import about

    return {
        "format": FORMAT, "title": title, "headline": list(headline), "warnings": list(dict.fromkeys(warnings)),
        "command": command, "versions": about(), "files": list(files), "sections": list(sections),
    }  # fmt: skip


def describe_file(path: str) -> dict[str, Any]:
    """Name, size and SHA-256 of a file, as it lies there: compressed ones are not unpacked.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     place = Path(folder) / "a"
    ...     _ = place.write_bytes(b"abc")
    ...     facts = describe_file(str(place))
    >>> facts["bytes"], facts["sha256"][:8]
    (3, 'ba7816bf')
    """
    with Path(path).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return {"name": path, "bytes": file.tell(), "sha256": digest}


def embedded(given: Record) -> str:
    """A record as JSON that no text in it can break out of.

    Examples
    --------
    >>> embedded({"name": "</script>", "x": np.array([0.5, np.nan])})
    '{"name":"\\\\u003c/script\\\\u003e","x":[0.5,null]}'
    """
    text = json.dumps(exact(_columns(given)), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    text = re.sub("[<>&\u2028\u2029]", lambda match: _UNSAFE[match[0]], text)
    # Halves of characters, which a file of UTF-8 cannot hold; JSON writes them as escapes.
    return re.sub("[\ud800-\udfff]", lambda match: f"\\u{ord(match[0]):04x}", text)


def element_of(given: Record) -> str:
    """The script element that holds a record in its page."""
    text = embedded(given)
    return f'<script type="application/json" id="record" data-sha256="{_digest(text)}">{text}</script>'


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _columns(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return _column(value)
    if isinstance(value, Mapping):
        return {str(key): _columns(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_columns(one) for one in value]
    return value.item() if isinstance(value, np.generic) else value


def _column(values: Any) -> Any:
    plain = values.tolist()
    if values.dtype.kind != "f" or len(plain) < _LONG:
        return plain
    # Whole numbers need no point.
    if not np.any(values != np.floor(values)):
        plain = [int(one) if np.isfinite(one) else one for one in plain]
    packed = {"f8": _packed(values.astype("<f8"))}
    # As bits: 0 and -0 are two.
    few, at = np.unique(values.astype("<f8").view("<i8"), return_inverse=True)
    listed = {"f8": _packed(few), "at": _packed(at.astype(np.uint8))}
    known = [plain, packed, listed] if len(few) <= _FEW else [plain, packed]
    return min(known, key=lambda one: len(json.dumps(exact(one), separators=(",", ":"))))


def _packed(values: Any) -> str:
    return base64.b64encode(values.tobytes()).decode()


def read_record(path: str | Path) -> Record:
    """The record of a page, from its file.

    Columns are lists of floats or arrays; see `numbers`.

    Raises
    ------
    DataError
        The file is no page of precall's, one of a later layout, or was changed after it was made.
    """
    label = printable(str(path))
    text = Path(file_name(path)).read_text(encoding="utf-8", errors="replace")
    match = _EMBEDDED.search(text)
    if match is None:
        raise _refused(label, "there is no record in it", "name a page that precall report wrote")
    if match[1] is not None and match[1] != _digest(match[2]):
        raise _refused(label, "its record is not as it was written (another SHA-256)", AGAIN)
    try:
        known = json.loads(match[2], parse_constant=_constant)
        kind = known.get("format") if isinstance(known, dict) else None
        whole: Record = _unpacked(known) if kind == FORMAT else {}
    # Too deep, no JSON, no base64 of whole numbers, or an index beyond the values.
    except (RecursionError, ValueError, TypeError, IndexError) as error:
        raise _refused(label, f"its record is damaged ({type(error).__name__})", AGAIN) from None
    if kind != FORMAT:
        what = f"its record is of the format {kind!r:.60}, this version reads {FORMAT!r}"
        raise _refused(label, what, AGAIN)
    return whole


def check(record: Record, label: str) -> None:
    """Raise unless all parts of a record are there, each of its kind."""
    for name, kind in _PARTS.items():
        if not isinstance(record.get(name), kind):
            what = (
                f"its record has no {name}"
                if name not in record
                else f"{name} in its record is no {kind.__name__}"
            )
            raise _refused(label, what, AGAIN)


def _constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _refused(label: str, what: str, todo: str) -> DataError:
    return DataError([Problem(label, None, what, todo)])


def _unpacked(value: Any) -> Any:
    if isinstance(value, dict):
        if set(value) in ({"f8"}, {"f8", "at"}):
            floats = np.frombuffer(base64.b64decode(value["f8"], validate=True), "<f8").astype(np.float64)
            if "at" not in value:
                return floats
            return floats[np.frombuffer(base64.b64decode(value["at"], validate=True), np.uint8)]
        return {key: _unpacked(one) for key, one in value.items()}
    return [_unpacked(one) for one in value] if isinstance(value, list) else value


def numbers(column: Any) -> Float64:
    """A column of a record as floats; null is NaN.

    Examples
    --------
    >>> numbers([0.5, None, "inf"])
    array([0.5, nan, inf])
    """
    if isinstance(column, np.ndarray):
        return column.astype(np.float64)
    return np.array([np.nan if one is None else float(one) for one in column], np.float64)
