"""`precall null`: laws under random selection, in every form, and what is refused."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path

import pytest

import precall as pc

ASKED = ("null", "--items", "2000", "--relevant", "500", "--ap", "0.27")


def rows(outcome):
    assert outcome.code == 0 and outcome.err == ""
    return list(csv.DictReader(io.StringIO(outcome.out)))


def value(table, **where):
    found = [row for row in table if all(row[key] == text for key, text in where.items())]
    assert len(found) == 1
    return float(found[0]["value"])


def test_the_table_of_one_setting(precall):
    outcome = precall(*ASKED, "--published")
    assert outcome.code == 0
    assert "500 of 2000 items relevant, in random order" in outcome.out
    for said in (
        "0.252693",
        "0.00994633",
        "0.234492",
        "0.252244",
        "Zhang & Su",
        "0.0119084",
        "0.111209",
    ):
        assert said in outcome.out
    assert "relative error" in outcome.out and "random selection" in outcome.out


def test_csv_has_one_value_a_row(precall):
    table = rows(
        precall(*ASKED, "--published", "--simulate", "3000", "--seed", "5", "--format", "csv")
    )
    assert {row["format"] for row in table} == {"precall.null/2"}
    law = pc.null.average_precision(2000, 500)
    assert value(table, measure="AP", law="to 2 %", statistic="mean") == law.mean
    assert value(table, measure="AP", law="to 2 %", statistic="97.5 %") == pytest.approx(
        law.ppf(0.975)
    )
    assert value(table, measure="AP", law="within 2 %", statistic="p") == law.sf(0.265)
    assert value(table, measure="AP", law="Zhang & Su", statistic="variance") == law.zhang_su().var
    assert value(table, measure="AP", law="to 2 %", statistic="skewness") == law.skewness
    assert value(table, measure="AP", law="drawn", statistic="mean") == pytest.approx(
        law.mean, abs=1e-3
    )
    assert value(
        table, measure="recall at 500", law="exact", statistic="variance"
    ) == pytest.approx(0.000281391, rel=1e-5)
    drawn = value(table, measure="precision at 500", law="drawn", statistic="variance")
    assert drawn == pytest.approx(0.000281391, rel=0.15)


def test_json_says_how_good_it_is(precall):
    outcome = precall(*ASKED, "--format", "json")
    found = json.loads(outcome.out)
    assert found["format"] == "precall.null/2"
    (setting,) = found["settings"]
    assert (setting["items"], setting["relevant"]) == (2000, 500)
    assert setting["asked"]["p"]["within 2 %"] == pytest.approx(0.11121, abs=2e-5)
    assert setting["asked"]["relative error"] == 0.02 and setting["asked"]["upper bound"] is False
    assert "convolution" in setting["approximate"]


def test_without_a_setting_it_is_the_published_study(precall):
    found = json.loads(precall("null", "--format", "json").out)
    assert [(one["items"], one["relevant"]) for one in found["settings"]] == [
        (1000, 100),
        (2000, 500),
    ]


def test_a_seed_gives_the_same_digits(precall):
    call = ("null", "--items", "50", "--relevant", "5", "--simulate", "100", "--seed")
    assert precall(*call, "1") == precall(*call, "1")
    assert precall(*call, "1").out != precall(*call, "2").out


def test_retrieved_is_where_recall_stops(precall):
    table = rows(
        precall("null", "--items", "50", "--relevant", "5", "--retrieved", "10", "--format", "csv")
    )
    assert value(table, measure="recall at 10", law="exact", statistic="mean") == 0.2


@pytest.mark.parametrize("form", ["markdown", "latex"])
def test_documents(precall, form):
    outcome = precall("null", "--items", "50", "--relevant", "1", "--format", form)
    assert outcome.code == 0 and "exact" in outcome.out


def test_output_goes_to_a_file(precall):
    printed = precall(*ASKED, "--format", "json").out
    assert precall(*ASKED, "--format", "json", "-o", "law.json") == (0, "", "")
    assert Path("law.json").read_text(encoding="utf-8") == printed


def test_a_picture_is_drawn(precall):
    pytest.importorskip("matplotlib")
    call = (
        "null",
        "--items",
        "200",
        "--relevant",
        "20",
        "--ap",
        "0.3",
        "--simulate",
        "500",
        "--plot",
    )
    assert precall(*call, "one.svg").code == 0
    assert precall(*call, "two.png").code == 0
    text = Path("one.svg").read_text(encoding="utf-8")
    assert text.count("<svg") == 1 and len(text) > 5000
    assert Path("two.png").read_bytes()[:4] == b"\x89PNG"


def test_a_picture_without_matplotlib(precall, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    outcome = precall("null", "--items", "20", "--relevant", "5", "--plot", "law.svg")
    assert outcome.code == 2
    assert outcome.err == "precall: error: pictures need matplotlib: pip install matplotlib\n"
    assert not Path("law.svg").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--items", "20"), "--items and --relevant belong together"),
        (("--relevant", "20"), "--items and --relevant belong together"),
        (("--items", "0", "--relevant", "1"), "--items: must be an integer >= 1, got 0"),
        (("--items", "20", "--relevant", "21"), "--relevant: must be an integer in 1..20, got 21"),
        (
            ("--items", "20", "--relevant", "2", "--retrieved", "0"),
            "--retrieved: must be an integer in 1..20, got 0",
        ),
        (("--items", "20", "--relevant", "2", "--ap", "1.5"), "--ap: must be in 0..1, got 1.5"),
        (
            ("--items", "20", "--relevant", "2", "--simulate", "1"),
            "--simulate: must be an integer >= 2, got 1",
        ),
        (
            ("--items", "20", "--relevant", "2", "--seed", "1"),
            "--seed applies to --simulate, --plot, --ndcg, --bedroc, --iap and --maxf",
        ),
        (("--simulate", "9", "--seed", "-1"), "--seed: must be an integer >= 0, got -1"),
        (("--ap", "0.5"), "--ap, --plot and --retrieved need --items and --relevant"),
        (
            ("--items", "9", "--relevant", "2", "--plot", "a.txt"),
            "name must end in .png, .svg, .pdf",
        ),
        (("--items", "9", "--relevant", "2", "--plot", "no/a.svg"), "--plot no/a.svg: "),
        (
            ("--items", "9", "--relevant", "2", "--plot", "a.svg", "-o", "a.svg"),
            "there is no form for .svg",
        ),
    ],
)
def test_what_is_refused(precall, arguments, said):
    outcome = precall("null", *arguments)
    assert outcome.code == 2 and outcome.out == ""
    assert outcome.err.startswith("precall: error: ") and said in outcome.err


def test_help_is_light(process):
    outcome = process("null", "--help")
    assert outcome.code == 0 and "--simulate" in outcome.out
