"""Policies whose one number is tuned, and thresholds where a measure is best, against looking at
every number.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import precall as pc
from precall.hard_decisions import tuning
from tests.peers import peer

sparse = peer("scipy.sparse")

LEVELS = (-1.5, 0.0, 0.25, 0.5, 2.0)
AVERAGES = ("micro", "macro", "weighted", "samples")


@st.composite
def tables(draw, most=7):
    """Truth and scores of a few items in a few categories, with many ties; perhaps some pairs have
    no score.
    """
    items, categories = draw(st.integers(1, most)), draw(st.integers(1, 4))
    size = items * categories
    truth = draw(st.lists(st.booleans(), min_size=size, max_size=size))
    score = draw(st.lists(st.sampled_from(LEVELS), min_size=size, max_size=size))
    stored = draw(st.one_of(st.none(), st.lists(st.booleans(), min_size=size, max_size=size)))
    shape = (items, categories)
    cells = [[None] * categories for _ in range(items)]
    for place, value in enumerate(score):
        if stored is None or stored[place]:
            cells[place // categories][place % categories] = value
    return np.array(truth, bool).reshape(shape), cells


def status_of(truth, cells):
    if all(value is not None for row in cells for value in row):
        return pc.categorize(truth, np.array(cells, float))
    where = [
        (i, j) for i, row in enumerate(cells) for j, value in enumerate(row) if value is not None
    ]
    rows, columns = ([place[axis] for place in where] for axis in (0, 1))
    values = [float(cells[i][j]) for i, j in where]
    return pc.categorize(truth, sparse.coo_array((values, (rows, columns)), shape=truth.shape))


def f1(tp, fp, fn, tn):
    return None if tp + fp + fn == 0 else Fraction(2 * tp, 2 * tp + fp + fn)


def error(tp, fp, fn, tn):
    return Fraction(fp + fn, tp + fp + fn + tn)


def precision(tp, fp, fn, tn):
    return None if tp + fp == 0 else Fraction(tp, tp + fp)


FORMULAS = {"F1": (f1, 1), "error": (error, -1), "precision": (precision, 1)}


def table(truth, accepted):
    pairs = list(zip(truth, accepted, strict=True))
    return tuple(
        pairs.count(cell) for cell in ((True, True), (False, True), (True, False), (False, False))
    )


def value_of(name, average, truth, accepted, undefined):
    """The measure from its definition, in fractions; None if nothing is defined."""
    formula, _ = FORMULAS[name]
    rows, columns = truth.tolist(), truth.T.tolist()
    kept, kept_columns = accepted.tolist(), accepted.T.tolist()
    if average is None:
        return Fraction(sum(a == b for a, b in zip(rows, kept, strict=True)), len(rows)) * 1
    if average == "micro":
        parts = [table([c for row in rows for c in row], [c for row in kept for c in row])]
    elif average == "samples":
        parts = [table(a, b) for a, b in zip(rows, kept, strict=True)]
    else:
        parts = [table(a, b) for a, b in zip(columns, kept_columns, strict=True)]
    weights = [sum(column) if average == "weighted" else 1 for column in columns]
    weights = weights if average in ("macro", "weighted") else [1] * len(parts)
    values = [(formula(*part), weight) for part, weight in zip(parts, weights, strict=True)]
    if undefined == "omit":
        values = [(value, weight) for value, weight in values if value is not None]
    total = sum(weight for _, weight in values)
    return (
        sum((value or 0) * weight for value, weight in values) / Fraction(total) if total else None
    )


def best_of_row(scores, count):
    order = sorted(
        (place for place, score in enumerate(scores) if score is not None),
        key=lambda place: (-scores[place], place),
    )
    return set(order[:count])


def by_rank(truth, cells, k):
    accepted = np.zeros(truth.shape, bool)
    for row, scores in enumerate(cells):
        accepted[row, list(best_of_row(scores, k))] = True
    return accepted


def by_share(truth, cells, x):
    """PCut in fractions: each category accepts its share of the items times x, halves rounded
    up.
    """
    accepted, items = np.zeros(truth.shape, bool), len(truth)
    for column in range(truth.shape[1]):
        share = min(Fraction(int(truth[:, column].sum()), items) * x, 1)
        quota = math.floor(share * items + Fraction(1, 2))
        accepted[list(best_of_row([row[column] for row in cells], quota)), column] = True
    return accepted


def by_score(truth, cells, least):
    return np.array(
        [[value is not None and value >= least for value in row] for row in cells], bool
    )


def candidates(policy, truth, cells):
    """Every decision that the policy can come to, those that accept least first, with a number that
    has it.
    """
    if policy == "rcut":
        return [(k, by_rank(truth, cells, k)) for k in range(1, truth.shape[1] + 1)]
    if policy == "global":
        return [(s, by_score(truth, cells, s)) for s in (math.inf, *sorted(LEVELS, reverse=True))]
    edges = sorted(
        {
            Fraction(2 * j - 1, 2 * r)
            for r in range(1, len(truth) + 1)
            for j in range(1, len(truth) + 1)
        }
    )
    between = [
        Fraction(edges[0]) / 2,
        *((a + b) / 2 for a, b in pairwise(edges)),
        edges[-1] + 1,
    ]
    return [(x, by_share(truth, cells, x)) for x in between]


@given(
    tables(),
    st.sampled_from(["rcut", "pcut", "global"]),
    st.sampled_from(list(FORMULAS)),
    st.sampled_from(AVERAGES),
    st.sampled_from(["zero", "omit"]),
)
def test_the_number_is_the_first_of_the_best(made, policy, name, average, undefined):
    truth, cells = made
    status = status_of(truth, cells)
    learned = status.thresholds(policy, tune=f"{average}-{name}", undefined=undefined)
    decided = status.decide(learned).predicted.dense()
    sign = FORMULAS[name][1]
    values = [
        (accepted, value_of(name, average, truth, accepted, undefined))
        for _, accepted in candidates(policy, truth, cells)
    ]
    known = [value * sign for _, value in values if value is not None]
    if not known:
        assert learned.reached is None
        return
    first = next(
        accepted for accepted, value in values if value is not None and value * sign == max(known)
    )
    assert decided.tolist() == first.tolist()
    assert learned.reached == pytest.approx(float(max(known) * sign), abs=1e-12)


@given(tables(), st.sampled_from(["rcut", "pcut", "global"]))
def test_accuracy_is_of_items(made, policy):
    truth, cells = made
    status = status_of(truth, cells)
    learned = status.thresholds(policy, tune="accuracy")
    best = max(
        value_of("F1", None, truth, accepted, "zero")
        for _, accepted in candidates(policy, truth, cells)
    )
    assert learned.reached == pytest.approx(float(best), abs=1e-12)


@given(
    tables(), st.sampled_from([1, 2, 9]), st.sampled_from([Fraction(1, 3), 1, Fraction(3, 2), 40])
)
def test_given_numbers_decide_as_defined(made, k, x):
    """k may be greater than the number of categories; half of an item is rounded up."""
    truth, cells = made
    status = status_of(truth, cells)
    for method, wanted in (
        (f"rcut:{k}", by_rank(truth, cells, k)),
        (f"pcut:{float(x)}", by_share(truth, cells, Fraction(float(x)))),
        ("fixed:0.25", by_score(truth, cells, 0.25)),
    ):
        assert (
            status.decide(status.thresholds(method)).predicted.dense().tolist() == wanted.tolist()
        ), method


def utility(tp, fp, fn, tn):
    return 2 * tp - fp - 3 * fn


BEST = {
    "scut": (f1, 1),
    "max:error": (error, -1),
    "max:precision": (precision, 1),
    "utility:tp=2,fp=-1,fn=-3": (utility, 1),
}


@pytest.mark.nightly
@given(tables(), st.sampled_from(list(BEST)))
def test_each_category_has_its_best_threshold(made, method):
    """Of equals the highest; where no scored item is relevant nothing is accepted, but of utility
    it is what is best.
    """
    truth, cells = made
    status = status_of(truth, cells)
    learned = status.thresholds(method)
    formula, sign = BEST[method]
    for column, threshold in enumerate(learned.values.tolist()):
        scores, true = [row[column] for row in cells], truth[:, column].tolist()
        scored = sorted({score for score in scores if score is not None}, reverse=True)
        values = []
        for least in (math.inf, *scored):
            value = formula(
                *table(true, [score is not None and score >= least for score in scores])
            )
            values.append((least, value))
        known = [value * sign for _, value in values if value is not None]
        hits = any(t and score is not None for t, score in zip(true, scores, strict=True))
        wanted = math.inf
        if hits or method.startswith("utility"):
            wanted = next(
                least for least, value in values if value is not None and value * sign == max(known)
            )
        assert threshold == wanted


@given(tables())
def test_break_even_is_where_precision_and_recall_are_nearest(made):
    """Of the thresholds with a hit; of equals that of the greatest mean, then the highest."""
    truth, cells = made
    learned = status_of(truth, cells).thresholds("break-even")
    for column, threshold in enumerate(learned.values.tolist()):
        scores, true = [row[column] for row in cells], truth[:, column].tolist()
        best, wanted = None, math.inf
        for least in sorted({score for score in scores if score is not None}, reverse=True):
            tp, fp, fn, _ = table(true, [score is not None and score >= least for score in scores])
            if not tp:
                continue
            p, r = Fraction(tp, tp + fp), Fraction(tp, tp + fn)
            key = (-abs(p - r), p + r)
            if best is None or key > best:
                best, wanted = key, least
        assert threshold == wanted


@given(tables())
def test_the_global_threshold_of_micro_f_is_that_of_the_list_of_all_pairs(made):
    status = status_of(*made)
    if status.pooled().tp[-1]:
        assert status.thresholds("global").number == status.pooled().at(max="F").threshold
    fixed = status.thresholds("fixed", tune="micro-F1")
    assert replace(fixed, method="global") == status.thresholds("global") != fixed


def test_the_order_of_categories_and_items_changes_nothing():
    rng = np.random.default_rng(5)
    truth, score = rng.random((60, 7)) < 0.2, rng.normal(size=(60, 7)).round(1)
    names, rows, columns = list("abcdefg"), rng.permutation(60), rng.permutation(7)
    for policy in ("rcut", "global", "pcut"):
        one = pc.categorize(truth, score, names).thresholds(policy, tune="macro-F1")
        turned = pc.categorize(
            truth[rows][:, columns], score[rows][:, columns], [names[i] for i in columns]
        )
        other = turned.thresholds(policy, tune="macro-F1")
        if (
            policy == "global"
        ):  # of equal scores the first are accepted, so that k and x go by the order
            assert (other.number, other.reached) == (
                one.number,
                pytest.approx(one.reached, abs=1e-12),
            )
        assert other.matched(names).values.shape == one.values.shape


def test_tuning_is_as_good_as_every_number_on_the_examples():
    status = pc.categorize(*_digits())
    for policy, numbers in (("rcut", range(1, 11)), ("pcut", [0.9 + i / 100 for i in range(40)])):
        learned = status.thresholds(policy, tune="macro-F(beta=2)")
        tried = [status.decide(status.thresholds(f"{policy}:{number}")) for number in numbers]
        assert learned.reached >= max(d.value("F(beta=2)", "macro") for d in tried)


def _digits():
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 10, 300)
    return truth, rng.random((300, 10)) + 0.7 * np.eye(10)[truth]


SMALL = pc.categorize(["a", "b", "b"], [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]])


@pytest.mark.parametrize(
    ("method", "tune", "message"),
    [
        ("rank:2", "macro-F1", "rank:2: already has a number, so there is nothing to tune"),
        ("global:.5", None, "method: got 'global:.5', allowed are break-even, max-f, fixed:s"),
        (
            "rcut",
            "F1",
            "tune: F has a value for each category; choose an average: macro-F, micro-F",
        ),
        ("rcut", "macro-Prevalence", "tune: neither high nor low values of Prevalence"),
        ("max:Prevalence", None, "max:Prevalence: neither high nor low"),
        ("rcut", "macro-LR+", r"tune: LR\+ is infinite for some numbers"),
        ("rcut", "AP", "tune: AP is a measure of rankings; allowed are those of counts"),
        (
            "scut",
            "micro-F1",
            (
                "tune: micro-F1 measures all categories together, but scut has a threshold for "
                "each; take macro-F"
            ),
        ),
        ("scut", "accuracy", "tune: accuracy measures all categories together"),
        ("break-even", "macro-F1", "break-even: already names its measure; leave tune out"),
        ("max:MCC", "macro-F1", "max:MCC: already names its measure"),
        ("max:ABC", None, "no measure 'ABC'"),
        ("max:", None, "method: got 'max:', with nothing after the colon"),
        ("utility:xy=1", None, "no parameter 'xy'; allowed are tp, fp, fn, tn"),
        ("utility:1,2,3,4,5", None, "give each of tp, fp, fn, tn at most one weight"),
        ("utility:tp=1,tp=2", None, "give each of tp, fp, fn, tn at most one weight"),
        ("utility:1,tp=1", None, "give each of tp, fp, fn, tn at most one weight"),
        ("utility:tp=inf", None, "inf"),
        ("utility:tp", None, "tp"),
    ],
)
def test_refused(method, tune, message):
    with pytest.raises(pc.UsageError, match=message):
        SMALL.thresholds(method, tune=tune)


def test_names_of_one_thing():
    for names in (
        ("scut", "max-f", "max-F", "max-F1", "max:F", "max=F(beta=1)", "SCut"),
        (
            "utility",
            "utility:1,-1",
            "utility:tp=1,fp=-1",
            "utility:tp:1,fp:-1",
            "utility:fp=-1, tp=1",
        ),
        ("max:F(beta=2)", "max-F2"),
    ):
        values = [SMALL.thresholds(name).values.tolist() for name in names]
        assert all(one == values[0] for one in values)
    assert (
        SMALL.thresholds("scut", tune="macro-F2").values.tolist()
        == SMALL.thresholds("max:F2").values.tolist()
    )
    assert (
        SMALL.thresholds("scut", beta=2).values.tolist()
        == SMALL.thresholds("max:F2").values.tolist()
    )
    assert SMALL.thresholds("scut", tune="macro-MCC").policy == "scut (by macro-MCC)"


def test_an_infinite_score_is_no_threshold():
    status = pc.categorize(["a", "b"], [[np.inf, 0.0], [0.0, 1.0]])
    for method in ("scut", "utility", "max:MCC", "break-even"):
        with pytest.raises(pc.UsageError, match="the least score to accept in category 'a' is inf"):
            status.thresholds(method)
    lone = pc.categorize(["a"], [[np.inf, 0.0]], ["a", "b"])
    with pytest.raises(pc.UsageError, match="is inf, a threshold that accepts nothing"):
        lone.thresholds("global")
    none = pc.categorize([set()], [[np.inf, 0.0]], ["a", "b"])
    assert none.thresholds("global", tune="micro-error").number == np.inf


def test_short_numbers_lie_between():
    for low, high in ((0.0, 1e-9), (0.123456, 0.1234561), (3.0, 3.0000000000000004), (5.0, 11.0)):
        assert low <= tuning.short_between(low, high) <= high
