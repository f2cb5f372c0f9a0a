"""Which points of a long line are drawn: those that decide what is seen.

The width is cut into columns, and of the points in each the first, the last, and those of least and greatest
height are kept (Jugel et al. 2014, "M4"). What is left out of a column lies between heights that are drawn in
it, so that the lines differ by less than a column's width. Precision-recall and ROC curves are thinned by
`Curve.simplify` instead, which bounds their areas.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from precall.ragged import Float64, Int64

#: More than any picture has dots across.
COLUMNS = 4000


def kept(x: Float64, heights: Sequence[Float64], columns: int = COLUMNS) -> Int64:
    """Rows to draw, ascending; `x` is monotone, and all `heights` are kept at the same rows.

    Examples
    --------
    >>> kept(np.arange(9.0), [np.array([0, 5, 1, 1, -5, 1, 1, 9, 2.0])], columns=1)
    array([0, 4, 7, 8])
    """
    if len(x) <= 4 * columns:
        return np.arange(len(x))
    rising = x if x[-1] >= x[0] else -x
    edges = np.linspace(rising[0], rising[-1], columns + 1)[1:-1]
    cuts = np.unique(np.concatenate(([0], np.searchsorted(rising, edges), [len(x)])))
    rows = [cuts[:-1], cuts[1:] - 1]
    for height in heights:
        # NaN, nothing being accepted there, is no height.
        low, high = np.nan_to_num(height, nan=np.inf), np.nan_to_num(height, nan=-np.inf)
        rows.append(np.array([a + int(np.argmin(low[a:b])) for a, b in pairwise(cuts)], np.int64))
        rows.append(np.array([a + int(np.argmax(high[a:b])) for a, b in pairwise(cuts)], np.int64))
    return np.unique(np.concatenate(rows)).astype(np.int64)
