"""How time grows with the topics and falls with the threads: whole processes of precall, and inside
them.

A whole process also starts Python, imports NumPy and writes its output, a fifth of a second that
neither copies nor threads change. So the same work is timed inside a process, too: from the call
with two paths to the report.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time

import collection
import record
from files import precall
from peers import PRECALL
from timing import Job, Times, interleaved

COPIES = (1, 2, 4)
Inputs = dict[int, tuple[str, str]]


def inside(qrels: str, run: str) -> None:
    """Seconds from two paths to a report, in this process."""
    from precall import evaluate

    start = time.perf_counter()
    evaluate(qrels, run, PRECALL)
    print(time.perf_counter() - start)


def insides(inputs: Inputs, repeat: int) -> dict[str, list[float]]:
    """The same for every number of copies, and of threads on one copy, in turn."""
    jobs = [(f"{count} copies inside", count, None) for count in inputs]
    jobs += [(f"{threads} threads inside", 1, threads) for threads in (1, 2)]
    taken: dict[str, list[float]] = {name: [] for name, _, _ in jobs}
    for _ in range(repeat):
        for name, count, threads in jobs:
            environment = os.environ | ({"PRECALL_THREADS": str(threads)} if threads else {})
            command = [sys.executable, __file__, "--inside", *inputs[count]]
            done = subprocess.run(
                command, env=environment, check=True, capture_output=True, text=True
            )
            taken[name].append(float(done.stdout))
    return taken


def whole(name: str, inputs: Inputs, repeat: int) -> dict[str, Times]:
    jobs = [Job(f"{count} copies", precall(*paths)) for count, paths in inputs.items()]
    jobs += [
        Job(f"{threads} threads", precall(*inputs[1]), {"PRECALL_THREADS": str(threads)})
        for threads in (1, 2)
    ]
    return interleaved(jobs, repeat)


def main() -> None:
    options = record.arguments(__doc__ or "")
    name = (options.only or ["msmarco"])[0]
    inputs = {
        count: tuple(
            map(str, collection.ensure(options.data, name if count == 1 else f"{name}-{count}"))
        )
        for count in COPIES
    }
    processes = whole(name, inputs, options.repeat)
    taken = insides(inputs, options.repeat)
    seconds = {key: one.seconds for key, one in processes.items()}
    seconds |= {key: statistics.median(one) for key, one in taken.items()}
    rows = []
    for place in ("", " inside"):
        base, one = seconds[f"1 copies{place}"], seconds[f"1 threads{place}"]
        for count in COPIES:
            now = seconds[f"{count} copies{place}"]
            rows.append(
                [
                    f"{count} copies{place}",
                    f"{now:.3f}",
                    f"{now / base:.2f}",
                    f"{now / base / count:.2f}",
                ]
            )
        for threads in (1, 2):
            now = seconds[f"{threads} threads{place}"]
            rows.append([f"{threads} threads{place}", f"{now:.3f}", f"{one / now:.2f}", ""])
    title = f"scaling: copies of {name}'s topics, and threads on one; median of {options.repeat}"
    print(record.table(title, ["", "wall s", "x first", "x linear"], rows))
    measured = {key: one.record() for key, one in processes.items()}
    measured |= {key: {"wall_s": one} for key, one in taken.items()}
    print("record:", record.write(options.records, "scaling", {name: measured}))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--inside"]:
        inside(*sys.argv[2:])
    else:
        main()
