"""A null distribution of too many values to list is printed as far as it is known.

Older tests asked for single numbers of such distributions, and printed small ones.
"""

import numpy as np
import pytest

import precall as pc

N = pc.null


def test_what_is_known_is_printed_and_the_rest_named() -> None:
    text = str(N.reciprocal_rank(10**9, 3))
    assert "5.94014e-08" in text and "1.33333e+08" in text and "not known" not in text
    many = N.hits(10**12, 5 * 10**11, 5 * 10**11)
    shown = str(many)
    assert "unknown: 2.5 %, 50 %, 97.5 % (n: up to 10,000,000 numbers of hits" in shown
    assert N.average_precision(10**12, 10).to_dict()["statistics"]["variance"] is not None
    assert "2.5e+11" in str(N.hits(10**12, 5 * 10**11, 5 * 10**11))
    assert "unknown: 2.5 %, 50 %, 97.5 %" in str(N.average_precision(10**12, 10))
    assert "unknown:" in N.location(10**9, 3, 2)._repr_html_()
    assert "unknown:" not in str(N.reciprocal_rank(100, 3))


@pytest.mark.nightly
def test_tails_of_reciprocal_rank_need_no_list() -> None:
    null = N.reciprocal_rank(10**9, 3)
    assert null.sf(1.0) == pytest.approx(3e-9, rel=1e-12)
    assert null.sf(0.5) == pytest.approx(1 - (1 - 3e-9) ** 2, rel=1e-6)
    assert null.cdf(1.0) == 1.0 and null.cdf(0.5) == pytest.approx(1 - 3e-9, rel=1e-15)
    assert N.reciprocal_rank(10**9, 2 * 10**7 + 1).sf(1e-9) == 1.0


def test_they_and_quantiles_are_those_of_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = N.reciprocal_rank(2000, 3)
    x, q = 1 / np.arange(1.0, 1999.0), np.linspace(0, 1, 101)
    known = listed.sf(x), listed.cdf(x), listed.ppf(q)
    monkeypatch.setattr("precall.stats.null.hits_and_ranks._RANKS", 100)
    closed = N.reciprocal_rank(2000, 3)
    with pytest.raises(pc.UsageError, match="ranks are listed"):
        closed.var  # noqa: B018
    for values, expected in zip((closed.sf(x), closed.cdf(x), closed.ppf(q)), known, strict=True):
        np.testing.assert_allclose(values, expected, rtol=1e-10, atol=1e-14)
