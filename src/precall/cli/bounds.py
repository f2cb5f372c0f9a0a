"""Intervals of means over groups, as the command line gives them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from precall.infer.interval.interval import Interval


def of_groups(
    found: Mapping[str, Mapping[str, Interval]], undefined: str, level: float
) -> dict[str, Interval]:  # fmt: skip
    """The interval of the mean over groups, by measure: Student's, of the groups' values."""
    import numpy as np

    from precall.infer.interval.mean import mean

    bounds: dict[str, Interval] = {}
    for name in next(iter(found.values())):
        given = np.array([of_group[name].estimate for of_group in found.values()])
        kept = np.nan_to_num(given) if undefined == "zero" else given[~np.isnan(given)]
        bounds[name] = mean(kept, level=level, measure=f"mean {name} over groups")
    return bounds
