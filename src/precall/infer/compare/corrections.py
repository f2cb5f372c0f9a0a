"""p-values of several tests, adjusted for their number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from precall.checks import check_choice
from precall.infer.compare import CORRECTIONS
from precall.infer.compare.comparisons import Comparison
from precall.ragged import Float64

_ADJUSTING = tuple(name for name in CORRECTIONS if name not in ("none", "tukey"))


def corrected(pairs: list[Comparison], correction: str) -> list[Comparison]:
    """The pairs of one family with their adjusted p; a single pair has none."""
    if correction == "none" or len(pairs) < 2:
        return [replace(pair, correction=correction if len(pairs) > 1 else "none") for pair in pairs]
    adjusted = adjust([pair.p for pair in pairs], correction)
    return [
        replace(pair, adjusted=p, correction=correction)
        for pair, p in zip(pairs, adjusted.tolist(), strict=True)
    ]


def adjust(p: Sequence[float], correction: str) -> Float64:
    """p-values adjusted for their number: by steps down ("holm") or up from the least, at most 1.

    Not by statsmodels, which gives the same digits: it takes a second to import, and Holm's there a full collection of garbage.

    Examples
    --------
    >>> adjust([0.01, 0.04, 0.03], "holm").round(4).tolist(), adjust([0.01, 0.04, 0.03], "bh").round(4).tolist()
    ([0.03, 0.06, 0.06], [0.03, 0.04, 0.04])
    """
    check_choice("correction", correction, _ADJUSTING)
    order = np.argsort(p, kind="stable")
    ranked, place = np.asarray(p, np.float64)[order], np.arange(1, len(p) + 1)
    if correction in ("holm", "hochberg"):
        steps = ranked * place[::-1]
    else:
        share = place / len(p)
        steps = ranked / (share if correction == "bh" else share / np.sum(1 / place))
    adjusted = np.empty(len(p))
    adjusted[order] = (
        np.maximum.accumulate(steps) if correction == "holm" else np.minimum.accumulate(steps[::-1])[::-1]
    )
    return np.minimum(adjusted, 1.0)
