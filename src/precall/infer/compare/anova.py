"""Two-way analysis of variance of topics x systems: whether systems differ at all, and the residual variance."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from precall.infer.compare.signflip import LEAST
from precall.infer.libraries import stats
from precall.infer.resample.batches import TOLERANCE
from precall.presented import Presented
from precall.ragged import Float64


@dataclass(frozen=True, slots=True, eq=False)
class Anova(Presented):
    """Two-way analysis of variance of topics x systems, one value each.

    Rows of `sums`, `freedom`, `squares` (mean squares): systems, topics, residual; `f` and `p` of the
    first two. `residual` is the variance that topic set size design asks for.
    """

    sums: tuple[float, float, float]
    freedom: tuple[int, int, int]
    squares: tuple[float, float, float]
    f: tuple[float, float]
    p: tuple[float, float]

    @property
    def residual(self) -> float:
        """Variance within topics and systems."""
        return self.squares[2]

    def to_dict(self) -> dict[str, dict[str, float | None]]:
        """By source of variance, as plain data, for JSON."""
        keys = ("sum", "freedom", "square", "f", "p")
        parts = (self.sums, self.freedom, self.squares, (*self.f, None), (*self.p, None))
        names = ("systems", "topics", "residual")
        return {
            name: dict(zip(keys, row, strict=True))
            for name, row in zip(names, zip(*parts, strict=True), strict=True)
        }


def anova(values: Float64) -> Anova:
    """Two-way analysis of variance of topics x systems without interaction.

    Examples
    --------
    >>> import numpy as np
    >>> table = anova(np.array([[1.0, 2.0, 4.0], [2.0, 4.0, 5.0], [4.0, 5.0, 9.0]]))
    >>> table.freedom, [round(one, 2) for one in table.sums], round(table.f[0], 2)
    ((2, 2, 4), [20.67, 20.67, 2.67], 15.5)
    """
    topics, systems = values.shape
    grand = values.mean()
    between = topics * float(((values.mean(axis=0) - grand) ** 2).sum())
    rows = systems * float(((values.mean(axis=1) - grand) ** 2).sum())
    rest = values - values.mean(axis=0) - values.mean(axis=1)[:, None] + grand
    sums = (between, rows, float((rest**2).sum()))
    freedom = (systems - 1, topics - 1, (systems - 1) * (topics - 1))
    squares = tuple(total / df for total, df in zip(sums, freedom, strict=True))
    none = sums[2] <= TOLERANCE * max(math.fsum(sums), 1e-300)
    f = tuple(float("nan") if none else total / squares[2] for total in squares[:2])
    p = tuple(np.maximum(stats().f.sf(f, freedom[:2], freedom[2]), LEAST).tolist())
    return Anova(sums, freedom, squares, f, p)  # type: ignore[arg-type]
