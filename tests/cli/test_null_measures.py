"""`precall null` of named measures: p, critical values and quantiles against every placement of the
hits.
"""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_null import describe_error

ITEMS, RELEVANT, AT = 9, 3, 4


def of_ranks(name, ranks):
    """The measure by its definition."""
    m, above = len(ranks), [rank for rank in ranks if rank <= AT]
    if name == "recall":
        return Fraction(len(above), m)
    if name == "precision":
        return Fraction(len(above), AT)
    if name == "ap":
        return sum((Fraction(i, rank) for i, rank in enumerate(above, 1)), Fraction(0)) / m
    if name == "rprec":
        return Fraction(sum(rank <= m for rank in ranks), m)
    if name == "auc":
        others = set(range(1, ITEMS + 1)) - set(ranks)
        return Fraction(sum(rank < other for rank in ranks for other in others), m * len(others))
    gain = math.fsum(1 / math.log2(rank + 1) for rank in above)
    return gain / math.fsum(1 / math.log2(rank + 1) for rank in range(1, min(m, AT) + 1))


def values_of(name):
    ranks = list(combinations(range(1, ITEMS + 1), RELEVANT))
    return sorted(of_ranks(name, placed) for placed in ranks)


@pytest.mark.parametrize("name", ["recall", "precision", "ap", "rprec", "auc", "ndcg"])
def test_all_placements(precall, name):
    values = values_of(name)
    at = [] if name in ("rprec", "auc") else ["--at", str(AT)]
    asked = next(value for value in values if value > values[len(values) // 2])
    typed = f"{asked.numerator}/{asked.denominator}" if isinstance(asked, Fraction) else repr(asked)
    case = ["null", "--items", str(ITEMS), "--relevant", str(RELEVANT), *at]
    outcome = precall(*case, f"--{name}", typed, "--level", "0.8", "--format", "json")
    (setting,) = json.loads(outcome.out)["settings"]
    ((law,), (critical,), (reached,)) = (setting[part] for part in ("laws", "critical", "values"))
    floats = np.array(values, float)
    assert law["law"] == critical["p is"] == reached["p is"] == "exact"
    assert (law["mean"], law["sd"]) == pytest.approx((floats.mean(), floats.std()), rel=1e-12)

    def tail(value):
        return np.mean(floats >= value - 1e-12)

    assert reached["p"] == pytest.approx(tail(float(asked)), rel=1e-12)
    assert reached["over chance"] == pytest.approx(float(asked) - floats.mean(), rel=1e-12)
    rare = [value for value in floats.tolist() if tail(value) <= 0.2 + 1e-12]
    assert critical["value"] == pytest.approx(min(rare), rel=1e-12)
    assert critical["p"] == pytest.approx(tail(min(rare)), rel=1e-12)
    low = next(value for value in floats.tolist() if np.mean(floats <= value + 1e-12) >= 0.1)
    assert law["10 %"] == pytest.approx(low, rel=1e-12)


def test_grades_are_permuted():
    grades, best = (3, 2), 3 + 2 / math.log2(3)
    values = [
        (3 / math.log2(a + 1) + 2 / math.log2(b + 1)) / best
        for a, b in permutations(range(1, 7), 2)
    ]
    (setting,) = pc.null.describe(6, 2, ndcg=repr(sorted(values)[-3]), grades=grades).settings
    assert setting.outcomes["ndcg"][0].p == pytest.approx(3 / 30)
    assert setting.nulls["ndcg"].mean == pytest.approx(np.mean(values))
    drawn = setting.draws(4000)["nDCG", "drawn"]
    assert drawn.mean() == pytest.approx(np.mean(values), abs=4 * np.std(values) / 4000**0.5)


@pytest.mark.parametrize("name", ["recall", "precision", "ap", "rprec", "auc", "ndcg"])
def test_random_rankings_are_of_the_same_distribution(name):
    at = {} if name in ("rprec", "auc") else {"at": 7}
    (setting,) = pc.null.describe(30, 8, **{name: True}, **at).settings
    ((_, drawn),) = setting.draws(4000).items()
    null = setting.nulls[name]
    assert drawn.mean() == pytest.approx(null.mean, abs=4 * null.std / 4000**0.5)
    assert drawn.std() == pytest.approx(null.std, rel=0.08)


def test_critical_values_where_none_are_listed():
    null = pc.null.average_precision(2000, 500)
    critical = null.critical(0.99)
    assert null.sf(critical) == pytest.approx(0.01, rel=1e-6) and null.sf(critical + 1e-6) < 0.01
    area = pc.null.area_under_roc(10**5, 10**4)
    assert (
        area.sf(area.critical())
        <= 0.05 * (1 + 1e-9)
        < area.sf(area.critical() - 2 / (10**4 * 9 * 10**4))
    )
    # Even the greatest value is more frequent.
    assert pc.null.precision(5, 4, 2).critical() is None
    assert pc.null.average_precision(5, 5).critical() is None


@pytest.mark.nightly
def test_the_table_says_what_is_exact(precall):
    outcome = precall(
        "null", "--items", "200", "--relevant", "20", "--auc", "0.62", "--ndcg", "--level", "0.99"
    )
    assert outcome.code == 0
    assert all(len(line) <= 80 for line in outcome.out.splitlines())
    for said in (
        "least value with p <= 0.01",
        "exact",
        describe_error(math.inf),
        "100000 permutations",
        "level 0.99",
    ):
        assert said in " ".join(outcome.out.split())


def test_a_measure_without_a_value_stands_alone(precall):
    outcome = precall("null", "--items", "50", "--relevant", "5", "--rprec", "--format", "csv")
    assert outcome.code == 0 and "R-precision" in outcome.out
    assert {line.split(",")[3] for line in outcome.out.splitlines()[1:]} == {"R-precision"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--auc", "--at", "5"), "--at: only recall, precision, AP and nDCG have a cutoff"),
        (("--recall", "x"), "--recall: must be a number such as 0.27"),
        (("--ndcg", "1.5"), "--ndcg: must be in 0..1, got 1.5"),
        (("--ndcg", "--grades", "1,2"), "--grades: must be 3 numbers > 0"),
        (("--ndcg", "--grades", "a,b,c"), "--grades: must be numbers with commas"),
        (("--auc", "--retrieved", "5"), "--retrieved: applies to recall and precision"),
        (("--recall", "--at", "5", "--retrieved", "5"), "--at: retrieved also"),
        (("--recall", "--grades", "1,2,3"), "--grades: apply to nDCG"),
        (("--recall", "--at", "21"), "--at: must be an integer in 1..20, got 21"),
        (("--recall", "--plot", "a.svg"), "--plot: draws average precision"),
        (("--level", "1"), "--level: must be a number between 0 and 1"),
    ],
)
def test_what_is_refused(precall, arguments, said):
    outcome = precall("null", "--items", "20", "--relevant", "3", *arguments)
    assert outcome.code == 2 and outcome.out == "" and said in outcome.err


def test_an_area_needs_both_classes(precall):
    outcome = precall("null", "--items", "20", "--relevant", "20", "--auc")
    assert (
        outcome.code == 2
        and "with all 20 items relevant the area under ROC is undefined" in outcome.err
    )
    # BEDROC was refused as "m", which is no option.
    outcome = precall("null", "--items", "20", "--relevant", "20", "--bedroc")
    assert outcome.code == 2 and "--relevant: with all 20 items relevant" in outcome.err
    assert precall("null", "--recall", "0.5").code == 2
    assert precall("null", "--recall").code == 0
