"""Report → a table to be read on a screen."""

from __future__ import annotations

import re
from textwrap import wrap
from typing import TYPE_CHECKING

from precall.reporting.rows import averages, leaders, notes, topics
from precall.results import Report
from precall.text import BEST, printable
from precall.text import table as aligned

if TYPE_CHECKING:
    from precall.intervals.table import Intervals


def table(
    report: Report, *, per_topic: bool = False, bold: bool = False, width: int = 80,
    intervals: Intervals | None = None,
) -> str:  # fmt: skip
    """Aligned columns, wrapped into blocks of `width`; the best average of each column is marked.

    Examples
    --------
    >>> from precall import evaluate
    >>> runs = {"x": {"q1": {"a": 1.0, "b": 2.0}}, "y": {"q1": {"a": 1.0}}}
    >>> print(table(evaluate({"q1": {"a": 1}}, runs, ["AP"])).partition("precall")[0].rstrip())
    run      AP   topics
    x    0.5000        1
    y    1.0000*       1
    <BLANKLINE>
    * best of its column
    """
    lines: list[str] = []
    if per_topic:
        heading, rows = topics(report, printable)
        lines += [
            *aligned(heading, rows, left=len(heading) - len(report.measures), width=width, kept=BEST),
            "",
        ]
    marked = any(leaders(report))
    heading, rows = averages(
        report, lambda text, best: text + (BEST if best else " " * marked), printable, intervals
    )
    if marked:
        heading[1:-1] = [name + " " for name in heading[1:-1]]
    for line in aligned(heading, rows, width=width, kept=BEST):
        lines.append(_shown(line, bold))
    lines.append("")
    if marked:
        lines.append("bold: best of its column" if bold else "* best of its column")
    for note in map(printable, notes(report, intervals)):
        lines += wrap(note, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    lines += wrapped(printable(report.signature), width)
    return "\n".join(lines) + "\n"


def _shown(line: str, bold: bool) -> str:
    if not bold:
        return line.replace(BEST, "*")
    return re.sub(rf"(\S+){BEST}", "\x1b[1m\\1\x1b[0m ", line).rstrip()


def wrapped(text: str, width: int) -> list[str]:
    """A signature in lines of `width`, broken only at its bars.

    Examples
    --------
    >>> wrapped("ties docno | topics both | grade >=1", 24)
    ['ties docno | topics both', '  | grade >=1']
    """
    first, *rest = text.split(" | ")
    lines = [first]
    for part in rest:
        if len(lines[-1]) + 3 + len(part) <= width:
            lines[-1] += f" | {part}"
        else:
            lines.append(f"  | {part}")
    return lines
