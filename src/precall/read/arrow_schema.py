"""Tables of FlatBuffers in Arrow files and streams, and the names of columns in their schema.

Polars panics if two columns have one name, so the names are read before.
"""

from __future__ import annotations

from struct import error, unpack_from

from precall.read.problems import refuse_repeated

#: An Arrow file begins and ends with these bytes; an Arrow stream does not.
ARROW_FILE = b"ARROW1"
#: Offsets of fields in their tables.
_HEADER_OF_MESSAGE, _SCHEMA_OF_LAST_PAGE, _FIELDS, _NAME = 8, 6, 6, 4
#: More columns than this are false information.
_MOST_COLUMNS = 1 << 20


def refuse_repeated_columns(data: bytes, label: str) -> None:
    """Raise if two columns of a file or stream have one name; damaged data are left to Polars."""
    try:
        names = _names(data)
    except (error, IndexError, UnicodeDecodeError):
        return
    refuse_repeated(names, label)


def _names(data: bytes) -> list[str]:
    if data.startswith(ARROW_FILE):
        end = len(data) - len(ARROW_FILE) - 4
        table = data[end - int(unpack_from("<I", data, end)[0]) : end]
        schema = field_of(table, _SCHEMA_OF_LAST_PAGE)
    else:
        # Before 2019 a message began with its length.
        begin = 8 if data.startswith(b"\xff\xff\xff\xff") else 4
        table = data[begin : begin + int(unpack_from("<I", data, begin - 4)[0])]
        schema = field_of(table, _HEADER_OF_MESSAGE)
    names = []
    fields = _target(table, field_of(table, _FIELDS, _target(table, schema)))
    (count,) = unpack_from("<I", table, fields)
    for at in range(fields + 4, fields + 4 + 4 * min(count, _MOST_COLUMNS), 4):
        text = _target(table, field_of(table, _NAME, _target(table, at)))
        (length,) = unpack_from("<I", table, text)
        names.append(table[text + 4 : text + 4 + length].decode())
    return names


def _target(table: bytes, at: int) -> int:
    """What the offset at a place points to."""
    return at + int(unpack_from("<I", table, at)[0])


def field_of(table: bytes, field: int, at: int | None = None) -> int:
    """The place of a field of a table, that at the beginning by default; 0 if it is left out."""
    if at is None:
        (at,) = unpack_from("<I", table)
    fields = at - unpack_from("<i", table, at)[0]
    if fields < 0:
        raise error
    (end,) = unpack_from("<H", table, fields)
    offset = unpack_from("<H", table, fields + field)[0] if field < end else 0
    return int(offset and at + offset)
