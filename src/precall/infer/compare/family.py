"""Many pairs of systems at once: what is said of each but its p-value, column by column."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from precall.infer import quantiles, skewness
from precall.infer.compare.comparisons import Comparison, bounds
from precall.infer.compare.paired import Choices, alike, notes
from precall.infer.compare.pairing import differences, mean
from precall.infer.resample.batches import TOLERANCE
from precall.ragged import Float64

#: Differences that are held at a time.
_CELLS = 2**22


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """Pairs of columns of topics x systems, all tested alike."""

    values: Float64
    names: list[str]
    places: list[tuple[int, int]]
    choices: Choices
    measure: str
    higher_is_better: bool

    def parts(self) -> Iterator[tuple[list[tuple[int, int]], Float64]]:
        """Places and their differences, topics x pairs, a few at a time."""
        width = max(1, _CELLS // len(self.values))
        for begin in range(0, len(self.places), width):
            some = self.places[begin : begin + width]
            first, second = (list(side) for side in zip(*some, strict=True))
            yield some, np.sort(differences(self.values[:, first], self.values[:, second]), axis=0)

    def comparisons(
        self, p: list[float], how: list[str], test: str, seeds: list[int | None], *, correction: str = "none",
        half: float | None = None,
    ) -> list[Comparison]:  # fmt: skip
        """One comparison per pair; `half` is half the width of intervals that hold together."""
        made: list[Comparison] = []
        means = [mean(column) for column in self.values.T]
        size = len(self.values)
        for some, gaps in self.parts():
            facts = self._facts(gaps, half)
            for row, (i, j) in enumerate(some):
                place = len(made)
                difference, width, effect, wins, ties, losses, remarkable = (column[row] for column in facts)
                low, high = bounds(difference - width, difference + width)
                remarks = self._notes(gaps[:, row], test, half) if remarkable else []
                comparison = Comparison(
                    names=(self.names[i], self.names[j]), measure=self.measure, values=(means[i], means[j]),
                    difference=difference, low=low, high=high, level=self.choices.level, p=p[place], test=test,
                    how=how[place], size=size, wins=wins, ties=ties, losses=losses, correction=correction,
                    statistic=difference, effect=effect, higher_is_better=self.higher_is_better, notes=tuple(remarks),
                    seed=seeds[place], no_interval="" if low is not None else alike(gaps[:, row]),
                )  # fmt: skip
                made.append(comparison)
        return made

    def _notes(self, difference: Float64, test: str, half: float | None) -> list[str]:
        if half is None:
            return notes(difference, test, self.choices)
        skewed = skewness.remark(difference, test)
        return [skewed] if skewed else []

    def _facts(self, gaps: Float64, half: float | None) -> tuple[list[Any], ...]:
        """Difference, half the width of its interval, effect, wins, ties, losses, and whether there is something to note."""
        size = len(gaps)
        difference = np.array([mean(column) for column in gaps.T])
        spread = gaps.std(axis=0, ddof=1) if size > 1 else np.full(gaps.shape[1], np.nan)
        spread[spread <= TOLERANCE * np.abs(gaps).max(axis=0)] = 0.0
        if half is None:
            width = quantiles.t(self.choices.level, size - 1) * spread / size**0.5 if size > 1 else spread
        else:
            width = np.full(gaps.shape[1], half)
        above, below = (gaps > 0).sum(axis=0), (gaps < 0).sum(axis=0)
        moved = above + below
        effect = np.divide(difference, spread, out=np.full(len(spread), None, object), where=spread > 0)
        effect[moved == 0] = 0.0
        remarkable = (spread == 0) | (moved > 0) & (
            (2.0 ** (1 - moved) > 1 - self.choices.level) | skewness.remarkable(gaps, "randomization")
        )
        wins, losses = (above, below) if self.higher_is_better else (below, above)
        columns = (difference, width, effect, wins, size - moved, losses, remarkable)
        return tuple(column.tolist() for column in columns)
