"""A run of 10^7 lines on Spark, beside RankingEvaluator of its own library: wall and processor
seconds, and values.

`python bench/spark_runs.py [topics] [depth]`, in a Python with PySpark and precall; Java 17. Text
ids, half of the judged items retrieved, scores with ties. Every engine sees the same Parquet files
in one session, after a job that warms it up; processor seconds are those of the whole tree of
processes, Java among them.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from timing import processor_seconds

MEASURES = ("AP", "P@10", "nDCG@10")
JUDGED = 40
#: How RankingEvaluator wants its lists: the best first, of equal scores the item that is greatest,
#: as in trec_eval.
ORDER = (
    "transform(array_sort(collect_list(struct(-score as s, item)), (a, b) -> case when a.s < b.s "
    "then -1 when a.s > b.s then 1 when a.item > b.item then -1 else 1 end), x -> "
    "double(xxhash64(x.item)))"
)


def write(folder: Path, topics: int, depth: int) -> None:
    """A run, some topics at a time, and qrels."""
    import pyarrow as pa
    from pyarrow import parquet

    rng = np.random.default_rng(1)
    step = max(1, 1_000_000 // depth)
    shapes = {
        "run": pa.schema([("topic", pa.string()), ("item", pa.string()), ("score", pa.float64())]),
        "qrels": pa.schema([("topic", pa.string()), ("item", pa.string()), ("grade", pa.int32())]),
    }
    files = {
        name: parquet.ParquetWriter(folder / f"{name}.parquet", shape)
        for name, shape in shapes.items()
    }
    for begin in range(0, topics, step):
        some = np.arange(begin, min(begin + step, topics))
        items = np.tile(np.arange(depth), len(some)) * 7 + np.repeat(some, depth)
        score = rng.normal(size=len(items)).round(3)
        judged = np.concatenate(
            [rng.choice(2 * depth, JUDGED, replace=False) * 7 + topic for topic in some]
        )
        texts = [pa.array(column).cast(pa.string()) for column in (np.repeat(some, depth), items)]
        files["run"].write_table(pa.table([*texts, score], schema=shapes["run"]))
        texts = [pa.array(column).cast(pa.string()) for column in (np.repeat(some, JUDGED), judged)]
        grade = rng.integers(0, 2, len(judged), np.int32)
        files["qrels"].write_table(pa.table([*texts, grade], schema=shapes["qrels"]))
    for file in files.values():
        file.close()


def timed(call: Callable[[], dict[str, float]]) -> dict[str, Any]:
    """What it gave, and what it took."""
    start, used = time.perf_counter(), processor_seconds()
    values = call()
    return {
        "wall s": round(time.perf_counter() - start, 1),
        "processor s": round(processor_seconds() - used, 1),
        "values": values,
    }


def ranking_evaluator(run: Any, qrels: Any) -> dict[str, float]:
    """Spark's own: lists of numbers, which are hashes here, of topics that both have."""
    from pyspark.ml.evaluation import RankingEvaluator
    from pyspark.sql import functions as F  # noqa: N812

    ranked = run.groupBy("topic").agg(F.expr(ORDER).alias("prediction"))
    relevant = (
        qrels.where("grade >= 1")
        .groupBy("topic")
        .agg(F.expr("collect_list(double(xxhash64(item)))").alias("label"))
    )
    both = ranked.join(relevant, "topic").persist()
    names = dict(zip(MEASURES, ("meanAveragePrecision", "precisionAtK", "ndcgAtK"), strict=True))
    return {
        name: RankingEvaluator(metricName=theirs, k=10).evaluate(both)
        for name, theirs in names.items()
    }


def main(topics: int, depth: int) -> None:
    """All engines, one after another."""
    from pyspark.sql import SparkSession

    import precall as pc
    from precall.spark import evaluate

    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.memory": "3g",
        "spark.log.level": "ERROR",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "8",
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, topics, depth)
        run, qrels = (
            session.read.parquet(str(folder / f"{kind}.parquet")) for kind in ("run", "qrels")
        )
        evaluate(run.where("topic < '1'"), qrels, ["AP"])
        files = [str(folder / f"{kind}.parquet") for kind in ("qrels", "run")]
        calls = {
            "precall on Spark": lambda: dict(evaluate(run, qrels, MEASURES).mean),
            "precall on one machine": lambda: dict(pc.evaluate(*files, MEASURES).mean),
            "RankingEvaluator": lambda: ranking_evaluator(run, qrels),
        }
        results = {engine: timed(call) for engine, call in calls.items()}
    wanted = results["precall on one machine"]["values"]
    for result in results.values():
        result["largest error"] = max(
            abs(value - wanted[name]) for name, value in result.pop("values").items()
        )
    print(
        json.dumps(
            {"lines": topics * depth, "load": os.getloadavg()[0], "engines": results}, indent=1
        )
    )


if __name__ == "__main__":
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    main(*(int(text) for text in (*sys.argv[1:], *("10000", "1000")[len(sys.argv) - 1 :])))
