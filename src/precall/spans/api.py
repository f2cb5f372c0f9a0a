"""Predicted spans against the true ones: precision, recall and F by type, and averaged."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import Any, ClassVar, NamedTuple, NoReturn

import numpy as np

from precall.core.arguments import check_choice, check_kind, check_some, choose, refuse_set
from precall.core.counts import Counts, PopulationUnknown
from precall.core.errors import Among, Fact, Kind, Many, MeasureError, Mistake, UsageError
from precall.core.notes import Note, warn_all
from precall.core.notes.of_decisions import ItemsSeen
from precall.core.notes.of_spans import (
    EndsApart,
    IllegalTags,
    SameSpanTwice,
    SpansSeen,
    TypesOnlyPredicted,
)
from precall.core.ragged import Int64
from precall.core.text import as_text, listing, many
from precall.hard_decisions import Decisions
from precall.hard_decisions.membership import Membership
from precall.hard_decisions.outcomes import Summary
from precall.measures import Measure
from precall.read.unlike_labels import no_common
from precall.read.values import as_list
from precall.results.sheets import Table
from precall.spans.matches import MATCHES, OUTCOMES, equal_pairs, match_spans, outcomes_of
from precall.spans.tags import (
    NAMED,
    SCHEMES,
    SpanColumns,
    Split,
    Tokens,
    first_illegal,
    guess_scheme,
    is_legal,
    prefixes_in,
    read_tokens,
    spans_of,
)

#: What is done about spans with a tag that their scheme forbids.
ILLEGAL = ("keep", "drop", "error")
#: Matches of other tools, in the form that `choose` takes.
_CALLED = {
    "enttype": ["type"],
    "ent_type": ["type"],
    "boundaries": ["boundary"],
    "overlap": ["partial"],
    "conlleval": ["strict"],
    "seqeval": ["strict"],
}
_NOT_ONE = {
    "exact": "'exact' is of SemEval, where the type does not matter, 'boundary'; and of conlleval, "
    "where it does, 'strict'"
}
_TRIPLES = Among(
    "spans are", ["(type, start, end), the type a text, with start < end, the end not in the span"]
)
_SIDES = ("truth", "predicted")
_FARTHEST = 2**62
#: A pair that is partly correct counts half, so that counts are kept in halves.
_HALVES = 2


class _Read(NamedTuple):
    """The spans of both sides, and what was noticed while they were read."""

    units: tuple[Any, ...]
    kinds: list[str]
    sides: tuple[SpanColumns, SpanColumns]
    notes: tuple[Note, ...] = ()


class Spans(Decisions):
    """Predicted spans against the true ones; `pc.decisions.spans` makes them.

    Precision is the share of the predicted spans that are right, recall the share of the true spans
    that were found; all averages are those of `Decisions`, with "samples" the mean over units.
    Measures that need true negatives, such as accuracy and MCC, do not exist: nobody can count the
    stretches that are rightly not marked.

    Attributes
    ----------
    units : names of the units, such as sentences, in their order.
    unit : the unit of each pair and each span alone, by its place.
    match : when a predicted span counts as right.
    scheme : the scheme of the tags, which was named or guessed; None if spans were given.

    Examples
    --------
    >>> from precall import decisions
    >>> found = decisions.spans([["B-PER", "I-PER", "O"]], [["B-PER", "O", "B-PER"]])
    >>> found.f(average="micro"), found.value("P", "micro")
    (0.0, 0.0)
    >>> found.by("partial").f(average="micro")
    0.3333333333333333
    """

    _instead: ClassVar[Mapping[str, str]] = {
        "accuracy": "; spans have no true negatives: .f(average='micro')",
        "confusion": ".outcomes()",
    }

    def __init__(self, read: _Read, match: str, scheme: str | None) -> None:
        self._read = read
        self.match = match
        self.scheme = scheme
        self.units: tuple[Any, ...] = read.units
        gold, (guessed,), unit = as_decisions([read], match)
        self.unit: Int64 = unit
        super().__init__(gold, guessed)
        #: Items of each span.
        self._times = _HALVES if match == "partial" else 1

    def _compared_parts(self) -> list[Any]:
        return [*super()._compared_parts(), self.unit, self.match, self.units]

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was noticed: illegal tags, a span that is there twice, types of one side only."""
        return self._read.notes

    def __repr__(self) -> str:
        true, guessed = (len(side.unit) for side in self._read.sides)
        return (
            f"<Spans: {many(len(self.units), 'unit')}, {true} true, {guessed} predicted, "
            f"{many(len(self.categories), 'type')}, {self.match}>"
        )

    def by(self, match: str) -> Spans:
        """The same spans with another rule of what is right.

        Parameters
        ----------
        match : see `pc.decisions.spans`.
        """
        return Spans(self._read, _match_of(match), self.scheme)

    def support(self) -> Int64:
        """The number of true spans of each type."""
        return np.bincount(self._read.sides[0].kind, minlength=len(self.categories)).astype(
            np.int64
        )

    def counts(self, average: str | None = None) -> Counts:
        """The counts: per type (None), summed ("micro") or per unit ("samples"). There are no true
        negatives. By "partial" a pair that is partly right counts half.
        """
        if average == "micro":
            return self.counts().sum()
        by_unit = average == "samples"
        if (kept := "samples" if by_unit else None) not in self._tables:
            size = len(self.units if by_unit else self.categories)
            tp, accepted, true = (
                np.bincount(
                    self.unit[member.item] if by_unit else member.category, minlength=size
                ).astype(np.int64)
                for member in (self._both, self.predicted, self.truth)
            )
            cells: list[Any] = [tp, accepted - tp, true - tp]
            if self._times > 1:
                cells = [cell / self._times for cell in cells]
            for cell in cells:
                cell.flags.writeable = False
            self._tables[kept] = Counts(*cells)
        return self._tables[kept]

    @property
    def table(self) -> Table:
        """Per type: its name, TP, FP, FN."""
        counts = self.counts()
        names = [as_text(name) for name in self.categories]
        return Table(
            {"category": names, "tp": counts.tp, "fp": counts.fp, "fn": counts.fn},
            noticed=self.notes,
        )

    @property
    def by_unit(self) -> Table:
        """Per unit: its name, TP, FP, FN."""
        counts = self.counts("samples")
        return Table(
            {
                "unit": [as_text(unit) for unit in self.units],
                "tp": counts.tp,
                "fp": counts.fp,
                "fn": counts.fn,
            },
            noticed=self.notes,
        )

    def outcomes(self) -> Table:
        """What SemEval 2013 counts, by its four rules: a row for each rule and each type, and for
        all types.

        The columns are cor, inc, par, mis, spu (correct, incorrect, partly correct, missing,
        spurious), and precision, recall and F1 of them. A pair belongs to the type of the true
        span, a spurious span to its own.

        Examples
        --------
        >>> from precall import decisions
        >>> found = decisions.spans([[("PER", 0, 2)]], [[("PER", 0, 1)]]).outcomes()
        >>> [row for row in found.to_dict()["par"]]
        [0, 0, 0, 0, 1, 1, 0, 0]
        """
        columns: dict[str, list[Any]] = {
            name: []
            for name in (
                "match",
                "category",
                *map(str.lower, OUTCOMES),
                "precision",
                "recall",
                "f1",
            )
        }
        true, guessed = self._read.sides
        size = len(self.categories)
        pairs = match_spans(true, guessed)
        kind = np.where(pairs.true >= 0, _take(true.kind, pairs.true), 0)
        kind = np.where(pairs.true < 0, _take(guessed.kind, pairs.predicted), kind)
        for match in MATCHES:
            each = np.zeros((size, len(OUTCOMES)), np.int64)
            np.add.at(each, (kind, outcomes_of(pairs, true, guessed, match)), 1)
            rows = [("all", each.sum(axis=0)), *zip(self.categories, each, strict=True)]
            for name, (cor, inc, par, mis, spu) in rows:
                right, both = cor + (par / 2 if match == "partial" else 0), cor + inc + par
                cells = (right, both + spu, both + mis)
                with np.errstate(divide="ignore", invalid="ignore"):
                    values = np.divide(
                        (cells[0], cells[0], 2 * cells[0]),
                        (cells[1], cells[2], cells[1] + cells[2]),
                    )
                row = (match, as_text(name), cor, inc, par, mis, spu, *values.tolist())
                for column, value in zip(columns.values(), row, strict=True):
                    column.append(value)
        return Table({name: _as_column(values) for name, values in columns.items()})

    def _value(self, measure: Measure, label: str, average: str | None, undefined: str) -> Any:
        if measure.declaration.items is None:
            with suppress(PopulationUnknown):
                return super()._value(measure, label, average, undefined)
        raise MeasureError(
            measure=measure.name,
            what="it needs true negatives, and nobody can count what was rightly not marked",
            remedy="take P, R, F or Jaccard",
        )

    def _whole(self, measure: Measure) -> float | None:
        return None

    def report(self, undefined: str = "zero") -> Summary:
        """Precision, recall, F1 and support of every type, then the averages."""
        made = super().report(undefined)
        true, guessed = (len(side.unit) for side in self._read.sides)
        seen = SpansSeen("", len(self.units), true, guessed)
        others = (note for note in made.notes if not isinstance(note, ItemsSeen))
        return replace(made, notes=(seen, *others))

    def confusion(self) -> NoReturn:
        """Refused: a span may be found, missed or wrong, and is not of one category each time."""
        raise UsageError(
            argument="confusion",
            what="spans are not items of one category each",
            remedy="outcomes() has what was found, missed and wrong",
        )

    def right(self) -> NoReturn:
        """Refused, as the confusion matrix is."""
        self.confusion()

    def baselines(self) -> NoReturn:
        """Refused: nobody can accept all spans: any words may be one."""
        raise UsageError(
            argument="baselines",
            what="there is no end of spans that could be accepted",
            remedy="leave it out",
        )


def _as_column(values: list[Any]) -> Any:
    return values if isinstance(values[0], str) else np.array(values)


def _take(column: Int64, rows: Int64) -> Int64:
    """The values of rows; anything where the row is -1."""
    return column[rows] if len(column) else np.zeros(len(rows), np.int64)


class _Items(NamedTuple):
    """Spans as items of decisions: each true span as `times` items, `found` of them right;
    and predicted items that are wrong, with the unit and the type that each counts for.
    """

    times: int
    found: Int64
    unit: Int64
    kind: Int64


def _items_of(read: _Read, match: str) -> _Items:
    true, guessed = read.sides
    times = _HALVES if match == "partial" else 1
    found = np.zeros(len(true.unit), np.int64)
    if match == "strict":
        # Of each type by itself: a span of another type is wrong for that type.
        ours, theirs = equal_pairs(true, guessed)
        found[ours] = 1
        wrong = guessed.chosen(np.setdiff1d(np.arange(len(guessed.unit)), theirs))
        return _Items(times, found, wrong.unit, wrong.kind)
    pairs = match_spans(true, guessed)
    outcome = np.array(OUTCOMES)[outcomes_of(pairs, true, guessed, match)]
    found[pairs.true[outcome == "COR"]] = times
    found[pairs.true[outcome == "PAR"]] = 1
    others = [true.chosen(pairs.true[outcome == "INC"])] * times
    others += [true.chosen(pairs.true[outcome == "PAR"])]
    others += [guessed.chosen(pairs.predicted[outcome == "SPU"])] * times
    unit, kind = (
        np.concatenate([getattr(spans, name) for spans in others]) for name in ("unit", "kind")
    )
    return _Items(times, found, unit, kind)


def as_decisions(reads: Sequence[_Read], match: str) -> tuple[Membership, list[Membership], Int64]:
    """The truth and the decisions of systems as memberships of items, and the unit of each item.

    A true span is one item, by "partial" two, as a pair that is partly right is half found. A wrong
    prediction is an item of its system alone.
    """
    true = reads[0].sides[0]
    every = [_items_of(read, match) for read in reads]
    times = every[0].times
    width = max(len(reads[0].kinds), 1)
    gold = len(true.unit) * times
    unit = np.concatenate([np.repeat(true.unit, times), *(items.unit for items in every)])
    kind = np.concatenate([np.repeat(true.kind, times), *(items.kind for items in every)])
    keys = np.arange(len(unit)) * width + kind
    nth = np.tile(np.arange(times), len(true.unit))
    decided, begin = [], gold
    for items in every:
        has = np.zeros(len(unit), np.bool_)
        has[:gold] = np.repeat(items.found, times) > nth
        has[begin : begin + len(items.unit)] = True
        begin += len(items.unit)
        decided.append(has)
    named = len(unit), tuple(reads[0].kinds)
    truth = Membership(*named, keys[:gold], "multi")
    return truth, [Membership(*named, keys[has], "multi") for has in decided], unit


def decisions_of_two(a: Spans, b: Spans) -> tuple[Membership, list[Membership], Int64]:
    """The truth and the decisions of two systems about the same units, and the unit of each item;
    see `as_decisions`.
    """
    remedy = "make both by pc.decisions.spans of the same truth"
    if a.match != b.match:
        got = Fact(f"{a.match} and {b.match}")
        remedy = f"compare a.by({b.match!r}) with b"
        raise UsageError(argument="match", got=got, allowed="the same of both", remedy=remedy)
    if a.units != b.units:
        what = "the two systems have different units"
        raise UsageError(argument="compare", what=what, remedy=remedy)
    # Types of which only one system has spans are types of both.
    kinds = sorted({*a._read.kinds, *b._read.kinds})
    first, second = (_only(system._read, kinds) for system in (a, b))
    true, other = (_in_order(read.sides[0]) for read in (first, second))
    if not all(map(np.array_equal, true, other)):
        what = "the two systems have different true spans"
        raise UsageError(argument="compare", what=what, remedy=remedy)
    # Both have the rows of the truth in one order.
    reads = [
        read._replace(sides=(side, read.sides[1]))
        for read, side in ((first, true), (second, other))
    ]
    return as_decisions(reads, a.match)


def _in_order(spans: SpanColumns) -> SpanColumns:
    return spans.chosen(np.lexsort((spans.kind, spans.end, spans.start, spans.unit)))


def spans(
    truth: object,
    predicted: object,
    *,
    match: str = "strict",
    scheme: str | None = None,
    illegal: str = "keep",
    suffix: bool = False,
    separator: str = "-",
    types: Sequence[str] | None = None,
) -> Spans:
    """Compare predicted spans, such as named entities, with the true ones.

    Parameters
    ----------
    truth : of each unit, such as a sentence, the tags of its tokens, `["B-PER", "I-PER", "O"]`; or
        its spans, `[("PER", 0, 2)]`: type, start, and end, which is not in the span; or dicts
        `{"label": "PER", "start": 0, "end": 2}`, as of Prodigy, nervaluate and Hugging Face
        (`entity_group`). Units are a list, or a dict by their names.
    predicted : the same of the predictions. Units of a dict are matched by name.
    match : when a predicted span is right: if a true one has its type, start and end ("strict");
        its start and end ("boundary"); the same, and half if they overlap ("partial"); or its type,
        and they overlap ("type"). The last three are those of SemEval 2013, "exact", "partial" and
        "type" there.
    scheme : the scheme of the tags: "IOB2" (BIO), "IOB1", "BIOES", "BILOU", "IOE2" or "IOE1". None
        guesses it from the prefixes; that only matters for illegal tags.
    illegal : what to do about spans with tags that the scheme forbids, such as I-PER after O:
        "keep" them, as conlleval and seqeval do by default; "drop" them, as seqeval's strict mode
        does; or raise an "error".
    suffix : whether the prefix stands behind the type, as in PER-B.
    separator : what stands between prefix and type. A type may hold it: prefixes are split at the
        first one, suffixes at the last.
    types : the types that are measured; spans of others are dropped on both sides. None is all.

    Returns
    -------
    Spans

    Raises
    ------
    DataError
        A tag has no prefix, or one that the scheme does not have; a unit has not as many true as
        predicted tags; a span ends before it starts.
    UsageError
        Units are missing on one side, one side has tags and the other spans, or an argument is not
        allowed.

    Warns
    -----
    PrecallWarning
        Tags are illegal; a span is predicted twice; predicted types that are not in the truth.

    Notes
    -----
    A tagged span cannot go on into the next unit. Equal spans are counted as often as they occur,
    so the second of two equal predictions is wrong; seqeval and LingPipe take sets. For pairs that
    only overlap, those with equal ends are matched first, then those that share the most places;
    the order of the spans does not matter, as it does in nervaluate. Intervals of `pc.interval` and
    tests of `pc.compare` take the units as the sample, since errors within one depend on each
    other: one wrong end is a false positive and a false negative at once.

    References
    ----------
    Tjong Kim Sang, E. F. & De Meulder, F. (2003). Introduction to the CoNLL-2003 shared task.
    CoNLL, 142-147. Segura-Bedmar, I., Martínez, P. & Herrero-Zazo, M. (2013). SemEval-2013 task 9.
    SemEval, 341-350.

    Examples
    --------
    >>> truth = [["B-PER", "I-PER", "O", "B-LOC"], ["B-ORG", "O"]]
    >>> predicted = [["B-PER", "I-PER", "O", "B-ORG"], ["B-ORG", "O"]]
    >>> found = spans(truth, predicted)
    >>> found.table.to_dict()["tp"], round(found.f(average="micro"), 4)
    ([0, 1, 1], 0.6667)
    """
    match = _match_of(match)
    scheme = None if scheme is None else choose("scheme", scheme, tuple(SCHEMES), NAMED)
    check_choice("illegal", illegal, ILLEGAL)
    if not check_kind("separator", separator, str, "a text"):
        raise UsageError(argument="separator", got=separator, allowed="a text")
    check_choice("suffix", suffix, (False, True))
    units = _units_of(truth, predicted)
    are_tags = [_hold_tags(side.values()) for side in units]
    if None not in are_tags and are_tags[0] != are_tags[1]:
        forms = [
            f"{side} has {'tags' if tags else 'spans'}"
            for side, tags in zip(_SIDES, are_tags, strict=True)
        ]
        raise UsageError(
            argument="predicted", what=" and ".join(forms), remedy="give both sides in one form"
        )
    if True in are_tags:
        read, scheme = _of_tags(units, scheme, illegal, Split(suffix, separator))
    else:
        read, scheme = _of_triples(units), None
    read = _only(read, types)
    made = Spans(read._replace(notes=(*read.notes, *_notes(read))), match, scheme)
    warn_all(made.notes)
    return made


def _match_of(match: object) -> str:
    chosen: str = choose("match", match, MATCHES, _CALLED, _NOT_ONE)
    return chosen


Units = Mapping[Any, Sequence[Any]]


def _units_of(truth: object, predicted: object) -> tuple[Units, Units]:
    """The units of both sides by name or by number, in the order of the truth."""
    sides = {}
    for name, given in zip(_SIDES, (truth, predicted), strict=True):
        if isinstance(given, Mapping):
            sides[name] = dict(given)
            continue
        if isinstance(given, str | bytes) or not isinstance(given, Iterable):
            raise UsageError(
                argument=name, got=Kind(given), allowed="a list of units, or a dict of them"
            )
        refuse_set(name, given, "a list of units, or a dict of them")
        sides[name] = dict(enumerate(as_list(given)))
    both = sides["truth"], sides["predicted"]
    if isinstance(truth, Mapping) != isinstance(predicted, Mapping):
        raise UsageError(
            argument="predicted",
            what="one side is a dict of units and the other is not",
            remedy="give both in one form",
        )
    if not isinstance(truth, Mapping) and len(both[0]) != len(both[1]):
        sizes = " and ".join(
            f"{name} has {many(len(side), 'unit')}" for name, side in sides.items()
        )
        raise UsageError(argument="predicted", what=f"of unequal length: {sizes}")
    lacking = [
        (name, [unit for unit in other if unit not in side])
        for name, side, other in ((_SIDES[1], both[1], both[0]), (_SIDES[0], both[0], both[1]))
    ]
    for name, units in lacking:
        if units:
            raise UsageError(
                argument=name,
                what=f"{many(len(units), 'unit')} of the other side missing",
                got=Fact(f"none of {as_text(units[0])}"),
                remedy="give each unit on both sides, without spans if it has none",
            )
    for name, side in zip(_SIDES, both, strict=True):
        for unit, content in side.items():
            _check_unit(name, unit, content)
    listed = [{unit: as_list(side[unit]) for unit in both[0]} for side in both]
    return listed[0], listed[1]


def _check_unit(side: str, unit: object, content: object) -> None:
    """Raise if the content of a unit cannot be a list of tags or spans."""
    if isinstance(content, str):
        raise _one_unit(side, content).error(side)
    # Tags have an order, and a set has none; spans say themselves where they are.
    is_unordered = isinstance(content, Set) and _hold_tags([list(content)])
    if not isinstance(content, Iterable) or isinstance(content, Mapping) or is_unordered:
        raise Mistake(
            "unit {unit} is no list",
            "give the tags or spans of each unit in a list",
            got=Kind(content),
            unit=unit,
        ).error(side)


def _one_unit(side: str, tag: str) -> Mistake:
    return Mistake(
        "a unit is a text",
        f"give a list of units, each a list of tags; of one sentence ⟨[{side}]⟩",
        got=tag,
    )


def _hold_tags(units: Iterable[Sequence[Any]]) -> bool | None:
    """Whether units hold tags, not spans; None if they are empty."""
    first = next(chain.from_iterable(units), None)
    return None if first is None else not isinstance(first, tuple | list | Mapping | np.ndarray)


def _of_tags(
    units: tuple[Units, Units], scheme: str | None, illegal: str, split: Split
) -> tuple[_Read, str | None]:
    names = tuple(units[0])
    for unit in names:
        sizes = [len(side[unit]) for side in units]
        if sizes[0] != sizes[1]:
            raise Mistake(
                "unit {unit} has {true} and {got}",
                "give a tag for every token on both sides, O outside of spans",
                got=Many(sizes[1], "predicted tag"),
                unit=unit,
                true=Many(sizes[0], "true tag"),
            ).error("predicted")
    kinds: dict[str, int] = {}
    tokens = [
        read_tokens(name, side, kinds, split) for name, side in zip(_SIDES, units, strict=True)
    ]
    every = [spans_of(side) for side in tokens]
    guessed = scheme is None
    if scheme is None:
        scheme = guess_scheme(tokens[0], tokens[1], every[0])
    else:
        _check_prefixes(scheme, tokens, units, split)
    notes: list[Note] = []
    for side, name in enumerate(_SIDES):
        if scheme is None:
            break
        legal = is_legal(tokens[side], every[side], scheme)
        if legal.all():
            continue
        unit, token = first_illegal(names, every[side], legal)
        tags = units[side][unit]
        before = tags[token - 1] if token else ""
        count = int(np.count_nonzero(~legal))
        if illegal == "error":
            raise Mistake(
                "{count} of {total} spans have a tag that {scheme:s} forbids, first {got} at token "
                "{token} of unit {unit}",
                "correct the tags, or pass ⟨illegal='keep'⟩",
                got=tags[token],
                count=count,
                total=len(legal),
                scheme=scheme,
                token=token,
                unit=unit,
            ).error(name)
        notes.append(
            IllegalTags(
                name,
                count,
                len(legal),
                scheme,
                guessed,
                illegal,
                as_text(unit),
                token,
                tags[token],
                before,
            )
        )
        if illegal == "drop":
            every[side] = every[side].chosen(legal)
    return _sorted_kinds(_Read(names, list(kinds), (every[0], every[1]), tuple(notes))), scheme


def _check_prefixes(
    scheme: str, tokens: Sequence[Tokens], units: tuple[Units, Units], split: Split
) -> None:
    """Raise for a prefix that the scheme does not have."""
    for name, side, given in zip(_SIDES, tokens, units, strict=True):
        others = [prefix for prefix in prefixes_in(side) if prefix not in SCHEMES[scheme]]
        if not others:
            continue
        unit, token, tag = next(
            (unit, token, tag)
            for unit, tags in given.items()
            for token, tag in enumerate(tags)
            if tag != "O" and split.parts(tag)[0] in others
        )
        fitting = [
            name for name, prefixes in SCHEMES.items() if set(prefixes_in(*tokens)) <= set(prefixes)
        ]
        advice = f"these prefixes are those of {listing(fitting, str)}" if fitting else "correct it"
        raise Mistake(
            "tag {token} of unit {unit} is not of {scheme:s}",
            advice,
            got=tag,
            allowed=Among("its prefixes are", ["O", *SCHEMES[scheme]]),
            token=token,
            unit=unit,
            scheme=scheme,
        ).error(name)


def _of_triples(units: tuple[Units, Units]) -> _Read:
    kinds: dict[str, int] = {}
    sides = []
    for name, side in zip(_SIDES, units, strict=True):
        rows = [
            (place, *_triple(name, unit, span, kinds))
            for place, (unit, given) in enumerate(side.items())
            for span in given
        ]
        sides.append(
            SpanColumns(*(np.array(column, np.int64) for column in zip(*rows, strict=True)))
            if rows
            else SpanColumns(*np.zeros((4, 0), np.int64))
        )
    read = _Read(tuple(units[0]), list(kinds), (sides[0], sides[1]))
    return _sorted_kinds(read._replace(notes=tuple(_ends_apart(*read.sides))))


def _ends_apart(true: SpanColumns, predicted: SpanColumns) -> Iterator[Note]:
    """A note if no two spans are equal, but most would be if the ends of one side were one more."""
    if len(equal_pairs(true, predicted)[0]):
        return
    least = max(2, math.ceil(min(len(true.unit), len(predicted.unit)) / 2))
    for name, step in (("predicted", 1), ("truth", -1)):
        moved = predicted._replace(end=predicted.end + step)
        alike = len(equal_pairs(true, moved)[0])
        if alike >= least:
            yield EndsApart(name, alike)


def _triple(name: str, unit: object, span: object, kinds: dict[str, int]) -> tuple[int, int, int]:
    """A span as numbers."""
    todo = "give (type, start, end)"
    span = span.tolist() if isinstance(span, np.ndarray) else span
    span = _of_fields(span) if isinstance(span, Mapping) else span
    if not isinstance(span, tuple | list) or len(span) != 3:
        raise Mistake(
            "a span of unit {unit}",
            todo,
            got=Kind(span) if not isinstance(span, tuple | list) else span,
            allowed=_TRIPLES,
            unit=unit,
        ).error(name)
    kind, start, end = span
    whole = all(
        isinstance(end_, int | np.integer) and not isinstance(end_, bool) for end_ in (start, end)
    )
    if not isinstance(kind, str) or not whole or not 0 <= start < end <= _FARTHEST:
        if isinstance(span[-1], str):
            todo = "give the type first: (type, start, end)"
        raise Mistake("a span of unit {unit}", todo, got=span, allowed=_TRIPLES, unit=unit).error(
            name
        )
    return kinds.setdefault(kind, len(kinds)), int(start), int(end)


#: What the type of a span is called in dicts of Prodigy, spaCy and nervaluate, and of a pipeline of
#: Hugging Face. There `entity` is the tag of one token, with its prefix.
_TYPE_KEYS = ("label", "entity_group", "type")


def _of_fields(span: Mapping[Any, Any]) -> object:
    """The span of a dict with its type, start and end; the dict if it has no such fields."""
    named = [key for key in _TYPE_KEYS if key in span]
    if not named or not {"start", "end"} <= span.keys():
        return span
    return span[named[0]], span["start"], span["end"]


def _sorted_kinds(read: _Read) -> _Read:
    """The same with the types in order of their names."""
    order = sorted(range(len(read.kinds)), key=read.kinds.__getitem__)
    place = np.zeros(len(order), np.int64)
    place[order] = np.arange(len(order))
    sides = [side._replace(kind=place[side.kind]) for side in read.sides]
    # Types of which no span is left, such as illegal ones, are none of the data.
    return _only(
        read._replace(kinds=[read.kinds[i] for i in order], sides=(sides[0], sides[1])), None
    )


def _only(read: _Read, types: Sequence[str] | None) -> _Read:
    """The spans of some types, in their order; None is of all that occur."""
    seen = np.zeros(len(read.kinds), np.bool_)
    for side in read.sides:
        seen[side.kind] = True
    if types is None:
        kept = [name for name, there in zip(read.kinds, seen, strict=True) if there]
    else:
        given: object = types
        is_list = isinstance(given, Iterable) and not isinstance(given, str)
        types = list(types) if is_list else []
        if not is_list or not all(isinstance(name, str) for name in types):
            raise UsageError(argument="types", got=given, allowed="a list of types")
        check_some("types", types)
        kept = list(dict.fromkeys(types))
        if read.kinds and not set(kept) & set(read.kinds):
            raise UsageError(
                argument="types",
                got=Fact(listing(kept)),
                why="and no span has one of these",
                allowed=Among("there are", read.kinds),
            )
    place = np.array([kept.index(name) if name in kept else -1 for name in read.kinds], np.int64)
    sides = []
    for side in read.sides:
        rows = place[side.kind] >= 0
        chosen = side.chosen(rows)
        sides.append(chosen._replace(kind=place[chosen.kind]))
    return read._replace(kinds=kept, sides=(sides[0], sides[1]))


def _notes(read: _Read) -> list[Note]:
    """What is noticed about the spans themselves."""
    notes: list[Note] = []
    for name, side in zip(_SIDES, read.sides, strict=True):
        distinct = len(np.unique(np.stack(side), axis=1).T) if len(side.unit) else 0
        if twice := len(side.unit) - distinct:
            notes.append(SameSpanTwice(name, twice))
    in_each = [
        [name for at, name in enumerate(read.kinds) if (side.kind == at).any()]
        for side in read.sides
    ]
    apart = no_common(in_each[0], in_each[1], _SIDES)
    only = [name for name in in_each[1] if name not in in_each[0]]
    if apart is not None:
        notes.append(apart)
    elif only:
        notes.append(TypesOnlyPredicted("", tuple(only), tuple(in_each[0])))
    return notes
