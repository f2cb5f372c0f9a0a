"""One ranking of ids: the sources' numbers, `evaluate` and counting as oracles, what is refused,
the command.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import precall as pc
from precall.cli.main import run
from precall.core.notes.of_curves import NoneRanked
from precall.core.notes.of_intervals import OfSeveralRankings
from precall.core.spelling import STYLE
from tests.noticed import noticed, shown


def test_the_ranking_of_the_notes(facts: Path) -> None:
    """Premises a, b, c; ranking x a y b c z: AP = (1/2 + 2/4 + 3/5) / 3, R-precision = p(3) =
    1/3.
    """
    known = json.loads((facts / "golden" / "worked_examples.json").read_text())["premises_notes"]
    made = pc.ranking(known["relevant"], known["ranking"])
    assert made["AP"] == pytest.approx(known["ap"]) and made["Rprec"] == pytest.approx(
        known["r_precision"]
    )
    assert made["MaxF"] == known["max_f1"] and made["BEP(method=max-min)"] == known["bep_step"]
    assert made["11pt"] == made["IAP"]
    points = made.points("E").to_dict()
    for place, name in ((1, "precision"), (2, "recall")):
        cells = [row[place].split("/") for row in known["table_rank_prec_rec_CORRECTED"]]
        assert points[name] == [int(above) / int(below) for above, below in cells]
    assert points["item"] == known["ranking"] and points["relevant"] == known["rel"]
    assert points["E"] == pytest.approx(list(known["E_at_k"].values()))
    lines = str(made).splitlines()
    assert lines[0] == "3 of 3 relevant items are among the 6 ranked." and len(lines) <= 15
    assert [line.split()[0] for line in lines[2:9]] == [
        "measure",
        "AP",
        "Rprec",
        "RR",
        "P@5",
        "P@10",
        "MaxF",
    ]
    lines = str(made.sheet(all=True)).splitlines()
    assert "   5  c          yes   3   2   0     0.6000  1.0000  0.7500" in lines


def test_hits_at_1_and_2_of_four_relevant(facts: Path) -> None:
    """AP@3 of the article: 2.00 / min(3, 4); what is relevant and not ranked counts."""
    known = json.loads((facts / "golden" / "sources.json").read_text())["ap_at_3"]
    made = pc.ranking(
        ["a", "b", "c", "d"], ["a", "b", "x"], ["AP(norm=min)@3", "AP@3", "R@3", "Rprec"]
    )
    assert list(made.values.values()) == pytest.approx(
        [known["norm_min"], known["norm_relevant"], 0.5, 0.5]
    )
    assert made.missed == ("c", "d") and made.points()["fn"].tolist() == [3, 2, 2]


def test_measures_are_of_the_population_and_found_by_any_name() -> None:
    """Of 10 items 8 are not relevant: one hit is above all of them, one below the one that is
    ranked.
    """
    asked = [
        "AUC",
        "Specificity@3",
        "k@recall(1)",
        "Accuracy(population=5)@3",
        "F(beta=2)@2",
        pc.measure("roc_auc(max_fpr=0.5)"),
    ]
    made = pc.ranking(["a", "b"], ["a", "x", "b"], asked, population=10)
    assert list(made.values) == [
        "AUC(population=10)",
        "Specificity(population=10)@3",
        "KAtRecall(recall=1)",
        "Accuracy(population=5)@3",
        "F(beta=2)@2",
        "AUC(max_fpr=0.5,population=10)",
    ]
    assert (
        made["AUC"] == made.values["AUC"] == made.values["roc_auc(population=10)"] == (8 + 7) / 16
    )
    assert made["Specificity@3"] == made.values["Specificity(population=10)@3"] == 7 / 8
    assert made.values["k@recall(1)"] == made["k@recall(1)"] == 3
    assert pickle.loads(pickle.dumps(made)).values["AUC"] == 15 / 16
    with pytest.raises(KeyError, match=r"'AP': there are AUC"):
        made.values["AP"]
    with pytest.raises(pc.MeasureError, match=r"write AUC\(population=N\)"):
        pc.ranking(["a", "b"], ["a", "x", "b"], "AUC")


def test_early_recognition_is_of_the_population() -> None:
    """Of 1,000 items the first 1 % are ten ranks, not one of the 50 that are ranked. The old tests
    asked for AUC alone; EF and BEDROC printed the population and counted 51 items.
    """
    ranked = [f"m{rank}" for rank in range(1, 51)]
    wanted = ["m2", "m9", "m40", "none"]
    made = pc.ranking(wanted, ranked, ["EF@1%", "BEDROC"], population=1000)
    assert list(made.values) == ["EF(population=1000)@1%", "BEDROC(alpha=20,population=1000)"]
    assert made["EF@1%"] == made.values["EF@1%"] == (2 / 10) / (4 / 1000)
    # The missed item is the last of all, and what is neither ranked nor relevant stands above it.
    every = np.zeros(1000, np.bool_)
    every[[1, 8, 39, 999]] = True
    whole = pc.curve(every, np.arange(1000, 0, -1))
    assert made["BEDROC"] == pytest.approx(whole.value("BEDROC"), rel=1e-12)
    assert made["EF@1%"] == whole.value("EF")
    assert pc.ranking(wanted, ranked, "EF@1%")["EF@1%"] == 0.0
    with pytest.raises(pc.MeasureError, match="population: got 50, but 51 items"):
        pc.ranking(wanted, ranked, "EF(population=50)")


def test_measures_without_an_interval_are_named() -> None:
    """Intervals of AP and the greatest F stood alone beside EF and P@2, without a word."""
    lists = [f"m{rank}" for rank in range(0, 40, 3)], [f"m{rank}" for rank in range(40)]
    made = pc.ranking(*lists, ["map", "EF@5%", "MaxF", "P@2"], interval=True)
    assert len(made.intervals) == 2
    found = noticed(made, OfSeveralRankings)
    assert [note.values for note in found] == [{"measures": ("EF@5%", "P@2")}]
    assert shown(str(made), *found)
    for measures in ("AP", ["AP", "MaxF"]):
        assert not noticed(pc.ranking(*lists, measures, interval=True), OfSeveralRankings)
    # Nobody asked for the usual measures.
    assert not noticed(pc.ranking(*lists, interval=True), OfSeveralRankings)
    assert not noticed(pc.ranking(*lists, "P@2"), OfSeveralRankings)


def test_long_rankings_show_their_ends() -> None:
    """--all printed each of 5,000 points, and an F at a score that no list of ids has."""
    lists = [f"m{rank}" for rank in range(0, 40, 3)], [f"m{rank}" for rank in range(400)]
    made = pc.ranking(*lists, interval=True)
    (points,) = [block for block in made.sheet().blocks if block.detail == "operating points"]
    shown_ranks = [
        line.split()[0] for line in str(made.sheet(all=True)).splitlines() if "m" in line
    ]
    assert len(list(points.lines)) == 21 and {"1", "10", "391", "400"} <= set(shown_ranks)
    assert len(made.to_dict()["points"]["rank"]) == 400
    assert len(str(made.points().sheet(rows=None))) > 400
    (bounds,) = [block for block in made.sheet().blocks if block.heading[0] == "interval"]
    assert "first" in bounds.heading and "threshold" not in bounds.heading
    cells = made.to_dict()["intervals"]
    (of_f,) = [row for row in cells.values() if "threshold" in row]
    assert of_f["first"] == 401 - of_f["threshold"]
    assert of_f["first"] == made.curve.at(max="F").accepted


ids = st.lists(st.sampled_from("abcdefghij"), unique=True, min_size=1)


@pytest.mark.nightly
@given(ids, ids, st.integers(0, 3))
def test_as_evaluate_and_the_curve_have_it(relevant, ranked, more) -> None:
    names = ["P@3", "F@3", "nDCG@4", "Bpref"]
    population = len({*relevant, *ranked}) + more
    made = pc.ranking(relevant, ranked, [*names, "AP", "BEP", "RR"], population=population)
    run = {"q": {item: 1.0 / (1 + i) for i, item in enumerate(ranked)}}
    report = pc.evaluate({"q": dict.fromkeys(relevant, 1)}, run, list(made.values))
    assert made.values == dict(zip(report.measures, report.per_topic["value"], strict=True))
    points = made.points("MCC")
    for i, rank in enumerate(points["rank"].tolist()):
        accepted, wanted = set(ranked[:rank]), set(relevant)
        tp, fp = len(accepted & wanted), len(accepted - wanted)
        cells = (tp, fp, len(wanted) - tp, population - len(wanted) - fp)
        assert tuple(int(points[name][i]) for name in ("tp", "fp", "fn", "tn")) == cells
        assert points["accuracy"][i] == (cells[0] + cells[3]) / population
    assert made.missed == tuple(item for item in relevant if item not in ranked)
    without = pc.ranking(relevant, ranked).points().to_dict()
    assert list(without) == [
        "rank",
        "item",
        "relevant",
        "tp",
        "fp",
        "fn",
        "precision",
        "recall",
        "F",
    ]
    assert without == {name: points.to_dict()[name] for name in without}


def test_every_form_has_everything() -> None:
    made = pc.ranking(["a", "b", 7], ["x", "a", 7], interval="bca", rng=3)
    assert list(made.intervals) == ["AP", "max F on new cases"]
    assert made.intervals["AP"].estimate == pytest.approx(made["AP"])
    # Any name of the measure finds its interval, as it finds its value.
    assert made.intervals["map"] == made.intervals.get("average_precision") == made.intervals["AP"]
    with pytest.raises(KeyError, match="there are AP, max F on new cases"):
        made.intervals["RR"]
    told = json.loads(made.to_json())
    assert told["missed"] == ["b"] and told["points"]["item"] == ["x", "a", "7"]
    assert (
        told["conventions"]["interval"] == "95 % (AP by bca, seed 3)"
        and told["counts"]["hits"] == 2
    )
    rows = list(csv.DictReader(io.StringIO(made.to_csv())))
    assert {row["section"] for row in rows} == {
        "counts",
        "measures",
        "11-point",
        "interval AP",
        "interval max F on new cases",
        "operating points",
        "missed",
    }
    assert [row["item"] for row in rows if row["measure"] == "tp"] == ["x", "a", "7"]
    assert len(made.to_pandas()) == len(rows) and "| 3 | 7 " in made.sheet(
        all=True
    ).to_markdown().replace("    ", " ").replace("   ", " ")
    assert made == pc.ranking(["a", "b", 7], ["x", "a", 7], interval="bca", rng=3)
    assert len(str(pc.ranking(range(0, 99, 3), range(99))).splitlines()) <= 15
    one = pc.ranking(["a", "b"], ["x", "a"], "11pt")
    assert str(one).splitlines()[0].endswith("2 ranked; 1 missed.") and "\n11pt " in str(one)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        (
            (["a", "b"], ["x", "a", "x"]),
            pc.DataError,
            "ranked:3: id 'x' is there twice (first at 1); remove one of them",
        ),
        ((["a", "a"], ["x"]), pc.DataError, "relevant:2: id 'a' is there twice"),
        (([], ["x"]), pc.DataError, "relevant: no id, a list has at least one"),
        ((["a"], []), pc.DataError, "ranked: no id, a list has at least one"),
        (
            (["a"], [1.5]),
            pc.DataError,
            "ranked:1: is 1.5 (float), an id is a string or an integer; write it as a string",
        ),
        ((["a"], 5), pc.UsageError, "ranked: must be ids or the path of a file of them, got int"),
        (
            ({"a": 0}, ["a"]),
            pc.UsageError,
            "relevant: must be ids or the path of a file of them, got dict; give the ids",
        ),
        (
            (["a"], {"a", "b"}),
            pc.UsageError,
            "ranked: must be in order, got set, which has none; give a list",
        ),
        (("-", "-"), pc.UsageError, "- (standard input) was given 2 times"),
    ],
)
def test_what_is_refused(given, error, message) -> None:
    with pytest.raises(error) as caught:
        pc.ranking(*given)
    assert str(caught.value).startswith(message)


def test_ids_as_people_hold_them() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    known = pc.ranking(["a", "b"], ["b", "x"])
    for relevant in (
        {"b", "a"},
        np.array(["a", "b"]),
        (item for item in "ab"),
        pyarrow.array(["a", "b"]),
    ):
        assert pc.ranking(relevant, np.array(["b", "x"], object)) == known
    assert pc.ranking([7], np.arange(9)).items[7] == "7"


def test_what_is_refused_of_options() -> None:
    with pytest.raises(
        pc.UsageError,
        match="population: must be at least 3, the items that are ranked or relevant, got 2",
    ):
        pc.ranking(["a", "b"], ["x", "a"], population=2)
    with pytest.raises(
        pc.UsageError, match="population: is needed by MCC; say how many items exist"
    ):
        pc.ranking(["a"], ["a"]).points("MCC")
    with pytest.raises(pc.UsageError, match="interval: got 'wilson', allowed are logit"):
        pc.ranking(["a"], ["a"], interval="wilson")
    with pytest.raises(pc.UsageError, match="measure: got 'RBP', there are AP, Rprec"):
        pc.ranking(["a"], ["a"])["RBP"]
    notes = pc.ranking(["A"], ["a"]).notes
    assert isinstance(notes[0], NoneRanked) and (notes[0].relevant, notes[0].ranked) == ("A", "a")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("relevant.txt").write_bytes(b"\xef\xbb\xbfa\r\nb\r\nc\r\n")
    Path("ranked.txt").write_text("x\na\ny\n\n b \nc\nz", encoding="utf-8")
    Path("ranked.txt.gz").write_bytes(gzip.compress(b"x\na\ny\nb\nc\nz\n"))
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    code = run(["ranking", *options])
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    return out


def test_the_command_is_the_call(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = pc.ranking("relevant.txt", "ranked.txt")
    assert made["AP"] == pytest.approx(8 / 15) and made.items == tuple("xaybcz")
    names = ("relevant.txt", "ranked.txt")
    # Notes name options where a command prints them.
    style = STYLE.set("command")
    assert printed(capsys, *names) == str(made) + "\n"
    for form in ("csv", "json", "markdown", "latex"):
        assert printed(capsys, *names, "--format", form) == getattr(made, f"to_{form}")()
    assert printed(capsys, "relevant.txt", "ranked.txt.gz", "--format", "csv") == made.to_csv()
    points = printed(capsys, *names, "--points", "-m", "E", "--population", "9", "--format", "csv")
    assert points == pc.ranking(*names, population=9).points("E").to_csv()
    assert "the first 1 and the last 1 of 6 rows" in printed(capsys, *names, "--points", "2")
    assert "RBP(p=0.5)" in printed(capsys, *names, "-m", "RBP(p=0.5)")
    interval = printed(capsys, *names, "--interval", "bca", "--level", "0.9", "--seed", "2")
    assert interval == str(pc.ranking(*names, interval="bca", level=0.9, rng=2)) + "\n"
    STYLE.reset(style)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "bad.txt: no id, a list has at least one; check that it was written"),
        (b"\n \n", "bad.txt: no id, a list has at least one"),
        (b"a\nb\na\n", "bad.txt:3: id 'a' is there twice (first at 1); remove one of them"),
        (b"q1 0 a 1\n", "bad.txt:1: 4 fields, a list has one id a line; write one id a line"),
        (b"a\n\xff\n", "bad.txt:2: bytes that are not UTF-8; convert the file"),
        (b"a\nb\0c\n", "bad.txt:2: NUL byte, text has none"),
    ],
)
def test_bad_files(files: Path, text: bytes, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.txt").write_bytes(text)
    for names in (("bad.txt", "ranked.txt"), ("relevant.txt", "bad.txt")):
        assert run(["ranking", *names]) == 2
        assert f"precall: error: {said}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("relevant.txt none.txt", "none.txt: No such file or directory; check the path"),
        ("- -", "- (standard input) was given 2 times; it can be read once"),
        ("relevant.txt ranked.txt --population 2", "--population: must be at least 6"),
        (
            "relevant.txt ranked.txt --points -m MCC",
            "--population: is needed by MCC; say how many items exist",
        ),
        (
            "relevant.txt ranked.txt --points --interval",
            "--points: prints the operating points instead of measures",
        ),
        ("relevant.txt ranked.txt --seed 1", "--seed: applies to --interval; also give --interval"),
        (
            "relevant.txt ranked.txt --level .9",
            "--level: applies to --interval; also give --interval",
        ),
        ("relevant.txt ranked.txt -m Nothing", "no measure 'Nothing'"),
        ("relevant.txt ranked.txt -o ranked.txt", "--output ranked.txt: is also an input"),
    ],
)
def test_what_the_command_refuses(
    files: Path, options: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ranking", *options.split()]) == 2
    assert f"precall: error: {said}" in capsys.readouterr().err


def test_standard_input(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"x\na\ny\nb\nc\nz\n")))
    out = printed(capsys, "relevant.txt", "-", "--format", "json")
    assert json.loads(out)["measures"]["AP"] == pytest.approx(8 / 15)
    assert np.isclose(json.loads(out)["measures"]["P@5"], 0.6)


@pytest.mark.parametrize("population", [2**63 - 1, 2**63, 2**64, 10**35])
def test_a_population_beyond_the_integers_of_numpy(population: int) -> None:
    """Accuracy was -1: true positives and negatives were added in 64 bits."""
    made = pc.ranking(["a", "b"], ["a", "c", "b"], population=population)
    points = made.points("Accuracy", "MCC")
    assert points["accuracy"].tolist() == [1, 1, 1] and points["specificity"].tolist() == [1, 1, 1]
    assert points["tn"][0] == pytest.approx(population, rel=1e-12)
    for text in (str(made), str(points), made.to_csv(), made.to_json()):
        assert "-1" not in text
