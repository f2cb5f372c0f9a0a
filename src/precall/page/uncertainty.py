"""Intervals, bands and null distributions of what a page shows, where there are any."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, cast

from precall.errors import UsageError
from precall.infer.blocks import Blocks
from precall.infer.interval.interval import Interval
from precall.notes import listening, together, warn
from precall.sheet.categories import SAID

if TYPE_CHECKING:
    from precall.contingency import Decisions, Status
    from precall.curves import Curve
    from precall.infer.interval.bands import Band
    from precall.infer.interval.interval import Intervals
    from precall.location import Hits
    from precall.rng import Rng

#: Intervals by where their values stand in a sheet: what the lines of the block are, the line, and the column.
Placed: TypeAlias = dict[tuple[str, str, str], Interval]
#: Bands draw many samples of all thresholds; beyond this they take minutes, and are as thin as the line.
_BANDED = 2_000_000


def intervals_of(curve: Curve, level: float, rng: Rng) -> dict[str, Interval]:
    """Intervals of AP, the area under ROC and the greatest F; none of a curve of real weights or of one class."""
    from precall.intervals.cases import of_blocks

    blocks = _blocks(curve)
    return {} if blocks is None else of_blocks(blocks, level, rng)


def intervals_of_categories(status: Status, level: float) -> tuple[Placed, list[str]]:
    """Intervals of AP and the area under ROC, of each category and of all pairs as one list.

    All pairs are drawn item by item. A mean over categories has none: they share their items.
    """
    from precall.infer.interval import areas
    from precall.intervals.cases import blocks_of

    intervals: Placed = {}
    notes: list[tuple[str, str]] = []
    lists: dict[tuple[str, str], Blocks | None] = {
        ("category", str(name)): _blocks(one)
        for name, one in zip(status.categories, status.curves(), strict=True)
    }
    if not status.pooled().missed:
        lists["average", "micro"] = blocks_of(status.relevant, status.score, groups=status.item)
    for key, blocks in lists.items():
        for measure, make in {"AP": areas.average_precision, "AUC": areas.area_under_roc}.items():
            if blocks is not None:
                with listening():
                    intervals[(*key, measure)] = one = make(blocks, level=level)
                notes += [(key[1], text) for text in one.notes]
    return intervals, together(notes)


def intervals_of_decisions(decisions: Decisions, level: float, rng: Rng) -> tuple[Placed, list[str]]:
    """Intervals of what is decided: shares of each category, and averages of F."""
    from precall.intervals import interval

    with listening():
        known = cast("Intervals", interval(decisions, level=level, rng=rng))
    columns = {"precision": "precision", "recall": "recall", "f": "F1"}
    averages = {"micro-f": "micro", "macro-f": "macro"}
    intervals: Placed = {}
    for key, one in known.items():
        # Of a yes or no there is one category, which is not named.
        name, measure = key if isinstance(key, tuple) else (str(decisions.categories[0]), key)
        if measure in columns:
            intervals["category", name, columns[measure]] = one
        elif measure in averages:
            intervals["average", averages[measure], "F1"] = one
        else:
            intervals |= {("measure", name, "value"): one for name in ("accuracy", SAID["accuracy", "exact"])}
    return intervals, list(known.notes)


def bands_of(curve: Curve, level: float, rng: Rng) -> dict[str, Band]:
    """Simultaneous bands of the precision-recall and the ROC curve."""
    from precall.infer.interval import bands

    blocks = _blocks(curve)
    if blocks is None:
        return {}
    if len(curve) > _BANDED:
        warn(f"no bands, as {len(curve) - 1} thresholds are many; they would be as thin as the line")
        return {}
    return {kind: bands.band(blocks, kind, level=level, rng=rng) for kind in ("pr", "roc")}


def laws_of(name: str, curve: Curve) -> list[dict[str, Any]]:
    """AP against its null distribution: the same cases in random order, blocks of equal score staying blocks."""
    from precall.infer.null import test
    from precall.page.chance import chance_of

    if _blocks(curve) is None:
        return []
    try:
        outcomes = test(curve, "AP", ties="block")
    except UsageError:
        return []
    return [chance_of(name, "average precision", outcomes.combined)]


def law_of_run(name: str, hits: Hits) -> list[dict[str, Any]]:
    """AP of a run against random selection of the items retrieved; nothing, and a warning, where that is undefined."""
    from precall.infer.null import test
    from precall.page.chance import chance_of

    try:
        outcomes = test(hits, "AP")
    except UsageError as error:
        warn(f"{name}: no test against random selection: {error}")
        return []
    return [chance_of(name, "AP among the items retrieved", outcomes.combined)]


def _blocks(curve: Curve) -> Blocks | None:
    from precall.intervals.cases import blocks_of_curve

    if curve.tp.dtype.kind != "i" or not curve.tp[-1] or not curve.other:
        return None
    return blocks_of_curve(curve)
