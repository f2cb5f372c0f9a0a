"""F of β = 0 is precision, wherever F is; one check of β.

The old tests only asked that β = 0 is refused, each of the nine checks in its own words; none
compared it with precision, nor a check with another one (np.int64(2) passed in four places and was
refused in five).
"""

from __future__ import annotations

import functools
import math
import warnings
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cases import curve, f_versus_break_even
from precall.compat.sklearn import precision_recall_fscore_support
from precall.core.notes.of_intervals import FewOfAKind, UndefinedMeasure
from precall.hard_decisions import decisions
from precall.plot import AgainstThreshold, PrecisionRecall
from precall.stats.tests import bayes
from tests.noticed import warned

TRUTH, SAID = (
    ["a", "a", "b", "b", "b", "c", "c", "a"] * 8,
    ["a", "b", "b", "b", "c", "c", "a", "a"] * 8,
)
OTHER = ["b", *SAID[1:-2], "c", "b"]
CURVE = curve([1, 0, 1, 1, 0, 0, 1, 0, 0, 0], [9, 8, 7, 6, 5, 5, 4, 3, 2, 1], missed=1)


def test_decisions() -> None:
    d = decisions(TRUTH, SAID)
    np.testing.assert_array_equal(d.f(0), d.precision())
    for average in ("micro", "macro", "weighted"):
        assert d.f(0, average) == d.precision(average)
        assert d.e(0, average) == pytest.approx(1 - d.precision(average), abs=1e-15)
    assert d.f(0, "macro-of-means") == d.precision("macro")
    never = decisions(["a", "b", "b"], ["b", "b", "b"])
    assert never.undefined_in("f", beta=0) == 1 and never.undefined_in("f") == 0


def test_curves() -> None:
    best = CURVE.max_f(0)
    assert (best.value, best.threshold, best.precision, best.f(0)) == (1.0, 9.0, 1.0, 1.0)
    assert CURVE.at(accept=4).f(0) == 0.75
    nothing = curve(np.zeros(0, bool), np.zeros(0), missed=2)
    assert math.isnan(nothing.max_f(0).value)
    assert (
        f_versus_break_even(0.75, 0.6, 0).greater == "f"
        and f_versus_break_even(0.6, 0.75, 0).greater == "mean"
    )
    assert (
        f_versus_break_even(0.75, 0.6, 0).f == 0.75
        and f_versus_break_even(0.5, 0.5, 0).greater == "neither"
    )


def test_measures_of_ranks() -> None:
    hits = pc.Hits.of([1, 3, 7], retrieved=10, relevant=5)
    for f, p in (("F(beta=0)@5", "P@5"), ("SetF(beta=0)", "SetP")):
        assert pc.measure(f)(hits) == pc.measure(p)(hits)
    assert pc.measure("E(beta=0)@5")(hits) == 1 - pc.measure("P@5")(hits)


def test_intervals() -> None:
    d = decisions(TRUTH, SAID)
    jeffreys, same = (
        pc.interval.precision(30, 10, method="jeffreys"),
        pc.interval.f(30, 10, 20, beta=0, prior=0.5),
    )
    assert (same.estimate, same.low, same.high) == pytest.approx(
        (jeffreys.estimate, jeffreys.low, jeffreys.high), abs=1e-5
    )
    f = pc.interval.f(30, 10, 20, beta=0)
    assert f.measure == "F0" and pc.interval.e(30, 10, 20, beta=0).estimate == pytest.approx(0.25)
    with warned(FewOfAKind) as told:
        assert pc.interval.f(30, 0, 20, beta=0).high == 1
    assert told[0].facts == {
        "subject": "F0",
        "seen": 0,
        "fewest": 5,
        "noun": "FP",
        "effect": "wide",
    }
    drawn = pc.interval.f(30, 10, 20, beta=0, method="monte-carlo", rng=1)
    assert (drawn.low, drawn.high) == pytest.approx((f.low, f.high), abs=0.005)
    near = pc.interval.f(30, 10, 20, beta=1e-6)
    assert (near.low, near.high) == pytest.approx((f.low, f.high), abs=1e-5)
    assert pc.interval.f(30, 10, 20, 0, method="delta").low < f.estimate
    with warned(UndefinedMeasure) as told:
        assert math.isnan(pc.interval.f(0, 0, 20, beta=0).estimate)
    assert told[0].reason == "nothing was accepted (0/0)"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PrecallWarning)
        assert pc.interval.macro_f(d, 0).estimate == pytest.approx(d.precision("macro"))
        assert pc.interval.micro_f(d, 0).estimate == pytest.approx(d.precision("micro"))
        y, s = np.tile([1, 0, 1, 0, 0], 30), np.random.default_rng(0).normal(size=150)
        assert (
            pc.interval.max_f(y, s, beta=0, resamples=100).naive.estimate
            == curve(y, s).max_f(0).value
        )


def test_posteriors_and_comparisons() -> None:
    assert bayes.f(8, 2, 4, beta=0).interval() == bayes.precision(8, 2).interval()
    for average in ("micro", "macro"):
        f = pc.compare.decisions(TRUTH, SAID, OTHER, "F", beta=0, average=average, rng=0)
        p = pc.compare.decisions(TRUTH, SAID, OTHER, "P", average=average, rng=0)
        assert (f.values, f.p) == (p.values, p.p)
    assert (
        precision_recall_fscore_support([1, 0, 1], [1, 1, 1], beta=0, average="binary")[2] == 2 / 3
    )


def test_pictures() -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: no pictures")
    drawn = AgainstThreshold.from_curve(CURVE).plot(measures=("precision", "F"), beta=0)
    precision, f = (line.get_ydata() for line in drawn.lines_.values())
    np.testing.assert_array_equal(f, precision)
    lines = PrecisionRecall.from_curve(CURVE).plot(iso_f=(0.5,), beta=0).ax_.lines
    level = next(line for line in lines if line.get_gid() == "iso-f 0.5")
    assert set(level.get_ydata()) == {0.5}


CALLS = {
    "point": CURVE.at(accept=2).f,
    "max_f": CURVE.max_f,
    "mean": functools.partial(f_versus_break_even, 0.5, 0.25),
    "decisions": decisions(TRUTH, SAID).f,
    "interval.f": functools.partial(pc.interval.f, 30, 10, 5),
    "interval.e": functools.partial(pc.interval.e, 30, 10, 5),
    "posterior": functools.partial(bayes.f, 8, 2, 4),
    "macro_f": lambda beta: pc.interval.macro_f(decisions(TRUTH, SAID), beta),
    "max_f interval": lambda beta: pc.interval.max_f([1, 0] * 100, range(200), beta, resamples=100),
    "precision": lambda beta: pc.interval.precision_at_threshold(
        [1, 0] * 100, range(200), beta=beta, resamples=100
    ),
    "micro": lambda beta: pc.compare.decisions(TRUTH, SAID, OTHER, beta=beta),
    "macro": lambda beta: pc.compare.decisions(TRUTH, SAID, OTHER, beta=beta, average="macro"),
    "scikit-learn": lambda beta: precision_recall_fscore_support([1, 0, 1], [1, 1, 1], beta=beta),
    "measure": lambda beta: pc.measure(f"SetF(beta={beta})"),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_one_check(name: str) -> None:
    for allowed in (np.int64(2), np.float32(0.5), 1e100, 0):
        CALLS[name](allowed)
    theirs = name == "scikit-learn"
    for refused in (-1, math.nan, "x", True, *(() if theirs else (1e300, 1e-200, 10**400))):
        with pytest.raises(
            pc.UsageError, match=r"beta.* must be 0, or a number from (1e-100 to 1e\+100|0 to inf)"
        ):
            CALLS[name](refused)


def test_scikit_learn_takes_any_size() -> None:
    """1e200 was an OverflowError."""
    y = [1, 0, 1, 1], [1, 1, 1, 0]
    for beta, name in ((1e-200, "precision"), (1e200, "recall"), (math.inf, "recall")):
        precision, recall, f, _ = precision_recall_fscore_support(*y, beta=beta, average="binary")
        assert f == pytest.approx({"precision": precision, "recall": recall}[name], abs=1e-15)


def test_what_is_no_number_names_what_is_allowed() -> None:
    wrong: Any = "micro"
    with pytest.raises(pc.UsageError, match="beta: got 'micro', which is an average"):
        decisions(TRUTH, SAID).f(wrong)
