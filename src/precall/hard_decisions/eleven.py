"""11-point interpolated precision in two forms: Yang's six steps, and TREC's rule.

Yang (1999): walk down a ranking (hers are of the categories of one item); each interval [0, .1),
[.1, .2), ..., {1} of recall is represented by the greatest precision of the points inside it; empty
intervals take the value of the next higher one that is not; then every value is raised to the
greatest at a higher recall; then rankings are averaged. TREC: at recall r, the greatest precision
of any point of recall r or more, 0 if there is none.

They are equal unless recall 1 is never reached. Yang then lets the closest point stand for it. Read
to the letter, one item found of ten in the first place would have precision 1 at every recall; so
here the closest point of the last interval, [.9, 1), stands for it, and where there is none the
value is 0, as TREC's.
"""

from __future__ import annotations

import numpy as np

from precall.cases import Curve
from precall.cases.several import Curves
from precall.core.arguments import check_choice
from precall.core.counts import Paths
from precall.core.ragged import Float64, changes
from precall.measures.areas import eleven_points_of_each

FORMS = ("yang", "trec")


def points(path: Curve, form: str) -> Float64:
    """The eleven values of one ranking; NaN where nothing is relevant."""
    return np.asarray(points_of_each(Curves.of(path), form)[0], np.float64)


def points_of_each(paths: Paths, form: str) -> Float64:
    """The same of each, a row of eleven."""
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
    # The interval in whole numbers: floating point would put 3 of 10 below .3.
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
