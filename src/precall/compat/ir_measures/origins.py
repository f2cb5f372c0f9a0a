"""What each of ir_measures' measures is here: our measure, and the tool of its default pipeline
whose number it is.

The tools order items of equal score, and see the run, each in its own way; `RULES` has how. Where
ir_measures' number is another than that of the same name here, the difference is made up for.
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
from precall.location.subtopics import Subtopics, of_located
from precall.measures import measure as named
from precall.measures.registry import text_of
from precall.read.columns import Qrels, Run

#: A number per ranking; NaN where it is undefined.
Compute = Callable[[Any], Float64]


class Rule(NamedTuple):
    """How a tool orders items of equal score: by id "descending" or "ascending", or as in the
    "input"; and of which scores.
    """

    ties: str
    float32: bool = False


RULES = {
    "trec_eval 9.0.8": Rule("descending", float32=True),
    "gdeval 1.2a": Rule("descending"),
    "cwl_eval 1.0.12": Rule("input"),
    "MS MARCO's script": Rule("ascending"),
    "ir_measures 0.4.3": Rule("ascending"),
    "ir_measures 0.4.3, in the order of the run": Rule("input"),
    "pyndeval 0.0.8": Rule("ascending"),
}
TREC, GDEVAL, CWL, MARCO, OWN, ORDER, NDEVAL = RULES
#: Those that trec_eval does not compute.
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
#: Measures whose name is another here.
_NAMES = {"Accuracy": "PairAccuracy"}
_PARAMETERS = {"rel": "grade", "dcg": "gain", "T": "wanted"}
_GAINS = {"log2": "linear", "exp-log2": "exp"}
#: Grade that satisfies for sure to gdeval, whatever the greatest in the qrels is.
_GDEVAL_MAX = 4
#: Ranks that cwl_eval looks at.
CWL_DEPTH = 1000


@dataclass(frozen=True)
class Origin:
    """The tool whose number a measure is, and how it is computed here."""

    tool: str
    compute: Compute
    judged_only: bool = False
    grade: int | None = None
    """Of measures of subtopics: the least grade that is relevant; they are computed from
    `Subtopics`.
    """
    omitted: bool = False
    """Whether topics where it is undefined are left out there; they count as 0 elsewhere."""


def origin(measure: Measure) -> Origin:
    """Where a measure's number comes from; raises `MeasureError` if its parameters are not
    allowed.
    """
    measure.validate_params()
    name = measure.NAME
    given = {
        key: measure[key] for key in measure.SUPPORTED_PARAMS if measure[key] is not NOT_PROVIDED
    }
    judged_only = bool(given.pop("judged_only", False))
    if name == "SetF":
        # The weight that trec_eval takes is beta squared.
        compute = _of_trec_eval(
            set_f, given["beta"], given["rel"], lambda hits: hits.relevant + hits.retrieved
        )
        return Origin(TREC, compute, judged_only)
    if name == "IPrec":
        # trec_eval rounds the hits that a recall needs in its own way.
        compute = _of_trec_eval(
            interpolated, given["recall"], given["rel"], lambda hits: hits.relevant
        )
        return Origin(TREC, compute, judged_only)
    if name == "NumQ":
        return Origin(TREC, lambda located: np.ones(len(located)))
    if name in _DIVERSE:
        return Origin(NDEVAL, _diverse(name, given), judged_only, given["rel"])
    tool = _TOOLS.get(name, TREC)
    if (name == "RR" and "cutoff" in given and not judged_only) or name == "nDCG":
        tool = MARCO if name == "RR" else GDEVAL if given["dcg"] == "exp-log2" else TREC
    return Origin(tool, _declared(name, given), judged_only, omitted=name == "Accuracy")


def _declared(name: str, given: dict[str, Any]) -> Compute:
    """Our measure of that name."""
    if name == "RBP":
        return _rank_biased(given)
    if name in _GAINED:
        return _gained(name, given)
    if name == "Judged":
        # There whatever is in the qrels is judged, of a negative grade too.
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
        # A grade that is mapped below 0 is one that is not judged, and gains nothing.
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
    """A measure by trec_eval's own formula; undefined where a ranking's `size` is 0."""

    def compute(located: Located) -> Float64:
        rankings = Rankings(located, grade, 0, VERSION)
        with np.errstate(divide="ignore", invalid="ignore"):
            (values,) = measure(rankings, [parameter])
        return np.where(size(rankings.hits) > 0, values, np.nan)

    return compute


def _rank_biased(given: dict[str, Any]) -> Compute:
    """RBP as cwl_eval weights it: over the ranks that it looks at the weights add up to 1."""
    if "rel" not in given:
        raise MeasureError(
            measure="RBP",
            parameter="rel",
            allowed="an integer",
            remedy="write RBP(rel=1), as no tool of ir_measures does without",
        )
    whole = "cutoff" not in given
    measure = named(_text("RBP", {"cutoff": CWL_DEPTH, **given}))
    weight = 1 - given["p"] ** CWL_DEPTH if whole else 1.0
    return lambda located: measure(located) / weight


def _gained(name: str, given: dict[str, Any]) -> Compute:
    """Measures by gains from 0 to 1, grades counted from `min_rel`; ranks that cwl_eval does not
    see weigh nothing.
    """
    given.pop("dcg", None)
    least = given.pop("min_rel")
    given["max_rel"] -= least
    if given["max_rel"] <= 0:
        raise MeasureError(measure=name, parameter="max_rel", allowed="greater than min_rel")
    if "cutoff" in given:
        given["cutoff"] = min(given["cutoff"], CWL_DEPTH)
    measure = named(_text(name, given))
    # No grade is below 0 there before it is counted.
    return lambda located: measure(
        replace(located, grade=np.maximum(located.grade, 0) - least) if least else located
    )


def _diverse(name: str, given: dict[str, Any]) -> Compute:
    """Measures of subtopics."""
    measure = named(_text(name, {key: value for key, value in given.items() if key != "rel"}))
    if name not in ("alpha_DCG", "ERR_IA") or given.get("cutoff") != 1:
        return measure
    # At the first rank ndeval does not divide by what items relevant to all subtopics would gain.
    return lambda where: measure(where) * where.each(lambda one: one.subtopics)


class Placed:
    """A run and its qrels, located once for every rule that is asked for."""

    def __init__(self, judged: Judgements, qrels: Qrels, run: Run) -> None:
        self._judged, self._qrels, self._run = judged, qrels, run
        self._located: dict[Rule, tuple[Located, Run]] = {}
        self._covered: dict[tuple[bool, int], Subtopics] = {}
        place = {topic: index for index, topic in enumerate(qrels.topics.tolist())}
        self.topics = [topic for topic in run.topics.tolist() if topic in place]
        self._chosen = np.array([place[topic] for topic in self.topics], np.int64)

    def values(self, how: Origin) -> Float64:
        """What a measure is of the rankings of `topics`, as its tool sees them."""
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
            self._covered[kind] = of_located(located, run, self._judged.rows, how.grade)
        return how.compute(self._covered[kind])

    def _by(self, rule: Rule) -> tuple[Located, Run]:
        run = narrow(self._run) if rule.float32 else self._run
        located = locate(self._qrels, run)
        # Without ties at judged items all rules see the same.
        if rule.ties == "descending" or np.array_equal(located.first, located.last):
            return located, run
        run = ascending(run) if rule.ties == "ascending" else run
        return locate(self._qrels, run, ties="input"), run


def ascending(run: Run) -> Run:
    """The run with the items of each topic in ascending order of their ids."""
    names = run.items.encoded()
    topic = np.repeat(np.arange(len(run.topics)), np.diff(run.row_start)).tolist()
    order = np.array(sorted(range(len(names)), key=lambda row: (topic[row], names[row])), np.int64)
    return replace(run, items=run.items.take(order), score=run.score[order], located={})
