"""Tests of differences: random signs, shuffles within topics, areas of two scores; in one process.

The values are synthetic and seeded. What a peer is timed on is less, where all of it would take
minutes, and the table says how much; ratios are per resample.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
import record

#: What the project promises, in seconds on the reference machine.
LIMITS = {"signs": 1.0, "tukey": 5.0, "cases": 0.2}
Call = Callable[[], object]


def topics(count: int, systems: int) -> np.ndarray:
    """Values that look like average precision: as hard as their topic is, and on no grid."""
    rng = np.random.default_rng(1)
    hard = rng.beta(0.8, 2.0, (count, 1))
    return rng.beta(6 * hard + 0.05, 6 * (1 - hard) + 0.05, (count, systems))


Jobs = dict[str, dict[str, tuple[Call, float]]]


def scipy(values: np.ndarray, count: int) -> object:
    """SciPy's sign flips, in batches, as its documentation advises."""
    from scipy import stats

    def mean(a: np.ndarray, b: np.ndarray, axis: int) -> np.ndarray:
        return np.mean(a - b, axis=axis)

    return stats.permutation_test(
        (values[:, 0], values[:, 1]),
        mean,
        permutation_type="samples",
        n_resamples=count,
        vectorized=True,
        batch=500,
        rng=1,
    )


def workloads() -> Jobs:
    """Job → tool → call, and the share of the job that it does."""
    return {**of_topics(), **of_items()}


def of_topics() -> Jobs:
    from precall import compare

    pair, many = topics(6980, 2), topics(50, 129)
    few = many[:, :6]
    return {
        "signs": {
            "precall, 6,980 topics, 100,000 signs": (
                lambda: compare.paired(pair[:, 0], pair[:, 1], rng=1).p,
                1.0,
            ),
            "scipy permutation_test, 2,000 of them": (lambda: scipy(pair, 2000), 0.02),
        },
        "tukey": {
            "precall, 8,256 pairs, 100,000 signs": (
                lambda: compare.many(many, correction="tukey", rng=1),
                1.0,
            ),
            "precall, 15 pairs, 100,000 signs": (
                lambda: compare.many(few, correction="tukey", rng=1),
                6 / 129,
            ),
        },
        "holm": {
            "precall, 15 pairs, sampled signs": (lambda: compare.many(few, rng=1), 1.0),
            "precall, 8,256 pairs, sampled signs": (
                lambda: compare.many(many, rng=1),
                129 * 128 / 30,
            ),
        },
    }


def of_items() -> Jobs:
    from precall import compare

    rng = np.random.default_rng(2)
    relevant = rng.random(10**6) < 0.1
    scores = rng.normal(size=(2, 10**6)) + relevant
    part = relevant[:2000], scores[0, :2000], scores[1, :2000]
    return {
        "cases": {
            "precall, DeLong, 1,000,000 items": (
                lambda: compare.cases(relevant, *scores, "AUC").p,
                1.0,
            ),
            "precall, influence of AP, 1,000,000 items": (
                lambda: compare.cases(relevant, *scores).p,
                1.0,
            ),
            "precall, exchanged ranks, 2,000 items, 5,000": (
                lambda: compare.cases(*part, rng=1).p,
                1.0,
            ),
        },
    }


def timed(calls: dict[str, tuple[Call, float]], repeat: int) -> dict[str, dict[str, object]]:
    """Every tool in turn: one uncounted call, then `repeat` counted ones."""
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in calls}
    for _ in range(repeat + 1):
        for name, (call, _) in calls.items():
            start, begun = time.perf_counter(), time.process_time()
            call()
            times[name].append((time.perf_counter() - start, time.process_time() - begun))
    return {
        name: {
            "s": [s for s, _ in taken[1:]],
            "cpu_s": [s for _, s in taken[1:]],
            "share": calls[name][1],
        }
        for name, taken in times.items()
    }


def child(job: str, repeat: int) -> None:
    print(json.dumps(timed(workloads()[job], repeat)))


def rows(measured: dict[str, dict[str, object]]) -> list[list[str]]:
    medians = {name: statistics.median(one["s"]) for name, one in measured.items()}
    base = next(iter(medians))
    whole = medians[base] / measured[base]["share"]
    return [
        [
            name,
            f"{medians[name]:.3f}",
            f"{statistics.median(one['cpu_s']):.3f}",
            f"{medians[name] / one['share'] / whole:.1f}",
        ]
        for name, one in measured.items()
    ]


def main() -> None:
    options = record.arguments(__doc__ or "")
    results = {}
    for job in options.only or ("signs", "tukey", "holm", "cases"):
        command = [sys.executable, __file__, "--child", job, str(options.repeat)]
        results[job] = json.loads(
            subprocess.run(command, check=True, capture_output=True, text=True).stdout
        )
        limit = f", at most {LIMITS[job]:g} s" if job in LIMITS else ""
        title = f"comparing, {job}: median of {options.repeat} calls{limit}"
        print(
            record.table(
                title, ["", "s", "of processors", "whole job x the first"], rows(results[job])
            ),
            flush=True,
        )
    print("record:", record.write(options.records, "comparing", results))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], int(sys.argv[3]))
    else:
        main()
