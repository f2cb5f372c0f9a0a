"""Runs that do not fit into memory are read topic by topic without being asked, to the same
output.
"""

from __future__ import annotations

import gzip
import io
import re
import sys
from pathlib import Path

import pytest

from precall.core import text as texts
from precall.read import large_runs, sizes, sources

pytestmark = pytest.mark.usefixtures("any_memory")
WORDS = "-m AP -m nDCG@2 -q --interval --format json"


@pytest.fixture
def pieces(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which roads were taken."""
    taken: list[str] = []
    monkeypatch.setattr(large_runs, "BYTES", 40)
    for name in ("pieces", "buckets"):
        road = getattr(large_runs.Text, name)
        monkeypatch.setattr(
            large_runs.Text,
            name,
            lambda text, road=road, name=name: taken.append(name) or road(text),
        )
    return taken


@pytest.mark.parametrize(
    "command", ["eval news.qrels one.run", "eval news.qrels one.run two.run --ties input"]
)
def test_eval(command: str, precall, pieces: list[str]) -> None:
    known = precall(*f"{command} {WORDS}".split())
    assert known.code == 0 and not pieces
    assert precall(*f"{command} {WORDS} --memory 100".split()) == known
    assert set(pieces) == {"pieces"}


def test_scattered_and_compared(
    precall, pieces: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = Path("one.run").read_text().splitlines(keepends=True)
    Path("one.run").write_text("".join(lines[1:] + lines[:1]))
    commands = [
        f"eval news.qrels one.run {WORDS}",
        "compare news.qrels one.run two.run -m AP --unpaired drop",
    ]
    known = [precall(*command.split()) for command in commands]
    monkeypatch.setattr(sizes, "free_memory", lambda: 100)
    monkeypatch.setattr(texts, "_SMALL", 0)
    assert [precall(*command.split()) for command in commands] == known
    assert "buckets" in pieces


@pytest.mark.parametrize("is_archive", [True, False])
def test_standard_input(
    is_archive: bool, precall, pieces: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Typed:
        def __init__(self) -> None:
            data = Path("one.run").read_bytes()
            self.buffer = io.BytesIO(gzip.compress(data) if is_archive else data)

    told = []
    for memory in ("", "--memory 100"):
        monkeypatch.setattr(sys, "stdin", Typed())
        told.append(precall(*f"eval news.qrels - {WORDS} {memory}".split()))
    assert told[0] == told[1] and told[0].code == 0
    assert pieces == ["pieces"]


def test_a_pipe_that_is_no_run_is_refused_early(precall, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (sizes, sources):
        monkeypatch.setattr(module, "LONG", 100)
    monkeypatch.setattr(
        sys, "stdin", type("Typed", (), {"buffer": io.BytesIO(b"one two\n" * 1000)})()
    )
    told = precall("eval", "news.qrels", "-", "--memory", "100")
    assert told.code == 2 and "standard input:1: 2 fields" in told.err


@pytest.mark.parametrize(
    "command",
    ["compare news.qrels one.run two.run", "report news.qrels one.run two.run -o - --chance none"],
)
def test_memory_is_an_option_of_every_command_of_runs(
    command: str, precall, pieces: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    words = [*command.split(), "-m", "AP", "--unpaired", "drop"]
    known = precall(*words)
    assert known.code == 0 and not pieces
    told = precall(*words, "--memory", "100")
    # The command line is a part of the page, and of its sum.
    known, told = (re.sub(r'sha256="\w+"', "", outcome.out) for outcome in (known, told))
    assert told.replace(" --memory 100", "") == known
    assert set(pieces) == {"pieces"}


def test_memory_is_none_of_tables(precall) -> None:
    words = "compare --decisions x.csv --truth t --a p --b q --memory 1G"
    told = precall(*words.split())
    assert (
        told.code == 2 and "--memory: applies to runs; this command compares decisions" in told.err
    )
