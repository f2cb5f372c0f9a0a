"""How time and memory of scanned cases grow with the cases: Parquet files of 10^6 and more, read in
batches, beside the same read whole, what `precall curve` does by default, and batches that are only
read twice.

`python bench/scale.py 1e6 1e7 1e8 1e9`; a file of 10^8 cases takes 400 MB of disk. Anonymous memory
is sampled from outside. Time is linear and memory flat, but for 150 bytes for each relevant score.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import record
from scored_files import write_cases

TIMED = (
    "import json, sys, time; from precall import ScoredCases; "
    "from precall.cases.table import cases_of, read_cases; start = time.process_time(); "
    "curve = {}.curves()['score']['']; "
    "print(json.dumps([curve.average_precision(), time.process_time() - start, len(curve)]))"
)
WAYS = {
    "in batches": "ScoredCases.scan(sys.argv[1], label='label', score='score')",
    "whole": "read_cases(sys.argv[1], 'label', ['score'])",
    "by default": "cases_of(sys.argv[1], 'label', ['score'], only_curves=True)",
}


#: What two passes cannot do without: to read the batches twice.
TWICE = (
    "import json, sys, time; from precall.cases.columns import CaseColumns; "
    "start = time.process_time(); columns = CaseColumns('label', ['score'], None, None, None); "
    "cases = [len(part[1]) for _ in range(2) "
    "for batch in columns.of_files(sys.argv[1], None) for part in batch.parts()]; "
    "print(json.dumps([None, time.process_time() - start, len(cases)]))"
)


def anonymous(pid: int) -> int:
    """Bytes of anonymous memory that a process has."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon")), 0)


def measured(path: Path, cases: int, way: str) -> dict[str, float]:
    """Processor seconds inside the process, and the most memory it had."""
    begin = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-c", way, str(path)], stdout=subprocess.PIPE, text=True
    )
    most = 0
    while process.poll() is None:
        most = max(most, anonymous(process.pid))
        time.sleep(0.02)
    assert process.stdout is not None
    value, seconds, rows = json.loads(process.stdout.read())
    return {
        "AP": value,
        "processor seconds": round(seconds, 2),
        "seconds": round(time.perf_counter() - begin, 2),
        "nanoseconds a case": round(1e9 * seconds / cases, 1),
        "MiB": most >> 20,
        "rows of the curve": rows,
    }


def main() -> None:
    """One line for each size, share of relevant cases, and way to read them."""
    sizes = [int(float(size)) for size in sys.argv[1:]] or [10**6, 10**7]
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        for cases in sizes:
            for share in (0.001, 0.3) if cases <= 10**7 else (0.001,):
                path = Path(folder) / "cases.parquet"
                write_cases(path, cases, share, np.float32)
                ways = {way: TIMED.format(call) for way, call in WAYS.items()}
                for way, text in {**ways, "read twice": TWICE}.items():
                    name = f"{cases:.0e} cases, {share:g} relevant, {way}"
                    results[name] = measured(path, cases, text)
                    print(name, results[name], flush=True)
    record.write(record.HERE / "records", "scale", results)


if __name__ == "__main__":
    main()
