"""`compare.unpaired`: two cohorts, as pROC compares them, and by the intervals of both."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.cases.intervals import blocks_of_curve
from precall.cli.main import run
from precall.core.notes.of_comparisons import (
    BoundsAgainstP,
    RoughOfClass,
    SymmetricNearOne,
    UndefinedP,
    UnlikePrevalence,
)
from precall.stats import influence
from tests.noticed import noticed

DATA = Path(__file__).parents[1] / "data"
FIGURES = {
    figure["id"]: figure["value"]
    for figure in json.loads((DATA / "golden" / "clinical_areas.json").read_text())["entries"]
}


def _patients() -> list[dict[str, str]]:
    with (DATA / "scored" / "pROC_aSAH.csv").open() as file:
        return list(csv.DictReader(file))


def _of(gender: str, score: str = "s100b") -> pc.Curve:
    rows = [row for row in _patients() if row["gender"] == gender]
    return pc.curve([row["outcome"] == "Poor" for row in rows], [float(row[score]) for row in rows])


def _scores(area: float, m: int, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], [m, n])
    return y, rng.normal(size=m + n) + y * area


def test_areas_of_women_and_men_are_compared_as_by_proc() -> None:
    figure = FIGURES["proc.unpaired.delong.s100b.female.male"]
    own = FIGURES["own.auc.unpaired"]
    found = pc.compare.unpaired(_of("Female"), _of("Male"), names=("women", "men"), interval="t")
    assert found.values == pytest.approx(figure["auc"], rel=1e-12)
    assert found.statistic == pytest.approx(figure["D"], rel=1e-12)
    assert found.method.freedom == pytest.approx(figure["df"], rel=1e-12)
    assert found.p == pytest.approx(figure["p"], rel=1e-10)
    assert (found.low, found.high) == pytest.approx(own["ci_t"], rel=1e-10)
    assert found.size == 113 and "113 cases" in str(found.sheet())
    for name, curve in (("proc.auc.s100b", "s100b"), ("proc.auc.ndka", "ndka")):
        rows = _patients()
        whole = pc.curve(
            [row["outcome"] == "Poor" for row in rows], [float(row[curve]) for row in rows]
        )
        blocks = blocks_of_curve(whole)
        variance = influence.variance(blocks, influence.area_under_roc(blocks), True)
        assert variance == pytest.approx(FIGURES[name]["var"], rel=1e-10)


def test_the_interval_is_that_of_both_intervals() -> None:
    a, b = _of("Female"), _of("Male")
    found = pc.compare.unpaired(a, b)
    t = pytest.importorskip("scipy.stats").t
    ends = []
    for curve, value in zip((a, b), found.values, strict=True):
        blocks = blocks_of_curve(curve)
        error = influence.variance(blocks, influence.area_under_roc(blocks), True) ** 0.5
        scarcer = min(blocks.relevant, blocks.other)
        half = t.isf(0.025, scarcer - 1) * error / (value * (1 - value))
        odds = math.log(value / (1 - value))
        ends.append([1 / (1 + math.exp(-odds + sign * half)) for sign in (1, -1)])
    (low_a, high_a), (low_b, high_b) = ends
    (x, y), gap = found.values, found.difference
    assert found.low == pytest.approx(gap - math.hypot(x - low_a, high_b - y))
    assert found.high == pytest.approx(gap + math.hypot(high_a - x, y - low_b))
    assert found.interval == "mover" and found.test == "delong"


@pytest.mark.parametrize("measure", ["AP", "AUC(max_fpr=0.3)", "AUC"])
def test_p_is_of_the_level_at_which_the_interval_ends_at_0(measure: str) -> None:
    a, b = pc.curve(*_scores(1.5, 60, 90, 1)), pc.curve(*_scores(0.6, 80, 70, 2))
    found = pc.compare.unpaired(a, b, measure, test="mover")
    again = pc.compare.unpaired(a, b, measure, test="mover", level=1 - found.p)
    assert min(abs(again.low), abs(again.high)) < 1e-4
    assert found.test == "mover" and found.method.name == "MOVER"
    assert found.values[0] == pytest.approx(pc.interval(a, measure).estimate)


@pytest.mark.parametrize("measure", ["AUC", "AP"])
def test_cohorts_can_be_swapped(measure: str) -> None:
    a, b = _of("Female"), _of("Male")
    found, turned = (pc.compare.unpaired(*pair, measure) for pair in ((a, b), (b, a)))
    mirrored = found.swap()
    assert (mirrored.low, mirrored.high) == (turned.low, turned.high)
    assert (mirrored.p, mirrored.difference) == (turned.p, turned.difference)


def test_patients_are_the_units_if_they_are_given() -> None:
    y, score = _scores(1.0, 60, 60, 3)
    alone = pc.curve(y, score)
    # Every case is there twice, of one patient each.
    twice = pc.curve(np.tile(y, 2), np.tile(score, 2))
    patients = np.tile(np.arange(120), 2)
    other = pc.curve(*_scores(0.5, 50, 50, 4))
    single = pc.compare.unpaired(alone, other)
    grouped = pc.compare.unpaired(twice, other, groups=(patients, np.arange(100)))
    naive = pc.compare.unpaired(twice, other)
    assert grouped.high - grouped.low == pytest.approx(single.high - single.low, rel=0.02)
    assert naive.high - naive.low < 0.95 * (single.high - single.low)
    assert grouped.p == pytest.approx(single.p, rel=0.1)


def test_cohorts_have_scales_of_their_own() -> None:
    y, score = _scores(1.0, 40, 40, 5)
    a, b = pc.curve(y, score), pc.curve(y, -1000 * score, higher_is_better=False)
    found = pc.compare.unpaired(a, b)
    assert found.difference == 0 and found.p == 1.0


def test_perfect_cohorts_have_bounds() -> None:
    good = pc.curve([1] * 30 + [0] * 30, range(60, 0, -1))
    bad = pc.curve([1] * 30 + [0] * 30, range(60))
    found = pc.compare.unpaired(good, good)
    assert found.p == 1.0 and -found.low == found.high > 0.05
    found = pc.compare.unpaired(good, bad)
    assert found.p < 1e-9 and found.low > 0.8 and found.test == "mover"


def test_what_is_noted() -> None:
    few = pc.curve(*_scores(1.0, 12, 40, 6))
    assert noticed(pc.compare.unpaired(few, _of("Male")).notes, RoughOfClass)
    flat = pc.curve([1, 0] * 20, [1] * 40)
    found = pc.compare.unpaired(flat, _of("Male"))
    assert found.p != found.p and found.low is None and noticed(found.notes, UndefinedP)
    assert found.outcome == "undefined"
    # A large difference near 1, of which the interval by t alone is sure.
    a, b = pc.curve(*_scores(2.6, 40, 40, 1)), pc.curve(*_scores(1.55, 40, 40, 12))
    (note,) = noticed(pc.compare.unpaired(a, b, interval="t").notes, SymmetricNearOne)
    found = pc.compare.unpaired(a, b)
    assert note.area == max(found.values) > 0.9 and not noticed(found.notes, SymmetricNearOne)
    contradicts = (found.low <= 0 <= found.high) == found.significant
    assert bool(noticed(found.notes, BoundsAgainstP)) == contradicts


def test_average_precision_tells_of_unlike_shares() -> None:
    few, many = pc.curve(*_scores(1.0, 30, 170, 7)), pc.curve(*_scores(1.0, 100, 100, 8))
    (note,) = noticed(pc.compare.unpaired(few, many, "AP").notes, UnlikePrevalence)
    assert (note.first, note.second) == (0.15, 0.5)
    assert not noticed(pc.compare.unpaired(few, many, "AUC").notes, UnlikePrevalence)
    assert not noticed(pc.compare.unpaired(few, few, "AP").notes, UnlikePrevalence)


@pytest.fixture
def file(tmp_path: Path) -> str:
    rows = ["y,s,sex,patient,site"]
    for number, row in enumerate(_patients()):
        poor = int(row["outcome"] == "Poor")
        rows.append(f"{poor},{row['s100b']},{row['gender']},p{number // 2},{number % 3}")
    path = tmp_path / "patients.csv"
    path.write_text("\n".join(rows) + "\n", "utf-8")
    return str(path)


def test_the_command_compares_cohorts_of_a_file(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--label", "y", "--score", "s", "--cohorts", "sex", "--format", "json"]
    assert run(["compare", file, *options]) == 0
    (pair,) = json.loads(capsys.readouterr().out)["pairs"]
    by_hand = pc.compare.unpaired(_of("Female"), _of("Male"))
    assert (pair["a"], pair["b"], pair["measure"]) == ("Female", "Male", "AUC")
    assert (pair["p"], pair["low"], pair["high"]) == (by_hand.p, by_hand.low, by_hand.high)
    assert run(["compare", file, *options, "-m", "AP", "--groups", "patient"]) == 0
    (pair,) = json.loads(capsys.readouterr().out)["pairs"]
    assert pair["test"] == "mover" and pair["measure"] == "AP"


def test_more_cohorts_are_compared_pair_by_pair(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--label", "y", "--score", "s", "--cohorts", "site", "--format", "json"]
    assert run(["compare", file, *options]) == 0
    found = json.loads(capsys.readouterr().out)["pairs"]
    assert [(pair["a"], pair["b"]) for pair in found] == [("0", "1"), ("0", "2"), ("1", "2")]
    assert all(pair["correction"] == "holm" for pair in found)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--cohorts", "sex", "--score", "patient"], "--cohorts: compares one score"),
        (["--cohorts", "sex", "--missed", "3"], "--missed: does not apply to cohorts"),
        (["--cohorts", "sex", "--weight", "site"], "--weight: does not apply to cohorts"),
        (["--cohorts", "sex", "--resamples", "9"], "--resamples: does not apply to cohorts"),
        (["--cohorts", "sex", "--test", "permutation"], "test"),
        (["--cohorts", "y"], "no case of cohort '0' is relevant"),
        (["--cohorts", "nothing"], "nothing"),
    ],
)
def test_cohorts_that_the_command_refuses(
    file: str, more: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["compare", file, "--label", "y", "--score", "s", *more]) == 2
    assert said in capsys.readouterr().err


def test_one_cohort_is_refused(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(file)
    head, *rows = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([head, *(row for row in rows if "Male" in row)]) + "\n", "utf-8")
    options = ["--label", "y", "--score", "s", "--cohorts", "sex"]
    assert run(["compare", file, *options]) == 2
    assert "one value" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda a, b: pc.compare.unpaired(a, b, "AP", test="delong"), "test"),
        (lambda a, b: pc.compare.unpaired(a, b, "AP", interval="t"), "interval"),
        (lambda a, b: pc.compare.unpaired(a, b, "MaxF"), "measure"),
        (lambda a, b: pc.compare.unpaired(a, b, "nDCG"), "measure"),
        (lambda a, b: pc.compare.unpaired(a, [1, 0]), "second"),
        (lambda a, b: pc.compare.unpaired(a, b, groups=[[1] * 71]), "groups"),
        (lambda a, b: pc.compare.unpaired(a, b, names=("x", "x")), "names"),
    ],
)
def test_refused(call: object, argument: str) -> None:
    with pytest.raises(pc.UsageError, match=argument):
        call(_of("Female"), _of("Male"))  # type: ignore[operator]
