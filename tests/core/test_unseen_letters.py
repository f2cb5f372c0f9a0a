"""Letters that turn others around, or are not seen, in whatever is shown: JUnit kept U+202E, which
XML can hold.

Older tests asked of XML that it can be read, and of HTML that nothing runs.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import precall as pc
from precall.cli.main import run

#: Controls of both halves of Latin 1, marks and overrides of direction, isolates, ends of lines,
#: tags.
UNSEEN = "".join(
    map(
        chr,
        [
            *range(1, 9),
            11,
            12,
            *range(14, 32),
            127,
            0x85,
            0x9B,
            0x61C,
            0x200E,
            0x200F,
            *range(0x2028, 0x202F),
            *range(0x2066, 0x2070),
            0xFFF9,
            0xE0001,
            0xE0041,
        ],
    )
)
NAME = f"a{UNSEEN}b"
TOPICS = [f"q{i}" for i in range(8)]
pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")


def left(text: str) -> list[str]:
    return [f"{ord(letter):x}" for letter in UNSEEN if letter in text]


@pytest.fixture
def report() -> pc.Report:
    qrels = {f"{q}{NAME}": {"x": 1} for q in TOPICS}
    good, bad = ({q: {"x": 2.0, "y": other} for q in qrels} for other in (1.0, 3.0))
    return pc.evaluate(qrels, {NAME: bad, "b": good}, ["AP", "P@1"])


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "html"])
def test_forms(report: pc.Report, form: str) -> None:
    decisions = pc.decisions([NAME, "b", "b"], [NAME, "b", NAME])
    results = [
        report,
        pc.compare(report),
        pc.compare.gates(report, baseline="b"),
        decisions,
        decisions.confusion(),
    ]
    for result in results:
        if form == "html":  # a page holds its data as they are, besides what it shows
            text = result._repr_html_()
        else:
            text = str(result) if form == "text" else getattr(result, f"to_{form}")()
        assert left(text) == [], type(result)


def test_junit(report: pc.Report) -> None:
    gates = pc.compare.gates(report, baseline="b")
    text = gates.to_junit()
    assert left(text) == [] and "\\u202e" in text
    root = ET.fromstring(text)
    names = [str(case.get("name")) for case in root.iter("testcase")]
    assert names and all(
        re.search(r"a\\x01.*\\u202e.*b is not worse than b", name) for name in names
    )
    # Ends of lines that XML keeps stay.
    (failure, *_) = root.iter("failure")
    assert failure.get("message") == failure.text


def test_pages_and_summaries(
    report: pc.Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pc.report(report, tmp_path / "page.html", title=NAME)
    # In the record of a page they are escapes of JSON: they come back.
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    record = re.search(r'<script type="application/json".*?</script>', page, re.DOTALL)
    assert record is not None and left(page.replace(record[0], "")) == []
    turning = set(map(chr, [0x61C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x2070)]))
    assert turning.isdisjoint(page)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    Path("q").write_text("".join(f"{q} 0 x 1\n" for q in TOPICS), encoding="utf-8")
    for name, score in (("b", 1), ("a\u202e", 3)):
        rows = "".join(f"{q} Q0 x 1 2 r\n{q} Q0 y 1 {score} r\n" for q in TOPICS)
        Path(name).write_text(rows, encoding="utf-8")
    words = [
        "compare",
        "q",
        "b",
        "a\u202e",
        "-m",
        "AP",
        "--fail-if-worse",
        "any",
        "--junit",
        "g.xml",
        "--github-summary",
    ]
    assert run([*words, "-o", "t.txt"]) == 1
    for name in ("g.xml", "summary.md", "t.txt"):
        text = Path(name).read_text(encoding="utf-8")
        assert "\u202e" not in text and "u202e" in text, name
