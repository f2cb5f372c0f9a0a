"""`pc.judge.plan`: the formula written out anew, its pilots, and what is refused."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.core.notes import collect_notes
from tests.coverage import judge_plans, judges
from tests.judges.test_means import _collection
from tests.peers import peer

stats = peer("scipy.stats")


def _width(n: int, units: int, s: float, r: float, these: bool, level: float = 0.95) -> float:
    """The width of the interval, straight from the formula."""
    variance = s**2 * (1 - r**2) * (1 / n - 1 / units) * (1 + 1 / (n - 3))
    variance += 0 if these else s**2 / units
    return float(2 * stats.t.ppf(0.5 + level / 2, n - 2) * math.sqrt(variance))


def _power(n: int, units: int, s: float, r: float, difference: float) -> float:
    """The chance that the statistic is beyond the quantile, by the noncentral t."""
    error = _width(n, units, s, r, False) / 2 / stats.t.ppf(0.975, n - 2)
    t = stats.nct(n - 2, difference / error)
    quantile = stats.t.ppf(0.975, n - 2)
    return float(t.sf(quantile) + t.cdf(-quantile))


@pytest.mark.parametrize("of", ["population", "these"])
@pytest.mark.parametrize(
    ("s", "r", "units", "width"), [(0.25, 0.8, 200, 0.12), (0.4, 0.3, 900, 0.1)]
)
def test_labels_for_a_width_are_the_fewest_that_give_it(
    of: str, s: float, r: float, units: int, width: float
) -> None:
    plan = pc.judge.plan(deviation=s, correlation=r, units=units, width=width, of=of)
    n = plan.labels
    assert n is not None
    assert (
        _width(n, units, s, r, of == "these") <= width < _width(n - 1, units, s, r, of == "these")
    )
    (facts,) = plan.designs.values()
    assert facts["without the judge for the width"] > n
    assert str(n) in str(plan)


def test_labels_for_a_difference_are_the_fewest_that_show_it() -> None:
    asked = {"deviation": 0.3, "correlation": 0.7, "units": 400}
    n = pc.judge.plan(**asked, difference=0.06, power=0.9).labels
    assert n is not None
    assert _power(n, 400, 0.3, 0.7, 0.06) >= 0.9 > _power(n - 1, 400, 0.3, 0.7, 0.06)
    facts = pc.judge.plan(**asked, labels=n, power=0.9).designs["mean"]
    assert facts["expected width"] == pytest.approx(_width(n, 400, 0.3, 0.7, False), rel=1e-12)
    assert _power(n, 400, 0.3, 0.7, float(facts["least difference seen"] or 0)) == pytest.approx(
        0.9, abs=1e-9
    )


def test_no_number_of_labels_makes_up_for_too_few_units() -> None:
    # Of 200 topics with a deviation of .238 nobody learns the mean to a width of .06.
    plan = pc.judge.plan(deviation=0.238, correlation=0.99, units=200, width=0.06)
    assert plan.labels is None
    (facts,) = plan.designs.values()
    assert facts["units for the width"] == pytest.approx(242, abs=4)
    assert "more than" in str(plan)
    these = pc.judge.plan(deviation=0.238, correlation=0.99, units=200, width=0.06, of="these")
    assert these.labels is not None


def test_agreement_of_labels_is_a_correlation_of_means() -> None:
    rng = np.random.default_rng(3)
    chance = rng.beta(2, 2, 200_000)
    people = rng.random((len(chance), 10)) < chance[:, None]
    judge = people ^ (rng.random(people.shape) < 0.1)
    y, f = people.mean(axis=1), judge.mean(axis=1)
    plan = pc.judge.plan(deviation=y.std(), agreement=0.9, items=10, units=200, width=0.2)
    found = plan.designs["mean"]["correlation"]
    assert found == pytest.approx(np.corrcoef(y, f)[0, 1], abs=0.005)
    single = pc.judge.plan(deviation=0.5, agreement=0.9, units=200, width=0.2)
    assert single.designs["mean"]["correlation"] == pytest.approx(0.8, abs=1e-12)


def test_a_pilot_tells_deviation_and_correlation() -> None:
    people, judge, runs = _collection()
    with collect_notes():
        found = pc.judge(people, judge, runs, "P@5", topics="qrels")
    value = found["first", "P@5"]
    y = [sum(items.get(f"d{i}", 0) for i in range(5)) / 5 for items in people.values()]
    plan = found.plan(width=0.3)
    facts = plan.designs["first"]
    assert facts["deviation"] == pytest.approx(np.std(y, ddof=1), rel=1e-9)
    rest = (1 - value.correlation**2) * 29 / 28
    assert facts["correlation"] == pytest.approx(math.sqrt(1 - rest), rel=1e-9)
    assert (facts["units"], facts["pilot labels"]) == (60, 30)
    assert value.plan(width=0.3).designs["P@5"] == facts
    assert {*plan.designs} == {"first", "second"}
    with pytest.raises(pc.UsageError, match="several designs"):
        plan.labels  # noqa: B018 - the access raises
    (pair,) = pc.judge.plan(found, difference=0.1).designs
    assert pair == "first - second"
    assert (
        pc.judge.plan(found.pairs[0], difference=0.1).labels
        == pc.judge.plan(found, difference=0.1).labels
    )


def test_of_these_units_the_pilot_says_so() -> None:
    people, judge, runs = _collection()
    with collect_notes():
        found = pc.judge(people, judge, runs["first"], "P@5", topics="qrels", of="these")
        whole = pc.judge(people, judge, runs["first"], "P@5", topics="qrels")
    plan = found.plan(width=0.1)
    assert plan.of == "these"
    deviations = [each.plan(width=0.1).designs["P@5"]["deviation"] for each in (found, whole)]
    assert deviations[0] == pytest.approx(deviations[1], rel=1e-9)


def test_the_wider_of_two_designs_is_said_of_many() -> None:
    people, judge, runs = _collection()
    many = {f"r{i}": runs["first" if i % 2 else "second"] for i in range(5)}
    with collect_notes():
        plan = pc.judge(people, judge, many, "P@5", topics="qrels").plan(width=0.3)
    assert str(plan).startswith("The most of 5 designs: ")
    document = json.loads(plan.to_json())
    assert document["designs"]["r0"]["units"] == 60


_ASSUMED: dict[str, Any] = {"deviation": 0.2, "correlation": 0.8, "units": 100}


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({**_ASSUMED}, "nothing is asked for"),
        ({"width": 0.1}, "deviation"),
        ({"width": 0.1, "deviation": 0.2, "correlation": 0.8}, "units"),
        ({**_ASSUMED, "width": 0.1, "agreement": 0.9}, "one of the two"),
        ({**_ASSUMED, "width": 0.1, "correlation": None}, "one of the two"),
        ({**_ASSUMED, "width": 0.1, "correlation": 1.2}, r"in \[-1, 1\]"),
        ({**_ASSUMED, "width": 0.1, "correlation": "high"}, "correlation"),
        ({**_ASSUMED, "width": 0.1, "correlation": None, "agreement": 1.2}, "agreement"),
        ({**_ASSUMED, "width": 0.1, "items": 10}, "belongs to the agreement"),
        ({**_ASSUMED, "width": -0.1}, "width"),
        ({**_ASSUMED, "difference": 0}, "difference"),
        ({**_ASSUMED, "labels": 9}, "labels"),
        ({**_ASSUMED, "labels": 101}, "at most the 100 units"),
        ({**_ASSUMED, "width": 0.1, "units": 9}, "units"),
        ({**_ASSUMED, "width": 0.1, "of": "all"}, "of"),
        ({**_ASSUMED, "width": 0.1, "power": 80}, "power"),
        ({**_ASSUMED, "width": 0.1, "level": 95}, "level"),
        ({"pilot": 0.5, "width": 0.1}, "pilot"),
    ],
)
def test_refusals(options: dict[str, Any], match: str) -> None:
    with pytest.raises(pc.UsageError, match=match):
        pc.judge.plan(**options)


def test_what_a_pilot_has_is_not_assumed() -> None:
    people, judge, runs = _collection()
    with collect_notes():
        found = pc.judge(people, judge, runs["first"], "P@5")
        with pytest.raises(pc.UsageError, match="the pilot has it"):
            found.plan(width=0.1, deviation=0.2)
        with pytest.raises(pc.UsageError, match="two runs"):
            found.plan(difference=0.1)
        with pytest.raises(pc.UsageError, match="two runs"):
            found["P@5"].plan(difference=0.1)
        same = pc.judge.values([1.0, None] * 20, [0.5, 0.7] * 20)
        with pytest.raises(pc.UsageError, match="no deviation"):
            same.plan(width=0.1)


def _judged_cases(seed: int, by_people: int, size: int = 2000) -> tuple[Any, ...]:
    rng = np.random.default_rng(seed)
    truth = (rng.random(size) < 0.3).astype(float)
    judge = np.where(rng.random(size) < 0.12, 1 - truth, truth)
    first, second = (quality * truth + rng.normal(size=size) for quality in (1.5, 1.2))
    people = np.full(size, np.nan)
    drawn = rng.choice(size, by_people, replace=False)
    people[drawn] = truth[drawn]
    return people, judge, first, second


def test_decisions_and_cases_are_planned_by_their_influences() -> None:
    """The standard error of people alone has the deviation, and what the judge gains the
    correlation: of a mean these are the same.
    """
    people, judge, first, second = _judged_cases(1, 200)
    decisions = {"a": (first > 0.8).astype(float), "b": (second > 0.8).astype(float)}
    with collect_notes():
        decided = pc.judge.decisions(people, judge, decisions, ["F", "Accuracy"], rng=1)
        scored = pc.judge.cases(people, judge, {"a": first, "b": second}, "AUC")
    for found in (decided["a", "F"], scored["b", "AUC"]):
        (facts,) = found.plan(width=0.1).designs.values()
        alone = found.people_alone
        assert facts["deviation"] == pytest.approx(alone.standard_error * math.sqrt(200))
        gain = (found.high - found.low) ** 2 / alone.width**2
        rest = (gain / 200 - 1 / 2000) / (1 / 200 - 1 / 2000)
        assert facts["correlation"] == pytest.approx(math.sqrt(1 - rest))
        # The pilot's own size gives about the pilot's own width.
        (same,) = found.plan(labels=200).designs.values()
        assert same["expected width"] == pytest.approx(found.width, rel=0.12)
    for found in (decided, scored):
        for facts in found.plan(difference=0.05).designs.values():
            assert facts["labels for the difference"] is None or facts["pilot labels"] == 200
    assert len(decided.plan(difference=0.05).designs) == 2
    # Of these cases there is no spread between samples of cases.
    with collect_notes():
        these = pc.judge.cases(people, judge, first, "AUC", of="these")
    (facts,) = these.plan(labels=2000).designs.values()
    assert facts["expected width"] == 0


@pytest.mark.nightly
@pytest.mark.parametrize("measure", ["F", "MCC", "AUC", "AP"])
def test_planned_widths_of_decisions_and_cases_are_those_of_samples(measure: str) -> None:
    def found(seed: int, by_people: int) -> Any:
        people, judge, first, _ = _judged_cases(seed, by_people)
        with collect_notes():
            if measure in ("AUC", "AP"):
                return pc.judge.cases(people, judge, first, measure)
            return pc.judge.decisions(people, judge, (first > 0.8).astype(float), measure, rng=1)

    planned = [
        next(iter(found(seed, 150).plan(labels=400).designs.values()))["expected width"]
        for seed in range(20)
    ]
    widths = [found(seed, 400)[measure].width for seed in range(100, 115)]
    assert np.mean(planned) == pytest.approx(np.mean(widths), rel=0.15)


def test_what_people_do_not_label_completely_has_no_plan() -> None:
    found = pc.judge.values([1.0, 0.0, None, 0.0] * 20, [0.9, 0.7, 0.6, 0.4] * 20)
    assert found.bias is not None
    other = replace(found, measure="F", bias=replace(found.bias, method="posterior"))
    with pytest.raises(pc.UsageError, match="label completely"):
        other.plan(width=0.1)


def test_the_page_has_the_record() -> None:
    record = json.loads(judge_plans.RECORD.read_text(encoding="utf-8"))
    page = judges.PAGE.read_text(encoding="utf-8")
    for lines in judge_plans.tables(record).values():
        assert "\n".join(lines) in page
    assert [cell["name"] for cell in record["plans"]] == [one.name for one in judge_plans.PLANNED]
    for cell in record["plans"]:
        close = 0.07 if cell["goal"] == "width" else 0.08
        assert abs(cell["simulated"] - cell["planned"]) < close * cell["planned"] + 0.02 * (
            cell["goal"] == "power"
        )
    for cell in record["samples"]:
        assert cell["covers"] > 0.93


@pytest.mark.nightly
def test_plans_and_samples_are_still_those_of_the_record() -> None:
    record = json.loads(judge_plans.RECORD.read_text(encoding="utf-8"))
    planned = judge_plans.simulate_plan(judge_plans.PLANNED[0], 200)
    assert planned["labels"] == record["plans"][0]["labels"]
    assert planned["simulated"] == pytest.approx(record["plans"][0]["simulated"], rel=0.03)
    for place in (1, 5, 10):
        sampled = judge_plans.simulate_sample(judge_plans.SAMPLED[place], 200)
        assert abs(sampled["covers"] - record["samples"][place]["covers"]) < 0.05
