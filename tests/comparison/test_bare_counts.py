"""Posteriors from bare counts: closed forms, large samples, and the sign test of Benavoli et al."""

from __future__ import annotations

import json

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from tests.peers import peer

stats = peer("scipy.stats")
bayes = pc.compare.bayes
TABLE = (80, 20, 30, 870)
TAILS = (0.025, 0.5, 0.975)


@pytest.mark.parametrize("prior", [0.5, 1.0, 1 / 6])
@pytest.mark.parametrize("table", [TABLE, (0, 3, 5, 2), (4, 0, 0, 1)])
def test_proportions_are_beta(table, prior):
    """Each proportion is a Beta of its own cells, the prior counted once for each cell."""
    tp, fp, fn, tn = (count + prior for count in table)
    shapes = {
        "P": (tp, fp),
        "R": (tp, fn),
        "Specificity": (tn, fp),
        "NPV": (tn, fn),
        "Accuracy": (tp + tn, fp + fn),
        "Prevalence": (tp + fn, fp + tn),
    }
    found = bayes.counts(*table, list(shapes), prior=prior)
    for row, (name, shape) in enumerate(shapes.items()):
        bounds = found.low[row], found.median[row], found.high[row]
        assert bounds == pytest.approx(stats.beta(*shape).ppf(TAILS), rel=1e-9), name


def test_f_is_a_quotient_of_gammas():
    """F1 = 2u / (1 + u) with u ~ Beta, Goutte & Gaussier; and `bayes.f` for any beta."""
    found = bayes.counts(80, 20, 30, measures=["F", "F(beta=2)"], level=0.9)
    share = stats.beta(80.5, 51).ppf([0.05, 0.5, 0.95])
    assert (found.low[0], found.median[0], found.high[0]) == pytest.approx(
        2 * share / (1 + share), rel=1e-9
    )
    assert (found.low[1], found.high[1]) == pytest.approx(bayes.f(80, 20, 30, 2).interval(0.9))


@pytest.mark.parametrize("name", ["BalancedAccuracy", "MCC", "Jaccard", "kappa"])
@pytest.mark.parametrize("table", [TABLE, (6, 2, 1, 9)])
def test_other_measures_are_those_of_drawn_tables(name, table):
    drawn = np.random.default_rng(5).dirichlet(np.array(table) + 0.5, 200_000).T
    tp, fp, fn, tn = drawn
    product = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    expected = (tp + fp) * (tp + fn) + (tn + fp) * (tn + fn)
    values = {
        "BalancedAccuracy": (tp / (tp + fn) + tn / (tn + fp)) / 2,
        "MCC": (tp * tn - fp * fn) / np.sqrt(product),
        "Jaccard": tp / (tp + fp + fn),
        "kappa": (tp + tn - expected) / (1 - expected),
    }[name]
    found = bayes.counts(*table, [name])
    # The shares of the draws below each quantile have a standard error of .0011 at most.
    shares = [np.mean(values <= q[0]) for q in (found.low, found.median, found.high)]
    assert shares == pytest.approx(TAILS, abs=0.004)


def test_without_true_negatives_they_do_not_matter():
    alone, of_all = (bayes.counts(8, 2, 3, tn, ["P", "R", "F", "Jaccard"]) for tn in (None, 50))
    np.testing.assert_allclose(alone.low, of_all.low, rtol=2e-3)
    np.testing.assert_allclose(alone.high, of_all.high, rtol=2e-3)
    assert bayes.counts(8, 2, 3).measures == ("P", "R", "F", "Jaccard")
    with pytest.raises(pc.UsageError, match="MCC"):
        bayes.counts(8, 2, 3, measures=["MCC"])


def test_nothing_counted_is_the_prior():
    found = bayes.counts(0, 0, 0, 0, ["P", "MCC"])
    assert np.isnan(found.value).all()
    assert found.median == pytest.approx([0.5, 0.0], abs=1e-5)


# --- Wins ---


def test_without_a_region_ties_do_not_matter():
    """P(π1 > π2) is a Beta of wins and losses alone, and `outcomes` of paired items."""
    for ties in (0, 50):
        found = bayes.wins(12, ties, 4)
        assert found.better.greater == pytest.approx(stats.beta(12.5, 4.5).sf(0.5), rel=1e-12)
        assert found.better.equivalent == 0
        assert found.better.greater == bayes.outcomes(12, 4, ties).greater
        assert found.better.greater + found.better.less == pytest.approx(1)


@pytest.mark.parametrize("counted", [(30, 50, 20), (3, 0, 1), (0, 4, 9), (0, 0, 0)])
@pytest.mark.parametrize("rope", [0.02, 0.3])
def test_region_and_interval_are_those_of_draws(counted, rope):
    drawn = np.random.default_rng(7).dirichlet(np.array(counted) + 0.5, 400_000).T
    difference = drawn[0] - drawn[2]
    found = bayes.wins(*counted, rope=rope)
    shares = [np.mean(difference > rope), np.mean(difference < -rope)]
    assert (found.better.greater, found.better.less) == pytest.approx(shares, abs=0.003)
    inside = np.mean(np.abs(difference) <= rope)
    assert found.better.equivalent == pytest.approx(inside, abs=0.004)
    below = [np.mean(difference <= end) for end in (found.low, found.high)]
    assert below == pytest.approx([0.025, 0.975], abs=0.002)
    assert found.difference == pytest.approx(difference.mean(), abs=0.003)
    greatest = np.bincount(drawn.argmax(axis=0), minlength=3) / 400_000
    most = (found.most.greater, found.most.equivalent, found.most.less)
    assert most == pytest.approx(greatest, abs=0.003)


def test_one_share_without_weight():
    """A prior of (0, 1, 0) and no losses: the difference is the share of wins, Beta(3, 6)."""
    found = bayes.wins(3, 5, 0, prior=(0, 1, 0), rope=0.1)
    assert found.better.greater == pytest.approx(stats.beta(3, 6).sf(0.1), rel=1e-9)
    assert found.better.less == 0
    assert (found.low, found.high) == pytest.approx(stats.beta(3, 6).ppf([0.025, 0.975]))
    turned = bayes.wins(0, 5, 3, prior=(0, 1, 0), rope=0.1)
    assert (turned.better.less, turned.low) == pytest.approx((found.better.greater, -found.high))


def test_greatest_share_is_the_sign_test():
    """Benavoli et al. (2017): one pseudo-topic within the region. `sign` counts it by itself."""
    a, b = [0.6, 0.7, 0.8, 0.5, 0.9, 0.7], [0.5, 0.5, 0.8, 0.4, 0.7, 0.6]
    tested = bayes.sign(a, b)
    found = bayes.wins(5, 1, 0, prior=(0, 1, 0)).most
    for name in ("greater", "equivalent", "less"):
        assert getattr(found, name) == getattr(tested, name)


@pytest.mark.parametrize(
    "call",
    [
        lambda: bayes.counts(-1, 2, 3),
        lambda: bayes.counts(1, 2, 3, prior=0),
        lambda: bayes.counts(1, 2, 3, measures=[]),
        lambda: bayes.counts(1, 2, 3, level=2),
        lambda: bayes.counts(1, 2, 3, measures=["AP"]),
        lambda: bayes.wins(1, -2, 3),
        lambda: bayes.wins(1, 2, 3, prior=(1, 2)),
        lambda: bayes.wins(1, 2, 3, prior=0),
        lambda: bayes.wins(1, 2, 3, rope=1),
        lambda: bayes.wins(1, 2, 3, rope=-0.1),
        lambda: bayes.wins(0, 0, 0, prior=(0, 0, 0)),
    ],
)
def test_refusals(call):
    with pytest.raises((pc.UsageError, pc.MeasureError)):
        call()


# --- The command ---


def told(capsys, *arguments):
    assert run(["posterior", *arguments, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_command_of_a_table(capsys):
    found = told(capsys, *map(str, TABLE), "-m", "MCC", "--prior", "1", "--level", "0.9")
    counted = bayes.counts(*TABLE, ["MCC"], prior=1, level=0.9)
    assert found["measures"][0]["low"] == counted.low[0]
    assert found["counts"] == dict(zip(("tp", "fp", "fn", "tn"), TABLE, strict=True))
    assert told(capsys, "8", "2", "3")["counts"]["tn"] is None


def test_command_of_wins(capsys):
    given = ["--wins", "30", "--ties", "50", "--losses", "20", "--rope", "0.02"]
    found = told(capsys, *given, "--prior", "0,1,0")
    counted = bayes.wins(30, 50, 20, rope=0.02, prior=(0, 1, 0))
    assert found["better"]["equivalent"] == counted.better.equivalent
    assert found["counts"] == {"wins": 30, "ties": 50, "losses": 20}
    assert told(capsys, "--wins", "3", "--losses", "1")["better"]["equivalent"] == 0


@pytest.mark.parametrize(
    ("options", "argument"),
    [
        (["80", "20"], "TP FP FN"),
        (["80", "20", "30", "--wins", "3"], "TP FP FN"),
        (["80", "20", "30", "--rope", "0.1"], "--rope"),
        (["80", "20", "30", "--prior", "0"], "--prior"),
        (["80", "20", "30", "-m", "MCC"], "tn"),
        (["--wins", "3"], "--losses"),
        (["--wins", "3", "--losses", "2", "-m", "F"], "--measure"),
        (["--wins", "3", "--losses", "2", "--prior", "x"], "--prior"),
        (["--wins", "3", "--losses", "2", "--rope", "1"], "--rope"),
    ],
)
def test_options_that_do_not_fit(capsys, options, argument):
    assert run(["posterior", *options]) == 2
    assert argument in capsys.readouterr().err


def test_only_ties_are_equal_for_sure():
    """All three probabilities were 0, because without a region nothing counted as equal."""
    found = bayes.wins(0, 3, 0, prior=(0, 1, 0)).better
    assert (found.greater, found.equivalent, found.less) == (0, 1, 0)


@pytest.mark.parametrize("prior", [float("inf"), 0, (1, float("inf"), 1), (1, 2)])
def test_priors_of_wins_are_finite(prior):
    """An infinite one made every probability NaN."""
    with pytest.raises(pc.UsageError, match="prior"):
        bayes.wins(3, 1, 1, prior=prior)
