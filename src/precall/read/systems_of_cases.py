"""Several systems in one column of a table of cases, or of decisions: each case is in it once for
each system, and all rows together are no list of any system.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress

from precall.core.errors import DataError, Mistake
from precall.core.notes import Note
from precall.core.notes.of_reading import NamesOfSystems
from precall.core.text import is_small_file, letters
from precall.read.cases import Reader, read_columns
from precall.read.columns import NAMES, Choice
from precall.read.run_columns import SURE, candidates
from precall.read.select_columns import choose_by_name
from precall.read.sources import label_of

#: Names of columns that tell cases apart, beside those of topics and items, and all that end in
#: "id".
_CASES = (
    "id",
    "case",
    "example",
    "sample",
    "index",
    "row",
    "key",
    "name",
    "text",
    "sentence",
    "file",
    "filename",
    "image",
    "url",
)
#: What to do where there are groups; the name of the column stands in it.
EACH_ALONE = "⟨group={}⟩ measures each by itself; "
#: A column of systems has no more values than this.
_MOST = 50
#: Names of such columns that are as often names of what else the rows are about.
_OTHERS = ("name", "tag")


def keep_names(choose: Choice, kept: list[str]) -> Choice:
    """The same choice of columns; the names of all columns are kept."""

    def choose_and_keep(columns: list[str]) -> list[str]:
        # It is asked again for the columns that were chosen.
        if len(columns) > len(kept):
            kept[:] = columns
        return choose(columns)

    return choose_and_keep


def check_systems(
    path: str,
    columns: Sequence[str],
    used: Collection[str | None],
    format: str | None,
    remedy: str = "",
) -> tuple[Note, ...]:
    """Raise if a column that nobody named tells systems apart: the same cases are in each of its
    values. A note if that is not known, but the name of the column says so.

    `used` are the columns that were read. `remedy` has a place for the name of the column. Only
    small files are looked at again.
    """
    if not is_small_file(path):
        return ()
    return check_systems_in(
        label_of(path), columns, used, lambda name: _texts(path, name, format), remedy
    )


def check_systems_in(
    source: str,
    columns: Sequence[str],
    used: Collection[str | None],
    texts: Callable[[str], Sequence[str]],
    remedy: str = "",
) -> tuple[Note, ...]:
    """The same for a table whose columns are `texts`."""
    left = [name for name in columns if name not in used]
    named = [name for name in candidates(left) if letters(name) not in _OTHERS]
    if not named:
        return ()
    cases = [name for name in left if _tells_cases_apart(name)]
    notes: list[Note] = []
    for name in named:
        systems = texts(name)
        number = len(set(systems))
        if not 2 <= number <= _MOST:
            continue
        is_sure = letters(name) in SURE
        if any(
            _repeats(systems, texts(case), only_all=not is_sure) for case in cases if case != name
        ):
            own = "give each a column of its own, with one row for each case"
            todo = f"{remedy.format(repr(name))}to compare them, {own}" if remedy else own
            mistake = Mistake("column {got} tells several systems apart", todo, got=name)
            raise mistake.error(source)
        if is_sure:
            notes.append(NamesOfSystems("", name, number))
    return tuple(notes)


def _tells_cases_apart(name: str) -> bool:
    plain = letters(name)
    usual = f"{NAMES['topic']} {NAMES['item']}".split()
    return plain in usual or plain in _CASES or plain.endswith("id")


def _texts(path: str, name: str, format: str | None) -> list[str]:
    """The cells of a column as texts; none if one of them cannot be read as text."""

    def texts(reader: Reader) -> list[str]:
        cells = reader.groups(name)
        reader.check()
        return cells

    with suppress(DataError):
        return read_columns(
            path, choose_by_name([("", name)], label_of(path)), texts, numbers={}, format=format
        )
    return []


def _repeats(systems: Sequence[str], cases: Sequence[str], *, only_all: bool) -> bool:
    """Whether cases are there once for each of several systems: some, or only if all are.

    Examples
    --------
    >>> _repeats(["a", "a", "b", "b"], ["1", "2", "1", "2"], only_all=True)
    True
    >>> [_repeats(["a", "a", "b"], ["1", "2", "1"], only_all=each) for each in (False, True)]
    [True, False]
    """
    if len(cases) != len(systems) or len(set(zip(systems, cases, strict=True))) < len(cases):
        return False
    numbers = Counter(cases)
    least = len(set(systems)) if only_all else 1
    return max(numbers.values()) > 1 and min(numbers.values()) >= least and len(numbers) > 1
