"""What `positive=` makes of all other labels: they count as not relevant.

So none may be how tables write a missing one, and several are named.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from precall.core.errors import DataError, Problem
from precall.core.notes import warn
from precall.core.notes.of_reading import OneNumberTwice, OtherLabels, TwoWaysOfLabels
from precall.core.ragged import Bool
from precall.native import literals

#: How tables write that a value is missing, as readers of tables know it.
GAPS = frozenset(["", "NA", "N/A", "n/a", "NaN", "nan", "NAN", "<NA>", "#N/A", "null", "NULL"])
#: What such a label is, and what to do about it.
MISSING = "is how tables write a missing label", "give every {0} a label, or remove the {0}"
#: And where it may be a category all the same.
NAMED = "; if it is a category, name all with ⟨categories=⟩"
#: More labels of the parts of many cases are neither kept nor counted.
_MOST = 1000
#: More are not shown.
_SHOWN = 5


def gaps_among(labels: Iterable[Any], positive: Any) -> list[Any]:
    """Those that stand for a missing label; none where the positive label is so spelled itself.

    Examples
    --------
    >>> gaps_among(["1", "0", "nan", ""], "1"), gaps_among(["NA", "DE", "nan"], "NA")
    (['nan', ''], [])
    """
    if _text(positive) in GAPS:
        return []
    return [label for label in labels if _text(label) in GAPS]


def gaps_among_numbers(labels: Collection[Any]) -> list[Any]:
    """Texts that stand for a missing label where all others are texts of numbers: a column of
    numbers that had gaps.

    Among words they may be names, as that of Namibia.

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


def _is_number(label: Any) -> bool:
    if isinstance(label, str):
        return not isinstance(literals.score(label), tuple)
    return isinstance(label, int | float)


def refuse_gaps(
    name: str, noun: str, gaps: Iterable[Any], where: Callable[[Any], Bool], more: str = ""
) -> None:
    """Raise, naming the first case, if there are labels that stand for a missing one; `where` says
    which cases have a label.
    """
    missing = [(label, where(label)) for label in gaps]
    if not any(cases.any() for _, cases in missing):
        return
    first, label = min((int(np.argmax(cases)), label) for label, cases in missing if cases.any())
    count, size = sum(int(np.count_nonzero(cases)) for _, cases in missing), len(missing[0][1])
    what, todo = MISSING
    share = f" ({count} of {size} are so)" * (count > 1)
    text = f"{noun} {first} has the label {label!r}, which {what}{share}"
    raise DataError([Problem(name, None, text, todo.format(noun) + more)])


def tell_others(
    given: npt.NDArray[Any], truth: Bool, positive: Any, part: dict[str, Any] | None
) -> None:
    """Refuse labels of cases that stand for a missing one; name the others, or add what is there to
    those of a `part`.
    """
    others = _distinct(given[~truth])
    refuse_gaps(
        "relevant", "case", gaps_among(others, positive), lambda label: np.asarray(given == label)
    )
    if part is None:
        say_others(others, positive)
    elif len(part) < _MOST:
        there = [positive] if truth.any() else []
        part |= {repr(label): label for label in [*there, *others[:_MOST]]}


def say_others(labels: Iterable[Any], positive: Any, shown: Callable[[Any], str] = repr) -> None:
    """Name the labels that count as not relevant, where there are several of them; `labels` may
    hold the positive one.
    """
    others = sorted((label for label in labels if label != positive), key=_order)
    if len(others) < 2:
        return
    more = "many" if len(others) >= _MOST else str(len(others) - _SHOWN)
    warn(OtherLabels("", tuple(map(shown, others[:_SHOWN])), more * (len(others) > _SHOWN)))


def say_two_ways(columns: Mapping[str, Collection[Any]]) -> None:
    """Warn where, of labels -1, 0 and 1, no column has both -1 and 0: together these are three
    categories.

    `columns` are the different labels of each, as numbers or as `binary_text` writes them.
    """
    signed = [name for name, labels in columns.items() if -1 in labels or "-1" in labels]
    plain = [name for name, labels in columns.items() if 0 in labels or "0" in labels]
    if not set(signed) & set(plain):
        warn(TwoWaysOfLabels("", tuple(signed), tuple(plain)))


def say_spellings(labels: Iterable[Any]) -> bool:
    """Warn of two labels that are texts of one number, if there are such: a table that had gaps
    writes "1" as "1.0".
    """
    known: dict[float, str] = {}
    exact: dict[Any, str] = {}
    for label in labels:
        try:
            number = float(label) if isinstance(label, str) else math.nan
        except ValueError:
            continue
        if number in known:
            # Two numbers may be one as float64.
            for text in (known[number], label):
                if (first := exact.setdefault(_exactly(text), text)) != text:
                    warn(OneNumberTwice("", first, text))
                    return True
        elif number == number:
            known[number] = label
    return False


def _exactly(text: str) -> Any:
    """The number that a text says; the text, if its exponent is beyond all numbers."""
    from decimal import Decimal

    try:
        return Decimal(text)
    except ArithmeticError:
        return text


def _distinct(labels: npt.NDArray[Any]) -> list[Any]:
    """The different labels; most often there is one, which is seen at once."""
    some: list[Any] = labels[:1].tolist()
    if labels.dtype.kind not in "OT" and len(labels) and bool(np.all(labels == labels[0])):
        return some
    try:
        return list(dict.fromkeys(labels.tolist()))
    except TypeError:  # lists as labels
        return []


def _text(label: Any) -> str | None:
    """What is written; None of what is no text."""
    if isinstance(label, bytes):
        return label.decode("utf-8", "replace")
    return label if isinstance(label, str) else None


def _order(label: Any) -> tuple[str, Any]:
    """Numbers by their size, all else by what is written."""
    return ("", label) if isinstance(label, int | float) else (type(label).__name__, str(label))
