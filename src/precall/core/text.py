"""Plain text: what a terminal may be shown, and tables, their columns aligned, wrapped into blocks
that fit a line.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

WIDTH = 80
#: What text in UTF-8 may begin with, and which says nothing.
MARK = b"\xef\xbb\xbf"
#: Stands behind the best values until the columns are aligned.
BEST = "\x01"
#: Bytes of a file that is small.
_SMALL = 1 << 22
#: Numbers that people type have ASCII digits, as those of files have; int() and float() take more.
_INTEGER = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_INFINITE = re.compile(r"[+-]?inf(?:inity)?", re.ASCII | re.IGNORECASE)
#: Python reads no integers of more digits.
_DIGITS = 4000
#: A value is written out in messages up to this length.
_WRITTEN = 60
#: Whatever else a message quotes, of what people named or typed, as a path, is cut in its middle
#: where it is longer than this; so is a line of more than `_LINE` characters.
_QUOTED, _LINE = 240, 4000
#: What of a text that is too long stands at its end.
_END = 60
#: A quotation, whose quotes no letter stands outside of; or a word.
_QUOTATION = re.compile(
    rf"""(?<!\w)(?P<mark>['"])(?P<inside>(?:\\.|(?!(?P=mark))[^\\])*)(?P=mark)(?!\w)|\S{{{_QUOTED + 1},}}""",  # noqa: E501
    re.DOTALL,
)
_BEHIND = ".,:;?!"
#: More names than this are not listed in a sentence.
_LISTED = 4
#: So many labels or names are listed in an error.
_SHOWN = 20


def table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    left: int = 1,
    width: int = WIDTH,
    kept: str = "",
) -> list[str]:
    """Lines of a table; the first `left` columns are flush left and repeated in every block; cells
    are `printable`, but for the characters of `kept`."""
    # Tables may have a million cells, hardly one of which needs more than to be looked at.
    lines = [
        [cell if cell.isprintable() else printable(cell, kept) for cell in line]
        for line in (header, *rows)
    ]
    size = [max(map(columns_of, column)) for column in zip(*lines, strict=True)]
    fixed = sum(size[:left]) + 2 * (left - 1)
    blocks: list[list[int]] = []
    room = -1
    for column in range(left, len(header)):
        if room < size[column] + 2:
            blocks.append([])
            room = width - fixed
        blocks[-1].append(column)
        room -= size[column] + 2
    result: list[str] = []
    for block in blocks or [[]]:
        if result:
            result.append("")
        shown = [*range(left), *block]
        plain = "  ".join(
            f"{{{column}:{'<' if column < left else '>'}{size[column]}}}" for column in shown
        )
        for line in lines:
            if "".join(line).isascii():
                result.append(plain.format(*line).rstrip())
            else:
                parts = (_padded(line[column], size[column], column < left) for column in shown)
                result.append("  ".join(parts).rstrip())
    return result


def filled(
    text: str, width: int = WIDTH, first: str = "", later: str = "", whole: str = ""
) -> list[str]:
    """Lines of a text, broken at its spaces only; the first begins with `first`, the others with
    `later`.

    What the pattern `whole` matches is not broken.
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


def _padded(cell: str, size: int, left: bool) -> str:
    space = " " * (size - columns_of(cell))
    return cell + space if left else space + cell


def number(value: float | None) -> str:
    """A value in four decimals; whole numbers of 100 and more without any; nothing for one that
    does not exist.
    """
    if value is None:
        return ""
    if value != value:
        return "undef"
    # z: no minus before what is 0 in four decimals.
    return f"{value:.0f}" if value.is_integer() and abs(value) >= 100 else f"{value:z.4f}"


def counted(value: float) -> str:
    """A count without decimals, or a sum of weights in six digits that count.

    Examples
    --------
    >>> counted(12.0), counted(454.525213), counted(4.1339e-10)
    ('12', '454.525', '4.1339e-10')
    """
    return f"{value:.0f}" if float(value).is_integer() and abs(value) < 1e15 else f"{value:.6g}"


def p_text(p: float) -> str:
    """A p-value in three digits; small ones are not rounded to 0.

    Examples
    --------
    >>> p_text(0.0312), p_text(0.5), p_text(1e-9), p_text(float("nan"))
    ('0.0312', '0.500', '1.00e-09', 'undef')
    """
    if p != p:
        return "undef"
    return f"{p:.3f}" if p >= 0.1 else f"{p:.4f}" if p >= 0.001 else f"{p:.2e}"


def percent(share: float) -> str:
    """A share in percent, with its digits but for those of rounding.

    Examples
    --------
    >>> percent(0.95), percent(0.57), percent(0.9999999)
    ('95 %', '57 %', '99.99999 %')
    """
    return f"{round(100 * share, 11):.14g} %"


def printable(text: str, kept: str = "") -> str:
    """A name as it may be shown: what would move the cursor or break the line, but for `kept`, is
    written as an escape.
    """
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or c in kept else c.encode("unicode_escape").decode() for c in text
    )


def as_text(value: object) -> str:
    """A label, an id or a name as text; of a subclass of str, as members of an Enum are, its own
    letters, whatever it prints.

    Examples
    --------
    >>> from enum import Enum
    >>> Mood = Enum("Mood", {"LOW": "low"}, type=str)
    >>> str(Mood.LOW), as_text(Mood.LOW), as_text(7)
    ('Mood.LOW', 'low', '7')
    """
    return str.__str__(value) if isinstance(value, str) else str(value)


def plain_label(label: object) -> str | float:
    """A label or an id as JSON has it: a number of any type as one of Python's, all else as text.

    Examples
    --------
    >>> plain_label("a"), plain_label(3), plain_label(None)
    ('a', 3, 'None')
    """
    plain = label.item() if hasattr(label, "item") else label
    return plain if isinstance(plain, int | float) else as_text(plain)


def written(value: object) -> str:
    """A value as Python writes it, cut short, which is said; some cannot be written."""
    try:
        text = printable(" ".join(repr(value).splitlines()))
    except Exception:
        # So do integers of thousands of digits.
        return f"<{type(value).__name__}>"
    if isinstance(value, str):
        return bounded(text)
    if len(text) <= _WRITTEN:
        return text
    length = (
        f"{len(text.lstrip('-')):,} digits"
        if isinstance(value, int)
        else f"{len(text):,} characters"
    )
    rest = f"... ({length})"
    return text[: _WRITTEN - len(rest)] + rest


def typed_integer(text: str) -> int:
    """The integer that somebody typed, in a name or an option; ValueError, which says why, for any
    other text.

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
        raise ValueError(f"{written(text)} is not an integer")
    if len(plain) > _DIGITS:
        raise ValueError(f"{written(text)} is too large")
    return int(plain)


def typed_number(text: str) -> float:
    """The number that somebody typed, in a name or an option; ValueError, which says why, for any
    other text, and for NaN.

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
        raise ValueError(f"{written(text)} is not a number")
    number = float(plain)
    if abs(number) == float("inf"):
        raise ValueError(f"{written(text)} is beyond float64 (about 1.8e308)")
    return number


def shorten(text: str, most: int = _QUOTED) -> str:
    """A text, its middle left out where it is longer than `most`, which is said; with that it is so
    long and stays as it is.

    Examples
    --------
    >>> shortened("short"), shortened("0123456789" * 10, 90)
    ('short', '0123456789...012345678901234567890123456789012345678901234567890123456789 (100 characters)')
    """  # noqa: E501
    if len(text) <= most:
        return text
    rest = f"...{text[-_END:]} ({len(text):,} characters)"
    return text[: most - len(rest)] + rest


def bounded(message: str) -> str:
    """A message, in which nothing that it quotes is long: ids, scores, paths and options may have
    any length.

    Examples
    --------
    >>> print(bounded(f"topic '{'x' * 300}' is not text: {'y' * 1000}")[:40])
    topic 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
    >>> len(bounded(f"topic '{'x' * 300}' is not text: {'y' * 1000}"))
    502
    """
    if len(message) <= _QUOTED:
        return message
    # A line at a time, unless one quotation goes over several.
    text = _QUOTATION.sub(_shorten_quotation, message)
    return "\n".join(shorten(line, _LINE) for line in text.split("\n"))


def _shorten_quotation(match: re.Match[str]) -> str:
    mark, inside = match["mark"], match["inside"]
    if mark is None:
        # What the sentence puts behind a word is no part of it.
        word = match[0].rstrip(_BEHIND)
        return shorten(word) + match[0][len(word) :]
    short = shorten(inside)
    if short is inside:
        return match[0]
    text, blank, size = short.rpartition(" (")
    return f"{mark}{text}{mark}{blank}{size}"


def visible(text: str, kept: str = "") -> str:
    """Lines as they may be shown: as `printable`, but ends of lines stay."""
    return printable(text, kept + "\n")


def quoted(text: str) -> str:
    """A cell of CSV, as RFC 4180 writes it; what a spreadsheet may take for a formula stays as it
    is (decision 0009).
    """
    return '"' + text.replace('"', '""') + '"' if re.search(r'[",\r\n]', text) else text


def encoded(text: str) -> bytes:
    """Text as UTF-8; halves of characters, which it cannot encode, as escapes: names may hold
    them.
    """
    return text.encode("utf-8", "backslashreplace")


def is_encodable(text: str) -> bool:
    """Whether UTF-8 can encode a text: JSON and Python may hold halves of characters."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_utf8(data: bytes) -> bool:
    """Whether bytes are text in UTF-8."""
    import codecs

    # In pieces: the text of a large file is not needed a second time.
    decoder = codecs.getincrementaldecoder("utf-8")()
    view = memoryview(data)
    try:
        for begin in range(0, len(view), 1 << 20):
            decoder.decode(view[begin : begin + (1 << 20)])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def file_name(path: str | bytes | os.PathLike[str]) -> str:
    """A path as text.

    Raises
    ------
    FileNotFoundError
        No file can have this name: it holds NUL, or what the file system's encoding does not have.

    Examples
    --------
    >>> file_name("runs/bm25.run")
    'runs/bm25.run'
    """
    name = os.fsdecode(path)
    try:
        if b"\0" not in os.fsencode(name):
            return name
    except UnicodeEncodeError:
        pass
    raise FileNotFoundError(errno.ENOENT, "no file can have this name", name)


#: What a folder is in the place of a file.
FOLDER = "is a directory, expected a file"


def is_folder(path: str | bytes | os.PathLike[str]) -> bool:
    """Whether it is one that is there."""
    return os.fsdecode(path) != "-" and os.path.isdir(file_name(path))  # noqa: PTH112


def refuse_folder(path: str | bytes | os.PathLike[str]) -> None:
    """Raise IsADirectoryError where a file is to be read or written, and a folder lies; a name that
    no file has is none of a folder, either.
    """
    with suppress(FileNotFoundError):
        if is_folder(path):
            raise IsADirectoryError(errno.EISDIR, FOLDER, os.fsdecode(path))


def is_small_file(path: Any) -> bool:
    """Whether any memory holds it: then nobody need ask how much there is, or read it in parts."""
    with suppress(OSError, ValueError):
        status = os.stat(path)  # noqa: PTH116
        return stat.S_ISREG(status.st_mode) and status.st_size < _SMALL
    return False


def columns_of(text: str) -> int:
    """Columns that a terminal gives to a text: two for a wide character, none for one that
    combines.
    """
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


def many(count: int, noun: str, nouns: str = "") -> str:
    """A number of things: "1 topic", "2 topics"; `nouns` are several if there is no s at the
    end.
    """
    return f"{count} {noun}" if count == 1 else f"{count} {nouns or f'{noun}s'}"


def span(values: Iterable[float], shown: Callable[[float], str]) -> str:
    """From the least to the greatest; values that are shown alike are one.

    Examples
    --------
    >>> span([0.5, 0.25, 0.75], number), span([0.50001, 0.5], number)
    ('0.2500 to 0.7500', '0.5000')
    """
    known = list(values)
    ends = dict.fromkeys(shown(float(end)) for end in (min(known), max(known)))
    return " to ".join(ends)


def shown_ends(low: float | None, high: float | None) -> tuple[str, str]:
    """Both ends of an interval, in four decimals or in as many digits as tell them apart.

    Examples
    --------
    >>> shown_ends(0.25, 0.5), shown_ends(-0.000012, 0.00003), shown_ends(0.5, 0.5)
    (('0.2500', '0.5000'), ('-1.2e-05', '3e-05'), ('0.5000', '0.5000'))
    """
    told = number(low), number(high)
    if told[0] != told[1] or low is None or high is None or not low < high:
        return told
    every = ((f"{low:.{digits}g}", f"{high:.{digits}g}") for digits in range(3, 18))
    return next((ends for ends in every if ends[0] != ends[1]), told)


def signed(value: float) -> str:
    """A difference in four decimals with its sign; one that is 0 in these has a plus.

    Examples
    --------
    >>> signed(0.25), signed(-1e-9)
    ('+0.2500', '+0.0000')
    """
    return f"{value:+z.4f}"


def listed(names: Sequence[str]) -> str:
    """Names in a sentence; of many their number.

    Examples
    --------
    >>> listed("abc"), listed("abcde")
    ('a, b and c', '5 others')
    """
    return f"{len(names)} others" if len(names) > _LISTED else enumerated(names)


def enumerated(names: Sequence[str], last: str = "and") -> str:
    """All names in a sentence, with a word before the last."""
    return f"{', '.join(names[:-1])} {last} {names[-1]}" if len(names) > 1 else names[0]


def listing(values: Sequence[Any], shown: Callable[[Any], str] = repr) -> str:
    """Labels or names as an error lists them: as Python writes them, so that 1 and '1' differ; the
    first of many.
    """
    return (
        ", ".join(map(shown, values[:_SHOWN])) + (", ..." if len(values) > _SHOWN else "") or "none"
    )


def unequal(sizes: Mapping[str, int], of: str = "") -> str:
    """How large each is that should be as large as the others; empty where they are."""
    if len(set(sizes.values())) < 2:
        return ""
    return ", ".join(f"{name} has {size}{of}" for name, size in sizes.items())


def letters(text: str) -> str:
    """A text in small letters, without what writers put between them: names that differ in nothing
    else are one name.
    """
    return re.sub(r"[\s_.-]+", "", text).casefold()
