"""What a method of intervals says of itself is so, and every kind of interval takes its methods by
the declared names.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import getdoc
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.core.errors import UsageError
from precall.stats.intervals.methods import DECLARED, KINDS, METHODS

DRAWN = np.random.default_rng(3)
RELEVANT = DRAWN.random(400) < 0.4
SCORE = RELEVANT + DRAWN.normal(0, 1, 400)
VALUES = DRAWN.random(900)
TRUTH = DRAWN.choice(["a", "b", "c"], 200).tolist()
SAID = [label if DRAWN.random() < 0.7 else "b" for label in TRUTH]
DECISIONS = pc.decisions(TRUTH, SAID)
TWO_CLASSES = pc.decisions(
    RELEVANT.astype(int).tolist(), (SCORE > 0.5).astype(int).tolist(), positive=1
)
MAKERS: dict[str, Callable[..., Any]] = {
    "proportion": lambda **how: pc.interval.proportion(300, 700, **how),
    "F": lambda **how: pc.interval.f(30, 12, 17, **how),
    "counts": lambda **how: pc.interval(TWO_CLASSES, "MCC", **how),
    "averages of F": lambda **how: pc.interval.macro_f(DECISIONS, **how),
    "averages of counts": lambda **how: pc.interval(DECISIONS, "macro-R", **how),
    "AP": lambda **how: pc.interval.average_precision(RELEVANT, SCORE, **how),
    "AUC": lambda **how: pc.interval.area_under_roc(RELEVANT, SCORE, **how),
    "part of AUC": lambda **how: pc.interval.partial_area_under_roc(
        RELEVANT, SCORE, max_fpr=0.5, **how
    ),
    "tuned threshold": lambda **how: pc.interval.max_f(RELEVANT, SCORE, **how),
    "band": lambda **how: pc.interval.pr_band(RELEVANT, SCORE, **how),
    "mean": lambda **how: pc.interval.mean(VALUES, range=(0, 1), **how),
    "two-way mean": lambda **how: pc.interval.two_way(VALUES.reshape(30, 30), range=(0, 1), **how),
}
#: Functions whose documentation names the methods of a kind; those of several measures name no
#: method, and `precall explain` lists them.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "proportion": pc.interval.proportion,
    "F": pc.interval.f,
    "averages of F": pc.interval.micro_f,
    "AP": pc.interval.average_precision,
    "AUC": pc.interval.area_under_roc,
    "part of AUC": pc.interval.partial_area_under_roc,
    "tuned threshold": pc.interval.max_f,
    "mean": pc.interval.mean,
    "two-way mean": pc.interval.two_way,
}
#: Kinds whose function has one method and so no `method=`; and bands of precision alone, which
#: have no "dkw", as they say.
ALONE = ("tuned threshold",)
GROUPED = {"obuchowski": np.arange(400) // 4}
PAIRS = [(kind, name) for kind in KINDS for name in METHODS[kind]]


def make(kind: str, name: str, **more: Any) -> Any:
    chosen = {} if kind in ALONE else {"method": name}
    if name in GROUPED:
        more["groups"] = GROUPED[name]
    if name == "dkw":
        return pc.interval.roc_band(RELEVANT, SCORE, **chosen, **more)
    return MAKERS[kind](**chosen, **more)


def test_every_kind_has_methods_and_every_method_a_kind() -> None:
    assert list(METHODS) == list(KINDS) == list(MAKERS)
    assert all(METHODS.values())
    for name, declared in DECLARED.items():
        assert declared.name == name
        assert declared.of
        assert {*declared.of} <= {*KINDS}
        assert any(sign.isdigit() for sign in declared.source), "a source has a year"


@pytest.mark.filterwarnings("ignore::precall.core.errors.PrecallWarning")
@pytest.mark.parametrize("name", METHODS["proportion"])
def test_what_is_short_by_few_says_so(name: str) -> None:
    """By the exact coverage of 100 trials: whether it ever falls far below the level where the few
    hits that are noted are likely.
    """
    from precall.core.notes.of_intervals import ShortForFew, WaldForFew
    from tests.noticed import noticed

    bounds = [pc.interval.proportion(hits, 100, method=name) for hits in range(101)]
    low, high = (
        np.array([getattr(one, end) for one in bounds], np.float64) for end in ("low", "high")
    )
    coverage = []
    for rate in np.arange(0.002, 0.03, 0.0005):
        chance = np.array([comb(100, k) * rate**k * (1 - rate) ** (100 - k) for k in range(101)])
        coverage.append(chance[(low <= rate) & (rate <= high)].sum())
    is_short = min(coverage) < 0.92
    assert is_short == bool(DECLARED[name].short_by or name == "wald")
    assert is_short == bool(noticed(bounds[2], ShortForFew) or noticed(bounds[2], WaldForFew))


@pytest.mark.parametrize("kind", FUNCTIONS)
def test_the_reference_names_every_method(kind: str) -> None:
    said = getdoc(FUNCTIONS[kind]) or ""
    assert [name for name in METHODS[kind] if f'"{name}"' not in said] == []


@pytest.mark.parametrize("name", DECLARED)
def test_each_has_tests_beside_these_laws(name: str) -> None:
    folder = Path(__file__).parents[1]
    written = [
        path.read_text(encoding="utf-8")
        for room in ("intervals", "evaluation", "oracle")
        for path in (folder / room).glob("*.py")
    ]
    assert any(f'"{name}"' in text for text in written), (
        f"test {name} in tests/intervals: its bounds against some that are computed anew"
    )


@pytest.mark.filterwarnings("ignore::precall.core.errors.PrecallWarning")
@pytest.mark.parametrize(("kind", "name"), PAIRS)
def test_a_method_is_taken_and_told(kind: str, name: str) -> None:
    found = make(kind, name)
    assert found.method == name
    assert (found.seed is not None) == DECLARED[name].draws
    assert bool(found.resamples) == DECLARED[name].draws
    if kind != "band":
        assert found.low < found.estimate < found.high


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("mean", "two-way mean")])
def test_the_first_is_the_default(kind: str) -> None:
    assert MAKERS[kind]().method == METHODS[kind][0]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ALONE])
def test_others_are_refused(kind: str) -> None:
    other = next(name for name in DECLARED if name not in METHODS[kind])
    with pytest.raises(UsageError, match="method"):
        MAKERS[kind](method=other)
