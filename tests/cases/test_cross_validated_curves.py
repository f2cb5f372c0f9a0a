"""The threshold of one list of scores, cross-validated: against a loop of its own."""

from __future__ import annotations

import json

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run


def scored(cases=150, seed=4):
    rng = np.random.default_rng(seed)
    y = (rng.random(cases) < 0.3).astype(int)
    return y, np.round(rng.normal(size=cases) + 1.2 * y, 1)


def f_of(y, said):
    tp = np.sum((y == 1) & said)
    return 2 * tp / (said.sum() + y.sum())


def mcc_of(y, said):
    return np.corrcoef(y, said)[0, 1]


def best(y, score, value):
    """The highest threshold of the greatest value, by trying all."""
    cuts = np.unique(score)[int(value is mcc_of) :]  # MCC is undefined if all are accepted
    tried = [(value(y, score >= cut), cut) for cut in cuts]
    most = max(found for found, _ in tried)
    return max(cut for found, cut in tried if found >= most - 1e-12)


@pytest.mark.parametrize(("method", "value"), [("max-f", f_of), ("max:MCC", mcc_of)])
def test_it_is_the_loop(method, value):
    y, score = scored()
    found = pc.curve(y, score).cross_validate(method, folds=4, rng=2)
    said = np.zeros(len(y), bool)
    for number in range(4):
        test = found.fold == number
        cut = best(y[~test], score[~test], value)
        assert found.values[number].tolist() == [cut]
        said[test] = score[test] >= cut
        assert found.learned[number] == pytest.approx(value(y[~test], score[~test] >= cut))
    assert found.held_out == pytest.approx(value(y, said), rel=1e-12)
    of_all = best(y, score, value)
    assert found.thresholds.values.tolist() == [of_all] == found.spread["all"].tolist()
    assert found.apparent == pytest.approx(value(y, score >= of_all), rel=1e-12)
    assert np.ptp(np.bincount(found.fold[y == 1])) <= 1


def test_it_is_the_table_of_one_category():
    y, score = scored()
    groups = np.arange(150) // 5
    for method in ("max-f", "break-even", "proportion"):
        ours = pc.curve(y, score).cross_validate(method, groups=groups, measure="P")
        theirs = pc.categorize(y[:, None], score[:, None]).cross_validate(
            method, groups=groups, measure="macro-P"
        )
        assert ours.measure == "P"
        assert (ours.held_out, ours.apparent) == (theirs.held_out, theirs.apparent)
        assert np.array_equal(ours.values, theirs.values)


def test_low_scores_keep_their_sign():
    """Thresholds are on the scale of the scores, and shares of PCut have no sign."""
    y, score = scored()
    low = pc.curve(y, -score, higher_is_better=False)
    for method in ("max-f", "proportion"):
        high, found = pc.curve(y, score).cross_validate(method), low.cross_validate(method)
        sign = -1 if method == "max-f" else 1
        assert np.array_equal(found.values, sign * high.values)
        assert np.array_equal(found.thresholds.values, sign * high.thresholds.values)
        assert found.held_out == high.held_out
        assert found.spread["least"][0] == found.values.min()
    point = low.at(threshold=float(low.cross_validate().thresholds.values[0]))
    assert point.f() == low.cross_validate().apparent


def test_missed_cases_are_rejected():
    y, score = scored()
    found = pc.curve(y, score, missed=9).cross_validate("proportion")
    assert len(found.fold) == 159
    decided = pc.curve(y, score, missed=9).at(accept=int(y.sum()) + 9)
    assert found.apparent == pytest.approx(decided.f(), abs=0.04)
    assert found.apparent < pc.curve(y, score).cross_validate("proportion").apparent
    best = pc.curve(y, score, missed=9).max_f()
    assert pc.curve(y, score, missed=9).cross_validate().apparent == pytest.approx(best.f())


@pytest.mark.parametrize(
    ("make", "options", "argument"),
    [
        (pc.curve, {"method": "rcut"}, "method"),
        (pc.curve, {"method": "fixed:0.5"}, "method"),
        (pc.curve, {"method": "best"}, "method"),
        (pc.curve, {"folds": 1}, "folds"),
        (pc.curve, {"folds": 151}, "at most 150"),
        (pc.curve, {"groups": [1] * 150}, "at least 2 groups"),
        (pc.curve, {"groups": [1, 2]}, "groups"),
        (lambda y, s: pc.curve(y, s, missed=2), {"groups": range(150)}, "groups"),
        (lambda y, s: pc.curve(y, s, weights=y + 0.5), {}, "weights"),
        (lambda y, s: pc.curve(y * 0, s), {}, "no case"),
        (lambda y, s: pc.curve(y * 0 + 1, s), {}, "every case"),
    ],
)
def test_refusals(make, options, argument):
    curve = make(*scored())
    with pytest.raises((pc.UsageError, pc.DataError), match=argument):
        curve.cross_validate(**options)


# --- The command ---


@pytest.fixture
def table(tmp_path, monkeypatch):
    y, score = scored()
    rows = [f"{y[i]},{score[i]},{score[i]},g{i // 3}" for i in range(len(y))]
    (tmp_path / "s.csv").write_text("y,s,t,g\n" + "\n".join(rows) + "\n")
    monkeypatch.chdir(tmp_path)
    return ["curve", "s.csv", "--label", "y", "--score", "s"]


def test_the_command_is_the_method(table, capsys):
    cross = ["--cross-validate", "4", "--policy", "max:MCC", "--group", "g", "--seed", "3"]
    assert run([*table, *cross, "-m", "F", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    found = pc.curve(*scored()).cross_validate(
        "max:MCC", folds=4, measure="F", groups=[f"g{i // 3}" for i in range(150)], rng=3
    )
    assert (told["held_out"], told["apparent"]) == (found.held_out, found.apparent)
    assert told["measure"] == "F"
    assert [row["items"] for row in told["folds"]] == found.items.tolist()
    assert told["conventions"]["group"] == "g" and told["conventions"]["file"] == "s.csv"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--policy", "max-f"], "--policy: applies to --cross-validate"),
        (["--cross-validate", "1"], "--cross-validate"),
        (["--cross-validate", "200"], "--cross-validate: must be at most 150"),
        (["--cross-validate", "4", "--policy", "rcut"], "--policy: got 'rcut'"),
        (["--cross-validate", "4", "-m", "AP"], "AP is a measure of rankings"),
        (["--cross-validate", "4", "-m", "P", "-m", "R"], "--measure"),
        (["--cross-validate", "4", "--score", "t"], "--score"),
        (["--cross-validate", "4", "--interval"], "--interval"),
        (["--cross-validate", "4", "--at", "max=F1"], "--at"),
        (["--cross-validate", "4", "--weight", "t"], "--weight"),
        (["--cross-validate", "4", "--net-benefit"], "--net-benefit"),
        (["--cross-validate", "4", "--unjudged", "bounds"], "--cross-validate"),
    ],
)
def test_options_that_do_not_fit(table, capsys, options, said):
    assert run([*table, *options]) == 2
    assert said in capsys.readouterr().err
