"""Tests of "better than chance" while a ranking is read: against all orders of short rankings."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import precall as pc
from precall.stats.null.early_stops import SPENDING, SequentialTest

GOLDEN = json.loads((Path(__file__).parent.parent / "data" / "sequential.json").read_text())


def orders(items: int, relevant: int) -> Iterator[list[int]]:
    """The ranks of the hits in each order of a ranking."""
    return (list(ranks) for ranks in combinations(range(1, items + 1), relevant))


def stops(test: SequentialTest, relevant: int | None = None) -> list[int | None]:
    """Where each order stops if it is read to the end, by counting alone."""
    result = []
    for ranks in orders(test.items, relevant or test.relevant):
        found = None
        for rank, needed in enumerate(test.boundary, 1):
            if needed is not None and sum(each <= rank for each in ranks) >= needed:
                found = rank
                break
        result.append(found)
    return result


def test_boundaries_computed_elsewhere() -> None:
    small = GOLDEN["own.sequential.enumerated"]
    test = pc.null.sequential(12, 4, 8, alpha=0.2)
    assert [needed or 5 for needed in test.boundary] == small["boundary"]
    assert test.size == pytest.approx(small["size"], rel=1e-12)
    long = pc.null.sequential(1000, 20, 100)
    assert [needed or 21 for needed in long.boundary] == GOLDEN[
        "own.sequential.boundary.1000.20.100"
    ]
    for name in ("own.sequential.linear.1000.20.100", "own.sequential.linear.1000.100.200"):
        golden = GOLDEN[name]
        test = pc.null.sequential(golden["n"], golden["m"], golden["budget"])
        assert test.size == pytest.approx(golden["exact_size"], rel=1e-12)
        first = {str(test.boundary.index(needed) + 1): needed for needed in test.steps}
        assert first == golden["least_hits_from_rank"]
        for rank, spent in golden["exact_spent_at"].items():
            assert test.spent[int(rank) - 1] == pytest.approx(spent, rel=1e-12)


@given(
    st.integers(3, 11),
    st.integers(1, 5),
    st.integers(1, 11),
    st.sampled_from(list(SPENDING)),
    st.sampled_from([0.01, 0.05, 0.2, 0.5]),
)
def test_the_size_is_that_of_all_orders(
    items: int, relevant: int, budget: int, spending: str, alpha: float
) -> None:
    relevant, budget = min(relevant, items), min(budget, items)
    test = pc.null.sequential(items, relevant, budget, alpha=alpha, spending=spending)
    found = stops(test)
    for rank in range(1, budget + 1):
        share = sum(stop is not None and stop <= rank for stop in found) / len(found)
        assert test.spent[rank - 1] == pytest.approx(share, abs=1e-12)
        assert share <= SPENDING[spending](rank / budget, alpha) * (1 + 1e-9) + 1e-15
        # One hit fewer would exceed what may be spent so far.
        needed = test.boundary[rank - 1]
        if needed is not None and needed > 1:
            least = [
                (stop is not None and stop < rank)
                or (
                    (stop is None or stop >= rank)
                    and sum(each <= rank for each in ranks) >= needed - 1
                )
                for ranks, stop in zip(orders(items, relevant), found, strict=True)
            ]
            more = sum(least) / len(found)
            assert (
                more > SPENDING[spending](rank / budget, alpha) * (1 - 1e-9)
                or more == pytest.approx(test.spent[rank - 1] if rank > 1 else 0)
                or not any(
                    sum(each <= rank for each in ranks) == needed - 1
                    for ranks, stop in zip(orders(items, relevant), found, strict=True)
                    if stop is None or stop >= rank
                )
            )


@given(st.integers(3, 10), st.integers(1, 4), st.integers(1, 10), st.sampled_from([0.05, 0.3]))
def test_reading_stops_where_counting_says_and_p_holds(
    items: int, relevant: int, budget: int, alpha: float
) -> None:
    relevant, budget = min(relevant, items), min(budget, items)
    test = pc.null.sequential(items, relevant, budget, alpha=alpha)
    ps = []
    for ranks, stop in zip(orders(items, relevant), stops(test), strict=True):
        outcome = test.read([rank for rank in ranks if rank <= budget], budget)
        assert outcome.stopped == stop
        assert outcome.ended
        assert outcome.p is not None
        assert (outcome.p <= alpha * (1 + 1e-9)) == outcome.shown or not outcome.shown
        ps.append(outcome.p)
        before = test.read(
            [rank for rank in ranks if rank < (stop or budget)], (stop or budget) - 1
        )
        assert not before.shown
        if stop is not None:
            assert before.p is None
    for p in ps:
        assert sum(each <= p * (1 + 1e-9) for each in ps) / len(ps) == pytest.approx(p)


@given(st.integers(4, 10), st.integers(2, 5), st.integers(2, 10))
def test_a_greatest_number_holds_for_smaller_ones(items: int, most: int, budget: int) -> None:
    most, budget = min(most, items), min(budget, items)
    test = pc.null.sequential(items, at_most=most, budget=budget, alpha=0.2)
    for relevant in range(1, most + 1):
        found = stops(test, relevant)
        assert sum(stop is not None for stop in found) / len(found) <= 0.2 + 1e-12
    assert test.read([], 0).bound


@given(st.integers(3, 10), st.integers(1, 4))
def test_bets_are_fair_and_rarely_win(items: int, relevant: int) -> None:
    relevant = min(relevant, items)
    test = pc.null.sequential(items, relevant, alpha=0.2)
    every = list(orders(items, relevant))
    for read in range(items + 1):
        worth = [test.read([r for r in ranks if r <= read], read).evidence for ranks in every]
        assert math.fsum(map(float, worth)) / len(every) == pytest.approx(1)
    found = [test.read(ranks, items) for ranks in every]
    assert sum(outcome.shown for outcome in found) / len(every) <= 0.2
    for outcome in found:
        assert outcome.p is not None
        assert sum(other.p <= outcome.p for other in found) / len(found) <= outcome.p + 1e-12


def test_what_would_show_it_shows_it() -> None:
    test = pc.null.sequential(1000, 20, 100)
    outcome = test.read([2, 40], 50)
    assert outcome.next == (4, 56)
    assert test.read([2, 40, 51, 56]).stopped == 56
    assert test.read([2, 40, 51], 56).next == (5, 93)
    assert test.read([], 98).next is None
    assert test.read([2, 9, 17, 18, 30], 100).read == 17


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: pc.null.sequential(100, budget=10), "relevant"),
        (lambda: pc.null.sequential(100, 5, 10, at_most=7), "relevant"),
        (lambda: pc.null.sequential(100, 101), "relevant"),
        (lambda: pc.null.sequential(100, at_most=101), "at_most"),
        (lambda: pc.null.sequential(100, 5, 101), "budget"),
        (lambda: pc.null.sequential(100, 5, 10, alpha=0), "alpha"),
        (lambda: pc.null.sequential(100, 5, 10, spending="all"), "spending"),
        (lambda: pc.null.sequential(100, 5, spending="pocock"), "spending"),
        (lambda: pc.null.sequential(100, 5, 10).read([1], 11), "read"),
        (lambda: pc.null.sequential(100, 5).read([1], 101), "read"),
        (lambda: pc.null.sequential(100, 5, 10).read([4], 3), "read"),
        (lambda: pc.null.sequential(100, 2, 10).read([1, 2, 3]), "hits"),
        (lambda: pc.null.sequential(100, 5, 10).read([2, 1]), "hits"),
        (lambda: pc.null.sequential(100, 5, 10).read([0, 1]), "hits"),
        (lambda: pc.null.sequential(100, 5, 10).read([1, 1]), "hits"),
        (lambda: pc.null.sequential(100, 5, 10).read([1.5]), "hits"),
        (lambda: pc.null.sequential(100, 5, 10).read("1,2"), "hits"),
        (lambda: pc.null.sequential(100, 5, 10).read([[1, 2]]), "hits"),
    ],
)
def test_refusals(call: object, argument: str) -> None:
    with pytest.raises(pc.UsageError) as caught:
        call()  # type: ignore[operator]
    assert caught.value.argument == argument


def test_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    from precall.cli.main import run

    call = ["null", "--sequential", "--items", "1000", "--relevant", "20", "--budget", "100"]
    assert run([*call, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["boundary"][:3] == [None, 2, 2]
    assert found["steps"][0] == {"hits": 2, "by_rank": 3}
    assert run([*call, "--hits", "2,9,17", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["outcome"]
    assert (found["shown"], found["read"]) == (True, 17)
    assert found["p"] == pc.null.sequential(1000, 20, 100).read([2, 9, 17]).p
    assert run([*call, "--hits", "", "--read", "12"]) == 0
    assert "not shown yet" in capsys.readouterr().out
    for wrong in (
        ["--ap", "0.3"],
        ["--seed", "1"],
        ["--read", "3"],
        ["--hits", "3,x"],
        ["--hits", "3,2"],
    ):
        assert run([*call, *wrong]) == 2
        assert wrong[0] in capsys.readouterr().err
    assert run(["null", "--items", "9", "--relevant", "2", "--budget", "3"]) == 2
    assert "--sequential" in capsys.readouterr().err
    assert run(["null", "--sequential"]) == 2
    assert "--items" in capsys.readouterr().err


def test_the_spendings_of_the_command() -> None:
    from precall.cli import null

    assert tuple(SPENDING) == null.SPENDING


def test_a_test_that_cannot_stop_and_one_without_a_budget_are_printed() -> None:
    """The first had a table without rows, the second printed what it assumes and nothing else."""
    never = pc.null.sequential(items=10, relevant=10, budget=5)
    assert never.steps == {} and "none" in str(never)
    bets = str(pc.null.sequential(items=90, relevant=5, alpha=0.01)).splitlines()
    assert [line.strip() for line in bets[1:3]] == ["evidence", "100"]
