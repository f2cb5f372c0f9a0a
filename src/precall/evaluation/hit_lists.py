"""`pc.ranking`: one ranking of ids, or of hits alone, such as 1 1 0 1 in a textbook."""

from __future__ import annotations

from collections.abc import Iterable
from functools import update_wrapper
from typing import Any, Final

import numpy as np

from precall.core.arguments import check_whole, refuse_set
from precall.core.errors import Fact, Kind, Mistake, UsageError
from precall.core.rng import Rng, suggest_our_names
from precall.evaluation.single_ranking import DEFAULT, Ranking
from precall.evaluation.single_ranking import ranking as _ranking
from precall.measures import Measure
from precall.read.problems import nothing_in

#: Marks that may part the hits of a text.
_MARKS = " ,;\t"
#: The greatest number of relevant items for which each missed one gets a name.
_MOST = 1_000_000


class RankingNamespace:
    """One ranking: `ranking(relevant, ranked)` takes ids, best first.

    - `ranking.of(hits)`: of what is at each rank, 1 if it is relevant and 0 if not.

    Examples
    --------
    >>> ranking(["a", "b"], ["x", "a", "b"])["AP"]
    0.5833333333333333
    >>> ranking.of([0, 1, 1])["AP"]
    0.5833333333333333
    """

    __call__: Final = staticmethod(_ranking)

    @staticmethod
    @suggest_our_names
    def of(
        hits: str | Iterable[Any],
        measures: str | Measure | Iterable[str | Measure] = DEFAULT,
        *,
        relevant: int | None = None,
        population: int | None = None,
        interval: bool | str = False,
        level: float = 0.95,
        rng: Rng = 0,
    ) -> Ranking:
        """Measure a ranking when only the places of its hits are known.

        The items are called by their ranks, "1", "2" and so on; those that are missed "missed-1"
        and so on.

        Parameters
        ----------
        hits : for each rank 1 or True if the item is relevant, else 0 or False; or a text of 0 and
            1, such as "1101", with blanks or commas between them if you like.
        measures, population, interval, level, rng : see `ranking`.
        relevant : number of all relevant items; those without a place are missed. None is the
            number of hits: nothing is missed.

        Returns
        -------
        Ranking

        Raises
        ------
        DataError
            A hit is neither 0 nor 1, or there are none.
        UsageError
            `relevant` is less than the number of hits, or nothing is relevant; or an argument is
            not allowed.

        Examples
        --------
        >>> made = ranking.of([1, 1, 0, 1, 0, 0, 0, 0], relevant=4)
        >>> made["AP"], made["P@5"], made.missed
        (0.6875, 0.6, ('missed-1',))
        """
        is_hit = _read(hits)
        found = int(np.count_nonzero(is_hit))
        if relevant is not None and check_whole("relevant", relevant, 1, _MOST) < found:
            allowed = f"at least {found}, the number of hits"
            raise UsageError(argument="relevant", got=Fact(relevant), allowed=allowed)
        if not found and relevant is None:
            raise UsageError(
                argument="relevant",
                what="there is no hit, so that nothing is known to be relevant",
                remedy="say how many relevant items there are",
            )
        ranked = [str(rank) for rank in range(1, len(is_hit) + 1)]
        gold = [name for name, hit in zip(ranked, is_hit, strict=True) if hit]
        gold += [f"missed-{nth}" for nth in range(1, (relevant or found) - found + 1)]
        return _ranking(
            gold, ranked, measures, population=population, interval=interval, level=level, rng=rng
        )


def _read(hits: object) -> list[bool]:
    """Whether there is a hit at each rank."""
    if isinstance(hits, str):
        hits = [mark for mark in hits if mark not in _MARKS]
    if isinstance(hits, bytes) or not isinstance(hits, Iterable):
        raise UsageError(argument="hits", got=Kind(hits), allowed="a list of 0 and 1")
    refuse_set("hits", hits, "a list of 0 and 1")
    listed = [hit.item() if hasattr(hit, "item") and not np.ndim(hit) else hit for hit in hits]
    for rank, hit in enumerate(listed, 1):
        if np.ndim(hit) or hit not in (0, 1, "0", "1"):
            todo = "of grades make pc.evaluate, of ids pc.ranking(relevant, ranked)"
            mistake = Mistake("at rank {rank}", todo, got=hit, allowed="0 or 1", rank=rank)
            raise mistake.error("hits")
    if not listed:
        raise nothing_in("hit", "a ranking has").error("hits")
    return [hit in (1, "1") for hit in listed]


ranking: Final = RankingNamespace()
# Its signature and its documentation are those of the function.
update_wrapper(ranking, _ranking)
