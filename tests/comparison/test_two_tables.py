"""Two tests on the same patients against figures of R packages, whose sources and revisions are
beside the figures. A difference is the first minus the second; DTComPair's are test 2 minus test 1.
"""

from __future__ import annotations

import json

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_comparisons import (
    EitherClass,
    FewGroupsDiffer,
    IntervalOfDifference,
    NoRatio,
    RatioOfValues,
)
from precall.stats.tests.two_tables import PairedTable, newcombe, obuchowski, tango
from tests.noticed import noticed

pytestmark = pytest.mark.filterwarnings("ignore::precall.core.errors.PrecallWarning")
#: DTComPair's Paired1 with test 2 first: of the diseased, positive in both, in the first alone, in
#: the second alone, in neither; of the healthy, negative likewise.
DISEASED, HEALTHY = (319, 22, 78, 32), (155, 53, 22, 31)


@pytest.fixture
def golden(facts):
    path = facts / "golden" / "clinical_tables.json"
    return {entry["id"]: entry["value"] for entry in json.loads(path.read_text())["entries"]}


def columns(diseased=DISEASED, healthy=HEALTHY):
    """The truth and the decisions of both tests."""
    truth = np.repeat([1, 0], (sum(diseased), sum(healthy)))
    first, second = (
        np.concatenate((np.repeat(right, diseased), 1 - np.repeat(right, healthy)))
        for right in (np.array([1, 1, 0, 0]), np.array([1, 0, 1, 0]))
    )
    return truth, first, second


def compared(measure, **options):
    return pc.compare.decisions(*columns(), measure, **options)


SMALL = {
    "bentur": (1, 1, 7, 12),
    "one_sided": (40, 6, 0, 4),
    "none": (20, 0, 0, 5),
    "sens": (319, 78, 22, 32),
    "spec": (155, 53, 22, 31),
}


@pytest.mark.parametrize("name", SMALL)
def test_bounds_of_small_tables_are_those_of_ratesci(golden, name):
    """Without discordant patients the textbook's interval has no width, and a margin of 0 breaks
    the correlation.
    """
    known = golden[f"own.paired.{name}"]
    assert tango(PairedTable(*SMALL[name]), 0.95) == pytest.approx(known["tango"], abs=1e-9)
    assert newcombe(PairedTable(*SMALL[name]), 0.95) == pytest.approx(known["newcombe"], abs=1e-9)


@pytest.mark.parametrize(
    ("table", "name"),
    [((1, 1, 7, 12), "bentur"), ((40, 6, 0, 4), "one_sided"), ((20, 0, 0, 5), "no_discordance")],
)
def test_the_command_has_these_bounds(golden, table, name):
    truth, first, second = columns(table, (30, 2, 2, 6))
    found = pc.compare.decisions(truth, first, second, "R")
    known = golden[f"ratesci.tango.{name}"]
    assert found.interval == "tango"
    assert (found.low, found.high) == pytest.approx((known["lower"], known["upper"]), abs=2e-6)
    assert not noticed(found, IntervalOfDifference)
    by_mover = pc.compare.decisions(truth, first, second, "R", interval="mover")
    known = golden[f"ratesci.newcombe.{name}"]
    assert (by_mover.low, by_mover.high) == pytest.approx(
        (known["lower"], known["upper"]), abs=2e-6
    )


def test_tango_inverts_the_score_test():
    """At both bounds the score is ±z, so the one-sided test at a margin agrees with the bound."""
    from precall.stats.tests.two_tables import _score

    for table in ((1, 1, 7, 12), (40, 6, 0, 4), (0, 3, 1, 0), (5, 0, 1, 0)):
        low, high = tango(PairedTable(*table), 0.9)
        assert _score(PairedTable(*table), low) == pytest.approx(1.6448536, abs=1e-5)
        assert _score(PairedTable(*table), high) == pytest.approx(-1.6448536, abs=1e-5)
        mirrored = tango(PairedTable(table[0], table[2], table[1], table[3]), 0.9)
        assert mirrored == (-high, -low)
    assert tango(PairedTable(0, 4, 0, 0), 0.95)[1] == pytest.approx(1, abs=1e-9)


def test_mcnemars_tests_are_those_of_dtcompair(golden):
    known = golden["dtc.exact"]
    for measure, name, statistic, p in (
        ("R", "sensitivity", 31.36, 2.14e-8),
        ("Specificity", "specificity", 12.8133, 3.44e-4),
    ):
        exact = compared(measure, test="mcnemar")
        assert exact.p == pytest.approx(known[name]["p.value"])
        assert exact.difference == pytest.approx(known[name]["diff"])
        assert exact.method.exact
        found = compared(measure, test="mcnemar-chi2")
        assert (found.statistic, found.p) == pytest.approx((statistic, p), rel=2e-3)
    # Fallout is the complement.
    assert compared("Fallout", test="mcnemar").p == compared("Specificity", test="mcnemar").p
    both = golden["dtc.gen.mcnemar"]
    found = compared("YoudenJ", test="mcnemar-both")
    assert (found.statistic, found.p) == pytest.approx((both["test.statistic"], both["p.value"]))


def test_exact_p_of_equal_numbers_is_1():
    """DTComPair's can exceed 1."""
    truth, first, second = columns((10, 3, 3, 4), (9, 1, 1, 2))
    for measure in ("R", "Specificity", "accuracy"):
        assert pc.compare.decisions(truth, first, second, measure, test="mcnemar").p == 1


def test_a_test_of_both_classes_calls_no_system_better():
    """Of Paired1, one test has the higher recall and the other the higher specificity."""
    found = compared("YoudenJ", test="mcnemar-both")
    assert noticed(found, EitherClass)
    assert found.significant and found.outcome == "no difference shown"
    truth, first, second = columns((40, 12, 1, 7), (50, 9, 2, 9))
    better = pc.compare.decisions(truth, first, second, "BA", test="mcnemar-both")
    assert not noticed(better, EitherClass)
    assert better.outcome == "better"


def test_predictive_values_are_those_of_dtcompair(golden):
    known = golden["own.predictive.ppv"]
    found = compared("P", test="wgs", ratio=True)
    assert found.difference == pytest.approx(known["diff_wald"][0] / 2 + known["diff_wald"][1] / 2)
    assert (found.statistic, found.p) == pytest.approx((known["wgs"], known["p_wgs"]))
    (ratio,) = noticed(found, RatioOfValues)
    assert (ratio.ratio, ratio.low, ratio.high) == pytest.approx(
        (known["ratio"], *known["ratio_ci"]), rel=1e-8
    )
    assert (found.interval, found.low < found.difference < found.high) == ("mover", True)
    assert (found.low, found.high) == pytest.approx(known["diff_wald"], abs=0.001)
    of_npv = compared("NPV", test="wgs", ratio=True)
    assert (of_npv.statistic, of_npv.p) == pytest.approx((16.53540, 4.775e-5), rel=1e-4)
    (ratio,) = noticed(of_npv, RatioOfValues)
    assert (ratio.ratio, ratio.low, ratio.high) == pytest.approx(
        (0.853640, 0.792626, 0.919352), abs=1e-6
    )


def test_ratios_of_shares_are_those_of_dtcompair(golden):
    known = golden["dtc.tpffpf"]
    for measure, of in (("R", "tpf"), ("Fallout", "fpf")):
        (ratio,) = noticed(compared(measure, ratio=True), RatioOfValues)
        assert (ratio.ratio, ratio.low, ratio.high) == pytest.approx(
            (known[of][f"rel.{of}"], known[of][f"lcl.rel.{of}"], known[of][f"ucl.rel.{of}"]),
            rel=1e-8,
        )
    (ratio,) = noticed(compared("PPV", ratio=True), RatioOfValues)
    assert ratio.measure == "PPV"
    mirrored = compared("R", ratio=True).swap()
    (ratio,) = noticed(mirrored, RatioOfValues)
    assert ratio.of == ("b", "a")
    assert ratio.ratio == pytest.approx(1 / known["tpf"]["rel.tpf"])


@pytest.mark.parametrize("groups", [None, np.arange(60) // 3])
@pytest.mark.parametrize("measure", ["R", "P", "F"])
def test_no_differing_decision_does_not_mean_that_ratios_are_known(measure, groups):
    """The ratio was 1 with the bounds 1 and 1."""
    truth = np.tile([1, 1, 0], 20)
    decided = truth.copy()
    decided[:8] = 1
    decided[9] = 0
    found = pc.compare.decisions(truth, decided, decided, measure, groups=groups, ratio=True)
    assert noticed(found, NoRatio) and not noticed(found, RatioOfValues)
    if groups is not None:
        assert found.no_interval == "differences do not vary"


@pytest.mark.parametrize("measure", ["NetBenefit(threshold=0.5)", "P", "F", "MCC"])
def test_no_differing_decision_does_not_mean_that_differences_are_known(measure):
    """Found by tests of 100 patients that are alike but for 5 % of patients: 75 % of the intervals
    of net benefit held the difference, as the correlation of samples without such a patient was 1.
    """
    truth = np.repeat([1, 0], (30, 70))
    decided = np.concatenate((np.repeat([1, 0], (27, 3)), np.repeat([1, 0], (14, 56))))
    found = pc.compare.decisions(truth, decided, decided, measure)
    # Two relevant items more that the second system misses are well possible: (1 - .02)^100 is .13.
    other = decided.copy()
    other[:2] = 0
    value = pc.decisions(truth, decided).value(measure) - pc.decisions(truth, other).value(measure)
    assert found.low < -value < value < found.high


def test_a_ratio_needs_values_above_0():
    found = pc.compare.decisions([1, 1, 0, 0], [0, 0, 0, 0], [1, 0, 1, 0], "R", ratio=True)
    assert noticed(found, NoRatio)
    with pytest.raises(pc.UsageError, match="ratio"):
        pc.compare.decisions(list("abc"), list("abb"), list("acc"), "macro-F", ratio=True)


@pytest.mark.parametrize(
    "measure", ["F", "E", "NPV", "Youden", "MCC", "kappa", "LR+", "LR-", "BA", "Jaccard"]
)
def test_every_measure_of_a_yes_or_no_has_bounds(measure):
    found = compared(measure)
    assert found.interval == "mover"
    assert found.low < found.difference < found.high
    bootstrap = compared(measure, interval="percentile", rng=1)
    width = bootstrap.high - bootstrap.low
    assert (found.low, found.high) == pytest.approx(
        (bootstrap.low, bootstrap.high), abs=0.25 * width
    )


def test_accuracy_has_tangos_bounds_and_averages_have_none():
    right = compared("accuracy")
    table = PairedTable(319 + 155, 22 + 53, 78 + 22, 32 + 31)
    assert (right.low, right.high) == tango(table, 0.95)
    assert (compared("error").low, compared("error").high) == pytest.approx(
        (-right.high, -right.low)
    )
    truth, first, second = list("aabbcc") * 9, list("aabbca") * 9, list("abbbcc") * 9
    several = pc.compare.decisions(truth, first, second, "accuracy")
    assert several.interval == "tango"
    assert pc.compare.decisions(truth, first, second, "macro-F").low is None
    with pytest.raises(pc.UsageError, match="interval"):
        compared("F", interval="tango")


# --- Groups ---


@pytest.mark.parametrize("name", ["psychiatry", "thyroids"])
def test_obuchowskis_test_is_that_of_clust_bin_pair(golden, name):
    """Of the thyroids only McNemar's test says p < .05."""
    known = golden[f"clustered.paired.{name}"]
    cells = [known[key] for key in ("ak", "bk", "ck", "dk")]
    member = np.concatenate([np.repeat(np.arange(len(cells[0])), cell) for cell in cells])
    totals = [sum(cell) for cell in cells]
    first, second = np.repeat([1, 1, 0, 0], totals), np.repeat([1, 0, 1, 0], totals)
    truth = np.ones(len(member), int)
    found = pc.compare.decisions(truth, first, second, "R", groups=member, test="obuchowski")
    assert (found.statistic, found.p) == pytest.approx(known["obuchowski"])
    alone = pc.compare.decisions(truth, first, second, "R", test="mcnemar-chi2")
    assert (alone.statistic, alone.p) == pytest.approx(known["mcnemar"])
    assert found.interval == "t"
    assert found.low < found.difference < found.high
    gaps = np.subtract(known["bk"], known["ck"]).astype(float)
    assert obuchowski(gaps).statistic == found.statistic


@pytest.mark.parametrize("measure", ["R", "P", "F", "Youden", "LR+", "accuracy"])
def test_differences_of_groups_have_bounds(measure):
    truth, first, second = columns()
    member = np.random.default_rng(0).permutation(len(truth)) // 4
    found = pc.compare.decisions(truth, first, second, measure, groups=member, ratio=True)
    alone = compared(measure)
    # Patients that were drawn at random are not alike: the groups change little.
    assert found.interval == "t"
    width = alone.high - alone.low
    assert (found.low, found.high) == pytest.approx((alone.low, alone.high), abs=0.3 * width)
    assert noticed(found, RatioOfValues)


def test_few_groups_that_differ_are_said():
    truth = np.tile([1, 1, 0], 20)
    first, second = truth.copy(), truth.copy()
    second[0] = 0
    found = pc.compare.decisions(truth, first, second, "R", groups=np.arange(60) // 3)
    assert [note.groups for note in noticed(found, FewGroupsDiffer)] == [1]


def test_tests_of_items_and_of_groups_refuse_each_other():
    member = np.arange(712) // 4
    for measure, test in (("R", "mcnemar-chi2"), ("P", "wgs"), ("YoudenJ", "mcnemar-both")):
        with pytest.raises(pc.UsageError, match="groups"):
            compared(measure, test=test, groups=member)
    with pytest.raises(pc.UsageError, match="one decision per item"):
        compared("R", test="mcnemar", groups=member)
    with pytest.raises(pc.UsageError, match="groups"):
        compared("R", test="obuchowski")
    with pytest.raises(pc.UsageError, match="interval"):
        compared("R", interval="bca", groups=member)
