"""Gates that could not have failed, as too few topics differ: the command says so in every form."""

import json
from pathlib import Path

import pytest

from precall.cli.main import run
from precall.core.notes.of_comparisons import NeverFails
from tests.noticed import noticed


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    gold = {f"q{i}": [f"d{i}"] for i in range(12)}
    for name, empty in (("gold", 0), ("old", 0), ("new", 5), ("worse", 6)):
        lists = {q: [] if i < empty else ids for i, (q, ids) in enumerate(gold.items())}
        (tmp_path / f"{name}.json").write_text(json.dumps(lists))


def gate(capsys, system, *arguments):
    options = ["-m", "MRR", "-m", "Recall", "--fail-if-worse", "any"]
    status = run(["compare", "gold.json", "old.json", system, *arguments, *options])
    return status, *capsys.readouterr()


@pytest.mark.usefixtures("files")
def test_the_command_says_that_its_gates_could_not_have_failed(capsys):
    status, printed, warned = gate(capsys, "new.json", "--junit", "gates.xml")
    assert status == 0
    assert printed.startswith("Passed, but could")
    assert "2 gates (5 of 12 queries" in printed.partition("\n")[0]
    assert warned.count("5 of 12") == 1 and "2 gates" in warned
    assert "5 of 12 queries differ" in Path("gates.xml").read_text()
    _, printed, _ = gate(capsys, "new.json", "--format", "json")
    (first, second) = (noticed(g, NeverFails)[0] for g in json.loads(printed)["gates"])
    assert (first.topics, first.differ, first.needed) == (12, 5, 6) and second.differ == 5


@pytest.mark.usefixtures("files")
def test_six_queries_that_differ_can_fail(capsys):
    status, printed, warned = gate(capsys, "worse.json")
    assert status == 1 and "but could" not in printed + warned
