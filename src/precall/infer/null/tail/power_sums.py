"""The transform of the sum of k of some items, by Newton's identities from power sums."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from precall.ragged import Float64, Int64

Complex: TypeAlias = npt.NDArray[np.complex128]

#: Nodes that are worked on at once.
_AT_ONCE = 2**12


def split(scores: Float64, weight: Float64, cell: float, points: int) -> Float64:
    """Weights on the points 0, 1, ... of a cyclic grid, each split between its two neighbours: the mean stays."""
    place = scores / cell
    below = np.floor(place + 1e-9).astype(np.int64)
    part = np.maximum(place - below, 0.0)
    part[part < 1e-7] = 0.0
    shares = np.bincount(below % points, weight * (1 - part), points)
    return np.asarray(shares + np.bincount((below + 1) % points, weight * part, points), np.float64)


def elementary(shares: Float64, items: int, most: int) -> Iterator[tuple[Int64, Complex]]:
    """E[exp(i t sum)] for k = 0 ... `most` of `items` with these shares of scores: nodes, and a row for each k.

    With e_k the elementary symmetric polynomials of the exponentials of the N items, and p_r their power sums,
    k e_k is the sum over r of (-1)^(r-1) e_(k-r) p_r. Here are e_k / C(N, k) and p_r / N. The power sums are one
    transform of the histogram of scores, looked up at multiples of t.
    """
    points = len(shares)
    power = points * np.fft.ifft(shares)
    factors = _factors(items, most)
    for node in np.array_split(np.arange(points // 2 + 1), max(1, points // _AT_ONCE)):
        powers = power[np.arange(1, most + 1)[:, None] * node % points]
        known = np.ones((most + 1, len(node)), np.complex128)
        for k in range(1, most + 1):
            known[k] = np.einsum("r,rn,rn->n", factors[k], known[k - 1 :: -1][:k], powers[:k])
        yield node, known


def _factors(items: int, most: int) -> list[Float64]:
    """(-1)^(r-1) N/k C(N, k-r) / C(N, k) for r = 1 ... k, by k."""
    factors = [np.zeros(0)]
    for k in range(1, most + 1):
        i = np.arange(k, 0, -1.0)
        # C(N, i-1) / C(N, i) = i / (N-i+1)
        factors.append(np.cumprod(-i / np.maximum(items - i + 1, 1)) * -items / k)
    return factors
