"""Tables in HTML: headings with scope, numbers flush right, wide ones in a box that scrolls."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from precall.page.markup import element, escaped, named
from precall.page.record_tables import blocks_from
from precall.results import number
from precall.sheet.sheets import Block, shown

#: What begins like this is a number, perhaps with a sign, a bound or a mark.
_NUMBER = re.compile(r"[-+\u2212<]?\s*=?\s*\d|undef|$")


class Cell(NamedTuple):
    """A cell: its text, what it is ("loss" and "gain" have colours, "words" are no number), and markup in place of text."""

    text: str
    kind: str = ""
    markup: str = ""


def table(
    heading: Sequence[str], rows: Sequence[Sequence[Cell]], caption: str, key: str, *, sortable: bool = False,
    tall: bool = False,
) -> str:  # fmt: skip
    """A table; the first cell of each row is its heading.

    Parameters
    ----------
    caption : stands above, as it would be cut off in a narrow box that scrolls.
    key : the table's id.
    sortable : a script makes the headings buttons that sort.
    tall : on a screen a long table scrolls under its headings.

    Examples
    --------
    >>> table(["run", "AP"], [[Cell("a<b"), Cell("0.5", "gain")]], "Means", "m")[-71:]
    '<tbody><tr><th scope=row>a&lt;b<td class=gain>0.5</tbody></table></div>'
    """
    words = {i for row in rows[:1] for i, cell in enumerate(row) if cell.kind == "words"}
    head = "".join(
        f"<th scope=col{' class=words' * (i in words)}>{named(name)}" for i, name in enumerate(heading)
    )
    # Without the end tags that HTML does not ask for: a third of a long table.
    body = "".join(
        f"<tr><th scope=row>{row[0].markup or named(row[0].text)}" + "".join(map(_cell, row[1:]))
        for row in rows
    )
    whole = element(
        "table", f"<thead><tr>{head}</thead><tbody>{body}</tbody>", id=key,
        class_="sortable" if sortable else None, aria_labelledby=f"{key}-said",
    )  # fmt: skip
    title = element("p", escaped(caption), class_="note", id=f"{key}-said")
    box = "wide tall" if tall else "wide"
    return title + element("div", whole, class_=box, role="group", tabindex=0, aria_labelledby=f"{key}-said")


def _cell(cell: Cell) -> str:
    return f"<td{f' class={cell.kind}' if cell.kind else ''}>{cell.markup or escaped(cell.text)}"


def block_table(
    block: Block, caption: str, key: str, *, sortable: bool = False, beside: Sequence[Sequence[str]] = ()
) -> str:
    """The table of a block of a sheet, with bounds, and what else stands `beside` values, such as letters; see `table`."""
    rows = [
        [Cell(line.name), *cells]
        for line, cells in zip(block.lines, marked_cells(block, between), strict=True)
    ]
    for row, marks in zip(rows, beside, strict=False):
        for place, mark in enumerate(marks, 1):
            row[place] = row[place]._replace(markup=f"{row[place].markup} <i>{escaped(mark)}</i>")
    return table(block.heading, rows, caption, key, sortable=sortable)


def marked_cells(
    block: Block, ends: Callable[[tuple[float, float]], str], mark: str = "b"
) -> Iterator[list[Cell]]:
    """The cells of the values of each line; `ends` writes bounds, `mark` is the element of the best values."""
    for line, best in zip(block.lines, block.leaders(), strict=True):
        cells = []
        for place, value in enumerate(line.values):
            text = escaped(shown(value))
            text = element(mark, text) if place in best else text
            bounds = line.ends[place] if line.ends else None
            words = isinstance(value, str) and not _NUMBER.match(value)
            cells.append(Cell("", "words" * words, text if bounds is None else text + ends(bounds)))
        yield cells


def between(ends: tuple[float, float]) -> str:
    """The bounds of an interval as they stand behind a value.

    Examples
    --------
    >>> between((0.25, 0.5))
    ' <span class="ends">[0.2500, 0.5000]</span>'
    """
    return f' <span class="ends">[{number(ends[0])}, {number(ends[1])}]</span>'


def block_tables(data: Sequence[Mapping[str, Any]], key: str) -> str:
    """Tables of blocks as a record has them."""
    tables = []
    for i, (block, given) in enumerate(zip(blocks_from({"blocks": data}), data, strict=True)):
        first = block.heading[0]
        # Not capitalize: AP stays AP.
        caption = block.title or first[:1].upper() + first[1:]
        caption += f", with {given['intervals']}." if given.get("intervals") else ""
        tables.append(block_table(block, caption, f"{key}-b{i}", sortable=first == "category"))
    return "".join(tables)
