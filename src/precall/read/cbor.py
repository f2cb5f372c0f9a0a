"""Runs and qrels that ranx saved as `.lz4`: {topic: {item: number}} in CBOR (RFC 8949).

Only what such files hold is read: maps, arrays, texts, numbers, truth values and null. Tags, which
may stand for any object, and contents of unknown length are refused.
"""

from __future__ import annotations

import struct
from typing import Any

from precall.core.errors import DataError, Fact, Mistake

#: The first bytes of a map. No text in UTF-8 begins so.
_MAPS = range(0xA0, 0xBC)
#: Maps and arrays lie within each other at most this deep.
_DEEPEST = 16
_SIMPLE = {20: False, 21: True, 22: None, 23: None}
_FLOATS = {25: ">e", 26: ">f", 27: ">d"}
#: The first bytes of a text of length 0, of which lengths below 24 are added, and of a double.
_TEXT, _SHORT, _DOUBLE = 0x60, 24, 0xFB
_read_double = struct.Struct(">d").unpack_from
_REMEDY = 'save it again, or as JSON with ranx: run.save("run.json")'


def is_cbor(data: bytes) -> bool:
    """Whether the data begin like a map in CBOR.

    Examples
    --------
    >>> is_cbor(bytes.fromhex("a1617101")), is_cbor(b"q1 Q0 a 1 2.5 x")
    (True, False)
    """
    return bool(data) and data[0] in _MAPS


def read_cbor(data: bytes, label: str) -> Any:
    """The value that the data hold.

    Raises
    ------
    DataError
        They are cut short, or hold something else than maps of numbers do.

    Examples
    --------
    >>> read_cbor(bytes.fromhex("a16271 31a1 6161 fb3ff8000000000000".replace(" ", "")), "x.lz4")
    {'q1': {'a': 1.5}}
    """
    reader = _Reader(data, label)
    try:
        value = reader.value(0)
    except (IndexError, struct.error):
        raise reader.error("it is cut short after {got} bytes", len(data)) from None
    except UnicodeDecodeError:
        raise reader.error("a text at byte {got} is not UTF-8", reader.at) from None
    if reader.at < len(data):
        raise reader.error("{got} bytes stand behind its end", len(data) - reader.at)
    return value


class _Reader:
    """Values one after another; `at` is the next byte."""

    def __init__(self, data: bytes, label: str) -> None:
        self._data, self._label = data, label
        self.at = 0

    def error(self, what: str, got: object) -> DataError:
        """The error about these data."""
        mistake = Mistake("CBOR, as ranx writes it: " + what, _REMEDY, got=Fact(got))
        return mistake.error(self._label)

    def value(self, depth: int) -> Any:
        """The next value."""
        start, kind, argument = self.at, *self._head()
        if kind == 0:
            return argument
        if kind == 1:
            return -1 - argument
        if kind == 3:
            return self._text(argument)
        if kind in (4, 5):
            if depth == _DEEPEST:
                raise self.error("it is deeper than {got} levels", _DEEPEST)
            return self._array(argument, depth) if kind == 4 else self._map(argument, depth)
        if kind == 7:
            return argument
        raise self.error("byte {got} is neither a map nor a text nor a number", start)

    def _head(self) -> tuple[int, Any]:
        """The kind of the next value, and its number, or how many bytes or values follow."""
        first = self._data[self.at]
        kind, small = first >> 5, first & 31
        self.at += 1
        if kind == 7:
            if small in _SIMPLE:
                return kind, _SIMPLE[small]
            if small in _FLOATS:
                (number,) = struct.unpack_from(_FLOATS[small], self._data, self.at)
                self.at += 1 << small - 24
                return kind, number
        elif small < 24:
            return kind, small
        elif small < 28:
            size = 1 << small - 24
            written = self._data[self.at : self.at + size]
            if len(written) < size:
                raise IndexError
            self.at += size
            return kind, int.from_bytes(written)
        raise self.error("byte {got} is neither a map nor a text nor a number", self.at - 1)

    def _text(self, size: int) -> str:
        end = self.at + size
        if end > len(self._data):
            raise IndexError
        text = self._data[self.at : end].decode()
        self.at = end
        return text

    def _array(self, size: int, depth: int) -> list[Any]:
        # Each takes a byte or more, so a size that is not true ends with the data.
        return [self.value(depth + 1) for _ in range(size)]

    def _map(self, size: int, depth: int) -> dict[Any, Any]:
        pairs: dict[Any, Any] = {}
        data = self._data
        for _ in range(size):
            begin = self.at + 1
            end = begin + data[self.at] - _TEXT
            # Nearly all pairs are a short text and a double.
            if begin <= end < begin + _SHORT and data[end] == _DOUBLE and end < len(data) - 8:
                key: Any = data[begin:end].decode()
                (number,) = _read_double(data, end + 1)
                self.at = end + 9
            else:
                key, number = self.value(_DEEPEST), self.value(depth + 1)
            if key in pairs:
                raise self.error("key {got} is there twice", repr(key))
            pairs[key] = number
        return pairs
