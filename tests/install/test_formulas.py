"""Formulas of the measures' pages: each measure has one, and what it says, read as it stands, is
what the function does.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import precall as pc
from docs.measure_pages import FORMULAS
from precall.core.counts import Counts
from precall.location.subtopics import Subtopics
from precall.measures import REGISTRY
from tests.install.tex import Symbols, definitions, read
from tests.laws.parameters import said
from tests.oracle.diversity import best

OURS = [one for one in REGISTRY if one.formula.__module__.startswith("precall.")]
OF_COUNTS = [one.name for one in OURS if one.of is Counts]
#: Symbols of parameters, and what the function calls them.
GIVEN = {
    "F": {r"\beta": ("beta", 2.0)},
    "E": {r"\beta": ("beta", 0.5)},
    "NetBenefit": {"t": ("threshold", 0.2)},
    "Utility": {
        "a": ("found", 3.0),
        "b": ("nonrelevant", -2.0),
        "c": ("missed", -0.5),
        "d": ("rejected", 0.25),
    },
}
#: Formulas that are no numbers to add up here; their functions have oracles.
NOT_READ = {"AUPRG": "an integral", "HandTill": "a chance in words"}
OF_SUBTOPICS = [one.name for one in OURS if one.of is Subtopics]
OF_RANKS = [name for name in FORMULAS["ranks"] if name not in {*NOT_READ, *OF_SUBTOPICS}]
#: Of measures of ranks: parameter → its symbol, and a value that is not its default.
TRIED = {
    "cutoff": ("k", 7),
    "population": ("", 60),
    "recall": (r"\rho", Fraction(3, 5)),
    "precision": (r"\phi", Fraction(3, 5)),
    "p": ("p", Fraction(7, 10)),
    "wanted": ("T", Fraction(3, 2)),
    "max": ("h", 4),
    "max_rel": ("", 4),
    "beta": (r"\beta", Fraction(3, 5)),
    "alpha": (r"\alpha", Fraction(3, 10)),
    "mult": ("", Fraction(3, 2)),
    "share": ("", Fraction(3, 10)),
}


def test_every_measure_has_a_formula() -> None:
    assert sorted(FORMULAS["counts"]) == sorted(OF_COUNTS)
    assert sorted(FORMULAS["ranks"]) == sorted({one.name for one in OURS} - set(OF_COUNTS))
    assert set(FORMULAS["where"]) <= set(FORMULAS["counts"]) | set(FORMULAS["ranks"])


@pytest.mark.parametrize("name", OF_COUNTS)
def test_formulas_of_counts_say_what_is_computed(name: str) -> None:
    tp, fp, fn, tn = np.random.default_rng(0).integers(1, 50, (4, 200))
    given = GIVEN.get(name, {})
    expected = REGISTRY[name].formula(Counts(tp, fp, fn, tn), **dict(given.values()))
    symbols = {
        "TP": tp,
        "FP": fp,
        "FN": fn,
        "TN": tn,
        **{symbol: value for symbol, (_, value) in given.items()},
    }
    assert read(FORMULAS["counts"][name])(symbols) == pytest.approx(expected, rel=1e-12)


def parameters(name: str) -> dict[str, Any]:
    known = set(REGISTRY[name].parameters) - ({"alpha"} if name == "MaxF" else set())
    return {key: value for key, (_, value) in TRIED.items() if key in known}


class Ranking:
    """Grades by rank, `None` where nobody judged, and those of judged items that were not
    retrieved.
    """

    def __init__(self, seed: int) -> None:
        random = Random(seed)
        levels = [None, None, -1, 0, 0, 1, 1, 2, 3]
        self.grades = [random.choice(levels) for _ in range(random.randint(4, 25))]
        self.grades[random.randrange(len(self.grades))] = random.randint(1, 3)
        self.missed = [random.randint(0, 3) for _ in range(random.choice([0, 0, 3]))]
        self.hits = [rank for rank, grade in enumerate(self.grades, 1) if (grade or 0) >= 1]
        judged = [grade for grade in [*self.grades, *self.missed] if grade is not None]
        self.best = sorted((max(grade, 0) for grade in judged), reverse=True)
        self.relevant = sum(grade >= 1 for grade in judged)
        self.others = sum(grade == 0 for grade in judged)

    def grade(self, rank: int) -> int:
        """-1 where there is none."""
        grade = self.grades[rank - 1] if 1 <= rank <= len(self.grades) else None
        return -1 if grade is None else grade

    def judged(self, rank: int, least: int = 0) -> int:
        """Judged items down to a rank; with `least=-1` those of the pool, too."""
        return sum(
            grade is not None and grade >= least for grade in self.grades[: max(int(rank), 0)]
        )

    def symbols(self, given: dict[str, Any]) -> Symbols:
        n, m, total = len(self.grades), len(self.hits), self.relevant
        most = given.get("max_rel", 4)

        def found(rank: int) -> int:
            return sum(hit <= rank for hit in self.hits)

        def at_best(rank: int) -> int:
            return self.best[rank - 1] if rank <= len(self.best) else 0

        return {
            "n": n,
            "m": m,
            "R": total,
            "N": given.get("population", 0) - total,
            "k": n,
            **{TRIED[name][0]: value for name, value in given.items()},
            "over i": range(1, m + 1),
            "over j": range(1, max(n, len(self.best)) + 1),
            "over t": range(1, n + 1),
            "L_": lambda hit: self.hits[int(hit) - 1] if hit <= m else math.inf,
            "r_": found,
            "g_": lambda rank: max(self.grade(rank), 0),
            "e_": lambda rank: max(self.grade(rank), 0),
            "g*_": at_best,
            "e*_": at_best,
            "u_": lambda rank: Fraction(max(self.grade(rank), 0), most),
            "TP_": found,
            "FP_": lambda rank: rank - found(rank),
            "R_": lambda rank: Fraction(found(rank), total),
            "P_": lambda rank: Fraction(found(rank), rank),
        }


def above(ranking: Ranking, hit: int) -> int:
    """Judged nonrelevant items above a hit."""
    return sum(grade == 0 for grade in ranking.grades[: ranking.hits[hit - 1] - 1])


def nearest(ranking: Ranking, at: Symbols) -> int:
    """Where precision and recall are nearest, of those with a hit; of equal ones the greater."""
    return min(
        (t for t in at["over t"] if at["r_"](t)), key=lambda t: (abs(at["P_"](t) - at["R_"](t)), t)
    )


def enough(ranking: Ranking, at: Symbols) -> int:
    """The first rank down to which `wanted` is gained, at most the cutoff."""
    gained = (
        rank for rank in range(1, at["k"]) if sum(map(at["u_"], range(1, rank + 1))) >= at["T"]
    )
    return next(gained, at["k"])


def shared(ranking: Ranking, depth: int) -> int:
    """Items among the first of both the ranking and the best one, in which retrieved items come
    first and in order.
    """
    relevant = [(-ranking.grade(rank), rank) for rank in ranking.hits]
    relevant += [(-grade, math.inf) for grade in ranking.missed if grade > 0]
    return sum(rank <= depth for _, rank in sorted(relevant)[:depth])


#: name → symbols that its page describes in words.
IN_WORDS: dict[str, Callable[[Ranking, Symbols], Symbols]] = {
    "RR": lambda one, at: {
        "L_": lambda hit: at["L_"](hit) if at["L_"](hit) <= at["k"] else math.inf
    },
    "IAP": lambda one, at: {
        "IPrec": lambda recall: read(FORMULAS["ranks"]["IPrec"])({**at, r"\rho": recall})
    },
    "Rprec": lambda one, at: {"c": math.ceil(Fraction(3, 2) * one.relevant)},
    # Of the population that is tried.
    "EF": lambda one, at: {"A": 60, "c": math.ceil(Fraction(3, 10) * 60)},
    "BEDROC": lambda one, at: {"A": 60, "w": math.exp(-at[r"\alpha"] / 60)},
    "KAtRecall": lambda one, at: {"c": math.ceil(at[r"\rho"] * one.relevant)},
    "PAtRecall": lambda one, at: {"c": math.ceil(at[r"\rho"] * one.relevant)},
    # Without judged nonrelevant items w is 0 everywhere, and each hit adds 1.
    "Bpref": lambda one, at: {"w_": lambda hit: above(one, hit), "W": one.others or 1},
    "infAP": lambda one, at: {
        "q_": lambda hit: one.judged(one.hits[hit - 1] - 1, least=-1),
        "a_": lambda hit: one.judged(one.hits[hit - 1] - 1),
    },
    "Judged": lambda one, at: {"a_": one.judged},
    "RBPResidual": lambda one, at: {"a_": lambda rank: int(one.grade(rank) >= 0)},
    "NumNonrelRet": lambda one, at: {"y_": one.grade, "g": 1},
    "RankingLoss": lambda one, at: {"AUC": read(FORMULAS["ranks"]["AUC"])(at)},
    "Gini": lambda one, at: {"AUC": read(FORMULAS["ranks"]["AUC"])(at)},
    "BEP": lambda one, at: {"t": nearest(one, at)},
    "BPM": lambda one, at: {"d": enough(one, at)},
    "Compat": lambda one, at: {"x_": lambda depth: shared(one, depth), "B": one.relevant},
}


def value(name: str, symbols: Symbols, in_words: Symbols) -> float:
    """What the formula gives, with what its page defines by formulas or in words; NaN where it has
    no value.
    """
    defined = definitions(FORMULAS["where"].get(name, ""))
    symbols = symbols | in_words
    for symbol, (index, formula) in defined.items():
        if symbol not in in_words:
            meaning = _defined(formula, index, symbols)
            symbols[symbol] = meaning if index else meaning(None)
    try:
        answer = float(read(FORMULAS["ranks"][name])(symbols))
    except ZeroDivisionError:
        return math.nan
    return answer if math.isfinite(answer) else math.nan


def _defined(formula: str, index: str, symbols: Symbols) -> Callable[[Any], Any]:
    return cache(lambda place: read(formula)({**symbols, index: place}))


def same(ours: list[float], formula: list[float]) -> None:
    pairs = [
        (a, b) for a, b in zip(ours, formula, strict=True) if not (math.isnan(a) or math.isnan(b))
    ]
    assert len(pairs) >= len(ours) // 2 and len({round(b, 9) for _, b in pairs}) > 1
    assert [a for a, _ in pairs] == pytest.approx([b for _, b in pairs], rel=1e-9, abs=1e-12)


@pytest.mark.nightly(keep=8)
@pytest.mark.parametrize("name", OF_RANKS)
def test_formulas_of_ranks_say_what_is_computed(name: str) -> None:
    cases, given = {f"{seed:02d}": Ranking(seed) for seed in range(40)}, parameters(name)
    qrels, run = {}, {}
    for topic, one in cases.items():
        known = {f"d{rank}": grade for rank, grade in enumerate(one.grades) if grade is not None}
        qrels[topic] = known | {f"m{place}": grade for place, grade in enumerate(one.missed)}
        run[topic] = {f"d{rank}": -float(rank) for rank in range(len(one.grades))}
    ours = pc.measure(said(name, {key: _plain(number) for key, number in given.items()}))(
        pc.locate(qrels, run)
    )
    formula = []
    for one in cases.values():
        at = one.symbols(given)
        formula.append(value(name, at, IN_WORDS[name](one, at) if name in IN_WORDS else {}))
    same(ours.tolist(), formula)


def _plain(number: Any) -> Any:
    return float(number) if isinstance(number, Fraction) else number


def diverse(order: list[str], relevance: dict[str, frozenset[str]]) -> Symbols:
    """Symbols of a ranking of items, each relevant to some subtopics."""
    subtopics = sorted(frozenset().union(*relevance.values()))

    def relevant(rank: int, subtopic: int) -> int:
        item = order[rank - 1] if rank <= len(order) else ""
        return int(subtopics[subtopic - 1] in relevance.get(item, ()))

    def precision(subtopic: int) -> Fraction:
        hits = [rank for rank in range(1, len(order) + 1) if relevant(rank, subtopic)]
        total = sum(subtopics[subtopic - 1] in several for several in relevance.values())
        return (
            sum((Fraction(place, rank) for place, rank in enumerate(hits, 1)), Fraction(0)) / total
        )

    return {
        "n": len(order),
        "S": len(subtopics),
        "b_": relevant,
        "AP_": precision,
        "c_": lambda rank, subtopic: sum(relevant(before, subtopic) for before in range(1, rank)),
        "over s": range(1, len(subtopics) + 1),
        "over j": range(1, 30),
    }


@pytest.mark.nightly(keep=6)
@pytest.mark.parametrize("name", OF_SUBTOPICS)
def test_formulas_of_subtopics_say_what_is_computed(name: str) -> None:
    given, ours, formula = parameters(name), [], []
    plain = {key: _plain(number) for key, number in given.items()}
    chosen = {TRIED[key][0]: number for key, number in given.items()}
    for seed in range(30):
        random = Random(seed)
        order = [f"d{place}" for place in range(random.randint(3, 15))]
        relevance = {
            item: frozenset(s for s in "uvwx" if random.random() < 0.25)
            for item in [*order[:12], "m"]
        }
        rows = [("q", s, item, 1) for item, several in relevance.items() for s in several]
        where = pc.locate_subtopics(
            rows, {"q": {item: -float(place) for place, item in enumerate(order)}}
        )
        ours.append(float(pc.measure(said(name, plain))(where)[0]))
        held = {item: several for item, several in relevance.items() if several}
        perfect = diverse(best(held, plain.get("alpha", 0.5)), held) | chosen
        gains = definitions(FORMULAS["where"].get(name, "")).get("e_")
        at_best = {"e*_": _defined(gains[1], "j", perfect)} if gains else {}
        formula.append(value(name, diverse(order, held) | chosen, at_best))
    same(ours, formula)


def test_pages_show_formulas() -> None:
    folder = Path(__file__).resolve().parents[2] / "docs" / "measures"
    shown = sum(path.read_text(encoding="utf-8").count("\n$$\n") for path in folder.glob("*.md"))
    assert shown == 2 * len(OURS)
