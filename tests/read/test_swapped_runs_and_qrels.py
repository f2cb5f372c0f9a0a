"""A run where qrels are wanted, and the other way round: every form says which is which, and grades
with fractions are still grades.

The old tests swapped TREC text only; tables were told of a missing column, and scores in dicts that
grades are numbered.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import precall as pc
from precall.cli.main import run as precall
from tests.doors.runs import FORMS
from tests.peers import peer

QRELS = [
    {"topic": "q1", "item": item, "grade": grade}
    for item, grade in zip("abc", (1, 0, 2), strict=True)
]
RUN = [
    {"topic": "q1", "item": item, "score": score}
    for item, score in zip("abc", (14.2, 13.1, 9.7), strict=True)
]
#: These know no names of columns, so that grades there are whole scores.
NAMELESS = ("dict", "rows", "JSON object")
#: Standard input is CSV.
DOORS = [form for form in FORMS if form != "standard input"]


def _given(form: str, rows: list[dict[str, Any]], folder: Path) -> Any:
    return FORMS[form](rows, list(rows[0]), folder)


@pytest.mark.parametrize("form", DOORS)
def test_a_run_where_qrels_are_wanted(form: str, tmp_path: Path) -> None:
    given = _given(form, RUN, tmp_path)
    with pytest.raises(pc.DataError, match="this looks like a run"):
        pc.evaluate(given, given, ["AP"])


@pytest.mark.parametrize("form", [form for form in DOORS if form not in NAMELESS])
def test_qrels_where_a_run_is_wanted(form: str, tmp_path: Path) -> None:
    with pytest.raises(pc.DataError, match="this looks like qrels"):
        pc.read_run(_given(form, QRELS, tmp_path))


@pytest.mark.parametrize("scores", [(0.3, 0.2, 0.1), (0.91, 0.84, 0.7), (-1.5, -2.25, -12.5)])
def test_scores_are_told_by_their_fractions(scores: tuple[float, ...]) -> None:
    grades = {"q1": {"a": 1, "b": 0, "c": 2}}
    with pytest.raises(pc.DataError, match=r"name the qrels first, then the runs"):
        pc.evaluate({"q1": dict(zip("abc", scores, strict=True))}, grades, ["AP"])


def test_a_judge_that_gives_fractions_is_no_run(tmp_path: Path) -> None:
    judged = {"q1": {"a": 0.91, "b": 0.84, "c": 0.07}}
    assert pc.evaluate(judged, {"q1": {"b": 12.5, "a": 11.0}}, ["nDCG"]).mean["nDCG"] > 0
    assert pc.evaluate(judged, judged, ["nDCG"]).mean["nDCG"] == 1
    # The way out that the refusal names.
    columns = {"topic": ["q1"] * 3, "item": list("abc"), "grade": [0.91, 0.84, 0.07]}
    run = {"q1": {"a": 3, "b": 2, "c": 1}}
    with pytest.raises(pc.DataError, match="table with a column 'grade'"):
        pc.evaluate(judged, run, ["nDCG"])
    frame = peer("pandas").DataFrame(columns)
    assert pc.evaluate(frame, run, ["nDCG"]).mean["nDCG"] == 1


@pytest.mark.parametrize("grades", [(0.5, 1, 0), (0.5, 0.25, 1.5), (0.3, 1.0, 0.3), (0.1, 1, 0)])
def test_grades_with_fractions_stay_grades(grades: tuple[float, ...]) -> None:
    qrels = {"q1": dict(zip("abc", grades, strict=True))}
    assert pc.read_qrels(qrels).grade.tolist() == list(grades)
    assert pc.evaluate(qrels, {"q1": {"a": 3, "b": 2, "c": 1}}, ["nDCG"]).mean["nDCG"] > 0


def test_the_advice_about_the_column_can_be_taken(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.write_text("topic,item,score\nq1,a,1\nq1,b,0\n", encoding="utf-8")
    with pytest.raises(pc.DataError, match='columns={"grade": "score"}'):
        pc.read_qrels(path)
    assert pc.read_qrels(path, columns={"grade": "score"}).grade.tolist() == [1, 0]


def test_other_columns_are_asked_for_as_before() -> None:
    with pytest.raises(pc.DataError, match='name them with columns={"topic"') as refused:
        pc.read_qrels([{"user": "q1", "song": "a", "score": 1.5}])
    assert "looks like" not in str(refused.value)


def test_several_runs_where_one_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"run": name, **row} for name in ("x", "y") for row in RUN]
    for call in (lambda: pc.read_run(rows), lambda: pc.locate({"q1": {"a": 1}}, rows)):
        with pytest.raises(pc.DataError, match=r"run_column='run' to pc.evaluate"):
            call()
    assert len(pc.evaluate({"q1": {"a": 1}}, rows, ["AP"], run_column="run").runs) == 2
    assert len(pc.read_run([row for row in rows if row["run"] == "x"]).items) == 3
    (tmp_path / "two.csv").write_text(
        "run,topic,item,score\n"
        + "".join(f"{r},q1,{i},{s}\n" for r in "xy" for i, s in zip("ab", (2, 1), strict=True)),
        encoding="utf-8",
    )
    (tmp_path / "q.qrels").write_text("q1 0 a 1\n", encoding="utf-8")
    files = [str(tmp_path / "q.qrels"), str(tmp_path / "two.csv")]
    assert precall(["eval", *files]) == 2
    assert "--run-column run" in (said := capsys.readouterr().err) and "{name" not in said
    assert precall(["compare", *files]) == 2
    assert "--run-column" in capsys.readouterr().err
