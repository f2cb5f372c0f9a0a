"""Intervals at tuned thresholds, and bands for curves, from labels and scores."""

from __future__ import annotations

from typing import Any

import numpy as np

from precall.errors import UsageError
from precall.infer.interval import bands, tuned
from precall.infer.interval import proportion as of_counts
from precall.infer.interval.bands import Band
from precall.infer.interval.interval import Interval
from precall.intervals.cases import blocks_of
from precall.rng import Rng


def max_f(
    relevant: Any, score: Any, beta: float = 1.0, missed: int = 0, *, level: float = 0.95,
    method: str = "optimism bootstrap", rng: Rng = 0, resamples: int = 1000, positive: Any = None,
    higher_is_better: bool = True, weights: Any = None, groups: Any = None,
) -> Interval:  # fmt: skip
    """Interval of the F that the threshold of greatest F will have on new cases.

    `Curve.max_f` tells the greatest F of the data at hand, where the threshold was chosen to suit them. Here
    what that choice gained by chance is estimated and taken away.

    Parameters
    ----------
    relevant, score, missed, positive, higher_is_better : as `pc.curve` takes them.
    beta : >= 0, weight of recall; F of 0 is precision.
    level : nominal coverage, in (0, 1).
    method : "optimism bootstrap", the only one.
    rng : seed or Generator.
    resamples : samples of the cases.
    weights, groups : as in `average_precision`; groups are drawn as a whole. With real weights `naive` has no bounds.

    Returns
    -------
    TunedInterval
        `estimate`, `low`, `high` are corrected; `naive` is the interval as if the threshold had been fixed
        beforehand, `optimism` the difference of the estimates. Undefined (NaN, with a warning) when no relevant
        case was scored.

    Warns
    -----
    PrecallWarning
        Fewer than 50 relevant or other cases or even groups.

    Notes
    -----
    The optimism bootstrap of Efron (1983) and Harrell, Lee & Mark (1996): each sample chooses its threshold, and
    its F there less that of the whole data there is one draw of what choosing gains.

    Examples
    --------
    >>> import numpy as np
    >>> from precall import interval
    >>> rng = np.random.default_rng(1)
    >>> relevant = rng.random(600) < 0.2
    >>> found = interval.max_f(relevant, rng.standard_normal(600) + relevant, rng=1)
    >>> print(found)
    max F on new cases 0.4456 [0.3811, 0.5120] 95 % optimism bootstrap, seed 1
    >>> print(found.naive)
    max F, naive 0.4684 [0.3997, 0.5350] 95 % posterior
    """
    blocks = blocks_of(relevant, score, weights, missed, positive, higher_is_better, groups)
    return tuned.max_f(blocks, beta, level=level, method=method, rng=rng, resamples=resamples)


def precision_at_threshold(
    relevant: Any, score: Any, threshold: float | None = None, *, recall: float | None = None,
    precision: float | None = None, beta: float | None = None, missed: int = 0, level: float = 0.95,
    method: str | None = None, rng: Rng = 0, resamples: int = 1000, positive: Any = None,
    higher_is_better: bool = True, weights: Any = None, groups: Any = None,
) -> Interval:  # fmt: skip
    """Interval of the precision that a threshold will have on new cases.

    Parameters
    ----------
    relevant, score, missed, positive, higher_is_better : as `pc.curve` takes them.
    threshold : fixed before these cases were seen: Wilson's interval of the precision there.
    recall : the threshold was chosen on these cases to accept as few as reach this recall.
    precision : it was chosen for the greatest recall at which precision is at least this.
    beta : it was chosen for the greatest F.
    level : nominal coverage, in (0, 1).
    method : of a fixed threshold those of `proportion` (default "wilson"), else "optimism bootstrap", the only one.
    rng : seed or Generator.
    resamples : samples of the cases.
    weights, groups : see `max_f`; of a fixed threshold only whole weights, and no groups.

    Returns
    -------
    Interval
        For a chosen threshold a `TunedInterval`, corrected for the choice, with the `naive` one beside it; see
        `max_f`. Undefined (NaN, with a warning) when no relevant case was scored, or no threshold does it.

    Warns
    -----
    PrecallWarning
        Fewer than 50 relevant or other cases or even groups, or 200 where a precision is kept. With a beta below 1: it covers
        up to 98 %.

    Raises
    ------
    UsageError
        Not exactly one of threshold, recall, precision and beta is given.

    Examples
    --------
    >>> import numpy as np
    >>> from precall import interval
    >>> rng = np.random.default_rng(1)
    >>> relevant = rng.random(600) < 0.2
    >>> score = rng.standard_normal(600) + relevant
    >>> print(interval.precision_at_threshold(relevant, score, 1.0))
    precision at threshold 1 0.4215 [0.3372, 0.5106] 95 % wilson
    >>> print(interval.precision_at_threshold(relevant, score, beta=1, rng=1))
    precision at max F1 0.3534 [0.2907, 0.4262] 95 % optimism bootstrap, seed 1
    """
    if threshold is None:
        blocks = blocks_of(relevant, score, weights, missed, positive, higher_is_better, groups)
        return tuned.precision(
            blocks, recall=recall, least=precision, beta=beta, level=level, method=method or tuned.METHOD,
            rng=rng, resamples=resamples,
        )  # fmt: skip
    if not all(one is None for one in (recall, precision, beta)):
        raise UsageError("give exactly one of threshold, recall, precision, beta; got several")
    if isinstance(threshold, bool) or not isinstance(threshold, int | float | np.number):
        raise UsageError(f"threshold: must be a number, got {threshold!r}")
    from precall.curves import curve

    if groups is not None:
        raise UsageError(
            "groups: not at a fixed threshold; leave groups= out, or take the mean of each group's precision"
        )
    path = curve(relevant, score, missed, weights, positive, higher_is_better)
    if path.tp.dtype.kind == "f":
        raise UsageError("weights: at a fixed threshold they must be whole numbers, which repeat a case")
    point = path.at(threshold=threshold if higher_is_better else -threshold)
    name = f"precision at threshold {threshold:g}"
    return of_counts.proportion(
        int(point.tp), int(point.tp + point.fp), level=level, method=method or "wilson", measure=name
    )


def pr_band(
    relevant: Any, score: Any, missed: int = 0, *, level: float = 0.95, kind: str = "simultaneous",
    method: str = "bootstrap", grid: Any = None, rng: Rng = 0, resamples: int = 1000, positive: Any = None,
    higher_is_better: bool = True, weights: Any = None, groups: Any = None,
) -> Band:  # fmt: skip
    """Band of the precision-recall curve: precision at given recalls, with bounds.

    Parameters
    ----------
    relevant, score, missed, positive, higher_is_better : as `pc.curve` takes them.
    level : nominal coverage, in (0, 1): of the whole curve over the grid, or of each place.
    kind : "simultaneous" (default): the whole curve lies in the band; "pointwise": each place by itself does,
        so that a curve leaves such a band somewhere more often than not.
    method : "bootstrap" (default), or "dkw": bounds that hold for any number of cases, wide, without sampling.
    grid : recalls, ascending, in (0, 1] (default: .05, .10, ..., .95).
    rng : seed or Generator.
    resamples : samples of the cases.
    weights, groups : as in `average_precision`, by the bootstrap only: "dkw" counts independent cases.

    Returns
    -------
    Band

    Warns
    -----
    PrecallWarning
        By the bootstrap with fewer than 100 cases of a kind or even groups.

    Examples
    --------
    >>> import numpy as np
    >>> from precall import interval
    >>> rng = np.random.default_rng(1)
    >>> relevant = rng.random(1000) < 0.3
    >>> found = interval.pr_band(relevant, rng.standard_normal(1000) + relevant, grid=[0.25, 0.5, 0.75], rng=1)
    >>> print(found)
    band of precision at 3 points of recall 0.25 to 0.75, simultaneous, 95 % bootstrap, seed 1
    >>> found.low.round(3), found.high.round(3)
    (array([0.473, 0.448, 0.39 ]), array([0.693, 0.591, 0.515]))
    """
    blocks = blocks_of(relevant, score, weights, missed, positive, higher_is_better, groups)
    return bands.band(
        blocks, "pr", level=level, kind=kind, method=method, grid=grid, rng=rng, resamples=resamples
    )


def roc_band(
    relevant: Any, score: Any, missed: int = 0, *, level: float = 0.95, kind: str = "simultaneous",
    method: str = "bootstrap", grid: Any = None, rng: Rng = 0, resamples: int = 1000, positive: Any = None,
    higher_is_better: bool = True, weights: Any = None, groups: Any = None,
) -> Band:  # fmt: skip
    """Band of the ROC curve: recall at given false positive rates, with bounds. Parameters as of `pr_band`.

    The curve is the one of `plot.ROC` and `pc.area_under_roc`: cases of equal score are one block, through which
    the line is straight. By the bootstrap the default grid leaves places out where fewer than 5 relevant cases are
    accepted or rejected, and takes more near 0 if hardly any remain; a grid that is given keeps them, with a warning.
    With fewer than 200 cases of a kind the simultaneous band covers up to 98 %, and warns.

    Examples
    --------
    >>> import numpy as np
    >>> from precall import interval
    >>> rng = np.random.default_rng(1)
    >>> relevant = rng.random(1000) < 0.3
    >>> found = interval.roc_band(relevant, rng.standard_normal(1000) + relevant, grid=[0.1, 0.5], method="dkw")
    >>> found.low.round(3), found.high.round(3)
    (array([0.044, 0.691]), array([0.478, 0.95 ]))
    >>> interval.roc_band([1] * 60 + [0] * 60, [2] * 40 + [1] * 60 + [0] * 20, grid=[0.25, 0.5], method="dkw").estimate
    array([0.79166667, 0.91666667])
    """
    blocks = blocks_of(relevant, score, weights, missed, positive, higher_is_better, groups)
    return bands.band(
        blocks, "roc", level=level, kind=kind, method=method, grid=grid, rng=rng, resamples=resamples
    )
