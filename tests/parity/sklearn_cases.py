"""Made inputs for comparisons with scikit-learn, and what is equal."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from precall.compat import sklearn as ours
from tests.peers import peer

theirs = peer("sklearn.metrics", "scikit-learn is not installed: no parity was checked")


SCORES = st.one_of(
    st.sampled_from([0.0, 0.25, 0.5, 1.0]),
    st.floats(-1e3, 1e3, width=32),
    st.just(1e-30),
    st.just(-0.0),
)
# scikit-learn checks its arguments for about a millisecond a call: a quarter of the usual examples.
few = settings(max_examples=max(settings.default.max_examples // 4, 1))
AVERAGES = ["macro", "micro", "weighted", "samples", None]


@st.composite
def weights(draw: Any, count: int) -> Any:
    kind = draw(st.sampled_from(["none", "whole", "quarters", "real"]))
    if kind == "none":
        return None
    cell = {
        "whole": st.integers(0, 3),
        "quarters": st.integers(0, 8).map(lambda k: k / 4),
        "real": st.floats(0.01, 10),
    }[kind]
    value = np.array(draw(st.lists(cell, min_size=count, max_size=count)))
    value[draw(st.integers(0, count - 1))] = 1
    return value


@st.composite
def scored(draw: Any) -> tuple[Any, Any, Any]:
    count = draw(st.integers(1, 25))
    pair = draw(st.sampled_from([(0, 1), (-1, 1), (False, True)]))
    truth = np.array(draw(st.lists(st.sampled_from(pair), min_size=count, max_size=count)))
    dtype = draw(st.sampled_from([np.float32, np.float64]))
    score = np.array(draw(st.lists(SCORES, min_size=count, max_size=count)), dtype)
    if draw(st.booleans()):
        score[:] = score[0]
    return truth, score, draw(weights(count))


@st.composite
def matrices(draw: Any) -> tuple[Any, Any, Any]:
    count, width = draw(st.integers(2, 12)), draw(st.integers(2, 4))
    cells = st.lists(st.integers(0, 1), min_size=count * width, max_size=count * width)
    truth = np.array(draw(cells)).reshape(count, width)
    score = np.array(draw(st.lists(SCORES, min_size=truth.size, max_size=truth.size))).reshape(
        truth.shape
    )
    return truth, score, draw(weights(count))


@st.composite
def classified(draw: Any) -> tuple[Any, Any]:
    """Labels of three or four classes, and probabilities with ties."""
    width = draw(st.integers(3, 4))
    extra = draw(st.lists(st.integers(0, width - 1), max_size=12))
    truth = np.array([*range(width), *extra])
    parts = draw(
        st.lists(st.integers(1, 4), min_size=truth.size * width, max_size=truth.size * width)
    )
    cells = np.array(parts, np.float64).reshape(-1, width)
    return truth, cells / cells.sum(axis=1, keepdims=True)


def same(got: Any, wanted: Any) -> None:
    if isinstance(wanted, tuple | list):
        assert len(got) == len(wanted)
        for a, b in zip(got, wanted, strict=True):
            same(a, b)
    elif isinstance(wanted, dict):
        assert list(got) == list(wanted)
        same(list(got.values()), list(wanted.values()))
    elif wanted is None:
        assert got is None
    else:
        assert np.shape(got) == np.shape(wanted)
        np.testing.assert_allclose(got, wanted, rtol=1e-12, atol=1e-12)


def both(name: str, *args: Any, **options: Any) -> None:
    """Equal values, or errors of one kind."""
    try:
        wanted = getattr(theirs, name)(*args, **options)
    except (ValueError, RuntimeError):
        with pytest.raises((ValueError, RuntimeError)):
            getattr(ours, name)(*args, **options)
        return
    same(getattr(ours, name)(*args, **options), wanted)
