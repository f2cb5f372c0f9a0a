"""Every function of the kernel, at every request for memory that is refused: a MemoryError and
nothing else.

    LD_PRELOAD=failing.so python failing.py failing.so

The small objects that nanobind makes are not among them: without memory for those it ends the
process. The same call must give the same result afterwards: nothing was left half done.
"""

from __future__ import annotations

import ctypes
import gc
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from precall.core.errors import Malformed
from precall.native import _kernel as kernel

memory = ctypes.PyDLL(sys.argv[1])
ROWS = 40_000
rng = np.random.default_rng(1)


def calls(folder: Path) -> dict[str, Callable[[], Any]]:
    """One call of every function, of several threads where there may be any."""
    run_text = b"".join(b"t%d Q0 d%d 1 %d.5 x\n" % (i // 100, i % 100, i % 7) for i in range(ROWS))
    path = folder / "a.run"
    path.write_bytes(run_text)
    run = {f"t{t}": {f"d{i}": i + 0.5 for i in range(20)} for t in range(30)}
    odd = {"t": {"\u00e9": 1, "b\udc80": 2, "c": "x", "d": 10**400}, 7: {}, "u": None}
    judged = {f"t{t}": {f"d{i}": i % 2 for i in range(0, 100, 3)} for t in range(400)}
    columns, qrels = (
        kernel.read_run(run_text, False, "error", 1)[:6],
        kernel.qrels_from_dict(judged),
    )
    relevant, score = rng.random(200_000) < 0.3, rng.random(200_000)
    start = np.array([0, 50_000, 200_000])
    seed = rng.integers(2**63, size=8).astype(np.uint64)
    return {
        "read_run": lambda: kernel.read_run(str(path), False, "error", 4, chunk=50_000),
        "read_run of bytes": lambda: kernel.read_run(run_text[:2000], True, "best", 1),
        "read_run of nonsense": lambda: kernel.read_run(
            b"x\n" * 30 + run_text[:2000] * 2, True, "error", 1
        ),
        "read_qrels": lambda: kernel.read_qrels(
            b"1 0 a 1\n2 0 b 1\n1 0 c 1\n1 0 a 1\n", "error", 4, chunk=5
        ),
        "group_run": lambda: kernel.group_run(*texts(300), *texts(300), score[:300], "best", 4),
        "run_from_dict": lambda: kernel.run_from_dict(run, False, 4, chunk=50),
        "qrels_from_dict": lambda: kernel.qrels_from_dict(judged, 1),
        "texts_of_lists": lambda: kernel.texts_of_lists([list(run), set(run)], True),
        "run_from_dict of nonsense": lambda: kernel.run_from_dict(odd, False),
        **of_tables(),
        "locate": lambda: kernel.locate(*columns, *qrels, False, 4),
        "areas": lambda: kernel.areas(relevant, score, 4),
        "areas of few": lambda: kernel.areas(score < 0.001, score, 4),
        "areas_each": lambda: kernel.areas_each(relevant, score, start, 4),
        "path": lambda: (
            *kernel.path(relevant, np.round(score, 4), 2),
            *kernel.path_each(relevant, score, start, 4),
        ),
        "blocks": lambda: kernel.blocks(relevant, score, 4),
        "weigh": lambda: kernel.weigh(relevant, np.round(score, 3), score, 4),
        "weigh_area": lambda: kernel.weigh_area(relevant, np.round(score, 3), score, 0.0, True, 4),
        "draw_cells": lambda: draw(seed),
    }


def of_tables() -> dict[str, Callable[[], Any]]:
    """Calls of the functions that read tables."""
    cells = b"".join(b't%d,"d""%d",%d.5\n' % (i // 100, i % 3000, i % 7) for i in range(6000))
    objects = b"".join(b'{"t":"q","i":%d,"v":1}\n' % i for i in range(300))
    return {
        "run_from_table": lambda: kernel.run_from_table(
            cells, 0, ",", 3, [0, 1, 2], False, "last", 4, chunk=5000
        ),
        "qrels_from_table": lambda: kernel.qrels_from_table(
            objects, 0, "", 0, ["t", "i", "v"], "error", 1
        ),
        "run_from_table of nonsense": lambda: kernel.run_from_table(
            cells + b'"', 0, ",", 3, [0, 1, 2], False, "last", 4, chunk=5000
        ),
        "columns_from_table": lambda: columns_of(cells),
    }


def texts(count: int) -> tuple[Any, Any]:
    """Many short ids as columns."""
    return np.frombuffer(b"ab" * count, np.uint8), np.arange(0, 2 * count + 1, 2)


def columns_of(cells: bytes) -> Any:
    """Scores, codes of texts, and the texts."""
    score, coded = kernel.columns_from_table(cells, 0, ",", 3, [2, 1], "sc")
    return score, *coded


def draw(seed: Any) -> Any:
    """Samples of two strata."""
    ones = np.array([0, 1], np.int64)
    below = np.array([2**62, 2**63], np.uint64)
    owner = np.array([0, 0, 1], np.int32)
    return kernel.draw_cells(
        seed,
        np.full(len(seed), 9, np.int64),
        np.array([0], np.int32),
        ones,
        np.array([1], np.int32),
        below,
        np.array([0, 2]),
        owner,
        np.array([0, 3]),
        ones,
        2,
        4,
    )


def outcome(call: Callable[[], Any]) -> object:
    """The bytes of a result, or the facts of an error."""
    try:
        result = call()
    except Malformed as error:
        return error.problems, error.total
    parts = result if isinstance(result, tuple) else (result,)
    return [part.tobytes() if isinstance(part, np.ndarray) else part for part in parts]


def attempt(call: Callable[[], Any], number: int, for_good: int) -> tuple[object, int]:
    """The outcome where a request fails, or MemoryError; and how many requests there were."""
    memory.fail_at(number, for_good)
    try:
        found = call()
    except MemoryError:
        found = MemoryError
    except Malformed as error:
        found = error
    requests = memory.count_requests()
    return (found if found is MemoryError else outcome(lambda: given(found))), requests


def say(line: str) -> None:
    """Write a line."""
    sys.stdout.write(line + "\n")


def given(found: Any) -> Any:
    """A result that is there, or the error that is."""
    if isinstance(found, Exception):
        raise found
    return found


def main() -> int:
    """Number of calls that went wrong."""
    wrong = tried = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, call in calls(Path(folder)).items():
            expected = outcome(call)
            gc.disable()
            for for_good in (0, 1):
                number = requests = 1
                while number <= requests:
                    found, requests = attempt(call, number, for_good)
                    tried, refused = tried + 1, refused + (found is MemoryError)
                    # A thread or a larger room that is not had may be done without.
                    if found is not MemoryError and found != expected:
                        say(f"{name}, request {number}: got {str(found)[:200]}")
                        wrong += 1
                    # The larger the number, the more it is like its neighbours.
                    number += 1 + (number // 400 if not os.environ.get("PRECALL_EVERY") else 0)
            gc.enable()
            if outcome(call) != expected:
                say(f"{name}: another result afterwards")
                wrong += 1
    say(f"{tried} calls, {refused} of them ended by MemoryError, {wrong} wrong")
    return wrong


if __name__ == "__main__":
    sys.exit(main() > 0)
