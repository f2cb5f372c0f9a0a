"""The tables of sections as blocks of sheets, and the sheet of a page that is read back."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeAlias

from precall.core.notes import Note, sentences
from precall.core.notes.of_comparisons import MARKS
from precall.core.notes.of_null import describe_method, describe_p
from precall.core.notes.of_pages import Headline
from precall.core.text import number, percent
from precall.page.record import record_of
from precall.page.sections import (
    COUNTED,
    SCORED,
    CurvesSection,
    Law,
    Section,
    SectionPart,
    SectionTable,
    SystemPair,
    Systems,
    Tables,
)
from precall.page.templates import Cell
from precall.results.blocks import (
    Block,
    Bound,
    Line,
    Row,
    Threshold,
    format_bounds,
    meaning_of_bold,
    show_cell,
)
from precall.results.blocks import Cell as Value
from precall.results.sentence import Sentence
from precall.results.sheets import Sheet
from precall.stats.intervals.interval import MAX_F
from precall.stats.tests.comparisons import Comparison, p_text

if TYPE_CHECKING:
    from precall.page.sections import Page
    from precall.stats.intervals.interval import Interval

#: Intervals by the position of their values: the first heading of the block, the name of the line,
#: and the column.
Placed: TypeAlias = Mapping[tuple[str, str, str], "Interval"]

#: Texts that begin like this are numbers, perhaps with a sign, a bound or a mark.
_NUMBER = re.compile(r"[-+\u2212<]?\s*=?\s*\d|undef|$")
#: Columns of csv.
COLUMNS = ("section", "system", "topic", "measure", "statistic", "value")
#: Statistics of a pair.
PAIR = ("difference", "low", "high", "p", "adjusted")
_CHANCE = ("observed", "chance", "deviation")
#: Heights below this share of the greatest are invisible. A distribution that takes less than this
#: share of the axis is a spike.
_SEEN, _SPIKE = 0.01, 0.25


def cells_of(block: Block, leaders: Sequence[Collection[int]] | None = None) -> list[list[Cell]]:
    """The cells of each line of a block, its name the first. `leaders` are the best of each line,
    if they were chosen among other lines as well.
    """
    rows = []
    for line, best in zip(block.lines, leaders or block.leaders(), strict=False):
        ends, marks = (
            line.ends or (None,) * len(line.values),
            line.marks or ("",) * len(line.values),
        )
        row = [Cell(line.name)]
        for index, (value, bounds, mark) in enumerate(zip(line.values, ends, marks, strict=True)):
            words = "words" if isinstance(value, str) and not _NUMBER.match(value) else ""
            row.append(
                Cell(show_cell(value), words, index in best, mark, format_bounds(bounds).lstrip())
            )
        rows.append(row)
    return rows


def show(block: Block, caption: str, key: str, *, sortable: bool = False) -> dict[str, Any]:
    """The table of a block, with bounds, for the macro `table`."""
    return {
        "heading": block.heading,
        "rows": cells_of(block),
        "caption": caption,
        "key": key,
        "sortable": sortable,
    }


def _capital(name: str) -> str:
    """A name with a capital; not by capitalize(), which would turn AP into Ap."""
    return name[:1].upper() + name[1:]


def shown_all(tables: Sequence[SectionTable], key: str) -> list[dict[str, Any]]:
    """The tables of a sheet."""
    tables_shown = []
    for i, table in enumerate(tables):
        first = table.heading[0]
        caption = table.title or _capital(first)
        caption += f", with {table.intervals}." if table.intervals else ""
        tables_shown.append(show(table.block, caption, f"{key}-b{i}", sortable=first == "category"))
    return tables_shown


def tables_of(sheet: Sheet, intervals: Placed | None = None) -> list[SectionTable]:
    """The blocks of a sheet for a page; with `intervals`, values have their bounds.

    Examples
    --------
    >>> from precall.stats.intervals.interval import Interval
    >>> sheet = Sheet(
    ...     "f", {}, (Block("", ("category", "AP"), (Line("a", (0.5,), 1),)),), (), {}, (), ()
    ... )
    >>> (table,) = tables_of(
    ...     sheet, {("category", "a", "AP"): Interval(0.5, 0.25, 0.75, 0.95, "logit")}
    ... )
    >>> table.lines[0].ends, table.intervals
    (((0.25, 0.75),), '95 % intervals (logit)')
    """
    return [_table(block, intervals or {}) for block in sheet.blocks]


#: Titles of sheets whose format is another word.
_TITLES = {
    "about": "Versions",
    "compare": "Comparisons",
    "confusion": "Confusion matrix",
    "count-posteriors": "Posteriors of measures",
    "cross-validation": "Thresholds cross-validated",
    "curves": "Difference of two curves",
    "explain": "Explanation",
    "judge-agreement": "Agreement of people and judge",
    "judge-plan": "Labels needed",
    "judge-sample": "Sample to label",
    "null": "Null distributions",
    "power": "Topics or items needed",
    "sequential": "Test of a ranking while it is read",
    "wins": "Wins and losses",
}
#: Rows of a table in the page of a sheet; csv and json have all.
_ROWS = 1000


def tables_beside(
    sheet: Sheet, part: SectionPart[Any] | None, usual: Sequence[Block] = ()
) -> SectionPart[Tables] | None:
    """A section with the tables of a sheet that another section does not have; without one, with
    all of them. None if there are none. The other section says what the `usual` blocks say.
    """
    own = [] if part is None else getattr(part.section, "blocks", [])
    contents = {
        _content(block) for block in (*map(_with_legend, usual), *(each.block for each in own))
    }
    more = [
        _first_rows(block)
        for block in sheet.blocks
        if _content(_with_legend(block)) not in contents
    ]
    if part is not None and not more:
        return None
    section = Tables(
        title="Tables" if part is not None else _title(sheet.format),
        blocks=[_table(_in_words(block), {}) for block in more],
        signature=sheet.signature,
        conventions=dict(sheet.conventions),
    )
    headline = (
        []
        if part is not None
        else sheet.verdict.split("\n")
        if sheet.verdict
        else _describe_source(sheet)
    )
    return SectionPart(section, [Sentence(line) for line in headline if line], without_marks(sheet))


def _marks(block: Block) -> list[Note]:
    """The legends that say what stars and letters mean; others are notes on the numbers."""
    return [note for note in block.legends if isinstance(note, MARKS)]


def without_marks(sheet: Sheet) -> list[Note]:
    """The notes of a sheet except what its marks mean, which stands at its tables."""
    told = {note for block in sheet.blocks for note in _marks(block)}
    return [note for note in sheet.notes if note not in told]


def _with_legend(block: Block) -> Block:
    """A block whose title also says what its marks mean."""
    best = meaning_of_bold(block)
    meanings = [f"Bold: {best}"] * bool(best) + list(sentences(_marks(block)))
    if not meanings:
        return block
    return replace(block, title=". ".join([block.title or _capital(block.heading[0]), *meanings]))


def _describe_source(sheet: Sheet) -> list[str]:
    """What a result without a verdict says of itself."""
    text = "" if sheet.source is None else repr(sheet.source)
    return [f"{text[1:-1]}."] if text.startswith("<") and text.endswith(">") else []


def _content(block: Block) -> tuple[Any, ...]:
    """What a block says, for comparisons; undefined values are equal."""
    rows = tuple(
        (line.name, *("" if value is None else show_cell(value) for value in line.values))
        for line in block.lines
    )
    return block.title, block.heading, rows


def _in_words(block: Block) -> Block:
    """A block in whose cells nothing and truth values are texts, as the record has no others."""

    def text_or_number(value: Value) -> Value:
        return "" if value is None else show_cell(value) if isinstance(value, bool) else value

    lines = tuple(
        line._replace(values=tuple(map(text_or_number, line.values))) for line in block.lines
    )
    return replace(block, lines=lines)


def _bounds_in_words(line: Line) -> Line:
    """A line whose upper bounds are texts: the record has one sign for all numbers of a line."""
    if not any(isinstance(value, Bound) for value in line.values):
        return line
    values = (show_cell(value) if isinstance(value, Bound) else value for value in line.values)
    return line._replace(values=tuple(values))


def _first_rows(block: Block) -> Block:
    """A block without the rows that are too many for a page; the title counts them."""
    if len(block.lines) <= _ROWS:
        return block
    title = f"{block.title} " * bool(block.title) + f"(first {_ROWS:,} of {len(block.lines):,})"
    return replace(block, title=title, lines=tuple(islice(block.lines, _ROWS)))


def _title(format: str) -> str:
    """A title from the name of a format.

    Examples
    --------
    >>> _title("precall.operating-points/2")
    'Operating points'
    """
    name = format.removeprefix("precall.").partition("/")[0]
    return _TITLES.get(name) or name.replace("-", " ").capitalize()


def _table(block: Block, intervals: Placed) -> SectionTable:
    block = _with_legend(block).map(_bounds_in_words)
    first, *columns = block.heading
    methods: dict[str, Interval] = {}
    lines = []
    for line in block.lines:
        row = {
            column: interval_at(intervals, (first, line.name, column), value)
            for column, value in zip(columns, line.values, strict=True)
        }
        methods |= {column: interval for column, interval in row.items() if interval is not None}
        lines.append(Line(line.name, line.values, line.best, tuple(map(_ends, row.values()))))
    if not methods:
        plain = tuple(Line(line.name, line.values, line.best, line.ends) for line in block.lines)
        return SectionTable(block.title, block.heading, plain)
    several = len(columns) > 1
    named = [f"{column} " * several + interval.method for column, interval in methods.items()]
    level = percent(next(iter(methods.values())).level)
    return SectionTable(
        block.title, block.heading, tuple(lines), f"{level} intervals ({', '.join(named)})"
    )


def interval_at(intervals: Placed, place: tuple[str, str, str], value: Any) -> Interval | None:
    """The interval of a value. None if it belongs to another value, for example because undefined
    ones were left out of an average.
    """
    interval = intervals.get(place)
    return (
        interval
        if interval is not None and math.isclose(interval.estimate, value, abs_tol=1e-12)
        else None
    )


def _ends(interval: Interval | None) -> tuple[float, float] | None:
    if interval is None or interval.low is None or interval.high is None:
        return None
    return float(interval.low), float(interval.high)


def averages(section: Systems) -> Block:
    """Averages of systems over topics, with their intervals; the best of a column is marked if the
    systems can be compared.
    """
    within, lines = section.interval, []
    for index, name in enumerate(section.systems):
        means: list[Value] = section.mean[index].tolist()
        for i, (value, measure) in enumerate(zip(means, section.measures, strict=True)):
            # Counts, which are summed over topics, have no decimals.
            if measure.aggregate == "sum" and isinstance(value, float) and value.is_integer():
                means[i] = int(value)
        bounds = (
            zip(within.low[index], within.high[index], strict=True) if within is not None else ()
        )
        ends = tuple(
            None if low != low or high != high else (float(low), float(high))
            for low, high in bounds
        )
        lines.append(
            Line(name, (*means, section.counts[index].topics), 0, (*ends, None) if ends else ())
        )
    best = tuple(measure.best for measure in section.measures) if section.comparable else ()
    heading = ("system", *(measure.name for measure in section.measures))
    heading += (section.words.word("topics"),)
    return Block("", heading, tuple(lines), best=best)


def pairs_of_systems(section: Systems, names: Sequence[str], minus: str = "-") -> dict[int, Block]:
    """A block of all pairs for each measure, by its index; `minus` stands between two names."""
    lines: dict[int, list[Line]] = {}
    if (pairs := section.pairs) is None:
        return {}
    for pair in pairs.rows:
        name = f"{names[pair.a]} {minus} {names[pair.b]}"
        lines.setdefault(pair.measure, []).append(Line(name, _pair(pair, pairs.has_corrections)))
    return {
        index: Block("", _heading(measure, pairs.has_corrections), tuple(lines[index]))
        for index, measure in enumerate(pairs.compared)
        if index in lines
    }


def _pair(pair: SystemPair | Comparison, corrected: bool) -> tuple[Value, ...]:
    last = [p_text(pair.p), p_text(pair.adjusted)] if corrected else [p_text(pair.p)]
    low, high = (math.nan if end is None else end for end in (pair.low, pair.high))
    return (pair.difference, low, high, *last[:-1], last[-1] + "*" * pair.significant)


def _heading(first: str, corrected: bool) -> tuple[str, ...]:
    return (first, "difference", "low", "high", "p", *["adjusted p"] * corrected)


def scores(section: CurvesSection) -> Block:
    """Scores and their measures, with intervals."""
    tuned = [MAX_F] * any(MAX_F in system.intervals for system in section.systems)
    lines = []
    for system in section.systems:
        counts = [float(system.measures[name]) for name in COUNTED]
        values: list[Value] = [
            int(value) if value.is_integer() else Threshold(value) for value in counts
        ]
        values += [float(system.measures[name]) for name in SCORED]
        cells = [system.intervals.get(name) for name in (*COUNTED, *SCORED, *tuned)]
        values += [None if cells[-1] is None else cells[-1].estimate for _ in tuned]
        lines.append(Line(system.name, tuple(values), 0, tuple(map(_ends, cells))))
    best = (0,) * len(COUNTED) + (1,) * len(SCORED)
    return Block("", ("score", *COUNTED, *SCORED, *tuned), tuple(lines), best=best)


def pairs_of_scores(section: CurvesSection) -> list[Block]:
    """Differences of two scores of the same cases."""
    lines, corrected = [], False
    for pair in section.pairs:
        corrected = pair.correction != "none"
        name = f"{pair.measure}: {pair.names[0]} - {pair.names[1]}"
        lines.append(Line(name, (*_pair(pair, corrected), f"{pair.test}, {pair.how}")))
    return [Block("", (*_heading("comparison", corrected), "test"), tuple(lines))] if lines else []


def p_words(law: Law) -> str:
    """p in a sentence: "p = ...", or "p <= ..." if only a bound is known."""
    return describe_p(law.tail.p, law.tail.bound)


def p_column(law: Law) -> str:
    """p in a column headed p: the number alone, or "<= ..." if only a bound is known."""
    return f"{'<= ' if law.tail.bound else ''}{law.tail.p:.4g}"


def p_method(law: Law) -> str:
    """The method of p, beside a column of p."""
    # In pages of the first format, the method says everything.
    has_error = law.tail.error == law.tail.error
    return (
        describe_method(law.tail.method, law.tail.error, law.tail.bound)
        if has_error
        else law.tail.method
    )


def far_from_chance(law: Law) -> str:
    """A sentence about the observed value, if a chart would only show a spike far away from it;
    otherwise empty.

    Examples
    --------
    >>> import numpy as np
    >>> from precall.stats.null.distribution import Tail
    >>> facts = {
    ...     "observed": 0.9,
    ...     "chance": 0.1,
    ...     "deviation": 0.01,
    ...     "tail": Tail(1e-12, "series", 0.0, True),
    ... }
    >>> spike = {"x": np.array([0.05, 0.1, 0.15]), "height": np.array([0.1, 9.0, 0.1])}
    >>> far_from_chance(Law(system="a", measure="AP", mass=False, **facts, **spike))
    'a: AP 0.9000, by chance 0.1000 with a standard deviation of 0.0100: 80 standard deviations above it, p <= 1e-12.'
    >>> wide = {"x": np.array([0.05, 0.1, 0.95]), "height": np.array([0.1, 9.0, 1.0])}
    >>> far_from_chance(Law(system="a", measure="AP", mass=False, **facts, **wide))
    ''
    """  # noqa: E501
    subject = f"{law.system}: {law.measure} {number(float(law.observed))}"
    if not law.deviation:
        return f"{subject}, as in every order of the same items."
    seen = law.x[law.height > _SEEN * law.height.max()]
    span = max(law.x.max(), law.observed) - min(law.x.min(), law.observed)
    if len(seen) == 0 or seen[-1] - seen[0] > _SPIKE * span:
        return ""
    away = (law.observed - law.chance) / law.deviation
    side = f"{abs(away):.0f} standard deviations {'above' if away > 0 else 'below'} it"
    by_chance = (
        f"by chance {number(float(law.chance))} with a standard deviation of "
        f"{number(float(law.deviation))}"
    )
    return f"{subject}, {by_chance}: {side}, {p_words(law)}."


def _random_selection(laws: Sequence[Law]) -> list[Block]:
    lines = tuple(
        Line(
            f"{law.measure}: {law.system}", (law.observed, law.chance, law.deviation, p_column(law))
        )
        for law in laws
    )
    return [Block("", ("random selection", *_CHANCE, "p"), lines)] if lines else []


def _tables(section: Section) -> list[Block]:
    """All tables of a section; tables of topics are in csv and json only."""
    match section:
        case Systems():
            gates = gates_of(section, short=False)
            pairs = pairs_of_systems(section, section.systems).values()
            return [*gates, averages(section), *pairs, *_random_selection(section.laws)]
        case CurvesSection():
            own = [scores(section), *pairs_of_scores(section)] if section.kind == "curves" else []
            return [
                *own,
                *(table.block for table in section.blocks),
                *_random_selection(section.laws),
            ]
        case Tables():
            return [table.block for table in section.blocks]
    return []


def sheet_of(page: Page) -> Sheet:
    """The content of a page as a sheet.

    Examples
    --------
    >>> from precall.page.record import page_of
    >>> from precall.page.sections import SectionPart
    >>> from precall.results.sentence import Sentence
    >>> page = page_of(
    ...     [
    ...         SectionPart(
    ...             Tables(title="", blocks=[], signature=""), [Sentence("There is nothing.")], []
    ...         )
    ...     ],
    ...     None,
    ... )
    >>> print(str(sheet_of(page)).splitlines()[0])
    There is nothing.
    """
    conventions = {"page": page.title, "precall": str(page.versions["precall"])}
    by_section = list(map(_conventions, page.sections))
    for name in dict.fromkeys(
        name for some in by_section for name in some if name not in conventions
    ):
        conventions[name] = "/".join(
            dict.fromkeys(some[name] for some in by_section if name in some)
        )
    conventions["command"] = page.command
    tidy = tuple(
        (index, *row) for index, section in enumerate(page.sections) for row in _rows(section)
    )
    record = record_of(page)
    return Sheet(
        record["format"],
        {name: text for name, text in conventions.items() if text},
        tuple(chain.from_iterable(map(_tables, page.sections))),
        (*(Headline("", sentence.text) for sentence in page.headline), *page.notes),
        record,
        COLUMNS,
        tidy,
    )


def _conventions(section: Section) -> dict[str, str]:
    """The conventions of a section, including those of its comparisons and the seed."""
    pairs = section.pairs if isinstance(section, Systems) else None
    return section.conventions if pairs is None else section.conventions | pairs.conventions


def _rows(section: Section) -> Iterator[Row]:
    """Every number of a section: system, topic, measure, statistic, value."""
    if (seed := _conventions(section).get("seed", "none")) != "none":
        yield None, None, None, "seed", seed
    if isinstance(section, Systems):
        yield from _rows_of_systems(section)
    for table in section.blocks if isinstance(section, CurvesSection | Tables) else ():
        yield from _rows_of_block(table.block)
    if isinstance(section, CurvesSection):
        for system in section.systems:
            for measure, interval in system.intervals.items():
                yield from _statistics(system.name, measure, interval, ("estimate", "low", "high"))
        for pair in section.pairs if section.kind == "curves" else ():
            yield from _statistics(" - ".join(pair.names), pair.measure, pair, PAIR[:-1])
    for law in section.laws if isinstance(section, Systems | CurvesSection) else ():
        yield from _statistics(law.system, law.measure, law, _CHANCE)
        yield law.system, None, law.measure, "p, upper bound" if law.tail.bound else "p", law.tail.p


def _rows_of_block(block: Block) -> Iterator[Row]:
    first, *columns = block.heading
    for line in block.lines:
        for index, (name, value) in enumerate(zip(columns, line.values, strict=True)):
            yield name, None, line.name, first, value
            if line.ends and (ends := line.ends[index]) is not None:
                for end, bound in zip(("low", "high"), ends, strict=True):
                    yield name, None, line.name, f"{first}, {end} end", bound


def _statistics(name: str, measure: str, given: object, statistics: Sequence[str]) -> Iterator[Row]:
    for statistic in statistics:
        value = getattr(given, statistic)
        yield name, None, measure, statistic, math.nan if value is None else float(value)


def _rows_of_systems(section: Systems) -> Iterator[Row]:
    within = section.interval
    parts = {"mean": section.mean} | (
        {"low": within.low, "high": within.high} if within is not None else {}
    )
    for index, system in enumerate(section.systems):
        for i, measure in enumerate(section.measures):
            for statistic, columns in parts.items():
                yield system, None, measure.name, statistic, float(columns[index][i])
            values = section.values[i][index].tolist()
            for topic, value in zip(section.topics, values, strict=True):
                yield system, topic, measure.name, "value", float(value)
    for gate in section.gates.gates if section.gates is not None else ():
        for statistic, value in (("gain", gate.value), ("p", gate.p), ("passed", int(gate.passed))):
            yield " - ".join(gate.names), None, gate.measure, f"gate, {statistic}", float(value)
    if (pairs := section.pairs) is None:
        return
    for pair in pairs.rows:
        name = f"{section.systems[pair.a]} - {section.systems[pair.b]}"
        for statistic in PAIR:
            yield (
                name,
                None,
                pairs.compared[pair.measure],
                statistic,
                float(getattr(pair, statistic)),
            )


def gates_of(section: Systems, short: bool = True) -> Sequence[Block]:
    """The table of gates, if there are any; under the names that the page shows, or the
    full ones.
    """
    if section.gates is None:
        return ()
    from precall.stats.tests.gate_sheet import gate_blocks

    renamed = []
    for gate in section.gates.gates:
        a, b = (section.short.get(name, name) if short else name for name in gate.names)
        renamed.append(replace(gate, names=(a, b)))
    return gate_blocks(tuple(renamed))
