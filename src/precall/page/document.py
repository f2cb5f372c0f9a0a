"""From a record to its page, one file of HTML that asks nobody for anything; or to any form of the other commands.

Style and script stand in the page and are allowed by the hash of their bytes; the policy forbids all else, so that
even a name that became markup could not run or send anything.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from importlib.resources import files
from typing import Any

from precall.errors import PrecallError
from precall.notes import restored
from precall.page.axes import room
from precall.page.charts import Line, line_chart, stems
from precall.page.markup import Cell, block_table, element, escaped, figure, table
from precall.page.record import Record, check, element_of, numbers, read_record, refused
from precall.page.record_tables import (
    blocks_from,
    far_from_chance,
    gates,
    p_column,
    p_method,
    p_words,
    sheet_of,
)
from precall.page.remarks import remarks
from precall.page.systems import comparisons, names, summary
from precall.page.topics import topics
from precall.results import number
from precall.sheet.forms import exact, rendered
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


def html(record: Record) -> str:
    """A whole page.

    Examples
    --------
    >>> from precall.page.record import record
    >>> from precall.page.record import Sentence
    >>> text = html(record("a<b", [Sentence("Nothing.")], [], []))
    >>> text.startswith("<!doctype html>"), "<h1>a&lt;b</h1>" in text
    (True, True)
    """
    parts = [
        (title, body)
        for i, section in enumerate(record["sections"])
        for title, body in _KINDS[section["kind"]](section, f"s{i}")
        if body
    ]
    shortened = _shortened(record)
    # The first page is a summary: what the numbers come to, gates if there are any, and what should be known of them.
    first = 1 + (parts[1:2] != [] and parts[1][0] == _GATES)
    if record["notes"]:
        notes = [restored(note) for note in record["notes"]]
        parts.insert(first, ("What to know", remarks(notes, shortened)))
        first += 1
    parts.append(("How these numbers came about", _origin(record)))
    parts = _numbered(parts)
    sections = [
        element("section", element("h2", escaped(title), id=f"p{i}"), body, aria_labelledby=f"p{i}")
        for i, (title, body) in enumerate(parts)
    ]
    sections = [element("div", *sections[:first], class_="summary"), *sections[first:]]
    contents = "".join(f'<li><a href="#p{i}">{escaped(title)}</a>' for i, (title, _) in enumerate(parts))
    headline = "".join(_sentence(sentence, shortened) for sentence in record["headline"])
    made = element("p", escaped(", ".join(_describe_record(record))), class_="note")
    body = [
        element("header", element("h1", escaped(record["title"])), made, headline),
        element("nav", element("ul", contents), aria_label="Contents"),
        element("main", *sections),
        element_of(record),
        f"<script>{_script(_kinds(record))}</script>",
    ]
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">{_head(record)}</head>'
        f"<body>{''.join(body)}</body></html>\n"
    )


def _sentence(sentence: Mapping[str, str], shortened: Callable[[str], str]) -> str:
    """A sentence of the head; what comes first, such as which system is best, is bold."""
    text, lead = sentence["text"], sentence["lead"]
    if not (lead and text.startswith(lead)):
        return element("p", escaped(shortened(text)), class_="headline")
    bold = element("strong", escaped(shortened(lead)), class_=_JUDGED.get(lead))
    return element("p", bold, escaped(shortened(text[len(lead) :])), class_="headline")


def _describe_record(record: Record) -> list[str]:
    """What the page is of, in numbers, when it was made, and by what."""
    parts = []
    for section in record["sections"]:
        if section["kind"] == "systems":
            parts += [many(len(section["systems"]), "system"), many(len(section["topics"]), "topic")]
    return [
        *parts,
        *([record["date"]] if record.get("date") else []),
        f"precall {record['versions']['precall']}",
    ]


def _shortened(record: Record) -> Callable[[str], str]:
    """What writes the names of systems in a text as the page shows them."""
    short = {
        full: name
        for section in record["sections"]
        if section["kind"] == "systems"
        for full, name in zip(section["systems"], names(section), strict=True)
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


def _kinds(record: Record) -> frozenset[str]:
    return frozenset(section["kind"] for section in record["sections"])


def policy(style: str, script: str) -> str:
    """The Content-Security-Policy: only this style and this script, and nothing from anywhere."""

    def allowed(text: str) -> str:
        digest = hashlib.sha256(text.encode()).digest()
        return f"'sha256-{base64.b64encode(digest).decode()}'"

    return (
        f"default-src 'none'; style-src {allowed(style)}; script-src {allowed(script)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _head(record: Record) -> str:
    return (
        f'<meta http-equiv="Content-Security-Policy" content="{policy(_own("page.css"), _script(_kinds(record)))}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">'
        f"<title>{escaped(record['title'])}</title><style>{_own('page.css')}</style>"
    )


def _numbered(parts: Parts) -> Parts:
    """Titles that stood there before get a number: who goes by headings must know where they are."""
    seen: Counter[str] = Counter()
    numbered = []
    for title, body in parts:
        seen[title] += 1
        numbered.append((f"{title} ({seen[title]})" if seen[title] > 1 else title, body))
    return numbered


def _systems(section: Mapping[str, Any], key: str) -> Parts:
    return [
        ("Which system is best?" if len(section["systems"]) > 1 else "Averages", summary(section, key)),
        (_GATES, _gates(section, key)),
        ("Comparisons", comparisons(section, key)),
        ("Topics", topics(section, key)),
        ("Better than chance?", chances(_of_short(section), key)),
    ]


def _gates(section: Mapping[str, Any], key: str) -> str:
    """Which gates failed, and why: the sentence of each."""
    shown = dict(zip(section["systems"], names(section), strict=True))
    caption = "May a system take the place of the baseline? The gain is how much better it is, whichever values are good."
    tables = [block_table(block, caption, f"{key}-gates") for block in gates(section, shown)]
    told = sorted(section.get("gates", ()), key=lambda gate: bool(gate["passed"]))
    reasons = "".join(element("li", escaped(_renamed(gate["text"], shown))) for gate in told)
    return "".join(tables) + (element("ul", reasons, class_="note") if reasons else "")


def _of_short(section: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The null distributions of systems, by the names that the page shows."""
    short = dict(zip(section["systems"], names(section), strict=True))
    return [
        {**distribution, "system": short.get(distribution["system"], distribution["system"])}
        for distribution in section["laws"]
    ]


def _curves(section: Mapping[str, Any], key: str) -> Parts:
    # Pages of runs have no curves of cases.
    from precall.page.operating import curves, measures, pairs

    every = element("details", element("summary", "All measures"), _block_tables(section["blocks"], key))
    return [
        ("Threshold and curves", curves(section, key)),
        ("Scores", measures(section, key) + pairs(section, key) + every),
        ("Better than chance?", chances(section["laws"], key)),
    ]


def _categories(section: Mapping[str, Any], key: str) -> Parts:
    from precall.page.operating import curves

    note = "Curves: all pairs of item and category as one list"
    if section["shown"] == section["of"]:
        note += ", and each category"
    elif section["shown"]:
        note += f", and the {section['shown']} of {section['of']} categories of least average precision"
    # Behind the measures stand what else there is of all categories, the thresholds, and what is decided.
    blocks, policy = section["blocks"], section.get("policy")
    more = element("details", element("summary", "More"), _block_tables(blocks[2:5], f"{key}-more"))
    decisions = _block_tables(blocks[5:], f"{key}-decisions")
    how = f"Decided by {policy}" + (": each item is in its best category." if policy == "rank:1" else ".")
    return [
        ("Categories", _block_tables(blocks[:2], key) + more),
        ("Decisions", element("p", escaped(how), class_="note") + decisions if decisions else ""),
        ("Curves", element("p", escaped(note + "."), class_="note") + curves(section, key)),
    ]


def chances(records: Sequence[Mapping[str, Any]], key: str) -> str:
    """A table of all null distributions, and a chart of each."""
    if not records:
        return ""
    rows = [
        [
            Cell(distribution["system"]), Cell(distribution["measure"], "words"),
            *(Cell(number(distribution[name])) for name in ("observed", "chance", "deviation")),
            Cell(p_column(distribution)), Cell(p_method(distribution), "words"),
        ]
        for distribution in records
    ]  # fmt: skip
    told = [
        element("p", escaped(sentence))
        for distribution in records
        if (sentence := far_from_chance(distribution))
    ]
    charts = [
        _chance(distribution, f"{key}-l{i}")
        for i, distribution in enumerate(records)
        if not far_from_chance(distribution)
    ]
    drawn = element("div", *charts, class_="charts") if charts else ""
    return "".join(told) + drawn + table(_CHANCE_HEADING, rows, _CHANCE_CAPTION, f"{key}-laws")


def _chance(distribution: Mapping[str, Any], key: str) -> str:
    x, height = numbers(distribution["x"]).tolist(), numbers(distribution["height"]).tolist()
    top = 1.06 * max(height, default=1.0) or 1.0
    observed, measure = distribution["observed"], distribution["measure"]
    points = stems(x, height) if distribution["mass"] else (x, height)
    mark = Line(f"observed {number(observed)}, {p_words(distribution)}", [observed] * 2, [0.0, top], 2)
    title = f"{measure} of {distribution['system']} under random selection"
    description = (
        f"The distribution of {measure} when the same items stand in random order: mean {number(distribution['chance'])}, "
        f"standard deviation {number(distribution['deviation'])}. Observed {number(observed)}, {p_words(distribution)} "
        f"({p_method(distribution)})."
    )
    chart = line_chart(
        title, description, measure, "probability" if distribution["mass"] else "density", [Line("by chance", *points), mark],
        x=room([*x, observed]), y=(0.0, top), height=150, key=key,
    )  # fmt: skip
    return figure(title, chart)


def _sheet(section: Mapping[str, Any], key: str) -> Parts:
    return [(section["title"], _block_tables(section["blocks"], key))]


def _block_tables(data: Sequence[Mapping[str, Any]], key: str) -> str:
    """Tables of blocks as a record has them."""
    tables = []
    for i, (block, given) in enumerate(zip(blocks_from({"blocks": data}), data, strict=True)):
        first = block.heading[0]
        # Not capitalize: AP stays AP.
        caption = block.title or first[:1].upper() + first[1:]
        caption += f", with {given['intervals']}." if given.get("intervals") else ""
        tables.append(block_table(block, caption, f"{key}-b{i}", sortable=first == "category"))
    return "".join(tables)


def _origin(record: Record) -> str:
    parts = [
        element("p", "Signature: ", element("code", escaped(section["signature"])))
        for section in record["sections"]
        if section.get("signature")
    ]
    if record["command"]:
        parts.append(element("p", "Made by: ", element("code", escaped(record["command"]))))
    if record["files"]:
        known = [(file["name"], str(file["bytes"]), file["sha256"]) for file in record["files"]]
        rows = [[Cell(name), Cell(size), Cell(digest, "words")] for name, size, digest in known]
        parts.append(table(["file", "bytes", "SHA-256"], rows, "Inputs", "files"))
    versions = [[Cell(name), Cell(text or "-", "words")] for name, text in record["versions"].items()]
    machine = table(["of", "version"], versions, "What the numbers were computed by.", "versions")
    parts.append(element("details", element("summary", "Versions and machine"), machine))
    parts.append(
        element(
            "p", "This page holds its numbers, with every digit, as JSON: ",
            element("code", "precall report --from FILE --format json"), " prints them.",
        )
    )  # fmt: skip
    return "".join(parts)


_KINDS: dict[str, Callable[[Mapping[str, Any], str], Parts]] = {
    "systems": _systems, "curves": _curves, "categories": _categories, "sheet": _sheet,
}  # fmt: skip


def write_record(record: Record, form: str = "table", *, bold: bool = False, width: int = 80) -> str:
    """A record as text: in a form of sheets, as json (all of it, columns as lists), or as html, which is the page.

    Examples
    --------
    >>> from precall.page.record import record
    >>> write_record(record("Nothing", [], [], []), "csv")
    'format,section,system,topic,measure,statistic,value\\n'
    """
    if form == "html":
        return html(record)
    if form == "json":
        options: dict[str, Any] = {"ensure_ascii": False, "allow_nan": False, "indent": 1}
        return json.dumps(exact(record), default=lambda column: exact(column.tolist()), **options) + "\n"
    return rendered(sheet_of(record), form, bold=bold, width=width)


#: What is wrong with a record, by what it led to.
_WHY: dict[type[Exception], str] = {
    LookupError: "a part is missing, or shorter than others",
    ArithmeticError: "a number is out of range",
    RecursionError: "parts are nested too deeply",
    ValueError: "columns are of unequal length, or a text is no number",
    Exception: "a part is of another kind, such as a text or nothing where numbers should be",
}


def tell(path: str, form: str = "table", *, bold: bool = False, width: int = 80) -> str:
    """What a page holds, read from its file, as text; see `write_record`.

    Raises
    ------
    DataError
        The file is no page of precall's, was changed, or its parts do not fit together.
    """
    record = read_record(path)
    check(record, path)
    try:
        return write_record(record, form, bold=bold, width=width)
    except PrecallError:
        raise
    # The record is not of our making: parts that do not fit together are no defect of precall.
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        why = next(text for kind, text in _WHY.items() if isinstance(error, kind))
        raise refused(path, f"the parts of its record do not fit together: {why}") from error
