"""`precall compare --fail-if-worse any --junit FILE --github-summary`: what servers of continuous
integration read.
"""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.cli.compare import gates_of
from precall.stats.tests.gating import Gates
from tests.cli.scored import refused

TOPICS = [f"t{i:02}" for i in range(14)]
#: What a command needs to write.
PAGE = {"compare": (), "report": ("-o", "x.html")}
HOSTILE = "ne<w>&\"'|_"
#: Of junit-10.xsd of Jenkins' xUnit plugin, which pytest is tested against: attributes and children
#: of each element.
ALLOWED: dict[str, tuple[set[str], set[str]]] = {
    "testsuites": ({"name", "time", "tests", "failures", "disabled", "errors"}, {"testsuite"}),
    "testsuite": (
        {
            "name",
            "tests",
            "failures",
            "errors",
            "time",
            "disabled",
            "skipped",
            "timestamp",
            "hostname",
            "id",
            "package",
        },
        {"properties", "testcase", "system-out", "system-err"},
    ),
    "properties": (set(), {"property"}),
    "property": ({"name", "value"}, set()),
    "testcase": (
        {"name", "classname", "time", "status", "assertions"},
        {"skipped", "error", "failure", "system-out", "system-err"},
    ),
    "failure": ({"type", "message"}, set()),
    "system-out": (set(), set()),
}


@pytest.fixture(autouse=True)
def runs(folder, monkeypatch):
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    rng = np.random.default_rng(1)
    lines = "".join(f"{t} 0 d{i} {int(i < 3)}\n" for t in TOPICS for i in range(12))
    Path("c.qrels").write_text(lines, encoding="utf-8")
    for name, shift in (("old", 1.5), (HOSTILE, 0.0), ("alike", 1.6)):
        lines = "".join(
            f"{t} Q0 d{i} 1 {rng.normal() + shift * (i < 3):.6f} x\n"
            for t in TOPICS
            for i in range(12)
        )
        Path(f"{name}.run").write_text(lines, encoding="utf-8")


BASE = (
    "compare",
    "c.qrels",
    "old.run",
    f"{HOSTILE}.run",
    "alike.run",
    "-m",
    "AP",
    "-m",
    "P@5",
    "-m",
    "NumRet",
)


def of_python() -> Gates:
    report = pc.evaluate(
        "c.qrels", ["old.run", f"{HOSTILE}.run", "alike.run"], ["AP", "P@5", "NumRet"]
    )
    return pc.compare.gates(report)


def checked(root: ET.Element) -> ET.Element:
    """An element that the schema knows, with all in it."""
    attributes, children = ALLOWED[root.tag]
    assert set(root.attrib) <= attributes
    for child in root:
        assert child.tag in children
        checked(child)
    return root


def test_junit_has_a_case_for_each_measure_and_run(precall):
    shown = precall(*BASE, "--fail-if-worse", "any", "--junit", "gates.xml", "--format", "json")
    gates = of_python()
    assert shown.code == 1 and not gates.passed
    root = checked(ET.parse("gates.xml").getroot())
    cases = list(root.iter("testcase"))
    assert [(case.get("classname"), case.get("name")) for case in cases] == [
        (gate.measure, gate.name) for gate in gates.gates
    ]
    assert [
        f"{m}: {r} is not worse than old" for m in ("AP", "P@5") for r in (HOSTILE, "alike")
    ] == [case.get("name") for case in cases]
    failures = [str(case[0].get("message")) for case in cases if case[0].tag == "failure"]
    assert failures == [gate.sentence for gate in gates.failed] and all(
        HOSTILE in text for text in failures
    )
    for element in (root, root[0]):
        assert (element.get("tests"), element.get("failures")) == (
            str(len(cases)),
            str(len(failures)),
        )
    told = json.loads(shown.out)["gates"]
    assert [(one["name"], one["value"], one["bound"], one["passed"]) for one in told] == [
        (gate.name, gate.value, gate.bound, gate.passed) for gate in gates.gates
    ]
    first = Path("gates.xml").read_bytes()
    precall(*BASE, "--fail-if-worse", "any", "--junit", "gates.xml")
    assert Path("gates.xml").read_bytes() == first and gates.to_junit().encode() == first


def test_any_is_what_is_not_named(precall):
    shown = precall(
        *BASE, "--fail-if-worse", "AP:0.5", "--fail-if-worse", "any", "--format", "json"
    )
    assert [(one["measure"], one["margin"]) for one in json.loads(shown.out)["gates"]] == [
        ("AP", 0.5),
        ("AP", 0.5),
        ("P@5", None),
        ("P@5", None),
    ]
    shown = precall(
        "compare",
        "c.qrels",
        "old.run",
        "alike.run",
        "--fail-if-worse",
        "any:0.9",
        "--format",
        "json",
    )
    measures = [one["measure"] for one in json.loads(shown.out)["gates"]]
    assert shown.code == 0 and measures == ["AP", "P@10", "RR", "Rprec", "nDCG@10"]
    assert gates_of(("any:0.1", "AP")) == {"any": 0.1, "AP": None}
    refused(
        precall(*BASE, "--fail-if-worse", "AP", "--fail-if-worse", "AP:0.1"),
        "--fail-if-worse AP:0.1: AP was given.*",
    )
    refused(
        precall(
            "compare", "c.qrels", "old.run", "alike.run", "-m", "NumRet", "--fail-if-worse", "any"
        ),
        "--fail-if-worse: any: of NumRet neither high nor low values are good.*",
    )


def test_the_summary_is_appended_whole(precall, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    Path("summary.md").write_text("# Before", encoding="utf-8")
    assert precall(*BASE, "--fail-if-worse", "any", "--github-summary").code == 1
    text = Path("summary.md").read_text(encoding="utf-8")
    assert (
        text.startswith("# Before\n\nFailed: AP of ne\\<w\\>")
        and "| gate | against | passed | failed |" in text
    )
    assert precall("compare", "c.qrels", "old.run", "alike.run", "--github-summary").code == 0
    longer = Path("summary.md").read_text(encoding="utf-8")
    assert (
        longer.startswith(text) and "alike" in longer[len(text) :] and longer.count("| gate |") == 1
    )


def test_refusals_come_before_any_work(precall, monkeypatch):
    some = ("compare", "missing.qrels", "old.run", "alike.run")
    refused(
        precall(*some, "--junit", "g.xml"),
        "--junit: writes the results of gates, and there are none; give gates, such as "
        "--fail-if-worse any",
    )
    gated = (*some, "--fail-if-worse", "any")
    refused(
        precall(*gated, "--junit", "g.txt", "-o", "g.txt"), "--junit g.txt: is also the --output.*"
    )
    refused(precall(*gated, "--junit", "-"), "--junit -: is also the --output.*")
    refused(precall(*gated, "--junit", "old.run"), "--junit old.run: is also an input.*")
    refused(precall(*gated, "--junit", "no/g.xml"), "--junit no/g.xml: there is no directory.*")
    refused(
        precall(*gated, "--github-summary"),
        "--github-summary: GITHUB_STEP_SUMMARY is not set; GitHub Actions sets it.*",
    )
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "no/summary.md")
    refused(
        precall(*gated, "--github-summary"),
        "--github-summary no/summary.md: there is no directory.*",
    )
    decided = ("compare", "--decisions", "d.csv", "--truth", "t", "--a", "p", "--b", "q")
    refused(
        precall(*decided, "--junit", "g.xml"),
        "--junit: applies to runs; this command compares decisions; leave it out",
    )


def test_gates_in_python(folder):
    report = pc.evaluate("c.qrels", ["old.run", f"{HOSTILE}.run", "alike.run"], ["AP", "P@5"])
    gates = pc.compare.gates(report, {"AP": 0.2}, baseline="alike")
    assert [gate.names for gate in gates.gates] == [("old", "alike"), (HOSTILE, "alike")]
    assert [gate.bound for gate in gates.gates] == [-0.2, -0.2] and gates.verdict.startswith(
        "Failed: a loss of 0.2 or more of AP against alike "
    )
    assert pc.compare.gates(report, "P@5").gates == tuple(
        gate for gate in of_python().gates if gate.measure == "P@5"
    )
    with pytest.raises(pc.UsageError, match="baseline: got 'x', the runs are old, ne"):
        pc.compare.gates(report, baseline="x")
    with pytest.raises(pc.UsageError, match="worse: RR is not in the report; it has AP, P@5"):
        pc.compare.gates(report, ["RR"])


def test_the_name_of_a_system_is_no_gate(folder, precall):
    """A run called r1 was in silence the measure R@1; nobody had called a run like a measure."""
    Path("r1.run").write_text(Path("old.run").read_text(encoding="utf-8"), encoding="utf-8")
    for wanted, systems, remedy in (
        ("r1", ("r1.run", "alike.run"), "--baseline r1, for the measure write R@1"),
        ("old:0.1", ("old.run", "alike.run"), "--baseline old and name a measure here"),
    ):
        for command in ("compare", "report"):
            told = precall(command, "c.qrels", *systems, "--fail-if-worse", wanted, *PAGE[command])
            refused(told, f"--fail-if-worse: {wanted[:2]}.* is one of the systems, .* {remedy}")
    both = ("compare", "c.qrels", "r1.run", "alike.run", "--fail-if-worse")
    assert precall(*both, "R@1").code in (0, 1)
    assert precall(*both, "r1", "-m", "r1").code == 0
    Path("both.csv").write_text(
        "topic,item,score,system\nt00,d1,2,r1\nt01,d1,2,r1\nt00,d2,2,x\nt01,d9,2,x\n", "utf-8"
    )
    told = precall(
        "compare", "c.qrels", "both.csv", "--run-column", "system", "--fail-if-worse", "r1"
    )
    refused(told, "--fail-if-worse: r1 is one of the systems, .* write R@1")
    report = pc.evaluate("c.qrels", ["r1.run", "alike.run"], ["R@1"])
    with pytest.raises(pc.UsageError, match="give baseline='r1', for the measure write R@1"):
        pc.compare.gates(report, "r1")


def test_a_verdict_of_gates_is_one_line() -> None:
    """The names of runs in it were not escaped, as they are in tables."""
    qrels = {f"q{i}": {"x": 1} for i in range(8)}
    good = {topic: {"x": 2.0, "y": 1.0} for topic in qrels}
    bad = {topic: {"y": 2.0, "x": 1.0} for topic in qrels}
    gates = pc.compare.gates(pc.evaluate(qrels, {"good": good, "b\nad": bad}, ["AP"]))
    assert not gates.passed and "\n" not in gates.verdict and "b\\nad" in gates.verdict
