"""Tables with a row per item: decisions, or scores of categories, together with the true
categories.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations
from typing import Any, NamedTuple

import numpy as np

from precall.cases import Curve, curve
from precall.cases.scored_cases import Weights
from precall.cases.table import describe_table
from precall.comparison.api import compare
from precall.core.arguments import choose
from precall.core.conventions import describe_classes, describe_ties, good_scores
from precall.core.errors import Fact, Labels, Mistake, UsageError
from precall.core.notes import Note, notes_of, run_and_warn, warn_all
from precall.core.rng import Rng, seed_of
from precall.core.text import as_text
from precall.hard_decisions import Decisions, Status, categorize
from precall.hard_decisions.membership import Membership, memberships, noting_labels, only_labels
from precall.measures import Measure, of_counts
from precall.native import literals
from precall.read.binary_labels import RELEVANT, binary_text, meant_label
from precall.read.cases import Reader, read_columns
from precall.read.columns import Choice
from precall.read.distinct_labels import named_categories, sort_texts
from precall.read.label_rows import (
    IGNORED,
    find_joined_label,
    has_ignored,
    warn_of_joined_labels,
)
from precall.read.positive_label import NAMED, gaps_among_numbers, say_two_ways
from precall.read.select_columns import choose_by_name, numbers_of
from precall.read.sources import label_of
from precall.read.systems_of_cases import SystemsFinder
from precall.read.unlike_labels import (
    NO_DECISIONS,
    SOFT,
    are_scores,
    refuse_unlike,
    say_of_labels,
)
from precall.read.values import label_text
from precall.stats.tests import CORRECTIONS, ELSEWHERE, INSTEAD, OF_LISTS
from precall.stats.tests.comparisons import (
    Comparison,
    Comparisons,
    bounds_in_words,
    correct_for_number,
    tests_in_words,
)
from precall.stats.tests.curve_bands import CurveComparison
from precall.stats.tests.many import display

#: The separator that says that each cell of a table is one label, whatever it holds.
NO_SEPARATOR = "none"
#: Measures by which two systems are compared if none is named: for a yes or no about each item, for
#: several categories, and for scores.
YES_OR_NO, SEVERAL, USUAL = ("P", "R", "F"), ("accuracy", "macro-F"), ("AP", "AUC")


def read_decisions(
    path: str,
    truth: str,
    predicted: str,
    *,
    separator: str | None = None,
    positive: str | None = None,
    categories: Sequence[str] | None = None,
    labels: Sequence[str] | None = None,
    weight: str | None = None,
    format: str | None = None,
) -> Decisions:
    """Read the decisions in a table.

    Parameters
    ----------
    path : path of CSV, TSV, JSON lines, JSON, Parquet or Arrow, perhaps compressed; `-` is standard
        input.
    truth, predicted : columns of the true and of the decided categories.
    separator : separator between categories within a cell; an item may be in several, or in none.
        "none" says that each cell is one category, whatever it holds.
    positive : measure only this category, as a yes or no about each item.
    categories : all categories in their order, including those that no item has; others are errors.
    labels : measure only these categories, see `pc.decisions`.
    weight : column of the weights of items, see `pc.decisions`.
    format : format of the table (default: from the path's ending).

    Raises
    ------
    DataError
        A column or a value is missing or not allowed, or no item has a category.
    """
    return read_grouped_decisions(
        path,
        truth,
        predicted,
        None,
        separator=separator,
        positive=positive,
        categories=categories,
        labels=labels,
        weight=weight,
        format=format,
    )[0]


def read_grouped_decisions(
    path: str,
    truth: str,
    predicted: str,
    groups: str | None,
    *,
    separator: str | None = None,
    positive: str | None = None,
    categories: Sequence[str] | None = None,
    labels: Sequence[str] | None = None,
    weight: str | None = None,
    format: str | None = None,
) -> tuple[Decisions, list[str] | None]:
    """The decisions in a table, and the group of each item if a column has it; see
    `read_decisions`.
    """
    wanted = [("truth=", truth), ("predicted=", predicted)]
    (true, decided), member, weights = read_labels(
        path,
        wanted,
        separator,
        positive,
        categories,
        format,
        groups,
        weight,
        ignored=labels is not None,
    )
    if labels is None:
        return Decisions(true, decided, weights), member
    if true.kind == "binary":
        raise UsageError(
            argument="labels",
            what="a yes or no has one category",
            remedy="name both with ⟨categories=['0', '1']⟩",
        )
    return Decisions(*only_labels(true, decided, labels), weights), member


def compare_decisions(
    path: str,
    truth: str,
    a: str,
    b: str,
    measures: Sequence[str | Measure] | None = None,
    *,
    others: Sequence[str] = (),
    separator: str | None = None,
    positive: str | None = None,
    categories: Sequence[str] | None = None,
    groups: str | None = None,
    correction: str = "holm",
    format: str | None = None,
    rng: Rng = 0,
    **choices: Any,
) -> Comparisons:
    """The decisions of systems in a table, compared pair by pair and by each measure, as
    `precall compare FILE --truth --decision --decision` shows them.

    Parameters
    ----------
    path, truth, separator, positive, categories, format : see `read_decisions`.
    a, b : columns of the categories that each system decided for; their names are those of the
        systems.
    others : columns of further systems; every pair of systems is compared.
    measures : measures of counts; by default precision, recall and F for a yes or no about each
        item, otherwise accuracy and macro-F.
    groups : column of the group of each item, such as its document: groups are exchanged as a
        whole.
    correction : for the number of pairs of a measure, see `precall.compare.many`; not "tukey".
    rng : seed or NumPy Generator; all measures are given the same.
    choices : `test`, `average`, `level`, `resamples` and `interval`, see
        `precall.compare.decisions`.

    Returns
    -------
    Comparisons
        The pairs of each measure; `means` has the values of the systems. For a yes or no of two
        systems about each item, `posteriors` holds the probability that one system has the higher
        precision, recall or F (`precall.compare.bayes.decisions`).

    Raises
    ------
    DataError
        A column or a value is missing or not allowed, or no item has a category.
    UsageError
        The columns are not different ones, or a measure has no such test.
    """
    systems = (a, b, *others)
    check_columns(truth, systems, "truth", "decision")
    check_correction(correction)
    wanted, seed = [("truth=", truth), *name_sides(systems, "decision")], seed_of(rng)
    (gold, *decided), member, _ = read_labels(
        path, wanted, separator, positive, categories, format, groups
    )
    is_binary = gold.kind == "binary"
    names = measures or (YES_OR_NO if is_binary else SEVERAL)
    of_system = dict(zip(systems, decided, strict=True))

    def compare_two(names: tuple[str, str], measure: str | Measure) -> Comparison:
        first, second = (of_system[name] for name in names)
        return compare.decisions(
            gold, first, second, measure, groups=member, names=names, rng=seed, **choices
        )

    pairs = _every_pair(systems, names, compare_two, correction)
    conventions = describe_table(
        label_of(path),
        truth=truth,
        separator=separator,
        positive=positive,
        groups=groups,
        test=tests_in_words(_families(pairs)),
        correction=_correction(pairs),
        bounds=bounds_in_words(_families(pairs)) or None,
        seed=_seed(pairs),
        categories=None if categories is None else ", ".join(map(as_text, categories)),
        level=f"{pairs[0].level:.12g}",
    )
    compared = _comparisons(pairs, systems, conventions, "items" if groups is None else "groups")
    if is_binary and member is None and len(systems) == 2:
        beta = next(
            (
                of_counts(name).parameters["beta"]
                for name in compared.means
                if name.startswith("F(")
            ),
            1.0,
        )
        posteriors = compare.bayes.decisions(
            gold, *decided, beta=beta, level=pairs[0].level, rng=seed, names=(a, b)
        )
        compared = replace(compared, posteriors=posteriors)
    return compared


def _comparisons(
    pairs: tuple[Comparison, ...], systems: tuple[str, ...], conventions: dict[str, str], unit: str
) -> Comparisons:
    """The pairs with the values of the systems, their letters and the common notes."""
    means = _means(pairs)
    return Comparisons(
        pairs,
        systems,
        means,
        _letters(pairs, means),
        conventions=conventions,
        notes=_notes(pairs),
        unit=unit,
    )


def check_columns(truth: str, systems: tuple[str, ...], label: str, option: str) -> None:
    """Raise if two of the columns are one."""
    if len({truth, *systems}) <= len(systems):
        count = {2: "three", 3: "four"}.get(len(systems), str(len(systems) + 1))
        *first, last = truth, *systems
        raise UsageError(
            argument=f"⟨truth=, a= and b=¦--{label} and --{option}⟩",
            what=f"must name {count} columns",
            got=Fact(f"{', '.join(first)} and {last}"),
        )


def name_sides(systems: Sequence[str], option: str) -> list[tuple[str, str]]:
    """The columns of systems, with the argument and the option that name each."""
    return [
        (f"{argument}=¦--{option}", name)
        for argument, name in zip(
            ("a", "b", *(f"others[{i}]" for i in range(len(systems) - 2))), systems, strict=True
        )
    ]


def check_correction(correction: str) -> None:
    """Raise if a correction is unknown, or needs values per topic."""
    choose("correction", correction, tuple(name for name in CORRECTIONS if name != "tukey"))


def _every_pair(
    systems: Sequence[str],
    measures: Sequence[str | Measure],
    compare_two: Callable[[tuple[str, str], str | Measure], Comparison],
    correction: str,
) -> tuple[Comparison, ...]:
    """Every pair of systems by each measure; p of the pairs of a measure is adjusted for their
    number.
    """
    return tuple(
        pair
        for measure in measures
        for pair in correct_for_number(
            [compare_two(names, measure) for names in combinations(systems, 2)], correction
        )
    )


def _families(pairs: Sequence[Comparison]) -> dict[str, list[Comparison]]:
    """The pairs by measure."""
    families: dict[str, list[Comparison]] = {}
    for pair in pairs:
        families.setdefault(pair.measure, []).append(pair)
    return families


def _correction(pairs: Sequence[Comparison]) -> str | None:
    """The correction, if a measure has several pairs."""
    return pairs[0].correction if len(_families(pairs)) < len(pairs) else None


def _means(pairs: Sequence[Comparison]) -> dict[str, dict[str, float]]:
    """The values of the systems, by measure."""
    return {
        measure: {
            name: value for pair in of for name, value in zip(pair.names, pair.values, strict=True)
        }
        for measure, of in _families(pairs).items()
    }


def _letters(
    pairs: Sequence[Comparison], means: Mapping[str, Mapping[str, float]]
) -> dict[str, dict[str, str]]:
    """By measure, the letters of three systems or more."""
    letters = {}
    for measure, of in _families(pairs).items() if len(pairs) > len(means) else ():
        sign = 1 if of[0].higher_is_better else -1
        goodness = {name: sign * value for name, value in means[measure].items()}
        if shown := display(goodness, [pair.names for pair in of if pair.significant]):
            letters[measure] = shown
    return letters


def _notes(pairs: Sequence[Comparison]) -> tuple[Note, ...]:
    """The notes of all pairs, each once; those of one pair among several name it."""
    if len(_families(pairs)) == len(pairs):
        return tuple(dict.fromkeys(note for pair in pairs for note in pair.notes))
    notes = dict.fromkeys(note for pair in pairs for note in pair.shared)
    for pair in pairs:
        notes |= dict.fromkeys(notes_of(" - ".join(pair.names), pair.own_notes))
    return tuple(notes)


def compare_cases(
    path: str,
    truth: str,
    a: str,
    b: str,
    measures: Sequence[str | Measure] | None = None,
    *,
    others: Sequence[str] = (),
    positive: str | None = None,
    groups: str | None = None,
    weight: str | None = None,
    missed: int = 0,
    higher_is_better: bool = True,
    correction: str = "holm",
    format: str | None = None,
    test: str | None = None,
    rng: Rng = 0,
    **choices: Any,
) -> Comparisons:
    """The scores of the cases in a table, compared pair by pair and by each measure, as
    `precall compare FILE --label --score --score` shows them.

    Parameters
    ----------
    path, format : see `read_decisions`.
    truth : the column that says which cases are relevant: by 0/1, -1/1, false/true, or the label
        `positive`.
    a, b : columns of the scores; their names are those of the systems.
    others : columns of further scores; every pair of scores is compared.
    measures : measures of `precall.compare.cases`: "AP", "AUC", "AUC(max_fpr=.2)", "P@10", "R@10"
        (default: AP and AUC).
    groups : column of the group of each case, such as its patient.
    weight : column of weights. Integers repeat an item; if a number is a float, or text with a
        point or exponent, all are sampling weights.
    missed, higher_is_better : see `precall.compare.cases`.
    test : the test for the named measures; without `measures`, for those of AP and AUC that have
        it.
    correction : for the number of pairs of a measure, see `precall.compare.many`; not "tukey".
    rng : seed or NumPy Generator; all measures are given the same.
    choices : `level` and `resamples`, see `precall.compare.cases`.

    Returns
    -------
    Comparisons
        The pairs of each measure; `means` has the values of the systems.

    Raises
    ------
    DataError
        A column or a value is missing or not allowed, or all cases are of one class.
    UsageError
        The columns are not different ones, or a measure has no such test.
    """
    systems = (a, b, *others)
    check_columns(truth, systems, "label", "score")
    check_correction(correction)
    test = _test_of(test, measures)
    others_read = [("groups=", groups), ("weight=", weight), ("cohorts=", None)]
    wanted = [("truth=¦--label", truth), *name_sides(systems, "score"), *others_read]
    (score, read), notes = run_and_warn(lambda: read_scores(path, wanted, positive, format))
    cases: dict[str, Any] = read | choices
    cases |= {"missed": missed, "higher_is_better": higher_is_better, "rng": seed_of(rng)}

    def compare_two(names: tuple[str, str], measure: str | Measure) -> Comparison:
        return compare.cases(
            score_a=score[names[0]],
            score_b=score[names[1]],
            **cases,
            names=names,
            measure=measure,
            test=test if measures or test in OF_LISTS[as_text(measure)] else None,
        )._add_shared_notes(notes)

    relevant = int(np.count_nonzero(cases["relevant"]))

    pairs = _every_pair(systems, measures or USUAL, compare_two, correction)
    conventions = describe_table(
        label_of(path),
        truth=truth,
        positive=positive,
        groups=groups,
        weight=weight,
        cases=describe_classes(relevant, len(cases["relevant"]) - relevant),
        missed=str(missed) if missed else None,
        good=good_scores(higher_is_better),
        ties=_ties(pairs),
        test=tests_in_words(_families(pairs)),
        correction=_correction(pairs),
        bounds=bounds_in_words(_families(pairs)) or None,
        seed=_seed(pairs),
        level=f"{pairs[0].level:.12g}",
    )
    return _comparisons(pairs, systems, conventions, "cases")


def compare_curves(
    path: str,
    truth: str,
    a: str,
    b: str,
    view: str = "pr",
    *,
    positive: str | None = None,
    groups: str | None = None,
    missed: int = 0,
    higher_is_better: bool = True,
    format: str | None = None,
    resamples: int | None = None,
    rng: Rng = 0,
    level: float = 0.95,
) -> CurveComparison:
    """The curves of two scores of the cases in a table, as
    `precall compare FILE --label --score --score --curves VIEW` compares them.

    Parameters
    ----------
    path, truth, a, b, format, positive, groups, missed, higher_is_better : see `compare_cases`.
    view, level, rng : see `precall.compare.curves`.
    resamples : number of samples; None is 1,000.

    Returns
    -------
    CurveComparison

    Raises
    ------
    DataError
        A column or a value is missing or not allowed, or all cases are of one class.
    UsageError
        The columns are not different ones.
    """
    from precall.cases.tally import curve

    check_columns(truth, (a, b), "label", "score")
    others_read = [("groups=", groups), ("weight=", None), ("cohorts=", None)]
    wanted = [("truth=¦--label", truth), *name_sides((a, b), "score"), *others_read]
    (score, read), notes = run_and_warn(lambda: read_scores(path, wanted, positive, format))
    first, second = (
        curve(read["relevant"], score[name], missed=missed, higher_is_better=higher_is_better)
        for name in (a, b)
    )
    found = compare.curves(
        first,
        second,
        view,
        groups=read["groups"],
        level=level,
        resamples=1000 if resamples is None else resamples,
        rng=rng,
        names=(a, b),
    )
    relevant = int(np.count_nonzero(read["relevant"]))
    conventions = describe_table(
        label_of(path),
        truth=truth,
        positive=positive,
        groups=groups,
        cases=describe_classes(relevant, len(read["relevant"]) - relevant),
        missed=str(missed) if missed else None,
        good=good_scores(higher_is_better),
    )
    shared = tuple(dict.fromkeys((*notes, *found.notes)))
    return replace(found, notes=shared, conventions=conventions)


class CohortColumns(NamedTuple):
    """The curves of cohorts by name, the groups of their cases, and notes of reading."""

    curves: Mapping[str, Curve]
    groups: Mapping[str, list[str]]
    notes: tuple[Note, ...]

    def groups_of(self, pair: tuple[str, str]) -> tuple[object, object] | None:
        """The groups of two cohorts; None if there are none."""
        return (self.groups[pair[0]], self.groups[pair[1]]) if self.groups else None


def read_cohorts(
    path: str,
    truth: str,
    score: str,
    cohorts: str,
    positive: str | None = None,
    groups: str | None = None,
    higher_is_better: bool = True,
    format: str | None = None,
) -> CohortColumns:
    """Read the scores of a table, cohort by cohort; see `compare_cohorts`."""
    wanted = [("truth=¦--label", truth), ("score=¦--score", score), ("groups=", groups)]
    wanted += [("weight=", None), ("cohorts=", cohorts)]
    (scores, read), notes = run_and_warn(lambda: read_scores(path, wanted, positive, format))
    member, values = np.array(read["cohorts"]), np.asarray(scores[score])
    names = tuple(sort_texts(dict.fromkeys(read["cohorts"])))
    if len(names) < 2:
        remedy = "name a column of two cohorts or more"
        raise Mistake("column {column} has one value", remedy, column=cohorts, got=names[0]).error(
            "cohorts"
        )
    rows_of = {name: np.flatnonzero(member == name) for name in names}
    curves = {
        name: curve(read["relevant"][rows], values[rows], higher_is_better=higher_is_better)
        for name, rows in rows_of.items()
    }
    patients = (
        {}
        if groups is None
        else {
            name: [read["groups"][row] for row in rows.tolist()] for name, rows in rows_of.items()
        }
    )
    return CohortColumns(curves, patients, notes)


def compare_cohorts(
    path: str,
    truth: str,
    score: str,
    cohorts: str,
    measures: Sequence[str | Measure] | None = None,
    *,
    positive: str | None = None,
    groups: str | None = None,
    higher_is_better: bool = True,
    correction: str = "holm",
    level: float = 0.95,
    format: str | None = None,
    test: str | None = None,
) -> Comparisons:
    """One score in several cohorts of a table, compared pair by pair and by each measure, as
    `precall compare FILE --label --score --cohorts` shows them.

    Parameters
    ----------
    path, format, truth, positive, groups, correction : see `compare_cases`.
    score : the column of the scores.
    cohorts : the column that says which cohort a case is in.
    measures : measures of `precall.compare.unpaired` (default: AUC).
    higher_is_better, level, test : see `precall.compare.unpaired`.

    Returns
    -------
    Comparisons
        The pairs of each measure; `means` has the values of the cohorts.

    Raises
    ------
    DataError
        A column or a value is missing or not allowed, or there is one cohort.
    UsageError
        The columns are not different ones, or a measure has no such test.
    """
    check_correction(correction)
    found = read_cohorts(path, truth, score, cohorts, positive, groups, higher_is_better, format)
    names = tuple(found.curves)

    def compare_two(pair: tuple[str, str], measure: str | Measure) -> Comparison:
        first, second = pair
        return compare.unpaired(
            found.curves[first],
            found.curves[second],
            measure,
            test=test,
            groups=found.groups_of(pair),
            level=level,
            names=pair,
        )._add_shared_notes(found.notes)

    pairs = _every_pair(names, measures or ("AUC",), compare_two, correction)
    relevant, cases = (
        sum(sizes) for sizes in zip(*map(_sizes, found.curves.values()), strict=True)
    )
    conventions = describe_table(
        label_of(path),
        truth=truth,
        positive=positive,
        groups=groups,
        cohorts=cohorts,
        cases=describe_classes(relevant, cases - relevant),
        good=good_scores(higher_is_better),
        test=tests_in_words(_families(pairs)),
        correction=_correction(pairs),
        bounds=bounds_in_words(_families(pairs)) or None,
        level=f"{level:.12g}",
    )
    return _comparisons(pairs, names, conventions, "cases")


def _sizes(cohort: Curve) -> tuple[int, int]:
    """How many relevant cases, and cases, a curve has."""
    relevant = int(cohort.tp[-1])
    return relevant, relevant + int(cohort.fp[-1])


def _seed(pairs: Sequence[Comparison]) -> str | None:
    """The seed, if any number was drawn."""
    return next((str(pair.seed) for pair in pairs if pair.seed is not None), None)


def _ties(pairs: Sequence[Comparison]) -> str | None:
    """How equal scores were treated by measures that need an order; None if none does."""
    named = {pair.measure: pair.equal_scores for pair in pairs if pair.equal_scores}
    return describe_ties(next(iter(named.values())), named) if named else None


def read_scores(
    path: str, columns: list[tuple[str, str | None]], positive: str | None, format: str | None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Scores by column; and labels, groups, weights and cohorts, as `compare.cases` takes them.
    `columns` holds the columns with their arguments: labels, scores, groups, weights and cohorts.
    """
    wanted = [(option, name) for option, name in columns if name is not None]
    truth, *sides, groups, weight, cohorts = (name for _, name in columns)

    def build(reader: Reader) -> tuple[dict[str, Any], dict[str, Any]]:
        systems = list(map(str, sides))
        reader.refuse_swap(str(truth), systems, positive)
        relevant = reader.relevance(str(truth), positive)
        scores = reader.scores(systems)
        arguments: dict[str, Any] = {
            "relevant": relevant,
            "weights": None if weight is None else reader.weights(weight),
            "groups": None if groups is None else reader.groups(groups),
        }
        arguments |= {} if cohorts is None else {"cohorts": reader.groups(cohorts)}
        reader.check()
        return scores, arguments

    numbers = numbers_of(map(str, sides), weight, (truth, groups, cohorts))
    choose, systems = (
        choose_by_name(wanted, label_of(path)),
        SystemsFinder([name for _, name in wanted]),
    )
    read = read_columns(path, choose, build, numbers, format, systems)
    warn_all(systems.check(label_of(path)))
    return read


def _test_of(test: str | None, measures: Sequence[object] | None) -> str | None:
    """The test's name here; without named measures, one of the default measures must have it."""
    if test is None or measures:
        return test
    tests = tuple(dict.fromkeys(name for usual in USUAL for name in OF_LISTS[usual]))
    name: str = choose(f"test of {' and '.join(USUAL)}", test, tests, ELSEWHERE, INSTEAD)
    return name


def read_labels(
    path: str,
    wanted: list[tuple[str, str]],
    separator: str | None,
    positive: str | None,
    categories: Sequence[str] | None,
    format: str | None,
    groups: str | None = None,
    weight: str | None = None,
    ignored: bool = False,
) -> tuple[list[Membership], list[str] | None, Weights | None]:
    """The columns of labels, the truth first, the groups and the weights; for `ignored` see
    `memberships`.
    """
    if categories is not None:  # as texts, like all labels of tables
        categories = [label_text(name) or as_text(name) for name in named_categories(categories)]
    names, sides = [name for _, name in wanted], _names_of_sides(wanted)
    beside = {"groups=": groups, "weight=": weight}
    columns_by_argument = [
        *wanted,
        *((argument, name) for argument, name in beside.items() if name is not None),
    ]

    def build(reader: Reader) -> tuple[list[Membership], list[str] | None, Weights | None]:
        member = None if groups is None else reader.groups(groups)
        weights = None if weight is None else reader.weights(weight)
        return noting_labels(lambda: of_reader(reader)), member, weights

    def of_reader(reader: Reader) -> list[Membership]:
        levels = {} if categories is not None else reader.columns.levels()
        declared = {label for category_type in levels.values() for label in category_type.names}
        columns = _columns_of_labels(
            reader, dict(wanted), separator, positive, categories, declared, ignored
        )
        reader.check()
        of_sides = {
            side: levels[name]
            for side, name, column in zip(sides, names, columns, strict=True)
            # Levels are texts, so a column of yes or no has none.
            if name in levels and not isinstance(column, np.ndarray)
        }
        label = positive if _are_sets(reader, names, separator) else None
        columns_by_side = dict(zip(sides, columns, strict=True))
        members = memberships(
            columns_by_side,
            categories,
            positive=label,
            levels=of_sides,
            of_table=True,
            ignored=ignored,
        )
        return [replace(each, label=positive or "") for each in members]

    choose = choose_by_name(columns_by_argument, label_of(path))
    systems = SystemsFinder([name for _, name in columns_by_argument])
    numbers = numbers_of((), weight, (*names, groups))
    members, group, weights = read_columns(path, choose, build, numbers, format, systems)
    notes = systems.check(label_of(path))
    warn_all(notes)
    return [replace(each, notes=(*each.notes, *notes)) for each in members], group, weights


def _are_sets(reader: Reader, names: Sequence[str], separator: str | None) -> bool:
    """Whether a cell may hold several labels."""
    return separator not in (None, NO_SEPARATOR) or any(map(reader.several, names))


def _names_of_sides(wanted: Sequence[tuple[str, str]]) -> list[str]:
    """What notes on labels call the columns: systems that are compared by their names, the others
    by the arguments that name them.
    """
    sides = [option.partition("=")[0] for option, _ in wanted]
    systems = [name for _, name in wanted[1:]]
    return [sides[0], *systems] if len(systems) > 1 and sides[0] not in systems else sides


def _columns_of_labels(
    reader: Reader,
    wanted: dict[str, str],
    separator: str | None,
    positive: str | None,
    categories: Sequence[str] | None,
    declared: set[str],
    ignored: bool,
) -> list[Any]:
    """For each column the values that `memberships` takes: a yes or no, texts, sets of texts, or a
    matrix; `declared` holds all levels.
    """
    names, sides = list(wanted.values()), _names_of_sides(list(wanted.items()))
    _refuse_bytes(reader, names)
    if _are_sets(reader, names, separator):
        return _columns_of_sets(reader, names, separator, categories)
    is_usual = positive is None and categories is None and declared <= RELEVANT.keys()
    is_binary = is_usual and all(map(reader.binary, names))
    if is_binary and reader.alike(names):
        return [reader.relevance(name, None) for name in names]
    texts = [reader.texts(name) for name in names]
    columns = list(zip(names, texts, strict=True))
    reader.check()
    if is_binary:
        say_two_ways(
            {side: set(map(binary_text, column)) for side, column in zip(sides, texts, strict=True)}
        )
    labels = {name: list(dict.fromkeys(column)) for name, column in columns}
    _check_labels(reader, columns, labels, separator, positive, categories, ignored)
    if categories is None and not is_binary:
        _refuse_numbers_beside_texts(
            {side: labels[name] for side, name in zip(sides, names, strict=True)}
        )
    if positive is None:
        return texts
    positive = _check_positive(reader, columns, positive)
    if categories is None:
        say_of_labels(
            {side: labels[name] for side, name in zip(sides, wanted.values(), strict=True)}
        )
    return [np.array([text == positive for text in column], np.bool_) for column in texts]


def _check_positive(reader: Reader, columns: list[tuple[str, list[str]]], positive: str) -> str:
    """The positive label as the columns write it; reports problems with this label, or with
    others.
    """
    labels = sort_texts(chain.from_iterable(column for _, column in columns))
    positive = meant_label(positive, labels)
    for name, column in columns:
        reader.tell_others(name, column, labels, positive, part=name != columns[0][0])
    reader.check()
    return positive


def _columns_of_sets(
    reader: Reader, names: list[str], separator: str | None, categories: Sequence[str] | None
) -> list[Any]:
    """For each column a matrix, or sets of labels."""
    columns = [reader.matrix_or_sets(name, separator, categories) for name in names]
    reader.check()
    if any(isinstance(column, list) for column in columns):
        # Next to a column of sets, one label per item is a set of one.
        columns = [
            reader.sets(name, separator)
            if isinstance(column, np.ndarray) and column.shape[1] == 1
            else column
            for name, column in zip(names, columns, strict=True)
        ]
    if not any(len(row) for column in columns for row in column):
        mistake = Mistake("no item has a category", "check ⟨truth=⟩ and ⟨separator=⟩")
        raise reader.error(names[0], mistake)
    labels = {
        name: list(dict.fromkeys(chain.from_iterable(column)))
        for name, column in zip(names, columns, strict=True)
        if isinstance(column, list)
    }
    if categories is None and len(labels) == len(set(names)):
        _refuse_scores(reader, labels)
        _refuse_joined_labels(reader, labels, separator)
    return columns


def _check_labels(
    reader: Reader,
    columns: list[tuple[str, list[str]]],
    labels: dict[str, list[str]],
    separator: str | None,
    positive: str | None,
    categories: Sequence[str] | None,
    ignored: bool,
) -> None:
    """Raise if columns of texts hold other values than labels; `labels` has the distinct labels of
    each.
    """
    if categories is not None:
        for name, column in columns:
            reader.check_categories(name, column, categories)
        reader.check()
        return
    every = dict.fromkeys(chain.from_iterable(labels.values()))
    gaps = gaps_among_numbers(every) if positive is None else []
    for name, column in columns:
        reader.refuse_gaps(name, column, gaps, NAMED)
    reader.check()
    _refuse_scores(reader, labels)
    for name, texts in labels.items():
        if not ignored and has_ignored(texts):
            raise reader.error(name, IGNORED)
    if separator is None:
        _refuse_joined_labels(reader, labels, None)


def _refuse_bytes(reader: Reader, names: Sequence[str]) -> None:
    """Raise if one column has bytes and another one has none, as in memory."""
    cells = {name: reader.first_label(name) for name in names}
    kinds = [isinstance(cell, bytes) for cell in cells.values() if cell is not None]
    if any(kinds) and not all(kinds):
        refuse_unlike({name: [cell] for name, cell in cells.items() if cell is not None})


def _refuse_scores(reader: Reader, columns: dict[str, list[str]]) -> None:
    """Raise if one column has numbers with fractions and others have labels without, as in Python;
    `columns` has the distinct labels of each.
    """
    numbers = {
        name: [literals.score(text) for text in texts] for name, texts in columns.items() if texts
    }
    scores = [name for name, read in numbers.items() if are_scores(read)]
    if not scores or len(scores) == len(numbers):
        return
    more = "if they are categories, name all with ⟨categories=⟩"
    if scores[0] == next(iter(columns)):
        raise reader.error(scores[0], Mistake(SOFT[0], f"{SOFT[1]}; {more}"))
    problem, remedy = NO_DECISIONS
    measured = (
        "or measure the scores by precall curve, precall categories or precall compare --label"
    )
    raise reader.error(scores[0], Mistake(problem, f"{remedy}; {measured}; {more}"))


def _refuse_numbers_beside_texts(columns: Mapping[str, list[str]]) -> None:
    """Raise if all labels of one column are numbers and none of another one is, as in memory;
    `columns` has the distinct labels of each.

    Files are read as texts, because CSV has no types: 1 is the label "1".
    """
    numbers = {
        side: [one for one in map(literals.score, texts) if isinstance(one, float)]
        for side, texts in columns.items()
    }
    if all(len(numbers[side]) in (0, len(texts)) for side, texts in columns.items()):
        refuse_unlike(
            {
                side: [int(one) if one.is_integer() else one for one in numbers[side]] or texts
                for side, texts in columns.items()
            }
        )


def _refuse_joined_labels(
    reader: Reader, columns: dict[str, list[str]], separator: str | None
) -> None:
    """Raise if cells hold several labels, each of which would be a category; `columns` has the
    distinct labels of each.
    """
    # A printed duration contains a comma, but is one label.
    printed = set().union(*map(reader.labels_as_printed, columns))
    texts = [
        label
        for label in dict.fromkeys(chain.from_iterable(columns.values()))
        if label not in printed
    ]
    # If the given separator occurs in some cells it is trusted: another one is suspected only in a
    # text whose parts are all labels.
    joined = find_joined_label(
        texts, every=separator is not None and reader.occurs(separator, columns)
    )
    if joined is None:
        warn_of_joined_labels(texts)
        return
    name = next(name for name, there in columns.items() if joined.label in there)
    remedy = (
        f"say ⟨separator={NO_SEPARATOR!r}⟩ if each cell is one label"
        if separator is None
        else "name all labels with ⟨categories=⟩ if it is one"
    )
    if reader.several(name):
        remedy = "make each part an element of its list, or name all labels with ⟨categories=⟩"
    elif joined.separator:
        remedy = f"say ⟨separator={joined.separator!r}⟩, or {remedy}"
    else:
        remedy = f"write JSON lines, or labels with a separator between them; {remedy}"
    raise reader.error(name, joined.mistake(remedy))


def read_status(
    path: str,
    truth: str,
    scores: str,
    *,
    separator: str | None = None,
    groups: str | None = None,
    format: str | None = None,
    missing: str = "error",
) -> Status:
    """Read the scores of categories in a table.

    Parameters
    ----------
    path, separator, format : see `read_decisions`.
    truth : the column of labels; or a pattern such as "y_*" of columns of 0 and 1, one for each
        category.
    missing : what becomes of empty cells of such columns; see `categorize`.
    scores : a pattern of columns, such as "p*"; the part that the star matches is the category.
    groups : a column of groups, which `status.groups` then has.

    Raises
    ------
    DataError
        A column or a value is missing or not allowed, or a true category has no column of scores.
    """

    def build(reader: Reader) -> Status:
        is_pattern = truth not in reader.columns.cells
        by_category = {
            category: name
            for name in reader.columns.cells
            if name not in (truth, groups)
            and (category := _category(name, truth, scores)) is not None
        }
        categories = sort_texts(by_category)
        group = None if groups is None else reader.groups(groups)
        if is_pattern:
            columns = [truth.replace("*", category) for category in categories]
            cells = [reader.yes_or_no(name, missing == "skip") for name in columns]
            return made(reader, np.stack(cells, axis=1), categories, by_category, group)
        several = separator not in (None, NO_SEPARATOR) or reader.several(truth)
        labels: list[Any] = list(
            reader.matrix_or_sets(truth, separator, categories) if several else reader.texts(truth)
        )
        if several and isinstance(labels[0], np.ndarray):
            mistake = Mistake(
                "rows of 0 and 1 do not say which columns of scores they are of",
                "write lists of the categories of each item",
            )
            raise reader.error(truth, mistake)
        reader.refuse_strangers(
            truth,
            labels,
            categories,
            ("category {got} has no column of scores", "categories {got} have no column of scores"),
            "there are those of",
            "correct it",
            "name the columns with ⟨scores=⟩",
        )
        return made(reader, labels, categories, by_category, group)

    def made(
        reader: Reader,
        labels: Any,
        categories: list[str],
        columns: Mapping[str, str],
        group: list[str] | None,
    ) -> Status:
        numbers = [
            reader.numbers(columns[name], "give a number, or remove the item")
            for name in categories
        ]
        reader.check()
        status = categorize(labels, np.stack(numbers, axis=1), categories, missing=missing)
        status.groups = group
        status.source = reader.columns.source
        return status

    choose = _columns(truth, scores, groups, label_of(path))
    return read_columns(path, choose, build, format=format)


def _category(name: str, truth: str, scores: str) -> str | None:
    """The part of a column's name that the star matches; None for the truth and for other
    columns.
    """
    before, _, after = scores.partition("*")
    fits = name.startswith(before) and name.endswith(after) and len(name) > len(before) + len(after)
    return name[len(before) : len(name) - len(after)] if fits and name != truth else None


def _columns_of_truth(
    truth: str, scores: str, matching: list[str], columns: list[str], source: str
) -> tuple[list[str], list[str]]:
    """The columns of 0 and 1 that a pattern of the truth names, and those of scores: each category
    has one of both.
    """
    # A pattern such as "*" or "y*" may match columns of the other kind as well.
    of_truth = {_category(name, scores, truth): name for name in columns}
    of_scores = {_category(name, truth, scores): name for name in matching}
    both = [name for name in of_scores if name in of_truth and of_truth[name] != of_scores[name]]
    if not both:
        raise Mistake(
            "no column is like {got} for a category that has scores",
            "name the columns of 0 and 1 with ⟨truth=⟩",
            got=truth,
            allowed=Labels("the columns are", columns),
        ).error(source)
    chosen = {of_truth[name] for name in both}
    lonely = [
        name for category, name in of_scores.items() if category not in both and name not in chosen
    ]
    if lonely:
        raise Mistake(
            "column of scores {got} has no column of labels like {truth}",
            "add it, or name fewer columns with ⟨scores=⟩",
            got=lonely[0],
            truth=truth,
        ).error(source)
    return [of_truth[name] for name in both], [of_scores[name] for name in both]


def _columns(truth: str, scores: str, groups: str | None, source: str) -> Choice:
    def choose(columns: list[str]) -> list[str]:
        matching = [
            name
            for name in columns
            if name != groups and _category(name, truth, scores) is not None
        ]
        labels = [truth]
        if truth not in columns and truth.count("*") == 1 and matching:
            labels, matching = _columns_of_truth(truth, scores, matching, columns, source)
        named = [("truth=", name) for name in labels]
        named += [("scores=", name) for name in matching]
        named += [] if groups is None else [("groups=", groups)]
        chosen = choose_by_name(named, source)(columns)
        if not matching:
            raise Mistake(
                "no column is like {got}",
                "name those of scores with ⟨scores=⟩",
                got=scores,
                allowed=Labels("the columns are", columns),
            ).error(source)
        return chosen

    return choose
