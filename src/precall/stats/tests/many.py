"""Comparisons of several systems on the same topics: every pair, or each against a baseline, with a
correction for the number of comparisons; groups of systems by letters.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from types import MappingProxyType
from typing import Any

import numpy as np

from precall.core.arguments import (
    check_choice,
    check_kind,
    choose,
    has_default_index,
    refuse_set,
    validate_arrow,
)
from precall.core.errors import Fact, Names, NoArray, Shape, UsageError
from precall.core.methods import Method
from precall.core.notes import Note, notes_of
from precall.core.notes.of_comparisons import FewResamples, NoLetters, OfSkewness, UnlikeSpreads
from precall.core.ragged import Float64, mean
from precall.core.rng import Rng
from precall.core.text import as_text
from precall.stats import skewness
from precall.stats.resample.batches import TOLERANCE
from precall.stats.scipy import special
from precall.stats.tests import (
    CORRECTIONS,
    DECLARED,
    ELSEWHERE,
    INSTEAD_OF_SEVERAL,
    TESTS,
    signflip,
    tukey,
)
from precall.stats.tests.comparisons import (
    Anova,
    Comparison,
    Comparisons,
    Mirror,
    bounds_in_words,
    correct_for_number,
    is_significant,
    opposite,
    tests_in_words,
)
from precall.stats.tests.paired import (
    RESAMPLES,
    PairedOptions,
    Result,
    compare_columns,
    cut_to_reach,
    no_bounds,
    notes,
    notes_against_mean,
    notes_of_both,
    range_of_values,
    why_no_interval,
)
from precall.stats.tests.pairing import align_values, differences, is_high_good, tell_left_out
from precall.stats.tests.signflip import LEAST
from precall.stats.weighted_topics import weighted_mean

#: With more groups than this, no letters are shown.
_MOST = 200
#: The greatest numbers of differences, and of sums over random subsets of topics, held in memory.
_CELLS, _SUMS = 2**22, 2**24


@dataclass(frozen=True, slots=True, eq=False)
class FamilyOfPairs:
    """Pairs of columns of topics x systems that are all tested alike: everything about the pairs
    except p.
    """

    values: Float64
    names: list[str]
    column_pairs: list[tuple[int, int]]
    choices: PairedOptions
    measure: str
    higher_is_better: bool
    weights: Float64 | None = None
    """The weights of the topics; None if they are equal."""

    def parts(self) -> Iterator[tuple[list[tuple[int, int]], Float64]]:
        """Batches of pairs of columns, with their differences, topics x pairs."""
        width = max(1, _CELLS // len(self.values))
        for begin in range(0, len(self.column_pairs), width):
            batch = self.column_pairs[begin : begin + width]
            first, second = map(list, zip(*batch, strict=True))
            yield batch, np.sort(differences(self.values[:, first], self.values[:, second]), axis=0)

    def blocks(self) -> Iterator[tuple[list[int], list[int]]]:
        """Sets of columns, with the indices of the pairs among these.

        A single set has all columns, unless sums over all random draws would take much memory.
        """
        most = max(2, _SUMS // self.choices.resamples)
        width = len(self.names) if len(self.names) <= most else most // 2
        by_block: dict[tuple[int, int], list[int]] = {}
        for number, (i, j) in enumerate(self.column_pairs):
            by_block.setdefault((i // width, j // width), []).append(number)
        for numbers in by_block.values():
            yield (
                sorted({column for number in numbers for column in self.column_pairs[number]}),
                numbers,
            )

    def spreads(self) -> tuple[Float64, Float64]:
        """The mean difference and the standard deviation of differences, for all pairs."""
        moments = [_moments(gaps) for _, gaps in self.parts()]
        return np.concatenate([each[0] for each in moments]), np.concatenate(
            [each[1] for each in moments]
        )

    def comparisons(
        self, results: Sequence[Result], test: str, interval: str, correction: str = "none"
    ) -> list[Comparison]:
        """One comparison per pair, each with the bounds of its result."""
        comparisons: list[Comparison] = []
        means = [mean(column) for column in self.values.T]
        open_ended = any(
            result.edges is not None and math.isinf(result.edges[0]) for result in results
        )
        limits = range_of_values(self.measure, self.values) if open_ended else None
        for batch, gaps in self.parts():
            facts = self._facts(gaps)
            for row, (i, j) in enumerate(batch):
                difference, spread, effect, wins, ties, losses, remarkable = (
                    column[row] for column in facts
                )
                result, why = results[len(comparisons)], why_no_interval(gaps[:, row], spread)
                low, high, range_notes = (
                    (None, None, ())
                    if why
                    else cut_to_reach(*(result.edges or (math.nan, math.nan)), self.choices, limits)
                )
                remarks: tuple[Note, ...] = range_notes
                mirror = None
                if remarkable:
                    by_sign = notes_of_both(
                        gaps[:, row], partial(self._notes, spread=spread, test=test)
                    )
                    has_bounds = low is not None and not all(map(math.isinf, result.edges or ()))
                    remarks, swapped = (
                        skewness.keep_if_concerned(
                            (*each, *remarks), result.p, self.choices.level, has_bounds
                        )
                        for each in by_sign
                    )
                    mirror = Mirror(result.method, opposite(difference), swapped)
                if len(results) == 1 and test != tukey.NAME:
                    # The p of several pairs are adjusted later.
                    against = notes_against_mean(
                        gaps[:, row], (low, high), result.p, test, self.choices
                    )
                    remarks = (*remarks, *against)
                    mirror = mirror and mirror._replace(notes=(*mirror.notes, *against))
                comparisons.append(
                    Comparison(
                        names=(self.names[i], self.names[j]),
                        measure=self.measure,
                        values=(means[i], means[j]),
                        difference=difference,
                        low=low,
                        high=high,
                        level=self.choices.level,
                        p=result.p,
                        test=test,
                        method=result.method,
                        size=len(gaps),
                        wins=wins,
                        ties=ties,
                        losses=losses,
                        correction=correction,
                        statistic=difference,
                        effect=effect,
                        higher_is_better=self.higher_is_better,
                        seed=result.seed,
                        notes=remarks,
                        mirror=mirror,
                        interval=interval,
                        interval_resamples=None if low is None else result.resamples,
                        no_interval=""
                        if low is not None
                        else why or no_bounds(gaps[:, row], test, self.choices),
                    )
                )
        return comparisons

    def _notes(self, difference: Float64, spread: float, test: str) -> list[Note]:
        if test != tukey.NAME:
            return notes(difference, test, self.choices, spread)
        skewed = skewness.remark(difference, test)
        return [] if skewed is None else [skewed]

    def _facts(self, gaps: Float64) -> tuple[list[Any], ...]:
        """For each pair: difference, standard deviation, effect, wins, ties, losses, and whether
        there is something to note.
        """
        size, level = len(gaps), self.choices.level
        difference, spread = _moments(gaps)
        above, below = (gaps > 0).sum(axis=0), (gaps < 0).sum(axis=0)
        differing = above + below
        effect = np.divide(
            difference, spread, out=np.full(len(spread), None, object), where=spread > 0
        )
        effect[differing == 0] = 0.0
        is_remarkable = (2.0 ** (1 - differing) > 1 - level) | skewness.remarkable(
            gaps, "randomization"
        )
        wins, losses = (above, below) if self.higher_is_better else (below, above)
        columns = (
            difference,
            spread,
            effect,
            wins,
            size - differing,
            losses,
            (spread == 0) | (differing > 0) & is_remarkable,
        )
        return tuple(column.tolist() for column in columns)


def _moments(gaps: Float64) -> tuple[Float64, Float64]:
    """Means of columns, and standard deviations as by `deviation`; independent of which system
    comes first.
    """
    size = len(gaps)
    centre = np.array([mean(column) for column in gaps.T])
    if size < 2:
        return centre, np.full(gaps.shape[1], np.nan)
    distance = np.sort(np.abs(gaps - centre), axis=0)
    spread = np.sqrt((distance * distance).sum(axis=0) / (size - 1))
    spread[spread <= TOLERANCE * np.abs(gaps).max(axis=0)] = 0.0
    return centre, spread


def many(
    matrix: object,
    names: Sequence[str] | None = None,
    *,
    test: str = "randomization",
    correction: str = "holm",
    baseline: str | None = None,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    rng: Rng = 0,
    measure: str = "value",
    unpaired: str = "error",
    undefined: str = "omit",
    higher_is_better: bool | None = None,
) -> Comparisons:
    """Compare several systems, pair by pair.

    Parameters
    ----------
    matrix : topics x systems; or {system: values per topic}, values as `paired` takes them.
    names : names of the systems, one per column (default: those of a data frame, else 1, 2, ...).
    test : see `paired`. It is two-sided.
    correction : for the number of pairs: "holm" or "hochberg" control the chance of any false
        alarm; "bh" (Benjamini & Hochberg) or "by" (Benjamini & Yekutieli) the share of false alarms
        among significant pairs; "none". "tukey", randomised Tukey HSD, replaces the test: it uses
        the greatest t of all pairs under random signs of topics. It assumes that differences are
        symmetric about their means, and not that systems vary alike.
    baseline : compare each other system with this one only (system minus baseline); None for all
        pairs.
    level, measure, higher_is_better : see `paired`.
    resamples, rng : see `paired`. Signs are shared by all pairs.
    unpaired, undefined : see `paired`. A topic that is left out for one system is left out for all.

    Returns
    -------
    Comparisons
        With the two-way analysis of variance. If all pairs were compared, systems have letters:
        those that share a letter do not differ significantly. Intervals hold for each pair
        separately. Those of "tukey" hold simultaneously, and contain 0 if and only if the adjusted
        p is above 1 - level.

    Raises
    ------
    DataError, UsageError, MissingExtra
        See `paired`.

    References
    ----------
    Carterette, "Multiple testing in statistical analysis of systems-based information retrieval
    experiments", TOIS 2012. Sakai, "Laboratory experiments in information retrieval", 2018.
    Westfall & Young, "Resampling-based multiple testing", 1993, for the greatest t.

    Examples
    --------
    >>> values = {
    ...     "x": [0.9, 0.8, 0.7, 0.9, 0.8, 0.9, 0.6, 0.8],
    ...     "y": [0.5, 0.4, 0.5, 0.6, 0.5, 0.4, 0.3, 0.6],
    ...     "z": [0.4, 0.5, 0.6, 0.5, 0.4, 0.5, 0.3, 0.7],
    ... }
    >>> compared = many(values, correction="tukey")
    >>> compared.letters["value"], [pair.adjusted < 0.02 for pair in compared.pairs]
    ({'x': 'a', 'z': 'b', 'y': 'b'}, [True, True, False])
    """
    check_kind("measure", measure, Hashable, "the name of the measure")
    return prepare(
        _values_by_name(matrix, names),
        test=test,
        correction=correction,
        baseline=baseline,
        level=level,
        resamples=resamples,
        rng=rng,
        measure=measure,
        unpaired=unpaired,
        undefined=undefined,
        higher_is_better=is_high_good(measure, higher_is_better),
    ).compare()


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """Values that are aligned and checked, to be compared by a test and a correction."""

    family: FamilyOfPairs
    test: str
    correction: str
    baseline: str | None
    dropped: int

    def compare(self, signs: signflip.RandomSigns | None = None) -> Comparisons:
        """The comparisons; `signs` are those of all columns, if they were drawn already."""
        family, dropped = self.family, self.dropped
        pairs, remarks = (
            _tukey(family)
            if self.correction == "tukey"
            else (correct_for_number(_compare_each(family, self.test, signs), self.correction), [])
        )
        if dropped:
            pairs = [replace(pair, left_out=dropped) for pair in pairs]
        return build_comparisons(
            family.values,
            family.names,
            pairs,
            family.measure,
            self.baseline,
            dropped,
            remarks,
            family.weights,
        )

    @property
    def draws(self) -> tuple[int, int, Rng] | None:
        """What the random signs depend on; None if there are none, if topics have weights, or if
        all columns at once would take much memory.
        """
        if self.test != "randomization" or self.correction == "tukey":
            return None
        if self.family.weights is not None:
            return None
        choices = self.family.choices
        return len(self.family.values), choices.resamples, choices.rng


def compare_together(several: Sequence[Prepared]) -> list[Comparisons]:
    """The comparisons of each; signs that would be the same are drawn once, and summed over the
    columns of all together, which takes little longer than over those of one.
    """
    by_draws: dict[object, list[int]] = {}
    for number, prepared in enumerate(several):
        by_draws.setdefault(prepared.draws, []).append(number)
    results: dict[int, Comparisons] = {}
    for draws, numbers in by_draws.items():
        families = [several[number].family for number in numbers]
        width = sum(family.values.shape[1] for family in families)
        choices = families[0].choices
        if draws is None or len(numbers) == 1 or width > _SUMS // choices.resamples:
            results |= {number: several[number].compare() for number in numbers}
            continue
        values = np.concatenate([family.values for family in families], axis=1)
        signs, first = signflip.RandomSigns.of(values, choices.resamples, choices.rng), 0
        for number, family in zip(numbers, families, strict=True):
            # A copy by columns, as `_compare_each` makes: digits of sums depend on the layout.
            own = family.values[:, list(range(len(family.names)))]
            results[number] = several[number].compare(signs.of_columns(first, own))
            first += own.shape[1]
    return [results[number] for number in range(len(several))]


def prepare(
    values_by_name: Mapping[str, object],
    *,
    test: str,
    correction: str,
    baseline: str | None,
    level: float,
    resamples: int,
    rng: Rng,
    measure: str,
    unpaired: str,
    undefined: str = "omit",
    higher_is_better: bool = True,
    reach: float | None = None,
    weights: Mapping[str, float] = MappingProxyType({}),
) -> Prepared:
    """Values by the names of their systems, aligned and checked; see `many`.

    `reach` is the greatest possible size of a difference, `weights` are those of topics by id, if
    they have some.
    """
    test = choose("test", test, TESTS, ELSEWHERE, INSTEAD_OF_SEVERAL)
    correction = choose("correction", correction, CORRECTIONS, ELSEWHERE, INSTEAD_OF_SEVERAL)
    choices = PairedOptions("two-sided", level, resamples, rng, reach=reach)
    if baseline is not None:
        check_kind("baseline", baseline, str, "the name of a system")
        check_choice("baseline", baseline, Names("the systems are", values_by_name))
    values, topics, dropped = align_values(values_by_name, unpaired, undefined)
    column = None
    if weights and len({weights[topic] for topic in topics}) > 1:
        column = np.array([weights[topic] for topic in topics], np.float64)
    listed = list(values_by_name)
    # Topics are sorted by their values, with systems in the order of their names, so that random
    # draws do not depend on the order of topics or systems.
    by_name = sorted(range(len(listed)), key=listed.__getitem__)
    sorted_by = values[:, by_name[::-1]].T
    order = np.lexsort(sorted_by if column is None else np.vstack((column, sorted_by)))
    values, column = values[order], None if column is None else column[order]
    column_pairs = [
        (i, j)
        for i, j in combinations(range(len(listed)), 2)
        if baseline is None or baseline in (listed[i], listed[j])
    ]
    if baseline is not None:
        last = listed.index(baseline)
        column_pairs = [(i + j - last, last) for i, j in column_pairs]
    family = FamilyOfPairs(values, listed, column_pairs, choices, measure, higher_is_better, column)
    return Prepared(family, test, correction, baseline, dropped)


def _values_by_name(matrix: object, names: Sequence[str] | None) -> dict[str, Any]:
    """Values per topic by the name of each system; refuse fewer than two systems."""
    check_kind("names", names or (), Collection, "a list of names, one for each system")
    refuse_set("names", names, "a list of names, one for each system")
    if isinstance(matrix, Mapping):
        values_by_name = {as_text(name): values for name, values in matrix.items()}
        if names is not None and list(map(as_text, names)) != list(values_by_name):
            raise UsageError(
                argument="names",
                what="the mapping names the systems already",
                remedy="leave names out",
            )
    else:
        matrix = validate_arrow(matrix, "matrix")
        try:
            table = np.asarray(matrix)
        except ValueError as problem:
            got = NoArray(matrix, problem)
            raise UsageError(argument="matrix", allowed="topics x systems", got=got) from None
        if names is None:
            # In a data frame the names of columns are those of the systems.
            columns = getattr(matrix, "column_names", getattr(matrix, "columns", None))
            names = (
                None
                if columns is None or has_default_index(columns)
                else list(map(as_text, columns))
            )
        if table.ndim != 2:
            raise UsageError(argument="matrix", allowed="topics x systems", got=Shape(table.shape))
        labels = (
            [str(i + 1) for i in range(table.shape[1])]
            if names is None
            else list(map(as_text, names))
        )
        if len(labels) != table.shape[1] or len(set(labels)) < len(labels):
            raise UsageError(
                argument="names",
                allowed=f"{table.shape[1]} different ones, one per column",
                got=names,
            )
        values_by_name = {name: table[:, i] for i, name in enumerate(labels)}
    if len(values_by_name) < 2:
        raise UsageError(
            "there must be two systems or more to compare",
            got=Fact(", ".join(values_by_name) or "none"),
        )
    return values_by_name


def _compare_each(
    family: FamilyOfPairs, test: str, signs: signflip.RandomSigns | None = None
) -> list[Comparison]:
    """Comparisons of the pairs by a test of each; sampled tests share their random signs, which may
    be drawn already for all columns.
    """
    if family.weights is not None:
        from precall.stats.tests.weighted import compare_weighted

        return compare_weighted(family, family.weights, test)
    if test != "randomization":
        return [
            compare_columns(
                family.values[:, i],
                family.values[:, j],
                test,
                family.choices,
                (family.names[i], family.names[j]),
                family.measure,
                0,
                family.higher_is_better,
            )
            for i, j in family.column_pairs
        ]
    budget = signflip.AFFORDABLE // len(family.column_pairs)
    exact = [
        signflip.exact_tail(gaps, affordable=budget)
        for _, batch in family.parts()
        for gaps in batch.T
    ]
    results: list[Result | None] = [None] * len(exact)
    blocks = family.blocks()
    if signs is not None:
        blocks = iter([(list(range(len(family.names))), list(range(len(exact))))])
    for columns, numbers in blocks:
        pairs = [
            (columns.index(i), columns.index(j))
            for i, j in (family.column_pairs[number] for number in numbers)
        ]
        block_results = invert_tests(
            family.values[:, columns],
            pairs,
            family.choices,
            [exact[number] for number in numbers],
            signs,
        )
        for number, result in zip(numbers, block_results, strict=True):
            results[number] = result
    return family.comparisons(list(filter(None, results)), test, DECLARED[test].interval)


def invert_tests(
    values: Float64,
    pairs: list[tuple[int, int]],
    choices: PairedOptions,
    exact: Sequence[tuple[float, Method] | None],
    drawn: signflip.RandomSigns | None = None,
) -> Iterator[Result]:
    """Results of the randomization test for pairs of columns: p, the one in `exact` if there is
    one, and the interval of differences that are not rejected.
    """
    signs = drawn or signflip.RandomSigns.of(values, choices.resamples, choices.rng)
    first, second = (np.array(side) for side in zip(*pairs, strict=True))
    size = np.abs(values).sum(axis=0)
    near = TOLERANCE * (size[first] + size[second])
    centre = values.sum(axis=0)
    columns = (column.tolist() for column in signs.pairs(first, second, near, choices.level))
    for (i, j), exact_tail, p, low, high in zip(pairs, exact, *columns, strict=True):
        p, method = exact_tail or (p, signs.method)
        edges = signflip.reconcile_bounds(
            low,
            high,
            is_significant(p, choices.level),
            float(centre[i] - centre[j]) / len(values),
            partial(signs.beyond, i, j, near=float(size[i] + size[j]) * TOLERANCE / len(values)),
        )
        yield Result(p, method, edges=edges, seed=signs.seed, resamples=signs.method.resamples)


def _tukey(family: FamilyOfPairs) -> tuple[list[Comparison], list[Note]]:
    """Comparisons of the pairs by the greatest t of all, and the notes for all of them."""
    values, choices = family.values, family.choices
    difference, spread = family.spreads()
    # With a single topic the deviation is undefined.
    spread = np.nan_to_num(spread)
    first, second = (np.array(side) for side in zip(*family.column_pairs, strict=True))
    greatest = tukey.greatest(values, first, second, spread, choices.resamples, choices.rng)
    p, width = greatest.p(difference, spread), greatest.quantile(choices.level)
    results = []
    for p_of_pair, centre, deviation in zip(
        p.tolist(), difference.tolist(), spread.tolist(), strict=True
    ):
        half = width * deviation / len(values) ** 0.5 if deviation else math.inf
        nearest = partial(math.copysign, abs(centre) * TOLERANCE)
        edges = signflip.reconcile_bounds(
            centre - half, centre + half, is_significant(p_of_pair, choices.level), centre, nearest
        )
        by, seed = greatest.method, greatest.seed
        results.append(Result(p_of_pair, by, edges=edges, seed=seed, resamples=by.resamples))
    remarks: list[Note] = []
    skewed = any(skewness.remarkable(gaps, tukey.NAME).any() for _, gaps in family.parts())
    if skewed and (ratio := tukey.unlike(spread, len(values))):
        remarks.append(UnlikeSpreads("", ratio, tukey.NAME))
    return family.comparisons(results, tukey.NAME, tukey.NAME, "tukey"), remarks


def build_comparisons(
    values: Float64,
    names: list[str],
    pairs: list[Comparison],
    measure: str,
    baseline: str | None,
    dropped: int,
    remarks: Sequence[Note] = (),
    weights: Float64 | None = None,
) -> Comparisons:
    """The result from its pairs, with means, letters, conventions and notes; without an analysis of
    variance if topics have weights.
    """
    average = mean if weights is None else partial(weighted_mean, weights=weights)
    means, first = dict(zip(names, map(average, values.T), strict=True)), pairs[0]
    shared_notes = [*remarks, *tell_left_out(dropped), *_note_few_resamples(pairs)]
    all_notes = [*_notes_of(pairs), *shared_notes]
    sign = 1 if first.higher_is_better else -1
    goodness = {name: sign * value for name, value in means.items()}
    different = [pair.names for pair in pairs if pair.significant]
    letters = {} if baseline is not None else display(goodness, different)
    if baseline is None and not letters:
        all_notes.append(NoLetters(""))
    conventions = {
        "test": tests_in_words({measure: pairs}),
        "correction": first.correction,
        "bounds": bounds_in_words({measure: pairs}),
        "level": f"{first.level:.12g}",
        "topics": str(len(values)),
        "baseline": baseline or "",
        "seed": next((str(pair.seed) for pair in pairs if pair.seed is not None), ""),
    }
    return Comparisons(
        pairs=tuple(pair._add_shared_notes(shared_notes) for pair in pairs),
        names=tuple(names),
        means={measure: means},
        letters={measure: letters} if letters else {},
        anova={measure: replace(anova(values), notes=tuple(tell_left_out(dropped)))}
        if len(names) > 2 and len(values) > 1 and weights is None
        else {},
        conventions={key: text for key, text in conventions.items() if text},
        notes=tuple(all_notes),
    )


def with_pairs(compared: Comparisons, pairs: Sequence[Comparison]) -> Comparisons:
    """The comparisons with other p of their pairs, and the letters that follow from them."""
    changed = replace(compared, pairs=tuple(pairs))
    letters = {}
    for measure, of_measure in changed.families.items():
        if measure in compared.letters:
            sign = 1 if of_measure[0].higher_is_better else -1
            goodness = {name: sign * value for name, value in compared.means[measure].items()}
            different = [pair.names for pair in of_measure if pair.significant]
            letters[measure] = display(goodness, different)
    conventions = {**compared.conventions, "correction": pairs[0].correction}
    return replace(changed, letters=letters, conventions=conventions)


def _notes_of(pairs: list[Comparison]) -> list[Note]:
    """Notes of a single pair; for several pairs only those on skewness, as other notes stay with
    their pair.
    """
    if len(pairs) == 1:
        return list(dict.fromkeys(pairs[0].notes))
    notes = (note for pair in pairs for note in notes_of(" - ".join(pair.names), pair.notes))
    return [note for note in notes if isinstance(note, OfSkewness)]


def _note_few_resamples(pairs: list[Comparison]) -> list[Note]:
    """A note if there are too few resamples for the number of pairs, so that even the clearest pair
    cannot be significant.
    """
    sampled = [pair for pair in pairs if pair.method.resamples is not None]
    if not sampled or sampled[0].correction in ("none", "tukey"):
        return []
    least = min(pair.p for pair in sampled)
    if (
        least * ((sampled[0].method.resamples or 0) + 1) > 1.5
        or len(pairs) * least <= 1 - sampled[0].level
    ):
        return []
    return [FewResamples("", len(pairs), least)]


def anova(values: Float64) -> Anova:
    """Two-way analysis of variance of topics x systems without interaction."""
    topics, systems = values.shape
    grand = values.mean()
    between = topics * float(((values.mean(axis=0) - grand) ** 2).sum())
    rows = systems * float(((values.mean(axis=1) - grand) ** 2).sum())
    residuals = values - values.mean(axis=0) - values.mean(axis=1)[:, None] + grand
    sums = (between, rows, float((residuals**2).sum()))
    freedom = (systems - 1, topics - 1, (systems - 1) * (topics - 1))
    squares = tuple(total / df for total, df in zip(sums, freedom, strict=True))
    has_no_residual = sums[2] <= TOLERANCE * max(math.fsum(sums), 1e-300)
    f = tuple(float("nan") if has_no_residual else total / squares[2] for total in squares[:2])
    p = tuple(np.maximum(special().fdtrc(freedom[:2], freedom[2], f), LEAST).tolist())
    return Anova(sums, freedom, squares, f, p)  # type: ignore[arg-type]


def display(means: Mapping[str, float], different: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The letters of each system; empty if there are too many groups.

    `a` is the group of the system with the highest mean. If only systems that are far enough apart
    in the order of means differ, groups are runs in that order. Else they are found by insert and
    absorb: start with one group of all systems. Each significant pair splits every group that
    contains both into one without the first and one without the second. Groups within others are
    deleted.
    """
    order = sorted(means, key=lambda name: (-means[name], name))
    rank = {name: position for position, name in enumerate(order)}
    differing = [set[int]() for _ in order]
    for first, second in different:
        differing[rank[first]].add(rank[second])
        differing[rank[second]].add(rank[first])
    groups = _runs(differing)
    if groups is None:
        groups = _insert_and_absorb(differing)
    members = sorted(
        [position for position in range(len(order)) if group >> position & 1] for group in groups
    )
    letters: dict[str, str] = dict.fromkeys(order, "")
    for number, positions in enumerate(members):
        for position in positions:
            letters[order[position]] += letter(number)
    return letters if groups else {}


def _runs(differing: list[set[int]]) -> list[int] | None:
    """Groups as runs of neighbours in the order of means; None if that is not possible, as a pair
    inside a run differs.

    Bit i of a group stands for the system of rank i.
    """
    groups: list[int] = []
    for position, others in enumerate(differing):
        later = [other for other in others if other > position]
        end = min(later, default=len(differing))
        before = groups[-1].bit_length() if groups else 0
        if len(later) < len(differing) - end or end < before:
            return None  # a pair does not differ, although a pair between its ranks does
        if end > before:
            groups.append((1 << end) - (1 << position))
    return groups


def _insert_and_absorb(differing: list[set[int]]) -> list[int]:
    """Groups by insert and absorb, as `display` describes; none if there are too many."""
    groups = [(1 << len(differing)) - 1]
    for first, others in enumerate(differing):
        for second in sorted(position for position in others if position > first):
            both = 1 << first | 1 << second
            split = [group for group in groups if group & both == both]
            if not split:
                continue
            kept = [group for group in groups if group & both != both]
            new_groups = dict.fromkeys(
                group & ~(1 << position) for group in split for position in (first, second)
            )
            # Keep only new groups that lie within no old group and no other new one.
            outside = [
                group for group in new_groups if not any(group & other == group for other in kept)
            ]
            groups = kept + [
                group
                for group in outside
                if not any(group & other == group != other for other in outside)
            ]
            if len(groups) > _MOST:
                return []
    return groups


def letter(place: int) -> str:
    """Letter of a group: a to z, then A to Z, then numbers in brackets.

    Examples
    --------
    >>> letter(0), letter(25), letter(26), letter(52)
    ('a', 'z', 'A', '(53)')
    """
    if place < 26:
        return chr(ord("a") + place)
    return chr(ord("A") + place - 26) if place < 52 else f"({place + 1})"
