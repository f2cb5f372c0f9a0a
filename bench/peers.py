"""The other tools, as their own documentation says: from files to per-topic values and means.

python peers.py TOOL QRELS RUN        prints the mean average precision
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

TREC_EVAL = ["map", "P_10", "recip_rank", "Rprec", "ndcg_cut_10"]
RANX = ["map", "precision@10", "mrr", "r-precision", "ndcg@10"]
PRECALL = ["AP", "P@10", "RR", "Rprec", "nDCG@10"]

Scores = dict[str, dict[str, float]]
Grades = dict[str, dict[str, int]]


def mean(values: dict[str, dict[str, float]]) -> float:
    return sum(topic["map"] for topic in values.values()) / len(values)


def pytrec_eval(qrels_path: str, run_path: str) -> float:
    import pytrec_eval as tool

    with Path(qrels_path).open() as lines:
        qrels = tool.parse_qrel(lines)
    with Path(run_path).open() as lines:
        run = tool.parse_run(lines)
    return mean(
        tool.RelevanceEvaluator(
            qrels, {"map", "P.10", "recip_rank", "Rprec", "ndcg_cut.10"}
        ).evaluate(run)
    )


def ir_measures(qrels_path: str, run_path: str) -> float:
    import ir_measures as tool
    from ir_measures import AP, RR, P, Rprec, nDCG

    results = tool.calc(
        [AP, P @ 10, RR, Rprec, nDCG @ 10],
        tool.read_trec_qrels(qrels_path),
        tool.read_trec_run(run_path),
    )
    return float(results.aggregated[AP])


def ranx(qrels_path: str, run_path: str) -> float:
    import ranx as tool

    qrels, run = (
        tool.Qrels.from_file(qrels_path, kind="trec"),
        tool.Run.from_file(run_path, kind="trec"),
    )
    return float(tool.evaluate(qrels, run, RANX, make_comparable=True)["map"])


FROM_FILES: dict[str, Callable[[str, str], float]] = {
    "pytrec_eval": pytrec_eval,
    "ir_measures": ir_measures,
    "ranx": ranx,
}


if __name__ == "__main__":
    print(FROM_FILES[sys.argv[1]](sys.argv[2], sys.argv[3]))
