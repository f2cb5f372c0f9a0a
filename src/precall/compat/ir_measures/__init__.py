"""ir_measures' names, with our numbers: `calc_aggregate([nDCG@10, AP(rel=2)], qrels, run)`.

Replace `import ir_measures` by `from precall.compat import ir_measures`. Names and signatures are
those of ir_measures 0.4.3, which need not be installed. If it is installed, `register()` makes
precall its first provider, so that everything that uses ir_measures (`pyterrier.Experiment`) has
our numbers; `PrecallProvider` is that provider's class. docs/coming-from/ir_measures.md says which
tool's number each measure is, and what differs.

Examples
--------
>>> from precall.compat import ir_measures
>>> from precall.compat.ir_measures import AP, P
>>> ir_measures.calc_aggregate([AP, P@2], {"q": {"a": 1, "b": 0}}, {"q": {"b": 0.7, "a": 0.5}})
{AP: 0.5, P@2: 0.5}
"""

from __future__ import annotations

import warnings
from typing import Any, Final

from precall.compat.ir_measures import providers
from precall.compat.ir_measures.calculation import (
    Evaluator,
    calc,
    calc_aggregate,
    evaluator,
    iter_calc,
)
from precall.compat.ir_measures.defining import define, define_byquery
from precall.compat.ir_measures.names import parse_measure, parse_trec_measure
from precall.compat.ir_measures.objects import MeanAgg, Measure, ParamInfo, SumAgg, registry
from precall.compat.ir_measures.providers import DefaultPipeline, Provider
from precall.compat.ir_measures.providing import provider_class, register, unregister
from precall.compat.ir_measures.records import (
    CalcResults,
    Metric,
    Qrel,
    ScoredDoc,
    read_trec_qrels,
    read_trec_run,
)

#: The version of ir_measures whose names these are.
__version__ = "0.4.3"
calc_ctxt: Final = DefaultPipeline.calc_ctxt
run_inputs: Final = DefaultPipeline.run_inputs
qrel_inputs: Final = DefaultPipeline.qrel_inputs
#: Names that ir_measures has replaced.
_REPLACED = {
    "convert_trec_name": "parse_trec_measure",
    "parse_trec_qrels": "read_trec_qrels",
    "parse_trec_run": "read_trec_run",
    "GenericQrel": "Qrel",
    "GenericScoredDoc": "ScoredDoc",
}
_PROVIDERS = (
    "accuracy",
    "compat",
    "cwl_eval",
    "gdeval",
    "judged",
    "msmarco",
    "pyndeval",
    "pytrec_eval",
    "ranx",
    "runtime",
    "trectools",
)


def __getattr__(name: str) -> Any:
    # Its base is a class of ir_measures, so the class is made on first use.
    if name == "PrecallProvider":
        return provider_class()
    if name in _REPLACED:
        warnings.warn(
            f"{name} is deprecated; use {_REPLACED[name]}", DeprecationWarning, stacklevel=2
        )
        return globals()[_REPLACED[name]]
    more = ""
    if name in _PROVIDERS:
        # gdeval's nDCG@20 is not the number of trec_eval's; docs/coming-from/ir_measures.md
        # explains both.
        more = "; there is one provider: use the functions of this module, or DefaultPipeline"
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{more}")


BaseMeasure = Measure
Accuracy: Measure = registry["Accuracy"]
alpha_DCG: Measure = registry["alpha_DCG"]  # noqa: N816
alpha_nDCG: Measure = registry["alpha_nDCG"]  # noqa: N816
AP: Measure = registry["AP"]
AP_IA: Measure = registry["AP_IA"]
BPM: Measure = registry["BPM"]
Bpref: Measure = registry["Bpref"]
Compat: Measure = registry["Compat"]
ERR: Measure = registry["ERR"]
ERR_IA: Measure = registry["ERR_IA"]
infAP: Measure = registry["infAP"]  # noqa: N816
INSQ: Measure = registry["INSQ"]
INST: Measure = registry["INST"]
IPrec: Measure = registry["IPrec"]
Judged: Measure = registry["Judged"]
nDCG: Measure = registry["nDCG"]  # noqa: N816
NERR8: Measure = registry["NERR8"]
NERR9: Measure = registry["NERR9"]
NERR10: Measure = registry["NERR10"]
NERR11: Measure = registry["NERR11"]
nERR_IA: Measure = registry["nERR_IA"]  # noqa: N816
nNRBP: Measure = registry["nNRBP"]  # noqa: N816
NRBP: Measure = registry["NRBP"]
NumQ: Measure = registry["NumQ"]
NumRel: Measure = registry["NumRel"]
NumRelRet: Measure = registry["NumRelRet"]
NumRet: Measure = registry["NumRet"]
P: Measure = registry["P"]
P_IA: Measure = registry["P_IA"]
R: Measure = registry["R"]
RBP: Measure = registry["RBP"]
Rprec: Measure = registry["Rprec"]
RR: Measure = registry["RR"]
SDCG: Measure = registry["SDCG"]
SetAP: Measure = registry["SetAP"]
SetF: Measure = registry["SetF"]
SetP: Measure = registry["SetP"]
SetR: Measure = registry["SetR"]
SetRelP: Measure = registry["SetRelP"]
StRecall: Measure = registry["StRecall"]
Success: Measure = registry["Success"]
MAP: Measure = AP
MAP_IA: Measure = AP_IA
BPref: Measure = Bpref
NDCG: Measure = nDCG
Precision: Measure = P
Recall: Measure = R
RPrec: Measure = Rprec
MRR: Measure = RR
α_DCG: Measure = alpha_DCG  # noqa: N816
α_nDCG: Measure = alpha_nDCG  # noqa: N816

__all__ = [
    "AP",
    "AP_IA",
    "BPM",
    "ERR",
    "ERR_IA",
    "INSQ",
    "INST",
    "MAP",
    "MAP_IA",
    "MRR",
    "NDCG",
    "NERR8",
    "NERR9",
    "NERR10",
    "NERR11",
    "NRBP",
    "P_IA",
    "RBP",
    "RR",
    "SDCG",
    "Accuracy",
    "BPref",
    "BaseMeasure",
    "Bpref",
    "CalcResults",
    "Compat",
    "DefaultPipeline",
    "Evaluator",
    "IPrec",
    "Judged",
    "MeanAgg",
    "Measure",
    "Metric",
    "NumQ",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "P",
    "ParamInfo",
    "Precision",
    "Provider",
    "Qrel",
    "R",
    "RPrec",
    "Recall",
    "Rprec",
    "ScoredDoc",
    "SetAP",
    "SetF",
    "SetP",
    "SetR",
    "SetRelP",
    "StRecall",
    "Success",
    "SumAgg",
    "alpha_DCG",
    "alpha_nDCG",
    "calc",
    "calc_aggregate",
    "calc_ctxt",
    "define",
    "define_byquery",
    "evaluator",
    "infAP",
    "iter_calc",
    "nDCG",
    "nERR_IA",
    "nNRBP",
    "parse_measure",
    "parse_trec_measure",
    "providers",
    "qrel_inputs",
    "read_trec_qrels",
    "read_trec_run",
    "register",
    "run_inputs",
    "unregister",
    "α_DCG",  # noqa: RUF001
    "α_nDCG",  # noqa: RUF001
]
