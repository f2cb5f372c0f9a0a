"""`pc.judge`: measures of people's labels if people labelled some units and a judge all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.core.arguments import check_column, check_kind, check_level
from precall.core.conventions import ConventionOptions, Conventions, describe_conventions
from precall.core.errors import Fact, UsageError
from precall.core.notes import Note, Severity, warn_all
from precall.core.ragged import Float64, Int64
from precall.core.rng import Rng, suggest_our_names
from precall.core.text import as_text
from precall.judges.chances import probability_in
from precall.judges.learning import (
    Question,
    adjusted_pairs,
    check_choice_of_people,
    learn_pair,
    learn_value,
    notes_of_values,
)
from precall.judges.plans import JudgePlan, plan_of_numbers, plan_of_pilot, refuse_both
from precall.judges.results import (
    JudgeAgreement,
    Judged,
    JudgedPair,
    JudgedValue,
    agreement_result,
)
from precall.judges.sampling import JudgeSample, sample_of_topics, sample_of_units
from precall.judges.topics import judge_topics
from precall.measures.registry import range_of
from precall.read.values import has_value
from precall.stats.double_sampling import Choice
from precall.stats.double_sampling import agreement as agreement_of
from precall.stats.intervals.mean import check_range

if TYPE_CHECKING:
    from typing import Unpack

    from precall.measures import Measure

#: With at most this many different probabilities, units of equal probability are a stratum.
_STRATA = 8


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


class JudgeNamespace:
    """Measures of people's labels, of which a judge such as a language model gave most.

    `judge(people, judge, runs, measures)` takes qrels and runs. People labelled some topics, chosen
    at random, and the judge all. The judge's labels of all topics correct the mean of people's; a
    judge that errs makes the interval wider, never wrong.

    - `judge.compare(people, judge, runs, measures)`: differences of systems;
    - `judge.values(people, judge)`: of any number per unit, such as faithfulness of answers;
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
        grade: int = 1,
        judged_only: bool = False,
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
        ties, topics, undefined, grade, judged_only, depth, aggregate : see `evaluate`.
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
        asked = Question(choice, of, level)
        check_choice_of_people(choice, of, "topic")
        report = measured.report
        runs = tuple(run.name for run in report.runs)
        limits = {name: range_of(name) or (-np.inf, np.inf) for name in report.measures}
        values = {
            (run, measure): learn_value(
                measured.people[run, measure],
                measured.judge[run, measure],
                asked,
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
                    asked,
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
            *(note for run in runs for note in _of_run(values, run, len(runs) > 1)),
            *(note for pair in pairs for note in notes_of_values([pair], " - ".join(pair.names))),
        )
        # Its qrels are the judge's.
        rest = {name: text for name, text in report.conventions.items() if name != "qrels"}
        described = {
            "precall": rest.pop("precall"),
            **measured.sources,
            **rest,
            **_described(choice, asked),
            **({"unjudged": unjudged} if unjudged != "zero" else {}),
        }
        warn_all(note for note in notes if note.severity < Severity.INFORMATIVE)
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

    @suggest_our_names
    def compare(
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
        found = self(people, judge, run, measures, **options)
        if len(found.runs) < 2:
            raise UsageError(
                argument="run",
                got=found.runs[0],
                allowed="two runs or more;",
                remedy="pass {name: run, ...}",
            )
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

        Examples
        --------
        >>> llm = [0.9, 0.8, 0.4, 0.7] * 10
        >>> people = [0.8, None, 0.2, None, 0.9, None, 0.5, None] * 5
        >>> found = judge.values(people, llm, range=(0, 1), measure="faithfulness")
        >>> print(round(found.people_alone.estimate, 3), round(found.estimate, 3))
        0.6 0.65
        """
        level = check_level(level)
        names, numbers, other = _columns(people, judge)
        seen = ~np.isnan(numbers)
        _check_all_judged(names, seen, other)
        own = numbers[seen]
        choice = choice_of(
            names, seen, "unit", probability=probability, strata=strata, groups=groups
        )
        check_choice_of_people(choice, of, "unit")
        question = Question(choice, of, level, "unit")
        found = learn_value(own, other, question, measure, check_range(range, own))
        warn_all(found.notes)
        return replace(found, conventions=describe_conventions(**_described(choice, question)))

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
        names, numbers, other = _columns(people, judge)
        seen = ~np.isnan(numbers) & ~np.isnan(other)
        own, inside = numbers[seen], other[seen]
        for name, labels in (("people", own), ("judge", inside)):
            odd = labels[(labels != 0) & (labels != 1)]
            if len(odd):
                raise UsageError(argument=name, allowed="labels 0 and 1", got=float(odd[0]))
        if not len(own):
            raise UsageError(
                argument="people",
                what="no unit has a label by people and by the judge",
                remedy="check that both name units alike",
            )
        group = None if groups is None else _codes(groups, names, "groups", "unit")[seen]
        return agreement_result(agreement_of(own == 1, inside == 1, group=group))

    @suggest_our_names
    def plan(
        self,
        pilot: Judged | JudgedValue | JudgedPair | None = None,
        *,
        width: float | None = None,
        difference: float | None = None,
        labels: int | None = None,
        deviation: float | None = None,
        correlation: float | None = None,
        agreement: float | None = None,
        items: int | None = None,
        units: int | None = None,
        of: str | None = None,
        power: float = 0.8,
        level: float | None = None,
    ) -> JudgePlan:
        """How many units people must label for an interval of some width, or to see a difference.

        The deviation of people's numbers and their correlation with the judge's are those of a
        pilot, or assumed.

        Parameters
        ----------
        pilot : what `judge`, `judge.compare` or `judge.values` returned; a part of it, such as
            `found["AP"]`, will do. None for assumed numbers.
        width : the wanted width of the interval: twice what is written after ±.
        difference : the difference of two systems that is to be seen; of assumed numbers, the mean
            that is to be told from 0.
        labels : a number of units by people, to learn what they show.
        deviation : without a pilot: the standard deviation of people's numbers; of labels 0 and 1
            it is sqrt(p (1 - p)), 0.5 at most.
        correlation : without a pilot: of people's numbers and the judge's.
        agreement : the share of labels in which the judge agrees with people, instead of a
            correlation, if its errors are alike for all labels.
        items : for the agreement: how many labels a unit has, such as 10 for P@10 (default: 1).
        units : how many units the judge labels; None for as many as in the pilot.
        of : "population" or "these", as for `judge`; None is that of the pilot, else "population".
        power : the chance of seeing the difference, in (0, 1).
        level : nominal coverage, in (0, 1); None is that of the pilot, else 0.95.

        Returns
        -------
        JudgePlan
            `plan.labels`, or `plan.designs` of several runs or pairs. It is None if no number is
            enough, as more units must be judged, not more of these labelled.

        Raises
        ------
        UsageError
            Nothing is asked for; numbers are lacking, contradict each other, or make no sense.

        Notes
        -----
        With n of N units by people, s their deviation and r the correlation, the variance is about
        s² (1 - r²) (1/n - 1/N) (1 + 1/(n - 3)) + s²/N (Cochran 1977, chapter 12). The interval is
        Student's with n - 2 degrees of freedom, and the power that of its noncentral t.
        docs/why/judge.md compares planned widths and powers with simulated ones.

        See Also
        --------
        precall.compare.plan : the same without a judge.

        Examples
        --------
        >>> people = [0.8, None, 0.2, None, 0.9, None, 0.5, None] * 5
        >>> pilot = judge.values(people, [0.9, 0.8, 0.4, 0.7] * 10, range=(0, 1))
        >>> judge.plan(pilot, width=0.1, units=2000).labels
        118
        >>> judge.plan(deviation=0.25, agreement=0.9, items=10, units=200, width=0.1).labels
        37
        """
        asked = {"width": width, "difference": difference, "labels": labels}
        if pilot is None:
            return plan_of_numbers(
                deviation=deviation,
                correlation=correlation,
                agreement=agreement,
                items=items,
                units=units,
                of="population" if of is None else of,
                power=power,
                level=0.95 if level is None else level,
                **asked,
            )
        check_kind("pilot", pilot, (Judged, JudgedValue, JudgedPair), "what pc.judge() returns")
        refuse_both(
            deviation=deviation, correlation=correlation, agreement=agreement, items=items, of=of
        )
        return plan_of_pilot(pilot, units=units, power=power, level=level, **asked)

    @suggest_our_names
    def sample(
        self,
        judge: object,
        run: object = None,
        measure: str | Measure | None = None,
        *,
        n: int,
        by: str = "judge",
        strata: object = None,
        rng: Rng = 0,
        threads: int | None = None,
        **conventions: Unpack[ConventionOptions],
    ) -> JudgeSample:
        """What people label next: units drawn at random, with their probability.

        Of qrels and runs it draws topics, and lists the items of each that people must label. Of
        numbers it draws units, such as answers.

        Parameters
        ----------
        judge : the judge's qrels of all topics, as for `judge`; or its number of each unit, as for
            `judge.values`, without runs.
        run : the runs that will be measured, one or several; None if the judge has numbers.
        measure : the measure, which says how deep people must label: the first k of every run for
            P@k, everything that the judge labelled for AP, nDCG and recall. Of several, name the
            one that looks deepest.
        n : how many topics or units people will label; see `judge.plan`.
        by : "judge": of up to four strata of the judge's numbers, each by its size, so that what
            people see is like all; "systems": the more often, the more the runs disagree in a
            topic, for the difference of systems; "doubt": of numbers that are chances, the more
            often, the nearer they are to a half; "alike": all with the same probability.
        strata : the stratum of each unit, {unit: stratum} or a column, to draw from each by its
            size.
        rng : seed or NumPy Generator of the choice.
        threads : see `evaluate`.
        **conventions : those of `evaluate`, as `judge` will be asked with.

        Returns
        -------
        JudgeSample
            `sample.save("label.csv")` writes what to label. Filled in, it is people's labels for
            `judge`, which finds the probabilities in it.

        Raises
        ------
        DataError
            A file is not as it must be.
        UsageError
            `n` is below 10 or above the number of units; strata are too small; or an argument is
            not allowed.

        Notes
        -----
        A fixed number of each stratum is drawn without replacement, so that the probability is that
        number over the size of the stratum. With "systems" and "doubt" a fifth of the budget is the
        same for all units, and the rest in proportion to how far people may be from the judge
        (Neyman 1934): the root of the sum over items of the variance between runs of what an item
        counts, or sqrt(m (1 - m)) for a chance m.

        Examples
        --------
        >>> run = {f"q{i}": ["a", "b", "c"] for i in range(40)}
        >>> llm = {f"q{i}": {"a": int(i % 3 > 0), "b": i % 2} for i in range(40)}
        >>> sample = judge.sample(llm, run, "P@2", n=12)
        >>> sample.drawn[:3], round(sample.probability["q0"], 2)
        (('q3', 'q4', 'q5'), 0.29)
        """
        if run is not None:

            def strata_of(names: list[str]) -> tuple[Int64, list[str]]:
                return _named_codes(strata, names, "topic")

            return sample_of_topics(
                judge,
                run,
                measure,
                Conventions(**conventions),
                n,
                by,
                None if strata is None else strata_of,
                rng,
                threads,
            )
        given = {"measure": measure, "threads": threads, **conventions}
        for name, value in given.items():
            if value is not None:
                raise UsageError(
                    argument=name,
                    got=value,
                    what="is for runs, and there is none",
                    remedy="give the runs, or leave it out",
                )
        names, number, _ = _columns(judge, judge)
        _check_all_judged(names, np.zeros(len(names), np.bool_), number)
        own = None if strata is None else _named_codes(strata, names, "unit")
        return sample_of_units(names, number, n, by, own, rng)


def choice_of(
    names: Sequence[Any],
    seen: Any,
    unit: str,
    *,
    probability: object,
    strata: object,
    groups: object,
) -> Choice:
    """How people's units were chosen.

    Parameters
    ----------
    names : the units.
    seen : whether people judged the unit.
    unit : the noun of a unit.
    probability : by unit, for all units or for people's.
    strata : by unit.
    groups : by unit.
    """
    group = None if groups is None else _codes(groups, names, "groups", unit)
    if probability is not None and strata is not None:
        raise UsageError(
            argument="strata",
            what="says the same as probability",
            remedy="pass one of them",
        )
    if strata is not None:
        stratum = _codes(strata, names, "strata", unit)
        return Choice.of(seen, stratum=stratum, group=group)
    if probability is None:
        return Choice.of(seen, group=group)
    chance = _numbers(probability, names, seen, unit)
    distinct, code = np.unique(chance, return_inverse=True)
    if not np.isnan(chance).any() and 1 < len(distinct) <= _STRATA:
        drawn = np.bincount(code[seen], minlength=len(distinct))
        if drawn.min() >= 2:
            return Choice.of(seen, stratum=code.astype(np.int64), group=group)
    return Choice.of(seen, chance=chance[seen], group=group)


def _by_unit(given: object, names: Sequence[Any], argument: str, unit: str) -> list[Any]:
    """What is given for each unit, None for those that it lacks."""
    named = given if isinstance(given, Mapping) else _by_index(argument, given, unit)
    if named is not None:
        if any(isinstance(name, str) for name in names):
            # What was read has texts for names, whatever they were before.
            named = {as_text(name): value for name, value in named.items()}
        column = [named.get(name) for name in names]
    else:
        is_column = isinstance(given, Iterable) and not isinstance(given, str)
        column = list(given) if is_column and getattr(given, "ndim", 1) == 1 else []  # type: ignore[call-overload]
        if len(column) != len(names) or any(isinstance(name, str) for name in names):
            raise UsageError(
                argument=argument, allowed=f"a dict by {unit}, {{{unit}: value}}", got=given
            )
    return [value if has_value(value) else None for value in column]


def _by_index(argument: str, given: object, unit: str) -> dict[Any, Any] | None:
    """A Series by its index; None if it is none."""
    if getattr(given, "ndim", 0) != 1 or not hasattr(given, "to_dict"):
        return None
    index: Any = getattr(given, "index", None)
    if index is None or callable(index):
        return None
    if not index.is_unique:
        raise UsageError(
            argument=argument,
            what=f"{unit} {as_text(index[index.duplicated()][0])!r} is in its index twice",
            remedy=f"give each {unit} one row, or pass .reset_index(drop=True)",
        )
    by_name: dict[Any, Any] = given.to_dict()
    return by_name


def _codes(given: object, names: Sequence[Any], argument: str, unit: str) -> Int64:
    values = _by_unit(given, names, argument, unit)
    missing = [name for name, value in zip(names, values, strict=True) if value is None]
    if missing:
        raise UsageError(
            argument=argument,
            what=f"{unit} {missing[0]!r} has none",
            remedy=f"give every {unit} one",
        )
    places: dict[Any, int] = {}
    try:
        return np.array([places.setdefault(value, len(places)) for value in values], np.int64)
    except TypeError:  # a list, which no dict takes for a key
        raise UsageError(
            argument=argument, allowed=f"texts or numbers by {unit};", got=values[0]
        ) from None


def _named_codes(given: object, names: Sequence[Any], unit: str) -> tuple[Int64, list[str]]:
    """The stratum of each unit, and the names of strata."""
    codes = _codes(given, names, "strata", unit)
    values = _by_unit(given, names, "strata", unit)
    by_code = dict(zip(codes.tolist(), values, strict=True))
    return codes, [as_text(by_code[code]) for code in range(len(by_code))]


def _numbers(given: object, names: Sequence[Any], seen: Any, unit: str) -> Float64:
    """Probabilities of all units, NaN where none is given."""
    values = _by_unit(given, names, "probability", unit)
    own = [value for value, inside in zip(values, seen, strict=True) if inside]
    if None in own:
        lacking = [name for name, inside in zip(names, seen, strict=True) if inside]
        raise UsageError(
            argument="probability",
            what=f"{unit} {lacking[own.index(None)]!r} has none",
            remedy=f"give it for every {unit} that people judged",
        )
    numbers = np.full(len(values), np.nan)
    given_for = [place for place, value in enumerate(values) if value is not None]
    numbers[given_for] = check_column("probability", [values[place] for place in given_for])
    # Of others 0 says that people could not judge it, which no weight makes up for.
    odd = numbers[~np.isnan(numbers) & ~((numbers > 0) & (numbers <= 1))]
    if len(odd):
        raise UsageError(argument="probability", allowed="in (0, 1]", got=float(odd[0]))
    return numbers


def _columns(people: object, judge: object) -> tuple[list[Any], Float64, Float64]:
    """Units, people's number of each and the judge's; NaN where there is none."""
    named = [
        given if isinstance(given, Mapping) else _by_index(argument, given, "unit")
        for argument, given in (("people", people), ("judge", judge))
    ]
    own, other = named
    if own is not None and other is not None:
        names = [*other, *(name for name in own if name not in other and has_value(own[name]))]
        columns = [[each.get(name) for name in names] for each in (own, other)]
    else:
        columns = [_as_column("people", people), _as_column("judge", judge)]
        names = list(range(len(columns[0])))
        if len(columns[1]) != len(names):
            raise UsageError(
                argument="judge",
                allowed=f"a number for each of {len(names)} units",
                got=Fact(f"{len(columns[1])}"),
            )
    numbers, others = (
        _with_gaps(argument, column)
        for argument, column in zip(("people", "judge"), columns, strict=True)
    )
    return names, numbers, others


def _as_column(argument: str, given: object) -> list[Any]:
    is_one = isinstance(given, Iterable) and getattr(given, "ndim", 1) == 1
    if not is_one or isinstance(given, Mapping | str):
        raise UsageError(
            argument=argument,
            allowed="a column of numbers, or a dict by unit for people and for the judge;",
            got=given,
        )
    column: list[Any] = list(given)  # type: ignore[call-overload]
    return column


def _with_gaps(argument: str, column: list[Any]) -> Float64:
    """The numbers of a column, NaN where it has none."""
    there = [place for place, value in enumerate(column) if has_value(value)]
    numbers = np.full(len(column), np.nan)
    numbers[there] = check_column(argument, [column[place] for place in there])
    if np.isinf(numbers).any():
        raise UsageError(argument=argument, what="has an infinite number")
    return numbers


def _check_all_judged(names: Sequence[Any], seen: Any, judge: Float64) -> None:
    lacking = np.flatnonzero(np.isnan(judge))
    if not len(lacking):
        return
    is_swapped = seen.all()
    raise UsageError(
        argument="judge",
        what=f"unit {names[lacking[0]]!r} has no number",
        remedy=(
            "people come first and the judge second"
            if is_swapped
            else "let the judge label every unit"
        ),
    )


def _described(choice: Choice, asked: Question) -> dict[str, str]:
    described = {
        "labelled": f"{len(choice.share)} of {choice.size} {asked.unit}s",
        "of": asked.of,
    }
    if choice.are_weighted:
        described["chosen"] = "with unequal probabilities"
    elif len(choice.parts) > 1:
        described["chosen"] = f"in {len(choice.parts)} strata"
    if choice.group is not None:
        described["groups"] = str(int(choice.group.max()) + 1)
    return described


def _of_run(values: Mapping[tuple[str, str], JudgedValue], run: str, is_named: bool) -> list[Note]:
    own = [value for (name, _), value in values.items() if name == run]
    return notes_of_values(own, run if is_named else "")


judge: JudgeNamespace = JudgeNamespace()
