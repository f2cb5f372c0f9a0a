"""From labels and scores, as people hold them, to the blocks that intervals are computed from."""

from __future__ import annotations

from typing import Any

import numpy as np

from precall.checks import check_rows
from precall.curves import Curve
from precall.curves.cases import labelled, members, missed_count, refuse_nan, weight
from precall.curves.tally import tally
from precall.errors import UsageError
from precall.infer.blocks import Blocks, Cases


def blocks_of(
    relevant: Any, score: Any, weights: Any = None, missed: int | float = 0, positive: Any = None,
    higher_is_better: bool = True, groups: Any = None,
) -> Blocks:  # fmt: skip
    """The blocks of one scored list; errors are those of `curve`.

    Examples
    --------
    >>> blocks = blocks_of([1, 0, 1, 0], [3.0, 2.0, 2.0, 1.0])
    >>> blocks.positive.tolist(), blocks.negative.tolist()
    ([1, 1, 0], [0, 1, 1])
    """
    check_rows(relevant=relevant, weights=weights, groups=groups)
    truth, value = labelled(relevant, score, positive, higher_is_better)
    missed = missed_count(missed, weights is not None)
    if groups is not None and missed:
        raise UsageError("groups: missed items are in no group; leave groups= or missed= out")
    if weights is None and groups is None:
        _, hits, others = tally(truth, value)
        return Blocks(hits, others, missed)
    refuse_nan(value)
    given = np.ones(len(value), np.int64) if weights is None else weight(weights, len(value))
    member = None if groups is None else members(groups, len(value))
    keep = given > 0
    known, block = np.unique(-value[keep], return_inverse=True)
    truth, heavy = truth[keep], given[keep]
    member = member if member is None else np.unique(member[keep], return_inverse=True)[1]
    hits = np.bincount(block, weights=np.where(truth, heavy, 0), minlength=len(known))
    others = np.bincount(block, weights=np.where(truth, 0, heavy), minlength=len(known))
    real = given.dtype.kind == "f"
    if not real:
        hits, others = hits.astype(np.int64), others.astype(np.int64)
        if member is None:
            return Blocks(hits, others, missed)
    cases = Cases(block.astype(np.int64), truth, heavy.astype(np.float64), member)
    return Blocks(hits, others, missed, real, cases)


def blocks_of_curve(curve: Curve) -> Blocks:
    """The blocks that a curve was made of; real weights have lost what each case weighed."""
    if curve.tp.dtype.kind != "i":
        raise UsageError(
            "a curve of real weights no longer knows its cases; give labels, scores and weights to "
            "pc.interval.average_precision or .area_under_roc"
        )
    return Blocks(np.diff(curve.tp), np.diff(curve.fp), curve.missed)
