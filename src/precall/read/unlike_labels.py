"""Labels of truth and decisions that cannot match: other types, scores, other spellings."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import chain
from numbers import Number
from typing import Any

import numpy as np

from precall.core.errors import Mistake, Several, UsageError
from precall.core.notes import warn
from precall.core.notes.of_reading import LabelsShifted, LabelsUnlike, NoCommonLabel
from precall.core.text import as_text, python_scalar, short_repr, without_invisible
from precall.native import literals
from precall.read.positive_label import say_spellings

#: What is wrong with scores instead of decisions, and what to do.
NO_DECISIONS = (
    "scores beside labels are no decisions",
    "decide first, such as by scores >= 0.5, of several categories by the greatest score",
)
_ELSE = "; ".join((*NO_DECISIONS, "or pass labels and scores to pc.curve or pc.categorize"))
_NAMED = "if they are categories, name all with ⟨categories=[...]⟩"
#: What is wrong with soft labels as truth, and what to do.
SOFT = (
    "numbers with fractions are no labels: they say how far, and not whether",
    "say from where on it is so, such as by labels >= 0.5",
)
#: What to do about labels that do not say yes or no by themselves.
SAY_POSITIVE = "say which label counts as relevant with ⟨positive=⟩"
_ALIKE = "check that both write labels alike"


def refuse_unlike(named: Mapping[str, Collection[object]]) -> None:
    """Raise if decisions are scores, or have no type of label in common with the truth; `named` has
    the distinct labels of each.

    The truth comes first. Text never equals a number or bytes.
    """
    refuse_scores(named)
    (truth, labels_of_truth), *others = named.items()
    for name, labels in others:
        ours, theirs = (
            {_kind(label): label for label in reversed([*collection])}
            for collection in (labels_of_truth, labels)
        )
        if ours and theirs and not ours.keys() & theirs.keys():
            sides = " and ".join(
                f"{side} has {kind} such as {short_repr(label)}"
                for side, kinds in ((truth, ours), (name, theirs))
                for kind, label in list(kinds.items())[:1]
            )
            raise UsageError(
                argument=sides, what="they never match; write the labels of both as one type"
            )


def refuse_scores(named: Mapping[str, Collection[object]]) -> None:
    """Raise if some labels are numbers with fractions and others are not: each number would be a
    category of its own.
    """
    scores = {name: are_scores(labels) for name, labels in named.items() if len(labels)}
    if any(scores.values()) and not all(scores.values()):
        name = next(name for name, true in scores.items() if true)
        if name == next(iter(named)):
            raise UsageError(argument=name, what=f"{'; '.join(SOFT)}; {_NAMED}")
        raise UsageError(argument=name, what=f"{_ELSE}; {_NAMED}")


def are_scores(labels: Iterable[object]) -> bool:
    """Whether labels are numbers, or texts of numbers, some with fractions."""
    listed: list[Any] = [
        literals.score(label) if isinstance(label, str) else label for label in labels
    ]
    return all(
        isinstance(label, float | int | np.number | np.bool_ | Decimal)
        and not isinstance(label, np.timedelta64)
        for label in listed
    ) and any(label % 1 > 0 for label in listed)


def no_yes_or_no(labels: Collection[object], got: object, case: int | None = None) -> Mistake:
    """The mistake that a label, or `Several`, does not say yes or no; `labels` are all labels,
    numbers as such.

    Examples
    --------
    >>> print(no_yes_or_no(["yes", "no"], "yes").of("x.csv", 3))
    x.csv:3: label 'yes' is not 0/1, -1/1 or false/true; say which label counts as relevant with positive=
    """  # noqa: E501
    several = isinstance(got, Several)
    what = (
        "labels {got}"
        if several
        else "label {got}"
        if case is None
        else "label {got} of case {case}"
    )
    if are_scores(labels):
        return Mistake(f"{what}: {SOFT[0]}", SOFT[1], got=got, case=case)
    neither = " are not 0/1, -1/1 or false/true" if several else " is not 0/1, -1/1 or false/true"
    return Mistake(what, SAY_POSITIVE, got=got, case=case).suffix(neither)


def say_of_labels(named: Mapping[str, Collection[object]]) -> None:
    """Warn of two labels that are one number; otherwise of decisions none of whose labels occurs in
    the truth, or of labels that differ only in case or blanks.
    """
    if say_spellings(dict.fromkeys(chain.from_iterable(named.values()))):
        return
    (truth, labels_of_truth), *others = named.items()
    for name, labels in others:
        pair = labels_of_truth, labels, (truth, name)
        if note := no_common(*pair) or differ_by_one(*pair) or differ_by_case(*pair):
            warn(note)


def say_unlike(named: Mapping[str, Collection[object]]) -> None:
    """Warn of labels that differ only in case or blanks from categories that were named: such a
    name may be a mistake.
    """
    (truth, labels_of_truth), *others = named.items()
    for name, labels in others:
        if note := differ_by_case(labels_of_truth, labels, (truth, name)):
            warn(note)


def no_common(
    labels_of_truth: Collection[object], labels: Collection[object], names: tuple[str, str]
) -> NoCommonLabel | None:
    """The note that two columns have labels, but none in common; None if that is not so.

    Examples
    --------
    >>> print(no_common(["neg", "pos"], ["Neg", "Pos"], ("truth", "predicted")))
    no label in common: truth has 'neg', 'pos', predicted has 'Neg', 'Pos'; check that both write labels alike
    """  # noqa: E501
    if not len(labels_of_truth) or not len(labels) or not set(labels_of_truth).isdisjoint(labels):
        return None
    both = labels_of_truth, labels
    named = tuple(tuple(map(_plain, list(each)[:_NAMED_LABELS])) for each in both)
    more = tuple(max(len(each) - _NAMED_LABELS, 0) for each in both)
    return NoCommonLabel("", names, named, more)  # type: ignore[arg-type]


#: So many labels of each column are named.
_NAMED_LABELS = 3


def _plain(label: object) -> str | float:
    """A label as JSON can hold it."""
    plain = python_scalar(label)
    return plain if isinstance(plain, str | int | float) else as_text(plain)


def differ_by_one(
    labels_of_truth: Collection[object], labels: Collection[object], names: tuple[str, str]
) -> LabelsShifted | None:
    """The note that one column numbers as many categories from 0 as the other from 1; None if that
    is not so.

    Examples
    --------
    >>> print(differ_by_one([1, 2, 3], [0, 1, 2], ("truth", "predicted")))
    labels: truth counts from 1 and predicted counts from 0; if these are the same categories, write both alike
    """  # noqa: E501
    count = len(labels)
    if count < 2 or len(labels_of_truth) != count:
        return None
    first, second = _start(labels_of_truth), _start(labels)
    if first is None or second is None or {first, second} != {0, 1}:
        return None
    return LabelsShifted("", names, (first, second))


def _start(labels: Collection[object]) -> int | None:
    """The least label if labels are consecutive whole numbers, or texts of them."""
    numbers = [
        int(label)
        for label in labels
        if (isinstance(label, int | np.integer) and not isinstance(label, bool))
        or (isinstance(label, str) and label.isascii() and label.isdigit() and len(label) < 10)
    ]
    least = min(numbers, default=0)
    is_range = {*numbers} == {*range(least, least + len(labels))}
    return least if is_range and len(numbers) == len(labels) else None


def differ_by_case(
    labels_of_truth: Collection[object], labels: Collection[object], names: tuple[str, str]
) -> LabelsUnlike | None:
    """The note that a label of one column differs only in case and blanks from one of the other;
    None if there is none.

    Examples
    --------
    >>> print(differ_by_case(["neg", "pos"], ["neg", "Pos"], ("truth", "predicted")))
    truth has 'pos' and predicted 'Pos': these are two categories; check that both write labels alike
    """  # noqa: E501
    if (pair := _first_similar_pair(labels, labels_of_truth)) is not None:
        return LabelsUnlike("", names, pair)
    if (pair := _first_similar_pair(labels_of_truth, labels)) is not None:
        return LabelsUnlike("", names, pair[::-1])
    return None


def _first_similar_pair(
    some: Collection[object], others: Collection[object]
) -> tuple[str, str] | None:
    """The first pair of a label of `others` and one of `some`, absent from `others`, that differ
    only in case or blanks.
    """
    there = set(others)
    if there.issuperset(some):
        return None
    spelled = {_spelling(label): label for label in others if isinstance(label, str)}
    for label in some:
        if isinstance(label, str) and label not in there and _spelling(label) in spelled:
            return spelled[_spelling(label)], label
    return None


def _spelling(label: str) -> str:
    """A text without differences of case, width, invisible characters and kinds and numbers of
    blanks.
    """
    if not label.isascii():
        label = without_invisible(unicodedata.normalize("NFKC", label))
    return " ".join(label.split()).casefold()


def _kind(label: object) -> str:
    if isinstance(label, str):
        return "texts"
    if isinstance(label, bytes):
        return "bytes"
    # Times that Python does not hold are objects of NumPy and pandas.
    if isinstance(label, datetime | np.datetime64):
        return "datetime objects"
    if isinstance(label, timedelta | np.timedelta64):
        return "timedelta objects"
    return "numbers" if isinstance(label, Number | np.bool_) else f"{type(label).__name__} objects"
