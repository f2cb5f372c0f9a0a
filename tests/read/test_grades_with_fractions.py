"""Grades with fractions are read at once, also where texts are not laid out as tables; a thousand
grades and one of them without a fraction took ten to a hundred times as long.
"""

from __future__ import annotations

from typing import Any

import pytest

import precall as pc
from precall.native import kernel
from precall.read import values
from precall.read.columns import Qrels

PLAIN = "q1 0 a 1\nq1 0 b 0.5\nq2 0 a 2.0\nq2 0 c -1\n"


def rows(qrels: Qrels) -> list[Any]:
    return [qrels.topics.tolist(), qrels.row_start.tolist(), qrels.grade.tolist()]


@pytest.mark.parametrize(
    "text",
    [
        PLAIN.replace(" ", "  "),
        PLAIN.replace("\n", " \n"),
        PLAIN.replace(" ", " \t").replace("\n", "\r\n"),
        "\n \n" + PLAIN.replace("\n", "\n\n"),
        "# judged in May\n" + PLAIN,
        "\ufeff" + PLAIN.replace("q1", " q1"),
    ],
)
def test_blanks_and_comments(text: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "grade_of_text", None)  # line by line
    path = tmp_path / "qrels.txt"
    path.write_text(text, encoding="utf-8", newline="")
    qrels = pc.read_qrels(path)
    assert rows(qrels) == [["q1", "q2"], [0, 2, 4], [1.0, 0.5, 2.0, -1.0]]
    assert qrels.items.tolist() == ["a", "b", "a", "c"]


def test_lines_of_errors_are_those_of_the_file(tmp_path: Any) -> None:
    path = tmp_path / "qrels.txt"
    path.write_text("\n\n" + PLAIN.replace(" ", "  ") + "\nq3 0 a 0.5\nq3  0 a  x\n")
    with pytest.raises(pc.DataError, match=r"qrels\.txt:9: grade 'x'"):
        pc.read_qrels(path)


@pytest.mark.parametrize("gap", [" ", "  "])
@pytest.mark.parametrize("kept", ["first", "last"])
def test_grades_of_duplicates_that_are_dropped(gap: str, kept: str, tmp_path: Any) -> None:
    """Scores of rows that were dropped were no grades, and nobody looked."""
    grades = ["0.5", "inf"] if kept == "first" else ["inf", "0.5"]
    path = tmp_path / "qrels.txt"
    path.write_text("".join(f"q 0 a {grade}\n" for grade in grades).replace(" ", gap))
    with pytest.raises(pc.DataError, match="grade 'inf'"):
        pc.read_qrels(path, duplicates=kept)


def test_dicts_of_floats_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel(), "qrels_from_dict", None)  # each float would be refused
    found = pc.read_qrels({"q1": {"a": 1, "b": 0.5}, "q2": {"a": 2.0, "c": -1}})
    assert rows(found) == [["q1", "q2"], [0, 2, 4], [1.0, 0.5, 2.0, -1.0]]
