"""For each measure of ir_measures: our measure, and the tool of its default pipeline.

Each tool has its own order of items of equal score, and its own view of the run; see `RULES`. If
ir_measures' number differs from that of the same name here, the functions of this module compute
ir_measures' number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from precall.compat.ir_measures.objects import NOT_PROVIDED, Measure
from precall.compat.ir_measures.records import Judgements
from precall.compat.pytrec_eval import VERSION, narrow
from precall.compat.trec_eval.rankings import Rankings, interpolated, set_f
from precall.core.errors import MeasureError
from precall.core.ragged import Float64
from precall.location.hits import Hits
from precall.location.located import Located, locate
from precall.location.subtopics import Subtopics, subtopics_of
from precall.measures import measure as named
from precall.measures.registry import text_of
from precall.read.columns import Qrels, Run

#: A function to a number per ranking; NaN if it is undefined.
Compute = Callable[[Any], Float64]


class OriginRule(NamedTuple):
    """How a tool orders items of equal score, and the precision of its scores.

    Ties are ordered by id, "descending" or "ascending", or as in the "input".
    """

    ties: str
    float32: bool = False


RULES = {
    "trec_eval 9.0.8": OriginRule("descending", float32=True),
    "gdeval 1.2a": OriginRule("descending"),
    "cwl_eval 1.0.12": OriginRule("input"),
    "MS MARCO's script": OriginRule("ascending"),
    "ir_measures 0.4.3": OriginRule("ascending"),
    "ir_measures 0.4.3, in the order of the run": OriginRule("input"),
    "pyndeval 0.0.8": OriginRule("ascending"),
}
TREC, GDEVAL, CWL, MARCO, OWN, ORDER, NDEVAL = RULES
#: Measures that trec_eval does not compute.
_GAINED = ("BPM", "INSQ", "INST", "NERR8", "NERR9", "NERR10", "NERR11", "SDCG")
_DIVERSE = (
    "alpha_DCG",
    "alpha_nDCG",
    "AP_IA",
    "ERR_IA",
    "nERR_IA",
    "nNRBP",
    "NRBP",
    "P_IA",
    "StRecall",
)
_TOOLS = {
    "ERR": GDEVAL,
    "Judged": OWN,
    "Compat": OWN,
    "Accuracy": ORDER,
    **dict.fromkeys(("RBP", *_GAINED), CWL),
}
#: Measures that have another name here.
_NAMES = {"Accuracy": "PairAccuracy"}
_PARAMETERS = {"rel": "grade", "dcg": "gain", "T": "wanted"}
_GAINS = {"log2": "linear", "exp-log2": "exp"}
#: gdeval's greatest grade, which satisfies for sure, whatever grades the qrels have.
_GDEVAL_MAX = 4
#: The number of ranks that cwl_eval looks at.
CWL_DEPTH = 1000


@dataclass(frozen=True)
class Origin:
    """The tool whose number a measure is, and how it is computed here."""

    tool: str
    compute: Compute
    judged_only: bool = False
    grade: int | None = None
    """The least relevant grade of a measure of subtopics, which is computed from `Subtopics`."""
    omitted: bool = False
    """Whether ir_measures leaves out topics where the measure is undefined; else they are 0."""


def origin(measure: Measure) -> Origin:
    """The origin of a measure's number; raises `MeasureError` if its parameters are not allowed."""
    measure.validate_params()
    name = measure.NAME
    parameters = {
        key: measure[key] for key in measure.SUPPORTED_PARAMS if measure[key] is not NOT_PROVIDED
    }
    judged_only = bool(parameters.pop("judged_only", False))
    if name == "SetF":
        # trec_eval's weight is beta squared.
        compute = _of_trec_eval(
            set_f,
            parameters["beta"],
            parameters["rel"],
            lambda hits: hits.relevant + hits.retrieved,
        )
        return Origin(TREC, compute, judged_only)
    if name == "IPrec":
        # trec_eval has its own rounding of the hits that a recall needs.
        compute = _of_trec_eval(
            interpolated, parameters["recall"], parameters["rel"], lambda hits: hits.relevant
        )
        return Origin(TREC, compute, judged_only)
    if name == "NumQ":
        return Origin(TREC, lambda located: np.ones(len(located)))
    if name in _DIVERSE:
        return Origin(NDEVAL, _diverse(name, parameters), judged_only, parameters["rel"])
    tool = _TOOLS.get(name, TREC)
    if (name == "RR" and "cutoff" in parameters and not judged_only) or name == "nDCG":
        tool = MARCO if name == "RR" else GDEVAL if parameters["dcg"] == "exp-log2" else TREC
    return Origin(tool, _our_measure(name, parameters), judged_only, omitted=name == "Accuracy")


def _our_measure(name: str, given: dict[str, Any]) -> Compute:
    """Our measure of the same name."""
    if name == "RBP":
        return _of_rbp(given)
    if name in _GAINED:
        return _of_gains(name, given)
    if name == "Judged":
        # In ir_measures every item of the qrels is judged, also with a negative grade.
        share = named(_text(name, given))
        return lambda located: share(replace(located, grade=np.maximum(located.grade, 0)))
    if name == "ERR":
        given["max"] = _GDEVAL_MAX
    elif name == "NumRet" and "rel" in given:
        name = "NumRelRet"
    elif name == "SetP" and given.pop("relative"):
        name = "SetRelP"
    elif "dcg" in given:
        given["dcg"] = _GAINS[given["dcg"]]
    if "gains" in given:
        # A gain below 0 means an unjudged item there, which gains nothing.
        given["gains"] = tuple(
            (grade, max(gain, 0)) for grade, gain in sorted(given["gains"].items())
        )
    return named(_text(_NAMES.get(name, name), given))


def _text(name: str, given: dict[str, Any]) -> str:
    cutoff = given.pop("cutoff", None)
    inside = ",".join(
        f"{_PARAMETERS.get(key, key)}={text_of(value)}"
        for key, value in given.items()
        if value != ()
    )
    return name + (f"({inside})" if inside else "") + ("" if cutoff is None else f"@{cutoff}")


def _of_trec_eval(
    measure: Callable[[Rankings, Any], list[Float64]],
    parameter: float,
    grade: int,
    size: Callable[[Hits], Any],
) -> Compute:
    """A measure by trec_eval's own formula; undefined for rankings whose `size` is 0."""

    def compute(located: Located) -> Float64:
        rankings = Rankings(located, grade, 0, VERSION)
        with np.errstate(divide="ignore", invalid="ignore"):
            (values,) = measure(rankings, [parameter])
        return np.where(size(rankings.hits) > 0, values, np.nan)

    return compute


def _of_rbp(given: dict[str, Any]) -> Compute:
    """RBP as in cwl_eval, whose weights add up to 1 over the ranks that it looks at."""
    if "rel" not in given:
        raise MeasureError(
            measure="RBP",
            parameter="rel",
            allowed="an integer",
            remedy="write RBP(rel=1), as no tool of ir_measures does without",
        )
    is_uncut = "cutoff" not in given
    measure = named(_text("RBP", {"cutoff": CWL_DEPTH, **given}))
    weight = 1 - given["p"] ** CWL_DEPTH if is_uncut else 1.0
    return lambda located: measure(located) / weight


def _of_gains(name: str, given: dict[str, Any]) -> Compute:
    """Measures by gains from 0 to 1; grades count from `min_rel`.

    Ranks that cwl_eval does not look at have no weight.
    """
    given.pop("dcg", None)
    least = given.pop("min_rel")
    given["max_rel"] -= least
    if given["max_rel"] <= 0:
        raise MeasureError(measure=name, parameter="max_rel", allowed="greater than min_rel")
    if "cutoff" in given:
        given["cutoff"] = min(given["cutoff"], CWL_DEPTH)
    measure = named(_text(name, given))
    # cwl_eval takes negative grades as 0 before it subtracts `min_rel`.
    return lambda located: measure(
        replace(located, grade=np.maximum(located.grade, 0) - least) if least else located
    )


def _diverse(name: str, given: dict[str, Any]) -> Compute:
    """Measures of subtopics."""
    measure = named(_text(name, {key: value for key, value in given.items() if key != "rel"}))
    if name not in ("alpha_DCG", "ERR_IA") or given.get("cutoff") != 1:
        return measure
    # At cutoff 1 ndeval does not divide by the gain of items relevant to all subtopics.
    return lambda where: measure(where) * where.each(lambda one: one.subtopics)


class Placed:
    """A run and its qrels, located once for each rule that is needed."""

    def __init__(self, judged: Judgements, qrels: Qrels, run: Run) -> None:
        self._judged, self._qrels, self._run = judged, qrels, run
        self._located: dict[OriginRule, tuple[Located, Run]] = {}
        self._covered: dict[tuple[bool, int], Subtopics] = {}
        index_by_topic = {topic: index for index, topic in enumerate(qrels.topics.tolist())}
        self.topics: list[str] = [topic for topic in run.topics.tolist() if topic in index_by_topic]
        self._chosen = np.array([index_by_topic[topic] for topic in self.topics], np.int64)

    def values(self, how: Origin) -> Float64:
        """The values of a measure for the rankings of `topics`, as its tool sees them."""
        rule = RULES[how.tool]
        if rule not in self._located:
            located, run = self._by(rule)
            self._located[rule] = located.select(self._chosen), run
        located, run = self._located[rule]
        located = located.condensed() if how.judged_only else located
        if how.grade is None:
            return how.compute(located)
        kind = how.judged_only, how.grade
        if kind not in self._covered:
            self._covered[kind] = subtopics_of(located, run, self._judged.rows, how.grade)
        return how.compute(self._covered[kind])

    def _by(self, rule: OriginRule) -> tuple[Located, Run]:
        run = narrow(self._run) if rule.float32 else self._run
        located = locate(self._qrels, run)
        # Without ties at judged items all rules give the same ranking.
        if rule.ties == "descending" or np.array_equal(located.first, located.last):
            return located, run
        run = ascending(run) if rule.ties == "ascending" else run
        return locate(self._qrels, run, ties="input"), run


def ascending(run: Run) -> Run:
    """The run with the items of each topic in ascending order of their ids."""
    names = run.items.bytes_of_each()
    topic = np.repeat(np.arange(len(run.topics)), np.diff(run.row_start)).tolist()
    order = np.array(sorted(range(len(names)), key=lambda row: (topic[row], names[row])), np.int64)
    return replace(run, items=run.items.take(order), score=run.score[order], located={})
