"""One seed: the same call gave another p every time, and with a seed another one in another order
of topics.

The old tests always passed a seed, and always the topics in one order, the measures in one order,
and a Generator that nothing had been drawn from.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.core.rng import seed_of
from precall.stats.tests import exchange

TOPICS = 60
DRAWN = np.random.default_rng(5)
A = {f"q{i}": value for i, value in enumerate(DRAWN.normal(0.02, 0.1, TOPICS))}
B = dict.fromkeys(A, 0.0)
C = dict(zip(A, DRAWN.normal(0, 0.1, TOPICS), strict=True))
RELEVANT = DRAWN.random(80) < 0.4
FIRST = DRAWN.normal(size=80) + RELEVANT
SECOND = DRAWN.normal(size=80)
GROUPS = DRAWN.integers(0, 25, 80)


def turned(values: dict[str, float], order: np.ndarray) -> dict[str, float]:
    names = list(values)
    return {names[i]: values[names[i]] for i in order}


def takers() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every public function and method with `rng`."""
    for name in pc.__all__:
        if name[0].islower() and callable(found := getattr(pc, name)):
            yield name, found
    spaces = {"compare": pc.compare, "interval": pc.interval, "null": pc.null}
    spaces |= {"bayes": pc.compare.bayes, "power": pc.compare.power}
    for space, of in spaces.items():
        for name in sorted(set(dir(of))):
            if name[0].islower() and callable(found := getattr(of, name)):
                yield f"{space}.{name}", found
    yield "Located.resolve", pc.Located.resolve
    yield "Law.rvs", pc.null.hits(4, 2, 2).rvs


#: Where functions are imported from that are no part of the spaces they are seen in.
NOT_PUBLIC = ("precall.core.rng", "precall.stats.resample.batches")
SEEDED = [
    (name, found)
    for name, found in takers()
    if getattr(found, "__module__", "") not in NOT_PUBLIC
    and "rng" in inspect.signature(found).parameters
]


def test_they_are_many() -> None:
    assert len({name for name, _ in SEEDED}) > 25


@pytest.mark.parametrize(("name", "function"), SEEDED, ids=[name for name, _ in SEEDED])
def test_the_default_is_0_and_other_names_are_led_to_it(
    name: str, function: Callable[..., Any]
) -> None:
    assert inspect.signature(function).parameters["rng"].default == 0, name
    for other in ("seed", "random_state"):
        with pytest.raises(
            pc.UsageError, match=f"{other}: got 3, but it is called rng here; pass rng=3"
        ):
            function(**{other: 3})


@pytest.mark.parametrize("test", ["randomization", "bootstrap"])
def test_p_is_the_same_whatever_the_order_of_topics_and_systems(test: str) -> None:
    first = pc.compare.paired(A, B, test=test, resamples=2000)
    assert first.seed == 0 and first == first and ", seed 0)" in str(first)
    for order in (np.arange(TOPICS)[::-1], np.random.default_rng(1).permutation(TOPICS)):
        again = pc.compare.paired(turned(A, order), B, test=test, resamples=2000)
        assert again.to_dict() == first.to_dict()
    assert pc.compare.paired(B, A, test=test, resamples=2000).p == first.p
    fresh = {pc.compare.paired(A, B, test=test, resamples=2000, rng=None).seed for _ in range(3)}
    assert len(fresh) == 3


@pytest.mark.parametrize("correction", ["holm", "tukey"])
def test_several_systems_are_the_same_in_every_order(correction: str) -> None:
    systems = {"a": A, "b": B, "c": C}
    order = np.random.default_rng(2).permutation(TOPICS)
    found = pc.compare.many(systems, correction=correction, resamples=2000)
    again = pc.compare.many(
        {name: turned(systems[name], order) for name in "cab"},
        correction=correction,
        resamples=2000,
    )
    assert found.conventions["seed"] == "0"
    for pair in found.pairs:
        assert again.pair(*pair.names).p == pair.p and again.means["value"] == found.means["value"]


def qrels_and_runs() -> tuple[Any, Any]:
    drawn = np.random.default_rng(6)
    items = [f"d{i}" for i in range(12)]
    qrels = {f"q{t}": {item: int(drawn.random() < 0.4) for item in items} for t in range(50)}
    runs = {
        name: {topic: {item: float(drawn.integers(0, 5)) for item in items} for topic in qrels}
        for name in "xy"
    }
    return qrels, runs


@pytest.mark.parametrize("rng", [0, 7, "generator"])
def test_p_is_the_same_whichever_measure_comes_first(rng: Any) -> None:
    def p(measures: list[str], turn: int) -> dict[str, tuple[float, int | None]]:
        qrels, runs = qrels_and_runs()
        qrels = dict(list(qrels.items())[::turn])
        given = np.random.default_rng(3) if rng == "generator" else rng
        found = pc.compare(qrels, runs, measures, ties="random", rng=given, resamples=2000)
        assert f"random (seed {found.pairs[0].seed})" in found.conventions["ties"]
        return {one.measure: (one.p, one.seed) for one in found.pairs}

    assert p(["AP", "nDCG"], 1) == p(["nDCG", "AP"], -1)


@pytest.mark.parametrize("test", ["permutation", "bootstrap"])
@pytest.mark.parametrize("within", [{}, {"groups": GROUPS}, {"topics": GROUPS}])
def test_cases_are_the_same_in_every_order(test: str, within: dict[str, Any]) -> None:
    def p(order: np.ndarray) -> tuple[float, int | None]:
        given = {name: [f"g{one}" for one in values[order]] for name, values in within.items()}
        found = pc.compare.cases(
            RELEVANT[order], FIRST[order], SECOND[order], test=test, resamples=300, **given
        )
        return found.p, found.seed

    assert p(np.arange(80)) == p(np.arange(80)[::-1]) == p(np.random.default_rng(4).permutation(80))
    if test == "permutation" and not within:
        turned_ = pc.compare.cases(RELEVANT, SECOND, FIRST, test=test, resamples=300)
        assert turned_.p == p(np.arange(80))[0]


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_decisions_are_the_same_in_every_order(
    average: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("precall.stats.tests.swapping.ENUMERATED", 0)
    monkeypatch.setattr("precall.stats.tests.swapping.AFFORDABLE", 0)
    truth, one, two = (np.random.default_rng(seed).integers(0, 4, 100) for seed in range(3))
    order = np.random.default_rng(9).permutation(100)
    found = [
        pc.compare.decisions(
            *(side[rows].tolist() for side in sides), average=average, resamples=500
        )
        for rows in (np.arange(100), order)
        for sides in ((truth, one, two), (truth, two, one))
    ]
    assert len({(given.p, given.seed) for given in found}) == 1 and found[0].seed == 0


def test_what_a_result_keeps_gives_it_again() -> None:
    source = np.random.default_rng(8)
    source.random()
    for rng in (None, source, np.random.SeedSequence(5).spawn(2)[1], np.random.default_rng(11)):
        found = pc.compare.paired(A, B, resamples=500, rng=rng)
        again = pc.compare.paired(A, B, resamples=500, rng=found.seed)
        assert (again.p, again.seed) == (found.p, found.seed)
        assert json.loads(json.dumps(found.seed)) == found.seed < 2**53
    assert seed_of(np.random.default_rng(11)) == seed_of(np.random.SeedSequence(11)) == 11


@pytest.mark.parametrize("rng", ["x", 1.5, -1, True, [1, 2]])
def test_what_is_no_seed_is_refused(rng: Any) -> None:
    with pytest.raises(pc.UsageError, match="rng: must be a seed, an integer >= 0"):
        pc.compare.paired(A, B, rng=rng)


def test_the_seed_is_in_text_json_and_page(tmp_path: Any) -> None:
    found = pc.compare.paired(A, B, resamples=500, rng=17)
    assert found.to_dict()["seed"] == 17 and found.entropy == 17
    assert "seed 17" in pc.report(found, tmp_path / "page.html").read_text(encoding="utf-8")
    one = pc.interval.mean(list(A.values()), method="bca", rng=17)
    assert (
        str(one).endswith("bca, 10,000 resamples, seed 17")
        and one.to_dict()["seed"] == one.seed == 17
    )
    assert exchange.ENUMERATED == 20
