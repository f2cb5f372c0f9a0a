"""Intervals for measures at a threshold that was chosen on the same cases, and so looks better than
it is.

Each bootstrap sample chooses its own threshold. The optimism is the value there minus the value of
the same threshold on all cases (Efron 1983; Harrell, Lee & Mark 1996). Its mean corrects the
estimate; its quantiles give the interval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

import numpy as np

from precall.core.arguments import check_beta, check_share
from precall.core.errors import Fact, UsageError
from precall.core.notes import collect_notes, warn
from precall.core.notes.of_intervals import FewHeavyCases, LowBeta, MuchOptimism
from precall.core.ragged import Float64, Int64
from precall.core.rng import Rng, generator_and_seed
from precall.measures.registry import find
from precall.native.twin_resampling import LEAST_WEIGHT
from precall.stats.blocks import Blocks
from precall.stats.intervals.f_measure import f as f_of_counts
from precall.stats.intervals.interval import (
    ON_NEW_CASES,
    Interval,
    estimating,
    expit,
    undefined,
    warn_of_few,
)
from precall.stats.intervals.of_tables import of_counts
from precall.stats.intervals.proportion import proportion
from precall.stats.resample.bootstrap import percentile
from precall.stats.resample.resampling import (
    SamplePaths,
    path_of_data,
    paths_of_parts,
    resample_best,
    resample_paths,
    rows_of_paths,
)

METHOD = "optimism bootstrap"
#: Name of recall minus false positive rate at the threshold where it was greatest.
KS = f"KS{ON_NEW_CASES}"
#: Thresholds this number of standard errors below the best one are the best one of no sample.
_FAR = 6.0
#: With fewer relevant or other cases, coverage can leave 93-97 % (docs/how-to/intervals.md). A
#: threshold that keeps a precision depends on single cases and needs more.
FEWEST, FEWEST_KEPT = 50, 200
#: Samples show a quarter to a third less optimism than there is. If it is more than this share of
#: the width, as with scores that hardly separate the kinds, 91-93 % are covered
#: (docs/why/intervals.md).
MUCH = 0.17
#: Keeps the log-odds of 0 and 1 finite.
_SOFT = 1e-3
_ASSUMED = "drawn independently; the threshold was chosen on the same cases"

Rule = Callable[[SamplePaths], Int64]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TunedInterval(Interval):
    """The interval of a measure at a threshold: `estimate` and bounds account for the choice of the
    threshold, `naive` does not.

    Parameters
    ----------
    naive : the observed value, with the interval it would have if the threshold had been fixed
        beforehand; None if it was.
    row : index of the chosen threshold among those of relevant cases, best first; -1 for a fixed
        one.
    threshold : a case is accepted if its score is at least as good as this, on the original scale;
        None if there is no threshold, or if the list was made from counts.
    higher_is_better : False if scores of at most the threshold are accepted.
    """

    naive: Interval | None = None
    row: int = -1
    threshold: float | None = None
    higher_is_better: bool = True

    def _line(self) -> str:
        # For a fixed threshold, the name of the measure contains it.
        chosen, sign = (
            self.threshold is not None and self.row >= 0,
            "" if self.higher_is_better else "<= ",
        )
        return Interval._line(self) + (f", threshold {sign}{self.threshold:g}" if chosen else "")

    @property
    def optimism(self) -> float | None:
        """Naive minus corrected estimate: how much the data overrate their own threshold; None if
        the threshold was fixed.
        """
        return None if self.naive is None else self.naive.estimate - self.estimate


@estimating("tuned threshold")
def max_f(
    blocks: Blocks,
    beta: float = 1.0,
    *,
    level: float = 0.95,
    method: str = METHOD,
    rng: Rng = 0,
    resamples: int = 1000,
) -> Interval:
    """Interval of the F that the threshold of greatest F has on new cases; see
    `pc.interval.max_f`.
    """
    square = check_beta(beta) ** 2

    def naive(tp: int, fp: int, fn: int) -> Interval:
        return f_of_counts(tp, fp, fn, beta, level=level)

    observed = "max F" if beta == 1 else f"max F{beta:g}"
    return _interval_at_choice(
        blocks,
        observed + ON_NEW_CASES,
        _BestF(square),
        lambda path: path.f(square),
        naive,
        level,
        rng,
        resamples,
        observed=observed,
    )


@estimating("tuned threshold")
def youden(
    blocks: Blocks,
    *,
    level: float = 0.95,
    method: str = METHOD,
    rng: Rng = 0,
    resamples: int = 1000,
) -> Interval:
    """Interval of the recall minus false positive rate that the threshold of KS, where it is
    greatest, has on new cases.
    """
    if blocks.relevant and not blocks.other:
        none = undefined(KS, "everything is relevant", level, METHOD)
        return with_threshold(none, None)

    def naive(tp: int, fp: int, fn: int) -> Interval:
        table = (tp, fp, fn, int(blocks.other) - fp)
        return of_counts(find("YoudenJ"), "YoudenJ", table, level=level)

    # Log-odds are of a share: the mean of recall and specificity.
    return _interval_at_choice(
        _near_best(blocks),
        KS,
        _Best(_mean_recall),
        _mean_recall,
        naive,
        level,
        rng,
        resamples,
        observed="KS",
        ends=(-1.0, 1.0),
    )


def _mean_recall(path: SamplePaths) -> Float64:
    """The mean of recall and specificity at every threshold."""
    recall = path.tp / np.maximum(path.relevant, LEAST_WEIGHT)
    return np.asarray((recall + 1 - path.fp / np.maximum(path.other, LEAST_WEIGHT)) / 2)


def _near_best(blocks: Blocks) -> Blocks:
    """The blocks, those joined that are too far below the best threshold to be the best one of a
    sample: drawing a long list takes long.
    """
    if blocks.cases is not None or not blocks.positive.any() or not blocks.other:
        return blocks
    blocks = blocks.thin()
    recall, fallout = blocks.tp / blocks.relevant, blocks.fp / blocks.other
    value = recall - fallout
    best = int(value.argmax())
    # In samples, the cases between two thresholds are binomial; a few of them are more skewed.
    of_recall, of_fallout = abs(recall - recall[best]), abs(fallout - fallout[best])
    error = np.sqrt(of_recall / blocks.relevant + of_fallout / blocks.other)
    few = 2 * _FAR / min(blocks.relevant, blocks.other)
    near = np.flatnonzero(value >= value[best] - _FAR * error - few)
    start = np.append(0, np.arange(max(int(near[0]), 1), len(value)))
    start = start[start <= near[-1] + 1]
    positive, negative = (
        np.add.reduceat(column.astype(np.int64), start)
        for column in (blocks.positive, blocks.negative)
    )
    of_all, last = blocks.scores, start[1:] - 1
    # A joined block ends at the last of its scores.
    scores = None if of_all is None else lambda: of_all()[np.append(last, len(of_all()) - 1)]
    return replace(blocks, positive=positive, negative=negative, scores=scores)


@estimating("tuned threshold")
def precision(
    blocks: Blocks,
    *,
    recall: float | None = None,
    least: float | None = None,
    beta: float | None = None,
    level: float = 0.95,
    method: str = METHOD,
    rng: Rng = 0,
    resamples: int = 1000,
) -> Interval:
    """Interval of the precision that a chosen threshold has on new cases; see
    `pc.interval.precision_at_threshold`.
    """
    rules = {"recall": recall, "precision": least, "beta": beta}
    chosen_rules = [name for name, value in rules.items() if value is not None]
    if len(chosen_rules) != 1:
        raise UsageError(
            f"give exactly one of threshold, {', '.join(rules)};",
            got=Fact(", ".join(chosen_rules) or "none"),
        )
    if least is not None:
        check_share("precision", least, nonzero=True)
    if recall is not None:
        rule, name = _reach_recall(check_share("recall", recall)), f"precision at recall {recall:g}"
        # `Curve.at` accepts the first block as well; but a threshold above all relevant cases says
        # nothing about new cases.
        if recall == 0 and blocks.positive.any() and not blocks.positive[0]:
            return undefined(name, "the first block holds nothing relevant", level, METHOD, 0.0)
    elif least is not None:
        rule, name = _keep_precision(least), f"precision kept at {least:g}"
    else:
        rule, name = _BestF(check_beta(beta) ** 2), f"precision at max F{beta:g}"
        if beta < 1:  # type: ignore[operator]
            warn(LowBeta(name))

    def naive(tp: int, fp: int, fn: int) -> Interval:
        return proportion(tp, tp + fp, level=level, measure=name)

    fewest = FEWEST if least is None else FEWEST_KEPT
    return _interval_at_choice(
        blocks, name, rule, lambda path: path.precision, naive, level, rng, resamples, fewest
    )


class _Best:
    """Rule that chooses the threshold of the greatest value."""

    def __init__(self, value: Callable[[SamplePaths], Float64]) -> None:
        self.value = value

    def __call__(self, path: SamplePaths) -> Int64:
        return np.asarray(np.argmax(self.value(path), axis=0))

    def of_parts(self, paths: Iterable[SamplePaths]) -> int:
        """The chosen row of the path of the data themselves, which comes in parts; -1 if it is
        empty.
        """
        row, greatest, start = -1, -1.0, 0
        for path in paths:
            values = self.value(path)[:, 0]
            if len(values) and (most := float(values.max())) > greatest:
                row, greatest = start + int(values.argmax()), most
            start += len(values)
        return row


class _BestF(_Best):
    """Rule that chooses the threshold of greatest F; `square` is β²."""

    def __init__(self, square: float) -> None:
        super().__init__(lambda path: path.f(square))
        self.square = square


def _reach_recall(recall: float) -> Rule:
    """Rule that chooses the first threshold whose recall is at least `recall`."""

    def rule(path: SamplePaths) -> Int64:
        # Within rounding: .1 of 30 is 3, not a little more. For recall 0 it is the first threshold
        # of a relevant case.
        enough = (path.tp >= recall * path.relevant * (1 - 1e-12)) & (path.tp > 0)
        return np.where(enough.any(axis=0), np.argmax(enough, axis=0), -1)

    return rule


def _keep_precision(least: float) -> Rule:
    """Rule that chooses the threshold of most hits whose precision is at least `least`."""

    def rule(path: SamplePaths) -> Int64:
        enough = (path.precision >= least) & (path.tp > 0)
        last = len(enough) - 1 - np.argmax(enough[::-1], axis=0)
        # The last row that is precise enough; of rows with as many hits the first, which accepts
        # fewest.
        best = np.take_along_axis(path.tp, last[None], axis=0)
        first = np.argmax(enough & (path.tp >= best), axis=0)
        return np.where(enough.any(axis=0), first, -1)

    return rule


def _interval_at_choice(
    blocks: Blocks,
    name: str,
    rule: Rule,
    measure: Callable[[SamplePaths], Float64],
    naive: Callable[[int, int, int], Interval],
    level: float,
    rng: Rng,
    resamples: int,
    fewest: int = FEWEST,
    observed: str = "",
    ends: tuple[float, float] = (0.0, 1.0),
) -> Interval:
    """Interval of a measure at the threshold that a rule chooses, corrected for optimism.

    `naive` gives the interval for a fixed threshold from its tp, fp and fn. With fewer than
    `fewest` cases of a kind there is a warning. `observed` is the measure on these cases, if it has
    another name than on new ones. `measure` is a share of the way from the first of `ends` to the
    second.
    """
    if not blocks.relevant or not blocks.positive.sum():
        return with_threshold(undefined(name, "no relevant case was scored", level, METHOD), None)
    # The best threshold is at a hit, so blocks without hits can be merged: a long list becomes
    # short.
    blocks = blocks.thin() if isinstance(rule, _Best) else blocks
    paths = _paths(blocks, isinstance(rule, _Best))
    row = rule.of_parts(paths()) if isinstance(rule, _Best) else int(rule(next(paths()))[0])
    if row < 0:
        return with_threshold(
            undefined(name, "no threshold of these cases reaches it", level, METHOD), None
        )
    is_small = warn_of_few(name, blocks, fewest, fewest)
    if not is_small and (heavy := blocks.few_heavy_relevant()):
        warn(FewHeavyCases(name, heavy, "miss"))
    source, seed = generator_and_seed(rng)

    def value_on_all(rows: Int64) -> Float64:
        return measure(rows_of_paths(paths(), rows))[:, 0]

    optimism, scale = _optimism(blocks, rule, measure, value_on_all, resamples, source)
    path = rows_of_paths(paths(), np.array([row]))
    value = float(measure(path)[0, 0])
    low, high = percentile(scale, level)
    odds = float(_soft_log_odds(value))
    # Real weights are not counts, so the naive value has no bounds.
    least, wide = ends[0], ends[1] - ends[0]
    naive_interval = Interval(least + wide * value, None, None, level, "none")
    if not blocks.real:
        tp, fp = int(path.tp[0, 0]), int(path.fp[0, 0])
        with collect_notes():
            naive_interval = naive(tp, fp, int(blocks.relevant) - tp)
    corrected = min(max(value - float(optimism.mean()), 0.0), 1.0)
    low, high = (
        min(_share_of_log_odds(odds - high), corrected),
        max(_share_of_log_odds(odds - low), corrected),
    )
    if not is_small and value - corrected > MUCH * (high - low):
        warn(MuchOptimism(name, wide * (value - corrected), wide * (high - low)))
    assumptions = f"{'groups' if blocks.has_groups else 'cases'} {_ASSUMED}"
    naive_interval = replace(naive_interval, measure=f"{observed or name}, naive")
    facts = (METHOD, name, assumptions, seed, len(optimism), wide * float(optimism.std()))
    threshold = None if blocks.scores is None else blocks.scores()[row].item()
    return TunedInterval(
        least + wide * corrected,
        least + wide * low,
        least + wide * high,
        level,
        *facts,
        naive=naive_interval,
        row=row,
        threshold=threshold,
        higher_is_better=blocks.higher_is_better,
    )


def with_threshold(
    interval: Interval, threshold: float | None, higher_is_better: bool = True
) -> TunedInterval:
    """The interval with a threshold that was fixed beforehand, or with None if there is none."""
    facts = {column.name: getattr(interval, column.name) for column in fields(Interval)}
    return TunedInterval(**facts, threshold=threshold, higher_is_better=higher_is_better)


def _paths(blocks: Blocks, by_parts: bool) -> Callable[[], Iterator[SamplePaths]]:
    """Function that iterates over the path of the data themselves, in parts if `by_parts`: the path
    of a long list takes more memory than its cases.
    """
    if by_parts and len(blocks.rows()) > 1:
        return partial(paths_of_parts, blocks)
    path = path_of_data(blocks)
    return lambda: iter([path])


def _soft_log_odds(value: Any) -> Any:
    """Log-odds that are finite for 0 and 1."""
    return np.log((value + _SOFT) / (1 - value + _SOFT))


def _share_of_log_odds(odds: float) -> float:
    """The share with these soft log-odds: the inverse of `_soft_log_odds`, within 0..1."""
    share = expit(odds)
    return min(max(share * (1 + 2 * _SOFT) - _SOFT, 0.0), 1.0)


def _optimism(
    blocks: Blocks,
    rule: Rule,
    measure: Callable[[SamplePaths], Float64],
    value_on_all: Callable[[Int64], Float64],
    count: int,
    rng: np.random.Generator,
) -> tuple[Float64, Float64]:
    """How much each sample overrates its threshold: as a difference, and on the log-odds scale.

    `value_on_all` returns the measure on all cases for given thresholds.
    """
    differences, log_odds_differences = [], []
    for row, path in _choose_by_sample(blocks, rule, count, rng):
        is_valid = (row >= 0) & (path.relevant > 0)
        if not is_valid.all():
            valid = np.flatnonzero(is_valid)
            row, path = row[valid], path.at(np.zeros_like(valid), valid)
        in_sample, on_all = measure(path)[0], value_on_all(row)
        differences.append(in_sample - on_all)
        log_odds_differences.append(_soft_log_odds(in_sample) - _soft_log_odds(on_all))
    return np.concatenate(differences), np.concatenate(log_odds_differences)


def _choose_by_sample(
    blocks: Blocks, rule: Rule, count: int, rng: np.random.Generator
) -> Iterator[tuple[Int64, SamplePaths]]:
    """Batches of samples: the threshold that the rule chooses in each (-1 for none), and the counts
    that it accepts.
    """
    if isinstance(rule, _BestF) and blocks.cases is None:
        yield resample_best(blocks, rule.square, count, rng)
        return
    for path in resample_paths(blocks, count, rng):
        row = rule(path)
        yield row, path.at(row, np.arange(len(row)))
