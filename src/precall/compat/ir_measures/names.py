"""The names of the measures in ir_measures, one per line, and the function that parses them."""

from __future__ import annotations

import ast
import re
from typing import Any

from precall.compat.ir_measures.objects import Measure, ParamInfo, registry
from precall.core.arguments import check_kind
from precall.core.errors import Fact, MeasureError

_PARAMETERS = {
    "cutoff": ParamInfo(int, desc="the ranks that count"),
    "cutoff!": ParamInfo(int, required=True, desc="the ranks that count"),
    "rel": ParamInfo(int, default=1, desc="least grade that is relevant"),
    "rel?": ParamInfo(int, desc="least grade that is relevant"),
    "judged_only": ParamInfo(
        bool, default=False, desc="take unjudged items out of the rankings first"
    ),
    "dcg": ParamInfo(
        str,
        choices=["log2", "exp-log2"],
        default="log2",
        desc="gain by the grade, or by 2^grade - 1",
    ),
    "dcg!": ParamInfo(str, choices=["log2"], default="log2", desc="gain by the grade"),
    "gains": ParamInfo(dict, desc="gain of each grade; others gain themselves"),
    "recall!": ParamInfo(float, required=True, desc="recall that is reached"),
    "relative": ParamInfo(
        bool, default=False, desc="over the greatest precision that was possible"
    ),
    "beta": ParamInfo(float, default=1.0, desc="weight of recall, squared, as trec_eval takes it"),
    "p": ParamInfo(float, default=0.8, desc="persistence"),
    "p=.9": ParamInfo(float, default=0.9, desc="persistence"),
    "p=.95": ParamInfo(float, default=0.95, desc="persistence"),
    "normalize": ParamInfo(
        bool, default=True, desc="over what an ideal ranking of finite length reaches"
    ),
    "T": ParamInfo(float, default=1.0, desc="gain that is wanted"),
    "min_rel": ParamInfo(int, default=0, desc="grade that gains 0"),
    "max_rel!": ParamInfo(int, required=True, desc="grade that gains 1"),
    "alpha": ParamInfo(float, default=0.5, desc="how soon more of the same subtopic is redundant"),
    "beta=.5": ParamInfo(float, default=0.5, desc="patience"),
}
_SUM = {"SUMMED": True}
_GAINED = "min_rel max_rel!"
#: Name, parameters, other names, what else.
_TABLE: tuple[tuple[str, str, tuple[str, ...], dict[str, Any]], ...] = (
    ("Accuracy", "cutoff rel", (), {}),
    ("alpha_DCG", "cutoff rel alpha judged_only", ("α_DCG",), {}),  # noqa: RUF001
    ("alpha_nDCG", "cutoff rel alpha judged_only", ("α_nDCG",), {}),  # noqa: RUF001
    ("AP", "cutoff rel judged_only", ("MAP",), {}),
    ("AP_IA", "rel judged_only", ("MAP_IA",), {}),
    ("BPM", f"cutoff! T {_GAINED}", (), {}),
    ("Bpref", "rel", ("BPref",), {}),
    ("Compat", "p=.95 normalize", (), {}),
    ("ERR", "cutoff", (), {}),
    ("ERR_IA", "cutoff rel judged_only", (), {}),
    ("infAP", "rel", (), {}),
    ("INSQ", f"T {_GAINED}", (), {}),
    ("INST", f"T {_GAINED}", (), {}),
    ("IPrec", "recall! rel judged_only", (), {"AT_PARAM": "recall"}),
    ("Judged", "cutoff", (), {}),
    ("nDCG", "cutoff dcg gains judged_only", ("NDCG",), {}),
    ("NERR8", f"cutoff! {_GAINED}", (), {}),
    ("NERR9", f"cutoff! {_GAINED}", (), {}),
    ("NERR10", f"p=.9 {_GAINED}", (), {}),
    ("NERR11", f"T {_GAINED}", (), {}),
    ("nERR_IA", "cutoff rel judged_only", (), {}),
    ("nNRBP", "rel alpha beta=.5", (), {}),
    ("NRBP", "rel alpha beta=.5", (), {}),
    ("NumQ", "", (), _SUM),
    ("NumRel", "rel", (), _SUM),
    ("NumRet", "rel?", (), _SUM),
    ("P", "cutoff! rel judged_only", ("Precision",), {}),
    ("P_IA", "cutoff rel judged_only", (), {}),
    ("R", "cutoff! rel judged_only", ("Recall",), {}),
    ("RBP", "cutoff p rel?", (), {}),
    ("Rprec", "rel judged_only", ("RPrec",), {}),
    ("RR", "cutoff rel judged_only", ("MRR",), {}),
    ("SDCG", f"cutoff! dcg! {_GAINED}", (), {}),
    ("SetAP", "rel judged_only", (), {}),
    ("SetF", "rel beta judged_only", (), {}),
    ("SetP", "rel relative judged_only", (), {}),
    ("SetR", "rel", (), {}),
    ("StRecall", "cutoff rel", (), {}),
    ("Success", "cutoff! rel judged_only", (), {}),
)

for _name, _parameters, _aliases, _more in _TABLE:
    _known = {re.sub(r"\W.*", "", _key): _PARAMETERS[_key] for _key in _parameters.split()}
    _class = type(
        _name, (Measure,), {"NAME": _name, "__name__": _name, "SUPPORTED_PARAMS": _known, **_more}
    )
    for _other in (_name, *_aliases):
        registry[_other] = registry.get(_name) or _class()
registry |= {"NumRelRet": registry["NumRet"](rel=1), "SetRelP": registry["SetP"](relative=True)}

_DEPTHS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
#: trec_eval's names: our measure, the kind of its parameters, and their defaults.
_TREC: dict[str, tuple[str, str, tuple[float, ...]]] = {
    "P": ("P", "cutoff", _DEPTHS),
    "map_cut": ("AP", "cutoff", _DEPTHS),
    "recall": ("R", "cutoff", _DEPTHS),
    "ndcg_cut": ("nDCG", "cutoff", _DEPTHS),
    "success": ("Success", "cutoff", (1, 5, 10)),
    "set_F": ("SetF", "beta", (1.0,)),
    "iprec_at_recall": ("IPrec", "recall", tuple(tenth / 10 for tenth in range(11))),
    **{
        name: (ours, "", ())
        for name, ours in {
            "ndcg": "nDCG",
            "set_map": "SetAP",
            "set_P": "SetP",
            "infAP": "infAP",
            "bpref": "Bpref",
            "num_rel_ret": "NumRelRet",
            "recip_rank": "RR",
            "set_recall": "SetR",
            "set_relative_P": "SetRelP",
            "num_ret": "NumRet",
            "num_rel": "NumRel",
            "Rprec": "Rprec",
            "num_q": "NumQ",
            "map": "AP",
        }.items()
    },
}
_FORM = "write NAME, NAME@k or NAME(parameter=value)@k"


def parse_measure(measure: str | Measure) -> Measure:
    """The measure that a name such as `nDCG@10` or `P(rel=2)@5` means.

    A measure is returned as it is.

    Raises
    ------
    ValueError
        The text is not of that form.
    NameError
        The measure is not known.

    Examples
    --------
    >>> parse_measure("AP(rel=2)@100")
    AP(rel=2)@100
    """
    if isinstance(measure, Measure):
        return measure
    try:
        node: ast.expr = ast.parse(measure, mode="eval").body
    except (SyntaxError, TypeError):
        raise MeasureError("{got} is not a measure's name", got=measure, remedy=_FORM) from None
    parameters: dict[str, Any] = {}
    at = None
    try:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            at, node = ast.literal_eval(node.right), node.left
        if isinstance(node, ast.Call):
            if node.args or any(keyword.arg is None for keyword in node.keywords):
                raise ValueError
            parameters = {
                str(keyword.arg): ast.literal_eval(keyword.value) for keyword in node.keywords
            }
            node = node.func
        if not isinstance(node, ast.Name):
            raise ValueError
    except ValueError:
        raise MeasureError("{got} is not a measure's name", got=measure, remedy=_FORM) from None
    if node.id not in registry:
        raise UnknownMeasure(f"no measure {node.id!r}; allowed are {', '.join(registry)}")
    named = registry[node.id]
    return named(**parameters | ({} if at is None else {named.AT_PARAM: at}))


class UnknownMeasure(MeasureError, NameError):
    """A name that no measure has; also a `NameError`, as in ir_measures."""


def parse_trec_measure(measure: str) -> list[Measure]:
    """The measures that a name of trec_eval means: `map`, `P_5,10`, `ndcg_cut.10`, or a set.

    A set is a nickname such as `official`. Measures that ir_measures has no name for (`gm_map`,
    `11pt_avg`, ...) are left out of sets, with a warning.

    Raises
    ------
    ValueError
        The name is not known, or ir_measures has none for it.

    Examples
    --------
    >>> parse_trec_measure("P_5,10")
    [P@5, P@10]
    """
    from precall.compat.trec_eval.families import NICKNAMES, families
    from precall.core.notes import warn
    from precall.core.notes.of_reading import NamesLeftOut

    if (
        check_kind("measure", measure, str, "a name of trec_eval's, such as 'P_5'")
        in NICKNAMES["9.0.8"]
    ):
        some = sorted(set(NICKNAMES["9.0.8"][measure]) - {"runid"})
        if skipped := [name for name in some if name not in _TREC]:
            warn(NamesLeftOut(measure, tuple(skipped)))
        return [each for name in some if name in _TREC for each in parse_trec_measure(name)]
    base, texts = measure, ""
    if measure not in _TREC:
        match = re.fullmatch(r"(.+?)[._]([0-9]+(?:\.[0-9]+)?(?:,[0-9]+(?:\.[0-9]+)?)*)", measure)
        base, texts = (match[1], match[2]) if match else (measure, "")
    if base not in _TREC:
        why = "has no name in ir_measures" if base in families("9.0.8") else "is not known"
        raise MeasureError(f"trec_eval's measure {{got}} {why}", got=measure, allowed=_TREC)
    name, parameter, defaults = _TREC[base]
    if texts and not parameter:
        raise MeasureError(f"trec_eval's measure {base} takes no parameters", got=Fact(texts))
    if not parameter:
        return [registry[name]]
    read: Any = registry[name].SUPPORTED_PARAMS[parameter].dtype
    values = [read(text) for text in texts.split(",")] if texts else defaults
    return [registry[name](**{parameter: value}) for value in values]
