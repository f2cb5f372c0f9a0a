"""The least and the greatest value of a measure over all labels of what nobody judged.

How they are found is declared with each measure (`labelings`). Of labels with the same numbers of
relevant items, the topmost items are best and the bottommost worst, so the numbers alone are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from precall.core import ragged
from precall.core.counts import Counts
from precall.core.errors import MeasureError
from precall.core.ragged import Bool, Float64, Int64
from precall.location.labelings import Labelings, LabelledHits, RankSums, Unjudged
from precall.measures.gains import discount, gain_of, scale_of, sum_discounted
from precall.measures.registry import Measure
from precall.read.grades import Grades

#: Labelings that are tried at a time, times the items of the longest ranking; and cells of a table
#: of rankings, counts and grades.
_CELLS = 4_000_000
#: Steps of Dinkelbach's iteration, which needs about five.
_STEPS = 100

#: Of so few labelings each is tried; of more, whether one of them can be an extreme.
_FEW = 4
#: Labelings of each ranking that are tried first.
_FIRST = 8
#: Values that differ by less may differ by rounding.
_ROUNDING = 1e-12

#: A function of labels, the value of each; before them, how many unjudged items count as relevant
#: if these are not the labels' (see `LabelledHits`).
_Values = Callable[[Int64 | None, Labelings], Float64]


class MeasureExtremes(NamedTuple):
    """Per ranking, the least and the greatest value over labelings in which the measure is defined,
    NaN if there is none; and whether it is undefined in one.
    """

    lowest: Float64
    highest: Float64
    is_undefined: Bool


def check_search(measure: Measure, ties: str = "docno") -> None:
    """Refuse a measure whose extremes over labelings cannot be found.

    Raises
    ------
    MeasureError
        The measure has no bounds; the message says why.
    """
    how, why = measure.declaration.search, ""
    cutoff = measure.parameters.get("cutoff")
    if measure.judged_only:
        why = "judged_only leaves unjudged items out"
    elif " " in how:
        why = how
    elif ties in ("best", "worst") and measure.parameters.get("gains"):
        why = f"with gains={{...}} the order of ties={ties!r} is not that of the gains"
    elif ties in ("best", "worst", "expected") and how == "within" and cutoff is not None:
        why = f"with ties={ties!r} labels decide how many relevant items are cut off"
    if why:
        raise MeasureError(
            f"{measure.head} has no bounds over labels of unjudged items: {why}",
            remedy="leave it out, or ask for it without ⟨unjudged='bounds'⟩",
        )


def extremes(measure: Measure, unjudged: Unjudged, grades: Grades) -> MeasureExtremes:
    """The extremes for each ranking.

    Parameters
    ----------
    measure : a measure of rankings that `check_search` lets pass.
    unjudged : the unjudged items of the rankings.
    grades : the grades that an unjudged item may have, ascending: 0 and others.

    Examples
    --------
    >>> from precall.location import locate
    >>> from precall.location.labelings import unjudged_of
    >>> from precall.measures import measure
    >>> located = locate({"q": {"a": 1}}, {"q": {"x": 3.0, "a": 2.0, "y": 1.0}})
    >>> found = extremes(measure("AP"), unjudged_of(located, None), np.array([0, 1]))
    >>> found.lowest, found.highest
    (array([0.5]), array([1.]))
    """
    measure, how = _with_scale(measure, grades), measure.declaration.search
    grades = grades_of(measure, grades)
    if how == "rising":
        return _of_uniform(measure, unjudged, grades)
    if how == "gains":
        return _of_gains(measure, unjudged, grades)
    if how == "within" and (cutoff := measure.parameters.get("cutoff")) is not None:
        unjudged = unjudged.within(cutoff)
    values = _values_of(measure, unjudged, grades)
    if how in ("falling", "cutoffs") and unjudged.is_fixed:
        best = _best_cutoff(measure, unjudged) if how == "cutoffs" else None
        found = _search_by_halves(unjudged, values, best)
    else:
        is_ordered = how in ("ordered", "falling", "cutoffs")
        found = _search(unjudged, partial(values, None), not is_ordered)
    return _of_best(measure, unjudged, grades, *found)


def grades_of(measure: Measure, grades: Grades) -> Grades:
    """The grades that differ for a measure.

    Parameters
    ----------
    measure : the measure.
    grades : those that an unjudged item may have.
    """
    own = measure.parameters.get("grade")
    return grades if own is None else np.array([0, max(own, grades[-1].item())])


def _with_scale(measure: Measure, grades: Grades) -> Measure:
    """The measure with the end of its scale, which must not depend on the labels."""
    if "max" not in measure.parameters or measure.parameters["max"] is not None:
        return measure
    return replace(measure, parameters={**measure.parameters, "max": grades[-1].item()})


def _is_whole(measure: Measure) -> bool:
    """Whether items of grade 0 must have rows, as they may gain."""
    gains = measure.parameters.get("gains") or ()
    return any(grade <= 0 < gained for grade, gained in gains)


@np.errstate(divide="ignore", invalid="ignore")
def _measured(
    measure: Measure,
    unjudged: Unjudged,
    grades: Grades,
    _: Int64 | None,
    labels: Labelings,
) -> Float64:
    located = unjudged.label(labels, grades, _is_whole(measure))
    return np.asarray(measure(located), np.float64)


# --- All items alike ---


def _of_uniform(measure: Measure, unjudged: Unjudged, grades: Grades) -> MeasureExtremes:
    number, all_of_them = len(unjudged), (unjudged.inside, unjudged.missed)
    levels = len(grades) - 1
    # Gains need not rise with the grade, so each grade is tried.
    reached = range(levels + 1) if measure.parameters.get("gains") else (0, levels)
    values = []
    for level in reached:
        # Kept, as most measures have these labels in common.
        key = (level, *grades.tolist(), _is_whole(measure))
        if key not in unjudged.kept:
            has = (np.arange(levels) < level)[:, None]
            labels = Labelings(
                np.arange(number),
                np.ones(number, np.bool_),
                *(has * count for count in all_of_them),
            )
            unjudged.kept[key] = unjudged.label(labels, grades, _is_whole(measure))
        with np.errstate(divide="ignore", invalid="ignore"):
            values.append(np.asarray(measure(unjudged.kept[key]), np.float64))
    table = np.array(values)
    return MeasureExtremes(
        np.fmin.reduce(table), np.fmax.reduce(table), np.asarray(np.isnan(table).any(axis=0))
    )


# --- So many relevant items, from the top or from the bottom ---


def _values_of(measure: Measure, unjudged: Unjudged, grades: Grades) -> _Values:
    """A function that measures labels of one grade."""
    from precall.core.counts import Path

    declared, rest = measure.declaration, dict(measure.parameters)
    if not unjudged.is_fixed or declared.graded:
        return partial(_measured, measure, unjudged, grades)
    grade = rest.pop("grade")
    sums = RankSums(unjudged, grade)
    of_hits = replace(measure, parameters={**measure.parameters, "grade": 1})

    @np.errstate(divide="ignore", invalid="ignore")
    def values(added: Int64 | None, labels: Labelings) -> Float64:
        hits = LabelledHits(unjudged, grade, labels, sums, added=added)
        if declared.takes is Path:
            return np.asarray(of_hits(hits.hits), np.float64)
        return np.asarray(declared.formula(hits, **rest), np.float64)

    return values


def _search(
    unjudged: Unjudged, values: Callable[[Labelings], Float64], is_grid: bool
) -> tuple[Labelings, Labelings, Bool]:
    """The worst and the best labels of each ranking, and whether a value is undefined."""
    number = len(unjudged)
    best = [np.full(number, sign * np.inf) for sign in (1, -1)]
    chosen = [np.zeros((number, 3), np.int64) for _ in best]
    undefined = np.zeros(number, np.bool_)
    for labels in _tried(unjudged, is_grid):
        value = values(labels)
        owner, (inside, outside) = labels.ranking, labels.binary()
        undefined[owner[np.isnan(value)]] = True
        columns = np.stack((labels.top, inside, outside), axis=1)
        for record, kept, extreme, beats in (
            (best[0], chosen[0], np.fmin, np.less),
            (best[1], chosen[1], np.fmax, np.greater),
        ):
            old = record[owner]
            better = np.flatnonzero(beats(value, old))
            if not len(better):
                continue
            extreme.at(record, owner[better], value[better])
            reached = better[value[better] == record[owner[better]]][::-1]
            kept[owner[reached]] = columns[reached]
    worst, finest = (
        Labelings(np.arange(number), kept[:, 0] > 0, kept[:, 1][None], kept[:, 2][None])
        for kept in chosen
    )
    return worst, finest, undefined


def _tried(unjudged: Unjudged, is_grid: bool) -> Iterator[Labelings]:
    """The labels to try, some at a time."""
    inside, outside = unjudged.inside, unjudged.missed
    sizes = (inside + 1) * (outside + 1) if is_grid else inside + outside + 1
    start = ragged.offsets(sizes)
    rows = int((unjudged.judged.retrieved + 1).max(initial=1))
    step = max(_CELLS // rows, 1)
    for first in range(0, int(start[-1]), step):
        index = np.arange(first, min(first + step, int(start[-1])))
        ranking = np.searchsorted(start, index, "right") - 1
        number = index - start[ranking]
        for is_top in (True, False):
            if is_grid:
                a, b = np.divmod(number, outside[ranking] + 1)
            elif is_top:
                a = np.minimum(number, inside[ranking])
                b = number - a
            else:
                b = np.minimum(number, outside[ranking])
                a = number - b
            yield Labelings(ranking, np.full(len(index), is_top), a[None], b[None])


def _best_cutoff(measure: Measure, unjudged: Unjudged) -> Int64:
    """How many unjudged items of each ranking are relevant where the greatest F is greatest.

    F at a cutoff is greatest if all unjudged items down to it are relevant, and no others.
    """
    from precall.measures.best_points import f_of

    rest = dict(measure.parameters)
    sums = RankSums(unjudged, rest.pop("grade"))
    start, near = sums.base, sums.open_to
    owner = np.repeat(np.arange(len(unjudged)), np.diff(start))
    accepted = np.arange(int(start[-1])) - start[owner]
    hits, relevant = sums.hits_to + near, sums.relevant[owner] + near
    value = f_of(**rest).of_table(Counts(hits, accepted - hits, relevant - hits))
    value = np.where(np.isnan(value), -np.inf, value)
    order = np.lexsort((accepted, -value, owner))
    number = near[order[ragged.changes(owner[order])]]
    # Without a relevant item it is undefined.
    lacks = (sums.relevant + number == 0) & (unjudged.inside + unjudged.missed > 0)
    return np.where(lacks, 1, number)


def _search_by_halves(
    unjudged: Unjudged, values: _Values, best: Int64 | None
) -> tuple[Labelings, Labelings, Bool]:
    """The same for a measure that rises with the hits and falls with the number of relevant items.

    Of all labels with n to m relevant items, none has a higher value than the hits of m items with
    only n that count as relevant, and none a lower one than the hits of n with m. So halves of the
    numbers are left out that cannot hold the extreme (branch and bound). `best` is the best number
    of each ranking if it is known.
    """
    worst, finest = (_Halves(unjudged, values, is_best) for is_best in (False, True))
    worst.search()
    if best is None:
        finest.search()
        best = finest.chosen
    return worst.labels(worst.chosen), finest.labels(best), worst.undefined


class _Halves:
    """The search for the worst or the best number of relevant items of each ranking."""

    def __init__(self, unjudged: Unjudged, values: _Values, is_best: bool) -> None:
        self._unjudged, self._values, self._is_best = unjudged, values, is_best
        number = len(unjudged)
        self._sign = 1.0 if is_best else -1.0
        self._record = np.full(number, -np.inf)
        self.chosen = np.zeros(number, np.int64)
        self.undefined = np.zeros(number, np.bool_)

    def search(self) -> None:
        """Find the number of each ranking."""
        size = self._unjudged.inside + self._unjudged.missed
        steps = np.arange(_FIRST + 1) / _FIRST
        knots = np.unique(np.floor(size[:, None] * steps).astype(np.int64), axis=1)
        for knot in knots.T:
            self._try(np.arange(len(size)), knot)
        ranking = np.repeat(np.arange(len(size)), knots.shape[1] - 1)
        first, last = knots[:, :-1].ravel() + 1, knots[:, 1:].ravel() - 1
        while len(ranking):
            few = last - first < _FEW
            owner, place = ragged.spread(first[few], np.maximum(last - first + 1, 0)[few])
            self._try(ranking[few][owner], place)
            ranking, first, last = (each[~few] for each in (ranking, first, last))
            bound = self._bound(ranking, first, last)
            kept = bound > self._record[ranking] - _ROUNDING
            ranking, first, last = (each[kept] for each in (ranking, first, last))
            middle = (first + last) // 2
            self._try(ranking, middle)
            ranking = np.concatenate((ranking, ranking))
            first, last = np.append(first, middle + 1), np.append(middle - 1, last)

    def labels(self, number: Int64, ranking: Int64 | None = None) -> Labelings:
        """The best or the worst labels with so many relevant items."""
        every = np.arange(len(self._unjudged)) if ranking is None else ranking
        return _of_counts(self._unjudged, every, number[None], self._is_best)

    def _try(self, ranking: Int64, number: Int64) -> None:
        value = self._measure(ranking, number, None)
        self.undefined[ranking[np.isnan(value)]] = True
        value = np.where(np.isnan(value), -np.inf, value)
        # The first of the best of each ranking.
        order = np.lexsort((number, -value, ranking))
        lead = order[ragged.changes(ranking[order])]
        better = lead[value[lead] > self._record[ranking[lead]]]
        self._record[ranking[better]] = value[better]
        self.chosen[ranking[better]] = number[better]

    def _bound(self, ranking: Int64, first: Int64, last: Int64) -> Float64:
        hits, added = (last, first) if self._is_best else (first, last)
        return self._measure(ranking, hits, added)

    def _measure(self, ranking: Int64, number: Int64, added: Int64 | None) -> Float64:
        """The values, negative if the least one is looked for."""
        rows = int((self._unjudged.judged.retrieved + 1).max(initial=1))
        step, found = max(_CELLS // rows, 1), np.empty(len(ranking))
        for begin in range(0, len(ranking), step):
            part = slice(begin, begin + step)
            labels = self.labels(number[part], ranking[part])
            found[part] = self._values(None if added is None else added[part], labels)
        return self._sign * found


def _of_best(
    measure: Measure,
    unjudged: Unjudged,
    grades: Grades,
    worst: Labelings,
    best: Labelings,
    undefined: Bool,
) -> MeasureExtremes:
    lowest, highest = (
        _measured(measure, unjudged, grades, None, labels) for labels in (worst, best)
    )
    return MeasureExtremes(lowest, highest, undefined)


# --- nDCG: a ratio of sums, both of which are sums over grades ---


def _of_gains(measure: Measure, unjudged: Unjudged, grades: Grades) -> MeasureExtremes:
    """DCG and the ideal DCG are sums, over levels of gain, of the step of the gain times the
    discounts of the items that reach the level. So, for a given ratio, DCG - ratio x ideal is
    greatest if the number of items at each level is best, where no level has more items than the
    one below. Dinkelbach's iteration raises the ratio until that is 0.
    """
    layers = _Layers(measure, unjudged, grades)
    number, step = len(unjudged), max(1, _CELLS // (layers.width * len(grades)))
    worst, best = (np.zeros((len(grades) - 1, number), np.int64) for _ in range(2))
    undefined = np.zeros(number, np.bool_)
    for first in range(0, number, step):
        some = np.arange(first, min(first + step, number))
        worst[:, some], _ = layers.solve(some, is_best=False)
        best[:, some], undefined[some] = layers.solve(some, is_best=True)
    chosen: list[Labelings] = []
    for is_best, counts in ((False, worst), (True, best)):
        chosen.append(_of_counts(unjudged, np.arange(number), counts, is_best))
    return _of_best(measure, unjudged, layers.grades, chosen[0], chosen[1], undefined)


def _of_counts(unjudged: Unjudged, ranking: Int64, counts: Int64, is_best: bool) -> Labelings:
    """The best or the worst labels with so many items at each level: the best begin with retrieved
    items, from the top; the worst with those that were not retrieved, and then from the bottom.
    """
    part = np.minimum(counts, (unjudged.inside if is_best else unjudged.missed)[ranking])
    inside, outside = (part, counts - part) if is_best else (counts - part, part)
    return Labelings(ranking, np.full(len(ranking), is_best), inside, outside)


class _Layers:
    """DCG of each level of gain if so many unjudged items reach it, and its ideal."""

    def __init__(self, measure: Measure, unjudged: Unjudged, grades: Grades) -> None:
        self._unjudged = unjudged
        self._cutoff: int | None = measure.parameters["cutoff"]
        given: Mapping[str, Any] = measure.parameters
        gain_and_gains = given["gain"], given["gains"]
        judged = unjudged.judged
        # The greatest grade of all decides the scale, retrieved or not.
        scale = scale_of(replace(judged, total_grade=grades), given["gain"])
        of_scale = gain_of(grades, *gain_and_gains, scale)
        order = np.argsort(of_scale, kind="stable")
        # By gain, which need not rise with the grade.
        self.grades, self.levels = grades[order], of_scale[order]
        self.steps = np.diff(self.levels, prepend=0.0)
        self._own = gain_of(judged.grade, *gain_and_gains, scale)
        self._totals = gain_of(judged.total_grade, *gain_and_gains, scale)
        every = self._number(-np.inf) + unjudged.inside + unjudged.missed
        longest = int(np.maximum(judged.retrieved, every).max(initial=0))
        terms = 1 / discount(np.arange(1, longest + 1))
        if self._cutoff is not None:
            terms[self._cutoff :] = 0.0
        #: Sums of the first 0, 1, 2, ... terms.
        self.ideal = np.concatenate(([0.0], np.cumsum(terms)))
        self._terms = np.concatenate(([0.0], terms))
        most = int((unjudged.inside + unjudged.missed).max(initial=0))
        # More items than that change no term.
        is_cut = self._cutoff is not None and unjudged.is_fixed
        self.width = (min(most, self._cutoff or 0) if is_cut else most) + 1

    def _number(self, level: float) -> Int64:
        """Per ranking, judged items that reach a level."""
        judged = self._unjudged.judged
        count = np.where(self._totals >= level, judged.total_count, 0)
        return ragged.integer_sums(count, judged.total_ranking, len(judged))

    def _gained(self, some: Int64, level: float, is_best: bool) -> Float64:
        """A line per ranking: the discounts of all items that reach a level, if 0, 1, 2, ...
        unjudged ones do.
        """
        if self._unjudged.is_fixed:
            return self._of_judged(some, level)[:, None] + self._of_unjudged(some, is_best)
        unjudged, number = self._unjudged, len(some)
        judged = replace(unjudged.judged, grade=(self._own >= level).astype(np.int64))
        binary = replace(unjudged, judged=judged)
        counts = np.tile(np.arange(self.width), number)
        ranking = np.repeat(some, self.width)
        counts = np.minimum(counts, (unjudged.inside + unjudged.missed)[ranking])
        labels = _of_counts(unjudged, ranking, counts[None], is_best)
        located = binary.label(labels, np.array([0, 1]))
        values = sum_discounted(located, (located.grade > 0).astype(np.float64), self._cutoff)
        return np.asarray(values, np.float64).reshape(number, self.width)

    def _of_judged(self, some: Int64, level: float) -> Float64:
        judged = self._unjudged.judged
        value = np.where(self._own >= level, self._terms[judged.rank], 0.0)
        return judged.weighted(value)[some]

    def _of_unjudged(self, some: Int64, is_best: bool) -> Float64:
        unjudged = self._unjudged
        sizes = unjudged.inside[some]
        owner, row = ragged.spread(unjudged.start[some], sizes)
        index = row - unjudged.start[some][owner]
        if not is_best:
            # Those that were not retrieved come first, and gain nothing.
            index = unjudged.missed[some][owner] + sizes[owner] - 1 - index
        near = index < self.width - 1
        table = np.zeros((len(some), self.width))
        table[owner[near], index[near] + 1] = self._terms[unjudged.first[row[near]]]
        return np.asarray(np.cumsum(table, axis=1))

    def solve(self, some: Int64, is_best: bool) -> tuple[Int64, Bool]:
        """How many unjudged items of each ranking reach each level but the lowest, and whether
        nDCG is undefined for some labels.
        """
        unjudged, sign = self._unjudged, 1.0 if is_best else -1.0
        size = (unjudged.inside + unjudged.missed)[some]
        count = np.arange(self.width)
        is_possible = count[None, :] <= size[:, None]
        gained, ideal = [], []
        for level, step in zip(self.levels[1:], self.steps[1:], strict=True):
            gained.append(step * self._gained(some, level, is_best))
            place = np.minimum(self._number(level)[some][:, None] + count, len(self.ideal) - 1)
            ideal.append(step * self.ideal[place])
        # The lowest level is reached by all.
        base = self.steps[0] * self._of_all(some)
        base_ideal = (
            self.steps[0]
            * self.ideal[np.minimum(self._number(-np.inf)[some] + size, len(self.ideal) - 1)]
        )
        most = np.minimum(size, self.width - 1)
        chosen = np.tile(most, (len(gained), 1))
        ratio = self._ratio(chosen, gained, ideal, base, base_ideal)
        for _ in range(_STEPS):
            known = np.nan_to_num(ratio)[:, None]
            tables = [
                np.where(is_possible, sign * (own - known * best), -np.inf)
                for own, best in zip(gained, ideal, strict=True)
            ]
            # From the highest level down, which no level below may have fewer items than.
            for upper in range(len(tables) - 2, -1, -1):
                tables[upper] += np.maximum.accumulate(tables[upper + 1], axis=1)
            better, limit = np.empty_like(chosen), np.full(len(some), self.width)
            for level_index, table in enumerate(tables):
                allowed = np.where(count[None, :] <= limit[:, None], table, -np.inf)
                limit = allowed.argmax(axis=1)
                better[level_index] = limit
            value = self._ratio(better, gained, ideal, base, base_ideal)
            improved = sign * value > sign * ratio + 1e-15
            if not improved.any():
                break
            chosen[:, improved] = better[:, improved]
            ratio = np.where(improved, value, ratio)
        none = sum(table[:, 0] for table in ideal) + base_ideal
        return chosen, np.asarray(none <= 0)

    def _of_all(self, some: Int64) -> Float64:
        """The discounts of all ranks."""
        retrieved = self._unjudged.judged.retrieved[some]
        if self._unjudged.depth is not None:
            retrieved = np.minimum(retrieved, self._unjudged.depth)
        return self.ideal[np.minimum(retrieved, len(self.ideal) - 1)]

    @staticmethod
    @np.errstate(divide="ignore", invalid="ignore")
    def _ratio(
        chosen: Int64,
        gained: list[Float64],
        ideal: list[Float64],
        base: Float64,
        base_ideal: Float64,
    ) -> Float64:
        lines = np.arange(len(base))
        over = base + sum(table[lines, at] for table, at in zip(gained, chosen, strict=True))
        under = base_ideal + sum(table[lines, at] for table, at in zip(ideal, chosen, strict=True))
        return np.asarray(over / under)
