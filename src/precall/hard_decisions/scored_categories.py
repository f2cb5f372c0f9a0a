"""Scores of items for many categories that arrive in batches: stored as they come, and sorted when
a result is requested.

A batch holds a few items of every category. Counting each category's share of it costs more than
sorting the category once, at the end. Results are computed for some categories at a time. If
batches exceed their memory they are counted, provided that few scores are distinct (half precision
has at most 65,536); otherwise they are moved to disk.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from precall.cases import Curve
from precall.cases.accumulation import ScoredCases
from precall.cases.ranking_curves import curves
from precall.cases.score_counts import Counted, counts_of, merge, names_of_counts
from precall.cases.scored_cases import Scores, Weights, weight
from precall.cases.tally import curve, from_counts, path, weighted_tally
from precall.core.arguments import check_whole, refuse_alike
from precall.core.errors import UsageError, spooling
from precall.core.ragged import Bool, Int64
from precall.core.rng import suggest_our_names
from precall.core.text import many
from precall.hard_decisions import policies
from precall.hard_decisions.membership import Membership, align_frames
from precall.hard_decisions.per_ranking import (
    OfCurves,
    PerRanking,
    Rankings,
    measured,
    value_of_curve,
)
from precall.hard_decisions.score_matrix import as_matrix, kept_by_category, tell_swaps
from precall.hard_decisions.thresholds import Thresholds
from precall.measures import Measure
from precall.read.distinct_labels import named_categories
from precall.results.sheets import Presented, Table

if TYPE_CHECKING:
    import numpy.typing as npt

#: Number of pairs of item and category that are processed together.
_PAIRS = 1 << 23
#: Bytes of a distinct score and its counts; number of categories from which the number of distinct
#: scores is estimated.
_ROW, _LOOKED_AT = 24, 5
#: Least memory of a scan, in bytes.
_LEAST = 1 << 26
#: For some categories: the first one, whether the pairs of each with all items are true, their
#: scores, and the weights of the items.
_Pairs: TypeAlias = tuple[int, Bool, Scores, Weights | None]


@dataclass(slots=True, eq=False)
class _Part:
    """Some items: their scores, categories x items, and their weights, if any.

    Truth is stored as in a batch; later as ascending keys, category * items + item; or on disk,
    like the scores.
    """

    score: Scores
    truth: Membership | Int64 | Bool
    weights: Weights | None

    @property
    def on_disk(self) -> bool:
        return isinstance(self.score, np.memmap)

    @property
    def size(self) -> int:
        """Its bytes of memory."""
        keys = self.truth.keys if isinstance(self.truth, Membership) else self.truth
        return 0 if self.on_disk else self.score.nbytes + keys.nbytes

    def pairs(self, begin: int, end: int) -> tuple[Bool, Scores]:
        """Truth and scores of some categories."""
        items = self.score.shape[1]
        if isinstance(self.truth, Membership):
            self.truth = np.sort(self.truth.category * items + self.truth.item)
        if self.truth.dtype == np.bool_:
            mapped: Any = (np.asarray(column[begin:end]) for column in (self.truth, self.score))
            return tuple(mapped)
        some = slice(*np.searchsorted(self.truth, (begin * items, end * items)))
        relevant = np.zeros((end - begin) * items, np.bool_)
        relevant[self.truth[some] - begin * items] = True
        return relevant.reshape(end - begin, items), self.score[begin:end]


class ScoredCategories(Presented):
    """Scores of items for many categories, collected in batches; equal to the bit to `categorize`
    of all items at once.

    Batches may be added and merged in any order; all numbers are identical, digit by digit. Batches
    are stored as they come until a result is requested. In print and in exports it is a table of
    each category's AP and AUC.

    Parameters
    ----------
    categories : names of the columns (default: those of the first frame that is added, else column
        numbers).
    memory : bytes that batches may take (default: a quarter of the free memory). Beyond that,
        batches are counted by score if few scores are distinct; otherwise they are moved to unnamed
        files in TMPDIR. The results are the same.

    Examples
    --------
    >>> s = ScoredCategories(["a", "b"])
    >>> s.add(["a", "b"], [[0.9, 0.1], [0.6, 0.4]])
    >>> s.add(["b"], [[0.2, 0.8]])
    >>> s.by_category("AP").values, s.micro("AP")
    (array([1., 1.]), 0.9166666666666666)
    """

    def __init__(self, categories: Sequence[Any] | None = None, memory: int | None = None) -> None:
        self.categories = None if categories is None else tuple(named_categories(categories))
        refuse_alike(self.categories or ())
        self._are_named = categories is not None
        self.items: int = 0
        self._memory = None if memory is None else check_whole("memory", memory, 1)
        self._parts: list[_Part] = []
        self._held = 0
        #: The counted scores of each category, as float64; and the widest type of the scores.
        self._counted: list[Counted] = []
        self._dtype: Any = None
        self._is_weighted: bool | None = None

    def __repr__(self) -> str:
        return (
            f"<ScoredCategories: {many(self.items, 'item')} x {len(self.categories or ())} "
            "categories>"
        )

    def __getstate__(self) -> dict[str, Any]:
        """The state with the contents of its files, which another process does not have."""
        held: Any = np.array
        parts = [
            replace(batch, score=held(batch.score), truth=held(batch.truth))
            if batch.on_disk
            else batch
            for batch in self._parts
        ]
        return {**self.__dict__, "_parts": parts, "_held": sum(batch.size for batch in parts)}

    @suggest_our_names
    def add(self, truth: object, scores: object, weights: object = None) -> None:
        """Add a batch of items.

        Parameters
        ----------
        truth : labels, sets of labels or an items x categories matrix, as `categorize` takes them.
        scores : items x categories, dense or a data frame; float16 is stored as float16.
        weights : weight of each item, finite and >= 0, which all its pairs have. Whole weights
            equal repetition.

        Raises
        ------
        DataError, UsageError
            As `categorize`: a score is NaN, a label is no category, or shapes differ. Nothing is
            added in this case.
        """
        arrays, names = align_frames({"truth": truth, "scores": scores}, self.categories)
        if hasattr(arrays["scores"], "tocoo"):
            remedy = "pass a dense matrix, or all items at once to pc.categorize"
            raise UsageError(
                argument="scores", what="a sparse matrix does not score all pairs", remedy=remedy
            )
        names = tuple(range(np.shape(arrays["scores"])[-1])) if names is None else tuple(names)
        with tell_swaps(**arrays):
            membership, matrix = as_matrix(**arrays, categories=names, are_named=self._are_named)
            score = kept_by_category(membership, matrix)
        items = membership.items
        heavy = None if weights is None else weight(weights, items)
        with self._all_or_nothing():
            self._agree(names, None if not items else heavy is not None)
            self._append(_Part(score, membership, heavy))
            self.items += items

    def merge(self, other: ScoredCategories) -> None:
        """Add all items of another instance with the same categories in the same order."""
        if other.categories is None:
            return
        with self._all_or_nothing():
            self._agree(other.categories, other._is_weighted)
            if other._counted:
                self._join(list(other._counted), other._dtype)
            items = other.items
            for batch in list(other._parts):
                self._append(batch)
            self.items += items

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """Context in which a failure, such as a full disk, leaves everything as it was, so that the
        call can be repeated.
        """
        before, batches = dict(self.__dict__), len(self._parts)
        try:
            yield
        except BaseException:
            self.__dict__.update(before)
            del self._parts[batches:]
            raise

    def _agree(self, categories: tuple[Any, ...], is_weighted: bool | None) -> None:
        if self.categories not in (None, categories):
            raise UsageError(
                argument="merge", what="both must have the same categories in the same order"
            )
        if is_weighted is not None and self._is_weighted not in (None, is_weighted):
            raise UsageError(
                argument="weights",
                what="some batches have weights and some have none",
                remedy="give each item of these 1",
            )
        self.categories = categories
        self._is_weighted = self._is_weighted if is_weighted is None else is_weighted

    def _append(self, part: _Part) -> None:
        if not part.score.size:
            return
        self._parts.append(part)
        self._held += part.size
        if self._memory is None:
            from precall.read.sizes import free_memory

            self._memory = free_memory()
        if self._held > self._memory:
            kept = [batch for batch in self._parts if batch.on_disk]
            held = [batch for batch in self._parts if not batch.on_disk]
            if self._are_few(held):
                self._count(held)
            else:
                kept.append(_spool(held))
            self._parts, self._held = kept, 0

    def _are_few(self, parts: list[_Part]) -> bool:
        """Whether the distinct scores of all categories, estimated from some of them, take much
        less memory than the pairs.
        """
        if self._is_weighted:
            return False
        rows = len(self._names)
        looked_at = np.unique(np.linspace(0, rows - 1, _LOOKED_AT).astype(np.int64)).tolist()
        distinct = [
            len(np.unique(np.concatenate([batch.score[row] for batch in parts])))
            for row in looked_at
        ]
        return 2 * float(np.mean(distinct)) * rows * _ROW < self._held

    def _count(self, parts: list[_Part]) -> None:
        """Replace pairs by counts per score."""
        counted = [
            counts_of(Curve(*path(*pairs)))
            for _, relevant, score, _ in _read(parts, range(len(self._names)))
            for pairs in zip(relevant, score, strict=True)
        ]
        self._join(counted, np.result_type(*(_dtype_of(batch) for batch in parts)))

    def _join(self, counted: list[Counted], dtype: npt.DTypeLike) -> None:
        earlier = self._counted
        self._counted = (
            [merge(list(pair)) for pair in zip(earlier, counted, strict=True)]
            if earlier
            else counted
        )
        self._dtype = dtype if self._dtype is None else np.result_type(self._dtype, dtype)

    @property
    def _names(self) -> tuple[Any, ...]:
        if self.categories is None:
            raise UsageError("no batch was added, and no categories were named")
        return self.categories

    def _rankings(self, rows: range) -> Iterator[Rankings | list[Curve]]:
        """The pairs of some categories; or their curves, if more than pairs is stored."""
        if not self._parts:
            for row in rows:
                yield [self._join_curves(row, [])]
        for begin, relevant, score, weights in _read(self._parts, rows):
            if weights is not None:
                yield [
                    _curve_of_weights(*pairs, weights)
                    for pairs in zip(relevant, score, strict=True)
                ]
            elif self._counted:
                pairs = zip(relevant, score, strict=True)
                yield [
                    self._join_curves(row, [Curve(*path(*each))])
                    for row, each in enumerate(pairs, begin)
                ]
            else:
                start = np.arange(len(score) + 1) * score.shape[1]
                yield relevant.ravel(), score.ravel(), start, np.count_nonzero(relevant, axis=1)

    def _join_curves(self, row: int, known: list[Curve]) -> Curve:
        """The curve of a category if some of its pairs are counted and others stored."""
        parts = [*map(counts_of, known), *(self._counted[row : row + 1])]
        score, positive, negative = merge(parts)
        dtype = np.result_type(
            *(curve.threshold.dtype for curve in known), self._dtype or np.float64
        )
        return from_counts(score.astype(dtype), positive, negative)

    def curves(self) -> Iterator[Curve]:
        """The curve of every category."""
        for rankings in self._rankings(range(len(self._names))):
            yield from rankings if isinstance(rankings, list) else curves(*rankings)

    def curve(self, category: object) -> Curve:
        """The curve of one category, by its name."""
        if category not in self._names:
            raise UsageError(
                argument="category",
                what="there is no {got}",
                got=category,
                remedy="see .categories",
            )
        row = self._names.index(category)
        (rankings,) = self._rankings(range(row, row + 1))
        return rankings[0] if isinstance(rankings, list) else next(iter(curves(*rankings)))

    def pooled(self) -> Curve:
        """The curve of all pairs as one list.

        If batches were moved to disk, the curve has only the rows that measures depend on, like a
        curve of `ScoredCases.scan`.
        """
        from precall.cases.case_batches import Batch
        from precall.cases.scanning import Scan, ScanRequest

        everything = range(len(self._names))
        batches = partial(_flat, self._parts, everything)
        if self._parts and self._is_weighted:
            relevant, score, weights = (
                np.concatenate(column) for column in zip(*batches(), strict=True)
            )
            return _curve_of_weights(relevant, score, weights)
        if self._counted:
            return self._pooled_counts(batches)
        if any(batch.on_disk for batch in self._parts):
            request = ScanRequest(memory=max(self._memory or 0, _LEAST))
            return Scan(
                lambda: (Batch(each[0], {"": each[1]}) for each in batches()), True, request
            ).curves()["", ""]
        cases = list(batches()) or [(np.zeros(0, np.bool_), np.zeros(0), None)]
        relevant, score = (np.concatenate(column) for column in list(zip(*cases, strict=True))[:2])
        return curve(relevant, score)

    def _pooled_counts(self, batches: Any) -> Curve:
        cases = ScoredCases.from_table(
            Table(dict(zip(names_of_counts(True, False), merge(self._counted), strict=True)))
        )
        for relevant, score, _ in batches():
            cases.add(relevant, score)
        curve = cases.curve()
        dtype = np.result_type(self._dtype, *map(_dtype_of, self._parts))
        return replace(curve, threshold=curve.threshold.astype(dtype))

    def by_category(self, measure: OfCurves, ties: str | None = None) -> PerRanking:
        """A measure of each category's ranking of the items; its `mean` is the macro average. See
        `Status.by_category`.
        """
        return measured(measure, self._names, ties, self._rankings(range(len(self._names))))

    def micro(self, measure: OfCurves, ties: str | None = None) -> float:
        """A measure of all pairs as one list."""
        return value_of_curve(measure, self.pooled(), ties)

    def thresholds(
        self, method: str, beta: float = 1.0, tune: str | Measure | None = None
    ) -> Thresholds:
        """Learn a threshold for each category.

        Parameters
        ----------
        method : "max-f", "max:MEASURE", "utility:tp=1,fp=-1" or "break-even", as in
            `Status.thresholds`. Its other methods have one number for all categories, and need all
            items at once.
        beta : for "max-f".
        tune : for "scut", the measure of each category.
        """
        return policies.learn_each(method, self._names, self.curves(), self.items, beta, tune)

    @property
    def table(self) -> Table:
        """Columns category, relevant (number of items in it, or their weight), AP and AUC."""
        relevant = self.by_category(lambda curve: float(curve.relevant)).values
        if not self._is_weighted:
            relevant = relevant.astype(np.int64)
        columns = {name: self.by_category(name).values for name in ("AP", "AUC")}
        return Table({"category": list(map(str, self._names)), "relevant": relevant, **columns})


def _dtype_of(part: _Part) -> np.dtype[Any]:
    return np.result_type(part.score.dtype, np.float32)


def _read(parts: list[_Part], rows: range) -> Iterator[_Pairs]:
    """All pairs of some categories at a time."""
    items = sum(batch.score.shape[1] for batch in parts)
    dtype = np.result_type(np.float32, *map(_dtype_of, parts))
    step = max(1, _PAIRS // max(items, 1))
    heavy: list[Any] = [batch.weights for batch in parts if batch.weights is not None]
    weights = np.concatenate(heavy) if heavy else None
    for begin in range(rows.start, rows.stop if parts else rows.start, step):
        pairs = [batch.pairs(begin, min(begin + step, rows.stop)) for batch in parts]
        relevant, score = (np.concatenate(column, axis=1) for column in zip(*pairs, strict=True))
        yield begin, relevant, np.ascontiguousarray(score, dtype), weights


def _flat(parts: list[_Part], rows: range) -> Iterator[tuple[Bool, Scores, Weights | None]]:
    """All pairs as one list, some categories at a time."""
    for _, relevant, score, weights in _read(parts, rows):
        heavy: Any = None if weights is None else np.tile(weights, len(score))
        yield relevant.ravel(), score.ravel(), heavy


def _curve_of_weights(relevant: Bool, score: Scores, weights: Weights) -> Curve:
    if weights.dtype.kind == "f":
        # Sums of real weights depend on their order, so the order is fixed.
        order = np.lexsort((relevant, weights))
        relevant, score, weights = relevant[order], score[order], weights[order]
    return from_counts(*weighted_tally(relevant, score, weights), 0, True)


def _spool(parts: list[_Part]) -> _Part:
    """The batches on disk, category by category, in unnamed files, so that nothing is left of
    them.
    """
    import tempfile  # imports many modules, and is rarely needed

    rows, items = len(parts[0].score), sum(batch.score.shape[1] for batch in parts)
    heavy: list[Any] = [batch.weights for batch in parts if batch.weights is not None]
    dtype: Any = np.float32
    with (
        spooling("batches of categories"),
        tempfile.TemporaryFile() as truths,
        tempfile.TemporaryFile() as scores,
    ):
        for _, relevant, score, _ in _read(parts, range(rows)):
            truths.write(relevant.data)
            scores.write(score.data)
            dtype = score.dtype
        truths.flush()
        scores.flush()
        columns = ((scores, dtype), (truths, np.bool_))
        score, truth = (np.memmap(file, kind, "r", shape=(rows, items)) for file, kind in columns)
    return _Part(score, truth, np.concatenate(heavy) if heavy else None)
