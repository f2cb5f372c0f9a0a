"""The sum behind a value, step by step: which cases or items add how much to AP, nDCG or AUC."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isclose
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from precall.core.errors import Among, DataError, MeasureError, Mistake
from precall.core.ragged import Float64, Int64
from precall.measures import Measure
from precall.measures.diversity import gains as gains_of_subtopics
from precall.measures.gains import discount, gain_of, ideal_dcg, scale_of
from precall.measures.registry import find

if TYPE_CHECKING:
    from precall.cases import Curve

#: Levels of recall of the 11-point average.
_LEVELS = 11


class RankedBlocks(NamedTuple):
    """One ranking, best first, in blocks of equal scores: each block stands at the ranks `first` to
    `last`, and has a score and a number of hits. `gain` is there if items have grades.
    """

    first: Int64
    last: Int64
    score: Float64
    hits: Int64
    relevant: int
    items: Sequence[str] = ()
    grade: Float64 | None = None
    ideal: float = np.nan
    subtopics: Int64 | None = None

    @property
    def size(self) -> Int64:
        """Number of items in each block."""
        return self.last - self.first + 1

    @property
    def found(self) -> Int64:
        """Hits up to and including each block."""
        return np.cumsum(self.hits)

    def within(self, cutoff: int | None) -> Float64:
        """Hits of each block in the first ranks; if the cutoff goes through it, their mean over
        random orders.
        """
        if cutoff is None:
            return self.hits.astype(np.float64)
        size = self.size
        return self.hits * (np.clip(cutoff - self.first + 1, 0, size) / size)


class Bars(NamedTuple):
    """Rectangles side by side, whose area is the value or proportional to it. The upper edge goes
    from `start` to `end`.
    """

    across: str
    upwards: str
    left: Float64
    right: Float64
    start: Float64
    end: Float64


class Terms(NamedTuple):
    """Terms of a sum, one for each row; columns that explain them; and what one step adds."""

    rule: str
    columns: Mapping[str, Sequence[Any] | np.ndarray[Any, Any]]
    terms: Float64
    facts: Mapping[str, float]
    bars: Bars | None = None


@dataclass(frozen=True, slots=True, eq=False)
class MeasureSteps:
    """A value and the sum that it is.

    Attributes
    ----------
    measure : its name.
    value : the value, as `evaluate` or a curve gives it.
    rule : what a step adds, in a sentence.
    facts : numbers that all steps share, such as the relevant items R.
    columns : by name; `rank` is the last one of a block of `cases` of equal score, `term` what a
        step adds, and `sum` what there is after it.
    bars : the picture of the terms, if they have one.
    """

    measure: str
    value: float
    rule: str
    facts: Mapping[str, float]
    columns: Mapping[str, list[Any]]
    bars: Bars | None

    def __len__(self) -> int:
        return len(self.columns["term"])


def steps_of_curve(curve: Curve, measure: str | Measure) -> MeasureSteps:
    """The steps to the value of a measure with the cases of a curve as one ranking.

    Equal scores are one block, as in `curve.value(measure)`: a measure that needs the order inside
    a block is its mean over random orders.

    Raises
    ------
    MeasureError
        The measure is no sum over steps, or cases have no such measure.

    Examples
    --------
    >>> from precall import curve
    >>> steps = steps_of_curve(curve([1, 0, 1], [3, 2, 1]), "AP")
    >>> steps.columns["term"], steps.value
    ([0.5, 0.0, 0.3333333333333333], 0.8333333333333333)
    """
    from precall.cases.points import measure_of_curves

    chosen = measure_of_curves(measure)
    make = _maker(chosen, _OF_CASES)
    value = curve.value(chosen)
    curve.hits()  # refuses real weights, which have no ranks
    hits, accepted = np.diff(curve.tp), (curve.tp + curve.fp).astype(np.int64)
    blocks = RankedBlocks(
        accepted[:-1] + 1,
        accepted[1:],
        curve.threshold[1:].astype(np.float64),
        hits,
        int(curve.relevant),
    )
    return _finish(chosen, value, make(blocks, chosen, value))


def steps_of_run(qrels: object, run: object, topic: str, measure: str | Measure) -> MeasureSteps:
    """The steps to the value that a run has for one topic, as `evaluate` gives it.

    Raises
    ------
    MeasureError
        The measure is no sum over steps.
    DataError
        Judgements and run do not both have the topic.

    Examples
    --------
    >>> qrels, run = {"q": {"a": 2, "b": 1}}, {"q": {"b": 2.0, "x": 1.5, "a": 1.0}}
    >>> steps = steps_of_run(qrels, run, "q", "DCG")
    >>> steps.columns["item"], steps.columns["term"], steps.value
    (['b', 'x', 'a'], [1.0, 0.0, 1.0], 2.0)
    """
    from precall.location import locate
    from precall.location.subtopics import read_judged
    from precall.read.readers import read_qrels, read_run

    chosen = find(measure)
    chosen = chosen if chosen.of_subtopics else chosen.of_rankings()
    make = _maker(chosen, _OF_RUNS)
    scored = read_run(run)
    if chosen.of_subtopics:
        by_subtopic = read_judged(qrels, 1, "error")
        located = replace(locate(by_subtopic.qrels, scored), subtopics=by_subtopic)
    else:
        located = locate(read_qrels(qrels), scored)
    known = [
        name
        for name, there in zip(
            located.topics.tolist(), (located.in_run & located.in_qrels).tolist(), strict=True
        )
        if there
    ]
    if topic not in known:
        raise DataError(
            [
                Mistake(
                    "no such topic in both files",
                    "name one of them",
                    got=topic,
                    allowed=Among("they have", known),
                ).of(scored.source)
            ]
        )
    one = located.select(np.array([located.topics.tolist().index(topic)]))
    value = float(chosen(one)[0])
    at = scored.topics.tolist().index(topic)
    start, end = int(scored.row_start[at]), int(scored.row_start[at + 1])
    ids = scored.items.take(np.arange(start, end)).tolist()
    key = scored.sort_key[start:end]
    # Equal scores stand by id, greatest first, as in trec_eval.
    order = sorted(range(end - start), key=lambda row: (key[row], ids[row].encode()), reverse=True)
    grade = np.full(end - start, -1, one.grade.dtype)
    grade[one.row - start] = one.grade
    grade, rank = grade[order], np.arange(1, end - start + 1)
    gains = {name: chosen.parameters[name] for name in _GAINS if name in chosen.parameters}
    earned, ideal = None, np.nan
    if gains:
        earned = gain_of(grade, scale=scale_of(one, gains["gain"]), **gains)
        ideal = float(ideal_dcg(one, cutoff=chosen.parameters["cutoff"], **gains)[0])
    relevant_to: Int64 | None = None
    if one.subtopics is not None:
        covered = one.subtopics.cover(one).rankings[0]
        earned, relevant_to = np.zeros(end - start), np.zeros(end - start, np.int64)
        alpha = chosen.parameters.get("alpha", _ALPHA)
        if len(covered.rank):
            earned[covered.rank - 1] = gains_of_subtopics(covered.retrieved, alpha)
            relevant_to[covered.rank - 1] = covered.retrieved.sum(axis=1)
    least = chosen.parameters.get("grade", 1)
    blocks = RankedBlocks(
        rank,
        rank,
        scored.score[start:end][order],
        (grade >= least).astype(np.int64),
        int(one.total(least)[0]),
        [ids[row] for row in order],
        earned,
        ideal,
        relevant_to,
    )
    return _finish(chosen, value, make(blocks, chosen, value))


_GAINS = ("gain", "gains")
#: Alpha of measures of diversity that have no such parameter.
_ALPHA = 0.5


def _finish(measure: Measure, value: float, made: Terms) -> MeasureSteps:
    running = np.cumsum(made.terms)
    if value != value:
        raise MeasureError(
            measure=measure.name,
            what=f"is undefined here: {measure.declaration.undefined}",
            remedy="there are no steps to show",
        )
    if not isclose(float(running[-1]) if len(running) else 0.0, value, rel_tol=1e-9, abs_tol=1e-12):
        raise _no_steps(measure, _OF_CASES)
    # The value is the sum added in the library's order, whose last digit may differ.
    last = np.flatnonzero(made.terms)
    running[last[-1] if len(last) else len(running) :] = value
    columns = {**made.columns, "term": made.terms, "sum": running}
    return MeasureSteps(
        measure.name,
        value,
        made.rule,
        made.facts,
        {
            name: column.tolist() if isinstance(column, np.ndarray) else list(column)
            for name, column in columns.items()
        },
        made.bars,
    )


def _rows(blocks: RankedBlocks) -> dict[str, Any]:
    """The columns that every sum over ranks begins with."""
    single = bool((blocks.size == 1).all())
    return {
        "rank": blocks.last,
        **({"item": blocks.items} if blocks.items else {}),
        "score": blocks.score,
        **({} if single else {"cases": blocks.size}),
        "relevant": blocks.hits,
    }


def _average_precision(blocks: RankedBlocks, measure: Measure, value: float) -> Terms:
    cutoff, norm = measure.parameters["cutoff"], measure.parameters["norm"]
    within = blocks.within(cutoff)
    whole = {
        "relevant": blocks.relevant,
        "min": blocks.relevant if cutoff is None else min(cutoff, blocks.relevant),
        "found": float(within.sum()),
    }[norm]
    name = {"relevant": "R", "min": "min(k, R)", "found": "the hits found"}[norm]
    # A curve accepts a block as a whole only if AP has no parameters; see `Curve.value`.
    as_block = measure.name == "AP" or bool((blocks.size == 1).all())
    precision = blocks.found / blocks.last
    if as_block:
        gained = within * precision
    else:
        gained = _mean_over_orders(blocks, cutoff)
        precision = np.divide(gained, within, out=np.zeros(len(within)), where=within > 0)
    terms = _over(gained, whole)
    width = _over(within, whole)
    right = np.cumsum(width)
    bars = Bars("recall", "precision", right - width, right, precision, precision)
    rule = f"Each step adds its hits x precision / {name}."
    if not as_block:
        rule += " Precision is the mean at the hits, over random orders of equal scores."
    columns = {**_rows(blocks), "hits_so_far": blocks.found, "precision": precision}
    return Terms(rule, columns, terms, _facts(R=blocks.relevant, k=cutoff), bars)


def _mean_over_orders(blocks: RankedBlocks, cutoff: int | None) -> Float64:
    """The sum of the precision at the hits of each block, as its mean over random orders; see
    `Hits.precision_sum`.
    """
    gained = np.zeros(len(blocks.hits))
    rows = zip(*(column.tolist() for column in blocks[:2]), blocks.hits.tolist(), strict=True)
    earlier = 0
    for row, (first, last, hits) in enumerate(rows):
        end = last if cutoff is None else min(last, cutoff)
        if hits and end >= first:
            size, rank = last - first + 1, np.arange(first, end + 1)
            more = (hits - 1) / max(size - 1, 1)
            gained[row] = hits / size * float(np.sum((earlier + 1 + (rank - first) * more) / rank))
        earlier += hits
    return gained


def _over(sums: Any, whole: float) -> Float64:
    """A quotient that is undefined, not a warning, if there is nothing to divide by."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.asarray(sums, np.float64) / np.float64(whole))


def _facts(**facts: float | None) -> dict[str, float]:
    return {name: number for name, number in facts.items() if number is not None}


def _of_hits(
    blocks: RankedBlocks, cutoff: int | None, each: float, rule: str, **facts: Any
) -> Terms:
    """A sum in which every hit in the first ranks counts the same."""
    within = blocks.within(cutoff)
    ends = np.minimum(blocks.last, np.inf if cutoff is None else cutoff)
    columns = {**_rows(blocks), "hits_so_far": np.cumsum(within)}
    columns["precision"] = columns["hits_so_far"] / ends
    return Terms(rule, columns, _over(within, each), _facts(R=blocks.relevant, k=cutoff, **facts))


def _precision(blocks: RankedBlocks, measure: Measure, value: float) -> Terms:
    k = measure.parameters["cutoff"]
    return _of_hits(blocks, k, k, "Each hit in the first k ranks adds 1 / k.")


def _recall(blocks: RankedBlocks, measure: Measure, value: float) -> Terms:
    k = measure.parameters["cutoff"]
    return _of_hits(blocks, k, blocks.relevant, "Each hit in the first k ranks adds 1 / R.")


def _r_precision(blocks: RankedBlocks, measure: Measure, value: float) -> Terms:
    if measure.parameters["mult"] != 1:
        raise _no_steps(measure, _OF_CASES)
    r = blocks.relevant
    return _of_hits(blocks, r, r, "Each hit in the first R ranks adds 1 / R.")


def _f(blocks: RankedBlocks, measure: Measure, value: float) -> Terms:
    k, alpha, beta = (measure.parameters[name] for name in ("cutoff", "alpha", "beta"))
    square = beta**2 if alpha is None else (1 - alpha) / alpha
    each = (k + square * blocks.relevant) / (1 + square)
    rule = "Each hit in the first k ranks adds (1 + b^2) / (k + b^2 R), with b = beta."
    return _of_hits(blocks, k, each, rule, beta=square**0.5)


def _reciprocal_rank(blocks: RankedBlocks, measure: Measure, value: float) -> Terms:
    cutoff = measure.parameters["cutoff"]
    terms = np.zeros(len(blocks.hits))
    near = np.ones(len(terms), bool) if cutoff is None else blocks.first <= cutoff
    first = np.flatnonzero((blocks.hits > 0) & near)[:1]
    # Several orders of a block are possible: their mean is the library's.
    terms[first] = value
    rule = "Only the first hit counts, and adds 1 / rank."
    if len(first) and blocks.size[first[0]] > 1:
        rule += " Equal scores: the mean over random orders."
    return Terms(rule, _rows(blocks), terms, _facts(R=blocks.relevant, k=cutoff))


def _roc_area(blocks: RankedBlocks, measure: Measure, value: float) -> Terms:
    usual = {"method": "trapezoid", "max_fpr": None, "mcclish": False, "population": None}
    if any(measure.parameters[name] != given for name, given in usual.items()):
        raise _no_steps(measure, _OF_CASES)
    others = blocks.size - blocks.hits
    total = int(others.sum())
    below = total - np.cumsum(others)
    won = blocks.hits * (below + others / 2)
    fpr = np.cumsum(others) / max(total, 1)
    recall = _over(blocks.found, blocks.relevant)
    before = recall - _over(blocks.hits, blocks.relevant)
    columns = {**_rows(blocks), "others": others, "others_below": below, "pairs_won": won}
    return Terms(
        (
            "Each relevant case wins against every other case below it, and half against those of "
            "equal score: pairs won / (R x N)."
        ),
        columns,
        _over(won, blocks.relevant * total),
        _facts(R=blocks.relevant, N=total),
        Bars("false positive rate", "recall", fpr - others / max(total, 1), fpr, before, recall),
    )


def _eleven_point(blocks: RankedBlocks, measure: Measure, value: float) -> Terms:
    from precall.location.hits import ceiling

    r = blocks.relevant
    precision = np.where(blocks.hits > 0, blocks.found / blocks.last, 0.0)
    rows: list[tuple[float, int, float, Any, float]] = []
    for level in range(_LEVELS):
        needed = int(ceiling(level / 10, np.array([r]))[0])
        # The greatest precision from the needed hits on.
        at = np.where(blocks.found >= max(needed, 1), precision, 0.0)
        row = int(np.argmax(at)) if len(at) else 0
        best = float(at[row]) if len(at) else 0.0
        rows.append((level / 10, needed, best, int(blocks.last[row]) if best else None, 0.0))
    recall, needed_hits, best_of, rank, _ = zip(*rows, strict=True)
    height, edges = np.array(best_of), np.arange(_LEVELS + 1) / _LEVELS
    columns: dict[str, Any] = {
        "recall": recall,
        "hits_needed": needed_hits,
        "precision": height,
        "at_rank": rank,
    }
    rule = (
        "Each level of recall adds the greatest precision at it or beyond it, divided by 11: with "
        "at least the hits needed."
    )
    bars = Bars("11 levels of recall, 0 to 1", "precision", edges[:-1], edges[1:], height, height)
    return Terms(rule, columns, height / _LEVELS, _facts(R=r), bars)


def _discounted(blocks: RankedBlocks, measure: Measure, value: float) -> Terms:
    cutoff, earned = measure.parameters["cutoff"], blocks.grade
    assert earned is not None
    divisor = discount(blocks.last)
    counts = blocks.last <= (cutoff or len(earned))
    gained = np.where(counts, earned / divisor, 0.0)
    is_ratio = measure.declaration.name == "nDCG"
    terms = _over(gained, blocks.ideal) if is_ratio else gained
    rule = "Each step adds gain / discount, which is log2(rank + 1)"
    rule += ", divided by the DCG of the best ranking." if is_ratio else "."
    columns = {**_rows(blocks), "gain": earned, "discount": divisor}
    del columns["relevant"]
    ideal = {"DCG of the best ranking": blocks.ideal} if is_ratio else {}
    edge = blocks.last.astype(np.float64)
    bars = Bars("rank", "term", edge - 1, edge, terms, terms)
    return Terms(rule, columns, terms, {**_facts(k=cutoff), **ideal}, bars)


def _of_subtopics(blocks: RankedBlocks, measure: Measure, value: float) -> Terms:
    cutoff, earned = measure.parameters["cutoff"], blocks.grade
    assert earned is not None
    name = measure.declaration.name
    by_rank = name in ("ERR_IA", "nERR_IA")
    divisor = blocks.last.astype(np.float64) if by_rank else discount(blocks.last)
    gained = np.where(blocks.last <= cutoff, earned / divisor, 0.0)
    total = float(np.sum(gained))
    # Of the library, which divides the same sum by it; without a gain it does not matter.
    best = total / value if value else np.nan
    ideal = "best ranking" if name in ("alpha_nDCG", "nERR_IA") else "ideal ranking"
    rule = (
        "An item gains 1 for each of its subtopics, times 1 - alpha for each earlier item of that "
        "subtopic. Each step adds gain / discount, which is "
        f"{'the rank' if by_rank else 'log2(rank + 1)'}, divided by the sum of the {ideal}."
    )
    columns = {
        **_rows(blocks),
        "subtopics": blocks.subtopics,
        "gain": earned,
        "discount": divisor,
    }
    del columns["relevant"]
    terms = gained / best if value else gained
    facts = {f"sum of the {ideal}": best} if value else {}
    edge = blocks.last.astype(np.float64)
    bars = Bars("rank", "term", edge - 1, edge, terms, terms)
    return Terms(rule, columns, terms, {**_facts(k=cutoff), **facts}, bars)


TermsOf: TypeAlias = Callable[[RankedBlocks, Measure, float], Terms]
_OF_BOTH: dict[str, TermsOf] = {
    "AP": _average_precision,
    "P": _precision,
    "R": _recall,
    "F": _f,
    "Rprec": _r_precision,
    "RR": _reciprocal_rank,
    "IAP": _eleven_point,
}
#: Measures that are sums over steps, by what they are of.
_OF_CASES: dict[str, TermsOf] = {**_OF_BOTH, "AUC": _roc_area}
_OF_RUNS: dict[str, TermsOf] = {**_OF_BOTH, "DCG": _discounted, "nDCG": _discounted}
_OF_RUNS |= dict.fromkeys(("alpha_DCG", "alpha_nDCG", "ERR_IA", "nERR_IA"), _of_subtopics)
#: How they are written.
_USAGE = {"P": "P@k", "R": "R@k", "F": "F@k"}


def _maker(measure: Measure, makers: Mapping[str, TermsOf]) -> TermsOf:
    make = makers.get(measure.declaration.name)
    needs_cutoff = measure.declaration.name in _USAGE
    if make is None or (needs_cutoff and measure.parameters.get("cutoff") is None):
        raise _no_steps(measure, makers)
    return make


def _no_steps(measure: Measure, makers: Mapping[str, TermsOf]) -> MeasureError:
    allowed = [_USAGE.get(name, name) for name in makers]
    other, where = (
        (_OF_RUNS, "a run (--qrels)") if makers is _OF_CASES else (_OF_CASES, "cases (--label)")
    )
    elsewhere = measure.declaration.name in other and measure.declaration.name not in makers
    what = "{got} has steps for " + where if elsewhere else "no steps are known for {got}"
    return MeasureError(what, got=measure.name, allowed=allowed)
