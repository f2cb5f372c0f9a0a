"""Scored cases on Spark (local[2]): seconds, processor seconds and errors, beside those of Spark's
own metrics in the same run.

`python bench/spark.py 1e7:0.3 1e8:0.001` writes files of so many cases with this share of relevant
ones, 9 bytes a case, measures and removes them. Needs `pip install precall[spark]` and Java 17.
Processor seconds are those of the driver, of Java and of the workers; up to 10^7 cases Spark's own
metrics are measured, too, as they take minutes.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import record
from scored_files import write_cases
from timing import processor_seconds

from precall import ScoredCases

#: The most cases that Spark's own metrics are measured with.
MOST = 10**7


def timed(call: Callable[[], tuple[float, float]], exact: tuple[float, float]) -> dict[str, Any]:
    """What a call takes, and how far its AP and its area under ROC are from the exact ones."""
    start, before = time.perf_counter(), processor_seconds()
    try:
        values = call()
    except Exception as error:  # whatever Spark says
        return {"failed": str(error).splitlines()[0][:200]}
    seconds, used = time.perf_counter() - start, processor_seconds() - before
    off = [abs(value - right) for value, right in zip(values, exact, strict=True)]
    return {
        "seconds": round(seconds, 1),
        "processor seconds": round(used, 1),
        "error of AP": off[0],
        "error of AUC": off[1],
    }


def ours(made: Any) -> tuple[float, float]:
    """AP and area under ROC."""
    return made.average_precision(), made.area_under_roc()


def mllib(session: Any, frame: Any) -> tuple[float, float]:
    """mllib's, with a threshold for each score; scores stay in Java, which is its best case."""
    made = session.sparkContext._jvm.org.apache.spark.mllib.evaluation.BinaryClassificationMetrics(
        frame.selectExpr("score", "double(label) AS label")._jdf
    )
    return made.areaUnderPR(), made.areaUnderROC()


def ml(frame: Any) -> tuple[float, float]:
    """ml's, with its 1000 bins."""
    from pyspark.ml.evaluation import BinaryClassificationEvaluator

    given = frame.selectExpr("score AS rawPrediction", "double(label) AS label")
    first, second = (
        BinaryClassificationEvaluator(metricName=name).evaluate(given)
        for name in ("areaUnderPR", "areaUnderROC")
    )
    return first, second


def measured(session: Any, path: Path, cases: int) -> dict[str, Any]:
    """Every way, in one run."""
    start, before = time.perf_counter(), time.process_time()
    exact = ours(ScoredCases.scan(path, label="label", score="score").curve())
    alone = {
        "seconds": round(time.perf_counter() - start, 1),
        "processor seconds": round(time.process_time() - before, 1),
    }
    import precall.spark

    frame = session.read.parquet(str(path))
    frame.limit(100).mapInArrow(lambda batches: batches, frame.schema).count()
    asked = {"label": "label", "score": "score"}
    ways: dict[str, Callable[[], tuple[float, float]]] = {
        "precall.spark.scan": lambda: ours(precall.spark.scan(path, session=session, **asked)),
        "precall.spark.scan, range": lambda: ours(
            precall.spark.scan(path, session=session, route="range", **asked)
        ),
        "precall.spark.curve": lambda: ours(precall.spark.curve(frame, **asked)),
        "precall.spark.curve, range": lambda: ours(
            precall.spark.curve(frame, route="range", **asked)
        ),
    }
    if cases <= MOST:
        ways |= {"ml, 1000 bins": lambda: ml(frame), "mllib": lambda: mllib(session, frame)}
    results: dict[str, Any] = {"one machine": alone}
    for name, call in ways.items():
        results[name] = timed(call, exact)
        print(f"{cases:.0e}", name, results[name], flush=True)
    return results


def session() -> Any:
    """Spark with two workers in this process."""
    from pyspark.sql import SparkSession

    settings = {
        "ui.enabled": "false",
        "driver.memory": "2g",
        "log.level": "OFF",
        "sql.shuffle.partitions": "8",
        "sql.execution.arrow.maxRecordsPerBatch": "1000000",
        "sql.files.maxPartitionBytes": "32m",
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(f"spark.{name}", value)
    return builder.getOrCreate()


def main() -> None:
    """All sizes in one session."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ.setdefault("PRECALL_THREADS", "1")
    made = session()
    results = {}
    with tempfile.TemporaryDirectory() as folder:  # Java and the workers are warm from here on
        write_cases(Path(folder) / "few.parquet", 10**5, 0.3, np.float64)
        measured(made, Path(folder) / "few.parquet", 10**5)
    for given in sys.argv[1:] or ["1e6:0.3"]:
        cases, share = (float(part) for part in given.split(":"))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "cases.parquet"
            write_cases(path, int(cases), share, np.float64)
            results[f"{cases:.0e} cases, {share:g} relevant"] = measured(made, path, int(cases))
    made.stop()
    record.write(record.HERE / "records", "spark", results)


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        main()
