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
        what = f"the parts of its record do not fit together ({type(error).__name__}: {str(error)[:100]})"
        raise DataError([Problem(label, None, what, AGAIN)]) from error


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value
