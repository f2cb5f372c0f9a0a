"""`compare.equivalence` of areas and of decisions: not worse by a margin, or equivalent."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes.of_comparisons import (
    DelongOfMargin,
    FewDiscordant,
    FewGroupsDiffer,
    UndefinedP,
)
from precall.stats.tests.tango import score_statistic
from tests.noticed import noticed

DATA = Path(__file__).parents[1] / "data"
FIGURES = {
    figure["id"]: figure["value"]
    for figure in json.loads((DATA / "golden" / "clinical_areas.json").read_text())["entries"]
}
TEST = pc.compare.equivalence


def _patients() -> tuple[list[bool], list[float], list[float]]:
    with (DATA / "scored" / "pROC_aSAH.csv").open() as file:
        rows = list(csv.DictReader(file))
    y = [row["outcome"] == "Poor" for row in rows]
    return y, *([float(row[name]) for row in rows] for name in ("s100b", "ndka"))


def _table(both: int, only_a: int, only_b: int, neither: int) -> tuple[list[int], list[int]]:
    """Decisions of both systems about relevant items."""
    sizes = both, only_a, only_b, neither
    first, second = np.repeat([1, 1, 0, 0], sizes), np.repeat([1, 0, 1, 0], sizes)
    return first.tolist(), second.tolist()


def test_delongs_test_of_a_margin_is_the_worked_one() -> None:
    figure = FIGURES["own.auc.noninferior"]
    found = TEST(*_patients(), 0.05, kind="not worse", test="delong")
    assert found.difference == pytest.approx(figure["diff"], rel=1e-12)
    assert found.p == pytest.approx(figure["p"], rel=1e-10)
    assert found.low == pytest.approx(figure["low_two_sided_95"], rel=1e-10)
    assert found.level == 0.975 and found.shown and found.size == 113
    looser = TEST(*_patients(), 0.05, kind="not worse", test="delong", level=0.95)
    assert looser.low == pytest.approx(figure["low_one_sided_95"], rel=1e-10)
    assert noticed(found.notes, DelongOfMargin) and not noticed(
        TEST(*_patients(), 0.05).notes, DelongOfMargin
    )


def test_p_is_of_the_level_at_which_the_bound_is_the_margin() -> None:
    for kind in ("not worse", "equivalent"):
        found = TEST(*_patients(), 0.05, kind=kind)
        assert found.test == "mover" == found.interval
        at_low = TEST(*_patients(), 0.05, kind=kind, level=1 - found.p_low)
        assert at_low.low == pytest.approx(-0.05, abs=1e-6)
        # Beyond the margin above: the difference is greater.
        assert found.p_high > 0.5
        at_high = TEST(*_patients(), 0.05, kind=kind, level=found.p_high)
        assert at_high.low == pytest.approx(0.05, abs=1e-6)
        assert found.p == (found.p_low if kind == "not worse" else found.p_high)
        enough = TEST(*_patients(), found.needed * 1.001, kind=kind)
        short = TEST(*_patients(), found.needed * 0.999, kind=kind)
        assert enough.shown and not short.shown


def test_curves_take_the_place_of_columns() -> None:
    y, new, old = _patients()
    by_columns = TEST(y, new, old, margin=0.05, kind="not worse")
    curves = pc.curve(y, new), pc.curve(y, [-score for score in old], higher_is_better=False)
    by_curves = TEST(*curves, 0.05, kind="not worse")
    assert (by_curves.p, by_curves.low) == (by_columns.p, by_columns.low)
    cohorts = TEST(*curves, margin=0.05, kind="not worse", paired=False)
    compared = pc.compare.unpaired(*curves)
    assert (cohorts.low, cohorts.high) == pytest.approx((compared.low, compared.high))
    by_t = TEST(*curves, margin=0.05, kind="not worse", paired=False, test="delong")
    compared = pc.compare.unpaired(*curves, interval="t")
    assert (by_t.low, by_t.high) == pytest.approx((compared.low, compared.high))


def test_groups_of_cases() -> None:
    y, new, old = _patients()
    alone = TEST(y, new, old, 0.05, kind="not worse")
    single = TEST(y, new, old, 0.05, kind="not worse", groups=range(113))
    assert single.low == pytest.approx(alone.low, abs=0.005)
    twice = [column * 2 for column in (y, new, old)]
    grouped = TEST(*twice, 0.05, kind="not worse", groups=[*range(113)] * 2)
    assert grouped.low == pytest.approx(alone.low, abs=0.01)
    assert TEST(*twice, 0.05, kind="not worse").low > alone.low + 0.02


@pytest.mark.parametrize(
    ("entry", "table"),
    [
        ("ratesci.tango.sens_Paired1", (319, 78, 22, 32)),
        ("ratesci.tango.spec_Paired1", (155, 53, 22, 31)),
        ("ratesci.tango.bentur", (1, 1, 7, 12)),
        ("ratesci.tango.one_sided", (40, 6, 0, 4)),
        ("ratesci.tango.no_discordance", (20, 0, 0, 5)),
    ],
)
def test_sensitivity_has_tangos_interval(entry: str, table: tuple[int, int, int, int]) -> None:
    first, second = _table(*table)
    size = len(first)
    # Other items do not count.
    y, a, b = [1] * size + [0] * 9, first + [1] * 9, second + [0] * 9
    found = TEST(y, a, b, 0.1, measure="sensitivity", kind="not worse")
    figure = FIGURES[entry]
    assert (found.low, found.high) == pytest.approx((figure["lower"], figure["upper"]), abs=2e-6)
    assert found.size == size and found.test == "tango"
    z = score_statistic(table[1], table[2], size, -0.1)
    scipy = pytest.importorskip("scipy.stats")
    assert found.p == pytest.approx(scipy.norm.sf(float(z)), rel=1e-9)
    assert bool(noticed(found.notes, FewDiscordant)) == (table[1] + table[2] < 5)


def test_specificity_is_of_the_other_items() -> None:
    first, second = _table(319, 78, 22, 32)
    of_relevant = TEST([1] * 451, first, second, 0.1, measure="R")
    flipped = [[1 - said for said in column] for column in (first, second)]
    of_others = TEST([0] * 451 + [1], *([*said, 0] for said in flipped), 0.1, measure="specificity")
    assert (of_others.low, of_others.p_low) == (of_relevant.low, of_relevant.p_low)
    accuracy = TEST([1] * 451, first, second, 0.1, measure="accuracy")
    assert accuracy.low == of_relevant.low and accuracy.measure == "Accuracy"
    decided = [pc.decisions([1] * 451, said) for said in (first, second)]
    assert TEST(*decided, 0.1, measure="R").low == of_relevant.low


def test_decisions_in_groups_have_students_t() -> None:
    first, second = _table(60, 20, 8, 12)
    y = [1] * 100
    found = TEST(y, first, second, 0.05, measure="R", kind="not worse", groups=range(100))
    assert found.test == "t"
    gap = np.array(first) - np.array(second)
    error = gap.std(ddof=1) / 10
    assert found.difference == pytest.approx(0.12)
    half = pytest.importorskip("scipy.stats").t.isf(0.025, 99) * error
    assert found.low == pytest.approx(0.12 - half, abs=0.004)
    wide = TEST(y, first, second, 0.05, measure="R", groups=[k // 10 for k in range(100)])
    assert wide.high - wide.low > 2 * half


def test_values_per_topic_are_as_before() -> None:
    a, b = [0.50, 0.61, 0.42, 0.70, 0.55], [0.51, 0.60, 0.43, 0.69, 0.56]
    found = TEST(a, b, 0.05)
    assert (found.shown, round(found.p, 5), round(found.needed, 4)) == (True, 0.0003, 0.0124)
    assert found.level == 0.95 and found.unit == "topics" and found.measure == "value"
    assert TEST(a=a, b=b, margin=0.05).p == found.p
    assert TEST({"q": 1.0, "r": 0.5}, {"q": 0.9, "r": 0.7}, margin=0.5).size == 2


def test_without_a_variance_nothing_is_shown() -> None:
    for test in ("mover", "delong"):
        # All scores of the second system are equal; or there is one relevant case.
        for y, a, b in (
            ([1, 0] * 20, range(40), [1] * 40),
            ([1] + [0] * 30, range(31), range(31, 0, -1)),
        ):
            found = TEST(y, a, b, 0.9, test=test, kind="not worse")
            assert found.p != found.p and not found.shown and found.low is None
            assert noticed(found.notes, UndefinedP)


def test_perfect_areas_have_bounds_by_mover_only() -> None:
    y, score = [1] * 40 + [0] * 40, range(80, 0, -1)
    found = TEST(y, score, [2 * each for each in score], 0.2)
    assert found.shown and found.test == "mover"
    found = TEST(y, score, score, 0.2, test="delong")
    assert found.p != found.p and noticed(found.notes, UndefinedP)


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_a_level_without_an_interval() -> None:
    first, second = _table(60, 20, 8, 12)
    for found in (
        TEST(*_patients(), 0.1, level=0.4),
        TEST([1] * 100, first, second, 0.1, measure="R", level=0.4),
    ):
        assert found.low is None and found.needed != found.needed and 0 < found.p < 1


def test_swapped_systems_are_mirrored() -> None:
    y, new, old = _patients()
    for test in ("mover", "delong"):
        one, other = TEST(y, new, old, 0.3, test=test), TEST(y, old, new, 0.3, test=test)
        assert (one.low, one.high) == (-other.high, -other.low)
        assert (one.p_low, one.p_high) == (other.p_high, other.p_low)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "cases.csv"
    rows = [
        f"{int(y)},{a},{b},{int(a > 0.2)},{int(b > 12)},{'xy'[number % 2]},g{number // 2}"
        for number, (y, a, b) in enumerate(zip(*_patients(), strict=True))
    ]
    path.write_text("\n".join(["y,s,t,p,q,site,g", *rows]) + "\n", "utf-8")
    return str(path)


def test_the_command(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    def said(*options: str) -> dict:
        assert run(["compare", file, *options, "--margin", "0.1", "--format", "json"]) == 0
        return json.loads(capsys.readouterr().out)

    y, new, old = _patients()
    found = said("--label", "y", "--score", "s", "--score", "t")
    by_hand = TEST(y, new, old, 0.1, kind="not worse", names=("s", "t"))
    assert (found["p"], found["low"], found["level"]) == (by_hand.p, by_hand.low, 0.975)
    found = said("--label", "y", "--score", "s", "--score", "t", "--kind", "equivalent")
    assert found["kind"] == "equivalent" and found["p"] == found["p_high"]
    found = said(
        "--label", "y", "--score", "s", "--cohorts", "site", "--level", ".95", "--test", "delong"
    )
    assert found["names"] == "x, y" and found["level"] == 0.95 and found["test"] == "delong"
    found = said("--truth", "y", "--decision", "p", "--decision", "q", "-m", "specificity")
    assert found["test"] == "tango" and found["size"] == 72
    found = said("--truth", "y", "--decision", "p", "--decision", "q", "-m", "R", "--groups", "g")
    assert found["test"] == "t"
    assert (
        run(["compare", file, "--label", "y", "--score", "s", "--score", "t", "--margin", ".1"])
        == 0
    )
    assert capsys.readouterr().out.startswith("AUC: s was shown to be not worse than t")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--label", "y", "--score", "s", "--score", "t", "-m", "AP"], "measure"),
        (["--label", "y", "--score", "s", "--score", "t", "--missed", "3"], "--missed"),
        (["--label", "y", "--score", "s", "--score", "t", "--correction", "bh"], "--correction"),
        (["--truth", "y", "--decision", "p", "--decision", "q"], "R, specificity or accuracy"),
        (["--truth", "y", "--decision", "p", "--decision", "q", "-m", "F"], "measure"),
        (["--truth", "y", "--decision", "p", "--decision", "q", "-m", "R", "-m", "P"], "one"),
    ],
)
def test_the_command_refuses(
    file: str, options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["compare", file, *options, "--margin", "0.1"]) == 2
    assert said in capsys.readouterr().err
    assert run(["compare", file, *options[:6], "--kind", "equivalent"]) == 2
    assert "--kind" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda y, a, b: TEST(y, a, b, 0.0), "margin"),
        (lambda y, a, b: TEST(y, a, b, 2), "margin"),
        (lambda y, a, b: TEST(y, a), "equivalence"),
        (lambda y, a, b: TEST(y, a, b, 0.1, 0.2), "equivalence"),
        (lambda y, a, b: TEST(y, a, b, 0.1, measure="AP"), "measure"),
        (lambda y, a, b: TEST(y, a, b, 0.1, measure="AUC(max_fpr=.2)"), "measure"),
        (lambda y, a, b: TEST(y, a, b, 0.1, test="t"), "test"),
        (lambda y, a, b: TEST(y, a, b, 0.1, level=1.4), "level"),
        (lambda y, a, b: TEST(y, a, b, 0.1, unpaired="drop"), "unpaired"),
        (lambda y, a, b: TEST(a, b, 0.1, groups=y), "groups"),
        (lambda y, a, b: TEST(y, a, b, 0.1, paired=False), "paired"),
        (lambda y, a, b: TEST(y, y, y, 0.1, measure="R", test="tango", groups=y), "test"),
        (lambda y, a, b: TEST([1, 1], [1, 0], [0, 1], 0.1, measure="specificity"), "truth"),
        (lambda y, a, b: TEST([1, 2, 3], [1, 2, 3], [2, 2, 3], 0.1, measure="R"), "truth"),
    ],
)
def test_refused(call: object, argument: str) -> None:
    with pytest.raises((pc.UsageError, pc.DataError), match=argument):
        call(*_patients())  # type: ignore[operator]


def test_a_missing_margin_is_said_to_be_missing() -> None:
    """`equivalence(y, a, b)` took the second column for the margin."""
    with pytest.raises(pc.UsageError, match="margin: is missing"):
        TEST(*_patients(), kind="not worse")


def test_groups_that_all_agree_show_nothing() -> None:
    """p was below 1e-300 if two systems decided alike in four patients: their sums had no variance.
    No simulation had systems that agree so often.
    """
    y, patients = [1] * 12, [k // 3 for k in range(12)]
    for kind in ("not worse", "equivalent"):
        found = TEST([*y, 0], [*y, 0], [*y, 0], 0.01, measure="R", kind=kind, groups=[*patients, 9])
        assert math.isnan(found.p) and not found.shown and found.low is None
        assert noticed(found.notes, UndefinedP)
    other = [0, *y[1:], 0]
    found = TEST([*y, 0], [*y, 0], other, 0.5, measure="R", kind="not worse", groups=[*patients, 9])
    (note,) = noticed(found.notes, FewGroupsDiffer)
    assert note.groups == 1 and found.shown
