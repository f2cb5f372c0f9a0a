"""Sheets of measures whose labels are partly a judge's."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace

from precall.core.conventions import describe_conventions
from precall.core.text import format_difference, join_in_sentence, number
from precall.judges.results import JudgeAgreement, Judged, JudgedPair, JudgedValue
from precall.results.base import Sheet
from precall.results.blocks import Block, Cell, Line, Row, Threshold, block_of_values
from precall.results.notes_of_rows import NOTES, join_notes
from precall.stats.intervals.interval import Interval

FORMAT = "precall.judged/2"
_COLUMNS = (
    "run",
    "measure",
    "estimate",
    "low",
    "high",
    "level",
    "people_alone",
    "people_alone_low",
    "people_alone_high",
    "judge_alone",
    "bias",
    "bias_low",
    "bias_high",
    "correlation",
    "worth",
    "people",
    "units",
    "p",
    "adjusted_p",
    NOTES,
)
_HEADS = ("low", "high", "people alone", "judge alone", "bias", "worth")


def judged_value_sheet(value: JudgedValue) -> Sheet:
    """The sheet of one value."""
    return Sheet(
        FORMAT,
        dict(value.conventions) or describe_conventions(),
        (_block([("", value)], value.measure),),
        value.notes,
        {"values": [value.to_dict()], "pairs": [], "agreement": None},
        _COLUMNS,
        (_row("", value),),
        _tell_value(value, ""),
    )


def judged_pair_sheet(pair: JudgedPair) -> Sheet:
    """The sheet of one difference."""
    return Sheet(
        FORMAT,
        describe_conventions(),
        (_pairs([pair]),),
        pair.notes,
        {"values": [], "pairs": [pair.to_dict()], "agreement": None},
        _COLUMNS,
        (_row_of_pair(pair),),
        _tell_pair(pair),
    )


def judged_sheet(found: Judged) -> Sheet:
    """The sheet of all values and differences."""
    several = len(found.runs) > 1
    blocks, verdicts = [], []
    bests = found.best or (1,) * len(found.measures)
    for measure, head, best in zip(found.measures, found.heads, bests, strict=True):
        rows = [(run, found.values[run, measure]) for run in found.runs]
        rows.sort(key=lambda row: -row[1].estimate * (best or 1))
        if found.runs != ("",):
            blocks.append(_block(rows, head))
        own = [pair for pair in found.pairs if pair.measure == head]
        verdicts.append(
            _tell_runs(rows, own, head, best) if several else _tell_value(rows[0][1], rows[0][0])
        )
        if own:
            blocks.append(_pairs(own, head if len(found.measures) > 1 else ""))
    if found.runs == ("",):  # one system without a name
        values = [found.values["", measure] for measure in found.measures]
        blocks.append(_block(list(zip(found.heads, values, strict=True)), "estimate", "measure"))
    blocks.append(_biases(found))
    if found.agreement is not None:
        blocks.append(_agreement(found.agreement))
    all_values = [{"run": run} | value.to_dict() for (run, _), value in found.values.items()]
    agreement = None if found.agreement is None else asdict(found.agreement)
    return Sheet(
        FORMAT,
        dict(found.conventions),
        tuple(blocks),
        found.notes,
        {
            "values": all_values,
            "pairs": [pair.to_dict() for pair in found.pairs],
            "agreement": agreement,
        },
        _COLUMNS,
        (
            *(_row(run, value) for (run, _), value in found.values.items()),
            *map(_row_of_pair, found.pairs),
        ),
        "\n".join(verdicts),
    )


def _block(rows: Sequence[tuple[str, JudgedValue]], head: str, first: str = "run") -> Block:
    lines = tuple(
        Line(
            run or "mean",
            (
                value.estimate,
                *value.ends,
                None if value.people_alone is None else value.people_alone.estimate,
                value.judge_alone,
                None if value.bias is None else format_difference(value.bias.estimate),
                None if math.isinf(value.worth) else Threshold(round(value.worth, 2)),
            ),
        )
        for run, value in rows
    )
    return Block("", (first, head, *_HEADS), lines)


def _signed(interval: Interval) -> Cell:
    low, high = map(format_difference, interval.ends)
    return f"{format_difference(interval.estimate)} [{low}, {high}]"


def _pairs(pairs: Iterable[JudgedPair], title: str = "") -> Block:
    lines = tuple(
        Line(
            " - ".join(pair.names),
            (
                format_difference(pair.difference),
                format_difference(pair.low),
                format_difference(pair.high),
                pair.adjusted,
                format_difference(pair.favour.estimate),
            ),
        )
        for pair in pairs
    )
    heads = ("difference", "low", "high", "p", "favour")
    return Block(title, ("comparison", *heads), lines)


def _biases(found: Judged) -> Block:
    """What the judge alone says too much, of runs and of differences, with bounds."""
    lines = [
        Line(run, (value.measure, _signed(value.bias), value.correlation))
        for (run, _), value in found.values.items()
        if value.bias is not None
    ]
    lines += [
        Line(" - ".join(pair.names), (pair.measure, _signed(pair.favour), None))
        for pair in found.pairs
    ]
    heading = ("run", "measure", "bias of the judge", "correlation")
    return Block("", heading, tuple(lines), 2, detail="bounds of the judge's bias")


def _agreement(found: JudgeAgreement) -> Block:
    values: dict[str, Cell] = {
        "agreement": found.agreement,
        "kappa": found.kappa,
        "false positives": found.false_positives,
        "false negatives": found.false_negatives,
        "labels": found.units,
    }
    return replace(block_of_values(("labels", "value"), values), detail="how the labels agree")


def _row(run: str, value: JudgedValue) -> Row:
    alone, bias = value.people_alone, value.bias
    return (
        run,
        value.measure,
        value.estimate,
        value.low,
        value.high,
        value.level,
        *((None,) * 3 if alone is None else (alone.estimate, alone.low, alone.high)),
        value.judge_alone,
        *((None,) * 3 if bias is None else (bias.estimate, bias.low, bias.high)),
        value.correlation,
        value.worth,
        *value.labels,
        None,
        None,
        join_notes(value.notes),
    )


def _row_of_pair(pair: JudgedPair) -> Row:
    alone, favour = pair.people_alone, pair.favour
    return (
        " - ".join(pair.names),
        pair.measure,
        pair.difference,
        pair.low,
        pair.high,
        pair.level,
        alone.estimate,
        alone.low,
        alone.high,
        pair.judge_alone,
        favour.estimate,
        favour.low,
        favour.high,
        None,
        None,
        None,
        None,
        pair.p,
        pair.adjusted,
        join_notes(pair.notes),
    )


def _bounds(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f" [{number(low)}, {number(high)}]"


def _tell_value(value: JudgedValue, run: str) -> str:
    n, size = value.labels
    unit = f"{value.unit}s"
    of = f" of {run}" if run else ""
    bounds = _bounds(value.low, value.high)
    told = (
        f"{value.measure}{of} is {number(value.estimate)}{bounds}, {n} of {size} {unit} by people."
    )
    bias = value.bias
    if bias is None:
        return told
    judge = f"The judge alone says {number(value.judge_alone)}"
    if 0 in bias:
        return f"{told}\n{judge}; no bias is shown."
    way = "much" if bias.estimate > 0 else "little"
    low, high = sorted(map(abs, bias.ends))
    return (
        f"{told}\n{judge}: too {way} by {number(abs(bias.estimate))} "
        f"[{number(low)}, {number(high)}]."
    )


def _tell_runs(
    rows: Sequence[tuple[str, JudgedValue]],
    pairs: Sequence[JudgedPair],
    head: str,
    best: int,
) -> str:
    """Which run is best, of which others that is shown, and what the judge alone would have
    said.
    """
    (first, value), others = rows[0], rows[1:]
    n, size = value.labels
    unit = f"{value.unit}s"
    of_first = {
        next(name for name in pair.names if name != first): pair
        for pair in pairs
        if first in pair.names
    }
    bounds = _bounds(value.low, value.high)
    lead = (
        f"{first} has the {'lowest' if best < 0 else 'highest'} {head}, {number(value.estimate)}"
        f"{bounds}, {n} of {size} {unit} by people"
    )
    worse = [name for name, _ in others if of_first[name].better == first]
    same = [name for name, _ in others if of_first[name].better is None]
    clauses = [lead]
    if worse:
        told = [f"{name} ({_difference(of_first[name], first)})" for name in worse]
        clauses.append(f"better than {join_in_sentence(told, 'and')}")
    if same:
        told = [f"{name} ({_difference(of_first[name], first)})" for name in same]
        clauses.append(f"not shown to be better than {join_in_sentence(told, 'and')}")
    sentence = "; ".join(clauses) + "."
    by_judge = max(rows, key=lambda row: row[1].judge_alone * (best or 1))[0]
    judge = f"The judge alone has {by_judge} first"
    favours = [pair for pair in pairs if pair.favoured is not None]
    if not favours:
        return f"{sentence}\n{judge}; no favour of its is shown."
    # The pair that explains why the judge has another first, else the one that it favours most.
    most = max(
        favours, key=lambda pair: ({first, by_judge} == {*pair.names}, abs(pair.favour.estimate))
    )
    low, high = sorted(map(abs, most.favour.ends))
    other = next(name for name in most.names if name != most.favoured)
    return (
        f"{sentence}\n{judge}: it favours {most.favoured} over {other} by "
        f"{number(abs(most.favour.estimate))} [{number(low)}, {number(high)}]."
    )


def _difference(pair: JudgedPair, first: str) -> str:
    """The difference with its bounds, of this system minus the other."""
    is_first = pair.names[0] == first
    sign = 1 if is_first else -1
    low, high = (pair.low, pair.high) if is_first else (-pair.high, -pair.low)
    return format_difference(sign * pair.difference) + _bounds(low, high)


def _tell_pair(pair: JudgedPair) -> str:
    first, other = pair.names
    told = f"{first} - {other} is {format_difference(pair.difference)} by {pair.measure}"
    told += _bounds(pair.low, pair.high) + "."
    if pair.favoured is None:
        return told
    return f"{told} The judge favours {pair.favoured}."
