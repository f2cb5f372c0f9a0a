"""Policies for accepting: thresholds per category (SCut), ranks per item (RCut), proportions
(PCut); Yang (2001).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.cases.ranking_curves import Curves
from precall.core.arguments import check_kind
from precall.core.counts import Counts
from precall.core.errors import Fact, MeasureError, UsageError
from precall.core.notes import collect_notes
from precall.core.ragged import Bool, Float64, Int64, changes
from precall.core.text import typed_number
from precall.hard_decisions import tuning
from precall.hard_decisions.thresholds import Thresholds
from precall.measures import Measure, of_counts, weighted
from precall.measures.best_points import best_row_of_each, nearest_of_each

if TYPE_CHECKING:
    import numpy.typing as npt

    from precall.cases import Curve
    from precall.hard_decisions.pivots import Status

NAMES = (
    "break-even",
    "max-f",
    "fixed:s",
    "rank:k",
    "proportion[:x]",
    "global",
    "max:MEASURE",
    "utility[:tp=a,fp=b]",
)
#: Policies with a threshold for each category that does not depend on other categories.
OF_EACH = ("break-even", "max-f", "max:MEASURE", "utility[:tp=a,fp=b]")
#: Names in the literature of text categorization (Yang 2001).
LITERATURE = {"scut": "max-f", "rcut": "rank", "pcut": "proportion", "bep": "break-even"}
#: Policies with one number, and its name.
NUMBERS = {"fixed": "s", "rank": "k", "proportion": "x"}
#: Names of the weights of `Utility`, in its order.
_CELLS_OF_UTILITY = ("tp", "fp", "fn", "tn")
#: Exceeds the error of three roundings in a share of the items.
_UP = 1 + 2**-51
#: Number of scores that are copied at a time.
_CELLS = 1 << 20
#: Size of a block, whose best member is looked at first; and the most candidates that may remain,
#: as a multiple of the wanted number.
_BLOCK, _MANY = 64, 8
#: If categories have at most this many items on average, the scores at or above each of theirs are
#: counted one by one.
_FEW = 8


def learn(
    method: str,
    status: Status,
    curves: Iterable[Curves],
    beta: float,
    tune: str | Measure | None,
    undefined: str,
) -> Thresholds:
    """Thresholds by `method`, from truth and scores and from the categories' curves; see
    `Status.thresholds`.
    """
    name, option = parse(method)
    if name in NUMBERS or name == "global":
        return _with_number(method, name, option, status, tune, undefined)
    choose = _of_each(method, name, option, beta, tune)
    if name == "max" and tune is None and option.lower() == "f":
        values, accepts = _of_points(status, curves, beta)
    else:
        values, accepts = _choose_thresholds(curves, choose)
    _refuse_infinite(method, status, np.isposinf(values) & accepts)
    return Thresholds(
        method,
        "score",
        values,
        status.categories,
        tuned="" if tune is None else str(tune),
        **_origin(status),
    )


def learn_each(
    method: str,
    categories: tuple[Any, ...],
    curves: Iterable[Curve],
    items: int,
    beta: float,
    tune: str | Measure | None,
) -> Thresholds:
    """Thresholds by a `method` with one for each category, from the curves of the categories."""
    name, option = parse(method)
    if name in NUMBERS or name == "global":
        raise UsageError(
            argument="method",
            what=(
                f"{method} has one number for all categories, which needs all items at once "
                "(pc.categorize)"
            ),
            allowed=OF_EACH,
        )
    values, accepts = _choose_thresholds(
        map(Curves.of, curves), _of_each(method, name, option, beta, tune)
    )
    if (endless := np.isposinf(values) & accepts).any():
        raise _infinite(method, categories[int(np.argmax(endless))])
    return Thresholds(
        method, "score", values, categories, tuned="" if tune is None else str(tune), items=items
    )


def parse(method: str) -> tuple[str, str]:
    """The policy, by our name, and the text after the colon."""
    text = LITERATURE.get(str(method).lower(), str(method))
    name, colon, option = text.partition(":")
    if colon and not option:
        raise UsageError(argument="method", got=method, why="with nothing after the colon")
    if best := re.fullmatch("max[-:=](.+)", text, re.IGNORECASE):
        if text[3] == "-" and colon:
            raise UsageError(
                argument="method",
                got=method,
                remedy="write max:MEASURE, such as max:F2 or max:F(beta=0.5)",
            )
        return "max", best[1]
    name = LITERATURE.get(name.lower(), name.lower())
    if name == "utility":
        return "max", _utility(method, option).name
    if name not in NUMBERS and (colon or name not in ("break-even", "global")):
        theirs = ", ".join(f"{word} ({ours})" for word, ours in LITERATURE.items())
        raise UsageError(argument="method", got=method, allowed=(*NAMES, f"also called {theirs}"))
    return name, option


def _origin(status: Status) -> dict[str, Any]:
    return {"items": status.truth.items, "data": status.digest, "source": status.source}


def _with_number(
    method: str, name: str, option: str, status: Status, tune: str | Measure | None, undefined: str
) -> Thresholds:
    """Thresholds of a policy with one number, which is given or tuned."""
    tune = "micro-F1" if tune is None and name == "global" else tune
    name = "fixed" if name == "global" else name
    if tune is None:
        value = _read_number(method, name, option)
        learned = name == "proportion"
        return replace(
            _of_number(method, name, value, status),
            learned=learned,
            **_origin(status) if learned else {},
        )
    if option:
        raise UsageError(
            argument=method,
            what="already has a number, so there is nothing to tune",
            remedy="leave one of them out",
        )
    measure, average = tuning.tuned_measure(tune)
    value = tuning.best_number(status, name, measure, average, undefined)
    thresholds = _of_number(method, name, value, status)
    with collect_notes():
        reached = float(status.decide(thresholds).value(measure, average, undefined))
    value_reached = None if np.isnan(reached) else reached
    return replace(
        thresholds, tuned=str(tune), number=value, reached=value_reached, **_origin(status)
    )


def _read_number(method: str, name: str, option: str) -> float:
    """The number after the colon."""
    try:
        value = typed_number(option) if option else 0.5 if name == "fixed" else 1.0
    except ValueError as error:
        raise UsageError(argument=method, what=str(error)) from None
    if not np.isfinite(value):
        raise UsageError(argument=method, allowed="a finite number", got=Fact(option))
    if name == "rank" and (value < 1 or value != int(value)):
        raise UsageError(argument=method, what="the rank must be an integer >= 1")
    if name == "proportion" and not value > 0:
        raise UsageError(argument=method, what="the factor must be > 0")
    return value


def _of_number(method: str, name: str, value: float, status: Status) -> Thresholds:
    count = len(status.categories)
    if name == "fixed":
        return Thresholds(method, "score", np.full(count, value), status.categories)
    if name == "rank":
        _refuse_ranks(status)
        return Thresholds(method, "rank", np.array([value]), status.categories)
    labelled = status.truth.labelled_per_category()
    share = status.truth.per_category() / np.maximum(labelled, 1)
    return Thresholds(method, "proportion", np.minimum(share * value, 1.0), status.categories)


def _refuse_ranks(status: Status) -> None:
    """Raise if some pairs have no label: the best categories of an item may be among them."""
    status.truth.refuse_unlabelled(
        "rank", "take a threshold for each category, such as max-f, or one for all, global"
    )


def _of_each(
    method: str, name: str, option: str, beta: float, tune: str | Measure | None
) -> Callable[[Curves], Int64]:
    """A function that chooses the operating points of categories, as rows of their curves."""
    if tune is not None and (name != "max" or option.lower() != "f"):
        raise UsageError(argument=method, what="already names its measure", remedy="leave tune out")
    if name == "break-even":
        return _nearest
    if tune is not None:
        measure, average = tuning.tuned_measure(tune, each=True)
        if average in ("micro", "samples") or (average is None and measure.declaration.items):
            raise UsageError(
                argument="tune",
                what=f"{tune} measures all categories together, but {method} has a threshold for "
                f"each",
                remedy=(
                    f"take macro-{measure.name}, or a policy with one number: global, rcut, pcut"
                ),
            )
        return partial(_best_of, measure)
    try:
        measure = weighted("F", beta) if option.lower() == "f" else of_counts(option)
    except MeasureError as error:
        raise UsageError(argument=method, what=str(error)) from None
    tuning.check_direction(measure, method)
    return partial(_best_of, measure)


def _nearest(paths: Curves) -> Int64:
    return nearest_of_each(paths)[0]


def _best_of(measure: Measure, paths: Curves) -> Int64:
    """The rows at which a measure is best. If no scored item is relevant and the measure is
    undefined for accepting nothing, nothing is accepted.
    """
    begin = paths.start[:-1]
    rows, _ = best_row_of_each(paths, measure)
    is_defined = ~np.isnan(measure.of_table(paths.table()[begin]))
    return np.where((paths.tp[paths.start[1:] - 1] > 0) | is_defined, rows, begin)


def _utility(method: str, option: str) -> Measure:
    """Utility from the text of its weights: 1,-1,0,0 in order, or tp=1,fp=-1."""
    parts = (
        [price.replace(":", "=").rpartition("=") for price in option.split(",")] if option else []
    )
    named = [name.strip() for name, _, _ in parts]
    texts = [text.strip() for _, _, text in parts]
    cells = named if any(named) else list(_CELLS_OF_UTILITY[: len(parts)])
    allowed = ", ".join(_CELLS_OF_UTILITY)
    why = ""
    if unknown := next((name for name in named if name and name not in _CELLS_OF_UTILITY), ""):
        why = f"no parameter {unknown!r}; allowed are {allowed}"
    elif len(cells) < len(parts) or "" in cells or len(set(cells)) < len(cells):
        once = f"give each of {allowed} at most one weight, all by their places or all by name"
        why = f"got {', '.join(texts)}; {once}"
    for cell, text in zip(cells, texts, strict=False):
        why = why or ("" if _is_finite(text) else f"{cell} must be a number, got {text}")
    if why:
        raise UsageError(
            argument=method,
            allowed=(
                "the weights of tp, fp, fn and tn, such as utility:tp=1,fp=-1 or "
                f"utility:1,-1,0,0 ({why})"
            ),
        )
    weights = (f"{cell}={text}" for cell, text in zip(cells, texts, strict=True))
    return of_counts(f"Utility({','.join(weights)})")


def _is_finite(text: str) -> bool:
    try:
        return bool(np.isfinite(typed_number(text)))
    except ValueError:
        return False


@np.errstate(divide="ignore", invalid="ignore")
def _choose_thresholds(
    parts: Iterable[Curves], choose: Callable[[Curves], Int64]
) -> tuple[Float64, Bool]:
    """The threshold of each category's chosen point, and whether that point accepts anything."""
    values, accepts = [np.zeros(0)], [np.zeros(0, np.bool_)]
    for paths in parts:
        rows = choose(paths)
        values.append(paths.threshold[rows].astype(np.float64))
        accepts.append(paths.tp[rows] + paths.fp[rows] > 0)
    return np.concatenate(values), np.concatenate(accepts)


def _of_points(status: Status, curves: Iterable[Curves], beta: float) -> tuple[Float64, Bool]:
    """The thresholds of the categories' greatest F, and whether these points accept anything."""
    few = len(status.truth.keys) <= _FEW * len(status.categories)
    if status.matrix is not None and few:
        return _of_true_scores(status, status.matrix, beta), status.truth.per_category() > 0
    return _choose_thresholds(curves, partial(_best_of, weighted("F", beta)))


def _refuse_infinite(method: str, status: Status, learned: Bool) -> None:
    """Raise if the score +inf was learned as a threshold: such a threshold accepts nothing."""
    if not learned.any():
        return
    endless = status.category[np.isposinf(status.score)]
    if len(both := np.intersect1d(endless, np.flatnonzero(learned))):
        raise _infinite(method, status.categories[both[0]])


def _infinite(method: str, category: object) -> UsageError:
    problem = f"the least score to accept in category {category!r} is inf"
    return UsageError(
        argument=method,
        what=f"{problem}, a threshold that accepts nothing",
        remedy="give finite scores",
    )


def _of_true_scores(status: Status, score: npt.NDArray[Any], beta: float) -> Float64:
    """The threshold of each category's greatest F, which is the score of one of its items; the
    highest if several are equal.
    """
    items = max(status.truth.items, 1)
    # Adding 0 turns -0 into 0, so that results do not depend on which of them came first.
    category, least = (
        status.truth.category,
        status.score[status.truth.keys] + status.score.dtype.type(0),
    )
    over = np.zeros(len(category), np.int64)
    for begin in range(0, len(over), size := max(1, _CELLS // items)):
        rows = slice(begin, begin + size)
        over[rows] = np.count_nonzero(score[:, category[rows]] >= least[rows], axis=0)
    order = np.lexsort((over, category))
    category, least, over = category[order], least[order], over[order]
    # Items of equal score are all accepted.
    start, relevant = np.searchsorted(category, category), status.truth.per_category()[category]
    tp = np.searchsorted(run := np.cumsum(changes(category, over)), run, "right") - start
    values = weighted("F", beta).of_table(Counts(tp, over - tp, relevant - tp))
    best = np.lexsort((over, -values, category))
    first = best[changes(category[best])]
    thresholds = np.full(len(status.categories), np.inf)
    thresholds[category[first]] = least[first]
    return thresholds


def accept(status: Status, thresholds: Thresholds) -> Bool:
    """Whether each scored pair is accepted."""
    own = (
        "(of one number for all thresholds('fixed:0.5'); others of your own by "
        "pc.decisions(truth, scores >= t))"
    )
    check_kind(
        "thresholds",
        thresholds,
        Thresholds,
        f"what thresholds() or pc.read_thresholds() returns {own}",
    )
    values, matrix = thresholds.matched(status.categories).values, status.matrix
    if thresholds.kind == "score":
        # In the type of the scores, as `Curve.at` compares. A learned threshold of +inf accepts
        # nothing, and neither does NaN.
        with np.errstate(over="ignore", invalid="ignore"):
            least: npt.NDArray[Any] = np.where(np.isposinf(values), np.nan, values).astype(
                status.score.dtype
            )
            over = status.score >= least[status.category] if matrix is None else matrix >= least
        return np.asarray(over).ravel()
    if by_item := thresholds.kind == "rank":
        _refuse_ranks(status)
    items, categories = status.truth.items, len(status.categories)
    # Halves are rounded up: a category that should accept half an item accepts one, even if
    # rounding made the product smaller.
    quota = (
        np.repeat(np.minimum(values, categories), items)
        if by_item
        else np.floor(values * status.truth.labelled_per_category() * _UP + 0.5)
    )
    quota = quota.astype(np.int64)
    if matrix is None:
        group = status.item if by_item else status.category
        return tuning.place_in(group, status.score) <= quota[group]
    return _best(matrix, quota).ravel() if by_item else _best(matrix.T, quota).T.ravel()


def _best_of_blocks(score: npt.NDArray[Any], quota: Int64, chosen: Bool) -> bool:
    """Choose the `quota` best of each row, if these are few: comparing with the best of blocks
    leaves hardly any candidates.

    The wanted members are no worse than the best members of as many blocks. Returns False, with
    nothing chosen, if too many candidates are as good.
    """
    rows, members = score.shape
    most = int(quota.max())
    if not 0 < most * 2 * _BLOCK <= members:
        return False
    tops = score[:, : members // _BLOCK * _BLOCK].reshape(rows, -1, _BLOCK).max(axis=2)
    good = score >= np.partition(tops, -most, axis=1)[:, [-most]]
    if np.count_nonzero(good) > _MANY * most * rows:
        return False
    row, member = np.nonzero(good)
    # The first of equal scores is taken.
    order = np.lexsort((member, -score[row, member], row))
    row, member = row[order], member[order]
    among = np.arange(len(row)) - np.searchsorted(row, np.arange(rows))[row] < quota[row]
    chosen[row[among], member[among]] = True
    return True


def _best(score: npt.NDArray[Any], quota: Int64) -> Bool:
    """The `quota` best of each row; of equal scores the first are taken."""
    rows, members = score.shape
    chosen = np.zeros(score.shape, np.bool_)
    if not members:
        return chosen
    position = np.clip(members - quota, 0, members - 1)
    size = max(1, _CELLS // members)
    for begin in range(0, rows, size):
        block = slice(begin, begin + size)
        some, wanted, at = (
            np.ascontiguousarray(score[block]),
            quota[block, None],
            position[block, None],
        )
        if _best_of_blocks(some, quota[block], chosen[block]):
            continue
        least = np.take_along_axis(np.partition(some, np.unique(at), axis=1), at, axis=1)
        over = (some >= least) & (wanted > 0)
        if len(tied := np.flatnonzero(np.count_nonzero(over, axis=1) > wanted[:, 0])):
            above, equal = (compare(some[tied], least[tied]) for compare in (np.greater, np.equal))
            left = wanted[tied] - np.count_nonzero(above, axis=1, keepdims=True)
            over[tied] = above | (equal & (np.cumsum(equal, axis=1) <= left))
        chosen[block] = over
    return chosen
