"""Is a ranking better than chance? Its value against the law under random selection."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from precall.errors import TiesUnresolved, UsageError
from precall.infer.null.average import average_precision
from precall.infer.null.combined import Mean
from precall.infer.null.distribution import Law, Tail
from precall.infer.null.hits_and_ranks import precision, r_precision, recall, reciprocal_rank
from precall.infer.null.mann_whitney import area_under_roc
from precall.infer.null.tail.blockwise import coefficients
from precall.infer.null.tied import TIES, Tied
from precall.ragged import Int64
from precall.results import Presented
from precall.text import printable

MEASURES = ("AP", "AP@k", "P@k", "R@k", "Rprec", "RR", "AUC")


@dataclass(frozen=True, slots=True)
class Outcome(Presented):
    """One value against its law under random selection.

    Parameters
    ----------
    value : what was reached.
    law : of that value when the same items stand in random order.
    tail : P(X >= value) with method and accuracy.
    """

    value: float
    law: Law
    tail: Tail

    @property
    def p(self) -> float:
        """The p-value: P(X >= value), never 0."""
        return self.tail.p

    @property
    def effect(self) -> float:
        """Value less its mean under random selection."""
        return self.value - self.law.mean

    @property
    def share(self) -> float:
        """The effect as a share of the greatest one: 0 chance, 1 perfect; NaN where chance is perfect."""
        room = self.law._ends()[1] - self.law.mean
        return self.effect / room if room > 0 else float("nan")

    def __str__(self) -> str:
        return f"{self.value:.4f}, {self.effect:+.4f} over chance ({self.law.mean:.4f}), {self.tail}"


@dataclass(frozen=True, slots=True)
class Significance(Presented):
    """What `test` found: an outcome per ranking, and that of their mean.

    `rankings` has None where the measure is undefined (no hit was retrieved, and it is neither P@k nor RR, which are 0
    then); those are not in the mean.
    """

    measure: str
    rankings: tuple[Outcome | None, ...]
    combined: Outcome

    @property
    def p(self) -> float:
        """The p-value of the mean over rankings."""
        return self.combined.p

    @property
    def effect(self) -> float:
        """The mean less its expectation under random selection."""
        return self.combined.effect

    @property
    def law(self) -> Law:
        """The law of the mean under random selection."""
        return self.combined.law

    def __str__(self) -> str:
        left = sum(one is None for one in self.rankings)
        more = f"; {left} undefined" if left else ""
        return printable(f"{self.measure} of {len(self.rankings)} rankings{more}: {self.combined}")


@dataclass(frozen=True, slots=True)
class _Ranking:
    """One ranking as it is tested: sizes and hits of its blocks, best first, all items covered."""

    size: Int64
    hits: Int64

    @property
    def items(self) -> int:
        return int(self.size.sum())

    @property
    def found(self) -> int:
        return int(self.hits.sum())

    @property
    def single(self) -> bool:
        return bool(np.all((self.size == 1) | (self.hits == 0) | (self.hits == self.size)))

    @property
    def location(self) -> Int64:
        if not self.single:
            raise TiesUnresolved(
                "blocks of equal score: only measure='AP' and 'AUC' are tested with ties; resolve them by ties='docno' "
                "or another order when locating"
            )
        start = np.cumsum(self.size) - self.size
        rows = np.flatnonzero(self.hits)
        return np.concatenate(
            [np.empty(0, np.int64), *(start[i] + np.arange(1, self.hits[i] + 1) for i in rows)]
        )


def test(hits_or_curve: Any, measure: str = "AP", *, ties: str = "expected") -> Significance:
    """Test whether rankings are better than chance.

    The null hypothesis is random selection: the retrieved items of each ranking stand in random order, and
    which of them are relevant is given. So relevant items that were missed, or that nobody looked for, change
    neither the p-value nor the law; AP is over the hits found. It is no test between two systems.

    Parameters
    ----------
    hits_or_curve : `Hits` of any number of rankings, without ties; or a `Curve` (one ranking, ties allowed).
    measure : "AP", "AP@k", "P@k", "R@k", "Rprec", "RR" or "AUC".
    ties : of a curve with equal scores: AP as the mean over orders inside blocks ("expected"), or of blocks
        as a whole ("block"). Blocks stay, labels are permuted: the law without ties would be another one.

    Returns
    -------
    Significance
        `rankings`, an outcome each (value, p, effect over chance, law), and `combined`, that of their mean:
        its law is that of the sum of independent laws.

    Raises
    ------
    TiesUnresolved
        Hits with ties (they do not know the blocks without hits), or ties with a measure other than AP and AUC.
    UsageError
        The measure is unknown, undefined in every ranking, or the curve has weights.

    Examples
    --------
    >>> from precall.location import Hits
    >>> found = test(Hits.of([1, 2, 4], retrieved=8, relevant=3))
    >>> found.rankings[0].value, round(found.p, 6), round(found.effect, 4)
    (0.9166666666666666, 0.035714, 0.3883)
    """
    if ties not in TIES:
        raise UsageError(f"ties: got {ties!r}, allowed are {', '.join(TIES)}")
    function = _measure(measure)
    outcomes = [function(ranking, ties) for ranking in _rankings(hits_or_curve)]
    defined = [one for one in outcomes if one is not None]
    if not defined:
        raise UsageError(f"{measure}: undefined in every ranking, no hit was retrieved (or nothing else)")
    return Significance(measure, tuple(outcomes), combined(defined))


def of_curve(curve: Any, measure: str, ties: str) -> Outcome | None:
    """The outcome of one curve; None where the measure is undefined."""
    (ranking,) = _rankings(curve)
    return _measure(measure)(ranking, ties)


def combined(outcomes: Sequence[Outcome]) -> Outcome:
    """The mean of outcomes, against the law of the mean of independent rankings."""
    if len(outcomes) == 1:
        return outcomes[0]
    law = Mean(tuple(one.law for one in outcomes))
    value = float(np.mean([one.value for one in outcomes]))
    return Outcome(value, law, law.tail(value))


def _rankings(given: Any) -> Iterator[_Ranking]:
    if hasattr(given, "tp") and hasattr(given, "fp"):
        tp, fp = np.asarray(given.tp), np.asarray(given.fp)
        if tp.dtype.kind not in "iu":
            raise UsageError(
                "hits_or_curve: a curve with weights has no law under random selection; use counts"
            )
        yield _Ranking(np.diff(tp + fp), np.diff(tp))
        return
    if not (hasattr(given, "location") and hasattr(given, "retrieved")):
        raise UsageError(f"hits_or_curve: must be Hits or a Curve, got {type(given).__name__}")
    location = given.location
    for i, items in enumerate(given.retrieved.tolist()):
        hits = np.zeros(items, np.int64)
        hits[location[given.ranking == i] - 1] = 1
        yield _Ranking(np.ones(items, np.int64), hits)


Tester = Callable[[_Ranking, str], Outcome | None]


def _measure(name: str) -> Tester:
    parts = re.fullmatch(r"(AP|P|R)@([1-9][0-9]*)|AP|Rprec|RR|AUC", str(name))
    if parts is None:
        raise UsageError(f"measure: got {name!r}, allowed are {', '.join(MEASURES)}")
    if parts[2] is None:
        return {"AP": _average, "Rprec": _rprec, "RR": _rr, "AUC": _auc}[name]
    k = int(parts[2])
    return {"AP": _average_at(k), "P": _share_at(k, True), "R": _share_at(k, False)}[parts[1]]


def _outcome(value: float, law: Law) -> Outcome:
    return Outcome(value, law, law.tail(value))


def _average(ranking: _Ranking, ties: str) -> Outcome | None:
    n, m = ranking.items, ranking.found
    if not m:
        return None
    if np.all(ranking.size == 1):
        value = float((np.arange(1, m + 1) / ranking.location).sum() / m)
        return _outcome(value, average_precision(n, m))
    blocks = coefficients(ranking.size, ties)
    a, b, c = (one.astype(np.float64) for one in (blocks.a, blocks.b, blocks.c))
    q = ranking.hits.astype(np.float64)
    before = np.cumsum(q) - q
    value = float((a * q * before + b * q + c * q * (q - 1)).sum() / m)
    return _outcome(value, Tied(n, m, blocks, ties))


def _average_at(k: int) -> Tester:
    def tester(ranking: _Ranking, ties: str) -> Outcome | None:
        location, m = ranking.location, ranking.found
        if not m:
            return None
        inside = location <= k
        value = float((np.arange(1, m + 1) / location)[inside].sum() / m)
        return _outcome(value, average_precision(ranking.items, m, cutoff=k))

    return tester


def _share_at(k: int, of_ranks: bool) -> Tester:
    def tester(ranking: _Ranking, ties: str) -> Outcome | None:
        n, m = ranking.items, ranking.found
        # Without hits precision is 0; what is divided by their number is undefined.
        if not (m or (of_ranks and n)):
            return None
        if k > n:
            raise UsageError(
                f"measure: cutoff {k} is beyond the {n} items of a ranking; choose a smaller one"
            )
        hits = int((ranking.location <= k).sum())
        return _outcome(hits / (k if of_ranks else m), (precision if of_ranks else recall)(n, m, k))

    return tester


def _rprec(ranking: _Ranking, ties: str) -> Outcome | None:
    m = ranking.found
    if not m:
        return None
    return _outcome(float((ranking.location <= m).sum() / m), r_precision(ranking.items, m))


def _rr(ranking: _Ranking, ties: str) -> Outcome | None:
    n, m = ranking.items, ranking.found
    if not n:
        return None
    return _outcome(float(1 / ranking.location[0]) if m else 0.0, reciprocal_rank(n, m))


def _auc(ranking: _Ranking, ties: str) -> Outcome | None:
    n, m = ranking.items, ranking.found
    if not 0 < m < n:
        return None
    other = ranking.size - ranking.hits
    # Twice the pairs that are in order; in a block each pair counts half.
    twice = int((ranking.hits * (2 * (n - m - np.cumsum(other)) + other)).sum())
    return _outcome(twice / (2 * m * (n - m)), area_under_roc(n, m, blocks=ranking.size))
