"""The walk from scores to a decision runs in a notebook's kernel, and shows the library's
numbers.
"""

from __future__ import annotations

import csv
import warnings
from pathlib import Path

import pytest

import precall as pc
from precall.core.text import number
from tests.peers import peer

peer("jupytext", "Jupytext is not installed: docs/start/scores.md was not run")
peer("nbclient", "nbclient is not installed: docs/start/scores.md was not run")
peer("ipykernel", "ipykernel is not installed: docs/start/scores.md was not run")
peer("matplotlib", "Matplotlib is not installed: docs/start/scores.md was not run")
peer("scipy", "SciPy is not installed: docs/start/scores.md was not run")

pytestmark = pytest.mark.nightly
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def cells():
    """The cells of code, run."""
    with warnings.catch_warnings():
        # What notebook tools say about their own future is not ours.
        warnings.simplefilter("ignore")
        import jupytext
        from nbclient import NotebookClient

        book = jupytext.read(ROOT / "docs" / "start" / "scores.md")
        NotebookClient(book, timeout=60, resources={"metadata": {"path": str(ROOT)}}).execute()
    return [cell for cell in book.cells if cell.cell_type == "code"]


@pytest.fixture(scope="module")
def cases():
    with (ROOT / "examples/cases/tumours.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    malignant = [int(row["label"]) for row in rows]
    return malignant, *([float(row[name]) for row in rows] for name in ("linear", "bayes"))


def shown(cell, form="text/plain"):
    """What a cell shows: its value, or what it prints."""
    assert len(cell.outputs) == 1, "nothing is shown beside it, no warning and no error"
    (output,) = cell.outputs
    return output["text"] if output.output_type == "stream" else output["data"][form]


def test_ten_cells_run(cells):
    assert len(cells) == 10
    for cell in cells:
        assert [one.output_type for one in cell.outputs] in (["execute_result"], ["stream"])
        assert all(one.get("name") != "stderr" for one in cell.outputs)


def test_results_are_tables_with_charts(cells):
    assert [
        len(one.outputs) and "text/html" in one.outputs[0].get("data", {}) for one in cells
    ] == [*(False, False, False, True, True, True, False, True, True, False)]
    tables = [html for cell in cells if (html := cell.outputs[0].get("data", {}).get("text/html"))]
    assert all("<table" in html and "<script" not in html for html in tables)
    assert ["<svg" in html for html in tables] == [True, True, True, False, True]
    assert "image/png" in cells[1].outputs[0].data


def test_numbers_are_the_library_s(cells, cases):
    malignant, linear, bayes = cases
    curve = pc.curve(malignant, linear)
    interval = pc.interval(curve, "AP")
    comparison = pc.compare.cases(malignant, linear, bayes, rng=1, names=("linear", "bayes"))
    point = curve.at(cost={"fp": 1, "fn": 20})
    assert shown(cells[0]) == f"({len(linear)}, {sum(malignant)})"
    kinds, *areas = (line.split() for line in shown(cells[2]).splitlines())
    for name, *values in areas:
        known = pc.curve(malignant, linear if name == "linear" else bayes)
        if name != "neighbours":
            assert values == [number(known.area_under_pr(kind)) for kind in kinds]
    assert shown(cells[3]) == repr(interval) and f">{number(interval.low)}<" in shown(
        cells[3], "text/html"
    )
    assert shown(cells[4]) == repr(comparison) and f">{number(comparison.difference)}<" in shown(
        cells[4], "text/html"
    )
    law = pc.null.average_precision(items=569, relevant=212)
    assert shown(cells[5]) == repr(law)
    assert shown(cells[6]).strip() == str(law.tail(curve.average_precision()))
    assert shown(cells[7]) == repr(point)
    assert f'<td style="text-align:right">{point.tp}</td>' in shown(cells[8], "text/html")
    last = shown(cells[9])
    assert f"{point.fp} needless operations" in last and f"p {comparison.p:.2g}" in last
    with pytest.warns(pc.PrecallWarning):
        assert all(
            line in last for line in str(pc.interval.recall(point.tp, fn=point.fn)).splitlines()
        )
