"""Several systems on the same topics: every pair, or each against a baseline, corrected for their number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from precall.errors import UsageError
from precall.infer import signflip, tukey
from precall.infer.anova import anova
from precall.infer.comparisons import Comparison, Comparisons, p_text
from precall.infer.letters import display
from precall.infer.libraries import multitest
from precall.infer.paired import RESAMPLES, TESTS, Choices, compared, effect, notes, t_interval
from precall.infer.pairing import aligned, differences
from precall.infer.resampling import TOLERANCE, Rng, counted, sampled_p, seeded
from precall.ragged import Float64, Int64

#: Our names of corrections and statsmodels'.
_STATSMODELS = {"holm": "holm", "hochberg": "simes-hochberg", "bh": "fdr_bh", "by": "fdr_by"}
CORRECTIONS = (*_STATSMODELS, "none", "tukey")
_BATCH = 512


def many(
    matrix: Any, names: Sequence[str] | None = None, *, test: str = "randomization", correction: str = "holm",
    baseline: str | None = None, level: float = 0.95, resamples: int = RESAMPLES, rng: Rng = None,
    measure: str = "value", unpaired: str = "error", undefined: str = "omit", higher_is_better: bool = True,
) -> Comparisons:  # fmt: skip
    """Compare several systems, pair by pair.

    Parameters
    ----------
    matrix : topics x systems; or {system: values per topic}, values as `paired` takes them.
    names : of the systems, one per column (default: 1, 2, ...).
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
    places = [
        (i, j) for i, j in combinations(range(len(listed)), 2) if baseline is None or baseline in (listed[i], listed[j])
    ]  # fmt: skip
    if baseline is not None:
        last = listed.index(baseline)
        places = [(i + j - last, last) for i, j in places]
    pairs = _pairs(values, listed, places, test, correction, choices, measure, higher_is_better)
    if dropped:
        pairs = [replace(one, left_out=dropped) for one in pairs]
    return _whole(values, listed, pairs, measure, correction, baseline, dropped)


def _checked(test: str, correction: str, level: float, resamples: int, rng: Rng) -> Choices:
    if test not in TESTS:
        raise UsageError(f"test: got {test!r}, allowed are {', '.join(TESTS)}")
    if correction not in CORRECTIONS:
        raise UsageError(f"correction: got {correction!r}, allowed are {', '.join(CORRECTIONS)}")
    return Choices("two-sided", level, resamples, rng)


def _named(matrix: Any, names: Sequence[str] | None) -> dict[str, Any]:
    if isinstance(matrix, Mapping):
        given = {str(name): values for name, values in matrix.items()}
        if names is not None and list(map(str, names)) != list(given):
            raise UsageError("names: the mapping names the systems already; leave names out")
    else:
        table = np.asarray(matrix)
        if table.ndim != 2:
            raise UsageError(f"matrix: must be topics x systems, got an array of shape {table.shape}")
        labels = [str(i + 1) for i in range(table.shape[1])] if names is None else list(map(str, names))
        if len(labels) != table.shape[1] or len(set(labels)) < len(labels):
            raise UsageError(f"names: must be {table.shape[1]} different ones, one per column, got {names!r}")
        given = {name: table[:, i] for i, name in enumerate(labels)}
    if len(given) < 2:
        raise UsageError(f"there must be two systems or more to compare, got {', '.join(given) or 'none'}")
    return given


def _pairs(
    values: Float64, names: list[str], places: list[tuple[int, int]], test: str, correction: str,
    choices: Choices, measure: str, higher_is_better: bool,
) -> list[Comparison]:  # fmt: skip
    if correction == "tukey":
        return _tukey(values, names, places, choices, measure, higher_is_better)
    if test != "randomization":
        return _corrected(
            [
                compared(values[:, i], values[:, j], test, choices, (names[i], names[j]), measure, 0, higher_is_better)
                for i, j in places
            ],
            correction,
        )  # fmt: skip
    pairs: list[Comparison] = []
    left: list[int] = []
    budget = signflip.AFFORDABLE // len(places)
    for i, j in places:
        exact = signflip.exact_tail(differences(values[:, i], values[:, j]), affordable=budget)
        left += [] if exact else [len(pairs)]
        p, how = exact or (float("nan"), f"{choices.resamples:,} sampled signs")
        pairs.append(
            _pair(values, names, (i, j), choices, measure, higher_is_better, "randomization", p, how)
        )
    if left:
        rng, entropy = seeded(choices.rng)
        sampled = sampled_pairs(values, [places[one] for one in left], rng, choices.resamples)
        for one, p in zip(left, sampled.tolist(), strict=True):
            pairs[one] = replace(pairs[one], p=p, adjusted=p, entropy=entropy)
    return _corrected(pairs, correction)


def _pair(
    values: Float64, names: list[str], place: tuple[int, int], choices: Choices, measure: str,
    higher_is_better: bool, test: str, p: float, how: str,
) -> Comparison:  # fmt: skip
    """The comparison of two columns whose p-value is known."""
    a, b = values[:, place[0]], values[:, place[1]]
    difference = differences(a, b)
    better = difference if higher_is_better else -difference
    low, high = t_interval(difference, choices.level)
    return Comparison(
        names=(names[place[0]], names[place[1]]), measure=measure, values=(float(a.mean()), float(b.mean())),
        difference=float(difference.mean()), low=low, high=high, level=choices.level, p=p, test=test, how=how,
        size=len(a), wins=int((better > 0).sum()), ties=int((better == 0).sum()), losses=int((better < 0).sum()),
        statistic=float(difference.mean()), effect=effect(difference), higher_is_better=higher_is_better,
        notes=tuple(notes(difference, test, choices)),
    )  # fmt: skip


def sampled_pairs(
    values: Float64, places: list[tuple[int, int]], rng: np.random.Generator, resamples: int
) -> Float64:
    """Randomization p-values of pairs of columns: a pair's signed sum is the difference of two columns' sums."""
    table = signflip.tables(values)
    size = np.abs(values).sum(axis=0)
    first, second = (np.array(side) for side in zip(*places, strict=True))
    observed = np.array([differences(values[:, i], values[:, j]).sum() for i, j in places])
    far = np.abs(observed) - TOLERANCE * (size[first] + size[second])
    groups = [np.flatnonzero(first == one) for one in dict.fromkeys(first.tolist())]

    def count(one: np.random.Generator, drawn: int) -> Int64:
        total = signflip.signed_sums(table, one, drawn)
        found = np.zeros(len(places), np.int64)
        for rows in groups:
            apart = total[:, second[rows]]
            apart -= total[:, first[rows[0]], None]
            np.abs(apart, out=apart)
            found[rows] = np.count_nonzero(apart >= far[rows], axis=0)
        return found

    return sampled_p(counted(count, rng, resamples, _BATCH), resamples)


def _corrected(pairs: list[Comparison], correction: str) -> list[Comparison]:
    if correction == "none" or len(pairs) < 2:
        return [replace(one, correction=correction if len(pairs) > 1 else "none") for one in pairs]
    adjusted = adjust([one.p for one in pairs], correction)
    return [
        replace(one, adjusted=p, correction=correction)
        for one, p in zip(pairs, adjusted.tolist(), strict=True)
    ]


def adjust(p: Sequence[float], correction: str) -> Float64:
    """p-values adjusted for their number, by statsmodels.

    Examples
    --------
    >>> adjust([0.01, 0.04, 0.03], "holm")
    array([0.03, 0.06, 0.06])
    """
    if correction not in _STATSMODELS:
        raise UsageError(f"correction: got {correction!r}, allowed are {', '.join(_STATSMODELS)}")
    return np.asarray(multitest().multipletests(p, method=_STATSMODELS[correction])[1], np.float64)


def _tukey(
    values: Float64, names: list[str], places: list[tuple[int, int]], choices: Choices, measure: str,
    higher_is_better: bool,
) -> list[Comparison]:  # fmt: skip
    if len(names) > tukey.MOST:
        raise UsageError(f"correction='tukey' takes {tukey.MOST} systems at most, got {len(names)}")
    rng, entropy = seeded(choices.rng)
    drawn = tukey.ranges(values, rng, choices.resamples)
    first, second = (list(side) for side in zip(*places, strict=True))
    p = tukey.family_p(values, first, second, drawn)
    half = float(np.quantile(drawn, choices.level, method="inverted_cdf")) / len(values)
    how = f"{choices.resamples:,} shuffles within topics"
    pairs = [
        _pair(values, names, place, choices, measure, higher_is_better, "randomised Tukey HSD", one, how)
        for place, one in zip(places, p.tolist(), strict=True)
    ]
    return [
        replace(
            one, low=one.difference - half, high=one.difference + half, correction="tukey", notes=(), entropy=entropy
        )
        for one in pairs
    ]  # fmt: skip


def _whole(
    values: Float64, names: list[str], pairs: list[Comparison], measure: str, correction: str,
    baseline: str | None, dropped: int,
) -> Comparisons:  # fmt: skip
    means = dict(zip(names, values.mean(axis=0).tolist(), strict=True))
    said = list(dict.fromkeys(note for one in pairs for note in one.notes)) if len(pairs) == 1 else []
    if dropped:
        said.append(f"{dropped} topic{'s' * (dropped != 1)} left out, not there or undefined for a system")
    said += _too_coarse(pairs)
    letters = display(means, [one.names for one in pairs if one.significant]) if baseline is None else {}
    table = anova(values) if len(names) > 2 and len(values) > 1 else None
    one = pairs[0]
    conventions = {
        "test": f"{one.test} ({', '.join(dict.fromkeys(_kind(pair.how) for pair in pairs))})",
        "correction": one.correction, "level": f"{one.level:g}", "topics": str(len(values)),
        "baseline": baseline or "", "entropy": next((pair.entropy for pair in pairs if pair.entropy), ""),
    }  # fmt: skip
    return Comparisons(
        pairs=tuple(pairs), names=tuple(names), means={measure: means},
        letters={measure: letters} if letters else {}, anova={measure: table} if table else {},
        conventions={key: text for key, text in conventions.items() if text}, notes=tuple(said),
    )  # fmt: skip


def _kind(how: str) -> str:
    return "exact" if how.startswith(("all", "no", "binomial")) else how


def _too_coarse(pairs: list[Comparison]) -> list[str]:
    """Whether so few resamples could not make even the clearest of so many pairs significant."""
    sampled = [one for one in pairs if "sampled" in one.how or "resamples" in one.how]
    if not sampled or sampled[0].correction in ("none", "tukey"):
        return []
    least = min(one.p for one in sampled)
    count = int(sampled[0].how.partition(" ")[0].replace(",", ""))
    if least * (count + 1) > 1.5 or len(pairs) * least <= 1 - sampled[0].level:
        return []
    return [f"{len(pairs)} pairs and no p below {p_text(least)}: take more resamples, or correction tukey"]
