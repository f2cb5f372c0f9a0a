"""Bounds of any measure of one contingency table whose items were drawn independently.

The shares of the four cells have a Dirichlet distribution, and a bound is a quantile of the
measure. A bound adds a number to each cell: more to a cell that pulls the measure to the bound's
own side, less to a cell that pulls it away. So the low bound adds much to errors and little to
correct decisions, and the high bound the other way round.

Jeffreys' prior, 1/2 for every cell, adds one error in total if there are two kinds of errors. After
one error the lower bound of expected errors would be .242. But .2 expected errors give one or more
in 18 % of samples, so intervals would cover 82 % there. With k kinds of errors that matter equally
the smaller addition is 1/(3k) each: then the lower bound is .074, and .074 expected errors give one
or more in 7 % of samples. The greater addition is 1 - k/4 each: after no error the upper bound of
expected errors is 3.69 with two kinds, which is exact, and 3.12 with one. How many kinds matter
follows from how far one more case of each moves the measure (`additions`): two in MCC or F1, about
one in a likelihood ratio.

Nothing is drawn. Three independent beta variables make up the shares: the share of wrong decisions,
that of false positives among these, and that of true positives among right decisions. The log-odds
of each are a function of a standard normal score. In the space of these three scores there are
parallel lines in the direction in which the measure changes most. Along each line the normal
probability of lying below a value is found exactly. Over the lines this probability is smooth, so
the trapezoid rule with normal weights is as good as exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import product
from operator import add
from typing import NamedTuple

import numpy as np

from precall.core.counts import Counts
from precall.core.ragged import Float64
from precall.stats import quantiles

#: A third of a case: added to a cell to see how the measure moves with it, and the smaller addition
#: if one kind of cell matters.
_MORE = 1 / 3
#: Number of points in a table of log-odds by normal score, and the score near its ends.
_POINTS, _LAST = 513, 9.5
#: Distance between two points of a line and the line's reach; distance between two lines and the
#: reach from the middle line.
_STEP, _FAR, _APART, _REACH = 1.0, 9.0, 0.6, 5.0
#: Number of corrections of the quantile, and of the scores where lines cross it.
_CORRECTED = 4
#: Log-odds whose spread is smaller are normal; others take at most this many Newton steps.
_NARROW, _NEWTON = 1e-6, 60
#: In the end lines may miss the quantile by this share of the change of the measure from point to
#: point.
_SMOOTH = 0.02
#: Changes below this share of the values are rounding.
_ROUNDING = 1e-12

#: A value per table.
Value = Callable[[Counts], Float64]
#: By cell, whether the measure rises with it (1), falls (-1), does not change (0), or rises in some
#: tables and falls in others (None).
Signs = Sequence[int | None]


class Added(NamedTuple):
    """Additions of a bound to each cell: `near` if the cell pulls the measure away from the bound,
    `far` if it pulls it to the bound's side.
    """

    near: tuple[float, ...]
    far: tuple[float, ...]


def cell_bounds(
    value: Value, cells: Sequence[float], signs: Signs, level: float, added: Added | None = None
) -> tuple[float, float]:
    """The bounds of a measure of a table with these cells (tp, fp, fn, tn).

    They need not contain the value of the table itself. `signs` are those of `directions`. If the
    measure rises with a cell in some tables and falls in others, both additions are tried, and the
    farther bound is taken.

    Examples
    --------
    >>> low, high = cell_bounds(
    ...     lambda c: (c.tp + c.tn) / c.total, (45, 2, 3, 50), (1, -1, -1, 1), 0.95
    ... )
    >>> round(low, 4), round(high, 4)
    (0.8875, 0.9817)
    """
    tail, total = (1 - level) / 2, math.fsum(cells)
    low, high = shapes_of_bounds(cells, signs, added or additions(value, cells, signs))
    return (
        min(_quantile(value, shape, total, tail) for shape in low),
        max(_quantile(value, shape, total, 1 - tail) for shape in high),
    )


def posterior_quantiles(
    value: Value, shape: Sequence[float], total: float, shares: Sequence[float]
) -> list[float]:
    """Quantiles of a measure whose four cells have a Dirichlet distribution of these shapes.

    Parameters
    ----------
    value : the measure of tables.
    shape : of tp, fp, fn and tn: counts and prior together, each > 0.
    total : the number of items, which tables are scaled to.
    shares : the probabilities of the quantiles.

    Examples
    --------
    >>> low, high = posterior_quantiles(
    ...     lambda c: (c.tp + c.tn) / c.total, (45.5, 2.5, 3.5, 50.5), 100, (0.025, 0.975)
    ... )
    >>> round(low, 4), round(high, 4)  # Beta(96, 6): 0.8882, 0.9779
    (0.8882, 0.9779)
    """
    return [_quantile(value, shape, total, share) for share in shares]


def shapes_of_bounds(
    cells: Sequence[float], signs: Signs, added: Added
) -> tuple[list[tuple[float, ...]], list[tuple[float, ...]]]:
    """The shapes of the cells' gamma variables for the low and for the high bound; several if a
    direction is not known.

    Examples
    --------
    >>> shapes_of_bounds((4, 1, 0, 3), (1, -1, 0, None), Added((0.25,) * 4, (0.5,) * 4))
    ([(4.25, 1.5, 0.5, 3.25), (4.25, 1.5, 0.5, 3.5)], [(4.5, 1.25, 0.5, 3.25), (4.5, 1.25, 0.5, 3.5)])
    """  # noqa: E501

    def shapes(away: int) -> list[tuple[float, ...]]:
        more = [
            (near, far) if sign is None else (near if sign == away else far,)
            for sign, near, far in zip(signs, *added, strict=True)
        ]
        return [tuple(map(add, cells, additions_)) for additions_ in product(*more)]

    return shapes(1), shapes(-1)


def additions(value: Value, cells: Sequence[float], signs: Signs) -> Added:
    """The additions to each cell, by the effective number of cells of its direction.

    That number is (Σ w)² / Σ w², where w is the change of the measure with one more case in a cell.

    Examples
    --------
    >>> near, far = additions(
    ...     lambda c: c.tp / (c.tp + c.fp + 0 * c.fn), (40, 3, 4, 50), (1, -1, 0, 0)
    ... )
    >>> [round(each, 3) for each in near[:2]], [round(each, 3) for each in far[:2]]
    ([0.333, 0.333], [0.75, 0.75])
    """
    middle = np.array(cells, np.float64) + _MORE
    step = middle / 1e4
    tables = middle[:, None] + np.diag(step)
    tables = np.column_stack((middle, tables * (middle.sum() / tables.sum(axis=0))))
    before, *after = _values(value, tables).tolist()
    weight = [
        abs(other_value - before) / step_of_cell
        for other_value, step_of_cell in zip(after, step.tolist(), strict=True)
    ]
    near, far = [_MORE] * len(cells), [3 / 4] * len(cells)
    for direction in (1, -1):
        cell_indices = [index for index, sign in enumerate(signs) if sign == direction]
        moves = [weight[index] for index in cell_indices if 0 < weight[index] < math.inf]
        # Divided by the greatest, because squares of great values overflow.
        shares = [move / max(moves) for move in moves]
        kinds = math.fsum(shares) ** 2 / math.fsum(share**2 for share in shares) if shares else 1.0
        for index in cell_indices:
            near[index], far[index] = _MORE / kinds, 1 - kinds / 4
    return Added(tuple(near), tuple(far))


def directions(value: Value, cells: Sequence[float]) -> Signs:
    """Whether the measure rises (1) or falls (-1) with each cell in tables like this; 0 if it does
    not change, None if it does both.

    The measure is computed for 128 tables from all over the distribution. A third of a case plus a
    thousandth of the cell is added to each cell, and the tables are scaled to the same number of
    items.

    Examples
    --------
    >>> directions(lambda c: c.tp / c.accepted, (4, 1, 2, 3))
    (1, -1, 0, 0)
    """
    total = math.fsum(cells)
    tables = _tables_at_scores([cell + _MORE for cell in cells], total, _some_scores())
    before = _values(value, tables)
    signs: list[int | None] = []
    for cell_index in range(4):
        more = tables.copy()
        more[cell_index] += _MORE + more[cell_index] / 1000
        after = _values(value, more * (total / more.sum(axis=0)))
        with np.errstate(invalid="ignore"):
            change = after - before
            scale = np.maximum(np.abs(after), np.abs(before))
            rises, falls = (bool(np.any(sign * change > _ROUNDING * scale)) for sign in (1, -1))
        signs.append(None if rises and falls else rises - falls)
    return tuple(signs)


def _values(value: Value, tables: Float64) -> Float64:
    """The measure of each table; tables are cells x any shape."""
    with np.errstate(all="ignore"):
        values = value(Counts(*tables.reshape(4, -1)))
    return np.asarray(values, np.float64).reshape(tables.shape[1:])


def _quantile(value: Value, shape: Sequence[float], total: float, share: float) -> float:
    """The quantile of the measure over Dirichlet shares of these shapes, times `total` items."""
    middle = abs(float(_values(value, _tables_at_scores(shape, total, np.zeros(3)))))
    unit = middle if 0 < middle < math.inf else 1.0

    def at(scores: Float64) -> Float64:
        # Linear near 0 and logarithmic far out: so ratios without an upper end are as smooth as
        # shares.
        return np.asarray(
            np.arcsinh(_values(value, _tables_at_scores(shape, total, scores)) / unit)
        )

    start, direction, weight = _lines(at, share)
    points = _line_scores()
    values = at(start[:, :, None] + direction[:, None, None] * points)
    target = rough = _rough_quantile(values, weight, share)
    if not np.isfinite(values).all():
        return unit * float(np.sinh(rough))
    least, most = float(values.min()), float(values.max())
    is_below = values < target
    line, column = np.nonzero(is_below[:, 1:] != is_below[:, :-1])
    if not len(line):
        return unit * float(np.sinh(rough))
    # A line's probability of lying below the value has two parts: that of its end, and that of all
    # scores before it crosses the value upwards.
    below, sign = (
        float(weight @ is_below[:, -1]),
        np.where(is_below[line, column], weight[line], -weight[line]),
    )
    ends, bounds = (
        (points[column], points[column + 1]),
        (values[line, column], values[line, column + 1]),
    )
    chord = (bounds[1] - bounds[0]) / _STEP
    score = ends[0] + (target - bounds[0]) / chord
    for _ in range(_CORRECTED):
        current = at(start[:, line] + direction[:, None] * score)
        # The slope of the parabola through the point and both ends, unless the point is an end.
        with np.errstate(invalid="ignore", divide="ignore"):
            slope = (
                sum(
                    (current - bound) / (score - end)
                    for end, bound in zip(ends, bounds, strict=True)
                )
                - chord
            )
            is_inside = np.minimum(*(np.abs(score - end) for end in ends)) > 1e-6
        slope = np.where(is_inside & (slope * chord > 0), slope, chord)
        target = _solve(score - current / slope, 1 / slope, sign, share - below, target)
        target = min(max(target, least), most)
        score = np.clip(score + (target - current) / slope, ends[0] - _STEP, ends[1] + _STEP)
    # If the measure is a step function, no line crosses the value; then take the rough quantile.
    is_smooth = np.mean(np.abs(current - target)) <= _SMOOTH * np.mean(
        np.abs(bounds[1] - bounds[0])
    )
    target = target if is_smooth else rough
    return unit * float(np.sinh(target))


def _solve(score: Float64, slope: Float64, sign: Float64, share: float, target: float) -> float:
    """The value t at which Σ sign Φ(score + slope t) equals `share`, by Newton's method from a
    value near it.
    """
    for _ in range(2):
        scores = score + slope * target
        density = float(sign @ (slope * np.exp(-(scores**2) / 2))) / math.sqrt(2 * math.pi)
        if not density > 0:
            break
        target -= (float(sign @ quantiles.normal_shares(scores)) - share) / density
    return target


def _rough_quantile(values: Float64, weight: Float64, share: float) -> float:
    """Rough quantile, as if each point of a line stood for all scores near it; undefined values are
    left out.
    """
    points = _line_scores()
    edges = quantiles.normal_shares((points[1:] + points[:-1]) / 2)
    chance = weight[:, None] * np.diff(edges, prepend=0.0, append=1.0)
    is_defined = ~np.isnan(values)
    if not is_defined.any():
        return math.nan
    order = np.argsort(values[is_defined], kind="stable")
    sums = np.cumsum(chance[is_defined][order])
    return float(values[is_defined][order][np.searchsorted(sums, share * sums[-1])])


def _lines(at: Callable[[Float64], Float64], share: float) -> tuple[Float64, Float64, Float64]:
    """Parallel lines in the direction in which a function of scores changes most.

    Returned are their points of score 0 (3 x lines), their direction, and the probability of each.
    """
    # The mean of the direction over all scores and that near the quantile, because either alone is
    # bad for some measures.
    overall = _regression(at)
    direction = overall + _steepest(at, overall * quantiles.normal(share))
    direction = direction / math.sqrt(float(direction @ direction)) if direction.any() else overall
    # A Householder reflection maps the first axis to that direction, and the other two to axes at
    # right angles to it.
    reflection = np.eye(3)[0] + direction * (1 if direction[0] >= 0 else -1)
    axes = np.eye(3) - 2 * np.outer(reflection, reflection) / (reflection @ reflection)
    positions, weight = _line_positions()
    return axes[:, 1:] @ positions, direction, weight


def _regression(at: Callable[[Float64], Float64]) -> Float64:
    """The direction, of length 1, of the regression of a function's ranks (as normal scores) on its
    scores.
    """
    scores = _some_scores()
    order = np.argsort(at(scores), kind="stable")
    return _normalize(scores[:, order] @ np.sort(scores[0]))


def _steepest(at: Callable[[Float64], Float64], scores: Float64) -> Float64:
    """The direction, of length 1, in which a function of scores rises most around `scores`."""
    offsets = np.concatenate((np.eye(3), -np.eye(3)), axis=1) / 2
    ends = at(scores[:, None] + offsets)
    with np.errstate(invalid="ignore"):
        return _normalize(np.nan_to_num(ends[:3] - ends[3:], posinf=0.0, neginf=0.0))


def _normalize(direction: Float64) -> Float64:
    if not direction.any():
        return np.array([1.0, 0.0, 0.0])
    # Divided by the greatest first, because squares of great values overflow.
    direction = direction / np.abs(direction).max()
    return np.asarray(direction / math.sqrt(float(direction @ direction)))


def _tables_at_scores(shape: Sequence[float], total: float, scores: Float64) -> Float64:
    """The four cells at normal scores of three shares: wrong decisions, FP among them, and TP among
    right ones.
    """
    tp, fp, fn, tn = shape
    pairs = ((fp + fn, tp + tn), (fp, fn), (tp, tn))
    cells = []
    for score, pair in zip(scores, pairs, strict=True):
        against = np.exp(-np.interp(score, *_log_odds(*pair)))
        share = 1 / (1 + against)
        cells.append((share, share * against))
    (wrong, right), (false, missed), (true, rejected) = cells
    return np.asarray(
        total * np.stack((right * true, wrong * false, wrong * missed, right * rejected))
    )


@lru_cache(maxsize=1024)
def _log_odds(first: float, second: float) -> tuple[Float64, Float64]:
    """Normal scores in ascending order, and the log-odds of a beta variable of these shapes there.

    On the scale of log-odds t its density is exp(-w²/2) dw times dt/dw, which is smooth; w is the
    signed root of the deviance. So the probability between two points of an even grid of w is the
    integral of the cubic through the four nearest points.
    """
    if first > second:
        scores, odds = _log_odds(second, first)
        return -scores[::-1], -odds[::-1]
    size, root = first + second, np.linspace(-_LAST, _LAST, _POINTS + 2)
    share, spread, centre = first / size, math.sqrt(size / first / second), math.log(first / second)
    if spread < _NARROW:
        return root, centre + spread * root
    goal = root**2 / 2
    # Start from the normal distribution, within the straight lines that bound the deviance far out.
    odds = np.maximum(root * spread, (size * math.log1p(-share) - goal) / first)
    odds = np.minimum(odds, (goal - size * math.log(share)) / second)
    for _ in range(_NEWTON):
        growth = np.expm1(odds)
        slope = second * share * growth / (1 + share * growth)
        excess = size * np.log1p(share * growth) - first * odds - goal
        step = np.divide(excess, slope, out=np.zeros_like(odds), where=slope != 0)
        odds -= step
        if np.abs(step).max() <= 1e-9 * spread:
            break
    growth = np.expm1(odds)
    slope = second * share * growth / (1 + share * growth)
    inner = np.abs(root) > 1e-9
    density = np.exp(-goal) * np.divide(
        root, slope, out=np.full_like(root, spread), where=inner & (slope != 0)
    )
    padded = np.pad(density, 1, mode="edge")
    mass = (13 * (density[1:] + density[:-1]) - padded[:-3] - padded[3:]) / 24
    below, above = np.cumsum(mass)[:-1], np.cumsum(mass[::-1])[::-1][1:]
    total_mass = float(mass.sum())
    # Each score is computed from the smaller side, which has no cancellation.
    normal = [
        quantiles.normal(mass_below / total_mass)
        if mass_below < mass_above
        else -quantiles.normal(mass_above / total_mass)
        for mass_below, mass_above in zip(below.tolist(), above.tolist(), strict=True)
    ]
    # Beyond ±700 a share is 0 or 1, and its odds would overflow.
    return np.array(normal), np.clip(centre + odds[1:-1], -700.0, 700.0)


@cache
def _line_scores() -> Float64:
    """Scores of the points along a line."""
    return np.linspace(-_FAR, _FAR, round(2 * _FAR / _STEP) + 1)


@cache
def _line_positions() -> tuple[Float64, Float64]:
    """Positions of the lines in the plane at right angles to them (2 x lines), and the probability
    of each by the trapezoid rule.
    """
    most = round(_REACH / _APART)
    steps = _APART * np.arange(-most, most + 1)
    positions = np.stack(np.meshgrid(steps, steps, indexing="ij")).reshape(2, -1)
    squares = np.sum(positions**2, axis=0)
    positions, weight = (
        positions[:, squares <= _REACH**2],
        np.exp(-squares[squares <= _REACH**2] / 2),
    )
    return positions, weight / weight.sum()


@cache
def _some_scores() -> Float64:
    """Points from all over the normal distribution of three scores (3 x points): Roberts' sequence
    of low discrepancy.
    """
    root = 1.22074408460575947536  # the positive root of x⁴ = x + 1
    points = np.arange(1, 129)[:, None] * root ** -np.arange(1.0, 4.0) % 1
    return np.array([[quantiles.normal(share) for share in row] for row in points.T.tolist()])
