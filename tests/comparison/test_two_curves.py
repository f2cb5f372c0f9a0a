"""Where one curve lies above another: `compare.curves`."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes.of_intervals import FewCases
from tests.noticed import noticed, warned


def scored(seed: int = 1, cases: int = 400, share: float = 0.3, gap: float = 1.0):
    rng = np.random.default_rng(seed)
    y = rng.random(cases) < share
    noise = rng.normal(size=(2, cases))
    return y, noise[0] + (1 + gap) * y, 0.6 * noise[0] + 0.8 * noise[1] + y


def height(y, score, view, x):
    """Precision at a recall, or recall at a false positive rate; scores are not tied."""
    hit = y[np.argsort(-score)]
    tp, fp = np.cumsum(hit), np.cumsum(~hit)
    if view == "pr":
        at = np.flatnonzero(tp >= x * hit.sum() - 1e-9)[0]
        return tp[at] / (at + 1)
    return tp[fp <= x * (~hit).sum() + 1e-9][-1] / hit.sum() if (fp <= x).any() else 0.0


@pytest.mark.parametrize("view", ["pr", "roc"])
def test_difference_is_that_of_the_heights(view):
    y, a, b = scored()
    others = int((~y).sum())
    # False positive rates at which whole cases are accepted, so that nothing is interpolated.
    grid = np.array([0.1, 0.4, 0.8]) if view == "pr" else np.array([20, 80, 200]) / others
    found = pc.compare.curves(pc.curve(y, a), pc.curve(y, b), view, grid=grid, resamples=100)
    wanted = [[height(y, score, view, x) for x in grid] for score in (a, b)]
    np.testing.assert_allclose([found.a, found.b], wanted, rtol=1e-12)
    np.testing.assert_allclose(found.band.estimate, np.subtract(*wanted), atol=1e-12)
    assert np.all(found.band.low <= found.band.estimate)
    assert np.all(found.band.estimate <= found.band.high)


def test_shares_count_places_of_the_grid():
    y, a, b = scored()
    found = pc.compare.curves(pc.curve(y, a), pc.curve(y, b), names=("new", "old"))
    band = found.band
    assert found.above == np.mean(band.estimate > 0)
    assert found.significantly_above == np.mean(band.low > 0) > 0
    assert found.below == found.significantly_below == 0
    assert f"above that of old at {np.sum(band.estimate > 0)} of 19 places" in str(found)


def test_swapped_systems_and_other_orders_give_the_same_band():
    y, a, b = scored(3)
    groups = np.arange(400) // 4
    order = np.random.default_rng(0).permutation(400)

    def band(y, a, b, groups):
        return pc.compare.curves(pc.curve(y, a), pc.curve(y, b), groups=groups, rng=7).band

    straight, swapped = band(y, a, b, groups), band(y, b, a, groups)
    assert np.array_equal(straight.low, 0.0 - swapped.high)
    assert np.array_equal(straight.high, 0.0 - swapped.low)
    assert band(y[order], a[order], b[order], groups[order]) == straight


def test_curves_of_equal_order_differ_nowhere():
    y, a, _ = scored()
    found = pc.compare.curves(pc.curve(y, a), pc.curve(y, 2 * a))
    assert np.all(found.band.estimate == 0)
    assert np.array_equal(found.band.low, -found.band.high)
    assert found.above == found.below == found.significantly_above == 0
    assert "Both have the same precision" in str(found)


def test_groups_widen_the_band_if_their_cases_are_alike():
    """Ten copies of each case are ten cases only without groups."""
    y, a, b = (np.repeat(column, 10) for column in scored(5, 150))
    a, b = a + 1e-9 * np.arange(1500), b + 1e-9 * np.arange(1500)
    curves = pc.curve(y, a), pc.curve(y, b)
    alone = pc.compare.curves(*curves).band
    grouped = pc.compare.curves(*curves, groups=np.arange(1500) // 10).band
    widths = [np.mean(band.high - band.low) for band in (alone, grouped)]
    assert widths[1] > 1.8 * widths[0]


def test_ratings_that_reach_a_recall_in_some_samples_only():
    """With five ratings the precision at a recall jumps where another rating reaches it. Bounds
    from standard errors alone left out what 1 sample of 200 has on each side, and covered 86 to
    90 %: all situations had scores without ties.
    """
    of_cases = [
        ([50, 35, 22, 15, 8], [10, 19, 31, 48, 62]),
        ([30, 44, 24, 29, 3], [5, 17, 42, 72, 34]),
    ]
    rng = np.random.default_rng(0)
    y = np.repeat([True, False], [130, 170])
    scores = [
        np.concatenate([rng.permutation(np.repeat([5, 4, 3, 2, 1], part)) for part in counts])
        for counts in of_cases
    ]
    band = pc.compare.curves(*(pc.curve(y, score) for score in scores)).band
    drawn = []
    for rows in rng.integers(300, size=(2000, 300)):
        relevant, heights = y[rows], []
        for score in scores:
            over = score[rows] >= np.array([[5], [4], [3], [2], [1]])
            tp, accepted = (over & relevant).sum(axis=1), over.sum(axis=1)
            reached = np.searchsorted(tp, band.x * relevant.sum() * (1 - 1e-9))
            heights.append(tp[reached] / np.maximum(accepted[reached], 1))
        drawn.append(heights[0] - heights[1])
    low, high = np.quantile(drawn, (0.005, 0.995), axis=0)
    assert np.all(band.low <= low + 0.01)
    assert np.all(high - 0.01 <= band.high)


def test_missed_cases_and_low_scores():
    y, a, b = scored()
    high = pc.compare.curves(pc.curve(y, a, missed=20), pc.curve(y, b, missed=20))
    low = pc.compare.curves(
        pc.curve(y, -a, missed=20, higher_is_better=False),
        pc.curve(y, -b, missed=20, higher_is_better=False),
    )
    assert high.band == low.band
    # Recalls that no threshold reaches have no precision.
    assert high.band.x[-1] == pytest.approx(0.85) and y.sum() / (y.sum() + 20) < 0.9
    with pytest.raises(pc.UsageError, match="grid"):
        pc.compare.curves(pc.curve(y, a, missed=20), pc.curve(y, b, missed=20), grid=[0.9])


def test_few_cases_are_noted():
    y, a, b = scored(1, 60)
    with warned(FewCases):
        found = pc.compare.curves(pc.curve(y, a), pc.curve(y, b))
    (note,) = noticed(found)
    assert note.effect == "more"
    assert found.band.notes == found.notes


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda a, b: pc.compare.curves(a, [1, 2]), "b"),
        (lambda a, b: pc.compare.curves(a, b, "gain"), "view"),
        (lambda a, b: pc.compare.curves(a, b, grid=[0.5, 0.2]), "grid"),
        (lambda a, b: pc.compare.curves(a, b, resamples=10), "resamples"),
        (lambda a, b: pc.compare.curves(a, b, groups=[1, 2]), "groups"),
        (lambda a, b: pc.compare.curves(a, pc.curve(~scored()[0], scored()[1])), "compare"),
        (lambda a, b: pc.compare.curves(a, b, names=("a", "a")), "names"),
    ],
)
def test_refusals(call, argument):
    y, first, second = scored()
    with pytest.raises(pc.UsageError) as caught:
        call(pc.curve(y, first), pc.curve(y, second))
    assert argument in str(caught.value)


CASES = ["compare", "cases.csv", "--label", "y", "--score", "s", "--score", "t"]


@pytest.fixture
def in_folder(tmp_path, monkeypatch):
    y, a, b = scored(2)
    rows = [
        f"{int(label)},{s:.6f},{t:.6f},{t:.6f},g{i // 2}"
        for i, (label, s, t) in enumerate(zip(y, a, b, strict=True))
    ]
    (tmp_path / "cases.csv").write_text("y,s,t,u,g\n" + "\n".join(rows) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_command_is_the_function(in_folder, capsys):
    command = [*CASES, "--curves", "roc", "--groups", "g", "--seed", "3", "--plot", "d.svg"]
    assert run([*command, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    columns = np.loadtxt(in_folder / "cases.csv", delimiter=",", skiprows=1, usecols=(0, 1, 2)).T
    curves = (pc.curve(columns[0].astype(int), score) for score in columns[1:])
    found = pc.compare.curves(*curves, "roc", groups=np.arange(400) // 2, rng=3)
    assert [row["low"] for row in told["grid"]] == found.band.low.tolist()
    assert told["significantly_above"] == found.significantly_above
    assert (in_folder / "d.svg").read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("options", "argument"),
    [
        (["--curves", "pr", "-m", "AP"], "--measure"),
        (["--curves", "pr", "--weight", "g"], "--weight"),
        (["--curves", "pr", "--margin", "0.1"], "--margin"),
        (["--curves", "pr", "--kind", "equivalent"], "--kind"),
        (["--curves", "pr", "--score", "u"], "--curves"),
        (["--plot", "d.svg"], "--plot"),
        (["--curves", "gain"], "--curves"),
    ],
)
def test_options_that_do_not_fit_are_refused(in_folder, capsys, options, argument):
    assert run([*CASES, *options]) == 2
    assert argument in capsys.readouterr().err


RECORD = Path(__file__).parents[1] / "coverage" / "records" / "curve_differences.json"


def test_record_of_coverage():
    """The whole true difference is inside in 93 % or more in each situation that was simulated; the
    page shows the record.
    """
    cells = json.loads(RECORD.read_text(encoding="utf-8"))["cells"]
    page = (RECORD.parents[3] / "docs" / "why" / "tests.md").read_text(encoding="utf-8")
    for cell in cells:
        assert cell["samples"] >= 800
        assert cell["covered"] >= 0.93
        covered = f"{100 * cell['covered']:.1f} %"
        row = (cell["situation"], cell["relevant"], cell["view"], covered)
        assert f"| {' | '.join(map(str, row))} |" in page


@pytest.mark.nightly
@pytest.mark.parametrize("view", ["pr", "roc"])
@pytest.mark.parametrize("number", [0, 4, 12])
def test_band_covers_the_whole_difference(number, view):
    from tests.coverage.curve_differences import SITUATIONS, simulate

    cell = simulate(SITUATIONS[number], view, 100)
    assert cell["covered"] >= 0.95 - 3 * cell["error"]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"test": "permutation"},
        {"test": "bootstrap", "resamples": 200},
        {"groups": np.arange(60) // 4},
        {"topics": np.arange(60) // 15},
        {"missed": 3},
        {"weights": 1 + np.arange(60) % 3 / 2},
    ],
)
def test_gini_is_compared_by_auc(options) -> None:
    """It was refused: it is 2 AUC - 1."""
    drawn = np.random.default_rng(3)
    labels = np.arange(60) % 3 == 0
    a, b = drawn.normal(size=(2, 60)) + [[1.0], [0.3]] * labels
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PrecallWarning)
        area = pc.compare.cases(labels, a, b, "AUC", **options)
        gini = pc.compare.cases(labels, a, b, "AccuracyRatio", **options)
    assert gini.values == pytest.approx([2 * value - 1 for value in area.values])
    expected = [2 * area.difference, 2 * area.low, 2 * area.high, area.p]
    assert [gini.difference, gini.low, gini.high, gini.p] == pytest.approx(expected)
    assert (gini.test, gini.interval) == (area.test, area.interval)


@pytest.mark.parametrize("measure", ["GMean", "Hamming", "SubsetAccuracy"])
def test_measures_of_decisions_need_thresholds(measure) -> None:
    with pytest.raises(pc.UsageError, match=f"{measure} is of decisions.*compare.decisions"):
        pc.compare.cases([1, 0, 1, 0], [4, 3, 2, 1], [1, 2, 3, 4], measure)
