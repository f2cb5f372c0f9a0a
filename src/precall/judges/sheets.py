"""Sheets of measures whose labels are partly a judge's."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import Any

from precall.core.conventions import describe_conventions
from precall.core.notes import Note, notes_to_json
from precall.core.text import format_difference
from precall.judges.results import JudgeAgreement, Judged, JudgedPair, JudgedValue, own_notes
from precall.judges.verdict import RunsByMeasure, rankings_of, tell_pair, tell_rankings, tell_value
from precall.results.blocks import Block, Cell, Line, Row, Threshold, block_of_values
from precall.results.notes_of_rows import NOTES, join_notes
from precall.results.sheets import Sheet
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
        (_row("", value, value.notes),),
        tell_value(value),
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
        (_row_of_pair(pair, pair.notes),),
        tell_pair(pair),
    )


def judged_sheet(found: Judged) -> Sheet:
    """The sheet of all values and differences. By one measure it begins with all about each run, by
    several with the values.
    """
    rankings = rankings_of(found)
    blocks = _first_blocks(rankings)
    blocks.append(_biases(found))
    if found.agreement is not None:
        blocks.append(_agreement(found.agreement))
    values = [{"run": run} | _data(value) for (run, _), value in found.values.items()]
    agreement = None if found.agreement is None else asdict(found.agreement)
    return Sheet(
        FORMAT,
        dict(found.conventions),
        tuple(blocks),
        found.notes,
        {
            "values": values,
            "pairs": list(map(_data, found.pairs)),
            "agreement": agreement,
        },
        _COLUMNS,
        (
            *(_row(run, value, own_notes(value)) for (run, _), value in found.values.items()),
            *(_row_of_pair(pair, own_notes(pair)) for pair in found.pairs),
        ),
        tell_rankings(rankings),
    )


def _data(found: JudgedValue | JudgedPair) -> dict[str, Any]:
    """Plain data of a value or pair, without the notes that stand in the result once."""
    return found.to_dict() | {"notes": notes_to_json(own_notes(found))}


#: Below the values of one measure stand at most this many differences.
_PAIRS = 3
#: Beside one another, the values of at most this many measures have their bounds.
_BOUNDED = 2


def _first_blocks(rankings: Sequence[RunsByMeasure]) -> list[Block]:
    """The values: by one measure, or of one run, all about each; else a table of runs by measures
    first. And the differences.
    """
    several, is_alone = len(rankings) > 1, len(rankings[0].rows) == 1
    if is_alone and (several or not rankings[0].first):
        rows = [(ranking.head, value) for ranking in rankings for _, value in ranking.rows]
        return [replace(_block(rows, ""), heading=("measure", "value", *_HEADS))]
    blocks = [_values(rankings)] if several else []
    for ranking in rankings:
        values = _block(ranking.rows, ranking.head)
        blocks.append(replace(values, detail="intervals and bias by measure" * several))
        if ranking.pairs:
            hidden = several or len(ranking.pairs) > _PAIRS
            pairs = _pairs(ranking.pairs, ranking.head * several)
            blocks.append(replace(pairs, detail="each pair with its interval" * hidden))
    return blocks


def _values(rankings: Sequence[RunsByMeasure]) -> Block:
    """Runs by measures, in the order of the first; if there are few measures, with bounds."""
    by_run = [dict(ranking.rows) for ranking in rankings]
    lines = tuple(
        Line(
            run,
            tuple(values[run].estimate for values in by_run),
            ends=tuple(values[run].ends for values in by_run) * (len(rankings) <= _BOUNDED),
        )
        for run, _ in rankings[0].rows
    )
    return Block("", ("run", *(ranking.head for ranking in rankings)), lines)


def _block(rows: Sequence[tuple[str, JudgedValue]], head: str) -> Block:
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
    return Block("", ("run", head, *_HEADS), lines)


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


def _row(run: str, value: JudgedValue, notes: Sequence[Note]) -> Row:
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
        join_notes(notes),
    )


def _row_of_pair(pair: JudgedPair, notes: Sequence[Note]) -> Row:
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
        join_notes(notes),
    )
