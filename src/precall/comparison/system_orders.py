"""`compare.orders`: how alike two orders of systems are, by Kendall's tau and AP correlation."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np

from precall.core.arguments import check_column
from precall.core.errors import Kind, Many, Mistake, UsageError
from precall.core.notes import Note
from precall.core.notes.of_comparisons import TiedSystems
from precall.core.ragged import Float64, Int64
from precall.results.equality import Equal
from precall.results.sheets import Presented


@dataclass(frozen=True, slots=True, eq=False)
class Orders(Equal, Presented):
    """How alike two orders of systems are; 1 if they are equal, -1 if one is the other reversed.

    Attributes
    ----------
    systems : how many systems are in order.
    kendall : Kendall's tau-b, which is Kendall's tau if no systems are tied; NaN if all are tied in
        one of the orders.
    tau_ap : AP correlation of the second order, with the first one as the truth: errors near the
        top count more. NaN if systems are tied.
    tau_ap_b : AP correlation in both directions, with ties.
    notes : what was noticed about the orders.

    Examples
    --------
    >>> from precall import compare
    >>> found = compare.orders(["a", "b", "c", "d"], ["b", "a", "c", "d"])
    >>> round(found.kendall, 4), round(found.tau_ap, 4)
    (0.6667, 0.3333)
    """

    systems: int
    kendall: float
    tau_ap: float
    tau_ap_b: float
    notes: tuple[Note, ...] = ()


def orders(a: object, b: object, *, higher_is_better: bool = True) -> Orders:
    """How alike two orders of the same systems are, such as those by two measures, by two judges,
    or on two sets of topics.

    Parameters
    ----------
    a : the first order, for AP correlation the true one: {system: value}, or the names of systems,
        best first.
    b : the second order, of the same systems.
    higher_is_better : whether high values are good. AP correlation counts from the best system.

    Returns
    -------
    Orders
        `kendall`, `tau_ap` and `tau_ap_b`.

    Raises
    ------
    DataError
        A system is in one order only.
    UsageError
        There are fewer than two systems, or a value is not a number.

    Notes
    -----
    Kendall's tau counts the pairs of systems in the same order, less the others; tied pairs are
    treated as in tau-b. AP correlation (Yilmaz, Aslam & Robertson 2008) is the mean, over all
    systems but the best of `b`, of the share of systems above it that are above it in `a` as well,
    scaled to -1 .. 1. `tau_ap_b` is its mean over both directions, with ties as by Urbano & Marrero
    (2017).

    References
    ----------
    Yilmaz, Aslam & Robertson, "A new rank correlation coefficient for information retrieval", SIGIR
    2008; Urbano & Marrero, "The treatment of ties in AP correlation", ICTIR 2017.

    Examples
    --------
    >>> from precall import compare, evaluate
    >>> qrels = {"q1": {"x": 1}, "q2": {"y": 1}}
    >>> runs = {
    ...     "bm25": {"q1": ["x", "y"], "q2": ["y", "x"]},
    ...     "dense": {"q1": ["y", "x"], "q2": ["y", "x"]},
    ...     "random": {"q1": ["y", "x"], "q2": ["x", "y"]},
    ... }
    >>> means = {name: evaluate(qrels, run, "AP")["AP"] for name, run in runs.items()}
    >>> compare.orders(means, ["bm25", "random", "dense"]).kendall
    0.3333333333333333
    """
    good = 1 if higher_is_better else -1
    first, second = _values("a", a, good), _values("b", b, good)
    _refuse_alone(first, second)
    if len(first) < 2:
        raise UsageError(
            "there must be two systems or more", got=Many(len(first), "system"), argument="a"
        )
    x, y = (
        good * check_column(name, [values[system] for system in first])
        for name, values in (("a", first), ("b", second))
    )
    for name, values in (("a", x), ("b", y)):
        if np.isnan(values).any():
            raise UsageError(
                argument=name,
                what="a value is undefined",
                got=float("nan"),
                remedy="leave the system out of both orders",
            )
    tied = [len(values) - len(np.unique(values)) for values in (x, y)]
    notes = (TiedSystems(""),) if any(tied) else ()
    tau_ap = float("nan") if any(tied) else _ap_correlation(x, y)
    both = (_ap_correlation(x, y) + _ap_correlation(y, x)) / 2
    return Orders(len(x), _kendall(x, y), tau_ap, both, notes)


def _values(name: str, given: Any, good: int) -> dict[Any, Any]:
    """The value of each system; in a list of names the first one has the best."""
    if hasattr(given, "items"):
        pairs = list(given.items())
        _refuse_twice(name, [system for system, _ in pairs])
        return dict(pairs)
    if isinstance(given, str | Set) or not isinstance(given, Iterable):
        raise UsageError(
            argument=name,
            got=Kind(given),
            allowed=("{system: value}", "or a list of systems, best first"),
        )
    systems = list(given)
    _refuse_twice(name, systems)
    return {system: -good * float(place) for place, system in enumerate(systems)}


def _refuse_twice(name: str, systems: Sequence[Any]) -> None:
    places = {system: place for place, system in enumerate(systems)}
    if len(places) < len(systems):
        twice = next(system for place, system in enumerate(systems) if places[system] != place)
        raise UsageError(
            argument=name, what="a system is there twice", got=twice, remedy="name each once"
        )


def _refuse_alone(first: Mapping[Any, object], second: Mapping[Any, object]) -> None:
    alone = [*(one for one in first if one not in second), *(o for o in second if o not in first)]
    if alone:
        raise Mistake(
            "only one order has the system {got}",
            "give both orders the same systems",
            got=alone[0],
            others=len(alone) - 1,
        ).error("b" if alone[0] in first else "a")


def _kendall(x: Float64, y: Float64) -> float:
    """Kendall's tau-b."""
    pairs = len(x) * (len(x) - 1) // 2
    same_x, same_y, same_both = (_tied_pairs(values) for values in (x, y, np.column_stack([x, y])))
    unlike = (pairs - same_x) * (pairs - same_y)
    if not unlike:
        return float("nan")
    agreeing = 2 * int(_above_in_both(x, y).sum()) - pairs + same_x + same_y - same_both
    return agreeing / math.sqrt(unlike)


def _tied_pairs(values: Float64) -> int:
    """Of how many pairs the values, or rows, are equal."""
    sizes = np.unique(values, axis=0, return_counts=True)[1]
    return int((sizes * (sizes - 1) // 2).sum())


def _ap_correlation(truth: Float64, guess: Float64) -> float:
    """AP correlation of the order by `guess`; a system is below those with a higher value only, and
    a pair that is tied in the truth is not in the right order. NaN if all are tied.
    """
    order: Int64 = np.argsort(-guess, kind="stable")
    ordered = -guess[order]
    above = np.searchsorted(ordered, ordered)  # systems of higher value
    below = np.flatnonzero(above)
    if not len(below):
        return float("nan")
    right = _above_in_both(truth, guess)[order]
    return 2 * float(np.mean(right[below] / above[below])) - 1


def _above_in_both(x: Float64, y: Float64) -> Int64:
    """How many systems have a higher value than each one in both orders."""
    order = np.lexsort((x, -y))  # of equal y the least x first, so that none of them counts
    found = np.empty(len(x), np.int64)
    found[order] = _greater_before(x[order])
    return found


def _greater_before(values: Float64) -> Int64:
    """How many of the values before each one are greater.

    In blocks of two, four, eight ... places, those of the left half are counted for each place of
    the right one.
    """
    order: Int64 = np.lexsort((-np.arange(len(values)), -values))  # of equal ones the last first
    found = np.zeros(len(values), np.int64)
    for level in range((len(values) - 1).bit_length()):
        block = order >> (level + 1)
        rows = order[np.argsort(block, kind="stable")]
        left = (rows >> level & 1) == 0
        before = np.concatenate([[0], np.cumsum(left)])  # of the left halves, all blocks together
        right = np.flatnonzero(~left)
        # A block before is full, so half of its places are in its left half.
        found[rows[right]] += before[right] - (rows[right] >> (level + 1) << level)
    return found
