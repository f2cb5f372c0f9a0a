"""Run as a program: curves in a session of another kind than that of the tests, told as a line of
JSON.

`python -m tests.spark.sessions KIND`, KIND being "killed" (a cluster of two executors on this
machine, of which one is killed in each pass), "connect" (Spark Connect) or "interpreter" (workers
that run a bare Python).
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
import venv
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

import precall as pc
import precall.spark as ps
from precall.spark import cluster_scan, passes
from tests.spark.conftest import SETTINGS, workers_see_this
from tests.spark.test_runs import QRELS, RUN

ROUTES = ("gaps", "range")
FLAG = "PRECALL_TEST_FLAG"


def session(master: str, **settings: str) -> Any:
    """A session of Spark, or of Spark Connect where the master says so."""
    from pyspark.sql import SparkSession

    kind, _, at = master.rpartition(" ")
    builder: Any = SparkSession.builder
    builder = builder.remote(at) if kind else builder.master(at)
    for name, value in (SETTINGS | settings).items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def cases() -> tuple[Any, Any]:
    """Labels and scores."""
    rng = np.random.default_rng(2)
    truth = rng.random(40_000) < 0.1
    return truth, (rng.normal(size=40_000) + truth).round(3)


def numbers(curve: Any) -> list[float]:
    """Of a curve."""
    return [
        curve.average_precision(),
        curve.area_under_roc(),
        curve.break_even(),
        curve.at(max="MCC").value,
    ]


def kill_once() -> None:
    """Kill the executor that this runs in, if none was killed."""
    flag = Path(os.environ[FLAG])
    if flag.exists():
        return
    daemon = Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2].split()[1]
    if b"java" in Path(f"/proc/{daemon}/cmdline").read_bytes():
        flag.touch()
        os.kill(int(daemon), signal.SIGKILL)
        time.sleep(30)


class Deadly:
    """A pass whose first attempt at the second partition kills the executor it runs in."""

    def __init__(self, task: Any) -> None:
        self._task, self.version, self.wanted = task, task.version, task.wanted

    def __call__(self, given: Any) -> Any:
        """As the pass itself, but once."""
        from pyspark import TaskContext

        task = TaskContext.get()
        if task is not None and task.partitionId() == 1:
            kill_once()
        return self._task(given)


def deadly_runs(made: Any) -> list[bool]:
    """Whether a run whose rows were made by an executor that died has the values that it has on one
    machine.
    """
    rows = [(str(row % 40), str(row), row * 7919 % 50 / 7) for row in range(4000)]
    graded = [(str(row % 41), str(row), row % 3) for row in range(0, 4000, 7)]
    run = made.createDataFrame(rows, "topic string, item string, score double").repartition(3)
    qrels = made.createDataFrame(graded, "topic string, item string, grade int")

    def dying(batches: Any) -> Any:
        kill_once()
        yield from batches

    asked: Any = (["AP", "nDCG@10", "Bpref"],)
    report = ps.evaluate(run.mapInArrow(dying, run.schema), qrels, *asked, topics="qrels")
    wanted = pc.evaluate(graded, rows, *asked, topics="qrels")
    return [report.mean == wanted.mean, report.runs[0].counts == wanted.runs[0].counts]


def killed() -> dict[str, Any]:
    """What both routes, and runs, give while executors die."""
    from precall.spark import sources

    flag = Path(os.environ[FLAG])
    keys = ("PYTHONPATH", "PRECALL_THREADS", FLAG)
    executor = {f"spark.executorEnv.{key}": os.environ[key] for key in keys}
    made = session("local-cluster[2,1,1024]", **executor)
    truth, score = cases()
    given = made.createDataFrame(pa.table({"y": truth, "s": score})).repartition(4).persist()
    given.count()
    told: dict[str, Any] = {"whole": numbers(pc.curve(truth, score)), "killed": 0}
    plain = sources.worker
    for route in ROUTES:
        for deadly in (passes.First, passes.Between if route == "gaps" else passes.Spread):
            flag.unlink(missing_ok=True)

            def chosen(task: Any, read: Any = None, deadly: Any = deadly) -> Any:
                return plain(Deadly(task) if isinstance(task, deadly) else task, read)

            sources.worker = chosen  # type: ignore[assignment]
            told[f"{route} {deadly.__name__}"] = numbers(ps.curve(given, "y", "s", route=route))
            told["killed"] += flag.exists()
    sources.worker = plain
    flag.unlink()
    told["runs"] = deadly_runs(made)
    told["killed"] += flag.exists()
    made.stop()
    return told


def runs(made: Any) -> list[bool]:
    """Whether runs over Spark Connect have the values that they have on one machine, and their
    topics come back.
    """
    given = made.createDataFrame(RUN, "topic string, item string, score double")
    qrels = made.createDataFrame(QRELS, "topic string, item string, grade int")
    report = ps.evaluate(given, qrels, ["AP", "ERR"], topics="qrels", ties="random")
    wanted = pc.evaluate(QRELS, RUN, ["AP", "ERR"], topics="qrels", ties="random")
    return [report.mean == wanted.mean, report.topics.count() == 4]


def connect() -> dict[str, Any]:
    """What both routes give over Spark Connect, and what is said of a task that it does not
    take.
    """
    made = session("connect local[2]")
    truth, score = cases()
    given = made.createDataFrame(
        pa.table({"y": truth, "s": score, "g": np.where(truth, 1, 2)})
    ).repartition(3)
    told: dict[str, Any] = {
        "whole": numbers(pc.curve(truth, score)),
        "module": type(given).__module__,
    }
    for route in ROUTES:
        told[route] = numbers(ps.curve(given, "y", "s", route=route))
    told["runs"] = runs(made)
    cluster_scan.TAKEN = 1000
    told["chosen"] = str(ps.scan(given, label="y", score="s").asked["read"])
    try:
        ps.curve(given, "y", "s", route="gaps")
    except pc.UsageError as error:
        told["large"] = str(error)
    made.stop()
    return told


def interpreter() -> dict[str, Any]:
    """What is said where the workers run a Python without any package."""
    bare = Path(os.environ[FLAG]) / "bare"
    venv.create(bare)
    os.environ["PYSPARK_PYTHON"] = str(bare / "bin" / "python")
    os.environ.pop("PYTHONPATH")
    made = session("local[2]")
    given = made.createDataFrame([(1, 0.5), (0, 0.2)], "y int, s double")
    try:
        ps.curve(given, "y", "s")
        return {"said": ""}
    except pc.UsageError as error:
        return {"said": str(error)}


if __name__ == "__main__":
    workers_see_this()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        told_by = {"killed": killed, "connect": connect, "interpreter": interpreter}[sys.argv[1]]
        sys.stdout.write("\n" + json.dumps(told_by()) + "\n")
