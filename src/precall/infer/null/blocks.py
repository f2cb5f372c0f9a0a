"""The law of AP under ties: blocks of equal score stay where they are, labels are permuted over the items.

With q hits in a block of g after r ranks and H hits, the block adds a q H + b q + c q (q-1) to S = m AP:
a = b = (H_{r+g} - H_r)/g and c = (g - (r+1)(H_{r+g} - H_r))/(g(g-1)) for the mean over orders inside the block
(McSherry & Najork 2008), a = b = c = 1/(r+g) where the block is taken as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from math import ceil, sqrt
from typing import Any

import numpy as np

from precall.errors import UsageError
from precall.infer.null import convolution, moments
from precall.infer.null.convolution import WHOLE, State, Step, rows
from precall.infer.null.cumulants import cumulants
from precall.infer.null.draws import probabilities
from precall.infer.null.enumeration import TOLERANCE
from precall.infer.null.grids import Grid, gathered
from precall.infer.null.law import SMALLEST, Accuracy, Law
from precall.infer.null.losses import COARSER, FINE, POINTS, SHARE
from precall.infer.null.moments import Wide
from precall.infer.null.staircase import Tails
from precall.infer.null.tails import pearson
from precall.ragged import Float64, Int64

TIES = ("expected", "block")
#: States (hits so far, sum so far) that are followed exactly, at most.
_STATES = 1_000_000
#: Pairs of hits before and in a block, at most.
_MOVES = 200_000
#: Blocks and hits up to which the convolution is affordable.
_STEPS, _HITS = 3000, 300
_LEAST = 1e-12


def tied(items: int, relevant: int, blocks: Int64, ties: str) -> Law:
    """The law of AP with these blocks; see `average_precision`.

    Examples
    --------
    >>> law = tied(4, 2, np.array([1, 3]), "expected")
    >>> round(law.mean, 6), {round(x, 6): round(law.sf(x), 6) for x in (0.5, 0.8)}
    (0.680556, {0.5: 1.0, 0.8: 0.5})
    """
    if ties not in TIES:
        raise UsageError(f"ties: got {ties!r}, allowed are {', '.join(TIES)}")
    return Tied(items, relevant, tuple(blocks.tolist()), ties)


@dataclass(frozen=True, eq=False, repr=False)
class Tied(Law):
    """AP of `relevant` of `items` in `blocks` of equal score, labels permuted; see `average_precision`."""

    items: int
    relevant: int
    blocks: tuple[int, ...]
    ties: str

    @property
    def name(self) -> str:
        return (
            f"AP ({self.ties}) in {len(self.blocks)} blocks, {self.relevant} of {self.items} items relevant"
        )

    @cached_property
    def _coefficients(self) -> tuple[Wide, Wide, Wide]:
        return coefficients(self.blocks, self.ties)

    @cached_property
    def _exact_moments(self) -> tuple[float, float]:
        return moments_of(self.items, self.relevant, self.blocks, *self._coefficients)

    def _moments(self) -> tuple[float, float]:
        return self._exact_moments

    def _shape(self) -> tuple[float, float]:
        states = self._states
        if states is None:
            return cumulants(self.items, self.relevant)[2:]
        mean, var = self._moments()
        if not var > 0:
            return float("nan"), float("nan")
        away = (states[0] - mean) / sqrt(var)
        return float((states[1] * away**3).sum()), float((states[1] * away**4).sum()) - 3

    def _ends(self) -> tuple[float, float]:
        return 0.0, 1.0

    @cached_property
    def _states(self) -> tuple[Float64, Float64] | None:
        a, b, c = (one.astype(np.float64) for one in self._coefficients)
        states = followed(self.items, self.relevant, self.blocks, a, b, c)
        return None if states is None else (states[0] / self.relevant, states[1])

    def _atoms(self) -> tuple[Float64, Float64] | None:
        return self._states

    @property
    def _convolved(self) -> bool:
        few = min(self.relevant, self.items - self.relevant) <= _HITS
        return few and len(_steps(self.blocks, self.ties)) <= _STEPS

    @property
    def approximate(self) -> Accuracy:
        """How `sf` is found; with many hits in many blocks it is not bounded."""
        if self._states is not None:
            return Accuracy("enumeration of counts per block")
        if self._convolved:
            return Accuracy("convolution over blocks", 0.02, 1e-6)
        return Accuracy(
            "Pearson III with the exact mean and variance, skewness of the untied law", float("inf")
        )

    def _at_least(self, x: Float64) -> Float64:
        x = np.asarray(x * (1 - TOLERANCE) - 1e-300, np.float64)
        if self._states is not None:
            values, chance = self._states
            tail = np.concatenate((np.cumsum(chance[::-1])[::-1], [0.0]))
            place = np.searchsorted(values, x)
            return np.where(place < len(values), np.clip(tail[place], SMALLEST, 1.0), 0.0)
        result = np.where(x <= 0, 1.0, 0.0)
        inside = (x > 0) & (x <= 1)
        if not inside.any():
            return result
        if self._convolved:
            table = _tails(self.items, self.relevant, self.blocks, self.ties)
            p = table(x[inside] * self.relevant)
        else:
            p = pearson((x[inside] - self.mean) / self.std, self.skewness)
        result[inside] = np.maximum(p, _LEAST)
        return result

    def _above(self, x: Float64) -> Float64:
        return self._at_least(np.asarray(x * (1 + 2 * TOLERANCE) + 2e-300, np.float64))

    def _draw(self, size: int, rng: np.random.Generator) -> Float64:
        a, b, c = (one.astype(np.float64) for one in self._coefficients)
        found = np.empty(size)
        batch = max(1, 2**22 // len(self.blocks))
        for start in range(0, size, batch):
            now = min(batch, size - start)
            q = rng.multivariate_hypergeometric(self.blocks, self.relevant, now, method="marginals").astype(
                float
            )
            before = np.cumsum(q, axis=1) - q
            found[start : start + now] = (a * q * before + b * q + c * q * (q - 1)).sum(axis=1)
        return found / self.relevant


def coefficients(blocks: tuple[int, ...], ties: str) -> tuple[Wide, Wide, Wide]:
    """a, b and c of every block."""
    size = np.array(blocks, np.longdouble)
    end = np.cumsum(size)
    if ties == "block":
        return 1 / end, 1 / end, 1 / end
    # Extended floats: differences of sums of millions of quotients keep a dozen digits.
    until = np.concatenate(([0.0], np.cumsum(1 / np.arange(1, int(end[-1]) + 1).astype(np.longdouble))))
    inside = until[end.astype(np.int64)] - until[(end - size).astype(np.int64)]
    with np.errstate(divide="ignore", invalid="ignore"):
        c = np.where(size > 1, (size - (end - size + 1) * inside) / (size * (size - 1)), 0)
    return inside / size, inside / size, c


def moments_of(
    items: int, relevant: int, blocks: tuple[int, ...], a: Wide, b: Wide, c: Wide
) -> tuple[float, float]:
    """Mean and variance of AP, exactly, in one pass over the blocks.

    Falling factorials of hits in different blocks have expectation p_k times those of the sizes, k their
    total order: every product below is a row of coefficients of p_0 ... p_4, a column per block.
    """
    g = np.array(blocks, np.longdouble)
    r = np.cumsum(g) - g
    g2, r2 = g * (g - 1), r * (r - 1)
    g3 = g2 * (g - 2)
    g4 = g3 * (g - 3)

    def row(one: Any = 0, two: Any = 0, three: Any = 0, four: Any = 0) -> Wide:
        return np.stack(
            [np.broadcast_to(np.asarray(x, np.longdouble), g.shape) for x in (0, one, two, three, four)]
        )

    def times(factor: Wide, order: int, values: Wide) -> Wide:
        moved = np.zeros_like(values)
        moved[order:] = values[: 5 - order]
        return moved * factor

    def before(values: Wide) -> Wide:
        return np.asarray(np.cumsum(values, axis=1) - values, np.longdouble)

    x = row(b * g, a * g * r + c * g2)
    total = before(x)
    # X H, with q H² = q H(2) + q H; and X q, with q² = q(2) + q, q q(2) = q(3) + 2 q(2).
    xh = row(0, a * g * r + b * g * r, a * g * r2 + c * g2 * r)
    xq = row(b * g, a * g * r + b * g2 + 2 * c * g2, a * g2 * r + c * g3)
    with_hits = before(times(g, 1, total) + xh + xq)
    square = row(
        b * b * g,
        (a * a + 2 * a * b) * g * r + b * b * g2 + 4 * b * c * g2 + 2 * c * c * g2,
        a * a * (g2 * r + g * r2) + 2 * a * b * g2 * r + 4 * a * c * g2 * r + 2 * b * c * g3 + 4 * c * c * g3,
        a * a * g2 * r2 + 2 * a * c * g3 * r + c * c * g4,
    )
    cross = times(a * g, 1, with_hits) + times(b * g, 1, total) + times(c * g2, 2, total)
    p = np.array(moments.products(items, np.longdouble(relevant), 4), np.longdouble)
    mean = (x.sum(axis=1) * p).sum()
    second = ((square + 2 * cross).sum(axis=1) * p).sum()
    return float(mean / relevant), max(float((second - mean * mean) / relevant**2), 0.0)


def followed(
    items: int, relevant: int, blocks: tuple[int, ...], a: Float64, b: Float64, c: Float64
) -> tuple[Float64, Float64] | None:
    """Every sum and its probability, ascending; None where there are too many states on the way."""
    states = {0: (np.zeros(1), np.ones(1))}
    rank = 0
    for i, size in enumerate(blocks):
        more = min(size, relevant) + 1
        if sum(len(one[0]) for one in states.values()) * more > 4 * _STATES or len(states) * more > _MOVES:
            return None
        after: dict[int, list[tuple[Float64, Float64]]] = {}
        for h, (sums, chance) in states.items():
            high = min(size, relevant - h)
            share = probabilities(items - rank, [relevant - h], size, 0, high)[0]
            for q in np.flatnonzero(share > 0).tolist():
                add = a[i] * q * h + b[i] * q + c[i] * q * (q - 1)
                after.setdefault(h + q, []).append((sums + add, chance * share[q]))
        states = {h: merged(*map(np.concatenate, zip(*parts, strict=True))) for h, parts in after.items()}
        rank += size
        if sum(len(one[0]) for one in states.values()) > _STATES:
            return None
    sums, chance = states[relevant]
    return sums, chance


def merged(sums: Float64, chance: Float64) -> tuple[Float64, Float64]:
    """States of equal sum as one, ascending; sums that differ by rounding only are equal."""
    order = np.argsort(sums, kind="stable")
    sums, chance = sums[order], chance[order]
    new = np.concatenate(([True], np.diff(sums) > 1e-11 * np.maximum(sums[1:], 1)))
    return sums[new], np.add.reduceat(chance, np.flatnonzero(new))


def _steps(blocks: tuple[int, ...], ties: str) -> list[Step]:
    """A step per block; runs of single items are joined like those of an untied list."""
    a, b, c = (one.astype(np.float64).tolist() for one in coefficients(blocks, ties))
    steps: list[Step] = []
    rank, run = 0, 0
    for i, size in enumerate([*blocks, 0]):
        if size == 1 and run < max(1, int(SHARE * rank)):
            run += 1
            continue
        if run:
            steps.append(Step(rank, run, partial(_untied, rank, run)))
            rank, run = rank + run, 0
        if size == 1:
            run = 1
        elif size:
            steps.append(Step(rank, size, partial(_amount, a[i], b[i], c[i]), tied=True))
            rank += size
    return steps


def _untied(rank: int, size: int, before: Any, hits: Any) -> tuple[Any, Any]:
    return moments.block(rank, before, size, hits)


def _amount(a: float, b: float, c: float, before: Any, hits: Any) -> tuple[Any, Any]:
    return a * hits * before + b * hits + c * hits * (hits - 1), 0.0 * before * hits


@lru_cache(maxsize=8)
def _tails(items: int, relevant: int, blocks: tuple[int, ...], ties: str) -> Tails:
    exact = moments_of(items, relevant, blocks, *coefficients(blocks, ties))
    middle = min(max(1, round(items / relevant)), items // 2)
    before = min(round(middle * relevant / items), relevant)
    rest = moments.block(middle, before, items - middle, relevant - before)[1]
    cell = sqrt(min(float(rest), exact[1] * relevant**2) or exact[1] * relevant**2) / FINE
    steps = _steps(blocks, ties)
    grids: list[Grid] = []
    while True:
        points = ceil(exact[0] * relevant / cell) + POINTS
        low, chance = rows(items, relevant, items)
        state = State(low, 0, np.full((len(chance), 1), 0.5))
        state = convolution.convolved(items, relevant, steps, state, cell, (WHOLE[0], points))
        ended = state.start + state.values.shape[1] < points
        grids.append(gathered(cell, np.inf if ended else (points - 50) * cell, relevant, [(0, state)]))
        if ended:
            return Tails(items, relevant, items, tuple(grids))
        cell *= COARSER
