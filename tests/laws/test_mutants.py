"""Tests of the tests: every planted mistake is found. A check that passes a mutant is worth
nothing.
"""

from __future__ import annotations

import functools
from dataclasses import replace

import numpy as np
import pytest

from precall.location.hits import Hits
from precall.location.located import Located
from precall.measures import REGISTRY, orders
from precall.measures import registry as declare
from precall.native import kernel
from tests.laws import properties
from tests.laws.agreement import Disagreement, extreme, in_one_order, over_all_orders
from tests.laws.collections import FEW_SCORES, TOPICS, Collection, fixed
from tests.laws.mutants import ANY, MUTANTS, TRUE
from tests.laws.parameters import SOME, VARIANTS
from tests.laws.test_aggregation import counts_agree, means_agree
from tests.oracle import ranking


def in_order(name):
    for collection in fixed(25):
        in_one_order(name, collection)


def in_all_orders(name):
    for collection in fixed(40, FEW_SCORES, TOPICS[:1], 5):
        over_all_orders(name, collection)


def planted(monkeypatch, name, formula):
    """Put a wrong formula in the place of the right one."""
    true = REGISTRY.of(name, Hits)

    @functools.wraps(true.formula)
    def wrong(where, **parameters):
        return formula(where, **parameters)

    own = name in REGISTRY._declared and true is REGISTRY._declared[name]
    declaration = replace(true, formula=wrong, cache={} if own else true.cache)
    monkeypatch.setitem(REGISTRY._declared if own else REGISTRY._forms, name, declaration)
    for cache in ("_patterns", "_found"):
        monkeypatch.setattr(REGISTRY, cache, {})
    return declaration


@pytest.mark.nightly(keep=3)
@pytest.mark.parametrize("name", VARIANTS)
def test_true_formulas_survive(name):
    in_order(name)
    in_all_orders(name)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.name}: {mutant.mistake}")
def test_a_wrong_formula_is_found(mutant, monkeypatch):
    planted(monkeypatch, mutant.name, mutant.formula)
    with pytest.raises(Disagreement, match=mutant.name):
        in_order(mutant.name)


@pytest.mark.nightly(keep=2)
@pytest.mark.parametrize("name", sorted(set(VARIANTS) - {mutant.name for mutant in MUTANTS}))
def test_a_wrong_formula_of_a_measure_without_mutants_is_found(name, monkeypatch):
    found = []
    for mistake, spoil in ANY.items():
        with monkeypatch.context() as patch:
            planted(
                patch,
                name,
                lambda where, *, spoil=spoil, **given: TRUE[name](spoil(where), **given),
            )
            try:
                in_order(name)
            except Disagreement:
                found.append(mistake)
    assert found


@pytest.mark.parametrize("name", [one.name for one in SOME if one.undefined])
def test_a_silent_zero_is_found(name, monkeypatch):
    monkeypatch.setattr(declare, "_evaluate", lambda *given: np.nan_to_num(TRUE_EVALUATION(*given)))
    with pytest.raises(Disagreement, match="the oracle None"):
        in_order(name)


TRUE_EVALUATION = declare._evaluate


class Tampered:
    """A kernel whose locate does one thing wrong."""

    def __init__(self, before=None, after=None):
        self.before, self.after = before, after

    def __getattr__(self, name):
        return getattr(kernel(), name)

    def locate(self, *given):
        found = kernel().locate(*(self.before(list(given)) if self.before else given))
        return self.after(*found) if self.after else found


def given_scores(change):
    def before(given):
        given[5] = change(given[5])
        return given

    return before


def by_input(given):
    given[12] = True
    return given


def ranks(change):
    def after(run_topic, ranking, row, grade, rank, first, last):
        rank, first, last = change(rank, first, last)
        order = np.lexsort((rank, ranking))
        return (run_topic, ranking, *(part[order] for part in (row, grade, rank, first, last)))

    return after


def without(dropped):
    def after(run_topic, ranking, row, grade, rank, first, last):
        keep = ~dropped(grade)
        return (run_topic, *(part[keep] for part in (ranking, row, grade, rank, first, last)))

    return after


KERNELS = {
    "ties by ascending id": Tampered(
        after=ranks(lambda rank, first, last: (first + last - rank, first, last))
    ),
    "ties in input order": Tampered(before=by_input),
    "ranks from 0": Tampered(after=ranks(lambda *parts: tuple(part - 1 for part in parts))),
    "every rank is the block's first": Tampered(
        after=ranks(lambda rank, first, last: (first, first, last))
    ),
    "every rank is the block's last": Tampered(
        after=ranks(lambda rank, first, last: (last, first, last))
    ),
    "scores in single precision": Tampered(
        before=given_scores(lambda s: s.astype(np.float32).astype(np.float64))
    ),
    "lowest score first": Tampered(before=given_scores(lambda score: -score)),
    "infinite scores are large ones": Tampered(
        before=given_scores(lambda score: np.clip(score, -3.5, 2))
    ),
    "scores without sign": Tampered(before=given_scores(np.abs)),
    "items judged 0 are unjudged": Tampered(after=without(lambda grade: grade == 0)),
    "negative grades are dropped": Tampered(after=without(lambda grade: grade < 0)),
}


@pytest.mark.nightly(keep=7)
@pytest.mark.parametrize("mistake", KERNELS)
def test_a_wrong_order_is_found(mistake, monkeypatch):
    monkeypatch.setattr("precall.location.located.kernel", lambda: KERNELS[mistake])
    with pytest.raises(Disagreement):
        for name in ("AP", "infAP", "Judged"):
            in_order(name)


def test_unseen_ties_are_found(monkeypatch):
    no_blocks = Tampered(after=ranks(lambda rank, first, last: (rank, rank, rank)))
    monkeypatch.setattr("precall.location.located.kernel", lambda: no_blocks)
    in_order("AP")
    with pytest.raises(Disagreement, match="over all orders"):
        in_all_orders("AP")


def hits_above(self, grade=1):
    return TRUE_HITS(self, grade + 1)


def total_of_retrieved(self, low, high=None):
    kept = (self.grade >= low) if high is None else (self.grade >= low) & (self.grade < high)
    return np.bincount(self.ranking[kept], minlength=len(self))


def total_above(self, low, high=None):
    return TRUE_TOTAL(self, low + 1, high)


TRUE_HITS, TRUE_TOTAL, TRUE_CONDENSED, TRUE_EXTREME = (
    Located.hits,
    Located.total,
    Located.condensed,
    Located._sort_by_grades,
)


@pytest.mark.parametrize(
    ("method", "wrong"),
    [("hits", hits_above), ("total", total_of_retrieved), ("total", total_above)],
    ids=["grade > n for grade >= n", "relevant items are those retrieved", "R counts grades > n"],
)
def test_a_wrong_count_is_found(method, wrong, monkeypatch):
    monkeypatch.setattr(Located, method, wrong)
    for name in ("AP", "R", "Rprec", "SetR", "SetF"):
        with pytest.raises(Disagreement):
            in_order(name)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda self: self,
        lambda self: TRUE_CONDENSED(replace(self, grade=np.abs(self.grade))),
        lambda self: replace(TRUE_CONDENSED(self), retrieved=self.retrieved),
    ],
    ids=["nothing is taken out", "negative grades stay", "retrieved stays"],
)
def test_wrongly_condensed_rankings_are_found(wrong, monkeypatch):
    monkeypatch.setattr(Located, "condensed", wrong)
    with pytest.raises(Disagreement):
        for collection in fixed(25):
            in_one_order("SetP", collection, condensed=True)


def unjudged_last(self, best):
    # Unjudged items below the judged misses in the best order.
    located = replace(self, grade=np.where(self.grade == 0, 1, self.grade)) if best else self
    return TRUE_EXTREME(located, best)


@pytest.mark.parametrize(
    ("wrong", "ties"),
    [
        (lambda self, best: TRUE_EXTREME(self, not best), "best"),
        (lambda self, best: TRUE_EXTREME(self, not best), "worst"),
        (unjudged_last, "best"),
    ],
    ids=["worst for best", "best for worst", "unjudged below judged misses"],
)
def test_wrong_extremes_are_found(wrong, ties, monkeypatch):
    monkeypatch.setattr(Located, "_sort_by_grades", wrong)
    with pytest.raises(Disagreement, match=f"{ties} order"):
        for name in ("AP", "Bpref", "nDCG"):
            for collection in fixed(25, FEW_SCORES, TOPICS[:1], 5):
                extreme(name, collection, ties)


def independent_draws(self, cutoff=None):
    if cutoff is None:
        return (self.found > 0).astype(np.float64)
    seen = np.clip(cutoff - self.first + 1, 0, self.last - self.first + 1)
    chance = (1 - self.count / (self.last - self.first + 1)) ** seen
    return 1 - np.array([np.prod(chance[self.ranking == index]) for index in range(len(self))])


def precision_at_block_ends(self, cutoff=None):
    near = self.last <= (cutoff or 10**9)
    return np.bincount(
        self.ranking[near], (self.count * self.order / self.last)[near], minlength=len(self)
    )


def middle_rank(self, cutoff=None):
    result = np.zeros(len(self))
    lead = np.flatnonzero(np.diff(self.ranking, prepend=-1))
    result[self.ranking[lead]] = 2 / (self.first + self.last)[lead]
    return result


def first_order_only(values, located, batch, placements):
    return TRUE_AVERAGE(values, located, batch, [places[:1] for places in placements])


TRUE_AVERAGE = orders._average


@pytest.mark.parametrize(
    ("name", "where", "method", "wrong"),
    [
        ("Success", Hits, "any_within", independent_draws),
        ("AP", Hits, "precision_sum", precision_at_block_ends),
        ("RR", Hits, "reciprocal_first", middle_rank),
        ("IAP", orders, "_average", first_order_only),
        ("ERR", orders, "_average", first_order_only),
    ],
    ids=[
        "draws with replacement",
        "precision at ends of blocks",
        "middle of the block",
        "one order, IAP",
        "one order, ERR",
    ],
)
def test_wrong_means_over_orders_are_found(name, where, method, wrong, monkeypatch):
    monkeypatch.setattr(where, method, wrong)
    with pytest.raises(Disagreement, match="over all orders"):
        in_all_orders(name)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda share, whole: np.ceil(share * whole).astype(int),
        lambda share, whole: (share * whole + 0.9).astype(int),
        lambda share, whole: np.floor(share * whole).astype(int),
    ],
    ids=["in floating point", "as trec_eval 9", "floor"],
)
def test_a_wrong_ceiling_is_found(wrong, monkeypatch):
    monkeypatch.setattr("precall.location.hits.ceiling", wrong)
    with pytest.raises(AssertionError):
        properties.ceilings_are_exact([k / 100 for k in range(101)], 200)


def wrong_average(values, aggregate, undefined, zero=0.0, *, floor=1e-5, omitted=None):
    if omitted is not None:
        values = values[~np.isnan(values)] if undefined == omitted else np.nan_to_num(values)
    if not len(values):
        return np.nan if aggregate != "sum" else 0.0
    values = np.nan_to_num(values) if undefined == "zero" else values[~np.isnan(values)]
    if aggregate == "geometric":
        return float(np.exp(np.mean(np.log(np.maximum(values, floor))))) if len(values) else np.nan
    return float(values.sum() if aggregate == "sum" else values.mean() if len(values) else np.nan)


AVERAGES = {
    "another floor": functools.partial(wrong_average, floor=1e-6),
    "omit for zero": functools.partial(wrong_average, omitted="zero"),
    "a mean for a sum": lambda values, aggregate, undefined, zero: wrong_average(
        values, "mean", undefined
    ),
    "a mean for a geometric mean": lambda values, aggregate, undefined, zero: wrong_average(
        values, aggregate.replace("geometric", "mean"), undefined
    ),
}


@pytest.mark.parametrize("mistake", AVERAGES)
def test_a_wrong_average_is_found(mistake, monkeypatch):
    monkeypatch.setattr("precall.evaluation.per_topic.averages", AVERAGES[mistake])
    with pytest.raises(AssertionError, match="the definition"):
        for collection in fixed(15):
            for undefined in ("zero", "omit"):
                means_agree(collection, "qrels", undefined)


def test_wrong_counts_are_found(monkeypatch):
    monkeypatch.setattr(Located, "total", total_above)
    with pytest.raises(AssertionError):
        for collection in fixed(15):
            counts_agree(collection, "both")


# Laws: each is shown to fail.


def once(law, name, monkeypatch, formula=None):
    declaration = (
        REGISTRY.of(name, Hits) if formula is None else planted(monkeypatch, name, formula)
    )
    with pytest.raises(AssertionError):
        for collection in fixed(25, depth=7):
            law(declaration, collection)


@pytest.mark.parametrize(
    ("law", "name", "formula"),
    [
        (
            properties.range_is_respected,
            "P",
            lambda hits, cutoff: hits.within(cutoff) / cutoff * 1.5,
        ),
        (properties.range_is_respected, "RR", lambda hits, cutoff: np.full(len(hits), np.nan)),
        (
            properties.range_is_respected,
            "infAP",
            lambda located, grade: -located.retrieved.astype(float),
        ),
        (
            properties.topics_are_independent,
            "AP",
            lambda hits, **_: hits.found / max(hits.found.max(), 1),
        ),
        (
            properties.topics_are_independent,
            "P",
            lambda hits, cutoff: np.roll(hits.within(cutoff), 1),
        ),
        (properties.a_better_place_never_hurts, "AP", lambda hits, **_: -hits.precision_sum()),
        (properties.a_better_place_never_hurts, "E", lambda hits, cutoff, **_: hits.within(cutoff)),
        (properties.only_the_order_of_scores_matters, "P", None),
        (properties.the_order_of_rows_and_topics_does_not_matter, "AP", None),
        (properties.names_of_unjudged_items_do_not_matter, "AP", None),
    ],
    ids=lambda part: getattr(part, "__name__", str(part)),
)
def test_a_law_can_fail(law, name, formula, monkeypatch):
    if formula is None:
        wrong = {
            "only_the_order_of_scores_matters": KERNELS["scores in single precision"],
            "the_order_of_rows_and_topics_does_not_matter": KERNELS["ties in input order"],
            "names_of_unjudged_items_do_not_matter": ByLength(),
        }[law.__name__]
        monkeypatch.setattr("precall.location.located.kernel", lambda: wrong)
    once(law, name, monkeypatch, formula)


class ByLength(Tampered):
    """Ties broken by the length of ids: renaming changes the order."""

    def locate(self, *given):
        length = np.diff(given[4])
        return kernel().locate(
            *given[:5], given[5] + np.nan_to_num(length * 1e-6, posinf=0), *given[6:]
        )


def test_the_round_trip_of_names_can_fail(monkeypatch):
    monkeypatch.setattr(
        REGISTRY, "_found", {}
    )  # a measure knows its name since it was first asked for
    monkeypatch.setattr(
        declare, "text_of", lambda value: f"{value:.1f}" if isinstance(value, float) else str(value)
    )
    with pytest.raises(AssertionError):
        properties.name_round_trip(REGISTRY["IPrec"])


def test_the_order_of_ids_is_that_of_bytes_in_the_oracle_too():
    # In UTF-16 units the character beyond the basic plane would come before the other.
    assert ranking.docno({"\uffee": 1.0, "\U00010330": 1.0, "d9": 1.0, "d10": 1.0}) == [
        "\U00010330",
        "\uffee",
        "d9",
        "d10",
    ]
    assert Collection({"t": {"a": 1}}, {"t": {"a": 1.0}}).highest == 1
