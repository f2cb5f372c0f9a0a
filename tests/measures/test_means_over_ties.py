"""Under ties="expected" a user's formula averages by itself only if it says so, which is checked
when it is declared.

Why the old tests missed it: users' measures in tests were linear, or asked for locations, which
raises inside a block and so leads to the orders; a ratio of two mean counts does neither.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.core.errors import MeasureError
from precall.location import Hits
from precall.measures import Cutoff
from precall.measures.registry import REGISTRY, Declaration, check_mean
from tests.registries import lend

ONE_OF_TWO = ({"t": {"a": 1, "c": 1}}, {"t": {"a": 2.0, "b": 2.0, "c": 1.0}})


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test declares is declared for it alone."""
    lend(monkeypatch)


def ratio(hits: pc.Hits) -> Any:
    """Hits at the first rank for each within two."""
    return hits.within(1) / hits.within(2)


def test_a_ratio_of_mean_counts_is_no_mean() -> None:
    pc.measure("Ratio", sources=["ours"])(ratio)
    # The two relevant items and the other in the orders a b c and b a c: 1/1 and 0/1.
    found = pc.evaluate(*ONE_OF_TWO, ["Ratio"], ties="expected").mean["Ratio"]
    assert found == pytest.approx(0.5)
    three = ({"t": {"a": 1, "b": 1}}, {"t": {"a": 3.0, "b": 2.0, "c": 2.0}})
    # Hits at ranks 1 and 2 or 1 and 3: (1/2 + 1/1) / 2, not 1 / 1.5.
    assert pc.evaluate(*three, ["Ratio"], ties="expected").mean["Ratio"] == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("formula", "mean", "by_itself"),
    [
        # Orders of "a" and "b" at ranks 1 and 2, "a" and "c" relevant, "c" at rank 3.
        (lambda hits: hits.within(1) ** 2, 1 / 2, 1 / 4),
        (lambda hits: 1 / (1 + hits.within(1)), 3 / 4, 2 / 3),
        (lambda hits: np.maximum(hits.within(1), 0.9 * hits.within(2)), 0.95, 0.9),
        (lambda hits: np.minimum(hits.reciprocal_first(), 0.6), 0.55, 0.6),
        (
            lambda hits: (hits.precision_sum() / hits.relevant) ** 2,
            ((5 / 6) ** 2 + (7 / 12) ** 2) / 2,
            (17 / 24) ** 2,
        ),
        (lambda hits: hits.any_within(1) ** 2, 1 / 2, 1 / 4),
        (lambda hits: 1.0 / hits.first[np.append(True, np.diff(hits.ranking) > 0)], 3 / 4, 1.0),
    ],
)
def test_functions_of_means(formula: Callable[..., Any], mean: float, by_itself: float) -> None:
    assert formula(pc.locate(*ONE_OF_TWO, ties="expected").hits())[0] == pytest.approx(by_itself)
    one = Declaration("Function", formula)
    located = pc.locate(*ONE_OF_TWO, ties="expected")
    assert pc.Measure(one, {"grade": 1})(located)[0] == pytest.approx(mean)
    assert pc.Measure(one, {"grade": 1})(located.hits())[0] == pytest.approx(mean)
    for said in ({"linear": True}, {"closed": "believe me"}):
        with pytest.raises(
            MeasureError,
            match=r"Function.*: declared .*the mean over all orders is .*; leave that out",
        ):
            check_mean(Declaration("Function", formula, **said))


def test_what_is_declared_is_checked_at_once() -> None:
    for said in ({"linear": True}, {"closed": "a ratio"}):
        with pytest.raises(MeasureError, match="Ratio"):
            pc.measure("Ratio", sources=["ours"], **said)(ratio)
        assert "Ratio" not in {declaration.name for declaration in REGISTRY}

    @pc.measure("Share", sources=["ours"], linear=True)
    def share(hits: Any, *, cutoff: Cutoff) -> Any:
        return hits.within(cutoff) / cutoff

    @pc.measure("Deep", sources=["ours"], closed="no order changes it")
    def deep(hits: Any) -> Any:
        return hits.found**2 / hits.retrieved

    # A thousand tied items have more orders than can be written out.
    many = {"t": {f"d{i}": 1 for i in range(500)}}, {"t": {f"d{i}": 1.0 for i in range(1000)}}
    report = pc.evaluate(*many, ["Share@10", "Deep"], ties="expected")
    assert report.mean["Share@10"] == pytest.approx(0.5) and report.mean["Deep"] == 250.0


def test_only_a_tie_asks_for_orders() -> None:
    calls = []

    @pc.measure("Watched", sources=["ours"])
    def watched(hits: Any) -> Any:
        calls.append(len(hits))
        return hits.within(1) / hits.within(2)

    plain = {"t": {"a": 1}}, {"t": {"a": 2.0, "b": 1.0}}
    assert pc.evaluate(*plain, ["Watched"], ties="expected").mean["Watched"] == 1.0
    assert calls == [1]


def test_orders_of_what_a_measure_does_not_see_are_not_written_out() -> None:
    pc.measure("Ratio", sources=["ours"])(ratio)
    others = {f"d{i}": 0 for i in range(100)}
    tied = {
        f"d{i}": 1.0 for i in range(200)
    }  # of a hundred judged among two hundred there are 9e58 orders
    where = {"t": {"a": 1, "b": 1} | others}, {"t": {"a": 3.0, "b": 2.0} | tied}
    report = pc.evaluate(*where, ["Ratio", "IPrec(recall=0.5)"], ties="expected")
    assert report.mean["Ratio"] == 0.5 and report.mean["IPrec(recall=0.5)"] == 1.0


AVERAGING = [one.name for one in REGISTRY.rankings() if one.averages]


@pytest.mark.nightly(keep=8)
@pytest.mark.parametrize("name", AVERAGING)
def test_ours_are_what_they_say(name: str) -> None:
    check_mean(REGISTRY.of(name, Hits))


def test_all_of_ours_that_average_say_so() -> None:
    """A measure that says nothing is written out, so that it can be wrong in no order, and slow."""
    slow = {one.name for one in REGISTRY.rankings()} - set(AVERAGING)
    assert {"AP", "RR", "P", "nDCG", "RBP", "SetAP", "E"} <= set(AVERAGING)
    assert {"ERR", "Bpref", "IPrec", "IAP", "yaap", "infAP", "G"} <= slow
