"""Several systems on the same topics: every pair, or each against a baseline, corrected for their number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from precall.checks import check_choice, is_numbered, refuse_broken
from precall.errors import UsageError
from precall.infer.compare import CORRECTIONS, TESTS, signflip, tukey
from precall.infer.compare.anova import anova
from precall.infer.compare.comparisons import Comparison, Comparisons, p_text
from precall.infer.compare.family import Family
from precall.infer.compare.letters import display
from precall.infer.compare.paired import RESAMPLES, Choices, compared
from precall.infer.compare.pairing import aligned, differences, mean
from precall.infer.libraries import multitest
from precall.infer.resample.batches import TOLERANCE, counted, sampled_p
from precall.notes import together
from precall.ragged import Float64, Int64
from precall.rng import Rng, seeded

#: Our names of corrections and statsmodels'.
_STATSMODELS = {"holm": "holm", "hochberg": "simes-hochberg", "bh": "fdr_bh", "by": "fdr_by"}
_BATCH = 512


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
    test : of each pair, see `paired`; two-sided.
    correction : for the number of pairs: "holm" or "hochberg" (the chance of any false alarm), "bh" or
        "by" (the share of false alarms among the significant: Benjamini & Hochberg, & Yekutieli), all by
        statsmodels; "none"; or "tukey": randomised Tukey HSD, which takes the place of the test.
    baseline : compare each other system with this one only (system minus baseline).
    level, resamples, rng : see `paired`. Signs and shuffles are shared by all pairs.
    measure, unpaired, undefined, higher_is_better : see `paired`; a topic that is left out is so for all.

    Returns
    -------
    Comparisons
        With letters (systems that share one do not differ significantly) if all pairs were compared, and
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
    >>> found = many(values, correction="tukey", resamples=9999, rng=1)
    >>> found.letters["value"], [one.adjusted < 0.01 for one in found.pairs]
    ({'x': 'a', 'z': 'b', 'y': 'b'}, [True, True, False])
    """
    choices = _checked(test, correction, level, resamples, rng)
    given = _named(matrix, names)
    if baseline is not None and baseline not in given:
        raise UsageError(f"baseline: got {baseline!r}, the systems are {', '.join(given)}")
    values, _, dropped = aligned(given, unpaired, undefined)
    listed = list(given)
    values = values[_order(values, listed)]
    places = [
        (i, j) for i, j in combinations(range(len(listed)), 2) if baseline is None or baseline in (listed[i], listed[j])
    ]  # fmt: skip
    if baseline is not None:
        last = listed.index(baseline)
        places = [(i + j - last, last) for i, j in places]
    pairs = _pairs(Family(values, listed, places, choices, measure, higher_is_better), test, correction)
    if dropped:
        pairs = [replace(pair, left_out=dropped) for pair in pairs]
    return _whole(values, listed, pairs, measure, correction, baseline, dropped)


def _checked(test: str, correction: str, level: float, resamples: int, rng: Rng) -> Choices:
    check_choice("test", test, TESTS)
    check_choice("correction", correction, CORRECTIONS)
    return Choices("two-sided", level, resamples, rng)


def _named(matrix: Any, names: Sequence[str] | None) -> dict[str, Any]:
    if isinstance(matrix, Mapping):
        given = {str(name): values for name, values in matrix.items()}
        if names is not None and list(map(str, names)) != list(given):
            raise UsageError("names: the mapping names the systems already; leave names out")
    else:
        refuse_broken(matrix, "matrix")
        table = np.asarray(matrix)
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


def _order(values: Float64, names: list[str]) -> Int64:
    """Topics by their values, systems taken by name: what is drawn for topics does not depend on any order."""
    by_name = sorted(range(len(names)), key=names.__getitem__, reverse=True)
    return np.lexsort(values[:, by_name].T)


def _pairs(family: Family, test: str, correction: str) -> list[Comparison]:
    choices = family.choices
    if correction == "tukey":
        return _tukey(family)
    if test == "randomization":
        return corrected(_randomized(family), correction)
    pairs = [
        compared(
            family.values[:, i], family.values[:, j], test, choices, (family.names[i], family.names[j]),
            family.measure, 0, family.higher_is_better,
        )
        for i, j in family.places
    ]  # fmt: skip
    return corrected(pairs, correction)


def _randomized(family: Family) -> list[Comparison]:
    budget = signflip.AFFORDABLE // len(family.places)
    p, how = [], []
    for _, gaps in family.parts():
        for column in gaps.T:
            exact = signflip.exact_tail(column, affordable=budget)
            p.append(exact[0] if exact else float("nan"))
            how.append(exact[1] if exact else f"{family.choices.resamples:,} sampled signs")
    left = [place for place, value in enumerate(p) if value != value]
    seeds: list[int | None] = [None] * len(p)
    if left:
        rng, seed = seeded(family.choices.rng)
        places = [family.places[value] for value in left]
        sampled = sampled_pairs(family.values, places, rng, family.choices.resamples)
        for place, value in zip(left, sampled.tolist(), strict=True):
            p[place], seeds[place] = value, seed
    return family.comparisons(p, how, "randomization", seeds)


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


def corrected(pairs: list[Comparison], correction: str) -> list[Comparison]:
    """The pairs of one family with their adjusted p; a single pair has none."""
    if correction == "none" or len(pairs) < 2:
        return [replace(pair, correction=correction if len(pairs) > 1 else "none") for pair in pairs]
    adjusted = adjust([pair.p for pair in pairs], correction)
    return [
        replace(pair, adjusted=p, correction=correction)
        for pair, p in zip(pairs, adjusted.tolist(), strict=True)
    ]


def adjust(p: Sequence[float], correction: str) -> Float64:
    """p-values adjusted for their number, by statsmodels.

    Examples
    --------
    >>> adjust([0.01, 0.04, 0.03], "holm")
    array([0.03, 0.06, 0.06])
    """
    check_choice("correction", correction, _STATSMODELS)
    return np.asarray(multitest().multipletests(p, method=_STATSMODELS[correction])[1], np.float64)


def _tukey(family: Family) -> list[Comparison]:
    values, choices = family.values, family.choices
    if len(family.names) > tukey.MOST:
        raise UsageError(f"correction='tukey' takes {tukey.MOST} systems at most, got {len(family.names)}")
    rng, seed = seeded(choices.rng)
    by_name = sorted(range(len(family.names)), key=family.names.__getitem__)
    drawn = tukey.ranges(values[:, by_name], rng, choices.resamples)
    first, second = (list(side) for side in zip(*family.places, strict=True))
    p = tukey.family_p(values, first, second, drawn).tolist()
    half = float(np.quantile(drawn, choices.level, method="inverted_cdf")) / len(values)
    how = [f"{choices.resamples:,} shuffles within topics"] * len(p)
    seeds: list[int | None] = [seed] * len(p)
    return family.comparisons(p, how, "randomised Tukey HSD", seeds, correction="tukey", half=half)


def _whole(
    values: Float64, names: list[str], pairs: list[Comparison], measure: str, correction: str,
    baseline: str | None, dropped: int,
) -> Comparisons:  # fmt: skip
    means = dict(zip(names, map(mean, values.T), strict=True))
    notes = (
        list(dict.fromkeys(note for first in pairs for note in first.notes))
        if len(pairs) == 1
        else _skewed(pairs)
    )
    if dropped:
        notes.append(f"{dropped} topic{'s' * (dropped != 1)} left out, not there or undefined for a system")
    notes += _too_coarse(pairs)
    letters = (
        display(means, [first.names for first in pairs if first.significant]) if baseline is None else {}
    )
    if baseline is None and not letters:
        notes.append("no letters: systems differ too irregularly to be grouped by them")
    table = anova(values) if len(names) > 2 and len(values) > 1 else None
    first = pairs[0]
    conventions = {
        "test": f"{first.test} ({', '.join(dict.fromkeys(_kind(pair.how) for pair in pairs))})",
        "correction": first.correction, "level": f"{first.level:g}", "topics": str(len(values)),
        "baseline": baseline or "", "seed": next((str(pair.seed) for pair in pairs if pair.seed is not None), ""),
    }  # fmt: skip
    return Comparisons(
        pairs=tuple(pairs), names=tuple(names), means={measure: means},
        letters={measure: letters} if letters else {}, anova={measure: table} if table else {},
        conventions={key: text for key, text in conventions.items() if text}, notes=tuple(notes),
    )  # fmt: skip


def _skewed(pairs: list[Comparison]) -> list[str]:
    """What is said of skewed topics, once for all pairs; other notes stay with each."""
    return together(
        (f"{pair.names[0]} - {pair.names[1]}", note)
        for pair in pairs
        for note in pair.notes
        if "skew" in note
    )


def _kind(how: str) -> str:
    return "exact" if how.startswith(("all", "no", "binomial")) else how


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
