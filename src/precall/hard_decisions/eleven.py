"""11-point interpolated precision in two forms: Yang's six steps, and TREC's rule.

Yang (1999): walk down a ranking (hers are of the categories of one item). Each interval [0, .1),
[.1, .2), ..., {1} of recall is represented by the greatest precision of the points inside it. An
empty interval takes the value of the next higher one that is not empty. Then every value is raised
to the greatest at a higher recall, and rankings are averaged. TREC: at recall r, the greatest
precision of any point of recall r or more, 0 if there is none.

Both are equal unless recall 1 is never reached. Yang then lets the closest point stand for it. Read
literally, one item found of ten, at rank 1, would have precision 1 at every recall. So here only
the closest point of the last interval, [.9, 1), stands for recall 1; without such a point the value
is 0, as in TREC's rule.
"""

from __future__ import annotations

import numpy as np

from precall.cases import Curve
from precall.cases.ranking_curves import Curves
from precall.core.arguments import check_choice
from precall.core.counts import Paths
from precall.core.ragged import Float64, changes
from precall.measures.areas import eleven_points_of_each

FORMS = ("yang", "trec")


def points(path: Curve, form: str) -> Float64:
    """The eleven values of one ranking; NaN if nothing is relevant."""
    return np.asarray(points_of_each(Curves.of(path), form)[0], np.float64)


def points_of_each(paths: Paths, form: str) -> Float64:
    """The eleven values of each ranking, a row each."""
    check_choice("form", form, FORMS)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = eleven_points_of_each(paths) if form == "trec" else _by_intervals(paths)
    values[paths.relevant == 0] = np.nan
    return values


def _by_intervals(paths: Paths) -> Float64:
    new = paths.tp > np.append(0, paths.tp[:-1])
    new[paths.start[:-1]] = False
    rows = np.flatnonzero(new)
    owner = np.searchsorted(paths.start, rows, "right") - 1
    # In whole numbers, because in floating point 3 of 10 would fall below .3.
    interval = (paths.tp[rows] * 10 // paths.relevant[owner]).astype(np.int64)
    precision = paths.tp[rows] / (paths.tp[rows] + paths.fp[rows])
    values = np.zeros((len(paths), 11))
    lead = np.flatnonzero(changes(owner, interval))
    if len(lead):
        values[owner[lead], interval[lead]] = np.maximum.reduceat(precision, lead)
    last = np.flatnonzero(np.append(owner[1:] != owner[:-1], True)[: len(owner)])
    closest = last[interval[last] == 9]
    # Recall 1 is never reached: the closest point of the last interval stands for it.
    values[owner[closest], 10] = precision[closest]
    return np.asarray(np.maximum.accumulate(values[:, ::-1], axis=1)[:, ::-1])
