"""What work costs: processor seconds, of which noise only ever adds, so that the least of many is
nearest to the truth.

A busy neighbour lengthens them less than the clock's, but does; what a test asks for is therefore
measured again, in pairs side by side, before it fails.
"""

from __future__ import annotations

import os
import resource
import subprocess
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

#: Whoever runs the tests may forbid bytecode; users do not, and compiling all modules is not what
#: is measured. Nor are threads of OpenBLAS, which look for work on another processor for as long as
#: this one imports.
_ENVIRONMENT = {
    name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
} | {"OPENBLAS_NUM_THREADS": "1"}


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What a call gives, and its seconds in this process, with all its threads."""
    start = time.process_time()
    result = work()
    return result, time.process_time() - start


def seconds(work: Callable[[], Any]) -> float:
    """Of one call in this process."""
    return timed(work)[1]


def of_command(command: Sequence[str]) -> float:
    """User and system seconds of one run of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(list(command), check=True, capture_output=True, env=_ENVIRONMENT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def leasts(
    first: Callable[[], float], second: Callable[[], float], enough: Callable[[float, float], bool]
) -> tuple[float, float]:
    """Least of each time over 5 pairs side by side, and over up to 50 while they are not `enough`;
    the first pair warms up.
    """
    first(), second()
    times: list[tuple[float, float]] = []
    while len(times) < 50:
        times += [(first(), second()) for _ in range(5)]
        least = min(time for time, _ in times), min(time for _, time in times)
        if enough(*least):
            break
    return least


def ratio(work: Callable[[], Any], standard: Callable[[], Any], wanted: float) -> float:
    """How many times as long `work` takes as `standard`, measured until it is below `wanted`, or is
    not to be.
    """
    ours, theirs = leasts(
        partial(seconds, work),
        partial(seconds, standard),
        lambda ours, theirs: ours < wanted * theirs,
    )
    return ours / theirs
