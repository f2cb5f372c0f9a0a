"""Two lists compared by P@k said nowhere that equal scores counted as the mean over all their
orders.
"""

from __future__ import annotations

import json
import re

import pytest

import precall as pc
from precall.cli.main import run as command

LABELS, FIRST, SECOND = [1, 0, 1, 0, 1, 0] * 5, [9, 9, 5, 5, 3, 3] * 5, [5, 9, 9, 5, 3, 4] * 5


@pytest.mark.parametrize("measure", ["P@7", "R@7"])
def test_of_a_comparison(measure: str) -> None:
    found = pc.compare.cases(LABELS, FIRST, SECOND, measure)
    assert str(found).startswith(f"{measure}, ties expected: a ")
    assert found.to_dict()["equal_scores"] == found.swap().equal_scores == "expected"
    assert " | ties expected" in str(found.sheet())


@pytest.mark.parametrize("measure", ["AP", "AUC", "AUC(max_fpr=0.5)"])
def test_blocks_need_no_order(measure: str) -> None:
    found = pc.compare.cases(LABELS, FIRST, SECOND, measure)
    assert found.to_dict()["equal_scores"] == "" and "ties" not in str(found)


def test_of_the_command(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{y},{a},{b}\n" for y, a, b in zip(LABELS, FIRST, SECOND, strict=True))
    (tmp_path / "c.csv").write_text(f"y,s,t\n{rows}", encoding="utf-8")
    typed = [
        "compare",
        "--cases",
        "c.csv",
        "--truth",
        "y",
        "--a",
        "s",
        "--b",
        "t",
        "-m",
        "P@7",
        "-m",
        "AP",
    ]
    assert command(typed) == 0
    assert "ties block (P@7: expected)" in " ".join(capsys.readouterr().out.split())
    assert command([*typed, "--format", "json"]) == 0
    pairs = json.loads(capsys.readouterr().out)["pairs"]
    assert [pair["equal_scores"] for pair in pairs] == ["expected", ""]


def test_low_scores_that_are_good_have_their_sign_on_new_cases(
    tmp_path, monkeypatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{y},{a}\n" for y, a in zip(LABELS, FIRST, strict=True))
    (tmp_path / "c.csv").write_text(f"y,s\n{rows}", encoding="utf-8")
    assert (
        command(
            ["curve", "c.csv", "--label", "y", "--score", "s", "--lower-is-better", "--interval"]
        )
        == 0
    )
    (line,) = [
        line for line in capsys.readouterr().out.splitlines() if "new cases threshold" in line
    ]
    assert "<= " in line


def test_advice_of_a_curve_can_be_taken(tmp_path, monkeypatch, capsys) -> None:
    """It named --test, which the command lacks."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "c.csv").write_text("y,s,t\n1,3,1\n0,2,2\n1,2,4\n0,1,3\n1,5,5\n", encoding="utf-8")
    assert command(["curve", "c.csv", "--label", "y", "--compare", "s", "t", "--notes"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert re.findall(r"(\w+) FILE --label --score (--\w+)|(--test)", said) == [
        ("compare", "--test", "")
    ]
    assert (
        command(
            [
                "compare",
                "--cases",
                "c.csv",
                "--truth",
                "y",
                "--a",
                "s",
                "--b",
                "t",
                "-m",
                "AUC",
                "--test",
                "permutation",
            ]
        )
        == 0
    )
