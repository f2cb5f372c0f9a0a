"""What is said of labels that do not match is said of a yes or no about one of them, too, by files
as in Python.

Why the old tests missed it: warnings of files were tried without `positive=`, which is another way
through the readers.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes.of_reading import LabelsUnlike, NoCommonLabel
from precall.hard_decisions.table_io import read_decisions
from tests.noticed import shown

ROWS = [("Spam", "spam"), ("Ham", "ham"), ("Spam", "ham")]
TOLD = NoCommonLabel("", ("truth", "predicted"), (("Spam", "Ham"), ("spam", "ham")))


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.csv").write_text("t,p,q\n" + "".join(f"{a},{b},{a}\n" for a, b in ROWS * 4))


def _said(call: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return sorted(str(each.message) for each in caught)


def test_files_say_what_python_says() -> None:
    true, predicted = map(list, zip(*ROWS, strict=True))
    of_python = _said(lambda: pc.decisions(true, predicted, positive="Spam"))
    assert TOLD in of_python
    assert _said(lambda: read_decisions("x.csv", "t", "p", positive="Spam")) == of_python


def test_a_column_beside_itself() -> None:
    assert read_decisions("x.csv", "t", "q", positive="Spam") == read_decisions(
        "x.csv", "t", "t", positive="Spam"
    )


@pytest.mark.filterwarnings("always::precall.PrecallWarning")
def test_one_that_differs_by_case(capsys: pytest.CaptureFixture[str]) -> None:
    Path("x.csv").write_text("t,p\nSpam,Spam\nham,Ham\nham,ham\n")
    assert (
        run(["decisions", "x.csv", "--truth", "t", "--predicted", "p", "--positive", "Spam"]) == 0
    )
    unlike = LabelsUnlike("", ("truth", "predicted"), ("ham", "Ham"))
    assert shown(capsys.readouterr().out, unlike)  # though 'ham' is in both
    Path("x.csv").write_text("t,p\nSpam,Spam\nham,Ham\n")
    assert (
        run(["decisions", "x.csv", "--truth", "t", "--predicted", "p", "--positive", "Spam"]) == 0
    )
    assert shown(capsys.readouterr().out, unlike)


@pytest.mark.filterwarnings("always::precall.PrecallWarning")
def test_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run(["decisions", "x.csv", "--truth", "t", "--predicted", "p", "--positive", "Spam"]) == 0
    )
    printed = capsys.readouterr()
    assert shown(printed.out, TOLD) and not printed.err  # said once
    assert (
        run(
            [
                "compare",
                "--decisions",
                "x.csv",
                "--truth",
                "t",
                "--a",
                "p",
                "--b",
                "q",
                "--positive",
                "Spam",
            ]
        )
        == 0
    )
    assert shown(capsys.readouterr().err, NoCommonLabel("", ("truth", "p"), TOLD.labels))
