"""Several systems on the same topics: every pair, or each against a baseline, corrected for the
number of pairs; and letters.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from precall.core.arguments import check_choice, check_kind, choose, is_numbered, refuse_set, sound
from precall.core.errors import Fact, Names, Shape, UsageError
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
    corrected,
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
    notes_of_both,
    range_of_values,
    why_no_interval,
)
from precall.stats.tests.pairing import aligned, differences, tell_left_out
from precall.stats.tests.signflip import LEAST

#: With more groups than this there are no letters.
_MOST = 200
#: Numbers in memory at a time: of differences, and of sums over random subsets of topics.
_CELLS, _SUMS = 2**22, 2**24


@dataclass(frozen=True, slots=True, eq=False)
class PairFamily:
    """Pairs of columns of topics x systems that have the same test; it computes everything about
    them except p.
    """

    values: Float64
    names: list[str]
    places: list[tuple[int, int]]
    choices: PairedOptions
    measure: str
    higher_is_better: bool

    def parts(self) -> Iterator[tuple[list[tuple[int, int]], Float64]]:
        """Batches of pairs (as column indices) with their differences, topics x pairs."""
        width = max(1, _CELLS // len(self.values))
        for begin in range(0, len(self.places), width):
            batch = self.places[begin : begin + width]
            first, second = map(list, zip(*batch, strict=True))
            yield batch, np.sort(differences(self.values[:, first], self.values[:, second]), axis=0)

    def blocks(self) -> Iterator[tuple[list[int], list[int]]]:
        """Groups of columns, each with the numbers of its pairs: one group, unless the sums of all
        draws would take too much memory.
        """
        most = max(2, _SUMS // self.choices.resamples)
        width = len(self.names) if len(self.names) <= most else most // 2
        by_block: dict[tuple[int, int], list[int]] = {}
        for number, (i, j) in enumerate(self.places):
            by_block.setdefault((i // width, j // width), []).append(number)
        for numbers in by_block.values():
            yield sorted({column for number in numbers for column in self.places[number]}), numbers

    def spreads(self) -> tuple[Float64, Float64]:
        """Mean difference and deviation of the differences of all pairs."""
        moments = [_moments(gaps) for _, gaps in self.parts()]
        return np.concatenate([moments_of_part[0] for moments_of_part in moments]), np.concatenate(
            [moments_of_part[1] for moments_of_part in moments]
        )

    def comparisons(
        self, results: Sequence[Result], test: str, interval: str, correction: str = "none"
    ) -> list[Comparison]:
        """One comparison per pair, each with the bounds of its result."""
        pairs: list[Comparison] = []
        means = [mean(column) for column in self.values.T]
        has_open_ends = any(
            result.edges is not None and math.isinf(result.edges[0]) for result in results
        )
        value_range = range_of_values(self.measure, self.values) if has_open_ends else None
        for places, gaps in self.parts():
            facts = self._facts(gaps)
            for row, (i, j) in enumerate(places):
                difference, spread, effect, wins, ties, losses, remarkable = (
                    column[row] for column in facts
                )
                result, reason = results[len(pairs)], why_no_interval(gaps[:, row], spread)
                low, high, range_notes = (
                    (None, None, ())
                    if reason
                    else cut_to_reach(
                        *(result.edges or (math.nan, math.nan)), self.choices, value_range
                    )
                )
                remarks: tuple[Note, ...] = range_notes
                mirror = None
                if remarkable:
                    by_sign = notes_of_both(
                        gaps[:, row], partial(self._notes, spread=spread, test=test)
                    )
                    remarks, swapped = ((*each, *remarks) for each in by_sign)
                    mirror = Mirror(result.method, opposite(difference), swapped)
                pairs.append(
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
                        no_interval=""
                        if low is not None
                        else reason or no_bounds(gaps[:, row], test, self.choices),
                    )
                )
        return pairs

    def _notes(self, difference: Float64, spread: float, test: str) -> list[Note]:
        if test != tukey.NAME:
            return notes(difference, test, self.choices, spread)
        note = skewness.remark(difference, test)
        return [] if note is None else [note]

    def _facts(self, gaps: Float64) -> tuple[list[Any], ...]:
        """Difference, its deviation, effect, wins, ties, losses, and whether there may be notes."""
        size, level = len(gaps), self.choices.level
        difference, spread = _moments(gaps)
        above, below = (gaps > 0).sum(axis=0), (gaps < 0).sum(axis=0)
        differ = above + below
        effect = np.divide(
            difference, spread, out=np.full(len(spread), None, object), where=spread > 0
        )
        effect[differ == 0] = 0.0
        is_remarkable = (2.0 ** (1 - differ) > 1 - level) | skewness.remarkable(
            gaps, "randomization"
        )
        wins, losses = (above, below) if self.higher_is_better else (below, above)
        columns = (
            difference,
            spread,
            effect,
            wins,
            size - differ,
            losses,
            (spread == 0) | (differ > 0) & is_remarkable,
        )
        return tuple(column.tolist() for column in columns)


def _moments(gaps: Float64) -> tuple[Float64, Float64]:
    """Means and deviations of columns, as by `deviation`; they do not depend on which system comes
    first.
    """
    size = len(gaps)
    centre = np.array([mean(column) for column in gaps.T])
    if size < 2:
        return centre, np.full(gaps.shape[1], np.nan)
    deviations = np.sort(np.abs(gaps - centre), axis=0)
    spread = np.sqrt((deviations * deviations).sum(axis=0) / (size - 1))
    spread[spread <= TOLERANCE * np.abs(gaps).max(axis=0)] = 0.0
    return centre, spread


def many(
    matrix: Any,
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
    higher_is_better: bool = True,
) -> Comparisons:
    """Compare several systems, pair by pair.

    Parameters
    ----------
    matrix : topics x systems; or {system: values per topic}, values as `paired` takes them.
    names : names of the systems, one per column (default: those of a data frame, else 1, 2, ...).
    test : see `paired`. It is two-sided.
    correction : correction for the number of pairs: "holm" or "hochberg" (control the chance of any
        false alarm), "bh" or "by" (control the share of false alarms among the significant:
        Benjamini & Hochberg, & Yekutieli); "none"; or "tukey": randomised Tukey HSD, which replaces
        the test by the greatest t of all pairs under random signs of topics. It assumes that
        differences are symmetric about their means, but not that systems have equal variances.
    baseline : compare each other system with this one only (system minus baseline); None for all
        pairs.
    level, measure, higher_is_better : see `paired`.
    resamples, rng : see `paired`. Signs are shared by all pairs.
    unpaired, undefined : see `paired`. A topic that is left out is left out for all systems.

    Returns
    -------
    Comparisons
        With letters if all pairs were compared (systems that share a letter do not differ
        significantly), and the two-way analysis of variance. Intervals are those of each pair by
        itself. Those of "tukey" are simultaneous, and such an interval holds 0 if and only if the
        adjusted p is above 1 - level.

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
    return compared_columns(
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
        higher_is_better=higher_is_better,
    )


def compared_columns(
    given: Mapping[str, Any],
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
) -> Comparisons:
    """The comparisons of values by the names of their systems; see `many`.

    `reach` is the greatest possible distance of differences from 0.
    """
    test = choose("test", test, TESTS, ELSEWHERE, INSTEAD_OF_SEVERAL)
    correction = choose("correction", correction, CORRECTIONS, ELSEWHERE, INSTEAD_OF_SEVERAL)
    choices = PairedOptions("two-sided", level, resamples, rng, reach=reach)
    if baseline is not None:
        check_kind("baseline", baseline, str, "the name of a system")
        check_choice("baseline", baseline, Names("the systems are", given))
    values, _, dropped = aligned(given, unpaired, undefined)
    names = list(given)
    # Topics are sorted by their values, with systems in the order of their names: so the draws for
    # topics depend on no order.
    by_name = sorted(range(len(names)), key=names.__getitem__)
    values = values[np.lexsort(values[:, by_name[::-1]].T)]
    places = [
        (i, j)
        for i, j in combinations(range(len(names)), 2)
        if baseline is None or baseline in (names[i], names[j])
    ]
    if baseline is not None:
        last = names.index(baseline)
        places = [(i + j - last, last) for i, j in places]
    family = PairFamily(values, names, places, choices, measure, higher_is_better)
    pairs, remarks = (
        _tukey(family)
        if correction == "tukey"
        else (corrected(_test_pairs(family, test), correction), [])
    )
    if dropped:
        pairs = [replace(pair, left_out=dropped) for pair in pairs]
    return _build_comparisons(values, names, pairs, measure, baseline, dropped, remarks)


def _values_by_name(matrix: Any, names: Sequence[str] | None) -> dict[str, Any]:
    check_kind("names", names or (), Collection, "a list of names, one of each system")
    refuse_set("names", names, "a list of names, one of each system")
    if isinstance(matrix, Mapping):
        values_by_name = {as_text(name): values for name, values in matrix.items()}
        if names is not None and list(map(as_text, names)) != list(values_by_name):
            raise UsageError(
                argument="names",
                what="the mapping names the systems already",
                remedy="leave names out",
            )
    else:
        matrix = sound(matrix, "matrix")
        try:
            table = np.asarray(matrix)
        except ValueError as problem:
            raise UsageError(argument="matrix", allowed=f"topics x systems ({problem})") from None
        if names is None:
            # The columns of a data frame have the names of the systems.
            columns = getattr(matrix, "column_names", getattr(matrix, "columns", None))
            names = None if columns is None or is_numbered(columns) else list(map(as_text, columns))
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


def _test_pairs(family: PairFamily, test: str) -> list[Comparison]:
    """The comparisons, each with its own test; all sampled tests share random signs."""
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
            for i, j in family.places
        ]
    budget = signflip.AFFORDABLE // len(family.places)
    exact = [
        signflip.exact_tail(gaps, affordable=budget)
        for _, gaps_of_part in family.parts()
        for gaps in gaps_of_part.T
    ]
    results: list[Result | None] = [None] * len(exact)
    for columns, numbers in family.blocks():
        pairs = [
            (columns.index(i), columns.index(j))
            for i, j in (family.places[number] for number in numbers)
        ]
        of_block = invert_tests(
            family.values[:, columns], pairs, family.choices, [exact[number] for number in numbers]
        )
        for number, result in zip(numbers, of_block, strict=True):
            results[number] = result
    return family.comparisons(list(filter(None, results)), test, DECLARED[test].interval)


def invert_tests(
    values: Float64,
    pairs: list[tuple[int, int]],
    choices: PairedOptions,
    exact: Sequence[tuple[float, Method] | None],
) -> Iterator[Result]:
    """Results of the randomization test of pairs of columns: p, unless it is known exactly, and the
    interval of the differences that are not rejected.
    """
    signs = signflip.RandomSigns.of(values, choices.resamples, choices.rng)
    first, second = (np.array(side) for side in zip(*pairs, strict=True))
    size = np.abs(values).sum(axis=0)
    near = TOLERANCE * (size[first] + size[second])
    centre = values.sum(axis=0)
    columns = (column.tolist() for column in signs.pairs(first, second, near, choices.level))
    for (i, j), exact_result, p, low, high in zip(pairs, exact, *columns, strict=True):
        p, method = exact_result or (p, signs.method)
        edges = signflip.reconcile_bounds(
            low,
            high,
            is_significant(p, choices.level),
            float(centre[i] - centre[j]) / len(values),
            partial(signs.beyond, i, j, near=float(size[i] + size[j]) * TOLERANCE / len(values)),
        )
        yield Result(p, method, edges=edges, seed=signs.seed)


def _tukey(family: PairFamily) -> tuple[list[Comparison], list[Note]]:
    """The comparisons by the greatest t of all pairs, and the notes on all of them."""
    values, choices = family.values, family.choices
    difference, spread = family.spreads()
    # One topic has no deviation.
    spread = np.nan_to_num(spread)
    first, second = (np.array(side) for side in zip(*family.places, strict=True))
    distribution = tukey.greatest(values, first, second, spread, choices.resamples, choices.rng)
    p, critical_t = distribution.p(difference, spread), distribution.quantile(choices.level)
    results = []
    for p_of_pair, centre, deviation in zip(
        p.tolist(), difference.tolist(), spread.tolist(), strict=True
    ):
        half = critical_t * deviation / len(values) ** 0.5 if deviation else math.inf
        nearest = partial(math.copysign, abs(centre) * TOLERANCE)
        edges = signflip.reconcile_bounds(
            centre - half, centre + half, is_significant(p_of_pair, choices.level), centre, nearest
        )
        results.append(Result(p_of_pair, distribution.method, edges=edges, seed=distribution.seed))
    remarks: list[Note] = []
    is_skewed = any(skewness.remarkable(gaps, tukey.NAME).any() for _, gaps in family.parts())
    if is_skewed and (ratio := tukey.unlike(spread, len(values))):
        remarks.append(UnlikeSpreads("", ratio, tukey.NAME))
    return family.comparisons(results, tukey.NAME, tukey.NAME, "tukey"), remarks


def _build_comparisons(
    values: Float64,
    names: list[str],
    pairs: list[Comparison],
    measure: str,
    baseline: str | None,
    dropped: int,
    remarks: Sequence[Note] = (),
) -> Comparisons:
    means, first = dict(zip(names, map(mean, values.T), strict=True)), pairs[0]
    # Notes on skewed topics are collected for all pairs; other notes stay with each pair.
    notes_: list[Note] = (
        list(dict.fromkeys(first.notes))
        if len(pairs) == 1
        else [
            note
            for pair in pairs
            for note in notes_of(" - ".join(pair.names), pair.notes)
            if isinstance(note, OfSkewness)
        ]
    )
    common_notes = [*remarks, *tell_left_out(dropped), *_note_few_resamples(pairs)]
    notes_ += common_notes
    sign = 1 if first.higher_is_better else -1
    goodness = {name: sign * value for name, value in means.items()}
    different = [pair.names for pair in pairs if pair.significant]
    letters = {} if baseline is not None else display(goodness, different)
    if baseline is None and not letters:
        notes_.append(NoLetters(""))
    conventions = {
        "test": tests_in_words({measure: pairs}),
        "correction": first.correction,
        "bounds": first.interval,
        "level": f"{first.level:.12g}",
        "topics": str(len(values)),
        "baseline": baseline or "",
        "seed": next((str(pair.seed) for pair in pairs if pair.seed is not None), ""),
    }
    return Comparisons(
        pairs=tuple(pair._with_shared(common_notes) for pair in pairs),
        names=tuple(names),
        means={measure: means},
        letters={measure: letters} if letters else {},
        anova={measure: anova(values)} if len(names) > 2 and len(values) > 1 else {},
        conventions={key: text for key, text in conventions.items() if text},
        notes=tuple(notes_),
    )


def _note_few_resamples(pairs: list[Comparison]) -> list[Note]:
    """The note that there are too few resamples for even the clearest of the pairs to be
    significant, if so.
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
    no_residual = sums[2] <= TOLERANCE * max(math.fsum(sums), 1e-300)
    f = tuple(float("nan") if no_residual else total / squares[2] for total in squares[:2])
    p = tuple(np.maximum(special().fdtrc(freedom[:2], freedom[2], f), LEAST).tolist())
    return Anova(sums, freedom, squares, f, p)  # type: ignore[arg-type]


def display(means: Mapping[str, float], different: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The letters of each system; `a` is the group of the best system, whose mean is the highest.

    Empty if there would be too many groups. If differences depend only on the distance in the order
    of the means, groups are runs in that order. Otherwise the method is insert and absorb: start
    with one group of all systems; each significant pair splits every group that holds both into one
    without the first and one without the second; groups within others are removed.
    """
    order = sorted(means, key=lambda name: (-means[name], name))
    rank = {name: index for index, name in enumerate(order)}
    differing = [set[int]() for _ in order]
    for first, second in different:
        differing[rank[first]].add(rank[second])
        differing[rank[second]].add(rank[first])
    groups = _runs(differing)
    if groups is None:
        groups = _insert_and_absorb(differing)
    members = sorted(
        [index for index in range(len(order)) if group >> index & 1] for group in groups
    )
    letters: dict[str, str] = dict.fromkeys(order, "")
    for number, group_members in enumerate(members):
        for index in group_members:
            letters[order[index]] += letter(number)
    return letters if groups else {}


def _runs(differing: list[set[int]]) -> list[int] | None:
    """Groups as runs of neighbours in the order of means; None if a pair inside a run differs.

    A group is an integer whose bits are the positions of its members.
    """
    groups: list[int] = []
    for index, others in enumerate(differing):
        later = [other for other in others if other > index]
        end = min(later, default=len(differing))
        before = groups[-1].bit_length() if groups else 0
        if len(later) < len(differing) - end or end < before:
            return None  # some pair does not differ although a pair inside it does
        if end > before:
            groups.append((1 << end) - (1 << index))
    return groups


def _insert_and_absorb(differing: list[set[int]]) -> list[int]:
    groups = [(1 << len(differing)) - 1]
    for first, others in enumerate(differing):
        for second in sorted(index for index in others if index > first):
            both = 1 << first | 1 << second
            split = [group for group in groups if group & both == both]
            if not split:
                continue
            unsplit = [group for group in groups if group & both != both]
            halves = dict.fromkeys(
                group & ~(1 << index) for group in split for index in (first, second)
            )
            # Drop new groups that lie within an old group, or within another new one.
            new_groups = [
                group for group in halves if not any(group & other == group for other in unsplit)
            ]
            groups = unsplit + [
                group
                for group in new_groups
                if not any(group & other == group != other for other in new_groups)
            ]
            if len(groups) > _MOST:
                return []
    return groups


def letter(place: int) -> str:
    """The letter of a group: a to z, then A to Z, then numbers in brackets.

    Examples
    --------
    >>> letter(0), letter(25), letter(26), letter(52)
    ('a', 'z', 'A', '(53)')
    """
    if place < 26:
        return chr(ord("a") + place)
    return chr(ord("A") + place - 26) if place < 52 else f"({place + 1})"
