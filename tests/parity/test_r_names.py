"""The page for users of R: what it writes runs, and its numbers are those of the definitions.

R is not here. What pROC, PRROC and precrec printed is recorded: test_proc.py and test_peer_areas.py
compare that.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.plot import PrecisionRecall

PAGE = Path(__file__).parents[2] / "docs" / "coming-from" / "r.md"
#: Arguments and columns, which are nothing by themselves.
PARTS = {'test="bootstrap"', 'axes="specificity"', "weights="}


def written() -> list[str]:
    """The code in the second column of each table."""
    cells = [
        line.split("|")[2]
        for line in PAGE.read_text(encoding="utf-8").splitlines()
        if line.startswith("| ")
    ]
    return sorted({code for cell in cells for code in re.findall(r"`([^`]+)`", cell)} - PARTS)


def names() -> dict[str, Any]:
    """What the page calls what; scores of few values, so that many are equal."""
    rng = np.random.default_rng(0)
    labels = (rng.random(60) < 0.4).astype(int)
    first, second = (np.round(rng.random(60) + labels * shift, 1) for shift in (0.4, 0.2))
    a, b = (first > 0.6).astype(int), (second > 0.6).astype(int)
    return {
        "pc": pc,
        "PrecisionRecall": PrecisionRecall,
        "y": labels,
        "labels": labels,
        "s": first,
        "scores": first,
        "s1": first,
        "s2": second,
        "worst": -labels,
        "c": pc.curve(labels, first),
        "p": a,
        "a": a,
        "b": b,
        "d": pc.decisions(labels, a),
        "fg": list(first[labels == 1]),
        "bg": list(first[labels == 0]),
        "items": 60,
        "relevant": int(labels.sum()),
        "name": "name",
    }


def categories() -> dict[str, Any]:
    """The same where there are three."""
    rng = np.random.default_rng(1)
    truth, scores = rng.integers(0, 3, 60), np.round(rng.random((60, 3)), 1)
    return {"pc": pc, "y": truth, "scores": scores, "s": pc.categorize(truth, scores)}


def given(code: str) -> dict[str, Any]:
    return categories() if "hand_till" in code else names()


@pytest.mark.filterwarnings("ignore:band. only 25 relevant:precall.PrecallWarning")
@pytest.mark.parametrize("code", written())
def test_what_the_page_writes_runs(code: str) -> None:
    eval(code, given(code))


def share_of_pairs(at: dict[str, Any]) -> float:
    """Mann and Whitney's: equal scores are half right."""
    good, other = np.array(at["fg"])[:, None], np.array(at["bg"])
    return float(np.mean((good > other) + (good == other) / 2))


def corner(at: dict[str, Any], most: float = 0.2) -> float:
    """The area under straight lines between the points of ROC, up to a false positive rate."""
    found = [(0.0, 0.0)] + [
        (float(np.mean(np.array(at["bg"]) >= t)), float(np.mean(np.array(at["fg"]) >= t)))
        for t in np.unique(at["s1"])[::-1]
    ]
    x, y = np.transpose(found)
    fine = np.union1d(x[x <= most], [most])
    upper = [
        max(v for u, v in found if u == at_x) if at_x in x else np.interp(at_x, x, y)
        for at_x in fine
    ]
    lower = [
        min(v for u, v in found if u == at_x) if at_x in x else np.interp(at_x, x, y)
        for at_x in fine
    ]
    return float(
        sum((fine[i + 1] - fine[i]) * (upper[i] + lower[i + 1]) / 2 for i in range(len(fine) - 1))
    )


def of_categories(at: dict[str, Any]) -> float:
    """Hand and Till: the mean over pairs of categories of the share of pairs of items, either
    way.
    """
    truth, scores = at["y"], at["scores"]
    shares = []
    for a, b in ((a, b) for a in range(3) for b in range(3) if a != b):
        good, other = scores[truth == a, a][:, None], scores[truth == b, a]
        shares.append(np.mean((good > other) + (good == other) / 2))
    return float(np.mean(shares))


def kappa(at: dict[str, Any]) -> float:
    chance = sum(np.mean(at["y"] == one) * np.mean(at["a"] == one) for one in (0, 1))
    return float((np.mean(at["y"] == at["a"]) - chance) / (1 - chance))


def mcnemar(at: dict[str, Any]) -> float:
    """Exact: a coin for each item that one of the two has right."""
    first, second = at["a"] == at["y"], at["b"] == at["y"]
    less, more = sorted([int(np.sum(first & ~second)), int(np.sum(second & ~first))])
    return min(1.0, 2 * sum(comb(less + more, k) for k in range(less + 1)) / 2 ** (less + more))


def by_steps(at: dict[str, Any]) -> float:
    """Precision at each threshold, by how much recall grows there."""
    total, before = 0.0, 0
    for t in np.unique(at["s1"])[::-1]:
        hits, accepted = int(np.sum(np.array(at["fg"]) >= t)), int(np.sum(at["s1"] >= t))
        total, before = total + (hits - before) * hits / accepted, hits
    return total / at["relevant"]


def mean_by_chance(at: dict[str, Any]) -> float:
    """The mean of AP: at rank i the others above it are as good as any."""
    n, good = at["items"], at["relevant"]
    return float(np.mean([(1 + (i - 1) * (good - 1) / (n - 1)) / i for i in range(1, n + 1)]))


#: What the page writes → the same number from its definition.
NUMBERS: dict[str, Callable[[dict[str, Any]], float]] = {
    "c.area_under_roc()": share_of_pairs,
    'c.value("AUC(max_fpr=0.2)")': corner,
    'c.value("AUC(max_fpr=0.2,mcclish=true)")': lambda at: (
        (1 + (corner(at) - 0.02) / (0.2 - 0.02)) / 2
    ),
    "pc.categorize(y, scores).hand_till()": of_categories,
    "s.hand_till()": of_categories,
    'd.value("kappa")': kappa,
    'pc.compare.decisions(y, a, b, "accuracy", test="mcnemar")': mcnemar,
    'c.area_under_pr("step")': by_steps,
    "c.area_under_pr()": by_steps,
    "pc.null.average_precision(items, relevant).mean": mean_by_chance,
}


@pytest.mark.parametrize("code", NUMBERS)
def test_its_numbers_are_those_of_the_definitions(code: str) -> None:
    assert code in written()
    at = given(code)
    answer = eval(code, at)
    assert getattr(answer, "p", answer) == pytest.approx(NUMBERS[code](at), rel=1e-12)
