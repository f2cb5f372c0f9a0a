"""`precall curve -m` takes whatever a curve has a value of; and a measure of categories is not
averaged over topics.

The older tests asked the command for measures of counts only, and `precall explain` for those of
rankings.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.cases.table import read_cases
from precall.cli.explanations import explain
from precall.cli.main import run
from precall.core.counts import Counts
from precall.measures import REGISTRY
from tests.cli.conftest import Outcome

NAMES = (
    "MCC",
    "P@10",
    "AreaPR(method=trapezoid)",
    "BEP(method=linear)",
    "MaxF",
    "11pt",
    "RankingLoss",
    "AUC",
)


Command = Callable[..., Outcome]


@pytest.fixture
def curve_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Command:
    """`precall curve cases.csv --label y --score s ...`."""
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{i * 7 % 3 % 2},{i % 7},{1 + i % 3 / 2}\n" for i in range(40))
    (tmp_path / "cases.csv").write_text("y,s,w\n" + rows, encoding="utf-8")

    def call(*options: str) -> Outcome:
        code = run(["curve", "cases.csv", "--label", "y", "--score", "s", *options])
        return Outcome(code, *capsys.readouterr())

    return call


def measures(done: Outcome) -> dict[str, float]:
    assert done.code == 0, done.err
    return json.loads(done.out)["scores"]["s"]["measures"]


def test_measures_of_both_kinds(curve_command: Command) -> None:
    options = [part for name in NAMES for part in ("-m", name)]
    told = measures(curve_command("--format", "json", *options))
    curve = read_cases("cases.csv", "y", ["s"]).curves()["s"][""]
    for name in NAMES[1:]:
        canonical = pc.measure(name).name
        assert told[canonical] == curve.value(name, "expected" if name == "P@10" else "block"), name
    assert told["max MCC"] == curve.at(max="MCC").value and "MCC" not in told


def test_low_is_good(curve_command: Command) -> None:
    done = curve_command("--score", "w", "-m", "RankingLoss")
    line = next(line for line in done.out.splitlines() if line.startswith("RankingLoss"))
    s, w = line.split()[1:]
    assert (float(s.rstrip("*")) < float(w.rstrip("*"))) == s.endswith("*") != w.endswith("*")


def test_ranks_of_weighted_cases(curve_command: Command) -> None:
    told = measures(
        curve_command("--format", "json", "--weight", "w", "-m", "P@10", "-m", "AreaPR")
    )
    assert told["P@10"] is None and told["AreaPR(method=step)"] > 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-m", "nDCG"], "nDCG is of grades, which cases have none of"),
        (["-m", "HandTill"], "HandTill is of scores for several categories"),
        (
            ["-m", "P@10", "--ties", "block"],
            "depends on the order inside a block of equal scores; choose --ties",
        ),
    ],
)
def test_what_a_curve_lacks(curve_command: Command, options: list[str], message: str) -> None:
    done = curve_command(*options)
    assert done.code == 2 and message in done.err


def test_measures_of_categories_have_no_topics() -> None:
    assert "Over topics  none (one number for all categories)" in explain("HandTill")
    assert "Over topics  mean" in explain("AUC")


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_a_curve_without_cases_has_no_value_and_no_error() -> None:
    """The prevalence of nothing was a ZeroDivisionError."""
    for curve in (pc.ScoredCases().curve(), pc.curve([1, 0], [2.0, 1.0], weights=[0.0, 0.0])):
        for entry in REGISTRY:
            if entry.of is Counts:
                values = pc.measure(entry.name)(curve)
                assert np.all(np.isnan(values) | np.isfinite(values)), entry.name
        assert np.isnan(pc.measure("Prevalence")(curve)).all()


def test_intervals_of_tables_are_found_by_any_name() -> None:
    from precall.cases.table import CaseTable, measure_cases

    relevant, score = np.array([True, False] * 30), np.arange(60.0) % 7
    table = CaseTable.of("", relevant, {"s": score}, None, None, 0, True)
    made = measure_cases(table, interval="logit").intervals["s"][""]
    assert made["map"] == made["AP"] and made["AUROC"] == made["AUC"]
