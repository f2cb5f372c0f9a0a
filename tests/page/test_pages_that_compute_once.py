"""A page of a command has the numbers that the command found: they were computed a second time for
it, which no test of the page's content could notice.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path
from types import FrameType

import pytest

from precall.cli.main import run

#: Functions that compute, and where they stand.
COUNTED = {
    "compare_runs": "precall.comparison.reports",
    "gate_of_measure": "precall.comparison.reports",
    "curves": "precall.cases.table",
    "quantile": "precall.stats.intervals.bayesian",
}


def _calls(*words: str) -> Counter[str]:
    """How often the functions of interest are called by a command."""
    counts: Counter[str] = Counter()

    def count(frame: FrameType, event: str, _: object) -> None:
        name = frame.f_code.co_name
        if event == "call" and COUNTED.get(name) == frame.f_globals.get("__name__"):
            counts[name] += 1

    sys.setprofile(count)
    try:
        assert run(words) in (0, 1)
    finally:
        sys.setprofile(None)
    return counts


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("q.txt").write_text("".join(f"t{i} 0 a 1\n" for i in range(8)), "utf-8")
    for name, first in (("bad", "b"), ("good", "a"), ("fair", "c")):
        lines = [
            f"t{i} Q0 {item} 1 {2 if item == first or (first == 'c' and i % 2) else 1} x\n"
            for i in range(8)
            for item in "ab"
        ]
        Path(f"{name}.run").write_text("".join(lines), "utf-8")
    rows = [f"{i % 2},{i * 7 % 10},{i}\n" for i in range(20)]
    Path("c.csv").write_text("".join(["y,s,t\n", *rows]), "utf-8")
    return tmp_path


def _section(page: str) -> dict[str, object]:
    text = Path(page).read_text("utf-8")
    (found,) = re.findall(
        r'<script type="application/json" id="record"[^>]*>(.*?)</script>', text, re.S
    )
    return json.loads(found)["sections"][0]


RUNS = ("q.txt", "bad.run", "good.run", "fair.run", "-m", "AP", "--fail-if-worse", "AP")


def test_a_page_of_runs_compares_once(folder: Path) -> None:
    counts = _calls("compare", *RUNS, "-o", "x.html")
    assert counts["compare_runs"] == 1 and counts["gate_of_measure"] == 1
    _calls("report", *RUNS, "-o", "y.html")
    assert _section("x.html") == _section("y.html")


def test_a_page_of_cases_counts_once(folder: Path) -> None:
    words = ("curve", "c.csv", "--label", "y", "--score", "s", "--score", "t")
    assert _calls(*words, "-o", "x.html")["curves"] <= _calls(*words, "-o", "x.json")["curves"]


def test_intervals_of_equal_values_are_inverted_once(folder: Path) -> None:
    """A topic with one relevant item has the same interpolated precision at all 11 recalls; the
    same bounds were searched for 11 times for each run.
    """
    runs = ("q.txt", "good.run", "fair.run", "-m", "P@1")
    averages = _calls("eval", *runs, "--interval")["quantile"]
    assert 0 < averages < _calls("report", *runs, "-o", "x.html")["quantile"] <= 2 * averages
