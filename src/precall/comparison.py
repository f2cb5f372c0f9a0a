"""compare(): from a report, or runs and qrels, to what their differences are worth.

The statistics are in `precall.infer` and know nothing of runs; here topics are paired by id, decisions
and scored cases are read, and the functions are gathered under one name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.checks import check_beta, check_rows
from precall.curves.cases import labelled, members, refuse_nan
from precall.errors import DataError, UsageError
from precall.evaluation import DEFAULT, FLOOR, evaluate
from precall.results import Report
from precall.rng import Rng, by_seed, seed_of

if TYPE_CHECKING:
    from precall.infer.compare import bayes, power
    from precall.infer.compare.comparisons import Comparison, Comparisons
    from precall.infer.compare.equivalence import equivalence
    from precall.infer.compare.gate import Gate
    from precall.infer.compare.many import many
    from precall.infer.compare.paired import paired
    from precall.measures import Measure

# What is found under `compare`, imported when it is first asked for: `import precall` must stay light.
_FUNCTIONS = {"paired": "paired", "many": "many", "equivalence": "equivalence"}
_MODULES = ("bayes", "power")


class Compare:
    """Compare systems: are their differences more than chance?

    `compare(...)` takes a report or runs with qrels; its functions take what you have:

    - `compare.paired(a, b)`: values of two systems per topic, by id or in columns;
    - `compare.many(matrix, names)`: several systems, every pair or against a baseline;
    - `compare.decisions(truth, a, b)`: hard decisions of two systems (Yeh's randomization, McNemar);
    - `compare.cases(relevant, a, b)`: two scores of the same items, AP or area under ROC;
    - `compare.equivalence(a, b, margin)`: shown to be alike, or not worse;
    - `compare.bayes`, `compare.power`: probabilities of being better; topics and items needed.

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
        bayes = bayes
        power = power
        paired = staticmethod(paired)
        many = staticmethod(many)
        equivalence = staticmethod(equivalence)

    def __getattr__(self, name: str) -> Any:
        if name not in _FUNCTIONS and name not in _MODULES:
            raise AttributeError(f"precall.compare has no function {name!r}; see help(precall.compare)")
        found = import_module(f"precall.infer.compare.{_FUNCTIONS.get(name, name)}")
        value = by_seed(getattr(found, name)) if name in _FUNCTIONS else found
        self.__dict__[name] = value
        return value

    def __dir__(self) -> list[str]:
        return [*_FUNCTIONS, *_MODULES, "cases", "decisions"]

    def __repr__(self) -> str:
        return "<precall.compare: paired, many, decisions, cases, equivalence, bayes, power>"

    @by_seed
    def __call__(
        self, report: Any, runs: Any = None, measures: Any = None, test: str = "randomization",
        correction: str = "holm", baseline: str | None = None, level: float = 0.95, rng: Rng = 0, *,
        resamples: int = 100_000, unpaired: str = "error", **choices: Any,
    ) -> Comparisons:  # fmt: skip
        """Compare all runs of a report pair by pair, or each with a baseline.

        Parameters
        ----------
        report : what `evaluate` returned for two runs or more; or qrels, and then `runs` too.
        runs : {name: run, ...} or a list of paths, as `evaluate` takes them.
        measures : names; those of the report if None (with qrels: AP, P@10, RR, Rprec, nDCG@10).
        test, correction, baseline, level, rng, resamples : see `compare.many`. The family that is
            corrected for is the pairs of one measure.
        unpaired : topics that a run lacks: "error", or "drop" them for all. To count them as 0,
            evaluate with topics="qrels".
        choices : with qrels: those of `evaluate`, such as topics="qrels".

        Returns
        -------
        Comparisons
            Undefined values are counted as the report counts them. Of a geometric mean the logarithms
            are compared (values below 1e-5 taken as that), of a sum the values per topic.

        Raises
        ------
        DataError
            A run lacks topics that another has, or no topic is common.
        UsageError
            There are fewer than two runs, or a choice is not allowed.
        """
        # One seed for all: no measure draws other numbers because another one comes first.
        seed = seed_of(rng)
        if isinstance(report, Report):
            if runs is not None or choices:
                raise UsageError(
                    "a report has its runs and choices already; pass qrels and runs, or the report alone"
                )
        else:
            if runs is None:
                raise UsageError("runs: none given; pass a report of several runs, or qrels and runs")
            report = evaluate(report, runs, DEFAULT if measures is None else measures, rng=seed, **choices)
            measures = None
        shared: dict[str, Any] = {
            "test": test, "correction": correction, "baseline": baseline, "level": level, "rng": seed,
            "resamples": resamples, "unpaired": unpaired,
        }  # fmt: skip
        found = [_of_measure(report, name, shared) for name in _chosen(report, measures)]
        return _joined(found, report)

    @by_seed
    def decisions(
        self, truth: Any, predicted_a: Any, predicted_b: Any, measure: str | Measure = "F", *, beta: float = 1.0,
        average: str | None = None, test: str | None = None, categories: Sequence[Any] | None = None, groups: Any = None,
        level: float = 0.95, resamples: int = 100_000, rng: Rng = 0, names: tuple[str, str] = ("a", "b"),
    ) -> Comparison:  # fmt: skip
        """Compare two systems' hard decisions on the same items.

        Parameters
        ----------
        truth, predicted_a, predicted_b, categories : see `precall.decisions`; all in one form.
        measure : any measure of counts (`precall measures`), as a name or as `pc.measure` returned it: "F(beta=2)", "MCC".
        beta : of F and E, in the place of one in the name.
        average : as of `Decisions.value`: "micro" (all decisions together), "macro" or "weighted" over categories, or "samples"
            over items, an undefined value counting as 0 (of E and error as 1). None is the measure's own: accuracy and error
            are of items, and MCC, kappa and balanced accuracy of single-label decisions are of the whole table; all
            others are "micro". Accuracy with "micro" is cell accuracy.
        test : "randomization" (Yeh 2000; the default) or "mcnemar" (accuracy or error of single decisions).
        groups : what each item belongs to, such as its document: exchanged as a whole (default: items).
        level, resamples, rng, names : see `compare.paired`.

        Returns
        -------
        Comparison
            Without an interval. p is exact where up to 2^20 different exchanges can be gone through, or totals convolved.

        Examples
        --------
        >>> truth = [1, 1, 1, 1, 1, 1, 1, 1, 0, 0]
        >>> found = compare.decisions(truth, [1, 1, 1, 1, 1, 1, 1, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0, 0, 1])
        >>> round(found.difference, 4), round(found.p, 6)
        (0.7333, 0.015625)
        """
        from precall.contingency.membership import memberships
        from precall.contingency.two_systems import TwoSystems
        from precall.infer.compare.swapping import compared
        from precall.measures import of_counts, weighted

        _two(names)
        check_rows(truth=truth, groups=groups)
        one = (
            of_counts(measure)
            if check_beta(beta) == 1
            else weighted(of_counts(measure).declaration.name, beta)
        )
        true, *said = memberships({"truth": truth, "a": predicted_a, "b": predicted_b}, categories)
        decided = TwoSystems(true, (said[0], said[1]), one, average)
        if test not in (None, *tests(one)) or (test == "mcnemar" and not decided.of_rights):
            allowed = [name for name in tests(one) if name != "mcnemar" or decided.of_rights]
            raise UsageError(f"test: got {test!r}, allowed of {decided.name} are {', '.join(allowed)}")
        return compared(
            decided.exchange(groups), decided.name, test=test or "randomization", level=level, resamples=resamples, rng=rng,
            names=names, higher_is_better=one.declaration.direction >= 0, notes=decided.notes(names),
        )  # fmt: skip

    @by_seed
    def cases(
        self, relevant: Any, score_a: Any, score_b: Any, measure: str = "AP", *, test: str | None = None,
        groups: Any = None, topics: Any = None, positive: Any = None, higher_is_better: bool = True, level: float = 0.95,
        resamples: int = 5_000, rng: Rng = 0, names: tuple[str, str] = ("a", "b"),
    ) -> Comparison:  # fmt: skip
        """Compare two scores of the same items by average precision or area under ROC.

        Parameters
        ----------
        relevant, positive, higher_is_better : see `precall.curve`.
        score_a, score_b : two scores of every item; NaN is refused.
        groups : what each item belongs to, such as its patient: exchanged, redrawn or summed as a whole (default:
            items). The measure is that of all items, as in `pc.interval.area_under_roc(..., groups=)`.
        topics : which list each item is in: the mean over lists is compared, and items are exchanged or redrawn
            within them. Lists of one class only are left out, with a note.
        measure, test, level, resamples, rng, names : see `precall.infer.compare.lists.compared`: "permutation",
            "influence", "bootstrap", and for "AUC" "delong".

        Examples
        --------
        >>> y = [1, 1, 0, 1, 0, 0, 1, 0]
        >>> found = compare.cases(y, [8, 7, 6, 5, 4, 3, 2, 1], [8, 3, 6, 1, 4, 5, 2, 7], "AUC")
        >>> found.difference, round(found.p, 4), found.test
        (0.5, 0.0455, 'delong')
        """
        from precall.infer.compare.lists import compared

        _two(names)
        check_rows(relevant=relevant, score_a=score_a, score_b=score_b, groups=groups, topics=topics)
        columns = []
        for score in (score_a, score_b):
            truth, one = labelled(relevant, score, positive, higher_is_better)
            refuse_nan(one)
            columns.append(one)
        within = {
            name: None if given is None else members(given, len(truth))
            for name, given in (("groups", groups), ("topics", topics))
        }
        return compared(
            truth, columns[0], columns[1], **within, measure=measure, test=test, level=level, resamples=resamples, rng=rng,
            names=names,
        )  # fmt: skip


compare = Compare()


def tests(measure: str | Measure) -> tuple[str, ...]:
    """Names of the tests that compare two systems by a measure; none where neither high nor low values are good.

    Of a measure of counts they are those of `compare.decisions`; of rankings those of values per topic, and for AP and AUC
    those of `compare.cases`, too.

    Examples
    --------
    >>> tests("MCC"), tests("Accuracy"), tests("nDCG@10")[:2], tests("Prevalence")
    (('randomization',), ('randomization', 'mcnemar'), ('randomization', 't'), ())
    """
    from precall.counts import Counts
    from precall.infer.compare import OF_DECISIONS, OF_LISTS, TESTS
    from precall.measures import measure as named

    declared = (named(measure) if isinstance(measure, str) else measure).declaration
    if not declared.direction:
        return ()
    if declared.of is Counts:
        return OF_DECISIONS if declared.items is not None else OF_DECISIONS[:1]
    of_lists = [name for one in (declared.name, *declared.aliases) for name in OF_LISTS.get(one, ())]
    return tuple(dict.fromkeys((*TESTS, *of_lists)))


def _two(names: tuple[str, str]) -> None:
    if len(set(names)) != 2:
        raise UsageError(f"names: must be two different ones, got {names!r}")


def _chosen(report: Report, measures: Any) -> list[str]:
    if measures is None:
        return list(report.measures)
    asked = [measures] if isinstance(measures, str) else [str(one) for one in measures]
    chosen = [report.asked.get(one, one) for one in asked]
    for name in chosen:
        if name not in report.measures:
            raise UsageError(f"measures: {name!r} is not in the report; it has {', '.join(report.measures)}")
    return chosen


def topic_values(report: Report, measure: str) -> dict[str, dict[str, float]]:
    """Values by run and topic as they are averaged: undefined ones as the report counts them.

    Examples
    --------
    >>> qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    >>> topic_values(evaluate(qrels, {"q1": {"a": 1.0}, "q2": {"b": 2.0, "a": 1.0}}, "AP"), "AP")
    {'run': {'q1': 1.0, 'q2': 0.5}}
    """
    line = report.measures.index(measure)
    found = {}
    for run in report.runs:
        value = run.values[line]
        if report.conventions.get("undefined") == "zero":
            value = np.nan_to_num(value, nan=0.0, posinf=np.inf, neginf=-np.inf)
        if report.aggregates[line] == "geometric":
            value = np.log(np.maximum(value, FLOOR))
        found[run.name] = dict(zip(run.topics, value.tolist(), strict=True))
    return found


def gates(
    report: Report, found: Comparisons, name: str, margin: float | None = None, *, unpaired: str = "error",
    rng: Rng = 0, resamples: int = 100_000,
) -> list[Gate]:  # fmt: skip
    """Whether each other run may take the place of the baseline, by one measure; see `precall.infer.compare.gate`.

    Parameters
    ----------
    report, found : the values, and what `compare(report, baseline=...)` made of them.
    name : of a measure in the report, of which high or low values are good.
    margin : the loss that does not matter; None fails a significant loss only.
    unpaired, rng, resamples : as for `compare`.

    Examples
    --------
    >>> qrels = {f"q{i}": {"x": 1} for i in range(8)}
    >>> good = {f"q{i}": {"x": 2.0, "y": 1.0} for i in range(8)}
    >>> bad = {f"q{i}": {"y": 2.0, "x": 1.0} for i in range(8)}
    >>> report = evaluate(qrels, {"good": good, "bad": bad}, "AP")
    >>> [gate.passed for gate in gates(report, compare(report, baseline="good"), "AP")]
    [False]
    """
    from precall.infer.compare.gate import gate
    from precall.infer.compare.pairing import aligned, differences

    measure = report.asked.get(name, name)
    line = report.measures.index(measure)
    if not report.best[line]:
        raise UsageError(f"{name}: neither high nor low values of {measure} are good")
    values, _, _ = aligned(topic_values(report, measure), unpaired)
    place = {run.name: i for i, run in enumerate(report.runs)}
    label = _label(report, measure)
    judged = []
    for pair in found.pairs:
        if pair.measure == label:
            first, second = (values[:, place[run]] for run in pair.names)
            judged.append(gate(pair, report.best[line] * differences(first, second), margin, rng, resamples))
    return judged


def _label(report: Report, name: str) -> str:
    """What values of a measure are called as they are compared."""
    return f"log {name}" if report.aggregates[report.measures.index(name)] == "geometric" else name


def _of_measure(report: Report, name: str, shared: Mapping[str, Any]) -> Comparisons:
    if len(report.runs) < 2:
        raise UsageError(f"there must be two runs or more to compare, got {len(report.runs)}")
    values = topic_values(report, name)
    if len(values) < len(report.runs):
        raise UsageError(f"runs: names must differ, got {', '.join(run.name for run in report.runs)}")
    line = report.measures.index(name)
    direction = report.best[line] if report.best else 1
    label = _label(report, name)
    try:
        return compare.many(
            values, measure=label, higher_is_better=direction != -1, undefined="omit", **shared
        )
    except DataError as error:
        todo = "pass topics='qrels' to count it as empty, or unpaired='drop' to leave such topics out"
        problems = [one._replace(todo=todo) if "unpaired=" in one.todo else one for one in error.problems]
        raise DataError(problems, error.total) from None


def _joined(found: list[Comparisons], report: Report) -> Comparisons:
    first = found[0]
    notes: dict[str, None] = {f"{run.name}: {text}": None for run in report.runs for text in run.said}
    for one in found:
        label = next(iter(one.means))
        notes |= dict.fromkeys(note if len(found) == 1 else f"{label}: {note}" for note in one.notes)
    merged: dict[str, str] = {}
    for key, value in first.conventions.items():
        every = list(dict.fromkeys(text for one in found if (text := one.conventions.get(key))))
        merged[key] = value if len(every) == 1 else "/".join(every)
    return replace(
        first, pairs=tuple(pair for one in found for pair in one.pairs),
        means={key: value for one in found for key, value in one.means.items()},
        letters={key: value for one in found for key, value in one.letters.items()},
        anova={key: value for one in found for key, value in one.anova.items()},
        conventions={**report.conventions, **merged, "topics": report.conventions.get("topics", "both")},
        notes=tuple(notes),
    )  # fmt: skip
