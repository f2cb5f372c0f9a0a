"""A measure of each category's or each item's ranking, and its mean over them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from precall.ragged import Float64, mean
from precall.results import Presented, Table
from precall.undefined import check_undefined, treated


@dataclass(frozen=True, slots=True, eq=False)
class PerRanking(Presented):
    """A measure of every ranking; NaN is undefined."""

    measure: str
    names: tuple[Any, ...]
    values: Float64
    zero: float = 0.0
    """What "zero" counts: 1 of a loss, of which low is good."""

    def mean(self, undefined: str = "zero") -> float:
        """Mean over rankings; undefined values count as "zero", are left out ("omit") or are an "error"."""
        check_undefined(undefined)

        def what(first: int, count: int) -> str:
            name = self.names[first]
            return f"{self.measure} is undefined for {count} of {len(self.values)}, first {name!r}"

        kept = treated(self.values, undefined, zero=self.zero, source="scores", what=what)
        return mean(kept) if len(kept) else float("nan")

    @property
    def undefined(self) -> int:
        """For how many rankings the measure is undefined."""
        return int(np.isnan(self.values).sum())

    @property
    def table(self) -> Table:
        """Columns ranking and value."""
        return Table({"ranking": [str(name) for name in self.names], "value": self.values})

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """The values."""
        return np.array(self.values, dtype=dtype)
