"""Cases added in batches and counted per distinct score; batches merge in any order with equal
results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

import numpy as np
import numpy.typing as npt

from precall.cases.bounds import Bounds, bin_edges, outwards
from precall.cases.curves import Count, Curve
from precall.cases.score_counts import (
    FEW,
    Counted,
    are_distinct,
    check_exact,
    count_of,
    counts_of,
    merge,
    names_of_counts,
)
from precall.cases.scored_cases import (
    OtherLabel,
    Scores,
    Weights,
    check_cases,
    missed_count,
    never,
    orient,
    refuse_heavy,
    refuse_nan,
    weight,
)
from precall.cases.tally import from_counts, path, weighted_tally
from precall.core.arguments import as_array_like
from precall.core.counts import dot
from precall.core.errors import Fact, UsageError
from precall.core.notes import run_and_warn
from precall.core.ragged import Bool, Float64, Int64
from precall.core.rng import suggest_our_names
from precall.location.series import ratios
from precall.read.positive_label import say_others
from precall.read.weights import KindsOfWeights
from precall.results.sheets import MissingName, Table, way_of

if TYPE_CHECKING:
    from precall.cases.scan import ScannedCases


class ScoredCases:
    """Scored cases collected in batches; memory grows with the distinct scores, not with the cases.

    Counts are whole numbers, so batches can be added and merged in any order with identical
    results, digit by digit. More than 2^53 cases are refused.

    Parameters
    ----------
    bins : None keeps every distinct score, so all numbers are exact. To bound the memory, give a
        number of bins of equal width between 0 and 1, or the edges between bins, ascending.
        `average_precision` and `area_under_roc` are then `Bounds` that hold for any scores inside
        the bins.

    Examples
    --------
    >>> cases = ScoredCases()
    >>> cases.add([1, 0], [0.9, 0.8])
    >>> cases.add(True, 0.7)
    >>> cases.add_missed(1)
    >>> cases.curve().average_precision()
    0.5555555555555556
    """

    #: Names that people look for → what to use instead.
    _instead: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("addCase", "add_case"), ".add(correct, score)"),
        **dict.fromkeys(("addMisses", "add_misses"), ".add_missed(count)"),
        **dict.fromkeys(("update", "append", "extend", "add_batch"), ".add(labels, scores)"),
        **dict.fromkeys(("compute", "result"), ".curve(), which has the measures"),
        "numCases": ".curve(), whose .relevant + .other is the number of cases",
        "reset": "pc.ScoredCases() for other cases",
    }

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            raise MissingName(name=name, obj=self)

    @classmethod
    def _way_to(cls, name: str) -> str | None:
        """What to write instead of a name that is not here, but perhaps that of a curve."""
        if name in cls._instead:
            return cls._instead[name]
        way = way_of(Curve, name) if hasattr(Curve, name) else Curve._way_to(name)
        if way is None:
            return None
        return f".curve(){way.replace(' or .', ' or .curve().')}"

    def __init__(self, bins: int | Sequence[float] | npt.NDArray[Any] | None = None) -> None:
        self.edges: Float64 | None = None if bins is None else bin_edges(bins)
        self.missed: int = 0
        #: Cases as they came; counted cases; and, with bins, the number of cases of each class in
        #: each bin.
        self._cases: list[tuple[Bool, Scores]] = []
        self._parts: list[Curve | Counted] = []
        self._binned = np.zeros((2, 0 if self.edges is None else len(self.edges) + 1), np.int64)
        self._waiting = self._rows = self._total = 0
        self._room = FEW
        self._weighted = False
        self._kinds = KindsOfWeights()
        #: Whether high scores are good; None before the first case.
        self._high: bool | None = None
        #: The labels seen, by the label that is relevant. Only at the end is it known whether that
        #: label occurs.
        self._labels: dict[str, tuple[Any, dict[str, Any]]] = {}
        self._other = OtherLabel()

    def __repr__(self) -> str:
        score, positive, negative = self._count_scores()
        kind = "bins" if self.edges is not None else "distinct scores"
        counts = f"{positive.sum()} relevant, {negative.sum()} other, {self.missed} missed"
        return f"<ScoredCases: {counts}, {len(score)} {kind}>"

    @suggest_our_names
    def add(
        self,
        relevant: object,
        score: Any,
        positive: object = None,
        higher_is_better: bool = True,
        weights: object = None,
    ) -> None:
        """Add one case, or arrays of cases; labels, scores and weights as `curve` takes them.

        If some cases have weights, cases without weights weigh 1. Whole weights are summed exactly;
        sums of real weights depend on the order of the batches, by about 1e-15. If low scores are
        good, they must be so in every batch.

        Examples
        --------
        >>> cases = ScoredCases()
        >>> cases.add([1, 0, 1], [0.9, 0.8, 0.7], weights=[2, 1, 1])
        >>> cases.curve().average_precision()
        0.9166666666666666
        """
        relevant, score = as_array_like(relevant), as_array_like(score)
        if np.ndim(score) == 0:
            relevant, score = [relevant], [score]
            weights = None if weights is None else [weights]
        _, labels = self._labels.setdefault(repr(positive), (positive, {}))
        # float32 scores widen to float64 exactly, so ties stay as they are.
        truth, value = check_cases(relevant, score, positive, higher_is_better, part=labels)
        refuse_nan(value)
        if positive is None:
            self._other.see(relevant, truth)
        self._agree(higher_is_better)
        if weights is not None:
            heavy = weight(weights, len(truth))
            self._weigh(truth, value, heavy)
            self._kinds = self._kinds.join(KindsOfWeights.of(truth, heavy))
            return
        self._kinds = self._kinds.join(KindsOfWeights.of(truth, None))
        self._total = check_exact(self._total + len(truth))
        if self.edges is None:
            self._keep(truth, value)
        else:
            for at in range(0, len(truth), FEW):
                some, hits = value[at : at + FEW], truth[at : at + FEW]
                self._bin(self._binned[0], some[hits])
                self._bin(self._binned[1], some[~hits])

    def _agree(self, high: bool | None) -> None:
        """Raise if an earlier batch had the other direction of scores."""
        if high is not None and self._high not in (None, high):
            raise UsageError(
                argument="higher_is_better",
                got=Fact(high),
                why=f"but {self._high} for the cases before",
                remedy="give all batches the same value, or negate the scores of some",
            )
        self._high = self._high if high is None else high

    @property
    def higher_is_better(self) -> bool:
        """False if low scores are good."""
        return self._high is not False

    def add_missed(self, count: int = 1) -> None:
        """Count relevant items that were never scored."""
        self.missed = int(missed_count(self.missed + missed_count(count, False), False))

    def merge(self, other: ScoredCases) -> None:
        """Add all cases of another accumulator."""
        mine, theirs = self.edges, other.edges
        if mine is not theirs and (
            mine is None or theirs is None or not np.array_equal(mine, theirs)
        ):
            raise UsageError(argument="merge", what="both must have the same bins")
        self._agree(other._high)
        self._other.agree(other._other.text)
        self.add_missed(other.missed)
        for positive_text, (positive, labels) in other._labels.items():
            self._labels.setdefault(positive_text, (positive, {}))[1].update(labels)
        self._total = check_exact(self._total + other._total)
        self._weighted |= other._weighted
        self._kinds = self._kinds.join(other._kinds)
        self._binned = self._binned + other._binned
        self._cases += other._cases
        self._waiting += other._waiting
        self._parts += other._parts
        self._rows += other._rows
        self._count_some()

    def _weigh(self, truth: Bool, value: Scores, weights: Weights) -> None:
        """Count cases with weights at once, by score."""
        if self.edges is not None:
            raise UsageError(
                argument="weights",
                what="bins hold counts of cases",
                remedy="leave out bins= or the weights",
            )
        self._weighted = True
        best, positive, negative = weighted_tally(truth, value, weights)
        self._append(best.astype(np.float64), positive, negative)

    def _keep(self, truth: Bool, value: Scores) -> None:
        kept: Any = np.array(value)
        self._cases.append((np.array(truth), kept))
        self._waiting += len(truth)
        self._count_some()

    def _count_some(self) -> None:
        """Count the waiting cases by score, unless most have a score of their own: those take less
        memory uncounted.
        """
        if self._waiting >= self._room:
            self._room = 2 * self._waiting
            if not are_distinct([score for _, score in self._cases]):
                self._room = max(FEW, 2 * len(self._curve_of_cases()))
        if self._rows > self._room:
            self._room = max(FEW, 2 * len(self._curve_of_cases()))

    def _append(self, score: Float64, positive: Count, negative: Count) -> None:
        """Append scores whose cases are counted already."""
        if positive.dtype.kind != "f":
            total = self._total + count_of(positive, self._total)
            self._total = total + count_of(negative, total)
        if self.edges is None:
            self._parts.append((score, positive, negative))
            self._rows += len(score)
            self._count_some()
            return
        index = self._bins_of(score)
        np.add.at(self._binned[0], index, positive)
        np.add.at(self._binned[1], index, negative)

    def _bin(self, counts: Int64, score: Scores) -> None:
        """Count each score in its bin."""
        edges = self._ascending_edges()
        if len(score) < len(edges):
            np.add.at(counts, self._bins_of(score), 1)
        else:
            # Looking up edges in sorted scores is faster than looking up scores among edges.
            counts += np.diff(np.searchsorted(np.sort(score), edges), prepend=0, append=len(score))

    def _bins_of(self, score: Scores) -> Int64:
        """The bin of each score, from the lowest."""
        return np.searchsorted(self._ascending_edges(), score.astype(np.float64), side="right")

    def _ascending_edges(self) -> Float64:
        """The edges between bins, ascending in scores as `orient` returns them."""
        edges = orient(np.asarray(self.edges), self.higher_is_better)
        return edges if self.higher_is_better else edges[::-1]

    def _curve_of_cases(self) -> Curve:
        """The curve of all cases without bins, missed items left out."""
        if self._cases:
            columns = zip(*self._cases, strict=True)
            truth, value = (
                column[0] if len(column) == 1 else np.concatenate(column) for column in columns
            )
            self._cases, self._waiting = [], 0
            threshold, tp, fp = path(truth, value)
            self._parts.append(Curve(threshold.astype(np.float64, copy=False), tp, fp))
        if len(self._parts) != 1:
            self._parts = [merge(list(map(counts_of, self._parts)))]
        (curve,) = self._parts
        if isinstance(curve, tuple):
            curve = from_counts(*curve, weighted=self._weighted)
        refuse_heavy(float(curve.tp[-1]) + float(curve.fp[-1]))
        if curve.tp.dtype.kind != "f":  # sums of real weights do not give the counts of cases
            self._parts = [curve]
        self._rows = len(curve)
        for column in (curve.threshold, curve.tp, curve.fp):
            column.flags.writeable = False  # returned curves share these columns
        return curve

    def _count_scores(self) -> Counted:
        """Distinct scores (or bins) with their counts, best first."""
        if self.edges is None:
            curve = self._curve_of_cases()
            return counts_of(self._parts[0] if self._weighted else curve)
        held = np.flatnonzero(self._binned.any(axis=0))[::-1]
        return held.astype(np.float64), self._binned[0, held], self._binned[1, held]

    def _scores(self) -> tuple[Float64, Int64, Int64]:
        """Distinct scores with their counts, best first. A bin stands as the edge at which all of
        it is accepted: the lower edge if high scores are good.
        """
        score, positive, negative = self._count_scores()
        if self.edges is not None:
            score = np.append(-np.inf, self._ascending_edges())[score.astype(np.int64)]
        return score, positive, negative

    def curve(self) -> Curve:
        """The curve of all cases. With bins, scores count as their bin's lower edge (the upper
        edge, if low scores are good).

        Raises an error if `positive` was a label that no case has.
        """
        scored = self._curve_of_cases() if self.edges is None else from_counts(*self._scores())
        for positive, labels in self._labels.values():
            if labels and not scored.tp[-1] and all(label != positive for label in labels.values()):
                raise never(positive, labels)
        _, notes = run_and_warn(self._say_others)
        notes = (*notes, *self._kinds.notes())
        curve = replace(scored, missed=self.missed, weighted=self._weighted, noticed=notes)
        if self.higher_is_better:
            return curve
        return replace(curve, threshold=orient(curve.threshold, False), higher_is_better=False)

    def _say_others(self) -> None:
        """Note the labels that count as not relevant."""
        for positive, labels in self._labels.values():
            say_others(labels.values(), positive)

    def average_precision(self) -> float | Bounds:
        """Average precision; with bins, its bounds over all scores inside the bins, and the value
        of the binned scores.
        """
        exact = self.curve().average_precision()
        if self.edges is None:
            return exact
        _, positive, negative = self._count_scores()
        total = int(positive.sum()) + self.missed
        if not total:
            return Bounds(exact, exact, exact)
        tp, fp = np.cumsum(positive), np.cumsum(negative)
        # Best case: a bin's hits are tied above its other cases. Worst case: they stand one by one
        # below all of them.
        with np.errstate(invalid="ignore"):
            best = np.where(positive > 0, positive * (tp / (tp + fp - negative)), 0.0)
        upper = float(np.sum(best)) / total
        before, step = (tp - positive).astype(np.float64), np.ones(len(tp))
        lower = float(np.sum(ratios(before + 1, step, before + 1 + fp, step, positive))) / total
        return outwards(lower, exact, upper, len(tp) + min(int(positive.max(initial=0)), 1 << 12))

    def area_under_roc(self) -> float | Bounds:
        """Area under the ROC curve; with bins, its bounds and the value that takes each bin as a
        tie.
        """
        exact = self.curve().area_under_roc()
        if self.edges is None or exact != exact:
            return exact if self.edges is None else Bounds(exact, exact, exact)
        _, positive, negative = self._count_scores()
        pairs = 2 * (int(positive.sum()) + self.missed) * int(negative.sum())
        spread = dot(positive, negative) / pairs
        return outwards(exact - spread, exact, exact + spread, 1)

    @property
    def table(self) -> Table:
        """Columns score, relevant, other, best score first; missed items as a row of score NaN.

        With weights the columns are score, relevant_weight, other_weight. If low scores are good,
        the first column is called low_score; `from_table` reads the direction from that name.
        """
        score, *counts = self._scores()
        columns: Sequence[Any] = (orient(score, self.higher_is_better), *counts)
        if self.missed:
            columns = list(map(np.append, columns, (np.nan, self.missed, 0)))
        names = names_of_counts(self.higher_is_better, self._weighted)
        return Table(dict(zip(names, columns, strict=True)))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The table as an Arrow stream; `from_table` reads it back."""
        return self.table.__arrow_c_stream__(requested_schema)

    def to_parquet(self, path: str) -> None:
        """Write the table to a Parquet file; `from_table(path)` reads it back."""
        self.table.to_polars().write_parquet(path)

    @classmethod
    @suggest_our_names
    def scan(
        cls,
        source: object,
        *,
        label: str | None = None,
        score: str | Iterable[str] | None = None,
        positive: object = None,
        group: str | None = None,
        weight: str | None = None,
        thresholds: Iterable[float] = (),
        accept: Iterable[int] = (),
        missed: int = 0,
        higher_is_better: bool = True,
        memory: int | None = None,
        format: str | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> ScannedCases:
        """Curves of data larger than memory, equal to the bit to the curves of the whole data: of a
        file, or of batches.

        Pass 1 keeps the distinct relevant scores. Pass 2 counts the other cases at and between
        them. If a requested count of cases is reached between two of them, pass 3 finds the scores
        next to that count. Standard input and iterators can be read only once: their other cases
        are counted by score if few scores are distinct, else spooled to an unnamed file in TMPDIR.
        Batches may come in any order.

        Parameters
        ----------
        source : path of CSV, TSV, JSON lines, JSON, Parquet (needs Polars) or Arrow, perhaps .gz or
            .zst; a folder of Parquet files, whose subfolders named name=value are columns; "-"; a
            table; or an iterable of batches, each a table with columns by name, or (labels,
            scores), or (labels, scores, weights).
        label : name of the column of labels: bool, 0/1 or -1/1, or others with `positive`. None if
            batches are tuples.
        score : name of the column of scores, or of several; each has a curve.
        positive : the label that counts as relevant, if not 1 or true.
        group : name of the column of groups; each has a curve. None for no groups.
        weight : name of the column of weights, finite and >= 0; None for 1 each. Integers repeat a
            case; if a number is a float, or text with a point or exponent, all are sampling
            weights.
        thresholds : scores that you will pass to `curve.at(threshold=)`, which refuses other scores
            that lie between its rows.
        accept : counts of accepted cases that you will pass to `curve.at(accept=)`, likewise.
        missed : relevant cases that were never scored, >= 0: they count in every recall.
        higher_is_better : False if low scores are good.
        memory : bytes that distinct relevant scores may take; the rest goes to TMPDIR. None is a
            quarter of the free memory.
        format : "csv", "tsv", "jsonl", "json", "parquet" or "arrow"; None takes it from the name of
            the file.
        progress : called with (pass, cases read) after each batch; None calls nothing.

        Returns
        -------
        ScannedCases
            With `curve(score, group)`, `average_precision()`, `area_under_roc()`. Equal to the bit
            are: all areas, ROC, AP, break-even, 11 points, the best value of any measure of counts,
            measures of ranks, and intervals. With real weights, whose sums depend on their order,
            these agree to about 1e-15. Its curves have no row for scores between relevant ones, so
            `points()` and null distributions, which need these rows, are refused.

        Raises
        ------
        DataError
            A label or score is missing or not allowed (the message names file and line or row), or
            all cases are of one class.
        UsageError
            A column does not exist.
        OSError
            TMPDIR is full; nothing is left there.

        Examples
        --------
        >>> batches = [([1, 0], [0.9, 0.8]), ([0, 1], [0.8, 0.7])]
        >>> scanned = ScoredCases.scan(batches)
        >>> scanned.average_precision(), scanned.area_under_roc()
        (0.75, 0.5)
        """
        from precall.cases.scan import scan_cases

        return scan_cases(
            source,
            label=label,
            score=score,
            positive=positive,
            group=group,
            weight=weight,
            thresholds=thresholds,
            accept=accept,
            missed=missed,
            higher_is_better=higher_is_better,
            memory=memory,
            format=format,
            progress=progress,
        )

    @classmethod
    def from_table(
        cls, source: object, bins: int | Sequence[float] | npt.NDArray[Any] | None = None
    ) -> ScoredCases:
        """Read back what `table` returned: a Parquet path, or any object with Arrow data or columns
        by name.
        """
        from precall.cases.stored_counts import read_counts

        cases = cls(bins)
        stored = read_counts(source)
        cases._weighted = stored.weighted
        if cases._weighted and bins is not None:
            raise UsageError(
                argument="bins",
                what="bins hold counts of cases, but these cases have weights",
                remedy="leave bins= out",
            )
        cases.add_missed(stored.missed)
        cases._agree(stored.higher_is_better)
        cases._append(*merge([stored.counts]))
        # the table does not store the weights of single cases
        cases._kinds = KindsOfWeights(real=True)
        return cases
