"""11-point interpolated precision in two forms: Yang's six steps, and TREC's rule.

Yang (1999): walk down a ranking (hers are of the categories of one item); each interval [0, .1), [.1, .2), ..., {1} of
recall is represented by the greatest precision of the points inside it; empty intervals take the value of the next
higher one that is not; then every value is raised to the greatest at a higher recall; then rankings are averaged.
TREC: at recall r, the greatest precision of any point of recall r or more, 0 if there is none.

They are equal unless recall 1 is never reached. Yang then lets the closest point stand for it. Read to the letter, one
item found of ten in the first place would have precision 1 at every recall; so here the closest point of the last
interval, [.9, 1), stands for it, and where there is none the value is 0, as TREC's.
"""

from __future__ import annotations

import numpy as np

from precall.checks import check_choice
from precall.curves import Curve
from precall.measures.areas import eleven_points, hit_rows
from precall.ragged import Float64

FORMS = ("yang", "trec")


def points(path: Curve, form: str) -> Float64:
    """The eleven values of one ranking; NaN where nothing is relevant."""
    check_choice("form", form, FORMS)
    if not path.relevant:
        return np.full(11, np.nan)
    if form == "trec":
        return eleven_points(path)
    value = np.zeros(11)
    rows = hit_rows(path)
    if not len(rows):
        return value
    # The interval in whole numbers: floating point would put 3 of 10 below .3.
    interval = (path.tp[rows] * 10 // path.relevant).astype(np.int64)
    precision = path.precision[rows]
    np.maximum.at(value, interval, precision)
    if interval[-1] == 9:
        # Recall 1 is never reached: the closest point of the last interval stands for it.
        value[10] = precision[-1]
    return np.asarray(np.maximum.accumulate(value[::-1])[::-1])
