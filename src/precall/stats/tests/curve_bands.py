"""The difference of two curves of the same cases, with a simultaneous band.

Both curves are drawn again from the same cases, or groups of cases, so the samples show how they
vary together. Heights are compared on the scale of angles, arcsin √height, where their spread
depends little on the height; on the scale of log-odds bounds near 0 and 1 are far too wide. The
greatest deviation over the grid, in standard errors, gives the reach of the band (Montiel Olea &
Plagborg-Møller 2019). Bounds of either height and the correlation of both give those of the
difference (MOVER, Zou & Donner 2008).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.core.arguments import check_level, check_whole
from precall.core.errors import UsageError
from precall.core.notes import Note, collect_notes, keep_notes, warn_all
from precall.core.ragged import Float64
from precall.core.rng import Rng, generator_and_seed
from precall.results.equality import Equal
from precall.results.sheets import Presented, Table
from precall.stats import quantiles
from precall.stats.blocks import Cases
from precall.stats.intervals.bands import (
    FEWEST,
    GRID,
    Band,
    check_grid,
    hits_and_totals,
    jumps,
)
from precall.stats.intervals.interval import warn_of_few
from precall.stats.resample.bootstrap import notes_on_level, quantiles_of
from precall.stats.resample.resampling import SamplePaths, WeightedCases, path_of_data
from precall.stats.tests.lists import ItemLists, Lists, lists_of, sort_items
from precall.stats.tests.order import is_second_first

if TYPE_CHECKING:
    from precall.stats.resample.multinomial import Words

#: Replaces a number of cases of 0 in divisions.
_LEAST = 1e-300
#: Degrees of freedom by the root of the number of cases of the scarcer kind. It was chosen so that
#: the band covers 95 % in simulations (docs/why/tests.md); with groups half as many.
_FREEDOM = 3.5
#: What each curve has across and along.
AXES = {"pr": ("recall", "precision"), "roc": ("false_positive_rate", "recall")}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CurveComparison(Equal, Presented):
    """Where one curve lies above another on the same cases.

    Attributes
    ----------
    view : "pr" or "roc".
    names : names of the two systems.
    band : the difference of the heights over the grid, the first system's minus the second's, with
        bounds that hold everywhere at the same time.
    a : heights of the first curve over the grid.
    b : heights of the second.
    size : number of cases.
    notes : what was noticed.
    conventions : where the curves are from, by name.
    """

    view: str
    names: tuple[str, str]
    band: Band
    a: Float64
    b: Float64
    size: int
    notes: tuple[Note, ...] = ()
    conventions: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        first, second = self.names
        return f"<CurveComparison: {self.view}, {first} - {second}, {self.above:.2f} above>"

    @property
    def above(self) -> float:
        """Share of the grid on which the first curve is above the second."""
        return float(np.mean(self.band.estimate > 0))

    @property
    def below(self) -> float:
        """Share of the grid on which the first curve is below the second."""
        return float(np.mean(self.band.estimate < 0))

    @property
    def significantly_above(self) -> float:
        """Share of the grid on which the whole band is above 0."""
        return float(np.mean(self.band.low > 0))

    @property
    def significantly_below(self) -> float:
        """Share of the grid on which the whole band is below 0."""
        return float(np.mean(self.band.high < 0))

    @property
    def table(self) -> Table:
        """Columns: the grid, both heights, their difference, low and high."""
        band, (across, _) = self.band, AXES[self.view]
        columns: dict[str, Any] = {across: band.x, "a": self.a, "b": self.b}
        columns |= {"difference": band.estimate, "low": band.low, "high": band.high}
        return Table(columns, noticed=self.notes)


@keep_notes
def compare_curves(
    items: ItemLists,
    view: str,
    *,
    grid: object = None,
    level: float = 0.95,
    resamples: int = 1000,
    rng: Rng = 0,
    names: tuple[str, str] = ("a", "b"),
) -> CurveComparison:
    """The difference of two curves; see `precall.compare.curves`."""
    level, resamples = check_level(level), check_whole("resamples", resamples, 100)
    ((pair,), _) = lists_of(items, None)
    x = _places(pair, view, grid)
    # The samples do not depend on which curve comes first.
    turned = is_second_first(pair.codes(as_one=False), pair.swap().codes(as_one=False))
    if turned:
        pair = pair.swap()
    source, seed = generator_and_seed(rng)
    with collect_notes() as notes:
        for ranked in (pair.first, pair.second):
            # Both lists have the same cases; the note is said once.
            warn_of_few("band", ranked.counts, FEWEST, FEWEST, effect="more", of="band")
        heights, estimate, low, high = _bounds(pair, view, x, level, source, resamples)
    if turned:
        heights, estimate, low, high = heights[::-1], 0.0 - estimate, 0.0 - high, 0.0 - low
    elif turned is None:
        low, high = -(high - low) / 2, (high - low) / 2
    across, along = AXES[view]
    drawn = "groups of cases" if pair.group is not None else "cases"
    band = Band(
        x,
        estimate,
        low,
        high,
        across,
        f"difference of {along}",
        level,
        "simultaneous",
        "bootstrap",
        f"{drawn} drawn independently",
        seed=seed,
        resamples=resamples,
        notes=tuple(dict.fromkeys(notes)),
    )
    return CurveComparison(view, names, band, *heights, len(pair.relevant), band.notes)


def _places(pair: Lists, view: str, grid: object) -> Float64:
    """The places to compare at. Recalls that are not reached because cases were missed have no
    precision: the default grid leaves them out.
    """
    x = GRID if grid is None else check_grid(grid)
    if view == "roc":
        return x
    counts = pair.first.counts
    reached = x <= (1 - counts.missed / counts.relevant) * (1 + 1e-9)
    if grid is None:
        return x[reached] if reached.any() else x[:1]
    if not reached.all():
        raise UsageError(
            argument="grid",
            what="no threshold reaches recall {got}, because cases were missed",
            got=float(x[~reached][0]),
            remedy="end the grid before it",
        )
    return x


def _bounds(
    pair: Lists, view: str, x: Float64, level: float, source: np.random.Generator, resamples: int
) -> tuple[tuple[Float64, Float64], Float64, Float64, Float64]:
    """Both heights, their difference and its bounds."""
    sides = (pair.first, pair.second)
    counted = [hits_and_totals(path_of_data(side.counts), view, x) for side in sides]
    heights = [(hits / np.maximum(total, _LEAST))[:, 0] for hits, total in counted]
    drawn = [
        np.concatenate(columns, axis=1)
        for columns in zip(
            *(
                [_angles(path, view, x) for path in paths]
                for paths in _paired_paths(pair, resamples, source)
            ),
            strict=True,
        )
    ]
    defined = ~np.isnan(drawn[0] + drawn[1]).any(axis=0)
    first, second = (each[:, defined] for each in drawn)
    difference = first - second
    spread = difference.std(axis=1, ddof=1)
    deviation = np.abs(difference - difference.mean(axis=1)[:, None])
    deviation = np.divide(
        deviation, spread[:, None], out=np.zeros_like(deviation), where=spread[:, None] > 0
    )
    (reach,) = quantiles_of(deviation.max(axis=0), (level,))
    warn_all(notes_on_level("", first.shape[1], level, sides=1))
    reach = max(reach, quantiles.z(level))
    # Student's instead of the normal quantile, because the spread is estimated, at each place from
    # a part of the cases.
    freedom = min(_FREEDOM * min(pair.first.counts.sizes()) ** 0.5, pair.freedom)
    freedom = max(1.0, freedom if pair.group is None else freedom / 2)
    reach = quantiles.t(1 - 2 * quantiles.normal_share(-reach), freedom)
    ends = []
    for samples, (hits, total) in zip((first, second), counted, strict=True):
        hits, total = hits[:, 0], total[:, 0]
        centre = _angle(hits, total)
        if view == "pr":
            # Precision at a given recall is biased upwards, as in the band of one curve.
            centre = 2 * centre - samples.mean(axis=1)
        reach_of_one = reach * samples.std(axis=1, ddof=1)
        ends.append([_height(centre + sign * reach_of_one) for sign in (-1, 0, 1)])
    (low_a, a, high_a), (low_b, b, high_b) = ends
    together = _correlation(first, second)
    # Zou & Donner (2008): the bounds of both heights, and how they vary together.
    below, above = (
        np.sqrt(np.maximum(p**2 + q**2 - 2 * together * p * q, 0))
        for p, q in ((a - low_a, high_b - b), (high_a - a, b - low_b))
    )
    least = reach / (1 + np.minimum(*(total[:, 0] for _, total in counted)))
    middle, estimate = a - b, heights[0] - heights[1]
    low = np.minimum(middle - np.maximum(below, least), estimate)
    high = np.maximum(middle + np.maximum(above, least), estimate)
    at_once = np.any([jumps(side.counts, x) for side in sides], axis=0)
    if view == "pr" and at_once.any():
        samples = _height(first) - _height(second)
        tail = (1 - level) / 2 / len(x)
        least_drawn, greatest_drawn = np.quantile(samples, (tail, 1 - tail), axis=1)
        low = np.where(at_once, np.minimum(low, least_drawn), low)
        high = np.where(at_once, np.maximum(high, greatest_drawn), high)
    return (heights[0], heights[1]), estimate, np.clip(low, -1, 1), np.clip(high, -1, 1)


def _angle(hits: Float64, total: Float64) -> Float64:
    """The angle of a height, whose spread depends little on the height."""
    return np.asarray(np.arcsin(np.sqrt((hits + 3 / 8) / (total + 3 / 4))))


def _height(angle: Float64) -> Float64:
    return np.asarray(np.sin(np.clip(angle, 0, np.pi / 2)) ** 2)


def _correlation(first: Float64, second: Float64) -> Float64:
    """The correlation of two sets of samples at each place; 0 if either does not vary."""
    a, b = (each - each.mean(axis=1)[:, None] for each in (first, second))
    scale = np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
    products = (a * b).sum(axis=1)
    return np.asarray(np.divide(products, scale, out=np.zeros(len(a)), where=scale > 0))


def _angles(path: SamplePaths, view: str, x: Float64) -> Float64:
    """Angles of the heights of samples; NaN if a sample has no curve."""
    has_both = (path.relevant > 0) & (path.other > 0)
    return np.where(has_both, _angle(*hits_and_totals(path, view, x)), np.nan)


def _paired_paths(
    pair: Lists, samples: int, source: np.random.Generator
) -> Iterator[tuple[SamplePaths, SamplePaths]]:
    """Paths of both lists in the same samples, in batches."""
    relevant, weight, *blocks, unit = sort_items(pair)
    missed = int(pair.missed)
    both = [WeightedCases(Cases(block, relevant, weight, unit), missed) for block in blocks]
    size = min(each.batch for each in both)
    for start in range(0, samples, size):
        streams = both[0].streams(min(size, samples - start), source)
        first, second = (_paths(each, *streams) for each in both)
        yield first, second


def _paths(cases: WeightedCases, seed: Words, units: Any) -> SamplePaths:
    *columns, missed = cases.paths(seed, units)
    tp, fp, before, hits, others = (column.T for column in columns)
    return SamplePaths(tp, fp, before, hits + missed, others)
