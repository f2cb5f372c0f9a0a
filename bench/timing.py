"""Whole processes, timed by the operating system's own account of each."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

#: ru_maxrss is in bytes on macOS and in KiB elsewhere.
RSS_UNIT = 1 if sys.platform == "darwin" else 1024
SLOW = 10.0


@dataclass(frozen=True)
class Job:
    """A command under a name; `env` is added to the environment."""

    name: str
    command: Sequence[str]
    env: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Times:
    """What the repetitions of one job took."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    peak: list[int] = field(default_factory=list)
    output: str = ""

    @property
    def seconds(self) -> float:
        return statistics.median(self.wall)

    @property
    def megabytes(self) -> float:
        return statistics.median(self.peak) / 1e6

    def record(self) -> dict[str, object]:
        return {
            "wall_s": self.wall,
            "cpu_s": self.cpu,
            "peak_mb": [peak / 1e6 for peak in self.peak],
        }


def once(job: Job) -> tuple[float, float, int, str]:
    """Wall and processor seconds, peak bytes and output of one run; a failure ends the
    benchmark.
    """
    start = time.perf_counter()
    process = subprocess.Popen(
        list(job.command), stdout=subprocess.PIPE, env=os.environ | dict(job.env)
    )
    assert process.stdout is not None
    output = process.stdout.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    if process.returncode:
        sys.exit(f"{job.name}: exit status {process.returncode}: {' '.join(job.command)}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * RSS_UNIT, output


def interleaved(jobs: Sequence[Job], repeat: int) -> dict[str, Times]:
    """Each job once uncounted (files cached, compiled code cached), then all in turn, `repeat`
    times.

    In turn, because machines are shared: what slows one repetition slows its neighbours as well.
    What takes over `SLOW` seconds is counted once only, or it would take all the time there is.
    """
    times = {job.name: Times() for job in jobs}
    for turn in range(repeat + 1):
        for job in jobs:
            if turn > 1 and times[job.name].wall[0] > SLOW:
                continue
            wall, cpu, peak, output = once(job)
            kept = times[job.name]
            kept.output = output
            if turn:
                kept.wall.append(wall)
                kept.cpu.append(cpu)
                kept.peak.append(peak)
    return times


def processes(pid: int) -> list[int]:
    """A process and all that it has started."""
    children: list[str] = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            # Threads of Java end while others are looked at.
            with suppress(OSError):
                children += (task / "children").read_text().split()
    return [pid, *(each for child in children for each in processes(int(child)))]


def processor_seconds() -> float:
    """Of this process and all that it has started, those that ended among them."""
    ticks = 0
    for pid in processes(os.getpid()):
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")
