"""The tables of a record: blocks of sheets as data, and the sheet that a page is told again by."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from precall.infer.compare.comparisons import p_text
from precall.infer.interval.interval import MAX_F
from precall.notes import restored
from precall.notes.of_null import describe_method, describe_p
from precall.notes.of_pages import Headline
from precall.page.record import Record, as_float, numbers
from precall.results import number
from precall.sheet.sheets import AtMost, Block, Cell, Line, Row, Sheet, Threshold
from precall.text import percent

if TYPE_CHECKING:
    from precall.infer.interval.interval import Interval

#: Intervals by where their values stand: the first heading of the block, the name of the line, and the column.
Placed: TypeAlias = Mapping[tuple[str, str, str], "Interval"]

#: Columns of csv.
COLUMNS = ("section", "system", "topic", "measure", "statistic", "value")
#: Counts and measures of scores, in a table of their own.
_COUNTS = ("cases", "relevant", "missed")
_SCORED = ("AP", "AUC", "max F", "break-even nearest", "R-precision")
PAIR = ("difference", "low", "high", "p", "adjusted")
_CHANCE = ("observed", "chance", "deviation")
#: Of the greatest height this share is seen; a distribution that takes less than this share of the axis is a spike.
_SEEN, _SPIKE = 0.01, 0.25


def blocks_of(sheet: Sheet, intervals: Placed | None = None) -> list[dict[str, Any]]:
    """The blocks of a sheet as data: title, heading, and lines of a name, values and which end is best.

    Values that are thresholds say so, as they are shown otherwise; so do those that accept low scores. With `intervals`
    values have the bounds of theirs.

    Examples
    --------
    >>> from precall.infer.interval.interval import Interval
    >>> sheet = Sheet("f", {}, (Block("", ("category", "AP"), (Line("a", (0.5,), 1),)),), (), {}, (), ())
    >>> blocks_of(sheet)
    [{'title': '', 'heading': ['category', 'AP'], 'lines': [{'name': 'a', 'values': [0.5], 'best': 1}]}]
    >>> made = blocks_of(sheet, {("category", "a", "AP"): Interval(0.5, 0.25, 0.75, 0.95, "logit")})
    >>> made[0]["lines"][0]["low"], made[0]["intervals"]
    ([0.25], '95 % intervals (logit)')
    """
    blocks = []
    for block in sheet.blocks:
        lines = [
            {"name": line.name, "values": list(line.values), "best": line.best}
            | {
                key: True
                for key, kind in (("exact", Threshold), ("at most", AtMost))
                if any(isinstance(value, kind) for value in line.values)
            }
            for line in block.lines
        ]
        made = {"title": block.title, "heading": list(block.heading), "lines": lines}
        blocks.append(made if intervals is None else _bounded(made, intervals))
    return blocks


def _bounded(block: dict[str, Any], intervals: Placed) -> dict[str, Any]:
    """A block with the bounds of its values, if there are any."""
    first, *columns = block["heading"]
    known: dict[str, Interval] = {}
    lines = []
    for line in block["lines"]:
        row = {
            column: interval_at(intervals, (first, line["name"], column), value)
            for column, value in zip(columns, line["values"], strict=True)
        }
        known |= {column: interval for column, interval in row.items() if interval is not None}
        ends = {
            end: [interval and getattr(interval, end) for interval in row.values()] for end in ("low", "high")
        }
        lines.append(line | ends)
    if not known:
        return block
    several = len(columns) > 1
    named = [f"{column} " * several + interval.method for column, interval in known.items()]
    level = percent(next(iter(known.values())).level)
    return block | {"lines": lines, "intervals": f"{level} intervals ({', '.join(named)})"}


def interval_at(intervals: Placed, place: tuple[str, str, str], value: Any) -> Interval | None:
    """The interval of a value; none if it is of another one, as where undefined ones were left out of an average."""
    known = intervals.get(place)
    return known if known is not None and math.isclose(known.estimate, value, abs_tol=1e-12) else None


def blocks_from(section: Mapping[str, Any]) -> list[Block]:
    """The blocks of a section's sheet again, with the bounds of their values."""
    return [
        Block(block["title"], tuple(block["heading"]), tuple(map(_line, block["lines"])))
        for block in section.get("blocks", ())
    ]


def _line(line: Mapping[str, Any]) -> Line:
    values: list[Cell] = []
    for value in line["values"]:
        if isinstance(value, str) and value not in ("inf", "-inf"):
            values.append(value)
            continue
        value = as_float(value) if value is None or isinstance(value, str) else value
        kind = AtMost if "at most" in line else Threshold if "exact" in line else float
        values.append(value if kind is float else kind(value))
    ends = [_ends(*pair) for pair in zip(line["low"], line["high"], strict=True)] if "low" in line else ()
    return Line(line["name"], tuple(values), line["best"], tuple(ends))


def _ends(low: Any, high: Any) -> tuple[float, float] | None:
    low, high = as_float(low), as_float(high)
    return None if low != low or high != high else (low, high)


def gates(section: Mapping[str, Any], short: Mapping[str, str] | None = None) -> list[Block]:
    """The gates, if there are any; `short` are other names of systems."""
    if not section.get("gates"):
        return []
    from precall.infer.compare.gating import gate_from
    from precall.sheet.gates import gate_blocks

    renamed = short or {}
    told = (
        fact | {name: renamed.get(fact[name], fact[name]) for name in ("a", "b")} for fact in section["gates"]
    )
    return list(gate_blocks(tuple(map(gate_from, told))))


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
    best = tuple(measure["best"] or 0 for measure in measures) if section.get("comparable", True) else ()
    heading = ("system", *(measure["name"] for measure in measures), "topics")
    return Block("", heading, tuple(lines), best=best)


def _pairs_of_systems(
    section: Mapping[str, Any], minus: str = "-"
) -> Iterator[tuple[str, int, list[float], bool]]:
    """Name, measure (by its place), difference, bounds and p, and whether it is significant."""
    pairs, systems = section["pairs"], section["systems"]
    columns = zip(*(numbers(pairs[name]).tolist() for name in PAIR), strict=True)
    whole = zip(pairs["a"], pairs["b"], pairs["measure"], columns, pairs["significant"], strict=True)
    for a, b, place, values, significant in whole:
        yield f"{systems[a]} {minus} {systems[b]}", place, list(values), bool(significant)


def pairs_of_systems(section: Mapping[str, Any], minus: str = "-") -> dict[int, Block]:
    """A block of all pairs for each measure, by its place; `minus` stands between two names."""
    pairs = section.get("pairs")
    if not pairs:
        return {}
    corrected = is_corrected(pairs)
    lines: dict[int, list[Line]] = {}
    for name, place, values, significant in _pairs_of_systems(section, minus):
        lines.setdefault(place, []).append(Line(name, _pair(values, significant, corrected)))
    return {
        place: Block("", _heading(measure, corrected), tuple(lines[place]))
        for place, measure in enumerate(pairs["compared"])
        if place in lines
    }


def is_corrected(pairs: Mapping[str, Any]) -> bool:
    """Whether any p was changed by a correction."""
    p, adjusted = (numbers(pairs[name]).tolist() for name in ("p", "adjusted"))
    return bool(p != adjusted)


def _pair(values: Sequence[float], significant: bool, corrected: bool) -> tuple[Cell, ...]:
    *difference, p, adjusted = values
    last = [p_text(p), p_text(adjusted)] if corrected else [p_text(p)]
    return (*difference, *last[:-1], last[-1] + "*" * significant)


def _heading(first: str, corrected: bool) -> tuple[str, ...]:
    return (first, "difference", "low", "high", "p", *["adjusted p"] * corrected)


def scores(section: Mapping[str, Any]) -> Block:
    """Scores and what is measured of them, with intervals."""
    systems = section["systems"]
    tuned = [MAX_F] * any(MAX_F in system["intervals"] for system in systems)
    lines = []
    for system in systems:
        counts = [as_float(system["measures"][name]) for name in _COUNTS]
        values: list[Cell] = [int(value) if value.is_integer() else Threshold(value) for value in counts]
        values += [as_float(system["measures"][name]) for name in _SCORED]
        known = [system["intervals"].get(name) for name in (*_COUNTS, *_SCORED, *tuned)]
        values += [known[-1] and as_float(known[-1]["estimate"]) for _ in tuned]
        ends = tuple(interval and _ends(interval["low"], interval["high"]) for interval in known)
        lines.append(Line(system["name"], tuple(values), 0, ends))
    best = (0,) * len(_COUNTS) + (1,) * len(_SCORED)
    return Block("", ("score", *_COUNTS, *_SCORED, *tuned), tuple(lines), best=best)


def pairs_of_scores(section: Mapping[str, Any]) -> list[Block]:
    """Differences of two scores of the same cases."""
    lines = []
    for pair in section["pairs"]:
        corrected = pair.get("correction", "none") != "none"
        values = _pair([as_float(pair[name]) for name in PAIR], bool(pair["significant"]), corrected)
        name = f"{pair['measure']}: {pair['a']} - {pair['b']}"
        lines.append(Line(name, (*values, f"{pair['test']}, {pair['how']}")))
    return [Block("", (*_heading("comparison", corrected), "test"), tuple(lines))] if lines else []


def p_words(distribution: Mapping[str, Any]) -> str:
    """p as a sentence has it: "p = ...", or "p <= ..." where that is all that is known."""
    return describe_p(as_float(distribution["p"]), bool(distribution["bound"]))


def p_column(distribution: Mapping[str, Any]) -> str:
    """The same below a heading that says p: the number alone, or "<= ..."."""
    return f"{'<= ' if distribution['bound'] else ''}{as_float(distribution['p']):.4g}"


def p_method(distribution: Mapping[str, Any]) -> str:
    """How p was computed, beside a column that says p."""
    if "error" not in distribution:
        return str(distribution["method"])
    return describe_method(
        distribution["method"], as_float(distribution["error"]), bool(distribution["bound"])
    )


def far_from_chance(distribution: Mapping[str, Any]) -> str:
    """What is observed, in a sentence, where a picture would show a spike far away; empty where it would show more.

    Examples
    --------
    >>> facts = {"observed": 0.9, "chance": 0.1, "deviation": 0.01, "p": 1e-12, "bound": True}
    >>> distribution = {"system": "a", "measure": "AP", **facts}
    >>> far_from_chance(distribution | {"x": [0.05, 0.1, 0.15], "height": [0.1, 9.0, 0.1]})
    'a: AP 0.9000, by chance 0.1000 with a standard deviation of 0.0100: 80 standard deviations above it, p <= 1e-12.'
    >>> far_from_chance(distribution | {"x": [0.05, 0.1, 0.95], "height": [0.1, 9.0, 1.0]})
    ''
    """
    x, height = numbers(distribution["x"]), numbers(distribution["height"])
    observed, chance, deviation = (as_float(distribution[name]) for name in _CHANCE)
    subject = f"{distribution['system']}: {distribution['measure']} {number(observed)}"
    if not deviation:
        return f"{subject}, as in every order of the same items."
    seen = x[height > _SEEN * height.max()]
    whole = max(x.max(), observed) - min(x.min(), observed)
    if len(seen) == 0 or seen[-1] - seen[0] > _SPIKE * whole:
        return ""
    away = (observed - chance) / deviation
    side = f"{abs(away):.0f} standard deviations {'above' if away > 0 else 'below'} it"
    by_chance = f"by chance {number(chance)} with a standard deviation of {number(deviation)}"
    return f"{subject}, {by_chance}: {side}, {p_words(distribution)}."


def _random_selection(section: Mapping[str, Any]) -> list[Block]:
    lines = []
    for distribution in section.get("laws", ()):
        values = [as_float(distribution[name]) for name in _CHANCE]
        lines.append(
            Line(f"{distribution['measure']}: {distribution['system']}", (*values, p_column(distribution)))
        )
    return [Block("", ("random selection", *_CHANCE, "p"), tuple(lines))] if lines else []


def _tables(section: Mapping[str, Any]) -> list[Block]:
    """All tables of a section; those of topics are in csv and json."""
    blocks = blocks_from(section)
    if section["kind"] == "systems":
        blocks = [*gates(section), averages(section), *pairs_of_systems(section).values()]
    if section["kind"] == "curves":
        blocks = [scores(section), *pairs_of_scores(section), *blocks]
    return [*blocks, *_random_selection(section)]


def sheet_of(record: Record) -> Sheet:
    """What a page holds, as other commands say it.

    Examples
    --------
    >>> from precall.page.record import Sentence, record
    >>> print(str(sheet_of(record("Nothing", [Sentence("There is nothing.")], [], []))).splitlines()[0])
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
        tuple(block for section in sections for block in _tables(section)),
        (*(Headline("", sentence["text"]) for sentence in record["headline"]), *map(restored, record["notes"])),
        record, COLUMNS, tuple(tidy),
    )  # fmt: skip


def _conventions(section: Mapping[str, Any]) -> dict[str, str]:
    """What the numbers of a section rest on, of its comparisons too, the seed among them."""
    parts = [part.partition(" ") for part in section.get("signature", "").split(" | ")]
    told = {name: text for name, _, text in parts if name}
    pairs = section.get("pairs") if section["kind"] == "systems" else None
    return told | pairs["conventions"] if pairs else told


def _rows(section: Mapping[str, Any]) -> Iterator[Row]:
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
        for system in section.get("systems", ()):
            for measure, interval in system.get("intervals", {}).items():
                yield from _statistics(system["name"], measure, interval, ("estimate", "low", "high"))
        for pair in section.get("pairs", ()) if section["kind"] == "curves" else ():
            yield from _statistics(f"{pair['a']} - {pair['b']}", pair["measure"], pair, PAIR[:-1])
    for distribution in section.get("laws", ()):
        yield from _statistics(distribution["system"], distribution["measure"], distribution, _CHANCE)
        p = "p, upper bound" if distribution.get("bound") else "p"
        yield distribution["system"], None, distribution["measure"], p, as_float(distribution["p"])


def _statistics(
    name: str, measure: str, given: Mapping[str, Any], statistics: Sequence[str]
) -> Iterator[Row]:
    for statistic in statistics:
        yield name, None, measure, statistic, as_float(given[statistic])


def _rows_of_systems(section: Mapping[str, Any]) -> Iterator[Row]:
    parts = {"mean": section["mean"]}
    parts |= {end: section["interval"][end] for end in ("low", "high")} if section["interval"] else {}
    for place, system in enumerate(section["systems"]):
        for i, measure in enumerate(section["measures"]):
            for statistic, columns in parts.items():
                yield system, None, measure["name"], statistic, float(numbers(columns[place])[i])
            values = numbers(section["values"][i][place]).tolist()
            for topic, value in zip(section["topics"], values, strict=True):
                yield system, topic, measure["name"], "value", value
    for gate in section.get("gates", ()):
        for statistic, value in (("gain", gate["value"]), ("p", gate["p"]), ("passed", int(gate["passed"]))):
            yield f"{gate['a']} - {gate['b']}", None, gate["measure"], f"gate, {statistic}", as_float(value)
    if pairs := section.get("pairs"):
        for name, place, values, _ in _pairs_of_systems(section):
            for statistic, value in zip(PAIR, values, strict=True):
                yield name, None, pairs["compared"][place], statistic, value
