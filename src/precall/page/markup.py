"""Text and tables → SVG and HTML, escaped: the only place where a name from outside becomes markup.

Charts are strings. Each element carries its look as presentation attributes, so that it shows as it is in a
notebook, and a class, so that a page's style sheet can give it other colours in the dark. Tables have headings with scope,
numbers flush right, and a box that scrolls.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from precall.drawing import looks
from precall.sheet.sheets import Block, show_cell
from precall.text import shown_ends

#: What would change the order of the letters around it, or says how they are to be shown, and is not seen itself.
UNSEEN = "\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufff9-\ufffb\U000e0000-\U000e007f"
#: What neither HTML nor SVG may hold, and that.
_FORBIDDEN = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{UNSEEN}\ud800-\udfff\ufffe\uffff]")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
#: Elements of HTML that need an end tag even where they are empty.
_ENDED = frozenset({"div", "output"})
#: What begins like this is a number, perhaps with a sign, a bound or a mark.
_NUMBER = re.compile(r"[-+\u2212<]?\s*=?\s*\d|undef|$")


def escaped(text: object) -> str:
    """Text that is shown as it is, also inside an attribute.

    Examples
    --------
    >>> escaped("</script><img src=x onerror='a&b'>")
    '&lt;/script&gt;&lt;img src=x onerror=&#39;a&amp;b&#39;&gt;'
    """
    return _FORBIDDEN.sub("\ufffd", str(text)).translate(_ENTITIES)


def show_name(text: object) -> str:
    """A name from outside, escaped; one that shows nothing says so, as a heading or button needs words.

    Examples
    --------
    >>> show_name("a<b"), show_name(" ")
    ('a&lt;b', '(empty)')
    """
    return escaped(text if str(text).strip() else "(empty)")


def element(name: str, *children: str, **attributes: object) -> str:
    """An element; `children` are markup already, attributes are escaped here.

    An underscore in an attribute's name is a hyphen, one at its end is dropped; None leaves the attribute out.

    Examples
    --------
    >>> element("text", escaped("a<b"), class_="name", text_anchor="end", x=1.0)
    '<text class="name" text-anchor="end" x="1">a&lt;b</text>'
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escaped(place(value) if isinstance(value, float) else value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if not children and name not in _ENDED:
        return f"<{name}{given}/>"
    return f"<{name}{given}>{''.join(children)}</{name}>"


def place(value: float) -> str:
    """A coordinate: a tenth of a pixel is enough.

    Examples
    --------
    >>> place(12.0), place(0.26), place(-0.01)
    ('12', '0.3', '0')
    """
    text = f"{value:.1f}"
    return "0" if text in ("-0.0", "0.0") else text.removesuffix(".0")


def label(x: float, y: float, text: object, anchor: str = "start", **more: object) -> str:
    """A line of text in the colour of its surroundings."""
    anchored = None if anchor == "start" else anchor
    return element("text", escaped(text), x=x, y=y, text_anchor=anchored, **more)


def stroke(place_: int) -> dict[str, object]:
    """Class, colour and dashes of the line at this place, from 0; those of matplotlib's pictures.

    Examples
    --------
    >>> stroke(0), stroke(1)["stroke_dasharray"]
    ({'class_': 's0', 'stroke': '#004488', 'stroke_dasharray': None}, '8 2.6')
    """
    dashes = looks.DASHES[place_ % len(looks.DASHES)]
    # matplotlib's are in units of the line's width.
    pattern = None if dashes == "-" else " ".join(place(1.6 * length) for length in dashes[1])
    return {
        "class_": f"s{place_ % len(looks.COLOURS)}", "stroke": looks.colour(place_), "stroke_dasharray": pattern,
    }  # fmt: skip


def fill(place_: int) -> dict[str, object]:
    """Class and colour of the area at this place, from 0."""
    return {"class_": f"f{place_ % len(looks.COLOURS)}", "fill": looks.colour(place_)}


def polyline(x: Sequence[float], y: Sequence[float], step: str = "") -> str:
    """The `d` of a path through points; `step` "before" holds each height from the point before it, "after" to the next.

    Points that fall on one place are drawn once.

    Examples
    --------
    >>> polyline([0, 5, 9], [1, 2, 3]), polyline([0, 5, 9], [1, 2, 3], "before")
    ('M0 1L5 2L9 3', 'M0 1V2H5V3H9')
    """
    parts: list[str] = []
    before = ("", "")
    for here in zip(map(place, x), map(place, y), strict=True):
        if not parts:
            parts.append(f"M{here[0]} {here[1]}")
        elif here == before:
            continue
        elif not step:
            parts.append(f"L{here[0]} {here[1]}")
        else:
            moves = {"H": here[0] != before[0], "V": here[1] != before[1]}
            order = "VH" if step == "before" else "HV"
            parts += [f"{turn}{here[turn == 'V']}" for turn in order if moves[turn]]
        before = here
    return "".join(parts)


def figure(caption: str, body: str, **attributes: object) -> str:
    """Markup below its caption."""
    return element("figure", element("figcaption", escaped(caption)), body, **attributes)


def picture(body: Sequence[str], width: float, height: float, title: str, description: str, key: str) -> str:
    """An SVG of its own, named and described for those who do not see it; its ids begin with a key that no other has.

    Examples
    --------
    >>> picture([element("path", d="M0 0H9")], 9.0, 5.0, "A line", "It is level.", "p")[:66]
    '<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0'
    """
    named = [
        element("title", escaped(title), id=f"{key}-t"),
        element("desc", escaped(description), id=f"{key}-d"),
    ]
    return element(
        "svg", *named, *body, xmlns="http://www.w3.org/2000/svg", class_="chart",
        viewBox=f"0 0 {place(width)} {place(height)}", width=width, height=height, role="img",
        aria_labelledby=f"{key}-t {key}-d", font_family="system-ui, sans-serif", font_size="11", fill="currentColor",
    )  # fmt: skip


def select(id_: str, title: str, options: Sequence[str], chosen: int, class_: str | None = None) -> str:
    """A box of choices, numbered from 0."""
    listed = [
        element("option", show_name(text), value=i, selected="" if i == chosen else None)
        for i, text in enumerate(options)
    ]
    return element("label", f"{title} ", element("select", *listed, id=id_, class_=class_))


class Cell(NamedTuple):
    """A cell: its text, what it is ("loss" and "gain" have colours, "words", "letters" are no numbers), markup in its place."""

    text: str
    kind: str = ""
    markup: str = ""


def table(
    heading: Sequence[str], rows: Sequence[Sequence[Cell]], caption: str, key: str, *, sortable: bool = False,
    tall: bool = False, hints: Mapping[str, str] | None = None,
) -> str:  # fmt: skip
    """A table; the first cell of each row is its heading.

    Parameters
    ----------
    caption : stands above, as it would be cut off in a narrow box that scrolls.
    key : the table's id.
    sortable : a script makes the headings buttons that sort.
    tall : on a screen a long table scrolls under its headings.
    hints : what a heading means, for who points at it.

    Examples
    --------
    >>> table(["run", "AP"], [[Cell("a<b"), Cell("0.5", "gain")]], "Means", "m")[-71:]
    '<tbody><tr><th scope=row>a&lt;b<td class=gain>0.5</tbody></table></div>'
    """
    flush = {
        i: cell.kind for row in rows[:1] for i, cell in enumerate(row) if cell.kind in ("words", "letters")
    }
    hinted = {name: f' title="{escaped(text)}"' for name, text in (hints or {}).items()}
    head = "".join(
        f"<th scope=col{f' class={flush[i]}' if i in flush else ''}{hinted.get(name, '')}>{show_name(name)}"
        for i, name in enumerate(heading)
    )
    # Without the end tags that HTML does not ask for: a third of a long table.
    body = "".join(
        f"<tr><th scope=row>{row[0].markup or show_name(row[0].text)}" + "".join(map(_cell, row[1:]))
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


def block_table(block: Block, caption: str, key: str, *, sortable: bool = False) -> str:
    """The table of a block of a sheet, with bounds; see `table`."""
    rows = [
        [Cell(line.name), *cells]
        for line, cells in zip(block.lines, marked_cells(block, between), strict=True)
    ]
    return table(block.heading, rows, caption, key, sortable=sortable)


def marked_cells(
    block: Block, ends: Callable[[tuple[float, float]], str], mark: str = "b"
) -> Iterator[list[Cell]]:
    """The cells of the values of each line; `ends` writes bounds, `mark` is the element of the best values."""
    for line, best in zip(block.lines, block.leaders(), strict=True):
        cells = []
        for place, value in enumerate(line.values):
            text = escaped(show_cell(value))
            text = element(mark, text) if place in best else text
            bounds = line.ends[place] if line.ends else None
            if line.marks and line.marks[place]:
                text += escaped(f" {line.marks[place]}")
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
    return f' <span class="ends">[{", ".join(shown_ends(*ends))}]</span>'
