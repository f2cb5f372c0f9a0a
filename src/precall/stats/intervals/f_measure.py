"""Intervals for F, the weighted harmonic mean of precision and recall, and for E = 1 - F.

Goutte & Gaussier (2005): the posterior of F is the distribution of
(1 + β²) G_tp / ((1 + β²) G_tp + G_fp + β² G_fn), where the G are independent gamma variables of
shapes TP + λ, FP + λ, FN + λ. Its quantiles are computed as for every measure of counts.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from precall.core.arguments import check_beta, check_count, check_positive
from precall.core.counts import Counts
from precall.core.notes import warn
from precall.core.notes.of_intervals import NoBoundsAtEnds
from precall.core.ragged import Float64
from precall.core.rng import Rng, generator_and_seed
from precall.stats import quantiles
from precall.stats.intervals.cell_posterior import Added, additions, cell_bounds, shapes_of_bounds
from precall.stats.intervals.few_errors import kinds_of_cells, warn_of_few
from precall.stats.intervals.interval import Interval, estimating, expit, like, undefined
from precall.stats.resample.bootstrap import percentile

#: With a greater prior no data change the posterior, and only rounding is left.
MOST_PRIOR = 1e12
_MULTINOMIAL = (
    "independent cases, each true positive, false positive, false negative or true negative"
)


@estimating("F")
def f(
    tp: int,
    fp: int,
    fn: int,
    beta: float = 1.0,
    *,
    level: float = 0.95,
    method: str = "posterior",
    prior: float | None = None,
    rng: Rng = 0,
    resamples: int = 100_000,
) -> Interval:
    """Interval of F = (1 + β²) TP / ((1 + β²) TP + β² FN + FP).

    Parameters
    ----------
    tp : relevant items that were accepted (true positives), a count.
    fp : other items that were accepted (false positives), a count.
    fn : relevant items that were rejected (false negatives), a count.
    beta : >= 0; recall weighs beta times as much as precision. F of 0 is precision, and `fn` does
        not matter.
    level : nominal coverage, in (0, 1).
    method : "posterior" (default): a quantile of Goutte & Gaussier's posterior for each bound,
        without sampling. "monte-carlo": the same by sampling. "delta": on the log-odds of F, whose
        variance is 1/TP + (FP + β⁴ FN) / (FP + β² FN)².
    prior : what the posterior adds to each count. None (default): as for every measure of counts,
        each bound adds more to the counts that pull F to its side. For beta = 1 the low bound adds
        1/3 to TP and 1/2 to FP and FN, the high bound 3/4 to TP and 1/6 to FP and FN
        (docs/why/intervals.md). A number, > 0 and <= 1e12, is Goutte & Gaussier's λ for all counts
        and both bounds; 1/2 is Jeffreys' prior, 1 is flat.
    rng : seed or Generator for "monte-carlo".
    resamples : number of samples that "monte-carlo" draws.

    Returns
    -------
    Interval
        Bounds in 0..1; the low end is 0 if TP = 0, the high end 1 if FP = FN = 0. Undefined (None,
        with a warning) if TP = FP = FN = 0; "delta" has no bounds if TP = 0 or FP = FN = 0.

    Warns
    -----
    PrecallWarning
        Fewer than 5 true positives or errors (FP + FN): the default mostly covers more than its
        level, the others can cover less.

    Raises
    ------
    UsageError
        A count, beta, level, method, prior or number of samples is not allowed.

    Examples
    --------
    >>> print(f(10, 10, 5))
    F1 0.5714 [0.3590, 0.7517] 95 % posterior
    >>> print(f(10, 10, 5, beta=2))
    F2 0.6250 [0.3922, 0.8026] 95 % posterior
    """
    tp, fp, fn = check_count("tp", tp), check_count("fp", fp), check_count("fn", fn)
    beta = check_beta(beta)
    name = f"F{beta:g}"
    if prior is not None:
        check_positive(MOST_PRIOR, prior=prior)
    fn = fn if beta else 0
    if not tp + fp + fn:
        why = "nothing is relevant and nothing was accepted" if beta else "nothing was accepted"
        return undefined(name, f"{why} (0/0)", level, method)
    cells, square = (tp, fp, fn, 0), beta * beta
    signs = (1, -1, -1 if beta else 0, 0)
    estimate = (1 + square) * tp / ((1 + square) * tp + square * fn + fp)
    warn_of_few(name, kinds_of_cells(cells, signs), wide=prior is None and method != "delta")
    if method == "delta":
        low, high = _delta(tp, fp, fn, square, level, name)
        return Interval(estimate, low, high, level, method, name, _MULTINOMIAL)

    def value(c: Counts) -> Float64:
        right = (1 + square) * c.tp
        return np.asarray(right / (right + square * c.fn + c.fp))

    added = additions(value, cells, signs) if prior is None else Added((prior,) * 4, (prior,) * 4)
    sampling: dict[str, Any] = {}
    if method == "posterior":
        low, high = cell_bounds(value, cells, signs, level, added)
    else:
        source, seed = generator_and_seed(rng)
        sampling = {"seed": seed, "resamples": resamples}
        low, high = (
            percentile(value(Counts(*source.standard_gamma(shape, (resamples, 4)).T)), level)[bound]
            for bound, (shape,) in enumerate(shapes_of_bounds(cells, signs, added))
        )
    low, high = min(low, estimate), max(high, estimate)
    assumptions = _MULTINOMIAL if prior is None else f"{_MULTINOMIAL}; prior {prior:g}"
    return Interval(estimate, low, high, level, method, name, assumptions, **sampling)


@like(f)
def e(tp: int, fp: int, fn: int, beta: float = 1.0, **options: Any) -> Interval:
    """Interval of E = 1 - F, van Rijsbergen's measure, which is low for good systems: 1 minus the
    interval of `f`.

    Examples
    --------
    >>> print(e(10, 10, 5))
    E1 0.4286 [0.2483, 0.6410] 95 % posterior
    """
    return f(tp, fp, fn, beta, **options).complement(f"E{beta:g}")


def _delta(
    tp: int, fp: int, fn: int, square: float, level: float, name: str
) -> tuple[float, float]:
    wrong = fp + square * fn
    if not tp or not wrong:
        warn(NoBoundsAtEnds(name))
        return math.nan, math.nan
    # Divided one by one: β⁴ of a great β would overflow.
    spread = fp / wrong / wrong + fn * (square / wrong) ** 2
    half = quantiles.z(level) * math.sqrt(1 / tp + spread)
    odds = math.log((1 + square) * tp / wrong)
    return expit(odds - half), expit(odds + half)
