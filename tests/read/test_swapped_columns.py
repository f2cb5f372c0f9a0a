"""`precall curve` says that --label and --score are swapped, as Python does.

Why the old tests missed it: those of swapped labels and scores called the library, and those of the
command gave labels that are not allowed, never a column of scores.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from precall.cli.main import run as command

SAID = "it holds scores, and column {} labels: they are swapped; name the labels with --label {}"


@pytest.mark.parametrize("form", ["csv", "parquet"])
@pytest.mark.parametrize(
    ("label", "option"),
    [
        ([1, 0, 1], []),
        ([True, False, True], []),
        (["spam", "ham", "ham"], ["--positive", "spam"]),
        (["b", "a", "b"], []),
    ],
)
def test_swapped(
    form: str,
    label: list[object],
    option: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    polars = pytest.importorskip("polars", reason="Polars is not installed: no table was written")
    path = tmp_path / f"cases.{form}"
    frame = polars.DataFrame({"label": label, "score": [0.9, 0.8, 0.25], "other": [0.5, 2.5, 1.5]})
    frame.write_csv(path) if form == "csv" else frame.write_parquet(path)
    for scores in (
        ["--score", "label"],
        ["--score", "other", "--score", "label"],
        ["--compare", "other", "label"],
    ):
        assert command(["curve", str(path), "--label", "score", *scores, *option]) == 2
        assert SAID.format("'label'", "label") in capsys.readouterr().err
    # Two columns of scores are not swapped, only wrong.
    assert command(["curve", str(path), "--label", "score", "--score", "other"]) == 2
    assert "they are swapped" not in capsys.readouterr().err
    if label != ["b", "a", "b"]:
        assert command(["curve", str(path), "--label", "label", "--score", "score", *option]) == 0
