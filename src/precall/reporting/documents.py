"""Report → tables for documents: Markdown, and LaTeX with booktabs. Ids are escaped."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from precall.reporting.rows import averages, leaders, notes, topics
from precall.results import Report
from precall.text import printable

if TYPE_CHECKING:
    from precall.intervals.table import Intervals

_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%",
    "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\char34{}", "[": "{[}", "]": "{]}",
    "`": r"\textasciigrave{}", "*": "{*}",
}  # fmt: skip


def in_markdown(text: str) -> str:
    """Text that Markdown prints as it is, also inside a table.

    Examples
    --------
    >>> in_markdown("a|b_<c>")
    'a\\\\|b\\\\_\\\\<c\\\\>'
    """
    return re.sub(r"([\\`*_\[\]<>|~&$#!])", r"\\\1", printable(text))


def in_latex(text: str) -> str:
    """Text that LaTeX prints as it is.

    Examples
    --------
    >>> in_latex("50%_a")
    '50\\\\%\\\\_a'
    """
    # Two hyphens would become a dash.
    return re.sub("-(?=-)", "-{}", "".join(_LATEX.get(character, character) for character in printable(text)))


def markdown(report: Report, *, per_topic: bool = False, intervals: Intervals | None = None) -> str:
    """Tables in GitHub's Markdown, the best average of each column in bold."""
    parts = []
    if per_topic:
        heading, rows = topics(report, in_markdown)
        parts.append(pipes(heading, rows, len(heading) - len(report.measures)))
    heading, rows = averages(
        report, lambda text, best: f"**{text}**" if best else text, in_markdown, intervals
    )
    parts.append(pipes(heading, rows, 1))
    said = [in_markdown(note) for note in (*notes(report, intervals), report.signature)]
    if any(leaders(report)):
        said.insert(0, "Bold: best of its column.")
    parts.append("\n".join(f"- {note}" for note in said))
    return "\n\n".join(parts) + "\n"


def pipes(heading: list[str], rows: list[list[str]], left: int) -> str:
    rule = [":--"] * left + ["--:"] * (len(heading) - left)
    return "\n".join("| " + " | ".join(line) + " |" for line in (heading, rule, *rows))


def latex(report: Report, *, per_topic: bool = False, intervals: Intervals | None = None) -> str:
    """A booktabs `tabular` (topics: a `longtable`), the best average of each column in bold."""
    packages = "booktabs and longtable" if per_topic else "booktabs"
    lines = [f"% needs the packages {packages}"]
    lines += [f"% {printable(text)}" for text in (*notes(report, intervals), report.signature)]
    if per_topic:
        heading, rows = topics(report, in_latex)
        lines += tabular("longtable", heading, rows, len(heading) - len(report.measures))
    heading, rows = averages(
        report, lambda text, best: rf"\textbf{{{text}}}" if best else text, in_latex, intervals
    )
    lines += tabular("tabular", heading, rows, 1)
    return "\n".join(lines) + "\n"


def tabular(environment: str, heading: list[str], rows: list[list[str]], left: int) -> list[str]:
    columns = "l" * left + "r" * (len(heading) - left)
    head = [" & ".join(heading) + r" \\", r"\midrule"]
    if environment == "longtable":
        head.append(r"\endhead")
    body = [" & ".join(row) + r" \\" for row in rows]
    begin, end = rf"\begin{{{environment}}}{{{columns}}}", rf"\end{{{environment}}}"
    return [begin, r"\toprule", *head, *body, r"\bottomrule", end]
