"""Archives: .gz and .zst, decompressed in pieces; damaged, cut and exploding ones are errors."""

from __future__ import annotations

import io
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from typing import Any, BinaryIO, Protocol

from precall.errors import DataError, MissingExtra, Problem, UsageError

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
#: Compressed bytes read at a time.
_PIECE = 1 << 18
#: How many times its size an archive may expand to, if nothing else is said. Runs expand 3 to 30 times.
EXPANSION = 1000
VARIABLE = "PRECALL_MAX_EXPANSION"
_DIGITS = 18
#: Text that any archive may expand to.
_HARMLESS = 1 << 20
#: How many bytes a compressed one can become at most, and how many are decompressed at least before the sum is looked at.
_DENSITY = {".gz": (1032, 1 << 16), ".zst": (1 << 15, 1 << 11)}
#: Logarithm of the memory that a .zst may ask for, as of zstd without --long=28 and above.
_WINDOW = 27

_expansion: ContextVar[int | None] = ContextVar("expansion", default=None)


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: memoryview, /) -> bytes: ...


@contextmanager
def expanding(most: int | None) -> Iterator[None]:
    """Within this block archives may expand to `most` times their size; None is the default."""
    token = _expansion.set(most)
    try:
        yield
    finally:
        _expansion.reset(token)


def expansion() -> int:
    """How many times its size an archive may expand to: as asked, else PRECALL_MAX_EXPANSION, else 1000."""
    asked = _expansion.get()
    if asked is not None:
        return asked
    text = os.environ.get(VARIABLE) or str(EXPANSION)
    # Longer ones Python refuses to read, and no memory holds what they allow.
    if not text.isdecimal() or len(text) > _DIGITS or int(text) < 1:
        raise UsageError(
            f"{VARIABLE}: must be an integer >= 1 of at most {_DIGITS} digits, got {text[:60]!r}"
        )
    return int(text)


def decompressed(file: BinaryIO, ending: str, label: str) -> bytes:
    """The contents of an archive; several members or frames, one after another, are one file.

    Raises
    ------
    DataError
        The archive is cut short, damaged, followed by something else, or expands to more than is allowed.
    MissingExtra
        There is no module for .zst.
    """
    make, failure = _methods(ending)
    (density, least), most = _DENSITY[ending], expansion()
    # BytesIO gives its bytes away without another copy.
    result = io.BytesIO()
    current: _Decompressor | None = None
    size = 0
    try:
        while piece := file.read(_PIECE):
            size += len(piece)
            allowed = max(most * size, _HARMLESS)
            rest = memoryview(piece)
            while rest:
                if current is None:
                    # gzip files may be padded with zeros, as tar does.
                    if ending == ".gz" and rest[0] == 0:
                        rest = memoryview(bytes(rest).lstrip(b"\0"))
                        continue
                    current = make()
                # So few that what comes out cannot be much more than what is allowed.
                part = rest[: max((allowed - result.tell()) // density, least)]
                result.write(current.decompress(part))
                rest = rest[len(part) - len(current.unused_data) :]
                current = None if current.eof else current
                if result.tell() > allowed:
                    raise _exploding(label, size, most)
    except failure as error:
        if "memory" in str(error):
            raise _wide(label) from error
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


def _exploding(label: str, size: int, most: int) -> DataError:
    what = f"archive expands to more than {most:,} times its size ({size:,} bytes read)"
    todo = f"if you trust it, allow more: --max-expansion {most * 10}, or {VARIABLE}={most * 10} for Python"
    return DataError([Problem(label, None, what, todo)])


def _wide(label: str) -> DataError:
    what = f"archive asks for more than {1 << _WINDOW - 20} MB of memory to be decompressed"
    return DataError(
        [Problem(label, None, what, f"compress it by zstd without --long={_WINDOW + 1} and above")]
    )


def _methods(ending: str) -> tuple[Callable[[], _Decompressor], type[Exception]]:
    if ending == ".gz":
        return lambda: zlib.decompressobj(wbits=31), zlib.error
    return _zstd()


def _zstd() -> tuple[Callable[[], _Decompressor], type[Exception]]:
    try:
        # Python 3.14 brings its own.
        zstd: Any = import_module("compression.zstd")
        window = {zstd.DecompressionParameter.window_log_max: _WINDOW}
        return lambda: zstd.ZstdDecompressor(options=window), zstd.ZstdError
    except ImportError:
        pass
    try:
        zstandard: Any = import_module("zstandard")
    except ImportError as error:
        raise MissingExtra("reading .zst needs the module zstandard: pip install zstandard") from error
    whole = zstandard.ZstdDecompressor(max_window_size=1 << _WINDOW)
    return whole.decompressobj, zstandard.ZstdError
