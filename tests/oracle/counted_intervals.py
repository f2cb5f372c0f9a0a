"""Intervals of counts, written again from the papers; nothing of precall is imported."""

from __future__ import annotations

import math
from itertools import product

import numpy as np

from tests.peers import peer

stats = peer("scipy.stats")

#: Newcombe (1998), "Two-sided confidence intervals for the single proportion", table I: Wilson's
#: score interval and Clopper-Pearson's of four samples.
NEWCOMBE = {
    (81, 263): {"wilson": (0.2553, 0.3662), "clopper-pearson": (0.2527, 0.3676)},
    (15, 148): {"wilson": (0.0624, 0.1605), "clopper-pearson": (0.0578, 0.1617)},
    (0, 20): {"wilson": (0.0, 0.1611), "clopper-pearson": (0.0, 0.1684)},
    (1, 29): {"wilson": (0.0061, 0.1718), "clopper-pearson": (0.0009, 0.1776)},
}


def f_posterior_cdf(value: float, tp: int, fp: int, fn: int, beta: float, prior: float) -> float:
    """P(F <= value) by integrating over the Gamma variables of the false positives and of the
    misses.

    F <= x where (1 + β²)(1 - x)/x U <= V + β² W.
    """
    slope = (1 + beta**2) * (1 - value) / value
    logs = np.linspace(-60, 6, 900)
    wrong, lost = np.exp(logs)[:, None], np.exp(logs)[None, :]
    weight = wrong * stats.gamma.pdf(wrong, fp + prior) * lost * stats.gamma.pdf(lost, fn + prior)
    step = logs[1] - logs[0]
    return float(
        np.sum(weight * stats.gamma.cdf((wrong + beta**2 * lost) / slope, tp + prior)) * step**2
    )


def takahashi_macro_variance(table: np.ndarray) -> float:
    """Variance of macro F1 by the delta method, derivatives written out cell by cell (Takahashi et
    al. 2022).
    """
    n, size = table.sum(), len(table)
    p = table / n
    row, column = p.sum(1), p.sum(0)
    gradient = np.zeros_like(p)
    for i, j in product(range(size), repeat=2):
        for k in range(size):
            whole = row[k] + column[k]
            top = 2.0 * (i == j == k) * whole - 2 * p[k, k] * ((i == k) + (j == k))
            gradient[i, j] += top / whole**2 / size
    return float((np.sum(p * gradient**2) - np.sum(p * gradient) ** 2) / n)


def takahashi_published(table: np.ndarray) -> tuple[float, float]:
    """Variances of micro F1 and macro F1 as the authors publish them in closed form, truth x
    decision.
    """
    n, size = table.sum(), len(table)
    p = table / n
    right, whole = np.diag(p), p.sum(0) + p.sum(1)
    f, wrong = 2 * right / whole, (whole - 2 * right) / whole
    own = np.sum(f * wrong / whole * (wrong + f / 2))
    across = sum(
        p[i, j] * f[i] * f[j] / (whole[i] * whole[j])
        for i, j in product(range(size), repeat=2)
        if i != j
    )
    return float(right.sum() * (1 - right.sum()) / n), float(2 * (own + across) / (n * size**2))


def wald(value: float, variance: float, level: float) -> tuple[float, float]:
    half = stats.norm.ppf((1 + level) / 2) * math.sqrt(variance)
    return max(value - half, 0.0), min(value + half, 1.0)
