"""`compare.curves`: where one curve lies above another of the same cases."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from precall.core.arguments import check_choice, check_kind, check_rows
from precall.core.notes import run_and_warn
from precall.core.rng import Rng
from precall.stats.tests.curve_bands import AXES, CurveComparison, compare_curves

if TYPE_CHECKING:
    from precall.cases import Curve


def curves(
    a: Curve,
    b: Curve,
    view: str = "pr",
    *,
    groups: object = None,
    grid: object = None,
    level: float = 0.95,
    resamples: int = 1000,
    rng: Rng = 0,
    names: tuple[str, str] = ("a", "b"),
) -> CurveComparison:
    """Where the curve of one system lies above that of another on the same cases, with a band of
    the difference.

    An area can be equal although one curve is better at low recall and the other at high recall.
    The band is simultaneous: in 95 % of samples it holds the difference at all places of the grid.
    So wherever it is above 0, the first curve is significantly above the second.

    Parameters
    ----------
    a : the first curve, as `precall.curve(labels, scores)` returns it.
    b : the second, of the same cases in the same order.
    view : "pr": precision at given recalls; "roc": recall at given false positive rates.
    groups : the group of each case, such as its patient: groups are resampled as a whole.
    grid : ascending recalls or false positive rates in (0, 1]; None is .05, .1, ..., .95.
    level : nominal coverage of the whole difference, in (0, 1).
    resamples : number of samples of the cases, or groups, at least 100.
    rng : seed or NumPy Generator.
    names : names of the two systems, for printing.

    Returns
    -------
    CurveComparison
        `band` has the difference with its bounds over the grid; `above` and `significantly_above`
        are the shares of the grid on which the first curve, or the whole band, is above;
        `below` and `significantly_below` likewise.

    Raises
    ------
    UsageError
        The curves are not of the same cases, or were made with weights or from counts.

    See Also
    --------
    precall.plot.CurveDifference : draws the difference with its band.

    Notes
    -----
    Both curves are made again from samples of the cases; bounds of their heights, on the scale of
    angles, are combined by MOVER (Zou & Donner 2008). How often the band holds the whole difference
    is in docs/why/tests.md. With fewer than 100 relevant or other cases a note says that it can
    cover more.

    Examples
    --------
    >>> from precall import compare, curve
    >>> y = [1, 1, 0, 1, 0, 0, 1, 0] * 30
    >>> a = curve(y, [8, 7, 6, 5, 4, 3, 2, 1] * 30)
    >>> b = curve(y, [8, 3, 6, 1, 4, 5, 2, 7] * 30)
    >>> found = compare.curves(a, b, grid=[0.25, 0.5, 0.75])
    >>> found.band.estimate.round(4).tolist(), found.above, found.significantly_above
    ([0.0, 0.6667, 0.3214], 0.6666666666666666, 0.6666666666666666)
    """
    from precall.cases import Curve
    from precall.cases.scored_cases import check_cases, members
    from precall.comparison.dispatch import pair_of_curves
    from precall.stats.tests.lists import ItemLists
    from precall.stats.tests.pairing import check_two

    for argument, given in (("a", a), ("b", b)):
        check_kind(argument, given, Curve, "what precall.curve(labels, scores) returns")
    check_choice("view", view, AXES)
    names = check_two(names)
    pair = pair_of_curves(a, b, None)
    check_rows(relevant=pair.rows, groups=groups)
    relevant, *scores = pair.arguments
    good_side = bool(pair.known.get("higher_is_better", True))
    (truth, first), (_, second) = (check_cases(relevant, s, None, good_side) for s in scores)
    group, of_groups = run_and_warn(
        lambda: None if groups is None else members(groups, len(truth), "groups")
    )
    missed = pair.known.get("missed", 0)
    items = ItemLists(truth, first, second, group, None, missed)  # type: ignore[arg-type]
    found = compare_curves(
        items, view, grid=grid, level=level, resamples=resamples, rng=rng, names=names
    )
    shared = dict.fromkeys((*pair.notes, *of_groups, *found.notes))
    return replace(found, notes=tuple(shared))
