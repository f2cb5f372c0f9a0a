"""Turns runs measured by topics into a section: averages, comparisons, values per topic, positions
of hits, random selection.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.comparison.api import compare
from precall.comparison.reports import baseline_of
from precall.core.conventions import signature
from precall.core.errors import MeasureError, TiesUnresolved, UsageError
from precall.core.notes import Note, collect_notes, run_and_collect, warn
from precall.core.notes.of_pages import (
    NoTestByChance,
    OtherOrderOfTies,
    PartsWithoutWeights,
    RanksOpen,
)
from precall.core.spelling import STYLE
from precall.core.text import number
from precall.evaluation.api import averaging_of, evaluate_by
from precall.evaluation.intervals import with_intervals, with_intervals_of_groups
from precall.evaluation.per_topic import averages
from precall.evaluation.report import interval_in, order_of_runs
from precall.evaluation.report_sheet import summarize_report
from precall.evaluation.weights import weights_of
from precall.measures import Measure, measure
from precall.measures.areas import TENTHS
from precall.page.charts import DEPTH
from precall.page.record import law_of
from precall.page.sections import (
    AverageBounds,
    Column,
    Eleven,
    Head,
    Law,
    Marks,
    SectionPart,
    SystemPairs,
    Systems,
    Tables,
)
from precall.page.sections import (
    SectionHits as Where,
)
from precall.page.tables import PAIR, tables_beside, tables_of, without_marks
from precall.results.sentence import Sentence
from precall.stats.intervals.mean import mean
from precall.stats.null.significance import outcome_of_mean
from precall.stats.tests.comparisons import Comparison, Comparisons

if TYPE_CHECKING:
    from precall.core.conventions import Conventions
    from precall.core.ragged import Float64
    from precall.evaluation.report import Report
    from precall.location import Hits, Located
    from precall.stats.tests.gating import Gates
    from precall.stats.tests.verdict import Verdict

CHANCE = ("best", "all", "none")


def read_runs(
    conventions: Conventions,
    qrels: Any,
    runs: Any,
    measures: Any,
    *,
    threads: int | None = None,
    chance: str = "best",
    level: float,
    rng: int,
    progress: Callable[[int, int, str], None] | None = None,
    memory: int | None = None,
    by: object = None,
    topic_weights: object = None,
    **comparing: Any,
) -> list[SectionPart[Any]]:
    """The section of runs, which are read, measured and located here, and that of groups of topics
    if there are some; see `section_of_runs`.

    `progress` is called with (runs done, number of runs, next task). The next task is a run as long
    as any is left. `by` is the group of each topic, and `topic_weights` its weight, as `evaluate`
    takes them.
    """
    averaging = averaging_of(by, topic_weights)
    located: list[Located] = []
    tell = progress or (lambda done, total, what: None)
    with collect_notes():
        # Warnings are collected in the notes of the report.
        report = averaging(
            evaluate_by(
                conventions, qrels, runs, measures, rng, threads, tell, located.append, memory
            )
        )
        if by is not None:
            report = with_intervals_of_groups(report, None, level, rng)
    section = section_of_located(
        conventions,
        report,
        located,
        level=level,
        rng=rng,
        chance=chance,
        progress=partial(tell, len(located), len(located)),
        **comparing,
    )
    return [section, *section_of_groups(report, section)]


def section_of_groups(report: Report, section: SectionPart[Any]) -> list[SectionPart[Any]]:
    """The tables of a report's groups of topics, which the section of its runs does not have; none
    without groups.
    """
    if not report.groups:
        return []
    usual = replace(report, groups={}).sheet(bounds=False).blocks
    more = tables_beside(report.sheet(bounds=False), section, usual)
    return [] if more is None else [more]


def section_of_located(
    conventions: Conventions, report: Report, located: Sequence[Located], **choices: Any
) -> SectionPart[Systems]:
    """The section of runs that were measured and located; `choices` are those of
    `section_of_runs`.
    """
    # Grades stand for subtopics if there are some: those of 1 and more for at least one.
    rankings = [
        of_run.hits(conventions.grade if of_run.subtopics is None else 1) for of_run in located
    ]
    section = section_of_runs(report, rankings, **choices)
    return section._replace(notes=[*section.notes, *_of_ties(conventions, report, located)])


def _of_ties(conventions: Conventions, report: Report, located: Sequence[Located]) -> list[Note]:
    """Notes on how far another order of equal scores would move the averages: for each measure, the
    run that moves most.
    """
    # Items beyond the depth are gone, and averages over all orders depend on no order.
    if conventions.depth is not None or conventions.ties == "expected":
        return []
    most: dict[int, tuple[float, tuple[str, str, float, float, float]]] = {}
    for run, of_run in zip(report.runs, located, strict=True):
        ends = [of_run.resolve(ties) for ties in ("worst", "best") if run.counts.tied]
        weights = weights_of(run.topics, report.weights) if report.weights else None
        for index, (name, head, aggregate) in enumerate(
            zip(report.measures, report.heads, report.aggregates, strict=True)
        ):
            declared = _find_measure(name)
            if declared is None or declared.of_subtopics or not ends:
                continue
            mean, zero = float(run.mean[index]), declared.declaration.zero
            means = [
                averages(declared(end), aggregate, conventions.undefined, zero, weights)
                for end in ends
            ]
            least, greatest = min(*means, mean), max(*means, mean)
            # Averages printed with the same digits differ by rounding at most.
            if number(greatest) != number(least) and (
                index not in most or greatest - least > most[index][0]
            ):
                most[index] = greatest - least, (head, run.name, least, greatest, mean)
    if not most:
        return []
    spans = [span for _, (_, span) in sorted(most.items())]
    heads, names, lows, highs, here = zip(*spans, strict=True)
    return [OtherOrderOfTies("", heads, names, lows, highs, here, len(report.runs) > 1)]


def _find_measure(name: str) -> Measure | None:
    """The measure with this name; None if it is the user's own, which is declared nowhere."""
    try:
        return measure(name)
    except MeasureError:
        return None


def section_of_runs(
    report: Report,
    rankings: Sequence[Hits] | None = None,
    *,
    level: float,
    rng: int,
    chance: str = "best",
    compared: bool = True,
    progress: Callable[[str], None] | None = None,
    worse: str | Sequence[str] | Mapping[str, float | None] | None = None,
    pairs: Comparisons | None = None,
    judged: Gates | None = None,
    **comparing: Any,
) -> SectionPart[Systems]:
    """The section of runs: averages with intervals, comparisons and topics; for rankings also the
    positions of hits, and random selection.

    Parameters
    ----------
    rankings : for each run, the rankings of its topics.
    chance : the runs to test against random selection.
    progress : called with the next task.
    worse : measures that are gates, as `compare.gates` takes them; the baseline is then the first
        run, unless another is named.
    pairs, judged : the comparisons and the gates of the report, if they exist already; its runs are
        then in the order of `best_first`.
    comparing : keyword arguments of `compare`.
    """
    tell = progress or (lambda what: None)
    if worse is not None or comparing.get("baseline") is not None:
        comparing["baseline"] = baseline_of(report, comparing.get("baseline"))
    order = order_of_runs(report)
    report = replace(report, runs=tuple(report.runs[index] for index in order))
    rankings = None if rankings is None else [rankings[index] for index in order]
    if not compared or len(report.runs) < 2:
        pairs = None
    elif pairs is None:
        tell("comparisons")
        # Groups of topics have their averages on the page, and no comparisons.
        pairs = compare(replace(report, groups={}), level=level, rng=rng, **comparing)
    if not report.intervals:
        with collect_notes():
            # Warnings about intervals are collected in the notes of the report.
            report = with_intervals(report, None, level, rng)
    tell("random selection")
    if judged is None and worse is not None and pairs is not None:
        from precall.comparison.gates import gates

        how = {name: comparing[name] for name in ("unpaired", "resamples") if name in comparing}
        judged = gates(report, worse, comparisons=pairs, rng=rng, **how)
    elif pairs is None:
        judged = None
    if rankings is None or report.weights:
        section = _with_gates(part_of(report, pairs), judged)
        left_out = [] if rankings is None else [PartsWithoutWeights("")]
        return section._replace(notes=[*section.notes, *left_out])
    (hits, distributions), remarks = run_and_collect(
        partial(_rankings, report, rankings, level, chance)
    )
    section = _with_gates(part_of(report, pairs, hits, distributions), judged)
    return section._replace(notes=[*section.notes, *remarks])


def best_first(report: Report, located: Sequence[Located]) -> tuple[Report, list[Located]]:
    """The report and the rankings of its runs in the order that a page has: the best runs first."""
    order = order_of_runs(report)
    runs = tuple(report.runs[index] for index in order)
    return replace(report, runs=runs), [located[index] for index in order]


def _with_gates(part: SectionPart[Systems], judged: Gates | None) -> SectionPart[Systems]:
    """The section with gates, and their verdict first."""
    if judged is None:
        return part
    section = replace(part.section, gates=judged)
    sentence = Sentence(judged.verdict, "Passed" if judged.passed else "Failed")
    return SectionPart(section, [sentence, *part.headline], [*part.notes, *judged.notes])


def _rankings(
    report: Report, rankings: Sequence[Hits], level: float, chance: str
) -> tuple[Where | None, list[Law]]:
    """Positions of hits, and random selection; neither if ties leave positions open."""
    of_topics = [run.topics for run in report.runs]
    try:
        hits = hits_of(list(zip(of_topics, rankings, strict=True)), _topics(report))
    except TiesUnresolved:
        warn(RanksOpen("", report.conventions["ties"]))
        return None, []
    hits = replace(hits, eleven=[eleven_points(hits_of_run, level) for hits_of_run in rankings])
    chosen = {"best": report.runs[:1], "all": report.runs, "none": ()}[chance]
    return hits, [
        distribution
        for run, ranking in zip(chosen, rankings, strict=False)
        for distribution in _distributions(run.name, ranking)
    ]


def _distributions(name: str, hits: Hits) -> list[Law]:
    """AP of a run against random orders of the retrieved items. If it is undefined, a warning and
    an empty list.
    """
    try:
        outcome = outcome_of_mean(hits, "AP")
    except UsageError as error:
        warn(NoTestByChance(name, error.words(STYLE.get())))
        return []
    return [law_of(name, "AP", outcome)]


def part_of(
    report: Report,
    compared: Comparisons | None = None,
    hits: Where | None = None,
    distributions: Sequence[Law] = (),
) -> SectionPart[Systems]:
    """The section of a report, from the comparisons of its runs, the positions of their hits, and
    their null distributions.
    """
    runs, topics = report.runs, _topics(report)
    best = report.best or (0,) * len(report.measures)
    names = [run.name for run in runs]
    by_measure = {} if compared is None else compared.verdicts
    section = Systems(
        systems=names,
        measures=[
            Head(
                name=head,
                measure=name,
                aggregate=aggregate,
                best=direction,
                summary=declared.declaration.summary if (declared := _find_measure(name)) else "",
            )
            for head, name, aggregate, direction in zip(
                report.heads, report.measures, report.aggregates, best, strict=True
            )
        ],
        counts=[run.counts for run in runs],
        topics=topics,
        mean=[run.mean for run in runs],
        interval=_intervals(report),
        values=[
            [_align(run.topics, run.values[line], topics) for run in runs]
            for line in range(len(report.measures))
        ],
        compared=_two(report, compared),
        comparable=report.comparable,
        signature=report.signature,
        conventions=dict(report.conventions),
        pairs=None if compared is None else _pairs(names, compared, by_measure),
        hits=hits,
        laws=list(distributions),
    )
    notes = [*report.notes, *(compared.notes if compared is not None else ())]
    verdicts = by_measure.values() if report.comparable else ()
    return SectionPart(
        section, sentences_of(verdicts) or [Sentence(summarize_report(report))], notes
    )


def _two(report: Report, compared: Comparisons | None) -> list[int]:
    """The two systems whose topics are compared: the best by the first measure, and the baseline or
    the second best.
    """
    order = order_of_runs(report)
    baseline = compared.conventions.get("baseline") if compared is not None else None
    names = [report.runs[index].name for index in order]
    if baseline not in names:
        return order[:2]
    base = names.index(baseline)
    return [order[base == 0], order[base]]


def section_of_comparisons(given: Comparison | Comparisons) -> SectionPart[Tables]:
    """The section of a result of `compare` or one of its functions."""
    sheet = given.sheet()
    if isinstance(given, Comparisons):
        pairs, notes, conventions = given.pairs, without_marks(sheet), sheet.conventions
        verdicts = list(given.verdicts.values())
    else:
        pairs, notes, verdicts = (given,), list(given.notes), [given.verdict]
        seed = "none" if given.seed is None else str(given.seed)
        conventions = {"test": given.test, "level": f"{given.level:.12g}", "seed": seed}
    section = Tables(
        title="Comparisons",
        blocks=tables_of(sheet),
        pairs=list(pairs),
        signature=signature(conventions),
        conventions=dict(conventions),
    )
    return SectionPart(section, sentences_of(verdicts), notes)


def sentences_of(verdicts: Iterable[Verdict]) -> list[Sentence]:
    """The sentences of verdicts that have one."""
    return [Sentence(text, each.lead) for each in verdicts if (text := each.text)]


def _topics(report: Report) -> list[str]:
    """The topics of all runs, in order of first occurrence."""
    return list(dict.fromkeys(topic for run in report.runs for topic in run.topics))


def _intervals(report: Report) -> AverageBounds | None:
    bounds = [
        [interval_in(report, run.name, name) for name in report.measures] for run in report.runs
    ]
    every = [interval for line in bounds for interval in line if interval is not None]
    if not every:
        return None
    method = "/".join(dict.fromkeys(interval.method for interval in every))
    low, high = (
        [[np.nan if each is None else each.ends[end] for each in line] for line in bounds]
        for end in (0, 1)
    )
    return AverageBounds(level=every[0].level, method=method, low=low, high=high)


def _pairs(
    systems: list[str], compared: Comparisons, verdicts: Mapping[str, Verdict]
) -> SystemPairs:
    # The compared quantity; for geometric means these are logarithms.
    measures = [pairs[0].label for pairs in compared.families.values()]
    pairs = compared.pairs
    columns = {name: np.array([getattr(pair, name) for pair in pairs], np.float64) for name in PAIR}
    return SystemPairs(
        a=[systems.index(pair.names[0]) for pair in pairs],
        b=[systems.index(pair.names[1]) for pair in pairs],
        measure=[measures.index(pair.label) for pair in pairs],
        **columns,
        significant=[int(pair.significant) for pair in pairs],
        compared=measures,
        # The reference of each measure: the baseline, or the best system.
        against=[_against(systems, verdicts.get(name)) for name in compared.means],
        baseline=bool(compared.conventions.get("baseline")),
        # Look letters up by name, because they come in the order of the means.
        letters=[
            [letters[name] for name in systems] if (letters := compared.letters.get(name)) else []
            for name in compared.means
        ],
        conventions=dict(compared.conventions),
    )


def _against(systems: list[str], verdict: Verdict | None) -> int:
    # A measure of which neither end is good has no reference.
    return 0 if verdict is None else systems.index(verdict.baseline or verdict.best)


def _align(own: list[str], values: Float64, topics: list[str]) -> Column:
    """A run's values over all topics; NaN if it lacks one."""
    if own == topics:
        return np.asarray(values)
    value_by_topic = dict(zip(own, values.tolist(), strict=True))
    return np.array([value_by_topic.get(topic, np.nan) for topic in topics])


def hits_of(parts: list[tuple[list[str], Hits]], topics: list[str]) -> Where:
    """Hits of several systems in the first ranks, from the topics of their rankings and their hits,
    with ties resolved.
    """
    systems, relevant = zip(*(marks_of(hits, names, topics) for names, hits in parts), strict=True)
    return Where(depth=DEPTH, relevant=np.max(relevant, axis=0).tolist(), systems=list(systems))


def marks_of(hits: Hits, names: list[str], topics: list[str]) -> tuple[Marks, list[int]]:
    """Hits in the first ranks, and the number of relevant items, of each topic.

    `names` are the topics of the rankings; other topics have no marks.

    Examples
    --------
    >>> from precall import Hits
    >>> strips, relevant = marks_of(Hits.of([1, 3], retrieved=9, relevant=4), ["q1"], ["q0", "q1"])
    >>> strips.marks, strips.found, relevant
    ('AAAAAAAAoAAAAAAA', [0, 2], [0, 4])
    """
    index_by_name = {name: i for i, name in enumerate(names)}
    rows = np.array([index_by_name.get(topic, len(names)) for topic in topics], np.int64)
    bits = np.zeros((len(names) + 1, DEPTH), np.bool_)
    location = hits.location
    shown = location <= DEPTH
    bits[hits.ranking[shown], location[shown] - 1] = True
    marks = base64.b64encode(np.packbits(bits[rows], axis=1).tobytes()).decode()
    hits_found, relevant = (
        np.append(counts, 0)[rows].tolist() for counts in (hits.found, hits.relevant)
    )
    return Marks(marks=marks, found=hits_found), relevant


def eleven_points(hits: Hits, level: float) -> Eleven:
    """Interpolated precision at recall 0, .1, ..., 1: means over the topics that have relevant
    items, with intervals.
    """
    with collect_notes():
        # Warnings about few or skewed topics are already given for the averages.
        values = [measure(f"IPrec(recall={recall:g})")(hits) for recall in TENTHS]
        # With few relevant items the values at several recalls are the same, and so is what is
        # found by numerical inversion: once for all of them.
        columns_by_values = {column.tobytes(): column[column == column] for column in values}
        intervals = {
            key: mean(column, level=level, range=(0, 1))
            for key, column in columns_by_values.items()
        }
    shown = [intervals[column.tobytes()] for column in values]
    columns = np.array([(interval.estimate, *interval.ends) for interval in shown], np.float64).T
    return Eleven(**dict(zip(("mean", "low", "high"), columns, strict=True)))
