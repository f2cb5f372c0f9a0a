"""Comparisons → a sheet: means with letters, then every pair with its difference, interval, p and mark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from precall.infer.compare.comparisons import Comparison, Comparisons, p_text
from precall.sheet.sheets import Block, Cell, Line, Sheet, Threshold, describe_conventions
from precall.sheet.verdicts import sentence, verdict

if TYPE_CHECKING:
    from precall.infer.compare.anova import Anova
    from precall.infer.compare.gate import Gate
    from precall.infer.compare.planning import Plan
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
    return Sheet(
        FORMAT,
        dict(found.conventions),
        tuple(blocks),
        tuple(notes),
        body,
        COLUMNS,
        tuple(tidy),
        verdict(found),
    )


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


def plan_sheet(found: Plan) -> Sheet:
    """The sheet of a plan: a table for each design."""
    rows = [(title, name, value) for title, lines in found.designs.items() for name, value in lines.items()]
    blocks = tuple(
        Block("", (title, "value"), tuple(Line(name, (value,)) for name, value in lines.items()))
        for title, lines in found.designs.items()
    )
    said = describe_conventions(power=f"{found.power:g}", level=f"{found.level:g}")
    said |= {} if found.seed is None else {"seed": str(found.seed)}
    body = {"designs": {title: dict(lines) for title, lines in found.designs.items()}}
    return Sheet("precall.power/1", said, blocks, (), body, ("design", "quantity", "value"), tuple(rows))


def anova_sheet(found: Anova) -> Sheet:
    """The sheet of an analysis of variance."""
    rows = [(source, *row.values()) for source, row in found.to_dict().items()]
    columns = ("source", "sum", "freedom", "square", "f", "p")
    return Sheet(
        "precall.anova/1", describe_conventions(), (_variance("source", found),), (), dict(found.to_dict()), columns,
        tuple(rows),
    )  # fmt: skip


def _means(measure: str, means: Mapping[str, float], found: Comparisons) -> Block:
    letters = found.letters.get(measure, {})
    lines = [Line(name, (value, *([letters[name]] if letters else []))) for name, value in means.items()]
    return Block("", (measure, "mean", *(["letters"] if letters else [])), tuple(lines))


def _variance(measure: str, found: Anova) -> Block:
    """The two-way analysis of variance."""
    heading = (
        f"{measure}, ANOVA" if measure != "source" else measure,
        "sum of squares",
        "df",
        "mean square",
        "F",
        "p",
    )
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
    facts = one.to_dict() | {"topic": "all", "adjusted_p": one.adjusted, "significant": int(one.significant)}
    return tuple(facts[name] for name in COLUMNS)


def _topics(report: Report) -> dict[str, dict[str, dict[str, float]]]:
    """Measure → topic → run → value, as compared."""
    from precall.compared_runs import topic_values

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
