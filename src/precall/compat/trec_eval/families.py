"""trec_eval's measures: one family a line, in the order in which it prints them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from precall.compat.trec_eval import preferences
from precall.compat.trec_eval import rankings as values
from precall.compat.trec_eval.inputs import INPUT, Exit, real, whole

TENTHS = tuple(tenth / 10 for tenth in range(11))
FIFTHS = tuple(fifth / 5 for fifth in range(1, 11))
DEPTHS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)


@dataclass(frozen=True)
class Family:
    """One measure of the table, which may print several values.

    Parameters
    ----------
    compute : (judgements and rankings, parameters) → one array (or list of texts) per printed name;
        None if the value belongs to no topic (runid, num_q).
    parameters : "cutoffs" (ranks), "shares" (of R), "numbers", "gains" (grade=gain), or "" for
        none.
    default : the parameters when none are given.
    rel : the format of judgements that it needs.
    summary : "mean", "sum", "geometric", "topics", "relevant" (sum; counted in the qrels under -c),
        "run" or "".
    """

    name: str
    compute: Callable[[Any, Any], Any] | None
    parameters: str = ""
    default: tuple[Any, ...] = ()
    rel: str = "qrels"
    summary: str = "mean"
    integer: bool = False
    per_topic: bool = True
    since: str = ""

    def parse(self, text: str | None) -> tuple[tuple[str, ...], tuple[Any, ...]]:
        """(printed names, parameters) for the text behind the name on the command line."""
        if not self.parameters:
            return (self.name,), ()
        parameters = self.default if text is None else _READERS[self.parameters](self.name, text)
        if self.parameters == "cutoffs":
            return tuple(f"{self.name}_{cutoff}" for cutoff in parameters), parameters
        if self.parameters == "shares":
            # trec_eval has room for eight characters only.
            return tuple(self.name + f"_{share:3.2f}"[:9] for share in parameters), parameters
        return (self.name if text is None else f"{self.name}_{text}",), parameters


def _cutoffs(name: str, text: str) -> tuple[int, ...]:
    if min(map(whole, text.split(","))) <= 0:
        raise Exit(INPUT, reason=f"{name}: cutoffs must be above 0, got {text}")
    return _ascending(name, text, whole)


def _ascending(name: str, text: str, read: Callable[[str], Any] = real) -> tuple[Any, ...]:
    numbers = sorted(map(read, text.split(",")))
    if len(set(numbers)) < len(numbers):
        raise Exit(INPUT, reason=f"{name}: duplicate cutoffs in {text}")
    return tuple(numbers)


def _numbers(name: str, text: str) -> tuple[float, ...]:
    return tuple(map(real, text.split(",")))


def _gains(name: str, text: str) -> tuple[tuple[str, float], ...]:
    parts = [pair.split("=") for pair in text.split(",")]
    if any(len(pair) != 2 for pair in parts):
        raise Exit(
            INPUT, reason=f"{name}: malformed pair parameters in '{text}'; write grade=gain,..."
        )
    return tuple((key, real(value)) for key, value in parts)


_READERS: dict[str, Callable[[str, str], tuple[Any, ...]]] = {
    "cutoffs": _cutoffs,
    "shares": _ascending,
    "numbers": _numbers,
    "gains": _gains,
}
_SUM: dict[str, Any] = {"summary": "sum", "integer": True}
_AT_DEPTHS: dict[str, Any] = {"parameters": "cutoffs", "default": DEPTHS}
_gained = partial(Family, parameters="gains")


def _of_declaration(name: str, **more: Any) -> Family:
    """A measure that precall declares under this name of trec_eval."""
    return Family(name, values.measure_of(name), **more)


def _of_preferences(
    name: str, value: Callable[..., float], scope: int = preferences.ALL, summary: str = "mean"
) -> Family:
    compute = preferences.of_topic(value, scope)
    return Family(name, compute, rel="prefs", summary=summary, integer=summary == "sum")


def _of_groups(
    name: str, compute: Callable[..., Any], kind: str = "", default: tuple[Any, ...] = ()
) -> Family:
    return Family(name, values.mean_over_groups(compute), kind, default, rel="qrels_jg")


_RATIOS = {
    "simp": preferences.ratio,
    "pair": preferences.pairs,
    "avgjg": preferences.mean_ratio,
    "avgjg_Rnonrel": preferences.mean_ratio_balanced,
}
_TABLE = (
    Family("runid", None, rel="", summary="run", per_topic=False),
    Family("num_q", None, rel="", summary="topics", integer=True, per_topic=False),
    _of_declaration("num_ret", **_SUM),
    _of_declaration("num_rel", summary="relevant", integer=True),
    _of_declaration("num_rel_ret", **_SUM),
    _of_declaration("map"),
    Family("gm_map", values.logarithm("map"), summary="geometric", per_topic=False),
    _of_declaration("Rprec"),
    _of_declaration("bpref"),
    _of_declaration("recip_rank"),
    Family("iprec_at_recall", values.interpolated, "shares", TENTHS),
    _of_declaration("P", **_AT_DEPTHS),
    Family("relstring", values.grade_strings, "numbers", (10.0,), summary=""),
    _of_declaration("recall", **_AT_DEPTHS),
    _of_declaration("infAP"),
    Family("gm_bpref", values.logarithm("bpref"), summary="geometric", per_topic=False),
    Family("Rprec_mult", values.multiples_of_r, "shares", FIFTHS),
    Family("utility", values.utility, "numbers", (1.0, -1.0, 0.0, 0.0)),
    Family("11pt_avg", values.interpolated_mean, "numbers", TENTHS),
    _of_declaration("binG"),
    _gained("G", values.by_ranking(values.g, "G")),
    _gained("dcg", values.by_ranking(values.dcg), since="10.0"),
    _gained("ideal_dcg", values.by_ranking(values.ideal_dcg), since="10.0"),
    _gained("ndcg", values.by_ranking(values.ndcg, "ndcg")),
    _gained("ndcg_rel", values.by_ranking(values.ndcg_at_relevant)),
    _gained("Rndcg", values.by_ranking(values.ndcg_at_levels)),
    _of_declaration("ndcg_cut", **_AT_DEPTHS),
    _of_declaration("map_cut", **_AT_DEPTHS),
    _of_declaration("relative_P", **_AT_DEPTHS),
    _of_declaration("success", parameters="cutoffs", default=(1, 5, 10)),
    _of_declaration("set_P"),
    _of_declaration("set_relative_P"),
    _of_declaration("set_recall"),
    _of_declaration("set_map"),
    Family("set_F", values.set_f, "numbers", (1.0,)),
    _of_declaration("num_nonrel_judged_ret", **_SUM),
    _of_preferences("prefs_num_prefs_poss", preferences.number_possible, summary="sum"),
    _of_preferences("prefs_num_prefs_ful", preferences.number_fulfilled, summary="sum"),
    _of_preferences(
        "prefs_num_prefs_ful_ret",
        preferences.number_fulfilled,
        preferences.RETRIEVED,
        summary="sum",
    ),
    *(_of_preferences(f"prefs_{name}", value) for name, value in _RATIOS.items()),
    *(
        _of_preferences(f"prefs_{name}_ret", value, preferences.RETRIEVED)
        for name, value in _RATIOS.items()
    ),
    *(
        _of_preferences(f"prefs_{name}_imp", _RATIOS[name], preferences.IMPLIED)
        for name in ("simp", "pair", "avgjg")
    ),
    _of_groups("map_avgjg", values.measure_of("map")),
    _of_groups("P_avgjg", values.measure_of("P"), "cutoffs", DEPTHS),
    _of_groups("Rprec_mult_avgjg", values.multiples_of_r, "shares", FIFTHS),
    _of_declaration("yaap"),
    _gained("rbp", values.rank_biased, since="10.0"),
    _gained("rbp_resid", values.rank_biased_residual, since="10.0"),
    Family("unj", values.unjudged, "cutoffs", (5, 10, 20), since="10.0"),
)

_OFFICIAL = (
    "runid",
    "num_q",
    "num_ret",
    "num_rel",
    "num_rel_ret",
    "map",
    "gm_map",
    "Rprec",
    "bpref",
    "recip_rank",
    "iprec_at_recall",
    "P",
)
_ALL_TREC = (
    *_OFFICIAL,
    "relstring",
    "recall",
    "infAP",
    "gm_bpref",
    "utility",
    "11pt_avg",
    "ndcg",
    "relative_P",
    "Rprec_mult",
    "success",
    "map_cut",
    "ndcg_cut",
    "ndcg_rel",
    "Rndcg",
    "binG",
    "G",
    "set_P",
    "set_recall",
    "set_relative_P",
    "set_map",
    "set_F",
    "num_nonrel_judged_ret",
)
_PREFS = (
    "runid",
    "num_q",
    "prefs_num_prefs_poss",
    "prefs_num_prefs_ful",
    "prefs_num_prefs_ful_ret",
    "prefs_simp",
    "prefs_pair",
    "prefs_avgjg",
)
_SETS = {
    "official": _OFFICIAL,
    "set": (
        "runid",
        "num_q",
        "num_ret",
        "num_rel",
        "num_rel_ret",
        "utility",
        "set_P",
        "set_recall",
        "set_relative_P",
        "set_map",
        "set_F",
    ),
    "all_trec": _ALL_TREC,
    "all_prefs": ("runid", "num_q", *(family.name for family in _TABLE if family.rel == "prefs")),
    "prefs": _PREFS,
    "qrels_jg": ("runid", "num_q", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"),
}

#: Sets of measures by nickname, per version.
NICKNAMES: dict[str, dict[str, tuple[str, ...]]] = {
    "9.0.8": _SETS,
    "10.0": {**_SETS, "all_trec": (*_ALL_TREC, "unj", "rbp", "rbp_resid")},
}


@cache
def families(version: str) -> dict[str, Family]:
    """The table of a version, by name, in the order of printing."""
    return {family.name: family for family in _TABLE if version == "10.0" or not family.since}
