"""Values of topics with an index and columns within a struct have names; older tests gave frames
and lists only.
"""

from __future__ import annotations

import pytest

import precall as pc
from precall.core.errors import UsageError


def test_topics_of_pandas_are_not_paired_by_place() -> None:
    pd = pytest.importorskip("pandas")
    values = pd.Series([0.1, 0.5, 0.9, 0.7], index=list("wxyz"))
    with pytest.raises(UsageError, match="in another order"):
        pc.compare.paired(values, values.iloc[::-1])
    assert pc.compare.paired(values, values.add(0.1)).losses == 4


def test_fields_of_a_struct_are_names() -> None:
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"a": [1, 0, 1], "b": [0, 1, 0]})
    assert pc.decisions(frame, frame.select("b", "a").to_struct("s")).f(average="micro") == 1.0
    with pytest.raises(UsageError, match="c"):
        pc.decisions(frame, frame.rename({"a": "c"}).to_struct("s"))
