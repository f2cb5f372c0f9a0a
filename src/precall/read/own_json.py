"""JSON files that precall wrote: thresholds, baselines and the records in pages.

Python's reader accepts more than JSON has: NaN, Infinity and repeated keys. Of a number beyond
float64 it makes infinity, or an integer that cannot become a float. So this module checks what it
read. In files of precall, infinite numbers are texts, and undefined ones are null.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from math import inf, isinf, nan
from typing import Any

from precall.core.arguments import is_number
from precall.core.errors import Fact, Mistake
from precall.core.text import short_repr
from precall.read.tables import NotJSON, unique_keys, why_no_json
from precall.read.values import Beyond, json_number

#: Integers with more characters than this may exceed float64 and are checked before they are read.
_LONG = 308
#: Texts of infinite numbers.
INFINITE = {"inf": inf, "-inf": -inf}


class BeyondFloat64(NotJSON):
    """A number that float64 does not hold."""

    def __init__(self, number: Beyond) -> None:
        super().__init__(f"{short_repr(number)} is beyond float64 (about 1.8e308)")
        self.number: Beyond = number


def _refuse(constant: str) -> None:
    raise NotJSON(f"{constant} is no JSON")


def parse_json(text: str | bytes, constant: Callable[[str], object] = _refuse) -> Any:
    """The content of a file that precall wrote; `constant` is called with NaN, Infinity and
    -Infinity, which are not JSON.

    Raises
    ------
    ValueError
        It is no JSON, or a number in it is beyond float64; `mistake_in_json` says which.
    RecursionError
        It is too deep.

    Examples
    --------
    >>> parse_json('{"values": [1, 0.5, "inf", null]}')
    {'values': [1, 0.5, 'inf', None]}
    >>> parse_json("[1e400]")
    Traceback (most recent call last):
    precall.read.own_json.BeyondFloat64: 1e400 is beyond float64 (about 1.8e308)
    """
    return json.loads(
        text,
        parse_float=_decimal,
        parse_int=_integer,
        parse_constant=constant,
        object_pairs_hook=unique_keys,
    )


def mistake_in_json(error: Exception, todo: str) -> Mistake:
    """The mistake of a file that an error of reading tells of."""
    if isinstance(error, BeyondFloat64):
        return Mistake("{got} is beyond float64 (about 1.8e308)", todo, got=error.number)
    return Mistake("is no JSON ({got})", todo, got=Fact(why_no_json(error)))


def number_of(cell: Any) -> float:
    """A number of these files as float64; TypeError if it is none.

    Examples
    --------
    >>> number_of(2), number_of("-inf"), number_of(None)
    (2.0, -inf, nan)
    """
    if cell is None:
        return nan
    if isinstance(cell, str) and cell in INFINITE:
        return INFINITE[cell]
    if not is_number(cell):
        raise TypeError(f"{short_repr(cell)} is no number")
    return float(cell)


def _decimal(text: str) -> float:
    number = json_number(text)
    if isinstance(number, Beyond):
        raise BeyondFloat64(number)
    return number


def _integer(text: str) -> int:
    if len(text) > _LONG and isinf(float(text)):
        raise BeyondFloat64(Beyond(text))
    return int(text)
