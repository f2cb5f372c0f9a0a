"""Curves of scored cases on engines that precall has no module for, by hand, beside one machine and
`precall.spark.scan`.

`python bench/engines.py 1e7:0.3 1e8:0.001` writes files as `bench/spark.py` does, measures, and
removes them. Every engine has two processes of one thread, and starts before its time does. By hand
means `ScoredCases.merge`, up to 10^7 cases, as all distinct scores come to one process; and the two
passes of `precall.cases.between_scores`. Needs, of what it shall measure,
`pip install "dask[distributed]" ray 'precall[spark]'`; what is missing is said.
"""

from __future__ import annotations

import inspect
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial, reduce
from importlib import metadata
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np
import record
from scored_files import write_cases
from spark import MOST, ours, session
from timing import processes, processor_seconds

from precall import ScoredCases
from precall.cases.between_scores import Gaps, RelevantScores

#: A path and some of its row groups.
Task = tuple[str, list[int]]


# By hand: what a user would write. Functions of a task are sent to the engine, `run` maps them over
# all tasks.
def batches(task: Task) -> Iterator[tuple[Any, Any]]:
    """Labels and scores."""
    from pyarrow import parquet

    path, groups = task
    for part in parquet.ParquetFile(path).iter_batches(
        1 << 20, row_groups=groups, use_threads=False
    ):
        yield part.column(0).to_numpy(zero_copy_only=False), part.column(1).to_numpy()


def added(counts: Any, task: Task) -> Any:
    """With the cases of a task."""
    for relevant, score in batches(task):
        counts.add(relevant, score)
    return counts


def counted(task: Task) -> ScoredCases:
    """All distinct scores of a task."""
    return added(ScoredCases(), task)


def merged(one: Any, other: Any) -> Any:
    """Both in the first."""
    one.merge(other)
    return one


def by_merging(run: Any, tasks: list[Task]) -> Any:
    """Every distinct score comes to this process."""
    return reduce(merged, run(counted, tasks))


def relevant_of(task: Task) -> RelevantScores:
    """Pass 1."""
    return added(RelevantScores(), task)


def between(task: Task, gaps: Gaps) -> Gaps:
    """Pass 2: `gaps` are empty."""
    return added(Gaps(gaps.edges, gaps.hits), task)


def by_gaps(run: Any, tasks: list[Task]) -> Any:
    """Relevant scores come to this process, and counts between them."""
    known = reduce(merged, run(relevant_of, tasks))
    return reduce(merged, run(between, tasks, Gaps.of(known))).curve()


@contextmanager
def pool() -> Iterator[Any]:
    """Processes of Python alone."""
    with ProcessPoolExecutor(2) as made:
        yield lambda function, tasks, *more: made.map(function, tasks, *map(repeat, more))


@contextmanager
def dask() -> Iterator[Any]:
    """dask.delayed on workers of distributed."""
    from dask import delayed
    from distributed import Client

    with Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:

        def run(function: Any, tasks: list[Task], *more: Any) -> Any:
            sent = [client.scatter(each, broadcast=True) for each in more]
            return client.gather(client.compute([delayed(function)(task, *sent) for task in tasks]))

        yield run


@contextmanager
def ray() -> Iterator[Any]:
    """ray.remote."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:

        def run(function: Any, tasks: list[Task], *more: Any) -> Any:
            sent, remote = [ray.put(each) for each in more], ray.remote(function)
            return ray.get([remote.remote(task, *sent) for task in tasks])

        yield run
    finally:
        ray.shutdown()


@contextmanager
def spark() -> Iterator[Any]:
    """A session, whose own code maps."""
    made = session()
    try:
        yield made
    finally:
        made.stop()


def by_spark(made: Any, tasks: list[Task]) -> Any:
    """precall's own module."""
    from precall.spark import scan

    return scan(tasks[0][0], label="label", score="score", session=made)


def alone(_: Any, tasks: list[Task]) -> Any:
    """One process."""
    return ScoredCases.scan(tasks[0][0], label="label", score="score")


@contextmanager
def nothing() -> Iterator[None]:
    """No engine."""
    yield


ENGINES: dict[str, tuple[Any, str | None, tuple[Any, ...]]] = {
    "one machine, ScoredCases.scan": (nothing, None, (alone,)),
    "pool of processes": (pool, None, (by_merging, by_gaps)),
    "Dask": (dask, "distributed", (by_merging, by_gaps)),
    "Ray": (ray, "ray", (by_merging, by_gaps)),
    "Spark, precall.spark.scan": (spark, "pyspark", (by_spark,)),
}


def lines(engine: Any, way: Any) -> int:
    """Of code that the user writes: all functions, without empty ones and texts about them."""
    own = {
        by_merging: (batches, added, counted, merged),
        by_gaps: (batches, added, relevant_of, between, merged),
    }
    functions = (inspect.unwrap(engine), way, *own[way]) if way in own else (way,)
    code = [line.strip() for each in functions for line in inspect.getsource(each).splitlines()]
    return sum(bool(line) and not line.startswith(('"""', "@")) for line in code)


class Memory(threading.Thread):
    """The most that all processes have held at a time: what they share is counted once."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.most, self.done = 0, threading.Event()

    def run(self) -> None:
        """Until it is told to end."""
        while not self.done.wait(0.2):
            self.most = max(self.most, sum(map(held, processes(os.getpid()))))


def held(pid: int) -> int:
    """Bytes of a process; of what several share, its part."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:  # it has ended
        return 0
    return 1024 * int(text.partition("\nPss:")[2].split()[0])


def timed(call: Callable[[], Any], exact: tuple[float, float]) -> dict[str, Any]:
    """What a call takes, all processes together."""
    memory = Memory()
    memory.start()
    start, before = time.perf_counter(), processor_seconds()
    values = ours(curve if hasattr(curve := call(), "average_precision") else curve.curve())
    seconds, used = time.perf_counter() - start, processor_seconds() - before
    memory.done.set()
    memory.join()
    return {
        "seconds": round(seconds, 1),
        "processor seconds": round(used, 1),
        "peak MB": memory.most // 10**6,
        "load": round(os.getloadavg()[0], 1),
        "error": max(abs(a - b) for a, b in zip(values, exact, strict=True)),
    }


def plan(path: Path) -> list[Task]:
    """Some row groups of a file for each task, at most as many cases as `precall.spark.scan` gives
    it.
    """
    from pyarrow import parquet

    count = parquet.ParquetFile(path).num_row_groups
    step = max(1, count // 8)
    return [(str(path), list(range(at, min(at + step, count)))) for at in range(0, count, step)]


def measured(path: Path, few: Path, cases: int) -> dict[str, Any]:
    """Every engine, each after a call that warms it up."""
    exact = ours(alone(None, plan(path)))
    results: dict[str, Any] = {}
    for name, (engine, package, ways) in ENGINES.items():
        if package is not None and record.version(package) is None:
            results[name] = f"not measured: {package} is not installed"
            print(name, results[name], flush=True)
            continue
        version = "" if package is None else f" {metadata.version(package)}"
        with engine() as run:
            for way in ways:
                if way is by_merging and cases > MOST:
                    continue
                way(run, plan(few))
                told = {**timed(partial(way, run, plan(path)), exact), "lines": lines(engine, way)}
                results[f"{name}{version}, {way.__name__}"] = told
                print(f"{cases:.0e} {name}{version}, {way.__name__} {told}", flush=True)
    return results


def main() -> None:
    """All sizes."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ.setdefault("PRECALL_THREADS", "1")
    results = {}
    for given in sys.argv[1:] or ["1e6:0.3"]:
        cases, share = (float(part) for part in given.split(":"))
        with tempfile.TemporaryDirectory() as folder:
            path, few = (Path(folder) / f"{name}.parquet" for name in ("cases", "few"))
            write_cases(path, int(cases), share, np.float64)
            write_cases(few, 10**5, 0.3, np.float64)
            results[f"{cases:.0e} cases, {share:g} relevant"] = measured(path, few, int(cases))
    record.write(record.HERE / "records", "engines", results)


if __name__ == "__main__":
    main()
