"""Verdict and interval came from different methods: "better ... [-0.0001, 0.0369], p 0.0495" in 5
of 200 pairs.

The old tests compared each of both with an oracle of its own, Student's and that of signs, and
never one with the other.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_comparisons import RejectsNothing
from tests.noticed import noticed

RNG = np.random.default_rng(8)
LAWS = {
    "normal": lambda n: RNG.normal(0.3, 1, n),
    "heavy tails": lambda n: RNG.standard_t(2.5, n) / 20 + 0.02,
    "tenths": lambda n: np.round(RNG.normal(0.1, 0.3, n), 1),
    "sixths": lambda n: RNG.integers(-3, 5, n) / 6,
    "mostly equal": lambda n: (RNG.random(n) < 0.3) * RNG.normal(0.3, 1, n),
    "exponential": lambda n: RNG.exponential(1, n) - 0.8,
}


def excludes_zero(pair: pc.Comparison) -> bool:
    assert pair.low is not None and pair.high is not None
    return not pair.low <= 0 <= pair.high


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize("law", LAWS)
def test_p_and_interval_agree(law: str) -> None:
    seen = set()
    for size in (5, 6, 9, 14, 18, 21, 30, 45, 80):
        for _ in range(12):
            gap = LAWS[law](size)
            found = pc.compare.paired(gap, np.zeros(size), resamples=1999)
            if found.low is None:  # all alike, or so few that nothing is rejected
                continue
            assert excludes_zero(found) == (found.p <= 0.05 + 1e-12)
            if size > 5:
                ends = gap.min() - 1e-12, found.low, found.difference, found.high, gap.max() + 1e-12
                assert list(ends) == sorted(ends)
            way = "sampled" if "sampled" in found.how else found.how.partition("signs")[2]
            seen |= {way, found.p <= 0.05}
    # Enumerated and, by halves or convolved, without; or sampled; significant and not.
    assert len(seen) >= 4


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize("law", LAWS)
def test_p_and_interval_of_the_bootstrap_agree(law: str) -> None:
    """p counts means around 0, and the interval was percentiles of means around the difference: now
    and then they disagreed.
    """
    rng, seen = np.random.default_rng(31), set()
    for size in (3, 4, 7, 12, 25, 60):
        for level in (0.5, 0.8, 0.95):
            for seed in range(8):
                gap = LAWS[law](size) * rng.uniform(0.2, 2)
                found = pc.compare.paired(
                    gap, np.zeros(size), test="bootstrap", level=level, resamples=399, rng=seed
                )
                if found.low is None or found.seed is None:  # all alike; or p is that of the signs
                    continue
                assert excludes_zero(found) == (found.p <= 1 - level + 1e-12)
                assert found.interval == "inverted bootstrap"
                assert found.difference == pytest.approx((found.low + found.high) / 2, abs=1e-12)
                seen.add(found.p <= 1 - level)
    assert seen == {False, True}


def test_few_resamples_of_the_bootstrap_rule_out_nothing() -> None:
    gap = np.array([0.3, 0.1, 0.4, 0.2, 0.25, 0.35, 0.3])
    found = pc.compare.paired(gap * 3, np.zeros(7), test="bootstrap", resamples=15)
    assert found.p > 0.05 and found.low is None
    assert found.no_interval == "15 resamples can rule out no difference at level 0.95"
    found = pc.compare.paired(gap, np.zeros(7), test="bootstrap", resamples=15)
    assert (found.low, found.high) == (-1.0, 1.0)


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_bca_of_topics_in_any_order() -> None:
    for seed in range(60):
        values = np.random.default_rng(seed).random(29) ** 5
        one, other = (
            pc.interval.mean(some, method="bca", range=(0, 1), resamples=500)
            for some in (values, values[::-1])
        )
        assert (one.low, one.high) == (other.low, other.high)


@pytest.mark.parametrize("resamples", [999, 1999, 5000, 20_000, 100_000])
def test_drawn_bounds_are_near_those_of_all_signs(
    resamples: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Beside p, which decides on which side of 0 they are: else a wrong rank would be hidden.
    gap = np.random.default_rng(2).normal(0, 1, 16)
    drawn = pc.compare.paired(np.r_[gap, 0, 0], np.zeros(18), resamples=resamples)
    both = pc.compare.paired(np.r_[gap, 0, 0], np.zeros(18), resamples=2**17)
    monkeypatch.setattr(
        "precall.stats.tests.signflip.reconcile_bounds", lambda low, high, *_: (low, high)
    )
    alone = pc.compare.paired(np.r_[gap, 0, 0], np.zeros(18), resamples=resamples)
    assert both.seed is None and drawn.seed == 0
    assert both.low is not None and both.high is not None
    width = both.high - both.low
    for found in (drawn, alone):
        for end in ("low", "high"):
            assert getattr(found, end) == pytest.approx(
                getattr(both, end), abs=2 * width / resamples**0.5
            )


@pytest.mark.parametrize("level", [0.8, 0.9, 0.99])
def test_at_every_level(level: float) -> None:
    for size in (8, 20, 50):
        for shift in np.linspace(0, 0.8, 9):
            gap = np.random.default_rng(size).normal(shift, 1, size)
            found = pc.compare.paired(gap, np.zeros(size), level=level, resamples=1999)
            assert found.low is None or excludes_zero(found) == found.significant


@pytest.mark.nightly
def test_pairs_that_were_told_apart_by_p_and_not_by_the_interval() -> None:
    # Of real systems' AP, where Student's interval held 0 and p of signs was below .05, or the
    # other way round.
    from tests.coverage import laws

    values = laws.matrix("adhoc7_ap")[:, ::3]
    found = pc.compare.many(values, correction="none", resamples=9999)
    assert all(excludes_zero(pair) == pair.significant for pair in found.pairs)
    student = pc.compare.many(values, test="t", correction="none")
    apart = [
        pair
        for pair, other in zip(found.pairs, student.pairs, strict=True)
        if pair.significant != excludes_zero(other)
    ]
    assert len(apart) > 0


@pytest.mark.parametrize("size", [6, 13, 30, 70])
def test_a_swapped_pair_is_the_mirror(size: int) -> None:
    rng = np.random.default_rng(size)
    cases = [
        rng.normal(0.2, 1, size),
        np.round(rng.normal(0, 0.2, size), 1),
        rng.exponential(1, size),
    ]
    centred = np.round(rng.normal(0, 1, size), 2)
    cases.append(np.r_[centred, -centred])  # the mean is 0, and either system may come first
    cases.append(np.r_[3.0, -1, -1, -1, np.zeros(size)])
    for gap in cases:
        for test in ("randomization", "t", "wilcoxon", "sign", "bootstrap"):
            one, other = (
                pc.compare.paired(*pair, test=test, resamples=999)
                for pair in (
                    (gap, np.zeros(len(gap))),
                    (np.zeros(len(gap)), gap),
                )
            )
            assert other.p == one.p and other.difference == 0 - one.difference
            assert (other.low, other.high) == (0.0 - one.high, 0.0 - one.low)  # type: ignore[operator]
            assert other.effect == 0 - one.effect  # type: ignore[operator]
            order = rng.permutation(len(gap))
            again = pc.compare.paired(gap[order], np.zeros(len(gap)), test=test, resamples=999)
            assert (again.p, again.low, again.high, again.effect) == (
                one.p,
                one.low,
                one.high,
                one.effect,
            )


@pytest.mark.parametrize("correction", ["none", "tukey"])
@pytest.mark.parametrize("size", [12, 40])
def test_order_of_topics_and_systems_changes_no_digit(correction: str, size: int) -> None:
    rng = np.random.default_rng(size)
    values = rng.normal(size=(size, 4)) + 0.3 * np.arange(4)
    names = list("wxyz")
    first = pc.compare.many(
        dict(zip(names, values.T, strict=True)), correction=correction, resamples=1999
    )
    turned = values[rng.permutation(size)][:, ::-1]
    second = pc.compare.many(
        dict(zip(names[::-1], turned.T, strict=True)), correction=correction, resamples=1999
    )
    by_name = {pair.names[::-1]: pair for pair in second.pairs}
    for pair in first.pairs:
        other = by_name[pair.names]
        assert (other.p, other.adjusted, other.effect) == (pair.p, pair.adjusted, 0 - pair.effect)  # type: ignore[operator]
        assert (other.low, other.high) == (0.0 - pair.high, 0.0 - pair.low)  # type: ignore[operator]


@pytest.mark.parametrize("size", [2, 3, 5])
def test_so_few_topics_reject_nothing(size: int) -> None:
    a, b = np.linspace(0.6, 0.9, size), np.linspace(0.1, 0.2, size)
    found = pc.compare.paired(a, b)
    assert (found.low, found.high) == (-1.0, 1.0) and found.interval == "inverted randomization"
    assert noticed(found, RejectsNothing)
    # Of values of no known range there is none, and it is said why.
    other = pc.compare.paired(100 * a, 100 * b)
    assert (other.low, other.high) == (None, None)
    assert other.no_interval == f"{size} topics can rule out no difference at level 0.95"
    three = pc.compare.many(
        {"a": a, "b": b, "c": b + np.linspace(0, 0.05, size)}, correction="tukey"
    )
    assert {(pair.low, pair.high) for pair in three.pairs} == {(-1.0, 1.0)}


@pytest.mark.parametrize(
    ("measure", "ends"),
    [
        ("AP", (0, 1)),
        ("MCC", (-1, 1)),
        ("micro-MCC", (-1, 1)),
        ("kappa", (-1, 1)),
        ("EF@20%", (0, 5)),
        ("EF@50%", (0, 2)),
        ("clicks", (0, 1)),
        *((name, None) for name in ("DCG@5", "LR+", "SetLR+", "setlr+", "LR+(x=1)", "Utility")),
    ],
)
def test_differences_go_as_far_as_the_range_of_the_measure(measure, ends) -> None:
    """They were cut at -1 and 1, and LR+ without its parameters was a name of one's own."""
    a, b = np.linspace(0.6, 0.9, 4), np.linspace(0.1, 0.2, 4)
    pairs = [
        pc.compare.paired(a, b, measure=measure),
        *pc.compare.many({"a": a, "b": b, "c": a / 2}, measure=measure).pairs,
    ]
    far = None if ends is None else float(ends[1] - ends[0])
    for pair in pairs:
        assert (pair.low, pair.high) == (far and -far, far)
        told = [(note.least, note.most) for note in noticed(pair, RejectsNothing)]
        assert told == ([] if ends is None else [ends])
    # Values beyond the range are no values of the measure.
    assert pc.compare.paired(200 * a, b, measure=measure).low is None


def report_of(measure: str, size: int) -> pc.Report:
    rng = np.random.default_rng(size)
    qrels = {f"q{i}": {f"d{j}": int(rng.random() < 0.4) for j in range(20)} for i in range(size)}
    runs = {
        name: {
            topic: {item: rng.random() + weight * (grade > 0) for item, grade in items.items()}
            for topic, items in qrels.items()
        }
        for name, weight in (("x", 0.6), ("y", 0.0))
    }
    return pc.evaluate(qrels, runs, [measure])


@pytest.mark.parametrize(
    ("measure", "reach"), [("AP", 1.0), ("RR", 1.0), ("GMAP", -math.log(1e-5))]
)
def test_measures_have_their_range(measure: str, reach: float) -> None:
    for test in ("randomization", "t"):
        pair = pc.compare(report_of(measure, 3), test=test).pairs[0]
        assert (
            pair.low is not None
            and pair.high is not None
            and -reach <= pair.low < pair.high <= reach
        )
        if test == "randomization":
            assert (pair.low, pair.high) == pytest.approx((-reach, reach))
    # A sum has no end that is known.
    assert pc.compare(report_of("DCG@10", 3)).pairs[0].low is None


def test_a_one_sided_p_leaves_the_interval_two_sided() -> None:
    gap = np.random.default_rng(3).normal(0.3, 1, 60)
    both = pc.compare.paired(gap, np.zeros(60), resamples=1999)
    for side in ("greater", "less"):
        one = pc.compare.paired(gap, np.zeros(60), alternative=side, resamples=1999)
        assert (one.low, one.high) == (both.low, both.high)
        assert (
            f"interval by inverted randomization, p by randomization ({side})" in one.verdict.text
        )


@pytest.mark.parametrize(
    ("test", "interval", "said"),
    [
        ("randomization", "inverted randomization", "; interval by inverted randomization."),
        ("t", "t", "; interval by t."),
        ("wilcoxon", "t", "; interval by t, p by wilcoxon."),
        ("sign", "t", "; interval by t, p by sign."),
        ("bootstrap", "inverted bootstrap", "; interval by inverted bootstrap."),
    ],
)
def test_every_form_says_what_the_interval_is_by(test: str, interval: str, said: str) -> None:
    gap = np.random.default_rng(4).normal(0.3, 1, 60)
    pair = pc.compare.paired(gap, np.zeros(60), test=test, resamples=999)
    assert pair.interval == pair.to_dict()["interval"] == interval
    assert pair.verdict.text.endswith(said) and pair.verdict.to_dict()["interval"] == interval
    assert f"({interval}" in str(pair) and f"bounds {interval}" in pair.to_markdown()
    assert pair.to_pandas()["interval"].tolist() == [interval]
    many = pc.compare.many(
        {"a": gap, "b": np.zeros(60), "c": gap[::-1] - 0.9}, test=test, resamples=999
    )
    assert many.conventions["bounds"] == interval
    assert f"intervals by {interval}, p by {test}, adjusted by holm." in many.verdicts["value"].text


def test_other_comparisons_say_it_too() -> None:
    rng = np.random.default_rng(5)
    y = rng.random(80) < 0.4
    a, b = rng.normal(size=(2, 80)) + np.array([[1.5], [0.5]]) * y
    for measure, test, interval in (
        ("AP", "permutation", "influence"),
        ("AP", "bootstrap", "percentile"),
        ("AUC", None, "delong"),
        ("AUC", "permutation", "delong"),
        ("P@10", "fisher", "mover"),
        ("R@10", "influence", "influence"),
    ):
        pair = pc.compare.cases(y, a, b, measure, test=test, resamples=199)
        assert pair.interval == interval and f"interval by {interval}" in pair.verdict.text
        assert ("p by" in pair.verdict.text) == (pair.test != interval)
    at = pc.compare.cases(y, a, b, "R", threshold=0.5)
    assert at.interval == "Agresti-Min"
    group = np.arange(80) // 4
    grouped = pc.compare.cases(y, a, b, "R", threshold=0.5, groups=group)
    assert grouped.interval == "inverted randomization" and excludes_zero(grouped) == (
        grouped.p <= 0.05
    )
    decided = pc.compare.decisions(y, a > 0.5, b > 0.5, "F", interval="bca")
    assert decided.interval == "bca"
    assert pc.compare.decisions(y, a > 0.5, b > 0.5, "F").interval == "mover"


def test_exact_p_with_drawn_bounds_tells_the_seed_beside_these() -> None:
    gap = np.round(np.random.default_rng(6).normal(0.1, 0.3, 40), 1)
    found = pc.compare.paired(gap, np.zeros(40), rng=7)
    assert found.seed == 7
    assert "(inverted randomization, 100,000 resamples, seed 7)" in str(found)
    assert "by convolution)" in str(found)
    few = pc.compare.paired(gap[:12], np.zeros(12), rng=7)
    assert few.seed is None and "(inverted randomization)" in str(few)


def test_bounds_that_were_drawn_tell_how_many_samples_they_are_of() -> None:
    """An exact p hid how few samples gave the bounds: only a sampled p had their number."""
    gap = np.round(np.random.default_rng(6).normal(0.1, 0.3, 40), 1)
    pair = pc.compare.paired(gap, np.zeros(40), resamples=50)
    assert pair.method.exact and pair.interval_resamples == 50
    assert pair.to_dict()["interval_resamples"] == 50
    assert pair.sheet().conventions["bounds"] == "inverted randomization (50 resamples)"
    assert "by inverted randomization (50 resamples)" in pair.to_latex()
    systems = {"a": gap, "b": np.zeros(40), "c": gap[::-1]}
    many = pc.compare.many(systems, resamples=999)
    assert many.conventions["bounds"] == "inverted randomization (999 resamples)"
    # All signs of 12 topics are gone through, a formula draws nothing, and p tells its own number.
    few = pc.compare.paired(gap[:12], np.zeros(12), resamples=50)
    assert few.interval_resamples is None
    assert few.sheet().conventions["bounds"] == "inverted randomization"
    assert pc.compare.paired(gap, np.zeros(40), test="t").interval_resamples is None
    drawn = pc.compare.paired(gap, np.zeros(40), test="bootstrap", resamples=999)
    assert drawn.interval_resamples == 999
    assert drawn.sheet().conventions["bounds"] == "inverted bootstrap"
    y = np.arange(60) % 3 == 0
    decided = pc.compare.decisions(y, gap[np.arange(60) % 40] > 0.1, y, "F", interval="percentile")
    assert decided.interval_resamples
    assert f"({decided.interval_resamples:,} resamples)" in decided.sheet().conventions["bounds"]


@pytest.mark.parametrize("threads", ["1", "3"])
def test_kernel_and_threads_change_no_digit(threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(9).normal(size=(45, 5))
    expected = [
        (pair.p, pair.low, pair.high) for pair in pc.compare.many(values, resamples=9000).pairs
    ]
    monkeypatch.setenv("PRECALL_THREADS", threads)
    monkeypatch.setattr("precall.stats.tests.many._SUMS", 2 * 9000)  # two columns at a time
    assert [
        (pair.p, pair.low, pair.high) for pair in pc.compare.many(values, resamples=9000).pairs
    ] == expected
