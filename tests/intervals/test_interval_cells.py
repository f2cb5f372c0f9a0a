"""Bounds of measures of one table: against closed forms and draws, for every measure, with
directions that nobody declares.
"""

from __future__ import annotations

import itertools
import math
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.core.counts import Counts
from precall.core.notes.of_intervals import FewOfAKind, ShortForFew
from precall.measures import REGISTRY, CountsExample, of_counts
from precall.stats import quantiles
from precall.stats.intervals import of_tables
from precall.stats.intervals.cell_posterior import _log_odds, additions, cell_bounds, directions
from precall.stats.intervals.few_errors import FEWEST
from tests.noticed import noticed, warned
from tests.oracle.declared import COUNTED
from tests.peers import peer
from tests.registries import lend

special = peer("scipy.special")
stats = peer("scipy.stats")

TABLES = [
    (50, 0, 0, 50),
    (49, 1, 0, 50),
    (48, 2, 2, 48),
    (40, 12, 9, 59),
    (5, 3, 4, 12),
    (12, 0, 1, 11),
    (20, 3, 0, 400),
    (300, 1, 1, 300),
    (2, 9, 7, 3),
]
#: Those of no proportion.
OTHERS = [
    one.name
    for one in REGISTRY
    if one.of is Counts and one.proportion is None and one.formula.__module__.startswith("precall.")
]


def few(seen: int, noun: str, effect: str) -> dict[str, Any]:
    """That so few were seen, and what the interval does then."""
    return {"seen": seen, "fewest": FEWEST, "noun": noun, "effect": effect}


def value_of(name: str) -> Any:
    measure = of_counts(name)
    return lambda c: measure.of_table(c).reshape(-1)


@pytest.mark.nightly(keep=9)
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_shares_are_tails_of_beta_distributions(table, level):
    """Accuracy is one beta variable; F1 is 2B / (1 + B) of another."""
    tp, fp, fn, tn = table
    tail = (1 - level) / 2
    # Two kinds of right decisions to accuracy, one to F1; two kinds of errors to either.
    for hits, name, (near, far) in ((tp + tn, "Accuracy", (1 / 3, 1.0)), (tp, "F", (1 / 3, 0.75))):
        low = special.betaincinv(hits + near, fp + fn + 1, tail)
        high = special.betaincinv(hits + far, fp + fn + 1 / 3, 1 - tail)
        expected = (
            [low, high] if name == "Accuracy" else [2 * end / (1 + end) for end in (low, high)]
        )
        value = value_of(name)
        found = cell_bounds(value, table, directions(value, table), level)
        assert found == pytest.approx(expected, abs=1e-5)


def kinds(moves: list[float]) -> float:
    """How many of them matter."""
    return sum(moves) ** 2 / sum(move**2 for move in moves)


@pytest.mark.nightly(keep=3)
@pytest.mark.parametrize("name", [*(name for name in OTHERS if name != "Utility"), "F(beta=2)"])
@pytest.mark.parametrize("table", [(49, 1, 0, 50), (5, 3, 4, 12), (20, 3, 1, 400)])
def test_every_measure_has_the_quantiles_of_gamma_variables(name, table):
    """By draws, with the additions written out by the direction that the oracle has at the
    table.
    """
    oracle = COUNTED[name.partition("(")[0]]
    given = {"beta": 2.0} if name == "F(beta=2)" else {}
    cells = [10_000 * (3 * cell + 1) for cell in table]
    changes = [
        float(
            oracle(*(cell + 10 * (i == place) for i, cell in enumerate(cells)), **given)
            - oracle(*cells, **given)
        )
        for place in range(4)
    ]
    changes = [change if abs(change) > 1e-13 else 0.0 for change in changes]
    alike = [
        kinds([abs(one) for one in changes if one * change > 0]) if change else 1.0
        for change in changes
    ]
    rng = np.random.default_rng(1)
    expected = []
    for side, share in ((1, 0.025), (-1, 0.975)):
        shape = [
            cell + (1 / (3 * k) if side * change > 0 else 1 - k / 4)
            for cell, change, k in zip(table, changes, alike, strict=True)
        ]
        drawn = rng.standard_gamma(shape, (400_000, 4)).T
        with np.errstate(all="ignore"):
            expected.append(np.quantile(value_of(name)(Counts(*drawn)), share))
    found = cell_bounds(value_of(name), table, directions(value_of(name), table), 0.95)
    # What one more fn or tn does to net benefit turns with its sign, so that both are tried and the
    # wider bounds taken.
    near = 0.06 if name.startswith("NetBenefit") else 0.03
    assert found == pytest.approx(expected, rel=near, abs=3e-3)


@pytest.mark.nightly
@pytest.mark.parametrize("name", OTHERS)
def test_the_table_s_own_value_is_inside_and_bounds_are_in_range(name):
    """All tables of up to three in a cell, and some far larger."""
    measure, value = of_counts(name), value_of(name)
    tables = [
        *itertools.product((0, 1, 3), repeat=4),
        (10**9, 3, 0, 10**12),
        (10**15, 10**15, 1, 10**15),
    ]
    for table in tables:
        estimate = float(value(Counts(*np.array(table)[:, None]))[0])
        if math.isnan(estimate):
            continue
        with pc.notes.collect_notes():
            found = of_tables.of_cells(measure, name, table)
        low, high = found.ends
        least, most = measure.declaration.range
        assert math.isnan(low) or least <= low <= estimate <= high <= most, table


def test_directions():
    table = (40, 12, 9, 59)
    rising = {"MCC", "kappa", "BalancedAccuracy", "YoudenJ", "LR+"}
    for name in OTHERS:
        found = tuple(directions(value_of(name), table))
        if name in rising:
            assert found == (1, -1, -1, 1), name
    assert tuple(directions(value_of("LR-"), table)) == (-1, 1, 1, -1)
    assert tuple(directions(value_of("Jaccard"), table)) == (1, -1, -1, 0)
    assert tuple(directions(value_of("E"), table)) == (-1, 1, 1, 0)
    # Far below chance kappa is the higher the more unlike the numbers of the two kinds of errors
    # are.
    assert None in directions(value_of("kappa"), (0, 8, 8, 0))


def test_either_addition_is_tried_where_a_direction_is_not_known():
    """The bound is the farther of both, each that of a table with one addition."""
    value, table = value_of("kappa"), (0, 8, 8, 0)
    signs = directions(value, table)
    found = cell_bounds(value, table, signs, 0.9)
    added = additions(value, table, signs)
    tried = [
        cell_bounds(value, table, some, 0.9, added)
        for some in itertools.product((1, -1), repeat=4)
        if all(sign in (None, one) for sign, one in zip(signs, some, strict=True))
    ]
    assert (
        found == (min(low for low, _ in tried), max(high for _, high in tried)) and len(tried) > 1
    )


@pytest.fixture
def own(monkeypatch):
    """Measures as a user declares them, without a word on how they move with the cells."""
    lend(monkeypatch)

    def declare(name: str, formula: Any, most: float) -> str:
        example = CountsExample(
            tp=2, fp=3, fn=1, tn=4, value=formula(*map(np.float64, (2, 3, 1, 4)))
        )

        def of(c: Counts) -> Any:
            """A measure of a user."""
            return formula(c.tp, c.fp, c.fn, c.tn)

        pc.measure(
            name, of=Counts, sources=["ours"], range=(0, most), undefined="0/0", example=example
        )(of)
        return name

    return declare


def test_measures_of_users(own):
    """One that falls with errors, a cost that rises with them, one that does either, one of
    steps.
    """
    truth = np.repeat([1, 0, 1, 0], (40, 12, 9, 59))
    said = np.repeat([1, 1, 0, 0], (40, 12, 9, 59))
    d = pc.decisions(truth, said)
    mean = own("RootOfShares", lambda a, b, c, e: (a / (a + c) * e / (b + e)) ** 0.5, 1)
    low, high = pc.interval(d, mean).ends
    cost = own("GLoss", lambda a, b, c, e: 1 - (a / (a + c) * e / (b + e)) ** 0.5, 1)
    assert pc.interval(d, cost).ends == pytest.approx((1 - high, 1 - low), abs=1e-5)
    lift = own("LiftOver", lambda a, b, c, e: a * (a + b + c + e) / ((a + b) * (a + c)), 100)
    assert None in directions(value_of(lift), (4, 6, 6, 4))
    found = pc.interval(d, lift)
    assert found.low < found.estimate < found.high
    steps = own("Steps", lambda a, b, c, e: np.floor(10 * a / (a + c)) / 10, 1)
    found = pc.interval(d, steps)
    assert (found.low, found.estimate, found.high) == pytest.approx((0.6, 0.8, 0.9))


def test_nothing_is_drawn():
    found = [
        pc.interval(pc.decisions([1, 0] * 40, [1, 0, 0, 1] * 20), "MCC", rng=rng) for rng in (0, 1)
    ]
    assert found[0] == found[1] and found[0].seed is None and found[0].resamples == 0


@pytest.mark.nightly
def test_it_needs_no_scipy():
    lines = [
        "import sys; sys.modules['scipy'] = None",
        "import precall as pc",
        "d = pc.decisions([1] * 40 + [0] * 40, [1] * 33 + [0] * 40 + [1] * 7)",
        "print(pc.interval(d, 'MCC'), pc.interval(d, 'F'), pc.interval.f(33, 7, 7))",
    ]
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True
    )
    assert done.stdout.count("posterior") == 3


@pytest.mark.parametrize(
    "shapes",
    [(0.5, 0.5), (1 / 6, 1.0), (1.0, 100.3), (3.0, 1e5), (300.0, 0.5), (1e9, 2e9), (1e14, 7.0)],
)
def test_log_odds_are_quantiles_of_the_beta_distribution(shapes):
    scores, odds = _log_odds(*shapes)
    assert (np.diff(scores) > 0).all() and (np.diff(odds) > 0).all()
    z = np.linspace(-3, 3, 61)
    below = special.betaincinv(*shapes, stats.norm.cdf(z))
    above = special.betaincinv(*shapes[::-1], stats.norm.sf(z))
    assert np.interp(z, scores, odds) == pytest.approx(np.log(below / above), abs=2e-3)


def test_normal_shares():
    z = np.linspace(-9, 9, 1001)
    assert quantiles.normal_shares(z) == pytest.approx(special.ndtr(z), rel=2e-5, abs=1e-15)
    assert quantiles.normal_shares(z) == pytest.approx(special.ndtr(z), abs=4e-8)
    assert quantiles.normal_shares(np.array([-100.0, 100.0])) == pytest.approx(
        [0.0, 1.0], abs=1e-20
    )


class TestFewErrors:
    """One rule for measures of counts: what is right or wrong to the measure was seen fewer than
    five times.
    """

    @pytest.mark.parametrize(
        "name",
        ["MCC", "kappa", "BalancedAccuracy", "YoudenJ", "Jaccard", "F", "FowlkesMallows", "E"],
    )
    @pytest.mark.parametrize("method", ["posterior", "other"])
    def test_sums_of_errors(self, name, method):
        other = "delta" if name in ("F", "E") else "bca"
        options = {} if method == "posterior" else {"method": other}
        for errors in (FEWEST - 1, FEWEST):
            truth = [1] * 50 + [0] * 50
            said = [1] * (50 - errors + 2) + [0] * (errors - 2) + [1] * 2 + [0] * 48
            decisions = pc.decisions(truth, said)
            effect = "wide" if method == "posterior" else "less"
            if errors < FEWEST:
                with warned(FewOfAKind) as told:
                    pc.interval(decisions, name, **options)
                assert [note.values for note in told] == [few(4, "FP + FN", effect)]
            else:
                assert not pc.interval(decisions, name, **options).notes

    def test_accuracy_has_the_same_limit(self):
        with warned(ShortForFew) as told:
            pc.interval(pc.decisions([1] * 50 + [0] * 50, [1] * 54 + [0] * 46), "accuracy")
        assert [(note.hits, note.total, note.fewest) for note in told] == [(96, 100, 5)]
        assert not pc.interval(
            pc.decisions([1] * 50 + [0] * 50, [1] * 55 + [0] * 45), "accuracy"
        ).notes

    @pytest.mark.parametrize("name", ["LR+", "LR-"])
    def test_each_cell_of_a_ratio(self, name):
        with warned(FewOfAKind) as told:
            pc.interval(
                pc.decisions([1] * 50 + [0] * 50, [1] * 46 + [0] * 4 + [1] * 9 + [0] * 41), name
            )
        assert [note.values for note in told] == [few(4, "FN", "wide")]

    def test_items_of_several_categories(self):
        truth = [0, 1, 2] * 40
        with warned(FewOfAKind) as told:
            pc.interval(pc.decisions(truth, [1, 2, 2, *truth[3:]]), "MCC")
        assert [note.values for note in told] == [few(2, "items with an error", "less")]

    @pytest.mark.parametrize("measure", ["MCC", "accuracy"])
    def test_differences_of_decisions(self, measure):
        truth = [1, 0] * 40
        first, second = [0, 1, *truth[2:]], [1, 1, 0, *truth[3:]]
        found = pc.compare.decisions(truth, first, second, measure, interval="percentile")
        (note,) = noticed(found, FewOfAKind)
        assert note.values == few(2, "items decided differently", "less")
