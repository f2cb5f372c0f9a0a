"""LingPipe 3.9.2's ScoredPrecisionRecallEvaluation, number for number, on top of our own curve.

It differs from `precall.curve` on purpose: equal scores keep the order in which they were added (no
blocks), curves have a row per correct case, and average precision divides by the correct cases that
were scored, leaving misses out. docs/lingpipe.md lists every difference.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cmp_to_key
from itertools import takewhile
from typing import Protocol

import numpy as np

from precall import ragged
from precall.curves import Curve, curve
from precall.errors import UsageError
from precall.results import Table

_RANKS = (5, 10, 25, 100, 500)


class Writer(Protocol):
    """Anything text can be written to."""

    def write(self, text: str, /) -> object:
        """Write text."""
        ...


class ScoredPrecisionRecallEvaluation:
    """Scored cases and what LingPipe 3.9.2 computes of them.

    Examples
    --------
    >>> evaluation = ScoredPrecisionRecallEvaluation()
    >>> for correct, score in [(False, -1.21), (True, -1.27), (False, -1.39), (True, -1.47)]:
    ...     evaluation.add_case(correct, score)
    >>> evaluation.average_precision()
    0.5
    >>> evaluation.pr_curve(interpolate=True)
    [[1.0, 0.5]]
    """

    def __init__(self) -> None:
        self._cases: list[tuple[bool, float]] = []
        self._misses = 0
        self._curve: Curve | None = None

    def add_case(self, correct: bool, score: float) -> None:
        """Add a case: whether it is correct, and its score; NaN compares equal to every score."""
        self._cases.append((bool(correct), float(score)))
        self._curve = None

    def add_misses(self, count: int) -> None:
        """Count correct cases that were never scored: they enlarge the recall denominator of the curves."""
        if count < 0:
            raise UsageError(f"count: misses must be >= 0, got {count}")
        self._misses += count
        self._curve = None

    def num_cases(self) -> int:
        """Cases added, without misses."""
        return len(self._cases)

    def _whole(self) -> Curve:
        if self._curve is None:
            # LingPipe's comparator says that NaN equals everything; a stable sort by it, as in Java.
            self._cases.sort(key=cmp_to_key(_descending))
            correct = np.array([is_correct for is_correct, _ in self._cases], np.bool_)
            # Ranks for scores: no two are equal.
            self._curve = curve(correct, -np.arange(len(correct), dtype=np.float64), missed=self._misses)
        return self._curve

    def _points(self, table: Table, height: str, interpolate: bool) -> list[list[float]]:
        columns = (np.asarray(table[name]).tolist() for name in ("recall", height, "threshold"))
        rows = list(map(list, zip(*columns, strict=True)))
        if not interpolate:
            return rows
        # From the right: points whose height exceeds all kept before; NaN exceeds nothing.
        kept: list[list[float]] = []
        for row in reversed(rows):
            if row[1] > (kept[-1][1] if kept else -math.inf):
                kept.append(row)
        return kept[::-1]

    def pr_curve(self, interpolate: bool) -> list[list[float]]:
        """[recall, precision] at every correct case; interpolated: without dominated points."""
        return [row[:2] for row in self._points(self._whole().pr(), "precision", interpolate)]

    def pr_score_curve(self, interpolate: bool) -> list[list[float]]:
        """[recall, precision, score] at every correct case."""
        rows = self._points(self._whole().pr(), "precision", interpolate)
        return [[recall, precision, self._cases[int(-place)][1]] for recall, precision, place in rows]

    def roc_curve(self, interpolate: bool) -> list[list[float]]:
        """[recall, rejection recall] at every correct case."""
        return [row[:2] for row in self._points(self._whole().roc(), "rejection_recall", interpolate)]

    def area_under_pr_curve(self, interpolate: bool) -> float:
        """Area under the steps of the precision-recall curve."""
        return _area(self.pr_curve(interpolate))

    def area_under_roc_curve(self, interpolate: bool) -> float:
        """Area under the steps of the ROC curve."""
        return _area(self.roc_curve(interpolate))

    def average_precision(self) -> float:
        """Mean precision at the correct cases that were scored; misses are left out, NaN without any."""
        precision = np.asarray(self._whole().pr()["precision"], np.float64)
        return ragged.total(precision) / len(precision) if len(precision) else math.nan

    def maximum_f_measure(self, beta: float = 1.0) -> float:
        """Greatest F at a correct case, 0 without any."""
        values = [_f(beta, recall, precision) for recall, precision in self.pr_curve(False)]
        return math.nan if any(map(math.isnan, values)) else max([0.0, *values])

    def pr_breakeven_point(self) -> float:
        """Precision of the first interpolated point whose recall exceeds it; 0 if there is none."""
        return next((precision for recall, precision in self.pr_curve(True) if recall > precision), 0.0)

    def precision_at(self, rank: int) -> float:
        """Precision of the first `rank` cases; NaN with fewer cases, or for rank 0."""
        if rank > len(self._cases) or rank == 0:
            return math.nan
        # Java's loop does not run for a negative rank.
        return (float(self._whole().tp[rank]) if rank > 0 else 0.0) / rank

    def reciprocal_rank(self) -> float:
        """1 / rank of the first correct case; 0 without any."""
        return self._whole().reciprocal_rank()

    def __str__(self) -> str:
        named = [
            ("Area Under PR Curve (interpolated)", self.area_under_pr_curve(True)),
            ("Area Under PR Curve (uninterpolated)", self.area_under_pr_curve(False)),
            ("Area Under ROC Curve (interpolated)", self.area_under_roc_curve(True)),
            ("Area Under ROC Curve (uninterpolated)", self.area_under_roc_curve(False)),
            ("Average Precision", self.average_precision()),
            ("Maximum F(1) Measure", self.maximum_f_measure()),
            ("BEP (Precision-Recall break even point)", self.pr_breakeven_point()),
            ("Reciprocal Rank", self.reciprocal_rank()),
        ]
        # LingPipe stops at the first rank that there are enough cases for, so all it prints here is NaN.
        short = takewhile(lambda rank: rank > len(self._cases), _RANKS)
        named += [(f"Precision at {rank}", math.nan) for rank in short]
        return "\n".join(f"  {name}={_java(value)}" for name, value in named)

    @staticmethod
    def print_precision_recall_curve(curve: Iterable[Sequence[float]], file: Writer) -> None:
        """Write precision, recall and F of each [recall, precision] of a curve."""
        file.write(f"{'PRECI.':>8} {'RECALL':>8} {'F':>8}\n")
        for recall, precision, *_ in curve:
            cells = [f"{value:8.6f}" for value in (precision, recall, _f(1.0, recall, precision))]
            file.write(" ".join(cell.replace("nan", "NaN") for cell in cells) + "\n")


def _descending(a: tuple[bool, float], b: tuple[bool, float]) -> int:
    return (b[1] > a[1]) - (b[1] < a[1])


def _area(points: list[list[float]]) -> float:
    recall, height = np.array(points).reshape(-1, 2).T
    return ragged.total(height * np.diff(recall, prepend=0.0))


def _f(beta: float, recall: float, precision: float) -> float:
    whole = recall + beta * beta * precision
    return (1 + beta * beta) * recall * precision / whole if whole else math.nan


def _java(value: float) -> str:
    """A double as Java prints it."""
    if math.isnan(value):
        return "NaN"
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return repr(value)
    text = repr(value)
    if "e" not in text:
        size = len(text.replace("-", "").replace(".", "").lstrip("0"))
        text = f"{value:.{max(size - 1, 1)}e}"
    digits, _, exponent = text.partition("e")
    return f"{digits if '.' in digits else digits + '.0'}E{int(exponent)}"
