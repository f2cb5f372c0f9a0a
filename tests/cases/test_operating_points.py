"""Operating points as a table: as the sources print it, as curves have it, as the command prints
it.
"""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from precall.cases import curve
from precall.cases.table import CaseTable, measure_cases
from precall.cli.main import run
from precall.core.errors import MeasureError, UsageError
from precall.core.notes.of_curves import FreeMistakes
from precall.measures import measure
from tests.noticed import noticed

COLUMNS = [
    "rank",
    "score",
    "tp",
    "fp",
    "fn",
    "tn",
    "precision",
    "recall",
    "rejection_recall",
    "F",
    "accuracy",
]


def told(facts: Path, of: str) -> dict[str, list[float]]:
    """The source's columns by name."""
    known = json.loads((facts / "golden" / "worked_examples.json").read_text(encoding="utf-8"))[of]
    return dict(known)


def test_the_table_of_lingpipes_documentation(facts: Path) -> None:
    """ "Rank, Score, Correct, TP, TN, FP, FN, Rec, Prec, Rej Rec" (class documentation, 3.9.2)."""
    known = told(facts, "lingpipe_javadoc_example")
    points = curve(known["rel"], known["scores"]).points()
    rank, recall, precision, rejection = zip(*known["table_rank_rec_prec_spec"], strict=True)
    assert points["rank"].tolist() == [place + 1 for place in rank], "LingPipe counts from 0"
    assert points["score"].tolist() == known["scores"]
    for name, column in (("recall", recall), ("precision", precision), ("specificity", rejection)):
        assert points[name] == pytest.approx(np.array(column), abs=1e-15)
    assert max(points["F"]) == pytest.approx(known["max_f1"])
    lines = str(points).splitlines()
    assert lines[0].split() == [*COLUMNS[:8], "specificity", *COLUMNS[9:]]
    assert lines[5].split() == [
        "5",
        "-1.6",
        "3",
        "2",
        "1",
        "4",
        "0.6000",
        "0.7500",
        "0.6667",
        "0.6667",
        "0.7000",
    ]


def test_the_ranking_of_the_notes(facts: Path) -> None:
    """ "precision and recall at rank" of x a y b c z, as corrected: ranks 5 and 6 have 3/5 and
    3/6.
    """
    known = told(facts, "premises_notes")
    points = curve(known["rel"], range(6, 0, -1)).points()
    for name, place in (("precision", 1), ("recall", 2)):
        cells = [text[place].split("/") for text in known["table_rank_prec_rec_CORRECTED"]]
        assert points[name].tolist() == [int(above) / int(below) for above, below in cells]
    e = curve(known["rel"], range(6, 0, -1)).points("E")["E"]
    assert e == pytest.approx(np.array(list(known["E_at_k"].values())))


def test_table_ii_of_zhang_and_su(facts: Path) -> None:
    """Table II: hits at 1, 2 and 4 of 8, with h(k), recall and precision."""
    known = told(facts, "zhang_su_tableII")
    points = curve(known["rel"], range(8, 0, -1)).points()
    assert points["tp"].tolist() == known["h"]
    assert points["recall"] == pytest.approx(np.array(known["recall"]), abs=1e-15)
    assert points["precision"] == pytest.approx(np.array(known["precision"]), abs=1e-15)


cases = st.lists(
    st.tuples(st.booleans(), st.integers(-3, 3), st.integers(1, 4)), min_size=1, max_size=12
)


@given(cases, st.integers(0, 2), st.sampled_from([None, "whole", "real"]))
def test_columns_are_those_of_the_curve(rows, missed, weighted) -> None:
    relevant, score, weight = zip(*rows, strict=True)
    weights = {None: None, "whole": weight, "real": [one / 7 for one in weight]}[weighted]
    c = curve(relevant, score, missed, weights)
    points = c.points("MCC", "F(beta=2)", "kappa", "F")
    assert (
        list(points.to_dict()) == [*COLUMNS, "MCC", "F(beta=2)", "kappa"]
        and len(points) == len(c) - 1
    )
    for name in ("tp", "fp", "fn", "tn", "precision", "recall", "rejection_recall"):
        np.testing.assert_array_equal(points[name], np.asarray(getattr(c, name))[1:])
    for name, of in {
        "F": "F",
        "accuracy": "Accuracy",
        "MCC": "MCC",
        "F(beta=2)": "F(beta=2)",
        "kappa": "kappa",
    }.items():
        np.testing.assert_array_equal(points[name], c.values(of)[1:])
    np.testing.assert_array_equal(points["score"], c.threshold[1:])


@given(st.integers(0, 30), st.integers(1, 12))
def test_the_first_and_the_last_rows_are_shown(size, rows) -> None:
    points = curve([i % 3 == 0 for i in range(size)], range(size, 0, -1)).points()
    whole, few = points.sheet(), points.sheet(rows=rows)
    lines = [line for block in few.blocks for line in block.lines]
    shown = [line for line in lines if line.name.strip() != "..."]
    every = list(whole.blocks[0].lines)
    assert len(few.blocks[0].lines) == len(lines) and len(shown) == min(size, rows)
    first = (rows + 1) // 2
    assert [str(line.values) for line in shown] == [
        str(line.values)
        for line in (every if size <= rows else every[:first] + every[size - rows // 2 :])
    ]
    last = f" and the last {rows // 2}" if rows > 1 else ""
    left_out = f"the first {first}{last} of {size} rows"
    assert few.blocks[0].title == (left_out if size > rows else "")
    assert few.to_csv() == whole.to_csv() and few.to_dict() == whole.to_dict()


def test_every_form_has_every_row() -> None:
    points = curve([i % 3 == 0 for i in range(100)], range(100, 0, -1)).points()
    assert len(str(points).splitlines()) == 1 + 1 + 10 + 1 + 2 and "the last 5 of 100 rows" in str(
        points
    )
    assert points._repr_html_().count("<tr>") == 1 + 38 + 1
    rows = list(csv.DictReader(io.StringIO(points.to_csv())))
    assert [row["rank"] for row in rows] == [str(i) for i in range(1, 101)]
    assert [float(row["F"]) for row in rows] == points["F"].tolist()
    assert points.to_json().count("precall.operating-points/2") == 1
    assert json.loads(points.to_json())["columns"]["precision"] == points["precision"].tolist()
    assert len(points.to_pandas()) == len(points.to_polars()) == 100
    assert points.to_markdown().count("\n|") == 101 and points.to_latex().count(r" \\") == 101
    assert points == curve([i % 3 == 0 for i in range(100)], range(100, 0, -1)).points()


def test_a_curve_prints_its_first_and_last_points() -> None:
    c = curve([i % 3 == 0 for i in range(100)], range(100, 0, -1))
    assert "operating points" not in str(c).partition(".sheet(all=True) adds")[0]
    text = str(c.sheet(all=True))
    assert "operating points: the first 5 and the last 5 of 100 rows\nrank  score  tp" in text
    assert max(map(len, text.splitlines())) <= 80
    assert "operating" not in c.to_csv() + c.to_json(), "what programs read is as it was"
    assert "\noperating points\nrank" in str(curve([1, 0], [2.0, 1.0]).sheet(all=True))
    low = curve([1, 0], [0.25, 4.0], higher_is_better=False)
    assert low.points()["score"].tolist() == [0.25, 4.0]


def test_lists_are_told_apart_by_score_and_group() -> None:
    rows = {"a": np.array([0, 1]), "b": np.array([2, 3])}
    scores = {"s": np.array([4.0, 3.0, 2.0, 1.0]), "t": np.array([1.0, 2.0, 2.0, 1.0])}
    table = CaseTable.of("", np.array([True, False, True, False]), scores, None, rows, 0, True)
    points = measure_cases(table, measures=[measure("MCC")]).points()
    assert list(zip(points["column"], points["group"], strict=True)) == [
        ("s", "a"),
        ("s", "a"),
        ("s", "b"),
        ("s", "b"),
        ("t", "a"),
        ("t", "a"),
        ("t", "b"),
        ("t", "b"),
    ]
    assert [block.title for block in points.sheet().blocks] == [
        f"{s}, group {g}" for s in "st" for g in "ab"
    ]
    assert points["rank"].tolist() == [1, 2] * 4 and points["MCC"][0] == 1


def test_what_is_no_measure_of_counts_is_refused() -> None:
    with pytest.raises(
        MeasureError, match="AP is a measure of rankings; allowed are those of counts"
    ):
        curve([1, 0], [2.0, 1.0]).points("AP")
    with pytest.raises(UsageError, match="rows: must be an integer >= 1, got 0"):
        curve([1, 0], [2.0, 1.0]).points().sheet(rows=0)


TEN = ["0", "1", "0", "1", "1", "0", "0", "0", "1", "0"]


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "cases.csv"
    path.write_text(
        "y,s,g\n" + "".join(f"{y},{10 - i},{i % 2}\n" for i, y in enumerate(TEN)), encoding="utf-8"
    )
    return str(path)


def test_the_command_prints_what_python_has(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    c = curve([int(y) for y in TEN], range(10, 0, -1))

    def printed(*options: str) -> str:
        assert run(["curve", file, "--label", "y", "--score", "s", *options]) == 0
        return capsys.readouterr().out

    body = str(c.points()).rpartition("\n\n")[0]
    assert printed("--points").startswith(body + "\n\nprecall ")
    assert "the first 2 and the last 1 of 10 rows" in printed("--points", "3")
    assert printed("--points", "3", "--format", "csv", "-m", "MCC") == c.points("MCC").to_csv()
    assert printed("--points", "--format", "markdown").startswith(
        c.points().to_markdown().partition("\n- ")[0]
    )
    assert json.loads(printed("--points", "--format", "json"))["columns"] == c.points().to_dict()
    assert printed("--points", "--group", "g", "--format", "csv").splitlines()[1].split(",")[
        1:3
    ] == [
        "s",
        "0",
    ]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--points 0", "--points: must be an integer >= 1, got 0"),
        ("--points many", "Invalid value for '--points': 'many' is not an integer"),
        (
            "--points --null --at max=F",
            (
                "--points: prints the operating points instead of measures; leave --null and "
                "--at out"
            ),
        ),
        ("--points -m AP", "AP is a measure of rankings; allowed are those of counts"),
    ],
)
def test_what_the_command_refuses(
    file: str, options: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["curve", file, "--label", "y", "--score", "s", *options.split()]) == 2
    assert f"precall: error: {said}" in capsys.readouterr().err


def test_the_specificity_is_found_by_lingpipes_name_everywhere(facts: Path) -> None:
    """Data has LingPipe's name, for those who read it; what is printed has the word."""
    known = told(facts, "lingpipe_javadoc_example")
    path = curve(known["rel"], known["scores"])
    chosen = path.at(accept=5)
    assert chosen.specificity == chosen.rejection_recall == pytest.approx(2 / 3)
    assert (
        chosen.to_dict()["specificity"]
        == chosen.to_dict()["rejection_recall"]
        == chosen.specificity
    )
    np.testing.assert_array_equal(path.specificity, path.rejection_recall)
    for table in (path.table, path.roc(), path.points()):
        np.testing.assert_array_equal(table["specificity"], table["rejection_recall"])
        assert (
            "rejection_recall" in table.to_csv().splitlines()[0]
            and "rejection_recall" in table.to_dict()
        )
        for text in (str(table), table.to_markdown(), table.to_latex(), table._repr_html_()):
            assert "specificity" in text and "rejection" not in text
    assert str(chosen).count("specificity") == 1 and "rejection" not in str(chosen)


@pytest.mark.parametrize("missed", [0, 10**13, 10**15, 2**50])
@pytest.mark.parametrize("cost", [{"fp": 0, "fn": 1}, {"fp": 0.1, "fn": 1}, {"tp": -1, "fp": 0.5}])
def test_many_missed_cases_do_not_hide_what_a_point_costs(
    missed: int, cost: dict[str, float]
) -> None:
    """Nothing was accepted: beside what missed cases cost everywhere, one hit looked like
    rounding.
    """
    assert curve([0, 0, 1], [2, 1, 7], missed=missed).at(cost=cost).threshold == 7


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize("name", ["recall", "precision", "fpr", "specificity"])
@given(
    st.lists(
        st.tuples(st.booleans(), st.integers(0, 7), st.integers(1, 9)), min_size=4, max_size=16
    ),
    st.sampled_from([0.1, 0.2, 0.25, 0.3, 0.5, 0.75, 0.8, 0.9, 1.0]),
)
def test_tenths_as_weights_reach_what_whole_ones_do(
    name: str, cases: list[tuple[bool, int, int]], bound: float
) -> None:
    """A specificity of .75 was .7499999999999999, and another threshold than that of a false
    positive rate of .25.
    """
    relevant, scores, weights = map(np.array, zip(*cases, strict=True))
    found = []
    for weight in (weights, weights / 10):
        try:
            found.append(curve(relevant, scores, weights=weight).at(**{name: bound}).threshold)
        except UsageError as error:
            found.append(type(error))
    assert found[0] == found[1]


@pytest.mark.parametrize("cost", [{"fp": 1e308, "fn": 1e-308}, {"fp": 1e300, "fn": 5e-324}])
def test_costs_beyond_one_another_are_refused(cost: dict[str, float]) -> None:
    """The smaller one was 0 beside the greater, and nothing was accepted."""
    path = curve([1, 0, 1, 0], [4, 3, 2, 1])
    with pytest.raises(UsageError, match="cost: differ by more than float64 can tell"):
        path.at(cost=cost)
    for fine in (
        {"fp": 1e300, "fn": 1e-10},
        {"fp": 1e200, "fn": 1e-150},
        {"fp": 1e-308, "fn": 5e-324},
    ):
        assert path.at(cost=fine).threshold == 4


@pytest.mark.parametrize(
    ("cost", "free"),
    [
        ({"fn": 5}, ["fp"]),
        ({"fp": 2}, ["fn"]),
        ({"tn": -1}, ["fn"]),
        ({"fp": 1, "fn": 0}, []),
        ({"fn": 1, "tn": -2}, []),
    ],
)
def test_a_cost_of_one_kind_of_mistake_is_noted(cost: dict[str, float], free: list[str]) -> None:
    """`cost={"fn": 5}` accepted whatever it took to miss nothing, and did not say why."""
    point = curve([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6]).at(cost=cost)
    found = noticed(point, FreeMistakes)
    assert [note.free for note in found] == free
    assert all(note.named == tuple(cost) for note in found)
