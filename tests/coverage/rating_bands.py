"""How often the band of one precision-recall curve of ratings, which are few different scores,
holds the whole curve: `python -m tests.coverage.rating_bands`.

Writes records/rating_bands.json; docs/why/intervals.md tells what is in it.
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
RECORD = Path(__file__).with_name("records") / "rating_bands.json"
SAMPLES = 1000


class Situation(NamedTuple):
    """Normal scores, d' apart, rated; `recalls` are those of each rating or a better one.

    If a recall is at a place of the grid or near it, samples differ in the rating that reaches it.
    """

    name: str
    cases: int
    share: float
    recalls: tuple[float, ...]
    apart: float = 1.5


SITUATIONS = (
    Situation("five ratings, 40 % relevant", 325, 0.4, (0.38, 0.65, 0.82, 0.94)),
    Situation("five ratings, 20 % relevant", 1500, 0.2, (0.26, 0.51, 0.76, 0.91), 1.4),
    Situation("three ratings, 30 % relevant", 500, 0.3, (0.52, 0.86)),
    Situation("seven ratings, 30 % relevant", 400, 0.3, (0.16, 0.32, 0.46, 0.61, 0.77, 0.92)),
    Situation("five ratings at places of the grid", 5000, 0.3, (0.35, 0.5, 0.7, 0.9)),
)


def true_precision(of: Situation, x: Any) -> Any:
    """The precision of the first rating that reaches each recall."""
    tp = np.array([0, *of.recalls, 1])
    fp = np.array([0, *stats.norm.sf(of.apart + stats.norm.isf(of.recalls)), 1])
    row = np.searchsorted(tp, x - 1e-12)
    hits = of.share * tp[row]
    return hits / (hits + (1 - of.share) * fp[row])


def simulate(of: Situation, samples: int = SAMPLES) -> dict[str, Any]:
    rng = np.random.default_rng(zlib.crc32(of.name.encode()))
    steps = of.apart + stats.norm.isf(of.recalls[::-1])
    held, noted, width = 0, 0, 0.0
    for i in range(samples):
        relevant = rng.random(of.cases) < of.share
        rating = np.digitize(rng.standard_normal(of.cases) + of.apart * relevant, steps)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pc.PrecallWarning)
            band = pc.interval.pr_band(relevant, rating, rng=i)
        truth = true_precision(of, band.x)
        # Where a rating is at a place of the grid, bounds are the truth but for rounding.
        held += bool(np.all((band.low <= truth + 1e-12) & (truth <= band.high + 1e-12)))
        noted += any(note.severity < Severity.INFORMATIVE for note in band.notes)
        width += float(np.mean(band.high - band.low)) / samples
    return {
        "situation": of.name,
        "samples": samples,
        "covered": held / samples,
        "error": round(math.sqrt(0.05 * 0.95 / samples), 4),
        "noted": noted / samples,
        "width": round(width, 4),
    }


def main() -> None:
    cells = [simulate(of) for of in SITUATIONS]
    RECORD.write_text(json.dumps({"cells": cells}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
