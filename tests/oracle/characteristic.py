"""P(S >= s) of S = m AP under random selection by its characteristic function, to nine digits and
more.

Rank by rank, the chance that the next item is relevant depends on the hits so far alone: (m - h) /
(n - t + 1). So E exp(i w S) is a sum over the hits so far, carried from rank to rank, and P(S >= s)
is its integral (Gil-Pelaez), by a trapezoidal rule that is exact but for what lies 20 standard
deviations away. S must not have values that are far apart. Nothing here comes from precall.
"""

from __future__ import annotations

import numpy as np

#: Standard deviations that the rule repeats after; frequencies at once.
_SPAN, _AT_ONCE = 40.0, 16


def function(items, relevant, frequencies, cutoff=None):
    """E exp(i w S), the first `cutoff` ranks counted, at each frequency w."""
    w = np.asarray(frequencies, float)[:, None]
    hits = np.arange(relevant + 1)
    state = np.zeros((len(w), relevant + 1), complex)
    state[:, 0] = 1
    for rank in range(1, (cutoff or items) + 1):
        left = items - rank + 1
        # What a hit here adds is its number over its rank.
        hit = state[:, :-1] * ((relevant - hits[:-1]) / left) * np.exp(1j * w * hits[1:] / rank)
        state = state * np.maximum((left - relevant + hits) / left, 0.0)
        state[:, 1:] += hit
    return state.sum(axis=1)


def tails(mean, deviation, characteristic, z):
    """P(X >= mean + z deviation) from E exp(i w X) as a function of an array of frequencies."""
    step, total, most = 2 * np.pi / _SPAN, np.full(len(z), 0.5), 4000
    for first in range(0, most, _AT_ONCE):
        w = (np.arange(first, first + _AT_ONCE) + 0.5) * step
        values = characteristic(w / deviation) * np.exp(-1j * w * mean / deviation)
        total += (np.imag(np.exp(-1j * np.outer(z, w)) * values) / (w / step)).sum(axis=1) / np.pi
        if np.abs(values).max() < 1e-11:
            return total
    raise AssertionError("values of their own: the integral has no end")


def average_precision(items, relevant, z, mean, deviation, cutoff=None):
    """P(AP >= mean + z deviation), AP at `cutoff` over the number of relevant items."""
    return tails(
        mean * relevant,
        deviation * relevant,
        lambda w: function(items, relevant, w, cutoff),
        np.asarray(z),
    )
