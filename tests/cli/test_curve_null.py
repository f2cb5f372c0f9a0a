"""`precall curve --null`: AP and the area under ROC beside what they are when the cases stand in
random order.
"""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest

import precall as pc
from precall.results.forms import names
from tests.cli.scored import BASE, LABEL, S, refused, text, told

SECTION = "random selection"


@pytest.fixture(autouse=True)
def cases(folder):
    Path("cases.csv").write_text(text(), encoding="utf-8")


def test_values_are_those_of_python(precall):
    found = told(precall(*BASE, "--null", "--level", "0.9", "--format", "json"))["scores"]["s"]
    curve = pc.curve(LABEL, S)
    for name in ("AP", "AUC"):
        one = pc.null.test(curve, name, ties="block").combined
        middle = one.law.interval(0.9)
        expected = {
            "by chance": one.law.mean,
            "by chance low": middle.low,
            "by chance high": middle.high,
            "over chance": one.effect,
            "p": one.p,
        }
        assert {what: found[SECTION][f"{name} {what}"] for what in expected} == expected
        assert found["measures"][name] == pytest.approx(one.value)
        assert found[SECTION][f"{name} by chance"] + found[SECTION][
            f"{name} over chance"
        ] == pytest.approx(one.value)


def test_asked_measures_are_compared_with_chance(precall):
    asked = ("BEP", "P@2", "AUC(max_fpr=0.5)", "KAtRecall(recall=0.5)", "MCC")
    typed = [part for name in asked for part in ("-m", name)]
    found = told(precall(*BASE, *typed, "--null", "--format", "json"))["scores"]["s"][SECTION]
    curve = pc.curve(LABEL, S)
    for name, printed in (("BEP", "BEP(method=nearest)"), *((name, name) for name in asked[1:3])):
        one = pc.null.test(curve, name).combined
        assert found[f"{printed} p"] == pytest.approx(one.p)
        assert found[f"{printed} by chance"] == pytest.approx(one.null.mean)
    assert not [key for key in found if key.startswith(("MCC", "KAtRecall"))]


def test_it_is_left_out_where_it_was_not_asked_for(precall):
    assert SECTION not in told(precall(*BASE, "--format", "json"))["scores"]["s"]


@pytest.mark.parametrize("form", names())
def test_every_form_has_both_scores(precall, form):
    found = precall(*BASE, "--score", "t", "--null", "--format", form)
    assert found.code == 0 and "AP by chance" in found.out and "AUC p" in found.out
    if form == "csv":
        rows = list(csv.DictReader(io.StringIO(found.out)))
        chance = [row for row in rows if row["section"] == SECTION]
        assert [row["score"] for row in chance] == ["s"] * 10 + ["t"] * 10
        # The three best of six are the relevant ones: one placement of twenty.
        assert (
            float(next(r["value"] for r in chance if (r["score"], r["measure"]) == ("t", "AP p")))
            == 0.05
        )


def test_a_small_p_is_not_0(precall):
    rows = [(int(i < 20), "", 300.0 - i, 0, "x", 1) for i in range(300)]
    Path("cases.csv").write_text(text(rows=rows), encoding="utf-8")
    found = precall(*BASE, "--null")
    assert "AP p" in found.out
    p = next(line.split()[-1] for line in found.out.splitlines() if line.startswith("AP p"))
    assert 0 < float(p) < 1e-9


def test_missed_cases_lower_value_and_chance_alike(precall):
    whole = told(precall(*BASE, "--null", "--format", "json"))["scores"]["s"]
    less = told(precall(*BASE, "--null", "--missed", "2", "--format", "json"))["scores"]["s"]
    for name in ("AP", "AUC"):
        assert less[SECTION][f"{name} p"] == whole[SECTION][f"{name} p"]
        assert less[SECTION][f"{name} over chance"] == pytest.approx(
            0.6 * whole[SECTION][f"{name} over chance"]
        )
        total = less[SECTION][f"{name} by chance"] + less[SECTION][f"{name} over chance"]
        assert total == pytest.approx(less["measures"][name])


def test_groups_are_tested_together(precall):
    found = told(precall(*BASE, "--group", "fold", "--null", "--format", "json"))
    # AUC of fold x is 1/2, of fold y 1; in each of them it is 0, 1/2 or 1 by chance: 3 of 9 pairs
    # have a mean of 3/4.
    assert found["mean"]["s"][SECTION]["AUC p"] == pytest.approx(1 / 3)
    assert found["groups"]["y"]["s"][SECTION]["AUC p"] == pytest.approx(1 / 3)


def test_a_group_of_one_class_has_no_area(precall):
    rows = [(1, "", 3.0, 0, "x", 1), (0, "", 2.0, 0, "x", 1), (1, "", 1.0, 0, "y", 1)]
    Path("cases.csv").write_text(text(rows=rows), encoding="utf-8")
    found = precall(*BASE, "--group", "fold", "--null", "--format", "json")
    assert '"AUC p": null' in found.out


def test_weights_are_refused(precall):
    refused(precall(*BASE, "--null", "--weight", "w"), "--null: .* weights; leave --weight out")


def test_a_bound_of_p_is_no_value(precall):
    """The cell had 1e-12 where p is at most that; of two scores, only one is bounded."""
    rows = [(int(i < 60), i < 60, i % 7 + 3 * (i < 60)) for i in range(240)]
    Path("bounds.csv").write_text("y,s,t\n" + "".join(f"{y},{s:d},{t}\n" for y, s, t in rows))
    line = ["curve", "bounds.csv", "--label", "y", "--score", "s", "--score", "t", "--null"]
    (told,) = re.findall(r"^AP p +(.*)$", precall(*line).out, re.MULTILINE)
    assert told.split()[1:] == ["<=", "1e-12"]
    assert precall(*line, "-o", "page.html").code == 0
    (again,) = re.findall(r"^AP p +(.*)$", precall("report", "--from", "page.html").out, re.M)
    assert again.split() == told.split()
    assert ",AP p,,1e-12" in precall(*line, "--format", "csv").out
