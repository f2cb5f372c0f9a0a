"""What the curves of a page are worth: their intervals, bands and laws under random selection, where there are any."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from precall.errors import UsageError
from precall.infer.blocks import Blocks
from precall.infer.interval import warn

if TYPE_CHECKING:
    from precall.curves import Curve
    from precall.infer.bands import Band
    from precall.infer.draws import Rng
    from precall.infer.interval import Interval

#: Bands draw many samples of all thresholds; beyond this they take minutes, and are as thin as the line.
_BANDED = 2_000_000


def intervals_of(curve: Curve, level: float, rng: Rng) -> dict[str, Interval]:
    """Intervals of AP, the area under ROC and the greatest F; none of a curve of real weights or of one class."""
    from precall.infer import average_precision, delong, tuned

    blocks = _blocks(curve)
    if blocks is None:
        return {}
    return {
        "AP": average_precision.interval(blocks, level=level, rng=rng),
        "AUC": delong.interval(blocks, level=level),
        "max F on new cases": tuned.max_f(blocks, level=level, rng=rng),
    }


def bands_of(curve: Curve, level: float, rng: Rng) -> dict[str, Band]:
    """Simultaneous bands of the precision-recall and the ROC curve."""
    from precall.infer import bands

    blocks = _blocks(curve)
    if blocks is None:
        return {}
    if len(curve) > _BANDED:
        warn(f"no bands, as {len(curve) - 1} thresholds are many; they would be as thin as the line")
        return {}
    return {kind: bands.band(blocks, kind, level=level, rng=rng) for kind in ("pr", "roc")}


def laws_of(name: str, curve: Curve) -> list[dict[str, Any]]:
    """AP against its law when the same cases stand in random order, blocks of equal score staying blocks."""
    from precall.infer.null import test
    from precall.page.laws import law_of

    if _blocks(curve) is None:
        return []
    try:
        found = test(curve, "AP", ties="block")
    except UsageError:
        return []
    return [law_of(name, "average precision", found.combined)]


def _blocks(curve: Curve) -> Blocks | None:
    from precall.intervals.cases import blocks_of_curve

    if curve.tp.dtype.kind != "i" or not curve.tp[-1] or not curve.other:
        return None
    return blocks_of_curve(curve)
