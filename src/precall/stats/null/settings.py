"""What `precall null` shows: measures of some items in random order, and values that were reached
beside them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

import numpy as np

from precall.core.arguments import check_level, check_whole, is_whole
from precall.core.errors import Fact, UsageError
from precall.core.notes import Note
from precall.core.notes.of_null import NoSuchValue, SeveralRound, TakenAs
from precall.core.ragged import Float64
from precall.core.rng import Rng, by_our_names, seed_of
from precall.core.text import written
from precall.results.base import Presented
from precall.stats.null import by_name
from precall.stats.null.average import AveragePrecision, average_precision
from precall.stats.null.by_name import CUT, KEYWORDS, gains
from precall.stats.null.distribution import NullDistribution
from precall.stats.null.significance import Outcome
from precall.stats.null.tail.random_placements import draw

#: The settings of the simulation study of Zhang & Su (2012): items, relevant.
STUDY = ((1000, 100), (2000, 500))
#: Measures that are shown where none is named.
DEFAULT = ("recall", "precision", "ap")
#: A value that was reached, as it is typed; True where a measure is asked for without one.
Value: TypeAlias = bool | str | float | Fraction | None
#: Relative differences of p up to the stated error of null distributions are not told.
_TOLD = 0.02


class Exactly(str):
    """A number that was given as one, not typed: it is that value to the rounding of float64,
    however many digits it has.
    """


@dataclass(frozen=True)
class Setting:
    """A number of items and of relevant ones, and what is asked about them; see `describe`.

    `asked` are the measures that were named, each with the value that was reached, as it was typed,
    if any; without names they are recall, precision and AP, and `ap` is the value of the last.
    """

    items: int
    relevant: int
    retrieved: int
    simulate: int | None = None
    seed: int = 0
    ap: str | None = None
    published: bool = False
    asked: tuple[tuple[str, str | None], ...] = ()
    at: int | None = None
    level: float = 0.95
    grades: tuple[float, ...] | None = None

    @cached_property
    def null(self) -> AveragePrecision:
        """The null distribution of AP of all ranks."""
        return average_precision(self.items, self.relevant)

    @property
    def names(self) -> tuple[str, ...]:
        """The measures."""
        return tuple(name for name, _ in self.asked) or DEFAULT

    def label(self, name: str) -> str:
        """How a measure is called."""
        return by_name.label(name, self.retrieved, self.at)

    @cached_property
    def nulls(self) -> dict[str, NullDistribution]:
        """The null distribution of each measure."""
        counts = self.items, self.relevant, self.retrieved, self.at, self.grades, self.seed
        return {
            name: self.null if (name, self.at) == ("ap", None) else by_name.null_of(name, *counts)
            for name in self.names
        }

    def distributions(self) -> dict[tuple[str, str], NullDistribution]:
        """By measure and kind: how good its tails and quantiles are, or, if asked for, the one of
        AP that was published.
        """
        result = {(self.label(name), kind(null)): null for name, null in self.nulls.items()}
        if self.published and self.relevant > 1:
            result["AP", "Zhang & Su"] = self.null.zhang_su()
        return result

    def draws(self, number: int | None) -> dict[tuple[str, str], Float64]:
        """Values of so many random rankings, by (measure, "drawn"); each ranking gives all
        measures.
        """
        if number is None:
            return {}
        rng, parts = np.random.default_rng(self.seed), {name: [np.empty(0)] for name in self.names}
        for rank in draw(self.items, self.relevant, number, rng):
            for name, values in parts.items():
                given = rank, self.items, self.retrieved, self.at, self.grades
                values.append(by_name.reached(name, *given, rng))
        return {
            (self.label(name), "drawn"): np.concatenate(values) for name, values in parts.items()
        }

    @cached_property
    def taken(self) -> tuple[float, Note | None]:
        """The AP that `ap` stands for, and what is to be said about it, if anything."""
        return value_typed(self.null, self.ap or "")

    @cached_property
    def outcome(self) -> Outcome | None:
        """The AP that was asked about, against its null distribution."""
        return None if self.ap is None else Outcome.of(self.taken[0], self.null)

    @cached_property
    def outcomes(self) -> dict[str, tuple[Outcome, Note | None]]:
        """By measure that was named: its value against its null distribution, and what is to be
        said about the value.
        """
        result = {}
        for name, text in self.asked:
            if text is not None:
                value, note = value_typed(self.nulls[name], text, self.label(name))
                result[name] = Outcome.of(value, self.nulls[name]), note
        return result


def kind(null: NullDistribution) -> str:
    """Exact only where quantiles are, too; else how far off p is at most."""
    error = null.approximate.error
    return (
        "exact" if not error else f"to {100 * error:g} %" if np.isfinite(error) else "approximate"
    )


@dataclass(frozen=True)
class Description(Presented):
    """What `describe` found, one or both settings; it prints as `precall null` does."""

    settings: tuple[Setting, ...]
    simulate: int | None
    seed: int


@by_our_names
def describe(
    items: int | None = None,
    relevant: int | None = None,
    *,
    retrieved: int | None = None,
    ap: Value = None,
    published: bool = False,
    simulate: int | None = None,
    rng: Rng = 0,
    recall: Value = None,
    precision: Value = None,
    rprec: Value = None,
    auc: Value = None,
    ndcg: Value = None,
    at: int | None = None,
    level: float | None = None,
    grades: Sequence[float] | None = None,
) -> Description:
    """What measures are when items stand in random order, as `precall null` shows it.

    Without names these are recall, precision and AP. A measure that is named, by True or by the
    value that was reached, stands alone, or with others that are: then critical values and the p of
    each value are given, too.

    Parameters
    ----------
    items : items in the ranking. Without them, and `relevant`, the two settings of the simulation
        study of Zhang & Su (2012).
    relevant : relevant items among them.
    retrieved : ranks of recall and precision; by default as many as items are relevant.
    ap : an AP that was reached. A number, as 0.27, is that value. A text with decimals, as "0.27",
        is the value that rounds to it; where values are too many to list, the least number that
        does. A fraction, as "11/12", is that value. True: without a value.
    published : the approximation of Zhang & Su (2012), too.
    simulate : draw so many random rankings, too.
    rng : seed of those, and of permutations.
    recall : True, or a value of recall at a rank, written as one of `ap` is.
    precision : True, or a value of precision at a rank, likewise.
    rprec : True, or a value of R-precision.
    auc : True, or a value of the area under ROC.
    ndcg : True, or a value of nDCG. Tails of more than half a million arrangements are of 1,000 to
        100,000 permutations.
    at : the cutoff k of recall, precision, AP and nDCG, in the place of `retrieved`.
    level : of the middle part whose ends are shown, .95 by default; the critical value is the least
        with P(X >= value) <= 1 - level.
    grades : of the relevant items, for nDCG (default: 1 each).

    Raises
    ------
    UsageError
        A count is out of range, a value is no number in 0..1, or no measure that was named has what
        was asked of it.

    Examples
    --------
    >>> setting, = describe(8, 3, ap="0.9167").settings
    >>> print(round(setting.outcome.p, 6), setting.taken[1])
    0.035714 0.9167 is taken as 0.916666666667, the value of AP that rounds to it.
    >>> setting, = describe(20, 5, precision="0.6", at=5).settings
    >>> round(setting.outcomes["precision"][0].p, 4), setting.nulls["precision"].critical(0.95)
    (0.0726, 0.8)
    """
    given = (recall, precision, ap, rprec, auc, ndcg)
    values = {
        name: _text(name, value)
        for name, value in zip(KEYWORDS, given, strict=True)
        if value is not None
    }
    named = bool(values.keys() - {"ap"}) or ap is True or at is not None or level is not None
    pairs = _pairs(items, relevant, any(values.values()), retrieved, at)
    asked = (values or dict.fromkeys(DEFAULT)) if named else {}
    _refuse_unused(asked, retrieved, at, grades)
    if simulate is not None:
        check_whole("simulate", simulate, 2)
    seed, text = seed_of(rng), None if named else values.get("ap")
    share = 0.95 if level is None else check_level(level)
    some = None if grades is None else tuple(gains(pairs[0][1], grades))
    settings = (
        Setting(
            n,
            m,
            at or retrieved or m,
            simulate,
            seed,
            text,
            published,
            tuple(asked.items()),
            at,
            share,
            some,
        )
        for n, m in pairs
    )
    return Description(tuple(settings), simulate, seed)


def _pairs(
    items: int | None, relevant: int | None, valued: bool, retrieved: int | None, at: int | None
) -> tuple[tuple[int, int], ...]:
    """Items and relevant ones of each setting, checked with the ranks that are looked at."""
    if (items is None) != (relevant is None):
        raise UsageError(
            "⟨items=⟩ and ⟨relevant=⟩ belong together",
            remedy="give both, or none for the published study",
        )
    if items is None or relevant is None:
        if valued or retrieved is not None or at is not None:
            raise UsageError("values, retrieved and at need ⟨items=⟩ and ⟨relevant=⟩")
        return STUDY
    n = check_whole("items", items, 1)
    pairs = ((n, check_whole("relevant", relevant, 1, n)),)
    for name, ranks in (("retrieved", retrieved), ("at", at)):
        if ranks is not None:
            check_whole(name, ranks, 1, n)
    return pairs


def _refuse_unused(
    asked: Mapping[str, str | None],
    retrieved: int | None,
    at: int | None,
    grades: Sequence[float] | None,
) -> None:
    """Refuse what says nothing about the measures that were named."""
    if at is not None and retrieved is not None:
        raise UsageError(
            argument="at",
            what="so does retrieved say how many ranks are looked at",
            remedy="leave one of them out",
        )
    if at is not None and not {*asked} & {*CUT}:
        raise UsageError(
            argument="at",
            what="R-precision and the area under ROC have no cutoff",
            remedy="leave it out",
        )
    if retrieved is not None and asked and not {*asked} & {"recall", "precision"}:
        raise UsageError(
            argument="retrieved",
            what="is of recall and precision",
            remedy="name one of them, or leave it out",
        )
    if grades is not None and "ndcg" not in asked:
        raise UsageError(argument="grades", what="are of nDCG", remedy="ask for it, too")


def _text(name: str, value: Value) -> str | None:
    """A value as it was typed, checked; None where there is none."""
    if value is True:
        return None
    if isinstance(value, float | np.floating):
        text: str = Exactly(float(value))
    else:
        text = written(value) if is_whole(value) else str(value)
    _number(text, name)
    return text


def _number(text: str, name: str = "ap") -> Decimal | Fraction:
    """The value of a number or fraction in ASCII digits, as numbers in files have them."""
    number: Decimal | Fraction | None = None
    if text.isascii() and "_" not in text:
        with suppress(ValueError, ArithmeticError):
            number = Fraction(text) if "/" in text else Decimal(text)
    if number is None:
        raise UsageError(
            argument=name,
            allowed="a number such as 0.27, or a fraction such as 11/12",
            got=Fact(text),
        )
    if (isinstance(number, Decimal) and not number.is_finite()) or not 0 <= number <= 1:
        raise UsageError(argument=name, allowed="in 0..1", got=Fact(text))
    return number


def value_typed(
    null: NullDistribution, text: str, measure: str = "AP"
) -> tuple[float, Note | None]:
    """The value of a measure that rounds to what was typed; where several do, the one that is typed
    or the least.

    Where values are too many to list, it is the least number that rounds to it: so its p is never
    too small.
    """
    given, listed = _number(text), null._atoms()
    if isinstance(text, Exactly):
        return _nearest(null, float(given), measure)
    if isinstance(given, Fraction) or (decimals := -int(given.as_tuple().exponent)) < 1:
        return float(given), None
    half = Decimal(1).scaleb(-decimals) / 2
    if listed is None:
        least, most = max(float(given - half), 0.0), min(float(given + half), 1.0)
        # The span of p is said if it is more than the usual error of p.
        if null.tail(least).p <= null.tail(most).p * (1 + _TOLD):
            return least, None
        return least, SeveralRound(measure, text, least, 0, null.tail(most).p, null.tail(least).p)
    near = listed[0][np.abs(listed[0] - float(given)) <= float(half) * (1 + 1e-9) + null._slack]
    values = near[np.diff(near, prepend=-1.0) > null._slack]
    if not len(values):
        return float(given), NoSuchValue(measure, text, True)
    same = np.abs(values - float(given)) < null._slack
    chosen = float(values[same][0] if same.any() else values[0])
    if len(values) > 1:
        least_p, greatest_p = (null.tail(float(end)).p for end in (values[-1], values[0]))
        return chosen, SeveralRound(measure, text, chosen, len(values), least_p, greatest_p)
    return chosen, None if same.any() else TakenAs(measure, text, chosen)


def _nearest(null: NullDistribution, value: float, measure: str) -> tuple[float, Note | None]:
    """A number as the value that it is but for rounding, or as it is."""
    listed = null._atoms()
    if listed is None:
        return value, None
    near = float(listed[0][np.argmin(np.abs(listed[0] - value))])
    if abs(near - value) <= null._slack:
        return near, None
    return value, NoSuchValue(measure, f"{value:.12g}", False)
