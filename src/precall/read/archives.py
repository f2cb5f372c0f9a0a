"""Archives: .gz and .zst, decompressed in pieces, a damaged or cut one being an error."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable
from importlib import import_module
from typing import Any, BinaryIO, Protocol

from precall.errors import DataError, MissingExtra, Problem

ENDINGS = (".gz", ".zst")
#: What archives begin with. No text does: the first two are not UTF-8, the others are too long for chance.
_BEGINNINGS = {
    b"\x1f\x8b": ".gz",
    b"\x28\xb5\x2f\xfd": ".zst",
    b"\xfd7zXZ\0": ".xz",
    b"PK\x03\x04": ".zip",
    **{b"BZh%d1AY&SY" % size: ".bz2" for size in range(1, 10)},
}
LONGEST = max(map(len, _BEGINNINGS))
#: Compressed bytes decompressed at a time.
_PIECE = 1 << 18


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


def decompressed(file: BinaryIO, ending: str, label: str) -> bytes:
    """The contents of an archive; several members or frames, one after another, are one file.

    Raises
    ------
    DataError
        The archive is cut short, damaged, or followed by something else.
    MissingExtra
        There is no module for .zst.
    """
    make, failure = _methods(ending)
    # BytesIO gives its bytes away without another copy.
    result = io.BytesIO()
    current: _Decompressor | None = None
    try:
        while piece := file.read(_PIECE):
            while piece:
                if current is None:
                    # gzip files may be padded with zeros, as tar does.
                    piece = piece.lstrip(b"\0") if ending == ".gz" else piece
                    if not piece:
                        break
                    current = make()
                result.write(current.decompress(piece))
                piece = current.unused_data if current.eof else b""
                current = None if current.eof else current
    except failure as error:
        raise _damaged(label, f"archive is damaged after {result.tell()} bytes of text ({error})") from error
    if current is not None:
        raise _damaged(label, f"archive is cut short after {result.tell()} bytes of text")
    return result.getvalue()


def begun_by(data: bytes) -> str | None:
    """The ending that an archive beginning with these bytes ought to have; None for what is no archive."""
    return next((ending for begin, ending in _BEGINNINGS.items() if data.startswith(begin)), None)


def whole(data: bytes, label: str) -> bytes:
    """The data, decompressed if they are an archive.

    Raises
    ------
    DataError
        They are an archive of another kind, or a damaged one.
    """
    ending = begun_by(data)
    if ending is None:
        return data
    if ending not in ENDINGS:
        what = f"{ending} archive, archives read are {' and '.join(ENDINGS)}"
        raise DataError([Problem(label, None, what, "decompress it, or compress it by gzip or zstd")])
    return decompressed(io.BytesIO(data), ending, label)


def _damaged(label: str, what: str) -> DataError:
    return DataError([Problem(label, None, what, "copy or compress the file again")])


def _methods(ending: str) -> tuple[Callable[[], _Decompressor], type[Exception]]:
    if ending == ".gz":
        return lambda: zlib.decompressobj(wbits=31), zlib.error
    return _zstd()


def _zstd() -> tuple[Callable[[], _Decompressor], type[Exception]]:
    try:
        # Python 3.14 brings its own.
        zstd: Any = import_module("compression.zstd")
        return zstd.ZstdDecompressor, zstd.ZstdError
    except ImportError:
        pass
    try:
        zstandard: Any = import_module("zstandard")
    except ImportError as error:
        raise MissingExtra("reading .zst needs the module zstandard: pip install zstandard") from error
    return lambda: zstandard.ZstdDecompressor().decompressobj(), zstandard.ZstdError
