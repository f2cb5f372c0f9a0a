"""`-m Err` was ERR and `explain Err` the error rate, `explain Acc` worked and `-m Acc` did not, E1
was E@1 and F1 was F.

Older tests asked the command and Python by names that one of the two knew.
"""

from __future__ import annotations

import pytest

import precall as pc
from precall.cli.explanations import _find_declaration
from precall.cli.main import run
from precall.measures import REGISTRY
from precall.measures.words import words

EVERY = dict.fromkeys(name for word in words() for name in word.names)
DECLARED = dict.fromkeys(
    name
    for declared in REGISTRY
    for name in (declared.name, *declared.aliases, *declared.sklearn, declared.name.lower())
)


def measure_of(name):
    """The measure that a name is found as; None if there is none, or what must be given is
    missing.
    """
    try:
        return pc.measure(name).declaration.name
    except pc.MeasureError:
        return None


@pytest.mark.nightly(keep=90)
@pytest.mark.parametrize("name", [*EVERY, *DECLARED])
def test_a_name_means_the_same_to_explain_and_to_measure(name):
    try:
        known = _find_declaration(name)
    except pc.MeasureError:
        assert measure_of(name) is None
        return
    found = measure_of(name)
    if found is not None:
        assert known.declaration is not None and known.declaration.name in (
            found,
            found.removeprefix("Set"),
        )
    word = known.word
    if word is not None and word.is_name and found is None:
        # What must be given is missing, or the name is that of another one in other letters.
        with pytest.raises(pc.MeasureError, match="needs|in other letters|is no measure"):
            pc.measure(name)


def test_names_of_words_are_names_of_measures():
    for word in words():
        for name in word.names if word.is_name else ():
            if word.measure in ("Success", "RelP"):
                assert pc.measure(f"{name}@10").name == f"{word.measure}@10"
            elif word.measure in ("KAtRecall", "PAtRecall"):
                with pytest.raises(pc.MeasureError, match=f"{word.measure} needs recall"):
                    pc.measure(name)
            elif word.measure == "RAtPrecision":
                with pytest.raises(pc.MeasureError, match="RAtPrecision needs precision"):
                    pc.measure(name)
            elif name != "Err":
                assert pc.measure(name).declaration.name == word.measure


def test_digits_behind_f_and_e():
    found = {
        name: pc.measure(name).name
        for name in ("F1", "E1", "F2", "E2", "F0.5", "E0.5", "f2@5", "e2@5", "macro-E2", "E_1")
    }
    assert found == {
        "F1": "F",
        "E1": "E",
        "F2": "F(beta=2)",
        "E2": "E(beta=2)",
        "F0.5": "F(beta=0.5)",
        "E0.5": "E(beta=0.5)",
        "f2@5": "F(beta=2)@5",
        "e2@5": "E(beta=2)@5",
        "macro-E2": "macro-E(beta=2)",
        "E_1": "E",
    }
    d = pc.decisions([1, 1, 0, 1], [1, 0, 0, 1])
    for beta in ("0.5", "1", "2"):
        assert d.value(f"E{beta}") == 1 - d.value(f"F{beta}")
    # What E1 was is there still.
    hits = pc.Hits.of([1, 3], retrieved=5, relevant=3)
    assert pc.measure("E@1")(hits) == 1 - pc.measure("F@1")(hits) and pc.measure("P5").name == "P@5"


@pytest.mark.parametrize("name", ["Err", "Err@10", "Err(population=9)@3"])
def test_err_is_refused_with_both(name):
    with pytest.raises(
        pc.MeasureError,
        match=(
            "Err: is Error where the literature has it, and ERR in other letters; write Error or "
            "ERR"
        ),
    ):
        pc.measure(name)
    assert [pc.measure(other).name for other in ("ERR@10", "err@10", "Error", "error")] == [
        "ERR@10",
        "ERR@10",
        "Error",
        "Error",
    ]


def test_acc():
    for name in ("Acc", "acc", "Acc_i", "overall accuracy", "exact match"):
        assert pc.measure(name).name == "Accuracy"
    with pytest.raises(
        pc.MeasureError, match="whether there is a hit, which others call accuracy@k, is Success@k"
    ):
        pc.measure("acc@1")
    assert pc.measure("HR@10").name == pc.measure("hit rate@10").name == "Success@10"


@pytest.mark.parametrize("name", ["AP@k", "MAP@k", "average precision at k"])
def test_ap_at_k_has_three_senses(name, capsys):
    assert run(["explain", *name.split()]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert (
        told.index("`AP@k` by R")
        < told.index("`AP(norm=min)@k` by min(k, R)")
        < told.index("`AP(norm=found)@k` by the hits")
    )


@pytest.mark.parametrize("name", ["nDCG@k", "P@K", "F at k", "RR@k"])
def test_k_stands_for_a_cutoff(name, capsys):
    assert run(["explain", *name.split()]) == 0
    assert name[0] in capsys.readouterr().out


def test_err_is_explained_with_both(capsys):
    assert run(["explain", "Err"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert (
        "(FP + FN) / N of one category's table" in told
        and "As a name of a measure write Error or ERR" in told
    )
