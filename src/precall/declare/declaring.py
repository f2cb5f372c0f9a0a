"""`measure`: finds what was declared by its name, or declares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any, TypeVar, overload

from precall.declare.bound import Measure
from precall.declare.declaration import Declaration, Formula
from precall.declare.registry import REGISTRY
from precall.errors import MeasureError

F = TypeVar("F", bound=Formula)
_KEYWORDS = tuple(
    field.name for field in fields(Declaration) if field.name not in ("name", "formula", "cache")
)


@overload
def measure(name: str, /) -> Measure: ...
@overload
def measure(name: str, /, *, sources: Sequence[str] = ..., **declared: Any) -> Callable[[F], F]: ...
def measure(name: str, /, **declared: Any) -> Measure | Callable[[F], F]:
    """Find a measure by its name, or declare one.

    Parameters
    ----------
    name : alone: any name of the grammar (`AP`, `P@10`, `AP(grade=2)@100`), trec_eval's (`map`,
        `P_10`) or ir_measures' (`AP(rel=2)`). With keywords: the base name to declare; what comes
        back decorates the formula.
    of : `Counts` for a measure of counts; otherwise the formula's first annotation says what it takes: `Hits`, `Located`,
        or `Path` for one ranking along its thresholds, of which it returns one number.
    sources : keys of `precall.measures.SOURCES`, or citations.
    example : a worked `Example`; it runs as a test and is shown by `precall explain`.
    range : least and greatest possible value.
    undefined : when the value is NaN, in words.
    trec_eval : trec_eval's names, parameters in braces (`P_{cutoff}`); `aliases` likewise for others.
    linear : the value is a sum over hits of a weight of their rank (of counts: linear in TP while the margins
        stay), so that the formula takes mean hits under ties="expected".
    closed : how else the formula averages over orders of ties by itself, such as "hypergeometric"; without
        either, ties="expected" writes the orders out. Both are checked here, on rankings with ties.
    blocks : the measure that it is of a curve, where cases of equal score are accepted as a whole: of AP "AreaPR".
    monotone : moving a relevant item one rank up never lowers the value.
    judging : it tells unjudged items from those judged not relevant.
    strict : the value changes whenever unlike items (within the cutoff) change places.
    aggregate : "mean", "geometric" or "sum" over topics.
    direction : 1 if high is good, -1 if low is, 0 if neither.
    sklearn : scikit-learn's names of it.
    proportion : of counts: the cells counted and those that they are compared with, ("tp", "fp") for precision:
        the value is a proportion, and has the intervals of one.
    joint : of counts: what it is of single-label decisions with several categories, a function of the `Counts` of
        all categories (the last axis).
    items : of counts: what it is of each item, a function of their `Counts`; of decisions it is the mean.

    Raises
    ------
    MeasureError
        No such measure or parameter, or a parameter outside of what it allows; or a measure that is declared
        to average by itself, and does not.

    Examples
    --------
    >>> from precall.location.hits import Hits
    >>> from precall.measures import measure
    >>> measure("map")(Hits.of([1, 3], retrieved=10, relevant=2))
    array([0.83333333])
    """
    if not declared:
        return REGISTRY.find(name)
    for key in declared:
        if key not in _KEYWORDS:
            raise MeasureError(f"measure({name!r}): no keyword {key!r}; allowed are {', '.join(_KEYWORDS)}")
    for key in ("sources", "trec_eval", "aliases", "sklearn"):
        value = declared.get(key, ())
        declared[key] = (value,) if isinstance(value, str) else tuple(value)

    def declare(formula: F) -> F:
        REGISTRY.add(Declaration(name, formula, **declared))
        return formula

    return declare
