"""Two scores of cases in groups, with weights, with missed items, parts of areas: by definitions,
laws, planted mistakes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import precall as pc
from precall.stats import influence
from precall.stats.blocks import CountsByPart
from precall.stats.tests import lists as two_lists
from tests.oracle import scored_intervals
from tests.oracle import two_lists as oracle

pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
CASES = st.lists(
    st.tuples(
        st.booleans(),
        st.integers(0, 5),
        st.integers(0, 5),
        st.integers(0, 4),
        st.sampled_from([0.5, 1.0, 1.5, 4.0]),
    ),
    min_size=6,
    max_size=14,
)
PARTS = st.sampled_from([0.1, 0.25, 0.3, 0.5, 0.77, 1.0])


def scored(size: int = 60, seed: int = 1, digits: int = 1) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    relevant = rng.random(size) < 0.4
    a = np.round(rng.normal(size=size) + relevant, digits)
    return relevant, a, np.round(a + rng.normal(size=size), digits)


def parts_of(cases: Any) -> tuple[list[Any], ...]:
    """Columns of cases of both classes, two of each at least."""
    columns = tuple(list(column) for column in zip(*cases, strict=True))
    assume(1 < sum(columns[0]) < len(columns[0]) - 1)
    return columns


def error(found: pc.Comparison) -> float:
    """Standard error of a difference that is not 0."""
    return abs(found.difference / found.statistic)


@settings(max_examples=25)
@given(CASES)
def test_obuchowskis_variance_is_the_papers(cases):
    relevant, a, b, group, _ = parts_of(cases)
    held = [
        {g for r, g in zip(relevant, group, strict=True) if r == kind} for kind in (True, False)
    ]
    assume(min(map(len, held)) > 1)
    theta, variance = oracle.obuchowski(relevant, a, b, group)
    found = pc.compare.cases(relevant, a, b, "AUC", groups=group, test="obuchowski")
    assert found.difference == pytest.approx(theta, abs=1e-12)
    if variance > 1e-9 and abs(theta) > 1e-9:
        assert error(found) ** 2 == pytest.approx(variance, rel=1e-9)
        assert found.how == "normal"


@settings(max_examples=15)
@given(CASES)
def test_groups_of_one_case_are_none(cases):
    relevant, a, b, *_ = parts_of(cases)
    plain = pc.compare.cases(relevant, a, b, "AUC")
    single = [
        pc.compare.cases(relevant, a, b, "AUC", groups=range(len(a)), test=test)
        for test in ("obuchowski", "delong")
    ]
    for found in single:
        assert found.difference == plain.difference
        assert (found.statistic or 0) == pytest.approx(plain.statistic or 0, rel=1e-12)
    assert single[0].p == pytest.approx(plain.p, rel=1e-10, nan_ok=True)


@pytest.mark.nightly
@settings(max_examples=12)
@given(CASES, PARTS)
def test_variances_are_of_derivatives(cases, most):
    relevant, a, b, _, weight = parts_of(cases)
    one = np.ones(len(a))
    for name, measure in (("AP", "AP"), ("AUC", "AUC"), ("part", f"AUC(max_fpr={most})")):
        value = oracle.measured(name, most)
        test = "influence" if name == "AP" else "delong"
        for weights, missed in ((one, 0), (one, 3), (np.array(weight), 0), (np.array(weight), 2)):
            options: dict[str, Any] = {"test": test, "missed": missed}
            options |= {} if weights is one else {"weights": weights}
            found = pc.compare.cases(relevant, a, b, measure, **options)
            values = [value(relevant, side, weights.tolist(), missed) for side in (a, b)]
            assert found.values == pytest.approx(values, abs=1e-12)
            variance = oracle.variance(name, relevant, a, b, weights.tolist(), missed, most)
            if found.statistic and abs(found.difference) > 1e-6:
                # Where the curve rises at the rate itself the numerical derivative is as good as
                # its step.
                assert error(found) ** 2 == pytest.approx(variance, rel=1e-4, abs=1e-9)


@settings(max_examples=15)
@given(
    st.lists(
        st.tuples(st.booleans(), st.integers(0, 30)),
        min_size=8,
        max_size=20,
        unique_by=lambda case: case[1],
    )
)
def test_parts_of_untied_scores_are_he_and_escobars(cases):
    relevant, score = (list(side) for side in zip(*cases, strict=True))
    others = len(relevant) - sum(relevant)
    assume(sum(relevant) > 1 and others > 2)
    for within in range(1, others):
        value, variance = oracle.he_escobar(relevant, score, within / others)
        found = pc.interval.partial_area_under_roc(
            relevant, score, within / others, method="delong"
        )
        assert found.estimate == pytest.approx(value, abs=1e-12)
        assert (found.standard_error or 0.0) ** 2 == pytest.approx(variance, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize(
    ("measure", "test"),
    [("AP", "permutation"), ("AP", "bootstrap"), ("AUC", "delong"), ("R@3", None)],
)
def test_whole_weights_repeat_items(measure, test):
    relevant, a, b = scored(40, 3)
    times, group = np.random.default_rng(3).integers(0, 4, 40), np.arange(40) // 3
    columns = [np.repeat(column, times) for column in (relevant, a, b, group)]
    options: dict[str, Any] = {"test": test, "rng": 1, "resamples": 100}
    heavy = pc.compare.cases(relevant, a, b, measure, weights=times, **options)
    assert heavy == pc.compare.cases(*columns[:3], measure, **options)
    grouped = pc.compare.cases(relevant, a, b, measure, weights=times, groups=group, **options)
    assert grouped == pc.compare.cases(*columns[:3], measure, groups=columns[3], **options)


@pytest.mark.parametrize(
    ("measure", "test"),
    [
        ("AP", "influence"),
        ("AUC", "delong"),
        ("AUC(max_fpr=0.3)", "delong"),
        ("AP", "bootstrap"),
        ("AUC", "bootstrap"),
    ],
)
def test_scale_order_and_names_do_not_matter(measure, test):
    relevant, a, b = scored()
    rng = np.random.default_rng(2)
    weight, group = rng.random(60) + 0.5, np.arange(60) // 4
    options: dict[str, Any] = {"test": test, "resamples": 300, "rng": 3}
    found = pc.compare.cases(relevant, a, b, measure, weights=weight, groups=group, **options)
    heavy = pc.compare.cases(relevant, a, b, measure, weights=8 * weight, groups=group, **options)
    assert (heavy.p, heavy.low, *heavy.values) == pytest.approx(
        (found.p, found.low, *found.values), rel=1e-9
    )
    order = rng.permutation(60)
    names = rng.permutation(15)[group]
    again = pc.compare.cases(
        relevant[order],
        a[order],
        b[order],
        measure,
        weights=weight[order],
        groups=names[order],
        **options,
    )
    assert (again.p, again.low) == pytest.approx((found.p, found.low), rel=1e-9)
    other = pc.compare.cases(
        relevant, b, np.exp(a), measure, weights=weight, groups=group, **options
    )
    # Another order of groups is another sample.
    same = {"rel": 1e-9} if test != "bootstrap" else {"abs": 0.15}
    assert other.difference == pytest.approx(-found.difference)
    assert other.p == pytest.approx(found.p, **same)
    ones = pc.compare.cases(relevant, a, b, measure, weights=np.ones(60), **options)
    plain = pc.compare.cases(relevant, a, b, measure, **options)
    assert (ones.p, ones.low) == pytest.approx((plain.p, plain.low), rel=1e-9)


@pytest.mark.nightly(keep=2)
@pytest.mark.parametrize("measure", ["AP", "AUC", "R@10"])
def test_missed_items_leave_exchanges_alone(measure):
    relevant, a, b = scored(40, 4)
    plain, missed = (
        pc.compare.cases(relevant, a, b, measure, test="permutation", missed=count, rng=1)
        for count in (0, 8)
    )
    assert missed.p == plain.p
    hits = relevant.sum()
    assert missed.values == pytest.approx([value * hits / (hits + 8) for value in plain.values])
    # As items of either class alike that both lists have at their very end, in one block.
    if measure == "AP":
        ends = [np.append(side, [-99.0] * 8) for side in (a, b)]
        below = [
            scored_intervals.average_precision(relevant, side, np.ones(40), 8) for side in (a, b)
        ]
        assert missed.values == pytest.approx(below)
        assert len(ends[0]) == 48


def test_missed_items_of_other_measures():
    relevant, a, b = scored(80, 5)
    for measure, test in (
        ("AP", "bootstrap"),
        ("AUC", "bootstrap"),
        ("AUC(max_fpr=0.2)", "bootstrap"),
    ):
        close, far = (
            pc.compare.cases(
                relevant, a, b, measure, test=test, missed=count, rng=1, resamples=2000
            )
            for count in (0, 40)
        )
        share = relevant.sum() / (relevant.sum() + 40)
        assert far.difference == pytest.approx(close.difference * share)
        assert far.high - far.low == pytest.approx((close.high - close.low) * share, rel=0.25)
    precision = [pc.compare.cases(relevant, a, b, "P@10", missed=count, rng=1) for count in (0, 40)]
    assert precision[0].p == precision[1].p and precision[0].values == precision[1].values
    recall = [
        pc.compare.cases(relevant, a, b, "R", threshold=0.5, test="t", missed=count)
        for count in (0, 40)
    ]
    assert recall[1].size == recall[0].size + 40 and recall[1].ties == recall[0].ties + 40
    assert recall[1].difference == pytest.approx(
        recall[0].difference * recall[0].size / recall[1].size
    )


def test_mcclish_is_a_scale():
    relevant, a, b = scored(200, 6, 3)
    plain = pc.compare.cases(relevant, a, b, "AUC(max_fpr=0.2)")
    moved = pc.compare.cases(relevant, a, b, "AUC(max_fpr=0.2,mcclish=true)")
    known = [pc.curve(relevant, side).value("AUC(max_fpr=0.2,mcclish=true)") for side in (a, b)]
    assert moved.values == pytest.approx(known)
    assert moved.p == pytest.approx(plain.p) and moved.statistic == pytest.approx(plain.statistic)
    assert moved.low == pytest.approx(plain.low / 2 / 0.18)
    whole = pc.compare.cases(relevant, a, b, "AUC(max_fpr=1)")
    assert (whole.p, whole.low) == pytest.approx(
        [getattr(pc.compare.cases(relevant, a, b, "AUC"), n) for n in ("p", "low")]
    )


@pytest.mark.parametrize(
    "more", [{}, {"groups": np.arange(120) // 3}, {"weights": np.linspace(0.3, 1.7, 120)}]
)
def test_lists_that_are_both_perfect_there_do_not_differ(more):
    relevant = np.arange(120) < 40
    a = -np.arange(120.0)
    b = (
        a
        + np.where(relevant, np.arange(120) % 7, 0)
        + np.where(np.arange(120) > 80, np.arange(120) % 5, 0)
    )
    for measure in ("AUC(max_fpr=0.3)", "AUC(max_fpr=0.3,mcclish=true)", "AUC"):
        found = pc.compare.cases(relevant, a, b, measure, **more)
        assert (found.p, found.low) == (1.0, None)


def test_normal_and_redrawn_parts_agree():
    relevant, a, b = scored(1500, 7, 6)
    for measure in ("AUC(max_fpr=0.1)", "AUC(max_fpr=0.5,mcclish=true)"):
        normal, redrawn = (
            pc.compare.cases(relevant, a, b, measure, test=test, resamples=2000)
            for test in ("delong", "bootstrap")
        )
        assert (redrawn.low, redrawn.high) == pytest.approx(
            (normal.low, normal.high), abs=0.25 * (normal.high - normal.low)
        )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"weights": [1.5] * 60, "measure": "P@10"}, "weights: P@10 counts the first 10 items"),
        (
            {"weights": [1.5] * 60, "measure": "R", "threshold": 0.5},
            "weights: must be integers if there is a threshold",
        ),
        ({"weights": [1.5] * 60, "topics": [1, 2] * 30}, "weights: must be integers"),
        ({"weights": [1.0] * 5}, r"weights: must be one per case \(60\)"),
        ({"weights": [10**7] * 60}, "weights: integers repeat items, 600,000,000 here"),
        (
            {"weights": [1.5] * 60, "groups": range(60), "measure": "AUC", "test": "obuchowski"},
            "is not defined for real weights",
        ),
        ({"missed": 3, "groups": range(60)}, "missed items belong to none of the groups"),
        (
            {"missed": 3, "topics": [1, 2] * 30},
            "missed items belong to none of the topics",
        ),
        (
            {"missed": 3, "groups": range(60), "measure": "R", "threshold": 0.5},
            "missed: applies to single items",
        ),
        ({"missed": -1}, "missed: must be a count >= 0"),
        ({"missed": 1.5, "weights": [1.5] * 60}, "missed: must be a count >= 0"),
        (
            {"measure": "AUC(max_fpr=0.2)", "test": "permutation"},
            r"test of AUC\(max_fpr=0.2\): got 'permutation'",
        ),
        ({"measure": "AUC(max_fpr=2)"}, "max_fpr"),
    ],
)
def test_what_is_refused(options, said):
    relevant, a, b = scored()
    options = {"measure": "AP", **options}
    with pytest.raises(pc.UsageError, match=said):
        pc.compare.cases(relevant, a, b, options.pop("measure"), **options)


# -- Planted mistakes


def paper() -> None:
    relevant, a, b = scored(40, 8)
    group = np.arange(40) // 3
    found = pc.compare.cases(relevant, a, b, "AUC", groups=group, test="obuchowski")
    assert error(found) ** 2 == pytest.approx(oracle.obuchowski(relevant, a, b, group)[1], rel=1e-9)


def weighed() -> None:
    relevant, a, b = scored(40, 9)
    weight = np.random.default_rng(9).random(40) + 0.2
    for name, test in (("AP", "influence"), ("AUC", "delong")):
        found = pc.compare.cases(relevant, a, b, name, test=test, weights=weight, missed=4)
        values = [oracle.measured(name)(relevant, side, weight, 4) for side in (a, b)]
        assert found.values == pytest.approx(values)
        assert error(found) ** 2 == pytest.approx(
            oracle.variance(name, relevant, a, b, weight, 4), rel=1e-5
        )


def in_part() -> None:
    relevant, a, b = scored(50, 10)
    for most in (0.15, 0.4):
        found = pc.compare.cases(relevant, a, b, f"AUC(max_fpr={most})")
        expected = oracle.variance("part", relevant, a, b, np.ones(50), 0, most)
        assert error(found) ** 2 == pytest.approx(expected, rel=1e-5)


def without_products(each: Any, relevant: Any, group: Any) -> float:
    alone = [np.where(kind, each, 0.0) for kind in (relevant, ~relevant)]
    return sum(OBUCHOWSKI(part, relevant, group) for part in alone)


def of_all_groups(each: Any, relevant: Any, group: Any) -> float:
    sums = np.bincount(group, weights=each)
    return float(np.sum(sums**2) * len(sums) / (len(sums) - 1))


def at_a_fixed_score(blocks: Any, part: float | None = None) -> Any:
    area, shares = COMPONENTS(blocks, part)
    if part is None:
        return area, shares
    inside = blocks.fp <= part * blocks.other
    lost = np.where(inside, (blocks.tp - blocks.positive / 2) / blocks.relevant, 0.0)
    return area, CountsByPart.of(blocks, shares.whole()[0], lost)


def unweighted(each: Any, other: Any) -> float:
    return INNER(np.sign(each) * np.sqrt(np.abs(each)), np.sign(other) * np.sqrt(np.abs(other)))


OBUCHOWSKI, COMPONENTS, INNER = influence.obuchowski, influence.components, two_lists.inner
RANKED = two_lists.rank_items
MUTANTS = {
    "products of both kinds forgotten": (paper, influence, "obuchowski", without_products),
    "one number of groups for all": (paper, influence, "obuchowski", of_all_groups),
    "cases for groups": (
        paper,
        influence,
        "obuchowski",
        lambda e, r, g: OBUCHOWSKI(e, r, np.arange(len(e))),
    ),
    "not squared": (weighed, two_lists, "inner", unweighted),
    "the rate at a fixed score": (in_part, influence, "components", at_a_fixed_score),
    "the whole area": (
        in_part,
        influence,
        "components",
        lambda blocks, part=None: COMPONENTS(blocks),
    ),
    "missed items are forgotten": (
        weighed,
        two_lists,
        "rank_items",
        lambda y, s, weight, missed: RANKED(y, s, weight),
    ),
}


@pytest.mark.parametrize("check", [paper, weighed, in_part], ids=lambda check: check.__name__)
def test_the_truth_passes(check):
    check()


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_found(name, monkeypatch):
    check, module, attribute, wrong = MUTANTS[name]
    monkeypatch.setattr(module, attribute, wrong)
    with pytest.raises(AssertionError):
        check()
