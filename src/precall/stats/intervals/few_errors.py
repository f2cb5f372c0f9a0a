"""Warnings about counts that say little: few errors, or few correct decisions, were seen.

The rule looks only at the data and is the same for every measure of counts and every method. What
follows from it depends on the method.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from precall.core.notes import warn
from precall.core.notes.of_intervals import FewOfAKind

#: With fewer of a kind than this, coverage can leave 93-97 % (docs/how-to/intervals.md).
FEWEST = 5
_CELLS = ("TP", "FP", "FN", "TN")


def kinds_of_cells(
    cells: Sequence[int], signs: Sequence[int | None], ratio: bool = False
) -> dict[str, int]:
    """The cells that a measure counts as right and as errors, and how often each kind was seen.

    Cells with which the measure rises are right, those with which it falls are errors; the cells of
    each kind are added up. A cell counts by itself if the measure does not always move the same way
    with it (None). In a `ratio` every cell counts by itself, because one rare cell leaves the ratio
    open.

    Examples
    --------
    >>> (
    ...     kinds_of_cells((40, 1, 2, 60), (1, -1, -1, 1)),
    ...     kinds_of_cells((40, 1, 2, 60), (1, -1, 0, None)),
    ... )
    ({'TP + TN': 100, 'FP + FN': 3}, {'TP': 40, 'FP': 1, 'TN': 60})
    """
    cell_indices = range(len(_CELLS))
    sums_of_cells = (
        [] if ratio else [[i for i in cell_indices if signs[i] == sign] for sign in (1, -1)]
    )
    single_cells = [[i] for i in cell_indices if signs[i] is None or (ratio and signs[i])]
    return {
        " + ".join(_CELLS[i] for i in group): sum(cells[i] for i in group)
        for group in (*sums_of_cells, *single_cells)
        if group
    }


def warn_of_few(name: str, counts_by_kind: Mapping[str, int], wide: bool = False) -> None:
    """Warn if the rarest kind was seen fewer than `FEWEST` times: the interval is then `wide`, or
    can cover less than its level.
    """
    count, kind = min(
        ((count, kind) for kind, count in counts_by_kind.items()), default=(FEWEST, "")
    )
    if count < FEWEST:
        warn(FewOfAKind(name, count, FEWEST, kind, "wide" if wide else "less"))
