"""Numbers of units by people and by a judge → corrected means and differences."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from precall.core.arguments import check_choice
from precall.core.errors import Fact, UsageError
from precall.core.notes import Note, run_and_collect, warn
from precall.core.notes.of_intervals import SkewedValues
from precall.core.notes.of_judges import (
    FewUnitsByPeople,
    FewUnitsOfStratum,
    JudgeNeverWrong,
    JudgeTellsLittle,
    JudgeTellsNothing,
    JudgeVariesElsewhere,
    NotChosenAtRandom,
)
from precall.core.ragged import Float64
from precall.core.text import many
from precall.judges.results import JudgedPair, JudgedValue
from precall.stats import quantiles
from precall.stats.double_sampling import Choice, CorrectedMean, corrected_mean, people_alone
from precall.stats.intervals.interval import Interval
from precall.stats.intervals.mean import Range, mean_over, student_bounds
from precall.stats.judged_shares import ShareBounds, has_kinds, share_bounds
from precall.stats.scipy import special
from precall.stats.skewness import MUCH as SKEWED
from precall.stats.skewness import kurtosis, skewness
from precall.stats.tests.comparisons import adjust

OF = ("population", "these")
#: Units by people without which nothing is computed, and fewer than which are noted.
LEAST, FEW = 10, 20
#: Groups by people without which nothing is computed, beside one for each stratum.
_LEAST_GROUPS = 3
#: What people judged is called no random choice beyond this number of standard errors: that is one
#: random choice of 16,000.
_DEVIATIONS = 4.0
#: A correlation below this many standard errors, 1 / √n each, may be none. One such error is where
#: a judge begins to help (Mani et al. 2025).
_CORRELATED = 2.0
#: A judge that saves fewer labels than this, as a ratio, adds almost nothing.
_WORTH = 1.1
#: People's units do not show how far the judge's numbers reach, if those of all vary this many
#: times as much, or if the variance of a random choice of as many has more than this squared
#: relative error. A choice of 20 normal values has a note once in a hundred times. A judge that
#: errs by 8 standard deviations in 3 % of units would cover 78 % with 20 labels, and has a note in
#: whichever choice misses these units.
_VARIES_MORE, _LOOSE = 2.5, 1 / 3
#: Degrees of freedom between strata below which few units stand for too much: four values of a
#: skewed measure that are alike by chance claim that a stratum has no spread.
_FEW_OF_STRATUM = 9.0
#: How means are corrected, and measures of decisions and of scored cases.
METHOD = "regression on the judge"
OF_DECISIONS = "posterior of cells"
OF_CASES = "masses and influences"
ALONE = "people's labels alone"


class Question(NamedTuple):
    """What is to be learned of the numbers: of these units or of a population, and how sure."""

    choice: Choice
    of: str
    level: float
    unit: str = "topic"

    @property
    def these(self) -> bool:
        """Whether only these units count."""
        return self.of == "these"


def check_choice_of_people(choice: Choice, of: str, unit: str) -> None:
    """Refuse too few units by people.

    Parameters
    ----------
    choice : which units people judged.
    of : what is estimated.
    unit : the noun of a unit.
    """
    check_choice("of", of, OF)
    units, strata = len(choice.share), len(choice.parts)
    few: tuple[int, int, str] | None = None
    drawn = np.bincount(choice.own, minlength=strata)
    if choice.group is not None and choice.groups < strata + _LEAST_GROUPS:
        few = choice.groups, strata + _LEAST_GROUPS, "group"
    if units < (least := max(LEAST, strata + 3)):
        few = units, least, unit
    if few is not None:
        raise UsageError(
            argument="people",
            allowed=f"labels of {many(few[1], few[2])} or more;",
            got=Fact(many(few[0], few[2])),
            why=f"of {strata} strata" if strata > 1 else "",
            remedy="let people judge more, chosen at random",
        )
    if drawn.min() < 2:
        raise UsageError(
            argument="people",
            allowed=f"labels of two {unit}s or more of each of {strata} strata;",
            got=Fact(f"{many(int(drawn.min()), unit)} of one"),
            remedy="let people judge more of it, or join strata",
        )


def describe(asked: Question) -> dict[str, str]:
    """How people's units were chosen and what is estimated, as conventions."""
    choice = asked.choice
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


def learn_value(
    people: Float64, judge: Float64, asked: Question, measure: str, limits: Range
) -> JudgedValue:
    """The corrected mean of one measure of one system.

    Parameters
    ----------
    people : people's number of each unit that they judged.
    judge : the judge's number of every unit.
    asked : what is to be learned.
    measure : the name of the measure.
    limits : its least and greatest value.
    """
    ends = float(limits[0]), float(limits[1])
    value, notes = run_and_collect(lambda: _learn(people, judge, asked, measure, ends))
    return replace(value, notes=(*notes, *value.notes))


def _learn(
    people: Float64, judge: Float64, asked: Question, measure: str, limits: Range
) -> JudgedValue:
    choice, these, level = asked.choice, asked.these, asked.level
    found = corrected_mean(people, judge, choice, these=these)
    alone = people_alone(people, choice, these=these)
    inside = judge[choice.seen]
    is_open = _is_open(people, asked)
    share = _of_share(found, people, asked, limits, judge)
    is_label = is_open and not math.isfinite(limits[1]) and _are_labels(people, judge)
    if share is not None or is_label:
        limits = 0.0, 1.0
    if is_open and (share is None or len(choice.parts) == 1):
        own = _of_equal(people, asked, measure, limits)
    else:
        # Of the same kind, so that a useless judge does not seem to cost or to save labels.
        are_kinds = share is None or share.bias is not None
        by_people = _of_share(alone, people, asked, limits, are_kinds=are_kinds)
        own = _interval(alone, level, limits, measure, ALONE, by_people and by_people.share)
    if found.slope == 0 and not np.ptp(inside):
        warn(JudgeTellsNothing(measure))
    _note_choice(inside, judge, choice, measure)
    worth = worth_of(alone.error, found.error)
    correlation = correlation_of(people, inside, choice)
    _note_size(found, people, judge, asked, measure, is_share=share is not None)
    if found.slope and tells_little(correlation, len(people), worth):
        warn(JudgeTellsLittle(measure, correlation))
    method = METHOD
    if share is not None:
        low, high = share.share
    elif is_open:
        low, high, method = *own.ends, own.method
    else:
        half = _half(found, level)
        low, high = student_bounds(found.estimate, half, limits, measure, "", is_cut=True)
    return JudgedValue(
        found.estimate,
        low,
        high,
        level,
        method,
        measure,
        assumptions=f"{asked.unit}s by people chosen at random",
        standard_error=found.error,
        of=asked.of,
        labels=(len(people), len(judge)),
        people_alone=own,
        judge_alone=found.estimate + found.bias,
        bias=_bias(found, level, measure, share and share.bias),
        correlation=correlation,
        worth=worth,
        unit=asked.unit,
    )


def learn_pair(
    people: tuple[Float64, Float64],
    judge: tuple[Float64, Float64],
    asked: Question,
    names: tuple[str, str],
    measure: str,
    higher_is_better: bool,
    limits: Range = (-math.inf, math.inf),
) -> JudgedPair:
    """The corrected difference of two systems on the same units, the first minus the second.

    Parameters
    ----------
    people : people's numbers of both.
    judge : the judge's numbers of both.
    asked : what is to be learned.
    names : of the systems.
    measure : the name of the measure.
    higher_is_better : whether a high value is good.
    limits : the least and greatest value of the measure.
    """
    most = float(limits[1]) - float(limits[0])

    def learned() -> JudgedPair:
        y, f = people[0] - people[1], judge[0] - judge[1]
        found = corrected_mean(y, f, asked.choice, these=asked.these)
        alone = people_alone(y, asked.choice, these=asked.these)
        _note_size(found, y, f, asked, measure)
        # Rankings that are alike for the judge in every topic differ in none.
        if _is_open(y, asked) and f.any():
            own = _of_equal(y, asked, measure, (-most, most))
            p = 2.0 ** (1 - len(y)) if found.estimate else 1.0
            low, high = own.ends
        else:
            own = _interval(alone, asked.level, None, measure, ALONE)
            p, half = _p(found), _half(found, asked.level)
            low, high = found.estimate - half, found.estimate + half
        return JudgedPair(
            names,
            measure,
            found.estimate,
            low,
            high,
            asked.level,
            p,
            p,
            own,
            found.estimate + found.bias,
            _bias(found, asked.level, measure),
            higher_is_better,
            of=asked.of,
            labels=(len(y), len(f)),
            correlation=correlation_of(y, f[asked.choice.seen], asked.choice),
            unit=asked.unit,
        )

    pair, notes = run_and_collect(learned)
    return replace(pair, notes=tuple(notes))


def adjusted_pairs(pairs: Iterable[JudgedPair]) -> list[JudgedPair]:
    """The pairs of one measure, with p adjusted for their number."""
    pairs = list(pairs)
    if len(pairs) < 2:
        return pairs
    return [
        replace(pair, adjusted=p)
        for pair, p in zip(pairs, adjust([x.p for x in pairs], "holm").tolist(), strict=True)
    ]


def _is_open(people: Float64, asked: Question) -> bool:
    """Whether people's numbers are equal, so that no spread tells how unlike those of other units
    are.
    """
    is_all = asked.these and len(people) == asked.choice.size
    return not np.ptp(people) and not is_all


def _of_equal(people: Float64, asked: Question, measure: str, limits: Range) -> Interval:
    noun = f"{asked.unit}s"
    found, notes = _of_copies(float(people[0]), len(people), noun, asked.level, limits, measure)
    for note in notes:
        warn(note)
    return found


@lru_cache(maxsize=64)
def _of_copies(
    number: float, copies: int, noun: str, level: float, limits: Range, measure: str
) -> tuple[Interval, tuple[Note, ...]]:
    """The interval of equal numbers; runs that are alike to people ask for it in each of their
    pairs.
    """
    found, notes = run_and_collect(
        lambda: mean_over(noun, np.full(copies, number), level=level, range=limits, measure=measure)
    )
    return found, tuple(notes)


def tells_little(correlation: float, units: int, worth: float = 1.0) -> bool:
    """Whether people's numbers may not be correlated with the judge's at all, and are hardly worth
    more with them.

    Parameters
    ----------
    correlation : of both.
    units : how many of people's it is of.
    worth : how many times as many labels people alone would need.
    """
    return abs(correlation) < _CORRELATED / math.sqrt(units) and worth < _WORTH


def worth_of(alone: float | None, found: float | None) -> float:
    """How many times as many labels people alone would need for an interval as narrow.

    Parameters
    ----------
    alone : the standard error, or the width of the interval, of people's labels alone.
    found : that with the judge.
    """
    if alone == found:
        return 1.0
    if not alone or found is None:
        return math.nan
    return (alone / found) ** 2 if found else math.inf


def _half(found: CorrectedMean, level: float) -> float:
    return quantiles.t(level, found.freedom) * found.error if found.error else 0.0


def _p(found: CorrectedMean) -> float:
    if not found.error:
        return 1.0 if not found.estimate else 0.0
    t = abs(found.estimate) / found.error
    return float(2 * special().stdtr(found.freedom, -t))


def _bias(found: CorrectedMean, level: float, measure: str, ends: Range | None = None) -> Interval:
    half = quantiles.t(level, found.freedom) * found.error_of_bias
    low, high = ends or (found.bias - half, found.bias + half)
    return Interval(
        found.bias,
        low,
        high,
        level,
        METHOD,
        f"bias of the judge in {measure}",
        standard_error=found.error_of_bias,
    )


def _are_labels(people: Float64, judge: Float64) -> bool:
    """Whether the judge says 0 and 1, and people one of these."""
    return people[0] in (0.0, 1.0) and np.unique(judge).tolist() == [0.0, 1.0]


def _of_share(
    found: CorrectedMean,
    people: Float64,
    asked: Question,
    limits: Range,
    judge: Float64 | None = None,
    are_kinds: bool = True,
) -> ShareBounds | None:
    """Bounds of a share, if people's numbers are labels 0 and 1; with no judge, of them alone."""
    if any(math.isfinite(end) and end not in (0.0, 1.0) for end in limits):
        return None
    return share_bounds(
        found,
        people,
        np.zeros(asked.choice.size) if judge is None else judge,
        asked.choice,
        level=asked.level,
        these=asked.these,
        are_kinds=are_kinds,
    )


def _interval(
    found: CorrectedMean,
    level: float,
    limits: Range | None,
    measure: str,
    method: str,
    ends: Range | None = None,
) -> Interval:
    half = _half(found, level)
    low, high = ends or (found.estimate - half, found.estimate + half)
    if limits is not None:
        low, high = max(low, limits[0]), min(high, limits[1])
    return Interval(found.estimate, low, high, level, method, measure, standard_error=found.error)


def _note_choice(inside: Float64, judge: Float64, choice: Choice, measure: str) -> None:
    if (means := unlike_all(inside, judge, choice)) is not None:
        warn(NotChosenAtRandom(measure, *means))


def unlike_all(inside: Float64, judge: Float64, choice: Choice) -> tuple[float, float] | None:
    """The judge's mean of people's units and of all, if they differ by more than a random choice
    would; None where the probabilities of the choice are given.

    Parameters
    ----------
    inside : the judge's numbers of people's units.
    judge : the judge's numbers of all.
    choice : how people's units were chosen.
    """
    if choice.are_weighted or len(choice.parts) > 1 or choice.group is not None:
        return None
    n, size = len(inside), len(judge)
    error = float(np.std(judge)) * math.sqrt(max(1 / n - 1 / size, 0.0))
    gap = float(inside.mean() - judge.mean())
    if error and abs(gap) > _DEVIATIONS * error:
        return float(inside.mean()), float(judge.mean())
    return None


def _note_size(
    found: CorrectedMean,
    people: Float64,
    judge: Float64,
    asked: Question,
    measure: str,
    *,
    is_share: bool = False,
) -> None:
    units = len(people)
    residuals = found.residuals
    # Few labels 0 or 1 show too little of how the judge's many numbers go with them.
    is_rough = is_share and has_kinds(asked.choice) and len(np.unique(judge)) > 2
    fewest = FEW if is_rough else _FEW_OF_STRATUM
    if found.slope and not np.any(np.abs(residuals) > 1e-12):
        warn(JudgeNeverWrong(measure, units, f"{asked.unit}s"))
    elif units < FEW:
        warn(FewUnitsByPeople(measure, units, f"{asked.unit}s"))
    elif asked.choice.group is not None and asked.choice.groups < FEW:
        warn(FewUnitsByPeople(measure, asked.choice.groups, "groups"))
    elif (stratum := asked.choice.scarce_stratum(fewest)) is not None:
        warn(FewUnitsOfStratum(measure, stratum[0], f"{asked.unit}s", stratum[1]))
    elif (spread := _spread_elsewhere(found, judge, asked.choice)) is not None:
        warn(JudgeVariesElsewhere(measure, units, f"{asked.unit}s", *spread))
    elif is_rough or not (is_share and has_kinds(asked.choice)):  # else each kind has its bounds
        _note_skewness(residuals, asked, measure)


def _note_skewness(residuals: Float64, asked: Question, measure: str) -> None:
    choice, noun = asked.choice, f"{asked.unit}s by people"
    columns = [residuals]
    if choice.group is not None:  # the mean is a sum over groups, so theirs counts
        sums = np.bincount(choice.group[choice.seen], residuals * choice.share).astype(np.float64)
        columns, noun = [sums[np.unique(choice.group[choice.seen])]], "groups by people"
    elif choice.are_weighted:
        columns.append(residuals * choice.share)
    skew = max(abs(float(skewness(column[:, None])[0])) for column in columns)
    if len(columns[0]) < SKEWED * skew**2:
        warn(SkewedValues(measure, skew, len(columns[0]), noun))


def _spread_elsewhere(
    found: CorrectedMean, judge: Float64, choice: Choice
) -> tuple[float, float] | None:
    """The standard deviations of the judge's numbers of people's units and of all, if the former
    says too little of the latter.
    """
    inside = judge[choice.seen]
    is_all = len(inside) == len(judge)
    if not found.slope or is_all or unlike_all(inside, judge, choice) is not None:
        return None
    of_people = float(choice.share @ (inside - choice.share @ inside) ** 2)
    of_all = float(np.var(judge))
    is_far = of_all > _VARIES_MORE * of_people
    if not is_far and choice.is_plain:
        is_far = (kurtosis(judge) - 1) / len(inside) > _LOOSE
    return (math.sqrt(of_people), math.sqrt(of_all)) if is_far else None


def correlation_of(people: Float64, judge: Float64, choice: Choice) -> float:
    """The correlation of people's and the judge's numbers, of the units that people judged.

    Parameters
    ----------
    people : people's numbers.
    judge : the judge's of the same units.
    choice : how these were chosen.
    """
    weight = choice.share / choice.share.sum()
    y, f = people - weight @ people, judge - weight @ judge
    spread = float(weight @ y**2) * float(weight @ f**2)
    return float(weight @ (y * f)) / math.sqrt(spread) if spread > 0 else math.nan


def notes_of_values(
    values: Mapping[tuple[str, str], JudgedValue], pairs: Iterable[JudgedPair]
) -> list[Note]:
    """The notes of values, each in its run if there are several, and those of pairs.

    Parameters
    ----------
    values : by run and measure.
    pairs : of runs.
    """
    runs = tuple(dict.fromkeys(run for run, _ in values))
    notes = [
        note.within(run if len(runs) > 1 else "")
        for run in runs
        for (name, _), value in values.items()
        if name == run
        for note in value.notes
    ]
    return notes + [note.within(" - ".join(pair.names)) for pair in pairs for note in pair.notes]
