"""What ir_measures and the tools that it calls give for tests/data/ir_measures, written down.

pip install ir_measures==0.4.3 pytrec_eval_terrier==0.5.11 pyndeval==0.0.8 cwl-eval==1.0.12
python -m tests.parity.record_ir_measures > tests/data/ir_measures/recorded.json
"""

from __future__ import annotations

import json
import logging
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parents[1] / "data" / "ir_measures"
PACKAGES = ("ir_measures", "pytrec_eval_terrier", "pyndeval", "cwl_eval")
#: By the tool that the default pipeline of ir_measures takes for them.
MEASURES = {
    "pytrec_eval": """AP AP(rel=2)@5 AP(judged_only=True)@7 nDCG nDCG@5 nDCG(gains={1:3,2:1})@5 nDCG(judged_only=True)@4 P@5
        P(rel=2)@5 P(judged_only=True)@5 R@5 R(rel=2)@10 RR RR(rel=2) RR(judged_only=True) Rprec Rprec(rel=2) Bpref Bpref(rel=2)
        NumRet NumRet(rel=2) NumRel NumQ SetAP SetF SetF(beta=0.3) SetP SetP(relative=True) SetR SetR(rel=2) Success@1 Success@5
        IPrec@0.1 IPrec@0.5 IPrec@0.7 IPrec(rel=2)@1.0 infAP infAP(rel=2)""",  # noqa: E501
    "cwl_eval": """RBP(rel=1) RBP(p=0.99,rel=2) BPM(max_rel=3)@10 BPM(T=2.0,max_rel=3)@5 SDCG(max_rel=3)@10 INST(max_rel=3)
        INST(T=2.0,max_rel=2) INSQ(max_rel=3) INSQ(T=2.0,min_rel=1,max_rel=3) NERR8(max_rel=3)@10 NERR9(max_rel=3)@10
        NERR10(max_rel=3) NERR10(p=0.8,max_rel=2) NERR11(max_rel=3) NERR11(T=2.0,max_rel=3)""",  # noqa: E501
    "compat": "Compat Compat(p=0.8) Compat(p=0.8,normalize=False)",
    "pyndeval": """ERR_IA@5 ERR_IA(rel=2)@10 nERR_IA@5 nERR_IA(rel=2)@20 alpha_DCG@5 alpha_DCG(alpha=0.2)@10 alpha_nDCG@5
        alpha_nDCG@20 alpha_nDCG(alpha=0.2,rel=2)@10 NRBP NRBP(alpha=0.2,beta=0.8) nNRBP nNRBP(rel=2) AP_IA AP_IA(rel=2) P_IA@5
        P_IA(rel=2)@10 StRecall@5 StRecall(rel=2)@10""",  # noqa: E501
    "judged": "Judged Judged@5",
    "msmarco": "RR@5 RR(rel=2)@10",
    "gdeval": "ERR@5 ERR@20 nDCG(dcg='exp-log2')@5 nDCG(dcg='exp-log2')@20",
    "accuracy": "Accuracy Accuracy(rel=2)@10",
}
#: Of pytrec_eval: (measures, relevance_level, judged_docs_only_flag).
CALLS: list[tuple[list[str], int, bool]] = [
    (["all_trec"], 1, False),
    (
        [
            "official",
            "set",
            "ndcg_cut.3,7",
            "P_2",
            "set_F.0.25",
            "Rprec_mult_0.5",
            "iprec_at_recall.0.33",
        ],
        2,
        True,
    ),
]


def text(name: str) -> str:
    """One of the files."""
    return (DATA / f"{name}.txt").read_text()


def recorded() -> dict[str, Any]:
    """All values of all tools."""
    import ir_measures
    import pytrec_eval

    logging.disable(logging.WARNING)
    result: dict[str, Any] = {
        "versions": {name: version(name) for name in PACKAGES},
        "python": sys.version.split()[0],
    }
    values: dict[str, Any] = {}
    run = list(ir_measures.read_trec_run(text("run")))
    for tool, names in MEASURES.items():
        qrels = list(
            ir_measures.read_trec_qrels(text("diversity" if tool == "pyndeval" else "qrels"))
        )
        for name in names.split():
            both = ir_measures.providers.registry[tool].calc(
                [measure := ir_measures.parse_measure(name)], qrels, run
            )
            topics = {metric.query_id: metric.value for metric in both.per_query}
            values[name] = {"mean": both.aggregated[measure], "topics": topics}
    qrels, run = (
        pytrec_eval.parse_qrel(text("qrels").splitlines()),
        pytrec_eval.parse_run(text("run").splitlines()),
    )
    calls = [pytrec_eval.RelevanceEvaluator(qrels, *call).evaluate(run) for call in CALLS]
    return result | {"ir_measures": values, "pytrec_eval": calls}


if __name__ == "__main__":
    json.dump(recorded(), sys.stdout, indent=1)
