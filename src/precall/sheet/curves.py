"""Curves → a sheet: everything that is read off the curves of some scores, side by side, perhaps by group."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from precall.curves import Curve, OperatingPoint
from precall.errors import MeasureError, UsageError
from precall.measures import Measure
from precall.measures import measure as named_measure
from precall.measures.best_points import BREAK_EVEN, LEFT_EARLY, is_left_early
from precall.notes import listening
from precall.sheet.sheets import Block, Cell, Line, Row, Sheet, Threshold, cells_of, describe_conventions
from precall.undefined import treated

if TYPE_CHECKING:
    from precall.infer.interval.interval import Interval
    from precall.sheet.chance import Chances

if TYPE_CHECKING:
    from precall.sheet.chance import Chances

FORMAT = "precall.curve/1"
#: Section → name → value.
Values: TypeAlias = dict[str, dict[str, Cell]]

#: What is summed over groups; thresholds, being no measures, are not averaged, and all else is.
_SUMMED = ("cases", "relevant", "missed", "accepted", "tp", "fp", "fn", "tn")
_LEFT = re.compile(r"(.* )?thresholds?")
_BEST = {"rejection recall": 1, "cost": -1, "tp": 0, "fp": 0, "fn": 0, "tn": 0}
_INTERVAL = "interval"
#: The section of what random selection gives.
CHANCE = "random selection"
#: What is said of an operating point.
_AT = ("threshold", "accepted", "tp", "fp", "fn", "tn", "precision", "recall", "F", "rejection recall")
#: Sections about whole curves; their values are called by their names alone.
_NAMED = ("counts", "measures", "areas")
_NO_BEST = re.compile(r"max F (precision|recall)|.* threshold")


@dataclass(frozen=True, slots=True)
class Choices:
    """What was asked of all curves.

    `at` are conditions of `Curve.at` under the names they are shown by; `ties` is for measures of ranks.
    """

    at: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    ties: str = "expected"
    undefined: str = "zero"
    higher_is_better: bool = True
    measures: tuple[Measure, ...] = ()
    """Of counts: their best values, and their values at each point."""


def values(curve: Curve, choices: Choices) -> tuple[Values, list[str]]:
    """Everything about one curve, in sections, and what there is to say about it.

    Examples
    --------
    >>> from precall.curves import curve
    >>> sections, _ = values(curve([0, 1, 0, 1], [4, 3, 2, 1]), Choices(at={"recall=.5": {"recall": 0.5}}))
    >>> sections["measures"]["AP"], sections["at recall=.5"]["threshold"]
    (0.5, 3.0)
    """
    notes: list[str] = []
    with listening():
        # A line says undef where something is undefined; a warning for each would say no more.
        areas = curve.areas().to_dict()
        sections: Values = {
            "counts": {
                "cases": (curve.tp[-1] + curve.fp[-1]).item(), "relevant": curve.relevant,
                "missed": curve.missed, "thresholds": len(curve) - 1,
            },
            "measures": _measures(curve, choices, notes),
            "areas": dict(zip(areas["area"], areas["value"], strict=True)),
            "11-point": {f"{i / 10:.1f}": value for i, value in enumerate(curve.eleven_point().tolist())},
        }  # fmt: skip
        for name, condition in choices.at.items():
            sections[f"at {name}"] = _chosen(curve, condition, choices, name, notes)
    return sections, notes


def _measures(curve: Curve, choices: Choices, notes: list[str]) -> dict[str, Cell]:
    best = curve.max_f()
    cells: dict[str, Cell] = {
        "AP": curve.average_precision(), "AUC": curve.area_under_roc(), "max F": best.value,
        "max F threshold": _threshold(best, choices), "max F precision": best.precision,
        "max F recall": best.recall,
    }  # fmt: skip
    for measure in choices.measures:
        best = curve.at(max=measure)
        name = f"{'min' if measure.declaration.direction < 0 else 'max'} {measure.name}"
        cells |= {name: best.value, f"{name} threshold": _threshold(best, choices)}
    cells |= {f"break-even {method}": curve.break_even(method) for method in BREAK_EVEN}
    if curve.tp.dtype.kind == "i":
        cells["R-precision"] = curve.r_precision(choices.ties)
        cells["RR"] = curve.reciprocal_rank(choices.ties)
    else:
        cells |= {"R-precision": np.nan, "RR": np.nan}
        notes.append("R-precision and RR are undefined, as ranks need whole counts; some weights are none")
    return cells


def _threshold(point: OperatingPoint, choices: Choices) -> Threshold:
    # Of low scores that are good the curve holds the negatives; -0 would be no score of the file.
    return Threshold((point.threshold if choices.higher_is_better else -point.threshold) + 0.0)


def _chosen(
    curve: Curve, condition: Mapping[str, Any], choices: Choices, name: str, notes: list[str]
) -> dict[str, Cell]:
    given = dict(condition)
    if "threshold" in given and not choices.higher_is_better:
        given["threshold"] = -given["threshold"]
    keys = (*_AT, *(measure.name for measure in choices.measures), *("cost",) * ("cost" in given))
    try:
        point = curve.at(**given)
    except UsageError as error:
        # What was typed has been checked, so this is about the cases: it is never reached.
        most = str(error).partition("; ")[2].replace("the most is nan", "nothing is relevant there")
        notes.append(f"--at {name} is never reached; {most}")
        return dict.fromkeys(keys, np.nan)
    cells: list[Cell] = [
        _threshold(point, choices), point.tp + point.fp, point.tp, point.fp, point.fn, point.tn, point.precision,
        point.recall, point.f(), point.rejection_recall, *(point.of(measure) for measure in choices.measures),
        Threshold(point.value),
    ]  # fmt: skip
    return dict(zip(keys, cells, strict=False))


def curve_sheet(
    curves: Mapping[str, Mapping[str, Curve]], choices: Choices, conventions: dict[str, str], source: str,
    intervals: Mapping[str, Mapping[str, Mapping[str, Interval]]] | None = None,
    of_means: Mapping[str, Mapping[str, Interval]] | None = None, remarks: tuple[str, ...] = (),
    chances: Mapping[str, Mapping[str, Chances]] | None = None,
) -> Sheet:  # fmt: skip
    """The sheet of scores by name, each with its curves by group; one group called "" is no group.

    `intervals` are by score, group and measure, `of_means` those of the means over groups; `remarks` is what
    there is to say about them; `chances` are by score and group.
    """
    groups, notes = _by_group(curves, choices, intervals, chances)
    notes += remarks
    whole = list(groups) == [""]
    body: dict[str, Any] = {"scores": groups[""]} if whole else {"groups": groups}
    blocks, tidy = [], []
    for group, scores in groups.items():
        blocks += _blocks(f"group {group}" if group else "", scores)
        tidy += _rows(group, scores, None)
    if not whole:
        means = {
            score: _mean([scores[score] for scores in groups.values()], choices, score, source, notes)
            for score in curves
        }
        for score, bounds in (of_means or {}).items():
            means[score][_INTERVAL] = _bounds(bounds)
        if chances is not None:
            notes += _add_chance(means, chances)
        body["mean"] = means
        blocks += _blocks(f"mean over {len(groups)} groups (counts: sum)", means)
        tidy += _rows("all", means, "mean")
    columns = ("score", "group", "section", "measure", "aggregate", "value")
    return Sheet(FORMAT, conventions, tuple(blocks), tuple(notes), body, columns, tuple(tidy))


def _by_group(
    curves: Mapping[str, Mapping[str, Curve]], choices: Choices,
    intervals: Mapping[str, Mapping[str, Mapping[str, Interval]]] | None,
    chances: Mapping[str, Mapping[str, Chances]] | None,
) -> tuple[dict[str, dict[str, Values]], list[str]]:  # fmt: skip
    """Group → score → everything about its curve, and what there is to say about them."""
    groups: dict[str, dict[str, Values]] = {}
    notes: list[str] = []
    for score, by_group in curves.items():
        if early := sum(map(is_left_early, by_group.values())):
            notes.append(
                f"{score}: {LEFT_EARLY}{f' (in {early} of {len(by_group)} groups)' if '' not in by_group else ''}"
            )
        for group, curve in by_group.items():
            sections, own = values(curve, choices)
            if intervals is not None:
                sections[_INTERVAL] = _bounds(intervals[score][group])
            if chances is not None:
                sections[CHANCE] = chances[score][group].cells()
                own += chances[score][group].remarks()
            groups.setdefault(group, {})[score] = sections
            notes += [f"{score}{f', group {group}' if group else ''}: {remark}" for remark in own]
    return groups, notes


def one_curve_sheet(curve: Curve, **choices: Any) -> Sheet:
    """The sheet of one curve; `choices` are fields of `Choices`."""
    chosen = Choices(**choices)
    conventions = describe_conventions(ties=f"block (R-precision, RR: {chosen.ties})")
    return curve_sheet({"curve": {"": curve}}, chosen, conventions, "curve")


def _add_chance(means: dict[str, Values], chances: Mapping[str, Mapping[str, Chances]]) -> list[str]:
    """Beside the means over groups, what they are by chance; and what there is to say about it."""
    from precall.sheet.chance import combined

    remarks: list[str] = []
    for score, values in means.items():
        together = combined(list(chances[score].values()))
        values[CHANCE] = together.cells()
        remarks += [f"{score}, mean over groups: {remark}" for remark in together.remarks()]
    return remarks


def _bounds(intervals: Mapping[str, Interval]) -> dict[str, Cell]:
    cells: dict[str, Cell] = {}
    for name, interval in intervals.items():
        cells |= zip((name, f"{name} low", f"{name} high"), (interval.estimate, *interval.ends), strict=True)
    return cells


def _blocks(title: str, scores: Mapping[str, Values]) -> list[Block]:
    """The first block has everything about whole curves, then one for 11 points and for each chosen point."""

    def across(section: str, name: str, shown: str, best: int) -> Line:
        return Line(shown, tuple(sections[section].get(name) for sections in scores.values()), best)

    first = next(iter(scores.values()))
    main = [
        across(section, name, f"area {name}" if section == "areas" else name, _best_of_curves(section, name))
        for section in _NAMED
        for name in first[section]
    ]
    blocks = [Block(title, ("measure", *scores), tuple(main))]
    for section in list(first)[3:]:
        lines = (across(section, name, name, _best(name)) for name in first[section])
        corner = "precision at recall" if section == "11-point" else section
        blocks.append(Block(title, (corner, *scores), tuple(lines)))
    return blocks


def _best_of_curves(section: str, name: str) -> int:
    """Which end of a line about whole curves is best, if any."""
    if section == "counts" or _NO_BEST.fullmatch(name):
        return 0
    return -1 if name.startswith("min ") else 1


def _best(name: str) -> int:
    """Which end of a line at an operating point is best, if any: as its measure declares."""
    if name in _BEST:
        return _BEST[name]
    try:
        return named_measure(name).declaration.direction
    except MeasureError:
        return 0


def _rows(group: str, scores: Mapping[str, Values], aggregate: str | None) -> list[Row]:
    return [
        (score, group, section, name, "sum" if aggregate and name in _SUMMED else aggregate, value)
        for score, sections in scores.items()
        for section, name, value in cells_of(sections)
    ]


def _mean(parts: list[Values], choices: Choices, score: str, source: str, notes: list[str]) -> Values:
    """The mean over groups; what is undefined in some is said."""
    undefined: dict[int, dict[str, None]] = {}
    mean: Values = {}
    for section, line in parts[0].items():
        if section in (_INTERVAL, CHANCE):
            # The mean of some bounds bounds nothing; means have intervals of their own, and a distribution of their own.
            continue
        mean[section] = {}
        for name in line:
            if _LEFT.fullmatch(name):
                continue
            column = [part[section][name] for part in parts]
            lost = _lost(column)
            # What is undefined wherever the point is never reached is said once for the point.
            of_point = section.startswith("at ") and lost != _lost([part[section]["tp"] for part in parts])
            label = f"{section} {name}" if of_point else name if section in _NAMED else section
            undefined.setdefault(lost, {})[label] = None
            mean[section][name] = _averaged(column, choices.undefined, f"{score}: {label}", source)
            if name in _SUMMED:
                mean[section][name] = _sum(column)
    for lost, names in undefined.items():
        if lost:
            groups = f"{lost} group{'s' if lost > 1 else ''} ({choices.undefined})"
            notes.append(f"{score}: {', '.join(names)} undefined in {groups}")
    return mean


def _lost(column: list[Cell]) -> int:
    return sum(value != value for value in column)


def _sum(column: list[Cell]) -> Cell:
    known = [value for value in column if isinstance(value, int | float) and value == value]
    return math.fsum(known) if any(isinstance(value, float) for value in known) else sum(known)


def _averaged(column: list[Cell], undefined: str, what: str, source: str) -> float:
    def wrong(_: int, lost: int) -> str:
        return f"{what} is undefined in {lost} of {len(column)} groups"

    kept = treated(np.array(column, np.float64), undefined, source=source, what=wrong)
    return float(np.mean(kept)) if len(kept) else float("nan")
