"""Tab: measures in any case and with parameters, columns, policies and runs, by the machinery of
each shell.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import FishComplete, ZshComplete

from precall.cli.commands import commands
from precall.cli.completion import Bash

ROOT = Path(__file__).resolve().parents[2]
CASES = "y,s one,other\n1,2,3\n"


@pytest.fixture
def tab(monkeypatch):
    """What a shell offers for a line that ends where Tab is pressed."""

    def press(line, shell=Bash):
        words = line.split(" ")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv(
            "COMP_CWORD", words[-1] if shell is FishComplete else str(len(words) - 1)
        )
        if shell is Bash:
            monkeypatch.setenv("COMP_LINE", line)
            monkeypatch.setenv("COMP_POINT", str(len(line.encode())))
            monkeypatch.setenv("COMP_BREAKS", " \t\n\"'@><=;|&(:")
        made = shell(commands, {}, "precall", "_PRECALL_COMPLETE")
        return [
            item.value
            for item in made.get_completions(*made.get_completion_args())
            if item.type == "plain"
        ]

    return press


@pytest.mark.parametrize("shell", [Bash, ZshComplete, FishComplete])
@pytest.mark.parametrize("begun", ["nD", "nd", "ND", "nDCG", "ndcg"])
def test_a_name_is_begun_in_any_case(tab, shell, begun):
    assert tab(f"precall eval a b -m {begun}", shell) == ["nDCG"]


@pytest.mark.parametrize("begun", ["e", "er", "n", "a", "se", "p", "r", "i", "b"])
def test_what_bash_gets_begins_as_long_as_what_was_typed(tab, begun):
    """Else bash, which puts what all answers share in the place of the word, would shorten it."""
    found = [value.strip("'") for value in tab(f"precall eval a b -m {begun}")]
    assert found and len({value[: len(begun)] for value in found}) == 1
    assert found[0].casefold().startswith(begun)


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("precall eval a b -m P@1", ["@10", "@100", "@1000"]),
        ("precall eval a b -m nDCG@", ["@5", "@10", "@20", "@50", "@100", "@1000"]),
        ("precall eval a b -m 'nDCG(g", ["nDCG(gain=linear)", "nDCG(gain=exp)"]),
        ("precall eval a b -m IPr", ["'IPrec(recall=...)'"]),
        ("precall explain ndc", ["nDCG"]),
        ("precall categories x --policy ma", ["max:MCC"]),
        ("precall categories x --policy max:M", ["MCC"]),
        ("precall compare q.qrels runs/bm25.run.gz runs/dense.run --baseline b", ["bm25"]),
        ("precall compare q.qrels runs/bm25.run runs/dense.run --baseline ", ["bm25", "dense"]),
        ("precall compare x.csv --lab", ["--label"]),
        ("precall compare x.csv --dec", ["--decision"]),
        ("precall ev", ["eval"]),
    ],
)
def test_what_bash_offers(tab, line, wanted):
    assert tab(line) == wanted


@pytest.mark.parametrize(
    "line",
    [
        "precall curve {} --label ",
        "precall report --cases {} --score ",
        "precall compare {} --label y --score ",
        "precall compare {} --truth ",
        "precall curve {} --score y --group ",
    ],
)
def test_columns_of_the_file(tab, tmp_path, monkeypatch, line):
    monkeypatch.chdir(tmp_path)
    Path("cases.csv").write_text(CASES, encoding="utf-8-sig")
    Path("cases.tsv").write_text(CASES.replace(",", "\t"), encoding="utf-8")
    Path("cases.jsonl").write_text('{"y": 1, "s one": 2, "other": 3}\n', encoding="utf-8")
    for name in ("cases.csv", "cases.tsv", "cases.jsonl"):
        assert tab(line.format(name)) == ["y", "'s one'", "other"]
    for name, text in (
        ("no.csv", None),
        ("odd.jsonl", "{"),
        ("cases.parquet", "PAR1"),
        ("empty.csv", ""),
    ):
        if text is not None:
            Path(name).write_text(text, encoding="utf-8")
        assert tab(line.format(name)) == []


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_the_script_of_bash_is_one(tmp_path):
    code = "from precall.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"_PRECALL_COMPLETE": "bash_source", "PATH": "/bin"},
        capture_output=True,
        text=True,
    )
    # A program of this name stands for precall, and says what it was given.
    fake = tmp_path / "precall"
    fake.write_text('#!/bin/bash\necho "plain,$COMP_LINE/$COMP_POINT"\n', encoding="utf-8")
    fake.chmod(0o755)
    asked = (
        "COMP_LINE='precall eval -m nD'; COMP_POINT=18; COMP_WORDS=(precall eval -m nD); "
        "COMP_CWORD=3"
    )
    script = (
        f'{done.stdout}\n{asked}\n_precall_completion {fake}\nprintf "%s\\n" "${{COMPREPLY[@]}}"\n'
    )
    shell = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    assert (shell.stdout, shell.stderr) == ("precall eval -m nD/18\n", "")
