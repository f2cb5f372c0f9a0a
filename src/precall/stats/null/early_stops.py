"""Tests of "better than chance" while a ranking is read: stop when it is shown, or when the budget
is used up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, ClassVar, NamedTuple

import numpy as np

from precall.core.arguments import check_choice, check_level, check_whole
from precall.core.errors import UsageError
from precall.core.ragged import Float64
from precall.core.text import many
from precall.results.sheets import Presented
from precall.stats.null.tail.hypergeometric import with_one_more

#: Odds that the next item is a hit, as multiples of the odds by chance: the bets of the test
#: without a budget, each with the same stake.
BETS = (1.5, 2.0, 3.0, 5.0, 8.0, 15.0, 40.0)
#: A chance may exceed what is left of alpha by this share of it, the rounding of sums.
_ROUNDING = 1e-12


def _linear(share: float, alpha: float) -> float:
    return alpha * share


def _pocock(share: float, alpha: float) -> float:
    return alpha * math.log1p((math.e - 1) * share)


def _obrien_fleming(share: float, alpha: float) -> float:
    normal = NormalDist()
    return 2 - 2 * normal.cdf(normal.inv_cdf(1 - alpha / 2) / share**0.5)


#: How much of alpha may be spent when a share of the budget is read.
SPENDING: Mapping[str, Callable[[float, float], float]] = {
    "linear": _linear,
    "pocock": _pocock,
    "obrien-fleming": _obrien_fleming,
}


class _Look(NamedTuple):
    """After one more item: `tail[h]` is the chance of at least h hits now without a stop before.

    `needed` is the least number of hits that stops here, None if none does; `spent` the chance of a
    stop at this rank or before.
    """

    rank: int
    tail: Float64
    needed: int | None
    spent: float


@dataclass(frozen=True, slots=True)
class SequentialTest(Presented):
    """When to stop reading a ranking because it is better than chance; see `sequential`.

    Attributes
    ----------
    items : items of the ranking.
    relevant : the relevant ones among them.
    at_most : whether `relevant` is only the greatest number that there can be.
    budget : how many items will be read at most; None if the test has no end.
    alpha : the greatest chance of a stop in random order.
    spending : how alpha is spread over the budget.
    boundary : for each rank the least number of hits that stops there; None where no number does.
        Empty without a budget.
    """

    items: int
    relevant: int
    at_most: bool
    budget: int | None
    alpha: float
    spending: str
    boundary: tuple[int | None, ...]
    _spent: tuple[float, ...] = ()

    _instead: ClassVar[Mapping[str, str]] = {"p": ".read(hits).p"}

    @property
    def size(self) -> float:
        """The chance of a stop in random order: exact with a budget, else at most alpha."""
        return self._spent[-1] if self._spent else self.alpha

    @property
    def steps(self) -> dict[int, int]:
        """Hits needed → the last rank at which so many are enough."""
        return {needed: rank for rank, needed in enumerate(self.boundary, 1) if needed is not None}

    @property
    def spent(self) -> tuple[float, ...]:
        """For each rank the chance of a stop there or before, in random order."""
        return self._spent

    def read(self, hits: Sequence[int], read: int | None = None) -> SequentialOutcome:
        """What the items that were read so far show.

        Parameters
        ----------
        hits : the ranks of the relevant items among those read, ascending, from 1.
        read : how many items were read; by default up to the last hit.

        Returns
        -------
        SequentialOutcome
            `stopped`, the rank at which the ranking was shown to be better than chance, or None;
            and `p`. Items after that rank do not count.

        Raises
        ------
        UsageError
            Ranks are no ascending whole numbers, more items were read than the budget allows, or
            there are more hits than relevant items.

        Examples
        --------
        >>> from precall import null
        >>> test = null.sequential(items=1000, relevant=20, budget=100)
        >>> print(test.read([2, 9, 17]))
        shown to be better than chance after 17 items: 3 hits, p = 0.00476
        >>> print(test.read([2, 40], read=50))
        not shown yet after 50 items: 2 hits; 4 by rank 56 would show it
        """
        ranks = _check_ranks(hits)
        seen = check_whole("read", ranks[-1] if read is None and ranks else read or 0, 0)
        if seen > (self.budget or self.items):
            raise UsageError(
                argument="read",
                what="alpha is spent on the budget, which cannot grow while items are read"
                if self.budget
                else "the ranking has fewer items",
                got=seen,
                allowed=f"at most {self.budget or self.items}",
            )
        if ranks and ranks[-1] > seen:
            raise UsageError(
                argument="read",
                what="a hit has a greater rank",
                got=seen,
                allowed=f"at least {ranks[-1]}",
            )
        if len(ranks) > self.relevant:
            raise UsageError(
                argument="hits",
                what="more than there are relevant items",
                got=len(ranks),
                allowed=f"at most {self.relevant}",
            )
        return (self._read_within_budget if self.budget else self._bet)(ranks, seen)

    def _read_within_budget(self, ranks: Sequence[int], seen: int) -> SequentialOutcome:
        counts = np.searchsorted(ranks, np.arange(1, seen + 1), side="right")
        stopped = None
        for rank, (count, needed) in enumerate(zip(counts, self.boundary, strict=False), 1):
            if needed is not None and count >= needed:
                stopped = rank
                break
        last = stopped or seen
        count = int(counts[last - 1]) if last else 0
        p = None
        if stopped is not None or (seen and seen == self.budget):
            p = self._p(last, count)
        return SequentialOutcome(self, last, count, stopped is not None, p, None)

    def _p(self, rank: int, count: int) -> float:
        """The chance of a stop before this rank, or of so many hits here without one."""
        assert self.budget is not None
        for look in _looks(self.items, self.relevant, self.budget, self.alpha, self.spending):
            if look.rank == rank:
                before = self._spent[rank - 2] if rank > 1 else 0.0
                return min(before + float(look.tail[count]), 1.0)
        raise AssertionError(rank)

    def _bet(self, ranks: Sequence[int], seen: int) -> SequentialOutcome:
        """Bets on each item that it is a hit. In random order their value is 1 on average, however
        many items are read, so it reaches 1 / alpha with a chance of at most alpha (Ville).
        """
        wealth, found, greatest = np.ones(len(BETS)), 0, 1.0
        odds, hits = np.array(BETS), set(ranks)
        for rank in range(1, seen + 1):
            chance = (self.relevant - found) / (self.items - rank + 1)
            wealth = wealth / (1 + (odds - 1) * chance)
            if rank in hits:
                wealth, found = wealth * odds, found + 1
            evidence = float(wealth.sum() / len(BETS))
            greatest = max(greatest, evidence)
            if evidence >= 1 / self.alpha:
                return SequentialOutcome(self, rank, found, True, 1 / greatest, evidence)
        evidence = float(wealth.sum() / len(BETS))
        return SequentialOutcome(self, seen, found, False, 1 / greatest, evidence)


@dataclass(frozen=True, slots=True)
class SequentialOutcome(Presented):
    """What the items read so far show; see `SequentialTest.read`.

    Attributes
    ----------
    test : the test.
    read : the items that count: those up to the stop, or all that were read.
    hits : the relevant items among them.
    shown : whether the ranking was shown to be better than chance.
    p : the chance, in random order, of a stop before this one, or here with as many hits; None
        while the test goes on. Without a budget it is valid at any time, and at most 1.
    evidence : what a stake of 1 on better than chance is worth now, if the test has no budget (an
        e-value); else None. Values of independent rankings may be multiplied.
    """

    test: SequentialTest
    read: int
    hits: int
    shown: bool
    p: float | None
    evidence: float | None

    @property
    def stopped(self) -> int | None:
        """The rank at which the ranking was shown to be better than chance; None if it was not."""
        return self.read if self.shown else None

    @property
    def bound(self) -> bool:
        """Whether p is an upper bound: without a budget, or with `at_most`."""
        return self.evidence is not None or self.test.at_most

    @property
    def ended(self) -> bool:
        """Whether there is nothing more to read: it was shown, or the budget is used up."""
        return self.shown or self.read == (self.test.budget or self.test.items)

    @property
    def next(self) -> tuple[int, int] | None:
        """The hits that would show it, and the last rank at which so many are enough; None if no
        number can any more, or without a budget.
        """
        if self.ended:
            return None
        for needed, rank in self.test.steps.items():
            # Hits come one by one, and none is needed beyond those that may still come.
            if rank > self.read and needed > self.hits and needed - self.hits <= rank - self.read:
                return needed, rank
        return None

    def __str__(self) -> str:
        return self.sentence

    @property
    def sentence(self) -> str:
        """What was shown, or what would show it."""
        found = f"after {many(self.read, 'item')}: {many(self.hits, 'hit')}"
        if self.shown:
            return f"shown to be better than chance {found}, {_p_text(self)}"
        if self.ended:
            return f"not shown to be better than chance {found}, {_p_text(self)}"
        if self.evidence is not None:
            return (
                f"not shown yet {found}; evidence {self.evidence:.3g} of the "
                f"{1 / self.test.alpha:.3g} that are needed"
            )
        if self.next is None:
            return f"not shown {found}; no number of hits within the budget can show it"
        needed, rank = self.next
        return f"not shown yet {found}; {needed} by rank {rank} would show it"


def _p_text(outcome: SequentialOutcome) -> str:
    return f"p {'<=' if outcome.bound else '='} {outcome.p:.3g}"


def _check_ranks(hits: Sequence[int]) -> list[int]:
    """Ranks of hits: ascending whole numbers from 1."""
    values: Any = np.asarray(hits)
    whole = values.ndim == 1 and (values.dtype.kind in "iu" or not len(values))
    if not whole or np.any(np.diff(values, prepend=0) < 1):
        raise UsageError(
            argument="hits",
            allowed="the ranks of the hits, ascending and from 1, such as [2, 9, 17]",
            got=hits,
        )
    return [int(rank) for rank in values]


def _looks(items: int, relevant: int, budget: int, alpha: float, spending: str) -> Iterator[_Look]:
    """A look after each item; only rankings without a stop go on."""
    live, spent = np.ones(1), 0.0
    for rank in range(1, budget + 1):
        now = with_one_more(live, items, relevant, rank)
        tail = np.cumsum(now[::-1])[::-1]
        left = SPENDING[spending](rank / budget, alpha) - spent
        fits = np.flatnonzero((tail > 0) & (tail <= left * (1 + _ROUNDING)))
        needed = int(fits[0]) if len(fits) else None
        if needed is not None:
            spent += float(tail[needed])
        yield _Look(rank, tail, needed, spent)
        live = now[: len(now) if needed is None else needed]
        live = live[: relevant + 1]


def sequential(
    items: int,
    relevant: int | None = None,
    budget: int | None = None,
    *,
    at_most: int | None = None,
    alpha: float = 0.05,
    spending: str = "linear",
) -> SequentialTest:
    """Plan a test of "better than chance" that may stop after each item of a ranking.

    Somebody who reads a ranking from the top, and looks at p after each item, will find p < .05
    somewhere: with 20 of 1,000 items relevant and 100 read, in 13 % of random rankings. This test
    spreads alpha over the ranks. It stops at the first rank with so many hits that the chance of
    all stops so far is at most the share of alpha for that rank. The size is exact, also if the
    reader gives up before the budget is used up; it is no test after the budget was changed.

    Parameters
    ----------
    items : items in the ranking, n.
    relevant : relevant ones among them, m. The null hypothesis is that all orders of the n items
        are equally probable.
    budget : how many items will be read at most. None: no limit; each item is a bet, as
        Waudby-Smith & Ramdas (2020) bet on draws without replacement. It needs no plan, and has
        less power (34 % instead of 56 % for 20 of 1,000 items and normal scores .6 apart).
    at_most : in place of `relevant`, if that is not known: the greatest number that there can be.
        The test is then valid for every smaller number, and has less power.
    alpha : the greatest chance of a stop in random order.
    spending : with a share s of the budget read, the stops so far may have a chance of alpha·s
        ("linear"), alpha·ln(1 + (e - 1)s) ("pocock": early stops need less), or 2 - 2Φ(z/√s), with
        z the 1 - alpha/2 quantile ("obrien-fleming": late stops need less). What is not spent at
        one rank stays for the next ones.

    Returns
    -------
    SequentialTest
        `boundary`, the hits needed at each rank; `steps`; the exact `size`; and `read`, which says
        what the items read so far show.

    Raises
    ------
    UsageError
        Neither or both of `relevant` and `at_most` are given: without a limit on their number,
        hits near the top do not tell a good ranking from a collection with many relevant items.
        Or a number is out of range.

    Notes
    -----
    After a stop, precision, recall and enrichment at that rank are too high on average, because
    the rank was chosen for its hits. Only p is valid there.

    References
    ----------
    Lan & DeMets (1983), Biometrika 70:659, for alpha spending; here each look is exact, as the
    chance of hits follows from drawing without replacement.

    Examples
    --------
    >>> from precall import null
    >>> test = null.sequential(items=1000, relevant=20, budget=100)
    >>> test.steps
    {2: 3, 3: 24, 4: 56, 5: 93, 6: 100}
    >>> round(test.size, 4), test.boundary[:6]
    (0.0466, (None, 2, 2, None, 3, 3))
    >>> print(null.sequential(items=1000, relevant=20).read([2, 9, 17]))
    shown to be better than chance after 17 items: 3 hits, p <= 0.0366
    """
    items = check_whole("items", items, 1)
    if (relevant is None) == (at_most is None):
        raise UsageError(
            argument="relevant",
            what="without a limit on the number of relevant items, hits near the top do not tell "
            "a good ranking from a collection with many relevant items"
            if relevant is None
            else "is given together with ⟨at_most⟩",
            remedy="give ⟨relevant⟩, or ⟨at_most⟩, the greatest number that there can be",
        )
    if relevant is None:
        number = check_whole("at_most", at_most, 1, items)
    else:
        number = check_whole("relevant", relevant, 1, items)
    alpha = check_level(alpha, "alpha", 0.05)
    check_choice("spending", spending, tuple(SPENDING))
    if budget is None and spending != "linear":
        raise UsageError(
            argument="spending",
            what="says how alpha is spread over a budget",
            got=spending,
            remedy="give ⟨budget⟩, or leave it out",
        )
    boundary: tuple[int | None, ...] = ()
    spent: tuple[float, ...] = ()
    if budget is not None:
        budget = check_whole("budget", budget, 1, items)
        looks = list(_looks(items, number, budget, alpha, spending))
        boundary = tuple(look.needed for look in looks)
        spent = tuple(look.spent for look in looks)
    return SequentialTest(
        items, number, at_most is not None, budget, alpha, spending, boundary, spent
    )
