"""The sentence that a sheet of comparisons begins with: two systems, several, against a baseline, and where low is good."""

from __future__ import annotations

import json

import numpy as np
import pytest

import precall as pc
from precall.sheet.verdicts import verdict

NOISE = np.random.default_rng(1).normal(0, 0.01, (40, 6))
#: Two that are alike, one below, and three that are alike again.
TIERS = NOISE + np.array([0.60, 0.60, 0.50, 0.30, 0.30, 0.30])


def compared(values, names, **choices):
    return pc.compare.many(values, names, measure="AP", test="t", **choices)


def test_systems_that_do_not_differ_are_better_than_one():
    found = compared(TIERS[:, :3], ["pixels", "components", "profiles"])
    p = found.pair("pixels", "components").adjusted
    best, second = sorted(("pixels", "components"), key=lambda name: -found.means["AP"][name])
    assert (
        verdict(found) == f"AP: {best} and {second} do not differ (p {p:.3f}); both are better than profiles."
    )


@pytest.mark.parametrize("higher", [True, False])
def test_of_measures_where_low_is_good_the_lowest_is_best(higher):
    values = TIERS[:, [0, 2, 3]] * (1 if higher else -1)
    found = compared(values, ["a", "b", "c"], higher_is_better=higher)
    assert verdict(found) == "AP: a is better than b; b is better than c."
    two = compared(values[:, :2], ["b", "a"], higher_is_better=higher)
    assert verdict(two).startswith("b beats a in AP by ")


def test_three_tiers():
    found = compared(TIERS, list("abcdef"), correction="none")
    said = verdict(found)
    assert said.startswith("AP: ") and "both are better than c; c is better than" in said
    least = min(found.pair(*two).adjusted for two in ("de", "df", "ef"))
    assert f"which do not differ (p {least:.3f} or more)." in said


def test_against_a_baseline():
    found = compared(TIERS[:, [0, 2, 3]], ["a", "b", "c"], baseline="b")
    assert verdict(found) == "AP: a is better than b; c is worse than it."
    found = compared(TIERS[:, [3, 4, 5]], ["a", "b", "c"], baseline="a")
    assert verdict(found) in {
        f"AP: {two} are not significantly different from a." for two in ("b and c", "c and b")
    }


def test_differences_that_overlap():
    steps = np.random.default_rng(2).normal(0, 0.1, (40, 3)) + np.array([0.5, 0.46, 0.42])
    found = compared(steps, ["a", "b", "c"], correction="none")
    assert [pair.significant for pair in found.pairs] == [False, True, False]
    said = "AP: 1 of 3 pairs differ significantly; a, the best on average, is better than c, but not than b."
    assert verdict(found) == said


def test_many_systems_are_counted_and_not_named():
    found = compared(
        np.hstack([TIERS[:, :1], TIERS[:, 3:]] * 2)[:, [0, 1, 2, 3, 5, 6, 7]], list("abcdefg"), baseline="a"
    )
    assert verdict(found) == "AP: 6 others are worse than a."


def test_every_form_says_it_first_and_an_undefined_p_has_none():
    found = compared(TIERS[:, :3], ["pixels", "components", "profiles"])
    said = verdict(found)
    assert str(found).replace("\n", " ").startswith(said) and found.to_markdown().startswith(said)
    assert json.loads(found.to_json())["verdict"] == said and said in found.to_latex()
    area = pc.compare.cases([1, 1, 0, 0], [4, 3, 2, 1], [1, 2, 3, 4], "AUC")
    assert area.p != area.p and area.sheet().verdict == ""
