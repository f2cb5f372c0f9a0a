"""A curve: the operating points of one scored list, from the threshold that accepts nothing down.

A curve is one table of columns of equal length. Precision-recall, ROC, gain and score curves are
views of it; areas, break-even points and thresholds are computed from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from precall.cases import points
from precall.cases.operating_points import OperatingPoints, points_of
from precall.cases.points import OperatingPoint, RequestedPoints, by_conditions
from precall.cases.scored_cases import Scores, Weights
from precall.cases.views import Views
from precall.core.arguments import RowNames, check_choice, check_share, check_whole
from precall.core.counts import Counts, Path, around_hits
from precall.core.errors import MeasureError, TiesUnresolved, UsageError, needs_cases_in_memory
from precall.core.notes import Note, warn
from precall.core.notes.of_curves import FormerBreakEven
from precall.core.notes.of_intervals import UndefinedMeasure
from precall.core.ragged import Bool, Float64
from precall.core.rng import Rng, suggest_our_names
from precall.core.text import many
from precall.location.hits import Hits, along, row_of
from precall.measures import Measure, areas, best_points, of_counts
from precall.measures import measure as named_measure
from precall.measures.registry import find
from precall.results.equality import Equal
from precall.results.sheets import Presented, Table
from precall.stats.turned_scores import NotesOfScores

if TYPE_CHECKING:
    from precall.hard_decisions.cross_validation import CrossValidation
    from precall.plot.canvas import Display


T = TypeVar("T")
#: By score and group; without groups, the only group is called "".
Parts: TypeAlias = dict[str, Mapping[str, T]]
Count: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.float64]
COLUMNS = ("threshold", "tp", "fp", "fn", "tn", "precision", "recall", "rejection_recall")
TIES = ("block", "expected", "best", "worst")
_PRECISION, _RECALL, _SPECIFICITY = (named_measure(name) for name in ("P", "R", "Specificity"))


@dataclass(frozen=True, slots=True, eq=False)
class Curve(Views, Equal, Presented):
    """Operating points of one scored list, as columns of equal length.

    The first row accepts nothing (threshold +inf, precision undefined); the i-th accepts every case
    that scores at least `threshold[i]`. If low scores are good the first threshold is -inf, and the
    i-th row accepts every case that scores at most `threshold[i]`. Counts are int64; with real
    weights, or whole ones whose sum exceeds 2^53, they are sums, float64.

    Attributes
    ----------
    threshold : distinct scores as given, best first, after the infinite one that accepts nothing.
    tp : relevant cases accepted.
    fp : other cases accepted.
    missed : relevant items that were never scored; they are part of `fn`.
    weighted : whether cases had weights; the counts are then sums of weights, even if they are
        whole.
    cases : the labels and scores that it was made from, so that two curves can be compared; None if
        only counts are known.
    asked : what was requested of a scan (`ScoredCases.scan`); None if every distinct score is a
        row.
    higher_is_better : False if low scores are good; thresholds then ascend.
    noticed : what was noticed when the labels and scores were read.
    places : whether thresholds are places in a ranking instead of scores, so that low ones cannot
        be good.
    """

    _instead: ClassVar[Mapping[str, str]] = {
        "thresholds": ".threshold",
        "tpr": ".recall",
        "best_threshold": ".at(max='F1').threshold",
        "threshold_at": ".at(recall=0.8).threshold",
        "precision_recall_curve": ".pr()",
        "roc_curve": ".roc()",
        **dict.fromkeys(
            ("plot_pr", "plot_roc", "plot_curve", "draw"), ".plot(); .plot('roc') has a ROC curve"
        ),
    }

    threshold: Scores
    tp: Count
    fp: Count
    missed: int | float = 0
    weighted: bool = False
    cases: tuple[Bool, Scores] | None = field(default=None, repr=False, compare=False)
    asked: RequestedPoints | None = field(default=None, repr=False, compare=False)
    higher_is_better: bool = True
    noticed: tuple[Note, ...] = field(default=(), repr=False, compare=False)
    places: bool = field(default=False, repr=False, compare=False)
    _notes: NotesOfScores | None = field(default=None, init=False, repr=False, compare=False)
    _rows: RowNames | None = field(default=None, init=False, repr=False, compare=False)
    # Labels, scores and weights, if it was made with weights; only intervals need them.
    _weighted_cases: tuple[Bool, Scores, Weights] | None = field(
        default=None, init=False, repr=False, compare=False
    )

    def __len__(self) -> int:
        return len(self.threshold)

    def __repr__(self) -> str:
        hits, other = self.tp[-1].item(), self.fp[-1].item()
        misses = f", {self.missed} missed" if self.missed else ""
        kept = "" if self.asked is None else " kept"
        low = "" if self.higher_is_better else ", low scores are good"
        counts = f"{hits} relevant and {many(other, 'other case')}{misses}"
        return f"<Curve: {counts}, {many(len(self) - 1, 'threshold')}{kept}{low}>"

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was noticed about the labels and scores; results made from the curve carry it as
        well.
        """
        return self._notes_of_scores().read()

    def _notes_of_scores(self) -> NotesOfScores:
        """The notes, which need not be read."""
        notes = self._notes
        if notes is None:
            sums = None if self.places else (self.tp, self.fp)
            notes = NotesOfScores(self.noticed, sums, self.higher_is_better)
            object.__setattr__(self, "_notes", notes)
        return notes

    @property
    def table(self) -> Table:
        """All columns."""
        return self._table({name: getattr(self, name) for name in COLUMNS})

    def to_dict(self) -> dict[str, list[Any]]:
        """Column name → list of Python values."""
        return self.table.to_dict()

    def warn_undefined(self, what: str, needs: str = "relevant") -> None:
        """Warn that `what` is NaN because there is no relevant (or no other) case."""
        if not getattr(self, needs):
            lacking = "nothing is relevant" if needs == "relevant" else "everything is relevant"
            warn(UndefinedMeasure(what, lacking))

    @property
    def precision(self) -> Float64:
        """TP / (TP + FP); NaN if nothing is accepted."""
        return _PRECISION.of_table(self)

    @property
    def recall(self) -> Float64:
        """TP / relevant; NaN if nothing is relevant."""
        return _RECALL.of_table(self)

    @property
    def specificity(self) -> Float64:
        """TN / (TN + FP); NaN if everything is relevant."""
        return _SPECIFICITY.of_table(self)

    @property
    def rejection_recall(self) -> Float64:
        """The specificity, by LingPipe's name."""
        return self.specificity

    def values(self, measure: str | Measure) -> Float64:
        """A measure of counts at every threshold; NaN if it is undefined there.

        Examples
        --------
        >>> from precall import curve
        >>> curve([0, 1, 0, 1], [0.9, 0.8, 0.4, 0.3]).values("F").round(4)
        array([0.    , 0.    , 0.5   , 0.4   , 0.6667])
        """
        return of_counts(measure).of_table(self)

    def plot(self, view: str = "pr", **how: Any) -> Display:
        """A picture of one view; it shows itself in notebooks, and `save` writes it.

        Parameters
        ----------
        view : "pr", "roc", "gain" (of precision and recall), "lift", "cumulative-gain", "det",
            "cost", "ranks", "thresholds" or "scores". To draw several curves in one picture, use
            the displays of `precall.plot`.
        **how : options of that display's `plot`; the documentation of pictures lists them all.

        Raises
        ------
        UsageError
            There is no such view, or it has nothing to draw.
        MissingExtra
            matplotlib is not installed.

        Examples
        --------
        >>> from precall import curve
        >>> curve([0, 1, 0, 1], [0.9, 0.8, 0.4, 0.3]).plot("roc").ax_.get_ylabel()
        'recall'
        """
        from precall.plot.from_result import display_of_curve

        return display_of_curve(self, view).plot(**how)

    def points(self, *measures: str | Measure) -> OperatingPoints:
        """The operating points as a table: a row for each threshold except the one that accepts
        nothing.

        Its columns are rank (the number of cases accepted at this score, or their weight), score,
        tp, fp, fn, tn, precision, recall, specificity (`rejection_recall` in data), F, accuracy,
        then `measures` of counts; other measures raise an error.

        Examples
        --------
        >>> from precall import curve
        >>> curve([0, 1, 0, 1], [0.9, 0.8, 0.4, 0.3]).points("E")["E"].round(4)
        array([1.    , 0.5   , 0.6   , 0.3333])
        """
        return points_of({"curve": {"": self}}, measures, notes=self.notes)

    def net_benefit(self, thresholds: object = None, prevalence: float | None = None) -> Table:
        """Decision curve (Vickers & Elkin 2006): the net benefit of accepting the cases whose risk
        is at least a threshold, at several thresholds.

        Columns are threshold, tp, fp; net_benefit, TP / all - t / (1 - t) FP / all; standardized,
        that divided by prevalence; avoided, the gain over accepting all in units of false
        positives; and the net benefit of accepting all (treat_all) and none (treat_none, 0). Each
        threshold is also the risk at which a false positive and a true positive outweigh each
        other. `pc.interval.net_benefit_band` has the bands.

        Parameters
        ----------
        thresholds : ascending, in (0, 1) (default: .05, .10, ..., .50).
        prevalence : the share of relevant cases that the net benefit is for, if the cases were not
            sampled with theirs (case-control).

        Raises
        ------
        UsageError
            The scores are no risks in 0..1, or low ones are good; or a threshold is not allowed.

        Examples
        --------
        >>> from precall import curve
        >>> risks = curve([0, 1, 0, 1], [0.1, 0.8, 0.4, 0.3]).net_benefit([0.2, 0.5])
        >>> risks["net_benefit"], risks["treat_all"]
        (array([0.4375, 0.25  ]), array([0.375, 0.   ]))
        """
        from precall.cases.decision_curves import table_of_curve

        return table_of_curve(self, thresholds, prevalence)

    def value(self, measure: str | Measure, ties: str | None = None) -> float:
        """A measure of ranks, with the cases as one ranking: "AUC", "BEP(method=linear)", "P@10";
        NaN if it is undefined.

        Parameters
        ----------
        measure : a name of `precall measures`, or what `pc.measure` returned. Measures of counts
            have a value at every threshold: see `values`; `at(max=)` finds the best one.
        ties : None, the default: cases of equal score are one block, accepted or rejected together;
            a measure that needs their order (P@10, RR, BEDROC) is its mean over random orders
            inside blocks, as on the command line. "block" refuses such a measure. "expected" is the
            mean over orders for every measure; "best" and "worst" are the extremes.

        Examples
        --------
        >>> from precall import curve
        >>> c = curve([0, 1, 0, 1], [0.9, 0.8, 0.4, 0.3])
        >>> c.value("AUC"), c.value("AP"), c.value("BEP"), c.value("P@2")
        (0.25, 0.5, 0.5, 0.5)
        """
        return self._value(points.measure_of_curves(measure), ties)

    def _value(self, measure: str | Measure, ties: str | None, what: str = "") -> float:
        """The same; `what` names the value in the warning if it is undefined."""
        chosen = find(measure)
        value: float = self.measured(chosen, ties)
        if value != value:
            why = chosen.declaration.undefined if self.other else "everything is relevant"
            warn(
                UndefinedMeasure(
                    what or chosen.name, why if self.relevant else "nothing is relevant"
                )
            )
        return value

    def measured(self, measure: Measure, ties: str | None = None) -> Any:
        """A measure of counts at every threshold, or a measure of ranks with the cases as one
        ranking; for `measure(curve)`.
        """
        measure = find(measure)
        if measure.declaration.of is Counts:
            return of_counts(measure).of_table(self)
        if measure.declaration.graded or measure.judged_only or measure.parameters["grade"] != 1:
            problem = (
                "is of grades, which cases have none of; it is of judgements and runs "
                "(pc.evaluate, precall eval)"
            )
            raise MeasureError(f"{measure.name} {problem}")
        if (
            self.asked
            and measure.name == "BEP(method=nearest)"
            and not self.asked.knows(self.relevant)
        ):
            raise UsageError(
                argument="break-even",
                what=(
                    "the scan of the cases did not ask for the scores at which precision equals "
                    "recall"
                ),
            )
        if self.asked and measure.declaration.takes is Path and not measure.declaration.ours:
            raise needs_cases_in_memory(measure.name, "what looks along all thresholds ")
        if ties is not None:
            check_choice("ties", ties, TIES)
        if ties in (None, "block") and (in_blocks := measure.of_path(self)) is not None:
            return in_blocks
        if ties in (None, "block"):
            try:
                return float(measure(self.hits())[0])
            except TiesUnresolved:
                if ties is not None:
                    # A curve has no order of its cases within a block.
                    raise TiesUnresolved(
                        f"{measure.name} depends on the order inside a block of equal scores; "
                        "choose ⟨ties='expected', 'best' or 'worst'⟩"
                    ) from None
        try:
            return float(measure(self.hits(ties or "expected"))[0])
        except TiesUnresolved:
            # A curve draws no random orders.
            raise TiesUnresolved(
                f"{measure.name}: no closed form of its mean over orders of equal scores is "
                "declared, and there are too many orders to write out; choose ⟨ties='best' or "
                "'worst'⟩"
            ) from None

    def average_precision(self, ties: str = "block") -> float:
        """Average precision: the area under the steps, sum of (R_i - R_{i-1}) P_i.

        Cases of equal score are one block, accepted or rejected together ("block", the default);
        `ties="expected"` is the mean over random orders inside blocks, "best" and "worst" the
        extremes. Missed items count in the denominator. Undefined (NaN, with a warning) when
        nothing is relevant.

        Examples
        --------
        >>> from precall import curve
        >>> curve([1, 0, 1, 0], [4, 3, 2, 1], missed=1).average_precision()
        0.5555555555555556
        """
        return self._value("AP", ties, "average precision")

    def area_under_pr(self, method: str = "step") -> float:
        """Area under the precision-recall curve, by one of the methods of `precall explain AreaPR`,
        or "gain" (AUPRG).

        They are different numbers; none is "the" area. Undefined (NaN, with a warning) when nothing
        is relevant.

        Examples
        --------
        >>> from precall import curve
        >>> c = curve([0, 1, 0, 1], [4, 3, 2, 1])
        >>> (
        ...     c.area_under_pr("step"),
        ...     c.area_under_pr("interpolated"),
        ...     round(c.area_under_pr("trapezoid"), 6),
        ... )
        (0.5, 0.5, 0.333333)
        """
        check_choice("method", method, areas.PR_METHODS)
        name = "AUPRG" if method == "gain" else f"AreaPR(method={method})"
        return self._value(name, "block", "area under the precision-recall curve")

    def areas(self) -> Table:
        """Every area under the precision-recall curve and the ROC curve, by name; NaN is undefined.

        "davis-goadrich-discrete" is undefined for real weights, because it steps through whole true
        positives.
        """
        self.warn_undefined("areas")
        self.warn_undefined("areas under the ROC curve", "other")
        names = [f"pr {name}" for name in areas.PR_METHODS] + [
            f"roc {name}" for name in areas.ROC_METHODS
        ]
        # This method steps through whole true positives.
        lacking = "" if isinstance(self.relevant, int) else "davis-goadrich-discrete"
        methods, path = areas.PR_METHODS.items(), around_hits(self)
        values = [
            method(path) if self.relevant and name != lacking else np.nan
            for name, method in methods
        ]
        values += [float(areas.area_under_roc(path, method=name)) for name in areas.ROC_METHODS]
        columns: dict[str, list[str] | npt.NDArray[Any]] = {
            "area": names,
            "value": np.array(values, np.float64),
        }
        return Table(columns, noticed=self._notes_of_scores().read)

    def area_under_roc(
        self, max_fpr: float | None = None, mcclish: bool = False, method: str = "trapezoid"
    ) -> float:
        """Area under the ROC curve: the chance that a relevant case outscores another one (ties
        count half).

        Parameters
        ----------
        max_fpr : only the part up to this false positive rate, as an area (not rescaled).
        mcclish : rescale the part to .5 (chance) .. 1 (perfect), McClish (1989).
        method : "trapezoid", or "step": sum of (R_i - R_{i-1}) times the specificity there.
        """
        check_choice("method", method, areas.ROC_METHODS)
        if max_fpr is not None:
            check_share("max_fpr", max_fpr, nonzero=True)
        area = float(areas.area_under_roc(self, method=method, max_fpr=max_fpr, mcclish=mcclish))
        if area != area:
            self.warn_undefined("area under the ROC curve")
            self.warn_undefined("area under the ROC curve", "other")
        return area

    def max_f(self, beta: float = 1.0) -> OperatingPoint:
        """The operating point of greatest F; if several are equal, the one that accepts least."""
        return points.max_f(self, beta)

    def break_even(self, method: str = "nearest") -> float:
        """The value at which precision equals recall, in one of three senses, which give different
        numbers.

        Parameters
        ----------
        method : "nearest" (also "interpolated-bep", as the literature calls it): the mean of P and
            R at the threshold with a hit at which they are nearest, the greatest if several are
            equal; the policy "break-even" decides there. "max-min" (once called "interpolated";
            LingPipe's sense): the greatest min(P, R), at which the interpolated (step) curve
            crosses P = R. "linear": the highest crossing of the straight lines between points.

        Examples
        --------
        >>> from precall import curve
        >>> c = curve([0, 1, 0, 1, 1], [5, 4, 3, 2, 1])
        >>> [round(c.break_even(method), 4) for method in ("nearest", "max-min", "linear")]
        [0.3333, 0.6, 0.3333]
        """
        check_choice("method", method, [*best_points.BREAK_EVEN, *best_points.BREAK_EVEN_ALIASES])
        if method == "interpolated":
            warn(FormerBreakEven("break-even"))
        return self._value(f"BEP(method={method})", "block", "break-even")

    def eleven_point(self, *, from_one: bool = False) -> Float64:
        """Interpolated precision (the greatest at this recall or more) at recall 0, .1, ..., 1.

        Parameters
        ----------
        from_one : add a point (0, 1), which accepts nothing, to the thresholds, as tools do that
            read the points off scikit-learn's curve. The value at recall 0 is then 1, whatever the
            first block is.

        Examples
        --------
        >>> from precall import curve
        >>> c = curve([1, 0, 1, 0], [0.9, 0.9, 0.8, 0.1])
        >>> print(c.eleven_point().mean().round(4), c.eleven_point(from_one=True).mean().round(4))
        0.6667 0.697
        """
        self.warn_undefined("interpolated precision")
        values = areas.eleven_points(self) if self.relevant else np.full(11, np.nan)
        return np.append(1.0, values[1:]) if from_one and self.relevant else values

    @by_conditions
    def at(
        self,
        *,
        threshold: float | None = None,
        recall: float | None = None,
        precision: float | None = None,
        cost: Mapping[str, float] | None = None,
        accept: int | None = None,
        max: str | Measure | None = None,
        fpr: float | None = None,
        specificity: float | None = None,
    ) -> OperatingPoint:
        """Choose an operating point by a condition; the best point, by `max` or `cost`, also within
        limits.

        `at(max="F1", precision=0.9)` is the best point among those whose precision is at least .9.
        Limits are recall, precision, fpr, specificity and accept; each one given must hold.

        Parameters
        ----------
        threshold : accept the cases that score at least this, or at most this if low scores are
            good.
        recall : accept as few as reach this recall, but at least one block of equal scores. It is
            an error if the recall cannot be reached. (`Hits`, which hold many rankings, then have a
            `k_at_recall` of 0 and a `precision_at_recall` of NaN.)
        precision : the greatest recall at which precision is at least this; if several points are
            equal, the one that accepts least.
        cost : {"fp": 1, "fn": 20}: the least total cost; if several points are equal, the one that
            accepts least.
        accept : accept as many cases as possible, but at most this many; with weights, at most this
            weight.
        max : a measure of counts, at its best value: "MCC", "F(beta=2)", "Utility(3,-2)", "YoudenJ"
            for Youden's point. The best value is the least one if low values are good. If several
            points are equal, the one that accepts least. Thresholds at which the measure is
            undefined are ignored; if it is undefined at all of them, the point accepts nothing and
            its value is NaN, with a warning.
        fpr : the greatest recall at which the false positive rate FP / (FP + TN) is at most this;
            if several points are equal, the one that accepts least. If even the first block has too
            many false positives, nothing is accepted (infinite threshold).
        specificity : the same with TN / (TN + FP) at least this; equivalent to `fpr` of 1 minus it.

        Raises
        ------
        UsageError
            The recall or precision cannot be reached, or no point is within all limits; everything
            is relevant, so that the false positive rate and specificity are undefined; or several
            conditions are given that are not limits beside one `max` or one `cost`.

        Examples
        --------
        >>> from precall import curve
        >>> c = curve([0, 1, 0, 1], [0.9, 0.8, 0.4, 0.3])
        >>> c.at(recall=0.5).threshold, c.at(specificity=0.5).threshold, c.at(fpr=0.1).threshold
        (0.8, 0.8, inf)
        >>> curve([1, 0, 1, 0], [4, 3, 2, 1]).at(max="YoudenJ").threshold
        4.0
        >>> ranked = curve([1, 0, 1, 1, 0], [5, 4, 3, 2, 1])
        >>> ranked.at(max="F1").threshold, ranked.at(max="F1", precision=0.9, accept=2).threshold
        (2.0, 5.0)
        """
        return points.choose(
            self,
            threshold=threshold,
            recall=recall,
            precision=precision,
            cost=cost,
            accept=accept,
            max=max,
            fpr=fpr,
            specificity=specificity,
        )

    @suggest_our_names
    def cross_validate(
        self,
        method: str = "max-f",
        *,
        folds: int = 5,
        measure: str | Measure | None = None,
        groups: object = None,
        rng: Rng = 0,
    ) -> CrossValidation:
        """How good the decisions of a learned threshold are about cases that it was not learned
        from.

        The cases are divided into folds. For each fold, the threshold is learned from the cases of
        all others. `precall.categorize` does the same for the scores of several categories.

        Parameters
        ----------
        method : "max-f" (greatest F); "max:MEASURE", such as "max:MCC" or "max:F(beta=2)";
            "utility:tp=1,fp=-1"; "break-even"; or "proportion", which accepts as large a share of
            the cases as is relevant among those that it was learned from.
        folds : number of folds, >= 2. Relevant cases are spread evenly over them.
        measure : the measure of the decisions, such as "MCC". None is the one that the threshold is
            learned by, else F1.
        groups : the group of each case, such as its patient: groups stay in one fold.
        rng : seed or NumPy Generator of the division.

        Returns
        -------
        CrossValidation
            `held_out` is the measure of all cases, each decided by a threshold that was learned
            without it; `optimism` says how much higher the measure is if the same cases are used
            for both; `spread` has the threshold of all cases, and the least and greatest over
            folds. Missed cases are rejected by every threshold.

        Raises
        ------
        DataError
            No case is relevant, or every one.
        UsageError
            The method learns nothing, there are fewer cases or groups than folds, or the curve does
            not keep its cases.

        Examples
        --------
        >>> from precall import curve
        >>> y = [1, 0, 1, 1, 0, 0, 1, 0, 0, 0] * 8
        >>> found = curve(y, [(7 * k) % 31 + 9 * y[k] for k in range(80)]).cross_validate(folds=4)
        >>> found.measure, round(found.apparent, 4), round(found.held_out, 4)
        ('F', 0.6591, 0.6222)
        """
        from precall.hard_decisions.one_list import cross_validate_curve

        return cross_validate_curve(
            self, method, folds=folds, measure=measure, groups=groups, rng=rng
        )

    def hits(self, ties: str = "block") -> Hits:
        """The cases as `Hits` of one ranking, for measures of ranked lists:
        `measure("P@10")(c.hits())`.
        """
        check_choice("ties", ties, TIES)
        if self.tp.dtype.kind != "i":
            raise UsageError(
                "ranks need whole counts; these cases have real weights",
                remedy="take a measure of thresholds, such as AP, AUC, BEP or MaxF",
            )
        tp, fp = (column.astype(np.int64, copy=False) for column in (self.tp, self.fp))
        return along(tp, fp, None, int(self.missed), ties)

    def precision_at(self, k: int, ties: str | None = None) -> float:
        """Precision among the k best; with fewer than k cases, the missing ranks count as
        misses.
        """
        check_whole("k", k, 1)
        return self._about(row_of(self, k - 1) + 1)._value(f"P@{k}", ties, "precision")

    def recall_at(self, k: int, ties: str | None = None) -> float:
        """Recall among the k best."""
        check_whole("k", k, 1)
        return self._about(row_of(self, k - 1) + 1)._value(f"R@{k}", ties, "recall")

    def r_precision(self, ties: str | None = None) -> float:
        """Precision among the R best; R is the number of relevant items, including missed ones."""
        return self._about(row_of(self, self.relevant - 1) + 1)._value("Rprec", ties, "R-precision")

    def reciprocal_rank(self, ties: str | None = None) -> float:
        """1 / rank of the best relevant case; 0 if none was scored."""
        return self._about(int(np.searchsorted(self.tp, 1)))._value("RR", ties, "reciprocal rank")

    def _about(self, row: int) -> Curve:
        """The rows that determine the counts of hits up to a rank: the row that contains it, the
        one before, and the first and last.
        """
        last = len(self) - 1
        rows = sorted({0, max(row - 1, 0), min(row, last), last})
        columns: dict[str, Any] = {
            name: getattr(self, name)[rows] for name in ("threshold", "tp", "fp")
        }
        return replace(self, **columns, cases=None)

    def simplify(self, tolerance: float = 1e-3) -> Curve:
        """Fewer points for drawing: no area of `areas()` except the gain's changes by more than
        `tolerance`.

        With `tolerance=0` only points are removed that lie on a straight line of both curves.
        """
        from precall.cases.thinning import simplify

        return simplify(self, tolerance)
