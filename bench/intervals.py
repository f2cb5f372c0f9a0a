"""Intervals of one scored list: the bootstrap of AP, influences, DeLong; beside a loop over
scikit-learn.

All in one process and in turn. The others' loops draw the same number of samples but are timed on
few of them: their time per sample is constant. confidenceinterval is timed where it is installed;
it demands a setuptools of its own, so no group of ours holds it.
"""

from __future__ import annotations

import importlib.util
import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import record

SAMPLES, THEIRS = 1000, 5
#: What the project promises, in seconds on the reference machine, and how many times scikit-learn's
#: speed that is.
LIMITS = {"1 % of 1e5": (0.12, 125), "50 % of 1e5": (0.5, 30)}
CASES = {
    "1 % of 1e5": (100_000, 0.01),
    "50 % of 1e5": (100_000, 0.5),
    "10 % of 1e6": (1_000_000, 0.1),
}


def scored(n: int, share: float) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    relevant = rng.random(n) < share
    return relevant, rng.standard_normal(n) + 1.2 * relevant


Taken = dict[str, list[float]]


def seconds(call: Callable[[], object], repeat: int, scale: float = 1.0) -> Taken:
    """After one uncounted call, those of the clock and those of the processors, times `scale`."""
    call()
    taken: Taken = {"s": [], "cpu_s": []}
    for _ in range(repeat):
        start, begun = time.perf_counter(), time.process_time()
        call()
        taken["s"].append((time.perf_counter() - start) * scale)
        taken["cpu_s"].append((time.process_time() - begun) * scale)
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


def by_confidenceinterval(relevant: np.ndarray, score: np.ndarray, samples: int) -> object:
    """The package's bootstrap; percentiles, since BCa would take as many values as there are
    cases.
    """
    from confidenceinterval.bootstrap import bootstrap_ci
    from sklearn.metrics import average_precision_score

    return bootstrap_ci(
        relevant,
        score,
        average_precision_score,
        n_resamples=samples,
        method="bootstrap_percentile",
        random_state=np.random.RandomState(1),
    )


def measured(name: str, repeat: int) -> dict[str, Taken]:
    from precall.cases.intervals import blocks_of
    from precall.stats.intervals import areas
    from precall.stats.resample.resampling import replicates

    relevant, score = scored(*CASES[name])
    blocks = blocks_of(relevant, score)
    calls: dict[str, Callable[[], object]] = {
        "labels and scores to blocks": lambda: blocks_of(relevant, score),
        "AP, influences": lambda: areas.average_precision(blocks),
        "AUC, DeLong": lambda: areas.area_under_roc(blocks),
    }
    if name in LIMITS:
        calls[OURS] = lambda: replicates(blocks, SAMPLES, np.random.default_rng(1))
    found = {what: seconds(call, repeat) for what, call in calls.items()}
    if name in LIMITS:
        with one_thread():
            found[f"{OURS}, one thread"] = seconds(calls[OURS], repeat)
        found[LOOP] = seconds(lambda: bootstrapped(relevant, score, THEIRS), 2, SAMPLES / THEIRS)
        if importlib.util.find_spec("confidenceinterval"):
            # One value more: that of the cases themselves.
            found[f"confidenceinterval, {SAMPLES} samples"] = seconds(
                lambda: by_confidenceinterval(relevant, score, THEIRS), 2, SAMPLES / (THEIRS + 1)
            )
    return found


OURS, LOOP = f"AP, {SAMPLES} samples", f"scikit-learn, {SAMPLES} samples"


@contextmanager
def one_thread() -> Iterator[None]:
    kept = os.environ.get("PRECALL_THREADS")
    os.environ["PRECALL_THREADS"] = "1"
    try:
        yield
    finally:
        del os.environ["PRECALL_THREADS"]
        if kept is not None:
            os.environ["PRECALL_THREADS"] = kept


def main() -> None:
    options = record.arguments(__doc__ or "")
    results = {}
    for name in options.only or CASES:
        found = measured(name, options.repeat)
        results[name] = found
        medians = {
            what: [statistics.median(one) for one in taken.values()]
            for what, taken in found.items()
        }
        rows = [[what, *(f"{one:.4f}" for one in both)] for what, both in medians.items()]
        title = f"intervals, {name}: median of {options.repeat}"
        if name in LIMITS:
            ratios = [
                theirs / ours for theirs, ours in zip(medians[LOOP], medians[OURS], strict=True)
            ]
            rows.append(["scikit-learn / AP", *(f"{ratio:.0f}" for ratio in ratios)])
            title += (
                f"; {OURS}: at most {LIMITS[name][0]:g} s, {LIMITS[name][1]} times scikit-learn's "
                "speed"
            )
        print(record.table(title, ["", "seconds", "of processors"], rows), flush=True)
    print("record:", record.write(options.records, "intervals", results))


if __name__ == "__main__":
    main()
