"""Measures that users define by functions of data frames: `define` and `define_byquery`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from precall.compat.ir_measures.objects import Measure, ParamInfo
from precall.compat.ir_measures.records import Metric, Qrel, ScoredDoc, judgements, run_of
from precall.core.errors import Fact, UsageError, require_module
from precall.read.columns import Qrels, Run

RUN_INPUTS = ("query_id", "doc_id", "score")
QREL_INPUTS = ("query_id", "doc_id", "relevance")
_CUTOFF = ParamInfo(int, desc="the ranks that count")


class Defined(Measure):
    """A measure that a function computes."""

    IMPL: ClassVar[Any]
    RUN_INPUTS: ClassVar[Sequence[str]] = RUN_INPUTS
    QREL_INPUTS: ClassVar[Sequence[str]] = QREL_INPUTS

    def runtime_impl(self, qrels: object, run: Any) -> Iterator[Metric]:
        """The value of each topic.

        With a cutoff the function gets the first items of each topic, sorted by score.
        """
        if (cutoff := self.params.get("cutoff")) is not None:
            run = run.groupby("query_id").head(cutoff).reset_index(drop=True)
        for topic, value in type(self).IMPL(qrels, run):
            yield Metric(topic, self, value)

    def __repr__(self) -> str:
        return super().__repr__() if self.NAME else object.__repr__(self)

    # Its class is made at run time and is no attribute of a module, so pickle could not find it.
    __reduce__: Callable[[], tuple[object, ...]] = object.__reduce__  # type: ignore[assignment]


def define(
    impl: Callable[[Any, Any], Iterable[tuple[str, float]]],
    name: str | None = None,
    support_cutoff: bool = True,
    *,
    run_inputs: list[str] | None = None,
    qrel_inputs: list[str] | None = None,
    pretty_name: str | None = None,
    short_desc: str | None = None,
) -> Measure:
    """A measure that is computed by a function of all topics at once.

    Parameters
    ----------
    impl : takes the qrels and the run, pandas frames with `query_id`, `doc_id`, `relevance` and
        `query_id`, `doc_id`, `score`, sorted by topic and (the run) descending score; returns
        (topic, value) pairs. A topic that it leaves out is 0.
    name : the name of the measure.
    support_cutoff : whether `@k` cuts the run.
    run_inputs : the columns of a run that it needs, if not those.
    qrel_inputs : the columns of qrels that it needs, if not those.
    pretty_name : kept as `PRETTY_NAME`.
    short_desc : kept as `SHORT_DESC`.

    Returns
    -------
    Measure
        A measure that `calc_aggregate`, `iter_calc` and `evaluator` take like any other.

    Examples
    --------
    >>> def share_of_first(qrels, run):
    ...     for topic, rows in run.groupby("query_id"):
    ...         yield topic, rows["score"].max() / rows["score"].sum()
    >>> first = define(share_of_first, "First")
    >>> first.calc_aggregate({"q": {"a": 1}}, {"q": {"a": 3.0, "b": 1.0}})
    0.75
    """
    inputs = {"RUN_INPUTS": run_inputs or RUN_INPUTS, "QREL_INPUTS": qrel_inputs or QREL_INPUTS}
    attributes = {
        "NAME": name,
        "__name__": name,
        "PRETTY_NAME": pretty_name,
        "SHORT_DESC": short_desc,
    }
    parameters = {"SUPPORTED_PARAMS": {"cutoff": _CUTOFF} if support_cutoff else {}}
    kind = type(
        name or "Defined",
        (Defined,),
        {"IMPL": staticmethod(impl), **inputs, **attributes, **parameters},
    )
    defined: Measure = kind()
    return defined


def define_byquery(
    impl: Callable[[Any, Any], float],
    name: str | None = None,
    support_cutoff: bool = True,
    *,
    run_inputs: list[str] | None = None,
    qrel_inputs: list[str] | None = None,
    pretty_name: str | None = None,
    short_desc: str | None = None,
) -> Measure:
    """A measure that is computed by a function of one topic; see `define`.

    Parameters
    ----------
    impl : takes a topic's rows of the qrels and of the run; returns the value of the topic.
    name : the name of the measure (default: that of the function; a lambda has no name, and equals
        itself only).
    support_cutoff, run_inputs, qrel_inputs, pretty_name, short_desc : as for `define`.

    Examples
    --------
    >>> retrieved = define_byquery(lambda qrels, run: len(run), "Retrieved")
    >>> (retrieved@1).calc_aggregate({"q": {"a": 1}}, {"q": {"a": 3.0, "b": 1.0}})
    1.0
    """

    def by_topic(qrels: Any, run: Any) -> Iterator[tuple[Any, float]]:
        for topic, rows in run.groupby("query_id"):
            yield topic, impl(qrels[qrels["query_id"] == topic], rows)

    called = getattr(impl, "__name__", repr(impl))
    return define(
        by_topic,
        name or (None if called == "<lambda>" else called),
        support_cutoff,
        run_inputs=run_inputs,
        qrel_inputs=qrel_inputs,
        pretty_name=pretty_name,
        short_desc=short_desc,
    )


class DefinedEvaluator:
    """Measures defined by functions, and judgements, to evaluate several runs with."""

    def __init__(self, measures: Sequence[Any], qrels: Any) -> None:
        self.measures = measures
        for measure in measures:
            measure.validate_params()
        frame = _frame(qrels, "qrels", Qrel)
        self._qrels = frame.sort_values(
            [name for name in ("query_id", "doc_id") if name in frame.columns]
        )
        self.qrel_qids: list[str] = frame["query_id"].unique().tolist()

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        """The values of all topics; topics that a function leaves out are 0 and come last."""
        frame = _frame(run, "run", ScoredDoc)
        keys = ["query_id", "score"] if "score" in frame.columns else ["query_id"]
        frame = frame.sort_values(keys, ascending=[True, False][: len(keys)])
        missing = {(measure, topic) for measure in self.measures for topic in self.qrel_qids}
        for measure in self.measures:
            for metric in measure.runtime_impl(self._qrels, frame):
                missing.discard((measure, metric.query_id))
                yield metric
        for measure, topic in sorted(missing, key=lambda pair: (str(pair[0]), pair[1])):
            yield Metric(topic, measure, measure.DEFAULT)


def _frame(data: Any, name: str, row: Any) -> Any:
    """The data as a pandas frame, which functions of users take."""
    pandas = require_module("pandas", "measures that take data frames need pandas")
    if hasattr(data, "columns"):
        import narwhals

        frame = narwhals.from_native(data, eager_only=True).to_pandas()
    elif isinstance(data, Qrels | Run | str):
        frame = pandas.DataFrame(_rows(data, row), columns=row._fields)
    elif isinstance(data, Mapping):
        rows = [
            row(topic, item, value)
            for topic, values in data.items()
            for item, value in values.items()
        ]
        frame = pandas.DataFrame(rows, columns=row._fields)
    else:
        rows = list(data)
        frame = pandas.DataFrame(rows, columns=None if rows else row._fields)
    if "query_id" not in frame.columns:
        raise UsageError(
            argument=name,
            what="no column query_id",
            got=Fact(", ".join(map(str, frame.columns))),
            remedy="ir_measures calls it so",
        )
    return (
        frame.assign(iteration="0") if row is Qrel and "iteration" not in frame.columns else frame
    )


def _rows(data: object, row: object) -> list[Any]:
    """The rows of a file, or of data that is in memory."""
    if row is Qrel:
        return [
            Qrel(topic, item, grade, subtopic)
            for topic, subtopic, item, grade in judgements(data).rows
        ]
    if (run := run_of(data)) is None:
        return []
    topics = np.repeat(np.array(run.topics.tolist(), object), np.diff(run.row_start)).tolist()
    return list(map(ScoredDoc, topics, run.items.tolist(), run.sort_key.tolist()))
