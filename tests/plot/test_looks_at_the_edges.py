"""Results with nothing to draw, or numbers next to the ends of what floats hold, ended in errors of
Python.

The old tests looked at results with some defined value, recalls of few digits, scores that are not
all within 1e-15 of 0 or 1, and intervals of several measures of one run. Found by comparing random
inputs with other tools.
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run

UNDEFINED = {"t": {"a": 0}}, {"t": {"a": 1.0}}


def test_a_report_without_a_defined_value_is_shown_in_notebooks(tmp_path, capsys):
    report = pc.evaluate(*UNDEFINED, ["AP", "RR"])
    assert "<table" in report._repr_html_()
    report.save(tmp_path / "report.html")
    (tmp_path / "q").write_text("t 0 a 0\n")
    (tmp_path / "r").write_text("t Q0 a 1 1.0 x\n")
    assert run(["eval", str(tmp_path / "q"), str(tmp_path / "r"), "--format", "html"]) == 0
    assert "<table" in capsys.readouterr().out


@pytest.mark.parametrize("recall", [0.0014003538783433633, 1e-300, 5e-324])
def test_recalls_of_many_digits_need_one_hit(recall):
    assert pc.curve([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1]).at(recall=recall).threshold == 6
    assert (
        pc.evaluate(
            {"q": {"a": 1}}, {"q": {"a": 1.0}}, [f"IPrec(recall={recall!r})"]
        ).mean.popitem()[1]
        == 1
    )


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_intervals_by_category_are_flat_by_category():
    decisions = pc.decisions(list("aabb") * 10, list("abbb") * 10)
    assert pc.interval(decisions, ["P", "R"]).flat()["b/p"] == pytest.approx(2 / 3)
    status = pc.categorize(
        [[1, 0], [0, 1], [1, 1], [0, 0]] * 10, np.random.default_rng(0).random((40, 2))
    )
    assert set(pc.interval(status, "AP").flat()) == {
        f"{i}/ap{end}" for i in "01" for end in ("", "_low", "_high")
    }


@pytest.mark.parametrize(
    "scores", [[1, 1e-17, 1, 1e-18], [1e-17, 1e-17, 1, 1], [5e-324, 1, 1, 1], [1 - 2**-53, 0, 0, 0]]
)
def test_pages_of_scores_next_to_0_and_1(scores, tmp_path):
    pc.report(pc.curve([1, 0, 1, 0], scores), tmp_path / "page.html")


@pytest.mark.parametrize(
    "given",
    [
        pc.curve([0, 0], [0.5, 0.5]),
        pc.curve([0, 1], [1.0, 2.0], weights=[1, 0]),
        pc.categorize([[0]] * 4, np.zeros((4, 1))),
    ],
)
def test_pages_of_one_score_and_nothing_relevant(given, tmp_path):
    pc.report(given, tmp_path / "page.html")


def test_priors_that_no_data_move_are_refused():
    with pytest.raises(
        pc.UsageError, match=r"prior: must be a number > 0 and <= 1e\+12, got 1e\+19"
    ):
        pc.interval.f(3, 1, 1, beta=2, prior=1e19)
