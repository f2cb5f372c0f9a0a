"""Gates: may a new system take the place of the old one, and what would have decided otherwise?"""

from __future__ import annotations

from dataclasses import dataclass

from precall.checks import check_positive
from precall.infer import quantiles
from precall.infer.compare.comparisons import Comparison, p_text
from precall.infer.compare.equivalence import decided
from precall.infer.compare.paired import RESAMPLES, Choices, deviation, direction
from precall.infer.compare.pairing import mean
from precall.infer.compare.power import of_data
from precall.infer.skewness import remark
from precall.presented import Presented
from precall.ragged import Float64
from precall.results import Equal
from precall.rng import Rng
from precall.text import visible

#: More topics than this are no advice.
_MANY = 1_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Gate(Equal, Presented):
    """Whether a system passes, against which other, and why; `margin` is None where only a significant loss fails.

    `notes` are what a reader should know of it.
    """

    names: tuple[str, str]
    measure: str
    margin: float | None
    passed: bool
    p: float
    text: str
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return visible(self.text)


def gate(
    comparison: Comparison, gain: Float64, margin: float | None = None, rng: Rng = 0, resamples: int = RESAMPLES,
) -> Gate:  # fmt: skip
    """Decide whether the first system of a comparison is worse than the second.

    Parameters
    ----------
    comparison : first minus second; its adjusted p decides where there is no margin.
    gain : per topic, by how much the first is better.
    margin : the loss that does not matter. The system must then be shown to lose less (non-inferiority,
        by the comparison's kind of test, one-sided); without it only a significant loss fails.
    rng, resamples : for sampled tests.

    Notes
    -----
    A loss is significant if the test speaks against the system: signs and signed ranks can be significant for
    the one that has the lower mean, and then nothing fails.

    Examples
    --------
    >>> import numpy as np
    >>> from precall.infer.compare.paired import paired
    >>> new, old = np.array([0.4, 0.3, 0.5, 0.2, 0.4, 0.3]), np.array([0.5, 0.5, 0.6, 0.4, 0.5, 0.5])
    >>> print(gate(paired(new, old, names=("new", "old"), measure="AP"), new - old))
    AP: new loses 0.1500 to old, p 0.0312 <= 0.05: worse. It would have passed with a loss below about 0.0575
    """
    if margin is None:
        return _significant(comparison, gain)
    check_positive(margin=margin)
    return _not_inferior(
        comparison, gain, float(margin), Choices("greater", comparison.level, resamples, rng)
    )


def _significant(comparison: Comparison, gain: Float64) -> Gate:
    system, other = comparison.names
    centre, p, limit = mean(gain), comparison.adjusted, 1 - comparison.level
    against = direction(gain, comparison.test) < 0
    worse = bool(comparison.significant and centre < 0 and against)
    verb, to = ("loses", "to") if centre < 0 else ("gains", "over")
    outcome = f"{comparison.measure}: {system} {verb} {abs(centre):.4f} {to} {other}"
    about, edge = _edge(comparison, gain)
    # A loss that passed was not caught, whatever Student's bound says.
    edge = max(edge, -centre) if not worse else edge
    if worse:
        text = f"{outcome}, p {p_text(p)} <= {limit:.3g}: worse."
        text += _said(f" It would have passed with a loss below{about}", edge, edge < -centre)
    elif centre < 0 and comparison.significant:
        text = (
            f"{outcome}, but p {p_text(p)} ({comparison.test}) speaks for {system}: not significantly worse."
        )
    elif centre < 0:
        text = f"{outcome}, p {p_text(p)} > {limit:.3g}: not significantly worse."
        text += _said(f" It would have failed with a loss above{about}", edge)
        text += _said(
            "; what is found with power .8 is a loss of",
            of_data(gain, 0.8, comparison.level),
            -centre < edge < float("inf"),
        )
    else:
        text = f"{outcome}: not worse." + _said(f" It would have failed with a loss above{about}", edge)
    if not worse and edge == float("inf"):
        text += f" No loss on {len(gain)} topics would have failed: p cannot be as small"
    elif not worse and edge != edge:
        text += " It would have failed with any loss that is the same on all topics"
    acts = f"a gate without a margin acts at {100 * limit / 2:.3g} %: p is two-sided, and only losses fail"
    notes = _notes(acts, gain, comparison.test)
    return Gate(comparison.names, comparison.measure, None, not worse, p, text, notes)


def _notes(acts: str, gain: Float64, test: str) -> tuple[str, ...]:
    skewed = remark(gain, test)
    return (acts, skewed) if skewed else (acts,)


def _said(what: str, number: float, holds: bool = True) -> str:
    # Student's bound is near that of the other tests, and not theirs: where it contradicts them it says nothing.
    return f"{what} {number:.4f}" if holds and 0 < number < float("inf") else ""


def _about(test: str) -> str:
    return "" if test == "t" else " about"


def _reaches(test: str, size: int, limit: float) -> bool:
    """Whether a one-sided p of so many topics can be as small; by signs it is no smaller than 2^-topics."""
    return test not in ("randomization", "wilcoxon", "sign") or 0.5**size <= limit + 1e-12


def _edge(comparison: Comparison, gain: Float64) -> tuple[str, float]:
    """About the least significant loss: where Student's interval of these topics would end at 0; infinite for none."""
    size, spread = len(gain), deviation(gain)
    if comparison.correction == "tukey":
        return "", ((comparison.high or 0.0) - (comparison.low or 0.0)) / 2
    ratio = comparison.adjusted / comparison.p if comparison.p else 1.0
    tail = (1 - comparison.level) / max(ratio, 1.0) / 2
    about = _about(comparison.test)
    if not _reaches(comparison.test, size, tail):
        return about, float("inf")
    if size < 2 or not spread > 0:
        return about, float("nan")
    return about, quantiles.t(1 - 2 * tail, size - 1) * spread / size**0.5


def _not_inferior(comparison: Comparison, gain: Float64, margin: float, choices: Choices) -> Gate:
    system, other = comparison.names
    test = comparison.test if comparison.test in ("t", "wilcoxon") else "randomization"
    p, _, low, _, needed, _ = decided(gain, margin, "not worse", test, choices)
    passed = bool(p <= 1 - comparison.level + 1e-12)
    centre, limit = mean(gain), 1 - comparison.level
    outcome = (
        f"{comparison.measure}: {system} was {'' if passed else 'not '}shown to lose less than {margin:g} to {other} "
        f"(difference {centre:+.4f}, p {p_text(p)} {'<=' if passed else '>'} {limit:.3g}, {test})"
    )
    about = _about(test)
    notes = _notes(f"a gate with a margin is one-sided at {100 * limit:.3g} %", gain, test)
    if passed:
        text = f"{outcome}." + _said(
            f" It would have failed with a margin below{about}", needed, needed < margin
        )
        # No loss is within Student's bound of the difference.
        text += " By Student's bound it would have passed with any margin" if needed == 0 else ""
        # Student's lower bound is so far below the mean, wherever that is.
        caught = max(margin - (centre - low), -centre)
        least = f"; the least observed loss that it would have caught is about {caught:.4f}"
        text += least if caught > 0 else "; it would have caught any observed loss" if caught <= 0 else ""
        return Gate(comparison.names, comparison.measure, margin, True, p, text, notes)
    if needed > margin and _reaches(test, len(gain), limit):
        ways = [
            f"a margin of{about} {needed:.4f}",
            f"a difference of{about} {centre - low - margin:+.4f} or better",
        ]
        ways += [_topics(gain, margin, comparison.level)]
    else:
        ways = []
    text = f"{outcome}. It would have needed {', or '.join(way for way in ways if way) or 'more topics'}"
    return Gate(comparison.names, comparison.measure, margin, False, p, text, notes)


def _topics(gain: Float64, margin: float, level: float) -> str:
    """How many topics would do, were difference and spread to stay as they are."""
    room, spread = mean(gain) + margin, deviation(gain)
    if not room > 0 or not spread > 0:
        return ""
    size = max(2, len(gain))
    while quantiles.t(2 * level - 1, size - 1) * spread / size**0.5 > room:
        size = size + max(1, size // 50)
        if size > _MANY:
            return ""
    return f"about {size} topics like these" if size > len(gain) else ""
