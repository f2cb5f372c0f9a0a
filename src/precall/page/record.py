"""The record: all numbers of a page as data, and how they stand in its JSON.

A page is drawn from its record and holds it, so that what is read off the page can be read back without loss.
`"format": "precall.page/2"`, then `title`, `headline`, `notes`, `date`, `command`, `versions`, `files` and `sections`. A
sentence of the headline has a `text`, and a `lead`, with which it begins and which is bold. An undefined value is null, an
infinite one the text "inf" or "-inf". Of columns of numbers, the long ones stand as {"f8": base64 of little-endian float64}
where that is shorter than their digits, and those of few different values as {"f8": these values, "at": base64 of a byte
for each number, which of them it is}; all are exact.

The element that holds the JSON has the SHA-256 of its text, so that a page of which a digit was changed is not told
again as if it had been made so. That is no signature: who changes a page on purpose can change both.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from precall.checks import check_kind
from precall.drawing.looks import distinct
from precall.drawing.shapes import outline
from precall.drawing.thinning import thinned
from precall.errors import DataError, Problem, naming
from precall.machine import today, versions
from precall.notes import plain
from precall.ragged import Float64
from precall.read.sizes import is_regular
from precall.read.sources import is_folder
from precall.sheet.forms import exact
from precall.sheet.verdicts import Sentence as Sentence
from precall.text import file_name, printable

if TYPE_CHECKING:
    from precall.infer.null import Outcome

FORMAT = "precall.page/2"
#: Pages of this format can be read, too: notes are sentences, called `warnings`, and so are headlines and how p was found.
_BEFORE = "precall.page/1"
#: Shorter columns are always written digit by digit.
_LONG = 8
#: More bytes than this no page has.
_MOST = 1 << 30
#: Systems whose names take more letters are counted in a title.
_TITLED = 56
#: Different values that a byte can tell apart.
_FEW = 256
#: What could end a script element, begin a comment in it, or end a line of JavaScript; and halves of characters, which
#: a file of UTF-8 cannot hold.
_UNSAFE = re.compile("[<>&\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ud800-\udfff]")
_EMBEDDED = re.compile(
    r'<script type="application/json" id="record"(?: data-sha256="([0-9a-f]{64})")?>(.*?)</script>', re.DOTALL
)
#: How p was found, behind it, and how the verdict of gates begins, on earlier pages.
_HOW, _JUDGED = re.compile(r"p (<=|=) \S+ \((.*)\)", re.DOTALL), re.compile("(?:Failed|Passed)(?=: )")
_PARTS = {
    "title": str, "headline": list, "notes": list, "command": str, "versions": dict, "files": list, "sections": list,
}  # fmt: skip

Record: TypeAlias = dict[str, Any]


class Part(NamedTuple):
    """A section of a page."""

    section: dict[str, Any]
    headline: list[Sentence]
    """Sentences for the head of the page."""
    notes: Sequence[str]
    """What a reader of the numbers should know."""


def record(
    title: str, headline: Sequence[Sentence], notes: Sequence[str], sections: Sequence[Mapping[str, Any]], *,
    command: str = "", files: Sequence[Mapping[str, Any]] = (),
) -> Record:  # fmt: skip
    """A record of these sections, with the versions that they were computed by."""
    return {
        "format": FORMAT, "title": title, "headline": [sentence._asdict() for sentence in headline],
        "notes": plain(dict.fromkeys(notes)), "date": today(), "command": command, "versions": versions(),
        "files": list(files), "sections": list(sections),
    }  # fmt: skip


def page_record(parts: Sequence[Part], title: str | None, **origin: Any) -> Record:
    """The record of a page of these sections; `origin` is the command and the files."""
    sections = [part.section for part in parts]
    headline = [sentence for part in parts for sentence in part.headline]
    notes = [note for part in parts for note in part.notes]
    told = check_kind("title", title or "", str, "a text") or _title(sections[0])
    return record(told, headline, notes, sections, **origin)


def _title(first: Mapping[str, Any]) -> str:
    """What a page is called whose title nobody gave: the systems of its first section, or how many there are."""
    if first["kind"] == "categories":
        return f"{first['of']} categories"
    of_runs = first["kind"] == "systems"
    names = [system if isinstance(system, str) else system["name"] for system in first.get("systems", [])]
    if names in ([], [""]):
        return str(first.get("title") or "Evaluation")
    short = distinct(names) if of_runs else names
    told = f"{', '.join(short[:-1])} and {short[-1]}" if len(short) > 1 else short[0]
    return told if len(told) <= _TITLED else f"{len(short)} {'systems' if of_runs else 'scores'}"


def chance_of(name: str, measure: str, outcome: Outcome) -> dict[str, Any]:
    """An outcome of `pc.null.test` for a system and a measure, with the outline of its null distribution.

    Examples
    --------
    >>> from precall import Hits, null
    >>> record = chance_of("a", "AP", null.test(Hits.of([1, 2, 4], retrieved=8, relevant=3)).combined)
    >>> record["observed"], round(record["p"], 6), record["mass"], len(record["x"])
    (0.9166666666666666, 0.035714, True, 54)
    """
    x, height, mass = outline(outcome.null, outcome.value)
    if not mass:
        # No more points than a line needs.
        kept = thinned(x.tolist(), height.tolist())
        x, height = x[kept], height[kept]
    return {
        "system": name, "measure": measure, "observed": outcome.value, "chance": float(outcome.null.mean),
        "deviation": float(outcome.null.std), **asdict(outcome.tail),
        "mass": mass, "x": x, "height": height,
    }  # fmt: skip


def describe_files(path: str) -> list[dict[str, Any]]:
    """Name, size and SHA-256 of a file, or of each of a folder, as they lie there: compressed ones are not unpacked.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     place = Path(folder) / "a"
    ...     _ = place.write_bytes(b"abc")
    ...     (facts,) = describe_files(str(place))
    >>> facts["bytes"], facts["sha256"][:8]
    (3, 'ba7816bf')
    """
    paths = [path]
    if is_folder(path):
        from precall.read.folders import files_of

        paths = files_of(path)
    described = []
    for each in paths:
        if not is_regular(each):
            continue  # what is read once has gone by, and a pipe would wait for another writer
        with naming(each), Path(each).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            described.append({"name": each, "bytes": file.tell(), "sha256": digest})
    return described


def embedded(given: Record) -> str:
    """A record as JSON that no text in it can break out of.

    Examples
    --------
    >>> embedded({"name": "</script>", "x": np.array([0.5, np.nan])})
    '{"name":"\\\\u003c/script\\\\u003e","x":[0.5,null]}'
    """
    options: dict[str, Any] = {"ensure_ascii": False, "allow_nan": False, "separators": (",", ":")}
    text = json.dumps(exact(given), default=_column, **options)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def element_of(given: Record) -> str:
    """The script element that holds a record in its page."""
    text = embedded(given)
    return f'<script type="application/json" id="record" data-sha256="{_digest(text)}">{text}</script>'


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _column(values: Any) -> Any:
    """An array, or a number of NumPy's, in the shortest way to write it."""
    plain = values.tolist()
    if values.dtype.kind != "f" or values.size < _LONG:
        return exact(plain)
    # Whole numbers need no point.
    if not np.any(values != np.floor(values)):
        plain = [int(value) if np.isfinite(value) else value for value in plain]
    values = values.astype("<f8")
    known: list[Any] = [exact(plain), {"f8": _base64(values)}]
    # As bits: 0 and -0 are two.
    few, at = np.unique(values.view("<i8"), return_inverse=True)
    if len(few) <= _FEW:
        known.append({"f8": _base64(few), "at": _base64(at.astype(np.uint8))})
    return min(known, key=lambda column: len(json.dumps(column, separators=(",", ":"))))


def _base64(values: Any) -> str:
    return base64.b64encode(values.tobytes()).decode()


def read_record(path: str | Path) -> Record:
    """The record of a page, from its file.

    Columns are lists of floats or arrays; see `numbers`.

    Raises
    ------
    DataError
        The file is no page of precall's, one of a later layout, or was changed after it was made.
    """
    label = str(path)
    match = _EMBEDDED.search(_text_of(file_name(path), label))
    if match is None:
        raise refused(label, "there is no record in it", "name a page that precall report wrote")
    if match[1] is not None and match[1] != _digest(match[2]):
        raise refused(label, "its record is not as it was written (another SHA-256)")
    try:
        known = json.loads(match[2], parse_constant=_constant)
        kind = known.get("format") if isinstance(known, dict) else None
        whole: Record = _unpacked(_upgraded(known)) if kind in (FORMAT, _BEFORE) else {}
    # Too deep, no JSON, no base64 of whole numbers, an index beyond the values, or a part of an earlier page of another kind.
    except (RecursionError, ValueError, TypeError, LookupError, AttributeError) as error:
        raise refused(label, f"its record is damaged ({type(error).__name__})") from None
    if kind not in (FORMAT, _BEFORE):
        raise refused(label, f"its record is of the format {kind!r:.60}, this version reads {FORMAT!r}")
    return whole


def _upgraded(given: Record) -> Record:
    """A record of an earlier format as one of this."""
    if given["format"] == FORMAT or not isinstance(given.get("warnings"), list):
        return given
    rest = {name: value for name, value in given.items() if name != "warnings"}
    # What was in words is taken apart here, once.
    if isinstance(given.get("headline"), list):
        rest["headline"] = [_sentence_from(str(text)) for text in given["headline"]]
    for section in given.get("sections", ()):
        for distribution in section.get("laws", ()):
            how = distribution.pop("how")
            found = _HOW.fullmatch(how)
            distribution |= {"method": found[2] if found else how, "bound": bool(found and found[1] == "<=")}
    return rest | {"format": FORMAT, "notes": plain(map(str, given["warnings"]))}


def _sentence_from(text: str) -> dict[str, Any]:
    """A sentence of an earlier page: bold was what stood in front of a semicolon, or the verdict of gates."""
    judged = _JUDGED.match(text)
    lead = judged[0] if judged else text.partition("; ")[0] if "; " in text else ""
    return Sentence(text, lead)._asdict()


def _text_of(path: str, label: str) -> str:
    """What a page's file holds, if it begins as one and has an end: devices and pipes may have none."""
    parts: list[bytes] = []
    with naming(path), Path(path).open("rb") as file:
        while piece := file.read(1 << 20):
            parts.append(piece)
            if not parts[0].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
                raise refused(label, "there is no record in it", "name a page that precall report wrote")
            if len(parts) > _MOST >> 20:
                what = f"longer than {_MOST >> 20} MB, which no page is"
                raise refused(label, what, "name a page that precall report wrote")
    return b"".join(parts).decode(errors="replace")


def check(record: Record, label: str) -> None:
    """Raise unless all parts of a record are there, each of its kind."""
    for name, kind in _PARTS.items():
        if name not in record:
            raise refused(label, f"its record has no {name}")
        if not isinstance(record[name], kind):
            raise refused(label, f"{name} in its record is no {kind.__name__}")


def _constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def refused(path: str, what: str, todo: str = "make the page again") -> DataError:
    """The error about a file that holds no record, or none that can be told."""
    return DataError([Problem(printable(path), None, what, todo)])


def _unpacked(value: Any) -> Any:
    if isinstance(value, dict):
        if set(value) in ({"f8"}, {"f8", "at"}):
            floats = np.frombuffer(base64.b64decode(value["f8"], validate=True), "<f8").astype(np.float64)
            if "at" not in value:
                return floats
            return floats[np.frombuffer(base64.b64decode(value["at"], validate=True), np.uint8)]
        return {key: _unpacked(part) for key, part in value.items()}
    return [_unpacked(part) for part in value] if isinstance(value, list) else value


def numbers(column: Any) -> Float64:
    """A column of a record as floats; null is NaN.

    Examples
    --------
    >>> numbers([0.5, None, "inf"])
    array([0.5, nan, inf])
    """
    if isinstance(column, np.ndarray):
        return column.astype(np.float64)
    return np.array([as_float(value) for value in column], np.float64)


def as_float(value: Any) -> float:
    """A number of a record; null is NaN."""
    return float("nan") if value is None else float(value)
