"""The record of Tango's interval: what it shows, and some of it anew."""

from __future__ import annotations

import json

import pytest

from tests.coverage import paired_shares
from tests.coverage.paired_shares import RECORD, Situation, enumerate_all, samples

CELLS = json.loads(RECORD.read_text(encoding="utf-8"))["cells"]


def test_the_record_is_of_these_situations_and_on_the_page() -> None:
    recorded = [[cell[name] for name in Situation._fields] for cell in CELLS]
    assert recorded == json.loads(json.dumps(paired_shares.SITUATIONS))
    page = paired_shares.PAGE.read_text(encoding="utf-8")
    assert "\n".join(paired_shares.table(CELLS)) in page


def test_sizes_and_coverage_are_as_said() -> None:
    for cell in CELLS:
        if not cell["difference"]:
            assert cell["rejected"] <= 0.0525, cell
            assert cell["held"] == pytest.approx(1 - cell["rejected"], abs=2e-5)
        assert cell["held"] >= 0.928, cell
    assert sum(cell["held"] < 0.935 for cell in CELLS) == 1


@pytest.mark.parametrize("place", [3, 26, 44])
def test_cells_are_as_recorded(place: int) -> None:
    of = Situation(*(CELLS[place][name] for name in Situation._fields))
    assert sum(chance for *_, chance in samples(of)) == pytest.approx(1)
    assert enumerate_all(of) == CELLS[place]
