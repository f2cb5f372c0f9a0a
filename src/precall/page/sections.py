"""Results → sections of a page, with sentences for its head and notes: what the library computes, put together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.errors import TiesUnresolved, UsageError
from precall.notes import listening, noted, together, warn
from precall.page.record import Part
from precall.results import Report

if TYPE_CHECKING:
    from precall.case_tables import CaseTable
    from precall.contingency import Status
    from precall.conventions import Conventions
    from precall.curves import Curve
    from precall.infer.compare.comparisons import Comparison, Comparisons
    from precall.location import Hits, Located

ALLOWED = "a Report (of evaluate), a Curve, {name: Curve}, what compare returned, Status, Decisions, or a list of such"
CHANCE = ("best", "all", "none")
#: Every pair of so many scores is compared; of more only that of the greatest AP with each other one.
_COMPARED = 4


def of_result(given: Any, level: float, rng: int, higher_is_better: bool = True) -> Part:
    """The section of any result; what is warned of meanwhile is among its notes."""
    part, remarks = noted(partial(_of_result, given, level, rng, higher_is_better))
    return part._replace(notes=[*part.notes, *remarks])


def _of_result(given: Any, level: float, rng: int, higher_is_better: bool) -> Part:
    from precall.case_tables import CaseTable
    from precall.contingency import Decisions, Status
    from precall.curves import Curve
    from precall.infer.compare.comparisons import Comparison, Comparisons
    from precall.page.categories import decided

    if isinstance(given, Report):
        return of_runs(given, level=level, rng=rng, compared=given.comparable)
    if isinstance(given, CaseTable):
        return of_cases(given, level=level, rng=rng)
    if isinstance(given, Curve):
        return of_curves({"score": given}, level, rng, higher_is_better)
    if isinstance(given, Mapping) and given and all(isinstance(one, Curve) for one in given.values()):
        named = {str(name): one for name, one in given.items()}
        if len(named) < len(given):
            raise UsageError("report: two curves have the same name as text; give them different ones")
        return of_curves(named, level, rng, higher_is_better)
    if isinstance(given, Comparison | Comparisons):
        return _of_comparisons(given)
    if isinstance(given, Status):
        return of_categories(given, level=level, rng=rng)
    if isinstance(given, Decisions):
        return decided(given, level=level, rng=rng)
    raise UsageError(f"report: got {type(given).__name__}, allowed are {ALLOWED}")


def read_runs(
    conventions: Conventions, qrels: Any, runs: Any, measures: Any, *, threads: int | None = None, chance: str = "best",
    level: float, rng: int, progress: Callable[[int, str | None], None] | None = None, **comparing: Any,
) -> Part:  # fmt: skip
    """The section of runs that are read, measured and located here; see `of_runs`.

    `progress` is told how many runs are done, and what comes next; None is the next run.
    """
    from precall.evaluation import evaluate_by

    located: list[Located] = []
    tell = progress or (lambda done, what: None)
    with listening():
        # What is warned of is among the notes of the report.
        report = evaluate_by(
            conventions,
            qrels,
            runs,
            measures,
            rng,
            threads,
            lambda done, *_: tell(done, None),
            located.append,
        )
    rankings = [one.hits(conventions.grade) for one in located]
    return of_runs(
        report,
        rankings,
        level=level,
        rng=rng,
        chance=chance,
        progress=partial(tell, len(located)),
        **comparing,
    )


def of_runs(
    report: Report, rankings: Sequence[Hits] | None = None, *, level: float, rng: int, chance: str = "best",
    compared: bool = True, progress: Callable[[str], None] | None = None, **comparing: Any,
) -> Part:  # fmt: skip
    """Averages with intervals, comparisons, topics; of rankings also where the hits are, and random selection.

    Parameters
    ----------
    rankings : of each run, one for each of its topics.
    chance : which runs are tested against random selection.
    compared : whether the runs are.
    progress : told of what comes next.
    comparing : choices of `compare`.
    """
    from precall.comparison import compare
    from precall.intervals.reports import with_intervals
    from precall.page.systems import Systems

    tell = progress or (lambda what: None)
    pairs = None
    if compared and len(report.runs) > 1:
        tell("comparisons")
        pairs = compare(report, level=level, rng=rng, **comparing)
    with listening():
        # What intervals warn of is among the notes of the report.
        report = with_intervals(report, "t", level, rng)
    tell("random selection")
    remarks: tuple[str, ...] = ()
    hits: dict[str, Any] = {}
    laws: list[dict[str, Any]] = []
    if rankings is not None:
        (hits, laws), remarks = noted(partial(_rankings, report, rankings, level, chance))
    systems = Systems(report, pairs, hits, laws)
    return Part(systems.section(), systems.headline(), [*systems.warnings(), *remarks])


def _rankings(
    report: Report, rankings: Sequence[Hits], level: float, chance: str
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Where the hits are, and random selection; neither where ties leave locations open."""
    from precall.page.strips import eleven_points, hits_of
    from precall.page.systems import Systems
    from precall.page.uncertainty import law_of_run

    systems = Systems(report)
    try:
        hits = hits_of(
            [(run.topics, one) for run, one in zip(report.runs, rankings, strict=True)], systems.topics()
        )
    except TiesUnresolved:
        ties = report.conventions["ties"]
        warn(f"ties {ties} leaves ranks open: no strips of hits, no test against random selection")
        return {}, []
    hits["eleven"] = [eleven_points(one, level) for one in rankings]
    order = systems.order()
    chosen = {"best": order[:1], "all": order, "none": []}[chance]
    return hits, [law for i in chosen for law in law_of_run(report.runs[i].name, rankings[i])]


def of_cases(
    table: CaseTable, *, correction: str = "holm", level: float, rng: int
) -> Part:  # fmt: skip
    """Curves of several scores of the same cases, and the comparisons of these.

    Parameters
    ----------
    correction : of p for the pairs of one measure, as of runs.
    """
    from precall.case_tables import compare_scores
    from precall.infer.compare.many import corrected

    parts = {
        (name, group): one for name, of_group in table.curves().items() for group, one in of_group.items()
    }
    curves = dict(
        zip(list(table.scores) if table.groups is None else joined(parts), parts.values(), strict=True)
    )
    pairs: list[Comparison] = []
    if table.weights is None and table.groups is None and not table.missed:
        each = compare_scores(table, _pairs(curves), level, rng)
        for measure in dict.fromkeys(pair.measure for pair in each):
            pairs += corrected([pair for pair in each if pair.measure == measure], correction)
    ties = "block (R-precision, RR: expected)"
    conventions = _described(table.source, level, rng, **table.asked, ties=ties)
    return of_curves(
        curves,
        level,
        rng,
        table.higher_is_better,
        chance=table.weights is None,
        conventions=conventions,
        comparisons=pairs,
    )


def _pairs(curves: Mapping[str, Curve]) -> list[tuple[str, str]]:
    """The pairs that are compared."""
    if len(curves) <= _COMPARED:
        return list(combinations(curves, 2))
    order = sorted(curves, key=lambda name: -curves[name].average_precision())
    return [(order[0], name) for name in order[1:]]


def joined(parts: Iterable[tuple[str, str]]) -> list[str]:
    """Names of a score and a group as one, never the same of two.

    Examples
    --------
    >>> joined([("a", "1")]), joined([("a", "b, c"), ("a, b", "c")])
    (['a, 1'], ["'a', 'b, c'", "'a, b', 'c'"])
    """
    pairs = list(parts)
    # Where no part has a comma and a space of its own, the first ones end the score.
    plain = not any(", " in name for pair in pairs for name in pair)
    return [", ".join(pair if plain else map(repr, pair)) for pair in pairs]


def _described(source: str, level: float, rng: int, **more: str | None) -> dict[str, str]:
    """What the numbers of a table rest on; what is no file has no name."""
    from precall.case_tables import describe_table

    conventions = describe_table(source, **more) | {"level": f"{level:g}", "seed": str(rng)}
    return {name: text for name, text in conventions.items() if text or name != "file"}


def of_categories(
    status: Status, policy: str | None = None, undefined: str = "zero", *, level: float, rng: int, source: str = "",
    asked: Mapping[str, str | None] | None = None,
) -> Part:  # fmt: skip
    """Scores of many categories; `source` and what was `asked` of it are told."""
    from precall.page.categories import policy_for, scored_categories
    from precall.sheet.categories import senses

    given, policy = policy, policy or policy_for(status)
    conventions = _described(
        source, level, rng, **(asked or {}), policy=given, ties="block", undefined=undefined, **senses()
    )
    conventions |= {} if policy is None else {"policy": policy}
    part, remarks = noted(
        partial(scored_categories, status, conventions, undefined, policy, level=level, rng=rng)
    )
    return part._replace(notes=[*part.notes, *remarks])


def of_curves(
    curves: Mapping[str, Curve], level: float, rng: int, higher_is_better: bool, chance: bool = True,
    conventions: Mapping[str, str] | None = None, comparisons: Sequence[Comparison] = (),
) -> Part:  # fmt: skip
    """The section of some curves: intervals, bands and null distributions are of the curves themselves.

    Without `chance` there is no random selection: what is weighted is not drawn case by case.
    """
    from precall.page.scored import Scored
    from precall.page.uncertainty import bands_of, intervals_of, laws_of

    known: dict[str, dict[str, Any]] = {"intervals": {}, "bands": {}, "laws": {}}
    notes: list[tuple[str, str]] = []
    for name, one in curves.items():
        makers: dict[str, Callable[[], Any]] = {
            "intervals": partial(intervals_of, one, level, rng),
            "bands": partial(bands_of, one, level, rng),
        }
        if chance:
            makers["laws"] = partial(laws_of, name, one)
        for kind, make in makers.items():
            known[kind][name], remarks = noted(make)
            notes += [(name, remark) for remark in remarks]
    laws = [law for of_curve in known["laws"].values() for law in of_curve]
    scored = Scored(
        curves, higher_is_better, known["intervals"], known["bands"], comparisons, laws,
        conventions or _conventions(level, rng, higher_is_better),
    )  # fmt: skip
    return Part(scored.section(), scored.headline(), [*scored.warnings(), *together(notes)])


def _conventions(level: float, rng: int, higher_is_better: bool) -> dict[str, str]:
    from precall.native import kernel_name
    from precall.version import __version__

    return {
        "precall": __version__, "good": "high scores" if higher_is_better else "low scores", "ties": "block",
        "level": f"{level:g}", "seed": str(rng), "kernel": kernel_name(),
    }  # fmt: skip


def _of_comparisons(given: Comparison | Comparisons) -> Part:
    from precall.infer.compare.comparisons import Comparison
    from precall.page.record_tables import blocks_of
    from precall.sheet.comparisons import sentence

    sheet = given.sheet()
    pairs: Sequence[Comparison]
    section: dict[str, Any] = {"kind": "sheet", "title": "Comparisons", "blocks": blocks_of(sheet)}
    if isinstance(given, Comparison):
        pairs, notes = (given,), list(given.notes)
        signature = (
            f"test {given.test} | level {given.level:g} | seed {'none' if given.seed is None else given.seed}"
        )
    else:
        pairs, notes, signature = given.pairs, list(sheet.notes), sheet.signature
    best = min(pairs, key=lambda one: one.adjusted if one.adjusted == one.adjusted else np.inf)
    section |= {"pairs": [one.to_dict() for one in pairs], "signature": signature}
    return Part(section, [sentence(best, best.names[0], f"{best.size} pairs")], notes)
