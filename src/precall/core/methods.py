"""How a number was computed, as facts: a `Method` becomes a sentence when it is printed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from precall.core.text import count_drawn, many


@dataclass(frozen=True, slots=True)
class Method:
    """How a p-value or another probability was computed; as a text it is a sentence.

    Attributes
    ----------
    name : what gave the number: "enumerated", "sampled" or "resampled"; a distribution, such as
        "binomial"; what there was instead of a test, such as "no difference"; or "undefined".
    exact : whether it is without any error of sampling, or of a distribution that is assumed.
    drawn : what was gone through, or drawn: "signs", "swaps", "exchanges of ranks", "items".
    units : how many units each had one of two states, if all 2^units arrangements were gone
        through.
    by : how that was done, if not one by one: "convolution", "halves".
    resamples : how many arrangements, or samples, were drawn.
    seed : where random numbers started.
    counts : of "binomial" how many speak for the first and for the second; of "hypergeometric"
        relevant ones, and all.
    freedom : degrees of freedom.
    statistic : what was counted, if it is not that of the test alone.
    pairs : how many pairs were matched, of those that are not items.
    undefined : why there is no number.

    Examples
    --------
    >>> method = Method("sampled", drawn="signs", resamples=100_000, seed=0)
    >>> print(method)
    100,000 sampled signs
    >>> exact = Method("enumerated", exact=True, drawn="signs", units=30, by="halves")
    >>> str(exact), exact.in_short
    ('all 2^30 signs, by halves', 'exact')
    """

    name: str
    exact: bool = False
    drawn: str | None = None
    units: int | None = None
    by: str | None = None
    resamples: int | None = None
    seed: int | None = None
    counts: tuple[int, int] | None = None
    freedom: float | None = None
    statistic: str | None = None
    pairs: int | None = None
    undefined: str | None = None

    @property
    def in_short(self) -> str:
        """A short text for several methods in one line: "exact" for all that is enumerated or
        summed.
        """
        return "exact" if self.exact and self.name != NO_DIFFERENCE.name else str(self)

    def of_pairs(self, pairs: int) -> Method:
        """The method with its number of matched pairs.

        Parameters
        ----------
        pairs : how many.
        """
        return replace(self, pairs=pairs)

    def to_dict(self) -> dict[str, Any]:
        """The facts that are known, as plain data for JSON."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    def __str__(self) -> str:
        pairs = None if self.pairs is None else many(self.pairs, "pair")
        by = None if self.by is None else f"by {self.by}"
        return ", ".join(filter(None, (self._words(), by, self.statistic, pairs)))

    def _words(self) -> str:
        match self.name:
            case "enumerated":
                return f"all 2^{self.units} {self.drawn}"
            case "sampled":
                return f"{self.resamples:,} sampled {self.drawn}"
            case "resampled":
                return count_drawn(self.resamples or 0) + (
                    f" of {self.drawn}" if self.drawn else ""
                )
            case "binomial" if self.counts:
                return "binomial, {} to {}".format(*self.counts)
            case "hypergeometric" if self.counts:
                return "hypergeometric, {} relevant of {}".format(*self.counts)
            case "paired t":
                return f"{self.freedom} degrees of freedom"
            case "Student's t":
                return f"Student's t, {self.freedom:.3g} degrees of freedom"
            case "chi-squared":
                return f"chi-squared, {many(int(self.freedom or 0), 'degree')} of freedom"
            case "undefined":
                return f"undefined: {self.undefined}"
            case "Dirichlet" if self.exact:
                return "Dirichlet, exact"
        return self.name + (f", {count_drawn(self.resamples, 'sample')}" if self.resamples else "")


#: If nothing distinguishes two systems, p is 1.
NO_DIFFERENCE = Method("no difference", exact=True)


def ways_of(methods: Iterable[Method]) -> list[str]:
    """How several p-values were computed, each way once. Pairs of systems that do not differ needed
    no test and are left out.

    Examples
    --------
    >>> ways_of([Method("paired t", freedom=59), NO_DIFFERENCE]), ways_of([NO_DIFFERENCE])
    (['59 degrees of freedom'], ['no difference'])
    """
    # Exact ones stand first, so measures of the same ways share a place.
    ways = sorted(
        dict.fromkeys(method.in_short for method in methods), key=lambda way: way != "exact"
    )
    return [way for way in ways if way != NO_DIFFERENCE.name] or list(ways)
