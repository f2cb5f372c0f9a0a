"""Measures of one report share their random signs: the same bits as each measure by itself."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

import precall as pc
from precall.stats.tests import many, signflip

MEASURES = ["AP", "P@10", "RR", "nDCG@10"]


def report(topics: int, runs: int) -> pc.Report:
    rng = np.random.default_rng(topics)
    qrels = {f"q{t}": {f"d{i}": int(i % 5 == 1) for i in range(20)} for t in range(topics)}

    def run() -> dict[str, dict[str, float]]:
        return {
            t: dict(zip(items, rng.random(20).tolist(), strict=True)) for t, items in qrels.items()
        }

    return pc.evaluate(qrels, {name: run() for name in "abcd"[:runs]}, MEASURES)


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("topics", [5, 30, 300])
@pytest.mark.parametrize("runs", [2, 4])
@pytest.mark.parametrize("options", [{}, {"baseline": "b"}, {"resamples": 777, "rng": 5}])
def test_measures_together_are_as_alone(topics, runs, options):
    given = report(topics, runs)
    together = pc.compare(given, **options)
    for name in MEASURES:
        alone = pc.compare(given, measures=[name], **options)
        shared = [pair for pair in together.pairs if pair.measure == name]
        assert list(map(repr, shared)) == list(map(repr, alone.pairs))


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_signs_are_drawn_once():
    given = report(300, 2)
    with patch.object(signflip, "draw_subsets", wraps=signflip.draw_subsets) as draw:
        pc.compare(given, resamples=100)
    assert draw.call_count == 1
    # Sums over too many columns at once would take much memory.
    with (
        patch.object(signflip, "draw_subsets", wraps=signflip.draw_subsets) as draw,
        patch.object(many, "_SUMS", 500),
    ):
        pc.compare(given, resamples=100)
    assert draw.call_count == len(MEASURES)


@pytest.mark.parametrize("kind", [np.random.PCG64, np.random.MT19937, np.random.SFC64])
@pytest.mark.parametrize(("rows", "draws"), [(1, 1), (8, 8), (9, 3), (250, 4096), (17, 101)])
def test_signs_are_the_bytes_that_numpy_draws(kind: Any, rows: int, draws: int) -> None:
    """However fast they are drawn, seeds keep their digits."""
    one, other = (np.random.Generator(kind(rows)) for _ in range(2))
    expected = one.integers(0, 256, size=(-(-rows // 8), draws), dtype=np.uint8)
    assert np.array_equal(signflip._draw_bits(rows, other, draws), expected)
