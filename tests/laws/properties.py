"""The laws themselves: each takes a declared measure and a collection, and raises
AssertionError.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

import precall as pc
from precall.core.errors import TiesUnresolved
from precall.measures import Declaration
from tests.laws.agreement import rising
from tests.laws.collections import Collection, shuffled
from tests.laws.parameters import VARIANTS, Parameters, said
from tests.oracle import ranking
from tests.oracle.averages import needed
from tests.oracle.declared import COUNTED

TIES = ("docno", "input", "best", "worst", "random", "expected")


def variants(declaration: Declaration) -> list[Parameters]:
    """The parameters to try; a measure from elsewhere is tried with its example's."""
    assert declaration.example is not None
    return VARIANTS.get(declaration.name, [dict(declaration.example.parameters)])


def some_variants(declaration: Declaration) -> list[Parameters]:
    """About six of them, spread: enough where a law is about the data."""
    tried = variants(declaration)
    return tried[:: -(-len(tried) // 6)]


def numbers(text: str, collection: Collection, ties: str = "docno") -> dict[str, float] | None:
    """Value by topic; None where too many orders of ties forbid one."""
    located = collection.located(ties)
    try:
        values = pc.measure(text)(located).tolist()
    except TiesUnresolved:
        assert ties == "expected"
        assert max(map(ranking.number_of_orders, collection.run.values())) > 5_000
        return None
    return dict(zip(located.topics.tolist(), values, strict=True))


def close(one: float, other: float, tolerance: float = 1e-12) -> bool:
    return (math.isnan(one) and math.isnan(other)) or math.isclose(
        one, other, rel_tol=tolerance, abs_tol=tolerance
    )


def identical(one: dict[str, float] | None, other: dict[str, float] | None, text: str) -> None:
    """Equal to the last bit, topic by topic, whatever the order of topics."""
    assert one is not None
    assert other is not None
    assert {topic: repr(value) for topic, value in one.items()} == {
        topic: repr(value) for topic, value in other.items()
    }, text


def range_is_respected(declaration: Declaration, collection: Collection) -> None:
    low, high = declaration.range
    for place, parameters in enumerate(variants(declaration)):
        text = said(declaration.name, parameters)
        for ties in ("docno", TIES[place % len(TIES)]):
            for topic, value in (numbers(text, collection, ties) or {}).items():
                if math.isnan(value):
                    assert declaration.undefined, (
                        f"{text} is undefined for {topic}, and never says when it is"
                    )
                else:
                    assert low - 1e-12 <= value <= high + 1e-12, (
                        f"{text} with ties={ties} is {value}"
                    )


def names_of_unjudged_items_do_not_matter(declaration: Declaration, collection: Collection) -> None:
    # "!" sorts before everything that stands in ids, so the order of ids stays as it was.
    renamed = {
        topic: {
            item if item in collection.judged(topic) else item + "!": score
            for item, score in scores.items()
        }
        for topic, scores in collection.run.items()
    }
    other = Collection(collection.qrels, renamed)
    for parameters in some_variants(declaration):
        text = said(declaration.name, parameters)
        identical(numbers(text, collection), numbers(text, other), text)


def only_the_order_of_scores_matters(declaration: Declaration, collection: Collection) -> None:
    levels = sorted({score for scores in collection.run.values() for score in scores.values()})
    place = {score: index**2 / 7 - 3 for index, score in enumerate(levels)}
    moved = {
        topic: {item: place[score] for item, score in scores.items()}
        for topic, scores in collection.run.items()
    }
    other = Collection(collection.qrels, moved)
    for parameters in some_variants(declaration):
        text = said(declaration.name, parameters)
        for ties in ("docno", "input", "best", "worst"):
            identical(numbers(text, collection, ties), numbers(text, other, ties), text)


def the_order_of_rows_and_topics_does_not_matter(
    declaration: Declaration, collection: Collection
) -> None:
    mixed = Collection(
        shuffled({topic: shuffled(grades, 5) for topic, grades in collection.qrels.items()}, 6),
        shuffled({topic: shuffled(scores, 7) for topic, scores in collection.run.items()}, 8),
    )
    for parameters in some_variants(declaration):
        text = said(declaration.name, parameters)
        for ties in ("docno", "best", "worst"):
            identical(numbers(text, collection, ties), numbers(text, mixed, ties), text)
        one, other = numbers(text, collection, "expected"), numbers(text, mixed, "expected")
        assert (one is None) == (other is None)
        assert all(close(one[topic], other[topic]) for topic in one or {}), text


def topics_are_independent(declaration: Declaration, collection: Collection) -> None:
    shared = collection.qrels.keys() & collection.run.keys()
    alone = {
        topic: Collection({topic: collection.qrels[topic]}, {topic: collection.run[topic]})
        for topic in shared
    }
    for parameters in variants(declaration):
        if declaration.name == "ERR" and "max" not in parameters:
            continue  # its scale is the greatest grade of all topics, as its text says
        text = said(declaration.name, parameters)
        together = numbers(text, collection) or {}
        for topic in shared:
            identical({topic: together[topic]}, numbers(text, alone[topic]), text)


def a_better_place_never_hurts(declaration: Declaration, collection: Collection) -> None:
    """Two neighbours change places, the better one going up: the value does not fall (E: does not
    rise).
    """
    sign = 1 if declaration.monotone else -1
    for topic, scores in collection.run.items():
        judged = collection.judged(topic)
        order = ranking.docno(scores)
        for upper, lower in itertools.pairwise(order):
            if judged.get(lower, 0) < 1 or judged.get(lower, 0) <= judged.get(upper, -1):
                continue
            swapped = [{upper: lower, lower: upper}.get(item, item) for item in order]
            _does_not_fall(declaration, judged, order, swapped, sign)


def _does_not_fall(
    declaration: Declaration, judged: dict[str, int], before: list[str], after: list[str], sign: int
) -> None:
    lists = {"before": before, "after": after}
    run = {
        topic: {item: -float(place) for place, item in enumerate(items)}
        for topic, items in lists.items()
    }
    both = Collection(dict.fromkeys(lists, judged), run)
    for parameters in variants(declaration):
        if declaration.name in VARIANTS and not rising(declaration.name, parameters):
            continue
        text = said(declaration.name, parameters)
        values = numbers(text, both) or {}
        if not math.isnan(values["before"]):
            assert sign * values["after"] >= sign * values["before"] - 1e-12, (
                f"{text}: {values} for {lists}, {judged}"
            )


def value_of(text: str, hits: list[int], retrieved: int, relevant: int) -> float:
    """A measure where nothing but hits is judged."""
    located = pc.Example(hits=hits, retrieved=retrieved, relevant=relevant, value=0).located()
    return float(pc.measure(text)(located)[0])


def linear_in_hits(
    declaration: Declaration, hits: list[int], retrieved: int, relevant: int
) -> None:
    """What many hits add to the value of none is the sum of what each adds alone."""
    for parameters in variants(declaration):
        if parameters.get("grade", 1) != 1:
            continue
        text = said(declaration.name, parameters)
        if not retrieved or not relevant:
            continue
        none = value_of(text, [], retrieved, relevant)
        together = value_of(text, hits, retrieved, relevant) - none
        parts = [value_of(text, [hit], retrieved, relevant) - none for hit in hits]
        assert none == 0 or declaration.name in COUNTED, text
        assert close(together, math.fsum(parts)), f"{text}: {together} is not the sum of {parts}"


def ceilings_are_exact(shares: list[float], most: int) -> None:
    """Hits needed for a recall, and the cutoff of R-precision, are ceilings of rational numbers."""
    from precall.location.hits import ceiling

    relevant = np.arange(most + 1)
    for share in shares:
        exact = [needed(share, total) for total in relevant.tolist()]
        assert ceiling(share, relevant).tolist() == exact, share


def name_round_trip(declaration: Declaration) -> None:
    for parameters in variants(declaration):
        for condensed in (False, True):
            text = said(declaration.name, parameters, condensed)
            one = pc.measure(text)
            again = pc.measure(one.name)
            assert again == one, text
            assert again.name == one.name
            if text != "RBP":  # rbp is another number, trec_eval's
                assert (
                    pc.measure(text.replace(declaration.name, declaration.name.lower(), 1)) == one
                )


def same_as(
    text: str, other: str, collection: Collection, ties: str = "docno", factor: Any = 1.0
) -> None:
    """Two names, one number (times a factor)."""
    one, two = numbers(text, collection, ties) or {}, numbers(other, collection, ties) or {}
    for topic in one:
        assert close(one[topic], factor * two[topic]), (
            f"{text} = {one[topic]}, {other} = {two[topic]} for {topic}"
        )
