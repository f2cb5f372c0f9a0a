"""Every table whose cells have stars, letters or bold values says beside it what they mean; it was
said among the notes, or once for several tables, or not at all.
"""

from __future__ import annotations

import html
import re

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_comparisons import MARKS
from tests.noticed import noticed

pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")


@pytest.fixture(scope="module")
def cases():
    draw = np.random.default_rng(3)
    labels = draw.random(300) < 0.3
    return labels, {"good": draw.normal(size=300) + 2 * labels, "poor": draw.normal(size=300)}


def tables_of(page: str) -> list[tuple[str, str]]:
    """Each table of a page with its caption."""
    found = re.findall(
        r'<p class="note" id="[^"]*-said">(.*?)</p>.*?(<table.*?</table>)', page, re.S
    )
    return [(html.unescape(caption), table) for caption, table in found]


def test_stars_of_scores(tmp_path, cases):
    labels, scores = cases
    pc.compare.cases(labels, scores["good"], scores["poor"], "AUC").save(tmp_path / "a.html")
    page = (tmp_path / "a.html").read_text("utf-8")
    starred = [caption for caption, table in tables_of(page) if "*" in table]
    assert starred and all("* significant (p <= 0.05)" in caption for caption in starred)
    # Once: not among the notes, too.
    assert "<li>* significant" not in page


def test_stars_of_runs(tmp_path):
    qrels = {f"q{i}": {"a": 1} for i in range(12)}
    runs = {
        "good": {q: {"a": 2.0, "b": 1.0} for q in qrels},
        "poor": {q: {"b": 2.0, "a": 1.0} for q in qrels},
        "same": {q: {"a": 3.0, "b": 1.0} for q in qrels},
    }
    pc.report.runs(qrels, runs, tmp_path / "a.html", ["AP", "RR"], chance="none")
    found = tables_of((tmp_path / "a.html").read_text("utf-8"))
    starred = [caption for caption, table in found if re.search(r"\d\*", table)]
    assert len(starred) == 2
    assert all("* significant (adjusted p <= 0.05)" in caption for caption in starred)


def test_bold_values(tmp_path):
    decided = pc.decisions(list("aabbc") * 9, list("aabcc") * 9)
    decided.sheet(baselines=True).save(tmp_path / "a.html")
    found = tables_of((tmp_path / "a.html").read_text("utf-8"))
    bold = [caption for caption, table in found if "<b>" in table]
    assert bold and all("Bold: best of its line" in caption for caption in bold)


def test_bold_values_of_latex():
    decided = pc.decisions(list("aabbc") * 9, list("aabcc") * 9)
    table = decided.sheet(baselines=True).to_latex()
    assert r"\textbf{" in table and "% bold: best of its line" in table


def test_legends_are_notes_of_the_result(cases):
    """JSON and the terminal have them as before."""
    labels, scores = cases
    found = pc.compare.cases(labels, scores["good"], scores["poor"], "AUC")
    assert [type(note) in MARKS for note in noticed(found.sheet())].count(True) == 1
