"""How a table looks in a paper: decimals, caption, label, printed names, rows and columns.

LaTeX and Markdown are laid out in this way; the other forms have all rows and columns, with every
digit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any

from precall.core.arguments import check_kind, check_some, check_whole, refuse_set
from precall.core.errors import Among, Fact, UsageError
from precall.core.hooks import hook
from precall.core.text import list_names, short_repr
from precall.results.blocks import DIGITS, Block, Line

#: float64 has no more digits than this.
_MOST_DIGITS = 15
#: What LaTeX reads as mathematics, or as a command with its arguments.
_COMMANDS = re.compile(r"\$[^$]*\$|\\[a-zA-Z]+\*?(?:\[[^\]]*\])?(?:\{[^{}]*\})*")


@dataclass(frozen=True, slots=True)
class Layout:
    """How a table of a paper looks. Without any choice it is as the result has it.

    Parameters
    ----------
    digits : decimals of values; None is four. Thresholds and p values keep their own digits.
    caption : text of the caption, as it is.
    label : text of `label` in LaTeX, by which the table is referred to.
    names : what to print for the name of a system, measure or column.
    order : all systems, in the order of their rows.
    columns : the measures or other columns to show, in their order.

    A measure may be called by any of its names.
    """

    digits: int | None = None
    caption: str | None = None
    label: str | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    order: tuple[str, ...] | None = None
    columns: tuple[str, ...] | None = None

    @classmethod
    def of(cls, **choices: Any) -> Layout:
        """The layout of these choices; those that are None are left as they are."""
        given = {name: value for name, value in choices.items() if value is not None}
        for name, value in given.items():
            _CHECKS[name](name, value)
        for name in {"order", "columns"} & given.keys():
            given[name] = tuple(given[name])
        return cls(**given)

    def __bool__(self) -> bool:
        """Whether anything was chosen."""
        return any(getattr(self, each.name) not in (None, {}) for each in fields(self))

    @property
    def decimals(self) -> int:
        """Decimals of values in sentences."""
        return DIGITS if self.digits is None else self.digits

    def name_of(self, name: str) -> str:
        """What to print for a name."""
        return self.names.get(name, name)

    def in_names_of(self, blocks: Sequence[Block]) -> Layout:
        """The layout by the names that blocks have: a measure may be called by any of its names."""
        there = _names_in(blocks)

        def own(name: str) -> str:
            return name if name in there else find(name, there) or name

        def each_once(argument: str, typed: Iterable[str]) -> tuple[str, ...]:
            first: dict[str, str] = {}
            for name in typed:
                if (before := first.setdefault(own(name), name)) != name:
                    what = f"{short_repr(before)} and {{got}} are one measure"
                    raise UsageError(what, argument=argument, got=name, remedy="name it once")
            return tuple(first)

        find = hook("name among names of measures")
        names = each_once("names", self.names)
        return replace(
            self,
            names=dict(zip(names, self.names.values(), strict=True)),
            order=None if self.order is None else each_once("order", self.order),
            columns=None if self.columns is None else each_once("columns", self.columns),
        )

    def pick(self, block: Block) -> Block:
        """A block of systems by measures with the chosen columns, in their order."""
        return block if self.columns is None else self._pick((block,), may_turn=False)[0]

    def arrange(self, blocks: tuple[Block, ...]) -> tuple[Block, ...]:
        """Blocks with the chosen columns and the order of rows, under the names to print.

        Blocks without the chosen columns are left out.
        """
        names = self._checked_names(blocks)
        if self.columns is not None:
            blocks = self._pick(blocks)
        if self.order is not None:
            blocks = self._sort(blocks, self.order)
        return tuple(_rename(block, names) for block in blocks) if names else blocks

    def _pick(self, blocks: tuple[Block, ...], may_turn: bool = True) -> tuple[Block, ...]:
        wanted = self.columns or ()
        picked = (_with_columns(block, wanted, may_turn) for block in blocks)
        if with_columns := tuple(block for block in picked if block is not None):
            return with_columns
        # The first block is the one that people see first, so its names are listed.
        heads = list(blocks[0].heading[blocks[0].left :])
        missing = [name for name in wanted if name not in heads]
        short = (block for block in blocks if not block.long)
        elsewhere = {name for block in blocks for name in block.heading}
        elsewhere.update(name for block in short for name in _rows(block))
        if len(blocks) > 1 and elsewhere.issuperset(missing):
            raise UsageError(
                f"{list_names(list(wanted))} are not in one table",
                argument="columns",
                remedy="name columns of one table",
            )
        names = heads if len(heads) > 1 or not may_turn else _rows(blocks[0])
        raise UsageError(
            "no column {got}",
            argument="columns",
            got=(missing or wanted)[0],
            allowed=Among("there are", names),
        )

    def _sort(self, blocks: tuple[Block, ...], order: tuple[str, ...]) -> tuple[Block, ...]:
        wanted = set(order)
        if not any(wanted in (set(_rows(block)), set(_heads(block))) for block in blocks):
            first = blocks[0]
            rows = _heads(first) if wanted & set(_heads(first)) else _rows(first)
            unknown = [name for name in order if name not in rows]
            missing = [name for name in rows if name not in wanted]
            raise UsageError(
                "no row {got}"
                if unknown
                else f"{{got}} {'is' if len(missing) == 1 else 'are'} not named",
                argument="order",
                got=unknown[0] if unknown else Fact(list_names(missing)),
                allowed=Among("there are" if unknown else "name each of", rows),
            )
        return tuple(_reorder(block, order) for block in blocks)

    def _checked_names(self, blocks: tuple[Block, ...]) -> dict[str, str]:
        """What to print, by the names that are in the blocks."""
        if not self.names:
            return {}
        there = _names_in(blocks)
        for name in self.names:
            if name not in there:
                raise UsageError(
                    "there is no {got}",
                    argument="names",
                    got=name,
                    allowed=Among("there are", there),
                )
        return dict(self.names)


#: The layout of results as they are.
PLAIN = Layout()


def _check_digits(name: str, value: object) -> None:
    check_whole(name, value, 0, _MOST_DIGITS)


def _check_text(name: str, value: object) -> None:
    if not check_kind(name, value, str, "a text").strip():
        raise UsageError("is empty", argument=name, remedy="leave it out")


def _check_label(name: str, value: Any) -> None:
    _check_text(name, value)
    if special := re.search(r"[\s\\{}%#~$^&]", value):
        raise UsageError(
            argument=name,
            got=value,
            why=f"which has {special[0]!r}",
            remedy="use letters, digits and signs such as : and -",
        )


def _check_names(name: str, value: Any) -> None:
    check_kind(name, value, Mapping, "a dict from a name to what to print")
    for texts in value.items():
        for text in texts:
            check_kind(name, text, str, "a dict from a name to what to print")


def _check_list(name: str, value: object) -> None:
    refuse_set(name, value, "a list of names")
    if isinstance(value, str | bytes) or not isinstance(value, Sequence):
        raise UsageError(argument=name, allowed="a list of names", got=value)
    names = list(value)
    check_some(name, names)
    for each in names:
        check_kind(name, each, str, "a list of names")
    twice = next((each for each in names if names.count(each) > 1), None)
    if twice is not None:
        raise UsageError("{got} is named twice", argument=name, got=twice, remedy="name it once")


_CHECKS = {
    "digits": _check_digits,
    "caption": _check_text,
    "label": _check_label,
    "names": _check_names,
    "order": _check_list,
    "columns": _check_list,
}


def check_tex(text: str) -> None:
    """Refuse a caption that LaTeX cannot read: with bare special characters or open braces."""
    rest = re.sub(r"\\[^a-zA-Z]", "", re.sub(r"\\\(.*?\\\)", "", text))
    depth = 0
    for brace in re.findall(r"[{}]", rest):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            break
    if depth:
        raise UsageError("braces must match", argument="caption", got=text)
    special = re.search("[%#]", rest)
    last = ""
    # Arguments may hold commands with arguments.
    while rest != last:
        last, rest = rest, _COMMANDS.sub("", rest)
    if special := special or re.search("[&$_^]", rest):
        remedy = r"write $^{...}$" if special[0] == "^" else rf"write \{special[0]}"
        raise UsageError(
            f"{special[0]} has a meaning in LaTeX", argument="caption", got=text, remedy=remedy
        )


def _names_in(blocks: Sequence[Block]) -> list[str]:
    """The names of rows and columns, each once."""
    # Tables of many lines have topics or ranks as names.
    rows = (name for block in blocks if not block.long for name in _rows(block))
    heads = (name for block in blocks for name in _heads(block))
    return list(dict.fromkeys(filter(None, (*rows, *heads))))


def _rows(block: Block) -> list[str]:
    """The names of the rows, each once."""
    return list(dict.fromkeys(line.name for line in block.lines))


def _heads(block: Block) -> list[str]:
    """The heads of the columns of values."""
    return list(block.heading[block.left :])


def _with_columns(block: Block, wanted: Sequence[str], may_turn: bool) -> Block | None:
    """A block with these columns. One whose rows have these names is turned: measures stand in
    columns.
    """
    stays = not may_turn or block.long or block.left > 1
    sides = [block] if stays else [block, block.turn()]
    for side in sides:
        heads = _heads(side)
        if set(wanted) <= set(heads):
            positions = [heads.index(name) + side.left - 1 for name in wanted]
            return side.pick([*range(side.left - 1), *positions])
    return None


def _reorder(block: Block, order: Sequence[str]) -> Block:
    """A block with its rows, or its columns, in this order; others stay as they are."""
    if set(_rows(block)) == set(order):
        lines = sorted(block.lines, key=lambda line: order.index(line.name))
        first = [line.name for line in list(block.lines)[: block.above]]
        stays = [line.name for line in lines[: block.above]] == first
        return replace(block, lines=tuple(lines), above=block.above * stays)
    heads = _heads(block)
    if set(heads) == set(order):
        left = block.left - 1
        return block.pick([*range(left), *(heads.index(name) + left for name in order)])
    return block


def _rename(block: Block, names: Mapping[str, str]) -> Block:
    heading = [
        names.get(name, name) if i >= block.left else name for i, name in enumerate(block.heading)
    ]
    return replace(block, heading=tuple(heading)).map(partial(_rename_line, names))


def _rename_line(names: Mapping[str, str], line: Line) -> Line:
    return line._replace(name=names.get(line.name, line.name))
