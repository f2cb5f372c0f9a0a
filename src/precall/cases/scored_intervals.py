"""Intervals and bands of one scored list, from labels and scores; `average_precision` documents the
parameters that all share.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar, cast

from precall.cases import curve
from precall.cases.intervals import blocks_of
from precall.core.arguments import is_number
from precall.core.errors import Fact, UsageError
from precall.core.notes import Note
from precall.core.rng import Rng
from precall.stats.blocks import Blocks
from precall.stats.intervals import areas, bands, tuned
from precall.stats.intervals.bands import Band
from precall.stats.intervals.interval import Interval, like, warn_of_weights
from precall.stats.intervals.proportion import proportion
from precall.stats.turned_scores import sums_of_counts, turned_scores

_T = TypeVar("_T")


def average_precision(
    relevant: object,
    score: object,
    weights: object = None,
    missed: int | float = 0,
    *,
    level: float = 0.95,
    method: str = "logit",
    groups: object = None,
    stratified: bool = False,
    rng: Rng = 0,
    resamples: int = 2000,
    positive: object = None,
    higher_is_better: bool = True,
) -> Interval:
    """Interval of average precision of one scored list.

    The estimate is `pc.average_precision`: cases of equal score are one block. It estimates the
    average precision of the same scorer over an unlimited sample of cases drawn in the same way.

    Parameters
    ----------
    relevant, score, missed, positive, higher_is_better : as `pc.curve` takes them.
    weights : weight of each case, >= 0. Integers repeat a case; floats, even whole ones, are
        sampling weights: each row is one case, whatever its weight.
    level : nominal coverage, in (0, 1).
    method : "logit" (default): the influences of the cases give the variance, without resampling.
        The interval is symmetric on the log-odds scale, with Student's t for the number of relevant
        cases and a correction for bias. With sampling weights or groups each bound has its own
        centre, computed with each relevant case's own case or group left out. "normal": value ± z
        errors, cut to 0..1. "percentile", "bca": bootstrap of the cases.
    groups : the group of each case (user, document, ...): groups are drawn, not cases. Groups of
        uneven size count by their effective number, (Σw)² / Σw², with w a group's number of cases
        of the scarcer kind. Student's degrees of freedom are one less, or fewer if a few groups
        have most of the influence.
    stratified : whether the numbers of relevant and of other cases were fixed beforehand (a
        case-control sample).
    rng : seed, Generator or SeedSequence of the bootstrap; None for a fresh seed.
    resamples : how many samples the bootstrap draws.

    Returns
    -------
    Interval
        Undefined (None, with a warning) when nothing is relevant or no relevant case was scored. If
        the value is 1, where the influences vanish, the low end is Wilson's for as many trials as
        there are relevant cases.

    Warns
    -----
    PrecallWarning
        The coverage can leave 93-97 %: fewer than 20 relevant or other cases, effectively fewer
        than 8 groups, or less than one expected miss. The bias of AP exceeds .35 of its error, as
        it does near chance with few relevant cases: the interval can cover up to 99 %. Other cases
        weigh more than relevant ones, and too few of them were drawn above the relevant ones to
        tell how many there are: the value is too high, by the amount in the warning, and the
        interval wide. A few groups make most of the error, score far from the others, or are
        too few (fewer than 25) to show whether some do.

    Raises
    ------
    DataError, UsageError
        As `pc.curve` does; and for a level, method, or combination of options that is not allowed.

    Notes
    -----
    The bootstrap draws the numbers of cases between relevant ones and never sorts again. It takes
    copies of an untied case as neighbours, not as ties: as ties they would count in each other's
    precision. Boyd, Eng & Page (2013) compare intervals for this area; theirs depend on the number
    of relevant cases alone.

    Examples
    --------
    >>> from precall import interval
    >>> relevant = [1, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0] * 3
    >>> score = list(range(72, 0, -1))
    >>> print(interval.average_precision(relevant, score))
    average precision 0.5277 [0.3403, 0.6894] 95 % logit
    >>> print(interval.average_precision(relevant, score, method="bca", rng=1))
    average precision 0.5277 [0.3516, 0.6881] 95 % bca, 2,000 resamples, seed 1
    """
    blocks = blocks_of(relevant, score, weights, missed, positive, higher_is_better, groups)
    interval = areas.average_precision(
        blocks, level=level, method=method, stratified=stratified, rng=rng, resamples=resamples
    )
    return _noticing(interval, blocks)


def area_under_roc(
    relevant: object,
    score: object,
    weights: object = None,
    missed: int | float = 0,
    *,
    level: float = 0.95,
    method: str = "delong-newcombe",
    groups: object = None,
    rng: Rng = 0,
    positive: object = None,
    higher_is_better: bool = True,
) -> Interval:
    """Interval of the area under the ROC curve of one scored list, by DeLong's variance.

    Parameters
    ----------
    relevant, score, weights, missed, positive, higher_is_better, level : see `average_precision`.
    groups : see `average_precision`. The components of groups are added as in Obuchowski (1997),
        with each group corrected for its own leverage (Bell & McCaffrey 2002).
    method : "logit-delong": symmetric on the log-odds scale, with Student's t for Welch's degrees
        of freedom of the two kinds. "delong": value ± z errors, cut to 0..1, as in pROC.
        "newcombe": the score interval of Newcombe (2006, method 5), which takes the variance at the
        bound, not that of the sample. "delong-newcombe" (default): "logit-delong", whose bound
        changes gradually into Newcombe's as the number of expected errors gets small. "obuchowski":
        with groups, her variance (1997), value ± z errors, as published; without groups it is
        "delong".
    rng : accepted as in every interval; nothing is drawn here.

    Returns
    -------
    Interval
        Undefined (None, with a warning) without relevant or without other cases, and if the
        variance is 0, as it is if all scores are equal. At values 0 and 1 DeLong's variance is 0;
        the other end is then Newcombe's ("logit-delong": Wilson's for as many trials as there are
        cases of the scarcer kind; "delong": there is none).

    Raises
    ------
    DataError
        A label or score is missing or not allowed; the message names the first case.
    UsageError
        Lengths differ, or an argument is not allowed.

    Warns
    -----
    PrecallWarning
        The coverage can leave 93-97 %, mostly upwards (97-99 %): fewer than 25 cases of a kind,
        effectively fewer than 8 groups, or less than 3 expected errors. A few real weights, fewer
        than 25, exceed twice the mean weight of their kind: the coverage was 88-94 %.

    Examples
    --------
    >>> from precall import interval
    >>> relevant = [1, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0] * 3
    >>> print(interval.area_under_roc(relevant, list(range(72, 0, -1))))
    area under ROC 0.5667 [0.4265, 0.6969] 95 % delong-newcombe
    """
    blocks = blocks_of(relevant, score, weights, missed, positive, higher_is_better, groups)
    interval = areas.area_under_roc(blocks, level=level, method=method)
    return _noticing(interval, blocks)


def partial_area_under_roc(
    relevant: object,
    score: object,
    max_fpr: float,
    mcclish: bool = False,
    *,
    weights: object = None,
    missed: int | float = 0,
    level: float = 0.95,
    method: str = "logit-delong",
    groups: object = None,
    rng: Rng = 0,
    resamples: int = 2000,
    positive: object = None,
    higher_is_better: bool = True,
) -> Interval:
    """Interval of the part of the area under the ROC curve up to a false positive rate.

    Parameters
    ----------
    max_fpr : the rate, in (0, 1].
    mcclish : whether area and bounds are rescaled to .5 (chance) .. 1 (perfect), as by McClish
        (1989); otherwise they are the area itself, at most `max_fpr`. Below chance McClish's value
        is below .5.
    relevant, score, weights, missed, groups, positive, higher_is_better, level : see
        `average_precision`.
    method : "logit-delong" (default): DeLong's variance with the components of a part (Zhang et al.
        2002; He & Escobar 2010), symmetric on the log-odds of the share of the greatest possible
        area, with Student's t for Welch's degrees of freedom; of the other cases only those within
        the part count. "delong": value ± z errors, cut. "percentile", "bca": bootstrap of the
        cases. "obuchowski", with groups: her variance (1997), value ± z errors.
    rng, resamples : see `average_precision`.

    Returns
    -------
    Interval
        `estimate` is the measure AUC(max_fpr=...). Undefined (None, with a warning) without
        relevant or without other cases, and if the variance is 0. If no relevant case, or every
        one, stands above all other cases within the part, the other end is Wilson's for as many
        trials as there are relevant cases, or other cases within the part, whichever are fewer.

    Warns
    -----
    PrecallWarning
        The coverage can leave 93-97 % (docs/why/coverage.md): fewer than 25 cases of a kind,
        effectively fewer than 8 groups, fewer than 15 other cases within the part, or less than 3
        expected errors or hits. With one other case within the part the coverage was 70 %.

    Raises
    ------
    DataError, UsageError
        As `pc.curve` does; and for a rate, level or method that is not allowed.

    Notes
    -----
    The variance includes that every sample reaches the rate at another score; with the score fixed
    it would differ. pROC's `ci.auc` of a part resamples as well. scikit-learn's
    `roc_auc_score(max_fpr=)` is McClish's, and has no interval.

    Examples
    --------
    >>> from precall import interval
    >>> relevant = [1, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0] * 3
    >>> print(interval.partial_area_under_roc(relevant, list(range(72, 0, -1)), 0.5))
    area under ROC up to 0.5 0.1611 [0.0887, 0.2559] 95 % logit-delong
    """
    blocks = blocks_of(relevant, score, weights, missed, positive, higher_is_better, groups)
    interval = areas.partial_area_under_roc(
        blocks, max_fpr, mcclish, level=level, method=method, rng=rng, resamples=resamples
    )
    return _noticing(interval, blocks)


def max_f(
    relevant: object,
    score: object,
    beta: float = 1.0,
    missed: int = 0,
    *,
    level: float = 0.95,
    method: str = "optimism bootstrap",
    rng: Rng = 0,
    resamples: int = 1000,
    positive: object = None,
    higher_is_better: bool = True,
    weights: object = None,
    groups: object = None,
) -> Interval:
    """Interval of the F that the threshold of greatest F will have on new cases.

    `Curve.max_f` returns the greatest F of the data at hand, to which the threshold was fitted.
    Here the optimism of that choice is estimated and subtracted.

    Parameters
    ----------
    beta : >= 0, weight of recall; with 0, F is precision.
    method : "optimism bootstrap", the only one.
    relevant, score, missed, positive, higher_is_better, level, rng, resamples : see
        `average_precision`.
    weights : see `average_precision`. With real weights `naive` has no bounds.
    groups : see `average_precision`.

    Returns
    -------
    TunedInterval
        `estimate`, `low`, `high` are corrected; `naive` is the interval as if the threshold had
        been fixed beforehand, and `optimism` the difference of the two estimates. `threshold` is
        the lowest accepted score (with `higher_is_better=False` the highest). Undefined (None, with
        a warning) when no relevant case was scored.

    Raises
    ------
    DataError
        A label or score is missing or not allowed; the message names the first case.
    UsageError
        Lengths differ, or an argument is not allowed.

    Warns
    -----
    PrecallWarning
        Fewer than 50 relevant or other cases or even groups.

    Notes
    -----
    The optimism bootstrap of Efron (1983) and Harrell, Lee & Mark (1996): each sample chooses its
    own threshold. Its F on the sample minus its F on the whole data is one draw of the optimism.

    Examples
    --------
    >>> from precall import interval
    >>> found = interval.max_f(
    ...     [1, 1, 0, 1, 0, 0] * 40 + [1, 0, 0, 0] * 60, range(480, 0, -1), rng=1
    ... )
    >>> print(found)
    max F on new cases 0.5588 [0.5054, 0.6078] 95 % optimism bootstrap, 1,000 resamples, seed 1, threshold 240
    >>> print(found.naive)
    max F, naive 0.5748 [0.5163, 0.6304] 95 % posterior
    """  # noqa: E501
    blocks = blocks_of(relevant, score, weights, missed, positive, higher_is_better, groups)
    interval = tuned.max_f(blocks, beta, level=level, method=method, rng=rng, resamples=resamples)
    return _noticing(interval, blocks)


def precision_at_threshold(
    relevant: object,
    score: object,
    threshold: float | None = None,
    *,
    recall: float | None = None,
    precision: float | None = None,
    beta: float | None = None,
    missed: int = 0,
    level: float = 0.95,
    method: str | None = None,
    rng: Rng = 0,
    resamples: int = 1000,
    positive: object = None,
    higher_is_better: bool = True,
    weights: object = None,
    groups: object = None,
) -> Interval:
    """Interval of the precision that a threshold will have on new cases.

    Parameters
    ----------
    threshold : a threshold fixed before these cases were seen: Wilson's interval of the precision
        there.
    recall : the threshold was chosen on these cases to accept as few as reach this recall, as
        `Curve.at(recall=)` does. With 0 that is the first block; its precision has no interval if
        the block holds nothing relevant.
    precision : the threshold was chosen for the greatest recall at which precision is at least
        this.
    beta : the threshold was chosen for the greatest F.
    method : for a fixed threshold, the methods of `proportion` (default "wilson"); otherwise
        "optimism bootstrap", the only one.
    relevant, score, missed, positive, higher_is_better, level, rng, resamples : see
        `average_precision`.
    weights : see `average_precision`. For a fixed threshold integers only.
    groups : see `average_precision`. Not for a fixed threshold.

    Returns
    -------
    Interval
        For a chosen threshold a `TunedInterval`, corrected for the choice, with the `naive`
        interval in addition; see `max_f`. `threshold` is the score that was given or chosen.
        Undefined (None, with a warning) when no relevant case was scored, or no threshold meets the
        condition.

    Warns
    -----
    PrecallWarning
        Fewer than 50 relevant or other cases or even groups, or than 200 if a precision is kept.
        With a beta below 1: the interval covers up to 98 %.

    Raises
    ------
    UsageError
        Not exactly one of threshold, recall, precision and beta is given.

    Examples
    --------
    >>> from precall import interval
    >>> relevant, score = [1, 1, 0, 1, 0, 0] * 40 + [1, 0, 0, 0] * 60, range(480, 0, -1)
    >>> print(interval.precision_at_threshold(relevant, score, 400))
    precision at threshold 400 0.5062 [0.3995, 0.6123] 95 % wilson
    >>> print(interval.precision_at_threshold(relevant, score, beta=1, rng=1))
    precision at max F1 0.4889 [0.4307, 0.5473] 95 % optimism bootstrap, 1,000 resamples, seed 1, threshold 240
    """  # noqa: E501
    if threshold is None:
        blocks = blocks_of(relevant, score, weights, missed, positive, higher_is_better, groups)
        chosen = tuned.precision(
            blocks,
            recall=recall,
            least=precision,
            beta=beta,
            level=level,
            method=method or tuned.METHOD,
            rng=rng,
            resamples=resamples,
        )
        return _noticing(chosen, blocks)
    rules = {"threshold": threshold, "recall": recall, "precision": precision, "beta": beta}
    chosen_by = [name for name, value in rules.items() if value is not None]
    if len(chosen_by) > 1:
        raise UsageError(f"give exactly one of {', '.join(rules)};", got=Fact(", ".join(chosen_by)))
    if not is_number(threshold):
        raise UsageError(argument="threshold", allowed="a number", got=threshold)
    if groups is not None:
        raise UsageError(
            argument="groups",
            what="not at a fixed threshold",
            remedy="leave ⟨groups=⟩ out, or take the mean of each group's precision",
        )
    path = curve(relevant, score, missed, weights, positive, higher_is_better)
    if path.tp.dtype.kind == "f":
        raise UsageError(
            argument="weights",
            what="at a fixed threshold they must be integers, which repeat a case",
        )
    point, sign = path.at(threshold=threshold), "" if higher_is_better else "<= "
    interval = proportion(
        int(point.tp),
        int(point.tp + point.fp),
        level=level,
        method=method or "wilson",
        measure=f"precision at threshold {sign}{threshold:g}",
    )
    warn_of_weights(path.notes)
    return _with_notes(tuned.with_threshold(interval, threshold, higher_is_better), path.notes)


def pr_band(
    relevant: object,
    score: object,
    missed: int = 0,
    *,
    level: float = 0.95,
    kind: str = "simultaneous",
    method: str = "bootstrap",
    grid: object = None,
    rng: Rng = 0,
    resamples: int = 1000,
    positive: object = None,
    higher_is_better: bool = True,
    weights: object = None,
    groups: object = None,
) -> Band:
    """Band of the precision-recall curve: precision at given recalls, with bounds.

    Parameters
    ----------
    kind : "simultaneous" (default): at this level, the whole curve over the grid lies in the band;
        "pointwise": at this level, the curve lies in the band at each single point, so that it
        leaves the band somewhere more often than not.
    method : "bootstrap" (default), or "dkw": bounds that hold for any number of cases, wide,
        without sampling.
    grid : recalls, ascending, in (0, 1] (default: .05, .10, ..., .95).
    relevant, score, missed, positive, higher_is_better, level, rng, resamples : see
        `average_precision`.
    weights, groups : see `average_precision`. Bootstrap only, because "dkw" counts independent
        cases.

    Returns
    -------
    Band

    Warns
    -----
    PrecallWarning
        The bootstrap has fewer than 100 cases of a kind or even groups.

    Examples
    --------
    >>> from precall import interval
    >>> found = interval.pr_band(
    ...     [1, 1, 0, 1, 0, 0] * 80, range(480, 0, -1), grid=[0.25, 0.5, 0.75], rng=1
    ... )
    >>> print(found)
    band of precision at 3 points of recall 0.25 to 0.75, simultaneous, 95 % bootstrap, 1,000 resamples, seed 1
    >>> found.low.round(3), found.high.round(3)
    (array([0.403, 0.431, 0.444]), array([0.607, 0.576, 0.562]))
    """  # noqa: E501
    return _band(
        "pr",
        relevant,
        score,
        missed,
        positive=positive,
        higher_is_better=higher_is_better,
        weights=weights,
        groups=groups,
        level=level,
        kind=kind,
        method=method,
        grid=grid,
        rng=rng,
        resamples=resamples,
    )


@like(pr_band)
def roc_band(*cases: Any, **options: Any) -> Band:
    """Band of the ROC curve: recall at given false positive rates, with bounds. For the parameters
    see `pr_band`.

    The curve is that of `plot.ROC` and `pc.area_under_roc`: cases of equal score are one block,
    which the curve crosses in a straight line. On the default grid of the bootstrap, points with
    fewer than 5 relevant cases accepted or rejected get bounds that follow from those of the other
    points, because the curve never falls; a note says so. If hardly any points remain, the grid has
    more of them near 0. A grid that is given keeps such points, with a warning. With fewer than 200
    cases of a kind the simultaneous band covers up to 98 %, and warns.

    Examples
    --------
    >>> from precall import interval
    >>> found = interval.roc_band(
    ...     [1, 1, 0, 1, 0, 0] * 80, range(480, 0, -1), grid=[0.1, 0.5], method="dkw"
    ... )
    >>> found.low.round(3), found.high.round(3)
    (array([0.   , 0.317]), array([0.296, 0.696]))
    >>> interval.roc_band(
    ...     [1] * 60 + [0] * 60, [2] * 40 + [1] * 60 + [0] * 20, grid=[0.25, 0.5], method="dkw"
    ... ).estimate
    array([0.79166667, 0.91666667])
    """
    return _band("roc", *cases, **options)


def _band(
    which: str,
    relevant: object,
    score: object,
    missed: int = 0,
    *,
    positive: object = None,
    higher_is_better: bool = True,
    weights: object = None,
    groups: object = None,
    **options: Any,
) -> Band:
    blocks = blocks_of(relevant, score, weights, missed, positive, higher_is_better, groups)
    return _noticing(bands.band(blocks, which, **options), blocks)


def _noticing(found: _T, blocks: Blocks) -> _T:
    """The interval with notes about the scores; with groups, those that assume independent cases
    are left out.
    """
    if blocks.has_groups:
        return _with_notes(found, blocks.notes)
    sums = sums_of_counts(blocks.positive), sums_of_counts(blocks.negative)
    turned = turned_scores([sums], blocks.higher_is_better)
    return _with_notes(found, (*blocks.notes, *turned))


def _with_notes(found: _T, notes: tuple[Note, ...]) -> _T:
    result: Any = found
    every = tuple(dict.fromkeys((*notes, *result.notes)))
    return cast(_T, replace(result, notes=every)) if notes else found
