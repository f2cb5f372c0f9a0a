"""Bounds of any measure of one contingency table whose items were drawn independently.

The shares of the four cells have a Dirichlet distribution, and a bound is a quantile of the
measure. To every cell that pulls the measure to its own side a bound adds more than to a cell that
pulls it away: the low bound adds much to errors and little to what is right, the high bound the
other way round. Jeffreys' prior, 1/2 for all, makes one error more of two kinds of errors: after
one error it puts the least that is to be expected at .242, although .2 expected errors give one or
more in 18 % of samples, and intervals cover 82 % there. Of k kinds of errors that matter alike
1/(3k) each is the little that is added: then the least is .074, which 7 % of samples exceed. 1 -
k/4 each is the much: after no error two kinds put the most that is to be expected at 3.69, which is
the exact bound, and one kind at 3.12. How many kinds matter follows from how far a case more of
each moves the measure (`additions`): two in MCC or F1, about one in a likelihood ratio.

Nothing is drawn. Three independent beta variables make up the shares: that of wrong decisions, that
of false positives among these, and that of true positives among right ones. The log-odds of each
are a function of a standard normal score. In the space of these three scores, along parallel lines
in the direction in which the measure changes most, the normal chance of lying below a value is
found exactly; over the lines it is smooth, and the trapezoid rule with normal weights is as good as
exact.
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

#: A case more or less by which it is looked how a measure moves with a cell: what is added to cells
#: in the mean.
_MORE = 1 / 3
#: Points of a table of log-odds by normal score, and the score near its ends.
_POINTS, _LAST = 513, 9.5
#: Scores between two points of a line and how far it goes; likewise between two lines, and from the
#: middle one.
_STEP, _FAR, _APART, _REACH = 1.0, 9.0, 0.6, 5.0
#: How often the value, and where lines cross it, are corrected.
_CORRECTED = 4
#: Where log-odds vary less they are normal, and so often they are corrected elsewhere at most.
_NARROW, _NEWTON = 1e-6, 60
#: How far from the value lines may be in the end, as a share of what the measure changes from point
#: to point.
_SMOOTH = 0.02
#: Changes below this share of the values are rounding.
_ROUNDING = 1e-12

#: A value per table.
Value = Callable[[Counts], Float64]
#: By cell whether the measure rises with it (1), falls (-1), does not change (0) or does either
#: (None).
Signs = Sequence[int | None]


class Added(NamedTuple):
    """What a bound adds to each cell if that pulls the measure away from the bound, and if it pulls
    to its side.
    """

    near: tuple[float, ...]
    far: tuple[float, ...]


def cell_bounds(
    value: Value, cells: Sequence[int], signs: Signs, level: float, added: Added | None = None
) -> tuple[float, float]:
    """The bounds of a measure of a table with these cells (tp, fp, fn, tn); they need not hold the
    value of the table itself.

    `signs` are those of `directions`. Of a cell with which the measure rises in some tables and
    falls in others either addition is tried, and the farther bound taken.

    Examples
    --------
    >>> low, high = cell_bounds(
    ...     lambda c: (c.tp + c.tn) / c.total, (45, 2, 3, 50), (1, -1, -1, 1), 0.95
    ... )
    >>> round(low, 4), round(high, 4)
    (0.8875, 0.9817)
    """
    tail, total = (1 - level) / 2, sum(cells)
    low, high = shapes_of_bounds(cells, signs, added or additions(value, cells, signs))
    return (
        min(_quantile(value, shape, total, tail) for shape in low),
        max(_quantile(value, shape, total, 1 - tail) for shape in high),
    )


def shapes_of_bounds(
    cells: Sequence[int], signs: Signs, added: Added
) -> tuple[list[tuple[float, ...]], list[tuple[float, ...]]]:
    """The shapes of the cells' gamma variables for the low bound and for the high one: several
    where a direction is not known.

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
        return [tuple(map(add, cells, some)) for some in product(*more)]

    return shapes(1), shapes(-1)


def additions(value: Value, cells: Sequence[int], signs: Signs) -> Added:
    """What is added, by how many cells of a direction matter: (Σ w)² / Σ w² of them, w what a case
    more changes.

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
    weight = [abs(each - before) / some for each, some in zip(after, step.tolist(), strict=True)]
    near, far = [_MORE] * len(cells), [3 / 4] * len(cells)
    for direction in (1, -1):
        places = [place for place, sign in enumerate(signs) if sign == direction]
        moves = [weight[place] for place in places if 0 < weight[place] < math.inf]
        # Over the greatest: squares of great values leave float64.
        shares = [move / max(moves) for move in moves]
        kinds = math.fsum(shares) ** 2 / math.fsum(share**2 for share in shares) if shares else 1.0
        for place in places:
            near[place], far[place] = _MORE / kinds, 1 - kinds / 4
    return Added(tuple(near), tuple(far))


def directions(value: Value, cells: Sequence[int]) -> Signs:
    """Whether the measure rises (1) or falls (-1) with each cell in tables like this; 0 if it does
    not change, None if both.

    Looked at are 128 tables all over the distribution. A third of a case, and a thousandth of what
    there is, is added to each cell, and the tables are scaled to the same number of items.

    Examples
    --------
    >>> directions(lambda c: c.tp / c.accepted, (4, 1, 2, 3))
    (1, -1, 0, 0)
    """
    total = sum(cells)
    tables = _tables([cell + _MORE for cell in cells], total, _some_scores())
    before = _values(value, tables)
    signs: list[int | None] = []
    for place in range(4):
        more = tables.copy()
        more[place] += _MORE + more[place] / 1000
        after = _values(value, more * (total / more.sum(axis=0)))
        with np.errstate(invalid="ignore"):
            change = after - before
            scale = np.maximum(np.abs(after), np.abs(before))
            rises, falls = (bool(np.any(way * change > _ROUNDING * scale)) for way in (1, -1))
        signs.append(None if rises and falls else rises - falls)
    return tuple(signs)


def _values(value: Value, tables: Float64) -> Float64:
    """The measure of tables: cells x any shape."""
    with np.errstate(all="ignore"):
        found = value(Counts(*tables.reshape(4, -1)))
    return np.asarray(found, np.float64).reshape(tables.shape[1:])


def _quantile(value: Value, shape: Sequence[float], total: float, share: float) -> float:
    """The quantile of the measure over Dirichlet shares of these shapes, times so many items."""
    middle = abs(float(_values(value, _tables(shape, total, np.zeros(3)))))
    unit = middle if 0 < middle < math.inf else 1.0

    def at(scores: Float64) -> Float64:
        # Linear next to 0, logarithmic far out: ratios without an upper end are as smooth as
        # shares.
        return np.asarray(np.arcsinh(_values(value, _tables(shape, total, scores)) / unit))

    start, way, weight = _lines(at, share)
    points = _points()
    values = at(start[:, :, None] + way[:, None, None] * points)
    target = roughly = _of_points(values, weight, share)
    if not np.isfinite(values).all():
        return unit * float(np.sinh(roughly))
    least, most = float(values.min()), float(values.max())
    less = values < target
    line, place = np.nonzero(less[:, 1:] != less[:, :-1])
    if not len(line):
        return unit * float(np.sinh(roughly))
    # A line's chance of lying below is that of its end, and that of all scores before it crosses
    # the value upwards.
    below, sign = (
        float(weight @ less[:, -1]),
        np.where(less[line, place], weight[line], -weight[line]),
    )
    ends, bounds = (
        (points[place], points[place + 1]),
        (values[line, place], values[line, place + 1]),
    )
    chord = (bounds[1] - bounds[0]) / _STEP
    score = ends[0] + (target - bounds[0]) / chord
    for _ in range(_CORRECTED):
        found = at(start[:, line] + way[:, None] * score)
        # Of the parabola through the point and both ends, unless it is one of them.
        with np.errstate(invalid="ignore", divide="ignore"):
            slope = (
                sum(
                    (found - bound) / (score - end) for end, bound in zip(ends, bounds, strict=True)
                )
                - chord
            )
            inside = np.minimum(*(np.abs(score - end) for end in ends)) > 1e-6
        slope = np.where(inside & (slope * chord > 0), slope, chord)
        target = _solve(score - found / slope, 1 / slope, sign, share - below, target)
        target = min(max(target, least), most)
        score = np.clip(score + (target - found) / slope, ends[0] - _STEP, ends[1] + _STEP)
    # Lines cross no value of a measure that goes by steps.
    smooth = np.mean(np.abs(found - target)) <= _SMOOTH * np.mean(np.abs(bounds[1] - bounds[0]))
    target = target if smooth else roughly
    return unit * float(np.sinh(target))


def _solve(score: Float64, slope: Float64, sign: Float64, share: float, target: float) -> float:
    """The value t at which the sum of sign Φ(score + slope t) is so great, by Newton's method from
    near it.
    """
    for _ in range(2):
        scores = score + slope * target
        density = float(sign @ (slope * np.exp(-(scores**2) / 2))) / math.sqrt(2 * math.pi)
        if not density > 0:
            break
        target -= (float(sign @ quantiles.normal_shares(scores)) - share) / density
    return target


def _of_points(values: Float64, weight: Float64, share: float) -> float:
    """The quantile if every point of a line stood for those near it; of undefined values nothing is
    known.
    """
    points = _points()
    edges = quantiles.normal_shares((points[1:] + points[:-1]) / 2)
    chance = weight[:, None] * np.diff(edges, prepend=0.0, append=1.0)
    known = ~np.isnan(values)
    if not known.any():
        return math.nan
    order = np.argsort(values[known], kind="stable")
    sums = np.cumsum(chance[known][order])
    return float(values[known][order][np.searchsorted(sums, share * sums[-1])])


def _lines(at: Callable[[Float64], Float64], share: float) -> tuple[Float64, Float64, Float64]:
    """Parallel lines in the direction in which a function of scores changes most.

    Where they have the score 0 (3 x lines), their direction, and the chance of each.
    """
    # Between the direction over all scores and that next to the quantile: either alone serves some
    # measures badly.
    mostly = _regression(at)
    way = mostly + _steepest(at, mostly * quantiles.normal(share))
    way = way / math.sqrt(float(way @ way)) if way.any() else mostly
    # Householder's reflection takes the first axis to that direction, and the two others to right
    # angles with it.
    turned = np.eye(3)[0] + way * (1 if way[0] >= 0 else -1)
    axes = np.eye(3) - 2 * np.outer(turned, turned) / (turned @ turned)
    places, weight = _places()
    return axes[:, 1:] @ places, way, weight


def _regression(at: Callable[[Float64], Float64]) -> Float64:
    """The direction, of length 1, of the regression of the ranks of a function, as normal scores,
    on its scores.
    """
    scores = _some_scores()
    order = np.argsort(at(scores), kind="stable")
    return _of_length_1(scores[:, order] @ np.sort(scores[0]))


def _steepest(at: Callable[[Float64], Float64], scores: Float64) -> Float64:
    """The direction, of length 1, in which a function of scores rises most about this place."""
    apart = np.concatenate((np.eye(3), -np.eye(3)), axis=1) / 2
    ends = at(scores[:, None] + apart)
    with np.errstate(invalid="ignore"):
        return _of_length_1(np.nan_to_num(ends[:3] - ends[3:], posinf=0.0, neginf=0.0))


def _of_length_1(way: Float64) -> Float64:
    if not way.any():
        return np.array([1.0, 0.0, 0.0])
    # Over the greatest first: squares of great values leave float64.
    way = way / np.abs(way).max()
    return np.asarray(way / math.sqrt(float(way @ way)))


def _tables(shape: Sequence[float], total: float, scores: Float64) -> Float64:
    """The four cells at normal scores of the shares of wrong decisions, of FP among these and of TP
    among right ones.
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
    """Normal scores in order, and the log-odds that a beta variable of these shapes has there.

    On the scale of log-odds t its density is exp(-w²/2) dw, w the signed root of the deviance,
    times dt/dw, which is smooth. So the chance between two points of an even grid of w is the
    integral of the cubic through the four points around.
    """
    if first > second:
        scores, odds = _log_odds(second, first)
        return -scores[::-1], -odds[::-1]
    size, root = first + second, np.linspace(-_LAST, _LAST, _POINTS + 2)
    share, spread, centre = first / size, math.sqrt(size / first / second), math.log(first / second)
    if spread < _NARROW:
        return root, centre + spread * root
    goal = root**2 / 2
    # First the normal distribution's, within the straight lines that bound the deviance far out.
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
    beyond = np.pad(density, 1, mode="edge")
    part = (13 * (density[1:] + density[:-1]) - beyond[:-3] - beyond[3:]) / 24
    below, above = np.cumsum(part)[:-1], np.cumsum(part[::-1])[::-1][1:]
    whole = float(part.sum())
    # Each by the smaller of both sides, whose digits are its own.
    normal = [
        quantiles.normal(less / whole) if less < more else -quantiles.normal(more / whole)
        for less, more in zip(below.tolist(), above.tolist(), strict=True)
    ]
    # Beyond, a share is 0 or 1, and its odds are no float64.
    return np.array(normal), np.clip(centre + odds[1:-1], -700.0, 700.0)


@cache
def _points() -> Float64:
    """Scores along a line."""
    return np.linspace(-_FAR, _FAR, round(2 * _FAR / _STEP) + 1)


@cache
def _places() -> tuple[Float64, Float64]:
    """Where lines cross a plane at right angles to them (2 x lines), and the chance of each, by the
    trapezoid rule.
    """
    most = round(_REACH / _APART)
    steps = _APART * np.arange(-most, most + 1)
    places = np.stack(np.meshgrid(steps, steps, indexing="ij")).reshape(2, -1)
    squares = np.sum(places**2, axis=0)
    places, weight = places[:, squares <= _REACH**2], np.exp(-squares[squares <= _REACH**2] / 2)
    return places, weight / weight.sum()


@cache
def _some_scores() -> Float64:
    """Points all over the normal distribution of three scores (3 x points): Roberts' sequence of
    low discrepancy.
    """
    root = 1.22074408460575947536  # of x⁴ = x + 1
    place = np.arange(1, 129)[:, None] * root ** -np.arange(1.0, 4.0) % 1
    return np.array([[quantiles.normal(share) for share in row] for row in place.T.tolist()])
