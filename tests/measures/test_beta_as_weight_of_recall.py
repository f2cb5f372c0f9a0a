"""β is read in one way everywhere: NumPy's numbers are numbers, great ones an error, and an average
is none.

Why the old tests missed it: nine places checked β by themselves, and each test passed a Python
float between 0.25 and 4.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cases import f_versus_break_even
from precall.hard_decisions import decisions
from precall.stats.tests import bayes

Y, A, B = [1, 1, 1, 0, 0, 1], [1, 0, 1, 0, 1, 1], [1, 1, 0, 0, 0, 1]
LABELS = ["a", "b", "c", "a", "b", "b"], ["a", "b", "c", "b", "b", "c"]
TAKES: dict[str, Callable[[Any], Any]] = {
    "interval.f": lambda beta: pc.interval.f(10, 10, 5, beta).low,
    "interval.f delta": lambda beta: pc.interval.f(10, 10, 5, beta, method="delta").low,
    "interval.e": lambda beta: pc.interval.e(10, 10, 5, beta).low,
    "interval.micro_f": lambda beta: pc.interval.micro_f([[30, 5], [4, 40]], beta).low,
    "decisions.f": lambda beta: decisions(Y, A).f(beta),
    "decisions.e": lambda beta: decisions(Y, A).e(beta),
    "macro-of-means": lambda beta: decisions(*LABELS).f(beta, "macro-of-means"),
    "compare micro": lambda beta: pc.compare.decisions(Y, A, B, beta=beta).difference,
    "compare macro": lambda beta: (
        pc.compare.decisions(Y, A, B, beta=beta, average="macro").difference
    ),
    "bayes": lambda beta: bayes.f(8, 2, 4, beta).mean,
    "max F": lambda beta: pc.curve(Y, [5, 4, 3, 2, 1, 0]).max_f(beta).value,
    "relation": lambda beta: f_versus_break_even(0.25, 1.0, beta).f,
}


@pytest.mark.parametrize("name", TAKES)
@pytest.mark.parametrize("kind", [np.int64, np.int8, np.float32, np.float64])
@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_numbers_of_numpy_are_numbers(name: str, kind: Any) -> None:
    assert TAKES[name](kind(2)) == TAKES[name](2.0)


@pytest.mark.parametrize("name", TAKES)
@pytest.mark.parametrize(
    "beta", [1e300, 10**400, float("inf"), float("nan"), 1e-300, True, "2", None]
)
def test_what_is_no_weight_is_refused_in_the_same_words(name: str, beta: Any) -> None:
    with pytest.raises(pc.UsageError, match=r"^beta: must be 0, or a number from .*, got "):
        TAKES[name](beta)


@pytest.mark.parametrize("name", TAKES)
@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_the_greatest_weight_is_as_good_as_recall(name: str) -> None:
    assert TAKES[name](1e99) == pytest.approx(TAKES[name](1e9), abs=1e-6)


@pytest.mark.parametrize("measure", ["f", "e"])
@pytest.mark.parametrize("average", ["micro", "macro", "weighted", "samples", "macro-of-means"])
def test_an_average_in_the_place_of_beta(measure: str, average: str) -> None:
    with pytest.raises(pc.UsageError, match=f"which is an average; pass average='{average}'"):
        getattr(decisions(*LABELS), measure)(average)
