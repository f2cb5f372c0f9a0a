"""The forms of a sheet: each is a registered function in this module.

A form has a name, for `--format` and `result.to_NAME()`, and a file ending, by which
`result.save(path)` selects it. To add a form, write a function from a sheet to a text that ends
with a newline, and put `@form(name, ending)` above it. NumPy is not imported here, because help and
completion need the names of forms quickly.

json (`"format": "precall.curve/2"` and so on): `conventions`, `notes`, then the content of the
result, with each innermost object on one line. Every digit is kept; an undefined value is null, an
infinite one the text "inf" or "-inf". csv: tidy, one row per value, every digit; the first column
is the version of the layout, the column `notes` has the notes, an undefined value is empty. table,
markdown, latex: the blocks of the sheet, four decimals; the best values of a line or column are
marked. For comparisons, markdown and latex have one table with a caption, as in a paper. trec:
`measure  topic  value` in the layout of trec_eval, a line for each requested name. html: the page
of the result, as `precall report` and `pc.report` write it; of other results a page with their
tables.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, pairwise, repeat
from operator import length_hint
from os import PathLike, fsdecode
from typing import TYPE_CHECKING, Any, NamedTuple

from precall.core.conventions import parts_of_signature
from precall.core.errors import UsageError
from precall.core.hooks import hook
from precall.core.notes import Note, Severity, group_by_subject, iterate_notes, sentences
from precall.core.notes import notes_to_json as plain_notes
from precall.core.spelling import STYLE, spell_arguments
from precall.core.text import (
    BEST,
    csv_cell,
    encode_utf8,
    many,
    printable,
    python_scalar,
    refuse_folder,
    wrap_text,
)
from precall.core.text import table as aligned
from precall.results.blocks import (
    AT_MOST,
    Block,
    Cell,
    LazyRows,
    marks_of,
    meaning_of_bold,
    rows_of,
    set_formulas,
)
from precall.results.notes_of_rows import NOTES, first_rows, join_notes

if TYPE_CHECKING:
    from precall.results.layout import Layout
    from precall.results.sheets import Sheet


class Form(NamedTuple):
    """A way to write a sheet, as a text that ends with a newline. If `of` is not empty, only sheets
    of that format have it.
    """

    name: str
    ending: str
    write: Callable[..., str]
    of: str


#: All forms by name, in the order of listings.
FORMS: dict[str, Form] = {}
#: The forms of papers, which have a layout.
LAID_OUT = ("markdown", "latex")
#: File endings of pages.
_PAGES = (".html", ".htm")
#: Well-known file endings that no form has.
_OTHERS = (
    ".xlsx .xlsm .xls .ods .parquet .feather .arrow .ipc .avro .orc .tsv .jsonl .ndjson .yaml "
    ".yml .toml .xml .htm .pkl .pickle .npy .npz .pt .h5 .hdf5 .mat .rds .rda .rdata .sav .dta "
    ".sqlite .db .duckdb .png .svg .pdf .jpg .jpeg .gif .webp .tif .tiff .bmp .eps .ps "
    ".docx .doc .odt .rtf .pptx .ppt .odp .ipynb .zip .gz .zst .bz2 .xz .7z .tar .tgz"
)


def form(
    name: str, ending: str = "", of: str = ""
) -> Callable[[Callable[..., str]], Callable[..., str]]:
    """Register a function as a form."""

    def register(write: Callable[..., str]) -> Callable[..., str]:
        FORMS[name] = Form(name, ending, write, of)
        return write

    return register


def names(of: str = "") -> tuple[str, ...]:
    """The names of the forms that any sheet has, or that sheets of this format have."""
    return tuple(each.name for each in FORMS.values() if each.of in ("", of))


def endings(of: str = "") -> dict[str, str]:
    """File ending → name of its form, for these forms."""
    return {
        each.ending: each.name for each in FORMS.values() if each.ending and each.of in ("", of)
    }


def check_ending(path: str | bytes | PathLike[str], pages: bool = False, option: str = "") -> None:
    """Refuse a file name whose ending belongs to another kind of file: a text is no workbook, and a
    page is HTML only.
    """
    # Not at the top: help needs the names of forms, and must not wait for the helpers that print
    # paths.
    from pathlib import PurePath

    name = fsdecode(path)
    suffix, allowed = PurePath(name).suffix.lower(), _PAGES if pages else tuple(endings())
    if suffix not in allowed and suffix in (*_OTHERS.split(), *endings()):
        *first, last = allowed
        problem = f"a page is HTML, and no {suffix}" if pages else f"there is no form for {suffix}"
        raise UsageError(
            f"{option}{printable(name)}: {problem}; name a file that ends in {', '.join(first)} or "
            f"{last}"
        )


def render(
    sheet: Sheet,
    name: str = "table",
    *,
    bold: bool = False,
    width: int = 80,
    layout: Layout | None = None,
) -> str:
    """A sheet as text that ends with a newline.

    Parameters
    ----------
    name : name of the form.
    bold : table only: mark the best value of a line by ANSI bold instead of a star.
    width : table only: columns of the terminal.
    layout : latex and markdown only: how the table of a paper looks.
    """
    if name not in names(sheet.format):
        raise UsageError(argument="format", allowed=names(sheet.format), got=name)
    if layout:
        if name not in LAID_OUT:
            raise UsageError(argument="layout", what="applies to latex and markdown", got=name)
        return FORMS[name].write(sheet, layout)
    return table(sheet, bold, width) if name == "table" else FORMS[name].write(sheet)


def save(sheet: Sheet, path: str | PathLike[str]) -> None:
    """Write a sheet in the form that the file's ending selects."""
    # Not at the top: help needs the names of forms, and must not wait for NumPy or the helpers that
    # print paths.
    from pathlib import PurePath

    from precall.core.arguments import check_path
    from precall.core.saving import save as write

    forms = endings(sheet.format)
    name = forms.get(PurePath(fsdecode(check_path(path))).suffix.lower())
    if name is None:
        refuse_folder(path)
        *first, last = forms
        raise UsageError(
            f"{printable(fsdecode(path))}: the name must end in {', '.join(first)} or {last}"
        )
    write(encode_utf8(render(sheet, name)), path)


#: Number of notes printed, unless more say that a number is probably wrong.
_NOTES = 3
#: Lines of a screen: where more are printed, less serious notes are counted instead.
_SCREEN = 24
#: Parts of a verdict in which no line is broken: intervals and p values.
_FACTS = r"\[[^\[\]]*\]|\bp (?:[<>]?=?) [\d.e-]+"


@form("table", ".txt")
def table(sheet: Sheet, bold: bool = False, width: int = 80) -> str:
    """Text for a terminal: columns are aligned and wrapped to its width. It has the short answer
    and the most serious notes; the last lines say what else there is.
    """
    details, sheet = sheet.details(), sheet.short()
    verdict = sheet.verdict.split("\n") if sheet.verdict else []
    lines = [
        piece
        for line in verdict
        for piece in wrap_text(printable(line), width, later="  ", whole=_FACTS)
    ]
    lines += [""] if verdict else []
    legend = ""
    for block in sheet.blocks:
        lines += wrap_text(printable(block.title), width, later="  ")
        aligned_lines, marked = _align(block, width)
        lines += (_screen(line, bold) for line in aligned_lines) if marked else aligned_lines
        lines.append("")
        legend = legend or marked
    if legend:
        lines.append(f"bold: {legend}" if bold else f"* {legend}")
    legends, notes, folded = notes_to_show(sheet)
    for note in legends:
        lines += wrap_text(printable(note), width, later="  ")
    wrapped = [wrap_text(printable(note), width, later="  ") for note in notes]
    method = wrap(list(map(printable, parts_of_signature(sheet.conventions))), width)
    wanted = sheet.all or sheet.all_notes
    rest = [line for more in what_else(details, 0) for line in wrap_text(more, width, later="  ")]
    room = _SCREEN - len(lines) - len(rest) - len(method)
    kept = len(notes) if wanted else _printed(list(map(len, wrapped)), len(folded), room, sheet)
    lines += [line for note in wrapped[:kept] for line in note]
    lines += what_else((), len(notes) - kept + len(folded))
    return "\n".join([*lines, *rest, *method]) + "\n"


def _printed(lengths: Sequence[int], folded: int, room: int, sheet: Sheet) -> int:
    """Number of notes to print where there is room for so many lines, from the lines of each.

    Below a table that fills the screen only the most serious note is printed; that note is counted
    too if the rest then fits, unless it says that a number is probably wrong.
    """
    wrong = _wrong(sheet.notes)
    for count in range(len(lengths), wrong, -1):
        if sum(lengths[:count]) + (count < len(lengths) or folded > 0) <= room:
            return count
    return wrong if wrong or room > 0 else min(1, len(lengths))


def _wrong(notes: Iterable[Note]) -> int:
    """Number of sentences that say that a number is probably wrong."""
    return sum(note.severity == Severity.WRONG for note in group_by_subject(notes))


def _align(block: Block, width: int) -> tuple[list[str], str]:
    """The heading and the rows of a block as lines, and what the marks of the best values mean;
    that is empty if there are none.
    """
    heading = [printable(name) for name in block.heading]
    rows, marked = rows_of(block, printable, f"{{}}{BEST}")
    for index, marks in marks_of(block):
        room = max(map(len, marks)) + 1
        for row, mark in zip((heading, *rows), ("", *marks), strict=True):
            row[index + 1] += f" {mark}".ljust(room)
    if marked:
        # Compared columns have room for a mark.
        for row in (heading, *rows):
            for i in range(1, 1 + len(block.best or heading[1:])):
                row[i] += " " * (not row[i].endswith(BEST))
    return aligned(heading, rows, left=block.left, width=width, kept=BEST), marked


def notes_to_show(sheet: Sheet) -> tuple[list[str], list[str], list[str]]:
    """Legends of the tables; the sentences of notes to show, the most serious first; and those of
    the other notes. Unless all are wanted, no more than three are shown, except for notes that a
    number is probably wrong.
    """
    legends = {note for block in sheet.blocks for note in block.legends}
    others = [note for note in sheet.notes if note not in legends]
    shown = sentences(note for note in sheet.notes if note in legends)
    return shown, *_most_serious(others, sheet.all or sheet.all_notes)


def _most_serious(notes: Iterable[str], all: bool = False) -> tuple[list[str], list[str]]:
    """The sentences of all notes, or of the most serious ones, and those of the others."""
    grouped = sorted(group_by_subject(notes), key=lambda note: note.severity)
    most = len(grouped) if all else max(_NOTES, _wrong(grouped))
    texts = [note.sentence(STYLE.get()) for note in grouped]
    return texts[:most], texts[most:]


def short_notes(notes: Iterable[str]) -> list[str]:
    """The lines about notes below a result that prints as a sentence: the most serious notes, and
    how to see the others.
    """
    shown, folded = _most_serious(notes)
    return list(map(printable, [*shown, *what_else((), len(folded))]))


def what_else(details: Sequence[str], notes: int) -> Iterator[str]:
    """How to see the tables and notes that are not printed."""
    style = STYLE.get()
    if notes:
        more = spell_arguments("⟨.sheet(notes=True)¦--notes⟩", style)
        yield f"{many(notes, 'more note')}: {more}"
    if details:
        more = spell_arguments("⟨.sheet(all=True)¦--all⟩", style)
        yield f"{more} adds {', '.join(details)}"


def _screen(line: str, bold: bool) -> str:
    if not bold:
        return line.replace(BEST, "*")
    return re.sub(rf"(\S+){BEST}", "\x1b[1m\\1\x1b[0m ", line).rstrip()


def wrap(parts: Sequence[str], width: int) -> list[str]:
    """The parts of a signature in lines of `width`, with bars between them, broken at blanks where
    a part is longer.
    """
    first, *rest = parts or [""]
    lines = [first]
    for piece in rest:
        if len(lines[-1]) + 3 + len(piece) <= width:
            lines[-1] += f" | {piece}"
        else:
            lines += wrap_text(f"  | {piece}", width, later="    ")
    return lines


@form("csv", ".csv")
def csv(sheet: Sheet) -> str:
    """One row per value, with every digit; the last column has the notes, unless the sheet has
    them in a column of its own.
    """
    has_own = NOTES in sheet.columns
    notes = [] if has_own else [*dict.fromkeys(iterate_notes(sheet.notes))]
    lines = [",".join(("format", *sheet.columns, *[NOTES] * (not has_own)))]
    # Names occur in many rows, so each is quoted once.
    names = _Quoted()
    parts = (
        sheet.tidy.make()
        if isinstance(sheet.tidy, LazyRows)
        else [tuple(zip(*sheet.tidy, strict=True))]
    )
    notes_by_line: dict[int, list[Note]] = {}
    for columns in filter(None, parts):
        # An iterator of equal cells can be read only once.
        if notes:
            columns = [[*cells] if isinstance(cells, repeat) else cells for cells in columns]
        for note, row in first_rows(columns, notes).items():
            notes_by_line.setdefault(len(lines) + row, []).append(note)
            notes.remove(note)
        cells = [_column(column, names) for column in columns]
        empty = [] if has_own else [repeat("")]
        lines += map(",".join, zip(repeat(sheet.format), *cells, *empty, strict=False))
    if notes:
        if len(lines) == 1:
            lines.append(sheet.format + "," * (len(sheet.columns) + 1))
        notes_by_line[1] = [*notes_by_line.get(1, ()), *notes]
    for line, notes_of_line in notes_by_line.items():
        lines[line] += csv_cell(join_notes(notes_of_line))
    return "\n".join(lines) + "\n"


class _Quoted(dict[str, str]):
    """Cache from a text to its quoted cell."""

    def __missing__(self, text: str) -> str:
        self[text] = cell = csv_cell(text)
        return cell


def _column(cells: Iterable[Cell], names: Mapping[str, str]) -> Iterable[str]:
    if isinstance(cells, repeat):
        size = length_hint(cells)
        return repeat(_digits(next(cells), names), size)
    kinds = set(map(type, cells))
    if kinds == {str}:
        return map(names.__getitem__, cells)  # type: ignore[arg-type]
    if kinds == {float}:
        return [repr(value) if value == value else "" for value in cells]
    return [_digits(value, names) for value in cells]


def _digits(value: Cell, names: Mapping[str, str]) -> str:
    if isinstance(value, str):
        return names[value]
    value = python_scalar(value)
    if value is None or value != value:
        return ""
    return repr(float(value) if isinstance(value, float) else value)


@form("json", ".json")
def json(sheet: Sheet) -> str:
    """The whole sheet as one object, with conventions, notes and every digit."""
    from json.encoder import JSONEncoder, encode_basestring

    # Not dumps(indent=...): it is many times slower, and one number per line is no easier to read.
    encoder = JSONEncoder(ensure_ascii=False, allow_nan=False, default=_in_json).encode

    def encode(value: object) -> str:
        try:
            return encoder(value)
        except ValueError:
            # JSON has no NaN and no infinity.
            return encoder(exact(value))

    return _laid_out(_whole(sheet), encode, encode_basestring) + "\n"


def _in_json(value: Any) -> Any:
    """A value of a type that JSON does not know: a scalar of NumPy, or a mapping."""
    plain = python_scalar(value)
    return dict(value) if plain is value else exact(plain)


def _whole(sheet: Sheet) -> dict[str, Any]:
    verdict = {"verdict": sheet.verdict} if sheet.verdict else {}
    head = {
        "format": sheet.format,
        **verdict,
        "conventions": sheet.conventions,
        "notes": plain_notes(sheet.notes),
    }
    return {**head, **sheet.body}


def to_plain_data(sheet: Sheet) -> dict[str, Any]:
    """A sheet as the plain data of its JSON."""
    data: dict[str, Any] = exact(_whole(sheet))
    return data


#: Types whose values JSON has as they are.
_PLAIN = frozenset((str, int, bool, type(None)))


def exact(value: object) -> Any:
    """A value, or any nesting of values, for JSON: NaN becomes null, an infinity becomes a text."""
    if isinstance(value, float):
        return (
            float(value) if math.isfinite(value) else None if value != value else str(float(value))
        )
    if type(value) in _PLAIN:  # most values
        return value
    if isinstance(value, list | tuple):
        return [exact(element) for element in value]
    if isinstance(value, Mapping):
        return {str(key): exact(element) for key, element in value.items()}
    plain = python_scalar(value)
    return value if plain is value else exact(plain)


def _laid_out(
    value: Any,
    encode: Callable[[Any], str],
    quote: Callable[[str], str],
    indent: str = "\n ",
    hanging: bool = False,
) -> str:
    """JSON with one innermost object per line. In a list, an object begins on the line of its
    brace.
    """
    # Shortcut for the values of topics, of which there may be very many.
    if (type(value) is dict and _PLAIN.issuperset(map(type, value.values()))) or not _holds_objects(
        value
    ):
        return encode(value)
    deeper = indent + " "
    if isinstance(value, list | tuple):
        parts = [_laid_out(element, encode, quote, deeper, True) for element in value]
        return f"[{indent}{f',{indent}'.join(parts)}{indent[:-1]}]"
    parts = [
        f"{quote(str(key))}: {_laid_out(element, encode, quote, deeper)}"
        for key, element in value.items()
    ]
    joined = f",{indent}".join(parts)
    return f"{{{joined}}}" if hanging else f"{{{indent}{joined}{indent[:-1]}}}"


def _holds_objects(value: object) -> bool:
    """Whether a value contains objects."""
    parts = (
        value
        if isinstance(value, list | tuple)
        else value.values()
        if isinstance(value, Mapping)
        else ()
    )
    return any(
        isinstance(element, Mapping)
        or (isinstance(element, list | tuple) and _holds_objects(element))
        for element in parts
    )


#: Types of values that contain no others.
_PLAIN = frozenset({float, int, str, bool, type(None)})


@form("markdown", ".md")
def markdown(sheet: Sheet, layout: Layout | None = None) -> str:
    """Tables in Markdown."""
    layout = layout or _plain_layout()
    legend, (caption, blocks, without, verdict), sheet = (
        "",
        sheet.printed(layout),
        sheet.short(),
    )
    parts = [in_markdown(line) for line in (verdict or sheet.verdict).split("\n") if line]
    if layout.caption:
        parts.append(layout.caption)
    for block in blocks:
        if block.title:
            parts.append(f"### {in_markdown(block.title)}")
        rows, marked = rows_of(block, in_markdown, "**{}**", layout.digits)
        legend = legend or marked
        heading = [in_markdown(name) for name in block.heading]
        parts.append(pipes(*_with_marks(block, heading, rows, in_markdown)))
    notes = (
        [set_formulas(caption, in_markdown)] if caption else [f"Bold: {legend}."] if legend else []
    )
    notes += [
        in_markdown(text)
        for text in (*sentences(sheet.notes), sheet.signature)
        if text not in without
    ]
    return "\n\n".join([*parts, "\n".join(f"- {note}" for note in notes)]) + "\n"


def in_markdown(text: str) -> str:
    """Text escaped for Markdown, also inside a table."""
    return re.sub(r"([\\`*_\[\]<>|~&$#!])", r"\\\1", printable(text))


def _with_marks(
    block: Block, heading: list[str], rows: list[list[str]], escape: Callable[[str], str]
) -> tuple[list[str], list[list[str]], str]:
    """Heading, rows and the side on which each column is flush, with marks in columns of
    their own.
    """
    flush = ["l"] * block.left + ["r"] * (len(heading) - block.left)
    # From the last to the first, so that the positions of the others stay valid.
    for index, marks in reversed(list(marks_of(block))):
        for row, cell in zip((heading, flush, *rows), ("", "l", *map(escape, marks)), strict=True):
            row.insert(index + 2, cell)
    return heading, rows, "".join(flush)


def pipes(heading: list[str], rows: list[list[str]], flush: str) -> str:
    """A table in GitHub's Markdown; `flush` has l or r for each column."""
    rule = [{"l": ":--", "r": "--:"}[side] for side in flush]
    return "\n".join("| " + " | ".join(line) + " |" for line in (heading, rule, *rows))


@form("latex", ".tex")
def latex(sheet: Sheet, layout: Layout | None = None) -> str:
    """Tables in LaTeX, with booktabs; a table with a caption floats."""
    layout = layout or _plain_layout()
    (caption, blocks, without, verdict), sheet = sheet.printed(layout), sheet.short()
    packages = "s booktabs and longtable" if any(block.long for block in blocks) else " booktabs"
    lines = [f"% needs the package{packages}"]
    remarks = (*(verdict or sheet.verdict).split("\n"), *sentences(sheet.notes), sheet.signature)
    lines += [f"% {printable(text)}" for text in remarks if text and text not in without]
    digits = layout.digits
    heading = _heading(sheet, caption, blocks, layout)
    if layout.caption and caption:
        # The meaning of marks is not lost.
        lines += [f"% {set_formulas(caption, printable)}"]
    if not caption and (best := next(filter(None, map(meaning_of_bold, blocks)), "")):
        # A comment, as a table without a caption has no place for it.
        lines.append(f"% bold: {best}")
    floating = [] if not heading else blocks[:1] if caption else _short(blocks)
    lines_of_tables = _lines_of_tables(blocks, heading, floating, digits)
    if _STRANGE.search("".join(lines_of_tables)):
        lines.append(
            "% has letters that pdflatex does not know: take lualatex or xelatex, and a font that "
            "has them"
        )
    return "\n".join([*lines, *lines_of_tables]) + "\n"


def _plain_layout() -> Layout:
    """The layout of results as they are. It is not imported at the top, because help needs the
    names of forms quickly.
    """
    from precall.results.layout import PLAIN

    return PLAIN


def _lines_of_tables(
    blocks: Sequence[Block], heading: list[str], floating: Sequence[Block], digits: int | None
) -> list[str]:
    """The tables; those that float stand in one, and the heading in it or in the first."""
    tables = [_set_close(block, _table(block, digits), digits) for block in blocks]
    if floating:
        tables = [
            _floating(heading, floating, digits),
            *(table for block, table in zip(blocks, tables, strict=True) if block not in floating),
        ]
    elif heading:
        tables[0] = _set_close(blocks[0], _table(blocks[0], digits, heading), digits)
    return [line for table in tables for line in table]


def _short(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """The blocks that fit a page."""
    return tuple(block for block in blocks if not block.long)


def _heading(sheet: Sheet, caption: str, blocks: Sequence[Block], layout: Layout) -> list[str]:
    """The caption and the label; nothing if there is no caption."""
    own, label = layout.caption, layout.label
    if own is not None:
        # Not at the top: few results have a caption of their own.
        from precall.results.layout import check_tex

        check_tex(own)
    elif not caption and label is not None:
        raise UsageError(
            "this table has no caption of its own",
            argument="label",
            remedy="also give a caption",
        )
    elif not caption:
        return []
    return [
        rf"\caption{{{set_formulas(caption, in_latex, _in_math) if own is None else own}}}",
        rf"\label{{{label or _label(sheet, blocks[0])}}}",
    ]


def _label(sheet: Sheet, block: Block) -> str:
    """A label of the kind of result, the judgements, the measures and the baseline, so that tables
    of one paper have different ones.
    """
    kind = re.sub(r"precall\.|/.*", "", sheet.format)
    conventions = sheet.conventions
    # Judgements that are not in a file have no name.
    judged = re.fullmatch(r"(?:.*[/\\])?([^/\\]+)\.\w+", conventions.get("qrels", ""))
    heads = block.heading[block.left :]
    measures = heads[:-1] if heads[-1] == "topics" else heads
    base = ("vs", conventions["baseline"]) if "baseline" in conventions else ()
    words = (kind, judged[1] if judged else "", *measures, *base)
    slugs = (re.sub("[^a-z0-9]+", "-", word.lower()).strip("-") for word in words)
    return "tab:" + "-".join(filter(None, slugs))


def _floating(heading: Sequence[str], blocks: Sequence[Block], digits: int | None) -> list[str]:
    """Tables with a caption. A table too wide for a page is set closer, then smaller; then it is
    split into parts, one below the other.
    """
    # Some document classes set a caption directly above the table, so space is added.
    head = [r"\begin{table}", r"\centering", *heading, r"\smallskip"]
    for index, block in enumerate(blocks):
        head += [r"\par\medskip"] * (index > 0)
        size = next((size for size in _SIZES if _fits(block, digits, *size)), _SIZES[0])
        head += _setting(*size)
        parts = [block] if _fits(block, digits, *size) else _parts(block, digits)
        for number, piece in enumerate(parts):
            head += [r"\par\medskip"] * (number > 0) + _table(piece, digits)
    return [*head, r"\end{table}"]


def _setting(gap: int, small: bool) -> list[str]:
    """The lines that set a table closer."""
    closer = [] if gap == _GAP else [rf"\setlength{{\tabcolsep}}{{{gap // 2}pt}}"]
    return [r"\small"] * small + closer


def _set_close(block: Block, table: list[str], digits: int | None) -> list[str]:
    """A long table, set as close as it must be to fit a page; its first lines stand for all."""
    if not block.long:
        return table
    first = replace(block, lines=tuple(islice(block.lines, _FIRST)))
    size = next((size for size in _SIZES if _fits(first, digits, *size)), _SIZES[-1])
    setting = _setting(*size)
    return [r"\begingroup", *setting, *table, r"\endgroup"] if setting else table


#: Lines of a long table that are measured.
_FIRST = 100
#: In points: the line width of an article, and the space between two columns.
_LINE, _GAP = 345, 12
#: Spaces between columns, and whether letters are small, in the order in which they are tried.
_SIZES = ((_GAP, False), (8, False), (8, True), (6, True))
#: In tenths of a point: widths of characters of Computer Modern; that of others, and of a mark.
_WIDTHS = {
    **dict.fromkeys("ijl.,:;'|!", 28),
    **dict.fromkeys("()[]-rst f/", 39),
    **dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ@=+%w&", 75),
    **dict.fromkeys("mMW", 95),
}
_OTHER, _MARK = 52, 40


def _width(text: str) -> int:
    """The width of a text, in tenths of a point."""
    return sum(_WIDTHS.get(character, _OTHER) for character in text)


def _widths(block: Block, digits: int | None) -> tuple[int, list[int]]:
    """The widths of the names, and of each column with its marks, in tenths of a point."""
    rows, _ = rows_of(replace(block, best=()), printable, "{}", digits)
    marks = {index: _MARK * max(map(len, some)) for index, some in marks_of(block)}
    names, *columns = zip(block.heading, *rows, strict=True)
    # The best value is bold, and wider.
    percent = 115 if any(block.leaders()) else 100
    widths = [
        max(_width(head), max(map(_width, cells), default=0) * percent // 100 + marks.get(index, 0))
        for index, (head, *cells) in enumerate(columns)
    ]
    return max(map(_width, names)), widths


def _fits(block: Block, digits: int | None, gap: int, small: bool) -> bool:
    names, widths = _widths(block, digits)
    text = (names + sum(widths)) * (92 if small else 100) // 100
    return text + 10 * gap * (len(widths) + 1) <= 10 * _LINE


def _parts(block: Block, digits: int | None) -> list[Block]:
    """A block split into blocks that fit a page, each with the names."""
    names, widths = _widths(block, digits)
    sizes = [10 * _GAP + width for width in widths]
    room = max(10 * (_LINE - _GAP) - names, 5 * _LINE)
    ends = [0]
    for index in range(1, len(sizes) + 1):
        if index == len(sizes) or sum(sizes[ends[-1] : index + 1]) > room:
            ends.append(index)
    # Give each part the same number of columns, if they fit.
    step = -(-len(sizes) // (len(ends) - 1))
    even = [*range(0, len(sizes), step), len(sizes)]
    if all(sum(sizes[first:last]) <= room for first, last in pairwise(even)):
        ends = even
    return [block.pick(range(first, last)) for first, last in pairwise(ends)]


#: Characters that pdflatex does not know by itself: all but Latin letters and common punctuation.
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
#: Marks that are set as superscripts.
_SIGNS = {"*": "*", "\u2020": r"\dagger"}


def in_latex(text: str) -> str:
    """Text escaped for LaTeX."""
    # Two hyphens would become a dash.
    return re.sub(
        "-(?=-)", "-{}", "".join(_LATEX.get(character, character) for character in printable(text))
    )


def _in_math(formula: str) -> str:
    """A formula in LaTeX's mathematics, where signs need no command to be there."""
    return f"${in_latex(formula)}$".replace(r"\ensuremath{\leq}", r"\leq")


def _mark(mark: str) -> str:
    """A mark in LaTeX, as a superscript."""
    if not mark or not set(mark) <= set(_SIGNS):
        return rf"\textsuperscript{{{in_latex(mark)}}}" if mark else ""
    return f"$^{{{''.join(map(_SIGNS.__getitem__, mark))}}}$"


def _table(block: Block, digits: int | None = None, above: Sequence[str] = ()) -> list[str]:
    """The lines of a title and a table; `above` are the caption and label of a long one."""
    rows, _ = rows_of(block, in_latex, r"\textbf{{{}}}", digits)
    # The sign before a threshold that accepts what scores at most so much.
    sign = in_latex(AT_MOST)
    rows = [[re.sub(f"^{AT_MOST}", lambda _: sign, cell) for cell in row] for row in rows]
    # A number has a minus, not a hyphen.
    rows = [
        [
            *row[: block.left],
            *(re.sub(r"(^|\[)-(?=\d)", r"\1$-$", cell) for cell in row[block.left :]),
        ]
        for row in rows
    ]
    heading = [in_latex(name) for name in block.heading]
    marked = [index + 1 for index, _ in marks_of(block)]
    _, rows, flush = _with_marks(block, list(heading), rows, _mark)
    # A mark stands directly after its value, and shares its heading.
    heading = [
        rf"\multicolumn{{2}}{{c}}{{{name}}}" if i in marked else name
        for i, name in enumerate(heading)
    ]
    flush = re.sub("(?<=r)l", "@{}l", flush)
    title = [f"% {printable(block.title)}"] if block.title else []
    return title + _tabular(heading, rows, flush, block, above)


def _tabular(
    heading: Sequence[str],
    rows: Sequence[Sequence[str]],
    flush: str,
    block: Block,
    above: Sequence[str] = (),
) -> list[str]:
    """A `tabular`; or a `longtable`, which may be broken over pages and repeats its heading on
    each.
    """
    environment = "longtable" if block.long else "tabular"
    head = [" & ".join(heading) + r" \\", r"\midrule", *([r"\endhead"] if block.long else [])]
    body = [" & ".join(row) + r" \\" for row in rows]
    if block.above:
        body.insert(block.above, r"\midrule")
    begin = rf"\begin{{{environment}}}{{{flush}}}"
    captioned = ["".join(above) + r" \\"] if above else []
    return [begin, *captioned, r"\toprule", *head, *body, r"\bottomrule", rf"\end{{{environment}}}"]


@form("html", ".html")
def html(sheet: Sheet) -> str:
    """The page of the result, as `precall report` writes it."""
    page: str = hook("page")(sheet)
    return page


@form("trec", of="precall.report/2")
def trec(sheet: Sheet) -> str:
    """trec_eval's lines. If there are several runs, the averages of each begin with its `runid`."""
    lines: str = hook("trec")(sheet)
    return lines
