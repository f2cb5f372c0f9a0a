"""Tables in HTML: headings with scope, numbers flush right, wide ones in a box that scrolls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from precall.page.markup import element, escaped, named
from precall.results import number


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its text, and how it is marked.

    Parameters
    ----------
    text : as it is shown.
    best : of its column or line.
    sign : -1 and 1 colour a loss and a gain; the text says it, too.
    words : is text and no number.
    markup : instead of the text.
    """

    text: str = ""
    best: bool = False
    sign: int = 0
    words: bool = False
    markup: str = ""


def table(
    heading: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    caption: str,
    key: str,
    *,
    sortable: bool = False,
    tall: bool = False,
) -> str:
    """A table; the first cell of each row is its heading.

    Parameters
    ----------
    caption : what it shows; stands above, as it would be cut off in a narrow box that scrolls.
    key : the table's id, of this page only.
    sortable : a script makes the headings buttons that sort.
    tall : on a screen a long table scrolls under its headings.

    Examples
    --------
    >>> table(["run", "AP"], [[Cell("a<b"), Cell("0.5", best=True)]], "Means", "m")[-71:]
    '<tbody><tr><th scope=row>a&lt;b<td class=best>0.5</tbody></table></div>'
    """
    words = {i for row in rows[:1] for i, cell in enumerate(row) if cell.words}
    head = "".join(
        f"<th scope=col{' class=words' if i in words else ''}>{named(one)}" for i, one in enumerate(heading)
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
    said = element("p", escaped(caption), class_="note", id=f"{key}-said")
    box = "wide tall" if tall else "wide"
    return said + element("div", whole, class_=box, role="group", tabindex=0, aria_labelledby=f"{key}-said")


def between(low: float, high: float) -> str:
    """The bounds of an interval as they stand behind a value; nothing where they are undefined.

    Examples
    --------
    >>> between(0.25, 0.5), between(float("nan"), 0.5)
    (' <span class="ends">[0.2500, 0.5000]</span>', '')
    """
    if low != low or high != high:
        return ""
    return f' <span class="ends">[{number(low)}, {number(high)}]</span>'


def _cell(cell: Cell) -> str:
    looks = {"best": cell.best, "loss": cell.sign < 0, "gain": cell.sign > 0, "words": cell.words}
    classes = [name for name, on in looks.items() if on]
    said = f" class={classes[0]}" if len(classes) == 1 else f' class="{" ".join(classes)}"' if classes else ""
    return f"<td{said}>{cell.markup or escaped(cell.text)}"
