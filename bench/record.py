"""What a benchmark leaves: a table on the screen and a JSON file with the machine it is true
for.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOOLS = (
    "precall",
    "numpy",
    "pytrec-eval-terrier",
    "ir-measures",
    "ranx",
    "numba",
    "scikit-learn",
    "torchmetrics",
    "scipy",
    "confidenceinterval",
)


def arguments(prose: str) -> argparse.Namespace:
    """What every benchmark understands."""
    parser = argparse.ArgumentParser(description=prose.partition("\n\n")[0])
    parser.add_argument(
        "--data", type=Path, default=HERE / "data", help="folder of the collections"
    )
    parser.add_argument(
        "--records", type=Path, default=HERE / "records", help="folder of the records"
    )
    parser.add_argument("--repeat", type=int, default=5, help="counted repetitions (default 5)")
    parser.add_argument(
        "--only", action="append", help="collection; repeat for more (default: all)"
    )
    return parser.parse_args()


def table(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [list(header), *map(list, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    text = [
        "  ".join(
            cell.ljust(w) if i == 0 else cell.rjust(w)
            for i, (cell, w) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    ]
    return "\n".join([title, *(line.rstrip() for line in text), ""])


def processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    found = re.search(r"model name\s*: (.*)", text)
    return found[1] if found else platform.machine()


def version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def git(*command: str) -> str:
    done = subprocess.run(["git", *command], cwd=HERE, capture_output=True, text=True)
    return done.stdout.strip()


def machine() -> dict[str, object]:
    """Everything a number depends on."""
    about = json.loads(
        subprocess.run(
            [sys.executable, "-c", "import json, precall; print(json.dumps(precall.about()))"],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
    )
    changed = git(
        "status", "--porcelain", "--untracked-files=no", "--", "../src", "../CMakeLists.txt"
    )
    return {
        "date": time.strftime("%Y-%m-%d"),
        "processor": processor(),
        # What else ran, as the kernel counts it over one, five and fifteen minutes; 1 is this
        # workload itself.
        "load": [round(one, 1) for one in os.getloadavg()],
        "precall": about,
        "revision": git("rev-parse", "--short=12", "HEAD") + ("+changes" if changed else ""),
        "versions": {name: version(name) for name in TOOLS},
    }


def write(folder: Path, workload: str, results: Mapping[str, object]) -> Path:
    """One file a day and machine; what was measured again replaces its part, by workload and
    collection.
    """
    facts = machine()
    threads = dict(facts["precall"])["threads"]  # type: ignore[call-overload]
    slug = re.sub(r"[^a-z0-9.]+", "-", f"{facts['processor']} {threads} threads".lower()).strip("-")
    path = folder / f"{facts['date']}-{slug}.json"
    folder.mkdir(parents=True, exist_ok=True)
    workloads = json.loads(path.read_text(encoding="utf-8"))["workloads"] if path.exists() else {}
    for collection, measured in results.items():
        workloads.setdefault(workload, {})[collection] = {"machine": facts, "results": measured}
    path.write_text(json.dumps({"workloads": workloads}, indent=1) + "\n", encoding="utf-8")
    return path
