"""How values, names, notes and options are worded: an example of each."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from precall.cases import curve
from precall.cases.curve_sheet import chance_cells
from precall.cli.compare import gate_of
from precall.cli.curve import condition
from precall.cli.explanations import averaging, declaration_of, example, ranking, reflow
from precall.cli.inputs import of_trec_eval
from precall.core.errors import DataError, Problem, UsageError
from precall.core.saving import save
from precall.core.text import format_count, list_names, table
from precall.read.runs import names_of
from precall.results.blocks import Block, Line, Threshold, format_bounds, show_cell
from precall.results.forms import in_latex, in_markdown, names, wrap
from precall.results.sheets import facts_sheet
from precall.stats.null.chances import Chances
from precall.stats.tests.many import many

TWICE = DataError([Problem("a.run", 3, "twice", 'pass ⟨duplicates="first" or "last"⟩')])
MEANS = {
    "x": [0.1, 0.2, 0.1, 0.3, 0.2, 0.1],
    "y": [0.5, 0.7, 0.6, 0.8, 0.6, 0.5],
    "z": [0.6, 0.7, 0.5, 0.8, 0.6, 0.5],
}


@pytest.mark.parametrize(
    ("worded", "text"),
    [
        (
            [show_cell(cell) for cell in (0.25, 3, Threshold(0.125), math.nan, None)],
            ["0.2500", "3", "0.125", "undef", ""],
        ),
        (
            [format_count(1234567), format_count(0.25), format_count(1e-9 / 3)],
            ["1234567", "0.25", "3.33333e-10"],
        ),
        ([format_bounds((0.25, 0.5)), format_bounds(None)], [" [0.2500, 0.5000]", ""]),
        (
            wrap(["ties docno", "topics both", "grade >=1"], 24),
            ["ties docno | topics both", "  | grade >=1"],
        ),
        (in_markdown("a|b_<c>"), r"a\|b\_\<c\>"),
        (in_latex("50%_a"), r"50\%\_a"),
        (list(names()), ["table", "csv", "json", "markdown", "latex", "html"]),
        (
            [list_names(["a"]), list_names(["a", "b", "c"]), list_names("abcdef")],
            ["a", "a, b and c", "6 others"],
        ),
        (
            many(MEANS, measure="AP", correction="none").sheet().verdict,
            "y and z are best by AP: better than x (+0.4500 [0.4000, 0.5000], p = 0.0312).",
        ),
        (
            ranking(example(declaration_of("RelP")) or {}),
            "a ranking of 10 items with relevant ones at ranks 1 and 3, and 1 relevant item missed",
        ),
        (
            averaging("gm_map"),
            {
                "usage": "GMAP",
                "aggregate": "geometric",
                "trec_eval": ["gm_map"],
                "averaged": {},
                "aliases": [],
            },
        ),
        (averaging("AP"), {}),
        (
            reflow("One\ntwo:\n\n- three\n  four\n- five", 12),
            ["One two:", "", "- three four", "- five"],
        ),
        (names_of(["a/x.run", "b/x.run", "y.run"]), ["a/x.run", "b/x.run", "y"]),
        (
            [of_trec_eval(name) for name in ("official", "unj_5", "P.5,10", "P@5")],
            ["official", "unj.5", "P.5,10", None],
        ),
        (
            [gate_of("AP"), gate_of("nDCG(gains={1:3})@10"), gate_of("AP:.01")],
            [("AP", None), ("nDCG(gains={1:3})@10", None), ("AP", 0.01)],
        ),
        (
            [condition("recall=.9"), condition("cost=fp:1,fn:20"), condition("accept=500")],
            [{"recall": 0.9}, {"cost": {"fp": 1.0, "fn": 20.0}}, {"accept": 500}],
        ),
        (UsageError("⟨ties='random'⟩ needs ⟨rng=⟩").words("command"), "--ties random needs --seed"),
        (TWICE.words("command"), "a.run:3: twice; pass --duplicates first|last"),
    ],
)
def test_worded(worded: Any, text: Any) -> None:
    assert worded == text


def test_leaders_of_columns() -> None:
    lines = (Line("a", (0.5, 0.25)), Line("b", (1.0, 0.5)))
    assert Block("", ("run", "AP", "E"), lines, best=(1, -1)).leaders() == [
        frozenset({1}),
        frozenset({0}),
    ]


def test_facts_are_fields_and_properties() -> None:
    rows = facts_sheet(curve([1, 0], [2.0, 1.0]).max_f()).to_csv().splitlines()
    assert "precall.operating-point/2,precision,1.0," in rows


def test_chance_of_a_curve() -> None:
    cells = chance_cells(Chances.of(curve([1, 1, 0, 0], [4, 3, 2, 1]), 0.95))
    assert (cells["AP by chance"], cells["AUC p"]) == (pytest.approx(0.6806, abs=1e-4), 1 / 6)


def test_only_the_file_stays(tmp_path: Path) -> None:
    save(b"abc", tmp_path / "a")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("letter", ["n", "狗"])
def test_long_names_stand_above_their_values_if_the_table_is_shorter_then(letter: str) -> None:
    long, heads = letter * 60, ["name", *(f"head{i}" for i in range(8))]
    rows = [[long, *["0.5000"] * 8], *([f"row{i}", *["0.2500"] * 8] for i in range(5))]
    lines = table(heads, rows)
    assert len(lines) == 8 and lines[1] == long
    assert [line.split() for line in lines[2:]] == [["0.5000"] * 8, *rows[1:]]
    assert len({len(line) for line in lines if line != long}) == 1
    # In a table that fits they stand in their column.
    (_, line) = table(heads[:2], [[letter * 20, "0.5000"]])
    assert line == f"{letter * 20}  0.5000"
