"""measures, explain, about, help, completion, and the pages of docs/measures."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from precall.cli import options
from precall.cli.commands import HOMES, commands
from precall.measures import REGISTRY, SOURCES

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("declaration", list(REGISTRY), ids=lambda d: d.name)
def test_explain_says_everything(precall, declaration):
    outcome = precall("explain", declaration.name.upper())
    assert outcome.code == 0 and outcome.err == ""
    text = " ".join(outcome.out.split())
    assert outcome.out.startswith(declaration.usage + "\n")
    assert " ".join(declaration.summary.split()) in text
    for parameter in declaration.parameters.values():
        assert parameter.name in text and parameter.domain.allowed in text
    assert all(SOURCES[key] in text for key in declaration.sources)
    assert all(name in text for name in (*declaration.trec_eval, *declaration.aliases))
    assert declaration.undefined in text and "Range " in text
    assert f"{declaration.name}" in text.split("Example ")[1]
    assert max(map(len, outcome.out.splitlines())) <= 80


def test_explain_an_example(precall):
    said = precall("explain", "NDCG").out
    assert "gain    default linear  linear or exp\n" in said
    assert (
        "In a ranking of 10 items with relevant ones at ranks 1 and 3 (grades 1 and 2):\n"
        "  nDCG = 0.7602\n"
    ) in said


@pytest.mark.parametrize("name", ["map_cut_10", "AP(grade=2)@100", "MAP", "ap"])
def test_explain_takes_any_spelling(precall, name):
    assert precall("explain", name).out.startswith("AP\n")


def test_measures_in_every_form(precall):
    names = [declaration.usage for declaration in REGISTRY]
    listed = json.loads(precall("measures", "--format", "json").out)
    assert listed["format"] == "precall.measures/1"
    assert [one["usage"] for one in listed["measures"]] == names
    ndcg = next(one for one in listed["measures"] if one["name"] == "nDCG")
    assert (
        ndcg["range"] == [0.0, 1.0]
        and ndcg["best"] == "high"
        and ndcg["example"]["value"] == pytest.approx(0.7602, abs=1e-4)
    )
    rows = list(csv.DictReader(io.StringIO(precall("measures", "--format", "csv").out)))
    assert [row["measure"] for row in rows] == names and rows[0]["format"] == "precall.measures/1"
    lines = precall("measures", "--format", "markdown").out.splitlines()
    assert [line.startswith("| ") for line in lines].count(True) == len(names) + 2
    table = precall("measures").out
    assert (
        all(f"\n{name} " in "\n" + table for name in names)
        and max(map(len, table.splitlines())) <= 80
    )


def test_names_that_say_how_topics_are_averaged(precall):
    said = precall("explain", "gm_map").out
    assert (
        said.startswith("GMAP\n")
        and "Over topics  geometric mean\n" in said
        and "trec_eval    gm_map\n" in said
    )
    assert "GMAP, its geometric mean" in precall("explain", "AP").out


def test_about(precall):
    assert set(json.loads(precall("about", "--format", "json").out)) >= {
        "precall",
        "kernel",
        "numpy",
        "python",
    }
    printed = precall("about").out
    assert printed.startswith("precall   ")
    # What a report of a bug needs beyond that, an extra that is not installed among it.
    for name in ("wheel", "gil", "click", "narwhals", "jinja2", "polars"):
        assert re.search(rf"^{name} +\S", printed, re.MULTILINE), name


def test_trec_eval_gets_its_arguments_as_typed(precall, monkeypatch):
    seen = []

    def main(arguments, stdout, stderr):
        seen.append(arguments)
        stdout.write("said\n")
        return 3

    monkeypatch.setattr("precall.compat.trec_eval.main", main)
    typed = ["-h", "--help", "-q", "-m", "map", "--", "-", "--version", "x"]
    assert precall("trec_eval", *typed) == (3, "said\n", "")
    assert seen == [typed]


def test_help_has_examples():
    for name in HOMES:
        if name == "trec_eval":
            continue
        said = CliRunner().invoke(commands, [name, "--help"], prog_name="precall")
        assert (
            said.exit_code == 0 and "Examples:" in said.output and f"precall {name}" in said.output
        )


def test_without_a_command_there_is_help(precall):
    outcome = precall()
    assert outcome.code == 2 and outcome.out == "" and outcome.err.startswith("Usage: precall ")


def test_what_may_be_typed_is_what_the_library_takes():
    from dataclasses import fields

    from precall.core import conventions
    from precall.measures import registry
    from precall.read import formats
    from precall.results import forms

    command = commands.get_command(click.Context(commands), "eval")
    usual = command.make_context("eval", ["qrels", "run"]).params
    typed = {option.name: option for option in command.params}
    for choice in fields(conventions.Conventions):
        allowed = choice.metadata.get("allowed")
        assert usual[choice.name] == choice.default
        # block, whose measures are no numbers yet, cannot be typed
        assert allowed is None or set(typed[choice.name].type.choices) == set(allowed) - {"block"}
    # JUnit is of gates alone, and has an option of its own.
    assert set(typed["form"].type.choices) == set(forms.FORMS) - {"junit"}
    assert tuple(typed["input_format"].type.choices) == formats.FORMATS
    assert options.AVERAGES == registry.AVERAGES


def test_completion_of_measures():
    context = click.Context(commands.get_command(click.Context(commands), "eval"))

    def complete(begun):
        return {
            item.value for item in options.measure_names(context, context.command.params[2], begun)
        }

    assert {"AP", "nDCG", "P@10"} <= complete("")
    assert complete("nd") == complete("nD") == {"nDCG"}
    assert complete("map") == {"map"}


def test_completion_by_the_shell(process):
    outcome = process(
        _PRECALL_COMPLETE="bash_complete", COMP_WORDS="precall eval a b -m nD", COMP_CWORD="5"
    )
    assert outcome.code == 0 and "plain,nDCG" in outcome.out.splitlines()
    script = process(_PRECALL_COMPLETE="zsh_source")
    assert "#compdef precall" in script.out


@pytest.mark.skipif(not (ROOT / "docs" / "measures").is_dir(), reason="the docs are not here")
def test_the_pages_are_current(tmp_path):
    # In a process of its own: other tests declare measures.
    done = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "measure_pages.py"), str(tmp_path)],
        capture_output=True,
        check=True,
    )
    assert done.stderr == b""
    written = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    kept = {
        path.name: path.read_text(encoding="utf-8")
        for path in (ROOT / "docs" / "measures").iterdir()
    }
    assert written == kept, "run: python docs/measure_pages.py"
