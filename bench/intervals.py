"""Intervals of one scored list: the bootstrap of AP, influences, DeLong; beside a loop over scikit-learn.

All in one process and in turn. scikit-learn's loop draws the same number of samples but is timed on few of them:
its time per sample is constant.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np
import record

SAMPLES, THEIRS = 1000, 5
CASES = {"1 % of 1e5": (100_000, 0.01), "50 % of 1e5": (100_000, 0.5), "10 % of 1e6": (1_000_000, 0.1)}


def scored(n: int, share: float) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    relevant = rng.random(n) < share
    return relevant, rng.standard_normal(n) + 1.2 * relevant


def seconds(call: Callable[[], object], repeat: int) -> list[float]:
    call()
    taken = []
    for _ in range(repeat):
        start = time.perf_counter()
        call()
        taken.append(time.perf_counter() - start)
    return taken


def bootstrapped(relevant: np.ndarray, score: np.ndarray, samples: int) -> list[float]:
    """What people write."""
    from sklearn.metrics import average_precision_score

    rng = np.random.default_rng(1)
    found = []
    for _ in range(samples):
        pick = rng.integers(0, len(score), len(score))
        found.append(float(average_precision_score(relevant[pick], score[pick])))
    return found


def measured(name: str, repeat: int) -> dict[str, object]:
    from precall.infer import average_precision, delong
    from precall.infer.resampling import replicates
    from precall.intervals.cases import blocks_of

    relevant, score = scored(*CASES[name])
    blocks = blocks_of(relevant, score)
    calls: dict[str, Callable[[], object]] = {
        "labels and scores to blocks": lambda: blocks_of(relevant, score),
        "AP, influences": lambda: average_precision.interval(blocks),
        "AUC, DeLong": lambda: delong.interval(blocks),
    }
    if len(score) <= 100_000:
        rng = np.random.default_rng(1)
        calls[f"AP, {SAMPLES} samples"] = lambda: replicates(blocks, SAMPLES, rng)
    found: dict[str, object] = {what: seconds(call, repeat) for what, call in calls.items()}
    if len(score) <= 100_000:
        loop = seconds(lambda: bootstrapped(relevant, score, THEIRS), 1)[0] / THEIRS * SAMPLES
        found[f"scikit-learn, {SAMPLES} samples"] = [loop]
        ours = replicates(blocks, SAMPLES, np.random.default_rng(1))
        found["mean and spread"] = [float(ours.mean()), float(ours.std())]
    return found


def main() -> None:
    options = record.arguments(__doc__ or "")
    results = {}
    for name in CASES:
        found = measured(name, options.repeat)
        results[name] = found
        rows = [
            [what, f"{statistics.median(taken):.4f}"]
            for what, taken in found.items()
            if what != "mean and spread"
        ]
        ours, theirs = (found.get(f"{who} {SAMPLES} samples") for who in ("AP,", "scikit-learn,"))
        if ours and theirs:
            rows.append(["ratio", f"{theirs[0] / statistics.median(ours):.0f}"])
        print(
            record.table(f"intervals, {name}: median of {options.repeat}", ["", "seconds"], rows), flush=True
        )
    print("record:", record.write(options.records, "intervals", results))


if __name__ == "__main__":
    main()
