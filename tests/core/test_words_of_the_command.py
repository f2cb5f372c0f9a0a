"""Advice in words that its reader had not written: "ranking 0", ties='random', precall.locate() on
the command line.

The old tests asked for an error and its first words; the advice behind them was of the other door.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.read.columns import lowest_is_best


@pytest.mark.parametrize("measure", ["ERR", "RBP", "Bpref", "AP(grade=2)"])
def test_measures_of_grades_send_to_the_command_that_has_them(
    measure: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.csv").write_text("y,s\n1,3\n0,2\n1,1\n")
    assert (
        run(["curve", str(tmp_path / "a.csv"), "--label", "y", "--score", "s", "-m", measure]) == 2
    )
    err = capsys.readouterr().err
    assert "precall eval" in err and "locate" not in err and ".hits()" not in err


def test_hits_that_were_given_are_advised_as_such() -> None:
    one, many = np.array([1]), np.array([60])
    tied = pc.Hits(one, many, np.array([30]), np.array([0]), many, np.array([30]), ties="expected")
    with pytest.raises(pc.TiesUnresolved) as refused:
        pc.measure("IAP")(tied)
    said = str(refused.value)
    assert "rank of its own" in said and "random" not in said and "ranking 0" not in said


def test_resamples_of_a_test_that_draws_nothing_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "q").write_text("q1 0 a 1\nq2 0 a 1\n")
    for name in "rs":
        (tmp_path / name).write_text("q1 Q0 a 1 1 t\nq2 Q0 b 1 1 t\n")
    words = [
        "report",
        *(str(tmp_path / name) for name in "qrs"),
        "--test",
        "t",
        "-o",
        str(tmp_path / "o.html"),
    ]
    assert run([*words, "--resamples", "99"]) == 2
    assert "--resamples: --test t needs no random samples" in capsys.readouterr().err
    assert run(words) == 0


@pytest.mark.parametrize("name", ["rmse", "RMSE_val", "error", "mean-error", "nll", "mse", "mae"])
def test_errors_are_no_scores(name: str) -> None:
    assert lowest_is_best(name) and not lowest_is_best("terror") and not lowest_is_best("mirrored")
