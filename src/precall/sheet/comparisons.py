"""Comparisons → a sheet: means with letters, then every pair with its difference, interval, p and mark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from precall.infer.compare.comparisons import Comparison, Comparisons, p_text
from precall.sheet.sheets import Block, Cell, Line, Sheet, Threshold

if TYPE_CHECKING:
    from precall.infer.compare.anova import Anova
    from precall.infer.compare.gate import Gate
    from precall.results import Report

FORMAT = "precall.compare/1"
COLUMNS = ("measure", "topic", "a", "b", "value_a", "value_b", "difference", "low", "high", "p", "adjusted_p",
           "significant", "size", "wins", "ties", "losses", "effect", "superiority", "statistic", "left_out", "test", "how",
           "alternative", "correction", "level", "seed")  # fmt: skip


def compare_sheet(found: Comparisons, report: Report | None = None, gates: Sequence[Gate] = ()) -> Sheet:
    """The sheet of several runs compared; with a report also the values of each topic.

    Examples
    --------
    >>> from precall.infer.compare.many import many
    >>> sheet = compare_sheet(many({"x": [0.5, 0.7, 0.9], "y": [0.4, 0.5, 0.8]}, measure="AP"))
    >>> sheet.blocks[1].lines[0].name, sheet.blocks[1].lines[0].values[3]
    ('x - y', '0.250')
    """
    blocks: list[Block] = []
    tidy: list[tuple[Cell, ...]] = []
    topics = _topics(report) if report is not None else {}
    for measure, means in found.means.items():
        pairs = [one for one in found.pairs if one.measure == measure]
        if measure in topics:
            blocks.append(_per_topic(measure, topics[measure]))
            tidy += [row for one in pairs for row in _topic_rows(one, topics[measure])]
        blocks.append(_means(measure, means, found))
        if measure in found.anova:
            blocks.append(_variance(measure, found.anova[measure]))
        blocks.append(pairs_block(measure, pairs))
        tidy += [pair_row(one) for one in pairs]
    # The sheet has the notes, with those of the gates.
    body: dict[str, Any] = {key: value for key, value in found.to_dict().items() if key != "notes"} | {
        "gates": [
            {"a": one.names[0], "b": one.names[1], "measure": one.measure, "margin": one.margin,
             "passed": one.passed, "p": one.p, "text": one.text, "notes": list(one.notes)}
            for one in gates
        ],
    }  # fmt: skip
    if topics:
        body["topics"] = topics
    notes = [*found.notes, *map(str, gates)]
    notes += [
        note for note in dict.fromkeys(said for one in gates for said in one.notes) if note not in found.notes
    ]
    if found.significant:
        notes.insert(0, "* significant: adjusted p at most 1 - level")
    return Sheet(FORMAT, dict(found.conventions), tuple(blocks), tuple(notes), body, COLUMNS, tuple(tidy))


def sentence(pair: Comparison, first: str, size: str) -> str:
    """One comparison in words, from the side of `first`; differences are positive where it is better.

    Examples
    --------
    >>> from precall import compare
    >>> found = compare.paired([0.5, 0.7, 0.9, 0.4], [0.4, 0.5, 0.9, 0.3], names=("A", "B"), measure="AP")
    >>> sentence(found, "B", "4 topics")
    'No significant difference in AP between B and A: -0.1000 [-0.2299, 0.0299], randomization p = 0.250, 4 topics.'
    """
    second = pair.names[1] if first == pair.names[0] else pair.names[0]
    sign = (1 if first == pair.names[0] else -1) * (1 if pair.higher_is_better else -1)
    # + 0.0: no minus before a zero.
    gain = sign * pair.difference + 0.0
    ends = (
        []
        if pair.low is None or pair.high is None
        else sorted((sign * pair.low + 0.0, sign * pair.high + 0.0))
    )
    p = f"{pair.test} p = {p_text(pair.p)}"
    if pair.correction != "none" and pair.adjusted != pair.p:
        p += f" ({pair.correction}-adjusted {p_text(pair.adjusted)})"
    if gain < 0 and pair.significant:
        ends = [-end for end in reversed(ends)]
    between = f" [{ends[0]:.4f}, {ends[1]:.4f}]" if ends else ""
    if not pair.significant:
        return (
            f"No significant difference in {pair.measure} between {first} and {second}: {gain:+.4f}{between}, "
            f"{p}, {size}."
        )
    verb = "beats" if gain > 0 else "loses to"
    return f"{first} {verb} {second} in {pair.measure} by {abs(gain):.4f}{between}, {p}, {size}."


def comparison_sheet(found: Comparison) -> Sheet:
    """The sheet of two systems compared."""
    said = {"test": found.test, "p": found.how, "alternative": found.alternative, "level": f"{found.level:g}"}
    notes = [*found.notes, *(["* significant: p at most 1 - level"] if found.significant else [])]
    body = {"pairs": [{key: value for key, value in found.to_dict().items() if key != "notes"}]}
    better = found.names[found.difference * (1 if found.higher_is_better else -1) < 0]
    return Sheet(
        FORMAT, said, (pairs_block(found.measure, [found]),), tuple(notes), body, COLUMNS, (pair_row(found),),
        sentence(found, better, f"{found.size} pairs") if found.p == found.p else "",
    )  # fmt: skip


def _means(measure: str, means: Mapping[str, float], found: Comparisons) -> Block:
    letters = found.letters.get(measure, {})
    lines = [Line(name, (value, *([letters[name]] if letters else []))) for name, value in means.items()]
    return Block("", (measure, "mean", *(["letters"] if letters else [])), tuple(lines))


def _variance(measure: str, found: Anova) -> Block:
    """The two-way analysis of variance."""
    heading = (f"{measure}, ANOVA", "sum of squares", "df", "mean square", "F", "p")
    lines = [
        Line(name, (
            Threshold(f"{row['sum']:.4g}"), row["freedom"], Threshold(f"{row['square']:.4g}"),
            *((None, None) if row["p"] is None else (row["f"], p_text(row["p"]))),
        ))
        for name, row in found.to_dict().items()
    ]  # fmt: skip
    return Block("", heading, tuple(lines))


def pairs_block(measure: str, pairs: Sequence[Comparison]) -> Block:
    """One line per pair."""
    corrected = any(one.correction != "none" for one in pairs)
    heading = (measure, "difference", "low", "high", "p", *(["adjusted p"] if corrected else []), "w-t-l")
    return Block("", heading, tuple(_pair(one, corrected) for one in pairs))


def _p(one: Comparison) -> str:
    """p, or why there is none."""
    if one.p == one.p:
        return p_text(one.p)
    return f"undef ({one.how.removeprefix('undefined: ')})"


def _interval(one: Comparison) -> tuple[Cell, Cell]:
    """The bounds, or why there are none."""
    return (f"none ({one.no_interval})", None) if one.no_interval else (one.low, one.high)


def _pair(one: Comparison, corrected: bool) -> Line:
    mark = "*" * one.significant
    values: tuple[Cell, ...] = (
        one.difference, *_interval(one),
        *([_p(one), p_text(one.adjusted) + mark] if corrected else [_p(one) + mark]),
        f"{one.wins}-{one.ties}-{one.losses}",
    )  # fmt: skip
    return Line(f"{one.names[0]} - {one.names[1]}", values)


def pair_row(one: Comparison) -> tuple[Cell, ...]:
    """A pair as a row of csv."""
    return (
        one.measure, "all", *one.names, *one.values, one.difference, one.low, one.high, one.p, one.adjusted,
        int(one.significant), one.size, one.wins, one.ties, one.losses, one.effect, one.superiority, one.statistic,
        one.left_out, one.test, one.how, one.alternative, one.correction, one.level, one.seed,
    )  # fmt: skip


def _topics(report: Report) -> dict[str, dict[str, dict[str, float]]]:
    """Measure → topic → run → value, as compared."""
    from precall.comparison import topic_values

    found: dict[str, dict[str, dict[str, float]]] = {}
    for line, measure in enumerate(report.measures):
        label = f"log {measure}" if report.aggregates[line] == "geometric" else measure
        for run, values in topic_values(report, measure).items():
            for topic, value in values.items():
                found.setdefault(label, {}).setdefault(topic, {})[run] = value
    return found


def _per_topic(measure: str, topics: dict[str, dict[str, float]]) -> Block:
    runs = list(dict.fromkeys(run for values in topics.values() for run in values))
    lines = [Line(topic, tuple(values.get(run) for run in runs)) for topic, values in topics.items()]
    return Block("", (f"{measure}, topic", *runs), tuple(lines))


def _topic_rows(one: Comparison, topics: dict[str, dict[str, float]]) -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = []
    for topic, values in topics.items():
        if all(name in values for name in one.names):
            a, b = (values[name] for name in one.names)
            rows.append((one.measure, topic, *one.names, a, b, a - b, *[None] * (len(COLUMNS) - 7)))
    return rows


def with_cases(sheet: Sheet, pairs: Sequence[Comparison]) -> Sheet:
    """A sheet of curves with comparisons of two of its scores."""
    from dataclasses import replace

    lines = tuple(
        Line(
            f"{one.measure}: {one.names[0]} - {one.names[1]}",
            (one.difference, *_interval(one), _p(one) + "*" * one.significant, one.test),
        )
        for one in pairs
    )
    block = Block("", ("comparison", "difference", "low", "high", "p", "test"), lines)
    tidy = [
        (f"{one.names[0]} - {one.names[1]}", "", f"compare {one.measure}", name, None, value)
        for one in pairs
        for name, value in (
            ("difference", one.difference),
            ("low", one.low),
            ("high", one.high),
            ("p", one.p),
        )
    ]
    said = list(dict.fromkeys(f"{one.measure}: {note}" for one in pairs for note in one.notes))
    marked = [one for one in pairs if one.significant]
    said += [f"* significant: p at most {1 - marked[0].level:.3g}"] if marked else []
    body = sheet.body | {"comparisons": [one.to_dict() for one in pairs]}
    return replace(
        sheet,
        blocks=(*sheet.blocks, block),
        notes=(*sheet.notes, *said),
        body=body,
        tidy=(*sheet.tidy, *tidy),
    )
