"""What was asked for by one name is found by it, and headed by it in print; JSON has the canonical
name and that one.

`verdicts["MRR"]` and `pair(a, b, "Recall@1")` were KeyErrors, `AP` headed what was asked for as
MAP. Old tests looked up averages by other names, and nothing else.
"""

from __future__ import annotations

import json

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes.of_runs import UndefinedTopics
from precall.measures.lookup import ByMeasure
from precall.page.document import html
from precall.page.writing import page_about
from precall.plot import TopicDifferences
from precall.results.forms import render
from tests.noticed import noticed

QRELS = {f"q{i}": {"a": 1, "b": 0, "c": 1} for i in range(12)}
RUNS = {
    "x": {q: {"a": 2.0, "b": 1.0, "c": 0.5} for q in QRELS},
    "y": {q: {"b": 2.0, "a": 1.0, "c": 3.0 * (i % 3 == 0)} for i, q in enumerate(QRELS)},
    "z": {q: {"b": 2.0, "a": 1.0 + i % 2, "c": 0.0} for i, q in enumerate(QRELS)},
}
pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
#: Asked, canonical, and more names of the same.
ASKED = {
    "Recall@1": ("R@1", "recall_1", "recall_at_1", "R@1"),
    "MRR": ("RR", "recip_rank", "mrr", "ReciprocalRank"),
    "HitRate@3": ("Success@3", "success_3", "Hit@3"),
    "map": ("AP", "MAP", "AveragePrecision"),
    "nDCG@3": ("nDCG@3", "ndcg_cut_3"),
}
HEADS = list(ASKED)


@pytest.fixture(scope="module")
def report():
    return pc.evaluate(QRELS, RUNS, HEADS)


@pytest.fixture(scope="module")
def compared(report):
    return pc.compare(report, rng=0, resamples=200)


def names(asked):
    return [asked, *ASKED[asked], pc.measure(asked)]


@pytest.mark.nightly
@pytest.mark.parametrize("asked", HEADS)
def test_everything_by_measure_is_found_by_any_name(report, compared, asked):
    canonical = ASKED[asked][0]
    intervals = pc.interval(report)
    gates = pc.compare.gates(report, {asked: 0.1}, resamples=200)
    for name in names(asked):
        assert report["x", name] == report.mean["x", canonical] and ("x", name) in report.mean
        assert report.name_of(name) == canonical
        assert intervals["x", name] is intervals["x", canonical]
        assert pc.interval(report, name)["x", name] == intervals["x", name]
        for part in (
            compared.verdicts,
            compared.families,
            compared.means,
            compared.letters,
            compared.anova,
        ):
            assert list(part)[HEADS.index(asked)] == canonical
            assert part[name] is not None and part[name] == part[canonical]
            assert name in part and part.get(name) == part[canonical]
        assert compared.pair("x", "y", name).measure == canonical
        assert compared.pair("y", "x", name) == compared.pair("x", "y", canonical).swap()
        assert [
            pair.measure for pair in pc.compare(report, measures=[name], resamples=200).pairs
        ] == [canonical] * 3
        assert pc.compare.gates(report, {name: 0.1}, resamples=200) == gates
        assert TopicDifferences.from_report(report, str(name), "x", "y").measure


def test_what_there_is_is_told(report, compared):
    for lookup in (
        lambda: compared.verdicts["P@7"],
        lambda: compared.letters["nothing"],
        lambda: compared.pair("x", "y", "P@7"),
        lambda: report["x", "P@7"],
    ):
        with pytest.raises(KeyError, match="Recall@1, MRR, HitRate@3, map, nDCG@3"):
            lookup()
    with pytest.raises(KeyError, match="'w'"):
        compared.pair("x", "w", "MRR")
    assert "P@7" not in compared.verdicts and compared.verdicts.get("P@7") is None
    assert ByMeasure() == {} and "AP" not in ByMeasure()


def test_single_runs_rankings_decisions_curves():
    one = pc.evaluate(QRELS, RUNS["x"], ["MRR"])
    assert (
        one["MRR"]
        == one["RR"]
        == one["recip_rank"]
        == pc.interval(one)["RR"].estimate
        == pc.interval(one)["MRR"].estimate
    )
    made = pc.ranking(["a", "b"], ["x", "a"], ["MRR", "Recall@2"])
    assert (
        made["MRR"] == made["RR"] == made.values["recip_rank"] and made["R@2"] == made["recall_2"]
    )
    assert (
        "\nMRR " in str(made)
        and "\nRecall@2 " in str(made)
        and list(json.loads(made.to_json())["measures"]) == ["RR", "R@2"]
    )
    points = pc.curve([1, 0, 1], [3, 2, 1]).points("mcc")
    assert points["mcc"].tolist()[:2] == points["MCC"].tolist()[:2] and " mcc\n" in str(points)
    decided = pc.decisions([1, 0, 1, 1] * 9, [1, 0, 0, 1] * 9)
    assert pc.interval(decided)["F1"] == pc.interval(decided)["f"]
    assert pc.interval(decided, ["mcc", "F1"])["MCC"] == pc.interval(decided, ["mcc"])["mcc"]
    told = pc.compare.decisions([1, 0, 1, 1] * 9, [1, 0, 0, 1] * 9, [1, 1, 0, 1] * 9, "mcc")
    assert (
        str(told).startswith("mcc: a ")
        and told.measure == "MCC"
        and told.to_dict()["measure"] == "MCC"
    )


@pytest.mark.parametrize(
    "form", ["table", "csv", "markdown", "latex", "html", "pandas", "polars", "page"]
)
def test_heads_are_as_typed(report, compared, form):
    for result in (report, compared):
        if form in ("pandas", "polars"):
            frame = getattr(result, f"to_{form}")()
            assert [name for name in dict.fromkeys(frame["measure"]) if name] == HEADS
            continue
        text = (
            html(page_about(result))
            if form == "page"
            else result.sheet().to_html()
            if form == "html"
            else (str(result) if form == "table" else getattr(result, f"to_{form}")())
        )
        shown = text.partition('<script type="application/json"')[0] if form == "page" else text
        for asked in HEADS:
            assert asked in shown.replace("\\@", "@"), asked
        for asked, (canonical, *_) in ASKED.items():
            if canonical != asked:
                assert (
                    f" {canonical} " not in shown
                    and f">{canonical}<" not in shown
                    and f",{canonical}," not in shown
                )


def test_json_has_both(report, compared):
    told = json.loads(report.to_json())
    assert [(one["name"], one["asked"]) for one in told["measures"]] == [
        (ASKED[name][0], [name]) for name in HEADS
    ]
    assert list(told["runs"][0]["mean"]) == [ASKED[name][0] for name in HEADS]
    told = json.loads(compared.to_json())
    assert list(told["verdicts"]) == [ASKED[name][0] for name in HEADS]
    assert {pair["measure"] for pair in told["pairs"]} == set(told["verdicts"])


def test_per_topic_and_notes(report):
    assert list(dict.fromkeys(report.per_topic["measure"])) == HEADS
    empty = pc.evaluate(
        {"q": {"a": 0}, "p": {"a": 1}}, {"q": {"a": 1.0}, "p": {"a": 1.0}}, ["MRR", "Recall@1"]
    )
    (note,) = noticed(empty, UndefinedTopics)
    assert "Recall@1" in note.measures and "R@1" not in str(empty).replace("Recall@1", "")


def test_a_name_that_says_less_does_not_head():
    graded = pc.evaluate(
        {"q": {"a": 2, "b": 1}}, {"q": {"a": 1.0, "b": 2.0}}, ["MAP", "RBP", "nDCG"], grade=2
    )
    assert graded.heads == ("AP(grade=2)", "RBP(p=0.8,grade=2)", "nDCG")
    assert pc.measure("EF").head == "EF@1%" and pc.measure("EF@20%").head == "EF@20%"


def test_the_first_of_several_names_heads():
    made = pc.evaluate(QRELS, RUNS["x"], ["MRR", "RR", "recip_rank"])
    assert made.heads == ("MRR",) and made.measures == ("RR",)
    assert pc.evaluate(QRELS, RUNS["x"], [pc.measure("MRR")]).heads == ("MRR",)


def test_another_name_in_the_comparison_heads_it(report):
    found = pc.compare(report, measures=["ReciprocalRank"], rng=0, resamples=200)
    assert (
        found.heads == {"RR": "ReciprocalRank"}
        and "best by ReciprocalRank" in found.verdicts["MRR"].text
    )


def test_commands(tmp_path, capsys):
    path = tmp_path / "cases.csv"
    path.write_text("y,s,p\n1,3,1\n0,2,1\n1,1,1\n0,0,0\n")
    assert (
        run(["curve", str(path), "--label", "y", "--score", "s", "-m", "Recall@2", "-m", "mcc"])
        == 0
    )
    out = capsys.readouterr().out
    assert "\nRecall@2 " in out and "\nmax mcc " in out and "Recall@2: expected)" in out
    assert (
        run(
            [
                "decisions",
                str(path),
                "--truth",
                "y",
                "--predicted",
                "p",
                "--positive",
                "1",
                "-m",
                "mcc",
            ]
        )
        == 0
    )
    out = capsys.readouterr().out
    assert " mcc\n" in out and "MCC" not in out
    np.testing.assert_equal(
        run(["curve", str(path), "--label", "y", "--score", "s", "-m", "mcc", "--format", "json"]),
        0,
    )
    assert "max MCC" in json.loads(capsys.readouterr().out)["scores"]["s"]["measures"]


def test_lines_of_trec_keep_the_parameters_that_decide_a_value(report):
    one = {"x": RUNS["x"]}
    sheet = pc.evaluate(QRELS, one, ["map", "recall_1", "EF", "RBP", "BEP"]).sheet()
    assert [line.split("\t")[0].rstrip() for line in render(sheet, "trec").splitlines()] == [
        "map",
        "recall_1",
        "EF@1%",
        "RBP(p=0.8)",
        "BEP(method=nearest)",
    ]
