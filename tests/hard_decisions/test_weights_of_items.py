"""Decisions about items with weights: amounts, and sampling weights of surveys."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes.of_intervals import FewEffectiveItems
from precall.hard_decisions.table_io import read_decisions
from tests.noticed import warned
from tests.peers import peer

RNG = np.random.default_rng(3)
N = 240
T = RNG.choice(list("abc"), N)
P = np.where(RNG.random(N) < 0.7, T, RNG.choice(list("abc"), N))
W = RNG.lognormal(size=N)
K = RNG.integers(0, 4, N)
SETS = [{*map(str, RNG.choice(list("abcd"), RNG.integers(0, 4), replace=False))} for _ in range(N)]
SAID = [{*map(str, RNG.choice(list("abcd"), RNG.integers(0, 4), replace=False))} for _ in range(N)]
quiet = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")


def weighted(weights: Any = W) -> pc.Decisions:
    return pc.decisions(T, P, weights=weights)


def test_measures_are_those_of_scikit_learn() -> None:
    metrics, made = peer("sklearn.metrics"), weighted()
    own = {"sample_weight": W}
    assert made.accuracy() == pytest.approx(metrics.accuracy_score(T, P, **own))
    for average in ("micro", "macro", "weighted"):
        for name, theirs in (
            ("P", metrics.precision_score),
            ("R", metrics.recall_score),
            ("F1", metrics.f1_score),
            ("Jaccard", metrics.jaccard_score),
        ):
            assert made.value(name, average) == pytest.approx(theirs(T, P, average=average, **own))
    each = metrics.precision_recall_fscore_support(T, P, **own)
    for ours, theirs in zip(
        (made.precision(), made.recall(), made.f(), made.support()), each, strict=True
    ):
        assert ours == pytest.approx(theirs)
    for name, theirs in (
        ("MCC", metrics.matthews_corrcoef),
        ("kappa", metrics.cohen_kappa_score),
        ("BalancedAccuracy", metrics.balanced_accuracy_score),
    ):
        assert made.value(name) == pytest.approx(theirs(T, P, **own))


def test_sets_of_labels() -> None:
    metrics = peer("sklearn.metrics")
    true, said = (
        np.array([[name in one for name in "abcd"] for one in sets]) for sets in (SETS, SAID)
    )
    made = pc.decisions(SETS, SAID, weights=W)
    own = {"sample_weight": W, "zero_division": 0}
    for average in ("micro", "macro", "weighted", "samples"):
        wanted = metrics.f1_score(true, said, average=average, **own)
        if average != "samples":
            assert made.f(average=average) == pytest.approx(wanted)
    assert made.precision("samples") == pytest.approx(
        metrics.precision_score(true, said, average="samples", **own)
    )
    assert made.accuracy() == pytest.approx(metrics.accuracy_score(true, said, sample_weight=W))
    tables = metrics.multilabel_confusion_matrix(true, said, sample_weight=W)
    counts = made.counts()
    for cell, places in (("tn", (0, 0)), ("fp", (0, 1)), ("fn", (1, 0)), ("tp", (1, 1))):
        assert getattr(counts, cell) == pytest.approx(tables[:, places[0], places[1]])


@quiet
def test_whole_weights_repeat_items() -> None:
    made, repeated = weighted(K), pc.decisions(np.repeat(T, K), np.repeat(P, K))
    assert made.table.to_dict() == repeated.table.to_dict()
    assert made.counts().tp.dtype.kind == "i"
    assert made.accuracy() == repeated.accuracy()
    for name in ("accuracy", "macro-f", "micro-f", "MCC"):
        assert pc.interval(made, name).ends == pytest.approx(pc.interval(repeated, name).ends)
    for name in ("P", "F", "Specificity"):
        for category in "abc":
            ours, theirs = (pc.interval(each, name)[category] for each in (made, repeated))
            assert ours.ends == theirs.ends
    sets = pc.decisions(SETS, SAID, weights=K)
    often = pc.decisions(
        [one for one, k in zip(SETS, K, strict=True) for _ in range(k)],
        [one for one, k in zip(SAID, K, strict=True) for _ in range(k)],
        list("abcd"),
    )
    assert sets.f(average="samples") == pytest.approx(often.f(average="samples"))
    ours, theirs = (pc.interval(each, "F", average="samples") for each in (sets, often))
    assert ours.ends == pytest.approx(theirs.ends)


@quiet
def test_equal_weights_have_wilson_bounds() -> None:
    made, plain = weighted(np.full(N, 2.5)), pc.decisions(T, P)
    for name in ("P", "R", "Specificity", "accuracy"):
        ours, theirs = (pc.interval(each, name, method="wilson") for each in (made, plain))
        pairs = [(ours, theirs)] if name == "accuracy" else [(ours[c], theirs[c]) for c in "abc"]
        for one, other in pairs:
            assert one.ends == pytest.approx(other.ends, abs=1e-3)
    assert pc.interval(made, "macro-f").ends == pytest.approx(
        pc.interval(plain, "macro-f").ends, abs=3e-3
    )


@quiet
@pytest.mark.parametrize("average", ["micro", "macro", "weighted"])
def test_the_standard_error_is_that_of_resampled_items(average: str) -> None:
    error = pc.interval(weighted(), "F", average=average).standard_error
    drawn = []
    for _ in range(200):
        rows = RNG.integers(0, N, N)
        again = pc.decisions(T[rows], P[rows], list("abc"), weights=W[rows])
        drawn.append(again.f(average=average))
    assert error == pytest.approx(np.std(drawn), rel=0.2)


@quiet
def test_bounds_at_the_ends() -> None:
    sure = pc.interval(pc.decisions(T, T, weights=W), "F", average="macro")
    assert sure.ends[1] == 1 and 0.9 < sure.ends[0] < 1
    none = pc.interval(pc.decisions([1, 1, 0], [0, 0, 0], weights=[0.5, 2, 1]), "R")
    assert none.ends[0] == 0 and none.ends[1] < 1
    assert pc.interval(pc.decisions([1, 1], [1, 1], weights=[0.0, 0.0]), "P").low is None


def test_few_items_that_weigh_much_are_noted() -> None:
    with warned(FewEffectiveItems) as told:
        pc.interval(weighted(np.where(np.arange(N) < 5, 1000.0, 0.5)), "accuracy")
    assert told[0].total < 20


@pytest.mark.nightly
@quiet
@pytest.mark.parametrize(
    ("items", "sigma", "least"), [(200, 0.5, 0.93), (1000, 1.0, 0.93), (200, 1.0, 0.9)]
)
def test_coverage(items: int, sigma: float, least: float) -> None:
    """Of 600 draws, errors weighing twice as much as the rest: accuracy .950, macro-F .948 (200
    items, sigma .5); .957, .958 (1000, 1); .933, .935 (200, 1; noted). The simulation's standard
    error is .009.
    """
    rng, held, draws = np.random.default_rng(5), 0, 300
    kinds = [("a", "a"), ("b", "b"), ("a", "b"), ("b", "a")]
    chances = np.array([0.45, 0.38, 0.1, 0.07])
    heavy = np.array([1, 1, 2, 2])
    true = (chances * heavy)[:2].sum() / (chances * heavy).sum()
    for _ in range(draws):
        kind = rng.choice(4, items, p=chances)
        weights = rng.lognormal(0, sigma, items) * heavy[kind]
        made = pc.decisions(
            [kinds[k][0] for k in kind], [kinds[k][1] for k in kind], list("ab"), weights=weights
        )
        low, high = pc.interval(made, "accuracy").ends
        held += low <= true <= high
    assert held / draws >= least - 3 * np.sqrt(0.05 * 0.95 / draws)


def test_what_is_refused() -> None:
    made = weighted()
    for call, told in (
        (made.confusion, "counts items, and these have weights"),
        (lambda: pc.compare(made, made), "decisions with weights are not compared"),
        (lambda: pc.interval(made, "MCC"), "no interval with sampling weights"),
        (lambda: pc.interval.micro_f(made), "without sampling weights"),
        (lambda: pc.decisions(T, P, weights=W[:-1]), "weights"),
    ):
        with pytest.raises(pc.UsageError, match=told):
            call()
    with pytest.raises(pc.DataError, match="-1"):
        pc.decisions([1, 0], [1, 0], weights=[1.0, -1.0])
    assert np.isnan(pc.decisions([1, 0], [1, 0], weights=[0.0, 0.0]).accuracy())


@quiet
def test_baselines_and_some_labels() -> None:
    made = weighted()
    assert made.baselines()["acceptor"].precision() == pytest.approx(made.support() / W.sum())
    some = pc.decisions(T, P, labels=["c", "a"], weights=W)
    assert some.precision() == pytest.approx(made.precision()[[2, 0]])
    one = pc.decisions(T, P, positive="b", weights=W)
    assert one.f() == pytest.approx(made.f()[1])
    assert made != pc.decisions(T, P)
    # Decisions "a" and "b" of categories in an order.
    linear = peer("sklearn.metrics").cohen_kappa_score(T, P, weights="linear", sample_weight=W)
    ordered = pc.decisions(T, P, list("abc"), weights=W)
    assert ordered.value("kappa(weights=linear)") == pytest.approx(linear)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.csv"
    rows = zip(T, P, W, K, strict=True)
    path.write_text("t,p,w,k\n" + "".join(f"{t},{p},{w},{k}\n" for t, p, w, k in rows))
    command = ["decisions", str(path), "--truth", "t", "--predicted", "p", "--format", "json"]
    assert run([*command, "--weight", "w", "--interval", "--baselines", "-m", "MCC"]) == 2
    assert "MCC has no interval with sampling weights" in capsys.readouterr().err
    assert run([*command, "--weight", "w", "--interval", "--baselines"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["conventions"]["weight"] == "w"
    assert told["categories"]["b"]["TP"] == pytest.approx(weighted().counts().tp[1])
    assert told["averages"]["macro"]["F1"] == pytest.approx(weighted().f(average="macro"))
    assert run([*command, "--weight", "k"]) == 0
    assert (
        json.loads(capsys.readouterr().out)["categories"]["b"]["TP"] == (weighted(K).counts().tp[1])
    )
    assert read_decisions(str(path), "t", "p", weight="k") == weighted(K)
    assert run([*command, "--weight", "z"]) == 2
    assert "no column 'z'" in capsys.readouterr().err
    assert run([*command, "--weight", "w", "--confusion"]) == 2
    assert "a matrix counts items" in capsys.readouterr().err
    assert run([*command[:-2], "--weight", "w"]) == 0
    assert "by weight, of 240 items" in capsys.readouterr().out


@quiet
def test_a_page(tmp_path: Path) -> None:
    pc.report(weighted(), str(tmp_path / "x.html"))
    page = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert f"{weighted().f(average='macro'):.4f}" in page and f"{N} items" in page
