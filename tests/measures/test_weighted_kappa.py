"""Weighted kappa: one formula for decisions, intervals, tests, commands and scikit-learn; the order
must be known.
"""

from __future__ import annotations

import json
from enum import StrEnum
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import precall as pc
from precall.cli.main import run
from precall.compat import sklearn as compat
from precall.core.counts import Counts
from precall.core.notes.of_decisions import CategoriesInOrder
from precall.measures.counts import kappa_by_distance
from tests.noticed import noticed
from tests.oracle.counts import weighted_cohen
from tests.peers import peer

pd = peer("pandas")
pl = peer("polars")
pa = peer("pyarrow")
metrics = peer("sklearn.metrics")

WEIGHTS = ("linear", "quadratic")
NAMES = tuple(f"kappa(weights={weights})" for weights in WEIGHTS)
each_weight = pytest.mark.parametrize("weights", WEIGHTS)
ROWS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=25)


def table_of(rows, size=5):
    table = np.zeros((size, size), int)
    for true, said in rows:
        table[true, said] += 1
    return table.tolist()


@pytest.mark.nightly
@each_weight
@given(ROWS)
def test_decisions_agree_with_the_oracle_and_with_scikit_learn(weights, rows):
    truth, said = map(list, zip(*rows, strict=True))
    found = pc.decisions(truth, said, range(5)).value(f"kappa(weights={weights})")
    expected = weighted_cohen(table_of(rows), weights)
    if expected is None:
        assert np.isnan(found)
        return
    assert found == pytest.approx(float(expected), abs=1e-14)
    assert metrics.cohen_kappa_score(
        truth, said, weights=weights, labels=range(5)
    ) == pytest.approx(found, abs=1e-14)
    assert compat.cohen_kappa_score(truth, said, weights=weights, labels=list(range(5))) == found


@pytest.mark.nightly
@each_weight
def test_every_small_table(weights):
    """All tables of three items in three categories."""
    cells = list(product(range(3), repeat=2))
    for rows in product(cells, repeat=3):
        truth, said = map(list, zip(*rows, strict=True))
        expected = weighted_cohen(table_of(rows, 3), weights)
        found = pc.decisions(truth, said, range(3)).value(f"kappa(weights={weights})")
        assert (
            np.isnan(found)
            if expected is None
            else found == float(expected) or abs(found - float(expected)) < 1e-15
        )


@each_weight
@given(ROWS)
def test_turned_round_it_is_the_same_to_the_last_digit(weights, rows):
    truth, said = map(list, zip(*rows, strict=True))
    name = f"kappa(weights={weights})"
    forth = pc.decisions(truth, said, range(5)).value(name)
    assert np.array_equal(
        forth, pc.decisions(truth, said, range(4, -1, -1)).value(name), equal_nan=True
    )
    assert np.array_equal(forth, pc.decisions(said, truth, range(5)).value(name), equal_nan=True)


@each_weight
def test_of_great_counts_nothing_overflows(weights):
    count, power = 50, 1 if weights == "linear" else 2
    rng = np.random.default_rng(3)
    table = rng.integers(0, 10**12, (count, count))
    place = np.arange(count)
    observed = int(
        np.sum(np.abs(place[:, None] - place).astype(object) ** power * table.astype(object))
    )
    found = kappa_by_distance(np.float64(observed), table.sum(1), table.sum(0), weights)
    assert found == pytest.approx(float(weighted_cohen(table.tolist(), weights)), abs=1e-12)


@pytest.mark.nightly
@each_weight
@given(ROWS, st.integers(0, 2**32 - 1))
def test_exchanged_decisions_have_the_p_of_an_enumeration(weights, rows, seed):
    rows = rows[:7]
    truth, first = map(list, zip(*rows, strict=True))
    second = np.random.default_rng(seed).integers(0, 5, len(rows)).tolist()
    assume(len(set(truth)) > 1)

    def value(said):
        return float(weighted_cohen(table_of(zip(truth, said, strict=True)), weights))

    differences = []
    for swaps in product((0, 1), repeat=len(rows)):
        a, b = zip(
            *((y, x) if swap else (x, y) for x, y, swap in zip(first, second, swaps, strict=True)),
            strict=True,
        )
        differences.append(abs(value(a) - value(b)))
    found = pc.compare.decisions(
        truth, first, second, f"kappa(weights={weights})", categories=range(5)
    )
    assert found.values == pytest.approx((value(first), value(second)), abs=1e-14)
    assert found.p == pytest.approx(np.mean(np.array(differences) >= differences[0] - 1e-12))
    back = pc.compare.decisions(
        truth, second, first, f"kappa(weights={weights})", categories=range(5)
    )
    assert (back.p, back.difference) == (found.p, -found.difference)


@pytest.mark.nightly
@each_weight
def test_intervals_are_of_resampled_items(weights):
    """The bounds of a bootstrap written anew, item by item."""
    rng = np.random.default_rng(8)
    truth = rng.integers(0, 4, 120)
    said = np.clip(truth + rng.integers(-1, 2, 120), 0, 3)
    made = pc.decisions(truth, said)
    found = pc.interval(made, f"kappa(weights={weights})", method="percentile", resamples=4000)
    drawn = [
        float(weighted_cohen(table_of(zip(truth[some], said[some], strict=True), 4), weights))
        for some in rng.integers(0, 120, (1500, 120))
    ]
    assert found.estimate == made.value(f"kappa(weights={weights})")
    assert found.ends == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])), abs=0.02)
    low, high = pc.interval(made, f"kappa(weights={weights})").ends
    assert low < found.estimate < high <= 1


ORDERED = ["low", "mid", "high"]
TRUTH, SAID = ["low", "mid", "high", "low", "high"], ["mid", "mid", "high", "low", "mid"]
LINEAR = float(weighted_cohen([[1, 1, 0], [0, 1, 0], [0, 1, 1]], "linear"))


@pytest.mark.parametrize(
    "truth",
    [
        pd.Categorical(TRUTH, ORDERED, ordered=True),
        pd.Series(pd.Categorical(TRUTH, ORDERED, ordered=True)),
        pl.Series(TRUTH, dtype=pl.Enum(ORDERED)),
        pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 0, 2]), pa.array(ORDERED), ordered=True),
    ],
    ids=["categorical", "series", "enum", "arrow"],
)
def test_the_order_may_be_that_of_levels(truth):
    assert pc.decisions(truth, SAID).value("kappa(weights=linear)") == pytest.approx(LINEAR)


def test_an_order_that_nobody_knows_is_refused():
    text = (
        "the order of 'high', 'low', 'mid' is not known, as they are texts; name all in order "
        "with categories="
    )
    for made in (pc.decisions(TRUTH, SAID), pc.decisions(pd.Categorical(TRUTH, ORDERED), SAID)):
        for call in (
            lambda made=made: made.value(NAMES[0]),
            lambda made=made: pc.interval(made, NAMES[0]),
            lambda made=made: pc.measure(NAMES[0])(made),
            lambda made=made: made.sheet(measures=[NAMES[0]]),
        ):
            with pytest.raises(pc.UsageError, match=text):
                call()
    with pytest.raises(pc.UsageError, match=text):
        pc.compare.decisions(TRUTH, SAID, TRUTH, NAMES[0])
    assert pc.decisions(TRUTH, SAID, ORDERED).value(NAMES[0]) == pytest.approx(LINEAR)
    with pytest.raises(pc.UsageError, match=text) as told:  # members are texts
        pc.decisions([StrEnum("Size", ORDERED)[size] for size in TRUTH], SAID).value(NAMES[0])
    assert "StrEnum" in str(told.value)
    # Of two categories there is one distance only.
    two = pc.decisions(["a", "b", "b"], ["a", "a", "b"])
    assert two.value(NAMES[0]) == two.value(NAMES[1]) == two.value("kappa")


def test_what_has_no_whole_table_is_refused():
    numbers = pc.decisions([0, 1, 2, 2], [0, 2, 2, 1])
    for average in ("micro", "macro", "weighted", "samples", "each"):
        with pytest.raises(pc.UsageError, match="measures the whole table; leave it out"):
            numbers.value(NAMES[0], average)
    with pytest.raises(pc.UsageError, match="is of one label for each item"):
        pc.decisions([{1}, {2}], [{1}, {2, 3}]).value(NAMES[0])
    status = pc.categorize([{"a"}, {"b"}, set()], [[0.9, 0.1], [0.2, 0.8], [0.3, 0.4]], ["a", "b"])
    with pytest.raises(pc.UsageError, match="tune: kappa.* is of one label for each item"):
        status.thresholds("global", tune=f"macro-{NAMES[0]}")


@pytest.mark.parametrize(
    "name", ["weighted-kappa", "Weighted-Kappa", "weighted kappa", "kappa_weighted"]
)
def test_weighted_kappa_is_refused_with_both(name):
    with pytest.raises(
        pc.MeasureError, match=r"is kappa\(weights=linear\) or kappa\(weights=quadratic\); the mean"
    ):
        pc.measure(name)


def test_names():
    assert [
        pc.measure(name).name
        for name in ("QWK", "quadratic weighted kappa", "linear-weighted-kappa", "LWK")
    ] == [
        NAMES[1],
        NAMES[1],
        NAMES[0],
        NAMES[0],
    ]
    numbers = pc.decisions([0, 1, 2, 2, 1], [0, 2, 2, 1, 1])
    mean = pc.measure("support-weighted-kappa")
    assert mean.name == "support-weighted-kappa" and mean(numbers) == numbers.value(
        "kappa", "weighted"
    )
    assert pc.measure("support-weighted-F") == pc.measure("weighted-F")
    found = pc.compare.decisions(
        [0, 1, 2, 2], [0, 1, 2, 1], [0, 2, 2, 2], "kappa", average="weighted"
    )
    assert (
        found.measure == "support-weighted-kappa"
        and pc.measure(found.measure).average == "weighted"
    )


def test_commands(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{a},{b},{c}\n" for a, b, c in zip(TRUTH, SAID, TRUTH, strict=True))
    (tmp_path / "t.csv").write_text(f"t,p,q\n{rows}")
    asked = ["--truth", "t", "-m", NAMES[0]]
    decided = ["decisions", "t.csv", *asked, "--predicted", "p"]
    assert run([*decided, "--categories", "low,mid,high", "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["measures"][NAMES[0]] == {"all": pytest.approx(LINEAR)}
    (note,) = noticed(printed, CategoriesInOrder)
    assert (note.subject, note.categories) == (NAMES[0], ("low", "mid", "high"))
    compared = ["compare", "--decisions", "t.csv", *asked, "--a", "p", "--b", "q"]
    assert run([*compared, "--categories", "low,mid,high", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["means"][NAMES[0]]["p"] == pytest.approx(LINEAR)
    for command in (decided, compared):
        assert run(command) == 2
        assert (
            "name all in order with --categories A,B,..., or write numbers"
            in capsys.readouterr().err
        )
    assert run([*decided, "--categories", "low,mid"]) == 2
    assert "t.csv:4: column 't': label 'high' is none of the categories" in capsys.readouterr().err
    # Whole numbers stand in their order, "10" behind "9".
    numbers = {"low": "1", "mid": "9", "high": "10"}
    text = (tmp_path / "t.csv").read_text()
    for word, number in numbers.items():
        text = text.replace(word, number)
    (tmp_path / "t.csv").write_text(text)
    assert run([*decided, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["measures"][NAMES[0]] == {
        "all": pytest.approx(LINEAR)
    }
    assert run(["explain", "kappa"]) == 0
    assert "none or linear or quadratic" in capsys.readouterr().out


def test_of_one_table_weights_change_nothing():
    tables = Counts(*np.random.default_rng(0).integers(0, 9, (4, 30)))
    for name in NAMES:
        assert np.array_equal(pc.measure(name)(tables), pc.measure("kappa")(tables), equal_nan=True)


@pytest.mark.parametrize("name", ["kappa(weights=linear)", "kappa(weights=quadratic)"])
def test_one_refusal_for_values_and_intervals_of_several_labels(name: str) -> None:
    """The interval of its mean over items was a number that no value has."""
    of_sets = pc.decisions([["a"], ["b"], ["a", "b"]], [["a"], ["a"], ["b"]])
    of_labels = pc.decisions([1, 2, 3, 1], [1, 2, 2, 3])
    for decided, words in ((of_sets, "of one label for each item"), (of_labels, "whole table")):
        for average in ("samples", "macro"):
            for call in (
                lambda d=decided, a=average: d.value(name, average=a),
                lambda d=decided, a=average: pc.interval(d, name, average=a),
                lambda d=decided, a=average: pc.interval(d, f"{a}-{name}"),
            ):
                with pytest.raises(pc.UsageError, match=words):
                    call()
