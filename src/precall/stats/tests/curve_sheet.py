"""The sheet of two curves: where one lies above the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from precall.core.conventions import describe_conventions
from precall.core.ragged import Bool
from precall.core.text import join_in_sentence, printable
from precall.results.blocks import Block, Line, Threshold
from precall.results.sheets import Sheet

if TYPE_CHECKING:
    from precall.core.ragged import Float64
    from precall.stats.tests.curve_bands import CurveComparison


def curves_sheet(found: CurveComparison) -> Sheet:
    """The sheet of two curves: the shares of the grid, and a row for each place of it."""
    band, (first, second) = found.band, found.names
    across = band.across
    shares = {
        "above": found.above,
        "significantly_above": found.significantly_above,
        "below": found.below,
        "significantly_below": found.significantly_below,
    }
    table = (band.x, found.a, found.b, band.estimate, band.low, band.high)
    rows = [tuple(map(float, row)) for row in zip(*table, strict=True)]
    block = Block(
        "",
        (across.replace("_", " "), first, second, f"{first} - {second}", "low", "high"),
        tuple(Line(f"{place:.12g}", tuple(values)) for place, *values in rows),
    )
    of_grid = Block(
        "",
        (f"share of {across.replace('_', ' ')}", "above", "significantly"),
        (
            Line(first, (Threshold(round(found.above, 4)), round(found.significantly_above, 4))),
            Line(second, (Threshold(round(found.below, 4)), round(found.significantly_below, 4))),
        ),
    )
    columns = (across, "a", "b", "difference", "low", "high")
    return Sheet(
        "precall.curves/2",
        {
            **describe_conventions(curve=found.view),
            **found.conventions,
            **describe_conventions(
                band=f"{band.kind}, {band.method}",
                resamples=str(band.resamples),
                seed=str(band.seed),
                level=f"{band.level:.12g}",
            ),
        },
        (of_grid, block),
        found.notes,
        {
            "curve": found.view,
            "a": first,
            "b": second,
            "size": found.size,
            "across": across,
            "along": band.along,
            "level": band.level,
            "grid": [dict(zip(columns[1:], row[1:], strict=True)) | {"at": row[0]} for row in rows],
            **shares,
        },
        columns,
        tuple(rows),
        "\n".join(_verdicts(found)),
    )


def _verdicts(found: CurveComparison) -> list[str]:
    """For each side that is above somewhere, on how much of the grid; and where surely."""
    band, size = found.band, len(found.band.x)
    across = band.across.replace("_", " ")
    along = band.along.removeprefix("difference of ")
    sentences = []
    for names, above, is_sure in (
        (found.names, band.estimate > 0, band.low > 0),
        (found.names[::-1], band.estimate < 0, band.high < 0),
    ):
        if not above.any():
            continue
        count = int(np.count_nonzero(above))
        sure = "nowhere significantly"
        if is_sure.any():
            sure = f"significantly at {_ranges(band.x, is_sure)}"
        sentences.append(
            f"{along} of {names[0]} is above that of {names[1]} at {count} of {size} places of "
            f"{across}, {sure}."
        )
    if not sentences:
        sentences = [f"both have the same {along} everywhere on the grid."]
    return [printable(sentence[0].upper() + sentence[1:]) for sentence in sentences]


def _ranges(x: Float64, chosen: Bool) -> str:
    """The chosen places of a grid, neighbours as a range."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], chosen, [False]))))
    pairs = zip(x[edges[::2]].tolist(), x[edges[1::2] - 1].tolist(), strict=True)
    return join_in_sentence(
        [f"{low:g}" if low == high else f"{low:g} to {high:g}" for low, high in pairs]
    )
