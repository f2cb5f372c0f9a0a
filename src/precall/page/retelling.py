"""A record told again: as a page, or in any form of the other commands."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from precall.errors import DataError, PrecallError, Problem
from precall.page.document import html
from precall.page.record import AGAIN, Record, check, read_record
from precall.page.record_tables import sheet_of
from precall.sheet.forms import exact, rendered
from precall.text import printable

#: What is wrong with a record, by what it led to.
_WHY: dict[type[Exception], str] = {
    LookupError: "a part is missing, or shorter than others",
    ArithmeticError: "a number is out of range",
    RecursionError: "parts are nested too deeply",
    ValueError: "columns are of unequal length, or a text is no number",
    Exception: "a part is of another kind, such as a text or nothing where numbers should be",
}


def told(record: Record, form: str = "table", *, bold: bool = False, width: int = 80) -> str:
    """A record as text: in a form of sheets, as json (all of it, columns as lists), or as html, which is the page.

    Examples
    --------
    >>> from precall.page.record import record
    >>> told(record("Nothing", ["There is nothing."], [], []), "csv")
    'format,section,system,topic,measure,statistic,value\\n'
    """
    if form == "html":
        return html(record)
    if form == "json":
        return json.dumps(exact(_plain(record)), ensure_ascii=False, allow_nan=False, indent=1) + "\n"
    return rendered(sheet_of(record), form, bold=bold, width=width)


def tell(path: str, form: str = "table", *, bold: bool = False, width: int = 80) -> str:
    """What a page holds, read from its file, as text; see `told`.

    Raises
    ------
    DataError
        The file is no page of precall's, was changed, or its parts do not fit together.
    """
    record, label = read_record(path), printable(path)
    check(record, label)
    try:
        return told(record, form, bold=bold, width=width)
    except PrecallError:
        raise
    # The record is not of our making: parts that do not fit together are no defect of precall.
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        why = next(text for kind, text in _WHY.items() if isinstance(error, kind))
        what = f"the parts of its record do not fit together: {why}"
        raise DataError([Problem(label, None, what, AGAIN)]) from error


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value
