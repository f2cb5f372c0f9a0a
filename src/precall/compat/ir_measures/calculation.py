"""ir_measures' `calc_aggregate`, `iter_calc`, `calc` and `evaluator`, with our numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import numpy as np

from precall.compat.ir_measures.names import parse_measure
from precall.compat.ir_measures.objects import Measure, computes
from precall.compat.ir_measures.origins import Origin, Placed, origin
from precall.compat.ir_measures.records import CalcResults, Metric, judgements, run_of
from precall.core.arguments import check_choice, check_kind
from precall.core.conventions import UNDEFINED
from precall.core.errors import DataError
from precall.core.notes import warn
from precall.core.notes.of_reading import OneSubtopic
from precall.core.undefined import undefined_for_topic


@computes
class Evaluator:
    """Measures and judgements, to evaluate several runs with.

    Parameters
    ----------
    measures : measures, or their names.
    qrels : judgements; see `calc_aggregate`.
    undefined : how undefined values are treated; see `calc_aggregate`.
    """

    def __init__(
        self, measures: Iterable[object], qrels: object, *, undefined: str | None = None
    ) -> None:
        if undefined is not None:
            check_choice("undefined", undefined, UNDEFINED)
        self.measures: list[Any] = [
            each if hasattr(each, "validate_params") else parse_measure(each)
            for each in check_kind(
                "measures", measures, Iterable, "a list of measures, or of their names"
            )
        ]
        defined = [each for each in dict.fromkeys(self.measures) if hasattr(each, "runtime_impl")]
        ours = [each for each in self.measures if each not in defined]
        self._origins = {each: origin(parse_measure(repr(each))) for each in ours}
        self._undefined = undefined
        self._defined = None
        if defined:
            from precall.compat.ir_measures.defining import DefinedEvaluator

            qrels = list(qrels) if isinstance(qrels, Iterator) else qrels
            self._defined = DefinedEvaluator(defined, qrels)
        # Functions of users may take judgements in a form of their own, so ours are read only if
        # needed.
        self._judged = judgements(qrels if ours or not defined else {})
        judged = self._judged.qrels
        if any(how.grade is not None for how in self._origins.values()):
            self._check_subtopics()
        self.qrel_qids: list[str] = [] if judged is None else judged.topics.tolist()
        if not ours and self._defined is not None:
            self.qrel_qids = self._defined.qrel_qids

    def _check_subtopics(self) -> None:
        if len({row[1] for row in self._judged.rows}) == 1:
            warn(OneSubtopic("qrels"))

    def iter_calc(self, run: object) -> Iterator[Metric]:
        """The value of every measure for every topic of the qrels.

        Topics of the run come first, in its order.
        """
        if self._defined is None:
            return self._of_ours(run)
        run = list(run) if isinstance(run, Iterator) else run
        return chain(self._of_ours(run) if self._origins else (), self._defined.iter_calc(run))

    def _of_ours(self, run: object) -> Iterator[Metric]:
        scored = run_of(run)
        if self._judged.qrels is None:
            return
        placed = None if scored is None else Placed(self._judged, self._judged.qrels, scored)
        seen = set(() if placed is None else placed.topics)
        missing = sorted(topic for topic in self.qrel_qids if topic not in seen)
        for measure, how in self._origins.items():
            if placed is not None and placed.topics:
                yield from self._of_run(measure, how, placed)
        for measure in sorted(self._origins, key=repr):
            if not self._origins[measure].omitted:
                yield from (Metric(topic, measure, measure.DEFAULT) for topic in missing)

    def _of_run(self, measure: Measure, how: Origin, placed: Placed) -> Iterator[Metric]:
        values = placed.values(how)
        missing = np.isnan(values)
        as_there = self._undefined is None
        if self._undefined == "error" and missing.any():
            raise _undefined_in(
                measure, [placed.topics[row] for row in np.flatnonzero(missing).tolist()]
            )
        zero = self._undefined == "zero" or (as_there and not how.omitted)
        for topic, value in zip(
            placed.topics, np.where(missing & zero, 0.0, values).tolist(), strict=True
        ):
            if not (as_there and math.isnan(value)):
                yield Metric(topic, measure, value)

    def calc_aggregate(self, run: object) -> dict[Any, float]:
        """One number per measure for all topics."""
        return self.calc(run).aggregated  # type: ignore[no-any-return]

    def calc(self, run: object) -> CalcResults:
        """The aggregated numbers, and the values of each topic."""
        metrics = list(self.iter_calc(run))
        gathered = {measure: measure.aggregator() for measure in self.measures}
        for metric in metrics:
            if not math.isnan(metric.value):
                gathered[metric.measure].add(metric.value)
        return CalcResults(
            {measure: aggregator.result() for measure, aggregator in gathered.items()}, metrics
        )


def _undefined_in(measure: Measure, topics: list[str]) -> DataError:
    mistake = undefined_for_topic(repr(measure), topics[0])
    if len(topics) > 1:
        mistake = mistake.suffix(" and {others} more", others=len(topics) - 1)
    return mistake.advise("remove it, or pass ⟨undefined='zero' or 'omit'⟩").error("run")


def evaluator(
    measures: Iterable[object], qrels: object, *, undefined: str | None = None
) -> Evaluator:
    """An evaluator of several runs against the same judgements; see `calc_aggregate`.

    Examples
    --------
    >>> from precall.compat.ir_measures import AP
    >>> several = evaluator([AP], {"q1": {"d1": 1}})
    >>> [several.calc_aggregate(run)[AP] for run in ({"q1": {"d1": 1.0}}, {"q1": {"d2": 1.0}})]
    [1.0, 0.0]
    """
    return Evaluator(measures, qrels, undefined=undefined)


def iter_calc(
    measures: Iterable[object], qrels: object, run: object, *, undefined: str | None = None
) -> Iterator[Metric]:
    """The value of every measure for every topic; see `calc_aggregate`.

    Examples
    --------
    >>> next(iter_calc(["P@5"], {"q1": {"d1": 1}}, {"q1": {"d1": 1.0}}))
    Metric(query_id='q1', measure=P@5, value=0.2)
    """
    return evaluator(measures, qrels, undefined=undefined).iter_calc(run)


def calc_aggregate(
    measures: Iterable[object], qrels: object, run: object, *, undefined: str | None = None
) -> dict[Any, float]:
    """One number per measure for all topics of the qrels.

    Parameters
    ----------
    measures : measures, or their names.
    qrels : {topic: {item: grade}}, a data frame or rows with `query_id`, `doc_id`, `relevance` (and
        `iteration`, the subtopic), or what `precall.read_qrels` takes as a path.
    run : {topic: {item: score}}, a data frame or rows with `query_id`, `doc_id`, `score`, or a
        path.
    undefined : how a topic is treated if the measure is undefined for it: it counts as "zero"; it
        is NaN and left out of the mean ("omit"); or it is an "error". The default is that of
        ir_measures: 0, except for `Accuracy`, which has no value for such topics.

    Notes
    -----
    Every topic of the qrels counts; a topic that the run lacks is 0 (also in NumRel). Sums and
    means are correctly rounded. docs/coming-from/ir_measures.md says which tool's number a measure
    is, and how it orders items of equal score.

    Raises
    ------
    MeasureError
        A measure is not known, or its parameters are not allowed.
    DataError
        The qrels or the run are malformed.

    Examples
    --------
    >>> from precall.compat.ir_measures import AP, nDCG
    >>> qrels = {"q1": {"d1": 0, "d2": 1}, "q2": {"d2": 1}}
    >>> calc_aggregate([AP, nDCG@10], qrels, {"q1": {"d1": 1.5, "d2": 1.0}})
    {AP: 0.25, nDCG@10: 0.31546487678572877}
    """
    return evaluator(measures, qrels, undefined=undefined).calc_aggregate(run)


def calc(
    measures: Iterable[object], qrels: object, run: object, *, undefined: str | None = None
) -> CalcResults:
    """Aggregated numbers and values by topic; see `calc_aggregate`.

    The result has `aggregated`, one number per measure, and `per_query`, a list.

    Examples
    --------
    >>> both = calc(["P@5"], {"q1": {"d1": 1}}, {"q1": {"d1": 1.0}})
    >>> both.aggregated, both.per_query
    ({P@5: 0.2}, [Metric(query_id='q1', measure=P@5, value=0.2)])
    """
    return evaluator(measures, qrels, undefined=undefined).calc(run)
