"""Bands for precision-recall and ROC curves: regions for the curve over an unlimited sample.

"bootstrap" works with the heights over a grid on the log-odds scale, with half a case added to each
side. Their spread is that over samples of the cases, or that of a binomial if this is greater. A
simultaneous band takes the quantile of the greatest deviation (Montiel Olea & Plagborg-Møller
2019). Where a block of several relevant cases reaches a recall, as with ratings, the band also
holds all but the outermost samples. Precision at a given recall is biased upwards. The bias over
the samples is taken off, half of it in pointwise bands; simulation confirms this
(docs/why/intervals.md). A ROC curve runs straight through a block of equal scores, as if cases in
it were accepted at random.

"dkw": the shares of both kinds of cases above every threshold are known simultaneously within
√(ln(4/a) / 2n) with a = 1 - level (Massart 1990). The same holds for mixtures of thresholds. Every
curve made of such shares lies in the band.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from precall.core.arguments import check_choice, check_level, check_numbers, check_whole
from precall.core.errors import Shape, UsageError
from precall.core.notes import Note, keep_notes, warn, warn_all
from precall.core.notes.of_intervals import BoundsThatFollow, FewAccepted, UnequalWeights
from precall.core.ragged import Bool, Float64, Int64
from precall.core.rng import Rng, generator_and_seed
from precall.core.text import many, span
from precall.native.twin_heights import between
from precall.results.equality import Equal
from precall.results.sheets import Table
from precall.stats import quantiles
from precall.stats import scipy as libraries
from precall.stats.blocks import Blocks
from precall.stats.intervals.interval import LEAST, Bounded, warn_of_few
from precall.stats.intervals.methods import choose_method
from precall.stats.resample.bootstrap import notes_on_level, quantiles_of
from precall.stats.resample.resampling import (
    SamplePaths,
    path_of_data,
    resample_heights,
    resample_paths,
)

KINDS = ("simultaneous", "pointwise")
#: With fewer cases of a kind the bootstrap's bands cover less than 93 % (docs/how-to/intervals.md).
FEWEST = 100
#: With fewer, the simultaneous band of a ROC curve covers up to 98 %.
FEWEST_WHOLE = 200
GRID = np.arange(1, 20) / 20
#: More places near 0, for a ROC curve that climbs before the first place of the grid.
STEEP = np.array([1, 2, 3, 5, 7, 10, 15, 20, 30, 40]) / 1000
#: With fewer places that have enough cases, places near 0 are added to the grid.
_PLACES = 5
#: Shares closer than this are equal: .35 of 20 is 7. The second replaces a number of cases of 0 in
#: divisions.
_NEAR, _LEAST = 1e-9, 1e-300


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Band(Equal, Bounded):
    """Heights of a curve over a grid, with their bounds.

    Parameters
    ----------
    across : name of the horizontal axis, whose values are `x`: "recall", "false_positive_rate" or
        "threshold".
    along : name of the height: "precision", "recall" or "net_benefit".
    estimate : the curve, one value per place of the grid.
    low : the lower bound at each place.
    high : the upper bound at each place.
    level : nominal coverage: of the whole curve if `kind` is "simultaneous", of each place if
        "pointwise".
    assumptions, seed, resamples, notes : as in `Interval`.
    """

    x: Float64
    estimate: Float64
    low: Float64
    high: Float64
    across: str
    along: str
    level: float
    kind: str
    method: str
    assumptions: str = ""
    seed: int | None = None
    resamples: int = 0
    notes: tuple[Note, ...] = ()

    def _line(self) -> str:
        where = f"{many(len(self.x), 'point')} of {self.across} {span(self.x, '{:g}'.format)}"
        return f"band of {self.along} at {where}, {self.kind}, {Bounded._line(self)}"

    def __contains__(self, heights: object) -> bool:
        """Whether heights over the same grid all lie in the band."""
        values = np.asarray(heights, np.float64)
        if values.shape != self.x.shape:
            raise UsageError(
                argument="heights",
                allowed=f"one per place of the grid ({len(self.x)})",
                got=Shape(values.shape),
            )
        return bool(np.all((self.low <= values) & (values <= self.high)))

    @property
    def table(self) -> Table:
        """Columns: the grid, the height, low, high."""
        columns: dict[str, Any] = {self.across: self.x, self.along: self.estimate}
        return Table(columns | {"low": self.low, "high": self.high}, noticed=self.notes)


def band(blocks: Blocks, curve: str, *, grid: object = None, **options: Any) -> Band:
    """The band of a "pr" or "roc" curve; see `pc.interval.pr_band` and `.roc_band`."""
    over_grid = _band_over(blocks, curve, grid, **options)
    return over_grid if curve == "pr" or grid is not None else _extend_to_grid(over_grid, blocks)


def _extend_to_grid(band: Band, blocks: Blocks) -> Band:
    """The band of a ROC curve, extended to the whole grid.

    The curve rises, so a lower bound also holds after its place, and an upper bound before it.
    Coverage stays the same, so there is a note but no warning.
    """
    x = np.union1d(band.x, GRID)
    if len(x) == len(band.x):
        return band
    estimate = _heights(path_of_data(blocks), "roc", x)[0][:, 0]
    low = np.append(band.low, 0.0)[np.searchsorted(band.x, x, "right") - 1]
    high = np.append(band.high, 1.0)[np.searchsorted(band.x, x)]
    note = BoundsThatFollow("", band.across, span(band.x, "{:g}".format), LEAST)
    return replace(band, x=x, estimate=estimate, low=low, high=high, notes=(*band.notes, note))


@keep_notes
def _band_over(
    blocks: Blocks,
    curve: str,
    grid: object,
    *,
    level: float = 0.95,
    kind: str = "simultaneous",
    method: str = "bootstrap",
    rng: Rng = 0,
    resamples: int = 1000,
) -> Band:
    """The band over a given grid, or over the default places that have enough cases."""
    level = check_level(level)
    method = choose_method("band", method)
    check_choice("kind", kind, KINDS)
    resamples = check_whole("resamples", resamples, 100)
    if method == "dkw" and kind == "pointwise":
        raise UsageError(
            argument="kind",
            what="method='dkw' is simultaneous",
            remedy="leave kind='pointwise' or method='dkw' out",
        )
    checked_grid = check_grid(grid)
    if not blocks.positive.sum() or not blocks.other:
        raise UsageError("a band needs both relevant and other cases; these are of one kind")
    if method == "dkw" and blocks.cases is not None:
        raise UsageError(
            argument="method",
            what="'dkw' needs independent cases without weights",
            remedy="leave weights and groups or method='dkw' out",
        )
    names = ("recall", "precision") if curve == "pr" else ("false_positive_rate", "recall")
    sampling: dict[str, Any] = {}
    if method == "dkw":
        x = checked_grid
        bounds = _dkw_bounds(blocks, curve, x, level)
    else:
        x = checked_grid if curve == "pr" else _supported_places(blocks, checked_grid, grid is None)
        fewest = FEWEST_WHOLE if (curve, kind) == ("roc", "simultaneous") else FEWEST
        effect = "less" if min(blocks.sizes()) < FEWEST else "more"
        warn_of_few("band", blocks, fewest, fewest, effect=effect, of="band")
        if blocks.real and (curve, kind) == ("pr", "simultaneous"):
            warn(UnequalWeights("band"))
        source, seed = generator_and_seed(rng)
        sampling = {"seed": seed, "resamples": resamples}
        bounds = _bootstrap_bounds(blocks, curve, x, level, kind, source, resamples)
    assumptions = f"{'groups of cases' if blocks.has_groups else 'cases'} drawn independently"
    return Band(x, *bounds, *names, level, kind, method, assumptions, **sampling)


def _supported_places(blocks: Blocks, x: Float64, free: bool) -> Float64:
    """The places of a ROC curve with at least `LEAST` relevant cases on both sides.

    Other places are left out if `free`; in a grid that was given they stay, with a warning. If the
    default grid has too few such places, places near 0 are added.
    """
    path = path_of_data(blocks)

    def has_enough_cases(x: Float64) -> Bool:
        hits = _heights(path, "roc", x)[0][:, 0] * path.relevant
        return np.asarray((hits >= LEAST) & (path.relevant - hits >= LEAST))

    is_supported = has_enough_cases(x)
    if free and np.count_nonzero(is_supported) < _PLACES:
        # Until a few other cases are accepted, the height depends on the first of them.
        x = np.concatenate([STEEP[STEEP * path.other[0] >= LEAST], x])
        is_supported = has_enough_cases(x)
    if free and is_supported.any():
        return x[is_supported]
    if not is_supported.all():
        warn(FewAccepted("band", LEAST))
    return x


def check_grid(grid: object) -> Float64:
    """The grid as an array, the default one for None; it must ascend within (0, 1]."""
    x = GRID if grid is None else check_numbers("grid", grid)
    if x.ndim != 1 or not len(x) or not np.all((x > 0) & (x <= 1)) or not np.all(np.diff(x) > 0):
        raise UsageError(argument="grid", allowed="ascending numbers in (0, 1]")
    return x


def _heights(path: SamplePaths, curve: str, x: Float64) -> tuple[Float64, Float64]:
    """Heights over the grid, and their log-odds with half a case on each side; a column per
    sample.
    """
    hits, total = hits_and_totals(path, curve, x)
    return hits / np.maximum(total, _LEAST), log_odds(hits, total)


def hits_and_totals(path: SamplePaths, curve: str, x: Float64) -> tuple[Float64, Float64]:
    """Relevant cases accepted at places of the grid, and the numbers that the height of a curve
    divides them by: the accepted cases, or the relevant ones. A column per sample.
    """
    if curve == "pr":
        row, column = _reaching(path, x), np.arange(path.tp.shape[1])
        hits = path.tp[row, column]
        return hits, hits + path.fp[row, column]
    hits = _hits_at_rates(path, x)
    return hits, np.broadcast_to(path.relevant, hits.shape)


def jumps(blocks: Blocks, x: Float64) -> Bool:
    """Where several relevant cases of equal score reach a recall at once.

    Which block reaches it differs from sample to sample, and so precision has few values, far
    apart: no multiple of a standard error holds them.
    """
    path = path_of_data(blocks)
    row = _reaching(path, x)[:, 0]
    before = np.where(row > 0, path.tp[row - 1, 0], 0.0)
    return np.asarray(path.tp[row, 0] - before > 1 + _NEAR)


def _reaching(path: SamplePaths, x: Float64) -> Int64:
    """The first row of each sample that reaches a recall."""
    row = _search(path.tp, path.relevant, x * (1 - _NEAR), "left")
    return np.minimum(row, len(path.tp) - 1)


def log_odds(hits: Float64, total: Float64) -> Float64:
    return np.asarray(np.log((hits + 0.5) / (total - hits + 0.5)))


def _draw_log_odds(
    blocks: Blocks, curve: str, x: Float64, rng: np.random.Generator, count: int
) -> Float64:
    """The log-odds of the heights in samples: grid x samples."""
    if blocks.cases is not None:
        return np.concatenate(
            [_heights(path, curve, x)[1] for path in resample_paths(blocks, count, rng)], axis=1
        )
    of_others = curve == "roc"
    share = x * (1 + _NEAR if of_others else 1 - _NEAR)
    return log_odds(*resample_heights(blocks, share, of_others, count, rng)).T


def _search(along: Float64, size: Float64, x: Float64, side: Literal["left", "right"]) -> Int64:
    """Rows of each sample before which the shares `x` belong, in `along` divided by `size`."""
    rows, samples = along.shape
    column = np.arange(samples)
    # One search for all samples: sample i has the interval from 2 i to 2 i + 1 of one line.
    line = (along / np.maximum(size, _LEAST) + 2 * column).ravel(order="F")
    # Sample by sample the searched values ascend as well, which is much faster.
    return np.asarray(np.searchsorted(line, x + 2 * column[:, None], side).T - rows * column)


def _hits_at_rates(path: SamplePaths, x: Float64) -> Float64:
    """Relevant cases accepted at these false positive rates: as many as possible, and within a
    block in proportion.
    """
    column = np.arange(path.tp.shape[1])
    x = x * (1 + _NEAR)
    row = _search(path.fp, path.other, x, "right") - 1
    block = np.minimum(row + 1, len(path.fp) - 1)
    return between(
        np.where(row >= 0, path.tp[row, column], 0.0),
        path.tp[block, column],
        path.before[block, column],
        path.fp[block, column],
        x[:, None] * path.other,
    )


def _bootstrap_bounds(
    blocks: Blocks,
    curve: str,
    x: Float64,
    level: float,
    kind: str,
    rng: np.random.Generator,
    count: int,
) -> tuple[Float64, Float64, Float64]:
    """The curve and the bounds of the band "bootstrap" over the grid."""
    path = path_of_data(blocks)
    estimate, centre = (column[:, 0] for column in _heights(path, curve, x))
    samples = _draw_log_odds(blocks, curve, x, rng, count)
    if curve == "pr":
        hits, bias = x * path.relevant, samples.mean(axis=1) - centre
        others = hits / np.maximum(estimate, 1e-9) - hits
    else:
        hits, bias = estimate * path.relevant, np.zeros(len(x))
        others = path.relevant - hits
    if kind == "pointwise":
        bias /= 2
    # If nearly all samples agree, their spread is too small; the binomial's is the least.
    spread = np.maximum(samples.std(axis=1, ddof=1), np.sqrt(1 / (hits + 0.5) + 1 / (others + 0.5)))
    if kind == "pointwise":
        reach = quantiles.z(level)
    else:
        deviation = np.abs(samples - (centre + bias)[:, None]) / spread[:, None]
        greatest = deviation.max(axis=0)
        (reach,) = quantiles_of(greatest, (level,))
        warn_all(notes_on_level("", len(greatest), level, sides=1))
        # All samples of a perfect list are equal. A simultaneous band is never narrower than a
        # pointwise one.
        reach = max(reach, quantiles.z(level))
    centre = centre - bias
    low, high = (1 / (1 + np.exp(-(centre + sign * reach * spread))) for sign in (-1, 1))
    # With few hits or few others, samples do not show how near the truth may be to 0 or 1. There
    # the band is at least as wide as Clopper and Pearson's bounds, with a gradual transition as the
    # cases grow from `LEAST` to twice that.
    least, most = _clopper_pearson(hits, others, quantiles.normal_share(-reach))
    if curve == "pr" and (at_once := jumps(blocks, x)).any():
        tail = (1 - level) / 2 / (1 if kind == "pointwise" else len(x))
        outer = 1 / (1 + np.exp(-np.quantile(samples, (tail, 1 - tail), axis=1)))
        low = np.where(at_once, np.minimum(low, outer[0]), low)
        high = np.where(at_once, np.maximum(high, outer[1]), high)
    exact_share = np.clip(2 - np.minimum(hits, others) / LEAST, 0, 1)
    low += exact_share * (np.minimum(low, least) - low)
    high += exact_share * (np.maximum(high, most) - high)
    low, high = _rearrange(curve, x, np.minimum(low, estimate), np.maximum(high, estimate))
    if curve == "pr":
        _widen_dips(x, estimate, low, high)
    return estimate, low, high


def _rearrange(curve: str, x: Float64, low: Float64, high: Float64) -> tuple[Float64, Float64]:
    """The bounds rearranged so that they rise like the true curve.

    Farther down the list there are more cases of either kind. So recall rises with the false
    positives, and false positives, x (1 - precision) / precision of the relevant cases, rise with
    recall. Sorted bounds hold every curve that the bounds held (Chernozhukov, Fernandez-Val &
    Galichon 2009).
    """
    if curve == "roc":
        return np.sort(low), np.sort(high)
    with np.errstate(divide="ignore"):
        most, least = (np.sort(x * (1 - end) / end) for end in (low, high))
    return x / (x + most), x / (x + least)


def _widen_dips(x: Float64, estimate: Float64, low: Float64, high: Float64) -> None:
    """Widen, in place, bounds of precision that rise again although the estimate does not: such
    rises are chance.

    The lower bound may still climb from the first place, where hits are few, to its first fall.
    """
    falls = np.flatnonzero(np.diff(low) < 0)
    for i in range(falls[0] + 1 if len(falls) else len(x), len(x)):
        low[i] = min(low[i], _bound_beside(x, estimate, low, i - 1, i))
    for i in range(len(x) - 1, 0, -1):
        high[i - 1] = max(high[i - 1], _bound_beside(x, estimate, high, i, i - 1))


def _bound_beside(
    x: Float64, estimate: Float64, bound: Float64, known_place: int, new: int
) -> float:
    """The bound at the place `new`, from that at the place `known_place` next to it.

    It is as high as the known bound. If the estimate rises between the two places, it is the
    precision that has the same number of false positives as the known bound.
    """
    before, after = sorted((known_place, new))
    if estimate[after] <= estimate[before]:
        return float(bound[known_place])
    return float(
        x[new]
        * bound[known_place]
        / (x[new] * bound[known_place] + x[known_place] * (1 - bound[known_place]))
    )


def _clopper_pearson(hits: Float64, others: Float64, tail: float) -> tuple[Float64, Float64]:
    """Clopper and Pearson's bounds of the share of hits, with probability `tail` beyond each."""
    beta = libraries.special().betaincinv
    low = np.where(hits > 0, beta(np.maximum(hits, 1e-9), others + 1, tail), 0.0)
    return low, np.where(others > 0, beta(hits + 1, np.maximum(others, 1e-9), 1 - tail), 1.0)


def _dkw_bounds(
    blocks: Blocks, curve: str, x: Float64, level: float
) -> tuple[Float64, Float64, Float64]:
    """The curve and the bounds of the band "dkw" over the grid."""
    path = path_of_data(blocks)
    relevant, other = float(path.relevant[0]), float(path.other[0])
    # For both kinds simultaneously: half the error probability for each, and both signs.
    of_relevant, of_other = (
        math.sqrt(math.log(4 / (1 - level)) / (2 * size)) for size in (relevant, other)
    )
    estimate = _heights(path, curve, x)[0][:, 0]
    if curve == "roc":
        least, most = (
            _hits_at_rates(path, x + sign * of_other)[:, 0] / relevant for sign in (-1, 1)
        )
        low = np.clip(least - of_relevant, 0, 1)
        return estimate, low, np.where(x + of_other >= 1, 1.0, np.clip(most + of_relevant, 0, 1))
    recall = np.concatenate(([0.0], path.tp[:, 0] / relevant))
    rate = np.concatenate(([0.0], path.fp[:, 0] / other))
    fewest = np.clip(_height_at(recall, rate, x - of_relevant) - of_other, 0, 1)
    most = np.where(
        x + of_relevant > recall[-1],
        1.0,
        np.clip(_height_at(recall, rate, x + of_relevant) + of_other, 0, 1),
    )
    share = relevant / (relevant + other)
    low, high = (share * x / (share * x + (1 - share) * wrong) for wrong in (most, fewest))
    return estimate, np.minimum(low, estimate), np.maximum(high, estimate)


def _height_at(along: Float64, height: Float64, x: Float64) -> Float64:
    """The height at the first point with `along` >= x."""
    row = np.searchsorted(along, x - 1e-12)
    return np.asarray(height[np.minimum(row, len(height) - 1)])
