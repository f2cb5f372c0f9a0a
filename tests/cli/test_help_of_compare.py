"""The help of `precall compare`: an overview that fits a screen, and one for each kind of data."""

from __future__ import annotations

import re

import pytest

from precall.cli.kinds import WORDS
from precall.cli.options import FORMS
from precall.results.forms import names as form_names

#: Options of one kind only.
OWN = {
    "runs": ("--baseline", "--fail-if-worse", "--lists", "--ties"),
    "cases": ("--label", "--score", "--weight", "--missed"),
    "decisions": ("--truth", "--decision", "--average", "--separator"),
}
OLD = ("--cases", "--decisions", "--a ", "--b ")


@pytest.fixture(autouse=True)
def terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")


def test_the_overview_fits_a_screen(precall):
    said = precall("compare", "--help")
    assert said.code == 0 and len(said.out.splitlines()) <= 40
    assert max(map(len, said.out.splitlines())) <= 80
    assert all(f"\n  {kind} " in said.out for kind in WORDS)
    assert "runs, cases or decisions" in said.out
    assert not any(name in said.out for name in OLD)


@pytest.mark.parametrize("kind", WORDS)
def test_each_kind_has_its_own_options(precall, kind):
    said = precall("compare", "--help", kind)
    assert said.code == 0 and "Examples:" in said.out
    listed = [line.split()[0] for line in said.out.splitlines() if line.startswith("  --")]
    for other, names in OWN.items():
        assert all((name in listed) == (kind == other) for name in names), other
    assert not any(name.strip() in listed for name in OLD)


@pytest.mark.parametrize(
    ("typed", "kind"),
    [
        (("x.csv", "--label", "y"), "cases"),
        (("--cases", "x.csv"), "cases"),
        (("x.csv", "--decision=p"), "decisions"),
        (("a.qrels", "b.run"), "runs"),
        (("--lists", "a.jsonl"), "runs"),
    ],
)
def test_the_typed_columns_choose_the_help(precall, typed, kind):
    assert precall("compare", *typed, "--help").out == precall("compare", "--help", kind).out


def test_the_help_of_cases_has_the_usual_options_first(precall):
    lines = precall("compare", "--help", "cases").out.splitlines()
    assert len(lines) <= 54
    other = lines.index("Other options:")
    usual, rare = "\n".join(lines[:other]), "\n".join(lines[other:])
    for name in ("--label", "--score", "--measure", "--test", "--format", "--output", "--help"):
        assert name in usual and name not in rare
    for name in ("--digits", "--tex-label", "--max-expansion", "--plugin"):
        assert name in rare and name not in usual
    # Only runs have gates.
    assert "--fail-if-worse" not in "\n".join(lines)


def test_the_help_of_decisions_is_short(precall):
    """It had 57 lines."""
    lines = precall("compare", "--help", "decisions").out.splitlines()
    assert len(lines) <= 52 and "Other options:" in lines


def test_the_help_of_a_page_lists_no_test_that_it_refuses(precall):
    said = " ".join(precall("report", "--help").out.split())
    tests = said.partition("--test NAME")[2].partition("--correction")[0]
    assert "wilcoxon" in tests and "mcnemar" not in tests and "delong" not in tests


def test_the_help_lists_all_forms():
    assert all(re.search(rf"\b{name}\b", FORMS) for name in form_names())
