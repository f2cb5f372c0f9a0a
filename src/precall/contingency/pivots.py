"""Category status values: the ranking policy, where every item has a score for every category.

One matrix, three ways to read it: each category ranks the items (category-pivoted), each item ranks
the categories (document-pivoted), or all pairs are one list (micro).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from precall.contingency import eleven, policies
from precall.contingency.membership import Membership, known_categories, memberships, refuse_missing
from precall.contingency.named import matched
from precall.contingency.outcomes import Decisions
from precall.contingency.pairs import Pairs
from precall.contingency.separation import hand_till
from precall.curves import Curve, curve
from precall.curves.cases import Scores, column
from precall.curves.quick import each_area_under_roc, each_average_precision
from precall.curves.ranked import TIES
from precall.errors import DataError, Problem, UsageError
from precall.measures import measure as named_measure
from precall.notes import listening
from precall.ragged import Bool, Float64, Int64
from precall.results import Presented, Table
from precall.undefined import check_undefined

if TYPE_CHECKING:
    from precall.contingency.policies import Thresholds

#: Measures of curves by name; every other name is one of `precall measures`, of the list as a ranking.
CURVE_MEASURES: dict[str, Callable[[Curve], float]] = {
    "AP": lambda c: c.average_precision(),
    "AUC": lambda c: c.area_under_roc(),
    "break-even": lambda c: c.break_even(),
    "max-f": lambda c: c.max_f().value,
    "11-point": lambda c: c.area_under_pr("11-point"),
    # A true one that was never scored ranks nowhere: no depth covers it.
    "coverage": lambda c: (
        float((c.tp + c.fp)[int(np.argmax(c.tp == c.tp[-1]))])
        if c.relevant and not c.missed
        else float("nan")
    ),
    "ranking-loss": lambda c: 1 - c.area_under_roc(),
}


#: Those of them that need no curve, for all rankings in one call of the kernel.
AT_ONCE: dict[str, Callable[[Bool, Scores, Int64, Int64], Float64]] = {
    "AP": each_average_precision,
    "AUC": each_area_under_roc,
    "ranking-loss": lambda *rankings: 1 - each_area_under_roc(*rankings),
}


def categorize(truth: Any, scores: Any, categories: Sequence[Any] | None = None) -> Status:
    """Category status values with the truth.

    Parameters
    ----------
    truth : labels, sets of labels or an items x categories matrix, as `decisions` takes them.
    scores : items x categories, dense, scipy.sparse or a data frame. What a sparse matrix does not store was
        not scored: it ranks nowhere, and is a miss where it is true. The columns of a frame are the
        categories by their names, whatever their order.
    categories : names of the columns (default: those of the frame, the sorted labels of the truth, or column
        numbers).

    Returns
    -------
    Status

    Examples
    --------
    >>> s = categorize(["a", "b", "b"], [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]])
    >>> s.by_category("AP").values, s.micro("AP")
    (array([1., 1.]), 0.9166666666666666)
    """
    given, categories = matched({"truth": truth, "scores": scores}, categories)
    truth, scores = given["truth"], given["scores"]
    if categories is None and not hasattr(truth, "tocoo"):
        flat = list(truth) if isinstance(truth, list | tuple) else list(column(truth, "truth"))
        if not any(isinstance(one, set | frozenset | list | tuple | np.ndarray) for one in flat):
            # Labels 0 and 1 of two columns are two categories, not binary decisions.
            flat = np.asarray(column(truth, "truth")).tolist()
            refuse_missing(flat, "truth")
            categories = known_categories(flat)
    try:
        return Status(Pairs.of(memberships({"truth": truth}, categories)[0], scores))
    except (DataError, UsageError):
        if _is_scores(truth) and not _is_scores(scores):
            raise UsageError("truth and scores are swapped: pass the truth first") from None
        raise


def _is_scores(given: Any) -> bool:
    """Whether it is a matrix of other numbers than 0 and 1."""
    try:
        cells = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        return False
    return cells.ndim == 2 and not bool(np.all((cells == 0) | (cells == 1)))


@dataclass(frozen=True, slots=True, eq=False)
class PerRanking(Presented):
    """A measure of every ranking; NaN is undefined."""

    measure: str
    names: tuple[Any, ...]
    values: Float64

    def mean(self, undefined: str = "zero") -> float:
        """Mean over rankings; undefined values count as "zero", are left out ("omit") or are an "error"."""
        missing = np.isnan(self.values)
        check_undefined(undefined)
        if undefined == "error" and missing.any():
            first = self.names[int(np.argmax(missing))]
            what = f"{self.measure} is undefined for {int(missing.sum())} of {len(missing)}, first {first!r}"
            raise DataError([Problem("scores", None, what, "pass undefined='zero' or 'omit'")])
        kept = self.values[~missing] if undefined == "omit" else np.nan_to_num(self.values)
        return float(np.mean(kept)) if len(kept) else float("nan")

    @property
    def undefined(self) -> int:
        """For how many rankings the measure is undefined."""
        return int(np.isnan(self.values).sum())

    @property
    def table(self) -> Table:
        """Columns ranking and value."""
        return Table({"ranking": [str(name) for name in self.names], "value": self.values})

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """The values."""
        return np.array(self.values, dtype=dtype)


class Status(Presented):
    """Scores of items for categories, with the truth; made by `categorize`."""

    def __init__(self, pairs: Pairs) -> None:
        self.pairs = pairs
        self.truth = pairs.truth
        self.categories = pairs.truth.categories

    @property
    def item(self) -> Int64:
        """The item of every scored pair."""
        return self.pairs.item

    @property
    def category(self) -> Int64:
        """The category of every scored pair, by its column."""
        return self.pairs.category

    @property
    def score(self) -> npt.NDArray[Any]:
        """The score of every scored pair."""
        return self.pairs.score

    @property
    def relevant(self) -> Bool:
        """Whether the pair is true, of every scored pair."""
        return self.pairs.relevant

    def __repr__(self) -> str:
        shape = f"{self.truth.items} items x {len(self.categories)} categories"
        return f"<Status: {shape}, {len(self.score)} scores>"

    def curves(self, pivot: str = "category") -> Iterator[Curve]:
        """The curve of every category, or of every item."""
        relevant, score, start, known = self.pairs.rankings(pivot)
        for begin, end, total in zip(start[:-1].tolist(), start[1:].tolist(), known.tolist(), strict=True):
            found = relevant[begin:end]
            yield curve(found, score[begin:end], missed=total - int(np.count_nonzero(found)))

    def pooled(self) -> Curve:
        """The curve of all (item, category) pairs as one list."""
        return curve(
            self.relevant, self.score, missed=len(self.truth.keys) - int(np.count_nonzero(self.relevant))
        )

    def by_category(self, measure: str | Callable[[Curve], float], ties: str = "block") -> PerRanking:
        """A measure of each category's ranking of the items.

        Parameters
        ----------
        measure : "AP", "AUC" (its mean is one-vs-rest, macro), "break-even" (`Curve.break_even("nearest")`), "max-f",
            "11-point", "coverage", "ranking-loss", any name of `precall measures` (such as "P@10"), or a function of a `Curve`.
        ties : for measures of ranks: "block" (an order inside a block that matters is an error),
            "expected", "best" or "worst".
        """
        return self._pivoted(measure, "category", self.categories, ties)

    def by_item(self, measure: str | Callable[[Curve], float], ties: str = "block") -> PerRanking:
        """A measure of each item's ranking of the categories; see `by_category`."""
        return self._pivoted(measure, "item", tuple(range(self.truth.items)), ties)

    def micro(self, measure: str | Callable[[Curve], float], ties: str = "block") -> float:
        """A measure of all pairs as one list; see `by_category`."""
        return _of_curve(measure, ties)(self.pooled())

    def hand_till(self, undefined: str = "omit") -> float:
        """Multi-class area under the ROC curve of Hand & Till (2001): mean over pairs of categories.

        For categories i and j it is the chance that an item of i outscores one of j on i's scores,
        averaged with the same of j. One-vs-rest is `by_category("AUC").mean()`, another number.

        Parameters
        ----------
        undefined : pairs with a category that no item belongs to: "omit" (with a warning), count as
            "zero", or "error".

        Raises
        ------
        UsageError
            Items have no or several categories, or some pairs were not scored.

        Examples
        --------
        >>> categorize(["a", "b", "b"], [[0.9, 0.1], [0.6, 0.4], [0.9, 0.8]]).hand_till()
        0.875
        """
        return hand_till(self, undefined)

    def _pivoted(
        self, measure: str | Callable[[Curve], float], pivot: str, names: tuple[Any, ...], ties: str
    ) -> PerRanking:

        if ties not in TIES:
            raise UsageError(f"ties: got {ties!r}, allowed are {', '.join(TIES)}")
        if isinstance(measure, str) and measure in AT_ONCE and (ties == "block" or measure != "AP"):
            return PerRanking(str(measure), names, AT_ONCE[str(measure)](*self.pairs.rankings(pivot)))
        one = _of_curve(measure, ties)
        with listening():
            # The result says how many are undefined; a warning for each would say no more.
            values = np.array([one(path) for path in self.curves(pivot)], np.float64)
        name = measure if isinstance(measure, str) else getattr(measure, "__name__", repr(measure))
        return PerRanking(name, names, values)

    def thresholds(self, method: str, fit_on: Status | None = None, beta: float = 1.0) -> Thresholds:
        """Learn when to accept, here or on `fit_on`; apply with `decide`.

        Parameters
        ----------
        method : "break-even" (where precision and recall are nearest) or "max-f" (a threshold per category, Yang's
            SCut), "fixed:0.5" (one for
            all), "rank:2" (the 2 best categories of each item, RCut), "proportion" or "proportion:1.5"
            (each category accepts items in proportion to its share where it was learned, PCut).
        fit_on : the validation set (default: this one).
        beta : for "max-f".
        """
        return policies.learn(method, self if fit_on is None else fit_on, beta)

    def decide(self, thresholds: Thresholds) -> Decisions:
        """Hard decisions by learned thresholds."""
        accepted = policies.accepted(self, thresholds)
        keys = self.pairs.keys[accepted]
        truth = self.truth
        kind = "binary" if truth.kind == "binary" else "multi"
        true = Membership(truth.items, truth.categories, truth.keys, kind)
        return Decisions(true, Membership(truth.items, truth.categories, np.sort(keys), kind))

    def eleven_point(
        self, pivot: str = "category", form: str = "yang", undefined: str = "zero"
    ) -> Float64:  # fmt: skip
        """Interpolated precision at recall 0, .1, ..., 1, averaged over categories or over items.

        Parameters
        ----------
        pivot : "category": mean over the categories' rankings of the items; "item": over the items' rankings of the
            categories, which is Yang's procedure.
        form : "yang": her six steps (1999), by intervals of recall; "trec": the greatest precision at this recall or
            more, whose mean is that of `by_category("11-point")`. They differ only where recall .9 is
            reached and recall 1 is not; `precall.contingency.eleven` says how.
        undefined : what rankings in which nothing is true do: as of `PerRanking.mean`, count as "zero" (the default),
            be left out ("omit"), or raise an "error".

        Examples
        --------
        >>> s = categorize(["a", "b", "b"], [[0.9, 0.1, 0.3], [0.6, 0.4, 0.1], [0.2, 0.8, 0.3]], ["a", "b", "c"])
        >>> print(s.eleven_point(undefined="omit").mean(), s.eleven_point().mean().round(4))
        1.0 0.6667
        """
        names = self.categories if pivot == "category" else tuple(range(self.truth.items))
        values = np.array([eleven.points(path, form) for path in self.curves(pivot)]).reshape(-1, 11)
        means = [PerRanking("11-point", names, column).mean(undefined) for column in values.T]
        return np.array(means, np.float64)


def _of_curve(measure: str | Callable[[Curve], float], ties: str) -> Callable[[Curve], float]:
    if not isinstance(measure, str):
        return measure
    if measure in CURVE_MEASURES and (ties == "block" or measure != "AP"):
        return CURVE_MEASURES[measure]
    found = named_measure(measure)
    return lambda path: float(found(path.hits(ties))[0])
