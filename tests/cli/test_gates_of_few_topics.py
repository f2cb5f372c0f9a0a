"""Gates that could not have failed, as too few topics differ: the command says so in every form."""

import json

import pytest

from precall.core.notes.of_comparisons import NeverFails
from tests.noticed import noticed

click_testing = pytest.importorskip("click.testing")


@pytest.fixture
def files(tmp_path):
    gold = {f"q{i}": [f"d{i}"] for i in range(12)}
    for name, empty in (("gold", 0), ("old", 0), ("new", 5), ("worse", 6)):
        lists = {q: [] if i < empty else ids for i, (q, ids) in enumerate(gold.items())}
        (tmp_path / f"{name}.json").write_text(json.dumps(lists))
    return tmp_path


def invoke(files, *arguments):
    from precall.cli.commands import commands

    paths = [str(files / name) for name in ("gold.json", "old.json")]
    options = ["-m", "MRR", "-m", "Recall", "--fail-if-worse", "any"]
    return click_testing.CliRunner().invoke(
        commands, ["compare", *paths, *arguments, *options], standalone_mode=False
    )


def test_the_command_says_that_its_gates_could_not_have_failed(files):
    junit = files / "gates.xml"
    done = invoke(files, str(files / "new.json"), "--junit", str(junit))
    assert done.return_value == 0
    assert done.stdout.startswith("Passed, but could")
    assert "2 gates (5 of 12 queries" in done.stdout.partition("\n")[0]
    assert done.stderr.count("5 of 12") == 1 and "2 gates" in done.stderr
    assert "5 of 12 queries differ" in junit.read_text()
    done = invoke(files, str(files / "new.json"), "--format", "json")
    (first, second) = (noticed(g, NeverFails)[0] for g in json.loads(done.stdout)["gates"])
    assert (first.topics, first.differ, first.needed) == (12, 5, 6) and second.differ == 5


def test_six_queries_that_differ_can_fail(files):
    done = invoke(files, str(files / "worse.json"))
    assert done.return_value == 1 and "but could" not in done.output
