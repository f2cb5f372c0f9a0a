"""Two scores of the same items: DeLong, influences, exchanged ranks, bootstrap; and items of two
runs paired.
"""

from __future__ import annotations

import csv

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import precall as pc
from precall.stats import influence as influences
from precall.stats.blocks import Cases
from precall.stats.resample.multinomial import Cells
from precall.stats.resample.resampling import WeightedCases
from precall.stats.tests import OF_LISTS, exchange
from tests.comparison import oracle

CASES = st.lists(
    st.tuples(st.booleans(), st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=7
)
PEERS = {
    "ROCR_simple": ("ROCR_simple.csv", "label", "score", "1"),
    "aSAH_wfns": ("pROC_aSAH.csv", "outcome", "wfns", "Poor"),
    "aSAH_s100b": ("pROC_aSAH.csv", "outcome", "s100b", "Poor"),
    "aSAH_ndka": ("pROC_aSAH.csv", "outcome", "ndka", "Poor"),
    "aSAH_age": ("pROC_aSAH.csv", "outcome", "age", "Poor"),
    "precrec_P10N10": ("precrec_P10N10.csv", "label", "score", "1"),
}


def columns(facts, name):
    file, label, score, positive = PEERS[name]
    with (facts / "scored" / file).open(encoding="utf-8") as lines:
        rows = [{k.strip(): v for k, v in row.items()} for row in csv.DictReader(lines)]
    return np.array([row[label] == positive for row in rows]), np.array(
        [float(row[score]) for row in rows]
    )


def scores(size=60, seed=1, digits=1):
    rng = np.random.default_rng(seed)
    relevant = rng.random(size) < 0.3
    relevant[:2] = True, False
    a = np.round(rng.normal(size=size) + relevant, digits)
    return relevant, a, np.round(a + rng.normal(size=size), digits)


@pytest.mark.nightly
@given(CASES)
def test_exchanged_ranks_are_those_of_all_exchanges(cases):
    relevant, a, b = (list(side) for side in zip(*cases, strict=True))
    assume(0 < sum(relevant) < len(relevant))
    for measure in ("AP", "AUC"):
        found = pc.compare.cases(relevant, a, b, measure, test="permutation")
        exact = (
            1.0
            if found.how == "the same order"
            else float(oracle.exchanged(relevant, a, b, measure))
        )
        assert found.p == exact and found.seed is None
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(exchange, "ENUMERATED", 0)
            sampled = pc.compare.cases(
                relevant, a, b, measure, test="permutation", resamples=4000, rng=1
            )
        assert sampled.p == pytest.approx(exact, abs=5 * (0.25 / 4000) ** 0.5)
        value = oracle.average_precision if measure == "AP" else oracle.area_under_roc
        assert found.values == pytest.approx([value(relevant, a), value(relevant, b)])


@given(CASES)
def test_delong_is_its_definition(cases):
    relevant, a, b = (list(side) for side in zip(*cases, strict=True))
    assume(1 < sum(relevant) < len(relevant) - 1)
    difference, variance = oracle.delong(relevant, a, b)
    found = pc.compare.cases(relevant, a, b, "AUC")
    assert found.difference == pytest.approx(difference, abs=1e-12)
    if variance > 1e-12:
        half = 1.959963984540054 * variance**0.5
        ends = max(difference - half, -1), min(difference + half, 1)
        assert (found.low, found.high) == pytest.approx(ends, abs=1e-12)


def test_delong_of_proc(facts):
    # pROC 1.19, roc.test(aSAH: s100b, ndka), recorded with the data: Z = 1.3907700257, p =
    # 0.1642951752.
    relevant, s100b = columns(facts, "aSAH_s100b")
    found = pc.compare.cases(relevant, s100b, columns(facts, "aSAH_ndka")[1], "AUC")
    assert found.statistic == pytest.approx(1.3907700257, abs=1e-10)
    assert found.p == pytest.approx(0.1642951752, abs=1e-10)


@pytest.mark.parametrize("other", ["aSAH_ndka", "aSAH_wfns", "aSAH_age"])
def test_delong_of_real_cases_is_its_definition(facts, other):
    relevant, s100b = columns(facts, "aSAH_s100b")
    theirs = columns(facts, other)[1]
    difference, variance = oracle.delong(*map(list, (relevant, s100b, theirs)))
    found = pc.compare.cases(relevant, s100b, theirs, "AUC")
    assert found.difference == pytest.approx(difference, abs=1e-12)
    assert found.statistic == pytest.approx(difference / variance**0.5, rel=1e-9)


@pytest.mark.parametrize("name", PEERS)
def test_delong_of_one_list_is_a_comparison_with_none(facts, name):
    # A constant score has the area 1/2 and no variance: what is left is the interval that pROC
    # gives for one list.
    relevant, score = columns(facts, name)
    with (facts / "scored" / "peer_outputs_R.csv").open(encoding="utf-8") as lines:
        theirs = next(row for row in csv.DictReader(lines) if row["dataset"] == name)
    found = pc.compare.cases(relevant, score, np.zeros(len(score)), "AUC")
    assert 0.5 + found.low == pytest.approx(float(theirs["pROC_delong_lo"]), abs=1e-9)
    assert min(1.0, 0.5 + found.high) == pytest.approx(float(theirs["pROC_delong_hi"]), abs=1e-9)


@pytest.mark.parametrize("digits", [0, 1, 6])
def test_influence_is_the_derivative(digits):
    # Average precision is smooth in the weights of the cases, tied or not: one case's weight moved
    # a little.
    relevant, score, _ = scores(25, 2, digits)
    ap, influence = influences.precision_influence(relevant, influences.rank_items(relevant, score))
    assert ap == pytest.approx(oracle.average_precision(relevant.tolist(), score.tolist()))
    assert influence.sum() == pytest.approx(0, abs=1e-12)
    for i in range(len(score)):
        value = []
        for step in (1e-5, -1e-5):
            weight = [1.0] * len(score)
            weight[i] += step
            value.append(oracle.average_precision(relevant.tolist(), score.tolist(), weight))
        assert influence[i] == pytest.approx((value[0] - value[1]) / 2e-5, abs=1e-8)


def given_copies(relevant, block, weight, measure):
    """The measure of a list whose items are drawn so often: each of them is all of its stratum."""
    size = len(relevant)
    weighed = WeightedCases(Cases(block, relevant, np.ones(size)))
    weighed.tables = Cells(np.ones(size, np.int64), [np.array([i]) for i in range(size)]).tables
    streams = np.zeros(len(weight), np.uint64), weight
    return weighed.areas(*streams) if measure == "AUC" else weighed.precisions(*streams, apart=True)


@pytest.mark.parametrize("digits", [0, 6])
def test_redrawn_values_are_those_of_repeated_cases(digits):
    relevant, score, _ = scores(30, 3, digits)
    block = influences.rank_items(relevant, score).block
    weight = np.random.default_rng(4).multinomial(30, np.full(30, 1 / 30), size=5)
    for measure, value in (("AP", oracle.average_precision), ("AUC", oracle.area_under_roc)):
        found = given_copies(relevant, block, weight, measure)
        for one, copies in zip(found, weight, strict=True):
            repeated = np.repeat(score, copies)
            if measure == "AP":
                alone = np.repeat(np.bincount(block)[block] == 1, copies)
                repeated = repeated - 1e-9 * np.arange(len(repeated)) * alone
            assert one == pytest.approx(
                value(np.repeat(relevant, copies).tolist(), repeated.tolist())
            )


@pytest.mark.parametrize(
    ("measure", "test"),
    [
        ("AP", "influence"),
        ("AP", "bootstrap"),
        ("AUC", "delong"),
        ("AUC", "bootstrap"),
        ("AUC", "permutation"),
    ],
)
def test_tests_agree_where_items_are_many(measure, test):
    relevant, a, b = scores(1500, 5, 3)
    b = 0.9 * b + 0.25 * relevant
    found = [
        pc.compare.cases(relevant, a, b, measure, test=one, resamples=1500, rng=1)
        for one in (test, "permutation")
    ]
    assert found[0].p == pytest.approx(found[1].p, abs=0.1)
    assert found[0].low < found[0].difference < found[0].high


def test_equal_orders():
    relevant, a, _ = scores()
    for test in OF_LISTS["AUC"]:
        found = pc.compare.cases(relevant, a, np.exp(a), "AUC", test=test, rng=1)
        assert (found.p, found.difference) == (1.0, 0.0)
        assert (found.low, found.high) == (None, None)  # no length is no interval


def test_nothing_to_vary_is_undefined():
    found = pc.compare.cases([1, 0], [2, 1], [1, 2], "AUC")
    assert np.isnan(found.p) and "undefined" in found.how
    perfect = pc.compare.cases([1, 1, 0, 0], [4, 3, 2, 1], [1, 2, 3, 4], "AUC")
    assert np.isnan(perfect.p) and perfect.difference == 1.0


def test_low_scores_may_be_good():
    relevant, a, b = scores()
    one, other = (
        pc.compare.cases(relevant, s * a, s * b, higher_is_better=s > 0, rng=1, resamples=200)
        for s in (1, -1)
    )
    assert (one.p, one.values) == (other.p, other.values)


def test_groups_are_exchanged_within():
    relevant, a, b = scores(90, 6)
    group = np.repeat(list("xyz"), 30)
    found = pc.compare.cases(relevant, a, b, topics=group, rng=1, resamples=500)
    parts = [
        pc.compare.cases(relevant[group == g], a[group == g], b[group == g], test="influence")
        for g in "xyz"
    ]
    assert found.difference == pytest.approx(np.mean([one.difference for one in parts]))
    width = sum(((one.high - one.low) / 2) ** 2 for one in parts) ** 0.5 / 3
    assert (found.high - found.low) / 2 == pytest.approx(width)
    relevant[:30] = False
    assert pc.compare.cases(relevant, a, b, topics=group, rng=1, resamples=50).left_out == 1


def test_a_seed_gives_the_same_digits_whatever_the_threads(monkeypatch):
    relevant, a, b = scores(400, 7)
    found = set()
    for threads in ("1", "2"):
        monkeypatch.setenv("PRECALL_THREADS", threads)
        found.add(
            tuple(
                pc.compare.cases(relevant, a, b, test=test, rng=3, resamples=3000).p
                for test in ("permutation", "bootstrap")
            )
        )
    assert len(found) == 1


def test_errors():
    with pytest.raises(pc.DataError, match="every item is relevant"):
        pc.compare.cases([1, 1], [1, 2], [2, 1])
    with pytest.raises(pc.UsageError, match="equal length"):
        pc.compare.cases([1, 0], [1, 2, 3], [2, 1])
    with pytest.raises(pc.UsageError, match="test of AP: got .delong., allowed are permutation"):
        pc.compare.cases([1, 0], [1, 2], [2, 1], test="delong")
    with pytest.raises(pc.UsageError, match="measure: got 'F'"):
        pc.compare.cases([1, 0], [1, 2], [2, 1], "F")
    with pytest.raises(pc.UsageError, match="test of AP: got 'z'"):
        pc.compare.cases([1, 0], [1, 2], [2, 1], test="z")
    with pytest.raises(pc.DataError, match="is NaN"):
        pc.compare.cases([1, 0], [1, float("nan")], [2, 1])


QRELS = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"a": 1, "z": 1}, "q3": {"k": 1}}
ONE = {"q1": {"a": 3.0, "b": 2.0, "c": 2.0, "x": 1.0}, "q2": {"a": 1.0, "b": 2.0}, "q9": {"a": 1.0}}
TWO = {"q2": {"b": 1.0, "a": 1.0}, "q1": {"x": 9.0, "c": 8.0, "b": 7.0, "a": 7.0}}


def test_items_of_two_runs_are_paired_by_id():
    first, second = (pc.locate(QRELS, run, keep_items=True) for run in (ONE, TWO))
    found = first.pairs(second)
    rows = sorted(zip(*found.to_dict().values(), strict=True))
    assert rows == [
        ("q1", "a", True, -1.0, -3.0),
        ("q1", "b", False, -2.0, -3.0),
        ("q1", "c", True, -2.0, -2.0),
        ("q1", "x", False, -4.0, -1.0),
        ("q2", "a", True, -2.0, -1.0),
        ("q2", "b", False, -1.0, -1.0),
    ]
    compared = pc.compare.cases(
        found["relevant"], found["score_a"], found["score_b"], topics=found["topic"], rng=1
    )
    # q1: (1 + 2/3)/2 and (1/2 + 2/4)/2; q2: 1/2 and 1/2, what neither retrieved being nobody's
    # loss.
    assert compared.values == pytest.approx(((5 / 6 + 1 / 2) / 2, 1 / 2))
    assert pc.locate(QRELS, ONE).items is None


def test_kept_items_agree_with_located_ones():
    rng = np.random.default_rng(8)
    run = {f"q{t}": {f"d{i}": float(rng.integers(0, 9)) for i in range(30)} for t in range(5)}
    qrels = {
        f"q{t}": {f"d{i}": int(rng.integers(0, 3)) for i in range(0, 30, 2)} for t in (3, 1, 4)
    }
    located = pc.locate(qrels, run, keep_items=True)
    kept = located.items
    assert len(kept) == 150 and (kept.grade >= 0).sum() == len(located.rank)
    judged = kept.grade >= 0
    ours = sorted(
        zip(
            kept.ranking[judged],
            kept.first[judged],
            kept.last[judged],
            kept.grade[judged],
            strict=True,
        )
    )
    assert ours == sorted(
        zip(located.ranking, located.first, located.last, located.grade, strict=True)
    )
    part = located.select(np.array([2, 0]))
    assert len(part.items) == 60 and part.items.ids[0] in run["q4"]
    assert located.condensed().items is None


def test_items_that_only_one_run_retrieved():
    first, second = (
        pc.locate({"q": {"a": 1}}, {"q": run}, keep_items=True)
        for run in ({"a": 1.0, "b": 2.0}, {"a": 1.0})
    )
    with pytest.raises(
        pc.DataError, match="topic 'q' has 1 item that only one of the runs retrieved, such as 'b'"
    ):
        first.pairs(second)
    found = first.pairs(second, unpaired="last").to_dict()
    assert found["score_b"] == [-float("inf"), -1.0]
    with pytest.raises(pc.UsageError, match="keep_items=True"):
        pc.locate({"q": {"a": 1}}, {"q": {"a": 1.0}}).pairs(first)
    with pytest.raises(pc.UsageError, match="unpaired: got 'x'"):
        first.pairs(second, unpaired="x")


def test_bootstrap_of_groups_with_one_relevant_item_each():
    # A third of such groups loses its relevant item when redrawn: no sample of thirty groups was
    # ever whole.
    rng = np.random.default_rng(12)
    groups = np.repeat(np.arange(30), 5)
    relevant = np.tile([1, 0, 0, 0, 0], 30)
    a, b = rng.normal(relevant * 2.0, 1), rng.normal(size=150)
    found = pc.compare.cases(
        relevant, a, b, "AP", test="bootstrap", topics=groups, rng=1, resamples=999
    )
    assert found.how == "999 resamples of items" and found.p < 0.05
    assert found.low < found.difference < found.high


@pytest.mark.parametrize("tied", [False, True])
def test_areas_of_all_topics_at_once_are_those_of_each(tied):
    """Topics of one class among them, which are left out, and in any order."""
    rng = np.random.default_rng(6)
    topic = rng.choice(rng.permutation(15), 600)
    relevant = (rng.random(600) < 0.4) & (topic != 7)
    scores = rng.integers(0, 5, (2, 600)) if tied else rng.normal(size=(2, 600))
    found = pc.compare.cases(relevant, *scores, "AUC", topics=topic)
    each = []
    for one in np.unique(topic):
        rows = topic == one
        if 0 < relevant[rows].sum() < rows.sum():
            each.append(pc.compare.cases(relevant[rows], *scores[:, rows], "AUC"))
    assert found.left_out == len(np.unique(topic)) - len(each) >= 1
    assert found.values == pytest.approx(np.mean([one.values for one in each], axis=0), abs=1e-14)
    variance = sum((one.difference / one.statistic) ** 2 if one.statistic else 0.0 for one in each)
    error = variance**0.5 / len(each)
    assert found.statistic == pytest.approx(found.difference / error, rel=1e-9)
    assert (found.high - found.low) / 2 == pytest.approx(1.959963984540054 * error, rel=1e-9)
    assert found.measure == f"mean AUC over {len(each)} topics"
    # A topic with one relevant item has no variance, and so the mean has none.
    relevant[topic == topic[0]] = np.arange(np.count_nonzero(topic == topic[0])) == 0
    assert np.isnan(pc.compare.cases(relevant, *scores, "AUC", topics=topic).p)
    same = pc.compare.cases(relevant, scores[0], 2 * scores[0], "AUC", topics=topic)
    assert (same.p, same.how) == (1.0, "the same order")


@pytest.mark.parametrize(
    ("labels", "error"), [([1, 2], pc.UsageError), ([1, 1, None, 2], pc.DataError)]
)
@pytest.mark.parametrize("argument", ["groups", "topics"])
def test_labels_of_cases_are_refused_by_the_name_of_their_argument(argument, labels, error):
    """Topics were called groups."""
    with pytest.raises(error, match=rf"^{argument}: "):
        pc.compare.cases([1, 0, 1, 0], [4, 3, 2, 1], [1, 2, 3, 4], **{argument: labels})
