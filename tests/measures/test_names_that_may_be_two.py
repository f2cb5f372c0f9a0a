"""A name that may be two measures is none: LR is LR+ or LR-, and F05 is F0.5 or F5.

Why the old tests missed it: they asked for names of elsewhere with the letters that these have, not
with fewer; a hyphen that parts words was dropped at the end of a name as well.
"""

from __future__ import annotations

import pytest

import precall as pc
from precall.cli.main import run as command

NONE = {
    "LR": "did you mean LR+ or LR-?",
    "lr": "did you mean LR+ or LR-?",
    "LR@5": "did you mean LR+ or LR-?",
    "F05": "did you mean F0.5 or F5?",
    "e05": "did you mean E0.5 or E5?",
    "F01": "did you mean F0.1 or F1?",
    "F05@10": "did you mean F0.5 or F5?",
    "macro-F02": "did you mean macro-F0.2 or macro-F2?",
}
SOME = {
    "LR+": "LR+",
    "lr-": "LR-",
    "positive likelihood ratio": "LR+",
    "negative_likelihood_ratio": "LR-",
    "F.5": "F(beta=0.5)",
    "f0.5": "F(beta=0.5)",
    "F.5@10": "F(beta=0.5)@10",
    "micro-F.5": "micro-F(beta=0.5)",
    "E.5": "E(beta=0.5)",
    "F0": "F(beta=0)",
    "F10": "F(beta=10)",
    "F-0.5": "F(beta=0.5)",
    "F1_score": "F",
}


@pytest.mark.parametrize("name", NONE)
def test_names_of_none(name: str) -> None:
    with pytest.raises(pc.UsageError) as refused:
        pc.measure(name)
    assert f"no measure {name!r}; {NONE[name]}" in str(refused.value)


@pytest.mark.parametrize("name", SOME)
def test_names_of_one(name: str) -> None:
    assert pc.measure(name).name == SOME[name]


@pytest.mark.parametrize("typed", [["explain", "LR"], ["explain", "F05"]])
def test_words_of_none(typed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert command(typed) == 2
    assert NONE[typed[1]] in capsys.readouterr().err


def test_errors_quote_what_was_typed() -> None:
    with pytest.raises(pc.UsageError, match=r"'LR\+1' is not a measure's name"):
        pc.measure("LR+1")


def test_advice_keeps_the_weight() -> None:
    advice = r"write F\(beta=5\)@k, or SetF\(beta=5\) for all that was retrieved"
    with pytest.raises(pc.UsageError, match=advice):
        pc.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["F5"])
    assert pc.measure("F(beta=5)@3").name == "F(beta=5)@3"
    assert pc.measure("SetF(beta=5)").name == "SetF(beta=5)"
