"""Areas of real scored cases: what other tools reported for them, and by what cause some differ.

A peer's number that is not ours is not skipped: its own rule is applied to our curve.
"""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from precall.cases import Curve, area_under_roc, average_precision, curve
from precall.hard_decisions import categorize

#: Data set: file, column of labels, column of scores, the relevant label.
SETS = {
    "ROCR_simple": ("ROCR_simple.csv", "label", "score", "1"),
    "suicide_dsi": ("cutpointr_suicide.csv", "suicide", "dsi", "yes"),
    "aSAH_wfns": ("pROC_aSAH.csv", "outcome", "wfns", "Poor"),
    "aSAH_s100b": ("pROC_aSAH.csv", "outcome", "s100b", "Poor"),
    "aSAH_ndka": ("pROC_aSAH.csv", "outcome", "ndka", "Poor"),
    "aSAH_age": ("pROC_aSAH.csv", "outcome", "age", "Poor"),
    "sk_breast_cancer_lr": ("sk_breast_cancer_lr.csv", "label", "score", "1"),
    "sk_digits8_lr": ("sk_digits_lr_multiclass.csv.gz", "label", "p8", "8"),
    "precrec_P10N10": ("precrec_P10N10.csv", "label", "score", "1"),
}
TIED = {"suicide_dsi", "aSAH_wfns", "aSAH_s100b", "aSAH_age", "precrec_P10N10"}


def rows(path: Path) -> list[dict[str, str]]:
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
    return [{k.strip(): v for k, v in row.items()} for row in csv.DictReader(text.splitlines())]


@pytest.fixture(scope="module")
def folder(facts: Path) -> Path:
    return facts / "scored"


@pytest.fixture(scope="module")
def peers(folder: Path) -> dict[str, dict[str, str]]:
    """The numbers of all peers, by data set."""
    found: dict[str, dict[str, str]] = {}
    for name in ("peer_outputs_python.csv", "peer_outputs_R.csv"):
        for row in rows(folder / name):
            found.setdefault(row["dataset"], {}).update(row)
    return found


@pytest.fixture(scope="module", params=SETS)
def case(request: pytest.FixtureRequest, folder: Path) -> tuple[str, Any, Any]:
    file, label, score, relevant = SETS[request.param]
    table = rows(folder / file)
    return (
        request.param,
        np.array([row[label] == relevant for row in table]),
        np.array([float(row[score]) for row in table]),
    )


def trapezoids(x: Any, y: Any) -> float:
    return float(np.sum(np.diff(x) * (y[1:] + y[:-1])) / 2)


def from_one(c: Curve) -> Any:
    """Precision with the artificial point (recall 0, precision 1) that several tools put first."""
    return np.append(1.0, c.precision[1:])


SAME: dict[str, Callable[[Curve], float]] = {
    "sk_ap": lambda c: c.area_under_pr("step"),
    "sk_pr_trapz": lambda c: c.area_under_pr("trapezoid"),
    "sk_roc_auc": lambda c: c.area_under_roc(),
    "sk_pauc_mcclish_fpr10": lambda c: c.area_under_roc(max_fpr=0.1, mcclish=True),
    "sk_maxf1": lambda c: c.max_f().value,
    "sk_maxf1_thr": lambda c: c.max_f().threshold,
    # 11 points of scikit-learn's curve, which begins with the artificial point: so at recall 0 the
    # value is 1, also where the best block is impure and no cut has precision 1 (aSAH_wfns).
    "interp11": lambda c: float(c.eleven_point(from_one=True).mean()),
    "interp_all": lambda c: c.area_under_pr("interpolated"),
    "sk_maxprec_at_rec80": lambda c: float(c.precision[c.recall >= 0.8].max()),
    "sk_maxrec_at_prec80": lambda c: c.at(precision=0.8).recall,
    "pds_ap": lambda c: c.average_precision(),
    "pds_auc": lambda c: c.area_under_roc(),
    "catboost_prauc": lambda c: c.area_under_pr("trapezoid"),
    "catboost_auc": lambda c: c.area_under_roc(),
    "PRROC_auc_integral": lambda c: c.area_under_pr("davis-goadrich"),
    "PRROC_davis_goadrich": lambda c: c.area_under_pr("davis-goadrich-discrete"),
    "PRROC_roc": lambda c: c.area_under_roc(),
    "precrec_roc": lambda c: c.area_under_roc(),
    "ROCR_auc": lambda c: c.area_under_roc(),
    "ROCR_maxf": lambda c: c.max_f().value,
    "pROC_auc": lambda c: c.area_under_roc(),
    "pROC_pauc_sp90_100": lambda c: c.area_under_roc(max_fpr=0.1),
    "pROC_pauc_sp_corrected": lambda c: c.area_under_roc(max_fpr=0.1, mcclish=True),
    # The first segment is lost: precision is undefined at recall 0, and undefined points are
    # removed.
    "MLmetrics_PRAUC": lambda c: trapezoids(c.recall[1:], c.precision[1:]),
}
#: In single precision (torcheval), or by a curve sampled at steps of .001 (precrec).
NEAR: dict[str, tuple[float, Callable[[Curve], float]]] = {
    "te_auprc": (1e-7, lambda c: c.average_precision()),
    "te_auroc": (1e-7, lambda c: c.area_under_roc()),
    "precrec_prc": (5e-6, lambda c: c.area_under_pr("davis-goadrich")),
}


@pytest.mark.nightly(keep=54)
@pytest.mark.parametrize("column", SAME)
def test_equal(case: tuple[str, Any, Any], peers: dict[str, dict[str, str]], column: str) -> None:
    name, truth, score = case
    assert SAME[column](curve(truth, score)) == pytest.approx(
        float(peers[name][column]), rel=0, abs=2e-12
    )


@pytest.mark.parametrize("column", NEAR)
def test_near(case: tuple[str, Any, Any], peers: dict[str, dict[str, str]], column: str) -> None:
    name, truth, score = case
    within, ours = NEAR[column]
    assert ours(curve(truth, score)) == pytest.approx(float(peers[name][column]), rel=0, abs=within)


def test_eleven_points_of_a_pure_first_block(
    case: tuple[str, Any, Any], peers: dict[str, Any]
) -> None:
    """Where the best block is pure the artificial point adds nothing, and the number is ours as it
    is.
    """
    name, truth, score = case
    c = curve(truth, score)
    pure = bool(c.precision[1] == 1)
    assert (
        c.area_under_pr("11-point") == pytest.approx(float(peers[name]["interp11"]), abs=1e-12)
    ) == pure
    assert pure == (name != "aSAH_wfns")


def test_partial_area_of_high_recall(case: tuple[str, Any, Any], peers: dict[str, Any]) -> None:
    """Recall 90..100 %: the part of low false positive rate of the reversed question."""
    name, truth, score = case
    flipped = curve(~truth, -score)
    assert flipped.area_under_roc(max_fpr=0.1) == pytest.approx(
        float(peers[name]["pROC_pauc_se90_100"]), abs=1e-12
    )


def test_torchmetrics_squeezes_scores(case: tuple[str, Any, Any], peers: dict[str, Any]) -> None:
    """Scores outside 0..1 go through a sigmoid, which makes large ones equal."""
    name, truth, score = case
    squeezed = score if score.min() >= 0 and score.max() <= 1 else 1 / (1 + np.exp(-score))
    assert average_precision(truth, squeezed) == pytest.approx(
        float(peers[name]["tm_ap"]), abs=2e-7
    )
    assert area_under_roc(truth, squeezed) == pytest.approx(
        float(peers[name]["tm_auroc"]), abs=2e-7
    )


def test_rocr_break_even(case: tuple[str, Any, Any], peers: dict[str, Any]) -> None:
    """ROCR finds a cut of P = R, and says 0 within rounding where there is none."""
    name, truth, score = case
    c = curve(truth, score)
    there = bool(np.any(c.tp + c.fp == c.relevant))
    wanted = c.break_even("nearest") if there else 0.0
    assert float(peers[name]["ROCR_prbe"]) == pytest.approx(wanted, abs=1e-12)


def test_rocr_area(case: tuple[str, Any, Any], peers: dict[str, Any]) -> None:
    """Without ties: ROCR keeps only the point of least FP for each TP, which is optimistic."""
    name, truth, score = case
    c = curve(truth, score)
    first = np.append(0, np.flatnonzero(np.diff(c.tp)) + 1)
    value = float(peers[name]["ROCR_aucpr"])
    if name not in TIED:
        assert trapezoids(c.recall[first], from_one(c)[first]) == pytest.approx(value, abs=1e-12)
        assert value > c.area_under_pr("trapezoid")


def test_gain_area_of_r(case: tuple[str, Any, Any], folder: Path) -> None:
    name, truth, score = case
    known = dict(line.split(",") for line in (folder / "prg_reference_R.csv").read_text().split())
    name = name.removeprefix("precrec_")
    if name in known:
        assert curve(truth, score).area_under_pr("gain") == pytest.approx(
            float(known[name]), abs=1e-12
        )
    else:
        assert name.startswith("sk_")


def test_published_areas(folder: Path) -> None:
    """The table of docs/how-to/curves.md."""
    table = rows(folder / "pROC_aSAH.csv")
    c = curve(
        [row["outcome"] for row in table], [float(row["wfns"]) for row in table], positive="Poor"
    )
    known = dict(zip(c.areas().to_dict()["area"], c.areas().to_dict()["value"], strict=True))
    wanted = {
        "pr step": 0.680337,
        "pr trapezoid": 0.754778,
        "pr davis-goadrich-discrete": 0.708988,
        "pr davis-goadrich": 0.708764,
        "pr gain": 0.746070,
        "roc trapezoid": 0.823679,
    }
    assert {name: round(known[name], 6) for name in wanted} == wanted


def test_breakpoints(folder: Path) -> None:
    """Points that the line between operating points passes, worked out by hand for four small
    sets.
    """
    import json

    for one in json.loads((folder / "prcbench_C1_C4.json").read_text()).values():
        c = curve(one["labels"], one["scores"])
        known = set(
            zip(np.round(c.recall, 9).tolist(), np.round(from_one(c), 9).tolist(), strict=True)
        )
        points = set(zip(one["bp_x"], [round(y, 9) for y in one["bp_y"]], strict=True))
        inner = {(x, y) for x, y in points if (x, y) not in known and x > 0}
        for x, y in inner:
            assert between(c, x) == pytest.approx(y, abs=1e-9)


def between(c: Curve, recall: float) -> float:
    """Precision at a recall between two points, false positives being linear in true ones."""
    tp = recall * c.relevant
    row = int(np.searchsorted(c.tp, tp))
    share = (tp - c.tp[row - 1]) / (c.tp[row] - c.tp[row - 1])
    return float(tp / (tp + c.fp[row - 1] + share * (c.fp[row] - c.fp[row - 1])))


@pytest.mark.nightly
def test_categories_of_digits(folder: Path) -> None:
    """Ten digits: Hand & Till's area and one-vs-rest, against scikit-learn where it is
    installed.
    """
    table = rows(folder / "sk_digits_lr_multiclass.csv.gz")
    truth = np.array([int(row["label"]) for row in table])
    scores = np.array([[float(row[f"p{k}"]) for k in range(10)] for row in table])
    s = categorize(truth, scores)
    by_pair = [
        area_under_roc(truth[both] == a, scores[both, a]) / 2
        + area_under_roc(truth[both] == b, scores[both, b]) / 2
        for a in range(10)
        for b in range(a)
        for both in [(truth == a) | (truth == b)]
    ]
    assert s.hand_till() == pytest.approx(float(np.mean(by_pair)), abs=1e-13)
    metrics = pytest.importorskip(
        "sklearn.metrics", reason="scikit-learn is not installed: digits not compared"
    )
    area, ap = metrics.roc_auc_score, metrics.average_precision_score
    assert s.hand_till() == pytest.approx(area(truth, scores, multi_class="ovo"), abs=1e-12)
    assert s.by_category("AUC").mean() == pytest.approx(
        area(truth, scores, multi_class="ovr"), abs=1e-12
    )
    assert s.by_category("AP").mean() == pytest.approx(ap(truth, scores), abs=1e-12)
    assert s.by_item("AP").mean() == pytest.approx(ap(truth, scores, average="samples"), abs=1e-12)
    assert s.micro("AP") == pytest.approx(ap(truth, scores, average="micro"), abs=1e-12)
