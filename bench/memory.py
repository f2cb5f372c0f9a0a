"""From dicts of dicts and from prepared objects to means of five measures, in one process.

The first call counts as well: a tool that compiles on its first call makes its users wait once.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import collection
import record
from peers import PRECALL, RANX, TREC_EVAL, Grades, Scores, mean

BASE = "pytrec_eval"
Calls = dict[str, Callable[[], float]]


def load(path: Path, number: Callable[[str], float]) -> dict[str, dict[str, float]]:
    data: dict[str, dict[str, float]] = {}
    value = 4 if path.suffix == ".run" else 3
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            fields = line.split()
            data.setdefault(fields[0], {})[fields[2]] = number(fields[value])
    return data


def from_dicts(qrels: Grades, run: Scores) -> Calls:
    import ir_measures
    import pytrec_eval
    import ranx
    from ir_measures import AP, RR, P, Rprec, nDCG

    import precall

    def ir() -> float:
        return float(
            ir_measures.calc([AP, P @ 10, RR, Rprec, nDCG @ 10], qrels, run).aggregated[AP]
        )

    def converted() -> float:
        return float(
            ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), RANX, make_comparable=True)["map"]
        )

    return {
        "precall": lambda: precall.evaluate(qrels, run, PRECALL).mean["AP"],
        "pytrec_eval": lambda: mean(
            pytrec_eval.RelevanceEvaluator(qrels, set(TREC_EVAL)).evaluate(run)
        ),
        "ir_measures": ir,
        "ranx, conversion included": converted,
    }


def from_prepared(qrels: Grades, run: Scores) -> Calls:
    import ranx

    import precall

    judged, scored = precall.read_qrels(qrels), precall.read_run(run)
    located = precall.locate(judged, scored)
    chosen = [precall.measure(name) for name in PRECALL]
    both = located.in_qrels & located.in_run
    theirs, their_run = ranx.Qrels(qrels), ranx.Run(run)
    their_run.make_comparable(theirs)
    arrays = theirs.to_typed_list(), their_run.to_typed_list()

    def measures() -> float:
        means = [float(one(located)[both].mean()) for one in chosen]
        return means[0]

    return {
        "precall, read_run and locate done": measures,
        "precall, read_run done": lambda: precall.evaluate(judged, scored, PRECALL).mean["AP"],
        "ranx, objects built": lambda: float(ranx.evaluate(theirs, their_run, RANX)["map"]),
        "ranx, arrays built": lambda: float(ranx.evaluate(*arrays, RANX)["map"]),
    }


def timed(calls: Calls, repeat: int) -> dict[str, dict[str, object]]:
    """Every tool in turn: one first call, then `repeat` later ones."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    values: dict[str, float] = {}
    for _ in range(repeat + 1):
        for name, call in calls.items():
            start = time.perf_counter()
            values[name] = call()
            times[name].append(time.perf_counter() - start)
    return {
        name: {"first_s": taken[0], "later_s": taken[1:], "AP": values[name]}
        for name, taken in times.items()
    }


def child(qrels_path: str, run_path: str, repeat: int) -> None:
    qrels, run = load(Path(qrels_path), int), load(Path(run_path), float)
    parts = {
        "dicts": timed(from_dicts(qrels, run), repeat),
        "prepared": timed(from_prepared(qrels, run), repeat),
    }
    print(json.dumps(parts))


def rows(part: dict[str, dict[str, object]], base: str) -> list[list[str]]:
    def later(name: str) -> float:
        return statistics.median(part[name]["later_s"])

    first = part[base]["first_s"]

    return [
        [
            name,
            f"{one['first_s']:.4f}",
            f"{later(name):.4f}",
            f"{first / one['first_s']:.1f}",
            f"{later(base) / later(name):.1f}",
            f"{one['AP']:.6f}",
        ]
        for name, one in part.items()
    ]


def main() -> None:
    options = record.arguments(__doc__ or "")
    results = {}
    for name in options.only or ("robust", "msmarco"):
        paths = [str(path) for path in collection.ensure(options.data, name)]
        # A process for each collection: two loaded ones would share its memory and its garbage
        # collector.
        command = [sys.executable, __file__, "--child", *paths, str(options.repeat)]
        results[name] = json.loads(
            subprocess.run(command, check=True, capture_output=True, text=True).stdout
        )
        for part, base in (("dicts", BASE), ("prepared", "ranx, arrays built")):
            header = ["", "first s", "later s", f"first x {base}", f"later x {base}", "AP"]
            title = f"memory, {name}, {part}: one process, median of {options.repeat} later calls"
            print(record.table(title, header, rows(results[name][part], base)), flush=True)
    print("record:", record.write(options.records, "memory", results))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        main()
