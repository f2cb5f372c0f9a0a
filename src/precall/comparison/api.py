"""compare(): from a report, or runs and qrels, to differences and whether they exceed chance.

The statistics are in `precall.stats`; decisions and cases are read here. Functions import what they
need when they are called.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Protocol, TypedDict, overload

from precall.comparison.reports import compare_runs, pilots_of
from precall.core.arguments import check_rows, choose
from precall.core.conventions import ConventionOptions
from precall.core.errors import UsageError
from precall.core.notes import run_and_warn
from precall.core.rng import Rng, check_passed_on, seed_of, suggest_our_names
from precall.core.text import letters
from precall.evaluation.report import Report

if TYPE_CHECKING:
    from typing import Unpack

    from precall.cases import Curve
    from precall.comparison import bayes as posteriors
    from precall.comparison import powers
    from precall.comparison.cohorts import unpaired
    from precall.comparison.gates import gates
    from precall.comparison.margins import equivalence
    from precall.comparison.run_overlap import rbo
    from precall.comparison.scores import cases
    from precall.comparison.several_runs import seeds
    from precall.comparison.system_orders import orders
    from precall.comparison.two_curves import curves
    from precall.comparison.two_detectors import detections
    from precall.hard_decisions import Decisions
    from precall.measures import Measure
    from precall.read.columns import Qrels
    from precall.stats.tests.comparisons import Comparison, Comparisons
    from precall.stats.tests.many import many
    from precall.stats.tests.paired import paired
    from precall.stats.tests.planning import Plan

# Members of `compare` are imported on first use: `import precall` must stay light.


def _pair_of_lists() -> Any:
    from precall.stats.tests.paired import paired

    return suggest_our_names(paired)


def _many() -> Any:
    from precall.stats.tests.many import many

    return suggest_our_names(many)


def _equivalence() -> Any:
    from precall.comparison.margins import equivalence

    return suggest_our_names(equivalence)


def _cases() -> Any:
    from precall.comparison.scores import cases

    return suggest_our_names(cases)


def _cohorts() -> Any:
    from precall.comparison.cohorts import unpaired

    return suggest_our_names(unpaired)


def _detections() -> Any:
    from precall.comparison.two_detectors import detections

    return suggest_our_names(detections)


def _curves() -> Any:
    from precall.comparison.two_curves import curves

    return suggest_our_names(curves)


def _seeds() -> Any:
    from precall.comparison.several_runs import seeds

    return suggest_our_names(seeds)


def _gates() -> Any:
    from precall.comparison.gates import gates

    return suggest_our_names(gates)


def _orders() -> Any:
    from precall.comparison.system_orders import orders

    return suggest_our_names(orders)


def _rbo() -> Any:
    from precall.comparison.run_overlap import rbo

    return suggest_our_names(rbo)


def _bayes() -> Any:
    from precall.comparison import bayes

    return bayes


def _power() -> Any:
    from precall.comparison import powers

    return powers


_PARTS = {
    "paired": _pair_of_lists,
    "many": _many,
    "equivalence": _equivalence,
    "cases": _cases,
    "unpaired": _cohorts,
    "curves": _curves,
    "detections": _detections,
    "seeds": _seeds,
    "gates": _gates,
    "orders": _orders,
    "rbo": _rbo,
    "bayes": _bayes,
    "power": _power,
}


def _way_to(name: str) -> str:
    """What to write instead of a function that is not there: it may be a test."""
    from precall.stats.tests import ELSEWHERE, TESTS

    plain = letters(name)
    ours = next((each for each in TESTS if plain.removesuffix("test") in (each, f"{each}t")), None)
    ours = ours or ELSEWHERE.get(plain, [""])[0]
    return f"write precall.compare(report, test={ours!r})" if ours else "see help(precall.compare)"


class _OfPairs(TypedDict, total=False):
    """Options of every comparison; the functions of `compare` document them."""

    test: str | None
    level: float
    rng: Rng
    resamples: int | None


class _OfTwo(_OfPairs, total=False):
    names: tuple[str, str]


class _OfItems(_OfTwo, total=False):
    groups: object


class _OfCases(_OfItems, total=False):
    topics: Any  # those of `_OfRuns` are policies
    threshold: float | tuple[float, float] | None


class _OfDecisions(_OfItems, total=False):
    beta: float
    average: str | None
    interval: str | None
    ratio: bool


class _OfValues(_OfTwo, total=False):
    alternative: str
    unpaired: str
    undefined: str
    higher_is_better: bool


class _OfReports(_OfPairs, total=False):
    correction: str
    baseline: str | None
    unpaired: str


class _OfRuns(_OfReports, ConventionOptions, total=False):
    topic_weights: object
    threads: int | None
    progress: Callable[[int, int, str], None] | None
    memory: int | None


class _OfAny(_OfRuns, _OfDecisions, _OfCases, total=False):
    """Options for columns, or for tables of judgements; which of them are given is only known after
    reading.
    """

    categories: Sequence[object] | None
    higher_is_better: bool
    measure: str | Measure
    missed: int
    positive: object
    weights: object


class _Table(Protocol):
    @property
    def columns(self) -> Any: ...


class _Array(Protocol):
    def __array__(self, *more: Any, **options: Any) -> Any: ...


class Compare:
    """Compare systems: are their differences more than chance?

    `compare(...)` takes a report, runs with qrels, two curves, two decisions, labels and two
    columns, or values per topic. Its functions take other data:

    - `compare.paired(a, b)`: values of two systems per topic, by id or in columns;
    - `compare.many(matrix, names)`: several systems, every pair or against a baseline;
    - `compare.decisions(truth, a, b)`: hard decisions of two systems (Yeh's randomization,
      McNemar);
    - `compare.cases(relevant, a, b)`: two scores of the same items, by AP or area under ROC, with
      groups, weights, missed items;
    - `compare.curves(a, b)`: where one curve lies above another, with a band of the difference;
    - `compare.detections(a, b)`: two detectors on the same images, by average precision;
    - `compare.unpaired(curve_a, curve_b)`: two cohorts without a common case, by area under ROC or
      another measure;
    - `compare.seeds(report, systems)`: systems with several runs each, such as one for each seed;
    - `compare.equivalence(a, b, margin)`: tests that two systems are equivalent, or one not worse,
      by values per topic; `compare.equivalence(y, a, b, margin)` by areas or decisions of cases;
      `compare.gates(report)`: may runs replace the first?
    - `compare.orders(a, b)`: how alike two orders of systems are (Kendall's tau, AP correlation);
      `compare.rbo(run_a, run_b)`: how alike two runs are, without judgements (rank-biased overlap);
    - `compare.plan(...)`: topics and items that a comparison needs, or its power; `compare.power`
      has the single functions;
    - `compare.bayes`: the probability that one system is better; `bayes.decisions(truth, a, b)` for
      hard decisions (Goutte & Gaussier).

    Examples
    --------
    >>> qrels = {f"q{i}": {"x": 1} for i in range(8)}
    >>> good = {f"q{i}": {"x": 2.0, "y": 1.0} for i in range(8)}
    >>> bad = {f"q{i}": {"y": 2.0, "x": 1.0} for i in range(8)}
    >>> found = compare(qrels, {"good": good, "bad": bad}, ["AP"])
    >>> found.pairs[0].difference, found.pairs[0].p
    (0.5, 0.0078125)
    """

    if TYPE_CHECKING:
        bayes: Final = posteriors
        power: Final = powers
        cases: Final = staticmethod(cases)
        unpaired: Final = staticmethod(unpaired)
        curves: Final = staticmethod(curves)
        detections: Final = staticmethod(detections)
        paired: Final = staticmethod(paired)
        many: Final = staticmethod(many)
        equivalence: Final = staticmethod(equivalence)
        seeds: Final = staticmethod(seeds)
        gates: Final = staticmethod(gates)
        orders: Final = staticmethod(orders)
        rbo: Final = staticmethod(rbo)

    else:

        def __getattr__(self, name: str) -> Any:
            if name not in _PARTS:
                raise AttributeError(f"precall.compare has no function {name!r}; {_way_to(name)}")
            value = self.__dict__[name] = _PARTS[name]()
            return value

    def __dir__(self) -> list[str]:
        return [*_PARTS, "decisions", "plan"]

    def __repr__(self) -> str:
        return f"<precall.compare: {', '.join(dir(self))}>"

    @overload
    def __call__(
        self,
        report: Curve,
        runs: Curve,
        measures: str | Measure | None = None,
        **options: Unpack[_OfCases],
    ) -> Comparison: ...
    @overload
    def __call__(
        self,
        report: Decisions,
        runs: Decisions,
        measures: str | Measure | None = None,
        **options: Unpack[_OfDecisions],
    ) -> Comparison: ...
    @overload
    def __call__(
        self,
        report: Mapping[Any, float],
        runs: Mapping[Any, float],
        measures: str | Measure | None = None,
        **options: Unpack[_OfValues],
    ) -> Comparison: ...
    @overload
    def __call__(
        self,
        report: Report,
        runs: None = None,
        measures: str | Measure | Iterable[str | Measure] | None = None,
        **options: Unpack[_OfReports],
    ) -> Comparisons: ...
    @overload
    def __call__(
        self,
        report: str | os.PathLike[str] | Mapping[Any, Mapping[Any, object]] | Qrels,
        runs: object,
        measures: str | Measure | Iterable[str | Measure] | None = None,
        **options: Unpack[_OfRuns],
    ) -> Comparisons: ...
    @overload
    def __call__(
        self,
        report: Sequence[object] | Iterator[object] | _Table | _Array,
        runs: object = None,
        measures: object = None,
        *more: Any,
        **options: Unpack[_OfAny],
    ) -> Any: ...
    @suggest_our_names  # type: ignore[misc]  # columns are followed by a measure
    def __call__(
        self,
        report: Any,
        runs: Any = None,
        measures: Any = None,
        test: str | None = None,
        correction: str = "holm",
        baseline: str | None = None,
        level: float = 0.95,
        rng: Rng = 0,
        *,
        resamples: int | None = None,
        unpaired: str = "error",
        **choices: Any,
    ) -> Comparison | Comparisons:
        """Compare all runs of a report pair by pair, or each with a baseline; or compare two
        systems.

        Parameters
        ----------
        report : what `evaluate` returned for two runs or more; or qrels, with `runs`. Two systems
            are two curves, two decisions or two {topic: value}, one here and one as `runs`; or
            labels and two columns of scores or decisions: `compare(y, a, b)` or
            `compare(y, {name: a, name: b})`. They are compared as by `compare.cases`,
            `compare.decisions` and `compare.paired`.
        runs : with qrels {name: run, ...} or a list of paths, each as `evaluate` takes it; None
            with a report.
        measures : names; None is those of the report (with qrels the default of `evaluate`). For
            two systems a single name; after columns it comes last, `compare(y, a, b, "AUC")` or
            `compare(y, {name: a, name: b}, "AUC")`.
        test : see `compare.many`. None is "randomization"; for two systems the default of their
            function.
        correction : see `compare.many`. The correction is for the pairs of one measure; in groups
            of topics for the pairs of all groups together.
        baseline : see `compare.many`. Two systems have none.
        level, rng : see `compare.many`.
        resamples : see `compare.many`. None is 100,000; for two systems the default of their
            function.
        unpaired : how to treat topics that a run lacks: "error", or "drop" them for all runs. To
            count them as 0, evaluate with topics="qrels".
        choices : with qrels, options of `evaluate`, such as topics="qrels"; for two systems, those
            of their function.

        Returns
        -------
        Comparisons or, of two systems, Comparison
            With `by=`, as `evaluate` takes it, or a report that was made with it, `groups` has the
            comparisons of each group of topics. With `topic_weights`, "randomization" and "t" are
            of weighted means; other tests are refused, as is "tukey". Undefined values are counted
            as the report counts them. For a geometric mean the logarithms are compared (values
            below 1e-5 taken as that), for a sum the values per topic.

        Raises
        ------
        DataError
            A run lacks topics that another has, or no topic is common; or curves or decisions are
            not about the same items.
        UsageError
            There are fewer than two runs, or an option is not allowed; or two columns may be
            decisions or scores.
        MissingExtra
            The test needs SciPy, and it is not installed.

        Notes
        -----
        Systems that are equal everywhere give p = 1. Error rates of the tests are in
        docs/why/tests.md; docs/coming-from/r.md has their names in R and the differences.

        References
        ----------
        Smucker, Allan & Carterette, "A comparison of statistical significance tests for information
        retrieval evaluation", CIKM 2007; Carterette, "Multiple testing in statistical analysis of
        systems-based information retrieval experiments", TOIS 2012.
        """
        if not isinstance(report, Report | str | os.PathLike):
            from precall.comparison.dispatch import compare_pair

            settings = {
                "test": test,
                "correction": correction,
                "baseline": baseline,
                "resamples": resamples,
            }
            settings |= {"unpaired": unpaired}
            if pair := compare_pair(
                self, report, runs, measures, {"level": level, "rng": rng, **settings, **choices}
            ):
                return pair
        # One seed for all measures, so that the order of measures does not change the draws.
        seed = seed_of(rng)
        if isinstance(report, Report):
            if runs is not None or choices:
                remedy = (
                    "pass it alone, its measures by ⟨measures=⟩, or qrels and runs; evaluate "
                    "several runs in one call"
                )
                raise UsageError("a report has its runs and choices already", remedy=remedy)
        else:
            if runs is None:
                raise UsageError(
                    argument="runs",
                    what="none given; pass a report of several runs, or qrels and runs",
                    remedy="values go to compare.many",
                )
            from precall.evaluation.api import evaluate

            check_passed_on(choices, self.__call__, evaluate, "which qrels and runs do not take")
            if "unjudged" in choices:
                raise UsageError(
                    argument="unjudged",
                    what="gives bounds of values, which comparisons do not have",
                    remedy="pass it to evaluate()",
                )
            report = evaluate(report, runs, measures, rng=seed, **choices)
            measures = None
        return compare_runs(
            report,
            measures,
            test=test or "randomization",
            correction=correction,
            baseline=baseline,
            level=level,
            rng=seed,
            resamples=100_000 if resamples is None else resamples,
            unpaired=unpaired,
        )

    @suggest_our_names
    def decisions(
        self,
        truth: object,
        predicted_a: object,
        predicted_b: object,
        measure: str | Measure | None = None,
        *,
        beta: float = 1.0,
        average: str | None = None,
        test: str | None = None,
        categories: Sequence[object] | None = None,
        groups: object = None,
        level: float = 0.95,
        resamples: int = 100_000,
        rng: Rng = 0,
        names: tuple[str, str] = ("a", "b"),
        interval: str | None = None,
        ratio: bool = False,
        positive: object = None,
    ) -> Comparison:
        """Compare two systems' hard decisions on the same items, by the tests of Yeh (2000) and
        McNemar's test.

        Parameters
        ----------
        truth, categories, positive : see `precall.decisions`.
        predicted_a : the first system's decision about each item, in the order and the form of
            `truth`.
        predicted_b : the second system's decisions, likewise.
        measure : any measure of counts (`precall measures`), as a name or as returned by
            `pc.measure`: "F(beta=2)", "MCC". None is "F" for a yes or no about each item, and if
            `beta` or `average` is given; otherwise "accuracy". `precall compare` adds precision and
            recall, or macro-F.
        beta : of F and E, instead of one in the name.
        average : "micro" (all decisions together), "macro" or "weighted" over categories, or
            "samples" over items; an undefined value counts as 0 (for E, error, fallout and
            likelihood ratios as 1). None is the measure's own: accuracy and error are over items;
            MCC, kappa and balanced accuracy of single-label decisions are of the whole table; all
            others are "micro". Accuracy with "micro" is cell accuracy.
        test : test of no difference, two-sided; these are the tests that Yeh (2000) compares for
            recall, precision and F:

            - "randomization", the default, for any measure: decisions on items exchanged at random;
            - "t", "wilcoxon", "sign": the paired t test, signed ranks and signs of matched pairs,
              for precision, recall, F (all decisions together), accuracy and error. Pairs are the
              relevant items for recall, the items that either system accepted for precision, and
              both for F. For quotients the value of a pair is what it adds beyond the common value;
            - "mcnemar": exact, and "mcnemar-chi2", without correction for continuity: for accuracy,
              error, recall, specificity and fallout, whose items are right or wrong;
              "mcnemar-both" for recall and specificity at once, of Youden's J and balanced
              accuracy: it asks if either of them differs;
            - "wgs": Kosinski's weighted generalized score test, for precision and NPV;
            - "obuchowski": McNemar's of items in groups, for the same measures.
        groups : the group of each item, such as its document: groups are exchanged as a whole
            (default: items).
        level, resamples, rng, names : see `compare.paired`.
        interval : method for the interval of the difference. None, the default, is that of the
            measure: Tango's score interval "tango" for recall, specificity, fallout, accuracy and
            error; "mover", from the intervals of both values, for all other measures of a yes or
            no; with groups Student's t of the groups' residuals, of averages over categories, too.
            These have no interval without groups. "percentile" or "bca" is the bootstrap of items
            with 2,000 samples; means over items then have Student's interval, cut to the possible
            differences.
        ratio : whether to add the ratio of both values with its interval, as a note.

        Returns
        -------
        Comparison
            p of exchanges is exact if all exchanges can be counted: up to 40 differences of topics,
            2^20 exchanges of decisions, and more if all are multiples of one unit, such as 0.1.

        Examples
        --------
        >>> truth = [1, 1, 1, 1, 1, 1, 1, 1, 0, 0]
        >>> found = compare.decisions(
        ...     truth, [1, 1, 1, 1, 1, 1, 1, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0, 0, 1]
        ... )
        >>> round(found.difference, 4), round(found.p, 6)
        (0.7333, 0.015625)
        """
        from precall.hard_decisions.membership import memberships
        from precall.hard_decisions.two_systems import TwoSystems, columns_of_two
        from precall.stats.tests import ELSEWHERE, INSTEAD, MATCHED, ON_TABLES
        from precall.stats.tests.comparisons import with_head
        from precall.stats.tests.pairing import check_two
        from precall.stats.tests.swapping import compare_decisions, with_interval, with_notes

        names = check_two(names)
        check_rows(truth=truth, groups=groups)
        columns = columns_of_two(truth, predicted_a, predicted_b, names)
        true, *predicted = memberships(columns, categories, positive=positive)
        if measure is None:
            is_f = true.kind == "binary" or beta != 1 or average is not None
            measure = "F" if is_f else "accuracy"
        decided = TwoSystems.of(true, predicted, measure, beta, average)
        if test is not None:
            test = choose(f"test of {decided.name}", test, decided.tests, ELSEWHERE, INSTEAD)
        method = decided.interval_method(interval, groups)
        decided.check_test(test, groups)
        (changes, matched), of_groups = run_and_warn(
            lambda: (decided.changes(groups), decided.matched(groups) if test in MATCHED else None)
        )
        comparison = compare_decisions(
            changes,
            decided.name,
            test=test or decided.tests[0],
            level=level,
            resamples=resamples,
            rng=rng,
            names=names,
            higher_is_better=decided.measure.declaration.direction >= 0,
            notes=decided.notes(names),
            matched=matched,
            result=decided.result(test, changes) if test in ON_TABLES else None,
            right=decided.rights(changes) if test == "mcnemar" else None,
            unlike=decided.weighs_unlike,
            units="items" if groups is None else "groups",
        )
        comparison = with_head(comparison, measure)
        if method is not None:
            found = decided.interval(method, level, rng, groups=groups)
            comparison = with_interval(comparison, found, is_default=interval is None)
        if ratio:
            comparison = with_notes(
                comparison,
                decided.ratio(comparison.head or comparison.measure, level, names, groups),
            )
        return comparison._add_shared_notes((*decided.label_notes(names), *of_groups))

    @suggest_our_names
    def plan(
        self,
        report: object = None,
        runs: object = None,
        measures: object = None,
        *,
        difference: float | None = None,
        deviation: float | None = None,
        topics: int | None = None,
        width: float | None = None,
        systems: int | None = None,
        variance: float | None = None,
        only_a: float | None = None,
        only_b: float | None = None,
        items: int | None = None,
        margin: float | None = None,
        proportion: float | None = None,
        lowest: float | None = None,
        prevalence: float | None = None,
        cases: int | None = None,
        area: float | None = None,
        than: float | None = None,
        correlation: float | None = None,
        ratio: float | None = None,
        screen: str | None = None,
        read: float | None = None,
        separation: float | None = None,
        odds: float | None = None,
        power: float = 0.8,
        level: float = 0.95,
        rng: Rng = 0,
        duplicates: str = "error",
    ) -> Plan:
        """The number of topics or items that a comparison needs, or what a given number of them can
        show.

        Leave one quantity out; it is computed from the others: topics from `difference` and
        `deviation`, the least difference from `topics` and `deviation`, the power from all three.

        The plan is for one pair of systems and the paired t test, with `only_a` and `only_b` for
        McNemar's test, with `systems` for an analysis of variance. With `proportion`, `area` or
        `screen` it is for a study of diagnostic accuracy, or for a ranked list. For 10 pairs,
        Bonferroni's correction is `level=0.995`, which is 1 - 0.05/10.

        Parameters
        ----------
        report : a pilot, from which the deviation is taken: what `evaluate` returned for two runs,
            or qrels, with `runs`. The power of randomization is simulated from its differences, if
            `difference` is given.
        runs : with qrels, two runs as `compare` takes them; None with a report or without a pilot.
        measures : names; each has its own plan. None is those of the report, with qrels AP.
        difference : mean difference to be detected; with several systems, that of best and worst.
        deviation : standard deviation of the differences per topic.
        topics : how many topics the planned comparison has.
        items : how many items the planned comparison of decisions, or the screen, has.
        width : width to be reached by the interval of the difference, or of the proportion.
        systems : how many systems an analysis of variance compares.
        variance : the variance within these systems.
        only_a : for McNemar's test of decisions: the share of items on which only the first system
            is right.
        only_b : the share of items on which only the second system is right.
        margin : the loss that does not matter, of decisions or of two areas: the plan is to show
            that the first system is not worse by it, one-sided at (1 - level) / 2.
        proportion : the share that is expected, such as a sensitivity.
        lowest : the share, or the area, that the lower bound must exceed. Of an area .5, chance, by
            default.
        prevalence : the share of patients who are relevant cases, or of the items of a screen.
        cases : how many relevant cases the study has.
        area : the area under ROC that is expected; also the effect of a screen.
        than : the area that is expected of a second system, on the same cases.
        correlation : of the estimates of both areas; by default .5.
        ratio : other cases per relevant case; by default 1.
        screen : "R", "EF" or "AP": plan a ranked list of which this measure is better than chance,
            one-sided at 1 - level; see `compare.power.screen`.
        read : the share of the list that is read; by default .1.
        separation : the effect of a screen, instead of `area`: by so many standard deviations the
            scores of relevant items are higher.
        odds : the effect of a screen, instead of `area`: how many times greater the odds of a
            relevant item are to be in the share that is read.
        power : chance of detecting the difference, in (0, 1).
        level : 1 minus the significance level, in (0, 1).
        rng : seed or NumPy Generator of the simulation.
        duplicates : which of several rows with one topic and item to keep, where qrels and runs are
            read, as for `evaluate`.

        Returns
        -------
        Plan
            `designs` has the given quantities and the computed ones.

        Raises
        ------
        DataError
            The runs have different topics.
        UsageError
            The given quantities do not make a design, or one of them has no meaning in it.

        Examples
        --------
        >>> compare.plan(topics=50, deviation=0.1).designs["paired t test"][
        ...     "least difference detected"
        ... ].__round__(4)
        0.0404
        """
        from precall.stats.tests.planning import plan

        if report is None and duplicates != "error":
            raise UsageError(argument="duplicates", what="nothing is read", remedy="leave it out")
        pilots, notes = (
            (None, ()) if report is None else pilots_of(report, runs, measures, duplicates)
        )
        planned = plan(
            pilots,
            measures=measures,
            difference=difference,
            deviation=deviation,
            topics=topics,
            width=width,
            systems=systems,
            variance=variance,
            only_a=only_a,
            only_b=only_b,
            items=items,
            margin=margin,
            proportion=proportion,
            lowest=lowest,
            prevalence=prevalence,
            cases=cases,
            area=area,
            than=than,
            correlation=correlation,
            ratio=ratio,
            screen=screen,
            read=read,
            separation=separation,
            odds=odds,
            power=power,
            level=level,
            rng=rng,
        )
        return replace(planned, notes=notes)


compare: Compare = Compare()


def tests(measure: str | Measure) -> tuple[str, ...]:
    """Names of the tests that compare two systems by a measure; none if neither high nor low values
    are good.

    For a measure of counts they are the tests of `compare.decisions`; for rankings those of values
    per topic, and for AP and AUC those of `compare.cases` as well.

    Examples
    --------
    >>> tests("MCC"), tests("NPV"), tests("nDCG@10")[:2], tests("Prevalence")
    (('randomization',), ('randomization', 'wgs'), ('randomization', 't'), ())
    """
    from precall.core.counts import Counts
    from precall.measures import measure as named
    from precall.stats.tests import OF_LISTS, QUOTIENTS, TESTS, tests_of_counts

    declared = (named(measure) if isinstance(measure, str) else measure).declaration
    if not declared.direction:
        return ()
    if declared.of is Counts:
        of_items = declared.items is not None
        matched = of_items or declared.name in QUOTIENTS
        return tests_of_counts(declared.name, declared.proportion, of_items, True, matched)
    of_lists = [
        name for alias in (declared.name, *declared.aliases) for name in OF_LISTS.get(alias, ())
    ]
    return tuple(dict.fromkeys((*TESTS, *of_lists)))
