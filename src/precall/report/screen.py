"""Report → a table to be read on a screen."""

from __future__ import annotations

import re

from precall.report.rows import averages, leaders, printable, topics
from precall.results import Report
from precall.text import table as aligned

#: Stands behind the best values until the columns are aligned.
_BEST = "\x01"


def table(report: Report, *, per_topic: bool = False, bold: bool = False, width: int = 80) -> str:
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
        lines += [*aligned(heading, rows, left=len(heading) - len(report.measures), width=width), ""]
    marked = any(leaders(report))
    heading, rows = averages(report, lambda text, best: text + (_BEST if best else " " * marked), printable)
    if marked:
        heading[1:-1] = [name + " " for name in heading[1:-1]]
    for line in aligned(heading, rows, width=width):
        lines.append(_shown(line, bold))
    lines.append("")
    if marked:
        lines.append("bold: best of its column" if bold else "* best of its column")
    for note in [*map(printable, report.notes())]:
        lines += wrapped(note, width, "; ")
    lines += wrapped(printable(report.signature), width, " | ")
    return "\n".join(lines) + "\n"


def _shown(line: str, bold: bool) -> str:
    if not bold:
        return line.replace(_BEST, "*")
    return re.sub(rf"(\S+){_BEST}", "\x1b[1m\\1\x1b[0m ", line).rstrip()


def wrapped(text: str, width: int, between: str) -> list[str]:
    """`text` in lines of `width`, broken only at `between`; later lines are indented.

    Examples
    --------
    >>> wrapped("ties docno | topics both | grade >=1", 24, " | ")
    ['ties docno | topics both', '  | grade >=1']
    """
    lines: list[str] = []
    for part in text.split(between):
        if lines and len(lines[-1]) + len(between) + len(part) <= width:
            lines[-1] += between + part
        elif lines:
            lines[-1] += between.rstrip() if between.startswith(";") else ""
            lines.append("  " + ("" if between.startswith(";") else between.lstrip()) + part)
        else:
            lines.append(part)
    return lines
