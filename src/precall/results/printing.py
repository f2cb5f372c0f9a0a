"""A sheet as a document: its tables, or the table of a paper with its caption, in Markdown and in
LaTeX.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from precall.core.notes import sentences
from precall.core.text import printable
from precall.results.blocks import Block, marks_of, rows_of

if TYPE_CHECKING:
    from precall.results.base import Sheet


def markdown(sheet: Sheet) -> str:
    """Tables in Markdown."""
    parts = [in_markdown(line) for line in sheet.verdict.split("\n") if line]
    legend, (caption, blocks, without) = "", sheet.printed()
    for block in blocks:
        if block.title:
            parts.append(f"### {in_markdown(block.title)}")
        rows, marked = rows_of(block, in_markdown, "**{}**")
        legend = legend or marked
        heading = [in_markdown(name) for name in block.heading]
        parts.append(pipes(*_with_marks(block, heading, rows, in_markdown)))
    notes = [in_markdown(caption)] if caption else [f"Bold: {legend}."] if legend else []
    notes += [
        in_markdown(text)
        for text in (*sentences(sheet.notes), sheet.signature)
        if text not in without
    ]
    return "\n\n".join([*parts, "\n".join(f"- {note}" for note in notes)]) + "\n"


def in_markdown(text: str) -> str:
    """Text that Markdown prints as it is, also inside a table."""
    return re.sub(r"([\\`*_\[\]<>|~&$#!])", r"\\\1", printable(text))


def _with_marks(
    block: Block, heading: list[str], rows: list[list[str]], escape: Callable[[str], str]
) -> tuple[list[str], list[list[str]], str]:
    """Heading, rows and the side on which each column is flush; marks are columns of their own."""
    flush = ["l"] * block.left + ["r"] * (len(heading) - block.left)
    # From behind, so that places stay what they are.
    for place, marks in reversed(list(marks_of(block))):
        for row, cell in zip((heading, flush, *rows), ("", "l", *map(escape, marks)), strict=True):
            row.insert(place + 2, cell)
    return heading, rows, "".join(flush)


def pipes(heading: list[str], rows: list[list[str]], flush: str) -> str:
    """A table in GitHub's Markdown; `flush` has l or r for each column."""
    rule = [{"l": ":--", "r": "--:"}[side] for side in flush]
    return "\n".join("| " + " | ".join(line) + " |" for line in (heading, rule, *rows))


def latex(sheet: Sheet) -> str:
    """Tables in LaTeX, with booktabs; one with a caption floats."""
    caption, blocks, without = sheet.printed()
    packages = "s booktabs and longtable" if any(block.long for block in blocks) else " booktabs"
    lines = [f"% needs the package{packages}"]
    told = (*sheet.verdict.split("\n"), *sentences(sheet.notes), sheet.signature)
    lines += [f"% {printable(text)}" for text in told if text and text not in without]
    tables = [_table(block) for block in blocks]
    if caption:
        tables[0] = _floating(caption, sheet.format, blocks[0])
    made = [line for table in tables for line in table]
    if _STRANGE.search("".join(made)):
        lines.append(
            "% has letters that pdflatex does not know: take lualatex or xelatex, and a font that "
            "has them"
        )
    return "\n".join([*lines, *made]) + "\n"


def _floating(caption: str, format: str, block: Block) -> list[str]:
    """A table with its caption; what is too wide for a page stands in several parts below each
    other.
    """
    above = re.sub(r"\bp \\ensuremath\{\\leq\} ([\d.]+)", r"$p \\leq \1$", in_latex(caption))
    above = re.sub(r"(?<=[ (])-(?=\d)", "$-$", above)
    label = re.sub(r"precall\.|/.*", "", format)
    # Classes of documents set a caption close to what is below it.
    head = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{above}}}",
        rf"\label{{tab:{label}}}",
        r"\smallskip",
    ]
    for place, part in enumerate(_parts(block)):
        head += [r"\par\medskip"] * (place > 0) + _table(part)
    return [*head, r"\end{table}"]


#: In points: a line of an article, a digit, and what lies between two columns.
_LINE, _DIGIT, _GAP = 345, 5, 12


def _parts(block: Block) -> list[Block]:
    """A block as blocks that fit a page, each with the names."""
    rows, _ = rows_of(replace(block, best=()), printable, "{}")
    marks = {place: max(map(len, some)) + 1 for place, some in marks_of(block)}
    names, *columns = zip(block.heading, *rows, strict=True)
    sizes = [
        _GAP + _DIGIT * max(len(column[0]), max(map(len, column[1:])) + marks.get(place, 0))
        for place, column in enumerate(columns)
    ]
    room = max(_LINE - _GAP - _DIGIT * max(map(len, names)), _LINE // 2)
    ends = [0]
    for place in range(1, len(sizes) + 1):
        if place == len(sizes) or sum(sizes[ends[-1] : place + 1]) > room:
            ends.append(place)
    # The same number of columns in each, if they fit.
    step = -(-len(sizes) // (len(ends) - 1))
    even = [*range(0, len(sizes), step), len(sizes)]
    if all(sum(sizes[first:last]) <= room for first, last in pairwise(even)):
        ends = even
    return [block.part(first, last) for first, last in pairwise(ends)]


#: What pdflatex does not know by itself: all but Latin letters and common punctuation.
_STRANGE = re.compile("[^\\0-\u017f\u2013\u2014\u2018-\u201e\u2020-\u2022\u2026\u20ac]")
_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",
    "[": "{[}",
    "]": "{]}",
    "`": r"\textasciigrave{}",
    "*": "{*}",
    "\u2264": r"\ensuremath{\leq}",
    "\u2265": r"\ensuremath{\geq}",
    "\u2020": r"\textdagger{}",
    "\u2212": r"\textminus{}",
}
#: Signs that are raised.
_SIGNS = {"*": "*", "\u2020": r"\dagger"}


def in_latex(text: str) -> str:
    """Text that LaTeX prints as it is."""
    # Two hyphens would become a dash.
    return re.sub(
        "-(?=-)", "-{}", "".join(_LATEX.get(character, character) for character in printable(text))
    )


def _mark(mark: str) -> str:
    """Letters as they are, signs raised."""
    if not mark or not set(mark) <= set(_SIGNS):
        return in_latex(mark)
    return f"$^{{{''.join(map(_SIGNS.__getitem__, mark))}}}$"


def _table(block: Block) -> list[str]:
    """The lines of a title and a table."""
    rows, _ = rows_of(block, in_latex, r"\textbf{{{}}}")
    # A number has a minus, not a hyphen.
    rows = [
        [
            *row[: block.left],
            *(re.sub(r"(^|\[)-(?=\d)", r"\1$-$", cell) for cell in row[block.left :]),
        ]
        for row in rows
    ]
    heading = [in_latex(name) for name in block.heading]
    marked = [place + 1 for place, _ in marks_of(block)]
    _, rows, flush = _with_marks(block, list(heading), rows, _mark)
    # A mark stands close to its value, and below the same heading.
    heading = [
        rf"\multicolumn{{2}}{{c}}{{{name}}}" if i in marked else name
        for i, name in enumerate(heading)
    ]
    flush = re.sub("(?<=r)l", r"@{\\hspace{0.3em}}l", flush)
    title = [f"% {printable(block.title)}"] if block.title else []
    return title + _tabular(heading, rows, flush, block)


def _tabular(
    heading: Sequence[str], rows: Sequence[Sequence[str]], flush: str, block: Block
) -> list[str]:
    """A `tabular`, or a `longtable`, which may be broken over pages and repeats its heading
    there.
    """
    environment = "longtable" if block.long else "tabular"
    head = [" & ".join(heading) + r" \\", r"\midrule", *([r"\endhead"] if block.long else [])]
    body = [" & ".join(row) + r" \\" for row in rows]
    if block.above:
        body.insert(block.above, r"\midrule")
    begin = rf"\begin{{{environment}}}{{{flush}}}"
    return [begin, r"\toprule", *head, *body, r"\bottomrule", rf"\end{{{environment}}}"]
