"""How time and memory of every public function and command grow with the size of what they are
given.

Each call runs at three or four sizes, each size in a child process of its own. Per size: processor
seconds, the least of some runs, and bytes a case at the peak, beyond what was there before. From
that: the exponent between the two largest sizes, cliffs (a step between neighbours that is steeper
than size to the power of 1.5), and at the last size but one how much longer ties, sorted scores and
skew take. Beside the record before, ratios. `python bench/growth.py [--quick] [--only NAME ...]`
"""

from __future__ import annotations

import argparse
import fnmatch
import importlib
import itertools
import json
import math
import os
import select
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

#: One thread each, so that exponents are those of the work, and seconds those of one processor.
ALONE = {"PRECALL_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
#: Runs of one call at one size go on for so many seconds, or as many times; of what took longer
#: than `ENOUGH` there is one.
BUDGET, MOST, ENOUGH = 0.1, 20, 1.5
#: Where a child is given up, seconds by the clock. Not by a limit of processor seconds: under one,
#: Linux counts them in ticks.
LIMIT = 90.0
#: Steeper between two sizes than this power is a cliff; faster or slower than the record before by
#: this factor is told of.
STEEP, APART = 1.5, 1.25
#: Steps that end below this are within what calls cost anyway.
LEAST = 2e-3
#: No clock tells less; and below these, ratios to a record are chance.
TICK, WORTH = 1e-7, {"seconds": 1e-4, "bytes": 2**20}

#: What takes long to import.
IMPORTED = (
    "scipy.stats",
    "polars",
    "pandas",
    "precall.page.writing",
    "precall.cli.commands",
    "precall.stats.null.graded",
)

Measured = dict[str, Any]


def timed(make: Callable[[], Callable[[], Any]], budget: float = BUDGET) -> float:
    """Least processor seconds of some runs, each of a call made anew: nothing is kept from one to
    the next.
    """
    least, end, runs = math.inf, time.perf_counter() + budget, 0
    while runs < MOST and (runs == 0 or time.perf_counter() < end):
        call = make()
        start = time.process_time()
        call()
        least = min(least, time.process_time() - start)
        runs += 1
    return least


def peak() -> Iterator[int]:
    """Bytes of memory now, then the most there were since."""
    status = Path("/proc/self/status")

    def read(name: str) -> int:
        lines = dict(line.split(":", 1) for line in status.read_text(encoding="utf-8").splitlines())
        return int(lines[name].split()[0]) * 1024

    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")  # the peak is what is there now
    yield read("VmRSS")
    yield read("VmHWM")


def measured(
    make: Callable[[Any], Callable[[], Any]], small: Any, data: Any, budget: float
) -> Measured:
    """One call at one size, in this process, after one on small data."""
    warnings.simplefilter("ignore")
    make(small)()  # what is imported late
    first = make(data)
    memory = peak() if sys.platform == "linux" else None
    before = next(memory) if memory else 0
    start = time.process_time()
    kept = first()
    seconds = time.process_time() - start
    bytes_ = next(memory) - before if memory else None
    del first, kept
    if seconds < ENOUGH and budget:
        seconds = min(seconds, timed(lambda: make(data), budget))
    return {"seconds": max(seconds, TICK), "bytes": bytes_}


def in_child(name: str, n: int, shape: str, budget: float) -> Measured | None:
    """The same in a child of its own, which starts with what is imported here; None where it was
    given up or failed.
    """
    from growth_calls import CALLS
    from growth_data import Data

    call = CALLS[name]
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        status = 1
        try:
            taken = measured(call.make, Data(call.sizes[0]), Data(n, shape), budget)
            os.write(writing, json.dumps(taken).encode())
            status = 0
        except BaseException as error:
            sys.stderr.write(f"{name} at {n}: {type(error).__name__}: {error}\n")
        finally:
            os._exit(status)
    os.close(writing)
    ready, _, _ = select.select([reading], [], [], LIMIT)
    text = os.read(reading, 4096) if ready else b""
    os.close(reading)
    if not ready:
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return json.loads(text) if text else None


def grown(name: str, quick: bool) -> Measured:
    """One call at all sizes, and at the last but one in other shapes."""
    from growth_calls import CALLS
    from growth_data import SHAPES

    call = CALLS[name]
    sizes = call.sizes[:2] if quick else call.sizes
    by_size: dict[int, Measured] = {}
    for n in sizes:
        one = in_child(name, n, "plain", 0 if quick else BUDGET)
        if one is None:
            break
        by_size[n] = one
    result: Measured = {
        "seconds": {str(n): one["seconds"] for n, one in by_size.items()},
        "bytes": {str(n): one["bytes"] for n, one in by_size.items()},
    }
    if call.shapes and not quick and len(by_size) > 1:
        n = list(by_size)[-2]
        for shape in SHAPES[1:]:
            one = in_child(name, n, shape, BUDGET)
            result.setdefault("shapes", {})[shape] = one and one["seconds"] / by_size[n]["seconds"]
    return result


def exponents(seconds: Mapping[str, float]) -> list[float]:
    """Between neighbouring sizes."""
    known = [(math.log(int(n)), math.log(taken)) for n, taken in seconds.items()]
    return [(b[1] - a[1]) / (b[0] - a[0]) for a, b in itertools.pairwise(known)]


def cliffs(seconds: Mapping[str, float]) -> list[str]:
    """Steps that are steeper than `STEEP`."""
    return [
        f"{n}: {power:.1f}"
        for power, (n, taken) in zip(exponents(seconds), list(seconds.items())[1:], strict=True)
        if power > STEEP and taken > LEAST
    ]


def row(name: str, one: Measured) -> list[str]:
    """A line of the table."""
    seconds, bytes_ = one["seconds"], one["bytes"]
    if not seconds:
        return [name, "failed", "", "", "", "", ""]
    n = list(seconds)[-1]
    steps = exponents(seconds)
    shapes = {
        shape: ratio for shape, ratio in one.get("shapes", {}).items() if ratio and ratio > 1.5
    }
    return [
        name,
        f"{int(n):,}",
        f"{seconds[n]:.2g}",
        f"{steps[-1]:.2f}" if steps else "",
        "" if bytes_[n] is None else f"{bytes_[n] / int(n):.0f}",
        ", ".join(cliffs(seconds)),
        ", ".join(f"{shape} x{ratio:.1f}" for shape, ratio in shapes.items()),
    ]


def before(folder: Path, collection: str) -> tuple[str, dict[str, Measured]]:
    """The last record that there is of this: its revision, and what was measured."""
    for path in sorted(folder.glob("[0-9]*.json"), reverse=True):  # digests are no record of a day
        known = (
            json.loads(path.read_text(encoding="utf-8"))["workloads"]
            .get("growth", {})
            .get(collection)
        )
        if known:
            return known["machine"]["revision"], known["results"]
    return "", {}


def compared(now: Mapping[str, Measured], then: Mapping[str, Measured]) -> list[list[str]]:
    """Calls whose time or memory at the largest size that both have is another, as ratios to what
    it was.
    """
    rows = []
    for name in now:
        common = [n for n in now[name]["seconds"] if n in then.get(name, {}).get("seconds", {})]
        if not common:
            continue
        n, ratios = common[-1], []
        for what in ("seconds", "bytes"):
            new, old = now[name][what][n], then[name][what][n]
            ratios.append(new / old if old and max(new, old) > WORTH[what] else 1.0)
        if any(not 1 / APART < ratio < APART for ratio in ratios):
            rows.append([name, f"{int(n):,}", *(f"{ratio:.2f}" for ratio in ratios)])
    return rows


def main() -> None:
    """Measure, print and record."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--records", type=Path, default=Path(__file__).resolve().parent / "records")
    parser.add_argument("--only", action="append", help="names, * for any end; repeat for more")
    parser.add_argument(
        "--quick", action="store_true", help="two sizes, one run each, and no record"
    )
    options = parser.parse_args()
    if any(os.environ.get(name) != value for name, value in ALONE.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | ALONE)
    import growth_data
    import record
    from growth_calls import CALLS

    for name in IMPORTED:  # once, and not in every child
        importlib.import_module(name)
    names = [
        name for name in CALLS if any(fnmatch.fnmatch(name, one) for one in options.only or ["*"])
    ]
    results = {}
    with tempfile.TemporaryDirectory() as place:
        growth_data.ROOT = Path(place)
        for name in names:
            results[name] = grown(name, options.quick)
            sys.stderr.write(f"{name}\n")
    heading = ["call", "at", "seconds", "power", "B/case", "cliffs", "slower when"]
    print(
        record.table(
            "growth: one processor", heading, [row(name, one) for name, one in results.items()]
        )
    )
    if options.quick:
        return
    revision, then = before(options.records, "all")
    if different := compared(results, then):
        print(
            record.table(f"against {revision}", ["call", "at", "seconds x", "memory x"], different)
        )
    print("record:", record.write(options.records, "growth", {"all": then | results}))


if __name__ == "__main__":
    main()
