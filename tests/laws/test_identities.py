"""Identities between measures: two definitions, one number."""

import math

import pytest
from hypothesis import given

import precall as pc
from tests.laws.collections import Collection, collections, examples
from tests.laws.properties import close, numbers, same_as
from tests.oracle import ranking

EQUAL = [
    ("RR@1", "Success@1"),
    ("RR@1", "P@1"),
    ("AP(norm=min)@1", "RelP@1"),
    ("SetF", "SetF(beta=1.0)"),
    ("GMAP", "AP"),
    ("AP(norm=relevant)@3", "AP@3"),
    ("Rprec", "Rprec(mult=1)"),
    ("DCG@1", "DCG(gains={1:1,2:2,3:3})@1"),
    ("nDCG@3", "nDCG(gains={1:10,2:20,3:30})@3"),
    ("nDCG(gain=exp)@5", "nDCG(gains={1:1,2:3,3:7})@5"),
    ("DCG(gain=exp)", "DCG(gains={1:1,2:3,3:7})"),
    ("P(grade=2)@3", "P(rel=2)@3"),
    ("Rprec(mult=100)", "P@100"),
    ("map", "AP"),
    ("IPrec@0.3", "IPrec(recall=0.3)"),
    ("ERR(max=3)", "ERR(max=3)@99"),
]


@pytest.mark.nightly(keep=3)
@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_two_names_of_one_number(one, other):
    @examples(10)
    @given(collections())
    def law(collection):
        if (one, other) == ("Rprec(mult=100)", "P@100"):
            # Only where one item is relevant do the cutoffs agree.
            chosen = [
                topic
                for topic in collection.topics
                if ranking.relevant(collection.judged(topic), 1) == 1
            ]
            first, second = numbers(one, collection), numbers(other, collection)
            assert all(close(first[topic], second[topic]) for topic in chosen)
        else:
            same_as(one, other, collection)

    law()


def per_topic(collection, *names):
    """(topic, found relevance, R, values by name) of every topic."""
    values = {name: numbers(name, collection) for name in names}
    for topic in collection.topics:
        judged = collection.judged(topic)
        found = ranking.relevance(ranking.docno(collection.scores(topic)), judged, 1)
        yield (
            topic,
            found,
            ranking.relevant(judged, 1),
            {name: values[name][topic] for name in names},
        )


@examples(25)
@given(collections())
def test_precision_at_r_is_r_precision_and_recall_there(collection):
    for cutoff in range(1, 11):
        for _, _, total, value in per_topic(
            collection, f"P@{cutoff}", f"R@{cutoff}", f"F@{cutoff}", "Rprec"
        ):
            if total == cutoff:
                assert len({round(number, 12) for number in value.values()}) == 1


@examples(25)
@given(collections())
def test_e_is_one_minus_f_which_lies_between_precision_and_recall(collection):
    for beta in (0.5, 1, 2):
        names = ("P@4", "R@4", f"F(beta={beta})@4", f"E(beta={beta})@4")
        for _, _, total, value in per_topic(collection, *names):
            p, r, f, e = (value[name] for name in names)
            assert e == pytest.approx(1 - f, abs=1e-15)
            if total:
                assert min(p, r) - 1e-12 <= f <= max(p, r) + 1e-12
                if beta == 1:
                    # The arithmetic mean is never smaller (sources.md, on break-even and F).
                    assert (p + r) / 2 >= f - 1e-12


@examples(25)
@given(collections())
def test_measures_of_the_set_are_those_at_the_last_rank(collection):
    names = (
        "SetP",
        "SetR",
        "SetF",
        "SetAP",
        "SetRelP",
        "NumRet",
        "NumRel",
        "NumRelRet",
        "R@99",
        "P@99",
        "SetUtility",
    )
    for _, found, total, value in per_topic(collection, *names):
        n = len(found)
        assert (value["NumRet"], value["NumRel"], value["NumRelRet"]) == (n, total, sum(found))
        assert value["SetUtility"] == 2 * sum(found) - n
        assert close(value["SetR"], value["R@99"])
        if n and total:
            assert close(value["SetP"], value["P@99"] * 99 / n)
            assert close(value["SetAP"], value["SetP"] * value["SetR"])
            assert close(value["SetRelP"], max(value["SetP"], value["SetR"]))
            p, r = value["SetP"], value["SetR"]
            assert close(value["SetF"], 2 * p * r / (p + r) if p + r else 0.0)


@examples(25)
@given(collections())
def test_average_precision_is_built_from_precision_and_recall(collection):
    names = (
        "AP",
        "AP@3",
        "AP(norm=min)@3",
        "AP(norm=found)@3",
        "AP(norm=found)",
        "SetR",
        "R@3",
        "yaap",
        "IAP",
        "RR",
    )
    for _, found, total, value in per_topic(collection, *names):
        if not total:
            continue
        assert value["AP@3"] <= value["AP"] + 1e-12 <= value["SetR"] + 2e-12
        assert close(value["AP(norm=min)@3"] * min(3, total), value["AP@3"] * total)
        if any(found):
            assert close(value["AP(norm=found)"] * value["SetR"], value["AP"])
        if any(found[:3]):
            assert close(value["AP(norm=found)@3"] * value["R@3"], value["AP@3"])
        gained = value["AP"] * total
        assert close(value["yaap"], math.log((1 + gained) / (1 + total - gained)), 1e-9)
        if total == 1:
            assert close(value["AP"], value["RR"])


@examples(30)
@given(collections())
def test_eleven_point_is_the_mean_of_interpolated_precision(collection):
    names = [f"IPrec(recall={tenth / 10})" for tenth in range(11)]
    for _, found, total, value in per_topic(collection, "IAP", *names):
        if total:
            points = [value[name] for name in names]
            assert points == sorted(points, reverse=True), (
                "interpolated precision never rises with recall"
            )
            assert close(value["IAP"], sum(points) / 11)
            assert close(
                points[10],
                sum(found) / max((i + 1 for i, hit in enumerate(found) if hit), default=1)
                if sum(found) == total
                else 0.0,
            )


@examples(25)
@given(collections())
def test_counts_at_a_cutoff(collection):
    for k in (1, 3, 7):
        for _, found, total, value in per_topic(
            collection, f"P@{k}", f"R@{k}", f"RelP@{k}", f"Success@{k}", f"RR@{k}"
        ):
            hits = sum(found[:k])
            assert value[f"P@{k}"] == hits / k
            assert value[f"Success@{k}"] == (hits > 0) == (value[f"RR@{k}"] > 0)
            if total:
                assert value[f"R@{k}"] == hits / total
                assert value[f"RelP@{k}"] == max(value[f"P@{k}"], value[f"R@{k}"])


def binary(collection: Collection) -> Collection:
    qrels = {
        topic: {item: min(grade, 1) for item, grade in grades.items()}
        for topic, grades in collection.qrels.items()
    }
    return Collection(qrels, collection.run)


@examples(20)
@given(collections())
def test_on_binary_judgements_graded_measures_are_binary_ones(collection):
    flat = binary(collection)
    same_as("nDCG@3", "nDCG(gain=exp)@3", flat)
    same_as("DCG", "DCG(gain=exp)", flat)
    same_as("G", "binG", flat)
    names = ("nDCG@5", "ERR(max=1)", "DCG@5")
    for _, found, total, value in per_topic(flat, *names):
        ranks = [rank for rank, hit in enumerate(found, start=1) if hit]
        assert close(value["DCG@5"], sum(1 / math.log2(rank + 1) for rank in ranks if rank <= 5))
        assert close(
            value["ERR(max=1)"],
            sum(2.0**-place / rank for place, rank in enumerate(ranks, start=1)),
        )
        if total:
            ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(total, 5) + 1))
            assert close(value["nDCG@5"], value["DCG@5"] / ideal)


@examples(20)
@given(collections())
def test_judged_and_unjudged_weights_make_one(collection):
    # RBP of the judged, of what could still come, and of judged misses: everything a user sees.
    kept = {
        topic: {item: 1 for item, grade in grades.items() if grade >= 0}
        for topic, grades in collection.qrels.items()
    }
    judged = numbers(
        "RBP",
        Collection(
            {topic: grades or {"none": 0} for topic, grades in kept.items()}, collection.run
        ),
    )
    residual, relevant = numbers("RBPResidual", collection), numbers("RBP", collection)
    for topic in collection.qrels:
        assert close(judged[topic] + residual[topic], 1.0)
        assert relevant[topic] + residual[topic] <= 1 + 1e-12


@pytest.mark.nightly
@examples(20)
@given(collections())
def test_condensed_rankings_hold_judged_items_only(collection):
    condensed = {
        topic: {
            item: score
            for item, score in scores.items()
            if collection.judged(topic).get(item, -1) >= 0
        }
        for topic, scores in collection.run.items()
    }
    clean = {
        topic: {item: grade for item, grade in grades.items() if grade >= 0}
        for topic, grades in collection.qrels.items()
    }
    bare = Collection(clean, condensed)
    for text in (
        "AP",
        "P@3",
        "RR",
        "nDCG@5",
        "Bpref",
        "IAP",
        "NumRet",
        "Judged",
        "RBP",
        "binG",
        "infAP",
        "SetP",
    ):
        name, at, cutoff = text.partition("@")
        asked = numbers(f"{name}(judged_only=true){at}{cutoff}", collection)
        whole = pc.evaluate(
            collection.qrels, collection.run, text, judged_only=True, topics="qrels"
        ).per_topic.to_dict()
        by_option = dict(zip(whole["topic"], whole["value"], strict=True))
        for topic, value in numbers(text, bare).items():
            assert close(asked[topic], value), text
            assert topic not in by_option or close(by_option[topic], value), text
    for _, found, _, value in per_topic(
        bare, "NumRet", "NumRelRet", "NumNonrelRet", "Judged", "RBPResidual"
    ):
        assert value["NumRelRet"] + value["NumNonrelRet"] == value["NumRet"]
        assert value["Judged"] == 1 if found else math.isnan(value["Judged"])
        assert close(value["RBPResidual"], 0.8 ** len(found))


@examples(20)
@given(collections())
def test_where_all_is_judged_inferred_ap_is_ap(collection):
    everything = {
        topic: {
            **dict.fromkeys(collection.scores(topic), 0),
            **{i: max(g, 0) for i, g in grades.items()},
        }
        for topic, grades in collection.qrels.items()
    }
    full = Collection(everything, collection.run)
    inferred, exact = numbers("infAP", full), numbers("AP", full)
    assert all(
        topic not in everything
        or math.isnan(exact[topic])
        or abs(inferred[topic] - exact[topic]) < 1e-4
        for topic in exact
    )


@examples(20)
@given(collections())
def test_hits_and_located_give_the_same(collection):
    located = collection.located("docno")
    for grade in (1, 2):
        hits = located.hits(grade)
        for name in (
            "AP",
            "RR",
            "IAP",
            "yaap",
            "Rprec",
            "SetP",
            "SetR",
            "SetF",
            "SetAP",
            "binG",
            "SetUtility",
            "NumRel",
        ):
            of_hits = pc.measure(name)(hits).tolist()
            assert list(map(repr, of_hits)) == list(
                map(repr, pc.measure(f"{name}(grade={grade})")(located).tolist())
            )


@examples(25)
@given(collections())
def test_located_rows_are_the_judged_items_in_their_places(collection):
    for ties in ("docno", "input"):
        located = collection.located(ties)
        order = ranking.docno if ties == "docno" else ranking.as_listed
        rows = list(
            zip(
                located.ranking.tolist(),
                located.rank.tolist(),
                located.grade.tolist(),
                located.first.tolist(),
                located.last.tolist(),
                strict=True,
            )
        )
        wanted = []
        for place, topic in enumerate(collection.topics):
            scores, judged = collection.scores(topic), collection.judged(topic)
            for rank, item in enumerate(order(scores), start=1):
                if item in judged:
                    better = sum(1 for other in scores.values() if other > scores[item])
                    equal = sum(1 for other in scores.values() if other == scores[item])
                    wanted.append((place, rank, judged[item], better + 1, better + equal))
        assert rows == wanted
        assert located.topics.tolist() == collection.topics
        assert located.retrieved.tolist() == [
            len(collection.scores(topic)) for topic in collection.topics
        ]
