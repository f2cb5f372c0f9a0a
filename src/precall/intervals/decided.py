"""Intervals for measures of hard decisions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from precall.contingency import Decisions
from precall.contingency.membership import ONE_CATEGORY
from precall.errors import UsageError
from precall.infer.interval import averaged_f, f_measure
from precall.infer.interval import proportion as of_counts
from precall.infer.interval.averaged_f import Memberships, of_matrix
from precall.infer.interval.interval import Interval, knowing
from precall.intervals.table import Intervals
from precall.notes import listening, together, warn
from precall.rng import Rng

MEASURES = ("precision", "recall", "f", "accuracy", "micro-f", "macro-f")
_BINARY = ("precision", "recall", "f", "accuracy")
#: Of what is no proportion.
_METHODS = {"f": f_measure.METHODS, "micro-f": averaged_f.METHODS, "macro-f": averaged_f.METHODS}


def micro_f(
    given: Any, beta: float = 1.0, *, level: float = 0.95, method: str = "logit", rng: Rng = 0
) -> Interval:  # fmt: skip
    """Interval of micro-averaged F: F of the summed contingency tables.

    Parameters
    ----------
    given : `Decisions`, or a confusion matrix (truth x decision, counts).
    beta : >= 0, weight of recall; F of 0 is precision.
    level : nominal coverage, in (0, 1).
    method : "logit" (default): symmetric on the log-odds scale; "wald": value ± z errors, cut to 0..1, as
        published by Takahashi, Yamamoto, Kuchiba & Koyama (2022).
    rng : taken as by every interval; nothing is drawn here.

    Returns
    -------
    Interval
        Items are the sample; that several decisions are about one item is accounted for. Undefined (NaN, with a
        warning) without items, or where no item is in a category and none was decided. At 0 and 1, where the
        spread is 0, the bounds are Wilson's for as many trials as items, with a warning.

    Warns
    -----
    PrecallWarning
        Fewer than 50 items, or than 5 expected errors or hits; for macro-F also a category that is true or decided
        fewer than 20 times.

    Notes
    -----
    With one category per item micro-F is accuracy, and "wald" is Wald's interval of a proportion.

    Examples
    --------
    >>> from precall import interval
    >>> print(interval.micro_f([[30, 5, 2], [4, 40, 1], [1, 3, 14]]))
    micro F1 0.8400 [0.7547, 0.8996] 95 % logit
    """
    return averaged_f.interval(_members(given, "micro"), "micro", beta, level=level, method=method)


def macro_f(
    given: Any, beta: float = 1.0, *, level: float = 0.95, method: str = "logit", rng: Rng = 0
) -> Interval:  # fmt: skip
    """Interval of macro-averaged F: the mean of the categories' F. Parameters as of `micro_f`.

    A category that nothing is in and that nobody decided counts as 0, as in `Decisions.f("macro")`. On new items its F may
    be anything in 0..1, and "logit" leaves room for that: the bounds go down from the mean of F with what is not known of
    rare categories taken as 0, and up from it with that taken as 1; half a case more of each kind is added where a
    category without errors, or hits, would have no variance.

    Examples
    --------
    >>> from precall import interval
    >>> print(interval.macro_f([[30, 5, 2], [4, 40, 1], [1, 3, 14]]))
    macro F1 0.8312 [0.7372, 0.8989] 95 % logit
    """
    return averaged_f.interval(_members(given, "macro"), "macro", beta, level=level, method=method)


def _members(given: Any, average: str) -> Memberships:
    if not isinstance(given, Decisions):
        return of_matrix(given)
    if given.truth.kind == "binary":
        warn(f"{average} F of {ONE_CATEGORY}")
    truth, said, both = given.truth, given.predicted, given._both
    return Memberships(
        truth.item, truth.category, said.item, said.category, both.item, both.category,
        np.ones(truth.items, np.int64), len(given.categories),
    )  # fmt: skip


def of_decisions(
    given: Decisions, measure: str | None, beta: float = 1.0, *, level: float = 0.95, method: str | None = None,
    rng: Rng = 0,
) -> Interval | Intervals:  # fmt: skip
    """Intervals of decisions: of one measure, or of all.

    Binary decisions have precision, recall, f and accuracy. Others have precision, recall and f for each
    category, accuracy (the share of items all of whose labels are right), micro-f and macro-f.

    Examples
    --------
    >>> from precall.contingency import decisions
    >>> d = decisions([1] * 30 + [0] * 30, [1] * 24 + [0] * 30 + [1] * 6)
    >>> print(of_decisions(d, "precision"))
    precision 0.8000 [0.6269, 0.9049] 95 % wilson
    """
    binary = given.truth.kind == "binary"
    allowed = _BINARY if binary else MEASURES
    if measure is None:
        known = knowing(method, {name: _METHODS.get(name, of_counts.METHODS) for name in allowed})
        with listening():
            parts = {
                name: of_decisions(
                    given, name, beta, level=level, method=method if name in known else None, rng=rng
                )
                for name in allowed
            }
        flat: dict[Any, Interval] = {}
        notes: dict[str, None] = {}
        for name, one in parts.items():
            flat |= {name: one} if isinstance(one, Interval) else {(key, name): one[key] for key in one}
            notes |= dict.fromkeys(one.notes)
        return Intervals(flat, notes=tuple(notes), over="category").aloud()
    name = measure.lower()
    if name not in allowed:
        raise UsageError(f"measure: got {measure!r}, allowed are {', '.join(allowed)}")
    chosen: dict[str, Any] = {"level": level} | ({} if method is None else {"method": method})
    if name in ("micro-f", "macro-f"):
        return (micro_f if name == "micro-f" else macro_f)(given, beta, **chosen)
    if name == "accuracy" and not binary:
        right = int(np.count_nonzero(given.right()))
        return of_counts.proportion(right, given.truth.items, measure="accuracy", **chosen)
    of_table = _counted(name, beta, chosen | ({"rng": rng} if name == "f" else {}))
    counts = given.counts()
    tables = zip(*(part.tolist() for part in (counts.tp, counts.fp, counts.fn, counts.tn)), strict=True)
    if binary:
        return of_table(*next(tables))
    with listening():
        found = {str(key): of_table(*table) for key, table in zip(given.categories, tables, strict=True)}
    said = ((key, note) for key, one in found.items() for note in one.notes)
    return Intervals(found, notes=together(said)).aloud()


def _counted(name: str, beta: float, chosen: dict[str, Any]) -> Callable[..., Interval]:
    """The interval of a measure from the four counts."""
    if name == "f":
        return lambda tp, fp, fn, tn: f_measure.f(tp, fp, fn, beta, **chosen)
    measure: dict[str, Callable[..., Interval]] = {
        "precision": of_counts.precision, "recall": of_counts.recall, "accuracy": of_counts.accuracy,
    }  # fmt: skip
    return lambda tp, fp, fn, tn: measure[name](tp, fp=fp, fn=fn, tn=tn, **chosen)
