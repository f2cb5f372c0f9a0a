"""Several systems in one column of a table of cases, or of decisions: each case is in it once for
each system, and all rows together are no list of any system.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from precall.core.errors import DataError, Mistake
from precall.core.notes import Note
from precall.core.notes.of_reading import NamesOfSystems
from precall.core.ragged import Int64, encode_labels
from precall.core.text import letters
from precall.read.cases import Reader, read_looks
from precall.read.columns import NAMES, Choice
from precall.read.run_columns import SURE, candidates
from precall.read.select_columns import Looks, choose_by_name
from precall.read.values import texts_of_labels

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
#: Of larger tables only a sample of about so many cases is kept, each with all of its rows.
_SAMPLE = 1 << 16


class Column(NamedTuple):
    """Cells as texts: the distinct ones, and which of them each row has."""

    texts: Sequence[str]
    codes: npt.NDArray[np.integer[Any]]

    @classmethod
    def of(cls, cells: Sequence[object]) -> Column | None:
        """A column of cells that are all labels, else None."""
        distinct, codes = encode_labels(cells)
        texts = texts_of_labels(distinct)
        return None if texts is None else cls(texts, codes)

    def hashes(self) -> Int64:
        """The hash of each row's text, the same in every process."""
        hashes: Int64 = np.fromiter(map(_hash, self.texts), np.int64, len(self.texts))
        return np.asarray(hashes[self.codes])

    def take(self, rows: Int64) -> list[str]:
        """The texts of some rows."""
        return list(map(self.texts.__getitem__, self.codes[rows].tolist()))


def _hash(text: str) -> int:
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


def _join(hashes: Iterable[Any]) -> Any:
    """One hash of several, or an array of them."""
    joined: Any = 0
    for each in hashes:
        joined = 31 * joined + each
    return joined


@dataclass(slots=True)
class _Cases:
    """Which systems have each case, if the columns `case` tell the cases apart: of all cases, or of
    a sample by their hashes.
    """

    case: tuple[str, ...]
    systems: dict[tuple[str, ...], set[str]] = field(default_factory=dict)
    #: Cases are kept if their hash has none of these bits.
    mask: int = 0
    #: Whether a system has a case twice, so that the columns do not tell cases apart.
    is_twice: bool = False

    def add(self, columns: Mapping[str, Column], system: Column) -> None:
        """Add the rows of a batch."""
        parts = [columns[name] for name in self.case]
        hashes: Int64 = _join(part.hashes() for part in parts)
        for begin in range(0, len(hashes), _SAMPLE):
            if self.is_twice:
                return
            rows = begin + np.flatnonzero(hashes[begin : begin + _SAMPLE] & self.mask == 0)
            cases = zip(*(part.take(rows) for part in parts), strict=True)
            self._add(zip(cases, system.take(rows), strict=True))

    def _add(self, rows: Iterable[tuple[tuple[str, ...], str]]) -> None:
        for case, system in rows:
            systems = self.systems.setdefault(case, set())
            self.is_twice |= system in systems
            systems.add(system)
        while len(self.systems) > _SAMPLE:
            self.mask = 2 * self.mask + 1
            self.systems = {
                case: systems
                for case, systems in self.systems.items()
                if not _join(map(_hash, case)) & self.mask
            }

    def are_shared(self, least: int) -> bool:
        """Whether cases are there once for each of several systems: some, and all of them for at
        least so many.
        """
        numbers = list(map(len, self.systems.values()))
        return not self.is_twice and len(numbers) > 1 and max(numbers) > 1 and min(numbers) >= least


class SystemsFinder:
    """Whether a column that nobody named tells systems apart: the same cases are in each of its
    values. It sees one batch of rows after another.

    `used` are the columns that were named.
    """

    def __init__(self, used: Collection[str | None]) -> None:
        self._used = used
        self._names: list[str] = []
        #: The values of columns that may be systems, and the columns that may tell cases apart.
        self._values: dict[str, set[str]] = {}
        self._cases: dict[str, list[_Cases]] = {}
        self._begun = False

    def choices(self, choose: Choice) -> tuple[Choice, Choice]:
        """The same choice of columns, and one that takes also those that are looked at."""

        def choose_and_keep(columns: list[str]) -> list[str]:
            # It is asked again for the columns that were chosen.
            if len(columns) > len(self._names):
                self._names = columns
            return choose(columns)

        def load(columns: list[str]) -> list[str]:
            return list(dict.fromkeys((*choose_and_keep(columns), *self._looked_at())))

        return choose_and_keep, load

    def see(self, beside: Callable[[Choice], Looks]) -> None:
        """See a batch of rows of a file."""

        def column(name: str) -> Column | None:
            def read(reader: Reader) -> Column | None:
                texts = reader.coded(name)
                return None if texts is None else Column(*texts)

            try:
                return read_looks(beside(choose_by_name([("", name)], "")), read)
            except DataError:  # cells that cannot be read, which nobody asked for
                return None

        self.see_table(self._names, column)

    def see_table(self, names: list[str], column: Callable[[str], Column | None]) -> None:
        """See a batch of rows with these columns; `column` reads one, or gives None."""
        if not self._begun:
            self._begun, self._names = True, names
            self._values = {name: set() for name in self._candidates()}
            keys = self._keys()
            self._cases = {name: [_Cases(key) for key in keys] for name in self._values}
        columns = {name: found for name in self._looked_at() if (found := column(name))}
        sizes = {name: len(each.codes) for name, each in columns.items()}
        for name, values in list(self._values.items()):
            if name not in columns:
                del self._values[name]
                continue
            values.update(columns[name].texts)
            self._cases[name] = [
                cases
                for cases in self._cases[name]
                if len(values) <= _MOST
                and all(sizes.get(part) == sizes[name] for part in cases.case)
            ]
            for cases in self._cases[name]:
                cases.add(columns, columns[name])

    def check(self, source: str, remedy: str = "") -> tuple[Note, ...]:
        """Raise if a column tells systems apart. A note if that is not known, but the name of the
        column says so.

        `remedy` has a place for the name of the column.
        """
        notes: list[Note] = []
        for name, values in self._values.items():
            if not 2 <= len(values) <= _MOST:
                continue
            is_sure = letters(name) in SURE
            least = 1 if is_sure else len(values)
            if any(cases.are_shared(least) for cases in self._cases[name]):
                own = "give each a column of its own, with one row for each case"
                todo = f"{remedy.format(repr(name))}to compare them, {own}" if remedy else own
                mistake = Mistake("column {got} tells several systems apart", todo, got=name)
                raise mistake.error(source)
            if is_sure:
                notes.append(NamesOfSystems("", name, len(values)))
        return tuple(notes)

    def _left(self) -> list[str]:
        return [name for name in self._names if name not in self._used]

    def _candidates(self) -> list[str]:
        return [name for name in candidates(self._left()) if letters(name) not in _OTHERS]

    def _looked_at(self) -> list[str]:
        """The columns to read: none if none may be that of systems."""
        found = list(self._values) if self._begun else self._candidates()
        keys = self._keys() if found else []
        return [*found, *dict.fromkeys(name for key in keys for name in key)]

    def _keys(self) -> list[tuple[str, ...]]:
        """What may tell cases apart: a column, or topic and item together if there are both."""
        topics, items = (
            [name for name in self._left() if letters(name) in NAMES[role].split()]
            for role in ("topic", "item")
        )
        others = [
            name
            for name in self._left()
            if name not in (*topics, *items)
            and (letters(name) in _CASES or letters(name).endswith("id"))
        ]
        if topics and items:
            return [*product(topics, items), *((name,) for name in others)]
        return [(name,) for name in (*topics, *items, *others)]
