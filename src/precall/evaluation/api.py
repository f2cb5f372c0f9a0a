"""evaluate(): from input to report. Reading, locating and measuring meet only here."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.core.arguments import check_choice, check_kind, check_level, check_some, check_whole
from precall.core.conventions import Conventions, describe_conventions
from precall.core.errors import Kind, MeasureError, UsageError
from precall.core.notes import Note, notes_of, warn
from precall.core.notes.of_reading import AllTopicsCount, GradesBelowOne, ListsByPlace
from precall.core.notes.of_runs import NameOfOthers
from precall.core.ragged import materialize
from precall.core.rng import Rng, seed_of, suggest_our_names
from precall.core.text import as_text
from precall.core.vocabulary import (
    INPUT,
    LISTS,
    LISTS_WITH_QRELS,
    NO_SCORES,
    RUNS,
    Vocabulary,
    speaking,
)
from precall.evaluation.per_topic import (
    RunOrigin,
    aggregate_of,
    apply,
    averaged_of,
    run_values,
    topic_values,
)
from precall.evaluation.report import Report, RunValues
from precall.location import Located, locate
from precall.location.by_topic import WHOLE, RunOutline, read_run_for
from precall.location.located import note_nothing_judged
from precall.location.near_ids import note_unlike_ids
from precall.measures import Measure
from precall.measures.registry import NO_ORDER, find
from precall.native import kernel_name, thread_count
from precall.read.formats import BY_ENDING
from precall.read.runs import LIST_NAME, as_runs, match_lists
from precall.read.sources import ARCHIVES
from precall.stats.intervals.methods import METHODS, choose_method

if TYPE_CHECKING:
    from precall.location.subtopics import JudgedSubtopics
    from precall.read.columns import Qrels, Run

#: Measures of runs if none are named.
DEFAULT = ("AP", "P@10", "RR", "Rprec", "nDCG@10")
#: Measures of lists if none are named: of whole lists, as few lists have ten ids.
OF_LISTS = ("Recall", "MRR", "HitRate", "nDCG")
#: What counts for items that nobody judged: they are not relevant, or their labels are left open.
UNJUDGED = ("zero", "bounds")


@suggest_our_names
def evaluate(
    qrels: object,
    run: object,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    ties: str = "docno",
    topics: str | None = None,
    undefined: str = "zero",
    grade: float = 1,
    judged_only: bool = False,
    drop_self: bool = False,
    depth: int | None = None,
    aggregate: str | None = None,
    duplicates: str = "error",
    score_dtype: str = "float64",
    lower_is_better: bool = False,
    columns: Mapping[str, str] | None = None,
    run_column: str | None = None,
    interval: bool | str = False,
    level: float = 0.95,
    unjudged: str = "zero",
    by: object | None = None,
    topic_weights: object = None,
    rng: Rng = 0,
    threads: int | None = None,
    progress: Callable[[int, int, str], None] | None = None,
    memory: int | None = None,
) -> Report:
    """Measure one run or several against judgements.

    Parameters
    ----------
    qrels : judgements: a path, {topic: {item: grade}}, {topic: [relevant items]}, a data frame,
        rows (topic, item, grade), a list of the relevant items of each topic, or what `read_qrels`
        returned (its documentation has the complete list). For measures of diversity, such as
        alpha_nDCG@20, judgements by subtopic: a path, rows or a table, as `locate_subtopics` takes
        them.
    run : scores: a path, {topic: {item: score}}, {topic: [items, best first]}, a data frame, rows
        (topic, item, score), a list of the items of each topic, or what `read_run` returned (its
        documentation has the complete list); sets of items if all measures are of the retrieved
        set, such as SetP. For several runs, {name: run, ...} or a list of paths.
        Instead of a run, a function may be given that returns it: it is called when the run is
        needed, so that only one run must be in memory. If both are lists of lists, list i of the
        qrels belongs to list i of the run.
    measures : names (see `precall measures`) or `Measure` objects. None is AP, P@10, RR, Rprec and
        nDCG@10; for lists of ids it is Recall, MRR, HitRate and nDCG of whole lists.
    ties : see `locate`.
    topics : the topics that are averaged: "both" (in the run and the qrels), "qrels" (a topic that
        the run lacks counts as an empty ranking: trec_eval -c), "run", or "answerable" (of the
        qrels those with a relevant item). None is "both"; for lists it is "qrels".
    undefined : how averages treat undefined values: count them as "zero" (as 1 for E, error and
        other losses up to 1, whose worst value that is), "omit" them, or raise an "error".
    grade : least grade that counts as relevant, such as 2 or 3.5, for measures that do not set one
        themselves.
    judged_only : remove unjudged items from the rankings first (trec_eval -J).
    drop_self : remove items whose id is that of the topic first, as BEIR and MTEB do where queries
        are documents of the collection. A run is then read as a whole, whatever `memory` is.
    depth : cut rankings after this many items, >= 1 (trec_eval -M); None for no cut.
    aggregate : "mean", "geometric" or "sum" for all measures; None is the aggregate that each
        declares.
    duplicates, score_dtype, lower_is_better : see `read_run`.
    columns : names of the columns of tables and frames: {"topic": ..., "item": ..., "score": ...,
        "grade": ..., "subtopic": ...}. Usual names are known, and a note says which were used. If
        those of the qrels and the run differ, read them first: `read_qrels(frame, columns=...)`.
    run_column : the column that distinguishes several runs of one table, such as "system"; in TREC
        text "tag", its last field. Each value is one run. Without `run_column`, a table with
        several runs is refused.
    interval : True adds an interval to every average, by the default method of `pc.interval.mean`,
        which depends on the number of topics and the range of the measure; or one method for all:
        "t", "bayesian-bootstrap", "bca" or "percentile".
    level : nominal coverage of the intervals, in (0, 1).
    unjudged : an item that nobody judged, absent from the qrels or with a negative grade, is not
        relevant ("zero"). "bounds" adds the least and the greatest value of every topic and average
        over all labels that such items may have: grade 0 and every grade of the qrels. Those of a
        run are the items that it retrieved, down to `depth`, and those of negative grade.
    by : the group of each topic, such as its language: {topic: group}, a pandas Series whose index
        has the topics, or a data frame with a column of topics and one of groups (a topic may have
        several rows, if they agree). Adds a report of each group, `report.groups`, with averages
        over its topics.
    topic_weights : the weight of each topic in all averages, such as the traffic of a query, or how
        many a sampled one stands for: {topic: weight}, a pandas Series, a data frame, pairs, or
        the path of a file, as `--topic-weights` takes it. Weights are numbers above 0; only their
        ratios matter. Averages are Σ w v / Σ w. Intervals, the randomization test and Student's t
        take weights into account; what cannot, such as other tests, refuses the report.
    rng : seed, Generator or SeedSequence for ties="random" and for intervals that draw random
        numbers; None for a fresh seed. The seed is printed.
    threads : see `locate`. No number depends on it.
    progress : called with (runs done, runs, name) before each run; None calls nothing.
    memory : bytes that a run may take. A path of TREC text that does not fit is read topic by
        topic, with the same results. None is a quarter of the free memory. Standard input is read
        in this way if `memory` is given, because its size is unknown.

    Returns
    -------
    Report
        `report.mean["AP"]`, `report.per_topic`, `print(report)`; with unjudged="bounds" also
        `report.lowest["AP"]`, `report.highest["AP"]` and `report.judge_next("AP")`; with `by` also
        `report.groups["en"].mean["AP"]`.

    Raises
    ------
    DataError
        A line, row or value of the qrels or a run is not allowed; the message names file and line.
        With undefined="error", a value is undefined.
    NoCommonTopic
        No topic of a run is in the qrels.
    MeasureError
        There is no such measure, or a parameter of it is not allowed; with unjudged="bounds", no
        bounds of it are known.
    UsageError
        An argument is not allowed.
    OSError
        A file cannot be read.
    MissingExtra
        A format of a file needs a package that is not installed.
    TiesUnresolved
        With ties="block" a measure depends on the order of items of equal score.

    Notes
    -----
    A value is undefined, NaN, if a measure divides by 0, such as AP for a topic without a relevant
    item. By default it counts as 0 and the topic stays in the average, as in trec_eval. Differences
    from other tools are in docs/coming-from/trec_eval.md and docs/coming-from/ir_measures.md;
    `precall explain MEASURE` names the source of a measure.

    Examples
    --------
    >>> qrels = {"q1": {"a": 1, "b": 0}, "q2": {"c": 2}}
    >>> run = {"q1": {"b": 2.0, "a": 1.0}, "q2": {"c": 1.0}}
    >>> evaluate(qrels, run, ["AP", "RR"]).mean["AP"]
    0.75
    >>> evaluate({"q1": ["a", "b"], "q2": ["c"]}, {"q1": ["b", "x", "a"]}, ["Recall@2"]).mean[
    ...     "Recall@2"
    ... ]
    0.25
    """
    # Each field is the keyword of its name, so that none can be accepted and forgotten.
    keywords = locals()
    conventions = Conventions(**{each.name: keywords[each.name] for each in fields(Conventions)})
    level = check_level(level)
    check_choice("unjudged", unjudged, UNJUDGED)
    if interval and interval is not True:
        interval = choose_method((True, False, *METHODS["mean"]), interval, "interval")
    seed = seed_of(rng) if ties == "random" or interval else 0
    averaging = averaging_of(by, topic_weights, unjudged)
    report = averaging(
        evaluate_by(
            conventions, qrels, run, measures, seed, threads, progress, None, memory, unjudged
        )
    )
    if not interval:
        return report
    from precall.evaluation.intervals import with_intervals, with_intervals_of_groups

    method = None if interval is True else interval
    report = with_intervals_of_groups(report, method, level, seed)
    return with_intervals(report, method, level, seed)


def averaging_of(
    by: object | None, topic_weights: object, unjudged: str = "zero"
) -> Callable[[Report], Report]:
    """What weights and groups of topics make of a report. Both are checked now, before anything is
    measured.
    """
    named, weights = None, None
    if by is not None:
        from precall.read.group_tables import check_groups

        named = check_groups(by)
    if topic_weights is not None:
        from precall.evaluation.weights import check_weights

        if unjudged == "bounds":
            raise UsageError(
                argument="topic_weights",
                what="has no bounds over labels of unjudged items",
                remedy="leave it or ⟨unjudged='bounds'⟩ out",
            )
        weights = check_weights(topic_weights)

    def average(report: Report) -> Report:
        if weights is not None:
            from precall.evaluation.weights import source_of, with_weights

            report = with_weights(report, weights, source_of(topic_weights))
        if named is not None:
            from precall.evaluation.groups import with_groups

            report = with_groups(report, named)
        return report

    return average


def evaluate_by(
    conventions: Conventions,
    qrels: object,
    run: object,
    measures: str | Measure | Iterable[str | Measure] | None,
    seed: int,
    threads: int | None,
    progress: Callable[[int, int, str], None] | None,
    seen: Callable[[Located], None] | None = None,
    memory: int | None = None,
    unjudged: str = "zero",
) -> Report:
    """`evaluate` with conventions that are checked already; `seen` is called with the rankings that
    each run's values are computed from.

    Runs are read, measured and released one by one, so that only one is in memory.
    """
    from precall.read.readers import columns_for_source, read_qrels

    if memory is not None:
        check_whole("memory", memory, 1)
    check_kind("progress", progress, (type(None), Callable), "a function, or None")
    # Runs are read before the measures, so that labels and scores given as runs are refused as
    # such, and not because of the measures after them.
    run_set = as_runs(run)
    runs = run_set.sources
    named = None if measures is None else measures_of(measures, conventions.grade, True)
    by_subtopic = None
    if named is not None and _of_subtopics(named[0]):
        by_subtopic = _judged_by_subtopic(named[0], qrels, conventions)
        qrels = by_subtopic.qrels
    if named is not None and conventions.depth is None and _need_no_order(named[0]):
        from precall.read.id_lists import sets_as_lists

        runs = {name: sets_as_lists(source) for name, source in runs.items()}
    threads = thread_count(threads)
    if conventions.run_column is not None:
        runs = _apart(runs, conventions, threads)
    qrels, runs = match_lists(materialize(qrels), runs)
    judged = read_qrels(
        qrels,
        duplicates=conventions.duplicates,
        threads=threads,
        columns=columns_for_source(qrels, conventions.columns),
    )
    bounded = unjudged == "bounds"
    if bounded:
        # As of all that bounds need: few ask for them.
        from precall.evaluation.extremes import check_bounds, check_judged

        check_judged(judged)
    parts: list[RunValues] = []
    facts: list[tuple[str, str]] = []
    listed = judged.listed
    chosen, names_asked, remarks = named or measures_of(DEFAULT, conventions.grade)
    for done, (name, source) in enumerate(runs.items()):
        if progress is not None:
            progress(done, len(runs), name)
        scored = read_run_for(
            judged,
            source() if callable(source) else source,
            conventions.ties == "input",
            WHOLE if conventions.drop_self else memory,
            name=name,
            **_reading(source, conventions, threads),
        )
        scored = _without_self(scored, conventions)
        located = _locate(judged, scored, conventions.ties, seed, threads, bounded)
        if by_subtopic is not None:
            located = replace(located, subtopics=by_subtopic)
        are_lists = judged.listed or scored.listed
        settled = conventions.with_topics(are_lists)
        if by_subtopic is not None:
            settled = replace(settled, grade=1)  # other grades stand for other subtopics
        if named is None and not parts and are_lists:
            chosen, names_asked, remarks = measures_of(OF_LISTS, conventions.grade)
        if are_lists and not run_set.has_name:
            scored = replace(scored, name=LIST_NAME)
        if bounded and not parts:
            check_bounds(chosen, conventions)
        with speaking(_vocabulary(judged.listed, scored.listed)):
            parts.append(_values(judged, located, scored, chosen, settled, bounded))
        facts.append((str(settled.topics), _type_of_scores(scored)))
        listed |= scored.listed
        if seen is not None:
            relevant = located.total(settled.grade)
            averaged = averaged_of(settled, located.in_qrels, located.in_run, relevant)
            seen(apply(conventions, located).select(np.flatnonzero(averaged)))
        del scored, located  # released before the next run is read
    described = _describe(judged, listed, conventions, seed, facts)
    if bounded:
        described["unjudged"] = unjudged
    assumed = remarks + _assumptions(judged, qrels, listed and conventions.topics is None)
    assumed += _grades_below_one(judged, chosen)
    return report_of(parts, chosen, names_asked, conventions, described, assumed)


def _need_no_order(chosen: Iterable[Measure]) -> bool:
    """Whether all measures are of the retrieved set, so that it may be given as a set."""
    return all(
        measure.declaration.closed == NO_ORDER and measure.parameters.get("cutoff") is None
        for measure in chosen
    )


def _describe(
    judged: Qrels,
    listed: bool,
    conventions: Conventions,
    seed: int,
    facts: Iterable[tuple[str, str]],
) -> dict[str, str]:
    """The conventions of a report; `facts` are topics and type of scores of each run."""
    topics, scores = ("/".join(dict.fromkeys(texts)) for texts in zip(*facts, strict=True))
    vocabulary = _vocabulary(judged.listed, listed)
    return {
        "qrels": judged.source,
        **({INPUT: vocabulary.name} if vocabulary.name else {}),
        **conventions.describe(seed),
        "topics": topics,
        "scores": scores,
    }


def _vocabulary(are_gold: bool, are_runs: bool) -> Vocabulary:
    """The vocabulary of lists, if the gold or the runs are lists."""
    return LISTS if are_gold else LISTS_WITH_QRELS if are_runs else RUNS


def report_of(
    parts: Sequence[RunValues],
    chosen: list[Measure],
    asked: Mapping[str, str],
    conventions: Conventions,
    described: Mapping[str, str],
    assumed: tuple[Note, ...],
) -> Report:
    """The report of measured runs."""
    declared = [m.declaration for m in chosen]
    return Report(
        runs=tuple(parts),
        measures=tuple(m.name for m in chosen),
        asked=asked,
        aggregates=tuple(aggregate_of(conventions, m) for m in chosen),
        conventions=describe_conventions(**described, kernel=kernel_name()),
        best=tuple(each.direction for each in declared),
        zeros=tuple(float(each.zero) for each in declared),
        assumed=assumed,
    )


def _assumptions(judged: Qrels, given: object, all_count: bool) -> tuple[Note, ...]:
    """Notes about the inputs: how the qrels were read and, for lists, which topics count."""
    notes = notes_of("qrels", judged.notes)
    if judged.listed or all_count:
        from precall.read.id_lists import Numbered

        notes += [AllTopicsCount("")] if all_count else []
        notes += [ListsByPlace("")] if isinstance(given, Numbered) else []
    return tuple(notes)


def _grades_below_one(judged: Qrels, chosen: Iterable[Measure]) -> tuple[Note, ...]:
    """A note if measures take 1 for the least relevant grade, and fractions lie below."""
    if judged.grade.dtype != np.float64:
        return ()
    # A grade that was given, by the name of a measure or by an option, is meant.
    by_default = any(
        measure.parameters.get("grade") == 1 and "grade" not in measure.given for measure in chosen
    )
    between = judged.grade[(judged.grade > 0) & (judged.grade < 1)]
    if not by_default or not len(between):
        return ()
    return (GradesBelowOne("", len(between), float(between.min())),)


def _of_subtopics(chosen: Sequence[Measure]) -> bool:
    """Whether the measures need judgements by subtopic; an error if only some do."""
    kinds = {each.of_subtopics: each.name for each in chosen}
    if len(kinds) == 2:
        raise UsageError(
            argument="measures",
            what=f"{kinds[True]} needs judgements by subtopic, {kinds[False]} judgements of items",
            remedy="measure each kind separately, with its own qrels",
        )
    return True in kinds


def _judged_by_subtopic(
    chosen: Sequence[Measure], qrels: object, conventions: Conventions
) -> JudgedSubtopics:
    """Judgements by subtopic, in the form of judgements of items."""
    from precall.location.subtopics import ORDERS_OF_ITEMS, JudgedSubtopics, read_judged
    from precall.read.columns import Qrels

    if conventions.ties not in ORDERS_OF_ITEMS:
        raise UsageError(
            argument="ties",
            got=conventions.ties,
            allowed=list(ORDERS_OF_ITEMS),
            why="and items are relevant to subtopics, so that no order is known to be the best",
        )
    if isinstance(qrels, JudgedSubtopics):
        return qrels
    if isinstance(qrels, Qrels | Mapping):
        chosen[0].of_rankings()  # says what it is of
    return read_judged(qrels, conventions.grade, conventions.duplicates, conventions.columns)


def measures_of(
    given: str | Measure | Iterable[str | Measure], grade: float, subtopics: bool = False
) -> tuple[list[Measure], dict[str, str], tuple[Note, ...]]:
    """The measures, each once; their canonical names by the names requested; and notes on names
    with another meaning in other tools. Those of judgements by subtopic are refused unless
    `subtopics` allows them.
    """
    if isinstance(given, Mapping) or hasattr(given, "columns"):
        raise UsageError(
            argument="measures",
            got=Kind(given),
            allowed=("names such as 'AP'",),
            remedy="pass several runs as {name: run, ...}",
        )
    several = (
        [given]
        if isinstance(given, str | Measure) or not isinstance(given, Iterable)
        else list(given)
    )
    chosen: dict[str, Measure] = {}
    names_asked: dict[str, str] = {}
    remarks: list[Note] = []
    for name in several:
        if not isinstance(name, str | Measure):
            raise UsageError(
                argument="measures", allowed="names, or measures that measure() made", got=given
            )
        measure = _find_measure(name)
        if measure.note:
            remarks.append(NameOfOthers(as_text(name), measure.note))
        bound = measure
        if not (subtopics and measure.of_subtopics):
            bound = measure.of_rankings().at_grade(grade)
        chosen.setdefault(bound.name, bound)
        names_asked[as_text(name) if isinstance(name, str) else name.head] = bound.name
    check_some("measures", chosen, "name at least one, such as 'AP'")
    return list(chosen.values()), names_asked, tuple(remarks)


def _find_measure(name: str | Measure) -> Measure:
    try:
        return find(name)
    except MeasureError as error:
        if not isinstance(name, str) or not error.fault:
            raise
        is_file = os.path.isfile(name)  # noqa: PTH113
        if is_file or name.endswith((*BY_ENDING, *ARCHIVES)):
            remedy = 'several runs stand in one list, ["a.run", "b.run"]'
            problem = (
                "a file is no measure" if is_file else "there is no such file, and no such measure"
            )
            raise UsageError(argument="measures", got=name, what=problem, remedy=remedy) from None
        raise


def _apart(tables: Mapping[str, object], conventions: Conventions, threads: int) -> dict[str, Any]:
    """Runs by name; runs of a table by its column. Runs that were read already, or are functions,
    are left unchanged.
    """
    from precall.read.columns import Run
    from precall.read.readers import merge_runs, read_runs

    runs: dict[str, Any] = {}
    for table, source in tables.items():
        parts: Mapping[str, Any] = {table: source}
        if not (isinstance(source, Run) or callable(source)):
            parts = read_runs(
                source,
                str(conventions.run_column),
                name=table,
                **_reading(source, conventions, threads),
            )
        runs = merge_runs(runs, parts)
    return runs


def read_runs_of(run: object, conventions: Conventions, threads: int) -> dict[str, Run]:
    """Every run, read as a whole, for what needs runs more than once."""
    from precall.read.columns import Run
    from precall.read.readers import read_run

    sources: Mapping[str, Any] = as_runs(run).sources
    if conventions.run_column is not None:
        sources = _apart(sources, conventions, threads)
    read = {}
    for name, given in sources.items():
        source = given() if callable(given) else given
        given_run = (
            replace(source, name=name)
            if isinstance(source, Run)
            else read_run(source, name=name, **_reading(source, conventions, threads))
        )
        read[name] = _without_self(given_run, conventions)
    return read


def _without_self(run: Run, conventions: Conventions) -> Run:
    """The run as conventions want it: without items that are the query itself, or with a note on
    them.
    """
    from precall.location.selves import note_selves, without_selves

    return without_selves(run) if conventions.drop_self else note_selves(run)


def _reading(source: object, conventions: Conventions, threads: int) -> dict[str, Any]:
    """How a run is read: the options of `read_run` that conventions hold."""
    from precall.read.readers import columns_for_source

    return {
        "duplicates": conventions.duplicates,
        "score_dtype": conventions.score_dtype,
        "lower_is_better": conventions.lower_is_better,
        "columns": columns_for_source(source, conventions.columns),
        "threads": threads,
    }


def _locate(judged: Qrels, run: Run, ties: str, seed: int, threads: int, bounded: bool) -> Located:
    """The judged items in a run, and for bounds all its items, if ties leave their order open."""
    keep_items = False
    if bounded:
        from precall.location.labelings import FIXED

        keep_items = ties not in FIXED and not isinstance(run, RunOutline)
    return locate(
        judged,
        run,
        ties=ties,
        # Each run gets the same random draws, so that its position does not matter.
        rng=seed,
        threads=threads,
        keep_items=keep_items,
    )


def _type_of_scores(run: Run) -> str:
    return NO_SCORES if run.listed and run.ranked else run.score_dtype


def _values(
    qrels: Qrels,
    whole: Located,
    run: Run,
    chosen: list[Measure],
    conventions: Conventions,
    bounded: bool,
) -> RunValues:
    """The values of a run and, if they are `bounded`, their extremes over unjudged items."""
    topics = topic_values(whole, chosen, conventions)
    averaged = averaged_of(conventions, whole.in_qrels, whole.in_run, topics.relevant)
    ids = (whole.topics if averaged.all() else whole.topics.take(averaged.nonzero()[0])).tolist()
    if unlike := note_nothing_judged(qrels, run, whole) or note_unlike_ids(qrels, run, whole):
        warn(unlike.within(run.name))
    notes = (*run.notes, unlike) if unlike else run.notes
    origin = RunOrigin(run.name, run.source, run.dropped, qrels.dropped, notes)
    values = run_values(topics, ids, origin, chosen, conventions)
    if bounded:
        from precall.evaluation.extremes import extremes_of

        extremes = extremes_of(qrels, whole, run, chosen, conventions)
        values = replace(values, extremes=extremes)
    return values
