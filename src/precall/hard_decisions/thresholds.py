"""Learned thresholds, and the file that stores them."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from precall.core.arguments import check_path, is_number
from precall.core.errors import Among, Cause, DataError, Labels, Mistake, UsageError
from precall.core.notes import DamagedNote, Note, note_from_json
from precall.core.notes.of_decisions import DecidedBy
from precall.core.ragged import Float64
from precall.core.text import file_name, listing
from precall.read.distinct_labels import named_categories
from precall.read.sources import contents, label_of
from precall.results.equality import Equal
from precall.results.sheets import Presented, Table

#: Format of the file.
FORMAT = "precall.thresholds/1"
#: Kinds of values, and what is allowed for each, as messages say it.
KINDS = {"score": "a number", "rank": "an integer >= 1", "proportion": "a number in 0..1"}
_NOT_OURS = "name a file that --save-thresholds or Thresholds.save wrote"


@dataclass(frozen=True, slots=True, eq=False)
class Thresholds(Equal, Presented):
    """Learned thresholds; `kind` says how `values` are used.

    "score": the least score accepted, per category (+inf accepts nothing). "rank": the number of
    categories accepted per item (one number). "proportion": the share of the items accepted, per
    category.

    `save("t.json")` stores them with all fields, and `read_thresholds` reads them.
    """

    method: str
    kind: str
    values: Float64
    categories: tuple[Any, ...]
    learned: bool = True
    """Whether they were learned from the truth and scores of items; False if they were given."""
    tuned: str = ""
    """The measure by which one number was chosen for all categories, if any."""
    number: float | None = None
    """That number: RCut's k, PCut's x, or the least score."""
    reached: float | None = None
    """The value of that measure on the items it was chosen by; None if it is undefined."""
    items: int = 0
    """The number of items they were learned from."""
    data: str = ""
    """A digest of the truth and scores of those items, to detect whether other data is the same."""
    source: str = ""
    """The file that they were read from, if any."""
    notes: tuple[Note, ...] = field(default=(), compare=False)
    """What was noticed about the items they were learned from."""

    @property
    def table(self) -> Table:
        """Columns category ("all" for one number for all categories), and the kind of the
        values.
        """
        names = ["all"] if self.kind == "rank" else [str(name) for name in self.categories]
        return Table({"category": names, self.kind: self.values}, noticed=self.notes)

    @property
    def policy(self) -> str:
        """The method, with the number that was chosen and the measure by which it was."""
        if self.number is None:
            return f"{self.method} (by {self.tuned})" if self.tuned else self.method
        letter = {"score": "s", "rank": "k"}.get(self.kind, "x")
        return f"{self.method} ({letter} = {self.number:g} by {self.tuned})"

    def matched(self, categories: Sequence[object]) -> Thresholds:
        """The thresholds in the order of these categories, which are matched by name.

        Raises
        ------
        UsageError
            They are for other categories; the message lists those that only one side has.

        Examples
        --------
        >>> from precall import categorize
        >>> learned = categorize(["a", "b"], [[0.9, 0.1], [0.2, 0.8]]).thresholds("max-f")
        >>> learned.matched(["b", "a"]).values
        array([0.8, 0.9])
        """
        categories = named_categories(categories)
        index, wanted = {name: i for i, name in enumerate(self.categories)}, set(categories)
        theirs = [name for name in categories if name not in index]
        ours = [name for name in self.categories if name not in wanted]
        if theirs or ours:
            sides = [f"only they have {listing(ours)}"] * bool(ours)
            sides += [f"only the scores have {listing(theirs)}"] * bool(theirs)
            raise UsageError(
                f"the thresholds were learned for other categories: {', '.join(sides)}",
                remedy="learn them for these, or rename or select columns",
            )
        order = [index[name] for name in categories]
        values = self.values if self.kind == "rank" else self.values[order]
        return replace(self, values=values, categories=tuple(categories))


def read_thresholds(path: str | os.PathLike[str]) -> Thresholds:
    """Read the thresholds that `Thresholds.save` or `precall categories --save-thresholds` wrote as
    JSON.

    Parameters
    ----------
    path : path of the file, perhaps compressed; `-` is standard input.

    Returns
    -------
    Thresholds
        Equal to the saved ones. Names of categories are texts, numbers or bool, as before.

    Raises
    ------
    DataError
        The file holds no thresholds, a later format, or a value that is not allowed; the message
        names it.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from precall import categorize
    >>> learned = categorize(["a", "b"], [[0.9, 0.1], [0.2, 0.8]]).thresholds("scut")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "t.json"
    ...     learned.save(path)
    ...     print(read_thresholds(path) == learned)
    True
    """
    name = file_name(check_path(path))
    label = label_of(name)
    content = _object(contents(name, label, lambda first: _refuse_other(first, label)), label)
    kind, names = content.get("kind"), content.get("categories")
    if not isinstance(kind, str) or kind not in KINDS:
        allowed = Among("allowed are", KINDS)
        raise _not_ours("unknown kind of thresholds", got=kind, allowed=allowed).error(label)
    if not isinstance(names, list) or not all(
        isinstance(name_of_category, str | int | float) for name_of_category in names
    ):
        raise _not_ours("its categories are no list of names", got=names).error(label)
    if len(set(names)) < len(names):
        raise _not_ours("it names a category twice").error(label)
    values = _values(content.get("values"), kind, 1 if kind == "rank" else len(names), label)
    rest = {key: _part(content, key, kind_of, label) for key, kind_of in _PARTS.items()}
    notes = _notes(content.get("notes", []), label)
    return Thresholds(rest.pop("method"), kind, values, tuple(names), **rest, notes=notes)


#: The other keys and their types; numbers may be missing.
_PARTS: dict[str, type] = {
    "method": str,
    "learned": bool,
    "tuned": str,
    "number": float,
    "reached": float,
    "items": int,
    "data": str,
    "source": str,
}


def _notes(listed: object, label: str) -> tuple[Note, ...]:
    """The notes of a file, without the one that is made of the method whenever it is shown."""
    if not isinstance(listed, list):
        raise _not_ours("its notes are no list", got=listed).error(label)
    try:
        notes = tuple(map(note_from_json, listed))
    except DamagedNote as damaged:
        mistake = _not_ours("a note is damaged: {got}", got=Cause(damaged))
        raise mistake.error(label) from None
    return tuple(note for note in notes if not isinstance(note, DecidedBy))


def _object(data: bytes, label: str) -> dict[str, Any]:
    """The content of the file, if it holds thresholds that this version reads."""
    from precall.read.own_json import mistake_in_json, parse_json  # decisions do not need it

    try:
        content = parse_json(data.decode("utf-8-sig"))
    except (RecursionError, ValueError) as error:
        mistake = mistake_in_json(error, _NOT_OURS)
        raise DataError([mistake.of(label, getattr(error, "lineno", None))]) from None
    form = content.get("format") if isinstance(content, dict) else None
    if form == FORMAT:
        return dict(content)
    mistake = _not_ours(
        "its format is {got}", got=form, allowed=Labels("this version reads", [FORMAT])
    )
    if isinstance(form, str) and form.startswith(FORMAT.rstrip("1")):
        mistake = mistake.advise("read it with the version that wrote it, or learn them anew")
    raise mistake.error(label)


def _refuse_other(first: bytes, label: str) -> None:
    """Raise if the beginning shows that it is another file: the file may have no end."""
    if not first.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        raise _not_ours("is no JSON object").error(label)


def _values(given: object, kind: str, size: int, label: str) -> Float64:
    if not isinstance(given, list) or len(given) != size:
        raise _not_ours("its values are no list of {size}", got=given, size=size).error(label)
    from precall.read.own_json import INFINITE

    endless = INFINITE if kind == "score" else {}
    values = [endless.get(value, value) if isinstance(value, str) else value for value in given]
    for value in values:
        if not is_number(value) or not _fits(float(value), kind):
            mistake = _not_ours("a value is not {kind:s}", got=value, kind=KINDS[kind])
            raise mistake.error(label)
    return np.array(values, np.float64)


def _fits(value: float, kind: str) -> bool:
    if kind == "rank":
        return value >= 1 and value.is_integer()
    return kind == "score" or 0 <= value <= 1


def _part(known: dict[str, Any], name: str, kind: type, label: str) -> Any:
    value = known.get(name)
    if kind is float:
        fits = value is None or is_number(value) or (name == "number" and value == "inf")
        value = math.inf if value == "inf" else value
    else:
        fits = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
    if not fits:
        mistake = _not_ours("its {name:s} is no {kind:s}", got=value, name=name, kind=kind.__name__)
        raise mistake.error(label)
    return value


def _not_ours(what: str, **facts: Any) -> Mistake:
    """The mistake of a file that holds no thresholds of ours."""
    return Mistake(what, _NOT_OURS, **facts)
