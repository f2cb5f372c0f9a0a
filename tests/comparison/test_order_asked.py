"""The order asked is the order given: `pair("b", "a")` is b - a, and pictures draw the first less
the second.

`pair("s2", "s1")` returned s1 - s2, and `TopicDifferences.from_report(r, m, "s1", "s2")` drew s2 -
s1 while everything else is first - second. Old tests asked for pairs in the order in which they
were compared.
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_comparisons import SkewedDifferences
from precall.plot import TopicDifferences, TopicScatter
from precall.stats.tests.verdict import Standing
from tests.noticed import noticed

RNG = np.random.default_rng(5)
NAMES = ("s1", "s2", "s3")


def values(topics=30, skew=3.0):
    """Skewed and tied, so that there are notes."""
    base = RNG.random(topics) / 2
    long = np.where(RNG.random(topics) < 0.2, RNG.random(topics) ** skew / 2, 0.0)
    return {
        "s1": base,
        "s2": np.round(base + long, 2),
        "s3": np.round(base + RNG.normal(0, 0.1, topics), 1),
    }


def mirrored(one, other):
    """Whether one comparison is the other from the other side: every field, and what is printed."""
    mine, theirs = one.to_dict(), other.swap().to_dict()
    assert mine.keys() == theirs.keys()
    for name, value in mine.items():
        # Sums of one order and of the other may differ in their last digit.
        close = pytest.approx(value, rel=1e-12, abs=1e-15) if isinstance(value, float) else value
        assert theirs[name] == close, name
    assert str(one) == str(other.swap()) and one.swap().swap() == one
    assert Standing.of(one, one.names[0]).outcome == Standing.of(other, one.names[0]).outcome


@pytest.mark.nightly(keep=8)
@pytest.mark.parametrize("test", ["randomization", "t", "wilcoxon", "sign"])
@pytest.mark.parametrize("topics", [1, 2, 6, 14, 30, 60])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_a_swapped_pair_is_the_one_that_would_have_been_asked(test, topics, alternative):
    given = values(topics)
    turned = {"greater": "less", "less": "greater"}.get(alternative, alternative)
    for a, b in (("s1", "s2"), ("s2", "s3")):
        for high in (True, False):
            one, other = (
                pc.compare.paired(
                    given[x],
                    given[y],
                    test=test,
                    names=(x, y),
                    higher_is_better=high,
                    alternative=way,
                )
                for x, y, way in ((a, b, alternative), (b, a, turned))
            )
            mirrored(one, other)


def test_skewness_has_the_sign_of_the_difference():
    given = {"a": np.zeros(40), "b": np.append(np.full(39, -0.04), 1.6)}
    one, other = (
        pc.compare.paired(given[x], given[y], test="t", names=(x, y)) for x, y in ("ab", "ba")
    )
    assert noticed(one, SkewedDifferences)[0].skewness < 0
    mirrored(one, other)


@pytest.mark.parametrize("test", ["randomization", "sign", "wilcoxon", "t"])
@pytest.mark.parametrize("baseline", [None, "s2"])
def test_pairs_of_several_systems(test, baseline):
    given = values()
    found = pc.compare.many(given, measure="AP", test=test, baseline=baseline)
    again = pc.compare.many(
        {name: given[name] for name in NAMES[::-1]}, measure="AP", test=test, baseline=baseline
    )
    for pair in found.pairs:
        a, b = pair.names
        assert found.pair(a, b) is pair and found.pair(b, a, "AP").names == (b, a)
        assert (
            found.pair(b, a).difference
            == 0.0 - pair.difference
            == pytest.approx(np.mean(given[b]) - np.mean(given[a]))
        )
        # To the last digit.
        assert found.pair(b, a) == pair.swap() and found.pair(b, a).swap() == pair
        assert (found.pair(b, a).low, found.pair(b, a).high) == (-pair.high, -pair.low)
        mirrored(found.pair(b, a), pair)
        mirrored(again.pair(b, a), pair)


@pytest.mark.parametrize("test", ["mcnemar", "randomization", "sign", "t", "wilcoxon"])
def test_decisions(test):
    truth = RNG.random(80) < 0.4
    a, b = (truth ^ (RNG.random(80) < share) for share in (0.2, 0.3))
    measure = "Accuracy" if test == "mcnemar" else "R"
    one, other = (
        pc.compare.decisions(truth, x, y, measure, test=test, names=names)
        for x, y, names in ((a, b, ("a", "b")), (b, a, ("b", "a")))
    )
    mirrored(one, other)


@pytest.mark.parametrize(
    ("measure", "how"),
    [
        ("AUC", {}),
        ("AP", {}),
        ("P@10", {}),
        ("R", {"threshold": 0.0}),
        ("R", {"threshold": 0.0, "test": "sign"}),
    ],
)
def test_scores(measure, how):
    truth = RNG.random(60) < 0.4
    a, b = (np.round(RNG.normal(truth * shift), 1) for shift in (1.0, 0.5))
    one, other = (
        pc.compare.cases(truth, x, y, measure, names=names, **how)
        for x, y, names in ((a, b, ("a", "b")), (b, a, ("b", "a")))
    )
    mirrored(one, other)


def test_tukey_and_what_has_no_interval():
    found = pc.compare.many(values(12), correction="tukey", resamples=500)
    for pair in found.pairs:
        mirrored(found.pair(*pair.names[::-1]), pair)
    same = pc.compare.paired([0.5, 0.25], [0.5, 0.25])
    assert same.low is None and same.swap().low is None
    assert not any(np.signbit([same.swap().difference, same.swap().effect, same.swap().statistic]))


def test_pictures_draw_the_first_less_the_second(tmp_path):
    qrels = {f"q{i}": {"a": 1, "b": 0} for i in range(4)}
    runs = {
        "s1": {q: {"a": 2.0, "b": 1.0} for q in qrels},
        "s2": {q: {"a": 1.0, "b": 2.0 if i else 0.5} for i, q in enumerate(qrels)},
    }
    report = pc.evaluate(qrels, runs, "AP")
    pair = pc.compare(report).pair("s1", "s2", "AP")
    bars = TopicDifferences.from_report(report, "AP", "s1", "s2").plot()
    assert bars.differences_.mean() == pair.difference > 0
    assert bars.ax_.get_ylabel() == "AP, s1 - s2"
    told = [text.get_text() for text in bars.legend_.get_texts()]
    assert told == [
        f"s1 is greater: {pair.wins}",
        f"s2 is greater: {pair.losses}",
        f"equal: {pair.ties}",
    ]
    back = TopicDifferences.from_report(report, "AP", "s2", "s1").plot()
    assert (
        sorted(back.differences_) == sorted(0.0 - bars.differences_)
        and back.ax_.get_ylabel() == "AP, s2 - s1"
    )
    dots = TopicScatter.from_report(report, "AP", "s1", "s2").plot()
    assert (dots.ax_.get_xlabel(), dots.ax_.get_ylabel()) == ("s1", "s2")
