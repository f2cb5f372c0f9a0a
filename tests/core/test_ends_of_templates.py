"""Templates have their edge cases: no "p 1.000 or more", no range of one value, no "1 topics", no
minus before a zero.

Old tests had sentences of several unlike numbers only.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_comparisons import FewToRedraw, IntervalOfDifference, LeastOfExchanges
from precall.core.notes.of_curves import UndefinedGroups
from precall.core.notes.of_intervals import (
    FewGroupsMatter,
    FewHeavyCases,
    FewWithin,
    NextToOne,
    RareCategory,
    WeightsRepeatCases,
)
from precall.core.notes.of_reading import LastCounts
from precall.core.text import format_difference, format_ends, many, number, p_text, span
from precall.stats.tests.verdict import Standing, Verdict

pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")


def verdict(*standings, **more):
    means = {"a": 0.5} | dict.fromkeys(more.pop("others", "bcd"[: len(standings)]), 0.4)
    rows = [
        Standing("a", name, *facts) for name, facts in zip(list(means)[1:], standings, strict=True)
    ]
    return Verdict("AP", means, tuple(rows), size=20, unit="topics", **more).text


@pytest.mark.parametrize(
    ("p", "told"),
    [
        ((1.0, 1.0), "p = 1.000)"),
        ((1.0, 0.9996), "p = 1.000)"),
        ((0.5, 0.5), "p = 0.500)"),
        ((0.5, 0.75), "p >= 0.500)"),
        ((1.0, 0.2, 0.2001), "p >= 0.200)"),
    ],
)
def test_p_of_several_that_are_alike(p, told):
    text = verdict(
        *((0.1 + i / 50, None, None, each, "no difference shown") for i, each in enumerate(p))
    )
    assert told in text and ">= 1.000" not in text


@pytest.mark.parametrize(
    ("p", "told"),
    [
        ((0.01, 0.01), "p = 0.0100)"),
        ((0.01, 0.02), "p <= 0.0200)"),
        ((1e-5, 1e-6), "p < 0.001)"),
        ((1e-5, 0.02), "p <= 0.0200)"),
    ],
)
def test_p_of_several_that_are_shown(p, told):
    assert told in verdict(
        *((0.1 + i / 50, None, None, each, "better") for i, each in enumerate(p))
    )


def test_p_that_is_small_and_shows_nothing():
    """Of signs that speak against the means."""
    text = verdict(
        (0.1, None, None, 1e-6, "no difference shown"),
        (0.2, None, None, 0.3, "no difference shown"),
    )
    assert "p < 0.001)" in text and ">= 0.001" not in text


def test_differences_that_are_alike():
    same = (0.0833333, None, None, 1.0, "no difference shown")
    assert "(each a difference of +0.0833, p = 1.000)" in verdict(same, (0.08333, *same[1:]))
    assert "(differences +0.0833 to +0.1000, p = 1.000)" in verdict(same, (0.1, *same[1:]))
    assert "each a difference of log GMAP +0.0833" in verdict(same, same, scale="log GMAP")


def test_comparisons_of_runs_that_differ_in_the_same():
    qrels = {f"q{i}": {"a": 1} for i in range(12)}
    good = {q: {"a": 2.0, "b": 1.0} for q in qrels}
    runs = {"best": good} | {
        f"r{n}": {
            q: ({"a": 1.0, "b": 2.0} if i == n else run) for i, (q, run) in enumerate(good.items())
        }
        for n in range(3)
    }
    text = pc.compare(pc.evaluate(qrels, runs, "RR")).verdicts["RR"].text
    assert "each a difference of +0.0417, p = 1.000" in text
    assert not re.search(r"(\+\d\.\d+) to \1", text)


def test_numbers():
    assert (number(-1e-9), number(-0.0), number(-0.00006), number(100.0)) == (
        "0.0000",
        "0.0000",
        "-0.0001",
        "100",
    )
    assert (format_difference(-1e-9), format_difference(0.0), format_difference(-0.5)) == (
        "+0.0000",
        "+0.0000",
        "-0.5000",
    )
    assert (
        span([0.5], number) == span([0.5, 0.500001], number) == "0.5000"
        and span([1, 0.5], number) == "0.5000 to 1.0000"
    )
    assert format_ends(0.1, 0.1000001) == ("0.1", "0.1000001") and format_ends(None, None) == (
        "",
        "",
    )
    assert (many(1, "loss", "losses"), many(2, "loss", "losses"), many(0, "tie")) == (
        "1 loss",
        "2 losses",
        "0 ties",
    )


def test_no_minus_before_a_zero():
    found = pc.compare.paired([0.5, 0.5, 0.1], [0.5, 0.5, 0.1 + 1e-9])
    assert found.difference < 0
    for text in (
        str(found),
        repr(found),
        found.to_markdown(),
        found.to_latex(),
        found.verdict.text,
        str(found.sheet()),
    ):
        assert not re.search(r"-0\.0+(?!\d)", text.replace("$-$", "-")), text
    assert "-0.0" not in str(pc.curve([1, 0], [2, 1]).pr())


def test_an_interval_has_two_ends():
    found = pc.compare.paired(0.5 + np.arange(10) % 2 / 1e7, np.full(10, 0.5))
    low, high = re.search(r"interval (\S+) to (\S+)", str(found)).groups()
    assert low != high and float(low) < float(high)


ONE = {
    "a run": lambda: repr(pc.read_run({"q": {"a": 1.0}})),
    "qrels": lambda: repr(pc.read_qrels({"q": {"a": 1}})),
    "a report": lambda: repr(pc.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "AP")),
    "its table": lambda: repr(pc.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "AP").per_topic),
    "a pair": lambda: str(pc.compare.paired([0.5], [0.25])),
    "hits": lambda: repr(pc.Hits.of([1], retrieved=1, relevant=1)),
    "a curve": lambda: repr(pc.curve([1, 1], [1, 1])),
    "points": lambda: repr(pc.curve([1, 1], [1, 1]).points()),
    "decisions": lambda: str(pc.decisions([1], [1])),
    "a status": lambda: repr(pc.categorize(["a"], [[0.5, 0.25]], ["a", "b"])),
    "a ranking": lambda: repr(pc.ranking(["a"], ["a"])),
    "a page": lambda: str(pc.categorize(["a"], [[0.5, 0.25]], ["a", "b"])),
}


@pytest.mark.parametrize("what", ONE)
def test_one_thing_is_singular(what):
    assert not re.search(r"(?<![\d.^])(?<!of )1 (?!of\b|is\b)[a-z]+s\b(?<!loss)", ONE[what]()), ONE[
        what
    ]()


@pytest.mark.parametrize(
    ("p", "told"), [(5e-324, "<1e-300"), (9e-301, "<1e-300"), (2e-300, "2.00e-300")]
)
def test_p_that_float64_cannot_hold(p: float, told: str) -> None:
    """p was printed as 4.94e-324, the least number of float64, which stands for all below it."""
    assert p_text(p) == told


def test_p_of_many_topics_is_a_bound() -> None:
    found = pc.compare.paired(np.ones(3000), np.zeros(3000), test="sign")
    assert "p <1e-300 (sign" in str(found) and "e-324" not in str(found)
    assert found.p == 5e-324  # the number itself is as it was


@pytest.mark.parametrize(
    "call",
    [
        lambda: repr(pc.curve([1, 0], [0.5, 0.4])),
        lambda: repr(pc.decisions(["a"], ["a"])),
        lambda: pc.curve([1, 0], [0.5]),
        lambda: pc.decisions(["a"], ["a", "b"]),
        lambda: pc.categorize(["a", "b"], [[0.1, 0.2]]),
        lambda: pc.compare.paired([0.1, 0.3], [0.2, 0.1], resamples=1, test="bootstrap"),
        lambda: pc.curve([1, 0, 0], [0.5, 0.4, 0.1], missed=1).notes,
        lambda: pc.interval.precision(1, 0),
        lambda: FewHeavyCases("", 1),
        lambda: NextToOne("", 1.0, 1.0),
        lambda: FewWithin("", 1.0),
        lambda: RareCategory("", 1.0),
        lambda: FewGroupsMatter("", 1.0),
        lambda: UndefinedGroups("AP", 1, 1),
        lambda: FewToRedraw("", 1, 1, False),
        lambda: LeastOfExchanges("", 1.0, 1),
        lambda: IntervalOfDifference("", "bca", 1),
        lambda: WeightsRepeatCases("", 1, 3),
        lambda: LastCounts("", 1),
    ],
)
def test_one_of_a_kind_is_singular(call) -> None:
    """ "1 items", "only 1 cases", "1 scores"."""
    try:
        text = str(call())
    except pc.PrecallError as error:
        text = str(error)
    assert not re.search(r"(?<![\d.])1 (other |relevant )?(?!(is|has|loss)\b)[a-z]+s\b", text)
