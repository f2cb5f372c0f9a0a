"""Measures of a result, found by any of their names."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, TypeVar

from precall.core.errors import PrecallError, UsageError, key_error
from precall.core.text import as_text
from precall.measures import measure

T = TypeVar("T")


def name_among(
    key: object, names: Collection[str], asked: Mapping[str, str] | None = None
) -> str | None:
    """The result's own name of a measure that may be called by any name; None if there is none.

    `asked` maps the names that were asked for to those of the result.

    Examples
    --------
    >>> (
    ...     name_among("Recall@5", ["AP", "R@5"]),
    ...     name_among("AUC", ["roc_auc"]),
    ...     name_among("MRR", ["AP"]),
    ... )
    ('R@5', 'roc_auc', None)
    """
    name = as_text(key)
    for own in (name, (asked or {}).get(name)):
        if own in names:
            return own
    meant = _meanings(name) if names else set()
    for own in names if meant else ():
        if own in meant or meant & _meanings(own):
            return own
    return None


def _meanings(name: str) -> set[str]:
    """The canonical names of the measure that a name means, and of its form for rankings.

    The set is empty if the name means no measure.
    """
    meant = set()
    # The name may belong to no measure, or the measure may have no form for rankings.
    with suppress(PrecallError):
        named = measure(name)
        meant.add(named.name)
        meant.add(named.of_rankings().name)
    return meant


def head_of(typed: str, name: str) -> str:
    """The name that a measure was asked for by, if it says as much as its canonical name."""
    if typed == name:
        return name
    # A name of the user's own values may belong to no measure.
    with suppress(PrecallError):
        named = measure(typed).of_rankings()
        return str(named.head) if named.name == name else name
    return name


def heads_of(measures: Collection[str], asked: Mapping[str, str]) -> tuple[str, ...]:
    """The heading of each measure: the name that was requested, if it is as specific."""
    typed = {own: name for name, own in reversed(list(asked.items()))}
    return tuple(head_of(typed.get(name, name), name) for name in measures)


class ByMeasure(dict[str, T]):
    """A mapping by measure; any name of the measure finds its value.

    Examples
    --------
    >>> letters = ByMeasure({"RR": "ab", "R@1": "a"})
    >>> letters["MRR"], letters["Recall@1"], "mrr" in letters, letters.get("P@1")
    ('ab', 'a', True, None)
    """

    asked: Mapping[str, str] = MappingProxyType({})
    """The names that were asked for, with the keys that they mean."""
    absent: Mapping[str, str] = MappingProxyType({})
    """Why measures that have been computed have no value here."""

    def __missing__(self, key: object) -> T:
        own = name_among(key, self.keys(), self.asked)
        if own is None:
            absent = name_among(key, self.absent.keys(), self.asked)
            heads = heads_of([str(name) for name in self], self.asked)
            there = f"there are {', '.join(heads) or 'none'}"
            raise key_error(self.absent.get(str(absent), there), key)
        return self[own]

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or name_among(key, self.keys(), self.asked) is not None

    def get(self, key: Any, default: object = None) -> Any:
        """The value for any name of a measure, else the default."""
        try:
            return self[key]
        except KeyError:
            return default


def way_to_measure(kind: type, name: str) -> str | None:
    """How a result gives the measure of this name; None if it does not, or if there is none."""
    way = next((way for way in ("of", "value") if callable(getattr(kind, way, None))), None)
    try:
        named = measure(name) if way else None
    except UsageError:
        itself = kind.__name__.lower()
        found = way_of_word(name, f"{itself}.")
        return found and re.sub(rf"(^| or ){itself}\b", r"\1", found)
    if named is None:
        return None
    declared, plain = (
        named.declaration,
        named.parameters.get("grade", 1) == 1 and not named.judged_only,
    )
    of_counts = declared.of.__name__ == "Counts" and not (named.average and way == "of")
    if kind.__name__ != "Curve":
        return f".{way}({named.name!r})" if of_counts else None
    if of_counts:
        return None if named.average else f"pc.measure({named.name!r})(curve)"
    of_cases = declared.of.__name__ == "Hits" and not declared.graded and plain
    return f".value({named.name!r})" if of_cases else None


def way_of_word(name: str, *begin: str) -> str | None:
    """The calls of Python that the glossary has for a word, of those that begin so; None if there
    is none.

    Examples
    --------
    >>> way_of_word("rocCurve", "curve.")
    'curve.roc() or curve.roc(interpolate=True)'
    """
    from precall.measures.words import word

    meant = word(name)
    spans = [] if meant is None else re.findall(r"`([^`]+)`", meant.here)
    return " or ".join(span for span in spans if span.startswith(begin)) or None


#: What torchmetrics puts before the names of measures of rankings, and of classes.
_OF_RANKINGS, _OF_CLASSES = "Retrieval", ("Binary", "Multiclass", "Multilabel")


def way_from_package(name: str) -> str | None:
    """The call of precall that gives the measure, or what the word names; None if it is neither.

    Examples
    --------
    >>> way_from_package("RetrievalMAP"), way_from_package("BinaryAUROC")
    ("pc.evaluate(qrels, run, ['MAP'])", "pc.curve(labels, scores).value('AUROC')")
    """
    task = next((task for task in (_OF_RANKINGS, *_OF_CLASSES) if name.startswith(task)), "")
    plain = name.removeprefix(task)
    try:
        declared = measure(plain).declaration
    except UsageError:
        return way_of_word(name, "pc.", "curve.")
    if declared.of.__name__ == "Counts":
        return f"pc.decisions(truth, predicted).value({plain!r})"
    of_cases, of_runs = (
        f"pc.curve(labels, scores).value({plain!r})",
        f"pc.evaluate(qrels, run, [{plain!r}])",
    )
    if task in _OF_CLASSES:
        return of_cases
    is_of_both = not task and declared.of.__name__ == "Hits" and not declared.graded
    return f"{of_runs} or {of_cases}" if is_of_both else of_runs
