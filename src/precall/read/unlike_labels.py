"""Labels of truth and decisions that can never match, or do not: other types, scores, other
spellings.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import chain
from numbers import Number
from typing import Any

import numpy as np

from precall.core.errors import UsageError
from precall.core.notes import warn
from precall.core.notes.of_reading import LabelsUnlike, NoCommonLabel
from precall.core.text import listing, written
from precall.read.other_labels import say_spellings

#: What scores are in the place of decisions, and what to do about them.
NO_DECISIONS = (
    "scores beside labels are no decisions",
    "decide first, such as by scores >= 0.5, of several categories by the greatest score",
)
_ELSE = "; ".join((*NO_DECISIONS, "or pass labels and scores to pc.curve or pc.categorize"))
_NAMED = "if they are categories, name all with ⟨categories=[...]⟩"
#: What soft labels are in the place of a truth, and what to do about them.
SOFT = (
    "numbers with fractions are no labels: they say how far, and not whether",
    "say from where on it is so, such as by labels >= 0.5",
)
#: What to do about labels that are no yes or no by themselves.
SAY_POSITIVE = "say which label counts as relevant with ⟨positive=⟩"
#: So many labels of either side are named.
_SHOWN = 3
_ALIKE = "check that both write labels alike"


def refuse_unlike(named: Mapping[str, Collection[Any]]) -> None:
    """Raise if decisions are scores, or have no type of label that the truth has; `named` has the
    different labels of each.

    The truth comes first. Text never equals a number, nor bytes.
    """
    refuse_scores(named)
    (truth, known), *others = named.items()
    for name, labels in others:
        ours, theirs = (
            {_kind(label): label for label in reversed([*part])} for part in (known, labels)
        )
        if ours and theirs and not ours.keys() & theirs.keys():
            sides = " and ".join(
                f"{side} has {kind} such as {written(label)}"
                for side, kinds in ((truth, ours), (name, theirs))
                for kind, label in list(kinds.items())[:1]
            )
            raise UsageError(
                argument=sides, what="they never match; write the labels of both as one type"
            )


def refuse_scores(named: Mapping[str, Collection[Any]]) -> None:
    """Numbers with fractions are no decisions where others have labels without: each would be a
    category of its own.
    """
    scores = {name: are_scores(labels) for name, labels in named.items() if len(labels)}
    if any(scores.values()) and not all(scores.values()):
        name = next(name for name, true in scores.items() if true)
        if name == next(iter(named)):
            raise UsageError(argument=name, what=f"{'; '.join(SOFT)}; {_NAMED}")
        raise UsageError(argument=name, what=f"{_ELSE}; {_NAMED}")


def are_scores(labels: Iterable[Any]) -> bool:
    """Whether labels are numbers, and some have fractions."""
    listed = list(labels)
    return all(
        isinstance(label, float | int | np.number | np.bool_ | Decimal)
        and not isinstance(label, np.timedelta64)
        for label in listed
    ) and any(label % 1 > 0 for label in listed)


def no_yes_or_no(named: str, labels: Collection[Any]) -> tuple[str, str]:
    """What is wrong with a label that says no yes or no, as it is `named`, and what to do; `labels`
    are all that are there, numbers as such.

    Examples
    --------
    >>> no_yes_or_no("label 'yes'", ["yes", "no"])[0]
    "label 'yes' is not 0/1, -1/1 or false/true"
    """
    if are_scores(labels):
        return f"{named}: {SOFT[0]}", SOFT[1]
    return f"{named} is not 0/1, -1/1 or false/true", SAY_POSITIVE


def say_of_labels(named: Mapping[str, Collection[Any]]) -> None:
    """Warn of labels that are one number; else of decisions none of whose labels is true of an
    item, and of labels that differ by case or blanks only."""
    if say_spellings(dict.fromkeys(chain.from_iterable(named.values()))):
        return
    (truth, known), *others = named.items()
    for name, labels in others:
        pair = known, labels, (truth, name)
        if note := no_common(*pair) or differ_by_case(*pair):
            warn(note)


def say_unlike(named: Mapping[str, Collection[Any]]) -> None:
    """Warn of labels that differ by case or blanks only, of categories that were named: one may be
    named that nobody meant.
    """
    (truth, known), *others = named.items()
    for name, labels in others:
        if note := differ_by_case(known, labels, (truth, name)):
            warn(note)


def no_common(
    known: Collection[Any], labels: Collection[Any], names: tuple[str, str]
) -> NoCommonLabel | None:
    """That two have labels, and none in common; None if that is not so.

    Examples
    --------
    >>> print(no_common(["neg", "pos"], ["Neg", "Pos"], ("truth", "predicted")))
    no label in common: truth has 'neg', 'pos', predicted has 'Neg', 'Pos'; check that both write labels alike
    """  # noqa: E501
    if not len(known) or not len(labels) or not set(known).isdisjoint(labels):
        return None
    return NoCommonLabel("", names, (_some(known), _some(labels)))


def differ_by_case(
    known: Collection[Any], labels: Collection[Any], names: tuple[str, str]
) -> LabelsUnlike | None:
    """That a label which one of both lacks is read as one of its own, but for case and blanks; None
    if that is not so.

    Examples
    --------
    >>> print(differ_by_case(["neg", "pos"], ["neg", "Pos"], ("truth", "predicted")))
    truth has 'pos' and predicted 'Pos', which are two categories; check that both write labels alike
    """  # noqa: E501
    if (found := _read_as(labels, known)) is not None:
        return LabelsUnlike("", names, found)
    if (found := _read_as(known, labels)) is not None:
        return LabelsUnlike("", names, found[::-1])
    return None


def _read_as(some: Collection[Any], known: Collection[Any]) -> tuple[str, str] | None:
    """The first of the known that is read as one of some which is not known, and that one."""
    there = set(known)
    if there.issuperset(some):
        return None
    spelled = {_spelling(label): label for label in known if isinstance(label, str)}
    for label in some:
        if isinstance(label, str) and label not in there and _spelling(label) in spelled:
            return spelled[_spelling(label)], label
    return None


def _spelling(label: str) -> str:
    """What of a text is read: without case, widths, signs that are not seen, and kinds and numbers
    of blanks.
    """
    if not label.isascii():
        label = unicodedata.normalize("NFKC", label)
        label = "".join(letter for letter in label if unicodedata.category(letter) != "Cf")
    return " ".join(label.split()).casefold()


def _some(labels: Collection[Any]) -> str:
    more = len(labels) - _SHOWN
    return listing(list(labels)[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _kind(label: Any) -> str:
    if isinstance(label, str):
        return "texts"
    if isinstance(label, bytes):
        return "bytes"
    # Of those that Python does not hold, NumPy and pandas have others.
    if isinstance(label, datetime | np.datetime64):
        return "datetime objects"
    if isinstance(label, timedelta | np.timedelta64):
        return "timedelta objects"
    return "numbers" if isinstance(label, Number | np.bool_) else f"{type(label).__name__} objects"
