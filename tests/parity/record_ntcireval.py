"""What pyNTCIREVAL's Q-measure gives for rankings made at random, written down.

pip install pyNTCIREVAL==0.0.3
python -m tests.parity.record_ntcireval > tests/data/ntcireval/recorded.json
"""

from __future__ import annotations

import json
import random
import sys

GAINS, BETAS, CUTOFFS = ([1, 2, 3], [1, 3, 7], [0.5, 2, 9]), (0, 0.5, 1, 10, 100), (0, 1, 3, 10)
RANKINGS = 40


def main() -> None:
    """Print them as JSON: the grades of each ranking, those that were missed, and the numbers."""
    # for whoever records anew
    from pyNTCIREVAL.metrics import QMeasure  # type: ignore[import-not-found]

    draw = random.Random(2004)
    recorded = []
    while len(recorded) < RANKINGS:
        ranked = [draw.choice((0, 0, 1, 2, 3, None)) for _ in range(draw.randint(1, 14))]
        missed = [draw.choice((0, 1, 2, 3)) for _ in range(draw.randint(0, 6))]
        judged = [grade for grade in (*ranked, *missed) if grade is not None]
        if not any(judged):
            continue
        gains, beta = draw.choice(GAINS), draw.choice(BETAS)
        numbers = {
            cutoff: QMeasure(
                [judged.count(grade) for grade in range(4)], gains, beta, cutoff or None
            ).compute(list(enumerate(ranked)))
            for cutoff in CUTOFFS
        }
        recorded.append(
            {"ranked": ranked, "missed": missed, "gains": gains, "beta": beta, "Q": numbers}
        )
    json.dump({"pyNTCIREVAL": "0.0.3", "rankings": recorded}, sys.stdout, indent=0)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
