"""Comparisons → a sheet: what they come to in a sentence, means with letters, every pair with its interval and p."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

from precall.infer.compare.comparisons import Comparison, Comparisons, p_text
from precall.sheet.sheets import Block, Cell, Line, Sheet, Threshold, block_of_values, describe_conventions

if TYPE_CHECKING:
    from precall.infer.compare.anova import Anova
    from precall.infer.compare.gate import Gate
    from precall.infer.compare.planning import Plan
    from precall.results import Report

COLUMNS = ("measure", "topic", "a", "b", "value_a", "value_b", "difference", "low", "high", "p", "adjusted_p",
           "significant", "size", "wins", "ties", "losses", "effect", "superiority", "statistic", "left_out", "test", "how",
           "alternative", "correction", "level", "seed", "notes")  # fmt: skip
#: More systems than this are not named in a sentence.
_LISTED = 4


def compare_sheet(compared: Comparisons, report: Report | None = None, gates: Sequence[Gate] = ()) -> Sheet:
    """The sheet of several runs compared; with a report also the values of each topic."""
    blocks: list[Block] = []
    tidy: list[tuple[Cell, ...]] = []
    topics = _topics(report) if report is not None else {}
    for measure, pairs in compared.families.items():
        label = pairs[0].measure
        if label in topics:
            blocks.append(_per_topic(label, topics[label]))
            tidy += [row for pair in pairs for row in _topic_rows(pair, topics[label])]
        blocks.append(_means(measure, compared))
        if measure in compared.anova:
            blocks.append(_variance(label, compared.anova[measure]))
        blocks.append(pairs_block(label, pairs))
        tidy += [pair_row(pair) for pair in pairs]
    # The sheet has the notes, with those of the gates.
    body = _without_notes(compared)
    body |= {"gates": [_facts(gate) for gate in gates]} | ({"topics": topics} if topics else {})
    known = [*compared.notes, *map(str, gates), *(note for gate in gates for note in gate.notes)]
    notes = ["* significant: adjusted p at most 1 - level"] if compared.significant else []
    notes += known
    tidy += _notes_rows(known, compared.pairs)
    return Sheet(
        "precall.compare/1", dict(compared.conventions), tuple(blocks), tuple(dict.fromkeys(notes)), body, COLUMNS, tuple(tidy),
        verdict(compared),
    )  # fmt: skip


def _without_notes(result: Comparison | Comparisons) -> dict[str, Any]:
    return {key: value for key, value in result.to_dict().items() if key != "notes"}


def _facts(gate: Gate) -> dict[str, Any]:
    return {
        "a": gate.names[0], "b": gate.names[1], "measure": gate.measure, "margin": gate.margin, "passed": gate.passed,
        "p": gate.p, "text": gate.text, "notes": list(gate.notes),
    }  # fmt: skip


def comparison_sheet(pair: Comparison) -> Sheet:
    """The sheet of two systems compared."""
    conventions = {"test": pair.test, "p": pair.how, "alternative": pair.alternative, "level": f"{pair.level:g}"}  # fmt: skip
    conventions |= {} if pair.seed is None else {"seed": str(pair.seed)}
    notes = [*pair.notes, *(["* significant: p at most 1 - level"] if pair.significant else [])]
    better = pair.names[pair.difference * (1 if pair.higher_is_better else -1) < 0]
    return Sheet(
        "precall.compare/1", conventions, (pairs_block(pair.measure, [pair]),), tuple(notes), {"pairs": [_without_notes(pair)]},
        COLUMNS, (pair_row(pair),), sentence(pair, better, f"{pair.size} pairs") if pair.p == pair.p else "",
    )  # fmt: skip


def plan_sheet(plan: Plan) -> Sheet:
    """The sheet of a plan: a table for each design."""
    designs = {title: dict(quantities) for title, quantities in plan.designs.items()}
    return Sheet(
        "precall.power/1", describe_conventions(power=f"{plan.power:g}", level=f"{plan.level:g}", seed=plan.seed),
        tuple(block_of_values((title, "value"), quantities) for title, quantities in designs.items()), (),
        {"designs": designs}, ("design", "quantity", "value"),
        tuple((title, *row) for title, quantities in designs.items() for row in quantities.items()),
    )  # fmt: skip


def anova_sheet(anova: Anova) -> Sheet:
    """The sheet of an analysis of variance."""
    rows = [(source, *row.values()) for source, row in anova.to_dict().items()]
    columns = ("source", "sum", "freedom", "square", "f", "p")
    return Sheet(
        "precall.anova/1", describe_conventions(), (_variance("source", anova),), (), dict(anova.to_dict()), columns,
        tuple(rows),
    )  # fmt: skip


def _means(measure: str, compared: Comparisons) -> Block:
    means = compared.means[measure]
    letters = compared.letters.get(measure, {})
    lines = [Line(name, (value, *([letters[name]] if letters else []))) for name, value in means.items()]
    return Block("", (measure, "mean", *(["letters"] if letters else [])), tuple(lines))


def _variance(measure: str, anova: Anova) -> Block:
    """The two-way analysis of variance."""
    corner = f"{measure}, ANOVA" if measure != "source" else measure
    lines = [
        Line(name, (
            Threshold(f"{row['sum']:.4g}"), row["freedom"], Threshold(f"{row['square']:.4g}"),
            *((None, None) if row["p"] is None else (row["f"], p_text(row["p"]))),
        ))
        for name, row in anova.to_dict().items()
    ]  # fmt: skip
    return Block("", (corner, "sum of squares", "df", "mean square", "F", "p"), tuple(lines))


def pairs_block(measure: str, pairs: Sequence[Comparison]) -> Block:
    """One line per pair."""
    corrected = any(pair.correction != "none" for pair in pairs)
    heading = (measure, "difference", "low", "high", "p", *(["adjusted p"] if corrected else []), "w-t-l")
    return Block("", heading, tuple(_pair(pair, corrected) for pair in pairs))


def _p(pair: Comparison) -> str:
    """p, or why there is none."""
    if pair.p == pair.p:
        return p_text(pair.p)
    return f"undef ({pair.how.removeprefix('undefined: ')})"


def _interval(pair: Comparison) -> tuple[Cell, Cell]:
    """The bounds, or why there are none."""
    return (f"none ({pair.no_interval})", None) if pair.no_interval else (pair.low, pair.high)


def _pair(pair: Comparison, corrected: bool) -> Line:
    mark = "*" * pair.significant
    values: tuple[Cell, ...] = (
        pair.difference, *_interval(pair),
        *([_p(pair), p_text(pair.adjusted) + mark] if corrected else [_p(pair) + mark]),
        f"{pair.wins}-{pair.ties}-{pair.losses}",
    )  # fmt: skip
    return Line(f"{pair.names[0]} - {pair.names[1]}", values)


def pair_row(pair: Comparison) -> tuple[Cell, ...]:
    """A pair as a row of csv."""
    facts = pair.to_dict() | {
        "topic": "all",
        "adjusted_p": pair.adjusted,
        "significant": int(pair.significant),
        "notes": "; ".join(pair.notes),
    }
    return tuple(facts[name] for name in COLUMNS)


def _notes_rows(notes: Sequence[str], pairs: Sequence[Comparison]) -> list[tuple[Cell, ...]]:
    """Rows of csv with nothing but a note each: of those that are of no pair alone."""
    of_pairs = {note for pair in pairs for note in pair.notes}
    return [(*[None] * (len(COLUMNS) - 1), note) for note in dict.fromkeys(notes) if note not in of_pairs]


def _topics(report: Report) -> dict[str, dict[str, dict[str, float]]]:
    """Measure → topic → run → value, as compared."""
    from precall.compared_runs import topic_values

    topics: dict[str, dict[str, dict[str, float]]] = {}
    for line, measure in enumerate(report.measures):
        label = f"log {measure}" if report.aggregates[line] == "geometric" else measure
        for run, values in topic_values(report, measure).items():
            for topic, value in values.items():
                topics.setdefault(label, {}).setdefault(topic, {})[run] = value
    return topics


def _per_topic(measure: str, topics: dict[str, dict[str, float]]) -> Block:
    runs = list(dict.fromkeys(run for values in topics.values() for run in values))
    lines = [Line(topic, tuple(values.get(run) for run in runs)) for topic, values in topics.items()]
    return Block("", (f"{measure}, topic", *runs), tuple(lines))


def _topic_rows(pair: Comparison, topics: dict[str, dict[str, float]]) -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = []
    for topic, values in topics.items():
        if all(name in values for name in pair.names):
            a, b = (values[name] for name in pair.names)
            rows.append((pair.measure, topic, *pair.names, a, b, a - b, *[None] * (len(COLUMNS) - 7)))
    return rows


def with_cases(sheet: Sheet, pairs: Sequence[Comparison]) -> Sheet:
    """A sheet of curves with comparisons of two of its scores."""
    lines: list[Line] = []
    tidy: list[tuple[Cell, ...]] = []
    notes: dict[str, None] = {}
    for pair in pairs:
        name = " - ".join(pair.names)
        values = (pair.difference, *_interval(pair), _p(pair) + "*" * pair.significant, pair.test)
        lines.append(Line(f"{pair.measure}: {name}", values))
        tidy += [
            (name, "", f"compare {pair.measure}", fact, None, getattr(pair, fact))
            for fact in ("difference", "low", "high", "p")
        ]
        notes |= dict.fromkeys(f"{pair.measure}: {note}" for note in pair.notes)
    if marked := [pair for pair in pairs if pair.significant]:
        notes |= {f"* significant: p at most {1 - marked[0].level:.3g}": None}
    block = Block("", ("comparison", "difference", "low", "high", "p", "test"), tuple(lines))
    return replace(
        sheet, blocks=(*sheet.blocks, block), notes=(*sheet.notes, *notes), tidy=(*sheet.tidy, *tidy),
        body=sheet.body | {"comparisons": [pair.to_dict() for pair in pairs]},
    )  # fmt: skip


def verdict(compared: Comparisons) -> str:
    """What the comparisons of the first measure come to, in one sentence; empty where a p is undefined."""
    measure, pairs = next(iter(compared.families.items()))
    means = compared.means[measure]
    if any(pair.p != pair.p for pair in pairs):
        return ""
    if len(pairs) == 1:
        return sentence(pairs[0], pairs[0].names[pairs[0].gain < 0], f"{pairs[0].size} topics")
    best = -1 if pairs[0].higher_is_better else 1
    order = sorted(means, key=lambda name: (best * means[name], name))
    known = {frozenset(pair.names): pair for pair in pairs}
    if len(pairs) < math.comb(len(order), 2):
        base = next(iter(frozenset.intersection(*known)))
        outcome = _of_baseline(
            base, [(name, known[frozenset((name, base))]) for name in order if name != base]
        )
    else:
        outcome = _of_tiers(_tiers(order, known), known) or _of_overlap(order, known)
    return f"{pairs[0].measure}: {outcome}."


def _of_baseline(base: str, others: Sequence[tuple[str, Comparison]]) -> str:
    """Others, best first, against one system."""
    kinds = [("better than", []), ("not significantly different from", []), ("worse than", [])]  # type: ignore[var-annotated]
    for name, pair in others:
        better = (pair.gain > 0) == (pair.names[0] == name)
        kinds[1 if not pair.significant else 0 if better else 2][1].append(name)
    told = [(what, names) for what, names in kinds if names]
    return "; ".join(
        f"{listed(names)} {'is' if len(names) == 1 else 'are'} {what} {base if place == 0 else 'it'}"
        for place, (what, names) in enumerate(told)
    )


def _tiers(order: Sequence[str], known: Mapping[frozenset[str], Comparison]) -> list[list[str]]:
    """Runs of systems, best first, of which none differs from another, and all from all others; none where that is not so."""
    tiers = [[order[0]]]
    for name in order[1:]:
        if known[frozenset((tiers[-1][-1], name))].significant:
            tiers.append([name])
        else:
            tiers[-1].append(name)
    of = {name: place for place, tier in enumerate(tiers) for name in tier}
    agree = all(pair.significant == (len({of[name] for name in names}) > 1) for names, pair in known.items())
    return tiers if agree else []


def _of_tiers(tiers: Sequence[Sequence[str]], known: Mapping[frozenset[str], Comparison]) -> str:
    def alike(tier: Sequence[str], how: str) -> str:
        least = min(known[frozenset(two)].adjusted for two in combinations(tier, 2))
        return how + f" not differ (p {p_text(least)}{' or more' * (len(tier) > 2)})"

    if not tiers:
        return ""
    parts = [] if len(tiers[0]) == 1 else [alike(tiers[0], f"{listed(tiers[0])} do")]
    for place, (tier, below) in enumerate(pairwise(tiers)):
        subject = f"{tier[0]} is" if len(tier) == 1 else "both are" if len(tier) == 2 else "all of them are"
        subject = subject if place == 0 or len(tier) == 1 else "these are"
        parts.append(
            f"{subject} better than {listed(below)}" + (alike(below, ", which do") if len(below) > 1 else "")
        )
    return "; ".join(parts)


def _of_overlap(order: Sequence[str], known: Mapping[frozenset[str], Comparison]) -> str:
    best, *others = order
    beaten = [name for name in others if known[frozenset((best, name))].significant]
    many = sum(pair.significant for pair in known.values())
    outcome = f"{many} of {len(known)} pairs differ significantly; {best}, the best on average, is "
    rest = listed([name for name in others if name not in beaten])
    return outcome + (
        f"better than {listed(beaten)}, but not than {rest}"
        if beaten
        else f"not significantly better than {rest}"
    )


def listed(names: Sequence[str]) -> str:
    """Names in a sentence; of many their number."""
    if len(names) > _LISTED:
        return f"{len(names)} others"
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def sentence(pair: Comparison, first: str, size: str) -> str:
    """One comparison in words, from the side of `first`; differences are positive where it is better."""
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
