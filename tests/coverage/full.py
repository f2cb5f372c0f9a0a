"""The whole grid: `python -m tests.coverage.full [SAMPLES]`, from the root of the checkout.

Writes tests/coverage/records/intervals.json and the table in docs/coverage.md.
"""

from __future__ import annotations

import json
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path

import numpy as np

import precall as pc
from tests.coverage.simulation import Outcome, every, simulated
from tests.coverage.situations import FRESH

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "tests" / "coverage" / "records" / "intervals.json"
PAGE = ROOT / "docs" / "coverage.md"
SAMPLES, LEAST = 4000, 40
#: Drawn from the record by `python docs/pictures.py`.
SHOWN = (
    "![Coverage of three intervals of average precision by the number of relevant cases](pictures/coverage.svg)",
    "",
    "(`pc.interval.average_precision`, means over the situations below with so many relevant cases; bars of 95 %.)",
)


def one(place: int, samples: int) -> Outcome:
    """Cell number `place`; costly ones get fewer samples, `LEAST` at least."""
    cell = every()[place]
    # What is not the default is there to be seen, not to be sure of.
    wanted = samples if cell.default else samples // 4
    return simulated(cell, max(LEAST, wanted // cell.cost), seed=place + 1)


def page(outcomes: list[Outcome], samples: int) -> str:
    """The table, by interval; what is recommended is marked."""
    lines = [
        "# Simulated coverage of every interval",
        "",
        "Made by `make coverage`, from `tests/coverage/records/intervals.json`. Nominal level 95 %. `±` is the Monte",
        "Carlo standard error of the coverage; *below* and *above*: how often the whole interval lay below or above the",
        "truth; *warned*: how often it came with a `PrecallWarning`. A default method is **recommended** where it warns",
        "in less than half of the samples: there it covers 93-97 %, give or take what the error allows for. Situations",
        "marked *fresh* have other laws, shares and topics than those that defaults and limits were chosen with: scores",
        "that are logistic, exponential, heavy-tailed (t with 2 degrees of freedom), bounded, of unequal spread or of five",
        "grades only; items in several categories; topics of real systems (TREC-5 and 7, Web 2011, Robust 2003), redrawn.",
        "",
        *SHOWN,
        "",
    ]
    for name in dict.fromkeys(one.interval for one in outcomes):
        lines += [f"## `pc.interval.{name}`", ""]
        lines.append("| situation | method | covered | ± | below | above | warned | mean width |")
        lines.append("| :-- | :-- | --: | --: | --: | --: | --: | --: |")
        for found in outcomes:
            if found.interval != name:
                continue
            covered = f"**{found.covered:.3f}**" if found.recommended else f"{found.covered:.3f}"
            method = f"{found.method} (default)" if found.default else found.method
            width = (
                ""
                if name in ("max_f", "precision_at_threshold", "pr_band", "roc_band")
                else f"{found.width:.3f}"
            )
            lines.append(
                f"| {found.situation} | {method} | {covered} | {found.error:.3f} | {found.below:.3f} | "
                f"{found.above:.3f} | {found.warned:.2f} | {width} |"
            )
        lines.append("")
    lines.append(summary(outcomes))
    lines.append(f"At most {samples} samples a cell; bold: recommended.")
    return "\n".join(lines) + "\n"


def summary(outcomes: list[Outcome]) -> str:
    """How the recommended ones cover, old situations and fresh ones apart."""
    said = []
    for name, fresh in (("that defaults were chosen with", False), ("that are fresh", True)):
        some = [one for one in outcomes if one.recommended and one.situation.startswith(FRESH) == fresh]
        within = sum(0.93 <= one.covered <= 0.97 for one in some)
        apart = sum(not 0.93 - 2 * one.error <= one.covered <= 0.97 + 2 * one.error for one in some)
        said.append(
            f"Of {len(some)} recommended cells {name} {within} cover 93-97 %, {apart} are off by over two errors."
        )
    return "\n".join(said)


def main(samples: int) -> None:
    # For lists this small the kernel takes longer to begin than its twin to end; both count the same.
    os.environ |= {"PRECALL_KERNEL": "twin", "PRECALL_THREADS": "1"}
    begun = time.time()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        outcomes = list(pool.map(one, range(len(every())), [samples] * len(every())))
    facts = {
        "date": time.strftime("%Y-%m-%d"), "precall": pc.__version__, "numpy": np.__version__, "level": 0.95,
        "samples": samples, "seconds": round(time.time() - begun),
    }  # fmt: skip
    cells = [{**asdict(found), "error": round(found.error, 5)} for found in outcomes]
    RECORD.parent.mkdir(exist_ok=True)
    lines = ",\n  ".join(json.dumps(cell) for cell in cells)
    RECORD.write_text(f'{{"facts": {json.dumps(facts)},\n "cells": [\n  {lines}\n ]}}\n', encoding="utf-8")
    PAGE.write_text(page(outcomes, samples), encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else SAMPLES)
