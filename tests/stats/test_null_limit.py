"""The limit law of AP, mean AP over unequal queries, and every law that `precall null` shows."""

from __future__ import annotations

import json
import math
from itertools import combinations

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes.of_null import AsLimit, MomentsDrawn, TailsBy
from tests.noticed import noticed
from tests.peers import peer

stats = peer("scipy.stats")
SHARES = [(2000, 500), (1000, 100), (100, 90), (50, 1)]


@pytest.mark.parametrize(("items", "relevant"), SHARES)
def test_limit_is_normal_and_with_skewness_pearsons_third(items, relevant):
    null = pc.null.average_precision(items, relevant)
    share = relevant / items
    sd = share * math.sqrt((1 - share) / relevant)
    skewness = 2 * (4 - 5 * share) / math.sqrt(relevant * (1 - share))
    x = share + sd * np.array([-1.2, 0.0, 0.5, 2.0, 4.0])
    normal, skewed = null.limit(skewness=False), null.limit()
    np.testing.assert_allclose(normal.sf(x), stats.norm.sf(x, share, sd), rtol=1e-9)
    third = stats.pearson3(skewness, share, sd)
    np.testing.assert_allclose(skewed.sf(x), third.sf(x), rtol=1e-8, atol=1e-300)
    np.testing.assert_allclose(skewed.cdf(x), third.cdf(x), rtol=1e-8, atol=1e-300)
    assert (skewed.mean, skewed.std, skewed.skewness) == pytest.approx((share, sd, skewness))
    q = np.array([0.01, 0.3, 0.99])
    np.testing.assert_allclose(skewed.ppf(q), third.ppf(q), rtol=1e-8)
    np.testing.assert_allclose(normal.ppf(q), stats.norm.ppf(q, share, sd), rtol=1e-8)
    draws = skewed.rvs(20_000, rng=1)
    assert draws.mean() == pytest.approx(share, abs=4 * sd / math.sqrt(20_000))


@pytest.mark.nightly
def test_limit_comes_nearer_with_longer_lists():
    """p of the limit is nearer to the true one in longer lists, and with the skewness."""
    errors = []
    for items, relevant in ((1000, 100), (100_000, 10_000)):
        null = pc.null.average_precision(items, relevant)
        x = float(null.ppf(0.99))
        errors.append([abs(null.limit(each).sf(x) / null.sf(x) - 1) for each in (False, True)])
    assert errors[0][0] > errors[1][0] > errors[1][1]
    assert errors[0][1] > errors[1][1]


def test_limit_of_a_cutoff_is_refused():
    with pytest.raises(pc.UsageError, match="cutoff"):
        pc.null.average_precision(100, 10, cutoff=5).limit()
    with pytest.raises(pc.UsageError, match="skewness"):
        pc.null.average_precision(100, 10).limit(skewness=2)


def told(capsys, *arguments):
    assert run(["null", *arguments, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_command_tells_the_error_of_the_limit(capsys):
    null = pc.null.average_precision(2000, 500)
    found = told(capsys, "--items", "2000", "--relevant", "500", "--ap", "0.2800000", "--limit")
    (setting,) = found["settings"]
    p = setting["asked"]["p"]
    value = setting["asked"]["AP"]
    assert p["limit"] == float(null.limit(skewness=False).sf(value))
    assert p["limit with skewness"] == float(null.limit().sf(value))
    assert [law["law"] for law in setting["laws"] if law["measure"] == "AP"] == [
        "to 2 %",
        "limit",
        "limit with skewness",
    ]
    assert noticed(found, AsLimit)
    assert run(["null", "--items", "2000", "--relevant", "500", "--ap", "0.28", "--limit"]) == 0
    assert "% too small" in capsys.readouterr().out


def exact_mean_ap(queries, value):
    """P(mean AP >= value) by listing every placement in every query."""
    chances = {0.0: 1.0}
    for items, relevant in queries:
        ways = list(combinations(range(1, items + 1), relevant))
        values = [sum((i + 1) / r for i, r in enumerate(way)) / relevant for way in ways]
        sums = {}
        for total, chance in chances.items():
            for one in values:
                key = round(total + one, 10)
                sums[key] = sums.get(key, 0.0) + chance / len(ways)
        chances = sums
    return math.fsum(c for total, c in chances.items() if total / len(queries) >= value - 1e-9)


def test_mean_over_unequal_queries_is_enumerated():
    queries = [(8, 3), (6, 1), (7, 2)]
    null = pc.null.mean_average_precision(*zip(*queries, strict=True))
    for value in (0.4, 0.55, 0.8):
        assert null.sf(value) == pytest.approx(exact_mean_ap(queries, value), rel=1e-9)
    means = [pc.null.average_precision(n, m).mean for n, m in queries]
    assert null.mean == pytest.approx(np.mean(means))


def test_mean_is_that_of_a_test_of_rankings():
    hits = pc.Hits.of([[1, 4], [2], [3, 5, 6]], retrieved=[10, 10, 10], relevant=[2, 1, 3])
    tested = pc.null.test(hits).combined
    null = pc.null.mean_average_precision(10, [2, 1, 3])
    assert null.sf(tested.value) == tested.p


@pytest.mark.nightly
def test_asymptotic_mean_is_near():
    relevant = [20 + i % 30 for i in range(60)]
    quick = pc.null.mean_average_precision(1000, relevant, method="asymptotic")
    full = pc.null.mean_average_precision(1000, relevant)
    x = full.mean + 2 * full.std
    assert quick.sf(x) == pytest.approx(full.sf(x), rel=0.03)


@pytest.mark.parametrize(
    ("items", "relevant"), [(10, 3), ([10, 10], [1, 2, 3]), (10, []), ([10, 5], [3, 6]), ("9", [1])]
)
def test_mean_refuses_what_is_no_queries(items, relevant):
    with pytest.raises(pc.UsageError):
        pc.null.mean_average_precision(items, relevant)


def test_command_shows_the_mean_over_queries(capsys):
    found = told(capsys, "--items", "10", "--relevant", "2,1,3", "--ap", "0.5500000")
    null = pc.null.mean_average_precision(10, [2, 1, 3])
    assert found["rankings"][0]["p"] == null.sf(found["rankings"][0]["value"])
    assert told(capsys, "--items", "10,12", "--relevant", "2")["statistics"]["mean"] == (
        pc.null.mean_average_precision([10, 12], 2).mean
    )


@pytest.mark.parametrize(
    "options",
    [
        ["--relevant", "2,1", "--ap", "0.3"],
        ["--items", "10", "--relevant", "2,x"],
        ["--items", "10", "--relevant", "2,1", "--auc"],
        ["--items", "10", "--relevant", "2,1", "--limit"],
        ["--items", "10", "--relevant", "2", "--share", "0.1"],
        ["--items", "10", "--relevant", "2", "--ef", "0.1", "--share", "2"],
        ["--items", "10", "--relevant", "2", "--maxf", "1.5"],
        ["--items", "10", "--relevant", "2", "--ap", "0.5", "--at", "3", "--limit"],
        ["--items", "10", "--relevant", "2", "--bep", "--seed", "1"],
    ],
)
def test_options_that_do_not_fit(capsys, options):
    assert run(["null", *options]) == 2
    assert capsys.readouterr().err.startswith("precall: error: ")


LAWS = {
    "bep": ("break-even", lambda n, m: pc.null.break_even(n, m), 0.4),
    "iap": ("11-point", lambda n, m: pc.null.eleven_point(n, m), 0.45),
    "ef": ("EF@10%", lambda n, m: pc.null.enrichment(n, m, 0.1), 2.0),
    "bedroc": ("BEDROC", lambda n, m: pc.null.bedroc(n, m), 0.5),
    "maxf": ("max F", lambda n, m: pc.null.max_f(n, m), 0.5),
}


@pytest.mark.parametrize("option", LAWS)
@pytest.mark.parametrize(
    ("items", "relevant"), [(12, 4), pytest.param(60, 12, marks=pytest.mark.nightly)]
)
def test_command_has_every_law(capsys, option, items, relevant):
    name, law, value = LAWS[option]
    null = law(items, relevant)
    share = ["--share", "0.1"] if option == "ef" else []
    counts = ["--items", str(items), "--relevant", str(relevant)]
    found = told(capsys, *counts, f"--{option}", f"{value:.12f}", *share)
    (setting,) = found["settings"]
    (row,) = setting["values"]
    assert row["measure"] == name
    assert row["p"] == null.sf(row["value"])
    assert setting["laws"][0]["mean"] == null.mean
    has_drawn_moments = bool(getattr(null, "mean_error", 0))
    assert bool(noticed(found, MomentsDrawn)) == has_drawn_moments
    assert all(note.exact_moments != has_drawn_moments for note in noticed(found, TailsBy))


@pytest.mark.nightly
@pytest.mark.parametrize("option", LAWS)
def test_simulated_rankings_have_the_law(option):
    """Values of random rankings, drawn by another way than the law."""
    (setting,) = pc.null.describe(40, 8, **{option: True}, simulate=4000, rng=3).settings
    (null,) = setting.nulls.values()
    (values,) = setting.draws(4000).values()
    assert values.mean() == pytest.approx(null.mean, abs=4 * null.std / math.sqrt(4000))
