"""Tags of tokens, such as B-PER I-PER O, as spans.

One rule reads every scheme: a token begins a span if no span goes on before it, if its type is
another, if its prefix says so (B, S, U), or if the prefix before it ended a span (E, L, S, U). It
is that of seqeval's default and of conlleval. Which spans a scheme allows is then asked of each
span: a span that holds an illegal tag is illegal as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from precall.core.errors import Among, Kind, Mistake
from precall.core.ragged import Bool, Int64

#: The prefixes of each scheme, by its name; "O" is in all of them.
SCHEMES = {"IOB2": "BI", "IOB1": "BI", "BIOES": "BIES", "BILOU": "BILU", "IOE2": "IE", "IOE1": "IE"}
#: Other names of schemes, in the form that `choose` takes.
NAMED = {
    "bio": ["IOB2"],
    "bio2": ["IOB2"],
    "iob": ["IOB1"],
    "iobes": ["BIOES"],
    "bilouo": ["BILOU"],
}
#: The prefixes, numbered for arrays; 0 is a token outside of all spans.
_PREFIX = {prefix: number for number, prefix in enumerate("OBIESLU")}
_BEGINS, _ENDS = (np.array([prefix in those for prefix in _PREFIX]) for those in ("BSU", "ELSU"))
_PREFIXES = Among("tags are", ["O or a prefix B, I, E, S, L or U and a type, such as B-PER"])
#: The type of spans whose tags name none, as in "B I O".
UNNAMED = "_"


class Tokens(NamedTuple):
    """The tokens of all units in their order: the unit of each, its prefix and its type by number;
    a token outside of all spans has the type -1.
    """

    unit: Int64
    prefix: Int64
    kind: Int64


class SpanColumns(NamedTuple):
    """Spans as columns: the unit of each, its type by number, its start, and its end, which is not
    in it.
    """

    unit: Int64
    kind: Int64
    start: Int64
    end: Int64

    def chosen(self, rows: Any) -> SpanColumns:
        """Some of the spans."""
        return SpanColumns(*(column[rows] for column in self))


class Split(NamedTuple):
    """How a tag is written: where its prefix is, and what stands between prefix and type."""

    suffix: bool = False
    separator: str = "-"

    def parts(self, tag: str) -> tuple[str, str]:
        """The prefix of a tag and its type, "" if it names none.

        Examples
        --------
        >>> Split().parts("B-a-b"), Split(suffix=True).parts("a-b-B"), Split().parts("I")
        (('B', 'a-b'), ('B', 'a-b'), ('I', ''))
        """
        if self.suffix:
            kind, _, prefix = tag.rpartition(self.separator)
            return prefix, kind
        prefix, _, kind = tag.partition(self.separator)
        return prefix, kind


def read_tokens(
    name: str, units: Mapping[Any, Sequence[Any]], kinds: dict[str, int], split: Split
) -> Tokens:
    """The tokens of units, whose types are numbered in `kinds`, where new ones are added.

    Examples
    --------
    >>> kinds = {}
    >>> read_tokens("truth", {0: ["B-X", "I-X", "O"]}, kinds, Split()).prefix.tolist(), kinds
    ([1, 2, 0], {'X': 0})
    """
    known: dict[str, tuple[int, int]] = {"O": (0, -1)}
    prefixes: list[int] = []
    types: list[int] = []
    for unit, tags in units.items():
        for position, tag in enumerate(tags):
            found = known.get(tag) if isinstance(tag, str) else None
            if found is None:
                found = known[tag] = _parse(name, tag, kinds, split, unit, position)
            prefixes.append(found[0])
            types.append(found[1])
    sizes = [len(tags) for tags in units.values()]
    unit_of_token = np.repeat(np.arange(len(sizes)), np.array(sizes, np.int64))
    return Tokens(unit_of_token, np.array(prefixes, np.int64), np.array(types, np.int64))


def _parse(
    name: str, tag: object, kinds: dict[str, int], split: Split, unit: object, position: int
) -> tuple[int, int]:
    """Numbers of the prefix and the type of a tag."""
    if not isinstance(tag, str):
        todo = "write tags as texts, such as B-PER; of numbers take the names of the model's labels"
        raise _fault("tag {token} of unit {unit}", todo, unit, position, Kind(tag)).error(name)
    prefix, kind = split.parts(tag)
    number = _PREFIX.get(prefix, 0)
    if not number:
        what = "tag {token} of unit {unit} has no prefix"
        raise _fault(what, _advice(tag, split), unit, position, tag).error(name)
    return number, kinds.setdefault(kind or UNNAMED, len(kinds))


def _fault(what: str, todo: str, unit: object, position: int, got: object) -> Mistake:
    return Mistake(what, todo, got=got, allowed=_PREFIXES, unit=unit, token=position)


def _advice(tag: str, split: Split) -> str:
    """What to do about a tag without a prefix."""
    other = split._replace(suffix=not split.suffix)
    if other.parts(tag)[0] in _PREFIX and len(tag) > 1:
        return (
            "if the prefix stands last, pass ⟨suffix=True⟩"
            if other.suffix
            else "if the prefix stands first, leave ⟨suffix=True⟩ out"
        )
    if tag[:1] in _PREFIX and tag[1:2] in ("_", ".", "/", ":", "|"):
        return f"name what stands between prefix and type, ⟨separator={tag[1]!r}⟩"
    return "of one label for each token, without prefixes, make pc.decisions(truth, predicted)"


def spans_of(tokens: Tokens) -> SpanColumns:
    """The spans of tokens, as every scheme is read; see the module.

    Examples
    --------
    >>> tokens = read_tokens("truth", {0: ["I-X", "B-X", "O", "E-X"]}, {}, Split())
    >>> spans_of(tokens).start.tolist(), spans_of(tokens).end.tolist()
    ([0, 1, 3], [1, 2, 4])
    """
    unit, prefix, kind = tokens
    inside = kind >= 0
    first = np.ones(len(unit), np.bool_)
    first[1:] = unit[1:] != unit[:-1]
    before = np.concatenate(([-1], kind[:-1]))
    ended = np.concatenate(([True], _ENDS[prefix[:-1]])) if len(unit) else first
    begins = inside & (first | (before != kind) | _BEGINS[prefix] | ended)
    begin = np.flatnonzero(begins)
    # A span goes on to the next token that begins another one, is outside, or is of another unit.
    stops = np.append(np.flatnonzero(begins | ~inside | first), len(unit))
    end = stops[np.searchsorted(stops, begin, side="right")]
    offset = np.maximum.accumulate(np.where(first, np.arange(len(unit)), 0))[begin]
    return SpanColumns(unit[begin], kind[begin], begin - offset, end - offset)


def is_legal(tokens: Tokens, spans: SpanColumns, scheme: str) -> Bool:
    """Whether each of the spans holds no tag that the scheme forbids where it stands."""
    at = np.searchsorted(tokens.unit, spans.unit)
    first, last = at + spans.start, at + spans.end - 1
    letters = np.array(list(_PREFIX))
    begin, end = letters[tokens.prefix[first]], letters[tokens.prefix[last]]

    def goes_on(place: Int64, step: int) -> Bool:
        """Whether the token beside the span is of the same unit and type."""
        beside = np.clip(place + step, 0, len(tokens.unit) - 1)
        alike = (tokens.unit[beside] == spans.unit) & (tokens.kind[beside] == spans.kind)
        return np.asarray((beside != place) & alike)

    if scheme == "IOB2":
        return np.asarray(begin == "B")
    if scheme == "IOE2":
        return np.asarray(end == "E")
    if scheme == "IOB1":
        return np.asarray((begin != "B") | goes_on(first, -1))
    if scheme == "IOE1":
        return np.asarray((end != "E") | goes_on(last, 1))
    alone, stop = ("S", "E") if scheme == "BIOES" else ("U", "L")
    single = spans.end - spans.start == 1
    return np.asarray(np.where(single, begin == alone, (begin == "B") & (end == stop)))


def prefixes_in(*sides: Tokens) -> str:
    """The prefixes that occur."""
    seen = {number for tokens in sides for number in np.unique(tokens.prefix).tolist()}
    return "".join(prefix for prefix, number in _PREFIX.items() if number in seen and number)


def guess_scheme(truth: Tokens, predicted: Tokens, spans: SpanColumns) -> str | None:
    """The scheme whose prefixes are those of both sides and by which most spans of the truth are
    legal; None if no scheme has all of these prefixes.
    """
    seen = set(prefixes_in(truth, predicted))
    fitting = [name for name, prefixes in SCHEMES.items() if seen <= set(prefixes)]
    # With equally many, the smaller alphabet, then the order of `SCHEMES`.
    return max(
        fitting,
        key=lambda name: (
            int(np.count_nonzero(is_legal(truth, spans, name))),
            -len(SCHEMES[name]),
        ),
        default=None,
    )


def first_illegal(units: Iterable[object], spans: SpanColumns, legal: Bool) -> tuple[object, int]:
    """The unit and the first token of the first span that is not legal."""
    place = int(np.argmin(legal))
    return list(units)[int(spans.unit[place])], int(spans.start[place])
