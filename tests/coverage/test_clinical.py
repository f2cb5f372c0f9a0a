"""The record of intervals of tables and of tests on the same patients."""

from __future__ import annotations

import json

import numpy as np
import pytest

from precall.stats.intervals.proportion import proportion
from tests.coverage import clinical
from tests.peers import peer

CELLS = json.loads(clinical.RECORD.read_text(encoding="utf-8"))["cells"]


def test_the_record_is_of_these_situations() -> None:
    names = clinical.Situation._fields
    recorded = [[cell[name] for name in names] for cell in CELLS]
    assert recorded == json.loads(json.dumps(clinical.SITUATIONS))


def test_the_page_has_the_record() -> None:
    page = clinical.PAGE.read_text(encoding="utf-8")
    assert "\n".join(clinical.table(CELLS)) in page


def test_no_cell_is_short_of_its_level() -> None:
    for cell in CELLS:
        error = (0.95 * 0.05 / cell["draws"]) ** 0.5
        if cell["kind"] == "size":
            assert cell["rejected"] <= 0.05 + 2 * error
        else:
            assert cell["held"] >= 0.95 - 2 * error, cell
            assert cell["without"] <= 0.05


@pytest.mark.nightly
def test_a_few_situations_are_as_recorded() -> None:
    for cell in (CELLS[2], CELLS[-1]):
        of = clinical.Situation(*(cell[name] for name in clinical.Situation._fields))
        found = clinical.simulate(of._replace(second=tuple(of.second)), 100)
        name = "rejected" if of.kind == "size" else "held"
        assert abs(found[name] - cell[name]) < 0.09


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore::precall.core.errors.PrecallWarning")
def test_a_region_covers_its_level() -> None:
    """Of independent samples, exactly; Clopper & Pearson's product is never short."""
    binomial = peer("scipy.stats").binom
    rates = np.arange(0.5, 0.996, 0.045)

    def coverage(trials: int, method: str) -> np.ndarray:
        found = [
            proportion(hits, trials, level=0.95**0.5, method=method) for hits in range(trials + 1)
        ]
        low, high = (np.array([each.ends[end] for each in found]) for end in (0, 1))
        return np.array(
            [
                binomial.pmf(np.arange(trials + 1), trials, rate)[
                    (low <= rate) & (rate <= high)
                ].sum()
                for rate in rates
            ]
        )

    for first, second in ((12, 30), (30, 50), (100, 100)):
        exact, wilson = (
            np.outer(coverage(first, method), coverage(second, method))
            for method in ("clopper-pearson", "wilson")
        )
        assert exact.min() >= 0.95
        assert wilson.mean() > 0.945
        assert wilson.min() > 0.89
