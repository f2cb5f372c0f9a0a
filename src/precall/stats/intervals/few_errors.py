"""When counts say little: few errors, or few of what is right, were seen.

The rule is one of the data, the same for every measure of counts and every method; what follows
from it is the method's.
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
    """What a measure takes for right and for errors, and how often each was seen.

    Cells with which it rises are right to it, those with which it falls are errors, and either are
    added up. Each counts by itself in a `ratio`, which one of them alone leaves open, and if the
    measure does not always move with it one way (None).

    Examples
    --------
    >>> (
    ...     kinds_of_cells((40, 1, 2, 60), (1, -1, -1, 1)),
    ...     kinds_of_cells((40, 1, 2, 60), (1, -1, 0, None)),
    ... )
    ({'TP + TN': 100, 'FP + FN': 3}, {'TP': 40, 'FP': 1, 'TN': 60})
    """
    place = range(len(_CELLS))
    together = [] if ratio else [[i for i in place if signs[i] == sign] for sign in (1, -1)]
    alone = [[i] for i in place if signs[i] is None or (ratio and signs[i])]
    return {
        " + ".join(_CELLS[i] for i in group): sum(cells[i] for i in group)
        for group in (*together, *alone)
        if group
    }


def warn_of_few(name: str, seen: Mapping[str, int], wide: bool = False) -> None:
    """Warn of the kind that was seen least, if that was too seldom: the interval is `wide` then, or
    can miss its level.
    """
    count, kind = min(((count, kind) for kind, count in seen.items()), default=(FEWEST, ""))
    if count < FEWEST:
        warn(FewOfAKind(name, count, FEWEST, kind, "wide" if wide else "less"))
