"""Thresholds cross-validated: against a loop of its own, and scikit-learn's tuned thresholds."""

from __future__ import annotations

import json

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from tests.peers import peer

sklearn = peer("sklearn")


def scored(items=120, seed=0):
    """Sets of categories of unequal size, and their scores."""
    rng = np.random.default_rng(seed)
    truth = rng.random((items, 3)) < (0.5, 0.3, 0.15)
    score = np.round(rng.normal(size=(items, 3)) + 1.3 * truth, 2)
    return truth.astype(int), score


def f_of(truth, said):
    tp, wrong = np.sum(truth & said), np.sum(truth != said)
    return 2 * tp / (2 * tp + wrong) if 2 * tp + wrong else 0.0


def best(truth, score):
    """The highest threshold of greatest F, by trying all."""
    tried = np.unique(score[truth])[::-1] if truth.any() else []
    values = [f_of(truth, score >= threshold) for threshold in tried]
    return tried[int(np.argmax(np.array(values) >= max(values) - 1e-12))] if values else np.inf


def test_scut_is_the_loop():
    truth, score = scored()
    status = pc.categorize(truth, score)
    found = status.cross_validate("scut", folds=4, rng=5)
    said, learned, tested = np.zeros_like(truth, bool), [], []
    for number in range(4):
        test = found.fold == number
        thresholds = [best(truth[~test, j] == 1, score[~test, j]) for j in range(3)]
        np.testing.assert_array_equal(found.values[number], thresholds)
        said[test] = score[test] >= thresholds
        of = [(truth[~test] == 1, score[~test] >= thresholds), (truth[test] == 1, said[test])]
        means = [np.mean([f_of(t[:, j], d[:, j]) for j in range(3)]) for t, d in of]
        learned.append(means[0])
        tested.append(means[1])
    np.testing.assert_allclose(found.learned, learned, rtol=1e-12)
    np.testing.assert_allclose(found.tested, tested, rtol=1e-12)
    held_out = np.mean([f_of(truth[:, j] == 1, said[:, j]) for j in range(3)])
    assert found.held_out == pytest.approx(held_out, rel=1e-12)
    assert found.measure == "macro-F"
    whole = status.thresholds("scut")
    np.testing.assert_array_equal(found.thresholds.values, whole.values)
    assert found.apparent == status.decide(whole).value("macro-F1")
    assert found.optimism == found.apparent - found.held_out > 0
    spread = found.spread.to_dict()
    assert spread["least"] == found.values.min(axis=0).tolist()
    assert spread["sd"] == pytest.approx(found.values.std(axis=0, ddof=1).tolist())


def test_rcut_is_the_loop():
    truth, score = scored(90, 2)
    status = pc.categorize(truth, score)
    found = status.cross_validate("rcut", folds=3, tune="micro-F1")
    place = np.argsort(np.argsort(-score, axis=1, kind="stable"), axis=1)
    said = np.zeros_like(truth, bool)
    for number in range(3):
        test = found.fold == number
        values = [f_of(truth[~test] == 1, place[~test] < k) for k in (1, 2, 3)]
        k = int(np.argmax(np.array(values) >= max(values) - 1e-12)) + 1
        assert found.values[number].tolist() == [k]
        said[test] = place[test] < k
    assert found.held_out == pytest.approx(f_of(truth == 1, said), rel=1e-12)


@pytest.mark.parametrize(
    ("method", "options", "measure"),
    [
        ("pcut", {}, "micro-F"),
        ("pcut", {"tune": "macro-F1"}, "macro-F"),
        ("global", {}, "micro-F"),
        ("max:MCC", {}, "macro-MCC"),
        ("break-even", {}, "macro-F"),
        ("scut", {"beta": 2.0}, "macro-F(beta=2)"),
        ("scut", {"measure": "accuracy"}, "Accuracy"),
    ],
)
def test_policies_and_their_measures(method, options, measure):
    """Each fold is what `thresholds(fit_on=)` and `decide` of two tables give."""
    truth, score = scored()
    found = pc.categorize(truth, score).cross_validate(method, folds=3, **options)
    assert found.measure == measure
    learning = {name: value for name, value in options.items() if name != "measure"}
    for number in range(3):
        test = found.fold == number
        others, own = (pc.categorize(truth[part], score[part]) for part in (~test, test))
        decided = own.decide(own.thresholds(method, others, **learning))
        assert found.tested[number] == decided.value(measure)


def test_folds_are_seeded_and_spread_categories_evenly():
    truth, score = scored(200, 4)
    status = pc.categorize(truth, score)
    first, same, other = (status.cross_validate("scut", rng=seed).fold for seed in (1, 1, 2))
    assert np.array_equal(first, same)
    assert not np.array_equal(first, other)
    assert np.ptp(np.bincount(first)) <= 1
    rarest = np.bincount(first[truth[:, 2] == 1], minlength=5)
    assert np.ptp(rarest) <= 1


def test_groups_stay_together():
    truth, score = scored(200, 4)
    groups = np.random.default_rng(1).integers(40, size=200)
    found = pc.categorize(truth, score).cross_validate("scut", groups=groups)
    assert all(len(set(found.fold[groups == group])) == 1 for group in set(groups))
    assert np.ptp(np.bincount(found.fold)) <= 20
    rarest = np.bincount(found.fold[truth[:, 2] == 1], minlength=5)
    assert rarest.min() >= 3


def test_sparse_scores_are_as_dense():
    sparse = peer("scipy.sparse")
    truth, score = scored(60, 6)
    score[score == 0] = 0.001
    results = [
        pc.categorize(truth, each).cross_validate("scut", folds=3)
        for each in (score, sparse.csr_matrix(score))
    ]
    assert results[0].held_out == results[1].held_out
    assert np.array_equal(results[0].values, results[1].values)


def test_one_list_is_as_scikit_learns_tuned_threshold():
    """TunedThresholdClassifierCV with cv="prefit" chooses the threshold of greatest F1 among those
    given on the items that it is fitted on. With every score as a candidate, and the same folds,
    its cross-validated scores are ours. (Its own cv= is something else: it averages the measure at
    each threshold over folds. And of equal thresholds it takes the lowest, precall the highest.)
    """
    selection = peer("sklearn.model_selection")
    base = peer("sklearn.base")

    class Score(base.ClassifierMixin, base.BaseEstimator):
        """Its decision is the column itself."""

        def fit(self, x, y):
            self.classes_, self.fitted_ = np.array([0, 1]), True
            return self

        def decision_function(self, x):
            return x[:, 0]

        def predict(self, x):
            return (x[:, 0] >= 0).astype(int)

    rng = np.random.default_rng(8)
    y = (rng.random(150) < 0.3).astype(int)
    x = (rng.normal(size=150) + 1.5 * y)[:, None]
    found = pc.categorize(y[:, None], x).cross_validate("scut", folds=5, rng=3)
    for number in range(5):
        test = found.fold == number
        tuned = selection.TunedThresholdClassifierCV(
            Score().fit(x, y),
            scoring="f1",
            response_method="decision_function",
            thresholds=np.unique(x[~test]),
            cv="prefit",
            refit=False,
            store_cv_results=True,
        ).fit(x[~test], y[~test])
        tried, scores = (tuned.cv_results_[name] for name in ("thresholds", "scores"))
        threshold = tried[scores >= tuned.best_score_ - 1e-12].max()
        assert found.values[number, 0] == threshold
        assert found.learned[number] == pytest.approx(tuned.best_score_, rel=1e-12)
        fixed = selection.FixedThresholdClassifier(
            Score().fit(x, y), threshold=threshold, response_method="decision_function"
        ).fit(x[~test], y[~test])
        assert found.tested[number] == pytest.approx(
            f_of(y[test] == 1, fixed.predict(x[test]) == 1), rel=1e-12
        )


@pytest.mark.parametrize(
    ("method", "options", "argument"),
    [
        ("fixed:0.5", {}, "method"),
        ("rank:2", {}, "method"),
        ("none", {}, "method"),
        ("scut", {"folds": 1}, "folds"),
        ("scut", {"folds": 121}, "folds"),
        ("scut", {"folds": 3, "groups": [0, 1] * 60}, "folds"),
        ("scut", {"groups": [0, 1]}, "groups"),
        ("scut", {"measure": "F1"}, "measure"),
        ("scut", {"undefined": "drop"}, "undefined"),
    ],
)
def test_refusals(method, options, argument):
    status = pc.categorize(*scored())
    with pytest.raises(pc.UsageError, match=argument):
        status.cross_validate(method, **options)


# --- The command ---


@pytest.fixture
def table(tmp_path, monkeypatch):
    truth, score = scored()
    lines = ["t,pa,pb,pc,pgroup"]
    for i, (row, values) in enumerate(zip(truth, score, strict=True)):
        names = "|".join(name for name, member in zip("abc", row, strict=True) if member) or "|"
        lines.append(f"{names},{','.join(map(str, values))},g{i // 4}")
    (tmp_path / "s.csv").write_text("\n".join(lines) + "\n")
    monkeypatch.chdir(tmp_path)
    return ["categories", "s.csv", "--truth", "t", "--scores", "p*", "--separator", "|"]


def test_command_is_the_method(table, capsys):
    cross = ["--policy", "scut", "--cross-validate", "4", "--groups", "pgroup", "--seed", "2"]
    assert run([*table, *cross, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    truth, score = scored()
    found = pc.categorize(truth, score).cross_validate(
        "scut", folds=4, groups=np.arange(120) // 4, rng=2
    )
    assert told["held_out"] == found.held_out
    assert told["optimism"] == found.optimism
    assert [row["category"] for row in told["thresholds"]] == ["a", "b", "c"]
    assert [row["held_out"] for row in told["folds"]] == found.tested.tolist()


@pytest.mark.parametrize(
    ("options", "argument"),
    [
        (["--cross-validate", "4"], "--cross-validate"),
        (["--policy", "scut", "--cross-validate", "1"], "--cross-validate"),
        (["--policy", "scut", "--cross-validate", "4", "--baselines"], "--baselines"),
        (["--policy", "scut", "--cross-validate", "4", "--save-thresholds", "x"], "--save"),
        (["--policy", "rcut:1", "--cross-validate", "4", "--groups", "pgroup"], "rcut:1"),
        (["--policy", "scut", "--groups", "pgroup"], "--groups"),
    ],
)
def test_options_that_do_not_fit(table, capsys, options, argument):
    assert run([*table, *options]) == 2
    assert argument in capsys.readouterr().err
