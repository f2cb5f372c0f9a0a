"""Laws of all measures, driven by what their declarations claim."""

import math
import time
import tracemalloc
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

import precall as pc
from precall.measures import REGISTRY
from tests.laws import properties
from tests.laws.collections import TOPICS, Collection, collections, examples
from tests.laws.parameters import SOME, said
from tests.oracle import ranking


def measures(chosen):
    return pytest.mark.parametrize(
        "declaration", list(chosen), ids=lambda declaration: declaration.name
    )


every = measures(SOME)

LAWS = [
    properties.range_is_respected,
    properties.names_of_unjudged_items_do_not_matter,
    properties.only_the_order_of_scores_matters,
    properties.the_order_of_rows_and_topics_does_not_matter,
    properties.topics_are_independent,
]


@pytest.mark.nightly(keep=24)
@every
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_law(law, declaration):
    @examples(6)
    @given(collections(depth=7, topics=TOPICS[:3]))
    def checked(collection):
        law(declaration, collection)

    checked()


@pytest.mark.nightly(keep=2)
@measures([*(one for one in SOME if one.monotone), REGISTRY["E"]])
def test_a_better_place_never_hurts(declaration):
    @examples(10)
    @given(collections(topics=TOPICS[:1]))
    def checked(collection):
        properties.a_better_place_never_hurts(declaration, collection)

    checked()


def test_ap_over_what_was_found_is_not_monotone_at_a_cutoff():
    # Why `rising` leaves it out: the late hit comes into view and lowers the average.
    before, after = (
        properties.value_of("AP(norm=found)@3", hits, 5, 2) for hits in ([1, 4], [1, 3])
    )
    assert (before, after) == (1.0, (1 + 2 / 3) / 2)


@pytest.mark.nightly(keep=1)
@measures(one for one in SOME if one.linear)
def test_linear_measures_are_sums_over_hits(declaration):
    @examples(15)
    @given(st.sets(st.integers(1, 12), max_size=8), st.integers(0, 4), st.integers(0, 5))
    def checked(hits, more, missed):
        retrieved = max(hits, default=0) + more
        properties.linear_in_hits(declaration, sorted(hits), retrieved, len(hits) + missed)

    checked()


@pytest.mark.parametrize(
    "name", ["AP", "RR", "IPrec", "IAP", "yaap", "Success", "SetAP", "binG", "ERR", "infAP"]
)
def test_the_law_of_linear_measures_can_fail(name):
    with pytest.raises(AssertionError, match=name):
        for hits, retrieved, relevant in (
            ([1, 2], 4, 3),
            ([2, 3, 6], 9, 5),
            ([1, 5], 5, 2),
            ([3, 4], 8, 2),
        ):
            properties.linear_in_hits(REGISTRY[name], hits, retrieved, relevant)


@every
def test_the_canonical_name_names_the_measure(declaration):
    properties.name_round_trip(declaration)


@pytest.mark.nightly(keep=4)
@measures(one for one in SOME if "grade" in one.parameters and one.name != "NumRet")
def test_a_higher_grade_is_another_reading_of_the_judgements(declaration):
    @examples(8)
    @given(collections(topics=TOPICS[:2]))
    def checked(collection):
        for level in (2, 3):
            read = {
                topic: {
                    item: grade if grade < 0 else int(grade >= level)
                    for item, grade in grades.items()
                }
                for topic, grades in collection.qrels.items()
            }
            flat = Collection(read, collection.run)
            for parameters in properties.variants(declaration):
                if "grade" in parameters:
                    continue
                graded = properties.numbers(
                    said(declaration.name, {**parameters, "grade": level}), collection
                )
                binary = properties.numbers(said(declaration.name, parameters), flat)
                properties.identical(graded, binary, declaration.name)

    checked()


SEE_ONLY_HITS = [
    "AP",
    "AP(norm=found)",
    "AP@3",
    "RR",
    "IPrec(recall=0)",
    "IPrec(recall=.5)",
    "IAP",
    "yaap",
    "P@3",
    "R@3",
    "F@2",
    "E@3",
    "Success@3",
    "RelP@3",
    "Rprec",
    "Rprec(mult=2)",
    "SetR",
    "NumRelRet",
    "DCG",
    "nDCG",
    "ERR",
    "RBP",
    "G",
    "Bpref",
    "infAP",
    "binG",
    "NumNonrelRet",
]


@pytest.mark.nightly(keep=4)
@pytest.mark.parametrize("text", SEE_ONLY_HITS)
def test_a_miss_after_the_last_hit_changes_nothing(text):
    @examples(8)
    @given(collections(scores=(2.0, 1.0, 0.5), topics=TOPICS[:2]))
    def checked(collection):
        longer = {topic: {**scores, "last": -99.0} for topic, scores in collection.run.items()}
        more = Collection(collection.qrels, longer)
        properties.identical(
            properties.numbers(text, collection), properties.numbers(text, more), text
        )

    checked()


@examples(25)
@given(collections())
def test_one_more_missed_relevant_item_costs(collection):
    more = Collection(
        {topic: {**grades, "never found": 3} for topic, grades in collection.qrels.items()},
        collection.run,
    )
    for text in ("AP", "R@3", "IAP", "nDCG", "binG", "infAP", "SetR", "F@4"):
        before, after = properties.numbers(text, collection), properties.numbers(text, more)
        for topic in collection.qrels:
            assert (
                not before[topic] > 0
                or after[topic] < before[topic]
                or (text == "IAP" and after[topic] <= before[topic])
            )
    for text in (
        "RR",
        "P@3",
        "Success@3",
        "SetP",
        "NumRet",
        "NumRelRet",
        "DCG",
        "RBP",
        "RBPResidual",
        "Judged",
    ):
        properties.identical(
            properties.numbers(text, collection), properties.numbers(text, more), text
        )


@examples(20)
@given(collections())
def test_a_cutoff_beyond_the_end_cuts_nothing(collection):
    for text in (
        "AP",
        "AP(norm=min)",
        "AP(norm=found)",
        "RR",
        "DCG",
        "nDCG",
        "nDCG(gain=exp)",
        "ERR",
        "Judged",
    ):
        whole, cut = (properties.numbers(name, collection) for name in (text, f"{text}@40"))
        if text == "AP(norm=min)":
            whole = properties.numbers("AP", collection)
        properties.identical(whole, cut, text)


PERFECT = [
    "AP",
    "AP(norm=min)@2",
    "AP(norm=found)@2",
    "RR",
    "RR@1",
    "IPrec(recall=0.7)",
    "IPrec(recall=1)",
    "IAP",
    "R@20",
    "Success@1",
    "RelP@1",
    "RelP@3",
    "RelP@20",
    "Rprec",
    "Rprec(mult=0.5)",
    "SetR",
    "SetRelP",
    "nDCG",
    "nDCG@2",
    "nDCG(gain=exp)@3",
    "nDCG(gains={1:2,2:7,3:7.5})",
    "Bpref",
    "infAP",
    "binG",
    "G",
]


@pytest.mark.nightly(keep=3)
@pytest.mark.parametrize("text", PERFECT)
def test_the_perfect_ranking_has_the_greatest_value(text):
    @examples(12)
    @given(collections())
    def checked(collection):
        run = {}
        for topic in collection.qrels:
            judged = collection.judged(topic)
            run[topic] = {item: float(judged[item]) for item in judged}
        values = properties.numbers(text, Collection(collection.qrels, run))
        for topic in collection.qrels:
            if any(grade > 0 for grade in collection.judged(topic).values()):
                slack = 1e-5 if text == "infAP" else 1e-15
                assert values[topic] == pytest.approx(1, abs=slack), text
                assert values[topic] == 1 or not text.startswith("nDCG")

    checked()


@every
def test_an_empty_ranking_has_the_least_value_or_none(declaration):
    collection = Collection(
        {"t": {"a": 1, "b": 2, "c": 0}, "u": {"a": 1}}, {"t": {}, "u": {"a": 1.0}}
    )
    low = declaration.range[1] if declaration.direction < 0 else 0.0
    for parameters in properties.variants(declaration):
        if declaration.name in (
            "SetUtility",
            "yaap",
            "MCC",
            "KAtRecall",
            "PAtRecall",
            "Coverage",
            "Gini",
        ) or parameters.keys() & {"grade", "mcclish"}:
            continue
        value = properties.numbers(said(declaration.name, parameters), collection)["t"]
        nothing = "nothing" in declaration.undefined and parameters.get("norm") != "relevant"
        if not (nothing and math.isnan(value)):
            assert value == (2.0 if declaration.name == "NumRel" else low)


@examples(20)
@given(collections(), st.sampled_from((0.0, 0.1, 0.3, 1 / 3, 0.5, 0.7, 0.9, 1.0)))
def test_hits_know_the_cutoff_of_a_recall(collection, recall):
    from tests.oracle.averages import k_at_recall, needed, precision_at

    located = pc.locate(collection.qrels, collection.run)
    hits = located.hits()
    found_k, found_p, need = (
        hits.k_at_recall(recall),
        hits.precision_at_recall(recall),
        hits.needed(recall),
    )
    for place, topic in enumerate(located.topics.tolist()):
        judged = collection.judged(topic)
        relevance = ranking.relevance(ranking.docno(collection.scores(topic)), judged, 1)
        total = ranking.relevant(judged, 1)
        assert need[place] == needed(recall, total)
        k = k_at_recall(relevance, total, recall)
        if total:
            assert found_k[place] == (k or 0)
            wanted = float(precision_at(relevance, k)) if k else math.nan
            assert found_p[place] == pytest.approx(wanted, nan_ok=True)
        else:
            assert math.isnan(found_p[place]) and found_k[place] == 0


@pytest.mark.nightly
def test_ceilings_are_exact():
    # .07 x 100 is 7.000000000000001 in floating point, and .55 x 20 is 11.000000000000002.
    properties.ceilings_are_exact([k / 100 for k in range(301)], 200)


def test_random_orders_are_fair_and_repeatable():
    qrels, run = pc.read_qrels({"t": {"a": 1}}), pc.read_run({"t": {"a": 1.0, "b": 1.0, "c": 1.0}})
    ranks = [int(pc.locate(qrels, run, ties="random", rng=seed).rank[0]) for seed in range(300)]
    again = [int(pc.locate(qrels, run, ties="random", rng=seed).rank[0]) for seed in range(20)]
    assert ranks[:20] == again
    # 100 each; the standard deviation is 8.2.
    assert all(60 < ranks.count(rank) < 140 for rank in (1, 2, 3))


def test_err_of_a_very_high_grade():
    # (2^2000 - 1) / 2^2000 is 1 to all digits, whatever a float can hold on the way.
    values = pc.measure("ERR")(pc.locate({"t": {"a": 2000, "b": 1}}, {"t": {"b": 2.0, "a": 1.0}}))
    assert values.tolist() == [0.5]


def test_a_grade_that_was_said_is_kept():
    # evaluate: "grade: for measures that do not say so themselves".
    report = pc.evaluate(
        {"t": {"a": 1, "b": 2}}, {"t": {"a": 2.0, "b": 1.0}}, ["AP(grade=1)", "AP"], grade=2
    )
    assert report.measures == ("AP", "AP(grade=2)")


CUT = [one for one in REGISTRY if "cutoff" in one.parameters]


@measures(CUT)
def test_a_cutoff_beyond_every_list_costs_nothing(declaration):
    """It is answered, or refused, without a step or a byte for each rank up to it."""
    example = declaration.example
    measured = example.subtopics() if hasattr(example, "subtopics") else example.located()
    for parameters in [dict(example.parameters), *properties.some_variants(declaration)]:
        name = said(declaration.name, {**parameters, "cutoff": 10**9})
        tracemalloc.start()
        began = time.process_time()
        with suppress(pc.MeasureError):
            assert not math.isinf(pc.measure(name)(measured)[0])
        seconds, most = time.process_time() - began, tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert most < 1 << 24 and seconds < 5
