"""Bounds of measures over all labels of what nobody judged; they assume nothing.

- `extremes.decisions(truth, accepted, measures)`: measures of counts;
- `extremes.cases(truth, score, measures)`: AP, AUC, the greatest F, P@k and R@k of scored cases;
- of rankings, `evaluate(qrels, run, measures, unjudged="bounds")` has them.

Examples
--------
>>> from precall import extremes
>>> found = extremes.cases([1, 0, None, 1], [0.9, 0.8, 0.7, 0.6], "AUC")
>>> found["AUC"].lowest, found["AUC"].highest
(0.3333333333333333, 0.5)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from precall.core.arguments import check_choice, check_column, check_some
from precall.core.conventions import describe_conventions
from precall.core.counts import Counts
from precall.core.errors import Among, Fact, MeasureError, UsageError, key_error
from precall.core.notes import Note
from precall.core.notes.of_judges import LabelNext, LabelsLeaveUndefined, UnjudgedCases
from precall.core.ragged import Bool, Float64, Int64, integer_sums_of_parts
from precall.core.rng import suggest_our_names
from precall.judges.columns import is_column
from precall.measures.best_points import f_of
from precall.measures.lookup import heads_of, name_among
from precall.measures.registry import Measure, find, of_counts
from precall.read.values import has_value
from precall.results.blocks import Block, Line
from precall.results.equality import Equal
from precall.results.sheets import Presented, Sheet

__all__ = ["LabelBounds", "LabelRange", "NextCase", "cases", "decisions"]

#: Measures that only rise or only fall with each label, so that their extremes are at the corners.
_AT_CORNERS = frozenset(
    (
        "P",
        "R",
        "F",
        "E",
        "Accuracy",
        "Error",
        "Specificity",
        "NPV",
        "Fallout",
        "Jaccard",
        "Prevalence",
        "Utility",
    )
)
#: Tables of counts that are tried at most, and at a time.
_TABLES, _TOGETHER = 50_000_000, 1_000_000
#: Unjudged cases of equal score, whose numbers are tried one by one.
_TIED = 5_000
USUAL = ("AP", "AUC")
_OF_CASES = ("AP", "AUC", "MaxF", "P@10", "R@10")
#: Cases to label next are looked for among so many, times the blocks of equal scores.
_TRIED = 2_000_000
#: About so many numbers of relevant cases are tried for the greatest F.
_HALVES = 20


class LabelRange(NamedTuple):
    """The extremes of one measure.

    Attributes
    ----------
    lowest, highest : over the labels for which it is defined; NaN if there are none.
    is_undefined : whether it is undefined for some labels.

    Examples
    --------
    >>> from precall import extremes
    >>> extremes.decisions([None, 0], [1, 0], "R")["R"]
    LabelRange(lowest=1.0, highest=1.0, is_undefined=True)
    """

    lowest: float
    highest: float
    is_undefined: bool


class NextCase(NamedTuple):
    """The case or item without a label whose label narrows the bounds of a measure most, whatever
    the label is.

    Attributes
    ----------
    place : its place among those that were given, from 0; of several alike the first.
    width : the distance of the bounds.
    at_most : that distance once it is labelled, at most.

    Examples
    --------
    >>> from precall import extremes
    >>> extremes.cases([1, None, 0, None], [4, 3, 2, 1], "P@2").judge_next()
    NextCase(place=1, width=0.5, at_most=0.0)
    """

    place: int
    width: float
    at_most: float


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LabelBounds(Equal, Presented):
    """Bounds of measures over all labels of what nobody judged.

    Attributes
    ----------
    bounds : by measure.
    unjudged, total : the number of units without a label, and of all.
    noun : what the units are.
    conventions : choices that the numbers depend on.
    asked : measures by the names that they were asked for by.
    open_units : the units of which `judge_next` takes one.

    Examples
    --------
    >>> from precall import extremes
    >>> found = extremes.decisions([1, 0, None, 1], [1, 1, 1, 0], ["P", "R"])
    >>> found["P"].lowest, found["P"].highest, found.unjudged
    (0.3333333333333333, 0.6666666666666666, 1)
    """

    bounds: Mapping[str, LabelRange]
    unjudged: int
    total: int
    noun: str
    conventions: Mapping[str, str]
    asked: Mapping[str, str] = field(default_factory=dict)
    open_units: _OpenCases | _OpenItems | None = field(default=None, repr=False, compare=False)

    # With `__getitem__` alone Python would try to iterate by indices.
    __iter__ = None

    def __getitem__(self, measure: object) -> LabelRange:
        name = name_among(measure, tuple(self.bounds), self.asked)
        if name is None:
            raise key_error(f"measures are {', '.join(self.bounds)}", measure)
        return self.bounds[name]

    def judge_next(self, measure: str | None = None) -> NextCase | None:
        """The case or item to label next: that whose label narrows the bounds most, whatever the
        label is. None if all have labels.

        Of many cases, only the best ones are tried.

        Parameters
        ----------
        measure : whose bounds; None for the first one.

        Examples
        --------
        >>> from precall import extremes
        >>> found = extremes.decisions([1, 0, None, None], [1, 1, 1, 0], ["P", "R"])
        >>> found.judge_next("P").place, found.judge_next("R").place
        (2, 3)
        """
        name = next(iter(self.bounds)) if measure is None else measure
        try:
            bounds = self[name]
        except KeyError:
            raise UsageError(
                argument="measure", got=measure, allowed=Among("measures are", self.bounds)
            ) from None
        own = next(name for name, each in self.bounds.items() if each is bounds)
        return None if self.open_units is None else self.open_units.judge_next(own)

    @property
    def heads(self) -> tuple[str, ...]:
        """Printed heading of each measure: the name that was requested, if it is as specific."""
        return heads_of(tuple(self.bounds), self.asked)

    @property
    def notes(self) -> tuple[Note, ...]:
        """How many units have no label, and which measures some labels leave undefined."""
        notes: list[Note] = []
        if self.unjudged:
            notes.append(UnjudgedCases("", self.unjudged, self.total, f"{self.noun}s"))
        undefined = [
            head
            for head, each in zip(self.heads, self.bounds.values(), strict=True)
            if each.is_undefined
        ]
        if undefined:
            notes.append(LabelsLeaveUndefined("", tuple(undefined)))
        return tuple(notes)

    def __repr__(self) -> str:
        return f"<LabelBounds: {', '.join(self.bounds)} of {self.total} {self.noun}s>"


def bounds_sheet(found: LabelBounds) -> Sheet:
    """The sheet of bounds over labels."""
    notes = [*found.notes]
    if (case := found.judge_next()) is not None:
        notes.append(LabelNext("", found.heads[0], found.noun, *case))
    rows = [
        (head, each.lowest, each.highest)
        for head, each in zip(found.heads, found.bounds.values(), strict=True)
    ]
    return Sheet(
        "precall.extremes/2",
        dict(found.conventions),
        (
            Block(
                "",
                ("measure", "lowest", "highest"),
                tuple(Line(head, ends) for head, *ends in rows),
            ),
        ),
        tuple(notes),
        {
            "unjudged": found.unjudged,
            "total": found.total,
            "bounds": {name: each._asdict() for name, each in found.bounds.items()},
        },
        ("measure", "lowest", "highest"),
        rows,
        source=found,
    )


@suggest_our_names
def decisions(
    truth: object,
    accepted: object,
    measures: str | Measure | Iterable[str | Measure] = ("P", "R", "F"),
) -> LabelBounds:
    """Bounds of measures of counts over all labels of items without one.

    Of u unjudged items that were accepted, a may be relevant, and b of v that were not: the
    bounds are the least and the greatest value over all a and b.

    Parameters
    ----------
    truth : 1 or 0 for each item; None or NaN where nobody judged.
    accepted : 1 or 0 for each item: whether it was accepted.
    measures : measures of counts, such as P, R, F or MCC.

    Returns
    -------
    LabelBounds
        `found["F"]` has `lowest`, `highest` and `is_undefined`.

    Raises
    ------
    UsageError
        A label or decision is not 0 or 1, the columns have different lengths, or a measure
        needs more tables of counts than can be tried.
    MeasureError
        There is no such measure, or it is not one of counts.

    Examples
    --------
    >>> from precall import extremes
    >>> found = extremes.decisions([1, 0, None, 1], [1, 1, 1, 0], ["P", "R", "MCC"])
    >>> found["R"].lowest, found["R"].highest
    (0.5, 0.6666666666666666)
    """
    label, is_known = _labels("truth", truth)
    decided, has_decision = _labels("accepted", accepted)
    _check_lengths(len(label), "accepted", len(decided))
    if not has_decision.all():
        place = int(np.argmin(has_decision))
        raise UsageError(
            argument="accepted", what=f"item {place} has no decision", remedy="give it one"
        )
    several = _names(measures, "F")
    chosen = [of_counts(each) for each in several]
    asked = {str(each): one.name for each, one in zip(several, chosen, strict=True)}
    known, own = label[is_known], decided[is_known]
    cells = [
        int(np.count_nonzero((known == relevant) & (own == taken)))
        for relevant, taken in ((1, 1), (0, 1), (1, 0), (0, 0))
    ]
    gaps = [int(np.count_nonzero(~is_known & (decided == taken))) for taken in (1, 0)]
    bounds = {measure.name: _of_counts(measure, cells, gaps) for measure in chosen}
    described = describe_conventions(truth="1, 0 or none")
    places = [np.flatnonzero(~is_known & (decided == taken)) for taken in (1, 0)]
    first = [int(each[0]) if len(each) else -1 for each in places]
    rest = _OpenItems(cells, gaps, first, {measure.name: measure for measure in chosen})
    return LabelBounds(bounds, sum(gaps), len(label), "item", described, asked, rest)


@suggest_our_names
def cases(
    truth: object,
    score: object,
    measures: str | Measure | Iterable[str | Measure] = USUAL,
    *,
    higher_is_better: bool = True,
) -> LabelBounds:
    """Bounds of measures of scored cases over all labels of cases without one.

    Values are those of `pc.curve(labels, score)`: cases of equal score are accepted together, or
    P@k and R@k are the mean over their orders.

    Parameters
    ----------
    truth : 1 or 0 for each case; None or NaN where nobody judged.
    score : the score of each case.
    measures : "AP", "AUC", "MaxF" (also with beta or alpha), "P@k" or "R@k". Others, such as
        break-even, have no rule that says which labels are best.
    higher_is_better : whether high scores are good.

    Returns
    -------
    LabelBounds
        `found["AP"]` has `lowest`, `highest` and `is_undefined`.

    Raises
    ------
    UsageError
        A label is not 0 or 1, a score is not finite, the columns have different lengths, there
        is another measure, or thousands of cases without a label have equal scores (AP).

    Examples
    --------
    >>> from precall import extremes
    >>> found = extremes.cases([1, 0, None, 1], [0.9, 0.8, 0.7, 0.6], "AP")
    >>> round(found["AP"].lowest, 3), round(found["AP"].highest, 3)
    (0.75, 0.806)
    """
    label, is_known = _labels("truth", truth)
    scores = check_column("score", score)
    _check_lengths(len(label), "score", len(scores))
    if not np.isfinite(scores).all():
        raise UsageError(argument="score", what="has an infinite number, or none")
    several = _names(measures, "AP")
    chosen = [_of_cases(each) for each in several]
    asked = {str(each): one.name for each, one in zip(several, chosen, strict=True)}
    blocks = _Blocks.of(label, is_known, scores if higher_is_better else -scores)
    rest = _OpenCases(blocks, {measure.name: measure for measure in chosen})
    bounds = {name: blocks.bounds(measure) for name, measure in rest.measures.items()}
    described = describe_conventions(
        truth="1, 0 or none", best=None if higher_is_better else "lowest score"
    )
    gaps = int(np.count_nonzero(~is_known))
    return LabelBounds(bounds, gaps, len(label), "case", described, asked, rest)


def _of_cases(name: str | Measure) -> Measure:
    """A measure of scored cases that has bounds."""
    known = {"roc_auc": "AUC", "average_precision": "AP"}
    try:
        measure = find(known.get(str(name), name))
    except MeasureError:
        check_choice("measures", str(name), _OF_CASES)
        raise
    head, given = measure.declaration.name, measure.parameters
    is_plain = head in ("AP", "AUC") and measure.name == head
    is_cut = head in ("P", "R") and given.get("cutoff") is not None
    if not (is_plain or is_cut or head == "MaxF") or given["grade"] != 1:
        check_choice("measures", str(name), _OF_CASES)
    return measure


def _labels(argument: str, given: object) -> tuple[Int64, Bool]:
    """The labels of a column, and where there are some."""
    if not is_column(given):
        raise UsageError(argument=argument, allowed="a column of 1, 0 and None;", got=given)
    column = list(given)
    is_known = np.array([has_value(value) for value in column], np.bool_)
    label = np.zeros(len(column), np.int64)
    for place in np.flatnonzero(is_known).tolist():
        if column[place] not in (0, 1):
            raise UsageError(
                argument=f"{argument}[{place}]", allowed="1, 0 or None;", got=column[place]
            )
        label[place] = int(column[place])
    if not len(column):
        raise UsageError(argument=argument, got=Fact("nothing"), allowed="one label or more")
    return label, is_known


def _names(measures: object, example: str) -> list[str | Measure]:
    """The measures that were asked for."""
    several = [measures] if isinstance(measures, str | Measure) else measures
    if not isinstance(several, Iterable) or isinstance(several, Mapping):
        raise UsageError(argument="measures", allowed=f"names, such as {example!r};", got=measures)
    names = list(several)
    check_some("measures", names, f"name at least one, such as {example!r}")
    return names


def _check_lengths(size: int, argument: str, other: int) -> None:
    if size != other:
        raise UsageError(
            argument=argument, allowed=f"one for each of {size} labels;", got=Fact(f"{other}")
        )


def _of_counts(measure: Measure, cells: list[int], gaps: list[int]) -> LabelRange:
    tp, fp, fn, tn = cells
    inside, outside = gaps
    lowest, highest, is_undefined = np.nan, np.nan, False
    tables = (inside + 1) * (outside + 1)
    is_large = tables > _TABLES
    if is_large and measure.declaration.name not in _AT_CORNERS:
        raise UsageError(
            argument="measures",
            got=measure.name,
            what=f"needs {tables:,} tables of counts, which are more than {_TABLES:,}",
            remedy="ask for P, R, F or another measure whose extremes are at the corners",
        )
    for a, b in _pairs(inside, outside, is_large):
        values = measure.of_table(Counts(tp + a, fp + inside - a, fn + b, tn + outside - b))
        lowest = np.fmin(lowest, np.fmin.reduce(values))
        highest = np.fmax(highest, np.fmax.reduce(values))
        is_undefined |= bool(np.isnan(values).any())
    return LabelRange(float(lowest), float(highest), is_undefined)


def _pairs(inside: int, outside: int, is_large: bool) -> Iterator[tuple[Int64, Int64]]:
    """The numbers of relevant items to try, some at a time."""
    if is_large:
        # A corner without a relevant item, or with nothing else, may be undefined: also beside it.
        near = np.array([0, min(1, inside), max(inside - 1, 0), inside])
        far = np.array([0, min(1, outside), max(outside - 1, 0), outside])
        yield np.repeat(near, 4), np.tile(far, 4)
        return
    size = (inside + 1) * (outside + 1)
    for first in range(0, size, _TOGETHER):
        a, b = np.divmod(np.arange(first, min(first + _TOGETHER, size)), outside + 1)
        yield a, b


@dataclass(frozen=True, slots=True, eq=False)
class _OpenItems:
    """Decided items: their table of counts, how many accepted and rejected ones have no label, and
    the place of the first of each.
    """

    cells: list[int]
    gaps: list[int]
    first: list[int]
    measures: Mapping[str, Measure]

    def judge_next(self, name: str) -> NextCase | None:
        """The item whose label narrows the bounds of a measure most."""
        measure = self.measures[name]
        width = _width(_of_counts(measure, self.cells, self.gaps))
        tried = []
        for side in (0, 1):
            if not self.gaps[side]:
                continue
            gaps = [count - (at == side) for at, count in enumerate(self.gaps)]
            # Cells are tp, fp, fn, tn: an accepted item joins the first two.
            with_label = [
                [count + (at == 2 * side + other) for at, count in enumerate(self.cells)]
                for other in (0, 1)
            ]
            most = max(_width(_of_counts(measure, cells, gaps)) for cells in with_label)
            tried.append(NextCase(self.first[side], width, most))
        return min(tried, key=lambda each: each.at_most, default=None)


@dataclass(frozen=True, slots=True, eq=False)
class _OpenCases:
    """Scored cases, of which some have no label."""

    blocks: _Blocks
    measures: Mapping[str, Measure]

    def judge_next(self, name: str) -> NextCase | None:
        """The case whose label narrows the bounds of a measure most."""
        blocks, measure = self.blocks, self.measures[name]
        own = np.flatnonzero(blocks.unjudged)
        if not len(own):
            return None
        width = _width(blocks.bounds(measure))
        cost = len(blocks.size)
        if name == "AP" and blocks.is_tied:
            cost = max(cost, int(blocks.unjudged.sum()) ** 2)
        elif measure.declaration.name == "MaxF":
            cost *= _HALVES
        own = own[: max(_TRIED // cost, 1)]
        most = np.array(
            [
                max(_width(blocks.with_label(block, label).bounds(measure)) for label in (0, 1))
                for block in own.tolist()
            ]
        )
        # Widths that differ by rounding are equal, and the topmost case is first.
        best = int(np.argmax(most <= most.min() + 1e-12))
        return NextCase(int(blocks.first[own[best]]), width, float(most[best]))


def _width(found: LabelRange) -> float:
    return float(np.nan_to_num(found.highest - found.lowest))


@dataclass(frozen=True, slots=True, eq=False)
class _Blocks:
    """Cases by score, best first: those of equal score are a block. `first` is the place of the
    first case of each block that has no label, among those that were given.
    """

    size: Int64
    relevant: Int64
    unjudged: Int64
    first: Int64

    @classmethod
    def of(cls, label: Int64, is_known: Bool, scores: Float64) -> _Blocks:
        """The blocks of cases."""
        order = np.argsort(-scores, kind="stable")
        lead = np.flatnonzero(np.diff(scores[order], prepend=np.nan) != 0)
        start = np.append(lead, len(order))
        is_open = ~is_known[order]
        place = np.where(is_open, order, len(order))
        return cls(
            np.diff(start),
            integer_sums_of_parts((label * is_known)[order], start),
            integer_sums_of_parts(is_open.astype(np.int64), start),
            np.minimum.reduceat(place, lead),
        )

    @property
    def end(self) -> Int64:
        """The last rank of each block."""
        return np.cumsum(self.size)

    @property
    def is_tied(self) -> bool:
        """Whether a case without a label shares its score."""
        return bool(((self.unjudged > 0) & (self.size > 1)).any())

    def with_label(self, block: int, label: int) -> _Blocks:
        """The same, with a label of one more case of a block."""
        step = (np.arange(len(self.size)) == block).astype(np.int64)
        return replace(self, relevant=self.relevant + label * step, unjudged=self.unjudged - step)

    def bounds(self, measure: Measure) -> LabelRange:
        """The bounds of a measure."""
        given = measure.parameters
        match measure.declaration.name:
            case "AP":
                return self.average_precision()
            case "AUC":
                return self.area()
            case "MaxF":
                return self.greatest_f(f_of(given["beta"], given["alpha"]))
            case name:
                return self.within(given["cutoff"], is_share_of_relevant=name == "R")

    def within(self, cutoff: int, is_share_of_relevant: bool) -> LabelRange:
        """P@k and R@k: a case counts as much as of its block is within the cutoff."""
        share = np.clip(cutoff - self.end + self.size, 0, self.size) / self.size
        known, relevant = float(share @ self.relevant), int(self.relevant.sum())
        more = np.repeat(share, self.unjudged)
        if not is_share_of_relevant:
            return _range(np.array([known, known + float(more.sum())]) / cutoff)
        number = relevant + np.arange(len(more) + 1)
        sums = [np.concatenate(([0.0], np.cumsum(each))) for each in (more, more[::-1])]
        with np.errstate(divide="ignore", invalid="ignore"):
            return _range(np.concatenate([(known + each) / number for each in sums]))

    def greatest_f(self, f: Measure) -> LabelRange:
        """The greatest F: at a threshold it is best if all open cases above, and no others, are
        relevant; and worst if the bottommost ones are. With one more of these, F of a threshold
        falls until they reach it, and rises from there. So the greatest one of all thresholds also
        falls, then rises, and its least value is found by halves.
        """
        known, above = np.cumsum(self.relevant), np.cumsum(self.unjudged)
        certain, most = int(known[-1]), int(above[-1])
        if certain + most == 0:
            return LabelRange(np.nan, np.nan, True)

        def greatest(hits: Int64, relevant: Int64) -> float:
            values = f.of_table(Counts(hits, self.end - hits, relevant - hits))
            return float(np.fmax.reduce(values))

        def at(number: int) -> float:
            hits = known + np.maximum(number - (most - above), 0)
            return greatest(hits, np.full(len(hits), certain + number))

        low, high = int(certain == 0), most
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if at(middle) <= at(middle + 1) else (middle + 1, high)
        # Where nothing can be relevant above a threshold, it has no F of its own.
        lacks = certain + above == 0
        highest = greatest(known + above, np.where(lacks, 1, certain + above))
        return LabelRange(at(low), highest, certain == 0)

    def area(self) -> LabelRange:
        """AUC counts pairs, so each label adds what its rank says: of so many relevant cases the
        topmost are best and the bottommost worst.
        """
        total = int(self.end[-1])
        # Ranks from the bottom; cases of a block share the mean of theirs.
        rank = total - self.end + (self.size + 1) / 2
        known = float((rank * self.relevant).sum())
        more = np.repeat(rank, self.unjudged)
        number = np.arange(len(more) + 1) + int(self.relevant.sum())
        ends = []
        for added in (more, more[::-1]):
            sums = known + np.concatenate(([0.0], np.cumsum(added)))
            with np.errstate(divide="ignore", invalid="ignore"):
                ends.append(
                    (sums - number * (number + 1) / 2) / (number * (total - number).astype(float))
                )
        return _range(np.concatenate(ends))

    def average_precision(self) -> LabelRange:
        """AP is the sum of relevant x precision over blocks, over the number of relevant cases."""
        if self.is_tied:
            return self._with_ties()
        own = np.flatnonzero(self.unjudged)
        known = np.cumsum(self.relevant)
        # What a case adds to the precision of relevant ones below it: 1 / rank each.
        lower = _below(self.relevant / self.end)[own]
        index = np.arange(1, len(own) + 1)
        from_top = (known[own] + index) / self.end[own] + lower
        added = _below(self.unjudged / self.end)[own]
        from_bottom = ((known[own] + 1) / self.end[own] + lower + added)[::-1]
        start = float((self.relevant * known / self.end).sum())
        number = int(self.relevant.sum()) + np.arange(len(own) + 1)
        ends = []
        for more in (from_top, from_bottom):
            with np.errstate(divide="ignore", invalid="ignore"):
                ends.append((start + np.concatenate(([0.0], np.cumsum(more)))) / number)
        return _range(np.concatenate(ends))

    def _with_ties(self) -> LabelRange:
        """A relevant case of a block raises the precision of the whole block, so that the topmost
        need not be best: for each number of relevant cases so far, the extreme sum.
        """
        unjudged = int(self.unjudged.sum())
        if unjudged > _TIED:
            raise UsageError(
                argument="truth",
                got=Fact(f"{unjudged:,} cases without a label, of which some share scores"),
                allowed=f"up to {_TIED:,} for AP;",
                remedy="ask for AUC",
            )
        known = np.cumsum(self.relevant)
        ends = []
        for sign in (1.0, -1.0):
            sums, reached = np.zeros(1), 0
            for block in range(len(self.size)):
                more = int(self.unjudged[block])
                own, end = int(self.relevant[block]), int(self.end[block])
                after = np.full(reached + more + 1, -np.inf)
                for taken in range(more + 1):
                    number = np.arange(reached + 1) + taken
                    precision = (known[block] + number) / end
                    np.maximum(
                        after[number],
                        sums + sign * (own + taken) * precision,
                        out=after[taken : taken + reached + 1],
                    )
                sums, reached = after, reached + more
            with np.errstate(divide="ignore", invalid="ignore"):
                ends.append(sign * sums / (known[-1] + np.arange(reached + 1)))
        return _range(np.concatenate(ends))


def _below(values: Float64) -> Float64:
    """For each block the sum over the blocks behind it."""
    return np.asarray(np.cumsum(values[::-1])[::-1] - values, np.float64)


def _range(values: Float64) -> LabelRange:
    return LabelRange(
        float(np.fmin.reduce(values)), float(np.fmax.reduce(values)), bool(np.isnan(values).any())
    )
