"""The record: a page as JSON. Only this module writes and reads it.

A page holds its record, so that its numbers can be read back without loss. The keys are `"format":
"precall.page/2"`, then `title`, `headline`, `notes`, `date`, `command`, `versions`, `files` and
`sections`: the fields of `precall.page.sections`, in their order. An undefined value is null, an
infinite one the text "inf" or "-inf". Long columns of numbers are {"f8": base64 of little-endian
float64} if that is shorter than their digits. Columns with few different values are {"f8": these
values, "at": base64 of one byte per number, the index of its value}. Both are exact.

The element that holds the JSON also holds the SHA-256 of its text, so that a page with a changed
digit is not read as if it were the original. This is no signature: a deliberate change can replace
both.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from precall.cases.thinning import thin_line
from precall.core.arguments import check_kind
from precall.core.errors import (
    Cause,
    DataError,
    Kind,
    Labels,
    Mistake,
    name_file_in_errors,
)
from precall.core.notes import iterate_notes
from precall.core.text import file_name, is_folder, refuse_folder
from precall.native.installed import today, versions
from precall.page.fields import to_plain_data
from precall.page.sections import File, Law, Misfit, Page, SectionPart
from precall.plot.shared.shapes import outline
from precall.read.own_json import parse_json
from precall.read.sizes import is_regular
from precall.read.sources import contents, label_of
from precall.read.tables import NotJSON
from precall.results.forms import exact

if TYPE_CHECKING:
    import numpy.typing as npt

    from precall.stats.null import Outcome

FORMAT = "precall.page/2"
#: The former format, which can be read as well.
_FIRST = "precall.page/1"
#: Shorter columns are always written digit by digit.
_LONG = 8
#: No page has more bytes than this.
_MOST = 1 << 30
#: Number of different values that a byte can distinguish.
_FEW = 256
#: Characters that could end a script element, begin a comment in it, or end a line of JavaScript;
#: and halves of surrogate pairs, which UTF-8 cannot hold.
_UNSAFE = re.compile("[<>&\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ud800-\udfff]")
_EMBEDDED = re.compile(
    r'<script type="application/json" id="record"(?: data-sha256="([0-9a-f]{64})")?>(.*?)</script>',
    re.DOTALL,
)
Record: TypeAlias = dict[str, Any]
#: The element of a result's view in notebooks and HTML, which is no page.
_VIEW = '<div class="precall">'
#: What is wrong with a file that is no page, and what to do.
_NAME_A_PAGE = "name a page that precall report wrote"
_NO_RECORD = Mistake("there is no record in it", _NAME_A_PAGE)
_MAKE_AGAIN = "make the page again"


def page_of(
    parts: Sequence[SectionPart[Any]],
    title: str | None,
    *,
    command: str = "",
    files: Sequence[File] = (),
) -> Page:
    """A page of these sections, with the versions that computed them."""
    notes = dict.fromkeys(note for section in parts for note in section.notes)
    return Page(
        title=check_kind("title", title or "", str, "a text") or parts[0].section.page_title,
        headline=[sentence for section in parts for sentence in section.headline],
        notes=list(iterate_notes(notes)),
        date=today(),
        command=command,
        versions=dict(versions()),
        files=list(files),
        sections=[section.section for section in parts],
    )


def record_of(page: Page) -> Record:
    """The record of a page: plain data, except that columns are arrays."""
    return {"format": FORMAT, **to_plain_data(page)}


def law_of(system: str, measure: str, outcome: Outcome) -> Law:
    """The result of `pc.null.test` for a system and a measure, with the outline of its null
    distribution.

    Examples
    --------
    >>> from precall import Hits, null
    >>> law = law_of("a", "AP", null.test(Hits.of([1, 2, 4], retrieved=8, relevant=3)).combined)
    >>> law.observed, round(law.tail.p, 6), law.mass, len(law.x)
    (0.9166666666666666, 0.035714, True, 54)
    """
    x, height, mass = outline(outcome.null, outcome.value)
    if not mass:
        # Keep no more points than the line needs.
        kept = thin_line(x.tolist(), height.tolist())
        x, height = x[kept], height[kept]
    return Law(
        system=system,
        measure=measure,
        observed=outcome.value,
        chance=float(outcome.null.mean),
        deviation=float(outcome.null.std),
        tail=outcome.tail,
        mass=mass,
        x=x,
        height=height,
    )


def describe_files(path: str) -> list[File]:
    """Name, size and SHA-256 of a file, or of each file of a folder. Compressed files are not
    unpacked.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     place = Path(folder) / "a"
    ...     _ = place.write_bytes(b"abc")
    ...     (facts,) = describe_files(str(place))
    >>> facts.bytes, facts.sha256[:8]
    (3, 'ba7816bf')
    """
    paths = [path]
    if is_folder(path):
        from precall.read.folders import files_of

        paths = files_of(path)
    described = []
    for file_path in paths:
        if not is_regular(file_path):
            continue  # what is read once has gone by, and a pipe would wait for another writer
        with name_file_in_errors(file_path), Path(file_path).open("rb") as file:
            checksum = hashlib.file_digest(file, "sha256").hexdigest()
            described.append(File(name=file_path, bytes=file.tell(), sha256=checksum))
    return described


def embed(record: Record) -> str:
    """A record as JSON from which no text can break out.

    Examples
    --------
    >>> embed({"name": "</script>", "x": np.array([0.5, np.nan])})
    '{"name":"\\\\u003c/script\\\\u003e","x":[0.5,null]}'
    """
    options: dict[str, Any] = {"ensure_ascii": False, "allow_nan": False, "separators": (",", ":")}
    text = json.dumps(exact(record), default=_column, **options)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def laid_out(record: Record) -> str:
    """A record as JSON for people and programs: columns are lists."""
    options: dict[str, Any] = {"ensure_ascii": False, "allow_nan": False, "indent": 1}
    return (
        json.dumps(exact(record), default=lambda column: exact(column.tolist()), **options) + "\n"
    )


def digest(text: str) -> str:
    """The checksum that shows whether a record was changed."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _column(values: npt.NDArray[Any]) -> Any:
    """An array, or a NumPy number, in its shortest notation."""
    if values.dtype.kind != "f" or values.size < _LONG:
        return exact(values.tolist())
    values = values.astype("<f8")
    notations: list[object] = [_digits(values), {"f8": _base64(values)}]
    # Compare bits, so that 0 and -0 are different values.
    few, at = np.unique(values.view("<i8"), return_inverse=True)
    if len(few) <= _FEW:
        notations.append({"f8": _base64(few), "at": _base64(at.astype(np.uint8))})
    return min(notations, key=lambda column: len(json.dumps(column, separators=(",", ":"))))


def _digits(values: npt.NDArray[Any]) -> Any:
    """An array, or a NumPy number, digit by digit. Whole numbers in a long array need no point."""
    integers = (
        values.dtype.kind == "f" and values.size >= _LONG and not np.any(values != np.floor(values))
    )
    plain = values.tolist()
    return exact(
        [int(value) if np.isfinite(value) else value for value in plain] if integers else plain
    )


def _base64(values: npt.NDArray[Any]) -> str:
    return base64.b64encode(values.tobytes()).decode()


def read_page(path: str | Path) -> Page:
    """Read a page from its file.

    Raises
    ------
    DataError
        The file is not a page of precall, has a later layout, was changed, or its parts do not fit
        together.
    """
    return page_from(read_record(path), label_of(str(path)))


def page_from(record: Record, label: str = "record") -> Page:
    """Convert a record to a page."""
    from precall.page.reading import made_from

    try:
        return made_from(Page, record)
    except Misfit as misfit:
        raise Mistake(
            "the parts of its record do not fit together: {part:s} {fault:s}",
            _MAKE_AGAIN,
            part=misfit.place,
            fault=misfit.what,
        ).error(label) from misfit


def read_record(path: str | Path) -> Record:
    """The record in a page's file, converted to this version. Columns are lists, or arrays if they
    are packed.

    Raises
    ------
    DataError
        The file is not a page of precall, has a later layout, or was changed after it was made.
    """
    name = file_name(path)
    label = label_of(str(path))
    text = _text_of(name, label)
    written = _written_in(text, label)
    try:
        content = parse_json(written)
        kind = content.get("format") if isinstance(content, dict) else None
        record: Record = _unpack(content) if kind in (FORMAT, _FIRST) else {}
        if kind == _FIRST:
            from precall.page.first_format import upgrade

            record = upgrade(record) | {"format": FORMAT}
    # Possible causes: nested too deeply, invalid JSON, base64 that is not whole numbers, an index
    # beyond the values, or a field of an earlier page with another type.
    except (RecursionError, ValueError, TypeError, LookupError, AttributeError) as error:
        reason = Cause(error) if isinstance(error, NotJSON) else Kind(error)
        raise Mistake("its record is damaged ({got})", _MAKE_AGAIN, got=reason).error(
            label
        ) from None
    if kind not in (FORMAT, _FIRST):
        if _is_json(text) and not str(kind).startswith("precall.page/"):
            raise _refuse_json(label, kind)
        raise Mistake(
            "its record is of the format {got}",
            _MAKE_AGAIN,
            got=kind,
            allowed=Labels("this version reads", [_FIRST, FORMAT]),
        ).error(label)
    return record


def _written_in(text: str, label: str) -> str:
    """The JSON of the record in a page; a file of JSON is the record itself, as `--from FILE
    --format json` prints it.
    """
    if _is_json(text):
        return text.lstrip("\ufeff")
    match = _EMBEDDED.search(text)
    if match is None and _VIEW in text:
        raise Mistake(
            "a view of a result, which has no record",
            "write the page with precall report, or the result as .json, whose numbers are read",
        ).error(label)
    if match is None:
        raise _NO_RECORD.error(label)
    if match[1] is not None and match[1] != digest(match[2]):
        what = "its record is not as it was written (another SHA-256)"
        raise Mistake(what, _MAKE_AGAIN).error(label)
    return match[2]


def _is_json(text: str) -> bool:
    return text.lstrip("\ufeff \t\r\n").startswith("{")


def _refuse_json(label: str, kind: object) -> DataError:
    """The error for JSON that is no record: a result, or of another program."""
    if not isinstance(kind, str) or not kind.startswith("precall."):
        return _NO_RECORD.error(label)
    return Mistake(
        "a result, of the format {got}, and no page",
        "its numbers are in it as JSON; precall report makes a page of the files it was made from",
        got=kind,
    ).error(label)


def _check_beginning(first: bytes, label: str) -> None:
    """Raise if a file does not begin like a page, or like JSON."""
    if not first.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"<", b"{")):
        raise _NO_RECORD.error(label)


def _text_of(path: str, label: str) -> str:
    """The content of a page's file, or of standard input. It must begin like a page and have an
    end, because devices and pipes may have none.
    """
    if path == "-":
        return contents(path, label, lambda first: _check_beginning(first, label)).decode(
            errors="replace"
        )
    parts: list[bytes] = []
    refuse_folder(path)
    with name_file_in_errors(path), Path(file_name(path)).open("rb") as file:
        while piece := file.read(1 << 20):
            parts.append(piece)
            _check_beginning(parts[0], label)
            if len(parts) > _MOST >> 20:
                what = "longer than {size} MB, which no page is"
                raise Mistake(what, _NAME_A_PAGE, size=_MOST >> 20).error(label)
    return b"".join(parts).decode(errors="replace")


def _unpack(value: object) -> Any:
    if isinstance(value, dict):
        if set(value) in ({"f8"}, {"f8", "at"}):
            floats = np.frombuffer(base64.b64decode(value["f8"], validate=True), "<f8").astype(
                np.float64
            )
            if "at" not in value:
                return floats
            return floats[np.frombuffer(base64.b64decode(value["at"], validate=True), np.uint8)]
        return {key: _unpack(element) for key, element in value.items()}
    return [_unpack(element) for element in value] if isinstance(value, list) else value
