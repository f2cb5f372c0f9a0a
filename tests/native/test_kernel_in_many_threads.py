"""Many threads at once: each gets what it would get alone. Where Python has no GIL they truly run
at the same time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import precall as pc
from tests.native.kernels import ABSENT, EITHER, native, outcome

THREADS = 8
TOPICS = 20
RNG = np.random.default_rng(7)
ITEMS = [f"d{i}" for i in range(60)]
RUN = {
    str(t): dict(zip(ITEMS, np.round(RNG.random(60), 2).tolist(), strict=True))
    for t in range(TOPICS)
}
SOME = {topic: RUN[topic] for topic in "012345"}
ROUNDED = {
    topic: {item: round(score, 1) for item, score in items.items()} for topic, items in SOME.items()
}
QRELS = {str(t): {item: int(RNG.integers(3)) for item in ITEMS[::2]} for t in range(TOPICS)}
RELEVANT, SCORE = RNG.random(20_000) < 0.1, np.round(RNG.random(20_000), 3)
TEXT = b"".join(
    f"{topic} Q0 {item} 0 {score} tag\n".encode()
    for topic, items in RUN.items()
    for item, score in items.items()
)


def at_once(*calls: Callable[[], object], times: int = 5) -> list[object]:
    """What each call gives where all begin together, again and again."""
    start = Barrier(len(calls))

    def repeated(call: Callable[[], object]) -> list[object]:
        start.wait()
        return [call() for _ in range(times)]

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(len(calls)) as pool:
            tasks = [pool.submit(repeated, call) for call in calls]
            return [result for task in tasks for result in task.result()]
    finally:
        sys.setswitchinterval(interval)


def kernel_calls(kernel: ModuleType, path: Path) -> list[Callable[[], object]]:
    path.write_bytes(TEXT)
    start = np.arange(0, len(SCORE) + 1, 500)
    return [
        lambda: outcome(kernel.read_run, TEXT, False, "error", 2),
        lambda: outcome(kernel.read_run, str(path), False, "error", 2),
        lambda: outcome(kernel.run_from_dict, RUN, False),
        lambda: outcome(kernel.run_from_dict, {"1": {"a": np.float32(1), "b": "x"}}, False),
        lambda: outcome(kernel.qrels_from_dict, QRELS),
        lambda: outcome(kernel.areas, RELEVANT, SCORE, 2),
        lambda: outcome(kernel.areas_each, RELEVANT, SCORE, start, 2),
        lambda: outcome(kernel.path, RELEVANT, SCORE, 2),
    ]


@pytest.mark.nightly
@EITHER
def test_kernel(kernel: ModuleType, tmp_path: Path) -> None:
    for call in kernel_calls(kernel, tmp_path / "run"):
        alone = call()
        assert at_once(*[call] * THREADS) == [alone] * (5 * THREADS)


@EITHER
def test_kernel_in_different_calls(kernel: ModuleType, tmp_path: Path) -> None:
    calls = kernel_calls(kernel, tmp_path / "run")
    assert at_once(*calls) == [result for call in calls for result in [call()] * 5]


@pytest.mark.parametrize(
    "call",
    [
        lambda: pc.evaluate(
            QRELS, RUN, measures=["AP", "nDCG@10", "P@5", "F(beta=2)@10"]
        ).to_json(),
        lambda: str(
            pc.compare(pc.evaluate(QRELS, {"a": SOME, "b": ROUNDED}, measures=["AP"]), rng=1)
        ),
        lambda: pc.curve(RELEVANT, SCORE).average_precision(),
        lambda: str(
            pc.interval.average_precision(
                RELEVANT[:500], SCORE[:500], method="bca", resamples=100, rng=3
            )
        ),
        lambda: str(pc.null.average_precision(20, 5)),
    ],
    ids=["evaluate", "compare", "curve", "interval", "null"],
)
@pytest.mark.filterwarnings("ignore::precall.core.notes.of_intervals.BiasedWarning")
def test_calls(call: Callable[[], Any]) -> None:
    # Caches are empty at first: whoever begins fills them.
    results = at_once(*[call] * THREADS, times=1)
    assert results == [call()] * len(results)


@ABSENT
def test_dict_that_another_thread_changes() -> None:
    """Whatever is read was there at some moment."""
    assert native is not None
    run: dict[str, dict[str, float]] = {str(t): {f"d{i}": 0.0 for i in range(50)} for t in range(5)}
    done = Event()

    def change() -> None:
        turn = 0
        while not done.is_set():
            turn += 1
            items = run[str(turn % 5)]
            items[f"d{turn % 50}"] = float(turn % 2)
            items[f"more{turn % 97}"] = 1.0
            items.pop(f"more{turn * 31 % 97}", None)
            run[f"t{turn % 7}"] = {"a": 1.0, "b" * 40: 2.0}
            run.pop(f"t{turn * 3 % 7}", None)

    with ThreadPoolExecutor(3) as pool:
        changes = [pool.submit(change) for _ in range(2)]
        try:
            for _ in range(300):
                *_, starts, values = native.run_from_dict(run, False)
                assert len(starts) == len(values) + 1
                assert set(values.tolist()) <= {0.0, 1.0, 2.0}
        finally:
            done.set()
        for task in changes:
            task.result()
