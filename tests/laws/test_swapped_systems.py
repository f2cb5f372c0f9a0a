"""The second system first: every comparison gives the mirrored result, to the last digit.

Differences, bounds, wins and losses, statistics and probabilities of being better change sides; p,
the seed and what is noted stay. Older tests swapped one test of one function, or allowed for
rounding.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.core.counts import Counts
from precall.measures import REGISTRY
from precall.stats.tests import (
    MATCHED,
    OF_CASES,
    OF_DECISIONS,
    OF_DIFFERENCES,
    OF_THRESHOLD,
    ON_TABLES,
    TESTS,
)
from precall.stats.tests.comparisons import Comparison
from precall.stats.tests.equivalence import KINDS

Call = Callable[[Any, Any], Any]
OF_COUNTS = [
    one.name
    for one in REGISTRY
    if one.of is Counts and one.formula.__module__.startswith("precall.")
]


def minus(value: Any) -> Any:
    return None if value is None else -value


def mirrored(found: Comparison) -> dict[str, Any]:
    """A comparison as it should be with the systems swapped; all that is printed but the
    sentences.
    """
    return {
        "values": found.values[::-1],
        "difference": -found.difference,
        "low": minus(found.high),
        "high": minus(found.low),
        "p": found.p,
        "adjusted": found.adjusted,
        "how": swapped(found.how),
        "size": found.size,
        "wins": found.losses,
        "ties": found.ties,
        "losses": found.wins,
        "seed": found.seed,
        "left_out": found.left_out,
        "contrary": found.contrary,
        "no_interval": found.no_interval,
        "notes": tuple(map(swapped, found.notes)),
    }


def swapped(text: str) -> str:
    """A sentence about the systems the other way round: "binomial, 3 to 5" counts the first one's,
    skewness has a sign.
    """
    text = re.sub(r"binomial, (\d+) to (\d+)", r"binomial, \2 to \1", text)
    return re.sub(
        r"(skewness )(-?)",
        lambda found: found[1] + ("" if found[2] else "-"),
        text,
    )


def plain(found: Comparison) -> dict[str, Any]:
    return {name: getattr(found, name) for name in mirrored(found)}


def same(one: dict[str, Any], other: dict[str, Any]) -> None:
    for name, value in one.items():
        theirs = other[name]
        if (
            isinstance(value, float)
            and isinstance(theirs, float)
            and math.isnan(value)
            and math.isnan(theirs)
        ):
            continue
        assert value == theirs, f"{name}: {value!r}, mirrored {theirs!r}"


def quiet(make: Callable[[], Any]) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PrecallWarning)
        return make()


def check(call: Call, first: Any, second: Any) -> Comparison:
    one, other = (quiet(lambda: call(first, second)), quiet(lambda: call(second, first)))
    same(mirrored(one), plain(other))
    for name in ("statistic", "effect"):
        ours, theirs = getattr(one, name), getattr(other, name)
        if one.test in ("wilcoxon", "sign", *ON_TABLES) and name == "statistic":
            continue  # the sum of the ranks of wins, wins, and squares
        assert ours == minus(theirs), name
    return one


def per_topic(size: int, seed: int) -> dict[str, tuple[Any, Any]]:
    """Values of two systems: any, on a grid with ties, and such that the data are the same with the
    systems swapped.
    """
    rng = np.random.default_rng(seed)
    first = rng.beta(2, 3, size)
    second = np.clip(first + rng.normal(0.02, 0.1, size), 0, 1)
    both = np.concatenate((first, second)), np.concatenate((second, first))
    return {"any": (first, second), "grid": (first.round(1), second.round(1)), "even": both}


SIDES = {"two-sided": "two-sided", "greater": "less", "less": "greater"}


@pytest.mark.nightly(keep=8)
@pytest.mark.parametrize("data", ["any", "grid", "even"])
@pytest.mark.parametrize("size", [1, 2, 6, 30, 61])
@pytest.mark.parametrize("test", TESTS)
def test_values_per_topic(test, size, data):
    first, second = per_topic(size, size)[data]
    for side, other in SIDES.items():
        one, two = (
            quiet(
                lambda a=a, b=b, s=s: pc.compare.paired(
                    a, b, test=test, alternative=s, resamples=500
                )
            )
            for a, b, s in ((first, second, side), (second, first, other))
        )
        same(mirrored(one), plain(two))
        assert one.effect == minus(two.effect) and one.alternative == SIDES[two.alternative]


@pytest.mark.parametrize("correction", ["holm", "bh", "tukey"])
@pytest.mark.parametrize("test", TESTS)
def test_every_pair_of_several_systems(test, correction):
    rng = np.random.default_rng(3)
    systems = {name: rng.beta(2, 3, 25).round(3) for name in "xyz"}

    def pairs(names: str) -> dict[tuple[str, str], Comparison]:
        values = {name: systems[name] for name in names}
        found = quiet(
            lambda: pc.compare.many(values, test=test, correction=correction, resamples=500)
        )
        return {pair.names: pair for pair in found.pairs}

    listed, other = pairs("xyz"), pairs("zyx")
    for (first, second), pair in listed.items():
        same(mirrored(pair), plain(other[second, first]))


@pytest.mark.parametrize("test", TESTS)
def test_runs_of_a_report(test):
    rng = np.random.default_rng(4)
    qrels = {f"q{i}": {f"d{j}": int(rng.random() < 0.3) for j in range(20)} for i in range(30)}
    runs = {
        name: {
            topic: {item: rng.random() + 0.3 * grade for item, grade in items.items()}
            for topic, items in qrels.items()
        }
        for name in "ab"
    }
    made = [
        quiet(
            lambda names=names: pc.compare(
                qrels, {name: runs[name] for name in names}, ["AP", "P@5"], test, resamples=500
            )
        )
        for names in ("ab", "ba")
    ]
    for one, other in zip(*(found.pairs for found in made), strict=True):
        same(mirrored(one), plain(other))
    losses = [
        quiet(
            lambda names=names: pc.compare.gates(
                pc.evaluate(qrels, {name: runs[name] for name in names}, ["AP"]),
                {"AP": None},
                baseline=names[0],
                test=test,
                resamples=500,
            )
        ).gates[0]
        for names in ("ab", "ba")
    ]
    assert losses[0].value == -losses[1].value and losses[0].p == losses[1].p


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("test", ["t", "randomization", "wilcoxon"])
def test_equivalence(test, kind, higher):
    for first, second in per_topic(30, 5).values():
        one, other = (
            quiet(
                lambda a=a, b=b, h=h: pc.compare.equivalence(
                    a, b, 0.05, kind=kind, test=test, resamples=500, higher_is_better=h
                )
            )
            # That the first is not worse is said of the second where low values are good.
            for a, b, h in (
                (first, second, higher),
                (second, first, higher if kind == "equivalent" else not higher),
            )
        )
        assert (other.difference, other.low, other.high) == (
            -one.difference,
            minus(one.high),
            minus(one.low),
        )
        assert other.p == one.p and other.needed == one.needed
        bounds = (
            (other.p_high, other.p_low) if kind == "equivalent" else (other.p_low, other.p_high)
        )
        assert bounds == (one.p_low, one.p_high)


def scored(size: int, seed: int, even: bool) -> tuple[Any, Any, Any, dict[str, Any]]:
    """Labels, two scores, weights, groups and topics; of `even` data every item has a twin with its
    scores swapped.
    """
    rng = np.random.default_rng(seed)
    y = (rng.random(size) < 0.4).astype(int)
    first = (rng.normal(size=size) + y).round(1)
    second = (0.5 * first + rng.normal(size=size) + 0.5 * y).round(1 if seed % 2 else 9)
    more = {
        "weights": rng.lognormal(size=size),
        "groups": rng.integers(0, 10, size),
        "topics": rng.integers(0, 4, size),
    }
    if even:
        y, more = np.tile(y, 2), {name: np.tile(column, 2) for name, column in more.items()}
        first, second = np.concatenate((first, second)), np.concatenate((second, first))
        # A group, and a topic, of the twins.
        for name in ("groups", "topics"):
            more[name][size:] += 10
    return y, first, second, more


EXTRA: list[tuple[str, ...]] = [(), ("weights",), ("groups",), ("topics",), ("weights", "groups")]


@pytest.mark.nightly(keep=4)
@pytest.mark.parametrize("even", [False, True])
@pytest.mark.parametrize("measure", ["AP", "AUC", "AUC(max_fpr=.3,mcclish=true)", "P@10", "R@10"])
@pytest.mark.parametrize("test", OF_CASES)
def test_scores_of_cases(test, measure, even):
    made = 0
    for size in (15, 60):
        y, first, second, more = scored(size, size, even)
        for names in (*EXTRA, ("missed",), ("repeated",)):
            options = {name: more[name] for name in names if name in more}
            options |= {"missed": 2} if names == ("missed",) else {}
            options |= {"weights": (more["weights"] > 1) + 1} if names == ("repeated",) else {}

            def call(a: Any, b: Any, y: Any = y, options: Any = options) -> Any:
                return pc.compare.cases(y, a, b, measure, test=test, resamples=150, **options)

            try:
                quiet(lambda call=call, a=first, b=second: call(a, b))
            except pc.UsageError:
                continue  # there is no such test
            check(call, first, second)
            made += 1
    assert made or test in (
        "obuchowski",
        "delong",
        "fisher",
        "bootstrap",
        "permutation",
        "influence",
    )


@pytest.mark.parametrize("test", OF_THRESHOLD)
def test_recall_at_a_threshold(test):
    y, first, second, more = scored(80, 7, False)
    for options in ({}, {"groups": more["groups"]}):
        check(
            lambda a, b, o=options: pc.compare.cases(y, a, b, "R", threshold=0.5, test=test, **o),
            first,
            second,
        )


def decided(size: int, kind: str, seed: int) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    if kind == "binary":
        y = rng.integers(0, 2, size)
        return (
            y,
            np.where(rng.random(size) < 0.8, y, 1 - y),
            np.where(rng.random(size) < 0.7, y, 1 - y),
        )
    if kind == "even":
        y, first, second = decided(size, "binary", seed)
        return np.tile(y, 2), np.concatenate((first, second)), np.concatenate((second, first))
    y = rng.integers(0, 3, size)
    first, second = (
        np.where(rng.random(size) < share, y, rng.integers(0, 3, size)) for share in (0.7, 0.6)
    )
    return y, first, second


@pytest.mark.nightly(keep=4)
@pytest.mark.parametrize("kind", ["binary", "even", "single"])
@pytest.mark.parametrize("measure", OF_COUNTS)
def test_decisions(measure, kind):
    y, first, second = decided(50, kind, 2)
    group = np.arange(len(y)) // 3
    averages = [None, "macro"] if kind == "single" else [None]
    for average in averages:
        for test in OF_DECISIONS + MATCHED:
            for interval in (None, *OF_DIFFERENCES):
                for groups in (None, group) if interval is None else (None,):

                    def call(
                        a: Any,
                        b: Any,
                        t: str = test,
                        i: Any = interval,
                        g: Any = groups,
                        m: Any = average,
                    ) -> Any:
                        return pc.compare.decisions(
                            y, a, b, measure, average=m, test=t, interval=i, groups=g, resamples=200
                        )

                    try:
                        quiet(lambda call=call: call(first, second))
                    except pc.UsageError:
                        continue
                    check(call, first, second)


def sides(found: Any) -> tuple[float, float]:
    return found.greater, found.less


@pytest.mark.nightly(keep=2)
@pytest.mark.parametrize("data", ["any", "grid", "even"])
@pytest.mark.parametrize("rope", [0.0, 0.02])
def test_bayesian_tests_of_topics(rope, data):
    first, second = per_topic(30, 6)[data]
    for function in (pc.compare.bayes.sign, pc.compare.bayes.signed_rank):
        one, other = function(first, second, rope), function(second, first, rope)
        assert sides(one) == sides(other)[::-1] and one.equivalent == other.equivalent


@pytest.mark.parametrize("kind", ["binary", "even"])
def test_posteriors_of_decisions(kind):
    y, first, second = decided(50, kind, 3)
    one, other = (
        pc.compare.bayes.decisions(y, *pair, samples=500)
        for pair in ((first, second), (second, first))
    )
    assert sides(one.right) == sides(other.right)[::-1]
    for ours, theirs in zip(one.measures, other.measures, strict=True):
        assert sides(ours.paired) == sides(theirs.paired)[::-1]
        assert sides(ours.independent) == sides(theirs.independent)[::-1]
        assert (ours.difference, ours.low, ours.high) == (
            -theirs.difference,
            -theirs.high,
            -theirs.low,
        )
        assert (ours.a.a, ours.a.b) == (theirs.b.a, theirs.b.b)
    assert sides(pc.compare.bayes.outcomes(7, 3)) == sides(pc.compare.bayes.outcomes(3, 7))[::-1]
