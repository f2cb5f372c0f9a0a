"""11-point interpolated precision in two forms: Yang's six steps, and TREC's rule.

Yang (1999): walk down the ranking; each interval [0, .1), [.1, .2), ..., {1} of recall is represented by
the greatest precision of the points inside it; empty intervals take the value of the next higher one that
is not; then every value is raised to the greatest at a higher recall; then rankings are averaged.
TREC: at recall r, the greatest precision of any point of recall r or more, 0 if there is none.
They are equal unless recall 1 is never reached: Yang lets the last point stand for it, TREC says 0.
"""

from __future__ import annotations

import numpy as np

from precall.curves import Curve
from precall.curves.areas import eleven_points, hit_rows
from precall.errors import UsageError
from precall.ragged import Float64

FORMS = ("yang", "trec")


def averaged(paths: list[Curve], form: str) -> Float64:
    """Mean over rankings in which something is relevant; NaN if there is none."""
    if form not in FORMS:
        raise UsageError(f"form: got {form!r}, allowed are {', '.join(FORMS)}")
    one = yang if form == "yang" else eleven_points
    values = [one(path) for path in paths if path.relevant]
    return np.mean(values, axis=0) if values else np.full(11, np.nan)


def yang(path: Curve) -> Float64:
    """The representatives of one ranking's intervals of recall."""
    value = np.zeros(11)
    rows = hit_rows(path)
    if not len(rows):
        return value
    # The interval in whole numbers: floating point would put 3 of 10 below .3.
    interval = (path.tp[rows] * 10 // path.relevant).astype(np.int64)
    precision = path.precision[rows]
    np.maximum.at(value, interval, precision)
    if value[10] == 0:
        # Recall 1 is never reached: its nearest point stands for it.
        value[10] = precision[-1]
    return np.asarray(np.maximum.accumulate(value[::-1])[::-1])
