"""Fails when the search gets worse: pytest compares it with base.json, topic by topic."""

from __future__ import annotations

from search import DIGITS, search

import precall


def test_search_is_not_worse(assert_not_worse):
    report = precall.evaluate(DIGITS / "digits.qrels", search(), ["AP", "P@10", "nDCG@10"])
    assert_not_worse(report, "base.json", margin={"AP": 0.01})
