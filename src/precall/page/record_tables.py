"""The tables of a record: blocks of sheets as data, and the sheet that every other form of a page is made of."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from precall.infer.compare.comparisons import p_text
from precall.infer.interval.tuned import MAX_F
from precall.page.record import Record, numbers
from precall.sheet.sheets import Block, Cell, Line, Sheet, Threshold

if TYPE_CHECKING:
    from precall.infer.interval.interval import Interval

#: Columns of csv.
COLUMNS = ("section", "system", "topic", "measure", "statistic", "value")
#: Of scores, in a table of their own.
MEASURES = ("AP", "AUC", "max F", "break-even nearest", "R-precision")
_PAIR = ("difference", "low", "high", "p", "adjusted")


def blocks_of(sheet: Sheet) -> list[dict[str, Any]]:
    """The blocks of a sheet as data: title, heading, and lines of a name, values and which end is best.

    Values that are thresholds say so, as they are shown otherwise.

    Examples
    --------
    >>> block = Block("", ("measure", "a"), (Line("AP", (0.5,), 1),))
    >>> blocks_of(Sheet("f", {}, (block,), (), {}, (), ()))
    [{'title': '', 'heading': ['measure', 'a'], 'lines': [{'name': 'AP', 'values': [0.5], 'best': 1}]}]
    """
    return [
        {
            "title": block.title, "heading": list(block.heading),
            "lines": [
                {"name": line.name, "values": list(line.values), "best": line.best}
                | ({"exact": True} if any(isinstance(value, Threshold) for value in line.values) else {})
                for line in block.lines
            ],
        }
        for block in sheet.blocks
    ]  # fmt: skip


def with_intervals(
    blocks: Sequence[dict[str, Any]], intervals: Mapping[tuple[str, str, str], Interval]
) -> list[dict[str, Any]]:
    """Blocks as data with the bounds of their values.

    Parameters
    ----------
    intervals : by first heading, name of the line and heading of the column. An interval of another value than
        stands there, as where undefined ones were left out of an average, is not shown.

    Examples
    --------
    >>> from precall.infer.interval.interval import Interval
    >>> block = {"heading": ["category", "AP"], "lines": [{"name": "a", "values": [0.5]}]}
    >>> made = with_intervals([block], {("category", "a", "AP"): Interval(0.5, 0.25, 0.75, 0.95, "logit")})
    >>> made[0]["lines"][0]["low"], made[0]["intervals"]
    ([0.25], '95 % intervals (logit)')
    """
    made = []
    for block in blocks:
        first, *columns = block["heading"]
        known: dict[str, Interval] = {}
        lines = []
        for line in block["lines"]:
            ends = [
                interval_at(intervals, (first, line["name"], column), value)
                for column, value in zip(columns, line["values"], strict=True)
            ]
            known |= {column: one for column, one in zip(columns, ends, strict=True) if one is not None}
            lines.append(line | {end: [one and getattr(one, end) for one in ends] for end in ("low", "high")})
        if known:
            alone = len(columns) == 1
            methods = [one.method if alone else f"{column} {one.method}" for column, one in known.items()]
            level = 100 * next(iter(known.values())).level
            block = block | {"lines": lines, "intervals": f"{level:g} % intervals ({', '.join(methods)})"}
        made.append(block)
    return made


def interval_at(
    intervals: Mapping[tuple[str, str, str], Interval], place: tuple[str, str, str], value: Any
) -> Interval | None:
    """The interval of a value that stands at this place; none if what it is of is another one."""
    known = intervals.get(place)
    return known if known is not None and math.isclose(known.estimate, value, abs_tol=1e-12) else None


def blocks_from(section: Mapping[str, Any]) -> list[Block]:
    """The blocks of a section's sheet again, with the bounds of their values."""
    return [
        Block(block["title"], tuple(block["heading"]), tuple(map(_line, block["lines"])))
        for block in section.get("blocks", ())
    ]


def _line(line: Mapping[str, Any]) -> Line:
    values = tuple(_value(value, line) for value in line["values"])
    ends = (
        tuple(_ends(*pair) for pair in zip(line["low"], line["high"], strict=True)) if "low" in line else ()
    )
    return Line(line["name"], values, line["best"], ends)


def _value(value: Any, line: Mapping[str, Any]) -> Any:
    if isinstance(value, str) and value not in ("inf", "-inf"):
        return value
    if value is None or isinstance(value, str):
        value = as_float(value)
    return Threshold(value) if "exact" in line else value


def as_float(value: Any) -> float:
    """A number of a record; null is NaN."""
    return float("nan") if value is None else float(value)


def _ends(low: Any, high: Any) -> tuple[float, float] | None:
    low, high = as_float(low), as_float(high)
    return None if low != low or high != high else (low, high)


def averages(section: Mapping[str, Any]) -> Block:
    """Averages of systems over topics, with their intervals; the best of a column, where they can be compared."""
    measures, interval = section["measures"], section["interval"]
    lines = []
    for place, name in enumerate(section["systems"]):
        means: list[Cell] = numbers(section["mean"][place]).tolist()
        for i, (value, measure) in enumerate(zip(means, measures, strict=True)):
            # Counts, which are summed over topics, have no decimals.
            if measure["aggregate"] == "sum" and isinstance(value, float) and value.is_integer():
                means[i] = int(value)
        bounds = [numbers(interval[end][place]).tolist() for end in ("low", "high")] if interval else []
        ends = (*map(_ends, *bounds), None) if bounds else ()
        lines.append(Line(name, (*means, section["counts"][place]["topics"]), 0, ends))
    best = tuple(one["best"] or 0 for one in measures) if section.get("comparable", True) else ()
    return Block("", ("system", *(one["name"] for one in measures), "topics"), tuple(lines), best=best)


def pairs_of_systems(section: Mapping[str, Any]) -> dict[int, Block]:
    """A block of all pairs for each measure, by its place."""
    pairs, systems = section.get("pairs"), section["systems"]
    if not pairs:
        return {}
    columns = [numbers(pairs[name]).tolist() for name in _PAIR]
    corrected = columns[-2] != columns[-1]
    blocks = {}
    for place, measure in enumerate(pairs["compared"]):
        lines = []
        for i in (i for i, one in enumerate(pairs["measure"]) if one == place):
            name = f"{systems[pairs['a'][i]]} - {systems[pairs['b'][i]]}"
            values = [column[i] for column in columns]
            lines.append(Line(name, _pair(values, bool(pairs["significant"][i]), corrected)))
        if lines:
            blocks[place] = Block("", _heading(measure, corrected), tuple(lines))
    return blocks


def _pair(values: Sequence[float], significant: bool, corrected: bool) -> tuple[Cell, ...]:
    *difference, p, adjusted = values
    last = [p_text(p), p_text(adjusted)] if corrected else [p_text(p)]
    return (*difference, *last[:-1], last[-1] + "*" * significant)


def _heading(first: str, corrected: bool) -> tuple[str, ...]:
    return (first, "difference", "low", "high", "p", *["adjusted p"] * corrected)


def scores(section: Mapping[str, Any]) -> Block:
    """Scores and what is measured of them, with intervals."""
    systems = section["systems"]
    tuned = any(MAX_F in one["intervals"] for one in systems)
    counted = ("cases", "relevant", "missed")
    lines = []
    for one in systems:
        counts = [as_float(one["measures"][name]) for name in counted]
        values: list[Cell] = [int(value) if value.is_integer() else value for value in counts]
        values += [as_float(one["measures"][name]) for name in MEASURES]
        known = [one["intervals"].get(name) for name in (*counted, *MEASURES, *[MAX_F] * tuned)]
        values += [None if known[-1] is None else as_float(known[-1]["estimate"])] * tuned
        ends = tuple(None if given is None else _ends(given["low"], given["high"]) for given in known)
        lines.append(Line(one["name"], tuple(values), 0, ends))
    heading = ("score", *counted, *MEASURES, *[MAX_F] * tuned)
    return Block("", heading, tuple(lines), best=(0,) * len(counted) + (1,) * len(MEASURES))


def pairs_of_scores(section: Mapping[str, Any]) -> list[Block]:
    """Differences of two scores of the same cases."""
    lines = []
    for one in section["pairs"]:
        corrected = one.get("correction", "none") != "none"
        values = _pair([as_float(one[name]) for name in _PAIR], bool(one["significant"]), corrected)
        name = f"{one['measure']}: {one['a']} - {one['b']}"
        lines.append(Line(name, (*values, f"{one['test']}, {one['how']}")))
    return [Block("", (*_heading("comparison", corrected), "test"), tuple(lines))] if lines else []


def p_words(law: Mapping[str, Any]) -> str:
    """p as its null distribution words it: "p = ...", or "p <= ..." where that is all that is known."""
    return str(law["how"]).partition(" (")[0]


def p_column(law: Mapping[str, Any]) -> str:
    """The same below a heading that says p: the number alone, or "<= ..."."""
    return p_words(law).removeprefix("p ").removeprefix("= ")


def _random_selection(section: Mapping[str, Any]) -> list[Block]:
    lines = [
        Line(
            f"{one['measure']}: {one['system']}",
            (*(as_float(one[name]) for name in ("observed", "chance", "deviation")), p_column(one)),
        )
        for one in section.get("laws", ())
    ]  # fmt: skip
    return (
        [Block("", ("random selection", "observed", "chance", "deviation", "p"), tuple(lines))]
        if lines
        else []
    )


def _tables(section: Mapping[str, Any]) -> list[Block]:
    """All tables of a section; those of topics are in csv and json."""
    if section["kind"] == "systems":
        return [averages(section), *pairs_of_systems(section).values(), *_random_selection(section)]
    blocks = blocks_from(section)
    if section["kind"] == "curves":
        blocks = [scores(section), *pairs_of_scores(section), *blocks]
    return [*blocks, *_random_selection(section)]


def sheet_of(record: Record) -> Sheet:
    """What a page holds, as other commands say it.

    Examples
    --------
    >>> from precall.page.record import record
    >>> print(str(sheet_of(record("Nothing", ["There is nothing."], [], []))).splitlines()[0])
    There is nothing.
    """
    sections = record["sections"]
    conventions = {"page": record["title"], "precall": record["versions"]["precall"]}
    known = list(map(_conventions, sections))
    for name in dict.fromkeys(name for some in known for name in some if name not in conventions):
        conventions[name] = "/".join(dict.fromkeys(some[name] for some in known if name in some))
    conventions["command"] = record["command"]
    tidy = [(place, *row) for place, section in enumerate(sections) for row in _rows(section)]
    return Sheet(
        record["format"], {name: text for name, text in conventions.items() if text},
        tuple(block for section in sections for block in _tables(section)), (*record["headline"], *record["warnings"]),
        record, COLUMNS, tuple(tidy),
    )  # fmt: skip


def _conventions(section: Mapping[str, Any]) -> dict[str, str]:
    """What the numbers of a section rest on, of its comparisons too, the seed among them."""
    parts = [part.partition(" ") for part in section.get("signature", "").split(" | ")]
    told = {name: text for name, _, text in parts if name}
    return (
        told | section["pairs"]["conventions"]
        if section["kind"] == "systems" and section.get("pairs")
        else told
    )


def _rows(section: Mapping[str, Any]) -> Iterator[tuple[Cell, ...]]:
    """Every number of a section: system, topic, measure, statistic, value."""
    if (seed := _conventions(section).get("seed", "none")) != "none":
        yield None, None, None, "seed", seed
    if section["kind"] == "systems":
        yield from _rows_of_systems(section)
    for block in blocks_from(section):
        first, *columns = block.heading
        for line in block.lines:
            for place, (name, value) in enumerate(zip(columns, line.values, strict=True)):
                yield name, None, line.name, first, value
                if line.ends and (ends := line.ends[place]) is not None:
                    for end, bound in zip(("low", "high"), ends, strict=True):
                        yield name, None, line.name, f"{first}, {end} end", bound
    if section["kind"] != "systems":
        for one in section.get("systems", ()):
            for measure, interval in one.get("intervals", {}).items():
                yield from _statistics(one["name"], measure, interval, ("estimate", "low", "high"))
        for one in section.get("pairs", ()):
            if "a" in one and section["kind"] == "curves":
                yield from _statistics(f"{one['a']} - {one['b']}", one["measure"], one, _PAIR[:-1])
    for one in section.get("laws", ()):
        yield from _statistics(one["system"], one["measure"], one, ("observed", "chance", "deviation"))
        p = "p, upper bound" if one.get("bound") else "p"
        yield one["system"], None, one["measure"], p, as_float(one["p"])


def _statistics(
    name: str, measure: str, given: Mapping[str, Any], statistics: Sequence[str]
) -> Iterator[tuple[Cell, ...]]:
    for statistic in statistics:
        yield name, None, measure, statistic, as_float(given[statistic])


def _rows_of_systems(section: Mapping[str, Any]) -> Iterator[tuple[Cell, ...]]:
    measures = [one["name"] for one in section["measures"]]
    parts = {"mean": section["mean"]}
    parts |= {end: section["interval"][end] for end in ("low", "high")} if section["interval"] else {}
    for place, system in enumerate(section["systems"]):
        for line, measure in enumerate(measures):
            for statistic, columns in parts.items():
                yield system, None, measure, statistic, float(numbers(columns[place])[line])
            values = numbers(section["values"][line][place]).tolist()
            for topic, value in zip(section["topics"], values, strict=True):
                yield system, topic, measure, "value", value
    if pairs := section.get("pairs"):
        columns = {name: numbers(pairs[name]).tolist() for name in _PAIR}
        for i, (a, b) in enumerate(zip(pairs["a"], pairs["b"], strict=True)):
            name, measure = (
                f"{section['systems'][a]} - {section['systems'][b]}",
                pairs["compared"][pairs["measure"][i]],
            )
            for statistic in _PAIR:
                yield name, None, measure, statistic, columns[statistic][i]
