"""The table people expect of decisions: a line per category, then the averages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.results import Presented, Table

if TYPE_CHECKING:
    from precall.contingency.outcomes import Decisions


@dataclass(frozen=True, slots=True, eq=False)
class Summary(Presented):
    """Rows of precision, recall, F1 and support."""

    rows: tuple[tuple[str, float, float, float, int], ...]
    categories: int
    note: str

    @property
    def table(self) -> Table:
        """The rows as columns."""
        names, *columns = zip(*self.rows, strict=True) if self.rows else ((), (), (), (), ())
        keys = ("precision", "recall", "f1", "support")
        arrays: dict[str, Any] = {key: np.array(column) for key, column in zip(keys, columns, strict=True)}
        return Table({"category": list(names), **arrays})


def summary(decisions: Decisions, undefined: str) -> Summary:
    """Measure every category and average."""
    size = decisions.support()
    columns = [np.atleast_1d(decisions.value(name)) for name in ("P", "R", "F")]
    rows = [
        (str(name), *(float(column[i]) for column in columns), int(size[i]))
        for i, name in enumerate(decisions.categories)
    ]
    averages = [] if decisions.truth.kind == "binary" else ["micro", "macro", "weighted"]
    averages += ["samples"] if decisions.truth.kind == "multi" else []
    for average in averages:
        values = (
            decisions.precision(average, undefined), decisions.recall(average, undefined),
            decisions.f(1.0, average, undefined),
        )  # fmt: skip
        rows.append((average, *values, int(size.sum())))
    lost = {name: decisions.undefined_in(name) for name in ("precision", "recall", "f")}
    parts = [f"{'F1' if name == 'f' else name} undefined in {times}" for name, times in lost.items() if times]
    note = f"{decisions.truth.items} items | undefined {undefined}" + (
        f" | {'; '.join(parts)}" if parts else ""
    )
    return Summary(tuple(rows), len(decisions.categories), note)  # type: ignore[arg-type]
