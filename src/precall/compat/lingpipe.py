"""LingPipe's ScoredPrecisionRecallEvaluation, versions 3.9.2 and 4.1, number for number.

It is computed with our own curve, but differs from `precall.curve` on purpose: equal scores keep
the order in which they were added (no blocks). In 3.9.2 curves have a row per correct case, and
average precision divides by the correct cases that were scored, without misses. In 4.1 curves have
a row per case, between two end points of its own. docs/coming-from/lingpipe.md lists every
difference. The module was written from the results of the classes, and has none of their code.

Examples
--------
>>> from precall.compat import lingpipe
>>> evaluation = lingpipe.ScoredPrecisionRecallEvaluation()
>>> evaluation.add_case(True, 0.9)
>>> evaluation.average_precision()
1.0
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cmp_to_key
from itertools import takewhile
from numbers import Real
from typing import NoReturn, Protocol

import numpy as np

from precall.cases import Curve, curve
from precall.core import arguments as checks
from precall.core import notes, ragged, text
from precall.core.errors import UsageError
from precall.results.sheets import Table

_RANKS = (5, 10, 25, 100, 500)
VERSIONS = ("3.9.2", "4.1")
#: 4.1 takes a recall as reached if no more than this is missing.
_NEARLY = 1e-13


class Writer(Protocol):
    """Anything text can be written to.

    Examples
    --------
    >>> import sys
    >>> evaluation = ScoredPrecisionRecallEvaluation()
    >>> evaluation.add_case(True, 0.5)
    >>> evaluation.print_precision_recall_curve(evaluation.pr_curve(False), sys.stdout)
      PRECI.   RECALL        F
    1.000000 1.000000 1.000000
    """

    def write(self, text: str, /) -> object:
        """Write text."""
        ...


class ScoredPrecisionRecallEvaluation:
    """Scored cases and what LingPipe computes of them.

    Parameters
    ----------
    version : "3.9.2" (default), or "4.1". 4.1 has other curves, areas, break-even and precision at
        a rank, counts misses in average precision, and adds `add_negative_misses`, `r_precision`,
        `eleven_pt_interp_precision`, `num_positive_ref` and `num_negative_ref`.

    Raises
    ------
    UsageError
        The version is unknown, a number of misses is negative, or a method belongs to the other
        version.

    Examples
    --------
    >>> evaluation = ScoredPrecisionRecallEvaluation()
    >>> for correct, score in [(False, -1.21), (True, -1.27), (False, -1.39), (True, -1.47)]:
    ...     evaluation.add_case(correct, score)
    >>> evaluation.average_precision()
    0.5
    >>> evaluation.pr_curve(interpolate=True)
    [[1.0, 0.5]]
    >>> later = ScoredPrecisionRecallEvaluation(version="4.1")
    >>> for correct, score in [(False, -1.21), (True, -1.27), (False, -1.39), (True, -1.47)]:
    ...     later.add_case(correct, score)
    >>> later.pr_curve(interpolate=True), later.precision_at(8)
    ([[0.0, 1.0], [0.5, 0.5], [1.0, 0.5]], 0.25)
    """

    version = VERSIONS[0]

    def __getattr__(self, name: str) -> NoReturn:
        ours = text.snake_case(name)
        hint = f"; it is {ours} here" if ours != name and hasattr(type(self), ours) else ""
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{hint}")

    def __new__(cls, version: str = VERSIONS[0]) -> ScoredPrecisionRecallEvaluation:
        """An instance of the version's class."""
        checks.check_choice("version", version, VERSIONS)
        later = version == _Later.version and cls is ScoredPrecisionRecallEvaluation
        return super().__new__(_Later if later else cls)

    def __init__(self, version: str = VERSIONS[0]) -> None:
        self._cases: list[tuple[bool, float]] = []
        self._misses = 0
        self._curve: Curve | None = None

    def add_case(self, correct: bool, score: float) -> None:
        """Add a case: whether it is correct, and its score.

        NaN compares equal to every score; a warning says so.
        """
        number = float(checks.check_kind("score", score, Real, "a number"))
        if math.isnan(number):
            notes.warn(notes.NanScore("score"))
        self._cases.append((bool(correct), number))
        self._curve = None

    def add_misses(self, count: int) -> None:
        """Count correct cases that were never scored; they enlarge the recall denominator."""
        self._misses += checks.check_whole("count", count, 0)
        self._curve = None

    def add_negative_misses(self, count: int) -> None:
        """4.1: count incorrect cases that were never scored.

        They enlarge the denominator of rejection recall.
        """
        raise self._of_later("add_negative_misses")

    def num_cases(self) -> int:
        """The number of cases added; 4.1 counts misses also."""
        return len(self._cases)

    def num_positive_ref(self) -> int:
        """4.1: correct cases, misses included."""
        raise self._of_later("num_positive_ref")

    def num_negative_ref(self) -> int:
        """4.1: incorrect cases, misses included."""
        raise self._of_later("num_negative_ref")

    def r_precision(self) -> float:
        """4.1: meant as precision at the rank equal to the number of correct cases; often it is
        not.
        """
        raise self._of_later("r_precision")

    def eleven_pt_interp_precision(self) -> list[float]:
        """4.1: interpolated precision at recall 0, .1, ..., 1; at 0 it is always 1."""
        raise self._of_later("eleven_pt_interp_precision")

    def pr_precision_at(self, rank: int) -> float:
        """4.1: another name of `precision_at`."""
        raise self._of_later("pr_precision_at")

    @staticmethod
    def _of_later(name: str) -> UsageError:
        return UsageError(
            argument=name,
            what="LingPipe 3.9.2 has none",
            remedy=f"ask for version={_Later.version!r}",
        )

    def _whole(self) -> Curve:
        if self._curve is None:
            # LingPipe's comparator says that NaN equals everything. A stable sort with the same
            # comparator gives Java's order.
            self._cases.sort(key=cmp_to_key(_descending))
            correct = np.array([is_correct for is_correct, _ in self._cases], np.bool_)
            # Negated ranks as scores: no two are equal, so the order of addition is kept.
            self._curve = curve(
                correct, -np.arange(len(correct), dtype=np.float64), missed=self._misses
            )
        return self._curve

    def _points(self, table: Table, height: str, interpolate: bool) -> list[list[float]]:
        columns = (np.asarray(table[name]).tolist() for name in ("recall", height, "threshold"))
        rows = list(map(list, zip(*columns, strict=True)))
        if not interpolate:
            return rows
        # From the right, keep points that are higher than all kept so far; NaN is never higher.
        kept: list[list[float]] = []
        for row in reversed(rows):
            if row[1] > (kept[-1][1] if kept else -math.inf):
                kept.append(row)
        return kept[::-1]

    def pr_curve(self, interpolate: bool) -> list[list[float]]:
        """[recall, precision] at every correct case; interpolated: without dominated points.

        4.1 has a point at every case, between (0, 1) and (1, 0); interpolated: the greatest
        precision at each recall or more.
        """
        return [row[:2] for row in self._points(self._whole().pr(), "precision", interpolate)]

    def pr_score_curve(self, interpolate: bool) -> list[list[float]]:
        """[recall, precision, score] at every correct case.

        4.1 has a point at every case, and never interpolates.
        """
        rows = self._points(self._whole().pr(), "precision", interpolate)
        return [
            [recall, precision, self._cases[int(-negated_rank)][1]]
            for recall, precision, negated_rank in rows
        ]

    def roc_curve(self, interpolate: bool) -> list[list[float]]:
        """[recall, rejection recall] at every correct case.

        4.1 has [1 - rejection recall, recall] at every case.
        """
        return [
            row[:2] for row in self._points(self._whole().roc(), "rejection_recall", interpolate)
        ]

    def area_under_pr_curve(self, interpolate: bool) -> float:
        """Area under the steps of the precision-recall curve; 4.1: under straight lines."""
        return _area(self.pr_curve(interpolate))

    def area_under_roc_curve(self, interpolate: bool) -> float:
        """Area under the steps of the ROC curve; 4.1: under straight lines."""
        return _area(self.roc_curve(interpolate))

    def average_precision(self) -> float:
        """Mean precision at the correct cases that were scored; NaN if there is none.

        Misses are left out; 4.1 counts them as 0.
        """
        precision = np.asarray(self._whole().pr()["precision"], np.float64)
        return ragged.total(precision) / len(precision) if len(precision) else math.nan

    def maximum_f_measure(self, beta: float = 1.0) -> float:
        """Greatest F at a correct case; 0 if there is none."""
        checks.check_beta(beta, 0, math.inf)
        values = [_f(beta, recall, precision) for recall, precision in self.pr_curve(False)]
        return math.nan if any(map(math.isnan, values)) else max([0.0, *values])

    def pr_breakeven_point(self) -> float:
        """Precision of the first interpolated point whose recall exceeds it; 0 if there is none.

        4.1 returns `r_precision`.
        """
        return next(
            (precision for recall, precision in self.pr_curve(True) if recall > precision), 0.0
        )

    def precision_at(self, rank: int) -> float:
        """Precision of the first `rank` cases; NaN with fewer cases, or for rank 0.

        In 4.1 missing ranks count as incorrect.
        """
        if rank > len(self._cases) or rank == 0:
            return math.nan
        # Java's loop does not run for a negative rank.
        return (float(self._whole().tp[rank]) if rank > 0 else 0.0) / rank

    def reciprocal_rank(self) -> float:
        """1 / rank of the first correct case; 0 if there is none."""
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
        # LingPipe stops at the first rank for which there are enough cases, so 3.9.2 prints only
        # NaN here.
        short = takewhile(lambda rank: rank > len(self._cases), _RANKS)
        named += [(f"Precision at {rank}", self.precision_at(rank)) for rank in short]
        return "\n".join(f"  {name}={_java(value)}" for name, value in named)

    @staticmethod
    def print_precision_recall_curve(curve: Iterable[Sequence[float]], file: Writer) -> None:
        """Write precision, recall and F of each [recall, precision] of a curve."""
        points = checks.check_numbers(
            "curve", list(checks.check_kind("curve", curve, Iterable, "what pr_curve() returns"))
        )
        checks.check_kind("file", getattr(file, "write", file), Callable, "an open text file")
        file.write(f"{'PRECI.':>8} {'RECALL':>8} {'F':>8}\n")
        for recall, precision, *_ in points.tolist():
            cells = [f"{value:8.6f}" for value in (precision, recall, _f(1.0, recall, precision))]
            file.write(" ".join(cell.replace("nan", "NaN") for cell in cells) + "\n")


class _Later(ScoredPrecisionRecallEvaluation):
    """LingPipe's version 4.1."""

    version = VERSIONS[1]

    def __init__(self, version: str = VERSIONS[1]) -> None:
        super().__init__()
        self._negative_misses = 0

    def add_negative_misses(self, count: int) -> None:
        checks.check_whole("count", count, 0)
        self._negative_misses += count

    def num_cases(self) -> int:
        return self.num_positive_ref() + self.num_negative_ref()

    def num_positive_ref(self) -> int:
        return int(self._whole().relevant)

    def num_negative_ref(self) -> int:
        return int(self._whole().other) + self._negative_misses

    def _shares(self) -> tuple[list[float], list[float], list[float]]:
        """Recall, precision and rejection recall at every case."""
        path, others = self._whole(), self.num_negative_ref()
        tp, fp = path.tp[1:], path.fp[1:]
        with np.errstate(invalid="ignore"):
            rejection = (others - fp) / np.float64(others)
            return (
                (tp / np.float64(path.relevant)).tolist(),
                (tp / (tp + fp)).tolist(),
                rejection.tolist(),
            )

    def pr_curve(self, interpolate: bool) -> list[list[float]]:
        recall, precision, _ = self._shares()
        # LingPipe leaves out cases before the first correct one.
        rows = [[r, p] for r, p in zip(recall, precision, strict=True) if r != 0 or p != 0]
        rows = [[0.0, 1.0], *rows, [1.0, 0.0]]
        if not interpolate:
            return rows
        best = np.maximum.accumulate([p for _, p in rows[::-1]])[::-1].tolist()
        # The first row at each recall. NaN never equals the recall of the row before.
        return [[r, best[i]] for i, (r, _) in enumerate(rows) if not i or r != rows[i - 1][0]]

    def pr_score_curve(self, interpolate: bool) -> list[list[float]]:
        if interpolate:
            message = "is ragged in LingPipe 4.1, whose own printing of it fails"
            raise UsageError(
                argument="pr_score_curve(interpolate=True)",
                what=message,
                remedy="take pr_curve(True), or version='3.9.2'",
            )
        recall, precision, _ = self._shares()
        scores = [score for _, score in self._cases]
        return [list(row) for row in zip(recall, precision, scores, strict=True)]

    def roc_curve(self, interpolate: bool) -> list[list[float]]:
        recall, _, rejection = self._shares()
        rows = [
            [0.0, 0.0],
            *([1 - n, r] for n, r in zip(rejection, recall, strict=True)),
            [1.0, 1.0],
        ]
        if not interpolate:
            return rows
        return [row for i, row in enumerate(rows) if i + 1 == len(rows) or row[0] != rows[i + 1][0]]

    def area_under_pr_curve(self, interpolate: bool) -> float:
        return _trapezoids(self.pr_curve(interpolate))

    def area_under_roc_curve(self, interpolate: bool) -> float:
        return _trapezoids(self.roc_curve(interpolate))

    def average_precision(self) -> float:
        precision = np.asarray(self._whole().pr()["precision"], np.float64)
        relevant = self.num_positive_ref()
        return ragged.total(precision) / relevant if relevant else math.nan

    def pr_breakeven_point(self) -> float:
        return self.r_precision()

    def r_precision(self) -> float:
        relevant, points = self.num_positive_ref(), self.pr_curve(False)
        if not relevant:
            return 1.0
        # The row of this number is not the rank: the curve begins with a point without a case, and
        # leaves cases out. LingPipe's result is reproduced.
        return points[relevant - 1][1] if relevant < len(points) else 0.0

    def eleven_pt_interp_precision(self) -> list[float]:
        points = self.pr_curve(True)
        return [next((p for r, p in points if r + _NEARLY >= 0.1 * i), 0.0) for i in range(11)]

    def precision_at(self, rank: int) -> float:
        if rank < 0:
            raise UsageError(argument="rank", allowed=">= 0", got=rank)
        return float(self._whole().tp[min(rank, len(self._cases))]) / rank if rank else 1.0

    def pr_precision_at(self, rank: int) -> float:
        return self.precision_at(rank)


def _trapezoids(points: list[list[float]]) -> float:
    """The area under straight lines."""
    x, height = np.array(points).T
    return math.fsum((np.diff(x) * (height[1:] + height[:-1])).tolist()) / 2


def _descending(a: tuple[bool, float], b: tuple[bool, float]) -> int:
    return (b[1] > a[1]) - (b[1] < a[1])


def _area(points: list[list[float]]) -> float:
    recall, height = np.array(points).reshape(-1, 2).T
    return ragged.total(height * np.diff(recall, prepend=0.0))


def _f(beta: float, recall: float, precision: float) -> float:
    divisor = recall + beta * beta * precision
    return (1 + beta * beta) * recall * precision / divisor if divisor else math.nan


def _java(value: float) -> str:
    """A double as Java prints it."""
    if math.isnan(value):
        return "NaN"
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return repr(value)
    written = repr(value)
    if "e" not in written:
        size = len(written.replace("-", "").replace(".", "").lstrip("0"))
        written = f"{value:.{max(size - 1, 1)}e}"
    digits, _, exponent = written.partition("e")
    return f"{digits if '.' in digits else digits + '.0'}E{int(exponent)}"
