"""Thresholds that are learned and tested on different items: cross-validation of a policy.

Items are divided into folds. The decisions about a fold are made by thresholds that were learned
from all other items, so each item has a decision by thresholds that never saw it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.core.arguments import check_beta, check_whole
from precall.core.errors import Fact, UsageError
from precall.core.notes import Note, collect_notes, keep_notes
from precall.core.notes.of_decisions import LearnedFromFew
from precall.core.ragged import Bool, Float64, Int64
from precall.core.rng import Rng, generator_and_seed
from precall.core.text import many
from precall.core.undefined import check_undefined
from precall.hard_decisions import policies
from precall.hard_decisions.thresholds import Thresholds
from precall.measures import Measure, measure_and_average
from precall.results.equality import Equal
from precall.results.sheets import Presented, Table

if TYPE_CHECKING:
    from precall.hard_decisions.outcomes import Decisions
    from precall.hard_decisions.pivots import Status


@dataclass(frozen=True, slots=True, eq=False)
class CrossValidation(Equal, Presented):
    """How good the decisions of learned thresholds are about items that they were not learned from.

    Attributes
    ----------
    policy : the method that learned them.
    measure : the measure of the decisions.
    apparent : the measure where thresholds were learned from all items and decide about the same.
    held_out : the measure over all items, each decided by thresholds learned without its fold.
    learned : for each fold, the measure of the other folds' items, which were learned from.
    tested : for each fold, the measure of its own items.
    items : numbers of items of the folds.
    values : the thresholds, or numbers, of each fold: folds x categories, or one column.
    thresholds : the thresholds learned from all items: those to use.
    fold : the fold of every item.
    seed : of the division into folds.
    higher_is_better : whether high scores are accepted; if not, thresholds are the greatest scores
        that are.
    notes : what was noticed.
    """

    policy: str
    measure: str
    apparent: float
    held_out: float
    learned: Float64
    tested: Float64
    items: Int64
    values: Float64
    thresholds: Thresholds
    fold: Int64
    seed: int | None
    higher_is_better: bool = True
    notes: tuple[Note, ...] = field(default=(), compare=False)

    @property
    def optimism(self) -> float:
        """By how much thresholds look too good on the items they were learned from."""
        return self.apparent - self.held_out

    @property
    def folds(self) -> int:
        """The number of folds."""
        return len(self.items)

    @property
    def table(self) -> Table:
        """Columns fold, items, learned, held_out: a row for each fold."""
        columns: dict[str, Any] = {"fold": np.arange(1, self.folds + 1), "items": self.items}
        return Table(
            columns | {"learned": self.learned, "held_out": self.tested}, noticed=self.notes
        )

    @property
    def spread(self) -> Table:
        """Columns category, all (the threshold learned from all items), least, greatest and sd over
        folds; infinite thresholds accept nothing and have no sd.
        """
        names = list(map(str, self.thresholds.categories))
        is_of_each = self.values.shape[1] == len(names) and self.thresholds.number is None
        columns: dict[str, Any] = {"category": names if is_of_each else ["all"]}
        values = self.values
        with np.errstate(invalid="ignore"):
            sd = values.std(axis=0, ddof=1)
        columns |= {"all": _numbers(self.thresholds), "least": values.min(axis=0)}
        return Table(columns | {"greatest": values.max(axis=0), "sd": sd}, noticed=self.notes)


@keep_notes
def cross_validate(
    status: Status,
    method: str,
    *,
    folds: int = 5,
    measure: str | Measure | None = None,
    tune: str | Measure | None = None,
    beta: float = 1.0,
    groups: Int64 | None = None,
    undefined: str = "zero",
    rng: Rng = 0,
    higher_is_better: bool = True,
) -> CrossValidation:
    """Learn thresholds on all folds but one, and decide about that one; see
    `Status.cross_validate`.
    """
    check_undefined(undefined)
    units = status.truth.items if groups is None else int(groups.max(initial=-1)) + 1
    folds = check_whole("folds", folds, 2)
    unit = "item" if groups is None else "group"
    if units < 2:
        raise UsageError(
            argument="folds",
            what=f"need at least 2 {unit}s to divide",
            got=Fact(many(units, unit)),
        )
    if folds > units:
        raise UsageError(
            argument="folds",
            allowed=f"at most {units}, the number of {unit}s",
            got=folds,
        )
    source, seed = generator_and_seed(rng)
    fold = divide(status, folds, groups, source)
    beta = check_beta(beta)
    name = _measure_of(method, tune, beta) if measure is None else measure
    chosen, average = measure_and_average(name, None)

    def value(decided: Decisions) -> float:
        found = decided.value(chosen, average, undefined)
        if np.ndim(found):
            raise UsageError(
                argument="measure",
                what=f"{chosen.name} has a value for each category",
                remedy=f"take macro-{chosen.name} or micro-{chosen.name}",
            )
        return float(found)

    with collect_notes():  # those of the thresholds for use say enough
        whole = status.thresholds(method, beta=beta, tune=tune, undefined=undefined)
        if not whole.learned or (whole.kind != "proportion" and not whole.data):
            raise UsageError(
                argument="method",
                what=f"{method} learns nothing",
                remedy="give ⟨tune=⟩ instead of a number, or another policy",
            )
        apparent = value(status.decide(whole))
        parts, keys = [], []
        for test in (fold == number for number in range(folds)):
            others = subset(status, ~test)
            thresholds = others.thresholds(method, beta=beta, tune=tune, undefined=undefined)
            decided = subset(status, test).decide(thresholds)
            scores = value(others.decide(thresholds)), value(decided)
            parts.append((*scores, int(test.sum()), _numbers(thresholds)))
            keys.append(_keys_among(decided.predicted.keys, test, len(status.categories)))
        truth = status.truth
        held_out = value(_decisions(truth, np.sort(np.concatenate(keys))))
    learned, tested, items, values = zip(*parts, strict=True)
    sign = -1 if whole.kind == "score" and not higher_is_better else 1
    number = None if whole.number is None else sign * whole.number
    whole = replace(whole, values=sign * whole.values, number=number)
    notes = [note for note in whole.notes if not isinstance(note, LearnedFromFew)]
    return CrossValidation(
        whole.policy,
        (chosen if average is None else replace(chosen, average=average)).name,
        apparent,
        held_out,
        np.array(learned, np.float64),
        np.array(tested, np.float64),
        np.array(items, np.int64),
        sign * np.stack(values),
        whole,
        fold,
        seed,
        higher_is_better,
        tuple(notes),
    )


def _measure_of(method: str, tune: str | Measure | None, beta: float) -> str | Measure:
    """The measure of the decisions if none is named: what thresholds are learned by."""
    if tune is not None:
        chosen, average = measure_and_average(tune, None)
        needs_average = average is None and chosen.declaration.items is None
        return f"macro-{chosen.name}" if needs_average else tune
    name, option = policies.parse(method)
    if name == "max":
        own = f"F(beta={beta:g})" if option.lower() == "f" else option
        return f"macro-{measure_and_average(own, None)[0].name}"
    return "macro-F1" if name == "break-even" else "micro-F1"


def divide(status: Status, folds: int, groups: Int64 | None, source: np.random.Generator) -> Int64:
    """The fold of every item; each category is spread evenly, and groups stay together.

    An item, or group, stands for the rarest of its categories. Those of one category are dealt
    in random order, each to the fold that has the fewest of it.
    """
    rarest = _rarest(status)
    if groups is None:
        groups = np.arange(len(rarest))
    units = int(groups.max(initial=-1)) + 1
    size = np.bincount(groups, minlength=units)
    # The rank of a category by its number of items: a group has the least of its items.
    stratum = np.full(units, np.iinfo(np.int64).max)
    np.minimum.at(stratum, groups, rarest)
    order = source.permutation(units)
    order = order[np.lexsort((-size[order], stratum[order]))]
    if units == len(rarest):
        # Of single items the next fold always has the fewest.
        fold = np.empty(units, np.int64)
        fold[order] = np.arange(units) % folds
        return fold[groups]
    fold = np.empty(units, np.int64)
    held = np.zeros(folds)
    of_stratum: dict[int, Float64] = {}
    for unit in order.tolist():
        mine = of_stratum.setdefault(int(stratum[unit]), np.zeros(folds))
        best = int(np.lexsort((held, mine))[0])
        fold[unit] = best
        mine[best] += size[unit]
        held[best] += size[unit]
    return fold[groups]


def _rarest(status: Status) -> Int64:
    """For each item the rank of its rarest category, rare ones first; last if it has none."""
    truth = status.truth
    counts = truth.per_category()
    rank = np.argsort(np.argsort(counts, kind="stable"))
    rarest = np.full(truth.items, len(counts), np.int64)
    np.minimum.at(rarest, truth.item, rank[truth.category])
    return rarest


def subset(status: Status, chosen: Bool) -> Status:
    """The status of some items."""
    truth, width = status.truth, max(len(status.categories), 1)
    number = np.cumsum(chosen) - 1

    def renumber(keys: Int64) -> Int64:
        item = keys // width
        kept = chosen[item]
        return np.asarray(number[item[kept]] * width + keys[kept] % width)

    part = replace(truth, items=int(chosen.sum()), keys=renumber(truth.keys))
    if status.matrix is not None:
        return type(status)(part, status.matrix[chosen].ravel())
    return type(status)(part, status.score[chosen[status.item]], renumber(status._keys))


def _keys_among(keys: Int64, chosen: Bool, width: int) -> Int64:
    """Keys of some items as keys among all items."""
    return np.asarray(np.flatnonzero(chosen)[keys // width] * width + keys % width)


def _decisions(truth: Any, keys: Int64) -> Decisions:
    from precall.hard_decisions.outcomes import Decisions

    kind = "binary" if truth.kind == "binary" else "multi"
    truth = replace(truth, kind=kind)
    return Decisions(truth, replace(truth, keys=keys))


def _numbers(thresholds: Thresholds) -> Float64:
    """The one number that was chosen for all categories, or a value for each category."""
    if thresholds.number is None:
        return thresholds.values
    return np.array([thresholds.number], np.float64)
