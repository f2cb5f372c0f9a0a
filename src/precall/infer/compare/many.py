"""Several systems on the same topics: every pair, or each against a baseline, corrected for their number; letters."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from precall.checks import check_kind, choose, is_numbered, sound
from precall.errors import UsageError
from precall.infer import quantiles, skewness
from precall.infer.compare import CORRECTIONS, ELSEWHERE, INSTEAD, TESTS, signflip
from precall.infer.compare.comparisons import (
    Anova,
    Comparison,
    Comparisons,
    bounds,
    corrected,
    how_computed,
    p_text,
)
from precall.infer.compare.order import sum_of_squares
from precall.infer.compare.paired import (
    RESAMPLES,
    Choices,
    Result,
    alike,
    compared,
    deviation,
    notes,
)
from precall.infer.compare.pairing import aligned, differences, tell_left_out
from precall.infer.compare.signflip import LEAST
from precall.infer.libraries import special
from precall.infer.resample.batches import TOLERANCE, counted, sampled_p
from precall.notes import together
from precall.ragged import Float64, Int64, mean
from precall.rng import Rng, seeded

_BATCH = 512
#: More groups than this are no display of letters any more.
_MOST = 200
#: Differences that are held at a time.
_CELLS = 2**22


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """Pairs of columns of topics x systems, all tested alike: what is said of each but its p, column by column."""

    values: Float64
    names: list[str]
    places: list[tuple[int, int]]
    choices: Choices
    measure: str
    higher_is_better: bool

    def parts(self) -> Iterator[tuple[list[tuple[int, int]], Float64]]:
        """Places and their differences, topics x pairs, a few at a time."""
        width = max(1, _CELLS // len(self.values))
        for begin in range(0, len(self.places), width):
            some = self.places[begin : begin + width]
            first, second = map(list, zip(*some, strict=True))
            yield some, np.sort(differences(self.values[:, first], self.values[:, second]), axis=0)

    def comparisons(
        self, tested: Sequence[Result], test: str, correction: str = "none", half: float | None = None
    ) -> list[Comparison]:
        """One comparison per pair; `half` is half the width of intervals that hold together."""
        made: list[Comparison] = []
        means = [mean(column) for column in self.values.T]
        for some, gaps in self.parts():
            facts = self._facts(gaps, half)
            for row, (i, j) in enumerate(some):
                difference, width, effect, wins, ties, losses, remarkable = (column[row] for column in facts)
                low, high = bounds(difference - width, difference + width)
                result = tested[len(made)]
                made.append(Comparison(
                    names=(self.names[i], self.names[j]), measure=self.measure, values=(means[i], means[j]),
                    difference=difference, low=low, high=high, level=self.choices.level, p=result.p, test=test,
                    how=result.how, size=len(gaps), wins=wins, ties=ties, losses=losses, correction=correction,
                    statistic=difference, effect=effect, higher_is_better=self.higher_is_better, seed=result.seed,
                    notes=tuple(self._notes(gaps[:, row], test, half) if remarkable else ()),
                    no_interval="" if low is not None else alike(gaps[:, row], deviation(gaps[:, row])),
                ))  # fmt: skip
        return made

    def _notes(self, difference: Float64, test: str, half: float | None) -> list[str]:
        if half is None:
            return notes(difference, test, self.choices, deviation(difference))
        return list(filter(None, [skewness.remark(difference, test)]))

    def _facts(self, gaps: Float64, half: float | None) -> tuple[list[Any], ...]:
        """Difference, half the width of its interval, effect, wins, ties, losses, and whether there is something to note."""
        size, level = len(gaps), self.choices.level
        difference = np.array([mean(column) for column in gaps.T])
        spread = np.full(gaps.shape[1], np.nan)
        if size > 1:
            spread = np.sqrt(sum_of_squares(gaps - difference) / (size - 1))
        spread[spread <= TOLERANCE * np.abs(gaps).max(axis=0)] = 0.0
        width = quantiles.t(level, size - 1) * spread / size**0.5 if size > 1 else spread
        if half is not None:
            width = np.full(gaps.shape[1], half)
        above, below = (gaps > 0).sum(axis=0), (gaps < 0).sum(axis=0)
        moved = above + below
        effect = np.divide(difference, spread, out=np.full(len(spread), None, object), where=spread > 0)
        effect[moved == 0] = 0.0
        odd = (2.0 ** (1 - moved) > 1 - level) | skewness.remarkable(gaps, "randomization")
        wins, losses = (above, below) if self.higher_is_better else (below, above)
        columns = (difference, width, effect, wins, size - moved, losses, (spread == 0) | (moved > 0) & odd)
        return tuple(column.tolist() for column in columns)


def many(
    matrix: Any, names: Sequence[str] | None = None, *, test: str = "randomization", correction: str = "holm",
    baseline: str | None = None, level: float = 0.95, resamples: int = RESAMPLES, rng: Rng = 0,
    measure: str = "value", unpaired: str = "error", undefined: str = "omit", higher_is_better: bool = True,
) -> Comparisons:  # fmt: skip
    """Compare several systems, pair by pair.

    Parameters
    ----------
    matrix : topics x systems; or {system: values per topic}, values as `paired` takes them.
    names : of the systems, one per column (default: those of a data frame, else 1, 2, ...).
    test : see `paired`. It is two-sided.
    correction : for the number of pairs: "holm" or "hochberg" (the chance of any false alarm), "bh" or
        "by" (the share of false alarms among the significant: Benjamini & Hochberg, & Yekutieli); "none"; or "tukey":
        randomised Tukey HSD, which takes the place of the test.
    baseline : compare each other system with this one only (system minus baseline); None for all pairs.
    level, measure, higher_is_better : see `paired`.
    resamples, rng : see `paired`. Signs and shuffles are shared by all pairs.
    unpaired, undefined : see `paired`. A topic that is left out is so for all.

    Returns
    -------
    Comparisons
        With letters (of systems that share one no difference was shown) if all pairs were compared, and
        the two-way analysis of variance. Intervals are of each pair by itself; those of "tukey" hold together.

    Raises
    ------
    DataError, UsageError, MissingExtra
        See `paired`.

    References
    ----------
    Carterette, "Multiple testing in statistical analysis of systems-based information retrieval
    experiments", TOIS 2012. Sakai, "Laboratory experiments in information retrieval", 2018.

    Examples
    --------
    >>> values = {"x": [0.9, 0.8, 0.7, 0.9, 0.8, 0.9, 0.6, 0.8], "y": [0.5, 0.4, 0.5, 0.6, 0.5, 0.4, 0.3, 0.6],
    ...           "z": [0.4, 0.5, 0.6, 0.5, 0.4, 0.5, 0.3, 0.7]}
    >>> compared = many(values, correction="tukey", resamples=9999, rng=1)
    >>> compared.letters["value"], [pair.adjusted < 0.01 for pair in compared.pairs]
    ({'x': 'a', 'z': 'b', 'y': 'b'}, [True, True, False])
    """
    test = choose("test", test, TESTS, ELSEWHERE, INSTEAD)
    correction = choose("correction", correction, CORRECTIONS, ELSEWHERE, INSTEAD)
    choices = Choices("two-sided", level, resamples, rng)
    check_kind("measure", measure, Hashable, "the name of the measure")
    given = _values_by_name(matrix, names)
    if baseline is not None:
        check_kind("baseline", baseline, str, "the name of a system")
        if baseline not in given:
            raise UsageError(f"baseline: got {baseline!r}, the systems are {', '.join(given)}")
    values, _, dropped = aligned(given, unpaired, undefined)
    listed = list(given)
    # By their values, systems taken by name: what is drawn for topics does not depend on any order.
    by_name = sorted(range(len(listed)), key=listed.__getitem__)
    values = values[np.lexsort(values[:, by_name[::-1]].T)]
    places = [
        (i, j) for i, j in combinations(range(len(listed)), 2) if baseline is None or baseline in (listed[i], listed[j])
    ]  # fmt: skip
    if baseline is not None:
        last = listed.index(baseline)
        places = [(i + j - last, last) for i, j in places]
    family = Family(values, listed, places, choices, measure, higher_is_better)
    pairs = _tukey(family, by_name) if correction == "tukey" else corrected(_each(family, test), correction)
    if dropped:
        pairs = [replace(pair, left_out=dropped) for pair in pairs]
    return _whole(values, listed, pairs, measure, baseline, dropped)


def _values_by_name(matrix: Any, names: Sequence[str] | None) -> dict[str, Any]:
    check_kind("names", names or (), Collection, "a list of names, one of each system")
    if isinstance(matrix, Mapping):
        given = {str(name): values for name, values in matrix.items()}
        if names is not None and list(map(str, names)) != list(given):
            raise UsageError("names: the mapping names the systems already; leave names out")
    else:
        matrix = sound(matrix, "matrix")
        try:
            table = np.asarray(matrix)
        except ValueError as problem:
            raise UsageError(f"matrix: must be topics x systems ({problem})") from None
        if names is None:
            # The columns of a data frame are called by the systems.
            columns = getattr(matrix, "column_names", getattr(matrix, "columns", None))
            names = None if columns is None or is_numbered(columns) else list(map(str, columns))
        if table.ndim != 2:
            raise UsageError(f"matrix: must be topics x systems, got an array of shape {table.shape}")
        labels = [str(i + 1) for i in range(table.shape[1])] if names is None else list(map(str, names))
        if len(labels) != table.shape[1] or len(set(labels)) < len(labels):
            raise UsageError(f"names: must be {table.shape[1]} different ones, one per column, got {names!r}")
        given = {name: table[:, i] for i, name in enumerate(labels)}
    if len(given) < 2:
        raise UsageError(f"there must be two systems or more to compare, got {', '.join(given) or 'none'}")
    return given


def _each(family: Family, test: str) -> list[Comparison]:
    """The pairs by a test of each; random signs are shared by all that are sampled."""
    if test != "randomization":
        return [
            compared(
                family.values[:, i], family.values[:, j], test, family.choices, (family.names[i], family.names[j]),
                family.measure, 0, family.higher_is_better,
            )
            for i, j in family.places
        ]  # fmt: skip
    budget = signflip.AFFORDABLE // len(family.places)
    exact = [signflip.exact_tail(gaps, affordable=budget) for _, part in family.parts() for gaps in part.T]
    tested = [None if tail is None else Result(*tail) for tail in exact]
    left = [place for place, result in enumerate(tested) if result is None]
    if left:
        rng, seed = seeded(family.choices.rng)
        places, resamples = [family.places[place] for place in left], family.choices.resamples
        p = sampled_pairs(family.values, places, rng, resamples).tolist()
        for place, value in zip(left, p, strict=True):
            tested[place] = Result(value, f"{resamples:,} sampled signs", seed=seed)
    return family.comparisons(list(filter(None, tested)), test)


def sampled_pairs(
    values: Float64, places: list[tuple[int, int]], rng: np.random.Generator, resamples: int
) -> Float64:
    """Randomization p-values of pairs of columns: a pair's signed sum is the difference of two columns' sums."""
    table = signflip.tables(values)
    size = np.abs(values).sum(axis=0)
    first, second = (np.array(side) for side in zip(*places, strict=True))
    observed = np.array([differences(values[:, i], values[:, j]).sum() for i, j in places])
    far = np.abs(observed) - TOLERANCE * (size[first] + size[second])
    groups = [np.flatnonzero(first == made) for made in dict.fromkeys(first.tolist())]

    def count(made: np.random.Generator, drawn: int) -> Int64:
        total = signflip.signed_sums(table, made, drawn)
        reached = np.zeros(len(places), np.int64)
        for rows in groups:
            gaps = total[:, second[rows]]
            gaps -= total[:, first[rows[0]], None]
            np.abs(gaps, out=gaps)
            reached[rows] = np.count_nonzero(gaps >= far[rows], axis=0)
        return reached

    return sampled_p(counted(count, rng, resamples, _BATCH), resamples)


def _tukey(family: Family, by_name: list[int]) -> list[Comparison]:
    from precall.infer.compare import tukey

    values, choices = family.values, family.choices
    if len(family.names) > tukey.MOST:
        raise UsageError(f"correction='tukey' takes {tukey.MOST} systems at most, got {len(family.names)}")
    rng, seed = seeded(choices.rng)
    drawn = tukey.ranges(values[:, by_name], rng, choices.resamples)
    how = f"{choices.resamples:,} shuffles within topics"
    first, second = map(list, zip(*family.places, strict=True))
    tested = [Result(p, how, seed=seed) for p in tukey.family_p(values, first, second, drawn).tolist()]
    half = float(np.quantile(drawn, choices.level, method="inverted_cdf")) / len(values)
    return family.comparisons(tested, "randomised Tukey HSD", "tukey", half)


def _whole(
    values: Float64,
    names: list[str],
    pairs: list[Comparison],
    measure: str,
    baseline: str | None,
    dropped: int,
) -> Comparisons:
    means, first = dict(zip(names, map(mean, values.T), strict=True)), pairs[0]
    # What is said of skewed topics is said once for all pairs; other notes stay with each.
    remarks = list(dict.fromkeys(first.notes)) if len(pairs) == 1 else together(
        (f"{pair.names[0]} - {pair.names[1]}", note) for pair in pairs for note in pair.notes if "skew" in note
    )  # fmt: skip
    remarks += tell_left_out(dropped) + _too_coarse(pairs)
    sign = 1 if first.higher_is_better else -1
    goodness = {name: sign * value for name, value in means.items()}
    different = [pair.names for pair in pairs if pair.significant]
    letters = {} if baseline is not None else display(goodness, different)
    if baseline is None and not letters:
        remarks.append("no letters: systems differ too irregularly to be grouped by them")
    conventions = {
        "test": f"{first.test} ({', '.join(dict.fromkeys(how_computed(pair.how) for pair in pairs))})",
        "correction": first.correction, "level": f"{first.level:g}", "topics": str(len(values)),
        "baseline": baseline or "", "seed": next((str(pair.seed) for pair in pairs if pair.seed is not None), ""),
    }  # fmt: skip
    return Comparisons(
        pairs=tuple(pairs), names=tuple(names), means={measure: means}, letters={measure: letters} if letters else {},
        anova={measure: anova(values)} if len(names) > 2 and len(values) > 1 else {},
        conventions={key: text for key, text in conventions.items() if text}, notes=tuple(remarks),
    )  # fmt: skip


def _too_coarse(pairs: list[Comparison]) -> list[str]:
    """Whether so few resamples could not make even the clearest of so many pairs significant."""
    sampled = [pair for pair in pairs if "sampled" in pair.how or "resamples" in pair.how]
    if not sampled or sampled[0].correction in ("none", "tukey"):
        return []
    least = min(pair.p for pair in sampled)
    count = int(sampled[0].how.partition(" ")[0].replace(",", ""))
    if least * (count + 1) > 1.5 or len(pairs) * least <= 1 - sampled[0].level:
        return []
    return [f"{len(pairs)} pairs and no p below {p_text(least)}: take more resamples, or correction tukey"]


def anova(values: Float64) -> Anova:
    """Two-way analysis of variance of topics x systems without interaction."""
    topics, systems = values.shape
    grand = values.mean()
    between = topics * float(((values.mean(axis=0) - grand) ** 2).sum())
    rows = systems * float(((values.mean(axis=1) - grand) ** 2).sum())
    rest = values - values.mean(axis=0) - values.mean(axis=1)[:, None] + grand
    sums = (between, rows, float((rest**2).sum()))
    freedom = (systems - 1, topics - 1, (systems - 1) * (topics - 1))
    squares = tuple(total / df for total, df in zip(sums, freedom, strict=True))
    none = sums[2] <= TOLERANCE * max(math.fsum(sums), 1e-300)
    f = tuple(float("nan") if none else total / squares[2] for total in squares[:2])
    p = tuple(np.maximum(special().fdtrc(freedom[:2], freedom[2], f), LEAST).tolist())
    return Anova(sums, freedom, squares, f, p)  # type: ignore[arg-type]


def display(means: Mapping[str, float], different: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The letters of each system, `a` being in the group of the best, whose mean is the highest; empty if there are too many.

    Where only systems far enough apart differ, groups are runs in the order of the means. Else insert
    and absorb: start with one group of all; each significant pair splits every group that holds both
    into one without the first and one without the second; groups within others go.
    """
    order = sorted(means, key=lambda name: (-means[name], name))
    rank = {name: place for place, name in enumerate(order)}
    differing = [set[int]() for _ in order]
    for first, second in different:
        differing[rank[first]].add(rank[second])
        differing[rank[second]].add(rank[first])
    groups = _runs(differing)
    if groups is None:
        groups = _inserted(differing)
    groups.sort(key=sorted)
    return {
        name: "".join(letter(i) for i, group in enumerate(groups) if place in group) for name, place in rank.items()
    } if groups else {}  # fmt: skip


def _runs(differing: list[set[int]]) -> list[frozenset[int]] | None:
    """Groups as runs of neighbours in the order of means; None where a pair inside a run differs."""
    groups: list[frozenset[int]] = []
    for place, others in enumerate(differing):
        later = [other for other in others if other > place]
        end = min(later, default=len(differing))
        before = max(groups[-1]) + 1 if groups else 0
        if len(later) < len(differing) - end or end < before:
            return None  # some pair does not differ, though one that lies within it does
        if end > before:
            groups.append(frozenset(range(place, end)))
    return groups


def _inserted(differing: list[set[int]]) -> list[frozenset[int]]:
    groups = [frozenset(range(len(differing)))]
    for first, others in enumerate(differing):
        for second in sorted(place for place in others if place > first):
            split: list[frozenset[int]] = []
            for group in groups:
                both = first in group and second in group
                split += [group - {first}, group - {second}] if both else [group]
            unique = list(dict.fromkeys(split))
            groups = [group for group in unique if not any(group < larger for larger in unique)]
            if len(groups) > _MOST:
                return []
    return groups


def letter(place: int) -> str:
    """a to z, then A to Z, then numbers in brackets.

    Examples
    --------
    >>> letter(0), letter(25), letter(26), letter(52)
    ('a', 'z', 'A', '(53)')
    """
    if place < 26:
        return chr(ord("a") + place)
    return chr(ord("A") + place - 26) if place < 52 else f"({place + 1})"
