"""What `precall null` shows: measures of some items in random order, and an AP that was reached beside them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property

import numpy as np

from precall.checks import check_whole, is_whole
from precall.errors import UsageError
from precall.infer.null.average import AveragePrecision, average_precision
from precall.infer.null.distribution import NullDistribution
from precall.infer.null.hits_and_ranks import precision, recall
from precall.infer.null.significance import Outcome
from precall.infer.null.tail.random_placements import draw
from precall.ragged import Float64
from precall.results import Presented
from precall.rng import Rng, by_seed, seed_of
from precall.text import written

#: The settings of the simulation study of Zhang & Su (2012): items, relevant.
STUDY = ((1000, 100), (2000, 500))
#: Relative differences of p up to the stated error of null distributions are not told.
_TOLD = 0.02


@dataclass(frozen=True)
class Setting:
    """A number of items and of relevant ones, and what is asked about them; see `describe`."""

    items: int
    relevant: int
    retrieved: int
    simulate: int | None = None
    seed: int = 0
    ap: str | None = None
    published: bool = False

    @cached_property
    def null(self) -> AveragePrecision:
        """The null distribution of AP."""
        return average_precision(self.items, self.relevant)

    def distributions(self) -> dict[tuple[str, str], NullDistribution]:
        """By measure and kind: how good its tails and quantiles are, or, if asked for, the one of AP that was published."""
        n, m, t = self.items, self.relevant, self.retrieved
        nulls: dict[str, NullDistribution]
        nulls = {f"recall at {t}": recall(n, m, t), f"precision at {t}": precision(n, m, t), "AP": self.null}
        result = {(name, kind(null)): null for name, null in nulls.items()}
        if self.published and m > 1:
            result["AP", "Zhang & Su"] = self.null.zhang_su()
        return result

    def draws(self, number: int | None) -> dict[tuple[str, str], Float64]:
        """Values of so many random rankings, by (measure, "drawn"); each ranking gives all three measures."""
        if number is None:
            return {}
        m, t = self.relevant, self.retrieved
        order, sums, hits = np.arange(1, m + 1), [np.empty(0)], [np.empty(0)]
        for rank in draw(self.items, m, number, np.random.default_rng(self.seed)):
            sums.append((order / rank).sum(axis=1))
            hits.append((rank <= t).sum(axis=1).astype(np.float64))
        reached = np.concatenate(hits)
        values = (reached / m, reached / t, np.concatenate(sums) / m)
        names = (f"recall at {t}", f"precision at {t}", "AP")
        return {(name, "drawn"): value for name, value in zip(names, values, strict=True)}

    @cached_property
    def taken(self) -> tuple[float, str | None]:
        """The value that `ap` stands for, and what is to be said about it, if anything."""
        return taken(self.null, str(self.ap))

    @cached_property
    def outcome(self) -> Outcome | None:
        """The AP that was asked about, against its null distribution."""
        return None if self.ap is None else Outcome.of(self.taken[0], self.null)


def kind(null: NullDistribution) -> str:
    """Exact only where quantiles are, too; else how far off p is at most."""
    error = null.approximate.error
    return "exact" if not error else f"to {100 * error:g} %" if np.isfinite(error) else "approximate"


@dataclass(frozen=True)
class Description(Presented):
    """What `describe` found, one or both settings; it prints as `precall null` does."""

    settings: tuple[Setting, ...]
    simulate: int | None
    seed: int


@by_seed
def describe(
    items: int | None = None, relevant: int | None = None, *, retrieved: int | None = None,
    ap: str | float | Fraction | None = None, published: bool = False, simulate: int | None = None, rng: Rng = 0,
) -> Description:  # fmt: skip
    """What recall, precision and AP are when items stand in random order, as `precall null` shows it.

    Parameters
    ----------
    items, relevant : items in the ranking and relevant ones among them; without them the two settings of the
        simulation study of Zhang & Su (2012).
    retrieved : ranks of recall and precision; by default as many as items are relevant.
    ap : an AP that was reached. With decimals, as "0.27", it is the value that rounds to it; where values are too many to
        list, the least number that does. A fraction, as "11/12", is that value.
    published : the approximation of Zhang & Su (2012), too.
    simulate : draw so many random rankings, too.
    rng : seed of those.

    Examples
    --------
    >>> setting, = describe(8, 3, ap="0.9167").settings
    >>> round(setting.outcome.p, 6), setting.taken[1]
    (0.035714, '0.9167 is taken as 0.916666666667, the value of AP that rounds to it.')
    """
    if (items is None) != (relevant is None):
        raise UsageError("items= and relevant= belong together; give both, or none for the published study")
    pairs: tuple[tuple[int, int], ...] = STUDY
    if items is not None:
        n = check_whole("items", items, 1)
        pairs = ((n, check_whole("relevant", relevant, 1, n)),)
        if retrieved is not None:
            check_whole("retrieved", retrieved, 1, n)
    elif ap is not None or retrieved is not None:
        raise UsageError("ap= and retrieved= need items= and relevant=")
    text = None if ap is None else written(ap) if is_whole(ap) else str(ap)
    if text is not None:
        _number(text)
    if simulate is not None:
        check_whole("simulate", simulate, 2)
    seed = seed_of(rng)
    settings = (Setting(n, m, retrieved or m, simulate, seed, text, published) for n, m in pairs)
    return Description(tuple(settings), simulate, seed)


def _number(text: str) -> Decimal | Fraction:
    """The value of a number or fraction in ASCII digits, as numbers in files have them."""
    number: Decimal | Fraction | None = None
    if text.isascii() and "_" not in text:
        with suppress(ValueError, ArithmeticError):
            number = Fraction(text) if "/" in text else Decimal(text)
    if number is None:
        raise UsageError(f"ap: must be a number such as 0.27, or a fraction such as 11/12, got {text}")
    if (isinstance(number, Decimal) and not number.is_finite()) or not 0 <= number <= 1:
        raise UsageError(f"ap: must be in 0..1, got {text}")
    return number


def taken(null: AveragePrecision, text: str) -> tuple[float, str | None]:
    """The value of AP that rounds to what was typed; where several do, the one that is typed or the least.

    Where values are too many to list, it is the least number that rounds to it: so its p is never too small.
    """
    given, listed = _number(text), null._atoms()
    if isinstance(given, Fraction) or (decimals := -int(given.as_tuple().exponent)) < 1:
        return float(given), None
    half = Decimal(1).scaleb(-decimals) / 2
    if listed is None:
        least, most = max(float(given - half), 0.0), min(float(given + half), 1.0)
        # The span of p is said if it is more than the usual error of p.
        if null.tail(least).p <= null.tail(most).p * (1 + _TOLD):
            return least, None
        many = f"the values of AP that round to {text} are too many to list; taken is {least:.12g}, the least number that does."
        return least, _span(null, least, most, many)
    near = listed[0][np.abs(listed[0] - float(given)) <= float(half) * (1 + 1e-9) + null._slack]
    values = near[np.diff(near, prepend=-1.0) > null._slack]
    if not len(values):
        return float(given), f"No value of AP rounds to {text}: it is taken as it is."
    same = np.abs(values - float(given)) < null._slack
    chosen = float(values[same][0] if same.any() else values[0])
    if len(values) > 1:
        several = f"{len(values)} values of AP round to {text}; taken is {chosen:.12g}."
        return chosen, _span(null, values[0], values[-1], several)
    note = None if same.any() else f"{text} is taken as {chosen:.12g}, the value of AP that rounds to it."
    return chosen, note


def _span(null: AveragePrecision, least: float, most: float, what: str) -> str:
    low, high = null.tail(float(most)).p, null.tail(float(least)).p
    return f"Warning: {what} Their p goes from {low:.4g} to {high:.4g}: give more decimals."
