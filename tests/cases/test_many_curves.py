"""Curves of many rankings in one call against those of each by itself: equal bits."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import precall as pc
from precall.cases.ranking_curves import curves
from precall.core.counts import Paths, PopulationUnknown
from precall.core.errors import TiesUnresolved
from precall.hard_decisions import eleven
from precall.location.hits import Hits
from precall.location.paths import paths
from precall.measures import measure

NAMES = (
    "P@3",
    "R@2",
    "RR",
    "Rprec",
    "AP",
    "AP@4",
    "AUC",
    "BEP",
    "MaxF",
    "AUPRG",
    "11-point",
    "Coverage",
    "RankingLoss",
    "SetF",
    "Success@2",
    "F(beta=2)@3",
    "BEP(method=max-min)",
    "BEP(method=linear)",
    "MaxF(beta=2)",
    "MaxF(alpha=0.3)",
    "MaxF(beta=0)",
    "AreaPR(method=11-point)",
    "AreaPR",
    "AreaPR(method=trapezoid)",
    "AreaPR(method=interpolated)",
    "AreaPR(method=davis-goadrich)",
    "AreaPR(method=davis-goadrich-discrete)",
    "AUC(method=step)",
)
TIES = ("block", "expected", "best", "worst")


def rankings(tied: bool, seed: int = 0):
    """Ragged ones: without cases, without hits, with nothing else, with misses."""
    rng = np.random.default_rng(seed)
    sizes = np.concatenate(([0, 1, 1, 7, 2000], rng.integers(0, 30, 60)))
    start = np.cumsum([0, *sizes])
    score = (
        rng.integers(0, 5, start[-1]).astype(np.float32) if tied else rng.permutation(start[-1]) / 7
    )
    relevant = rng.random(start[-1]) < np.repeat(rng.choice([0, 0.3, 1], len(sizes)), sizes)
    found = np.array([relevant[a:b].sum() for a, b in pairwise(start)])
    return relevant, score, start, found + rng.integers(0, 3, len(sizes))


def alone(relevant, score, start, total):
    for a, b, wanted in zip(start[:-1], start[1:], total, strict=True):
        yield pc.curve(relevant[a:b], score[a:b], missed=int(wanted - relevant[a:b].sum()))


@pytest.mark.parametrize("tied", [False, True])
def test_each_is_as_alone(tied):
    given = rankings(tied)
    for one, expected in zip(curves(*given), alone(*given), strict=True):
        assert (
            one == expected and one.tp.dtype == expected.tp.dtype and one.missed == expected.missed
        )


@pytest.mark.nightly(keep=16)
@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("tied", [False, True])
def test_measures_of_all_are_those_of_each(name, ties, tied):
    given, chosen = rankings(tied), measure(name)
    assert outcome(lambda: curves(*given).measured(chosen, ties).tolist()) == outcome(
        lambda: [one.measured(chosen, ties) for one in alone(*given)]
    )


def outcome(call):
    """The values, NaN being equal, or what is said of ties."""
    try:
        return [repr(value) for value in call()]
    except TiesUnresolved as error:
        return str(error)


@pytest.mark.parametrize(
    "name", ["MaxF", "BEP", "BEP(method=linear)", "AreaPR", "AreaPR(method=11-point)", "Coverage"]
)
def test_rankings_measured_at_once_are_those_of_each(name):
    """Where the number of all items is known each has a path of its own; without it, and without
    ties, they are columns.
    """
    relevant, score, start, total = rankings(False)
    lists = [np.flatnonzero(relevant[a:b][np.argsort(-score[a:b])]) + 1 for a, b in pairwise(start)]
    location, ranking = np.concatenate(lists), np.repeat(np.arange(len(lists)), [*map(len, lists)])
    ones, size = np.ones(len(location), np.int64), np.diff(start)
    columns = (location, location, ones, ranking, size, total)
    at_once, each = Hits(*columns), Hits(*columns, size + total)
    assert isinstance(paths(at_once), Paths) and isinstance(paths(each), list)
    np.testing.assert_array_equal(measure(name)(at_once), measure(name)(each))
    with pytest.raises(PopulationUnknown):
        next(iter(paths(at_once))).other  # noqa: B018


@pytest.mark.parametrize("ties", TIES)
def test_hits_of_a_curve_are_its_blocks(ties):
    c = pc.curve([1, 1, 0, 1, 0, 0, 1], [5, 4, 4, 4, 3, 2, 1], missed=2)
    hits = c.hits(ties)
    first, last, count = {
        "best": ([1, 2, 3, 7], [1, 2, 3, 7], [1] * 4),
        "worst": ([1, 3, 4, 7], [1, 3, 4, 7], [1] * 4),
    }.get(ties, ([1, 2, 7], [1, 4, 7], [1, 2, 1]))
    assert (hits.first.tolist(), hits.last.tolist(), hits.count.tolist()) == (first, last, count)
    assert isinstance(hits, Hits) and hits.ranking.tolist() == [0] * len(first)
    assert (hits.retrieved, hits.relevant, hits.population) == (7, 6, 9)


def test_categories_measure_all_items_at_once():
    rng = np.random.default_rng(4)
    truth, score = rng.random((40, 6)) < 0.3, rng.integers(0, 4, (40, 6))
    status = pc.categorize(truth, score)
    for name, ties in (("P@2", "expected"), ("BEP", "block"), ("RR", "best")):
        expected = [c.measured(measure(name), ties) for c in status.curves("item")]
        assert np.array_equal(status.by_item(name, ties).values, expected, equal_nan=True)
    assert len(status.by_item(lambda c: float(c.tp[-1])).values) == 40


@pytest.mark.nightly(keep=8)
@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize(
    "name", ["F", "MCC", "Error", "Utility(1,-2,0,0)", "YoudenJ", "P", "E(beta=2)", "Fallout"]
)
def test_best_rows_of_all_are_those_of_each(name, tied):
    given, chosen = rankings(tied), measure(name)
    paths = curves(*given)
    values = chosen.of_table(paths.table())
    rows = paths.best_rows(values, chosen.declaration.direction < 0) - paths.start[:-1]
    for one, row, (begin, end) in zip(
        alone(*given), rows.tolist(), pairwise(paths.start), strict=True
    ):
        assert np.array_equal(values[begin:end], chosen.of_table(one), equal_nan=True)
        assert one.threshold[row] == one.at(max=chosen).threshold


@pytest.mark.parametrize("tied", [False, True])
def test_eleven_points_of_all_are_those_of_each(tied):
    given = rankings(tied)
    for form in eleven.FORMS:
        expected = [eleven.points(one, form) for one in alone(*given)]
        np.testing.assert_array_equal(eleven.points_of_each(curves(*given), form), expected)
    of_one = [one.eleven_point() for one in alone(*given) if one.relevant]
    np.testing.assert_array_equal(
        eleven.points_of_each(curves(*given), "trec")[given[3] > 0], of_one
    )
