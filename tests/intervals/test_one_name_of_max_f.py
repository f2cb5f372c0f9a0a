"""The interval of F at the best threshold had three names: "max F1" and "max-F" in the library,
another in command and page.

The old tests compared the numbers of library and command under a table of names of their own.
"""

from __future__ import annotations

import json

import numpy as np

import precall as pc
from tests.pages import record_about

RNG = np.random.default_rng(2)
LABELS = RNG.random(400) < 0.3
SCORES = RNG.standard_normal(400) + LABELS
NAME = "max F on new cases"


def test_library_command_and_page(tmp_path, capsys):
    curve = pc.curve(LABELS, SCORES)
    several = pc.interval(curve, rng=1)
    assert NAME in list(several)
    assert several[NAME].measure == NAME
    # As it was called before.
    assert several["max-F"] == several[NAME] == pc.interval(curve, "max-F", rng=1)
    assert pc.interval.max_f(LABELS, SCORES, rng=1).measure == NAME
    assert pc.interval.max_f(LABELS, SCORES, 2.0, rng=1).measure == "max F2 on new cases"
    assert several[NAME].naive.measure == "max F, naive"

    file = tmp_path / "cases.csv"
    rows = [f"{int(label)},{score!r}" for label, score in zip(LABELS, SCORES.tolist(), strict=True)]
    file.write_text("\n".join(["y,s", *rows]) + "\n", encoding="utf-8")
    from precall.cli.main import run

    assert (
        run(["curve", str(file), "--label", "y", "--score", "s", "--interval", "--format", "json"])
        == 0
    )
    assert NAME in json.loads(capsys.readouterr().out)["scores"]["s"]["interval"]
    assert NAME in record_about(curve)["sections"][0]["systems"][0]["intervals"]
