"""AP of a few hundred items in equal blocks took 5 to 10 seconds: a quota of single values was
filled by improbable ones.

Older tests timed very many items; in few, equal blocks values are the most, and 760,000 were
carried where 60,000 are meant.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from precall.stats.null import average_precision
from precall.stats.null.tail import atoms
from tests.processor import timed

BLOCKS: list[dict[str, Any]] = [
    {"items": 354, "relevant": 67, "blocks": [9] * 39 + [3]},
    {"items": 489, "relevant": 66, "blocks": [5] * 97 + [4], "ties": "block"},
]


@pytest.mark.nightly
@pytest.mark.parametrize("given", BLOCKS)
def test_first_answers_take_little_time(
    given: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    carried: list[int] = []
    heavy = atoms._heavy

    def counted(*args: Any) -> Any:
        kept = heavy(*args)
        carried.append(int(kept.sum()))
        return kept

    monkeypatch.setattr(atoms, "_heavy", counted)
    above, taken = timed(lambda: average_precision(**given).sf(0.3))
    assert 0 < above < 0.01
    assert taken < 4  # .7 and .3 s
    assert max(carried) <= atoms.MOST


@pytest.mark.nightly
def test_fewer_values_change_next_to_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {"items": 200, "relevant": 40, "blocks": [5] * 40, "ties": "block"}
    null = average_precision(**given)
    x = np.append(np.linspace(0.15, 0.5, 50), null.rvs(50))
    known = null.sf(x), null.cdf(x)
    monkeypatch.setattr(atoms, "MOST", 300_000)
    monkeypatch.setattr(atoms, "_LEAST", 1e-13)
    more = average_precision(**given)
    np.testing.assert_allclose(known[0], more.sf(x), rtol=1e-4, atol=1e-12)
    np.testing.assert_allclose(known[1], more.cdf(x), rtol=1e-4, atol=1e-12)
