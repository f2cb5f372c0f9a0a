"""P@k, R@k and recall at a threshold of two lists of the same items: values, exact tests, exchanges
and intervals.
"""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

import precall as pc
from precall.stats.tests import lists as two_lists
from precall.stats.tests import tops
from precall.stats.tests.exchange import p_of_exchanges
from tests.peers import peer

stats = peer("scipy.stats")

TOPS = ("permutation", "fisher", "influence")


def lists(seed=1, items=80, relevant=20, decimals=None):
    rng = np.random.default_rng(seed)
    truth, hidden = np.arange(items) < relevant, rng.normal(size=items)
    a, b = hidden + rng.normal(size=(2, items)) + np.array([[1.6], [0.8]]) * truth
    return truth, *((a, b) if decimals is None else (np.round(a, decimals), np.round(b, decimals)))


def in_top(score, k):
    """Of each item how much of it is in the first k ranks: the mean over orders of equal scores."""
    above, same = (
        (score[None] > score[:, None]).sum(axis=1),
        (score[None] == score[:, None]).sum(axis=1),
    )
    return np.clip((k - above) / same, 0, 1)


@pytest.mark.parametrize("decimals", [None, 0])
@pytest.mark.parametrize("k", [5, 20, 100])
def test_values_are_the_librarys(decimals, k):
    truth, *scores = lists(decimals=decimals)
    for name in ("P", "R"):
        found = pc.compare.cases(truth, *scores, f"{name}@{k}", test="fisher")
        known = [
            pc.measure(f"{name}@{k}")(pc.curve(truth, score), ties="expected") for score in scores
        ]
        assert found.values == pytest.approx(known, rel=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_without_ties_it_is_fishers(seed):
    truth, a, b = lists(seed)
    first, second = (in_top(score, 15) > 0 for score in (a, b))
    table = [
        [(truth & first & ~second).sum(), (~truth & first & ~second).sum()],
        [(truth & second & ~first).sum(), (~truth & second & ~first).sum()],
    ]
    found = [pc.compare.cases(truth, a, b, f"{name}@15", test="fisher") for name in ("P", "R")]
    assert found[0].p == found[1].p == pytest.approx(stats.fisher_exact(table).pvalue, rel=1e-9)


def test_with_ties_it_is_of_all_labels():
    truth = np.array([1, 0, 1, 1, 0, 0, 1, 0, 0, 1], bool)
    a, b = np.array([5, 5, 5, 4, 4, 3, 3, 2, 1, 1]), np.array([1, 5, 4, 4, 4, 5, 2, 3, 3, 1])
    moved = in_top(a, 4) - in_top(b, 4)
    rows = np.flatnonzero(np.abs(moved) > 1e-12)
    hits = int(truth[rows].sum())
    sums = [abs(sum(moved[list(some)])) for some in combinations(rows, hits)]
    found = pc.compare.cases(truth, a, b, "P@4", test="fisher")
    assert found.p == pytest.approx(
        np.mean(np.array(sums) >= abs(moved[truth].sum()) - 1e-12), rel=1e-9
    )


def test_exchanges_are_gone_through():
    # Each item stands where one list has it or where the other has it; then both are ranked again.
    truth = np.array([1, 1, 0, 1, 0, 0, 0, 1], bool)
    a, b = np.array([8.0, 7, 6, 5, 4, 3, 2, 1]), np.array([3.0, 8, 1, 2, 7, 5, 6, 4])
    rank = [np.array([np.sum(score >= one) for one in score]) for score in (a, b)]

    def difference(first, second):
        return sum(in_top(-first, 3)[truth]) - sum(in_top(-second, 3)[truth])

    ways = product((False, True), repeat=8)
    every = [abs(difference(np.where(up, *rank), np.where(up, *rank[::-1]))) for up in ways]
    found = pc.compare.cases(truth, a, b, "P@3")
    assert found.test == "permutation" and found.how == "all 2^8 exchanges of ranks"
    assert found.p == pytest.approx(
        np.mean(np.array(every) >= abs(difference(*rank)) - 1e-9), rel=1e-12
    )
    assert pc.compare.cases(truth, a, b, "R@3").p == found.p


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("k", [1, 3, 6, 11, 12])
def test_what_is_behind_the_first_ranks_changes_nothing(k, grouped):
    """Exchanges of what can come to the top, against those of all items, each way once."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        truth, (a, b) = rng.permutation(12) < 4, rng.integers(0, 9, (2, 12)).astype(float)
        pair = two_lists.lists_of(
            two_lists.ItemLists(truth, a, b, np.arange(12) // 2 if grouped else None), None
        )[0][0]
        near, every = pair.exchange(k), pair.exchange()
        for measure in ("P", "R"):
            difference = pair_difference(truth, a, b, measure, k)
            far, known = (
                p_of_exchanges([some], measure, difference, 0, 100, k) for some in (near, every)
            )
            assert far[0] == pytest.approx(known[0], rel=1e-12) and known[1].exact


def pair_difference(truth, a, b, measure, k):
    return float(((in_top(a, k) - in_top(b, k)) * truth).sum()) / (
        k if measure == "P" else truth.sum()
    )


@pytest.mark.parametrize("measure", ["P@10", "R@10"])
@pytest.mark.parametrize("test", TOPS)
def test_either_may_be_first_and_order_does_not_matter(measure, test):
    truth, a, b = lists(3, decimals=1)
    found = pc.compare.cases(truth, a, b, measure, test=test)
    turned = pc.compare.cases(truth[::-1], b[::-1], a[::-1], measure, test=test)
    assert turned.p == pytest.approx(found.p, rel=1e-9)
    assert (turned.low, turned.high) == pytest.approx((-found.high, -found.low), abs=1e-12)
    assert found.low <= found.difference <= found.high
    assert pc.compare.cases(truth, a, a, measure, test=test).p == 1


def test_the_variance_of_a_difference():
    # An item more to each class of those in one top only: (H + 1) (1 - (H + 1) / (N + 2)) without
    # ties.
    truth, a, b = lists(5)
    moved = in_top(a, 12) - in_top(b, 12)
    hits, size = int((moved != 0)[truth].sum()), int((moved != 0).sum())
    found = pc.compare.cases(truth, a, b, "P@12", test="influence")
    variance = (hits + 1) * (1 - (hits + 1) / (size + 2)) / 12**2
    assert found.high - found.difference == pytest.approx(
        stats.norm.ppf(0.975) * variance**0.5, rel=1e-9
    )
    assert found.p == pytest.approx(
        2 * stats.norm.sf(abs(found.difference) / variance**0.5), rel=1e-9
    )


def test_topics_and_groups():
    truth, a, b = lists(2)
    topic = np.arange(80) % 4
    found = pc.compare.cases(truth, a, b, "P@5", topics=topic)
    apart = [
        pc.compare.cases(truth[topic == i], a[topic == i], b[topic == i], "P@5").difference
        for i in range(4)
    ]
    assert (
        found.difference == pytest.approx(np.mean(apart))
        and found.measure == "mean P@5 over 4 topics"
    )
    whole = pc.compare.cases(truth, a, b, "R@10", groups=np.arange(80))
    assert whole.values == pc.compare.cases(truth, a, b, "R@10").values
    for more in ({"topics": topic}, {"groups": topic}):
        with pytest.raises(pc.UsageError, match="applies to single items"):
            pc.compare.cases(truth, a, b, "P@5", test="fisher", **more)


def test_recall_at_a_threshold():
    truth, a, b = lists(6)
    first, second = (a >= 1)[truth], (b >= 0.5)[truth]
    found = pc.compare.cases(truth, a, b, "R", threshold=(1, 0.5))
    assert (
        found.values == (first.mean(), second.mean())
        and found.measure == "R at threshold 1 and 0.5"
    )
    only = int((first & ~second).sum()), int((second & ~first).sum())
    exact = stats.binomtest(only[0], sum(only)).pvalue
    assert found.p == pytest.approx(exact, rel=1e-9)
    assert pc.compare.cases(truth, a, b, "R", threshold=(1, 0.5), test="sign").p == pytest.approx(
        exact, rel=1e-9
    )
    assert pc.compare.decisions(truth, a >= 1, b >= 0.5, "R").p == pytest.approx(exact, rel=1e-9)
    # Agresti & Min: half a pair of each kind more.
    half = np.array([only[0], only[1], len(first) - sum(only), 0]) + np.array([0.5, 0.5, 0.5, 0.5])
    share = half / half.sum()
    centre = share[0] - share[1]
    spread = stats.norm.ppf(0.975) * ((share[0] + share[1] - centre**2) / half.sum()) ** 0.5
    assert (found.low, found.high) == pytest.approx((centre - spread, centre + spread), rel=1e-9)
    turned = pc.compare.cases(truth, -a, -b, "R", threshold=(-1, -0.5), higher_is_better=False)
    assert (turned.p, turned.values) == (found.p, found.values)


def test_recall_at_a_threshold_of_groups():
    truth, a, b = lists(7, 400, 120)
    group = np.arange(400) // 6
    found = pc.compare.cases(truth, a, b, "R", threshold=0.8, groups=group, test="t")
    sums = np.bincount(group[truth], ((a >= 0.8).astype(float) - (b >= 0.8))[truth])
    t = stats.ttest_1samp(sums[np.bincount(group[truth]) > 0], 0)
    assert found.p == pytest.approx(t.pvalue, rel=1e-9)
    assert found.low < found.difference < found.high


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        (
            {"measure": "P@0"},
            "P: cutoff must be an integer >= 1, got 0",
        ),
        ({"measure": "nDCG@5"}, "measure: got"),
        ({"measure": "R"}, "R with threshold="),
        ({"measure": "P@5", "test": "delong"}, "test of P@5: got 'delong'"),
        ({"measure": "AP", "threshold": 1}, "threshold: applies to measure='R'"),
        ({"measure": "R", "threshold": "x"}, "threshold: must be a number"),
        ({"measure": "R", "threshold": (1, 2, 3)}, "threshold: must be a number"),
        (
            {"measure": "R", "threshold": 1, "test": "delong"},
            "test of R at threshold 1: got 'delong'",
        ),
    ],
)
def test_what_is_refused(choices, said):
    with pytest.raises(pc.UsageError, match=said.replace("(", r"\(")):
        pc.compare.cases(*lists(), **choices)


def test_names_from_elsewhere():
    for known, other in (("P@5", "precision@5"), ("R@5", "Recall@5")):
        assert pc.compare.cases(*lists(), other, test="fisher") == pc.compare.cases(
            *lists(), known, test="fisher"
        )
    assert pc.compare.cases(*lists(), "recall", threshold=1) == pc.compare.cases(
        *lists(), "R", threshold=1
    )


def test_recall_without_relevant_items():
    with pytest.raises(pc.DataError, match="recall is undefined"):
        pc.compare.cases([0, 0], [1.0, 2.0], [2.0, 1.0], "R", threshold=1)


def test_fishers_test_of_many_kinds_is_sampled(monkeypatch):
    """Scores that tie at the cutoff make items of many kinds; no test reached those too many to
    count.
    """
    drawn = np.random.default_rng(5)
    truth = drawn.random(60) < 0.4
    scores = [np.round(drawn.normal(shift * truth, 1)) for shift in (1, 0.2)]
    counted = pc.compare.cases(truth, *scores, "P@20", test="fisher")
    assert counted.method.exact and counted.seed is None
    monkeypatch.setattr(tops, "AFFORDABLE", 0)
    found, swapped = (
        pc.compare.cases(truth, *pair, "P@20", test="fisher", rng=1, resamples=20_000)
        for pair in (scores, scores[::-1])
    )
    assert found.p == swapped.p == pytest.approx(counted.p, abs=0.01)
    assert (found.method.exact, found.method.resamples, found.seed) == (False, 20_000, 1)
