"""Coverage of measures of one table, exactly: every table that is likely, weighed by its chance.

`python -m tests.coverage.enumerated` writes tests/coverage/records/enumerated.json.

The truth is that of a table of chances, by formulas written here. Tables are left out, least likely
first, as long as no more than 1 in 1,000 would be drawn: so a coverage is exact to .1 %.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import precall as pc
from precall.core.notes import collect_notes
from precall.measures import Counts, Declaration, Measure
from precall.stats.intervals import of_tables
from tests.coverage.full import alone

RECORD = Path(__file__).with_name("records") / "enumerated.json"
#: What is left out of all samples.
LEFT_OUT = 1e-3
#: Formulas of tp, fp, fn, tn; the truth is what they are of chances.
MEASURES: dict[str, Any] = {
    "MCC": lambda a, b, c, d: (a * d - b * c) / math.sqrt((a + b) * (a + c) * (d + b) * (d + c)),
    "kappa": lambda a, b, c, d: 2 * (a * d - b * c) / ((a + b) * (b + d) + (a + c) * (c + d)),
    "BalancedAccuracy": lambda a, b, c, d: (a / (a + c) + d / (b + d)) / 2,
    "YoudenJ": lambda a, b, c, d: a / (a + c) + d / (b + d) - 1,
    "Jaccard": lambda a, b, c, d: a / (a + b + c),
    "F": lambda a, b, c, d: 2 * a / (2 * a + b + c),
    "FowlkesMallows": lambda a, b, c, d: a / math.sqrt((a + b) * (a + c)),
    "LR+": lambda a, b, c, d: a / (a + c) * (b + d) / b,
    "LR-": lambda a, b, c, d: c / (a + c) * (b + d) / d,
}


def ppv(a: Any, b: Any, c: Any, d: Any, prevalence: float = 0.1) -> Any:
    """Precision if a tenth were relevant, of tables whose margins were fixed."""
    return 1 / (1 + (b / (b + d)) * (1 - prevalence) / ((a / (a + c)) * prevalence))


def npv(a: Any, b: Any, c: Any, d: Any, prevalence: float = 0.1) -> Any:
    return 1 / (1 + (c / (a + c)) * prevalence / ((d / (b + d)) * (1 - prevalence)))


#: Measures that are no part of the library, as a user would declare them: their formula and their
#: greatest value.
OWN: dict[str, tuple[Any, float]] = {
    "GMean": (lambda a, b, c, d: (a / (a + c) * d / (b + d)) ** 0.5, 1.0),
    "DOR": (lambda a, b, c, d: (a * d) / (b * c), math.inf),
    "PPVAtTenth": (ppv, 1.0),
    "NPVAtTenth": (npv, 1.0),
}


@cache
def measure_of(name: str) -> Measure:
    """The measure; one of a user is not put on the list of measures, which is that of other tests,
    too.
    """
    if name not in OWN:
        return pc.measure(name)
    formula, most = OWN[name]

    def of_counts(c: Counts) -> Any:
        with np.errstate(divide="ignore", invalid="ignore"):
            return formula(*(np.asarray(cell, float) for cell in (c.tp, c.fp, c.fn, c.tn)))

    return Measure(Declaration(name, of_counts, Counts, range=(0, most), undefined="0/0"), {})


def truth(name: str, chances: Any) -> float:
    """The value of a table of chances."""
    return float((MEASURES.get(name) or OWN[name][0])(*chances))


def bounds(name: str, table: tuple[int, ...]) -> tuple[float, float]:
    """What the library says of a table; NaN where it has no interval."""
    with collect_notes():
        found = of_tables.of_cells(measure_of(name), name, table)
    return found.ends


class Situation(NamedTuple):
    """How tables are drawn.

    Of `relevant` and of `others` either is right by a chance of its own; if they are not `fixed`,
    their sum is, and every item is relevant by their share.
    """

    name: str
    relevant: int
    others: int
    missed: float
    false: float
    fixed: bool = True

    @property
    def chances(self) -> tuple[float, float, float, float]:
        """Of the four cells."""
        share = self.relevant / (self.relevant + self.others)
        right = share * (1 - self.missed), (1 - share) * (1 - self.false)
        return right[0], (1 - share) * self.false, share * self.missed, right[1]

    def tables(self) -> tuple[list[tuple[int, ...]], list[float]]:
        """All but the least likely tables, and the chance of each."""
        if self.fixed:
            fn, fp = (
                binomial(n, p) for n, p in ((self.relevant, self.missed), (self.others, self.false))
            )
            pairs = [
                ((self.relevant - i, j, i, self.others - j), a * b)
                for (i, a), (j, b) in product(enumerate(fn), enumerate(fp))
                if a * b > LEFT_OUT / 1e5
            ]
        else:
            pairs = list(multinomial(self.relevant + self.others, self.chances))
        pairs.sort(key=lambda pair: -pair[1])
        held = np.cumsum([chance for _, chance in pairs])
        kept = pairs[: int(np.searchsorted(held, 1 - LEFT_OUT)) + 1]
        return [table for table, _ in kept], [chance for _, chance in kept]


def binomial(n: int, p: float) -> list[float]:
    return [math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]


def multinomial(n: int, chances: Any) -> Iterator[tuple[tuple[int, ...], float]]:
    tp, fp, fn, tn = chances
    wrong = fp + fn
    for errors, of_errors in enumerate(binomial(n, wrong)):
        for i, of_kind in enumerate(binomial(errors, fp / wrong)):
            if of_errors * of_kind < LEFT_OUT / 1e4:
                continue
            for j, of_right in enumerate(binomial(n - errors, tp / (tp + tn))):
                chance = of_errors * of_kind * of_right
                if chance > LEFT_OUT / 1e4:
                    yield (j, i, errors - i, n - errors - j), chance


#: Expected errors in all, half of either kind.
ERRORS = (0.05, 0.1, 0.15, 0.2, 0.35, 0.5, 1.0, 2.0, 3.0)
SIZES = ((50, 50), (20, 80), (12, 12), (100, 300))


def situations() -> list[Situation]:
    """Those of the first grid: 36 near perfection, 5 moderate ones, 5 in which only the number of
    items is fixed.
    """
    near = [
        Situation(f"{m} + {o}, {e:g} errors", m, o, e / 2 / m, e / 2 / o)
        for m, o in SIZES
        for e in ERRORS
    ]
    moderate = [
        Situation(f"{m} + {o}, {m * a:g} FN, {o * b:g} FP", m, o, a, b)
        for m, o, a, b in (
            (50, 50, 0.2, 0.24),
            (20, 80, 0.3, 0.1),
            (30, 30, 0.1, 0.1),
            (12, 12, 0.25, 0.25),
            (40, 100, 0.05, 0.15),
        )
    ]
    any_kind = [
        Situation(
            f"{m + o} items, {m / (m + o):.0%} relevant, {m * a:g} FN, {o * b:g} FP",
            m,
            o,
            a,
            b,
            False,
        )
        for m, o, a, b in (
            (10, 10, 0.02, 0.02),
            (8, 16, 0.06, 0.03),
            (15, 15, 0.05, 0.05),
            (6, 24, 0.2, 0.05),
            (12, 8, 0.3, 0.2),
        )
    ]
    return near + moderate + any_kind


def unlike_situations() -> list[Situation]:
    """Those of the second grid: the kinds of errors differ in number, rates up to .4."""
    rates = (
        (0.01, 0.2),
        (0.2, 0.01),
        (0.05, 0.4),
        (0.4, 0.05),
        (0.02, 0.1),
        (0.1, 0.02),
        (0.001, 0.03),
        (0.03, 0.001),
        (0.1, 0.1),
        (0.25, 0.25),
        (0.4, 0.4),
        (0.2, 0.05),
        (0.05, 0.2),
    )
    return [
        Situation(f"{m} + {o}, {m * a:g} FN, {o * b:g} FP", m, o, a, b)
        for m, o in ((12, 12), (25, 25), (20, 60), (15, 150))
        for a, b in rates
    ]


class Coverage(NamedTuple):
    """How often the interval held the truth, lay below or above it, of samples that have one; the
    greatest share without.
    """

    measure: str
    situation: str
    covered: float
    below: float
    above: float
    width: float
    none: float


def coverage(name: str, situation: Situation, known: dict[Any, tuple[float, float]]) -> Coverage:
    """Of a measure in a situation; `known` are intervals that were made already."""
    tables, chance = situation.tables()
    for table in tables:
        if (name, table) not in known:
            known[name, table] = bounds(name, table)
    low, high = np.array([known[name, table] for table in tables]).T
    value, weight = truth(name, situation.chances), np.array(chance)
    has = ~np.isnan(low)
    weight, low, high = weight[has] / weight[has].sum(), low[has], high[has]
    below, above = float(weight @ (high < value)), float(weight @ (low > value))
    with np.errstate(invalid="ignore"):
        width = float(weight @ (high - low)) if np.isfinite(high).all() else math.nan
    none = 1 - float(np.array(chance)[has].sum()) / sum(chance)
    return Coverage(name, situation.name, 1 - below - above, below, above, width, none)


def cells_of(name: str) -> tuple[list[dict[str, Any]], str]:
    """All situations of a measure, as the record keeps them, and what is to be said of them."""
    begun, known = time.process_time(), {}
    found, said = [], []
    for grid, some in (("first", situations()), ("second", unlike_situations())):
        cells = [coverage(name, one, known) for one in some]
        least = min(cells, key=lambda one: one.covered)
        said.append(
            f"{name}, {grid} grid: mean {np.mean([one.covered for one in cells]):.4f}, least "
            f"{least.covered:.4f} ({least.situation}), {sum(one.covered < 0.93 for one in cells)} "
            f"of {len(cells)} below .93"
        )
        found += [
            {"grid": grid, **{key: plain(value) for key, value in one._asdict().items()}}
            for one in cells
        ]
    said.append(f"{len(known)} tables, {time.process_time() - begun:.0f} s")
    return found, "\n".join(said)


def plain(value: Any) -> Any:
    if not isinstance(value, float):
        return value
    return round(value, 5) if math.isfinite(value) else None


def table(cells: list[dict[str, Any]]) -> str:
    """The record in short, as docs/why/intervals.md shows it: by measure, in percent."""
    lines = [
        ("| measure | first grid: mean | least | second grid: mean | least |"),
        "| :-- | --: | --: | --: | --: |",
    ]
    for name in dict.fromkeys(cell["measure"] for cell in cells):
        columns = [name + " of a user" * (name in OWN)]
        for grid in ("first", "second"):
            some = [cell for cell in cells if (cell["measure"], cell["grid"]) == (name, grid)]
            least = min(some, key=lambda cell: cell["covered"])
            columns += [
                f"{100 * np.mean([cell['covered'] for cell in some]):.1f}",
                f"{100 * least['covered']:.1f} ({least['situation']})",
            ]
        lines.append(f"| {' | '.join(columns)} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument(
        "--only", action="append", default=[], help="a measure, of which nothing is recorded"
    )
    options = parser.parse_args()
    lines = []
    with alone() as pool:
        for cells, said in pool.map(cells_of, options.only or [*MEASURES, *OWN]):
            sys.stdout.write(said + "\n")
            sys.stdout.flush()
            lines += map(json.dumps, cells)
            if not options.only:
                listed = ",\n  ".join(lines)
                RECORD.write_text(f'{{"cells": [\n  {listed}\n ]}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
