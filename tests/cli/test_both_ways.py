"""Each example of --help twice: as it is typed, and as the Python call that it corresponds to; the
numbers are equal.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest

import precall as pc
from precall.cases import table as case_tables
from precall.cases.decision_curves import decision_curves
from precall.cli.commands import SUMMARIES, commands
from precall.cli.main import run
from precall.comparison import margin_tables
from precall.hard_decisions import table_io as item_tables
from precall.measures import REGISTRY
from precall.object_detection.files import read_detections
from precall.spans.files import read_spans
from tests.release.schemas import problems

TOPICS = [f"t{i:02}" for i in range(40)]
RUNS = ["bm25", "dense", "new", "old"]


def traffic() -> dict[str, float]:
    """The weights of topics."""
    return {topic: 1 + place % 7 / 4 for place, topic in enumerate(TOPICS)}


def traffic_lines() -> list[str]:
    """The same as lines of CSV."""
    return [f"{topic},{weight}\n" for topic, weight in traffic().items()]


def examples() -> list[str]:
    """The lines of examples in the help of every command."""
    found = []
    for name in SUMMARIES:
        text = commands.get_command(click.Context(commands), name).help or ""
        lines = text.partition("Examples:\n")[2].splitlines()
        found += [line.strip() for line in lines if "precall " in line]
    return found


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the examples name."""
    folder: Path = tmp_path_factory.mktemp("examples")
    rng = np.random.default_rng(1)
    judged = [(t, f"d{i}", int(i < 3)) for t in TOPICS for i in range(12)]
    (folder / "news.qrels").write_text(
        "".join(f"{t} 0 {item} {grade}\n" for t, item, grade in judged)
    )
    (folder / "people.qrels").write_text(
        "".join(f"{t} 0 {item} {grade}\n" for t, item, grade in judged if t not in TOPICS[3:7])
    )
    (folder / "llm.qrels").write_text(
        "".join(
            f"{t} 0 {item} {grade if rng.random() < 0.8 else 1 - grade}\n"
            for t, item, grade in judged
        )
    )
    (folder / "label.csv").write_text(
        "topic,item,probability,grade\n"
        + "".join(
            f"{t},{item},{0.5 + 0.05 * (i % 3)},{grade}\n"
            for i, t in enumerate(TOPICS[:3] + TOPICS[7:])
            for _, item, grade in judged[:12]
        )
    )
    (folder / "web.qrels").write_text(
        "".join(
            f"{t} {subtopic} {item} {int(rng.random() < 0.4)}\n"
            for t, item, _ in judged
            for subtopic in (1, 2, 3)
        )
    )
    languages = "".join(f"{t},{'en' if i % 2 else 'de'}\n" for i, t in enumerate(TOPICS))
    (folder / "topics.csv").write_text("topic,language\n" + languages)
    (folder / "q.csv").write_text(
        "qid,docid,grade\n" + "".join(f"{t},{d},{g}\n" for t, d, g in judged)
    )
    for name, shift in zip(RUNS, (0.6, 1.1, 0.9, 0.8), strict=True):
        scored = [(t, item, rng.normal() + shift * grade) for t, item, grade in judged]
        text = "".join(f"{t} Q0 {item} 1 {score:.6f} {name}\n" for t, item, score in scored)
        (folder / f"{name}.run").write_text(text)
    for name, of_name in (
        ("rag", rng),
        ("old", np.random.default_rng(2)),
        ("new", np.random.default_rng(3)),
    ):
        rows = [
            {"query": t, "retrieved": of_name.permutation(9).tolist(), "gold": [1, 2, 10]}
            for t in TOPICS
        ]
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "bm25.run.gz").write_bytes(gzip.compress((folder / "bm25.run").read_bytes()))
    _parquet(folder / "run.parquet", scored)
    truth = rng.random(60) < 0.4
    s, t = rng.normal(size=(2, 60)) + truth
    cases = [
        f"{int(y)},{'yes' if y else 'no'},{a:.3f},{b:.3f},f{i % 3},p{i // 4},"
        f"{1 / (1 + np.exp(-a)):.3f},h{i % 2}"
        for i, (y, a, b) in enumerate(zip(truth, s, t, strict=True))
    ]
    (folder / "cases.csv").write_text(
        "y,kind,s,t,fold,patient,risk,hospital\n" + "\n".join(cases) + "\n"
    )
    (folder / "cases.csv.gz").write_bytes(gzip.compress((folder / "cases.csv").read_bytes()))
    _categories(folder, rng)
    (folder / "relevant.txt").write_text("".join(f"d{i}\n" for i in range(0, 40, 3)))
    (folder / "ranked.txt").write_text("".join(f"d{i}\n" for i in rng.permutation(30).tolist()))
    (folder / "ranked.txt.gz").write_bytes(gzip.compress((folder / "ranked.txt").read_bytes()))
    return folder


def _parquet(path: Path, scored: list[tuple[str, str, float]]) -> None:
    import polars

    topics, items, scores = zip(*scored, strict=True)
    polars.DataFrame({"qid": topics, "docid": items, "score": scores}).write_parquet(path)


def _categories(folder: Path, rng: np.random.Generator) -> None:
    names, low = ["eggs", "ham", "spam"], ["low", "mid", "high"]
    truth, said = rng.integers(3, size=(2, 40))
    said = np.where(rng.random(40) < 0.6, truth, said)
    items = [f"{names[a]},{names[b]}" for a, b in zip(truth, said, strict=True)]
    (folder / "items.csv").write_text("t,p\n" + "\n".join(items) + "\n")
    tags = [
        f"{';'.join(names[i] for i in {a, b})},{names[b]}" for a, b in zip(truth, said, strict=True)
    ]
    rated = [f"{low[a]},{low[b]}" for a, b in zip(truth, said, strict=True)]
    (folder / "rated.csv").write_text("t,p\n" + "\n".join(rated) + "\n")
    languages = (f"{topic}\t{'en' if topic < 't20' else 'de'}\n" for topic in TOPICS)
    (folder / "languages.tsv").write_text("".join(languages))
    (folder / "traffic.csv").write_text("topic,weight\n" + "".join(traffic_lines()))
    (folder / "systems.tsv").write_text("bm25\told\nold\told\ndense\tlearned\n")
    found = [
        f"i{row // 4},{'car' if row % 3 else 'bus'},{row * 37 % 101},{row % 2},{int(row % 4 == 3)}"
        for row in range(80)
    ]
    (folder / "found.csv").write_text("i,c,s,m50,m75\n" + "\n".join(found) + "\n")
    gold = [f"i{row // 3},{'car' if row % 3 else 'bus'}" for row in range(60)]
    gold += [",".join(row.split(",")[:2]) for row in found if row.split(",")[3] == "1"]
    for name, turned in (("new", found), ("old", [*found[::2], *found[1::4]])):
        (folder / f"{name}.csv").write_text("i,c,s,m50,m75\n" + "\n".join(turned) + "\n")
    (folder / "gold.csv").write_text("i,c\n" + "\n".join(gold) + "\n")
    (folder / "people.txt").write_text("a 3\nb 2\nc 1\n")
    (folder / "judge.txt").write_text("b\na\nc\n")
    order = {"a": (3, 2), "b": (2, 3), "c": (1, 1)}
    report = {
        "format": "precall.report/2",
        "measures": [{"name": name, "asked": [name], "best": "high"} for name in ("AP", "nDCG")],
        "runs": [
            {"name": name, "mean": dict(zip(("AP", "nDCG"), means, strict=True))}
            for name, means in order.items()
        ],
    }
    (folder / "report.json").write_text(json.dumps(report))
    (folder / "tagged.conll").write_text("a B-X B-X\nb I-X I-X\nc O B-Y\n\nd B-Y B-Y\n" * 5)
    (folder / "tagged.jsonl").write_text(
        '{"tags": ["B-X", "O"], "predicted": ["B-X", "B-X"]}\n' * 5
    )
    (folder / "tags.csv").write_text("t,p\n" + "\n".join(tags) + "\n")
    yes, wrong = truth == 1, rng.random((2, 40)) < [[0.15], [0.35]]
    rows = zip(yes.astype(int), *(yes ^ part for part in wrong), strict=True)
    (folder / "said.csv").write_text(
        "t,p,q\n" + "".join(f"{a:d},{b:d},{c:d}\n" for a, b, c in rows)
    )
    (folder / "judged.csv").write_text("y,llm,p,q,user,s\n" + "".join(_judged_rows()))
    scores = rng.normal(size=(40, 3)) + np.eye(3)[truth]
    rows = [
        f"{names[a]},{','.join(f'{x:.3f}' for x in row)}"
        for a, row in zip(truth, scores, strict=True)
    ]
    (folder / "scored.csv").write_text(
        "t," + ",".join(f"p{name}" for name in names) + "\n" + "\n".join(rows) + "\n"
    )
    (folder / "test.csv").write_text(
        "t," + ",".join(f"p{name}" for name in names) + "\n" + "\n".join(rows[::3]) + "\n"
    )
    (folder / "claims.csv").write_text("t,p,amount\n" + "1,1,2.5\n0,1,1\n1,0,.5\n0,0,9\n" * 9)
    (folder / "tox21.csv").write_text("y_a,y_b,p_a,p_b\n1,,0.9,0.1\n0,1,0.6,0.4\n,0,0.2,0.8\n")
    item_tables.read_status(str(folder / "scored.csv"), "t", "p*").thresholds("scut").save(
        folder / "t.json"
    )


def _judged_rows() -> list[str]:
    """People's label of every third case, the judge's, two decisions and the user."""
    rng = np.random.default_rng(9)
    truth = rng.random(150) < 0.4
    llm, p, q = (truth ^ (rng.random(150) < wrong) for wrong in (0.1, 0.2, 0.25))
    s = rng.normal(0, 1, 150) + truth
    return [
        f"{'' if i % 3 else int(truth[i])},{llm[i]:d},{p[i]:d},{q[i]:d},u{i // 5},{s[i]:.3f}\n"
        for i in range(150)
    ]


def bounded(score: str) -> Any:
    """What Python gives for bounds over labels."""
    rows = list(csv.DictReader(Path("cases.csv").read_text(encoding="utf-8").splitlines()))
    return pc.extremes.cases(
        [float(row["y"]) for row in rows], [float(row[score]) for row in rows]
    ).sheet()


def decided_by_judge(*systems: str, measures: Any = None, groups: bool = False) -> Any:
    rows = [line.strip().split(",") for line in _judged_rows()]
    people, llm, p, q, users, _ = zip(*rows, strict=True)
    columns = {"p": [int(x) for x in p], "q": [int(x) for x in q]}
    found = pc.judge.decisions(
        [int(label) if label else None for label in people],
        [int(x) for x in llm],
        {name: columns[name] for name in systems},
        measures,
        **({"groups": users} if groups else {}),
    )
    from precall.judges.labelled_cases import with_source

    return with_source(found, "judged.csv", {"people": "y", "judge": "llm"}).sheet()


def scored_by_judge(measure: str, **planned: float) -> Any:
    from precall.judges.labelled_cases import with_source

    people, llm, _, _, _, s = zip(*(row.strip().split(",") for row in _judged_rows()), strict=True)
    found = pc.judge.cases(
        [int(label) if label else None for label in people],
        [int(x) for x in llm],
        {"s": [float(x) for x in s]},
        measure,
    )
    if planned:
        return found.plan(**planned).sheet()
    return with_source(found, "judged.csv", {"people": "y", "judge": "llm"}).sheet()


def evaluated(*runs: str, per_topic: bool = False, **keywords: Any) -> Any:
    return pc.evaluate("news.qrels", list(runs), **keywords).sheet(per_topic=per_topic)


def judged(runs: list[str], *measures: str, **keywords: Any) -> Any:
    return pc.judge("people.qrels", "llm.qrels", runs, list(measures), **keywords).sheet()


def compared(runs: list[str], **keywords: Any) -> Any:
    return pc.compare("news.qrels", runs, ["AP"], **keywords).sheet()


def compared_lists(*paths: str) -> Any:
    gold, runs = pc.read_lists(paths[0])[0], [pc.read_lists(path)[1] for path in paths]
    return pc.compare(gold, runs, ["Recall@5", "MRR"]).sheet()


def crossed(policy, **columns):
    table = case_tables.read_cases("cases.csv", "y", ["s"], **columns)
    curve = pc.curve(table.relevant, table.scores["s"])
    return curve.cross_validate(policy, groups=table.clusters).sheet()


def gated(margin: float | None, runs: list[str] | None = None) -> Any:
    from precall.stats.tests.comparison_sheet import compare_sheet

    report = pc.evaluate("news.qrels", runs or ["old.run", "new.run"], *([] if runs else [["AP"]]))
    pairs = pc.compare(report, baseline="old")
    return compare_sheet(
        pairs, None, pc.compare.gates(report, {"any": margin}, comparisons=pairs).gates
    )


def measured(scores: list[str], label: str = "y", path: str = "cases.csv", **keywords: Any) -> Any:
    reading = {
        name: keywords.pop(name)
        for name in ("positive", "group", "groups", "format")
        if name in keywords
    }
    return case_tables.measure_cases(
        case_tables.read_cases(path, label, scores, **reading), **keywords
    ).sheet()


def points(*measures: str) -> Any:
    table = case_tables.read_cases("cases.csv", "y", ["s"])
    return case_tables.measure_cases(table, measures=counts(*measures)).points().sheet()


def ranked(*measures: str, **keywords: Any) -> Any:
    asked = {"measures": measures} if measures else {}
    return pc.ranking("relevant.txt", "ranked.txt", **asked, **keywords)


def at_prevalence(prevalence: float) -> Any:
    decisions = item_tables.read_decisions("items.csv", "t", "p", positive="spam")
    intervals = dict(pc.interval(decisions))
    for name in ("P", "NPV"):
        intervals[f"{name} at prevalence {prevalence:g}"] = pc.interval(
            decisions, name, prevalence=prevalence
        )
    notes = [note for each in intervals.values() for note in each.notes]
    of_all = pc.intervals.Intervals(intervals, notes=notes, over="category")
    return decisions.sheet(conventions={}, intervals=of_all, prevalence=prevalence)


def jointly() -> Any:
    decisions = item_tables.read_decisions("items.csv", "t", "p", positive="spam")
    usual, region = pc.interval(decisions), pc.interval(decisions, ["R", "Specificity"], joint=True)
    of_all = dict(usual) | {f"{name} jointly": each for name, each in region.items()}
    notes = (*usual.notes, *region.notes)
    intervals = pc.intervals.Intervals(of_all, notes=notes, over="category")
    return decisions.sheet(conventions={}, intervals=intervals)


def decided(path: str, *measures: str, baselines: bool = False, **reading: Any) -> Any:
    decisions = item_tables.read_decisions(path, "t", "p", **reading)
    return decisions.sheet(conventions={}, measures=measures, baselines=baselines)


def tagged() -> Any:
    found = read_spans("tagged.conll", "-2", "-1")
    return found.sheet(conventions={}, intervals=pc.interval(found))


def found_objects(*columns: str, interval: bool = False, recall: str = "exact", **how: Any) -> Any:
    given = {"image": "i", "objects": "gold.csv"} if "missed" not in how else {}
    found = read_detections("found.csv", "s", columns, category="c", **given, **how)
    intervals = pc.interval(found) if interval else None
    return found.sheet(conventions={}, intervals=intervals, recall=recall)


def two_detectors() -> Any:
    given = {"category": "c", "image": "i", "objects": "gold.csv"}
    both = [read_detections(f"{name}.csv", "s", ["m50"], **given) for name in ("new", "old")]
    return pc.compare.detections(*both, names=("new", "old")).sheet()


def of_claims() -> Any:
    from precall.core.notes import collect_notes

    made = item_tables.read_decisions("claims.csv", "t", "p", weight="amount")
    with collect_notes():
        return made.sheet(intervals=pc.interval(made))


def status(path: str = "scored.csv") -> pc.Status:
    return item_tables.read_status(path, "t", "p*")


def intervals(level: float) -> Any:
    from precall.core.notes import collect_notes

    with collect_notes():
        return pc.interval(status(), level=level)


def counts(*names: str) -> tuple[Any, ...]:
    from precall.measures import of_counts

    return tuple(map(of_counts, names))


RECALL = {"recall=0.9": {"recall": 0.9}}
ALL = [f"{name}.run" for name in RUNS]
DIVERSE = ["alpha-nDCG@20", "ERR-IA@20"]
#: By the example, the same in Python.
PYTHON: dict[str, Callable[[], Any]] = {
    "precall eval news.qrels bm25.run dense.run -m AP -m nDCG@10": lambda: evaluated(
        "bm25.run", "dense.run", measures=["AP", "nDCG@10"]
    ),
    "precall eval news.qrels bm25.run -m map -m P_10 -q --format trec": lambda: evaluated(
        "bm25.run", measures=["map", "P_10"], per_topic=True
    ),
    "precall eval news.qrels bm25.run --topics qrels --format json -o bm25.json": lambda: evaluated(
        "bm25.run", topics="qrels"
    ),
    "precall eval news.qrels bm25.run --interval --level 0.9": lambda: evaluated(
        "bm25.run", interval=True, level=0.9
    ),
    "precall eval news.qrels bm25.run --unjudged bounds": lambda: evaluated(
        "bm25.run", unjudged="bounds"
    ),
    "precall eval news.qrels bm25.run --by languages.tsv": lambda: evaluated(
        "bm25.run", by={topic: "en" if topic < "t20" else "de" for topic in TOPICS}
    ),
    "precall eval news.qrels bm25.run --topic-weights traffic.csv": lambda: evaluated(
        "bm25.run", topic_weights=traffic()
    ),
    "precall eval web.qrels bm25.run dense.run -m alpha-nDCG@20 -m ERR-IA@20 --interval": lambda: (
        pc.evaluate("web.qrels", ["bm25.run", "dense.run"], DIVERSE, interval=True).sheet()
    ),
    "precall compare web.qrels bm25.run dense.run -m alpha-nDCG@20 -m ERR-IA@20": lambda: (
        pc.compare("web.qrels", ["bm25.run", "dense.run"], DIVERSE).sheet()
    ),
    "precall eval q.csv run.parquet --columns topic=qid,item=docid": lambda: pc.evaluate(
        "q.csv", "run.parquet", columns={"topic": "qid", "item": "docid"}
    ).sheet(),
    "zcat bm25.run.gz | precall eval news.qrels -": lambda: evaluated("bm25.run.gz"),
    "precall eval --lists rag.jsonl -m Recall@5 -m MRR -m HitRate@3 --interval": lambda: (
        pc.evaluate(
            *pc.read_lists("rag.jsonl"), ["Recall@5", "MRR", "HitRate@3"], interval=True
        ).sheet()
    ),
    "precall compare news.qrels bm25.run dense.run -m AP -m nDCG@10": lambda: pc.compare(
        "news.qrels", ["bm25.run", "dense.run"], ["AP", "nDCG@10"]
    ).sheet(),
    "precall compare news.qrels *.run -m AP --baseline bm25 --correction bh": lambda: compared(
        ALL, baseline="bm25", correction="bh"
    ),
    "precall compare news.qrels *.run -m AP --correction tukey --seed 1 --plot tukey.svg": lambda: (
        compared(ALL, correction="tukey", rng=1)
    ),
    (
        "precall compare news.qrels *.run -m AP -m P@10 --baseline bm25 --format latex -o table.tex"
    ): lambda: pc.compare("news.qrels", ALL, ["AP", "P@10"], baseline="bm25").sheet(),
    "precall compare news.qrels old.run new.run -m AP --fail-if-worse AP": lambda: gated(None),
    "precall compare news.qrels old.run new.run -m AP --fail-if-worse AP:0.01": lambda: gated(0.01),
    "precall compare news.qrels bm25.run dense.run -m AP --by languages.tsv": lambda: compared(
        ["bm25.run", "dense.run"],
        by={topic: "en" if topic < "t20" else "de" for topic in TOPICS},
    ),
    "precall compare news.qrels bm25.run dense.run -m AP --topic-weights traffic.csv": lambda: (
        compared(["bm25.run", "dense.run"], topic_weights="traffic.csv")
    ),
    "precall compare news.qrels *.run -m AP --systems systems.tsv": lambda: pc.compare.seeds(
        pc.evaluate("news.qrels", ALL, ["AP"]), {"old": ["bm25", "old"], "learned": ["dense"]}
    ).sheet(),
    "precall compare --lists old.jsonl --lists new.jsonl -m Recall@5 -m MRR": lambda: (
        compared_lists("old.jsonl", "new.jsonl")
    ),
    "precall compare cases.csv --label y --score s --score t --curves pr --plot difference.svg": (
        lambda: item_tables.compare_curves("cases.csv", "y", "s", "t").sheet()
    ),
    "precall curve cases.csv --label y --score s": lambda: measured(["s"]),
    "precall curve cases.csv --label y --score s --interval --level 0.9": lambda: measured(
        ["s"], interval="logit", level=0.9
    ),
    (
        "precall curve cases.csv --label y --score s --score t --at recall=0.9 --at cost=fp:1,fn:20"
    ): lambda: measured(["s", "t"], at=RECALL | {"cost=fp:1,fn:20": {"cost": {"fp": 1, "fn": 20}}}),
    "precall curve cases.csv --label y --score s -m MCC -m 'F(beta=2)' --at max=MCC": lambda: (
        measured(["s"], measures=counts("MCC", "F(beta=2)"), at={"max=MCC": {"max": "MCC"}})
    ),
    "precall curve cases.csv --label y --score s -m P@10 -m 'AreaPR(method=trapezoid)'": lambda: (
        measured(["s"], measures=[pc.measure("P@10"), pc.measure("AreaPR(method=trapezoid)")])
    ),
    "precall curve cases.csv --label y --score s --points": lambda: points(),
    (
        "precall curve cases.csv --label y --score s --points -m MCC --format csv -o points.csv"
    ): lambda: points("MCC"),
    (
        "precall curve cases.csv --label y --score s --at max=F1,precision=0.9 "
        "--at cost=fp:1,fn:20,accept=100"
    ): lambda: measured(
        ["s"],
        at={
            "max=F1,precision=0.9": {"max": "F1", "precision": 0.9},
            "cost=fp:1,fn:20,accept=100": {"cost": {"fp": 1, "fn": 20}, "accept": 100},
        },
    ),
    (
        "precall curve cases.csv --label y --score risk --net-benefit 0.05,0.1,0.2 --format csv"
    ): lambda: decision_curves(
        case_tables.read_cases("cases.csv", "y", ["risk"]), grid=[0.05, 0.1, 0.2]
    ).sheet(),
    "precall curve cases.csv --label y --score risk --net-benefit --plot benefit.svg": lambda: (
        decision_curves(case_tables.read_cases("cases.csv", "y", ["risk"])).sheet()
    ),
    "precall curve cases.csv --label y --score s --cross-validate 5": lambda: crossed("max-f"),
    (
        "precall curve cases.csv --label y --score s --cross-validate 5 --policy max:MCC "
        "--groups patient"
    ): lambda: crossed("max:MCC", groups="patient"),
    "precall curve cases.csv --label y --score s --groups patient --interval": lambda: measured(
        ["s"], groups="patient", interval="logit"
    ),
    "precall curve cases.csv --label y --compare s t --seed 1": lambda: measured(
        ["s", "t"], compare=[("s", "t")], rng=1
    ),
    (
        "precall curve cases.csv --label kind --positive yes --score s --group fold --format json "
        "-o s.json"
    ): lambda: measured(["s"], "kind", positive="yes", group="fold"),
    (
        "precall curve cases.csv --label y --score s --score t --at recall=0.9 --plot curves.svg"
    ): lambda: measured(["s", "t"], at=RECALL),
    "zcat cases.csv.gz | precall curve - --input-format csv --label y --score s": lambda: measured(
        ["s"], path="cases.csv.gz"
    ),
    "precall curve cases.csv --label y --score s --memory 512M": lambda: measured(["s"]),
    "precall curve cases.csv --label y --score s --unjudged bounds": lambda: bounded("s"),
    (
        "precall curve cases.csv --label y --score s --at fpr=0.01 --at specificity=0.99 --at "
        "max=YoudenJ"
    ): lambda: measured(
        ["s"],
        at={
            "fpr=0.01": {"fpr": 0.01},
            "specificity=0.99": {"specificity": 0.99},
            "max=YoudenJ": {"max": "YoudenJ"},
        },
    ),
    (
        "precall decisions items.csv --truth t --decision p --confusion --plot confusion.svg "
        "--normalize truth"
    ): lambda: (
        item_tables.read_decisions("items.csv", "t", "p").confusion().sheet(normalize="truth")
    ),
    "precall decisions tagged.conll --spans --truth -2 --decision -1 --interval": tagged,
    "precall decisions tagged.jsonl --spans --truth tags --decision predicted": lambda: (
        pc.decisions.spans([["B-X", "O"]] * 5, [["B-X", "B-X"]] * 5).sheet(conventions={})
    ),
    (
        "precall detections found.csv --score s --matched m50 --class c --image i "
        "--objects gold.csv"
    ): lambda: found_objects("m50"),
    (
        "precall detections found.csv --score s --matched m50 --class c --missed car=3 "
        "--missed bus=0"
    ): lambda: found_objects("m50", missed={"car": 3, "bus": 0}),
    (
        "precall detections found.csv --score s --matched m50 --matched m75 --class c --image i "
        "--objects gold.csv --interval"
    ): lambda: found_objects("m50", "m75", interval=True),
    (
        "precall detections found.csv --score s --matched m50 --class c --image i "
        "--objects gold.csv --ties input --recall pycocotools"
    ): lambda: found_objects("m50", ties="input", recall="pycocotools"),
    (
        "precall detections new.csv --against old.csv --score s --matched m50 --class c --image i "
        "--objects gold.csv"
    ): two_detectors,
    "precall decisions items.csv --truth t --decision p": lambda: decided("items.csv"),
    "precall decisions items.csv --truth t --decision p -m MCC -m kappa --baselines": lambda: (
        decided("items.csv", "MCC", "kappa", baselines=True)
    ),
    (
        "precall decisions rated.csv --truth t --decision p -m 'kappa(weights=linear)' "
        "--categories low,mid,high"
    ): lambda: decided("rated.csv", "kappa(weights=linear)", categories=["low", "mid", "high"]),
    (
        "precall decisions tags.csv --truth t --decision p --separator ';' --format markdown"
    ): lambda: decided("tags.csv", separator=";"),
    "precall decisions items.csv --truth t --decision p --positive spam": lambda: decided(
        "items.csv", positive="spam"
    ),
    (
        "precall decisions items.csv --truth t --decision p --positive spam --prevalence 0.02 "
        "--interval"
    ): lambda: at_prevalence(0.02),
    (
        "precall decisions items.csv --truth t --decision p --positive spam --interval --joint"
    ): lambda: jointly(),
    "precall categories scored.csv --truth t --scores 'p*'": lambda: status().sheet(),
    "precall categories scored.csv --truth t --scores 'p*' --policy max-f --format json": lambda: (
        status().sheet(policy="max-f")
    ),
    "precall decisions claims.csv --truth t --decision p --weight amount --interval": lambda: (
        of_claims()
    ),
    "precall categories tox21.csv --truth 'y_*' --scores 'p_*' --missing skip": lambda: (
        item_tables.read_status("tox21.csv", "y_*", "p_*", missing="skip").sheet()
    ),
    (
        "precall categories scored.csv --truth t --scores 'p*' --policy rcut --tune macro-F1 "
        "--baselines"
    ): lambda: status().sheet(policy="rcut", tune="macro-F1", baselines=True),
    (
        "precall categories test.csv --truth t --scores 'p*' --policy scut --fit-on scored.csv"
    ): lambda: status("test.csv").sheet(policy="scut", fit_on=status()),
    (
        "precall categories scored.csv --truth t --scores 'p*' --policy scut --save-thresholds "
        "t.json"
    ): lambda: status().sheet(policy=status().thresholds("scut")),
    "precall categories test.csv --truth t --scores 'p*' --thresholds t.json": lambda: status(
        "test.csv"
    ).sheet(policy=pc.read_thresholds("t.json")),
    (
        "precall compare news.qrels *.run --baseline old --fail-if-worse any --junit gates.xml "
        "--github-summary"
    ): lambda: gated(None, sorted(map(str, Path().glob("*.run")))),
    "precall compare said.csv --truth t --decision p --decision q": lambda: (
        item_tables.compare_decisions("said.csv", "t", "p", "q").sheet()
    ),
    (
        "precall compare said.csv --truth t --decision p --decision q -m F --test t --interval"
    ): lambda: item_tables.compare_decisions(
        "said.csv", "t", "p", "q", ["F"], test="t", interval="percentile"
    ).sheet(),
    (
        "precall compare cases.csv --label y --score s --score t --groups patient -m "
        "'AUC(max_fpr=0.2)'"
    ): lambda: item_tables.compare_cases(
        "cases.csv", "y", "s", "t", ["AUC(max_fpr=0.2)"], groups="patient"
    ).sheet(),
    "precall compare cases.csv --label y --score s --score t -m AUC": lambda: (
        item_tables.compare_cases("cases.csv", "y", "s", "t", ["AUC"]).sheet()
    ),
    "precall compare cases.csv --label y --score s --cohorts hospital -m AUC": lambda: (
        item_tables.compare_cohorts("cases.csv", "y", "s", "hospital", ["AUC"]).sheet()
    ),
    "precall compare cases.csv --label y --score s --score t --margin 0.05": lambda: (
        margin_tables.scores_within(
            "cases.csv", "y", ("s", "t"), margin=0.05, kind="not worse"
        ).sheet()
    ),
    "precall categories scored.csv --truth t --scores 'p*' --interval --level 0.99": lambda: (
        status().sheet(intervals=intervals(0.99))
    ),
    "precall null --items 2000 --relevant 500 --ap 0.27": lambda: pc.null.describe(
        2000, 500, ap="0.27"
    ).sheet(),
    "precall null --items 1000 --relevant 100 --precision 0.3 --recall --at 10": lambda: (
        pc.null.describe(1000, 100, precision="0.3", recall=True, at=10).sheet()
    ),
    "precall null --items 200 --relevant 20 --rprec --auc 0.62 --ndcg --level 0.99": lambda: (
        pc.null.describe(200, 20, rprec=True, auc="0.62", ndcg=True, level=0.99).sheet()
    ),
    "precall null --items 1000 --relevant 5,12,40 --ap 0.05": lambda: pc.null.Outcome.of(
        0.045, pc.null.mean_average_precision(1000, [5, 12, 40])
    ).sheet(),
    ("precall null --items 5000 --relevant 50 --ef 4 --share 0.02 --bedroc --maxf 0.1"): lambda: (
        pc.null.describe(5000, 50, ef="4", share=0.02, bedroc=True, maxf="0.1").sheet()
    ),
    "precall null --items 2000 --relevant 500 --ap 0.28 --limit": lambda: pc.null.describe(
        2000, 500, ap="0.28", limit=True
    ).sheet(),
    "precall null --items 1000 --relevant 100 --simulate 10000 --format json": lambda: (
        pc.null.describe(1000, 100, simulate=10000).sheet()
    ),
    "precall null --sequential --items 1000 --relevant 20 --budget 100": lambda: pc.null.sequential(
        1000, 20, 100
    ).sheet(),
    "precall null --sequential --items 1000 --relevant 20 --budget 100 --hits 2,9,17": lambda: (
        pc.null.sequential(1000, 20, 100).read([2, 9, 17]).sheet()
    ),
    "precall null --simulate 10000": lambda: pc.null.describe(simulate=10000).sheet(),
    "precall null --items 1000 --relevant 100 --plot null.svg": lambda: pc.null.describe(
        1000, 100
    ).sheet(),
    "precall judge people.qrels llm.qrels bm25.run dense.run -m P@10": lambda: judged(
        ["bm25.run", "dense.run"], "P@10"
    ),
    "precall judge people.qrels llm.qrels dense.run -m AP -m nDCG@10 --of these": lambda: judged(
        ["dense.run"], "AP", "nDCG@10", of="these"
    ),
    "precall judge people.qrels llm.qrels *.run -m AP --units topics.csv --strata language": (
        lambda: judged(
            [f"{name}.run" for name in sorted(RUNS)],
            "AP",
            strata={topic: "en" if i % 2 else "de" for i, topic in enumerate(TOPICS)},
        )
    ),
    "precall judge llm.qrels *.run -m P@10 --next 30 -o label.csv": lambda: pc.judge.sample(
        "llm.qrels", [f"{name}.run" for name in sorted(RUNS)], "P@10", n=30
    ).sheet(),
    "precall judge label.csv llm.qrels *.run -m P@10": lambda: pc.judge(
        "label.csv", "llm.qrels", [f"{name}.run" for name in sorted(RUNS)], "P@10"
    ).sheet(),
    "precall judge label.csv llm.qrels *.run -m P@10 --width 0.1": lambda: pc.judge.plan(
        pc.judge("label.csv", "llm.qrels", [f"{name}.run" for name in sorted(RUNS)], "P@10"),
        width=0.1,
    ).sheet(),
    "precall judge people.qrels llm.qrels dense.run -m P@10 --items": lambda: pc.judge.items(
        "people.qrels", "llm.qrels", "dense.run", "P@10"
    ).sheet(),
    "precall judge judged.csv --people y --judge llm --decision p -m F -m MCC": lambda: (
        decided_by_judge("p", measures=["F", "MCC"])
    ),
    "precall judge judged.csv --people y --score s -m AP": lambda: scored_by_judge("AP"),
    "precall judge judged.csv --people y --score s -m AUC --width 0.05": lambda: scored_by_judge(
        "AUC", width=0.05
    ),
    "precall judge judged.csv --people y --decision p --decision q --groups user": (
        lambda: decided_by_judge("p", "q", groups=True)
    ),
    "precall categories scored.csv --truth t --scores 'p*' --policy scut --cross-validate 5": (
        lambda: item_tables.read_status("scored.csv", "t", "p*").cross_validate("scut").sheet()
    ),
    "precall overlap --orders people.txt judge.txt": lambda: pc.compare.orders(
        {"a": 3, "b": 2, "c": 1}, ["b", "a", "c"]
    ).sheet(),
    "precall overlap --orders report.json report.json -m AP -m nDCG": lambda: pc.compare.orders(
        {"a": 3, "b": 2, "c": 1}, {"a": 2, "b": 3, "c": 1}
    ).sheet(),
    "precall overlap bm25.run dense.run": lambda: pc.compare.rbo("bm25.run", "dense.run").sheet(),
    "precall overlap bm25.run dense.run -p 0.98 -q": lambda: pc.compare.rbo(
        "bm25.run", "dense.run", 0.98
    ).sheet(per_topic=True),
    "precall overlap bm25.run dense.run --depth 10 --format json": lambda: pc.compare.rbo(
        "bm25.run", "dense.run", depth=10
    ).sheet(),
    "precall posterior 80 20 30 870": lambda: pc.compare.bayes.counts(80, 20, 30, 870).sheet(),
    "precall posterior 80 20 30 -m F -m Jaccard --prior 1": lambda: pc.compare.bayes.counts(
        80, 20, 30, measures=["F", "Jaccard"], prior=1
    ).sheet(),
    "precall posterior --wins 30 --ties 50 --losses 20 --rope 0.02": lambda: pc.compare.bayes.wins(
        30, 50, 20, rope=0.02
    ).sheet(),
    "precall posterior --wins 30 --losses 20 --prior 0,1,0": lambda: pc.compare.bayes.wins(
        30, 0, 20, prior=(0, 1, 0)
    ).sheet(),
    "precall power --difference 0.02 --deviation 0.1": lambda: pc.compare.plan(
        difference=0.02, deviation=0.1
    ).sheet(),
    "precall power --topics 50 --deviation 0.1": lambda: pc.compare.plan(
        topics=50, deviation=0.1
    ).sheet(),
    "precall power news.qrels bm25.run dense.run -m AP --difference 0.02 --seed 1": lambda: (
        pc.compare.plan(
            "news.qrels", ["bm25.run", "dense.run"], ["AP"], difference=0.02, rng=1
        ).sheet()
    ),
    "precall power --systems 10 --variance 0.05 --difference 0.1": lambda: pc.compare.plan(
        systems=10, variance=0.05, difference=0.1
    ).sheet(),
    "precall power --only-a 0.15 --only-b 0.05": lambda: pc.compare.plan(
        only_a=0.15, only_b=0.05
    ).sheet(),
    "precall ranking --hits 11010000 --relevant 4": lambda: pc.ranking.of(
        "11010000", relevant=4
    ).sheet(),
    "precall power --only-a 0.05 --only-b 0.05 --margin 0.05 --prevalence 0.2": lambda: (
        pc.compare.plan(only_a=0.05, only_b=0.05, margin=0.05, prevalence=0.2).sheet()
    ),
    "precall power --proportion 0.9 --lowest 0.8 --prevalence 0.1": lambda: pc.compare.plan(
        proportion=0.9, lowest=0.8, prevalence=0.1
    ).sheet(),
    "precall power --area 0.85 --than 0.85 --margin 0.1": lambda: pc.compare.plan(
        area=0.85, than=0.85, margin=0.1
    ).sheet(),
    "precall power --screen R --read 0.05 --prevalence 0.01 --separation 0.5": lambda: (
        pc.compare.plan(screen="R", read=0.05, prevalence=0.01, separation=0.5).sheet()
    ),
    "precall ranking relevant.txt ranked.txt": lambda: ranked().sheet(),
    "precall ranking relevant.txt ranked.txt -m AP -m P@20 --format json": lambda: ranked(
        "AP", "P@20"
    ).sheet(),
    "precall ranking relevant.txt ranked.txt --population 100000 --points 10": lambda: (
        ranked(population=100000).points().sheet()
    ),
    "precall ranking relevant.txt ranked.txt --points -m E --format csv -o points.csv": lambda: (
        ranked().points("E").sheet()
    ),
    "precall ranking relevant.txt ranked.txt --interval --level 0.9": lambda: ranked(
        interval=True, level=0.9
    ).sheet(),
    "precall ranking relevant.txt ranked.txt --plot gain.svg --plot-kind cumulative-gain": lambda: (
        ranked().sheet()
    ),
    "zcat ranked.txt.gz | precall ranking relevant.txt -": lambda: ranked().sheet(),
    "precall about": pc.about,
    "precall about --format json": pc.about,
}


def arguments(example: str) -> list[str]:
    """What is typed, with the form of programs in the place of others, and without files to
    write.
    """
    words = shlex.split(example.rpartition("precall ")[2])
    for option in ("-o", "--plot", "--plot-kind", "--format", "--junit", "--github-summary"):
        if option in words:
            place = words.index(option)
            del words[place : place + 1 + (option != "--github-summary")]
    return [
        *(
            name
            for word in words
            for name in (sorted(map(str, Path().glob(word))) if "*.run" in word else [word])
        ),
        "--format",
        "json",
    ]


def numbers(body: Any) -> Any:
    """What a document says, without its conventions, and without sentences about files."""
    if isinstance(body, dict):
        return {
            key: numbers(value)
            for key, value in body.items()
            if key not in ("conventions", "notes")
        }
    return [numbers(value) for value in body] if isinstance(body, list) else body


@pytest.mark.nightly(keep=12)
@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("example", PYTHON)
def test_example_both_ways(
    example: str, data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from precall.results.forms import render
    from precall.results.sheets import Sheet

    monkeypatch.chdir(data)
    if "|" in example:
        text = gzip.decompress(Path(example.split()[1]).read_bytes())
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert run(arguments(example)) in (0, 1)
    document = json.loads(capsys.readouterr().out)
    assert problems(document) == []
    typed = numbers(document)
    result = PYTHON[example]()
    called = numbers(json.loads(render(result, "json")) if isinstance(result, Sheet) else result)
    assert {"format": typed["format"], **called} == typed
    assert sum(char.isdigit() for char in json.dumps(called)) > 5


def test_explanations_and_lists_both_ways(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("NDCG", "recip_rank"):
        assert run(["explain", name]) == 0
        declared = pc.measure(name).declaration
        text = " ".join(capsys.readouterr().out.split())
        assert declared.summary in text and str(declared.range[1]).removesuffix(".0") in text
    # A word, one that is a measure, one made of another, and names that say how topics or
    # categories are averaged.
    for name in ("AP", "GMAP", "macro-F1", "SCut", "rejection recall", "max F threshold", "cutoff"):
        assert run(["explain", *name.split(), "--format", "json"]) == 0
        document = json.loads(capsys.readouterr().out)
        assert problems(document) == [] and document["name"] == name
        assert document["format"] == "precall.explain/1" and (
            document["meanings"] or document["measure"]
        )
    assert run(["measures", "--format", "json"]) == 0
    listed = {measure["name"] for measure in json.loads(capsys.readouterr().out)["measures"]}
    assert {declared.name for declared in REGISTRY} <= listed


def test_every_example_is_tried() -> None:
    # Pages have a test of their own: tests/page/test_both_ways.py.
    others = ("precall explain", "precall measures", "precall report")
    assert set(PYTHON) == {line for line in examples() if not line.startswith(others)}
