"""One name is one number, whatever it is asked of: curves, points, decisions, scores of categories,
rankings.
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc
from precall.core.counts import Counts, PopulationUnknown
from precall.core.errors import MeasureError, TiesUnresolved, UsageError
from precall.core.notes.of_decisions import LeftOut
from precall.core.notes.of_intervals import UndefinedMeasure
from precall.location.hits import Hits
from precall.measures import REGISTRY
from tests.noticed import warned

RNG = np.random.default_rng(4)
LABELS = RNG.integers(0, 2, 40)
DISTINCT = RNG.permutation(40).astype(float)
TIED = RNG.integers(0, 6, 40).astype(float)
RANKS = [
    one
    for one in REGISTRY.rankings()
    if one.of is Hits and "grade" in one.parameters and not one.judging
]


@pytest.mark.parametrize("name", [one.name for one in RANKS if one.takes.__name__ == "Path"])
def test_a_curve_without_ties_is_its_ranking(name: str) -> None:
    c = pc.curve(LABELS, DISTINCT)
    name = f"{name}(precision=0.6)" if name == "RAtPrecision" else name
    assert c.value(name) == pytest.approx(float(pc.measure(name)(c.hits())[0]), abs=1e-12)
    assert c.value(name) == pc.measure(name)(c) == c.value(name, "expected")


def test_the_named_methods_of_a_curve_are_its_measures() -> None:
    c = pc.curve(LABELS, TIED, missed=3)
    pairs = {
        "AUC": c.area_under_roc(),
        "AUC(method=step)": c.area_under_roc(method="step"),
        "AP": c.average_precision(),
        "AUC(max_fpr=0.3,mcclish=true)": c.area_under_roc(0.3, mcclish=True),
        "MaxF(beta=2)": c.max_f(2.0).value,
        "BEP": c.break_even(),
        "BEP(method=linear)": c.break_even("linear"),
        "break-even": c.break_even(),
        "BEP(method=interpolated)": c.break_even("max-min"),
        "11pt": c.area_under_pr("11-point"),
        "IAP": c.eleven_point().mean(),
        "AUPRG": c.area_under_pr("gain"),
        "AreaPR(method=davis-goadrich)": c.area_under_pr("davis-goadrich"),
        "ranking-loss": 1 - c.area_under_roc(),
    }
    assert {name: c.value(name) for name in pairs} == pairs
    assert c.value("GMAP") == c.value("map") == c.average_precision()
    assert c.value("AP", "expected") == c.average_precision("expected") != c.average_precision()
    assert c.value("AUC") == pytest.approx(c.value("AUC", "expected"))
    assert c.value("AUC", "worst") < c.value("AUC") < c.value("AUC", "best")


def test_weights_have_the_measures_of_blocks_but_no_ranks() -> None:
    c = pc.curve(LABELS, TIED, weights=RNG.random(40))
    assert c.value("AP") == c.average_precision() and c.value("AUC") == c.area_under_roc()
    with pytest.raises(UsageError, match="ranks need whole counts"):
        c.value("RR")


def test_what_a_curve_does_not_know() -> None:
    c = pc.curve(LABELS, TIED)
    with pytest.raises(
        TiesUnresolved, match="RR depends on the order inside a block of equal scores; choose ties="
    ):
        c.value("RR", "block")
    with pytest.raises(
        MeasureError,
        match=(
            r"AUC\(population=100\): a curve knows how many items there are; leave population "
            r"out"
        ),
    ):
        c.value("AUC(population=100)")
    with pytest.raises(MeasureError, match="is of grades, which cases have none of"):
        c.value("AUC(grade=2)")
    with pytest.raises(MeasureError, match="F is of each threshold: .* of the first k .*accept=k"):
        c.value("F")
    # The advice was a call of an average over categories, which a curve refuses.
    with pytest.raises(MeasureError, match=r"Error is of each threshold: pc.measure\('Error'\)"):
        c.value("Hamming")
    some = c.at(accept=20)
    assert pc.measure("F")(some) == some.f()
    with warned(UndefinedMeasure) as told:
        assert np.isnan(pc.curve([1, 1], [2, 1]).value("AUC"))
    assert [(note.subject, note.reason) for note in told] == [("AUC", "everything is relevant")]


def test_rankings_need_the_number_of_items() -> None:
    hits = pc.Hits.of([1, 3], retrieved=4, relevant=3)
    with pytest.raises(PopulationUnknown, match=r"AUC depends on .*; write AUC\(population=N\)"):
        pc.measure("AUC")(hits)
    # Of nine pairs with the others of six items, the hits win 3 and 2; the missed one wins none.
    assert pc.measure("AUC(population=6)")(hits)[0] == pytest.approx(5 / 9)
    with pytest.raises(MeasureError, match="population: got 4, but 5 items"):
        pc.measure("AUC(population=4)")(hits)
    report = pc.evaluate(
        {"q": {"a": 1, "b": 0}}, {"q": {"b": 2.0, "a": 1.0}}, ["AUC(population=3)", "BEP"]
    )
    assert (report["AUC(population=3)"], report["BEP"]) == (0.5, 0.75)


def test_f_of_everything() -> None:
    f2 = pc.measure("F(beta=2)")
    c, d = pc.curve(LABELS, DISTINCT), pc.decisions(LABELS, DISTINCT > 20)
    at = c.at(threshold=21)
    k = int(at.tp + at.fp)
    table = d.counts()
    assert isinstance(table, Counts)
    values = {
        float(f2(table)[0]),
        f2(d),
        f2(at),
        float(f2(c)[k]),
        float(pc.measure(f"F(beta=2)@{k}")(c.hits())[0]),
        float(pc.measure(f"F(beta=2)@{k}")(c)),
        d.value("F2"),
    }
    assert len({round(value, 14) for value in values}) == 1


def test_names_that_say_the_average() -> None:
    d = pc.decisions(list("abbcad"), list("abccab"))
    for average in ("micro", "macro", "weighted", "samples"):
        assert d.value(f"{average}-F1") == d.f(average=average) == pc.measure(f"{average}-F1")(d)
    assert d.value("macro-F2") == d.f(2, "macro") and d.value("Macro-MCC") == d.value(
        "MCC", "macro"
    )
    macro = pc.measure("macro-f1")
    assert macro.name == "macro-F" and pc.measure(macro.name) == macro
    with pytest.raises(
        UsageError, match="average: got 'micro', but macro-F says macro; leave one out"
    ):
        d.value("macro-F1", "micro")
    for wrong in ("macro-AP", "macro-F1@10"):
        with pytest.raises(MeasureError, match="leave macro- out"):
            pc.measure(wrong)
    with pytest.raises(MeasureError, match="macro-F is an average over categories"):
        pc.curve([0, 1], [1, 2]).values("macro-F1")
    with pytest.raises(MeasureError, match="macro-F averages decisions over categories"):
        pc.measure("macro-F1")(pc.Hits.of([1], retrieved=2, relevant=1))


def test_names_of_policies() -> None:
    s = pc.categorize(RNG.integers(0, 3, 30), RNG.random((30, 3)))
    for theirs, ours in {
        "scut": "max-f",
        "SCut": "max-f",
        "rcut:2": "rank:2",
        "rcut": "rank",
        "pcut": "proportion",
        "pcut:1.5": "proportion:1.5",
        "BEP": "break-even",
    }.items():
        there, here = s.thresholds(theirs), s.thresholds(ours)
        assert there.values.tolist() == here.values.tolist()
        assert (there.kind, there.learned, there.method) == (here.kind, here.learned, theirs)
    with pytest.raises(
        UsageError, match=r"allowed are break-even, .*, also called scut \(max-f\), rcut \(rank\)"
    ):
        s.thresholds("xcut")


def test_a_loss_that_is_undefined_counts_as_one() -> None:
    s = pc.categorize([{"a"}, set(), {"b"}], [[2.0, 1.0], [1.0, 2.0], [2.0, 1.0]], ["a", "b"])
    found = s.by_item("ranking-loss")
    assert found.zero == 1 and found.mean("omit") == pytest.approx(0.5)
    first = {"undefined": 1, "total": 3, "noun": "rankings", "first": 1, "below_chance": True}
    with warned(LeftOut) as told:
        assert found.mean() == pytest.approx(0.5)
    assert [note.facts for note in told] == [{"subject": "ranking-loss", **first}]
    with warned(LeftOut) as told:
        assert s.by_item("AUC").mean() == pytest.approx(0.5)
    assert [note.facts for note in told] == [{"subject": "AUC", **first}]
    assert s.by_item(pc.measure("AUC")).values.tolist() == pytest.approx(
        s.by_item("AUC").values.tolist(), nan_ok=True
    )


@pytest.mark.parametrize(
    ("asked", "near"),
    [("AUCC", "AUC"), ("break_evn", "BreakEven"), ("fbeta_scor", "F"), ("ndgc2", "nDCG")],
)
def test_near_names_are_told(asked: str, near: str) -> None:
    with pytest.raises(MeasureError, match=rf"no measure '{asked}'; did you mean .*{near}"):
        pc.measure(asked)


def test_what_is_no_column_is_refused() -> None:
    with pytest.raises(
        UsageError,
        match=r"score: must be one column .*, got a dict of 'a', 'b'; .* such as score\['a'\]",
    ):
        pc.curve([0, 1], {"a": [1, 2], "b": [2, 3]})
    with pytest.raises(
        UsageError, match="relevant: must be one column of values, got set, which has no order"
    ):
        pc.curve({0, 1}, [1, 2])
