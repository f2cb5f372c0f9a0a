"""Tables for documents: Markdown, and LaTeX with booktabs; and text as they print it."""

from __future__ import annotations

import re

from precall.text import printable

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


def pipes(heading: list[str], rows: list[list[str]], left: int) -> str:
    """A table in GitHub's Markdown; the first `left` columns are flush left."""
    rule = [":--"] * left + ["--:"] * (len(heading) - left)
    return "\n".join("| " + " | ".join(line) + " |" for line in (heading, rule, *rows))


def tabular(heading: list[str], rows: list[list[str]], left: int, long: bool = False) -> list[str]:
    """A `tabular`, or a `longtable`, which may be broken over pages and repeats its heading there."""
    environment = "longtable" if long else "tabular"
    head = [" & ".join(heading) + r" \\", r"\midrule", *([r"\endhead"] if long else [])]
    body = [" & ".join(row) + r" \\" for row in rows]
    begin = rf"\begin{{{environment}}}{{{'l' * left + 'r' * (len(heading) - left)}}}"
    return [begin, r"\toprule", *head, *body, r"\bottomrule", rf"\end{{{environment}}}"]
