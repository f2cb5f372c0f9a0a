"""Intervals for measures at a threshold that the same cases have chosen, which looks better on them
than it is.

Each sample of the cases chooses its threshold; by how much that is better there than on all cases
is the optimism (Efron 1983; Harrell, Lee & Mark 1996). Its mean corrects the estimate, its
quantiles give the interval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

import numpy as np

from precall.core.arguments import check_beta, check_share
from precall.core.errors import Fact, UsageError
from precall.core.notes import listening, warn
from precall.core.notes.of_intervals import FewHeavyCases, LowBeta, MuchOptimism
from precall.core.ragged import Float64, Int64
from precall.core.rng import Rng, seeded
from precall.stats.blocks import Blocks
from precall.stats.intervals.f_measure import f as f_of_counts
from precall.stats.intervals.interval import (
    MAX_F,
    Interval,
    estimating,
    expit,
    undefined,
    warn_of_few,
)
from precall.stats.intervals.proportion import proportion
from precall.stats.resample.bootstrap import percentile
from precall.stats.resample.resampling import (
    Path,
    accepted_at,
    best_resampled,
    observed,
    observed_by_parts,
    resampled,
)

METHOD = "optimism bootstrap"
#: With fewer relevant or other cases coverage can leave 93-97 % (docs/how-to/intervals.md); a
#: threshold that keeps a precision hangs on single cases and takes more.
FEWEST, FEWEST_KEPT = 50, 200
#: Samples tell less optimism than there is, by a quarter to a third. If it is more than this share
#: of the width, as it is where scores hardly part the kinds, 91-93 % are covered
#: (docs/why/intervals.md).
MUCH = 0.17
#: Keeps the log-odds of 0 and 1 finite.
_SOFT = 1e-3
_ASSUMED = "drawn independently; the threshold was chosen on the same cases"

Rule = Callable[[Path], Int64]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TunedInterval(Interval):
    """The interval of a measure at a threshold: `estimate` and bounds account for its choice,
    `naive` does not.

    Parameters
    ----------
    naive : the value that was seen, with the interval it would have at a threshold fixed
        beforehand; None of one that was.
    row : which of the thresholds that relevant cases have was chosen, best first; -1 of a fixed
        one.
    threshold : a case is accepted if its score is as good as this one, on the scale of the scores
        as they were given; None if there is none, or the list was made of counts.
    higher_is_better : False if scores of the threshold or less are accepted.
    """

    naive: Interval | None = None
    row: int = -1
    threshold: float | None = None
    higher_is_better: bool = True

    def _line(self) -> str:
        # The name of a measure at a fixed threshold says which it is.
        chosen, sign = (
            self.threshold is not None and self.row >= 0,
            "" if self.higher_is_better else "<= ",
        )
        return Interval._line(self) + (f", threshold {sign}{self.threshold:g}" if chosen else "")

    @property
    def optimism(self) -> float | None:
        """By how much the data overrate their own threshold: naive less corrected estimate; None
        where none was made.
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

    name = MAX_F if beta == 1 else MAX_F.replace("F", f"F{beta:g}")
    return _tuned(
        blocks, name, _Best(square), lambda path: path.f(square), naive, level, rng, resamples
    )


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
    given = [name for name, value in rules.items() if value is not None]
    if len(given) != 1:
        raise UsageError(
            f"give exactly one of threshold, {', '.join(rules)};",
            got=Fact(", ".join(given) or "none"),
        )
    if least is not None:
        check_share("precision", least, nonzero=True)
    if recall is not None:
        rule, name = _reaching(check_share("recall", recall)), f"precision at recall {recall:g}"
        # `Curve.at` accepts the first block, too; of new cases a threshold above all relevant ones
        # says nothing.
        if recall == 0 and blocks.positive.any() and not blocks.positive[0]:
            return undefined(name, "the first block holds nothing relevant", level, METHOD, 0.0)
    elif least is not None:
        rule, name = _keeping(least), f"precision kept at {least:g}"
    else:
        rule, name = _Best(check_beta(beta) ** 2), f"precision at max F{beta:g}"
        if beta < 1:  # type: ignore[operator]
            warn(LowBeta(name))

    def naive(tp: int, fp: int, fn: int) -> Interval:
        return proportion(tp, tp + fp, level=level, measure=name)

    fewest = FEWEST if least is None else FEWEST_KEPT
    return _tuned(
        blocks, name, rule, lambda path: path.precision, naive, level, rng, resamples, fewest
    )


@dataclass(frozen=True, slots=True)
class _Best:
    """The threshold of greatest F, `square` being β²."""

    square: float

    def __call__(self, path: Path) -> Int64:
        return np.asarray(np.argmax(path.f(self.square), axis=0))

    def of_parts(self, paths: Iterable[Path]) -> int:
        """The same of the path of the data themselves, of which there are some thresholds at a
        time.
        """
        row, greatest, start = -1, -1.0, 0
        for path in paths:
            values = path.f(self.square)[:, 0]
            if len(values) and (most := float(values.max())) > greatest:
                row, greatest = start + int(values.argmax()), most
            start += len(values)
        return row


def _reaching(recall: float) -> Rule:
    def rule(path: Path) -> Int64:
        # Within rounding: .1 of 30 is 3, not a little more. Of recall 0 the first that a relevant
        # case has.
        enough = (path.tp >= recall * path.relevant * (1 - 1e-12)) & (path.tp > 0)
        return np.where(enough.any(axis=0), np.argmax(enough, axis=0), -1)

    return rule


def _keeping(least: float) -> Rule:
    def rule(path: Path) -> Int64:
        enough = (path.precision >= least) & (path.tp > 0)
        last = len(enough) - 1 - np.argmax(enough[::-1], axis=0)
        # The last that is good enough; of rows with as many hits the first, which accepts least.
        best = np.take_along_axis(path.tp, last[None], axis=0)
        first = np.argmax(enough & (path.tp >= best), axis=0)
        return np.where(enough.any(axis=0), first, -1)

    return rule


def _tuned(
    blocks: Blocks,
    name: str,
    rule: Rule,
    measure: Callable[[Path], Float64],
    naive: Callable[[int, int, int], Interval],
    level: float,
    rng: Rng,
    resamples: int,
    fewest: int = FEWEST,
) -> Interval:
    if not blocks.relevant or not blocks.positive.sum():
        return with_threshold(undefined(name, "no relevant case was scored", level, METHOD), None)
    # F is of all that is accepted, whatever stands between two hits: a long list is a short one.
    blocks = blocks.thinned() if isinstance(rule, _Best) else blocks
    paths = _paths(blocks, isinstance(rule, _Best))
    row = rule.of_parts(paths()) if isinstance(rule, _Best) else int(rule(next(paths()))[0])
    if row < 0:
        return with_threshold(
            undefined(name, "no threshold of these cases reaches it", level, METHOD), None
        )
    few = warn_of_few(name, blocks, fewest, fewest)
    if not few and (heavy := blocks.few_heavy_relevant()):
        warn(FewHeavyCases(name, heavy, "miss"))
    source, seed = seeded(rng)

    def seen(rows: Int64) -> Float64:
        return measure(accepted_at(paths(), rows))[:, 0]

    optimism, scale = _optimism(blocks, rule, measure, seen, resamples, source)
    path = accepted_at(paths(), np.array([row]))
    value = float(measure(path)[0, 0])
    low, high = percentile(scale, level)
    odds = float(_odds(value))
    # Real weights are no counts, and leave the value without bounds.
    plain = Interval(value, None, None, level, "none")
    if not blocks.real:
        tp, fp = int(path.tp[0, 0]), int(path.fp[0, 0])
        with listening():
            plain = naive(tp, fp, int(blocks.relevant) - tp)
    corrected = min(max(value - float(optimism.mean()), 0.0), 1.0)
    low, high = min(_back(odds - high), corrected), max(_back(odds - low), corrected)
    if not few and value - corrected > MUCH * (high - low):
        warn(MuchOptimism(name, value - corrected, high - low))
    assumed = f"{'groups' if blocks.grouped else 'cases'} {_ASSUMED}"
    plain = replace(plain, measure=f"{name.removesuffix(' on new cases')}, naive")
    facts = (METHOD, name, assumed, seed, len(optimism), float(optimism.std()))
    threshold = None if blocks.scores is None else blocks.scores()[row].item()
    return TunedInterval(
        corrected,
        low,
        high,
        level,
        *facts,
        naive=plain,
        row=row,
        threshold=threshold,
        higher_is_better=blocks.higher_is_better,
    )


def with_threshold(
    interval: Interval, threshold: float | None, higher_is_better: bool = True
) -> TunedInterval:
    """The interval of a measure at a threshold that was fixed beforehand, or of one that there is
    not.
    """
    facts = {part.name: getattr(interval, part.name) for part in fields(Interval)}
    return TunedInterval(**facts, threshold=threshold, higher_is_better=higher_is_better)


def _paths(blocks: Blocks, by_parts: bool) -> Callable[[], Iterator[Path]]:
    """The path of the data themselves, of some thresholds at a time: of a long list it takes more
    memory than the cases.
    """
    if by_parts and len(blocks.rows()) > 1:
        return partial(observed_by_parts, blocks)
    path = observed(blocks)
    return lambda: iter([path])


def _odds(value: Any) -> Any:
    return np.log((value + _SOFT) / (1 - value + _SOFT))


def _back(odds: float) -> float:
    share = expit(odds)
    return min(max(share * (1 + 2 * _SOFT) - _SOFT, 0.0), 1.0)


def _optimism(
    blocks: Blocks,
    rule: Rule,
    measure: Callable[[Path], Float64],
    seen: Callable[[Int64], Float64],
    count: int,
    rng: np.random.Generator,
) -> tuple[Float64, Float64]:
    """By how much each sample overrates its threshold: plainly, and on the log-odds scale. `seen`
    is of all cases.
    """
    plain, scale = [], []
    for row, path in _choose_by_sample(blocks, rule, count, rng):
        some = (row >= 0) & (path.relevant > 0)
        if not some.all():
            kept = np.flatnonzero(some)
            row, path = row[kept], path.at(np.zeros_like(kept), kept)
        inside, whole = measure(path)[0], seen(row)
        plain.append(inside - whole)
        scale.append(_odds(inside) - _odds(whole))
    return np.concatenate(plain), np.concatenate(scale)


def _choose_by_sample(
    blocks: Blocks, rule: Rule, count: int, rng: np.random.Generator
) -> Iterator[tuple[Int64, Path]]:
    """Of samples of the cases, in batches: which threshold the rule chooses, -1 for none, and what
    it accepts.
    """
    if isinstance(rule, _Best) and blocks.cases is None:
        yield best_resampled(blocks, rule.square, count, rng)
        return
    for path in resampled(blocks, count, rng):
        row = rule(path)
        yield row, path.at(row, np.arange(len(row)))
