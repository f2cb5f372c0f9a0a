"""How often intervals of means over topics with weights hold the true mean, and those of the
difference of two equal systems hold 0: `python -m tests.coverage.topic_weights`.

Writes records/topic_weights.json; docs/why/intervals.md has its table. `--samples N` is a quick
look. Weights are drawn anew with each sample: lognormal (sigma 1), also where the values of topics
of much weight vary more. Equal weights give the intervals without weights, to the last bit.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import warnings
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import precall as pc
from precall.core.notes.of_intervals import WeightsOnFew
from precall.core.ragged import Float64
from precall.stats.intervals.mean import weighted
from precall.stats.tests.many import prepare
from precall.stats.weighted_topics import effective_number
from tests.noticed import noticed

RECORD = Path(__file__).with_name("records") / "topic_weights.json"
#: Values in 0..1 with their means; those of `free` have no range.
LAWS = ("skewed", "two values", "ranks", "free")
WEIGHTS = ("lognormal", "heavy vary")
#: Enough for the bounds of 95 %.
RESAMPLES = 999
#: Up to so many topics all signs are counted, which takes twenty times as long as all else; p is
#: exact by definition.
ALL_SIGNS = 40


class Situation(NamedTuple):
    """Topics whose values have a law, and weights."""

    law: str
    topics: int
    weights: str

    def draw(self, rng: np.random.Generator) -> tuple[Float64, Float64, Float64]:
        """Values of two systems, and the weights of topics."""
        size = self.topics
        weights = rng.lognormal(0, 1, size)
        shared = self._values(rng)
        other = np.where(rng.random(size) < 0.5, shared, self._values(rng))
        if self.weights == "heavy vary":
            # Values of the lighter half are drawn towards the mean, which stays.
            light = weights < np.median(weights)
            for column in (shared, other):
                column[light] += (self.mean - column[light]) / 2
        return shared, other, weights

    def _values(self, rng: np.random.Generator) -> Float64:
        size = self.topics
        match self.law:
            case "skewed":
                return rng.beta(0.6, 1.4, size)
            case "two values":
                return (rng.random(size) < 0.3).astype(np.float64)
            case "ranks":
                return 1.0 / rng.geometric(0.4, size)
        return rng.normal(0.5, 0.3, size)

    @property
    def mean(self) -> float:
        """The true mean."""
        odds = -0.4 * math.log(0.4) / 0.6
        return {"skewed": 0.3, "two values": 0.3, "ranks": odds, "free": 0.5}[self.law]


def situations() -> Iterator[Situation]:
    """All situations of the record."""
    for law in LAWS:
        for topics in (20, 50):
            for weights in WEIGHTS:
                yield Situation(law, topics, weights)


def simulate(situation: Situation, samples: int) -> dict[str, Any]:
    """Shares of samples in which intervals hold the truth, and the widths of intervals."""
    rng = np.random.default_rng(zlib.crc32(str(situation).encode()))
    limits = None if situation.law == "free" else (0.0, 1.0)
    names = ["default", "t", "t of differences"]
    held = dict.fromkeys(names if situation.topics <= ALL_SIGNS else [*names, "randomization"], 0)
    widths: dict[str, list[float]] = {"default": [], "t": []}
    effective, noted = [], 0
    for _ in range(samples):
        first, second, weights = situation.draw(rng)
        effective.append(effective_number(weights))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pc.PrecallWarning)
            for name, method in (("default", None), ("t", "t")):
                found = weighted(first, weights, method=method, range=limits)
                if found.low is not None and found.high is not None:
                    held[name] += found.low <= situation.mean <= found.high
                    widths[name].append(found.high - found.low)
                if method is None:
                    noted += bool(noticed(found, WeightsOnFew))
            topics = [str(topic) for topic in range(situation.topics)]
            values = {
                name: dict(zip(topics, column.tolist(), strict=True))
                for name, column in (("a", first), ("b", second))
            }
            for name, test in (("randomization", "randomization"), ("t of differences", "t")):
                if test == "randomization" and situation.topics <= ALL_SIGNS:
                    continue
                (pair,) = (
                    prepare(
                        values,
                        test=test,
                        correction="none",
                        baseline=None,
                        level=0.95,
                        resamples=RESAMPLES,
                        rng=0,
                        measure="x",
                        unpaired="error",
                        weights=dict(zip(topics, weights.tolist(), strict=True)),
                    )
                    .compare()
                    .pairs
                )
                held[name] += not pair.significant
    return {
        **situation._asdict(),
        "samples": samples,
        "effective": round(float(np.mean(effective)), 1),
        **{name: round(count / samples, 4) for name, count in held.items()},
        "error": round(math.sqrt(0.05 * 0.95 / samples), 4),
        "noted": round(noted / samples, 3),
        **{f"width of {name}": round(float(np.median(each)), 3) for name, each in widths.items()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=2000)
    samples = parser.parse_args().samples
    cells = []
    for situation in situations():
        cells.append(simulate(situation, samples))
        sys.stdout.write(f"{cells[-1]}\n")
        sys.stdout.flush()
    if samples >= 800:
        RECORD.write_text(json.dumps({"cells": cells}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
