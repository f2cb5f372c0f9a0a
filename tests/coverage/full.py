"""The whole grid: `python -m tests.coverage.full`, from the root of the checkout.

Writes tests/coverage/records/intervals.json and the table in docs/why/coverage.md after every cell.
What is interrupted goes on where it stopped: cells that these very sources have made already are
kept. `--samples N` gives all cells that many samples, less what they cost; `--only TEXT` makes
cells anew whose interval, method and situation hold the text.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import sys
import time
import zlib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np

import precall as pc
from tests.coverage.grid import Cell
from tests.coverage.simulation import Outcome, every, simulated
from tests.coverage.situations import FRESH

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "tests" / "coverage" / "records" / "intervals.json"
PAGE = ROOT / "docs" / "why" / "coverage.md"
SAMPLES = 2000
#: What is not the default is there to be seen, not to be sure of.
OTHERS = 10
INTRODUCTION = """\
# Simulated coverage of every interval

A 95 % interval should contain the true value in 95 % of all samples. A default method is called *recommended* in a situation if it warns in less
than half of the samples there. In such situations 93-97 % of the intervals contain the true value, apart from errors of the simulation:

{summary}

The tables list every situation and method; bold figures are recommended.
For example, {example} contains the true value in {covered:.1f} % of the samples.

| column | meaning |
| :-- | :-- |
| covered | share of samples whose interval contains the true value |
| ± | standard error of this share |
| below, above | share of samples whose whole interval lies below the true value, or above it |
| warned | share of samples whose interval came with a `PrecallWarning` |

*Fresh* situations have other distributions, shares and topics than the situations that were used to choose defaults and limits. Their scores are
logistic, exponential, heavy-tailed (t with 2 degrees of freedom), bounded, of unequal spread, or of only five grades. There are also items in several
categories, and topics drawn again from real systems (TREC-5 and 7, Web 2011, Robust 2003).

*Groups* differ in size, in their shares of relevant cases, and in how high they score. *Dull* cases have low scores from a noisy pilot system. Only a
part of them is labelled, and these weigh more.

*Samples.* If a default method has a closed form, a cell has about {samples} samples. If the method resamples, it has half as many. Other methods have a
tenth. Recommended cells outside 93-97 % were simulated again with 5,000 or 10,000 samples, to tell chance from a fault. `make coverage` writes this
page and its record, `tests/coverage/records/intervals.json`.

![Coverage of three intervals of average precision by the number of relevant cases](../pictures/coverage.svg)

(`pc.interval.average_precision`: means over the situations below with this number of relevant cases. Bars are 95 % intervals.
`python docs/pictures.py` draws them from the record.)
"""  # noqa: E501


def name(cell: Cell) -> str:
    """What a cell is known by."""
    return f"{cell.interval}, {cell.method}, {cell.situation}"


def wanted(cell: Cell, samples: int) -> int:
    """How many samples a cell gets."""
    return samples // cell.cost if cell.default else samples // OTHERS


def sources(*parts: str) -> str:
    """A digest of what a record depends on: these parts of the package, and what is simulated."""
    package, here = Path(pc.__file__).parent, Path(__file__).parent
    paths = [
        path
        for part in parts
        for path in (package / part).rglob("*")
        if path.suffix in (".py", ".cpp", ".hpp")
    ]
    paths += [path for path in here.glob("*.py") if not path.name.startswith(("test_", "full"))]
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in sorted(paths))).hexdigest()[:12]


def one(place: int, samples: int) -> dict[str, Any]:
    """Cell number `place`, as the record keeps it. A seed is of the cell's name: another cell
    changes nothing.
    """
    cell, begun = every()[place], time.process_time()
    found = simulated(cell, wanted(cell, samples), zlib.crc32(name(cell).encode()))
    asked = {"asked": wanted(cell, samples), "seconds": round(time.process_time() - begun, 1)}
    return {**asdict(found), "error": round(found.error, 5), **asked}


def outcomes(cells: list[dict[str, Any]]) -> list[Outcome]:
    """Of the record's cells."""
    names = [field.name for field in fields(Outcome)]
    return [Outcome(**{name: cell[name] for name in names}) for cell in cells]


def page(outcomes: list[Outcome], samples: int) -> str:
    """The table, by interval; what is recommended is marked."""
    shown = next(one for one in outcomes if one.recommended)
    introduction = INTRODUCTION.format(
        summary=summary(outcomes),
        samples=samples,
        example=f"`pc.interval.{shown.interval}` of {shown.situation}",
        covered=100 * shown.covered,
    )
    lines = [introduction]
    for name in dict.fromkeys(one.interval for one in outcomes):
        what = {"of decisions": "(decisions, measure)", "of KS": '(curve, "KS")'}.get(
            name, f".{name}"
        )
        lines += [f"## `pc.interval{what}`", ""]
        lines.append("| situation | method | covered | ± | below | above | warned | mean width |")
        lines.append("| :-- | :-- | --: | --: | --: | --: | --: | --: |")
        for found in outcomes:
            if found.interval != name:
                continue
            covered = f"**{found.covered:.3f}**" if found.recommended else f"{found.covered:.3f}"
            method = f"{found.method} (default)" if found.default else found.method
            width = (
                ""
                if name in ("max_f", "of KS", "precision_at_threshold", "pr_band", "roc_band")
                else f"{found.width:.3f}"
            )
            lines.append(
                f"| {found.situation} | {method} | {covered} | {found.error:.3f} | "
                f"{found.below:.3f} | {found.above:.3f} | {found.warned:.2f} | {width} |"
            )
        lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


def summary(outcomes: list[Outcome]) -> str:
    """How the recommended ones cover, old situations and fresh ones apart."""
    said = []
    for name, fresh in (
        ("situations that were used to choose defaults", False),
        ("fresh situations", True),
    ):
        some = [
            one
            for one in outcomes
            if one.recommended and not one.wide and one.situation.startswith(FRESH) == fresh
        ]
        within = sum(0.93 <= one.covered <= 0.97 for one in some)
        apart = sum(not 0.93 - 2 * one.error <= one.covered <= 0.97 + 2 * one.error for one in some)
        said.append(
            f"* {name}: {within} of {len(some)} recommended cells cover 93-97 %, and {apart} are "
            "off by more than two standard errors;"
        )
    wide = [one.covered for one in outcomes if one.recommended and one.wide]
    said.append(
        f"* Bayesian bootstrap, for means of few topics, which may cover more: all {len(wide)} "
        f"recommended cells cover at least {100 * min(wide, default=1):.1f} %."
    )
    return "\n".join(said)


def alone() -> ProcessPoolExecutor:
    """A process for each processor, of one thread: those of the kernel and of linear algebra would
    take it from others.
    """
    os.environ |= {"PRECALL_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    return ProcessPoolExecutor(os.cpu_count(), multiprocessing.get_context("spawn"))


def made(samples: int, only: list[str]) -> Iterator[list[dict[str, Any]]]:
    """The record's cells in the order of the grid, after every cell that is new."""
    state, grid = sources("infer", "intervals", "curves", "native"), every()
    told = json.loads(RECORD.read_text(encoding="utf-8"))["cells"] if RECORD.is_file() else []
    kept = {f"{cell['interval']}, {cell['method']}, {cell['situation']}": cell for cell in told}

    def due(cell: Cell) -> bool:
        if only:
            return any(text in name(cell) for text in only)
        known = kept.get(name(cell), {})
        return known.get("sources") != state or known["asked"] < wanted(cell, samples)

    places = [place for place, cell in enumerate(grid) if due(cell)]
    # What matters first.
    places.sort(key=lambda place: (not grid[place].default, grid[place].cost))
    with alone() as pool:
        for count, found in enumerate(pool.map(one, places, [samples] * len(places)), 1):
            cell = grid[places[count - 1]]
            kept[name(cell)] = found | {"sources": state}
            sys.stdout.write(
                f"{time.strftime('%H:%M:%S')} {count}/{len(places)} {found['covered']:.3f} "
                f"±{found['error']:.3f} {found['seconds']:.0f} s  {name(cell)}\n"
            )
            sys.stdout.flush()
            yield [kept[name(one)] for one in grid if name(one) in kept]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--samples", type=int, default=SAMPLES)
    parser.add_argument("--only", action="append", default=[])
    options = parser.parse_args()
    facts = {
        "date": time.strftime("%Y-%m-%d"),
        "precall": pc.__version__,
        "numpy": np.__version__,
        "level": 0.95,
        "samples": SAMPLES if options.only else options.samples,
    }
    RECORD.parent.mkdir(exist_ok=True)
    for cells in made(options.samples, options.only):
        lines = ",\n  ".join(json.dumps(cell) for cell in cells)
        RECORD.write_text(
            f'{{"facts": {json.dumps(facts)},\n "cells": [\n  {lines}\n ]}}\n', encoding="utf-8"
        )
        PAGE.write_text(page(outcomes(cells), facts["samples"]), encoding="utf-8")


if __name__ == "__main__":
    main()
