"""The results of `precall null`: null distributions of measures, and values that are compared with
them.
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

from precall.core.arguments import check_level, check_share, check_whole, is_whole
from precall.core.errors import Fact, UsageError
from precall.core.notes import Note
from precall.core.notes.of_null import NoSuchValue, SeveralRound, TakenAs
from precall.core.ragged import Float64
from precall.core.rng import Rng, seed_of, suggest_our_names
from precall.core.text import short_repr
from precall.results.sheets import Presented
from precall.stats.null import by_name
from precall.stats.null.average import AveragePrecision, average_precision
from precall.stats.null.by_name import CUT, KEYWORDS, gains
from precall.stats.null.distribution import NullDistribution
from precall.stats.null.limit import Limit
from precall.stats.null.significance import Outcome
from precall.stats.null.tail.random_placements import draw

#: The settings of the simulation study of Zhang & Su (2012): items, relevant.
STUDY = ((1000, 100), (2000, 500))
#: Measures that are shown if none is named.
DEFAULT = ("recall", "precision", "ap")
#: A value to test, as it is typed; True asks for a measure without a value.
Value: TypeAlias = bool | str | float | Fraction | None
#: Relative differences of p up to this, the usual stated error of null distributions, need no note.
_TOLD = 0.02


class ExactNumber(str):
    """A value that was passed as a number, not typed: it is exact to the rounding of float64,
    whatever its digits.
    """


@dataclass(frozen=True)
class Setting:
    """A number of items, a number of relevant ones, and the measures to show; see `describe`.

    `asked` has the named measures, each with the value to test as it was typed, or None. If no
    measure is named, recall, precision and AP are shown, and `ap` is the value of AP to test.
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
    share: float | None = None
    limit: bool = False

    @cached_property
    def null(self) -> AveragePrecision:
        """The null distribution of AP of all ranks."""
        return average_precision(self.items, self.relevant)

    @property
    def names(self) -> tuple[str, ...]:
        """The measures that are shown."""
        return tuple(name for name, _ in self.asked) or DEFAULT

    def label(self, name: str) -> str:
        """The name of a measure in tables."""
        return by_name.label(name, self.retrieved, self.at, self.share)

    @cached_property
    def nulls(self) -> dict[str, NullDistribution]:
        """The null distribution of each measure."""
        counts = self.items, self.relevant, self.retrieved, self.at, self.grades, self.seed
        return {
            name: self.null
            if (name, self.at) == ("ap", None)
            else by_name.null_of(name, *counts, self.share)
            for name in self.names
        }

    def distributions(self) -> dict[tuple[str, str], NullDistribution]:
        """Distributions by measure and kind; the kind says how accurate tails and quantiles are, or
        names the published approximation of AP.
        """
        result = {(self.label(name), kind(null)): null for name, null in self.nulls.items()}
        if self.published and self.relevant > 1:
            result["AP", "Zhang & Su"] = self.null.zhang_su()
        return result | {("AP", law.kind): law for law in self.limits}

    @property
    def limits(self) -> tuple[Limit, ...]:
        """The limit laws of AP, if they are shown: without and with the term of the skewness."""
        return (self.null.limit(skewness=False), self.null.limit()) if self.limit else ()

    def draws(self, number: int | None) -> dict[tuple[str, str], Float64]:
        """Values of `number` random rankings, by (measure, "drawn"); each ranking gives all
        measures.
        """
        if number is None:
            return {}
        rng, parts = np.random.default_rng(self.seed), {name: [np.empty(0)] for name in self.names}
        for rank in draw(self.items, self.relevant, number, rng):
            for name, values in parts.items():
                counts = rank, self.items, self.retrieved, self.at, self.grades
                values.append(by_name.reach(name, *counts, rng, self.share))
        return {
            (self.label(name), "drawn"): np.concatenate(values) for name, values in parts.items()
        }

    @cached_property
    def taken(self) -> tuple[float, Note | None]:
        """The AP that `ap` stands for, and a note about it or None."""
        return value_meant(self.null, self.ap or "")

    @cached_property
    def outcome(self) -> Outcome | None:
        """The AP to test against its null distribution; None without a value."""
        return None if self.ap is None else Outcome.of(self.taken[0], self.null)

    @cached_property
    def outcomes(self) -> dict[str, tuple[Outcome, Note | None]]:
        """For each named measure with a value: the value against its null distribution, and a note
        about the value or None.
        """
        result = {}
        for name, text in self.asked:
            if text is not None:
                value, note = value_meant(self.nulls[name], text, self.label(name))
                result[name] = Outcome.of(value, self.nulls[name]), note
        return result


def kind(null: NullDistribution) -> str:
    """The kind in tables: "exact" if p and quantiles are, else the greatest relative error of p."""
    error = null.approximate.error
    return (
        "exact" if not error else f"to {100 * error:g} %" if np.isfinite(error) else "approximate"
    )


@dataclass(frozen=True)
class Description(Presented):
    """The result of `describe`, with one setting or several; it prints as `precall null` does."""

    settings: tuple[Setting, ...]
    simulate: int | None
    seed: int


@suggest_our_names
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
    bep: Value = None,
    iap: Value = None,
    ef: Value = None,
    bedroc: Value = None,
    maxf: Value = None,
    share: float | None = None,
    limit: bool = False,
) -> Description:
    """Null distributions of measures: their values when items stand in random order, as in `precall
    null`.

    By default these are recall, precision and AP. If you name measures, by True or by a value to
    test, only these are shown, with their critical values and the p of each value.

    Parameters
    ----------
    items : items in the ranking. If it and `relevant` are left out, the two settings of the
        simulation study of Zhang & Su (2012) are shown.
    relevant : relevant items among them.
    retrieved : ranks of recall and precision; by default as many as items are relevant.
    ap : an AP to test. A number such as 0.27 is that value. A text with decimals such as "0.27" is
        the value that rounds to it; if there are too many values to list, it is the least number
        that rounds to it. A fraction such as "11/12" is that value. True: show AP without a value.
    published : also show the approximation of Zhang & Su (2012).
    simulate : the number of random rankings to draw in addition.
    rng : seed of those rankings, and of permutations.
    recall : True, or a value of recall at a rank, written like one of `ap`.
    precision : True, or a value of precision at a rank, likewise.
    rprec : True, or a value of R-precision.
    auc : True, or a value of the area under ROC.
    ndcg : True, or a value of nDCG. With more than half a million arrangements, tails come from
        1,000 to 100,000 permutations.
    at : the cutoff k of recall, precision, AP and nDCG, instead of `retrieved`.
    level : share of the middle part whose ends are shown, .95 by default. The critical value is the
        least one with P(X >= value) <= 1 - level.
    grades : grades of the relevant items, for nDCG (default: 1 each).
    bep : True, or a value of the break-even point (the nearest).
    iap : True, or a value of 11-point average precision.
    ef : True, or a value of the enrichment factor in the first `share` of the ranks.
    bedroc : True, or a value of BEDROC (alpha 20); `pc.null.bedroc` takes another alpha.
    maxf : True, or a value of the greatest F1; `pc.null.max_f` takes another beta.
    share : the share of the ranks for `ef`, in (0, 1]; .01 by default.
    limit : also show the limit law of AP, without and with the term of its skewness, and by how
        much its p is wrong.

    Raises
    ------
    UsageError
        A count is out of range, a value is not a number in 0..1, or an option applies to none of
        the named measures.

    Examples
    --------
    >>> setting, = describe(8, 3, ap="0.9167").settings
    >>> print(round(setting.outcome.p, 6), setting.taken[1])
    0.035714 0.9167 stands for 0.916666666667, the value of AP that rounds to it
    >>> setting, = describe(20, 5, precision="0.6", at=5).settings
    >>> round(setting.outcomes["precision"][0].p, 4), setting.nulls["precision"].critical(0.95)
    (0.0726, 0.8)
    """
    typed = (recall, precision, ap, rprec, auc, ndcg, bep, iap, ef, bedroc, maxf)
    values = {
        name: _text(name, value)
        for name, value in zip(KEYWORDS, typed, strict=True)
        if value is not None
    }
    named = bool(values.keys() - {"ap"}) or ap is True or at is not None or level is not None
    pairs = _pairs(items, relevant, any(values.values()), retrieved, at)
    measures = (values or dict.fromkeys(DEFAULT)) if named else {}
    _refuse_idle(measures, retrieved, at, grades)
    if share is not None and "ef" not in measures:
        raise UsageError(
            argument="share", what="applies to the enrichment factor", remedy="also ask for it"
        )
    part = None if share is None else check_share("share", share, nonzero=True)
    if limit and measures and ("ap" not in measures or at is not None):
        raise UsageError(
            argument="limit",
            what="is of AP over all ranks",
            remedy="also ask for AP" if at is None else "leave ⟨at=⟩ out",
        )
    if simulate is not None:
        check_whole("simulate", simulate, 2)
    seed, text = seed_of(rng), None if named else values.get("ap")
    middle = 0.95 if level is None else check_level(level)
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
            tuple(measures.items()),
            at,
            middle,
            some,
            part,
            limit,
        )
        for n, m in pairs
    )
    return Description(tuple(settings), simulate, seed)


def _pairs(
    items: int | None, relevant: int | None, valued: bool, retrieved: int | None, at: int | None
) -> tuple[tuple[int, int], ...]:
    """Items and relevant items of each setting; the ranks `retrieved` and `at` are checked against
    them.
    """
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


def _refuse_idle(
    asked: Mapping[str, str | None],
    retrieved: int | None,
    at: int | None,
    grades: Sequence[float] | None,
) -> None:
    """Refuse options that do not apply to the named measures."""
    if at is not None and retrieved is not None:
        raise UsageError(
            argument="at",
            what="retrieved also sets the number of ranks",
            remedy="leave one of them out",
        )
    if at is not None and not {*asked} & {*CUT}:
        raise UsageError(
            argument="at",
            what="only recall, precision, AP and nDCG have a cutoff",
            remedy="leave it out",
        )
    if retrieved is not None and asked and not {*asked} & {"recall", "precision"}:
        raise UsageError(
            argument="retrieved",
            what="applies to recall and precision",
            remedy="name one of them, or leave it out",
        )
    if grades is not None and "ndcg" not in asked:
        raise UsageError(argument="grades", what="apply to nDCG", remedy="also ask for nDCG")


def _text(name: str, value: Value) -> str | None:
    """A value as it was typed, checked; None for True, which has no value."""
    if value is True:
        return None
    if isinstance(value, float | np.floating):
        text: str = ExactNumber(float(value))
    else:
        text = short_repr(value) if is_whole(value) else str(value)
    _number(text, name)
    return text


#: Measures whose values may exceed 1.
_UNBOUNDED = ("ef", "EF")


def _number(text: str, name: str = "ap") -> Decimal | Fraction:
    """The value of a number or fraction in ASCII digits, the form of numbers in files."""
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
    is_bounded = not name.startswith(_UNBOUNDED)
    is_finite = not isinstance(number, Decimal) or number.is_finite()
    if not is_finite or number < 0 or (is_bounded and number > 1):
        allowed = "in 0..1" if is_bounded else "at least 0"
        raise UsageError(argument=name, allowed=allowed, got=Fact(text))
    return number


def value_typed(null: NullDistribution, value: Value, measure: str) -> tuple[float, Note | None]:
    """The value that somebody typed or passed, as `value_meant` reads it."""
    return value_meant(null, _text("ap", value) or "", measure)


def value_meant(
    null: NullDistribution, text: str, measure: str = "AP"
) -> tuple[float, Note | None]:
    """The value of a measure that rounds to the typed text, and a note or None.

    If several values round to it, this is the typed one, or else the least. If there are too many
    values to list, it is the least number that rounds to the text, so that its p is never too
    small.
    """
    number, listed = _number(text, measure), null._atoms()
    if isinstance(text, ExactNumber):
        return _nearest(null, float(number), measure)
    if isinstance(number, Fraction) or (decimals := -int(number.as_tuple().exponent)) < 1:
        return float(number), None
    # Decimals beyond those of float64 change nothing, and Decimal ends at some 10^6 of them.
    half = Decimal(1).scaleb(-min(decimals, 400)) / 2
    if listed is None:
        least, most = max(float(number - half), 0.0), min(float(number + half), 1.0)
        # A note states the span of p if it exceeds the usual error of p.
        if null.tail(least).p <= null.tail(most).p * (1 + _TOLD):
            return least, None
        return least, SeveralRound(measure, text, least, 0, null.tail(most).p, null.tail(least).p)
    near = listed[0][np.abs(listed[0] - float(number)) <= float(half) * (1 + 1e-9) + null._slack]
    values = near[np.diff(near, prepend=-1.0) > null._slack]
    if not len(values):
        return float(number), NoSuchValue(measure, text, True)
    same = np.abs(values - float(number)) < null._slack
    chosen = float(values[same][0] if same.any() else values[0])
    if len(values) > 1:
        least_p, greatest_p = (null.tail(float(end)).p for end in (values[-1], values[0]))
        return chosen, SeveralRound(measure, text, chosen, len(values), least_p, greatest_p)
    return chosen, None if same.any() else TakenAs(measure, text, chosen)


def _nearest(null: NullDistribution, value: float, measure: str) -> tuple[float, Note | None]:
    """The listed value that equals the number up to rounding; else the number, with a note."""
    listed = null._atoms()
    if listed is None:
        return value, None
    nearest = float(listed[0][np.argmin(np.abs(listed[0] - value))])
    if abs(nearest - value) <= null._slack:
        return nearest, None
    return value, NoSuchValue(measure, f"{value:.12g}", False)
