"""What is simulated of whole curves: thresholds tuned on the cases, and bands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import stats

import precall as pc
from tests.coverage.grid import Cell, binormal

#: Relevant cases, share of them, distance of the means.
CELLS = [(20, 0.1, 1.5), (60, 0.5, 1.0), (100, 0.1, 1.5), (100, 0.02, 2.0), (250, 0.1, 1.5), (250, 0.5, 1.0)]
SAMPLES = 300


class Held:
    """An interval or band against its own truth: low <= 0 <= high where it holds it."""

    def __init__(self, below: bool, above: bool, known: bool = True) -> None:
        self.low = float("nan") if not known else 1.0 if above else -1.0
        self.high = float("nan") if not known else -1.0 if below else 1.0


def of_tuned() -> Iterator[Cell]:
    for relevant, share, apart in CELLS:
        n = round(relevant / share)
        for rule in ({"max_f": 1.0}, {"recall": 0.8}, {"beta": 1.0}, {"precision": 0.6}):
            name = next(iter(rule))
            where = f"R = {relevant}, {share:.0%} relevant, d' = {apart}, chosen by {name}"
            what = "max_f" if name == "max_f" else "precision_at_threshold"
            for naive in (False, True):
                yield Cell(what, "fixed threshold" if naive else "optimism bootstrap", not naive, where, 0.0,
                           lambda rng, n=n, s=share, a=apart, r=rule, q=naive: tuned(rng, n, s, a, r, q), 20)  # fmt: skip


def tuned(
    rng: np.random.Generator, n: int, share: float, apart: float, rule: dict[str, Any], naive: bool
) -> Held:
    """The value that the chosen threshold has in the population, against the interval."""
    relevant, score = binormal(n, share, apart)(rng)
    if "max_f" in rule:
        found = pc.interval.max_f(relevant, score, rng=rng, resamples=SAMPLES)
    else:
        found = pc.interval.precision_at_threshold(relevant, score, **rule, rng=rng, resamples=SAMPLES)
    if found.low != found.low:
        return Held(False, False, known=False)
    threshold = np.sort(score[relevant])[::-1][found.row]
    tp, fp = share * stats.norm.sf(threshold - apart), (1 - share) * stats.norm.sf(threshold)
    truth = 2 * tp / (share + tp + fp) if "max_f" in rule else tp / (tp + fp)
    one = found.naive if naive else found
    return Held(one.high < truth, one.low > truth)


def of_bands() -> Iterator[Cell]:
    for relevant, share, apart in CELLS:
        n = round(relevant / share)
        for curve in ("pr_band", "roc_band"):
            for kind, method in (
                ("simultaneous", "bootstrap"),
                ("pointwise", "bootstrap"),
                ("simultaneous", "dkw"),
            ):
                where = f"R = {relevant}, {share:.0%} relevant, d' = {apart}"
                yield Cell(curve, f"{kind} {method}", method == "bootstrap", where, 0.0,
                           lambda rng, n=n, s=share, a=apart, c=curve, k=kind, m=method: band(rng, n, s, a, c, k, m),
                           20 if method == "bootstrap" else 2)  # fmt: skip


def band(
    rng: np.random.Generator, n: int, share: float, apart: float, curve: str, kind: str, method: str
) -> Held:  # fmt: skip
    """The whole curve, or one place of it drawn at random, against the band."""
    relevant, score = binormal(n, share, apart)(rng)
    options = {"kind": kind, "method": method, "rng": rng, "resamples": SAMPLES}
    found = getattr(pc.interval, curve)(relevant, score, **options)
    x = found.x
    if curve == "pr_band":
        wrong = (1 - share) * stats.norm.sf(apart + stats.norm.isf(x))
        truth = share * x / (share * x + wrong)
    else:
        truth = stats.norm.sf(stats.norm.isf(x) - apart)
    place = slice(None) if kind == "simultaneous" else rng.integers(len(x))
    return Held(bool(np.any(found.high[place] < truth[place])), bool(np.any(found.low[place] > truth[place])))
