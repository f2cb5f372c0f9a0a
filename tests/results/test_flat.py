"""Results as numbers by name, as logs of experiments take them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import precall as pc
from precall.measures.registry import REGISTRY
from precall.results.flat import flat_name
from tests.laws.parameters import VARIANTS, said

#: mlflow.utils.validation of MLflow 3.17: letters, digits and these; and no path but a plain one.
MLFLOW = re.compile(r"^[/\w.\- :]*$")
#: Metric names of W&B ("must match"), to which a slash is a section.
WANDB = re.compile(r"^[_a-zA-Z][_a-zA-Z0-9]*$")
QRELS = {f"q{i}": {"x": 1, "y": i % 2} for i in range(40)}
RUN = {f"q{i}": {"x": 20.5 - i, "y": 1.0} for i in range(40)}


def test_names_of_all_measures_with_parameters_are_taken_and_differ():
    names = {
        pc.measure(said(name, parameters)).name
        for name, tried in VARIANTS.items()
        for parameters in tried
    }
    assert len(names) > 1000
    flat = {flat_name(name) for name in names}
    assert len(flat) == len(names) and all(WANDB.match(name) for name in flat)


@pytest.mark.parametrize(
    "name", ["nDCG@10", "P@5", "R@100", "RR@10", "AP", "infAP", "Rprec", "Success@1"]
)
def test_names_without_parameters_lead_back(name):
    assert pc.measure(flat_name(name)).name == name


def test_every_registered_measure_has_a_name_of_its_own():
    names = [each.name for each in REGISTRY]
    assert len({flat_name(name) for name in names}) == len(names)


@given(st.text("aBzé日_ -+.@()/:,=\n019\x00\udce9", max_size=12))
def test_any_name_is_taken(text):
    name = flat_name(text)
    assert name and MLFLOW.match(name) and name == name.strip("_") and flat_name(name) == name


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_a_report_with_intervals():
    report = pc.evaluate(QRELS, RUN, ["nDCG@10", "AP"], interval=True)
    flat, interval = report.flat(), report.bounds("run", "AP")
    assert list(flat) == [
        f"{name}{end}" for name in ("ndcg_at_10", "ap") for end in ("", "_low", "_high")
    ]
    assert flat["ap"] == report["AP"] and (flat["ap_low"], flat["ap_high"]) == interval.ends
    assert all(type(value) is float for value in flat.values())


def test_several_runs_have_their_names_before():
    runs = {"a/b c": RUN, "all": RUN, "a-b c": RUN}
    flat = pc.evaluate(QRELS, runs, ["AP", "NumRel"]).flat()
    names = ["a_b_c/ap", "a_b_c/numrel", "all/ap", "all/numrel", "a_b_c/ap_2", "a_b_c/numrel_2"]
    assert list(flat) == names and flat["all/numrel"] == 60.0


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_an_undefined_value_is_nan_and_none_is_left_out():
    flat = pc.evaluate(
        {"q": {"x": 1}},
        {"q": {"x": 1.0}},
        ["AP", "AUC(population=1)"],
        undefined="omit",
        interval=True,
    ).flat()
    assert (
        flat["auc_population_1"] != flat["auc_population_1"]
        and "auc_population_1_low" not in flat
        and "ap_low" not in flat
    )


def test_curves_decisions_categories_and_intervals():
    curve = pc.curve([1, 0, 1, 0], [4.0, 3.0, 2.0, 1.0])
    flat = curve.flat()
    assert flat["ap"] == curve.average_precision() and flat["auc"] == curve.area_under_roc()
    assert flat["max_f_threshold"] == curve.max_f().threshold and flat["11_point_0p0"] == 1.0
    several = pc.decisions(["a", "b", "b"], ["a", "b", "a"]).flat()
    assert several["a/precision"] == 0.5 and several["micro_recall"] == 2 / 3
    assert pc.decisions([1, 0, 1], [1, 1, 1]).flat()["precision"] == 2 / 3
    status = pc.categorize(["a", "b", "b"], [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]])
    assert status.flat()["a/ap"] == 1.0 and "macro_ap" in status.flat()
    interval = pc.interval.precision(30, 10)
    assert interval.flat() == {
        "precision": 0.75,
        "precision_low": interval.low,
        "precision_high": interval.high,
    }


def test_comparisons_and_what_has_no_names():
    pair = pc.compare.paired([0.5, 0.7, 0.9], [0.4, 0.5, 0.9], measure="AP")
    assert list(pair.flat()) == ["ap_difference", "ap_low", "ap_high", "ap_p"]
    with pytest.raises(
        pc.UsageError, match="flat: got a table of 3 rows, whose numbers have no names"
    ):
        pc.curve([1, 0, 1], [3.0, 2.0, 1.0]).points().flat()
