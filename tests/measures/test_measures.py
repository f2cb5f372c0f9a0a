"""Declarations, names, parameters, and the worked example of every measure."""

from dataclasses import replace

import numpy as np
import pytest

import precall as pc
from precall.core.errors import MeasureError, TiesUnresolved
from precall.measures import REGISTRY, SOURCES, Cutoff, Example, measure
from precall.measures.registry import Declaration, Measure, text_of


def bound(declaration: Declaration) -> Measure:
    given = declaration.example.parameters
    inside = ",".join(f"{key}={text_of(value)}" for key, value in given.items() if key != "cutoff")
    return measure(
        declaration.name
        + (f"({inside})" if inside else "")
        + (f"@{given['cutoff']}" if "cutoff" in given else "")
    )


@pytest.mark.nightly(keep=8)
@pytest.mark.parametrize("declaration", list(REGISTRY.rankings()), ids=lambda d: d.name)
def test_the_worked_example(declaration):
    one, example = bound(declaration), declaration.example
    assert one(example.located())[0] == pytest.approx(example.value, abs=1e-12)
    for ties in ("expected", "best", "worst"):
        assert one(example.located().resolve(ties))[0] == pytest.approx(example.value, abs=1e-12)


@pytest.mark.parametrize("declaration", list(REGISTRY.rankings()), ids=lambda d: d.name)
def test_a_declaration_is_complete(declaration):
    assert declaration.sources and set(declaration.sources) <= set(SOURCES)
    assert declaration.example is not None
    assert declaration.summary.endswith(".")
    assert declaration.summary.startswith(declaration.title)
    assert declaration.has_title == (declaration.title != declaration.summary)
    low, high = declaration.range
    assert low <= high and (
        declaration.name
        in (*("Utility", "SetUtility", "NetBenefit", "SetNetBenefit", "yaap", "AUPRG"),)
        or np.isfinite(low)
    )
    assert measure(bound(declaration).name) == bound(declaration), (
        "the canonical name names the measure"
    )


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("map", "AP"),
        ("MAP", "AP"),
        ("map_cut_100", "AP@100"),
        ("P_10", "P@10"),
        ("recall_5", "R@5"),
        ("recip_rank", "RR"),
        ("MRR@10", "RR@10"),
        ("ndcg_cut_10", "nDCG@10"),
        ("NDCG@10", "nDCG@10"),
        ("nDCG(dcg='exp-log2')@10", "nDCG(gain=exp)@10"),
        ("AP(rel=2)@100", "AP(grade=2)@100"),
        ("nDCG(gains={2:9,1:3})", "nDCG(gains={1:3,2:9})"),
        ("IPrec@0.1", "IPrec(recall=0.1)"),
        ("iprec_at_recall_0.10", "IPrec(recall=0.1)"),
        ("Rprec_mult_1.50", "Rprec(mult=1.5)"),
        ("Rprec", "Rprec"),
        ("11pt_avg", "IAP"),
        ("success_5", "Success@5"),
        ("set_P", "SetP"),
        ("set_recall", "SetR"),
        ("num_rel_ret", "NumRelRet"),
        ("NumRet(rel=1)", "NumRelRet"),
        ("GMAP", "GMAP"),
        ("gm_map", "GMAP"),
        ("AP( grade = 2 )", "AP(grade=2)"),
        ("SetF(beta=0.5)", "SetF(beta=0.5)"),
        ("F(beta=2)@20", "F(beta=2)@20"),
        ("AP(norm=min)@10", "AP(norm=min)@10"),
        ("AP(judged_only=True)", "AP(judged_only=true)"),
        ("infAP", "infAP"),
        ("AP(norm=relevant)", "AP"),
        ("relative_P_5", "RelP@5"),
        ("R_cap@10", "RelP@10"),  # of BEIR
        ("recall_cap@100", "RelP@100"),
        ("capped recall@10", "RelP@10"),
        ("capped_recall_at_5", "RelP@5"),
        ("set_F", "SetF"),
        ("set_map", "SetAP"),
    ],
)
def test_names(asked, name):
    assert measure(asked).name == name


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Zap", "no measure 'Zap'.*precall measures"),
        ("nDGC", "did you mean nDCG"),
        ("RelP", "RelP needs cutoff; write RelP@k"),
        ("P@0", "P: cutoff must be an integer >= 1, got 0"),
        ("P@1.5", "an integer >= 1, got 1.5"),
        ("AP(x=1)", "no parameter 'x'; allowed are cutoff, norm, grade, judged_only"),
        ("AP(norm=foo)", "relevant or min or found, got foo"),
        ("RBP(p=1)", "> 0 and < 1"),
        ("P@3@4", "not a measure's name"),
        ("Rprec@3", "takes no @k"),
        ("AP(grade=2,grade=3)", "each parameter once"),
        ("nDCG(gains={})", "with gains >= 0"),
        ("nDCG(grade=2)", "no parameter 'grade'"),
        ("AP(judged_only=maybe)", "true or false"),
        ("", "not a measure's name"),
    ],
)
def test_wrong_names_say_what_is_allowed(asked, said):
    with pytest.raises(MeasureError, match=said):
        measure(asked)


def test_three_conventions_of_ap_at_k():
    hits = pc.Hits.of([1, 2], retrieved=10, relevant=4)
    values = {
        name: measure(name)(hits)[0] for name in ("AP@3", "AP(norm=min)@3", "AP(norm=found)@3")
    }
    assert values == {"AP@3": 2 / 4, "AP(norm=min)@3": 2 / 3, "AP(norm=found)@3": 1.0}
    assert np.isnan(measure("AP(norm=found)@3")(pc.Hits.of([7], retrieved=10, relevant=4))[0])


def test_a_graded_measure_refuses_hits():
    with pytest.raises(MeasureError, match="needs grades"):
        measure("nDCG")(pc.Hits.of([1], retrieved=1, relevant=1))
    with pytest.raises(MeasureError, match="located.hits"):
        measure("AP(grade=2)")(pc.Hits.of([1], retrieved=1, relevant=1))


def test_undefined_is_nan_never_zero():
    hits = pc.Hits.of([], retrieved=3, relevant=0)
    for name in ("AP", "R@3", "Rprec", "IAP", "IPrec(recall=.5)", "SetR", "RelP@3"):
        assert np.isnan(measure(name)(hits)[0]), name
    assert measure("P@3")(hits)[0] == 0


def test_too_many_orders_are_refused_with_advice():
    located = Example(hits=list(range(1, 41)), retrieved=80, value=0).located()
    tied = located.resolve("block")
    wide = replace(
        tied, first=np.ones_like(tied.first), last=np.full_like(tied.last, 80), ties="expected"
    )
    with pytest.raises(TiesUnresolved, match="ties='random'"):
        measure("IAP")(wide)
    assert 0 < measure("AP")(wide)[0] < 1


def test_a_formula_without_domains_is_refused_where_it_is_declared():
    with pytest.raises(MeasureError, match="needs a domain"):

        @measure("Faulty", sources=["mine"])
        def faulty(hits, *, k: int):
            return hits.within(k)


def test_a_name_is_declared_once():
    with pytest.raises(MeasureError, match="declared already"):

        @measure("AP", sources=["mine"])
        def other(hits, *, cutoff: Cutoff):
            return hits.within(cutoff)


@pytest.mark.parametrize("name", ["SetF2", "SetE0.5", "setf2", "MaxF2", "maxf.5", "SetF1"])
def test_a_number_behind_a_measure_of_sets_is_beta(name: str) -> None:
    letters, beta = name.rstrip("0123456789."), name.lstrip("abcdefghijklmnopqrstuvwxyzSEFM")
    assert pc.measure(name) == pc.measure(f"{letters}(beta={beta})")


@pytest.mark.parametrize("name", ["SetF05", "SetP2", "MaxE2", "SetF2@5", "SetF2(beta=1)"])
def test_other_numbers_behind_a_measure_of_sets_are_refused(name: str) -> None:
    with pytest.raises(pc.MeasureError):
        pc.measure(name)


@pytest.mark.parametrize("name", ["P@+5", "P@010", "AP(grade=+1)", "AP(grade=02)", "nDCG@+10"])
def test_a_plus_is_no_part_of_a_whole_number(name: str) -> None:
    with pytest.raises(pc.MeasureError, match="an integer >= 1|a number > 0"):
        pc.measure(name)


def test_names_of_any_length_are_no_headings() -> None:
    long = f"F(beta=1.{'1' * 600})"
    assert pc.measure(long).head == pc.measure(long).name == "F(beta=1.1111111111111112)"
    assert pc.measure("F(beta=1.50)").head == "F(beta=1.50)"
