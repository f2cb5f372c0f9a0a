"""Comparisons as the table of a paper: systems by measures, with the best in bold, marks of
significance, and a caption.

LaTeX and Markdown show comparisons in this way; the other forms have every pair with its interval.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from precall.core.methods import ways_of
from precall.core.text import (
    format_ends,
    join_in_sentence,
    list_names,
    many,
    number,
    p_text,
    percent,
)
from precall.core.vocabulary import vocabulary_of
from precall.results.blocks import Block, Paper, formula, lines_of
from precall.results.layout import PLAIN, Layout
from precall.stats.tests import DECLARED, DECLARED_CORRECTIONS
from precall.stats.tests.comparisons import Comparison, Comparisons, bounds_in_words
from precall.stats.tests.verdict import (
    BETTER,
    NOT_SHOWN,
    UNDEFINED,
    WORSE,
    Standing,
    Verdict,
    count_units,
)

if TYPE_CHECKING:
    from precall.evaluation.report import Report

#: Marks of systems that are better than the baseline, and worse: one mark for each level that p
#: reaches.
MARKS = {BETTER: "*", WORSE: "†"}
#: Levels below that of the comparisons, which get more marks.
_LOWER = (0.01, 0.001)
#: Conventions that a caption does not repeat, or has in other words.
_ELSEWHERE = (
    "precall",
    "file",
    "qrels",
    "lists",
    "gold",
    "truth",
    "scores",
    "kernel",
    "test",
    "correction",
    "level",
    "baseline",
    "seed",
    "interval",
)


def paper_of(compared: Comparisons, layout: Layout = PLAIN) -> Paper:
    """The table of all measures, with its caption."""
    base = compared.conventions.get("baseline")
    names = [
        *([base] if base is not None else []),
        *(name for name in compared.names if name != base),
    ]
    marks = marks_of_paper(compared)
    best = tuple(_direction(compared, measure) for measure in compared.means)
    block = Block(
        "",
        ("system", *map(compared.head_of, compared.means)),
        lines_of(names, compared.means, marks),
        best=best,
        above=int(base is not None),
    )
    shown = layout.pick(block)
    renamed = _rename(compared, shown, layout)
    return Paper(" ".join(_caption(renamed, shown)), (block,))


def marks_of_paper(compared: Comparisons) -> dict[str, Mapping[str, str]]:
    """The marks of systems, by measure."""
    verdicts = compared.verdicts
    return {measure: _marks(verdicts.get(measure)) for measure in compared.means}


def _rename(compared: Comparisons, block: Block, layout: Layout) -> Comparisons:
    """The comparisons by the measures of a block, under the names to print."""
    by_head = {compared.head_of(measure): measure for measure in compared.means}
    measures = [by_head[head] for head in block.heading[1:]]
    families, conventions = compared.families, dict(compared.conventions)
    if "baseline" in conventions:
        conventions["baseline"] = layout.name_of(conventions["baseline"])
    return replace(
        compared,
        pairs=tuple(
            replace(pair, head=layout.name_of(pair.label))
            for measure in measures
            for pair in families[measure]
        ),
        means={measure: compared.means[measure] for measure in measures},
        heads={by_head[head]: layout.name_of(head) for head in block.heading[1:]},
        conventions=conventions,
    )


def paper_of_pair(pair: Comparison, layout: Layout = PLAIN) -> Paper:
    """The table of two systems; the caption has their difference with its interval and p."""
    measured = {pair.measure: dict(zip(pair.names, pair.values, strict=True))}
    correction = _tell_correction(pair.correction)
    single = Comparisons((replace(pair, correction="none"),), pair.names, measured, unit="pairs")
    best = (_direction(single, pair.measure),)
    block = Block("", ("system", pair.label), lines_of(pair.names, measured, {}), best=best)
    single = _rename(single, block, layout)
    digits = layout.decimals
    ends = f", no interval ({pair.no_interval})" if pair.no_interval else ""
    if pair.low is not None:
        bounds = " to ".join(map(_sign_as_formula, format_ends(pair.low, pair.high, digits)))
        ends = f" ({percent(pair.level)} interval {bounds} by {bounds_in_words({'': [pair]})})"
    p = f"p {p_text(pair.p)}" if pair.p == pair.p else "p undefined"
    difference = _sign_as_formula(number(pair.difference, digits))
    names = " minus ".join(map(layout.name_of, pair.names))
    gap = f"{names}: {difference}{ends}, {p} by {_tell_methods(single)}"
    gap += f", adjusted {p_text(pair.adjusted)} by {correction}" if correction else ""
    outcome = ": not significantly different" if pair.outcome == NOT_SHOWN else ""
    return Paper(f"{_tell_size(single, block)} {gap}{outcome}.", (block,))


def paper_of_report(report: Report, averages: Block, layout: Layout = PLAIN) -> Paper:
    """The table of the averages of runs."""
    counts = [run.counts.topics for run in report.runs]
    words = vocabulary_of(report.conventions)
    size = (
        f"Averages over {words.count(counts[0], 'topic')}"
        if report.comparable
        else f"Averages over the {words.word('topics')} of each {words.word('run')}"
    )
    # If all runs have the same number of topics, the caption has it, and its column is left out.
    block = averages.pick(range(len(report.measures) + (not report.comparable)))
    shown = layout.pick(block)
    lowest = [
        layout.name_of(name)
        for name, best in zip(shown.heading[1:], shown.best, strict=False)
        if best < 0
    ]
    method = report.conventions.get("interval")
    caption = [size + _tell_bold_cells(shown, lowest) + "."]
    caption += [f"In brackets intervals ({method})."] if method else []
    return Paper(" ".join([*caption, *_conventions(report.conventions)]), (block,))


def _tell_bold_cells(block: Block, lowest: Sequence[str]) -> str:
    """A clause on what is bold; empty if nothing is."""
    if not any(block.leaders()):
        return ""
    return "; best of each column in bold" + (
        f" (of {list_names(lowest)} the lowest)" if lowest else ""
    )


def _sign_as_formula(text: str) -> str:
    """A number whose minus is that of a formula."""
    return formula("-") + text[1:] if text.startswith("-") else text


def _direction(compared: Comparisons, measure: str) -> int:
    if measure in compared.neutral:
        return 0
    return 1 if compared.families[measure][0].higher_is_better else -1


def _levels(level: float) -> list[float]:
    """The levels of p for one mark, for two, ...; the first is that of the comparisons."""
    first = 1 - level
    return [first, *(lower for lower in _LOWER if lower < first - 1e-12)]


def _marks(verdict: Verdict | None) -> Mapping[str, str]:
    """Letters by system, or marks of systems that differ from the baseline."""
    if verdict is None:
        return {}
    if verdict.baseline is not None:
        return {standing.system: _mark(standing, verdict.level) for standing in verdict.standings}
    if not verdict.letters and len(verdict.standings) == 1:
        # For two systems, their p says whether they share a letter.
        ((best, other, *_, outcome),) = verdict.standings
        return (
            {} if outcome == UNDEFINED else {best: "a", other: "a" if outcome == NOT_SHOWN else "b"}
        )
    return verdict.letters


def _mark(standing: Standing, level: float) -> str:
    sign = MARKS.get(standing.outcome, "")
    return sign * sum(standing.p <= least + 1e-12 for least in _levels(level))


def _caption(compared: Comparisons, block: Block) -> Iterator[str]:
    """The sentences of the caption."""
    yield _tell_size(compared, block)
    yield _explain_marks(compared, {mark for line in block.lines for mark in line.marks if mark})
    yield from _conventions(compared.conventions)


def _conventions(conventions: Mapping[str, str]) -> Iterator[str]:
    """A sentence with the conventions that a reader of the numbers needs, if there are any."""
    # Without a report the topics are a number, which the caption already has.
    rest = [
        f"{name} {text}"
        for name, text in vocabulary_of(conventions).describe(conventions).items()
        if text and name not in _ELSEWHERE and not (name == "topics" and text.isdecimal())
    ]
    if rest:
        yield f"Conventions: {', '.join(rest)}.".replace(">=", "\u2265")


def _tell_size(compared: Comparisons, block: Block) -> str:
    """A sentence with the number of topics or items, and with what is bold."""
    sizes = sorted({pair.size for pair in compared.pairs})
    size = count_units(sizes[-1], compared.unit)
    size = size if len(sizes) == 1 else f"{sizes[0]} to {size}"
    heads = map(compared.head_of, compared.means)
    lowest = [name for name, best in zip(heads, block.best, strict=True) if best < 0]
    return (
        f"{'Means over' if compared.unit in ('topics', 'queries') else 'Values on'} "
        f"{size}{_tell_bold_cells(block, lowest)}."
    )


def _explain_marks(compared: Comparisons, used: set[str]) -> str:
    """A sentence on the meaning of marks or letters, and on the test."""
    first, base = compared.pairs[0], compared.conventions.get("baseline")
    adjusted = "" if first.correction == "none" else "adjusted "
    first_level, *lower_levels = (f"{level:.3g}" for level in _levels(first.level))
    significant = adjusted + formula(f"p \u2264 {first_level}")
    how = _tell_methods(compared)
    if base is None and not used:
        return f"Test: {how}, level {first.level:.12g}."
    if base is None:
        return (
            "Systems that share a letter do not differ significantly; others do "
            f"({significant}), by {how}."
        )
    if not used:
        return f"No system is significantly different from {base} ({significant}), by {how}."
    most = max(map(len, used))
    steps = range(1, most + 1)
    kinds = [
        f"{', '.join(sign * step for step in steps)} {kind}"
        for kind, sign in MARKS.items()
        if any(sign in mark for mark in used)
    ]
    significant = ", ".join([significant, *lower_levels[: most - 1]])
    legend = f"{' and '.join(kinds)} than {base}: {significant} by {how}."
    return f"{legend} Unmarked systems do not differ significantly from it."


def _tell_methods(compared: Comparisons) -> str:
    """The test, the computation of p, and the correction for the number of pairs, in words."""
    pairs = next(iter(compared.families.values()))
    family = f"{many(len(pairs), 'pair')} per measure"
    by_test: dict[str, list[Comparison]] = {}
    for pair in compared.pairs:
        by_test.setdefault(pair.test, []).append(pair)
    tests = " and ".join(
        _tell_tests(pairs_of_test, of_several=len(by_test) > 1)
        for pairs_of_test in by_test.values()
    )
    if pairs[0].correction == "tukey":
        return f"{tests} of {family}"
    correction = _tell_correction(pairs[0].correction)
    return tests + (
        f", {correction} for {family}" if correction else ", no correction" * (len(pairs) > 1)
    )


def _tell_tests(pairs: Sequence[Comparison], of_several: bool) -> str:
    """A test and the computation of its p-values; and its measures, if there are other tests."""
    test = _tell_test(pairs[0].test)
    computed: dict[str, dict[str, None]] = {}
    for label in dict.fromkeys(pair.label for pair in pairs):
        for way in ways_of(
            pair.method for pair in pairs if pair.label == label and pair.p == pair.p
        ):
            computed.setdefault(way, {})[label] = None
    ways = list(computed)
    if len({frozenset(measures) for measures in computed.values()}) > 1:
        # The computation of p differs between measures.
        ways = [
            way + _measures_of(way, computed, {pair.label for pair in pairs})
            for way in sorted(computed, key=lambda way: -len(computed[way]))
        ]
    seeds = sorted({pair.seed for pair in pairs if pair.seed is not None})
    facts = [", ".join(filter(None, (" or ".join(ways), *(f"seed {seed}" for seed in seeds))))]
    facts += [list_names(list(dict.fromkeys(pair.label for pair in pairs)))] * of_several
    return test + (f" ({'; '.join(filter(None, facts))})" if any(facts) else "")


def _measures_of(way: str, computed: Mapping[str, Collection[str]], labels: set[str]) -> str:
    """The measures whose p is computed in this way. One that computes some p of every measure needs
    none; another one may compute only some p of a measure.
    """
    measures = computed[way]
    if {*measures} == labels:
        return ""
    others = {label for other in computed if other != way for label in computed[other]}
    some = "some pairs by " if {*measures} <= others else ""
    return f" for {some}{join_in_sentence(list(measures))}"


def _tell_test(name: str) -> str:
    return DECLARED[name].caption if name in DECLARED else name


def _tell_correction(name: str) -> str:
    return DECLARED_CORRECTIONS[name].caption if name in DECLARED_CORRECTIONS else ""
