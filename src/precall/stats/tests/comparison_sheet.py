"""Sheets of comparisons: the verdict, means with letters, and every pair with its interval and
p.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from precall.core.conventions import describe_conventions
from precall.core.notes import Note, iterate_notes, notes_of, sentences
from precall.core.notes.of_comparisons import SharedLetters, StarOfSignificance
from precall.core.vocabulary import RUNS, Vocabulary, vocabulary_of
from precall.results.base import Sheet
from precall.results.blocks import Block, Cell, Line, Paper, Threshold, block_of_values, lines_of
from precall.stats.tests.comparisons import Comparison, Comparisons, data_of_pair, p_text
from precall.stats.tests.verdict import Standing

if TYPE_CHECKING:
    from precall.evaluation.report import Report
    from precall.stats.tests.comparisons import Anova
    from precall.stats.tests.equivalence import Gate
    from precall.stats.tests.joint_posteriors import Better
    from precall.stats.tests.planning import Plan
    from precall.stats.tests.verdict import Verdict

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
    "notes",
)


def compare_sheet(
    compared: Comparisons, report: Report | None = None, gates: Sequence[Gate] = ()
) -> Sheet:
    """The sheet of a comparison of several runs; with a report also the values of each topic."""
    verdicts, words = compared.verdicts, vocabulary_of(compared.conventions)
    # The best by the first measure stands first.
    order = next((list(verdict.means) for verdict in verdicts.values()), compared.names)
    heads = {measure: compared.head_of(measure) for measure in compared.means}
    blocks = [_systems(order, compared.means, compared.letters, heads)]
    tidy: list[tuple[Cell, ...]] = []
    topics = _topics(report) if report is not None else {}
    for measure, pairs in compared.families.items():
        label, head = pairs[0].measure, pairs[0].label
        if label in topics:
            blocks.append(_per_topic(head, topics[label], words.word("topic")))
            tidy += [row for pair in pairs for row in _topic_rows(pair, topics[label])]
        blocks.append(pairs_block(head, pairs))
        if measure in compared.anova:
            blocks.append(_variance(head, compared.anova[measure], words))
        tidy += [pair_row(pair, pair.own_notes) for pair in pairs]
    better = _better(compared)
    blocks += _posterior_blocks(compared, better)
    tidy += [row for posterior in better for row in _posterior_rows(compared, posterior)]
    # The body has no notes: the sheet has them, with those of the gates.
    body = _without_notes(compared)
    body |= {"gates": _facts(gates)} | ({"topics": topics} if topics else {})
    common_notes: list[Note] = [*compared.notes, *_gate_notes(gates, compared.notes)]
    notes = _star(compared.significant) + [SharedLetters("")] * bool(compared.letters)
    if compared.posteriors is not None and better:
        joint = compared.posteriors.sheet()
        body["posteriors"] = [
            row for row in joint.body["measures"] if row["measure"] in compared.means
        ]
        notes += iterate_notes(joint.notes[:1])
    notes += common_notes
    tidy += _notes_rows(common_notes, compared.pairs)
    return Sheet(
        "precall.compare/2",
        dict(compared.conventions),
        tuple(blocks),
        tuple(dict.fromkeys(notes)),
        body,
        COLUMNS,
        tuple(tidy),
        "\n".join(filter(None, (verdict.text for verdict in verdicts.values()))),
        paper=partial(_paper, compared),
    )


def _gate_notes(gates: Sequence[Gate], known: Sequence[Note]) -> list[Note]:
    """Notes on why each gate passed or failed, and the notes of the gates."""
    if not gates:
        return []
    from precall.stats.tests.gate_sheet import decisions_of
    from precall.stats.tests.gating import notes_of_gates

    return [*decisions_of(gates), *notes_of_gates(gates, known)]


def _star(significant: Sequence[Comparison], most: float | None = None) -> list[Note]:
    """The note on the meaning of the star at p, if any pair has one."""
    adjusted = any(pair.correction != "none" for pair in significant)
    return [StarOfSignificance("", adjusted, most)] * bool(significant)


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
    conventions |= {} if pair.low is None else {"bounds": pair.interval}
    conventions |= {} if pair.seed is None else {"seed": str(pair.seed)}
    notes = [*pair.notes, *[StarOfSignificance("", False)] * pair.significant]
    body = {"verdicts": {pair.measure: pair.verdict.to_dict()}, "pairs": [_without_notes(pair)]}
    return Sheet(
        "precall.compare/2",
        conventions,
        (pairs_block(pair.label, [pair]),),
        tuple(notes),
        body,
        COLUMNS,
        (pair_row(pair, pair.notes),),
        pair.verdict.text,
        paper=partial(_paper, pair),
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
                standing.outcome,
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
        (),
        verdict.to_dict(),
        columns,
        tuple((verdict.scale or verdict.label, *standing) for standing in verdict.standings),
        verdict.text,
    )


def plan_sheet(plan: Plan) -> Sheet:
    """The sheet of a plan: a table for each design."""
    designs = {title: dict(quantities) for title, quantities in plan.designs.items()}
    return Sheet(
        "precall.power/2",
        describe_conventions(power=f"{plan.power:g}", level=f"{plan.level:.12g}", seed=plan.seed),
        tuple(
            block_of_values((title, "value"), quantities) for title, quantities in designs.items()
        ),
        plan.notes,
        {"designs": designs},
        ("design", "quantity", "value"),
        tuple((title, *row) for title, quantities in designs.items() for row in quantities.items()),
    )


def anova_sheet(anova: Anova) -> Sheet:
    """The sheet of an analysis of variance."""
    rows = [(source, *row.values()) for source, row in anova.to_dict().items()]
    columns = ("source", "sum", "freedom", "square", "f", "p")
    return Sheet(
        "precall.anova/2",
        describe_conventions(),
        (_variance("source", anova),),
        (),
        dict(anova.to_dict()),
        columns,
        tuple(rows),
    )


def _systems(
    names: Sequence[str],
    means: Mapping[str, Mapping[str, float]],
    letters: Mapping[str, Mapping[str, str]],
    heads: Mapping[str, str] = MappingProxyType({}),
) -> Block:
    """The block of systems with their mean by each measure and their letters."""
    return Block(
        "", ("mean", *(heads.get(name, name) for name in means)), lines_of(names, means, letters)
    )


def _paper(result: Comparison | Comparisons) -> Paper:
    # Imported only here, because few results are printed as in papers.
    from precall.stats.tests.paper import paper_of, paper_of_pair

    return paper_of(result) if isinstance(result, Comparisons) else paper_of_pair(result)


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


def _p(pair: Comparison) -> str:
    """p, or why there is none."""
    if pair.p == pair.p:
        return p_text(pair.p)
    return f"undef ({pair.method.undefined})"


def _interval(pair: Comparison) -> tuple[Cell, Cell]:
    """The bounds, or why there are none."""
    return (f"none ({pair.no_interval})", None) if pair.no_interval else (pair.low, pair.high)


def _pair(pair: Comparison, has_bounds: bool, has_correction: bool, has_counts: bool) -> Line:
    mark = "*" * pair.significant
    values: tuple[Cell, ...] = (
        pair.difference,
        *(_interval(pair) if has_bounds else ()),
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
        "notes": "; ".join(sentences(notes)),
    }
    return tuple(facts[name] for name in COLUMNS)


def _notes_rows(notes: Sequence[Note], pairs: Sequence[Comparison]) -> list[tuple[Cell, ...]]:
    """Rows of CSV with only a note, one for each note that no pair has alone."""
    of_pairs = {note for pair in pairs for note in pair.own_notes}
    return [
        (*[None] * (len(COLUMNS) - 1), note)
        for note in dict.fromkeys(notes)
        if note not in of_pairs
    ]


def _topics(report: Report) -> dict[str, dict[str, dict[str, float]]]:
    """Values as compared: by measure, topic and run."""
    topics: dict[str, dict[str, dict[str, float]]] = {}
    for line, measure in enumerate(report.measures):
        label = f"log {measure}" if report.aggregates[line] == "geometric" else measure
        for run, values in report.values_by_run(measure).items():
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
    if marked := [pair for pair in pairs if pair.significant]:
        notes.append(StarOfSignificance("", False, 1 - marked[0].level))
    block = Block("", ("comparison", "difference", "low", "high", "p", "test"), tuple(lines))
    verdicts = [replace(pair.verdict, unit="cases").text for pair in pairs]
    return replace(
        sheet,
        blocks=(*sheet.blocks, block),
        notes=tuple(dict.fromkeys((*sheet.notes, *notes))),
        tidy=(*sheet.tidy, *tidy),
        body={**sheet.body, "comparisons": list(map(data_of_pair, pairs))},
        verdict="\n".join(filter(None, verdicts)),
    )
