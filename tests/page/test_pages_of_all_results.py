"""`-o page.html` and `save("page.html")`: the page of every command and of every result, whose
numbers can be read back.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.cli.commands import SUMMARIES
from precall.page.record import read_page, read_record

pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
RNG = np.random.default_rng(3)
TRUTH = RNG.random(60) < 0.4
A, B = (np.round(RNG.normal(size=60) + gap * TRUTH, 2) for gap in (1.5, 0.9))
KINDS = np.array(list("xyz"))[RNG.integers(0, 3, 60)]
SAID = np.where(RNG.random(60) < 0.7, KINDS, "x")
SCORES = np.round(RNG.normal(size=(60, 3)) + (KINDS[:, None] == np.array(list("xyz"))), 2)
RUNS = {
    name: {
        f"q{i}": {f"d{k}": float(RNG.normal() + gap * (k < 2)) for k in range(6)} for i in range(8)
    }
    for name, gap in (("one", 2.0), ("two", 0.5))
}
QRELS = {f"q{i}": {"d0": 1, "d1": 1} for i in range(8)}

LLM = {f"q{i}": {f"d{k}": int((i + k) % 3 > 0) for k in range(4)} for i in range(24)}
PEOPLE = {q: {d: int((i + int(d[1])) % 4 > 0) for d in LLM[q]} for i, q in enumerate([*LLM][::2])}
JUDGED = {
    name: {
        q: {d: float((3 * i + k * place) % 7) for place, d in enumerate(of)}
        for i, (q, of) in enumerate(LLM.items())
    }
    for k, name in ((5, "first"), (2, "second"))
}
#: Labels of people and of a judge, and decisions of two systems.
DECIDED = (
    [i % 4 // 2 if i % 3 else None for i in range(60)],
    [i % 4 // 2 if i % 7 else 1 for i in range(60)],
    [i % 5 // 3 for i in range(60)],
    [i % 3 // 2 for i in range(60)],
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = zip(TRUTH, A, B, KINDS, SAID, *SCORES.T, strict=True)
    head = "y,s,t,k,said,px,py,pz"
    body = "".join(f"{int(y)},{','.join(map(str, rest))}\n" for y, *rest in rows)
    Path("x.csv").write_text(f"{head}\n{body}")
    Path("q.qrels").write_text(
        "".join(f"{q} 0 {d} {g}\n" for q, of in QRELS.items() for d, g in of.items())
    )
    for name, run in RUNS.items():
        lines = [f"{q} Q0 {d} 1 {s!r} {name}\n" for q, of in run.items() for d, s in of.items()]
        Path(f"{name}.run").write_text("".join(lines))
    for name, labels in (("people", PEOPLE), ("llm", LLM)):
        rows = [f"{q} 0 {d} {g}\n" for q, of in labels.items() for d, g in of.items()]
        Path(f"{name}.qrels").write_text("".join(rows))
    for name, run in JUDGED.items():
        rows = [f"{q} Q0 {d} 1 {s!r} {name}\n" for q, of in run.items() for d, s in of.items()]
        Path(f"{name}.run").write_text("".join(rows))
    rows = [f"{y},{f},{a},{b}\n" for y, f, a, b in zip(*DECIDED, strict=True)]
    Path("judged.csv").write_text("people,llm,p,q\n" + "".join(rows).replace("None", ""))
    Path("ranked.txt").write_text("".join(f"d{i}\n" for i in range(9)))
    Path("relevant.txt").write_text("d1\nd3\n")
    return tmp_path


COMMANDS = {
    "about": "about",
    "categories": "categories x.csv --truth k --scores p*",
    "compare": "compare q.qrels one.run two.run -m AP",
    "compare cases": "compare x.csv --label y --score s --score t",
    "compare, margin": "compare x.csv --label y --score s --score t --margin 0.2",
    "compare, cohorts": "compare x.csv --label y --score s --cohorts k",
    "compare curves": "compare x.csv --label y --score s --score t --curves roc",
    "compare decisions": "compare x.csv --truth k --decision said --decision k2",
    "curve": "curve x.csv --label y --score s --score t",
    "curve, more": "curve x.csv --label y --score s --at recall=0.9 -m MCC --interval --null",
    "curve, compared": "curve x.csv --label y --compare s t",
    "curve, points": "curve x.csv --label y --score s --points",
    "decisions": "decisions x.csv --truth k --decision said",
    "decisions, more": "decisions x.csv --truth k --decision said -m kappa --baselines",
    "decisions, confusion": "decisions x.csv --truth k --decision said --confusion",
    "detections": "detections x.csv --matched y --score s --missed 0",
    "eval": "eval q.qrels one.run two.run -m AP -q --interval",
    "explain": "explain AP",
    "judge": "judge people.qrels llm.qrels first.run second.run -m P@2 -m AP",
    "judge, next": "judge llm.qrels first.run second.run -m P@2 --next 12",
    "judge, plan": "judge people.qrels llm.qrels first.run second.run -m P@2 --width 0.4",
    "judge, decisions": "judge judged.csv --decision p --decision q",
    "judge, scores": "judge judged.csv --score p --score q",
    "measures": "measures",
    "null": "null --items 100 --relevant 10 --ap 0.3",
    "null, sequential": "null --sequential --items 100 --relevant 10 --budget 20 --hits 1,3",
    "overlap": "overlap one.run two.run -q",
    "posterior, counts": "posterior 8 2 3 10",
    "posterior, wins": "posterior --wins 8 --losses 2 --rope 0.1",
    "power": "power --difference 0.02 --deviation 0.1",
    "power, screen": "power --screen R --prevalence 0.05 --separation 1",
    "ranking": "ranking relevant.txt ranked.txt",
}


def test_every_command_is_tried():
    assert {name.split()[0].strip(",") for name in COMMANDS} == {*SUMMARIES} - {
        "trec_eval",
        "report",
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_write_pages(folder, capsys, name):
    from precall.cli.main import run

    line = COMMANDS[name].split()
    if name == "compare decisions":
        rows = Path("x.csv").read_text().splitlines()
        Path("x.csv").write_text(
            "\n".join(f"{row},{row.split(',')[3]}" + "2" * (i == 0) for i, row in enumerate(rows))
        )
    assert run([*line, "-o", "x.html"]) == 0, capsys.readouterr().err
    page = read_page("x.html")
    assert page.title and page.command == f"precall {COMMANDS[name]} -o x.html".replace(
        "p*", "'p*'"
    )
    files = [word for word in line if Path(word).exists()]
    assert [file.name for file in page.files] == files
    assert run(["report", "--from", "x.html", "--format", "csv"]) == 0
    assert run([*line, "--format", "html"]) == 0
    assert "<!doctype html>" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "of_report"),
    [
        ("eval q.qrels one.run two.run -m AP", "q.qrels one.run two.run -m AP"),
        (
            "compare q.qrels one.run two.run -m AP --fail-if-worse AP --correction bh",
            "q.qrels one.run two.run -m AP --fail-if-worse AP --correction bh",
        ),
        ("curve x.csv --label y --score s --score t", "x.csv --label y --score s --score t"),
        (
            "categories x.csv --truth k --scores p* --policy scut",
            "x.csv --truth k --scores p* --policy scut",
        ),
    ],
)
def test_the_page_is_that_of_report(folder, line, of_report):
    from precall.cli.main import run

    assert run([*line.split(), "-o", "a.html"]) in (0, 1)
    assert run(["report", *of_report.split(), "-o", "b.html"]) in (0, 1)
    own, other = (read_record(name) for name in ("a.html", "b.html"))
    assert own.pop("command") != other.pop("command")
    assert json.dumps(own, default=list) == json.dumps(other, default=list)


RESULTS = {
    "report": lambda: pc.evaluate(QRELS, RUNS, ["AP", "RR"]),
    "one run": lambda: pc.evaluate(QRELS, RUNS["one"], ["AP"]),
    "comparisons": lambda: pc.compare(QRELS, RUNS, ["AP"]),
    "comparison": lambda: pc.compare.cases(TRUTH, A, B),
    "gates": lambda: pc.compare.gates(pc.evaluate(QRELS, RUNS, ["AP"]), "AP"),
    "several runs": lambda: pc.compare.seeds(
        pc.evaluate(QRELS, {**RUNS, "more": RUNS["two"]}, ["AP"]), {"several": ["one", "more"]}
    ),
    "two curves": lambda: pc.compare.curves(pc.curve(TRUTH, A), pc.curve(TRUTH, B)),
    "orders": lambda: pc.compare.orders(["a", "b", "c"], ["b", "a", "c"]),
    "overlap": lambda: pc.compare.rbo(RUNS["one"], RUNS["one"]),
    "verdict": lambda: pc.compare.cases(TRUTH, A, B).verdict,
    "plan": lambda: pc.compare.plan(difference=0.02, deviation=0.1),
    "cross-validation": lambda: pc.categorize(
        TRUTH[:, None].astype(int), A[:, None]
    ).cross_validate("scut"),
    "cross-validation of one list": lambda: pc.curve(TRUTH, A).cross_validate(),
    "bare counts": lambda: pc.compare.bayes.counts(8, 2, 3),
    "wins": lambda: pc.compare.bayes.wins(8, 3, 2),
    "posterior": lambda: pc.compare.bayes.decisions(TRUTH, A > 0, B > 0),
    "curve": lambda: pc.curve(TRUTH, A),
    "point": lambda: pc.curve(TRUTH, A).at(recall=0.5),
    "points": lambda: pc.curve(TRUTH, A).points(),
    "interval": lambda: pc.interval.precision(30, 10),
    "intervals": lambda: pc.interval(pc.curve(TRUTH, A)),
    "band": lambda: pc.interval.pr_band(TRUTH, A),
    "net benefit": lambda: pc.interval.net_benefit_band(TRUTH, 1 / (1 + np.exp(-A))),
    "decisions": lambda: pc.decisions(KINDS, SAID),
    "confusion": lambda: pc.decisions(KINDS, SAID).confusion(),
    "status": lambda: pc.categorize(KINDS, SCORES, list("xyz")),
    "thresholds": lambda: pc.categorize(KINDS, SCORES, list("xyz")).thresholds("scut"),
    "null": lambda: pc.null.average_precision(50, 5),
    "description": lambda: pc.null.describe(50, 5),
    "sequential": lambda: pc.null.sequential(50, 5, 20),
    "sequential, read": lambda: pc.null.sequential(50, 5, 20).read([1, 3]),
    "significance": lambda: pc.null.test(pc.curve(TRUTH, A)),
    "judged": lambda: pc.judge(PEOPLE, LLM, JUDGED, ["P@2", "AP"]),
    "judged pair": lambda: pc.judge(PEOPLE, LLM, JUDGED, "AP").pairs[0],
    "judged value": lambda: pc.judge(PEOPLE, LLM, JUDGED["first"], "AP")["AP"],
    "plan of labels": lambda: pc.judge(PEOPLE, LLM, JUDGED, "P@2").plan(difference=0.1),
    "sample to label": lambda: pc.judge.sample(LLM, JUDGED, "P@2", n=12),
    "judged decisions": lambda: pc.judge.decisions(*DECIDED[:3], ["F", "MCC"]),
    "judged cases": lambda: pc.judge.cases(*DECIDED[:3]),
    "judged cases compared": lambda: pc.judge.compare.cases(*DECIDED, "AP"),
    "judged decisions of two": lambda: pc.judge.decisions(
        *DECIDED[:2], {"p": DECIDED[2], "q": DECIDED[3]}
    ),
    "agreement of judges": lambda: pc.judge.agreement([1, 0, 1], [1, 1, 1]),
    "extremes": lambda: pc.extremes.cases([1, None, 0, 1], [4, 3, 2, 1]),
    "ranking": lambda: pc.ranking(["b", "d"], list("abcdef")),
    "all one class": lambda: pc.curve([1, 1, 1], [3, 2, 1]),
    "nothing relevant": lambda: pc.curve([0, 0, 0], [3, 2, 1]),
}


@pytest.mark.parametrize("name", RESULTS)
def test_results_write_pages(folder, name):
    result = RESULTS[name]()
    result.save("x.html")
    page = read_page("x.html")
    assert page.title and page.sections and not page.title.startswith("<")
    assert '<div class="precall">' not in Path("x.html").read_text(encoding="utf-8")
    # A sheet that was asked for no more has no tables besides.
    result.sheet().save("y.html")
    assert len(read_page("y.html").sections) == 1


def test_what_a_sheet_was_asked_for_is_on_its_page(folder):
    curve = pc.curve(TRUTH, A)
    curve.sheet(at={"recall=0.5": {"recall": 0.5}}).save("x.html")
    first, more = read_page("x.html").sections
    assert first.kind == "curves" and more.kind == "sheet"
    said = [text for table in more.blocks for text in (table.title, *table.heading)]
    assert any("recall=0.5" in text for text in said), said


def test_a_page_of_tables_begins_with_what_the_result_says(folder):
    found = pc.compare.equivalence([0.5] * 5, [0.5] * 5, 0.15)
    found.save("x.html")
    (first,) = read_page("x.html").headline
    assert first.text == f"{repr(found)[1:-1].removeprefix('Equivalence: ')}."


def test_an_interval_that_was_asked_for_stays(folder):
    report = pc.evaluate(QRELS, RUNS, ["AP"], interval="bca", level=0.9)
    report.save("x.html")
    interval = read_record("x.html")["sections"][0]["interval"]
    assert (interval["method"], interval["level"]) == ("bca", 0.9)


def test_long_tables_are_cut_and_say_so(folder):
    size = 1500
    curve = pc.curve(np.arange(size) % 3 == 0, np.arange(size))
    curve.points().sheet(rows=None).save("x.html")
    (table,) = read_page("x.html").sections[0].blocks
    assert len(table.lines) == 1000 and "1,000 of" in table.title
