"""Measures of one scored list and what resampling makes of them, by plain loops; nothing of precall
is imported.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np


def average_precision(
    relevant: Sequence[bool], score: Sequence[float], weight: Sequence[float], missed: float = 0
) -> float:
    """Blocks of equal score count at their ends; every case as heavy as it is."""
    total = sum(w for r, w in zip(relevant, weight, strict=True) if r) + missed
    value = 0.0
    for threshold in sorted(set(score), reverse=True):
        here = sum(
            w for r, s, w in zip(relevant, score, weight, strict=True) if r and s == threshold
        )
        tp = sum(w for r, s, w in zip(relevant, score, weight, strict=True) if r and s >= threshold)
        accepted = sum(w for s, w in zip(score, weight, strict=True) if s >= threshold)
        value += here * tp / accepted if accepted else 0.0
    return value / total


def area_under_roc(
    relevant: Sequence[bool], score: Sequence[float], weight: Sequence[float], missed: float = 0
) -> float:
    """All pairs."""
    won = pairs = 0.0
    cases = list(zip(relevant, score, weight, strict=True))
    for r, s, w in cases:
        for q, t, v in cases:
            if r and not q:
                won += w * v * (1.0 if s > t else 0.5 if s == t else 0.0)
                pairs += w * v
    others = sum(w for r, _, w in cases if not r)
    return won / (pairs + missed * others)


def derivatives(measure, relevant, score, weight, missed=0.0, step=1e-6):
    """∂measure/∂weight of every case, and of a missed item, by central differences."""
    found = []
    for place in range(len(relevant)):
        values = []
        for sign in (1, -1):
            moved = list(weight)
            moved[place] += sign * step
            values.append(measure(relevant, score, moved, missed))
        found.append((values[0] - values[1]) / (2 * step))
    last = [measure(relevant, score, weight, missed + sign * step) for sign in (1, -1)]
    return np.array(found), (last[0] - last[1]) / (2 * step)


def delong(relevant: Sequence[bool], score: Sequence[float]) -> tuple[float, float]:
    """Area and variance by DeLong, DeLong & Clarke-Pearson's components, over all pairs."""
    x = [s for r, s in zip(relevant, score, strict=True) if r]
    y = [s for r, s in zip(relevant, score, strict=True) if not r]
    wins = np.array([[1.0 if a > b else 0.5 if a == b else 0.0 for b in y] for a in x])
    by_x, by_y = wins.mean(1), wins.mean(0)
    return float(wins.mean()), float(np.var(by_x, ddof=1) / len(x) + np.var(by_y, ddof=1) / len(y))


def resampled_ap(
    relevant: Sequence[bool], score: Sequence[float], times: Sequence[int], missed: int = 0
) -> float:
    """AP of a list in which case i stands `times[i]` times: copies of an untied case one behind the
    other, tied cases in one block."""
    value, tp, accepted, found = 0.0, 0, 0, 0
    for threshold in sorted(set(score), reverse=True):
        block = [i for i, s in enumerate(score) if s == threshold]
        hits = sum(times[i] for i in block if relevant[i])
        found += hits
        if len(block) == 1 and relevant[block[0]]:
            for copy in range(1, hits + 1):
                value += (tp + copy) / (accepted + copy)
        tp += hits
        accepted += sum(times[i] for i in block)
        if len(block) > 1 and hits:
            value += hits * tp / accepted
    return value / (found + missed) if found + missed else float("nan")


def every_sample(relevant, score):
    """AP of all n^n equally likely samples of n cases."""
    n = len(relevant)
    found = []
    for draw in product(range(n), repeat=n):
        times = np.bincount(draw, minlength=n)
        found.append(resampled_ap(relevant, score, times.tolist()))
    return np.array(found)
