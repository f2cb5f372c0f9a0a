"""What the refusal of a test advises can be passed to the function that was called, or to the
public function that it names.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.core.hooks import hook
from precall.stats.tests import DECLARED_CORRECTIONS, ELSEWHERE, INSTEAD, INSTEAD_OF_SEVERAL

DRAWN = np.random.default_rng(11)
LABELS = (1, 0, 0, 1) * 5
A, B, C = (DRAWN.random(20).tolist() for _ in range(3))
DECIDED = [[int(value > 0.4) for value in values] for values in (A, B)]
QRELS = {f"t{topic}": {"x": 1, "y": 0} for topic in range(6)}
RUNS = [
    {topic: dict(zip("xy", DRAWN.random(2).tolist(), strict=True)) for topic in QRELS}
    for _ in range(2)
]
REPORT = pc.evaluate(QRELS, {"old": RUNS[0], "new": RUNS[1]}, ["AP"])

#: The function whose parameters the advice names, and a call of it.
CALLS: dict[str, tuple[Any, Callable[[str], Any]]] = {
    "paired": (pc.compare.paired, lambda test: pc.compare.paired(A, B, test=test)),
    "many": (
        pc.compare.many,
        lambda test: pc.compare.many({"a": A, "b": B, "c": C}, test=test),
    ),
    "equivalence": (
        pc.compare.equivalence,
        lambda test: pc.compare.equivalence(A, B, margin=0.2, test=test),
    ),
    "cases": (pc.compare.cases, lambda test: pc.compare.cases(LABELS, A, B, test=test)),
    "cases at a rank": (
        pc.compare.cases,
        lambda test: pc.compare.cases(LABELS, A, B, measure="P@4", test=test),
    ),
    "cases at a threshold": (
        pc.compare.cases,
        lambda test: pc.compare.cases(LABELS, A, B, measure="R", threshold=0.6, test=test),
    ),
    "decisions": (
        pc.compare.decisions,
        lambda test: pc.compare.decisions(LABELS, *DECIDED, test=test),
    ),
    "gates": (pc.compare.gates, lambda test: pc.compare.gates(REPORT, "old", test=test)),
    "curves": (
        pc.compare.cases,
        lambda test: pc.compare(pc.curve(LABELS, A), pc.curve(LABELS, B), test=test),
    ),
    "runs": (pc.compare.__call__, lambda test: pc.compare(QRELS, RUNS, ["AP"], test=test)),
}
NAMES = sorted({*ELSEWHERE, *DECLARED_CORRECTIONS, *INSTEAD, *INSTEAD_OF_SEVERAL, "fdr_bh"})


def strangers(text: str, called: Any) -> list[str]:
    """The arguments in an advice that neither function has."""
    advice = text.partition("; ")[2]
    functions = [called, *(attrgetter(name)(pc) for name in re.findall(r"pc\.([\w.]*\w)", advice))]
    if pc.compare in functions:
        functions.append(pc.compare.__call__)
    known = {name for function in functions for name in inspect.signature(function).parameters}
    return [name for name in re.findall(r"(\w+)=", advice) if name not in known]


@pytest.mark.nightly(keep=90)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("door", CALLS)
def test_advice_names_what_there_is(door: str, name: str) -> None:
    called, call = CALLS[door]
    text = ""
    try:
        call(name)
    except pc.UsageError as error:
        text = str(error)
    assert not strangers(text, called), text


@pytest.mark.parametrize("door", [door for door in CALLS if door not in ("many", "gates", "runs")])
@pytest.mark.parametrize("name", ["bonferroni", "holm", "fdr_bh", "hochberg", "sidak", "dunnett"])
def test_one_pair_is_led_to_several_runs(door: str, name: str) -> None:
    with pytest.raises(pc.UsageError) as caught:
        CALLS[door][1](name)
    (called,) = re.findall(r"pc\.compare\(qrels, runs, (.*)\)$", str(caught.value))
    options = dict(re.findall(r"(\w+)='(\w+)'", called))
    # The name of a run is the user's.
    options |= {"baseline": "a"} if "baseline" in options else {}
    assert pc.compare(QRELS, {"a": RUNS[0], "b": RUNS[1]}, ["AP"], **options).pairs


@pytest.mark.parametrize("name", sorted(DECLARED_CORRECTIONS))
def test_every_correction_is_told_from_tests(name: str) -> None:
    is_correction = hook("is a correction")
    assert is_correction(name) and all(map(is_correction, DECLARED_CORRECTIONS[name].aliases))
    assert not is_correction("wilcoxon") and not is_correction("bonferroni")
