"""Folders of Parquet, as Spark writes them, as a table of cases: their names end like no table's,
it was said.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.peers import peer

polars = peer("polars")


def frame(seed: int, rows: int = 400):
    rng = np.random.default_rng(seed)
    truth = rng.random(rows) < 0.2
    return polars.DataFrame({"y": truth, "s": np.round(rng.normal(size=rows) + truth, 2)})


@pytest.fixture
def parted(tmp_path: Path) -> Path:
    """Two files in folders that tell a column, and what another job has not finished."""
    for number, place in enumerate(("site=a", "site=b")):
        (tmp_path / "cases" / place).mkdir(parents=True)
        frame(number).write_parquet(tmp_path / "cases" / place / "part-0.parquet")
    (tmp_path / "cases" / "_temporary").mkdir()
    (tmp_path / "cases" / "_temporary" / "part-1.parquet").write_bytes(b"not finished")
    return tmp_path / "cases"


def test_curves_of_a_folder_are_those_of_its_rows(parted: Path, precall) -> None:
    rows = [frame(number).with_columns(site=polars.lit(site)) for number, site in enumerate("ab")]
    whole = parted.parent / "whole.parquet"
    polars.concat(rows).write_parquet(whole)
    for more in ((), ("--group", "site"), ("--interval", "--at", "recall=0.5")):
        asked = ("--label", "y", "--score", "s", "--format", "json", *more)
        told = [json.loads(precall("curve", str(path), *asked).out) for path in (whole, parted)]
        assert numbers(told[0]) == numbers(told[1])


def numbers(part):
    """All but how the cases were read, and the number of distinct scores, which a scan does not
    count.
    """
    if isinstance(part, dict):
        apart = {"thresholds", "conventions", "notes"}
        return {name: numbers(value) for name, value in part.items() if name not in apart}
    return [numbers(value) for value in part] if isinstance(part, list) else part


def test_a_page_names_every_file(parted: Path, precall) -> None:
    page = parted.parent / "page.html"
    told = precall(
        "report", "--cases", str(parted), "--label", "y", "--score", "s", "-o", str(page)
    )
    assert told.code == 0, told.err
    text = page.read_text(encoding="utf-8")
    assert all(f"site={site}/part-0.parquet" in text for site in "ab") and "part-1" not in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--input-format csv", "a folder is read as Parquet, not csv; name its files one by one"),
        (
            "--points",
            (
                "--points: needs all cases in memory, and they were scanned; name its files one "
                "by one, or leave it out"
            ),
        ),
        (
            "--group place",
            "no column 'place', the columns are 'y', 's', 'site'; name one of them with --group",
        ),
    ],
)
def test_what_a_folder_is_not_is_said(words: str, said: str, parted: Path, precall) -> None:
    told = precall("curve", str(parted), "--label", "y", "--score", "s", *words.split())
    assert told.code == 2 and said in told.err


def test_an_empty_folder_is_an_error(tmp_path: Path, precall) -> None:
    told = precall("curve", str(tmp_path), "--label", "y", "--score", "s")
    assert (
        told.code == 2
        and "no Parquet file is there; name Parquet files or folders of them" in told.err
    )
