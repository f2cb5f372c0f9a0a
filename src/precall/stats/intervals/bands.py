"""Bands for precision-recall and ROC curves: where the curve on ever more cases lies.

"bootstrap": the heights over a grid on the log-odds scale, with half a case added to each side,
spread over samples of the cases, or as a binomial where that is more; at once by the quantile of
the greatest deviation (Montiel Olea & Plagborg-Møller 2019). Precision at a given recall is seen
too high: the bias over the samples, half of it where places are by themselves, is taken away, which
simulation bears out (docs/why/intervals.md). A ROC curve runs straight through a block, where
thresholds are had by chance. "dkw": the shares of both kinds of cases above every threshold are
known within √(ln(4/a) / 2n), a = 1 - level, at once (Massart 1990), and so are mixtures of
thresholds; whatever curve is made of such shares lies in the band.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from precall.core.arguments import check_choice, check_level, check_numbers, check_whole
from precall.core.errors import Shape, UsageError
from precall.core.notes import Note, noting, warn
from precall.core.notes.of_intervals import BoundsThatFollow, FewAccepted, UnequalWeights
from precall.core.ragged import Bool, Float64, Int64
from precall.core.rng import Rng, seeded
from precall.core.text import many, span
from precall.native.twin_heights import between
from precall.results.base import Table
from precall.results.equality import Equal
from precall.stats import quantiles
from precall.stats import scipy as libraries
from precall.stats.blocks import Blocks
from precall.stats.intervals.interval import LEAST, Bounded, warn_of_few
from precall.stats.intervals.methods import METHODS
from precall.stats.resample.bootstrap import quantiles_of
from precall.stats.resample.resampling import Path, heights_resampled, observed, resampled

KINDS = ("simultaneous", "pointwise")
#: With fewer cases of a kind the bootstrap's bands cover less than 93 % (docs/how-to/intervals.md).
FEWEST = 100
#: With fewer the simultaneous band of a ROC curve covers up to 98 %.
FEWEST_WHOLE = 200
GRID = np.arange(1, 20) / 20
#: More places near 0, for a ROC curve that has climbed before the first of the grid.
STEEP = np.array([1, 2, 3, 5, 7, 10, 15, 20, 30, 40]) / 1000
#: With fewer places that have cases enough a band is a speck.
_PLACES = 5
#: Shares closer than this are equal: .35 of 20 is 7. In the place of no case at all.
_NEAR, _LEAST = 1e-9, 1e-300


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Band(Equal, Bounded):
    """Heights of a curve over a grid, with their bounds.

    Parameters
    ----------
    across : name and values of what runs along the grid: "recall" or "false_positive_rate".
    along : name of the height: "precision" or "recall".
    estimate : the curve, one value per place of the grid.
    low : the lower bound at each.
    high : the upper bound at each.
    level : nominal coverage: of the whole curve if `kind` is "simultaneous", of each place if
        "pointwise".
    assumptions, seed, resamples, notes : as of `Interval`.
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
        given = np.asarray(heights, np.float64)
        if given.shape != self.x.shape:
            raise UsageError(
                argument="heights",
                allowed=f"one per place of the grid ({len(self.x)})",
                got=Shape(given.shape),
            )
        return bool(np.all((self.low <= given) & (given <= self.high)))

    @property
    def table(self) -> Table:
        """Columns: the grid, the height, low, high."""
        columns: dict[str, Any] = {self.across: self.x, self.along: self.estimate}
        return Table(columns | {"low": self.low, "high": self.high})


def band(blocks: Blocks, curve: str, *, grid: Any = None, **options: Any) -> Band:
    """The band of a "pr" or "roc" curve; see `pc.interval.pr_band` and `.roc_band`."""
    made = _of_places(blocks, curve, grid, **options)
    return made if curve == "pr" or grid is not None else _beyond(made, blocks)


def _beyond(band: Band, blocks: Blocks) -> Band:
    """The band of a ROC curve over the whole grid: it rises, so lower bounds hold behind their
    place, upper ones before.

    The band covers as much as without these places: no reason to warn, but to be noted.
    """
    x = np.union1d(band.x, GRID)
    if len(x) == len(band.x):
        return band
    estimate = _heights(observed(blocks), "roc", x)[0][:, 0]
    low = np.append(band.low, 0.0)[np.searchsorted(band.x, x, "right") - 1]
    high = np.append(band.high, 1.0)[np.searchsorted(band.x, x)]
    note = BoundsThatFollow("", band.across, span(band.x, "{:g}".format), LEAST)
    return replace(band, x=x, estimate=estimate, low=low, high=high, notes=(*band.notes, note))


@noting
def _of_places(
    blocks: Blocks,
    curve: str,
    grid: Any,
    *,
    level: float = 0.95,
    kind: str = "simultaneous",
    method: str = "bootstrap",
    rng: Rng = 0,
    resamples: int = 1000,
) -> Band:
    """The band over the places that have cases enough, or over a grid that is given."""
    level = check_level(level)
    check_choice("method", method, METHODS["band"])
    check_choice("kind", kind, KINDS)
    check_whole("resamples", resamples, 100)
    if method == "dkw" and kind == "pointwise":
        raise UsageError(
            argument="kind",
            what="method='dkw' is simultaneous",
            remedy="leave kind='pointwise' or method='dkw' out",
        )
    given = _grid(grid)
    if not blocks.positive.sum() or not blocks.other:
        raise UsageError("a band needs relevant cases and other ones; these are of one kind")
    if method == "dkw" and blocks.cases is not None:
        raise UsageError(
            "method='dkw' counts independent cases",
            remedy="leave weights and groups or method='dkw' out",
        )
    names = ("recall", "precision") if curve == "pr" else ("false_positive_rate", "recall")
    drawn: dict[str, Any] = {}
    if method == "dkw":
        x = given
        bounds = _massart(blocks, curve, x, level)
    else:
        x = given if curve == "pr" else _inner(blocks, given, grid is None)
        fewest = FEWEST_WHOLE if (curve, kind) == ("roc", "simultaneous") else FEWEST
        more = "less" if min(blocks.sizes()) < FEWEST else "more"
        warn_of_few("band", blocks, fewest, fewest, effect=more, of="band")
        if blocks.real and (curve, kind) == ("pr", "simultaneous"):
            warn(UnequalWeights("band"))
        source, seed = seeded(rng)
        drawn = {"seed": seed, "resamples": resamples}
        bounds = _bootstrap(blocks, curve, x, level, kind, source, resamples)
    assumed = f"{'groups of cases' if blocks.grouped else 'cases'} drawn independently"
    return Band(x, *bounds, *names, level, kind, method, assumed, **drawn)


def _inner(blocks: Blocks, x: Float64, free: bool) -> Float64:
    """The places of a ROC curve with some relevant cases on both sides; others are left out, or
    warned of if they were given.

    Where the grid has too few of them there are more near 0.
    """
    path = observed(blocks)

    def known(x: Float64) -> Bool:
        hits = _heights(path, "roc", x)[0][:, 0] * path.relevant
        return np.asarray((hits >= LEAST) & (path.relevant - hits >= LEAST))

    good = known(x)
    if free and np.count_nonzero(good) < _PLACES:
        # Before a few other cases are accepted the height hangs on the first of them.
        x = np.concatenate([STEEP[STEEP * path.other[0] >= LEAST], x])
        good = known(x)
    if free and good.any():
        return x[good]
    if not good.all():
        warn(FewAccepted("band", LEAST))
    return x


def _grid(given: Any) -> Float64:
    x = GRID if given is None else check_numbers("grid", given)
    if x.ndim != 1 or not len(x) or not np.all((x > 0) & (x <= 1)) or not np.all(np.diff(x) > 0):
        raise UsageError(argument="grid", allowed="ascending numbers in (0, 1]")
    return x


def _heights(path: Path, curve: str, x: Float64) -> tuple[Float64, Float64]:
    """Height over the grid, and its log-odds with half a case on each side; a column per sample."""
    if curve == "pr":
        row = np.minimum(_search(path.tp, path.relevant, x * (1 - _NEAR), "left"), len(path.tp) - 1)
        column = np.arange(path.tp.shape[1])
        top = path.tp[row, column]
        whole = top + path.fp[row, column]
    else:
        top = _accepted(path, x)
        whole = np.broadcast_to(path.relevant, top.shape)
    return top / np.maximum(whole, _LEAST), _log_odds(top, whole)


def _log_odds(hits: Float64, whole: Float64) -> Float64:
    return np.asarray(np.log((hits + 0.5) / (whole - hits + 0.5)))


def _draw_log_odds(
    blocks: Blocks, curve: str, x: Float64, rng: np.random.Generator, count: int
) -> Float64:
    """The log-odds of samples: grid x samples."""
    if blocks.cases is not None:
        return np.concatenate(
            [_heights(path, curve, x)[1] for path in resampled(blocks, count, rng)], axis=1
        )
    of_others = curve == "roc"
    share = x * (1 + _NEAR if of_others else 1 - _NEAR)
    return _log_odds(*heights_resampled(blocks, share, of_others, count, rng)).T


def _search(along: Float64, size: Float64, x: Float64, side: Literal["left", "right"]) -> Int64:
    """Rows of each sample before which the shares `x` belong in its column of `along`, over its
    `size`.
    """
    rows, samples = along.shape
    column = np.arange(samples)
    # One search for all samples: each has a stretch of its own on the line, 0..1 from an even
    # number on.
    line = (along / np.maximum(size, _LEAST) + 2 * column).ravel(order="F")
    # Sample by sample what is searched ascends, too, which is much the faster.
    return np.asarray(np.searchsorted(line, x + 2 * column[:, None], side).T - rows * column)


def _accepted(path: Path, x: Float64) -> Float64:
    """Relevant cases accepted at these false positive rates: as many as can be, and in a block in
    proportion.
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


def _bootstrap(
    blocks: Blocks,
    curve: str,
    x: Float64,
    level: float,
    kind: str,
    rng: np.random.Generator,
    count: int,
) -> tuple[Float64, Float64, Float64]:
    path = observed(blocks)
    estimate, centre = (part[:, 0] for part in _heights(path, curve, x))
    drawn = _draw_log_odds(blocks, curve, x, rng, count)
    if curve == "pr":
        hits, bias = x * path.relevant, drawn.mean(axis=1) - centre
        rest = hits / np.maximum(estimate, 1e-9) - hits
    else:
        hits, bias = estimate * path.relevant, np.zeros(len(x))
        rest = path.relevant - hits
    if kind == "pointwise":
        bias /= 2
    # Where nearly all samples agree their spread is no guide.
    spread = np.maximum(drawn.std(axis=1, ddof=1), np.sqrt(1 / (hits + 0.5) + 1 / (rest + 0.5)))
    if kind == "pointwise":
        reach = quantiles.z(level)
    else:
        deviation = np.abs(drawn - (centre + bias)[:, None]) / spread[:, None]
        (reach,) = quantiles_of(deviation.max(axis=0), (level,))
        # All samples of a perfect list are alike; a band is no narrower than its places are by
        # themselves.
        reach = max(reach, quantiles.z(level))
    centre = centre - bias
    low, high = (1 / (1 + np.exp(-(centre + sign * reach * spread))) for sign in (-1, 1))
    # Samples of hardly any cases do not tell how far 0 or 1 is: there no less than Clopper and
    # Pearson's bounds, which more cases go over from by and by.
    least, most = _exact(hits, rest, quantiles.normal_share(-reach))
    part = np.clip(2 - np.minimum(hits, rest) / LEAST, 0, 1)
    low += part * (np.minimum(low, least) - low)
    high += part * (np.maximum(high, most) - high)
    low, high = _ascending(curve, x, np.minimum(low, estimate), np.maximum(high, estimate))
    if curve == "pr":
        _without_dips(x, estimate, low, high)
    return estimate, low, high


def _ascending(curve: str, x: Float64, low: Float64, high: Float64) -> tuple[Float64, Float64]:
    """Bounds rearranged as the truth must run: the farther down the list, the more of either kind.

    Recall rises with the false positives; false positives, x (1 - precision) / precision of the
    relevant cases, with recall. Sorted bounds hold every curve that the bounds held (Chernozhukov,
    Fernandez-Val & Galichon 2009).
    """
    if curve == "roc":
        return np.sort(low), np.sort(high)
    with np.errstate(divide="ignore"):
        most, least = (np.sort(x * (1 - end) / end) for end in (low, high))
    return x / (x + most), x / (x + least)


def _without_dips(x: Float64, estimate: Float64, low: Float64, high: Float64) -> None:
    """Widen bounds of precision, in place, that rise again where the estimate does not: only chance
    lets them.

    The lower bound still climbs from the first place, where hits are few, to its first fall.
    """
    falls = np.flatnonzero(np.diff(low) < 0)
    for place in range(falls[0] + 1 if len(falls) else len(x), len(x)):
        low[place] = min(low[place], _next_to(x, estimate, low, place - 1, place))
    for place in range(len(x) - 1, 0, -1):
        high[place - 1] = max(high[place - 1], _next_to(x, estimate, high, place, place - 1))


def _next_to(x: Float64, estimate: Float64, bound: Float64, known: int, place: int) -> float:
    """The bound beside a known one: as high, or where the estimate rises of as many false
    positives.
    """
    before, after = sorted((known, place))
    if estimate[after] <= estimate[before]:
        return float(bound[known])
    return float(
        x[place] * bound[known] / (x[place] * bound[known] + x[known] * (1 - bound[known]))
    )


def _exact(hits: Float64, rest: Float64, tail: float) -> tuple[Float64, Float64]:
    beta = libraries.special().betaincinv
    low = np.where(hits > 0, beta(np.maximum(hits, 1e-9), rest + 1, tail), 0.0)
    return low, np.where(rest > 0, beta(hits + 1, np.maximum(rest, 1e-9), 1 - tail), 1.0)


def _massart(
    blocks: Blocks, curve: str, x: Float64, level: float
) -> tuple[Float64, Float64, Float64]:
    path = observed(blocks)
    relevant, other = float(path.relevant[0]), float(path.other[0])
    # Of both kinds at once: half the error for each, and both signs.
    of_relevant, of_other = (
        math.sqrt(math.log(4 / (1 - level)) / (2 * size)) for size in (relevant, other)
    )
    estimate = _heights(path, curve, x)[0][:, 0]
    if curve == "roc":
        least, most = (_accepted(path, x + sign * of_other)[:, 0] / relevant for sign in (-1, 1))
        low = np.clip(least - of_relevant, 0, 1)
        return estimate, low, np.where(x + of_other >= 1, 1.0, np.clip(most + of_relevant, 0, 1))
    recall = np.concatenate(([0.0], path.tp[:, 0] / relevant))
    rate = np.concatenate(([0.0], path.fp[:, 0] / other))
    fewest = np.clip(_reached(recall, rate, x - of_relevant) - of_other, 0, 1)
    most = np.where(
        x + of_relevant > recall[-1],
        1.0,
        np.clip(_reached(recall, rate, x + of_relevant) + of_other, 0, 1),
    )
    share = relevant / (relevant + other)
    low, high = (share * x / (share * x + (1 - share) * wrong) for wrong in (most, fewest))
    return estimate, np.minimum(low, estimate), np.maximum(high, estimate)


def _reached(along: Float64, height: Float64, x: Float64) -> Float64:
    """Height at the first point with `along` >= x."""
    row = np.searchsorted(along, x - 1e-12)
    return np.asarray(height[np.minimum(row, len(height) - 1)])
