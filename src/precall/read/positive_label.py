"""All labels other than the positive one: with `positive=` they count as not relevant.

Therefore none may be a text that stands for a missing label, and a note names them if there are
several.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from precall.core.errors import Mistake
from precall.core.notes import warn
from precall.core.notes.of_reading import (
    GroupsUnlike,
    OneNumberTwice,
    OtherLabels,
    TwoWaysOfLabels,
)
from precall.core.ragged import Bool
from precall.core.text import without_invisible
from precall.native import literals
from precall.read.problems import advice_on_spelling

#: Texts for missing values in tables, as readers of tables know them.
GAPS = frozenset(["", "NA", "N/A", "n/a", "NaN", "nan", "NAN", "<NA>", "#N/A", "null", "NULL"])


def missing_label(what: str, label: object, noun: str, more: str = "") -> Mistake:
    """The mistake that a label stands for a missing one; `what` is the template for the label, and
    `noun` is what has labels.
    """
    return Mistake(
        f"{what} is how tables write a missing label",
        f"give every {noun} a label, or remove the {noun}{more}",
        got=label,
        noun=noun,
    )


#: Advice if it may be a category after all.
NAMED = "; if it is a category, name all with ⟨categories=⟩"
#: If cases are read in parts, at most this many labels are kept and counted.
_MOST = 1000
#: A note shows at most this many labels.
_SHOWN = 5


def gaps_among(labels: Iterable[object], positive: object) -> list[Any]:
    """The labels that stand for a missing one; none if the positive label is one of these texts
    itself.

    Examples
    --------
    >>> gaps_among(["1", "0", "nan", ""], "1"), gaps_among(["NA", "DE", "nan"], "NA")
    (['nan', ''], [])
    """
    if _text(positive) in GAPS:
        return []
    return [label for label in labels if _text(label) in GAPS]


def gaps_among_numbers(labels: Collection[object]) -> list[Any]:
    """The texts that stand for a missing label if all others are texts of numbers: a column of
    numbers with gaps.

    Among words they may be names, such as NA for Namibia.

    Examples
    --------
    >>> (
    ...     gaps_among_numbers(["1.0", "nan", "2.0"]),
    ...     gaps_among_numbers(["DE", "NA"]),
    ...     gaps_among_numbers(["nan"]),
    ... )
    (['nan'], [], [])
    """
    gaps = [label for label in labels if label in GAPS]
    others = [label for label in labels if label not in GAPS] if gaps else []
    return gaps if others and all(map(_is_number, others)) else []


def _is_number(label: object) -> bool:
    if isinstance(label, str):
        return not isinstance(literals.score(label), tuple)
    return isinstance(label, int | float)


def refuse_gaps(
    name: str, noun: str, gaps: Iterable[object], where: Callable[[Any], Bool], more: str = ""
) -> None:
    """Raise, naming the first case, if labels stand for a missing one; `where` gives the cases with
    a label.
    """
    missing = [(label, where(label)) for label in gaps]
    if not any(cases.any() for _, cases in missing):
        return
    first, label = min((int(np.argmax(cases)), label) for label, cases in missing if cases.any())
    count, size = sum(int(np.count_nonzero(cases)) for _, cases in missing), len(missing[0][1])
    mistake = missing_label("has the label {got}, which", label, noun, more)
    mistake = mistake.prefix("{noun:s} {case} ", case=first)
    raise mistake.with_count(count, size).error(name)


def tell_others(
    labels: npt.NDArray[Any], truth: Bool, positive: object, part: dict[str, Any] | None
) -> None:
    """Refuse labels that stand for a missing one; name the other labels in a note, or add them to
    those of a `part`.
    """
    others = _distinct(labels[~truth])
    refuse_gaps(
        "relevant", "case", gaps_among(others, positive), lambda label: np.asarray(labels == label)
    )
    if part is None:
        say_others(others, positive)
    elif len(part) < _MOST:
        positives = [positive] if truth.any() else []
        part |= {repr(label): label for label in [*positives, *others[:_MOST]]}


def say_others(
    labels: Iterable[object], positive: object, shown: Callable[[Any], str] = repr
) -> None:
    """Name the labels that count as not relevant, if there are several; `labels` may include the
    positive one.
    """
    others = sorted((label for label in labels if label != positive), key=_sort_key)
    if len(others) < 2:
        return
    more = "many" if len(others) >= _MOST else str(len(others) - _SHOWN)
    warn(OtherLabels("", tuple(map(shown, others[:_SHOWN])), more * (len(others) > _SHOWN)))


def say_two_ways(columns: Mapping[str, Collection[object]]) -> None:
    """Warn if labels are -1, 0 and 1 and no column has both -1 and 0: together these are three
    categories.

    `columns` holds the distinct labels of each column, as numbers or as `binary_text` writes them.
    """
    signed = [name for name, labels in columns.items() if -1 in labels or "-1" in labels]
    plain = [name for name, labels in columns.items() if 0 in labels or "0" in labels]
    if not set(signed) & set(plain):
        warn(TwoWaysOfLabels("", tuple(signed), tuple(plain)))


def say_spellings(labels: Iterable[Any]) -> bool:
    """Warn of two labels that are texts of one number, and return whether there are any: a table
    with gaps writes "1" as "1.0".
    """
    text_of_number: dict[float, str] = {}
    exact: dict[Any, str] = {}
    for label in labels:
        try:
            number = float(label) if isinstance(label, str) else math.nan
        except ValueError:
            continue
        if number in text_of_number:
            # Two different numbers may be equal as float64.
            for text in (text_of_number[number], label):
                if (first := exact.setdefault(_exact_number(text), text)) != text:
                    warn(OneNumberTwice("", first, text))
                    return True
        elif number == number:
            text_of_number[number] = label
    return False


def say_groups(names: Iterable[Any]) -> None:
    """Warn of two names of groups that differ only in capitals, in blanks at their ends, or in what
    is not seen.
    """
    name_of_form: dict[str, str] = {}
    for name in names:
        if isinstance(name, str):
            seen = name if name.isascii() else unicodedata.normalize("NFC", without_invisible(name))
            first = name_of_form.setdefault(seen.strip().casefold(), name)
            if first != name:
                first, name = sorted((first, name))
                warn(GroupsUnlike("", (first, name), advice_on_spelling([first], [name], "group")))
                return


def _exact_number(text: str) -> Any:
    """The exact number of a text; the text itself if the exponent is too great."""
    from decimal import Decimal

    try:
        return Decimal(text)
    except ArithmeticError:
        return text


def _distinct(labels: npt.NDArray[Any]) -> list[Any]:
    """The distinct labels; in most cases there is only one, which is checked first."""
    some: list[Any] = labels[:1].tolist()
    if labels.dtype.kind not in "OT" and len(labels) and bool(np.all(labels == labels[0])):
        return some
    try:
        return list(dict.fromkeys(labels.tolist()))
    except TypeError:  # lists as labels
        return []


def _text(label: object) -> str | None:
    """The text of a label; None if it is no text."""
    if isinstance(label, bytes):
        return label.decode("utf-8", "replace")
    return label if isinstance(label, str) else None


def _sort_key(label: object) -> tuple[str, Any]:
    """Sort key: numbers by size, anything else by its text."""
    return ("", label) if isinstance(label, int | float) else (type(label).__name__, str(label))
