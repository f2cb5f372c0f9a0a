"""A label says what decides the value: EF@1%, RBP(p=0.8), BEDROC(alpha=20), wherever a measure is
named.

Labels left out what is the default here, though others mean another one by the bare name: RBP of
p = .8, .9 or .95 was "RBP" in one report and "RBP(p=0.9)" in the next. Old tests asked that
defaults are left out, of every measure.
"""

from __future__ import annotations

import json

import pytest

import precall as pc
from precall.cli.main import run
from precall.measures import Persistence
from precall.measures.registry import REGISTRY
from precall.page.document import html
from precall.page.writing import page_about
from precall.results.flat import flat_name

#: Parameters whose default everybody means by the bare name, and why; all others are shown. A new
#: parameter needs a decision.
UNIVERSAL = {
    ("AP", "norm"): "the relevant items, as in TREC",
    ("kappa", "weights"): "Cohen's kappa of 1960 has none",
    ("NetBenefit", "scale"): "decision curves are of net benefit in true positives",
    ("Rprec", "mult"): "R-precision is of the first R",
    ("F", "beta"): "F without a number is F1",
    ("E", "beta"): "1 - F1",
    ("MaxF", "beta"): "F without a number is F1",
    ("Utility", "missed"): "0: no weight",
    ("Utility", "rejected"): "0: no weight",
    ("DCG", "gain"): "the grade, as trec_eval, ir_measures and scikit-learn have it",
    ("nDCG", "gain"): "the grade, as trec_eval, ir_measures and scikit-learn have it",
    ("Q", "beta"): "1 in the papers and in NTCIREVAL",
    ("Q", "gain"): "the grade, as for nDCG",
    ("AUC", "method"): "ties count half: the Mann-Whitney statistic",
    ("AUC", "mcclish"): "nothing is rescaled",
    ("alpha_DCG", "alpha"): ".5 in ndeval and ir_measures",
    ("alpha_nDCG", "alpha"): ".5 in ndeval and ir_measures",
    ("NRBP", "alpha"): ".5 in ndeval",
    ("NRBP", "beta"): ".5 in ndeval",
    ("nNRBP", "alpha"): ".5 in ndeval",
    ("nNRBP", "beta"): ".5 in ndeval",
    ("Compat", "normalize"): "as the paper",
}
LABELS = {
    "RBP": "RBP(p=0.8)",
    "RBP@10": "RBP(p=0.8)@10",
    "RBP(p=.95)": "RBP(p=0.95)",
    "RBPResidual": "RBPResidual(p=0.8)",
    "BEDROC": "BEDROC(alpha=20)",
    "EF": "EF@1%",
    "EF(share=.005)": "EF@0.5%",
    "EF@20%": "EF@20%",
    "EF5%": "EF@5%",
    "EF(grade=2)@1%": "EF(grade=2)@1%",
    "EF(share=10%)": "EF@10%",
    "AreaPR": "AreaPR(method=step)",
    "PRAUC": "AreaPR(method=step)",
    "BEP": "BEP(method=nearest)",
    "break-even": "BEP(method=nearest)",
    "Utility": "Utility(found=1,nonrelevant=-1)",
    "Utility(3,-2)": "Utility(found=3,nonrelevant=-2)",
    "SetUtility": "SetUtility(found=1,nonrelevant=-1)",
    "INST(max_rel=2)": "INST(max_rel=2,wanted=1)@1000",
    "Compat": "Compat(p=0.95)",
    "AP": "AP",
    "nDCG@10": "nDCG@10",
    "F1": "F",
    "macro-Utility": "macro-Utility(found=1,nonrelevant=-1)",
}


@pytest.mark.parametrize(("typed", "label"), LABELS.items())
def test_labels(typed, label):
    measure = pc.measure(typed)
    assert measure.name == str(measure) == label
    assert pc.measure(label) == measure and pc.measure(label).name == label


def test_every_parameter_is_shown_or_universal():
    decided = set()
    for declared in REGISTRY:
        for name, parameter in declared.parameters.items():
            free = parameter.default not in (..., None) and name not in ("grade", "cutoff")
            shown = name in (*declared.shown, declared.percent)
            if not free:
                assert not shown, f"{declared.name}: {name} is told anyway, or has no value"
                continue
            if declared.ours:
                assert shown != ((declared.name, name) in UNIVERSAL), (declared.name, name)
            decided.add((declared.name, name))
    assert set(UNIVERSAL) <= decided


def test_every_label_is_read_back():
    for declared in [*REGISTRY, *REGISTRY.rankings()]:
        given = {
            name: value
            for name, value in declared.in_example.items()
            if name in declared.parameters
        }
        inside = ",".join(
            f"{name}={str(value).lower()}" for name, value in given.items() if name != "gains"
        )
        try:
            measure = pc.measure(f"{declared.name}({inside})")
        except pc.MeasureError:  # a form with a cutoff is written with @
            continue
        assert pc.measure(measure.name) == measure
        for name in declared.shown:
            assert f"{name}=" in measure.name


def test_every_form_has_the_label(tmp_path, capsys):
    qrels = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1, "d": 1}}
    runs = {
        "x": {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0, "z": 2.0}},
        "y": {"q1": {"b": 2.0, "a": 1.0}, "q2": {"d": 2.0, "c": 1.0}},
    }
    asked = ["RBP", "EF@20%", "BEDROC", "SetUtility"]
    labels = [pc.measure(name).name for name in asked]
    report = pc.evaluate(qrels, runs, asked)
    assert list(report.measures) == labels
    told = json.loads(report.to_json())
    assert [one["name"] for one in told["measures"]] == labels
    for text in (
        str(report),
        report.to_csv(),
        report.to_markdown(),
        report.to_latex(),
        html(page_about(report)),
    ):
        plain = text.replace("\\", "").replace("{}", "")
        assert all(label in plain or f'"{label}"' in plain for label in labels)
    compared = pc.compare(report, rng=0, resamples=200)
    assert {pair.measure for pair in compared.pairs} == set(labels)
    path = tmp_path / "cases.csv"
    path.write_text("y,s\n1,3\n0,2\n1,1\n0,0\n")
    assert (
        run(
            [
                "curve",
                str(path),
                "--label",
                "y",
                "--score",
                "s",
                "-m",
                "EF",
                "-m",
                "AreaPR",
                "-m",
                "BEDROC",
            ]
        )
        == 0
    )
    out = capsys.readouterr().out
    assert all(
        f"\n{label} " in out for label in ("EF@1%", "AreaPR(method=step)", "BEDROC(alpha=20)")
    )
    assert flat_name("EF@1%") == "ef_at_1_percent" != flat_name("EF@1")


def test_measures_of_users_declare_theirs(monkeypatch):
    from tests.registries import lend

    lend(monkeypatch)

    @pc.measure("Patient", range=(0, 1), undefined="nothing is relevant", shown="p")
    def patient(hits, *, p: Persistence = 0.5):
        """Something of p."""
        return hits.found * p / hits.relevant

    assert pc.measure("Patient").name == "Patient(p=0.5)"
