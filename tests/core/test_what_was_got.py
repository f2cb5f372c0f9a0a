"""An error has what it got as a value, or as a fact of that value, and not in words only."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.core.errors import Kind, Problem, Shape
from precall.read.readers import read_runs
from precall.testing import assert_not_worse
from tests.cli.test_errors import QRELS as BAD_QRELS
from tests.cli.test_errors import RUNS as BAD_RUNS
from tests.core.test_problems_alike import ALL_WRONG

CURVE = pc.curve([1, 0, 1, 0], [4.0, 3.0, 2.0, 1.0])
POINT = CURVE.at(recall=0.5)
QRELS, RUN = {"q": {"a": 1}}, {"q": {"a": 1.0}}
READ = pc.read_run(RUN)
NAMES = {"a", "b"}

CALLS = {
    "measures": (lambda: pc.evaluate(QRELS, RUN, QRELS), Kind, QRELS, "measures"),
    "categories": (lambda: pc.decisions(["a"], ["b"], categories=NAMES), Kind, NAMES, "categories"),
    "ranked": (lambda: pc.ranking(["a"], NAMES), Kind, NAMES, "ranked"),
    "relevant": (lambda: pc.ranking(3, ["a"]), Kind, 3, "relevant"),
    "interval": (lambda: pc.interval(POINT), Kind, POINT, "interval"),
    "report": (lambda: assert_not_worse(CURVE, "x.json"), Kind, CURVE, "report"),
    "run_column": (
        lambda: read_runs(READ, "system"),
        Kind,
        READ,
        "run_column",
    ),
    "weights": (lambda: pc.curve([1, 0], [2.0, 1.0], weights=[1]), Shape, (1,), "weights"),
    "groups": (
        lambda: pc.interval.average_precision([1, 0], [2.0, 1.0], groups=[1]),
        Shape,
        (1,),
        "groups",
    ),
    "truth": (lambda: pc.decisions(np.zeros((1, 1, 1)), [1]), Shape, (1, 1, 1), "truth"),
}


@pytest.mark.parametrize("name", CALLS)
def test_errors_have_the_value_that_they_got(name):
    call, kind, value, argument = CALLS[name]
    with pytest.raises(pc.UsageError) as refused:
        call()
    error = refused.value
    assert (error.argument, type(error.got)) == (argument, kind)
    assert error.got.value == value


def test_several_choices_are_named():
    choices = {"threshold": 2.0, "recall": 0.5, "beta": 1}
    with pytest.raises(pc.UsageError) as refused:
        pc.interval.precision_at_threshold([1, 0, 1, 0], [4.0, 3.0, 2.0, 1.0], **choices)
    assert str(refused.value.got) == ", ".join(choices)


def test_problems_of_data_are_facts_as_well() -> None:
    """Old tests compared the words of problems, and what was got or allowed was words only."""
    problem = facts_of(lambda: pc.compare({"q": 1.0, "r": None}, {"q": 1.0, "r": 0.4}))
    assert (problem.got, problem.allowed) == (None, "")
    problem = facts_of(lambda: pc.decisions([["a"]], [["⟨c=⟩"]], categories=["a", "⟨b=⟩"]))
    assert tuple(problem.allowed) == ("a", "⟨b=⟩")
    assert "category '⟨c=⟩', allowed are 'a', '⟨b=⟩'" in str(problem)
    problem = facts_of(lambda: pc.curve([1, 0], [0.2, 0.1], weights=[-1, -2]))
    assert problem.wrong == "case 0 is -1 (2 of 2 are so), allowed are finite numbers >= 0"


def facts_of(call: Callable[[], object]) -> Problem:
    with pytest.raises(pc.DataError) as refused:
        call()
    assert str(pickle.loads(pickle.dumps(refused.value))) == str(refused.value)
    return refused.value.problems[0]


def test_a_value_that_cannot_be_pickled_becomes_its_text() -> None:
    problem = Problem("x", None, "no number", "give one", got=lambda: 0)
    error = pickle.loads(pickle.dumps(pc.DataError([problem])))
    assert "no number, got <function" in str(error)


@pytest.mark.parametrize("level", [2, -1, 1e-9])
def test_a_level_that_is_refused(level: float) -> None:
    with pytest.raises(pc.UsageError) as refused:
        pc.interval([0.1, 0.2, 0.4], level=level)
    assert refused.value.got == level
    assert str(refused.value.allowed).startswith("a number")


#: Kinds of wrong lines of files that have no value.
NO_VALUE = {"nul", "utf8", "empty", "missing", "topicless"}


@pytest.mark.parametrize("kind", [*BAD_RUNS, *BAD_QRELS])
def test_problems_of_files_have_what_was_got(kind: str, tmp_path: Path) -> None:
    name, data, _ = BAD_RUNS[kind] if kind in BAD_RUNS else ("x.qrels", *BAD_QRELS[kind])
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(pc.DataError) as refused:
        (pc.read_run if kind in BAD_RUNS else pc.read_qrels)(str(path))
    for problem in refused.value.problems:
        assert "{" not in problem.wrong.replace("gains={", "")
        assert has_got(problem) or kind in NO_VALUE


@pytest.mark.parametrize("name", ALL_WRONG)
def test_problems_of_arguments_have_what_was_got(name: str) -> None:
    with pytest.raises(pc.PrecallError) as refused:
        ALL_WRONG[name][0]()
    for problem in getattr(refused.value, "problems", ()):
        assert has_got(problem) or "missing" in problem.what


def has_got(problem: Problem) -> bool:
    return problem.got is not Problem("", None, "", "").got


QUOTED = {
    "a measure": (lambda: pc.measure("nDGC"), "nDGC"),
    "no name": (lambda: pc.measure("P@"), "P@"),
    "braces": (lambda: pc.measure("{got}"), "{got}"),
    "a parameter": (lambda: pc.measure("AP(bet=2)"), "bet"),
    "a label": (lambda: pc.decisions(["a", "b"], ["b", "a"], positive="z"), "z"),
    "a condition": (lambda: CURVE.at(recal=0.5), "recal"),
    "a category": (lambda: pc.decisions(["a"], ["a"], categories=["a", "a"]), "a"),
    "a column": (lambda: pc.evaluate(QRELS, RUN, "AP").to_latex(columns=["RR"]), "RR"),
    "another name": (lambda: pc.evaluate(QRELS, RUN, metric="AP"), "AP"),
}


@pytest.mark.parametrize("name", QUOTED)
def test_what_a_sentence_quotes_is_a_field(name: str) -> None:
    """Names of measures, labels and columns were in the words only: `got` was empty."""
    call, got = QUOTED[name]
    with pytest.raises(pc.UsageError) as refused:
        call()
    assert refused.value.got == got
    assert str(refused.value).count(repr(got)) >= 1
    assert str(pickle.loads(pickle.dumps(refused.value))) == str(refused.value)
