"""The intervals of a table of scored cases: of each score and group, and of means over groups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from precall.cases.intervals import intervals_of_blocks
from precall.core.notes import Note, notes_of, run_and_collect
from precall.core.undefined import apply_undefined
from precall.measures.lookup import ByMeasure
from precall.measures.registry import Measure, find, range_of
from precall.stats.intervals.interval import MAX_F
from precall.stats.intervals.mean import mean_over

if TYPE_CHECKING:
    from precall.cases import Curve
    from precall.cases.curves import Parts
    from precall.cases.scan import ScannedCases
    from precall.cases.table import Bounds, CaseTable, WithMean


def intervals_of_table(
    table: CaseTable | ScannedCases,
    curves: Parts[Curve],
    method: str,
    undefined: str,
    level: float,
    seed: int,
    measures: Iterable[Measure] = (),
) -> tuple[WithMean[Bounds], tuple[Note, ...]]:
    """Intervals by score, group and measure, and of the means over groups; and the notes of their
    warnings. Besides the usual ones they are of the `measures` that have intervals.
    """
    asked = tuple(measures)
    bounds: WithMean[Bounds] = {}
    remarks: list[Note] = []
    for score, parts in table.blocks(curves).items():
        bounds[score] = {}
        for group, blocks in parts.items():
            value = curves[score][group].measured
            by_measure, own = run_and_collect(
                partial(intervals_of_blocks, blocks, level, seed, method, value, asked)
            )
            bounds[score][group] = ByMeasure(by_measure)
            remarks += notes_of(f"{score}{f', group {group}' if group else ''}", own)
    for score, of_groups in bounds.items() if table.grouped else ():
        of_groups[None], own = run_and_collect(partial(_of_means, of_groups, undefined, level))
        remarks += notes_of(score, own)
    return bounds, tuple(remarks)


def _of_means(of_groups: Mapping[str | None, Bounds], undefined: str, level: float) -> Bounds:
    """The interval of the mean over groups, by measure: that of a mean of the groups' values."""

    def policy(name: str) -> str:
        return undefined if name == MAX_F else find(name).declaration.policy(undefined)

    means = {
        name: mean_over(
            "groups",
            apply_undefined(
                np.array([bounds[name].estimate for bounds in of_groups.values()]), policy(name)
            ),
            level=level,
            measure=f"mean {name} over groups",
            range=(0, 1) if name == MAX_F else range_of(name),
        )
        for name in next(iter(of_groups.values()))
    }
    return ByMeasure(means)
