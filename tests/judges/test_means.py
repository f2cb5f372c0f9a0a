"""`pc.judge` of means: the formula written out anew, its laws, and what is refused and noted."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import precall as pc
from precall.core.notes import collect_notes
from precall.core.notes.of_intervals import SkewedValues
from precall.core.notes.of_judges import (
    FewUnitsByPeople,
    FewUnitsOfStratum,
    JudgeNeverWrong,
    JudgeTellsLittle,
    JudgeTellsNothing,
    JudgeVariesElsewhere,
    LabelsOfJudgeAlone,
    NotChosenAtRandom,
    UnlikeGrades,
)
from precall.stats.double_sampling import Choice, corrected_mean, people_alone
from tests.coverage import judges
from tests.noticed import noticed, warned
from tests.peers import peer

stats = peer("scipy.stats")


def _written_out(y: Any, f: Any, seen: Any, these: bool) -> tuple[float, float]:
    """Estimate and standard error with one stratum, straight from the formulas."""
    n, size, inside = int(seen.sum()), len(f), f[seen]
    slope = np.cov(inside, y)[0, 1] / inside.var(ddof=1)
    estimate = y.mean() + slope * (f.mean() - inside.mean())
    squares = ((inside - inside.mean()) ** 2).sum()
    error = y - y.mean() - slope * (inside - inside.mean())
    leverage = 1 / n + (inside - inside.mean()) ** 2 / squares
    spread = (error**2 / (1 - leverage)).sum() / n
    variance = spread * (1 / n - 1 / size)
    by_slope = ((inside - inside.mean()) ** 2 * error**2 / (1 - leverage)).sum() / squares**2
    variance += (f.mean() - inside.mean()) ** 2 * by_slope
    if not these:
        variance += (spread + slope**2 * f.var()) / size
    return float(estimate), math.sqrt(variance)


@st.composite
def samples(draw: st.DrawFn) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size = draw(st.integers(14, 80))
    n = draw(st.integers(10, size))
    judge = rng.random(size)
    people = draw(st.sampled_from([0.2, 0.8, -0.5])) * judge + rng.normal(0, 0.2, size)
    seen = np.zeros(size, np.bool_)
    seen[rng.choice(size, n, replace=False)] = True
    return people, judge, seen


@given(samples(), st.booleans())
@settings(max_examples=60, deadline=None)
def test_estimate_and_error_are_those_written_out(sample: Any, these: bool) -> None:
    people, judge, seen = sample
    found = corrected_mean(people[seen], judge, Choice.of(seen), these=these)
    estimate, error = _written_out(people[seen], judge, seen, these)
    assert found.estimate == pytest.approx(estimate, abs=1e-12)
    assert found.error == pytest.approx(error, abs=1e-10)
    assert found.freedom == seen.sum() - 2


@given(samples(), st.booleans(), st.floats(-3, 3).filter(lambda x: abs(x) > 0.01))
@settings(max_examples=40, deadline=None)
def test_a_judge_on_another_scale_or_the_opposite_changes_nothing(
    sample: Any, these: bool, factor: float
) -> None:
    people, judge, seen = sample
    choice = Choice.of(seen)
    found = corrected_mean(people[seen], judge, choice, these=these)
    other = corrected_mean(people[seen], factor * judge + 1, choice, these=these)
    assert other.estimate == pytest.approx(found.estimate, abs=1e-9)
    assert other.error == pytest.approx(found.error, abs=1e-8)


@given(samples())
@settings(max_examples=30, deadline=None)
def test_without_gaps_it_is_the_mean_of_people(sample: Any) -> None:
    people, judge, _ = sample
    everything = Choice.of(np.ones(len(people), np.bool_))
    found = corrected_mean(people, judge, everything, these=True)
    assert found.estimate == pytest.approx(people.mean(), abs=1e-12)
    assert found.error == pytest.approx(0, abs=1e-12)


def test_people_alone_of_a_population_is_the_t_interval() -> None:
    rng = np.random.default_rng(3)
    people = rng.random(30)
    seen = np.zeros(200, np.bool_)
    seen[:30] = True
    alone = people_alone(people, Choice.of(seen), these=False)
    told = pc.interval.mean(people, method="t")
    half = stats.t.ppf(0.975, alone.freedom) * alone.error
    # Of 200 units 30 were drawn, and 200 of all: their variances add up to that of 30 of all.
    assert told.width == pytest.approx(2 * half, rel=1e-12)


def test_labels_of_zero_and_one_are_post_stratified() -> None:
    rng = np.random.default_rng(5)
    judge = rng.integers(0, 2, 120).astype(float)
    people = np.where(rng.random(120) < 0.8, judge, 1 - judge)
    seen = rng.permutation(120) < 40
    found = corrected_mean(people[seen], judge, Choice.of(seen), these=False)
    shares = [(judge == value).mean() for value in (0, 1)]
    means = [people[seen & (judge == value)].mean() for value in (0, 1)]
    assert found.estimate == pytest.approx(float(np.dot(shares, means)), abs=1e-12)


def test_equal_probabilities_are_none() -> None:
    rng = np.random.default_rng(7)
    judge = rng.random(50)
    people = judge + rng.normal(0, 0.1, 50)
    seen = rng.permutation(50) < 20
    plain = corrected_mean(people[seen], judge, Choice.of(seen), these=False)
    given = Choice.of(seen, chance=np.full(20, 0.3))
    assert corrected_mean(people[seen], judge, given, these=False)[:6] == plain[:6]


def test_weights_undo_a_choice_by_the_judge() -> None:
    rng = np.random.default_rng(11)
    judge = rng.random(4000)
    people = (rng.random(4000) < judge**2).astype(float)
    chance = 0.02 + 0.3 * judge
    estimates = []
    for _ in range(300):
        seen = rng.random(4000) < chance
        choice = Choice.of(seen, chance=chance[seen])
        estimates.append(corrected_mean(people[seen], judge, choice, these=True).estimate)
    off = np.mean(estimates) - people.mean()
    assert abs(off) < 3 * np.std(estimates) / math.sqrt(300)


def test_groups_that_are_alike_widen_the_interval() -> None:
    rng = np.random.default_rng(13)
    group = np.repeat(np.arange(40), 5)
    level = rng.normal(0, 1, 40)[group]
    judge = level + rng.normal(0, 0.3, 200)
    people = (
        level * 0.2 + judge * 0.2 + rng.normal(0, 0.05, 200) + 0.3 * rng.normal(0, 1, 40)[group]
    )
    seen = np.isin(group, rng.choice(40, 14, replace=False))
    plain = corrected_mean(people[seen], judge, Choice.of(seen), these=False)
    grouped = corrected_mean(people[seen], judge, Choice.of(seen, group=group), these=False)
    assert grouped.estimate == pytest.approx(plain.estimate, abs=1e-12)
    assert grouped.error > 1.3 * plain.error
    assert grouped.freedom == pytest.approx(12)


# --- Qrels and runs ---


def _collection(
    topics: int = 60, by_people: int = 30, seed: int = 1
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Judgements of people and of a judge, and two runs; the judge takes the first item of the
    second run for relevant too often.
    """
    rng = np.random.default_rng(seed)
    truth = {
        f"q{t}": {f"d{i}": int(rng.random() < 0.6 - 0.04 * i) for i in range(12)}
        for t in range(topics)
    }
    judge = {
        topic: {
            item: int(grade if rng.random() < 0.9 else 1 - grade) if item != "d11" else 1
            for item, grade in items.items()
        }
        for topic, items in truth.items()
    }
    drawn = rng.choice(topics, by_people, replace=False)
    people = {f"q{t}": truth[f"q{t}"] for t in sorted(drawn)}
    first = {topic: {f"d{i}": 20.0 - i for i in range(12)} for topic in truth}
    second = {topic: items | {"d11": 99.0} for topic, items in first.items()}
    return people, judge, {"first": first, "second": second}


def _mean_precision(labels: Any, run: Any, topics: Any) -> list[float]:
    values = []
    for topic in topics:
        ranked = sorted(run[topic], key=lambda item: -run[topic][item])[:5]
        values.append(sum(labels[topic].get(item, 0) for item in ranked) / 5)
    return values


def test_topics_are_measured_by_both() -> None:
    people, judge, runs = _collection()
    found = pc.judge(people, judge, runs, ["P@5"], topics="qrels")
    for name, run in runs.items():
        value = found[name, "P@5"]
        y = np.array(_mean_precision(people, run, people))
        f = np.array(_mean_precision(judge, run, judge))
        seen = np.array([topic in people for topic in judge])
        order = [list(people).index(topic) for topic in judge if topic in people]
        estimate, error = _written_out(y[order], f, seen, these=False)
        assert value.estimate == pytest.approx(estimate, abs=1e-12)
        assert value.standard_error == pytest.approx(error, abs=1e-10)
        assert value.judge_alone == pytest.approx(f.mean(), abs=1e-12)
        assert value.people_alone.estimate == pytest.approx(y.mean(), abs=1e-12)
        assert value.labels == (30, 60)
    (pair,) = found.pairs
    assert pair.names == ("first", "second")
    gap = found["first", "P@5"].estimate - found["second", "P@5"].estimate
    assert pair.difference == pytest.approx(gap, abs=0.05)
    assert pair.favoured == "second"
    assert pair.judge_alone < 0 < pair.difference


def test_a_name_of_a_measure_finds_it() -> None:
    people, judge, runs = _collection()
    found = pc.judge(people, judge, runs["first"], ["Precision@5", "Recall@5"])
    assert found["P@5"] is found["Precision@5"]
    assert found["R@5"].measure == "Recall@5"
    assert pc.judge(people, judge, runs["first"], "P@5").estimate == found["P@5"].estimate


def test_one_value_is_asked_for_where_there_are_several() -> None:
    people, judge, runs = _collection()
    found = pc.judge(people, judge, runs, "P@5")
    with pytest.raises(pc.UsageError, match=r"found\[measure\]"):
        found.estimate  # noqa: B018 - the access raises
    with pytest.raises(KeyError, match="several runs"):
        found["P@5"]


def test_the_order_of_topics_changes_no_digit_but_by_rounding() -> None:
    people, judge, runs = _collection()
    found = pc.judge(people, judge, runs, "AP")
    turned = pc.judge(dict(reversed(people.items())), dict(reversed(judge.items())), runs, "AP")
    for key, value in found.values.items():
        assert turned.values[key].estimate == pytest.approx(value.estimate, abs=1e-14)
        assert turned.values[key].low == pytest.approx(value.low, abs=1e-14)


def test_swapped_runs_give_the_mirrored_difference() -> None:
    people, judge, runs = _collection()
    swapped = dict(reversed(runs.items()))
    (a,), (b,) = (pc.judge.compare(people, judge, given, "AP").pairs for given in (runs, swapped))
    assert (a.difference, a.low, a.high, a.p) == (-b.difference, -b.high, -b.low, b.p)
    assert a.favour.estimate == -b.favour.estimate


def test_items_that_only_the_judge_labelled_are_noted_or_take_its_label() -> None:
    people, judge, runs = _collection()
    partly = {
        topic: {i: g for i, g in items.items() if i != "d1"} for topic, items in people.items()
    }
    with warned(LabelsOfJudgeAlone):
        found = pc.judge(partly, judge, runs["first"], "P@5")
    (note,) = noticed(found, LabelsOfJudgeAlone)
    assert (note.items, note.total) == (30, 150)
    filled = {topic: items | {"d1": judge[topic]["d1"]} for topic, items in partly.items()}
    with warned(LabelsOfJudgeAlone):
        taken = pc.judge(partly, judge, runs["first"], "P@5", unjudged="judge")
    assert taken["P@5"].estimate == pc.judge(filled, judge, runs["first"], "P@5")["P@5"].estimate
    with pytest.raises(pc.UsageError, match="whole topics"):
        pc.judge(partly, judge, runs["first"], "P@5", unjudged="error")
    single = {topic: dict(list(items.items())[:1]) for topic, items in people.items()}
    with pytest.raises(pc.UsageError, match="30 of 150 items"):
        pc.judge(single, judge, runs["first"], "P@5")


def test_negative_grades_are_gaps() -> None:
    people, judge, runs = _collection()
    gaps = {topic: people.get(topic, dict.fromkeys(judge[topic], -1)) for topic in judge}
    found = pc.judge(gaps, judge, runs["first"], "P@5")["P@5"]
    assert found.labels == (30, 60)
    assert found.estimate == pc.judge(people, judge, runs["first"], "P@5")["P@5"].estimate


def test_what_people_chose_themselves_is_noted() -> None:
    people, judge, runs = _collection(200, 200)
    best = sorted(judge, key=lambda topic: -sum(judge[topic][f"d{i}"] for i in range(5)))[:40]
    chosen = {topic: people[topic] for topic in best}
    with warned(NotChosenAtRandom):
        pc.judge(chosen, judge, runs["first"], "P@5")


def test_notes_of_few_and_of_judges_that_tell_little() -> None:
    people, judge, runs = _collection(60, 14)
    with warned(FewUnitsByPeople):
        pc.judge(people, judge, runs["first"], "P@5")
    with collect_notes():
        _notes_of_judges(people, judge, runs)


def test_a_judge_that_saves_labels_is_not_said_to_tell_little() -> None:
    """Of 12 labels a correlation of .5 may be none, but it was said to be hardly one, beside a
    worth of 1.2: the noise of other tests was worth nothing as well.
    """
    people, judge, own = np.arange(12.0), np.zeros(60), np.random.default_rng(1).normal(size=60)
    judge[:12] = people / people.std() + 1.6 * (own[:12] - own[:12].mean()) / own[:12].std()
    judge[12:] = np.resize(judge[:12], 48)
    with collect_notes():
        found = pc.judge.values([*people, *[None] * 48], judge)
    assert found.worth > 1.1 and found.correlation < 2 / 12**0.5
    assert not noticed(found, JudgeTellsLittle)


def _notes_of_judges(people: Any, judge: Any, runs: Any) -> None:
    rng = np.random.default_rng(2)
    noise = {
        topic: {item: int(rng.random() < 0.5) for item in items} for topic, items in judge.items()
    }
    assert noticed(pc.judge(people, noise, runs["first"], "P@5"), JudgeTellsLittle)
    same = {topic: dict.fromkeys(items, 1) for topic, items in judge.items()}
    told = pc.judge(people, same, runs["first"], "P@5")
    assert noticed(told, JudgeTellsNothing)
    assert told.estimate == told.people_alone.estimate
    right = pc.judge(people, judge | people, runs["first"], "P@5")
    assert noticed(right, JudgeNeverWrong)
    graded = {topic: {i: 2 * g for i, g in items.items()} for topic, items in people.items()}
    assert noticed(pc.judge(graded, judge, runs["first"], "P@5"), UnlikeGrades)


def test_skewed_residuals_are_noted() -> None:
    rng = np.random.default_rng(4)
    judge = rng.random(100)
    people = [
        None if i % 4 else judge[i] + (i == 40) * 3.0 + rng.normal(0, 0.01) for i in range(100)
    ]
    with warned(SkewedValues):
        pc.judge.values(people, judge)


def _values(*columns: Any, **options: Any) -> Any:
    with collect_notes():
        return pc.judge.values(*columns, **options)


def test_numbers_of_the_judge_far_out_are_noted() -> None:
    """The old rule looked at residuals of people's units only, which cannot show what they miss."""
    rng = np.random.default_rng(4)
    truth = rng.random(200)
    judge = truth + rng.normal(0, 0.2, 200)
    people = np.where(np.arange(200) < 40, truth, np.nan)
    assert not noticed(_values(people, judge), JudgeVariesElsewhere)
    far = judge + 8.0 * (np.arange(200) % 33 == 32)  # one of people's units, five of the others
    assert noticed(_values(people, far), JudgeVariesElsewhere)
    unseen = judge + 8.0 * (np.arange(200) > 194)
    assert noticed(_values(people, unseen), JudgeVariesElsewhere)
    assert not noticed(_values(truth, unseen), JudgeVariesElsewhere)


def test_a_few_units_of_a_large_stratum_are_noted() -> None:
    rng = np.random.default_rng(4)
    truth, stratum = rng.random(200), np.where(np.arange(200) < 160, "large", "small")
    judge = truth + rng.normal(0, 0.2, 200)
    few = np.where((np.arange(200) < 4) | (np.arange(200) > 179), truth, np.nan)
    found = _values(few, judge, strata=stratum)
    (note,) = noticed(found, FewUnitsOfStratum)
    assert (note.units, note.share) == (4, 0.8)
    fair = np.where(np.arange(200) % 5 == 0, truth, np.nan)
    assert not noticed(_values(fair, judge, strata=stratum), FewUnitsOfStratum)


def test_skewness_is_that_of_what_the_mean_adds_up() -> None:
    """Residuals alone were tested; a few with large weights, or a few large groups, decide."""
    rng = np.random.default_rng(4)
    truth = rng.normal(size=120)
    judge = truth + rng.uniform(-1, 1, 120)
    seen = np.arange(120) < 40
    chance = np.where(np.arange(120) < 4, 0.03, rng.uniform(0.5, 0.9, 120))
    people = np.where(seen, truth, np.nan)
    assert not noticed(_values(people, judge), SkewedValues)
    weighed = _values(people, judge, probability=np.where(seen, chance, np.nan))
    assert noticed(weighed, SkewedValues)
    group = np.r_[np.zeros(12), np.arange(12, 120)].astype(int)
    shifted = np.where(np.arange(120) < 12, truth + 1.5, truth)
    people = np.where(seen, shifted, np.nan)
    assert not noticed(_values(people, judge), SkewedValues)
    assert noticed(_values(people, judge, groups=group), SkewedValues)


def test_equal_numbers_of_people_have_the_interval_of_their_mean() -> None:
    judge = [0.8, 0.8, 0.9, 0.9, 1.0, 1.0] * 7
    people = [1.0, None] * 21
    found = pc.judge.values(people, judge, range=(0, 1))
    told = pc.interval.mean([1.0] * 21, range=(0, 1))
    assert (found.estimate, found.low, found.high) == (1.0, told.low, told.high)


def _of_kinds(ones: list[int], drawn: list[int], total: list[int], of: str) -> tuple[float, float]:
    """Bounds of a share from Jeffreys' of each kind of units, written out anew."""
    part = np.array(total) / sum(total)
    share = np.array(ones) / drawn
    a, b = np.array(ones) + 0.5, np.array(drawn) - ones + 0.5
    low = np.minimum(np.where(ones, stats.beta.ppf(0.025, a, b), 0), share)
    high = np.where(np.array(ones) < drawn, stats.beta.ppf(0.975, a, b), 1)
    left = 1 - np.array(drawn) / total if of == "these" else np.ones(len(total))
    middle = part @ share
    sizes = stats.norm.ppf(0.975) ** 2 * (part @ share**2 - middle**2) / sum(total)
    sizes *= of == "population"
    below, above = ((part * (share - low)) ** 2 @ left, (part * (high - share)) ** 2 @ left)
    return float(middle - (below + sizes) ** 0.5), float(middle + (above + sizes) ** 0.5)


@pytest.mark.parametrize("of", ["population", "these"])
@pytest.mark.parametrize("ones", [[2, 5], [0, 3], [0, 0], [24, 5]])
def test_labels_of_0_and_1_have_the_bounds_of_shares(of: str, ones: list[int]) -> None:
    """The tables of coverage had measures of ten items only: of units of which 15 % are ones, 30
    labels covered 91 %, and no note said so.
    """
    drawn, total = [24, 6], [230, 70]
    people = [
        [1.0] * k + [0.0] * (n - k) + [None] * (N - n)
        for k, n, N in zip(ones, drawn, total, strict=True)
    ]
    judge = [0.0] * total[0] + [1.0] * total[1]
    found = pc.judge.values(people[0] + people[1], judge, of=of)
    assert found.ends == pytest.approx(_of_kinds(ones, drawn, total, of), abs=1e-9)
    if of == "these":  # the judge's mean of these is known
        middle = float(np.mean(judge))
        assert found.bias.ends == pytest.approx(
            (middle - found.high, middle - found.low), abs=1e-12
        )
    turned = pc.judge.values(people[0] + people[1], [-f for f in judge], of=of)
    assert turned.ends == pytest.approx(found.ends, abs=1e-12)
    mirrored = pc.judge.values(
        [None if y is None else 1 - y for y in people[0] + people[1]], judge, of=of
    )
    assert mirrored.ends == pytest.approx((1 - found.high, 1 - found.low), abs=1e-9)
    alone = found.people_alone
    if of == "population" and any(ones):
        k = sum(ones)
        ends = stats.beta.ppf([0.025, 0.975], k + 0.5, 30 - k + 0.5)
        assert alone.ends == pytest.approx(tuple(ends), abs=1e-12)


def _in_strata(
    ones: list[int], drawn: list[int], total: list[int]
) -> tuple[list[float | None], list[int]]:
    """People's labels of kinds of units, one after the other, and the kind of each unit."""
    people: list[float | None] = []
    for hits, labels, units in zip(ones, drawn, total, strict=True):
        people += [1.0] * hits + [0.0] * (labels - hits) + [None] * (units - labels)
    return people, np.repeat(np.arange(len(total)), total).tolist()


@pytest.mark.parametrize("of", ["population", "these"])
@pytest.mark.parametrize("ones", [[1, 3, 5, 9], [0, 0, 5, 9], [0, 0, 0, 0]])
def test_labels_in_strata_have_the_bounds_of_shares(of: str, ones: list[int]) -> None:
    """Bounds of shares were simulated without strata. Where a stratum of few ones and 15 labels is
    most of the units, and all 15 are 0, it seemed to be known: 67 % of intervals held the mean.
    """
    drawn, total = [10, 5, 12, 13], [600, 200, 90, 110]
    people, kind = _in_strata(ones, drawn, total)
    judge = [float(each % 2) for each in kind]
    strata = [each // 2 for each in kind]
    with collect_notes():
        found = pc.judge.values(people, judge, strata=strata, of=of)
    low, high = _of_kinds(ones, drawn, total, of)
    low, high = min(low, found.estimate), max(high, found.estimate)
    assert found.ends == pytest.approx((max(low, 0), high), abs=1e-9)
    alone = [ones[0] + ones[1], ones[2] + ones[3]], [15, 25], [800, 200]
    assert found.people_alone.ends == pytest.approx(
        tuple(np.clip(_of_kinds(*alone, of), 0, 1)), abs=1e-9
    )


def test_a_judge_of_chances_leaves_a_stratum_of_equal_labels_open() -> None:
    """Nothing varied in the stratum, so it added nothing to the interval."""
    people, strata = _in_strata([0, 10], [20, 20], [160, 40])
    judge = np.random.default_rng(5).random(200)
    with collect_notes():
        found = pc.judge.values(people, judge, strata=strata)
        equal = pc.judge.values(_in_strata([0, 0], [20, 20], [160, 40])[0], judge, strata=strata)
    unseen = 0.8 * stats.beta.ppf(0.975, 0.5, 20.5)
    assert found.high - found.estimate > 0.99 * unseen
    assert equal.ends == equal.people_alone.ends
    # Of 15 labels that stand for 80 % and a judge of chances, 91 % held the mean.
    few = _in_strata([1, 10], [15, 20], [160, 40])[0]
    with collect_notes():
        assert noticed(pc.judge.values(few, judge, strata=strata), FewUnitsOfStratum)
    assert unseen < equal.high < 1


def test_groups_in_strata_count_as_fewer_labels() -> None:
    """As above, of labels that come in pairs; pairs of equal labels tell what one does."""
    drawn, total = [10, 5, 12, 13], [600, 200, 90, 110]
    once, kind = _in_strata([0, 0, 5, 9], drawn, total)
    judge, strata = [float(each % 2) for each in kind], [each // 2 for each in kind]
    twice = [np.repeat(np.array(each, float), 2) for each in (once, judge, strata)]
    with collect_notes():
        found = pc.judge.values(once, judge, strata=strata)
        pairs = pc.judge.values(*twice[:2], strata=twice[2], groups=np.arange(1000).repeat(2))
        apart = pc.judge.values(*twice[:2], strata=twice[2])
    width, of_pairs, of_apart = (each.high - each.low for each in (found, pairs, apart))
    assert of_pairs == pytest.approx(width, rel=0.06)
    assert of_apart < 0.85 * of_pairs


def test_equal_labels_have_bounds_if_the_judge_says_0_and_1() -> None:
    """Where people saw 0 only, and the judge said 0 of all of them, there was no interval."""
    people, judge = [0.0] * 20 + [None] * 60, [0.0] * 70 + [1.0] * 10
    with collect_notes():
        found = pc.judge.values(people, judge)
        told = pc.interval.mean([0.0] * 20, range=(0, 1))
    assert found.ends == found.people_alone.ends == told.ends


def test_a_share_without_gaps_is_that_of_people() -> None:
    people, judge = [1.0, 0.0, 0.0, 1.0, 0.0] * 8, [1.0, 0.0, 1.0, 1.0, 0.0] * 8
    found = pc.judge.values(people, judge)
    assert found.ends == found.people_alone.ends
    ends = stats.beta.ppf([0.025, 0.975], 16.5, 24.5)
    assert found.ends == pytest.approx(tuple(ends), abs=1e-12)
    these = pc.judge.values(people, judge, of="these")
    assert these.low == these.high == pytest.approx(0.4, abs=1e-12)


def test_labels_of_0_and_1_with_chances_by_the_judge_stay_within_the_range() -> None:
    """Student's bounds are symmetric, and left the range of a share that is not told."""
    rng = np.random.default_rng(2)
    truth = (rng.random(400) < 0.06).astype(float)
    judge = 1 / (1 + np.exp(-(2 * truth - 2 + rng.normal(size=400))))
    people = np.where(np.arange(400) < 60, truth, np.nan)
    with warned(SkewedValues):  # 5 % ones and 60 labels: 90 % held the mean, without a note
        found = pc.judge.values(people, judge)
    assert 0 < found.low < found.estimate < found.high
    assert found.high - found.estimate > found.estimate - found.low
    with collect_notes():
        useless = pc.judge.values(people, rng.random(400))
    assert useless.high - useless.low < 1.05 * useless.people_alone.width


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"of": "all"}, "of"),
        ({"unjudged": "guess"}, "unjudged"),
        ({"undefined": "omit"}, "undefined"),
        ({"ties": "random"}, "ties"),
        ({"aggregate": "geometric"}, "averaged"),
        ({"probability": {"q1": 0.5}}, "has none"),
        ({"probability": {f"q{i}": 1.5 + i for i in range(60)}}, r"\(0, 1\]"),
        ({"probability": {"q1": 0.5}, "strata": {"q1": 1}}, "strata"),
        ({"strata": {f"q{i}": i // 2 for i in range(60)}}, "strata"),
        ({"groups": {"q1": 1}}, "groups"),
        ({"groups": {f"q{i}": [i] for i in range(60)}}, "texts or numbers"),
        ({"strata": {f"q{i}": i % 2 or math.nan for i in range(60)}}, "'q0' has none"),
        ({"strata": {f"q{i}": int(i > 0) for i in range(60)}}, "strata"),
        ({"probability": {f"q{i}": "often" for i in range(60)}}, "a number for each topic"),
        ({"probability": 0.5}, "dict by topic"),
        ({"human": 1}, "called people"),
        ({"level": 95}, "level"),
    ],
)
def test_refusals(options: dict[str, Any], match: str) -> None:
    people, judge, runs = _collection()
    with pytest.raises(pc.UsageError, match=match):
        pc.judge(people, judge, runs["first"], "P@5", **options)


@pytest.mark.parametrize(
    ("argument", "given", "match"),
    [
        ("probability", [0.5] * 39 + [0.0], r"got 0 for case 39; leave out"),
        ("probability", [50.0] * 40, "got 50 for case 0; divide percentages by 100"),
        ("probability", ["a"] * 40, "got 'a' for case 0"),
        ("probability", [0.5] * 30, "one for each of 40 cases; got 30"),
        ("groups", list(range(30)), "one for each of 40 cases; got 30"),
        ("strata", 3, "or a column with one for each case"),
        ("judge", [math.nan] + [1.0] * 39, "case 0 has no number; people come first"),
        ("score", [math.inf] + [1.0] * 39, "infinite number, inf at position 0; give"),
    ],
)
def test_refusals_of_columns_say_where_and_what_to_do(
    argument: str, given: Any, match: str
) -> None:
    """Columns of another length were said to be no dict, and no message had the case."""
    columns: dict[str, Any] = {
        "people": [0.0, 1.0] * 20,
        "judge": [0.0, 1.0, 1.0, 1.0] * 10,
        "score": list(range(40)),
        argument: given,
    }
    with pytest.raises(pc.UsageError, match=match):
        pc.judge.cases(columns.pop("people"), **columns)


def _verdict(judge: Any, people: Any, runs: Any, measures: Any = "P@5") -> str:
    with collect_notes():
        told = str(pc.judge(people, judge, runs, measures)).split("\n\n")[0]
    return " ".join(told.split())


@pytest.mark.parametrize("measures", ["P@5", ["P@5", "nDCG@5"]])
def test_the_verdict_names_no_run_where_all_are_equal(measures: Any) -> None:
    """A judge with one label for all, or two runs alike, had the first of the runs first."""
    people, judge, runs = _collection(60, 30)
    same = {topic: dict.fromkeys(items, 1) for topic, items in judge.items()}
    told = _verdict(same, people, runs, measures)
    assert "judge alone has all runs equal" in told
    assert "it favours" in told
    alike = {"first": runs["first"], "twin": runs["first"]}
    told = _verdict(judge, people, alike, measures)
    assert told.startswith("All runs have the same P@5")
    assert "judge alone has all runs equal" in told
    assert "highest" not in told


def test_rounding_is_no_favour() -> None:
    """A judge that agrees in everything favoured a run by 1e-17."""
    rng = np.random.default_rng(3)
    for _ in range(5):
        items = [f"d{i}" for i in range(12)]
        judge = {f"q{i}": {d: int(rng.random() < 0.4) for d in items} for i in range(60)}
        runs = {
            name: {topic: {d: float(rng.normal()) for d in items} for topic in judge}
            for name in "abc"
        }
        people = {topic: judge[topic] for topic in list(judge)[:25]}
        with collect_notes():
            found = pc.judge(people, judge, runs, "P@5")
        assert {pair.favoured for pair in found.pairs} == {None}
        assert "favours no run" in " ".join(str(found).split())


def test_too_few_topics_and_unknown_ones_are_refused() -> None:
    people, judge, runs = _collection(60, 9)
    with pytest.raises(pc.UsageError, match="9 topics"):
        pc.judge(people, judge, runs["first"], "P@5")
    with pytest.raises(pc.DataError, match="zz"):
        pc.judge(people | {"zz": {"d1": 1}}, judge, runs["first"], "P@5")
    with pytest.raises(pc.UsageError, match="lists"):
        pc.judge({topic: ["d1"] for topic in people}, judge, runs["first"], "P@5")
    with pytest.raises(pc.UsageError, match="two runs"):
        pc.judge.compare(*_collection()[:2], runs["first"], "P@5")


def test_agreement_is_that_of_a_table() -> None:
    statsmodels = pytest.importorskip("statsmodels.stats.inter_rater")
    rng = np.random.default_rng(8)
    people = rng.integers(0, 2, 150)
    judge = np.where(rng.random(150) < 0.85, people, 1 - people)
    found = pc.judge.agreement(people, judge)
    table = np.array([[((people == a) & (judge == b)).sum() for b in (0, 1)] for a in (0, 1)])
    other = statsmodels.cohens_kappa(table)
    assert found.kappa == pytest.approx(float(other.kappa), abs=1e-12)
    assert found.kappa_error == pytest.approx(float(other.std_kappa), rel=1e-9)
    assert found.false_positives == table[0, 1] / table[0].sum()
    assert found.false_negatives == table[1, 0] / table[1].sum()
    assert found.units == 150
    grouped = pc.judge.agreement(people, judge, groups=np.arange(150) // 150)
    assert grouped.kappa_error == pytest.approx(0, abs=1e-12)


def test_a_choice_of_units_alike_takes_a_shorter_way_to_the_same_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(13)
    for size in (12, 40, 200):
        seen = rng.permutation(size) < max(size // 3, 10)
        for judge in (rng.random(size), np.full(size, 0.1), rng.integers(0, 2, size) * 1.0):
            people = (judge + rng.normal(0, 0.2, size))[seen]
            choice = Choice.of(seen)
            for these in (False, True):
                short = corrected_mean(people, judge, choice, these=these)
                with monkeypatch.context() as patch:
                    patch.setattr(Choice, "is_plain", False)
                    long = corrected_mean(people, judge, choice, these=these)
                assert short[:6] == pytest.approx(long[:6], abs=1e-12)
                assert short.residuals == pytest.approx(long.residuals, abs=1e-12)


def test_few_units_of_a_large_stratum_decide_the_degrees_of_freedom() -> None:
    # Two units for half of all: with n - 3 degrees of freedom 75 % of intervals held the mean.
    rng = np.random.default_rng(17)
    judge, stratum = rng.random(200), np.repeat([0, 1], 100)
    people = judge + rng.normal(0, 0.1, 200)
    freedoms = []
    for small in (2, 5, 20):
        seen = np.zeros(200, np.bool_)
        seen[:small] = seen[100:120] = True
        choice = Choice.of(seen, stratum=stratum)
        freedoms.append(corrected_mean(people[seen], judge, choice, these=False).freedom)
    few, some, alike = freedoms
    assert few < 1.5 < some < 7 < 30 < alike <= 37


def test_a_large_group_decides_error_and_degrees_of_freedom() -> None:
    # Of groups of 1 to 40 topics 89.7 % of intervals held the mean, as if all were alike.
    judge = np.random.default_rng(19).random(120)
    seen = np.arange(120) < 60
    unlike = np.where(np.arange(120) < 30, 0, np.arange(120) // 2)
    alike = np.arange(120) // 2
    people = judge + np.where(seen, 0.1 * (-1.0) ** (np.arange(120) // 2), 0)
    large, small = (
        corrected_mean(people[seen], judge, Choice.of(seen, group=group), these=False)
        for group in (unlike, alike)
    )
    assert small.freedom == pytest.approx(28)
    assert large.freedom == pytest.approx(4)


def test_judge_and_people_of_all_topics_leave_no_doubt_about_these() -> None:
    _, judge, runs = _collection()
    for labels in (judge, {topic: dict.fromkeys(items, 1) for topic, items in judge.items()}):
        with collect_notes():
            found = pc.judge(labels, labels, runs["first"], "P@5", of="these")
        assert found.low == found.estimate == found.high == found.people_alone.estimate
        assert found.people_alone.low == found.people_alone.high
        assert found.worth == 1


def test_equal_differences_of_people_are_not_certain() -> None:
    # No topic of people tells two systems apart, and the judge says that others do.
    labels = {f"q{i}": {"a": 1, "b": 0} for i in range(200)}
    people = {topic: labels[topic] for topic in list(labels)[:40]}
    first = {topic: ["a", "b"] for topic in labels}
    other = first | {f"q{i}": ["b", "a"] for i in range(190, 200)}
    with collect_notes():
        (pair,) = pc.judge.compare(people, labels, {"x": first, "y": other}, "P@1").pairs
        (same,) = pc.judge.compare(people, labels, {"x": first, "y": first}, "P@1").pairs
    assert pair.low < -0.05
    assert pair.high > 0.05
    assert (pair.difference, pair.p) == (0, 1)
    assert (same.low, same.high, same.p) == (0, 0, 1)


def test_topics_of_the_run_count_only_if_the_judge_has_them() -> None:
    people, judge, runs = _collection()
    short = dict(list(runs["first"].items())[:45])
    # Topics of the run that people did not judge are no items without their label.
    with collect_notes():
        found = pc.judge(people, judge, short, "P@5", topics="run")
    assert found.labels == (sum(topic in short for topic in people), 45)
    assert not noticed(found, LabelsOfJudgeAlone)
    with pytest.raises(pc.DataError, match="'zz'"):
        pc.judge(people, judge, runs["first"] | {"zz": {"d1": 1.0}}, "P@5", topics="run")


def test_swapped_labels_and_other_topics_are_told_apart() -> None:
    people, judge, runs = _collection()
    with pytest.raises(pc.DataError, match="people come first"):
        pc.judge(judge, people, runs["first"], "P@5")
    with pytest.raises(pc.DataError, match="spell"):
        pc.judge({"x" + t: v for t, v in people.items()}, judge, runs["first"], "P@5")
    with pytest.raises(pc.DataError, match="below 0"):
        pc.judge({t: dict.fromkeys(v, -1) for t, v in people.items()}, judge, runs["first"], "P@5")
    with pytest.raises(pc.UsageError, match="people come first"):
        pc.judge.values([0.5] * 30, [0.5, None] * 15)
    with pytest.raises(pc.UsageError, match="unit 1 has no number"):
        pc.judge.values([0.5, None, 1] * 10, [0.5, None, 1] * 10)


def test_what_the_judge_did_not_label_is_in_no_agreement() -> None:
    people, judge, runs = _collection()
    gaps = {t: {i: -1 if i == "d3" else g for i, g in v.items()} for t, v in judge.items()}
    found = pc.judge(people, gaps, runs["first"], "P@5").agreement
    assert found is not None
    assert found.units == 30 * 11
    labels = [1, 0, None, 1], [1, None, 1, 0]
    assert pc.judge.agreement(*labels).units == 2


def test_keys_are_topics_whatever_type_they_have() -> None:
    people, judge, runs = _collection()
    numbered = [{int(t[1:]): v for t, v in each.items()} for each in (people, judge, runs["first"])]
    strata = {i: i % 2 for i in range(60)}
    found = pc.judge(*numbered, "P@5", strata=strata)
    same = pc.judge(
        people, judge, runs["first"], "P@5", strata={f"q{i}": v for i, v in strata.items()}
    )
    assert found.estimate == pytest.approx(same.estimate, abs=1e-12)


def test_columns_of_all_kinds_are_numbers_by_unit() -> None:
    pandas = pytest.importorskip("pandas")
    people, judge = [1, None, 0, None, 1, 1] * 6, [0.9, 0.8, 0.3, 0.7, 0.8, 0.5] * 6
    wanted = pc.judge.values(people, judge).estimate
    series, other = pandas.Series(people, dtype="Int64"), pandas.Series(judge)
    for columns in (
        (series, other),
        (series.array, judge),
        (series, judge),
        (people, other),
        (series.dropna(), other),
        (series[::-1], other),
        (dict(enumerate(people)), other),
    ):
        assert pc.judge.values(*columns).estimate == pytest.approx(wanted, abs=1e-12)
    twice = pandas.Series(judge, index=[0] * 36)
    # A dict would have lost all but one of them.
    with pytest.raises(pc.UsageError, match="twice"):
        pc.judge.values(twice, twice)
    for odd in (dict(enumerate(people)), 3, "abc", pandas.DataFrame({"x": people})):
        with pytest.raises(pc.UsageError, match="people"):
            pc.judge.values(odd, judge)
    with pytest.raises(pc.UsageError, match="infinite"):
        pc.judge.values([math.inf, *people[1:]], judge)


def test_the_page_has_the_record_of_coverage() -> None:
    cells = json.loads(judges.RECORD.read_text(encoding="utf-8"))["cells"]
    assert [cell["name"] for cell in cells] == [each.name for each in judges.SITUATIONS]
    assert "\n".join(judges.table(cells)) in judges.PAGE.read_text(encoding="utf-8")
    for cell in cells:
        assert cell["missed without a note"] < 0.07 + 2 * math.sqrt(0.07 * 0.93 / cell["draws"])


@pytest.mark.nightly
def test_coverage_is_still_that_of_the_record() -> None:
    cells = json.loads(judges.RECORD.read_text(encoding="utf-8"))["cells"]
    for cell, situation in list(zip(cells, judges.SITUATIONS, strict=True))[::5]:
        held = judges.simulate(situation, 200)["held"]["corrected"]
        assert abs(held - cell["held"]["corrected"]) < 0.05


def test_few_groups_are_refused_or_noted() -> None:
    people, judge, runs = _collection()

    def asked(groups: int) -> Any:
        by_topic = {f"q{i}": i % groups for i in range(60)}
        with collect_notes():
            return pc.judge(people, judge, runs["first"], "P@5", groups=by_topic)

    for few in (1, 3):
        with pytest.raises(pc.UsageError, match=f"got {few} group"):
            asked(few)
    (note,) = noticed(asked(6), FewUnitsByPeople)
    assert (note.units, note.noun) == (6, "groups")


@pytest.mark.parametrize("slopes", [(1.5, 0.3), (0.3, 1.5), (1.0, -1.0), (1.0, 1.0)])
def test_strata_whose_slopes_differ_keep_the_spread_of_people(slopes: tuple[float, float]) -> None:
    """Residuals from one slope for all strata go with the judge's numbers, and without that
    covariance 90 % of intervals held the mean. The records have strata of like slopes only.
    """
    rng = np.random.default_rng(5)
    judge, stratum = rng.normal(size=8000), np.arange(8000) % 4 // 3
    people = np.array(slopes)[stratum] * judge + 0.2 * rng.normal(size=8000)
    choice = Choice.of(np.arange(8000) % 40 != 3, stratum=stratum)
    all_, these = (
        corrected_mean(people[choice.seen], judge, choice, these=each) for each in (False, True)
    )
    for key, drawn in (("error", people), ("error_of_bias", people - judge)):
        added = getattr(all_, key) ** 2 - getattr(these, key) ** 2
        assert added == pytest.approx(np.var(drawn) / 8000, rel=0.05)
