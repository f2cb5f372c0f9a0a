"""Averages are called what they are: pooled F is micro-F, accuracy of cells is cell accuracy, and
nothing is said twice.

Older tests looked at the numbers, and at names that were asked for.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import precall as pc
from precall.cli.main import run as command

TRUTH, FIRST, SECOND = "abbacc", "aabacb", "abbbac"


def table(folder: Path) -> str:
    rows = ["t,p,q", *map(",".join, zip(TRUTH, FIRST, SECOND, strict=True))]
    (folder / "items.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return str(folder / "items.csv")


def test_decisions_are_compared_by_accuracy_and_a_yes_or_no_by_f() -> None:
    found = pc.compare(list(TRUTH), list(FIRST), list(SECOND))
    assert str(found).startswith("accuracy: a 0.6667, b 0.6667")
    assert pc.compare([1, 0, 1], [1, 1, 0], [1, 0, 0]).measure == "F"


def test_columns_of_averages_and_lines_of_measures(tmp_path: Path, capsys: Any) -> None:
    assert (
        command(
            [
                "decisions",
                table(tmp_path),
                "--truth",
                "t",
                "--predicted",
                "p",
                "-m",
                "macro-F1",
                "--all",
            ]
        )
        == 0
    )
    lines = capsys.readouterr().out.splitlines()
    assert any(line.split()[-5:] == ["cell", "accuracy", "cell", "error", "E"] for line in lines)
    assert sum(line.startswith("macro-F") for line in lines) == 2
    arguments = [
        "decisions",
        table(tmp_path),
        "--truth",
        "t",
        "--predicted",
        "p",
        "-m",
        "macro-F1",
        "--format",
        "csv",
    ]
    assert command(arguments) == 0
    written = capsys.readouterr().out
    assert ",all,accuracy,micro,0.77" in written and ",all,macro-F1,macro,0.6555" in written


def test_bounds_have_columns(tmp_path: Path, capsys: Any) -> None:
    """Accuracy has an interval by default; macro-F only if one is asked for."""
    asked = [
        "compare",
        "--decisions",
        table(tmp_path),
        "--truth",
        "t",
        "--a",
        "p",
        "--b",
        "q",
        "--all",
    ]
    for more, bounded in (([], 4), (["--interval"], 6)):
        assert command([*asked, *more]) == 0
        lines = capsys.readouterr().out.splitlines()
        (heading,) = (line for line in lines if line.startswith("value, 6 items"))
        assert "low" in heading.split()
        of_macro = next(line for line in lines if line.startswith("macro-F"))
        assert len(of_macro.split()) == bounded + 1


def test_a_t_test_is_named_once() -> None:
    found = pc.compare.paired(
        [0.1, 0.2, 0.3, 0.5, 0.9, 0.4], [0.2, 0.2, 0.1, 0.6, 0.4, 0.3], test="t"
    )
    assert "(t, two-sided, 5 degrees of freedom)" in str(found)
