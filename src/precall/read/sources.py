"""Where a source lies and its format, from its path; and its bytes, decompressed if it is an
archive.

Archives (.gz, .zst, .lz4) are decompressed in pieces; damaged, truncated and exploding ones are
errors.
Nothing here needs pathlib, which takes as long to import as all other modules of this folder.
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
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO

from precall.core.arguments import check_choice
from precall.core.errors import (
    Among,
    Cause,
    DataError,
    Fact,
    Mistake,
    UsageError,
    name_file_in_errors,
    require_module,
)
from precall.core.text import MARK, file_name, join_in_sentence, printable, refuse_folder
from precall.native.file_state import state, state_after_tick
from precall.read.formats import BEGINNINGS, BY_ENDING, BY_NAME, FORMATS, NOT_READ, OF_COLUMNS

if TYPE_CHECKING:
    from typing import TypeGuard

STANDARD_INPUT = "standard input"
#: What is wrong with a file that is written to while it is read, and what to do.
CHANGED = Mistake("the file changed while read", "read it again when nothing writes to it")

ARCHIVES = (".gz", ".zst", ".lz4")
#: The first bytes of archives, and of files that are not read. No text begins like that: beginnings
#: of less than four bytes are not UTF-8, and the others are too long to occur by chance.
_BEGINNINGS = {
    b"\x1f\x8b": ".gz",
    b"\x28\xb5\x2f\xfd": ".zst",
    b"\xfd7zXZ\0": ".xz",
    b"PK\x03\x04": ".zip",
    **{b"BZh%d1AY&SY" % size: ".bz2" for size in range(1, 10)},
    b"\x04\x22\x4d\x18": ".lz4",
    **{bytes((0x80, protocol)): ".pkl" for protocol in range(2, 6)},
    b"\x93NUMPY": ".npy",
    b"\xd0\xcf\x11\xe0": ".xls",
}
LONGEST = max(map(len, _BEGINNINGS))
#: Compressed bytes read at a time.
_PIECE = 1 << 18
#: An input without a size, such as a pipe or a device, may have no end. If it is longer than this,
#: its beginning is checked first.
LONG = 1 << 26
#: The number of bytes that are checked, in whole lines; and the number of first bytes that must not
#: include NUL.
_LOOKED_AT, _TEXT = 1 << 20, 1 << 12
#: How many times its size an archive may expand to by default. Runs expand 3 to 30 times.
EXPANSION = 1000
VARIABLE = "PRECALL_MAX_EXPANSION"
_DIGITS = 18
#: What to do without the module that reads .lz4.
_WITHOUT_LZ4 = ', or decompress it; what ranx wrote, save as JSON with ranx: run.save("run.json")'
#: Zeros that may follow an archive: tar fills blocks of 10 KB, disks larger ones.
_PADDING = 1 << 20
#: Any archive may expand to this many bytes.
_HARMLESS = 1 << 20
#: How many bytes a compressed byte can become at most, and how many are decompressed at least
#: before the sum is checked.
_DENSITY = {".gz": (1032, 1 << 16), ".zst": (1 << 15, 1 << 11), ".lz4": (255, 1 << 16)}
#: Logarithm of the memory that a .zst may need: that of zstd without --long=28 and above.
_WINDOW = 27
#: What to do about archives that expand, or need memory, beyond these limits.
_TRUSTED = f"if you trust it, allow more: --max-expansion {{0}}, or {VARIABLE}={{0}} for Python"
_NARROWER = f"compress it by zstd without --long={_WINDOW + 1} and above"

_expansion: ContextVar[int | None] = ContextVar("expansion", default=None)
#: Standard input from its beginning, if some of it was read ahead; see `precall.read.sizes`.
read_ahead: ContextVar[Any] = ContextVar("read_ahead", default=None)


def label_of(path: str) -> str:
    """The name of an input in messages."""
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


def is_data_set(source: object) -> bool:
    """Whether a source is a data set of ir_datasets or the name of one."""
    return source.startswith("irds:") if isinstance(source, str) else hasattr(source, "qrels_iter")


def is_path(source: object) -> TypeGuard[str | os.PathLike[str]]:
    """Whether a source is a path (or `-`) rather than data."""
    return isinstance(source, str | os.PathLike) and not is_data_set(source)


def format_of(path: str, format: str | None) -> str:
    """The format that was asked for, else that of the path's ending; UsageError for the ending of
    another program's files.
    """
    if format is None:
        ending = _ending(_without(path, ARCHIVES)).lower()
        if ending in NOT_READ:
            raise UsageError(f"{label_of(path)}: {ending} is not read", remedy=NOT_READ[ending])
        return BY_ENDING.get(ending, FORMATS[0])
    check_choice("format", format, FORMATS)
    return format


def is_plain(path: str) -> bool:
    """Whether the kernel can read the file itself: on disk and not compressed; OSError if there is
    no file.
    """
    if path == "-" or _archive(path):
        return False
    refuse_folder(path)
    mode = os.stat(file_name(path)).st_mode
    if not stat.S_ISREG(mode):
        return False
    with name_file_in_errors(path), open(path, "rb", buffering=0) as file:
        return _archive_of(file.read(LONGEST)) is None


def contents(path: str, label: str, look: Callable[[bytes], object] | None = None) -> bytes:
    """All bytes of a file or of standard input, decompressed; DataError if the file is written to
    meanwhile.

    Inputs without a telling name (standard input, a pipe of the shell) are recognised as archives
    by their bytes. `look` gets the first lines of an input that may have no end, and refuses bad
    ones; without it, such an input must be Parquet or Arrow.
    """
    if path == "-":
        return _read_standard_input(label, look)
    ending = _archive(path)
    with watch_file(path, label) as file:
        if not stat.S_ISREG(state(file)[0]):
            return _read_endless(file, label, look, ending)
        if ending is not None:
            return _decompress(file, ending, label)
        data = file.read()
    return _decompress_archive(data, label)


class BeginsLikeJSON:
    """Refuses an input that does not begin like a JSON document, before all of it is read; such a
    document may be one long line.
    """

    def __init__(self, label: str, remedy: str) -> None:
        self._label, self._remedy = label, remedy

    def __call__(self, beginning: bytes) -> None:
        if beginning.removeprefix(MARK).lstrip()[:1] not in (b"", b"{", b"["):
            what = "not JSON (no object and no list at its beginning)"
            raise Mistake(what, self._remedy).error(self._label)


@contextmanager
def watch_file(path: str, label: str) -> Iterator[BinaryIO]:
    """The file, open while it is read; DataError if it is written to meanwhile."""
    refuse_folder(path)
    with name_file_in_errors(path), open(file_name(path), "rb") as file:
        before = state_after_tick(file)
        try:
            yield file
        except DataError:
            # An archive that is being written looks damaged.
            _check_state(file, before, label)
            raise
        _check_state(file, before, label)


def pieces(path: str, label: str, look: Callable[[bytes], object] | None) -> Iterator[bytes]:
    """All bytes of a file or of standard input, decompressed, piece by piece; `look` is that of
    `contents`.
    """
    if path != "-":
        with watch_file(path, label) as file:
            unpacked = _unpack_pieces(file, _archive(path), label)
            has_end = stat.S_ISREG(state(file)[0])
            yield from unpacked if has_end else _check_pieces(unpacked, label, look)
    elif hasattr(sys.stdin, "buffer"):
        # This includes what was read ahead, which may have been too little to recognise the format.
        yield from _check_pieces(_unpack_pieces(standard_input(), None, label), label, look)
    else:
        yield contents(path, label, len)


def _check_pieces(
    pieces: Iterator[bytes], label: str, look: Callable[[bytes], object] | None
) -> Iterator[bytes]:
    """The pieces of an input that may have no end; the first is given only after its beginning was
    checked.
    """
    held: deque[bytes] = deque()
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size >= LONG:
            _check_beginning(b"".join(held), label, look)
            break
    while held:
        yield held.popleft()
    yield from pieces


def _unpack_pieces(file: BinaryIO, ending: str | None, label: str) -> Iterator[bytes]:
    """The pieces of an input, decompressed if its name or first bytes are those of an archive."""
    first = b"" if ending else file.read(_PIECE)
    archive_ending = ending or _archive_of(first)
    if archive_ending not in (None, *ARCHIVES):
        raise _format_error(label, str(archive_ending))
    if archive_ending is not None:
        yield from _expand(_Behind(first, file), archive_ending, label)  # type: ignore[arg-type]
        return
    yield first
    while piece := file.read(_PIECE):
        yield piece


class _Behind:
    """A stream whose first bytes were read already."""

    def __init__(self, first: bytes, file: BinaryIO) -> None:
        self._first, self._file = first, file

    def read(self, size: int) -> bytes:
        """The next bytes: first those that were read already, all together, then at most `size`."""
        first, self._first = self._first, b""
        return first or self._file.read(size)


def _check_state(file: BinaryIO, before: tuple[int, int, int], label: str) -> None:
    if stat.S_ISREG(before[0]) and state(file) != before:
        raise CHANGED.error(label)


def _read_endless(
    file: BinaryIO, label: str, look: Callable[[bytes], object] | None, ending: str | None = None
) -> bytes:
    """All bytes of an input that may have no end, decompressed, after its beginning was checked."""
    result = io.BytesIO()
    for piece in _check_pieces(_unpack_pieces(file, ending, label), label, look):
        result.write(piece)
    return result.getvalue()


def beginning(
    file: BinaryIO, most: int, label: str, look: Callable[[bytes], object] | None
) -> bytes:
    """At most `most` first bytes of an input that may have no end, after its beginning,
    decompressed, was checked.
    """
    recorded = _Recorded(file, most)
    with suppress(_Enough):
        next(_check_pieces(_unpack_pieces(recorded, None, label), label, look), None)  # type: ignore[arg-type]
    return bytes(recorded.data)


class _Enough(Exception):
    """The bytes to be read are exhausted."""


class _Recorded:
    """A stream that keeps what was read from it, up to a limit."""

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
    """Refuse an input that may have no end, if it does not begin like a format that can be read;
    `look` gets its first lines.
    """
    if look is None and not first.startswith(BEGINNINGS):
        nouns = join_in_sentence([BY_NAME[name].noun for name in OF_COLUMNS], "or")
        raise Mistake("does not begin like {nouns:s}", "name its true format", nouns=nouns).error(
            label
        )
    if look is not None:
        what = "begins with NUL bytes" if b"\0" in first[:_TEXT] else ""
        if not what and b"\n" not in first and not isinstance(look, BeginsLikeJSON):
            what = "its first line is longer than {size} MB"
        if what:
            expected = Among("expected", ["lines of text"])
            mistake = Mistake(what, "name a file of text", allowed=expected, size=LONG >> 20)
            raise mistake.error(label)
        end = first.rfind(b"\n", 0, max(_LOOKED_AT, first.find(b"\n") + 1)) + 1
        look(first[: end or _LOOKED_AT])


def _read_standard_input(label: str, look: Callable[[bytes], object] | None) -> bytes:
    """All of standard input."""
    if sys.stdin is None:
        raise UsageError(
            "standard input is closed", remedy="name a file instead of -, or pipe one in"
        )
    if not hasattr(sys.stdin, "buffer"):
        with name_file_in_errors(STANDARD_INPUT):
            return sys.stdin.read().encode()  # that of a notebook, which gives only text
    return _read_endless(standard_input(), label, look)


def standard_input() -> BinaryIO:
    """Standard input; bytes that were read ahead come first."""
    file: Any = read_ahead.get() or _StandardInput()
    return file  # type: ignore[no-any-return]


class _StandardInput:
    """The bytes of standard input; errors of reading name it."""

    def read(self, size: int) -> bytes:
        """The next `size` bytes, or fewer at the end."""
        with name_file_in_errors(STANDARD_INPUT):
            data: bytes = sys.stdin.buffer.read(size)
        return data


def _archive(path: str) -> str | None:
    ending = _ending(path).lower()
    return ending if ending in ARCHIVES else None


@contextmanager
def expanding(most: int | None) -> Iterator[None]:
    """Let archives expand to `most` times their size inside the block; None is the default."""
    token = _expansion.set(most)
    try:
        yield
    finally:
        _expansion.reset(token)


def expansion() -> int:
    """How many times its size an archive may expand to: the number given, else
    PRECALL_MAX_EXPANSION, else 1000.
    """
    most = _expansion.get()
    if most is not None:
        return most
    text = os.environ.get(VARIABLE) or str(EXPANSION)
    # Python refuses to read longer numbers, and no memory holds what they allow.
    if not (text.isascii() and text.isdecimal()) or len(text) > _DIGITS or int(text) < 1:
        raise UsageError(
            argument=VARIABLE, allowed=f"an integer >= 1 of at most {_DIGITS} digits", got=text
        )
    return int(text)


def _decompress(file: BinaryIO, ending: str, label: str) -> bytes:
    """The content of an archive."""
    # BytesIO returns its bytes without another copy.
    result = io.BytesIO()
    for piece in _expand(file, ending, label):
        result.write(piece)
    return result.getvalue()


def _expand(file: BinaryIO, ending: str, label: str) -> Iterator[bytes]:
    """The content of an archive in pieces; that of a `.lz4` in a `.lz4`, as ranx writes it, is that
    of the inner one.
    """
    counted = _Counted(file)
    if ending != ".lz4":
        yield from _expand_once(counted, ending, label, counted)
        return
    content = _expand_once(counted, ending, label, counted)
    first = b""
    for piece in content:
        first += piece
        if len(first) >= LONGEST:
            break
    if _archive_of(first) == ending:
        inner: Any = _Counted(_Given(chain((first,), content)))
        # Both together may expand to no more than one archive may.
        content, first = _expand_once(inner, ending, label, counted), b""
    if first:
        yield first
    yield from content


class _Given:
    """A stream of pieces that are there already; each is read as a whole."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces

    def read(self, _: int) -> bytes:
        """The next piece."""
        return next(self._pieces, b"")


class _Counted:
    """A stream that counts the bytes that were read."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self.size = 0

    def read(self, size: int) -> bytes:
        """The next bytes."""
        piece: bytes = self._file.read(size)
        self.size += len(piece)
        return piece


def _expand_once(file: _Counted, ending: str, label: str, archive: _Counted) -> Iterator[bytes]:
    """The content of an archive in pieces; several members or frames, one after another, are one
    file. It may expand to a multiple of what was read of `archive`, which may hold it.
    """
    make, failure = _decompressor(ending)
    (density, least), most = _DENSITY[ending], expansion()
    current: Any = None
    expanded = members = padding = 0
    try:
        while piece := file.read(_PIECE):
            allowed = max(most * archive.size, _HARMLESS)
            rest = memoryview(piece)
            while rest:
                if current is None:
                    # gzip files may be padded with zeros, as tar does.
                    if ending == ".gz" and members and rest[0] == 0:
                        behind = bytes(rest).lstrip(b"\0")
                        padding += len(rest) - len(behind)
                        if padding > _PADDING:
                            raise Mistake(
                                "more than {most:,} zeros stand behind the archive",
                                "make it again",
                                most=_PADDING,
                            ).error(label)
                        rest = memoryview(behind)
                        continue
                    current = make()
                    members += 1
                # So few that the output cannot be much more than what is allowed.
                chunk = rest[: max((allowed - expanded) // density, least)]
                text = current.decompress(chunk)
                expanded += len(text)
                rest = rest[len(chunk) - len(current.unused_data) :]
                current = None if current.eof else current
                if expanded > allowed:
                    raise Mistake(
                        "archive expands to more than {most:,} times its size ({got:,} bytes read)",
                        _TRUSTED.format(most * 10),
                        most=most,
                        got=archive.size,
                    ).error(label)
                if text:  # no output yet is not the end
                    yield text
    except failure as error:
        if "memory" in str(error):
            raise Mistake(
                "archive asks for more than {size} MB of memory to be decompressed",
                _NARROWER,
                size=1 << _WINDOW - 20,
            ).error(label) from error
        if (
            not expanded
            and file.size == len(piece)
            and (actual_ending := _archive_of(piece)) != ending
        ):
            raise _archive_name_error(label, ending, actual_ending) from error
        raise Mistake(
            "archive is damaged after {expanded} bytes of text ({got})",
            _COPY,
            expanded=expanded,
            got=Cause(error),
        ).error(label) from error
    if current is not None:
        raise Mistake(
            "archive is cut short after {expanded} bytes of text", _COPY, expanded=expanded
        ).error(label)


def is_archive(data: bytes) -> bool:
    """Whether these bytes begin like an archive that can be decompressed."""
    return _archive_of(data) in ARCHIVES


def _archive_of(data: bytes) -> str | None:
    """The ending for an archive that begins with these bytes; None if it is no archive."""
    return next((ending for begin, ending in _BEGINNINGS.items() if data.startswith(begin)), None)


def _decompress_archive(data: bytes, label: str) -> bytes:
    """The data, decompressed if they are an archive."""
    ending = _archive_of(data)
    if ending is None:
        return data
    if ending not in ARCHIVES:
        raise _format_error(label, ending)
    return _decompress(io.BytesIO(data), ending, label)


def _format_error(label: str, ending: str) -> DataError:
    # The files of some programs are archives themselves.
    named = _ending(label).lower()
    ending = named if named in NOT_READ else ending
    if ending in NOT_READ:
        return Mistake("{got} is not read", NOT_READ[ending], got=Fact(ending)).error(label)
    return Mistake(
        "{got} archive",
        "decompress it, or compress it by gzip or zstd",
        got=Fact(ending),
        allowed=Among("archives read are", [join_in_sentence(ARCHIVES, "and")]),
    ).error(label)


def _archive_name_error(label: str, ending: str, actual_ending: str | None) -> DataError:
    if actual_ending:
        return Mistake(
            "its name ends in {named:s}, but it is a {got} archive",
            f"decompress it and take {ending} from its name",
            got=Fact(actual_ending),
            named=ending,
        ).error(label)
    return Mistake(
        "its name ends in {named:s}, but it is no archive",
        f"take {ending} from its name, or compress it",
        named=ending,
    ).error(label)


#: What to do about a damaged archive.
_COPY = "copy or compress the file again"


def _decompressor(ending: str) -> tuple[Callable[[], Any], type[Exception]]:
    """A function that makes a decompressor, and the error that decompressing raises."""
    if ending == ".gz":
        return partial(zlib.decompressobj, 31), zlib.error
    return _zstd() if ending == ".zst" else _lz4()


def _lz4() -> tuple[Callable[[], Any], type[Exception]]:
    """The same of .lz4."""
    frame = require_module("lz4.frame", "reading .lz4 needs the module lz4", _WITHOUT_LZ4)

    class Decompressor:
        """One frame, with the attributes of the other modules."""

        def __init__(self) -> None:
            self._frame = frame.LZ4FrameDecompressor()

        @property
        def eof(self) -> bool:
            """Whether the frame has ended."""
            return bool(self._frame.eof)

        @property
        def unused_data(self) -> bytes:
            """The bytes behind the frame."""
            return self._frame.unused_data or b""

        def decompress(self, chunk: memoryview) -> bytes:
            """The content of the next bytes."""
            return bytes(self._frame.decompress(chunk))

    return Decompressor, RuntimeError


def _zstd() -> tuple[Callable[[], Any], type[Exception]]:
    """The same of .zst."""
    with suppress(ImportError):
        # Python 3.14 has its own module.
        zstd: Any = import_module("compression.zstd")
        window = {zstd.DecompressionParameter.window_log_max: _WINDOW}
        return partial(zstd.ZstdDecompressor, options=window), zstd.ZstdError
    zstandard = require_module("zstandard", "reading .zst needs the module zstandard")
    return zstandard.ZstdDecompressor(
        max_window_size=1 << _WINDOW
    ).decompressobj, zstandard.ZstdError
