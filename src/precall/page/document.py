"""Turns a record into its page, one HTML file that loads nothing from elsewhere; or into any form
of the other commands.

Style and script are part of the page and allowed by the hash of their bytes. The policy forbids
everything else: even if a name became markup, it could not run or send anything.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib.resources import files
from typing import Any

from precall.core.text import many, number
from precall.page.axes import room
from precall.page.charts import ChartLine, line_chart, stems
from precall.page.record import laid_out, read_page, record_of
from precall.page.remarks import remarks
from precall.page.sections import Categories, CurvesSection, Law, Page, Systems, Tables
from precall.page.systems import comparisons, summary
from precall.page.tables import (
    far_from_chance,
    gates_of,
    p_column,
    p_method,
    p_words,
    sheet_of,
    show,
    shown_all,
)
from precall.page.templates import Cell, Markup, environment, macros
from precall.page.topics import topics
from precall.results.forms import render

#: Strings and regular expressions of a script, except templates inside templates.
_TEXTS = re.compile(
    r'("(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|(?<=\()/(?:\\.|\[(?:\\.|[^\]])*\]|[^/\\\n\[])+/)'
)
_BESIDE = re.compile(r" ?([=<>?:,;{}()&|*!%]+) ?")
_GATES = "Gates"
#: First word of the sentence about gates, and its colour.
_JUDGED = {"Failed": "loss", "Passed": "gain"}
#: Titles and markup of the parts of a section.
Parts = list[tuple[str, str]]
_CHANCE_HEADING = [
    "system",
    "measure",
    "observed",
    "mean by chance",
    "standard deviation",
    "p",
    "how",
]
_CHANCE_CAPTION = (
    "Is it better than chance? The same items in random order; p is the chance of the observed "
    "value or more."
)


def html(page: Page) -> str:
    """A complete page.

    Examples
    --------
    >>> from precall.page.record import page_of
    >>> from precall.page.sections import SectionPart
    >>> from precall.results.sentence import Sentence
    >>> empty = Tables(title="", blocks=[], signature="")
    >>> text = html(page_of([SectionPart(empty, [Sentence("Nothing.")], [])], "a<b"))
    >>> text.startswith("<!doctype html>"), "<h1>a&lt;b</h1>" in text
    (True, True)
    """
    parts = [
        (title, body)
        for i, section in enumerate(page.sections)
        for title, body in _KINDS[section.kind](section, f"s{i}")
        if body
    ]
    shortened = _shorten(page)
    # The first printed page is a summary: the conclusions, the gates if there are any, and the
    # warnings.
    first = 1 + (parts[1:2] != [] and parts[1][0] == _GATES)
    if page.notes:
        parts.insert(first, ("What to know", remarks(page.notes, shortened)))
        first += 1
    parts.append(("How these numbers came about", _origin(page)))
    style, script = (
        _read_own("page.css"),
        _script(frozenset(section.kind for section in page.sections)),
    )
    template = environment().get_template("page.html")
    return template.render(
        page=page,
        record=record_of(page),
        parts=_number(parts),
        first=first,
        described=_describe(page),
        short=shortened,
        judged=_JUDGED,
        policy=Markup(policy(style, script)),
        style=Markup(style),
        script=Markup(script),
    )


def _describe(page: Page) -> list[str]:
    """The size of the data in numbers, when the page was made, and by which version."""
    parts = []
    for section in page.of_kind(Systems):
        parts += [
            many(len(section.systems), "system"),
            section.words.count(len(section.topics), "topic"),
        ]
    return [*parts, *([page.date] if page.date else []), f"precall {page.versions['precall']}"]


def _shorten(page: Page) -> Callable[[str], str]:
    """A function that shortens the names of systems in a text to those that the page shows."""
    short = {
        full: name
        for section in page.of_kind(Systems)
        for full, name in section.short.items()
        if full != name
    }
    return partial(_rename, short=short)


def _rename(text: str, short: Mapping[str, str]) -> str:
    """A text with the names of systems replaced, if they stand as words."""
    short = {full: name for full, name in short.items() if full != name}
    if not short:
        return text
    longest_first = "|".join(map(re.escape, sorted(short, key=len, reverse=True)))
    pattern = re.compile(rf"(?<![\w.-])(?:{longest_first})(?![\w-])")
    return pattern.sub(lambda match: short[match[0]], text)


@cache
def _read_own(name: str) -> str:
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    # Parts of the script begin with a comment that names the kinds of sections they are for.
    lines = [line for line in map(str.strip, text.splitlines()) if line]
    lines = [line for line in lines if line.startswith("// @ ") or not line.startswith("//")]
    # Spaces beside operators are removed as well, except in strings and regular expressions.
    parts = _TEXTS.split("\n".join(lines))
    return "".join(piece if i % 2 else _BESIDE.sub(r"\1", piece) for i, piece in enumerate(parts))


@cache
def _script(kinds: frozenset[str]) -> str:
    """The script without the parts for other kinds of sections."""
    first, *parts = re.split(r"^// @ (.*)$\n", _read_own("page.js"), flags=re.MULTILINE)
    chosen = [
        text
        for of, text in zip(parts[::2], parts[1::2], strict=True)
        if {*of.split()} & {"all", *kinds}
    ]
    return "".join([first, (_read_own("systems.js") + "\n") * ("systems" in kinds), *chosen])


def policy(style: str, script: str) -> str:
    """The Content-Security-Policy: allows only this style and this script, and nothing from
    elsewhere.
    """

    def hash_of(text: str) -> str:
        digest = hashlib.sha256(text.encode()).digest()
        return f"'sha256-{base64.b64encode(digest).decode()}'"

    return (
        f"default-src 'none'; style-src {hash_of(style)}; script-src {hash_of(script)}; img-src "
        "data:; base-uri 'none'; form-action 'none'"
    )


def _number(parts: Parts) -> list[dict[str, str]]:
    """Titles that occurred before get a number, so that readers who navigate by headings can tell
    them apart.
    """
    seen: Counter[str] = Counter()
    numbered = []
    for title, body in parts:
        seen[title] += 1
        numbered.append(
            {"title": f"{title} ({seen[title]})" if seen[title] > 1 else title, "body": body}
        )
    return numbered


def _systems(section: Systems, key: str) -> Parts:
    return [
        (
            "Which system is best?" if len(section.systems) > 1 else "Averages",
            summary(section, key),
        ),
        (_GATES, _gates(section, key)),
        ("Comparisons", comparisons(section, key)),
        (section.words.word("topics").capitalize(), topics(section, key)),
        ("Better than chance?", chances(_of_short(section), key)),
    ]


def _gates(section: Systems, key: str) -> str:
    """The gates that failed, with reasons: the sentence of each."""
    if section.gates is None:
        return ""
    caption = (
        "May a system take the place of the baseline? The gain is how much better it is, "
        "whichever values are good."
    )
    tables = [show(block, caption, f"{key}-gates") for block in gates_of(section)]
    gates = sorted(section.gates.gates, key=lambda gate: gate.passed)
    markup: Markup = macros("systems.html").gates(
        tables, [_rename(gate.text, section.short) for gate in gates]
    )
    return markup


def _of_short(section: Systems) -> list[Law]:
    """The null distributions of systems, under the names that the page shows."""
    return [replace(law, system=section.short.get(law.system, law.system)) for law in section.laws]


def _curves(section: CurvesSection, key: str) -> Parts:
    # Pages of runs have no curves of cases, and need not import them.
    from precall.page.operating import curves, measures, pairs

    scores = [measures(section, key), *pairs(section, key)]
    return [
        ("Threshold and curves", curves(section, key)),
        ("Scores", macros("curves.html").scores(scores, shown_all(section.blocks, key))),
        ("Better than chance?", chances(section.laws, key)),
    ]


def _categories(section: Categories, key: str) -> Parts:
    from precall.page.operating import curves

    note = "Curves: all pairs of item and category as one list"
    if section.shown == section.of:
        note += ", and each category"
    elif section.shown:
        note += f", and the {section.shown} of {section.of} categories of least average precision"
    # The other tables of all categories, the thresholds and the decisions stand after the measures.
    blocks, policy, parts = section.blocks, section.policy, macros("curves.html")
    first_tables, more = shown_all(blocks[:2], key), shown_all(blocks[2:5], f"{key}-more")
    decisions = shown_all(blocks[5:], f"{key}-decisions")
    how = f"Decided by {policy}" + (
        ": each item is in its best category." if policy == "rank:1" else "."
    )
    return [
        ("Categories", parts.categories(first_tables, more)),
        ("Decisions", parts.decisions(how, decisions) if decisions else ""),
        ("Curves", macros("tables.html").note(note + ".") + curves(section, key)),
    ]


def chances(laws: Sequence[Law], key: str) -> str:
    """A table of all null distributions, and a chart of each."""
    if not laws:
        return ""
    rows = [
        [
            Cell(law.system),
            Cell(law.measure, "words"),
            *(Cell(number(float(value))) for value in (law.observed, law.chance, law.deviation)),
            Cell(p_column(law)),
            Cell(p_method(law), "words"),
        ]
        for law in laws
    ]
    sentences = list(map(far_from_chance, laws))
    charts = [_chance(law, f"{key}-l{i}") for i, law in enumerate(laws) if not sentences[i]]
    table = {
        "heading": _CHANCE_HEADING,
        "rows": rows,
        "caption": _CHANCE_CAPTION,
        "key": f"{key}-laws",
    }
    markup: Markup = macros("tables.html").chances(list(filter(None, sentences)), charts, table)
    return markup


def _chance(law: Law, key: str) -> dict[str, Any]:
    x, height = law.x.tolist(), law.height.tolist()
    top = 1.06 * max(height, default=1.0) or 1.0
    observed, measure = float(law.observed), law.measure
    points = stems(x, height) if law.mass else (x, height)
    mark = ChartLine(f"observed {number(observed)}, {p_words(law)}", [observed] * 2, [0.0, top], 2)
    title = f"{measure} of {law.system} under random selection"
    description = (
        f"The distribution of {measure} when the same items stand in random order: mean "
        f"{number(float(law.chance))}, standard deviation {number(float(law.deviation))}. "
        f"Observed {number(observed)}, {p_words(law)} "
        f"({p_method(law)})."
    )
    chart = line_chart(
        title,
        description,
        measure,
        "probability" if law.mass else "density",
        [ChartLine("by chance", *points), mark],
        x=room([*x, observed]),
        y=(0.0, top),
        height=150,
        key=key,
    )
    return {"caption": title, "body": chart}


def _sheet(section: Tables, key: str) -> Parts:
    tables = macros("tables.html").tables(shown_all(section.blocks, key))
    if section.labelled is None:
        return [(section.title, tables)]
    from precall.page.judged import chart_of

    figures = [
        {"caption": each.measure, "body": chart_of(each, key=f"{key}-j{place}")}
        for place, each in enumerate(section.labelled)
    ]
    return [(section.title, macros("tables.html").figures(figures) + tables)]


def _origin(page: Page) -> Markup:
    files = [
        [Cell(file.name), Cell(str(file.bytes)), Cell(file.sha256, "words")] for file in page.files
    ]
    versions = [[Cell(name), Cell(text or "-", "words")] for name, text in page.versions.items()]
    markup: Markup = macros("ends.html").origin(
        [section.signature for section in page.sections if section.signature],
        page.command,
        {
            "heading": ["file", "bytes", "SHA-256"],
            "rows": files,
            "caption": "Inputs",
            "key": "files",
        }
        if files
        else None,
        {
            "heading": ["of", "version"],
            "rows": versions,
            "caption": "What the numbers were computed by.",
            "key": "versions",
        },
    )
    return markup


_KINDS: dict[str, Callable[[Any, str], Parts]] = {
    "systems": _systems,
    "curves": _curves,
    "categories": _categories,
    "sheet": _sheet,
}


def write_page(page: Page, form: str = "table", *, bold: bool = False, width: int = 80) -> str:
    """A page as text, in a form of sheets, as json (all of it, columns as lists), or as html, the
    page itself.

    Examples
    --------
    >>> from precall.page.record import page_of
    >>> from precall.page.sections import SectionPart
    >>> write_page(
    ...     page_of([SectionPart(Tables(title="", blocks=[], signature=""), [], [])], "Nothing"),
    ...     "csv",
    ... )
    'format,section,system,topic,measure,statistic,value,notes\\n'
    """
    if form == "html":
        return html(page)
    if form == "json":
        return laid_out(record_of(page))
    return render(sheet_of(page), form, bold=bold, width=width)


def tell(path: str, form: str = "table", *, bold: bool = False, width: int = 80) -> str:
    """The content of a page, read from its file, as text; see `write_page`.

    Raises
    ------
    DataError
        The file is not a page of precall, was changed, or its parts do not fit together.
    """
    return write_page(read_page(path), form, bold=bold, width=width)
