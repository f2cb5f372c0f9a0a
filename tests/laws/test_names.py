"""Other people's names give our numbers: trec_eval's and ir_measures'."""

import re

import pytest
from hypothesis import given

import precall as pc
from precall.measures import REGISTRY
from tests.laws.collections import Collection, collections, examples
from tests.laws.properties import identical, numbers

#: trec_eval's name → the same number in the common grammar (its own definitions, see
#: docs/coming-from/trec_eval.md).
TREC_EVAL = {
    "map": "AP",
    "map_cut_5": "AP@5",
    "gm_map": "GMAP",
    "P_5": "P@5",
    "recall_5": "R@5",
    "Rprec": "Rprec",
    "Rprec_mult_1.50": "Rprec(mult=1.5)",
    "recip_rank": "RR",
    "success_1": "Success@1",
    "relative_P_5": "RelP@5",
    "iprec_at_recall_0.30": "IPrec(recall=0.3)",
    "11pt_avg": "IAP",
    "bpref": "Bpref",
    "infAP": "infAP",
    "ndcg": "nDCG",
    "ndcg_cut_5": "nDCG@5",
    "dcg": "DCG",
    "G": "G",
    "binG": "binG",
    "set_P": "SetP",
    "set_recall": "SetR",
    "set_relative_P": "SetRelP",
    "set_map": "SetAP",
    "set_F": "SetF",
    "yaap": "yaap",
    "utility": "Utility",
    "num_ret": "NumRet",
    "num_rel": "NumRel",
    "num_rel_ret": "NumRelRet",
    "num_nonrel_judged_ret": "NumNonrelRet",
}

#: ir_measures' spelling → ours.
IR_MEASURES = {
    "AP(rel=2)@5": "AP(grade=2)@5",
    "P(rel=2)@5": "P(grade=2)@5",
    "R@5": "R@5",
    "RR(rel=2)": "RR(grade=2)",
    "RR@10": "RR@10",
    "nDCG@10": "nDCG@10",
    "nDCG(dcg='exp-log2')@10": "nDCG(gain=exp)@10",
    "nDCG(dcg='log2')@10": "nDCG@10",
    "Judged@10": "Judged@10",
    "NumRet": "NumRet",
    "NumRet(rel=1)": "NumRelRet",
    "NumRel(rel=2)": "NumRel(grade=2)",
    "SetP(rel=2)": "SetP(grade=2)",
    "SetR": "SetR",
    "SetF(beta=0.5)": "SetF(beta=0.5)",
    "SetAP": "SetAP",
    "Bpref(rel=2)": "Bpref(grade=2)",
    "infAP(rel=1)": "infAP",
    "Rprec(rel=2)": "Rprec(grade=2)",
    "IPrec(rel=2)@0.1": "IPrec(recall=0.1,grade=2)",
    "IPrec@0.1": "IPrec(recall=0.1)",
    "Success(rel=2)@5": "Success(grade=2)@5",
    "RBP(p=0.5,rel=2)": "RBP(p=0.5,grade=2)",
    "ERR@20": "ERR@20",
    "AP(judged_only=True)": "AP(judged_only=true)",
}


@pytest.mark.nightly(keep=20)
@pytest.mark.parametrize(("theirs", "ours"), [*TREC_EVAL.items(), *IR_MEASURES.items()])
def test_a_name_from_elsewhere_is_the_same_measure(theirs, ours):
    assert pc.measure(theirs).name == pc.measure(ours).name

    @examples(5)
    @given(collections())
    def law(collection: Collection):
        identical(numbers(theirs, collection), numbers(ours, collection), theirs)

    law()


def test_every_name_of_trec_eval_that_is_declared_is_tried():
    declared = [template for declaration in REGISTRY for template in declaration.trec_eval]
    patterns = [re.sub(r"\\{\w+\\}", r"[0-9.]+", re.escape(template)) for template in declared]
    for pattern in patterns:
        assert any(re.fullmatch(pattern, name) for name in TREC_EVAL), pattern


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("MAP", "AP"),
        ("MRR@10", "RR@10"),
        ("Precision@3", "P@3"),
        ("Recall@3", "R@3"),
        ("HitRate@3", "Success@3"),
        ("Hit@3", "Success@3"),
        ("ReciprocalRank", "RR"),
        ("AveragePrecision", "AP"),
        ("ElevenPoint", "IAP"),
        ("ndcg@5", "nDCG@5"),
        ("BPREF", "Bpref"),
        ("setp", "SetP"),
        (" P @ 3 ", "P@3"),
    ],
)
def test_aliases_and_case(alias, name):
    assert pc.measure(alias).name == name


def test_parameters_may_come_in_any_order_and_defaults_are_left_out():
    assert pc.measure("AP(grade=1,norm=relevant)").name == "AP"
    one, other = pc.measure("AP(norm=min,grade=2)@5"), pc.measure("AP(grade=2,norm=min)@5")
    assert one == other
    assert one.name == other.name
    assert pc.measure("F(beta=1.0)@5").name == "F@5"
    assert pc.measure("nDCG(gains={3:1,1:2.50})").name == "nDCG(gains={1:2.5,3:1})"
    assert pc.measure("Rprec(mult=1)").name == "Rprec"
