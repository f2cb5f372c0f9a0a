"""What people tried first without reading, and got a wrong number for or an error that did not say
what to do.
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc
from precall.compat import sklearn as ours
from precall.core.notes.of_decisions import ColumnsTaken
from precall.core.notes.of_reading import NoCommonLabel, NoScores
from tests.noticed import noticed, shown, warned
from tests.peers import peer

pd = peer("pandas")


def test_a_dict_of_columns_is_a_table():
    """Its columns were taken for topics: three rankings, found as they were written."""
    gold = {"query_id": ["q1", "q2"], "doc_id": ["a", "b"], "relevance": [1, 1]}
    run = {"query_id": ["q1", "q1", "q2"], "doc_id": ["x", "a", "b"]}
    for columns in (run, {name: np.array(column) for name, column in run.items()}):
        report = pc.evaluate(gold, columns, ["RR"])
        assert report.per_topic["value"].tolist() == [1 / 2, 1]
    assert shown(str(report), *noticed(report, NoScores)) and len(noticed(report, NoScores)) == 1
    # Topics may be called anything, and two of them be of equal length.
    assert (
        pc.evaluate(
            {"query": ["a"], "other": ["b"]}, {"query": ["a"], "other": ["b"]}, ["RR"]
        ).mean["RR"]
        == 1
    )


def test_labels_and_scores_are_no_runs():
    """The error was of five runs with one name."""
    with pytest.raises(
        pc.UsageError, match=r"list of numbers such as 0\.5.*pc\.curve\(labels, scores\)"
    ):
        pc.evaluate([0, 1, 1], [0.5, 0.25, 0.125])


def test_a_run_in_the_place_of_measures():
    """The error was that there is no measure 'query_id'."""
    frame = pd.DataFrame({"query_id": ["q"], "doc_id": ["a"], "score": [1.0]})
    qrels = frame.rename(columns={"score": "relevance"})
    for second in (frame, {"q": {"a": 1.0}}):
        with pytest.raises(pc.UsageError, match=r"pass several runs as \{name: run, \.\.\.\}"):
            pc.evaluate(qrels, frame, second)


@pytest.mark.parametrize("scores", [[0.25, 0.75, 0.5], [0.0, 0.75, 1.0]])
def test_scores_are_no_decisions(scores):
    """Each score was a category of its own, and every precision 0 without a word."""
    with pytest.raises(pc.UsageError, match=r"predicted: scores beside labels.*pc\.curve"):
        pc.decisions([0, 1, 1], scores)
    assert pc.decisions([1.5, 2.5], [1.5, 2.5]).accuracy() == 1


def test_a_likelihood_ratio_over_nothing_of_real_weights():
    """True negatives were a difference of sums, -1e-16 for 0, and the ratio -4e15 (scikit-learn
    1.9.1: 0 and 1).
    """
    weights = [0.1165388, 0.45226643, 0.68689917]
    with pytest.warns(pc.PrecallWarning):
        ratios = ours.class_likelihood_ratios(
            [1, 0, 1], [0, 1, 0], sample_weight=weights, replace_undefined_by=1.0
        )
    assert ratios == (0.0, 1.0)


def test_names_that_are_elsewhere():
    """It was an AttributeError that said no more."""
    for name in ("roc_auc_score", "nothing_of_the_kind"):
        with pytest.raises(AttributeError, match=r"precall\.compat\.sklearn"):
            getattr(pc, name)
    assert not hasattr(pc, "roc_auc_score")


def test_rows_without_scores_beside_the_index_of_pandas(tmp_path):
    """What `to_csv` writes without index=False had a column without a name, which might have been
    the scores.
    """
    frame = pd.DataFrame({"query_id": ["q", "q"], "doc_id": ["x", "a"]})
    frame.to_csv(tmp_path / "run.csv")
    report = pc.evaluate({"q": ["a"]}, tmp_path / "run.csv", ["RR"])
    assert report["RR"] == 1 / 2 and len(noticed(report, NoScores)) == 1
    assert shown(str(report), *noticed(report, NoScores))


def test_a_column_without_a_name_is_a_run():
    """Its lists were called ''."""
    polars = pytest.importorskip("polars")
    report = pc.evaluate(polars.Series([["a"], ["b"]]), polars.Series([["a"], ["c"]]), ["RR"])
    assert [run.name for run in report.runs] == ["retrieved"]


def test_labels_of_two_spellings():
    """Every measure was 0, without a word."""
    with warned(NoCommonLabel) as told:
        found = pc.decisions(["yes", "no", "no"], ["Yes", "No", "No"])
    assert [note.labels for note in told] == [(("yes", "no"), ("Yes", "No"))]
    (note,) = noticed(found.sheet(), NoCommonLabel)
    assert note.names == ("truth", "predicted") and shown(str(found), note)
    for alike in ((["yes", "no", "no"], ["no", "yes", "yes"]), ([0, 0], [1, 1]), ([], [])):
        assert not noticed(pc.decisions(*alike).sheet(), NoCommonLabel)


def test_columns_without_names():
    """They are the sorted labels, which a table did not say; those of a model may be in another
    order.
    """
    labels, scores = ["low", "mid", "high"], [[0.9, 0.1, 0.0], [0.2, 0.8, 0.0], [0.0, 0.1, 0.9]]
    found = pc.categorize(labels, scores)
    (note,) = noticed(found.sheet(), ColumnsTaken)
    assert note.categories == ("high", "low", "mid") and shown(str(found), note)
    frame = pd.DataFrame(scores, columns=labels)
    for named in (
        pc.categorize(labels, frame),
        pc.categorize(labels, scores, labels),
        pc.categorize([0, 1, 2], scores),
    ):
        assert not noticed(named.sheet(), ColumnsTaken)


def test_labels_are_named_as_they_are_written():
    """Letters beyond ASCII were escapes; those that move the cursor still are."""
    with pytest.raises(pc.DataError, match=r"labels 'Vögel', 'Hund' are not 0/1"):
        pc.curve(["Vögel", "Hund"], [0.5, 0.25])
    with pytest.raises(pc.DataError, match=r"labels '\\x1b\[2J\\u202e', 'Hund' are not"):
        pc.curve(["\x1b[2J\u202e", "Hund"], [0.5, 0.25])


def test_scores_of_which_the_lowest_are_the_best():
    """An area of .1 had no word beside it, where energies were taken for scores."""
    labels, energies = [1] * 20 + [0] * 80, range(100)
    assert "higher_is_better=False" in str(pc.curve(labels, energies))
    assert "--lower-is-better" not in str(pc.curve(labels, [-energy for energy in energies]))
    # By chance an area is as far below .5.
    assert "--lower-is-better" not in str(pc.curve([0, 1, 0, 1], [4, 3, 2, 1]))


def test_a_file_is_no_column_of_labels() -> None:
    """Its arguments were taken for misspelled ones: label= "is called positive here"."""
    for columns in ({}, {"label": "y", "score": "s"}):
        with pytest.raises(pc.UsageError, match=r"ScoredCases\.scan\(FILE, label=, score=\)"):
            pc.curve("cases.csv", **columns)


def test_two_lists_of_ids_lead_to_a_ranking(tmp_path):
    for name in ("gold.txt", "found.txt"):
        (tmp_path / name).write_text("d1\nd2\n")
    files = [str(tmp_path / name) for name in ("gold.txt", "found.txt")]
    with pytest.raises(pc.DataError, match=r"for lists of ids use pc\.ranking"):
        pc.evaluate(*files)
    found = pc.ranking(*files)
    with pytest.raises(pc.UsageError, match=r"pc\.ranking\(relevant, ranked, measures\)"):
        found["R@5"]
    assert pc.ranking(*files, ["R@5"])["Recall@5"] == 1
    for name in ("recall", "precision"):
        with pytest.raises(AttributeError, match=r"of ids pc\.ranking\("):
            getattr(pc, name)
