"""`precall curve` advised --ties random, which it does not have, of "ranking 0"; `explain` did not
tell what measures need.

Older tests of too many orders asked `Hits`, not curves, and the words of `explain` were compared
with themselves only.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import precall as pc
from precall.cli.explanations import entry, facts
from precall.cli.main import run
from precall.core.counts import Counts
from precall.measures import REGISTRY


@pytest.fixture
def tied(tmp_path: Path) -> str:
    path = tmp_path / "cases.csv"
    rows = [f"{int(i % 7 < 2)},{i % 3},{i % 2}" for i in range(120)]
    path.write_text("\n".join(["y,s,g", *rows]) + "\n")
    return str(path)


@pytest.mark.parametrize(("more", "which"), [((), "s"), (("--group", "g"), "s, group 0")])
def test_too_many_orders_of_a_score(
    tied: str, more: tuple[str, ...], which: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["curve", tied, "--label", "y", "--score", "s", "-m", "IPrec(recall=.5)", *more]
    assert run(asked) == 2
    message = capsys.readouterr().err
    assert f"error: {which}: IPrec(recall=0.5): no closed form" in message
    assert (
        "choose --ties best|worst" in message
        and "random" not in message
        and "ranking" not in message
    )
    assert run([*asked, "--ties", "best"]) == 0 == run([*asked, "--ties", "worst"])
    with pytest.raises(pc.TiesUnresolved, match="choose ties='best' or 'worst'"):
        pc.curve([0, 1] * 30, [0] * 60).value("IPrec(recall=.5)", "expected")


def asked_of(name: str) -> str:
    return dict(facts(entry(REGISTRY[name])))["Works on"]


@pytest.mark.parametrize("name", [each.name for each in REGISTRY if each.of is Counts])
def test_measures_of_counts_say_that_they_need_a_population(name: str) -> None:
    example = f"{name}(population=800)@10"
    try:
        pc.measure(f"{name}@10")
    except pc.MeasureError:
        assert (
            f"rankings and sets need population=, the number of all items, as in {example}"
            in asked_of(name)
        )
        # Some names have a parameter whose default is one of several in use.
        asked = pc.measure(example)
        assert asked.parameters["population"] == 800 and asked.name.endswith("population=800)@10")
        return
    assert "population" not in asked_of(name)


def test_explain_points_to_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "YoudenJ"]) == 0
    assert "YoudenJ(population=800)@10" in " ".join(capsys.readouterr().out.split())
    assert asked_of("RR").endswith(
        "scores of categories, in Python: status.by_category, status.by_item"
    )
    status = pc.categorize(["a", "b", "b"], [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]])
    assert len(status.by_category("RR").values) == 2 and len(status.by_item("RR").values) == 3
