"""How often intervals of a difference of two systems hold the true one:
`python -m tests.coverage.differences`.

Writes `differences.json` beside this file; the docs show its table and a test compares them.
`--simulations N` is a quick look.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

import precall as pc
from tests.coverage import cohorts
from tests.coverage.full import alone
from tests.coverage.sizes import PAGE, decided, scored

RECORD = Path(__file__).with_name("differences.json")
BEGIN, END = "<!-- differences -->\n", "<!-- end -->"
#: Items that stand for all there are.
_MANY = 400_000


@dataclass(frozen=True)
class Cell:
    """One interval in one situation; without a true value it is the mean of the simulated ones."""

    where: str
    method: str
    draw: Callable[[np.random.Generator, int], Any]
    truth: Callable[[], float] | None = None


@cache
def _true(gap: float, measure: str) -> float:
    truth, a, b = decided(np.random.default_rng(0), _MANY, gap)
    first, second = (float(pc.decisions(truth, said).value(pc.measure(measure))) for said in (a, b))
    return first - second


def of_decisions() -> Iterator[Cell]:
    """Differences of hard decisions, by the bootstrap of items."""
    for items, gap in ((50, 0.18), (200, 0.1), (1000, 0.05)):
        for measure in ("F", "P", "R", "MCC", "accuracy"):
            for method in ("percentile", "bca") if measure != "accuracy" else ("t",):

                def draw(
                    rng: np.random.Generator, i: int, given: Any = (items, gap, measure, method)
                ) -> pc.Comparison:
                    interval = "percentile" if given[3] == "t" else given[3]
                    data = decided(rng, *given[:2])
                    return pc.compare.decisions(
                        *data, given[2], test=_FAST[given[2]], interval=interval, rng=i
                    )

                yield Cell(f"{measure}, {items} items", method, draw, partial(_true, gap, measure))


#: Tests that take little time: p is of no interest here.
_FAST = {"F": "t", "P": "t", "R": "t", "accuracy": "t", "MCC": "randomization"}


def of_lists() -> Iterator[Cell]:
    """Differences at rank k and at a threshold; how many items are relevant is a matter of chance,
    too.
    """
    cells = ((20, 180, 0.6), (50, 450, 0.4), (20, 1980, 0.7))
    for positive, negative, gap in cells:
        for measure, cut in (("P@10", None), ("P@20", None), ("R@50", None), ("R", 1.5)):
            for by in (0.0, gap):

                def draw(
                    rng: np.random.Generator,
                    i: int,
                    given: Any = (positive, negative, by, measure, cut),
                ) -> pc.Comparison:
                    positive, negative, by, measure, cut = given
                    number = max(
                        1, rng.binomial(positive + negative, positive / (positive + negative))
                    )
                    data = scored(rng, number, positive + negative - number, by)
                    test = "t" if cut else "influence"
                    return pc.compare.cases(*data, measure, test=test, threshold=cut, rng=i)

                at = "" if cut is None else f" at {cut:g}"
                name = f"{measure}{at}, {positive} of {positive + negative}" + " apart" * bool(by)
                yield Cell(name, "Agresti-Min" if cut else "influence", draw)


#: Differences of two systems per topic, and their mean.
TOPICS: dict[str, tuple[Callable[[np.random.Generator, int], Any], float]] = {
    "normal": (lambda rng, n: rng.normal(0.1, 1, n), 0.1),
    "Laplace": (lambda rng, n: rng.laplace(0.1, 1, n), 0.1),
    "sixths": (lambda rng, n: rng.integers(-3, 5, n) / 6, 1 / 12),
    "four of five equal": (lambda rng, n: (rng.random(n) < 0.2) * rng.normal(0.3, 1, n), 0.06),
    "skewed": (lambda rng, n: rng.exponential(1, n), 1.0),
}


def of_topics() -> Iterator[Cell]:
    """Mean differences over topics: what the randomization test and the bootstrap do not reject,
    and Student's.
    """
    for law, (drawn, truth) in TOPICS.items():
        for topics in (8, 20, 50):
            for test, method in (
                ("randomization", "inverted randomization"),
                ("t", "t"),
                ("bootstrap", "inverted bootstrap"),
            ):

                def draw(
                    rng: np.random.Generator, i: int, given: Any = (drawn, topics, test)
                ) -> pc.Comparison:
                    drawn, topics, test = given
                    return pc.compare.paired(
                        drawn(rng, topics), np.zeros(topics), test=test, resamples=1999, rng=i
                    )

                yield Cell(f"{law}, {topics} topics", method, draw, lambda truth=truth: truth)


def of_cohorts() -> Iterator[Cell]:
    """Measures of two cohorts that have no case in common."""
    for pair in cohorts.APART:
        first, second = pair
        for method in ("mover", "t"):
            draw = partial(cohorts.interval_of, pair, method, "AUC")
            where = f"AUC, {first} and {second}"
            yield Cell(where, method, draw, lambda a=first, b=second: a.area - b.area)
    for pair in (cohorts.APART[1], cohorts.APART[4]):
        draw = partial(cohorts.interval_of, pair, "mover", "AP")
        yield Cell(f"AP, {pair[0]} and {pair[1]}", "mover", draw)
    yield Cell(
        "AUC, twice 40 patients with 3 cases", "mover", cohorts.interval_of_groups, lambda: 0.0
    )


@cache
def every() -> list[Cell]:
    """All that is simulated."""
    return [*of_topics(), *of_decisions(), *of_lists(), *of_cohorts()]


def one(place: int, simulations: int) -> dict[str, Any]:
    """Cell number `place`: the share of intervals that hold the truth, and their mean width;
    samples without one left out.
    """
    cell = every()[place]
    rng = np.random.default_rng(zlib.crc32(cell.where.encode()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PrecallWarning)
        found = [cell.draw(rng, i) for i in range(simulations)]
    truth = (
        float(np.mean([pair.difference for pair in found])) if cell.truth is None else cell.truth()
    )
    ends = np.array(
        [(pair.low, pair.high) for pair in found if pair.low is not None], float
    ).reshape(-1, 2)
    held = (ends[:, 0] <= truth + 1e-12) & (ends[:, 1] >= truth - 1e-12)
    return {
        "where": cell.where,
        "method": cell.method,
        "covered": float(held.mean()),
        "difference": truth,
        "width": float(np.diff(ends).mean()),
        "intervals": len(ends),
        "simulations": simulations,
    }


def table(cells: list[dict[str, Any]]) -> str:
    """The record in Markdown."""
    lines = [
        ["", "method", "covered", "mean width", "difference"],
        [":--", ":--", "--:", "--:", "--:"],
    ]
    for cell in cells:
        numbers = f"{cell['covered']:.3f}", f"{cell['width']:.3f}", f"{cell['difference']:.3f}"
        lines.append([cell["where"], cell["method"], *numbers])
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def documented(text: str, cells: list[dict[str, Any]]) -> str:
    """The page with the table of the record between its marks."""
    head, _, tail = text.partition(BEGIN)
    return f"{head}{BEGIN}{table(cells)}{END}{tail.partition(END)[2]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--simulations", type=int, default=1000)
    parser.add_argument("--missing", action="store_true", help="Only what was never simulated.")
    options = parser.parse_args()
    kept = json.loads(RECORD.read_text(encoding="utf-8"))["cells"] if options.missing else []
    known = {(cell["where"], cell["method"]): cell for cell in kept}
    due = [place for place, cell in enumerate(every()) if (cell.where, cell.method) not in known]
    with alone() as pool:
        for count, found in enumerate(pool.map(one, due, [options.simulations] * len(due)), 1):
            known[found["where"], found["method"]] = found
            sys.stdout.write(f"{count}/{len(due)} {found}\n")
            sys.stdout.flush()
    cells = [known[cell.where, cell.method] for cell in every()]
    RECORD.write_text(
        json.dumps({"precall": pc.__version__, "cells": cells}, indent=1) + "\n", encoding="utf-8"
    )
    PAGE.write_text(documented(PAGE.read_text(encoding="utf-8"), cells), encoding="utf-8")


if __name__ == "__main__":
    main()
