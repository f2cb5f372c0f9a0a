"""Intervals as the command line gives them: warnings become notes, and the choices are printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from precall.notes import listening

if TYPE_CHECKING:
    from precall.infer.interval import Interval
    from precall.intervals.table import Intervals
    from precall.results import Report


def of_groups(
    found: Mapping[str, Mapping[str, Interval]], undefined: str, level: float
) -> dict[str, Interval]:  # fmt: skip
    """The interval of the mean over groups, by measure: Student's, of the groups' values."""
    import numpy as np

    from precall.infer.mean import mean

    bounds: dict[str, Interval] = {}
    for name in next(iter(found.values())):
        given = np.array([of_group[name].estimate for of_group in found.values()])
        kept = np.nan_to_num(given) if undefined == "zero" else given[~np.isnan(given)]
        bounds[name] = mean(kept, level=level, measure=f"mean {name} over groups")
    return bounds


def of_averages(report: Report, method: str, level: float, seed: int | None) -> tuple[Report, Intervals]:
    """Every average's interval, and the report with the choice among its conventions."""
    from precall.intervals.reports import of_report

    seed = 0 if seed is None else seed
    with listening():
        found = of_report(report, level=level, method=method, rng=seed)
    said = f"{method} {100 * level:g} %" + (f" (seed {seed})" if method != "t" else "")
    conventions = {**report.conventions, "interval": said}
    return replace(report, conventions=conventions), found
