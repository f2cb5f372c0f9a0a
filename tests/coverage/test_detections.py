"""The record of intervals of average precision of detected objects."""

from __future__ import annotations

import json

import pytest

from tests.coverage import detections

CELLS = json.loads(detections.RECORD.read_text(encoding="utf-8"))["cells"]


def test_the_record_is_of_these_situations() -> None:
    names = detections.Situation._fields
    assert [tuple(cell[name] for name in names) for cell in CELLS] == detections.SITUATIONS


def test_the_page_has_the_record() -> None:
    page = detections.PAGE.read_text(encoding="utf-8")
    assert "\n".join(detections.table(CELLS)) in page


def test_no_cell_is_short_of_its_level() -> None:
    for cell in CELLS:
        assert cell["held"] >= 0.95 - 2 * (0.95 * 0.05 / cell["draws"]) ** 0.5, cell
        assert cell["without"] <= 0.01


@pytest.mark.nightly
def test_a_situation_is_as_recorded() -> None:
    cell = CELLS[1]
    of = detections.Situation(*(cell[name] for name in detections.Situation._fields))
    assert abs(detections.simulate(of, 100)["held"] - cell["held"]) < 0.07
