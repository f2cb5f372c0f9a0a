"""What a process costs: processor seconds, which a busy neighbour lengthens less than the clock's."""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Sequence

#: Whoever runs the tests may forbid bytecode; users do not, and compiling all modules is not what is measured.
_ENVIRONMENT = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def seconds(command: Sequence[str]) -> float:
    """User and system seconds of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(list(command), check=True, capture_output=True, env=_ENVIRONMENT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def least(first: Sequence[str], second: Sequence[str], pairs: int = 7) -> tuple[float, float]:
    """Least of each over interleaved pairs, when both were run once: noise only ever adds."""
    times = [(seconds(first), seconds(second)) for _ in range(1 + pairs)][1:]
    return min(time for time, _ in times), min(time for _, time in times)
