"""Cases: from 19,999 to 20,001 items p fell from 2e-4 in twelve seconds to 6e-42 in none, and
nothing was said.

The old tests had no more than 1,500 items. And `groups=` meant another area than that of
`pc.interval`, without the patients that had one class only: the tests took the mean over groups for
granted.
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_comparisons import InfluenceByDefault, LeastOfExchanges, RareHits
from precall.stats.tests import lists as items
from tests.noticed import noticed


def cases(
    size: int, relevant: int, seed: int, gain: float = 0.0
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    drawn = np.random.default_rng(seed)
    label = np.arange(size) < relevant
    quality = drawn.normal(size=size) + 1.5 * label
    return (
        label,
        quality + drawn.normal(0, 0.5, size) + gain * label,
        quality + drawn.normal(0, 0.5, size),
    )


@pytest.mark.parametrize("relevant", [100, 2000])
def test_one_test_on_both_sides_of_the_old_limit(relevant: int) -> None:
    found = [
        pc.compare.cases(*cases(size, relevant, 1, 1.0), resamples=400) for size in (19_999, 20_001)
    ]
    assert {one.test for one in found} == {"permutation"}
    for one in found:
        assert one.p == 1 / 401
        assert [note.values for note in noticed(one, LeastOfExchanges)] == [
            {"p": one.p, "resamples": 400}
        ]
        assert len(one.notes) == 1


@pytest.mark.nightly
def test_few_relevant_items_among_many_others_are_few_rows() -> None:
    found = pc.compare.cases(*cases(1_000_000, 20, 2), resamples=200)
    assert found.test == "permutation" and found.how == "200 sampled exchanges of ranks"


def test_a_switch_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(items, "LARGE", 1_000)
    found = pc.compare.cases(*cases(2_000, 400, 3))
    (note,) = noticed(found, InfluenceByDefault)
    assert found.test == "influence" and note.most == 1_000 < note.rows
    assert (
        pc.compare.cases(*cases(2_000, 400, 3), test="permutation", resamples=99).test
        == "permutation"
    )


def test_the_influence_test_of_few_relevant_items_is_warned_of_and_no_default() -> None:
    label, a, b = cases(2_000, 20, 4)
    found = pc.compare.cases(label, a, b, test="influence")
    assert [note.values for note in noticed(found, RareHits)] == [{"relevant": 20, "items": 2_000}]
    assert pc.compare.cases(label, a, b, resamples=99).test == "permutation"


@pytest.mark.nightly
def test_the_influence_test_does_reject_too_seldom() -> None:
    rejected = sum(
        pc.compare.cases(*cases(2_000, 20, seed), test="influence").p <= 0.05 for seed in range(400)
    )
    assert rejected <= 10  # 4.8 by the simulation that the note is of; 20 would be 5 %


@pytest.mark.nightly
def test_the_default_keeps_its_size_where_few_of_many_are_relevant() -> None:
    rejected = sum(
        pc.compare.cases(*cases(2_000, 20, seed), resamples=199).p <= 0.05 for seed in range(200)
    )
    assert 1 <= rejected <= 19  # 10, and three standard errors


def patients() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    label, a, b = cases(200, 60, 5)
    return label, a, b, np.random.default_rng(5).integers(0, 80, 200)


@pytest.mark.parametrize(
    ("measure", "of"), [("AUC", "area_under_roc"), ("AP", "average_precision")]
)
def test_groups_mean_what_they_mean_for_intervals(measure: str, of: str) -> None:
    label, a, b, patient = patients()
    found = pc.compare.cases(label, a, b, measure, groups=patient, resamples=300)
    assert found.measure == f"{measure}, {len(set(patient))} groups" and found.left_out == 0
    one = getattr(pc.interval, of)(label, a, groups=patient)
    assert found.values[0] == pytest.approx(one.estimate)
    assert 0 < found.p <= 1 and found.low < found.difference < found.high
    # Against a score that says nothing the difference varies as the one area does.
    if measure == "AUC":
        against = pc.compare.cases(label, a, np.zeros(200), measure, groups=patient)
        assert against.difference / against.statistic == pytest.approx(one.standard_error)


def test_items_in_groups_of_their_own_are_as_without() -> None:
    label, a, b, _ = patients()
    alone = pc.compare.cases(label, a, b, "AUC", groups=np.arange(200))
    assert alone.statistic == pytest.approx(
        pc.compare.cases(label, a, b, "AUC").statistic, rel=0.02
    )


@pytest.mark.nightly
def test_groups_of_a_size_keep_the_test_s_size() -> None:
    rejected = dict.fromkeys(("delong", "permutation"), 0)
    for seed in range(150):
        label, a, b = cases(40, 16, seed)
        # Three copies of each item are one patient; as items they would be thrice the evidence.
        many = [np.repeat(column, 3) for column in (label, a, b)]
        for test in rejected:
            found = pc.compare.cases(
                *many, "AUC", test=test, groups=np.repeat(np.arange(40), 3), resamples=99
            )
            rejected[test] += found.p <= 0.05
    assert all(count <= 17 for count in rejected.values()), rejected


def test_topics_are_averaged_and_the_line_says_so() -> None:
    label, a, b, topic = patients()
    found = pc.compare.cases(label, a, b, "AUC", topics=topic % 4)
    assert found.measure == "mean AUC over 4 topics"
    with pytest.raises(pc.UsageError, match="groups and topics: both given"):
        pc.compare.cases(label, a, b, groups=topic, topics=topic)
