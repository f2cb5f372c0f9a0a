"""Accuracy is one number under one name: the share of items that are right, in the class, its
interval, a comparison, the command and the page; that of all item-category cells is called cell
accuracy.

Why the old tests missed it: each place was compared with a reference of its own (cells here, items
there), and no test put two places side by side.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_decisions import OneCategory
from precall.hard_decisions.categories_sheet import SAID, decisions_sheet
from precall.page.scored import intervals_of_decisions
from tests.noticed import noticed, warned
from tests.peers import peer

metrics = peer("sklearn.metrics")

RNG = np.random.default_rng(11)
SINGLE = [RNG.choice(list("abcde"), 80).tolist() for _ in range(3)]
BINARY = [RNG.integers(0, 2, 80).tolist() for _ in range(3)]
MATRIX = [(RNG.random((80, 3)) < 0.4).astype(int) for _ in range(3)]


@pytest.mark.parametrize("of", [SINGLE, BINARY, MATRIX], ids=["single", "binary", "several"])
@pytest.mark.filterwarnings("ignore::precall.core.notes.of_intervals.FewItemsWarning")
def test_one_number_everywhere(of: list[Any]) -> None:
    truth, said, other = of
    d = pc.decisions(truth, said)
    right = metrics.accuracy_score(truth, said)
    assert isinstance(d.accuracy(), float) and d.accuracy() == d.accuracy("exact") == pytest.approx(
        right
    )
    assert d.error() == pytest.approx(1 - right)
    assert pc.interval(d, "accuracy").estimate == d.accuracy()
    found = pc.compare.decisions(truth, said, other, "accuracy")
    assert found.values == (d.accuracy(), pc.decisions(truth, other).accuracy())
    assert found.measure == "accuracy"
    way, line = ("all", "accuracy") if of is BINARY else ("exact", SAID["accuracy", "exact"])
    assert decisions_sheet(d, "zero", {}).body["measures"]["accuracy"][way] == d.accuracy()
    assert intervals_of_decisions(d, 0.95, 0)[0]["measure", line, "value"].estimate == d.accuracy()


def test_of_cells_it_is_called_so() -> None:
    truth, said, other = SINGLE
    d, k = pc.decisions(truth, said), 5
    # Of one category per item, each wrong item is wrong in two cells.
    assert d.accuracy("micro") == pytest.approx(1 - 2 * d.error() / k)
    found = pc.compare.decisions(truth, said, other, "accuracy", average="micro")
    assert found.measure == "cell accuracy" and found.values[0] == pytest.approx(
        d.accuracy("micro")
    )
    assert SAID["accuracy", "micro"].startswith("cell accuracy")


def test_items_of_a_group_are_counted() -> None:
    truth, said, other = MATRIX
    member = np.arange(80) // 4
    found = pc.compare.decisions(truth, said, other, "accuracy", groups=member)
    assert found.values[0] == pc.decisions(truth, said).accuracy() and found.size == 20


@pytest.mark.parametrize("kind", [int, bool, lambda one: 2 * one - 1])
@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
def test_averages_of_one_category_say_whose_they_are(kind: Any, average: str) -> None:
    truth, said = ([kind(one) for one in column] for column in BINARY[:2])
    d = pc.decisions(truth, said)
    with pytest.warns(OneCategory.warning) as caught:
        assert d.f(average=average) == d.f()
    assert [one.filename for one in caught] == [__file__]
    assert [note.subject for note in noticed(caught)] == [average]
    both = pc.decisions(truth, said, categories=sorted(set(truth)))
    assert both.f(average=average) == pytest.approx(metrics.f1_score(truth, said, average=average))
    assert both.f(average=average) != pytest.approx(d.f())


def test_the_interval_and_the_comparison_say_so_too() -> None:
    truth, said, other = BINARY
    with warned(OneCategory) as told:
        pc.interval.macro_f(pc.decisions(truth, said))
    assert [note.subject for note in told] == ["macro F"]
    with pytest.warns(OneCategory.warning) as caught:
        pc.decisions(truth, said).f(average="macro-of-means")
    assert [note.subject for note in noticed(caught)] == ["macro-of-means"]
    assert [one.filename for one in caught] == [__file__]
    assert (
        OneCategory("macro-average")
        in pc.compare.decisions(truth, said, other, average="macro").notes
    )
