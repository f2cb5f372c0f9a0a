"""Every declared measure agrees with its oracle, in every order of ties."""

import inspect

import pytest
from hypothesis import given

import precall as pc
from precall.location import Hits
from precall.measures import REGISTRY, SOURCES
from tests.laws.agreement import extreme, in_one_order, over_all_orders
from tests.laws.collections import collections, examples, tied
from tests.laws.parameters import OURS, SOME, VARIANTS, said
from tests.oracle import ORACLES, ranking

NAMES = [declaration.name for declaration in OURS]
MONOTONE = [declaration.name for declaration in SOME if declaration.monotone]
every = pytest.mark.parametrize("name", NAMES)
most = pytest.mark.parametrize("name", [declaration.name for declaration in SOME])


@pytest.mark.parametrize("declaration", OURS, ids=lambda declaration: declaration.name)
def test_a_declared_measure_has_an_oracle_sources_an_example_and_a_range(declaration):
    name = declaration.name
    assert name in ORACLES, f"compute {name} anew in tests/oracle, under @ranked or @counted"
    assert ORACLES[declaration.name].__doc__, "an oracle says where it comes from"
    assert declaration.sources
    unknown = set(declaration.sources) - set(SOURCES)
    assert not unknown, "write each source into precall/measures/literature.py"
    assert declaration.example is not None
    assert declaration.range[0] < declaration.range[1]


def test_there_is_no_oracle_without_a_measure():
    assert set(ORACLES) == set(NAMES) == set(VARIANTS)


@every
def test_every_parameter_is_varied(name):
    declared = set(REGISTRY.of(name, Hits).parameters)
    tried = {key for parameters in VARIANTS[name] for key in parameters}
    assert declared - tried <= ({"grade"} if name == "NumRet" else set())
    for key in tried:
        values = [repr(parameters.get(key)) for parameters in VARIANTS[name]]
        assert len(set(values)) > 1, f"{key} takes one value only"


@every
def test_an_oracle_has_the_parameters_and_defaults_of_its_measure(name):
    theirs = list(inspect.signature(ORACLES[name]).parameters.values())[2:]
    ours = REGISTRY.of(name, Hits).parameters
    assert {parameter.name for parameter in theirs} == set(ours)
    for parameter in theirs:
        if name == "ERR" and parameter.name == "max":
            continue
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        assert default == ours[parameter.name].default


@pytest.mark.nightly(keep=9)
@every
def test_agrees_with_its_oracle(name):
    @examples(20)
    @given(collections())
    def law(collection):
        in_one_order(name, collection)

    law()


@pytest.mark.nightly
@most
def test_agrees_with_its_oracle_as_listed(name):
    @examples(6)
    @given(collections())
    def law(collection):
        in_one_order(name, collection, ties="input", order=ranking.as_listed)

    law()


@pytest.mark.nightly(keep=4)
@most
def test_agrees_with_its_oracle_on_condensed_rankings(name):
    @examples(6)
    @given(collections())
    def law(collection):
        in_one_order(name, collection, condensed=True)

    law()


@pytest.mark.nightly(keep=1)
@most
def test_expected_is_the_mean_over_all_orders(name):
    @examples(10)
    @given(tied())
    def law(collection):
        over_all_orders(name, collection)

    law()


@pytest.mark.nightly(keep=2)
@most
def test_expected_is_the_mean_over_all_orders_of_condensed_rankings(name):
    @examples(6)
    @given(tied(5))
    def law(collection):
        over_all_orders(name, collection, condensed=True)

    law()


@pytest.mark.nightly(keep=3)
@pytest.mark.parametrize("ties", ["best", "worst"])
@pytest.mark.parametrize("name", [*MONOTONE, "E"])
def test_best_and_worst_are_the_extremes_of_monotone_measures(name, ties):
    @examples(6)
    @given(tied())
    def law(collection):
        extreme(name, collection, ties, -1 if name == "E" else 1)

    law()


@pytest.mark.nightly(keep=8)
@most
def test_random_orders_respect_scores(name):
    @examples(6)
    @given(tied(5))
    def law(collection):
        from tests.laws.agreement import all_values, same

        located = collection.located("random")
        for parameters in VARIANTS[name][:4]:
            ours = pc.measure(said(name, parameters))(located).tolist()
            for topic, mine in zip(collection.topics, ours, strict=True):
                assert any(
                    same(mine, number)
                    for number, _ in all_values(name, collection, topic, **parameters)
                )

    law()
