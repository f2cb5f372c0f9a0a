"""Located: orders of ties, judged items only, cut rankings, several grades."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import precall as pc
from precall.core.errors import NoCommonTopic, TiesUnresolved, UsageError

GRADES = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(-1, 3), min_size=1, max_size=8)
SCORES = st.dictionaries(
    st.sampled_from("abcdefghijk"), st.integers(0, 3).map(float), min_size=1, max_size=9
)
COLLECTION = st.lists(st.tuples(GRADES, SCORES), min_size=1, max_size=3)


def collection(parts):
    return (
        {f"q{i}": grades for i, (grades, _) in enumerate(parts)},
        {f"q{i}": run for i, (_, run) in enumerate(parts)},
    )


def plain_order(run):
    return sorted(run, key=lambda item: (run[item], item.encode()), reverse=True)


@given(COLLECTION)
def test_ranks_follow_score_then_id_descending(parts):
    qrels, run = collection(parts)
    located = pc.locate(qrels, run)
    expected = [
        (i, rank, grades[item])
        for i, (grades, scores) in enumerate(parts)
        for rank, item in enumerate(plain_order(scores), 1)
        if item in grades
    ]
    assert list(zip(located.ranking, located.rank, located.grade, strict=True)) == expected
    for i, (grades, scores) in enumerate(parts):
        ranked = plain_order(scores)
        for row in np.flatnonzero(located.ranking == i):
            item = ranked[located.rank[row] - 1]
            level = scores[item]
            assert located.first[row] == 1 + sum(s > level for s in scores.values())
            assert located.last[row] == sum(s >= level for s in scores.values())
        assert located.retrieved[i] == len(scores)
        for grade in (1, 2, 3):
            assert located.total(grade)[i] == sum(g >= grade for g in grades.values())


@pytest.mark.nightly
@given(
    COLLECTION,
    st.sampled_from(
        ["AP", "P@3", "RR", "nDCG", "nDCG@3", "Bpref", "Rprec", "IAP", "AP(grade=2)@4"]
    ),
)
def test_best_is_not_beaten_and_worst_not_undercut(parts, name):
    qrels, run = collection(parts)
    measure, located = pc.measure(name), pc.locate(qrels, run)
    best, worst = measure(located.resolve("best")), measure(located.resolve("worst"))
    for ties in ("docno", "expected", "random"):
        value = measure(
            located if ties == "docno" else located.resolve(ties, np.random.default_rng(1))
        )
        assert np.all((value <= best + 1e-12) | np.isnan(best))
        assert np.all((value >= worst - 1e-12) | np.isnan(worst))


@pytest.mark.nightly
@given(COLLECTION)
def test_condensed_equals_a_run_of_judged_items(parts):
    qrels, run = collection(parts)
    kept = {
        q: {i: s for i, s in items.items() if qrels[q].get(i, -1) >= 0} for q, items in run.items()
    }
    condensed = pc.locate(qrels, run).condensed()
    direct = pc.locate(qrels, kept)
    for name in ("ranking", "grade", "rank", "first", "last", "retrieved"):
        assert np.array_equal(getattr(condensed, name), getattr(direct, name)), name


@given(COLLECTION, st.integers(1, 6))
def test_truncated_equals_a_shorter_run(parts, depth):
    qrels, run = collection(parts)
    short = {
        q: {item: items[item] for item in plain_order(items)[:depth]} for q, items in run.items()
    }
    cut, direct = pc.locate(qrels, run).truncated(depth), pc.locate(qrels, short)
    for name in ("ranking", "grade", "rank", "retrieved"):
        assert np.array_equal(getattr(cut, name), getattr(direct, name)), name


def test_a_cut_through_open_ties_is_refused():
    located = pc.locate({"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0}}, ties="expected")
    with pytest.raises(TiesUnresolved, match="depth=1"):
        located.truncated(1)


def test_orders_of_one_block():
    qrels = {"q": {"a": 1, "b": 0, "c": 2}}
    run = {"q": dict.fromkeys("abcx", 1.0)}
    ranks = {
        ties: dict(zip(located.grade.tolist(), located.rank.tolist(), strict=True))
        for ties in ("docno", "best", "worst", "input")
        for located in [pc.locate(qrels, run, ties=ties)]
    }
    assert ranks == {
        "docno": {2: 2, 0: 3, 1: 4},
        "best": {2: 1, 1: 2, 0: 4},
        "worst": {0: 1, 1: 3, 2: 4},
        "input": {1: 1, 0: 2, 2: 3},
    }


def test_random_order_repeats_for_a_seed_and_covers_every_order():
    qrels, run = {"q": {"a": 1, "b": 2}}, {"q": dict.fromkeys("abc", 1.0)}
    once = [pc.locate(qrels, run, ties="random", rng=3).rank.tolist() for _ in range(2)]
    assert once[0] == once[1]
    seen = set()
    for seed in range(200):
        located = pc.locate(qrels, run, ties="random", rng=seed)
        by_grade = dict(zip(located.grade.tolist(), located.rank.tolist(), strict=True))
        seen.add((by_grade[1], by_grade[2]))
    assert seen == set(itertools.permutations((1, 2, 3), 2))
    assert (
        pc.locate(qrels, run, ties="random").rank.tolist()
        == pc.locate(qrels, run, ties="random", rng=0).rank.tolist()
    )


def test_an_unknown_order_is_refused():
    with pytest.raises(UsageError, match="allowed are docno, input, expected"):
        pc.locate({"q": {"a": 1}}, {"q": {"a": 1}}, ties="fair")


def test_topics_are_matched_by_id_never_by_position():
    qrels = {"q2": {"a": 1}, "q1": {"b": 1}, "q4": {"c": 1}}
    run = {"q1": {"b": 1.0}, "q3": {"a": 1.0}, "q2": {"x": 2.0, "a": 1.0}}
    located = pc.locate(qrels, run)
    assert located.topics.tolist() == ["q2", "q1", "q4", "q3"]
    assert located.in_qrels.tolist() == [True, True, True, False]
    assert located.in_run.tolist() == [True, True, False, True]
    assert located.retrieved.tolist() == [2, 1, 0, 1]
    assert located.rank.tolist() == [2, 1]


def test_no_common_topic_is_an_error_that_shows_both():
    with pytest.raises(NoCommonTopic, match="'x'.*'q'"):
        pc.locate({"q": {"a": 1}}, {"x": {"a": 1.0}})


def test_tied_counts_only_ties_that_matter():
    qrels = {"q1": {"a": 1, "b": 1}, "q2": {"a": 1}, "q3": {"a": 0}, "q4": {"a": 1, "b": 2}}
    run = {q: {"a": 1.0, "b": 1.0} for q in qrels}
    located = pc.locate(qrels, run)
    # q1: both relevant alike; q2: a or b first; q3: no hit; q4: grades differ, which only gains
    # see.
    assert located.tied().tolist() == [False, True, False, False]
    assert located.tied("gain").tolist() == [False, True, False, True]
    assert located.tied("relevance", 2).tolist() == [False, False, False, True]


def test_far_apart_grades_cost_no_table():
    qrels = {"q": {"a": 2**31 - 1, "b": -(2**31), "c": 1}}
    located = pc.locate(qrels, {"q": {"a": 1.0}})
    assert located.total_grade.tolist() == [-(2**31), 1, 2**31 - 1]
    assert located.total(1).tolist() == [2]


def test_located_is_kept_beside_a_run_that_was_read():
    run, qrels = pc.read_run({"q": {"a": 1.0}}), pc.read_qrels({"q": {"a": 1}})
    assert pc.locate(qrels, run) is pc.locate(qrels, run)
    other = pc.read_qrels({"q": {"a": 0}})
    assert pc.locate(other, run).grade.tolist() == [0]


@given(COLLECTION)
def test_select_takes_rankings_out(parts):
    qrels, run = collection(parts)
    located = pc.locate(qrels, run)
    values = pc.measure("nDCG")(located)
    chosen = np.arange(len(located))[::-1]
    assert np.array_equal(
        pc.measure("nDCG")(located.select(chosen)), values[chosen], equal_nan=True
    )
    assert located.select(chosen).topics.tolist() == located.topics.tolist()[::-1]


@pytest.mark.parametrize("different", [5, 200])
def test_totals_of_fractions(different):
    """Few different grades are counted in a table, many are sorted; only whole ones had a table."""
    draw = np.random.default_rng(different)
    judged = {
        f"q{topic}": {f"d{i}": grade / 8 for i, grade in enumerate(draw.integers(0, different, 90))}
        for topic in range(3)
    }
    located = pc.locate(judged, {"q0": {"d1": 0.37}})
    totals = zip(
        located.total_ranking.tolist(),
        located.total_grade.tolist(),
        located.total_count.tolist(),
        strict=True,
    )
    counted = [Counter(map(float, judged[f"q{topic}"].values())) for topic in range(3)]
    assert list(totals) == [
        (topic, grade, count)
        for topic in range(3)
        for grade, count in sorted(counted[topic].items())
    ]
