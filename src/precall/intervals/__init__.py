"""`pc.interval`: the uncertainty of a number, whatever the number was computed from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NoReturn, ParamSpec, TypedDict, TypeVar, overload

import numpy as np

from precall import fetching
from precall.core.arguments import is_number
from precall.core.errors import Fact, Kind, MeasureError, UsageError
from precall.core.notes import Note, collect_notes
from precall.core.notes.of_intervals import AtPrevalence, JointRegion
from precall.core.rng import Rng, seed_of, suggest_our_names
from precall.evaluation.intervals import intervals_of_report
from precall.evaluation.report import Report, data_notes
from precall.measures.registry import find, range_of
from precall.results.sheets import curve_in
from precall.stats.intervals.interval import (
    Interval,
    Intervals,
    all_with_notes_of_data,
    refuse_unknown_options,
    with_notes_of_data,
)
from precall.stats.intervals.mean import mean
from precall.stats.intervals.methods import METHODS

if TYPE_CHECKING:
    from typing import Unpack

    import numpy.typing as npt

    from precall.cases import Curve
    from precall.cases import decision_curves as _decision_curves
    from precall.cases import scored_intervals as _scored
    from precall.evaluation.single_ranking import Ranking
    from precall.hard_decisions import Decisions, Status
    from precall.hard_decisions import intervals as _decided
    from precall.measures import Measure
    from precall.object_detection.api import Detections
    from precall.spans.api import Spans
    from precall.stats.intervals import f_measure as _f
    from precall.stats.intervals import mean as _means
    from precall.stats.intervals import proportion as _counts
    from precall.stats.intervals.bands import Band
    from precall.stats.intervals.tuned import TunedInterval

_P = ParamSpec("_P")
_T = TypeVar("_T")
#: Modules of the functions; each is imported on first use, as most users need none of them.
_HOMES = {
    "stats.intervals.proportion": "proportion",
    "hard_decisions.intervals": "precision recall accuracy micro_f macro_f",
    "stats.intervals.f_measure": "f e",
    "cases.scored_intervals": (
        "average_precision area_under_roc partial_area_under_roc max_f "
        "precision_at_threshold pr_band roc_band"
    ),
    "cases.decision_curves": "net_benefit net_benefit_band",
    "stats.intervals.mean": "mean two_way",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}


class _ValueOptions(TypedDict, total=False):
    """Options of every interval; the functions document them."""

    level: float
    method: str | None
    rng: Rng
    resamples: int


class _OfMeans(_ValueOptions, total=False):
    range: tuple[float, float] | None


class _CaseOptions(_ValueOptions, total=False):
    groups: object
    beta: float
    stratified: bool
    mcclish: bool


class _DecisionOptions(_ValueOptions, total=False):
    beta: float
    average: str | None
    undefined: str
    prevalence: float | None
    groups: object
    joint: bool


def _way_to(name: str) -> str:
    """What to write instead of a function that is not there: it may be a measure."""
    try:
        of_counts = find(name).declaration.of.__name__ == "Counts"
    except MeasureError:
        of_counts, name = True, "F1"
    given = "pc.decisions(truth, predicted)" if of_counts else "result"
    return f"{'of decisions ' * of_counts}write pc.interval({given}, {name!r})"


def _called_elsewhere(name: str) -> str:
    """The function of scored cases meant by the name of a measure: roc_auc is area_under_roc."""
    try:
        return {"AUC": "area_under_roc", "AP": "average_precision", "MaxF": "max_f"}.get(
            find(name).name, name
        )
    except MeasureError:
        return name


def _without_columns(call: Callable[_P, _T]) -> Callable[_P, _T]:
    """`pc.interval` with a clear error if labels, scores and a measure are passed one after
    another.
    """

    @wraps(call)
    def call_by_keywords(*given: _P.args, **options: _P.kwargs) -> _T:
        if len(given) > 3:
            _check(given[2])
            raise UsageError(
                argument="interval",
                got=Fact(f"{len(given) - 1} things"),
                allowed=("a result and a measure",),
                remedy="pass the others by name, such as level=.95",
            )
        return call(*given, **options)

    return call_by_keywords


class IntervalNamespace:
    """Intervals: how far an estimate may be from the true value.

    `interval(...)` takes a report, a curve, a ranking, decisions, a status or values per topic. Its
    functions take other data:

    - `interval.mean(values)`: the mean over topics; `interval.two_way(matrix)`: the mean over
      topics and items, both samples;
    - `interval.proportion(hits, total)`; and from the counts of a table `precision`, `recall`,
      `accuracy`, `f` and `e`;
    - `interval.micro_f(decisions)`, `interval.macro_f(decisions)`: averages over categories;
    - `interval.average_precision(relevant, score)`, `area_under_roc`, `partial_area_under_roc`: of
      scored cases;
    - `interval.max_f(relevant, score)`,
      `interval.precision_at_threshold(relevant, score, threshold)`: values on new cases;
    - `interval.pr_band(relevant, score)`, `interval.roc_band(relevant, score)`: bands of whole
      curves;
    - `interval.net_benefit(relevant, risk, threshold)`, `interval.net_benefit_band(relevant,
      risk)`: of decision curves.

    Examples
    --------
    >>> print(interval.proportion(45, 50))
    proportion 0.9000 [0.7864, 0.9565] 95 % wilson
    """

    if TYPE_CHECKING:
        proportion: Final = staticmethod(_counts.proportion)
        precision: Final = staticmethod(_decided.precision)
        recall: Final = staticmethod(_decided.recall)
        accuracy: Final = staticmethod(_decided.accuracy)
        f: Final = staticmethod(_f.f)
        e: Final = staticmethod(_f.e)
        micro_f: Final = staticmethod(_decided.micro_f)
        macro_f: Final = staticmethod(_decided.macro_f)
        average_precision: Final = staticmethod(_scored.average_precision)
        area_under_roc: Final = staticmethod(_scored.area_under_roc)
        partial_area_under_roc: Final = staticmethod(_scored.partial_area_under_roc)
        max_f: Final = staticmethod(_scored.max_f)
        precision_at_threshold: Final = staticmethod(_scored.precision_at_threshold)
        pr_band: Final = staticmethod(_scored.pr_band)
        roc_band: Final = staticmethod(_scored.roc_band)
        net_benefit: Final = staticmethod(_decision_curves.net_benefit)
        net_benefit_band: Final = staticmethod(_decision_curves.net_benefit_band)
        mean: Final = staticmethod(_means.mean)
        two_way: Final = staticmethod(_means.two_way)
    else:

        def __getattr__(self, name: str) -> Any:
            name = _called_elsewhere(name) if name not in _HOME else name
            if name not in _HOME:
                raise AttributeError(
                    f"pc.interval has no {name!r}; it has {', '.join(_HOME)}; {_way_to(name)}"
                )
            value = suggest_our_names(getattr(import_module(f"precall.{_HOME[name]}"), name))
            setattr(self, name, value)
            return value

        def __dir__(self) -> list[str]:
            return [*super().__dir__(), *_HOME]

    @overload
    def __call__(
        self, given: Curve | Ranking, measure: str | Measure, **options: Unpack[_CaseOptions]
    ) -> Interval: ...
    @overload
    def __call__(
        self,
        given: Curve | Ranking,
        measure: list[str] | tuple[str, ...] | None = None,
        **options: Unpack[_CaseOptions],
    ) -> Intervals: ...
    @overload
    def __call__(
        self,
        given: Status,
        measure: str | Measure | list[str] | tuple[str, ...] | None = None,
        **options: Unpack[_CaseOptions],
    ) -> Intervals: ...
    @overload
    def __call__(
        self,
        given: Decisions,
        measure: list[str] | tuple[str, ...] | None = None,
        **options: Unpack[_DecisionOptions],
    ) -> Intervals: ...
    @overload
    def __call__(
        self,
        given: Detections,
        measure: str | list[str] | tuple[str, ...] | None = None,
        **options: Unpack[_ValueOptions],
    ) -> Intervals: ...
    @overload
    def __call__(
        self, given: Decisions, measure: str | Measure, **options: Unpack[_DecisionOptions]
    ) -> Interval | Intervals: ...
    @overload
    def __call__(
        self,
        given: Report,
        measure: list[str] | tuple[str, ...] | None = None,
        **options: Unpack[_ValueOptions],
    ) -> Intervals: ...
    @overload
    def __call__(
        self, given: Report, measure: str | Measure, **options: Unpack[_ValueOptions]
    ) -> Interval | Intervals: ...
    @overload
    def __call__(
        self,
        given: npt.ArrayLike,
        measure: str | Measure | None = None,
        **options: Unpack[_OfMeans],
    ) -> Interval: ...
    @suggest_our_names
    @_without_columns
    def __call__(
        self,
        given: object,
        measure: str | Measure | Sequence[str] | None = None,
        *,
        level: float = 0.95,
        method: str | None = None,
        rng: Rng = 0,
        **options: Any,
    ) -> Interval | Intervals:
        """Intervals of measures of an object.

        Parameters
        ----------
        given : a `Report` (every average over topics), a `Curve` or a `Ranking` ("AP", "AUC",
            "AUC(max_fpr=.1)", "max F on new cases", "KS" (on new cases as well), and other numbers
            of a list such as "BEP", "P@10", "EF@5%" and "BEDROC"), `Decisions` (any measure of
            counts by its name, "micro-f", "macro-f"), a `Status` (for each category's ranking the
            same as for a curve), `Detections` ("101-point", "11-point" and so on: of each class,
            and their mean), or one value per topic (their mean).
        measure : one measure, or a list of several. None is all, by name; for decisions precision,
            recall, f and accuracy, and with several categories also "micro-f" and "macro-f".
        level : nominal coverage, in (0, 1).
        method : a method of the function for that measure; None is its default. Without `measure`,
            measures that do not have the method keep their default; the result names the method of
            each.
        rng : seed, Generator or SeedSequence, for methods that draw random numbers; None for a
            fresh seed.
        options : further options of that function, such as `resamples` or `beta`; for decisions
            `average` and `undefined`, as in `Decisions.value`, `prevalence` for the value in a
            population with this share of relevant items, and `joint=True` if the intervals of a
            list of measures are to hold together at `level`, as a region of recall and specificity;
            for decisions, a curve or a status `groups`, the group of each case. Without `measure`,
            an option is passed to each measure that takes it.

        Returns
        -------
        Interval or Intervals
            One interval if one `measure` is named or values are given, otherwise several by name;
            for a report of several runs one per run.

        Raises
        ------
        UsageError
            There is no such interval, or an option is not allowed.
        MissingExtra
            The method needs SciPy, and it is not installed.

        Notes
        -----
        If the estimate is undefined, so are the bounds: None, with a `PrecallWarning`. Cases of
        equal score are one block, as in `pc.curve`. Sources of the methods and their coverage are
        in docs/why/intervals.md and docs/why/coverage.md; docs/coming-from/r.md compares R's
        packages.

        Examples
        --------
        >>> from precall import curve, interval
        >>> print(interval(curve([1, 0] * 30, list(range(60))), "AUC"))
        area under ROC 0.4833 [0.3376, 0.6320] 95 % delong-newcombe
        """
        options |= {"level": level, "rng": rng} | ({} if method is None else {"method": method})
        _refuse_population(given, measure)
        given = curve_in(given)
        make = _intervals_of(type(given))
        joint = options.pop("joint", False)
        if joint and not (isinstance(measure, list | tuple) and len(measure) > 1):
            raise UsageError(
                argument="joint",
                what="is of several measures",
                remedy="pass a list, such as ['R', 'Specificity']",
            )
        if isinstance(measure, list | tuple) and measure:
            if joint:
                options["level"] = self._joint_level(given, measure, level, options)
            interval: Interval | Intervals = self._each(
                make, given, measure, options | {"rng": seed_of(rng)}
            )
            if joint and isinstance(interval, Intervals):
                interval = interval.with_notes(JointRegion("", level, round(options["level"], 4)))
        else:
            interval = make(given, _check(measure), **options)
        if options.get("prevalence") is not None and isinstance(interval, Intervals):
            interval = interval.with_notes(AtPrevalence("", float(options["prevalence"])))
        return _with_data(interval, given, measure)

    def _joint_level(
        self, given: object, measures: Sequence[Any], level: float, options: dict[str, Any]
    ) -> float:
        """The level of each of several intervals that hold together at `level`."""
        from precall.hard_decisions.intervals import level_of_each

        return level_of_each(given, measures, level, options.get("groups"))

    def _each(
        self,
        make: Callable[..., Any],
        given: object,
        measures: Sequence[Any],
        options: dict[str, Any],
    ) -> Intervals:
        """Intervals of several named measures, from the same random draws."""
        flat: dict[Any, Interval] = {}
        heads: dict[str, str] = {}
        over = "run"
        with collect_notes():
            for name in measures:
                interval = make(given, _check(name), **options)
                if isinstance(interval, Interval):
                    flat[str(name)] = interval
                    continue
                over, heads = interval._over, heads | interval._heads
                for key, one in interval.items():
                    flat[key if isinstance(key, tuple) else (key, str(name))] = one
        return Intervals(flat, over=over, heads=heads).aloud()


def _with_data(made: Interval | Intervals, given: object, measure: object) -> Interval | Intervals:
    """The interval or intervals with the notes of the data they were computed from."""
    if isinstance(given, Report):
        return _with_runs(made, given, measure)
    notes = _notes_of(given)
    if not notes:
        return made
    return (
        with_notes_of_data(made, notes)
        if isinstance(made, Interval)
        else all_with_notes_of_data(made, notes, lambda _: notes)
    )


def _notes_of(given: object) -> tuple[Note, ...]:
    from precall.cases import Curve
    from precall.hard_decisions import Decisions, Status
    from precall.object_detection.api import Detections

    kinds = Curve | Decisions | Status | Detections
    return given.notes if isinstance(given, kinds) else ()


def _with_runs(made: Interval | Intervals, report: Report, measure: object) -> Interval | Intervals:
    """The intervals with the notes of the runs, each with those of its own run."""

    def notes_about(key: object) -> list[Note]:
        run, name = key if isinstance(key, tuple) else (None, key)
        return data_notes(report, None if run is None else [run], [report.name_of(name)])

    if isinstance(made, Interval):
        return with_notes_of_data(made, notes_about(measure), report.conventions)
    names = {report.name_of(key[1] if isinstance(key, tuple) else key) for key in made}
    return all_with_notes_of_data(
        made, data_notes(report, measures=names), notes_about, report.conventions
    )


def _intervals_of(kind: type) -> Callable[..., Interval | Intervals]:
    """The function that computes intervals for objects of a type; for other types, that of values
    per topic.
    """
    from precall.cases import Curve, OperatingPoint
    from precall.cases.intervals import interval_of_curve
    from precall.hard_decisions import Decisions, Status
    from precall.hard_decisions.ranking_intervals import intervals_of_status
    from precall.object_detection.api import Detections
    from precall.spans.api import Spans

    makers: dict[type, Callable[..., Interval | Intervals]] = {
        Curve: interval_of_curve,
        Status: intervals_of_status,
        Decisions: _of_decisions,
        Spans: _of_spans,
        Detections: _of_detections,
        Report: _of_averages,
        OperatingPoint: _refuse_point,
        dict: _of_mapping,
        **dict.fromkeys((str, bytes), _refuse_kind),
    }
    return next((makers[each] for each in kind.__mro__ if each in makers), _of_values)


def _of_decisions(given: Decisions, measure: Any, **options: Any) -> Interval | Intervals:
    from precall.hard_decisions.intervals import interval_of_decisions

    refuse_unknown_options(options, interval_of_decisions)
    return interval_of_decisions(given, measure, **options)


def _of_spans(given: Spans, measure: Any, **options: Any) -> Interval | Intervals:
    from precall.spans.intervals import interval_of_spans

    refuse_unknown_options(options, interval_of_spans)
    return interval_of_spans(given, measure, **options)


def _refuse_population(given: object, measures: Any) -> None:
    """Raise for a measure of all items that exist if a ranking holds only some of them: its
    interval would be that of the ranked items alone.
    """
    population = getattr(given, "population", None)
    curve = curve_in(given)
    if not isinstance(population, int) or population <= curve.relevant + curve.other:
        return
    for measure in measures if isinstance(measures, list | tuple) else [measures]:
        try:
            found = None if measure is None else find(measure)
        except MeasureError:
            continue
        if found is not None and "population" in found.parameters:
            raise UsageError(
                argument="measure",
                got=measure,
                why=f"which is of {population} items, and an interval is of those that are ranked",
                remedy="make the ranking without ⟨population=⟩ for the interval of ranked items",
            )


def _of_detections(given: Detections, measure: Any, **options: Any) -> Intervals:
    from precall.object_detection.intervals import interval_of_detections

    refuse_unknown_options(options, interval_of_detections)
    return interval_of_detections(given, measure, **options)


def _of_averages(given: Report, measure: str | None, **options: Any) -> Interval | Intervals:
    refuse_unknown_options(options, intervals_of_report)
    several = intervals_of_report(given, measure, **options)
    return several if measure is None or len(several) != 1 else several[measure]


def _of_values(given: Any, measure: Any, **options: Any) -> Interval:
    refuse_unknown_options(options, mean)
    if measure is not None and "range" not in options:
        options["range"] = _range_of_values(measure, given)
    return mean(given, measure=measure or "mean", **options)


def _of_mapping(given: Any, measure: Any, **options: Any) -> Interval:
    """Values by topic are refused as values; any other dict is of no kind that has an interval."""
    if not given or not all(map(is_number, given.values())):
        _refuse_kind(given, measure)
    return _of_values(given, measure, **options)


def _refuse_point(given: object, measure: object, **options: Any) -> NoReturn:
    remedy = (
        "pc.interval.precision_at_threshold(labels, scores, threshold), or with recall= if that "
        "chose it"
    )
    raise UsageError(
        argument="interval",
        got=Kind(given),
        why="which does not record if it was chosen on the same cases",
        remedy=f"write {remedy}",
    )


def _refuse_kind(given: object, measure: object, **options: Any) -> NoReturn:
    allowed = ("a Report", "a Curve", "Decisions", "a Status", "or values per topic")
    raise UsageError(argument="interval", got=Kind(given), allowed=allowed)


def _check(measure: object) -> Any:
    if not (measure is None or isinstance(measure, str) or hasattr(measure, "declaration")):
        remedy = (
            "of labels and scores write pc.interval(pc.curve(y, s), 'AUC'), of decisions "
            "pc.interval(pc.decisions(y, p))"
        )
        raise UsageError(argument="measure", allowed="a name", got=Kind(measure), remedy=remedy)
    return measure


def methods(measure: str | Measure) -> tuple[str, ...]:
    """The methods of intervals of a measure, the default first; empty if there is no interval.

    For means the default is "t" from 30 topics on; with fewer it is "bayesian-bootstrap" if the
    measure has a range. For measures of counts: the methods for one table. For measures of
    rankings: those for one scored list, if it has an interval there, then those for the mean over
    topics. `methods_by_object` separates them.

    Examples
    --------
    >>> methods("MCC"), methods("AP")[0], methods("P@10"), methods("NumRel")
    (('posterior', 'bca', 'percentile'), 'logit', ('woodruff', 't', 'bayesian-bootstrap', 'bca', 'percentile'), ())
    """  # noqa: E501
    from precall.core.counts import Counts

    by_object = list(methods_by_object(measure).values())
    if find(measure).declaration.of is Counts:
        return by_object[0]
    return tuple(dict.fromkeys(method for methods in by_object for method in methods))


def methods_by_object(measure: str | Measure) -> dict[str, tuple[str, ...]]:
    """The methods of a measure by the objects that `pc.interval` takes, the default first (for 30
    topics and more).

    Examples
    --------
    >>> methods_by_object("AUC")["curves"][0], methods_by_object("AUC")["reports"]
    ('delong-newcombe', ('t', 'bayesian-bootstrap', 'bca', 'percentile'))
    >>> methods_by_object("MCC")["single-label decisions"]
    ('bca', 'percentile')
    """
    from precall.cases import intervals as cases
    from precall.core.counts import Counts
    from precall.hard_decisions import intervals as decided
    from precall.measures.areas import part_of

    chosen = find(measure)
    methods = {}
    if chosen.declaration.of is Counts:
        methods = decided.methods_of(chosen)
    elif of_lists := cases.methods_of(chosen):
        methods = {"curves": of_lists}
        if chosen.name in ("AP", "AUC", "MaxF") or part_of(chosen) is not None:
            methods["scores of categories"] = of_lists
    return methods | ({} if chosen.declaration.aggregate == "sum" else {"reports": METHODS["mean"]})


def _range_of_values(measure: str | Measure, values: object) -> tuple[float, float] | None:
    """The range of a measure, if the values lie in it; values in percent would not."""
    # Importing the module registers the measures.
    import precall.measures as _  # noqa: F401

    limits = range_of(measure)
    if limits is None:
        return None
    with suppress(TypeError, ValueError, OverflowError):
        column = np.asarray(values, np.float64)
        if column.size and not (np.nanmin(column) >= limits[0] and np.nanmax(column) <= limits[1]):
            return None
    return limits


if not TYPE_CHECKING:
    __getattr__, __dir__ = fetching(
        __name__, {".stats.intervals.bands": "Band", ".stats.intervals.tuned": "TunedInterval"}
    )
interval: IntervalNamespace = IntervalNamespace()

__all__ = [
    "Band",
    "Interval",
    "IntervalNamespace",
    "Intervals",
    "TunedInterval",
    "interval",
    "methods",
]
