"""From values per topic to one number: which topics, what undefined values do, what is counted."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import precall as pc
from precall.core.errors import DataError
from tests.laws.collections import Collection, collections, examples, shuffled
from tests.oracle import ranking, value

NAMES = {
    "AP": ("AP", {}, "mean"),
    "P@2": ("P", {"cutoff": 2}, "mean"),
    "nDCG": ("nDCG", {}, "mean"),
    "SetP": ("SetP", {}, "mean"),
    "GMAP": ("AP", {}, "geometric"),
    "gm_bpref": ("Bpref", {}, "geometric"),
    "NumRet": ("NumRet", {}, "sum"),
    "NumRel": ("NumRel", {}, "sum"),
    "NumRelRet": ("NumRelRet", {}, "sum"),
    "NumNonrelRet": ("NumNonrelRet", {}, "sum"),
    "SetUtility": ("SetUtility", {}, "mean"),
    "yaap": ("yaap", {}, "mean"),
}


def averaged_topics(collection: Collection, topics: str) -> list[str]:
    both = [topic for topic in collection.qrels if topic in collection.run]
    return {"both": both, "qrels": list(collection.qrels), "run": list(collection.run)}[topics]


def average(numbers: list, aggregate: str, undefined: str) -> float:
    """The definition: arithmetic mean, geometric mean with floor 1e-5 (trec_eval), or sum."""
    if undefined == "omit":
        numbers = [number for number in numbers if number is not None]
    numbers = [Fraction(0) if number is None else Fraction(number) for number in numbers]
    if aggregate == "sum":
        return float(sum(numbers))
    if not numbers:
        return math.nan
    if aggregate == "geometric":
        return math.exp(
            sum(math.log(max(float(number), 1e-5)) for number in numbers) / len(numbers)
        )
    return float(sum(numbers) / len(numbers))


def expected(
    collection: Collection, name: str, topics: str, undefined: str, aggregate: str | None = None
) -> float:
    base, parameters, declared = NAMES[name]
    numbers = [
        value(base, ranking.docno(collection.scores(topic)), collection.judged(topic), **parameters)
        for topic in averaged_topics(collection, topics)
    ]
    return average(numbers, aggregate or declared, undefined)


def alike(one: float, other: float) -> bool:
    return (math.isnan(one) and math.isnan(other)) or one == pytest.approx(other, abs=1e-12)


def means_agree(collection: Collection, topics: str, undefined: str) -> None:
    report = pc.evaluate(
        collection.qrels, collection.run, list(NAMES), topics=topics, undefined=undefined
    )
    for name in NAMES:
        theirs = expected(collection, name, topics, undefined)
        assert alike(report.mean[name], theirs), (
            f"{name}: {report.mean[name]}, the definition {theirs}"
        )


def counts_agree(collection: Collection, topics: str) -> None:
    counts = pc.evaluate(collection.qrels, collection.run, "AP", topics=topics).runs[0].counts
    chosen = averaged_topics(collection, topics)
    assert counts.topics == len(chosen)
    assert counts.missing == len(set(collection.qrels) - set(collection.run))
    assert counts.unjudged == len(set(collection.run) - set(collection.qrels))
    assert counts.without_relevant == sum(
        ranking.relevant(collection.judged(topic), 1) == 0 for topic in chosen
    )
    assert counts.dropped == 0


@pytest.mark.nightly
@pytest.mark.parametrize("topics", ["both", "qrels", "run"])
@pytest.mark.parametrize("undefined", ["zero", "omit"])
def test_means_over_topics(topics, undefined):
    @examples(25)
    @given(collections())
    def law(collection):
        means_agree(collection, topics, undefined)

    law()


@pytest.mark.nightly
@pytest.mark.parametrize("topics", ["both", "qrels", "run"])
def test_what_the_report_counts(topics):
    @examples(25)
    @given(collections())
    def law(collection):
        counts_agree(collection, topics)

    law()


@examples(20)
@given(collections(), st.sampled_from(["mean", "geometric", "sum"]))
def test_one_aggregate_for_all(collection, aggregate):
    report = pc.evaluate(collection.qrels, collection.run, ["AP", "NumRet"], aggregate=aggregate)
    for name in ("AP", "NumRet"):
        assert alike(report.mean[name], expected(collection, name, "both", "zero", aggregate))


@examples(20)
@given(collections(), st.integers(0, 99))
def test_the_order_of_topics_changes_no_digit_of_a_mean(collection, seed):
    mixed = Collection(shuffled(collection.qrels, seed), shuffled(collection.run, seed + 1))
    one, other = (
        pc.evaluate(each.qrels, each.run, list(NAMES), topics="qrels")
        for each in (collection, mixed)
    )
    assert [repr(one.mean[name]) for name in NAMES] == [repr(other.mean[name]) for name in NAMES]


@examples(20)
@given(collections())
def test_undefined_values_are_an_error_where_asked(collection):
    report = pc.evaluate(collection.qrels, collection.run, ["AP", "SetP"])
    where = sum(report.runs[0].undefined)
    if not where:
        pc.evaluate(collection.qrels, collection.run, ["AP", "SetP"], undefined="error")
        return
    with pytest.raises(DataError) as caught:
        pc.evaluate(collection.qrels, collection.run, ["AP", "SetP"], undefined="error")
    assert caught.value.total == where


@examples(20)
@given(collections(), st.integers(1, 12))
def test_depth_cuts_rankings(collection, depth):
    report = pc.evaluate(
        collection.qrels, collection.run, ["AP", "NumRet", "SetP", "nDCG", "Bpref"], depth=depth
    )
    table = report.per_topic.to_dict()
    for topic, name, mine in zip(table["topic"], table["measure"], table["value"], strict=True):
        short = ranking.docno(collection.scores(topic))[:depth]
        theirs = value(name, short, collection.judged(topic))
        assert alike(mine, math.nan if theirs is None else float(theirs)), (topic, name)


@examples(20)
@given(collections(), st.sampled_from([2, 3]))
def test_one_grade_for_all_measures_that_take_one(collection, grade):
    report = pc.evaluate(
        collection.qrels, collection.run, ["AP", "nDCG@3", "RR(grade=3)"], grade=grade
    )
    table = report.per_topic.to_dict()
    assert set(table["measure"]) == {f"AP(grade={grade})", "nDCG@3", "RR(grade=3)"}
    for topic, name, mine in zip(table["topic"], table["measure"], table["value"], strict=True):
        base, parameters = {
            "AP": ("AP", {"grade": grade}),
            "nD": ("nDCG", {"cutoff": 3}),
            "RR": ("RR", {"grade": 3}),
        }[name[:2]]
        theirs = value(
            base, ranking.docno(collection.scores(topic)), collection.judged(topic), **parameters
        )
        assert alike(mine, math.nan if theirs is None else float(theirs))


@pytest.mark.nightly
@examples(20)
@given(collections(), collections())
def test_runs_do_not_disturb_each_other(one, other):
    qrels = {**other.qrels, **one.qrels}
    if not (set(qrels) & set(one.run) and set(qrels) & set(other.run)):
        return
    together = pc.evaluate(qrels, {"one": one.run, "other": other.run}, ["AP", "nDCG@3", "ERR"])
    for name, run in (("one", one.run), ("other", other.run)):
        alone = pc.evaluate(qrels, {name: run}, ["AP", "nDCG@3", "ERR"])
        for measure in ("AP", "nDCG@3", "ERR"):
            assert repr(together.mean[name, measure]) == repr(alone.mean[measure])


def test_the_definition_by_hand():
    # Topic 1: AP 1/2; topic 2: nothing found; topic 3: nothing relevant; topic 4: not in the run.
    qrels = {"1": {"a": 1}, "2": {"a": 1}, "3": {"a": 0}, "4": {"a": 1}}
    run = {"1": {"b": 2.0, "a": 1.0}, "2": {"b": 1.0}, "3": {"a": 1.0}, "5": {"a": 1.0}}

    def mean(**options):
        return pc.evaluate(qrels, run, ["AP", "GMAP"], **options).mean

    assert mean()["AP"] == 0.5 / 3
    assert mean(undefined="omit")["AP"] == 0.5 / 2
    assert mean(topics="qrels")["AP"] == 0.5 / 4
    assert mean(topics="run", undefined="omit")["AP"] == 0.5 / 2
    assert mean()["GMAP"] == pytest.approx((0.5 * 1e-5 * 1e-5) ** (1 / 3))
    assert mean(topics="qrels")["GMAP"] == pytest.approx((0.5 * 1e-5**3) ** (1 / 4))
