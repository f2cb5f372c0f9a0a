"""What a process costs: processor seconds, which a busy neighbour lengthens less than the clock's."""

from __future__ import annotations

import resource
import subprocess
from collections.abc import Sequence


def seconds(command: Sequence[str]) -> float:
    """User and system seconds of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(list(command), check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def least(first: Sequence[str], second: Sequence[str], pairs: int = 7) -> tuple[float, float]:
    """Least of each over interleaved pairs: noise only ever adds."""
    times = [(seconds(first), seconds(second)) for _ in range(pairs)]
    return min(one for one, _ in times), min(two for _, two in times)
