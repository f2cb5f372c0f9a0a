"""Scored cases → a section of a record: curves with their operating points, intervals, bands, comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.drawing.thinning import MANY, kept, thin
from precall.measures.areas import needed
from precall.notes import together
from precall.page.operating import AGAINST
from precall.page.record_tables import blocks_of
from precall.results import counted, number
from precall.sheet.comparisons import sentence
from precall.sheet.curves import Choices, curve_sheet
from precall.sheet.forms import beside
from precall.text import many

if TYPE_CHECKING:
    from precall.curves import Curve
    from precall.infer.compare.comparisons import Comparison
    from precall.infer.interval.bands import Band
    from precall.infer.interval.interval import Interval
    from precall.ragged import Int64
    from precall.sheet.sheets import Sheet

#: Operating points in a page, of all systems together, and of one at least.
POINTS, FEWEST = 1200, 150
#: Of so many columns across a chart against the threshold the extremes are kept, about as many as it has dots.
_COLUMNS = 300


@dataclass(frozen=True, slots=True)
class Scored:
    """Curves by the name of the score, and what they are worth.

    Parameters
    ----------
    curves : in the order in which they are shown.
    intervals : by score: "AP", "AUC", "max F on new cases", as far as there are any.
    bands : by score: "pr" and "roc", as far as there are any.
    comparisons : of two scores of the same cases.
    laws : what `chance.chance_of` made.
    conventions : what the numbers rest on.
    """

    curves: Mapping[str, Curve]
    higher_is_better: bool = True
    intervals: Mapping[str, Mapping[str, Interval]] = field(default_factory=dict)
    bands: Mapping[str, Mapping[str, Band]] = field(default_factory=dict)
    comparisons: Sequence[Comparison] = ()
    laws: Sequence[Mapping[str, Any]] = ()
    conventions: Mapping[str, str] = field(default_factory=dict)

    def section(self) -> dict[str, Any]:
        """As data."""
        sheet = self.sheet()
        return {
            "kind": "curves",
            "good": "high" if self.higher_is_better else "low",
            "systems": [
                {"name": name, **self._points(one, place < AGAINST), **self._worth(name, sheet)}
                for place, (name, one) in enumerate(self.curves.items())
            ],
            "pairs": [one.to_dict() for one in self.comparisons],
            "laws": [dict(law) for law in self.laws],
            "blocks": blocks_of(sheet),
            "signature": " | ".join(f"{key} {text}" for key, text in self.conventions.items()),
        }

    def _points(self, curve: Curve, against: bool) -> dict[str, Any]:
        return operating_points(
            curve, max(POINTS // len(self.curves), FEWEST), self.higher_is_better, against
        )

    def sheet(self) -> Sheet:
        """Everything that is read off the curves."""
        curves = {name: {"": one} for name, one in self.curves.items()}
        return curve_sheet(
            curves, Choices(higher_is_better=self.higher_is_better), dict(self.conventions), "scores"
        )

    def warnings(self) -> list[str]:
        """What a reader of the numbers should know."""
        remarks = []
        for name, one in self.curves.items():
            size, blocks = (one.tp[-1] + one.fp[-1]).item(), len(one) - 1
            if blocks < size:
                tied = f"{counted(size)} cases have {many(blocks, 'different score')}; those of equal score are one block"
                remarks.append((name, tied))
            if one.missed:
                remarks.append(
                    (name, f"{counted(one.missed)} relevant cases were never scored and count as misses")
                )
        remarks += [(one.measure, note) for one in self.comparisons for note in one.notes]
        return [*self.sheet().notes, *together(remarks)]

    def headline(self) -> list[str]:
        """The result in words."""
        best = max(self.curves, key=lambda name: _known(self.curves[name].average_precision()))
        one = self.curves[best]
        size = _size(one)
        pairs = [pair for pair in self.comparisons if best in pair.names and pair.measure == "AP"]
        if pairs:
            second = max(pairs, key=lambda pair: max(_known(value) for value in _others(pair, best)))
            return [sentence(second, best, size)]
        interval = self.intervals.get(best, {}).get("AP")
        between = beside(interval.ends if interval else None)
        value = one.average_precision()
        if value != value:
            return [f"The average precision of {best} is undefined, {size}."]
        return [f"{best} reaches an average precision of {number(value)}{between}, {size}."]

    def _worth(self, name: str, sheet: Sheet) -> dict[str, Any]:
        sections = sheet.body["scores"][name]
        return {
            "measures": {**sections["counts"], **sections["measures"]},
            "intervals": {
                key: {"estimate": one.estimate, "low": one.low, "high": one.high, "level": one.level, "method": one.method}
                for key, one in self.intervals.get(name, {}).items()
            },
            "bands": {
                kind: {"x": band.x, "low": band.low, "high": band.high, "level": band.level, "kind": band.kind,
                       "method": band.method}
                for kind, band in self.bands.get(name, {}).items()
            },
        }  # fmt: skip


def _size(curve: Curve) -> str:
    """How many cases were scored, and how many relevant ones exist; the missed are none of the scored."""
    cases, hits = (curve.tp[-1] + curve.fp[-1]).item(), curve.tp[-1].item()
    size = f"{counted(cases)} {'case' if cases == 1 else 'cases'}, {counted(hits)} of them relevant"
    return size + (f", and {counted(curve.missed)} relevant never scored" if curve.missed else "")


def _known(value: float) -> float:
    return value if value == value else -np.inf


def _others(pair: Comparison, name: str) -> list[float]:
    return [value for own, value in zip(pair.names, pair.values, strict=True) if own != name]


def operating_points(
    curve: Curve, most: int, higher_is_better: bool = True, against: bool = True
) -> dict[str, Any]:
    """The operating points of a curve, few enough for a page.

    Parameters
    ----------
    most : so many are enough for precision-recall and ROC: with more, those are left out whose absence moves no
        area of the curve by more than `bound`; `drawn` says which are left (None: all). The point of greatest F,
        where the slider begins (`start`), always stays, and the first one of every whole percent of recall.
    higher_is_better : else the curve's thresholds are negated scores, and are turned back.
    against : keep what a chart against the threshold needs, too.

    Examples
    --------
    >>> from precall import curve
    >>> points = operating_points(curve([0, 1, 0, 1], [0.9, 0.8, 0.4, 0.3]), 100)
    >>> points["threshold"], points["tp"], points["start"], points["bound"]
    (array([inf, 0.9, 0.8, 0.4, 0.3]), array([0, 0, 1, 1, 2]), 4, 0.0)
    """
    accepted = curve.tp + curve.fp
    best = int(np.searchsorted(accepted, curve.max_f().tp + curve.max_f().fp))
    rows, bound = _rows(curve, most)
    area = np.union1d(rows, [0, best, len(curve) - 1])
    whole = len(area) == len(curve)
    rows = area if whole else np.union1d(area, _steps_of_recall(curve))
    rows = np.union1d(rows, _extremes(curve)) if against and not whole else rows
    return {
        "relevant": curve.relevant, "other": curve.other, "missed": curve.missed, "thresholds": len(curve) - 1,
        "bound": bound, "start": int(np.searchsorted(rows, best)),
        "drawn": None if whole else np.searchsorted(rows, area),
        "threshold": (curve.threshold[rows] if higher_is_better else -curve.threshold[rows]) + 0.0,
        "tp": curve.tp[rows], "fp": curve.fp[rows],
    }  # fmt: skip


def _steps_of_recall(curve: Curve) -> Int64:
    """The first rows that reach 0 %, 1 % ... 100 % of the relevant cases, as far as they are reached."""
    needs = [needed(curve, percent / 100) for percent in range(101)] if curve.relevant else []
    rows = np.searchsorted(curve.tp, [need for need in needs if need <= curve.tp[-1]]).astype(np.int64)
    # `Curve.at(recall=0)` accepts a block, too.
    return np.maximum(rows, min(1, len(curve) - 1))


def _extremes(curve: Curve) -> Int64:
    """In each column of a chart against the threshold: the ends, and where precision and F are least and greatest."""
    finite = np.flatnonzero(np.isfinite(curve.threshold))
    if not len(finite):
        return finite
    heights = [curve.values(measure)[finite] for measure in ("P", "F")]
    return finite[kept(curve.threshold[finite].astype(np.float64), heights, _COLUMNS)]


def _rows(curve: Curve, most: int) -> tuple[Int64, float]:
    if len(curve) <= most:
        return np.arange(len(curve)), 0.0
    tolerance = 5e-4
    few = curve
    # A hundredth is the width of a line; beyond that the picture would differ.
    while len(few) > most and tolerance < 0.01:
        tolerance *= 2
        few = curve.simplify(tolerance) if len(curve) <= MANY else thin(curve, tolerance)
    if len(few) == len(curve):
        return np.arange(len(curve)), 0.0
    return np.searchsorted(curve.tp + curve.fp, few.tp + few.fp).astype(np.int64), tolerance
