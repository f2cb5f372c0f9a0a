"""Equivalence and non-inferiority tests, which can show that a difference is small; and gates.

Equivalence takes two one-sided tests (Schuirmann 1987): the difference is above -margin, and below
+margin. "Not worse" is the first of these alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from precall.core.arguments import HUGE, check_positive, choose
from precall.core.notes import Note, sentences
from precall.core.notes.of_comparisons import (
    EqualTopics,
    GateWithMargin,
    GateWithoutMargin,
    NeverFails,
    NoMarginShown,
    OfSkewness,
    SignsForT,
    UnseenDifferences,
)
from precall.core.ragged import Float64, mean
from precall.core.rng import Rng, tell_seed
from precall.core.text import format_difference, format_ends, number, percent, printable, visible
from precall.core.vocabulary import RUNS, Vocabulary
from precall.results.equality import Equal
from precall.results.sheets import Presented, Sheet, facts_sheet
from precall.stats import quantiles
from precall.stats.resample.batches import TOLERANCE
from precall.stats.skewness import keep_if_concerned, remark
from precall.stats.tests import DECLARED, ELSEWHERE, INSTEAD, names_of
from precall.stats.tests.comparisons import Comparison, bounds, p_text
from precall.stats.tests.gate_reasons import LossTested, MarginTested, Reason, Unchanged
from precall.stats.tests.paired import (
    RESAMPLES,
    TESTS,
    PairedOptions,
    deviation,
    direction,
    t_interval,
    why_no_interval,
)
from precall.stats.tests.pairing import align_values, check_two, differences, is_high_good
from precall.stats.tests.power import of_data

KINDS = ("equivalent", "not worse")
#: Names of these elsewhere, as `arguments.choose` reads them.
KINDS_ELSEWHERE = {
    "tost": ["equivalent"],
    "equivalence": ["equivalent"],
    "noninferiority": ["not worse"],
    "notinferior": ["not worse"],
}
#: Tests whose one-sided p is never below 2^-n.
_OF_SIGNS = tuple(name for name, test in DECLARED.items() if test.has_least_p)
_TESTS = tuple(name for name in names_of("values") if DECLARED[name].takes_margin)
#: Greater numbers of topics are not suggested.
_MANY = 1_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Equivalence(Equal, Presented):
    """Whether two systems were shown to be equivalent, or the first to be not worse, within a
    margin.

    Parameters
    ----------
    difference : mean of first minus second. The gate's `gain` has the opposite sign if low values
        are good.
    low : the lower end of the interval at 2·level - 1 (90 % for level .95) to which the two tests
        are equivalent: of values per topic the t interval. None if there is no interval, for
        example if all topics differ by the same amount.
    high : the upper end of this interval; None if there is none.
    p : the greater of `p_low` (difference above -margin) and `p_high` (below +margin); for "not
        worse" p_low.
    needed : the least margin for which the t tests would be significant. NaN if no margin is
        enough: with one topic, or with too few topics for a small p by the test that was made.
    test : the test that was made. If topics do not vary, t is infinite, and the test is the
        randomization of signs.
    seed : seed of the random numbers; None if none were used.
    notes : what a reader should know.
    interval : the method of the interval.
    unit : what `size` counts: "topics", or "cases" or "items".
    """

    names: tuple[str, str]
    measure: str
    kind: str
    margin: float
    difference: float
    low: float | None
    high: float | None
    level: float
    p_low: float
    p_high: float
    test: str
    size: int
    needed: float
    seed: int | None = None
    notes: tuple[Note, ...] = ()
    interval: str = "t"
    unit: str = "topics"

    @property
    def p(self) -> float:
        """p of the hypothesis that the difference is not within the margin."""
        return self.p_low if self.kind == "not worse" else max(self.p_low, self.p_high)

    @property
    def shown(self) -> bool:
        """Whether p is at most 1 - level."""
        return bool(self.p <= 1 - self.level + 1e-12)

    def _line(self) -> str:
        """The result in a sentence."""
        a, b = self.names
        claim = "equivalent to" if self.kind == "equivalent" else "not worse than"
        share = (
            f", {percent(2 * self.level - 1)} {self.interval} interval "
            f"{' to '.join(format_ends(self.low, self.high))}"
        )
        # Without any difference t tells no margin apart from 0.
        is_told = self.needed != 0 or self.low is not None
        by = f" by {self.interval}" * (self.test != self.interval)
        least = f"; least margin {number(self.needed)}{by}" * is_told
        alpha = f", one-sided at {number(1 - self.level)}" * (self.unit != "topics")
        return (
            f"{self.measure}: {a} was {'' if self.shown else 'not '}shown to be {claim} {b} "
            f"within {self.margin:g} (p {p_text(self.p)}, {self.test}{alpha}); difference "
            f"{format_difference(self.difference)}{share * (self.low is not None)}{least}"
            f"{tell_seed(self.seed)}"
        )

    def __str__(self) -> str:
        return "\n".join(map(printable, [self._line(), *sentences(self.notes)]))

    def __repr__(self) -> str:
        return f"<Equivalence: {printable(self._line())}>"


def equivalence_sheet(found: Equivalence) -> Sheet:
    """The sheet of a test of a margin: the result in a sentence, and all its numbers."""
    return replace(facts_sheet(found), verdict=f"{found._line()}.")


def equivalence(
    a: object,
    b: object,
    margin: float,
    *,
    kind: str = "equivalent",
    test: str = "t",
    level: float = 0.95,
    resamples: int = RESAMPLES,
    rng: Rng = 0,
    names: tuple[str, str] = ("a", "b"),
    measure: str = "value",
    unpaired: str = "error",
    undefined: str = "omit",
    higher_is_better: bool | None = None,
) -> Equivalence:
    """Test that two systems differ by less than a margin, or that the first is not worse by the
    margin or more.

    Parameters
    ----------
    a, b, unpaired, undefined : see `paired`.
    margin : the greatest difference that does not matter, > 0.
    kind : "equivalent" (TOST) or "not worse" (non-inferiority of the first).
    test : the one-sided test of the differences, shifted by the margin: "t", "randomization" or
        "wilcoxon".
    level, resamples, rng, names, measure, higher_is_better : see `paired`.

    Raises
    ------
    DataError, UsageError, MissingExtra
        See `paired`.

    Examples
    --------
    >>> a, b = [0.50, 0.61, 0.42, 0.70, 0.55], [0.51, 0.60, 0.43, 0.69, 0.56]
    >>> found = equivalence(a, b, 0.05)
    >>> found.shown, round(found.p, 5), round(found.needed, 4)
    (True, 0.0003, 0.0124)
    """
    kind = choose("kind", kind, KINDS, KINDS_ELSEWHERE)
    names = check_two(names)
    test = choose("test", test, _TESTS, ELSEWHERE, INSTEAD)
    check_positive(HUGE, margin=margin)
    matrix, _, _ = align_values(dict(zip(names, (a, b), strict=True)), unpaired, undefined)
    higher_is_better = is_high_good(measure, higher_is_better)
    sign = 1 if higher_is_better else -1
    gain = sign * np.sort(differences(matrix[:, 0], matrix[:, 1]))
    choices = PairedOptions("greater", level, resamples, rng, bounded=False)
    test, notes = _choose_test(gain, test)
    if not gain.any():
        # The share of topics that may differ without being seen: with this share, a sample of this
        # size has none of them with a probability of 1 - level.
        unseen = UnseenDifferences("", len(gain), 1 - (1 - level) ** (1 / len(gain)))
        notes = (EqualTopics("", names, len(gain)), unseen, *notes)
    if not reaches(test, len(gain), 1 - level):
        notes = (*notes, NoMarginShown("", len(gain), 0.5 ** len(gain), test, level))
    above, below, *ends, needed, seed = run_both_tests(gain, float(margin), kind, test, choices)
    low, high = bounds(*sorted(sign * end for end in ends))
    p = above if kind == "not worse" else max(above, below)
    notes = keep_if_concerned(notes, p, level, low is not None)
    return Equivalence(
        names=names,
        measure=measure,
        kind=kind,
        margin=float(margin),
        difference=sign * mean(gain),
        low=low,
        high=high,
        level=level,
        p_low=above,
        p_high=below,
        test=test,
        size=len(gain),
        needed=needed,
        seed=seed,
        notes=notes,
    )


def run_both_tests(
    gain: Float64, margin: float, kind: str, test: str, choices: PairedOptions
) -> tuple[float, float, float, float, float, int | None]:
    """p of "above -margin", p of "below margin", the ends of the interval that is equivalent to the
    t tests, the least margin, and the seed.
    """
    low, high = (
        t_interval(gain, 2 * choices.level - 1) if choices.level > 0.5 else (float("nan"),) * 2
    )
    above = _test_shifted(gain, margin, test, choices)
    below = _test_shifted(-gain, margin, test, choices)
    needed = -low if kind == "not worse" else max(-low, high)
    # A NaN must stay NaN, but Python's max(0.0, nan) is 0.0.
    is_defined = needed == needed and reaches(test, len(gain), 1 - choices.level)
    return above[0], below[0], low, high, max(0.0, needed) if is_defined else float("nan"), above[1]


def _choose_test(
    gain: Float64, test: str, higher_is_better: bool = True
) -> tuple[str, tuple[Note, ...]]:
    """The test that can be made, and its notes.

    Without variance, the randomization of signs is used instead of t.
    """
    skewed = remark(gain if higher_is_better else -gain, test)
    notes: tuple[Note, ...] = () if skewed is None else (skewed,)
    if test == "t" and (why := why_no_interval(gain, deviation(gain))):
        test, notes = "randomization", (SignsForT("", why), *notes)
    return test, notes


def _test_shifted(
    gain: Float64, margin: float, test: str, choices: PairedOptions
) -> tuple[float, int | None]:
    """p of the one-sided test that the mean gain is above -margin, and the seed."""
    # Sorted, so that differences of swapped systems give the same digits.
    shifted = np.sort(gain + margin)
    shifted[np.abs(shifted) <= TOLERANCE * margin] = 0.0
    result = TESTS[test](shifted, choices)
    return result.p, result.seed


@dataclass(frozen=True, slots=True, eq=False)
class Gate(Equal, Presented):
    """Whether a system passes a comparison with another one, and why.

    Attributes
    ----------
    names : the system, and the one that it is compared with.
    measure : name of the measure.
    margin : the loss that does not matter; None if only a significant loss fails.
    passed : with a margin, whether the system was shown to lose less; without one, whether it was
        not shown to be worse.
    p : p of the test that decided.
    why : the reason, as facts; or a text, the finished sentence of a page.
    notes : what a reader should know.
    value : how much better the system is on average; negative if it is worse, also if low values
        are good.
    head : name of the measure in print; "" is `measure`.
    words : the words of what was compared: those of runs.

    Examples
    --------
    >>> gate = Gate(("new", "old"), "AP", None, True, 1.0, Unchanged(3))
    >>> gate.name, gate.text
    ('AP: new is not worse than old', 'AP: new and old are equal in all 3 topics: not worse')
    """

    names: tuple[str, str]
    measure: str
    margin: float | None
    passed: bool
    p: float
    why: Reason | str = field(compare=False)
    notes: tuple[Note, ...] = ()
    value: float = float("nan")
    head: str = field(default="", compare=False)
    words: Vocabulary = field(default=RUNS, repr=False, compare=False)

    @property
    def label(self) -> str:
        """Name of the measure in print."""
        return self.head or self.measure

    @property
    def name(self) -> str:
        """The question in a few words."""
        within = "" if self.margin is None else f" by {self.margin:g} or more"
        return f"{self.label}: {self.names[0]} is not worse than {self.names[1]}{within}"

    @property
    def bound(self) -> float | None:
        """The limit that `value` has to exceed: the negative margin; None if there is no margin."""
        return None if self.margin is None else -self.margin

    @property
    def text(self) -> str:
        """Why it passed or failed, in one sentence."""
        return self.why if isinstance(self.why, str) else self.why.sentence(self)

    @property
    def sentence(self) -> str:
        """The same as `text`."""
        return self.text

    def _compared_parts(self) -> Sequence[Any]:
        # A gate that was read from a page has only the sentence.
        return [*Equal._compared_parts(self), self.text]

    def __str__(self) -> str:
        return visible(self.text)

    def __repr__(self) -> str:
        return f"<Gate: {printable(self.text)}>"


def gate(
    comparison: Comparison,
    gain: Float64,
    margin: float | None = None,
    rng: Rng = 0,
    resamples: int = RESAMPLES,
    reach: float | None = None,
) -> Gate:
    """Decide whether the first system of a comparison is worse than the second; return the gate.

    `gain` is how much better the first system is on each topic; `reach` is the greatest possible
    size of a gain. With a margin, the loss that does not matter, the system must be shown to lose
    less: a one-sided test of non-inferiority of the comparison's kind. Without a margin a
    significant loss fails. The test must then also favour the other system, as signs and signed
    ranks can be significant in favour of the system with the lower mean. Systems that are equal on
    all topics pass, whatever the number of topics.
    """
    if margin is not None:
        check_positive(HUGE, margin=margin)
    if not gain.any():
        return gate_of_equal_systems(
            comparison.names,
            comparison.measure,
            margin,
            len(gain),
            comparison.head,
            limit_of_signs(comparison.test, _tail(comparison)),
        )
    if margin is None:
        return _gate_of_significance(comparison, gain, math.inf if reach is None else reach)
    choices = PairedOptions("greater", comparison.level, resamples, rng, bounded=False)
    return _gate_of_margin(comparison, gain, float(margin), choices)


def gate_of_equal_systems(
    names: tuple[str, str],
    measure: str,
    margin: float | None,
    size: int,
    head: str = "",
    limit: float = 1.0,
) -> Gate:
    """The gate of systems that are equal on each topic; no test is needed, and it passes.

    `limit` is the greatest one-sided p of signs that fails a gate without a margin; 1 if the test
    is not of signs.
    """
    decided = Gate(names, measure, margin, True, 1.0, Unchanged(size), (), 0.0, head)
    if margin is not None or 0.5**size <= limit + 1e-12:
        return decided
    never = NeverFails("", size, decided.name, None, least_topics(limit))
    return replace(decided, notes=(never,))


def _tail(comparison: Comparison) -> float:
    """The greatest one-sided p, before correction, of a significant loss."""
    if comparison.correction == "tukey" or not comparison.p:
        return (1 - comparison.level) / 2
    return (1 - comparison.level) / max(comparison.adjusted / comparison.p, 1.0) / 2


def limit_of_signs(test: str, tail: float) -> float:
    """The greatest one-sided p of signs that fails a gate; 1 if the test is not of signs."""
    return tail if test in _OF_SIGNS else 1.0


def least_topics(limit: float) -> int:
    """The least number of topics whose signs can have a one-sided p of `limit`."""
    return next(size for size in range(1, 2000) if 0.5**size <= limit + 1e-12)


def _gate_of_significance(comparison: Comparison, gain: Float64, reach: float) -> Gate:
    """The gate without a margin, which fails if the loss is significant."""
    centre, significant = mean(gain), bool(comparison.significant)
    worse = significant and centre < 0 and bool(direction(gain, comparison.test) < 0)
    # Power is computed only for an observed loss that is not significant.
    missed = centre < 0 and not significant
    why = LossTested(
        level=comparison.level,
        test=comparison.test,
        significant=significant,
        edge=_least_significant_loss(comparison, gain),
        is_near=comparison.correction != "tukey" and _is_near(comparison.test),
        detected=of_data(gain, 0.8, comparison.level) if missed else float("nan"),
        differing=int(np.count_nonzero(gain)),
        size=len(gain),
        reach=reach,
    )
    # What may be wrong with p may be wrong with the gate, which has no interval.
    skewed = (
        note.with_interval(False) for note in comparison.notes if isinstance(note, OfSkewness)
    )
    notes = (
        GateWithoutMargin("", (1 - comparison.level) / 2),
        *keep_if_concerned(skewed, comparison.p, comparison.level, has_bounds=False),
    )
    decided = Gate(
        comparison.names,
        comparison.measure,
        None,
        not worse,
        comparison.adjusted,
        why,
        notes,
        centre,
        comparison.head,
    )
    if math.isinf(why.edge) and not worse:
        needed = least_topics(_tail(comparison))
        size, differ = len(gain), int(np.count_nonzero(gain))
        # A gain is not doubted, unless every sample of this size passes.
        if size < needed or (differ < needed and centre < 0):
            never = NeverFails("", size, decided.name, None if size < needed else differ, needed)
            return replace(decided, notes=(never, *notes))
    return decided


def reaches(test: str, size: int, limit: float) -> bool:
    """Whether a one-sided p of `size` topics can be as small as `limit`; by signs it is at least
    2^-size.
    """
    return test not in _OF_SIGNS or 0.5**size <= limit + 1e-12


def _least_significant_loss(comparison: Comparison, gain: Float64) -> float:
    """The approximate least significant loss, for which Student's interval of these topics would
    end at 0; infinite if no loss is significant.
    """
    size, spread, tail = len(gain), deviation(gain), _tail(comparison)
    if comparison.correction == "tukey":
        return _tukey_half_width(comparison, spread)
    # Whatever the test is, a loss that is the same on all topics is tested by signs.
    test = comparison.test if size > 1 and spread > 0 else "randomization"
    # Topics without a difference do not change p by signs.
    if not reaches(test, int(np.count_nonzero(gain)), tail):
        return float("inf")
    if size < 2 or not spread > 0:
        return float("nan")
    return float(quantiles.t(1 - 2 * tail, size - 1) * spread / size**0.5)


def _is_near(test: str) -> bool:
    """Whether the least loss by Student's interval is only an approximation for the test."""
    return DECLARED[test].interval != test


def _tukey_half_width(comparison: Comparison, spread: float) -> float:
    """Half the width of a simultaneous interval; infinite if nothing can be rejected."""
    if not reaches(
        "randomization", comparison.wins + comparison.losses, (1 - comparison.level) / 2
    ):
        return float("inf")
    if comparison.low is None or comparison.high is None:
        return float("inf") if spread > 0 else 0.0
    # One end may be cut to the range of differences.
    return max(comparison.high - comparison.difference, comparison.difference - comparison.low)


def _gate_of_margin(
    comparison: Comparison, gain: Float64, margin: float, choices: PairedOptions
) -> Gate:
    """The gate with a margin, which passes if the loss is shown to be less."""
    test = comparison.test if comparison.test in _TESTS else "randomization"
    test, notes = _choose_test(gain, test, comparison.higher_is_better)
    p, _, low, _, needed, _ = run_both_tests(gain, margin, "not worse", test, choices)
    notes = keep_if_concerned(notes, p, comparison.level, low == low)
    passed = bool(p <= 1 - comparison.level + 1e-12)
    lacks_topics = not passed and needed > margin
    why = MarginTested(
        level=comparison.level,
        test=test,
        needed=needed,
        is_near=_is_near(test),
        low=low,
        topics=_sufficient_topics(gain, margin, comparison.level) if lacks_topics else None,
    )
    return Gate(
        comparison.names,
        comparison.measure,
        margin,
        passed,
        p,
        why,
        (GateWithMargin("", 1 - comparison.level), *notes),
        mean(gain),
        comparison.head,
    )


def _sufficient_topics(gain: Float64, margin: float, level: float) -> int | None:
    """The number of topics that would be enough if difference and spread stayed the same.

    None if the present number is enough, if too many would be needed, or if no number helps.
    """
    excess, spread = mean(gain) + margin, deviation(gain)
    if not excess > 0 or not spread > 0:
        return None
    size = max(2, len(gain))
    while quantiles.t(2 * level - 1, size - 1) * spread / size**0.5 > excess:
        size = size + max(1, size // 50)
        if size > _MANY:
            return None
    return size if size > len(gain) else None
