"""Gates of runs: may each run replace the baseline, by each measure that counts?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from precall.comparison.reports import (
    ANY,
    baseline_of,
    check_margins,
    compare_runs,
    gate_of_measure,
    notes_of_report,
)
from precall.core.arguments import check_kind, check_some
from precall.core.errors import Among, MeasureError, UsageError, quote_name
from precall.core.notes import Note, iterate_notes
from precall.core.notes.of_comparisons import OfSkewness
from precall.core.rng import Rng, seed_of
from precall.core.text import as_text
from precall.evaluation.report import Report, refuse_weights
from precall.measures import measure
from precall.stats.tests.comparisons import Comparisons
from precall.stats.tests.gating import Gates


def gates(
    report: Report,
    worse: str | Sequence[str] | Mapping[str, float | None] = ANY,
    *,
    baseline: str | None = None,
    comparisons: Comparisons | None = None,
    test: str = "randomization",
    correction: str = "holm",
    level: float = 0.95,
    resamples: int = 100_000,
    unpaired: str = "error",
    rng: Rng = 0,
) -> Gates:
    """Whether each run of a report may replace the baseline: a gate per run and measure.

    Without a margin a gate fails on a significant loss, by p adjusted for the number of runs. With
    a margin it fails unless a loss of that size is ruled out, by a one-sided test at 1 - level,
    without adjustment.

    Parameters
    ----------
    report : what `evaluate` returned for two runs or more.
    worse : the measures that count: a name, several, or {name: margin}; the margin is the loss that
        does not matter, or None. "any" is all measures with a good end that are not named.
    baseline : a run (default: the first).
    comparisons : the result of `compare(report, baseline=...)`, if it exists already; with its
        test, correction and level.
    test, correction, level, resamples, unpaired, rng : see `precall.compare`.

    Raises
    ------
    UsageError
        A measure is not in the report, or neither high nor low values of it are good; or there is
        no such run.

    Examples
    --------
    >>> from precall import compare, evaluate
    >>> qrels = {f"q{i}": {"x": 1} for i in range(8)}
    >>> good = {f"q{i}": {"x": 2.0, "y": 1.0} for i in range(8)}
    >>> bad = {f"q{i}": {"y": 2.0, "x": 1.0} for i in range(8)}
    >>> made = compare.gates(
    ...     evaluate(qrels, {"good": good, "bad": bad}, ["AP", "RR"]), {"AP": 0.1, "any": None}
    ... )
    >>> made.passed, [(gate.measure, gate.margin, gate.passed) for gate in made.gates]
    (False, [('AP', 0.1, False), ('RR', None, False)])
    """
    seed = seed_of(rng)
    check_kind("report", report, Report, "what pc.evaluate() returns")
    refuse_weights(report, "a gate")
    wanted = _gated_measures(report, worse)
    if comparisons is not None:
        check_kind(
            "comparisons", comparisons, Comparisons, "what pc.compare(report, baseline=...) returns"
        )
        if comparisons.seeds:
            raise UsageError(
                argument="comparisons",
                what="gates are of runs, and these compare systems with several runs",
                remedy="read compare.seeds(report, systems, baseline=...).verdicts",
            )
    else:
        base = baseline_of(report, baseline)
        comparisons = compare_runs(
            replace(report, groups={}),
            [name for name, _ in wanted],
            test=test,
            correction=correction,
            baseline=base,
            level=level,
            rng=seed,
            resamples=resamples,
            unpaired=unpaired,
        )
    judged = [
        gate
        for name, margin in wanted
        for gate in gate_of_measure(
            report, comparisons, name, margin, unpaired=unpaired, rng=seed, resamples=resamples
        )
    ]
    names = [name for name, _ in wanted]
    notes = [*notes_of_report(report, names), *_of_tests(report, comparisons, names)]
    return Gates(tuple(judged), dict(comparisons.conventions), tuple(dict.fromkeys(notes)))


def _of_tests(report: Report, comparisons: Comparisons, names: Sequence[str]) -> list[Note]:
    """Notes of the comparisons by these measures, without those about the data and without what
    they say of intervals, which gates do not have.
    """
    of_data = set(notes_of_report(report, report.measures)) | set(
        notes_of_report(report, list(comparisons.means))
    )
    others = {comparisons.head_of(name) for name in comparisons.means if name not in names}
    return [
        note.with_interval(False) if isinstance(note, OfSkewness) else note
        for note in iterate_notes(comparisons.notes)
        if note not in of_data and not others.intersection(note.context)
    ]


def refuse_systems(
    worse: Iterable[str], systems: Iterable[str], measures: Sequence[str] = ()
) -> None:
    """Refuse a system where a measure is wanted, if it is no measure in its usual spelling: `r1`
    may be meant as the run or as R@1.

    Parameters
    ----------
    worse : names of measures that are gates.
    systems : names of the systems.
    measures : names that are measures whatever they look like.
    """
    taken = set(systems).difference(measures)
    for name in worse:
        if name not in taken:
            continue
        try:
            named = measure(name)
            read = named.label or named.name
        except MeasureError:
            read = ""
        if read != name:
            raise UsageError(
                argument="worse",
                what=f"{quote_name(name)} is one of the systems",
                why="and measures are gates",
                remedy=f"for the system give ⟨baseline={name!r}⟩"
                + (f", for the measure write {read}" if read else " and name a measure here"),
            )


def _gated_measures(report: Report, worse: object) -> list[tuple[str, float | None]]:
    """The measures that are gates, by canonical name, with their margins."""
    if not isinstance(worse, Mapping):
        names = check_kind("worse", worse, Iterable, "names of measures, or {name: margin}")
        worse = dict.fromkeys([worse] if isinstance(worse, str) else map(as_text, names))
    check_some("worse", worse, "name at least one measure, or 'any'")
    refuse_systems(worse, [run.name for run in report.runs], (*report.measures, *report.asked))
    named = {report.name_of(name): margin for name, margin in worse.items() if name != ANY}
    for name in named:
        if name not in report.measures:
            raise UsageError(
                argument="worse",
                what=f"{name} is not in the report",
                allowed=Among("it has", report.measures),
            )
    if ANY in worse:
        directed = [name for name, best in zip(report.measures, report.best, strict=True) if best]
        if not directed:
            problem = f"of {', '.join(report.measures)} neither high nor low values are good"
            raise UsageError(
                argument="worse",
                what=f"any: {problem}",
                remedy="also measure something else, such as AP",
            )
        named = dict.fromkeys(directed, worse[ANY]) | named
    check_margins(report, named, "worse")
    return list(named.items())
