"""How often the intervals of `compare.seeds` hold the true mean of a system with several runs, and
the true difference of two systems: `python -m tests.coverage.seeds`.

Writes records/seeds.json; docs/why/tests.md has its table. `--samples N` is a quick look.
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
from precall.core.notes.of_comparisons import OfSkewness
from precall.core.notes.of_intervals import FewValues
from precall.core.ragged import Float64
from precall.stats.tests.seeds import compare_runs_of_systems
from tests.noticed import noticed
from tests.peers import peer

stats = peer("scipy.stats")
RECORD = Path(__file__).with_name("records") / "seeds.json"
#: Deviation of single values about topics and runs, that of the topics being 1.
REST = 0.5


class Situation(NamedTuple):
    """Two systems with these numbers of runs. `between` is the variance of the mean that runs add
    to each system with several runs, if that of topics is 1. A system with one run has none.
    """

    law: str
    topics: int
    runs: tuple[int, int]
    between: float

    def __str__(self) -> str:
        return f"{self.law}, {self.topics} topics, {self.runs} runs, {self.between:g}"

    def draw(self, rng: np.random.Generator) -> list[Float64]:
        """Values of both systems, topics x runs, with true means of 0."""
        # Half of the variance of the topics is of both systems.
        shared = self._values(rng, self.topics)
        drawn = []
        for runs in self.runs:
            topics = (shared + self._values(rng, self.topics)) / 2**0.5
            spread = math.sqrt(self.between * runs / self.topics) if runs > 1 else 0.0
            of_runs = spread * rng.standard_normal(runs)
            rest = REST * rng.standard_normal((self.topics, runs))
            drawn.append(topics[:, None] + of_runs + rest)
        return drawn

    def _values(self, rng: np.random.Generator, size: int) -> Float64:
        if self.law == "skewed":
            return rng.exponential(size=size) - 1
        if self.law == "two ends":
            return 2.0 * rng.integers(0, 2, size) - 1
        return rng.standard_normal(size)


def situations() -> Iterator[Situation]:
    """All situations of the record."""
    for law in ("normal", "skewed", "two ends"):
        for topics in (25, 50, 200):
            for runs in ((2, 2), (3, 3), (5, 5), (5, 2), (2, 1), (3, 1)):
                if law == "normal" or runs in ((2, 2), (5, 5), (2, 1)):
                    for between in (0.0, 0.5, 4.0):
                        yield Situation(law, topics, runs, between)


def simulate(situation: Situation, samples: int) -> dict[str, Any]:
    """Shares of samples in which intervals hold the truth, and the widths of intervals."""
    rng = np.random.default_rng(zlib.crc32(str(situation).encode()))
    mean, difference, naive, noted = 0, 0, 0, 0
    widths = []
    for _ in range(samples):
        both = situation.draw(rng)
        names = [
            [f"{name}.{i}" for i in range(v.shape[1])] for name, v in zip("ab", both, strict=True)
        ]
        values = {
            run: column
            for of, v in zip(names, both, strict=True)
            for run, column in zip(of, v.T, strict=True)
        }
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pc.PrecallWarning)
            found = compare_runs_of_systems(
                values, dict(zip("ab", names, strict=True)), measure="x"
            )
        (pair,), first = found.pairs, found.seeds["x"]["a"]
        assert pair.low is not None and pair.high is not None
        assert first.low is not None and first.high is not None
        mean += first.low <= 0 <= first.high
        difference += pair.low <= 0 <= pair.high
        noted += bool(noticed(found, OfSkewness) or noticed(found, FewValues))
        widths.append(pair.high - pair.low)
        gaps = both[0].mean(axis=1) - both[1].mean(axis=1)
        half = stats.t.ppf(0.975, len(gaps) - 1) * gaps.std(ddof=1) / len(gaps) ** 0.5
        naive += bool(abs(gaps.mean()) <= half)
    # What an interval with the known variance would have.
    rest = sum(REST**2 / runs for runs in situation.runs)
    of_runs = situation.between * sum(runs > 1 for runs in situation.runs)
    ideal = 2 * 1.96 * math.sqrt((1 + rest + of_runs) / situation.topics)
    return {
        **situation._asdict(),
        "samples": samples,
        "mean": round(mean / samples, 4),
        "difference": round(difference / samples, 4),
        "averaged": round(naive / samples, 4),
        "error": round(math.sqrt(0.05 * 0.95 / samples), 4),
        "noted": round(noted / samples, 3),
        "width": round(float(np.median(widths)) / ideal, 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=1000)
    samples = parser.parse_args().samples
    cells = []
    for situation in situations():
        # Two runs that differ much cover least, so more samples of them are drawn.
        is_hard = situation.runs == (2, 1) and situation.between > 1
        cells.append(simulate(situation, samples * (5 if is_hard else 1)))
        sys.stdout.write(f"{cells[-1]}\n")
        sys.stdout.flush()
    if samples >= 800:
        RECORD.write_text(json.dumps({"cells": cells}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
