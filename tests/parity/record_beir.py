"""What BEIR's evaluation gives for queries that are documents of the collection, written down, with
and without the documents that are the query itself.

pip install --no-deps beir==2.2.0; pip install pytrec_eval-terrier==0.5.11 tqdm
python -m tests.parity.record_beir > tests/data/beir/recorded.json
"""

from __future__ import annotations

import json
import random
import sys
from copy import deepcopy
from importlib.metadata import version

CUTOFFS = [1, 3, 5, 10]


def judged() -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Judgements and a run. Most queries retrieve themselves, not all of them first."""
    draw = random.Random(2021)
    documents = [f"d{place}" for place in range(40)]
    qrels, run = {}, {}
    for query in documents[:15]:
        others = [document for document in documents if document != query]
        relevant = draw.sample(others, draw.randint(1, 8))
        qrels[query] = {document: draw.randint(1, 2) for document in relevant}
        qrels[query] |= {
            document: 0 for document in draw.sample(others, 3) if document not in relevant
        }
        found = draw.sample(others, 15)
        scores = draw.sample(range(100), 15)
        run[query] = {
            document: score + 30 * (document in relevant) + place / 100
            for place, (document, score) in enumerate(zip(found, scores, strict=True))
        }
        if draw.random() < 0.8:
            run[query][query] = draw.choice([500.0, 61.5])
    return qrels, run


def main() -> None:
    """Print judgements, run and values as JSON."""
    # for whoever records anew
    from beir.retrieval.evaluation import EvaluateRetrieval  # type: ignore[import-not-found]

    qrels, run = judged()
    values = {}
    for drop in (True, False):
        # It removes documents from the run that it is given.
        scored, found = deepcopy(run), {}
        for part in EvaluateRetrieval.evaluate(qrels, scored, CUTOFFS, ignore_identical_ids=drop):
            found |= part
        for metric in ("mrr", "r_cap"):
            found |= EvaluateRetrieval.evaluate_custom(qrels, scored, CUTOFFS, metric)
        values["dropped" if drop else "kept"] = found
    json.dump(
        {
            "beir": version("beir"),
            "pytrec_eval_terrier": version("pytrec_eval-terrier"),
            "qrels": qrels,
            "run": run,
            "values": values,
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main()
