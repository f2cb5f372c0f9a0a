"""Every item of the documents: from what it is called there, by the call, to its number."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.documents.items import SOURCES, Item, Source
from tests.documents.page import PAGE, page

CASES = [
    pytest.param(source, item, id=f"{source.title.partition(':')[0]}: {item.name}")
    for source in SOURCES
    for item in source.items
]


@pytest.mark.parametrize(("source", "item"), CASES)
def test_the_call_gives_the_number(source: Source, item: Item) -> None:
    names: dict[str, Any] = {}
    exec(source.data, names)
    found = np.atleast_1d(np.asarray(eval(item.call, names), np.float64))
    expected = item.number.split(", ")
    assert len(found) == len(expected)
    for ours, theirs in zip(found.tolist(), expected, strict=True):
        digits = len(theirs.partition(".")[2])
        # A number with so many digits is right to half of the last one; without any, exactly.
        assert ours == pytest.approx(float(theirs), abs=0.5000001 * 10**-digits if digits else 1e-12), (
            item.name
        )


@pytest.mark.skipif(not PAGE.parent.is_dir(), reason="the docs are not here")
def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m tests.documents.page"
