"""How often intervals of differences of P@k and R@k, and of precision at a recall, hold the true
difference, where the cut is among even scores and where it is at cases that stand out:
`python -m tests.coverage.tops`.

Writes records/tops.json and a table in docs/why/tests.md. Truths are computed from the normal
distribution, without the package.
"""

from __future__ import annotations

import json
import math
import warnings
import zlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import precall as pc
from precall.core.notes.facts import Severity
from tests.peers import peer

stats = peer("scipy.stats")
RECORD = Path(__file__).with_name("records") / "tops.json"
PAGE = Path(__file__).resolve().parents[2] / "docs" / "why" / "tests.md"
BEGIN, END = "<!-- tops -->", "<!-- end of tops -->"
SAMPLES = 1000
#: Where relevant cases that stand out have their scores: mean and standard deviation.
_OUT, _SPREAD = 6.0, 0.5


class Situation(NamedTuple):
    """Normal scores of two systems, d' apart, with correlated noise; so much of the relevant cases
    `stands_out` by either, of the same ones if `alike`. Scores are rounded to multiples of `width`;
    `size` cases of a group have a part of the noise in common.
    """

    name: str
    cases: int
    share: float
    apart: tuple[float, float]
    rank: int
    stands_out: tuple[float, float] = (0.0, 0.0)
    alike: bool = True
    together: float = 0.5
    width: float = 0.0
    size: int = 1


SITUATIONS = (
    Situation("even scores, 50 of 500", 500, 0.2, (1.5, 1.2), 50),
    Situation("much alike, 50 of 500", 500, 0.2, (1.5, 1.5), 50, together=0.9),
    Situation("even scores, 10 of 200", 200, 0.1, (1.5, 1.0), 10),
    Situation("even scores, 20 of 2,000", 2000, 0.01, (2.0, 2.0), 20),
    Situation("even scores, 20 of 100", 100, 0.5, (1.0, 1.3), 20),
    Situation("groups of 4, 50 of 500", 500, 0.2, (1.5, 1.2), 50, size=4),
    Situation("scores tied to 1, 28 of 280", 280, 0.36, (1.5, 0.8), 28, width=1.0),
    Situation("40 % stand out by each, 40 of 2,000", 2000, 0.05, (0.8, 0.8), 40, (0.4, 0.4), False),
    Situation("40 % and 20 % stand out, 40 of 2,000", 2000, 0.05, (0.8, 0.8), 40, (0.4, 0.2)),
    Situation("30 % and none stand out, 60 of 1,000", 1000, 0.2, (0.5, 1.0), 60, (0.3, 0.0)),
    Situation("30 % stand out by each, 60 of 1,000", 1000, 0.2, (0.5, 0.5), 60, (0.3, 0.3), False),
    Situation("80 % and 60 % stand out, 25 of 400", 400, 0.1, (0.8, 0.8), 25, (0.8, 0.6), False),
)


#: Measures, of which the last has fewer samples.
MEASURES = ("P@k", "R@k", "PAtRecall(recall=0.4)")
RECALL = 0.4


def true_value(of: Situation, side: int, measure: str) -> float:
    """The value of an unlimited sample."""
    apart, out = of.apart[side], of.stands_out[side]
    edges = np.linspace(12, -8, 200_001)
    if of.width:
        edges = np.arange(math.ceil(12 / of.width), math.floor(-8 / of.width) - 1, -1) * of.width
    above = stats.norm.sf(edges - apart)
    tp = of.share * (out * stats.norm.sf((edges - _OUT) / _SPREAD) + (1 - out) * above)
    accepted = tp + (1 - of.share) * stats.norm.sf(edges)
    tp, accepted, top = np.append(0, tp), np.append(0, accepted), of.rank / of.cases
    if measure == MEASURES[2]:
        row = np.flatnonzero(tp >= RECALL * of.share)[0]
        depth = np.interp(RECALL * of.share, tp[row - 1 : row + 1], accepted[row - 1 : row + 1])
        return float(RECALL * of.share / depth)
    hits = float(np.interp(top, accepted, tp))
    return hits / top if measure == "P@k" else hits / of.share


def draw(of: Situation, rng: np.random.Generator) -> tuple[Any, ...]:
    """Labels, two scores and groups of one sample."""
    relevant = rng.random(of.cases) < of.share
    noise = rng.standard_normal((2, of.cases))
    group = np.arange(of.cases) // of.size
    if of.size > 1:
        noise = 0.8 * noise + 0.6 * rng.standard_normal((2, group[-1] + 1))[:, group]
    noise[1] = of.together * noise[0] + math.sqrt(1 - of.together**2) * noise[1]
    first = rng.random(of.cases)
    scores = []
    for side, chance in enumerate((first, first if of.alike else rng.random(of.cases))):
        score = noise[side] + of.apart[side] * relevant
        out = relevant & (chance < of.stands_out[side])
        score[out] = _OUT + _SPREAD * rng.standard_normal(int(out.sum()))
        scores.append(np.floor(score / of.width) * of.width if of.width else score)
    return relevant, *scores, group if of.size > 1 else None


def simulate(
    of: Situation, samples: int = SAMPLES, names: tuple[str, ...] = MEASURES[:2]
) -> list[dict[str, Any]]:
    """How often the intervals of measures held the truth, and how wide they were."""
    rng = np.random.default_rng(zlib.crc32(of.name.encode()))
    truths = {name: true_value(of, 0, name) - true_value(of, 1, name) for name in names}
    sums = {name: np.zeros(3) for name in truths}
    for _ in range(samples):
        relevant, a, b, groups = draw(of, rng)
        for name, truth in truths.items():
            measure = name.replace("@k", f"@{of.rank}")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", pc.PrecallWarning)
                # The interval does not depend on the number of exchanges.
                found = pc.compare.cases(relevant, a, b, measure, groups=groups, resamples=1)
            # Without bounds both lists have the same order.
            low, high = (0.0, 0.0) if found.low is None else (found.low, found.high)
            noted = any(
                note.severity < Severity.INFORMATIVE and "p" not in note.values
                for note in found.notes
            )
            # Where both are 1, they are so but for rounding.
            held = low - 1e-6 <= truth <= high + 1e-6
            sums[name] += [held, noted, high - low]
    cells = []
    for name, truth in truths.items():
        covered, noted, width = (sums[name] / samples).tolist()
        cell = {"situation": of.name, "measure": name, "truth": round(truth, 4)}
        cell |= {"samples": samples, "covered": covered, "noted": noted, "width": round(width, 4)}
        cells.append(cell)
    return cells


def table(cells: list[dict[str, Any]]) -> list[str]:
    """The record as a table of the page."""
    lines = [f"| situation | {' | '.join(MEASURES)} |", "|:--|--:|--:|--:|"]
    for name in dict.fromkeys(cell["situation"] for cell in cells):
        held = [f"{100 * cell['covered']:.1f}" for cell in cells if cell["situation"] == name]
        lines.append(f"| {name} | {' | '.join(held)} |")
    return lines


def main() -> None:
    cells = []
    for of in SITUATIONS:
        cells += simulate(of)
        cells += simulate(of, 800, MEASURES[2:])
    RECORD.write_text(json.dumps({"cells": cells}, indent=1) + "\n", encoding="utf-8")
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    page = f"{before}{BEGIN}\n\n" + "\n".join(table(cells)) + f"\n\n{END}{rest.partition(END)[2]}"
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
