"""The choice of a threshold on a page: its controls, the cases accepted at it, and the results,
with intervals.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from precall.cases.points import point, round_threshold
from precall.core.text import format_count, number, percent
from precall.page.sections import CurvesSection, KeptPoints
from precall.page.templates import Markup, macros
from precall.stats import quantiles
from precall.stats.intervals.proportion import wilson


def _box(name: str, begin: str, words: str = "", share: bool = False) -> dict[str, Any]:
    return {"name": name, "begin": begin, "words": words, "share": share}


#: Buttons that find a threshold, and the input beside each; shares have a greatest value.
_WAYS: tuple[dict[str, Any], ...] = (
    {"name": "best", "title": "Greatest F", "boxes": [_box("beta", "1", "β")]},
    {
        "name": "recall-least",
        "title": "Recall at least",
        "boxes": [_box("least-recall", "0.95", share=True)],
    },
    {
        "name": "precision-least",
        "title": "Precision at least",
        "boxes": [_box("least-precision", "0.9", share=True)],
    },
    {
        "name": "cheapest",
        "title": "Least cost",
        "boxes": [_box("fp-cost", "1", "of a false positive"), _box("fn-cost", "1", "of a miss")],
    },
)


def show_threshold(points: KeptPoints, row: int, high: bool) -> str:
    """A threshold in as few digits as accept the same cases; `high` scores are good."""
    return write_threshold(
        round_threshold(float(points.threshold[row]), int(points.digits[row]), up=not high)
    )


def write_threshold(threshold: float) -> str:
    """All digits of a threshold, and no more than needed.

    Examples
    --------
    >>> write_threshold(0.1), write_threshold(3.0), write_threshold(1 / 3)
    ('0.1', '3', '0.3333333333333333')
    """
    short = f"{threshold:.15g}"
    return short if float(short) == threshold else repr(threshold)


#: The recall of the second sentence, for users who need nearly all relevant cases.
_MOST = 0.95


def sentences(section: CurvesSection) -> list[str]:
    """Sentences about the score chosen first at two thresholds: that of greatest F, and one that
    finds nearly all relevant cases.
    """
    start = section.systems[section.first].points.start
    if not section.systems[section.first].points.relevant:
        return []
    texts = [f"Threshold of greatest F: {_accepts(section, start)}."]
    curve = section.curves[section.first]
    reached = np.flatnonzero(curve.recall >= _MOST)
    # If the first threshold finds as many, a second sentence says nothing new.
    if len(reached) and int(reached[0]) > start:
        texts.append(
            f"To find {100 * _MOST:g} % of the relevant cases: "
            f"{_accepts(section, int(reached[0]))}."
        )
    return texts


def _accepts(section: CurvesSection, row: int) -> str:
    system = section.systems[section.first]
    at = point(section.curves[section.first], row, math.nan)
    level = section.level_at_thresholds(system)
    sign = "≥" if section.high else "≤"
    shares = [
        f"{name} {number(value)} {_ends(at.tp, missing, level)}".rstrip()
        for name, value, missing in (
            ("precision", at.precision, at.fp),
            ("recall", at.recall, at.fn),
        )
    ]
    accepted = (
        f"{format_count(at.tp + at.fp)} of {format_count(at.tp + at.fp + at.fn + at.tn)} cases"
    )
    threshold = f"{sign} {show_threshold(system.points, row, section.high)}"
    return f"{system.name} {threshold} accepts {accepted}, {' and '.join(shares)}"


def slider(section: CurvesSection, key: str) -> str:
    """The controls of a threshold and the results at it; empty if nothing is relevant."""
    first = section.systems[section.first]
    points = first.points
    if not points.relevant:
        return ""
    level = next(filter(None, map(section.level_at_thresholds, section.systems)), None)
    markup: Markup = macros("curves.html").slider(
        key,
        section.first,
        [system.name for system in section.systems],
        len(points.tp) - 1,
        points.start,
        _WAYS,
        _outcome(section),
        None if level is None else repr(quantiles.z(level)),
        None if level is None else percent(level),
    )
    return markup


def _outcome(section: CurvesSection) -> dict[str, str]:
    """The cases accepted at the threshold that is chosen first, and the results."""
    system = section.systems[section.first]
    points, level = system.points, section.level_at_thresholds(system)
    at = point(section.curves[section.first], points.start, math.nan)
    accepted, total = at.tp + at.fp, at.tp + at.fp + at.fn + at.tn
    return {
        "accepts": (
            f"{'≥' if section.high else '≤'} {show_threshold(points, points.start, section.high)}"
        ),
        "exact": write_threshold(at.threshold),
        "accepted": f"{format_count(accepted)} of {format_count(total)}",
        "share": _percent(accepted, total),
        "precision": number(at.precision),
        "recall": number(at.recall),
        "precision_ends": _ends(at.tp, at.fp, level),
        "recall_ends": _ends(at.tp, at.fn, level),
        "f": number(at.f()),
        "specificity": number(at.specificity),
        "cost": format_count(at.fp + at.fn),
        **{name: format_count(getattr(at, name)) for name in ("tp", "fp", "fn", "tn")},
    }


def _percent(part: float, whole: float) -> str:
    percent = 100 * part / whole if whole else 0.0
    return f"{percent:.1f} %" if percent >= 10 else f"{percent:.2g} %"


def _ends(hits: float, misses: float, level: float | None) -> str:
    """Wilson's interval of a share, as the text beside its value."""
    if level is None or not hits + misses:
        return ""
    low, high = wilson(hits, hits + misses, level)
    return f"[{number(low)}, {number(high)}]"
