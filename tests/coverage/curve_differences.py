"""How often the band of the difference of two curves holds the whole true difference:
`python -m tests.coverage.curve_differences`.

Writes records/curve_differences.json; docs/why/tests.md has its table.
`--samples N` is a quick look.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
import warnings
import zlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import precall as pc
from precall.core.notes.of_intervals import FewCases, FewGroups
from tests.noticed import noticed
from tests.peers import peer

stats = peer("scipy.stats")
RECORD = Path(__file__).with_name("records") / "curve_differences.json"
#: Mean and spread of the normal scores of relevant cases; others have 0 and 1.
Scores = tuple[float, float]


class Situation(NamedTuple):
    """Two scores of the same cases, whose noise is correlated; groups share a part of it."""

    name: str
    relevant: int
    share: float
    a: Scores
    b: Scores
    together: float = 0.5
    size: int = 1
    law: str = "normal"


SITUATIONS = (
    Situation("equal curves, 10 % relevant", 100, 0.1, (1.5, 1), (1.5, 1)),
    Situation("equal curves, half relevant", 100, 0.5, (1, 1), (1, 1), 0.8),
    Situation("equal curves, nearly perfect", 100, 0.3, (3, 1), (3, 1)),
    Situation("equal curves, few relevant", 30, 0.3, (1.5, 1), (1.5, 1)),
    Situation("crossing curves, 20 % relevant", 100, 0.2, (1.5, 1), (1.2, 0.6)),
    Situation("crossing curves, 10 % relevant", 300, 0.1, (1.5, 1), (1.2, 0.6)),
    Situation("one above, 5 % relevant", 300, 0.05, (2, 1), (1.5, 1), 0.9),
    Situation("one above, half relevant", 500, 0.5, (1.5, 1), (1.2, 1), 0.7),
    Situation("equal curves, groups of 5", 150, 0.3, (1.4, 1), (1.4, 1), 0.6, 5),
    Situation("crossing curves, groups of 5", 300, 0.2, (1.5, 1), (1.2, 0.6), 0.5, 5),
    Situation("equal curves, logistic scores", 150, 0.15, (2.5, 1), (2.5, 1), 0.5, 1, "logistic"),
    Situation("crossing curves, heavy tails", 200, 0.25, (1.5, 1), (1.2, 0.6), 0.5, 1, "t"),
    Situation("crossing curves, five ratings", 130, 0.4, (1.5, 1), (1.2, 0.6), 0.5, 1, "ratings"),
    Situation("five ratings, 20 % relevant", 300, 0.2, (1.5, 1), (1.4, 0.8), 0.7, 1, "ratings"),
)
#: Recall of the ratings from 5, 4, 3 and 2 on, of either system. Where they are just above a place
#: of the grid, samples differ in the rating that reaches it.
RECALLS = ((0.38, 0.65, 0.82, 0.94), (0.23, 0.57, 0.79, 0.98))


def law(name: str) -> Any:
    laws = {"logistic": stats.logistic(), "t": stats.t(3)}
    return laws.get(name, stats.norm())


def drawn(situation: Situation, rng: np.random.Generator) -> tuple[Any, ...]:
    """Labels, both scores and groups of a sample."""
    count = round(situation.relevant / situation.share)
    relevant = rng.random(count) < situation.share
    group = np.arange(count) // situation.size
    noise = rng.normal(size=(2, count))
    noise[1] = situation.together * noise[0] + math.sqrt(1 - situation.together**2) * noise[1]
    if situation.size > 1:
        noise = 0.8 * noise + 0.6 * rng.normal(size=(2, group[-1] + 1))[:, group]
    if situation.law in ("logistic", "t"):
        noise = law(situation.law).ppf(stats.norm.cdf(noise))
    scores = [
        np.where(relevant, mean + spread * each, each)
        for (mean, spread), each in zip((situation.a, situation.b), noise, strict=True)
    ]
    if situation.law == "ratings":
        scores = [
            np.digitize(score, of_system[::-1])
            for score, of_system in zip(scores, cuts(situation), strict=True)
        ]
    return relevant, *scores, group if situation.size > 1 else None


def cuts(situation: Situation) -> list[Any]:
    """Scores from which on a rating is 5, 4, 3 and 2."""
    both = zip((situation.a, situation.b), RECALLS, strict=True)
    return [mean + spread * stats.norm.isf(recalls) for (mean, spread), recalls in both]


def true_difference(situation: Situation, view: str, x: Any) -> Any:
    others = law(situation.law)

    def of_ratings(number: int) -> Any:
        tp, fp = (
            [0, *shares, 1] for shares in (RECALLS[number], others.sf(cuts(situation)[number]))
        )
        if view == "roc":
            return np.interp(x, fp, tp)
        reached = np.searchsorted(tp, x)
        hits = situation.share * np.take(tp, reached)
        return hits / (hits + (1 - situation.share) * np.take(fp, reached))

    if situation.law == "ratings":
        return of_ratings(0) - of_ratings(1)

    def height(mean: float, spread: float) -> Any:
        if view == "roc":
            return others.sf((others.isf(x) - mean) / spread)
        hits = situation.share * x
        return hits / (hits + (1 - situation.share) * others.sf(mean + spread * others.isf(x)))

    return height(*situation.a) - height(*situation.b)


def simulate(situation: Situation, view: str, samples: int) -> dict[str, Any]:
    rng = np.random.default_rng(zlib.crc32(f"{situation.name} {view}".encode()))
    missed, noted, width, begun = 0, 0, 0.0, time.process_time()
    for i in range(samples):
        relevant, a, b, groups = drawn(situation, rng)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pc.PrecallWarning)
            found = pc.compare.curves(
                pc.curve(relevant, a), pc.curve(relevant, b), view, groups=groups, rng=i
            )
        band, truth = found.band, true_difference(situation, view, found.band.x)
        missed += truth not in band
        noted += bool(noticed(found, FewCases) or noticed(found, FewGroups))
        width += float(np.mean(band.high - band.low)) / samples
    return {
        "situation": situation.name,
        "relevant": situation.relevant,
        "view": view,
        "samples": samples,
        "covered": round(1 - missed / samples, 4),
        "error": round(math.sqrt(0.05 * 0.95 / samples), 4),
        "noted": round(noted / samples, 3),
        "width": round(width, 4),
        "seconds": round(time.process_time() - begun, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=800)
    samples = parser.parse_args().samples
    cells = []
    for situation in SITUATIONS:
        for view in ("pr", "roc"):
            cells.append(simulate(situation, view, samples))
            sys.stdout.write(f"{cells[-1]}\n")
            sys.stdout.flush()
    if samples >= 800:
        RECORD.write_text(json.dumps({"cells": cells}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
