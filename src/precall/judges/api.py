"""`pc.judge`: measures of people's labels if people labelled some units and a judge all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from importlib import import_module
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from precall.core.arguments import check_level
from precall.core.conventions import ConventionOptions, Conventions, describe_conventions
from precall.core.errors import UsageError
from precall.core.notes import Note, Severity, warn_all
from precall.core.rng import suggest_our_names
from precall.evaluation.report import data_notes
from precall.judges.chances import probability_in
from precall.judges.columns import check_all_judged, check_binary, choice_of, codes_of, columns_of
from precall.judges.learning import (
    Question,
    adjusted_pairs,
    check_choice_of_people,
    describe,
    learn_pair,
    learn_value,
    notes_of_values,
)
from precall.judges.results import (
    JudgeAgreement,
    Judged,
    JudgedPair,
    JudgedValue,
    add_shared_notes,
    agreement_result,
)
from precall.judges.topics import JudgedTopics, judge_topics
from precall.measures.registry import range_of
from precall.stats.double_sampling import agreement as agreement_of
from precall.stats.intervals.mean import check_range

if TYPE_CHECKING:
    from typing import Unpack

    from precall.judges import cases as _scored
    from precall.judges import decisions as _decided
    from precall.judges import items as _items
    from precall.judges import plans as _plans
    from precall.judges import sampling as _sampling
    from precall.measures import Measure


#: Modules of functions that are imported on first use.
_HOME = {
    "cases": "judges.cases",
    "decisions": "judges.decisions",
    "items": "judges.items",
    "plan": "judges.plans",
    "sample": "judges.sampling",
}


class _OfJudged(ConventionOptions, total=False):
    """Options of `judge`, which documents them."""

    of: str
    level: float
    probability: object
    strata: object
    groups: object
    unjudged: str
    threads: int | None
    progress: Callable[[int, int, str], None] | None


class JudgeCompareNamespace:
    """Differences of systems by people's labels, of which a judge gave most.

    `judge.compare(people, judge, runs, measures)` takes qrels and two runs or more.

    - `judge.compare.cases(people, judge, a, b, measures)`: of two scores of the same cases.

    Examples
    --------
    >>> llm = [1, 1, 0, 1, 0, 0, 1, 0] * 25
    >>> people = [1, None, 0, None, None, 0, 1, None] * 23 + [1, None, 1, None, None, 1, 0, 0] * 2
    >>> good, bad = [8, 5, 6, 7, 4, 3, 2, 1] * 25, [1, 2, 6, 5, 4, 3, 7, 8] * 25
    >>> judge.compare.cases(people, llm, good, bad, "AUC").pairs[0].better
    'a'
    """

    if TYPE_CHECKING:
        cases: Final = staticmethod(_scored.compare_cases)
    else:

        def __getattr__(self, name: str) -> Any:
            if name != "cases":
                raise AttributeError(f"pc.judge.compare has no {name!r}; it has cases")
            from precall.judges.cases import compare_cases

            self.cases = suggest_our_names(compare_cases)
            return self.cases

        def __dir__(self) -> list[str]:
            return [*super().__dir__(), "cases"]

    @suggest_our_names
    def __call__(
        self,
        people: object,
        judge: object,
        run: object,
        measures: str | Measure | Iterable[str | Measure] | None = None,
        **options: Unpack[_OfJudged],
    ) -> Judged:
        """Differences of systems, by people's labels of some topics and a judge's of all.

        The same as `judge(people, judge, run, measures)` of two runs or more: `.pairs` has them.
        What the judge has wrong of both systems alike cancels.

        Parameters
        ----------
        people, judge, measures : see `precall.judge`.
        run : two runs or more, as in `evaluate`.
        options : those of `precall.judge`.

        Returns
        -------
        Judged
            Each of `.pairs` has `names`, `difference` (the first minus the second), `low`, `high`,
            `p`, `adjusted` (by Holm's correction), `judge_alone` and `favour`: how much the judge
            favours the first.

        Raises
        ------
        UsageError
            There are fewer than two runs; and as `judge`.

        Examples
        --------
        >>> a = {f"q{i}": ["a", "b"] for i in range(60)}
        >>> b = {f"q{i}": ["b", "a"] for i in range(60)}
        >>> llm = {f"q{i}": {"a": int(i % 3 > 0), "b": int(i % 5 > 0)} for i in range(60)}
        >>> people = {f"q{i}": {"a": int(i % 4 > 0), "b": 1} for i in range(0, 60, 2)}
        >>> found = judge.compare(people, llm, {"a": a, "b": b}, "P@1")
        >>> (pair,) = found.pairs
        >>> pair.names, round(pair.difference, 2), pair.better
        (('a', 'b'), -0.5, 'b')
        """
        found = JudgeNamespace()(people, judge, run, measures, **options)
        if len(found.runs) < 2:
            raise UsageError(
                argument="run",
                got=found.runs[0],
                allowed="two runs or more;",
                remedy="pass {name: run, ...}",
            )
        return found


class JudgeNamespace:
    """Measures of people's labels, of which a judge such as a language model gave most.

    `judge(people, judge, runs, measures)` takes qrels and runs. People labelled some topics, chosen
    at random, and the judge all. The judge's labels of all topics correct the mean of people's; a
    judge that errs makes the interval wider, never wrong.

    - `judge.compare(people, judge, runs, measures)`: differences of systems;
      `judge.compare.cases(people, judge, a, b)` of two scores;
    - `judge.values(people, judge)`: of any number per unit, such as faithfulness of answers;
    - `judge.items(people, judge, runs, "P@10")`: if people labelled single items of topics;
    - `judge.decisions(people, judge, accepted, measures)`: of decisions about cases, by F, MCC or
      another measure of counts;
    - `judge.cases(people, judge, score, measures)`: of scored cases, by AP or area under ROC;
    - `judge.agreement(people, judge)`: how far the judge's labels agree with people's;
    - `judge.plan(found, width=0.05)`: how many units people must label;
    - `judge.sample(judge, runs, measure, n=30)`: which ones, drawn at random.

    Examples
    --------
    >>> llm = [1, 1, 0, 1, 0, 1, 1, 0] * 10
    >>> people = [1, 0, 0, 1, None, None, None, None] * 10
    >>> found = judge.values(people, llm)
    >>> round(found.judge_alone, 3), round(found.estimate, 3)
    (0.625, 0.417)
    """

    compare: Final = JudgeCompareNamespace()

    if TYPE_CHECKING:
        cases: Final = staticmethod(_scored.cases)
        decisions: Final = staticmethod(_decided.decisions)
        items: Final = staticmethod(_items.items)
        plan: Final = staticmethod(_plans.plan)
        sample: Final = staticmethod(_sampling.sample)
    else:

        def __getattr__(self, name: str) -> Any:
            if name not in _HOME:
                raise AttributeError(f"pc.judge has no {name!r}; it has {', '.join(dir(self))}")
            value = suggest_our_names(getattr(import_module(f"precall.{_HOME[name]}"), name))
            setattr(self, name, value)
            return value

        def __dir__(self) -> list[str]:
            names = [name for name in super().__dir__() if not name.startswith("_")]
            return [*names, *_HOME]

    @suggest_our_names
    def __call__(
        self,
        people: object,
        judge: object,
        run: object,
        measures: str | Measure | Iterable[str | Measure] | None = None,
        *,
        of: str = "population",
        level: float = 0.95,
        probability: object = None,
        strata: object = None,
        groups: object = None,
        unjudged: str = "zero",
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
        threads: int | None = None,
        progress: Callable[[int, int, str], None] | None = None,
    ) -> Judged:
        """Averages over topics, by people's labels of some topics and a judge's of all.

        With ȳ and f̄ the means by people's and by the judge's labels over the topics that people
        judged, f̄_N that by the judge over all topics, and b the slope of people's numbers on the
        judge's, the estimate is ȳ + b (f̄_N - f̄). Its interval is Student's.

        Parameters
        ----------
        people : people's qrels, in any form that `evaluate` takes, of some topics chosen at random.
            A grade below 0 means that nobody judged the item.
        judge : the judge's qrels, of all topics.
        run : one run or several, as in `evaluate`.
        measures : as in `evaluate`; they must be averaged by the mean.
        of : "population", the mean over ever more topics like these; or "these", the mean of these
            topics had people judged all of them.
        level : nominal coverage of the intervals, in (0, 1).
        probability : with what probability people's topics were chosen, {topic: p}, if not all with
            the same. With up to eight different ones, given for all topics, those of equal
            probability are a stratum.
        strata : {topic: stratum}, if people's topics were chosen in each stratum by itself.
        groups : {topic: group}, if topics of a group, such as queries of one user, are alike.
        unjudged : an item that the judge labelled and people did not, in a topic that people
            judged, counts as not relevant ("zero"), as the judge says ("judge"), or is an "error".
        ties, topics, undefined, grade, judged_only, drop_self, depth, aggregate : see `evaluate`.
        duplicates, score_dtype, lower_is_better, columns, run_column : see `evaluate`.
        threads, progress : see `evaluate`.

        Returns
        -------
        Judged
            `found["AP"]`, or `found["bm25", "AP"]` of several runs, has `estimate`, `low`, `high`,
            `people_alone`, `judge_alone`, `bias` and `worth`; `found.pairs` has the differences of
            systems, with whom the judge favours; `found.agreement` compares the labels.

        Warns
        -----
        PrecallWarning
            People judged fewer than 20 topics, or what they judged is no random choice by the
            judge's labels; the judge tells little; items have no label by people.

        Raises
        ------
        DataError
            The judge lacks a topic of people, or of the run with `topics="run"`; or a file is not
            as it must be.
        UsageError
            People judged fewer than 10 topics, fewer than four groups, or single items of topics;
            or an argument is not allowed.

        Notes
        -----
        The regression estimator of double sampling (Cochran 1977, chapter 12), with the variance of
        residuals corrected for leverage (HC2) and n - 2 degrees of freedom. It is valid whatever
        the judge does wrong, if people's topics are a random choice. Other libraries correct means
        in this way with normal quantiles (prediction-powered inference, PPI++), which is too narrow
        for few labels. docs/how-to/judge.md has an example, docs/why/judge.md the coverage.

        See Also
        --------
        precall.evaluate : the same measures by one set of labels.

        Examples
        --------
        >>> run = {f"q{i}": {"a": 2.0, "b": 1.0} for i in range(60)}
        >>> llm = {f"q{i}": {"a": int(i % 3 > 0), "b": 1} for i in range(60)}
        >>> people = {f"q{i}": {"a": int(i % 4 > 0), "b": 1} for i in range(0, 60, 2)}
        >>> found = judge(people, llm, run, "P@1")
        >>> value = found["P@1"]
        >>> round(value.judge_alone, 3), round(value.estimate, 3), value.labels
        (0.667, 0.5, (30, 60))
        """
        keywords = locals()
        conventions = Conventions(
            **{each.name: keywords[each.name] for each in fields(Conventions)}
        )
        level = check_level(level)
        measured = judge_topics(
            people, judge, run, measures, conventions, unjudged, threads, progress
        )
        if probability is None and strata is None:
            probability = probability_in(people, columns)
        choice = choice_of(
            measured.topics,
            measured.seen,
            "topic",
            probability=probability,
            strata=strata,
            groups=groups,
        )
        check_choice_of_people(choice, of, "topic")
        found = _learn(measured, Question(choice, of, level), unjudged)
        warn_all(note for note in found.notes if note.severity < Severity.INFORMATIVE)
        return found

    @suggest_our_names
    def values(
        self,
        people: object,
        judge: object,
        *,
        of: str = "population",
        level: float = 0.95,
        probability: object = None,
        strata: object = None,
        groups: object = None,
        range: tuple[float, float] | None = None,
        measure: str = "mean",
    ) -> JudgedValue:
        """The mean of any number per unit, of which people gave some and a judge all.

        Units are answers, conversations or pages, the number a grade, a win or a cost.

        Parameters
        ----------
        people : {unit: number} of the units that people judged; or a column with None or NaN where
            they did not.
        judge : {unit: number} of all units; or a column in the same order.
        of : "population", the mean over ever more units like these; or "these", the mean of these
            units had people judged all of them.
        level : nominal coverage of the interval, in (0, 1).
        probability : with what probability people's units were chosen, {unit: p} or a column.
        strata : the stratum in which a unit was chosen, {unit: stratum} or a column.
        groups : the group of each unit, if units of a group are alike, as a dict or a column.
        range : the least and the greatest value of the number, to which bounds are cut; None if it
            is not known.
        measure : the name of the number.

        Returns
        -------
        JudgedValue

        Warns
        -----
        PrecallWarning
            As `judge`.

        Raises
        ------
        UsageError
            As `judge`; or the judge lacks a number.

        Notes
        -----
        Labels 0 and 1 have the bounds of a share: of each kind of units by the judge, in each
        stratum (MOVER with Jeffreys' bounds). Without strata, Wilson's are taken if the judge says
        more than two things or units are in groups; so they are if probabilities are unequal.
        Other numbers have Student's.

        Examples
        --------
        >>> llm = [0.9, 0.8, 0.4, 0.7] * 10
        >>> people = [0.8, None, 0.2, None, 0.9, None, 0.5, None] * 5
        >>> found = judge.values(people, llm, range=(0, 1), measure="faithfulness")
        >>> print(round(found.people_alone.estimate, 3), round(found.estimate, 3))
        0.6 0.65
        """
        level = check_level(level)
        names, numbers, other = columns_of(people, judge)
        seen = ~np.isnan(numbers)
        check_all_judged(names, seen, other)
        own = numbers[seen]
        choice = choice_of(
            names, seen, "unit", probability=probability, strata=strata, groups=groups
        )
        check_choice_of_people(choice, of, "unit")
        question = Question(choice, of, level, "unit")
        found = learn_value(own, other, question, measure, check_range(range, own))
        warn_all(found.notes)
        return replace(found, conventions=describe_conventions(**describe(question)))

    @suggest_our_names
    def agreement(self, people: object, judge: object, *, groups: object = None) -> JudgeAgreement:
        """How far a judge's labels agree with people's.

        Parameters
        ----------
        people : labels 0/1 or bool, None or NaN where people gave none; or {unit: label}.
        judge : the judge's labels, likewise.
        groups : the group of each unit, such as its topic, if units of a group are alike.

        Returns
        -------
        JudgeAgreement
            The share of agreement and Cohen's kappa with standard errors, and the judge's error
            rates: the share of what is not relevant for people and relevant for the judge, and of
            the opposite.

        Raises
        ------
        UsageError
            Labels are not 0 and 1, or nothing has both.

        Examples
        --------
        >>> found = judge.agreement([1, 1, 0, 0, None, 1], [1, 0, 0, 1, 1, 1])
        >>> found.agreement, round(found.kappa, 3), found.units
        (0.6, 0.167, 5)
        """
        names, numbers, other = columns_of(people, judge)
        seen = ~np.isnan(numbers) & ~np.isnan(other)
        own, inside = numbers[seen], other[seen]
        for name, labels in (("people", own), ("judge", inside)):
            check_binary(labels, name, "labels 0 and 1")
        if not len(own):
            raise UsageError(
                argument="people",
                what="no unit has a label by people and by the judge",
                remedy="check that both name units alike",
            )
        group = None if groups is None else codes_of(groups, names, "groups", "unit")[seen]
        return agreement_result(agreement_of(own == 1, inside == 1, group=group))


def _learn(measured: JudgedTopics, question: Question, unjudged: str) -> Judged:
    """Every average over topics, and every difference of two runs."""
    report = measured.report
    runs = tuple(run.name for run in report.runs)
    limits = {name: range_of(name) or (-np.inf, np.inf) for name in report.measures}
    values = {
        (run, measure): learn_value(
            measured.people[run, measure],
            measured.judge[run, measure],
            question,
            name,
            limits[measure],
        )
        for run in runs
        for measure, name in zip(report.measures, report.heads, strict=True)
    }
    pairs = tuple(
        pair
        for measure, name, best in zip(report.measures, report.heads, report.best, strict=True)
        for pair in adjusted_pairs(
            learn_pair(
                (measured.people[a, measure], measured.people[b, measure]),
                (measured.judge[a, measure], measured.judge[b, measure]),
                question,
                (a, b),
                name,
                best >= 0,
                limits[measure],
            )
            for a, b in combinations(runs, 2)
        )
    )
    notes = (
        *measured.notes,
        *notes_of_values(values, pairs),
    )
    values, pairs = _with_notes_of_data(measured, values, pairs)
    # Its qrels are the judge's.
    rest = {name: text for name, text in report.conventions.items() if name != "qrels"}
    described = {
        "precall": rest.pop("precall"),
        **measured.sources,
        **rest,
        **describe(question),
        **({"unjudged": unjudged} if unjudged != "zero" else {}),
    }
    return Judged(
        values,
        pairs,
        runs,
        report.measures,
        None if measured.agreement is None else agreement_result(measured.agreement),
        described,
        report.asked,
        report.best,
        tuple(dict.fromkeys(notes)),
    )


judge: JudgeNamespace = JudgeNamespace()


def _with_notes_of_data(
    measured: JudgedTopics,
    values: Mapping[tuple[str, str], JudgedValue],
    pairs: Iterable[JudgedPair],
) -> tuple[dict[tuple[str, str], JudgedValue], tuple[JudgedPair, ...]]:
    """Each value and pair with the notes on the topics, the judgements and its own runs."""
    report = measured.report
    of_runs = set(data_notes(report))
    others = [note for note in measured.notes if note not in of_runs]
    measure_of = dict(zip(report.heads, report.measures, strict=True))

    def notes(runs: Sequence[str], measure: str) -> list[Note]:
        return [*data_notes(report, runs, [measure]), *others]

    return (
        {key: add_shared_notes(value, notes(key[:1], key[1])) for key, value in values.items()},
        tuple(
            add_shared_notes(pair, notes(pair.names, measure_of[pair.measure])) for pair in pairs
        ),
    )
