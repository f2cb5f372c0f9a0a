"""Coverage and size of Tango's interval of the difference of two shares of the same items, exactly:
every pair of discordant counts, weighed by its chance.

`python -m tests.coverage.paired_shares` writes tests/coverage/records/paired_shares.json and its
table in docs/why/intervals.md. Recall and specificity of two tests of the same patients have this
interval. It rejects equality where 0 is outside; at 0 its statistic is that of McNemar's test.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from precall.stats.tests.two_tables import PairedTable, tango
from tests.coverage.judges import write_table

RECORD = Path(__file__).with_name("records") / "paired_shares.json"
PAGE = Path(__file__).parents[2] / "docs" / "why" / "intervals.md"
MARK = "paired shares"


class Situation(NamedTuple):
    """Items of which a share is decided differently, for the first by so much more."""

    items: int
    discordant: float
    difference: float


SITUATIONS = tuple(
    Situation(items, discordant, round(part * discordant, 4))
    for items in (10, 20, 40, 100)
    for discordant in (0.02, 0.05, 0.1, 0.2, 0.4, 0.8)
    for part in (0.0, 0.5, 1.0)
)


@cache
def bounds(items: int, first: int, second: int) -> tuple[float, float]:
    """The interval after so many items that only one of the systems has right."""
    return tango(PairedTable(items - first - second, first, second, 0), 0.95)


def samples(of: Situation) -> Iterator[tuple[int, int, float]]:
    """Discordant counts and their chance, by the trinomial distribution."""
    only = (of.discordant + of.difference) / 2, (of.discordant - of.difference) / 2
    for first in range(of.items + 1):
        for second in range(of.items - first + 1):
            rest = of.items - first - second
            ways = math.comb(of.items, first) * math.comb(of.items - first, second)
            yield (
                first,
                second,
                ways * only[0] ** first * only[1] ** second * (1 - of.discordant) ** rest,
            )


def enumerate_all(of: Situation) -> dict[str, Any]:
    """The chances that the interval holds the difference, and that 0 is outside."""
    held = rejected = 0.0
    for first, second, chance in samples(of):
        low, high = bounds(of.items, first, second)
        held += chance * (low - 1e-12 <= of.difference <= high + 1e-12)
        rejected += chance * (low > 0 or high < 0)
    return {**of._asdict(), "held": round(held, 5), "rejected": round(rejected, 5)}


def table(cells: list[dict[str, Any]]) -> list[str]:
    """A row for each number of items and share: coverage with three differences, and size."""
    lines = [
        "| items | decided differently | covers 0 | half of it | all of it | size at 5 % |",
        "|--:|--:|--:|--:|--:|--:|",
    ]
    for place in range(0, len(cells), 3):
        none, half, full = cells[place : place + 3]
        held = " | ".join(f"{cell['held']:.1%}" for cell in (none, half, full))
        lines.append(
            f"| {none['items']} | {none['discordant']:.0%} | {held} | {none['rejected']:.1%} |"
        )
    return lines


def main() -> None:
    write_table(RECORD, MARK, [enumerate_all(of) for of in SITUATIONS], table, PAGE)


if __name__ == "__main__":
    main()
