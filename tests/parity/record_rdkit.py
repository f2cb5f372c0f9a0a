"""What RDKit's measures of virtual screening give for lists made at random, written down.

pip install rdkit==2026.9.1
python -m tests.parity.record_rdkit > tests/data/rdkit/recorded.json
"""

from __future__ import annotations

import json
import random
import sys
from importlib.metadata import version

ALPHAS, SHARES = (1.0, 20.0, 100.0, 160.9), (0.005, 0.01, 0.05, 0.2, 0.5)
SIZES = ((20, 0.3), (100, 0.1), (100, 0.5), (1000, 0.01), (1000, 0.05), (2500, 0.02))


def lists() -> list[list[int]]:
    """Whether each item is active, best first; some of them have found early what there is."""
    draw = random.Random(2007)
    made = []
    for size, share in SIZES:
        for better in (0.0, 2.0):
            scored = [(draw.random() < share, draw.gauss(0, 1)) for _ in range(size)]
            scored.sort(key=lambda case: -(case[1] + better * case[0]))
            made.append([int(active) for active, _ in scored])
    return made


def main() -> None:
    """Print them as JSON: of each list where its actives stand, and the numbers."""
    # for whoever records anew
    from rdkit.ML.Scoring import Scoring  # type: ignore[import-not-found]

    recorded = []
    for actives in lists():
        rows = [[active] for active in actives]
        recorded.append(
            {
                "size": len(actives),
                "hits": [rank for rank, active in enumerate(actives, start=1) if active],
                "BEDROC": {str(alpha): Scoring.CalcBEDROC(rows, 0, alpha) for alpha in ALPHAS},
                "EF": {str(share): Scoring.CalcEnrichment(rows, 0, [share])[0] for share in SHARES},
            }
        )
    json.dump({"rdkit": version("rdkit"), "lists": recorded}, sys.stdout)


if __name__ == "__main__":
    main()
