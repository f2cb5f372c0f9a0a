"""evaluate() on Spark: the workers measure topics, the driver averages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from precall.core.conventions import Conventions
from precall.core.errors import UsageError
from precall.core.notes import notes_of
from precall.core.rng import Rng, seed_of, suggest_our_names
from precall.evaluation.api import DEFAULT, measures_of, report_of
from precall.evaluation.intervals import with_intervals
from precall.evaluation.report import Report
from precall.measures import Measure
from precall.spark.jobs import translate_errors
from precall.spark.ranked_rows import greatest_grade, ranked_rows
from precall.spark.topic_answers import Answers
from precall.spark.topic_parts import SHAPE, Work


@dataclass(frozen=True, slots=True, eq=False)
class SparkReport(Report):
    """The result of `precall.spark.evaluate`: a `Report` with a DataFrame of runs and topics.

    Parameters
    ----------
    rows : the rows of `topics`, as a table of Arrow.
    session : the Spark session for `topics`.
    """

    rows: Any = field(default=None, compare=False, repr=False)
    session: Any = field(default=None, compare=False, repr=False)

    @property
    def topics(self) -> Any:
        """A DataFrame of Spark with a row for every run and topic, also those not averaged.

        Columns: `run`, `topic`, `in_qrels`, `in_run`, `averaged`; `retrieved`, `relevant` and
        `found` (judged items that were retrieved); `tied` (whether the order of equal scores may
        change a measure); and one for each measure.
        """
        return self.session.createDataFrame(self.rows)


@suggest_our_names
def evaluate(
    runs: object,
    qrels: object,
    measures: str | Measure | Iterable[str | Measure] = DEFAULT,
    *,
    run: str | None = None,
    interval: bool | str = False,
    level: float = 0.95,
    rng: Rng = 0,
    **conventions: Any,
) -> SparkReport:
    """Measure runs against judgements, both DataFrames of Spark.

    The numbers equal those of `pc.evaluate` to the last digit. Rows are grouped by topic and
    sorted; the workers measure them as one machine does, and return a few numbers for each run and
    topic. A topic must fit into the memory of one worker, with about 150 bytes a row.

    Parameters
    ----------
    runs : a DataFrame with columns of topics, items and scores, recognised by their usual names or
        named by `columns=`; or {name: DataFrame}. Ids are strings or integers; an integer equals
        the string of its digits.
    qrels : a DataFrame with columns of topics, items and grades (whole numbers; without such a
        column each grade is 1).
    measures : names (see `precall measures`) or `Measure` objects.
    run : the column that tells runs apart (default: `run`, `run_id`, `system` and the like, if
        there is one).
    interval, level : see `pc.evaluate`.
    rng : seed, Generator or SeedSequence for ties="random" and for intervals that draw random
        numbers.
    conventions : how runs are read, cut, ordered and averaged: ties, topics and the like, as for
        `pc.evaluate`, except that `run` names the column of several runs. ties="input" and
        duplicates="first" and "last" use the order of rows of `collect()`.

    Returns
    -------
    SparkReport
        A `Report` with runs and topics sorted by name, and with `.topics`, a DataFrame.

    Raises
    ------
    DataError
        Ids, scores or grades are null, scores are NaN, grades are not whole, a topic has an item
        twice, or there is no row. The message has the number of faults and the first of them. Also
        if run and qrels have no topic in common (`NoCommonTopic`).

    Notes
    -----
    The value of a topic may depend on other topics only by the greatest grade of the qrels, as in
    ERR. No measure of precall uses more. Spark's own `RankingEvaluator` drops topics without a row
    on both sides, takes ids as numbers, and keeps equal scores in the order of its input lists.

    Examples
    --------
    >>> import precall.spark as spark
    >>> report = spark.evaluate(runs, qrels, ["AP", "nDCG@10"], topics="qrels")  # doctest: +SKIP
    >>> report.mean["AP"], report.notes  # doctest: +SKIP
    >>> report.topics.orderBy("AP").show()  # doctest: +SKIP
    """
    settled = _conventions(conventions).with_topics(False)
    chosen, measured, remarks = measures_of(measures, settled.grade)
    seed = seed_of(rng) if settled.ties == "random" or interval else 0
    rows = ranked_rows(runs, qrels, settled, run)
    with translate_errors():
        work = Work(
            chosen, settled, greatest_grade(rows, settled.duplicates), rows.name, rows.whole
        )
        table = rows.frame.mapInArrow(work, SHAPE).toArrow()
    answers = Answers(table, work, seed)
    parts = [answers.of_run(name, rows.said) for name in answers.names]
    described = {"qrels": "qrels", **settled.describe(seed), "scores": settled.score_dtype}
    assumed = (*remarks, *notes_of("qrels", rows.judged_said))
    report = report_of(parts, chosen, measured, settled, described, assumed)
    if interval:
        method = None if interval is True else interval
        report = with_intervals(report, method, level, seed)
    values_by_field = {each.name: getattr(report, each.name) for each in fields(report)}
    return SparkReport(**values_by_field, rows=answers.table(), session=rows.frame.sparkSession)


def _conventions(given: Mapping[str, Any]) -> Conventions:
    names = [choice.name for choice in fields(Conventions)]
    for name in given:
        if name not in names:
            raise UsageError("is not known here", argument=name, allowed=names)
    if given.get("drop_self"):
        raise UsageError(
            argument="drop_self",
            what="is not of Spark",
            remedy="filter the rows of the runs first: runs.filter('topic != item')",
        )
    return Conventions(**given)
