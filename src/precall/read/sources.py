"""Where a source lies and in what format, told from its path; and its bytes, those of archives
decompressed.

Archives (.gz, .zst) are decompressed in pieces; damaged, cut and exploding ones are errors. Nothing
here needs pathlib, which takes as long to import as all other modules of this folder.
"""
# ruff: noqa: PTH116, PTH119, PTH122, PTH123

from __future__ import annotations

import io
import os
import stat
import sys
import zlib
from collections import deque
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from importlib import import_module
from typing import Any, BinaryIO

from precall.core.arguments import check_choice
from precall.core.errors import DataError, Problem, UsageError, imported, naming
from precall.core.text import enumerated, file_name, printable, refuse_folder
from precall.native.file_state import state, state_after_tick
from precall.read.formats import BEGINNINGS, BY_ENDING, BY_NAME, FORMATS, OF_COLUMNS

STANDARD_INPUT = "standard input"
#: What is wrong with a file that others write to meanwhile, and what to do.
CHANGED = ("the file changed while read", "read it again when nothing writes to it")

ARCHIVES = (".gz", ".zst")
_PICKLE = ".pkl"
#: What archives begin with, and pickles. No text does: those of less than four bytes are not UTF-8,
#: the others are too long for chance.
_BEGINNINGS = {
    b"\x1f\x8b": ".gz",
    b"\x28\xb5\x2f\xfd": ".zst",
    b"\xfd7zXZ\0": ".xz",
    b"PK\x03\x04": ".zip",
    **{b"BZh%d1AY&SY" % size: ".bz2" for size in range(1, 10)},
    b"\x04\x22\x4d\x18": ".lz4",
    **{bytes((0x80, protocol)): _PICKLE for protocol in range(2, 6)},
}
LONGEST = max(map(len, _BEGINNINGS))
#: Compressed bytes read at a time.
_PIECE = 1 << 18
#: What has no size, as a pipe or a device, may have no end: of what is longer than this the
#: beginning is looked at first.
LONG = 1 << 26
#: As much as is looked at, in whole lines; and what NUL bytes must not be among.
_LOOKED_AT, _TEXT = 1 << 20, 1 << 12
#: How many times its size an archive may expand to, if nothing else is said. Runs expand 3 to 30
#: times.
EXPANSION = 1000
VARIABLE = "PRECALL_MAX_EXPANSION"
_DIGITS = 18
#: Zeros that may stand behind an archive: tar fills blocks of 10 KB, disks larger ones.
_PADDING = 1 << 20
#: Text that any archive may expand to.
_HARMLESS = 1 << 20
#: How many bytes a compressed one can become at most, and how many are decompressed at least before
#: the sum is looked at.
_DENSITY = {".gz": (1032, 1 << 16), ".zst": (1 << 15, 1 << 11)}
#: Logarithm of the memory that a .zst may ask for, as of zstd without --long=28 and above.
_WINDOW = 27
#: What to do about archives that expand, or ask for memory, beyond these limits.
_TRUSTED = f"if you trust it, allow more: --max-expansion {{0}}, or {VARIABLE}={{0}} for Python"
_NARROWER = f"compress it by zstd without --long={_WINDOW + 1} and above"

_expansion: ContextVar[int | None] = ContextVar("expansion", default=None)
#: Standard input from its beginning, where some of it was read ahead; see `precall.read.sizes`.
read_ahead: ContextVar[Any] = ContextVar("read_ahead", default=None)


def label_of(path: str) -> str:
    """What messages call an input."""
    return STANDARD_INPUT if path == "-" else printable(path)


def stem(path: str | os.PathLike[str]) -> str:
    """Name of a run, told from its path: the file's name without the endings of archives and
    formats.

    Parameters
    ----------
    path : where the run lies; `-` is standard input.

    Examples
    --------
    >>> stem("runs/bm25.run.gz"), stem("runs/bm25.v2.csv"), stem("input.bm25"), stem("-")
    ('bm25', 'bm25.v2', 'input.bm25', 'standard input')
    """
    text = os.fsdecode(path)
    if text == "-":
        return STANDARD_INPUT
    name = _without(os.path.basename(os.path.normpath(text)), ARCHIVES)
    return _without(name, BY_ENDING) or text


def _ending(path: str) -> str:
    return os.path.splitext(path)[1]


def _without(name: str, endings: Container[str]) -> str:
    ending = _ending(name)
    return name.removesuffix(ending) if ending.lower() in endings else name


def is_data_set(source: Any) -> bool:
    """Whether a source is a data set of ir_datasets, or the name of one."""
    return source.startswith("irds:") if isinstance(source, str) else hasattr(source, "qrels_iter")


def is_path(source: Any) -> bool:
    """Whether a source is a path (or `-`) rather than data."""
    return isinstance(source, str | os.PathLike) and not is_data_set(source)


def format_of(path: str, asked: str | None) -> str:
    """The format asked for, else the one the path's ending says."""
    if asked is None:
        return BY_ENDING.get(_ending(_without(path, ARCHIVES)).lower(), FORMATS[0])
    check_choice("format", asked, FORMATS)
    return asked


def is_plain(path: str) -> bool:
    """Whether the kernel can read the file itself: on disk and not compressed; OSError if there is
    none.
    """
    if path == "-" or _archive(path):
        return False
    refuse_folder(path)
    mode = os.stat(file_name(path)).st_mode
    if not stat.S_ISREG(mode):
        return False
    with naming(path), open(path, "rb", buffering=0) as file:
        return _archive_of(file.read(LONGEST)) is None


def contents(path: str, label: str, look: Callable[[bytes], object] | None = None) -> bytes:
    """All bytes of a file or of standard input, decompressed; DataError if others write to the file
    meanwhile.

    What has no name that says so (standard input, a pipe of the shell) is told to be an archive by
    its bytes. `look` is given the first lines of what may have no end, to refuse it; without it, it
    must be Parquet or Arrow.
    """
    if path == "-":
        return _typed(label, look)
    ending = _archive(path)
    with watch_file(path, label) as file:
        if not stat.S_ISREG(state(file)[0]):
            return _unsized(file, label, look, ending)
        if ending is not None:
            return _decompressed(file, ending, label)
        data = file.read()
    return _whole(data, label)


@contextmanager
def watch_file(path: str, label: str) -> Iterator[BinaryIO]:
    """The file, open for as long as it is read; DataError if others write to it meanwhile."""
    refuse_folder(path)
    with naming(path), open(file_name(path), "rb") as file:
        before = state_after_tick(file)
        try:
            yield file
        except DataError:
            # An archive that others write to looks damaged.
            _check_unchanged(file, before, label)
            raise
        _check_unchanged(file, before, label)


def pieces(path: str, label: str, look: Callable[[bytes], object] | None) -> Iterator[bytes]:
    """All bytes of a file or of standard input, decompressed, one piece after another; `look` is
    that of `contents`.
    """
    if path != "-":
        with watch_file(path, label) as file:
            unpacked = _unpack_pieces(file, _archive(path), label)
            has_end = stat.S_ISREG(state(file)[0])
            yield from unpacked if has_end else _looked_at(unpacked, label, look)
    elif hasattr(sys.stdin, "buffer"):
        # Also what was read ahead, which may have been too little to say what it is.
        yield from _looked_at(_unpack_pieces(standard_input(), None, label), label, look)
    else:
        yield contents(path, label, len)


def _looked_at(
    given: Iterator[bytes], label: str, look: Callable[[bytes], object] | None
) -> Iterator[bytes]:
    """Pieces of what may have no end, the first of them when its beginning is known to be one that
    can be read.
    """
    held: deque[bytes] = deque()
    size = 0
    for piece in given:
        held.append(piece)
        size += len(piece)
        if size >= LONG:
            _check_beginning(b"".join(held), label, look)
            break
    while held:
        yield held.popleft()
    yield from given


def _unpack_pieces(file: BinaryIO, ending: str | None, label: str) -> Iterator[bytes]:
    """Pieces, decompressed if the name or the first bytes are an archive's."""
    first = b"" if ending else file.read(_PIECE)
    told = ending or _archive_of(first)
    if told not in (None, *ARCHIVES):
        raise _strange(label, str(told))
    if told is not None:
        yield from _expanded(_Behind(first, file), told, label)  # type: ignore[arg-type]
        return
    yield first
    while piece := file.read(_PIECE):
        yield piece


class _Behind:
    """A stream of which the first bytes were read already."""

    def __init__(self, first: bytes, file: BinaryIO) -> None:
        self._first, self._file = first, file

    def read(self, size: int) -> bytes:
        """The next bytes, at most so many but for the first, which come together."""
        first, self._first = self._first, b""
        return first or self._file.read(size)


def _check_unchanged(file: BinaryIO, before: tuple[int, int, int], label: str) -> None:
    if stat.S_ISREG(before[0]) and state(file) != before:
        raise DataError([Problem(label, None, *CHANGED)])


def _unsized(
    file: BinaryIO, label: str, look: Callable[[bytes], object] | None, ending: str | None = None
) -> bytes:
    """All bytes of what may have no end, decompressed, if its beginning may be read."""
    result = io.BytesIO()
    for piece in _looked_at(_unpack_pieces(file, ending, label), label, look):
        result.write(piece)
    return result.getvalue()


def beginning(
    file: BinaryIO, most: int, label: str, look: Callable[[bytes], object] | None
) -> bytes:
    """The first bytes, at most so many, of what may have no end, if its beginning, decompressed,
    may be read.
    """
    recorded = _Recorded(file, most)
    with suppress(_Enough):
        next(_looked_at(_unpack_pieces(recorded, None, label), label, look), None)  # type: ignore[arg-type]
    return bytes(recorded.data)


class _Enough(Exception):
    """So much was to be read, and no more."""


class _Recorded:
    """A stream that keeps what was read of it, at most so much."""

    def __init__(self, file: BinaryIO, most: int) -> None:
        self._file, self._most = file, most
        self.data = bytearray()

    def read(self, size: int) -> bytes:
        """The next bytes."""
        if len(self.data) >= self._most:
            raise _Enough
        piece = self._file.read(min(size, self._most - len(self.data)))
        self.data += piece
        return piece


def _check_beginning(first: bytes, label: str, look: Callable[[bytes], object] | None) -> None:
    """Refuse what may have no end, if it begins as nothing that can be read; `look` is given its
    first lines.
    """
    if look is None and not first.startswith(BEGINNINGS):
        nouns = enumerated([BY_NAME[name].noun for name in OF_COLUMNS], "or")
        raise DataError(
            [Problem(label, None, f"does not begin like {nouns}", "name its true format")]
        )
    if look is not None:
        what = "begins with NUL bytes" if b"\0" in first[:_TEXT] else ""
        if not what and b"\n" not in first:
            what = f"its first line is longer than {LONG >> 20} MB"
        if what:
            raise DataError(
                [Problem(label, None, f"{what}, expected lines of text", "name a file of text")]
            )
        look(first[: first.rfind(b"\n", 0, max(_LOOKED_AT, first.find(b"\n") + 1)) + 1])


def _typed(label: str, look: Callable[[bytes], object] | None) -> bytes:
    """All of standard input."""
    if sys.stdin is None:
        raise UsageError(
            "standard input is closed", remedy="name a file instead of -, or pipe one in"
        )
    if not hasattr(sys.stdin, "buffer"):
        with naming(STANDARD_INPUT):
            return sys.stdin.read().encode()  # a notebook's, which gives text only
    return _unsized(standard_input(), label, look)


def standard_input() -> BinaryIO:
    """Its bytes, those that were read ahead first."""
    file: Any = read_ahead.get() or _StandardInput()
    return file  # type: ignore[no-any-return]


class _StandardInput:
    """Its bytes; errors of reading name it."""

    def read(self, size: int) -> bytes:
        """So many bytes, or fewer at the end."""
        with naming(STANDARD_INPUT):
            data: bytes = sys.stdin.buffer.read(size)
        return data


def _archive(path: str) -> str | None:
    ending = _ending(path).lower()
    return ending if ending in ARCHIVES else None


@contextmanager
def expanding(most: int | None) -> Iterator[None]:
    """Within this block archives may expand to `most` times their size; None is the default."""
    token = _expansion.set(most)
    try:
        yield
    finally:
        _expansion.reset(token)


def expansion() -> int:
    """How many times its size an archive may expand to: as asked, else PRECALL_MAX_EXPANSION, else
    1000.
    """
    asked = _expansion.get()
    if asked is not None:
        return asked
    text = os.environ.get(VARIABLE) or str(EXPANSION)
    # Longer ones Python refuses to read, and no memory holds what they allow.
    if not (text.isascii() and text.isdecimal()) or len(text) > _DIGITS or int(text) < 1:
        raise UsageError(
            argument=VARIABLE, allowed=f"an integer >= 1 of at most {_DIGITS} digits", got=text[:60]
        )
    return int(text)


def _decompressed(file: BinaryIO, ending: str, label: str) -> bytes:
    """The contents of an archive."""
    # BytesIO gives its bytes away without another copy.
    result = io.BytesIO()
    for piece in _expanded(file, ending, label):
        result.write(piece)
    return result.getvalue()


def _expanded(file: BinaryIO, ending: str, label: str) -> Iterator[bytes]:
    """The contents of an archive in pieces; several members or frames, one after another, are one
    file.
    """
    make, failure = (partial(zlib.decompressobj, 31), zlib.error) if ending == ".gz" else _zstd()
    (density, least), most = _DENSITY[ending], expansion()
    current: Any = None
    size = made = members = padding = 0
    try:
        while piece := file.read(_PIECE):
            size += len(piece)
            allowed = max(most * size, _HARMLESS)
            rest = memoryview(piece)
            while rest:
                if current is None:
                    # gzip files may be padded with zeros, as tar does.
                    if ending == ".gz" and members and rest[0] == 0:
                        behind = bytes(rest).lstrip(b"\0")
                        padding += len(rest) - len(behind)
                        if padding > _PADDING:
                            what = f"more than {_PADDING:,} zeros stand behind the archive"
                            raise DataError([Problem(label, None, what, "make it again")])
                        rest = memoryview(behind)
                        continue
                    current = make()
                    members += 1
                # So few that what comes out cannot be much more than what is allowed.
                part = rest[: max((allowed - made) // density, least)]
                text = current.decompress(part)
                made += len(text)
                rest = rest[len(part) - len(current.unused_data) :]
                current = None if current.eof else current
                if made > allowed:
                    what = (
                        f"archive expands to more than {most:,} times its size ({size:,} bytes "
                        "read)"
                    )
                    raise DataError([Problem(label, None, what, _TRUSTED.format(most * 10))])
                if text:  # a decompressor may give nothing yet, which is not the end
                    yield text
    except failure as error:
        if "memory" in str(error):
            what = f"archive asks for more than {1 << _WINDOW - 20} MB of memory to be decompressed"
            raise DataError([Problem(label, None, what, _NARROWER)]) from error
        if not made and size == len(piece) and (told := _archive_of(piece)) != ending:
            raise _no_archive(label, ending, told) from error
        raise _damaged(label, f"damaged after {made} bytes of text ({error})") from error
    if current is not None:
        raise _damaged(label, f"cut short after {made} bytes of text")


def is_archive(data: bytes) -> bool:
    """Whether these bytes begin as an archive that is decompressed."""
    return _archive_of(data) in ARCHIVES


def _archive_of(data: bytes) -> str | None:
    """The ending that an archive beginning with these bytes ought to have."""
    return next((ending for begin, ending in _BEGINNINGS.items() if data.startswith(begin)), None)


def _whole(data: bytes, label: str) -> bytes:
    """The data, decompressed if they are an archive."""
    ending = _archive_of(data)
    if ending is None:
        return data
    if ending not in ARCHIVES:
        raise _strange(label, ending)
    return _decompressed(io.BytesIO(data), ending, label)


def _strange(label: str, ending: str) -> DataError:
    if ending == _PICKLE:
        what, todo = "a pickle, which could run any program", "save it as JSON, or as a table"
        return DataError([Problem(label, None, what, todo)])
    what = f"{ending} archive, archives read are {' and '.join(ARCHIVES)}"
    return DataError([Problem(label, None, what, "decompress it, or compress it by gzip or zstd")])


def _no_archive(label: str, ending: str, told: str | None) -> DataError:
    what = f"its name ends in {ending}, but it is {f'a {told}' if told else 'no'} archive"
    todo = (
        f"decompress it and take {ending} from its name"
        if told
        else f"take {ending} from its name, or compress it"
    )
    return DataError([Problem(label, None, what, todo)])


def _damaged(label: str, what: str) -> DataError:
    return DataError(
        [Problem(label, None, f"archive is {what}", "copy or compress the file again")]
    )


def _zstd() -> tuple[Callable[[], Any], type[Exception]]:
    """What makes a decompressor, and what it raises."""
    with suppress(ImportError):
        # Python 3.14 brings its own.
        zstd: Any = import_module("compression.zstd")
        window = {zstd.DecompressionParameter.window_log_max: _WINDOW}
        return partial(zstd.ZstdDecompressor, options=window), zstd.ZstdError
    zstandard = imported("zstandard", "reading .zst needs the module zstandard")
    return zstandard.ZstdDecompressor(
        max_window_size=1 << _WINDOW
    ).decompressobj, zstandard.ZstdError
