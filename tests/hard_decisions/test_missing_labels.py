"""Labels that are missing for some pairs of item and category, as of Tox21 and CheXpert: each
category is measured by its labelled items alone.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes.of_decisions import PairsWithoutLabels
from precall.hard_decisions.table_io import read_status
from tests.noticed import shown
from tests.peers import peer

RNG = np.random.default_rng(7)
ITEMS, NAMES = 60, ("a", "b", "c")
KNOWN = RNG.random((ITEMS, 3)) < [0.9, 0.5, 0.7]
KNOWN[0] = False  # nothing is known of an item
YES = RNG.random((ITEMS, 3)) < [0.5, 0.3, 0.2]
TRUTH = np.where(KNOWN, YES, np.nan)
SCORES = (YES + RNG.normal(size=(ITEMS, 3))).round(1)


def skipped(truth: Any = TRUTH, scores: Any = SCORES) -> pc.Status:
    return pc.categorize(truth, scores, list(NAMES), missing="skip")


def labelled(category: int) -> tuple[Any, Any]:
    """Truth and scores of the items that have a label for a category."""
    known = KNOWN[:, category]
    return YES[known, category], SCORES[known, category]


@pytest.mark.parametrize("measure", ["AP", "AUC", "BEP", "MaxF", "P@10", "11-point"])
def test_each_category_by_its_labelled_items(measure: str) -> None:
    wanted = [pc.curve(*labelled(at)).value(measure) for at in range(3)]
    assert skipped().by_category(measure).values.tolist() == wanted
    assert skipped().labelled.tolist() == KNOWN.sum(axis=0).tolist()


def test_all_pairs_and_each_item() -> None:
    status = skipped()
    assert status.micro("AP") == pc.curve(YES[KNOWN], SCORES[KNOWN]).average_precision()
    of_items = status.by_item("AP").values
    for item in (1, 5, 9):
        known = KNOWN[item]
        if known.any() and YES[item, known].any():
            one = pc.curve(YES[item, known], SCORES[item, known])
            assert of_items[item] == one.value("AP")


@pytest.mark.parametrize(
    "method", ["max-f", "max:MCC", "max:accuracy", "break-even", "utility:tp=2,fp=-1,tn=1"]
)
def test_thresholds_and_their_decisions(method: str) -> None:
    status = skipped()
    learned = status.thresholds(method)
    for at, value in enumerate(learned.values):
        truth, scores = labelled(at)
        alone = pc.categorize(truth[:, None].astype(int), scores[:, None], ["x"])
        assert alone.thresholds(method).values[0] == value
    _check_decisions(status, learned, learned.values <= SCORES)


def _check_decisions(status: pc.Status, learned: Any, accepted: Any) -> None:
    decided = status.decide(learned)
    counts = decided.counts()
    for at in range(3):
        yes, said = YES[KNOWN[:, at], at], accepted[KNOWN[:, at], at]
        wanted = (
            (yes & said).sum(),
            (~yes & said).sum(),
            (yes & ~said).sum(),
            (~yes & ~said).sum(),
        )
        assert tuple(int(cell[at]) for cell in (counts.tp, counts.fp, counts.fn, counts.tn)) == (
            wanted
        )
    right = (accepted == YES) | ~KNOWN
    some = KNOWN.any(axis=1)
    assert decided.accuracy() == pytest.approx(right[some].all(axis=1).mean())
    assert decided.accuracy("micro") == pytest.approx((accepted == YES)[KNOWN].mean())
    of_items = [pc.decisions(YES[i, KNOWN[i]], accepted[i, KNOWN[i]]) for i in np.flatnonzero(some)]
    assert decided.accuracy("samples") == pytest.approx(
        np.mean([each.accuracy() for each in of_items])
    )
    assert decided.f(average="samples", undefined="omit") == pytest.approx(
        np.nanmean([each.f() for each in of_items])
    )


def test_proportions_are_of_labelled_items() -> None:
    status = skipped()
    learned = status.thresholds("proportion:1")
    assert learned.values == pytest.approx((YES & KNOWN).sum(axis=0) / KNOWN.sum(axis=0))
    accepted = status.decide(learned).predicted.per_category()
    assert accepted.tolist() == (YES & KNOWN).sum(axis=0).tolist()


@pytest.mark.parametrize(
    "tune", ["micro-F1", "macro-F1", "accuracy", "samples-accuracy", "micro-MCC"]
)
def test_one_number_is_tuned_by_what_it_decides(tune: str) -> None:
    status = skipped()
    learned = status.thresholds("global", tune=tune)
    every = [status.thresholds(f"fixed:{score}") for score in np.unique(SCORES[KNOWN])]
    best = max(float(status.decide(each).value(tune)) for each in every)
    assert learned.reached == pytest.approx(best)
    _check_decisions(status, learned, learned.number <= SCORES)


def test_baselines_accept_labelled_pairs_only() -> None:
    both = skipped().baselines()
    assert both["acceptor"].counts().accepted.tolist() == KNOWN.sum(axis=0).tolist()
    assert both["acceptor"].counts().fn.sum() == both["acceptor"].counts().tn.sum() == 0
    assert both["rejector"].accuracy("micro") == pytest.approx((~YES)[KNOWN].mean())


@pytest.mark.parametrize(
    "form", ["lists", "objects", "Series of lists", "pandas", "nullable", "Polars", "scores"]
)
def test_every_form_of_the_matrix(form: str) -> None:
    rows = [[None if np.isnan(cell) else int(cell) for cell in row] for row in TRUTH]
    truth: Any = rows
    if form == "objects":
        truth = np.array(rows, object)
    elif form == "Series of lists":
        truth = peer("pandas").Series(rows)
    elif form in ("pandas", "nullable"):
        truth = peer("pandas").DataFrame(TRUTH[:, [2, 0, 1]], columns=["c", "a", "b"])
        truth = truth.astype("Int64") if form == "nullable" else truth
    elif form == "Polars":
        truth = peer("polars").DataFrame(rows, schema=list(NAMES), orient="row")
    # Nobody needs scores of pairs without a label.
    scores = np.where(KNOWN, SCORES, np.nan) if form == "scores" else SCORES
    assert skipped(truth, scores) == skipped()


def test_sparse_scores() -> None:
    """A pair that has no score is missed, and one that has no label is not."""
    sparse = peer("scipy.sparse").coo_array(np.where(SCORES > 0, SCORES, 0))
    status = skipped(TRUTH, sparse)
    for at, value in enumerate(status.by_category("AP").values):
        truth, scores = labelled(at)
        missed = int(truth[scores <= 0].sum())
        there = scores > 0
        assert value == pc.curve(truth[there], scores[there], missed=missed).value("AP")


def test_the_note_counts_them() -> None:
    (note,) = (each for each in skipped().notes if isinstance(each, PairsWithoutLabels))
    lacking = (~KNOWN).sum(axis=0)
    assert (note.missing, note.total) == (lacking.sum(), ITEMS * 3)
    assert (note.category, note.most, note.items) == ("b", lacking[1], ITEMS)
    assert note in skipped().decide(skipped().thresholds("max-f")).notes
    whole = pc.categorize(YES.astype(int), SCORES, missing="skip")
    assert not [each for each in whole.notes if isinstance(each, PairsWithoutLabels)]
    assert whole == pc.categorize(YES.astype(int), SCORES)


def test_without_it_the_refusal_names_it() -> None:
    for truth in (TRUTH, TRUTH.tolist(), peer("pandas").DataFrame(TRUTH)):
        with pytest.raises(
            pc.DataError, match=r"item 0 has no label for category 0.*missing=\"skip\""
        ):
            pc.categorize(truth, SCORES)
    with pytest.raises(pc.UsageError, match="missing"):
        pc.categorize(TRUTH, SCORES, missing="drop")
    # Sets with a gap, and cells that are no label, are what they were.
    with pytest.raises(pc.DataError):
        pc.categorize([{"a"}, {None}], [[1, 2], [3, 4]], ["a", "b"], missing="skip")
    with pytest.raises(pc.DataError, match="is 2"):
        pc.categorize(np.array([[1, np.nan], [2, 0]]), [[1, 2], [3, 4]], missing="skip")


def test_what_needs_every_label_is_refused() -> None:
    status = skipped()
    with pytest.raises(pc.UsageError, match="have no label; take a threshold"):
        status.thresholds("rank:1")
    with pytest.raises(pc.UsageError, match="no label"):
        status.thresholds("rank", tune="micro-F1")
    other = pc.categorize(YES.astype(int), SCORES, list(NAMES)).thresholds("rank:1")
    with pytest.raises(pc.UsageError, match="have no label"):
        status.decide(other)
    decided = status.decide(status.thresholds("max-f"))
    for call in (
        decided.confusion,
        lambda: pc.compare(decided, decided),
        lambda: pc.interval(decided, "MCC", average="macro"),
        lambda: pc.interval(status, groups=["g"] * ITEMS),
    ):
        with pytest.raises(pc.UsageError, match="no label"):
            call()


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_intervals() -> None:
    status = skipped()
    several = pc.interval(status, "AUC", method="delong")
    for at, name in enumerate(NAMES):
        alone = pc.interval(pc.curve(*labelled(at)), "AUC", method="delong")
        assert several[name].ends == pytest.approx(alone.ends)
    decided = status.decide(status.thresholds("fixed:0.5"))
    assert pc.interval(decided, "accuracy").estimate == decided.accuracy()
    for name in ("micro-f", "macro-f"):
        assert pc.interval(decided, name).estimate == pytest.approx(
            decided.f(average=name.removesuffix("-f"))
        )
    precision = pc.interval(decided, "Specificity")["b"]
    counts = decided.counts()
    assert precision.estimate == counts.tn[1] / (counts.tn[1] + counts.fp[1])


def test_some_categories_of_such_decisions() -> None:
    decided = skipped().decide(skipped().thresholds("fixed:0.5"))
    some = pc.decisions(decided.truth, decided.predicted, labels=["c", "a"])
    assert some.counts().tn.tolist() == decided.counts().tn[[2, 0]].tolist()
    one = pc.decisions(decided.truth, decided.predicted, positive="b")
    assert one.counts().tn.tolist() == [decided.counts().tn[1]]


def _written(folder: Path, rows: slice = slice(None), gap: str = "") -> str:
    cells = [[gap if np.isnan(cell) else f"{cell:.1f}" for cell in row] for row in TRUTH[rows]]
    lines = [
        ",".join([*cell, *map(str, row)]) for cell, row in zip(cells, SCORES[rows], strict=True)
    ]
    (folder / "x.csv").write_text("y_a,y_b,y_c,p_a,p_b,p_c\n" + "\n".join(lines) + "\n")
    return str(folder / "x.csv")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = skipped()
    for gap in ("", "NA", "nan"):
        path = _written(tmp_path, gap=gap)
        assert read_status(path, "y_*", "p_*", missing="skip").by_category(
            "AP"
        ).values.tolist() == (status.by_category("AP").values.tolist())
    command = ["categories", path, "--truth", "y_*", "--scores", "p_*", "--format", "json"]
    assert run([*command, "--missing", "skip", "--policy", "max-f", "--interval"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["conventions"]["missing"] == "skip"
    assert told["categories"]["b"]["labelled"] == KNOWN[:, 1].sum()
    assert told["categories"]["b"]["AP"] == status.by_category("AP").values[1]
    assert "pairs-without-labels" in {note["kind"] for note in told["notes"]}
    assert (
        told["decisions"]["categories"]["b"]["TN"]
        == (status.decide(status.thresholds("max-f")).counts().tn[1])
    )
    assert run(command) == 2
    assert (
        "x.csv:2: column 'y_a': the label 'nan' is missing; fill it in, or say --missing skip"
        in (capsys.readouterr().err)
    )
    # Without gaps a pattern is a matrix of truth.
    whole = [row for row in range(ITEMS) if KNOWN[row].all()]
    (tmp_path / "x.json").write_text(
        json.dumps(
            [
                {f"y_{n}": int(YES[row, at]) for at, n in enumerate(NAMES)}
                | {f"p_{n}": SCORES[row, at] for at, n in enumerate(NAMES)}
                for row in whole
            ]
        )
    )
    command[1] = str(tmp_path / "x.json")
    assert run(command) == 0
    found = json.loads(capsys.readouterr().out)
    alone = pc.categorize(YES[whole].astype(int), SCORES[whole], list(NAMES))
    assert found["averages"]["macro"]["AP"] == alone.by_category("AP").mean()
    assert "labelled" not in found["categories"]["a"]


@pytest.mark.parametrize(
    ("heading", "truth", "told"),
    [
        ("y_a,y_b,p_a,p_b", "z_*", "no column is like 'z_\\*'"),
        ("y_a,z,p_a,p_b", "y_*", "column of scores 'p_b' has no column of labels like"),
        ("y_a,y_b,p_a,p_b", "t", "no column 't'"),
    ],
)
def test_patterns_that_do_not_fit(
    heading: str, truth: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.csv").write_text(f"{heading}\n1,0,.5,.2\n")
    assert run(["categories", str(tmp_path / "x.csv"), "--truth", truth, "--scores", "p_*"]) == 2
    with pytest.raises(AssertionError, match=told):
        raise AssertionError(capsys.readouterr().err)


def test_labels_that_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.csv").write_text("y_a,p_a\n1,.5\nmaybe,.2\n")
    command = ["categories", str(tmp_path / "x.csv"), "--truth", "y_*", "--scores", "p_*"]
    assert run([*command, "--missing", "skip"]) == 2
    assert "x.csv:3: column 'y_a': label 'maybe' is not 0/1" in capsys.readouterr().err
    command[3] = "t"
    assert run([*command, "--missing", "skip"]) == 2
    assert "--missing: applies to a column of 0 and 1 for each category" in capsys.readouterr().err


def test_a_page(tmp_path: Path) -> None:
    pc.report(skipped(), str(tmp_path / "x.html"))
    assert shown((tmp_path / "x.html").read_text(encoding="utf-8"), *skipped().notes)


def test_masked_cells_are_not_labelled() -> None:
    """They were refused, also with missing="skip"."""
    masked = np.ma.masked_array(YES.astype(int), mask=~KNOWN)
    assert skipped(masked).by_category("AP").values.tolist() == (
        skipped().by_category("AP").values.tolist()
    )
    assert isinstance(skipped(masked).notes[0], PairsWithoutLabels)
    with pytest.raises(pc.DataError, match="has no label for category"):
        pc.categorize(masked, SCORES, list(NAMES))
    both = np.ma.masked_array(TRUTH, mask=np.isnan(TRUTH) & (np.arange(ITEMS) % 2 == 0)[:, None])
    assert skipped(both).labelled.tolist() == KNOWN.sum(axis=0).tolist()
    full = np.ma.masked_array(YES.astype(int))
    assert pc.categorize(full, SCORES, list(NAMES)).labelled.tolist() == [ITEMS] * 3


@pytest.mark.parametrize(
    "rows",
    [
        ["1,0", "-1,1", "0,1"],
        ["1.0,0.0", "0.0,1.0", "0.0,-1.0"],
        ["1,0", "-1,1", "-1,1"],  # in other columns
    ],
)
def test_minus_one_beside_zero_is_uncertain(rows: list[str], tmp_path: Path, capsys: Any) -> None:
    """CheXpert's -1 was read as no. The tests had columns of one coding only."""
    table = tmp_path / "x.csv"
    lines = [f"{row},.9,.{place}" for place, row in enumerate(rows, 1)]
    table.write_text("\n".join(["t1,t2,p1,p2", *lines]) + "\n")
    asked = ["categories", str(table), "--truth", "t*", "--scores", "p*"]
    for more in ([], ["--missing", "skip"]):
        assert run([*asked, *more]) == 2
        message = capsys.readouterr().err
        assert "uncertain" in message and "--missing skip" in message


def test_minus_one_in_a_matrix_says_how_to_leave_it_out() -> None:
    """The remedy was to threshold scores, which these are not."""
    labels = np.array([[1.0, 0.0], [-1.0, 1.0], [0.0, 1.0]])
    for more in ({}, {"missing": "skip"}):
        with pytest.raises(pc.DataError, match="NaN where missing='skip'"):
            pc.categorize(labels, np.full((3, 2), 0.5), **more)


def test_minus_one_and_one_alone_are_no_and_yes(tmp_path: Path, capsys: Any) -> None:
    table = tmp_path / "x.csv"
    table.write_text("t1,t2,p1,p2\n1,-1,.9,.1\n-1,1,.2,.8\n")
    asked = ["categories", str(table), "--truth", "t*", "--scores", "p*"]
    assert run(asked) == 0


def test_matches_of_detections_are_of_one_coding(tmp_path: Path, capsys: Any) -> None:
    table = tmp_path / "x.csv"
    table.write_text("s,m\n.9,1\n.8,-1\n.7,0\n")
    asked = ["detections", str(table), "--score", "s", "--matched", "m", "--missed", "0"]
    assert run(asked) == 2
    message = capsys.readouterr().err
    assert "uncertain" in message and "skip" not in message
