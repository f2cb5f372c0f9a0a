"""Sheets of comparisons: the verdict, means with letters, and every pair with its interval and
p.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from precall.core.conventions import describe_conventions
from precall.core.notes import Note, iterate_notes, notes_of
from precall.core.notes.of_comparisons import (
    DifferencesAlike,
    ErrorOfRuns,
    SharedLetters,
    StarOfBaseline,
    StarOfSignificance,
)
from precall.core.text import WIDTH, columns_of, many, number
from precall.core.vocabulary import RUNS, Vocabulary, vocabulary_of
from precall.results.blocks import (
    Block,
    Cell,
    Line,
    Paper,
    Threshold,
    block_of_values,
    lines_of,
    show_cell,
)
from precall.results.notes_of_rows import NOTES, add_notes, join_notes
from precall.results.sheets import Sheet
from precall.stats.tests.comparisons import (
    Comparison,
    Comparisons,
    bounds_in_words,
    data_of_pair,
    p_text,
)
from precall.stats.tests.verdict import (
    BETTER,
    NOT_SHOWN,
    WORSE,
    Standing,
    count_units,
    summary,
)

if TYPE_CHECKING:
    from precall.evaluation.report import Report
    from precall.results.layout import Layout
    from precall.stats.tests.comparisons import Anova
    from precall.stats.tests.equivalence import Gate
    from precall.stats.tests.joint_posteriors import Better
    from precall.stats.tests.planning import Plan
    from precall.stats.tests.verdict import Verdict

#: What detailed tables add.
_PAIRS = "each pair with its interval"
_EFFECTS = "effect sizes"
#: Outcomes that tables print in other words than data have.
_OUTCOMES = {NOT_SHOWN: "not significantly different"}
COLUMNS = (
    "measure",
    "topic",
    "a",
    "b",
    "value_a",
    "value_b",
    "difference",
    "low",
    "high",
    "p",
    "adjusted_p",
    "significant",
    "size",
    "wins",
    "ties",
    "losses",
    "effect",
    "superiority",
    "statistic",
    "left_out",
    "test",
    "how",
    "interval",
    "alternative",
    "correction",
    "level",
    "seed",
    NOTES,
)


def compare_sheet(
    compared: Comparisons, report: Report | None = None, gates: Sequence[Gate] = ()
) -> Sheet:
    """The sheet of a comparison of several runs; with a report also the values of each topic. The
    short answer has the verdicts and one table; details are all pairs, and analyses of variance.
    """
    verdicts, words = compared.verdicts, vocabulary_of(compared.conventions)
    # The best by the first measure stands first.
    order = next((list(verdict.means) for verdict in verdicts.values()), compared.names)
    heads = {measure: compared.head_of(measure) for measure in compared.means}
    gate_tables = _gate_blocks(gates)
    blocks = [*_means(compared, order, heads), *_seeds(compared, order), *gate_tables]
    tidy: list[tuple[Cell, ...]] = []
    topics = _topics(report) if report is not None else {}
    for measure, pairs in compared.families.items():
        label, head = pairs[0].measure, pairs[0].label
        if label in topics:
            blocks.append(_per_topic(head, topics[label], words.word("topic")))
            tidy += [row for pair in pairs for row in _topic_rows(pair, topics[label])]
        if len(compared.names) > 2:
            blocks.append(replace(pairs_block(head, pairs), detail=_PAIRS, legends=_star(pairs)))
        if measure in compared.anova:
            anova = _variance(head, compared.anova[measure], words)
            blocks.append(replace(anova, detail="analysis of variance"))
        tidy += [pair_row(pair, pair.own_notes) for pair in pairs]
    blocks += _of_groups(compared, order)
    blocks += _effects(compared, heads)
    better = _better(compared)
    blocks += _posterior_blocks(compared, better)
    tidy += [row for posterior in better for row in _posterior_rows(compared, posterior)]
    # The body has no notes: the sheet has them, with those of the gates.
    body = _without_notes(compared)
    if compared.groups:
        body["groups"] = {name: _without_notes(each) for name, each in compared.groups.items()}
    body |= {"gates": _facts(gates)} | ({"topics": topics} if topics else {})
    common_notes: list[Note] = [*compared.notes, *_gate_notes(gates, compared.notes)]
    notes: list[Note] = []
    if compared.posteriors is not None and better:
        joint = compared.posteriors.sheet()
        body["posteriors"] = [
            row for row in joint.body["measures"] if row["measure"] in compared.means
        ]
        blocks[-1] = replace(blocks[-1], legends=tuple(iterate_notes(joint.notes[:1])))
    notes += [note for block in blocks for note in block.legends]
    notes += common_notes
    of_several = _without_those_of_pairs(common_notes, compared.pairs)
    return Sheet(
        "precall.compare/2",
        dict(compared.conventions),
        tuple(blocks),
        tuple(dict.fromkeys(notes)),
        body,
        (*COLUMNS, *["group"] * bool(compared.groups)),
        _rows_of_groups(add_notes(tidy, COLUMNS.index(NOTES), of_several), compared),
        "\n".join([*_verdict_of_gates(gates), *summary(verdicts.values())]),
        paper=partial(_paper, compared, tuple(blocks)),
    )


def _gate_notes(gates: Sequence[Gate], known: Sequence[Note]) -> list[Note]:
    """Notes on why each gate passed or failed, and the notes of the gates."""
    if not gates:
        return []
    from precall.stats.tests.gate_sheet import decisions_of
    from precall.stats.tests.gating import notes_of_gates

    return [*decisions_of(gates), *notes_of_gates(gates, known)]


def _gate_blocks(gates: Sequence[Gate]) -> tuple[Block, ...]:
    if not gates:
        return ()
    from precall.stats.tests.gate_sheet import told_blocks

    return told_blocks(tuple(gates))


def _verdict_of_gates(gates: Sequence[Gate]) -> list[str]:
    if not gates:
        return []
    from precall.stats.tests.gating import Gates

    return [Gates(tuple(gates)).verdict]


def _star(pairs: Sequence[Comparison]) -> tuple[Note, ...]:
    """The note on the meaning of the star at p, if any pair has one."""
    if not (significant := [pair for pair in pairs if pair.significant]):
        return ()
    adjusted = any(pair.correction != "none" for pair in significant)
    return (StarOfSignificance("", adjusted, 1 - significant[0].level),)


def _means(compared: Comparisons, order: Sequence[str], heads: Mapping[str, str]) -> list[Block]:
    """The table of the short answer: for two systems a line for each measure with the difference
    and p; for several the means, with letters, or with stars beside the baseline.
    """
    corner = _corner(compared)
    if len(compared.names) == 2:
        return [_two_systems(compared, corner, heads)]
    marks, legends = _marks_of(compared)
    return [replace(_systems(order, compared.means, marks, heads, corner), legends=legends)]


#: Marks by measure and system, and what they mean.
Marks: TypeAlias = tuple[Mapping[str, Mapping[str, str]], tuple[Note, ...]]


def _marks_of(compared: Comparisons) -> Marks:
    """Letters beside means, or stars of systems that differ from the baseline."""
    first = compared.pairs[0]
    adjusted, most = first.correction != "none", 1 - first.level
    base = compared.conventions.get("baseline")
    marks: Mapping[str, Mapping[str, str]] = compared.letters
    legends: tuple[Note, ...] = (SharedLetters("", adjusted, most),) * bool(marks)
    if base is not None:
        marks = {
            measure: {
                each.system: "*" * (each.outcome in (BETTER, WORSE)) for each in verdict.standings
            }
            for measure, verdict in compared.verdicts.items()
        }
        has_stars = any("*" in stars.values() for stars in marks.values())
        legends = (StarOfBaseline("", base, adjusted, most),) * has_stars
    return marks, legends


def _of_groups(
    compared: Comparisons,
    order: Sequence[str],
    marks_of: Callable[[Comparisons], Marks] = _marks_of,
) -> Iterator[Block]:
    """For each measure the groups of topics: of two systems with the difference and p, of several
    with means and their marks; then each pair as a detail.
    """
    marked = {group: marks_of(each) for group, each in compared.groups.items()}
    legends = tuple(dict.fromkeys(note for _, notes in marked.values() for note in notes))
    for measure, means in compared.means.items():
        head = compared.head_of(measure)
        parts = {
            group: (each.families[measure], each.means[measure], marked[group][0].get(measure, {}))
            for group, each in compared.groups.items()
        }
        if not parts:
            return
        every = [pair for pairs, _, _ in parts.values() for pair in pairs]
        title, heading = f"groups of {compared.unit}", (head, compared.unit)
        if len(means) == 2:
            # The adjusted p alone: that of a group before is among the data.
            lines = []
            for group, ((pair,), of_group, _) in parts.items():
                turned = pair if pair.names == compared.names else pair.swap()
                *gap, _, p = _pair(turned, True, True, False).values
                values = (pair.size, *(of_group[name] for name in compared.names), *gap, p)
                lines.append(Line(group, values))
            columns = (*compared.names, "difference", "low", "high", "adjusted p")
            yield Block(title, (*heading, *columns), tuple(lines), legends=_star(every))
            continue
        lines = [
            Line(
                group,
                (pairs[0].size, *(of_group[name] for name in order)),
                marks=("", *(marks.get(name, "") for name in order)),
            )
            for group, (pairs, of_group, marks) in parts.items()
        ]
        yield Block(title, (*heading, *order), tuple(lines), legends=legends)
        detailed = [
            line._replace(name=group, values=(line.name, *line.values))
            for group, (pairs, _, _) in parts.items()
            for pair in pairs
            for line in [_pair(pair, True, True, False)]
        ]
        columns = ("pair", "difference", "low", "high", "p", "adjusted p")
        yield Block(
            title,
            (head, *columns),
            tuple(detailed),
            left=2,
            detail=_PAIRS,
            legends=_star(every),
        )


def _rows_of_groups(
    rows: tuple[tuple[Cell, ...], ...], compared: Comparisons
) -> tuple[tuple[Cell, ...], ...]:
    """Rows of all topics and of each group, whose name is in the last column; without groups there
    is no such column.
    """
    if not compared.groups:
        return rows
    of_groups = (
        (*pair_row(pair, pair.own_notes), group)
        for group, each in compared.groups.items()
        for pair in each.pairs
    )
    return (*((*row, None) for row in rows), *of_groups)


def _seeds(compared: Comparisons, order: Sequence[str]) -> Iterator[Block]:
    """For each measure the systems with their means over topics and runs, and where the error comes
    from.
    """
    columns = ("runs", "mean", "error", "sd topics", "sd runs", "share of runs")
    for measure, by_system in compared.seeds.items():
        lines = []
        for name in order:
            found = by_system[name]
            of_several = (found.sd_runs, found.share_of_runs)
            values = (
                len(found.runs),
                found.mean,
                found.error,
                found.sd_topics,
                *(of_several if len(found.runs) > 1 else (None, None)),
            )
            ends = None if found.low is None or found.high is None else (found.low, found.high)
            lines.append(Line(name, values, ends=(None, ends, *[None] * (len(values) - 2))))
        head = compared.families[measure][0].label
        yield Block("", (head, *columns), tuple(lines), legends=(ErrorOfRuns(""),))


def _corner(compared: Comparisons) -> str:
    """What the values of the table are, with the number of topics or items."""
    sizes = sorted({pair.size for pair in compared.pairs})
    size = count_units(sizes[-1], compared.unit)
    size = size if len(sizes) == 1 else f"{sizes[0]} to {size}"
    return f"{'mean' if compared.unit in ('topics', 'queries') else 'value'}, {size}"


def _two_systems(compared: Comparisons, corner: str, heads: Mapping[str, str]) -> Block:
    """A line for each measure: both values, their difference with its interval, and p."""
    pairs = [
        pair if pair.names == compared.names else pair.swap()
        for pair, *_ in compared.families.values()
    ]
    has_correction = any(pair.correction != "none" for pair in pairs)
    has_bounds = any(pair.low is not None or pair.no_interval for pair in pairs)
    lines = []
    for (measure, means), pair in zip(compared.means.items(), pairs, strict=True):
        # Of a geometric mean logarithms are compared, and the name of the line says so.
        of = f" (difference: {pair.label})" if pair.measure != measure else ""
        compared_values = _pair(pair, has_bounds, has_correction, has_counts=False).values
        values = (*(means[name] for name in compared.names), *compared_values)
        lines.append(Line(f"{heads.get(measure, measure)}{of}", values))
    rest = [*["low", "high"] * has_bounds, "p", *["adjusted p"] * has_correction]
    heading: tuple[str, ...] = (corner, *compared.names, " - ".join(compared.names), *rest)
    a, b = compared.names
    title = ""
    if not _is_narrow(heading, lines):
        heading = (corner, f"{a} (A)", f"{b} (B)", "A - B", *rest)
    if not _is_narrow(heading, lines):
        title, heading = f"A is {a}, B is {b}", (corner, "A", "B", "A - B", *rest)
    return Block(title, heading, tuple(lines), legends=_star(pairs))


def _is_narrow(heading: Sequence[str], lines: Iterable[Line]) -> bool:
    """Whether a table is no wider than a terminal."""
    rows = [heading, *((line.name, *map(show_cell, line.values)) for line in lines)]
    sizes = [max(map(columns_of, column)) for column in zip(*rows, strict=True)]
    return sum(sizes) + 2 * (len(sizes) - 1) <= WIDTH


def _better(compared: Comparisons) -> list[Better]:
    """The posteriors of the measures that were compared."""
    posteriors = compared.posteriors
    return (
        []
        if posteriors is None
        else [posterior for posterior in posteriors.measures if posterior.name in compared.means]
    )


def _posterior_blocks(compared: Comparisons, better: Sequence[Better]) -> list[Block]:
    if not better:
        return []
    lines = tuple(
        Line(
            posterior.name,
            (
                posterior.a.mean,
                posterior.b.mean,
                posterior.paired.greater,
                posterior.independent.greater,
            ),
        )
        for posterior in better
    )
    return [
        Block("", ("posterior mean", *compared.names, "P(higher), same items", "own items"), lines)
    ]


def _posterior_rows(compared: Comparisons, posterior: Better) -> list[tuple[Cell, ...]]:
    """Rows of CSV; the probability that the first is higher is in the column of the share of
    wins.
    """
    facts: dict[str, Cell] = {
        "measure": posterior.name,
        "topic": "all",
        "a": compared.names[0],
        "b": compared.names[1],
        "value_a": posterior.a.mean,
        "value_b": posterior.b.mean,
        "difference": posterior.difference,
        "level": posterior.level,
        "test": "posterior",
    }
    paired: dict[str, Cell] = {
        "low": posterior.low,
        "high": posterior.high,
        "how": posterior.paired.how,
        "superiority": posterior.paired.greater,
        "seed": posterior.paired.seed,
    }
    independent: dict[str, Cell] = {
        "how": posterior.independent.how,
        "superiority": posterior.independent.greater,
    }
    rows: list[dict[str, Cell]] = [{**facts, **more} for more in (paired, independent)]
    return [tuple(row.get(name) for name in COLUMNS) for row in rows]


def _without_notes(result: Comparison | Comparisons) -> dict[str, Any]:
    return {key: value for key, value in result.to_dict().items() if key != "notes"}


def _facts(gates: Sequence[Gate]) -> list[dict[str, Any]]:
    if not gates:
        return []
    from precall.stats.tests.gating import facts

    return list(map(facts, gates))


def comparison_sheet(pair: Comparison) -> Sheet:
    """The sheet of a comparison of two systems."""
    conventions = {
        "test": pair.test,
        "p": pair.how,
        "alternative": pair.alternative,
        "level": f"{pair.level:.12g}",
    }
    conventions |= {"ties": pair.equal_scores} if pair.equal_scores else {}
    conventions |= {} if pair.low is None else {"bounds": bounds_in_words({"": [pair]})}
    conventions |= {} if pair.seed is None else {"seed": str(pair.seed)}
    block = replace(pairs_block(pair.label, [pair]), legends=_star([pair]))
    notes = [*pair.notes, *block.legends]
    body = {"verdicts": {pair.measure: pair.verdict.to_dict()}, "pairs": [_without_notes(pair)]}
    return Sheet(
        "precall.compare/2",
        conventions,
        (block,),
        tuple(notes),
        body,
        COLUMNS,
        (pair_row(pair, pair.notes),),
        pair.verdict.text,
        paper=partial(_paper, pair, (block,)),
    )


def verdict_sheet(verdict: Verdict) -> Sheet:
    """The sheet of the verdict by one measure."""
    conventions = {
        "test": verdict.test,
        "correction": verdict.correction,
        "level": f"{verdict.level:.12g}",
    }
    conventions |= {"bounds": verdict.interval} if verdict.interval else {}
    columns = ("measure", *Standing._fields)
    lines = tuple(
        Line(
            f"{standing.system} - {standing.other}",
            (
                standing.difference,
                standing.low,
                standing.high,
                p_text(standing.p),
                _OUTCOMES.get(standing.outcome, standing.outcome),
            ),
        )
        for standing in verdict.standings
    )
    return Sheet(
        "precall.verdict/2",
        conventions,
        (
            _systems(
                list(verdict.means),
                {verdict.label: verdict.means},
                {verdict.label: verdict.letters},
            ),
            Block("", ("compared", "difference", "low", "high", "p", "outcome"), lines),
        ),
        verdict.notes,
        verdict.to_dict(),
        columns,
        tuple((verdict.scale or verdict.label, *standing) for standing in verdict.standings),
        verdict.text,
    )


def plan_sheet(plan: Plan) -> Sheet:
    """The sheet of a plan: a table for each design, or one with a column for each if their
    quantities are the same. What is known of the pilot is a detail.
    """
    designs = {title: dict(quantities) for title, quantities in plan.designs.items()}
    return Sheet(
        "precall.power/2",
        describe_conventions(power=f"{plan.power:g}", level=f"{plan.level:.12g}", seed=plan.seed),
        tuple(_design_blocks(designs)),
        plan.notes,
        {"designs": designs},
        ("design", "quantity", "value"),
        tuple((title, *row) for title, quantities in designs.items() for row in quantities.items()),
        "\n".join(_answer(title, plan) for title in designs),
    )


#: Quantities of a plan that are details: those of the pilot, and the error of the simulated power.
_OF_PILOT = ("pilot topics", "pilot difference", "its standard error")
_BY_RANDOMIZATION = "power of randomization"


def _design_blocks(designs: Mapping[str, Mapping[str, Cell]]) -> Iterator[Block]:
    """The quantities of designs, first those of the short answer. The power of randomization stands
    in both, as its standard error follows it.
    """
    of_answer = {
        title: {name: value for name, value in quantities.items() if name not in _OF_PILOT}
        for title, quantities in designs.items()
    }
    of_pilot = {
        title: {
            name: quantities[name]
            for name in (*_OF_PILOT[:-1], _BY_RANDOMIZATION, _OF_PILOT[-1])
            if name in quantities
        }
        for title, quantities in designs.items()
    }
    for group, detail in ((of_answer, ""), (of_pilot, "facts of the pilot")):
        names = [tuple(quantities) for quantities in group.values()]
        if len(names) > 1 and names[0] and len(set(names)) == 1:
            lines = tuple(
                Line(name, tuple(quantities[name] for quantities in group.values()))
                for name in names[0]
            )
            yield Block("", ("design", *group), lines, detail=detail)
            continue
        for title, quantities in group.items():
            if quantities:
                yield replace(block_of_values((title, "value"), quantities), detail=detail)


def _answer(title: str, plan: Plan) -> str:
    """What a design needs or detects, in sentences."""
    facts, power = plan.designs[title], f"with power {plan.power:g}"
    sentences = []
    if "topics needed" in facts:
        needed, difference = facts["topics needed"], facts["difference"]
        sentences.append(f"{needed} topics detect a difference of {difference:g} {power}")
    if "topics for the width" in facts:
        needed = facts["topics for the width"]
        sentences.append(f"{needed} topics give an interval of width {facts['width']:g}")
    sentences += _sizes(title, facts, power)
    noun = next((noun for noun in ("topics", "cases") if noun in facts), "items")
    size = many(int(facts.get(noun, 0)), noun.removesuffix("s"))
    if "power" in facts:
        sentences.append(f"with {size} the power is {number(facts['power'])}")
    elif "least difference detected" in facts:
        least = number(facts["least difference detected"])
        sentences.append(f"{size} detect differences of {least} or more {power}")
    # A plan from a pilot has the name of its measure.
    of = f"{title}, paired t test" if "pilot topics" in facts else title
    return f"{of}: {'; '.join(sentences)}."


def _sizes(title: str, facts: Mapping[str, float | int], power: str) -> Iterator[str]:
    """What the needed numbers of items, cases and patients do."""
    does = f"detect the difference {power}"
    if "margin" in facts:
        does = f"show that the first is not worse by {facts['margin']:g} {power}"
    elif "lowest" in facts:
        does = f"show a value above {facts['lowest']:g} {power}"
    elif title == "screen":
        relevant = facts["relevant items"]
        does = f"with {relevant} relevant ones are shown to be better than chance {power}"
    if "cases for the width" in facts:
        needed = facts["cases for the width"]
        yield f"{needed} cases give an interval of width {facts['width']:g}"
    if "items needed" in facts:
        yield f"{facts['items needed']} items {does}"
    if "cases needed" in facts:
        yield f"{facts['cases needed']} cases {does}"
    if "patients needed" in facts:
        yield f"{facts['patients needed']} patients have as many relevant cases on average"
    if "relevant cases needed" in facts:
        relevant, other = facts["relevant cases needed"], facts["other cases needed"]
        yield f"{relevant} relevant and {other} other cases {does}"


def anova_sheet(anova: Anova) -> Sheet:
    """The sheet of an analysis of variance."""
    rows = [(source, *row.values()) for source, row in anova.to_dict().items()]
    columns = ("source", "sum", "freedom", "square", "f", "p")
    return Sheet(
        "precall.anova/2",
        describe_conventions(),
        (_variance("source", anova),),
        anova.notes,
        dict(anova.to_dict()),
        columns,
        tuple(rows),
    )


def _systems(
    names: Sequence[str],
    means: Mapping[str, Mapping[str, float]],
    letters: Mapping[str, Mapping[str, str]],
    heads: Mapping[str, str] = MappingProxyType({}),
    corner: str = "mean",
) -> Block:
    """The block of systems with their mean by each measure and their letters."""
    return Block(
        "", (corner, *(heads.get(name, name) for name in means)), lines_of(names, means, letters)
    )


def _paper(result: Comparison | Comparisons, blocks: Sequence[Block], layout: Layout) -> Paper:
    """The table of a paper. Its caption explains its marks, so the legends of other tables are left
    out.
    """
    # Imported only here, because few results are printed as in papers.
    from precall.stats.tests.paper import marks_of_paper, paper_of, paper_of_pair

    if isinstance(result, Comparisons):
        paper = paper_of(result, layout)
    else:
        paper = paper_of_pair(result, layout)
    verdicts = result.verdicts.values() if isinstance(result, Comparisons) else [result.verdict]
    verdict = "\n".join(filter(None, (each.text for each in verdicts)))
    kinds = (ErrorOfRuns, SharedLetters, StarOfBaseline, StarOfSignificance)
    legends = (note for block in blocks for note in block.legends if isinstance(note, kinds))
    of_groups = [
        block
        for block in (
            _of_groups(result, result.names, lambda each: (marks_of_paper(each), ()))
            if isinstance(result, Comparisons)
            else ()
        )
        if not block.detail
    ]
    return paper._replace(
        blocks=(*paper.blocks, *of_groups), without=tuple(legends), verdict=verdict
    )


def _variance(measure: str, anova: Anova, words: Vocabulary = RUNS) -> Block:
    """The block of the two-way analysis of variance."""
    corner = f"{measure}, ANOVA" if measure != "source" else measure
    lines = [
        Line(
            words.word(name),
            (
                Threshold(f"{row['sum']:.4g}"),
                row["freedom"],
                Threshold(f"{row['square']:.4g}"),
                *((None, None) if row["p"] is None else (row["f"], p_text(row["p"]))),
            ),
        )
        for name, row in anova.to_dict().items()
    ]
    return Block("", (corner, "sum of squares", "df", "mean square", "F", "p"), tuple(lines))


def pairs_block(measure: str, pairs: Sequence[Comparison]) -> Block:
    """The block of comparisons, with one line per pair."""
    has_correction = any(pair.correction != "none" for pair in pairs)
    has_counts = any(pair.wins or pair.ties or pair.losses for pair in pairs)
    last_headings = ["adjusted p"] * has_correction + ["w-t-l"] * has_counts
    # Comparisons of decisions have bounds only if the caller asked for them.
    has_bounds = any(pair.low is not None or pair.no_interval for pair in pairs)
    lines = (_pair(pair, has_bounds, has_correction, has_counts) for pair in pairs)
    return Block(
        "",
        (measure, "difference", *["low", "high"] * has_bounds, "p", *last_headings),
        tuple(lines),
    )


def _effects(compared: Comparisons, heads: Mapping[str, str]) -> list[Block]:
    """The block of effect sizes, if there are any: of two systems by measure, with wins, ties and
    losses; of several by pair.
    """
    families = compared.families
    if not any(pair.wins or pair.ties or pair.losses for pair in compared.pairs):
        return []
    labels = [heads.get(measure, measure) for measure in families]
    if len(compared.names) == 2:
        lines = [
            Line(label, (f"{pair.wins}-{pair.ties}-{pair.losses}", pair.effect, pair.superiority))
            for label, (pair, *_) in zip(labels, families.values(), strict=True)
        ]
        heading: tuple[str, ...] = ("measure", "w-t-l", "effect size d", "superiority")
        detail = f"wins, ties and losses, {_EFFECTS}"
        return [Block("", heading, tuple(lines), detail=detail)]
    names = dict.fromkeys(pair.names for pairs in families.values() for pair in pairs)
    effects = [{pair.names: pair.effect for pair in pairs} for pairs in families.values()]
    lines = [Line(" - ".join(each), [by_pair.get(each) for by_pair in effects]) for each in names]
    return [Block("", ("effect size d", *labels), tuple(lines), detail=_EFFECTS)]


def _p(pair: Comparison) -> str:
    """p, or why there is none."""
    if pair.p == pair.p:
        return p_text(pair.p)
    return f"undef ({pair.method.undefined})"


def _interval(pair: Comparison, is_noted: bool = False) -> tuple[Cell, Cell]:
    """The bounds, or why there are none; a dash if a note beside the table may say why."""
    if not pair.no_interval:
        return pair.low, pair.high
    if is_noted and any(isinstance(note, DifferencesAlike) for note in iterate_notes(pair.notes)):
        return "-", "-"
    return f"none ({pair.no_interval})", None


def _pair(pair: Comparison, has_bounds: bool, has_correction: bool, has_counts: bool) -> Line:
    mark = "*" * pair.significant
    values: tuple[Cell, ...] = (
        pair.difference,
        *(_interval(pair, is_noted=not has_counts) if has_bounds else ()),
        *([_p(pair), p_text(pair.adjusted) + mark] if has_correction else [_p(pair) + mark]),
        *[f"{pair.wins}-{pair.ties}-{pair.losses}"] * has_counts,
    )
    return Line(f"{pair.names[0]} - {pair.names[1]}", values)


def pair_row(pair: Comparison, notes: Sequence[Note]) -> tuple[Cell, ...]:
    """A pair as a row of CSV, with the given notes."""
    facts = pair.to_dict() | {
        "measure": pair.label,
        "topic": "all",
        "adjusted_p": pair.adjusted,
        "significant": int(pair.significant),
        NOTES: join_notes(notes),
    }
    return tuple(facts[name] for name in COLUMNS)


def _without_those_of_pairs(notes: Iterable[Note], pairs: Iterable[Comparison]) -> list[Note]:
    """The notes that no row of a pair has; those of all have pairs and measures as context."""
    of_pairs = {
        (name, type(note), *note.facts.items())
        for pair in pairs
        for note in pair.own_notes
        for name in (*note.context, " - ".join(pair.names), pair.label, None)
    }
    return [
        note
        for note in iterate_notes(notes)
        if not any(
            (name, type(note), *note.facts.items()) in of_pairs for name in note.context or (None,)
        )
    ]


def _topics(report: Report) -> dict[str, dict[str, dict[str, float]]]:
    """Values as compared: by measure, topic and run."""
    topics: dict[str, dict[str, dict[str, float]]] = {}
    for line, measure in enumerate(report.measures):
        label = f"log {measure}" if report.aggregates[line] == "geometric" else measure
        for run, values in report._values_by_run(measure).items():
            for topic, value in values.items():
                topics.setdefault(label, {}).setdefault(topic, {})[run] = value
    return topics


def _per_topic(measure: str, topics: dict[str, dict[str, float]], noun: str) -> Block:
    runs = list(dict.fromkeys(run for values in topics.values() for run in values))
    lines = [
        Line(topic, tuple(values.get(run) for run in runs)) for topic, values in topics.items()
    ]
    return Block("", (f"{measure}, {noun}", *runs), tuple(lines), long=True)


def _topic_rows(pair: Comparison, topics: dict[str, dict[str, float]]) -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = []
    for topic, values in topics.items():
        if all(name in values for name in pair.names):
            a, b = (values[name] for name in pair.names)
            rows.append((pair.label, topic, *pair.names, a, b, a - b, *[None] * (len(COLUMNS) - 7)))
    return rows


def with_cases(sheet: Sheet, pairs: Sequence[Comparison]) -> Sheet:
    """The sheet of curves with comparisons of pairs of its scores added."""
    lines: list[Line] = []
    tidy: list[tuple[Cell, ...]] = []
    notes: list[Note] = []
    for pair in pairs:
        name = " - ".join(pair.names)
        values = (pair.difference, *_interval(pair), _p(pair) + "*" * pair.significant, pair.test)
        lines.append(Line(f"{pair.label}: {name}", values))
        tidy += [
            (name, "", f"compare {pair.label}", fact, None, getattr(pair, fact))
            for fact in ("difference", "low", "high", "p")
        ]
        notes += [*pair.shared, *notes_of(pair.label, pair.own_notes)]
    legends = _star(pairs)
    heading = ("comparison", "difference", "low", "high", "p", "test")
    block = Block("", heading, tuple(lines), legends=legends)
    verdicts = summary(replace(pair.verdict, unit="cases") for pair in pairs)
    return replace(
        sheet,
        blocks=(*sheet.blocks, block),
        notes=tuple(dict.fromkeys((*sheet.notes, *notes, *legends))),
        tidy=(*sheet.tidy, *tidy),
        body={**sheet.body, "comparisons": list(map(data_of_pair, pairs))},
        verdict="\n".join(verdicts),
    )
