"""Topics that are equal but for rounding are equal in pictures and on the page, too, as the
comparison counts them.

AP of hits at ranks 1, 4, 18 and at 1, 6, 9 is 5/9, of which the floats differ in the last digit:
the table said one tie, the picture one win. The old tests drew values that were written down, and
compared two runs with differences only.
"""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.plot import TopicDifferences, TopicScatter


def rank(hits: tuple[int, ...]) -> dict[str, float]:
    found = iter("abc")
    return {next(found) if place in hits else f"x{place}": -place for place in range(1, 21)}


def places() -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Pairs of places of three hits whose average precision is the same fraction."""
    known: dict[int, list[tuple[int, ...]]] = {}
    for hits in combinations(range(1, 21), 3):
        # 232792560 is a multiple of all ranks.
        known.setdefault(sum(i * 232792560 // at for i, at in enumerate(hits, 1)), []).append(hits)
    return [(some[0], some[1]) for some in known.values() if len(some) > 1]


@pytest.fixture(scope="module")
def report() -> Any:
    pairs = places()
    qrels = {f"q{i:03}": dict.fromkeys("abc", 1) for i in range(len(pairs))}
    runs = {
        name: {f"q{i:03}": rank(pair[side]) for i, pair in enumerate(pairs)}
        for side, name in enumerate("AB")
    }
    # One topic that differs.
    qrels["z"] = {"a": 1}
    runs["A"]["z"], runs["B"]["z"] = {"a": 2, "x1": 1}, {"a": 1, "x1": 2}
    return pc.evaluate(qrels, runs, "AP")


def test_pictures_count_as_the_comparison_does(report: Any) -> None:
    first, second = (run.values[0] for run in report.runs)
    assert np.count_nonzero(first != second) > 20
    pair = pc.compare(report).pairs[0]
    assert (pair.wins, pair.ties, pair.losses) == (1, len(first) - 1, 0)
    bars = TopicDifferences.from_report(report, "AP", "B", "A").plot()
    told = [text.get_text() for text in bars.legend_.get_texts()]
    assert told == ["B is greater: 0", "A is greater: 1", f"equal: {pair.ties}"]
    dots = TopicScatter.from_report(report, "AP", "B", "A").plot()
    assert dots.legend_.get_texts()[-1].get_text() == "above: 1, below: 0"


def test_the_page_counts_so_too(report: Any, tmp_path: Path) -> None:
    page = pc.report(report, tmp_path / "page.html").read_text("utf-8")
    ties = len(report.runs[0].topics) - 1
    assert "A is higher in 1 topic<" in page
    assert "B in 0<" in page
    assert f"equal in {ties}<" in page
    assert "Greatest gains: z +0.5000.<" in page
