"""What a method of intervals says of itself is so, and every kind of interval takes its methods by
the declared names.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from inspect import getdoc
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.core.errors import UsageError
from precall.stats.intervals.methods import (
    DECLARED,
    ELSEWHERE,
    INSTEAD,
    KINDS,
    METHODS,
    choose_method,
    find_method,
)
from tests.laws.names_elsewhere import INTERVALS, check_names

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
BY_FOUR = np.arange(400) // 4
MAKERS: dict[str, Callable[..., Any]] = {
    "proportion": lambda **how: pc.interval.proportion(300, 700, **how),
    "F": lambda **how: pc.interval.f(30, 12, 17, **how),
    "counts": lambda **how: pc.interval(TWO_CLASSES, "MCC", **how),
    "ratio of counts": lambda **how: pc.interval(TWO_CLASSES, "LR+", **how),
    "share at a prevalence": lambda **how: pc.interval(TWO_CLASSES, "P", prevalence=0.1, **how),
    "share in groups": lambda **how: pc.interval(TWO_CLASSES, "R", groups=BY_FOUR, **how),
    "table in groups": lambda **how: pc.interval(TWO_CLASSES, "MCC", groups=BY_FOUR, **how),
    "averages of F": lambda **how: pc.interval.macro_f(DECISIONS, **how),
    "averages of counts": lambda **how: pc.interval(DECISIONS, "macro-R", **how),
    "AP": lambda **how: pc.interval.average_precision(RELEVANT, SCORE, **how),
    "AUC": lambda **how: pc.interval.area_under_roc(RELEVANT, SCORE, **how),
    "part of AUC": lambda **how: pc.interval.partial_area_under_roc(
        RELEVANT, SCORE, max_fpr=0.5, **how
    ),
    "number of a list": lambda **how: pc.interval(pc.curve(RELEVANT, SCORE), "Rprec", **how),
    "number at a level": lambda **how: pc.interval(
        pc.curve(RELEVANT, SCORE), "PAtRecall(recall=0.5)", **how
    ),
    "AP of detections": lambda **how: pc.interval(
        pc.detections(SCORE, RELEVANT, image=BY_FOUR, missed=0), **how
    )["mean"],
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
GROUPED = {"obuchowski": BY_FOUR}
PAIRS = [(kind, name) for kind in KINDS for name in METHODS[kind]]


def make(kind: str, name: str, **more: Any) -> Any:
    chosen = {} if kind in ALONE else {"method": more.pop("method", name)}
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
@pytest.mark.parametrize("name", DECLARED)
def test_the_example_is_so(name: str) -> None:
    call, bounds = DECLARED[name].example
    found = eval(call, {"pc": pc})
    assert found.method == name
    assert [float(np.ravel(end)[0]) for end in (found.low, found.high)] == pytest.approx(
        bounds, abs=6e-5
    )


def test_names_elsewhere_are_those_that_others_use() -> None:
    check_names(INTERVALS, DECLARED, ELSEWHERE, lambda name: METHODS[DECLARED[name].of[0]])


@pytest.mark.filterwarnings("ignore::precall.core.errors.PrecallWarning")
@pytest.mark.parametrize(("kind", "name"), PAIRS)
def test_every_kind_takes_names_elsewhere(kind: str, name: str) -> None:
    """As it takes other spellings; the result has the name that is declared."""
    for alias in (*DECLARED[name].aliases[:1], name.upper().replace("-", "_")):
        if find_method(kind, alias) == name and kind not in ALONE:
            assert make(kind, name, method=alias).method == name


@pytest.mark.parametrize("name", INSTEAD)
def test_advice_on_other_names_can_be_taken(name: str) -> None:
    assert not any(find_method(kind, name) == name for kind in KINDS if kind != "band")
    kind = next(kind for kind in KINDS if INSTEAD[name] in METHODS[kind])
    with pytest.raises(UsageError, match=f"take '{INSTEAD[name]}'"):
        choose_method(kind, name)
    with pytest.raises(UsageError) as refused:
        choose_method("AUC", name)
    assert "take" not in str(refused.value)


@cache
def _bounds(name: str, trials: int) -> tuple[np.ndarray, np.ndarray]:
    found = [pc.interval.proportion(hits, trials, method=name) for hits in range(trials + 1)]
    return tuple(np.array([getattr(one, end) for one in found], float) for end in ("low", "high"))


def _coverage(name: str, trials: int, rate: float) -> float:
    """How probable it is that an interval of so many trials holds the rate."""
    low, high = _bounds(name, trials)
    hits = range(trials + 1)
    chance = np.array([comb(trials, k) * rate**k * (1 - rate) ** (trials - k) for k in hits])
    return float(chance[(low <= rate) & (rate <= high)].sum())


#: Methods that are exact for what no enumeration here shows, with the reason.
EXACT = {
    "t": "Student's distribution is that of normal values",
    "dkw": "Massart's inequality holds for every number of cases",
}


@pytest.mark.parametrize(
    "name", [name for name in DECLARED if "proportion" not in DECLARED[name].of]
)
def test_what_is_exact_has_a_reason(name: str) -> None:
    assert bool(DECLARED[name].exact_when) == (name in EXACT)


@pytest.mark.filterwarnings("ignore::precall.core.errors.PrecallWarning")
@pytest.mark.parametrize("name", METHODS["proportion"])
def test_what_is_exact_covers_its_level(name: str) -> None:
    """By the exact coverage of 30 trials."""
    coverage = min(_coverage(name, 30, rate) for rate in np.arange(0.005, 1, 0.005))
    assert (coverage >= 0.95) == bool(DECLARED[name].exact_when)


@pytest.mark.filterwarnings("ignore::precall.core.errors.PrecallWarning")
@pytest.mark.parametrize("name", METHODS["proportion"])
def test_what_is_short_by_few_says_so(name: str) -> None:
    """By the exact coverage of 100 trials: whether it ever falls far below the level where the few
    hits that are noted are likely.
    """
    from precall.core.notes.of_intervals import ShortForFew, WaldForFew
    from tests.noticed import noticed

    is_short = min(_coverage(name, 100, rate) for rate in np.arange(0.002, 0.03, 0.0005)) < 0.92
    of_few = pc.interval.proportion(2, 100, method=name)
    assert is_short == bool(DECLARED[name].short_by or name == "wald")
    assert is_short == bool(noticed(of_few, ShortForFew) or noticed(of_few, WaldForFew))


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
