"""When to accept: thresholds per category (SCut), ranks per item (RCut), proportions (PCut); Yang (2001)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.checks import listing
from precall.counts import Counts
from precall.errors import UsageError
from precall.measures import weighted
from precall.measures.best_points import nearest
from precall.ragged import Bool, Float64, Int64, changes
from precall.results import Presented, Table

if TYPE_CHECKING:
    from precall.contingency.pivots import Status

METHODS = ("break-even", "max-f", "fixed:s", "rank:k", "proportion[:x]")
#: What the literature of text categorization calls them (Yang 2001).
LITERATURE = {"scut": "max-f", "rcut": "rank", "pcut": "proportion", "bep": "break-even"}
#: Scores that are held a second time.
_CELLS = 1 << 20
#: Where categories have no more items in the mean, the scores at or above each of theirs are counted one by one.
_FEW = 8


@dataclass(frozen=True, slots=True, eq=False)
class Thresholds(Presented):
    """What was learned: `kind` says how `values` are used.

    "score": least score accepted, per category, +inf accepting nothing; "rank": categories accepted per item (one number);
    "proportion": share of the items accepted, per category.
    """

    method: str
    kind: str
    values: Float64
    categories: tuple[Any, ...]
    learned: bool = True
    """Whether they depend on the truth and scores of the items, or were given."""

    @property
    def table(self) -> Table:
        """Columns category ("all" where one number is that of all), and the kind of the values."""
        names = ["all"] if self.kind == "rank" else [str(name) for name in self.categories]
        return Table({"category": names, self.kind: self.values})


def learn(method: str, status: Status, beta: float) -> Thresholds:
    """Thresholds by `method`, from the truth and scores of `status`."""
    name, colon, option = str(method).partition(":")
    name = LITERATURE.get(name.lower(), name)
    if colon and not option:
        raise UsageError(f"method: got {method!r}, without a number behind the colon")
    if name in ("break-even", "max-f") and not option:
        values = _of_points(name, status, beta)
        _refuse_infinite(method, status, values)
        return Thresholds(method, "score", values, status.categories)
    if name not in ("fixed", "rank", "proportion"):
        theirs = ", ".join(f"{word} ({ours})" for word, ours in LITERATURE.items())
        raise UsageError(f"method: got {method!r}, allowed are {', '.join(METHODS)}, also called {theirs}")
    try:
        value = float(option or (0.5 if name == "fixed" else 1.0))
    except ValueError:
        raise UsageError(f"{method}: {option!r} is not a number") from None
    if not np.isfinite(value):
        raise UsageError(f"{method}: must be a finite number, got {option}")
    if name == "fixed":
        return Thresholds(method, "score", np.full(len(status.categories), value), status.categories, False)
    if name == "rank":
        if value < 1 or value != int(value):
            raise UsageError(f"{method}: the rank must be an integer >= 1")
        return Thresholds(method, "rank", np.array([value]), status.categories, False)
    if not value > 0:
        raise UsageError(f"{method}: the factor must be > 0")
    share = status.truth.per_category() / max(status.truth.items, 1)
    return Thresholds(method, "proportion", np.minimum(share * value, 1.0), status.categories)


def _of_points(name: str, status: Status, beta: float) -> Float64:
    """The thresholds of the categories' break-even points, or of their greatest F."""
    few = len(status.truth.keys) <= _FEW * len(status.categories)
    if name == "max-f" and status.matrix is not None and few:
        return _of_true_scores(status, status.matrix, beta)
    values = [
        path.threshold[nearest(path)[0]] if name == "break-even"
        else path.max_f(beta).threshold if path.tp[-1] else np.inf
        for path in status.curves("category")
    ]  # fmt: skip
    return np.array(values, np.float64)


def _refuse_infinite(method: str, status: Status, values: Float64) -> None:
    """Raise if the score +inf was learned as a threshold: as one it accepts nothing."""
    learned = np.isposinf(values) & (status.truth.per_category() > 0)
    if not learned.any():
        return
    endless = status.category[np.isposinf(status.score)]
    if len(both := np.intersect1d(endless, np.flatnonzero(learned))):
        what = f"the least score to accept in category {status.categories[both[0]]!r} is inf"
        raise UsageError(f"{method}: {what}, a threshold that accepts nothing; give finite scores")


def _of_true_scores(status: Status, score: Any, beta: float) -> Float64:
    """The threshold of the greatest F of each category, of equals the highest: the score of one of its items."""
    items = max(status.truth.items, 1)
    # Adding 0 turns -0 into 0.
    category, least = status.truth.category, status.score[status.truth.keys] + status.score.dtype.type(0)
    over = np.zeros(len(category), np.int64)
    for begin in range(0, len(over), size := max(1, _CELLS // items)):
        part = slice(begin, begin + size)
        over[part] = np.count_nonzero(score[:, category[part]] >= least[part], axis=0)
    order = np.lexsort((over, category))
    category, least, over = category[order], least[order], over[order]
    # Of equal scores all are accepted.
    start, relevant = np.searchsorted(category, category), status.truth.per_category()[category]
    tp = np.searchsorted(run := np.cumsum(changes(category, over)), run, "right") - start
    values = weighted("F", beta).of_table(Counts(tp, over - tp, relevant - tp))
    best = np.lexsort((over, -values, category))
    first = best[changes(category[best])]
    thresholds = np.full(len(status.categories), np.inf)
    thresholds[category[first]] = least[first]
    return thresholds


def accepted(status: Status, thresholds: Thresholds) -> Bool:
    """Which scored pairs are accepted."""
    values, matrix = _by_name(thresholds, status), status.matrix
    if thresholds.kind == "score":
        # In the scores' own type, as `Curve.at` compares. One of +inf that was learned accepts nothing, and so does NaN.
        with np.errstate(over="ignore", invalid="ignore"):
            least: Any = np.where(np.isposinf(values), np.nan, values).astype(status.score.dtype)
            over = status.score >= least[status.category] if matrix is None else matrix >= least
        return np.asarray(over).ravel()
    by_item = thresholds.kind == "rank"
    items, categories = status.truth.items, len(status.categories)
    # Half is rounded up: a category that should accept half an item accepts one.
    quota = np.repeat(np.minimum(values, categories), items) if by_item else np.floor(values * items + 0.5)
    quota = quota.astype(np.int64)
    if matrix is None:
        return _best_of_groups(status.item if by_item else status.category, status.score, quota)
    return _best(matrix, quota).ravel() if by_item else _best(matrix.T, quota).T.ravel()


def _by_name(thresholds: Thresholds, status: Status) -> Float64:
    """What was learned, in the order of these categories."""
    learned = {name: place for place, name in enumerate(thresholds.categories)}
    other = [name for name in status.categories if name not in learned]
    if other or len(learned) != len(status.categories):
        known, here = listing(thresholds.categories), listing(status.categories)
        raise UsageError(f"the thresholds were learned for other categories: {known}; here are {here}")
    if thresholds.kind == "rank":
        return thresholds.values
    return thresholds.values[[learned[name] for name in status.categories]]


def _best(score: Any, quota: Int64) -> Bool:
    """The `quota` best of each row; of equal scores the first."""
    rows, members = score.shape
    chosen = np.zeros(score.shape, np.bool_)
    if not members:
        return chosen
    place = np.clip(members - quota, 0, members - 1)
    size = max(1, _CELLS // members)
    for begin in range(0, rows, size):
        part = slice(begin, begin + size)
        some, wanted, at = np.ascontiguousarray(score[part]), quota[part, None], place[part, None]
        least = np.take_along_axis(np.partition(some, np.unique(at), axis=1), at, axis=1)
        over = (some >= least) & (wanted > 0)
        if len(tied := np.flatnonzero(np.count_nonzero(over, axis=1) > wanted[:, 0])):
            above, equal = (compare(some[tied], least[tied]) for compare in (np.greater, np.equal))
            left = wanted[tied] - np.count_nonzero(above, axis=1, keepdims=True)
            over[tied] = above | (equal & (np.cumsum(equal, axis=1) <= left))
        chosen[part] = over
    return chosen


def _best_of_groups(group: Int64, score: Any, quota: Int64) -> Bool:
    """The `quota` best of each group; of equal scores the first."""
    order = np.lexsort((-score, group))
    ordered = group[order]
    place = np.arange(len(order)) - np.searchsorted(ordered, ordered)
    chosen = np.zeros(len(order), np.bool_)
    chosen[order] = place < quota[ordered]
    return chosen
