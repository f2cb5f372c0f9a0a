"""Numbers in names, options, policies, variables and paths: ASCII digits, as those of files,
nothing that joins two of them.

`int("1_0")` is 10, and so was P@1_0; digits of other scripts and blanks between digits were taken,
too. Tests of wrong numbers gave words, signs and fractions. A number of JSON beyond float64 was
said to be no number; in JSON lines it was named rightly.
"""
# ruff: noqa: RUF001

from __future__ import annotations

from pathlib import Path

import click
import numpy as np
import pytest

import precall as pc
from precall.cli import options
from precall.cli.commands import SUMMARIES, commands
from precall.cli.main import run
from precall.core.text import typed_integer, typed_number
from precall.read.folders import columns_of

STRANGE = ["1_0", "１０", "١٠", "1 0", "0x1", "1e", "1,0", "--1", "", "ten"]


@pytest.mark.parametrize("text", STRANGE)
def test_texts_that_are_no_numbers(text: str) -> None:
    for read in (typed_integer, typed_number):
        with pytest.raises(ValueError, match=r"is not an? (integer|number)"):
            read(text)


@pytest.mark.parametrize(
    ("text", "number"), [("10", 10), ("+10", 10), ("-7", -7), (" 10\t", 10), ("007", 7)]
)
def test_texts_that_are_numbers(text: str, number: int) -> None:
    assert typed_integer(text) == typed_number(text) == number


def test_numbers_that_are_too_great() -> None:
    assert (typed_number(".5e1"), typed_number("5."), typed_number("-Infinity")) == (
        5.0,
        5.0,
        -np.inf,
    )
    with pytest.raises(ValueError, match="'1e999' is beyond float64"):
        typed_number("1e999")
    with pytest.raises(ValueError, match=r"'9+\.\.\.9+' \(5,000 characters\) is too large"):
        typed_integer("9" * 5000)
    with pytest.raises(ValueError, match="'nan' is not a number"):
        typed_number("nan")


NAMES = [
    "P@{}",
    "AP(grade={})",
    "nDCG@{}",
    "nDCG(gains={{{}:3}})",
    "F(beta={})@5",
    "F(beta={})",
    "F{}",
    "RBP(p=0.{})",
    "P_{}",
    "EF@{}%",
    "ndcg_cut_{}",
    "k@recall(0.{})",
    "Utility({},-1)",
    "ndcg_at_{}",
    "recall{}",
    "rbp.{}",
]


@pytest.mark.parametrize("name", NAMES)
def test_names_of_measures(name: str) -> None:
    pc.measure(name.format(10))
    for digits in ("1_0", "１０", "1 0", "1 _0", "１0"):
        with pytest.raises(pc.MeasureError):
            pc.measure(name.format(digits))


def test_blanks_between_parts_of_a_name_mean_nothing() -> None:
    for name in ("P @ 10", " P@10 ", "P@ 10"):
        assert pc.measure(name).name == "P@10"
    assert pc.measure("nDCG( gains = { 1 : 3 , 2 : 9 } ) @ 10").name == "nDCG(gains={1:3,2:9})@10"


def numeric_options() -> list[tuple[str, str]]:
    found = []
    context = click.Context(commands)
    for command in SUMMARIES:
        for option in commands.get_command(context, command).params:
            assert not isinstance(option.type, type(click.INT) | type(click.FLOAT)), (
                "click's take 1_0"
            )
            is_option = isinstance(option, click.Option)
            if is_option and isinstance(
                option.type, options.Integer | options.Number | options.Size
            ):
                found.append((command, option.opts[-1]))
    return found


@pytest.mark.parametrize(("command", "option"), numeric_options())
def test_every_option_that_is_a_number(
    command: str, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for text in ("1_0", "１０", "0.1_5", "much"):
        assert run([command, option, text]) == 2
        assert (
            option in (said := capsys.readouterr().err) and "Missing" not in said and text in said
        )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            "curve c.csv --label y --score s --at accept=1_0",
            "--at accept=1_0: '1_0' is not a number",
        ),
        (
            "curve c.csv --label y --score s --at threshold=１",
            "--at threshold=１: '１' is not a number",
        ),
        ("curve c.csv --label y --score s --at cost=fp:1,fn:2_0", "'2_0' is not a number"),
        ("curve c.csv --label y --score s --at recall=1e999", "'1e999' is beyond float64"),
        ("curve c.csv --label y --score s --points 1_0", "'1_0' is not an integer"),
        ("compare q a b --fail-if-worse AP:0.0_1", "the margin must be a number > 0, got '0.0_1'"),
        ("categories c.csv --truth y --scores p* --policy rank:1_0", "'1_0' is not a number"),
        ("categories c.csv --truth y --scores p* --policy utility:1,-1_0", "utility"),
        ("null --items 20 --relevant 5 --ndcg --grades 3,2_0", "--grades: must be numbers"),
        ("null --items 20 --relevant 5 --ap 0.2_7", "must be a number such as 0.27"),
    ],
)
def test_numbers_inside_options(
    words: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("c.csv").write_text("y,s\n1,2\n0,1\n", encoding="utf-8")
    assert run(words.split()) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "text"),
    [("PRECALL_THREADS", "1_0"), ("PRECALL_THREADS", "１"), ("PRECALL_MAX_EXPANSION", "１０")],
)
def test_variables(name: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import gzip

    path = tmp_path / "a.run.gz"
    path.write_bytes(gzip.compress(b"q Q0 a 1 1 x\n"))
    monkeypatch.setenv(name, text)
    with pytest.raises(pc.UsageError, match=f"{name}: must be an integer"):
        pc.read_run(path)


def test_digits_of_other_scripts_in_folders_are_texts() -> None:
    assert columns_of("year=2024/month=٠٣/day=１/x.parquet") == {
        "year": 2024,
        "month": "٠٣",
        "day": "１",
    }


@pytest.mark.parametrize("number", ["1e999", "-1e400", "1.5e309"])
def test_numbers_of_json_beyond_float64(number: str, tmp_path: Path) -> None:
    texts = {
        "a.json": f'{{"q": {{"a": {number}, "b": 2}}}}',
        "rows.json": f'[["q", "a", {number}], ["q", "b", 2]]',
        "a.jsonl": f'{{"topic": "q", "item": "a", "score": {number}}}\n',
        "named.json": f'[{{"topic": "q", "item": "a", "score": {number}}}]',
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        with pytest.raises(
            pc.DataError,
            match=rf"score '?{number}'? is beyond float64 \(about 1\.8e308\); write inf or -inf",
        ):
            pc.read_run(tmp_path / name)
