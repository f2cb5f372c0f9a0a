"""What a test of two systems says of itself is so: everything that depends on its properties asks
its declaration.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.core.arguments import choose
from precall.core.errors import UsageError
from precall.stats.tests import (
    CORRECTIONS,
    DECLARED,
    DECLARED_CORRECTIONS,
    ELSEWHERE,
    INSTEAD,
    MOST_EXCHANGES,
    MOST_RANKS,
    MOST_SIGNS,
    TESTS,
    lists,
    names_of,
    paired,
    tukey,
)
from precall.stats.tests.paired import PairedOptions
from tests.comparison import oracle
from tests.laws import names_elsewhere
from tests.peers import peer

stats = peer("scipy.stats")
FOLDER = Path(__file__).parents[1]

DIFFERENCES = np.random.default_rng(7).normal(0.03, 0.1, (3, 30))
KINDS = (
    "values",
    "decisions",
    "right decisions",
    "right decisions in groups",
    "predictive values",
    "recall and specificity",
    "matched decisions",
    "AP",
    "AUC",
    "part of AUC",
    "P@k",
    "R@k",
    "R at a threshold",
    "AUC of cohorts",
    "AP of cohorts",
    "AP of detections",
    "number of a list",
    "number of one item",
    "all pairs",
)


@pytest.mark.parametrize("name", DECLARED)
def test_a_declaration_is_whole(name: str) -> None:
    declared = DECLARED[name]
    assert declared.name == name
    assert declared.caption
    assert any(sign.isdigit() for sign in declared.source), "a source has a year"
    assert declared.of
    assert {*declared.of} <= {*KINDS}
    assert not {*declared.aliases} & {name}
    if "values" in declared.of:
        assert declared.interval


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("name", DECLARED)
def test_the_example_is_so(name: str) -> None:
    call, p = DECLARED[name].example
    found = eval(call, {"pc": pc})
    assert found.test == name
    assert found.adjusted == pytest.approx(p, abs=6e-5)
    # Examples are small, so that what can be exact is.
    assert found.method.exact == bool(DECLARED[name].exact_when)


def _is_exact(name: str, size: int) -> bool:
    """Whether p of this many topics, or items of two lists, is exact."""
    draws = np.random.default_rng(size).normal(0, 1, (size, 3))
    if name == tukey.NAME:
        found = pc.compare.many(draws, correction="tukey").pairs[0]
    elif name == "permutation":
        found = pc.compare.cases(np.arange(size) % 2, draws[:, 0], -draws[:, 0], "AP", test=name)
    else:
        found = pc.compare.paired(draws[:, 0], np.zeros(size), test=name, resamples=999)
    return bool(found.method.exact)


#: The greatest number of topics, or items of two lists, for which p is exact whatever the values.
MOST = {
    "randomization": MOST_SIGNS,
    "permutation": MOST_EXCHANGES,
    "wilcoxon": MOST_RANKS,
    tukey.NAME: 17,
}


@pytest.mark.parametrize("name", DECLARED)
def test_p_is_exact_when_it_says_so(name: str) -> None:
    declared = DECLARED[name]
    if name not in MOST:
        assert declared.exact_when in ("", "always"), f"say in MOST how long {name} is exact"
        return
    assert f"up to {MOST[name]} " in declared.exact_when
    # Items of a list that is turned round keep the rank in the middle.
    assert [_is_exact(name, MOST[name] + more) for more in (0, 2)] == [True, False]


@pytest.mark.parametrize("name", [name for name in TESTS if name not in MOST])
def test_p_of_many_is_exact_if_always(name: str) -> None:
    assert _is_exact(name, 300) == (DECLARED[name].exact_when == "always")


def test_names_elsewhere_are_those_that_others_use() -> None:
    names_elsewhere.check_names(
        names_elsewhere.TESTS, DECLARED, ELSEWHERE, lambda name: names_of(DECLARED[name].of[0])
    )
    names_elsewhere.check_names(
        names_elsewhere.CORRECTIONS, DECLARED_CORRECTIONS, ELSEWHERE, lambda name: CORRECTIONS
    )


def test_each_has_what_finds_its_p() -> None:
    assert tuple(paired.TESTS) == TESTS, "list each declared test of values in paired.TESTS"
    of_lists = {name for kind in ("AP", "AUC", "part of AUC") for name in names_of(kind)}
    assert {*lists._TESTS} >= of_lists
    assert names_of("all pairs") == (tukey.NAME,)
    for kind in KINDS:
        assert names_of(kind), f"nothing tests {kind}"


def _bootstrap(differences: Sequence[Fraction]) -> float:
    """All n^n samples of the topics, shifted by the mean."""
    total = sum(differences)
    samples = [
        abs(sum(drawn) - total) >= abs(total)
        for drawn in itertools.product(differences, repeat=len(differences))
    ]
    return sum(samples) / len(samples)


def _t(differences: Sequence[Fraction]) -> float:
    values = [float(one) for one in differences]
    return float(2 * stats.t.sf(abs(oracle.t_statistic(values)), len(values) - 1))


def _sign(differences: Sequence[Fraction]) -> Fraction:
    return oracle.sign(sum(one > 0 for one in differences), sum(one < 0 for one in differences))


#: The p of each test of values, computed anew from its definition.
ANEW: dict[str, Callable[[Sequence[Fraction]], Any]] = {
    "randomization": oracle.randomization,
    "t": _t,
    "wilcoxon": oracle.wilcoxon,
    "sign": _sign,
    "bootstrap": _bootstrap,
}


@pytest.mark.parametrize("name", TESTS)
def test_p_is_computed_anew(name: str) -> None:
    assert name in ANEW, f"compute the p of {name} in {Path(__file__).name} a second time"
    differences = [Fraction(one, 100) for one in (7, -2, 13, 4, 9)]
    found = pc.compare.paired([float(one) for one in differences], [0.0] * 5, test=name)
    near = {"abs": 0.005} if DECLARED[name].redraws else {"rel": 1e-9}
    assert found.p == pytest.approx(float(ANEW[name](differences)), **near)


@pytest.mark.parametrize("name", DECLARED)
def test_each_has_tests_beside_these_laws(name: str) -> None:
    written = [
        path.read_text(encoding="utf-8")
        for room in ("comparison", "stats")
        for path in (FOLDER / room).glob("test_*.py")
    ]
    said = (f'"{name}"', f"{name.split()[-1].lower()}(")
    assert any(word in text for text in written for word in said), (
        f"test {name} in tests/comparison: its p against one that is computed anew"
    )


@pytest.mark.parametrize(
    ("function", "kinds"),
    [
        (pc.compare.paired, ("values",)),
        (pc.compare.decisions, ("decisions", "right decisions", "matched decisions")),
        (pc.compare.cases, ("AP", "AUC", "P@k", "R@k", "number of a list", "number of one item")),
    ],
    ids=["paired", "decisions", "cases"],
)
def test_the_reference_names_every_test(function: Any, kinds: tuple[str, ...]) -> None:
    _, said = function.__doc__.split("test : ", 1)
    names = {name for kind in kinds for name in names_of(kind)}
    assert [name for name in sorted(names) if f'"{name}"' not in said] == []
    text = " ".join(said.split())
    exact = {name: DECLARED[name].exact_when for name in names_of(kinds[0])}
    unsaid = [name for name, when in exact.items() if when.replace("always", "") not in text]
    assert unsaid == [], "say when it is exact as the declaration does"


@pytest.mark.parametrize("name", ELSEWHERE)
def test_names_of_elsewhere_lead_to_ours(name: str) -> None:
    for ours in ELSEWHERE[name]:
        assert ours in (*DECLARED, *CORRECTIONS)
    known = [ours for ours in ELSEWHERE[name] if ours in TESTS]
    if known and name not in TESTS:
        assert choose("test", name, TESTS, ELSEWHERE, INSTEAD) == known[0]


@pytest.mark.parametrize("name", TESTS)
@pytest.mark.parametrize("row", DIFFERENCES)
def test_p_of_values(name: str, row: np.ndarray) -> None:
    choices = PairedOptions()
    result = paired.TESTS[name](row, choices)
    assert 0 < result.p <= 1
    assert paired.TESTS[name](-row, choices).p == result.p, "the systems exchanged"
    assert paired.TESTS[name](row[::-1].copy(), choices).p == result.p, "topics in another order"
    assert paired.TESTS[name](np.zeros(4), choices).p == 1


@pytest.mark.parametrize("name", TESTS)
def test_what_draws_has_a_seed(name: str) -> None:
    # So many that no test can count all signs.
    gaps = np.random.default_rng(1).normal(0.005, 0.3, 3_000)
    result, other = (
        pc.compare.paired(gaps, np.zeros(len(gaps)), test=name, rng=rng, resamples=99)
        for rng in (5, 8)
    )
    assert (result.p != other.p) == DECLARED[name].draws
    assert (result.seed is not None) == DECLARED[name].draws
    assert result.interval == DECLARED[name].interval


def _of_two_lists(name: str, rng: int) -> Any:
    relevant = np.arange(400) % 3 == 0
    first, second = np.random.default_rng(4).normal(0.4 * relevant, 1, (2, 400))
    topics = np.arange(400) // 10 if name == "obuchowski" else None
    kind = next(
        one
        for one in KINDS
        if one in DECLARED[name].of
        and one not in ("decisions", "right decisions in groups", "values")
    )
    measure = {"P@k": "P@50", "part of AUC": "AUC(max_fpr=0.5)"}.get(kind, kind)
    return pc.compare.cases(
        relevant, first, second, measure, test=name, rng=rng, resamples=99, topics=topics
    )


def _of_right_decisions(name: str, rng: int) -> Any:
    truth = np.arange(300) % 3 == 0
    first, second = (np.random.default_rng(4).random((2, 300)) < 0.3) ^ truth
    measure = {"wgs": "P", "mcnemar-both": "YoudenJ"}.get(name, "accuracy")
    return pc.compare.decisions(truth, first, second, measure, test=name, rng=rng)


def _of_all_pairs(name: str, rng: int) -> Any:
    assert name == tukey.NAME
    systems = np.random.default_rng(4).normal(0, 0.1, (30, 3))
    return pc.compare.many(systems, correction="tukey", rng=rng, resamples=99).pairs[0]


def _of_cohorts(name: str, seed: int) -> Any:
    cohort = pc.curve([1, 0, 1, 0] * 20, range(80))
    return pc.compare.unpaired(cohort, cohort, "AP", test=name)


def _of_detectors(name: str, seed: int) -> Any:
    found = pc.detections(range(40), [1, 0] * 20, image=np.arange(40) // 2, missed=0)
    return pc.compare.detections(found, found).pairs[0]


#: What compares two systems by a test that values per topic do not have.
OTHERS: dict[str, Callable[[str, int], Any]] = {
    **dict.fromkeys(
        ("right decisions", "predictive values", "recall and specificity"), _of_right_decisions
    ),
    "all pairs": _of_all_pairs,
    **dict.fromkeys(("AP", "AUC", "part of AUC", "P@k", "R@k"), _of_two_lists),
    "AP of cohorts": _of_cohorts,
    "AP of detections": _of_detectors,
}


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("name", [name for name in DECLARED if name not in TESTS])
def test_what_draws_of_other_data_has_a_seed(name: str) -> None:
    compare = next(call for kind, call in OTHERS.items() if kind in DECLARED[name].of)
    result = compare(name, 5)
    assert (result.seed is not None) == DECLARED[name].draws


#: Tests of signs that count all of them, or the number of signs, and so draw nothing.
COUNTED = ("wilcoxon", "sign")


@pytest.mark.parametrize("name", TESTS)
def test_what_draws_exchanges_systems_or_redraws_topics(name: str) -> None:
    declared = DECLARED[name]
    exchanges = declared.has_least_p and name not in COUNTED
    assert declared.draws == (exchanges or declared.redraws)


#: Tests whose p no skewness makes too small, with the reason.
NOT_OF_MEANS = {
    "sign": "counts topics",
    **dict.fromkeys(("mcnemar", "mcnemar-chi2", "mcnemar-both", "wgs"), "counts items"),
    "fisher": "counts items",
}


@pytest.mark.parametrize("name", DECLARED)
def test_a_test_is_of_means_or_there_is_a_reason(name: str) -> None:
    assert DECLARED[name].is_of_means != (name in NOT_OF_MEANS)


#: Tests of values whose differences are not shifted by a margin, with the reason.
WITHOUT_MARGIN = {
    "sign": "counts topics, and a margin is about their mean",
    "bootstrap": "its samples are shifted already, to a difference of 0",
}


@pytest.mark.parametrize("name", TESTS)
def test_a_margin_is_taken_or_there_is_a_reason(name: str) -> None:
    assert DECLARED[name].takes_margin != (name in WITHOUT_MARGIN)


@pytest.mark.parametrize("name", TESTS)
def test_a_least_p_is_two_to_the_minus_n(name: str) -> None:
    least = paired.TESTS[name](np.linspace(0.5, 0.6, 6), PairedOptions()).p
    assert (least == 2 * 0.5**6) == DECLARED[name].has_least_p


def test_the_least_p_of_all_pairs_is_that_of_one() -> None:
    better = np.linspace(0.5, 0.6, 6)
    found = pc.compare.many(np.column_stack([better, np.zeros(6)]), correction="tukey")
    assert (found.pairs[0].p == 2 * 0.5**6) == DECLARED[tukey.NAME].has_least_p


@pytest.mark.parametrize("name", TESTS)
def test_a_lower_mean_is_spoken_for_by_what_weighs_topics(name: str) -> None:
    gaps = np.array([0.01, 0.02, 0.03, 0.04, 0.05, 0.06, -0.9])
    assert (paired.direction(gaps, name) * np.mean(gaps) < 0) == DECLARED[name].weighs_topics
    greater, less = (
        paired.TESTS[name](gaps, PairedOptions(alternative)).p
        for alternative in ("greater", "less")
    )
    # What p itself speaks for, whatever is declared.
    assert np.sign(less - greater) == paired.direction(gaps, name)


@pytest.mark.parametrize("name", TESTS)
def test_skewed_differences_are_noted_of_means(name: str) -> None:
    from precall.core.notes.of_comparisons import OfSkewness

    gaps = np.array([-0.04] * 39 + [1.56])
    found = pc.compare.paired(gaps, np.zeros(40), test=name, resamples=999)
    noted = any(isinstance(note, OfSkewness) for note in found.notes)
    assert noted == DECLARED[name].is_of_means


@pytest.mark.parametrize("name", TESTS)
def test_a_margin_is_taken_where_it_says_so(name: str) -> None:
    def ask() -> object:
        return pc.compare.equivalence(DIFFERENCES[0], np.zeros(30), margin=0.2, test=name)

    if DECLARED[name].takes_margin:
        ask()
    else:
        with pytest.raises(UsageError, match="test"):
            ask()


@pytest.mark.parametrize("name", CORRECTIONS)
def test_corrections(name: str) -> None:
    from precall.stats.tests.paper import _tell_correction

    declared = DECLARED_CORRECTIONS[name]
    found = pc.compare.many(DIFFERENCES.T, correction=name, resamples=99)
    assert found.pairs[0].correction == name
    assert _tell_correction(name) == declared.caption
    gaps = np.random.default_rng(2).normal(0.02, 0.1, (60, 4))
    drawn = (
        pc.compare.many(gaps, correction=name, test="t", resamples=99, rng=rng) for rng in (5, 8)
    )
    first, second = ([pair.adjusted for pair in each.pairs] for each in drawn)
    assert (first != second) == declared.draws
    if name not in ("none", "tukey"):
        assert declared.caption
