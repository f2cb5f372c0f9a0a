"""Comparing a measure with its oracle, topic by topic."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import precall as pc
from precall.core.errors import TiesUnresolved
from tests.laws.collections import Collection
from tests.laws.parameters import VARIANTS, Parameters, said
from tests.oracle import ranking
from tests.oracle.registry import Value, value

TOLERANCE = 1e-12
Order = Callable[[dict[str, float]], list[str]]


class Disagreement(AssertionError):
    """A measure and its oracle give different numbers."""


def same(ours: float, theirs: Value) -> bool:
    if theirs is None or math.isnan(ours):
        return theirs is None and math.isnan(ours)
    return math.isclose(ours, theirs, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def compare(ours: Any, theirs: list[Value], what: str, collection: Collection) -> None:
    for topic, mine, expected in zip(collection.topics, ours.tolist(), theirs, strict=True):
        if not same(mine, expected):
            given = f"qrels {collection.judged(topic)}, run {collection.scores(topic)}"
            raise Disagreement(
                f"{what}, topic {topic!r}: got {mine!r}, the oracle {expected!s}: {given}"
            )


def in_one_order(
    name: str,
    collection: Collection,
    ties: str = "docno",
    order: Order = ranking.docno,
    condensed: bool = False,
    variants: list[Parameters] | None = None,
) -> None:
    """Every variant of the measure equals its oracle where ties are resolved."""
    located = collection.located(ties)
    for parameters in VARIANTS[name] if variants is None else variants:
        text = said(name, parameters, condensed)
        theirs = [
            value(
                name,
                order(collection.scores(topic)),
                collection.judged(topic),
                highest=collection.highest,
                condensed=condensed,
                **parameters,
            )
            for topic in collection.topics
        ]
        compare(pc.measure(text)(located), theirs, text, collection)


def all_values(
    name: str, collection: Collection, topic: str, condensed: bool = False, **parameters: Any
) -> list[tuple[Value, int]]:
    """The oracle's number in every order that respects the scores, and how many orders give it."""
    judged = collection.judged(topic)
    # Orders that show the same judgements are one to every oracle.
    orders = Counter(
        tuple(judged.get(item) for item in order)
        for order in ranking.every_order(collection.scores(topic))
    )
    found = []
    for levels, times in orders.items():
        ranked = [f"rank {place}" for place in range(len(levels))]
        known = {
            item: level for item, level in zip(ranked, levels, strict=True) if level is not None
        }
        missed = {
            item: level for item, level in judged.items() if item not in collection.scores(topic)
        }
        number = value(
            name,
            ranked,
            known | missed,
            highest=collection.highest,
            condensed=condensed,
            **parameters,
        )
        found.append((number, times))
    return found


def mean_of_orders(
    name: str, collection: Collection, topic: str, condensed: bool = False, **parameters: Any
) -> Value:
    """Mean over all orders; None if the definition has no value in one of them."""
    pairs = all_values(name, collection, topic, condensed, **parameters)
    if any(number is None for number, _ in pairs):
        return None
    total = sum(times for _, times in pairs)
    if all(isinstance(number, Fraction) for number, _ in pairs):
        return sum((number * times for number, times in pairs), Fraction(0)) / total
    return math.fsum(float(number) * times for number, times in pairs) / total


def over_all_orders(name: str, collection: Collection, condensed: bool = False) -> None:
    """Every variant under ties="expected" equals the oracle's mean over all orders."""
    located = collection.located("expected")
    for parameters in VARIANTS[name]:
        text = said(name, parameters, condensed)
        try:
            ours = pc.measure(text)(located)
        except TiesUnresolved:
            # Only ever for too many orders, and these collections have few.
            assert (
                max(ranking.number_of_orders(scores) for scores in collection.run.values()) > 5_000
            ), text
            continue
        theirs = [
            mean_of_orders(name, collection, topic, condensed, **parameters)
            for topic in collection.topics
        ]
        compare(ours, theirs, f"{text} over all orders", collection)


def rising(name: str, parameters: Parameters) -> bool:
    """Whether a better place for a better item can only help.

    Not where the number of hits seen is the divisor, so that a late hit lowers the average, and not
    where gains fall while grades rise.
    """
    if parameters.get("norm") == "found" and "cutoff" in parameters:
        return False
    given = parameters.get("gains") or {}
    gains = [given.get(grade, max(grade, 0)) for grade in range(4)]
    return gains[0] == 0 and gains == sorted(gains)


def extreme(name: str, collection: Collection, ties: str, direction: int = 1) -> None:
    """Under ties="best" or "worst" every variant equals the oracle's best or worst order."""
    pick = max if (ties == "best") == (direction > 0) else min
    located = collection.located(ties)
    for parameters in VARIANTS[name]:
        if not rising(name, parameters):
            continue
        text = said(name, parameters)
        theirs = []
        for topic in collection.topics:
            numbers = [number for number, _ in all_values(name, collection, topic, **parameters)]
            # No value counts as the worst: AP(norm=found)@k has one as soon as a hit is seen.
            theirs.append(pick(numbers, key=lambda number: -math.inf if number is None else number))
        compare(pc.measure(text)(located), theirs, f"{text} in the {ties} order", collection)
