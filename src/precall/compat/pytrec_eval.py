"""pytrec_eval's names with the numbers of trec_eval 9.0.8 in full precision.

The names are `RelevanceEvaluator`, `parse_run` and `parse_qrel`. Replace `import pytrec_eval` by
`from precall.compat import pytrec_eval`. The signatures are those of pytrec_eval-terrier 0.5.11,
which is not imported. docs/coming-from/ir_measures.md lists what differs.

Values are those that `precall trec_eval --as 9.0.8` prints, but unrounded: scores are compared as
float32, items of equal score are ordered by descending id, undefined values are 0, and a topic
counts if both the qrels and the run have it.

Examples
--------
>>> from precall.compat import pytrec_eval
>>> evaluator = pytrec_eval.RelevanceEvaluator({"q": {"a": 1, "b": 0}}, {"map"})
>>> evaluator.evaluate({"q": {"a": 0.5, "b": 0.7}})
{'q': {'map': 0.5}}
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from precall.compat.trec_eval.families import NICKNAMES, Family, families
from precall.compat.trec_eval.inputs import Exit
from precall.compat.trec_eval.rankings import Rankings
from precall.core import ragged
from precall.core.arguments import check_kind, check_numbers, check_whole, single_column
from precall.core.errors import Fact, Malformed, MeasureError, NoCommonTopic
from precall.location.located import locate
from precall.native import kernel
from precall.read.columns import QRELS, RUN, Parsed, Run, request
from precall.read.grades import refuse_fractions
from precall.read.mappings import is_empty
from precall.read.problems import data_error
from precall.read.readers import parse_text, read_qrels, read_run

__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]

VERSION = "9.0.8"
#: Names of measures that pytrec_eval takes: all that need only grades.
supported_measures: set[str] = set(NICKNAMES[VERSION]["all_trec"])
#: Sets of measures by nickname.
supported_nicknames: dict[str, set[str]] = {
    name: set(some) for name, some in NICKNAMES[VERSION].items()
}
#: Names without a number per topic, and pytrec_eval's fixed value for each.
_FIXED = {"runid": 0.0, "num_q": 1.0, "relstring": 0.0}
_NUMBER = r"[0-9]+(?:\.[0-9]+)?"
_PARAMETERS = re.compile(rf"{_NUMBER}(?:,{_NUMBER})*")
#: The number of coefficients of utility.
_COEFFICIENTS = 4


def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """The lines of a run, `topic Q0 item rank score tag`, as {topic: {item: score}}.

    Parameters
    ----------
    f_run : an open file, or any lines.

    Raises
    ------
    DataError
        A line is malformed, or a topic has an item twice.

    Examples
    --------
    >>> parse_run(["q1 Q0 d3 1 1.5 tag", "q1 Q0 d1 2 1.0 tag"])["q1"]
    {'d3': 1.5, 'd1': 1.0}
    """
    return _parse(f_run, "f_run", of_run=True)


def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, int]]:
    """The lines of qrels, `topic 0 item grade`, as {topic: {item: grade}}.

    Parameters
    ----------
    f_qrel : an open file, or any lines.

    Raises
    ------
    DataError
        A line is malformed, or an item is judged twice with different grades.

    Examples
    --------
    >>> parse_qrel(["q1 0 d1 0", "q1 0 d2 1"])["q1"]
    {'d1': 0, 'd2': 1}
    """
    return _parse(f_qrel, "f_qrel", of_run=False)


def _parse(lines: Iterable[str], label: str, *, of_run: bool) -> dict[str, dict[str, Any]]:
    expected = "an open file, or lines of text"
    texts = (
        check_kind(label, line, str, expected)
        for line in check_kind(label, lines, Iterable, expected)
    )
    data = "\n".join(line.rstrip("\r\n") for line in texts).encode(errors="surrogateescape")
    reading = request(RUN if of_run else QRELS, label, "error", None)
    try:
        read = (
            kernel().read_run(data, False, "error", reading.threads)
            if of_run
            else parse_text(data, reading)
        )
        topics, row_start, items, values, *_ = Parsed.of(*read[:6]) if of_run else read
        if not of_run:
            refuse_fractions(values, label, "pytrec_eval")
    except Malformed as bad:
        raise data_error(bad, reading) from None
    # pytrec_eval also returns a defaultdict: an unknown topic has no items.
    result: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    rows, named, numbers = row_start.tolist(), items.tolist(), values.tolist()
    for topic, first, last in zip(topics.tolist(), rows, rows[1:], strict=False):
        result[topic] = dict(zip(named[first:last], numbers[first:last], strict=True))
    return result


def compute_aggregated_measure(measure: str, values: Sequence[float]) -> float:
    """One number for the values of many topics.

    It is the sum for `num_` measures, e to the mean for `gm_` measures, and the mean for others.

    Examples
    --------
    >>> (
    ...     compute_aggregated_measure("map", [0.5, 1.0]),
    ...     compute_aggregated_measure("num_rel", [2.0, 3.0]),
    ... )
    (0.75, 5.0)
    """
    each = single_column(check_numbers("values", values), "values", values)
    if check_kind("measure", measure, str, "a name such as 'map'").startswith("num_"):
        return math.fsum(each)
    if not each.size:
        return math.nan
    return math.exp(ragged.mean(each)) if measure.startswith("gm_") else ragged.mean(each)


class RelevanceEvaluator:
    """Judgements, and the measures of the runs that are evaluated against them.

    Parameters
    ----------
    query_relevance : {topic: {item: grade}}; a topic without judgements is ignored.
    measures : names such as `map`, `ndcg_cut_10`, `P_5,10` or `recall.100`, or nicknames such as
        `official`.
    relevance_level : least relevant grade, for measures that do not use gains.
    judged_docs_only_flag : whether unjudged items are removed from the rankings first.

    Raises
    ------
    MeasureError
        A measure is not known, or its parameters are not allowed.
    DataError
        A grade is not an integer, or an id is not a text.

    Examples
    --------
    >>> evaluator = RelevanceEvaluator({"q1": {"d1": 0, "d2": 1}}, {"map", "ndcg"})
    >>> evaluator.evaluate({"q1": {"d1": 1.5, "d2": 1.0}})
    {'q1': {'map': 0.5, 'ndcg': 0.6309297535714575}}
    """

    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, int]],
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,
    ) -> None:
        self._level = check_whole("relevance_level", relevance_level, 1)
        self._judged_only = bool(judged_docs_only_flag)
        self._asked = _families_of(measures)
        names = check_kind(
            "query_relevance", query_relevance, Mapping, "a dict, {topic: {item: grade}}"
        )
        judged = {topic: grades for topic, grades in names.items() if not is_empty(grades)}
        self._qrels = read_qrels(judged) if judged else None
        if self._qrels is not None:
            refuse_fractions(self._qrels.grade, "query_relevance", "pytrec_eval")

    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """The value of every measure for each judged topic of `scores`: {topic: {name: value}}.

        Parameters
        ----------
        scores : {topic: {item: score}}.

        Raises
        ------
        DataError
            A score is NaN or not a number, or an id is not a text.
        """
        if not scores or self._qrels is None:
            return {}
        run = narrow(read_run(scores))
        try:
            located = locate(self._qrels, run)
        except NoCommonTopic:
            return {}
        index_by_topic = {topic: index for index, topic in enumerate(self._qrels.topics.tolist())}
        topics = [topic for topic in run.topics.tolist() if topic in index_by_topic]
        located = located.select(np.array([index_by_topic[topic] for topic in topics], np.int64))
        located = located.condensed() if self._judged_only else located
        rankings = Rankings(located, self._level, 0, VERSION)
        columns: dict[str, list[float]] = {}
        with np.errstate(divide="ignore", invalid="ignore"):
            for family, names, parameters in self._asked:
                columns |= zip(names, _values(rankings, family, parameters), strict=True)
        return {
            topic: {name: values[row] for name, values in columns.items()}
            for row, topic in enumerate(topics)
        }


def narrow(run: Run) -> Run:
    """The run with float32 scores, as in trec_eval 9.0.8; an overflow becomes infinite."""
    with np.errstate(over="ignore"):
        score = run.sort_key.astype(np.float32).astype(np.float64)
    return replace(run, score=score, score_dtype="float32", located={})


def _values(rankings: Rankings, family: Family, parameters: object) -> list[list[float]]:
    if family.name in _FIXED or family.compute is None:
        return [[_FIXED[family.name]] * len(rankings.located)]
    return [
        np.asarray(values, np.float64).tolist() for values in family.compute(rankings, parameters)
    ]


def _families_of(measures: Iterable[str]) -> list[tuple[Family, tuple[str, ...], Any]]:
    """The requested families, names of their values and parameters, in trec_eval's order."""
    parameters: dict[str, set[str]] = {}
    expected = "names such as 'map'"
    for each in (
        [measures]
        if isinstance(measures, str)
        else check_kind("measures", measures, Iterable, expected)
    ):
        check_kind("measures", each, str, expected)
        for name in supported_nicknames.get(each, {each}):
            base, texts = _split(name)
            parameters.setdefault(base, set()).update(texts)
    result = []
    for name, family in families(VERSION).items():
        if name not in parameters:
            continue
        # Sorted as texts, as in pytrec_eval.
        texts = sorted(parameters[name]) if family.parameters else []
        try:
            names, read = family.parse(",".join(texts) or None)
        except Exit as error:
            raise MeasureError(error.reason) from None
        if name == "utility" and len(read) != _COEFFICIENTS:
            raise MeasureError(
                f"needs {_COEFFICIENTS} different coefficients",
                measure="utility",
                got=Fact(",".join(texts)),
            )
        # Here a family with several numbers as parameters has its bare name, without the numbers.
        result.append(
            (family, (name,) if family.parameters in ("numbers", "gains") else names, read)
        )
    return result


def _split(name: str) -> tuple[str, list[str]]:
    """Split a name: P_5,10 gives ("P", ["5", "10"])."""
    if name in supported_measures:
        return name, []
    for base in sorted(supported_measures, key=len, reverse=True):
        if name[: len(base) + 1] in (f"{base}_", f"{base}.") and _PARAMETERS.fullmatch(
            rest := name[len(base) + 1 :]
        ):
            return base, rest.split(",")
    raise MeasureError(
        "unsupported measure {got}",
        argument="measures",
        got=name,
        allowed=(
            *sorted(supported_measures),
            "with parameters as in P_5,10",
            f"and the sets {', '.join(sorted(supported_nicknames))}",
        ),
    )
