"""`pc.judge.decisions`: measures of counts of decisions, if people labelled some cases and a judge
all.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np

from precall.core.arguments import check_level
from precall.core.errors import MeasureError
from precall.core.notes import run_and_collect, warn
from precall.core.notes.of_intervals import UndefinedMeasure, UndefinedSamples
from precall.core.notes.of_judges import (
    ChosenByJudge,
    FewOfOneLabel,
    JudgeTellsLittle,
    JudgeTellsNothing,
    SparseCells,
)
from precall.core.ragged import Bool, Float64
from precall.core.rng import Rng, seed_of
from precall.judges.labelled_cases import (
    LabelledCases,
    judged_cases,
    measures_by_name,
    note_size,
)
from precall.judges.learning import (
    OF_DECISIONS,
    Question,
    adjusted_pairs,
    correlation_of,
    tells_little,
    unlike_all,
    worth_of,
)
from precall.judges.results import Judged, JudgedPair, JudgedValue
from precall.measures.registry import Measure, direction_of, find, of_counts
from precall.stats.intervals.interval import Interval
from precall.stats.judged_counts import (
    DrawnCells,
    JudgedCells,
    design_effect,
    values_by_judge,
    values_of,
)

#: Draws of the posterior.
RESAMPLES = 5_000
#: With fewer labels of a kind by people among accepted or among rejected cases, a note says so.
_FEWEST = 5
#: With fewer labels in a cell, likewise.
_FEWEST_OF_CELL = 2
_ALONE = "posterior of people's labels"
_USUAL = ("P", "R", "F")
#: Systems, and whether their measure is added or subtracted.
Signs: TypeAlias = tuple[tuple[int, float], ...]


def decisions(
    people: object,
    judge: object,
    accepted: object,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    of: str = "population",
    level: float = 0.95,
    probability: object = None,
    strata: object = None,
    groups: object = None,
    rng: Rng = 0,
) -> Judged:
    """Measures of counts, such as F or MCC, by people's labels of some cases and a judge's of all.

    Cases that are alike to the judge and to the system form a cell. Its size is known of all cases,
    and the share of relevant ones in it is estimated from people's labels.

    Parameters
    ----------
    people : 1 (or True) for a relevant case, 0 for another one, None or NaN where people gave no
        label; a column, or {case: label}.
    judge : the judge's label of every case: 0, 1, or a probability between them.
    accepted : whether the system accepts each case, 0/1 or bool; of several systems
        {name: column}, or {name: {case: 0 or 1}}.
    measures : names of measures of counts; precision, recall and F if None.
    of : "population", the measure of ever more cases like these; or "these", the measure of these
        cases had people labelled all of them.
    level : nominal coverage of the intervals, in (0, 1).
    probability : with what probability people's cases were chosen, {case: p} or a column, if that
        depends on more than the judge's label and the decisions. With up to eight different ones,
        given for all cases, those of equal probability are a stratum.
    strata : the stratum in which a case was chosen, {case: stratum} or a column.
    groups : the group of each case, such as its user, if cases of a group are alike.
    rng : seed or NumPy Generator.

    Returns
    -------
    Judged
        `found["F"]`, or `found["bm25", "F"]` of several systems, has `estimate`, `low`, `high`,
        `people_alone`, `judge_alone`, `bias` and `worth`; `found.pairs` has the differences of
        systems, with whom the judge favours; `found.agreement` compares the labels.

    Warns
    -----
    PrecallWarning
        People labelled fewer than 20 cases, fewer than 5 relevant or 5 other ones among those that
        are accepted or rejected, or fewer than 2 of a cell; the judge tells little; a measure is
        undefined.

    Raises
    ------
    UsageError
        People labelled fewer than 10 cases, or fewer than four groups; a label is not allowed, or
        the judge or a system lacks a case.

    Notes
    -----
    With N_c cases in cell c (stratum x judge's label x decisions), of which people labelled n_c and
    found k_c relevant, the estimate is the measure of the table with N_c k_c / n_c relevant cases
    in each cell (post-stratification). If people labelled nothing in a cell, the share of the
    cells with the nearest label by the judge counts there. The bounds are quantiles of 5,000 draws
    of the measure, with shares of relevant cases from beta distributions of k_c + a and
    n_c - k_c + b. Each bound has its own a and b: at most 3/4 for the label that pulls the measure
    to the bound, at most 1/3 for the other, and less of both if more cells matter. For a population
    the sizes of cells are drawn from a Dirichlet distribution of N_c; for these cases, labels that
    people did not give are drawn. The result is valid whatever the judge does wrong, if within each
    cell people's cases are a random choice. So people may choose more cases of one label by the
    judge or of one decision without telling `probability`.

    A judge's labels of more than four values are cut at their quartiles. `people_alone` is the same
    without the judge's labels. Of two systems, cells are those of both; of more, each system and
    each pair has cells of its own. Unequal probabilities weigh labels within cells by 1/p. With
    them, or with groups, all counts are divided by the design effect: the variance of the measure
    by its influences, summed by group, over that of independent cases of equal weight.

    In simulations, 93 to 98 % of intervals of level 95 % held the measure. If the judge hardly
    errs it is 99 to 100 %: people see few of its errors, and the bounds leave room for more.
    docs/why/judge.md has the coverage.

    See Also
    --------
    precall.decisions : the same measures by one set of labels.

    Examples
    --------
    >>> from precall import judge
    >>> llm = [1, 1, 0, 1, 0, 0, 1, 0] * 25
    >>> people = [1, None, 0, None, None, 0, 1, None] * 25
    >>> accepted = [1, 0, 1, 1, 1, 0, 0, 0] * 25
    >>> found = judge.decisions(people, llm, accepted, ["P", "R"])
    >>> value = found["P"]
    >>> value.labels, round(value.judge_alone, 3), round(value.estimate, 3)
    ((100, 200), 0.5, 0.5)
    """
    level, seed = check_level(level), seed_of(rng)
    cases = LabelledCases.of(people, judge)
    chosen, names = measures_by_name(_USUAL if measures is None else measures, _count_measure)
    systems = {
        name: column == 1
        for name, column in cases.systems(accepted, "accepted", "decision").items()
    }
    asked = cases.question(of, level, probability, strata, groups)
    values, pairs = learn_decisions(cases.people, cases.judge, systems, chosen, asked, seed)
    return judged_cases(values, pairs, asked, names, cases.agreement(asked.choice), seed=str(seed))


def learn_decisions(
    people: Float64,
    judge: Float64,
    systems: Mapping[str, Bool],
    measures: Sequence[Measure],
    asked: Question,
    seed: int,
    resamples: int = RESAMPLES,
) -> tuple[dict[tuple[str, str], JudgedValue], list[JudgedPair]]:
    """The measures of each system, and the differences of each pair.

    Parameters
    ----------
    people : people's labels, of the cases that they labelled.
    judge : the judge's label of every case.
    systems : whether each system accepts the case.
    measures : measures of counts.
    asked : what is to be learned.
    seed : of the random numbers.
    resamples : how many draws.
    """

    @cache
    def posterior(*names: str) -> _Posterior:
        accepted = np.array([systems[name] for name in names])
        return _Posterior(people, judge, accepted, names, asked, seed, resamples)

    runs = tuple(systems)
    of_all = runs if len(runs) <= 2 else None
    values = {
        (run, measure.name): posterior(*(of_all or (run,))).value(run, measure)
        for run in runs
        for measure in measures
    }
    pairs: list[JudgedPair] = []
    for measure in measures:
        pairs += adjusted_pairs(
            posterior(*pair).difference(pair, measure) for pair in combinations(runs, 2)
        )
    return values, pairs


class _Posterior:
    """The cells of one system or of a pair, with and without the judge, and draws of them."""

    def __init__(
        self,
        people: Float64,
        judge: Float64,
        accepted: Bool,
        names: Sequence[str],
        asked: Question,
        seed: int,
        resamples: int,
    ) -> None:
        self.people, self.judge, self.names, self.asked = people, judge, names, asked
        self.seed, self.resamples = seed, resamples
        choice = asked.choice
        self.cells = JudgedCells.of(people, judge, accepted, choice)
        self.alone = JudgedCells.of(people, np.zeros(choice.size), accepted, choice)
        self.correlation = correlation_of(people, judge[choice.seen], choice)
        self._drawn: dict[Any, tuple[DrawnCells, DrawnCells]] = {}

    def value(self, run: str, measure: Measure) -> JudgedValue:
        """A measure of one system."""
        system = self.names.index(run)
        value, notes = run_and_collect(partial(self._value, system, measure))
        return replace(value, notes=(*notes, *value.notes))

    def difference(self, pair: tuple[str, str], measure: Measure) -> JudgedPair:
        """The difference of two systems, the first minus the second."""
        found, notes = run_and_collect(partial(self._difference, pair, measure))
        return replace(found, notes=tuple(notes))

    def _value(self, system: int, measure: Measure) -> JudgedValue:
        value, signs = measure.of_table, ((system, 1.0),)
        estimate = self.cells.estimate(value, system)
        alone = self._interval(self.alone, measure, signs, _ALONE)
        found = self._interval(self.cells, measure, signs, OF_DECISIONS)
        self._note(measure, system, alone, found)
        if math.isnan(estimate):
            warn(UndefinedMeasure(measure.name, measure.declaration.undefined))
        by_judge = self.cells.estimate(value, system, by_judge=True)
        return JudgedValue(
            estimate,
            found.low,
            found.high,
            self.asked.level,
            OF_DECISIONS,
            measure.name,
            assumptions="cases by people chosen at random within cells",
            seed=self.seed,
            resamples=self.resamples,
            standard_error=found.standard_error,
            of=self.asked.of,
            labels=(len(self.people), self.asked.choice.size),
            people_alone=alone,
            judge_alone=by_judge,
            bias=self._bias(measure, signs, by_judge - estimate),
            correlation=self.correlation,
            worth=worth_of(alone.width, found.width),
            unit=self.asked.unit,
        )

    def _difference(self, pair: tuple[str, str], measure: Measure) -> JudgedPair:
        first, second = map(self.names.index, pair)
        signs = (first, 1.0), (second, -1.0)
        alone = self._interval(self.alone, measure, signs, _ALONE)
        found = self._interval(self.cells, measure, signs, OF_DECISIONS)
        p = self._p(measure, signs)
        by_judge = _estimate(self.cells, measure, signs, by_judge=True)
        note_size(measure.name, self.asked)
        self._note_cells(measure)
        low, high = found.ends
        return JudgedPair(
            pair,
            measure.name,
            found.estimate,
            low,
            high,
            self.asked.level,
            p,
            p,
            alone,
            by_judge,
            self._bias(measure, signs, by_judge - found.estimate),
            direction_of(measure) >= 0,
            of=self.asked.of,
            labels=(len(self.people), self.asked.choice.size),
            unit=self.asked.unit,
        )

    def _draw(
        self, cells: JudgedCells, measure: Measure, signs: Signs
    ) -> tuple[DrawnCells, DrawnCells]:
        """Draws of the cells for the low and for the high bound, from fewer labels than there are
        where units of a group are alike.
        """
        if len(signs) > 1 and _estimate(cells, measure, signs) < 0:
            # Of two systems swapped the same numbers are drawn.
            low, high = self._draw(cells, measure, tuple((one, -sign) for one, sign in signs))
            return high, low
        key = cells is self.cells, measure.name, frozenset(signs)
        if key not in self._drawn:
            up, down = np.zeros(len(cells.total)), np.zeros(len(cells.total))
            for system, sign in signs:
                of_one = cells.influences(measure.of_table, system)
                up, down = up + sign * of_one[0], down + sign * of_one[1]
            choice, level, these = self.asked.choice, self.asked.level, self.asked.these
            shrunk = design_effect(self.people, cells, choice, (up, down), level, these)
            added = cells.additions((up, down))
            rng = np.random.default_rng(self.seed)
            self._drawn[key] = cells.draw(rng, self.resamples, added, shrunk, these)
        return self._drawn[key]

    def _values(
        self, cells: JudgedCells, measure: Measure, signs: Signs, is_bias: bool = False
    ) -> tuple[Float64, Float64]:
        """The measure in the draws for the low and for the high bound; or the judge's bias."""
        low, high = (
            self._in_draws(cells, measure, signs, drawn, is_bias)
            for drawn in self._draw(cells, measure, signs)
        )
        return (high, low) if is_bias else (low, high)

    def _in_draws(
        self, cells: JudgedCells, measure: Measure, signs: Signs, drawn: DrawnCells, is_bias: bool
    ) -> Float64:
        total = np.zeros(self.resamples)
        for system, sign in signs:
            value = values_of(cells, measure.of_table, drawn, system)
            if is_bias:
                value = values_by_judge(cells, measure.of_table, drawn, system) - value
            total = total + sign * value
        return total

    def _interval(
        self, cells: JudgedCells, measure: Measure, signs: Signs, method: str
    ) -> Interval:
        estimate = _estimate(cells, measure, signs)
        values = self._values(cells, measure, signs)
        return self._bounds(values, estimate, measure.name, method, cells is self.cells)

    def _bounds(
        self,
        values: tuple[Float64, Float64],
        estimate: float,
        name: str,
        method: str,
        is_noted: bool = False,
    ) -> Interval:
        low_values, high_values = (each[~np.isnan(each)] for each in values)
        undefined = self.resamples - min(len(low_values), len(high_values))
        if is_noted and 0 < undefined < self.resamples:
            warn(UndefinedSamples(name, undefined, self.resamples))
        low = high = error = math.nan
        if undefined < self.resamples:
            tail = (1 - self.asked.level) / 2
            low = float(np.fmin(np.quantile(low_values, tail), estimate))
            high = float(np.fmax(np.quantile(high_values, 1 - tail), estimate))
            with np.errstate(invalid="ignore"):
                error = math.sqrt((np.var(low_values) + np.var(high_values)) / 2)
        return Interval(
            estimate,
            low,
            high,
            self.asked.level,
            method,
            name,
            seed=self.seed,
            resamples=self.resamples,
            standard_error=error if math.isfinite(error) else None,
        )

    def _bias(self, measure: Measure, signs: Signs, estimate: float) -> Interval:
        values = self._values(self.cells, measure, signs, is_bias=True)
        return self._bounds(values, estimate, f"bias of the judge in {measure.name}", OF_DECISIONS)

    def _p(self, measure: Measure, signs: Signs) -> float:
        """Twice the share of draws on the other side of 0, of the draws of the nearer bound."""
        low, high = (each[~np.isnan(each)] for each in self._values(self.cells, measure, signs))
        if not len(low):
            return math.nan
        fewer = min(
            (1 + int((each <= 0).sum() if is_low else (each >= 0).sum())) / (1 + len(each))
            for is_low, each in ((True, low), (False, high))
        )
        return min(1.0, 2 * fewer)

    def _note(self, measure: Measure, system: int, alone: Interval, found: Interval) -> None:
        own = self.judge[self.asked.choice.seen]
        if not np.ptp(own):
            warn(JudgeTellsNothing(measure.name))
        elif (gap := unlike_all(own, self.judge, self.asked.choice)) is not None:
            warn(ChosenByJudge(measure.name, *gap))
        note_size(measure.name, self.asked)
        worth = worth_of(alone.width, found.width)
        if tells_little(self.correlation, len(self.people), worth):
            warn(JudgeTellsLittle(measure.name, self.correlation))
        self._note_labels(measure, system)
        self._note_cells(measure)

    def _note_labels(self, measure: Measure, system: int) -> None:
        """Note few relevant or few other cases by people, where the measure depends on them."""
        cells = self.cells
        inside = cells.accepted[system]
        up, down = cells.influences(measure.of_table, system)
        for side, is_inside in (("accepted", inside), ("rejected", ~inside)):
            if not np.any(np.abs(up - down)[is_inside] > 1e-9):
                continue
            relevant = float((cells.labels * cells.share)[is_inside].sum())
            others = float(cells.labels[is_inside].sum()) - relevant
            for count, kind in ((relevant, "relevant"), (others, "other")):
                if round(count) < _FEWEST:
                    warn(FewOfOneLabel(measure.name, round(count), kind, side))
                    break

    def _note_cells(self, measure: Measure) -> None:
        few = self.cells.labels < _FEWEST_OF_CELL
        if few.any():
            share = float(self.cells.total[few].sum() / self.cells.size)
            warn(SparseCells(measure.name, int(few.sum()), len(few), share))


def _count_measure(name: str | Measure) -> Measure:
    measure = find(name)
    if measure.declaration.name in ("AP", "AUC"):
        raise MeasureError(
            f"{measure.name} is a measure of scores",
            remedy="for scores of cases use pc.judge.cases, or --score instead of --decision",
        )
    return of_counts(measure)


def _estimate(cells: JudgedCells, measure: Measure, signs: Signs, by_judge: bool = False) -> float:
    return math.fsum(
        sign * cells.estimate(measure.of_table, system, by_judge) for system, sign in signs
    )
