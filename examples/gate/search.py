"""The system under test: the rankings of other systems, fused by the ranks that they give."""

from __future__ import annotations

from pathlib import Path

DIGITS = Path(__file__).resolve().parent.parent / "digits"
SYSTEMS = ("components", "pixels")
#: Reciprocal rank fusion (Cormack, Clarke & Buettcher 2009): how little the first ranks count
#: before the next ones.
K = 60


def search() -> dict[str, dict[str, float]]:
    """Topic → item → score."""
    fused: dict[str, dict[str, float]] = {}
    for system in SYSTEMS:
        for line in (DIGITS / f"{system}.run").read_text(encoding="utf-8").splitlines():
            topic, _, item, rank, _, _ = line.split()
            scores = fused.setdefault(topic, {})
            scores[item] = scores.get(item, 0.0) + 1 / (K + int(rank))
    return fused
