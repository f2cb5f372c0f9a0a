"""Every workload, one after the other, each in a process of its own:
`python bench/all.py [options]`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
WORKLOADS = (
    "files",
    "memory",
    "scaling",
    "cases",
    "comparing",
    "intervals",
    "null_distributions",
    "pictures",
    "reading",
)

if __name__ == "__main__":
    for workload in WORKLOADS:
        subprocess.run([sys.executable, str(HERE / f"{workload}.py"), *sys.argv[1:]], check=True)
