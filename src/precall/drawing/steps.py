"""The lines of curves: steps for precision over recall, straight lines for ROC and gain; and the mean of several, upright.

The area under the mean of the steps is the mean of the folds' average precisions, and that under the mean of
the lines the mean of their areas.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from precall.curves import Curve
from precall.ragged import Float64

Line = tuple[Float64, Float64]


def steps(curve: Curve, interpolate: bool = False) -> Line:
    """Recall and precision where relevant cases are accepted."""
    table = curve.pr(interpolate=interpolate)
    return np.asarray(table["recall"]), np.asarray(table["precision"])


def from_zero(x: Float64, y: Float64) -> Line:
    """Steps with their beginning: the first height holds from 0 on."""
    return (np.concatenate(([0.0], x)), np.concatenate((y[:1], y))) if len(x) else (x, y)


def roc(curve: Curve) -> Line:
    """False positive rate and recall at all thresholds."""
    return np.asarray(curve.values("Fallout")), curve.recall


def mean_of_steps(lines: Sequence[Line]) -> Line:
    """Of steps that hold up to each x and from the x before it; a fold has height 0 past its end.

    Examples
    --------
    >>> mean_of_steps([(np.array([0.5, 1.0]), np.array([1.0, 0.5])), (np.array([1.0]), np.array([0.5]))])
    (array([0.5, 1. ]), array([0.75, 0.5 ]))
    """
    x = np.unique(np.concatenate([across for across, _ in lines]))
    heights = [np.append(along, 0.0)[np.searchsorted(across, x)] for across, along in lines]
    return x, np.mean(heights, axis=0)


def mean_of_lines(lines: Sequence[Line]) -> Line:
    """Of straight lines through points of ascending x, upright parts included; as far as all of them reach.

    Examples
    --------
    >>> mean_of_lines([(np.array([0.0, 1.0]), np.array([0.0, 1.0])), (np.array([0.0, 0.0, 1.0]), np.array([0, 1, 1.0]))])
    (array([0., 0., 1., 1.]), array([0. , 0.5, 1. , 1. ]))
    """
    x = np.unique(np.concatenate([across for across, _ in lines]))
    x = x[(x >= max(across[0] for across, _ in lines)) & (x <= min(across[-1] for across, _ in lines))]
    sides = np.mean([_sides(across, along, x) for across, along in lines], axis=0)
    return np.repeat(x, 2), sides.ravel()


def _sides(across: Float64, along: Float64, x: Float64) -> Float64:
    """Heights at x, coming from the left and going to the right."""
    known, first = np.unique(across, return_index=True)
    last = np.append(first[1:], len(across)) - 1
    begin, end = along[last], along[first]
    row = np.searchsorted(known, x, side="right") - 1
    after = np.minimum(row + 1, len(known) - 1)
    width = known[after] - known[row]
    share = np.divide(x - known[row], width, out=np.zeros(len(x)), where=width > 0)
    between = begin[row] + share * (end[after] - begin[row])
    on = known[row] == x
    return np.stack((np.where(on, end[row], between), np.where(on, begin[row], between)), axis=1)
