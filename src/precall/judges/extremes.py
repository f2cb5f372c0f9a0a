"""Bounds of measures over all labels of what nobody judged; they assume nothing.

- `extremes.decisions(truth, accepted, measures)`: measures of counts;
- `extremes.cases(truth, score, measures)`: AP and AUC of scored cases;
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
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from precall.core.arguments import check_choice, check_column, check_some
from precall.core.conventions import describe_conventions
from precall.core.counts import Counts
from precall.core.errors import Fact, UsageError, key_error
from precall.core.notes import Note
from precall.core.notes.of_judges import LabelsLeaveUndefined, UnjudgedCases
from precall.core.ragged import Bool, Float64, Int64, integer_sums_of_parts
from precall.core.rng import suggest_our_names
from precall.measures.lookup import heads_of, name_among
from precall.measures.registry import Measure, of_counts
from precall.read.values import has_value
from precall.results.base import Presented, Sheet
from precall.results.blocks import Block, Line
from precall.results.equality import Equal

__all__ = ["LabelBounds", "LabelRange", "cases", "decisions"]

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
_OF_CASES = ("AP", "AUC")


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

    # With `__getitem__` alone Python would try to iterate by indices.
    __iter__ = None

    def __getitem__(self, measure: object) -> LabelRange:
        name = name_among(measure, tuple(self.bounds), self.asked)
        if name is None:
            raise key_error(f"measures are {', '.join(self.bounds)}", measure)
        return self.bounds[name]

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
        return (*notes, LabelsLeaveUndefined("", tuple(undefined))) if undefined else tuple(notes)

    def __repr__(self) -> str:
        return f"<LabelBounds: {', '.join(self.bounds)} of {self.total} {self.noun}s>"


def bounds_sheet(found: LabelBounds) -> Sheet:
    """The sheet of bounds over labels."""
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
        found.notes,
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
    return LabelBounds(bounds, sum(gaps), len(label), "item", described, asked)


@suggest_our_names
def cases(
    truth: object,
    score: object,
    measures: str | Measure | Iterable[str | Measure] = ("AP", "AUC"),
    *,
    higher_is_better: bool = True,
) -> LabelBounds:
    """Bounds of the average precision and the area under ROC over all labels of cases without
    one.

    Values are those of `pc.curve(labels, score)`: cases of equal score are accepted together.

    Parameters
    ----------
    truth : 1 or 0 for each case; None or NaN where nobody judged.
    score : the score of each case.
    measures : "AP", "AUC", or both.
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
    asked: dict[str, str] = {}
    for each in several:
        name = name_among(each, _OF_CASES, {"roc_auc": "AUC", "average_precision": "AP"})
        check_choice("measures", name or str(each), _OF_CASES)
        asked[str(each)] = str(name)
    blocks = _Blocks(label, is_known, scores if higher_is_better else -scores)
    make = {"AP": blocks.average_precision, "AUC": blocks.area}
    bounds = {name: make[name]() for name in dict.fromkeys(asked.values())}
    described = describe_conventions(
        truth="1, 0 or none", best=None if higher_is_better else "lowest score"
    )
    gaps = int(np.count_nonzero(~is_known))
    return LabelBounds(bounds, gaps, len(label), "case", described, asked)


def _labels(argument: str, given: object) -> tuple[Int64, Bool]:
    """The labels of a column, and where there are some."""
    is_one = isinstance(given, Iterable) and getattr(given, "ndim", 1) == 1
    if not is_one or isinstance(given, Mapping | str):
        raise UsageError(argument=argument, allowed="a column of 1, 0 and None;", got=given)
    column: list[Any] = list(given)  # type: ignore[call-overload]
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


class _Blocks:
    """Cases by score, best first: those of equal score are a block."""

    def __init__(self, label: Int64, is_known: Bool, scores: Float64) -> None:
        order = np.argsort(-scores, kind="stable")
        lead = np.flatnonzero(np.diff(scores[order], prepend=np.nan) != 0)
        start = np.append(lead, len(order))
        self.size = np.diff(start)
        self.relevant = integer_sums_of_parts((label * is_known)[order], start)
        self.unjudged = integer_sums_of_parts((~is_known)[order].astype(np.int64), start)
        self.end = np.cumsum(self.size)

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
        tied = (self.unjudged > 0) & (self.size > 1)
        if tied.any():
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
