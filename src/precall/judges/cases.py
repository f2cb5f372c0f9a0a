"""`pc.judge.cases`: areas of scored cases, if people labelled some cases and a judge all."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from precall.cases.intervals import interval_of_curve
from precall.cases.tally import curve
from precall.core.arguments import check_level
from precall.core.errors import Fact, MeasureError, UsageError
from precall.core.notes import run_and_collect, warn
from precall.core.notes.of_judges import (
    FewCasesOfOneLabel,
    FewRelevantOfSparse,
    JudgeNeverWrong,
    JudgeTellsLittle,
    JudgeTellsNothing,
    NotChosenAtRandom,
    NotChosenByScore,
    OneLabelDecides,
)
from precall.core.ragged import Float64, Int64
from precall.core.text import as_text
from precall.judges.labelled_cases import (
    LabelledCases,
    judged_cases,
    measures_by_name,
    note_size,
)
from precall.judges.learning import (
    ALONE,
    OF_CASES,
    Question,
    adjusted_pairs,
    correlation_of,
    tells_little,
    unlike_all,
    worth_of,
)
from precall.judges.results import Judged, JudgedPair, JudgedValue
from precall.measures.areas import part_of
from precall.measures.registry import Measure, find
from precall.stats import quantiles
from precall.stats.influence import rank_items
from precall.stats.intervals.areas import perfect
from precall.stats.intervals.interval import Interval
from precall.stats.masses import (
    Area,
    Masses,
    Measured,
    freedom_of,
    masses_of,
    measure_masses,
)
from precall.stats.scipy import special

#: With fewer relevant or fewer other cases by people, a note says so.
_FEWEST = 20
#: With fewer relevant cases by people among those that count for more than the average one, a note
#: says so, for areas in which the top counts most.
_FEWEST_SPARSE = 5
#: If squared errors of the model sum up to less, of either kind of people's labels, a note says so.
#: Areas of a good order by a judge who errs in 2 % of cases cover 88 % with 120 labels: 48 % in
#: samples where the judge takes no case as relevant by mistake, 94 % or more in others. To add a
#: variance for errors that may be unseen makes intervals of good systems four times as wide.
_SEEN = 0.5
#: If one label has more of the variance, a note says so. In the situations on record with 200
#: labels, one has .2 to .4 of it; with more than half, intervals of differences of AP were two to
#: four times as wide as most.
_MOST_OF_ONE = 0.5
#: No bound on the scale of log-odds is farther away than this multiple of Student's half-width.
#: That of the mean of a Poisson number is 2.3 of them away if one was counted. Next to 1 that
#: scale has no end: an area of .9998 with a standard error of .002 had the bounds 0 and 1.
_FARTHEST = 3.0
_USUAL = ("AP", "AUC")


def cases(
    people: object,
    judge: object,
    score: object,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    of: str = "population",
    level: float = 0.95,
    probability: object = None,
    strata: object = None,
    groups: object = None,
    higher_is_better: bool = True,
) -> Judged:
    """Average precision and area under ROC by people's labels of some cases and a judge's of all.

    How likely a case is relevant is learned from people's labels, with the judge's label and the
    score of the case; people's labels then correct that.

    Parameters
    ----------
    people : 1 (or True) for a relevant case, 0 for another one, None or NaN where people gave no
        label; a column, or {case: label}.
    judge : the judge's label of every case: 0, 1, or a probability between them.
    score : the score of each case; of several systems {name: column}, or {name: {case: score}}.
    measures : "AP", "AUC", or a part of it such as "AUC(max_fpr=0.1)"; AP and AUC if None.
    of : "population", the measure of ever more cases like these; or "these", the measure of these
        cases had people labelled all of them.
    level : nominal coverage of the intervals, in (0, 1).
    probability : with what probability people's cases were chosen, {case: p} or a column, if not
        all with the same. With up to eight different ones, given for all cases, those of equal
        probability are a stratum.
    strata : the stratum in which a case was chosen, {case: stratum} or a column.
    groups : the group of each case, such as its user, if cases of a group are alike.
    higher_is_better : whether high scores are good.

    Returns
    -------
    Judged
        `found["AP"]`, or `found["bm25", "AP"]` of several systems, has `estimate`, `low`, `high`,
        `people_alone`, `judge_alone`, `bias` and `worth`; `found.pairs` has the differences of
        systems, with whom the judge favours; `found.agreement` compares the labels.

    Warns
    -----
    PrecallWarning
        People found fewer than 20 relevant or 20 other cases, or labelled cases of fewer than 20
        groups; they found fewer than 5 relevant cases among those drawn with less than average
        probability (AP and parts of the AUC); one label makes up most of the variance; what they
        labelled is no random choice by the judge's labels or the scores; the judge tells little.

    Raises
    ------
    UsageError
        People labelled fewer than 10 cases, or cases of fewer than four groups, or found no
        relevant case or no other one; a label or a measure is not allowed, or the judge or a system
        lacks a case.

    Notes
    -----
    Each case counts as relevant with the mass w = m + R (y - m) / π, and as another one with
    1 - w. R says whether people labelled it, y is their label, and π the probability of that. m is
    the model's probability: a logistic regression on the judge's label and the scores, fitted to
    the labels of other folds than the case's own. The mean of w is y whatever the model says, so a
    bad judge makes the interval wider, never wrong, if people's cases are a random choice. For
    average precision, Σ (w - m)² (1 - π) / A / R is taken off, with A the number of cases down to
    this one and R the sum of masses. It counts a case in the precision at its own place, and the
    mean of w² is more than that of w.

    The variance is the sum of squares of the influences of cases, or of groups; the bounds are
    Student's on the scale of log-odds. The variance is not less than the model expects. The degrees
    of freedom are one less than people's labels of the scarcer kind, or fewer if few labels carry
    the variance. For these cases the influence is
    that of people's corrections alone, times √(1 - π). `people_alone` is the same without the
    judge's labels. docs/why/judge.md has the coverage.

    See Also
    --------
    precall.curve : the same measures by one set of labels.

    Examples
    --------
    >>> from precall import judge
    >>> llm = [1, 1, 0, 1, 0, 0, 1, 0] * 25
    >>> people = [1, None, 0, 0, 1, 0, 1, None] * 25
    >>> score = [8, 7, 6, 5, 4, 3, 2, 1] * 25
    >>> found = judge.cases(people, llm, score, "AUC")
    >>> value = found["AUC"]
    >>> value.labels, round(value.judge_alone, 3), value.low < value.estimate < value.high
    ((150, 200), 0.75, True)
    """
    level = check_level(level)
    labelled = LabelledCases.of(people, judge)
    chosen, names = measures_by_name(_USUAL if measures is None else measures, _area_measure)
    systems = {
        name: column if higher_is_better else -column
        for name, column in labelled.systems(score, "score", "score").items()
    }
    asked = labelled.question(of, level, probability, strata, groups)
    _check_kinds(labelled.people)
    values, pairs = learn_cases(labelled.people, labelled.judge, systems, chosen, asked)
    conventions = {} if higher_is_better else {"good": "low scores"}
    return judged_cases(
        values, pairs, asked, names, labelled.agreement(asked.choice), **conventions
    )


def compare_cases(
    people: object,
    judge: object,
    a: object,
    b: object,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    names: tuple[str, str] = ("a", "b"),
    **options: Any,
) -> Judged:
    """Differences of two scores of the same cases, by people's labels of some and a judge's of all.

    The same as `judge.cases` of {name: score}: `.pairs` has them. What the judge has wrong of both
    scores alike cancels.

    Parameters
    ----------
    people, judge, measures : see `precall.judge.cases`.
    a : the scores of the first system.
    b : the scores of the second one.
    names : what the systems are called.
    options : those of `precall.judge.cases`.

    Returns
    -------
    Judged
        Each of `.pairs` has `names`, `difference` (the first minus the second), `low`, `high`, `p`,
        `judge_alone` and `favour`: how much the judge favours the first.

    Raises
    ------
    UsageError
        As `judge.cases`.

    Examples
    --------
    >>> from precall import judge
    >>> llm = [1, 1, 0, 1, 0, 0, 1, 0] * 25
    >>> people = [1, None, 0, 0, 1, 0, 1, None] * 25
    >>> good, bad = [8, 5, 3, 6, 7, 1, 2, 4] * 25, [1, 4, 6, 3, 2, 8, 7, 5] * 25
    >>> (pair,) = judge.compare.cases(people, llm, good, bad, "AUC").pairs
    >>> pair.better
    'a'
    """
    given: object = names
    is_pair = isinstance(given, tuple | list) and len(given) == 2
    if not is_pair or as_text(names[0]) == as_text(names[1]):
        raise UsageError(argument="names", allowed="two different names;", got=names)
    return cases(people, judge, dict(zip(names, (a, b), strict=True)), measures, **options)


def learn_cases(
    people: Float64,
    judge: Float64,
    systems: Mapping[str, Float64],
    measures: Sequence[Measure],
    asked: Question,
) -> tuple[dict[tuple[str, str], JudgedValue], list[JudgedPair]]:
    """The measures of each system, and the differences of each pair.

    Parameters
    ----------
    people : people's labels, of the cases that they labelled.
    judge : the judge's label of every case.
    systems : the scores of every case; high ones are good.
    measures : areas.
    asked : what is to be learned.
    """
    scored = _Scored.of(people, judge, systems, asked)
    values = {
        (run, measure.name): scored.value(run, measure) for run in systems for measure in measures
    }
    pairs: list[JudgedPair] = []
    for measure in measures:
        pairs += adjusted_pairs(
            scored.difference(pair, measure) for pair in combinations(systems, 2)
        )
    return values, pairs


class _Side(NamedTuple):
    """A value with the influence of each case: that of its mass; that expected of its mass by the
    model; and that of one more relevant case instead of another one. `mean` is the model.
    """

    value: float
    influence: Float64
    expected: Float64
    pull: Float64
    mean: Float64

    def __sub__(self, other: _Side) -> _Side:
        return _Side(
            self.value - other.value,
            self.influence - other.influence,
            self.expected - other.expected,
            self.pull - other.pull,
            np.maximum(self.mean, other.mean),  # of the judge alone it is 0
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Scored:
    """Masses of the cases, with and without the judge, and the order that each system puts them
    in.
    """

    people: Float64
    judge: Float64
    systems: Mapping[str, Float64]
    blocks: Mapping[str, Int64]
    masses: Masses
    without: Masses
    asked: Question
    correlation: float

    @classmethod
    def of(
        cls,
        people: Float64,
        judge: Float64,
        systems: Mapping[str, Float64],
        asked: Question,
    ) -> _Scored:
        choice = asked.choice
        nothing = np.zeros(choice.size, np.bool_)
        return cls(
            people,
            judge,
            systems,
            {name: rank_items(nothing, score).block for name, score in systems.items()},
            masses_of(people, judge, list(systems.values()), choice),
            masses_of(people, np.zeros(choice.size), list(systems.values()), choice),
            asked,
            correlation_of(people, judge[choice.seen], choice),
        )

    def value(self, run: str, measure: Measure) -> JudgedValue:
        """A measure of one system."""
        found, notes = run_and_collect(partial(self._value, run, measure))
        return replace(found, notes=tuple(notes))

    def difference(self, pair: tuple[str, str], measure: Measure) -> JudgedPair:
        """The difference of two systems, the first minus the second."""
        found, notes = run_and_collect(partial(self._difference, pair, measure))
        return replace(found, notes=tuple(notes))

    def _value(self, run: str, measure: Measure) -> JudgedValue:
        area = _area(measure)
        by_masses, alone = (
            self._by_masses(run, area, masses) for masses in (self.masses, self.without)
        )
        by_judge = self._by_judge(run, area)
        if (complete := self._complete(run, measure)) is not None:
            found, own = (replace(complete, method=method) for method in (OF_CASES, ALONE))
        else:
            found = self._interval(by_masses, measure.name, OF_CASES, area)
            own = self._interval(alone, measure.name, ALONE, area)
        self._note(run, measure.name, area, by_masses.pull, own, found)
        self._note_one(measure.name, by_masses)
        return JudgedValue(
            found.estimate,
            found.low,
            found.high,
            self.asked.level,
            OF_CASES,
            measure.name,
            assumptions="cases by people chosen at random",
            standard_error=found.standard_error,
            of=self.asked.of,
            labels=(len(self.people), self.asked.choice.size),
            people_alone=own,
            judge_alone=area.reported(by_judge.value),
            bias=self._bias(by_judge, by_masses, measure.name, area),
            correlation=self.correlation,
            worth=worth_of(own.width, found.width),
            unit=self.asked.unit,
        )

    def _complete(self, run: str, measure: Measure) -> Interval | None:
        """The interval of the curve, if people labelled all cases: the judge adds nothing then."""
        choice = self.asked.choice
        if self.asked.these or not choice.seen.all() or choice.are_weighted:
            return None
        whole = curve(self.people == 1, self.systems[run])
        found = interval_of_curve(whole, measure.name, groups=choice.group, level=self.asked.level)
        assert isinstance(found, Interval)  # of one measure
        return found

    def _difference(self, pair: tuple[str, str], measure: Measure) -> JudgedPair:
        area = _area(measure)
        first, second = pair
        by_masses, alone = (
            self._by_masses(first, area, masses) - self._by_masses(second, area, masses)
            for masses in (self.masses, self.without)
        )
        by_judge = self._by_judge(first, area) - self._by_judge(second, area)
        found = self._interval(by_masses, measure.name, OF_CASES, area, is_difference=True)
        self._note_labels(measure.name)
        self._note_one(measure.name, by_masses)
        low, high = found.ends
        p = self._p(by_masses)
        return JudgedPair(
            pair,
            measure.name,
            found.estimate,
            low,
            high,
            self.asked.level,
            p,
            p,
            self._interval(alone, measure.name, ALONE, area, is_difference=True),
            area.stretched(by_judge.value),
            self._bias(by_judge, by_masses, measure.name, area),
            of=self.asked.of,
            labels=(len(self.people), self.asked.choice.size),
            unit=self.asked.unit,
        )

    def _by_masses(self, run: str, area: Area, masses: Masses) -> _Side:
        mass, mean, noise = masses
        found = measure_masses(mass, 1 - mass, self.blocks[run], area, noise)
        pull = found.up - found.down
        if self.asked.these:
            rest = np.zeros(len(mass))
            choice = self.asked.choice
            rest[choice.seen] = np.sqrt(1 - choice.chance)
            by_label = (mass - mean) * pull * rest
            return _Side(found.value, by_label, np.zeros(len(mass)), pull, mean)
        expected = mean * found.up + (1 - mean) * found.down
        return _Side(found.value, _influence(found, mass), expected, pull, mean)

    def _by_judge(self, run: str, area: Area) -> _Side:
        found = measure_masses(self.judge, 1 - self.judge, self.blocks[run], area)
        nothing = np.zeros(len(self.judge))
        if self.asked.these:  # known of these cases
            return _Side(found.value, nothing, nothing, nothing, nothing)
        each = _influence(found, self.judge)
        return _Side(found.value, each, each, nothing, nothing)

    def _error(self, side: _Side) -> tuple[float, float]:
        """The standard error, and its degrees of freedom."""
        group, each = self.asked.choice.group, side.influence
        grown = self._growth(side)
        if group is not None:
            each = np.bincount(group, each).astype(np.float64)
        freedom = freedom_of(self.people, self.asked.choice, each)
        variance = float(each @ each) * grown * (freedom + 1) / freedom
        return math.sqrt(variance), freedom

    def _growth(self, side: _Side) -> float:
        """How much more variance the model expects than was found, at least 1: few labels may have
        no error where one would count most.
        """
        if self.asked.choice.seen.all():
            return 1.0
        found = float(side.influence @ side.influence)
        return max(float(self._expected(side).sum()) / found, 1.0) if found > 0 else 1.0

    def _expected(self, side: _Side) -> Float64:
        """The variance that the model expects of each case."""
        choice = self.asked.choice
        spread = side.mean * (1 - side.mean)
        # A ridge leaves a model less sure than it could be; its errors tell how much.
        off = (self.people - side.mean[choice.seen]) ** 2
        sure = min(float(off.sum() / spread[choice.seen].sum()), 1.0)
        spread = sure * spread * side.pull**2
        chance = choice.chance
        expected = side.expected**2
        left = 1 - chance if self.asked.these else 1.0
        expected[choice.seen] += spread[choice.seen] / chance**2 * left
        return expected

    def _interval(
        self,
        side: _Side,
        name: str,
        method: str,
        area: Area,
        is_difference: bool = False,
    ) -> Interval:
        error, freedom = self._error(side)
        half = quantiles.t(self.asked.level, freedom) * error
        value = side.value
        if is_difference:
            low, high = max(value - half, -1.0), min(value + half, 1.0)
            estimate, low, high = map(area.stretched, (value, low, high))
        else:
            # Masses below 0 can carry the value out of its range.
            inside = min(max(value, 0.0), 1.0)
            low, high = _on_log_odds(inside, half)
            if not half and not self._is_known:
                low, high = self._unseen(inside)
            estimate, low, high = map(area.reported, (inside, low, high))
        return Interval(
            estimate,
            low,
            high,
            self.asked.level,
            method,
            name,
            standard_error=area.stretched(error),
        )

    @property
    def _is_known(self) -> bool:
        """Whether people labelled all cases, and only these count."""
        return self.asked.these and bool(self.asked.choice.seen.all())

    def _unseen(self, value: float) -> tuple[float, float]:
        """Bounds of a perfect order of few cases, which has no variance."""
        least = perfect(min(self.people.sum(), (1 - self.people).sum()), self.asked.level)
        return min(value, least), max(value, 1 - least)

    def _bias(self, by_judge: _Side, by_masses: _Side, name: str, area: Area) -> Interval:
        found = by_judge - by_masses
        error, freedom = self._error(found)
        half = quantiles.t(self.asked.level, freedom) * error
        value, low, high = map(
            area.stretched, (found.value, found.value - half, found.value + half)
        )
        return Interval(
            value,
            low,
            high,
            self.asked.level,
            OF_CASES,
            f"bias of the judge in {name}",
            standard_error=area.stretched(error),
        )

    def _p(self, side: _Side) -> float:
        error, freedom = self._error(side)
        if not error:
            return 1.0 if not side.value else 0.0
        return float(2 * special().stdtr(freedom, -abs(side.value) / error))

    def _note(
        self,
        run: str,
        measure: str,
        area: Area,
        pull: Float64,
        alone: Interval,
        found: Interval,
    ) -> None:
        choice, own = self.asked.choice, self.judge[self.asked.choice.seen]
        if not np.ptp(own):
            warn(JudgeTellsNothing(measure))
        elif tells_little(self.correlation, len(self.people), worth_of(alone.width, found.width)):
            warn(JudgeTellsLittle(measure, self.correlation))
        if (gap := unlike_all(own, self.judge, choice)) is not None:
            warn(NotChosenAtRandom(measure, *gap))
        else:
            # Ranks: means of scores would hang on a few.
            below = self._shares_below(run)
            if (gap := unlike_all(below[choice.seen], below, choice)) is not None:
                warn(NotChosenByScore(measure, gap[0]))
        self._note_labels(measure)
        if not area.is_whole_roc and self._fewest_of_a_label() >= _FEWEST:
            sparse = choice.chance < (len(self.people) / choice.size) * (1 - 1e-9)
            seen, drawn = int(self.people[sparse].sum()), int(sparse.sum())
            # Where a relevant case would only lower the value, one more or less hardly matters.
            raises = bool((pull[choice.seen][sparse] > 0).any())
            if raises and seen < _FEWEST_SPARSE:
                warn(FewRelevantOfSparse(measure, seen, drawn))

    def _fewest_of_a_label(self) -> int:
        """The number of people's cases of the rarer label."""
        relevant = int(self.people.sum())
        return min(relevant, len(self.people) - relevant)

    def _note_labels(self, measure: str) -> None:
        """What people's labels are too few for."""
        choice = self.asked.choice
        relevant = int(self.people.sum())
        others = len(self.people) - relevant
        note_size(measure, self.asked)
        if min(relevant, others) < _FEWEST:
            few = (relevant, "relevant") if relevant <= others else (others, "other")
            warn(FewCasesOfOneLabel(measure, *few))
        elif not choice.seen.all() and np.ptp(self.judge[choice.seen]):
            off = (self.people - self.masses.expected[choice.seen]) ** 2
            for label, cases, noun in ((1, relevant, "relevant cases"), (0, others, "other cases")):
                if off[self.people == label].sum() < _SEEN:
                    warn(JudgeNeverWrong(measure, cases, noun))
                    break

    def _note_one(self, measure: str, side: _Side) -> None:
        """Note if one label, or one group, carries most of the variance."""
        group, own = self.asked.choice.group, self.asked.choice.seen
        is_expected = self._growth(side) > 1
        each = self._expected(side) if is_expected else side.influence
        if group is not None:
            each = np.bincount(group, each).astype(np.float64)
            own = np.isin(np.arange(len(each)), group[own])
        parts = each if is_expected else each**2
        share = float(parts[own].max()) / max(float(parts.sum()), 1e-300)
        if share > _MOST_OF_ONE:
            warn(OneLabelDecides(measure, share, "label" if group is None else "group of labels"))

    def _shares_below(self, run: str) -> Float64:
        """The share of all cases with a lower score than each case; equal ones count half."""
        block = self.blocks[run]
        size = np.bincount(block)
        below = len(block) - np.cumsum(size) + (size - 1) / 2
        return np.asarray(below / max(len(block) - 1, 1))[block]


def _influence(found: Measured, mass: Float64) -> Float64:
    return mass * found.up + (1 - mass) * found.down


def _on_log_odds(value: float, half: float) -> tuple[float, float]:
    """Bounds that are symmetric on the scale of log-odds."""
    slope = value * (1 - value)
    if not half:  # there and back would leave its last digit
        return value, value
    if slope <= 1e-12:
        return max(value - half, 0.0), min(value + half, 1.0)
    centre, reach = math.log(value / (1 - value)), half / slope
    ends = (min(max(end, -700.0), 700.0) for end in (centre - reach, centre + reach))
    low, high = (1 / (1 + math.exp(-end)) for end in ends)
    return max(low, value - _FARTHEST * half), min(high, value + _FARTHEST * half)


def _area_measure(name: str | Measure) -> Measure:
    measure = find(name)
    plain = measure.declaration.name in ("AP", "AUC")
    others = {
        key: value
        for key, value in measure.parameters.items()
        if key not in ("max_fpr", "mcclish", "grade") and not _is_default(measure, key, value)
    }
    if measure.declaration.name == "Gini":
        raise MeasureError(
            f"{measure.name} is not learned from cases with a judge",
            remedy="take AUC: Gini is 2 AUC - 1, and so are its bounds",
        )
    if not plain or others:
        raise MeasureError(
            f"{measure.name} is not learned from cases with a judge",
            allowed=("AP", "AUC", "AUC(max_fpr=0.1)"),
            remedy="for measures of decisions, such as P and F, use pc.judge.decisions, or "
            "--decision instead of --score",
        )
    return measure


def _is_default(measure: Measure, key: str, value: object) -> bool:
    return bool(find(measure.declaration.name).parameters.get(key) == value)


def _area(measure: Measure) -> Area:
    part = part_of(measure)
    if part is None:
        return Area(measure.declaration.name)
    _, most, mcclish = part
    return Area("AUC", most, mcclish)


def _check_kinds(people: Float64) -> None:
    relevant = int(people.sum())
    if 0 < relevant < len(people):
        return
    raise UsageError(
        argument="people",
        allowed="labels of relevant and of other cases;",
        got=Fact(f"{len(people)} {'relevant' if relevant else 'other'} ones"),
        remedy="let people label more, chosen at random",
    )
