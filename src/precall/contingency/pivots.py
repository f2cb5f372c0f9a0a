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

from precall.checks import check_choice
from precall.contingency import eleven, policies
from precall.contingency.membership import Membership, known_categories, memberships, refuse_missing
from precall.contingency.named import matched
from precall.contingency.outcomes import Decisions
from precall.contingency.pairs import Pairs
from precall.curves import Curve, curve
from precall.curves.cases import Scores, column
from precall.curves.path import TIES
from precall.curves.tally import each_area_under_roc, each_average_precision
from precall.errors import DataError, MeasureError, UsageError
from precall.measures import Measure
from precall.measures import measure as named_measure
from precall.measures.separation import CategoryScores, separation_of_pairs
from precall.notes import listening, warn
from precall.ragged import Bool, Float64, Int64, mean
from precall.results import Presented, Table
from precall.undefined import check_undefined, treated, zero_of

if TYPE_CHECKING:
    from precall.contingency.policies import Thresholds

#: Measures that need no curve, for all rankings in one call of the kernel, and the orders of ties for which that holds.
AT_ONCE: dict[str, tuple[Callable[[Bool, Scores, Int64, Int64], Float64], tuple[str, ...]]] = {
    "AP": (each_average_precision, ("block",)),
    "AUC": (each_area_under_roc, ("block", "expected")),
    "RankingLoss": (lambda *rankings: 1 - each_area_under_roc(*rankings), ("block", "expected")),
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
        if not any(isinstance(cell, set | frozenset | list | tuple | np.ndarray) for cell in flat):
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
    zero: float = 0.0
    """What "zero" counts: 1 of a loss, of which low is good."""

    def mean(self, undefined: str = "zero") -> float:
        """Mean over rankings; undefined values count as "zero", are left out ("omit") or are an "error"."""
        check_undefined(undefined)

        def what(first: int, count: int) -> str:
            return (
                f"{self.measure} is undefined for {count} of {len(self.values)}, first {self.names[first]!r}"
            )

        kept = treated(self.values, undefined, zero=self.zero, source="scores", what=what)
        return mean(kept) if len(kept) else float("nan")

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
            hits = relevant[begin:end]
            yield curve(hits, score[begin:end], missed=total - int(np.count_nonzero(hits)))

    def pooled(self) -> Curve:
        """The curve of all (item, category) pairs as one list."""
        return curve(
            self.relevant, self.score, missed=len(self.truth.keys) - int(np.count_nonzero(self.relevant))
        )

    def by_category(
        self, measure: str | Measure | Callable[[Curve], float], ties: str = "block"
    ) -> PerRanking:
        """A measure of each category's ranking of the items.

        Parameters
        ----------
        measure : any measure of ranks of `precall measures`: "AP", "AUC" (its mean is one-vs-rest, macro), "BEP", "MaxF",
            "P@10"; or a function of a `Curve`.
        ties : as of `Curve.value`.
        """
        return self._pivoted(measure, "category", self.categories, ties)

    def by_item(self, measure: str | Measure | Callable[[Curve], float], ties: str = "block") -> PerRanking:
        """A measure of each item's ranking of the categories; see `by_category`."""
        return self._pivoted(measure, "item", tuple(range(self.truth.items)), ties)

    def micro(self, measure: str | Measure | Callable[[Curve], float], ties: str = "block") -> float:
        """A measure of all pairs as one list; see `by_category`."""
        return _of_curve(measure, self.pooled(), ties)

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
        check_undefined(undefined)
        pairs = separation_of_pairs(self._one_category_each())

        def what(count: int) -> str:
            empty = self.categories[int(np.argmin(self.truth.per_category()))]
            return f"undefined for {count} of {len(pairs)} pairs of categories, as {empty!r} has no item"

        kept = treated(pairs, undefined, source="truth", what=lambda _, count: what(count))
        if missing := int(np.isnan(pairs).sum()):
            warn(f"Hand-Till AUC: {what(missing)}")
        return float(np.mean(kept)) if len(kept) else float("nan")

    def measured(self, measure: Measure) -> float:
        """A measure of scores for several categories, for `measure(status)`; those of rankings have a pivot."""
        if measure.declaration.of is not CategoryScores:
            raise MeasureError(
                f"{measure.name}: ask by_category, by_item or micro of scores for several categories"
            )
        return float(measure.declaration.formula(self._one_category_each()))

    def _one_category_each(self) -> CategoryScores:
        count = len(self.categories)
        if len(self.truth.keys) != self.truth.items or np.any(self.truth.per_item() != 1):
            raise UsageError("hand_till: needs exactly one category per item")
        if len(self.score) != self.truth.items * count:
            raise UsageError("hand_till: needs a score of every item for every category")
        return CategoryScores(self.truth.category, self.score.reshape(self.truth.items, count))

    def _pivoted(
        self, measure: str | Measure | Callable[[Curve], float], pivot: str, names: tuple[Any, ...], ties: str
    ) -> PerRanking:
        check_choice("ties", ties, TIES)
        chosen = named_measure(measure).of_rankings() if isinstance(measure, str) else measure
        name = measure if isinstance(measure, str) else getattr(measure, "__name__", str(measure))
        zero = 0.0
        if isinstance(chosen, Measure):
            zero = zero_of(chosen.declaration.direction, chosen.declaration.range[1])
            at_once, orders = AT_ONCE.get(chosen.name, (None, ()))
            if at_once is not None and ties in orders:
                return PerRanking(name, names, at_once(*self.pairs.rankings(pivot)), zero)
        with listening():
            # The result says how many are undefined; a warning for each would say no more.
            values = [_of_curve(chosen, path, ties) for path in self.curves(pivot)]
        return PerRanking(name, names, np.array(values, np.float64), zero)

    def thresholds(self, method: str, fit_on: Status | None = None, beta: float = 1.0) -> Thresholds:
        """Learn when to accept, here or on `fit_on`; apply with `decide`.

        Parameters
        ----------
        method : "break-even" (where precision and recall are nearest) or "max-f", also "scut" (both of them a threshold
            per category, Yang's SCut); "fixed:0.5" (one for all); "rank:2", also "rcut:2" (the 2 best categories of
            each item, RCut); "proportion", "proportion:1.5", also "pcut", "pcut:1.5" (each category accepts items in
            proportion to its share where it was learned, PCut).
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


def _of_curve(measure: str | Measure | Callable[[Curve], float], path: Curve, ties: str) -> float:
    return path.value(measure, ties) if isinstance(measure, str | Measure) else measure(path)
