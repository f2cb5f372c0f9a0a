"""Every door that takes a method of intervals takes the names that other libraries give it. Once
each of them looked the name up by itself, so SciPy's "BCa" was refused by all.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run as precall
from precall.core.errors import UsageError

Y = [0, 0, 1, 0, 1, 1] * 10
SCORES = np.arange(60) * 7 % 60
DECIDED = pc.decisions(Y, (SCORES > 20).astype(int).tolist(), positive=1)
QRELS = {f"q{i}": {"a": 1, "b": i % 2} for i in range(8)}
RUN = {f"q{i}": {"x": 3.0 - i % 3, "a": 2.0, "b": 1.5} for i in range(8)}
REPORT = pc.evaluate(QRELS, RUN, ["AP"])


def _compared(**how: Any) -> str:
    one, other = (SCORES > 20).tolist(), (SCORES > 30).tolist()
    labels = [bool(label) for label in Y]
    return pc.compare.decisions(labels, one, other, measure="F", **how).interval


#: Door → the method that its result names.
DOORS: dict[str, Callable[[str], str]] = {
    "evaluate": lambda name: pc.evaluate(QRELS, RUN, ["AP"], interval=name).intervals["AP"].method,
    "report": lambda name: pc.interval(REPORT, method=name)["AP"].method,
    "report, one measure": lambda name: pc.interval(REPORT, "AP", method=name).method,
    "ranking": lambda name: (
        pc.ranking(["a", "b", "c"], list("xaybcz") * 1, interval=name).intervals["AP"].method
    ),
    "curve": lambda name: pc.interval(pc.curve(Y, SCORES), method=name)["AP"].method,
    "curve, one measure": lambda name: pc.interval(pc.curve(Y, SCORES), "AP", method=name).method,
    "decisions": lambda name: pc.interval(DECIDED, "MCC", method=name).method,
    "micro-F": lambda name: pc.interval(DECIDED, "F", average="micro", method=name).method,
    "values": lambda name: pc.interval(np.linspace(0.1, 0.8, 20), "AP", method=name).method,
    "differences of decisions": lambda name: _compared(interval=name),
}


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(("name", "ours"), [("BCa", "bca"), ("perc", "percentile")])
def test_every_door_takes_them(door: str, name: str, ours: str) -> None:
    assert DOORS[door](name) == ours


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("door", DOORS)
def test_every_door_refuses_others_alike(door: str) -> None:
    with pytest.raises(UsageError) as refused:
        DOORS[door]("studentized")
    assert refused.value.got == "studentized"


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_measures_without_the_method_keep_their_own() -> None:
    several = pc.interval(DECIDED, method="Clopper-Pearson")
    assert several["precision"].method == "clopper-pearson"
    assert several["f"].method == "posterior"
    assert pc.interval.proportion(3, 9, method="exact").method == "clopper-pearson"


@pytest.mark.parametrize("typed", ["BCa", "perc"])
def test_commands_take_them(tmp_path: Path, capsys: pytest.CaptureFixture[str], typed: str) -> None:
    path = tmp_path / "cases.csv"
    path.write_text("y,s\n" + "".join(f"{y},{s}\n" for y, s in zip(Y, SCORES, strict=True)))
    command = ["curve", str(path), "--label", "y", "--score", "s", "--format", "json"]
    assert precall([*command, "--interval", typed]) == 0
    shown = json.loads(capsys.readouterr().out)["conventions"]["interval"]
    assert f"AP by {({'BCa': 'bca', 'perc': 'percentile'})[typed]}" in shown
    assert precall([*command, "--interval", "basic"]) == 2
    assert "bca" in capsys.readouterr().err
