"""Intervals for measures of one scored list, from labels and scores."""

from __future__ import annotations

from typing import Any

from precall.infer.blocks import Blocks
from precall.infer.interval import average_precision as ap
from precall.infer.interval import delong, tuned
from precall.infer.interval.interval import Interval
from precall.intervals.cases import blocks_of
from precall.rng import Rng


def average_precision(
    relevant: Any, score: Any, weights: Any = None, missed: int | float = 0, *, level: float = 0.95,
    method: str = "logit", groups: Any = None, stratified: bool = False, rng: Rng = 0,
    resamples: int = 2000, positive: Any = None, higher_is_better: bool = True,
) -> Interval:  # fmt: skip
    """Interval of average precision of one scored list.

    The estimate is `pc.average_precision`: cases of equal score are one block. What it estimates is the
    average precision that the same scorer would reach on ever more cases drawn the same way.

    Parameters
    ----------
    relevant, score, missed, positive, higher_is_better : as `pc.curve` takes them.
    weights : of each case, >= 0. Integers repeat a case; floats, whole ones too, are sampling weights: each row is
        one case, however heavy.
    level : nominal coverage, in (0, 1).
    method : "logit" (default): influences of the cases give the variance, without resampling; the interval is
        symmetric on the log-odds scale, with Student's t for the relevant cases and a correction for bias.
        "normal": value ± z errors, cut to 0..1. "percentile", "bca": bootstrap of the cases.
    groups : the group of each case (user, document, ...): groups are drawn, not cases. Groups of uneven size are worth
        fewer even ones, (Σw)² / Σw² with w a group's cases of the scarcer kind; Student's t has their degrees of freedom.
    stratified : the numbers of relevant and of other cases were fixed beforehand (a case-control sample).
    rng : seed or Generator of the bootstrap.
    resamples : samples of the bootstrap.

    Returns
    -------
    Interval
        Undefined (NaN, with a warning) when nothing is relevant or no relevant case was scored. At 1, where
        the influences vanish, the low end is Wilson's for as many trials as there are relevant cases.

    Warns
    -----
    PrecallWarning
        Fewer than 20 relevant or other cases, or groups worth fewer than 8 even ones, or less than one expected miss: the
        coverage can leave 93-97 %. Of real weights a few, fewer than 20, are over twice the mean of their kind: it covered
        89-96 %, as what was not drawn weighs most. The bias of AP is more than .35 of its error, as it is next to chance
        with few relevant cases: it can cover up to 99 %.

    Raises
    ------
    DataError, UsageError
        As `pc.curve` does; and for a level, method, or combination of options that is not allowed.

    Notes
    -----
    The bootstrap draws how many cases fall between relevant ones, never sorts again, and takes copies of an
    untied case as neighbours, not as ties: as ties they would count in each other's precision. Boyd, Eng &
    Page (2013) compare intervals for this area; theirs depend on the number of relevant cases alone.

    Examples
    --------
    >>> from precall import interval
    >>> relevant = [1, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0] * 3
    >>> score = list(range(72, 0, -1))
    >>> print(interval.average_precision(relevant, score))
    average precision 0.5277 [0.3403, 0.6894] 95 % logit
    >>> print(interval.average_precision(relevant, score, method="bca", rng=1))
    average precision 0.5277 [0.3516, 0.6881] 95 % bca, seed 1
    """
    blocks = blocks_of(relevant, score, weights, missed, positive, higher_is_better, groups)
    return ap.interval(
        blocks, level=level, method=method, stratified=stratified, rng=rng, resamples=resamples
    )


def area_under_roc(
    relevant: Any, score: Any, weights: Any = None, missed: int | float = 0, *, level: float = 0.95,
    method: str = "delong-newcombe", groups: Any = None, rng: Rng = 0, positive: Any = None,
    higher_is_better: bool = True,
) -> Interval:  # fmt: skip
    """Interval of the area under the ROC curve of one scored list, by DeLong's variance.

    Parameters
    ----------
    relevant, score, missed, positive, higher_is_better : as `pc.curve` takes them.
    weights, groups : as in `average_precision`; by groups the components are added as Obuchowski's (1997) are, and each
        group is freed of its own pull (Bell & McCaffrey 2002).
    level : nominal coverage, in (0, 1).
    method : "logit-delong": symmetric on the log-odds scale, with Student's t for the degrees of freedom that Welch gives
        the two kinds; "delong": value ± z errors, cut to 0..1, which is what pROC gives; "newcombe": the score interval
        of Newcombe (2006, method 5), whose variance is that of the bound, not of the sample; "delong-newcombe"
        (default): "logit-delong", whose bound goes over into Newcombe's as the errors to be expected become few.
    rng : taken as by every interval; nothing is drawn here.

    Returns
    -------
    Interval
        Undefined (NaN, with a warning) without relevant or without other cases, and where the variance is 0, as of equal
        scores. At 0 and 1 DeLong's variance is 0; there the other end is Newcombe's ("logit-delong": Wilson's for as
        many trials as there are cases of the scarcer kind; "delong": there is none).

    Warns
    -----
    PrecallWarning
        Fewer than 25 cases of a kind, groups worth fewer than 8, or less than 3 expected errors: the coverage
        can leave 93-97 %, mostly upwards (97-99 %). Of real weights a few, fewer than 25, are over twice the mean of
        their kind: it covered 88-94 %.

    Examples
    --------
    >>> from precall import interval
    >>> relevant = [1, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0] * 3
    >>> print(interval.area_under_roc(relevant, list(range(72, 0, -1))))
    area under ROC 0.5667 [0.4265, 0.6969] 95 % delong-newcombe
    """
    blocks = blocks_of(relevant, score, weights, missed, positive, higher_is_better, groups)
    return delong.interval(blocks, level=level, method=method)


def of_blocks(blocks: Blocks, level: float, rng: Rng, method: str = "logit") -> dict[str, Interval]:
    """The intervals that commands and pages show of one scored list; `method` is of average precision.

    Examples
    --------
    >>> list(of_blocks(blocks_of([1, 0] * 60, list(range(120))), 0.95, 1))
    ['AP', 'AUC', 'max F on new cases']
    """
    return {
        "AP": ap.interval(blocks, level=level, method=method, rng=rng),
        "AUC": delong.interval(blocks, level=level),
        tuned.MAX_F: tuned.max_f(blocks, level=level, rng=rng),
    }
