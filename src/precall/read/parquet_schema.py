"""The names of columns in the footer of a Parquet file: metadata in Thrift's compact protocol.

If two columns have one name, Polars before 1.37 silently reads only one of them. So the names are
checked before Polars reads the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from precall.read.problems import refuse_repeated

#: A file ends with the length of its metadata and these bytes.
_MAGIC = b"PAR1"
#: Fields of the metadata, and of each element of the schema.
_SCHEMA, _NAME, _CHILDREN = 2, 4, 5
#: Types of the compact protocol. A Boolean field has its value in its type.
_STOP, _TRUE, _FALSE, _BYTE = 0, 1, 2, 3
_DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = 7, 8, 9, 10, 11, 12
#: Deeper structures and larger numbers than these are false information.
_DEEPEST, _BITS = 32, 63


def refuse_repeated_columns(file: BinaryIO, label: str) -> None:
    """Raise if two columns of a Parquet file have one name; damaged files are left to Polars."""
    try:
        names = _Metadata(_footer(file)).names_of_columns()
    except (IndexError, ValueError):
        return
    refuse_repeated(names, label)


def _footer(file: BinaryIO) -> bytes:
    size = file.seek(0, 2)
    file.seek(max(size - 8, 0))
    end = file.read(8)
    length = int.from_bytes(end[:4], "little")
    if end[4:] != _MAGIC or length > size - 8:
        raise ValueError
    file.seek(size - 8 - length)
    return file.read(length)


class _Metadata:
    """Bytes in the compact protocol, read from the front. IndexError or ValueError if they end too
    early or make no sense.
    """

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def names_of_columns(self) -> list[str]:
        """Names of the columns at the first level of the schema, which is a tree in preorder."""
        for field, kind in self._fields():
            if (field, kind) == (_SCHEMA, _LIST):
                elements = [self._element() for _ in range(self._length_of_list()[0])]
                return _children_of_root(elements)
            self._skip(kind)
        raise ValueError

    def _element(self) -> tuple[str, int]:
        name, children = "", 0
        for field, kind in self._fields():
            if (field, kind) == (_NAME, _BINARY):
                name = self._take(self._number()).decode()
            elif field == _CHILDREN:
                children = self._number() >> 1  # zigzag, and never negative
            else:
                self._skip(kind)
        return name, children

    def _fields(self) -> Iterator[tuple[int, int]]:
        """Number and type of each field of a structure; the reader takes its value between."""
        field = 0
        while (head := self._byte()) != _STOP:
            field = field + (head >> 4) if head >> 4 else self._number() >> 1
            yield field, head & 15

    def _skip(self, kind: int, depth: int = 0) -> None:
        if depth > _DEEPEST:
            raise ValueError
        if kind in (_TRUE, _FALSE):
            return
        if kind == _BYTE:
            self._take(1)
        elif kind == _DOUBLE:
            self._take(8)
        elif kind == _BINARY:
            self._take(self._number())
        elif kind in (_LIST, _SET):
            length, of = self._length_of_list()
            for _ in range(length):
                self._skip(_BYTE if of in (_TRUE, _FALSE) else of, depth + 1)
        elif kind == _STRUCT:
            for _, inner in self._fields():
                self._skip(inner, depth + 1)
        elif kind == _MAP:
            raise ValueError  # the metadata of Parquet have none
        else:
            self._number()

    def _length_of_list(self) -> tuple[int, int]:
        head = self._byte()
        return (head >> 4 if head >> 4 < 15 else self._number()), head & 15

    def _number(self) -> int:
        number = shift = 0
        while (byte := self._byte()) & 128:
            number |= (byte & 127) << shift
            shift += 7
            if shift > _BITS:
                raise ValueError
        return number | byte << shift

    def _byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]

    def _take(self, size: int) -> bytes:
        taken = self._data[self._at : self._at + size]
        if len(taken) < size:
            raise IndexError
        self._at += size
        return taken


def _children_of_root(elements: list[tuple[str, int]]) -> list[str]:
    names, at = [], 1
    for _ in range(elements[0][1]):
        names.append(elements[at][0])
        open_elements = 1
        while open_elements:  # over all that belongs to this column
            open_elements += elements[at][1] - 1
            at += 1
    return names
