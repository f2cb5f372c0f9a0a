"""Intervals for F, the weighted harmonic mean of precision and recall, and for E = 1 - F.

Goutte & Gaussier (2005): with independent Gamma variables G of shapes TP + λ, FP + λ, FN + λ the posterior of F is that of
(1 + β²) G_tp / ((1 + β²) G_tp + G_fp + β² G_fn). For β = 1 it is 2B / (1 + B) with B ~ Beta(TP + λ, FP + FN + 2λ), for β = 0
Beta(TP + λ, FP + λ): closed. For other β one integral over the share of FP among the errors is left.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from precall.checks import check_beta, check_count, check_positive
from precall.infer import libraries, quantiles
from precall.infer.interval.interval import Interval, estimating, expit, like, undefined
from precall.infer.resample.bootstrap import percentile
from precall.notes import warn
from precall.rng import Rng, seeded

#: Beyond, no data move it, and rounding is all that is left.
MOST_PRIOR = 1e12
#: The prior of every rate: Jeffreys'.
PRIOR = 0.5
#: Points of the integral.
_NODES = 256
FEWEST = 5
_MULTINOMIAL = "independent cases, each true positive, false positive, false negative or true negative"


@estimating("F")
def f(
    tp: int, fp: int, fn: int, beta: float = 1.0, *, level: float = 0.95, method: str = "posterior",
    prior: float = PRIOR, rng: Rng = 0, resamples: int = 100_000,
) -> Interval:  # fmt: skip
    """Interval of F = (1 + β²) TP / ((1 + β²) TP + β² FN + FP).

    Parameters
    ----------
    tp : relevant items that were accepted (true positives), a count.
    fp : other items that were accepted (false positives), a count.
    fn : relevant items that were rejected (false negatives), a count.
    beta : >= 0; recall weighs beta times as much as precision. F of 0 is precision, and `fn` does not matter.
    level : nominal coverage, in (0, 1).
    method : "posterior" (default): equal tails of Goutte & Gaussier's posterior, without sampling: closed for
        beta = 1 and 0, one integral for others. "monte-carlo": the same by sampling. "delta": on the log-odds of F,
        whose variance is 1/TP + (FP + β⁴ FN) / (FP + β² FN)².
    prior : λ of the posterior, > 0 and <= 1e12; 1/2 is Jeffreys', 1 is flat.
    rng : seed or Generator for "monte-carlo".
    resamples : how many samples "monte-carlo" draws.

    Returns
    -------
    Interval
        Bounds in 0..1; the low end is 0 where TP = 0, the high end 1 where FP = FN = 0. Undefined (None, with a
        warning) when TP = FP = FN = 0; "delta" has no bounds where TP = 0 or FP = FN = 0.

    Warns
    -----
    PrecallWarning
        Fewer than 5 true positives or errors: coverage can leave 93-97 %.

    Raises
    ------
    UsageError
        A count, beta, level, method, prior or number of samples is not allowed.

    Examples
    --------
    >>> print(f(10, 10, 5))
    F1 0.5714 [0.3640, 0.7380] 95 % posterior
    >>> print(f(10, 10, 5, beta=2))
    F2 0.6250 [0.4015, 0.7907] 95 % posterior
    """
    tp, fp, fn = check_count("tp", tp), check_count("fp", fp), check_count("fn", fn)
    beta = check_beta(beta)
    name = f"F{beta:g}"
    check_positive(MOST_PRIOR, prior=prior)
    fn = fn if beta else 0
    if not tp + fp + fn:
        why = "nothing is relevant and nothing was accepted" if beta else "nothing was accepted"
        return undefined(name, f"{why} (0/0)", level, method)
    square = beta * beta
    value = (1 + square) * tp / ((1 + square) * tp + square * fn + fp)
    if method == "delta":
        low, high = _delta(tp, fp, fn, square, level, name)
        return Interval(value, low, high, level, method, name, _MULTINOMIAL)
    if min(tp, fp + fn) < FEWEST:
        few = f"fewer than {FEWEST} true positives or errors"
        warn(f"{name}: {few}; the interval can cover less than it says")
    drawn: dict[str, Any] = {}
    if method == "posterior":
        tails = ((1 - level) / 2, (1 + level) / 2)
        low, high = (_quantile(tp, fp, fn, square, prior, tail) for tail in tails)
    else:
        source, seed = seeded(rng)
        drawn = {"seed": seed, "resamples": resamples}
        right, wrong, lost = (source.standard_gamma(count + prior, resamples) for count in (tp, fp, fn))
        right *= 1 + square
        low, high = percentile(right / (right + wrong + square * lost), level)
    low, high = low if tp else 0.0, high if fp + fn else 1.0
    return Interval(value, low, high, level, method, name, f"{_MULTINOMIAL}; prior {prior:g}", **drawn)


@like(f)
def e(tp: int, fp: int, fn: int, beta: float = 1.0, **options: Any) -> Interval:
    """Interval of E = 1 - F, van Rijsbergen's measure, low for good systems: that of `f`, turned round.

    Examples
    --------
    >>> print(e(10, 10, 5))
    E1 0.4286 [0.2620, 0.6360] 95 % posterior
    """
    return f(tp, fp, fn, beta, **options).complement(f"E{beta:g}")


def _delta(tp: int, fp: int, fn: int, square: float, level: float, name: str) -> tuple[float, float]:
    wrong = fp + square * fn
    if not tp or not wrong:
        warn(f"{name}: method='delta' has no bounds at 0 and 1; use method='posterior'")
        return math.nan, math.nan
    # Divided one by one: β⁴ of a great β is no float64.
    spread = fp / wrong / wrong + fn * (square / wrong) ** 2
    half = quantiles.z(level) * math.sqrt(1 / tp + spread)
    odds = math.log((1 + square) * tp / wrong)
    return expit(odds - half), expit(odds + half)


def cdf(value: float, tp: int, fp: int, fn: int, square: float, prior: float) -> float:
    """P(F ≤ value | counts) under the posterior; `square` is β²."""
    special = libraries.special()
    if value <= 0 or value >= 1:
        return float(value >= 1)
    a, b = tp + prior, fp + fn + 2 * prior
    if square == 1:
        return float(special.betainc(a, b, value / (2 - value)))
    if square == 0:
        return float(special.betainc(tp + prior, fp + prior, value))
    share, weight = error_shares(fp + prior, fn + prior)
    # F ≤ x wherever TP's share B of all Gammas is at most x c / ((1 + β²)(1 - x) + x c).
    c = share + square * (1 - share)
    return float(weight @ special.betainc(a, b, value * c / ((1 + square) * (1 - value) + value * c)))


def error_shares(fp: float, fn: float) -> tuple[Any, Any]:
    """FP's share of the errors, at points even in its log-odds, and the weight of each.

    On that scale the density falls off exponentially on both sides, where the trapezoid rule is as good as exact.
    """
    special = libraries.special()
    low = special.logit(special.betaincinv(fp, fn, 1e-16))
    high = -special.logit(special.betaincinv(fn, fp, 1e-16))
    odds = np.linspace(low, high, _NODES)
    share = special.expit(odds)
    logs = fp * special.log_expit(odds) + fn * special.log_expit(-odds)
    weight = np.exp(logs - logs.max())
    return share, weight / weight.sum()


def _quantile(tp: int, fp: int, fn: int, square: float, prior: float, p: float) -> float:
    if square == 1:
        b = quantiles.beta(tp + prior, fp + fn + 2 * prior, p)
        return 2 * b / (1 + b)
    if square == 0:
        return quantiles.beta(tp + prior, fp + prior, p)
    brentq = libraries.optimize().brentq
    return float(brentq(lambda value: cdf(value, tp, fp, fn, square, prior) - p, 0.0, 1.0, xtol=1e-13))
