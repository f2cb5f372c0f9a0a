"""Category status values: the ranking policy, in which every item has a score for every category.

One matrix is read in three ways: each category ranks the items (category-pivoted), each item ranks
the categories (document-pivoted), or all pairs are one list (micro).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from precall.cases import Curve, curve
from precall.cases.ranking_curves import Curves, curves
from precall.cases.scored_cases import Scores
from precall.cases.scored_cases import scores as read_scores
from precall.core.arguments import check_choice, check_kind, refuse_alike
from precall.core.errors import MeasureError, Mistake, UsageError
from precall.core.notes import Note, warn
from precall.core.notes.of_decisions import (
    ColumnsTaken,
    LearnedFromFew,
    LearnedHere,
    NothingToLearn,
    PairsWithoutItems,
    PairsWithoutLabels,
)
from precall.core.ragged import Bool, Float64, Int64
from precall.core.rng import Rng, suggest_our_names
from precall.core.text import many, plain_label
from precall.core.undefined import COUNT_THEM, apply_undefined, check_undefined
from precall.hard_decisions import eleven, policies
from precall.hard_decisions.cells import sum_cells
from precall.hard_decisions.membership import Membership, align_frames
from precall.hard_decisions.outcomes import Decisions, trivial
from precall.hard_decisions.per_ranking import (
    OfCurves,
    PerRanking,
    Rankings,
    measured,
    value_of_curve,
)
from precall.hard_decisions.score_matrix import (
    as_matrix,
    no_label,
    refuse_nan_cells,
    tell_swaps,
    unlabelled_cells,
)
from precall.measures import Measure
from precall.measures.separation import CategoryScores, separation_of_pairs
from precall.read.values import levels_of
from precall.results.equality import Equal
from precall.results.sheets import Presented

if TYPE_CHECKING:
    from precall.hard_decisions.cross_validation import CrossValidation
    from precall.hard_decisions.thresholds import Thresholds

#: Number of pairs whose curves are computed at a time.
_CASES = 1 << 20


@suggest_our_names
def categorize(
    truth: object,
    scores: object,
    categories: Sequence[object] | None = None,
    *,
    missing: str = "error",
) -> Status:
    """Category status values together with the truth.

    Parameters
    ----------
    truth : labels, sets of labels or an items x categories matrix, as `decisions` takes them.
    scores : items x categories, dense, scipy.sparse or a data frame. A pair that a sparse matrix
        does not store was not scored: it has no rank, and counts as missed if it is true. The
        columns of a frame are matched to the categories by name, in any order.
    categories : names of the columns (default: those of the frame; the sorted labels of the truth,
        with the levels that a Categorical or an Enum declares; or column numbers).
    missing : what becomes of NaN, None, NA and masked cells in a matrix of truth: nobody knows
        whether the item is in the category. "skip" leaves out that pair of item and category, and a
        note counts them; "error" refuses it.

    Returns
    -------
    Status

    Raises
    ------
    DataError
        An item has no label, or one that is not among the categories; or a score is NaN.
    UsageError
        The shapes of truth and scores do not match.

    Examples
    --------
    >>> s = categorize(["a", "b", "b"], [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]])
    >>> s.by_category("AP").values, s.micro("AP")
    (array([1., 1.]), 0.9166666666666666)
    >>> toxic = [[1, None], [0, 1], [None, 0]]
    >>> s = categorize(toxic, [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]], missing="skip")
    >>> s.labelled, s.by_category("AP").values
    (array([2, 2]), array([1. , 0.5]))
    """
    check_choice("missing", missing, ("error", "skip"))
    levels, are_named = levels_of(truth), categories is not None
    arrays, categories = align_frames({"truth": truth, "scores": scores}, categories)
    truth, scores = arrays["truth"], arrays["scores"]
    truth, is_missing = unlabelled_cells(truth)
    with tell_swaps(truth, scores):
        membership, matrix = as_matrix(truth, scores, categories, levels, are_named)
        if is_missing is not None:
            if missing == "error":
                raise no_label(membership, is_missing).error("truth")
            membership = _without_labels(membership, is_missing)
        status = Status._of(membership, matrix)
    if categories is None and any(isinstance(name, str) for name in status.categories):
        status.assumed = (ColumnsTaken("", tuple(map(plain_label, status.categories))),)
    return status


def _without_labels(truth: Membership, is_missing: Bool) -> Membership:
    """The truth, some of whose cells are not known, with a note that counts them."""
    lacking = np.count_nonzero(is_missing, axis=0)
    most = int(np.argmax(lacking))
    note = PairsWithoutLabels(
        "",
        int(lacking.sum()),
        is_missing.size,
        plain_label(truth.categories[most]),
        int(lacking[most]),
        truth.items,
    )
    unlabelled = np.flatnonzero(is_missing).astype(np.int64, copy=False)
    return replace(truth, unlabelled=unlabelled, notes=(*truth.notes, note))


class Status(Equal, Presented):
    """Scores of items for categories, with the truth; made by `categorize`.

    `score` holds the scores of all scored and labelled pairs of item and category, with the pairs
    of an item together. `_place` holds the pairs' keys, item * categories + category, ascending. It
    is None if every pair is scored and labelled, as in a dense matrix, so that ten million pairs
    need no numbers to be ranked. `source` is the file that the scores were read from, if any;
    `assumed` are the assumptions about columns without names.
    """

    source = ""
    groups: Any = None
    """The group of each item, if a column of the file has them."""
    assumed: tuple[Note, ...] = ()

    def __init__(self, truth: Membership, score: Scores, place: Int64 | None = None) -> None:
        check_kind(
            "truth",
            truth,
            Membership,
            "a Membership, as pc.categorize(truth, scores) makes of labels",
        )
        refuse_alike(truth.categories)
        self.truth = truth
        self.categories: tuple[Any, ...] = truth.categories
        self.score = score
        self._place = place

    def _compared_parts(self) -> list[Any]:
        return [self.truth, self.score, self._place]

    @classmethod
    def _of(cls, truth: Membership, matrix: Any) -> Status:
        """A status from an items x categories matrix, dense or scipy.sparse."""
        cell = None
        if hasattr(matrix, "tocoo"):
            cells = sum_cells(matrix)
            cell = cells.row.astype(np.int64) * max(len(truth.categories), 1) + cells.col
            order = np.argsort(cell, kind="stable")
            cell, score = cell[order], read_scores(cells.data)[order]
        else:
            score = read_scores(matrix.ravel())
        if truth.unlabelled is not None:
            is_labelled = np.ones(truth.items * len(truth.categories), np.bool_)
            is_labelled[truth.unlabelled] = False
            kept = is_labelled if cell is None else is_labelled[cell]
            cell = np.flatnonzero(kept) if cell is None else cell[kept]
            score = score[kept]
        refuse_nan_cells(truth, np.isnan(score), cell)
        return cls(truth, score, cell)

    @cached_property
    def _keys(self) -> Int64:
        """item * categories + category of every pair."""
        return np.arange(len(self.score)) if self._place is None else self._place

    @property
    def matrix(self) -> Scores | None:
        """The scores as items x categories; None if some pairs have no score, or no label."""
        return (
            None
            if self._place is not None
            else self.score.reshape(self.truth.items, len(self.categories))
        )

    @property
    def item(self) -> Int64:
        """The item of every pair."""
        return self._keys // max(len(self.truth.categories), 1)

    @property
    def category(self) -> Int64:
        """The category of every pair, as its column number."""
        return self._keys % max(len(self.truth.categories), 1)

    @property
    def labelled(self) -> Int64:
        """For each category, the number of items whose truth is known."""
        return self.truth.labelled_per_category()

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was noticed about the labels and the columns of scores."""
        return tuple(dict.fromkeys((*self.assumed, *self.truth.notes)))

    @cached_property
    def digest(self) -> str:
        """A digest of truth and scores (of a regular sample, if there are many). It shows whether
        thresholds were learned from these same items.
        """
        from hashlib import blake2b

        digest = blake2b(
            repr((self.truth.items, self.categories, self.score.dtype.str)).encode(), digest_size=8
        )
        for column in (
            self.truth.keys,
            self.score,
            *([] if self._place is None else [self._place]),
        ):
            some = column[:: 1 + len(column) // _CASES]
            digest.update(np.ascontiguousarray(some).view(np.uint8).data)
        return digest.hexdigest()

    @cached_property
    def relevant(self) -> Bool:
        """Whether each pair is true."""
        if self._place is not None:
            return np.isin(self._place, self.truth.keys)
        true = np.zeros(len(self.score), np.bool_)
        true[self.truth.keys] = True
        return true

    def _rankings(self, pivot: str) -> Rankings:
        """Truth and scores with the pairs of each ranking together, the start of each ranking, and
        the number of its true pairs.
        """
        check_choice("pivot", pivot, ("category", "item"))
        by_item = pivot == "item"
        relevant_counts = self.truth.per_item() if by_item else self.truth.per_category()
        if self._place is None:
            shape = (self.truth.items, len(self.categories))
            start = np.arange(len(relevant_counts) + 1) * shape[by_item]

            def flatten(pairs: npt.NDArray[Any]) -> npt.NDArray[Any]:
                return pairs if by_item else np.ascontiguousarray(pairs.reshape(shape).T).ravel()

            return flatten(self.relevant), flatten(self.score), start, relevant_counts
        ranking = self.item if by_item else self.category
        order = np.argsort(ranking, kind="stable")
        start = np.searchsorted(ranking[order], np.arange(len(relevant_counts) + 1))
        return self.relevant[order], self.score[order], start, relevant_counts

    def __repr__(self) -> str:
        categories = many(len(self.categories), "category", "categories")
        shape = f"{many(self.truth.items, 'item')} x {categories}"
        return f"<Status: {shape}, {many(len(self.score), 'score')}>"

    def curves(self, pivot: str = "category") -> Iterator[Curve]:
        """The curve of every category, or of every item."""
        for some in self._paths(pivot):
            yield from (replace(one, noticed=self.notes) for one in some)

    def _paths(self, pivot: str) -> Iterator[Curves]:
        """The curves of some categories or items at a time."""
        relevant, score, start, relevant_counts = self._rankings(pivot)
        step = max(1, _CASES * len(relevant_counts) // max(len(score), 1))
        for begin in range(0, len(relevant_counts), step):
            some = start[begin : begin + step + 1]
            rows = slice(some[0], some[-1])
            yield curves(
                relevant[rows], score[rows], some - some[0], relevant_counts[begin : begin + step]
            )

    def pooled(self) -> Curve:
        """The curve of all (item, category) pairs as one list."""
        missed = len(self.truth.keys) - int(np.count_nonzero(self.relevant))
        pooled = curve(self.relevant, self.score, missed=missed)
        return replace(pooled, noticed=tuple(dict.fromkeys((*self.notes, *pooled.noticed))))

    def by_category(self, measure: OfCurves, ties: str | None = None) -> PerRanking:
        """A measure of each category's ranking of the items.

        Parameters
        ----------
        measure : any measure of ranks of `precall measures`: "AP", "AUC" (its mean is one-vs-rest,
            macro), "BEP", "MaxF", "P@10"; or a function of a `Curve`.
        ties : see `Curve.value`.
        """
        values = measured(measure, self.categories, ties, [self._rankings("category")])
        return replace(values, notes=self.notes)

    def by_item(self, measure: OfCurves, ties: str | None = None) -> PerRanking:
        """A measure of each item's ranking of the categories; see `by_category`."""
        values = measured(measure, tuple(range(self.truth.items)), ties, [self._rankings("item")])
        return replace(values, notes=self.notes)

    def micro(self, measure: OfCurves, ties: str | None = None) -> float:
        """A measure of all pairs as one list; see `by_category`."""
        return value_of_curve(measure, self.pooled(), ties)

    def hand_till(self, undefined: str = "omit") -> float:
        """Multi-class area under the ROC curve of Hand & Till (2001): mean over pairs of
        categories.

        For categories a and b it is the mean of two chances: that an item of a has a higher score
        for a than an item of b, and that an item of b has a higher score for b than an item of a.
        One-vs-rest is `by_category("AUC").mean()`, a different number.

        Parameters
        ----------
        undefined : how to treat pairs with a category that no item belongs to: "omit" them (with a
            warning), count them as "zero", or raise an "error".

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

        def what(_: int, count: int) -> Mistake:
            return Mistake(
                "undefined for {count} of {pairs} pairs of categories, as {category} has no item",
                COUNT_THEM,
                count=count,
                pairs=len(pairs),
                category=self.categories[int(np.argmin(self.truth.per_category()))],
            )

        kept = apply_undefined(pairs, undefined, source="truth", what=what)
        if missing := int(np.isnan(pairs).sum()):
            empty = plain_label(self.categories[int(np.argmin(self.truth.per_category()))])
            warn(PairsWithoutItems("Hand-Till AUC", missing, len(pairs), empty))
        return float(np.mean(kept)) if len(kept) else float("nan")

    def measured(self, measure: Measure) -> float:
        """A measure of scores for several categories, for `measure(status)`; measures of rankings
        need a pivot and are refused.
        """
        if measure.declaration.of is not CategoryScores:
            remedy = "ask by_category, by_item or micro of scores for several categories"
            raise MeasureError(measure=measure.name, what=remedy)
        return float(measure.declaration.formula(self._one_category_each()))

    def _one_category_each(self) -> CategoryScores:
        count = len(self.categories)
        if lacking := lacks_for_hand_till(self):
            raise UsageError(argument="hand_till", what=lacking)
        return CategoryScores(self.truth.category, self.score.reshape(self.truth.items, count))

    def thresholds(
        self,
        method: str,
        fit_on: Status | None = None,
        beta: float = 1.0,
        tune: str | Measure | None = None,
        undefined: str = "zero",
    ) -> Thresholds:
        """Learn when to accept, here or on `fit_on`; apply the result with `decide`.

        Parameters
        ----------
        method : with a threshold for each category, Yang's SCut: "max-f" (also "scut");
            "max:MEASURE" (where any measure of counts is best: "max:MCC", "max:F(beta=2)");
            "utility:tp=1,fp=-1" (also "utility:1,-1,0,0": where Utility with these weights is
            best); or "break-even" (where precision and recall are nearest). If several thresholds
            are equal, the highest is taken; for break-even, the one of greatest value. If no scored
            item is relevant, nothing is accepted, unless the measure has a value there, as Utility
            and accuracy do. With one number for all categories: "fixed:0.5" (the least score);
            "rank:2", also "rcut:2" (the 2 best categories of each item, RCut); or "proportion:1.5",
            also "pcut:1.5" (each category accepts items in proportion to its share where it was
            learned, halves rounded up; PCut). Without a number they are .5, 1 and 1. Of equal
            scores the first are accepted.
        fit_on : the validation set (default: this one). Decisions about the same items that
            thresholds were learned from look too good.
        beta : for "max-f".
        tune : the measure by which the one number is chosen, computed from its decisions on the
            items it is learned from: "micro-F1", "macro-F1", "accuracy" or any other measure of
            counts with its average. "global", one least score for all, is always tuned, by
            "micro-F1" unless another measure is named. If several numbers are equal, the one that
            accepts least is taken. For "scut" it is the measure of each category: "macro-F1" or
            "F1".
        undefined : how averages of `tune` treat undefined values; "error" raises if there are some
            at the end.

        Raises
        ------
        UsageError
            There is no such method; the number is not allowed; it cannot be tuned by this measure;
            or the score +inf would be a threshold.

        Examples
        --------
        >>> s = categorize(
        ...     [{"a"}, {"b"}, {"a", "b"}, set()],
        ...     [[0.9, 0.1], [0.6, 0.5], [0.4, 0.5], [0.7, 0.2]],
        ...     ["a", "b"],
        ... )
        >>> s.thresholds("scut").values, s.thresholds("rcut", tune="macro-F1").number
        (array([0.9, 0.5]), 2.0)
        >>> chosen = s.thresholds("global")
        >>> chosen.number, chosen.tuned, round(chosen.reached, 4)
        (0.4, 'micro-F1', 0.8)
        """
        chosen = (
            self
            if fit_on is None
            else check_kind("fit_on", fit_on, Status, "what pc.categorize() returns")
        )
        learned = policies.learn(method, chosen, chosen._paths("category"), beta, tune, undefined)
        if fit_on is not None and not learned.learned:
            warn(NothingToLearn(method))
        return replace(learned, notes=(*chosen.notes, *_scarce(chosen, learned)))

    @suggest_our_names
    def cross_validate(
        self,
        method: str,
        *,
        folds: int = 5,
        measure: str | Measure | None = None,
        tune: str | Measure | None = None,
        beta: float = 1.0,
        groups: object = None,
        undefined: str = "zero",
        rng: Rng = 0,
    ) -> CrossValidation:
        """How good the decisions of a policy are about items that its thresholds were not learned
        from.

        The items are divided into folds. For each fold, thresholds are learned from the items of
        all others.

        Parameters
        ----------
        method : a policy that learns, as of `thresholds`: "scut", "max:MCC", "pcut", "global"; or
            "rcut" with `tune`.
        folds : number of folds, >= 2. Items of each category are spread evenly over them.
        measure : the measure of the decisions, such as "macro-F1". None is the one that thresholds
            are learned by: `tune`, the macro average of "max:MEASURE", else "micro-F1".
        tune, beta, undefined : see `thresholds`.
        groups : the group of each item, such as its document: groups stay in one fold.
        rng : seed or NumPy Generator of the division.

        Returns
        -------
        CrossValidation
            `held_out` is the measure of all items, each decided by thresholds that were learned
            without it; `optimism` says how much higher the measure is if the same items are used
            for both; `spread` has the thresholds over folds; `thresholds` those to use.

        Raises
        ------
        UsageError
            The policy learns nothing, there are fewer items or groups than folds, or the measure
            has a value for each category.

        Examples
        --------
        >>> truth = ["a", "b", "b", "a"] * 10
        >>> scores = [
        ...     [0.1 * (i % 7) + 0.3 * (t == "a"), 0.1 * (i % 5) + 0.3 * (t == "b")]
        ...     for i, t in enumerate(truth)
        ... ]
        >>> found = categorize(truth, scores, ["a", "b"]).cross_validate("scut", folds=4)
        >>> found.measure, round(found.apparent, 4), round(found.held_out, 4)
        ('macro-F', 0.8088, 0.7922)
        """
        from precall.cases.scored_cases import members
        from precall.hard_decisions.cross_validation import cross_validate

        member = None
        if groups is not None:
            member = np.unique(members(groups, self.truth.items, "groups"), return_inverse=True)[1]
        return cross_validate(
            self,
            method,
            folds=folds,
            measure=measure,
            tune=tune,
            beta=beta,
            groups=member,
            undefined=undefined,
            rng=rng,
        )

    def decide(self, thresholds: Thresholds) -> Decisions:
        """Hard decisions by learned thresholds for the same categories, in any order.

        A note says so if they were learned from these same items.
        """
        pairs = np.flatnonzero(policies.accept(self, thresholds))
        notes = tuple(dict.fromkeys((*self.notes, *thresholds.notes)))
        if are_learned_from(self, thresholds):
            notes = (*notes, LearnedHere("", thresholds.policy))
        kind = "binary" if self.truth.kind == "binary" else "multi"
        truth = replace(self.truth, kind=kind, notes=notes)
        return Decisions(
            truth, replace(truth, keys=pairs if self._place is None else self._place[pairs])
        )

    def baselines(self) -> dict[str, Decisions]:
        """The trivial "rejector" and "acceptor" of these items; see `Decisions.baselines`."""
        return trivial(self.truth)

    def eleven_point(
        self, pivot: str = "category", form: str = "yang", undefined: str = "zero"
    ) -> Float64:
        """Interpolated precision at recall 0, .1, ..., 1, averaged over categories or over items.

        Parameters
        ----------
        pivot : "category": mean over the categories' rankings of the items; "item": over the items'
            rankings of the categories, which is Yang's procedure.
        form : "yang": her six steps (1999), by intervals of recall; "trec": the greatest precision
            at this recall or more, whose mean is that of `by_category("11-point")`. They differ
            only if recall .9 is reached and recall 1 is not.
        undefined : how to treat rankings in which nothing is true, as in `PerRanking.mean`: count
            them as "zero" (the default), leave them out ("omit"), or raise an "error".

        Examples
        --------
        >>> s = categorize(
        ...     ["a", "b", "b"],
        ...     [[0.9, 0.1, 0.3], [0.6, 0.4, 0.1], [0.2, 0.8, 0.3]],
        ...     ["a", "b", "c"],
        ... )
        >>> print(s.eleven_point(undefined="omit").mean(), s.eleven_point().mean().round(4))
        1.0 0.6667
        """
        names = self.categories if pivot == "category" else tuple(range(self.truth.items))
        values = np.concatenate(
            [
                np.zeros((0, 11)),
                *(eleven.points_of_each(paths, form) for paths in self._paths(pivot)),
            ]
        )
        means = [PerRanking("11-point", names, column).mean(undefined) for column in values.T]
        return np.array(means, np.float64)


def _scarce(status: Status, thresholds: Thresholds) -> list[Note]:
    """Notes on thresholds of categories that were learned from few relevant items."""
    from precall.stats.intervals.tuned import FEWEST  # decisions do not need it

    if thresholds.kind != "score" or thresholds.number is not None or not thresholds.learned:
        return []
    sizes = zip(map(str, status.categories), status.truth.per_category().tolist(), strict=True)
    return [LearnedFromFew(name, size, FEWEST) for name, size in sizes if size < FEWEST]


def are_learned_from(status: Status, thresholds: Thresholds) -> bool:
    """Whether thresholds were learned from these same items."""
    return thresholds.learned and thresholds.data == status.digest


def lacks_for_hand_till(status: Status) -> str:
    """What `hand_till` needs but the status lacks; empty if nothing."""
    if len(status.truth.keys) != status.truth.items or np.any(status.truth.per_item() != 1):
        return "needs exactly one category per item"
    if len(status.score) != status.truth.items * len(status.categories):
        return "needs a score of every item for every category"
    return ""
