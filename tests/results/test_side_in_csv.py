"""A threshold in CSV says which side of it is accepted; of two files of either side all bytes but
the thresholds were equal.
"""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path

import pytest

import precall as pc
from precall.cases.operating_points import points_of
from precall.cli.main import run

LABELS, SCORES = [1, 0, 1, 0] * 5, [1, 5, 3, 7] * 5


def lines(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text)))


@pytest.mark.parametrize("high", [True, False])
def test_the_csv_of_a_curve_says_that_low_scores_are_good(high: bool) -> None:
    curve = pc.curve(
        LABELS, SCORES if high else [-score for score in SCORES], higher_is_better=high
    )
    rows = lines(curve.sheet(at={"threshold": {"threshold": 3}}).to_csv())
    said = [(row["section"], row["value"]) for row in rows if row["measure"] == "higher_is_better"]
    assert said == ([] if high else [("measures", "0"), ("at threshold", "0")])


@pytest.mark.parametrize("high", [True, False])
def test_the_csv_of_intervals_says_that_low_scores_are_good(high: bool) -> None:
    with pytest.warns(pc.PrecallWarning):
        interval = pc.interval.max_f(
            LABELS, [-score if high else score for score in SCORES], higher_is_better=high
        )
    (row,) = lines(interval.to_csv())
    assert row.get("higher_is_better") == (None if high else "0")
    assert float(row["threshold"]) == (-3.0 if high else 3.0)


VIEWS = ["pr", "roc", "gain", "lift", "cumulative_gain", "det", "cost"]


@pytest.mark.parametrize("view", ["points", "table", *VIEWS])
@pytest.mark.parametrize("high", [True, False])
def test_every_form_of_points_says_that_low_scores_are_good(view: str, high: bool) -> None:
    """Points of either side were alike but for the order of their thresholds."""
    curve = pc.curve(
        LABELS, SCORES if high else [-score for score in SCORES], higher_is_better=high
    )
    made = curve.table if view == "table" else getattr(curve, view)()
    said = {row.get("higher_is_better") for row in lines(made.to_csv())}
    assert said == ({None} if high else {"0"})
    good = json.loads(made.to_json())["conventions"].get("good")
    assert good == (None if high else "low scores")
    for text in (made.to_markdown(), made.to_latex(), made.to_html()):
        assert ("low scores" in text) is not high
    for columns in (
        made.to_pandas().columns,
        made.to_polars().columns,
        made.to_arrow().column_names,
    ):
        assert ("higher_is_better" in columns) is not high


def test_each_list_of_points_says_which_scores_are_good() -> None:
    low = pc.curve(LABELS, SCORES, higher_is_better=False)
    points = points_of({"low": {"": low}, "high": {"": pc.curve(LABELS, SCORES)}})
    said = {(row["column"], row["higher_is_better"]) for row in lines(points.to_csv())}
    assert said == {("low", "0"), ("high", "1")}


@pytest.mark.parametrize("option", ["", " --lower-is-better"])
def test_the_command_says_it_of_points(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "c.csv"
    path.write_text("y,s\n" + "".join(f"{y},{s}\n" for y, s in zip(LABELS, SCORES, strict=True)))
    assert not run(f"curve {path} --label y --score s --points 3 --format csv{option}".split())
    rows = lines(capsys.readouterr().out)
    assert {row.get("higher_is_better") for row in rows} == ({"0"} if option else {None})
