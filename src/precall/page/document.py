"""From a record to its page, one file of HTML that asks nobody for anything; or to any form of the other commands.

Style and script stand in the page and are allowed by the hash of their bytes; the policy forbids all else, so that
even a name that became markup could not run or send anything.
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

from precall.page.axes import room
from precall.page.charts import Line, line_chart, stems
from precall.page.markup import Cell, block_table, element, escaped, figure, table
from precall.page.record import digest, embedded, laid_out, read_page, record_of
from precall.page.remarks import remarks
from precall.page.sections import Categories, Curves, Law, Page, Systems, Table, Tables
from precall.page.systems import comparisons, summary
from precall.page.tables import (
    far_from_chance,
    p_column,
    p_method,
    p_words,
    sheet_of,
    short_gates,
)
from precall.page.topics import topics
from precall.results import number
from precall.sheet.forms import rendered
from precall.sheet.verdicts import Sentence
from precall.text import many

#: Texts and patterns of a script, templates inside of templates left out.
_TEXTS = re.compile(r'("(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|(?<=\()/(?:\\.|\[(?:\\.|[^\]])*\]|[^/\\\n\[])+/)')
_BESIDE = re.compile(r" ?([=<>?:,;{}()&|*!%]+) ?")
_GATES = "Gates"
#: How the sentence of gates begins, and its colour.
_JUDGED = {"Failed": "loss", "Passed": "gain"}
#: Title and markup of a part of a section.
Parts = list[tuple[str, str]]
_CHANCE_HEADING = ["system", "measure", "observed", "mean by chance", "standard deviation", "p", "how"]
_CHANCE_CAPTION = (
    "Is it better than chance? The same items in random order; p is the chance of the observed value or more."
)


def html(page: Page) -> str:
    """A whole page.

    Examples
    --------
    >>> from precall.page.record import page_of
    >>> from precall.page.sections import Part
    >>> empty = Tables(title="", blocks=[], signature="")
    >>> text = html(page_of([Part(empty, [Sentence("Nothing.")], [])], "a<b"))
    >>> text.startswith("<!doctype html>"), "<h1>a&lt;b</h1>" in text
    (True, True)
    """
    parts = [
        (title, body)
        for i, section in enumerate(page.sections)
        for title, body in _KINDS[section.kind](section, f"s{i}")
        if body
    ]
    shortened = _shortened(page)
    # The first page is a summary: what the numbers come to, gates if there are any, and what should be known of them.
    first = 1 + (parts[1:2] != [] and parts[1][0] == _GATES)
    if page.notes:
        parts.insert(first, ("What to know", remarks(page.notes, shortened)))
        first += 1
    parts.append(("How these numbers came about", _origin(page)))
    parts = _numbered(parts)
    sections = [
        element("section", element("h2", escaped(title), id=f"p{i}"), body, aria_labelledby=f"p{i}")
        for i, (title, body) in enumerate(parts)
    ]
    sections = [element("div", *sections[:first], class_="summary"), *sections[first:]]
    contents = "".join(f'<li><a href="#p{i}">{escaped(title)}</a>' for i, (title, _) in enumerate(parts))
    headline = "".join(_sentence(sentence, shortened) for sentence in page.headline)
    made = element("p", escaped(", ".join(_describe(page))), class_="note")
    body = [
        element("header", element("h1", escaped(page.title)), made, headline),
        element("nav", element("ul", contents), aria_label="Contents"),
        element("main", *sections),
        _element(page),
        f"<script>{_script(_kinds(page))}</script>",
    ]
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">{_head(page)}</head>'
        f"<body>{''.join(body)}</body></html>\n"
    )


def _sentence(sentence: Sentence, shortened: Callable[[str], str]) -> str:
    """A sentence of the head; what comes first, such as which system is best, is bold."""
    text, lead = sentence
    if not (lead and text.startswith(lead)):
        return element("p", escaped(shortened(text)), class_="headline")
    bold = element("strong", escaped(shortened(lead)), class_=_JUDGED.get(lead))
    return element("p", bold, escaped(shortened(text[len(lead) :])), class_="headline")


def _describe(page: Page) -> list[str]:
    """What the page is of, in numbers, when it was made, and by what."""
    parts = []
    for section in page.of_kind(Systems):
        parts += [many(len(section.systems), "system"), many(len(section.topics), "topic")]
    return [*parts, *([page.date] if page.date else []), f"precall {page.versions['precall']}"]


def _shortened(page: Page) -> Callable[[str], str]:
    """What writes the names of systems in a text as the page shows them."""
    short = {
        full: name
        for section in page.of_kind(Systems)
        for full, name in section.short.items()
        if full != name
    }
    return partial(_renamed, short=short)


def _renamed(text: str, short: Mapping[str, str]) -> str:
    """A text with other names of systems, where they stand as words."""
    short = {full: name for full, name in short.items() if full != name}
    if not short:
        return text
    longest_first = "|".join(map(re.escape, sorted(short, key=len, reverse=True)))
    known = re.compile(rf"(?<![\w.-])(?:{longest_first})(?![\w-])")
    return known.sub(lambda match: short[match[0]], text)


@cache
def _own(name: str) -> str:
    text = files("precall.page").joinpath(name).read_text(encoding="utf-8")
    # Parts of the script begin with a comment that says which kinds of sections they are for.
    lines = [line for line in map(str.strip, text.splitlines()) if line]
    lines = [line for line in lines if line.startswith("// @ ") or not line.startswith("//")]
    # Spaces beside signs go too, but not those of texts and patterns.
    parts = _TEXTS.split("\n".join(lines))
    return "".join(part if i % 2 else _BESIDE.sub(r"\1", part) for i, part in enumerate(parts))


@cache
def _script(kinds: frozenset[str]) -> str:
    """The script, without the parts for other kinds of sections."""
    first, *parts = re.split(r"^// @ (.*)$\n", _own("page.js"), flags=re.MULTILINE)
    chosen = [
        text for of, text in zip(parts[::2], parts[1::2], strict=True) if {*of.split()} & {"all", *kinds}
    ]
    return "".join([first, (_own("systems.js") + "\n") * ("systems" in kinds), *chosen])


def _kinds(page: Page) -> frozenset[str]:
    return frozenset(section.kind for section in page.sections)


def policy(style: str, script: str) -> str:
    """The Content-Security-Policy: only this style and this script, and nothing from anywhere."""

    def allowed(text: str) -> str:
        digest = hashlib.sha256(text.encode()).digest()
        return f"'sha256-{base64.b64encode(digest).decode()}'"

    return (
        f"default-src 'none'; style-src {allowed(style)}; script-src {allowed(script)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _head(page: Page) -> str:
    return (
        f'<meta http-equiv="Content-Security-Policy" content="{policy(_own("page.css"), _script(_kinds(page)))}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">'
        f"<title>{escaped(page.title)}</title><style>{_own('page.css')}</style>"
    )


def _element(page: Page) -> str:
    """The script element that holds a page's record."""
    text = embedded(record_of(page))
    return f'<script type="application/json" id="record" data-sha256="{digest(text)}">{text}</script>'


def _numbered(parts: Parts) -> Parts:
    """Titles that stood there before get a number: who goes by headings must know where they are."""
    seen: Counter[str] = Counter()
    numbered = []
    for title, body in parts:
        seen[title] += 1
        numbered.append((f"{title} ({seen[title]})" if seen[title] > 1 else title, body))
    return numbered


def _systems(section: Systems, key: str) -> Parts:
    return [
        ("Which system is best?" if len(section.systems) > 1 else "Averages", summary(section, key)),
        (_GATES, _gates(section, key)),
        ("Comparisons", comparisons(section, key)),
        ("Topics", topics(section, key)),
        ("Better than chance?", chances(_of_short(section), key)),
    ]


def _gates(section: Systems, key: str) -> str:
    """Which gates failed, and why: the sentence of each."""
    caption = "May a system take the place of the baseline? The gain is how much better it is, whichever values are good."
    tables = [block_table(block, caption, f"{key}-gates") for block in short_gates(section)]
    told = sorted(section.gates.gates if section.gates is not None else (), key=lambda gate: gate.passed)
    reasons = "".join(element("li", escaped(_renamed(gate.text, section.short))) for gate in told)
    return "".join(tables) + (element("ul", reasons, class_="note") if reasons else "")


def _of_short(section: Systems) -> list[Law]:
    """The null distributions of systems, by the names that the page shows."""
    return [replace(law, system=section.short.get(law.system, law.system)) for law in section.laws]


def _curves(section: Curves, key: str) -> Parts:
    # Pages of runs have no curves of cases.
    from precall.page.operating import curves, measures, pairs

    every = element("details", element("summary", "All measures"), _block_tables(section.blocks, key))
    return [
        ("Threshold and curves", curves(section, key)),
        ("Scores", measures(section, key) + pairs(section, key) + every),
        ("Better than chance?", chances(section.laws, key)),
    ]


def _categories(section: Categories, key: str) -> Parts:
    from precall.page.operating import curves

    note = "Curves: all pairs of item and category as one list"
    if section.shown == section.of:
        note += ", and each category"
    elif section.shown:
        note += f", and the {section.shown} of {section.of} categories of least average precision"
    # Behind the measures stand what else there is of all categories, the thresholds, and what is decided.
    blocks, policy = section.blocks, section.policy
    more = element("details", element("summary", "More"), _block_tables(blocks[2:5], f"{key}-more"))
    decisions = _block_tables(blocks[5:], f"{key}-decisions")
    how = f"Decided by {policy}" + (": each item is in its best category." if policy == "rank:1" else ".")
    return [
        ("Categories", _block_tables(blocks[:2], key) + more),
        ("Decisions", element("p", escaped(how), class_="note") + decisions if decisions else ""),
        ("Curves", element("p", escaped(note + "."), class_="note") + curves(section, key)),
    ]


def chances(laws: Sequence[Law], key: str) -> str:
    """A table of all null distributions, and a chart of each."""
    if not laws:
        return ""
    rows = [
        [
            Cell(law.system), Cell(law.measure, "words"),
            *(Cell(number(value)) for value in (law.observed, law.chance, law.deviation)),
            Cell(p_column(law)), Cell(p_method(law), "words"),
        ]
        for law in laws
    ]  # fmt: skip
    told = [element("p", escaped(sentence)) for law in laws if (sentence := far_from_chance(law))]
    charts = [_chance(law, f"{key}-l{i}") for i, law in enumerate(laws) if not far_from_chance(law)]
    drawn = element("div", *charts, class_="charts") if charts else ""
    return "".join(told) + drawn + table(_CHANCE_HEADING, rows, _CHANCE_CAPTION, f"{key}-laws")


def _chance(law: Law, key: str) -> str:
    x, height = law.x.tolist(), law.height.tolist()
    top = 1.06 * max(height, default=1.0) or 1.0
    observed, measure = float(law.observed), law.measure
    points = stems(x, height) if law.mass else (x, height)
    mark = Line(f"observed {number(observed)}, {p_words(law)}", [observed] * 2, [0.0, top], 2)
    title = f"{measure} of {law.system} under random selection"
    description = (
        f"The distribution of {measure} when the same items stand in random order: mean {number(law.chance)}, "
        f"standard deviation {number(law.deviation)}. Observed {number(observed)}, {p_words(law)} "
        f"({p_method(law)})."
    )
    chart = line_chart(
        title, description, measure, "probability" if law.mass else "density", [Line("by chance", *points), mark],
        x=room([*x, observed]), y=(0.0, top), height=150, key=key,
    )  # fmt: skip
    return figure(title, chart)


def _sheet(section: Tables, key: str) -> Parts:
    return [(section.title, _block_tables(section.blocks, key))]


def _block_tables(tables: Sequence[Table], key: str) -> str:
    """Tables of a sheet."""
    made = []
    for i, of in enumerate(tables):
        block, first = of.block, of.heading[0]
        # Not capitalize: AP stays AP.
        caption = block.title or first[:1].upper() + first[1:]
        caption += f", with {of.intervals}." if of.intervals else ""
        made.append(block_table(block, caption, f"{key}-b{i}", sortable=first == "category"))
    return "".join(made)


def _origin(page: Page) -> str:
    parts = [
        element("p", "Signature: ", element("code", escaped(section.signature)))
        for section in page.sections
        if section.signature
    ]
    if page.command:
        parts.append(element("p", "Made by: ", element("code", escaped(page.command))))
    if page.files:
        known = [(file.name, str(file.bytes), file.sha256) for file in page.files]
        rows = [[Cell(name), Cell(size), Cell(digest, "words")] for name, size, digest in known]
        parts.append(table(["file", "bytes", "SHA-256"], rows, "Inputs", "files"))
    versions = [[Cell(name), Cell(text or "-", "words")] for name, text in page.versions.items()]
    machine = table(["of", "version"], versions, "What the numbers were computed by.", "versions")
    parts.append(element("details", element("summary", "Versions and machine"), machine))
    parts.append(
        element(
            "p", "This page holds its numbers, with every digit, as JSON: ",
            element("code", "precall report --from FILE --format json"), " prints them.",
        )
    )  # fmt: skip
    return "".join(parts)


_KINDS: dict[str, Callable[[Any, str], Parts]] = {
    "systems": _systems, "curves": _curves, "categories": _categories, "sheet": _sheet,
}  # fmt: skip


def write_page(page: Page, form: str = "table", *, bold: bool = False, width: int = 80) -> str:
    """A page as text: in a form of sheets, as json (all of it, columns as lists), or as html, which is the page.

    Examples
    --------
    >>> from precall.page.record import page_of
    >>> from precall.page.sections import Part
    >>> write_page(page_of([Part(Tables(title="", blocks=[], signature=""), [], [])], "Nothing"), "csv")
    'format,section,system,topic,measure,statistic,value\\n'
    """
    if form == "html":
        return html(page)
    if form == "json":
        return laid_out(record_of(page))
    return rendered(sheet_of(page), form, bold=bold, width=width)


def tell(path: str, form: str = "table", *, bold: bool = False, width: int = 80) -> str:
    """What a page holds, read from its file, as text; see `write_page`.

    Raises
    ------
    DataError
        The file is no page of precall's, was changed, or its parts do not fit together.
    """
    return write_page(read_page(path), form, bold=bold, width=width)
