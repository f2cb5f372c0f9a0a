"""Where low scores are good, thresholds and scores are those that were given, at every door and in
every form.

Python negated them and commands did not: `score <= curve.max_f().threshold` accepted other cases
than the point said. Old tests compared the curve of negated scores with itself, and commands with
the negatives of what Python said.
"""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import precall as pc
from precall import ScoredCases, curve
from precall.cli.main import run
from precall.page.document import html
from precall.page.writing import page_about
from tests.peers import peer

pd = peer("pandas")

RNG = np.random.default_rng(11)
N = 300
TRUTH = RNG.random(N) < 0.3
#: Distances: positive, tied, one of them 0 and one infinite.
SCORE = np.round(RNG.gamma(2, 4, N) - 3 * TRUTH, 1).clip(0)
SCORE[7], SCORE[8] = 0.0, np.inf
WEIGHTS = RNG.integers(1, 4, N)
HALF = np.where(SCORE < 100, SCORE / 2, SCORE)


def batches():
    return [(TRUTH[i : i + 50], SCORE[i : i + 50]) for i in range(0, N, 50)]


def collected():
    cases = ScoredCases()
    for truth, score in batches():
        cases.add(truth, score, higher_is_better=False)
    return cases


def merged():
    first, second = ScoredCases(), ScoredCases()
    for place, part in enumerate(batches()):
        (first, second)[place % 2].add(*part, higher_is_better=False)
    first.merge(second)
    return first


#: What makes the curve of the same cases.
DOORS = {
    "curve": lambda: curve(TRUTH, SCORE, higher_is_better=False),
    "float32": lambda: curve(TRUTH, SCORE.astype(np.float32), higher_is_better=False),
    "collected": lambda: collected().curve(),
    "merged": lambda: merged().curve(),
    "stored": lambda: ScoredCases.from_table(collected().table).curve(),
    "stored with Polars": lambda: ScoredCases.from_table(collected().table.to_polars()).curve(),
    "scanned": lambda: ScoredCases.scan(
        batches(), higher_is_better=False, thresholds=[8.0]
    ).curve(),
    "scanned once": lambda: ScoredCases.scan(
        iter(batches()), higher_is_better=False, thresholds=[8.0]
    ).curve(),
}
CHOICES = (
    {"threshold": 8.0},
    {"recall": 0.8},
    {"precision": 0.5},
    {"cost": {"fp": 1, "fn": 3}},
    {"max": "MCC"},
    {"fpr": 0.2},
    {"specificity": 0.9},
    {"max": "F(beta=2)"},
)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_a_threshold_accepts_what_scores_at_most_this(door, choice):
    made = DOORS[door]()
    point = made.at(**choice)
    assert not made.higher_is_better and not point.higher_is_better
    accepted = (SCORE.astype(made.threshold.dtype) <= point.threshold) & (point.tp + point.fp > 0)
    assert (point.tp, point.fp) == ((accepted & TRUTH).sum(), (accepted & ~TRUTH).sum())
    assert point.accepts == f"score <= {point.threshold!r}"


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.filterwarnings("ignore::precall.core.notes.of_curves.NothingAcceptedWarning")
def test_thresholds_are_the_scores(door):
    made = DOORS[door]()
    assert made.threshold[0] == -np.inf and made.at(accept=1).accepts == "nothing"
    known = np.unique(SCORE.astype(made.threshold.dtype))
    assert set(made.threshold[1:].tolist()) <= set(known.tolist())
    assert np.all(np.diff(made.threshold[1:]) > 0) and not np.signbit(made.threshold[1:]).any()
    if made.asked is None:
        assert made.threshold[1:].tolist() == known.tolist()


def test_everything_else_is_that_of_the_negated_scores():
    low, high = curve(TRUTH, SCORE, higher_is_better=False), curve(TRUTH, -SCORE)
    assert low.tp.tolist() == high.tp.tolist() and low.fp.tolist() == high.fp.tolist()
    assert (0.0 - high.threshold).tolist() == low.threshold.tolist()
    assert low.areas().to_dict() == high.areas().to_dict() and low != high
    for table in ("pr", "roc", "gain", "det", "cost"):
        mine, theirs = getattr(low, table)(), getattr(high, table)()
        for name in mine.columns:
            expected = 0.0 - theirs[name] if name == "threshold" else theirs[name]
            np.testing.assert_array_equal(mine[name], expected)
    few = low.simplify(0.01)
    assert not few.higher_is_better and set(few.threshold) <= set(low.threshold)


def test_weighted_cases():
    made = curve(TRUTH, SCORE, weights=WEIGHTS, missed=2, higher_is_better=False)
    point = made.at(max="F")
    assert point.tp == WEIGHTS[TRUTH & (point.threshold >= SCORE)].sum()
    stored = ScoredCases()
    stored.add(TRUTH, SCORE, higher_is_better=False, weights=WEIGHTS)
    again = ScoredCases.from_table(stored.table).curve()
    assert (
        again.threshold.tolist() == made.threshold.tolist()
        and again.tp.tolist() == made.tp.tolist()
    )


def test_the_table_of_counts_says_which_end_is_good():
    table = collected().table
    assert list(table.columns) == ["low_score", "relevant", "other"]
    assert table["low_score"].tolist() == np.unique(SCORE).tolist()


def test_bins_are_those_of_the_scores():
    """Bins of negated scores were all one: nothing lies between 0 and 1."""
    share = SCORE.clip(0, 20) / 20
    exact = curve(TRUTH, share, higher_is_better=False)
    for edges in (20, [0.1, 0.2, 0.3, 0.5]):
        cases = ScoredCases(bins=edges)
        cases.add(TRUTH, share, higher_is_better=False)
        bounds = cases.average_precision()
        assert bounds.lower <= exact.average_precision() <= bounds.upper < bounds.lower + 0.6
        area = cases.area_under_roc()
        assert area.lower <= exact.area_under_roc() <= area.upper < area.lower + 0.6
        # A threshold between bins accepts all that scores at most this.
        made = cases.curve()
        for row in range(1, len(made)):
            assert made.tp[row] + made.fp[row] == (share <= made.threshold[row]).sum()


def test_parts_that_contradict_each_other():
    cases = collected()
    with pytest.raises(
        pc.UsageError, match="higher_is_better: got True, but False for the cases before"
    ):
        cases.add([1, 0], [1.0, 2.0])
    other = ScoredCases()
    other.add([1, 0], [1.0, 2.0])
    with pytest.raises(pc.UsageError, match="higher_is_better: got True, but False"):
        cases.merge(other)
    # What has no case yet has no good end.
    empty = ScoredCases()
    empty.merge(cases)
    assert empty.curve() == cases.curve()


def test_points_in_every_form():
    made = curve(TRUTH, SCORE, higher_is_better=False)
    points = made.points("MCC")
    assert (
        points["score"].tolist()
        == made.threshold[1:].tolist()
        == points.to_pandas()["score"].tolist()
    )
    assert json.loads(points.to_json())["columns"]["score"][:2] == made.threshold[1:3].tolist()
    assert "good low scores" in str(points) and "good low scores" in str(made)
    best = made.max_f()
    assert f"max F threshold{'':20}<= {best.threshold:g}".split() == next(
        line.split() for line in str(made).splitlines() if line.startswith("max F threshold")
    )
    assert (
        json.loads(made.to_json())["scores"]["curve"]["measures"]["max F threshold"]
        == best.threshold
    )
    told = json.loads(best.to_json())
    assert told["threshold"] == best.threshold and told["higher_is_better"] is False
    assert f"threshold <= {best.threshold:g}" in " ".join(str(best).split())
    assert made.to_dict()["threshold"] == made.threshold.tolist()
    assert "low scores are good" in repr(made)


def test_commands_and_python_say_the_same(tmp_path, capsys):
    path = tmp_path / "cases.csv"
    kept = np.isfinite(SCORE)
    rows = [f"{int(y)},{s!r}" for y, s in zip(TRUTH[kept], SCORE[kept].tolist(), strict=True)]
    path.write_text("\n".join(["y,s", *rows]) + "\n")
    typed = (
        "curve",
        str(path),
        "--label",
        "y",
        "--score",
        "s",
        "--lower-is-better",
        "--at",
        "threshold=8",
    )

    def say(*more):
        assert run([*typed, *more]) == 0
        return capsys.readouterr().out

    made = curve(TRUTH[kept], SCORE[kept], higher_is_better=False)
    scores = json.loads(say("--format", "json"))["scores"]["s"]
    assert scores["measures"]["max F threshold"] == made.max_f().threshold
    assert (
        scores["at threshold=8"]["accepted"]
        == (SCORE <= 8).sum()
        == made.at(threshold=8).tp + made.at(threshold=8).fp
    )
    assert re.search(r"^threshold +<= 8", say(), re.MULTILINE)
    assert run([*typed[:-2], "--points", "--format", "json"]) == 0
    points = json.loads(capsys.readouterr().out)
    assert points["columns"]["score"] == made.points()["score"].tolist()


@pytest.mark.nightly
def test_pages_hold_the_scores_and_are_read_back():
    made = curve(TRUTH, SCORE, higher_is_better=False)
    page = page_about(made)
    (section,) = page.sections
    (system,) = section.systems
    assert section.good == "low"
    assert system.points.threshold[system.points.start] == made.max_f().threshold
    text = html(page)
    assert (
        "\u2264" in text
        and "at or below the threshold" in text
        and f"&lt;= {made.max_f().threshold:g}" in text
    )
    with pytest.raises(pc.UsageError, match="low scores are good in 'a' and high ones in 'b'"):
        page_about({"a": made, "b": curve(TRUTH, -SCORE)})
    both = page_about([{"a": made}, {"b": curve(TRUTH, -SCORE)}])
    assert [part.good for part in both.sections] == ["low", "high"]


@pytest.mark.nightly
def test_pages_print_what_they_hold(tmp_path, capsys):
    page = tmp_path / "page.html"
    made = curve(TRUTH, SCORE, higher_is_better=False)
    pc.report({"s": made}, page)
    assert run(["report", "--from", str(page)]) == 0
    again = capsys.readouterr().out
    assert re.search(rf"max F threshold +<= {made.max_f().threshold:g}$", again, re.MULTILINE)


@pytest.mark.parametrize("view", ["thresholds", "scores", "pr", "roc"])
def test_pictures(view):
    kept = np.isfinite(SCORE)
    made = curve(TRUTH[kept], SCORE[kept], higher_is_better=False)
    if view == "scores":
        display = made.plot(view, bins=6, share=False)
        for name, kind in (("relevant", TRUTH), ("other", ~TRUTH)):
            wanted = np.histogram(SCORE[kept & kind], display.edges_)[0]
            np.testing.assert_array_equal(display.heights_[name], wanted)
        assert display.ax_.get_xlim()[1] > SCORE[kept].max()
        return
    point = made.max_f()
    display = made.plot(view, points={"best": point})
    told = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert any(f"threshold \u2264 {point.threshold:g}" in text for text in told)
    if view == "thresholds":
        x = np.asarray(display.lines_["recall"].get_xdata())
        assert set(x.tolist()) == set(SCORE[kept].tolist())


def test_comparisons_keep_each_curve_in_its_own_direction():
    low, other = (curve(TRUTH, score, higher_is_better=False) for score in (SCORE, HALF[::-1]))
    given = pc.compare.cases(TRUTH, SCORE, HALF[::-1], "AUC", higher_is_better=False)
    assert pc.compare(low, other, "AUC") == given
    mixed = pc.compare(low, curve(TRUTH, -HALF[::-1]), "AUC")
    assert (mixed.difference, mixed.p) == (given.difference, given.p)
    at = pc.compare(low, other, "R", threshold=8.0)
    assert at.values[0] == (TRUTH & (SCORE <= 8)).sum() / TRUTH.sum() and "threshold <= 8:" in str(
        at
    )
    with pytest.raises(pc.UsageError, match="threshold: got 8"):
        pc.compare(low, curve(TRUTH, -HALF[::-1]), "R", threshold=8.0)


def test_intervals_at_a_threshold():
    found = pc.interval.precision_at_threshold(TRUTH, SCORE, 8.0, higher_is_better=False)
    accepted = SCORE <= 8
    assert found.estimate == (TRUTH & accepted).sum() / accepted.sum()
    assert found.measure == "precision at threshold <= 8"
    low = curve(TRUTH, SCORE, higher_is_better=False)
    groups = np.arange(N) % 40
    wanted = pc.interval.area_under_roc(TRUTH, SCORE, higher_is_better=False, groups=groups)
    assert pc.interval(low, "AUC", groups=groups) == wanted


def test_high_scores_are_said_as_they_were():
    made = curve(TRUTH, -SCORE)
    assert "good" not in str(made).splitlines()[-1] and "low" not in repr(made)
    best = made.max_f()
    assert best.accepts == f"score >= {best.threshold!r}"
    assert "<=" not in str(made)


def test_runs_keep_the_scores_that_were_given(tmp_path):
    """`Run.score` was negated, too; rankings are those of the negatives all the same."""
    rows = [("q1", "a", 0.0), ("q1", "b", 2.5), ("q2", "c", 1.0)]
    frame = pd.DataFrame(rows, columns=["topic", "item", "score"])
    text = tmp_path / "near.run"
    text.write_text("".join(f"{q} Q0 {d} 1 {s} t\n" for q, d, s in rows))
    table = tmp_path / "near.csv"
    frame.to_csv(table, index=False)
    qrels = {"q1": {"b": 1}, "q2": {"c": 1}}
    for source in (rows, frame, text, table, {"q1": {"a": 0.0, "b": 2.5}, "q2": {"c": 1.0}}):
        run = pc.read_run(source, lower_is_better=True)
        assert run.score.tolist() == [0.0, 2.5, 1.0] and run.lower_is_better
        assert pc.evaluate(qrels, run, "RR")["RR"] == 0.75
        plain = pc.read_run(source)
        assert pc.evaluate(qrels, plain, "RR", lower_is_better=True)["RR"] == 0.75
        assert pc.evaluate(qrels, plain, "RR")["RR"] == 1.0
