"""Two scores of the same items by any number of a list: exact p by all exchanges, laws, and which
tests there are.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.core.errors import UsageError
from precall.core.notes.of_comparisons import InfluenceByDefault, IntervalByMover
from precall.measures.registry import find
from precall.stats.tests import list_numbers
from precall.stats.tests import lists as two_lists
from tests.noticed import noticed

pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
NUMBERS = (
    "AP@4",
    "EF@20%",
    "Rprec",
    "BEP",
    "BEP(method=max-min)",
    "BEP(method=linear)",
    "IAP",
    "BEDROC",
    "AUPRG",
    "MaxF",
    "MaxF(beta=2)",
    "KS",
    "PAtRecall(recall=0.5)",
    "KAtRecall(recall=0.5)",
    "RAtPrecision(precision=0.6)",
)
#: Measures whose intervals are from those of both lists.
BY_MOVER = tuple(name for name in NUMBERS if "At" in name or name.startswith("EF"))
ONE_ITEM = ("RR", "Success@2", "Coverage")


def drawn(size: int = 300, seed: int = 1, digits: int = 6, gap: float = 1.0) -> Any:
    rng = np.random.default_rng(seed)
    relevant = np.arange(size) % 4 == 0
    hidden = 0.7 * rng.normal(size=size)
    a, b = hidden + 0.7 * rng.normal(size=(2, size))
    a, b = a + (1 + gap) * relevant, b + relevant
    return relevant, np.round(a, digits), np.round(b, digits)


def ranks(score: Any) -> Any:
    """Midranks, the best first."""
    above, same = (
        np.array([f(score, each).sum() for each in score]) for f in (np.greater, np.equal)
    )
    return above + (same + 1) / 2


def by_all_exchanges(relevant: Any, a: Any, b: Any, name: str, group: Any) -> float:
    """The share of all exchanges of ranks whose difference is as great."""
    first, second = ranks(a), ranks(b)
    names = np.unique(group)
    found = []
    for swap in product((False, True), repeat=len(names)):
        turned = np.array(swap)[np.searchsorted(names, group)]
        lists = np.where(turned, second, first), np.where(turned, first, second)
        values = [pc.curve(relevant, -each).value(name) for each in lists]
        found.append(values[0] - values[1])
    return float(np.mean(np.abs(found) >= abs(found[0]) - 1e-9))


@pytest.mark.parametrize("digits", [6, 0])
@pytest.mark.parametrize("name", [*NUMBERS, *ONE_ITEM])
def test_p_is_the_share_of_all_exchanges(name: str, digits: int) -> None:
    relevant, a, b = drawn(9, seed=3, digits=digits)
    found = pc.compare.cases(relevant, a, b, name)
    assert found.method.exact
    assert found.p == by_all_exchanges(relevant, a, b, name, np.arange(9))


@pytest.mark.parametrize("name", ["BEDROC", "MaxF", "Rprec"])
def test_groups_are_exchanged_as_a_whole(name: str) -> None:
    relevant, a, b = drawn(14, seed=5)
    group = np.arange(14) % 5
    found = pc.compare.cases(relevant, a, b, name, groups=group)
    assert found.p == by_all_exchanges(relevant, a, b, name, group)


@pytest.mark.parametrize("seed", range(4))
def test_average_precision_has_the_p_of_its_own_exchanges(seed: int) -> None:
    """Two engines: this one measures each list anew, that one counts."""
    relevant, a, b = drawn(10, seed, digits=1)
    items = two_lists.ItemLists(relevant, a, b)
    (pair,), _ = two_lists.lists_of(items, None)
    known = pc.compare.cases(relevant, a, b, "AP")
    found = list_numbers.p_of_exchanges(
        [pair.exchange_lists()], find("AreaPR"), known.difference, 0, 99
    )
    assert found[0] == known.p


@pytest.mark.parametrize("name", NUMBERS)
def test_values_and_mirrored_systems(name: str) -> None:
    relevant, a, b = drawn(120, digits=1)
    found, mirrored = (
        pc.compare.cases(relevant, *pair, name, resamples=199) for pair in ((a, b), (b, a))
    )
    assert found.values == pytest.approx(
        [pc.curve(relevant, score).value(name) for score in (a, b)], rel=1e-12
    )
    assert (found.p, found.low) == (mirrored.p, -mirrored.high)
    assert found.low < found.difference < found.high
    assert found.higher_is_better == (find(name).declaration.direction > 0)
    order = np.random.default_rng(2).permutation(120)
    shuffled = pc.compare.cases(relevant[order], a[order], b[order], name, resamples=199)
    assert (shuffled.p, shuffled.low) == pytest.approx((found.p, found.low), rel=1e-9)


@pytest.mark.parametrize("name", NUMBERS)
def test_influences_and_exchanges_agree(name: str) -> None:
    relevant, a, b = drawn(600, gap=0.2)
    exchanged, by_influence = (
        pc.compare.cases(relevant, a, b, name, test=test, resamples=499)
        for test in ("permutation", "influence")
    )
    assert by_influence.p == pytest.approx(exchanged.p, abs=0.2)
    if name not in BY_MOVER:
        assert by_influence.low == exchanged.low
    assert by_influence.statistic == exchanged.statistic


@pytest.mark.parametrize("name", BY_MOVER)
def test_bounds_of_both_lists_make_those_of_the_difference(name: str) -> None:
    """Zou & Donner 2008, with the correlation from how far both move together: influences alone
    covered 91 to 92 % of the differences of recall at a precision.
    """
    relevant, a, b = drawn(400, gap=0.3)
    found = pc.compare.cases(relevant, a, b, name, resamples=99)
    assert found.interval == "mover"
    assert bool(noticed(found, IntervalByMover)) == ("At" in name)
    first, second = (pc.interval(pc.curve(relevant, score), name) for score in (a, b))
    down, up = found.difference - found.low, found.high - found.difference
    for low, high, half in (
        (first.estimate - first.low, second.high - second.estimate, down),
        (first.high - first.estimate, second.estimate - second.low, up),
    ):
        # Between independent values and values that move together.
        assert abs(low - high) < half < np.hypot(low, high) * 1.02


def test_a_precision_that_neither_list_reaches() -> None:
    relevant = np.arange(60) % 3 == 2
    a, b = -np.arange(60.0), np.roll(-np.arange(60.0), 30)
    found = pc.compare.cases(relevant, a, b, "RAtPrecision(precision=0.99)", resamples=99)
    assert found.values == (0.0, 0.0) and found.p == 1 and found.low is None


@pytest.mark.parametrize("name", ["Coverage", "PAtRecall(recall=0.9)", "KAtRecall(recall=0.9)"])
def test_measures_without_a_value_are_refused(name: str) -> None:
    """With missed items these are undefined, and p was the least possible one: no exchange has a
    difference as great as none. Earlier calls with missed items were by measures that count them.
    """
    with pytest.raises(UsageError, match="has no value here"):
        pc.compare.cases(*drawn(60), name, missed=20, resamples=99)


@pytest.mark.parametrize("name", ["BEP", "IAP", "AUPRG", "MaxF", "RAtPrecision(precision=0.6)"])
def test_real_weights_of_one_are_none(name: str) -> None:
    relevant, a, b = drawn(60)
    plain, weighed = (
        pc.compare.cases(relevant, a, b, name, resamples=99, **more)
        for more in ({}, {"weights": np.ones(60)})
    )
    assert weighed.p == plain.p
    assert (weighed.low, weighed.high) == pytest.approx((plain.low, plain.high), rel=1e-9)


def test_whole_weights_repeat_and_missed_items_count() -> None:
    relevant, a, b = drawn(60)
    times = np.random.default_rng(1).integers(1, 3, 60)
    weighed = pc.compare.cases(relevant, a, b, "Rprec", weights=times, resamples=99)
    repeated = pc.compare.cases(
        *(np.repeat(column, times) for column in (relevant, a, b)), "Rprec", resamples=99
    )
    assert (weighed.p, weighed.low) == (repeated.p, repeated.low)
    missed = pc.compare.cases(relevant, a, b, "BEDROC", missed=5, resamples=99)
    assert missed.values[0] == pc.curve(relevant, a, missed=5).value("BEDROC")


def test_topics_are_averaged() -> None:
    relevant, a, b = drawn(80)
    topic = np.arange(80) // 16
    found = pc.compare.cases(relevant, a, b, "BEDROC", topics=topic, resamples=99)
    known = [
        np.mean([pc.curve(relevant[topic == t], s[topic == t]).value("BEDROC") for t in range(5)])
        for s in (a, b)
    ]
    assert found.values == pytest.approx(known)


@pytest.mark.parametrize("name", ONE_ITEM)
def test_one_item_decides(name: str) -> None:
    found = pc.compare.cases(*drawn(60), name, resamples=99)
    assert found.low is None and found.no_interval
    with pytest.raises(UsageError):
        pc.compare.cases(*drawn(60), name, test="influence")


def test_long_lists_have_influences_by_default() -> None:
    found = pc.compare.cases(*drawn(list_numbers.LARGE + 4), "BEDROC")
    assert found.test == "influence" and noticed(found, InfluenceByDefault)
    assert found.method.freedom > 1000


def test_calls_and_what_is_refused() -> None:
    relevant, a, b = drawn(60)
    known = pc.compare.cases(relevant, a, b, "BEDROC", resamples=99)
    assert pc.compare(relevant, a, b, "BEDROC", resamples=99).p == known.p
    spelled = pc.compare.cases(relevant, a, b, "break-even", resamples=99)
    assert spelled.p == pc.compare.cases(relevant, a, b, "BEP", resamples=99).p
    for measure, more in (
        ("nDCG@5", {}),
        ("AP(norm=found)@5", {}),
        ("Rprec", {"weights": np.full(60, 0.5)}),
        ("BEP", {"test": "delong"}),
        ("BEP", {"threshold": 1.0}),
    ):
        with pytest.raises(UsageError):
            pc.compare.cases(relevant, a, b, measure, **more)


def test_a_parameter_that_a_measure_cannot_have_is_named() -> None:
    """P@0 was refused as if two lists could not be compared by P@k."""
    for measure, parameter in (
        ("P@0", "cutoff"),
        ("EF@0%", "share"),
        ("PAtRecall", "recall"),
        ("RAtPrecision", "precision"),
    ):
        with pytest.raises(pc.MeasureError, match=parameter):
            pc.compare.cases(*drawn(60), measure)
