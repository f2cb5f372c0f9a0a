"""Advice led to the next error: opposites of a value, corrections as tests, options and parts that
are not there.

The old tests asked whether an error gives advice, not whether it can be followed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import click
import numpy as np
import pytest

import precall as pc
from precall.cli.commands import SUMMARIES, commands
from precall.cli.explanations import explain
from precall.cli.main import run as precall
from precall.core.notes import catalogue, name_of_kind
from precall.stats.tests import CORRECTIONS, INSTEAD_OF_SEVERAL

QRELS = {f"q{i}": {"a": 1, "b": 0} for i in range(4)}
GOOD = {topic: {"a": 2.0, "b": 1.0} for topic in QRELS}
BAD = {topic: {"a": 1.0, "b": 2.0} for topic in QRELS}
RUNS = {"good": GOOD, "bad": BAD}
Y, S = [1, 0, 1, 0], [0.9, 0.1, 0.6, 0.7]


def refused(call: Callable[[], Any]) -> str:
    with pytest.raises(pc.PrecallError) as caught:
        call()
    return str(caught.value)


@pytest.mark.parametrize(
    ("call", "theirs", "ours"),
    [
        (
            lambda **end: pc.evaluate(QRELS, GOOD, ["AP"], **end),
            "higher_is_better",
            "lower_is_better",
        ),
        (
            lambda **end: pc.compare(QRELS, RUNS, ["AP"], **end),
            "higher_is_better",
            "lower_is_better",
        ),
        (lambda **end: pc.read_run(GOOD, **end), "higher_is_better", "lower_is_better"),
        (lambda **end: pc.curve(Y, S, **end), "lower_is_better", "higher_is_better"),
        (lambda **end: pc.average_precision(Y, S, **end), "lower_is_better", "higher_is_better"),
        (
            lambda **end: pc.compare(Y, {"a": S, "b": S[::-1]}, **end),
            "lower_is_better",
            "higher_is_better",
        ),
        (lambda **end: pc.ScoredCases().add(Y, S, **end), "lower_is_better", "higher_is_better"),
        (lambda **end: pc.ScoredCases.scan([(Y, S)], **end), "lower_is_better", "higher_is_better"),
    ],
)
@pytest.mark.parametrize("high", [False, True, np.True_])
def test_ends_of_scores(call: Callable[..., Any], theirs: str, ours: str, high: Any) -> None:
    value = high if theirs == "higher_is_better" else not high
    text = refused(lambda: call(**{theirs: value}))
    advised = re.findall(r"(\w+)=(True|False)", text)
    assert advised == ([] if high else [(ours, str(not value))])
    call(**{name: told == "True" for name, told in advised})
    assert f"{ours}=True or False" in refused(lambda: call(direction="<"))


@pytest.mark.parametrize(
    "name",
    sorted({*CORRECTIONS} - {"none"} | {"nemenyi", "scheffe", "friedman", "anova", "tukeyhsd"}),
)
@pytest.mark.parametrize("alias", ["stat_test", "test", "method"])
def test_corrections_that_others_call_tests(name: str, alias: str) -> None:
    options = {alias: name}
    for _ in range(2):
        text = refused(lambda: pc.compare(QRELS, RUNS, ["AP"], **options))  # noqa: B023
        (advised,) = re.findall(r"(\w+)='(\w+)'", text)
        options = dict([advised])
        if "correction" in options:
            break
    assert pc.compare(QRELS, RUNS, ["AP"], **options).pairs[0].correction in CORRECTIONS


@pytest.mark.parametrize("name", sorted(INSTEAD_OF_SEVERAL))
def test_what_to_take_for_a_test_is_no_other_test_that_there_is_not(name: str) -> None:
    text = refused(lambda: pc.compare(QRELS, RUNS, ["AP"], test=name))
    for argument, value in re.findall(r"(correction|test)='(\w+)'", text):
        assert pc.compare(QRELS, RUNS, ["AP"], **{argument: value}).pairs


def test_one_pair_has_no_correction() -> None:
    text = refused(lambda: pc.compare.paired({1: 2.0, 2: 3.0}, {1: 1.0, 2: 5.0}, test="tukey"))
    assert "pc.compare(qrels, runs, correction='tukey')" in text


def test_what_is_not_taken_is_said_of_the_function_that_was_called() -> None:
    text = refused(lambda: pc.compare(QRELS, RUNS, ["AP"], colour="red"))
    assert "colour" in text and "correction" in text and "evaluate()" not in text
    for call in (pc.interval.e, pc.interval.accuracy, pc.interval.roc_band, pc.interval.macro_f):
        for options in ({}, {"colour": "red"}):
            with pytest.raises(TypeError, match=rf"^{call.__name__}\(\) "):
                call(**options)
        assert "level=1 - alpha" in refused(lambda: call(Y, S, alpha=0.1))  # noqa: B023
    assert pc.interval.e(300, 50, 50, level=0.8).level == 0.8


@pytest.mark.parametrize(
    ("call", "advised"),
    [
        (lambda: pc.ScoredCases().add(Y, S, label=1), "positive=1"),
        (lambda: pc.ScoredCases().add(Y, S, pos_label=1), "positive=1"),
        (lambda: pc.ScoredCases().add(Y, S, sample_weight=S), "weights="),
        (lambda: pc.ScoredCases.scan([(Y, S)], pos_label=1), "positive=1"),
        (
            lambda: pc.ScoredCategories().add(["x", "y"], [[1, 0], [0, 1]], sample_weight=[1, 2]),
            "weights=",
        ),
        (lambda: pc.report.runs(QRELS, GOOD, "x.html", direction="<"), "lower_is_better="),
    ],
)
def test_names_at_other_doors(call: Callable[[], Any], advised: str) -> None:
    assert advised in refused(call)


@pytest.mark.parametrize(
    "given",
    [
        {"default": {"test": GOOD}},
        {
            "mteb_model_meta": {"model_name": "m", "revision": "r"},
            "default": {"test": GOOD, "dev": GOOD},
        },
        {"default": {"test": {topic: ["a", "b"] for topic in QRELS}}},
        {"bm25": {"default": {"test": GOOD}}},
    ],
)
def test_dicts_within_dicts(given: dict[str, Any]) -> None:
    calls = [
        lambda: pc.evaluate(QRELS, given, ["AP"]),
        lambda: pc.read_run(given),
        lambda: pc.locate(QRELS, given),
    ]
    for call in calls:
        text = refused(call)
        assert "float(" not in text
        part: Any = given
        for key in re.findall(r"\['(\w+)'\]", text):
            part = part[key]
        assert pc.evaluate(QRELS, part, ["AP"]).mean["AP"] == 1


def test_a_score_that_is_a_dict_is_no_run_of_runs() -> None:
    assert "'q1'" in refused(lambda: pc.read_run({"q0": {"a": 1.0}, "q1": {"a": {"score": 1.0}}}))


@pytest.mark.parametrize("command", sorted(SUMMARIES))
@pytest.mark.parametrize("typed", ["--threshold", "--alpha", "--metric", "-k", "--json"])
def test_options_that_are_named_are_there(
    command: str, typed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    home = commands.get_command(click.Context(commands), command)
    assert home is not None
    own = {name for param in home.params for name in param.opts}
    if typed in own or command == "trec_eval":
        return
    assert precall([command, typed, "0.1"]) == 2
    text = capsys.readouterr().err.partition(f"'{typed}'")[2].partition("; see '")[0]
    if "Did you mean" not in text:
        text = text.replace("precall curve --at", "")
        assert set(re.findall(r"(?<![\w-])--?[a-z]\w*", text)) <= own
    else:
        assert ";" not in text


@pytest.mark.parametrize(
    ("arguments", "advised"),
    [
        ("categories x.csv --threshold 0.1", "--policy fixed:0.1"),
        ("eval q.qrels a.run --threshold 0.1", "precall curve --at threshold=0.1"),
        ("compare q.qrels a.run b.run --test tukey", "--correction tukey"),
        ("compare q.qrels a.run b.run --test nemenyi", "--correction tukey"),
        ("compare q.qrels a.run b.run --correction nemenyi", "--correction tukey"),
    ],
)
def test_commands(arguments: str, advised: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert precall(arguments.split()) == 2
    assert advised in capsys.readouterr().err


def test_kinds_of_notes_are_explained_by_both_names() -> None:
    for kind in catalogue().values():
        for name in (name_of_kind(kind), kind.__name__):
            assert explain(name).startswith(name_of_kind(kind)), name


@pytest.mark.parametrize(
    "name", ["macro-QWK", "micro-LWK", "QWK_macro", "macro-kappa(weights=linear)"]
)
def test_averages_of_what_is_of_the_whole_table(name: str) -> None:
    decided = pc.decisions([0, 1, 2, 1], [0, 1, 1, 1])
    assert "average" in refused(lambda: decided.value(name)).partition(":")[0]
