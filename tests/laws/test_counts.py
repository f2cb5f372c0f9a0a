"""Every measure of counts agrees with its oracle on every small table, and a wrong formula does
not.
"""

import itertools
from dataclasses import replace

import numpy as np
import pytest

import precall as pc
from precall.core.counts import Counts
from precall.core.errors import MeasureError
from precall.measures import REGISTRY, SOURCES
from tests.laws.agreement import same
from tests.oracle.declared import COUNTED, JOINT

OURS = [
    one for one in REGISTRY if one.of is Counts and one.formula.__module__.startswith("precall.")
]
every = pytest.mark.parametrize("declaration", OURS, ids=lambda declaration: declaration.name)

#: All tables of up to four in a cell, and some whose products leave 64 bits.
TABLES = [
    *itertools.product(range(4), repeat=4),
    (10**9, 2 * 10**9, 3, 10**9),
    (10**12, 7, 10**12, 10**13),
]


def columns(tables):
    return Counts(*(np.array(cell, np.int64) for cell in zip(*tables, strict=True)))


def given(declaration):
    tried = {"beta": (0.5, 3.0, 0), "alpha": (0.2, 0.5, 0, 1), "weights": ("linear", "quadratic")}
    values = [{name: value} for name in declaration.parameters for value in tried.get(name, ())]
    return [
        {},
        *values,
        *([declaration.example.parameters] if declaration.example.parameters else []),
    ]


def measured(declaration, parameters):
    inside = ",".join(f"{key}={value}" for key, value in parameters.items())
    return pc.measure(declaration.name + (f"({inside})" if inside else ""))


def agrees(declaration, formula=None):
    for parameters in given(declaration):
        one = measured(declaration, parameters)
        if formula is not None:
            one = replace(one, declaration=replace(declaration, formula=formula))
        ours = one(columns(TABLES)).tolist()
        theirs = [COUNTED[declaration.name](*table, **parameters) for table in TABLES]
        for table, mine, expected in zip(TABLES, ours, theirs, strict=True):
            assert same(mine, expected), f"{one} of {table}: got {mine}, the oracle {expected}"


@pytest.mark.nightly(keep=8)
@every
def test_agrees_with_its_oracle_on_every_small_table(declaration):
    agrees(declaration)


@every
def test_its_example_range_sources_and_undefined_values_are_as_declared(declaration):
    example = declaration.example
    value = measured(declaration, example.parameters)(example.counts())[0]
    assert value == pytest.approx(example.value, rel=1e-15)
    assert declaration.sources and set(declaration.sources) <= set(SOURCES)
    values = pc.measure(declaration.name)(columns(TABLES))
    known = values[~np.isnan(values)]
    assert known.min() >= declaration.range[0] and known.max() <= declaration.range[1]
    assert bool(declaration.undefined) == bool(np.isnan(values).any())


def test_every_oracle_has_a_measure():
    assert set(COUNTED) == {one.name for one in OURS}
    assert set(JOINT) == {one.name for one in OURS if one.joint or one.items}


MUTANTS = {
    "relevant and other items change places": lambda c: Counts(c.fp, c.tp, c.tn, c.fn),
    "accepted and rejected ones do": lambda c: Counts(c.fn, c.tn, c.tp, c.fp),
    "one more in every cell": lambda c: Counts(c.tp + 1, c.fp + 1, c.fn + 1, c.tn + 1),
}


@every
@pytest.mark.parametrize("mistake", MUTANTS)
def test_a_wrong_formula_is_found(declaration, mistake):
    if (declaration.name, mistake) == ("Prevalence", "accepted and rejected ones do"):
        return  # it does not look at what was accepted
    with pytest.raises(AssertionError):
        agrees(declaration, lambda c, **more: declaration.formula(MUTANTS[mistake](c), **more))


@pytest.mark.parametrize(
    "declaration", [one for one in OURS if one.proportion], ids=lambda one: one.name
)
def test_a_declared_proportion_is_the_value(declaration):
    c = columns(TABLES)
    part, rest = (
        sum(getattr(c, cell) for cell in cells.split()) for cells in declaration.proportion
    )
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(pc.measure(declaration.name)(c), part / (part + rest))


@pytest.mark.parametrize(
    "declaration", [one for one in OURS if one.linear], ids=lambda one: one.name
)
def test_linear_means_linear_in_hits_while_the_margins_stay(declaration):
    hits = np.arange(1, 6)
    fixed = Counts(hits, 6 - hits, 7 - hits, 5 + hits)
    second = np.diff(pc.measure(declaration.name)(fixed), 2)
    assert np.abs(second).max() < 1e-12


@pytest.mark.parametrize(
    "declaration", [one for one in OURS if not one.linear], ids=lambda one: one.name
)
def test_what_is_not_linear_does_not_say_so(declaration):
    hits = np.arange(1, 6)
    second = np.diff(pc.measure(declaration.name)(Counts(hits, 6 - hits, 7 - hits, 5 + hits)), 2)
    linear = f"{declaration.name} is linear in hits while the margins stay: declare linear=True"
    assert np.abs(second).max() > 1e-6 or declaration.name == "Error", linear


@pytest.mark.nightly(keep=2)
@pytest.mark.parametrize("name", JOINT)
def test_values_of_the_whole_table_agree_with_their_oracles(name):
    rng = np.random.default_rng(5)
    for categories in (3, 4):
        for _ in range(40):
            table = rng.integers(0, 4, (categories, categories)) * rng.integers(0, 2, categories)
            if not table.sum():
                continue
            true, accepted = (
                np.repeat(side.ravel(), table.ravel()) for side in np.indices(table.shape)
            )
            mine = pc.decisions(true, accepted, categories=range(categories)).value(name)
            expected = JOINT[name](table.tolist())
            assert same(mine, expected), (
                f"{name} of {table.tolist()}: got {mine}, the oracle {expected}"
            )


def test_what_needs_the_population_says_so():
    hits = pc.Hits.of([1, 3], retrieved=10, relevant=3)
    with pytest.raises(MeasureError, match="needs population; write MCC"):
        pc.measure("MCC@5")
    with pytest.raises(
        MeasureError,
        match="of a ranking needs a cutoff; write MCC@k, or SetMCC for all that was retrieved",
    ):
        pc.measure("MCC")(hits)
    with pytest.raises(
        MeasureError, match="population: got 5, but 6 items were retrieved or are relevant"
    ):
        pc.measure("MCC(population=5)@5")(hits)
    assert pc.measure("Specificity(population=12)@5")(hits)[0] == 6 / 9


def test_scikit_learn_has_the_same_numbers():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(3)
    theirs = {
        "MCC": metrics.matthews_corrcoef,
        "kappa": metrics.cohen_kappa_score,
        "Accuracy": metrics.accuracy_score,
        "BalancedAccuracy": metrics.balanced_accuracy_score,
    }
    for categories in (2, 3, 7):
        true, said = rng.integers(0, categories, (2, 300))
        d = pc.decisions(true, said, categories=range(categories))
        for name, function in theirs.items():
            assert d.value(name) == pytest.approx(function(true, said), rel=1e-13), name
        for average in ("micro", "macro", "weighted"):
            assert d.value("Jaccard", average) == pytest.approx(
                metrics.jaccard_score(true, said, average=average)
            )
    binary = pc.decisions(true > 3, said > 2)
    both = metrics.class_likelihood_ratios(true > 3, said > 2)
    assert (binary.value("LR+"), binary.value("LR-")) == pytest.approx(both)
