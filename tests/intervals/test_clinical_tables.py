"""Intervals of one table of a diagnostic study against figures of R packages, whose sources and
revisions are beside the figures.

What those packages get wrong is not compared: DTComPair's NPV at a prevalence divides by the
likelihood ratio; epiR's limits of Youden's index add up the limits of both shares, and its
"agresti" moves the estimates.
"""

from __future__ import annotations

import json

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_intervals import (
    AtAnyPrevalence,
    AtPrevalence,
    FewGroups,
    FewGroupsOfAKind,
    FewOfAKind,
    JointRegion,
    UndefinedInterval,
)
from precall.measures import of_counts
from precall.stats.intervals.grouped_tables import ratio_residuals, share_in_groups
from precall.stats.intervals.of_tables import of_cells
from precall.stats.intervals.table_influences import slopes, variance
from tests.noticed import noticed, warned
from tests.peers import peer

pytestmark = pytest.mark.filterwarnings("ignore::precall.core.errors.PrecallWarning")
TABLE = (670, 202, 74, 640)


@pytest.fixture
def golden(facts):
    path = facts / "golden" / "clinical_tables.json"
    return {entry["id"]: entry["value"] for entry in json.loads(path.read_text())["entries"]}


def decisions(tp: int, fp: int, fn: int, tn: int) -> pc.Decisions:
    return pc.decisions(
        np.repeat([1, 0, 1, 0], (tp, fp, fn, tn)), np.repeat([1, 0], (tp + fp, fn + tn))
    )


def numbers(found) -> list[float]:
    return [found.estimate, found.low, found.high]


@pytest.mark.parametrize(
    ("measure", "name"), [("R", "se"), ("Specificity", "sp"), ("P", "pv.pos"), ("NPV", "pv.neg")]
)
@pytest.mark.parametrize("method", ["exact", "wilson"])
def test_shares_are_those_of_epir(golden, measure, name, method):
    found = pc.interval(decisions(*TABLE), measure, method=method)
    assert numbers(found) == pytest.approx(golden[f"epiR.{method}"][name], abs=1e-9)


@pytest.mark.parametrize(("measure", "name"), [("LR+", "lr.pos"), ("LR-", "lr.neg")])
def test_likelihood_ratios_are_those_of_epir_and_dtcompair(golden, measure, name):
    found = pc.interval(decisions(*TABLE), measure, method="log")
    assert numbers(found) == pytest.approx(golden["epiR.exact"][name], rel=1e-8)
    assert pc.interval(decisions(*TABLE), measure, method="Simel") == found
    for test, table in (("test1", (397, 84, 54, 177)), ("test2", (341, 53, 110, 208))):
        of = golden[f"dtc.acc.{test}.{'pdlr' if measure == 'LR+' else 'ndlr'}"]
        found = pc.interval(decisions(*table), measure, method="log")
        assert numbers(found) == pytest.approx([of["est"], of["lcl"], of["ucl"]], rel=1e-8)


def test_the_variance_of_an_odds_ratio_is_woolfs(golden):
    """By counts: the slopes need no declared measure."""

    def log_odds_ratio(c):
        return np.log(c.tp * c.tn / (c.fp * c.fn))

    assert variance(log_odds_ratio, TABLE) == pytest.approx(sum(1 / cell for cell in TABLE))
    estimate, low, high = golden["epiR.exact"]["diag.or"]
    half = 1.959963984540054 * np.sqrt(variance(log_odds_ratio, TABLE))
    assert estimate * np.exp([-half, half]) == pytest.approx([low, high], rel=1e-8)


def test_the_interval_of_youden_is_not_the_sum_of_two(golden):
    """epiR's is 1.43 times as wide as a 95 % interval."""
    found = pc.interval(decisions(*TABLE), "Youden")
    assert found.estimate == pytest.approx(golden["epiR.exact"]["youden"][0])
    _, low, high = golden["epiR.exact"]["youden"]
    assert (high - low) / (found.high - found.low) == pytest.approx(1.42, abs=0.03)
    half = 1.959963984540054 * variance(lambda c: c.tp / c.relevant - c.fp / c.other, TABLE) ** 0.5
    assert (found.low, found.high) == pytest.approx(
        (found.estimate - half, found.estimate + half), abs=0.003
    )


@pytest.mark.parametrize("measure", ["P", "NPV"])
def test_predictive_values_at_a_prevalence_are_those_of_bdpv(golden, measure):
    known = golden["bdpv.pv.240-87-178-288-0.5"]
    *table, prevalence = known["table"]
    found = pc.interval(decisions(*table), measure, prevalence=prevalence, method="logit")
    of = known["ppv" if measure == "P" else "npv"]
    assert numbers(found) == pytest.approx([of["estimate"], of["low"], of["high"]], abs=1e-8)


def test_predictive_values_follow_bayes_not_dtcompair(golden):
    """At the study's own prevalence NPV is the observed one, where DTComPair has .0927."""
    table = decisions(397, 84, 54, 177)
    own = 451 / 712
    assert pc.interval(table, "NPV", prevalence=own).estimate == pytest.approx(177 / 231)
    assert pc.interval(table, "P", prevalence=own).estimate == pytest.approx(397 / 481)
    known = golden["dtc.pv.prev.0.1.test1"]
    found = pc.interval(table, "P", prevalence=0.1, method="logit")
    assert numbers(found) == pytest.approx(
        [known["ppv_est"], known["ppv_lcl"], known["ppv_ucl"]], rel=1e-8
    )
    assert pc.interval(table, "NPV", prevalence=0.1).estimate == pytest.approx(0.98076, abs=1e-5)


def test_the_log_method_is_the_limits_of_likelihood_ratios_through_bayes():
    ratio = pc.interval(decisions(*TABLE), "LR+", method="log")
    found = pc.interval(decisions(*TABLE), "P", prevalence=0.02, method="logit")
    through_bayes = [lr * 0.02 / (lr * 0.02 + 0.98) for lr in numbers(ratio)]
    assert numbers(found) == pytest.approx(through_bayes, rel=1e-9)


def test_an_observed_value_of_1_stays_the_estimate():
    """bdpv's adjusted logit prints .904 where no healthy case was positive."""
    table = decisions(240, 0, 10, 250)
    found = pc.interval(table, "P", prevalence=0.05)
    assert found.estimate == 1 == found.high
    assert 0.6 < found.low < 0.9
    assert noticed(found, FewOfAKind)
    with warned(UndefinedInterval):
        none = pc.interval(table, "P", prevalence=0.05, method="logit")
    assert (none.estimate, none.low) == (1, None)


@pytest.mark.parametrize("measure", ["R", "Specificity", "Youden", "LR+", "LR-", "BA"])
def test_measures_of_both_classes_say_that_prevalence_does_not_matter(measure):
    found = pc.interval(decisions(*TABLE), measure, prevalence=0.02)
    assert noticed(found, AtAnyPrevalence)
    assert numbers(found) == numbers(pc.interval(decisions(*TABLE), measure))


@pytest.mark.parametrize("measure", ["accuracy", "F", "MCC", "Jaccard"])
def test_other_measures_have_a_value_at_a_prevalence(measure):
    """That of a population with the same recall and specificity, whose counts are whole."""
    population = decisions(45, 190, 5, 760)  # 5 % of 1,000; recall .9, specificity .8
    found = pc.interval(decisions(90, 20, 10, 80), measure, prevalence=0.05)
    assert found.estimate == pytest.approx(population.value(measure))
    assert found.low < found.estimate < found.high


@pytest.mark.parametrize("cells", [(90, 10, 10, 90), (10, 0, 0, 10), (12, 30, 28, 70)])
def test_accuracy_depends_on_the_prevalence_where_both_rates_are_equal(cells):
    """Found at tables whose recall equals their specificity: their accuracy is the same at any
    prevalence, so that relevant and other items were taken for one sample.
    """
    found = pc.interval(decisions(*cells), "accuracy", prevalence=0.1)
    assert not noticed(found, AtAnyPrevalence)
    alone = pc.interval(decisions(*cells), "Specificity")
    # Nine in ten of that population are decided as the other items are.
    assert found.high - found.low > 0.85 * (alone.high - alone.low)


def test_a_prevalence_that_makes_no_sense_is_refused():
    table = decisions(*TABLE)
    for value in (0, 1, 2, "low"):
        with pytest.raises(pc.UsageError, match="prevalence"):
            pc.interval(table, "P", prevalence=value)
    with pytest.raises(pc.UsageError, match="prevalence"):
        pc.interval(table, "Prevalence", prevalence=0.1)
    several = pc.decisions(list("abc"), list("abb"))
    with pytest.raises(pc.UsageError, match="positive"):
        pc.interval(several, "P", prevalence=0.1)


def test_the_usual_intervals_at_a_prevalence_say_so():
    found = pc.interval(decisions(*TABLE), prevalence=0.02)
    assert [note.prevalence for note in noticed(found, AtPrevalence)] == [0.02]
    assert found["recall"].low == pc.interval(decisions(*TABLE), "R").low
    assert found["precision"].estimate < 0.08


# --- Groups ---


def test_a_ratio_over_litters_is_that_of_aod(golden):
    rats, known = golden["aod.rats.CTRL"], golden["own.cluster.CTRL"]
    alive, pups = np.array(rats["y"], float), np.array(rats["n"], float)
    residuals = ratio_residuals(alive, pups)
    assert residuals.error == pytest.approx(known["se_leverage"])
    assert residuals.freedom == pytest.approx(known["df"])
    found = share_in_groups(alive, pups)
    assert found.method == "logit"
    assert numbers(found) == pytest.approx([known["p"], *known["logit_t"]])


def test_a_ratio_over_clusters_is_near_those_of_others(golden):
    data = golden["cluster.data.liang"]
    found = share_in_groups(np.array(data["x"], float), np.array(data["n"], float))
    gee = golden["gee.liang.independence"]
    assert numbers(found) == pytest.approx([gee["p"], gee["low"], gee["high"]], abs=0.007)
    raw = (np.array(data["x"]) - found.estimate * np.array(data["n"])) / sum(data["n"])
    groups = len(raw)
    assert raw @ raw * groups / (groups - 1) == pytest.approx(golden["raoscott.liang"]["variance"])


def grouped(seed: int = 1, groups: int = 40, size: int = 5):
    """Decisions on items that are alike within a group."""
    rng = np.random.default_rng(seed)
    member = np.repeat(np.arange(groups), size)
    level = rng.normal(0, 1.2, groups)[member]
    truth = rng.random(len(member)) < 0.4
    decided = rng.normal(0, 1, len(member)) + level + 2 * truth > 0.7
    return pc.decisions(truth.astype(int), decided.astype(int)), member


@pytest.mark.parametrize(
    "measure",
    ["R", "Specificity", "P", "NPV", "F", "E", "accuracy", "error", "Youden", "LR+", "LR-", "MCC"],
)
def test_every_measure_has_an_interval_of_groups(measure):
    table, member = grouped()
    alone, found = pc.interval(table, measure), pc.interval(table, measure, groups=member)
    assert found.estimate == pytest.approx(alone.estimate)
    assert found.low < found.estimate < found.high
    # Groups do not depend on their names, nor on the order of items.
    order = np.random.default_rng(2).permutation(len(member))
    labels = [f"patient {each}" for each in member[order]]
    again = pc.decisions(
        _labels(table)[0][order],
        _labels(table)[1][order],
    )
    assert numbers(pc.interval(again, measure, groups=labels)) == pytest.approx(numbers(found))


def _labels(table):
    labels = np.zeros((2, table.truth.items), int)
    for row, part in zip(labels, (table.truth, table.predicted), strict=True):
        row[part.item] = 1
    return labels


def test_alike_items_of_a_group_widen_the_interval():
    """Each item twice says nothing new: the interval is that of the groups."""
    table, _ = grouped(size=1, groups=120)
    truth, decided = _labels(table)
    twice = pc.decisions(np.repeat(truth, 2), np.repeat(decided, 2))
    member = np.repeat(np.arange(120), 2)
    for measure in ("R", "P", "F", "Youden", "LR+"):
        once = pc.interval(table, measure, groups=np.arange(120))
        found = pc.interval(twice, measure, groups=member)
        assert numbers(found) == pytest.approx(numbers(once), rel=0.05)


def test_a_kind_that_few_groups_have_is_said():
    table, member = grouped(size=4, groups=15)
    truth, decided = _labels(table)
    perfect = pc.decisions(truth, truth)
    for measure, method in (("R", "bayesian-bootstrap"), ("Youden", "rao-scott")):
        found = pc.interval(perfect, measure, groups=member)
        assert (found.method, found.estimate, found.high) == (method, 1, 1)
        assert found.low < 0.95
        assert [note.groups for note in noticed(found, FewGroupsOfAKind)] == [0]
    few = pc.interval(pc.decisions(truth, decided), "R", groups=member // 3)
    assert noticed(few, FewGroups)


def test_groups_of_several_categories():
    truth, decided = list("aabbccaabbcc") * 5, list("aabbcbacbbca") * 5
    table, member = pc.decisions(truth, decided), np.arange(60) // 4
    found = pc.interval(table, "R", groups=member)
    assert set(found) == {"a", "b", "c"}
    assert pc.interval(table, "accuracy", groups=member).method == "logit"
    with pytest.raises(pc.UsageError, match="groups"):
        pc.interval(table, "macro-F", groups=member)


def test_one_group_has_no_interval():
    table, _ = grouped(groups=1, size=50)
    for measure in ("R", "MCC"):
        with warned(UndefinedInterval):
            assert pc.interval(table, measure, groups=[1] * 50).low is None


def test_slopes_are_derivatives():
    value = slopes(lambda c: c.tp / (c.tp + c.fp), TABLE)
    tp, fp, *_ = TABLE
    assert value == pytest.approx([fp / (tp + fp) ** 2, -tp / (tp + fp) ** 2, 0, 0], abs=1e-12)
    at_zero = slopes(lambda c: c.tp / (c.tp + c.fn), (30, 5, 0, 40))
    assert at_zero == pytest.approx([0, 0, -1 / 30, 0], abs=1e-6)


def test_bounds_by_counts():
    """Cells are enough: a measure declared later has the same methods."""
    measure = of_counts("LR+")
    assert of_cells(measure, "x", TABLE, method="log").low == pytest.approx(3.320688, abs=1e-6)


# --- Several measures together ---


def test_a_region_of_recall_and_specificity():
    table = decisions(*TABLE)
    region = pc.interval(table, ["R", "Specificity"], joint=True)
    level = 0.95**0.5
    for name, found in region.items():
        alone = pc.interval(table, name, level=level)
        assert numbers(found) == numbers(alone)
    assert noticed(region, JointRegion)
    # Precision and recall share cases, so their chances of a miss are added.
    assert pc.interval(table, ["R", "P"], joint=True)["P"].level == pytest.approx(0.975)
    grouped_region = pc.interval(
        table, ["R", "Specificity"], joint=True, groups=np.arange(sum(TABLE)) // 4
    )
    assert grouped_region["R"].level == pytest.approx(0.975)


@pytest.mark.nightly
@pytest.mark.parametrize(("relevant", "other"), [(41, 72), (60, 60), (100, 300), (200, 200)])
def test_the_region_holds_recall_and_specificity_together(relevant, other):
    """Exact: both shares are of samples of their own, so that the chances are multiplied."""
    stats = peer("scipy.stats")
    shares = (0.6, 0.7, 0.8, 0.9, 0.95)

    def held(size):
        hits = np.arange(size + 1)
        found = [pc.interval.proportion(int(x), size, level=0.95**0.5) for x in hits]
        low, high = (np.array([getattr(one, end) for one in found]) for end in ("low", "high"))
        return np.array(
            [stats.binom.pmf(hits, size, p)[(low <= p) & (p <= high)].sum() for p in shares]
        )

    together = np.outer(held(relevant), held(other))
    assert together.min() >= 0.93 and together.max() <= 0.98
    assert 0.94 <= together.mean() <= 0.96


def test_a_region_needs_several_measures():
    with pytest.raises(pc.UsageError, match="joint"):
        pc.interval(decisions(*TABLE), "R", joint=True)
    with pytest.raises(pc.UsageError, match="joint"):
        pc.interval(pc.curve([1, 0] * 20, list(range(40))), ["AP", "AUC"], joint=True)
