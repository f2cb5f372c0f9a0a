"""Plain text: text that is safe on a terminal, and tables with aligned columns, split into blocks
that fit a line.
"""

from __future__ import annotations

import errno
import math
import os
import re
import stat
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

WIDTH = 80
#: The byte-order mark that UTF-8 text may begin with; it is ignored.
MARK = b"\xef\xbb\xbf"
#: Marks the best values until the columns are aligned.
BEST = "\x01"
#: A file of fewer bytes is small.
_SMALL = 1 << 22
#: Only ASCII digits are accepted in typed numbers and in files; int() and float() accept others.
_INTEGER = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_INFINITE = re.compile(r"[+-]?inf(?:inity)?", re.ASCII | re.IGNORECASE)
#: Python refuses to read integers with more digits.
_DIGITS = 4000
#: Messages write values up to this length in full.
_WRITTEN = 60
#: Other quotations in messages, such as names and paths, are cut in the middle if they are longer
#: than this; so are lines of more than `_LINE` characters.
_QUOTED, _LINE = 240, 4000
#: Number of characters at the end of a long text that are kept.
_END = 60
#: A quotation, if no letter touches its quotes from outside; or a long word.
_QUOTATION = re.compile(
    rf"""(?<!\w)(?P<mark>['"])(?P<inside>(?:\\.|(?!(?P=mark))[^\\])*)(?P=mark)(?!\w)|\S{{{_QUOTED + 1},}}""",  # noqa: E501
    re.DOTALL,
)
_BEHIND = ".,:;?!"
#: A sentence lists at most this many names.
MOST_NAMED = 4
#: An error lists at most this many labels or names.
_SHOWN = 20


def table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    left: int = 1,
    width: int = WIDTH,
    kept: str = "",
) -> list[str]:
    """Lines of a table; the first `left` columns are flush left and repeated in every block. Long
    names stand above their values if the table is shorter then. Cells are made `printable`, except
    for the characters of `kept`.
    """
    # Tables may have a million cells, and almost all pass this fast check.
    lines = [
        [cell if cell.isprintable() else printable(cell, kept) for cell in line]
        for line in (header, *rows)
    ]
    size, blocks = _layout(lines, left, width)
    result: list[str] = []
    for block in blocks or [[]]:
        if result:
            result.append("")
        shown = [*range(left), *block]
        plain = "  ".join(
            f"{{{column}:{'<' if column < left else '>'}{size[column]}}}" for column in shown
        )
        for line in lines:
            if columns_of(line[0]) > size[0]:
                # Long names stand above their values, so that these need fewer blocks.
                result.append(line[0])
                line = ["", *line[1:]]
            if "".join(line).isascii():
                result.append(plain.format(*line).rstrip())
            else:
                cells = (_pad(line[column], size[column], column < left) for column in shown)
                result.append("  ".join(cells).rstrip())
    return result


def _layout(
    lines: Sequence[Sequence[str]], left: int, width: int
) -> tuple[list[int], list[list[int]]]:
    """The widths of a table's columns, and the columns of each block. The first column is narrower
    than its long names if the table is shorter with these above their values.
    """
    size = [max(map(columns_of, column)) for column in zip(*lines, strict=True)]
    blocks = _columns_by_block(size, left, width)
    if left > 1 or len(blocks) == 1:
        return size, blocks
    names = [columns_of(line[0]) for line in lines]
    narrow = [max((name for name in names if name <= width // 3), default=2), *size[1:]]
    fewer = _columns_by_block(narrow, left, width)
    long = sum(name > narrow[0] for name in names)
    if len(fewer) * (len(lines) + long + 1) < len(blocks) * (len(lines) + 1):
        return narrow, fewer
    return size, blocks


def _columns_by_block(size: Sequence[int], left: int, width: int) -> list[list[int]]:
    """The columns of each block of a table; the first `left` stand in all."""
    fixed = sum(size[:left]) + 2 * (left - 1)
    blocks: list[list[int]] = []
    room = -1
    for column in range(left, len(size)):
        if room < size[column] + 2:
            blocks.append([])
            room = width - fixed
        blocks[-1].append(column)
        room -= size[column] + 2
    return blocks


def wrap_text(
    text: str, width: int = WIDTH, first: str = "", later: str = "", whole: str = ""
) -> list[str]:
    """Lines of a text, broken at spaces only; the first line begins with `first`, the others with
    `later`.

    Text that matches the pattern `whole` is not broken.
    """
    from textwrap import wrap

    if whole:
        text = re.sub(whole, lambda match: match[0].replace(" ", "\0"), text)
    lines = wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=later,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace("\0", " ") for line in lines] if whole else lines


def _pad(cell: str, size: int, left: bool) -> str:
    space = " " * (size - columns_of(cell))
    return cell + space if left else space + cell


def number(value: float | None, digits: int = 4) -> str:
    """A value with four decimals, or `digits`; whole numbers of 100 or more have none; "" for
    None.
    """
    if value is None:
        return ""
    if value != value:
        return "undef"
    # z: no minus sign before a value that rounds to 0.
    return f"{value:.0f}" if value.is_integer() and abs(value) >= 100 else f"{value:z.{digits}f}"


def format_count(value: float) -> str:
    """A count without decimals, or a sum of weights in six significant digits.

    Examples
    --------
    >>> format_count(12.0), format_count(454.525213), format_count(4.1339e-10)
    ('12', '454.525', '4.1339e-10')
    """
    return f"{value:.0f}" if float(value).is_integer() and abs(value) < 1e15 else f"{value:.6g}"


def p_text(p: float) -> str:
    """A p-value in three digits; small ones are not rounded to 0. Below 1e-300 float64 has fewer
    digits, and its least number stands for all that are smaller.

    Examples
    --------
    >>> p_text(0.0312), p_text(0.5), p_text(1e-9), p_text(5e-324), p_text(float("nan"))
    ('0.0312', '0.500', '1.00e-09', '<1e-300', 'undef')
    """
    if p != p:
        return "undef"
    if 0 < p < 1e-300:
        return "<1e-300"
    return f"{p:.3f}" if p >= 0.1 else f"{p:.4f}" if p >= 0.001 else f"{p:.2e}"


def percent(share: float) -> str:
    """A share in percent with all its digits, except those of rounding errors.

    Examples
    --------
    >>> percent(0.95), percent(0.57), percent(0.9999999)
    ('95 %', '57 %', '99.99999 %')
    """
    return f"{round(100 * share, 11):.14g} %"


def printable(text: str, kept: str = "") -> str:
    """A name that can be shown safely: characters that move the cursor or break the line are
    escaped, except those of `kept`.
    """
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or c in kept else c.encode("unicode_escape").decode() for c in text
    )


def as_text(value: object) -> str:
    """A label, an id or a name as text. A member of a text Enum gives its value, whatever str()
    prints.

    Examples
    --------
    >>> from enum import Enum
    >>> Mood = Enum("Mood", {"LOW": "low"}, type=str)
    >>> str(Mood.LOW), as_text(Mood.LOW), as_text(7)
    ('Mood.LOW', 'low', '7')
    """
    return str.__str__(value) if isinstance(value, str) else str(value)


def plain_label(label: object) -> str | float:
    """A label or an id for JSON: numbers of any type as Python numbers, all else as text.

    Examples
    --------
    >>> plain_label("a"), plain_label(3), plain_label(None)
    ('a', 3, 'None')
    """
    plain = python_scalar(label)
    return plain if isinstance(plain, int | float) else as_text(plain)


def python_scalar(value: Any) -> Any:
    """A number or truth value of NumPy, which people pass as an argument and JSON does not know, as
    one of Python; everything else unchanged.

    Examples
    --------
    >>> import numpy
    >>> python_scalar(numpy.int64(3)), python_scalar(numpy.True_), python_scalar("a")
    (3, True, 'a')
    """
    return value.item() if getattr(value, "ndim", None) == 0 else value


def without_invisible(text: str) -> str:
    """A text without characters that only control how others are shown, such as zero-width spaces
    and byte order marks.

    Examples
    --------
    >>> without_invisible("\\u200bd1\\ufeff")
    'd1'
    """
    return "".join(letter for letter in text if unicodedata.category(letter) != "Cf")


def short_repr(value: object) -> str:
    """A value as Python writes it; if it is long, it is cut and its length added.

    A value whose `repr` fails is shown by its type.
    """
    try:
        text = printable(" ".join(repr(value).splitlines()))
    except Exception:
        # An integer of thousands of digits also raises an error.
        return f"<{type(value).__name__}>"
    if isinstance(value, str):
        return shorten_quotations(text)
    if len(text) <= _WRITTEN:
        return text
    length = (
        f"{len(text.lstrip('-')):,} digits"
        if isinstance(value, int)
        else f"{len(text):,} characters"
    )
    end = f"... ({length})"
    return text[: _WRITTEN - len(end)] + end


def typed_integer(text: str) -> int:
    """The integer that somebody typed, in a name or an option; for any other text a ValueError that
    says why.

    Examples
    --------
    >>> typed_integer("10"), typed_integer(" -3 ")
    (10, -3)
    >>> typed_integer("1_0")
    Traceback (most recent call last):
    ValueError: '1_0' is not an integer
    """
    plain = text.strip()
    if not _INTEGER.fullmatch(plain):
        raise ValueError(f"{short_repr(text)} is not an integer")
    if len(plain) > _DIGITS:
        raise ValueError(f"{short_repr(text)} is too large")
    return int(plain)


def typed_number(text: str) -> float:
    """The number that somebody typed, in a name or an option; for NaN and any other text a
    ValueError that says why.

    Examples
    --------
    >>> typed_number("0.5"), typed_number("-1e3"), typed_number("inf")
    (0.5, -1000.0, inf)
    >>> typed_number("1e999")
    Traceback (most recent call last):
    ValueError: '1e999' is beyond float64 (about 1.8e308)
    """
    plain = text.strip()
    if _INFINITE.fullmatch(plain):
        return float(plain)
    if not _NUMBER.fullmatch(plain):
        raise ValueError(f"{short_repr(text)} is not a number")
    number = float(plain)
    if abs(number) == float("inf"):
        raise ValueError(f"{short_repr(text)} is beyond float64 (about 1.8e308)")
    return number


def shorten(text: str, most: int = _QUOTED) -> str:
    """A text of at most `most` characters: the middle of a longer one is replaced by dots, and its
    length appended.

    Examples
    --------
    >>> shorten("short"), shorten("0123456789" * 10, 90)
    ('short', '0123456789...012345678901234567890123456789012345678901234567890123456789 (100 characters)')
    """  # noqa: E501
    if len(text) <= most:
        return text
    end = f"...{text[-_END:]} ({len(text):,} characters)"
    return text[: most - len(end)] + end


def shorten_quotations(message: str) -> str:
    """A message whose quotations are shortened: ids, scores, paths and options may have any length.

    Examples
    --------
    >>> print(shorten_quotations(f"topic '{'x' * 300}' is not text: {'y' * 1000}")[:40])
    topic 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
    >>> len(shorten_quotations(f"topic '{'x' * 300}' is not text: {'y' * 1000}"))
    502
    """
    if len(message) <= _QUOTED:
        return message
    # Lines are shortened one by one, after quotations, which may extend over several lines.
    text = _QUOTATION.sub(_shorten_quotation, message)
    return "\n".join(shorten(line, _LINE) for line in text.split("\n"))


def _shorten_quotation(match: re.Match[str]) -> str:
    mark, inside = match["mark"], match["inside"]
    if mark is None:
        # Punctuation after a word belongs to the sentence.
        word = match[0].rstrip(_BEHIND)
        return shorten(word) + match[0][len(word) :]
    short = shorten(inside)
    if short is inside:
        return match[0]
    text, blank, size = short.rpartition(" (")
    return f"{mark}{text}{mark}{blank}{size}"


def visible(text: str, kept: str = "") -> str:
    """Lines that can be shown safely: like `printable`, but line ends stay."""
    return printable(text, kept + "\n")


def csv_cell(text: str) -> str:
    """A cell of CSV, as RFC 4180 writes it. Text that a spreadsheet may take for a formula is left
    unchanged (decision 0009).
    """
    return '"' + text.replace('"', '""') + '"' if re.search(r'[",\r\n]', text) else text


def encode_utf8(text: str) -> bytes:
    """Text as UTF-8; lone surrogates, which UTF-8 cannot encode and names may contain, as
    escapes.
    """
    return text.encode("utf-8", "backslashreplace")


def is_encodable(text: str) -> bool:
    """Whether UTF-8 can encode a text: JSON and Python may hold lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_utf8(data: bytes) -> bool:
    """Whether bytes are text in UTF-8."""
    import codecs

    # In pieces, so that the text of a large file is not in memory a second time.
    decoder = codecs.getincrementaldecoder("utf-8")()
    view = memoryview(data)
    try:
        for begin in range(0, len(view), 1 << 20):
            decoder.decode(view[begin : begin + (1 << 20)])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def encode_name(name: str) -> bytes:
    """A name as the file system encodes it; FileNotFoundError if it cannot."""
    try:
        encoded = os.fsencode(name)
    except UnicodeEncodeError:
        encoded = b"\0"
    if b"\0" in encoded:
        raise FileNotFoundError(errno.ENOENT, "no file can have this name", shorten(name))
    return encoded


#: The greatest length of a file's name, and of a path, in bytes.
_LONGEST_NAME, _LONGEST_PATH = 255, 32767 if os.name == "nt" else 4095


def file_name(path: str | bytes | os.PathLike[str]) -> str:
    """A path as text.

    Raises
    ------
    FileNotFoundError
        No file can have this name: it contains NUL, or characters that the file system's encoding
        lacks.
    OSError
        It is longer than the name of any file; the error shows its ends.

    Examples
    --------
    >>> file_name("runs/bm25.run")
    'runs/bm25.run'
    """
    name = os.fsdecode(path)
    encoded = encode_name(name)
    # The system would say so, too, but with the whole name: that may be the text of a file.
    parts = map(len, encoded.replace(b"\\" if os.name == "nt" else b"/", b"/").split(b"/"))
    if len(encoded) > _LONGEST_NAME and (
        len(encoded) > _LONGEST_PATH or max(parts) > _LONGEST_NAME
    ):
        raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG), shorten(name))
    return name


#: The message about a folder if a file is expected.
FOLDER = "is a directory, expected a file"


def is_folder(path: str | bytes | os.PathLike[str]) -> bool:
    """Whether a path is an existing folder."""
    return os.fsdecode(path) != "-" and os.path.isdir(file_name(path))  # noqa: PTH112


def refuse_folder(path: str | bytes | os.PathLike[str]) -> None:
    """Raise IsADirectoryError if the name of a file to be read or written is that of a folder.

    A name that no file can have is not a folder either.
    """
    with suppress(FileNotFoundError):
        if is_folder(path):
            raise IsADirectoryError(errno.EISDIR, FOLDER, os.fsdecode(path))


def is_small_file(path: Any) -> bool:
    """Whether a path is that of a file small enough for any memory, so that it need not be read in
    parts.
    """
    with suppress(OSError, ValueError):
        status = os.stat(path)  # noqa: PTH116
        return stat.S_ISREG(status.st_mode) and status.st_size < _SMALL
    return False


def snake_case(name: str) -> str:
    """A name in camel case, as Java has them, as Python writes it.

    Examples
    --------
    >>> snake_case("averagePrecision"), snake_case("f1")
    ('average_precision', 'f1')
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def columns_of(text: str) -> int:
    """The terminal columns of a text: two for a wide character, none for a combining one."""
    if text.isascii():
        return len(text)
    import unicodedata

    return sum(
        0
        if unicodedata.combining(letter)
        else 2
        if unicodedata.east_asian_width(letter) in "WF"
        else 1
        for letter in text
    )


def many(count: float, noun: str, nouns: str = "") -> str:
    """A number of things: "1 topic", "2 topics"; `nouns` is the plural if it does not end in s. A
    sum of weights has three digits.

    Examples
    --------
    >>> many(1, "case"), many(1.0, "case"), many(2.518, "case"), many(0, "query", "queries")
    ('1 case', '1 case', '2.52 cases', '0 queries')
    """
    return f"{number_of_things(count)} {noun_of(count, noun, nouns)}"


def number_of_things(count: float) -> str:
    """The number that `many` writes."""
    shown = str(count)
    if isinstance(count, float):
        shown = f"{count:.3g}" if abs(count) < 1000 else f"{count:.0f}"
    return shown


def noun_of(count: float, noun: str, nouns: str = "") -> str:
    """The noun that `many` writes behind a number: singular or plural."""
    return noun if number_of_things(count) == "1" else nouns or f"{noun}s"


def count_drawn(count: int, noun: str = "resample") -> str:
    """The number of what was drawn at random: "1 resample", "2,000 resamples"."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


def span(values: Iterable[float], format_value: Callable[[float], str]) -> str:
    """The range from the least to the greatest value; one value if both are shown alike.

    Examples
    --------
    >>> span([0.5, 0.25, 0.75], number), span([0.50001, 0.5], number)
    ('0.2500 to 0.7500', '0.5000')
    """
    numbers = list(values)
    ends = dict.fromkeys(format_value(float(end)) for end in (min(numbers), max(numbers)))
    return " to ".join(ends)


def format_ends(low: float | None, high: float | None, decimals: int = 4) -> tuple[str, str]:
    """Both ends of an interval, in four decimals, or `decimals`, or with enough digits to differ.

    Examples
    --------
    >>> format_ends(0.25, 0.5), format_ends(-0.000012, 0.00003), format_ends(0.5, 0.5)
    (('0.2500', '0.5000'), ('-1.2e-05', '3e-05'), ('0.5000', '0.5000'))
    """
    rounded = number(low, decimals), number(high, decimals)
    if rounded[0] != rounded[1] or low is None or high is None or not low < high:
        return rounded
    candidates = ((f"{low:.{digits}g}", f"{high:.{digits}g}") for digits in range(3, 18))
    return next((ends for ends in candidates if ends[0] != ends[1]), rounded)


def format_difference(value: float) -> str:
    """A difference in four decimals with its sign; one that rounds to 0 has a plus, and one that is
    NaN is "undef".

    Examples
    --------
    >>> format_difference(0.25), format_difference(-1e-9)
    ('+0.2500', '+0.0000')
    """
    return "undef" if math.isnan(value) else f"{value:+z.4f}"


def list_names(names: Sequence[str], many: str = "others") -> str:
    """Names in a sentence; only their number if there are `many`.

    Examples
    --------
    >>> list_names("abc"), list_names("abcde"), list_names("abcde", "systems")
    ('a, b and c', '5 others', '5 systems')
    """
    return f"{len(names)} {many}" if len(names) > MOST_NAMED else join_in_sentence(names)


def join_in_sentence(names: Sequence[str], last: str = "and") -> str:
    """All names in a sentence, with a word before the last."""
    return f"{', '.join(names[:-1])} {last} {names[-1]}" if len(names) > 1 else names[0]


def listing(values: Sequence[object], shown: Callable[[Any], str] = repr, mark: str = ", ") -> str:
    """Labels or names in an error, as Python writes them, so that 1 and '1' differ; only the first
    ones if there are many.
    """
    return (
        mark.join(map(shown, values[:_SHOWN])) + (", ..." if len(values) > _SHOWN else "") or "none"
    )


def unequal(sizes: Mapping[str, int], noun: str = "") -> str:
    """A text with the sizes of things that should be equally large; empty if they are.

    `noun` is what they count, if that is named.
    """
    if len(set(sizes.values())) < 2:
        return ""
    return ", ".join(
        f"{name} has {many(size, noun) if noun else size}" for name, size in sizes.items()
    )


def letters(text: str) -> str:
    """A text in lower case without separators; names that differ only in these are one name."""
    return re.sub(r"[\s_.-]+", "", text).casefold()
