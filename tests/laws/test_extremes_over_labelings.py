"""Every measure of rankings: its bounds over the labels of unjudged items are those of all labels,
one after another; or it refuses.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from precall import evaluate, measure
from precall.core.errors import MeasureError
from precall.location import locate
from precall.location.hits import Hits
from precall.location.labelings import Labelings, LabelledHits, unjudged_of
from precall.measures.extremes import check_search, extremes
from precall.measures.registry import Declaration, Measure, PerRanking
from tests.laws.parameters import OURS, VARIANTS, said

#: Measures without bounds, each with words of its reason.
REFUSED = {
    "Bpref": "says itself",
    "infAP": "says itself",
    "Judged": "says itself",
    "NumNonrelRet": "says itself",
    "RBPResidual": "says itself",
    "G": "ideal",
    "Q": "ideal",
    "Compat": "best ranking",
    "INST": "reading",
    "BPM": "reading",
    "NERR8": "reading",
    "NERR9": "reading",
    "NERR10": "reading",
    "NERR11": "reading",
}
SEARCHED = [one for one in OURS if one.name not in REFUSED]


def all_labels(
    judged: dict[str, int], unjudged: list[str], grades: tuple[int, ...]
) -> list[dict[str, int]]:
    """The qrels of one topic for each labeling."""
    return [
        judged | dict(zip(unjudged, chosen, strict=True))
        for chosen in product(grades, repeat=len(unjudged))
    ]


def case(seed: int, is_tied: bool) -> tuple[dict[str, int], dict[str, float], list[str]]:
    """Judgements of one topic, a ranking, and the items that nobody judged."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(0, 7))
    names = [f"i{n}" for n in range(size)]
    scores = rng.integers(0, 3, size) if is_tied else rng.permutation(size)
    run = dict(zip(names, scores.astype(float).tolist(), strict=True))
    judged: dict[str, int] = {}
    unjudged = []
    for name in names:
        if rng.random() < 0.5 and len(unjudged) < 4:
            unjudged.append(name)
            if rng.random() < 0.3:
                judged[name] = -1
        else:
            judged[name] = int(rng.choice([0, 0, 1, 2]))
    for n in range(int(rng.integers(0, 3))):
        judged[f"m{n}"] = int(rng.choice([0, 1, 2]))
    for n in range(int(rng.integers(0, 2)) if len(unjudged) < 4 else 0):
        judged[f"p{n}"] = -1
        unjudged.append(f"p{n}")
    # The scale goes to 2, and one item at least is judged.
    return judged | {"scale": 2}, run, unjudged


def difference(chosen: Measure, seed: int, ties: str) -> str:
    """What differs from enumeration; empty if nothing does."""
    judged, run, unjudged = case(seed, ties != "docno")
    own = chosen.parameters.get("grade")
    grades = (0, 1, 2) if own is None else (0, max(own, 2))
    qrels = all_labels({k: v for k, v in judged.items() if k not in unjudged}, unjudged, grades)
    many = {f"q{n}": labels for n, labels in enumerate(qrels)}
    one = locate({"q": judged}, {"q": run}, ties=ties, keep_items=True)
    located = locate(many, dict.fromkeys(many, run), ties=ties)
    try:
        values = np.asarray(chosen(located))
    except MeasureError:  # the population is smaller than the ranking
        return ""
    found = extremes(chosen, unjudged_of(one, one.items), np.array([0, 1, 2]))
    low, high = found.lowest[0], found.highest[0]
    if np.isnan(values).all():
        return "" if np.isnan(low) and np.isnan(high) else f"{low}, {high} of nothing"
    least, most = np.nanmin(values), np.nanmax(values)
    same = np.allclose([low, high], [least, most], rtol=1e-12, atol=1e-13)
    if not same:
        return f"{chosen.name} {seed} {ties}: {low}..{high}, not {least}..{most}: {judged} {run}"
    if bool(found.is_undefined[0]) != bool(np.isnan(values).any()):
        return f"{chosen.name} {seed} {ties}: undefined {found.is_undefined}"
    return ""


#: Those that are tried every time, one of each way to search.
USUAL = {"AP", "nDCG", "DCG", "F", "RR", "Rprec", "BEDROC", "PairAccuracy", "AUC"}


@pytest.mark.parametrize(
    "declaration", [one for one in SEARCHED if one.name in USUAL], ids=lambda one: one.name
)
def test_bounds_are_those_of_all_labels(declaration: Declaration) -> None:
    for number, parameters in enumerate(VARIANTS[declaration.name][:12]):
        chosen = measure(said(declaration.name, parameters))
        for seed in range(2):
            assert not difference(chosen, 7 * number + seed, "docno")


@pytest.mark.nightly(keep=2)
@pytest.mark.parametrize("declaration", SEARCHED, ids=lambda one: one.name)
@pytest.mark.parametrize("ties", ["docno", "best", "worst", "expected"])
def test_bounds_of_every_measure_are_those_of_all_labels(
    declaration: Declaration, ties: str
) -> None:
    for number, parameters in enumerate(VARIANTS[declaration.name]):
        chosen = measure(said(declaration.name, parameters))
        try:
            check_search(chosen, ties)
        except MeasureError:
            assert ties != "docno"
            continue
        for seed in range(4):
            assert not difference(chosen, 1000 * number + seed, ties)


@pytest.mark.parametrize("declaration", OURS, ids=lambda one: one.name)
def test_every_measure_has_bounds_or_says_why_not(declaration: Declaration) -> None:
    assert (" " in declaration.search) == (declaration.name in REFUSED)
    if declaration.name in REFUSED:
        chosen = measure(said(declaration.name, VARIANTS[declaration.name][0]))
        with pytest.raises(MeasureError, match=REFUSED[declaration.name]):
            check_search(chosen)


def test_a_measure_of_your_own_has_bounds_if_it_is_monotone() -> None:
    from precall.measures import REGISTRY, Example

    how: dict[str, Any] = {"sources": ["me"], "example": Example(hits=[2], retrieved=3, value=0.5)}

    @measure("FirstHit", monotone=True, **how)
    def first_hit(hits: Hits) -> PerRanking:
        """1 / rank of the first hit."""
        return hits.reciprocal_first()

    try:
        own, usual = (
            evaluate({"q": {"a": 1, "b": 0}}, {"q": ["x", "b", "a"]}, name, unjudged="bounds")
            for name in ("FirstHit", "RR")
        )
        assert own.lowest["FirstHit"] == usual.lowest["RR"] == 1 / 3
        assert own.highest["FirstHit"] == usual.highest["RR"] == 1
    finally:
        del REGISTRY._declared["FirstHit"]
        REGISTRY._found.clear()


@pytest.mark.parametrize(
    "name", ["IAP", "IPrec@0.3", "MaxF", "MaxF(beta=2)", "MaxF(beta=0)", "BEDROC"]
)
def test_long_rankings_have_the_bounds_of_a_search_of_all_numbers(name: str) -> None:
    """Halves of the numbers of relevant items are left out that cannot hold an extreme."""
    rng = np.random.default_rng(len(name))
    judged, runs = {}, {}
    for topic in range(12):
        items = [f"i{n}" for n in range(topic * 10)]
        seen = rng.random(len(items)) < 0.4
        labels = (rng.random(len(items)) < 0.6 / (1 + np.arange(len(items)) / 10)).tolist()
        own = {item: int(labels[n]) for n, item in enumerate(items) if seen[n]}
        in_pool = {f"m{n}": -1 for n in range(topic % 4)}
        judged[f"q{topic}"] = own | in_pool | {"missed": topic % 2}
        runs[f"q{topic}"] = dict(zip(items, -np.arange(len(items), dtype=float), strict=True))
    located = locate(judged, runs, ties="docno", keep_items=True)
    chosen, grades = measure(name), np.array([0, 1])
    found = extremes(chosen, unjudged_of(located, located.items), grades)
    every = unjudged_of(located, located.items)
    lowest, highest = np.full(len(located), np.nan), np.full(len(located), np.nan)
    for is_top in (True, False):
        for topic in range(len(located)):
            inside, outside = (int(each[topic]) for each in (every.inside, every.missed))
            a, b = (each.ravel() for each in np.mgrid[: inside + 1, : outside + 1])
            labels = Labelings(np.full(len(a), topic), np.full(len(a), is_top), a[None], b[None])
            values = np.asarray(chosen(every.label(labels, grades)))
            lowest[topic] = np.fmin(lowest[topic], np.fmin.reduce(values))
            highest[topic] = np.fmax(highest[topic], np.fmax.reduce(values))
    np.testing.assert_allclose(found.lowest, lowest, rtol=1e-13)
    np.testing.assert_allclose(found.highest, highest, rtol=1e-13)


def test_few_of_the_numbers_of_relevant_items_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds of IAP and MaxF tried every number of relevant items twice, each of which takes all
    ranks: 200 topics of 1,000 items took a minute.
    """
    tried: list[int] = []
    retrieved = LabelledHits._rows

    def count(hits: LabelledHits) -> Hits:
        tried.append(len(hits))
        return retrieved(hits)

    monkeypatch.setattr(LabelledHits, "_rows", count)
    size = 1000
    run = {"q": {f"i{n}": -float(n) for n in range(size)}}
    judged = {"q": {f"i{n}": int(n % 20 == 0) for n in range(0, size, 10)}}
    located = locate(judged, run, ties="docno", keep_items=True)
    unjudged = unjudged_of(located, located.items)
    for name, most in (("MaxF", 200), ("IPrec@0.5", 300)):
        tried.clear()
        extremes(measure(name), unjudged, np.array([0, 1]))
        assert 0 < sum(tried) < most
