"""Comparisons of runs: a report's values by topic, as they are averaged, and the comparisons by
several measures as one result.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from precall.core.arguments import (
    HUGE,
    check_choice,
    check_kind,
    check_positive,
    check_some,
    choose,
)
from precall.core.conventions import FLOOR
from precall.core.errors import Among, Fact, Names, UsageError
from precall.core.notes import Note, notes_of
from precall.core.notes.of_comparisons import CorrectionOverGroups, OfLogarithms
from precall.core.notes.of_runs import UnlikeTopics
from precall.core.ragged import Float64
from precall.core.rng import Rng
from precall.core.text import as_text
from precall.core.vocabulary import speaking, vocabulary_of
from precall.evaluation.api import evaluate
from precall.evaluation.report import Report, data_notes, range_in, refuse_weights
from precall.stats.tests import CORRECTIONS, DECLARED, ELSEWHERE, INSTEAD_OF_SEVERAL, TESTS
from precall.stats.tests.comparisons import (
    Comparison,
    Comparisons,
    bounds_in_words,
    correct_for_number,
    tests_in_words,
)
from precall.stats.tests.many import Prepared, compare_together, prepare, with_pairs
from precall.stats.tests.pairing import UnpairedTopics, align_values, differences
from precall.stats.tests.seeds import compare_runs_of_systems

if TYPE_CHECKING:
    from precall.stats.tests.equivalence import Gate

#: Name for all measures that have a good end, in requests for gates.
ANY = "any"


def compare_runs(report: Report, measures: Any, **choices: Any) -> Comparisons:
    """Compare the runs of a report by each of its measures, or by those named, and in each group of
    topics, if it has some; `choices` are options of `compare.many`.
    """

    def compare(part: Report, correction: str) -> Comparisons:
        return _compare_all_topics(part, measures, **{**choices, "correction": correction})

    return _in_groups(report, compare, choices["correction"])


def _in_groups(
    report: Report, compare: Callable[[Report, str], Comparisons], correction: Any
) -> Comparisons:
    """The comparisons of all topics, with those of each group of topics; `compare` takes a report
    and a correction.
    """
    compared = compare(report, correction)
    if not report.groups:
        return compared
    groups = _compare_groups(report, compare, correction)
    pairs = sum(len(pairs) for each in groups.values() for pairs in each.families.values())
    note = CorrectionOverGroups("", len(groups), pairs // len(compared.means), str(correction))
    of_data = {
        noticed
        for part in (report, *report.groups.values())
        for noticed in notes_of_report(part, part.measures)
    }
    of_groups = [
        noticed.within(name)
        for name, each in groups.items()
        for noticed in each.notes
        if noticed not in of_data
    ]
    notes = dict.fromkeys((*compared.notes, note, *of_groups))
    return replace(compared, groups=groups, notes=tuple(notes))


def _compare_groups(
    report: Report, compare: Callable[[Report, str], Comparisons], correction: Any
) -> dict[str, Comparisons]:
    """The comparisons of each group of topics. p is adjusted for all pairs of a measure in all
    groups, unless the correction is that of Tukey, which is for one group.
    """
    correction = choose("correction", correction, CORRECTIONS, ELSEWHERE, INSTEAD_OF_SEVERAL)
    alone = correction if correction == "tukey" else "none"
    parts = {name: compare(part, alone) for name, part in report.groups.items()}
    if correction in ("none", "tukey"):
        return parts
    adjusted: dict[str, list[Comparison]] = {name: [] for name in parts}
    for measure in next(iter(parts.values())).means:
        owners = [(name, pair) for name, each in parts.items() for pair in each.families[measure]]
        corrected = correct_for_number([pair for _, pair in owners], correction)
        for (name, _), pair in zip(owners, corrected, strict=True):
            adjusted[name].append(pair)
    return {name: with_pairs(each, adjusted[name]) for name, each in parts.items()}


def _compare_all_topics(report: Report, measures: Any, **choices: Any) -> Comparisons:
    """The comparisons of all topics of a report, whatever their groups."""
    _refuse_unweighted(report, choices["test"], choices["correction"])

    def compare(names: list[str]) -> list[Comparisons]:
        prepared = [_prepare(report, name, **choices) for name in names]
        with speaking(vocabulary_of(report.conventions)):
            return compare_together(prepared)

    return _compare_by_measures(report, measures, compare)


def _refuse_unweighted(report: Report, test: Any, correction: Any) -> None:
    """Refuse tests and corrections without a form for topics with weights, if they have some."""
    if not report.weights:
        return
    test = choose("test", test, TESTS, ELSEWHERE, INSTEAD_OF_SEVERAL)
    if not DECLARED[test].takes_weights:
        forms = [name for name in TESTS if DECLARED[name].takes_weights]
        refuse_weights(report, f"the test {test}", f"choose {' or '.join(forms)}")
    correction = choose("correction", correction, CORRECTIONS, ELSEWHERE, INSTEAD_OF_SEVERAL)
    if correction == "tukey":
        refuse_weights(report, "the correction tukey", "choose another correction, such as holm")


def compare_systems(
    report: Report, systems: Mapping[str, Sequence[str]], measures: Any, **choices: Any
) -> Comparisons:
    """Compare systems, each of which has one run of a report or more, and in each group of topics,
    if the report has some; `choices` are options of `compare.seeds`.
    """

    refuse_weights(report, "a comparison of systems with several runs")

    def compare(part: Report, correction: str) -> Comparisons:
        asked = {**choices, "correction": correction}
        return _compare_systems_on_all_topics(part, systems, measures, **asked)

    return _in_groups(report, compare, choices["correction"])


def _compare_systems_on_all_topics(
    report: Report, systems: Mapping[str, Sequence[str]], measures: Any, **choices: Any
) -> Comparisons:
    """The comparisons of all topics of a report, whatever their groups."""

    def compare(names: list[str]) -> list[Comparisons]:
        return [
            compare_runs_of_systems(
                values,
                systems,
                measure=_label(report, name),
                limits=_range(report, name),
                **options,
                **choices,
            )
            for name in names
            for values, options in [_aligned(report, name)]
        ]

    with _pairing(_TOPICS), speaking(vocabulary_of(report.conventions)):
        return _compare_by_measures(report, measures, compare, systems)


def _compare_by_measures(
    report: Report,
    measures: Any,
    compare: Callable[[list[str]], list[Comparisons]],
    systems: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> Comparisons:
    """The comparisons by each measure as one result. `systems` has the runs of each system, if
    these are not the same.
    """
    names = chosen_measures(report, measures)
    # A measure requested by another name than in the report has that name as its heading.
    typed = (
        []
        if measures is None
        else [measures]
        if isinstance(measures, str)
        else list(map(str, measures))
    )
    heads = dict(zip(report.measures, report.heads, strict=True))
    heads |= {
        own: report.head_by(name) for name, own in zip(typed, names, strict=False) if name != own
    }
    joined = _join(
        [
            _of_measure(report, name, heads[name], one, systems)
            for name, one in zip(names, compare(names), strict=True)
        ],
        report,
        heads,
    )
    return replace(joined, heads={name: heads[name] for name in names if heads[name] != name})


def pilots_of(
    report: Any, runs: Any, measures: Any, duplicates: str = "error"
) -> tuple[dict[str, Float64], tuple[Note, ...]]:
    """The differences of two runs per topic, by measure, and what was noticed about the data."""
    if not isinstance(report, Report):
        report = evaluate(report, runs, measures or ["AP"], duplicates=duplicates)
    elif duplicates != "error":
        fault = "a report was read already"
        raise UsageError(argument="duplicates", what=fault, remedy="give it to evaluate")
    if len(report.runs) != 2:
        raise UsageError(
            "a pilot needs two runs",
            got=Fact(", ".join(run.name for run in report.runs)),
            remedy="plan each pair by itself" if len(report.runs) > 2 else "",
        )
    refuse_weights(report, "a plan of the number of topics")
    pilots = {}
    for name in chosen_measures(report, measures):
        with _pairing("give runs of the same topics, or ⟨deviation=⟩ to plan with"):
            values = align_values(report.values_by_run(name))[0]
        pilots[name] = differences(values[:, 0], values[:, 1])
    return pilots, tuple(notes_of_report(report, list(pilots)))


@contextmanager
def _pairing(todo: str) -> Iterator[None]:
    """Context that adds this advice to errors about topics that a run lacks."""
    try:
        yield
    except UnpairedTopics as error:
        raise UnpairedTopics([problem._replace(todo=todo) for problem in error.problems]) from None


def chosen_measures(report: Report, measures: Any) -> list[str]:
    """The named measures, under every name that was requested; all if none is named."""
    if measures is None:
        return list(report.measures)
    check_kind("measures", measures, Iterable, "names of measures")
    one = isinstance(measures, str | bytes)
    names = [as_text(measures)] if one else list(map(as_text, measures))
    check_some("measures", names, "name at least one, such as 'AP'")
    chosen = [report.name_of(name) for name in names]
    for name in chosen:
        if name not in report.measures:
            raise UsageError(
                argument="measures",
                what="{got} is not in the report",
                got=name,
                allowed=Among("it has", report.measures),
            )
    return chosen


def baseline_of(report: Report, name: str | None) -> str:
    """The run that others are compared with: by default the first."""
    names = [run.name for run in report.runs]
    if name is None:
        return names[0]
    systems = vocabulary_of(report.conventions).word("runs")
    check_choice("baseline", name, Names(f"the {systems} are", names))
    return name


def check_margins(report: Report, margins: Mapping[str, float | None], name: str) -> None:
    """Raise for a margin that no loss can exceed: if the range of the measure has two ends, it must
    be smaller than the range.
    """
    for label, margin in margins.items():
        if margin is None:
            continue
        check_positive(HUGE, **{name: margin})
        low, high = _range(report, report.name_of(label))
        if margin >= high - low:
            problem = (
                f"a margin of {margin:g} is not below the range of {label} ({low:g} to {high:g}), "
                "so that no loss could fail"
            )
            raise UsageError(
                argument=name, what=problem, remedy="give a smaller one: 5 points are .05"
            )


def _range(report: Report, measure: str) -> tuple[float, float]:
    """Least and greatest value of a measure; infinite if unknown, and for logarithms."""
    if report.aggregates[report.measures.index(measure)] != "geometric":
        # The name may be one of the user's own values.
        return range_in(report, measure) or (-math.inf, math.inf)
    return -math.inf, math.inf


def _reach(report: Report, measure: str) -> float | None:
    """The greatest possible difference of values, or of their logarithms; None if unknown."""
    if report.aggregates[report.measures.index(measure)] == "geometric":
        low, high = math.log(FLOOR), 0.0
    else:
        low, high = _range(report, measure)
    return None if math.isinf(high - low) else float(high - low)


def gate_of_measure(
    report: Report,
    comparisons: Comparisons,
    name: str,
    margin: float | None,
    *,
    unpaired: str = "error",
    rng: Rng,
    resamples: int,
) -> list[Gate]:
    """Whether each other run may replace the baseline, by one measure; see
    `precall.stats.tests.equivalence`.

    `comparisons` is the result of `compare(report, baseline=...)` for the report.
    """
    from precall.stats.tests.equivalence import gate

    measure = report.name_of(name)
    line = report.measures.index(measure)
    if not report.best[line]:
        raise UsageError(
            argument="worse", what=f"neither high nor low values of {measure} are good"
        )
    values, _, _ = align_values(report.values_by_run(measure), unpaired)
    index_by_name = {run.name: i for i, run in enumerate(report.runs)}
    label = _label(report, measure)
    judged = []
    for pair in comparisons.pairs:
        if pair.measure == label:
            first, second = (values[:, index_by_name[run]] for run in pair.names)
            gain = report.best[line] * differences(first, second)
            with speaking(vocabulary_of(report.conventions)):
                decided = gate(pair, gain, margin, rng, resamples, _reach(report, measure))
            judged.append(replace(decided, words=vocabulary_of(report.conventions)))
    return judged


def measure_of(report: Report, label: str) -> str:
    """The measure whose compared values have this label."""
    return next(name for name in report.measures if _label(report, name) == label)


def _label(report: Report, name: str, head: str | None = None) -> str:
    """The label of a measure's compared values."""
    log = report.aggregates[report.measures.index(name)] == "geometric"
    return "log " * log + (name if head is None else head)


#: What to do about topics that a run lacks.
_TOPICS = (
    "pass ⟨topics='qrels'⟩ to count such topics as empty, or ⟨unpaired='drop'⟩ to leave them out"
)


def _prepare(report: Report, name: str, **shared: Any) -> Prepared:
    """The values of a measure, ready to be compared."""
    values, options = _aligned(report, name)
    with _pairing(_TOPICS), speaking(vocabulary_of(report.conventions)):
        return prepare(
            values,
            measure=_label(report, name),
            reach=_reach(report, name),
            weights=report.weights,
            **options,
            **shared,
        )


def _aligned(report: Report, name: str) -> tuple[dict[str, dict[str, float]], dict[str, Any]]:
    """The values of a measure by run and topic, and which end of it is good."""
    if len(report.runs) < 2:
        remedy = (
            "pass {name: run, ...}; if one table holds several, its column that tells them apart "
            "as ⟨run_column=⟩"
        )
        raise UsageError(
            "there must be two runs or more to compare", got=len(report.runs), remedy=remedy
        )
    values = report._values_by_run(name)
    if len(values) < len(report.runs):
        raise UsageError(
            argument="runs",
            what="names must differ",
            got=Fact(", ".join(run.name for run in report.runs)),
        )
    line = report.measures.index(name)
    direction = report.best[line] if report.best else 1
    return values, {"higher_is_better": direction != -1}


def _of_measure(
    report: Report,
    name: str,
    head: str,
    compared: Comparisons,
    systems: Mapping[str, Sequence[str]],
) -> Comparisons:
    """The comparisons by a measure, with their names and the notes of the report."""
    label = _label(report, name)
    direction = report.best[report.measures.index(name)] if report.best else 1
    log = [OfLogarithms("", head)] * (label != name)
    compared = replace(compared, unit=vocabulary_of(report.conventions).word("topics"))
    if direction == 0:
        compared = replace(compared, neutral=(name,))
    shown = _label(report, name, head) if head != name else ""
    pairs = tuple(
        replace(pair, head=shown)._add_shared_notes(
            [*notes_of_report(report, [name], _runs_of(pair.names, systems)), *log]
        )
        for pair in compared.pairs
    )
    compared = replace(compared, pairs=pairs, notes=(*log, *compared.notes))
    return compared if label == name else _as_geometric(compared, name, label)


def _runs_of(names: Iterable[str], systems: Mapping[str, Sequence[str]]) -> list[str]:
    """The runs of some systems."""
    return [run for name in names for run in systems.get(name, (name,))]


def _as_geometric(compared: Comparisons, name: str, label: str) -> Comparisons:
    """Comparisons of logarithms, with the means as `evaluate` computes them."""
    return replace(
        compared,
        means={name: {run: math.exp(value) for run, value in compared.means[label].items()}},
        letters={name: compared.letters[label]} if compared.letters else {},
        anova={name: compared.anova[label]} if compared.anova else {},
        seeds={name: compared.seeds[label]} if compared.seeds else {},
    )


def notes_of_report(
    report: Report, measures: Collection[str], runs: Collection[str] | None = None
) -> list[Note]:
    """Notes about the data of a report whose runs (or some of them) are compared by some of its
    measures.

    Runs with different topics are compared on the topics that all of them have; undefined values of
    other measures do not matter.
    """
    notes = data_notes(report, runs, measures)
    return [note for note in notes if not isinstance(note, UnlikeTopics)]


def _join(
    parts: list[Comparisons], report: Report, heads: Mapping[str, str] = MappingProxyType({})
) -> Comparisons:
    first = parts[0]
    named = [next(iter(comparison.means)) for comparison in parts]
    notes = notes_of_report(report, named)
    for name, comparison in zip(named, parts, strict=True):
        notes += notes_of(heads.get(name, name) if len(parts) > 1 else "", comparison.notes)
    families = {
        heads.get(name, name): comparison.pairs
        for name, comparison in zip(named, parts, strict=True)
    }
    tests, ways_of_bounds = tests_in_words(families), bounds_in_words(families)
    merged = {
        key: "/".join(
            dict.fromkeys(text for comparison in parts if (text := comparison.conventions.get(key)))
        )
        for key in first.conventions
    }
    by_measure: dict[str, Any] = {
        name: {
            key: value for comparison in parts for key, value in getattr(comparison, name).items()
        }
        for name in ("means", "letters", "anova", "seeds")
    }
    by_measure["anova"] = {
        name: replace(anova, notes=(*notes_of_report(report, [name]), *anova.notes))
        for name, anova in by_measure["anova"].items()
    }
    return replace(
        first,
        pairs=tuple(pair for comparison in parts for pair in comparison.pairs),
        **by_measure,
        notes=tuple(dict.fromkeys(notes)),
        neutral=tuple(name for comparison in parts for name in comparison.neutral),
        conventions={
            **report.conventions,
            **merged,
            "test": tests,
            **({"bounds": ways_of_bounds} if ways_of_bounds else {}),
            "topics": report.conventions.get("topics", "both"),
        },
    )
