"""Pictures of ten million scored cases: seconds to draw and to write each, beyond the curve.

Points that are drawn are counted, too: the time beyond finding them does not grow with the cases.
Seconds of the processor are told beside those of the clock: the machine may have other work.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import record

MANY = 10_000_000
KINDS = (
    "PrecisionRecall",
    "ROC",
    "PrecisionRecallGain",
    "AgainstRank",
    "AgainstThreshold",
    "ScoresByClass",
)
FORMS = ("png", "svg", "pdf")


def drawn(kind: str, curve: Any, path: Path) -> tuple[float, float, float, int]:
    """Seconds to draw, seconds to draw and write, those of the processor, corners of the lines."""
    from precall import plot

    start, busy = time.perf_counter(), time.process_time()
    display = getattr(plot, kind).from_curve(curve).plot()
    middle = time.perf_counter()
    display.save(path)
    end, done = time.perf_counter(), time.process_time()
    corners = sum(len(line.get_xdata()) for line in display.ax_.get_lines())
    return middle - start, end - start, done - busy, corners


def pictures(count: int, repeat: int) -> dict[str, Any]:
    """By kind and form: seconds of every repetition, after one that is not counted."""
    import precall

    rng = np.random.default_rng(1)
    relevant = rng.random(count) < 0.1
    curve = precall.curve(relevant, rng.normal(relevant, 1))
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            for form in FORMS:
                path = Path(folder) / f"a.{form}"
                taken = [drawn(kind, curve, path) for _ in range(repeat + 1)][1:]
                found[f"{kind} {form}"] = {
                    "draw": [one[0] for one in taken],
                    "whole": [one[1] for one in taken],
                    "processor": [one[2] for one in taken],
                    "corners": taken[0][3],
                    "bytes": path.stat().st_size,
                }
    return found


def shown(found: dict[str, Any]) -> None:
    rows = [
        [
            name,
            *(f"{min(one[part]):.2f}" for part in ("draw", "whole", "processor")),
            str(one["corners"]),
            str(one["bytes"]),
        ]
        for name, one in found.items()
    ]
    heading = ["", "draw, s", "with file, s", "of the processor, s", "corners", "bytes"]
    print(record.table(f"pictures: {MANY:,} cases, least of the repetitions", heading, rows))


def main() -> None:
    options = record.arguments(__doc__ or "")
    found = pictures(MANY, options.repeat)
    shown(found)
    print("record:", record.write(options.records, "pictures", {"synthetic": found}))


if __name__ == "__main__":
    main()
