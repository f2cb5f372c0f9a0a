"""Decision curves as pictures."""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.plot import DecisionCurve
from tests.peers import peer

peer("matplotlib")

RNG = np.random.default_rng(3)
TRUTH = RNG.random(400) < 0.2
RISK = np.clip(0.2 + 0.15 * TRUTH + 0.1 * RNG.standard_normal(400), 0.01, 0.99)
OTHER = RNG.random(400)
GRID = [0.1, 0.2, 0.3, 0.5]


def test_lines_are_the_bands_that_were_found():
    display = DecisionCurve.from_cases(TRUTH, {"model": RISK, "guess": OTHER}, grid=GRID).plot()
    for name, risk in (("model", RISK), ("guess", OTHER)):
        band = pc.interval.net_benefit_band(TRUTH, risk, grid=GRID)
        assert display.lines_[name].get_ydata() == pytest.approx(band.estimate)
        drawn = np.unique(display.lines_[f"{name} band"].get_paths()[0].vertices[:, 1])
        assert set(np.concatenate((band.low, band.high))) <= set(drawn)
    share = TRUTH.mean()
    odds = np.array(GRID) / (1 - np.array(GRID))
    assert display.lines_["treat all"].get_ydata() == pytest.approx(share - odds * (1 - share))
    assert set(display.lines_["treat none"].get_ydata()) == {0.0}
    # Accepting all falls far below 0, and would make all else flat.
    low, high = display.ax_.get_ylim()
    assert low > (share - odds[-1] * (1 - share)) and high < 0.3


def test_a_stated_prevalence_and_bands_alone():
    fixed = DecisionCurve.from_cases(TRUTH, {"m": RISK}, grid=GRID, prevalence=0.05).plot()
    odds = np.array(GRID) / (1 - np.array(GRID))
    assert fixed.lines_["treat all"].get_ydata() == pytest.approx(0.05 - odds * 0.95)
    band = pc.interval.net_benefit_band(TRUTH, RISK, grid=GRID)
    assert list(DecisionCurve({"m": band}).plot().lines_) == ["m", "m band", "treat none"]
    with pytest.raises(pc.UsageError, match="against"):
        DecisionCurve({"m": pc.interval.net_benefit_band(TRUTH, RISK, against="all")})
    with pytest.raises(pc.UsageError, match="bands"):
        DecisionCurve({})


def test_the_command_draws_them(tmp_path, capsys):
    """`--plot` was refused beside `--net-benefit`."""
    cases = tmp_path / "cases.csv"
    rows = zip(TRUTH.astype(int), RISK, OTHER, strict=True)
    cases.write_text("y,risk,other\n" + "".join(f"{y},{a},{b}\n" for y, a, b in rows))
    picture = tmp_path / "benefit.svg"
    asked = ["curve", str(cases), "--label", "y", "--score", "risk", "--score", "other"]
    asked += ["--net-benefit", "0.1,0.2,0.3,0.5", "--plot", str(picture)]
    assert run(asked) == 0
    there = tmp_path / "there.svg"
    DecisionCurve.from_cases(TRUTH, {"risk": RISK, "other": OTHER}, grid=GRID).save(there)
    assert picture.read_bytes() == there.read_bytes()
    capsys.readouterr()
    assert run([*asked, "--plot-kind", "roc"]) == 2
    assert "leave --plot-kind out" in capsys.readouterr().err
